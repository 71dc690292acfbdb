"""Whose doing a log line is: what goes on by itself carries its table, and no press of before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
import structlog

from bot.ids import TableId
from bot.publish.draw_tasks import CallKind, DrawState, DrawTasks, SettledKind
from bot.publish.timings import Timings
from bot.tables.ports import Due
from bot.tables.stored import DeadlineKind
from tests.tables.fakes import ANN, House


def names() -> Mapping[str, Any]:
    return structlog.contextvars.get_contextvars()


class Counting:
    def __init__(self) -> None:
        self.draws: list[bool] = []

    def drawn(self, worked: bool) -> None:
        self.draws.append(worked)

    def settled(self, kind: SettledKind) -> None:
        raise AssertionError("nothing is settled here")

    def noticed(self, by: CallKind) -> None:
        raise AssertionError


async def test_a_draw_names_its_table_and_not_the_press_that_began_it() -> None:
    said: list[Mapping[str, Any]] = []
    counting = Counting()

    async def draw(state: DrawState) -> bool:
        said.append(names())
        if len(said) == 2:
            raise RuntimeError("on purpose")
        return True

    workers = DrawTasks(draw, Timings(grace=0), counting)
    for number in (1, 2):
        with structlog.contextvars.bound_contextvars(interaction=number, question=7):
            workers.changed(TableId("T7Q2"))
            await workers.flush(TableId("T7Q2"))
            assert names()["interaction"] == number
        await workers.draw_until(asyncio.get_running_loop().time() + 5)
    await workers.aclose(asyncio.get_running_loop().time() + 5)
    assert said == [{"table": "T7Q2"}] * 2
    assert counting.draws == [True, False]


async def test_what_happens_when_a_deadline_fires_names_table_and_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[Mapping[str, Any]] = []
    house = House()
    table = await house.lobby(ANN)
    monkeypatch.setattr(house.announcer, "changed", lambda _: said.append(names()))
    deadline = table.stored.timing.deadline(DeadlineKind.LOBBY)
    assert deadline is not None
    house.clock.now = deadline.due
    await house.service.fire(Due(table.id, deadline))
    assert said == [{"table": table.id, "question": deadline.question}]
    assert names() == {}
