package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// vatEffect is what becomes of the VAT under a code.
type vatEffect struct {
	boxes vat.Boxes
	// output is VAT that is owed, input VAT of purchases, isImport VAT from a customs declaration.
	output, input, isImport bool
	// hasRate is set for a code with a Lithuanian rate: i.SAF shows its VAT, also where nothing is deducted, as in the margin scheme.
	hasRate bool
}

func effectOf(side register.Direction, code *string) vatEffect {
	e := vatEffect{}
	switch {
	case code != nil:
		c, _ := vat.Lookup(*code)
		e.hasRate, e.boxes = c.HasRate, c.PurchaseBoxes
		if side == register.Sales {
			e.boxes = c.SaleBoxes
		}
	case side == register.Purchases:
		e.boxes = vat.Boxes{VAT: []vat.Box{"25", "35"}} // bought from a Lithuanian VAT payer
	}
	e.output = slices.ContainsFunc(e.boxes.VAT, func(b vat.Box) bool { return slices.Contains(outputBoxes, b) })
	e.input = slices.ContainsFunc(e.boxes.VAT, func(b vat.Box) bool { return slices.Contains(inputBoxes, b) })
	e.isImport = slices.Contains(e.boxes.VAT, "26") || slices.Contains(e.boxes.VAT, "27")
	return e
}

// readRegister adds up the register row by row.
func (t *tie) readRegister(ctx context.Context, r tenant.ReadTx, p fr0600.Period) error {
	for _, side := range []register.Direction{register.Sales, register.Purchases} {
		for rows, err := range register.Documents(ctx, r, side, p.From, p.To) {
			if err != nil {
				return err //nolint:wrapcheck // says what was read
			}
			for _, row := range rows {
				t.addRow(row)
			}
		}
	}
	return t.readPayments(ctx, r, p)
}

// readPayments puts sales under cash accounting into the boxes by their payments.
func (t *tie) readPayments(ctx context.Context, r tenant.ReadTx, p fr0600.Period) error {
	for payment, err := range cash.Payments(ctx, r, register.Sales, p.From, p.To) {
		if err != nil {
			return err //nolint:wrapcheck // says what was read
		}
		t.isByPayment = true
		for _, row := range payment.Rows() {
			t.know(row)
			t.addToBoxes(row, effectOf(row.Direction, row.VATCode))
		}
	}
	return nil
}

// know keeps what a difference says of a document.
func (t *tie) know(row register.Row) {
	id := row.DocumentID
	if _, known := t.documents[id]; !known {
		t.documents[id] = tieOutDocument{DocumentID: &id, DocumentType: row.DocumentType, Number: row.DocumentNumber, Date: row.RegisterDate}
	}
}

func (t *tie) addToBoxes(row register.Row, effect vatEffect) {
	for _, box := range effect.boxes.Base {
		put(t.boxes, box, row.DocumentID, money.New(row.BaseNetMinor, money.EUR))
	}
	for _, box := range effect.boxes.VAT {
		put(t.boxes, box, row.DocumentID, money.New(row.BaseVATMinor, money.EUR))
	}
}

func (t *tie) addRow(row register.Row) {
	id := row.DocumentID
	t.know(row)
	net, tax := money.New(row.BaseNetMinor, money.EUR), money.New(row.BaseVATMinor, money.EUR)
	effect := effectOf(row.Direction, row.VATCode)
	if row.Direction == register.Sales && row.SpecialTaxation {
		t.isByPayment = true
	} else {
		t.addToBoxes(row, effect)
	}
	if effect.output {
		t.totals.OutputVAT.Register = t.totals.OutputVAT.Register.Add(tax)
		t.output.add(id, tax)
	} else if row.Direction == register.Sales && !tax.IsZero() {
		t.foreign.add(id, tax)
		t.output.add(id, tax)
	}
	if effect.input {
		t.totals.InputVAT.Register = t.totals.InputVAT.Register.Add(tax)
		t.input.add(id, tax)
	}
	if effect.isImport {
		t.imports.add(id, tax)
		return // not in i.SAF
	}
	key := subject{row.Direction, "", "net"}
	if row.VATCode != nil {
		key.code = *row.VATCode
	}
	put(t.register, key, id, net)
	if effect.output || effect.input || effect.hasRate {
		key.what = "VAT"
		put(t.register, key, id, tax)
	}
}

