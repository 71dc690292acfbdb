"""PNG files of pictures with a palette, packed by zlib, which lets other threads run.

Format: https://www.w3.org/TR/png-3/, sections 5 and 11.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BITS: Final = 8
_INDEXED: Final = 3
"""The kind of picture whose points are entries of a palette."""

_QUICK: Final = 3
_HARD: Final = 5
"""How hard it is packed: the latter takes almost twice as long for a tenth less."""
_LARGE: Final = 28_000
"""Bytes that are worth that: what is sent to everybody who looks."""

UNFILTERED: Final = 0
"""Stands before the points of every row: they are what they are, no differences."""


def png(rows: bytes, size: tuple[int, int], entries: bytes, opacity: bytes) -> bytes:
    """A picture of `size`, width and height.

    `rows` are its points, a byte each, every row after a byte `UNFILTERED`; `entries` red, green
    and blue of each colour; `opacity` that of the first ones, all others are opaque.
    """
    head = struct.pack(">IIBBBBB", *size, _BITS, _INDEXED, 0, 0, 0)
    packed = zlib.compress(rows, _QUICK)
    if len(packed) > _LARGE:
        packed = zlib.compress(rows, _HARD)
    parts = (
        (b"IHDR", head),
        (b"PLTE", entries),
        (b"tRNS", opacity),
        (b"IDAT", packed),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(part for kind, data in parts for part in _chunk(kind, data))


def _chunk(kind: bytes, data: bytes) -> Iterator[bytes]:
    yield struct.pack(">I", len(data))
    yield kind
    yield data
    yield struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
