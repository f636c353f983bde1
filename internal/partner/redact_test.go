package partner_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func someone(t *testing.T, c *testkit.Company, name string) *partner.Partner {
	t.Helper()
	return create(t, c, partner.Fields{
		Name: &name, Type: new(partner.TypePerson), Code: new("1" + tenant.NewID().String()[24:]), Email: new("jonas@example.lt"), Phone: new("+37060000000"),
		BirthDate: new(date.New(1990, 5, 1)), Notes: new("likes tea"), SelfEmploymentCertNo: new("77"),
		Address: &partner.Address{Street: "Gedimino 1", City: "Vilnius", PostalCode: "01103", CountryCode: "LT"},
	})
}

// registered puts a document of a day into the VAT register.
func registered(t *testing.T, e *testkit.Engine, c *testkit.Company, p *partner.Partner, day string) {
	t.Helper()
	_, err := e.Admin.Writer().ExecContext(t.Context(), `INSERT INTO vat_register (company_id, id, direction, register_date, document_type, document_id,
		document_number, document_date, invoice_type, event, special_taxation, source_id, partner_id, partner_name, partner_code, rate, currency,
		net_minor, vat_minor, base_net_minor, base_vat_minor, created_at)
		VALUES (?, ?, 'sales', ?, 'sale_invoice', ?, 'A1', ?, 'SF', 'recorded', 0, ?, ?, ?, ?, '21', 'EUR', 10000, 2100, 10000, 2100, '2026-01-01 00:00:00.000000')`,
		c.Scope.Company().ID, tenant.NewID(), day, tenant.NewID(), day, tenant.NewID(), p.ID, p.Name, p.Code)
	require.NoError(t, err)
}

func redact(t *testing.T, c *testkit.Company, id tenant.ID) (p *partner.Partner, r *partner.Redaction, err error) {
	t.Helper()
	err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		p, r, err = partner.Redact(ctx, tx, id)
		return err
	})
	return p, r, err
}

func requireNobody(t *testing.T, p *partner.Partner) {
	t.Helper()
	for _, value := range []*string{p.Code, p.VATCode, p.PeppolID, p.Email, p.Phone, p.SelfEmploymentCertNo, p.Street, p.City, p.PostalCode, p.Notes} {
		require.Nil(t, value)
	}
	require.Equal(t, "[redacted]", p.Name)
	require.True(t, p.BirthDate.IsZero())
	require.Empty(t, p.MatchKey)
	require.Equal(t, "LT", *p.CountryCode)
}

func TestRedact(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		e = e.At(time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC))
		c, stranger := e.Company(t), e.Company(t)

		t.Run("WithoutDocumentsAllGoesAtOnce", func(t *testing.T) {
			t.Parallel()
			jonas, other := someone(t, c, "Jonas Jonaitis"), someone(t, c, "Ona Onaitė")
			_, _, err := redact(t, c, jonas.ID)
			require.NoError(t, err)
			requireNobody(t, get(t, c, jonas.ID))
			_, _, err = redact(t, c, other.ID)
			require.NoError(t, err, "two persons without name are no duplicates")
			_, _, err = redact(t, c, jonas.ID)
			require.NoError(t, err, "asking again changes nothing")
			require.ErrorIs(t, c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return partner.Delete(ctx, tx, jonas.ID) }), partner.ErrReferenced)
		})
		t.Run("WhatDocumentsSayStaysForTenYears", func(t *testing.T) {
			t.Parallel()
			jonas := someone(t, c, "Jonas Petraitis")
			registered(t, e, c, jonas, "2025-02-03")
			registered(t, e, c, jonas, "2026-03-31")
			_, r, err := redact(t, c, jonas.ID)
			require.NoError(t, err)
			require.Equal(t, date.New(2036, 12, 31), r.KeepUntil)
			left := get(t, c, jonas.ID)
			require.Equal(t, "Jonas Petraitis", left.Name)
			require.Equal(t, "Gedimino 1", *left.Street)
			for _, value := range []*string{left.Email, left.Phone, left.Notes} {
				require.Nil(t, value)
			}
			require.True(t, left.BirthDate.IsZero())
		})
		t.Run("RefusalsSayWhatToDo", func(t *testing.T) {
			t.Parallel()
			business, busy, mine := create(t, c, partner.Fields{Name: new("UAB Viena")}), someone(t, c, "Petras"), someone(t, c, "Antanas")
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, `INSERT INTO sales_drafts (company_id, id, partner_id, type, currency, vat_scheme,
					deemed_supplier, net_minor, vat_minor, gross_minor, created_at, updated_at)
					VALUES (@company, ?, ?, 'invoice', 'EUR', 'domestic', false, 0, 0, 0, ?, ?)`, tenant.NewID(), busy.ID, tx.Now(), tx.Now())
				return err
			})
			_, _, err := redact(t, c, business.ID)
			require.ErrorIs(t, err, partner.ErrNotPerson)
			_, _, err = redact(t, c, busy.ID)
			require.ErrorIs(t, err, partner.ErrUnfinished)
			require.Equal(t, busy, get(t, c, busy.ID))
			_, _, err = redact(t, stranger, mine.ID)
			require.ErrorIs(t, err, apperr.ErrNotFound)
		})
	})
}

