// Command go creates and issues one invoice for an order of yours, and does each once however often it has to ask.
//
//	SERVER=http://127.0.0.1:8080 TOKEN=... go run ./docs/guides/clients/go ORDER PARTNER
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	// timeout is longer than the 30 seconds that the server gives the work.
	timeout = 35 * time.Second
	// mostTries bounds a run, after which the same command may be run again.
	mostTries  = 8
	firstPause = 200 * time.Millisecond
	mostPause  = 10 * time.Second
)

// Refusal is the error of an answer. RetryWith is empty when the answer is not the server's.
type Refusal struct {
	Status    int
	Code      string `json:"code"`
	Message   string `json:"message"`
	RequestID string `json:"requestId"`
	RetryWith string `json:"retryWith"`
	Details   struct {
		Reason     string `json:"reason"`
		ExistingID string `json:"existingId"`
	} `json:"details"`
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("refused with %d %s: %s (retry with %s, request %s)", r.Status, r.Details.Reason, r.Message, r.RetryWith, r.RequestID)
}

// isTemporary says whether the same request may simply be sent again.
func (r *Refusal) isTemporary() bool {
	passes := r.Status >= http.StatusInternalServerError || r.Status == http.StatusTooManyRequests
	switch r.RetryWith {
	case "": // something before the server answered
		return passes
	case "same_key":
		return passes || r.Code == "idempotency_in_progress"
	}
	return false
}

// Client calls a server as one caller.
type Client struct {
	Server, Token string
	HTTP          *http.Client
}

// Once does an operation that happens once, and reads its answer into out. The error of an answer is a *Refusal.
func (c Client) Once(path, key string, in, out any) error {
	body, err := json.Marshal(in) // once, so that every try sends the same
	if err != nil {
		return err
	}
	pause := firstPause
	for try := 1; ; try++ {
		answer, after, again, err := c.try(path, key, body)
		if err == nil {
			return json.Unmarshal(answer, out)
		}
		if !again {
			return fmt.Errorf("%s: %w", path, err)
		}
		if try == mostTries {
			return fmt.Errorf("%s has no answer after %d tries; run the same again later: %w", path, try, err)
		}
		wait := max(pause, after)
		time.Sleep(wait + rand.N(wait/2)) //nolint:gosec // spreads clients in time and keeps no secret
		pause = min(pause*2, mostPause)
	}
}

// try sends the request, and says of an error whether it may be sent again and how long to wait at least.
func (c Client) try(path, key string, body []byte) (answer []byte, after time.Duration, again bool, err error) {
	request, err := http.NewRequest(http.MethodPost, c.Server+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, false, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := c.HTTP.Do(request)
	if err != nil {
		return nil, 0, true, err // it may have happened, and the same key finds out
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		return nil, 0, true, err // half an answer is none
	}
	if response.StatusCode == http.StatusOK {
		return answer, 0, false, nil
	}
	var refused struct {
		Error Refusal `json:"error"`
	}
	_ = json.Unmarshal(answer, &refused) // the page of a load balancer is no JSON and leaves it empty
	refused.Error.Status = response.StatusCode
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // none is 0
	return nil, time.Duration(seconds) * time.Second, refused.Error.isTemporary(), &refused.Error
}

// Invoice creates and issues the invoice of an order and gives its number. The order exists once in your books, so its
// name and the step make a key that a new run of this program makes again.
func (c Client) Invoice(order, partner string) (string, error) {
	var draft, issued struct {
		ID         string `json:"id"`
		FullNumber string `json:"fullNumber"`
	}
	line := map[string]any{"description": "Consulting", "quantity": 2, "unitPriceExclVat": "50.00"}
	in := map[string]any{"partnerId": partner, "lines": []any{line}}
	if err := c.Once("/v1/sales/invoices/create", order+" create", in, &draft); err != nil {
		return "", err
	}
	err := c.Once("/v1/sales/invoices/issue", order+" issue", map[string]any{"id": draft.ID}, &issued)
	return issued.FullNumber, err
}

func main() {
	c := Client{Server: os.Getenv("SERVER"), Token: os.Getenv("TOKEN"), HTTP: &http.Client{Timeout: timeout}}
	if len(os.Args) != 3 || c.Server == "" || c.Token == "" {
		log.Fatal("usage: SERVER=... TOKEN=... go run ./docs/guides/clients/go ORDER PARTNER")
	}
	number, err := c.Invoice(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	_, _ = fmt.Fprintln(os.Stdout, number)
}
