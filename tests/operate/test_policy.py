"""`stammtisch.policy/1`, both ways: outside programs in our arena, our players in anybody's."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.operate.contests import EXEC, contest_of, play_deal
from bot.operate.policy import answers, by_player, chosen
from bot.operate.programs import Failed, Program
from engine.game import CHANCE, AnyGame
from engine.players.simple import DefaultPlayer
from engine.registry import games
from engine.seen import question
from tests.computers.test_process import children_of_this
from tests.computers.values import patient
from tests.operate.conftest import Program as Command

DOCS = Path(__file__).parent.parent.parent / "data" / "docs"


def questions(game: AnyGame, seed: int) -> Iterator[dict[str, Any]]:
    """Every question of a random match."""
    seats = max(game.info.seats)
    rng, options = Random(seed), game.complete_options(seats, {})
    state, log = game.initial(seats, options), list[tuple[int, Any]]()
    while actors := game.actors(state):
        seat = rng.choice(actors)
        if seat == CHANCE:
            action = game.deal(state, rng.randrange)
        else:
            yield {**question(game, seats, options, log, state, seat), "id": len(log)}
            action = rng.choice(game.legal_actions(state, seat))
        state = game.apply(state, seat, action)
        log.append((seat, action))


def asked(game: str, count: int = 40) -> list[dict[str, Any]]:
    found = list(questions(games()[game], 3))
    return Random(1).sample(found, min(count, len(found)))


@pytest.mark.parametrize("game", games())
def test_every_question_is_answered_by_one_of_its_legal_texts(game: str) -> None:
    put = asked(game)
    lines = [json.dumps(each) + "\n" for each in put]
    said = list(answers(lines, by_player(DefaultPlayer, 10), clock=lambda: 0.0))
    assert len(said) == len(put)
    for each, line in zip(put, said, strict=True):
        answer = json.loads(line)
        assert answer["id"] == each["id"]
        assert answer["do"] in each["legal"]
    assert said == list(answers(lines, by_player(DefaultPlayer, 10), clock=lambda: 0.0))


def test_what_is_no_question_is_skipped_and_quit_ends_it() -> None:
    put = json.dumps(asked("sticheln", 1)[0])
    other = json.dumps({**json.loads(put), "rules_version": 99})
    lines = ["", "nonsense", "[1]", "{}", '{"game": "skat"}', other, put, '{"quit": true}', put]
    assert len(list(answers(lines, by_player(DefaultPlayer, 10), clock=lambda: 0.0))) == 1


def test_the_command_answers_at_once(program: Command) -> None:
    put = asked("aufundab", 2)
    done = program("policy", "random", given="".join(json.dumps(each) + "\n" for each in put))
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [e["id"] for e in put]


def said_by(level: str, put: list[dict[str, Any]]) -> list[str]:
    """What `--level` answers to these questions, with all the time it may need."""
    lines = [json.dumps(each) + "\n" for each in put]
    with chosen(None, level, None) as decide:
        return [json.loads(line)["do"] for line in answers(lines, decide, clock=lambda: 0.0)]


def test_a_level_plays_as_at_a_table() -> None:
    put = asked("sticheln")
    normal, easy = said_by("normal", put), said_by("easy", put)
    lines = [json.dumps(each) + "\n" for each in put]
    with chosen("greedy", None, None) as greedy:
        assert normal == [json.loads(line)["do"] for line in answers(lines, greedy)]
    slips = sum(one != other for one, other in zip(easy, normal, strict=True))
    assert 0 < slips < len(put) / 2
    assert easy == said_by("easy", put)


@pytest.mark.nightly
def test_strong_thinks_in_a_worker_and_is_in_time_whatever_becomes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    patient(monkeypatch)
    put = asked("sticheln", 3)
    lines = [json.dumps({**each, "seconds": 100.0}) for each in put]
    before = children_of_this()
    with chosen("strong", "strong", None) as decide:
        found = [json.loads(line) for line in answers(lines, decide)]
        assert children_of_this() > before
        hurried = [json.dumps({**each, "seconds": 0.0}) for each in put]
        late = [json.loads(line)["do"] for line in answers(hurried, decide)]
    assert children_of_this() <= before
    for each, answer in zip(put, found, strict=True):
        assert answer["do"] in each["legal"]
    assert late == said_by("normal", put)


def test_the_command_plays_at_a_level(program: Command) -> None:
    put = asked("kaiserspiel", 3)
    given = "".join(json.dumps(each) + "\n" for each in put)
    for arguments in (("--level", "easy"), ("strong", "--level", "easy")):
        done = program("policy", *arguments, given=given)
        assert [json.loads(line)["do"] for line in done.stdout.splitlines()] == said_by("easy", put)


SCRIPT = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    put = json.loads(line)
    if put.get("quit"):
        break
    {what}
    print(json.dumps({{"id": put["id"], "do": put["legal"][0]}}), flush=True)
"""

