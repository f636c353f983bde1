package export

import (
	"bytes"
	"crypto/sha256"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSpoolGivesBackWhatItTook(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s, whole := newSpool(), []byte{}
		for range rapid.IntRange(0, 5).Draw(r, "parts") {
			part := rapid.SliceOfN(rapid.Byte(), 0, 5000).Draw(r, "part")
			whole = append(whole, part...)
			_, err := s.Write(part)
			require.NoError(r, err)
		}
		require.NoError(r, s.close())
		for range 2 {
			back, err := io.ReadAll(s.open())
			require.NoError(r, err)
			require.True(r, bytes.Equal(whole, back))
		}
		sum := sha256.Sum256(whole)
		require.Equal(r, sum[:], s.sum())
		require.EqualValues(r, len(whole), s.size)
	})
}

// A file of text as large as a file may be takes a small part of its size in memory.
func TestSpoolIsSmall(t *testing.T) {
	t.Parallel()
	s := newSpool()
	line := strings.Repeat("<Invoice><InvoiceNo>VNK2026-000123</InvoiceNo><Amount>121.00</Amount></Invoice>\n", 1000)
	for s.size+int64(len(line)) <= MaxFileBytes {
		_, err := s.Write([]byte(line))
		require.NoError(t, err)
	}
	require.NoError(t, s.close())
	require.Less(t, s.held.Cap(), MaxFileBytes/16)
}

func TestWarningsAreBounded(t *testing.T) {
	t.Parallel()
	none, err := encodeWarnings(nil)
	require.NoError(t, err)
	require.Nil(t, none)
	require.Nil(t, Job{}.warnings())
	many := make([]string, maxWarnings+7)
	for i := range many {
		many[i] = strings.Repeat("ž", maxWarningLength+1)
	}
	text, err := encodeWarnings(many)
	require.NoError(t, err)
	list := Job{Warnings: text}.warnings()
	require.Len(t, list, maxWarnings+1)
	require.Equal(t, strings.Repeat("ž", maxWarningLength)+"…", list[0])
	require.Equal(t, "There are 7 more.", list[maxWarnings])
}
