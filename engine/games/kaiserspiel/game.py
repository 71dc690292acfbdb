"""Kaiserspiel: its options, and its `GAME`, which puts the parts together.

`rules` reads like the rules' text; around it `cards` (ranks, who wins a trick, moves and their
notation), `questions` (what is asked, and what words lead to), `state` (also who knows what of it)
and `layout` (what people see and are told).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import options
from engine.base import BaseGame
from engine.cards import cards_in
from engine.deal import shuffle
from engine.game import (
    Draw,
    GameInfo,
    Json,
    NotationError,
    Options,
    OptionSpec,
    RoundHead,
    RuleError,
    Seat,
)
from engine.games.kaiserspiel import layout, rules, state
from engine.games.kaiserspiel.cards import (
    ACCEPT,
    BANNERS,
    PACK,
    PASS,
    RAISE_1,
    STAY,
    TEXTS,
    Move,
    lowest,
    mask,
    parse_move,
    parse_typed,
)
from engine.games.kaiserspiel.coach import advice
from engine.games.kaiserspiel.questions import ALL_SEATS, SEATS, TEAMS, answers, eldest
from engine.games.kaiserspiel.rules import UNANSWERED, refusal
from engine.games.kaiserspiel.state import Action, Deal, State, View
from engine.notation import card_list

LIMIT: Final = OptionSpec(
    key="limit",
    parameter=None,
    kind="bool",
    default=lambda _: True,
    before=False,
    at_tables=False,
)
"""Nothing lifts the value above what is still needed: else two captains could call without end."""

INFO: Final = GameInfo(
    id="kaiserspiel",
    rules_version=1,
    seats=(SEATS,),
    options=(
        # A short match, and what is played to at the championship.
        options.length("target", lambda _: 41, 150, measures="points", offered=(41, 101)),
        LIMIT,
    ),
    teams=TEAMS,
    seeds_after="match",
    forced=True,
    hopes=frozenset({"advice_beats_open", "advice_partner", "advice_wins_so_far"}),
    news=layout.NEWS,
)


class Kaiserspiel(BaseGame[State, Move, Deal, View]):
    """The rules of Kaiserspiel as a `Game`.

    >>> state = GAME.initial(4, {"target": 41})
    >>> state = GAME.apply(state, -1, GAME.deal(state, lambda n: n - 1))
    >>> (captain,) = GAME.actors(state)
    >>> state = GAME.apply(state, captain, GAME.parse_action("threeup"))
    >>> state = GAME.apply(state, 1 - captain, GAME.parse_action("accept"))
    >>> state.value
    7
    """

    info = INFO
    deal_type = Deal

    # Options and the start.

    def initial(self, seats: int, options: Options) -> State:
        limit = bool(options.get(LIMIT.key, LIMIT.before))
        return rules.before_first_deal(int(options["target"]), limit=limit)

    def one_round(self, options: Options, state: State) -> Options:
        """Of the totals the rules ask only what the team that is behind still needs (`limit`)."""
        return {**options, "target": state.round.target - min(state.round.scores)}

    def question(self, state: State, seat: Seat) -> int:
        """All actions applied so far, but for the discards of others."""
        if state.step != "discard":
            return state.applied
        return state.applied - sum([discards != 0 for discards in state.cards.discards])

    def deal(self, state: State, draw: Draw) -> Deal:
        """The pack as dealt, no Banner at its end (`data/docs/notation.md`, 5 and 6)."""
        pack = shuffle(range(len(PACK)), draw)
        while BANNERS >> pack[-1] & 1:
            at = draw(len(pack))
            pack[-1], pack[at] = pack[at], pack[-1]
        dealer = rules.next_dealer(state.round)
        return Deal(bytes(pack), draw(SEATS) if dealer is None else dealer)

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        question = state.question
        if seat not in question.seats:
            return ()
        kaisers, opens = state.cards.kaisers, state.round.opens
        return answers(question, state.hands[seat], kaisers, opens, len(state.laid))

    refusal = staticmethod(refusal)
    after = staticmethod(rules.after)

    def round_head(self, state: State) -> RoundHead:
        """Eldest starts: is asked first and leads first."""
        if not state.round.number:
            return RoundHead(None, None, None)
        return RoundHead(state.round.dealer, eldest(state.round.dealer), None)

    # What is known and shown.

    observe = staticmethod(state.observe)
    story = staticmethod(layout.story)
    advice = staticmethod(advice)
    events = staticmethod(layout.events)
    layout = staticmethod(layout.layout)
    cards = staticmethod(state.places)

    # Choosing.

    def compose(self, view: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The discard of these two cards.

        Raises NotationError `unknown_card`, `card_twice` (card), `wrong_number_of_cards` (count);
        RuleError `asked_…` where no discard is asked for.
        """
        if view.step != "discard":
            raise RuleError(UNANSWERED[view.step])
        chosen = PACK.mask(cards)
        if len(cards) != 2:
            raise NotationError("wrong_number_of_cards", count=2)
        return Move("discard", chosen)

    def default_action(self, view: View) -> Move:
        """What costs least: a pass, `accept`, `raise 1`, `stay`; else the lowest cards."""
        match view.step:
            case "declare" | "call":
                return PASS
            case "raise" | "raise by 1":
                return RAISE_1
            case "lift":
                return STAY
            case "discard":
                free = view.hand & ~view.all_kaisers
                return Move("discard", _lowest(free, 2))
            case "play":
                return Move("play", _lowest(view.hand, 1))
            case _:
                return ACCEPT

    def standing_action(self, view: View) -> Move | None:
        """A pass where one is asked for a Kaiser or a Spieldrei; offers have to be answered."""
        return PASS if view.asked and view.step in ("declare", "call") else None

    # Notation.

    move_text = staticmethod(TEXTS.__getitem__)

    def public_action(self, view: View, seat: Seat, action: Action) -> str:
        """Others' discards and face-down cards are blank, but for being a declared Kaiser."""
        if isinstance(action, Move) and view.seat != seat:
            if action.verb == "discard":
                return "discard ? ?"
            if action.verb == "down":
                return f"play {'kaiser' if action.cards & view.all_kaisers else '?'} down"
        return self.format_action(action)

    def parse_action(self, text: str, view: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `no_cards`, `unknown_card`, `card_twice` (card), `wrong_number_of_cards` (count).
        """
        return parse_move(text) if view is None else parse_typed(text)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """All 40 cards."""
        return PACK.names

    def deal_json(self, deal: Deal) -> Json:
        """`{"pack": [codes in dealing order, the cut card last]}`."""
        return {"pack": list(PACK.listed(deal.pack))}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """Inverse of `deal_to_json`; only round 1 takes the dealer from the head."""
        try:
            pack = bytes([PACK.index(code) for code in card_list(data, "pack")])
        except NotationError:
            raise NotationError("deal_malformed") from None
        dealer = rules.next_dealer(state.round)
        if dealer is None:
            dealer = head.dealer
        if dealer not in ALL_SEATS:
            raise NotationError("no_dealer")
        return Deal(pack, dealer)


def _lowest(cards: int, count: int) -> int:
    return mask(lowest(tuple(cards_in(cards)), count))


GAME: Final = Kaiserspiel()
