"""What is forgotten is known by heart no more: the living program is searched for its ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest
from cachetools import Cache

from bot.ids import GuildId
from bot.render.custom_ids import Verb
from bot.tables.opener import Forgotten, RateLimit
from bot.tables.ports import TipShownAt
from bot.tables.servers import ServerSettings, Setting
from tests.discord.steps import match, play
from tests.discord.test_doors import choose
from tests.discord.test_forgetting import OURS, parts
from tests.discord.test_healing import dispatch
from tests.discord.test_openings import follow, open_table, to_call
from tests.discord.test_planning import come, pass_time, plan
from tests.discord.world import World

CONTAINERS: Final = (dict, set, frozenset, list, tuple, Cache)

NOT_SEARCHED: Final = (bytes, RateLimit, Forgotten, TipShownAt)
"""What was done in the last minutes, and who is kept away, is stored nowhere (privacy.md says so of
the latter); where a tip was shown is its person's, and stored until they finish such a match."""


def inside(one: Any) -> Iterator[tuple[str, object]]:
    """What a container, an object of the program's own or one of its functions holds."""
    if isinstance(one, dict | Cache):
        for key, value in list(one.items()):
            yield f"[{key!r}]", key
            yield f"[{key!r}]", value
    elif isinstance(one, set | frozenset | list | tuple):
        yield from (("[]", value) for value in one)
    if hasattr(one, "__self__"):
        yield ".self", one.__self__
    for cell in getattr(one, "__closure__", None) or ():
        with suppress(ValueError):  # it is empty
            yield ".cell", cell.cell_contents
    if type(one).__module__.partition(".")[0] in OURS and not isinstance(one, type):
        yield from ((f".{name}", value) for name, value in parts(one))


def known(root: object, ids: Collection[object]) -> list[str]:
    """Where, in all that hangs on `root`, one of these ids stands."""
    found: list[str] = []
    seen: dict[int, object] = {}
    waiting: list[tuple[str, object]] = [("", root)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, int | str):
            if one in ids:
                found.append(path)
        elif id(one) not in seen and not isinstance(one, NOT_SEARCHED):
            seen[id(one)] = one
            waiting += [(f"{path}{step}", part) for step, part in inside(one)]
    return sorted(found)


async def evening(w: World) -> list[str]:
    """A server is used for all there is; returns its tables and plans."""
    await to_call(w)
    await follow(w.ben, "sticheln")
    over = await play(w, await match(w, game="sticheln"))
    await w.env.advance_time(5)
    for command in ("table", "leaderboard", "stats", "history", "review"):
        await w.ben.slash(command)
    closed = await open_table(w)
    await w.ann.slash("leave")
    await w.ann.slash("newgame", game="aufundab", at="in 3 days")
    await come(w, "Ben")
    (planned,) = await w.directly(w.running.context.planning.store.open_in(GuildId(w.guild.id)))
    running = await match(w, "Ann", "Ben", "Cat", dms=True)
    await w.env.advance_time(5)
    return [over.id, closed.id, planned, running.id]


def parts_of(w: World) -> object:
    return w.running, list(w.bot.cogs.values())


@pytest.mark.behaviour("The bot is removed from the server")
async def test_of_a_server_that_was_forgotten_nothing_is_known(w: World) -> None:
    guild, own = w.guild.id, await evening(w)
    for one in (guild, *own):
        assert known(parts_of(w), {one})
    w.env.backend.remove_guild(guild)
    for path in (f"/channels/{w.channel.id}*", f"/guilds/{guild}*"):
        w.env.inject_error("*", path, status=403, code=50001, times=None)
        w.env.inject_error("*", path + "/*", status=403, code=50001, times=None)
    for days in (8, 31):
        await pass_time(w, days=days)
        await w.env.advance_time(3700)  # it is looked once an hour
    assert known(parts_of(w), {guild, *own}) == []


async def test_what_a_forgotten_server_had_chosen_holds_no_more(w: World) -> None:
    await to_call(w)
    servers, guild = w.running.context.servers, GuildId(w.guild.id)
    await w.directly(dispatch(w, "guild_remove", w.bot.get_guild(guild)))
    await pass_time(w, days=31)
    await w.env.advance_time(3700)
    await w.directly(dispatch(w, "guild_join", w.bot.get_guild(guild)))
    assert await w.directly(servers.settings(guild)) == ServerSettings()
    await choose(w, Setting.RESULTS, w.room("results"))
    assert (await w.directly(servers.settings(guild))).called is None


async def test_of_a_person_who_was_forgotten_nothing_is_known(w: World) -> None:
    await evening(w)
    assert known(parts_of(w), {w.ben.id})
    await w.ben.slash("mydata forget")
    await w.ben.press_verb(w.ben.panel, Verb.FORGET_NOW)
    await w.env.advance_time(5)
    assert known(parts_of(w), {w.ben.id}) == []


async def test_of_whoever_only_typed_something_nothing_is_known_after_a_while(w: World) -> None:
    await w.ben.slash("help")
    await w.env.advance_time(10)
    assert known(parts_of(w), {w.ben.id})
    await pass_time(w, days=31)
    await w.env.advance_time(3700)
    assert known(parts_of(w), {w.ben.id}) == []


async def test_of_a_plan_and_a_table_that_came_to_nothing_nothing_is_known(w: World) -> None:
    closed = await open_table(w)
    await w.ann.slash("leave")
    await w.ann.slash("newgame", game="aufundab", at="in 3 days")
    (planned,) = await w.directly(w.running.context.planning.store.open_in(GuildId(w.guild.id)))
    await w.ann.press_verb(plan(w), Verb.CALL_OFF)
    await w.ann.press_verb(w.ann.panel, Verb.CALL_OFF_NOW)
    await pass_time(w, days=31)
    await w.env.advance_time(3700)
    assert known(parts_of(w), {closed.id, planned}) == []
