package scenario_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// rawAnswer is what came back, read whole.
type rawAnswer struct {
	status int
	header http.Header
	// closes says that the server ends the connection behind it.
	closes bool
}

// raw sends bytes as they are and reads all answers until the server closes the connection or nothing more comes.
func raw(t *testing.T, server *process.Server, text string) []rawAnswer {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	_, err = io.WriteString(connection, text)
	require.NoError(t, err)
	require.NoError(t, connection.SetReadDeadline(clock.System{}.Now().Add(2*time.Second)))
	var answers []rawAnswer
	reader := bufio.NewReader(connection)
	for {
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			return answers
		}
		_, err = io.Copy(io.Discard, answer.Body)
		require.NoError(t, errors.Join(err, answer.Body.Close()))
		answers = append(answers, rawAnswer{answer.StatusCode, answer.Header, answer.Close})
	}
}

// TestSmuggling sends requests whose end two readers could see in different places, with a second request where one of them would see
// it. The server refuses them or reads them whole and closes the connection: what follows is never a request of its own.
func TestSmuggling(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	c, company := server.Company(t, e)
	before := company.RowCounts(t)
	smuggled := "POST /v1/partners/create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + c.Token +
		"\r\nContent-Type: application/json\r\nContent-Length: 17\r\nConnection: close\r\n\r\n{\"name\":\"hidden\"}"
	head := "POST /v1/partners/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + c.Token + "\r\nContent-Type: application/json\r\n"
	for name, request := range map[string]string{ //nolint:paralleltest // the rows are counted after all of them
		"LengthAndChunks":         head + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"ChunksAndLength":         head + "Transfer-Encoding: chunked\r\nContent-Length: 200\r\n\r\n0\r\n\r\n" + smuggled,
		"TwoLengths":              head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + smuggled,
		"ListOfLengths":           head + "Content-Length: 2, 3\r\n\r\n{}" + smuggled,
		"LengthWithSign":          head + "Content-Length: +2\r\n\r\n{}" + smuggled,
		"NegativeLength":          head + "Content-Length: -1\r\n\r\n{}" + smuggled,
		"HexadecimalLength":       head + "Content-Length: 0x2\r\n\r\n{}" + smuggled,
		"HugeLength":              head + "Content-Length: 99999999999999999999\r\n\r\n{}" + smuggled,
		"EmptyLength":             head + "Content-Length: \r\n\r\n{}" + smuggled,
		"UnknownCoding":           head + "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"CodingBehindAnother":     head + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"CodingTwice":             head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"CodingWithTab":           head + "Transfer-Encoding:\tchunked\x0b\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"BlankBeforeColon":        head + "Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
		"FoldedHeader":            head + "X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}" + smuggled,
		"FoldedFirstHeader":       "POST /v1/partners/list HTTP/1.1\r\n Host: x\r\n\r\n" + smuggled,
		"LineEndInName":           head + "X\rA: b\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
		"ZeroByteInValue":         head + "X-A: b\x00c\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
		"BadChunkSize":            head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n" + smuggled,
		"NegativeChunkSize":       head + "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"HugeChunkSize":           head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n" + smuggled,
		"ChunkLongerThanItsSize":  head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n" + smuggled,
		"ChunkSizeEndsInLineFeed": head + "Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n" + smuggled,
		"ChunkExtension":          head + "Transfer-Encoding: chunked\r\n\r\n2;a=\"\r\n\"\r\n{}\r\n0\r\n\r\n" + smuggled,
		"TrailerOfLength":         head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n" + smuggled,
		"OldProtocolInChunks":     strings.Replace(head, "HTTP/1.1", "HTTP/1.0", 1) + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + smuggled,
		"UnknownProtocol":         strings.Replace(head, "HTTP/1.1", "HTTP/9.9", 1) + "Content-Length: 2\r\n\r\n{}" + smuggled,
		"TwoHosts":                head + "Host: y\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
		"NoHost":                  "POST /v1/partners/list HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
		"AbsoluteTarget":          strings.Replace(head, "POST /", "POST http://evil.example/", 1) + "Content-Length: 2\r\nConnection: close\r\n\r\n{}" + smuggled,
		"Upgrade":                 head + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
		"Preface":                 "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + smuggled,
		"Tunnel":                  "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n" + smuggled,
		"ExpectedContinue":        head + "Expect: something\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
	} {
		t.Run(name, func(t *testing.T) {
			answers := raw(t, server, request)
			require.LessOrEqual(t, len(answers), 1, "what was smuggled got an answer of its own")
			for _, a := range answers {
				require.NotEqual(t, http.StatusInternalServerError, a.status)
				require.Less(t, a.status, 506)
			}
		})
	}
	require.Equal(t, before, company.RowCounts(t), "what was smuggled was done")
	// By itself the request that was hidden does work, and one after the other on one connection too.
	honest := head + "Content-Length: 2\r\n\r\n{}" + smuggled
	require.Len(t, raw(t, server, honest), 2)
	require.Equal(t, before["partners"]+1, company.RowCounts(t)["partners"])
	require.Eventually(t, func() bool { return strings.Contains(server.Log(), "path=/v1/partners/create") }, 5*time.Second, poll)
}

// TestChunkedBody: a body in chunks is a good one, and the connection ends behind it.
func TestChunkedBody(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	c, _ := server.Company(t, e)
	answers := raw(t, server, "POST /v1/partners/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+c.Token+
		"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
	require.Len(t, answers, 1)
	require.Equal(t, http.StatusOK, answers[0].status)
	require.True(t, answers[0].closes)
}

// TestLongHeaders: headers end somewhere.
func TestLongHeaders(t *testing.T) {
	t.Parallel()
	server := process.Start(t, testkit.SQLite(t))
	for name, header := range map[string]string{
		"One":  "X-A: " + strings.Repeat("a", 64<<10) + "\r\n",
		"Many": strings.Repeat("X-A: b\r\n", 10_000),
		"Line": "",
	} {
		target := "/healthz"
		if name == "Line" {
			target += "?" + strings.Repeat("a", 64<<10)
		}
		answers := raw(t, server, fmt.Sprintf("GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", target, header))
		if len(answers) > 0 {
			require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, answers[0].status, name)
		}
	}
	require.Len(t, raw(t, server, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), 1, "it serves on")
}
