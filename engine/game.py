"""`Game`: the interface of a game, and the values that cross it.

A game is an object that satisfies `Game`: a set of pure functions over an immutable state.
Nothing that only one game knows is needed outside its module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.layout import Cards, Layout, Phrase, SeatName, Story, phrase

Seat: TypeAlias = int
"""A place in the order of play, 0 … n-1; seat 1 acts after seat 0."""

CHANCE: Final[Seat] = -1
"""The actor of a deal: whoever shuffles."""

Draw: TypeAlias = Callable[[int], int]
"""`draw(n)` is a uniformly random number in `range(n)`: the only randomness a deal may use."""

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
OptionValue: TypeAlias = int | bool | str
Options: TypeAlias = Mapping[str, OptionValue]
"""Options of a match by their keys in a record, defaults written out (`data/docs/notation.md`)."""


class RuleError(Exception):
    """A refused action: a code in `snake_case` and the parameters of its sentence.

    The sentence is in the catalogue of the game under `<game>.error.<code>`.  Parameters name
    only what the refused seat may know.
    """

    def __init__(self, code: str, /, **params: int | str | tuple[str, ...]) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class NotationError(RuleError):
    """A text that is no action, card or option at all (as opposed to an illegal one)."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a game: its key in records and the parameter of `/newgame` that sets it."""

    key: str
    parameter: str | None
    """None: it has none of its own, and is one of the switches that `rules:` names in words."""
    kind: Literal["int", "bool", "choice"]
    default: Callable[[int], OptionValue]
    """Its value by the number of seats, where nothing is given."""
    minimum: int = 0
    maximum: int = 0
    measures: Literal["rounds", "points"] | None = None
    """In what it says how long a match is; None if it does not."""
    before: OptionValue | None = None
    """Its value where a match does not name it, being older than the option; None: all name it."""
    choices: tuple[str, ...] = ()
    """Of a choice: what it may be."""
    at_tables: bool = True
    """Whether a table may choose it; else it has its default there, and only records name it."""
    offered: tuple[int, ...] = ()
    """Of a number: values that have words of their own (`option.<key>.<value>`)."""

    @property
    def values(self) -> tuple[OptionValue, ...]:
        """Of a switch (what is no number): everything that it may be; else ()."""
        return (False, True) if self.kind == "bool" else self.choices


class News(Flag):
    """What an event's sentence is about, for whoever tells it beside a board or a hand."""

    SEEN = auto()
    """What a picture of the table shows as well, or that a player had nothing to say."""
    STANDS = auto()
    """What a board in words shows as well: beside a name, among the chips, or at the foot."""
    LIES = auto()
    """A card that is added to the trick, or a set that takes the place of the one on the table."""
    BEGINS = auto()
    """Who begins the first trick or series, and why."""
    SET = auto()
    """A set that was played in a series."""
    TAKEN = auto()
    """Who took a series."""
    TURNED = auto()
    """What counts from this series on."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a game is, before anybody sits down."""

    id: str
    rules_version: int
    seats: tuple[int, ...]
    """Possible numbers of seats, ascending."""
    options: tuple[OptionSpec, ...]
    teams: tuple[tuple[Seat, ...], ...] = ()
    """Seats that win together; empty when everybody plays alone."""
    seeds_after: Literal["round", "match"] = "round"
    """When a deal's seed may be published: earlier it would tell what is still secret."""
    passes: str = ""
    """Notation of the pass that a table may give by itself for a seat that can do nothing else.

    Empty where there is none, or where passing at once would reveal a secret.
    """
    hinted: Literal["won", "points"] = "points"
    """What a hint counts: rounds that are won, where only the winner scores, or points."""
    forced: bool = False
    """Whether its layouts ever mark a card as forced, which a table may then play by itself."""
    series: bool = False
    """Whether cards are played in series; else in tricks."""
    hopes: frozenset[str] = frozenset()
    """Codes of advice that hopes for the trick or series: no reason where that is seldom taken."""
    doubts: frozenset[str] = frozenset()
    """Codes of advice that expects others to take it: no reason where that is not so."""
    news: Mapping[str, News] = field(default_factory=dict)
    """What events are about, by their codes; those that are not here are told in any case."""

    @property
    def table_options(self) -> tuple[OptionSpec, ...]:
        """Those that a table may choose."""
        return tuple(spec for spec in self.options if spec.at_tables)


