"""Other languages say what English says: the same codes, values, commands, cards and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, product
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple

import pytest
from babel.core import Locale
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from bot.app import create_bot, described
from bot.i18n import COMMAND, ENGLISH, JOINER, language_name, languages, rules_pages, texts
from bot.settings import Settings
from engine.registry import games
from tests.discord.writing import all_cards

DATA: Final = Path(__file__).parents[2] / "data"
OTHERS: Final = tuple(one for one in languages() if one != ENGLISH)
PLACES: Final = (
    ("locales/{}/LC_MESSAGES/stammtisch.po", ""),
    *((f"games/{game}/locales/{{}}.po", game) for game in games()),
)
"""Where catalogues are, and whose they are."""

SETTINGS: Final = Settings(discord_token="x")
LABEL: Final = 80
"""Characters of a button that Discord takes."""
PAGE: Final = 3700
LINE: Final = 26
"""Characters of one width that a phone shows in a line."""

_NOTE: Final = re.compile(r"\[(\d+|book|house|source)\]")
"""A footnote, and where it is from, which the program says in words."""
_MARKS: Final = ("**", "`", "~~", "||")


class Said(NamedTuple):
    """A sentence in all its plural forms."""

    forms: tuple[str, ...]
    counted: bool


def catalogue(place: str, language: str) -> dict[str, Said]:
    with (DATA / place.format(language)).open("rb") as file:
        found = {}
        for message in read_po(file, locale=language):
            code = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else message.string or ()
            if code:
                assert code not in found, f"{code} stands there twice"
                found[code] = Said(tuple(forms), not isinstance(message.id, str))
    return found


def fields(said: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(said) if name is not None}


every = pytest.mark.parametrize(
    ("language", "place", "game"),
    [(one, *place) for one, place in product(OTHERS, PLACES)],
    ids=lambda value: str(value).split("/")[0] if value else "house",
)
in_each = pytest.mark.parametrize(("language", "game"), [*product(OTHERS, games())])


def test_there_are_german_and_french() -> None:
    assert set(OTHERS) >= {"de", "fr"}
    assert [language_name(one) for one in ("de", "en", "fr")] == ["Deutsch", "English", "Français"]


@every
def test_nothing_is_missing_and_nothing_is_more(language: str, place: str, game: str) -> None:
    own, english = catalogue(place, language), catalogue(place, ENGLISH)
    assert [*own] == [*english]
    forms = get_plural(Locale.parse(language)).num_plurals
    for code, said in own.items():
        assert all(said.forms), code
        assert said.counted == english[code].counted, code
        # French has a third form for millions, of which there are none here.
        assert len(said.forms) == (min(forms, 2) if said.counted else 1), code


@every
def test_the_same_values_commands_and_formats(language: str, place: str, game: str) -> None:
    english = catalogue(place, ENGLISH)
    for code, said in catalogue(place, language).items():
        source = english[code].forms
        wanted = set[str]().union(*map(fields, source))
        for form in said.forms:
            assert wanted - {"count"} <= fields(form) <= wanted, code
            assert sorted(COMMAND.findall(form)) == sorted(COMMAND.findall(source[-1])), code
            for mark in _MARKS:
                assert form.count(mark) == source[-1].count(mark), (code, mark)
            for edge in (slice(None, 1), slice(-1, None)):
                assert form[edge].isspace() == source[-1][edge].isspace(), code


@pytest.mark.parametrize("place", [place for place, _ in PLACES])
def test_no_line_breaks_before_a_double_sign_in_french(place: str) -> None:
    """The space before it is a no-break one; what is typed stands between backticks."""
    for code, said in catalogue(place, "fr").items():
        for form in said.forms:
            assert not re.search(r"« | [:;?!»](?=[\s*)]|$)", re.sub("`[^`]*`", "", form)), code


@every
def test_labels_have_room(language: str, place: str, game: str) -> None:
    for code, said in catalogue(place, language).items():
        if code.startswith("button."):
            assert all(len(form) <= LABEL for form in said.forms), code


@every
def test_rules_that_are_typed_can_be_told_apart(language: str, place: str, game: str) -> None:
    """Behind `rules:` commas and semicolons stand between the wordings."""
    for code, said in catalogue(place, language).items():
        if code.startswith(("option.", "custom.")) and code.endswith((".on", ".off")):
            assert not set(",;") & set("".join(said.forms)), code


def test_a_number_below_zero_has_the_form_of_its_size() -> None:
    said = {one: texts(one).get("seat.points", count=-3) for one in languages()}
    assert said["fr"].endswith("points")
    assert said["de"].endswith("Punkte")


# Rules


def own_pages(game: str, language: str) -> list[str]:
    return [page.replace(JOINER, "") for page in rules_pages(game, language)]


def cards(game: str, language: str) -> Iterator[str]:
    """The cards and marks of suits that a text names, in its order; typed ones are left out."""
    words, said = texts(language), re.sub(r"`[^`\n]*`", "", "\n".join(own_pages(game, language)))
    known = {words.suit_mark(game, code[0]) for code in all_cards(game)} - {""}
    known |= {words.card(game, code).replace(JOINER, "") for code in all_cards(game)}
    longest_first = sorted(known, key=lambda one: (-len(one), one))
    yield from re.findall("|".join(map(re.escape, longest_first)), said)


@in_each
def test_rules_have_the_same_pages_cards_and_footnotes(language: str, game: str) -> None:
    pages, english = own_pages(game, language), own_pages(game, ENGLISH)
    assert len(pages) == len(english)
    assert pages != english
    for page, source in zip(pages, english, strict=True):
        assert 0 < len(page) <= PAGE
        assert _NOTE.findall(page) == _NOTE.findall(source)
        for mark in ("\n# ", "\n## ", "\n* ", "\n- ", "\n1. ", "\n8. ", "```"):
            assert f"\n{page}".count(mark) == f"\n{source}".count(mark), mark
        for block in re.findall(r"```\n(.*?)```", page, re.DOTALL):
            assert all(len(line) <= LINE for line in block.splitlines()), "wider than a phone"
    assert [*cards(game, language)] == [*cards(game, ENGLISH)]
    assert pages[0].startswith(f"# {texts(language).game_name(game)}\n")


@in_each
def test_every_reason_quotes_its_rule_as_the_rules_say_it(language: str, game: str) -> None:
    pages = rules_pages(game, language)
    for code, said in catalogue(f"games/{game}/locales/{{}}.po", language).items():
        if code.startswith("why_") and code.endswith(".rule"):
            (rule,) = said.forms
            assert sum(rule in page for page in pages) == 1, f"{code}: no page says {rule!r}"


# Commands


def words_of(command: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What a command, its options and choices say in English, and in other languages."""
    kind = "description" if command.get("description") else "name"
    yield command[kind], command.get(f"{kind}_localizations") or {}
    for inner in ("options", "choices"):
        for one in command.get(inner) or ():
            yield from words_of(one)


@pytest.mark.parametrize("language", OTHERS)
def test_commands_are_described_in_every_language(language: str) -> None:
    said = [*chain.from_iterable(map(words_of, described(create_bot(SETTINGS))))]
    assert len(said) > 120
    same = {game.info.id for game in games().values()}
    file = catalogue("locales/{}/LC_MESSAGES/commands.po", language)
    for english, words in said:
        if english not in {texts(ENGLISH).game_name(game) for game in same}:
            assert 0 < len(words[language]) <= 100, english
        if english in file:
            assert (words[language],) == file[english].forms
        assert {locale.partition("-")[0] for locale in words} <= set(OTHERS)
    assert set(file) <= {english for english, _ in said}, "a sentence that no command says"


def test_names_of_commands_are_english_everywhere() -> None:
    for command in described(create_bot(SETTINGS)):
        if command.get("description"):
            assert not command.get("name_localizations")
