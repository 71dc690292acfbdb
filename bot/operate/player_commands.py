"""Arguments and options of `stammtisch arena`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.operate import tools

playing_app = typer.Typer()

GameId = Annotated[str, typer.Argument(metavar="GAME", help="A game's id; see: stammtisch games")]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes (one for each core).")]


@playing_app.command()
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
    workers: Workers = None,
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
