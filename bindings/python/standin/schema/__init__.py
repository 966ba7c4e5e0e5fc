"""Schemas: what a table's columns may hold, and how cells become codes and codes cells."""
