"""View of one position of a round that is open to all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from bot.ids import QuestionId
from bot.tables.hinting import Opinion
from bot.tables.model import Table
from bot.tables.review import ReviewedRound, Step, open_rounds
from bot.views.building import begun_head
from bot.views.hinting import HintView, advised
from bot.views.values import BetweenRoundsView, TableHead
from engine.game import Seat
from engine.layout import CardView, Layout, Phrase

ALL_OPEN: Final = "all"
"""In place of a seat: all hands are open."""


class Move(StrEnum):
    """Where a press leads from a position."""

    FIRST = "first"
    BACK = "back"
    ON = "on"
    LAST = "last"
    LEAD = "lead"
    """To the next trick or series."""
    VIEW = "view"
    """To another view, or with all hands open."""
    ROUND = "round"
    STRONG = "strong"
    """Asks what a strong computer player would do."""
    SHARE = "share"


class Place(NamedTuple):
    """A position, and how it is seen."""

    round: int
    """From 1."""
    position: int
    """From 0."""
    seat: Seat | None
    """The seat whose view it is; None: all hands are open."""


class Next(NamedTuple):
    """What was done at a position."""

    seat: Seat
    told: tuple[Phrase, ...]
    secret: tuple[str, ...]
    """Cards that only its seat saw then, where the view is its own or open."""


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One position of a round."""

    head: TableHead
    place: Place
    rounds: tuple[int, ...]
    """Numbers of all rounds that are open."""
    last: int
    """Number of the last position."""
    layout: Layout
    """What the seat saw; with all hands open what everybody did."""
    hands: tuple[tuple[CardView, ...], ...]
    """By seat, where all hands are open; else ()."""
    secrets: tuple[tuple[str, ...], ...]
    """By seat, there: what it had put aside, and nobody else saw."""
    told: tuple[Phrase, ...]
    """What everybody was told of the action before."""
    next: Next | None
    """None at the end."""
    pause: BetweenRoundsView | None
    """How the round ended, at its end."""
    stopped: bool
    """Whether the match was stopped at this position."""
    series: bool
    """Whether cards are played in series."""
    asks: bool
    """Whether a computer player may be asked about what was done."""
    opinion: HintView | None = None
    same: bool = False
    """Whether the computer player would have done the same."""


def moved(shown: ReviewedRound, place: Place, move: Move) -> Place:
    """Where a press leads, within the round."""
    match move:
        case Move.FIRST:
            position = 0
        case Move.BACK:
            position = place.position - 1
        case Move.ON:
            position = place.position + 1
        case Move.LAST:
            position = shown.last
        case Move.LEAD:
            position = shown.next_lead(place.position)
        case Move.VIEW | Move.ROUND | Move.STRONG | Move.SHARE:
            position = place.position
    return place._replace(position=min(max(position, 0), shown.last))


def review_view(
    table: Table, shown: ReviewedRound, place: Place, opinion: Opinion | None = None
) -> ReviewView:
    """The view of a position of an open round."""
    position, seat = place.position, place.seat
    head, points = _nobody_absent(begun_head(table)), shown.points
    at_end = position == shown.last
    step = None if at_end else shown.steps[position]
    # What is asked stands there as for everybody: to others "you can only pass" is no sentence.
    asked = shown.layout(position, None).asks
    view = ReviewView(
        head=head,
        place=place,
        rounds=open_rounds(table),
        last=shown.last,
        layout=replace(shown.layout(position, seat), asks=asked),
        hands=() if seat is not None else tuple(_hands(shown, position, len(head.names))),
        secrets=() if seat is not None else shown.secrets(position),
        told=shown.steps[position - 1].told if position else (),
        next=None if step is None else _next(step, seat),
        pause=_pause(shown, points) if at_end and points is not None else None,
        stopped=at_end and points is None,
        series=shown.game.info.series,
        asks=step is not None and seat in (None, step.seat),
    )
    if opinion is None or step is None:
        return view
    seen = shown.seen(position, step.seat)
    said = advised(table, head, seen, opinion)
    return replace(
        view, opinion=said, same=said.best == step.text and not (opinion.only or said.even)
    )


def _nobody_absent(head: TableHead) -> TableHead:
    """For whom a stand-in plays now says nothing of then."""
    return replace(head, sitters=tuple(one._replace(stand_in=False) for one in head.sitters))


def _hands(shown: ReviewedRound, position: int, seats: int) -> Iterator[tuple[CardView, ...]]:
    return (shown.layout(position, seat).hand for seat in range(seats))


def _next(step: Step, seat: Seat | None) -> Next:
    """The action itself, and what the clock had to do with it; what it led to comes next."""
    own = next(
        (at for at, one in enumerate(step.told) if not one.code.startswith("table.")),
        len(step.told),
    )
    told = step.told[: own + 1]
    return Next(step.seat, told, step.secret if seat in (None, step.seat) else ())


def _pause(shown: ReviewedRound, points: tuple[int, ...]) -> BetweenRoundsView:
    story = shown.game.story(shown.seen(shown.last, None))
    return BetweenRoundsView(
        QuestionId(0), shown.number, points, shown.totals, frozenset(), None, story=story
    )
