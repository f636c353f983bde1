package webui

import (
	"maps"
	"regexp"
	"slices"
)

// Shapes of keys that a client makes anew from what it should keep: a moment, or a digest of the content.
var (
	momentKey = regexp.MustCompile(`^\d{10}(\d{3})?(\d{3})?$|^\d{4}-\d{2}-\d{2}[T _]\d{2}|\b1[6-9]\d{8,11}$`)
	digestKey = regexp.MustCompile(`^(?i)([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$`)
)

// stubborn is how many refusals of one request show that a client does not read the answer.
const stubborn = 5

// habits are what a client's refusals say about it.
type habits struct {
	keysOf   map[string]map[string]bool // keys by the document that existed
	moments  int
	digests  int
	keyless  int
	reuses   int
	stubborn int
}

// hints tell which clients handle keys badly, and what to change in them.
func (v *visit) hints(recent []record) *notice {
	clients := map[string]*habits{}
	for _, r := range recent {
		if r.has("reviewedAt") {
			continue
		}
		actor := r.text("actorType") + " " + r.text("actorId")
		if clients[actor] == nil {
			clients[actor] = &habits{keysOf: map[string]map[string]bool{}}
		}
		clients[actor].note(r)
	}
	n := &notice{Kind: "warn", Title: v.t("hints.title")}
	for _, actor := range slices.Sorted(maps.Keys(clients)) {
		for _, id := range clients[actor].found() {
			n.Items = append(n.Items, link{Text: v.t(id, "Actor", actor), URL: v.with("actor", actor[indexAfterBlank(actor):], "page", "", "outcome", "")})
		}
	}
	if len(n.Items) == 0 {
		return nil
	}
	return n
}

func indexAfterBlank(s string) int {
	for i := range s {
		if s[i] == ' ' {
			return i + 1
		}
	}
	return 0
}

func (h *habits) note(r record) {
	key, reason := r.text("key"), r.text("reason")
	switch {
	case key == "":
		h.keyless++
	case momentKey.MatchString(key):
		h.moments++
	case digestKey.MatchString(key):
		h.digests++
	}
	if existing := r.text("existingId"); existing != "" && key != "" {
		if h.keysOf[existing] == nil {
			h.keysOf[existing] = map[string]bool{}
		}
		h.keysOf[existing][key] = true
	}
	if reason == "key_reuse" {
		h.reuses++
	}
	if r.whole("occurrences") >= stubborn {
		h.stubborn++
	}
}

// found names the habits as message ids.
func (h *habits) found() []string {
	var out []string
	for _, keys := range h.keysOf {
		if len(keys) > 1 {
			out = append(out, "hints.newKeyPerAttempt")
			break
		}
	}
	for _, habit := range []struct {
		is bool
		id string
	}{
		{h.moments > 0, "hints.moment"},
		{h.digests > 0, "hints.digest"},
		{h.keyless > 0, "hints.noKey"},
		{h.reuses > 1, "hints.reuse"},
		{h.stubborn > 0, "hints.stubborn"},
	} {
		if habit.is {
			out = append(out, habit.id)
		}
	}
	return out
}
