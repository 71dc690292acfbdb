"""Answering an interaction: once, in words, within three seconds, wherever it was pressed.

A press comes from a message in the channel, from a hand panel that only its owner sees, or from
one in a DM.  Panels are redrawn in place; a channel message is only ever redrawn with what the
whole channel may see, everything else is whispered.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.i18n import Texts, safe_name, texts
from bot.present.pages import note
from bot.tables.model import TableError

log = structlog.get_logger(__name__)

GRACE: Final = 2.0
"""Seconds after which an interaction that is still being worked on is deferred."""

TOO_LATE: Final = frozenset({10062, 40060, 10015, 50027})
"""Unknown interaction, already acknowledged, unknown webhook, invalid token."""


_THINKING: Final = (discord.InteractionResponseType.deferred_channel_message,)


class Surface(Enum):
    """Where an interaction was made."""

    COMMAND = auto()
    CHANNEL = auto()
    """A component of a message that the channel sees."""
    PANEL = auto()
    """A component of a message that only this person sees and that nobody can edit later."""
    DM = auto()
    """A component of a lasting message in a DM."""


def surface_of(interaction: discord.Interaction) -> Surface:
    message = interaction.message
    if message is None:
        return Surface.COMMAND
    if message.flags.ephemeral:
        return Surface.PANEL
    return Surface.DM if interaction.guild_id is None else Surface.CHANNEL


class Reply:
    """The answer to one interaction."""

    def __init__(self, interaction: discord.Interaction) -> None:
        self.interaction = interaction
        self.surface = surface_of(interaction)
        self.texts = texts(str(interaction.locale))
        self._first = asyncio.Lock()
        """Held while the first response is on its way, so that it is never sent twice."""
        self._thought = False

    async def say(self, code: str, **params: int | str) -> None:
        """One sentence that only the person sees."""
        await self.whisper(note(self.texts.get(code, **params)))

    async def whisper(
        self, view: discord.ui.LayoutView, files: Sequence[discord.File] = ()
    ) -> None:
        """A message that only the person sees; the view names the files that come with it."""
        async with self._first:
            response = self.interaction.response
            if not response.is_done():
                await response.send_message(view=view, files=files, ephemeral=True)
                return
        if self._is_thinking():
            await self.interaction.edit_original_response(view=view, attachments=files)
        else:
            await self.interaction.followup.send(view=view, files=files, ephemeral=True)

    def _is_thinking(self) -> bool:
        """Whether the next answer takes the place of *thinking …*; true once."""
        thinking = self.interaction.response.type in _THINKING and not self._thought
        self._thought = self._thought or thinking
        return thinking

    async def panel(self, view: discord.ui.LayoutView) -> None:
        """The person's own view: redraws the panel it was pressed on, else whispers it."""
        if self.surface in (Surface.PANEL, Surface.DM):
            await self.redraw(view)
        else:
            await self.whisper(view)

    async def redraw(self, view: discord.ui.LayoutView) -> None:
        """Redraws the message that was pressed."""
        mentions = discord.AllowedMentions.none()
        async with self._first:
            response = self.interaction.response
            if not response.is_done():
                await response.edit_message(view=view, allowed_mentions=mentions)
                return
        await self.interaction.edit_original_response(view=view, allowed_mentions=mentions)

    async def post(self, view: discord.ui.LayoutView) -> tuple[int, int] | None:
        """A message that the channel sees: its channel and id.

        None if the answer was deferred meanwhile; then only the person sees it.
        """
        async with self._first:
            response = self.interaction.response
            if not response.is_done():
                answer = await response.send_message(
                    view=view, allowed_mentions=discord.AllowedMentions.none()
                )
                message = answer.resource
                if isinstance(message, discord.InteractionMessage):
                    return message.channel.id, message.id
                return None
        self._thought = True
        await self.interaction.edit_original_response(view=view)
        return None

    async def form(self, modal: discord.ui.Modal) -> None:
        """Opens a form, which only a first answer can do."""
        async with self._first:
            if not self.interaction.response.is_done():
                await self.interaction.response.send_modal(modal)
                return
        await self.say("error.moved_on")

    async def defer(self) -> None:
        """Buys fifteen minutes, if nothing was answered yet."""
        async with self._first:
            if not self.interaction.response.is_done():
                await self.interaction.response.defer(ephemeral=True)


@asynccontextmanager
async def answering(interaction: discord.Interaction) -> AsyncIterator[Reply]:
    """The block answers the interaction; whatever happens in it, the person gets words.

    Refusals become their sentence.  After `GRACE` seconds of work the interaction is deferred.
    An answer that comes too late for Discord is logged and forgotten: what was stored stands,
    and the next press shows it.
    """
    reply = Reply(interaction)
    guard = asyncio.create_task(_defer_after(reply, GRACE))
    try:
        try:
            yield reply
        except TableError as error:
            await reply.whisper(note(table_refusal(reply.texts, error)))
        except Exception as error:
            if isinstance(error, discord.HTTPException) and error.code in TOO_LATE:
                log.warning("answer_too_late", interaction=interaction.id, code=error.code)
                return
            # Where it arose, but not its words: they could name cards.
            where = "".join(traceback.format_tb(error.__traceback__))
            kind = type(error).__name__
            log.error("interaction_failed", interaction=interaction.id, kind=kind, trace=where)
            await reply.say("error.internal")
    except Exception as error:  # discord.py would log it with its words
        log.warning("answer_lost", interaction=interaction.id, kind=type(error).__name__)
    finally:
        guard.cancel()


def table_refusal(texts: Texts, error: TableError) -> str:
    """The sentence of a refusal; whose turn it is is said by name."""
    params = dict(error.params)
    seat = params.get("seat")
    if error.table is not None and isinstance(seat, int):
        place = error.table.record.places[seat] if seat >= 0 else None
        person = None if place is None else place.person
        params["name"] = texts.get("seat.free") if person is None else safe_name(person.name)
    return texts.refusal(f"table.error.{error.code}", params)


async def _defer_after(reply: Reply, seconds: float) -> None:
    await asyncio.sleep(seconds)
    try:
        await reply.defer()
    except Exception as error:  # the answer itself may still come through
        kind = type(error).__name__
        log.warning("defer_failed", interaction=reply.interaction.id, kind=kind)
