package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// returnsSettings are the flags of the measurement of returns and reports on large books.
type returnsSettings struct {
	on       bool
	invoices string
	entries  string
	listed   string
}

func (s *returnsSettings) register(flags *flag.FlagSet) {
	flags.BoolVar(&s.on, "returns", false, "instead: fill companies and measure VAT return, i.SAF, trial balance and list of invoices")
	flags.StringVar(&s.invoices, "returns-invoices", "1000,10000,100000", "with -returns: invoices of the month of each company, in thousands")
	flags.StringVar(&s.entries, "returns-entries", "100000,10000000", "with -returns: journal lines of each company")
	flags.StringVar(&s.listed, "returns-listed", "1000000", "with -returns: invoices of each company whose list is measured, in thousands")
}

// originals are how many documents the server makes itself; the others are copies of them.
const originals = 1000

// measureReturns fills one company after the other and measures the server at work on it.
func measureReturns(ctx context.Context, s returnsSettings) (err error) {
	invoices, entries, listed, err := s.sizes()
	if err != nil {
		return err
	}
	h, err := open(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	m := &returnsRun{house: h, caller: newCaller(h, 4)}
	fmt.Println("| what | rows | seconds | CPU s: server | database | server's memory above idle, MiB | file, MiB |\n|---|---|---|---|---|---|---|")
	for _, n := range invoices {
		if err := m.onBooks(ctx, n, m.returns); err != nil {
			return fmt.Errorf("measuring returns of %d invoices: %w", n, err)
		}
	}
	for _, n := range listed {
		if err := m.onBooks(ctx, n, m.lists); err != nil {
			return fmt.Errorf("measuring the list of %d invoices: %w", n, err)
		}
	}
	for _, n := range entries {
		if err := m.balances(ctx, n); err != nil {
			return fmt.Errorf("measuring balances of %d journal lines: %w", n, err)
		}
	}
	return h.verify(ctx)
}

func (s returnsSettings) sizes() (invoices, entries, listed []int, err error) {
	read := func(text string, unit int) (list []int) {
		for part := range strings.SplitSeq(text, ",") {
			if part == "" {
				continue
			}
			n, parsed := strconv.Atoi(part)
			if parsed != nil || n < unit || n%unit != 0 {
				err = errors.Join(err, fmt.Errorf("%q is no multiple of %d", part, unit))
			}
			list = append(list, n)
		}
		return list
	}
	return read(s.invoices, originals), read(s.entries, entriesOfOriginals), read(s.listed, originals), err
}

// verify runs the command of the product over the whole database.
func (h *house) verify(ctx context.Context) error {
	command := exec.CommandContext(ctx, h.server.Path, "verify")
	command.Env = h.server.Env
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("a fast wrong answer: %w\n%s", err, out)
	}
	return nil
}

type returnsRun struct {
	*house
	*caller
}

// payer founds a company that files returns, with customers.
func (m *returnsRun) payer(ctx context.Context, name string, customers int) (company, []tenant.ID, error) {
	now := clock.At(now())
	code, number := "900000105", "LT999000060116"
	c := company{id: tenant.NewID()}
	row := tenant.Company{
		ID: c.id, Name: name, Code: &code, VATCode: &number, IsVATPayer: true, CountryCode: "LT", TimeZone: "Europe/Vilnius",
		BaseCurrency: money.EUR, DefaultInvoiceCurrency: money.EUR, Status: tenant.CompanyActive, CreatedAt: now, UpdatedAt: now,
	}
	var ids []tenant.ID
	_, err := tenant.NewSystem(tenant.NewStore(m.admin, clock.System{})).CreateCompany(ctx, row, "bench", func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		for i := range customers {
			name, own := fmt.Sprintf("UAB Pirkėjas %d", i), companyCode(i)
			p, err := partner.Create(ctx, tx, partner.Fields{Name: &name, Code: &own, Address: &partner.Address{CountryCode: "LT"}})
			if err != nil {
				return err
			}
			ids = append(ids, p.ID)
		}
		return nil
	})
	if err != nil {
		return c, nil, fmt.Errorf("founding a company: %w", err)
	}
	tokens, err := tenant.NewTokens(tenant.TokenConfig{Secret: secret, Issuer: "vienkart", Audience: "vienkart-api"}, clock.System{})
	if err != nil {
		return c, nil, err
	}
	c.token, _, err = tokens.Sign(tenant.Grant{Company: c.id, Subject: "bench", Role: tenant.RoleAdmin, Life: 24 * time.Hour})
	return c, ids, err
}

// companyCode is a code with a right last digit: one of eight digits that leaves no remainder of ten.
func companyCode(i int) string {
	for n, digits := 0, 30_000_000; ; digits++ {
		text, sum := strconv.Itoa(digits), 0
		for at, digit := range text {
			sum += (at + 1) * int(digit-'0')
		}
		if sum%11 == 10 {
			continue
		}
		if n == i {
			return text + strconv.Itoa(sum%11)
		}
		n++
	}
}

