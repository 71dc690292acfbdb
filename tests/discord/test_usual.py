"""Usual tables: saved from a lobby by whoever manages the server, meant by `/newgame`, cleared."""

from __future__ import annotations

import pytest

from bot.ids import GuildId, UserId
from bot.render.custom_ids import Press, Verb
from bot.tables.customs import Customs
from bot.tables.servers import Setting, Usual
from bot.tables.stored import Pace, Person
from engine.game import Options
from engine.players.levels import Level
from tests.discord.steps import newcomer, stop
from tests.discord.test_planning import open_tables, pass_time, plan
from tests.discord.test_settings import panel, turn
from tests.discord.world import Player, World


async def manager(w: World) -> Player:
    """Somebody who manages the server, and has opened a table."""
    max_ = newcomer(w, manage_guild=True)
    await max_.slash(
        "newgame", game="sticheln", seats=4, length=2, pace="daily", computers="1 strong",
        rules="no hints",
    )  # fmt: skip
    return max_


async def send_options(player: Player, w: World) -> str:
    """The lobby's form, sent off as it is."""
    await player.press_verb(w.board(), Verb.OPTIONS)
    return await player.send_form(
        {"number:rounds": "2", "switch:zeros": "aside", "customs": ["counts"]}
    )


async def save(w: World) -> Player:
    max_ = await manager(w)
    assert "Should `/newgame` open tables of Sticheln like this one" in await send_options(max_, w)
    assert "Saved" in await max_.press_verb(w.whispers(max_)[-1], Verb.SAVE_USUAL)
    return max_


OPTIONS: Options = {"rounds": 2, "zeros": "aside"}
SAVED = Usual(4, OPTIONS, Customs(hints=False), Pace.DAILY, (1, Level.STRONG))


async def usual(w: World) -> dict[str, Usual]:
    servers = w.running.context.servers
    return dict((await w.directly(servers.settings(GuildId(w.guild.id)))).usual)


@pytest.mark.behaviour("A server has a usual table of a game")
async def test_what_was_saved_is_what_newgame_means(w: World) -> None:
    max_ = await save(w)
    assert await usual(w) == {"sticheln": SAVED}
    assert "Should" not in await send_options(max_, w), "it is as usual already"
    await w.restart()
    other = w.room("other")
    await w.ann.slash("newgame", game="sticheln", channel=other)
    said = w.board(other).text
    for fact in ("4 players", "2 rounds", "no hints", "daily", "(strong)"):
        assert fact in said, fact
    third = w.room("third")
    await w.ben.slash("newgame", game="sticheln", length=3, seats=3, pace="live60", channel=third)
    said = w.board(third).text
    for fact in ("3 rounds", "no hints", "(strong)"):
        assert fact in said, fact
    assert "daily" not in said
    await w.cat.slash("newgame", game="aufundab", channel=w.room("fourth"))
    assert (await open_tables(w))[-1].stored.timing.pace is Pace.RELAXED


async def test_a_planned_table_is_as_usual_and_one_alone_is_not(w: World) -> None:
    await save(w)
    await stop(w, await w.table())
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    assert "daily" in plan(w).text
    await pass_time(w, minutes=121)
    (table,) = await open_tables(w)
    assert table.stored.given == OPTIONS
    await w.dan.slash("newgame", dm=True, game="sticheln")
    alone = next(one for one in await open_tables(w) if one.id != table.id)
    assert "rounds" not in alone.stored.given


async def test_only_whoever_manages_the_server_is_offered_it_and_may(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", length=2)
    assert "Should" not in await send_options(w.ann, w)
    table = await w.table()
    forged = Press(Verb.SAVE_USUAL, table.id).encode()
    assert "Only whoever may *Manage Server*" in await w.answer(w.ann, w.board(), forged)
    max_ = newcomer(w, manage_guild=True)
    await max_.press_verb(w.board(), Verb.JOIN)
    assert "Only the host" in await w.answer(max_, w.board(), forged)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("start")
    assert await usual(w) == {}


async def test_a_match_that_has_begun_is_not_saved(w: World) -> None:
    max_ = await manager(w)
    await send_options(max_, w)
    offer = w.whispers(max_)[-1]
    await stop(w, await w.table())
    await max_.press_verb(offer, Verb.SAVE_USUAL)
    assert await usual(w) == {}


async def test_the_panel_shows_and_clears_it(w: World) -> None:
    await save(w)
    max_, page = await panel(w, "usual")
    assert "4 players · 2 rounds · no hints · daily" in page.text
    assert page.text.count("nothing saved") == 3
    (clear, _) = page.presses(Verb.SETTING)[0]
    assert clear.argument == "no_usual|sticheln"
    await max_.press(page, clear.encode())
    assert max_.panel.text.count("nothing saved") == 4
    assert await usual(w) == {}
    await turn(max_, "log")
    assert "Usual table of Sticheln: cleared" in max_.panel.text
    assert "Usual table of Sticheln: saved" in max_.panel.text
    forged = Press(Verb.SETTING, argument=f"{Setting.USUAL}|sticheln").encode()
    assert "none of the choices" in await w.answer(max_, max_.panel, forged)


async def test_what_a_game_knows_no_more_is_left_out(w: World) -> None:
    """As after an update that has changed the game."""
    servers, guild = w.running.context.servers, GuildId(w.guild.id)
    odd = Usual(17, {"rounds": 2, "of last year": 1}, pace=Pace.DAILY)
    await w.directly(servers.save_usual(guild, Person(UserId(1), "Max"), "sticheln", odd))
    await w.directly(servers.save_usual(guild, Person(UserId(1), "Max"), "gone", Usual()))
    _, page = await panel(w, "usual")
    assert "2 rounds · daily" in page.text
    assert "last year" not in page.text
    assert "gone" not in page.text
    await w.ann.slash("newgame", game="sticheln")
    (table,) = await open_tables(w)
    assert table.stored.given == {"rounds": 2}
