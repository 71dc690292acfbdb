"""`Reply`: answering an interaction once, in words, within three seconds.

A press comes from a message in the channel, from a panel that only its owner sees, or from one in a
DM.  Panels are redrawn in place; a channel message is only ever redrawn with content for the whole
channel, everything else is whispered.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from enum import Enum, auto
from typing import Any, Final, Literal, Protocol, TypeAlias
from weakref import WeakKeyDictionary, WeakSet

import discord
import structlog

from bot.answer.delivery import Delivered, Delivery, Send, Undelivered, message_of
from bot.answer.origin import Origin, Reach, origin_of, reach_of, read_by
from bot.answer.refusals import refused
from bot.ids import ChannelId, MessageId, QuestionId, UserId
from bot.publish.messages import EDITABLE_TIME
from bot.publish.refusals import send_or_without_emoji
from bot.publish.requests import NO_MENTIONS
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.tables.model import TableError
from bot.tables.ports import Unavailable
from bot.tables.stored import UNASKED
from bot.tasks import ignore_error

logger = structlog.get_logger(__name__)

DEFER_AFTER: Final = 2.0
"""Seconds after which an interaction that is still being worked on is deferred."""

_THINKING: Final = (discord.InteractionResponseType.deferred_channel_message,)

_NAMES: Final = ("interaction", "table", "question")
"""Context of log lines while an interaction is answered."""

_running: Final[WeakKeyDictionary[discord.Client, set[asyncio.Task[Any]]]] = WeakKeyDictionary()

_counting: Final[WeakKeyDictionary[discord.Client, AnswerCounts]] = WeakKeyDictionary()

_accused: Final[WeakSet[discord.Client]] = WeakSet()
"""Clients whose operator was told that another program has their token."""

_started: Final[WeakKeyDictionary[discord.Client, datetime]] = WeakKeyDictionary()
"""Start of each client: an earlier run may have answered older presses."""

_deferring: Final[set[asyncio.Task[None]]] = set()
"""References to running tasks: asyncio keeps none itself."""

AnswerOutcome: TypeAlias = Literal["answered", "refused", "failed", "lost"]
"""How the answer to an interaction went."""


class AnswerCounts(Protocol):
    """Counts answers.  Must not block and must not raise."""

    def interaction(self, kind: str, outcome: AnswerOutcome) -> None:
        """An interaction is dealt with: answered, refused, failed or lost."""


def count_answers(client: discord.Client, counts: AnswerCounts) -> None:
    """From now on `counts` is told of every answer of `client`."""
    _counting[client] = counts


def note_start(client: discord.Client, at: datetime) -> None:
    """`client` runs since then."""
    _started[client] = at


class Drawn(Enum):
    """Where a person sees an answer."""

    IN_PLACE = auto()
    """In the message that was pressed."""
    BESIDE = auto()
    """In a message of its own that only they see."""
    NOWHERE = auto()
    """Discord did not take it."""


NO_PRESS: Final = Press(Verb.NONE)
"""In place of a press, if a command was typed."""


class Reply:
    """The answer to one interaction.

    An answer that Discord does not take in any way (`bot.answer.delivery`) is logged and `lost`:
    the work goes on, and the board, a DM or the next press shows the result.
    """

    def __init__(self, interaction: discord.Interaction, press: Press | None = None) -> None:
        self.interaction = interaction
        self.press = press or NO_PRESS
        """The press, `NO_PRESS` for a command."""
        self.origin = origin_of(interaction)
        self.user = UserId(interaction.user.id)
        self.texts = read_by(interaction)
        self.refused: str | None = None
        """Code of the refusal, for counts and logs."""
        self.said: discord.InteractionMessage | discord.WebhookMessage | None = None
        """The message that the newest answer has made or redrawn, as long as it can be edited."""
        started = _started.get(interaction.client)
        fresh = started is not None and interaction.created_at >= started
        self.delivery = Delivery(interaction.id, fresh=fresh)
        self._first = asyncio.Lock()
        """Held while the first response is on its way, so that it is never sent twice."""
        self._thought = False

    @property
    def lost(self) -> bool:
        """Whether an answer was lost: no other is tried."""
        return self.delivery.lost

    @property
    def pressed(self) -> tuple[ChannelId, MessageId] | None:
        """Where the message is that was pressed, if one was."""
        message = self.interaction.message
        return None if message is None else (ChannelId(message.channel.id), MessageId(message.id))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values chosen in the select that was pressed, if it was one."""
        data: Mapping[str, Any] = self.interaction.data or {}
        return tuple(map(str, data.get("values") or ()))

    @property
    def choice(self) -> str:
        """The value chosen first in the select that was pressed; empty if none was."""
        return next(iter(self.chosen), "")

    @property
    def question(self) -> QuestionId:
        """The question that was pressed about, `UNASKED` if none was."""
        return self.press.question or UNASKED

    async def say(self, code: str, **params: int | str) -> None:
        """One sentence that only the person sees."""
        await self.whisper(note(self.texts.get(code, **params)))

    async def whisper(self, message: Message) -> None:
        """A message that only the person sees."""
        send, follow = self._sends(message), self._follows(message)
        await self._give(
            (send, send),
            message,
            lambda: (self._edits(message), follow) if self._is_thinking() else (follow,),
        )

    def _is_thinking(self) -> bool:
        """Whether the next answer takes the place of *thinking …*; true once."""
        thinking = self.interaction.response.type in _THINKING and not self._thought
        self._thought = self._thought or thinking
        return thinking

    async def panel(self, message: Message) -> Drawn:
        """Show the person's own view: redraws the panel it was pressed on, else whispers it.

        A panel that could not be edited for much longer is followed by a fresh one.
        """
        old = self.origin is Origin.EPHEMERAL and _is_old(self.interaction)
        followed = self.interaction.response.type is discord.InteractionResponseType.channel_message
        if self.origin in (Origin.EPHEMERAL, Origin.DM) and (followed or not old):
            return await self.redraw(message)
        await self.whisper(message)
        return Drawn.NOWHERE if self.lost else Drawn.BESIDE

    async def page(self, message: Message) -> None:
        """Show something to read: in the place of the page it was pressed on, but beside a hand or
        result in direct messages, which could not be brought back there."""
        if self.origin is Origin.DM:
            await self.whisper(message)
        else:
            await self.panel(message)

    async def redraw(self, message: Message) -> Drawn:
        """Redraws the message that was pressed; if Discord does not let us, whispers it.

        Its files take the place of all that are there; a picture that is there already stays.
        """
        response, pressed = self.interaction.response, self.interaction.message
        there = [] if pressed is None else [file.filename for file in pressed.attachments]

        async def update() -> Delivered:
            said = await send_or_without_emoji(
                message,
                lambda shown: response.edit_message(
                    view=shown.view,
                    attachments=shown.replacing(there),
                    allowed_mentions=NO_MENTIONS,
                ),
            )
            if said is None:
                raise ValueError("only what was pressed can be redrawn")
            return said

        said = await self._give(
            (update, self._sends(message)),
            message,
            lambda: (self._edits(message), self._follows(message)),
            private=self.origin is not Origin.CHANNEL,
        )
        if said is None:
            return Drawn.NOWHERE
        shown = message_of(said)
        same = shown is not None and pressed is not None and shown.id == pressed.id
        return Drawn.IN_PLACE if same else Drawn.BESIDE

    async def post(
        self, message: Message, *, silent: bool = False
    ) -> tuple[ChannelId, MessageId] | None:
        """A message that the channel sees: its channel and id.  `silent`: it rings nowhere.

        None if it was lost, or deferred meanwhile: then only the person sees it.
        """
        self._thought = True
        said = await self._give(
            (self._sends(message, ephemeral=False, silent=silent), self._sends(message)),
            message,
            lambda: (self._edits(message), self._follows(message)),
            private=False,
        )
        posted = None if said is None else message_of(said)
        if posted is None or posted.flags.ephemeral:
            return None
        return ChannelId(posted.channel.id), MessageId(posted.id)

    async def form(self, modal: discord.ui.Modal) -> None:
        """Opens a form, which only a first answer can do."""
        async with self._first:
            response = self.interaction.response
            if not response.is_done() and not self.lost:
                try:
                    await self.delivery.first([lambda: response.send_modal(modal)] * 2)
                except Undelivered:  # words may still arrive
                    pass
                else:
                    return
        await self.say("error.moved_on")

    async def defer(self) -> None:
        """Defers the answer by fifteen minutes, unless one was given or is on its way."""
        response = self.interaction.response
        if self._first.locked() or response.is_done() or self.lost:
            return
        async with self._first:
            try:
                await self.delivery.first([lambda: response.defer(ephemeral=True)] * 2)
            except Undelivered as error:  # the answer itself may still come through
                logger.warning("defer_failed", interaction=self.interaction.id, kind=str(error))

    # Ways of answering

    def _sends(
        self, message: Message, *, ephemeral: bool = True, silent: bool = False
    ) -> Send[Delivered]:
        """A message as first answer."""
        return lambda: send_or_without_emoji(
            message,
            lambda shown: self.interaction.response.send_message(
                view=shown.view,
                files=shown.uploads(),
                ephemeral=ephemeral,
                silent=silent,
                allowed_mentions=NO_MENTIONS,
            ),
        )

    def _edits(self, message: Message) -> Send[Delivered]:
        """Edit the message that the first answer made or redrew."""
        return lambda: send_or_without_emoji(
            message,
            lambda shown: self.interaction.edit_original_response(
                view=shown.view, attachments=shown.uploads(), allowed_mentions=NO_MENTIONS
            ),
        )

    def _follows(self, message: Message) -> Send[Delivered]:
        """One more message that only the person sees."""
        return lambda: send_or_without_emoji(
            message,
            lambda shown: self.interaction.followup.send(
                view=shown.view, files=shown.uploads(), ephemeral=True, wait=True
            ),
        )

    async def _give(
        self,
        first: Sequence[Send[Delivered]],
        message: Message,
        later: Callable[[], Sequence[Send[Delivered]]],
        *,
        private: bool = True,
    ) -> Delivered | None:
        """Answers in the first of these ways that Discord takes; what it says to that is kept.

        `first` are ways to give a first answer, `later` those after one.  `private` says that
        only the person may see `message`.  None if the answer is lost.
        """
        said = await self._answer(first, message, later, private=private)
        shown = None if said is None else message_of(said)
        self.said = None
        if isinstance(shown, discord.InteractionMessage | discord.WebhookMessage):
            self.said = shown
        return said

    async def _answer(
        self,
        first: Sequence[Send[Delivered]],
        message: Message,
        later: Callable[[], Sequence[Send[Delivered]]],
        *,
        private: bool,
    ) -> Delivered | None:
        async with self._first:
            if not self.interaction.response.is_done() and not self.lost:
                try:
                    return await self.delivery.first(first)
                except Undelivered as error:
                    if self.delivery.taken:
                        self._tell_of_another()
                    if error.definite:
                        self.delivery.give_up(error.reason)
                        return None
                # One of them may be there: it is drawn over, unless more people see it.
                follow = self._follows(message)
                over = not private or await self._is_private()
                return await self.delivery.later(
                    (self._edits(message), follow) if over else (follow,)
                )
        return await self.delivery.later(later())

    def _tell_of_another(self) -> None:
        """Log, once, that another program answers with the same token."""
        if self.interaction.client not in _accused:
            _accused.add(self.interaction.client)
            logger.error("another_program_has_this_token", interaction=self.interaction.id)

    async def _is_private(self) -> bool:
        """Whether the answer that Discord has taken is seen by the person alone."""
        if reach_of(self.interaction) is Reach.DM:
            return True
        found = await self.delivery.find(self.interaction.original_response)
        return found is not None and found.flags.ephemeral


