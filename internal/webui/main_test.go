package webui_test

import (
	"log/slog"
	"os"
	"testing"
)

// TestMain keeps the lines of thousands of requests out of the tests' output.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}
