package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ItemKind says who owes.
type ItemKind string

// The kinds.
const (
	ItemReceivable ItemKind = "receivable" // a partner owes the company
	ItemPayable    ItemKind = "payable"    // the company owes a partner
)

// Enum lists the allowed values.
func (ItemKind) Enum() []any { return []any{ItemReceivable, ItemPayable} }

// OpenItem is what is owed on one document. Amounts are minor units: of Currency, and in the base currency.
type OpenItem struct {
	tenant.Row
	Kind            ItemKind
	DocumentType    string
	DocumentID      tenant.ID
	DocumentNumber  string
	PartnerID       tenant.ID
	AccountID       tenant.ID
	DocumentDate    date.Date
	DueDate         date.Date
	Currency        money.Currency
	AmountMinor     int64
	BaseAmountMinor int64
	OpenMinor       int64
	CreatedAt       clock.Time
	// AccountCode is the code of AccountID, for posting the settlement. It is read, never stored.
	AccountCode string `gorm:"->"`
}

// TableName names the table for the mapper.
func (OpenItem) TableName() string { return "open_items" }

// Amount is what the document asked for.
func (i OpenItem) Amount() money.Amount { return money.New(i.AmountMinor, i.Currency) }

// Open is what is still owed.
func (i OpenItem) Open() money.Amount { return money.New(i.OpenMinor, i.Currency) }

// Settled reports whether nothing is owed any more.
func (i OpenItem) Settled() bool { return i.OpenMinor == 0 }

// OpenItemInput is what a document hands over when it becomes owed.
type OpenItemInput struct {
	Kind           ItemKind
	DocumentType   string
	DocumentID     tenant.ID
	DocumentNumber string
	PartnerID      tenant.ID
	AccountCode    string
	DocumentDate   date.Date
	DueDate        date.Date
	// Amount is positive, in the currency of the document; BaseAmount is the same in the base currency.
	Amount     money.Amount
	BaseAmount money.Amount
}

// OpenDocument stores what is owed on a document. The item is held until the transaction ends, so it can be settled at
// once. Error: ledger.unknown_account.
func OpenDocument(ctx context.Context, tx tenant.Tx, in OpenItemInput) (*OpenItem, error) {
	if !in.Amount.IsPositive() || in.BaseAmount.IsNegative() || in.BaseAmount.Currency() != tx.Company().BaseCurrency {
		return nil, fmt.Errorf("opening the item of %s %s: %s %s (base %s %s) is not owed", in.DocumentType, in.DocumentNumber,
			in.Amount, in.Amount.Currency(), in.BaseAmount, in.BaseAmount.Currency())
	}
	accounts, err := accountsByCode(ctx, tx, []string{in.AccountCode})
	if err != nil {
		return nil, err
	}
	account, ok := accounts[in.AccountCode]
	if !ok {
		return nil, unknownAccount(in.AccountCode)
	}
	item := &OpenItem{
		Kind: in.Kind, DocumentType: in.DocumentType, DocumentID: in.DocumentID, DocumentNumber: in.DocumentNumber,
		PartnerID: in.PartnerID, AccountID: account.ID, AccountCode: account.Code, DocumentDate: in.DocumentDate, DueDate: in.DueDate,
		Currency: in.Amount.Currency(), AmountMinor: in.Amount.Minor(), BaseAmountMinor: in.BaseAmount.Minor(),
		OpenMinor: in.Amount.Minor(), CreatedAt: tx.Now(),
	}
	if err := tenant.Insert(ctx, tx, item); err != nil {
		return nil, fmt.Errorf("opening the item of %s %s: %w", in.DocumentType, in.DocumentNumber, err)
	}
	return item, nil
}

// LockItems reads the open items of documents and holds them to the end of the transaction, by document. A document
// without an item, such as a proforma, is not in the answer. Call it once for all documents: the items are taken in the
// order of their ids, which keeps two transactions from waiting for each other.
func LockItems(ctx context.Context, tx tenant.Tx, documentIDs ...tenant.ID) (map[tenant.ID]*OpenItem, error) {
	// The ids come from a read without a lock: a locking probe for a row that is missing would block strangers.
	seen, err := ItemsOf(ctx, tx, documentIDs...)
	if err != nil || len(seen) == 0 {
		return map[tenant.ID]*OpenItem{}, err
	}
	ids := make([]tenant.ID, 0, len(seen))
	for _, item := range seen {
		ids = append(ids, item.ID)
	}
	slices.SortFunc(ids, func(a, b tenant.ID) int { return slices.Compare(a[:], b[:]) })
	held, err := tenant.LockWhere[OpenItem](ctx, tx,
		"SELECT * FROM open_items WHERE company_id = @company AND id IN ? ORDER BY id @forupdate", ids)
	if err != nil {
		return nil, fmt.Errorf("holding open items: %w", err)
	}
	items := make(map[tenant.ID]*OpenItem, len(held))
	for _, item := range held {
		item.AccountCode = seen[item.DocumentID].AccountCode
		items[item.DocumentID] = &item
	}
	return items, nil
}

// ItemsOf reads the open items of documents, by document.
func ItemsOf(ctx context.Context, r tenant.Reader, documentIDs ...tenant.ID) (map[tenant.ID]OpenItem, error) {
	items := make(map[tenant.ID]OpenItem, len(documentIDs))
	if len(documentIDs) == 0 {
		return items, nil
	}
	rows, err := tenant.Query[OpenItem](ctx, r, `SELECT i.*, a.code AS account_code FROM open_items i
		JOIN ledger_accounts a ON a.company_id = i.company_id AND a.id = i.account_id
		WHERE i.company_id = @company AND i.document_id IN ?`, documentIDs)
	if err != nil {
		return nil, fmt.Errorf("reading open items: %w", err)
	}
	for _, item := range rows {
		items[item.DocumentID] = item
	}
	return items, nil
}
