"""Answering an interaction: once, in words, within three seconds, wherever it was pressed.

A press comes from a message in the channel, from a hand panel that only its owner sees, or from
one in a DM.  Panels are redrawn in place; a channel message is only ever redrawn with what the
whole channel may see, everything else is whispered.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from enum import Enum, auto
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import aiohttp
import discord
import structlog
from discord.utils import MISSING

from bot.answer.refusals import refused
from bot.i18n import texts
from bot.ids import ChannelId, MessageId, UserId
from bot.render.custom_ids import Press
from bot.render.message import Message
from bot.render.pages import note
from bot.tables.model import TableError

log = structlog.get_logger(__name__)

GRACE: Final = 2.0
"""Seconds after which an interaction that is still being worked on is deferred."""

CALLBACK: Final = 5.0
"""Seconds that a first answer may take; Discord takes none that comes later than three."""

LATER: Final = 15.0
"""Seconds that an answer after the first one may take."""

LASTING: Final = timedelta(minutes=14)
"""So long a panel is redrawn in place: a minute later Discord lets nobody edit it any more."""

TOO_LATE: Final = frozenset({10062, 40060, 10015, 50027})
"""Unknown interaction, already acknowledged, unknown webhook, invalid token."""

_BAD_REQUEST: Final = 400

_THINKING: Final = (discord.InteractionResponseType.deferred_channel_message,)

_NAMES: Final = ("interaction", "table", "question")
"""What log lines say while an interaction is answered."""

_running: Final[WeakKeyDictionary[discord.Client, set[asyncio.Task[Any]]]] = WeakKeyDictionary()

_counting: Final[WeakKeyDictionary[discord.Client, AnswerCounts]] = WeakKeyDictionary()

_deferring: Final[set[asyncio.Task[None]]] = set()
"""Held here, or nobody would hold them."""

T = TypeVar("T")

Response: TypeAlias = "discord.InteractionResponse[discord.Client]"

Outcome: TypeAlias = Literal["answered", "refused", "failed", "lost"]
"""How the answer to an interaction went."""


class AnswerCounts(Protocol):
    """Whoever counts answers.  Must not block and must not raise."""

    def interaction(self, kind: str, outcome: Outcome) -> None:
        """An interaction is dealt with: answered, refused, failed or lost."""


def count_answers(client: discord.Client, counts: AnswerCounts) -> None:
    """From now on `counts` is told of every answer of `client`."""
    _counting[client] = counts


class Origin(Enum):
    """Where an interaction was made."""

    COMMAND = auto()
    CHANNEL = auto()
    """A component of a message that the channel sees."""
    PANEL = auto()
    """A component of a message that only this person sees and that nobody can edit later."""
    DM = auto()
    """A component of a lasting message in a DM."""


def origin_of(interaction: discord.Interaction) -> Origin:
    message = interaction.message
    if message is None:
        return Origin.COMMAND
    if message.flags.ephemeral:
        made = message.interaction_metadata
        mine = made is None or made.user.id == interaction.user.id
        return Origin.PANEL if mine else Origin.COMMAND  # only a forged press is on another's
    return Origin.DM if interaction.guild_id is None else Origin.CHANNEL


class Reply:
    """The answer to one interaction.

    An answer that Discord does not take, or of which nobody knows whether it did, is logged and
    `lost`: what was stored stands, the work goes on, and the next press shows how it is.
    """

    def __init__(self, interaction: discord.Interaction) -> None:
        self.interaction = interaction
        self.origin = origin_of(interaction)
        self.user = UserId(interaction.user.id)
        self.texts = texts(str(interaction.locale))
        self.lost = False
        """Whether an answer was lost: no other is tried."""
        self.refused: str | None = None
        """The code of what the person was refused, for whoever counts and logs."""
        self._first = asyncio.Lock()
        """Held while the first response is on its way, so that it is never sent twice."""
        self._thought = False

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values chosen in the select that was pressed, if it was one."""
        data: Mapping[str, Any] = self.interaction.data or {}
        return tuple(map(str, data.get("values", ())))

    async def say(self, code: str, **params: int | str) -> None:
        """One sentence that only the person sees."""
        await self.whisper(note(self.texts.get(code, **params)))

    async def whisper(self, message: Message) -> None:
        """A message that only the person sees."""
        view, files = message.view, message.uploads()
        if await self._begin(
            lambda first: first.send_message(view=view, files=files, ephemeral=True)
        ):
            return
        if self._is_thinking():
            await self._request(
                lambda: self.interaction.edit_original_response(view=view, attachments=files)
            )
        else:
            await self._request(
                lambda: self.interaction.followup.send(view=view, files=files, ephemeral=True)
            )

    def _is_thinking(self) -> bool:
        """Whether the next answer takes the place of *thinking …*; true once."""
        thinking = self.interaction.response.type in _THINKING and not self._thought
        self._thought = self._thought or thinking
        return thinking

    async def panel(self, message: Message) -> bool:
        """The person's own view: redraws the panel it was pressed on, else whispers it.

        A panel that could not be edited for much longer is followed by a fresh one.  Whether the
        person has it now.
        """
        old = self.origin is Origin.PANEL and _is_old(self.interaction)
        followed = self.interaction.response.type is discord.InteractionResponseType.channel_message
        if self.origin in (Origin.PANEL, Origin.DM) and (followed or not old):
            return await self.redraw(message)
        await self.whisper(message)
        return not self.lost

    async def redraw(self, message: Message) -> bool:
        """Redraws the message that was pressed; whether that is certain.

        New files take the place of all that are there; without any, those stay.
        """
        view, files = message.view, message.uploads() or MISSING
        mentions = discord.AllowedMentions.none()
        if await self._begin(
            lambda first: first.edit_message(
                view=view, attachments=files, allowed_mentions=mentions
            )
        ):
            return not self.lost
        await self._request(
            lambda: self.interaction.edit_original_response(
                view=view, attachments=files, allowed_mentions=mentions
            )
        )
        return not self.lost

    async def post(self, message: Message) -> tuple[ChannelId, MessageId] | None:
        """A message that the channel sees: its channel and id.

        None if it was lost, or deferred meanwhile: then only the person sees it.
        """
        view, files = message.view, message.uploads() or MISSING
        async with self._first:
            response = self.interaction.response
            if not response.is_done():
                answer = await self._request(
                    lambda: response.send_message(
                        view=view, files=files, allowed_mentions=discord.AllowedMentions.none()
                    ),
                    CALLBACK,
                )
                posted = None if answer is None else answer.resource
                if isinstance(posted, discord.InteractionMessage):
                    return ChannelId(posted.channel.id), MessageId(posted.id)
                return None
        self._thought = True
        await self._request(
            lambda: self.interaction.edit_original_response(view=view, attachments=files)
        )
        return None

    async def form(self, modal: discord.ui.Modal) -> None:
        """Opens a form, which only a first answer can do."""
        if not await self._begin(lambda first: first.send_modal(modal)):
            await self.say("error.moved_on")

    async def defer(self) -> None:
        """Buys fifteen minutes, if no answer was given and none is on its way."""
        response = self.interaction.response
        if self._first.locked() or response.is_done():
            return
        async with self._first:
            await self._request(lambda: response.defer(ephemeral=True), CALLBACK)

    async def _begin(self, send: Callable[[Response], Awaitable[object]]) -> bool:
        """Gives the first answer, unless there was one; whether it did."""
        async with self._first:
            first = self.interaction.response
            if first.is_done():
                return False
            await self._request(lambda: send(first), CALLBACK)
            return True

    async def _request(self, send: Callable[[], Awaitable[T]], seconds: float = LATER) -> T | None:
        """What Discord answers; None if the answer to the person is lost.

        Raises HTTPException for what Discord finds malformed: other words may still arrive.
        """
        if self.lost:
            return None
        try:
            async with asyncio.timeout(seconds):
                return await send()
        except discord.HTTPException as error:
            if error.status == _BAD_REQUEST and error.code not in TOO_LATE:
                raise
            self._lose(error, error.status, error.code)
        except (TimeoutError, OSError, aiohttp.ClientError) as error:
            self._lose(error)
        return None

    def _lose(self, error: Exception, status: int | None = None, code: int | None = None) -> None:
        # What kind of failure it was, but not its words: they could quote what was answered.
        self.lost = True
        kind = type(error).__name__
        number = self.interaction.id
        log.warning("answer_lost", interaction=number, kind=kind, status=status, code=code)


