"""A private table that is planned: who may say that they come, and sit down when it is open."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Verb
from bot.tables.stored import Status
from tests.discord.test_planning import come, open_tables, pass_time, plan, seated
from tests.discord.test_plans_later import FRIDAY, ask_to_come, pinged, until_due
from tests.discord.world import Shown, World


def calls(w: World) -> list[Shown]:
    """Lines in the channel that call somebody."""
    return [one for one in w.messages(w.channel.id) if one.calls]


async def is_refused(w: World, name: str) -> None:
    """Somebody who is not invited hears so, whatever they say, and the plan stays as it is."""
    before, shown = plan(w).text, plan(w)
    for press, _ in shown.presses(Verb.COME):
        said = await w.answer(w.players[name], shown, press.encode())
        assert "by invitation. Ask whoever planned it to invite you" in said
    assert w.refreshed(shown).text == before


@pytest.mark.behaviour("A private table is planned")
async def test_only_the_invited_come_whether_they_are_before_or_after_it_opens(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", length=1, at="in 1h", private=True)
    shown = plan(w)
    for name in ("Ben", "Cat"):
        await ask_to_come(w, name)
    assert len(calls(w)) == 2
    for line in calls(w):
        assert f"/{w.channel.id}/{shown.id}" in str(line.components), "the way to the announcement"
    await come(w, "Ben")
    await is_refused(w, "Dan")
    assert "Coming (2): Ann and Ben" in plan(w).text
    await pass_time(w, hours=1)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"]
    assert "by invitation" in w.board().text
    assert w.cat.dms() == [], "who did not answer is not called again"
    await w.cat.press_verb(w.board(), Verb.JOIN)
    assert seated(await w.table()) == ["Ann", "Ben", "Cat"]
    assert "Ask the host to invite you" in await w.dan.press_verb(w.board(), Verb.JOIN)
    assert "Only the host" in await w.ben.slash("seat invite", player=w.dan.user)
    assert "Dan is invited." in await w.ann.slash("seat invite", player=w.dan.user)
    await w.dan.press_verb(w.dan.dm(), Verb.JOIN)
    for player in w.people(4):
        await player.press_verb(w.board(), Verb.READY)
    assert (await w.table()).stored.status is Status.RUNNING


@pytest.mark.behaviour("Somebody has chosen never to play with somebody")
async def test_who_never_plays_with_somebody_who_comes_is_not_called_there(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", length=1, at="in 1h", private=True)
    await ask_to_come(w, "Cat")
    await come(w, "Cat")
    await w.directly(w.running.context.blocks.block(w.ben.id, w.cat.id, on=True))
    before = len(pinged(w))
    await w.env.advance_time(61)
    for name in ("Ben", "Dan"):
        assert f"{name} is invited" in await ask_to_come(w, name)
        await w.env.advance_time(1)
    assert len(calls(w)) == 2, "Cat's is answered"
    assert pinged(w)[before:] == [str(w.dan.id)]


@pytest.mark.behaviour("A private table is planned")
async def test_who_is_invited_to_a_weekly_one_is_so_every_week(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", length=1, at=FRIDAY, private=True)
    await ask_to_come(w, "Ben")
    first = plan(w)
    await until_due(w)
    second = plan(w)
    assert second.id != first.id
    before = len(calls(w))
    await come(w, "Ben")
    assert "Coming (2): Ann and Ben" in plan(w).text
    await is_refused(w, "Cat")
    assert "Ben is invited" in await ask_to_come(w, "Ben")
    assert len(calls(w)) == before, "nobody is called twice"
