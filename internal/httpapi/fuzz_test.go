package httpapi

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
)

func FuzzDecodeRequest(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `{"lines":[{"quantity":0}]}`, `{"lines":[{"quantity":"x","extra":{"":null}}]}`, `{"sub":{"city":"\ud800"}}`,
		`{"partnerId":"0198c0de-0000-7000-8000-000000000000","lines":[{"quantity":1e400}]}`, `{"small":1e9,"sent":"2026-01-31T08:00:00Z"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in sampleRequest
		err := decodeRequest(body, &in)
		if err == nil {
			require.False(t, in.PartnerID.IsZero())
			require.NotEmpty(t, in.Lines)
			return
		}
		require.ErrorIs(t, err, apperr.ErrValidation)
		for path, messages := range faultsOf(t, err) {
			require.True(t, utf8.ValidString(path))
			for _, message := range messages {
				require.True(t, utf8.ValidString(message), "%q", message)
			}
		}
	})
}
