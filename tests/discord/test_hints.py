"""Hints: what a computer player would do, told to whoever is asked and asks for it, and counted."""

from __future__ import annotations

from typing import Final

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.ports import Advice, Thought
from bot.tables.stored import Status
from engine.players.levels import Level
from engine.players.player import FEW, Considered
from engine.registry import games
from tests.discord.steps import at, legal, lobby, match, play, reach, tables
from tests.discord.world import NAMES, Player, World

MANY: Final = 10
"""Up to so many actions of Auf und Ab are a button each."""

GUESS: Final = "at first glance I would"


def possible(thought: Thought) -> list[str]:
    game = games()[thought.game]
    return [game.format_action(action) for action in thought.view.legal_actions]


def counted(thought: Thought) -> Advice:
    """The last legal action is the best by far, and takes what is played for more often."""
    first, *_, last = possible(thought)
    better, worse = (0.63, 0.5) if thought.game == "kaiserspiel" else (4.2, -1.04)
    best, other = Considered(last, better, 0.61, 600), Considered(first, worse, 0.48, 300)
    if not last.startswith("play"):
        return best, other
    return best._replace(takes=0.744), other._replace(takes=0.51)


def guessed(thought: Thought, visits: int = 0) -> Advice:
    return (Considered(possible(thought)[0], 9.0, 1.0, visits),)


async def asked(w: World, table: Table) -> tuple[Table, Player]:
    """The table when a person has a choice, and that person."""
    table = await reach(w, table, lambda now: len(legal(now)) > 1)
    return table, at(w, table, table.actors[0])


async def taken(w: World, player: Player) -> int:
    hinted = (await w.table()).stored.hinted.get(player.id)
    return 0 if hinted is None else hinted.taken


@pytest.mark.every_case
@pytest.mark.behaviour("Somebody does not know what to play")
@pytest.mark.parametrize("game", games())
async def test_a_hint_says_what_it_would_do_with_figures_and_only_to_who_asked(
    game: str, w: World
) -> None:
    w.computers.think = counted
    table, player = await asked(w, await match(w, game=game, dms=True))
    others = {one.name: one.dms()[-1].text for one in w.players.values() if one != player}
    channel, board = len(w.messages(w.channel.id)), w.board().text
    deadlines, questions = table.stored.timing.deadlines, table.questions
    hand = player.dm()
    said = await player.press_verb(hand, Verb.HINT)
    assert said == player.dm().text, "on the hand itself"
    assert said.splitlines()[0] == hand.text.splitlines()[0]
    if game == "aufundab":
        assert "wins the round in 61% of the deals I tried. Worse: " in said
        assert " (48%)." in said
    elif game == "kaiserspiel":
        assert "in any rounds that follow, your pair wins the match in about 63%. " in said
        assert " (50%)." in said
    else:
        assert "Average lead over the others after the round: +4.2 points." in said
        assert " (−1.0)." in said
    beside = {
        "aufundab": "In the end this series is yours in 74% of the deals I tried; with **",
        "kaiserspiel": "Your pair wins the round in 61% of the deals I tried; with **",
    }
    assert (beside.get(game, "of the deals I tried") in said) is (game in beside)
    assert "Hint 1 of yours in this match." in said
    assert "Figures: " not in said, "the first one says enough"
    (thought,) = w.computers.hints
    assert thought.level is Level.STRONG
    assert thought.view == table.observe(await player.seat())
    assert await taken(w, player) == 1
    await w.env.advance_time(10)
    now = await w.table()
    assert (now.stored.timing.deadlines, now.questions) == (deadlines, questions)
    assert len(w.messages(w.channel.id)) == channel
    assert w.board().text == board
    for one in w.players.values():
        if one != player:
            assert one.dms()[-1].text == others[one.name]


async def test_a_hint_stays_where_one_chooses_among_what_it_says_and_on_the_way_back(
    w: World,
) -> None:
    w.computers.think = counted
    table = await match(w, game="aufundab", dms=True)
    table = await reach(w, table, lambda now: len(legal(now)) > MANY)
    player, hint = at(w, table, table.actors[0]), "wins the round in 61%"
    first = player.dm().presses(Verb.OPEN)[0][1]["custom_id"]
    assert hint not in await player.press(player.dm(), first)
    assert hint not in await player.press_verb(player.dm(), Verb.OPEN)
    assert hint in await player.press_verb(player.dm(), Verb.HINT)
    assert hint in await player.press(player.dm(), first)
    assert hint in await player.press_verb(player.dm(), Verb.OPEN)
    assert await taken(w, player) == 1
    assert len(w.computers.hints) == 1
    table = await play(w, table, 1)
    await reach(w, table, lambda now: at(w, now, now.actors[0]) is player)
    assert hint not in player.dm().text


@pytest.mark.nightly
async def test_the_command_does_the_same_and_asking_again_thinks_and_counts_no_more(
    w: World,
) -> None:
    w.computers.think = counted
    table, player = await asked(w, await match(w, game="sticheln", dms=True))
    headline = player.dm().text.splitlines()[0]
    first = await player.slash("hint")
    assert f"-# {headline.removeprefix('## ').replace('Your turn', 'Asked')}\n" in first
    assert "lead over the others after the round: +4.2 points" in first
    again = await player.press_verb(player.dm(), Verb.HINT)
    assert "lead over the others after the round: +4.2 points" in again
    assert len(w.computers.hints) == 1
    assert await taken(w, player) == 1
    assert "of the deals I tried" not in again, "nobody plays for a trick yet"
    table = await play(w, table, 3)
    await reach(w, table, lambda now: at(w, now, now.actors[0]) is player and len(legal(now)) > 1)
    said = await player.slash("hint", dm=True)
    assert "lead over the others after the round: +4.2 points" in said
    assert "Hint 2 of yours" in said
    assert "play each of these deals to its end; so they change from turn to turn." in said
    assert "You win this trick in 74% of the deals I tried; with " in said
    assert await taken(w, player) == 2


