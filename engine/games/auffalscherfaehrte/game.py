"""Auf falscher Fährte: its options, and its `GAME`, which puts the parts together.

For three or four, with or without jokers.  What is legal and what follows from it stands in
`rules`, in the order of the rules text; here the parts are put together as a `Game`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from engine import options
from engine.base import BaseGame
from engine.game import (
    CHANCE,
    Event,
    GameInfo,
    Json,
    NotationError,
    Options,
    OptionSpec,
    RoundHead,
    RuleError,
    Seat,
)
from engine.games.auffalscherfaehrte import layout as showing
from engine.games.auffalscherfaehrte import rules
from engine.games.auffalscherfaehrte.cards import (
    DECLINE,
    SUITS,
    TEXTS,
    Hide,
    Move,
    NameTrump,
    codes,
    hand_of,
    lowest,
    pack_of,
    parse_move,
    parse_typed,
    the_card,
)
from engine.games.auffalscherfaehrte.coach import advice
from engine.games.auffalscherfaehrte.rules import refusal
from engine.games.auffalscherfaehrte.state import Action, Deal, Match, State
from engine.games.auffalscherfaehrte.view import View, locate, observe
from engine.notation import card_list, card_lists, is_number

NEXT_LEADER: Final = options.switch("next_leader", "next", "again")
"""Who starts the next round: the seat after this round's starter, or the starter again."""

TRUMP: Final = OptionSpec(
    key="trump",
    parameter=None,
    kind="choice",
    default=lambda _: SUITS[0],
    before=SUITS[0],
    choices=tuple(SUITS),
    at_tables=False,
)
"""The trump of the first round at its start.  Only a round that is played again names it, since it
may have begun with another trump than red."""

INFO: Final = GameInfo(
    id="auffalscherfaehrte",
    rules_version=1,
    seats=(3, 4),
    options=(
        options.length("rounds", lambda seats: 2 * seats),
        OptionSpec(key="jokers", parameter="jokers", kind="bool", default=lambda _: False),
        NEXT_LEADER,
        TRUMP,
    ),
    # Earlier they would tell who hid which card.
    seeds_after="match",
    forced=True,
    hopes=frozenset({"advice_leaning_plus", "advice_wins_so_far"}),
    doubts=frozenset({"advice_others_beat"}),
    news=showing.NEWS,
)


def complete_options(seats: int, given: Options) -> Options:
    """A value for every option, but for a trump that is not named."""
    complete = options.complete_options(INFO, seats, given)
    return {key: value for key, value in complete.items() if key != TRUMP.key or key in given}


