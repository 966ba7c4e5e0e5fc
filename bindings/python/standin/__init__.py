"""Differentially private synthetic tables: a sensitive table in, a stand-in with a guarantee out."""

from .errors import StandinError
from .frame.plan import Plan, PlanOptions, plan
from .frame.run import measure, resample, resume, synthesize
from .privacy.budget import Budget
from .release import Outcome, Release, SyntheticRelease
from .release_parser import parse_release
from .schema.schema import Schema, parse_schema
from .schema.table import Table
from .text import parse_csv, read_csv
from .version import VERSION as __version__

__all__ = [
    "Budget",
    "Outcome",
    "Plan",
    "PlanOptions",
    "Release",
    "Schema",
    "StandinError",
    "SyntheticRelease",
    "Table",
    "__version__",
    "measure",
    "parse_csv",
    "parse_release",
    "parse_schema",
    "plan",
    "read_csv",
    "resample",
    "resume",
    "synthesize",
]
