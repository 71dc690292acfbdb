"""A person, on all servers: the panel of their preferences, and what is stored of them."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import DECK_CHOICES, ContextCog, anywhere
from bot.answer.context import place_of
from bot.answer.forgetting import forget
from bot.answer.inviting import never_with
from bot.answer.origin import may_attach, on_discord, read_by, server_of
from bot.answer.planning import learn_zone, zone_of, zones
from bot.answer.refusals import table_refusal
from bot.answer.reply import Reply, answering
from bot.ids import GuildId
from bot.pictures.decks import OFFERED
from bot.render.custom_ids import Verb
from bot.render.message import MAX_FILE_BYTES
from bot.render.pages import download, note
from bot.render.preferences import (
    confirm_forget,
    my_data_page,
    preferences_page,
    quiet_form,
    quiet_values,
    read_quiet_form,
    typed_before,
)
from bot.tables.apart import NOBODY
from bot.tables.model import TableError
from bot.tables.ports import NOTHING_FOLLOWED, Followed
from bot.tables.preferences import CHOICES, Preferences, with_choice
from bot.tables.quiet import Quiet, read_quiet
from bot.views.planned import clocks
from bot.views.preferences import Subject, preferences_view, subject_of, told
from cogs.presses import page_press


class PreferencesPanel(ContextCog):
    """`/preferences`."""

    @app_commands.command(name="preferences", description="Your choices for all servers")
    @app_commands.describe(deck="Which cards you see (default: look at yours)")
    @app_commands.choices(deck=DECK_CHOICES)
    @anywhere
    async def preferences(self, interaction: discord.Interaction, deck: str | None = None) -> None:
        async with answering(interaction) as reply:
            if deck is not None:
                await self._choose_deck(reply, deck)
            await self._show(reply, Subject.CARDS)

    @page_press(Verb.PREFERENCES)
    async def _press_subject(self, reply: Reply) -> None:
        subject, _, number = reply.press.argument.partition("|")
        await self._show(reply, given.one_of(Subject, subject), number=given.page(number) or 0)

    @page_press(Verb.PREFER)
    async def _press_choice(self, reply: Reply) -> None:
        name = reply.press.argument
        choice = given.one_of(CHOICES[given.one_of(CHOICES, name)], reply.choice)
        await self._change(reply, lambda now: with_choice(now, choice))
        await self._show(reply, subject_of(name))

    @page_press(Verb.QUIET)
    async def _press_quiet(self, reply: Reply) -> None:
        """Opens the form for quiet hours, or takes what was sent in with it; `0`: none any more.

        Any other argument is what was typed in a form that was refused.
        """
        if reply.interaction.type is discord.InteractionType.modal_submit:
            await self._take_quiet(reply)
            return
        values = typed_before(reply.press.argument)
        if reply.press.argument and values is None:
            given.one_of(("0",), reply.press.argument)
            await self._change_quiet(reply, None)
            await self._show(reply, Subject.CALLS)
            return
        if values is None:
            zone = await zone_of(self.context, reply.user) or ""
            values = quiet_values((await self._chosen(reply)).quiet, zone)
        await reply.form(quiet_form(values, reply.texts))

    async def _take_quiet(self, reply: Reply) -> None:
        """The quiet hours of a form; if they are refused, it opens once more as it was filled
        in."""
        typed = read_quiet_form(reply.interaction)
        try:
            quiet = read_quiet(*typed, zones())
        except TableError as error:
            reply.refused = error.code
            said = table_refusal(reply.texts, error)
            await self._show(reply, Subject.CALLS, said, typed=typed)
            return
        await self._change_quiet(reply, quiet)
        await self.context.planning.store.learn_zone(reply.user, quiet.zone)
        await self._show(reply, Subject.CALLS)

    async def _change_quiet(self, reply: Reply, quiet: Quiet | None) -> None:
        """Whoever is in none any more is called to their tables at once."""
        await self._change(reply, lambda now: replace(now, quiet=quiet))
        for table in await self.context.tables.waiting_for(reply.user):
            self.context.publisher.draw_anew(table.id)

    @page_press(Verb.MY_ZONE)
    async def _press_zone(self, reply: Reply) -> None:
        await learn_zone(self.context, reply.user, reply.choice)
        await self._show(reply, Subject.CALLS)

    @page_press(Verb.LANGUAGE)
    async def _press_language(self, reply: Reply) -> None:
        chosen = given.language(reply.choice)
        await self._change(reply, lambda now: replace(now, language=chosen))
        locale = chosen or on_discord(reply.interaction).own
        reply.texts = read_by(reply.interaction, locale)
        await self.context.tables.speak_to(reply.user, locale)
        await self._show(reply, Subject.CARDS)

    @page_press(Verb.FOLLOW)
    async def _press_follow(self, reply: Reply) -> None:
        guild, _ = place_of(reply.interaction)
        games = {given.one_of(self.context.games, one) for one in reply.chosen}
        await self.context.followers.follow(reply.user, guild, games)
        await self._show(reply, Subject.CALLS)

    @page_press(Verb.UNFOLLOW)
    async def _press_unfollow(self, reply: Reply) -> None:
        if not reply.press.argument:
            await self.context.followers.stop(reply.user)
            await self._show(reply, Subject.CALLS)
            return
        guild, _, named = reply.press.argument.partition("|")
        game = given.one_of(self.context.games, named)
        await self.context.followers.stop(reply.user, GuildId(given.snowflake(guild)), game)
        name = reply.texts.game_name(game)
        await reply.whisper(note(reply.texts.get("openings.stopped", game=name)))

    @page_press(Verb.AVOID)
    async def _press_avoid(self, reply: Reply) -> None:
        await never_with(self.context, reply, given.user(reply.choice))
        await self._show(reply, Subject.PEOPLE)

    @page_press(Verb.WELCOME)
    async def _press_welcome(self, reply: Reply) -> None:
        who = given.user(reply.press.argument)
        await self.context.blocks.block(reply.user, who, on=False)
        await self._show(reply, Subject.PEOPLE)

    @page_press(Verb.DECK)
    async def _press_deck(self, reply: Reply) -> None:
        await self._choose_deck(reply, reply.choice)
        await self._show(reply, Subject.CARDS)

    @page_press(Verb.TIPS)
    async def _press_tips(self, reply: Reply) -> None:
        await self._change(reply, lambda now: replace(now, tips=True))
        self.context.coach.bring_back(reply.user)
        await self._show(reply, Subject.PLAYING, reply.texts.get("tips.again"))

    async def _choose_deck(self, reply: Reply, deck: str) -> None:
        chosen = given.one_of(OFFERED, deck)
        await self._change(reply, lambda now: replace(now, deck=chosen))

    async def _chosen(self, reply: Reply) -> Preferences:
        return await self.context.readers.preferences_of(reply.user)

    async def _change(self, reply: Reply, change: Callable[[Preferences], Preferences]) -> None:
        await self.context.readers.change(reply.user, str(reply.interaction.locale), change)

    async def _show(
        self,
        reply: Reply,
        subject: Subject,
        said: str | None = None,
        number: int = 0,
        typed: tuple[str, ...] = (),
    ) -> None:
        chosen = await self._chosen(reply)
        drawn = (
            await self.context.picture_cache.samples(chosen.deck)
            if subject is Subject.CARDS and may_attach(reply.interaction)
            else ()
        )
        apart = await self.context.blocks.apart(reply.user) if subject is Subject.PEOPLE else NOBODY
        games, followed = await self._followed(reply, subject)
        view = preferences_view(subject, chosen, apart.never, number, games, followed)
        if subject is Subject.CALLS:
            zone = await zone_of(self.context, reply.user)
            view = replace(view, zone=zone, clocks=clocks(self.context.clock()), typed=typed)
        page = preferences_page(view, drawn, reply.texts)
        await reply.panel(page if said is None else page.noted(said))

    async def _followed(self, reply: Reply, subject: Subject) -> tuple[Collection[str], Followed]:
        """The games of whose tables the person can be told where they are, and is told."""
        if subject is not Subject.CALLS:
            return (), NOTHING_FOLLOWED
        guild = server_of(reply.interaction)
        games = () if guild is None else tuple(self.context.games)
        return games, await self.context.followers.followed(reply.user, guild)


# What is stored of whoever asks: shown, given out, forgotten.

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
