package statement

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// column is a column of Stripe's balance report, under the names that its kinds give it: the itemized report of the balance
// and the export of balance transactions.
type column int

const (
	columnID column = iota
	columnCreated
	columnGross
	columnFee
	columnNet
	columnCurrency
	columnKind
	columnDescription
	columnSource
	columnCustomer
	columns
)

// columnNames are in the order of preference: the report has the day in the zone of the business beside that in UTC.
var columnNames = [columns][]string{
	columnID:          {"balance_transaction_id", "id"},
	columnCreated:     {"created", "created (utc)", "created_utc", "created date (utc)"},
	columnGross:       {"gross", "amount"},
	columnFee:         {"fee", "fees"},
	columnNet:         {"net"},
	columnCurrency:    {"currency"},
	columnKind:        {"reporting_category", "type"},
	columnDescription: {"description"},
	columnSource:      {"source_id", "source", "charge_id"},
	columnCustomer:    {"customer_name", "customer_email"},
}

// delimiters that a report or a spreadsheet program puts between fields.
var delimiters = []rune{',', ';', '\t'}

// delimiterOf finds the delimiter of a head line, or 0 when it is no head of a balance report.
func delimiterOf(head string) rune {
	for _, d := range delimiters {
		names := strings.Split(head, string(d))
		if find(names, columnGross) >= 0 && find(names, columnCreated) >= 0 {
			return d
		}
	}
	return 0
}

func find(names []string, c column) int {
	for _, known := range columnNames[c] {
		for i, name := range names {
			if strings.ToLower(strings.Trim(strings.TrimSpace(name), `"`)) == known {
				return i
			}
		}
	}
	return -1
}

// stripeReader reads the rows of a report.
type stripeReader struct {
	at             [columns]int
	currency       money.Currency
	commaIsDecimal bool
	statement      Statement
	counts         counts
}

func parseStripe(f file, currency money.Currency) ([]Statement, error) {
	text := strings.ReplaceAll(f.text(), "\r\n", "\n")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	head := firstLine(text)
	delimiter := delimiterOf(head)
	if delimiter == 0 {
		return nil, fault(1, "the columns %s are missing; export the balance with all its columns", missingColumns(head))
	}
	rows := csv.NewReader(strings.NewReader(text))
	rows.Comma, rows.LazyQuotes, rows.ReuseRecord = delimiter, false, true
	r := &stripeReader{currency: currency, commaIsDecimal: delimiter == ';'}
	names, err := rows.Read()
	if err != nil {
		return nil, csvFault(err)
	}
	for c := range columns {
		r.at[c] = find(names, c)
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvFault(err)
		}
		line, _ := rows.FieldPos(0)
		if err := r.row(row, line); err != nil {
			return nil, err
		}
	}
	r.statement.span()
	return []Statement{r.statement}, nil
}

// firstLine is the first line that is not blank; the reader of CSV skips blank lines too.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	return line
}

// missingColumns says which of the columns that a balance report needs are not in its head.
func missingColumns(head string) string {
	names := strings.FieldsFunc(head, func(c rune) bool { return slices.Contains(delimiters, c) })
	var missing []string
	for _, c := range []column{columnGross, columnCreated} {
		if find(names, c) < 0 {
			missing = append(missing, strings.Join(columnNames[c], " or "))
		}
	}
	return strings.Join(missing, ", ")
}

func csvFault(err error) error {
	if parse, ok := errors.AsType[*csv.ParseError](err); ok {
		switch {
		case errors.Is(err, csv.ErrFieldCount):
			return fault(parse.Line, "the row has another number of fields than the head; the file was cut off or damaged")
		case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
			return fault(parse.StartLine, "a quotation mark is not closed or stands inside of a field; the file was cut off or damaged")
		}
		return fault(parse.Line, "%s", parse.Err)
	}
	return fault(0, "the file cannot be read: %s", err)
}

func (r *stripeReader) field(row []string, c column) string {
	if i := r.at[c]; i >= 0 {
		return strings.TrimSpace(row[i])
	}
	return ""
}

// row gives a movement and its fee as two lines: documents are of what the customer paid, and the fee is a cost of its own.
func (r *stripeReader) row(row []string, number int) error {
	if strings.Join(row, "") == "" {
		return nil
	}
	on, err := day(r.field(row, columnCreated))
	if err != nil {
		return fault(number, "%s: %s", columnNames[columnCreated][0], err)
	}
	gross, fee, err := r.amounts(row)
	if err != nil {
		return fault(number, "%s", err)
	}
	if err := r.counts.addLines(number, 2); err != nil {
		return err
	}
	id := r.field(row, columnID)
	l := Line{
		Number: number, Date: on, Amount: gross, Reference: id, CounterpartyName: r.field(row, columnCustomer),
		Description: sentence(r.field(row, columnDescription), r.field(row, columnKind), r.field(row, columnSource)),
	}
	if !gross.IsZero() {
		if err := r.statement.add(l, false); err != nil {
			return err
		}
	}
	if fee.IsZero() {
		return nil
	}
	l.Amount, l.CounterpartyName, l.Description = fee.Neg(), "", "Fee: "+l.Description
	if id != "" {
		l.Reference = id + ":fee"
	}
	return r.statement.add(l, false)
}

// amounts reads gross and fee, and holds them against net. A fee is a cost where it lowers the net, whichever sign the file
// gives it.
func (r *stripeReader) amounts(row []string) (gross, fee money.Amount, err error) {
	currency := r.currency
	if code := r.field(row, columnCurrency); code != "" {
		if currency, err = money.ParseCurrency(strings.ToUpper(code)); err != nil {
			return gross, fee, fmt.Errorf("currency: %w", err)
		}
	}
	read := func(c column) (money.Amount, error) {
		text := r.field(row, c)
		if text == "" {
			return money.Zero(currency), nil
		}
		a, err := looseAmount(text, currency, r.commaIsDecimal)
		if err == nil && a.Abs().Minor() > maxAmount {
			err = errors.New("is more than any account moves")
		}
		if err != nil {
			return a, fmt.Errorf("%s: %w", columnNames[c][0], err)
		}
		return a, nil
	}
	if r.field(row, columnGross) == "" {
		return gross, fee, errors.New("gross: is empty")
	}
	if gross, err = read(columnGross); err != nil {
		return gross, fee, err
	}
	if fee, err = read(columnFee); err != nil || r.field(row, columnNet) == "" {
		return gross, fee, err
	}
	net, err := read(columnNet)
	if err != nil {
		return gross, fee, err
	}
	switch net {
	case gross.Sub(fee):
		return gross, fee, nil
	case gross.Add(fee):
		return gross, fee.Neg(), nil
	}
	return gross, fee, fmt.Errorf("net: %s is not gross %s less fee %s", net, gross, fee)
}
