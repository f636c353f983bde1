package bank_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/bank/pain"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

const (
	supplierIBAN = "DE89370400440532013000"
	knownIBAN    = "NO9386011117947"
)

func (d *desk) export(t *testing.T, in bank.ExportInput) (*bank.PaymentExport, string, error) {
	t.Helper()
	if in.BankAccountID.IsZero() {
		in.BankAccountID = d.account
	}
	var export *bank.PaymentExport
	var file []byte
	err := d.try(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		export, file, err = bank.ExportPayments(ctx, tx, in)
		return err
	})
	return export, string(file), err
}

func TestExportPayments(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		d := newDesk(t, e)
		alfa, beta := d.partner(t, "Müller & Söhne"), d.partner(t, "UAB Beta")
		first, second, paid := d.bill(t, "A-17", "100.00", alfa), d.bill(t, "B-1", "50.00", beta), d.bill(t, "B-2", "1.00", beta)
		to := func(iban string) func(*bank.ImportLine) {
			return func(l *bank.ImportLine) { l.CounterpartyIBAN = iban }
		}
		// Alfa is paid in part. The latest payment to Beta went to a known account; a later one has a number that is none, and
		// what came from an account of Beta's customer says nothing.
		for _, step := range []struct {
			day, amount, iban string
			document          bank.DocumentType
			id                tenant.ID
		}{
			{"2026-03-02", "-40", "", bank.PurchaseInvoice, first},
			{"2026-03-03", "-0.50", knownIBAN, bank.PurchaseInvoice, paid},
			{"2026-03-04", "-0.50", "NOT-AN-IBAN", bank.PurchaseInvoice, paid},
			{"2026-03-05", "5", supplierIBAN, bank.SaleInvoice, d.invoice(t, "SF1", "5.00", beta)},
		} {
			_, err := d.match(t, d.paid(t, d.account, line(step.day, step.amount, to(step.iban))), step.document, step.id)
			require.NoError(t, err)
		}
		both := []tenant.ID{second, first}
		_, _, err := d.export(t, bank.ExportInput{InvoiceIDs: both})
		require.ErrorIs(t, err, bank.ErrNoCreditorIBAN)
		require.ErrorContains(t, err, "Müller & Söhne")
		require.Equal(t, alfa, detail(t, err, "partnerId"))

		in := bank.ExportInput{InvoiceIDs: both, CreditorIBANs: map[tenant.ID]string{alfa: "de89 3704 0044 0532 0130 00"}}
		export, file, err := d.export(t, in)
		require.NoError(t, err)
		require.NoError(t, pain.Check([]byte(file)))
		require.Equal(t, 2, export.TransactionCount)
		require.Equal(t, "110.00", export.Total().String())
		require.Equal(t, "pain.001-2026-03-10-"+export.MessageID+".xml", export.FileName())
		for _, part := range []string{
			"<EndToEndId>B-1</EndToEndId></PmtId><Amt><InstdAmt Ccy=\"EUR\">50.00</InstdAmt></Amt><Cdtr><Nm>UAB Beta</Nm></Cdtr><CdtrAcct><Id><IBAN>" + knownIBAN,
			"<EndToEndId>A-17</EndToEndId></PmtId><Amt><InstdAmt Ccy=\"EUR\">60.00</InstdAmt></Amt><Cdtr><Nm>Muller + Sohne</Nm></Cdtr><CdtrAcct><Id><IBAN>" + supplierIBAN,
		} {
			require.Contains(t, file, part)
		}
		require.Less(t, strings.Index(file, "B-1"), strings.Index(file, "A-17"), "the order is that of the request")
		d.requireOpen(t, second, "payable 50.00")

		_, _, err = d.export(t, in)
		require.ErrorIs(t, err, bank.ErrAlreadyExported)
		require.Equal(t, export.ID, detail(t, err, "existingId"))
		in.Again = true
		again, _, err := d.export(t, in)
		require.NoError(t, err)
		require.NotEqual(t, export.MessageID, again.MessageID)
		d.requireSound(t)
	})
}

