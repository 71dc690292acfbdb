"""Where tables may open on a server, and who opens them and sits down: asked at every door."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import ChannelHandle, RoleHandle

from bot.ids import GuildId
from bot.render.custom_ids import Press, Verb
from bot.tables.servers import Setting
from cogs.settings import SUBJECTS
from tests.discord.steps import lobby, match, stop
from tests.discord.test_access import thread
from tests.discord.test_planning import come, open_tables, pass_time, plan, seated
from tests.discord.test_settings import panel, turn
from tests.discord.world import Player, World

OPENING = "only people with one of these roles may open a table: **Hosts**."
SITTING = "only people with one of these roles may sit down at a table: **Regulars**."


def role(w: World, name: str) -> RoleHandle:
    return w.guild.create_role(name, permissions=discord.Permissions(send_messages=True))


def give(w: World, to: Player, what: RoleHandle) -> None:
    w.env.backend.add_member_role(w.guild.id, to.id, what.id)


def take(w: World, of: Player, what: RoleHandle) -> None:
    w.env.backend.remove_member_role(w.guild.id, of.id, what.id)


async def choose(w: World, setting: Setting, *chosen: RoleHandle | ChannelHandle) -> Player:
    """Whoever manages the server has chosen these in the panel."""
    max_, page = await panel(w, SUBJECTS[setting])
    await max_.choose(page, Press(Verb.SETTING, argument=setting).encode(), *chosen)
    return max_


# Where


@pytest.mark.behaviour("Somebody opens a table, joins one or takes a seat")
async def test_tables_open_in_the_chosen_channels_and_their_threads_only(w: World) -> None:
    cards = w.room("cards")
    max_ = await choose(w, Setting.PLACES, cards)
    assert "Tables open only in these channels" in max_.panel.text
    for said in (
        await w.ann.slash("newgame", game="sticheln"),
        await w.ann.slash("newgame", game="sticheln", at="in 2h"),
    ):
        assert f"tables open only here, and in threads there: <#{cards.id}>" in said
    assert "This server lets tables open in other channels only" in await w.ann.slash("help")
    await w.ann.slash("newgame", game="sticheln", channel=cards)
    await w.ben.slash("newgame", game="sticheln", channel=thread(w, cards))
    places = {table.stored.channel for table in await open_tables(w)}
    assert len(places) == 2
    assert w.channel.id not in places
    await max_.choose(max_.panel, Press(Verb.SETTING, argument=Setting.PLACES).encode())
    assert "Tables open in every channel." in max_.panel.text
    await w.cat.slash("newgame", game="sticheln")
    assert len(await open_tables(w)) == 3


async def test_a_rematch_and_a_planned_table_ask_where_they_are_when_they_open(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    await come(w, "Ben")
    table = await match(w, game="sticheln")
    await stop(w, table)
    await w.env.advance_time(2)
    await choose(w, Setting.PLACES, w.room("cards"))
    said = await w.ann.press_verb(w.board(), Verb.REMATCH)
    assert "tables open only here" in said
    await pass_time(w, minutes=121)
    assert await open_tables(w) == []
    assert any("may not open a table here any more" in one.text for one in w.messages(w.channel.id))


@pytest.mark.behaviour("Somebody opens a table, joins one or takes a seat")
async def test_deleted_channels_and_roles_lock_nobody_out(w: World) -> None:
    cards, other = w.room("cards"), w.room("other")
    hosts = role(w, "Hosts")
    await choose(w, Setting.PLACES, cards, other)
    await choose(w, Setting.OPENERS, hosts)
    w.env.backend.delete_channel(other.id)
    _, page = await panel(w, "where")
    assert page.text.count("One of those chosen was deleted, and is ignored.") == 1
    assert f"<#{cards.id}>" in await w.ann.slash("newgame", game="sticheln")
    w.env.backend.delete_channel(cards.id)
    w.env.backend.delete_role(w.guild.id, hosts.id)
    _, page = await panel(w, "where")
    assert "2 of those chosen were deleted, and are ignored." in page.text
    assert "One of those chosen was deleted, and is ignored." in page.text
    assert "Everybody may open tables." in page.text
    await w.ann.slash("newgame", game="sticheln")
    assert len(await open_tables(w)) == 1


# Who


async def test_only_the_chosen_roles_open_tables(w: World) -> None:
    hosts = role(w, "Hosts")
    await choose(w, Setting.OPENERS, hosts)
    assert OPENING in await w.ann.slash("newgame", game="sticheln")
    assert OPENING in await w.ann.slash("newgame", game="sticheln", at="in 2h")
    table = await match(w, game="sticheln")
    await stop(w, table)
    await w.env.advance_time(2)
    assert OPENING in await w.ann.press_verb(w.board(), Verb.REMATCH)
    assert OPENING in await w.ben.slash("rematch")
    give(w, w.ann, hosts)
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    (opened,) = await open_tables(w)
    assert seated(opened) == ["Ann", "Ben"], "joining needs no role"


@pytest.mark.behaviour("Somebody opens a table, joins one or takes a seat")
async def test_only_the_chosen_roles_sit_down_by_command_and_button(w: World) -> None:
    regulars = role(w, "Regulars")
    await lobby(w, "Ann", game="kaiserspiel", seats=4)
    await choose(w, Setting.SITTERS, regulars)
    board = w.board()
    menu = board.only(Verb.SIT)
    for said in (
        await w.ben.press_verb(board, Verb.JOIN),
        await w.ben.slash("join"),
        await w.ben.slash("seat take", seat=2),
        await w.ben.choose(board, menu, "1"),
        await w.ben.slash("newgame", game="sticheln", channel=w.room("other")),
    ):
        assert SITTING in said
    give(w, w.ben, regulars)
    await w.ben.press_verb(board, Verb.JOIN)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"], "whoever sits keeps their seat"
    await w.ann.choose(w.board(), menu, "2")
    (table,) = await open_tables(w)
    assert table.stored.seating.place_of(w.ann.id) == 2, "and may move"


async def test_whoever_sits_goes_on_and_everybody_watches(w: World) -> None:
    await match(w, game="sticheln")
    await choose(w, Setting.SITTERS, role(w, "Regulars"))
    await w.eve.slash("watch")
    assert "only people with one of these roles" not in w.eve.panel.text
    player = (await w.actors())[0]
    assert await player.legal()
    assert "already" in await player.slash("seat take", seat=1 + await player.seat())
    await w.ann.slash("leave")
    assert SITTING in await w.eve.slash("seat take", seat=1)


async def test_an_invitation_asks_again_when_it_is_accepted(w: World) -> None:
    regulars = role(w, "Regulars")
    await lobby(w, "Ann", private=True)
    await w.ann.slash("seat invite", player=w.ben.user)
    await choose(w, Setting.SITTERS, regulars)
    said = await w.ann.slash("seat invite", player=w.cat.user)
    assert "this server wants one of these roles for that: **Regulars**" in said
    assert SITTING in await w.ben.press_verb(w.ben.dm(), Verb.JOIN)
    give(w, w.ben, regulars)
    await w.ben.press_verb(w.ben.dm(), Verb.JOIN)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"]


@pytest.mark.behaviour("Somebody opens a table, joins one or takes a seat")
async def test_a_planned_table_seats_whoever_may_sit_when_it_opens(w: World) -> None:
    regulars = role(w, "Regulars")
    for player in (w.ann, w.ben):
        give(w, player, regulars)
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    await come(w, "Ben", "Cat")
    await choose(w, Setting.SITTERS, regulars)
    shown = plan(w)
    coming = next(
        press.encode() for press, _ in shown.presses(Verb.COME) if press.argument.endswith("|1")
    )
    assert SITTING in await w.dan.press(shown, coming)
    await pass_time(w, minutes=121)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"]


async def test_a_planned_table_of_somebody_who_lost_the_role_does_not_open(w: World) -> None:
    hosts = role(w, "Hosts")
    give(w, w.ann, hosts)
    await choose(w, Setting.OPENERS, hosts)
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    await come(w, "Ben")
    take(w, w.ann, hosts)
    await pass_time(w, minutes=121)
    assert await open_tables(w) == []
    assert any("may not open a table here any more" in one.text for one in w.messages(w.channel.id))


# The panel


async def test_what_is_not_of_this_server_is_not_taken(w: World) -> None:
    max_, page = await panel(w, "where")
    for setting in (Setting.PLACES, Setting.OPENERS, Setting.SITTERS):
        custom_id = Press(Verb.SETTING, argument=setting).encode()
        for value in (str(w.guild.id + 1), "x", str(2**70)):
            said = await w.answer(max_, page, custom_id, kind=6, values=[value])
            assert "none of the choices" in said, (setting, value)
    chosen = await w.directly(w.running.context.servers.settings(GuildId(w.guild.id)))
    assert (chosen.places, chosen.openers, chosen.sitters) == ((), (), ())


async def test_the_log_names_what_was_chosen_and_the_menus_show_it(w: World) -> None:
    hosts, regulars = role(w, "Hosts"), role(w, "Regulars")
    max_ = await choose(w, Setting.OPENERS, hosts, regulars)
    menus: dict[str, list[Any]] = {
        press.argument: part["default_values"] for press, part in max_.panel.presses(Verb.SETTING)
    }
    assert menus == {
        "places": [],
        "openers": [{"id": str(one.id), "type": "role"} for one in (hosts, regulars)],
        "sitters": [],
    }
    await max_.choose(max_.panel, Press(Verb.SETTING, argument="openers").encode())
    await turn(max_, "log")
    said = max_.panel.text
    assert "Opening tables: no limit" in said
    assert f"Opening tables: <@&{hosts.id}> and <@&{regulars.id}>" in said
