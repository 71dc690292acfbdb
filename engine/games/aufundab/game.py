"""Auf und Ab: its options, and its `GAME`, which puts the parts together.

`rules` follow the printed rules, `cards` says what a set is, `state` which of them a hand can play,
what a match is and what one seat may know of it, `layout` what people see of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import options
from engine.base import BaseGame
from engine.cards import Lying, cards_in
from engine.game import (
    Draw,
    GameInfo,
    Json,
    Located,
    NotationError,
    Options,
    RoundHead,
    RuleError,
    Seat,
)
from engine.games.aufundab import layout as show
from engine.games.aufundab import rules
from engine.games.aufundab import state as states
from engine.games.aufundab.cards import (
    DOUBLE,
    DOUBLES,
    PACK,
    PAIRS,
    PASS,
    Move,
    count_double,
    format_move,
    parse_move,
    parse_typed,
)
from engine.games.aufundab.coach import advice
from engine.games.aufundab.state import UNKNOWN, Deal, Match, Round, State, View, legal_moves
from engine.notation import card_list, card_lists

_HANDS: Final = options.length("hands", lambda seats: seats)
_TARGET: Final = options.length("target", lambda _: 100, 200, parameter="target", measures="points")

INFO: Final = GameInfo(
    id="aufundab",
    rules_version=1,
    seats=(3, 4),
    options=(_HANDS, _TARGET),
    # It tells that one holds nothing better: only where the whole table agreed on it.
    passes="pass",
    hinted="won",
    series=True,
    hopes=frozenset({"advice_comes_back"}),
    news=show.NEWS,
)


def complete_options(seats: int, given: Options) -> Options:
    """`length`, and the one of `hands` and `target` that it names.

    What is left out follows from the other (`{"target": 50}` says what `length` is), else a
    match has a round for every seat.
    """
    options.check_seats(INFO, seats)
    options.check_keys(given, ("length", "hands", "target"))
    if "hands" in given and "target" in given:
        raise NotationError("option_conflict", key="hands", other="target")
    length = given.get("length", "target" if "target" in given else "hands")
    if length not in ("hands", "target"):
        raise NotationError("option_type", key="length")
    spec, other = (_HANDS, _TARGET) if length == "hands" else (_TARGET, _HANDS)
    if other.key in given:
        raise NotationError("option_conflict", key="length", other=other.key)
    return {"length": length, spec.key: options.option_value(spec, seats, given)}


class AufUndAb(BaseGame[State, Move, Deal, View]):
    """The rules of Auf und Ab as a `Game`.

    >>> before = GAME.initial(3, {"hands": 1})
    >>> state = GAME.apply(before, -1, GAME.deal(before, lambda n: n - 1))
    >>> GAME.actors(state), [GAME.format_action(a) for a in GAME.legal_actions(state, 0)][:3]
    ((0,), ['play 0-0', 'play 0-0 0-1', 'play 0-0 0-2'])
    >>> state = GAME.apply(state, 0, GAME.parse_action("play 0-0 0-1"))
    >>> GAME.actors(state), state.number, state.quantity
    ((1,), 0, 2)
    >>> GAME.apply(state, 1, GAME.parse_action("play 2-2"))
    Traceback (most recent call last):
    engine.game.RuleError: wrong_quantity
    """

    info = INFO
    deal_type = Deal
    complete_options = staticmethod(complete_options)

    # Options and the start.

    def initial(self, seats: int, options: Options) -> State:
        hands, target = options.get("hands", 0), options.get("target", 0)
        return State(
            hands=(0,) * seats,
            round=Round(scores=(0,) * seats),
            match=Match(hands=int(hands), target=int(target)),
        )

    # Play.

    def one_round(self, options: Options, state: State) -> Options:
        return complete_options(len(state.hands), {"hands": 1})

    def question(self, state: State, seat: Seat) -> int:
        return state.applied  # whoever is asked is asked anew after every action

    def deal(self, state: State, draw: Draw) -> Deal:
        return rules.deal(len(state.hands), draw)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat != state.actor or seat < 0:
            return ()
        opening = state.round.opening if state.owner == UNKNOWN else UNKNOWN
        return legal_moves(state.hands[seat], state.mode, state.number, state.quantity, opening)

    refusal = staticmethod(rules.refusal)
    after = staticmethod(rules.after)

    def round_head(self, state: State) -> RoundHead:
        """Nobody deals and there is no trump; the lowest double starts."""
        start = state.round.start
        return RoundHead(dealer=None, start=None if start == UNKNOWN else start, trump=None)

    # What is known and shown.

    observe = staticmethod(states.observe)
    layout = staticmethod(show.layout)
    story = staticmethod(show.story)
    advice = staticmethod(advice)
    events = staticmethod(show.events)

    def cards(self, state: State) -> tuple[Located, ...]:
        """Every card with its place.  Cards of earlier series were seen by all when played."""
        if not state.round.number:
            return ()
        aside, pile = state.round.aside, state.pile
        lying: list[Lying] = [
            (cards_in(hand), f"hand {seat}", (seat,)) for seat, hand in enumerate(state.hands)
        ]
        lying += [
            (cards_in(aside), "aside", () if state.round.points is None else None),
            (cards_in(pile), "table", None),
            (cards_in(PACK.all & ~(sum(state.hands) | aside | pile)), "taken", None),
        ]
        return PACK.located(len(state.hands), lying)

    # Choosing.

    def compose(self, view: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The set of these cards; the flag `double_counts_two` matters when leading only.

        Raises NotationError `unknown_card`, `card_twice` (card), `no_cards`; RuleError
        `no_double_to_count` where the flag is set without a double.
        """
        chosen = PACK.mask(cards)
        if not chosen:
            raise NotationError("no_cards")
        if view.following:
            return count_double(Move(chosen), view.quantity)
        if "double_counts_two" not in flags:
            return Move(chosen)
        if not chosen & DOUBLES:
            raise RuleError("no_double_to_count")
        return Move(chosen, chosen & DOUBLES)

    def default_action(self, view: View) -> Move:
        """A pass; the leader plays the lowest card alone (at first the lowest double)."""
        if view.following:
            return PASS
        if view.owner == UNKNOWN:
            return Move(DOUBLE[view.round.opening])
        lowest = min(cards_in(view.hand), key=lambda c: (PAIRS[c][view.mode], c))
        return Move(1 << lowest)

    def standing_action(self, view: View) -> Move | None:
        """A pass where nothing beats the set; whoever has a choice is asked."""
        only = view.asked and tuple(view.legal_actions) == (PASS,)
        return PASS if only else None

    def public_action(self, view: View, seat: Seat, action: Move | Deal) -> str:
        """Every set lies open."""
        return self.format_action(action)

    # Notation.

    move_text = staticmethod(format_move)

    def parse_action(self, text: str, view: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `no_cards`, `unknown_card`, `card_twice`, `not_a_double` (card).
        """
        if view is None:
            return parse_move(text)
        move = parse_typed(text)
        return count_double(move, view.quantity) if view.following else move

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        return PACK.names

    def deal_json(self, deal: Deal) -> Json:
        """`{"hands": [[codes], …], "aside": [codes]}`."""
        hands = [list(PACK.codes(hand)) for hand in deal.hands]
        return {"hands": hands, "aside": list(PACK.codes(deal.aside))}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        rows = (*card_lists(data, "hands"), card_list(data, "aside"))
        *hands, aside = [sum([1 << card for card in PACK.in_order(row)]) for row in rows]
        return Deal(tuple(hands), aside)


GAME: Final = AufUndAb()
