package httpapi

import (
	"time"

	"github.com/labstack/echo/v4"

	"github.com/vienkart/vienkart/internal/apperr"
)

// Observer is told of every answer, by many goroutines at once. It hears names from the route table and from the list of
// errors, and nothing that a caller chose.
type Observer interface {
	// Answered is called after each answer. Outcome is "ok", "replayed", or the code of the error.
	Answered(operation, outcome string, took time.Duration)
	// Refused is called for each error, with its exact reason.
	Refused(reason string)
}

type unobserved struct{}

func (unobserved) Answered(string, string, time.Duration) {}
func (unobserved) Refused(string)                         {}

// Outcomes beside the codes of errors.
const (
	outcomeOK       = "ok"
	outcomeReplayed = "replayed"
)

// otherOperation stands for every path that is not in the route table: a path that a caller made up names nothing.
const otherOperation = "other"

const refusalKey = "refusal"

// observe tells the observer. It stands before the log, which turns an error into an answer.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.deps.Store.Clock().Now()
		err := next(c)
		took := s.deps.Store.Clock().Now().Sub(start)
		operation, outcome := c.Path(), outcomeOK
		isOperation := s.operations[operation]
		if !isOperation {
			operation = otherOperation
		}
		e, isRefused := c.Get(refusalKey).(*apperr.Error)
		switch {
		case isRefused:
			outcome = string(wires[e.Kind()].code)
			s.deps.Observer.Refused(e.Code().Name())
		case !isOperation:
			return err // probes and pages of documentation would hide in rates how operations fare
		case c.Response().Header().Get(headerReplayed) != "":
			outcome = outcomeReplayed
		}
		s.deps.Observer.Answered(operation, outcome, took)
		return err
	}
}
