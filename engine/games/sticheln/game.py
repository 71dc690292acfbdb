"""Sticheln (Klaus Palesch): tricks with a colour that nobody wants, for three to six.

The rules only.  What cards are worth stands in `cards`, what a state is in
`state`, what people see of it in `layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engine.deal import shuffle
from engine.game import (
    CHANCE,
    Draw,
    Event,
    Json,
    Located,
    NotationError,
    Options,
    Outcome,
    RoundHead,
    RuleError,
    Seat,
    competition_ranking,
)
from engine.games.sticheln import layout as show
from engine.games.sticheln import state as states
from engine.games.sticheln.cards import (
    CHOICES,
    CHOOSE,
    HAND,
    HIGHEST,
    NUMBER,
    PACK,
    SINGLE,
    STRENGTH,
    SUIT,
    TRICKS,
    USED,
    Move,
    codes,
    format_move,
    in_order,
    parse_move,
    parse_typed,
    points,
)
from engine.games.sticheln.options import INFO, check_seats, complete_options
from engine.games.sticheln.state import (
    DEAL_DUE,
    LEAD,
    NOBODY,
    OVER,
    UNKNOWN,
    Action,
    Deal,
    Past,
    Round,
    State,
    Tricks,
    Turn,
    View,
)
from engine.layout import Layout
from engine.notation import card_list, card_lists

_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""


class Sticheln:
    """The rules of Sticheln as a `Game`."""

    info: Final = INFO

    # Options and the start.

    def complete_options(self, seats: int, given: Options) -> Options:
        """`rounds`; see `Game`."""
        return complete_options(seats, given)

    def initial(self, seats: int, options: Options) -> State:
        """Before the first deal."""
        check_seats(seats)
        nothing = (b"",) * seats
        unknown = (UNKNOWN,) * seats
        return State(
            turn=DEAL_DUE,
            hands=nothing,
            trick=b"",
            tricks=Tricks(0, UNKNOWN, nothing, b"", None, 0),
            round=Round(0, int(options["rounds"]), UNKNOWN, unknown, (0,) * seats, None),
        )

    def actors(self, state: State) -> tuple[Seat, ...]:
        """All who have not chosen yet, or the one whose turn it is."""
        return state[0][0]

    def question(self, state: State, seat: Seat) -> int:
        """Actions applied before the choice of all, or before the turn of this seat."""
        return state.tricks.applied + len(state.trick)

    def deal(self, state: State, draw: Draw) -> Deal:
        """15 cards each; the match's first leader is drawn (`data/docs/notation.md`, 5 and 6)."""
        seats = len(state.hands)
        pack = shuffle(USED[seats], draw)
        hands = [in_order(pack[seat * HAND : (seat + 1) * HAND]) for seat in range(seats)]
        start = _next_start(state)
        return Deal(tuple(hands), draw(seats) if start == UNKNOWN else start)

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """All legal actions, each once; () for a seat that is not to act (and for CHANCE)."""
        # Fields by their place, which is faster than by name: turn, hands; actors, seat.
        turn = state[0]
        if seat == turn[1]:
            return state[1][seat]
        if seat in turn[0] and seat != CHANCE:
            return state[1][seat].translate(CHOICES)
        return ()

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Whether `apply` would accept."""
        return self._refusal(state, seat, action) is None

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        """The state afterwards.

        Raises RuleError: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat),
        `not_an_action`, `bad_deal`, `wrong_start` (seat), `no_such_card` (cards, highest),
        `not_in_hand` (cards), `choose_first`, `chosen_already`.
        """
        turn, hands, trick, tricks, round_ = state
        # A play once more as `_refusal` has it, but only whether: this is the inner loop of every
        # search.  A property test holds the two together.
        if (
            seat == turn[1]
            and type(action) is int
            and 0 <= action < CHOOSE
            and action in hands[seat]
        ):
            trick += SINGLE[action]
            turn_after = turn[2]
            if turn_after is None:
                return self._complete(hands, trick, tricks, round_)
            return _new(State, (turn_after, hands, trick, tricks, round_))
        refused = self._refusal(state, seat, action)
        if refused is not None:
            raise refused
        if isinstance(action, Deal):
            return self._dealt(state, action)
        return self._chosen(state, seat, action - CHOOSE)

    def _dealt(self, state: State, deal: Deal) -> State:
        """The first state of a round: all are to choose."""
        seats, before = len(state.hands), state.round
        nothing = (b"",) * seats
        return State(
            turn=Turn(tuple(range(seats)), NOBODY, None),
            hands=deal.hands,
            trick=b"",
            tricks=Tricks(0, deal.start, nothing, b"", None, state.tricks.applied + 1),
            round=Round(
                before.number + 1,
                before.rounds,
                deal.start,
                (UNKNOWN,) * seats,
                before.scores,
                None,
            ),
        )

    def _chosen(self, state: State, seat: Seat, card: int) -> State:
        """A card laid aside for its colour; the last one opens them all."""
        turn, hands, trick, tricks, round_ = state
        rest, chosen = list(hands), list(round_.chosen)
        rest[seat] = rest[seat].replace(SINGLE[card], b"")
        chosen[seat] = card
        number, rounds, start, _, scores, completed = round_
        round_ = _new(Round, (number, rounds, start, tuple(chosen), scores, completed))
        actors = turn.actors
        if len(actors) > 1:
            place = actors.index(seat)
            turn = _new(Turn, (actors[:place] + actors[place + 1 :], NOBODY, None))
        else:
            turn = LEAD[len(hands)][start]
            tricks = tricks._replace(applied=tricks.applied + len(hands))
        return _new(State, (turn, tuple(rest), trick, tricks, round_))

    def _complete(
        self, hands: tuple[bytes, ...], trick: bytes, before: Tricks, round_: Round
    ) -> State:
        """The state after the last card of a trick."""
        number, leader, taken, aside, _, applied = before
        hands = tuple([hand.translate(None, trick) for hand in hands])
        seats = len(hands)
        strengths = trick.translate(STRENGTH[SUIT[trick[0]]])
        strongest = max(strengths)
        if strongest:
            winner = (leader + strengths.index(strongest)) % seats
            last = _new(Past, (leader, trick, winner))
            leader = winner
            piles = list(taken)
            piles[winner] += trick
            taken = tuple(piles)
        else:
            last = _new(Past, (leader, trick, UNKNOWN))
            aside += trick
        tricks = _new(Tricks, (number + 1, leader, taken, aside, last, applied + seats))
        if number + 1 < TRICKS:
            return _new(State, (LEAD[seats][leader], hands, b"", tricks, round_))
        completed = tuple(map(points, taken, round_.chosen))
        scores = tuple([a + b for a, b in zip(round_.scores, completed, strict=True)])
        round_ = round_._replace(scores=scores, points=completed)
        turn = DEAL_DUE if round_.number < round_.rounds else OVER
        return _new(State, (turn, hands, b"", tricks, round_))

    def _refusal(self, state: State, seat: Seat, action: Action) -> RuleError | None:
        """What is wrong with an action; None if it is legal."""
        actors, player, _ = state.turn
        if not actors:
            return RuleError("match_over")
        if CHANCE in actors:
            return self._deal_refusal(state, action) if seat == CHANCE else RuleError("deal_due")
        if seat == CHANCE:
            return RuleError("no_deal_due")
        choosing = player == NOBODY
        if seat not in actors:
            if choosing:
                return RuleError("chosen_already")
            return RuleError("not_your_turn", seat=player)
        if type(action) is not int or not _is_move(action):
            return RuleError("not_an_action")
        card, seats = action % CHOOSE, len(state.hands)
        if (card != action) == choosing and card in state.hands[seat]:
            return None
        if card not in USED[seats]:
            return RuleError("no_such_card", cards=codes(SINGLE[card]), highest=HIGHEST[seats])
        if (card != action) != choosing:
            return RuleError("choose_first" if choosing else "chosen_already")
        return RuleError("not_in_hand", cards=codes(SINGLE[card]))

    def _deal_refusal(self, state: State, action: Action) -> RuleError | None:
        """Whether these are full hands of the whole pack, and the right seat leads."""
        seats = len(state.hands)
        if not isinstance(action, Deal) or not _is_deal(action, seats):
            return RuleError("bad_deal")
        start = _next_start(state)
        if start not in (UNKNOWN, action.start):
            return RuleError("wrong_start", seat=start)
        return None

    # Results.

    def outcome(self, state: State) -> Outcome | None:
        """Highest total wins; equal totals share the place."""
        if state.turn != OVER:
            return None
        scores = state.round.scores
        return Outcome(scores, competition_ranking(scores))

    def scores(self, state: State) -> tuple[int, ...]:
        """Totals of the completed rounds, by seat."""
        return state.round.scores

    def round_scores(self, state: State) -> tuple[int, ...] | None:
        """Points of the round just completed; None before the first deal and during a round."""
        return state.round.points

    def round_head(self, state: State) -> RoundHead:
        """Nobody deals and there is no trump; the start moves on by one seat a round."""
        start = state.round.start
        return RoundHead(None, None if start == UNKNOWN else start, None)

    # What is known and shown.

    def observe(self, state: State, seat: Seat | None) -> View:
        """What `seat` (None: a spectator) may know of the state."""
        return states.observe(state, seat)

    def determinize(self, observation: View, rng: Random) -> State:
        """A full state, drawn at random, that is consistent with the observation."""
        return states.determinize(observation, rng)

    def layout(self, observation: View) -> Layout:
        """What its owner sees and may press."""
        return show.layout(observation)

    def events(self, before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
        """What to tell, and to whom, about an action that was applied."""
        return show.events(before, seat, action, after)

    def cards(self, state: State) -> tuple[Located, ...]:
        """Every card with its place.  Cards that were taken were seen by all when played."""
        if not state.round.number:
            return ()
        everybody = tuple(range(len(state.hands)))
        place: dict[int, Located] = {}

        def put(cards: bytes, where: str, known_to: tuple[Seat, ...] = everybody) -> None:
            for card in cards:
                public = known_to == everybody
                place[card] = Located(PACK.names[card], where, known_to, public)

        for seat in everybody:
            put(state.hand(seat), f"hand {seat}", (seat,))
            put(state.tricks.taken[seat], f"taken {seat}")
            card = state.round.chosen[seat]
            if card != UNKNOWN:
                put(SINGLE[card], f"chosen {seat}", (seat,) if state.choosing else everybody)
        put(state.trick, "table")
        put(state.tricks.aside, "aside")
        return tuple(place[card] for card in sorted(place))

    # Choosing.

    def compose(self, observation: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The one card, chosen or played as the situation has it.

        Raises NotationError `unknown_card`, `card_twice` (card), `one_card`.
        """
        PACK.mask(cards)
        if len(cards) != 1:
            raise NotationError("one_card")
        return _meant(observation, PACK.index(cards[0]))

    def default_action(self, observation: View) -> Move:
        """The lowest number, first in canonical order among equals: chosen, or played."""
        lowest = min(observation.hand, key=lambda card: (NUMBER[card], card))
        return _meant(observation, lowest)

    def standing_action(self, observation: View) -> None:
        """Nobody is asked without need."""

    # Notation.

    def format_action(self, action: Action) -> str:
        """Canonical notation of a seat's action.  A deal has none (`deal_to_json`)."""
        if isinstance(action, Deal):
            raise TypeError("a deal is written as JSON")
        return format_move(action)

    def public_action(self, observation: View, seat: Seat, action: Action) -> str:
        """`choose ?` for all but the chooser until everybody has chosen."""
        text = self.format_action(action)
        if observation.choosing and seat != observation.seat:
            return "choose ?"
        return text

    def parse_action(self, text: str, observation: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `one_card`, `unknown_card` (card).
        """
        if observation is None:
            return parse_move(text)
        return parse_typed(text, choosing=observation.choosing)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """15 cards for each seat: fewer numbers with three and four, a sixth suit with six."""
        return codes(USED[seats])

    def deal_to_json(self, action: Action) -> Json:
        """`{"hands": [[codes], …], "aside": []}`: none is left."""
        if not isinstance(action, Deal):
            raise TypeError("not a deal")
        return {"hands": [list(codes(hand)) for hand in action.hands], "aside": []}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """Inverse of `deal_to_json`; cards must stand in canonical order."""
        hands = tuple(_strict_hand(row) for row in card_lists(data, "hands"))
        if card_list(data, "aside"):
            raise NotationError("deal_malformed")
        start = _next_start(state)
        if start == UNKNOWN:
            if head.start is None or head.start not in range(len(state.hands)):
                raise NotationError("no_start")
            start = head.start
        return Deal(hands, start)


def _next_start(state: State) -> Seat:
    """Who leads first in the coming round; UNKNOWN if that is to be drawn."""
    start = state.round.start
    return start if start == UNKNOWN else (start + 1) % len(state.hands)


def _is_move(move: int) -> bool:
    """Whether it stands for any card at all, chosen or played."""
    return 0 <= move < 2 * CHOOSE and move % CHOOSE < len(PACK)


def _is_deal(deal: Deal, seats: int) -> bool:
    """Whether these are `seats` hands of 15, in canonical order, with the whole pack in them.

    No card of the pack is left over, and there are no more cards than the pack has.
    """
    hands, start = deal
    return (
        type(start) is int
        and 0 <= start < seats
        and type(hands) is tuple
        and len(hands) == seats
        and all(type(hand) is bytes and len(hand) == HAND for hand in hands)
        and not USED[seats].translate(None, b"".join(hands))
        and all(in_order(hand) == hand for hand in hands)
    )


def _meant(view: View, card: int) -> Move:
    """What is done with a card now."""
    return card + CHOOSE if view.choosing else card


def _strict_hand(names: Sequence[str]) -> bytes:
    """The cards of a hand in a record.  Raises NotationError `deal_malformed`."""
    try:
        hand = bytes([PACK.index(name) for name in names])
    except NotationError:
        raise NotationError("deal_malformed") from None
    if in_order(hand) != hand:
        raise NotationError("deal_malformed")
    return hand


GAME: Final = Sticheln()
