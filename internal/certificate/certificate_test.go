package certificate_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/certificate"
)

// hand is a clock that a test moves.
type hand struct {
	mu sync.Mutex
	t  time.Time
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.t
}

func (h *hand) advance(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.t = h.t.Add(d)
}

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// pair makes a self-signed certificate with a serial number to tell it by.
func pair(t *testing.T, serial int64) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "books.example.com"}, DNSNames: []string{"books.example.com"},
		NotBefore: noon.Add(-time.Hour), NotAfter: noon.Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// bench is a server on files that a test replaces.
type bench struct {
	address   string
	cert, key string
	clock     *hand
	written   int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	folder := t.TempDir()
	b := &bench{cert: filepath.Join(folder, "cert.pem"), key: filepath.Join(folder, "key.pem"), clock: &hand{t: noon}}
	cert, key := pair(t, 1)
	b.write(t, cert, key)
	keeper, err := certificate.Open(b.cert, b.key, b.clock)
	require.NoError(t, err)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", keeper.Config())
	require.NoError(t, err)
	b.address = listener.Addr().String()
	server := &http.Server{
		Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return b
}

// write replaces the files; each write has a time of its own, as on a disk whose clock moves on.
func (b *bench) write(t *testing.T, cert, key []byte) {
	t.Helper()
	b.written++
	at := noon.Add(time.Duration(b.written) * time.Minute)
	for name, content := range map[string][]byte{b.cert: cert, b.key: key} {
		if content != nil {
			require.NoError(t, os.WriteFile(name, content, 0o600))
			require.NoError(t, os.Chtimes(name, at, at))
		}
	}
}

func (b *bench) client(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// serial is the serial number of the certificate that a request meets.
func (b *bench) serial(t *testing.T, c *http.Client) int64 {
	t.Helper()
	answer, err := c.Get("https://" + b.address)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.TLS.PeerCertificates[0].SerialNumber.Int64()
}

func TestRotation(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	old := b.client(t)
	require.Equal(t, int64(1), b.serial(t, old))
	cert, key := pair(t, 2)
	b.write(t, cert, key)
	require.Equal(t, int64(1), b.serial(t, b.client(t)), "the files are looked at once a second at most")
	b.clock.advance(time.Second)
	require.Equal(t, int64(2), b.serial(t, b.client(t)))
	require.Equal(t, int64(1), b.serial(t, old), "the open connection goes on")
}

func TestHalfWrittenPairIsNotServed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	cert, key := pair(t, 2)
	b.write(t, cert, nil)
	b.clock.advance(time.Second)
	require.Equal(t, int64(1), b.serial(t, b.client(t)), "the certificate is new, the key old")
	b.write(t, nil, key)
	b.clock.advance(time.Second)
	require.Equal(t, int64(2), b.serial(t, b.client(t)))
	require.NoError(t, os.Remove(b.cert))
	b.clock.advance(time.Second)
	require.Equal(t, int64(2), b.serial(t, b.client(t)), "a file is gone")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, example := range map[string]struct {
		config *tls.Config
		ok     bool
	}{
		"TLS13IsSpoken":             {&tls.Config{MinVersion: tls.VersionTLS13}, true},
		"TLS12IsSpoken":             {&tls.Config{MaxVersion: tls.VersionTLS12}, true},
		"TLS11IsRefused":            {&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, false},
		"NoForwardSecrecyIsRefused": {&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256}}, false},
		"CBCIsRefused":              {&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := example.config.Clone()
			config.InsecureSkipVerify = true
			conn, err := tls.Dial("tcp", b.address, config)
			if !example.ok {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.NoError(t, conn.Close())
		})
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := certificate.Open(b.cert, b.cert, b.clock)
	require.ErrorContains(t, err, "reading the TLS certificate and key")
	_, err = certificate.Open(filepath.Join(t.TempDir(), "none.pem"), b.key, b.clock)
	require.ErrorIs(t, err, os.ErrNotExist)
}
