"""`stammtisch db`, `person` and `server`: commands that work on the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bot.ids import MOST_ID, GuildId, TableId, UserId
from bot.operate.refusing import read_settings, refuse, refusing

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from bot.storage import Database

T = TypeVar("T")

db_app = typer.Typer(no_args_is_help=True, help="The database.")


@contextmanager
def stopped(what: str = "DATABASE_URL: ") -> Iterator[str]:
    """The address of the database, while no other program is on it; `what` begins a refusal."""
    settings = read_settings()
    from bot.storage.only_program import alone

    with refusing(what), alone(settings.database_url):
        yield settings.database_url


def changed(work: Callable[[Connection], T]) -> T:
    """The result of `work`, run in one transaction on the database as it is now."""
    from bot.storage import Database, upgrade

    async def change(url: str) -> T:
        await upgrade(url)
        database = await Database.open(url)
        try:
            return await database.migrate(work)
        finally:
            await database.close()

    with stopped() as url:
        return asyncio.run(change(url))


@db_app.command()
def upgrade() -> None:
    """Bring the database up to date (`run` and `demo` do so by themselves)."""
    from bot.storage import upgrade as bring_up

    with stopped() as url:
        asyncio.run(bring_up(url))
    typer.echo("The database is up to date.")


@db_app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE|DIR", help="Where the copy is written.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over FILE.")] = False,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="Write into DIR, and keep so many of the newest copies there."),
    ] = None,
) -> None:
    """Copy the database to FILE; safe while the bot runs.

    The copy is one moment of the database, read again and checked before it gets its name.
    """
    settings = read_settings()
    from bot.storage.backup import backup as copy
    from bot.storage.backup import backup_into

    url = settings.database_url
    if keep is None:
        copied = copy(url, file, force=force)
    else:
        file, copied = backup_into(url, file, keep, now=datetime.now(UTC))
    typer.echo(f"Copied to {file} and checked.  Tables: {copied.tables}, bytes: {copied.size}.")


@db_app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that backup wrote.")],
) -> None:
    """Put a backup in the place of the database; stop the bot first.

    The database that was there is kept beside it.  At the next start all open tables end, and each
    channel is told why.
    """
    from bot.storage.backup import restore as put_back

    # Nor does one that starts meanwhile open what is being set aside.
    with stopped("") as url:
        done = put_back(url, file, now=datetime.now(UTC))
    if done.aside is not None:
        typer.echo(f"The database before is kept as {done.aside}.")
    typer.echo(f"Restored.  Tables: {done.copied.tables}.  Start the bot: stammtisch run")


@db_app.command()
def restored() -> None:
    """Say that the database was brought back otherwise than by restore; stop the bot first.

    By copying a file back, by pg_restore, or with a snapshot of the whole disk.  At the next start
    all open tables end, and each channel is told why.
    """
    from bot.storage.backup import note_restored

    changed(note_restored)
    typer.echo("Noted.  Start the bot: stammtisch run")


@db_app.command()
def recount() -> None:
    """Count ratings and leaderboards anew from the results; stop the bot first.

    They are kept with every result, so that nothing should be found; what is, is mended.
    """
    from sqlalchemy import func, select

    from bot.operate.tools import Progress
    from bot.storage.schema import matches, standings
    from bot.storage.standings import recount as count_anew

    def count(connection: Connection) -> tuple[int, int]:
        played = connection.execute(select(func.count()).select_from(matches)).scalar_one()
        rating, counting = Progress("matches rated", played), Progress("people counted")
        wrong = count_anew(connection, rating.one_more, counting.one_more)
        lines = select(func.count()).select_from(standings)
        return connection.execute(lines).scalar_one(), wrong

    lines, wrong = changed(count)
    found = "all as they were" if not wrong else f"{wrong} were not right and are mended"
    typer.echo(f"Leaderboards: {lines} lines counted, {found}.")


# What is stored of one person, or of one server: given out and deleted.


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
    with stopped() as url:
        work = _with_database(url, lambda found: _forget(found, UserId(person)), upgraded=True)
        known = asyncio.run(work)
    typer.echo("Forgotten." if known else "Nothing was stored of that person.")


class Nobody:
    """Port `Announcer`: what has changed is drawn when the bot runs."""

    def changed(self, table: TableId) -> None:
        """Nobody hears of it."""


async def _forget(database: Database, user: UserId) -> bool:
    """Have a person leave their tables and plans, and forget them; whether anything was known."""
    from bot.app import SystemChance
    from bot.storage import SqlTableStore, remnants
    from bot.storage.personal_data import SqlPersonalData
    from bot.storage.plans import SqlPlans
    from bot.tables.plans import without_person
    from bot.tables.service import TableService
    from engine.registry import games

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


def _now() -> datetime:
    return datetime.now(UTC)


@server_app.command("forget")
def forget_server(server: Id) -> None:
    """Forget a server: its tables, results, plans and settings; stop the bot first."""
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
