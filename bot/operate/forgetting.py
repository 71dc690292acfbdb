"""Forgetting a person while the bot does not run."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.app import SystemChance
from bot.ids import TableId, UserId
from bot.storage import Database, SqlTableStore, remnants
from bot.storage.personal_data import SqlPersonalData
from bot.storage.plans import SqlPlans
from bot.tables.plans import without_person
from bot.tables.service import TableService
from engine.registry import games


class Nobody:
    """Port `Announcer`: what has changed is drawn when the bot runs."""

    def changed(self, table: TableId) -> None:
        """Nobody hears of it."""


def _now() -> datetime:
    return datetime.now(UTC)


async def forget(database: Database, user: UserId) -> bool:
    """Have a person leave their tables and plans, and forget them; whether anything was known."""
    data, plans = SqlPersonalData(database), SqlPlans(database)
    known = any(await data.counts(user))
    tables = TableService(
        SqlTableStore(database), clock=_now, chance=SystemChance(), announcer=Nobody(),
        games=games(),
    )  # fmt: skip
    for table in await tables.open_of(user):
        await tables.leave(table.id, user)
    for table in await tables.open_tables():
        if table.stored.seating.expects(user):
            await tables.left_server(table.id, user)
    await tables.aclose()
    for plan in await plans.naming(user):
        await plans.change(plan, lambda found: [without_person(found, user, _now())])
    await data.forget(user)
    await remnants.erase_noted(database)
    return known
