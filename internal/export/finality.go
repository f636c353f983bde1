package export

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// watermark says what a file was made from.
type watermark struct {
	SnapshotAt clock.Time     `json:"snapshotAt"`
	ReportType string         `json:"reportType"`
	Params     jsontext.Value `json:"params"`
	FromDate   date.Date      `json:"fromDate"`
	ToDate     date.Date      `json:"toDate"`
	// IsFinal is set when all months that the file tells of were locked, by Locks.
	IsFinal bool          `json:"isFinal"`
	Locks   []monthLock   `json:"locks"`
	Rows    int64         `json:"rows"`
	Sums    []sumOfColumn `json:"sums"`
}

type monthLock struct {
	Month    string     `json:"month"`
	LockedAt clock.Time `json:"lockedAt"`
}

type sumOfColumn struct {
	Column string       `json:"column"`
	Sum    money.Amount `json:"sum"`
}

// locksOf lists the locks of the months that a file tells of, and whether all of them are locked. A file that tells what went
// before also depends on every earlier month that was posted into; one without a row never was.
func locksOf(ctx context.Context, r tenant.ReadTx, span Span) (locks []monthLock, allLocked bool, err error) {
	periods, err := tenant.Query[ledger.Period](ctx, r, `SELECT * FROM ledger_periods WHERE company_id = @company
		AND year * 12 + month <= ? ORDER BY year, month`, span.To.Year()*12+int(span.To.Month()))
	if err != nil {
		return nil, false, fmt.Errorf("reading the months: %w", err)
	}
	allLocked = true
	next := date.MonthOf(span.From)
	locks = []monthLock{}
	for _, p := range periods {
		m := date.Month{Year: p.Year, Month: time.Month(p.Month)}
		inside := m.Compare(date.MonthOf(span.From)) >= 0
		if !inside && !span.Openings {
			continue
		}
		if p.Status != ledger.PeriodLocked {
			allLocked = false
			continue
		}
		locks = append(locks, monthLock{m.String(), p.LockedAt})
		if m == next {
			next = m.Next()
		}
	}
	return locks, allLocked && next.Compare(date.MonthOf(span.To)) > 0, nil
}

// finalKey is the digest of everything that the bytes of a final file depend on. While the locks stand, nothing can be posted
// into their months; names of accounts and partners may still change, so a further file is not made again but takes the bytes of
// the first: what was handed over once stays what it was.
func (m watermark) finalKey(f Format) ([]byte, error) {
	if !m.IsFinal {
		return nil, nil
	}
	text, err := json.Marshal(struct {
		ReportType string         `json:"reportType"`
		Params     jsontext.Value `json:"params"`
		Format     Format         `json:"format"`
		Locks      []monthLock    `json:"locks"`
	}{m.ReportType, m.Params, f, m.Locks}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encoding what a file is of: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// finalFile finds the file that has the bytes already, or nil.
func finalFile(ctx context.Context, r tenant.Reader, key []byte) (*File, error) {
	if key == nil {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	return tenant.First[File](ctx, r, "final_key = ?", key) //nolint:wrapcheck // says what was read
}
