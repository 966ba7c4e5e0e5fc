package standin

import (
	"context"
	"io"
)

// Table holds the rows of a table: private ones that were read, or synthetic ones. They are in the engine, or follow
// from a release; none is a Go object.
type Table struct {
	handle
	// Columns are the names of the columns that it keeps, in the file's order.
	Columns []string
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