class AufFalscherFaehrte(BaseGame[State, Move, Deal, View]):
    """The rules of Auf falscher Fährte as a `Game`.

    >>> state = GAME.initial(4, GAME.complete_options(4, {}))
    >>> state = GAME.apply(state, CHANCE, GAME.deal(state, lambda n: n - 1))
    >>> for seat in state.actors:
    ...     state = GAME.apply(state, seat, GAME.legal_actions(state, seat)[0])
    >>> state.stage, state.actors
    ('play', (0,))
    >>> state = GAME.apply(state, 0, GAME.parse_action("play R2"))
    >>> codes(state.trick), state.actors
    (('R2',), (1,))
    """

    info = INFO
    deal_type = Deal
    complete_options = staticmethod(complete_options)

    # Options and the start.

    def initial(self, seats: int, options: Options) -> State:
        agreed = Match(
            rounds=int(options["rounds"]),
            jokers=bool(options["jokers"]),
            again=options.get("next_leader", NEXT_LEADER.before) == "again",
        )
        trump = SUITS.index(str(options.get(TRUMP.key, TRUMP.before)))
        return rules.before_the_first_deal(seats, agreed, trump)

    def one_round(self, options: Options, state: State) -> Options:
        """The trump at its end is the next round's at the start."""
        return {**options, "rounds": 1, TRUMP.key: SUITS[state.round.trump]}

    def question(self, state: State, seat: Seat) -> int:
        """All are asked at the deal for a card to hide; later each after the action before."""
        if state.stage == "hide":
            return state.plies - (state.seats - len(state.actors))
        return state.plies

    deal = staticmethod(rules.shuffled)

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat == CHANCE or seat not in state.actors:
            return ()
        return rules.moves(state.stage, state.hands[seat], state.trick, state.round.trump)

    refusal = staticmethod(refusal)

    def after(self, state: State, seat: Seat, action: Action) -> State:
        match action:
            case int(card):
                return rules.play(state, seat, card)
            case Hide(card):
                return rules.hide(state, seat, card)
            case NameTrump(suit):
                return rules.name_trump(state, suit)
            case Deal():
                return rules.dealt(state, action)
            case _:
                assert_never(action)

    def round_head(self, state: State) -> RoundHead:
        if not state.round.number:
            return RoundHead(None, None, None)
        opening = SUITS[state.round.opening_trump]
        return RoundHead(state.round.dealer, state.round.starter, opening)

    # What is known and shown.

    observe = staticmethod(observe)
    layout = staticmethod(showing.layout)
    story = staticmethod(showing.story)
    advice = staticmethod(advice)
    cards = staticmethod(locate)

    def events(self, before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
        return tuple(showing.events(before, seat, action, after))

    # Choosing.

    def compose(self, view: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The one card, hidden or played as the stage asks; there are no flags.

        Raises NotationError `no_cards`, `one_card`, `unknown_card` (card); RuleError
        `trump_first` where a colour is asked for.
        """
        card = the_card(cards)
        if view.stage == "trump":
            raise RuleError("trump_first")
        return Hide(card) if view.stage == "hide" else card

    def default_action(self, view: View) -> Move:
        """The trump stays; else the lowest card, jokers last."""
        match view.stage:
            case "trump":
                return DECLINE
            case "hide":
                return Hide(lowest(rules.may_hide(view.hand)))
            case _:
                return lowest(rules.may_play(view.hand, view.trick))

    # Notation.

    move_text = staticmethod(TEXTS.__getitem__)

    def public_action(self, view: View, seat: Seat, action: Action) -> str:
        """`hide ?` for all but whoever hid the card, after it was turned as well."""
        if isinstance(action, Hide) and view.seat != seat:
            return "hide ?"
        return self.format_action(action)

    def parse_action(self, text: str, view: View | None = None) -> Move:
        """Raises NotationError as `parse_move` and, typed, `parse_typed` say."""
        if view is None:
            return parse_move(text)
        return parse_typed(text, hiding=view.stage == "hide")

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """40 cards for three, 52 for four, and a joker for each with the option `jokers`."""
        return codes(pack_of(seats, jokers=bool(options["jokers"])))

    def deal_json(self, deal: Deal) -> Json:
        """`{"hands": [[codes], …], "aside": [codes], "reveal": [seats]}`."""
        return {
            "hands": [list(codes(hand)) for hand in deal.hands],
            "aside": list(codes(deal.aside)),
            "reveal": list(deal.reveal),
        }

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """The dealer of round 1 is read from the head; later it is who started the round before."""
        hands, aside, reveal = _read_deal(data)
        dealer = rules.next_dealer(state.round)
        if dealer is None:
            dealer = head.dealer
        if dealer is None or dealer not in range(state.seats):
            raise NotationError("no_dealer")
        return Deal(hands, aside, reveal, dealer)


def _read_deal(data: Json) -> tuple[tuple[bytes, ...], bytes, tuple[Seat, ...]]:
    """Hands, card left over and order of turning; cards must stand in canonical order.

    Raises NotationError `deal_malformed`.
    """
    hands = [_strict_hand(row) for row in card_lists(data, "hands")]
    aside = _strict_hand(card_list(data, "aside"))
    reveal = data.get("reveal") if isinstance(data, dict) else None
    if not isinstance(reveal, list):
        raise NotationError("deal_malformed")
    order = tuple([seat for seat in reveal if is_number(seat)])
    if len(order) != len(reveal):
        raise NotationError("deal_malformed")
    return tuple(hands), aside, order


def _strict_hand(names: Sequence[str]) -> bytes:
    try:
        hand = hand_of(names)
    except NotationError:
        raise NotationError("deal_malformed") from None
    if list(codes(hand)) != list(names):
        raise NotationError("deal_malformed")
    return hand


GAME: Final = AufFalscherFaehrte()
