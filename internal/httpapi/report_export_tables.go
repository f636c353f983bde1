package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Columns that several reports have.
var (
	columnDate    = export.Column{Title: "Data", Width: 4}
	columnText    = export.Column{Title: "Aprašymas", Width: 12}
	columnAccount = export.Column{Title: "Sąskaita", Width: 4}
	columnName    = export.Column{Title: "Pavadinimas", Width: 12}
	columnPartner = export.Column{Title: "Partneris", Width: 12}
	columnRate    = export.Column{Title: "Tarifas %", Width: 4, Numeric: true}
	columnNet     = amountColumn("Apmokestinamoji vertė")
	columnVAT     = amountColumn("PVM")
	columnGross   = amountColumn("Iš viso")
	columnCount   = export.Column{Title: "Dokumentai", Width: 4, Numeric: true}
	columnDebit   = amountColumn("Debetas")
	columnCredit  = amountColumn("Kreditas")
)

const totalLabel = "Iš viso"

func amountColumn(title string) export.Column {
	return export.Column{Title: title, Width: 5, Numeric: true}
}

// jsonMember is a member of a JSON file.
type jsonMember struct {
	name  string
	value any
}

// table writes a report that is at hand as a whole: members, rows, members.
func table[Row any](
	w export.Writer, before []jsonMember, columns []export.Column, rows []Row, line func(Row) []any, total []any, after ...jsonMember,
) error {
	w.Expect(int64(len(rows)))
	if err := jsonMembers(w, before); err != nil {
		return err
	}
	if err := w.Table("rows", columns...); err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	for _, row := range rows {
		if err := w.Row(row, line(row)); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	if total != nil {
		if err := w.Row(nil, total); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	return jsonMembers(w, after)
}

func jsonMembers(w export.Writer, list []jsonMember) error {
	for _, m := range list {
		if err := w.Member(m.name, m.value); err != nil {
			return err //nolint:wrapcheck // the job tells refusals from faults
		}
	}
	return nil
}

func exportTrialBalance(ctx context.Context, r tenant.ReadTx, in trialBalanceRequest, w export.Writer) error {
	out, err := trialBalance(ctx, r, in)
	if err != nil {
		return err
	}
	columns := []export.Column{columnAccount, columnName, amountColumn("Pradžios likutis"), columnDebit, columnCredit, amountColumn("Pabaigos likutis")}
	return table(w, []jsonMember{{"fromDate", out.FromDate}, {"toDate", out.ToDate}}, columns, out.Rows, func(row trialBalanceRow) []any {
		return []any{row.Code, row.Name, row.Opening, row.Debit, row.Credit, row.Closing}
	}, []any{totalLabel, nil, nil, out.Totals.Debit, out.Totals.Credit, nil}, jsonMember{"totals", out.Totals})
}

func exportJournal(ctx context.Context, r tenant.ReadTx, in report.Period, w export.Writer) error {
	begin := func(rows int64) error {
		w.Expect(rows)
		if err := jsonMembers(w, []jsonMember{{"total", rows}, {"fromDate", in.FromDate}, {"toDate", in.ToDate}}); err != nil {
			return err
		}
		return w.Table("rows", columnDate, export.Column{Title: "Operacija", Width: 12}, columnText, export.Column{Title: "Dokumentas", Width: 6},
			columnAccount, columnName, columnDebit, columnCredit)
	}
	err := report.EachTransaction(ctx, r, in, begin, func(t report.JournalTransaction) error {
		lines := make([][]any, len(t.Entries))
		for i, e := range t.Entries {
			lines[i] = []any{t.Date, t.ID, t.Description, t.DocumentType, e.AccountCode, e.AccountName, e.Debit, e.Credit}
		}
		return w.Row(t, lines...)
	})
	return err //nolint:wrapcheck // the job tells refusals from faults
}

func exportAccount(ctx context.Context, r tenant.ReadTx, in report.AccountInput, w export.Writer) error {
	begin := func(rows int64) error {
		w.Expect(rows)
		return w.Table("rows", columnDate, columnText, export.Column{Title: "Dokumentas", Width: 6}, columnDebit, columnCredit, amountColumn("Likutis"))
	}
	out, err := report.EachAccountLine(ctx, r, in, begin, func(l report.AccountLine) error {
		return w.Row(l, []any{l.Date, l.Description, l.DocumentType, l.Debit, l.Credit, l.Balance})
	})
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	for _, balance := range []struct {
		label  string
		amount money.Amount
	}{{"Pradžios likutis", out.Opening}, {"Pabaigos likutis", out.Closing}} {
		if err := w.Row(nil, []any{nil, balance.label, nil, nil, nil, balance.amount}); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	return jsonMembers(w, []jsonMember{{"account", out.Account}, {"opening", out.Opening}, {"closing", out.Closing}})
}

func exportVATSummary(ctx context.Context, r tenant.ReadTx, in report.VATInput, w export.Writer) error {
	out, err := report.VATByRate(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	return table(w, []jsonMember{{"side", out.Side}, {"fromDate", out.FromDate}, {"toDate", out.ToDate}},
		[]export.Column{columnRate, columnNet, columnVAT, columnGross, columnCount}, out.Rows, func(row report.VATRate) []any {
			return []any{row.VATRatePercent, row.Net, row.VAT, row.Gross, row.Documents}
		}, []any{nil, out.Totals.Net, out.Totals.VAT, out.Totals.Gross, nil}, jsonMember{"totals", out.Totals})
}

func exportVATDetail(ctx context.Context, r tenant.ReadTx, in report.VATInput, w export.Writer) error {
	begin := func(rows int64) error {
		w.Expect(rows)
		return w.Table("rows", columnDate, export.Column{Title: "Numeris", Width: 6}, columnPartner, columnRate, columnNet, columnVAT, columnGross)
	}
	out, err := report.EachVATDocument(ctx, r, in, begin, func(d report.VATDocument) error {
		return w.Row(d, []any{d.Date, d.DocumentNumber, d.PartnerName, d.VATRatePercent, d.Net, d.VAT, d.Gross})
	})
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	if err := w.Row(nil, []any{nil, totalLabel, nil, nil, out.Totals.Net, out.Totals.VAT, out.Totals.Gross}); err != nil {
		return err //nolint:wrapcheck // as above
	}
	return jsonMembers(w, []jsonMember{{"side", out.Side}, {"fromDate", out.FromDate}, {"toDate", out.ToDate}, {"totals", out.Totals}})
}

func exportEUPurchases(ctx context.Context, r tenant.ReadTx, in report.Period, w export.Writer) error {
	out, err := report.PurchasesFromEU(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	return table(w, []jsonMember{{"fromDate", out.FromDate}, {"toDate", out.ToDate}},
		[]export.Column{{Title: "Šalis", Width: 4}, columnRate, columnNet, columnVAT, columnCount}, out.Rows, func(row report.EUPurchase) []any {
			return []any{row.CountryCode, row.VATRatePercent, row.Net, row.VAT, row.Documents}
		}, []any{totalLabel, nil, out.Totals.Net, out.Totals.VAT, nil}, jsonMember{"totals", out.Totals})
}
