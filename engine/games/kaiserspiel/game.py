"""Kaiserspiel (Nidwaldner Kaiserjass), a living descendant of Karnöffel: two against two.

The interface; its parts: `cards` has the ranks, `moves` what can be
done and how it is written, `state` what a state is and who knows what of it,
`guess` what the rest may be, `talk` what is asked,
`play` what becomes of it, `layout` and `events` what
people see of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from engine.games.kaiserspiel import events as tell
from engine.games.kaiserspiel import guess
from engine.games.kaiserspiel import layout as show
from engine.games.kaiserspiel import play as turns
from engine.games.kaiserspiel import state as states
from engine.games.kaiserspiel.cards import BANNER, BANNERS, BITS, PACK, lowest
from engine.games.kaiserspiel.moves import (
    ACCEPT,
    MOVES,
    PASS,
    RAISE_1,
    STAY,
    TEXTS,
    Move,
    parse_move,
    parse_typed,
)
from engine.games.kaiserspiel.options import INFO, SEATS, check_seats, complete_options
from engine.games.kaiserspiel.play import TURNS
from engine.games.kaiserspiel.state import CUT, Action, Deal, State, View, own_options, parts
from engine.games.kaiserspiel.talk import (
    ACTORS,
    ALL_SEATS,
    NEXT,
    OFFERED,
    WORDS,
    Step,
)
from engine.layout import Layout
from engine.notation import card_list

_PACK: Final = tuple(range(len(PACK)))
_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""

_UNANSWERED: Final[Mapping[Step, str]] = {
    Step.DECLARE: "asked_kaiser",
    Step.RAISE: "asked_raise",
    Step.LIFT: "asked_lift",
    Step.CALL: "asked_threeup",
    **dict.fromkeys(OFFERED, "asked_answer"),
    Step.DISCARD: "asked_discard",
    Step.PLAY: "asked_play",
    Step.OVER: "deal_due",
}
"""The refusal of what does not answer what is asked."""


class Kaiserspiel:
    """The rules of Kaiserspiel as a `Game`."""

    info: Final = INFO

    # Options and the start.

    def complete_options(self, seats: int, given: Options) -> Options:
        """`target`, the points that end the match; see `Game`."""
        return complete_options(seats, given)

    def initial(self, seats: int, options: Options) -> State:
        """Before the first deal."""
        check_seats(seats)
        return turns.first_state(int(options["target"]))

    def actors(self, state: State) -> tuple[Seat, ...]:
        """One seat, but for the discards, which all seats choose at once."""
        return ACTORS[state[0]]

    def question(self, state: State, seat: Seat) -> int:
        """All actions applied so far, but for the discards of others."""
        now = parts(state)
        if now.step is not Step.DISCARD:
            return now.applied
        return now.applied - sum([mask != 0 for mask in now.thrown])

    def deal(self, state: State, draw: Draw) -> Deal:
        """The pack as dealt, no Banner at its end (`data/docs/notation.md`, 5 and 6)."""
        pack = shuffle(_PACK, draw)
        while BANNER[pack[CUT]]:
            at = draw(len(pack))
            pack[CUT], pack[at] = pack[at], pack[CUT]
        dealer = turns.next_dealer(state[3])
        return _new(Deal, (bytes(pack), draw(SEATS) if dealer is None else dealer))

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """All legal actions, each once; () for a seat that is not to act (and for CHANCE)."""
        # Fields by their place, which is faster than by name: what is asked, the table.
        at = state[0]
        if seat not in ACTORS[at]:
            return ()
        return WORDS[at] or own_options(at, state[3], seat)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Whether `apply` would accept."""
        return self._refusal(state, seat, action) is None

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        """The state afterwards.

        Raises RuleError: `match_over`, `deal_due`, `no_deal_due`, `bad_deal`, `not_your_turn`,
        `already_discarded`, `not_an_action`, `asked_threeup`, `asked_raise`, `asked_lift`,
        `asked_answer`, `asked_kaiser`, `asked_discard`, `asked_play`, `not_in_hand` (cards),
        `not_a_banner` (cards), `already_kaiser` (cards), `was_open` (cards), `kaiser_stays`
        (cards), `lead_face_up`.
        """
        at, applied, value, table = state
        if seat in ACTORS[at]:
            # What is only said is looked up: this is the inner loop of every search.
            try:
                found = NEXT[at].get(action)
            except TypeError:  # no action at all: it cannot even be looked up
                raise RuleError("not_an_action") from None
            if found is not None:
                after, rise = found
                return after, applied + 1, value + rise, table
            done = TURNS[at](state, seat, action)
            if done is not None:
                return done
        raise self._refusal(state, seat, action) or RuleError("not_an_action")

    def _refusal(self, state: State, seat: Seat, action: Action) -> RuleError | None:
        """What is wrong with an action; None if it is legal."""
        actors = ACTORS[state[0]]
        if not actors:
            return RuleError("match_over")
        if actors == (CHANCE,):
            if seat != CHANCE:
                return RuleError("deal_due")
            return None if turns.begin(state, seat, action) else RuleError("bad_deal")
        if seat == CHANCE:
            return RuleError("no_deal_due")
        if seat not in actors:
            waits = parts(state).step is Step.DISCARD and seat in ALL_SEATS
            return RuleError("already_discarded" if waits else "not_your_turn")
        if not isinstance(action, Move) or action not in MOVES:
            return RuleError("not_an_action")
        if action in self.legal_actions(state, seat):
            return None
        return self._illegal(state, seat, action)

    def _illegal(self, state: State, seat: Seat, move: Move) -> RuleError:
        """Why the seat that is asked cannot do this."""
        now = parts(state)
        step = now.step
        missing = move.cards & ~now.hands[seat]
        kaisers = move.cards & now.kaisers[seat]
        match move.verb:
            case "kaiser" if step is Step.DECLARE:
                code = "was_open"
                if not move.cards & BANNERS:
                    code = "not_a_banner"
                elif missing:
                    code = "not_in_hand"
                elif kaisers:
                    code = "already_kaiser"
                return RuleError(code, cards=PACK.codes(move.cards))
            case "discard" if step is Step.DISCARD:
                if missing:
                    return RuleError("not_in_hand", cards=PACK.codes(missing))
                return RuleError("kaiser_stays", cards=PACK.codes(kaisers))
            case "play" | "down" if step is Step.PLAY:
                if missing:
                    return RuleError("not_in_hand", cards=PACK.codes(missing))
                return RuleError("lead_face_up")
            case _:
                return RuleError(_UNANSWERED[step])

    # Results.

    def outcome(self, state: State) -> Outcome | None:
        """The team that reached the target wins; only one can score in a round."""
        if ACTORS[state[0]]:
            return None
        scores = parts(state).scores
        return Outcome(scores, competition_ranking(scores))

    def scores(self, state: State) -> tuple[int, ...]:
        """Totals of the completed rounds: every seat has its team's."""
        return parts(state).scores

    def round_scores(self, state: State) -> tuple[int, ...] | None:
        """Points of the round just completed; None before the first deal and during a round."""
        return parts(state).points

    def round_head(self, state: State) -> RoundHead:
        """Eldest starts: is asked first and leads first."""
        round_ = parts(state).round
        if not round_.number:
            return RoundHead(None, None, None)
        return RoundHead(round_.dealer, (round_.dealer + 1) % SEATS, None)

    # What is known and shown.

    def observe(self, state: State, seat: Seat | None) -> View:
        """What `seat` (None: a spectator) may know of the state."""
        return states.observe(state, seat)

    def determinize(self, observation: View, rng: Random) -> State:
        """A full state, drawn at random, that is consistent with the observation."""
        return guess.determinize(observation, rng)

    def layout(self, observation: View) -> Layout:
        """What its owner sees and may press."""
        return show.layout(observation)

    def events(self, before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
        """What to tell, and to whom, about an action that was applied."""
        return tell.events(before, seat, action, after)

    def cards(self, state: State) -> tuple[Located, ...]:
        """Every card with its place; `stock` is all that has not been dealt."""
        return states.places(state)

    # Choosing.

    def compose(self, observation: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The discard of these two cards.

        Raises NotationError `unknown_card`, `card_twice` (card), `wrong_number_of_cards` (count);
        RuleError `asked_…` where no discard is asked for.
        """
        if observation.step is not Step.DISCARD:
            raise RuleError(_UNANSWERED[observation.step])
        chosen = PACK.mask(cards)
        if len(cards) != 2:
            raise NotationError("wrong_number_of_cards", count=2)
        return MOVES[Move("discard", chosen)]

    def default_action(self, observation: View) -> Move:
        """What costs least: a pass, `accept`, `raise 1`, `stay`; else the lowest cards."""
        match observation.step:
            case Step.DECLARE | Step.CALL:
                return PASS
            case Step.RAISE:
                return RAISE_1
            case Step.LIFT:
                return STAY
            case Step.DISCARD:
                free = observation.hand & ~observation.all_kaisers
                return MOVES[Move("discard", _lowest(free, 2))]
            case Step.PLAY:
                return MOVES[Move("play", _lowest(observation.hand, 1))]
            case _:
                return ACCEPT

    def standing_action(self, observation: View) -> Move | None:
        """A pass where one is asked for a Kaiser or a Spieldrei; offers have to be answered."""
        asked = observation.step in (Step.DECLARE, Step.CALL)
        return PASS if asked and observation.me_asked else None

    # Notation.

    def format_action(self, action: Action) -> str:
        """Canonical notation of a seat's action.  A deal has none (`deal_to_json`)."""
        if isinstance(action, Deal):
            raise TypeError("a deal is written as JSON")
        return TEXTS[action]

    def public_action(self, observation: View, seat: Seat, action: Action) -> str:
        """Others' discards and face-down cards are blank, but for being a declared Kaiser."""
        if isinstance(action, Move) and observation.seat != seat:
            if action.verb == "discard":
                return "discard ? ?"
            if action.verb == "down":
                return f"play {'kaiser' if action.cards & observation.all_kaisers else '?'} down"
        return self.format_action(action)

    def parse_action(self, text: str, observation: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `no_cards`, `unknown_card`, `card_twice` (card), `wrong_number_of_cards` (count).
        """
        return parse_move(text) if observation is None else parse_typed(text)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """All 40 cards."""
        return PACK.names

    def deal_to_json(self, action: Action) -> Json:
        """`{"pack": [codes in dealing order, the cut card last]}`."""
        if not isinstance(action, Deal):
            raise TypeError("not a deal")
        return {"pack": [PACK.names[card] for card in action.pack]}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """Inverse of `deal_to_json`; only round 1 takes the dealer from the head."""
        try:
            pack = bytes([PACK.index(code) for code in card_list(data, "pack")])
        except NotationError:
            raise NotationError("deal_malformed") from None
        dealer = turns.next_dealer(state[3])
        if dealer is None:
            dealer = head.dealer
        if dealer not in ALL_SEATS:
            raise NotationError("no_dealer")
        return Deal(pack, dealer)


def _lowest(cards: int, count: int) -> int:
    return sum([BITS[card] for card in lowest(tuple(cards_in(cards)), count)])


GAME: Final = Kaiserspiel()