def _is_old(interaction: discord.Interaction) -> bool:
    """Whether the message that was pressed was drawn longer ago than it can be edited."""
    message = interaction.message
    if message is None:
        return False
    return interaction.created_at - (message.edited_at or message.created_at) > LASTING


@asynccontextmanager
async def answering(
    interaction: discord.Interaction, press: Press | None = None
) -> AsyncIterator[Reply]:
    """The block answers the interaction; whatever happens in it, the person gets words.

    Refusals become their sentence.  After `GRACE` seconds of work the interaction is deferred.
    What is logged meanwhile names the interaction, and table and question of `press`.
    """
    structlog.contextvars.bind_contextvars(**_names(interaction, press))
    failed = False
    reply = Reply(interaction)
    working = _running.setdefault(interaction.client, set())
    task = asyncio.current_task()
    if task is not None:
        working.add(task)
    # A timer, not a task: nearly every answer is there before it fires.
    guard = asyncio.get_running_loop().call_later(GRACE, _begin_to_defer, reply)
    try:
        try:
            yield reply
        except TableError as error:
            reply.refused = error.code
            await reply.whisper(refused(reply.texts, error))
        except Exception as error:
            failed = True
            # Where it arose, but not its words: they could name cards.
            where = "".join(traceback.format_tb(error.__traceback__))
            kind = type(error).__name__
            log.error("interaction_failed", kind=kind, trace=where)
            await reply.say("error.internal")
    except Exception as error:  # discord.py would log it with its words
        reply.lost = True
        log.warning("answer_lost", kind=type(error).__name__)
    finally:
        guard.cancel()
        if task is not None:
            working.discard(task)
        outcome = _outcome(reply, failed)
        log.debug("interaction", outcome=outcome, refused=reply.refused)
        structlog.contextvars.unbind_contextvars(*_NAMES)
        if (counts := _counting.get(interaction.client)) is not None:
            counts.interaction(interaction.type.name, outcome)


def _names(interaction: discord.Interaction, press: Press | None) -> dict[str, int | str]:
    """What log lines say of an interaction: who pressed and what they hold is no part of it."""
    names: dict[str, int | str] = {"interaction": interaction.id}
    if press is not None and press.table:
        names["table"] = press.table
    if press is not None and press.question is not None:
        names["question"] = press.question
    return names


def _outcome(reply: Reply, failed: bool) -> Outcome:
    if failed or reply.lost:
        return "failed" if failed else "lost"
    return "answered" if reply.refused is None else "refused"


async def answered(client: discord.Client, seconds: float) -> bool:
    """Waits, at most so long, until everything that is being answered is; whether it was."""
    running = _running.get(client)
    if not running:
        return True
    _, late = await asyncio.wait(set(running), timeout=seconds)
    return not late


def _begin_to_defer(reply: Reply) -> None:
    task = asyncio.create_task(_defer(reply))
    _deferring.add(task)
    task.add_done_callback(_deferring.discard)


async def _defer(reply: Reply) -> None:
    try:
        await reply.defer()
    except Exception as error:  # the answer itself may still come through
        kind = type(error).__name__
        log.warning("defer_failed", interaction=reply.interaction.id, kind=kind)
