package delivery

import (
	"context"
	"net/http"
	"net/netip"
	"time"
)

// What tests look at from outside.
var (
	CheckSecret = func(secret string) error { _, err := signingKey(secret); return err }
	SigningKey  = signingKey
	Explain     = explain
	IsPublic    = func(address string) bool { return isPublic(netip.MustParseAddr(address)) }
	PauseAfter  = pauseAfter
	CheckEvents = checkEvents
	NewClient   = newClient
)

// ClaimLife is how long a dead server's claim holds.
const ClaimLife = claimLife

// CheckURL looks at an address as Create does.
func (p Policy) CheckURL(url string) error { return p.checkURL(url) }

// Sweep deletes what is old.
func (d *Dispatcher) Sweep(ctx context.Context) error { return d.sweep(ctx) }

// Send makes one attempt with a client and says how it ended.
func Send(ctx context.Context, client *http.Client, url string) (fault string, gone bool, retryAfter time.Duration) {
	m := message{url: url, id: "0198c0de-0000-7000-8000-000000000000", body: []byte(`{}`), keys: [][]byte{[]byte("key")}}
	end := send(ctx, client, m, time.Unix(1_800_000_000, 0))
	return end.fault, end.gone, end.retryAfter
}
