package invoice_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
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
		require.Equal(t, []tenant.ID{draft.ID, gone.ID, offer.ID, paid.ID, partial.ID, unpaid.ID}, list(b.Company, tenant.ListQuery{}))
		require.Equal(t, []tenant.ID{draft.ID}, list(b.Company, where("status", "draft")))
		require.Equal(t, []tenant.ID{unpaid.ID}, list(b.Company, where("status", "issued", "fullNumber", *unpaid.FullNumber)))
		require.Empty(t, list(b.Company, where("status", "issued", "status", "draft")))
		require.Equal(t, []tenant.ID{paid.ID}, list(b.Company, where("paymentStatus", "paid")))
		require.Equal(t, []tenant.ID{partial.ID}, list(b.Company, where("paymentStatus", "partial")))
		require.Equal(t, []tenant.ID{draft.ID, gone.ID, offer.ID, unpaid.ID}, list(b.Company, where("paymentStatus", "unpaid")))
		require.Equal(t, []tenant.ID{offer.ID}, list(b.Company, where("type", "proforma")))
		require.Equal(t, []tenant.ID{paid.ID}, list(b.Company, where("grossTotal", "4.84")))
		require.Len(t, list(b.Company, where("partnerId", b.buyer.ID.String(), "issueDate", "2026-01-31")), 5)
		byTotal := tenant.ListQuery{Sort: []tenant.Sort{{Field: "netTotal"}}, PageSize: 2, Page: 2}
		require.Equal(t, []tenant.ID{partial.ID, paid.ID}, list(b.Company, byTotal))
		require.Empty(t, list(open(t, e).Company, tenant.ListQuery{}))
	})
}

// TestListPages reads lists page by page: together the pages are the whole list, in its order, with no row lost or shown twice, though drafts
// and issued documents mix and many rows are equal in what they are sorted by.
func TestListPages(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		var all []tenant.ID
		for i := range 4 {
			dated := sale(net("1"))
			dated.IssueDate = date.MustParse([]string{"2026-01-30", "2026-01-31"}[i%2])
			other := invoice.CreateInput{Type: invoice.TypeProforma, Lines: []invoice.LineInput{net("2")}}
			all = append(all, b.create(t, dated).ID, b.create(t, sale(net("3"))).ID, b.issue(t, dated).ID, b.issue(t, other).ID, b.issue(t, sale(net("1"))).ID)
			paid, gone := b.issue(t, dated), b.issue(t, sale(net("4")))
			b.pay(t, paid.ID, []string{"1.00", "1.21"}[i%2])
			_, err := b.tryCancel(t.Context(), gone.ID)
			require.NoError(t, err)
			all = append(all, paid.ID, gone.ID)
		}
		require.ElementsMatch(t, all, b.pages(t, tenant.ListQuery{PageSize: tenant.MaxPageSize}))
		sort := func(field string, dir tenant.SortDir) tenant.Sort { return tenant.Sort{Field: field, Dir: dir} }
		for _, order := range [][]tenant.Sort{
			nil,
			{sort("issueDate", "asc")},
			{sort("issueDate", "desc")},
			{sort("dueDate", "desc")},
			{sort("currency", "asc")},
			{sort("status", "desc")},
			{sort("paymentStatus", "")},
			{sort("fullNumber", "desc")},
			{sort("grossTotal", "desc"), sort("issueDate", "asc")},
			{sort("id", "asc")},
		} {
			for _, filter := range []string{"", `"unpaid"`, `["unpaid","partial"]`, `"paid"`} {
				q := tenant.ListQuery{PageSize: tenant.MaxPageSize, Sort: order}
				if filter != "" {
					q.Filter = []tenant.Filter{{Field: "paymentStatus", Op: map[bool]tenant.FilterOp{true: "in", false: "eq"}[filter[0] == '['], Value: jsontext.Value(filter)}}
				}
				whole := b.pages(t, q)
				require.NotEmpty(t, whole)
				for size := 1; size <= 5; size++ {
					q.PageSize = size
					require.Equal(t, whole, b.pages(t, q), "%v %s by %d", order, filter, size)
				}
			}
		}
	})
}

// pages are the ids of a list, read to the page past its end.
func (b *books) pages(t *testing.T, q tenant.ListQuery) []tenant.ID {
	t.Helper()
	var ids []tenant.ID
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		total := 0
		for q.Page = 1; ; q.Page++ {
			page, err := invoice.List(ctx, r, q)
			require.NoError(t, err)
			if q.Page == 1 {
				total = page.Total
			}
			require.Equal(t, total, page.Total, "page %d", q.Page)
			for _, d := range page.Rows {
				ids = append(ids, d.ID)
			}
			if len(page.Rows) == 0 {
				require.Len(t, ids, total)
				return nil
			}
		}
	})
	return ids
}
