package standin

// Error is every error that standin raises on purpose. The message says what was expected, what was found (in options,
// schema, header or files; never in a record) and what to do.
type Error struct {
	// Code is a code that programs may test, "<room>/<what>", such as "schema/unknown-column" or "budget/exceeded".
	Code string `json:"code"`
	// Message is the whole message, in one or more sentences.
	Message string `json:"message"`
	// Hint is what to do about it: the end of the message. It may be empty.
	Hint string `json:"hint"`

	cause error
}

// Error returns the message.
func (e *Error) Error() string { return "standin: " + e.Message }

// Unwrap returns the error's cause, if any: for "host/cancelled" the cause of the context's end.
func (e *Error) Unwrap() error { return e.cause }
