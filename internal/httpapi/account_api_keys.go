package httpapi

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

type createAPIKeyRequest struct {
	Name   string              `json:"name" maxLength:"100" description:"What the key is for."`
	Scopes []tenant.Permission `json:"scopes,omitzero" maxItems:"50" description:"What the key may do, such as sales:write; all that the caller may do unless given."`
}

type createAPIKeyResponse struct {
	ID     tenant.ID           `json:"id" description:"Id of the key."`
	Name   string              `json:"name" description:"What the key is for."`
	Scopes []tenant.Permission `json:"scopes" description:"What it is narrowed to; empty when it has all of the role."`
	Key    string              `json:"key" description:"The bearer token, in the first answer alone."`
}

// maskedSecret stands in a stored answer where the first one had a secret (R38).
const maskedSecret = "(shown only in the first answer)" //nolint:gosec // it stands where the secret is not

// Masked is the answer that is stored and replayed.
func (r createAPIKeyResponse) Masked() any {
	r.Key = maskedSecret
	return r
}

func (h accountHandlers) createAPIKey(ctx context.Context, tx tenant.Tx, in createAPIKeyRequest) (createAPIKeyResponse, error) {
	k, token, err := account.CreateAPIKey(ctx, tx, h.tokens, in.Name, in.Scopes)
	if err != nil {
		return createAPIKeyResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return createAPIKeyResponse{k.ID, k.Name, k.Permissions(), token}, nil
}

type apiKeyRow struct {
	ID         tenant.ID           `json:"id" description:"Id of the key."`
	Name       string              `json:"name" description:"What the key is for."`
	Role       tenant.Role         `json:"role" description:"The role it carries."`
	Scopes     []tenant.Permission `json:"scopes" description:"What it is narrowed to; empty when it has all of the role."`
	CreatedBy  string              `json:"createdBy" description:"Id of the user or key that made it; it is revoked when that leaves the company. An addition of this server."`
	LastUsedAt *clock.Time         `json:"lastUsedAt,omitzero" description:"When it was last used, if that is known."`
	RevokedAt  *clock.Time         `json:"revokedAt,omitzero" description:"When it was revoked, or will stop working after it was replaced."`
	CreatedAt  clock.Time          `json:"createdAt" description:"When it was created."`
}

type apiKeysResponse struct {
	Rows []apiKeyRow `json:"rows" description:"The keys, the oldest first."`
}

func listAPIKeys(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (apiKeysResponse, error) {
	keys, err := account.ListAPIKeys(ctx, r)
	rows := make([]apiKeyRow, len(keys))
	for i, k := range keys {
		rows[i] = apiKeyRow{k.ID, k.Name, k.Role, k.Permissions(), k.CreatedBy, k.LastUsedAt, k.RevokedAt, k.CreatedAt}
	}
	return apiKeysResponse{rows}, err
}

type revokedResponse struct {
	ID      tenant.ID `json:"id" description:"Id of the key."`
	Revoked bool      `json:"revoked" description:"Always true: a key that was revoked before stays so."`
}

func revokeAPIKey(ctx context.Context, tx tenant.Tx, in idRequest) (revokedResponse, error) {
	return revokedResponse{in.ID, true}, account.RevokeAPIKey(ctx, tx, in.ID)
}

type rotateAPIKeyRequest struct {
	ID           tenant.ID `json:"id" description:"The key to replace."`
	OverlapHours *int      `json:"overlapHours,omitzero" minimum:"0" maximum:"168" description:"How many hours the old key works on; 24 unless given."`
}

// defaultOverlap is a day: enough to give a program its new key.
const defaultOverlap = 24

type rotateAPIKeyResponse struct {
	createAPIKeyResponse
	ReplacedID tenant.ID  `json:"replacedId" description:"Id of the old key."`
	RevokedAt  clock.Time `json:"revokedAt" description:"When the old key stops working."`
}

// Masked is the answer that is stored and replayed.
func (r rotateAPIKeyResponse) Masked() any {
	r.Key = maskedSecret
	return r
}

func (h accountHandlers) rotateAPIKey(ctx context.Context, tx tenant.Tx, in rotateAPIKeyRequest) (rotateAPIKeyResponse, error) {
	hours := defaultOverlap
	if in.OverlapHours != nil {
		hours = *in.OverlapHours
	}
	made, old, token, err := account.RotateAPIKey(ctx, tx, h.tokens, in.ID, time.Duration(hours)*time.Hour)
	if err != nil {
		return rotateAPIKeyResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return rotateAPIKeyResponse{createAPIKeyResponse{made.ID, made.Name, made.Permissions(), token}, old.ID, *old.RevokedAt}, nil
}
