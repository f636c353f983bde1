package httpapi

import (
	"context"
	"reflect"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// defaultMaxBody is the limit of a request body (R12).
const defaultMaxBody = 1 << 20

// Operation is one route: everything that routing, permission, idempotency, validation and the API document need.
type Operation struct {
	Path        string
	Summary     string
	Description string
	Permission  tenant.Permission
	Mutation    bool
	// Personal operations change what belongs to the calling user; they take no key.
	Personal bool
	// Report operations read much and change nothing; a replica may answer them.
	Report  bool
	MaxBody int64
	// Resource names what a mutation creates or changes, for "did it happen?" (R43): its id is the member id of the
	// answer.
	Resource string
	Request  reflect.Type
	Response reflect.Type

	decode func(body []byte) (any, error)
	mutate func(context.Context, tenant.Tx, any) (any, error)
	query  func(context.Context, tenant.ReadTx, any) (any, error)
	visit  func(context.Context, account.Visit, any) (any, error)

	archived bool   // runs while the company is archived
	deleted  bool   // is replayed after the company is deleted
	bulky    string // the member that is fingerprinted and kept by its digest
	secret   string // the member that is kept by a keyed digest, of this vault
	vault    *delivery.Vault
}

// option sets what most operations leave at its default.
type option func(*Operation)

// described adds a longer text for the API document.
func described(text string) option { return func(o *Operation) { o.Description = text } }

// about names the resource of a mutation.
func about(resource string) option { return func(o *Operation) { o.Resource = resource } }

// bodyUpTo raises the body limit of an import.
func bodyUpTo(bytes int64) option { return func(o *Operation) { o.MaxBody = bytes } }

// mutation declares an operation that changes state: it runs in one transaction, under the caller's Idempotency-Key.
func mutation[Req, Res any](
	path string, permission tenant.Permission, summary string, fn func(context.Context, tenant.Tx, Req) (Res, error), options ...option,
) Operation {
	o := operation[Req, Res](path, permission, summary, options)
	o.Mutation = true
	o.mutate = func(ctx context.Context, tx tenant.Tx, in any) (any, error) {
		return fn(ctx, tx, in.(Req)) //nolint:errcheck,forcetypeassert // decode made it
	}
	return o
}

// query declares an operation that reads one snapshot and changes nothing.
func query[Req, Res any](
	path string, permission tenant.Permission, summary string, fn func(context.Context, tenant.ReadTx, Req) (Res, error), options ...option,
) Operation {
	o := operation[Req, Res](path, permission, summary, options)
	o.query = func(ctx context.Context, r tenant.ReadTx, in any) (any, error) {
		return fn(ctx, r, in.(Req)) //nolint:errcheck,forcetypeassert // decode made it
	}
	return o
}

// reportQuery declares a query that reads much. It alone may be answered by a replica, which then has everything that the company
// committed before.
func reportQuery[Req, Res any](
	path string, permission tenant.Permission, summary string, fn func(context.Context, tenant.ReadTx, Req) (Res, error), options ...option,
) Operation {
	o := query(path, permission, summary, fn, options...)
	o.Report = true
	return o
}

func operation[Req, Res any](path string, permission tenant.Permission, summary string, options []option) Operation {
	o := Operation{
		Path: path, Summary: summary, Permission: permission, MaxBody: defaultMaxBody,
		Request: reflect.TypeFor[Req](), Response: reflect.TypeFor[Res](),
		decode: func(body []byte) (any, error) {
			var in Req
			err := decodeRequest(body, &in)
			return in, err
		},
	}
	for _, set := range options {
		set(&o)
	}
	return o
}

// emptyRequest is the body {} of an operation without parameters.
type emptyRequest struct{}

// idRequest names one object.
type idRequest struct {
	ID tenant.ID `json:"id" description:"Id of the object."`
}
