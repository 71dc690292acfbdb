"""`stammtisch arena`: contests of computer players on duplicate deals, and their figures."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from math import isinf
from multiprocessing import get_context, parent_process
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic
from typing import Any, Final, TypeAlias

from bot.operate.tools import (
    ToolError,
    complete,
    find_game,
    keeping_compiled,
    progress,
    read_options,
)
from engine.game import AnyGame, Json, Options
from engine.players import roster
from engine.players.duel import (
    Asked,
    Decide,
    Endless,
    Figures,
    Mean,
    Scored,
    Standings,
    dealt,
    gap_closed,
    line_ups,
    one_round,
    play_round,
    tabled,
)
from engine.players.player import Budget
from engine.registry import games


@dataclass(frozen=True, slots=True)
class Contest:
    """The players and the game of a contest; equal contests come to equal points."""

    game: str
    names: tuple[str, ...]
    options: Options
    seed: int
    playouts: int
    seconds: float | None = None
    """Per decision, instead of `playouts`: then no two runs are alike."""

    @property
    def rules(self) -> AnyGame:
        return games()[self.game]

    def described(self) -> str:
        """One line of JSON by which a run knows its own deals again."""
        return json.dumps({**asdict(self), "sources": sources(self.names)}, sort_keys=True)


def sources(names: Iterable[str]) -> str:
    """Digest of everything that these players are made of."""
    digest = sha256()
    folder = Path(roster.__file__).parent.parent
    own = {import_module(name.partition(OWN)[0]).__file__ for name in names if OWN in name}
    for file in sorted([*folder.rglob("*.py"), *[Path(each) for each in own if each]]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


OWN: Final = ":"
"""Separator of module and name of a player from outside."""

OwnPlayer: TypeAlias = Callable[[Any, Random], Any]
"""One of the legal actions of an observation."""


@cache
def own_player(name: str) -> OwnPlayer:
    """The callable that `module:name` is, also from the folder where the command was typed.

    Raises ToolError if there is none.
    """
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    module, _, called = name.partition(OWN)
    try:
        found: object = getattr(import_module(module), called)
    except (Exception, SystemExit) as error:  # whatever stands in that module
        said = error if isinstance(error, ImportError | SyntaxError) else repr(error)
        raise ToolError(f"--players: {name[:80]!r} cannot be imported: {said}.") from None
    if not callable(found):
        raise ToolError(f"--players: {name[:80]!r} cannot be called.")
    return found


def play_deal(contest: Contest, number: int) -> Scored:
    """One deal in every line-up."""
    game = contest.rules
    state = dealt(game, len(contest.names), contest.options, contest.seed, number)
    rows = []
    for line_up in line_ups(contest.names):
        players = [_decider(contest, name) for name in line_up]
        rows.append(play_round(game, state, players, contest.seed, number))
    return Scored(number, tuple(rows))


def _decider(contest: Contest, name: str) -> Decide:
    return partial(_decided_by_own, name) if OWN in name else partial(_decided, contest, name)


def _decided_by_own(name: str, asked: Asked) -> Any:
    """The action of a player from outside.  Raises ToolError if it is not legal."""
    action = own_player(name)(asked.view, asked.rng)
    if action not in tuple(asked.view.legal_actions):  # or bytes would refuse what is no byte
        raise ToolError(f"{name} answered {action!r}, which is not one of the legal actions.")
    return action


def _decided(contest: Contest, name: str, asked: Asked) -> Any:
    cheats, game = name == roster.CHEATER, contest.rules
    player = roster.cheater(game, asked.state) if cheats else roster.player(name, game)
    return player.decide(asked.view, _budget(contest), asked.rng).action


def _budget(contest: Contest) -> Budget:
    if contest.seconds is None:
        return Budget(contest.playouts)
    end = monotonic() + contest.seconds
    return Budget(1 << 40, lambda: monotonic() < end, least=1)


# Many deals


def play_deals(contest: Contest, deals: Sequence[int], workers: int) -> Iterator[Scored]:
    """The deals in processes of their own, as they are done."""
    if workers == 1:
        yield from (play_deal(contest, number) for number in deals)
        return
    with processes(workers) as pool:
        asked: list[Future[Scored]] = [pool.submit(play_deal, contest, number) for number in deals]
        for done in as_completed(asked):
            yield done.result()


@contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of `number` processes that play; an exception in the block does not wait for them."""
    context = get_context("spawn")
    with keeping_compiled(), ProcessPoolExecutor(number, context, prepare) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def prepare() -> None:
    """Begins a process that plays."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for us ends us
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process with its parent, however that ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Kept:
    """Deals that were played already, one line each: a run that was ended goes on there."""

    def __init__(self, file: Path, contest: Contest) -> None:
        self._file = file
        self._contest = contest

    def read(self) -> list[Scored]:
        """Raises ToolError if they are of another contest, OSError and ValueError."""
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        except FileNotFoundError:
            self._file.write_text(self._contest.described() + "\n", encoding="utf-8")
            return []
        if not lines or lines[0].rstrip("\n") != self._contest.described():
            raise ToolError(
                f"{self._file} holds deals of another contest (players, options, seed, budget or"
                " program differ): delete it, or choose another --json file."
            )
        whole = [line for line in lines[1:] if line.endswith("\n")]  # the last may have been cut
        self._file.write_text("".join([lines[0], *whole]), encoding="utf-8")
        return [Scored(number, tuple(map(tuple, rows))) for number, rows in map(json.loads, whole)]

    def add(self, deal: Scored) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(deal) + "\n")


# What is said of it


def figures_json(contest: Contest, table: Standings) -> dict[str, Json]:
    """Everything that is known, for `--json`."""
    return {
        "game": contest.game,
        "seats": len(contest.names),
        "players": list(contest.names),
        "options": dict(contest.options),
        "seed": contest.seed,
        "budget": contest.playouts if contest.seconds is None else None,
        "seconds": contest.seconds,
        "deals": table.deals,
        "sd": round(table.sd, 4),
        "baseline": table.baseline,
        "figures": [_figures_json(each, table.sd) for each in table.players],
    }


def _figures_json(figures: Figures, sd: float) -> dict[str, Json]:
    return {
        "player": figures.name,
        "points": _mean_json(figures.points),
        "firsts": _mean_json(figures.firsts),
        "over_others": _mean_json(figures.over_others),
        "over_others_sd": _mean_json(figures.over_others.over(sd)),
        "over_seat": _mean_json(figures.over_seat),
        "share": _mean_json(figures.share),
    }


def _mean_json(mean: Mean | None) -> Json:
    if mean is None:
        return None
    within = None if isinf(mean.within) else round(mean.within, 5)  # of a single deal: unknown
    return {"mean": round(mean.value, 5) + 0.0, "within": within}  # never -0.0


HEAD: Final = ("player", "points", "first places", "over others", "… in sd", "over baseline")


def table_lines(table: Standings) -> Iterator[str]:
    """The figures as a table of text; ± is half of a 95 % interval."""
    pairs = any(figures.share for figures in table.players)
    rows: list[tuple[str, ...]] = [(*HEAD, "share of points") if pairs else HEAD]
    for each in table.players:
        cells = [
            each.name,
            _said(each.points, 2),
            _percent(each.firsts),
            _said(each.over_others, 2),
            _said(each.over_others.over(table.sd), 3),
            "is it" if each.over_seat is None else _said(each.over_seat, 2),
        ]
        rows.append((*cells, _percent(each.share)) if pairs else tuple(cells))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()
    yield f"{table.deals} deals in every rotation; sd of a round's points {table.sd:.2f}"


def _said(mean: Mean, digits: int) -> str:
    return f"{mean.value:+z.{digits}f}{_within(mean.within, digits)}"  # z: never "-0.00"


def _percent(mean: Mean | None) -> str:
    return "" if mean is None else f"{mean.value * 100:z.1f}{_within(mean.within * 100, 1)} %"


def _within(figure: float, digits: int) -> str:
    """Nothing where a single deal tells nothing of it."""
    return "" if isinf(figure) else f" ± {figure:.{digits}f}"


def gap_line(of: Standings, low: Standings, high: Standings) -> str:
    """How much of the way from `pimc` to `cheater` the first player makes."""
    name = of.players[0].name
    gap = gap_closed(of.players[0], low.players[0], high.players[0])
    if gap is None:
        return "gap: what cheater gains over pimc is not significant"
    return f"gap closed by {name} from pimc to cheater: {gap.value:z.2f} ± {gap.within:.2f}"


def tabled_contest(contest: Contest, deals: Iterable[Scored]) -> Standings:
    return tabled(contest.names, contest.rules.info.teams, deals)


def contest_of(
    game: AnyGame,
    names: Sequence[str],
    given: Options,
    seed: int,
    budget: int,
    seconds: float | None,
) -> Contest:
    """Raises NotationError as `complete_options` does."""
    options = one_round(game, len(names), given)
    return Contest(game.info.id, tuple(names), dict(options), seed, budget, seconds)


# The command.

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
