"""Auf und Ab (Ed Pegg, Franjos 2003): a climbing game that turns over, for three or four.

The rules only.  What a set is stands in `sets`, what a state is in `state`,
what people see of it in `layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engine.cards import cards_in
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
from engine.games.aufundab import layout as show
from engine.games.aufundab import state as states
from engine.games.aufundab.options import INFO, check_seats, complete_options
from engine.games.aufundab.sets import (
    DOUBLE,
    DOUBLES,
    PACK,
    PAIRS,
    PASS,
    SETS,
    UP,
    Move,
    beats,
    format_move,
    legal_moves,
    parse_move,
    parse_typed,
)
from engine.games.aufundab.state import (
    OVER,
    UNKNOWN,
    Action,
    Deal,
    Match,
    Round,
    Series,
    State,
    View,
)
from engine.layout import Layout
from engine.notation import card_list, card_lists

SYMBOLS: Final = show.SYMBOLS

_HAND_SIZE: Final = {3: 18, 4: 13}
_ACTORS: Final[tuple[tuple[Seat, ...], ...]] = ((0,), (1,), (2,), (3,), (), (CHANCE,))
"""By the state's actor; OVER and CHANCE count from the end."""


def _next_seat(seats: int, out: int, seat: Seat) -> Seat:
    for step in range(1, seats + 1):
        if not out >> (seat + step) % seats & 1:
            return (seat + step) % seats
    return UNKNOWN


_NEXT: Final = tuple(
    tuple(tuple(_next_seat(seats, out, seat) for seat in range(seats)) for out in range(1 << seats))
    for seats in range(5)
)
"""_NEXT[seats][out][seat]: the next seat that has not passed (perhaps itself), or UNKNOWN."""

_PACK_BITS: Final = tuple(1 << card for card in range(len(PACK)))
_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""


