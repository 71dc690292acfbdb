"""Games, simulations, verification and benchmarks from the command line."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.operate import tools
from engine.registry import games
from tests.operate.conftest import START, Program, clean_environment
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three short matches with their legal actions."""
    path = tmp_path_factory.mktemp("records") / "three.jsonl"
    lines = tools.simulate("aufundab", 3, 5, 3, '{"hands": 1}', legal=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_version_and_help(program: Program) -> None:
    assert program("--version").stdout == f"stammtisch {version('stammtisch')}\n"
    assert "demo" in program("--help").stdout


def test_games_lists_every_game(program: Program) -> None:
    listed = [line.split()[0] for line in program("games").stdout.splitlines()]
    assert listed == list(games())


def test_simulate_and_verify_by_a_pipe(program: Program) -> None:
    arguments = ("simulate", "aufundab", "--seats", "4", "--seed", "9", "--matches", "4")
    made = program(*arguments, "--options", '{"hands": 1}', "--legal")
    assert (made.returncode, made.stderr) == (0, "")
    lines = made.stdout.splitlines()
    assert len(lines) == 4
    first = json.loads(lines[0])
    assert first["format"] == "stammtisch.record/1"
    assert first["options"] == {"length": "hands", "hands": 1}
    assert first["rounds"][0]["actions"][0]["legal"]
    checked = program("verify", "-", given=made.stdout)
    assert (checked.returncode, checked.stdout) == (0, "4 records, 0 bad\n")


@pytest.mark.parametrize("name", list(games()))
def test_proven_deals_by_a_pipe(program: Program, name: str) -> None:
    arguments = ("simulate", name, "--seed", "9", "--matches", "2", "--legal", "--proof")
    made = program(*arguments, "--policy", "random")
    assert (made.returncode, made.stderr) == (0, "")
    for number, line in enumerate(made.stdout.splitlines()):
        for index, round_ in enumerate(json.loads(line)["rounds"]):
            proof = round_["proof"]
            assert (proof["table"], proof["round"]) == (f"S9-{number}", index + 1)
            assert set(proof["words"]) == {""}
    checked = program("verify", "-", given=made.stdout)
    assert (checked.returncode, checked.stdout) == (0, "2 records, 0 bad\n")
    assert program(*arguments).stdout == made.stdout


def test_a_stacked_deck_is_found(program: Program) -> None:
    """The cards of another simulation under the proof of this one."""
    committed, stacked = (
        json.loads(program("simulate", "sticheln", "--seed", seed, "--proof").stdout)
        for seed in ("1", "2")
    )
    for theirs, ours in zip(stacked["rounds"], committed["rounds"], strict=True):
        theirs["proof"] = ours["proof"]
    done = program("verify", "-", given=json.dumps(stacked))
    *faults, count = done.stdout.splitlines()
    assert (done.returncode, done.stderr, count) == (1, "", "1 records, 1 bad")
    assert faults[0].startswith("record 1, round 1: deal: deal.hands[0][")
    assert "but the proof gives" in faults[0]
    assert faults[1].startswith("record 1, round 2: proof: 'previous' is not the SHA-256")


LUCK = "arena sticheln --seats 3 --players random,random,random"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("simulate nogame", "aufundab"),
        ("simulate aufundab --seats 7", "--seats 7"),
        ("simulate aufundab --policy greedy", "--policy 'greedy': choose random."),
        ("simulate aufundab --options {", "--options"),
        ("""simulate aufundab --options '["hands"]'""", "--options"),
        ("""simulate aufundab --options '{"hands": 41}'""", "hands must be from 1 to 40"),
        ("""simulate aufundab --options '{"hands": null}'""", "--options"),
        ("""simulate aufundab --options '{"hands": 1, "target": 9}'""", "exclude each other"),
        ("""simulate aufundab --options '{"trump": 1}'""", "no option 'trump'"),
        ("""simulate aufundab --options '{"hands": true}'""", "hands must be a whole number"),
        ("""simulate auffalscherfaehrte --options '{"jokers": 1}'""", "jokers must be true or"),
        (f"simulate aufundab --options {'[' * 100_000}", "--options"),
        ("arena sticheln --seats 3 --players random,random", "one for each seat"),
        ("arena sticheln --seats 3 --players random,luck,x", "no 'luck'"),
        ("arena sticheln --seats 9 --players random", "--seats 9"),
        ("arena skat --seats 3 --players random", "no game 'skat'"),
        (LUCK + """ --options '{"rounds": 0}'""", "rounds must be from"),
        ("bench render --deck tarot", "there is no deck 'tarot': choose one of standard"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    program: Program, typed: str, said: str
) -> None:
    done = program(*shlex.split(typed))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("stammtisch: ")
    assert said in line


def test_verify_names_record_round_and_ply(program: Program, records: Path, tmp_path: Path) -> None:
    first, second, third = records.read_text(encoding="utf-8").splitlines()
    broken = json.loads(second)
    broken["rounds"][0]["actions"][3]["do"] = "play 9-9 9-9"
    file = tmp_path / "broken.jsonl"
    file.write_text("\n".join([first, json.dumps(broken), third]), encoding="utf-8")
    done = program("verify", str(file))
    assert done.returncode == 1
    fault, count = done.stdout.splitlines()
    assert fault.startswith("record 2, round 1, ply 4: malformed: ")
    assert count == "3 records, 1 bad"
    assert done.stderr == ""


@pytest.mark.parametrize("line", [b"{", b'"\xff\xfe"', b"[" * 200_000, b"\xff\xfe{\x00}\x00"],
                         ids=["open", "bytes", "deep", "utf-16"])  # fmt: skip
def test_nonsense_is_a_fault_and_no_traceback(program: Program, records: Path, line: bytes) -> None:
    good = records.read_bytes().splitlines()[0]
    done = program("verify", "-", given=good + b"\n" + line + b"\n" + good + b"\n")
    assert (done.returncode, done.stderr) == (1, "")
    *faults, count = done.stdout.splitlines()
    assert count == "3 records, 1 bad"
    assert faults
    assert all(fault.startswith("record 2") for fault in faults)


def test_verify_of_nothing(program: Program) -> None:
    done = program("verify", "-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 records, 0 bad\n", "")


def test_a_name_that_no_terminal_can_show_is_no_traceback(program: Program, records: Path) -> None:
    made = json.loads(records.read_text(encoding="utf-8").splitlines()[0])
    made["game"] = "\ud800\u202e\x1b[31m"
    done = program("verify", "-", given=json.dumps(made), PYTHONIOENCODING="ascii")
    assert done.stdout == "record 1: malformed: unknown game: '???[31m'\n1 records, 1 bad\n"
    assert (done.returncode, done.stderr) == (1, "")


def test_verify_of_what_is_not_there(program: Program, tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        done = program("verify", str(path))
        assert done.returncode == 2
        assert done.stderr.startswith(f"stammtisch: {path} cannot be read")
        assert "Traceback" not in done.stderr


def test_verify_reads_as_it_goes(records: Path) -> None:
    """A fault is said before the next record is read."""
    read: list[int] = []

    class Stream:
        lines = iter([b"null\n", records.read_bytes().splitlines()[0] + b"\n"])

        def readline(self, limit: int) -> bytes:
            read.append(limit)
            return next(self.lines, b"")

    verdicts = tools.verify_stream(Stream())  # type: ignore[arg-type]  # all that is needed of it
    assert next(verdicts).line.startswith("record 1: malformed")
    assert len(read) == 1
    assert [v.line for v in verdicts] == ["2 records, 1 bad"]


def test_an_endless_line_is_cut(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tools, "LONGEST_LINE", 64)
    file = tmp_path / "endless"
    file.write_bytes(b"null\n" + b"[" * 1000 + b"\nnull\n")
    lines = [verdict.line for verdict in tools.verify(str(file))]
    assert len(lines) == 4
    assert lines[-1] == "3 records, 3 bad"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    command = [sys.executable, "-c", START, "simulate", "aufundab", "--matches", "100000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"format":')
        process.stdout.close()
        complaint = process.stderr.read()
        process.wait(timeout=PATIENCE)
    assert (process.returncode, complaint) == (0, b"")


def test_progress_of_long_runs_is_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moments = iter([0.0, 4.9, 5.0, 5.1])
    monkeypatch.setattr(tools, "monotonic", lambda: next(moments))
    progress = tools.Progress("matches", 3)
    for _ in range(3):
        progress.one_more()
    assert capsys.readouterr().err == "2 of 3 matches\n"


def test_bench_is_one_line_of_json(program: Program) -> None:
    done = program("bench", "playouts", "aufundab", "--seats", "3", "--seconds", "0.05")
    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    result = json.loads(line)
    assert list(result) == ["game", "seats", "plies_per_s", "matches_per_s", "plies_per_match"]
    assert (result["game"], result["seats"]) == ("aufundab", 3)
    assert result["plies_per_s"] == pytest.approx(
        result["matches_per_s"] * result["plies_per_match"], rel=0.01
    )


@given(data=st.data())
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_damaged_bytes_are_counted_and_never_raise(records: Path, data: st.DataObject) -> None:
    """Pieces of a file cut out, doubled or overwritten, anywhere and with anything."""
    whole = bytearray(records.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(whole)))
        end = data.draw(st.integers(start, min(start + 40, len(whole))))
        piece = data.draw(st.binary(max_size=8) | st.just(bytes(whole[start:end]) * 2))
        whole[start:end] = piece
    *faults, last = tools.verify_stream(BytesIO(bytes(whole)))
    assert re.fullmatch(rf"\d+ records, {last.bad} bad", last.line)
    assert bool(faults) == bool(last.bad)
    assert all("\n" not in fault.line and len(fault.line) < 500 for fault in faults)
