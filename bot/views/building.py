"""From tables to what there is to see of them: the one place where a view is made.

Everything is built from what is stored and from observations; a spectator's for what the channel
sees, the owner's for a hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias, assert_never

from bot.ids import ChannelId, MessageId, QuestionId, UserId
from bot.tables import phase, verdict
from bot.tables.model import Table, TableError
from bot.tables.published import Check, public_deals, published_seed, seal_of
from bot.tables.stored import DeadlineKind, Pace, Place
from bot.views import values
from engine.game import Seat
from engine.layout import Block

BoardPlace: TypeAlias = tuple[ChannelId, MessageId]
"""Channel and message of a board."""

LOG_LINES = 6
"""So many of the latest events stand on the board."""


def table_head(table: Table) -> values.TableHead:
    stored = table.stored
    teams = {seat: i for i, team in enumerate(table.game.info.teams) for seat in team}

    def sitter(seat: Seat, place: Place) -> values.Sitter:
        user, name = place.person or (None, "")
        stand_in = table.running and place.stand_in
        return values.Sitter(seat, user, name, teams.get(seat), stand_in)

    return values.TableHead(
        table=stored.id,
        game=stored.game,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.seating.host,
        sitters=tuple(sitter(*place) for place in enumerate(stored.seating.places)),
        options=_options(table),
        pace=stored.timing.pace,
        locale=stored.locale,
        seal=seal_of(table, 1),
        epoch=stored.epoch,
    )


def channel_view(table: Table, check: Check | None = None) -> values.ChannelView:
    """What the table's message in the channel shows now; `check`: of a match that is over.

    Raises TableError `unreadable`.
    """
    match table.phase:
        case phase.Lobby():
            return _lobby(table)
        case phase.Closing(number):
            return _shuffling(table, number)
        case phase.Round() | phase.Pause():
            return _board(table, table.phase)
        case phase.Over():
            return _result(table, table.phase, check)
        case phase.Expired(stop):
            return values.ClosedView(table_head(table), expired=stop is None)
        case phase.Unreadable():
            raise TableError("unreadable", table, id=table.id)
        case _:
            assert_never(table.phase)


def hand_view(
    table: Table,
    user: UserId,
    board: BoardPlace | None,
    *,
    opened: str | None = None,
    notice: str | None = None,
) -> values.HandView | None:
    """What `user` sees of their own hand; None if they have none now, as before a deal."""
    seat, now = table.stored.seating.place_of(user), table.phase
    if seat is None or not isinstance(now, phase.Round | phase.Pause):
        return None
    question = table.questions.get(seat)
    return values.HandView(
        head=table_head(table),
        layout=table.game.layout(table.seen_by(user)),
        seat=seat,
        question=question,
        round=now.number,
        pause=_pause(table, now),
        board=board,
        opened=opened,
        notice=notice,
        standing=user in table.stored.votes.standing,
        deal=now.deal_ply,
        away=table.stored.seating.places[seat].away,
        due=_due(table, question) if seat in table.asked else None,
        warned=question is not None and question == table.stored.timing.warned,
    )


def notice_view(table: Table) -> values.NoticeView | None:
    """Whom a line in the channel has to call: they are asked and get no hand by DM.

    None if there is nobody, and at tables that call nobody.  Whoever was not tried yet is sent a
    hand first.
    """
    stored = table.stored
    if stored.timing.pace is Pace.NONE:
        return None
    seats = tuple(seat for seat in table.asked if stored.seating.places[seat].reachable is False)
    if not seats:
        return None
    question = min(table.questions[seat] for seat in seats)
    return values.NoticeView(
        head=table_head(table),
        seats=seats,
        question=question,
        due=_due(table, question),
        warned=stored.timing.warned == question,
    )


def more_blocks(table: Table) -> Sequence[Block]:
    """What everybody may look at on demand in a running round: the last trick."""
    match table.phase:
        case phase.Round() | phase.Pause():
            return table.game.layout(table.observe(None)).more
        case phase.Closing(number):
            return table.game.layout(table.observe(None)).more if number > 1 else ()
        case phase.Lobby() | phase.Over() | phase.Expired() | phase.Unreadable():
            return ()
        case _:
            assert_never(table.phase)


def verify_view(table: Table, page: int, check: Check | None = None) -> values.VerifyView:
    """What everybody may know of the table's deals, and what it takes to check them."""
    options = _options(table)
    return values.VerifyView(
        head=table_head(table),
        deals=public_deals(table),
        pack=table.game.pack(len(table.stored.seating.places), options),
        seeds_after=table.game.info.seeds_after,
        check=check,
        over=isinstance(table.phase, phase.Over | phase.Expired),
        page=page,
    )


