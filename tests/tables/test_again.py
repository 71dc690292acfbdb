"""Playing a deal again: which may be, how it begins, and that it ends with its round."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from bot.ids import MessageId, TableId
from bot.storage import rows
from bot.tables import deals, match, new_tables
from bot.tables.deals import check, match_record, public_deals
from bot.tables.fold import fold
from bot.tables.model import Table
from bot.tables.phase import Closing, Over, Round
from bot.tables.stored import Actor, Person, Status
from engine.record import to_text
from engine.registry import games
from engine.verify import verify
from tests.lengths import length
from tests.tables.fakes import ANN, CHANNEL, DAN, EVE, START, refused
from tests.tables.recorded import running, simulated

GAMES = sorted(games())


@cache
def played(game: str) -> Table:
    """A match of several rounds that goes on, in a later round than its first."""
    for seed in range(100):
        made = simulated(game, tuple(length(game, 3, 20).items()), seed)
        if len(made["rounds"]) > 1:
            stored, log = running(made)
            found = fold(stored, games()[game], log)
            if len(found.rounds) < len(found.deals):
                return found
    raise AssertionError(game)


def ended(game: str) -> Table:
    """The same, stopped: all its deals are open."""
    table = played(game)
    stored = replace(table.stored, status=Status.STOPPED, ended=START)
    return fold(stored, table.game, table.log)


def begun(old: Table, number: int, seat: int, person: Person = EVE) -> Table:
    """Round `number` of `old` again, dealt."""
    repeats = new_tables.repeated(old, number, seat)
    stored = new_tables.dealt_again(
        TableId("AGAIN"), old, repeats, person, CHANNEL, "en", bytes(32), START
    )
    table = fold(stored, old.game, ())
    assert isinstance(table.phase, Closing)
    return match.posted(table, START, 1, MessageId(77))


@pytest.mark.every_case
@pytest.mark.parametrize("game", GAMES)
def test_a_deal_may_be_played_again_as_soon_as_it_is_open_to_all(game: str) -> None:
    table = played(game)
    by_round = table.game.info.seeds_after == "round"
    complete = tuple(range(1, len(table.rounds) + 1))
    assert new_tables.repeatable(table) == (complete if by_round else ())
    assert new_tables.repeatable(ended(game)) == complete
    with refused("deal_secret"):
        new_tables.repeated(table, len(table.deals), 0)  # it is being played
    if not by_round:
        with refused("deal_secret"):
            new_tables.repeated(table, 1, 0)
    with refused("no_such_place", places=len(table.stored.seating.places)):
        new_tables.repeated(ended(game), 1, 9)


@pytest.mark.every_case
@pytest.mark.parametrize("game", GAMES)
def test_it_begins_as_the_round_did_and_ends_with_it(game: str) -> None:
    old = ended(game)
    for number, points in enumerate(old.rounds, 1):
        ply = old.deals[number - 1]
        before = fold(old.stored, old.game, old.log[: ply + 1])
        table = begun(old, number, number % len(points))
        assert table.log[0].text == old.log[ply].text
        assert table.stored.seating.place_of(EVE.id) == number % len(points)
        for seat in range(len(points)):
            assert list(table.legal_texts(seat)) == list(before.legal_texts(seat))
        assert table.game.cards(table._state) == old.game.cards(before._state)
        assert (table.commitment, public_deals(table)) == ("", ())
        with refused("cut_closed"):
            deals.cut(table, EVE.id, "kuckuck")
        for entry in old.log[ply + 1 :]:
            if entry.is_deal:
                break
            assert isinstance(table.phase, Round)
            table = match.answer_for(table, entry.seat, Actor.COMPUTER, entry.text, START)
        assert isinstance(table.phase, Over)
        assert table.stored.status is Status.FINISHED
        assert table.rounds == (points,)
        change, table = match.change(begun(old, number, number % len(points)), table)
        assert change.result is None, "it counts nowhere"
        assert table.stored.outcome is not None
        assert table.stored.outcome.scores == points
        assert check(table) is None
        assert verify(json.loads(to_text(match_record(table))), 1) == []
        row: Any = rows.columns(table.stored)
        assert fold(rows.stored_of(row, ()), table.game, table.log) == table


@pytest.mark.parametrize("game", GAMES)
def test_of_one_that_is_over_the_same_is_dealt_once_more(game: str) -> None:
    table = begun(ended(game), 1, 1)
    assert new_tables.repeatable(table) == ()
    stored = replace(table.stored, status=Status.STOPPED, ended=START + timedelta(hours=1))
    left = fold(stored, table.game, table.log)
    assert new_tables.repeatable(left) == (1,)
    once = begun(left, 1, 0, DAN)
    assert once.stored.again == table.stored.again
    assert once.stored.seating.place_of(DAN.id) == 1
    assert once.log[0].text == table.log[0].text


def test_somebody_plays_from_where_they_sat_or_began() -> None:
    old = ended("sticheln")
    assert new_tables.seat_of(old.stored.seating, ANN.id) == 0
    assert new_tables.seat_of(old.stored.seating, EVE.id) is None
