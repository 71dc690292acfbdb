"""Presses that come too late, twice, from strangers or from nowhere: answered in words, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from tests.discord.steps import actor, first, hidden, match, others, play, stop
from tests.discord.world import Player, Shown, World, world
from tests.nightly import by_day

MOVED_ON = "The table moved on while you pressed"
INTERNAL = "went wrong on my side"


async def opened(w: World, player: Player) -> tuple[Shown, str]:
    """The hand panel of whoever is asked, and an action that it offers, by its button."""
    panel = await player.hand()
    for press, component in panel.presses(Verb.ACT, Verb.OPEN):
        if press.verb is Verb.ACT and not component.get("options"):
            return panel, press.encode()
    table = await w.table()
    seat = table.actors[0]
    return panel, Press(Verb.ACT, table.id, table.questions[seat], first(table)).encode()


async def unchanged(w: World, before: Table) -> None:
    after = await w.table()
    assert after.log == before.log
    assert after.stored == before.stored


async def test_an_old_button_plays_nothing_and_shows_how_it_stands_now(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        panel, old = await opened(w, player)
        while (table := await play(w, table, 1)).actors != (
            table.stored.seating.place_of(player.id),
        ):
            assert table.actors
        said = await w.answer(player, panel, old)
        assert "You have already played" in said
        question = table.questions[table.actors[0]]
        assert {p.question for p, _ in w.refreshed(panel).presses(Verb.ACT, Verb.OPEN)} == {
            question
        }
        await unchanged(w, table)


@pytest.mark.nightly
@pytest.mark.parametrize("verb", [Verb.ACT, Verb.OPEN, Verb.COMBINE])
async def test_an_old_button_of_a_match_that_is_over_is_answered_in_words(
    verb: Verb, tmp_path: Path
) -> None:
    """Not with the result alone, as if something had been played."""
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        panel = await player.hand()
        await stop(w, table)
        press = Press(verb, table.id, table.questions[table.actors[0]], "5-6")
        said = await w.answer(player, panel, press.encode())
        assert MOVED_ON in said or "closed" in said


async def test_two_presses_at_once_on_the_same_button_play_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        panel, button = await opened(w, player)
        records = await w.emit_all((player, panel, button), (player, panel, button))
        assert all(w.said(record) for record in records)
        after = await w.table()
        assert after.ply == table.ply + 1
        assert after.actors != table.actors


async def test_one_press_delivered_twice_plays_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        panel, button = await opened(w, player)
        record = w.emit(player, panel, button, times=2)
        await w.env.settle()
        assert record.responded
        assert MOVED_ON not in w.refreshed(panel).text
        after = await w.table()
        assert after.ply == table.ply + 1
        assert [entry.interaction for entry in after.log].count(record.id) == 1


async def test_a_stranger_cannot_press_what_is_on_somebody_elses_panel(tmp_path: Path) -> None:
    async with world(tmp_path, 4) as w:
        table = await match(w)
        panel, _ = await opened(w, actor(w, table))
        assert [card for card in hidden(table) if card in panel.text]
        # The rules are for everybody, and name cards of their own.
        own = [verb for verb in Verb if verb is not Verb.RULES]
        forged = [press.encode() for press, _ in panel.presses(*own)]
        question = table.questions[table.actors[0]]
        forged += [
            Press(verb, table.id, question, "3").encode() for verb in (Verb.OPEN, Verb.COMBINE)
        ]
        forged.append(Press(Verb.OPEN, table.id, None, "3").encode())
        own_panel = w.board()
        for custom_id in forged:
            for player in (w.dan, others(w, table)[0]):
                said = await w.answer(player, own_panel, custom_id)
                assert said
                assert INTERNAL not in said
                if player is w.dan:
                    assert not [card for card in hidden(table) if card in said], custom_id
        await unchanged(w, table)


@pytest.mark.parametrize(
    "forged",
    by_day(
        [
            "st:act:{table}:999999999:pass",
            "st:act:{table}:9999999999:pass",
            "st:act:{table}:-1:pass",
            "st:act:{table}::nonsense \u202e @everyone **",
            "st:act:{table}:{question}:" + "3-4 " * 16,
            "st:act:{table}:{question}:",
            "st:act:{table}:{question}:play",
            "st:act:ZZZZZ:{question}:pass",
            "st:act::{question}:pass",
            "st:open:{table}:{question}:nowhere",
            "st:combine:{table}:{question}:nowhere",
            "st:next:{table}:{question}:",
            "st:start:{table}::",
            "st:hold:{table}::",
            "st:rematch:{table}::",
            "st:take:{table}::77",
            "st:take:{table}::" + "9" * 60,
            "st:sit:{table}::x",
            "st:log:{table}::" + "9" * 60,
            "st:rules:nosuchgame::0",
            "st:rules:aufundab::" + "9" * 60,
            "st:none:::page",
            "st:standings:::||||",
            "st:standings:::year|nosuchgame|" + "9" * 40,
            "st:dance:{table}::",
            "st:act",
            "st:",
            "x" * 100,
            "st:act:" + "\x00\n\t\u200f" * 20,
            "other:bot",
        ],
        3,
    ),
)
async def test_a_forged_press_is_answered_in_words_and_does_nothing(
    forged: str, tmp_path: Path
) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        question = table.questions[table.actors[0]]
        custom_id = forged.format(table=table.id, question=question)
        for shown in (await player.hand(), w.board()):
            said = await w.answer(player, shown, custom_id)
            assert said.strip()
            assert INTERNAL not in said
        await unchanged(w, table)
        assert [shown.id for shown in w.boards()] == [w.board().id]
        assert not [card for card in hidden(table) if card in w.board().text]


async def test_a_press_on_the_board_that_was_moved_plays_and_leaves_one_board(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        table = await play(w, await match(w), 1)
        player = actor(w, table)
        old = w.board()
        button = old.only(Verb.ACT)
        await w.ann.slash("table")
        assert w.board().id != old.id
        assert await w.answer(player, old, button)
        after = await w.table()
        assert after.ply == table.ply + 1
        assert [shown.id for shown in w.boards()] == [w.board().id]
        assert "further down" in w.refreshed(old).text
        asked = after.questions[after.actors[0]]
        assert [press.question for press, _ in w.board().presses(Verb.ACT)] in ([asked], [])
        assert actor(w, after).name in w.board().text


@pytest.mark.nightly
async def test_a_press_on_a_copy_of_the_table_leaves_the_board_up_to_date(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await play(w, await match(w, hands=2))
        await w.ben.press_verb(w.board(), Verb.MORE)
        assert w.ben.panel is not None
        await w.ben.press_verb(w.ben.panel, Verb.TABLE)
        copy = w.ben.panel
        # It asks nothing that could be answered elsewhere; one of before may still be pressed.
        assert not copy.presses(Verb.NEXT)
        await w.answer(w.ben, copy, w.board().only(Verb.NEXT))
        assert "Ready: Ben" in w.board().text
        assert len(w.boards()) == 1
