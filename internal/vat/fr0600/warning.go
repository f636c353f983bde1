package fr0600

import (
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/vat"
)

// Level says whether the form takes a return in spite of a finding.
type Level string

// The levels.
const (
	// LevelError is a finding with which VMI's form refuses the return.
	LevelError   Level = "error"
	LevelWarning Level = "warning"
)

// Enum lists the allowed values.
func (Level) Enum() []any { return []any{LevelError, LevelWarning} }

// Warning is a finding about a return.
type Warning struct {
	Level   Level
	Message string
	// Boxes are those the finding is about; none when it is about the company or the period.
	Boxes []vat.Box
}

func (ret *Return) add(level Level, boxes []vat.Box, format string, args ...any) {
	ret.Warnings = append(ret.Warnings, Warning{Level: level, Message: fmt.Sprintf(format, args...), Boxes: boxes})
}

// warn runs the checks. Those of the form's script that our computation cannot fail are left out: box 28 in bounds, and box 35
// near (25+26+27) times the share.
func (ret *Return) warn() {
	ret.warnOfCompany()
	ret.warnOfPeriod()
	ret.warnOfRegister()
	ret.checkForm()
}

func (ret *Return) warnOfCompany() {
	c := ret.company
	switch {
	case !c.IsVATPayer:
		ret.add(LevelWarning, nil, "The company is not marked as a VAT payer; nothing enters its VAT register.")
	case c.VATCode == nil:
		ret.add(LevelError, nil, "The company has no VAT number; enter it in the company's profile.")
	default:
		if err := identifier.CheckLTVAT(*c.VATCode); err != nil {
			ret.add(LevelError, nil, "The company's VAT number is refused: %s.", err)
		}
	}
	if c.Code == nil {
		ret.add(LevelError, nil, "The company has no code; enter it in the company's profile.")
		return
	}
	if err := identifier.CheckTaxpayerCode(*c.Code); err != nil {
		level := LevelError
		if len(*c.Code) == 11 {
			level = LevelWarning // the form only warns of a personal code
		}
		ret.add(level, nil, "The company's code is doubtful: %s.", err)
	}
}

func (ret *Return) warnOfPeriod() {
	p := ret.Period
	switch {
	case p.From.After(ret.today):
		ret.add(LevelError, nil, "The period has not begun; today is %s.", ret.today)
	case !ret.today.After(p.To):
		ret.add(LevelWarning, nil, "The period ends on %s, so the return may still change.", p.To)
	}
	if !p.onCalendar() {
		ret.add(LevelWarning, nil, "%s is no calendar quarter or half-year; check that it is the tax period VMI has set.", p)
	}
	if p.hasTwelvePercent() {
		ret.add(LevelWarning, []vat.Box{boxTwelveVAT}, "Periods from 2026 are filed on version 03 of the form. Its file format and the name of "+
			"field 29A are not confirmed, so the file made here is of version 02 and leaves 29A out: type it in, and check box 36 against it.")
	}
}

func (ret *Return) warnOfRegister() {
	if ret.roundedUp {
		ret.add(LevelWarning, []vat.Box{boxDeductionPercent}, "The form refuses shares of 96 to 99 per cent; 100 is used.")
	}
	if len(ret.unknown) > 0 {
		ret.add(LevelWarning, nil, "Rows under %s enter no box: they are not in the classifier.", strings.Join(ret.unknown, ", "))
	}
	if len(ret.lateNine) > 0 {
		ret.add(LevelWarning, []vat.Box{boxNineVAT}, "9 %% ended with 2025 but for corrections of earlier supplies; check %s.",
			strings.Join(ret.lateNine, ", "))
	}
	ret.warnOfCash()
	for _, f := range ret.Breakdown {
		if f.Code == nil {
			continue
		}
		c, known := vat.Lookup(*f.Code)
		if known && c.BoxStatus == vat.BoxStatusUncertain && (!f.Net.IsZero() || !f.VAT.IsZero()) {
			ret.add(LevelWarning, append(append([]vat.Box{}, f.TaxableBoxes...), f.VATBoxes...),
				"Which boxes %s (%s) enters is not confirmed by VMI's published texts; check it.", c.Code, f.Direction)
		}
	}
}
