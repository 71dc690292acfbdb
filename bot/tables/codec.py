"""Immutable values as JSON and back, by the types of their fields.

For what games call a state: named tuples of numbers, texts, bytes, tuples and others of their kind.
What is read is checked against the types, so that what somebody has edited, or what another version
wrote, is refused and never half understood.  Nothing in it is ever run, as a pickle would be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from engine.game import Json


class CodecError(Exception):
    """A value is not of the type that it should have.  Does not say what it is."""


def encode(value: object) -> Json:
    """A value as JSON; `decode` with its type gives it back.  Raises CodecError."""
    match value:
        case None | bool() | int() | str():
            return value
        case bytes():
            return value.hex()
        case tuple():
            return [encode(item) for item in value]
        case _:
            raise CodecError(type(value).__name__)


def decode(kind: Any, data: object) -> Any:
    """The value of type `kind` that `encode` wrote as `data`.  Raises CodecError."""
    return _reader(kind)(data)


Reader = Callable[[object], Any]


@cache
def _reader(kind: Any) -> Reader:
    """What reads a type: a plain one, `tuple`, a named tuple, `Literal`, or one of several."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        return _row_reader(arguments[0])
    if origin is tuple:
        return _parts_reader(tuple, arguments)
    if origin is Literal:
        return lambda data: _one_of(arguments, data)
    if origin in (Union, UnionType):
        return _union_reader(arguments)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        made: Any = kind
        return _parts_reader(made._make, tuple(hints[name] for name in made._fields))
    raise CodecError(f"values of type {kind} are not stored")


def _plain(*kinds: type) -> Reader:
    def read(data: object) -> object:
        if type(data) not in kinds:
            raise CodecError(type(data).__name__)
        return data

    return read


def _bytes(data: object) -> bytes:
    if not isinstance(data, str):
        raise CodecError(type(data).__name__)
    try:
        return bytes.fromhex(data)
    except ValueError:
        raise CodecError("hex") from None


_PLAIN: Final[dict[Any, Reader]] = {
    int: _plain(int),
    bool: _plain(bool),
    str: _plain(str),
    NoneType: _plain(NoneType),
    bytes: _bytes,
}


def _one_of(values: tuple[object, ...], data: object) -> object:
    for value in values:
        if type(value) is type(data) and value == data:
            return value
    raise CodecError("literal")


def _row_reader(kind: Any) -> Reader:
    item = _reader(kind)
    return lambda data: tuple([item(each) for each in _list(data)])


def _parts_reader(make: Callable[[list[Any]], Any], kinds: tuple[Any, ...]) -> Reader:
    readers = tuple(_reader(kind) for kind in kinds)

    def read(data: object) -> Any:
        parts = _list(data)
        if len(parts) != len(readers):
            raise CodecError("length")
        return make([reader(part) for reader, part in zip(readers, parts, strict=True)])

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    """The first that fits; no two of one union may look alike in JSON."""
    readers = tuple(_reader(kind) for kind in kinds)

    def read(data: object) -> Any:
        for reader in readers:
            try:
                return reader(data)
            except CodecError:
                continue
        raise CodecError("none of several")

    return read


def _list(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise CodecError(type(data).__name__)
    return data
