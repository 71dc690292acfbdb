"""`stammtisch person` and `stammtisch server`: what is stored of one, given out and deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bot.ids import MOST_ID
from bot.operate.db import stopped
from bot.operate.refusing import read_settings, refuse, refusing

if TYPE_CHECKING:
    from bot.storage import Database

T = TypeVar("T")

person_app = typer.Typer(no_args_is_help=True, help="What is stored of one person.")
server_app = typer.Typer(no_args_is_help=True, help="What is stored of one server.")

Id = Annotated[int, typer.Argument(metavar="ID", min=1, max=MOST_ID, help="Discord's id.")]


async def _with_database(
    url: str, work: Callable[[Database], Awaitable[T]], *, upgraded: bool
) -> T:
    from bot.storage import Database
    from bot.storage.migrations import require_current, upgrade_open

    database = await Database.open(url)
    try:
        await (upgrade_open if upgraded else require_current)(database)
        return await work(database)
    finally:
        await database.close()


@person_app.command("export")
def export_person(person: Id) -> None:
    """Write everything that is stored of a person as JSON; safe while the bot runs."""
    from bot.ids import UserId
    from bot.storage.database import sqlite_file
    from bot.storage.personal_data import SqlPersonalData

    url = read_settings().database_url

    def work(database: Database) -> Awaitable[str]:
        return SqlPersonalData(database).export(UserId(person), datetime.now(UTC))

    with refusing("DATABASE_URL: "):
        file = sqlite_file(url)
        if file is not None and not file.is_file():
            refuse(f"There is no database {file}: correct DATABASE_URL.")
        found = asyncio.run(_with_database(url, work, upgraded=False))
    typer.echo(found, nl=False)


@person_app.command("forget")
def forget_person(person: Id) -> None:
    """Forget a person as /mydata forget does; stop the bot first.

    They leave their tables and plans, which show that once the bot runs.
    """
    from bot.ids import UserId
    from bot.operate.forgetting import forget

    with stopped() as url:
        work = _with_database(url, lambda found: forget(found, UserId(person)), upgraded=True)
        known = asyncio.run(work)
    typer.echo("Forgotten." if known else "Nothing was stored of that person.")


@server_app.command("forget")
def forget_server(server: Id) -> None:
    """Forget a server: its tables, results, plans and settings; stop the bot first."""
    from bot.ids import GuildId
    from bot.storage import remnants
    from bot.storage.forgetting import forget_server as delete

    async def work(database: Database) -> int:
        tables, _ = await database.migrate(lambda writing: delete(writing, GuildId(server)))
        await database.write(remnants.note)
        await remnants.erase_noted(database)
        return len(tables)

    with stopped() as url:
        tables = asyncio.run(_with_database(url, work, upgraded=True))
    typer.echo(f"Forgotten.  Tables: {tables}.")