// onBooks measures on a company with so many invoices of March 2026.
func (m *returnsRun) onBooks(ctx context.Context, n int, measure func(context.Context, company, int) error) error {
	c, customers, err := m.payer(ctx, fmt.Sprintf("UAB %d", n), originals)
	if err != nil {
		return err
	}
	began := now()
	for i, customer := range customers {
		if err := m.invoice(ctx, c, customer, i); err != nil {
			return err
		}
	}
	f, err := m.filler(ctx, c, n/originals-1)
	if err != nil {
		return err
	}
	if err := errors.Join(f.invoices(ctx, n/originals-1), f.close(ctx)); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d invoices in %s\n", n, now().Sub(began).Round(time.Second))
	return measure(ctx, c, n)
}

// invoice issues one: three lines, of which every fifth document has one at another rate.
func (m *returnsRun) invoice(ctx context.Context, c company, customer tenant.ID, i int) error {
	rate := map[bool]string{true: "5", false: "21"}[i%5 == 0]
	body := fmt.Sprintf(`{"partnerId":%q,"issueDate":"2026-03-%02d","lines":[{"description":"a","unitPriceExclVat":"%d.99"},`+
		`{"description":"b","unitPriceExclVat":"20.00"},{"description":"c","unitPriceExclVat":"30.00","vatRatePercent":%q}]}`, customer, 1+i%28, 10+i, rate)
	answer, err := m.post(ctx, c, "/v1/sales/invoices/create", tenant.NewID().String(), body, http.StatusOK)
	if err != nil {
		return err
	}
	var draft struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer, &draft); err != nil {
		return fmt.Errorf("reading a draft: %w", err)
	}
	_, err = m.post(ctx, c, "/v1/sales/invoices/issue", tenant.NewID().String(), fmt.Sprintf(`{"id":%q}`, draft.ID), http.StatusOK)
	return err
}

// returns makes the return and every part of i.SAF as jobs of the server.
func (m *returnsRun) returns(ctx context.Context, c company, n int) error {
	if err := m.job(ctx, c, "FR0600", n, `{"reportType":"fr0600","params":{"year":2026,"month":3},"formats":["json","xml"]}`); err != nil {
		return err
	}
	answer, err := m.post(ctx, c, "/v1/declarations/lt/isaf/generate", "", `{"year":2026,"month":3}`, http.StatusOK)
	if err != nil {
		return err
	}
	var filing struct {
		Parts []struct{} `json:"parts"`
	}
	if err := json.Unmarshal(answer, &filing); err != nil {
		return fmt.Errorf("reading the parts of i.SAF: %w", err)
	}
	for part := range filing.Parts {
		name := fmt.Sprintf("i.SAF, part %d of %d", part+1, len(filing.Parts))
		body := fmt.Sprintf(`{"reportType":"isaf","params":{"year":2026,"month":3,"part":%d},"formats":["xml"]}`, part+1)
		if err := m.job(ctx, c, name, n, body); err != nil {
			return err
		}
	}
	return nil
}

// job has the server make files, beginning idle, and prints what it took.
func (m *returnsRun) job(ctx context.Context, c company, name string, rows int, body string) error {
	idle, err := m.restart(ctx)
	if err != nil {
		return err
	}
	before := m.cpu()
	answer, err := m.post(ctx, c, "/v1/reports/jobs/create", tenant.NewID().String(), body, http.StatusOK)
	if err != nil {
		return err
	}
	var card struct {
		ID         string    `json:"id"`
		Status     string    `json:"status"`
		Error      string    `json:"error"`
		StartedAt  time.Time `json:"startedAt"`
		FinishedAt time.Time `json:"finishedAt"`
		Outputs    []struct {
			SizeBytes int64 `json:"sizeBytes"`
		} `json:"outputs"`
	}
	for card.Status != "completed" {
		if err := json.Unmarshal(answer, &card); err != nil {
			return fmt.Errorf("reading a job: %w", err)
		}
		if card.Status == "failed" {
			return fmt.Errorf("%s: %s", name, card.Error)
		}
		time.Sleep(50 * time.Millisecond)
		if answer, err = m.post(ctx, c, "/v1/reports/jobs/get", "", fmt.Sprintf(`{"id":%q}`, card.ID), http.StatusOK); err != nil {
			return err
		}
	}
	var bytes int64
	for _, output := range card.Outputs {
		bytes += output.SizeBytes
	}
	m.line(name, rows, card.FinishedAt.Sub(card.StartedAt), m.cpu().minus(before), m.peak()-idle, bytes)
	return nil
}

