"""What Kaiserspiel tells nobody: who holds a Banner, what was discarded, what lies face down.

Two deals that differ only in a secret are played alike; nobody else may see a difference.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine.game import CHANCE, Event, RoundHead
from tests.engine.kaiserspiel_script import (
    GAME,
    MORE,
    PAUSE_1,
    PAUSE_2,
    PAUSE_3,
    PAUSES,
    PLAIN,
    asked,
    deal,
    hand,
    known,
    legal,
    pack,
    ready,
    run,
    slots,
    start,
    trick_played,
)

VIEWERS: Final = (0, 1, 2, 3, None)


def told(events: tuple[Event, ...], viewer: int | None) -> list[Event]:
    """What a viewer hears of these events."""
    return [
        event
        for event in events
        if event.audience is None or (viewer is not None and viewer in event.audience)
    ]


def same_for_others(one: Any, other: Any, owner: int) -> None:
    """Nobody but `owner` sees or may do anything else in the one state than in the other."""
    assert GAME.actors(one) == GAME.actors(other)
    assert GAME.round_scores(one) == GAME.round_scores(other)
    for viewer in VIEWERS:
        if viewer == owner:
            continue
        views = GAME.observe(one, viewer), GAME.observe(other, viewer)
        assert views[0] == views[1], viewer
        assert GAME.layout(views[0]) == GAME.layout(views[1]), viewer
        assert views[0].legal_actions == views[1].legal_actions
        assert known(one, viewer) == known(other, viewer)
    for seat in GAME.actors(one):
        if seat != CHANCE:
            assert GAME.question(one, seat) == GAME.question(other, seat)


class Twins:
    """Two matches that differ in a secret of one seat, played side by side."""

    def __init__(self, one: Any, other: Any, owner: int) -> None:
        self.one, self.other, self.owner = one, other, owner
        same_for_others(one, other, owner)

    def act(self, seat: int, text: str, instead: str | None = None) -> None:
        """`text` on both sides, or `instead` on the other; nobody else hears a difference."""
        heard = []
        after = []
        for before, done in ((self.one, text), (self.other, instead or text)):
            action = GAME.parse_action(done)
            state = GAME.apply(before, seat, action)
            events = GAME.events(before, seat, action, state)
            heard.append((
                [told(events, viewer) for viewer in VIEWERS if viewer != self.owner],
                [
                    GAME.public_action(GAME.observe(state, viewer), seat, action)
                    for viewer in VIEWERS
                    if viewer != self.owner
                ],
            ))  # fmt: skip
            after.append(state)
        assert heard[0] == heard[1], (text, instead)
        self.one, self.other = after
        same_for_others(self.one, self.other, self.owner)

    def run(self, script: str) -> None:
        for line in script.split(", "):
            seat, text = line.split(" ", 1)
            self.act(int(seat), text)


def dealt_events(codes: list[str]) -> tuple[Any, tuple[Event, ...]]:
    before = start()
    action = GAME.deal_from_json(before, {"pack": codes}, RoundHead(3, 0, None))
    state = GAME.apply(before, CHANCE, action)
    return state, GAME.events(before, CHANCE, action, state)


def twins(seat: int, place: int, banner: str = "AB") -> Twins:
    """Deals that differ in one card of `seat`: a Banner, or a card that nobody else gets."""
    codes = pack()
    at, instead = slots(3, seat)[place], list(codes)
    where = codes.index(banner)
    assert where >= 28
    instead[at], instead[where] = instead[where], instead[at]
    (one, events), (other, others) = dealt_events(codes), dealt_events(instead)
    for viewer in VIEWERS:
        assert told(events, viewer) == told(others, viewer)
    return Twins(one, other, seat)


@pytest.mark.parametrize("place", [1, 2, 3, 6])
@pytest.mark.parametrize("seat", range(4))
def test_nothing_tells_whether_the_asked_seat_holds_a_banner(seat: int, place: int) -> None:
    """At pauses 3 and 4, at the discards and at More Kaisers, and in the tricks after it."""
    pair = twins(seat, place)
    offered = set()
    for script in PAUSES:
        for line in script.split(", "):
            if GAME.actors(pair.other) == (seat,):
                offered |= legal(pair.other, seat) - legal(pair.one, seat)
            pair.run(line)
    assert offered == ({"kaiser AB"} if place <= 2 else set())
    for each in range(4):
        kept = hand(pair.one, each) & hand(pair.other, each)
        pair.act(each, min(text for text in legal(pair.one, each) if set(text.split()[1:]) <= kept))
    for each in range(4):
        assert asked(pair.one) == (each, {"pass"})
        assert asked(pair.other) == (each, {"kaiser AB", "pass"} if each == seat else {"pass"})
        pair.act(each, "pass")
    for _ in range(8):
        (each,) = GAME.actors(pair.one)
        pair.act(each, min(legal(pair.one, each) & legal(pair.other, each)))


@pytest.mark.parametrize("seat", range(4))
def test_nobody_learns_what_was_discarded(seat: int) -> None:
    pair = twins(seat, 4)
    for script in PAUSES:
        pair.run(script)
    (secret,) = hand(pair.one, seat) - hand(pair.other, seat)
    with_secret = next(text for text in legal(pair.one, seat) if secret in text.split())
    second = next(card for card in with_secret.split()[1:] if card != secret)
    banner = next(t for t in legal(pair.other, seat) if {"AB", second} == set(t.split()[1:]))
    pair.act(seat, with_secret, banner)
    for each in GAME.actors(pair.one):
        pair.act(each, min(legal(pair.one, each)))
    pair.run(MORE)
    while GAME.round_scores(pair.one) is None:
        (each,) = GAME.actors(pair.one)
        pair.act(each, min(legal(pair.one, each)))
    for viewer in VIEWERS:
        discard = GAME.parse_action(with_secret)
        shown = GAME.public_action(GAME.observe(pair.one, viewer), seat, discard)
        if viewer != seat:
            assert shown == "discard ? ?"


@pytest.mark.parametrize("seat", range(4))
def test_nobody_learns_whether_an_open_card_was_discarded(seat: int) -> None:
    state = run(deal(), *PAUSES)
    opened = PLAIN.split()[seat]
    with_it = [text for text in sorted(legal(state, seat)) if opened in text]
    without = [text for text in sorted(legal(state, seat)) if opened not in text]
    pair = Twins(state, state, seat)
    pair.act(seat, with_it[0], without[0])
    for each in GAME.actors(pair.one):
        pair.act(each, min(legal(pair.one, each)))
    pair.run(MORE)


def test_what_lies_face_down_is_not_told() -> None:
    kept = {0: "AO", 1: "AK S2", 2: "A2", 3: "A3"}
    state = trick_played(ready("R", kept), "AO")
    pair = Twins(state, state, 1)
    pair.act(1, "play AK down", "play S2 down")
    for text in ("play AK down", "play S2 down"):
        for viewer in VIEWERS:
            view = GAME.observe(pair.one, viewer)
            shown = GAME.public_action(view, 1, GAME.parse_action(text))
            assert shown == (text if viewer == 1 else "play ? down")
    pair.run("2 play A2, 3 play A3")
    assert GAME.actors(pair.one) == (0,)
    for code in ("AK", "S2"):
        for viewer in (0, 2, 3, None):
            assert code not in known(pair.one, viewer)
            assert code not in known(pair.other, viewer)
    assert {"AK", "S2"} <= known(pair.one, 1)


def test_a_kaiser_face_down_is_announced_not_which_one() -> None:
    kept = {0: "AO", 1: "AB SB S2", 2: "A2", 3: "A3"}
    state = trick_played(ready("R", kept, kaisers=("AB", "SB")), "AO")
    pair = Twins(state, state, 1)
    pair.act(1, "play AB down", "play SB down")
    for viewer in VIEWERS:
        view = GAME.observe(pair.one, viewer)
        shown = GAME.public_action(view, 1, GAME.parse_action("play AB down"))
        assert shown == ("play AB down" if viewer == 1 else "play kaiser down")
    pair.run("2 play A2, 3 play A3")
    plain = run(state, "1 play S2 down")
    assert GAME.observe(plain, None) != GAME.observe(run(state, "1 play AB down"), None)
    assert GAME.public_action(GAME.observe(plain, 0), 1, GAME.parse_action("play S2 down")) == (
        "play ? down"
    )


def test_declared_kaisers_are_traced_until_it_is_not_clear_which_lay_face_down() -> None:
    kept = {0: "AO AK AU", 1: "AB SB S2", 2: "A2 B2 B3", 3: "A3 S5 S6"}
    state = trick_played(ready("R", kept, kaisers=("AB", "SB")), "AO (S2) A2 A3 AK")
    kaisers = {"AB", "SB"}
    for viewer in (0, 2, 3, None):
        assert known(state, viewer) & {"S2", *kaisers} == kaisers
    state = trick_played(state, "(AB) B2 S5 AU")
    for viewer in (0, 2, 3, None):
        assert not known(state, viewer) & kaisers
    assert kaisers <= known(state, 1)
    state = trick_played(state, "(SB)")
    for viewer in (0, 2, 3, None):
        assert kaisers <= known(state, viewer)


def test_which_kaiser_lay_face_down_stays_secret_when_the_round_is_over() -> None:
    kept = {0: "AO AK AU A7 A6", 1: "AB SB S2 S3 S4", 2: "A2 B2 B3 B4 B5", 3: "A3 S5 S6 S7 B6"}
    state = ready("R", kept, kaisers=("AB", "SB"))
    state = trick_played(state, "AO (AB) A2 A3 AK (S2) B2 S5 AU (S3) B3 S6")
    assert GAME.round_scores(state) is not None
    for viewer in (0, 2, 3, None):
        view = GAME.observe(state, viewer)
        shown = GAME.public_action(view, 1, GAME.parse_action("play AB down"))
        assert shown == "play kaiser down"
        assert not {"S2", "S3"} & known(state, viewer)


def test_the_owner_sees_its_discards_and_all_see_declared_kaisers() -> None:
    state = run(deal(PLAIN, {1: "SB S2"}), PAUSE_1, PAUSE_2, "0 pass")
    assert "SB" not in known(state, None)
    state = run(state, "1 kaiser SB")
    for viewer in VIEWERS:
        assert "SB" in known(state, viewer)
    state = run(state, "1 raise 3, 0 accept", *PAUSE_3.split(", ")[1:], PAUSES[3])
    pair = next(text for text in legal(state, 1) if "S2" in text)
    state = run(state, f"1 {pair}")
    assert set(pair.split()[1:]) <= known(state, 1)


# --- What is told ---------------------------------------------------------------------------------
