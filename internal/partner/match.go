package partner

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"

	"github.com/vienkart/vienkart/internal/tenant"
)

// FindOrCreate gives the partner with the same code, else with the same VAT number, else with the same name and email,
// and stores one when there is none; created tells which. The found partner is left as it is.
//
// A partner found by name and email must not contradict the given code or VAT number: namesakes are two partners. A
// name alone finds a partner only when nothing else is given and nothing else but a name is known of it.
//
// Any number of equal calls at once store one partner: a unique index stops all but the first, and they find its row.
// Error: validation.
func FindOrCreate(ctx context.Context, tx tenant.Tx, in Fields) (p *Partner, created bool, err error) {
	p, err = draft(tx, in)
	if err != nil {
		return nil, false, err
	}
	known, err := p.match(ctx, tx)
	if err != nil || known != nil {
		return known, false, err
	}
	p.MatchKey = p.matchKey()
	if err = p.insert(ctx, tx); err == nil {
		err = tenant.Flush(ctx, tx)
	}
	duplicate, lost := errors.AsType[*tenant.DuplicateError](err)
	if !lost {
		return p, err == nil, err
	}
	// Under READ COMMITTED the winner's row is visible by now. Where it is not, the whole transaction is run again.
	known, err = p.match(ctx, tx)
	if err == nil && known == nil {
		return nil, false, tenant.Outdated(duplicate)
	}
	return known, false, err
}

// match finds the stored partner that p is, or nil.
func (p *Partner) match(ctx context.Context, r tenant.Reader) (*Partner, error) {
	if p.Code != nil {
		known, err := tenant.First[Partner](ctx, r, "code = ?", *p.Code)
		if err != nil || known != nil {
			return known, looking("code", err)
		}
	}
	if p.VATCode != nil {
		known, err := tenant.First[Partner](ctx, r, "vat_code = ?", *p.VATCode)
		if err != nil || known != nil {
			return known, looking("VAT number", err)
		}
	}
	if p.Email != nil {
		namesakes, err := tenant.Find[Partner](ctx, r, "name = ? AND email = ?", p.Name, *p.Email)
		if err != nil {
			return nil, looking("name and email", err)
		}
		for i := range namesakes {
			if agree(p.Code, namesakes[i].Code) && agree(p.VATCode, namesakes[i].VATCode) {
				return &namesakes[i], nil
			}
		}
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	if p.Code != nil || p.VATCode != nil {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	known, err := tenant.First[Partner](ctx, r,
		"name = ? AND email IS NULL AND code IS NULL AND vat_code IS NULL", p.Name)
	return known, looking("name", err)
}

func looking(by string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("looking for the partner by %s: %w", by, err)
}

// agree reports that two values do not contradict each other.
func agree(a, b *string) bool { return a == nil || b == nil || *a == *b }

// matchKey is the unique key of a partner that is sought by name and email alone; one with a code or a VAT number has
// the unique index of that and needs none.
func (p *Partner) matchKey() []byte {
	if p.Code != nil || p.VATCode != nil {
		return nil
	}
	key := sha256.Sum256([]byte(strconv.Quote(p.Name) + strconv.Quote(value(p.Email))))
	return key[:]
}
