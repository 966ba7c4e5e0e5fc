"""The door: what may be learned of private rows, at what price, and what was."""
