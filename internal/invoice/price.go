package invoice

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

// group is what lines of one code and rate come to.
type group struct {
	code     string
	rate     money.Decimal
	net, vat money.Amount
}

func (g group) gross() money.Amount { return g.net.Add(g.vat) }

// describe names a group in messages.
func (g group) describe() string {
	if g.code == "" {
		return "the lines without VAT code"
	}
	return fmt.Sprintf("%s at %s %%", g.code, g.rate)
}

func (g group) sameTerms(code string, rate money.Decimal) bool {
	return g.code == code && g.rate.Cmp(rate) == 0
}

// price adds the document up, and stores the sums in its lines and its heading.
func (d *draft) price() error {
	lines := make([]vat.Line, len(d.lines))
	for i, l := range d.lines {
		lines[i] = vat.Line{
			Quantity: l.Quantity, UnitPrice: l.UnitPrice, PriceIncludesVAT: l.PriceIncludesVAT, Rate: l.VATRate, Code: l.code(),
			ChargesVAT: d.chargesVAT(),
		}
	}
	totals, err := vat.Compute(lines, d.row.Currency)
	if err != nil {
		return ErrAmount.New("The document cannot be added up: %s.", err).Field("lines", "%s", err.Error())
	}
	for i, sums := range totals.Lines {
		d.lines[i].NetMinor, d.lines[i].VATMinor, d.lines[i].GrossMinor = sums.Net.Minor(), sums.VAT.Minor(), sums.Gross.Minor()
	}
	for _, g := range d.groups() {
		if g.net.IsNegative() || g.vat.IsNegative() {
			return ErrNegative.New("The lines of %s come to %s %s; a discount must not exceed the lines it lowers. Use a credit note.",
				g.describe(), g.gross(), d.row.Currency).Field("lines", "come to less than nothing for %s", g.describe())
		}
	}
	if d.row.Type == TypeCreditNote {
		if err := d.fitCredit(); err != nil {
			return err
		}
	}
	d.total()
	return nil
}

func (d *draft) chargesVAT() bool { return d.taxed && d.row.VATScheme.ChargesVAT() }

// total adds the lines up into the heading.
func (d *draft) total() {
	d.row.NetMinor, d.row.VATMinor = 0, 0
	for _, l := range d.lines {
		d.row.NetMinor += l.NetMinor
		d.row.VATMinor += l.VATMinor
	}
	d.row.GrossMinor = d.row.NetMinor + d.row.VATMinor
}

// groups adds up the stored sums of the lines, by code and rate.
func (d *draft) groups() []group {
	contents := make([]LineContent, len(d.lines))
	for i, l := range d.lines {
		contents[i] = l.LineContent
	}
	return groupLines(contents, d.row.Currency)
}

func groupLines(lines []LineContent, c money.Currency) []group {
	var groups []group
	for _, l := range lines {
		at := slices.IndexFunc(groups, func(g group) bool { return g.sameTerms(l.code(), l.VATRate) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{code: l.code(), rate: l.VATRate, net: money.Zero(c), vat: money.Zero(c)})
		}
		groups[at].net = groups[at].net.Add(money.New(l.NetMinor, c))
		groups[at].vat = groups[at].vat.Add(money.New(l.VATMinor, c))
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Or(cmp.Compare(a.code, b.code), a.rate.Cmp(b.rate)) })
	return groups
}
