"""The `stammtisch` command and its subcommands.

Large packages (discord, SQLAlchemy, SimCord) are imported by the commands that need them, so that
`games` and `simulate` start at once.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bot.operate import tools
from bot.operate.db import db_app, person_app, server_app
from bot.operate.refusing import REFUSED_LOGIN, read_settings, refuse, refusing, unreachable

if TYPE_CHECKING:
    from bot.app import Stammtisch
    from bot.settings import Settings

T = TypeVar("T")

app = typer.Typer(
    help="Card tables on Discord. Try it without a token: stammtisch demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
bench_app = typer.Typer(no_args_is_help=True, help="Measure the program.")
app.add_typer(bench_app, name="bench")
app.add_typer(db_app, name="db")
app.add_typer(person_app, name="person")
app.add_typer(server_app, name="server")

GameId = Annotated[str, typer.Argument(metavar="GAME", help="A game's id; see: stammtisch games")]

STOP_TIME = 9.8
"""Seconds after the signal to stop at which the process ends in any case."""

TOKEN_REFUSED = 4004
"""How Discord closes a connection whose token is none, or none any more."""


def main() -> None:
    """The console script: what cannot be done is one sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with refusing():
        app(prog_name="stammtisch")


def _version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"stammtisch {version('stammtisch')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    shown: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None: ...


@app.command()
def run(
    metrics_port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="METRICS_PORT where the settings name none."),
    ] = None,
) -> None:
    """Run the bot on Discord.

    Settings come from the environment and .env (see .env.example).  Brings the database up to
    date and registers changed commands first.
    """
    from bot.operate import logs

    settings = read_settings()
    if settings.metrics_port is None:
        settings = settings.model_copy(update={"metrics_port": metrics_port})
    token = settings.token()
    logs.configure(settings.log_level, secrets=settings.secrets(), lasting=True)
    from bot import create_bot
    from bot.storage.only_program import alone

    with refusing("DATABASE_URL: "), alone(settings.database_url):
        status = _started(_run(create_bot(settings, emojis=True), token, settings))
    if status is not None:
        refuse(*status)


def _started(program: Coroutine[None, None, T]) -> T:
    """The result of the program, on the fastest event loop there is."""
    gc.freeze()  # what was imported is no garbage: looking through it would hold up the loop
    if sys.platform == "win32":
        return asyncio.run(program)
    import uvloop

    return uvloop.run(program)


async def _run(bot: Stammtisch, token: str, settings: Settings) -> tuple[str, int] | None:
    """Run until told to stop; returns a sentence and the exit status if it ends otherwise."""
    import aiohttp
    import discord
    from sqlalchemy.exc import SQLAlchemyError

    from bot.operate.health import PortTaken
    from bot.storage import StorageAway, StorageError
    from bot.tables.ports import Unavailable

    running = asyncio.ensure_future(bot.start(token))
    told = asyncio.ensure_future(_told_to_stop())
    try:
        await asyncio.wait([running, told], return_when=asyncio.FIRST_COMPLETED)
        if told.done():
            # The connection stays meanwhile: what is pressed now is answered too.
            await bot.stop()
            return None
        await running
    except StorageError as error:
        return f"DATABASE_URL: {error}", 1 if isinstance(error, StorageAway) else 2
    except PortTaken as error:
        return str(error), 2
    except (SQLAlchemyError, Unavailable) as error:
        return f"DATABASE_URL: the database does not answer ({type(error).__name__}).", 1
    except discord.DiscordException as error:
        closed = isinstance(error, discord.ConnectionClosed) and error.code == TOKEN_REFUSED
        if closed or isinstance(error, discord.LoginFailure):
            return f"{REFUSED_LOGIN}, or try the bot without one: stammtisch demo.", 2
        return (
            f"Discord at {settings.discord_api_url} does not let the bot in"
            f" ({type(error).__name__}): try again in a minute.",
            1,
        )
    except (aiohttp.ClientError, OSError) as error:
        return unreachable(settings, error), 2 if isinstance(error, aiohttp.InvalidURL) else 1
    finally:
        for task in (told, running):
            task.cancel()
        await asyncio.wait([told, running], timeout=1)
        with suppress(
            aiohttp.ClientError, OSError, discord.DiscordException, SQLAlchemyError, Unavailable
        ):
            await bot.close()
    return None


async def _told_to_stop() -> None:
    """Return at the first signal to stop.  The second one ends the process at once.

    So does the end of the time that hosts grant, whatever hangs: acknowledged actions are stored.
    """
    loop = asyncio.get_running_loop()
    told = loop.create_future()

    def stop(number: int) -> None:
        if told.done():
            os._exit(128 + number)
        told.set_result(None)

    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop, number)
    await told
    patience = threading.Timer(STOP_TIME, os._exit, (1,))
    patience.daemon = True
    patience.start()


