"""Sticheln: its options, and its `GAME`, which puts the parts together.

The game as the house sees it; the rules stand in `rules`, paragraph by paragraph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import options
from engine.base import BaseGame
from engine.game import CHANCE, GameInfo, Json, NotationError, Options, RoundHead, Seat
from engine.games.sticheln import layout as show
from engine.games.sticheln import rules
from engine.games.sticheln import state as states
from engine.games.sticheln.cards import (
    CHOICES,
    CHOOSE,
    NUMBER,
    PACK,
    TEXTS,
    USED,
    Move,
    codes,
    parse_move,
    parse_typed,
)
from engine.games.sticheln.coach import advice
from engine.games.sticheln.state import UNKNOWN, Action, Deal, State, View
from engine.notation import card_list, card_lists

ZEROS: Final = options.switch("zeros", "aside", "leader")
"""Who takes a trick of nothing but zeros: nobody, or the seat that led it."""

INFO: Final = GameInfo(
    id="sticheln",
    rules_version=1,
    seats=(3, 4, 5, 6),
    options=(options.length("rounds", lambda seats: seats), ZEROS),
    seeds_after="round",
    forced=True,
    hopes=frozenset({"advice_wins_so_far"}),
    doubts=frozenset({"advice_others_beat"}),
    news=show.NEWS,
)


class Sticheln(BaseGame[State, Move, Deal, View]):
    """Sticheln as a `Game`.

    >>> dealt = GAME.apply(before := GAME.initial(3, {"rounds": 1}), CHANCE,
    ...     GAME.deal(before, lambda n: 0))
    >>> GAME.actors(GAME.apply(dealt, 1, GAME.legal_actions(dealt, 1)[0]))
    (0, 2)
    """

    info = INFO
    deal_type = Deal

    # Rules.

    def initial(self, seats: int, options: Options) -> State:
        taken = options.get("zeros", ZEROS.before) == "leader"
        return rules.before_the_first_deal(seats, int(options["rounds"]), zeros_taken=taken)

    def one_round(self, options: Options, state: State) -> Options:
        return {**options, "rounds": 1}

    def question(self, state: State, seat: Seat) -> int:
        """Actions applied before the choice of all, or before the turn of this seat."""
        return state.tricks.applied + len(state.trick)

    deal = staticmethod(rules.deal)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """While all choose, any card of the hand may be chosen; later any may be played."""
        if seat == CHANCE or seat not in state.actors:
            return ()
        hand = state.hands[seat]
        return hand if state.stage == "play" else hand.translate(CHOICES)

    refusal = staticmethod(rules.refusal)

    def after(self, state: State, seat: Seat, action: Action) -> State:
        if isinstance(action, Deal):
            return rules.dealt(state, action)
        if action >= CHOOSE:
            return rules.chosen(state, seat, action - CHOOSE)
        return rules.played(state, seat, action)

    def round_head(self, state: State) -> RoundHead:
        """Nobody deals and there is no trump; the start moves on by one seat a round."""
        start = state.round.start
        return RoundHead(None, None if start == UNKNOWN else start, None)

    # Knowledge.

    observe = staticmethod(states.observe)
    events = staticmethod(show.events)
    cards = staticmethod(states.located)

    def public_action(self, view: View, seat: Seat, action: Action) -> str:
        """`choose ?` for all but the chooser until everybody has chosen."""
        text = self.format_action(action)
        if view.choosing and seat != view.seat:
            return "choose ?"
        return text

    # Notation.

    move_text = staticmethod(TEXTS.__getitem__)

    def parse_action(self, text: str, view: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `one_card`, `unknown_card` (card).
        """
        if view is None:
            return parse_move(text)
        return parse_typed(text, choosing=view.choosing)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """15 cards for each seat: fewer numbers with three and four, a sixth suit with six."""
        return codes(USED[seats])

    def deal_json(self, deal: Deal) -> Json:
        """`{"hands": [[codes], …], "aside": []}`: none is left."""
        return {"hands": [list(codes(hand)) for hand in deal.hands], "aside": []}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """Inverse of `deal_to_json`; the first leader of a match stands in the round's head.

        Raises NotationError `deal_malformed`, `no_start`.
        """
        hands = tuple([bytes(PACK.in_order(row)) for row in card_lists(data, "hands")])
        if card_list(data, "aside"):
            raise NotationError("deal_malformed")
        start = rules.next_start(state)
        if start == UNKNOWN:
            if head.start is None or head.start not in range(len(state.hands)):
                raise NotationError("no_start")
            start = head.start
        return Deal(hands, start)

    # Interface.

    layout = staticmethod(show.layout)
    story = staticmethod(show.story)
    advice = staticmethod(advice)

    def compose(self, view: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The one card, chosen or played as the situation has it.

        Raises NotationError `unknown_card`, `card_twice` (card), `one_card`.
        """
        PACK.mask(cards)
        if len(cards) != 1:
            raise NotationError("one_card")
        return view.move(PACK.index(cards[0]))

    def default_action(self, view: View) -> Move:
        """The lowest number, first in canonical order among equals: chosen, or played."""
        return view.move(min(view.hand, key=lambda card: (NUMBER[card], card)))


GAME: Final = Sticheln()
