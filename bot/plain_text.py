"""Text from outside (names, words of people) in one line that can be seen, and told apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

_UNSEEN: Final = re.compile(
    # Unicode's Default_Ignorable_Code_Point, but for the marks that choose an emoji's look.
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    # Letters and signs that are drawn as nothing: braille, a note, fillers of two old scripts.
    "\u2800\U0001d159\U00013441\U00013442\U00016fe4"
    # Noncharacters; others without a name yet may be emoji newer than Python's tables.
    "\ufdd0-\ufdef"
    + "".join(
        chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
    )
    + "]"
)

NAME_LENGTH: Final = 32

NAMES: Final = 4096
"""Maximum number of names that are cached as they are shown: everything drawn names people."""

COMPUTER: Final = "⚙"
"""Beginning of the names of computer players, in every language; people's names do not contain
it."""

_CONTROLS: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
"""Categories of invisible characters: controls, direction marks, joiners, surrogates, private
use."""

MARKS: Final = frozenset({"Mn", "Me"})
"""Categories of marks that take no room of their own; not all of them have a combining class."""

_LETTERS_OWN: Final = (7, 9)
"""Combining classes of marks that belong to a letter of India (nukta, virama): they do not pile up,
and may be beside other marks."""

_TWINS: Final = str.maketrans(
    "АВЕКМНОРСТУХЅІЈаеорсухѕіјΑΒΕΖΗΙΚΜΝΟΡΤΥΧονl|",
    "ABEKMHOPCTYXSIJaeopcyxsijABEZHIKMNOPTYXovII",
    "\ufe0e\ufe0f",
)
"""Letters of other alphabets that look like Latin ones, and Latin ones that look like another; and
the marks that choose an emoji's look, of which nobody sees anything on a letter."""

_FROM_THE_RIGHT: Final = frozenset({"R", "AL", "AN"})
"""Bidirectional classes of characters written from right to left."""

_NUMBER: Final = re.compile(r" \(\d+\)$")
"""The number of a seat behind a name."""


def visible(text: str, length: int) -> str:
    """`text` in one line, without invisible characters, cut with an ellipsis."""
    letters = "".join(
        " " if char.isspace() else char
        for char in _UNSEEN.sub("", text)
        if char.isspace() or unicodedata.category(char) not in _CONTROLS
    )
    line = " ".join(_few_marks(letters).split())  # blanks around what is gone go with it
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


@lru_cache(NAMES)
def plain_name(name: str) -> str:
    """A person's name for places without markdown: one line, at most 32 characters.

    Characters that are invisible, change the direction of writing or pile up are removed, and so is
    the sign of computer players; an empty name becomes a question mark.
    """
    return visible(name.replace(COMPUTER, ""), NAME_LENGTH) or "?"


def _few_marks(text: str) -> str:
    """`text` with at most two marks on a letter, so that it stays in its line."""
    kept: list[str] = []
    marks: list[str] = []
    letter = False
    for char in unicodedata.normalize("NFC", text):
        if unicodedata.category(char) not in MARKS:
            letter, marks = not char.isspace(), []
        elif not letter:  # it would stand on what stands before the text
            continue
        else:
            own = unicodedata.combining(char) in _LETTERS_OWN
            marks.append("own" if own else "mark")
            if marks.count(marks[-1]) > (1 if own else 2):
                continue
        kept.append(char)
    return "".join(kept)


def told_apart(
    names: Sequence[str],
    room: int,
    size: Callable[[str], int] = len,
    end: str = "…",
    seats: Sequence[int | None] | None = None,
) -> tuple[str, ...]:
    """`names` by seat, each in so much room, and the seat's number behind those that look alike.

    One that is cut has `end` at its end.  `seats`: whose names these are, where they are not all
    seats in their order; no number stands behind a name without a seat, and of names that look
    alike and are of the same seat only behind the first.

    >>> told_apart(["Ann", "Ben", "Ann", ""], 32)
    ('Ann (1)', 'Ben', 'Ann (3)', '')
    >>> told_apart(["Maximilian", "Maximiliane", "Ann"], 8)
    ('Max… (1)', 'Max… (2)', 'Ann')
    >>> told_apart(["Ann", "Ann", "Ann"], 32, seats=[2, None, 2])
    ('Ann (3)', 'Ann', 'Ann')
    """
    of = range(len(names)) if seats is None else seats
    shown = [_shorter(name, room, size, end) for name in names]
    before: list[str] = []
    while before != shown:
        before = list(shown)
        for n in _alike(shown):
            seat = of[n]
            if seat is not None:
                shown[n] = _shorter(f"{names[n]} ({seat + 1})", room, size, end)
    for n in _alike(shown):
        if of[n] in of[:n]:
            shown[n] = _shorter(names[n], room, size, end)
    return tuple(shown)


def _alike(names: Sequence[str]) -> list[int]:
    """Which of `names` look like another one."""
    looks = [unicodedata.normalize("NFKC", name).translate(_TWINS) for name in names]
    return [n for n, look in enumerate(looks) if look and looks.count(look) > 1]


def from_the_left(text: str) -> str:
    """`text`, after which a line goes on from the left: the order of what follows does not change.

    An invisible mark is put after text written from right to left.
    """
    right = any(unicodedata.bidirectional(char) in _FROM_THE_RIGHT for char in text)
    return f"{text}\u200e" if right else text


def _shorter(name: str, room: int, size: Callable[[str], int], end: str) -> str:
    """The beginning of a name that fits into `room`, with the number after it."""
    if size(name) <= room:
        return name
    base, number = without_number(name)
    length = len(base)
    while length and size(base[:length].rstrip() + end + number) > room:
        length -= 1
    return f"{base[:length].rstrip()}{end}{number}" if length else number.strip(" ()")


def without_number(name: str) -> tuple[str, str]:
    """A name without the number of a seat after it, and that number."""
    found = _NUMBER.search(name)
    return (name, "") if found is None else (name[: found.start()], found[0])