class AufUndAb:
    """The rules of Auf und Ab as a `Game`."""

    info: Final = INFO

    # Options and the start.

    def complete_options(self, seats: int, given: Options) -> Options:
        """`length` and the one of `hands` and `target` that it names; see `Game`."""
        return complete_options(seats, given)

    def initial(self, seats: int, options: Options) -> State:
        """Before the first deal."""
        check_seats(seats)
        hands, target = options.get("hands", 0), options.get("target", 0)
        return State(
            hands=(0,) * seats,
            actor=CHANCE,
            mode=UP,
            number=UNKNOWN,
            quantity=0,
            top=0,
            owner=UNKNOWN,
            out=0,
            changes=0,
            pile=0,
            applied=0,
            series=Series(UNKNOWN, 0, False),
            round=Round(0, UNKNOWN, UNKNOWN, 0, (0,) * seats, None),
            match=Match(int(hands), int(target)),
        )

    def actors(self, state: State) -> tuple[Seat, ...]:
        """At most one: this game has no simultaneous choices."""
        return _ACTORS[state[1]]

    def question(self, state: State, seat: Seat) -> int:
        """All actions applied so far: whoever is asked is asked anew after each."""
        return state.applied

    def deal(self, state: State, draw: Draw) -> Deal:
        """All cards dealt evenly, the rest aside (`data/docs/notation.md`, 5 and 6)."""
        seats = len(state.hands)
        size = _HAND_SIZE[seats]
        pack = shuffle(_PACK_BITS, draw)
        hands = [sum(pack[seat * size : (seat + 1) * size]) for seat in range(seats)]
        return Deal(tuple(hands), sum(pack[seats * size :]))

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """All legal actions, each once; () for a seat that is not to act (and for CHANCE)."""
        # Fields by their place in `State`, which is faster than by name: actor, owner, hands,
        # mode, number, quantity.
        if seat != state[1] or seat < 0:
            return ()
        opening = UNKNOWN if state[6] >= 0 else state.round.opening
        return legal_moves(state[0][seat], state[2], state[3], state[4], opening)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Whether `apply` would accept."""
        return self._refusal(state, seat, action) is None

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        """The state afterwards.

        Raises RuleError: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat),
        `not_an_action`, `bad_deal`, `must_lead`, `not_in_hand` (cards), `mixed_numbers` (cards,
        symbol), `first_lead_needs_double` (card), `wrong_quantity` (count, wanted), `must_beat`
        (number, wanted, symbol).
        """
        (hands, actor, mode, number, quantity, top, owner, out, changes, pile, applied, series,
         round_, match) = state  # fmt: skip
        if seat != actor or seat < 0:
            return self._apply_deal(state, seat, action)
        if action is PASS:
            if not quantity:
                raise RuleError("must_lead")
            out |= 1 << seat
            following = _NEXT[len(hands)][out][seat]
            if following >= 0:
                return _new(State, (hands, following, mode, number, quantity, top, owner, out,
                    changes, pile, applied + 1, series, round_, match))  # fmt: skip
            # The last to pass is whoever played last: their turn came only because all others
            # had passed.  They lead the next series, turned if the change cards were odd.
            applied += 1
            flips = changes & 1
            series = _new(Series, (seat, applied, flips == 1))
            return _new(State, (hands, seat, mode ^ flips, UNKNOWN, 0, 0, seat, 0, 0, 0,
                applied, series, round_, match))  # fmt: skip
        # The rules of a set once more as `_refusal` has them, but only whether: this is the
        # inner loop of every search.  A property test holds the two together.
        found = SETS[mode].get(action) if type(action) is Move else None
        if found is None:
            if isinstance(action, Move) and action == PASS:
                return self.apply(state, seat, PASS)
            raise self._refused(state, seat, action)
        set_number, set_quantity, cards, set_changes = found
        hand = hands[seat]
        if hand & cards != cards:
            raise self._refused(state, seat, action)
        if quantity:
            if set_quantity != quantity or (
                set_number <= number if mode == UP else set_number >= number
            ):
                raise self._refused(state, seat, action)
        elif owner < 0 and not cards & DOUBLE[round_.opening]:
            raise self._refused(state, seat, action)
        rest = list(hands)
        rest[seat] = hand ^ cards
        hands = tuple(rest)
        if hand == cards:
            round_, actor = self._score(hands, seat, round_, match)
        else:
            actor = _NEXT[len(hands)][out][seat]
        return _new(State, (hands, actor, mode, set_number, set_quantity, cards, seat, out,
            changes + set_changes, pile | cards, applied + 1, series, round_, match))  # fmt: skip

    def _apply_deal(self, state: State, seat: Seat, action: Action) -> State:
        """The first state of a round, if it is CHANCE's turn and the deal is possible."""
        if not isinstance(action, Deal) or self._refusal(state, seat, action) is not None:
            raise self._refused(state, seat, action)
        dealt = sum(action.hands)
        opening = dealt & DOUBLES & -(dealt & DOUBLES)
        start = next(seat for seat, hand in enumerate(action.hands) if hand & opening)
        before, applied = state.round, state.applied + 1
        return State(
            action.hands,
            start,
            mode=UP,
            number=UNKNOWN,
            quantity=0,
            top=0,
            owner=UNKNOWN,
            out=0,
            changes=0,
            pile=0,
            applied=applied,
            series=Series(start, applied, False),
            round=Round(
                before.number + 1, start, DOUBLE.index(opening), action.aside, before.scores, None
            ),
            match=state.match,
        )

    def _score(
        self, hands: tuple[int, ...], winner: Seat, before: Round, match: Match
    ) -> tuple[Round, Seat]:
        """The completed round and who acts next: CHANCE, or nobody any more."""
        points = [0] * len(hands)
        points[winner] = sum(hands).bit_count()
        scores = tuple([a + b for a, b in zip(before.scores, points, strict=True)])
        over = max(scores) >= match.target if match.target else before.number >= match.hands
        after = before._replace(scores=scores, points=tuple(points))
        return after, OVER if over else CHANCE

    def _refused(self, state: State, seat: Seat, action: Action) -> RuleError:
        return self._refusal(state, seat, action) or RuleError("not_an_action")

    def _refusal(self, state: State, seat: Seat, action: Action) -> RuleError | None:
        """What is wrong with an action; None if it is legal."""
        actor = state.actor
        if actor == OVER:
            return RuleError("match_over")
        if actor == CHANCE:
            if seat != CHANCE:
                return RuleError("deal_due")
            return None if self._is_deal(len(state.hands), action) else RuleError("bad_deal")
        if seat == CHANCE:
            return RuleError("no_deal_due")
        if seat != actor:
            return RuleError("not_your_turn", seat=actor)
        if not isinstance(action, Move) or not _is_move(action):
            return RuleError("not_an_action")
        if action == PASS:
            return None if state.quantity else RuleError("must_lead")
        return self._set_refusal(state, state.hands[seat], action)

    def _set_refusal(self, state: State, hand: int, move: Move) -> RuleError | None:
        mode = state.mode
        if move.cards & ~hand:
            return RuleError("not_in_hand", cards=PACK.codes(move.cards & ~hand))
        found = SETS[mode].get(move)
        if found is None:
            return RuleError("mixed_numbers", cards=PACK.codes(move.cards), symbol=SYMBOLS[mode])
        if state.quantity:
            if found.quantity != state.quantity:
                return RuleError("wrong_quantity", count=found.quantity, wanted=state.quantity)
            if not beats(mode, found.number, state.number):
                return RuleError(
                    "must_beat", number=found.number, wanted=state.number, symbol=SYMBOLS[mode]
                )
        elif state.owner == UNKNOWN and not move.cards & DOUBLE[state.round.opening]:
            opening = PACK.codes(DOUBLE[state.round.opening])
            return RuleError("first_lead_needs_double", card=opening[0])
        return None

    def _is_deal(self, seats: int, action: Action) -> bool:
        """Whether these are `seats` full hands and the rest of the pack."""
        if not isinstance(action, Deal) or len(action.hands) != seats:
            return False
        size, union = _HAND_SIZE[seats], action.aside
        for hand in action.hands:
            if hand < 0 or hand.bit_count() != size or hand & union:
                return False
            union |= hand
        return union == PACK.all

    # Results.

    def outcome(self, state: State) -> Outcome | None:
        """Highest total wins; equal totals share the place."""
        if state.actor != OVER:
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
        """Nobody deals and there is no trump; the lowest double starts."""
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
        """Every card with its place.  Cards of earlier series were seen by all when played."""
        if not state.round.number:
            return ()
        everybody = tuple(range(len(state.hands)))
        place: dict[int, Located] = {}
        for seat, hand in enumerate(state.hands):
            for card in cards_in(hand):
                place[card] = Located(PACK.names[card], f"hand {seat}", (seat,), False)
        shown = state.round.points is not None
        for card in cards_in(state.round.aside):
            place[card] = Located(PACK.names[card], "aside", everybody if shown else (), shown)
        for card in cards_in(PACK.all & ~sum(state.hands) & ~state.round.aside):
            where = "table" if state.pile >> card & 1 else "taken"
            place[card] = Located(PACK.names[card], where, everybody, True)
        return tuple(place[card] for card in range(len(PACK)))

    # Choosing.

    def compose(self, observation: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The set of these cards; the flag `double_counts_two` matters when leading only.

        Raises NotationError `unknown_card`, `card_twice` (card), `no_cards`; RuleError
        `no_double_to_count` where the flag is set without a double.
        """
        chosen = PACK.mask(cards)
        if not chosen:
            raise NotationError("no_cards")
        if observation.following:
            return _count_double(observation, Move(chosen))
        if "double_counts_two" not in flags:
            return Move(chosen)
        if not chosen & DOUBLES:
            raise RuleError("no_double_to_count")
        return Move(chosen, chosen & DOUBLES)

    def default_action(self, observation: View) -> Move:
        """A pass; the leader plays the lowest card alone (at first the lowest double)."""
        if observation.following:
            return PASS
        if observation.owner == UNKNOWN:
            return Move(DOUBLE[observation.round.opening])
        lowest = min(cards_in(observation.hand), key=lambda c: (PAIRS[c][observation.mode], c))
        return Move(1 << lowest)

    def standing_action(self, observation: View) -> None:
        """Nobody is asked without need."""

    # Notation.

    def format_action(self, action: Action) -> str:
        """Canonical notation of a seat's action.  A deal has none (`deal_to_json`)."""
        if isinstance(action, Deal):
            raise TypeError("a deal is written as JSON")
        return format_move(action)

    def public_action(self, observation: View, seat: Seat, action: Action) -> str:
        """Nothing is secret."""
        return self.format_action(action)

    def parse_action(self, text: str, observation: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `no_cards`, `unknown_card`, `card_twice`, `not_a_double` (card).
        """
        if observation is None:
            return parse_move(text)
        move = parse_typed(text)
        return _count_double(observation, move) if observation.following else move

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """All 55 cards, whoever plays."""
        return PACK.names

    def deal_to_json(self, action: Action) -> Json:
        """`{"hands": [[codes], …], "aside": [codes]}`."""
        if not isinstance(action, Deal):
            raise TypeError("not a deal")
        return {
            "hands": [list(PACK.codes(hand)) for hand in action.hands],
            "aside": list(PACK.codes(action.aside)),
        }

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """Inverse of `deal_to_json`; cards must stand in canonical order."""
        hands = [_strict_mask(row) for row in card_lists(data, "hands")]
        return Deal(tuple(hands), _strict_mask(card_list(data, "aside")))


def _is_move(move: Move) -> bool:
    """Whether its parts fit together: a move made by hand may hold anything."""
    cards, doubled = move
    return 0 <= cards <= PACK.all and not doubled & ~(cards & DOUBLES)


def _count_double(view: View, move: Move) -> Move:
    """`move` with its double counted as the quantity to follow requires.

    What was written stands, if anything was: a wrong `x2` is refused, not mended.
    """
    double = move.cards & DOUBLES
    one_more = move.cards.bit_count() + 1 == view.quantity
    if move.doubled or not one_more or double.bit_count() != 1:
        return move
    return Move(move.cards, double)


def _strict_mask(codes: Sequence[str]) -> int:
    try:
        mask = PACK.mask(codes)
    except NotationError:
        raise NotationError("deal_malformed") from None
    if list(PACK.codes(mask)) != list(codes):
        raise NotationError("deal_malformed")
    return mask


GAME: Final = AufUndAb()
