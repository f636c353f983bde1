package report_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// now is the moment at which every test happens.
var now = time.Date(2026, time.March, 10, 9, 0, 0, 0, time.UTC)

var quarter = report.Period{FromDate: date.MustParse("2026-01-01"), ToDate: date.MustParse("2026-03-31")}

func empty(t *testing.T, e *testkit.Engine) *testkit.Company {
	t.Helper()
	c := e.At(now).Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	return c
}

func euro(t require.TestingT, s string) money.Amount {
	a, err := money.Parse(s, money.EUR)
	require.NoError(t, err)
	return a
}

// post enters lines such as "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00".
func post(t *testing.T, c *testkit.Company, day, table string) {
	t.Helper()
	p := ledger.Posting{Date: date.MustParse(day), Description: table}
	for text := range strings.SplitSeq(table, "/") {
		words := strings.Fields(text)
		line := ledger.Line{AccountCode: words[1]}
		if words[0] == "Dr" {
			line.Debit = euro(t, words[2])
		} else {
			line.Credit = euro(t, words[2])
		}
		p.Lines = append(p.Lines, line)
	}
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Post(ctx, tx, p)
		return err
	})
}

type item struct {
	kind               ledger.ItemKind
	number, day, due   string
	partner            tenant.ID
	amount, base       money.Amount
	settled, settledOn string
}

func open(t *testing.T, c *testkit.Company, i item) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		account := "2410"
		if i.kind == ledger.ItemPayable {
			account = "4430"
		}
		opened, err := ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: i.kind, DocumentType: "invoice", DocumentID: tenant.NewID(), DocumentNumber: i.number, PartnerID: i.partner,
			AccountCode: account, DocumentDate: date.MustParse(i.day), DueDate: date.MustParse(i.due), Amount: i.amount, BaseAmount: i.base,
		})
		if err != nil || i.settled == "" {
			return err
		}
		part, err := money.Parse(i.settled, i.amount.Currency())
		require.NoError(t, err)
		return ledger.Settle(ctx, tx, ledger.Settlement{
			Item: opened, Amount: part, SourceType: "payment", SourceID: tenant.NewID(), Date: date.MustParse(i.settledOn),
		})
	})
}

func newPartner(t *testing.T, c *testkit.Company, name string) tenant.ID {
	t.Helper()
	var id tenant.ID
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		p, err := partner.Create(ctx, tx, partner.Fields{Name: &name})
		if err == nil {
			id = p.ID
		}
		return err
	})
	return id
}

type registered struct {
	side                      register.Direction
	day, number, code, rate   string
	net, vat                  string
	partner                   tenant.ID
	partnerName, country, num string
	revoked                   bool
}

func record(t *testing.T, c *testkit.Company, d registered) {
	t.Helper()
	id := tenant.NewID()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		p := register.Partner{ID: d.partner, Name: d.partnerName}
		if d.country != "" {
			p.Country = &d.country
		}
		if d.num != "" {
			p.VATCode = &d.num
		}
		net, vat := euro(t, d.net), euro(t, d.vat)
		err := register.Record(ctx, tx, register.Document{
			Direction: d.side, RegisterDate: date.MustParse(d.day), Type: "invoice", ID: id, Number: d.number, Date: date.MustParse(d.day),
			InvoiceType: register.Invoice, Event: register.Recorded, Partner: p,
			Groups: []register.Group{{Code: d.code, Rate: money.MustDecimal(d.rate), Net: net, VAT: vat, BaseNet: net, BaseVAT: vat}},
		})
		if err != nil || !d.revoked {
			return err
		}
		return register.Revoke(ctx, tx, id)
	})
}

// golden compares an answer with a file; ids are replaced by their order of appearance.
func golden(t *testing.T, name string, answer any) {
	t.Helper()
	text, err := json.Marshal(answer, json.Deterministic(true), jsontext.WithIndent("  "))
	require.NoError(t, err)
	got := withoutIDs(string(text)) + "\n"
	path := filepath.Join("testdata", name+".json")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

var idText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

func withoutIDs(s string) string {
	seen := map[string]string{}
	return idText.ReplaceAllStringFunc(s, func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprintf("id-%d", len(seen)+1)
		}
		return seen[id]
	})
}

