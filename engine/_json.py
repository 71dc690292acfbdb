"""Comparing decoded JSON strictly, and showing a piece of it in a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from engine.notation import excerpt


def is_number(value: object) -> TypeGuard[int]:
    """An int that is not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_int(value: object, wanted: int) -> bool:
    return is_number(value) and value == wanted


def same(given: object, wanted: object) -> bool:
    """Equal, and of the same JSON types all through: true is not 1, and 1.0 is not 1."""
    match wanted:
        case dict():
            return (
                isinstance(given, dict)
                and given.keys() == wanted.keys()
                and all(same(given[key], value) for key, value in wanted.items())
            )
        case list() | tuple():
            return (
                isinstance(given, list)
                and len(given) == len(wanted)
                and all(map(same, given, wanted))
            )
        case _:
            return type(given) is type(wanted) and given == wanted


def known_keys(given: object, wanted: object) -> object:
    """An object without the keys that readers ignore."""
    if isinstance(given, dict) and isinstance(wanted, Mapping):
        return {key: value for key, value in given.items() if key in wanted}
    return given


def show(value: object) -> str:
    """A value in short, for a message."""
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
        case list() if len(value) <= 6 and all(isinstance(item, (int, str)) for item in value):
            return "[" + ", ".join(map(show, value)) + "]"
        case Mapping() if len(value) <= 4:
            return "{" + ", ".join(f"{show(k)}: {show(v)}" for k, v in value.items()) + "}"
        case _:
            return f"a {type(value).__name__}"
