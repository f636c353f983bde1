package isaf

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzValidate: anybody's file is read to its end or to its fault, twice alike, with a bounded list of bounded messages; a file that is
// valid is so with other white space, and not when an element that the schema does not know stands in it.
func FuzzValidate(f *testing.F) {
	for _, folder := range []string{"valid", "invalid"} {
		names, err := filepath.Glob(filepath.Join(shared, "tax", "samples", folder, "*.xml"))
		require.NoError(f, err)
		for _, name := range names {
			content, err := os.ReadFile(name)
			require.NoError(f, err)
			if len(content) < 4<<10 {
				f.Add(content)
			}
		}
	}
	for _, seed := range []string{
		"", "<", "<iSAFFile", `<iSAFFile xmlns="http://www.vmi.lt/cms/imas/isaf"/>`, `<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>`,
		"<a>" + strings.Repeat("<b>", 100), "<a/><a/>", "</a>", "<iSAFFile>\x00</iSAFFile>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		found := Validate(bytes.NewReader(file))
		require.LessOrEqual(t, len(found), maxProblems)
		for _, p := range found {
			require.Equal(t, LevelError, p.Level)
			require.Less(t, len(p.Message), 2000)
		}
		require.Equal(t, found, Validate(bytes.NewReader(file)))
		if len(found) > 0 {
			return
		}
		text := string(file)
		require.Empty(t, Validate(strings.NewReader(strings.ReplaceAll(text, "</iSAFFile>", "\n </iSAFFile>"))))
		if at := strings.LastIndex(text, "</iSAFFile>"); at >= 0 {
			require.NotEmpty(t, Validate(strings.NewReader(text[:at]+"<Unknown/>"+text[at:])))
		}
	})
}