BAD = {
    "late": "time.sleep(60)",
    "illegal": 'put["legal"] = ["play X9"]',
    "died": "sys.exit(3)",
}


def script(folder: Path, what: str) -> str:
    file = folder / "player.py"
    file.write_text(SCRIPT.format(what=what), encoding="utf-8")
    return f"{sys.executable} {file}"


@pytest.mark.parametrize("fault", BAD)
def test_a_fault_is_named_and_the_next_question_asked_all_the_same(
    tmp_path: Path, fault: str
) -> None:
    program = Program(script(tmp_path, BAD[fault]))
    put = asked("sticheln", 1)[0]
    for _ in range(2):
        with pytest.raises(Failed) as failed:
            program.ask(put, put["legal"], 0.3 if fault == "late" else 20.0)
        assert failed.value.fault == fault
    program.close()


@pytest.mark.nightly
def test_an_answer_that_came_too_late_is_not_taken_for_the_next(tmp_path: Path) -> None:
    program = Program(script(tmp_path, "time.sleep(1.0 if number == 0 else 0)"))
    put = asked("sticheln", 1)[0]
    with pytest.raises(Failed):
        program.ask(put, put["legal"], 0.2)
    assert program.ask(put, put["legal"], 20.0) == put["legal"][0]
    program.close()


@pytest.mark.parametrize("noise", ["print('hello')", "print('{}')", "print('[1]', flush=True)"])
def test_lines_that_are_no_answers_are_skipped(tmp_path: Path, noise: str) -> None:
    program = Program(script(tmp_path, noise))
    put = asked("sticheln", 1)[0]
    assert program.ask(put, put["legal"], 20.0) == put["legal"][0]
    program.close()


def test_a_program_that_is_not_there_is_dead() -> None:
    with pytest.raises(Failed) as failed:
        Program("no-such-program-anywhere").ask({}, [], 1.0)
    assert failed.value.fault == "died"


@pytest.mark.parametrize("game", ["sticheln", "kaiserspiel"])
def test_the_example_plays_a_deal_without_a_fault(game: str) -> None:
    seats = min(games()[game].info.seats)
    example = f"{EXEC}{sys.executable} {DOCS / 'player.py'}"
    names = [example, *["random"] * (seats - 1)]
    deal = play_deal(contest_of(games()[game], names, {}, 1, 10, None), 0)
    assert deal.faults == ()


@pytest.mark.nightly
def test_faults_are_counted_and_never_end_a_contest(tmp_path: Path) -> None:
    bad = EXEC + script(tmp_path, "sys.exit(1) if number else None")
    deal = play_deal(contest_of(games()["sticheln"], [bad, "random", "random"], {}, 1, 10, None), 0)
    assert len(deal.points) == 3
    assert {fault for _, fault in deal.faults} == {"died"}
    assert {name for name, _ in deal.faults} == {bad}


def test_the_example_is_thirty_lines_and_needs_nothing_of_ours() -> None:
    text = (DOCS / "player.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 30
    assert all(word not in text for word in ("import engine", "import bot", "from engine"))
