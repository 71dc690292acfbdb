"""`Snapshot`: everything that one draw of a table shows, and to whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.ids import QuestionId, UserId
from bot.tables.deals import Check
from bot.tables.lobby import offers_now
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing, Lobby, Round
from bot.tables.queueing import seat_for
from bot.tables.stored import DeadlineKind, Offer, Status, Stop
from bot.views.building import (
    NO_WISHES,
    BoardPlace,
    Reach,
    channel_view,
    hand_view,
    is_called_again,
    notice_view,
    quiet_until,
    take_back_view,
)
from bot.views.values import Call, ChannelView, HandView, NoticeView, TakeBackView

HandOf: TypeAlias = Callable[[UserId, BoardPlace | None], HandView | None]


class Mark(IntEnum):
    """In place of the number of a round that is over: what else a hand shows; it is stored."""

    UNSURE = -1
    """Nobody knows: it was drawn twice at a time, or is to be redrawn."""
    RESTORATION_TOLD = -2
    """That a restoration ended the table."""
    ASKED = -3
    WAITS = -4
    REFUSED = -5
    """What it says of a wish to take a play back: a `TakeBackView.state`."""


def marked(view: TakeBackView | None) -> int:
    """The mark of a hand that shows `view`; 0 for one that shows none."""
    return 0 if view is None else Mark[view.state.upper()]


class WantedHand(NamedTuple):
    """The content that the hand of a person at the table must have, once cards are dealt."""

    deal: QuestionId
    """Ply of the round's deal; its questions have higher numbers."""
    question: QuestionId | None
    """The present question to their seat, even if a stand-in answers it; None if there is none."""
    ended: int = 0
    """Number of the round if it is over, else 0, or how it is `marked`."""
    ahead: QuestionId | None = None
    """Since when they have chosen a card ahead."""
    asked: bool = False
    """Whether they have to answer themselves: no stand-in does, nor the table, nor a card ahead."""
    warned: bool = False
    """Whether their time for it runs out soon."""
    by_letter: bool = False
    """Whether it goes to them by direct message."""

    @property
    def call(self) -> Call:
        """To the question; for people who are not asked to the ply of the deal, so that a new
        message comes once a round and not at every ply."""
        question = self.question if self.asked else None
        return Call(self.deal if question is None else question, self.warned)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything to see of one version of a table."""

    version: int
    """Counts the commits of the table; -1 if there is no such table, or it cannot be read."""
    view: ChannelView | None
    """None if the version is -1."""
    notice: NoticeView | None
    """People whom a line in the channel has to call; None if there are none."""
    waits: bool
    """Whether the match waits until the table can be shown."""
    hand: HandOf
    """The hand of a user, with a link to the board; None if they have none now."""
    hands: Mapping[UserId, WantedHand] = field(default_factory=dict)
    """By people at the table, from a round's deal to the next."""
    kept: tuple[UserId, ...] = ()
    """Users for whom the lobby of a rematch keeps seats."""
    newcomers: tuple[UserId, ...] = ()
    """People who are told by direct message the commitment to the deals, if they were not yet:
    before a deal everybody at the table, later people who have just sat down."""
    sought: Mapping[int, int] = field(default_factory=dict)
    """Free seats for which a substitute is called, and the number of each call."""
    offered: Mapping[UserId, Offer] = field(default_factory=dict)
    """Users in line to whom a place is offered, and until when."""
    offers_wait: bool = False
    """Whether none of these offers runs out for now."""
    called: Mapping[UserId, bool | None] = field(default_factory=dict)
    """Users who were invited to the open table, and whether that still calls them to it; None: not
    in this round, as they have seen another hand of it."""
    news: datetime | None = None
    """When a match ended whose result may be told elsewhere on its server; None: it is open, or its
    people are among themselves."""
    told: tuple[UserId, ...] = ()
    """People who are told by direct message that a restoration ended the table: it is unknown what
    they were sent since the backup."""
    quiet_until: datetime | None = None
    """When it is to be drawn again, since somebody who is asked may be called from then on."""


