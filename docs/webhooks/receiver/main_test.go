package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/webhook"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

const (
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body   = `{"id":"0198c0de-0000-7000-8000-000000000001","type":"sale_invoice.issued","companyId":"c","createdAt":"2026-01-02T03:04:05Z","data":{"object":"sale_invoice","id":"i"}}`
)

var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// desk is a receiver that counts what it handles.
func desk(t *testing.T, fail *bool) (*Receiver, *int) {
	t.Helper()
	key, err := KeyOf(secret)
	require.NoError(t, err)
	handled := 0
	return &Receiver{Key: key, Now: func() time.Time { return noon }, Handle: func(Event) error {
		if fail != nil && *fail {
			return errors.New("no")
		}
		handled++
		return nil
	}}, &handled
}

// signed is a request as the scheme's own library signs it.
func signed(t *testing.T, id string, at time.Time, text string) *http.Request {
	t.Helper()
	signer, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	signature, err := signer.Sign(id, at, []byte(text))
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(text))
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	r.Header.Set("webhook-signature", signature)
	return r
}

func answer(h http.Handler, r *http.Request) int {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

func TestReceiver(t *testing.T) {
	t.Parallel()
	t.Run("EachIdIsHandledOnce", func(t *testing.T) {
		t.Parallel()
		r, handled := desk(t, nil)
		require.Equal(t, http.StatusNoContent, answer(r, signed(t, "a", noon, body)))
		require.Equal(t, http.StatusNoContent, answer(r, signed(t, "a", noon.Add(time.Minute), body)))
		require.Equal(t, 1, *handled)
		require.Equal(t, http.StatusNoContent, answer(r, signed(t, "b", noon, body)))
		require.Equal(t, 2, *handled)
	})
	t.Run("FailedWorkComesAgain", func(t *testing.T) {
		t.Parallel()
		fail := true
		r, handled := desk(t, &fail)
		require.Equal(t, http.StatusServiceUnavailable, answer(r, signed(t, "a", noon, body)))
		fail = false
		require.Equal(t, http.StatusNoContent, answer(r, signed(t, "a", noon, body)))
		require.Equal(t, 1, *handled)
	})
	t.Run("EitherOfTwoSignaturesIsEnough", func(t *testing.T) {
		t.Parallel()
		r, _ := desk(t, nil)
		request := signed(t, "a", noon, body)
		request.Header.Set("webhook-signature", "v1,AAAA v2,abc "+request.Header.Get("webhook-signature"))
		require.Equal(t, http.StatusNoContent, answer(r, request))
	})
	for name, change := range map[string]func(*http.Request){
		"OtherIdIsRefused":          func(r *http.Request) { r.Header.Set("webhook-id", "b") },
		"OtherTimeIsRefused":        func(r *http.Request) { r.Header.Set("webhook-timestamp", strconv.FormatInt(noon.Unix()+1, 10)) },
		"OtherSignatureIsRefused":   func(r *http.Request) { r.Header.Set("webhook-signature", "v1,AAAA") },
		"MissingSignatureIsRefused": func(r *http.Request) { r.Header.Del("webhook-signature") },
		"MissingIdIsRefused":        func(r *http.Request) { r.Header.Del("webhook-id") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, handled := desk(t, nil)
			request := signed(t, "a", noon, body)
			change(request)
			require.Equal(t, http.StatusUnauthorized, answer(r, request))
			require.Zero(t, *handled)
		})
	}
	t.Run("RecordedRequestIsRefused", func(t *testing.T) {
		t.Parallel()
		r, _ := desk(t, nil)
		require.Equal(t, http.StatusUnauthorized, answer(r, signed(t, "a", noon.Add(-6*time.Minute), body)))
		require.Equal(t, http.StatusUnauthorized, answer(r, signed(t, "a", noon.Add(6*time.Minute), body)))
	})
}

// The receiver against the server's own dispatcher: an event that is sent twice is handled once.
func TestReceiverOfADispatcher(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c := e.Company(t)
	vault, err := delivery.NewVault("a key of tests that is long enough for it")
	require.NoError(t, err)
	policy := delivery.Policy{Vault: vault, AllowPrivate: true}
	key, err := KeyOf(secret)
	require.NoError(t, err)
	object := tenant.NewID()
	events := make(chan Event, 2)
	requests := make(chan struct{}, 2)
	receiver := &Receiver{Key: key, Now: e.Store.Clock().Now, Handle: func(e Event) error { events <- e; return nil }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		receiver.ServeHTTP(w, r)
		requests <- struct{}{}
	}))
	t.Cleanup(server.Close)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, _, err := delivery.Create(ctx, tx, policy, delivery.CreateInput{URL: server.URL, Events: []string{"*"}, Secret: secret})
		require.NoError(t, err)
		return webhook.Publish(ctx, tx, webhook.Event{Type: "sale_invoice.issued", ObjectType: "sale_invoice", ObjectID: object})
	})
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { delivery.NewDispatcher(e.System, policy).Run(ctx) })
	t.Cleanup(func() { stop(); work.Wait() })
	<-requests
	event := <-events
	require.Equal(t, object.String(), event.Data.ID)
	require.Equal(t, c.Scope.Company().ID.String(), event.CompanyID)

	var sent []delivery.Delivery
	require.Eventually(t, func() bool {
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
			sent, err = tenant.Find[delivery.Delivery](ctx, r, "status = 'delivered'")
			return err
		})
		return len(sent) == 1
	}, 10*time.Second, 20*time.Millisecond)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := delivery.Redeliver(ctx, tx, sent[0].ID)
		return err
	})
	<-requests
	require.Empty(t, events, "the second time it is dropped")
}
