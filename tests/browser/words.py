"""What stands on a page, found by its English words, in the languages that are read there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

from bot.i18n import ENGLISH
from engine.registry import games

DATA: Final = Path(__file__).parents[2] / "data"

_PLACE: Final = re.compile(r"\\\{(\w+)\\\}")
"""The place of a value, in a template that is escaped."""


@cache
def catalogue(language: str, game: str = "") -> Mapping[str, tuple[str, ...]]:
    """Templates of the house, or of a game, by code: one for each plural form."""
    own = Path("games", game, "locales", f"{language}.po")
    path = own if game else Path("locales", language, "LC_MESSAGES", "stammtisch.po")
    with (DATA / path).open("rb") as file:
        return {
            str(one.id[0] if isinstance(one.id, tuple) else one.id): (
                tuple(one.string) if isinstance(one.string, tuple) else (str(one.string),)
            )
            for one in read_po(file, locale=language)
            if one.id
        }


class Words:
    """The words that are said in these languages, several where people at one table differ."""

    def __init__(self, *languages: str) -> None:
        self.languages: Final = languages or (ENGLISH,)

    def code(self, code: str, game: str = "", **places: str) -> str:
        """A pattern of what is said with that code, in any form; values are `places`, or any."""
        return self._any([one for each in self._said(code, game) for one in each], places)

    def label(self, english: str) -> re.Pattern[str]:
        """Matches all of a text that is `english` in English."""
        return re.compile(rf"^\s*(?:{self._pattern(english)})\s*$")

    def part(self, english: str) -> re.Pattern[str]:
        """Matches a text that has that in it; a sentence is named by how it begins as well."""
        return re.compile(self._pattern(english))

    def _pattern(self, english: str) -> str:
        """What no catalogue has, as a name or a word of the page itself, stands as it is."""
        found = _named(english)
        templates = [one for code, game in found for each in self._said(code, game) for one in each]
        return self._any(templates, {}) if found else re.escape(english)

    def _said(self, code: str, game: str) -> list[tuple[str, ...]]:
        return [catalogue(language, game)[code] for language in self.languages]

    def _any(self, templates: list[str], places: Mapping[str, str]) -> str:
        def place(found: re.Match[str]) -> str:
            return places.get(found[1], ".+?")

        made = {_PLACE.sub(place, re.escape(one)) for one in templates}
        # In the names of what has a role a browser makes every space a plain one.
        made = {one.replace("\N{NO-BREAK SPACE}", r"\s") for one in made}
        return f"(?:{'|'.join(sorted(made, key=len, reverse=True))})"


@cache
def _named(english: str) -> tuple[tuple[str, str], ...]:
    """Codes and games of what is said so in English; else of all that begins so."""
    said = [
        (form, code, game)
        for game in ("", *games())
        for code, forms in catalogue(ENGLISH, game).items()
        for form in forms
    ]
    whole = {(code, game): None for form, code, game in said if form == english}
    begun = {(code, game): None for form, code, game in said if form.startswith(english)}
    return tuple(whole or begun)
