"""The board, the message of a table in its channel: sent, edited in place, posted again, retired.

`Traffic` says when one is out of sight.

A round begins with a message of its own, posted before its cards are dealt: its id goes into the
deal.  The table is told the id (again after a restart, and None if nothing can be posted); the
board of the round is drawn into the same message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.i18n import texts
from bot.ids import ChannelId, MessageId
from bot.publish.draw_tasks import DrawState, Turn
from bot.publish.messages import BOARD, ShownMessages, Surface
from bot.publish.outbox import Outbox
from bot.publish.picture_cache import PictureCache
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, Meaning, Purpose, is_barred
from bot.publish.requests import Priority, Requests
from bot.publish.source import Source
from bot.render.channel import public_message, retired_board
from bot.render.components import jump_url
from bot.render.message import Message
from bot.surfaces import Kind
from bot.views.snapshot import Snapshot
from bot.views.values import (
    BetweenRoundsView,
    BoardView,
    ChannelView,
    ClosedView,
    LobbyView,
    ResultView,
    ShufflingView,
)

BURIED: Final = 15
"""A board with more messages than this below it is posted again at the next turn."""

MAX_AGE: Final = timedelta(minutes=50)
"""Age at which a board is replaced: Discord limits edits of messages older than an hour."""


class Traffic:
    """Which boards are out of sight: how many messages came after them, and how old they are."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._passed: dict[ChannelId, int] = {}
        """By channel with a board: messages since it was posted, or since counting began."""

    def passed(self, channel: ChannelId) -> None:
        """Count a message of a person."""
        if channel in self._passed:
            self._passed[channel] += 1

    def posted(self, channel: ChannelId) -> None:
        """The board is at the bottom of its channel."""
        self._passed[channel] = 0

    def forget(self, channel: ChannelId) -> None:
        self._passed.pop(channel, None)

    def has_sunk(self, state: DrawState, view: ChannelView, before: Surface) -> bool:
        """Whether a turn begins for which the board should be posted again.

        False if the turn before is unknown, after a start: this one may have begun long ago.
        """
        if not isinstance(view, BoardView):
            return False
        turn: Turn = (view.round, view.actors, view.question)
        begins = state.board.turn not in (None, turn)
        state.board.turn = turn
        passed = self._passed.setdefault(before.channel, 0)
        return begins and (passed > BURIED or self._clock() - before.posted > MAX_AGE)


