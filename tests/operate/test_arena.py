"""`stammtisch arena`: contests that can be repeated, ended and gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.operate.arena import (
    Kept,
    contest_of,
    figures_json,
    gap_line,
    play_deals,
    sources,
    table_lines,
)
from bot.operate.tools import CACHE, keeping_compiled
from engine.players.duel import Figures, Mean, Standings
from engine.registry import games
from tests.computers.values import gone
from tests.operate.conftest import Program

RANDOM = ("arena", "sticheln", "--seats", "3", "--players", "random,random,random")


def test_a_table_says_what_came_of_it(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = program(*RANDOM, "--deals", "3", "--workers", "1", "--json", str(file))
    assert done.returncode == 0, done.stderr
    head, row, end = done.stdout.splitlines()
    assert head.split()[:2] == ["player", "points"]
    assert row.startswith("random  ")
    assert end.startswith("3 deals in every rotation; sd of a round's points ")
    figures = json.loads(file.read_text())
    assert (figures["deals"], figures["players"]) == (3, ["random"] * 3)
    assert figures["figures"][0]["firsts"]["mean"] == pytest.approx(1 / 3, abs=1e-4)
    assert list(tmp_path.iterdir()) == [file], "what it kept meanwhile is gone"


def test_of_a_single_deal_it_says_nothing_of_how_sure_it_is(
    program: Program, tmp_path: Path
) -> None:
    file = tmp_path / "figures.json"
    done = program(*RANDOM, "--deals", "1", "--workers", "1", "--json", str(file))
    assert "inf" not in done.stdout
    assert "Infinity" not in file.read_text()
    assert json.loads(file.read_text())["figures"][0]["points"]["within"] is None


def test_no_figure_is_a_negative_zero() -> None:
    hardly = Mean(-0.000001, 0.5)
    found = Standings(4, 10.0, "random", (Figures("greedy", *[hardly] * 5),))
    contest = contest_of(games()["sticheln"], ["greedy", "random", "random"], {}, 0, 1_000, None)
    printed = "\n".join([*table_lines(found), json.dumps(figures_json(contest, found))])
    assert "+0.00 ± 0.50" in printed
    assert "0.0 ± 50.0 %" in printed
    assert "-0.0" not in printed

    def of(points: float) -> Standings:
        mean = Mean(points, 0.1)
        return found._replace(players=(Figures("greedy", *[mean] * 5),))

    assert " 0.00 ± " in gap_line(of(0.999), of(1.0), of(4.0))


@pytest.mark.nightly
def test_any_number_of_workers_comes_to_the_same(program: Program) -> None:
    mixed = ("arena", "aufundab", "--seats", "3", "--players", "greedy,random,random")
    said = {program(*mixed, "--deals", "4", "--workers", n).stdout for n in ("1", "2")}
    assert len(said) == 1
    assert "greedy" in said.pop()


def test_an_ended_run_goes_on_where_it_was(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    contest = contest_of(games()["sticheln"], ["random"] * 3, {}, 0, 1_000, None)
    kept = Kept(tmp_path / "figures.json.0.part", contest)
    assert kept.read() == []
    for deal in play_deals(contest, [0, 2], 1):
        kept.add(deal._replace(points=tuple((90, 0, 0) for _ in deal.points)))
    with (tmp_path / "figures.json.0.part").open("a") as stream:
        stream.write("[1, [[1, ")  # killed in the middle of a line
    done = program(*RANDOM, "--deals", "3", "--workers", "1", "--json", str(file))
    assert done.returncode == 0, done.stderr
    whole = json.loads(file.read_text())["figures"][0]["points"]["mean"]
    assert whole > 19, "the two deals of before count as they were kept"


def test_deals_of_another_contest_are_not_mixed_in(program: Program, tmp_path: Path) -> None:
    other = contest_of(games()["sticheln"], ["random"] * 3, {}, 1, 1_000, None)
    Kept(tmp_path / "f.json.0.part", other).read()
    done = program(*RANDOM, "--deals", "3", "--json", str(tmp_path / "f.json"))
    assert done.returncode == 2
    assert "deals of another contest" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.nightly
def test_what_the_processes_of_an_arena_compile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    look = [sys.executable, "-c", "from numba.core import config; print(config.CACHE_DIR)"]
    with keeping_compiled():
        place = Path(
            subprocess.run(look, capture_output=True, text=True, check=True).stdout.strip()
        )
    assert place.is_dir()
    assert tmp_path in place.parents
    assert CACHE not in os.environ
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with keeping_compiled():
        assert CACHE not in os.environ


# A player of one's own

MANUAL = Path(__file__).parents[2] / "data" / "docs" / "operating.md"
OWN = ("arena", "sticheln", "--seats", "3", "--deals", "1", "--workers")


def written(folder: Path, text: str) -> None:
    (folder / "mine.py").write_text(text, encoding="utf-8")


def test_the_manual_shows_a_player_that_plays(program: Program, tmp_path: Path) -> None:
    _, _, section = MANUAL.read_text(encoding="utf-8").partition("### A player of your own")
    written(tmp_path, section.split("```python\n")[1].split("```")[0])
    given = ("--players", "mine:lowest,random,random")
    assert "mine:lowest,greedy,greedy" in section
    one, two = (program(*OWN, workers, *given) for workers in ("1", "2"))
    assert one.returncode == 0, one.stderr
    assert one.stdout.splitlines()[1].startswith("mine:lowest  ")
    assert two.stdout == one.stdout


def test_it_is_asked_what_its_seat_may_know(tmp_path: Path, program: Program) -> None:
    written(
        tmp_path,
        "from engine.games.sticheln.state import View\n"
        "def play(view, rng):\n"
        "    assert type(view) is View and rng.random() < 1\n"
        "    return view.legal_actions[-1]\n",
    )
    done = program(*OWN, "1", "--players", "mine:play,mine:play,mine:play")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine:cheat", "mine:cheat answered -1, which is not one of the legal actions."),
        ("mine:number", "'mine:number' cannot be called."),
        ("mine:other", "'mine:other' cannot be imported: "),
        ("yours:play", "'yours:play' cannot be imported: No module named 'yours'."),
        (":play", "':play' cannot be imported: "),
    ],
)
def test_what_is_wrong_with_it_is_said(
    program: Program, tmp_path: Path, name: str, said: str
) -> None:
    written(tmp_path, "number = 1\ndef cheat(view, rng): return -1\n")
    done = program(*OWN, "1", "--players", f"{name},random,random")
    assert (done.returncode, done.stdout) == (2, "")
    *_, line = done.stderr.splitlines()  # after the bar, if there was one
    assert line.startswith("stammtisch: ")
    assert said in line


def test_a_player_that_was_changed_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    written(tmp_path, "def play(view, rng): return view.legal_actions[0]\n")
    names = ("mine:play", "random")
    before = sources(names)
    assert before == sources(names) != sources(("random",))
    written(tmp_path, "def play(view, rng): return view.legal_actions[-1]\n")
    assert sources(names) != before
    del sys.modules["mine"]


# A pool as an arena has it; its processes say who they are.
_POOL = """
import os
from time import sleep
from bot.operate.arena import processes

with processes(2) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    sleep(600)
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_the_command_however_it_ends(how: signal.Signals) -> None:
    running = subprocess.Popen([sys.executable, "-c", _POOL], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        worker = int(running.stdout.readline())
    finally:
        running.send_signal(how)
        running.wait()
        if running.stdout is not None:
            running.stdout.close()
    assert gone(frozenset([worker]))
