"""Finished matches: one's own, those with somebody, and those of a server."""

from __future__ import annotations

import asyncio
import zlib
from datetime import timedelta
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import ContextCog, anywhere
from bot.answer.context import Context
from bot.answer.origin import may_attach, server_of
from bot.answer.reply import Reply, answering
from bot.answer.sight import open_channels, seen_table
from bot.i18n import safe_name
from bot.ids import ALONE, UserId
from bot.render.again import again_button
from bot.render.custom_ids import Verb
from bot.render.history import LINES, history_page, match_page
from bot.render.message import MAX_FILE_BYTES
from bot.render.pages import download
from bot.render.review import review_button
from bot.tables.model import Table, TableError
from bot.tables.ports import PastPage
from bot.tables.preferences import Board
from bot.views.building import table_head
from bot.views.listing import HistoryView, Whose
from cogs.presses import page_press, table_press

PATIENCE: Final = timedelta(minutes=10)
"""How long files are collected for one answer, which Discord takes for fifteen minutes."""


class Matches(ContextCog):
    """`/history`, and its buttons."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._packing: set[UserId] = set()
        """People whose files are being collected."""

    @app_commands.command(name="history", description="Finished matches, to look through")
    @app_commands.describe(player="Your matches with this person (default: all of yours)")
    @anywhere
    async def history(
        self, interaction: discord.Interaction, player: discord.User | None = None
    ) -> None:
        async with answering(interaction) as reply:
            other = None if player is None or player.id == reply.user else UserId(player.id)
            called = "" if player is None else player.display_name
            await self._show(reply, Whose.MINE, other, 0, called)

    @page_press(Verb.HISTORY)
    async def _press_page(self, reply: Reply) -> None:
        whose, other, page = _parts(reply.press.argument)
        if reply.chosen:
            whose, other, page = given.one_of(Whose, reply.chosen[0]), None, 0
        await self._show(reply, whose, other, page)

    @table_press(Verb.MATCH, Need.SEE)
    async def _press_match(self, reply: Reply, table: Table) -> None:
        past = await self.context.history.match(reply.user, table.id)
        if past is None:
            await reply.say("error.moved_on")
            return
        _parts(reply.press.argument)  # only the way back to a list that there is
        began = table.stored.seating.began(reply.user)
        head = table_head(table)
        more = [review_button(head, reply.texts), again_button(head, reply.texts)]
        await reply.panel(
            match_page(past, reply.press.argument, reply.texts, began=began, more=more)
        )

    @page_press(Verb.ALL_FILES)
    async def _press_all_files(self, reply: Reply) -> None:
        """Collects the records of all matches that the person began and may still see."""
        if not may_attach(reply.interaction):
            await reply.say("history.no_files")
        elif reply.user in self._packing:
            await reply.say("history.packing")
        else:
            self._packing.add(reply.user)
            try:
                await self._pack(reply)
            finally:
                self._packing.discard(reply.user)

    async def _pack(self, reply: Reply) -> None:
        context, pack = self.context, _Zip()
        found = await context.history.tables_of(reply.user)
        late = context.clock() + PATIENCE
        for table_id in found:
            if context.clock() >= late:
                break
            try:
                table = await seen_table(context, reply.interaction, table_id)
                record = await context.tables.record(table)
            except TableError:  # out of sight by now, or not to be read by this program
                continue
            if not await asyncio.to_thread(pack.add, f"{table_id}.json", record):
                break
        if not pack.count:
            await reply.say("history.no_records")
            return
        said = reply.texts.get("history.files", count=len(found), files=pack.count)
        await reply.whisper(download(said, "stammtisch.zip", pack.content()))

    async def _show(
        self, reply: Reply, whose: Whose, other: UserId | None, page: int, called: str = ""
    ) -> None:
        """A page of these matches; `called`: the name of `other`, if it is known already.

        Raises TableError `server_only` for a server's matches where there is none.
        """
        guild, user, history = server_of(reply.interaction), reply.user, self.context.history
        if whose is Whose.HERE:
            if guild is None:
                raise TableError("server_only")
            channels = open_channels(reply.interaction)
            found = await history.shown(user, guild, channels, page, LINES)
        else:
            found = await history.own(user, guild or ALONE, other, page, LINES)
        if other is not None:
            called = called or _name_in(found, other) or reply.texts.get("report.somebody")
            if (await self.context.readers.preferences_of(other)).board is Board.OFF:
                await reply.say("stats.off", name=safe_name(called))
                return
        view = HistoryView(whose, found, guild is not None, other, called)
        await reply.panel(history_page(view, reply.texts))


def _parts(argument: str) -> tuple[Whose, UserId | None, int]:
    """Whose matches, with whom, and the page.  Raises TableError `not_offered`."""
    whose, user, page, *_ = [*argument.split("|"), "", "", ""]
    other = given.user(user) if user else None
    return given.one_of(Whose, whose or Whose.MINE), other, given.page(page) or 0


def _name_in(found: PastPage, user: UserId) -> str:
    """What a person was called in the latest of these matches; empty if they are in none."""
    names = (one.name for line in found.lines for one in line.people if one.user == user)
    return next((name for name in names if isinstance(name, str)), "")


# All records in one file.

_BESIDE: Final = 300
"""Bytes that a file takes in a pack beside its content, for short names."""


class _Zip:
    """A ZIP file that is being filled."""

    def __init__(self) -> None:
        self._into = BytesIO()
        self._zip = ZipFile(self._into, "w", ZIP_DEFLATED)
        self.count = 0
        """Number of files in it."""

    def add(self, name: str, text: str) -> bool:
        """Put a file into it; returns False, and adds nothing, if there is no room for it.

        It takes some time: others wait unless it runs in a thread.
        """
        content = text.encode()
        room = _BESIDE * (self.count + 1) + len(zlib.compress(content))
        if self._into.tell() + room > MAX_FILE_BYTES:
            return False
        self._zip.writestr(name, content)
        self.count += 1
        return True

    def content(self) -> bytes:
        """The whole file; nothing can be added afterwards."""
        self._zip.close()
        return self._into.getvalue()
