"""Rows that answer like targets."""
