"""Contests for `stammtisch arena`: computer players on duplicate deals, and the printed table."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.operate.contests import (
    OWN,
    Contest,
    Kept,
    contest_of,
    figures_json,
    gap_line,
    own_player,
    play_deals,
    table_lines,
    tabled_contest,
)
from bot.operate.tools import ToolError, complete, find_game, progress, read_options
from engine.players import roster
from engine.players.duel import Endless, Scored, Standings

GAP = ("pimc", roster.CHEATER)
"""Players at both ends of the gap: one that only samples worlds, and one that knows all cards."""


def arena(
    name: str,
    seats: int,
    players: str,
    deals: int,
    *,
    options: str,
    seed: int,
    budget: int,
    seconds: float | None,
    file: Path | None,
    workers: int | None,
    gap: bool,
) -> Iterator[str]:
    """Lines of the table.  Raises ToolError if the contest cannot be held."""
    game = find_game(name)
    given = read_options(options)
    complete(game, seats, given)
    names = _names(players, seats)
    if file is not None and os.path.lexists(file) and not _is_writable(file):
        raise ToolError(f"--json: {file} cannot be written over: choose another file.")
    contest = contest_of(game, names, given, seed, budget, seconds)
    number = (os.cpu_count() or 1) if workers is None else workers
    contests = [contest]
    if gap:
        contests += [replace(contest, names=(other, *names[1:])) for other in GAP]
    tables = []
    for at, each in enumerate(contests):
        kept = None if file is None else file.with_name(f"{file.name}.{at}.part")
        tables.append(_held(each, deals, number, kept))
    made = figures_json(contest, tables[0])
    yield from table_lines(tables[0])
    if gap:
        said = gap_line(tables[0], *tables[1:])
        made["gap"] = said
        yield said
    if file is not None:
        file.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        for at in range(len(contests)):
            file.with_name(f"{file.name}.{at}.part").unlink()


def _is_writable(file: Path) -> bool:
    return file.is_file() and os.access(file, os.W_OK)


def _names(players: str, seats: int) -> list[str]:
    names = players.split(",")
    known = (*roster.NAMES, roster.CHEATER)
    for name in names:
        if OWN in name:
            own_player(name)
        elif name not in known:
            raise ToolError(
                f"--players: there is no {name[:40]!r}: choose from {', '.join(known)}, or your"
                f" own as module{OWN}name."
            )
    if len(names) != seats:
        raise ToolError(f"--players names {len(names)}, but {seats} play: name one for each seat.")
    return names


def _held(contest: Contest, deals: int, workers: int, file: Path | None) -> Standings:
    """The results of all requested deals, those of an earlier run included."""
    kept = None if file is None else Kept(file, contest)
    try:
        done = [] if kept is None else [deal for deal in kept.read() if deal.number < deals]
    except ValueError as error:
        raise ToolError(f"{file} cannot be read: {error}.") from None
    known = {deal.number for deal in done}
    left = [number for number in range(deals) if number not in known]
    try:
        for deal in _shown(contest, left, deals, workers):
            done.append(deal)
            if kept is not None:
                kept.add(deal)
    except Endless as error:
        raise ToolError(f"{contest.game}: {error}.") from None
    except KeyboardInterrupt:
        if not done:
            raise
        on = "" if kept is None else "; the same command goes on from here"
        sys.stderr.write(f"\nStopped after {len(done)} of {deals} deals{on}.\n")
        for line in table_lines(tabled_contest(contest, done)):
            sys.stdout.write(line + "\n")
        raise SystemExit(130) from None
    return tabled_contest(contest, done)


def _shown(contest: Contest, left: Sequence[int], deals: int, workers: int) -> Iterator[Scored]:
    """The deals as they are done, with a bar on standard error."""
    with progress(" ".join(contest.names), deals, deals - len(left)) as advance:
        for deal in play_deals(contest, left, min(workers, max(1, len(left)))):
            yield deal
            advance()
