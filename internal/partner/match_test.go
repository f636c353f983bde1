package partner_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

var errRollback = errors.New("rolled back")

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func findOrCreate(t *testing.T, c *testkit.Company, in partner.Fields) (*partner.Partner, bool) {
	t.Helper()
	var p *partner.Partner
	var created bool
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		p, created, err = partner.FindOrCreate(ctx, tx, in)
		return err
	})
	return p, created
}

func TestFindOrCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		alfa := create(t, c, partner.Fields{Name: new("UAB Alfa"), Code: new("304500121"), VATCode: new("LT999000017"), Email: new("a@b.lt")})
		beta := create(t, c, partner.Fields{Name: new("Beta"), Email: new("beta@b.lt")})
		gama := create(t, c, partner.Fields{Name: new("Gama")})
		create(t, e.Company(t), partner.Fields{Name: new("Delta"), Code: new("777"), Email: new("d@b.lt")})
		for name, example := range map[string]struct {
			in   partner.Fields
			want *partner.Partner
		}{
			"CodeFinds":                   {partner.Fields{Name: new("Kitas"), Code: new("304 500 121")}, alfa},
			"CodeBeatsVATNumber":          {partner.Fields{Name: new("Kitas"), Code: new("304500121"), VATCode: new("LT1")}, alfa},
			"VATNumberFinds":              {partner.Fields{Name: new("Kitas"), Code: new("1"), VATCode: new("lt999000017")}, alfa},
			"NameAndEmailFind":            {partner.Fields{Name: new("UAB Alfa"), Email: new("a@b.lt")}, alfa},
			"NameAndEmailWithNewCode":     {partner.Fields{Name: new("Beta"), Email: new("beta@b.lt"), Code: new("2")}, beta},
			"NameAlone":                   {partner.Fields{Name: new("Gama")}, gama},
			"NameOfAKnownBusiness":        {partner.Fields{Name: new("UAB Alfa")}, nil},
			"NameWithCodeIsAnother":       {partner.Fields{Name: new("Gama"), Code: new("3")}, nil},
			"OtherCodeContradicts":        {partner.Fields{Name: new("UAB Alfa"), Email: new("a@b.lt"), Code: new("4")}, nil},
			"OtherVATNumberContradicts":   {partner.Fields{Name: new("UAB Alfa"), Email: new("a@b.lt"), VATCode: new("LT5")}, nil},
			"OtherEmailIsAnother":         {partner.Fields{Name: new("Beta"), Email: new("x@b.lt")}, nil},
			"AnotherCompanyPartnerIsNone": {partner.Fields{Name: new("Delta"), Code: new("777"), Email: new("d@b.lt")}, nil},
		} {
			err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
				p, created, err := partner.FindOrCreate(ctx, tx, example.in)
				require.NoError(t, err, name)
				require.Equal(t, example.want == nil, created, name)
				if example.want != nil {
					require.Equal(t, example.want, p, name)
				}
				return errRollback
			})
			require.ErrorIs(t, err, errRollback)
		}
	})
}

// TestFindOrCreateTwins lets twenty callers ask for the same partner at once.
func TestFindOrCreateTwins(t *testing.T) {
	t.Parallel()
	const twins = 20
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for name, in := range map[string]partner.Fields{
			"ByCode":         {Name: new("A"), Code: new("304500121")},
			"ByVATNumber":    {Name: new("A"), VATCode: new("LT999000017")},
			"ByBoth":         {Name: new("A"), Code: new("304500121"), VATCode: new("LT999000017")},
			"ByNameAndEmail": {Name: new("A"), Email: new("a@b.lt")},
			"ByName":         {Name: new("A")},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := e.Company(t)
				ids, created := make([]tenant.ID, twins), make([]bool, twins)
				errs := make([]error, twins)
				var wait sync.WaitGroup
				for i := range twins {
					wait.Go(func() {
						errs[i] = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
							p, isNew, err := partner.FindOrCreate(ctx, tx, in)
							if err != nil {
								return fmt.Errorf("finding or creating: %w", err)
							}
							ids[i], created[i] = p.ID, isNew
							return nil
						})
					})
				}
				wait.Wait()
				stored := 0
				for i := range twins {
					require.NoError(t, errs[i])
					require.Equal(t, ids[0], ids[i])
					if created[i] {
						stored++
					}
				}
				require.Equal(t, 1, stored)
				c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
					page, err := partner.List(ctx, r, tenant.ListQuery{})
					require.NoError(t, err)
					require.Equal(t, 1, page.Total)
					return nil
				})
			})
		}
	})
}

func TestFindOrCreateAfterARename(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		first, _ := findOrCreate(t, c, partner.Fields{Name: new("A"), Email: new("a@b.lt")})
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := partner.Update(ctx, tx, first.ID, partner.Fields{Name: new("B")})
			return err
		})
		second, created := findOrCreate(t, c, partner.Fields{Name: new("A"), Email: new("a@b.lt")})
		require.True(t, created)
		require.NotEqual(t, first.ID, second.ID)
	})
}

// TestCreateTwins holds the loser of a race to the answer of a late duplicate.
func TestCreateTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		const twins = 8
		errs := make([]error, twins)
		var wait sync.WaitGroup
		for i := range twins {
			wait.Go(func() {
				errs[i] = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
					_, err := partner.Create(ctx, tx, partner.Fields{Name: new("A"), Code: new("304500121")})
					return err
				})
			})
		}
		wait.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			if lost, ok := errors.AsType[*tenant.DuplicateError](err); ok {
				c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
					err = lost.Resolve(ctx, r)
					return nil
				})
			}
			require.ErrorIs(t, err, partner.ErrDuplicateCode)
		}
		require.Equal(t, 1, won)
	})
}
