"""Forgetting a person while the program runs."""

from __future__ import annotations

from typing import Final

from bot.answer.context import Context
from bot.ids import UserId
from bot.tables.model import TableError

LEFT: Final = ("ended", "not_seated", "no_such_table")
"""Refusals of a table that needs not be left any more."""


async def forget(context: Context, user: UserId) -> None:
    """Let `user` leave all tables and plans, and leave nothing of them that is stored.

    Raises Unavailable, and TableError `not_stored`, `unsure`: what was done until then stays so.
    """
    await context.planning.forget(user)  # first: the table of one may be opening just now
    for table in await context.tables.open_of(user):
        try:
            await context.tables.leave(table.id, user)
        except TableError as error:
            if error.code not in LEFT:
                raise
        await context.publisher.flush(table.id)
    for table in await context.tables.open_tables():
        if table.stored.seating.expects(user):
            await context.tables.left_server(table.id, user)
            await context.publisher.flush(table.id)
    await context.tables.bar(user)
    # What is still to be written of them is, before all of it is deleted.
    await context.coach.flush()
    for desk in (context.planned, context.publisher):
        await desk.forget(user)
    await context.readers.flush()
    try:
        await context.personal_data.forget(user)
    finally:  # also where nobody knows whether that is stored
        context.drop({user})
        context.tables.reread()
