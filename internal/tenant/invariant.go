package tenant

import (
	"context"
	"fmt"
)

// Invariant is something that must hold for every row of every company. Each package declares those of its tables.
type Invariant struct {
	// Name says what must hold.
	Name string
	// Broken selects company_id and subject, one row for each place where it does not hold.
	Broken text
}

// referencesHold is the invariant that no package declares, since it is about every reference of the schema.
const referencesHold = "every reference leads to a row of the same company"

// Breach is one place where an invariant does not hold.
type Breach struct {
	Invariant string
	CompanyID ID
	Subject   string
}

// Verify looks for breaches of the invariants, and for references that lead nowhere or to another company.
func Verify(ctx context.Context, y System, invariants []Invariant) ([]Breach, error) {
	var breaches []Breach
	for _, invariant := range invariants {
		rows, err := SystemQuery[Breach](ctx, y, invariant.Broken)
		if err != nil {
			return nil, fmt.Errorf("checking that %s: %w", invariant.Name, err)
		}
		for _, row := range rows {
			row.Invariant = invariant.Name
			breaches = append(breaches, row)
		}
	}
	keys, err := y.store.db.ForeignKeys(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	for _, key := range keys {
		lost, err := y.store.db.Orphans(ctx, key)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was read
		}
		if lost > 0 {
			breaches = append(breaches, Breach{
				Invariant: referencesHold, Subject: fmt.Sprintf("%d rows by %s", lost, key),
			})
		}
	}
	return breaches, nil
}
