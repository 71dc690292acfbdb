"""What a server's managers choose for everybody there: how boards and results look."""

from __future__ import annotations

import random
import re

import pytest

from bot import emojis
from bot.ids import GuildId
from bot.pictures.decks import TEXT
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.servers import ServerSettings, Setting
from bot.tables.stored import Status
from bot.views.building import channel_view
from bot.views.values import BoardView
from tests.discord.steps import actor, find, lobby, match, newcomer, play, tables
from tests.discord.test_emojis import MENTION, synced
from tests.discord.test_hints import counted
from tests.discord.test_pictures import EN, address, items, trick
from tests.discord.ways import act_by_command, play_on
from tests.discord.world import Player, Shown, World

CONTRAST = "Cards in solid colours on black"
STANDARD = "Each colour has a shape of its own."
DECK = Press(Verb.SETTING, argument=Setting.DECK).encode()
"""The menu of decks."""
MAY_NOT = "Only whoever may *Manage Server*"


async def drawn(w: World, table: Table, deck: str) -> str:
    """Under which name what the channel is shown of a table is drawn in a deck."""
    file = await w.directly(w.running.context.picture_cache.board(channel_view(table), deck))
    assert file is not None
    return file.name


def named(shown: Shown) -> str:
    """The name of the only picture of a message."""
    return address(shown).rpartition("/")[2]


def decks(shown: Shown) -> set[str]:
    """Of which decks the emoji of a message are, as their names write it."""
    found = (emojis.named(name) for name, _ in MENTION.findall(shown.text))
    return {one.deck for one in found if one is not None}


async def led(w: World, table: Table) -> Table:
    """The table with a trick of two cards before everybody, drawn."""
    table = await find(w, table, lambda layout: len(trick(layout)) == 2)
    await w.env.advance_time(2)
    return table


async def go_on(w: World) -> Table:
    """Somebody plays a card, and everybody sees it."""
    await act_by_command((await w.actors())[0], random.Random(1))
    await w.env.advance_time(2)
    return await w.table()


@pytest.mark.nightly
@pytest.mark.pictures
async def test_boards_and_results_are_drawn_in_the_deck_of_the_server(w: World) -> None:
    table = await led(w, await match(w, game="sticheln", rounds=2))
    usual, contrast = [await drawn(w, table, deck) for deck in ("standard", "contrast")]
    assert usual != contrast
    assert named(w.board()) == usual
    hand = named(await actor(w, table).hand())
    said = await newcomer(w, manage_guild=True).slash("settings", deck="contrast")
    assert CONTRAST in said
    assert named(w.board()) == usual, "it changes when it is drawn next"
    assert named(await actor(w, table).hand()) == hand, "a hand is its owner's"
    table = await go_on(w)
    assert named(w.board()) == await drawn(w, table, "contrast")
    await w.restart()
    table = await go_on(w)
    assert named(w.board()) == await drawn(w, table, "contrast")
    await play_on(w, act_by_command, random.Random(1))
    await w.env.advance_time(2)
    table = await tables(w).table(table.id)
    assert table.stored.status is Status.FINISHED
    assert named(w.board()) == await drawn(w, table, "contrast")
    assert named(w.board()) != await drawn(w, table, "standard")


@pytest.mark.nightly
@pytest.mark.pictures
async def test_the_answer_to_a_press_on_the_board_is_in_the_deck_of_the_server(w: World) -> None:
    await newcomer(w, manage_guild=True).slash("settings", deck="contrast")
    table = await play(w, await match(w), 1)
    await w.env.advance_time(2)
    await actor(w, table).press_verb(w.board(), Verb.ACT)
    after = await w.table()
    assert after.ply == table.ply + 1
    assert named(w.board()) == await drawn(w, after, "contrast")
    assert named(w.board()) != await drawn(w, after, "standard")


@pytest.mark.pictures
async def test_what_only_one_person_sees_is_in_their_own_deck(w: World) -> None:
    table = await led(w, await match(w, game="sticheln"))
    await newcomer(w, manage_guild=True).slash("settings", deck="contrast")
    await w.dan.slash("preferences", deck="large")
    for player, deck in ((w.dan, "large"), (w.ann, "standard")):
        await player.slash("watch")
        assert named(player.panel) == await drawn(w, table, deck)
    await w.ann.slash("preferences", deck="large")
    table = await go_on(w)
    assert named(w.board()) == await drawn(w, table, "contrast")


@pytest.mark.pictures
async def test_the_page_shows_what_is_chosen_and_changes_it(w: World) -> None:
    max_ = newcomer(w, manage_guild=True)
    assert STANDARD in await max_.slash("settings")
    page = max_.panel
    assert len(list(items(page))) == 3
    assert "the next time they are drawn" in page.text
    said = await max_.choose(page, DECK, "contrast")
    assert CONTRAST in said
    assert CONTRAST in await max_.slash("settings")
    assert STANDARD in await max_.slash("preferences"), "their own cards stay as they are"
    said = await max_.slash("settings", deck=TEXT)
    assert "boards are text" in said
    assert "your hand" not in said
    assert not list(items(max_.panel))


