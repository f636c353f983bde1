package invoice_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestList(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, sale(net("1")))
		unpaid, partial, paid := b.issue(t, sale(net("2"))), b.issue(t, sale(net("3"))), b.issue(t, sale(net("4")))
		b.pay(t, partial.ID, "1.00")
		b.pay(t, paid.ID, "4.84")
		offer := b.issue(t, invoice.CreateInput{Type: invoice.TypeProforma, Lines: []invoice.LineInput{net("5")}})
		gone := b.issue(t, sale(net("6")))
		_, err := b.tryCancel(t.Context(), gone.ID)
		require.NoError(t, err)
		list := func(of *testkit.Company, q tenant.ListQuery) []tenant.ID {
			var ids []tenant.ID
			of.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				page, err := invoice.List(ctx, r, q)
				require.NoError(t, err)
				for _, d := range page.Rows {
					ids = append(ids, d.ID)
					single, err := invoice.Get(ctx, r, d.ID)
					require.NoError(t, err)
					require.Equal(t, single.Summary(), d.Summary())
				}
				return nil
			})
			return ids
		}
		where := func(pairs ...string) tenant.ListQuery {
			var q tenant.ListQuery
			for i := 0; i < len(pairs); i += 2 {
				q.Filter = append(q.Filter, tenant.Filter{Field: pairs[i], Op: "eq", Value: jsontext.Value(`"` + pairs[i+1] + `"`)})
			}
			return q
		}
		require.Equal(t, []tenant.ID{gone.ID, offer.ID, paid.ID, partial.ID, unpaid.ID, draft.ID}, list(b.Company, tenant.ListQuery{}))
		require.Equal(t, []tenant.ID{draft.ID}, list(b.Company, where("status", "draft")))
		require.Equal(t, []tenant.ID{unpaid.ID}, list(b.Company, where("status", "issued", "fullNumber", *unpaid.FullNumber)))
		require.Empty(t, list(b.Company, where("status", "issued", "status", "draft")))
		require.Equal(t, []tenant.ID{paid.ID}, list(b.Company, where("paymentStatus", "paid")))
		require.Equal(t, []tenant.ID{partial.ID}, list(b.Company, where("paymentStatus", "partial")))
		require.Equal(t, []tenant.ID{gone.ID, offer.ID, unpaid.ID, draft.ID}, list(b.Company, where("paymentStatus", "unpaid")))
		require.Equal(t, []tenant.ID{offer.ID}, list(b.Company, where("type", "proforma")))
		require.Equal(t, []tenant.ID{paid.ID}, list(b.Company, where("grossTotal", "4.84")))
		require.Len(t, list(b.Company, where("partnerId", b.buyer.ID.String(), "issueDate", "2026-01-31")), 5)
		byTotal := tenant.ListQuery{Sort: []tenant.Sort{{Field: "netTotal"}}, PageSize: 2, Page: 2}
		require.Equal(t, []tenant.ID{partial.ID, paid.ID}, list(b.Company, byTotal))
		require.Empty(t, list(open(t, e).Company, tenant.ListQuery{}))
	})
}
