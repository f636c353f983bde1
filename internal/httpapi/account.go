package httpapi

import (
	"context"
	"slices"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
)

// accountHandlers are the operations that sign tokens, people in, or keep a logo.
type accountHandlers struct {
	tokens *tenant.Tokens
	desk   *account.Desk
	depot  files.Depot
}

// plan is what every user has.
const plan = "self-hosted"

// accountOperations sign people in, keep companies, members and API keys, and say who the caller is.
func accountOperations(tokens *tenant.Tokens, desk *account.Desk, depot files.Depot) []Operation {
	h := accountHandlers{tokens, desk, depot}
	return slices.Concat(h.signInOperations(), h.memberOperations(), h.companyOperations(), h.keyOperations(), []Operation{
		query("/v1/account/me", tenant.OwnAccount, "Say who the caller is", me),
	})
}

func (h accountHandlers) companyOperations() []Operation {
	return []Operation{
		mutation("/v1/account/companies/create", tenant.ManageCompany, "Open a company", createCompany, about("company"), whileArchived(),
			described("The company opens with the chart of accounts. The calling user becomes its admin.")),
		query("/v1/account/companies/select", tenant.OwnAccount, "Choose the company to work in", h.selectCompany,
			described("A token belongs to one company: a member gets one for the chosen company, and goes on with that. It belongs to the same session.")),
		query("/v1/account/companies/profile", tenant.ReadBooks, "Get the company", getCompanyProfile),
		mutation("/v1/account/companies/update", tenant.ManageCompany, "Change the company", h.updateCompany, about("company"),
			bodyUpTo(uploadMaxBody), keptByDigest("logo"),
			described("Absent members stay as they are; an empty text removes a value; an address replaces the whole address. Code, VAT number and IBAN must have right check digits.")),
		mutation("/v1/account/companies/archive", tenant.ManageCompany, "Archive a company", archiveCompany, about("company"),
			described("The books of an archived company can be read and not changed.")),
		mutation("/v1/account/companies/activate", tenant.ManageCompany, "Take a company out of the archive", activateCompany, about("company"),
			whileArchived()),
		mutation("/v1/account/companies/delete", tenant.ManageCompany, "Delete a sandbox company", deleteCompany, about("company"),
			whileArchived(), evenDeleted(),
			described("Every token of the company stops working at once. The books of a company that is no sandbox must be kept: archive it instead.")),
	}
}

func (h accountHandlers) keyOperations() []Operation {
	return []Operation{
		mutation("/v1/account/api-keys/create", tenant.ManageKeys, "Create an API key", h.createAPIKey, about("api_key"),
			described("The key is in the first answer alone: it is stored nowhere, and a replay shows it masked.")),
		query("/v1/account/api-keys/list", tenant.ManageKeys, "List API keys", listAPIKeys),
		mutation("/v1/account/api-keys/rotate", tenant.ManageKeys, "Replace an API key", h.rotateAPIKey, about("api_key"),
			described("The new key carries what the old one does, which works on for the overlap. The caller must have every right of the key. The new key is in the first answer alone.")),
		mutation("/v1/account/api-keys/revoke", tenant.ManageKeys, "Revoke an API key", revokeAPIKey, about("api_key"), whileArchived()),
	}
}

type meUser struct {
	ID           string `json:"id" description:"Id of the user or key, or the subject of the token when another issuer made it."`
	Email        string `json:"email" description:"E-mail address; empty for a key."`
	Name         string `json:"name,omitzero" description:"Name of the person."`
	Locale       string `json:"locale" description:"Language: lt, en or ru."`
	Plan         string `json:"plan" description:"Always self-hosted."`
	IsSuperAdmin bool   `json:"isSuperAdmin" description:"Always false: the operator works on the server itself."`
}

type meCompany struct {
	ID        tenant.ID            `json:"id" description:"Id of the company."`
	Name      string               `json:"name" description:"Name of the company."`
	Code      *string              `json:"code,omitzero" description:"Registration number."`
	VATCode   *string              `json:"vatCode,omitzero" description:"VAT number."`
	Role      tenant.Role          `json:"role" description:"The caller's role in it."`
	IsSandbox bool                 `json:"isSandbox" description:"The books are for trying things out."`
	Status    tenant.CompanyStatus `json:"status" description:"Only an active company can be changed."`
	DeletedAt *clock.Time          `json:"deletedAt,omitzero" description:"When it was deleted."`
}

type meResponse struct {
	User            meUser              `json:"user" description:"The caller."`
	Locale          string              `json:"locale" description:"Language of the caller in this company."`
	ActiveCompanyID tenant.ID           `json:"activeCompanyId" description:"The company of the token."`
	Role            tenant.Role         `json:"role" description:"The role of the token."`
	Scopes          []tenant.Permission `json:"scopes" description:"What the token is narrowed to; empty when it has all of the role."`
	Companies       []meCompany         `json:"companies" description:"The companies the caller may work in."`
}

func me(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (meResponse, error) {
	self, err := account.Me(ctx, r)
	if err != nil {
		return meResponse{}, err //nolint:wrapcheck // says what was read
	}
	scope := r.Scope()
	user := meUser{ID: scope.Actor().ID, Locale: string(account.DefaultLocale), Plan: plan}
	if self.User != nil {
		user.ID, user.Email, user.Locale = self.User.ID.String(), self.User.Email, self.User.Locale
		if self.User.Name != nil {
			user.Name = *self.User.Name
		}
	}
	companies := make([]meCompany, len(self.Companies))
	for i, c := range self.Companies {
		companies[i] = meCompany{
			ID: c.ID, Name: c.Name, Code: c.Code, VATCode: c.VATCode, Role: c.Role, IsSandbox: c.IsSandbox, Status: c.Status,
			DeletedAt: c.DeletedAt,
		}
	}
	locale := user.Locale
	if self.Locale != "" {
		locale = self.Locale
	}
	return meResponse{user, locale, r.Company().ID, scope.Role(), scope.Scopes(), companies}, nil
}

type companyIDRequest struct {
	CompanyID tenant.ID `json:"companyId" description:"The company."`
}

type selectCompanyResponse struct {
	ActiveCompanyID tenant.ID  `json:"activeCompanyId" description:"The chosen company."`
	Token           string     `json:"token,omitzero" description:"Bearer token for the company; absent when the present one stays the right one."`
	ExpiresAt       clock.Time `json:"expiresAt,omitzero" description:"When the token expires."`
}

func (h accountHandlers) selectCompany(ctx context.Context, r tenant.ReadTx, in companyIDRequest) (selectCompanyResponse, error) {
	s, err := account.SelectCompany(ctx, r, h.tokens, in.CompanyID)
	return selectCompanyResponse{s.Company, s.Token, clock.At(s.ExpiresAt)}, err
}
