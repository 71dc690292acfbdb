"""Opening a table, sitting down, getting up, starting."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer.refusals import table_refusal
from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.tables.model import TableError
from cogs.lobby import given_options
from engine.registry import games
from tests.discord.steps import kick, lobby, match, minutes, moderator, stop, tables
from tests.discord.world import World


async def test_a_second_table_in_a_channel_is_refused_and_the_first_shown_again(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1)
    first = w.board()
    said = await w.ben.slash("newgame", game="aufundab")
    assert "already an open table in this channel" in said
    assert w.board().id != first.id
    assert "**Ann** · host" in w.board().text
    assert [shown.id for shown in w.boards()] == [w.board().id]
    assert "has moved down" in w.refreshed(first).text
    assert "**Options…** changes it" in await w.ann.slash("newgame", game="sticheln")
    await w.ben.press(w.board(), w.board().only(Verb.JOIN))
    assert "You already have a seat" in await w.ben.slash("newgame", game="sticheln")
    assert len(await tables(w).open_tables()) == 1


async def test_who_moderates_is_told_that_a_table_is_moderated_in_its_channel(w: World) -> None:
    table, elsewhere = await lobby(w, "Ann", "Ben"), w.guild.create_text_channel("elsewhere")
    judge = moderator(w)
    said = await judge.slash("endgame", channel=elsewhere, table=table.id)
    assert "If you moderate its channel, do that in the channel itself" in said
    assert "End this table for everybody?" in await judge.slash("endgame", table=table.id)


async def test_a_guest_who_would_close_the_lobby_is_told_who_can(w: World) -> None:
    await lobby(w, "Ann", "Ben")
    assert "Only the host can do that: ask Ann." in await w.ben.slash("endgame")
    assert "End this table for everybody?" in await w.ann.slash("endgame")


async def test_a_rematch_where_another_table_is_open_shows_that_or_the_way_to_it(w: World) -> None:
    ended = await stop(w, await match(w))
    await w.env.advance_time(5)
    result = w.board()
    assert result.presses(Verb.REMATCH)
    await lobby(w, "Ann", "Ben")
    await w.env.advance_time(5)
    before = w.board().id
    assert "Your table is already open in this channel" in await w.ann.press_verb(
        result, Verb.REMATCH
    )
    assert "You already have a seat" in await w.ben.press_verb(result, Verb.REMATCH)
    assert "already an open table in this channel" in await w.cat.press_verb(result, Verb.REMATCH)
    await w.env.advance_time(3)
    assert w.board().id > before
    elsewhere = w.guild.create_text_channel("elsewhere")
    for player in (w.ann, w.cat):
        said = await player.slash("rematch", channel=elsewhere, table=ended.id)
        assert "already an open table in that channel" in said
        assert str(w.board().id) in str(player.panel.components), "the way there"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"length": 2, "target": 50}, ["a number of rounds or a target", "not both"]),
        ({"length": 41}, ["length", "1 to 40"]),
        ({"seats": 6}, ["3 to 4 people"]),
        ({"seats": 2}, ["3 to 4 people"]),
    ],
)
async def test_what_a_game_cannot_be_is_refused_in_words(
    options: dict[str, Any], words: list[str], w: World
) -> None:
    said = await w.ann.slash("newgame", game="aufundab", **options)
    assert [word for word in words if word not in said] == [], said
    assert w.messages(w.channel.id) == []
    assert await tables(w).open_tables() == []


@pytest.mark.nightly
def test_an_option_that_a_game_does_not_have_is_refused() -> None:
    info = games()["aufundab"].info
    assert given_options(info, {"length": 3, "target": None}) == {"hands": 3}
    assert given_options(games()["sticheln"].info, {"length": 3}) == {"rounds": 3}
    assert given_options(games()["kaiserspiel"].info, {"length": 3}) == {"target": 3}
    with pytest.raises(TableError) as refused:
        given_options(info, {"jokers": True})
    assert refused.value.code == "option_not_here"
    assert refused.value.params == {
        "option": "jokers", "known": "length, target", "game": "aufundab",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TableError("too_fast", seconds=59), "open the next one in 1 minute."),
        (TableError("too_fast", seconds=61), "open the next one in 2 minutes."),
        (TableError("server_too_fast", seconds=600), "open yours in 10 minutes, or join"),
        (TableError("too_many_tables", limit=3), "already opened 3 tables on this server"),
        (TableError("server_full", limit=100), "Take a free seat at one of them"),
        (TableError("restarting"), "try again in a minute"),
    ],
)
def test_who_may_not_open_a_table_now_is_told_what_to_do_instead(
    error: TableError, words: str
) -> None:
    assert words in table_refusal(texts("en"), error)


async def test_join_and_leave_by_buttons_and_by_commands(w: World) -> None:
    await lobby(w, seats=4)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "2. **Ben**" in w.board().text
    assert "You have seat 3." in await w.cat.slash("join")
    assert "3. **Cat**" in w.board().text
    assert "You already have seat 3." in await w.cat.slash("join")
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    assert "2. *free seat*" in w.board().text
    assert "You have left" in await w.cat.slash("leave")
    assert "3. *free seat*" in w.board().text
    assert len(w.messages(w.channel.id)) == 1
    said = await w.cat.press_verb(w.board(), Verb.LEAVE)
    assert "You are not at this table" in said


@pytest.mark.nightly
async def test_a_person_chooses_a_seat_and_moves_to_another(w: World) -> None:
    await lobby(w, seats=4)
    menu = w.board().only(Verb.SIT)
    await w.ben.choose(w.board(), menu, "3")
    assert "4. **Ben**" in w.board().text
    await w.ben.choose(w.board(), w.board().only(Verb.SIT), "1")
    assert "2. **Ben**" in w.board().text
    assert "4. *free seat*" in w.board().text
    assert "You have seat 3." in await w.cat.slash("seat take", seat=3)
    assert "Somebody already has that seat" in await w.ben.slash("seat take", seat=3)
    assert "4 seats" in await w.ben.slash("seat take", seat=6)
    said = await w.answer(w.ben, w.board(), menu, 3, values=["2"])
    assert "Somebody already has that seat" in said
    assert "You have seat 3." in await w.ann.slash("seat take", seat=3)
    assert "1. **Cat**" in w.board().text, "the host swaps"


@pytest.mark.behaviour("The host chooses a seat where another sits by now")
async def test_the_host_changes_places_with_nobody_but_whom_the_menu_named(w: World) -> None:
    await lobby(w, "Ann", "Ben", game="kaiserspiel", seats=4)
    board, menu = w.board(), w.board().only(Verb.SIT)
    free, named = "3", f"1|{w.ben.id}"
    await w.cat.slash("seat take", seat=4)
    await w.ben.slash("seat take", seat=3)
    await w.dan.slash("seat take", seat=2)
    for value in (free, named):
        said = await w.answer(w.ann, board, menu, 3, values=[value])
        assert "Somebody already has that seat" in said
    assert (await w.table()).stored.seating.place_of(w.ann.id) == 0
    await w.ann.choose(w.board(), menu, f"1|{w.dan.id}")
    table = await w.table()
    assert [person.name for person in table.stored.seating.people] == ["Dan", "Ann", "Ben", "Cat"]


async def test_a_private_table_is_for_the_invited(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, private=True)
    assert "by invitation" in w.board().text
    assert "by invitation" in await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "Only the host" in await w.cat.slash("seat invite", player=w.ben.user)
    assert "Ben is invited." in await w.ann.slash("seat invite", player=w.ben.user)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "2. **Ben**" in w.board().text
    assert "by invitation" in await w.cat.slash("join")


async def test_who_was_kicked_cannot_return(w: World) -> None:
    await lobby(w, "Ann", "Ben", seats=4)
    assert "Only the host can do that: ask Ann." in await kick(w.ben, w.ann)
    assert "has no seat at this table" in await kick(w.ann, w.cat)
    assert "can't remove yourself" in await kick(w.ann, w.ann)
    asked = await w.ann.slash("seat kick", player=w.ben.user)
    assert "Remove Ben from this table? They lose their seat and can't come back" in asked
    assert "2. **Ben**" in w.board().text, "asked, not done"
    assert "Ben no longer has a seat here" in await kick(w.ann, w.ben)
    assert "2. *free seat*" in w.board().text
    assert "no seat for you at this table" in await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "no seat for you at this table" in await w.ben.slash("join")
    assert "can't be invited" in await w.ann.slash("seat invite", player=w.ben.user)
    assert (await w.table()).stored.seating.place_of(w.ben.id) is None


@pytest.mark.nightly
async def test_the_host_hands_the_table_over_by_command(w: World) -> None:
    await lobby(w, "Ann", "Ben", seats=4)
    assert "has no seat at this table" in await w.ann.slash("seat host", player=w.cat.user)
    said = await w.ann.slash("seat host", player=w.ben.user)
    assert "Ben is the host of this table now." in said
    assert "**Ben** · host" in w.board().text
    assert "Only the host" in await w.ann.slash("seat host", player=w.ann.user)


@pytest.mark.behaviour("The host of a lobby is not seen for three minutes")
async def test_a_host_who_is_not_seen_leads_no_longer(w: World) -> None:
    await lobby(w, "Ann", "Ben", seats=4)
    await minutes(w, 2)
    await w.ann.press_verb(w.board(), Verb.RULES)
    await w.ann.slash("table")
    await minutes(w, 2)
    assert "**Ann** · host" in w.board().text, "she was seen"
    await minutes(w, 2)
    assert "**Ben** · host" in w.board().text


@pytest.mark.nightly
async def test_without_a_table_every_command_says_how_to_get_one(w: World) -> None:
    for command in ("join", "leave", "start", "table", "hand", "endgame", "rematch"):
        assert "`/newgame` opens one" in await w.ann.slash(command), command
    assert "`/newgame` opens one" in await w.ann.slash("play", action="pass")
    assert "`/newgame`" in await w.ann.slash("hand", dm=True)
    assert "don't know that table" in await w.ann.slash("join", table="ZZZZZ")
