"""Many files in one, of a size that Discord takes."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

MOST: Final = 8_000_000
"""Bytes of a file that Discord takes from everybody."""

_BESIDE: Final = 300
"""Bytes that a file takes in a pack beside its content, for short names."""


class Pack:
    """A ZIP file that is being filled."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._into = BytesIO()
        self._zip = ZipFile(self._into, "w", ZIP_DEFLATED)
        self.count = 0
        """Number of files in it."""

    def add(self, name: str, text: str) -> bool:
        """Put a file into it; returns False, and adds nothing, if there is no room for it.

        It takes some time: others wait unless it runs in a thread.
        """
        content = text.encode()
        room = _BESIDE * (self.count + 1) + len(zlib.compress(content))
        if self._into.tell() + room > self._most:
            return False
        self._zip.writestr(name, content)
        self.count += 1
        return True

    def content(self) -> bytes:
        """The whole file; nothing can be added afterwards."""
        self._zip.close()
        return self._into.getvalue()
