"""Differentially private synthetic tables: from a sensitive table to a stand-in with a guarantee."""

from ._version import VERSION as __version__
from .budget import Budget, BudgetFile
from .errors import StandinError
from .owner import Proposal, non_private_check, non_private_proposal, non_private_query_errors
from .release import Outcome, Release, SyntheticRelease, measure, parse_release, resample, resume, synthesize
from .schema import Field, Plan, PlanOptions, Schema, confirm_facts, parse_schema, plan
from .table import SyntheticTable, Table, parse_csv, read_csv

__all__ = [
    "Budget",
    "BudgetFile",
    "Field",
    "Outcome",
    "Plan",
    "PlanOptions",
    "Proposal",
    "Release",
    "Schema",
    "StandinError",
    "SyntheticRelease",
    "SyntheticTable",
    "Table",
    "__version__",
    "confirm_facts",
    "measure",
    "non_private_check",
    "non_private_proposal",
    "non_private_query_errors",
    "parse_csv",
    "parse_release",
    "parse_schema",
    "plan",
    "read_csv",
    "resample",
    "resume",
    "synthesize",
]
