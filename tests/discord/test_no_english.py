"""Whoever reads another language sees no English word, wherever they look.

A language of tests (`tests.i18n.pseudo`) has no plain letter in any of its words: what is left of
plain letters is a word that no catalogue has.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot.i18n import Texts
from bot.render.custom_ids import Press, Verb
from bot.views.planned import CLOCKS
from engine.registry import games
from tests.discord.steps import newcomer
from tests.discord.test_settings import turn
from tests.discord.ways import act_in_channel, open_table, play_on
from tests.discord.world import Player, World
from tests.i18n.pseudo import LANGUAGE, pseudo_language
from tests.nightly import by_day

WORD: Final = re.compile(r"[A-Za-z]{2,}")
TYPED: Final = re.compile(r"```.*?```|`[^`]*`|<[^>]*>|https?://\S+|[0-9a-f]{32}", re.DOTALL)
"""What is typed or pressed as it is: commands, mentions, links, commitments, and tables of letters
of one width."""

AS_THEY_ARE: Final = {
    # People, and what Discord calls them.
    *("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Max", "Stammtisch"),
    # Names of time zones, of languages as they call themselves, and of the channel.
    *("Europe", "Zurich", "UTC", "English", "Deutsch", "Fran", "ais", "Suomi", "karten"),
    # How Babel joins names and counts minutes in that language, and what is typed below.
    *("ja", "minuuttia", "fly"),
}


CITIES: Final = {
    word for zones in CLOCKS for zone in zones for word in WORD.findall(Texts(LANGUAGE).city(zone))
}


@pytest.fixture(autouse=True)
def another_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with pseudo_language(tmp_path, monkeypatch):
        yield


SHOWN: Final = ("content", "label", "placeholder", "description", "title")
"""Fields of what is sent that people read."""


def told(sent: object) -> Iterator[str]:
    """All that can be read of what is sent."""
    match sent:
        case dict():
            for key, value in sent.items():
                if key in SHOWN and isinstance(value, str):
                    yield value
                else:
                    yield from told(value)
        case list() | tuple():
            for value in sent:
                yield from told(value)


def english(text: str, table: str) -> list[str]:
    """Words of a text that no catalogue has; the code of the table is none."""
    left = TYPED.sub("", text).replace(table, "")
    return sorted(set(WORD.findall(left)) - AS_THEY_ARE - CITIES)


async def looks_around(w: World, player: Player) -> None:
    """Every command that answers to everybody, and every page of the panels."""
    for command in ("help", "about", "hand", "watch", "tables", "leaderboard", "stats", "verify"):
        await player.slash(command)
    for game in games():
        await player.slash("rules", game=game)
        for page in range(1, 8):
            await w.answer(player, player.panel, Press.rules(game, page, beside=False).encode())
    await player.slash("mydata show")
    for subject in ("cards", "playing", "called", "people"):
        await player.slash("preferences")
        await player.press(player.panel, Press(Verb.PREFERENCES, argument=subject).encode())
    await player.slash("play", action="fly")


@pytest.mark.nightly
@pytest.mark.parametrize("game", by_day(games(), 1))
async def test_no_word_of_a_match_is_english(game: str, w: World) -> None:
    seats = games()[game].info.seats[0]
    w.locales |= {player.id: LANGUAGE for player in w.people(seats)}
    w.locales[w.guild.id] = LANGUAGE
    max_ = newcomer(w, manage_guild=True)
    w.locales[max_.id] = LANGUAGE
    said: set[str] = set()
    w.tap(lambda sent: said.update(told(sent.body)))
    length = 10 if game == "kaiserspiel" else 1
    await open_table(w, seats, game, length=length, pace="live60")
    table = (await w.table()).id
    for _ in range(3):
        await looks_around(w, w.ann)
        for subject in ("look", "where", "calls", "usual", "leaderboard", "log"):
            await max_.slash("settings")
            await turn(max_, subject)
        rng = random.Random(3)
        for player in await w.actors():
            hand = await player.hand()
            for verb in (Verb.WHY, Verb.HINT):
                for press, _ in hand.presses(verb):
                    await w.answer(player, hand, press.encode())
            await act_in_channel(player, rng)
    await play_on(w, act_in_channel, random.Random(1))
    await w.env.advance_time(3)
    await looks_around(w, w.ann)
    await w.ann.press_verb(w.board(), Verb.ROUNDS)
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    assert len(said) > 100
    found = [f"{words} in {text!r}" for text in sorted(said) if (words := english(text, table))]
    assert not found, "\n".join(found)
