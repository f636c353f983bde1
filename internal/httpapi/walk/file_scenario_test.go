package walk_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// picture is the start of a PNG and noise behind it, in base64.
func picture(length int) string {
	return base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n" + strings.Repeat("x", length) + unique("")))
}

// newFile is a picture of the company.
func newFile(t *testing.T, c *process.Client) body {
	t.Helper()
	return body{
		"entity": "company", "entityId": ownCompany(t, c), "fileName": "../scan.png", "mimeType": "image/png", "content": picture(600),
	}
}

func uploaded(t *testing.T, c *process.Client) body {
	t.Helper()
	return body{"id": made(t, c, "/v1/files/upload", newFile(t, c))}
}

var fileScenarios = map[string]scenario{
	"/v1/files/upload": newFile,
	"/v1/files/get":    uploaded,
	"/v1/files/list":   fixed(body{}),
	"/v1/files/delete": uploaded,
}
