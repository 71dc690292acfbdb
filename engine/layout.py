"""What a seat sees and may press, as codes and cards: the input of every renderer.

No sentence stands here and no measure of any screen.  `Phrase` codes are looked up in the
catalogues; cards and actions stand in their notation (`notation.md`), so that a control's
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


Param: TypeAlias = int | str | SeatName | Cards


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence of the catalogues: `<game>.<code>` with its parameters.

    A parameter `count`, if there is one, chooses the plural form.
    """

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


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

    Marks: `double`, `change` (what the card is) and `playable` (may be part of a legal action).
    """

    role: Literal["hand", "table", "aside"]
    cards: tuple[CardView, ...]


class SeatView(NamedTuple):
    """One seat as the observer sees it.  Marks: `to_act`, `out`, `leads`, `self`, `partner`."""

    seat: int
    cards_left: int
    score: int
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The seats in the order of play."""

    seats: tuple[SeatView, ...]


Block: TypeAlias = Headline | Line | CardRow | SeatRow


@dataclass(frozen=True, slots=True)
class Act:
    """One press that is one action.

    The label is the phrase if there is one, else the cards.  `notes` say more where there is
    room (`flips the mode`).
    """

    action: str
    label: Phrase | None = None
    cards: tuple[str, ...] = ()
    style: Literal["primary", "secondary", "success", "danger"] = "secondary"
    notes: tuple[Phrase, ...] = ()


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

    `key` is unique in its layout; `count` is the number of actions behind it.
    """

    key: str
    label: Phrase
    count: int
    acts: tuple[Act, ...] = ()
    combine: Combine | None = None


Control: TypeAlias = Act | Choice


@dataclass(frozen=True, slots=True)
class Layout:
    """Blocks from top to bottom and the controls below them.

    A seat that is to act gets controls that reach every legal action.  A spectator's layout
    (the board) carries only acts whose legality everybody knows, such as `pass`.
    """

    blocks: tuple[Block, ...]
    controls: tuple[Control, ...] = ()
