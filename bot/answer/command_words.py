"""Commands in every language, as Discord shows them to people who use it in theirs.

Descriptions, choices and names in menus are said in each language; names of commands and of their
options are English everywhere: that is how texts name them, and Discord shows a command that a
message mentions by its English name to everybody (discord-api-docs, issue 5518).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

import discord

from bot.answer.choices import described_option
from bot.catalogues import ENGLISH, command_words, languages
from bot.i18n import texts
from bot.pictures.decks import OFFERED
from bot.tables.stored import Pace
from engine.players.levels import Level

_CHOSEN: Final = (
    *(f"pace.{one}" for one in Pace),
    *(f"level.{one}" for one in Level),
    *(f"deck.{one}" for one in OFFERED),
)
"""Sentences of the house that are choices of commands, too."""

_COUNTED: Final = re.compile(r"(\d+) (.+)")


def in_words(command: Mapping[str, Any]) -> dict[str, Any]:
    """A command, option or choice as Discord is told of it, with its words in every language.

    What has no words in a language stays English there.
    """
    told, name, described = dict(command), command["name"], command.get("description")
    if described:
        told["description_localizations"] = _localized(lambda one: _said(described, one, name))
    else:  # a choice, or a command in a menu
        told["name_localizations"] = _localized(lambda one: _said(name, one))
    for inner in ("options", "choices"):
        if told.get(inner):
            told[inner] = [in_words(one) for one in told[inner]]
    return told


def _localized(say: Callable[[str], str | None]) -> dict[str, str] | None:
    """By the locales of Discord; None if there are no words in any."""
    said = {one: say(one) for one in languages() if one != ENGLISH}
    found = {
        locale: words
        for language, words in said.items()
        if words is not None
        for locale in _locales(language)
    }
    return found or None


def _locales(language: str) -> Iterable[str]:
    """Locales of Discord in a language: `es-ES` and `es-419` for Spanish."""
    return (one.value for one in discord.Locale if one.value.partition("-")[0] == language)


def _said(english: str, language: str, option: str = "") -> str | None:
    """What is English in another language; for an option of a game from the games' words."""
    if english == described_option(option, texts(ENGLISH)):
        return described_option(option, texts(language))
    if code := _chosen().get(english):
        return texts(language).get(code)
    if counted := _COUNTED.fullmatch(english):
        rest = _said(counted[2], language)
        return None if rest is None else f"{counted[1]} {rest}"
    said = command_words(language).gettext(english)
    return None if said == english else said


@cache
def _chosen() -> Mapping[str, str]:
    """Codes of the choices that the house has sentences for, by these in English."""
    english = texts(ENGLISH)
    return {english.get(code): code for code in _CHOSEN if english.knows(code)}
