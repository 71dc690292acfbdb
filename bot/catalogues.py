"""Files with words: languages there are, their gettext catalogues, and the rules texts of games."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from gettext import NullTranslations
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

ENGLISH: Final = "en"
DOMAIN: Final = "stammtisch"

_PAGE_BREAK: Final = re.compile(r"^---[ \t]*$", re.MULTILINE)

_OF_GAMES: Final = re.compile(r"(?:\{([a-z ]+)\} )?(.*)")
"""A line about signs: the games in whose pictures they are, if not in all, and the text."""


@cache
def languages() -> tuple[str, ...]:
    """Languages with a catalogue, English first."""
    folders = (Path(part, "locales") for part in import_module("data").__path__)
    found = (entry.name for folder in folders for entry in folder.glob("*") if entry.is_dir())
    return (ENGLISH, *sorted(set(found) - {ENGLISH}))


@cache
def stored_rules(game: str, language: str) -> tuple[str, ...]:
    """The rules of a game in a language, else in English, as pages of markdown.

    The game's own first page, the quick start, comes first, and its last one, about its origin,
    last.  Signs in its pictures are explained after the first one, all tables before the last one.
    """
    own = _pages("games", game, "rules", language=language)
    if not own:
        return ()
    signs, tables = _pages("rules", language=language)
    lines = (_OF_GAMES.fullmatch(line) for line in signs.splitlines())
    kept = (one[2] for one in lines if one and (one[1] is None or game in one[1].split()))
    last = max(1, len(own) - 1)
    return (own[0], "\n".join(kept), *own[1:last], tables, *own[last:])


def _pages(*folder: str, language: str) -> tuple[str, ...]:
    text = _read(*folder, f"{language}.md") or _read(*folder, f"{ENGLISH}.md") or b""
    pages = (page.strip() for page in _PAGE_BREAK.split(text.decode("utf-8")))
    return tuple(page for page in pages if page)


@cache
def catalogue_of(language: str, game: str | None) -> NullTranslations:
    """The compiled catalogue, with English behind it."""
    if game is None:
        text = _read("locales", language, "LC_MESSAGES", f"{DOMAIN}.po")
    else:
        text = _read("games", game, "locales", f"{language}.po")
    behind = None if language == ENGLISH else catalogue_of(ENGLISH, game)
    if text is None:
        return behind or NullTranslations()
    found = _compiled(text, language)
    if behind is not None:
        found.add_fallback(behind)
    return found


@cache
def command_words(language: str) -> NullTranslations:
    """Descriptions of commands and names in their menus; their message ids are English."""
    text = _read("locales", language, "LC_MESSAGES", "commands.po")
    return NullTranslations() if text is None else _compiled(text, language)


def _compiled(text: bytes, language: str) -> Translations:
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(text), locale=language))
    compiled.seek(0)
    return Translations(compiled, domain=DOMAIN)


def _read(*path: str) -> bytes | None:
    """A file of the namespace package `data`, from the first of its folders that has it."""
    for folder in import_module("data").__path__:
        with suppress(FileNotFoundError):
            return Path(folder, *path).read_bytes()
    return None
