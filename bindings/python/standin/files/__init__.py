"""Tables as bytes: records, headers, columns, and what the system says of paths."""
