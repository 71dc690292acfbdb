"""`Snapshot`: everything that one draw of a table shows, and to whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.ids import ALONE, QuestionId, UserId
from bot.tables.model import Table
from bot.tables.phase import Closing, Lobby, Pause, Round
from bot.tables.published import Check
from bot.tables.stored import Stop
from bot.views.building import BoardPlace, channel_view, hand_view, notice_view
from bot.views.values import ChannelView, HandView, NoticeView

HandOf: TypeAlias = Callable[[UserId, BoardPlace | None], HandView | None]


class Panel(NamedTuple):
    """What the hand panel of somebody who gets it by DM has to show at least."""

    user: UserId
    asked: bool
    """Whether they are asked now; a seat that answers itself is not, nor whoever has chosen ahead
    what is played now."""
    question: QuestionId
    """Number of the question, for whoever is not asked the ply of the deal: so their panel is
    drawn once a round and not at every ply."""
    warned: bool = False
    """Whether their time runs out soon."""


class Moment(NamedTuple):
    """What a round, or the pause after it, has come to for one person."""

    deal: QuestionId
    """Ply of the round's deal; its questions have higher numbers."""
    open: QuestionId | None
    """The question that is put to their seat now, whoever answers it; None if there is none."""
    ended: int = 0
    """Number of the round if it is over, else 0."""
    ahead: QuestionId | None = None
    """Since when they have chosen a card ahead."""
    unasked: bool = False
    """Whether that question is answered without them: by a stand-in, the table, a card ahead."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What there is to see of one version of a table."""

    version: int
    """Counts the commits of the table; -1 if there is no such table, or it cannot be read."""
    view: ChannelView | None
    """None if the version is -1."""
    panels: tuple[Panel, ...]
    notice: NoticeView | None
    """Whom a line in the channel has to call; None if there is nobody."""
    uncalled: tuple[UserId, ...]
    """Users whom nothing calls and for whom others wait: who are asked, get no hand by DM, and sit
    at a table that posts no line; and for whom a rematch keeps seats."""
    waits: bool
    """Whether the match waits until the table can be shown."""
    hand: HandOf
    """The hand of a user, with a link to the board; None if they have none now."""
    moments: Mapping[UserId, Moment] = field(default_factory=dict)
    """By everybody who sits there, while cards are dealt."""
    newcomers: tuple[UserId, ...] = ()
    """Who is told by direct message what binds the deals, if they were not yet: before a deal
    whoever sits there, later whoever has just sat down."""
    sought: Mapping[int, int] = field(default_factory=dict)
    """Free seats for which a substitute is called, and the number of each call."""
    told: tuple[UserId, ...] = ()
    """Who is written to that the table is over, as a restoration ended it: whatever came by direct
    message since the copy was made nobody knows."""


NOTHING: Final = Snapshot(-1, None, (), None, (), waits=False, hand=lambda _user, _board: None)
"""Of a table that does not exist or cannot be read."""


def snapshot_of(table: Table, check: Check | None = None, *, letters: bool = True) -> Snapshot:
    """What there is to see of `table` as it stands; `check`: as of `channel_view`.

    Without `letters` nobody is known to get a direct message: a line calls them meanwhile.

    Whoever plays alone has their hand on the board, and nowhere else.

    Raises TableError `unreadable`.
    """
    alone = table.stored.guild == ALONE
    notice = notice_view(table, letters=letters or alone)
    return Snapshot(
        version=table.stored.version,
        view=channel_view(table, check),
        panels=() if alone else _panels(table),
        notice=notice,
        uncalled=() if alone else (*(_unreached(table) if notice is None else ()), *_kept(table)),
        waits=table.stored.timing.stalled is not None,
        hand=partial(hand_view, table),
        moments=_moments(table),
        newcomers=() if alone else _newcomers(table),
        sought=table.stored.seating.sought,
        told=() if alone else _told(table),
    )


def _panels(table: Table) -> tuple[Panel, ...]:
    """Of everybody whose hand goes by DM."""
    stored = table.stored
    if not isinstance(table.phase, Round | Pause):
        return ()
    asked, deal, panels = table.asked, table.phase.deal_ply, []
    for seat, place in enumerate(stored.seating.places):
        if place.person is not None and place.reachable is not False:
            user = place.person.id
            if seat in asked and table.ahead(seat) is None:
                question = table.questions[seat]
                warned = question == stored.timing.warned
                panels.append(Panel(user, asked=True, question=question, warned=warned))
            else:
                panels.append(Panel(user, asked=False, question=QuestionId(deal)))
    return tuple(panels)


def _told(table: Table) -> tuple[UserId, ...]:
    """Everybody at a table that a restoration ended who may be written to."""
    if table.stored.stop is not Stop.RESTORED:
        return ()
    places = table.stored.seating.places
    return tuple(p.person.id for p in places if p.person is not None and p.reachable is not False)


def _moments(table: Table) -> Mapping[UserId, Moment]:
    now, stored = table.phase, table.stored
    if not isinstance(now, Round | Pause):
        return {}
    ended, deal = now.number if isinstance(now, Pause) else 0, QuestionId(now.deal_ply)
    since = {user: chosen.since for user, chosen in stored.votes.ahead.items()}
    moments, asked = {}, table.asked
    for seat, place in enumerate(stored.seating.places):
        if place.person is not None:
            user, unasked = place.person.id, seat not in asked or table.ahead(seat) is not None
            moments[user] = Moment(
                deal, table.questions.get(seat), ended, since.get(user), unasked=unasked
            )
    return moments


def _kept(table: Table) -> tuple[UserId, ...]:
    """Users for whom seats are kept in the lobby of a rematch."""
    if not isinstance(table.phase, Lobby):
        return ()
    return tuple(person.id for person in table.stored.seating.kept.values())


def _newcomers(table: Table) -> tuple[UserId, ...]:
    match table.phase:
        case Closing():
            known: tuple[bool | None, ...] = (None, True)
        case Round() | Pause():
            known = (None,)
        case _:
            return ()
    places = (place for place in table.stored.seating.places if place.reachable in known)
    return tuple(place.person.id for place in places if place.person is not None)


def _unreached(table: Table) -> tuple[UserId, ...]:
    """Users who are asked and get no hand by DM."""
    places = [table.stored.seating.places[seat] for seat in table.asked]
    return tuple(
        place.person.id for place in places if place.person is not None and not place.reachable
    )
