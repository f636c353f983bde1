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
	Open   bool // the table, because the address is about it
}

type legend struct{ Series, Text string }

// series is one row of bars. The name is a message id.
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
	if span.IsZero() { // nothing to draw stands on the ground
		zero = 4 + height
	}
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

// partChart names the table of a chart in the address.
const partChart = "chart"

// newChart draws series and keeps their numbers as a table. First is the message id of what the labels are.
func (v *visit) newChart(title, file, first string, labels []string, kind string, ticks int, all ...series) *chart {
	rows := make([]record, len(labels))
	for i, label := range labels {
		rows[i] = record{"label": label}
	}
	c := &chart{Title: title, Open: v.param(paramTable) == partChart}
	columns := []column{{Title: first, Field: "label", Kind: cellDate}}
	named := make([]series, len(all))
	for n, s := range all {
		member := fmt.Sprintf("s%d", n+1)
		named[n] = series{v.t(s.Name), s.Values}
		c.Legend = append(c.Legend, legend{member, named[n].Name})
		columns = append(columns, column{Title: s.Name, Field: member, Kind: kind, Total: true})
		for i := range labels {
			rows[i][member] = s.Values[i].String()
			if kind == cellMoney {
				rows[i][member] = twoPlaces(s.Values[i].String())
			}
		}
	}
	c.SVG = bars(labels, named, ticks)
	c.Table = v.sheet(sheet{Name: partChart, File: file, Caption: title, Columns: columns, Rows: rows})
	return c
}
