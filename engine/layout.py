"""`Layout`: what a seat sees and may press, as codes and cards; the input of every renderer.

No sentence stands here and no measure of any screen.  `Phrase` codes are looked up in the
catalogues; cards and actions stand in their notation (`data/docs/notation.md`), so that a control's
action is exactly what a person could have typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never


class SeatName(NamedTuple):
    """A parameter that is read as the name of whoever sits there."""

    seat: int


class Cards(NamedTuple):
    """A parameter that is read as cards."""

    codes: tuple[str, ...]
    """As the notation writes them: a card that counts twice has its `x2`."""
    turned: bool = False
    """Whether the higher of two numbers counts, and is seen first."""


class Suit(NamedTuple):
    """A parameter that is read as a suit or colour: its mark and its name."""

    code: str


class InWords(NamedTuple):
    """A parameter that is read as a number in words: `four`."""

    value: int


Param: TypeAlias = int | str | SeatName | Cards | Suit | InWords


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


PLAYABLE: Final = "playable"
"""Mark of a card that may be part of a legal action."""


TURNED: Final = "turned"
"""Mark of a card of two numbers of which the higher one counts."""


class CardView(NamedTuple):
    """A card to show: its code, the group it is sorted under, and marks such as `double`."""

    code: str
    group: str = ""
    marks: tuple[str, ...] = ()

    @property
    def seen(self) -> str:
        """Its code as people see it."""
        return as_it_lies(self.code, turned=TURNED in self.marks)


def as_it_lies(code: str, *, turned: bool) -> str:
    """A card of two numbers as it is seen: the one that counts first; `x2` stays behind it.

    >>> as_it_lies("6-8x2", turned=True)
    '8-6x2'
    """
    card, sign, times = code.partition("x")
    return "-".join(reversed(card.split("-"))) + sign + times if turned else code


@dataclass(frozen=True, slots=True)
class Headline:
    """What must be seen first, or next to what is asked; `symbol` needs no words (`▲`)."""

    phrase: Phrase
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text; in the tone `foot` it stands below everything, controls included."""

    phrase: Phrase
    tone: Literal["normal", "strong", "small", "foot"] = "normal"
    seen: bool = False
    """Whether what lies on the table shows it: a picture of the table tells it as well."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards that lie together; grouped and sorted as they stand here.

    Marks: `PLAYABLE`, `twice` (counts as two, which codes alone write as `x2`), `turned` (of two
    numbers the higher one counts), `special` (a trump), `unwanted` (of a colour that its owner does
    not want) and what the game adds; where its catalogue has a sign for a mark (`mark.twice`), that
    stands behind the card.
    """

    role: Literal["hand", "table", "aside", "open"]
    cards: tuple[CardView, ...]


class SeatView(NamedTuple):
    """One seat as the observer sees it.

    Marks: `to_act`, `out`, `leads`, `lies` (theirs is the set to beat), `self`, `partner`, and
    `chosen` or `choosing` while all choose secretly.  `facts` are what else stands beside the name
    (`3 tricks`).
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
    """A card in a trick.  Marks: `winning`, `down` (it lies face down, and its owner still sees
    it), `special` and what the game adds.

    The code is empty for a card that lies face down (for whoever may not know it).
    """

    seat: int
    card: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of a trick in the order of play, and the seats still to play to it.

    The last one stays until the lead after it has been answered.
    """

    role: Literal["current", "last"]
    cards: tuple[Laid, ...]
    awaited: tuple[int, ...] = ()
    reason: Phrase | None = None
    """Of the last one: who has won it (`seat`) and why, naming their card (`cards`); without
    these if nobody has."""


@dataclass(frozen=True, slots=True)
class LastSet:
    """The set with which a series ended, whose it was, and why they took the series.

    It stays until the lead after it has been answered.
    """

    seat: int
    cards: tuple[CardView, ...]
    reason: Phrase
    """Names the seat (`seat`) and all the cards (`cards`)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers that are added up as they are turned, on the way to a goal; None: still covered."""

    terms: tuple[int | None, ...]
    total: int
    goal: int


@dataclass(frozen=True, slots=True)
class Ladder:
    """What beats what: cards of each rung beat those of all after it.

    A card without a code stands for all that have its marks.
    """

    rungs: tuple[tuple[CardView, ...], ...]
    said: Phrase
    """The same in words."""


Block: TypeAlias = Headline | Line | CardRow | SeatRow | Chips | Trick | LastSet | Tally | Ladder


def under_way(blocks: Iterable[Block]) -> bool:
    """Whether cards lie there of a trick that is not complete, or of a series."""
    return any(
        isinstance(block, Trick | CardRow) and block.role in ("current", "table") and block.cards
        for block in blocks
    )


class Term(NamedTuple):
    """A part of somebody's points of a round, and what it is for."""

    points: int
    why: Phrase


@dataclass(frozen=True, slots=True)
class Story:
    """What everybody is told of a round that is complete: why each scored what they did."""

    accounts: tuple[tuple[Term, ...], ...]
    """By seat: the parts of its points of the round, which add up to them; () says no more than
    that there are none.  In teams every member has those of the team."""
    facts: tuple[Phrase, ...] = ()
    """What decided the round as a whole (`Ann resigned`)."""