@dataclass
class Boards:
    """Draws boards."""

    _requests: Requests
    _source: Source
    _messages: ShownMessages
    _readers: Readers
    _pictures: PictureCache
    traffic: Traffic
    _outbox: Outbox

    async def draw(self, state: DrawState, view: ChannelView, snapshot: Snapshot) -> bool:
        """Draws the table's message; whether that opened a round, so that there is more to draw.

        What Discord does not let us do is left in `state.trouble.refused`.
        """
        before, message = self._messages.board(state.table), None
        try:
            message = await self._draw(state, view, snapshot, before)
        except FAILURES as error:
            refusal = self._outbox.refusal(state.table, BOARD, error, Purpose.POST)
            if refusal.passes:
                raise
            if not isinstance(view, ResultView | ClosedView):
                state.trouble.refused = refusal
            elif before is not None:
                # Nobody can be shown how it ended: that is the end of it.
                self._messages.put(state.table, showing(view, before))
            if refusal.meaning is Meaning.VANISHED:
                return False
        if not isinstance(view, ShufflingView):
            return False
        return await self._source.posted(state.table, view.round, message)

    async def say_farewell(self, state: DrawState, view: ChannelView) -> None:
        """The board says that the program will be back; not where somebody plays alone, since it
        is their hand.  Raises what the call raises."""
        where = self._messages.board(state.table)
        if where is None or isinstance(view, ResultView) or not same_message(view, where):
            return
        if view.head.alone:
            return
        state.board.draws(None)
        state.schedule.version, state.board.shows_farewell = None, True
        # First, so that it is drawn anew whatever becomes of this.
        self._messages.drawn(state.table, None)
        message = await self._public(state, view, farewell=True)
        await self._outbox.edit(state.table, where, message)

    async def _draw(
        self, state: DrawState, view: ChannelView, snapshot: Snapshot, before: Surface | None
    ) -> MessageId | None:
        """Edits or posts the message; returns its id if it carries a round of which the table has
        not heard."""
        known, anew = before, state.repost
        if before is None and isinstance(view, ClosedView) and view.why != "restored":
            return None  # nobody has ever seen it
        if before is not None and before.kind is Kind.RESULT and not anew:
            return None
        if before is not None and isinstance(view, ShufflingView) and same_message(view, before):
            return before.message
        if before is not None and not anew and same_message(view, before):
            now = showing(view, before)
            shown = now == before and not state.trouble.is_in_doubt
            if shown and state.board.shown == snapshot.version:
                return None  # the answer to a press has drawn just this
            message = await self._message(state, view, snapshot)
            if shown and message.digest == state.board.drawn:
                return None
            refused = await self._edit(state, before, message)
            if refused is None:
                if now != before:
                    self._messages.put(state.table, now)
                return None
            if refused is Meaning.GONE:
                before = None  # nothing is left to retire
        else:
            message = await self._message(state, view, snapshot)
        try:
            return await self._post(state, view, message, before, known)
        except FAILURES as error:
            if (
                before is not None
                and not isinstance(view, ShufflingView)
                and is_barred(error, Purpose.POST)
                and message.digest != state.board.drawn
            ):
                # What is there can still be edited, mostly: better there than nowhere.
                await self._edit(state, before, message)
            raise

    async def _message(self, state: DrawState, view: ChannelView, snapshot: Snapshot) -> Message:
        """The table's message; for a person who plays alone, and is its only reader, their hand."""
        if view.head.alone and isinstance(view, BoardView):
            hand = snapshot.hand(view.head.host, None)
            if hand is not None:
                return await self._pictures.hand_message(hand, view.head.host)
        return await self._public(state, view)

    async def _public(
        self, state: DrawState, view: ChannelView, *, farewell: bool = False
    ) -> Message:
        """The message for everybody, in the deck of the server."""
        deck = await self._readers.board_deck(view.head)
        may = self._requests.may_attach(view.head.guild, view.head.channel)
        picture = None if may is None else await self._pictures.board(view, deck)
        state.board.without_picture = picture is not None and not may
        return public_message(view, picture if may else None, deck=deck, farewell=farewell)

    async def _edit(self, state: DrawState, where: Surface, message: Message) -> Meaning | None:
        """Edit the message; the result is also noted in `state`."""
        answers = state.board.answers
        refused = await self._outbox.edit(state.table, where, message)
        if refused is not None:
            return refused
        # An answer that was on its way at the same time may have come after this.
        overtaken = state.board.answers != answers
        state.board.draws(None if overtaken else message)
        state.schedule.dirty = state.schedule.dirty or overtaken
        return None

    async def _post(
        self,
        state: DrawState,
        view: ChannelView,
        message: Message,
        before: Surface | None,
        known: Surface | None,
    ) -> MessageId:
        """Send the table's message again and retire the one `before`; returns its id.

        `known` is the surface that was stored when this draw began.
        """
        table, head = state.table, view.head
        meant = showing(view, Surface(*BOARD, head.channel))
        again = self._outbox.tried(table, meant) is not None
        posted = await self._outbox.send(
            table,
            meant,
            message,
            Priority.BOARD,
            guild=head.guild,
            # Where the channel has had this very message before it calls nobody.
            silent=known is not None and same_message(view, known),
        )
        if posted is None:
            raise ValueError("a board is always sent")
        adopted = self._messages.board(table)
        self._messages.put(table, posted)
        if before is not None and before.kind is Kind.BOARD and before.message != posted.message:
            self._messages.replace(table, before)
        self.traffic.posted(head.channel)
        # What arrived at the first try may show what the table was like then.
        state.board.draws(None if again else message)
        state.schedule.dirty = state.schedule.dirty or again
        state.repost = False
        if adopted is not None and adopted != known:
            self._messages.retire(table, adopted)  # a command's answer became the message meanwhile
        await self._messages.flush()  # before anything depends on it
        await self.replace(state, view)
        return posted.message

    async def replace(self, state: DrawState, view: ChannelView) -> bool:
        """Puts lines where boards were that gave way to the one that is there; whether all went.

        Not while an answer may still draw on one of them.
        """
        table = state.table
        now = self._messages.board(table)
        done = True
        for old in self._messages.of(table, Kind.REPLACED):
            if BOARD in state.answering:
                return False
            if now is None or old.message == now.message:
                self._messages.drop(table, old.slot)
                continue
            # If there can be no line, the old board goes; until we may, it stays as it is.
            line = self._line(old, view, now.message)
            done = await self._outbox.finish(table, old, line, Priority.BOARD) and done
        return done

    def _line(self, before: Surface, view: ChannelView, message: MessageId) -> Message:
        """One line and a link in place of a board, with what it said of the deals."""
        head = view.head
        url = jump_url(head.guild, head.channel, message)
        code, (seal, words) = retired_code(view, before.round), carried(view, before.round)
        return retired_board(url, code, texts(head.locale), head, seal=seal, words=words)


def showing(view: ChannelView, where: Surface) -> Surface:
    """`where`, a board or result, as the message that shows `view`."""
    match view:
        case LobbyView():
            return where._replace(kind=Kind.BOARD, round=0)
        case ShufflingView(round=number) | BoardView(round=number):
            return where._replace(kind=Kind.BOARD, round=number)
        case ResultView() | ClosedView():
            return where._replace(kind=Kind.RESULT, round=0)
        case _:
            assert_never(view)


def same_message(view: ChannelView, where: Surface) -> bool:
    """Whether `view` belongs into the message `where`, rather than into a new one.

    Each round and a result have a message of their own, and so has the end by a restoration: people
    look for it at the end of the channel, below messages since the backup.
    """
    match view:
        case LobbyView():
            return True
        case ClosedView(why=why):
            return why != "restored"
        case _:
            return showing(view, where) == where


def carried(view: ChannelView, shown: int) -> tuple[str, tuple[str, ...]]:
    """The commitment on the board of the round `shown`, if that published it, and the words on it,
    which stay although `view` has a message of its own.
    """
    match view:
        case LobbyView():
            return view.head.seal, view.words
        case BoardView(pause=BetweenRoundsView() as pause) if shown == view.round:
            return "", pause.words
        case BoardView() if shown == view.round:
            return "", ()
        case BoardView() | ShufflingView() | ResultView():
            return view.head.seal if shown == 0 else "", view.words
        case ClosedView():
            return "", ()
        case _:
            assert_never(view)


def retired_code(view: ChannelView, shown: int) -> str:
    """Code of the sentence on the board of the round `shown` once `view` has its own message."""
    match view:
        case ResultView():
            return "retired.result"
        case ShufflingView() | BoardView() if shown == 0:
            return "retired.lobby"
        case ShufflingView(round=number) | BoardView(round=number) if shown < number:
            return "retired.round"
        case _:
            return "retired.moved"
