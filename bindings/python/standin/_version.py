"""The version of this package, as plans and releases record it."""

VERSION = "0.1.0"
