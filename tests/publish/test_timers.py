"""What waits for a moment that is near is put off and brought forward on the program's own loop.

uvloop gives a timer of less than half a millisecond as a handle that does not tell when it comes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop

from bot.ids import ChannelId, MessageId, TableId
from bot.publish.counting import UNCOUNTED
from bot.publish.draw_state import DrawState
from bot.publish.messages import ShownMessages
from bot.publish.surfaces import BOARD, Surface
from bot.publish.timings import Timings
from bot.publish.workers import Workers
from tests.publish.stage import FakeSurfaces, turns
from tests.render import samples

NEAR = 0.0003
TABLE = TableId("T1")


async def storing() -> None:
    store = FakeSurfaces()
    messages = ShownMessages(store, Timings(store_pause=NEAR, store_lag=NEAR))
    for message in range(3):
        messages.drawn(TABLE, message)
        messages.put(TABLE, Surface(*BOARD, ChannelId(5), MessageId(message), samples.NOW, 1))
    await turns()
    await messages.aclose()
    _, _, _, message, *_ = store.rows[TABLE, "board", 0]
    assert message == 2


async def drawing() -> None:
    drawn = list[TableId]()

    async def draw(table: TableId, state: DrawState) -> bool:
        drawn.append(table)
        return True

    workers = Workers(draw, Timings(grace=NEAR), UNCOUNTED)
    for _ in range(3):
        workers.changed(TABLE)
    await workers.flush(TABLE)
    assert drawn == [TABLE]


@pytest.mark.parametrize("waits", [storing, drawing])
def test_a_moment_that_is_near_is_waited_for_on_the_programs_loop(
    waits: Callable[[], Awaitable[None]],
) -> None:
    async def run() -> None:
        await waits()

    uvloop.run(run())


def test_nobody_asks_a_handle_when_it_comes() -> None:
    bot = Path(__file__).parents[2] / "bot"
    found = [path.name for path in sorted(bot.rglob("*.py")) if ".when()" in path.read_text()]
    assert found == []
