package webui

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// chart is bars drawn by the server, with the same numbers as a table for who cannot see them.
type chart struct {
	Title  string
	SVG    template.HTML
	Legend []legend
	Table  *table
}

type legend struct{ Series, Text string }

// series is one row of bars.
type series struct {
	Name   string
	Values []money.Decimal
}

// Sizes of a chart in its own units; CSS scales it.
const (
	chartWidth  = 720
	chartHeight = 190
	chartFoot   = 24
	chartLeft   = 4
)

// bars draws groups of bars, one group per label, with a line at zero.
func bars(labels []string, all []series, ticks int) template.HTML {
	low, high := money.Decimal{}, money.Decimal{}
	for _, s := range all {
		for _, value := range s.Values {
			if value.Cmp(low) < 0 {
				low = value
			}
			if value.Cmp(high) > 0 {
				high = value
			}
		}
	}
	span := high.Sub(low)
	height := int64(chartHeight - chartFoot - 8)
	scale := func(d money.Decimal) int64 { // units of the drawing, whole
		if span.IsZero() {
			return 0
		}
		n := d.Mul(money.DecimalFromInt(height)).Div(span, 0).String()
		var out int64
		_, _ = fmt.Sscan(n, &out)
		return out
	}
	zero := 4 + scale(high)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" class="bars" aria-hidden="true" focusable="false">`, chartWidth, chartHeight)
	step := (chartWidth - 2*chartLeft) / max(len(labels), 1)
	width := max(step*7/10/max(len(all), 1), 2)
	for i, label := range labels {
		left := chartLeft + i*step + (step-width*len(all))/2
		for n, s := range all {
			bar := scale(s.Values[i])
			top := zero - max(bar, 0)
			size := max(bar, -bar)
			if size == 0 && !s.Values[i].IsZero() {
				size = 1
			}
			fmt.Fprintf(&b, `<rect class="s%d" x="%d" y="%d" width="%d" height="%d"><title>%s</title></rect>`,
				n+1, left+n*width, top, max(width-2, 1), size,
				template.HTMLEscapeString(label+" "+s.Name+" "+s.Values[i].String()))
		}
		if ticks == 0 || i%ticks == 0 {
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`,
				chartLeft+i*step+step/2, chartHeight-6, template.HTMLEscapeString(label))
		}
	}
	fmt.Fprintf(&b, `<line x1="0" x2="%d" y1="%d" y2="%d"/></svg>`, chartWidth, zero, zero)
	return safe(b.String())
}

// newChart draws series and keeps their numbers as a table.
func (v *visit) newChart(title, first string, labels []string, kind string, ticks int, all ...series) *chart {
	c := &chart{Title: title, SVG: bars(labels, all, ticks), Table: &table{Caption: title, Columns: []heading{{Text: first}}}}
	for i, s := range all {
		c.Legend = append(c.Legend, legend{fmt.Sprintf("s%d", i+1), s.Name})
		c.Table.Columns = append(c.Table.Columns, heading{Text: s.Name, Kind: kind})
	}
	for i, label := range labels {
		row := tableRow{Cells: []cell{{Text: label, Label: first}}}
		for _, s := range all {
			text := s.Values[i].String()
			if kind == cellMoney {
				text = v.lang.amount(twoPlaces(text))
			}
			row.Cells = append(row.Cells, cell{Text: text, Kind: kind, Label: s.Name})
		}
		c.Table.Rows = append(c.Table.Rows, row)
	}
	return c
}
