"""What the notations of all games share: bounds, excerpts of bad input, typed JSON look-ups."""

from __future__ import annotations

from typing import Final

from engine.game import NotationError

MAX_ACTION: Final = 1000
"""Longest text that is read as an action, in characters; real ones have less than 250."""

EXCERPT: Final = 30
"""Longest piece of somebody's input that an error repeats, in characters."""


def excerpt(text: str) -> str:
    """`text` cut short and made printable, to be named in an error.

    >>> excerpt("3-x"), excerpt("a" * 99), excerpt("p\\x00a\\u202ess")
    ('3-x', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa…', 'p?a?ss')
    """
    short = text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
    return "".join([c if c.isprintable() else "?" for c in short])


def check_length(text: str) -> None:
    """Raises NotationError `too_long` (limit) for what is longer than any action."""
    if len(text) > MAX_ACTION:
        raise NotationError("too_long", limit=MAX_ACTION)


def typed_words(text: str) -> list[str]:
    """The words of what a person typed: lower case, any white space between them.

    >>> typed_words("  PLAY 3-6\\t 4-3 ")
    ['play', '3-6', '4-3']
    """
    check_length(text)
    return text.lower().split()


def canonical_words(text: str) -> list[str]:
    """The words of a record's text: exactly one space between them, none outside.

    Raises NotationError `not_canonical` (text) otherwise.
    """
    check_length(text)
    words = text.split(" ")
    if "" in words:
        raise NotationError("not_canonical", text=excerpt(text))
    return words


def card_lists(data: object, key: str) -> list[list[str]]:
    """`data[key]` as lists of texts.  Raises NotationError("deal_malformed") if it is not."""
    rows = data.get(key) if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise NotationError("deal_malformed")
    return [_texts(row) for row in rows]


def card_list(data: object, key: str) -> list[str]:
    """`data[key]` as a list of texts.  Raises NotationError("deal_malformed") if it is not."""
    return _texts(data.get(key) if isinstance(data, dict) else None)


def _texts(data: object) -> list[str]:
    if not isinstance(data, list):
        raise NotationError("deal_malformed")
    texts = [item for item in data if isinstance(item, str)]
    if len(texts) != len(data):
        raise NotationError("deal_malformed")
    return texts


def kind_of(text: str) -> tuple[str, ...]:
    """What is the same kind of action by its notation: the verb, and what its first card is of.

    >>> kind_of("play Y3") == kind_of("play Y10"), kind_of("play Y3") == kind_of("play B3")
    (True, False)
    """
    verb, _, cards = text.partition(" ")
    return verb, cards[:1], *(["down"] if cards.endswith(" down") else [])
