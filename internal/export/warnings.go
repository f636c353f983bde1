package export

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of the warnings that a job keeps. The operation that the report is of tells them all.
const (
	maxWarnings      = 50
	maxWarningLength = 2000 // characters
)

// encodeWarnings is what is stored of warnings; nil when there are none.
func encodeWarnings(warnings []string) (*string, error) {
	if len(warnings) == 0 {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	kept := make([]string, 0, maxWarnings+1)
	for _, text := range warnings[:min(len(warnings), maxWarnings)] {
		if letters := []rune(text); len(letters) > maxWarningLength {
			text = string(letters[:maxWarningLength]) + "…"
		}
		kept = append(kept, text)
	}
	if more := len(warnings) - len(kept); more > 0 {
		kept = append(kept, fmt.Sprintf("There are %d more.", more))
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("encoding warnings: %w", err)
	}
	return new(string(text)), nil
}

func (j Job) warnings() []string {
	var list []string
	if j.Warnings != nil {
		_ = json.Unmarshal([]byte(*j.Warnings), &list) // it was encoded by encodeWarnings
	}
	return list
}

// warningsOf are those of the job that made a file; a file with the same bytes has the same.
func warningsOf(ctx context.Context, r tenant.Reader, job tenant.ID) ([]string, error) {
	maker, err := tenant.Get[Job](ctx, r, job)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	return maker.warnings(), nil
}
