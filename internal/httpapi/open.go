package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of what anybody may send.
const (
	openMaxBody = 64 << 10
	openTimeout = 30 * time.Second
)

// open declares an operation for callers without a token: it has no company and takes no Idempotency-Key. What it
// changes it changes at the door of package tenant, where a repeat has no second effect.
func open[Req, Res any](
	path, summary string, fn func(context.Context, account.Visit, Req) (Res, error), options ...option,
) Operation {
	o := operation[Req, Res](path, "", summary, append([]option{bodyUpTo(openMaxBody)}, options...))
	o.visit = func(ctx context.Context, v account.Visit, in any) (any, error) {
		return fn(ctx, v, in.(Req)) //nolint:errcheck,forcetypeassert // decode made it
	}
	return o
}

// personal declares an operation that changes what belongs to the caller and not to the company: a session, a password,
// a language. It runs in one transaction and takes no Idempotency-Key: keys belong to the company, so one user would get
// the stored answer of another, and a password would be stored with the request. A repeat has no second effect.
func personal[Req, Res any](
	path string, permission tenant.Permission, summary string, fn func(context.Context, tenant.Tx, Req) (Res, error), options ...option,
) Operation {
	o := mutation(path, permission, summary, fn, append([]option{whileArchived()}, options...)...)
	o.Mutation, o.Personal = false, true
	return o
}

// whileArchived admits a mutation of a company that is archived.
func whileArchived() option { return func(o *Operation) { o.archived = true } }

// evenDeleted lets a deleted company's token be answered with what is stored under its key, and with nothing else.
func evenDeleted() option { return func(o *Operation) { o.deleted = true } }

// IsOpen reports an operation for callers without a token.
func (o Operation) IsOpen() bool { return o.visit != nil }

// runOpen answers a caller without a token.
func (s *Server) runOpen(c echo.Context, o Operation) error {
	_, call := given(c)
	in, err := o.decode(call.Request.Body.Bytes())
	if err != nil {
		return err
	}
	// A caller that hangs up does not undo the count of its attempt.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request().Context()), openTimeout)
	defer cancel()
	out, err := o.visit(ctx, s.visitOf(c), in)
	if err != nil {
		return err
	}
	body, err := encode(out)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body) //nolint:wrapcheck // the client hung up
}

func (s *Server) visitOf(c echo.Context) account.Visit {
	return account.Visit{
		Visitor: tenant.Visitor{RequestID: requestID(c), Address: c.RealIP()},
		Door:    s.deps.Store.Door(),
		Caller: func(ctx context.Context) tenant.ID {
			scope, err := s.verifier.Verify(ctx, tenant.Call{
				Authorization: c.Request().Header.Get(echo.HeaderAuthorization), RequestID: requestID(c), Address: c.RealIP(),
			})
			if err != nil {
				return tenant.ID{} // a token that is no good is as good as none here
			}
			return scope.UserID()
		},
	}
}

// admit says whether a mutation may run that is not answered from the store.
func (s *Server) admit(c echo.Context, o Operation, scope tenant.Scope) error {
	// Here, and not before the replay: the retry of the request that archived or deleted the company gets its answer.
	switch status := scope.Company().Status; {
	case status == tenant.CompanyDeleted:
		return tenant.ErrUnauthorized.New("The company has been deleted.")
	case status == tenant.CompanyArchived && !o.archived:
		return errArchived.New("The company is %s and cannot be changed.", status)
	}
	return s.limits.admit(c, scope)
}

// followed is an answer after whose commit something is left to do, such as a letter to send. It is not done again for a
// replay.
type followed interface{ afterCommit() }

// runPersonal runs an operation without a key.
func (s *Server) runPersonal(c echo.Context, o Operation) error {
	scope, call := given(c)
	call.Scope, call.Key = scope, idempotency.Key{}
	return s.runWork(c, o, call)
}
