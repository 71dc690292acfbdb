"""Contests of computer players: duplicate deals in processes, stored on disk, and their figures."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import sha256
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Final

from bot.operate.programs import Failed, Program
from bot.operate.tools import ToolError, keeping_compiled
from engine.game import AnyGame, Json, Options
from engine.players import roster
from engine.players.duel import Asked, Decide, dealt, line_ups, one_round, play_round
from engine.players.figures import Deal, Figures, Mean, Table, gap_closed, tabled
from engine.players.player import Budget
from engine.record import legal_texts
from engine.registry import games
from engine.seen import question


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what, so that equal contests come to equal points."""

    game: str
    names: tuple[str, ...]
    options: Options
    seed: int
    playouts: int
    seconds: float | None = None
    """Per decision, instead of `playouts`: then no two runs are alike."""
    patience: float = 10.0
    """Seconds that an outside program has for an answer where `seconds` does not say it."""

    @property
    def rules(self) -> AnyGame:
        return games()[self.game]

    def described(self) -> str:
        """One line of JSON by which a run knows its own deals again."""
        return json.dumps({**asdict(self), "sources": sources()}, sort_keys=True)


def sources() -> str:
    """Digest of everything that players are made of."""
    digest = sha256()
    folder = Path(roster.__file__).parent.parent
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


EXEC: Final = "exec:"
"""Before the command of an outside program, in the name of a player."""


def play_deal(contest: Contest, number: int) -> Deal:
    """One deal in every line-up."""
    game, faults = contest.rules, list[tuple[str, str]]()
    opening = dealt(game, len(contest.names), contest.options, contest.seed, number)
    rows = []
    for line_up in line_ups(contest.names):
        players = [_decider(contest, name, faults) for name in line_up]
        rows.append(play_round(game, opening, players, contest.seed, number))
    return Deal(number, tuple(rows), tuple(faults))


def _decider(contest: Contest, name: str, faults: list[tuple[str, str]]) -> Decide:
    if name.startswith(EXEC):
        return partial(_asked_outside, contest, name, faults)
    return partial(_decided, contest, name)


def _decided(contest: Contest, name: str, asked: Asked) -> Any:
    cheats, game = name == roster.CHEATER, contest.rules
    player = roster.cheater(game, asked.state) if cheats else roster.player(name, game)
    return player.decide(asked.view, _budget(contest), asked.rng).action


def _asked_outside(contest: Contest, name: str, faults: list[tuple[str, str]], asked: Asked) -> Any:
    """What an outside program does; a fault is noted, and the default action played."""
    game = contest.rules
    put = question(game, len(contest.names), contest.options, asked.log, asked.state, asked.seat)
    legal = legal_texts(game, asked.state, asked.seat)
    try:
        text = _program(name, asked.seat).ask(put, legal, contest.seconds or contest.patience)
    except Failed as failed:
        faults.append((name, failed.fault))
        return game.default_action(asked.view)
    return game.parse_action(text)


def is_found(name: str) -> bool:
    """Whether the command of an outside program can be read and names something to start."""
    try:
        words = shlex.split(name.removeprefix(EXEC))
    except ValueError:
        return False
    return bool(words) and shutil.which(words[0]) is not None


@cache
def _program(name: str, seat: int) -> Program:
    """One for each seat, so that partners stay apart; it ends with this process."""
    program = Program(name.removeprefix(EXEC))
    atexit.register(program.close)
    return program


def _budget(contest: Contest) -> Budget:
    if contest.seconds is None:
        return Budget(contest.playouts)
    end = monotonic() + contest.seconds
    return Budget(1 << 40, lambda: monotonic() < end, least=1)


# Many deals


def play_deals(contest: Contest, deals: Sequence[int], workers: int) -> Iterator[Deal]:
    """The deals in processes of their own, as they are done."""
    if workers == 1:
        yield from (play_deal(contest, number) for number in deals)
        return
    with processes(workers) as pool:
        asked: list[Future[Deal]] = [pool.submit(play_deal, contest, number) for number in deals]
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
    """Nobody takes what this process finds any more, however the command ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Kept:
    """Deals that were played already, one line each: a run that was ended goes on there."""

    def __init__(self, file: Path, contest: Contest) -> None:
        self._file = file
        self._contest = contest

    def read(self) -> list[Deal]:
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
        return [
            Deal(number, tuple(map(tuple, rows)), tuple(map(tuple, faults)))
            for number, rows, faults in map(json.loads, whole)
        ]

    def add(self, deal: Deal) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(deal) + "\n")


# What is said of it


def figures_json(contest: Contest, table: Table) -> dict[str, Json]:
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
        "faults": {f"{name} {fault}": count for (name, fault), count in table.faults.items()},
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
    return {"mean": round(mean.value, 5), "within": round(mean.within, 5)}


HEAD: Final = ("player", "points", "first places", "over others", "… in sd", "over baseline")


def table_lines(table: Table) -> Iterator[str]:
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
    for (name, fault), count in sorted(table.faults.items()):
        yield f"{name}: {count} × {fault}, answered by the default action"


def _said(mean: Mean, digits: int) -> str:
    return f"{mean.value:+.{digits}f} ± {mean.within:.{digits}f}"


def _percent(mean: Mean | None) -> str:
    return "" if mean is None else f"{mean.value * 100:.1f} ± {mean.within * 100:.1f} %"


def gap_line(of: Table, low: Table, high: Table) -> str:
    """How much of the way from `pimc` to `cheater` the first player makes."""
    name = of.players[0].name
    gap = gap_closed(of.players[0], low.players[0], high.players[0])
    if gap is None:
        return "gap: what cheater gains over pimc is not significant"
    return f"gap closed by {name} from pimc to cheater: {gap.value:.2f} ± {gap.within:.2f}"


def tabled_contest(contest: Contest, deals: Iterable[Deal]) -> Table:
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
