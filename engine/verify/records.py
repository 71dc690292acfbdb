"""Checking game records (`stammtisch.record/1`, `data/docs/notation.md`, "What `verify` says").

Checking forgives nothing and answers anything at all with faults, never with an exception.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from engine.notation import excerpt
from engine.verify.checking import Fault, verify

MAX_TEXT: Final = 4 * 1024 * 1024
"""Longest record that is read, in bytes of UTF-8: the longest matches with all that was legal."""

MAX_VALUES: Final = 400_000
"""Values of the largest record that is read: a text of nothing but brackets becomes thirty times as
long in memory."""

_LINES: Final = 10_000
"""Lines of one record that are kept apart: a short one takes far more memory than its text."""

_BOM: Final = "\ufeff"


def verify_text(text: str, number: int) -> list[Fault]:
    """All faults of one record given as JSON text, as `verify` finds them."""
    what = None
    if _size(text) > MAX_TEXT:
        what = f"longer than {MAX_TEXT} bytes"
    elif _values(text) > MAX_VALUES:
        what = f"more than {MAX_VALUES} values"
    elif text.startswith(_BOM):
        what = "not JSON: begins with a byte order mark"
    else:
        try:
            data = _DECODER.decode(text)
        except (ValueError, RecursionError) as error:
            what = f"not JSON: {_reason(error)}"
    if what is not None:
        return [Fault(number, None, None, "malformed", what)]
    return verify(data, number)


def _size(text: str) -> int:
    """Bytes of the text in UTF-8; not looked at more closely where it is too long anyway."""
    known = len(text)
    return known if text.isascii() or known > MAX_TEXT else len(text.encode("utf-8", "replace"))


def _values(text: str) -> int:
    """No fewer than there are values in the text, an object being as large as three."""
    return text.count("[") + 3 * text.count("{") + text.count(",")


def verify_lines(lines: Iterable[str]) -> Iterator[list[Fault]]:
    """The faults of each record of a file: JSON Lines, or objects over several lines."""
    for number, text in enumerate(_texts(lines), 1):
        yield verify_text(text, number)


def _texts(lines: Iterable[str]) -> Iterator[str]:
    """The text of each record.

    A brace in the first column begins one; if its line does not close it, it goes on to a closing
    brace in the first column or to the next beginning.  Any other line is a record, a bad one.
    """
    begun: list[str] = []
    size = 0
    for line in lines:
        begins = line.startswith(("{", _BOM + "{"))
        if begun and begins:
            yield "".join(begun)
            begun = []
        if begun:
            # What is too long anyway is not kept, only that it is.
            if size <= MAX_TEXT:
                begun.append(line)
                size += _size(line)
            if len(begun) > _LINES:
                begun = ["".join(begun)]
            if line.startswith("}"):
                yield "".join(begun)
                begun = []
        elif begins and not line.rstrip().endswith("}"):
            begun, size = [line], _size(line)
        elif line.strip():
            yield line
    if begun:
        yield "".join(begun)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} (line {error.lineno}, column {error.colno})"
        case RecursionError():
            return "nested too deeply"
        case _:
            return excerpt(str(error))
