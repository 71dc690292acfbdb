"""Commands that texts name: each can be pressed, exists, and stands only where that is possible."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

from bot import i18n
from bot.i18n import COMMAND, clickable, know_commands, languages, rules_pages, texts
from engine.registry import games
from tests.i18n.test_plain_english import DATA, said
from tests.project.test_documents import slash_commands

ROOT: Final = Path(__file__).parents[2]
CATALOGUES: Final = (
    *sorted(DATA.glob("locales/*/LC_MESSAGES/stammtisch.po")),
    *sorted(DATA.glob("games/*/locales/*.po")),
)
BARE: Final = re.compile(r"(?<![\w/<])/[a-z]{2,}")
"""What looks like a command, however it is written."""
LONGEST: Final = 10**19
LIMIT: Final = 4000
"""Characters of all texts of a message."""
LABELLED: Final = re.compile(
    r"(?:button|blank|option|link|select|people|Label|Form|TextInput|CheckboxGroupOption"
    r"|RadioGroupOption)\(\s*(?:[a-z]+=)?\s*(?:cut\(\s*)?(?:Press[^\n]*,\s*)?"
    r"(?:[a-z]+=)?texts\.get\(\s*f?\"([a-z_.]+)"
)
"""Sentences that become labels, placeholders and options, where nothing can be pressed."""


def everything() -> Iterator[tuple[str, str]]:
    """Every sentence and every line of the rules, by its code or its file."""
    for path in CATALOGUES:
        yield from said(path)
    for path in chain(DATA.glob("games/*/rules/*.md"), DATA.glob("rules/*.md")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield f"{path.parent.parent.name} {path.name}", line


def test_no_text_names_a_command_that_cannot_be_pressed() -> None:
    """`/name` in a code is what the one function finds; a bare name it does not."""
    bare = [(code, text) for code, text in everything() if BARE.search(COMMAND.sub("", text))]
    assert bare == []


def test_every_command_that_is_named_exists_with_its_parameters() -> None:
    commands, named = slash_commands(), 0
    for code, text in everything():
        for found in COMMAND.finditer(text):
            named += 1
            assert found[1] in commands, (code, found[0])
            assert set(re.findall(r"(\w+):", found[2])) <= commands[found[1]], (code, found[0])
    assert named > 30


def test_nothing_that_is_a_label_names_a_command() -> None:
    sources = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "bot/render").glob("*.py"))
    )
    labels = set(LABELLED.findall(sources))
    assert {"button.hand", "tables.choose", "invite.choose", "seat.choose"} <= labels
    prefixes = ("button.", "form.", "period.", "pace.", "option", "custom.", "flag.", "suit.")
    for path in CATALOGUES:
        for code, text in said(path):
            if code in labels or code.startswith(prefixes):
                assert not BARE.search(text), code


def test_with_the_longest_ids_everything_fits_a_message() -> None:
    ids = {name.partition(" ")[0]: LONGEST for name in slash_commands()}
    for code, text in everything():
        assert len(clickable(text, ids)) < LIMIT / 2, code
    know_commands(ids)
    pages = (page for game in games() for one in languages() for page in rules_pages(game, one))
    assert all(len(page) < LIMIT - 100 for page in pages)


def test_the_examples_of_mentions_hold() -> None:
    found = doctest.testmod(i18n)
    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("code", ["table.error.no_table", "closed.again", "leaderboard.empty"])
def test_a_command_can_be_pressed_once_its_id_is_known(code: str) -> None:
    typed = texts("en").get(code)
    assert "`/newgame`" in typed
    know_commands({"newgame": 7})
    assert texts("en").get(code) == typed.replace("`/newgame`", "</newgame:7>")
    assert texts("en").refusal("no_table", {}).startswith("You're not at any table. </newgame")
