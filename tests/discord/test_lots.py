"""Seats by lot: the lobby's button, the option, what `/verify` says, and other partners."""

from __future__ import annotations

import re

import pytest

from bot.render.custom_ids import Verb
from bot.tables import lots
from bot.tables.customs import Customs
from bot.tables.model import Table
from bot.tables.stored import Person
from tests.discord.steps import dealt, lobby, stop, tables
from tests.discord.world import Shown, World

SEAT = re.compile(r"^(\d)(?:\.| ·) \*\*(\w+)\*\*", re.MULTILINE)
"""A person in the lobby, and the number of their seat."""


def seats(shown: Shown) -> list[str]:
    """Who sits there according to a lobby, by seat; only of a full one."""
    return [name for _, name in sorted(SEAT.findall(shown.text))]


def names(table: Table) -> list[str]:
    return [person.name for person in table.stored.seating.people]


@pytest.mark.behaviour("The host of a lobby shuffles the seats")
async def test_the_host_shuffles_and_everybody_sees_how_often(w: World) -> None:
    table = await lobby(w, "Ann", "Ben", "Cat", "Dan", seats=4)
    assert seats(w.board()) == ["Ann", "Ben", "Cat", "Dan"]
    for number in range(1, 5):
        before = names(table)
        said = await w.ann.press_verb(w.board(), Verb.SHUFFLE)
        assert said == w.board().text, "answered with the lobby itself"
        table = await w.table()
        now = names(table)
        seed = bytes.fromhex(table.stored.shuffling.shuffles[0].seed)
        order = lots.drawn_order(seed, table.id, number, 4)
        assert now == [before[place] for place in order]
        assert seats(w.board()) == now
        times = "1 time." if number == 1 else f"{number} times."
        assert f"The seats were drawn by lot {times}" in w.board().text


async def test_where_the_lobby_was_before_the_answer_is_a_sentence(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", "Dan", seats=4)
    before = w.board()
    await w.ben.slash("table")
    assert w.board().id != before.id
    said = await w.answer(w.ann, before, before.only(Verb.SHUFFLE))
    now = names(await w.table())
    assert f"The seats were drawn by lot. You now have seat {now.index('Ann') + 1}." in said
    assert seats(w.board()) == now


async def test_others_may_not_and_nobody_may_once_the_match_runs(w: World) -> None:
    table = await lobby(w, "Ann", "Ben", "Cat")
    opened = w.board()
    assert "Only the host" in await w.ben.press_verb(opened, Verb.SHUFFLE)
    assert "Only the host" in await w.dan.press_verb(opened, Verb.SHUFFLE)
    assert names(await w.table()) == ["Ann", "Ben", "Cat"]
    stale = opened.only(Verb.SHUFFLE)
    await w.ann.press_verb(opened, Verb.START)
    table = await dealt(w, table)
    assert "already" in await w.answer(w.ann, opened, stale)
    assert names(await w.table()) == ["Ann", "Ben", "Cat"]
    await stop(w, table)
    assert await w.answer(w.ann, opened, stale)


@pytest.mark.parametrize("how", ["rules", "form"])
async def test_the_option_is_chosen_and_verify_shows_what_was_drawn(how: str, w: World) -> None:
    rules = "Seats drawn by lot when the match begins" if how == "rules" else "no hints"
    await w.ann.slash("newgame", game="aufundab", seats=4, length=1, rules=rules)
    if how == "form":
        await w.ann.press_verb(w.board(), Verb.OPTIONS)
        await w.ann.send_form({"number:hands": "1", "customs": ["drawn", "counts", "hints"]})
    assert "seats drawn by lot when the match begins" in w.board().text
    assert w.board().presses(Verb.SHUFFLE) == []
    table = await w.table()
    assert table.stored.customs == Customs(drawn=True)
    for player in (w.ben, w.cat, w.dan):
        await player.press_verb(w.board(), Verb.JOIN)
    await w.ann.press_verb(w.board(), Verb.START)
    table = await dealt(w, table)
    assert "Seats by lot" not in await w.eve.slash("verify"), "its seed is secret still"
    await stop(w, table)
    began = [one.name for one in table.stored.seating.starters if isinstance(one, Person)]
    came = ["Ann", "Ben", "Cat", "Dan"]
    after = " · ".join(f"{came.index(name) + 1} {name}" for name in began)
    said = await w.eve.slash("verify", table=table.id)
    assert (
        "When the match began: from 1 Ann · 2 Ben · 3 Cat · 4 Dan the seed of round 1 drew "
        f"{after}." in said
    )
    assert "✓ Checked: this is what the seed gives." in said
    assert "✓ Checked: the deal is the one that was sealed" in said
    seed = table.stored.shuffling.shuffles[0].seed
    assert seed in said
    assert seed in await w.eve.press(w.eve.panel, w.eve.panel.only(Verb.VERIFY)), "the next page"


async def test_a_shuffle_in_the_lobby_is_verified_afterwards(w: World) -> None:
    table = await lobby(w, "Ann", "Ben", seats=4)
    await w.ann.press_verb(w.board(), Verb.SHUFFLE)
    await w.ann.press_verb(w.board(), Verb.SHUFFLE)
    await w.cat.press_verb(w.board(), Verb.JOIN)
    await w.ann.press_verb(w.board(), Verb.START)
    table = await stop(w, await dealt(w, table))
    said = await w.ben.slash("verify", table=table.id)
    assert "*Shuffle seats* in the lobby, draw 2: from " in said
    assert "free seat" in said
    assert "Cat" not in said.split("the seed of round 1 drew")[1].split("\n")[0]
    assert "✓ Checked: this is what the seed gives." in said


async def test_partners_by_lot_have_the_words_of_their_game(w: World) -> None:
    rules = "partners drawn by lot when the match begins"
    await w.ann.slash("newgame", game="kaiserspiel", rules=rules)
    assert rules in w.board().text
    offered = await w.ben.actor.autocomplete(
        w.channel, "newgame", "rules", "lot", game="kaiserspiel"
    )
    assert [one["value"] for one in offered] == [rules, "partners not drawn by lot"]
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    assert "Draw the partners by lot" in str(w.ann.form)


async def test_by_custom_partners_change_with_every_rematch(w: World) -> None:
    rules = "partners change with every rematch"
    await w.ann.slash("newgame", game="kaiserspiel", rules=rules)
    for player in (w.ben, w.cat, w.dan):
        await player.press_verb(w.board(), Verb.JOIN)
    partners = []
    for _ in range(3):
        assert rules in w.board().text
        table = await w.table()
        await w.directly(tables(w).start(table.id, table.stored.seating.host))
        table = await dealt(w, table)
        sat = names(table)
        partners.append(sat[(sat.index("Ann") + 2) % 4])
        await stop(w, table)
        for player in (w.ben, w.ann, w.dan, w.cat):
            await player.slash("rematch", table=table.id)
    assert sorted(partners) == ["Ben", "Cat", "Dan"]
    assert partners[0] == "Cat"
