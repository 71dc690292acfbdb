"""Who may know and touch a table: every command, press, form and suggestion asks first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

import pytest
from discord import app_commands
from simcord import ChannelHandle
from simcord.enums import ChannelType

from bot.answer.choices import GUARDED
from bot.ids import ChannelId, GuildId, QuestionId, TableId
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Status
from cogs.presses import Presses
from tests.discord.steps import actor, first, lobby, match, play, tables
from tests.discord.world import Player, World
from tests.nightly import by_day
from tests.project.test_documents import all_cogs

NO_TABLE: Final = "I don't know that table"
NOWHERE: Final = TableId("ZZZZZ")
"""A table that there never was."""

WITHOUT: Final = {
    "newgame", "evening", "rules", "leaderboard", "stats", "tables", "history", "preferences",
    "settings", "help", "about", "mydata show", "mydata export", "mydata forget",
}  # fmt: skip
"""Commands that are about no table."""

FILLED: Final[dict[str, dict[str, Any]]] = {
    "play": {"action": "pass"},
    "cut": {"word": "abc"},
    "seat take": {"seat": 2},
}


# That each is guarded


def leaves() -> Iterator[app_commands.Command[Any, Any, Any]]:
    for cog in all_cogs():
        for command in cog.__cog_app_commands__:
            if isinstance(command, app_commands.Group):
                for leaf in command.walk_commands():
                    assert isinstance(leaf, app_commands.Command)
                    yield leaf
            else:
                yield command


def test_every_command_is_guarded_or_about_no_table() -> None:
    for leaf in leaves():
        named = [parameter.name for parameter in leaf.parameters]
        assert (leaf.callback in GUARDED) == (leaf.qualified_name not in WITHOUT), leaf.name
        assert ("table" in named) == (leaf.callback in GUARDED), leaf.name


async def test_every_verb_is_guarded_or_about_no_table(w: World) -> None:
    presses = w.bot.get_cog("Presses")
    assert isinstance(presses, Presses)
    pages = {Verb.RULES, Verb.STANDINGS, Verb.PERIOD, Verb.GAME, Verb.ORDER}
    pages |= {Verb.NOT_TODAY, Verb.NEVER}
    pages |= {
        Verb.COME,
        Verb.TICK,
        Verb.TAKE_TIME,
        Verb.ASK_TO_COME,
        Verb.CALL_OFF,
        Verb.CALL_OFF_NOW,
        Verb.ZONE,
        Verb.MY_ZONE,
    }
    pages |= {Verb.TABLES, Verb.PICK, Verb.NEXT_TABLE, Verb.SHARE, Verb.DECK, Verb.TIPS}
    pages |= {Verb.PREFERENCES, Verb.PREFER, Verb.AVOID, Verb.WELCOME, Verb.QUIET}
    pages |= {Verb.LANGUAGE, Verb.FOLLOW, Verb.UNFOLLOW}
    pages |= {Verb.SETTING, Verb.SETTINGS, Verb.ALONE, Verb.MY_DATA, Verb.FORGET_NOW}
    pages |= {Verb.HISTORY, Verb.ALL_FILES, Verb.RECORDS}
    assert presses._handlers.keys() == {*Verb} - pages - {Verb.NONE}


# What strangers are told


@dataclass
class Asking:
    """Somebody who asks about a table, and where."""

    w: World
    player: Player
    channel: ChannelHandle | None
    """None: in a direct message."""

    async def slash(self, name: str, **options: Any) -> str:
        if self.channel is None:
            return await self.player.slash(name, dm=True, **options)
        return await self.player.slash(name, channel=self.channel, **options)

    async def suggest(self, name: str, option: str, table: TableId) -> list[str]:
        filled = {} if option == "table" else {"table": table}
        who: Any = self.player.user if self.channel is None else self.player.actor
        where = () if self.channel is None else (self.channel,)
        found = await who.autocomplete(*where, name, option, "", **filled)
        return [choice["value"] for choice in found]

    async def everything(self, table: TableId) -> dict[str, str | list[str]]:
        """What every command, suggestion, press and form about a table is answered."""
        said: dict[str, str | list[str]] = {}
        for leaf in leaves():
            name = leaf.qualified_name
            contexts = (leaf.root_parent or leaf).allowed_contexts
            outside = contexts is not None and contexts.dm_channel
            if leaf.callback not in GUARDED or (self.channel is None and not outside):
                continue
            more = FILLED.get(name, {})
            if name in ("seat invite", "seat kick", "seat host"):
                more = {"player": self.w.ben.user}
            said[name] = await self.slash(name, table=table, **more)
            for parameter in leaf.parameters:
                if parameter.autocomplete:
                    suggested = await self.suggest(name, parameter.name, table)
                    said[f"{name}, {parameter.name}"] = suggested
        await self.slash("rules", game="aufundab")
        panel, presses = self.player.panel, self.w.bot.get_cog("Presses")
        assert isinstance(presses, Presses)
        sent: dict[str, Any] = {}
        for verb in sorted(presses._handlers):
            pressed = Press(verb, table, QuestionId(1), "0").encode()
            sent[verb] = self.w.emit(self.player, panel, pressed)
            sent[f"{verb}, form"] = self.w.emit_form(self.player, panel, pressed)
        await self.w.env.settle()
        return said | {name: self.w.said(record) for name, record in sent.items()}


Situation: TypeAlias = Callable[[World], Awaitable[tuple[Table, Asking]]]
"""A table, and Eve who may not know of it."""


def thread(w: World, parent: ChannelHandle, *, private: bool = False) -> ChannelHandle:
    kind = ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
    made = w.env.backend.create_thread(parent.id, "game", w.ann.id, type=kind)
    return ChannelHandle(w.env, w.guild, made)


async def archive(w: World, place: ChannelHandle, *, locked: bool = False) -> None:
    """A moderator archives a thread: discord.py forgets it."""
    kept = w.env.backend.get_thread(place.id).thread_metadata
    assert kept is not None
    kept.archived, kept.locked = True, locked
    w.env.backend.announce_channel_update(place.id)
    await w.env.settle()
    server = w.bot.get_guild(w.guild.id)
    assert server is not None
    assert server.get_thread(place.id) is None


async def in_hidden_channel(w: World) -> tuple[Table, Asking]:
    place = w.room("hidden", w.eve, view_channel=False)
    return await match(w, channel=place.id), Asking(w, w.eve, w.channel)


async def in_thread_of_hidden_channel(w: World) -> tuple[Table, Asking]:
    place = thread(w, w.room("hidden", w.eve, view_channel=False))
    return await match(w, channel=place.id), Asking(w, w.eve, w.channel)


async def in_private_thread(w: World) -> tuple[Table, Asking]:
    place = thread(w, w.channel, private=True)
    table = await match(w, channel=place.id)
    await w.directly(tables(w).leave(table.id, w.cat.id))  # a free seat
    return await tables(w).table(table.id), Asking(w, w.eve, w.channel)


async def over_in_private_thread(w: World) -> tuple[Table, Asking]:
    place = thread(w, w.channel, private=True)
    return await play(w, await match(w, channel=place.id)), Asking(w, w.eve, w.channel)


async def in_archived_private_thread(w: World) -> tuple[Table, Asking]:
    place = thread(w, w.channel, private=True)
    table = await play(w, await match(w, channel=place.id))
    await archive(w, place, locked=True)
    return table, Asking(w, w.eve, w.channel)


async def under_unknown_channel(w: World) -> tuple[Table, Asking]:
    """discord.py knows the thread, and not the channel above it."""
    above = w.room("above")
    await w.env.settle()
    table = await lobby(w, "Ann", channel=thread(w, above).id)
    server = w.bot.get_guild(w.guild.id)
    assert server is not None
    del server._channels[above.id]
    return table, Asking(w, w.eve, w.channel)


async def from_another_server(w: World) -> tuple[Table, Asking]:
    table = await match(w)
    return table, elsewhere(w, w.eve)


def elsewhere(w: World, player: Player) -> Asking:
    """`player` asks on a server of their own."""
    other = w.env.create_guild("Elsewhere")
    room = other.create_text_channel("room")
    actor = other.add_member(player.user)
    return Asking(w, Player(w, player.name, player.user, actor), room)


async def from_a_direct_message(w: World) -> tuple[Table, Asking]:
    return await match(w), Asking(w, w.eve, None)


async def over_and_banned_in_a_direct_message(w: World) -> tuple[Table, Asking]:
    table = await play(w, await match(w, "Ann", "Ben", "Eve"))
    await ban(w, w.eve)
    return table, Asking(w, w.eve, None)


async def over_and_banned_elsewhere(w: World) -> tuple[Table, Asking]:
    table = await play(w, await match(w, "Ann", "Ben", "Eve"))
    await ban(w, w.eve)
    return table, elsewhere(w, w.eve)


async def ban(w: World, player: Player) -> None:
    """Nobody has proven anything for a while, and this one never will again."""
    w.env.backend.remove_member(w.guild.id, player.id)
    await w.env.settle()
    w.skip(timedelta(minutes=6))


STRANGE: Final[tuple[Situation, ...]] = (
    in_hidden_channel,
    in_thread_of_hidden_channel,
    in_private_thread,
    over_in_private_thread,
    in_archived_private_thread,
    under_unknown_channel,
    from_another_server,
    from_a_direct_message,
    over_and_banned_in_a_direct_message,
    over_and_banned_elsewhere,
)


@pytest.mark.parametrize("situation", by_day(STRANGE, 2), ids=lambda situation: situation.__name__)
@pytest.mark.behaviour("Somebody asks about a table")
async def test_a_table_that_is_not_to_be_known_of_is_answered_like_none(
    situation: Situation, w: World
) -> None:
    table, asking = await situation(w)
    said = await asking.everything(table.id)
    assert said == await asking.everything(NOWHERE)
    assert all(NO_TABLE in text for text in said.values() if isinstance(text, str))
    assert not [name for name, found in said.items() if isinstance(found, list) and found]
    after = await tables(w).table(table.id)
    assert (after.stored, after.log) == (table.stored, table.log)


# What people are told who may


async def test_a_private_thread_is_open_to_its_members_and_from_within(w: World) -> None:
    place = thread(w, w.channel, private=True)
    table = await match(w, channel=place.id)
    await w.directly(tables(w).leave(table.id, w.cat.id))
    assert NO_TABLE in await w.eve.slash("watch", table=table.id)
    assert NO_TABLE in await w.dan.slash("watch", table=table.id)
    w.env.backend.add_thread_member(place.id, w.eve.id)
    w.env.backend.add_thread_member(place.id, w.dan.id)
    await w.env.settle()
    assert "Auf und Ab" in await w.dan.slash("watch", channel=place)
    assert NO_TABLE in await w.eve.slash("join", table=table.id), "asked a moment ago"
    await w.env.advance_time(301)
    assert "You have seat 3" in await w.eve.slash("join", table=table.id)
    assert "Auf und Ab" in await w.ann.slash("watch", table=table.id), "who sits there"


@pytest.mark.nightly
async def test_who_cannot_be_looked_for_in_a_private_thread_is_not_in_it(w: World) -> None:
    """Discord's troubles open no door."""
    place = thread(w, w.channel, private=True)
    table = await match(w, channel=place.id)
    w.env.backend.add_thread_member(place.id, w.dan.id)
    await w.env.settle()
    members = f"/channels/{place.id}/thread-members/*"
    w.env.inject_error("GET", members, status=403, times=1)
    assert NO_TABLE in await w.dan.slash("watch", table=table.id)
    assert "Auf und Ab" in await w.dan.slash("watch", table=table.id), "and is asked again"