// lists measures a page of the list of invoices under several filters.
func (m *returnsRun) lists(ctx context.Context, c company, n int) error {
	for name, body := range map[string]string{
		"list of invoices, by day":         `{"pageSize":50,"filter":[{"field":"issueDate","op":"eq","value":"2026-03-17"}]}`,
		"list of invoices, unpaid since":   `{"pageSize":50,"filter":[{"field":"status","op":"eq","value":"issued"},{"field":"issueDate","op":"gte","value":"2026-03-25"}]}`,
		"list of invoices, of a number":    `{"pageSize":50,"filter":[{"field":"fullNumber","op":"contains","value":"000777"}]}`,
		"list of invoices, last page kept": `{"page":200,"pageSize":50}`,
	} {
		if err := m.answer(ctx, c, name, n, "/v1/sales/invoices/list", body); err != nil {
			return err
		}
	}
	return nil
}

// answer measures the median of some calls.
func (m *returnsRun) answer(ctx context.Context, c company, name string, rows int, path, body string) error {
	idle, err := m.restart(ctx)
	if err != nil {
		return err
	}
	took, before := make([]time.Duration, 7), m.cpu()
	for i := range took {
		began := now()
		if _, err := m.post(ctx, c, path, "", body, http.StatusOK); err != nil {
			return err
		}
		took[i] = now().Sub(began)
	}
	slices.Sort(took)
	used := m.cpu().minus(before)
	calls := time.Duration(len(took))
	m.line(name, rows, took[len(took)/2], cpu{used.server / calls, used.database / calls}, m.peak()-idle, 0)
	return nil
}

// entriesOfOriginals are the journal lines that the server posts itself: ten in each of the transactions, two a month of 2025.
const (
	transactionsOfOriginals = 100
	linesOfTransaction      = 10
	entriesOfOriginals      = transactionsOfOriginals * linesOfTransaction
)

// balances measures the trial balance of a company with so many journal lines, with all months open and with all locked.
func (m *returnsRun) balances(ctx context.Context, n int) error {
	c, _, err := m.payer(ctx, fmt.Sprintf("UAB %d eilučių", n), 0)
	if err != nil {
		return err
	}
	began := now()
	accounts := []string{"2410", "2710", "5000", "5001", "6000", "6300", "4430", "4492", "2441", "2040"}
	for i := range transactionsOfOriginals {
		lines := make([]string, linesOfTransaction)
		for l := range lines {
			side := map[bool]string{true: "debit", false: "credit"}[l%2 == 0]
			lines[l] = fmt.Sprintf(`{"accountCode":%q,%q:"%d.00"}`, accounts[(i+l)%len(accounts)], side, 10+i)
		}
		body := fmt.Sprintf(`{"date":"2025-%02d-%02d","description":"Original","entries":[%s]}`, 1+i%12, 1+i%28, strings.Join(lines, ","))
		if _, err := m.post(ctx, c, postPath, tenant.NewID().String(), body, http.StatusOK); err != nil {
			return err
		}
	}
	copies := n/entriesOfOriginals - 1
	f, err := m.filler(ctx, c, copies)
	if err != nil {
		return err
	}
	if err := errors.Join(f.entries(ctx, copies), f.close(ctx)); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d journal lines in %s\n", n, now().Sub(began).Round(time.Second))
	const request = `{"fromDate":"2025-11-01","toDate":"2025-12-31"}`
	if err := m.answer(ctx, c, "trial balance, all months open", n, "/v1/reports/trial-balance", request); err != nil {
		return err
	}
	for month := range 12 {
		if _, err := m.post(ctx, c, "/v1/ledger/periods/lock", tenant.NewID().String(), fmt.Sprintf(`{"year":2025,"month":%d}`, month+1), http.StatusOK); err != nil {
			return err
		}
	}
	return m.answer(ctx, c, "trial balance, all months locked", n, "/v1/reports/trial-balance", request)
}

// restart begins with a fresh server and tells its memory once it has answered something.
func (m *returnsRun) restart(ctx context.Context) (idle int64, err error) {
	if err := m.stop(); err != nil {
		return 0, err
	}
	if err := m.start(ctx, m.appURL); err != nil {
		return 0, err
	}
	m.http.CloseIdleConnections()
	m.caller.url = m.house.url
	for range 20 {
		if _, err := m.post(ctx, m.companies[0], "/v1/reports/trial-balance", "", `{"fromDate":"2026-01-01","toDate":"2026-12-31"}`, http.StatusOK); err != nil {
			return 0, err
		}
	}
	time.Sleep(time.Second)
	return m.memory("VmRSS:"), nil
}

// peak is the most memory that the server ever held, in bytes.
func (m *returnsRun) peak() int64 { return m.memory("VmHWM:") }

// memory reads a line of /proc; zero where there is none.
func (m *returnsRun) memory(field string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.server.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		if value, found := strings.CutPrefix(line, field); found {
			kilobytes, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

func (m *returnsRun) line(name string, rows int, took time.Duration, used cpu, memory, file int64) {
	mebibytes := func(n int64) string { return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) }
	size := ""
	if file > 0 {
		size = mebibytes(file)
	}
	fmt.Printf("| %s | %d | %.3f | %.2f | %.2f | %s | %s |\n", name, rows, took.Seconds(), used.server.Seconds(), used.database.Seconds(),
		mebibytes(memory), size)
}
