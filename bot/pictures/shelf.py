"""Cache of drawn cards, limited in bytes.

Drawing a card takes some milliseconds, unpacking it a twentieth of one.  What has not been used
for a while is packed; what finds no room even so is dropped.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, NamedTuple

from PIL import Image

READY: Final = 16_000_000
"""Bytes of what can be laid down at once, of all pictures together."""

PACKED: Final = 20_000_000
"""Bytes of what has to be unpacked."""

_EACH: Final = 600
"""Bytes that go with every picture: its key, its place, what Pillow notes of it."""

_LEVEL: Final = 1
"""How hard it is packed: plain colours need no more."""


class _Parcel(NamedTuple):
    """A picture that is packed."""

    size: tuple[int, int]
    points: bytes


class Shelf:
    """Pictures of one byte for each pixel, by what they show."""

    def __init__(self, ready: int, packed: int) -> None:
        self.drawn = 0
        """How many had to be drawn."""
        self._room, self._ready_bytes = ready, 0
        self._ready: OrderedDict[Hashable, Image.Image] = OrderedDict()
        self._packed_room, self._packed_bytes = packed, 0
        self._packed: OrderedDict[Hashable, _Parcel] = OrderedDict()
        self._lock = Lock()

    @property
    def used(self) -> int:
        """Bytes that are kept now."""
        return self._ready_bytes + self._packed_bytes

    def get(self, key: Hashable, draw: Callable[[], Image.Image]) -> Image.Image:
        """The picture of that key; drawn if it is not there."""
        with self._lock:
            found = self._found(key)
            if found is not None:
                return found
        made = draw()
        with self._lock:
            self.drawn += 1
            self._put(key, made)
        return made

    def _found(self, key: Hashable) -> Image.Image | None:
        ready = self._ready.get(key)
        if ready is not None:
            self._ready.move_to_end(key)
            return ready
        parcel = self._packed.get(key)
        if parcel is None:
            return None
        # It stays packed as well: it need not be packed again.
        self._packed.move_to_end(key)
        unpacked = Image.frombytes("L", parcel.size, zlib.decompress(parcel.points))
        self._put(key, unpacked)
        return unpacked

    def _put(self, key: Hashable, picture: Image.Image) -> None:
        if key not in self._ready:
            self._ready[key] = picture
            self._ready_bytes += _size(picture)
        while self._ready_bytes > self._room:
            old, gone = self._ready.popitem(last=False)
            self._ready_bytes -= _size(gone)
            if old not in self._packed:
                self._pack(old, gone)

    def _pack(self, key: Hashable, picture: Image.Image) -> None:
        parcel = _Parcel(picture.size, zlib.compress(picture.tobytes(), _LEVEL))
        self._packed[key] = parcel
        self._packed_bytes += len(parcel.points) + _EACH
        while self._packed_bytes > self._packed_room:
            _, gone = self._packed.popitem(last=False)
            self._packed_bytes -= len(gone.points) + _EACH

    def clear(self) -> None:
        """Keeps nothing any more."""
        with self._lock:
            self._ready.clear()
            self._packed.clear()
            self._ready_bytes = self._packed_bytes = self.drawn = 0


def _size(picture: Image.Image) -> int:
    return picture.width * picture.height + _EACH


SHELF: Final = Shelf(READY, PACKED)
"""Everything that is drawn once and kept."""
