"""Passing for somebody who can do nothing else, because they wanted that."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.stored import Actor
from tests.discord.steps import actor, match, play
from tests.discord.world import World


async def stuck(w: World, table: Table, seat: int | None = None) -> Table:
    """Played on until somebody (who sits there) is asked and can only pass."""
    for _ in range(200):
        asked = table.actors[0]
        if seat in (None, asked) and tuple(table.legal_texts(asked)) == ("pass",):
            return table
        table = await play(w, table, 1)
    raise AssertionError("nobody was ever stuck")


@pytest.mark.behaviour("Nothing in somebody's hand beats the set")
async def test_a_pass_that_is_no_choice_is_given_for_whoever_wants_that(w: World) -> None:
    table = await stuck(w, await match(w, hands=1))
    seat, player = table.actors[0], actor(w, table)
    panel = await player.hand()
    said = await player.press_verb(panel, Verb.STANDING)
    after = await w.table()
    assert (after.log[table.ply].seat, after.log[table.ply].text) == (seat, "pass")
    assert "Auto-pass is on: ask me again" in said
    table = await stuck(w, after, seat)
    assert table.answers_itself(seat)
    assert seat not in table.asked
    await w.env.advance_time(3)
    after = await w.table()
    passed = after.log[table.ply]
    assert (passed.seat, passed.text, passed.by) == (seat, "pass", Actor.STANDING)