@pytest.mark.nightly
async def test_an_archived_thread_is_open_to_whoever_sees_the_channel_above_it(w: World) -> None:
    place = w.thread("game")
    table = await match(w, channel=place.id)
    board = w.board(place)
    await archive(w, place)
    assert "Auf und Ab" in await w.dan.slash("watch", table=table.id)
    await w.permit(w.eve, view_channel=False)
    room = w.room("other")
    assert NO_TABLE in await w.eve.slash("watch", channel=room, table=table.id)
    assert "Auf und Ab" in await w.ben.slash("watch", table=table.id)
    assert "Auf und Ab" in await w.answer(w.dan, board, f"st:watch:{table.id}::")


@pytest.mark.nightly
async def test_a_seat_is_a_key_from_everywhere_but_no_key_to_sit_down_again(w: World) -> None:
    table = await match(w)
    asking = elsewhere(w, w.cat)
    assert NO_TABLE not in await w.cat.slash("hand", dm=True, table=table.id)
    assert NO_TABLE not in await asking.slash("hand", table=table.id)
    table = await play(w, table)
    for place in (asking, Asking(w, w.cat, None)):
        assert "Auf und Ab" in await place.slash("table", table=table.id)
    assert "from its own server" in await asking.slash("rematch", table=table.id)
    shown = w.cat.panel
    assert shown.channel == w.cat._dm_id()
    said = await w.answer(w.cat, shown, f"st:rematch:{table.id}::")
    assert "from its own server" in said
    assert await tables(w).open_in_channel(ChannelId(w.channel.id)) is None


