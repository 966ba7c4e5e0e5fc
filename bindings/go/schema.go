package standin

import (
	"context"
	"encoding/json"
	"maps"
)

// Options are options of a plan, of measuring, of making rows or of a comparison, by the names that the npm package
// gives them, such as "epsilon", "workload" or "seed". Values are what [json.Marshal] makes JSON of, and a [*Table] as
// "publicTable" or "test". The core checks names and values.
type Options map[string]any

// Field is a column that a schema describes.
type Field struct {
	Name string `json:"name"`
	// Type is the field's type in the schema, such as "integer".
	Type string `json:"type"`
	// Role is "model", or what else becomes of the column.
	Role string `json:"role"`
	// Required says that no cell of the column is missing.
	Required bool `json:"required"`
}

// Schema holds the public facts of a table.
type Schema struct {
	handle
	// Fields are all fields, in the schema's order.
	Fields []Field
	// ReadFacts are the facts that were read from the rows, such as "age: minimum". A plan with any has no guarantee.
	ReadFacts []string
	// Encoding is the usual name of the table's encoding. IsDecoded says whether it is decoded without the caller's
	// help ([Decoded]).
	Encoding  string
	IsDecoded bool
}

// handle is the number of a thing that a core holds.
type handle struct {
	core   *Core
	number int
}

// Close lets the core forget the thing, and overwrites the private rows that it holds with zeros. Using it afterwards
// is an error.
func (h handle) Close() error {
	h.core.drop(h.number)
	return nil
}

// of returns the number of the thing for a request to a core.
func (h handle) of(core *Core) (int, error) {
	if h.core == core {
		return h.number, nil
	}
	return 0, &Error{Code: "host/handle", Message: "Objects used together must come from the same core."}
}

// ParseSchema reads a schema: the JSON of a Frictionless Table Schema with standin blocks.
func (c *Core) ParseSchema(descriptor []byte) (*Schema, error) {
	var value struct {
		Schema    int
		Fields    []Field
		ReadFacts []string
		Encoding  string
		Decodes   bool
	}
	_, err := c.ask(context.Background(), request{"request": "schema", "descriptor": string(descriptor)}, &value)
	if err != nil {
		return nil, err
	}
	return &Schema{handle{c, value.Schema}, value.Fields, value.ReadFacts, value.Encoding, value.Decodes}, nil
}

// ConfirmFacts returns the same schema with facts that were read from the rows marked as declared, because someone
// knows them independently of this table: the facts of these columns, or without columns all facts, including those of
// the table as a whole.
func (c *Core) ConfirmFacts(descriptor []byte, columns ...string) ([]byte, error) {
	given := request{"request": "confirm", "descriptor": string(descriptor)}
	if columns != nil {
		given["columns"] = columns
	}
	var value struct{ Descriptor json.RawMessage }
	_, err := c.ask(context.Background(), given, &value)
	return value.Descriptor, err
}

// Plan says what will be measured of a table, with what noise, at what price. It was made without looking at any table.
type Plan struct {
	handle
	// JSON is what the command "standin plan --json" prints.
	JSON json.RawMessage
}

// Plan plans a release without touching anything private. The option "epsilon" or "rho" is required.
func (s *Schema) Plan(options Options) (*Plan, error) {
	given, err := s.core.with(options, request{"request": "plan", "schema": s.number})
	if err != nil {
		return nil, err
	}
	var value struct {
		Plan  int
		Facts json.RawMessage
	}
	if _, err := s.core.ask(context.Background(), given, &value); err != nil {
		return nil, err
	}
	return &Plan{handle{s.core, value.Plan}, value.Facts}, nil
}

// with adds options to a request. Tables have members of their own there.
func (c *Core) with(options Options, given request) (request, error) {
	plain := maps.Clone(options)
	for _, name := range []string{"publicTable", "test"} {
		table, ok := options[name]
		if !ok {
			continue
		}
		delete(plain, name)
		given[name] = table
		if table, ok := table.(*Table); ok {
			number, err := table.of(c)
			if err != nil {
				return nil, err
			}
			given[name] = number
		}
	}
	if plain == nil {
		plain = Options{}
	}
	given["options"] = plain
	return given, nil
}
