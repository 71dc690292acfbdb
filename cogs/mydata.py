"""What is stored of whoever asks: shown, given out, forgotten."""

from __future__ import annotations

import asyncio
import gzip
from typing import Final

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import ContextCog
from bot.answer.forgetting import forget
from bot.answer.origin import may_attach
from bot.answer.reply import Reply, answering
from bot.render.custom_ids import Verb
from bot.render.message import MAX_FILE_BYTES
from bot.render.pages import download, note
from bot.render.preferences import confirm_forget, my_data_page
from bot.views.preferences import told
from cogs.presses import page_press

PAGES: Final = ("show", "export", "forget")


class MyData(ContextCog):
    """`/mydata`."""

    mydata = app_commands.Group(
        name="mydata",
        description="What this bot stores about you",
        allowed_contexts=app_commands.AppCommandContext(
            guild=True, dm_channel=True, private_channel=True
        ),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
    )

    @mydata.command(name="show", description="What is stored about you")
    async def show(self, interaction: discord.Interaction) -> None:
        async with answering(interaction) as reply:
            await self._show(reply)

    @mydata.command(name="export", description="Everything that is stored about you, as a file")
    async def export(self, interaction: discord.Interaction) -> None:
        async with answering(interaction) as reply:
            await self._export(reply)

    @mydata.command(name="forget", description="Have everything about you deleted")
    async def forget(self, interaction: discord.Interaction) -> None:
        async with answering(interaction) as reply:
            await self._ask(reply)

    @page_press(Verb.MY_DATA)
    async def _press(self, reply: Reply) -> None:
        match given.one_of(PAGES, reply.press.argument):
            case "export":
                await self._export(reply)
            case "forget":
                await self._ask(reply)
            case _:
                await self._show(reply)

    @page_press(Verb.FORGET_NOW)
    async def _press_forget_now(self, reply: Reply) -> None:
        await forget(self.context, reply.user)
        await reply.panel(note(reply.texts.get("mydata.forgotten")))

    async def _show(self, reply: Reply) -> None:
        counts = await self.context.personal_data.counts(reply.user)
        await reply.panel(my_data_page(told(counts), reply.texts))

    async def _export(self, reply: Reply) -> None:
        if not may_attach(reply.interaction):
            await reply.say("mydata.no_files")
            return
        text = await self.context.personal_data.export(reply.user, self.context.clock())
        content, name = text.encode(), "stammtisch.json"
        if len(content) > MAX_FILE_BYTES:
            content, name = await asyncio.to_thread(gzip.compress, content), f"{name}.gz"
        await reply.whisper(download(reply.texts.get("mydata.here"), name, content))

    async def _ask(self, reply: Reply) -> None:
        counts = await self.context.personal_data.counts(reply.user)
        await reply.panel(confirm_forget(counts.open_tables, reply.texts))
