"""What is no longer there: noticed at READY as by an event, and threads that discord.py forgot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final
from unittest.mock import patch

import pytest
from simcord import ChannelHandle
from simcord.enums import ChannelType
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.ids import GuildId
from bot.render.custom_ids import Verb
from bot.storage.schema import departures
from bot.tables.model import Table
from bot.tables.stored import Pace, Status, Stop
from tests.discord.steps import lobby, match, tables
from tests.discord.test_access import archive, thread
from tests.discord.test_healing import dispatch, ply
from tests.discord.world import World

AT: Final = "fri 20:00 Europe/Zurich weekly"


async def planned(w: World, place: ChannelHandle) -> None:
    await w.ann.slash("newgame", channel=place, game="aufundab", length=1, at=AT)


async def open_plans(w: World) -> int:
    return len(await w.running.context.planning.store.open_in())


def unheard(w: World) -> Any:
    """While that holds nobody tells the program what happens."""
    return patch.object(w.env.backend, "emit")


def delete(w: World, channel: int) -> None:
    with unheard(w):
        w.env.backend.delete_channel(channel)


async def server(w: World) -> tuple[Table, bool]:
    """The program is removed: the table waits, as by the event."""
    table = await match(w)
    await planned(w, w.channel)
    with unheard(w):
        w.env.backend.remove_guild(w.guild.id)
    for path in (f"/channels/{w.channel.id}*", f"/guilds/{w.guild.id}*"):
        w.env.inject_error("*", path, status=403, code=50001, times=None)
        w.env.inject_error("*", path + "/*", status=403, code=50001, times=None)
    return table, False


async def channel(w: World) -> tuple[Table, bool]:
    room = w.room("doomed")
    await w.env.settle()
    table = await match(w, channel=room.id)
    await planned(w, room)
    delete(w, room.id)
    return table, True


async def active_thread(w: World) -> tuple[Table, bool]:
    place = w.thread("doomed")
    table = await match(w, channel=place.id)
    await planned(w, place)
    delete(w, place.id)
    return table, True


async def archived_thread(w: World) -> tuple[Table, bool]:
    place = w.thread("doomed")
    table = await match(w, channel=place.id)
    await planned(w, place)
    await archive(w, place)
    delete(w, place.id)
    return table, True


async def parent(w: World) -> tuple[Table, bool]:
    """With it goes the thread."""
    above = w.room("above")
    await w.env.settle()
    place = thread(w, above)
    await w.env.settle()
    table = await match(w, channel=place.id)
    await planned(w, place)
    delete(w, above.id)
    return table, True


Gone = Callable[[World], Awaitable[tuple[Table, bool]]]
EVERYTHING: Final[tuple[Gone, ...]] = (server, channel, active_thread, archived_thread, parent)


@pytest.mark.parametrize("gone", EVERYTHING, ids=lambda gone: gone.__name__)
@pytest.mark.behaviour("Something was deleted, or somebody left")
async def test_what_vanished_while_the_program_was_off_is_noticed_at_the_start(
    gone: Gone, w: World
) -> None:
    table, ends = await gone(w)
    await w.restart()
    await w.env.advance_time(2)
    stored = (await tables(w).table(table.id)).stored
    if ends:
        assert (stored.status, stored.stop) == (Status.STOPPED, Stop.CHANNEL)
    else:
        assert stored.timing.stalled is not None
    assert await open_plans(w) == 0


async def test_a_thread_whose_channel_is_deleted_ends_although_it_is_in_the_archive(
    w: World,
) -> None:
    above = w.room("above")
    await w.env.settle()
    place = thread(w, above)
    await w.env.settle()
    table = await match(w, channel=place.id)
    await archive(w, place)
    w.env.backend.delete_channel(above.id)
    await w.env.settle()
    await w.env.advance_time(1)
    stored = (await tables(w).table(table.id)).stored
    assert (stored.status, stored.stop) == (Status.STOPPED, Stop.CHANNEL)


@pytest.mark.behaviour("Something was deleted, or somebody left")
async def test_whoever_left_while_the_program_was_off_is_noticed_at_the_start(w: World) -> None:
    """Although nobody has asked them anything since."""
    table = await match(w, pace=Pace.NONE)
    gone = next(p for p in w.people(3) if table.stored.seating.place_of(p.id) != table.actors[0])
    w.env.backend.remove_member(w.guild.id, gone.id)
    w.skip(timedelta(hours=1))
    await w.restart()
    await w.env.advance_time(2)
    now = await tables(w).table(table.id)
    assert now.stored.seating.place_of(gone.id) is None
    assert now.ply == table.ply


@pytest.mark.behaviour("Something was deleted, or somebody left")
async def test_what_vanished_while_the_bot_was_not_on_the_server_is_noticed_once_it_is(
    w: World,
) -> None:
    room = w.room("doomed")
    await w.env.settle()
    doomed = await match(w, channel=room.id)
    table = await match(w, pace=Pace.NONE)
    gone = next(p for p in w.people(3) if table.stored.seating.place_of(p.id) != table.actors[0])
    w.env.backend.remove_member(w.guild.id, gone.id)
    await w.directly(dispatch(w, "guild_remove", w.bot.get_guild(w.guild.id)))
    await w.env.advance_time(2)
    delete(w, room.id)
    w.skip(timedelta(hours=1))
    await w.directly(dispatch(w, "guild_join", w.bot.get_guild(w.guild.id)))
    await w.env.advance_time(2)
    stored = (await tables(w).table(doomed.id)).stored
    assert (stored.status, stored.stop) == (Status.STOPPED, Stop.CHANNEL)
    stored = (await tables(w).table(table.id)).stored
    assert stored.timing.stalled is None
    assert stored.seating.place_of(gone.id) is None


async def test_a_server_that_was_left_while_no_session_stood_is_noticed_with_the_next(
    w: World,
) -> None:
    """discord.py still knows it then."""
    table, _ = await server(w)
    assert w.bot.get_guild(w.guild.id) is not None
    await w.directly(w.running.context.vanished.ready(0))
    assert (await tables(w).table(table.id)).stored.timing.stalled is not None
    assert await open_plans(w) == 0


async def test_an_outage_ends_nothing(w: World) -> None:
    """Discord fails to answer when it is asked: that is no proof of anything."""
    place = w.thread("game")
    table = await match(w, channel=place.id)
    await archive(w, place)
    for path in ("/channels/*", "/guilds/*"):
        w.env.inject_error("GET", path, status=503, times=None)
    await w.restart()
    await w.env.advance_time(2)
    assert (await tables(w).table(table.id)).stored.status is Status.RUNNING


@pytest.mark.behaviour("Somebody wants to open a table in a private thread")
async def test_a_private_thread_without_the_program_is_refused_at_once(w: World) -> None:
    with unheard(w):
        kind = ChannelType.PRIVATE_THREAD
        made = w.env.backend.create_thread(w.channel.id, "private", w.ann.id, type=kind)
    place = ChannelHandle(w.env, w.guild, made)
    for path in (f"/channels/{place.id}/*", f"/channels/{place.id}"):
        w.env.inject_error("*", path, status=403, code=50001, times=None)
    for at in (None, AT):
        asked: dict[str, Any] = {} if at is None else {"at": at}
        said = await w.ann.slash("newgame", channel=place, game="aufundab", **asked)
        assert "Mention me in this thread first" in said
    assert await tables(w).open_on(GuildId(w.guild.id)) == []
    assert await open_plans(w) == 0
    w.heal()
    await w.ann.slash("newgame", channel=place, game="aufundab")
    assert len(await tables(w).open_on(GuildId(w.guild.id))) == 1


async def test_a_private_thread_that_the_program_is_sent_out_of_is_named_as_such(w: World) -> None:
    """discord.py keeps it; no permission of the channel helps."""
    place = thread(w, w.channel, private=True)
    table = await match(w, channel=place.id, dms=False)
    for path in (f"/channels/{place.id}/*", f"/channels/{place.id}"):
        w.env.inject_error("*", path, status=403, code=50001, times=None)
    await ply(w, table)
    await w.env.advance_time(3)
    assert (await tables(w).table(table.id)).stored.timing.stalled is not None
    (said,) = [one.text for one in w.ann.dms() if "Mention me there" in one.text]
    assert "Send Messages" not in said
    w.heal()
    server = w.bot.get_guild(w.guild.id)
    assert server is not None
    await w.directly(dispatch(w, "thread_join", server.get_thread(place.id)))
    await w.env.advance_time(2)
    assert (await tables(w).table(table.id)).stored.timing.stalled is None


async def test_somebody_is_invited_into_an_archived_thread_as_into_any(w: World) -> None:
    place = w.thread("game")
    table = await lobby(w, "Ann", "Ben", channel=place.id)
    board = w.board(place)
    await archive(w, place)
    said = await w.ann.slash("seat invite", table=table.id, player=w.dan.user)
    assert "is invited" in said
    ((press, _),) = board.presses(Verb.INVITE)
    said = await w.answer(w.ann, board, press.encode(), kind=5, values=[str(w.fay.id)])
    assert "is invited" in said
    assert "seat" in await w.eve.slash("join", table=table.id), "whoever sees the channel above"


@pytest.mark.behaviour("The thread is archived")
async def test_a_locked_thread_that_is_opened_again_is_noticed_at_once(w: World) -> None:
    place = w.thread("game")
    table = await match(w, channel=place.id, dms=False)
    await archive(w, place, locked=True)
    for method, path in (("POST", "messages"), ("PATCH", "messages/*")):
        where = f"/channels/{place.id}/{path}"
        w.env.inject_error(method, where, status=403, code=160005, times=None)
    await ply(w, table)
    await w.env.advance_time(3)
    now = await tables(w).table(table.id)
    assert now.stored.timing.stalled is not None
    w.heal()
    kept = w.env.backend.get_thread(place.id).thread_metadata
    assert kept is not None
    kept.archived = kept.locked = False
    w.env.backend.announce_channel_update(place.id)
    await w.env.settle()
    await w.env.advance_time(2)
    assert (await tables(w).table(table.id)).stored.timing.stalled is None


async def test_nobody_hears_of_a_comparison_that_the_end_cuts_off(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    vanished = w.running.context.vanished

    async def cut_off() -> list[object]:
        raise RuntimeError

    monkeypatch.setattr(vanished._stored, "places", cut_off)
    with capture_logs() as logs:
        await vanished.ready(0)
        await w.running.publisher.aclose(0)
        await vanished.ready(0)
    assert [entry["event"] for entry in logs] == ["not_compared"]


# Servers that are gone for good


async def gone(w: World) -> list[GuildId]:
    return [*await w.directly(w.running._database.scalars(select(departures.c.guild_id)))]


@pytest.mark.behaviour("The bot is removed from the server")
async def test_a_removed_server_is_noted_until_it_is_back(w: World) -> None:
    await match(w)
    assert await gone(w) == []
    guild = w.bot.get_guild(w.guild.id)
    await w.directly(dispatch(w, "guild_remove", guild))
    assert await gone(w) == [w.guild.id]
    await w.directly(dispatch(w, "guild_join", guild))
    assert await gone(w) == []


async def test_a_server_that_nobody_said_is_gone_or_back_is_found_out_at_the_start(
    w: World,
) -> None:
    await match(w)
    known = w.running.context.vanished._departures
    await w.directly(known.left(GuildId(w.guild.id)))
    await w.directly(known.left(GuildId(77)))
    await w.restart()
    assert await gone(w) == [77]
    with unheard(w):
        w.env.backend.remove_guild(w.guild.id)
    await w.restart()
    assert sorted(await gone(w)) == [77, w.guild.id]
