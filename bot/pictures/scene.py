"""`Scene`: seats, trick, series and marks of a board, and cards, read from a layout.

Of a hand it says which cards are lifted, and which are shaded.

Only the sentences in `SAID` become a sign; every other is in the text alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from bot.pictures.faces import Face
from bot.pictures.pen import known
from bot.pictures.pieces import Mood
from bot.pictures.tiles import Look
from engine import layout as ui

SAID: Final[Mapping[str, str]] = MappingProxyType(
    {
        "chip_trump": "trump",
        "special": "trump",
        "value": "value",
        "value_most": "value",
        "tricks": "tricks",
        "team_tricks": "tricks",
        "our_tricks": "ours",
        "their_tricks": "theirs",
        "led": "led",
        "speaks": "speaks",
        "dealer": "deals",
        "unwanted": "unwanted",
        "has_kaisers": "kaisers",
        "has_mugg": "mugg",
        "had_open": "open",
        "had_open_trump": "open",
        "changes_odd": "next",
    }
)
"""What the phrases tell that a sign can tell as well."""

SEATS: Final = range(1, 7)
"""How many seats there is room for."""
_TO_PLAY: Final = frozenset({"leads", "choosing"})
"""Marks of seats of which a card is to come."""

B = TypeVar("B")


class Place(NamedTuple):
    """A seat as it is drawn."""

    seat: int
    label: str
    mood: Mood
    cards: int
    score: str
    """Empty as long as nobody has points."""
    tricks: str = ""
    unwanted: tuple[str, int] | None = None
    kaisers: tuple[str, ...] = ()
    mugg: tuple[str, ...] = ()
    hidden: bool = False
    """Whether it has put a card aside that nobody sees."""
    chooses: bool = False
    """Whether it is to put one aside."""
    awaited: bool = False
    """Whether a card of it is still to come."""
    team: int | None = None
    initials: str = ""
    """What tells it from the others where there is room for a letter or two."""
    own: bool = False
    """Whether it is that of whoever looks."""
    speaks: bool = False
    """Whether it speaks for its team."""
    deals: bool = False
    opened: Face | None = None
    """The card that was dealt openly to it, once it lies there no more and unless it was seen
    played."""

    @property
    def crowned(self) -> int:
        """How many Kaisers it has declared."""
        return len(self.kaisers) + len(self.mugg)

    @property
    def crowded(self) -> bool:
        """Whether its open card has no room beside its Kaisers."""
        return self.opened is not None and self.crowned > 1


class Lying(NamedTuple):
    """A card before a seat."""

    seat: int
    face: Face
    wins: bool
    down: bool
    """Whether it lies face down."""
    order: int = 0
    """When it was played, counted from 1; 0 if it was dealt openly."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a board shows."""

    places: tuple[Place, ...]
    lying: tuple[Lying, ...] = ()
    """Before the seats: the trick, the last one of a round, or what was dealt openly."""
    past: tuple[Lying, ...] = ()
    """The trick that was finished before."""
    table: tuple[Face, ...] = ()
    """The set to beat; the last one of a round lies there still."""
    owner: str = ""
    """Whose that is."""
    past_set: tuple[Face, ...] = ()
    """The set that took the series before."""
    past_winner: str = ""
    """Whose that was."""
    aside: tuple[Face, ...] = ()
    mode: str = ""
    """Symbol of the headline."""
    coming: str = ""
    """That of the mode to come, if it will turn."""
    trump: str = ""
    value: str = ""
    tally: ui.Tally | None = None
    ladder: tuple[tuple[Face, ...], ...] = ()
    """What beats what."""

    @property
    def won(self) -> tuple[int, int] | None:
        """Tricks of each of two teams; None where nobody plays for a team, or before the tricks."""
        tricks = {place.team: int(place.tricks) for place in self.places if place.tricks}
        return None if None in tricks or len(tricks) != 2 else (tricks[0], tricks[1])

    @property
    def is_series(self) -> bool:
        """Whether sets are played there, and no tricks."""
        return self.mode in ("▲", "▼") or bool(self.table)


def board_of(game: str, layout: ui.Layout, names: Sequence[str]) -> Scene | None:
    """What there is to draw on a board; None where nothing lies on the table."""
    scene = scene_of(game, layout, names)
    if scene is None:
        return None
    over = not any(place.mood is Mood.TURN for place in scene.places)
    choosing = any(place.hidden or place.chooses for place in scene.places)
    lies = scene.lying or scene.past or scene.table or choosing
    # Trumps or a mode are news before anything lies there.
    return scene if lies or ((scene.mode or scene.trump) and not over) else None


