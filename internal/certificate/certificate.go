// Package certificate serves TLS with a certificate that may be replaced while the server runs.
//
// Owns: reading certificate and key, noticing that the files changed, and which versions and ciphers are spoken.
//
// Does not own: getting a certificate; an operator or a program beside the server writes the files.
//
// Invariants: nothing below TLS 1.2 and no cipher without forward secrecy and authentication; a pair that does not fit, as
// while one of the two files is written already, is never served: the last good one stays.
package certificate

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
)

// lookEvery is how often, at most, a handshake looks at the files.
const lookEvery = time.Second

// Keeper holds the certificate of a server.
type Keeper struct {
	certFile, keyFile string
	clock             clock.Clock

	mu       sync.Mutex
	pair     *tls.Certificate
	read     stamp // of the files that were read last, whether or not they were good
	lookedAt time.Time
}

// stamp is what changes with a pair of files.
type stamp struct {
	certTime, keyTime time.Time
	certSize, keySize int64
}

// Open reads a certificate with its chain and a key, both PEM. Error: the files do not hold a pair.
func Open(certFile, keyFile string, c clock.Clock) (*Keeper, error) {
	k := &Keeper{certFile: certFile, keyFile: keyFile, clock: c}
	now, err := k.look()
	if err != nil {
		return nil, err
	}
	pair, err := k.load()
	if err != nil {
		return nil, err
	}
	k.pair, k.read, k.lookedAt = pair, now, c.Now()
	return k, nil
}

// Config is for a server. Connections that are open keep the certificate they began with.
func (k *Keeper) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		CipherSuites: []uint16{ // of TLS 1.2; those of 1.3 are all good
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return k.current(), nil },
		// No HTTP/2: a sandbox may ask for its connection to be cut, which must not cut the requests of others on it.
		NextProtos: []string{"http/1.1"},
	}
}

// current is the pair in the files, or the last good one.
func (k *Keeper) current() *tls.Certificate {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := k.clock.Now()
	if at.Sub(k.lookedAt) < lookEvery {
		return k.pair
	}
	k.lookedAt = at
	now, err := k.look()
	if err == nil && now == k.read {
		return k.pair
	}
	var pair *tls.Certificate
	if err == nil {
		pair, err = k.load()
	}
	if err != nil {
		// Said once for each state of the files, and not at each handshake.
		if now != k.read {
			slog.Warn("the TLS certificate stays the old one: its files are not good", "error", err)
		}
		k.read = now
		return k.pair
	}
	k.pair, k.read = pair, now
	slog.Info("TLS certificate replaced", "notAfter", pair.Leaf.NotAfter)
	return k.pair
}

func (k *Keeper) look() (stamp, error) {
	cert, err := os.Stat(k.certFile)
	if err != nil {
		return stamp{}, fmt.Errorf("looking at the TLS certificate: %w", err)
	}
	key, err := os.Stat(k.keyFile)
	if err != nil {
		return stamp{}, fmt.Errorf("looking at the TLS key: %w", err)
	}
	return stamp{cert.ModTime(), key.ModTime(), cert.Size(), key.Size()}, nil
}

func (k *Keeper) load() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(k.certFile, k.keyFile)
	if err != nil {
		return nil, fmt.Errorf("reading the TLS certificate and key: %w", err)
	}
	return &pair, nil
}