func TestExportPaymentsRefuses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		d, other := newDesk(t, e), newDesk(t, e)
		alfa := d.partner(t, "UAB Alfa")
		bill, settled := d.bill(t, "A-1", "10.00", alfa), d.bill(t, "A-2", "10.00", alfa)
		_, err := d.match(t, d.paid(t, d.account, line("2026-03-05", "-10")), bank.PurchaseInvoice, settled)
		require.NoError(t, err)
		var noIBAN, dollars tenant.ID
		d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			for id, in := range map[*tenant.ID]bank.CreateAccountInput{
				&noIBAN: {Name: "Cash"}, &dollars: {Name: "USD", IBAN: ownIBAN, Currency: money.MustCurrency("USD")},
			} {
				a, err := bank.CreateAccount(ctx, tx, in)
				if err != nil {
					return err
				}
				*id = a.ID
			}
			return nil
		})
		note := d.owe(t, debt{kind: ledger.ItemReceivable, document: bank.PurchaseInvoice, number: "N", amount: "1.00", partner: alfa})
		for name, example := range map[string]struct {
			in   bank.ExportInput
			code *apperr.Code
		}{
			"NoInvoice":       {bank.ExportInput{}, apperr.ErrValidation},
			"Twice":           {bank.ExportInput{InvoiceIDs: []tenant.ID{bill, bill}}, apperr.ErrValidation},
			"WrongIBAN":       {bank.ExportInput{InvoiceIDs: []tenant.ID{bill}, CreditorIBANs: map[tenant.ID]string{alfa: "LT1"}}, apperr.ErrValidation},
			"AccountNoIBAN":   {bank.ExportInput{BankAccountID: noIBAN, InvoiceIDs: []tenant.ID{bill}}, bank.ErrNoIBAN},
			"AccountDollars":  {bank.ExportInput{BankAccountID: dollars, InvoiceIDs: []tenant.ID{bill}}, bank.ErrNotEuro},
			"Yesterday":       {bank.ExportInput{InvoiceIDs: []tenant.ID{bill}, ExecutionDate: date.MustParse("2026-03-09")}, bank.ErrExecutionDate},
			"SaleInvoice":     {bank.ExportInput{InvoiceIDs: []tenant.ID{d.invoice(t, "SF1", "1.00", alfa)}}, bank.ErrNotPayable},
			"CreditNote":      {bank.ExportInput{InvoiceIDs: []tenant.ID{note}}, bank.ErrNotPayable},
			"Settled":         {bank.ExportInput{InvoiceIDs: []tenant.ID{bill, settled}}, bank.ErrNothingOpen},
			"InDollars":       {bank.ExportInput{InvoiceIDs: []tenant.ID{d.bill(t, "U", "USD 1.00 = 0.92", alfa)}}, bank.ErrNotEuro},
			"TooLarge":        {bank.ExportInput{InvoiceIDs: []tenant.ID{d.bill(t, "L", "1000000000.00", alfa)}}, bank.ErrPaymentTooLarge},
			"OtherTenants":    {bank.ExportInput{InvoiceIDs: []tenant.ID{other.bill(t, "A-1", "1.00", other.partner(t, "UAB Alfa"))}}, bank.ErrNotPayable},
			"OthersAccount":   {bank.ExportInput{BankAccountID: other.account, InvoiceIDs: []tenant.ID{bill}}, bank.ErrUnknownAccount},
			"CreditorUnknown": {bank.ExportInput{InvoiceIDs: []tenant.ID{bill}}, bank.ErrNoCreditorIBAN},
		} {
			_, _, err := d.export(t, example.in)
			require.ErrorIs(t, err, example.code, name)
		}
		d.requireSound(t)
	})
}

// TestExportRace holds that an invoice enters one payment file, however many are made at once.
func TestExportRace(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		d := newDesk(t, e)
		alfa := d.partner(t, "UAB Alfa")
		in := bank.ExportInput{InvoiceIDs: []tenant.ID{d.bill(t, "A-1", "10.00", alfa)}, CreditorIBANs: map[tenant.ID]string{alfa: supplierIBAN}}
		errs := together(8, func(int) error {
			_, _, err := d.export(t, in)
			return err
		})
		requireOneWinner(t, errs, bank.ErrAlreadyExported)
		in.Again = true
		for _, err := range together(4, func(int) error {
			_, _, err := d.export(t, in)
			return err
		}) {
			require.NoError(t, err)
		}
		d.requireSound(t)
	})
}
