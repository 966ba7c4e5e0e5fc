package standin

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"sync"
)

// Core makes stand-ins. Everything that is made from it (schemas, tables, plans, releases) belongs to it, and cannot be
// used with another. It answers one request at a time: goroutines that work in parallel need a Core each.
type Core struct {
	turn sync.Mutex
	host *host
	// broken is why no more requests can be answered.
	broken error
}

// Config says how cores start.
type Config struct {
	// CacheDir is a folder for the machine code that the first core of a process compiles, so that other processes
	// start faster. They execute what they find there, so nobody else may be able to write to it. Without one, nothing
	// is kept.
	CacheDir string
}

// Open starts a core.
func Open(ctx context.Context) (*Core, error) { return Config{}.Open(ctx) }

// Open starts a core.
func (c Config) Open(ctx context.Context) (*Core, error) {
	host, err := newHost(ctx, c.CacheDir)
	if err != nil {
		return nil, err
	}
	return &Core{host: host}, nil
}

// Close gives back all memory of the core, and overwrites the private rows that are left with zeros. Nothing that was
// made from it can be used any more.
func (c *Core) Close() error {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.host == nil {
		return nil
	}
	clear(*c.host.memory)
	err := c.host.runtime.Close(context.Background())
	c.host, c.broken = nil, &Error{Code: "host/closed", Message: "This core is closed."}
	return err
}

// Version is the version of the standin package whose core this is.
func (c *Core) Version() (string, error) {
	var value struct{ Version string }
	_, err := c.ask(context.Background(), request{"request": "version"}, &value)
	return value.Version, err
}

// request is the JSON of a request.
type request map[string]any

// ask sends a request, which ends early once ctx is done, and reads the value of its answer. It returns the answer's
// other parts.
func (c *Core) ask(ctx context.Context, given request, value any, parts ...[]byte) ([][]byte, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, &Error{Code: "host/request", Message: "An option is not a JSON value.", cause: err}
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.broken != nil {
		return nil, c.broken
	}
	c.host.breathe = func(progress []byte) bool {
		if len(progress) > 0 {
			tell(ctx, progress)
		}
		return ctx.Err() != nil
	}
	bytes, err := c.host.send(packed(append([][]byte{text}, parts...)))
	if err != nil {
		c.broken = &Error{Code: "core/fault", Message: "The core has failed. Open another one.", cause: err}
		return nil, c.broken
	}
	answered := unpacked(bytes)
	answer := struct {
		Value any
		Error *Error
	}{Value: value}
	if err := json.Unmarshal(answered[0], &answer); err != nil {
		return nil, err
	}
	if answer.Error != nil {
		if answer.Error.Code == "host/cancelled" {
			answer.Error.cause = context.Cause(ctx)
		}
		return nil, answer.Error
	}
	return answered[1:], nil
}

// drop lets the core forget a thing. The core may have been closed before.
func (c *Core) drop(number int) {
	_, _ = c.ask(context.Background(), request{"request": "drop", "object": number}, nil)
}

// place is a part of an engine's memory.
type place struct {
	Instance, Pointer, Bytes uint32
}

// bytesAt returns the place itself, valid until the core gets another request about it. A closed core has none.
func (c *Core) bytesAt(p place) []byte {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.host == nil {
		return nil
	}
	return c.host.bytesIn(int32(p.Instance), int32(p.Pointer), int32(p.Bytes))
}

// packed makes a message: the number of its parts and their lengths (u32, little-endian), then the parts.
func packed(parts [][]byte) []byte {
	message := binary.LittleEndian.AppendUint32(nil, uint32(len(parts)))
	for _, part := range parts {
		message = binary.LittleEndian.AppendUint32(message, uint32(len(part)))
	}
	for _, part := range parts {
		message = append(message, part...)
	}
	return message
}

func unpacked(message []byte) [][]byte {
	parts := make([][]byte, binary.LittleEndian.Uint32(message))
	rest := message[4+4*len(parts):]
	for at := range parts {
		length := binary.LittleEndian.Uint32(message[4+4*at:])
		parts[at], rest = rest[:length:length], rest[length:]
	}
	return parts
}
