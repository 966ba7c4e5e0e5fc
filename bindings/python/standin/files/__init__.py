"""Tables as bytes: encodings, records, headers, and what the system says of paths."""
