"""What a seat sees and may press, as codes and cards: the input of every renderer.

No sentence stands here and no measure of any screen.  `Phrase` codes are looked up in the
catalogues; cards and actions stand in their notation (`data/docs/notation.md`), so that a control's
action is exactly what a person could have typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias


class SeatName(NamedTuple):
    """A parameter that is read as the name of whoever sits there."""

    seat: int


class Cards(NamedTuple):
    """A parameter that is read as cards."""

    codes: tuple[str, ...]


class Suit(NamedTuple):
    """A parameter that is read as a suit or colour: its mark and its name."""

    code: str


Param: TypeAlias = int | str | SeatName | Cards | Suit


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence of the catalogues: `<game>.<code>` with its parameters.

    A parameter `count`, if there is one, chooses the plural form.
    """

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


def phrase(code: str, /, **params: Param) -> Phrase:
    """A phrase with its parameters by name."""
    return Phrase(code, params)


def holding(**marks: bool) -> tuple[str, ...]:
    """Names of the marks that hold, in the order given.

    >>> holding(to_act=True, leads=False)
    ('to_act',)
    """
    return tuple([mark for mark, holds in marks.items() if holds])


class CardView(NamedTuple):
    """A card to show: its code, the group it is sorted under, and marks such as `double`."""

    code: str
    group: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Headline:
    """What must be seen first; `symbol` is a mark that needs no words (`▲`)."""

    phrase: Phrase
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text."""

    phrase: Phrase
    tone: Literal["normal", "strong", "small"] = "normal"


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards that lie together; grouped and sorted as they stand here.

    Marks: `playable` (may be part of a legal action) and what the game adds; where its catalogue
    has a sign for a mark (`mark.double`), that stands behind the card.
    """

    role: Literal["hand", "table", "aside", "open"]
    cards: tuple[CardView, ...]


class SeatView(NamedTuple):
    """One seat as the observer sees it.

    Marks: `to_act`, `out`, `leads`, `self`, `partner`, and `chosen` or `choosing` while all
    choose secretly.  `facts` are what else stands beside the name (`3 tricks`).
    """

    seat: int
    cards_left: int
    score: int
    marks: tuple[str, ...] = ()
    facts: tuple[Phrase, ...] = ()
    team: int | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The seats in the order of play."""

    seats: tuple[SeatView, ...]


@dataclass(frozen=True, slots=True)
class Chips:
    """A few short facts in one line (`trump red`, `for 7`)."""

    chips: tuple[Phrase, ...]


class Laid(NamedTuple):
    """A card in a trick.  Marks: `winning` and what the game adds.

    The code is empty for a card that lies face down (for whoever may not know it).
    """

    seat: int
    card: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of a trick in the order of play, and the seats still to play to it."""

    role: Literal["current", "last"]
    cards: tuple[Laid, ...]
    awaited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers that are added up as they are turned, on the way to a goal; None: still covered."""

    terms: tuple[int | None, ...]
    total: int
    goal: int


Block: TypeAlias = Headline | Line | CardRow | SeatRow | Chips | Trick | Tally


@dataclass(frozen=True, slots=True)
class Act:
    """One press that is one action.

    The label is the phrase if there is one, else the cards.  `notes` say more where there is
    room (`flips the mode`).  Acts of one `group` (a suit) stand together; where any act has a
    group all acts with cards have one, and they stand in the order of the groups.
    """

    action: str
    label: Phrase | None = None
    cards: tuple[str, ...] = ()
    style: Literal["primary", "secondary", "success", "danger"] = "secondary"
    notes: tuple[Phrase, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Combine:
    """Choose some of these cards (and flags); `Game.compose` says which action that is."""

    cards: tuple[str, ...]
    minimum: int
    maximum: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A first step: opening it offers its acts, or a combination where they are too many.

    `key` is unique in its layout; `count` is the number of actions behind it.  A `menu` is
    open from the start: one select of its acts, or of the cards to combine, labelled `label`;
    at most 25 of them, and no flags.
    """

    key: str
    label: Phrase
    count: int
    acts: tuple[Act, ...] = ()
    combine: Combine | None = None
    menu: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """Offers to pass for the whole deal (`Game.standing_action`), and to take that back.

    Whether it holds is known to the table, not to the game.
    """

    label: Phrase
    undo: Phrase


Control: TypeAlias = Act | Choice | Standing


@dataclass(frozen=True, slots=True)
class Layout:
    """Blocks from top to bottom and the controls below them.

    A seat that is to act gets controls that reach every legal action.  A spectator's layout
    (the board) carries only acts whose legality everybody knows, such as `pass`.  `more` is
    what else may be looked at on demand: the last trick.
    """

    blocks: tuple[Block, ...]
    controls: tuple[Control, ...] = ()
    more: tuple[Block, ...] = ()