def _is_old(interaction: discord.Interaction) -> bool:
    """Whether the message that was pressed was drawn longer ago than it can be edited."""
    message = interaction.message
    if message is None:
        return False
    return interaction.created_at - (message.edited_at or message.created_at) > EDITABLE_TIME


@asynccontextmanager
async def answering(
    interaction: discord.Interaction, press: Press | None = None
) -> AsyncIterator[Reply]:
    """Answer the interaction in the block; whatever happens there, the person gets words.

    A refusal becomes its sentence.  After `DEFER_AFTER` seconds of work the interaction is
    deferred.  Log lines meanwhile name the interaction, and table and question of `press`.
    """
    structlog.contextvars.bind_contextvars(**_names(interaction, press))
    failed = False
    reply = Reply(interaction, press)
    working = _running.setdefault(interaction.client, set())
    task = asyncio.current_task()
    if task is not None:
        working.add(task)
    # A timer, not a task: nearly every answer is there before it fires.
    guard = asyncio.get_running_loop().call_later(DEFER_AFTER, _begin_to_defer, reply)
    try:
        try:
            yield reply
        except TableError as error:
            reply.refused = error.code
            await reply.whisper(refused(reply.texts, error))
        except Exception as error:
            failed = True
            kind, trace = type(error).__name__, traceback.format_tb(error.__traceback__)
            if interaction.client.is_closed():  # a stop waits for answers, but not for ever
                logger.warning("given_up", what="answer", kind=kind)
                return
            # Where it arose, but not its words: they could name cards.
            logger.error("interaction_failed", kind=kind, trace="".join(trace))
            away = isinstance(error, Unavailable)
            await reply.say("error.unavailable" if away else "error.internal")
    except Exception as error:  # discord.py would log it with its words
        reply.delivery.lose(error)
    finally:
        guard.cancel()
        if task is not None:
            working.discard(task)
        outcome = _outcome(reply, failed=failed)
        logger.debug("interaction", outcome=outcome, refused=reply.refused)
        structlog.contextvars.unbind_contextvars(*_NAMES)
        if (counts := _counting.get(interaction.client)) is not None:
            counts.interaction(interaction.type.name, outcome)


def _names(interaction: discord.Interaction, press: Press | None) -> dict[str, int | str]:
    """Context of log lines about an interaction, without user and cards."""
    names: dict[str, int | str] = {"interaction": interaction.id}
    if press is not None and press.table:
        names["table"] = press.table
    if press is not None and press.question is not None:
        names["question"] = press.question
    return names


def _outcome(reply: Reply, *, failed: bool) -> AnswerOutcome:
    if failed or reply.lost:
        return "failed" if failed else "lost"
    return "answered" if reply.refused is None else "refused"


async def wait_for_answers(client: discord.Client, seconds: float) -> bool:
    """Wait, for at most `seconds`, until everything is answered; returns whether it is."""
    running = _running.get(client)
    if not running:
        return True
    _, late = await asyncio.wait(set(running), timeout=seconds)
    return not late


def _begin_to_defer(reply: Reply) -> None:
    task = asyncio.create_task(reply.defer())
    _deferring.add(task)
    task.add_done_callback(_deferring.discard)
    task.add_done_callback(ignore_error)  # the answer itself may still come through
