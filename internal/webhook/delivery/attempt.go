package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/fault"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Settling an attempt is tried a few times: what is not settled is sent again once its claim has run out.
const (
	settleTries = 5
	settlePause = 300 * time.Millisecond
)

// claimed is a delivery that this server alone may send, with what it needs for that.
type claimed struct {
	CompanyID      tenant.ID
	ID             tenant.ID
	SubscriptionID tenant.ID
	EventID        tenant.ID
	Failures       int
	IsRedelivery   bool
	Claim          tenant.ID
	Payload        []byte
	URL            string
	Secret         []byte
	PreviousSecret []byte
	PreviousUntil  *clock.Time
	FailingSince   *clock.Time
}

// attempt sends a delivery once if no other server is at it, and says whether it was this server's to send.
func (d *Dispatcher) attempt(ctx context.Context, company, id tenant.ID, now clock.Time) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err //nolint:wrapcheck // the server stops
	}
	// From the claim on, the work is brought to its end even when the server is stopping: a claim that is given up half-way
	// holds the delivery until it runs out.
	ctx = context.WithoutCancel(ctx)
	sending, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	claim, err := d.claim(sending, company, id, now)
	if err != nil || claim.IsZero() {
		return false, err
	}
	c, err := d.load(sending, company, id, claim)
	if err != nil || c == nil {
		return true, err
	}
	end := d.transmit(sending, c)
	fault.Point(ctx, fault.WebhookAfterSend)
	for try := 1; ; try++ {
		err := d.settle(ctx, c, end)
		if err == nil || try == settleTries {
			return true, err
		}
		time.Sleep(settlePause)
	}
}

// claim takes a delivery, or gives the zero id when it is not to be had: sent, cancelled, put off or taken meanwhile.
func (d *Dispatcher) claim(ctx context.Context, company, id tenant.ID, now clock.Time) (tenant.ID, error) {
	claim := tenant.NewID()
	result, err := tenant.SystemExec(ctx, d.system, `UPDATE webhook_deliveries
		SET claim = ?, claimed_at = @now, attempts = attempts + 1
		WHERE company_id = ? AND id = ? AND status = 'pending' AND next_attempt_at <= @now
		AND (claimed_at IS NULL OR claimed_at < ?)
		AND EXISTS (SELECT 1 FROM webhook_subscriptions s WHERE s.company_id = webhook_deliveries.company_id
			AND s.id = webhook_deliveries.subscription_id AND s.state = 'active')`, claim, company, id, claimsBefore(now))
	if err != nil {
		return tenant.ID{}, fmt.Errorf("claiming a delivery: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return tenant.ID{}, err //nolint:wrapcheck // no driver fails here
	}
	return claim, nil
}

// load reads what a claimed delivery is and where it goes, as it stands now; nil when it was cancelled since.
func (d *Dispatcher) load(ctx context.Context, company, id, claim tenant.ID) (*claimed, error) {
	rows, err := tenant.SystemQuery[claimed](ctx, d.system, `SELECT d.company_id, d.id, d.subscription_id, d.event_id, d.failures,
		d.is_redelivery, d.claim, e.payload, s.url, s.secret, s.previous_secret, s.previous_until, s.failing_since
		FROM webhook_deliveries d
		JOIN outbox_events e ON e.company_id = d.company_id AND e.id = d.event_id
		JOIN webhook_subscriptions s ON s.company_id = d.company_id AND s.id = d.subscription_id
		WHERE d.company_id = ? AND d.id = ? AND d.claim = ? AND s.state = 'active'`, company, id, claim)
	if err != nil || len(rows) == 0 {
		return nil, err //nolint:wrapcheck // says what was read
	}
	return &rows[0], nil
}

// transmit signs and sends a claimed delivery.
func (d *Dispatcher) transmit(ctx context.Context, c *claimed) outcome {
	now := d.system.Store().Clock().Now()
	sealed := [][]byte{c.Secret}
	if c.PreviousUntil != nil && now.Before(c.PreviousUntil.Time) {
		sealed = append(sealed, c.PreviousSecret)
	}
	keys := make([][]byte, len(sealed))
	for i, s := range sealed {
		key, err := d.openKey(s, c)
		if err != nil {
			complain(ctx, "secret not readable", err)
			return outcome{fault: "the server cannot read the secret of the subscription; rotate it"}
		}
		keys[i] = key
	}
	return send(ctx, d.client, message{url: c.URL, id: c.EventID.String(), body: c.Payload, keys: keys}, now)
}

func (d *Dispatcher) openKey(sealed []byte, c *claimed) ([]byte, error) {
	if d.policy.Vault == nil {
		return nil, noKey()
	}
	secret, err := d.policy.Vault.Open(sealed, c.CompanyID, c.SubscriptionID)
	if err != nil {
		return nil, err
	}
	return signingKey(secret)
}
