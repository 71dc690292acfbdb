"""What the notations of all games share: bounds, excerpts of bad input, typed and strict JSON."""

from __future__ import annotations

from typing import Final, TypeGuard

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


def size_of(text: str) -> int:
    """Number of cards that the notation of an action names.

    >>> size_of("play 3-4 3-6"), size_of("play AK down"), size_of("pass")
    (2, 1, 0)
    """
    return len(text.removesuffix(" down").split()) - 1


# Decoded JSON, compared strictly, and shown in messages.


def is_number(value: object) -> TypeGuard[int]:
    """An int that is not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_int(value: object, wanted: int) -> bool:
    return is_number(value) and value == wanted


def same(given: object, wanted: object) -> bool:
    """Equal, and of the same JSON types all through: true is not 1, and 1.0 is not 1."""
    return difference(given, wanted) is None


def difference(given: object, wanted: object, at: str = "") -> tuple[str, str, str] | None:
    """The first place where two values differ, and what stands there in each, in short.

    `wanted` bounds the depth: what is given may be nested as deeply as it likes.

    >>> difference({"hands": [["R1", "R3"]]}, {"hands": [["R1", "R2"]]})
    ('hands[0][1]', "'R3'", "'R2'")
    """
    match wanted:
        case dict():
            if not isinstance(given, dict):
                return at, show(given), "an object"
            for key, value in wanted.items():
                place = f"{at}.{key}" if at else key
                if key not in given:
                    return place, "missing", show(value)
                found = difference(given[key], value, place)
                if found is not None:
                    return found
            for key in given.keys() - wanted.keys():
                return (f"{at}.{excerpt(key)}" if at else excerpt(key)), "there", "absent"
            return None
        case list() | tuple():
            if not isinstance(given, list):
                return at, show(given), "a list"
            if len(given) != len(wanted):
                return at, f"a list of {len(given)}", f"a list of {len(wanted)}"
            for index, value in enumerate(wanted):
                found = difference(given[index], value, f"{at}[{index}]")
                if found is not None:
                    return found
            return None
        case _:
            equal = type(given) is type(wanted) and given == wanted
            return None if equal else (at, show(given), show(wanted))


def known_keys(given: object, wanted: object) -> object:
    """An object without the keys that readers ignore."""
    if isinstance(given, dict) and isinstance(wanted, dict):
        return {key: value for key, value in given.items() if key in wanted}
    return given


def show(value: object) -> str:
    """A value in short, for a message; what is long or nested is only named.

    >>> show([0, True, None]), show({"scores": [1, 2]}), show([[1], [2]])
    ('[0, true, null]', "{'scores': [1, 2]}", 'a list')
    """
    match value:
        case list() if len(value) <= 6 and not any(map(_holds, value)):
            return "[" + ", ".join(map(_scalar, value)) + "]"
        case dict() if len(value) <= 4 and not any(map(_deep, value.values())):
            return "{" + ", ".join(f"{show(k)}: {show(v)}" for k, v in value.items()) + "}"
        case _:
            return _scalar(value)


def _holds(value: object) -> bool:
    return isinstance(value, (list, dict))


def _deep(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_holds, value)))


def _scalar(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return repr(excerpt(value))
        case int() if value.bit_length() > 64:
            return "a huge number"
        case int() | float():
            return str(value)
        case dict():
            return "an object"
        case _:
            return "a list"
