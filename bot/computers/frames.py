"""Frames between the program and its workers: a length and that many bytes.

Questions are pickled, since observations are values of many types; answers are JSON, so that
nothing from a worker can be more than text.
"""

from __future__ import annotations

import json
import pickle
import struct
from asyncio import StreamReader
from typing import Any, BinaryIO, Final, NamedTuple

_HEAD: Final = struct.Struct(">I")


class Question(NamedTuple):
    """A question to a worker."""

    game: str
    view: Any
    """The observation of the seat that is to act."""
    level: str
    seed: int
    seconds: float
    """Maximum thinking time in seconds."""
    counted: bool = False
    """Whether the answer has the figures too (`bot.computers.thinking`)."""


class Answer(NamedTuple):
    """An answer of a worker."""

    does: str
    """Notation of an action, or advice."""
    playouts: int = 0
    """Number of playouts before the decision."""


def pack_question(question: Question) -> bytes:
    """A question as a frame.  Raises what pickling raises."""
    return with_length(pickle.dumps(tuple(question), pickle.HIGHEST_PROTOCOL))


def with_length(data: bytes) -> bytes:
    """`data` after its length."""
    return _HEAD.pack(len(data)) + data


def pack_answer(**values: str | int | bool) -> bytes:
    """An answer as a frame."""
    return with_length(json.dumps(values).encode())


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; None at the end of the stream, and if it breaks off."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


async def read_answer(stream: StreamReader) -> dict[str, Any]:
    """The next answer of a worker.

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
"""Maximum number of bytes in an answer."""
