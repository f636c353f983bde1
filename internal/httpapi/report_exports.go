package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ReportExports are the reports that jobs make files of, under the names of their operations. Their parameters are the requests
// of those operations, and a JSON file is their answer; the journal comes whole, without pages. Version is that of the program, which
// files for the tax authority name.
func ReportExports(version string) export.Reports {
	days := func(openings bool) func(report.Period) export.Span {
		return func(p report.Period) export.Span {
			return export.Span{From: p.FromDate, To: p.ToDate, Openings: openings}
		}
	}
	own, since := days(false), days(true)
	reports := export.Reports{
		"trial-balance": exportOf("Apyvartos žiniaraštis", exportTrialBalance, nil, func(in trialBalanceRequest) export.Span {
			return since(report.Period(in))
		}),
		"general-journal": exportOf("Bendrasis žurnalas", exportJournal, nil, own),
		"gl-detail": exportOf("Didžioji knyga", exportAccount, nil, func(in report.AccountInput) export.Span {
			return since(in.Period)
		}),
		"vat-summary":  exportOf("PVM suvestinė", exportVATSummary, nil, func(in report.VATInput) export.Span { return own(in.Period) }),
		"vat-detail":   exportOf("PVM registras", exportVATDetail, nil, func(in report.VATInput) export.Span { return own(in.Period) }),
		"eu-purchases": exportOf("Pirkimai iš Europos Sąjungos", exportEUPurchases, nil, own),
		"partner-balances": exportOf("Partnerių likučiai", exportPartnerBalances, report.AsOfInput.On, func(in report.AsOfInput) export.Span {
			return export.Span{From: in.AsOf, To: in.AsOf, Openings: true}
		}),
		"debt-aging": exportOf("Skolos pagal terminą", exportDebtAging, func(in report.DebtAgingInput, today date.Date) report.DebtAgingInput {
			in.AsOfInput = in.On(today)
			return in
		}, func(in report.DebtAgingInput) export.Span {
			return export.Span{From: in.AsOf, To: in.AsOf, Openings: true}
		}),
		"monthly-summary": exportOf("Mėnesių suvestinė", exportMonths, func(in report.MonthlyInput, today date.Date) report.MonthlyInput {
			in.AsOfInput = in.On(today)
			return in
		}, func(in report.MonthlyInput) export.Span {
			return export.Span{From: in.First().First(), To: in.AsOf.LastOfMonth(), Openings: true}
		}),
		"financial-statements": exportOf("Finansinės ataskaitos", exportStatements, nil, func(in report.StatementsInput) export.Span {
			return since(in.Period)
		}),
		"cash-flow": exportOf("Pinigų srautai", exportCashFlow, nil, since),
		"size-category": exportOf("Įmonės kategorija", exportSize, nil, func(in report.SizeInput) export.Span {
			return since(in.Period())
		}),
	}
	maps.Copy(reports, vatExports(version))
	return reports
}

// exportOf makes an export of a report. Complete fills in what else would depend on the day of the run; nil when nothing does.
func exportOf[In any](
	title string, produce func(context.Context, tenant.ReadTx, In, export.Writer) error,
	complete func(In, date.Date) In, span func(In) export.Span,
) export.Report {
	return export.Report{
		Formats: export.Tabular,
		Prepare: func(params jsontext.Value, today date.Date) (export.Prepared, error) {
			var in In
			if err := decodeRequest(params, &in); err != nil {
				return export.Prepared{}, underParams(err)
			}
			if complete != nil {
				in = complete(in, today)
			}
			s := span(in)
			if s.To.Before(s.From) {
				return export.Prepared{}, apperr.Invalid("params.toDate", "lies before fromDate")
			}
			whole, err := json.Marshal(in, json.Deterministic(true))
			if err != nil {
				return export.Prepared{}, fmt.Errorf("encoding the parameters: %w", err)
			}
			return export.Prepared{Params: whole, Title: title, Span: s, FileName: s.From.String() + "_" + s.To.String()}, nil
		},
		Produce: func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, w export.Writer) error {
			var in In
			if err := json.Unmarshal(params, &in); err != nil {
				return fmt.Errorf("reading the parameters of a job: %w", err)
			}
			return produce(ctx, r, in, w)
		},
	}
}

// underParams moves the faults of parameters to where they stand in the request.
func underParams(err error) error {
	refusal, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return err
	}
	moved := refusal.Code().New("%s", refusal.Message())
	for path, faults := range refusal.Fields() {
		for _, fault := range faults {
			moved.Field("params."+path, "%s", fault)
		}
	}
	return moved
}