# What a deed needs there


@pytest.mark.behaviour("Somebody asks about a table")
async def test_who_may_not_join_a_voice_channel_sits_down_at_no_table_there(w: World) -> None:
    voice = w.guild.create_voice_channel("locked")
    await w.env.settle()
    table = await match(w, channel=voice.id)
    await w.directly(tables(w).leave(table.id, w.cat.id))
    await w.permit(w.eve, voice.id, view_channel=True, connect=False)
    for said in (
        await w.eve.slash("join", table=table.id),
        await w.eve.slash("seat take", table=table.id, seat=3),
    ):
        assert "may not join the voice channel" in said
    assert "can't see" in await w.ann.slash("seat invite", table=table.id, player=w.eve.user)
    assert "seat 3" in await w.dan.slash("join", table=table.id)
    await w.permit(w.dan, voice.id, view_channel=True, connect=False)
    assert "may not join" not in await w.dan.slash("hand", table=table.id), "who sits there"


@pytest.mark.parametrize("lost", ["send_messages", "use_application_commands"])
async def test_who_may_not_write_there_has_no_rematch_opened_there(lost: str, w: World) -> None:
    room = w.room("games")
    await w.env.settle()
    table = await play(w, await match(w, channel=room.id))
    await w.permit(w.cat, room.id, **{lost: False})
    before = len(w.messages(room.id))
    assert "to send messages and to use commands" in await w.cat.slash("rematch", table=table.id)
    pressed = w.messages(room.id)[-1]
    said = await w.answer(w.cat, pressed, f"st:rematch:{table.id}::")
    assert "to send messages and to use commands" in said
    assert len(w.messages(room.id)) == before
    assert await tables(w).open_in_channel(ChannelId(room.id)) is None
    await w.ben.slash("rematch", table=table.id)
    assert "You have seat" in await w.cat.slash("rematch", table=table.id), "it is open now"