@dataclass(frozen=True, slots=True)
class Act:
    """One press that is one action.

    The label is the phrase if there is one, else the cards.  `notes` say more where there is
    room (`flips the mode`).  Acts of one `group` (a suit) stand together, with the choices of that
    group; where any act has a group all acts with cards have one, but one that goes before all of
    them, and they stand in the order of the groups.
    """

    action: str
    label: Phrase | None = None
    cards: tuple[str, ...] = ()
    style: Literal["primary", "secondary", "success", "danger"] = "secondary"
    notes: tuple[Phrase, ...] = ()
    group: str = ""
    forced: bool = False
    """A card played openly to a trick that is the only legal action: no word and no secret."""
    formal: bool = False
    """A word for form's sake: the only legal action, asked so that others learn nothing, or after
    which its owner acts again.  Where no other person plays nobody is asked for it."""
    public: bool = False
    """The only legal action, as everybody sees who knows the cards of the game: a table gives it by
    itself."""
    confirm: Phrase | None = None
    """For a control of its own that gives something up for good: its price.  Whoever presses it
    is asked once."""


@dataclass(frozen=True, slots=True)
class Combine:
    """Choose some of these cards (and flags); `Game.compose` says which action that is."""

    cards: tuple[str, ...]
    minimum: int
    maximum: int
    flags: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """Those of the cards that must be among the chosen ones."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A first step: opening it offers its acts, or a combination where they are too many.

    `key` is unique in its layout and has no `~`; `count` is the number of actions behind it.  A
    `menu` is open from the start: a button for each of the cards to combine, at most 20, of which
    exactly so many are chosen, and no flags.
    Choices of one `group` (a number) stand together, with the acts of that group.
    """

    key: str
    label: Phrase
    count: int
    acts: tuple[Act, ...] = ()
    combine: Combine | None = None
    menu: bool = False
    group: str = ""
    title: Phrase | None = None
    """What is chosen, as a sentence that stands alone: `Play three 7s`."""
    notes: tuple[Phrase, ...] = ()
    """What stands below the title where there is room."""
    how: Phrase | None = None
    """How it plays cards that can be played otherwise, too: `face down`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Offers to pass for the whole deal (`Game.standing_action`), and to take that back.

    Whether it holds is known to the table, not to the game.
    """

    label: Phrase
    undo: Phrase
    means: Phrase
    """What it does, for whoever has chosen it."""
    offered: bool = True
    """Whether it is offered now; else it can only be taken back."""
    alone: bool = True
    """Whether it spares anything where no other person plays."""


Control: TypeAlias = Act | Choice | Standing


class Barred(NamedTuple):
    """Cards of the hand of whoever is asked that are in no legal action, and why not.

    Identical cards stand there as often as they are held.
    """

    cards: tuple[str, ...]
    why: Phrase
    """Its rule, as the rules' text says it, is in the catalogue under `<code>.rule`."""
    idle: bool = False
    """Whether no card is asked for at all, so that nobody wonders."""


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
    asks: Phrase | None = None
    """What is asked of whoever is to act, in so few words that they stand behind a name: `beat
    four 0s`.  The house says of whom.  None where nobody is to act.
    """
    ahead: tuple[Act, ...] = ()
    """What the owner may choose ahead, while it is not their turn, to do when it is: single cards
    played openly to a trick, no word and no secret, since nobody may learn anything from how soon
    they come.  Among them is every such card that may be legal then; whether one is shows only
    then."""
    tip: Phrase | None = None
    """To the seat that is to act, while it learns the game: what its decision is for, in one
    line.  Its code says which kind of decision it is: each is explained once."""
    barred: tuple[Barred, ...] = ()
    """To the seat that is to act: those of its cards that are in no legal action, each once."""
    goal: Phrase | None = None
    """To whoever learns the game: what everybody plays for, in one line."""
    words: tuple[Phrase, ...] = ()
    """To whoever learns the game: what words mean that are met here."""

    @property
    def hand(self) -> tuple[CardView, ...]:
        """The cards that the owner holds, as they are sorted."""
        rows = (block for block in self.blocks if isinstance(block, CardRow))
        return tuple([card for row in rows if row.role == "hand" for card in row.cards])

    @property
    def acts(self) -> tuple[Act, ...]:
        """Every act that it offers, those of its choices too."""
        found: list[Act] = []
        for control in self.controls:
            match control:
                case Act():
                    found.append(control)
                case Choice():
                    found += control.acts
                case Standing():
                    pass
                case _:
                    assert_never(control)
        return tuple(found)

    def seen(self, code: str) -> str:
        """A card of the hand as its owner sees it there; `x2` stays behind it."""
        card = code.partition("x")[0]
        turned = any(card == one.code and TURNED in one.marks for one in self.hand)
        return as_it_lies(code, turned=turned)

    @property
    def chooses(self) -> bool:
        """Whether a card is asked for, so that those of the hand that may be played stand out."""
        playable = any(PLAYABLE in card.marks for card in self.hand)
        return playable or any(not barred.idle for barred in self.barred)
