"""Auf falscher Fährte (Jürgen Kraul, Berliner Spielkarten 2001): tricks on a hidden trail.

For three or four, with or without jokers.  The rules, and the inner loop of every search.  What
a state is stands in `…_state`, cards and moves in `…_cards`, what follows a deal, a hidden card
and a trick in `…_flow`, why an action is refused in `…_refusals`, what people see in `…_layout`,
what they are told in `…_events`, and what one of them may guess in `…_guess`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engine._json import is_number
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
from engine.games import _auffalscherfaehrte_events as tell
from engine.games import _auffalscherfaehrte_layout as show
from engine.games import _auffalscherfaehrte_state as states
from engine.games._auffalscherfaehrte_cards import (
    BEATING,
    CARD_BITS,
    COLOURS,
    FOLLOWING,
    HIDE,
    HIDES,
    JOKER,
    JOKER_BIT,
    KEEP,
    LED,
    PACKS,
    PLAYS,
    SUITS,
    TEXTS,
    TRUMPS,
    WHOLE,
    Move,
    code,
    codes,
    hand_of,
    lowest,
    parse_move,
    parse_typed,
    plays,
    the_card,
)
from engine.games._auffalscherfaehrte_flow import ALONE, after_trick, dealt, hidden, is_plus_round
from engine.games._auffalscherfaehrte_guess import determinize
from engine.games._auffalscherfaehrte_options import INFO, check_seats, complete_options
from engine.games._auffalscherfaehrte_refusals import refusal
from engine.games._auffalscherfaehrte_state import (
    DEAL,
    HIDING,
    OFFER,
    OFFER_AFTER,
    OVER,
    PLAYING,
    TURNED,
    UNKNOWN,
    Action,
    Deal,
    Done,
    Match,
    Round,
    State,
    View,
    last_alone,
    legal_moves,
    rights,
)
from engine.layout import Layout
from engine.notation import card_list, card_lists

_NEXT: Final = tuple(
    tuple(ALONE[(seat + 1) % seats] for seat in range(seats)) for seats in range(5)
)
"""_NEXT[seats][seat]: who acts after `seat`."""

_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""


class AufFalscherFaehrte:
    """The rules of Auf falscher Fährte as a `Game`."""

    info: Final = INFO

    # Options and the start.

    def complete_options(self, seats: int, given: Options) -> Options:
        """`jokers` and `rounds`; see `Game`."""
        return complete_options(seats, given)

    def initial(self, seats: int, options: Options) -> State:
        """Before the first deal; red is trump."""
        check_seats(seats)
        return State(
            actors=(CHANCE,),
            stage=DEAL,
            hands=(0,) * seats,
            led=0,
            best=JOKER,
            trick=(),
            leader=UNKNOWN,
            trump=0,
            applied=0,
            done=Done((0,) * seats, (), 0, 0, ()),
            round=Round(
                number=0,
                dealer=UNKNOWN,
                start=UNKNOWN,
                trump=0,
                aside=0,
                hidden=(UNKNOWN,) * seats,
                reveal=(),
                dealt=0,
                scores=(0,) * seats,
                points=None,
            ),
            match=Match(int(options["rounds"]), bool(options["jokers"])),
        )

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Several while cards are hidden, else at most one."""
        return state[0]

    def question(self, state: State, seat: Seat) -> int:
        """All are asked at the deal for a card to hide; later each after the action before."""
        return state.round.dealt if state.stage == HIDING else state.applied

    def deal(self, state: State, draw: Draw) -> Deal:
        """Cards, order of turning and, in round 1, dealer (`notation.md`, steps 5 and 6)."""
        seats = len(state.hands)
        each = 14 if state.match.jokers else 13
        pack = shuffle(PACKS[seats, state.match.jokers], draw)
        hands = [sum(pack[seat * each : (seat + 1) * each]) for seat in range(seats)]
        reveal = tuple(shuffle(range(seats), draw))
        dealer = state.round.start if state.round.number else draw(seats)
        return Deal(tuple(hands), sum(pack[seats * each :]), reveal, dealer)

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """All legal actions, each once; () for a seat that is not to act (and for CHANCE)."""
        # Fields by their place in `State`, which is faster than by name: actors, stage (PLAYING
        # is 0), hands, led, trick, trump.
        if seat not in state[0] or seat < 0:
            return ()
        if state[1]:
            return legal_moves(state[1], state[2][seat], state[3], state[5], state[7])
        hand, led = state[2][seat], state[3]
        if (follow := hand & led) and hand < JOKER_BIT:
            first, lists = FOLLOWING[led]
            return lists[follow >> first]
        return plays(hand, led, state[5])

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Whether `apply` would accept."""
        return refusal(state, seat, action) is None

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        """The state afterwards.

        Raises RuleError: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat),
        `not_an_action`, `bad_deal`, `hide_first`, `already_chosen`, `joker_hidden`,
        `already_hidden`, `trump_first`, `no_trump_offer`, `same_trump` (suit), `not_in_hand`
        (cards), `must_follow_suit` (suit, cards), `second_joker`.
        """
        (actors, stage, hands, led, best, trick, leader, trump, applied, done, round_,
         match) = state  # fmt: skip
        if stage or seat != actors[0]:  # PLAYING is 0
            return self._apply_other(state, seat, action)
        # The rules of a play once more as `refusal` has them, but only whether: this is the inner
        # loop of every search.  A property test holds the two together.
        card, hand = action[1], hands[seat]
        try:
            known = PLAYS[card] is action
        except IndexError:
            known = False
        if not known:
            return self.apply(state, seat, _known_play(state, seat, action))
        bit = CARD_BITS[card]
        if card != JOKER:
            if not (hand & led or hand) & bit:
                raise _refused(state, seat, action)
            if BEATING[trump][best] & bit:
                best = card
                led = led or LED[card]
        elif hand < JOKER_BIT or (JOKER in trick and hand & COLOURS):
            raise _refused(state, seat, action)
        rest = [*hands]
        rest[seat] = hand - bit
        hands = tuple(rest)
        trick += (card,)
        seats = len(hands)
        if len(trick) < seats:
            return _new(State, (_NEXT[seats][seat], PLAYING, hands, led, best, trick, leader,
                trump, applied + 1, done, round_, match))  # fmt: skip

        # The trick is complete.
        taken, history, turned, jokers, _ = done
        history += ((leader, trick),)
        if best != JOKER:
            leader = (leader + trick.index(best)) % seats
            counts = [*taken]
            counts[leader] += 1
            taken = tuple(counts)
        # Else all played jokers, which happens in the last trick only: it is nobody's.
        offers: tuple[Seat, ...] = ()
        if match.jokers:
            if JOKER in trick:
                offers = rights(history[-1], jokers)
                jokers += trick.count(JOKER)
        elif len(history) == OFFER_AFTER:
            offers = last_alone(taken, is_plus_round(round_))
        if not offers and hand != bit:
            turned = TURNED[seats][len(history)]
            done = _new(Done, (taken, history, turned, jokers, ()))
            return _new(State, (ALONE[leader], PLAYING, hands, 0, JOKER, (), leader, trump,
                applied + 1, done, round_, match))  # fmt: skip
        done = Done(taken, history, turned, jokers, offers)
        return after_trick(_new(State, (actors, PLAYING, hands, 0, JOKER, (), leader, trump,
            applied + 1, done, round_, match)))  # fmt: skip

    def _apply_other(self, state: State, seat: Seat, action: Action) -> State:
        """Everything but a play by the seat to act."""
        refused = refusal(state, seat, action)
        if refused is not None:
            raise refused
        if isinstance(action, Deal):
            return dealt(state, action)
        if action.kind == HIDE:
            return hidden(state, seat, action.value)
        trump = state.trump if action.value == KEEP else action.value
        done = state.done._replace(offers=state.done.offers[1:])
        return after_trick(state._replace(trump=trump, applied=state.applied + 1, done=done))

    # Results.

    def outcome(self, state: State) -> Outcome | None:
        """Highest total wins; equal totals share the place."""
        if state.stage != OVER:
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
        """Dealer, who leads first, and the trump at the start."""
        round_ = state.round
        if not round_.number:
            return RoundHead(None, None, None)
        return RoundHead(round_.dealer, round_.start, SUITS[round_.trump])

    # What is known and shown.

    def observe(self, state: State, seat: Seat | None) -> View:
        """What `seat` (None: a spectator) may know of the state."""
        return states.observe(state, seat)

    def determinize(self, observation: View, rng: Random) -> State:
        """A full state, drawn at random, that is consistent with the observation."""
        return determinize(observation, rng)

    def layout(self, observation: View) -> Layout:
        """What its owner sees and may press."""
        return show.layout(observation)

    def events(self, before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
        """What to tell, and to whom, about an action that was applied."""
        return tell.events(before, seat, action, after)

    def cards(self, state: State) -> tuple[Located, ...]:
        """Every card with its place; a turned card's place does not say whose it was."""
        round_ = state.round
        if not round_.number:
            return ()
        everybody = tuple(range(len(state.hands)))
        found: list[tuple[int, str, tuple[Seat, ...]]] = []
        for seat, hand in enumerate(state.hands):
            found += [(card, f"hand {seat}", (seat,)) for card in _each(hand)]
            if round_.hidden[seat] != UNKNOWN and seat in round_.reveal[state.done.turned :]:
                found.append((round_.hidden[seat], f"hidden {seat}", (seat,)))
        found += [(card, "turned", everybody) for card in states.turned_cards(state)]
        found += [(card, "aside", everybody) for card in _each(round_.aside)]
        found += [(card, "table", everybody) for card in state.trick]
        for _, trick in state.done.history:
            found += [(card, "taken", everybody) for card in trick]
        found.sort()
        return tuple(
            Located(code(card), place, known, known == everybody) for card, place, known in found
        )

    # Choosing.

    def compose(self, observation: View, cards: Sequence[str], flags: frozenset[str]) -> Move:
        """The one card, hidden or played as the stage asks; there are no flags.

        Raises NotationError `no_cards`, `one_card`, `unknown_card` (card); RuleError
        `trump_first` where a colour is asked for.
        """
        card = the_card(cards)
        if observation.stage == OFFER:
            raise RuleError("trump_first")
        return HIDES[card] if observation.stage == HIDING else PLAYS[card]

    def default_action(self, observation: View) -> Move:
        """The trump stays; else the lowest card, jokers last."""
        if observation.stage == OFFER:
            return TRUMPS[KEEP]
        return lowest(observation.legal_actions)

    def standing_action(self, observation: View) -> None:
        """Nobody is asked without need."""

    # Notation.

    def format_action(self, action: Action) -> str:
        """Canonical notation of a seat's action.  A deal has none (`deal_to_json`)."""
        if isinstance(action, Deal):
            raise TypeError("a deal is written as JSON")
        return TEXTS[action]

    def public_action(self, observation: View, seat: Seat, action: Action) -> str:
        """`hide ?` for all but whoever hid the card, after it was turned as well."""
        if isinstance(action, Move) and action.kind == HIDE and observation.seat != seat:
            return "hide ?"
        return self.format_action(action)

    def parse_action(self, text: str, observation: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `no_cards`, `one_card`, `unknown_card` (card), `unknown_suit` (text).
        """
        return parse_move(text) if observation is None else parse_typed(text)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """40 cards for three, 52 for four, and a joker for each with the option `jokers`."""
        return codes(WHOLE[seats, bool(options["jokers"])])

    def deal_to_json(self, action: Action) -> Json:
        """`{"hands": [[codes], …], "aside": [codes], "reveal": [seats]}`."""
        if not isinstance(action, Deal):
            raise TypeError("not a deal")
        return {
            "hands": [list(codes(hand)) for hand in action.hands],
            "aside": list(codes(action.aside)),
            "reveal": list(action.reveal),
        }

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        """Inverse of `deal_to_json`; cards must stand in canonical order.

        The dealer of round 1 is read from the head; later it is who started the round before.
        """
        hands = [_strict_hand(row) for row in card_lists(data, "hands")]
        aside = _strict_hand(card_list(data, "aside"))
        reveal = data.get("reveal") if isinstance(data, dict) else None
        if not isinstance(reveal, list):
            raise NotationError("deal_malformed")
        order = tuple([seat for seat in reveal if is_number(seat)])
        if len(order) != len(reveal):
            raise NotationError("deal_malformed")
        dealer = state.round.start if state.round.number else head.dealer
        if dealer is None or dealer not in range(len(state.hands)):
            raise NotationError("no_dealer")
        return Deal(tuple(hands), aside, order, dealer)


def _refused(state: State, seat: Seat, action: Action) -> RuleError:
    return refusal(state, seat, action) or RuleError("not_an_action")


def _known_play(state: State, seat: Seat, action: Action) -> Move:
    """The play of `PLAYS` that is equal to `action`: one from another process is another object.

    Raises the refusal of everything else.
    """
    refused = refusal(state, seat, action)
    if refused is not None or not isinstance(action, Move):
        raise refused or RuleError("not_an_action")
    return PLAYS[action.value]


def _each(hand: int) -> list[int]:
    """The cards of a hand, every joker named."""
    return [*cards_in(hand & COLOURS), *[JOKER] * (hand >> JOKER)]


def _strict_hand(names: Sequence[str]) -> int:
    try:
        hand = hand_of(names)
    except NotationError:
        raise NotationError("deal_malformed") from None
    if list(codes(hand)) != list(names):
        raise NotationError("deal_malformed")
    return hand


GAME: Final = AufFalscherFaehrte()