@pytest.mark.behaviour("Somebody asks about a table")
async def test_who_may_not_write_there_opens_no_table_there(w: World) -> None:
    await w.permit(w.cat, w.channel.id, send_messages=False)
    for said in (
        await w.cat.slash("newgame", game="aufundab"),
        await w.cat.slash("newgame", game="aufundab", at="in 2h"),
    ):
        assert "to send messages and to use commands" in said
    assert await tables(w).open_in_channel(ChannelId(w.channel.id)) is None
    inside = w.thread("game")
    await w.permit(w.cat, w.channel.id, send_messages=False, send_messages_in_threads=True)
    await w.cat.slash("newgame", game="aufundab", channel=inside)
    assert await tables(w).open_in_channel(ChannelId(inside.id)) is not None


# Who was banned


def looked_for(w: World, player: Player) -> int:
    return w.sent("GET", f"/guilds/{w.guild.id}/members/{player.id}")


@pytest.mark.nightly
@pytest.mark.behaviour("Somebody has left or was banned")
async def test_a_banned_host_plays_and_leads_for_five_minutes_at_most(w: World) -> None:
    table = await match(w, dms=True, hands=3)
    await w.ann.slash("hand", table=table.id)
    before = looked_for(w, w.ann)
    w.env.backend.remove_member(w.guild.id, w.ann.id)
    await w.env.advance_time(299)
    assert NO_TABLE not in await w.ann.slash("hand", dm=True, table=table.id)
    assert looked_for(w, w.ann) == before
    await w.env.advance_time(2)
    assert NO_TABLE in await w.ann.slash("hand", dm=True, table=table.id)
    assert looked_for(w, w.ann) == before + 1
    after = await tables(w).table(table.id)
    assert after.stored.seating.place_of(w.ann.id) is None
    assert after.stored.seating.host == w.ben.id
    for command in ("endgame", "play", "leave", "start", "cut"):
        said = await w.ann.slash(command, dm=True, table=table.id, **FILLED.get(command, {}))
        assert NO_TABLE in said
    assert looked_for(w, w.ann) == before + 1, "once in five minutes"


