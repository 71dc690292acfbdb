"""Frames between the program and its workers: a length and so many bytes.

Questions are pickled, since observations are values of many types; what comes back is JSON, so that
nothing that a worker says can be more than text.
"""

from __future__ import annotations

import json
import pickle
import struct
from asyncio import StreamReader
from typing import Any, BinaryIO, Final, NamedTuple

_HEAD: Final = struct.Struct(">I")


class Question(NamedTuple):
    """What a worker is asked."""

    game: str
    view: Any
    """The observation of the seat that is to act."""
    level: str
    seed: int
    seconds: float
    """Seconds that it may think."""
    counted: bool = False
    """Whether what is said has the figures too (`bot.computers.considered`)."""


class Answer(NamedTuple):
    """What a worker answers."""

    does: str
    """Notation of an action, or advice."""
    playouts: int = 0
    """Number of playouts before the decision."""


def packed(question: Question) -> bytes:
    """A frame.  Raises whatever pickling raises."""
    return framed(pickle.dumps(tuple(question), pickle.HIGHEST_PROTOCOL))


def framed(data: bytes) -> bytes:
    """`data` with its length before it."""
    return _HEAD.pack(len(data)) + data


def said(**values: str | int | bool) -> bytes:
    """A frame of what a worker says."""
    return framed(json.dumps(values).encode())


def take(stream: BinaryIO) -> bytes | None:
    """The next frame; None at the end of the stream, and if it breaks off."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


async def heard(stream: StreamReader) -> dict[str, Any]:
    """What a worker says next.

    Raises EOFError at the end of the stream, ValueError if it is no JSON object.
    """
    (length,) = _HEAD.unpack(await stream.readexactly(_HEAD.size))
    if length > _MOST:
        raise ValueError("too long")
    found = json.loads(await stream.readexactly(length))
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


_MOST: Final = 65_536
"""Bytes; whatever a worker says is shorter."""
