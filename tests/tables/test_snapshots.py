"""Snapshots of long matches: a match that is taken up from one is the match that was folded."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple

import pytest

from bot.ids import TableId
from bot.tables import opening, snapshots
from bot.tables.codec import CodecError, decode, encode
from bot.tables.fold import append, fold
from bot.tables.model import Table
from bot.tables.phase import Played
from bot.tables.shuffling import Shuffle, Shuffling
from bot.tables.stored import Entry, Snapshot, Status
from bot.views.building import LOG_LINES, channel_view, hand_view, verify_view
from engine.game import CHANCE, AnyGame
from engine.playout import play_match
from engine.record import opening_to_json
from engine.registry import games
from tests.tables.fakes import ANN, CHANNEL, GUILD, START

SEED = b"\x01" * 32


@cache
def long_match(name: str, length: int = 400) -> tuple[Table, tuple[Entry, ...]]:
    """A table after the first deal of a match, and the first lines of its log."""
    game = games()[name]
    seats = game.info.seats[0]
    lengths = {spec.key: spec.maximum for spec in game.info.options if spec.kind == "int"}
    lengths.pop("hands", None)
    options = game.complete_options(seats, lengths)
    stored = opening.new_table(
        TableId("T1"), guild=GUILD, channel=CHANNEL, host=ANN, game=game, seats=seats,
        given=lengths, private=False, tip=SEED, now=START,
    )  # fmt: skip
    rounds = tuple(Shuffle(SEED.hex(), "1", ("",) * seats) for _ in range(length))
    shuffling = Shuffling(stored.shuffling.chain, rounds)
    stored = replace(
        stored, status=Status.RUNNING, started=START, options=options, shuffling=shuffling
    )
    lines: list[Entry] = []
    state = game.initial(seats, options)
    for ply, (seat, action) in enumerate(play_match(game, seats, options, Random(5))[:length]):
        state = game.apply(state, seat, action)
        text = (
            json.dumps(opening_to_json(game, action, state))
            if seat == CHANCE
            else game.format_action(action)
        )
        lines.append(Entry(ply, seat, text, START, 10**18 + ply))
    return fold(stored, game, lines[:1]), tuple(lines)


def known(played: Played | None) -> Any:
    """What a table that was taken up knows as well as one that was folded."""
    assert played is not None
    told = played.untold + len(played.told), tuple(played.told[-LOG_LINES:])
    return replace(played, told=(), untold=0), told


@pytest.mark.parametrize("name", games())
def test_what_is_taken_up_at_any_ply_is_what_was_folded(name: str) -> None:
    table, log = long_match(name)
    game: AnyGame = table.game
    whole = fold(table.stored, game, log)
    standing = table
    for ply, entry in enumerate(log[1:], start=2):
        standing = append(standing, standing.stored, entry)
        if ply % 7 and ply < len(log):
            continue
        text = snapshots.written(standing)
        taken = snapshots.read(text, table.stored, game)
        assert known(taken) == known(standing.played)
        assert type(taken.state) is type(whole.played.state) if whole.played else False
        if ply % 70 and ply < len(log):
            continue
        resumed = fold(table.stored, game, log[ply:], Snapshot(ply, "", text))
        assert known(resumed.played) == known(whole.played)
        assert (resumed.ply, resumed.phase, resumed.deals) == (whole.ply, whole.phase, whole.deals)
        assert channel_view(resumed) == channel_view(whole)
        hands = [hand_view(one, ANN.id, None) for one in (resumed, whole)]
        hand, anew = [replace(hand, told=()) if hand else None for hand in hands]
        assert hand == anew
        if hands[0] is not None and hands[1] is not None:
            # When Ann answered last is not in a snapshot: all of the latest may be news to her.
            latest = hands[1].told
            assert hands[0].told[len(hands[0].told) - len(latest) :] == latest
        assert verify_view(resumed, 0) == verify_view(whole, 0)


@pytest.mark.parametrize("name", games())
def test_a_snapshot_that_does_not_fit_is_refused_whatever_is_wrong_with_it(name: str) -> None:
    table, log = long_match(name, 120)
    standing = fold(table.stored, table.game, log)
    text = snapshots.written(standing)
    right = json.loads(text)

    def refused(text: str) -> None:
        with pytest.raises(snapshots.SnapshotError) as caught:
            snapshots.read(text, table.stored, table.game)
        assert not caught.value.args, "what was wrong with it could tell cards"

    for key in right:
        wrong: object
        for wrong in (None, -1.5, "x", {}, [[]], True):
            refused(json.dumps({**right, key: wrong}))
        refused(json.dumps({other: value for other, value in right.items() if other != key}))
    state = right["state"]
    refused(json.dumps({**right, "state": [*state, 0]}))
    refused(json.dumps({**right, "state": state[1:]}))
    for at in range(len(state)):
        refused(json.dumps({**right, "state": [*state[:at], {}, *state[at + 1 :]]}))
    for damaged in ("", "[]", "null", "[" * 100_000, text[:-2]):
        refused(damaged)


class Inner(NamedTuple):
    cards: bytes
    word: Literal["a", "b"]


class Outer(NamedTuple):
    numbers: tuple[int, ...]
    pair: tuple[int, bool]
    inner: Inner | None


def test_values_come_back_as_they_were() -> None:
    for value in (
        Outer((1, 2), (3, True), Inner(b"\x00\xff", "a")),
        Outer((), (0, False), None),
    ):
        assert decode(Outer, json.loads(json.dumps(encode(value)))) == value


@pytest.mark.parametrize(
    "data",
    [
        [[1], [3, 1], None], [[1], [3, True]], [[True], [3, True], None], [[1.0], [3, True], None],
        [[1], [3, True], ["zz", "a"]], [[1], [3, True], ["00", "c"]], [1, [3, True], None],
        [[1], [3, True, 3], None], "abc", {}, None,
    ],
)  # fmt: skip
def test_what_is_of_another_type_is_refused(data: object) -> None:
    with pytest.raises(CodecError):
        decode(Outer, data)


def test_what_cannot_be_written_is_refused() -> None:
    for value in (1.5, {1}, [1], object()):
        with pytest.raises(CodecError):
            encode(value)
    with pytest.raises(CodecError):
        decode(float, 1.5)


def test_nothing_of_it_stands_in_its_name() -> None:
    assert "secret" not in repr(Snapshot(256, "ab", "secret"))


def test_one_is_due_every_so_many_plies() -> None:
    every = snapshots.EVERY
    assert [ply for ply in range(1, 4 * every) if snapshots.is_due(ply - 1, ply)] == [
        every, 2 * every, 3 * every,
    ]  # fmt: skip
    assert snapshots.is_due(0, 5 * every)
    assert not snapshots.is_due(every, 2 * every - 1)
