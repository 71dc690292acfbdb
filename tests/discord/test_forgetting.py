"""What the program keeps in memory of tables that are over: nothing without a bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cachetools import Cache

from bot.ids import TableId
from bot.render.custom_ids import Press, Verb
from tests.discord.steps import match, play
from tests.discord.world import World

OURS = ("bot", "cogs")


def parts(found: object) -> Iterator[tuple[str, object]]:
    """What an object of the program's own holds, by the names of its attributes."""
    named = dict(getattr(found, "__dict__", {}))
    for one in type(found).__mro__:
        slots = getattr(one, "__slots__", ())
        named |= {name: getattr(found, name, None) for name in slots}
    yield from named.items()


def kept(root: object, tables: set[TableId]) -> list[str]:
    """Where a container without a bound names one of `tables`, or something of it."""
    found: list[str] = []
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [(type(root).__name__, root)]
    while waiting:
        path, one = waiting.pop()
        if id(one) in seen or isinstance(one, Cache | str | bytes):
            continue
        seen.add(id(one))
        if isinstance(one, dict | set | frozenset | list | tuple):
            if any(isinstance(name, str) and name in tables for name in _names(one)):
                found.append(path)
            values = one.values() if isinstance(one, dict) else one
            waiting += [(f"{path}[]", value) for value in values]
        elif type(one).__module__.partition(".")[0] in OURS and not isinstance(one, type):
            waiting += [(f"{path}.{name}", value) for name, value in parts(one)]
    return found


def _names(container: Any) -> Iterator[object]:
    for one in container:
        yield from one if isinstance(one, tuple) else (one,)


async def test_of_tables_that_are_over_nothing_is_kept_without_a_bound(w: World) -> None:
    over = []
    for _ in range(3):
        over.append(await play(w, await match(w)))
        await w.env.advance_time(5)
    parts_of_it = w.running, list(w.bot.cogs.values())
    ids = {table.id for table in over}
    assert kept(parts_of_it, ids) == []
    for table in over:
        for argument in ("", "0", "pass"):
            for verb in Verb:
                if verb is not Verb.REMATCH:
                    w.emit(w.ann, w.board(), Press(verb, table.id, None, argument).encode())
        await w.env.settle()
    await w.directly(w.running.publisher.repost(over[0].id))
    await w.env.advance_time(60)
    assert kept(parts_of_it, ids) == []


async def test_whoever_looks_finds_a_table_that_is_played(w: World) -> None:
    table = await match(w)
    assert kept(w.running, {table.id})
