package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMapIsBounded(t *testing.T) {
	t.Parallel()
	var m Map[int, int]
	for i := range maxValues {
		m.Put(i, i)
	}
	kept, ok := m.Get(0)
	require.True(t, ok)
	require.Zero(t, kept)
	m.Forget(1)
	_, ok = m.Get(1)
	require.False(t, ok)
	m.Put(1, 1)
	m.Put(maxValues, 0)
	_, ok = m.Get(0)
	require.False(t, ok, "a full map starts anew")
	_, ok = m.Get(maxValues)
	require.True(t, ok)
}
