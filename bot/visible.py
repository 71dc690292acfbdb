"""Text from outside (names, words of people) in one line, without invisible characters."""

from __future__ import annotations

import unicodedata


def visible(text: str, length: int) -> str:
    """`text` in one line, without what nobody sees, cut with an ellipsis."""
    # C*: controls, direction marks, joiners, unassigned; Zl, Zp: line and paragraph ends.
    letters = "".join(
        " " if char.isspace() else char
        for char in text
        if char.isspace() or not unicodedata.category(char).startswith("C")
    )
    line = _few_marks(" ".join(letters.split()))
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def _few_marks(text: str) -> str:
    """`text` with at most two combining marks on a letter, so that it stays in its line."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= 2:
            kept.append(char)
    return "".join(kept)
