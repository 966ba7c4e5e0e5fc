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

// QueryErrors says how far apart the answers of two tables are, exactly. Anyone who sees these numbers learns about the
// people in the real table.
type QueryErrors struct {
	// Rows is how many rows each table has.
	Rows struct {
		Real      int `json:"real"`
		Synthetic int `json:"synthetic"`
	} `json:"rows"`
	// Workloads is the number of column sets compared, and Cells that of their cells, in all levels of trees.
	Workloads int `json:"workloads"`
	Cells     int `json:"cells"`
	// MeanTV and MaxTV are over the column sets: the total variation distance, 0 to 1.
	MeanTV float64 `json:"meanTv"`
	MaxTV  float64 `json:"maxTv"`
	// MeanError, MaxError and RMSE are over all cells: the distance of the two tables' shares of rows, 0 to 1.
	MeanError float64 `json:"meanError"`
	MaxError  float64 `json:"maxError"`
	RMSE      float64 `json:"rmse"`
	// Worst are the column sets with the largest distances, worst first.
	Worst []struct {
		Columns []string `json:"columns"`
		TV      float64  `json:"tv"`
	} `json:"worst"`
}

// NonPrivateQueryErrors compares a synthetic table with the real one, exactly and without noise. THE RESULT IS NOT
// PRIVATE: it is only for the owner of the real table, and publishing it would reveal what the release protects. The
// workload is one that plans accept, or nil for "2-way".
func NonPrivateQueryErrors(real, synthetic *Table, schema *Schema, workload any) (*QueryErrors, error) {
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
	if workload != nil {
		given["workload"] = workload
	}
	var errors QueryErrors
	if _, err := core.ask(context.Background(), given, &errors); err != nil {
		return nil, err
	}
	return &errors, nil
}
