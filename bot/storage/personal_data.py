"""Everything that is stored of one person: counted, given out, and forgotten."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    String,
    Table,
    bindparam,
    cast,
    func,
    select,
)
from sqlalchemy.engine import Connection, RowMapping

from bot.ids import TableId, UserId
from bot.storage import remnants
from bot.storage.database import Repository
from bot.storage.forgetting import (
    MESSAGES,
    OWN,
    forget_person,
    is_theirs,
    plans_naming,
    tables_naming,
)
from bot.storage.renaming import DOCUMENTS, share_of
from bot.storage.schema import (
    OPEN,
    blocks,
    entries,
    follows,
    lessons,
    matches,
    people,
    plans,
    ratings,
    results,
    server_changes,
    sitters,
    tables,
    zones,
)
from bot.tables.plans import OPEN_STATES
from bot.tables.ports import PersonalCounts
from bot.tables.stored import Actor
from engine.game import Seat

FORMAT: Final = "stammtisch.person/1"

AT_ONCE: Final = 500
"""Tables that are read in one go."""

_Rows: TypeAlias = list[dict[str, Any]]


class SqlPersonalData(Repository):
    """Port `PersonalData`."""

    async def counts(self, user: UserId) -> PersonalCounts:
        return await self._database.look(lambda reading: _counts(reading, user))

    async def export(self, user: UserId, now: datetime) -> str:
        found = await self._database.look(lambda reading: _found(reading, user))
        # What takes long is done beside the event loop, where people are answered.
        seats = await asyncio.to_thread(_own_share, found, user)
        played = await self._database.look(lambda reading: _actions(reading, user, seats))
        return await asyncio.to_thread(_written, found, played, user, now)

    async def forget(self, user: UserId) -> None:
        def work(connection: Connection) -> bool:
            known = any(_counts(connection, user)._replace(locale=None))
            forget_person(connection, user)
            if known:
                remnants.note(connection)
            return known

        # Whoever has only typed something, and may do so again and again, stops nobody's plays.
        if await self._database.write(work):
            await remnants.erase(self._database)
        else:
            await self._database.empty_log()


# Counting


def _counts(reading: Connection, user: UserId) -> PersonalCounts:
    def count(of: FromClause, *which: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(of).where(*which)
        return reading.execute(query).scalar_one()

    played, theirs = results.join(matches), results.c.user_id == user
    servers = select(func.count(matches.c.guild_id.distinct())).select_from(played).where(theirs)
    row = reading.execute(select(people).where(people.c.user_id == user)).mappings().first()
    planned = [one for one in plans_naming(reading, user) if one["state"] in OPEN_STATES]
    return PersonalCounts(
        matches=count(results, theirs),
        servers=reading.execute(servers).scalar_one(),
        open_tables=count(
            sitters.join(tables), sitters.c.user_id == user, tables.c.status.in_(OPEN)
        ),
        tables=len(tables_naming(reading, user)),
        plans=len(planned),
        lessons=count(lessons, lessons.c.user_id == user),
        blocked=count(blocks, blocks.c.user_id == user),
        follows=count(follows, follows.c.user_id == user),
        changes=count(server_changes, server_changes.c.user_id == user),
        zone=reading.execute(select(zones.c.zone).where(zones.c.user_id == user)).scalar(),
        locale=None if row is None else row["locale"],
    )


# Giving out


def _found(reading: Connection, user: UserId) -> dict[str, _Rows]:
    """Rows about a person, by stored table; records still as a whole."""

    def rows(table: Table, which: ColumnElement[bool], joined: FromClause | None = None) -> _Rows:
        query = select(table).select_from(table if joined is None else joined).where(which)
        return [_plain(table, row) for row in reading.execute(query).mappings()]

    own = (*OWN, ratings, results)
    found = {table.name: rows(table, table.c.user_id == user) for table in own}
    found["matches"] = rows(matches, results.c.user_id == user, matches.join(results))
    some = _chunks(tables_naming(reading, user))
    found["tables"] = [row for ids in some for row in rows(tables, tables.c.id.in_(ids))]
    found["server_changes"] = rows(server_changes, server_changes.c.user_id == user)
    found["plans"] = [_share_of_plan(row, user) for row in plans_naming(reading, user)]
    return found | {table.name: rows(table, is_theirs(table, user)) for table in MESSAGES}


def _plain(table: Table, row: RowMapping) -> dict[str, Any]:
    """A row as JSON has it: ids as text, which no reader rounds, and times."""
    return {name: _text(row[name], is_id=is_id) for name, is_id in _columns(table)}


@cache
def _columns(table: Table) -> list[tuple[str, bool]]:
    """The columns of a table, and whether they hold an id of Discord's."""
    return [(column.name, isinstance(column.type, BigInteger)) for column in table.columns]


def _text(value: Any, *, is_id: bool) -> Any:
    if is_id and value is not None:
        return str(value)
    return value.isoformat() if isinstance(value, datetime) else value


