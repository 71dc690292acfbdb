"""From tables to what there is to see of them: the one place where a view is made.

Everything is built from the record and from observations; a spectator's for what the channel
sees, the owner's for a hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from bot.tables.model import DeadlineKind, Pace, Status, Table, TableError
from bot.tables.published import public_deals
from bot.views.values import (
    BoardView,
    ChannelView,
    ClosedView,
    DealProof,
    HandView,
    LobbyView,
    NoticeView,
    Pause,
    ResultView,
    ShufflingView,
    Sitter,
    TableHead,
    VerifyView,
)
from engine.layout import Block

BoardPlace: TypeAlias = tuple[int, int]
"""Channel and message of a board."""

LOG_LINES = 6
"""So many of the latest events stand on the board."""


def table_head(table: Table) -> TableHead:
    record = table.record
    teams = {seat: i for i, team in enumerate(table.game.info.teams) for seat in team}
    running = record.status is Status.RUNNING
    return TableHead(
        table=record.id,
        game=record.game,
        guild=record.guild,
        channel=record.channel,
        host=record.host,
        sitters=tuple(
            Sitter(i, None, "", teams.get(i), running)
            if place.person is None
            else Sitter(i, place.person.id, place.person.name, teams.get(i), running and place.away)
            for i, place in enumerate(record.places)
        ),
        options=_options(table),
        pace=record.pace.value,
    )


def channel_view(table: Table) -> ChannelView:
    """What the table's message in the channel shows now.  Raises TableError `unreadable`."""
    if table.record.started is not None and not table.started:
        raise TableError("unreadable", table, id=table.id)
    match table.record.status:
        case Status.LOBBY:
            return _lobby(table)
        case Status.RUNNING:
            return _shuffling(table) if table.closing else _board(table)
        case Status.FINISHED:
            return result_view(table)
        case Status.STOPPED:
            return result_view(table)
        case Status.EXPIRED:
            return ClosedView(table_head(table), expired=table.record.stop is None)


def hand_view(
    table: Table,
    user: int,
    board: BoardPlace | None,
    *,
    opened: str | None = None,
    notice: str | None = None,
) -> HandView | None:
    """What `user` sees of their own hand; None if they have none now, as before a deal."""
    seat = table.record.place_of(user)
    if seat is None or not table.record.status.is_open or not table.started or table.closing:
        return None
    question = table.question(seat) if seat in table.actors else None
    return HandView(
        head=table_head(table),
        layout=table.game.layout(table.observe(seat)),
        seat=seat,
        question=question,
        round=table.round,
        pause=_pause(table),
        board=board,
        opened=opened,
        notice=notice,
        standing=user in table.record.standing,
        deal=table.deal_ply,
        away=table.record.places[seat].away,
        due=_due(table, question) if seat in table.asked else None,
        warned=question is not None and question == table.record.warned,
    )


def notice_view(table: Table) -> NoticeView | None:
    """Whom a line in the channel has to call: they are asked and get no hand by DM.

    None if there is nobody, and at tables that call nobody.  Whoever was not tried yet is sent a
    hand first.
    """
    record = table.record
    if record.pace is Pace.NONE:
        return None
    seats = tuple(seat for seat in table.asked if record.places[seat].reachable is False)
    if not seats:
        return None
    question = min(table.question(seat) for seat in seats)
    return NoticeView(
        head=table_head(table),
        seats=seats,
        question=question,
        due=_due(table, question),
        warned=record.warned == question,
    )


def more_blocks(table: Table) -> Sequence[Block]:
    """What everybody may look at on demand in a running round: the last trick."""
    if table.record.status is not Status.RUNNING or table.round == 0:
        return ()
    return table.game.layout(table.observe(None)).more


def verify_view(table: Table, page: int) -> VerifyView:
    """What everybody may know of the table's deals, and what it takes to check them."""
    options = _options(table)
    return VerifyView(
        head=table_head(table),
        deals=tuple(
            DealProof(deal.round, deal.commitment, deal.post, deal.words, deal.seed, deal.previous)
            for deal in public_deals(table)
        ),
        pack=table.game.pack(len(table.record.places), options),
        seeds_after=table.game.info.seeds_after,
        over=not table.record.status.is_open,
        page=page,
    )


def result_view(table: Table) -> ResultView:
    outcome = table.outcome if table.record.status is Status.FINISHED else None
    return ResultView(
        head=table_head(table),
        scores=None if outcome is None else outcome.scores,
        ranking=None if outcome is None else outcome.ranking,
        rounds=table.rounds,
        stop=None if table.record.stop is None else str(table.record.stop),
        starters=tuple(person.name for person in table.record.starters),
        commitment=table.commitment,
        words=table.words,
    )


def _options(table: Table) -> Mapping[str, int | bool | str]:
    record = table.record
    if record.options:
        return record.options
    return table.game.complete_options(len(record.places), record.given)


def _lobby(table: Table) -> LobbyView:
    record = table.record
    closes = record.deadline(DeadlineKind.LOBBY)
    starts = record.deadline(DeadlineKind.AUTO_START)
    return LobbyView(
        head=table_head(table),
        minimum=table.game.info.seats[0],
        private=record.private,
        held=record.held,
        closes=None if closes is None else closes.due,
        starts=None if starts is None else starts.due,
        commitment=table.commitment,
        words=table.words,
    )


def _shuffling(table: Table) -> ShufflingView:
    return ShufflingView(
        head=table_head(table),
        round=table.round + 1,
        commitment=table.commitment,
        following=table.next_commitment,
        words=table.words,
    )


def _board(table: Table) -> BoardView:
    head = table_head(table)
    actors = table.actors
    return BoardView(
        head=head,
        layout=table.game.layout(table.observe(None)),
        round=table.round,
        actors=actors,
        question=table.question(actors[0]) if len(actors) == 1 else None,
        log=table.told[-LOG_LINES:],
        pause=_pause(table),
        end_votes=len(table.record.end_votes),
        votes_needed=table.record.votes_needed,
        commitment=table.commitment,
        post=table.post,
        dealt=_dealt(table),
        words=table.dealt_words,
        asked=table.asked,
        due=_due(table),
        credited=table.record.credited,
    )


def _due(table: Table, question: int | None = None) -> datetime | None:
    """When the time for `question` is up (None: for the oldest one that people are asked)."""
    deadline = table.record.deadline(DeadlineKind.TURN)
    if deadline is None or question not in (None, deadline.question):
        return None
    return deadline.due


def _dealt(table: Table) -> str:
    """The commitment of the round dealt last; empty if there is none."""
    shuffles = table.record.shuffles
    return shuffles[table.round - 1].commitment if 0 < table.round <= len(shuffles) else ""


def _pause(table: Table) -> Pause | None:
    if not table.between_rounds:
        return None
    due = table.record.deadline(DeadlineKind.NEXT_ROUND)
    return Pause(
        question=table.ply,
        round=table.round,
        points=table.round_scores or (),
        totals=table.scores,
        ready=table.record.ready,
        next=None if due is None else due.due,
        commitment=table.commitment,
        words=table.words,
        seed=_seed(table),
    )


def _seed(table: Table) -> str:
    """The seed of the round that is over; empty where it is published later."""
    return next((d.seed for d in public_deals(table) if d.round == table.round and d.seed), "")