class Outcome(NamedTuple):
    """The end of a match: totals by seat, and competition ranking (1, 2, 2, 4)."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]

    @classmethod
    def of(cls, scores: tuple[int, ...]) -> Outcome:
        """The end with these totals: the highest wins; equal totals share the place.

        >>> Outcome.of((3, 9, 3, 1)).ranking
        (2, 1, 2, 4)
        """
        return cls(scores, tuple(1 + sum(other > score for other in scores) for score in scores))


class RoundHead(NamedTuple):
    """How a round begins, as in a record; None where a game has no such thing."""

    dealer: Seat | None
    start: Seat | None
    trump: str | None


class Event(NamedTuple):
    """Something that an action caused, and who is told.

    `audience` is None for everybody, spectators included.
    """

    phrase: Phrase
    audience: tuple[Seat, ...] | None = None


class Located(NamedTuple):
    """Where a card is in a state and which seats know that (spectators: `public`)."""

    card: str
    place: str
    known_to: tuple[Seat, ...]
    public: bool


class Observation(Protocol):
    """What one seat (None: a spectator) may know; built from a state, never stripped from it."""

    @property
    def seat(self) -> Seat | None:
        """Who looks; None for a spectator."""

    @property
    def legal_actions(self) -> Sequence[object]:
        """All legal actions of a seat that is to act, each once; else ()."""


S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
A = TypeVar("A")
A_contra = TypeVar("A_contra", contravariant=True)
O = TypeVar("O", bound=Observation)  # noqa: E741 - state, action, observation
O_contra = TypeVar("O_contra", bound=Observation, contravariant=True)


class GameRules(Protocol[S, A]):
    """The rules: what may be done, what becomes of it, and who has won.

    At a state where nobody is to act, `actors` is () and `outcome` is not None.  Where a deal is
    due `actors` is `(CHANCE,)`; the deal is applied like any other action, by the seat `CHANCE`.
    """

    @property
    def info(self) -> GameInfo:
        """What the game is, before anybody sits down; always the same value."""

    def complete_options(self, seats: int, given: Options) -> Options:
        """`given` with every default written out, in the order of the record.

        Raises NotationError: `option_unknown` (key), `option_type` (key), `option_range`
        (key, minimum, maximum), `option_conflict` (key, other), `seats` (minimum, maximum).
        """

    def initial(self, seats: int, options: Options) -> S:
        """The state before the first deal.

        `options` as `complete_options` gives them now, or gave them before an option was there.
        """

    def one_round(self, options: Options, state: S) -> Options:
        """Complete options of a match of one round, which begins as the round that is due at
        `state` does in a match with `options`.

        What that round takes over from those before it is in them, but for its dealer or leader,
        who stands in the deal.  Totals are not taken over.
        """

    def actors(self, state: S) -> tuple[Seat, ...]:
        """Seats that may act now, ascending; several for secret simultaneous choices."""

    def question(self, state: S, seat: Seat) -> int:
        """Actions (deals included) that had been applied when `seat` was put its question."""

    def deal(self, state: S, draw: Draw) -> A:
        """The chance action now due; `draw` is its only randomness."""

    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """All legal actions, each once; () for a seat that is not to act (and for CHANCE)."""

    def is_legal(self, state: S, seat: Seat, action: A) -> bool:
        """Whether `apply` would accept, without building the list."""

    def apply(self, state: S, seat: Seat, action: A) -> S:
        """The state afterwards.  Always checks; raises RuleError with what is wrong."""

    def outcome(self, state: S) -> Outcome | None:
        """Totals and places at the end of the match; None before."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Totals of the completed rounds, by seat."""

    def round_head(self, state: S) -> RoundHead:
        """The head of the round that was dealt last; all None before the first."""

    def round_scores(self, state: S) -> tuple[int, ...] | None:
        """Points of the round just completed; None before the first deal and during a round."""