@app.command()
def doctor() -> None:
    """Check settings, database and Discord; say what to do.

    One line for each check: in order (✓), not in order (✗), not checked or no trouble (–).  Exit
    status 1 if anything is not in order.  Changes nothing, and does not disturb a running bot.
    """
    from bot.operate import logs
    from bot.settings import SettingsError, load_settings

    try:
        settings = load_settings()
    except SettingsError as error:
        typer.echo(f"✗ settings: {error}")
        raise typer.Exit(1) from None
    logs.configure("ERROR", secrets=settings.secrets())
    if not asyncio.run(_doctor(settings)):
        raise typer.Exit(1)


async def _doctor(settings: Settings) -> bool:
    """Whether everything is in order."""
    from bot.app import create_bot, described
    from bot.operate.doctor import Mark, examine

    bot = create_bot(settings)
    well = True
    async for finding in examine(settings, described(bot)):
        typer.echo(str(finding))
        well = well and finding.mark is not Mark.BAD
    return well


@app.command()
def demo(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port of the start page (8765, or a free one)."),
    ] = None,
    language: Annotated[
        str, typer.Option(help="Language of its people and servers, as en or de.")
    ] = "en",
    *,
    browser: Annotated[bool, typer.Option(help="Open the browser if there is one.")] = True,
) -> None:
    """Try the bot in the browser, without a token.

    The real bot in a simulated Discord, with four people to play; nothing leaves this computer.
    """
    if any(find_spec(name) is None for name in ("simcord", "av", "markdown_it", "PIL")):
        refuse(
            "the demo needs SimCord: install the extra with"
            " `.tool/bin/uv sync --extra demo` or `pip install 'stammtisch[demo]'`."
        )
    from bot.i18n import languages

    if language not in languages():
        refuse(f"there is no language {language}: choose one of {', '.join(languages())}.")
    import logging

    from bot.operate import logs

    logs.configure("WARNING")
    # It warns of what a simulated Discord does not have.
    logging.getLogger("discord").setLevel(logging.ERROR)
    from bot.demo.show import PortTaken, show

    try:
        say = typer.echo
        asyncio.run(show(port, language, browser=browser, say=lambda line: say(line)))
    except PortTaken:
        refuse(f"port {port} is in use or reserved: choose another one with --port.")
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
    from bot.operate.bench import bench_playouts

    typer.echo(bench_playouts(game, seats, seconds))


@bench_app.command()
def render(
    deck: Annotated[str, typer.Option(help="The deck that is drawn.")] = "standard",
    pictures: Annotated[int, typer.Option(min=1, help="How many of each game.")] = 400,
) -> None:
    """Draw hands and boards in random positions.

    Two lines of JSON for each game: the first picture, and as many warm ones.
    """
    from bot.operate.bench import render as measure

    tools.write(measure(deck, pictures))


@app.command()
def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pictures go.")],
) -> None:
    """Draw every card of every deck, hands, boards, charts and the artwork, to look through."""
    from bot.operate.gallery import gallery as draw

    count = draw(folder)
    typer.echo(f"{count} pictures: open {folder / 'index.html'} in a browser.")


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
    *,
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
    tools.write(made)


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

    tools.write(lines())
    if bad:
        raise typer.Exit(1)


@app.command()
def arena(
    game: GameId,
    seats: Annotated[int, typer.Option(help="Seats.")],
    players: Annotated[
        str,
        typer.Option(
            metavar="A,B,…",
            help="One for each seat: random, greedy, pimc, guided, strong, cheater, or your own"
            " as module:name of a Python callable.",
        ),
    ],
    deals: Annotated[int, typer.Option(min=1, help="Each is played in every rotation.")] = 100,
    budget: Annotated[
        int,
        typer.Option(
            min=1, help="Playouts of a decision; strong makes four times as many in Auf und Ab."
        ),
    ] = 1_000,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Time of a decision, instead of --budget.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals.")] = 0,
    options: Annotated[
        str, typer.Option(metavar="JSON", help='Options of the match, like {"jokers": true}.')
    ] = "{}",
    json: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the figures there; an ended run goes on."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes (one for each core).")
    ] = None,
    *,
    gap: Annotated[
        bool,
        typer.Option(
            "--gap", help="Play pimc and cheater in place of the first, too: the gap closed."
        ),
    ] = False,
) -> None:
    """Let computer players play duplicate deals.

    Every deal is played with the players in every rotation, so that nobody has better cards; with
    --budget equal arguments give equal results, whatever the number of workers.
    """
    from bot.operate.arena import arena as hold

    lines = hold(
        game, seats, players, deals, options=options, seed=seed, budget=budget, seconds=seconds,
        file=json, workers=workers, gap=gap,
    )  # fmt: skip
    tools.write(lines)
