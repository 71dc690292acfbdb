"""`stammtisch db`: the commands that work on the database itself."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from bot.operate.refusing import read_settings, refusing

db_app = typer.Typer(no_args_is_help=True, help="The database.")


@db_app.command()
def upgrade() -> None:
    """Bring the database up to date (`run` and `demo` do so by themselves)."""
    settings = read_settings()
    from bot.storage import upgrade as bring_up
    from bot.storage.alone import alone

    with refusing("DATABASE_URL: "), alone(settings.database_url):
        asyncio.run(bring_up(settings.database_url))
    typer.echo("The database is up to date.")


@db_app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy is written.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over FILE.")] = False,
) -> None:
    """Copy the database to FILE; safe while the bot runs.

    The copy is one moment of the database, read again and checked before it gets its name.
    """
    settings = read_settings()
    from bot.storage.backup import backup as copy

    with refusing():
        copied = copy(settings.database_url, file, force=force)
    typer.echo(f"Copied to {file} and checked.  Tables: {copied.tables}, bytes: {copied.size}.")


@db_app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that backup wrote.")],
) -> None:
    """Put a backup in the place of the database; stop the bot first.

    The database that was there is kept beside it.  At the next start all open tables end, and each
    channel is told why.
    """
    settings = read_settings()
    from datetime import UTC, datetime

    from bot.storage.alone import alone
    from bot.storage.backup import restore as put_back

    # Nor does one that starts meanwhile open what is being set aside.
    with refusing(), alone(settings.database_url):
        done = put_back(settings.database_url, file, now=datetime.now(UTC))
    if done.aside is not None:
        typer.echo(f"The database before is kept as {done.aside}.")
    typer.echo(f"Restored.  Tables: {done.copied.tables}.  Start the bot: stammtisch run")


@db_app.command()
def restored() -> None:
    """Say that the database was brought back otherwise than by restore; stop the bot first.

    By copying a file back, by pg_restore, or with a snapshot of the whole disk.  At the next start
    all open tables end, and each channel is told why.
    """
    settings = read_settings()
    from bot.storage.alone import alone

    with refusing("DATABASE_URL: "), alone(settings.database_url):
        asyncio.run(_note(settings.database_url))
    typer.echo("Noted.  Start the bot: stammtisch run")


async def _note(url: str) -> None:
    from bot.storage import Database, upgrade
    from bot.storage.restored import note

    await upgrade(url)
    database = await Database.open(url)
    try:
        await note(database)
    finally:
        await database.close()


@db_app.command()
def recount() -> None:
    """Count the leaderboards anew from the results; stop the bot first.

    They are kept with every result, so that nothing should be found; what is, is mended.
    """
    settings = read_settings()
    from bot.storage.alone import alone

    with refusing("DATABASE_URL: "), alone(settings.database_url):
        lines, wrong = asyncio.run(_recount(settings.database_url))
    found = "all as they were" if not wrong else f"{wrong} were not right and are mended"
    typer.echo(f"Leaderboards: {lines} lines counted, {found}.")


async def _recount(url: str) -> tuple[int, int]:
    """How many lines there are, and how many were not right."""
    from sqlalchemy import func, select

    from bot.storage import Database, upgrade
    from bot.storage.schema import standings
    from bot.storage.standings import recount as count_anew

    await upgrade(url)
    database = await Database.open(url)
    try:
        wrong = await database.migrate(count_anew)
        counting = select(func.count()).select_from(standings)
        return await database.read(lambda reading: reading.execute(counting).scalar_one()), wrong
    finally:
        await database.close()