// When the law stops asking, the migrating user takes the person out of what only grows, and out of nothing else.
func TestFinishRedaction(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.At(time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)).Company(t)
		jonas, other := someone(t, c, "Jonas Kazlauskas"), someone(t, c, "Ona Kazlauskienė")
		registered(t, e, c, jonas, "2026-03-31")
		registered(t, e, c, other, "2026-03-31")
		for _, p := range []*partner.Partner{jonas, other} {
			_, _, err := redact(t, c, p.ID)
			require.NoError(t, err)
		}
		registered(t, e, c, other, "2030-01-01") // books went on

		count := func(query string, args ...any) (n int) {
			require.NoError(t, e.DB.Reader().QueryRowContext(t.Context(), query, append([]any{c.Scope.Company().ID}, args...)...).Scan(&n))
			return n
		}
		finish := func(year int) (due int) {
			admin := tenant.NewSystem(tenant.NewStore(e.Admin, clock.Fixed{T: time.Date(year, 1, 1, 9, 0, 0, 0, time.UTC)}))
			list, err := partner.DueRedactions(t.Context(), admin)
			require.NoError(t, err)
			for _, d := range list {
				if d.CompanyID != c.Scope.Company().ID {
					continue
				}
				due++
				scope, err := admin.Scope(t.Context(), d.CompanyID, "test")
				require.NoError(t, err)
				require.NoError(t, backup.Unguarded(t.Context(), admin, scope, []string{"vat_register", "audit_log"}, func(ctx context.Context, tx tenant.Tx) error {
					return partner.FinishRedaction(ctx, tx, d.PartnerID)
				}))
			}
			return due
		}
		require.Zero(t, finish(2036), "not on the last year")
		require.Equal(t, 2, finish(2037))
		requireNobody(t, get(t, c, jonas.ID))
		require.Zero(t, count("SELECT COUNT(*) FROM vat_register WHERE company_id = ? AND partner_name = ?", jonas.Name))
		require.Equal(t, 1, count("SELECT COUNT(*) FROM vat_register WHERE company_id = ? AND partner_name = '[redacted]' AND partner_code IS NULL AND base_vat_minor = 2100"))
		require.Zero(t, count("SELECT COUNT(*) FROM audit_log WHERE company_id = ? AND diff LIKE ?", "%"+jonas.Name+"%"))
		require.Equal(t, 3, count("SELECT COUNT(*) FROM audit_log WHERE company_id = ? AND entity_id = ?", jonas.ID.String()), "created, redacted, finished: who and when stays")

		require.Equal(t, other.Name, get(t, c, other.ID).Name, "a later document puts it off")
		require.Zero(t, finish(2038))
		require.Equal(t, 1, finish(2041))
		requireNobody(t, get(t, c, other.ID))
		require.Zero(t, finish(2042), "done once")
		for _, statement := range []string{"UPDATE vat_register SET partner_name = 'x'", "DELETE FROM audit_log"} {
			_, err := e.DB.Writer().ExecContext(t.Context(), statement)
			require.Error(t, err, "the guards are back")
		}
	})
}
