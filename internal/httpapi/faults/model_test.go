package faults_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
)

// model is what the clients know: which mutations were acknowledged, and by what answer.
type model struct {
	mu    sync.Mutex
	asked map[kind]map[string]*deed // by mark
	// answers are the first acknowledgement of each key.
	answers map[string]string
	// faults are answers that no client should ever have got.
	faults []string
}

func newModel() *model {
	m := &model{asked: map[kind]map[string]*deed{}, answers: map[string]string{}}
	for k := range facets {
		m.asked[k] = map[string]*deed{}
	}
	return m
}

// ask notes a mutation before it is sent for the first time.
func (m *model) ask(d *deed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[d.kind][d.mark] = d
}

// acknowledge notes an answer; every later one must be equal byte for byte.
func (m *model) acknowledge(d *deed, answer string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if first, known := m.answers[d.key]; known && first != answer {
		m.faults = append(m.faults, fmt.Sprintf("%q was answered twice, differently: %s and %s", d.key, first, answer))
		return
	}
	m.answers[d.key] = answer
}

// complain notes an answer that breaks a promise.
func (m *model) complain(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults = append(m.faults, fmt.Sprintf(format, args...))
}

// verdict is what the books show of the model.
type verdict struct {
	acknowledged, unanswered, lost, duplicated, half int
	faults                                           []string
}

// judge compares the model with the books.
func (m *model) judge(t *testing.T, company *testkit.Company) verdict {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	v := verdict{faults: slices.Clone(m.faults)}
	stored := count(t, company, claims)
	for k, parts := range facets {
		effects := count(t, company, parts[0].query)
		for mark := range effects {
			if m.asked[k][mark] == nil {
				v.fault("nobody asked for the %s %q", parts[0].name, mark)
			}
		}
		for mark, d := range m.asked[k] {
			v.weigh(d, m.answers[d.key] != "", effects[mark], stored[d.key])
		}
		for _, part := range parts[1:] {
			found := count(t, company, part.query)
			for mark := range m.asked[k] {
				if found[mark] != effects[mark]*part.each {
					v.half++
					v.fault("%s %q is there %d times, and %s %d times", k, mark, effects[mark], part.name, found[mark])
				}
			}
		}
	}
	for series := range count(t, company, gaps) {
		v.fault("the series %q has a gap", series)
	}
	for key := range count(t, company, running) {
		v.fault("the key %q has a committed claim that runs", key)
	}
	return v
}

// weigh judges one mutation by its effect and its stored answer.
func (v *verdict) weigh(d *deed, acknowledged bool, effects, claims int) {
	if acknowledged {
		v.acknowledged++
	} else {
		v.unanswered++
	}
	switch {
	case effects > 1:
		v.duplicated++
		v.fault("%q has %d effects", d.key, effects)
	case effects == 0 && acknowledged:
		v.lost++
		v.fault("%q was acknowledged and has no effect", d.key)
	case effects != claims:
		v.half++
		v.fault("%q has %d effects and %d stored answers", d.key, effects, claims)
	}
}

func (v *verdict) fault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// count runs a query that counts by a text, in one company.
func count(t *testing.T, company *testkit.Company, query string) map[string]int {
	t.Helper()
	rows, err := company.Engine.Admin.Reader().QueryContext(context.Background(), query, company.Scope.Company().ID)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	counts := map[string]int{}
	for rows.Next() {
		var text *string
		var n int
		require.NoError(t, rows.Scan(&text, &n))
		if text != nil {
			counts[*text] = n
		}
	}
	require.NoError(t, rows.Err())
	return counts
}

// sample draws acknowledged mutations to send once more.
func (m *model) sample(most int) []*deed {
	m.mu.Lock()
	defer m.mu.Unlock()
	var drawn []*deed
	for _, byMark := range m.asked {
		for _, mark := range slices.Sorted(maps.Keys(byMark)) {
			if d := byMark[mark]; m.answers[d.key] != "" && len(drawn) < most {
				drawn = append(drawn, d)
			}
		}
	}
	return drawn
}
