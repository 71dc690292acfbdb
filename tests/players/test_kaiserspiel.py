"""Kaiserspiel's twin plays as the game does, and its worlds fit what a seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from engine.cards import cards_in
from engine.game import CHANCE, Seat
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import BANNERS, PACK, Move, mask, winner
from engine.games.kaiserspiel.state import Deal, RoundCards, State, View
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kaiserspiel import kit, twin
from engine.players.kaiserspiel.kit import KIT, play_out
from engine.players.kaiserspiel.policy import choose
from engine.players.kaiserspiel.worlds import draw_world
from engine.players.kit import FLAT, GUIDED


class Ply(NamedTuple):
    """A seat that is to act, what the twin makes of it, and what it does."""

    state: State
    seat: Seat
    flat: Ints
    action: Move
    after: State


def plies(seed: int, *, limit: bool, greedy: bool) -> Iterator[Ply]:
    """A match of random actions, or by the rules of thumb; seldom is a round given up."""
    rng = Random(seed)
    r = chance_of(rng)
    state = GAME.initial(4, {"target": 41, "limit": limit})
    while GAME.actors(state):
        if GAME.actors(state) == (CHANCE,):
            state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
            continue
        seat = rng.choice(GAME.actors(state))
        s = kit.flatten(state)
        s[twin.ACTOR] = seat
        action = rng.choice(GAME.legal_actions(state, seat))
        if action.verb == "resign" and rng.random() < 0.7:
            action = GAME.legal_actions(state, seat)[0]
        if greedy and rng.random() < 0.9:
            action = kit.ACTIONS[choose(s, seat, r)]
        after = GAME.apply(state, seat, action)
        yield Ply(state, seat, s, action, after)
        state = after


def moves_of(s: Ints) -> list[int]:
    room = ints(twin.MOVES)
    return [int(move) for move in room[: twin.legal(s, room)]]


def alongside(seed: int) -> int:
    """Plies of a match in which the twin and the game are the same."""
    played = 0
    for ply in plies(seed, limit=bool(seed & 1), greedy=bool(seed & 2)):
        actions = GAME.legal_actions(ply.state, ply.seat)
        assert sorted(moves_of(ply.flat)) == sorted(map(kit.move_of, actions))
        twin.play(ply.flat, kit.move_of(ply.action))
        assert list(ply.flat) == list(kit.flatten(ply.after))
        if ply.after.step == "over":
            points = [ply.flat[twin.POINTS + seat % 2] for seat in range(4)]
            assert tuple(points) == GAME.round_scores(ply.after)
        played += 1
    return played


@pytest.mark.parametrize("seed", range(24))
def test_the_twin_goes_along_ply_by_ply(seed: int) -> None:
    assert alongside(seed) > 10


@pytest.mark.parametrize("dealer", range(4))
def test_four_open_banners_end_the_round_in_the_twin_too(dealer: int) -> None:
    state = GAME.initial(4, {"target": 41})
    banners = [*cards_in(BANNERS)]
    pack = banners + [card for card in range(40) if card not in banners]
    state = GAME.apply(state, CHANCE, Deal(bytes(pack), dealer))
    s = kit.flatten(state)
    while state.step != "over":
        (seat,) = GAME.actors(state)
        action = next(a for a in GAME.legal_actions(state, seat) if a.verb != "threeup")
        state = GAME.apply(state, seat, action)
        twin.play(s, kit.move_of(action))
        assert list(s) == list(kit.flatten(state))
    assert state.round.void
    assert s[twin.STEP] == twin.OVER
    assert (s[twin.POINTS], s[twin.POINTS + 1]) == (0, 0)


def test_every_action_has_a_number_of_its_own() -> None:
    assert len(kit.ACTIONS) == 8 + 3 * 40 + 40 * 39 // 2
    assert all(kit.move_of(action) == move for move, action in kit.ACTIONS.items())


def test_a_random_move_is_any_move_but_for_the_brake() -> None:
    state = GAME.initial(4, {"target": 1000, "limit": False})
    pack = [card for card in range(40) if not BANNERS >> card & 1] + [*cards_in(BANNERS)]
    pack[-1], pack[0] = pack[0], pack[-1]  # the cut card is no Banner
    pack[0], pack[10] = pack[10], pack[0]
    state = GAME.apply(state, CHANCE, Deal(bytes(pack), 0))
    s, r, room = kit.flatten(state), chance_of(Random(1)), ints(twin.MOVES)
    assert s[twin.STEP] == twin.CALL
    found = [twin.random_move(s, room, r) for _ in range(200)]
    assert 70 < found.count(twin.THREEUP) < 130
    s[twin.VALUE] = twin.BRAKE
    assert {twin.random_move(s, room, r) for _ in range(50)} == {twin.PASS}


@pytest.mark.parametrize("way", [FLAT, GUIDED])
def test_every_round_ends_although_nothing_bounds_its_value(way: int) -> None:
    rng = Random(3)
    for _ in range(150):
        state = GAME.initial(4, {"target": 1000, "limit": False})
        state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
        s = kit.flatten(state)
        play_out(s, way, ints(twin.DECK), chance_of(rng))
        assert s[twin.STEP] == twin.OVER
        assert s[twin.VALUE] <= twin.BRAKE + 3 + 4 * 3


# What a seat knows, and worlds.


def whole(view: View, s: Ints) -> State:
    """The game's state of a twin's state that stands for this view."""
    at = [int(number) for number in s]
    hands, discards = at[twin.HANDS :][:4], at[twin.DISCARDS :][:4]
    cards = RoundCards(
        bytes(at[twin.STOCK + at[twin.STOCK_AT] : twin.SIZE]),
        tuple(at[twin.KAISERS :][:4]),
        tuple(discards),
        view.tricks.leaders,
    )
    laid = bytes(at[twin.LAID :][: at[twin.LAID_COUNT]])
    return State(view.question, view.applied, view.value, view.round, cards, tuple(hands), laid)


@pytest.mark.parametrize("seed", range(24))
def test_a_world_looks_the_same_to_the_seat(seed: int) -> None:
    r, s, room = chance_of(Random(seed)), ints(twin.SIZE), ints(twin.DECK)
    for ply in plies(seed, limit=bool(seed & 1), greedy=bool(seed & 2)):
        view = GAME.observe(ply.state, ply.seat)
        draw_world(kit.known_to(view), s, room, r)
        state = whole(view, s)
        assert GAME.observe(state, ply.seat) == view
        dealt = [*state.hands, *state.cards.discards, mask(state.cards.stock), mask(state.laid)]
        assert sum(dealt) == PACK.all & ~(1 << view.round.cut), "every card is somewhere, once"
        expected = kit.flatten(state)
        expected[twin.ACTOR] = ply.seat
        assert list(s) == list(expected)


def test_every_hidden_card_may_be_anywhere() -> None:
    ply = next(ply for ply in plies(1, limit=True, greedy=True) if ply.state.step == "play")
    view = GAME.observe(ply.state, ply.seat)
    r, s, room = chance_of(Random(5)), ints(twin.SIZE), ints(twin.DECK)
    held, thrown, stock = [0] * 4, [0] * 4, 0
    for _ in range(1500):
        draw_world(kit.known_to(view), s, room, r)
        for seat in range(4):
            held[seat] |= s[twin.HANDS + seat]
            thrown[seat] |= s[twin.DISCARDS + seat]
        stock |= mask(int(card) for card in s[twin.STOCK + s[twin.STOCK_AT] : twin.SIZE])
    opens = mask(view.round.opens)
    hidden = PACK.all & ~(view.hand | view.discards | opens | view.all_kaisers)
    hidden &= ~(1 << view.round.cut)
    assert stock == hidden
    for seat in range(4):
        if seat != ply.seat:
            assert (held[seat] | thrown[seat]) & hidden == hidden
            assert not held[seat] & ~hidden & ~opens & ~view.kaisers[seat]
    assert (held[0] | held[1] | held[2] | held[3]) & hidden == hidden
    assert (thrown[0] | thrown[1] | thrown[2] | thrown[3]) & hidden == hidden


def test_who_has_passed_has_no_banner_as_a_rule() -> None:
    ply = next(ply for ply in plies(1, limit=True, greedy=True) if ply.state.step == "play")
    view = GAME.observe(ply.state, ply.seat)
    r, s, room = chance_of(Random(5)), ints(twin.SIZE), ints(twin.DECK)
    hidden = BANNERS & ~(view.hand | view.discards | mask(view.round.opens) | view.all_kaisers)
    assert hidden, "or there is nothing to be seen here"
    kept = 0
    for _ in range(1000):
        draw_world(kit.known_to(view), s, room, r)
        owned = [s[twin.HANDS + seat] | s[twin.DISCARDS + seat] for seat in range(4)]
        kept += bool(sum(owned) & hidden & ~view.hand & ~view.discards)
    assert 0 < kept < 150


@pytest.mark.parametrize("seed", range(8))
def test_what_is_not_looked_at_is_no_better_than_what_is(seed: int) -> None:
    """A card face down that would not win face up either; and a discard of the best."""
    left_out = {"down": 0, "discard": 0}
    for ply in plies(seed, limit=True, greedy=bool(seed & 1)):
        view = GAME.observe(ply.state, ply.seat)
        asked = KIT.question(view)
        assert set(asked.actions) <= set(view.legal_actions)
        assert 0 < len(asked.moves) <= 10
        for action in set(view.legal_actions) - set(asked.actions):
            left_out[action.verb] += 1
            if action.verb == "down":
                trick = [view.tricks.laid[place] for place in view.trick]
                trick.append(*cards_in(action.cards))
                won = winner(trick, view.round.special, view.all_kaisers)
                assert won < len(trick) - 1
    assert all(left_out.values())
