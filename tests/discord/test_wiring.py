"""What no single cog can see: that all of them together answer everything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from simcord import env as simcord_env
from sqlalchemy.engine import Connection

from bot.render.custom_ids import Verb
from bot.storage import Database
from cogs.presses import Presses
from tests.discord.world import World, world
from tests.patience import PATIENCE
from tests.project.test_documents import all_cogs

T = TypeVar("T")


async def test_every_verb_is_answered_and_every_cog_is_there(w: World) -> None:
    presses = w.bot.get_cog("Presses")
    assert isinstance(presses, Presses)
    assert {*presses._handlers, *presses._pages} == {*Verb} - {Verb.NONE}
    assert {type(cog) for cog in w.bot.cogs.values()} == set(all_cogs())


async def test_no_privileged_intent_is_asked_for(w: World) -> None:
    intents = w.bot.intents
    assert not any([intents.members, intents.presences, intents.message_content])
    assert {name for name, wanted in intents if wanted} == {"guilds", "guild_messages"}


async def test_a_start_may_outlast_the_time_that_simcord_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, attach, read = 0.05, vars(simcord_env)["_attach_bot"], Database.read
    constants = tuple(limit if value == 5.0 else value for value in attach.__code__.co_consts)
    assert limit in constants
    monkeypatch.setattr(attach, "__code__", attach.__code__.replace(co_consts=constants))

    async def slowly(database: Database, work: Callable[[Connection], T]) -> T:
        await asyncio.get_running_loop().run_in_executor(None, time.sleep, 4 * limit)
        return await read(database, work)

    monkeypatch.setattr(Database, "read", slowly)
    async with world(tmp_path) as w:
        monkeypatch.undo()
        await w.ann.slash("newgame", game="sticheln")
        assert w.boards()


async def test_the_clock_is_moved_after_a_timer_that_has_just_fired(w: World) -> None:
    inner: Any = w.env
    now, late = inner._virtual_time, asyncio.get_running_loop().time() + PATIENCE
    inner._real_advance_task = asyncio.create_task(inner._advance_to(now, late))
    await w.env.advance_time(1)
    assert inner._virtual_time == now + 1
