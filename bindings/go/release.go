package standin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// Guarantee is what a release guarantees.
type Guarantee struct {
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta"`
	// Unit is the protected unit: "row" in JSON, or an object with the maximum number of rows per person.
	Unit json.RawMessage `json:"unit"`
	// Neighbours is "add-remove" or "replace".
	Neighbours string `json:"neighbours"`
}

// Release holds the noisy answers about a table, with everything that is needed to make rows from them.
type Release struct {
	handle
	// JSON is the content of its file, which [Core.ParseRelease] reads.
	JSON []byte
	// Guarantee is nil for a release without one. NoGuarantee then says why.
	Guarantee   *Guarantee
	NoGuarantee string
	// IsUnfinished says that rounds are left to measure, with [Resume].
	IsUnfinished bool
}

// facts are what the core says of a release.
type facts struct {
	Guarantee    *Guarantee
	NoGuarantee  string
	IsUnfinished bool
}

func (c *Core) release(number int, text []byte, f facts) *Release {
	return &Release{handle{c, number}, text, f.Guarantee, f.NoGuarantee, f.IsUnfinished}
}

// ParseRelease reads the JSON of a release.
func (c *Core) ParseRelease(text []byte) (*Release, error) {
	var value struct {
		Release int
		Facts   facts
	}
	if _, err := c.ask(context.Background(), request{"request": "release"}, &value, text); err != nil {
		return nil, err
	}
	return c.release(value.Release, bytes.Clone(text), value.Facts), nil
}

// Budget is one that several releases of the same rows share.
type Budget struct {
	handle
	// JSON is its state, with every charge so far.
	JSON []byte
}

// ParseBudget reads the state of a budget:
//
//	{"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}
func (c *Core) ParseBudget(state []byte) (*Budget, error) {
	var value struct {
		Budget int
		State  json.RawMessage
	}
	if _, err := c.ask(context.Background(), request{"request": "budget", "state": string(state)}, &value); err != nil {
		return nil, err
	}
	return &Budget{handle{c, value.Budget}, value.State}, nil
}

// Run is what a run shares with its caller while it measures. The run continues once a function has returned: what the
// function was given must be on disk by then. If it returns an error, the run ends with that error.
type Run struct {
	// Budget is charged before anything is measured.
	Budget *Budget
	// OnCharge gets the budget's state each time it has changed.
	OnCharge func(budget []byte) error
	// OnRound gets the JSON of an unfinished release each time a round has been added. If the run does not finish,
	// [Resume] continues from it at no further cost.
	OnRound func(unfinished []byte) error
	// UnsafeNoiseKey is for tests only: 32 bytes that everyone may know. The release then has no guarantee.
	UnsafeNoiseKey []byte
}

// Measure measures a table, and nothing more. The options are "rows" and "seed", for the rows that will be made. Save
// the release's JSON before making rows, so that no later failure costs budget again.
func Measure(ctx context.Context, table *Table, plan *Plan, options Options, run Run) (*Release, error) {
	number, err := plan.of(table.core)
	if err != nil {
		return nil, err
	}
	return table.measured(ctx, request{"request": "measure", "plan": number}, options, run)
}

// Resume measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again. The
// only option is "publicTable".
func Resume(ctx context.Context, table *Table, unfinished *Release, options Options, run Run) (*Release, error) {
	number, err := unfinished.of(table.core)
	if err != nil {
		return nil, err
	}
	return table.measured(ctx, request{"request": "resume", "release": number}, options, run)
}

func (t *Table) measured(ctx context.Context, given request, options Options, run Run) (*Release, error) {
	given, err := t.core.with(options, given)
	if err != nil {
		return nil, err
	}
	given["table"] = t.number
	given["rounds"] = run.OnRound != nil
	if run.Budget != nil {
		if given["budget"], err = run.Budget.of(t.core); err != nil {
			return nil, err
		}
	}
	var parts [][]byte
	if run.UnsafeNoiseKey != nil {
		parts = append(parts, run.UnsafeNoiseKey)
	}
	var begun struct{ Run int }
	if _, err := t.core.ask(ctx, given, &begun, parts...); err != nil {
		return nil, err
	}
	defer t.core.drop(begun.Run) // which ends it, wherever it is
	return t.core.finished(ctx, begun.Run, run)
}

// finished asks for a run's events until it is done.
func (c *Core) finished(ctx context.Context, number int, run Run) (*Release, error) {
	for {
		var event struct {
			Event   string
			Release int
			Facts   facts
		}
		parts, err := c.ask(ctx, request{"request": "next", "run": number}, &event)
		if err != nil {
			return nil, err
		}
		if event.Event == "measured" {
			return c.release(event.Release, parts[0], event.Facts), nil
		}
		if err := run.hear(event.Event, parts[0]); err != nil {
			return nil, err
		}
	}
}

// hear passes on what leaves a run before its end.
func (r Run) hear(event string, text []byte) error {
	hook := r.OnRound
	switch event {
	case "charged":
		r.Budget.JSON = text
		hook = r.OnCharge
	case "round":
	default:
		return fmt.Errorf("standin: a run has an event %q, which this version does not know", event)
	}
	if hook == nil {
		return nil
	}
	return hook(text)
}

// Synthetic is what was made from a release.
type Synthetic struct {
	// Tables are the synthetic tables: one, unless the mechanism makes several.
	Tables []*Table
	// Rows is the number of rows of each.
	Rows int
	// Outcome says in JSON how the search for rows went, and how well they fit.
	Outcome json.RawMessage
	// Release is the same release, with the number of rows and the seed of these tables.
	Release *Release
}

// Resample makes rows from a release, without data and without budget. Its options are "rows", "seed" and, where the
// release was made with one, "publicTable". With the release's own rows and seed, the result is always the same.
func Resample(ctx context.Context, release *Release, options Options) (*Synthetic, error) {
	core := release.core
	given, err := core.with(options, request{"request": "resample", "release": release.number})
	if err != nil {
		return nil, err
	}
	var value struct {
		Tables  []int
		Rows    int
		Columns []string
		Outcome json.RawMessage
		Release int
		Facts   facts
	}
	parts, err := core.ask(ctx, given, &value)
	if err != nil {
		return nil, err
	}
	made := &Synthetic{
		Rows:    value.Rows,
		Outcome: value.Outcome,
		Release: core.release(value.Release, parts[0], value.Facts),
	}
	for _, number := range value.Tables {
		made.Tables = append(made.Tables, &Table{handle{core, number}, value.Columns})
	}
	return made, nil
}