def _result(table: Table, over: phase.Over, check: Check | None) -> values.ResultView:
    outcome, starters = over.outcome, table.stored.seating.starters
    conceded = verdict.conceded(table.stored)
    return values.ResultView(
        head=table_head(table),
        scores=None if outcome is None else outcome.scores,
        ranking=None if outcome is None else outcome.ranking,
        rounds=table.rounds,
        stop=over.stop,
        starters=tuple(person.name for person in starters),
        conceded=tuple(person.name for person in starters if person.id in conceded),
        seal=seal_of(table, table.round + 1),
        words=table.words,
        check=check,
    )


def _options(table: Table) -> Mapping[str, int | bool | str]:
    stored = table.stored
    if stored.options:
        return stored.options
    return table.game.complete_options(len(stored.seating.places), stored.given)


def _lobby(table: Table) -> values.LobbyView:
    stored = table.stored
    closes = stored.timing.deadline(DeadlineKind.LOBBY)
    starts = stored.timing.deadline(DeadlineKind.AUTO_START)
    return values.LobbyView(
        head=table_head(table),
        minimum=table.game.info.seats[0],
        private=stored.seating.private,
        held=stored.timing.held,
        closes=None if closes is None else closes.due,
        starts=None if starts is None else starts.due,
        words=table.words,
    )


def _shuffling(table: Table, number: int) -> values.ShufflingView:
    return values.ShufflingView(
        head=table_head(table),
        round=number,
        words=table.words,
        seal=seal_of(table, number),
    )


def _board(table: Table, now: phase.Round | phase.Pause) -> values.BoardView:
    actors, dealt = table.actors, table.dealt
    ends = table.stored.timing.deadline(DeadlineKind.VOTED)
    return values.BoardView(
        head=table_head(table),
        layout=table.game.layout(table.observe(None)),
        round=now.number,
        actors=actors,
        question=table.questions[actors[0]] if len(actors) == 1 else None,
        log=tuple(table.told[-LOG_LINES:]),
        pause=_pause(table, now),
        end_votes=len(table.stored.votes.end_votes),
        votes_needed=table.stored.seating.votes_needed,
        ends=None if ends is None else ends.due,
        post=None if dealt is None else dealt.post,
        seal=seal_of(table, now.number),
        words=() if dealt is None else dealt.words,
        asked=table.asked,
        due=_due(table),
        credited=table.stored.timing.credited,
    )


def _due(table: Table, question: QuestionId | None = None) -> datetime | None:
    """When the time for `question` is up (None: for the oldest one that people are asked)."""
    deadline = table.stored.timing.deadline(DeadlineKind.TURN)
    if deadline is None or question not in (None, deadline.question):
        return None
    return deadline.due


def _pause(table: Table, now: phase.Round | phase.Pause) -> values.Pause | None:
    if isinstance(now, phase.Round):
        return None
    due = table.stored.timing.deadline(DeadlineKind.NEXT_ROUND)
    return values.Pause(
        question=now.question,
        round=now.number,
        points=now.points,
        totals=now.totals,
        ready=table.stored.votes.ready,
        next=None if due is None else due.due,
        seal=seal_of(table, now.number + 1),
        words=table.words,
        seed=published_seed(table, now.number) or "",
    )
