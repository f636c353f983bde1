package tenant

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"github.com/vienkart/vienkart/internal/clock"
)

// What a signed-in user may do to the rows of people: to those of its own.

// OwnSessions lists the sessions of the calling user that have not ended, the newest first; none for a caller who is no
// user.
func OwnSessions(ctx context.Context, r Reader) ([]Session, error) {
	h := r.handle()
	rows := []Session{}
	err := h.orm.WithContext(ctx).Where("user_id = ? AND revoked_at IS NULL AND expires_at > ?", h.scope.s.userID, clock.At(h.now)).
		Order("created_at DESC, id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("listing sessions: %w", err)
	}
	return rows, nil
}

// RevokeOwnSession ends a session of the calling user and reports whether there was one to end.
func RevokeOwnSession(ctx context.Context, tx Tx, session ID) (bool, error) {
	return revokeOwn(ctx, tx, "id = ?", session)
}

// RevokeOtherSessions ends every session of the calling user but the present one.
func RevokeOtherSessions(ctx context.Context, tx Tx) error {
	_, err := revokeOwn(ctx, tx, "id <> ?", tx.h.scope.s.session.ID)
	return err
}

func revokeOwn(ctx context.Context, tx Tx, condition text, session ID) (bool, error) {
	h := tx.handle()
	result := h.orm.WithContext(ctx).Model(&Session{}).Where("user_id = ? AND revoked_at IS NULL", h.scope.s.userID).
		Where(string(condition), session).Update("revoked_at", clock.At(h.now))
	if result.Error != nil {
		return false, fmt.Errorf("ending sessions: %w", result.Error)
	}
	return result.RowsAffected > 0, nil
}

// OwnPassword reads the calling user's password; nil when none is set.
func OwnPassword(ctx context.Context, r Reader) (*UserPassword, error) {
	h := r.handle()
	return doorTake[UserPassword](h.orm.WithContext(ctx), "user_id = ?", []any{h.scope.s.userID})
}

// SetOwnPassword stores the hash of the calling user's new password.
func SetOwnPassword(ctx context.Context, tx Tx, hash string) error {
	h := tx.handle()
	row := UserPassword{UserID: h.scope.s.userID, Hash: hash, ChangedAt: clock.At(h.now)}
	err := h.orm.WithContext(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "user_id"}}, DoUpdates: clause.AssignmentColumns([]string{"hash", "changed_at"}),
	}).Create(&row).Error
	if err != nil {
		return fmt.Errorf("storing a password: %w", err)
	}
	return nil
}

// SetOwnLocale stores the language of the calling user.
func SetOwnLocale(ctx context.Context, tx Tx, locale string) error {
	h := tx.handle()
	if err := h.orm.WithContext(ctx).Model(&User{}).Where("id = ?", h.scope.s.userID).Update("locale", locale).Error; err != nil {
		return fmt.Errorf("storing a language: %w", err)
	}
	return nil
}

// OwnMembership reads the calling user's membership in the company; nil for a caller who is no member.
func OwnMembership(ctx context.Context, r Reader) (*Membership, error) {
	return First[Membership](ctx, r, "user_id = ?", r.handle().scope.s.userID)
}
