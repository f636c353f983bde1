package report_test

import (
	"errors"
	"testing"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout/report"
)

// requireLaws checks what holds for every file: it is refused with a fault or a mismatch, or all it gives adds up.
func requireLaws(t *testing.T, content string) {
	t.Helper()
	f, err := report.Parse(content)
	if err != nil {
		_, isFault := errors.AsType[*report.Fault](err)
		_, isMismatch := errors.AsType[*report.Mismatch](err)
		if !isFault && !isMismatch {
			t.Fatalf("refused without a place: %v", err)
		}
		return
	}
	seen := map[string]bool{}
	for _, p := range f.Payouts {
		if p.ID == "" || p.Currency.IsZero() || len(p.Lines) == 0 {
			t.Fatalf("an empty payout: %+v", p)
		}
		net := int64(0)
		for _, l := range p.Lines {
			if l.Net != l.Gross.Sub(l.Fee) || l.Net.Currency() != p.Currency || l.Date.IsZero() || l.Category == "" {
				t.Fatalf("a line that does not hold: %+v", l)
			}
			if l.ExternalID == "" || seen[l.ExternalID] {
				t.Fatalf("no id, or an id twice: %+v", l)
			}
			seen[l.ExternalID] = true
			net += l.Net.Minor()
		}
		if p.Net() != money.New(net, p.Currency) || p.Net().Abs().Minor() > money.MaxMinor {
			t.Fatalf("the net is %s", p.Net())
		}
	}
}

func FuzzReconciliation(f *testing.F) {
	f.Add(line("po_1", "txn_1", "eur", "100.00", "3.20", "96.80", "charge") + line("po_1", "p", "eur", "-96.80", "0.00", "-96.80", "payout"))
	f.Add(line("po_1", "txn_1", "kwd", "1,234", "-0.1", "1.134", "refund"))
	f.Add("\"\n\",,,")
	f.Fuzz(func(t *testing.T, rows string) { requireLaws(t, header+rows) })
}

func FuzzPayments(f *testing.F) {
	const columns = "id,Created (UTC),Amount,Amount Refunded,Currency,Converted Amount,Converted Amount Refunded,Converted Currency,Fee,Taxes On Fee,Status,Transfer\n"
	f.Add("ch_1,2026-03-02,110.00,11,usd,100.00,10.00,eur,3.20,0.1,Paid,po_1\n")
	f.Add("ch_1,2026-03-02T01:02:03Z,-1,1,jpy,,,,,-2,Refunded,po_1\nch_1/refund,2026-03-02,1,0,jpy,,,,,,Paid,po_2\n")
	f.Fuzz(func(t *testing.T, rows string) { requireLaws(t, columns+rows) })
}

func FuzzFile(f *testing.F) {
	f.Add("sep=;\nautomatic_payout_id;balance_transaction_id;created;currency;gross;fee;net;reporting_category\npo;t;2026-01-01;EUR;1.000;0;1000,00;charge\n")
	f.Add("YSxiCg==")
	f.Add("\xef\xbb\xbf\xe0,\xde\n")
	f.Fuzz(requireLaws)
}
