package scenario_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestKeysOnTheWire sends keys as no client library would, over a bare connection where that is needed.
func TestKeysOnTheWire(t *testing.T) {
	t.Parallel()
	runCases(t, map[string]func(*testing.T, *world){
		"MoreThanOneHeaderLineIsRefused": twoHeaderLines,
		"LengthIsCountedInCharacters":    keyLength,
		"MalformedKeysAreRefused":        malformedKeys,
		"KeysThatLookAlikeAreDifferent":  lookAlikeKeys,
		"QuotedAndBareAreTheSame":        quotedKeys,
	})
}

// rawPost writes a request by hand, header lines as given, and reads the status of the answer. Cancelling ctx closes the
// socket, as a client does that gives up.
func rawPost(ctx context.Context, t *testing.T, c *process.Client, path string, request body, lines ...string) (int, error) {
	t.Helper()
	text, err := json.Marshal(request)
	require.NoError(t, err)
	host := strings.TrimPrefix(c.URL, "http://")
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	header := append([]string{
		"POST " + path + " HTTP/1.1", "Host: " + host, "Authorization: Bearer " + c.Token, "Content-Type: application/json",
		fmt.Sprint("Content-Length: ", len(text)),
	}, lines...)
	if _, err := fmt.Fprintf(connection, "%s\r\n\r\n%s", strings.Join(header, "\r\n"), text); err != nil {
		return 0, err //nolint:wrapcheck // tests look at the error itself
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0, err //nolint:wrapcheck // tests look at the error itself
	}
	return answer.StatusCode, answer.Body.Close()
}

// B-009: of two lines a proxy may pass on either, so both are refused, equal or not.
func twoHeaderLines(t *testing.T, w *world) {
	c, company := w.company(t)
	before := company.RowCounts(t)
	for name, lines := range map[string][]string{
		"Equal":         {"Idempotency-Key: K1", "Idempotency-Key: K1"},
		"Different":     {"Idempotency-Key: K1", "Idempotency-Key: K2"},
		"QuotedAndBare": {"Idempotency-Key: K1", `Idempotency-Key: "K1"`},
		"OtherCase":     {"Idempotency-Key: K1", "IDEMPOTENCY-KEY: K1"},
		"OneEmpty":      {"Idempotency-Key: K1", "Idempotency-Key:"},
		"FarApart":      {"Idempotency-Key: K1", "X-Other: 1", "idempotency-key: K1"},
		"QuotedList":    {`Idempotency-Key: "K1", "K2"`},
		"Empty":         {"Idempotency-Key:"},
		"Blank":         {"Idempotency-Key:  \t "},
	} {
		status, err := rawPost(t.Context(), t, c, postEntry, entry("10.00"), lines...)
		require.NoError(t, err, name)
		require.Equal(t, http.StatusBadRequest, status, name)
	}
	require.Equal(t, before, company.RowCounts(t))
	require.Empty(t, keyState(t, c, "K1"))
	require.Empty(t, keyState(t, c, "K2"))
	status, err := rawPost(t.Context(), t, c, postEntry, entry("10.00"), "idempotency-key: K1")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "the name of a header has no case")
}

// B-038: 255 characters are a key and 256 are none, whatever their bytes.
func keyLength(t *testing.T, w *world) {
	c, company := w.company(t)
	for name, character := range map[string]string{"OneByte": "k", "TwoBytes": "ž", "FourBytes": "😀"} {
		longest := strings.Repeat(character, 255)
		first := c.Post(t, postEntry, entry("10.00"), process.Key(longest))
		requireRan(t, first)
		requireReplayed(t, first, c.Post(t, postEntry, entry("10.00"), process.Key(longest)))
		// Equal in the first 254 characters: nothing is cut.
		requireRan(t, c.Post(t, postEntry, entry("10.00"), process.Key(strings.Repeat(character, 254)+"x")))
		before := company.RowCounts(t)
		refusal := c.Post(t, postEntry, entry("10.00"), process.Key(longest+character)).
			RequireRefused(t, http.StatusBadRequest, "idempotency.key_invalid")
		require.Contains(t, refusal.Message, "255", name)
		require.Equal(t, before, company.RowCounts(t), name)
	}
}

func malformedKeys(t *testing.T, w *world) {
	c, company := w.company(t)
	before := company.RowCounts(t)
	for name, key := range map[string]string{
		"OpenQuote": `"K1`, "QuotedEmpty": `""`, "QuotedBlank": `"  "`, "NotUTF8": "K\xff1", "AfterTheQuote": `"K1" x`, "Parameter": `"K1";a=1`,
		"TabInside": "K\t1", "NextLineMark": "K\u00851",
	} {
		c.Post(t, postEntry, entry("10.00"), process.Key(key)).RequireRefused(t, http.StatusBadRequest, "idempotency.key_invalid")
		require.Equal(t, before, company.RowCounts(t), name)
	}
}

// B-024: no collation, no folding: keys differ when their bytes do.
func lookAlikeKeys(t *testing.T, w *world) {
	c, _ := w.company(t)
	keys := []string{
		"publish:Bot-A:poll", "publish:bot-a:poll", "PUBLISH:BOT-A:POLL", // case
		"\u0105", "a\u0328", "a", "A", // composed, decomposed, without its ogonek
		"stra\u00dfe", "strasse", "STRASSE", // sharp s
		"K", "\u212a", "\uff2b", // the Kelvin sign, full width
		`"blank"`, `"blank "`, `" blank"`, `"blank  "`, // padding
		"0", "00", "0.0", "1", "1.0", // no numbers either
		"i", "I", "\u0131", "\u0130", // dotless and dotted
		"zero\u200bwidth", "zerowidth", "no\u00a0break", "no break",
		"null", `"\\"`, `\\`,
	}
	for i, key := range keys {
		requireRan(t, c.Post(t, postEntry, entry(fmt.Sprint(i+1)), process.Key(key)))
	}
	require.Equal(t, len(keys), total(t, c, listEntries))
	for i, key := range keys {
		again := c.Post(t, postEntry, entry(fmt.Sprint(i+1)), process.Key(key))
		require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"), "%q: %s", key, again.Body)
	}
}

func quotedKeys(t *testing.T, w *world) {
	c, _ := w.company(t)
	for bare, others := range map[string][]string{
		"K1":   {`"K1"`, ` K1 `, `"K1" `},
		`a"b`:  {`"a\"b"`},
		`c\d`:  {`"c\\d"`},
		"e, f": {`"e, f"`},
		"ž":    {`"ž"`},
	} {
		first := c.Post(t, postEntry, entry("10.00"), process.Key(bare))
		requireRan(t, first)
		for _, other := range others {
			requireReplayed(t, first, c.Post(t, postEntry, entry("10.00"), process.Key(other)))
			c.Post(t, postEntry, entry("11.00"), process.Key(other)).
				RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
		}
	}
}
