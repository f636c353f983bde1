package tenant

import (
	"crypto/sha256"

	"github.com/vienkart/vienkart/internal/clock"
)

// The rows of this file belong to people and to no company: they are reached through a Door, or by the signed-in user
// for itself.

// LoginLink is a link that was asked for. Its token is in the mail alone.
type LoginLink struct {
	ID        ID
	TokenHash []byte
	Email     string
	Locale    string
	CreatedAt clock.Time
	ExpiresAt clock.Time
	UsedAt    *clock.Time
}

// TableName names the table for the mapper.
func (LoginLink) TableName() string { return "login_links" }

// Proof is how a user showed who they are when a session began.
type Proof string

// The proofs. Who holds the address of an invitation may be whoever the inviter gave it to, so that one proves no
// mailbox.
const (
	ProofLink       Proof = "link"
	ProofPassword   Proof = "password"
	ProofInviteMail Proof = "invite_mail"
	ProofInviteURL  Proof = "invite_url"
)

// Enum lists the allowed values for the API document.
func (Proof) Enum() []any { return []any{ProofLink, ProofPassword, ProofInviteMail, ProofInviteURL} }

// ProvesMailbox reports whether the user has shown just now that the e-mail address is theirs.
func (p Proof) ProvesMailbox() bool { return p == ProofLink || p == ProofInviteMail }

// Session is a sign-in: the tokens of it carry its jti and end with it.
type Session struct {
	ID         ID
	UserID     ID
	JTIHash    []byte `gorm:"column:jti_hash"`
	Proof      Proof
	Address    string
	CreatedAt  clock.Time
	LastSeenAt clock.Time
	ExpiresAt  clock.Time
	RevokedAt  *clock.Time
}

// TableName names the table for the mapper.
func (Session) TableName() string { return "sessions" }

// HashJTI is what is stored of the jti of a session.
func HashJTI(jti ID) []byte {
	digest := sha256.Sum256(jti[:])
	return digest[:]
}

// Attempts counts what somebody tried who has not signed in.
type Attempts struct {
	SubjectHash  []byte
	Attempts     int
	LastAt       clock.Time
	BlockedUntil clock.Time
}

// TableName names the table for the mapper.
func (Attempts) TableName() string { return "sign_in_attempts" }

// UserPassword is the hash of a user's password.
type UserPassword struct {
	UserID    ID
	Hash      string
	ChangedAt clock.Time
}

// TableName names the table for the mapper.
func (UserPassword) TableName() string { return "user_passwords" }

// IntegrationRequest is a wish of a stranger, for the operator to read.
type IntegrationRequest struct {
	ID          ID
	Integration string
	Name        string
	Company     *string
	Email       string
	Website     *string
	Details     *string
	CreatedAt   clock.Time
}

// TableName names the table for the mapper.
func (IntegrationRequest) TableName() string { return "integration_requests" }

// Invite offers a role in a company to whoever holds its token.
type Invite struct {
	Row
	Email string
	Role  Role
	// TokenHash is of the token that the inviter gets, MailTokenHash of the one that only the mailbox gets.
	TokenHash     []byte
	MailTokenHash []byte
	InvitedBy     string
	CreatedAt     clock.Time
	ExpiresAt     clock.Time
	AcceptedAt    *clock.Time
	RevokedAt     *clock.Time
}

// TableName names the table for the mapper.
func (Invite) TableName() string { return "invites" }
