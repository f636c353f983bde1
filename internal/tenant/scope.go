package tenant

import (
	"slices"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// ActorType is the sort of actor, as the contract's audit log names it.
type ActorType string

// The actor types.
const (
	ActorUser   ActorType = "user"
	ActorAPIKey ActorType = "api_key"
	ActorSystem ActorType = "system"
)

// Enum lists the allowed values for the API document.
func (ActorType) Enum() []any { return []any{ActorUser, ActorAPIKey, ActorSystem} }

// Actor is who acts.
type Actor struct {
	Type ActorType
	ID   string
}

// Company is the tenant as every operation needs it: a row of companies.
type Company struct {
	ID                     ID
	Name                   string
	Code                   *string
	VATCode                *string
	SMEExemptionNumber     *string
	IsVATPayer             bool
	IsSandbox              bool
	CountryCode            string
	BaseCurrency           money.Currency
	DefaultInvoiceCurrency money.Currency
	TimeZone               string
	RequireIdempotencyKey  bool
	Status                 CompanyStatus
	Street                 *string
	City                   *string
	PostalCode             *string
	AddressCountry         *string
	Email                  *string
	Phone                  *string
	IBAN                   *string
	BankName               *string
	PeppolID               *string
	LogoFileID             *ID
	// CashAccountingFrom and CashAccountingUntil are the first and last day of cash accounting, Art 14(9) of the VAT law; zero Dates
	// where it has not begun or not ended.
	CashAccountingFrom  date.Date
	CashAccountingUntil date.Date
	CreatedAt           clock.Time
	UpdatedAt           clock.Time
	// DeletedAt and PurgeAfter are set when the company is deleted: from the second on nothing of it need be kept.
	DeletedAt  *clock.Time
	PurgeAfter *clock.Time
}

// AccountsForCash reports whether the company was under cash accounting on a day.
func (c Company) AccountsForCash(on date.Date) bool {
	return !c.CashAccountingFrom.IsZero() && !on.Before(c.CashAccountingFrom) &&
		(c.CashAccountingUntil.IsZero() || !on.After(c.CashAccountingUntil))
}

// CompanyStatus is the life of a company.
type CompanyStatus string

// The states. Only an active company accepts mutations.
const (
	CompanyActive   CompanyStatus = "active"
	CompanyArchived CompanyStatus = "archived"
	CompanyDeleted  CompanyStatus = "deleted"
)

// Enum lists the allowed values for the API document.
func (CompanyStatus) Enum() []any { return []any{CompanyActive, CompanyArchived, CompanyDeleted} }

// TableName names the table for the mapper.
func (Company) TableName() string { return "companies" }

// Today is the civil date in the company's time zone: the date its documents bear.
func (c Company) Today(now time.Time) date.Date {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		zone = time.UTC // the zone was checked when it was stored; an operator who removes zone data gets UTC
	}
	return date.Of(now.In(zone))
}

// Scope is a verified caller in one company. It is made by Verifier and System alone.
type Scope struct{ s *scope }

type scope struct {
	company      Company
	actor        Actor
	role         Role
	scopes       []Permission
	userID       ID
	session      SessionRef
	requestID    string
	address      string
	chartVersion int64
}

// SessionRef is the session of a token. It is zero for a token that was signed without one.
type SessionRef struct {
	ID        ID
	JTI       ID
	Proof     Proof
	CreatedAt time.Time
	ExpiresAt time.Time
}

func (s Scope) must() *scope {
	if s.s == nil {
		panic("tenant: a zero Scope was used")
	}
	return s.s
}

// Company is the tenant.
func (s Scope) Company() Company { return s.must().company }

// Actor is who acts.
func (s Scope) Actor() Actor { return s.must().actor }

// Role is the caller's role.
func (s Scope) Role() Role { return s.must().role }

// Scopes are the permissions a token was narrowed to; empty when it was not.
func (s Scope) Scopes() []Permission { return slices.Clone(s.must().scopes) }

// UserID is the user behind the token, or zero when it is no user of this server.
func (s Scope) UserID() ID { return s.must().userID }

// Session is the sign-in that the token belongs to; zero for keys and for tokens that no sign-in made.
func (s Scope) Session() SessionRef { return s.must().session }

// RequestID names the request, for the audit log.
func (s Scope) RequestID() string { return s.must().requestID }

// Address is the client's network address, for records of refusals.
func (s Scope) Address() string { return s.must().address }

// Can reports whether role and scopes allow the permission. Scopes narrow a role and never widen it.
func (s Scope) Can(p Permission) bool {
	in := s.must()
	return in.role.Has(p) && (len(in.scopes) == 0 || slices.Contains(in.scopes, p))
}

// midnight is the first instant of a civil date in the company's time zone.
func (c Company) midnight(d date.Date) clock.Time {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return clock.At(time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, zone))
}
