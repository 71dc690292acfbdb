"""The end of the program: what is queued is drawn, tables with a clock say that it will be back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.ids import ALONE, TableId
from tests.publish.stage import (
    BEN,
    BOARD,
    CHANNEL,
    HEAD,
    TABLE,
    Refused,
    Stage,
    call,
    other,
    turns,
)
from tests.render.limits import text


async def test_closing_stores_what_was_drawn(stage: Stage) -> None:
    stage.posted(1)
    stage.source.counted = 8
    await stage.draw()
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {TABLE: 8}


async def test_what_was_not_drawn_completely_is_not_noted_as_drawn(stage: Stage) -> None:
    stage.posted(1)
    stage.source.counted = 8
    stage.source.due = [(BEN, True, 5)]
    stage.discord.refuse = lambda call: Refused(500, 0) if call[1] == 1101 else None
    await stage.draw()
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {}


async def test_closing_draws_what_is_queued_and_deletes_what_is_to_go(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.line(5, 88)
    publisher = stage.fresh(grace=3600)
    publisher.changed(TABLE)
    await publisher.aclose()
    assert stage.discord.calls == [("edit", CHANNEL, 77), ("delete", CHANNEL, 88)]
    assert stage.kinds() == ["board"]


async def test_closing_gives_up_what_hangs(stage: Stage) -> None:
    stage.set(closing=0.05, patience=0)
    stage.posted(1)
    stage.source.due = [(BEN, True, 5)]
    stage.source.called = call(5)
    stage.discord.gate = asyncio.Event()
    stage.publisher.changed(TABLE)
    await turns()
    before = asyncio.all_tasks()
    await stage.publisher.aclose()
    assert asyncio.all_tasks() < before
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert await stage.draw() == []


# Farewell


def tables(stage: Stage, *names: str) -> None:
    for number, name in enumerate(names):
        stage.posted(1, 70 + number, TableId(name))


async def test_boards_say_farewell_in_the_given_order_and_are_drawn_anew_at_the_next_start(
    stage: Stage,
) -> None:
    tables(stage, "T1", "T2", "T3")
    await stage.publisher.farewell([TableId("T3"), TableId("T1")], 5)
    assert stage.discord.calls == [("edit", CHANNEL, 72), ("edit", CHANNEL, 70)]
    assert "will be back" in text(stage.discord.shown[72])
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {"T3": None, "T1": None}


async def test_whoever_plays_alone_keeps_their_hand_on_the_board(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view = replace(BOARD, head=replace(HEAD, guild=ALONE))
    await stage.publisher.farewell([TABLE], 5)
    await stage.publisher.aclose()
    assert stage.discord.calls == []


async def test_what_is_queued_is_drawn_before_the_farewell(stage: Stage) -> None:
    stage.posted(1)
    publisher = stage.fresh(grace=3600)
    publisher.changed(TABLE)
    await publisher.farewell([TABLE], 5)
    await publisher.aclose()
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 2
    assert "will be back" in text(stage.discord.shown[77])
    assert stage.surfaces.drawn == {TABLE: None}


async def test_farewells_end_in_time_whatever_hangs(stage: Stage) -> None:
    tables(stage, "T1", "T2")
    stage.discord.gate = asyncio.Event()
    stage.source.view = other(BOARD)
    await stage.publisher.farewell([TableId("T1"), TableId("T2")], 0.05)
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {"T1": None, "T2": None}


async def test_one_board_that_cannot_say_farewell_stops_no_other(stage: Stage) -> None:
    tables(stage, "T1", "T2")
    stage.source.broken = frozenset({"BAD"})
    stage.discord.refuse = lambda call: Refused(403, 50001) if call[2] == 70 else None
    await stage.publisher.farewell([TableId("BAD"), TableId("T1"), TableId("T2")], 5)
    assert "will be back" in text(stage.discord.shown[71])


async def test_a_board_that_said_farewell_is_drawn_anew_although_a_draw_ended_after_it(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.source.counted = 8
    await stage.draw()
    stage.source.counted = 9
    stage.source.due = [(BEN, True, 5)]
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[1] == 1101
    stage.publisher.changed(TABLE)
    drawing = asyncio.create_task(stage.publisher.flush(TABLE))
    await turns()
    await stage.publisher.farewell([TABLE], 0.05)
    stage.discord.gate.set()
    await drawing
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {TABLE: None}
