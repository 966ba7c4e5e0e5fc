package standin

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestMemoryLeavesNothingBehind(t *testing.T) {
	memory := newWipedMemory(4, 1<<20)
	first := memory.Reallocate(4)
	copy(first, "rows")
	second := memory.Reallocate(100_000)
	if !bytes.Equal(first, make([]byte, 4)) {
		t.Errorf("%q was left behind", first)
	}
	if !bytes.Equal(second, append([]byte("rows"), make([]byte, 99_996)...)) {
		t.Error("the bytes did not move")
	}
	memory.Free()
	if !bytes.Equal(second, make([]byte, 100_000)) {
		t.Error("rows are left after the end")
	}
}

func TestCoresSeeNoRows(t *testing.T) {
	core, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	schema, err := core.ParseSchema([]byte(`{"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F"]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	text := "sex,note\n" + strings.Repeat("F,a secret of somebody\n", 5000)
	table, err := ReadCSV(context.Background(), strings.NewReader(text), schema)
	if err != nil {
		t.Fatal(err)
	}
	memory := core.host.core.Memory()
	if bytes.Contains(bytesIn(core.host.core, 0, memory.Size()), []byte("a secret of somebody")) {
		t.Error("a record is in the core's memory")
	}
	before := len(core.host.engines)
	if table.Close(); len(core.host.engines) >= before {
		t.Errorf("%d instances of %d are left", len(core.host.engines), before)
	}
}
