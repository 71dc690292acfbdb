"""A second language, only in tests: the house's English with a sign before each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po, write_po

from bot.i18n import languages

SIGN: Final = "¡"
"""With which every sentence of the house begins in that language, and none in English."""

HOUSE: Final = Path(__file__).parents[2] / "data/locales/en/LC_MESSAGES/stammtisch.po"


@contextmanager
def second_language(folder: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> Iterator[None]:
    """That language is there too; of the games it has no words of its own."""
    place = folder / "second" / "data" / "locales" / language / "LC_MESSAGES"
    place.mkdir(parents=True)
    with HOUSE.open("rb") as file:
        catalogue = read_po(file, locale=language)
    for message in catalogue:
        said = message.string
        if message.id and isinstance(said, str):  # without an id it is about the file
            message.string = SIGN + said
        elif said and message.id:
            message.string = [SIGN + one for one in said]
    with (place / "stammtisch.po").open("wb") as file:
        write_po(file, catalogue)
    with monkeypatch.context() as patched:
        # `data` is a namespace package: here is another part of it.
        patched.syspath_prepend(str(folder / "second"))
        languages.cache_clear()
        yield
    languages.cache_clear()