@pytest.mark.pictures
async def test_whoever_does_not_manage_the_server_is_told_so_and_changes_nothing(w: World) -> None:
    """A server may offer the command to anybody, and a press can be forged."""
    max_ = newcomer(w, manage_guild=True)
    await max_.slash("settings", deck="contrast")
    page = max_.panel
    (command,) = [one for one in await w.bot.tree.fetch_commands() if one.name == "settings"]
    w.guild.set_command_permissions(command, {w.ann.user: True})
    for said in (
        await w.ann.slash("settings"),
        await w.ann.slash("settings", deck="large"),
        await w.answer(w.ann, page, DECK, kind=3, values=["large"]),
    ):
        assert said.startswith(MAY_NOT)
        assert CONTRAST not in said
    await w.answer(max_, page, DECK, kind=3, values=["marked"])
    assert CONTRAST in await max_.slash("settings")


@pytest.mark.nightly
async def test_the_command_is_offered_on_servers_to_those_who_manage_them(w: World) -> None:
    max_ = newcomer(w, manage_guild=True)
    offered = [one.actor.available_commands(w.channel) for one in (max_, w.ann)]
    assert ["settings" in one for one in offered] == [True, False]
    assert "preferences" in offered[1]
    assert "settings" not in max_.user.available_commands()


@pytest.mark.nightly
@pytest.mark.pictures
async def test_a_server_that_wants_text_gets_no_picture_no_emoji_and_the_whole_board(
    w: World,
) -> None:
    async with synced(w):
        table = await match(w, game="sticheln", rounds=2)
        await newcomer(w, manage_guild=True).slash("settings", deck=TEXT)
        table = await led(w, table)
        view = channel_view(table)
        assert isinstance(view, BoardView)
        board = w.board()
        assert not list(items(board))
        assert not MENTION.search(board.text)
        for card in trick(view.layout):
            assert EN.card("sticheln", card) in board.text
        assert len(trick(view.layout)) == 2
        assert list(items(await actor(w, table).hand())), "a hand is its owner's"
        await play_on(w, act_by_command, random.Random(1))
        await w.env.advance_time(2)
        assert (await tables(w).table(table.id)).stored.status is Status.FINISHED
        assert not list(items(w.board()))
        assert not MENTION.search(w.board().text)


@pytest.mark.nightly
async def test_emoji_on_a_board_are_those_of_the_deck_of_the_server(w: World) -> None:
    async with synced(w):
        await led(w, await match(w, game="sticheln"))
        usual = w.board()
        await newcomer(w, manage_guild=True).slash("settings", deck="contrast")
        await go_on(w)
        shown = w.board()
        assert [decks(one) for one in (usual, shown)] == [{"s"}, {"h"}]
        for deck, own in (("standard", {"s"}), (TEXT, set[str]())):
            await w.ann.slash("preferences", deck=deck)
            await w.ann.slash("watch")
            assert decks(w.ann.panel) == own, "a spectator's copy is their own"


# The panel


async def panel(w: World, subject: str) -> tuple[Player, Shown]:
    """Somebody who manages the server, and a page of the panel before their eyes."""
    max_ = newcomer(w, manage_guild=True)
    await max_.slash("settings")
    await turn(max_, subject)
    return max_, max_.panel


async def turn(player: Player, subject: str) -> str:
    """Turns to a page of the panel that they look at."""
    return await player.press(player.panel, Press(Verb.SETTINGS, argument=subject).encode())


def switch(shown: Shown, name: str) -> str:
    """The `custom_id` of the button of a setting."""
    (found,) = [
        press for press, _ in shown.presses(Verb.SETTING) if press.argument.startswith(f"{name}|")
    ]
    return found.encode()


async def flip(player: Player, name: str) -> str:
    return await player.press(player.panel, switch(player.panel, name))


async def test_every_change_is_written_down_with_who_made_it_and_when(w: World) -> None:
    max_, _ = await panel(w, "log")
    assert "Nobody has changed anything yet." in max_.panel.text
    await max_.slash("settings", deck="contrast")
    await max_.slash("settings", deck="contrast")
    await turn(max_, "leaderboard")
    await flip(max_, "hints")
    at = int(w.now().timestamp())
    await turn(max_, "log")
    lines = [line for line in max_.panel.text.splitlines() if " · Max · " in line]
    assert [line.split(" · ")[2] for line in lines] == [
        "Count with hints: off",
        "Boards: High contrast",
    ]
    assert all(re.match(rf"<t:{str(at)[:-3]}\d\d\d:f>", line) for line in lines)
    await w.restart()
    said = await turn(max_, "log")
    assert "Count with hints: off" in said


async def test_a_long_log_has_pages(w: World) -> None:
    max_, _ = await panel(w, "leaderboard")
    for _ in range(11):
        await flip(max_, "hints")
    await turn(max_, "log")
    assert max_.panel.text.count(" · Max · ") == 10
    ((older, _),) = [one for one in max_.panel.presses(Verb.SETTINGS) if one[0].argument == "log|1"]
    await max_.press(max_.panel, older.encode())
    assert max_.panel.text.count(" · Max · ") == 1


