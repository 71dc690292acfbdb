"""What was answered is out of memory at once, and is not left to whoever looks for garbage."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

import discord
import pytest

from bot.answer.arrivals import let_go
from bot.publish.budget import Budget, Priority
from bot.render.custom_ids import Verb
from tests.discord.steps import actor, match
from tests.discord.world import World


async def pressed(w: World) -> None:
    await w.ann.press_verb(w.board(), Verb.HAND)


async def commanded(w: World) -> None:
    await w.ann.slash("hand")


async def refused(w: World) -> None:
    await w.ann.slash("start")


async def played(w: World) -> None:
    await actor(w, await w.table()).hand()


async def suggested(w: World) -> None:
    asked = actor(w, await w.table())
    assert await asked.actor.autocomplete(w.channel, "play", "action", "")


def there(kind: type[object]) -> list[object]:
    return [one for one in gc.get_objects() if type(one) is kind]


@pytest.mark.nightly
@pytest.mark.parametrize("doing", [pressed, commanded, refused, played, suggested])
async def test_no_interaction_is_left_to_the_search_for_garbage(
    doing: Callable[[World], Coroutine[Any, Any, None]], w: World
) -> None:
    await match(w)
    gc.collect()
    gc.disable()
    try:
        before = len(there(discord.InteractionResponse))
        await doing(w)
        await w.env.settle()
        assert len(there(discord.InteractionResponse)) == before
    finally:
        gc.enable()


async def test_a_call_to_discord_leaves_no_task_behind() -> None:
    budget = Budget()

    async def call() -> None:
        await asyncio.sleep(0)

    async def spend() -> None:
        await budget.spend(Priority.BOARD, call)

    gc.collect()
    gc.disable()
    try:
        task = asyncio.create_task(spend(), name="spent")
        await task
        del task
        await asyncio.sleep(0)
        left = [one for one in gc.get_objects() if isinstance(one, asyncio.Task)]
        assert "spent" not in [one.get_name() for one in left]
    finally:
        gc.enable()


def test_what_was_never_answered_is_let_go_too() -> None:
    let_go(object.__new__(discord.Interaction))
