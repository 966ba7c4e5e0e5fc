package standin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"standin"
)

func TestVectors(t *testing.T) {
	core := open(t)
	for _, vector := range vectors() {
		if err := remake(core, vector); err != nil {
			t.Error(err)
		}
	}
}

func TestCoresWorkAtTheSameTime(t *testing.T) {
	var group sync.WaitGroup
	for range 2 {
		core := open(t)
		group.Go(func() {
			for _, vector := range vectors()[:4] {
				if err := remake(core, vector); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestOneCoreTakesTurns(t *testing.T) {
	core := open(t)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for _, vector := range vectors()[:4] {
				if err := remake(core, vector); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// TestRefusals expects the same errors as the npm package's, which testdata/record.mjs has recorded.
func TestRefusals(t *testing.T) {
	core := open(t)
	var cases []struct {
		Schema   json.RawMessage
		CSV      *string
		Options  standin.Options
		Expected standin.Error
	}
	if err := json.Unmarshal(must(os.ReadFile("testdata/refusals.json")), &cases); err != nil {
		t.Fatal(err)
	}
	for _, one := range cases {
		err := func() error {
			schema, err := core.ParseSchema(one.Schema)
			if err != nil {
				return err
			}
			if one.CSV != nil {
				_, err = standin.ReadCSV(background, strings.NewReader(*one.CSV), schema)
				return err
			}
			_, err = schema.Plan(one.Options)
			return err
		}()
		var refused *standin.Error
		if !errors.As(err, &refused) || *refused != one.Expected {
			t.Errorf("got %v instead of %v", err, one.Expected.Message)
		}
	}
	if version := must(core.Version()); version == "" {
		t.Error("no version after refusals")
	}
}

func TestReadsLargeTablesThroughSmallReaders(t *testing.T) {
	core := open(t)
	schema := must(core.ParseSchema([]byte(
		`{"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": true}}]}`,
	)))
	const rows = 300_000
	text := "\xef\xbb\xbfnote,sex\r\n" + strings.Repeat("\"a, b\",F\r\nsome words,M\r\n", rows/2)
	expected := "sex\n" + strings.Repeat("F\nM\n", rows/2)
	for name, reader := range map[string]io.Reader{
		"whole":               strings.NewReader(text),
		"bytes":               iotest.OneByteReader(strings.NewReader(text)),
		"halves with the end": iotest.DataErrReader(iotest.HalfReader(strings.NewReader(text))),
	} {
		table := must(standin.ReadCSV(background, reader, schema))
		if len(table.Columns) != 1 || written(t, table) != expected {
			t.Errorf("%s: another table", name)
		}
		table.Close()
		if _, err := table.WriteTo(io.Discard); err == nil {
			t.Error("a closed table is written")
		} else {
			expectCode(t, err, "host/handle")
		}
	}
	broken := errors.New("broken")
	_, err := standin.ReadCSV(background, iotest.ErrReader(broken), schema)
	if err != broken {
		t.Errorf("got %v instead of the reader's error", err)
	}
	_, err = standin.ReadCSV(background, strings.NewReader("\xef\xbb\xbf"), schema)
	expectCode(t, err, "files/empty")
}

func TestOtherEncodings(t *testing.T) {
	core := open(t)
	schema := must(core.ParseSchema([]byte(
		`{"encoding": "sjis", "fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]}`,
	)))
	if schema.Encoding != "shift_jis" || schema.IsDecoded {
		t.Errorf("got %s, %v", schema.Encoding, schema.IsDecoded)
	}
	_, err := standin.ReadCSV(background, strings.NewReader("sex\nF\n"), schema)
	expectCode(t, err, "host/encoding")
	table := must(standin.ReadCSV(background, standin.Decoded{Reader: strings.NewReader("sex\nF\n")}, schema))
	if text := written(t, table); text != "sex\nF\n" {
		t.Errorf("got %q", text)
	}
}

type shortWriter struct{ left int }

var errFull = errors.New("full")

func (w *shortWriter) Write(bytes []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errFull
	}
	return len(bytes), nil
}

func TestWriterErrors(t *testing.T) {
	core := open(t)
	schema := must(core.ParseSchema([]byte(`{"fields": [{"name": "n", "type": "integer", "constraints":
		{"minimum": 0, "maximum": 9, "required": true}}]}`)))
	table := must(standin.ReadCSV(background, strings.NewReader("n\n"+strings.Repeat("1\n", 100_000)), schema))
	count, err := table.WriteTo(&shortWriter{1})
	if err != errFull || count < 65_536 || count > 190_000 {
		t.Errorf("got %d, %v", count, err)
	}
}

func TestCancelling(t *testing.T) {
	core := open(t)
	v := vectorNamed("rounds")
	plan, table := begun(core, v)
	why := errors.New("no time")
	expectCancelled := func(err error) {
		t.Helper()
		expectCode(t, err, "host/cancelled")
		if !errors.Is(err, why) {
			t.Errorf("%v has another cause", err)
		}
	}
	ctx, cancel := context.WithCancelCause(background)
	rounds := 0
	_, err := standin.Measure(ctx, table, plan, nil, standin.Run{OnRound: func([]byte) error {
		rounds++
		cancel(why)
		return nil
	}})
	expectCancelled(err)
	if rounds != 1 {
		t.Errorf("%d rounds were handed over", rounds)
	}
	_, err = standin.ReadCSV(ctx, strings.NewReader(v.CSV), must(core.ParseSchema(v.Schema)))
	expectCancelled(err)
	_, err = standin.Resample(ctx, must(core.ParseRelease(v.Release)), standin.Options{"rows": 100_000})
	expectCancelled(err)
	if err := remake(core, v); err != nil {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	core := open(t)
	plan, table := begun(core, vectorNamed("rounds"))
	var heard []standin.Progress
	ctx := standin.WithProgress(background, func(progress standin.Progress) { heard = append(heard, progress) })
	release := must(standin.Measure(ctx, table, plan, nil, standin.Run{}))
	isRound := func(progress standin.Progress) bool { return progress.Phase == "round" && progress.Of > 1 }
	if last := len(heard) - 1; !slices.ContainsFunc(heard, isRound) || heard[last].Phase != "measured" {
		t.Errorf("measuring: %v", heard)
	}
	heard = nil
	must(standin.Resample(ctx, release, nil))
	isDone := func(progress standin.Progress) bool {
		return progress.Phase == "search" && progress.Step > 0 && progress.Loss > 0 && progress.Stop != ""
	}
	if !slices.ContainsFunc(heard, isDone) {
		t.Errorf("making rows: %v", heard)
	}
}

func TestRunsGoOnElsewhere(t *testing.T) {
	v := vectorNamed("rounds")
	state := []byte(`{"epsilon": 500, "delta": 1e-3, "neighbours": "add-remove", "unit": "row", "spent": []}`)
	enough := errors.New("enough")
	var kept, budget []byte
	core := open(t)
	plan, table := begun(core, v)
	run := standin.Run{
		Budget:   must(core.ParseBudget(state)),
		OnCharge: func(state []byte) error { budget = state; return nil },
		OnRound:  func(unfinished []byte) error { kept = unfinished; return enough },
	}
	if _, err := standin.Measure(background, table, plan, nil, run); err != enough {
		t.Fatalf("got %v instead of the function's error", err)
	}
	if !bytes.Equal(run.Budget.JSON, budget) {
		t.Error("the budget has another state than was handed over")
	}

	other := open(t)
	_, again := begun(other, v)
	unfinished := must(other.ParseRelease(kept))
	if !unfinished.IsUnfinished {
		t.Error("a release with one of two rounds is finished")
	}
	_, err := standin.Resample(background, unfinished, nil)
	expectCode(t, err, "release/unfinished")
	_, err = standin.Resume(background, again, unfinished, nil, standin.Run{})
	expectCode(t, err, "budget/missing")
	_, err = standin.Resume(background, again, unfinished, standin.Options{"rows": 3}, standin.Run{})
	expectCode(t, err, "options/unknown")
	_, err = standin.Resume(background, table, unfinished, nil, standin.Run{})
	expectCode(t, err, "host/handle")
	shared := must(other.ParseBudget(budget))
	release, err := standin.Resume(background, again, unfinished, nil, standin.Run{Budget: shared})
	if err != nil || release.IsUnfinished || release.Guarantee == nil || release.Guarantee.Neighbours != "add-remove" {
		t.Errorf("got %v, %v", release, err)
	}
	var spent struct{ Spent []struct{ Items int } }
	if err := json.Unmarshal(shared.JSON, &spent); err != nil || len(spent.Spent) != 1 || spent.Spent[0].Items < 3 {
		t.Errorf("spent %v, %v", spent, err)
	}
	_, err = standin.Resume(background, again, unfinished, nil, standin.Run{Budget: shared})
	expectCode(t, err, "budget/resumed")
}

func TestRefusesBudgetsThatStateTheirChargesTwice(t *testing.T) {
	_, err := open(t).ParseBudget([]byte(`{"epsilon": 9, "delta": 1e-3, "neighbours": "add-remove", "unit": "row",
		"spent": [{"rho": "9", "delta": 0}], "spent": []}`))
	expectCode(t, err, "budget/state")
	if err != nil && !strings.Contains(err.Error(), "twice") {
		t.Error(err)
	}
}

func TestPublicRowsAndComparisons(t *testing.T) {
	core := open(t)
	v := vectorNamed("pairs")
	_, table := begun(core, v)
	schema := must(core.ParseSchema(v.Schema))
	public := must(standin.ReadCSV(background, strings.NewReader(v.Output.CSV), schema))
	plan := must(schema.Plan(standin.Options{"epsilon": 2, "publicTable": public}))
	release := must(standin.Measure(background, table, plan, nil, standin.Run{}))
	_, err := standin.Resample(background, release, nil)
	if err == nil {
		t.Error("rows are made without the public table")
	}
	made := must(standin.Resample(background, release, standin.Options{"publicTable": public, "rows": 50}))
	if made.Rows != 50 || strings.Count(written(t, made.Tables[0]), "\n") != 51 || !json.Valid(made.Outcome) {
		t.Errorf("made %v", made)
	}
	compare := func(options standin.Options) (*standin.QueryErrors, error) {
		return standin.NonPrivateQueryErrors(background, table, made.Tables[0], schema, options)
	}
	errors := must(compare(standin.Options{"workload": "1-way"}))
	if errors.Rows.Real != 240 || errors.Rows.Synthetic != 50 || errors.MeanTV <= 0 || len(errors.Worst) == 0 {
		t.Errorf("got %v", errors)
	}
	if errors.Utility != nil || errors.Workloads != len(schema.Fields) {
		t.Errorf("got %v", errors)
	}
	_, err = schema.Plan(standin.Options{"epsilon": 2, "publicTable": "none"})
	expectCode(t, err, "host/handle")
	phases := map[string]bool{}
	ctx := standin.WithProgress(background, func(progress standin.Progress) { phases[progress.Phase] = true })
	queries := []any{map[string]string{"expression": "age < 30"}}
	more := must(standin.NonPrivateQueryErrors(ctx, table, made.Tables[0], schema, standin.Options{
		"workload": "1-way", "queries": queries, "targets": []string{"sex"}, "test": table,
	}))
	// Each column, the expression, and each other column with the target.
	if more.Workloads != 2*errors.Workloads || more.Classes[1].Query != "expression" || more.Classes[1].Cells != 1 {
		t.Errorf("got %v", more)
	}
	asked := must(compare(standin.Options{"workload": "1-way", "queries": queries}))
	if !slices.ContainsFunc(asked.Worst, func(far standin.FarQuery) bool {
		return slices.Equal(far.Expressions, []string{"age < 30"})
	}) {
		t.Errorf("got %v", asked.Worst)
	}
	if u := more.Utility; u.TestRows != 240 || u.Targets[0].Target != "sex" || *u.Targets[0].F1.Real <= 0 || *u.Targets[0].F1MostFrequent <= 0 {
		t.Errorf("got %v", u)
	}
	if !maps.Equal(phases, map[string]bool{"train": true}) {
		t.Errorf("got %v", phases)
	}
	_, err = compare(standin.Options{"workload": "9-way"})
	expectCode(t, err, "workload/unknown")
	_, err = compare(standin.Options{"test": table})
	expectCode(t, err, "options/argument")
}

func TestConfirmFacts(t *testing.T) {
	core := open(t)
	const field = `{"name": %q, "type": "integer", "constraints": {"minimum": 0, "maximum": 9},
		"standin": {"provenance": "read"}}`
	descriptor := []byte(`{"fields": [` + fmt.Sprintf(field, "a") + "," + fmt.Sprintf(field, "b") + `]}`)
	if read := must(core.ParseSchema(descriptor)).ReadFacts; len(read) < 2 {
		t.Errorf("read facts: %q", read)
	}
	some := must(core.ParseSchema(must(core.ConfirmFacts(descriptor, "a"))))
	for _, fact := range some.ReadFacts {
		if !strings.HasPrefix(fact, "b") {
			t.Errorf("%q is still read", fact)
		}
	}
	all := must(core.ParseSchema(must(core.ConfirmFacts(descriptor))))
	if len(some.ReadFacts) == 0 || len(all.ReadFacts) != 0 {
		t.Errorf("read facts: %q, then %q", some.ReadFacts, all.ReadFacts)
	}
	_, err := core.ConfirmFacts(descriptor, "c")
	expectCode(t, err, "schema/unknown-column")
}

func TestClosedCores(t *testing.T) {
	core := must(standin.Open(background))
	_, table := begun(core, vectorNamed("pairs"))
	if err := errors.Join(core.Close(), core.Close(), table.Close()); err != nil {
		t.Error(err)
	}
	_, err := table.WriteTo(io.Discard)
	expectCode(t, err, "host/closed")
}

func TestConfigKeepsMachineCode(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kept")
	core := must(standin.Config{CacheDir: folder}.Open(background))
	defer core.Close()
	if len(must(os.ReadDir(folder))) == 0 {
		t.Error("the folder is empty")
	}
	_, err := standin.Config{CacheDir: filepath.Join("go.mod", "folder")}.Open(background)
	if err == nil {
		t.Error("a file is a folder")
	}
}

func TestReadme(t *testing.T) {
	_, rest, _ := strings.Cut(string(must(os.ReadFile("README.md"))), "```go\n")
	program, _, found := strings.Cut(rest, "```\n")
	example := string(must(os.ReadFile("example_test.go")))
	_, example, _ = strings.Cut(example, "func Example() {\n")
	example, _, _ = strings.Cut(example, "\n\t// Output:")
	_, program, _ = strings.Cut(program, "func main() {\n")
	if !found || strings.TrimSpace(program) != strings.TrimSpace(example)+"\n}" {
		t.Error("the README's program is not the example")
	}
}