def scene_of(game: str, layout: ui.Layout, names: Sequence[str]) -> Scene | None:
    """What is to be seen of a table; None where more sit there than fit."""
    rows = [seat for block in _blocks(layout, ui.SeatRow) for seat in block.seats]
    over = not any("to_act" in seat.marks for seat in rows)
    lying, past = _tricks(game, layout, over=over)
    dealt = _open(game, layout, rows)
    lying = lying or dealt
    sets = list(_blocks(layout, ui.LastSet))
    table = _row(game, layout, "table")
    past_set = tuple(face_of(game, card.code, card.marks) for one in sets for card in one.cards)
    if over:
        table, past_set = past_set, ()
    mode = next((one.symbol for one in _blocks(layout, ui.Headline) if one.symbol), "")
    if len(rows) not in SEATS:
        return None
    owners = [seat.seat for seat in rows if "lies" in seat.marks]
    won = {one.seat for one in lying if one.wins}
    if over:
        owners = [one.seat for one in sets]
        won |= set(owners)
    awaited = {seat for one in _blocks(layout, ui.Trick) for seat in one.awaited}
    chips = [chip for block in _blocks(layout, ui.Chips) for chip in block.chips]
    tricks = _team_tricks(chips, rows)
    scored = any(seat.score for seat in rows)
    labels = [label_of(names[seat.seat], seat.seat) for seat in rows]
    called = zip(rows, labels, initials_of(labels), strict=True)
    return Scene(
        tuple(
            _place(
                seat, label, short, won, awaited, tricks,
                None if dealt else _opened(game, seat), scored=scored,
            )
            for seat, label, short in called
        ),
        lying, past, table,
        label_of(names[owners[0]], owners[0]) if owners else "",
        past_set,
        label_of(names[sets[0].seat], sets[0].seat) if past_set else "",
        _row(game, layout, "aside"), mode,
        next((_text(one, "symbol") for one in _told(layout, "next")), ""),
        next((suit for one in _meaning(chips, "trump") for suit in _suits(one)), ""),
        next((str(_number(one, "value")) for one in _meaning(chips, "value")), ""),
        next(iter(_blocks(layout, ui.Tally)), None),
        tuple(
            tuple(face_of(game, card.code, card.marks) for card in rung)
            for ladder in _blocks(layout, ui.Ladder)
            for rung in ladder.rungs
        ),
    )  # fmt: skip


def label_of(name: str, seat: int) -> str:
    """What stands at a place: the name, or `#` and its number where our font lacks letters."""
    name = name.strip()
    return name if name and all(map(known, name)) else f"#{seat + 1}"


def initials_of(labels: Sequence[str]) -> list[str]:
    """As few letters of each as tell it from the others: the first, two, or the first and the last.

    >>> initials_of(["Ann", "Ben", "#3", "Computer 1", "Computer 2"])
    ['A', 'B', '#3', 'C1', 'C2']
    """
    ways = [
        [label if label.startswith("#") else label[:1] for label in labels],
        [label[:2] for label in labels],
        [label[0] + label[-1] for label in labels],
        [f"#{number}" for number in range(1, len(labels) + 1)],
    ]
    return [
        next(way[number] for way in ways if way.count(way[number]) == 1)
        for number in range(len(labels))
    ]


def signed(number: int) -> str:
    """With a minus as wide as a figure.

    >>> signed(-3)
    '−3'
    """
    return str(number).replace("-", "\N{MINUS SIGN}")


def _place(
    seat: ui.SeatView, label: str, initials: str, won: set[int], awaited: set[int],
    tricks: Mapping[int, int], opened: Face | None, *, scored: bool,
) -> Place:  # fmt: skip
    marks = set(seat.marks)
    if "to_act" in marks:
        mood = Mood.TURN
    elif "out" in marks:
        mood = Mood.OUT
    else:
        mood = Mood.WON if seat.seat in won or "lies" in marks else Mood.PLAIN
    count: int | None = tricks.get(seat.seat)
    for fact in _meaning(seat.facts, "tricks"):
        count = _number(fact, "count")
    unwanted = [
        (suit, _number(fact, "number"))
        for fact in _meaning(seat.facts, "unwanted")
        for suit in _suits(fact)
    ]
    return Place(
        seat.seat, label, mood, seat.cards_left,
        signed(seat.score) if scored else "",
        "" if count is None else str(count),
        unwanted[0] if unwanted else None,
        _codes(seat, "kaisers"), _codes(seat, "mugg"),
        "chosen" in marks, "choosing" in marks, seat.seat in awaited or bool(marks & _TO_PLAY),
        seat.team, initials, "self" in marks,
        any(_meaning(seat.facts, "speaks")), any(_meaning(seat.facts, "deals")), opened,
    )  # fmt: skip


def _tricks(
    game: str, layout: ui.Layout, *, over: bool
) -> tuple[tuple[Lying, ...], tuple[Lying, ...]]:
    """What lies before the seats, and the trick before it: the last of a round lies there still."""
    found = {trick.role: trick for trick in _blocks(layout, ui.Trick)}
    for block in layout.more:
        if isinstance(block, ui.Trick):
            found.setdefault(block.role, block)
    shown = {role: tuple(_lying(game, laid, order) for order, laid in enumerate(one.cards, 1))
             for role, one in found.items()}  # fmt: skip
    current, last = shown.get("current", ()), shown.get("last", ())
    return (last, ()) if over and not current else (current, last)


