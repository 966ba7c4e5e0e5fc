"""The version of this package, as plans and releases record it."""

from importlib.metadata import version

VERSION = version("standin")
