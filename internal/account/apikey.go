package account

import (
	"context"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of keys and tokens.
var (
	ErrCannotSign = apperr.Define("account.cannot_sign", apperr.Conflict,
		"This server accepts tokens of another issuer and cannot make any; get them there.")
	ErrScopeNotHeld = apperr.Define("account.scope_not_held", apperr.Rule,
		"A key was asked to carry a scope that its maker does not have.")
)

const entityAPIKey = "api_key"

// APIKey is a token for a program. Its secret is nowhere in the database: the token is signed, and the row says that it
// is still good.
type APIKey struct {
	tenant.Row
	Name string
	Role tenant.Role
	// Scopes narrow the role, parted by blanks; empty is all of the role.
	Scopes     string
	CreatedBy  string
	CreatedAt  clock.Time
	LastUsedAt *clock.Time
	// RevokedAt may lie ahead: then the key works until that moment.
	RevokedAt *clock.Time
}

// TableName names the table for the mapper.
func (APIKey) TableName() string { return "api_keys" }

// Permissions are the scopes one by one, never nil.
func (k APIKey) Permissions() []tenant.Permission {
	list := []tenant.Permission{}
	for name := range strings.FieldsSeq(k.Scopes) {
		list = append(list, tenant.Permission(name))
	}
	return list
}

// keyLine is a key as the audit log keeps it.
type keyLine struct {
	ID        tenant.ID           `json:"id"`
	Name      string              `json:"name"`
	Role      tenant.Role         `json:"role"`
	Scopes    []tenant.Permission `json:"scopes"`
	RevokedAt *clock.Time         `json:"revokedAt,omitzero"`
}

func (k APIKey) line() keyLine { return keyLine{k.ID, k.Name, k.Role, k.Permissions(), k.RevokedAt} }

// CreateAPIKey stores a key with the caller's role, narrowed to scopes, and gives its token, which cannot be read again.
// Without scopes it carries what the caller has. Errors: validation, account.scope_not_held, account.cannot_sign.
func CreateAPIKey(ctx context.Context, tx tenant.Tx, tokens *tenant.Tokens, name string, scopes []tenant.Permission) (*APIKey, string, error) {
	scope := tx.Scope()
	if err := checkScopes(scope, scopes); err != nil {
		return nil, "", err
	}
	if len(scopes) == 0 {
		scopes = scope.Scopes()
	}
	if !tokens.CanSign() {
		return nil, "", cannotSign()
	}
	scopes = slices.Compact(slices.Sorted(slices.Values(scopes)))
	return storeKey(ctx, tx, tokens, strings.TrimSpace(name), scope.Role(), scopes)
}

func storeKey(
	ctx context.Context, tx tenant.Tx, tokens *tenant.Tokens, name string, role tenant.Role, scopes []tenant.Permission,
) (*APIKey, string, error) {
	if err := holdMaker(ctx, tx); err != nil {
		return nil, "", err
	}
	k := &APIKey{
		Row: tenant.Row{ID: tenant.NewID()}, Name: name, Role: role, Scopes: join(scopes),
		CreatedBy: tx.Scope().Actor().ID, CreatedAt: tx.Now(),
	}
	token, _, err := tokens.Sign(tenant.Grant{
		Company: tx.Company().ID, Subject: tenant.APIKeySubject(k.ID), Role: k.Role, Scopes: scopes, Life: tenant.APIKeyLife, JTI: k.ID,
	})
	if err != nil {
		return nil, "", err //nolint:wrapcheck // says what failed
	}
	if err := tenant.Insert(ctx, tx, k); err != nil {
		return nil, "", err //nolint:wrapcheck // says what was stored
	}
	return k, token, k.record(ctx, tx, "api_key.created", nil)
}

func cannotSign() error {
	return ErrCannotSign.New("This server cannot sign tokens: it accepts those of another issuer. Ask that issuer for one, or run the server with VIENKART_JWT_SECRET.")
}

func checkScopes(scope tenant.Scope, scopes []tenant.Permission) error {
	for i, p := range scopes {
		if !slices.Contains(tenant.Permissions(), p) {
			return apperr.Invalid("scopes", "item %d is unknown; use some of %s", i, strings.ReplaceAll(join(tenant.Permissions()), " ", ", "))
		}
	}
	for _, p := range scopes {
		if !scope.Can(p) {
			return ErrScopeNotHeld.New("You cannot give a key the scope %s: your role %s or your token does not have it.", p, scope.Role()).
				Field("scopes", "%s is more than you have", p)
		}
	}
	return nil
}

func join(scopes []tenant.Permission) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return strings.Join(names, " ")
}

func (k *APIKey) record(ctx context.Context, tx tenant.Tx, action string, before any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entityAPIKey, EntityID: k.ID.String(), Before: before, After: k.line(),
	})
}

// ListAPIKeys lists the company's keys, the revoked ones too, in the order of their creation.
func ListAPIKeys(ctx context.Context, r tenant.ReadTx) ([]APIKey, error) {
	return tenant.Find[APIKey](ctx, r, "") //nolint:wrapcheck // says what was read
}

func (k APIKey) isRevoked(now clock.Time) bool {
	return k.RevokedAt != nil && !k.RevokedAt.After(now.Time)
}

// RevokeAPIKey ends a key at once and for good; a revoked one stays as it is. Error: not_found.
func RevokeAPIKey(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	k, err := tenant.Lock[APIKey](ctx, tx, id)
	if err != nil || k.isRevoked(tx.Now()) {
		return err //nolint:wrapcheck // says what was read
	}
	before, now := k.line(), tx.Now()
	k.RevokedAt = &now
	if err := tenant.Update(ctx, tx, k, "revoked_at"); err != nil {
		return err //nolint:wrapcheck // says what was updated
	}
	return k.record(ctx, tx, "api_key.revoked", before)
}
