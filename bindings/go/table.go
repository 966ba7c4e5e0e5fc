package standin

import (
	"bytes"
	"context"
	"io"
)

// mostAtOnce is how many bytes of a file are read at once, if the engine has room for them.
const mostAtOnce = 1 << 20

// Table holds the rows of a table: private ones that were read, or synthetic ones. They are in the engine, or follow
// from a release; none is an object of Go.
type Table struct {
	handle
	// Columns are the names of the columns that it keeps, in the file's order.
	Columns []string
}

// ReadCSV reads a table in UTF-8 whose first line is a header; a byte order mark is skipped. Bytes go from the reader
// straight into the engine's memory. An error of the reader is returned as it is.
func ReadCSV(ctx context.Context, r io.Reader, schema *Schema) (*Table, error) {
	core := schema.core
	var begun struct{ Reader int }
	if _, err := core.ask(ctx, request{"request": "read", "schema": schema.number}, &begun); err != nil {
		return nil, err
	}
	table, err := core.readAll(ctx, r, begun.Reader)
	if err != nil {
		core.drop(begun.Reader)
		return nil, err
	}
	return table, nil
}

func (c *Core) readAll(ctx context.Context, r io.Reader, reader int) (*Table, error) {
	for isFirst, isLast := true, false; !isLast; isFirst = false {
		if ctx.Err() != nil {
			return nil, &Error{Code: "host/cancelled", Message: "The caller has cancelled.", cause: context.Cause(ctx)}
		}
		var room place
		if _, err := c.ask(ctx, request{"request": "room", "reader": reader, "bytes": mostAtOnce}, &room); err != nil {
			return nil, err
		}
		into := c.bytesAt(room)
		read, err := io.ReadFull(r, into)
		isLast = err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !isLast {
			return nil, err
		}
		if isFirst {
			if read, err = unmarked(into, read); err != nil {
				return nil, err
			}
		}
		if read == 0 {
			continue
		}
		if _, err := c.ask(ctx, request{"request": "took", "reader": reader, "bytes": read}, nil); err != nil {
			return nil, err
		}
	}
	var value struct {
		Table   int
		Columns []string
	}
	if _, err := c.ask(ctx, request{"request": "table", "reader": reader}, &value); err != nil {
		return nil, err
	}
	return &Table{handle{c, value.Table}, value.Columns}, nil
}

// unmarked removes a byte order mark from the first bytes of a file, and returns how many remain.
func unmarked(start []byte, length int) (int, error) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(start[:length], []byte(mark)) {
			return 0, &Error{
				Code:    "files/encoding",
				Message: "The file starts as UTF-16 does. Decode it into UTF-8 first.",
				Hint:    "Decode it into UTF-8 first.",
			}
		}
	}
	if after, ok := bytes.CutPrefix(start[:length], []byte("\xef\xbb\xbf")); ok {
		return copy(start, after), nil
	}
	return length, nil
}

// WriteTo writes the table as CSV, in UTF-8 with LF line ends. It gives the writer parts of the engine's memory, which
// it must not keep.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	ctx, core := context.Background(), t.core
	var begun struct{ Writer int }
	if _, err := core.ask(ctx, request{"request": "write", "table": t.number}, &begun); err != nil {
		return 0, err
	}
	for written := int64(0); ; {
		var chunk place
		if _, err := core.ask(ctx, request{"request": "chunk", "writer": begun.Writer}, &chunk); err != nil {
			return written, err
		}
		if chunk.Bytes == 0 {
			return written, nil
		}
		count, err := w.Write(core.bytesAt(chunk))
		written += int64(count)
		if err != nil {
			core.drop(begun.Writer)
			return written, err
		}
	}
}

// QueryErrors says how far apart the answers of two tables are, exactly. Anyone who sees these numbers learns about the
// people in the real table.
type QueryErrors struct {
	// Rows are the tables' numbers of rows.
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
	// MeanError and MaxError are over all cells: the distance of the two tables' shares of rows, 0 to 1.
	MeanError float64 `json:"meanError"`
	MaxError  float64 `json:"maxError"`
	// Worst are the column sets with the largest distances, worst first.
	Worst []struct {
		Columns []string `json:"columns"`
		TV      float64  `json:"tv"`
	} `json:"worst"`
}

// NonPrivateQueryErrors compares a synthetic table with the real one, exactly and without noise. THE RESULT IS NOT
// PRIVATE: it is only for the owner of the real table, and to publish it would reveal what the release protects. The
// workload is one that plans take, or nil for "2-way".
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