// fill enters the books that the golden files are of: half a year of a small shop.
func fill(t *testing.T, c *testkit.Company) {
	t.Helper()
	for _, p := range [][2]string{
		{"2025-12-01", "Dr 2710 5000.00 / Cr 3011 2500.00 / Cr 4210 2500.00"},
		{"2025-12-20", "Dr 2410 1210.00 / Cr 5000 1000.00 / Cr 4492 210.00"},
		{"2025-12-31", "Dr 5000 1000.00 / Cr 3900 1000.00"},
		{"2025-12-31", "Dr 3900 1000.00 / Cr 3410 1000.00"},
		{"2026-01-05", "Dr 2710 1210.00 / Cr 2410 1210.00"},
		{"2026-01-10", "Dr 2040 600.00 / Dr 2441 126.00 / Cr 4430 726.00"},
		{"2026-01-20", "Dr 4430 726.00 / Cr 2710 726.00"},
		{"2026-01-31", "Dr 1240 1500.00 / Cr 2710 1500.00"},
		{"2026-02-02", "Dr 2410 2420.00 / Cr 5000 2000.00 / Cr 4492 420.00"},
		{"2026-02-02", "Dr 6000 600.00 / Cr 2040 600.00"},
		{"2026-02-10", "Dr 2770 1149.50 / Dr 6104 60.50 / Cr 2410 1210.00"},
		{"2026-02-11", "Dr 2710 1149.50 / Cr 2770 1149.50"},
		{"2026-02-28", "Dr 6310 40.00 / Cr 1247 40.00"},
		{"2026-03-01", "Dr 4210 100.00 / Dr 6801 12.00 / Cr 2710 112.00"},
		{"2026-03-05", "Dr 6301 200.00 / Dr 2441 42.00 / Cr 4430 242.00"},
		{"2026-03-31", "Dr 6900 90.00 / Cr 4470 90.00"},
		{"2026-04-01", "Dr 2710 7.00 / Cr 5801 7.00"},
	} {
		post(t, c, p[0], p[1])
	}
	ona, petras := newPartner(t, c, "UAB Ona"), newPartner(t, c, "UAB Petras")
	usd := func(s string) money.Amount {
		a, err := money.Parse(s, money.MustCurrency("USD"))
		require.NoError(t, err)
		return a
	}
	for _, i := range []item{
		{ledger.ItemReceivable, "A-1", "2025-11-01", "2025-12-01", petras, euro(t, "100.00"), euro(t, "100.00"), "", ""},
		{ledger.ItemReceivable, "A-2", "2025-12-20", "2026-01-19", ona, euro(t, "1210.00"), euro(t, "1210.00"), "1210.00", "2026-01-05"},
		{ledger.ItemReceivable, "A-3", "2026-02-02", "2026-03-04", ona, euro(t, "2420.00"), euro(t, "2420.00"), "1210.00", "2026-02-10"},
		{ledger.ItemReceivable, "A-4", "2026-01-10", "2026-01-10", ona, usd("100.00"), euro(t, "92.35"), "33.33", "2026-02-01"},
		{ledger.ItemPayable, "P-1", "2026-01-10", "2026-01-20", petras, euro(t, "726.00"), euro(t, "726.00"), "726.00", "2026-01-20"},
		{ledger.ItemPayable, "P-2", "2026-03-05", "2026-04-05", petras, euro(t, "242.00"), euro(t, "242.00"), "", ""},
	} {
		open(t, c, i)
	}
	for _, d := range []registered{
		{register.Sales, "2026-02-02", "A-3", "PVM1", "21", "2000.00", "420.00", ona, "UAB Ona", "LT", "", false},
		{register.Sales, "2026-02-03", "A-5", "PVM1", "21", "10.00", "2.10", ona, "UAB Ona", "LT", "", true},
		{register.Sales, "2026-02-04", "A-6", "PVM13", "0", "50.00", "0.00", petras, "Petras GmbH", "DE", "", false},
		{register.Sales, "2026-03-31", "A-7", "PVM3", "5", "-20.00", "-1.00", ona, "UAB Ona", "LT", "", false},
		{register.Sales, "2026-04-01", "A-8", "PVM1", "21", "1.00", "0.21", ona, "UAB Ona", "LT", "", false},
		{register.Purchases, "2026-01-10", "P-1", "PVM1", "21", "600.00", "126.00", petras, "UAB Petras", "LT", "", false},
		{register.Purchases, "2026-01-12", "P-3", "PVM16", "21", "100.00", "21.00", petras, "Petras GmbH", "DE", "", false},
		{register.Purchases, "2026-01-13", "P-4", "PVM21", "21", "10.00", "2.10", petras, "Petras GmbH", "", "DE999999999", false},
		{register.Purchases, "2026-01-13", "P-5", "PVM18", "5", "10.00", "0.50", ona, "Ona Oy", "FI", "", false},
		{register.Purchases, "2026-01-14", "P-6", "PVM20", "21", "10.00", "2.10", ona, "Ona Inc", "US", "", false},
	} {
		record(t, c, d)
	}
}
