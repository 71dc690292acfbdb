"""Tides: a small game for two to eight, made up for the tests.

Everybody is dealt as many cards as the option `depth` says, of 1 to 16 in two suits.  Each plays
one card in turn; the highest number takes the trick, among equals the first.  Whoever takes most
tricks of the only round wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.base import BaseGame
from engine.cards import Lying, Pack
from engine.deal import shuffle
from engine.game import (
    CHANCE,
    AnyGame,
    Draw,
    Event,
    GameInfo,
    Json,
    Located,
    News,
    NotationError,
    Options,
    OptionSpec,
    RoundHead,
    RuleError,
    Seat,
    dealt_told,
    winners_told,
)
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    CardView,
    Chips,
    Headline,
    Laid,
    Layout,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
    Story,
    Suit,
    Term,
    Trick,
)
from engine.notation import canonical_words, card_list, card_lists, excerpt, typed_words
from engine.tricks import seats_from

PACK: Final = Pack(f"{suit}{number}" for suit in "EF" for number in range(1, 17))

INFO: Final = GameInfo(
    id="tides",
    rules_version=1,
    seats=tuple(range(2, 9)),
    options=(
        OptionSpec(
            key="depth", parameter="depth", kind="int", default=lambda _: 3, minimum=1, maximum=4
        ),
    ),
    news={"played": News.SEEN | News.LIES},
)

Hand: TypeAlias = tuple[str, ...]


class Deal(NamedTuple):
    """The chance action: hands by seat, and what is left."""

    hands: tuple[Hand, ...]
    aside: Hand


Action: TypeAlias = str | Deal
"""A card that is played, or the deal."""


class Round(NamedTuple):
    """The totals, and the points at the end, which are the tricks by seat."""

    scores: tuple[int, ...]
    points: tuple[int, ...] | None = None


class State(NamedTuple):
    """A match as it stands."""

    depth: int
    hands: tuple[Hand, ...]
    aside: Hand
    dealt: bool
    played: Hand
    """In the order of play, the present trick included."""
    leader: Seat
    taken: tuple[int, ...]
    """Tricks by seat."""

    @property
    def over(self) -> bool:
        return self.dealt and not any(self.hands)

    @property
    def round(self) -> Round:
        return Round(self.taken, self.taken) if self.over else Round((0,) * len(self.taken))

    @property
    def trick(self) -> Hand:
        """The cards of the trick that is not complete."""
        return self.played[len(self.played) - len(self.played) % len(self.hands) :]

    @property
    def actors(self) -> tuple[Seat, ...]:
        if not self.dealt:
            return (CHANCE,)
        return () if self.over else ((self.leader + len(self.trick)) % len(self.hands),)


class View(NamedTuple):
    """What `seat` may know: the state with its own hand only, and how many the others hold."""

    seat: Seat | None
    state: State
    counts: tuple[int, ...]

    @property
    def legal_actions(self) -> Sequence[str]:
        if self.seat is None or self.seat not in self.state_actors:
            return ()
        return self.state.hands[self.seat]

    @property
    def state_actors(self) -> tuple[Seat, ...]:
        if not self.state.dealt or not any(self.counts):
            return ()
        return ((self.state.leader + len(self.state.trick)) % len(self.counts),)


def _number(card: str) -> int:
    return int(card[1:])


def _best(trick: Hand) -> int:
    """The place of the highest card, the first among equals."""
    return max(range(len(trick)), key=lambda place: (_number(trick[place]), -place))


class Tides(BaseGame[State, str, Deal, View]):
    """Tides as a `Game`."""

    info = INFO
    deal_type = Deal

    # Rules.

    def one_round(self, options: Options, state: State) -> Options:
        return options

    def initial(self, seats: int, options: Options) -> State:
        return State(int(options["depth"]), ((),) * seats, (), False, (), 0, (0,) * seats)

    def question(self, state: State, seat: Seat) -> int:
        return state.dealt + len(state.played)

    def deal(self, state: State, draw: Draw) -> Deal:
        cards = shuffle(range(len(PACK)), draw)
        cuts = [state.depth * seat for seat in range(len(state.hands) + 1)]
        piles = [cards[a:b] for a, b in zip(cuts, [*cuts[1:], len(cards)], strict=True)]
        *hands, aside = [tuple(PACK.names[card] for card in sorted(pile)) for pile in piles]
        return Deal(tuple(hands), aside)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        return state.hands[seat] if seat != CHANCE and seat in state.actors else ()

    def refusal(self, state: State, seat: Seat, action: Action) -> RuleError | None:
        if seat not in state.actors:
            return RuleError("not_your_turn")
        if not isinstance(action, Deal):
            held = seat != CHANCE and action in state.hands[seat]
            return None if held else RuleError("not_in_hand")
        cards = [card for pile in (*action.hands, action.aside) for card in pile]
        full = all(len(hand) == state.depth for hand in action.hands)
        right = (
            full and len(action.hands) == len(state.hands) and sorted(cards) == sorted(PACK.names)
        )
        return None if right and seat == CHANCE else RuleError("bad_deal")

    def after(self, state: State, seat: Seat, action: Action) -> State:
        if isinstance(action, Deal):
            return state._replace(hands=action.hands, aside=action.aside, dealt=True)
        hands = list(state.hands)
        hands[seat] = tuple(card for card in hands[seat] if card != action)
        trick = (*state.trick, action)
        after = state._replace(hands=tuple(hands), played=(*state.played, action))
        if len(trick) < len(hands):
            return after
        winner = (state.leader + _best(trick)) % len(hands)
        taken = tuple(count + (seat == winner) for seat, count in enumerate(state.taken))
        return after._replace(leader=winner, taken=taken)

    def round_head(self, state: State) -> RoundHead:
        return RoundHead(None, 0 if state.dealt else None, None)

    # Knowledge.

    def observe(self, state: State, seat: Seat | None) -> View:
        own = tuple(hand if each == seat else () for each, hand in enumerate(state.hands))
        counts = tuple(map(len, state.hands))
        return View(seat, state._replace(hands=own, aside=()), counts)

    def events(self, before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
        if isinstance(action, Deal):
            return tuple(dealt_told(1, action.hands))
        said: dict[str, Param] = {"seat": SeatName(seat), "cards": Cards((action,))}
        ends = [Event(Phrase("takes", {"seat": SeatName(after.leader)}))] if not after.trick else []
        last = winners_told(after.taken) if after.over else ()
        return (Event(Phrase("played", said)), *ends, *last)

    def cards(self, state: State) -> tuple[Located, ...]:
        lying: list[Lying] = [
            (map(PACK.index, hand), f"hand {seat}", (seat,))
            for seat, hand in enumerate(state.hands)
        ]
        lying.append((map(PACK.index, state.played), "table", None))
        lying.append((map(PACK.index, state.aside), "aside", ()))
        return PACK.located(len(state.hands), lying)

    def public_action(self, view: View, seat: Seat, action: Action) -> str:
        return self.format_action(action)

    # Notation.

    def move_text(self, move: str) -> str:
        return f"play {move}"

    def parse_action(self, text: str, view: View | None = None) -> str:
        words = canonical_words(text) if view is None else typed_words(text)
        if len(words) != 2 or words[0] != "play":
            raise NotationError("unknown_action", text=excerpt(text))
        card = words[1] if view is None else words[1].upper()
        return PACK.names[PACK.index(card)]

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        return PACK.names

    def deal_json(self, deal: Deal) -> Json:
        return {"hands": [list(hand) for hand in deal.hands], "aside": list(deal.aside)}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        piles = [*card_lists(data, "hands"), card_list(data, "aside")]
        *hands, aside = [tuple(PACK.names[i] for i in PACK.in_order(pile)) for pile in piles]
        return Deal(tuple(hands), aside)

    # Interface.

    def layout(self, view: View) -> Layout:
        state = view.state
        acts = view.legal_actions
        seats = tuple(
            SeatView(seat, count, state.taken[seat], self._marks(view, seat))
            for seat, count in enumerate(view.counts)
        )
        blocks: list[Block] = []
        if not view.state_actors or not state.dealt:
            blocks.append(Headline(Phrase("over" if state.dealt else "not_dealt")))
        if state.trick:
            blocks.append(Chips((Phrase("led", {"suit": Suit(state.trick[0][0])}),)))
            order = seats_from(state.leader, len(seats))
            best = _best(state.trick)
            laid = [
                Laid(seat, card, ("winning",) * (place == best) + self._signs(card))
                for place, (seat, card) in enumerate(zip(order, state.trick, strict=False))
            ]
            blocks.append(Trick("current", tuple(laid), order[len(laid) :]))
        blocks.append(SeatRow(seats))
        hand = () if view.seat is None else state.hands[view.seat]
        if hand:
            marks = ("playable",) if acts else ()
            views = [CardView(card, card[0], self._signs(card) + marks) for card in hand]
            blocks.append(CardRow("hand", tuple(views)))
        controls = [Act(self.format_action(card), cards=(card,), group=card[0]) for card in acts]
        asks = Phrase("asks_play") if view.state_actors and state.dealt else None
        return Layout(tuple(blocks), tuple(controls), asks=asks)

    def _signs(self, card: str) -> tuple[str, ...]:
        return ("moon",) if _number(card) == 16 else ()

    def _marks(self, view: View, seat: Seat) -> tuple[str, ...]:
        marks = {"to_act": seat in view.state_actors, "self": seat == view.seat}
        return tuple(mark for mark, holds in marks.items() if holds)

    def story(self, view: View) -> Story | None:
        if view.state_actors or not view.state.dealt:
            return None
        told = [Term(count, Phrase("story_tricks", {"count": count})) for count in view.state.taken]
        return Story(tuple((term,) for term in told))

    def compose(self, view: View, cards: Sequence[str], flags: frozenset[str]) -> str:
        PACK.mask(cards)
        if len(cards) != 1:
            raise NotationError("unknown_action", text=excerpt(" ".join(cards)))
        return cards[0]

    def default_action(self, view: View) -> str:
        return min(view.legal_actions, key=_number)

    def advice(self, view: View, action: str) -> tuple[Phrase, ...]:
        return (Phrase("advice_play"),)


GAME: Final[AnyGame] = Tides()
