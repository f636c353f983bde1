package httpapi

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/saft"
)

// requireAuditFile checks a file against VMI's schema.
func requireAuditFile(t *testing.T, xml string) {
	t.Helper()
	const schema = "../../../shared/tax/SAFT_2_01.xsd"
	program, err := exec.LookPath("xmllint")
	if _, missing := os.Stat(schema); err != nil || missing != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("xmllint (libxml2-utils) OR THE SPECIFICATION FOLDER shared/ IS MISSING")
		}
		t.Skip("NOT TESTED: xmllint (libxml2-utils) OR THE SPECIFICATION FOLDER shared/ IS MISSING")
	}
	name := filepath.Join(t.TempDir(), "saft.xml")
	require.NoError(t, os.WriteFile(name, []byte(xml), 0o600))
	out, err := exec.CommandContext(t.Context(), program, "--noout", "--nonet", "--schema", schema, name).CombinedOutput()
	require.NoError(t, err, "%s", out[:min(len(out), 3000)])
}

// values are the contents of an element, wherever it stands.
func values(xml, element string) []string {
	var list []string
	for _, match := range regexp.MustCompile("<"+element+">([^<]*)</"+element+">").FindAllStringSubmatch(xml, -1) {
		list = append(list, match[1])
	}
	return list
}

// between is what stands inside an element.
func between(t *testing.T, xml, element string) string {
	t.Helper()
	_, rest, opens := strings.Cut(xml, "<"+element+">")
	inside, _, closes := strings.Cut(rest, "</"+element+">")
	require.True(t, opens && closes, element)
	return inside
}

// TestSAFT makes the audit file of a month with documents of every kind.
func TestSAFT(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b, other := openBooks(t, e), openBooks(t, e)
		b.month(t)
		const january = `{"fromDate": "2026-01-01", "toDate": "2026-01-31"%s}`
		made := b.call(t, "declarations/lt/saft/generate", january, "")
		xml := as[string](t, made["xml"])
		requireAuditFile(t, xml)
		counts := as[map[string]any](t, made["counts"])
		require.Equal(t, []any{5.0, 3.0, 1.0, 2.0}, []any{counts["salesInvoices"], counts["purchaseInvoices"], counts["customers"], counts["suppliers"]})
		sales := between(t, xml, "SalesInvoices")
		require.Equal(t, []string{"SF", "KS", "AN", "SF", "SF"}, values(sales, "InvoiceType"))
		require.Equal(t, []string{"121.00", "121.00", "121.00"}, settled(t, sales), "by the credit note, by the cancellation, by the advance")
		for _, totals := range strings.Split(sales, "<DocumentTotals>")[1:] {
			require.Contains(t, totals, "<TaxInformationTotals>")
		}
		requireReferences(t, xml)

		journal := between(t, xml, "GeneralLedgerEntries")
		require.Equal(t, values(journal, "TotalDebit"), values(journal, "TotalCredit"))
		transactions := 0
		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			n, err := tenant.QueryOne[int](ctx, r, "SELECT COUNT(*) FROM journal_transactions WHERE company_id = @company")
			transactions = *n
			return err
		})
		require.InDelta(t, transactions, counts["glTransactions"], 0)
		require.Equal(t, transactions, strings.Count(journal, "<Transaction>"))
		require.Equal(t, xml, as[string](t, b.call(t, "declarations/lt/saft/generate", january, "")["xml"]), "equal rows, equal bytes")

		for dataType, section := range map[string]string{
			"GL": "<GeneralLedgerEntries>", "SI": "<SalesInvoices>", "PI": "<PurchaseInvoices>", "PA": "<SourceDocuments>", "AS": "<SourceDocuments>",
		} {
			part := as[string](t, b.call(t, "declarations/lt/saft/generate", january, `, "dataType": "`+dataType+`"`)["xml"])
			requireAuditFile(t, part)
			require.Contains(t, part, section, dataType)
			require.Less(t, len(part), len(xml))
		}
		empty := as[string](t, other.call(t, "declarations/lt/saft/generate", january, "")["xml"])
		requireAuditFile(t, empty)
		require.NotContains(t, empty, "Pirkėjas", "another company's books")

		requireClassified(t, b, january)
		_, err := b.try(t, "declarations/lt/saft/generate", january, `, "dataType": "MG"`)
		require.ErrorIs(t, err, saft.ErrNoStock)
		_, err = b.try(t, "declarations/lt/saft/generate", january, `, "persist": true`)
		require.ErrorIs(t, err, errSaftPersist)
		_, err = b.try(t, "declarations/lt/saft/generate", `{"fromDate": "2026-01-01", "toDate": "2027-01-01"}`)
		require.ErrorIs(t, err, apperr.ErrValidation)
	})
}

// settled are the amounts of settlements in a section.
func settled(t *testing.T, section string) []string {
	t.Helper()
	var amounts []string
	for _, part := range strings.Split(section, "<SettlementAmount>")[1:] {
		amounts = append(amounts, values(part, "Amount")[0])
	}
	return amounts
}

// requireClassified checks that accounts bear what they are compared with in VMI's classifier, and that one without is named.
func requireClassified(t *testing.T, b *books, request string) {
	t.Helper()
	made := b.call(t, "declarations/lt/saft/generate", request, "")
	require.NotContains(t, fmt.Sprint(made["warnings"]), "classifier")
	xml := as[string](t, made["xml"])
	require.NotContains(t, values(xml, "AccountTableID"), "ND")
	for account, table := range map[string]string{"2710": "271", "6304": "6304", "4495": "4494"} {
		require.Regexp(t, "<AccountID>"+account+"</AccountID>\n<AccountDescription>[^<]+</AccountDescription>\n<AccountTableID>"+table+"</AccountTableID>", xml)
	}
	other := b.call(t, "ledger/accounts/create", `{"code": "2790", "name": "Kita", "type": "asset"}`)
	made = b.call(t, "declarations/lt/saft/generate", request, "")
	require.Contains(t, fmt.Sprint(made["warnings"]), "No account of VMI's classifier is chosen for the accounts 2790; the file says ND.")
	require.Contains(t, values(as[string](t, made["xml"]), "AccountTableID"), "ND")
	requireAuditFile(t, as[string](t, made["xml"]))
	b.call(t, "ledger/accounts/update", `{"id": %q, "saftCode": "274", "saftName": "Pinigų ekvivalentai"}`, other["id"])
	made = b.call(t, "declarations/lt/saft/generate", request, "")
	require.NotContains(t, fmt.Sprint(made["warnings"]), "classifier")
	require.Contains(t, values(as[string](t, made["xml"]), "AccountTableDescription"), "Pinigų ekvivalentai")
}

// requireReferences checks that whatever the file names is in its master files.
func requireReferences(t *testing.T, xml string) {
	t.Helper()
	masters, rest, found := strings.Cut(xml, "</MasterFiles>")
	require.True(t, found)
	known := map[string]bool{"": true}
	for _, element := range []string{"CustomerID", "SupplierID", "AccountID"} {
		for _, id := range values(masters, element) {
			known[element+id] = true
		}
		known[element] = element != "AccountID"
		for _, id := range values(rest, element) {
			require.True(t, known[element+id], "%s %s is not in the master files", element, id)
		}
	}
}