async def test_each_page_refuses_whoever_does_not_manage_the_server(w: World) -> None:
    """Presses can be forged, and somebody may lose the permission with the panel open."""
    max_, page = await panel(w, "leaderboard")
    for press in (switch(page, "board"), Press(Verb.SETTINGS, argument="log|0").encode()):
        said = await w.answer(w.ann, page, press)
        assert said.startswith(MAY_NOT)
    assert "Leaderboard: on" in (await panel(w, "leaderboard"))[1].text
    for value in ("board|2", "board", "nothing|1", "deck|of tomorrow"):
        forged = Press(Verb.SETTING, argument=value).encode()
        assert "none of the choices" in await w.answer(max_, page, forged), value


async def test_a_panel_of_an_hour_ago_works_and_comes_anew(w: World) -> None:
    max_, _ = await panel(w, "leaderboard")
    old = max_.panel.id
    await w.env.advance_time(3600)
    said = await flip(max_, "board")
    assert "Leaderboard: off" in said
    assert max_.panel.id != old, "the old one can no longer be edited"


async def test_settings_of_one_server_are_not_those_of_another(w: World) -> None:
    max_, _ = await panel(w, "leaderboard")
    await flip(max_, "board")
    here, there = GuildId(w.guild.id), GuildId(w.guild.id + 1)
    servers = w.running.context.servers
    assert not (await w.directly(servers.settings(here))).counting.board
    assert await w.directly(servers.settings(there)) == ServerSettings()


# What counts


@pytest.mark.behaviour("Somebody changes what counts on a server's leaderboard")
async def test_a_server_without_leaderboard_shows_none_and_counts_nothing(w: World) -> None:
    w.computers.think = counted
    max_, _ = await panel(w, "leaderboard")
    assert len(max_.panel.presses(Verb.SETTING)) == 3
    await w.ann.slash("leaderboard")
    before = w.ann.panel
    await flip(max_, "board")
    assert len(max_.panel.presses(Verb.SETTING)) == 1
    off = "There is no leaderboard on this server"
    assert off in await w.ann.slash("leaderboard")
    (period,) = before.presses(Verb.PERIOD)
    assert off in await w.ann.choose(before, period[0].encode(), "week")
    await lobby(w)
    assert "on no leaderboard" in w.board().text
    await w.ann.slash("leave")
    await match(w, game="sticheln", rounds=1)
    await play_on(w, act_by_command, random.Random(1))
    await w.env.advance_time(2)
    assert "On no leaderboard" in w.board().text
    await max_.slash("settings")
    await turn(max_, "leaderboard")
    await flip(max_, "board")
    assert "Nobody stands here in this period yet" in await w.ann.slash("leaderboard")


@pytest.mark.behaviour("Somebody changes what counts on a server's leaderboard")
async def test_a_match_keeps_to_what_held_when_its_table_opened(w: World) -> None:
    max_, _ = await panel(w, "leaderboard")
    await match(w, game="sticheln", rounds=1)
    await flip(max_, "board")
    await flip(max_, "board")
    await flip(max_, "hints")
    await play_on(w, act_by_command, random.Random(1))
    await w.env.advance_time(2)
    assert "On the leaderboard" in w.board().text
    assert "1 match" in await w.ann.slash("leaderboard")


async def test_whoever_takes_a_hint_does_not_count_where_hints_do_not(w: World) -> None:
    w.computers.think = counted
    max_, _ = await panel(w, "leaderboard")
    await flip(max_, "hints")
    await match(w, game="sticheln", rounds=1)
    player = (await w.actors())[0]
    said = await player.slash("hint")
    assert "the match no longer counts on the leaderboard for you" in said
    await play_on(w, act_by_command, random.Random(1))
    await w.env.advance_time(2)
    assert "On the leaderboard, but not for people who took hints" in w.board().text
    board = await max_.slash("leaderboard")
    others = [one.name for one in w.people(3) if one != player]
    assert [name in board for name in (player.name, *others)] == [False, True, True]


async def test_matches_with_computer_players_count_where_they_are_to(w: World) -> None:
    max_, _ = await panel(w, "leaderboard")
    await flip(max_, "computers")
    await w.ann.slash("newgame", game="sticheln", seats=3, computers="2 easy", length=1)
    assert "on the leaderboard with computer players, too" in w.board().text
    await w.ann.press_verb(w.board(), Verb.COMPUTERS)
    assert "no leaderboard" not in w.ann.panel.text
    await w.ann.press_verb(w.board(), Verb.START)
    await play_on(w, act_by_command, random.Random(1))
    await w.env.advance_time(2)
    assert "On the leaderboard" in w.board().text
    assert "Ann" in await w.ann.slash("leaderboard", game="sticheln")
    assert "on no leaderboard" not in await w.ann.slash("stats")