NOTHING: Final = Snapshot(-1, None, None, waits=False, hand=lambda _user, _board: None)
"""Of a table that does not exist or cannot be read."""


def snapshot_of(table: Table, check: Check | None = None, reach: Reach = NO_WISHES) -> Snapshot:
    """Everything to see of the present `table`; `check`: as in `channel_view`.

    A person who plays alone has their hand on the board, and nowhere else.

    Raises TableError `unreadable`.
    """
    alone = table.stored.alone
    if alone:
        reach = reach._replace(letters=True, without=())
    return Snapshot(
        version=table.stored.version,
        view=channel_view(table, check),
        notice=notice_view(table, reach),
        waits=table.stored.timing.stalled is not None,
        hand=partial(hand_view, table),
        hands=_hands(table, reach),
        kept=() if alone else _kept(table),
        newcomers=() if alone else _newcomers(table, reach),
        sought=table.stored.seating.sought,
        offered={
            table.stored.seating.kept[place].id: offer
            for place, offer in offers_now(table.stored).items()
        },
        offers_wait=table.stored.timing.deadline(DeadlineKind.OFFERED) is None,
        called=_called(table),
        news=None if alone or table.stored.seating.private else table.stored.ended,
        told=() if alone else _told(table, reach),
        quiet_until=None if alone else quiet_until(table, reach),
    )


def _called(table: Table) -> Mapping[UserId, bool | None]:
    """Everybody who was sent an invitation, but for people who were forgotten: until they sit there
    it stands in the lobby, and while they may take a free seat of the running match."""
    stored, seating = table.stored, table.stored.seating

    def waits(user: UserId) -> bool | None:
        if user in seating.kicked or seating.place_of(user) is not None:
            return False
        if stored.status is Status.LOBBY or seat_for(table, user) is not None:
            return True
        return None if seating.open_to(user) else False

    called = sorted(seating.called) if stored.status.is_open else ()
    return {user: waits(user) for user in called if user > 0}


def _told(table: Table, reach: Reach) -> tuple[UserId, ...]:
    """People at a table ended by a restoration who may be written to."""
    if table.stored.stop is not Stop.RESTORED:
        return ()
    places = table.stored.seating.places
    people = (p.person.id for p in places if p.person is not None and p.reachable is not False)
    return tuple(user for user in people if user not in reach.without)


def _hands(table: Table, reach: Reach) -> Mapping[UserId, WantedHand]:
    now, stored = table.phase, table.stored
    if not isinstance(now, Round | BetweenRounds):
        return {}
    ended, deal = now.number if isinstance(now, BetweenRounds) else 0, QuestionId(now.deal_ply)
    hands = {}
    for seat, place in enumerate(stored.seating.places):
        if place.person is None:
            continue
        user, question = place.person.id, table.questions.get(seat)
        chosen = stored.votes.ahead.get(user)
        asked = seat in table.asked and table.ahead(seat) is None
        letters = not stored.alone and user not in reach.without
        hands[user] = WantedHand(
            deal, question, ended or marked(take_back_view(table, user)),
            ahead=None if chosen is None else chosen.since,
            asked=asked,
            warned=asked and is_called_again(table, reach, seat, user),
            by_letter=letters and place.reachable is not False,
        )  # fmt: skip
    return hands


def _kept(table: Table) -> tuple[UserId, ...]:
    """Users for whom places are kept in the lobby, but for people who were forgotten."""
    if not isinstance(table.phase, Lobby):
        return ()
    return tuple(one.id for one in table.stored.seating.kept.values() if one.id > 0)


def _newcomers(table: Table, reach: Reach) -> tuple[UserId, ...]:
    match table.phase:
        case Closing():
            known: tuple[bool | None, ...] = (None, True)
        case Round() | BetweenRounds():
            known = (None,)
        case _:
            return ()
    places = (place for place in table.stored.seating.places if place.reachable in known)
    people = (place.person.id for place in places if place.person is not None)
    return tuple(user for user in people if user not in reach.without)