def _lying(game: str, laid: ui.Laid, order: int) -> Lying:
    down = "down" in laid.marks or not laid.card
    # What its owner still sees lies face down for everybody else: so it is drawn for all.
    marks = [mark for mark in laid.marks if not down or mark == "kaiser"]
    face = face_of(game, "" if down else laid.card, marks)
    return Lying(laid.seat, face, "winning" in laid.marks, down, order)


def _open(game: str, layout: ui.Layout, rows: Sequence[ui.SeatView]) -> tuple[Lying, ...]:
    """Cards that were dealt openly, before their owners."""
    cards = {card.code: card for row in _blocks(layout, ui.CardRow) if row.role == "open"
             for card in row.cards}  # fmt: skip
    owners = {
        code: seat.seat
        for seat in rows
        for meaning in ("open", "kaisers", "mugg")
        for code in _codes(seat, meaning)
    }
    return tuple(
        Lying(owners[code], face_of(game, code, card.marks), wins=False, down=False)
        for code, card in cards.items()
        if code in owners
    )


def _row(game: str, layout: ui.Layout, role: str) -> tuple[Face, ...]:
    rows = (row for row in _blocks(layout, ui.CardRow) if row.role == role)
    return tuple(face_of(game, card.code, card.marks) for row in rows for card in row.cards)


def _blocks(layout: ui.Layout, kind: type[B]) -> Iterator[B]:
    return (block for block in layout.blocks if isinstance(block, kind))


# Phrases that a sign tells as well


def _meaning(phrases: Sequence[ui.Phrase], meaning: str) -> Iterator[ui.Phrase]:
    return (one for one in phrases if SAID.get(one.code) == meaning)


def _told(layout: ui.Layout, meaning: str) -> Iterator[ui.Phrase]:
    return _meaning([line.phrase for line in _blocks(layout, ui.Line)], meaning)


def _number(phrase: ui.Phrase, key: str) -> int:
    value = phrase.params.get(key)
    return value if isinstance(value, int) else 0


def _text(phrase: ui.Phrase, key: str) -> str:
    value = phrase.params.get(key)
    return value if isinstance(value, str) else ""


def _suits(phrase: ui.Phrase) -> Iterator[str]:
    return (value.code for value in phrase.params.values() if isinstance(value, ui.Suit))


def _codes(seat: ui.SeatView, meaning: str) -> tuple[str, ...]:
    return tuple(
        code
        for fact in _meaning(seat.facts, meaning)
        for value in fact.params.values()
        if isinstance(value, ui.Cards)
        for code in value.codes
    )


def _opened(game: str, seat: ui.SeatView) -> Face | None:
    marks = ["special" for fact in seat.facts if fact.code == "had_open_trump"]
    return next((face_of(game, code, marks) for code in _codes(seat, "open")), None)


def _team_tricks(chips: Sequence[ui.Phrase], rows: Sequence[ui.SeatView]) -> dict[int, int]:
    """By seat, as everybody is told it, and as whoever plays is."""
    found = {
        value.seat: _number(chip, "count")
        for chip in _meaning(chips, "tricks")
        for value in chip.params.values()
        if isinstance(value, ui.SeatName)
    }
    for meaning, ours in (("ours", True), ("theirs", False)):
        for chip in _meaning(chips, meaning):
            for seat in rows:
                if bool({"self", "partner"} & set(seat.marks)) is ours:
                    found[seat.seat] = _number(chip, "count")
    return found


# Cards to be drawn.
#
# A layout is all that is known here, so a picture shows nothing that its owner may not see.

_DRAWN: Final = frozenset(
    {"double", "twice", "change", "special", "unwanted", "kaiser", "mugg", "gone"}
)
"""Marks of cards that are seen on them."""


class Shown(NamedTuple):
    """A card to draw, and how it lies."""

    face: Face
    look: Look


def hand_of(game: str, layout: ui.Layout) -> tuple[Shown, ...]:
    """The owner's hand: what may be played is lifted where the rest may not, which is shaded.

    A declared Kaiser is never shaded: that it cannot be chosen now does not make it weak.  Where no
    card can be, the others are not either: it would look like the one that can.
    """
    faces = [face_of(game, card.code, card.marks) for card in layout.hand]
    playable = [ui.PLAYABLE in card.marks for card in layout.hand]
    none = not any(playable) and any("kaiser" in face.marks for face in faces)
    if not layout.chooses or all(playable) or none:
        return tuple(Shown(face, Look.FLAT) for face in faces)
    return tuple(
        Shown(face, Look.LIFTED if may else Look.FLAT if "kaiser" in face.marks else Look.SHADED)
        for face, may in zip(faces, playable, strict=True)
    )


def face_of(game: str, code: str, marks: Iterable[str]) -> Face:
    """What is to be seen of a card that a layout shows; without a code its back."""
    shown = frozenset(marks)
    return Face(game, code, ui.TURNED in shown, _DRAWN & shown)
