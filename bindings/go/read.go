package standin

import (
	"context"
	"io"
)

// mostAtOnce is how many bytes of a file are read at once, if the engine has room for them.
const mostAtOnce = 1 << 20

// Decoded is a reader that decodes a file into UTF-8, as those of golang.org/x/text/encoding do, whatever encoding the
// schema states. Files in UTF-8, UTF-16 and Windows-1252 need none: everything that reads a file decodes these itself.
// All others are refused (host/encoding) unless they come as Decoded. Private rows then also pass through the reader's
// memory.
type Decoded struct{ io.Reader }

// ReadCSV reads a table whose first line is a header. Bytes go from the reader straight into the engine's memory. The
// reader's errors are returned unchanged.
func ReadCSV(ctx context.Context, r io.Reader, schema *Schema) (*Table, error) {
	var value struct {
		Table   int
		Columns []string
	}
	begin := request{"request": "read", "schema": schema.number}
	if err := schema.core.read(ctx, r, begin, "table", &value); err != nil {
		return nil, err
	}
	return &Table{handle{schema.core, value.Table}, value.Columns}, nil
}

// read begins to read a file, passes its bytes to the engine, and asks for what comes of it with the request end.
func (c *Core) read(ctx context.Context, r io.Reader, begin request, end string, value any) error {
	_, begin["decoded"] = r.(Decoded)
	var begun struct{ Reader int }
	if _, err := c.ask(ctx, begin, &begun); err != nil {
		return err
	}
	err := c.pass(ctx, r, begun.Reader)
	if err == nil {
		_, err = c.ask(ctx, request{"request": end, "reader": begun.Reader}, value)
	}
	if err != nil {
		c.drop(begun.Reader)
	}
	return err
}

// pass writes all bytes of a file where one of the engine's readers takes them.
func (c *Core) pass(ctx context.Context, r io.Reader, reader int) error {
	for isLast := false; !isLast; {
		if ctx.Err() != nil {
			return &Error{Code: "host/cancelled", Message: "The caller has cancelled.", cause: context.Cause(ctx)}
		}
		var room place
		if _, err := c.ask(ctx, request{"request": "room", "reader": reader, "bytes": mostAtOnce}, &room); err != nil {
			return err
		}
		read, err := io.ReadFull(r, c.bytesAt(room))
		isLast = err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !isLast {
			return err
		}
		if read == 0 {
			continue
		}
		if _, err := c.ask(ctx, request{"request": "took", "reader": reader, "bytes": read}, nil); err != nil {
			return err
		}
	}
	return nil
}
