//go:build unix

package galera_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestNodes sends what belongs together to servers on different nodes (R21).
func TestNodes(t *testing.T) { //nolint:paralleltest // the cluster is as much as the machine can bear
	w := newWorld(t)
	for _, test := range []struct { //nolint:paralleltest // shares the cluster
		name string
		run  func(*testing.T, *world)
	}{
		{"R21_TwinsOfTwoNodesHaveOneEffect", twins},
		{"R21_CrowdsOfTwoNodesHaveOneEffect", crowds},
		{"R30_ReplayOnTheOtherNodeRightAway", replayElsewhere},
		{"R13_OtherRequestOnTheOtherNode", reuseElsewhere},
		{"WhatOneNodeAnsweredTheOtherKnows", readElsewhere},
		{"NumbersOfTwoNodesHaveNoGaps", numbers},
		{"MonthIsLockedAgainstTheOtherNode", monthLocked},
		{"PostingsOfTwoNodesRunSideBySide", postings},
		{"CreditsOfTwoNodesNeverExceedTheInvoice", credits},
		{"LastAdminStaysOne", lastAdmin},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, w) })
	}
	w.requireInOrder(t)
}

// Both run, since a node does not see the other's open transaction; the one that is rolled back at commit answers with what the
// winner stored.
func twins(t *testing.T, w *world) {
	c := w.company(t)
	replays := 0
	const rounds = 8
	for round := range rounds {
		key := process.Key(fmt.Sprint("K", round))
		answers := atOnce(
			func() process.Answer { return c[0].Post(t, postEntry, entry("2026-03-01", "1.00"), key, meeting) },
			func() process.Answer { return c[1].Post(t, postEntry, entry("2026-03-01", "1.00"), key, meeting) },
		)
		for _, a := range answers {
			require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
			require.Equal(t, string(answers[0].Body), string(a.Body))
			if a.Header.Get("Idempotent-Replayed") == "true" {
				replays++
			}
		}
		require.Equal(t, round+1, total(t, c[round%2], listEntries))
	}
	require.Equal(t, rounds, replays, "one of each two ran, the other answers with what it stored")
}

func crowds(t *testing.T, w *world) {
	c := w.company(t)
	for round := range 20 {
		key := process.Key(fmt.Sprint("K", round))
		senders := make([]func() process.Answer, 10)
		for i := range senders {
			senders[i] = func() process.Answer { return c[i%2].Post(t, postEntry, entry("2026-03-01", "1.00"), key) }
		}
		ids := map[string]bool{}
		for _, a := range atOnce(senders...) {
			if a.Status == http.StatusOK {
				ids[a.ID(t)] = true
				continue
			}
			a.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
		}
		require.Len(t, ids, 1)
		require.Equal(t, round+1, total(t, c[round%2], listEntries))
	}
}

func replayElsewhere(t *testing.T, w *world) {
	c := w.company(t)
	for round := range 30 {
		key := process.Key(fmt.Sprint("K", round))
		first := c[round%2].OK(t, postEntry, entry("2026-03-01", "1.00"), nil, key)
		again := c[1-round%2].OK(t, postEntry, entry("2026-03-01", "1.00"), nil, key)
		require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
		require.Equal(t, string(first.Body), string(again.Body))
	}
	require.Equal(t, 30, total(t, c[0], listEntries))
}

// Another request under the key of a running one learns so at commit at the latest.
func reuseElsewhere(t *testing.T, w *world) {
	c := w.company(t)
	for round := range 4 {
		key := process.Key(fmt.Sprint("K", round))
		answers := atOnce(
			func() process.Answer { return c[0].Post(t, postEntry, entry("2026-03-01", "1.00"), key, meeting) },
			func() process.Answer { return c[1].Post(t, postEntry, entry("2026-03-01", "2.00"), key, meeting) },
		)
		slices.SortFunc(answers, func(a, b process.Answer) int { return a.Status - b.Status })
		require.Equal(t, http.StatusOK, answers[0].Status, "%s", answers[0].Body)
		answers[1].RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
		require.Equal(t, round+1, total(t, c[round%2], listEntries))
	}
}

func readElsewhere(t *testing.T, w *world) {
	c := w.company(t)
	for round := range 30 {
		id := c[round%2].OK(t, "/v1/partners/create", body{"name": fmt.Sprint("Buyer ", round)}, nil).ID(t)
		c[1-round%2].OK(t, "/v1/partners/get", body{"id": id}, nil)
	}
}

func numbers(t *testing.T, w *world) {
	c := w.company(t)
	buyer := c[0].OK(t, "/v1/partners/create", body{"name": "Buyer"}, nil).ID(t)
	const documents = 12
	senders := make([]func() process.Answer, documents)
	for i := range senders {
		draft := c[0].OK(t, "/v1/sales/invoices/create", body{
			"partnerId": buyer, "issueDate": "2026-03-01", "lines": []body{{"description": "x", "unitPriceExclVat": "10.00"}},
		}, nil).ID(t)
		senders[i] = func() process.Answer {
			return c[i%2].Insist(t, "/v1/sales/invoices/issue", body{"id": draft}, process.Key(fmt.Sprint("K", i)))
		}
	}
	var taken []int
	for _, a := range atOnce(senders...) {
		require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
		var sale struct {
			Number int `json:"number"`
		}
		a.Read(t, &sale)
		taken = append(taken, sale.Number)
	}
	slices.Sort(taken)
	for i, number := range taken {
		require.Equal(t, i+1, number)
	}
}