class GameKnowledge(Protocol[S_contra, A_contra, O]):
    """Who knows what: views of a state, what is told of an action, and where the cards are."""

    def observe(self, state: S_contra, seat: Seat | None) -> O:
        """What `seat` (None: a spectator) may know of the state."""

    def public_action(self, view: O, seat: Seat, action: A_contra) -> str:
        """`action` of `seat` as the observer may read it: blank (`hide ?`) where it is secret.

        The view is the reader's present one: what was secret may be open by now.
        """

    def events(
        self, before: S_contra, seat: Seat, action: A_contra, after: S_contra
    ) -> tuple[Event, ...]:
        """What to tell, and to whom, about an action that was applied."""

    def cards(self, state: S_contra) -> tuple[Located, ...]:
        """Every card of the pack with its place, once dealt; () before (for the laws)."""


class GameNotation(Protocol[S_contra, A, O_contra]):
    """Actions, cards and deals as texts and JSON (`data/docs/notation.md`)."""

    def format_action(self, action: A) -> str:
        """Canonical notation of a seat's action."""

    def parse_action(self, text: str, view: O_contra | None = None) -> A:
        """The action that `text` names.

        Without a view canonical text only (records).  With one, a person typed it:
        case, spaces and the order of numbers and cards are forgiven, and what the situation
        fixes may be left out.  Raises NotationError when it is no action; an illegal action
        is returned (`apply` refuses it with the reason).
        """

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        """Codes of all cards in canonical order; `options` complete."""

    def deal_to_json(self, action: A) -> Json:
        """The `deal` of a record."""

    def deal_from_json(self, state: S_contra, data: Json, head: RoundHead) -> A:
        """The deal, due at `state`, that a record's `deal` and the head of its round describe.

        Only what chance decided is taken from the head (the first dealer or leader); whether
        the rest is right is for `round_head` to say once the deal was applied.

        Raises NotationError `deal_malformed`, `no_dealer`, `no_start`.
        """


class GameInterface(Protocol[A, O_contra]):
    """What a seat is shown, what it may press, and what is done for one who does not answer."""

    def layout(self, view: O_contra) -> Layout:
        """What its owner sees and may press: codes and cards, no sentences."""

    def story(self, view: O_contra) -> Story | None:
        """Why each scored what they did in the round just completed; else None.

        It names nothing that a spectator does not know.
        """

    def advice(self, view: O_contra, action: A) -> Iterable[Phrase]:
        """What speaks for a legal action of the view's seat, or against it, the best reason first.

        There is one at least.  Only what the seat knows plays a part in them.
        """

    def compose(self, view: O_contra, cards: Sequence[str], flags: frozenset[str]) -> A:
        """The action that a chosen combination means.  Raises RuleError if it means none."""

    def default_action(self, view: O_contra) -> A:
        """What is played for somebody who does not answer."""

    def standing_action(self, view: O_contra) -> A | None:
        """The answer of somebody who passes for the whole deal; None: they have to be asked.

        Only a pass, and never one that costs something.
        """


class Game(
    GameRules[S, A],
    GameKnowledge[S, A, O],
    GameNotation[S, A, O],
    GameInterface[A, O],
    Protocol[S, A, O],
):
    """A game: pure methods; states, actions and observations are immutable.

    What a method means stands in the four protocols; a game says only what is its own.
    """


AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game whose state and action types are its own business.

Python cannot say "some S, A, O"; values of one game are only ever handed back to that game.
"""


def dealt_told(number: int, hands: Sequence[tuple[str, ...]]) -> Iterator[Event]:
    """What everybody is told of the deal of a round, and each of the own hand.

    The phrases are `dealt` (number, and count: cards in every hand) and `dealt_hand` (cards).
    """
    yield Event(phrase("dealt", number=number, count=len(hands[0])))
    for seat, hand in enumerate(hands):
        yield Event(phrase("dealt_hand", cards=Cards(hand)), (seat,))


def winners_told(scores: Sequence[int]) -> tuple[Event, ...]:
    """What everybody is told at the end of a match that each plays alone; the highest total wins.

    The phrase is `match_won`, or `match_shared` for each of several winners (seat, count).

    >>> [(event.phrase.code, event.phrase.params["seat"].seat) for event in winners_told([9, 3, 9])]
    [('match_shared', 0), ('match_shared', 2)]
    """
    most = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == most]
    code = "match_won" if len(winners) == 1 else "match_shared"
    return tuple([Event(Phrase(code, {"seat": SeatName(seat), "count": most})) for seat in winners])