@pytest.mark.parametrize(
    "way", by_day(["act", "end_now", "leave_now", "start", "ready", "cut", "next"], 3)
)
@pytest.mark.behaviour("Somebody has left or was banned")
async def test_no_press_of_somebody_banned_counts(way: str, w: World) -> None:
    table = await match(w, dms=True, hands=3)
    player, seat = actor(w, table), table.actors[0]
    shown = player.dm()
    await ban(w, player)
    press = Press(Verb(way), table.id, table.questions[seat], first(table)).encode()
    said = await w.answer(player, shown, press)
    # A hand is drawn anew: by its press, and once more as they are known to have left.
    assert NO_TABLE in said or "You no longer have a seat" in said
    after = await tables(w).table(table.id)
    assert after.log == table.log
    assert after.stored.status is Status.RUNNING
    assert after.stored.seating.places[seat].person is None
    assert after.stored.votes.end_votes == frozenset()


@pytest.mark.behaviour("Somebody has left or was banned")
async def test_who_is_found_gone_at_one_table_leaves_all_of_that_server(w: World) -> None:
    here = await match(w, dms=True)
    there = await match(w, "Ann", "Ben", "Dan", channel=w.thread("second").id)
    asking = elsewhere(w, w.ann)
    await asking.slash("newgame", game="aufundab")
    assert asking.channel is not None
    kept = await tables(w).open_in_channel(ChannelId(asking.channel.id))
    assert kept is not None
    await ban(w, w.ann)
    assert NO_TABLE in await w.ann.slash("hand", dm=True, table=here.id)
    for table in (here, there):
        stored = (await tables(w).table(table.id)).stored
        assert stored.seating.place_of(w.ann.id) is None
        assert stored.seating.host == w.ben.id
    assert kept.stored.guild != GuildId(w.guild.id)
    assert (await tables(w).table(kept.id)).stored.seating.host == w.ann.id


@pytest.mark.nightly
async def test_whoever_cannot_be_looked_for_plays_on(w: World) -> None:
    """Discord's troubles are not theirs."""
    table = await match(w, dms=True)
    w.env.inject_error("GET", f"/guilds/{w.guild.id}/members/*", status=403, times=None)
    assert NO_TABLE not in await w.ann.slash("hand", dm=True, table=table.id)
    assert (await tables(w).table(table.id)).stored.seating.place_of(w.ann.id) == 0
