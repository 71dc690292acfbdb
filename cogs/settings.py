"""Settings of a server, for those who manage it: one private panel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.answer import given
from bot.answer.choices import DECK_CHOICES, ContextCog, guild_only
from bot.answer.context import person_of, place_of
from bot.answer.origin import may_attach, on_discord
from bot.answer.reply import Reply, answering
from bot.ids import ChannelId, GuildId, RoleId
from bot.paging import paged
from bot.pictures.decks import OFFERED
from bot.render.custom_ids import Verb
from bot.render.preferences import NO_SAMPLES
from bot.render.settings import settings_page
from bot.tables.model import TableError
from bot.tables.servers import ServerSettings, Setting, Usual, Value
from bot.views.server import LINES, SettingsView, Subject, usual_view
from cogs.presses import page_press

logger = structlog.get_logger(__name__)

SUBJECTS = {
    Setting.DECK: Subject.LOOK,
    Setting.LANGUAGE: Subject.LOOK,
    Setting.BOARD: Subject.LEADERBOARD,
    Setting.HINTS: Subject.LEADERBOARD,
    Setting.COMPUTERS: Subject.LEADERBOARD,
    Setting.PLACES: Subject.WHERE,
    Setting.OPENERS: Subject.WHERE,
    Setting.SITTERS: Subject.WHERE,
    Setting.CALLED: Subject.CALLS,
    Setting.RESULTS: Subject.CALLS,
    Setting.USUAL: Subject.USUAL,
    Setting.NO_USUAL: Subject.USUAL,
}
"""On which page of the panel a setting stands."""


class ServerPanel(ContextCog):
    """`/settings`."""

    @app_commands.command(name="settings", description="Choose how this server plays")
    @app_commands.describe(deck="Which cards boards show (default: look at all settings)")
    @app_commands.choices(deck=DECK_CHOICES)
    @app_commands.default_permissions(manage_guild=True)
    @guild_only
    async def settings(self, interaction: discord.Interaction, deck: str | None = None) -> None:
        async with answering(interaction) as reply:
            guild = _managed(reply)
            if deck is not None:
                await self._change(reply, guild, Setting.DECK, given.one_of(OFFERED, deck))
            await self._show(reply, guild, Subject.LOOK)

    @page_press(Verb.SETTINGS)
    async def _press_settings(self, reply: Reply) -> None:
        guild = _managed(reply)
        named, _, more = reply.press.argument.partition("|")
        await self._show(reply, guild, given.one_of(Subject, named or Subject.LOOK), more)

    @page_press(Verb.SETTING)
    async def _press_setting(self, reply: Reply) -> None:
        guild = _managed(reply)
        named, _, pressed = reply.press.argument.partition("|")
        setting = given.one_of(Setting, named)
        await self._change(reply, guild, setting, self._value(reply, setting, pressed))
        await self._show(reply, guild, SUBJECTS[setting])

    async def _change(self, reply: Reply, guild: GuildId, setting: Setting, value: Value) -> None:
        by = person_of(reply.interaction.user)
        changed = await self.context.servers.change(guild, by, setting, value)
        if setting is Setting.LANGUAGE:
            await self._speak(guild, changed.language or on_discord(reply.interaction).shared)

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """A server that has not chosen a language speaks the one that it prefers on Discord."""
        preferred, guild = after.preferred_locale, GuildId(after.id)
        if before.preferred_locale == preferred:
            return
        try:
            if not (await self.context.servers.settings(guild)).language:
                await self._speak(guild, str(preferred))
        except Exception as error:  # discord.py would log it with its words
            logger.error("language_not_followed", guild=guild, kind=type(error).__name__)

    async def _speak(self, guild: GuildId, language: str) -> None:
        """What everybody sees of open tables and plans is in that language from now on."""
        await self.context.tables.speak_on(guild, language)
        await self.context.planning.speak(guild, language)

    async def _show(self, reply: Reply, guild: GuildId, subject: Subject, more: str = "") -> None:
        settings = await self.context.servers.settings(guild)
        deck, drawn = await self.context.readers.server_deck(guild), NO_SAMPLES
        there = self._there(guild, *_chosen(settings))
        usual = tuple(
            (name, usual_view(game, settings.usual.get(name, Usual())))
            for name, game in self.context.games.items()
        )
        view = SettingsView(replace(settings, deck=deck), usual, there)
        if subject is Subject.LOG:
            found = await self.context.servers.changes(guild)
            shown, number, pages = paged(found, given.page(more) or 0, LINES)
            view = replace(view, changes=tuple(shown), page=number, pages=pages)
        elif subject is Subject.CALLS:
            view = await self._tried(guild, view)
        elif subject is Subject.LOOK and may_attach(reply.interaction):
            drawn = await self.context.picture_cache.samples(deck)
        await reply.panel(settings_page(subject, view, reply.texts, drawn))

    async def _tried(self, guild: GuildId, view: SettingsView) -> SettingsView:
        """The view with what is in the way of calls and results."""
        role, channel = view.settings.called, view.settings.results
        rings = role is None or self.context.doors.rings(guild, role)
        posts = channel is None or await self.context.publisher.membership.may_post(guild, channel)
        return replace(view, rings=rings, posts=posts)

    def _value(self, reply: Reply, setting: Setting, pressed: str) -> Value:
        """What is chosen for a setting.  Raises TableError `not_offered`."""
        guild, chosen = _managed(reply), reply.chosen
        match setting:
            case Setting.DECK:
                return given.one_of(OFFERED, next(iter(chosen), pressed))
            case Setting.LANGUAGE:
                return given.language(next(iter(chosen), pressed))
            case Setting.BOARD | Setting.HINTS | Setting.COMPUTERS:
                return given.switch(pressed)
            case Setting.PLACES:
                return self._existing(guild, chosen, ())
            case Setting.OPENERS | Setting.SITTERS:
                return self._existing(guild, (), chosen)
            case Setting.CALLED:
                if chosen[:1] == (str(guild),):  # that is how Discord names everybody
                    raise TableError("calls_everybody")
                return self._existing(guild, (), chosen[:1])
            case Setting.RESULTS:
                return self._existing(guild, chosen[:1], ())
            case Setting.NO_USUAL:
                return given.one_of(self.context.games, pressed)
            case Setting.USUAL:  # a table is saved in its lobby
                raise TableError("not_offered")
            case _:
                assert_never(setting)

    def _existing(
        self, guild: GuildId, channels: Sequence[str], roles: Sequence[str]
    ) -> tuple[int, ...]:
        """The ids that were chosen, all of the server.  Raises TableError `not_offered`."""
        places = [ChannelId(given.snowflake(one)) for one in channels]
        wanted = [RoleId(given.snowflake(one)) for one in roles]
        ids = tuple(dict.fromkeys([*places, *wanted]))
        if not set(ids) <= self._there(guild, places, wanted):
            raise TableError("not_offered")
        return ids

    def _there(
        self, guild: GuildId, channels: Iterable[ChannelId], roles: Iterable[RoleId]
    ) -> frozenset[int]:
        """Those of the channels and roles that are not deleted."""
        doors = self.context.doors
        return frozenset({*doors.channels(guild, channels), *doors.roles(guild, roles)})


def _chosen(settings: ServerSettings) -> tuple[Sequence[ChannelId], Sequence[RoleId]]:
    """The channels and the roles that are chosen."""
    results, called = settings.results, settings.called
    channels = (*settings.places, *(() if results is None else (results,)))
    roles = (*settings.openers, *settings.sitters, *(() if called is None else (called,)))
    return channels, roles


def _managed(reply: Reply) -> GuildId:
    """The server of the person who manages it.

    Discord's default for the command can be changed by a server, and a press asks for nothing.
    Raises TableError `server_only`, `may_not_manage`.
    """
    guild, _ = place_of(reply.interaction)
    if not reply.interaction.permissions.manage_guild:
        raise TableError("may_not_manage")
    return guild
