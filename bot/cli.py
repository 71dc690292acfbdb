"""The `stammtisch` command.

What is heavy (discord, SQLAlchemy, SimCord) is imported by the command that needs it, so that
`games` and `simulate` start at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from bot import tools

if TYPE_CHECKING:
    from bot.app import Stammtisch
    from bot.settings import Settings

app = typer.Typer(
    help="Card tables on Discord. Try it without a token: stammtisch demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
bench_app = typer.Typer(no_args_is_help=True, help="Measure the program.")
db_app = typer.Typer(no_args_is_help=True, help="The database.")
app.add_typer(bench_app, name="bench")
app.add_typer(db_app, name="db")

GameId = Annotated[str, typer.Argument(metavar="GAME", help="A game's id; see: stammtisch games")]


def main() -> None:
    """The console script: what cannot be done is one sentence on standard error, status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="stammtisch")
    except tools.ToolError as error:
        _refuse(str(error))


def _refuse(sentence: str, status: int = 2) -> NoReturn:
    typer.echo(f"stammtisch: {sentence}", err=True)
    raise SystemExit(status)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"stammtisch {version('stammtisch')}")
        raise typer.Exit


@app.callback()
def _options(
    shown: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None: ...


@app.command()
def run() -> None:
    """Run the bot on Discord.

    Settings come from the environment and .env (see .env.example).  Brings the database up to
    date and registers changed commands first.
    """
    from bot import logs
    from bot.settings import SettingsError

    settings = _settings()
    try:
        token = settings.token()
    except SettingsError as error:
        _refuse(str(error))
    logs.configure(settings.log_level, secrets=(token,))
    from bot import create_bot

    status = asyncio.run(_run(create_bot(settings), token, settings))
    if status is not None:
        _refuse(*status)


async def _run(bot: Stammtisch, token: str, settings: Settings) -> tuple[str, int] | None:
    """Run until told to stop; else the sentence and the exit status."""
    import aiohttp
    import discord
    from sqlalchemy.exc import SQLAlchemyError

    from bot.storage import StorageError

    task = asyncio.ensure_future(bot.start(token))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return None
    except discord.LoginFailure:
        return (
            "Discord refuses DISCORD_TOKEN: reset the token in Discord's developer portal and put"
            " the new one into .env, or try the bot without one: stammtisch demo.",
            2,
        )
    except StorageError as error:
        return f"DATABASE_URL: {error}", 2
    except SQLAlchemyError as error:
        return f"DATABASE_URL: the database does not answer ({type(error).__name__}).", 1
    except discord.DiscordException as error:
        return (
            f"Discord at {settings.discord_api_url} does not let the bot in"
            f" ({type(error).__name__}): try again in a minute.",
            1,
        )
    except (aiohttp.ClientError, OSError) as error:
        what = type(error).__name__
        return (
            f"Discord cannot be reached at {settings.discord_api_url} ({what}): check the"
            " connection, and DISCORD_API_URL and DISCORD_GATEWAY_URL if you set them.",
            1,
        )
    finally:
        with suppress(aiohttp.ClientError, OSError, discord.DiscordException, SQLAlchemyError):
            await bot.close()
    return None


@app.command()
def demo(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port of the start page (8765, or a free one)."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser if there is one.")] = True,
) -> None:
    """Try the bot in the browser, without a token.

    The real bot in a simulated Discord, with four people to play; nothing leaves this computer.
    """
    if any(find_spec(name) is None for name in ("simcord", "av", "markdown_it", "PIL")):
        _refuse(
            "the demo needs SimCord: install the extra with"
            " `.tool/bin/uv sync --extra demo` or `pip install 'stammtisch[demo]'`."
        )
    import logging

    from bot import logs

    logs.configure("WARNING")
    # It warns of what a simulated Discord does not have.
    logging.getLogger("discord").setLevel(logging.ERROR)
    from bot.demo.show import PortTaken, show

    try:
        asyncio.run(show(port, browser=browser, say=lambda line: typer.echo(line)))
    except PortTaken:
        _refuse(f"port {port} is in use: choose another one with --port.")
    except KeyboardInterrupt:
        return


@app.command()
def games() -> None:
    """List the games with seats and options."""
    for line in tools.describe_games():
        typer.echo(line)


@bench_app.command()
def playouts(
    game: GameId,
    seats: Annotated[int | None, typer.Option(help="Seats (the game's minimum).")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to play.")] = 5.0,
) -> None:
    """Play uniformly random legal actions through the engine's public interface.

    One line of JSON; plies are seats' actions, without the deals.
    """
    typer.echo(tools.bench_playouts(game, seats, seconds))


@app.command()
def simulate(
    game: GameId,
    seats: Annotated[int | None, typer.Option(help="Seats (the game's minimum).")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    matches: Annotated[int, typer.Option(min=0, help="How many matches.")] = 1,
    options: Annotated[
        str, typer.Option(metavar="JSON", help='Options of the match, like {"hands": 2}.')
    ] = "{}",
    policy: Annotated[str, typer.Option(help="Who plays: random.")] = "random",
    legal: Annotated[
        bool, typer.Option("--legal", help="Write all legal actions beside every action.")
    ] = False,
    proof: Annotated[
        bool, typer.Option("--proof", help="Draw the deals so that verify can repeat them.")
    ] = False,
) -> None:
    """Play matches; write JSON records.

    One record per line (stammtisch.record/1); equal arguments give equal matches.
    """
    made = tools.simulate(
        game, seats, seed, matches, options, policy=policy, legal=legal, proof=proof
    )
    _write(made)


@app.command()
def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="Records, one per line; - is stdin.")
    ],
) -> None:
    """Check records, one line per fault.

    Deal, every action, legal actions, scores and outcome are compared with the rules, and a deal
    with a proof is dealt once more.  The last line is `N records, M bad`; exit status 1 if any is.
    """
    bad = 0

    def lines() -> Iterator[str]:
        nonlocal bad
        for verdict in tools.verify(file):
            bad = verdict.bad
            yield verdict.line

    _write(lines())
    if bad:
        raise typer.Exit(1)


@db_app.command()
def upgrade() -> None:
    """Bring the database up to date (`run` and `demo` do so by themselves)."""
    settings = _settings()
    from bot.storage import StorageError
    from bot.storage import upgrade as bring_up

    try:
        asyncio.run(bring_up(settings.database_url))
    except StorageError as error:
        _refuse(f"DATABASE_URL: {error}")
    typer.echo("The database is up to date.")


def _write(lines: Iterable[str]) -> None:
    """Lines to standard output; a reader that goes away (`| head`) ends the command quietly."""
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Or the interpreter complains when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def _settings() -> Settings:
    from bot.settings import SettingsError, load_settings

    try:
        return load_settings()
    except SettingsError as error:
        _refuse(str(error))
