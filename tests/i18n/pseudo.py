"""A language in which every word can be told from English: letters with accents, for tests.

It is built from the English catalogues and rules.  What is no word stays as it is: values,
commands, what is typed, and what is data of a game (marks, colours).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po, write_po

from bot.i18n import languages

LANGUAGE: Final = "fi"
"""One of Discord's that the program does not have: Babel and Discord know it.  Another than that of
`tests.discord.test_languages`, whose words this process may remember."""

DATA: Final = Path(__file__).parents[2] / "data"

_LETTERS: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀćđéƒǧĥíĵķłṁńóṗɋŕśťúṽŵẋýźÁƁĆĐÉƑǦĤÍĴĶŁṀŃÓṖɊŔŚŤÚṼŴẊÝŹ",
)
_KEPT: Final = re.compile(
    r"(\{[^}]*\}|`[^`]*`|</?[^>]*>|https?://[^\s)]*|\[(?:book|house|source|\d+)\])"
)
"""What is no word: places of values, what is typed, mentions, links, tags of footnotes."""

_DATA: Final = (".colour", ".mark")
"""Endings of codes of what is data."""


def pseudo(text: str) -> str:
    """The text in that language."""
    parts = _KEPT.split(text)
    return "".join(
        part if number % 2 else part.translate(_LETTERS) for number, part in enumerate(parts)
    )


@contextmanager
def pseudo_language(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """That language is there too, of the house and of all games."""
    root = folder / "pseudo" / "data"
    for source in DATA.rglob("*en*"):
        path = root / source.relative_to(DATA)
        if source.name == "en.po":
            _translate(source, path.with_name(f"{LANGUAGE}.po"))
        elif source.name == "en.md":
            said = pseudo(source.read_text(encoding="utf-8"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(f"{LANGUAGE}.md").write_text(said, encoding="utf-8")
    for source in (DATA / "locales" / "en" / "LC_MESSAGES").glob("*.po"):
        _translate(source, root / "locales" / LANGUAGE / "LC_MESSAGES" / source.name)
    with monkeypatch.context() as patched:
        # `data` is a namespace package: here is another part of it.
        patched.syspath_prepend(str(folder / "pseudo"))
        languages.cache_clear()
        yield
    languages.cache_clear()


def _translate(source: Path, to: Path) -> None:
    with source.open("rb") as file:
        catalogue = read_po(file, locale=LANGUAGE)
    for message in catalogue:
        code = message.id if isinstance(message.id, str) else message.id[0]
        if not code or code.endswith(_DATA):
            continue
        said = message.string
        forms = [pseudo(one) for one in ([said] if isinstance(said, str) else said or ())]
        message.string = forms[0] if isinstance(said, str) else forms
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("wb") as file:
        write_po(file, catalogue)