def _share_of_plan(row: RowMapping, user: UserId) -> dict[str, Any]:
    """A plan, and of the people in it the person alone."""
    kinds = {name: DOCUMENTS.get(f"plans.{name}") for name in row}
    people = {
        name: share_of(kind, row[name], user)
        for name, kind in kinds.items()
        if kind is not None and name != "wish"
    }
    shown = {**_plain(plans, row), **people}
    if row["user_id"] != user:
        del shown["user_id"], shown["name"]
    return shown


def _own_share(found: dict[str, _Rows], user: UserId) -> dict[TableId, Seat]:
    """Leaves of each record what is about the person; returns the seats that were theirs.

    None of a match that goes on: what others play there, before or after them, may be secret.
    """
    seats: dict[TableId, Seat] = {row["table_id"]: row["seat"] for row in found["results"]}
    for row in found["tables"]:
        whole = json.loads(row.pop("document"))
        row["document"] = _share_of_record(whole, user)
        if row["opener_id"] != str(user):
            del row["opener_id"]
        seat = None if row["status"] in OPEN else seats.get(row["id"], _seat(whole, user))
        if seat is not None:
            seats[row["id"]] = seat
    return seats


def _share_of_record(whole: Mapping[str, Any], user: UserId) -> dict[str, Any]:
    mine = share_of(DOCUMENTS["tables.document"], whole, user) or {}
    told = ("game", "options", "started", "stop")
    # What they play again, without its cards: these are all hands.
    repeated = {name: of for name, of in (whole.get("again") or {}).items() if name != "opening"}
    again = {"again": repeated} if repeated else {}
    return {**{name: whole.get(name) for name in told}, **again, **mine}


def _seat(whole: Mapping[str, Any], user: UserId) -> Seat | None:
    """Where a person sits, else where they sat when the match began."""
    seating = whole.get("seating", {})
    people = [place.get("person") for place in seating.get("places", ())]
    for sitting in (people, seating.get("starters", ())):
        for seat, one in enumerate(sitting):
            if isinstance(one, list) and one[0] == user:
                return seat
    return None


def _actions(
    reading: Connection, user: UserId, seats: Mapping[TableId, Seat]
) -> list[tuple[TableId, str]]:
    """What a person played at each table: JSON of ply, action and time.

    The database writes it: there may be hundreds of thousands of lines.
    """
    lite = reading.dialect.name == "sqlite"
    line = (func.json_array if lite else func.json_build_array)(
        entries.c.ply, entries.c.text, entries.c.at
    )
    log = cast((func.json_group_array if lite else func.json_agg)(line), String)
    by_them = entries.c.by == Actor.PERSON.value
    counted = (
        select(results.c.table_id, log)
        .join(
            entries, (entries.c.table_id == results.c.table_id) & (entries.c.seat == results.c.seat)
        )
        .where(results.c.user_id == user, by_them)
        .group_by(results.c.table_id)
    )
    found: dict[TableId, str] = {row[0]: row[1] for row in reading.execute(counted)}
    of_seat = (entries.c.table_id == bindparam("table"), entries.c.seat == bindparam("seat"))
    others = select(log).where(*of_seat, by_them)
    for table, seat in seats.items():
        if table not in found:
            text = reading.execute(others, {"table": table, "seat": seat}).scalar()
            found[table] = text or "[]"
    return sorted(found.items())


def _chunks(whole: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (whole[first : first + AT_ONCE] for first in range(0, len(whole), AT_ONCE))


def _written(
    found: Mapping[str, _Rows], played: Sequence[tuple[TableId, str]], user: UserId, now: datetime
) -> str:
    """The file, a row to the line: it can be read, and no line takes long to write."""
    lists = {name: [*map(_json, rows)] for name, rows in found.items()}
    lists["entries"] = [
        f'{{"table_id":{_json(table)},"actions":{actions}}}' for table, actions in played
    ]
    said = {name: text for name, text in described().items() if lists.get(name.split(".")[0])}
    about = {"format": FORMAT, "person": str(user), "made": now.isoformat()}
    lines = [f"{_json(name)}: {_json(value)}" for name, value in about.items()]
    fields = ",\n".join(f"{_json(name)}: {_json(text)}" for name, text in said.items())
    lines.append(f'"fields": {{\n{fields}}}')
    lines += [_json(name) + ": [\n" + ",\n".join(rows) + "]" for name, rows in lists.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# What the page about privacy says of every stored field.

_OF: Final = re.compile(r"### `([a-z_.]+)`")
_NAME: Final = re.compile(r"`([a-z_.]+)`")
"""A heading of the page about privacy, which says of what the fields below it are; such a field."""


def described() -> dict[str, str]:
    """What `data/docs/privacy.md` says of each field: what it is, why it is stored and how long."""
    page = Path(str(files("data").joinpath("docs/privacy.md")))
    said: dict[str, str] = {}
    of = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := _OF.match(line):
            of = heading[1]
        elif of and line.startswith("| `"):
            named, what, long = (cell.strip() for cell in line.strip("| ").split(" | "))
            said |= {f"{of}.{name}": f"{what}. Kept: {long}." for name in _NAME.findall(named)}
    return said