// compareBoxes compares the return with the register. Box 35 is compared at full deduction, box 36 follows from the others.
func (t *tie) compareBoxes(ret *fr0600.Return) {
	for _, v := range ret.Boxes {
		if v.Box == "28" || v.Box == "36" {
			continue
		}
		inReturn := money.RoundHalfAwayFromZero(v.Exact, money.EUR) // exact cents at full deduction
		if inRegister := t.boxes[v.Box].sum(); inReturn != inRegister {
			t.differ(tieOutDifference{
				First: "fr0600", Second: "register", Subject: "box " + string(v.Box), FirstAmount: inReturn, SecondAmount: inRegister,
			}, perDocument{}, t.boxes[v.Box])
		}
	}
}

// compareFile compares i.SAF with the register. VAT is compared where it is Lithuanian.
func (t *tie) compareFile() {
	subjects := slices.SortedFunc(maps.Keys(union(t.register, t.file)), func(a, b subject) int {
		return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(a.code, b.code), cmp.Compare(a.what, b.what))
	})
	for _, s := range subjects {
		inRegister, inFile := t.register[s], t.file[s]
		if len(unequal(inRegister, inFile)) == 0 {
			continue
		}
		code := s.code
		if code == "" {
			code = "without code"
		}
		t.differ(tieOutDifference{
			First: "register", Second: "isaf", Subject: string(s.side) + " " + code + " " + s.what,
			FirstAmount: inRegister.sum(), SecondAmount: inFile.sum(),
		}, inRegister, inFile)
	}
}

// union has the keys of both; either may be nil, as when i.SAF shows the VAT of a code at 0 % and the register has none.
func union[K comparable, V any](a, b map[K]V) map[K]V {
	all := make(map[K]V, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// unequal are the documents whose amounts differ; absent is nothing.
func unequal(first, second perDocument) []tenant.ID {
	var ids []tenant.ID
	for id := range union(first, second) {
		if first[id].Minor() != second[id].Minor() {
			ids = append(ids, id)
		}
	}
	return ids
}

// differ adds a difference with the documents that make it, by date and id.
func (t *tie) differ(d tieOutDifference, first, second perDocument) {
	ids := unequal(first, second)
	slices.SortFunc(ids, func(a, b tenant.ID) int {
		return cmp.Or(t.documents[a].Date.Compare(t.documents[b].Date), bytes.Compare(a[:], b[:]))
	})
	listed := ids[:min(len(ids), maxListedDocuments)]
	d.OmittedDocuments = len(ids) - len(listed)
	d.Documents = make([]tieOutDocument, len(listed))
	for i, id := range listed {
		document := t.documents[id]
		document.First, document.Second = money.New(first[id].Minor(), money.EUR), money.New(second[id].Minor(), money.EUR)
		d.Documents[i] = document
	}
	t.differences = append(t.differences, d)
}

// compareAccount compares the turnover of an account with what the register says of each document, and gives the turnover.
func (t *tie) compareAccount(
	ctx context.Context, r tenant.ReadTx, p fr0600.Period, account string, inRegister perDocument, isOwed bool,
) (money.Amount, error) {
	turnovers, err := ledger.DocumentTurnovers(ctx, r, account, p.From, p.To)
	if err != nil {
		return money.Amount{}, err //nolint:wrapcheck // says what was read
	}
	booked := perDocument{}
	for _, turnover := range turnovers {
		amount := money.New(turnover.Minor, money.EUR)
		if isOwed {
			amount = amount.Neg()
		}
		booked.add(t.bookedUnder(turnover), amount)
	}
	if len(unequal(inRegister, booked)) > 0 {
		t.differ(tieOutDifference{
			First: "register", Second: "ledger", Subject: "account " + account, FirstAmount: inRegister.sum(), SecondAmount: booked.sum(),
		}, inRegister, booked)
	}
	return booked.sum(), nil
}

// bookedUnder is the document of an entry; for an entry without a document in the register it is the entry itself.
func (t *tie) bookedUnder(turnover ledger.DocumentTurnover) tenant.ID {
	id := turnover.TransactionID
	if turnover.DocumentID != nil {
		id = *turnover.DocumentID
	}
	if _, known := t.documents[id]; known {
		return id
	}
	transaction := turnover.TransactionID
	entry := tieOutDocument{DocumentID: turnover.DocumentID, TransactionID: &transaction, Date: turnover.TransactionDate}
	if turnover.DocumentType != nil {
		entry.DocumentType = *turnover.DocumentType
	}
	if turnover.Description != nil {
		entry.Number = *turnover.Description
	}
	t.documents[id] = entry
	return id
}
