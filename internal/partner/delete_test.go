package partner_test

import (
	"context"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/migrations"
)

// TestReferrerKnowsEveryTable compares the check with the schema, so that a new table with a partner is not forgotten.
func TestReferrerKnowsEveryTable(t *testing.T) {
	t.Parallel()
	reference := regexp.MustCompile(`(?s)CREATE TABLE (\w+) \(.*?REFERENCES partners \(`)
	referring := 0
	require.NoError(t, fs.WalkDir(migrations.Files, "sqlite", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(migrations.Files, path)
		for _, statement := range strings.Split(string(content), ";") {
			if m := reference.FindStringSubmatch(statement); m != nil {
				require.Contains(t, partner.Referrer, "FROM "+m[1]+" d WHERE d.company_id = p.company_id AND d.partner_id = p.id)")
				referring++
			}
		}
		return err
	}))
	require.Equal(t, strings.Count(partner.Referrer, "WHEN EXISTS"), referring)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		free, taken := create(t, c, partner.Fields{Name: new("A")}), create(t, c, partner.Fields{Name: new("B")})
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := tenant.Exec(ctx, tx, `INSERT INTO sales_drafts (company_id, id, partner_id, type, currency, vat_scheme,
				deemed_supplier, net_minor, vat_minor, gross_minor, created_at, updated_at)
				VALUES (@company, ?, ?, 'invoice', 'EUR', 'domestic', false, 0, 0, 0, ?, ?)`,
				tenant.NewID(), taken.ID, tx.Now(), tx.Now())
			return err
		})
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return partner.Delete(ctx, tx, free.ID) })
		remove := func(id tenant.ID) error {
			return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return partner.Delete(ctx, tx, id) })
		}
		require.ErrorIs(t, remove(free.ID), apperr.ErrNotFound)
		err := remove(taken.ID)
		require.ErrorIs(t, err, partner.ErrReferenced)
		require.ErrorContains(t, err, "a draft of a sales document")
		require.Equal(t, taken, get(t, c, taken.ID))
	})
}

// TestOtherCompanies holds every function to B-044: another company's partner is not found.
func TestOtherCompanies(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		owner, stranger := e.Company(t), e.Company(t)
		p := create(t, owner, partner.Fields{Name: new("A"), VATCode: new("LT999000017"), CreditLimit: new("10")})
		for name, act := range map[string]func(context.Context, tenant.Tx) error{
			"Get": func(ctx context.Context, tx tenant.Tx) error { _, err := partner.Get(ctx, tx, p.ID); return err },
			"Update": func(ctx context.Context, tx tenant.Tx) error {
				_, err := partner.Update(ctx, tx, p.ID, partner.Fields{Name: new("X")})
				return err
			},
			"Delete": func(ctx context.Context, tx tenant.Tx) error { return partner.Delete(ctx, tx, p.ID) },
			"Credit": func(ctx context.Context, tx tenant.Tx) error {
				_, err := partner.CheckCredit(ctx, tx.ReadTx, p.ID, "")
				return err
			},
			"VAT": func(ctx context.Context, tx tenant.Tx) error {
				_, err := partner.ValidateVAT(ctx, tx.ReadTx, "", p.ID)
				return err
			},
		} {
			require.ErrorIs(t, stranger.TryMutate(t.Context(), act), apperr.ErrNotFound, name)
		}
		require.Equal(t, p, get(t, owner, p.ID))
		stranger.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := partner.List(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Empty(t, page.Rows)
			return nil
		})
	})
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		create(t, c, partner.Fields{Name: new("Other"), Code: new("1")})
		p := create(t, c, partner.Fields{
			Name: new("A"), Code: new("304500121"), Email: new("a@b.lt"), CreditLimit: new("10"),
			Address: &partner.Address{Street: "S", City: "C"},
		})
		update := func(in partner.Fields) error {
			return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
				_, err := partner.Update(ctx, tx, p.ID, in)
				return err
			})
		}
		require.ErrorIs(t, update(partner.Fields{Code: new("1")}), partner.ErrDuplicateCode)
		require.ErrorIs(t, update(partner.Fields{Name: new("")}), apperr.ErrValidation)
		require.NoError(t, update(partner.Fields{Code: new("304500121")}), "its own code")
		require.NoError(t, update(partner.Fields{
			Email: new(""), CreditLimit: new(""), Address: &partner.Address{City: "D"}, IsSupplier: new(true),
		}))
		card := get(t, c, p.ID).Card(c.Scope.Company())
		require.Equal(t, "A", card.Name)
		require.Equal(t, "304500121", *card.Code)
		require.Nil(t, card.Email)
		require.Nil(t, card.CreditLimit)
		require.Equal(t, partner.Address{City: "D"}, *card.Address)
		require.True(t, card.IsSupplier)
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			lines, err := audit.List(ctx, r, tenant.ListQuery{Sort: []tenant.Sort{{Field: "id"}}})
			require.NoError(t, err)
			actions := make([]string, len(lines.Rows))
			for i, l := range lines.Rows {
				actions[i] = l.Action
			}
			require.Equal(t, []string{"partner.created", "partner.created", "partner.updated", "partner.updated"}, actions)
			last := lines.Rows[len(lines.Rows)-1]
			require.Equal(t, p.ID.String(), *last.EntityID)
			require.Contains(t, string(last.Diff), `"before":{"id":`)
			require.Contains(t, string(last.Diff), `"creditLimit":"10.00"`)
			return nil
		})
	})
}
