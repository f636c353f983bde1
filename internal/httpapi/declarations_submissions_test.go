package httpapi

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/submission"
)

const ofJanuary = `{"obligation": "lt-isaf", "year": 2026, "month": 1%s}`

func submissionBooks(t *testing.T, e *testkit.Engine) *books {
	t.Helper()
	b := openBooks(t, e)
	b.more = append(submissionOperations("1.0", files.Depot{}), storedFileOperations(files.Depot{})...)
	return b
}

func TestSubmissions(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b, other := submissionBooks(t, e), submissionBooks(t, e)
		b.sell(t, "2026-01-05", "")
		b.buy(t, b.supplier, "AST 1", "2026-01-09", "")
		first := b.call(t, "declarations/submissions/create", ofJanuary, "")
		id := as[string](t, first["id"])
		require.Equal(t, []any{"generated", "F", "F", 2.0, 2026.0, 1.0},
			[]any{first["status"], first["variant"], first["partNumber"], first["rows"], first["periodYear"], first["periodMonth"]})
		file := b.call(t, "files/get", `{"id": %q}`, first["fileId"])
		content, err := base64.StdEncoding.DecodeString(as[string](t, file["content"]))
		require.NoError(t, err)
		require.Equal(t, b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)["xml"], string(content))
		require.Equal(t, first["sha256"], file["sha256"])
		_, err = b.try(t, "files/delete", `{"id": %q}`, first["fileId"])
		require.ErrorIs(t, err, files.ErrReferenced, "what was sent stays")

		// The same content again, at another moment, is the same submission.
		later := *b
		later.Company = &testkit.Company{Scope: b.Scope, Engine: e.At(time.Date(2026, 12, 16, 9, 0, 0, 0, time.UTC))}
		_, err = later.try(t, "declarations/submissions/create", ofJanuary, "")
		require.ErrorIs(t, err, submission.ErrDuplicate)
		requireExisting(t, err, id)

		late := b.call(t, "declarations/submissions/late-changes", `{"id": %q}`, id)
		require.Empty(t, late["rows"])
		b.sell(t, "2026-01-31", "")
		b.sell(t, "2026-02-01", "")
		late = b.call(t, "declarations/submissions/late-changes", `{"id": %q}`, id)
		require.InDelta(t, 1, late["total"], 0)
		row := as[map[string]any](t, as[[]any](t, late["rows"])[0])
		require.Equal(t, []any{"2026-01-31", "recorded", "100.00", "21.00"}, []any{row["registerDate"], row["event"], row["net"], row["vat"]})

		_, err = other.try(t, "declarations/submissions/late-changes", `{"id": %q}`, id)
		require.ErrorIs(t, err, apperr.ErrNotFound, "of another company")
		_, err = other.try(t, "declarations/submissions/mark", `{"id": %q, "status": "accepted"}`, id)
		require.ErrorIs(t, err, apperr.ErrNotFound)
		testMarks(t, b, id)
	})
}

// testMarks follows a submission to the authority and corrects it.
func testMarks(t *testing.T, b *books, id string) {
	t.Helper()
	mark := func(id, status string) (map[string]any, error) {
		return b.try(t, "declarations/submissions/mark", `{"id": %q, "status": %q, "externalRef": "R1"}`, id, status)
	}
	marked, err := mark(id, "submitted")
	require.NoError(t, err)
	require.Equal(t, []any{"submitted", "R1"}, []any{marked["status"], marked["externalRef"]})
	_, err = mark(id, "accepted")
	require.NoError(t, err)
	_, err = mark(id, "accepted")
	require.NoError(t, err, "saying it again changes nothing")
	for _, status := range []string{"rejected", "submitted", "generated"} {
		_, err = mark(id, status)
		require.ErrorIs(t, err, submission.ErrState, status)
	}
	// The period was sent whole, so it is corrected whole, under the part number that was sent.
	_, err = b.try(t, "declarations/submissions/create", ofJanuary, `, "dataType": "S"`)
	require.ErrorIs(t, err, submission.ErrDivision)
	requireExisting(t, err, id)
	correction := b.call(t, "declarations/submissions/create", ofJanuary, "")
	require.Equal(t, []any{"F", id, 3.0}, []any{correction["partNumber"], correction["correctsId"], correction["rows"]})
	late := b.call(t, "declarations/submissions/late-changes", `{"id": %q}`, correction["id"])
	require.Empty(t, late["rows"])
	late = b.call(t, "declarations/submissions/late-changes", `{"id": %q}`, id)
	require.Equal(t, correction["id"], late["replacedById"])
	_, err = mark(as[string](t, correction["id"]), "rejected")
	require.NoError(t, err)
	_, err = mark(as[string](t, correction["id"]), "submitted")
	require.NoError(t, err, "a refused file may be sent once more")
	list := b.call(t, "declarations/submissions/list", `{"filter": [{"field": "status", "op": "eq", "value": "submitted"}]}`)
	require.InDelta(t, 1, list["total"], 0)
	require.Equal(t, correction["id"], as[map[string]any](t, as[[]any](t, list["rows"])[0])["id"])
	breaches, err := tenant.Verify(t.Context(), b.Engine.System, submission.Invariants)
	require.NoError(t, err)
	require.Empty(t, breaches)
}

func requireExisting(t *testing.T, err error, id string) {
	t.Helper()
	var refusal *apperr.Error
	require.ErrorAs(t, err, &refusal)
	existing, ok := refusal.Details()["existingId"].(tenant.ID)
	require.True(t, ok)
	require.Equal(t, id, existing.String())
}

// A part number of another program is kept for corrections, and a month sent by registers is not sent whole.
func TestSubmissionKeepsThePartNumber(t *testing.T) {
	t.Parallel()
	b := submissionBooks(t, testkit.SQLite(t))
	b.sell(t, "2026-01-05", "")
	first := b.call(t, "declarations/submissions/create", ofJanuary, `, "dataType": "S", "partNumber": "VILNIUS"`)
	b.call(t, "declarations/submissions/mark", `{"id": %q, "status": "submitted"}`, first["id"])
	b.sell(t, "2026-01-06", "")
	require.Equal(t, "VILNIUS", b.call(t, "declarations/submissions/create", ofJanuary, `, "dataType": "S"`)["partNumber"])
	_, err := b.try(t, "declarations/submissions/create", ofJanuary, "")
	require.ErrorIs(t, err, submission.ErrDivision)
	b.call(t, "declarations/submissions/create", ofJanuary, `, "dataType": "P"`)
}

func TestFaultyFileIsNotKept(t *testing.T) {
	t.Parallel()
	b := submissionBooks(t, testkit.SQLite(t))
	b.customer = as[string](t, b.call(t, "partners/create", `{"name": "Kazkas"}`)["id"])
	b.sell(t, "2026-01-09", "")
	_, err := b.try(t, "declarations/submissions/create", ofJanuary, "")
	require.ErrorIs(t, err, submission.ErrFaulty)
	require.ErrorContains(t, err, "country", "the first fault is named")
	require.InDelta(t, 0, b.call(t, "declarations/submissions/list", `{}`)["total"], 0)
}
