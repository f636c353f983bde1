// Command receiver takes webhooks of Vienkart: a small program to start a receiver of your own from.
//
// It does the three things a receiver must do. It verifies the signature before it believes anything; it drops an event
// whose webhook-id it has handled, since every event comes once or more; and it answers 2xx only after the work is safe,
// since everything else makes the event come again.
//
//	WEBHOOK_SECRET=whsec_... go run ./docs/webhooks/receiver
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxBody = 64 << 10
	// tolerance is how far the timestamp may be from now: an old request that somebody recorded is refused.
	tolerance = 5 * time.Minute
)

// Event is the body. It names what it is about; fetch the object from the API to see how it is now.
type Event struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	CompanyID string    `json:"companyId"`
	CreatedAt time.Time `json:"createdAt"`
	Data      struct {
		Object string `json:"object"`
		ID     string `json:"id"`
	} `json:"data"`
}

// Receiver handles each event once.
type Receiver struct {
	// Key signs; KeyOf makes it from the secret.
	Key []byte
	// Now is the clock.
	Now func() time.Time
	// Handle does the work. When it fails, the event comes again.
	Handle func(Event) error

	mu sync.Mutex
	// handled is in memory here. Keep it in your database, in the transaction that does the work, and for longer than the
	// thirty days in which an event can come again: then a crash between the two leaves neither.
	handled map[string]bool
}

// KeyOf is the key that a secret stands for.
func KeyOf(secret string) ([]byte, error) {
	encoded, isEncoded := strings.CutPrefix(secret, "whsec_")
	if !isEncoded {
		return []byte(secret), nil
	}
	return base64.StdEncoding.DecodeString(encoded)
}

// verify checks the signature over id, time and the bytes of the body as they came. While a secret is being replaced
// there are two signatures; one that is right is enough.
func (r *Receiver) verify(header http.Header, body []byte) error {
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil {
		return errors.New("the headers webhook-id and webhook-timestamp are missing")
	}
	if age := r.Now().Sub(time.Unix(seconds, 0)); age.Abs() > tolerance {
		return errors.New("the timestamp is too far from now")
	}
	mac := hmac.New(sha256.New, r.Key)
	_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	want := mac.Sum(nil)
	for signature := range strings.FieldsSeq(header.Get("webhook-signature")) {
		encoded, isKnown := strings.CutPrefix(signature, "v1,")
		if !isKnown {
			continue
		}
		if got, err := base64.StdEncoding.DecodeString(encoded); err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return errors.New("no signature is right")
}

// once runs Handle for an event that has not been handled yet. The lock is held over the work, so that an event which
// comes twice at the same time is handled once too.
func (r *Receiver) once(id string, e Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.handled[id] {
		return nil
	}
	if err := r.Handle(e); err != nil {
		return err
	}
	if r.handled == nil {
		r.handled = map[string]bool{}
	}
	r.handled[id] = true
	return nil
}

// ServeHTTP answers within the ten seconds that an attempt may take; put longer work into a queue of your own first.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxBody))
	if err != nil {
		http.Error(w, "the body did not arrive", http.StatusBadRequest)
		return
	}
	if err := r.verify(request.Header, body); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		http.Error(w, "the body is not an event", http.StatusBadRequest)
		return
	}
	if err := r.once(request.Header.Get("webhook-id"), event); err != nil {
		http.Error(w, "try again later", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	key, err := KeyOf(os.Getenv("WEBHOOK_SECRET"))
	if err != nil || len(key) == 0 {
		log.Fatal("set WEBHOOK_SECRET to the secret that creating the subscription answered")
	}
	receiver := &Receiver{Key: key, Now: time.Now, Handle: func(e Event) error {
		log.Printf("%s: %s %s of company %s", e.Type, e.Data.Object, e.Data.ID, e.CompanyID)
		return nil
	}}
	server := &http.Server{Addr: "127.0.0.1:9090", Handler: receiver, ReadHeaderTimeout: 10 * time.Second}
	log.Printf("receiving at http://%s", server.Addr)
	log.Fatal(server.ListenAndServe())
}
