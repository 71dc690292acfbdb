"""Every example in `data/docs/notation.md` is what the code reads, writes and says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from bot.ids import TableId
from bot.tables.lots import drawn_order
from engine.game import CHANCE, AnyGame, NotationError
from engine.playout import simulate
from engine.record import to_text
from engine.registry import games
from engine.verify import Kind, verify, verify_lines
from tests.engine.records import Configuration, configurations, named
from tests.engine.test_verify_proofs import pack_of

PAGE: Final = Path(__file__).parents[2].joinpath("data", "docs", "notation.md").read_text("utf-8")
CODE: Final = re.compile(r"`([^`]+)`")


def section(heading: str) -> str:
    return PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]


def rows(first: str) -> list[list[str]]:
    """The cells of the table whose head begins so; an empty first cell repeats the one above."""
    found: list[list[str]] = []
    for line in PAGE.split(f"\n| {first} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found.append([cells[0] or found[-1][0], *cells[1:]])
    return found


def codes(cell: str) -> list[str]:
    return CODE.findall(cell)


def of_game(head: str) -> Iterator[tuple[AnyGame, str]]:
    """The game and every example of the second column of a table."""
    for name, examples, *_ in rows(head):
        for example in codes(examples):
            yield games()[name.strip("`")], example


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


RECORDS: Final[list[dict[str, Any]]] = [json.loads(text) for text in blocks("json")]
WHOLE: Final = RECORDS[-1]


def test_every_game_has_its_rows() -> None:
    for head in ("game | a card's code", "game | action", "game | typed", "game | options"):
        assert {row[0].strip("`") for row in rows(head)} == games().keys(), head


def test_cards_are_cards_of_the_pack() -> None:
    for name, _, examples in rows("game | a card's code"):
        found = [
            one.game.pack(one.seats, one.options)
            for one in configurations()
            if one.game.info.id == name.strip("`")
        ]
        assert set(codes(examples)) <= set().union(*found)


@pytest.mark.parametrize("one", [pytest.param(c, id=named(c)) for c in configurations()])
def test_the_canonical_order_is_the_one_described(one: Configuration) -> None:
    described = pack_of(one.game.info.id, one.seats, one.options)
    assert list(one.game.pack(one.seats, one.options)) == described


def test_actions_are_actions() -> None:
    for game, text in of_game("game | action"):
        assert game.format_action(game.parse_action(text)) == text


def test_every_action_that_was_ever_legal_has_its_row() -> None:
    listed = {(game.info.id, text.split()[0]) for game, text in of_game("game | action")}
    seen = {
        (one.game.info.id, ply["do"].split()[0])
        for one in configurations()
        for made in simulate(one.game, one.seats, dict(one.options), 1, 3)
        for dealt in json.loads(to_text(made))["rounds"]
        for ply in dealt["actions"]
    }
    assert seen <= listed
    # Random players rarely get so far as to be asked some questions; words of Kaiserspiel only.
    assert {game for game, _ in listed - seen} <= {"kaiserspiel"}


def test_what_is_hardly_legal_is_an_action_and_what_is_none_is_none() -> None:
    said = section("Actions").split("These are actions", 1)[1].split("\n\n", 1)[0]
    well_formed, nonsense = said.split("These are none")
    for text, right in ((well_formed, True), (nonsense, False)):
        game, count = games()["aufundab"], 0
        for code in codes(text):
            if code in games():
                game = games()[code]
                continue
            count += 1
            if right:
                assert game.format_action(game.parse_action(code)) == code
            else:
                with pytest.raises(NotationError):
                    game.parse_action(code)
        assert count >= 4


def test_what_people_type_is_read_as_it_says_and_refused_in_records() -> None:
    for name, typed, meant in rows("game | typed"):
        game = games()[name.strip("`")]
        seats = min(game.info.seats)
        state = game.initial(seats, game.complete_options(seats, {}))
        state = game.apply(state, CHANCE, game.deal(state, lambda n: 0))
        view = game.observe(state, game.actors(state)[0])
        (text,), (wanted,) = codes(typed), codes(meant)
        assert game.format_action(game.parse_action(text, view)) == wanted
        with pytest.raises(NotationError):
            game.parse_action(text)


def test_blanks_are_no_actions() -> None:
    said = section("Actions").split("**What others read.**", 1)[1]
    assert len(codes(said)) == 5
    for text in codes(said):
        for game in games().values():
            with pytest.raises(NotationError):
                game.parse_action(text)


def test_options_have_the_defaults_and_bounds_that_it_says() -> None:
    for name, said in rows("game | options"):
        info = games()[name.strip("`")].info
        for spec in info.options:
            assert f"`{spec.key}`" in said
            words = [f'`"{value}"`' for value in spec.values if isinstance(value, str)]
            assert all(word in said for word in words)
            if spec.kind == "int":
                assert f"{spec.minimum}–{spec.maximum}" in said
        usual = games()[info.id].complete_options(info.seats[0], {})
        assert {key for key in usual if f"`{key}`" in said} == set(usual)
    assert games()["kaiserspiel"].complete_options(4, {})["target"] == 41
    assert games()["aufundab"].complete_options(3, {"length": "target"})["target"] == 100
    for seats in (3, 4):
        assert games()["aufundab"].complete_options(seats, {})["hands"] == seats
        found = games()["sticheln"].complete_options(seats, {})
        assert found == {"rounds": seats, "zeros": "aside"}
        found = games()["auffalscherfaehrte"].complete_options(seats, {})
        assert found == {"jokers": False, "next_leader": "next", "rounds": 2 * seats}


def test_records_verify() -> None:
    for text, record in zip(blocks("json"), RECORDS, strict=True):
        assert verify(record, 1) == []
        assert list(verify_lines(text.splitlines(keepends=True))) == [[]]


def test_keys_are_those_of_a_record() -> None:
    (game,) = (game for game in games().values() if game.info.id == "aufundab")
    (made,) = simulate(game, 3, {"hands": 1}, 1, 1, proof=True)
    listed = [codes(row[0])[0] for row in rows("key | value")]
    assert listed == list(made)
    dealt = json.loads(to_text(made))["rounds"][0]
    tables = PAGE.split("\n| key | value |\n|---|---|\n")[1:]
    keys = [re.findall(r"^\| `(\w+)` \|", table.split("\n\n")[0], re.MULTILINE) for table in tables]
    assert keys == [list(made), list(dealt), list(dealt["proof"])]


def test_the_program_recomputes_the_proofs_and_nothing_else() -> None:
    program, _ = blocks("python")
    known: dict[str, Any] = {}
    exec(program, known)  # noqa: S102 - the page's own program is what is tested
    for number in (1, 2):
        known["check"](WHOLE, number)
    spoilt: tuple[tuple[str, object], ...] = (
        ("server_seed", "00" * 32), ("post", "1"), ("words", [""] * 4), ("table", "T1"),
    )  # fmt: skip
    for key, value in spoilt:
        wrong = deepcopy(WHOLE)
        wrong["rounds"][0]["proof"][key] = value
        with pytest.raises(AssertionError):
            known["check"](wrong, 1)


def test_the_second_program_draws_seats_as_tables_do() -> None:
    known: dict[str, Any] = {}
    exec("\n".join(blocks("python")), known)  # noqa: S102 - as above
    for number, places in ((0, 4), (1, 6), (57, 3), (2, 2)):
        seed = sha256(bytes([number])).digest()
        order = drawn_order(seed, TableId("T7Q2"), number, places)
        drawn = known["seats_by_lot"](seed.hex(), "T7Q2", number, places)
        assert drawn == [place + 1 for place in order]


def test_the_kinds_of_faults_are_all_there() -> None:
    kinds = [kind for row in rows("kind | what is wrong") for kind in codes(row[0])]
    assert sorted(kinds) == sorted(get_args(Kind))


def test_faults_are_said_as_they_stand_there() -> None:
    changes = rows("change | fault")
    assert len(changes) >= 5
    for change, fault in changes:
        (text,), (said,) = codes(change), codes(fault)
        path, value = text.split(" = ")
        wrong = deepcopy(WHOLE)
        *way, last = (int(step) if step.isdecimal() else step for step in re.findall(r"\w+", path))
        place: Any = wrong
        for step in way:
            place = place[step]
        assert last in place
        place[last] = json.loads(value)
        assert str(verify(wrong, 1)[0]) == said
