package standin

import (
	"context"
	"encoding/json"
)

// Progress says how far a run has got. Nothing in it depends on a row, except through noise.
type Progress struct {
	// Phase is "measure", "round", "measured", "search" or, in comparisons with targets, "train".
	Phase string `json:"phase"`
	// Done counts items measured, rounds or classifiers trained. Of is how many there will be, or 0 where that is not
	// known.
	Done int `json:"done"`
	Of   int `json:"of"`
	// Step counts the sweeps or generations of a search. Loss is its distance to the noisy answers, relative to that at
	// its start. Stop says why it ended, once it has.
	Step int     `json:"step"`
	Loss float64 `json:"loss"`
	Stop string  `json:"stop"`
}

type progressKey struct{}

// WithProgress returns a context with which [Measure], [Resume], [Resample] and [NonPrivateQueryErrors] report their
// progress to hear, perhaps many times a second. They wait for hear to return; it must not use their core.
func WithProgress(ctx context.Context, hear func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, hear)
}

// tell passes the JSON of an event on to whoever hears it.
func tell(ctx context.Context, event []byte) {
	hear, ok := ctx.Value(progressKey{}).(func(Progress))
	var progress Progress
	if ok && json.Unmarshal(event, &progress) == nil {
		hear(progress)
	}
}
