package isaf

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Level says whether a file should be sent in spite of a problem.
type Level string

// The levels. VMI publishes its list of checks without saying which of them refuse a file; errors are those with which a
// register cannot be right, warnings those that a person has to judge.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
)

// Enum lists the allowed values.
func (Level) Enum() []any { return []any{LevelError, LevelWarning} }

// Problem is a fault that VMI would find, or that the schema forbids.
type Problem struct {
	Level Level
	// Code is that of VMI's web-service specification v2.2, section 4.1; empty for a check of ours.
	Code    string
	Message string
	// DocumentID and Number name the document; zero and empty when the problem is of the file.
	DocumentID tenant.ID
	Number     string
}

// maxProblems is how many problems of each level are listed, so that warnings never hide an error; the rest is counted.
const maxProblems = 1000

// problems collects problems up to a limit.
type problems struct {
	list             []Problem
	errors, warnings int
}

func (p *problems) add(x Problem) {
	count := &p.warnings
	if x.Level == LevelError {
		count = &p.errors
	}
	if *count++; *count <= maxProblems {
		p.list = append(p.list, x)
	}
}

// omitted counts what is not listed.
func (p *problems) omitted() int { return p.errors + p.warnings - len(p.list) }

func (p *problems) file(level Level, code, format string, args ...any) {
	p.add(Problem{Level: level, Code: code, Message: fmt.Sprintf(format, args...)})
}

// of reports a problem of an invoice.
func (p *problems) of(i Invoice, level Level, code, format string, args ...any) {
	message := i.Number + ": " + fmt.Sprintf(format, args...)
	p.add(Problem{Level: level, Code: code, Message: message, DocumentID: i.DocumentID, Number: i.Number})
}
