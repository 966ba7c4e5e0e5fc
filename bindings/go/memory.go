package standin

import (
	"slices"

	"github.com/tetratelabs/wazero/experimental"
)

// wipedMemory is the memory of a module, which leaves no copy of its bytes behind: what it grows out of, and what is
// given back, is overwritten with zeros. Instances of the engine hold private rows.
type wipedMemory struct {
	bytes []byte
}

func newWipedMemory(capacity, _ uint64) experimental.LinearMemory {
	return &wipedMemory{make([]byte, 0, capacity)}
}

// Reallocate gives the memory this many bytes, at least as many as it has.
func (m *wipedMemory) Reallocate(size uint64) []byte {
	old := m.bytes
	m.bytes = slices.Grow(old, int(size)-len(old))[:size]
	if cap(m.bytes) != cap(old) {
		clear(old)
	}
	return m.bytes
}

// Free is called when the module is closed.
func (m *wipedMemory) Free() {
	clear(m.bytes)
	m.bytes = nil
}
