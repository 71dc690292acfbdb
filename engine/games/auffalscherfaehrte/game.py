"""Auf falscher Fährte (Jürgen Kraul, Berliner Spielkarten 2001): tricks on a hidden trail.

For three or four, with or without jokers.  The rules, and the inner loop of every search.  What
a state is stands in `…_state`, whose turn it is in `…_turns`, cards and moves in `…_cards`, what
follows a deal, a hidden card and a trick in `…_flow`, why an action is refused in `…_refusals`,
what people see in `…_layout`, what they are told in `…_events`, and what one of them may guess in
`…_guess`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from engine.games.auffalscherfaehrte import events as tell
from engine.games.auffalscherfaehrte import layout as show
from engine.games.auffalscherfaehrte import state as states
from engine.games.auffalscherfaehrte.cards import (
    HAND,
    HIDE,
    JOKER,
    KEEP,
    SINGLE,
    SUITS,
    TEXTS,
    TRUMP,
    USED,
    Move,
    card_of,
    code,
    codes,
    hand_of,
    hands_from,
    is_hide,
    lowest,
    parse_move,
    parse_typed,
    the_card,
)
from engine.games.auffalscherfaehrte.flow import complete, dealt, decided, hidden
from engine.games.auffalscherfaehrte.guess import determinize
from engine.games.auffalscherfaehrte.options import INFO, check_seats, complete_options
from engine.games.auffalscherfaehrte.refusals import refusal
from engine.games.auffalscherfaehrte.state import (
    Action,
    Deal,
    Match,
    Round,
    State,
    View,
    legal_moves,
    parts,
    state_at,
)
from engine.games.auffalscherfaehrte.turns import AFTER, DEAL_DUE, HIDING, OFFER, OVER, UNKNOWN
from engine.layout import Layout
from engine.notation import card_list, card_lists
from engine.strict_json import is_number


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
        return state_at(
            turn=DEAL_DUE,
            hands=(b"",) * seats,
            trick=b"",
            history=(),
            round_=Round(
                number=0,
                dealer=UNKNOWN,
                start=UNKNOWN,
                opening=0,
                trump=0,
                aside=b"",
                reveal=(),
                hidden=(UNKNOWN,) * seats,
                before=0,
                scores=(0,) * seats,
                points=None,
                match=Match(int(options["rounds"]), bool(options["jokers"])),
            ),
        )

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Several while cards are hidden, else at most one."""
        return state[0].actors

    def question(self, state: State, seat: Seat) -> int:
        """All are asked at the deal for a card to hide; later each after the action before."""
        turn, _, hands, trick, history, round_ = state
        seats = len(hands)
        if turn.stage == HIDING:
            return round_.before - (seats - len(turn.actors))
        return round_.before + seats * len(history) + len(trick)

    def deal(self, state: State, draw: Draw) -> Deal:
        """Cards, order of turning and, in round 1, dealer (`data/docs/notation.md`, 5 and 6)."""
        _, _, hands, _, _, last = state
        seats, jokers = len(hands), last.match.jokers
        cards = bytes(shuffle(USED[seats, jokers], draw))
        reveal = tuple(shuffle(range(seats), draw))
        dealer = last.start if last.number else draw(seats)
        aside = cards[seats * HAND[jokers] :]
        return Deal(hands_from(cards, seats, jokers), aside, reveal, dealer)

    # Play.

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """All legal actions, each once; () for a seat that is not to act (and for CHANCE)."""
        # Fields by their place, which is faster than by name: turn, plays, hands, round.
        turn = state[0]
        if seat == turn.player:
            return state[1]
        if seat in turn.actors and seat != CHANCE:
            return legal_moves(turn, state[2][seat], state[5].trump)
        return ()

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
        turn, plays, hands, trick, history, round_ = state
        # A play once more as `refusal` has it, but only whether: this is the inner loop of every
        # search.  A property test holds the two together.
        if (
            seat != turn.player
            or type(action) is not int
            or not 0 <= action <= JOKER
            or action not in plays
        ):
            return self._apply_other(state, seat, action)
        trick += SINGLE[action]
        after = AFTER[turn.number][action]
        if after is None:
            return complete(seat, hands, trick, history, round_)
        hand = hands[after.player]
        # `Turn.plays`, whose call takes longer than what it does for a hand without jokers.
        plays = after.plays(hand) if hand[-1] == JOKER else hand.strip(after.others) or hand
        return after, plays, hands, trick, history, round_

    def _apply_other(self, state: State, seat: Seat, action: Action) -> State:
        """Everything but a play that is legal."""
        refused = refusal(state, seat, action)
        if refused is not None:
            raise refused
        if isinstance(action, Deal):
            return dealt(state, action)
        if is_hide(action):
            return hidden(state, seat, card_of(action))
        return decided(state, UNKNOWN if action == TRUMP + KEEP else action - TRUMP)

    # Results.

    def outcome(self, state: State) -> Outcome | None:
        """Highest total wins; equal totals share the place."""
        now = parts(state)
        if now.turn.stage != OVER:
            return None
        scores = now.round.scores
        return Outcome(scores, competition_ranking(scores))

    def scores(self, state: State) -> tuple[int, ...]:
        """Totals of the completed rounds, by seat."""
        return parts(state).round.scores

    def round_scores(self, state: State) -> tuple[int, ...] | None:
        """Points of the round just completed; None before the first deal and during a round."""
        return parts(state).round.points

    def round_head(self, state: State) -> RoundHead:
        """Dealer, who leads first, and the trump at the start."""
        round_ = parts(state).round
        if not round_.number:
            return RoundHead(None, None, None)
        return RoundHead(round_.dealer, round_.start, SUITS[round_.opening])

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
        now = parts(state)
        round_ = now.round
        if not round_.number:
            return ()
        everybody = tuple(range(len(now.hands)))
        found: list[tuple[int, str, tuple[Seat, ...]]] = []

        def put(cards: Iterable[int], place: str, known: tuple[Seat, ...] = everybody) -> None:
            found.extend([(card, place, known) for card in cards])

        turned = now.turned
        for seat in everybody:
            put(now.hand(seat), f"hand {seat}", (seat,))
            card = round_.hidden[seat]
            if card != UNKNOWN and card not in turned:
                put((card,), f"hidden {seat}", (seat,))
        put(turned, "turned")
        put(round_.aside, "aside")
        put(now.trick, "table")
        for _, cards, _ in now.history:
            put(cards, "taken")
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
        return card + HIDE if observation.stage == HIDING else card

    def default_action(self, observation: View) -> Move:
        """The trump stays; else the lowest card, jokers last."""
        if observation.stage == OFFER:
            return TRUMP + KEEP
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
        if not isinstance(action, Deal) and is_hide(action) and observation.seat != seat:
            return "hide ?"
        return self.format_action(action)

    def parse_action(self, text: str, observation: View | None = None) -> Move:
        """The move that `text` names.

        Raises NotationError: `too_long` (limit), `not_canonical` (text), `unknown_action`
        (text), `no_cards`, `one_card`, `unknown_card` (card), `unknown_suit` (text).
        """
        if observation is None:
            return parse_move(text)
        return parse_typed(text, hiding=observation.stage == HIDING)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """40 cards for three, 52 for four, and a joker for each with the option `jokers`."""
        return codes(USED[seats, bool(options["jokers"])])

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
        last = parts(state).round
        dealer = last.start if last.number else head.dealer
        if dealer is None or dealer not in range(len(last.scores)):
            raise NotationError("no_dealer")
        return Deal(tuple(hands), aside, order, dealer)


def _strict_hand(names: Sequence[str]) -> bytes:
    try:
        hand = hand_of(names)
    except NotationError:
        raise NotationError("deal_malformed") from None
    if list(codes(hand)) != list(names):
        raise NotationError("deal_malformed")
    return hand


GAME: Final = AufFalscherFaehrte()
