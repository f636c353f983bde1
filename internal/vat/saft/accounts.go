package saft

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// account is an account of the ledger with what it came to before the first day and on the last; positive is debit.
type account struct {
	code, name string
	sort       ledger.AccountType
	// table is the account of VMI's classifier, zero where none is known.
	table            ledger.Classified
	opening, closing money.Amount
}

func readAccounts(ctx context.Context, r tenant.ReadTx, o Options) ([]account, error) {
	rows, err := tenant.Query[ledger.Account](ctx, r, "SELECT * FROM ledger_accounts WHERE company_id = @company ORDER BY code")
	if err != nil {
		return nil, fmt.Errorf("reading accounts: %w", err)
	}
	opening, err := ledger.Balances(ctx, r, o.From.AddDays(-1))
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	closing, err := ledger.Balances(ctx, r, o.To)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	tables := ledger.Classify(rows)
	balance := func(of map[tenant.ID]money.Amount, id tenant.ID) money.Amount {
		if a, ok := of[id]; ok {
			return a
		}
		return money.Zero(r.Company().BaseCurrency)
	}
	var list []account
	for _, row := range rows {
		_, isUsed := closing[row.ID]
		if !row.IsPostable && !isUsed {
			continue
		}
		list = append(list, account{
			code: row.Code, name: row.Name, sort: row.Type, table: tables[row.ID],
			opening: balance(opening, row.ID), closing: balance(closing, row.ID),
		})
	}
	return list, nil
}

// sortName is the sort of an account in the file. Assets of class 1 are non-current in the model chart.
func (a account) sortName() string {
	switch a.sort {
	case ledger.AccountAsset:
		if strings.HasPrefix(a.code, "1") {
			return "IT"
		}
		return "TT"
	case ledger.AccountEquity:
		return "NK"
	case ledger.AccountLiability:
		return "I"
	case ledger.AccountIncome:
		return "P"
	case ledger.AccountExpense:
		return "S"
	}
	return "KT"
}

func (f *file) masterFiles() error {
	o := f.options.DataType
	f.markup.write("<MasterFiles>\n")
	f.chart()
	if o.has(Ledger, Sales, Payments) {
		if err := list(f, "Customers", &f.summary.Customers, f.content.customers, func(p party) { f.party("Customer", p) }); err != nil {
			return err
		}
	}
	if o.has(Ledger, Purchases, Payments) {
		if err := list(f, "Suppliers", &f.summary.Suppliers, f.content.suppliers, func(p party) { f.party("Supplier", p) }); err != nil {
			return err
		}
	}
	if o.has(Ledger, Sales, Purchases) {
		f.taxTable()
	}
	if o.has(Sales, Purchases) {
		f.unitTable()
	}
	if o.has(Assets) {
		var n int
		if err := list(f, "Assets", &n, f.content.assets, f.asset); err != nil {
			return err
		}
	}
	f.markup.write("</MasterFiles>\n")
	return nil
}

func (f *file) chart() {
	f.summary.Accounts = len(f.content.accounts)
	if f.summary.Accounts == 0 {
		return
	}
	f.in("GeneralLedgerAccounts", func() {
		for _, a := range f.content.accounts {
			f.in("Account", func() {
				f.text("AccountID", lengthName, a.code)
				f.text("AccountDescription", lengthLong, a.name)
				f.text("AccountTableID", lengthName, orUnknown(a.table.Code))
				f.text("AccountTableDescription", lengthLong, orUnknown(a.table.Name))
				f.text("AccountType", lengthShort, a.sortName())
				f.balance("Opening", a.opening)
				f.balance("Closing", a.closing)
			})
		}
	})
}

// taxTable is VMI's classifier, whose codes the documents bear.
func (f *file) taxTable() {
	f.in("TaxTable", func() {
		f.in("TaxTableEntry", func() {
			f.text("TaxType", lengthCode, "PVM")
			f.text("Description", lengthLong, "Pridėtinės vertės mokestis")
			f.in("TaxCodeDetails", func() {
				for _, c := range vat.Codes() {
					f.in("TaxCodeDetail", func() {
						f.text("TaxCode", lengthName, c.Code)
						f.text("Description", lengthLong, c.Meaning)
						if c.HasRate {
							f.text("TaxPercentage", lengthCode, c.Rate.String())
						} else {
							f.null("TaxPercentage")
						}
						f.text("Country", 3, vat.Home)
						f.text("STITaxCode", lengthCode, c.Code)
					})
				}
			})
		})
	})
}

func readUnits(ctx context.Context, r tenant.ReadTx, o Options) ([]string, error) {
	units, err := tenant.Query[string](ctx, r, `SELECT DISTINCT l.unit FROM sales_invoice_lines l
		JOIN sales_invoices s ON s.company_id = l.company_id AND s.id = l.invoice_id
		WHERE l.company_id = @company AND s.issue_date BETWEEN ? AND ? AND s.type <> 'proforma'
		UNION SELECT DISTINCT l.unit FROM purchase_invoice_lines l
		JOIN purchase_invoices p ON p.company_id = l.company_id AND p.id = l.invoice_id
		WHERE l.company_id = @company AND p.registration_date BETWEEN ? AND ?`, o.From, o.To, o.From, o.To)
	if err != nil {
		return nil, fmt.Errorf("reading units: %w", err)
	}
	slices.Sort(units)
	return units, nil
}

func (f *file) unitTable() {
	if len(f.content.units) == 0 {
		return
	}
	f.in("UOMTable", func() {
		for _, unit := range f.content.units {
			f.in("UOMTableEntry", func() {
				f.text("UnitOfMeasure", lengthCode, unit)
				f.text("Description", lengthLong, unit)
			})
		}
	})
}

// entries is the journal.
func (f *file) entries() error {
	if !f.options.DataType.has(Ledger) {
		return nil
	}
	t, err := reckon(f.content.company.BaseCurrency, f.content.transactions, transaction.sides)
	if err != nil {
		return err
	}
	f.markup.write("<GeneralLedgerEntries>\n")
	f.totals(t)
	if t.count > 0 {
		f.markup.write("<Journals>\n<Journal>\n")
		f.text("JournalID", lengthShort, "GL")
		f.text("Description", lengthLong, "Bendrasis žurnalas")
		f.text("Type", lengthCode, "GL")
		if err := list(f, "Transactions", &f.summary.Transactions, f.content.transactions, f.transaction); err != nil {
			return err
		}
		f.markup.write("</Journal>\n</Journals>\n")
	}
	f.markup.write("</GeneralLedgerEntries>\n")
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }
