package standin

import (
	"context"
	"encoding/json"
	"io"
)

// Proposal is a schema that was read from a table's own rows.
type Proposal struct {
	// Descriptor is its JSON, which [Core.ParseSchema] reads.
	Descriptor json.RawMessage
	// Notes are for the owner, one sentence each: names of columns and counts, no cells.
	Notes []string
	// ReadFacts are the facts that were read from the rows, such as "age: minimum".
	ReadFacts []string
}

// NonPrivateProposal proposes a schema for a CSV file whose first line is a header: types, formats, categories, bounds,
// spellings of missing cells and the dialect, encoding included. THE RESULT IS NOT PRIVATE: it is only for the owner of
// the table, until [Core.ConfirmFacts] declares the facts that are known independently of it. Cells pass through the
// core's memory, but never become Go objects. The options are "maxCategories" (the most distinct texts that are listed
// as categories, 50 by default), "dialect" and "missingValues" (what is already known of them).
func (c *Core) NonPrivateProposal(ctx context.Context, r io.Reader, options Options) (*Proposal, error) {
	begin, err := c.with(options, request{"request": "propose"})
	if err != nil {
		return nil, err
	}
	var proposal Proposal
	if err := c.read(ctx, r, begin, "proposal", &proposal); err != nil {
		return nil, err
	}
	return &proposal, nil
}

// TableCheck says how well a table fits a schema, counted exactly from its rows.
type TableCheck struct {
	Rows int `json:"rows"`
	// Short and Long count records with too few and too many cells; Blank counts blank lines that are not records.
	Short int `json:"short"`
	Long  int `json:"long"`
	Blank int `json:"blank"`
	// UnknownColumns is how many columns of the file the schema does not have.
	UnknownColumns int `json:"unknownColumns"`
	// Columns are the modelled ones.
	Columns []ColumnCheck `json:"columns"`
	// Constraints are those between columns, each with the number of records that break it as they are read.
	Constraints []struct {
		Constraint string `json:"constraint"`
		Broken     int    `json:"broken"`
	} `json:"constraints"`
}

// ColumnCheck counts the cells of a column that reading changes, or finds missing.
type ColumnCheck struct {
	Name string `json:"name"`
	// Missing counts missing cells of an optional field, and MissingRequired those of a required one.
	Missing         int `json:"missing"`
	MissingRequired int `json:"missingRequired"`
	// Unlisted counts texts that are not among the categories, and Unparseable those that are not values of the type.
	Unlisted    int `json:"unlisted"`
	Unparseable int `json:"unparseable"`
	// Clipped counts values that are moved to the nearest bound.
	Clipped int `json:"clipped"`
}

// NonPrivateCheck counts what reading a CSV file with a schema would change, exactly and without noise. THE RESULT IS
// NOT PRIVATE: it is only for the owner of the table.
func NonPrivateCheck(ctx context.Context, r io.Reader, schema *Schema) (*TableCheck, error) {
	var check TableCheck
	begin := request{"request": "check", "schema": schema.number}
	if err := schema.core.read(ctx, r, begin, "checked", &check); err != nil {
		return nil, err
	}
	return &check, nil
}

// QueryErrors says how far apart the answers of two tables are, exactly, and what classifiers learn from either. Anyone
// who sees these numbers learns about the people in the real table.
type QueryErrors struct {
	Errors
	// Rows is how many rows each table has.
	Rows struct {
		Real      int `json:"real"`
		Synthetic int `json:"synthetic"`
	} `json:"rows"`
	// Classes are the same for the queries of each class.
	Classes []struct {
		// Query is the class, such as "marginal" or "random-prefixes".
		Query string `json:"query"`
		// Order is the number of columns of each set, or 0 for other queries.
		Order int `json:"order"`
		Errors
	} `json:"classes"`
	// Worst are the queries with the largest distances, worst first.
	Worst []FarQuery `json:"worst"`
	// Utility is nil without targets.
	Utility *Utility `json:"utility"`
}

// FarQuery is a query and its total variation distance, 0 to 1.
type FarQuery struct {
	// Query is its class. Expressions are nil for all others than "expression".
	Query       string   `json:"query"`
	Columns     []string `json:"columns"`
	Expressions []string `json:"expressions"`
	TV          float64  `json:"tv"`
}

// Errors says how far apart answers are.
type Errors struct {
	// Workloads is the number of queries compared, and Cells that of their cells, in all levels of trees.
	Workloads int `json:"workloads"`
	Cells     int `json:"cells"`
	// MeanTV and MaxTV are over the queries: the total variation distance, 0 to 1.
	MeanTV float64 `json:"meanTv"`
	MaxTV  float64 `json:"maxTv"`
	// MeanError, MaxError and RMSE are over all cells: the distance of the two tables' shares of rows, 0 to 1.
	MeanError float64 `json:"meanError"`
	MaxError  float64 `json:"maxError"`
	RMSE      float64 `json:"rmse"`
}

// Utility says how well logistic regressions do on real rows after training on real and on synthetic ones.
type Utility struct {
	// TestRows is the number of rows that they were tested on.
	TestRows int `json:"testRows"`
	Targets  []struct {
		Target string `json:"target"`
		// F1 is that of linear classifiers, which see single columns.
		F1 TrainedF1 `json:"f1"`
		// F1WithPairs is that of classifiers that also see pairs of columns; nil where there are none, or too many.
		F1WithPairs *TrainedF1 `json:"f1WithPairs"`
		// F1MostFrequent is that of always saying the most frequent class.
		F1MostFrequent *float64 `json:"f1MostFrequent"`
	} `json:"targets"`
}

// TrainedF1 is the macro F1 after training on each table, 0 to 1; nil if there were no rows to train on, or none to
// test on.
type TrainedF1 struct {
	Real      *float64 `json:"real"`
	Synthetic *float64 `json:"synthetic"`
}

// NonPrivateQueryErrors compares a synthetic table with the real one, exactly and without noise. THE RESULT IS NOT
// PRIVATE: it is only for the owner of the real table, and publishing it would reveal what the release protects. The
// options are "workload" and "queries", as for plans; "targets", names of columns that classifiers are trained to
// predict; and, with targets, "test", a [*Table] of real rows that were held out for testing (a fifth of the real table
// by default).
func NonPrivateQueryErrors(
	ctx context.Context, real, synthetic *Table, schema *Schema, options Options,
) (*QueryErrors, error) {
	core := schema.core
	first, err := real.of(core)
	if err != nil {
		return nil, err
	}
	second, err := synthetic.of(core)
	if err != nil {
		return nil, err
	}
	given := request{"request": "evaluate", "real": first, "synthetic": second, "schema": schema.number}
	if given, err = core.with(options, given); err != nil {
		return nil, err
	}
	var errors QueryErrors
	if _, err := core.ask(ctx, given, &errors); err != nil {
		return nil, err
	}
	return &errors, nil
}
