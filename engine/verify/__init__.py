"""Checking game records (`stammtisch.record/1`, `data/docs/notation.md`)."""

from engine.verify.checking import Fault, Kind, verify
from engine.verify.records import MAX_TEXT, MAX_VALUES, verify_lines, verify_text

__all__ = [
    "MAX_TEXT", "MAX_VALUES", "Fault", "Kind", "verify", "verify_lines", "verify_text",
]  # fmt: skip
