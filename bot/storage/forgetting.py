"""Forgetting one person, or one server, within a transaction.

A person becomes *somebody* under an id that is nobody's, so that matches of others stay what they
were; what is theirs alone is deleted.  Of a server everything is.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    String,
    Table,
    and_,
    bindparam,
    cast,
    delete,
    or_,
    select,
    union,
    update,
)
from sqlalchemy.engine import Connection, RowMapping

from bot.ids import MOST_ID, GuildId, PlanId, TableId, UserId
from bot.storage.renaming import DOCUMENTS, Renaming, renamed, renamer, share_of
from bot.storage.schema import (
    bests,
    blocks,
    deadlines,
    entries,
    follows,
    lessons,
    matches,
    metadata,
    named,
    people,
    plan_surfaces,
    plans,
    players,
    ratings,
    results,
    server_changes,
    sitters,
    standings,
    surfaces,
    tables,
    tellings,
    zones,
)
from bot.surfaces import FOR_ONE
from bot.tables.stored import SOMEBODY

OWN: Final = (people, lessons, blocks, zones, follows, tellings, standings, players, bests)
"""Tables whose rows are about one person each, `user_id`, and go with them."""

MESSAGES: Final = (surfaces, plan_surfaces)
"""Tables in which the key of some kinds of messages is the id of a person."""

_AT_ONCE: Final = 500
"""Tables that are written in one go."""

_RENAME: Final = (
    update(tables)
    .where(tables.c.id == bindparam("at_id"))
    .values(
        document=bindparam("text"),
        opener_id=bindparam("opener"),
        version=tables.c.version + 1,  # whoever has read it before may not write over it
    )
)


def tables_naming(connection: Connection, user: UserId) -> list[TableId]:
    """The tables that name a person."""
    found = (select(of.c.table_id).where(of.c.user_id == user) for of in (sitters, named, results))
    return sorted(connection.execute(union(*found)).scalars())


def plans_naming(connection: Connection, user: UserId) -> list[RowMapping]:
    """The plans that name a person: there are few, and none is old."""
    holding = _people_of_plans()
    written = (cast(plans.c[name], String).contains(str(user)) for name in holding)
    query = select(plans).where(or_(plans.c.user_id == user, *written)).order_by(plans.c.id)
    return [
        row
        for row in connection.execute(query).mappings()
        if row["user_id"] == user
        or any(share_of(kind, row[name], user) is not None for name, kind in holding.items())
    ]


def is_theirs(table: Table, user: UserId) -> ColumnElement[bool]:
    """Whether a message, one of those in `MESSAGES`, is for that person."""
    return or_(
        and_(table.c.kind.in_(FOR_ONE), table.c.key == user),
        and_(table.c.of_kind.in_(FOR_ONE), table.c.of_key == user),
    )


def forget_person(connection: Connection, user: UserId) -> UserId:
    """Forget a person; returns the id under which they are somebody from now on.

    At open tables they stay what they are: let them leave first.
    """
    who = Renaming(user, UserId(-1 - secrets.randbelow(MOST_ID)))
    found = tables_naming(connection, user)
    for first in range(0, len(found), _AT_ONCE):
        _rename_records(connection, found[first : first + _AT_ONCE], who)
    for of in (sitters, results, server_changes):
        new = {"user_id": who.alias} | ({"name": SOMEBODY} if "name" in of.c else {})
        connection.execute(update(of).where(of.c.user_id == user).values(new))
    for row in plans_naming(connection, user):
        _rename_in_plan(connection, row, who)
    for of in (*OWN, named):
        connection.execute(delete(of).where(of.c.user_id == user))
    # The ratings of others come from theirs.
    connection.execute(update(ratings).where(ratings.c.user_id == user).values(user_id=who.alias))
    connection.execute(delete(blocks).where(blocks.c.blocked_id == user))
    for of in MESSAGES:
        connection.execute(delete(of).where(is_theirs(of, user)))
    return who.alias


def _rename_records(connection: Connection, ids: list[TableId], who: Renaming) -> None:
    query = select(tables.c.id, tables.c.opener_id, tables.c.document).where(tables.c.id.in_(ids))
    kind = DOCUMENTS["tables.document"]
    rows = [
        {
            "at_id": row.id,
            "text": renamed(kind, row.document, who),
            "opener": who.alias if row.opener_id == who.user else row.opener_id,
        }
        for row in connection.execute(query.with_for_update())
    ]
    if rows:
        connection.execute(_RENAME, rows)


def _rename_in_plan(connection: Connection, row: RowMapping, who: Renaming) -> None:
    new: dict[str, Any] = {"version": row["version"] + 1}
    for name, kind in _people_of_plans().items():
        rename = renamer(kind)
        new[name] = row[name] if rename is None else rename(row[name], who)
    if row["user_id"] == who.user:
        new |= {"user_id": who.alias, "name": SOMEBODY}
    connection.execute(update(plans).where(plans.c.id == row["id"]).values(new))


def _people_of_plans() -> dict[str, Any]:
    """The columns of plans in which people stand, with their types."""
    of = {name.removeprefix("plans."): kind for name, kind in DOCUMENTS.items()}
    return {name: kind for name, kind in of.items() if name in plans.c and renamer(kind)}


def forget_server(
    connection: Connection, guild: GuildId, most: int | None = None
) -> tuple[Sequence[TableId], Sequence[PlanId]]:
    """Forget a server, or at most that many of its tables; returns these, and its plans.

    With the last of them goes all that is not of a table.
    """
    found = connection.execute(select(tables.c.id).where(tables.c.guild_id == guild).limit(most))
    ids = found.scalars().all()
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        # A match holds its table; the rest of a table goes with it.
        connection.execute(delete(results).where(results.c.table_id.in_(some)))
        connection.execute(delete(matches).where(matches.c.table_id.in_(some)))
        for of in (entries, sitters, named, deadlines, surfaces, tellings):
            connection.execute(delete(of).where(of.c.table_id.in_(some)))
        connection.execute(delete(tables).where(tables.c.id.in_(some)))
    planned: Sequence[PlanId] = ()
    if most is None or len(ids) < most:
        here = select(plans.c.id).where(plans.c.guild_id == guild)
        planned = connection.execute(here).scalars().all()
        connection.execute(delete(plan_surfaces).where(plan_surfaces.c.table_id.in_(here)))
        for of in metadata.sorted_tables:
            if "guild_id" in of.c:
                connection.execute(delete(of).where(of.c.guild_id == guild))
    return ids, planned
