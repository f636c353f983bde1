package bank

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

const (
	// maxNear is how many open documents are compared on each side of the amount: a company with fewer has all of them compared.
	maxNear = 250
	// maxNamed is how many are compared for what a payment says: for numbers, and for partners.
	maxNamed = 100
	// maxWords is how many words of a description are taken for numbers; a bank passes on a few dozen.
	maxWords = 100
	// longestNumber is of how many words a number may be that somebody wrote with blanks.
	longestNumber = 3
)

// candidate is an open item with the name of its partner.
type candidate struct {
	ledger.OpenItem
	PartnerName string
}

// What makes an open item a candidate. Those of an amount and of a number are read by an index to the limit, however much is owed; those of
// partners cost as much as the partners have documents.
const (
	candidatesHead = `SELECT i.*, p.name AS partner_name FROM (SELECT * FROM open_items
		WHERE company_id = @company AND kind = ? AND currency = ? AND document_type IN ('sale_invoice', 'purchase_invoice') AND open_minor`
	candidatesTail = ` LIMIT ?) i JOIN partners p ON p.company_id = i.company_id AND p.id = i.partner_id`

	candidatesAbove = candidatesHead + " >= ? ORDER BY open_minor, id" + candidatesTail
	candidatesBelow = candidatesHead + " BETWEEN 1 AND ? ORDER BY open_minor DESC, id" + candidatesTail
	candidatesNamed = candidatesHead + " > 0 AND document_number IN ? ORDER BY id" + candidatesTail
	candidatesOf    = candidatesHead + " > 0 AND partner_id IN ? ORDER BY due_date, id" + candidatesTail
)

// candidatesFor are the open documents that a transaction is compared with: those of the amount and next to it, those whose number its
// description has, and those of partners that its account or name belongs to.
func candidatesFor(ctx context.Context, r tenant.Reader, t Transaction, known map[tenant.ID]bool) ([]candidate, error) {
	paid := payment{Transaction: t}
	minor := t.Amount().Abs().Minor()
	partners, err := tenant.Query[tenant.ID](ctx, r, "SELECT id FROM partners WHERE company_id = @company AND name = ? LIMIT ?",
		valueOf(t.CounterpartyName), maxNamed)
	if err != nil {
		return nil, fmt.Errorf("looking for partners of a name: %w", err)
	}
	partners = slices.AppendSeq(partners, maps.Keys(known))
	found := map[tenant.ID]candidate{}
	look := func(rows []candidate, err error) error {
		for _, c := range rows {
			found[c.ID] = c
		}
		return err
	}
	if err := look(tenant.Query[candidate](ctx, r, candidatesAbove, paid.kind(), t.Currency, minor, maxNear)); err != nil {
		return nil, fmt.Errorf("looking for documents of an amount: %w", err)
	}
	if err := look(tenant.Query[candidate](ctx, r, candidatesBelow, paid.kind(), t.Currency, minor-1, maxNear)); err != nil {
		return nil, fmt.Errorf("looking for documents of less than an amount: %w", err)
	}
	if numbers := numbersIn(valueOf(t.Description)); len(numbers) > 0 {
		if err := look(tenant.Query[candidate](ctx, r, candidatesNamed, paid.kind(), t.Currency, numbers, maxNamed)); err != nil {
			return nil, fmt.Errorf("looking for documents of numbers: %w", err)
		}
	}
	if len(partners) > 0 {
		if err := look(tenant.Query[candidate](ctx, r, candidatesOf, paid.kind(), t.Currency, partners, maxNamed)); err != nil {
			return nil, fmt.Errorf("looking for documents of partners: %w", err)
		}
	}
	return slices.Collect(maps.Values(found)), nil
}

// numbersIn are the texts in a description that may be the number of a document: its words, and words that follow each other written
// as one, without what surrounds them and in the case of either.
func numbersIn(description string) []string {
	words := strings.Fields(description)
	words = words[:min(len(words), maxWords)]
	seen := map[string]bool{}
	for i := range words {
		for n := 1; n <= longestNumber && i+n <= len(words); n++ {
			for _, joined := range []string{strings.Join(words[i:i+n], ""), squeeze(strings.ToUpper(strings.Join(words[i:i+n], "")))} {
				word := strings.Trim(joined, `.,;:()[]"'„“`)
				if len(word) >= shortestNumber {
					seen[word], seen[strings.ToUpper(word)] = true, true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