async def test_what_hints_are_is_said_with_the_first_one_only(w: World) -> None:
    """Of somebody who learns the game it takes the tip's place each time."""
    w.computers.think = counted
    table, player = await asked(w, await match(w, game="kaiserspiel", dms=True))
    small = (
        "The match's result says who took how many.",
        "The hint replaces the tip, which is only a general rule.",
    )
    said = await player.press_verb(player.dm(), Verb.HINT)
    assert "Hint 1 of yours in this match." in said
    assert all(one in said for one in small)
    table = await play(w, table, 1)
    await reach(w, table, lambda now: at(w, now, now.actors[0]) is player and len(legal(now)) > 1)
    said = await player.press_verb(player.dm(), Verb.HINT)
    assert "Hint 2 of yours in this match." in said
    assert not any(one in said for one in small)


@pytest.mark.nightly
async def test_the_result_says_who_took_how_many(w: World) -> None:
    w.computers.think = counted
    table, player = await asked(w, await match(w, game="sticheln", dms=True))
    await player.slash("hint")
    await w.restart()
    await w.env.advance_time(1)
    table = await play(w, await w.table())
    await w.env.advance_time(5)
    assert table.stored.status is Status.FINISHED
    results = [shown for shown in w.messages(w.channel.id) if "hints: " in shown.text]
    assert len(results) == 1
    assert f"hints: {player.name} 1" in results[0].text


@pytest.mark.every_case
@pytest.mark.parametrize("visits", [0, FEW - 1])
async def test_without_time_it_names_an_action_without_figures_or_says_that_it_cannot(
    visits: int, w: World
) -> None:
    """A win in all of a few deals is no hundred per cent."""
    _, player = await asked(w, await match(w, game="sticheln", dms=True))
    said = await player.slash("hint")
    assert "I have no time to think about it now. Ask again in a moment." in said
    assert await taken(w, player) == 0, "nothing was told"
    w.computers.think = lambda thought: guessed(thought, visits)
    said = await player.slash("hint")
    assert GUESS in said
    assert "Why: " in said
    assert "%" not in said
    assert "points" not in said
    assert await taken(w, player) == 1
    w.computers.think = counted
    assert "+4.2 points" in await player.slash("hint"), "there may be time later"
    assert await taken(w, player) == 1


@pytest.mark.nightly
@pytest.mark.behaviour("Somebody does not know what to play")
async def test_where_there_is_one_thing_to_do_nobody_thinks(w: World) -> None:
    table = await match(w, game="aufundab", dms=True)
    table = await reach(w, table, lambda now: bool(now.asked) and len(legal(now)) == 1)
    player = at(w, table, table.actors[0])
    assert await player.legal() == ["pass"]
    assert not player.dm().presses(Verb.HINT), "Pass stands alone"
    said = await player.slash("hint")
    assert "is all you can do here." in said
    assert not w.computers.hints
    assert await taken(w, player) == 0


@pytest.mark.nightly
@pytest.mark.behaviour("Somebody does not know what to play")
async def test_a_table_can_do_without(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", dms=True)
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    await w.ann.send_form({"number:hands": "1", "customs": []})
    assert "no hints" in w.board().text
    await w.ann.slash("start")
    await w.env.advance_time(3)
    (player, *_) = await w.actors()
    assert not player.dm().presses(Verb.HINT)
    assert "This table plays without hints" in await player.slash("hint")
    table = await w.table()
    press = Press(Verb.HINT, table.id, table.questions[await player.seat()]).encode()
    assert "This table plays without hints" in await w.answer(player, w.board(), press)
    assert not w.computers.hints


@pytest.mark.behaviour("Somebody does not know what to play")
async def test_a_table_is_opened_without_by_its_own_option(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", hints=False)
    assert "no hints" in w.board().text
    await w.ann.slash("leave")
    await w.ann.slash("newgame", game="sticheln", rules="no hints", hints=True)
    assert "no hints" not in w.board().text, "the option is what was said most plainly"


async def test_strangers_and_who_is_not_asked_get_none(w: World) -> None:
    w.computers.think = counted
    table = await match(w, game="sticheln", dms=True)
    await play(w, table, 4)  # three cards are chosen, and one is led
    await w.env.advance_time(1)
    (player, *_) = await w.actors()
    waiting = next(w.players[name] for name in NAMES[:3] if w.players[name] != player)
    assert not waiting.dm().presses(Verb.HINT)
    assert "Nothing is asked of you right now." in await waiting.slash("hint")
    press = player.dm().only(Verb.HINT)
    assert "You are not at this table" in await w.answer(w.dan, w.board(), press)
    said = await w.answer(waiting, w.board(), press)
    assert "The table has moved on" in said
    assert "Average lead" not in said
    assert not w.computers.hints
    assert not (await w.table()).stored.hinted


@pytest.mark.behaviour("Somebody does not know what to play")
async def test_what_is_answered_meanwhile_gets_no_hint_and_counts_none(w: World) -> None:
    w.computers.think = counted
    _, player = await asked(w, await match(w, game="sticheln", dms=True))
    table, moves = await w.table(), await player.legal()
    w.computers.meanwhile = lambda: tables(w).act(table.id, None, player.id, moves[0], None)
    said = await player.press_verb(player.dm(), Verb.HINT)
    assert len(w.computers.hints) == 1
    assert "The table has moved on, so that hint no longer applies." in said
    assert "Average lead" not in said
    assert await taken(w, player) == 0
