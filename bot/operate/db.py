"""`stammtisch db`: the commands that work on the database itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bot.operate.refusing import read_settings, refusing

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

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
    from datetime import UTC, datetime

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
    from datetime import UTC, datetime

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
