"""No kind of fault or deed is forgotten: all are drawn, counted, missed when absent, explained."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tests.chaos.__main__ import explained
from tests.chaos.deeds import AT_A_TABLE, DOING, IN_A_LOBBY
from tests.chaos.kinds import COPIES, DATABASE, Deed, Tally, Trick
from tests.chaos.monkey import DELIVERY, ENDS, TROUBLE
from tests.chaos.plan import SHORT, on_postgres
from tests.chaos.seeds import arguments, lines, seeds, summed, wrong
from tests.chaos.summary import ZERO, Summary
from tests.wire.deck import Deck
from tests.wire.faults import EVERYTHING, Faults, Kind


def test_what_is_wanted_comes_soon_and_does_not_fill_the_deck() -> None:
    deck = Deck(random.Random(1), {"a": 30, "never": 1, "seldom": 1})
    drawn = [deck.draw(["seldom"]) for _ in range(10)]
    assert drawn.count("seldom") > 3
    for _ in range(50):
        if deck.draw(["never"]) == "never":
            deck.put_back("never")
    assert Counter(deck.draw() for _ in range(32))["never"] <= 2


def test_a_deck_leaves_nothing_out_and_what_is_put_back_comes_again() -> None:
    deck = Deck(random.Random(1), {"a": 3, "b": 1})
    for _ in range(5):
        assert Counter(deck.draw() for _ in range(4)) == {"a": 3, "b": 1}
    drawn = deck.draw()
    deck.put_back(drawn)
    assert Counter(deck.draw() for _ in range(4)) == {"a": 3, "b": 1}


def test_what_can_never_be_done_does_not_keep_the_others_waiting() -> None:
    deck, done = Deck(random.Random(1), {"a": 3, "never": 1}), 0
    for _ in range(40):
        if (drawn := deck.draw()) == "never":
            deck.put_back(drawn)
        else:
            done += 1
    assert done > 20


def test_every_kind_of_request_goes_wrong_in_so_many_faults() -> None:
    faults = Faults()
    faults.by_chance(1, 1.0)
    for _ in range(sum(EVERYTHING.values())):
        faults.next("GET", "/x")
    assert faults.injected == EVERYTHING
    assert set(EVERYTHING) == set(Kind) - {Kind.REFUSED}, "which closed DMs bring"


def test_every_trick_and_deed_is_drawn_or_done_by_name() -> None:
    drawn = {*ENDS, *TROUBLE, *DELIVERY}
    assert set(Trick) - drawn == {Trick.TIME, Trick.DATABASE_START}, "which starts bring"
    assert set(Deed) - {*AT_A_TABLE, *IN_A_LOBBY} == {
        Deed.COMPUTER,
        Deed.REMATCH,
        Deed.STANDING,
        Deed.TWICE,
    }
    assert set(DOING) == {*AT_A_TABLE, *IN_A_LOBBY}


def test_either_the_database_is_copied_or_the_way_to_it_is_disturbed() -> None:
    file, server = replace(SHORT, restores=True), on_postgres(replace(SHORT, restores=True))
    assert file.spared == {*DATABASE, Trick.SHARD}
    assert server.spared == {*COPIES, Trick.SHARD}
    assert "--postgres" in server.command
    assert "--postgres" not in file.command


def test_a_kind_that_did_not_occur_is_named_and_a_failure() -> None:
    tally = Tally(Counter(dict.fromkeys(Trick, 3)), Counter(dict.fromkeys(Deed, 3)))
    requests = Counter(dict.fromkeys(Kind, 3))
    assert tally.missing(requests, SHORT.least) == []
    del requests[Kind.SILENCE]
    tally.tricks[Trick.TOO_LATE] = 2
    del tally.deeds[Deed.VOTE_OUT]
    missing = tally.missing(requests, SHORT.least)
    assert missing == [Kind.SILENCE, Trick.TOO_LATE, Deed.VOTE_OUT]
    assert Summary().wrong == []
    (said,) = Summary(missing=missing).wrong
    assert all(kind in said for kind in missing)


@pytest.mark.parametrize("name", ZERO)
def test_anything_else_than_zero_is_wrong(name: str) -> None:
    summary = Summary()
    setattr(summary, name, 1)
    assert summary.wrong == [f"{name}: 1"]


def test_every_counter_is_explained_on_the_command_line() -> None:
    said = explained()
    for one in fields(Summary):
        assert f"\n  {one.name}: " in said
    assert {
        "lost",
        "doubled",
        "denied",
        "leaked",
        "stuck",
        "orphans",
        "errors",
        "malformed",
        "called",
        "left",
    } == set(ZERO)


def test_seeds_are_named_one_by_one_or_from_to() -> None:
    assert seeds("1-3,7") == [1, 2, 3, 7]


def test_every_tenth_seed_runs_on_postgresql_where_there_is_one() -> None:
    on = [seed for seed in range(1, 41) if "--postgres" in arguments(seed, [], served=True)]
    assert on == [10, 20, 30, 40]
    assert "--postgres" not in arguments(10, [], served=False)
    assert arguments(10, ["--postgres"], served=True).count("--postgres") == 1


def test_a_file_of_runs_is_read_and_summed_up_though_its_last_line_broke_off(
    tmp_path: Path,
) -> None:
    file = tmp_path / "runs.jsonl"
    assert lines(file) == []
    good = {"seed": 1, "status": 0, "kills": 3, "faults": {"drop": 2}, "missing": []}
    bad = {"seed": 2, "status": 1, "kills": 4, "faults": {"drop": 1}, "lost": 1, "missing": ["x"]}
    file.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n{json.dumps(good)[:20]}")
    assert lines(file) == [good, bad]
    assert wrong(good) == []
    assert wrong(bad) == ["lost 1", "missing: x"]
    said = list(summed(file))
    assert said[0] == "2 runs, 1 good"
    assert "kills: 7" in said
    assert "  drop: 3" in said
    assert said[-1] == "WRONG seed 2: lost 1; missing: x"
