package standin

import (
	"bytes"
	"context"
	"errors"
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
	schema, err := core.ParseSchema([]byte(
		`{"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F"]}}]}`,
	))
	if err != nil {
		t.Fatal(err)
	}
	text := "sex,note\n" + strings.Repeat("F,a secret of somebody\n", 5000)
	table, err := ReadCSV(context.Background(), strings.NewReader(text), schema)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(*core.host.memory, []byte("a secret of somebody")) {
		t.Error("a record is in the core's memory")
	}
	var rows []byte
	for _, engine := range core.host.engines {
		rows, _ = engine.Memory().Read(0, engine.Memory().Size())
	}
	table.Close()
	if len(core.host.engines) != 0 || !bytes.Equal(rows, make([]byte, len(rows))) {
		t.Errorf("%d instances are left, or bytes of theirs", len(core.host.engines))
	}
}

func TestTrapsBreakTheCore(t *testing.T) {
	core, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	if core.host.core.Xcore_alloc(-1<<20) != 0 {
		t.Error("a core has room for 4 GiB")
	}
	memory := core.host.memory
	for _, seen := range []*[]byte{new([]byte), memory} {
		core.host.memory = seen
		_, err := core.Version()
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != "core/fault" {
			t.Errorf("got %v instead of a fault", err)
		}
	}
}

func TestRunsThatEndEarlyGiveTheirVaultBack(t *testing.T) {
	ctx := context.Background()
	core, err := Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	const field = `{"type": "boolean", "constraints": {"required": true}, "name": `
	schema, err := core.ParseSchema([]byte(`{"fields": [` + field + `"a"}, ` + field + `"b"}, ` + field + `"c"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	table, err := ReadCSV(ctx, strings.NewReader("a,b,c\ntrue,false,true\n"), schema)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := schema.Plan(Options{"epsilon": 1, "rounds": 2})
	if err != nil {
		t.Fatal(err)
	}
	// What a finished run leaves, such as the instance that all requests share, stays.
	if _, err := Measure(ctx, table, plan, nil, Run{}); err != nil {
		t.Fatal(err)
	}
	before, during := len(core.host.engines), 0
	full := errors.New("the disk is full")
	release, err := Measure(ctx, table, plan, nil, Run{OnRound: func([]byte) error {
		during = len(core.host.engines)
		return full
	}})
	if release != nil || err != full {
		t.Errorf("got %v, %v instead of the function's error", release, err)
	}
	if after := len(core.host.engines); during <= before || after != before {
		t.Errorf("%d instances, %d in the run, %d after it", before, during, after)
	}
}
