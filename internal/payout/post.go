package payout

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// BankAccount is what a posting needs of the bank account that a payout went to.
type BankAccount struct {
	Name string
	// AccountCode is the ledger account that its money is booked on.
	AccountCode string
	Currency    money.Currency
}

// BankAccounts finds a bank account; the caller has them.
type BankAccounts func(ctx context.Context, r tenant.Reader, id tenant.ID) (BankAccount, error)

// PostInput asks for the posting of a settlement.
type PostInput struct {
	ID tenant.ID
	// Date is the day of the posting; the zero Date means the day the payout arrives, or today where the report did not say.
	Date date.Date
	// CommissionPercent, 0 to 100, makes payments without an invoice the sales of others; nil for a company that sells itself.
	CommissionPercent *money.Decimal
}

// PostResult is a posted settlement, with what an accountant should look at.
type PostResult struct {
	State
	Summary  Summary
	Warnings []string
}

// Post books a settlement once, in one journal transaction, and settles the invoices of its lines. See the package comment for
// what goes where. Errors: not_found, validation, settlement.already_posted (existingId is the journal transaction), fx.no_rate,
// those of the search for the bank account, and those of ledger.Post, such as ledger.period_locked.
func Post(ctx context.Context, tx tenant.Tx, in PostInput, accounts BankAccounts) (*PostResult, error) {
	if p := in.CommissionPercent; p != nil && (p.Sign() < 0 || p.Cmp(money.DecimalFromInt(100)) > 0) {
		return nil, apperr.Invalid("commissionPercent", "must be 0 to 100")
	}
	s, err := tenant.Lock[Settlement](ctx, tx, in.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if err := notPostedYet(ctx, tx, s); err != nil {
		return nil, err
	}
	b := &booking{in: in, settlement: s}
	if b.bank, err = accounts(ctx, tx, s.BankAccountID); err != nil {
		return nil, err
	}
	before, err := stateOf(ctx, tx, *s)
	if err != nil {
		return nil, err
	}
	if err := b.work(ctx, tx); err != nil {
		return nil, err
	}
	if err := b.book(ctx, tx); err != nil {
		return nil, err
	}
	if err := b.settle(ctx, tx); err != nil {
		return nil, err
	}
	after, err := stateOf(ctx, tx, *s)
	if err != nil {
		return nil, err
	}
	result := &PostResult{State: *after, Summary: b.reckoning.summary(s.Currency), Warnings: b.warnings()}
	return result, announce(ctx, tx, "settlement.posted", after, before.Card(), postedView{after.Card(), b.day, result.Summary})
}

// postedView is a posting in the audit log.
type postedView struct {
	Card
	PostingDate date.Date `json:"postingDate"`
	Summary     Summary   `json:"summary"`
}

// booking is a settlement on its way into the books.
type booking struct {
	in         PostInput
	settlement *Settlement
	bank       BankAccount
	day        date.Date
	rate       money.Decimal
	lines      []Line
	items      map[tenant.ID]*ledger.OpenItem
	reckoning  *reckoning
}

// work holds what the posting depends on and shares the lines out.
func (b *booking) work(ctx context.Context, tx tenant.Tx) (err error) {
	s := b.settlement
	b.day = b.in.Date
	if b.day.IsZero() {
		b.day = s.PayoutDate
	}
	if b.day.IsZero() {
		b.day = tx.Today()
	}
	arrival := s.PayoutDate
	if arrival.IsZero() {
		arrival = b.day
	}
	if b.rate, err = fx.Rate(ctx, tx, s.Currency, arrival); err != nil {
		return err //nolint:wrapcheck // says which rate is missing
	}
	if b.lines, err = linesOf(ctx, tx, s.ID); err != nil {
		return err
	}
	if err := ledger.HoldOpen(ctx, tx, b.day); err != nil {
		return err //nolint:wrapcheck // says what is locked
	}
	if b.items, err = ledger.LockItems(ctx, tx, invoicesOf(b.lines)...); err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	// After the items are held: whoever posts another part of a payment on the same invoice has committed by now.
	history, err := historyOf(ctx, tx, b.lines)
	if err != nil {
		return err
	}
	b.reckoning = reckon(b.lines, b.items, history, b.in.CommissionPercent, s.Currency)
	return nil
}

func invoicesOf(lines []Line) []tenant.ID {
	var ids []tenant.ID
	for _, l := range lines {
		if l.InvoiceID != nil {
			ids = append(ids, *l.InvoiceID)
		}
	}
	slices.SortFunc(ids, func(a, b tenant.ID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

// pastLine is a posted line with what it applied.
type pastLine struct {
	ChargeID string
	Gross    int64
	Applied  int64
}

// historyOf reads what posted lines of the same payments came to, by payment.
func historyOf(ctx context.Context, r tenant.Reader, lines []Line) (map[string]past, error) {
	history := map[string]past{}
	var charges []string
	for _, l := range lines {
		if l.ChargeID != nil && l.InvoiceID != nil {
			charges = append(charges, *l.ChargeID)
		}
	}
	slices.Sort(charges)
	for chunk := range slices.Chunk(slices.Compact(charges), rowsPerStatement) {
		rows, err := tenant.Query[pastLine](ctx, r, `SELECT l.charge_id, l.gross_minor AS gross,
				(SELECT COALESCE(SUM(a.amount_minor), 0) FROM open_item_allocations a
				WHERE a.company_id = l.company_id AND a.source_id = l.id) AS applied
			FROM settlement_lines l JOIN settlement_postings p ON p.company_id = l.company_id AND p.settlement_id = l.settlement_id
			WHERE l.company_id = @company AND l.charge_id IN ?`, chunk)
		if err != nil {
			return nil, fmt.Errorf("reading earlier settlements: %w", err)
		}
		for _, row := range rows {
			p := history[row.ChargeID]
			p.gross, p.applied, p.hasCharge = p.gross+row.Gross, p.applied+row.Applied, p.hasCharge || row.Gross > 0
			history[row.ChargeID] = p
		}
	}
	return history, nil
}

// book posts the settlement and notes that it is posted.
func (b *booking) book(ctx context.Context, tx tenant.Tx) error {
	s, sum := b.settlement, b.reckoning.summary(b.settlement.Currency)
	row := &posting{
		SettlementID: s.ID, PostingDate: b.day, ExchangeRate: b.rate, CommissionPercent: b.in.CommissionPercent, NetMinor: s.NetMinor,
		ReceivableMinor: sum.ReceivableApplied.Minor(), CommissionMinor: sum.CommissionAmount.Minor(), SellerMinor: sum.SellerAmount.Minor(),
		FeeMinor: sum.FeeAmount.Minor(), SuspenseMinor: sum.SuspenseAmount.Minor(), CreatedAt: tx.Now(),
	}
	codes, err := b.accounts(ctx, tx)
	if err != nil {
		return err
	}
	if flows := b.reckoning.flows(codes); len(flows) > 0 {
		posted, err := ledger.Post(ctx, tx, ledger.Posting{
			Date: b.day, Description: "Payout " + s.PayoutID, DocumentType: documentType, DocumentID: s.ID,
			Lines: postingLines(flows, codes, b.rate, s.Currency, tx.Company().BaseCurrency),
		})
		if err != nil {
			return err //nolint:wrapcheck // says what cannot be posted
		}
		row.JournalTransactionID = &posted.ID
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, row), indexPosting,
		func(ctx context.Context, r tenant.ReadTx) error { return notPostedYet(ctx, r, s) })
	if err != nil {
		return fmt.Errorf("posting the settlement: %w", err)
	}
	return nil
}

func (b *booking) accounts(ctx context.Context, r tenant.Reader) (accounts, error) {
	codes, err := ledger.AccountCodes(ctx, r, ledger.RuleFees, ledger.RuleSuspense, ledger.RuleCommissionRevenue,
		ledger.RuleSellerPayable, ledger.RuleFXGain, ledger.RuleFXLoss)
	if err != nil {
		return accounts{}, err //nolint:wrapcheck // says what was read
	}
	return accounts{
		bank: b.bank.AccountCode, fees: codes[ledger.RuleFees], suspense: codes[ledger.RuleSuspense],
		commission: codes[ledger.RuleCommissionRevenue], sellers: codes[ledger.RuleSellerPayable],
		gain: codes[ledger.RuleFXGain], loss: codes[ledger.RuleFXLoss],
	}, nil
}

// settle applies lines to the items of their invoices, and announces those that became paid.
func (b *booking) settle(ctx context.Context, tx tenant.Tx) error {
	owed := map[tenant.ID]bool{}
	for id, item := range b.items {
		owed[id] = !item.Settled()
	}
	settlements := make([]ledger.Settlement, len(b.reckoning.applications))
	for i, a := range b.reckoning.applications {
		settlements[i] = ledger.Settlement{
			Item: a.item, Amount: b.settlement.amount(a.amount), SourceType: ledger.SourcePayout, SourceID: a.line.ID, Date: b.day,
		}
	}
	if err := ledger.SettleAll(ctx, tx, settlements); err != nil {
		return err //nolint:wrapcheck // says what was settled
	}
	var paid []webhook.Event
	for _, id := range invoicesOf(b.lines) {
		item := b.items[id]
		if item == nil || !owed[id] || !item.Settled() || item.DocumentType != saleInvoice {
			continue
		}
		paid = append(paid, webhook.Event{Type: saleInvoice + ".paid", ObjectType: saleInvoice, ObjectID: item.DocumentID})
	}
	return webhook.Publish(ctx, tx, paid...) //nolint:wrapcheck // says what failed
}
