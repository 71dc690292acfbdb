"""Leaderboards and what one person has played: exactly once per match, and in order."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.plans import Wish
from bot.tables.stored import Person
from tests.discord.steps import dealt, first, match, play, tables
from tests.discord.world import Player, Shown, World, walk
from tests.tables.outcomes import outcome_of


async def board(player: Player, **options: Any) -> list[str]:
    """The lines of `/leaderboard` as that person sees them."""
    return lines(await player.slash("leaderboard", **options))


def lines(said: str) -> list[str]:
    """The lines of a leaderboard, two made one: `1 Ann · 1 win, 1 match …`, `1 Ann · 3.3?, …`."""
    found = re.findall(r"\*\*(\d+)\*\* (.+?) · \*\*(.+?)\*\*\n-# (.+)", said)
    return [f"{place} {name} · {wins}, {facts}" for place, name, wins, facts in found]


def of_page(said: str) -> list[str]:
    """The lines of a page, without those of another one that are shown below it."""
    return lines(said.partition("\n…\n")[0])


def counted(found: list[str]) -> dict[str, int]:
    """Matches by name."""
    parts = (re.match(r"\d+ (\w+) · .+?, (\d+) match", line) for line in found)
    return {part[1]: int(part[2]) for part in parts if part is not None}


async def one_match(w: World, *ids: int, channel: int) -> Table:
    """A whole match of people who need not be here now."""

    async def work() -> Table:
        people = [Person(UserId(user), f"Guest{user}") for user in ids]
        made = await tables(w).open(
            Wish("aufundab", len(ids), {"hands": 1}),
            GuildId(w.guild.id),
            ChannelId(channel),
            people[0],
        )
        for person in people[1:]:
            made = await tables(w).sit(made.id, person)
        now = await tables(w).start(made.id, UserId(ids[0]))
        now = await tables(w).posted(now.id, 1, MessageId(1))
        while now.actors:
            sitter = now.stored.seating.places[now.actors[0]].person
            assert sitter is not None
            now = await tables(w).act(now.id, None, sitter.id, first(now), None)
        return now

    return await w.directly(work())


async def test_a_match_for_fun_says_so_and_counts_for_nobody(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", seats=3, length=1, counts="fun")
    assert "for fun: on no leaderboard" in w.board().text
    await w.ben.press_verb(w.board(), Verb.JOIN)
    await w.cat.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("start")
    await play(w, await dealt(w, await w.table()))
    assert "For fun: on no leaderboard" in w.board().text
    assert await board(w.ann, game="aufundab") == []
    assert "Nobody stands here in this period yet" in await w.ann.slash("leaderboard")
    assert "Has no result that counts on this server yet" in await w.ann.slash("stats")


async def test_a_match_counts_once_for_everybody_who_began_it(w: World) -> None:
    table = await play(w, await match(w))
    outcome = outcome_of(table)
    found = await board(w.ann, game="aufundab")
    ranking = outcome.ranking
    names = [person.name for person in table.stored.seating.beginners.values()]
    best = ranking.index(1)
    assert re.match(rf"1 {names[best]} · \d\.\d\?, 1 match · 1 win", found[0])
    assert counted(found) == {"Ann": 1, "Ben": 1, "Cat": 1}
    assert f"{outcome.scores[best]} points per round" in found[0].replace(".0", "")
    assert "points per round" not in "".join(await board(w.ann))


@pytest.mark.nightly
async def test_the_menus_change_period_and_game(w: World) -> None:
    await play(w, await match(w))
    w.skip(timedelta(days=40))
    said = await w.ann.slash("leaderboard")
    assert len(lines(said)) == 3
    assert not re.search(r"\d\spoints\sper\sround", said)
    game = w.ann.panel.only(Verb.GAME)
    assert "points per round" in await w.ann.choose(w.ann.panel, game, "aufundab")
    period = w.ann.panel.only(Verb.PERIOD)
    said = await w.ann.choose(w.ann.panel, period, "month")
    assert lines(said) == []
    assert chosen(w.ann.panel, Verb.GAME) == "aufundab"
    assert chosen(w.ann.panel, Verb.PERIOD) == "month"


async def test_a_leaderboard_of_one_game_is_ordered_as_one_likes(w: World) -> None:
    await play(w, await match(w))
    said = await w.ann.slash("leaderboard", game="aufundab")
    assert chosen(w.ann.panel, Verb.ORDER) == "rating"
    assert said.count("?**") == 3, "all are provisional"
    assert "? provisional" in said
    by_wins = await w.ann.choose(w.ann.panel, w.ann.panel.only(Verb.ORDER), "wins")
    assert "**1 win**" in by_wins
    by_rate = await w.ann.choose(w.ann.panel, w.ann.panel.only(Verb.ORDER), "rate")
    assert by_rate.count("points per round**") == 3
    season = await w.ann.choose(w.ann.panel, w.ann.panel.only(Verb.PERIOD), "season")
    assert chosen(w.ann.panel, Verb.ORDER) == "rate"
    assert len(lines(season)) == 3
    assert "Ratings are counted over all time only." in season
    stats = await w.ann.slash("stats")
    assert re.search(r"· rating\s−?\d\.\d\?", stats)


async def test_buttons_of_before_there_were_orders_still_work(w: World) -> None:
    await play(w, await match(w))
    await w.ann.slash("leaderboard")
    said = await w.answer(w.ann, w.ann.panel, "st:standings:::all|aufundab|0")
    assert said.count("?**") == 3


def chosen(shown: Shown, verb: Verb) -> str:
    """What a menu says is chosen."""
    (component,) = [
        component
        for component in walk(shown.components)
        if str(component.get("custom_id", "")).startswith(f"st:{verb}:")
    ]
    (value,) = [option["value"] for option in component["options"] if option.get("default")]
    return str(value)


async def test_pages_are_turned_and_my_place_is_found(w: World) -> None:
    for start in range(1, 10, 3):
        await one_match(w, start, start + 1, start + 2, channel=100 + start)
    assert "My place" not in await w.ann.slash("leaderboard")
    await play(w, await match(w))
    first_page = await w.ann.slash("leaderboard")
    assert len(of_page(first_page)) == 8
    assert "1 / 2" in first_page
    assert " Ann " in first_page, "on the page, or below it with her neighbours"
    (on,) = [
        press.encode()
        for press, component in w.ann.panel.presses(Verb.STANDINGS)
        if component["label"] == "›"
    ]
    second = await w.ann.press(w.ann.panel, on)
    assert len(of_page(second)) == 4
    assert "2 / 2" in second
    assert " Ann " in second
    assert ("…" in first_page) != ("…" in second)
    (back,) = [
        press.encode()
        for press, component in w.ann.panel.presses(Verb.STANDINGS)
        if component["label"] == "‹"
    ]
    assert lines(await w.ann.press(w.ann.panel, back)) == lines(first_page)
    for player in w.players.values():
        await player.slash("leaderboard")
        (mine,) = [
            (press.encode(), str(component["label"]))
            for press, component in player.panel.presses(Verb.STANDINGS)
            if component["label"].startswith("My place")
        ]
        found = await player.press(player.panel, mine[0])
        (line,) = [line for line in lines(found) if f" {player.name} " in line]
        assert mine[1] == f"My place: {line.split()[0]}"


@pytest.mark.nightly
async def test_a_dm_has_no_leaderboard_and_says_so(w: World) -> None:
    await match(w, dms=True)
    offered = w.ann.user.available_commands()
    assert not {"leaderboard", "stats", "join"} & set(offered)
    assert {"newgame", "play", "hand", "table", "rules"} <= set(offered)
    panel = w.ann.dm()
    for custom_id in ("st:standings:::all|all|0", "st:period:::all|all|0"):
        said = await w.answer(w.ann, panel, custom_id)
        assert "only on a server" in said
