"""What waits for a moment that is near is put off and brought forward on the program's own loop.

uvloop gives a timer of less than half a millisecond as a handle that does not tell when it comes.
"""

from __future__ import annotations

from pathlib import Path

import uvloop

from bot.ids import TableId
from bot.publish.draw_tasks import UNCOUNTED, DrawState, DrawTasks
from bot.publish.timings import Timings

NEAR = 0.0003
TABLE = TableId("T1")


async def drawing() -> None:
    drawn = list[TableId]()

    async def draw(state: DrawState) -> bool:
        drawn.append(state.table)
        return True

    workers = DrawTasks(draw, Timings(grace=NEAR), UNCOUNTED)
    for _ in range(3):
        workers.changed(TABLE)
    await workers.flush(TABLE)
    assert drawn == [TABLE]


def test_a_moment_that_is_near_is_waited_for_on_the_programs_loop() -> None:
    uvloop.run(drawing())


def test_nobody_asks_a_handle_when_it_comes() -> None:
    bot = Path(__file__).parents[2] / "bot"
    found = [path.name for path in sorted(bot.rglob("*.py")) if ".when()" in path.read_text()]
    assert found == []
