package report

import (
	"cmp"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
)

// byPartner folds debts into one row for each partner, by name and id.
func byPartner[Row any](debts []debt, first func(debt) Row, add func(*Row, debt)) []Row {
	slices.SortStableFunc(debts, func(a, b debt) int {
		return cmp.Or(cmp.Compare(a.PartnerName, b.PartnerName), slices.Compare(a.PartnerID[:], b.PartnerID[:]))
	})
	rows := []Row{}
	var last tenant.ID
	for _, d := range debts {
		if len(rows) == 0 || d.PartnerID != last {
			rows = append(rows, first(d))
			last = d.PartnerID
		}
		add(&rows[len(rows)-1], d)
	}
	return rows
}
