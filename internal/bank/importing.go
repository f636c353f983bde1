package bank

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// rowsPerStatement keeps one SQL statement far below the placeholders that an engine allows.
const rowsPerStatement = 500

// indexExternalID is the unique index of transactions by external id.
const indexExternalID = "bank_transactions_external_id"

// incoming is a line on its way in.
type incoming struct {
	date             date.Date
	amount           money.Amount
	counterpartyName string
	counterpartyIBAN string
	description      string
	// externalID is the identity, or empty. Of a statement it is the bank's reference, which may stand for several lines:
	// isReference says that only a row of the same day and amount is the same line, and alternateID serves otherwise.
	externalID  string
	isReference bool
	alternateID string
}

type idHash [sha256.Size]byte

func hashOf(externalID string) idHash { return sha256.Sum256([]byte(externalID)) }

// Skipped is a line that was imported before, with the transaction that holds it.
type Skipped struct {
	// ExternalID is the identity by which the line was known.
	ExternalID           string
	TransactionID        tenant.ID
	Date                 date.Date
	Amount               money.Amount
	JournalTransactionID *tenant.ID
}

// Imported says what became of the lines of an import.
type Imported struct {
	Imported int
	Skipped  int
	// SkippedTransactions are the first of those skipped, as many as an answer takes.
	SkippedTransactions []Skipped
}

// heldRow is a transaction that has one of the identities sought.
type heldRow struct {
	ID                   tenant.ID
	ExternalIDHash       []byte
	TransactionDate      date.Date
	AmountMinor          int64
	JournalTransactionID *tenant.ID
}

// importer stores the lines that the account does not hold.
type importer struct {
	account *Account
	held    map[idHash]heldRow
	rows    []*Transaction
	result  Imported
	// shown is about how many bytes of the answer the skipped lines take.
	shown int
}

// maxShown bounds the list of skipped lines, in bytes, so that the answer stays below what is kept for a retry.
const maxShown = 96 << 10

// take imports lines into an account, all or none.
func take(ctx context.Context, tx tenant.Tx, account *Account, lines []incoming) (*importer, error) {
	im := &importer{account: account, held: map[idHash]heldRow{}, result: Imported{SkippedTransactions: []Skipped{}}}
	if err := im.look(ctx, tx, lines); err != nil {
		return nil, err
	}
	for i := range lines {
		im.place(tx, &lines[i])
	}
	for chunk := range slices.Chunk(im.rows, rowsPerStatement) {
		// The loser of a race is run again and finds the lines of the winner.
		err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, chunk...), indexExternalID, tenant.RunAgain)
		if err != nil {
			return nil, fmt.Errorf("importing transactions: %w", err)
		}
	}
	im.result.Imported = len(im.rows)
	return im, nil
}

// look reads the transactions that have an identity of the lines.
func (im *importer) look(ctx context.Context, r tenant.Reader, lines []incoming) error {
	var hashes [][]byte
	for _, l := range lines {
		for _, id := range []string{l.externalID, l.alternateID} {
			if id != "" {
				hash := hashOf(id)
				hashes = append(hashes, hash[:])
			}
		}
	}
	for chunk := range slices.Chunk(hashes, rowsPerStatement) {
		rows, err := tenant.Query[heldRow](ctx, r, `SELECT t.id, t.external_id_hash, t.transaction_date, t.amount_minor, m.journal_transaction_id
			FROM bank_transactions t LEFT JOIN bank_matches m ON m.company_id = t.company_id AND m.transaction_id = t.id
			WHERE t.company_id = @company AND t.bank_account_id = ? AND t.external_id_hash IN ?`, im.account.ID, chunk)
		if err != nil {
			return fmt.Errorf("looking for transactions imported before: %w", err)
		}
		for _, row := range rows {
			im.held[idHash(row.ExternalIDHash)] = row
		}
	}
	return nil
}

// place decides whether a line is new, and under which identity.
func (im *importer) place(tx tenant.Tx, l *incoming) {
	for _, id := range []string{l.externalID, l.alternateID} {
		if id == "" {
			continue
		}
		row, taken := im.held[hashOf(id)]
		if !taken {
			im.add(tx, l, id)
			return
		}
		if id != l.externalID || !l.isReference || (row.TransactionDate == l.date && row.AmountMinor == l.amount.Minor()) {
			im.skip(id, row)
			return
		}
	}
	im.add(tx, l, "") // no identity: never a duplicate
}

func (im *importer) add(tx tenant.Tx, l *incoming, id string) {
	row := &Transaction{
		Row: tenant.Row{ID: tenant.NewID()}, BankAccountID: im.account.ID, TransactionDate: l.date, Currency: l.amount.Currency(),
		AmountMinor: l.amount.Minor(), CounterpartyName: optional(l.counterpartyName), CounterpartyIBAN: optional(l.counterpartyIBAN),
		Description: optional(l.description), ExternalID: optional(id), CreatedAt: tx.Now(),
	}
	if id != "" {
		hash := hashOf(id)
		row.ExternalIDHash = hash[:]
		im.held[hash] = heldRow{ID: row.ID, TransactionDate: l.date, AmountMinor: l.amount.Minor()}
	}
	im.rows = append(im.rows, row)
}

func (im *importer) skip(id string, row heldRow) {
	im.result.Skipped++
	const others = 220 // the other members and their names
	if im.shown += 2*len(id) + others; im.shown > maxShown {
		return
	}
	im.result.SkippedTransactions = append(im.result.SkippedTransactions, Skipped{
		ExternalID: id, TransactionID: row.ID, Date: row.TransactionDate, Amount: money.New(row.AmountMinor, im.account.Currency),
		JournalTransactionID: row.JournalTransactionID,
	})
}

// importView is an import in the audit log.
type importView struct {
	Imported   int      `json:"imported"`
	Skipped    int      `json:"skipped"`
	Statements []string `json:"statements,omitzero"`
	FromDate   string   `json:"fromDate,omitzero"`
	ToDate     string   `json:"toDate,omitzero"`
}

// record tells the audit log of the import; each line is its own record, for it never changes.
func (im *importer) record(ctx context.Context, tx tenant.Tx, statements []string) error {
	view := importView{Imported: im.result.Imported, Skipped: im.result.Skipped, Statements: statements}
	var from, to date.Date
	for i, row := range im.rows {
		if i == 0 || row.TransactionDate.Before(from) {
			from = row.TransactionDate
		}
		if row.TransactionDate.After(to) {
			to = row.TransactionDate
		}
	}
	view.FromDate, view.ToDate = from.String(), to.String()
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "bank_transactions.imported", Entity: entityAccount, EntityID: im.account.ID.String(), After: view,
	})
}

// optional is nil for no text.
func optional(s string) *string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return &s
}
