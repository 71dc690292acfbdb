"""How often, in which order and how long Discord is asked."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from bot.publish.requests import Budget, Priority
from bot.publish.timings import Timings


async def test_a_few_calls_at_once_and_then_no_more_than_the_rate() -> None:
    budget, made = Budget(Timings(rate=100, burst=4)), list[float]()
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def call() -> None:
        made.append(loop.time() - began)

    await asyncio.gather(*(budget.spend(Priority.BOARD, call) for _ in range(24)))
    assert len(made) == 24
    for number, time in enumerate(made):
        assert time >= (number - 3) / 100 - 0.001


async def test_whoever_is_asked_is_called_before_boards_and_boards_before_tidying() -> None:
    budget, done = Budget(Timings(rate=200, burst=1)), list[str]()

    async def call(name: str) -> None:
        done.append(name)

    def spend(name: str, priority: Priority) -> asyncio.Task[None]:
        return asyncio.create_task(budget.spend(priority, lambda: call(name)))

    tasks = [
        spend("at once", Priority.TIDY),
        spend("old message", Priority.TIDY),
        spend("board 1", Priority.BOARD),
        spend("board 2", Priority.BOARD),
        spend("hand", Priority.CALL),
    ]
    await asyncio.gather(*tasks)
    assert done == ["at once", "hand", "board 1", "board 2", "old message"]


async def test_a_call_that_nobody_waits_for_any_more_takes_nobodys_turn() -> None:
    budget, done = Budget(Timings(rate=50, burst=1)), list[int]()

    async def call(number: int) -> None:
        done.append(number)

    tasks = [asyncio.create_task(budget.spend(Priority.BOARD, partial(call, n))) for n in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.wait(tasks)
    assert done == [0, 2]


async def test_a_call_that_hangs_is_given_up() -> None:
    budget = Budget(Timings(request=0.01))
    with pytest.raises(TimeoutError):
        await budget.spend(Priority.BOARD, asyncio.Event().wait)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_waiting_for_ones_turn_is_not_hanging() -> None:
    budget = Budget(Timings(rate=20, burst=1, request=0.02))

    async def call() -> int:
        return 7

    results = await asyncio.gather(*(budget.spend(Priority.BOARD, call) for _ in range(3)))
    assert results == [7, 7, 7]


async def test_nothing_is_given_up_while_discord_has_told_everybody_to_wait() -> None:
    """Given up then, discord.py would wait for the end of that for ever."""
    held, answer = [True], asyncio.Event()
    budget = Budget(Timings(request=0.01, request_again=0.01), lambda: held[0])
    call = asyncio.create_task(budget.spend(Priority.BOARD, answer.wait))
    done, _ = await asyncio.wait([call], timeout=0.1)
    assert not done
    held[0] = False
    with pytest.raises(TimeoutError):
        await call


async def test_a_caller_that_is_cancelled_stays_cancelled() -> None:
    call = asyncio.create_task(Budget().spend(Priority.BOARD, asyncio.Event().wait))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
