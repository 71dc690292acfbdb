"""PostgreSQL behind a proxy that cuts, delays and swallows: nobody waits for ever, and the truth is
told.

Only where there is a PostgreSQL (`.ci/postgres`); these tests take real seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ids import ChannelId, GuildId, TableId
from bot.storage.database import Database
from bot.storage.meta import SqlMeta
from bot.storage.migrations import upgrade
from bot.storage.tables import SqlTableStore
from bot.storage.transaction import AT_THE_TABLE, Patience, passes
from bot.tables import loaded
from bot.tables.model import Table, TableError
from bot.tables.plans import Wish
from bot.tables.ports import NotWritten, Unavailable
from bot.tables.service import TableService
from bot.tables.stored import Person
from tests.patience import PATIENCE
from tests.storage.conftest import SERVER
from tests.tables.fakes import ANN, BEN, CAT, FakeClock, Recorder, SeededChance
from tests.tables.stub import StubGame
from tests.wire.postgres import behind_a_proxy
from tests.wire.proxy import KEPT, Fault, Proxy

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.skipif(SERVER is None, reason="no PostgreSQL: .ci/postgres"),
]

QUICK = Patience(ping=0.5, statement=1.0, transaction=2.0, migration=2.0)


class Behind(NamedTuple):
    """Tables whose database is behind a proxy."""

    proxy: Proxy
    database: Database
    service: TableService
    told: Recorder
    game: StubGame


@pytest.fixture
async def behind(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Behind]:
    monkeypatch.setattr(loaded, "LATER_LOOKS", 0.5)
    await upgrade(url)
    async with behind_a_proxy(url) as there:
        between = there.proxy
        database = await Database.open(there.through, QUICK)
        told, game = Recorder(), StubGame()
        service = TableService(
            SqlTableStore(database),
            clock=FakeClock(),
            chance=SeededChance(),
            announcer=told,
            games={"stub": game},
        )
        yield Behind(between, database, service, told, game)
        await service.aclose()
        between.cut()
        await database.close()


async def opened(service: TableService) -> Table:
    return await service.open(Wish("stub", 3, {}), GuildId(1), ChannelId(2), ANN)


@pytest.mark.behaviour("The database's answer is lost")
@pytest.mark.parametrize("fault", list(Fault))
async def test_whatever_happens_in_a_commit_its_player_is_told_what_stands(
    behind: Behind, fault: Fault
) -> None:
    service = behind.service
    async with asyncio.timeout(PATIENCE):
        table = await opened(service)
        for person in (BEN, CAT):
            told = len(behind.told.calls)
            behind.proxy.set_trap(b"COMMIT;", fault)
            code = None
            try:
                await service.sit(table.id, person)
            except TableError as refused:
                code = refused.code
            assert behind.proxy.sprung
            sits = (await service.table(table.id)).stored.seating.place_of(person.id) is not None
            # SWALLOW leaves it open whether the server gave the transaction up in time to say so.
            assert code in (("not_stored", "unsure") if not sits else (None,))
            if code != "unsure":
                assert len(behind.told.calls) > told
            if fault in (Fault.CUT_AFTER, Fault.SWALLOW_ANSWER):
                assert sits
            for _ in range(0 if sits else 20):
                if await _sits(service, table.id, person):
                    break
            assert (await service.table(table.id)).stored.seating.place_of(person.id) is not None


async def _sits(service: TableService, table: TableId, person: Person) -> bool:
    try:
        await service.sit(table, person)
    except TableError as refused:
        return refused.code == "already_seated"
    return True


async def test_a_table_that_is_opened_by_a_lost_commit_is_opened_once(behind: Behind) -> None:
    behind.proxy.set_trap(b"COMMIT;", Fault.SWALLOW_ANSWER, after=b"INSERT INTO tables")
    async with asyncio.timeout(PATIENCE):
        table = await opened(behind.service)
    assert behind.proxy.sprung == 1
    assert await behind.service.tables_in() == [table.id]


async def test_connections_that_went_silent_hold_nobody_up(behind: Behind) -> None:
    meta = SqlMeta(behind.database)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(meta.put(f"k{number}", "x") for number in range(5)))
        opened = behind.proxy.opened
        behind.proxy.silence()
        # At once, on connections that work: a press does not even have to be repeated.
        await asyncio.gather(*(meta.put(f"k{number}", "y") for number in range(5)))
        assert await meta.get("k4") == "y"
        assert behind.proxy.opened > opened


async def test_a_connection_that_goes_silent_in_a_transaction_is_given_up(behind: Behind) -> None:
    meta = SqlMeta(behind.database)
    await meta.put("a", "1")
    behind.proxy.set_trap(b"COMMIT;", Fault.SWALLOW)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Unavailable):
            await meta.put("a", "2")
        assert behind.database.written is None
        assert await meta.get("a") == "1"
        while behind.database.written is None:
            # The server keeps the row until it has noticed that nobody is there any more.
            with suppress(Unavailable):
                await meta.put("a", "2")


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_read_that_was_cut_is_read_once_more(behind: Behind, fault: Fault) -> None:
    await SqlMeta(behind.database).put("a", "1")
    behind.proxy.set_trap(b"COMMIT;", fault)
    async with asyncio.timeout(PATIENCE):
        assert await SqlMeta(behind.database).get("a") == "1"
    assert behind.proxy.sprung == 1


async def test_cut_connections_are_replaced_unnoticed(behind: Behind) -> None:
    meta = SqlMeta(behind.database)
    async with asyncio.timeout(PATIENCE):
        for number in range(3):
            behind.proxy.cut()
            await meta.put("a", str(number))
            assert await meta.get("a") == str(number)


async def test_a_slow_line_is_no_dead_line(behind: Behind) -> None:
    behind.proxy.delay = 0.05
    async with asyncio.timeout(PATIENCE):
        await SqlMeta(behind.database).put("a", "1")
        assert await SqlMeta(behind.database).get("a") == "1"


@pytest.mark.parametrize("code", ["57014", "57P01", "40P01", "53100", "55P03", "25P03"])
async def test_a_server_that_gives_up_by_itself_is_away(behind: Behind, code: str) -> None:
    """Too slow, shut down, a deadlock, a full disk, a lock, idle: no fault of what was asked."""
    statement = text(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$")
    with pytest.raises(NotWritten):
        await behind.database.write(lambda connection: connection.execute(statement))


async def test_what_the_server_refuses_is_no_fault_of_the_database(behind: Behind) -> None:
    with pytest.raises(DBAPIError):
        await behind.database.write(lambda connection: connection.execute(text("SELECT 1 / 0")))


@pytest.mark.behaviour("Another program holds the database")
async def test_a_statement_that_waits_for_a_lock_is_given_up(behind: Behind, url: str) -> None:
    """As the one that somebody holds who died in the middle of it."""
    assert max(AT_THE_TABLE.connect, AT_THE_TABLE.statement) < 5  # and people are told by then
    await SqlMeta(behind.database).put("a", "1")
    async with asyncio.timeout(PATIENCE):
        other = create_async_engine(url)
        async with other.begin() as holding:
            await holding.execute(text("LOCK TABLE meta"))
            with pytest.raises(NotWritten):
                await SqlMeta(behind.database).put("a", "2")
        await other.dispose()
        await SqlMeta(behind.database).put("a", "3")


async def test_what_a_dead_program_locked_is_let_go_of_when_its_keepalives_stay_out(
    behind: Behind,
) -> None:
    """A line that is silent for the server too is found by its keepalives alone, which pass no
    proxy: this compares what the server is asked for with what the proxy does in its place."""

    def seconds(connection: Connection) -> float:
        def kept(name: str) -> int:
            return int(connection.execute(text(f"SELECT current_setting('{name}')")).scalar_one())

        probes = kept("tcp_keepalives_interval") * kept("tcp_keepalives_count")
        return kept("tcp_keepalives_idle") + probes

    assert await behind.database.read(seconds) == KEPT


async def test_a_migration_whose_line_goes_silent_is_given_up_on_both_sides(
    behind: Behind,
) -> None:
    """Nobody waits for it for ever, neither who migrates nor who would migrate next."""

    def work(connection: Connection) -> None:
        connection.execute(text("SELECT 1"))
        behind.proxy.silence()
        connection.execute(text("SELECT 2"))

    async with asyncio.timeout(PATIENCE):
        with pytest.raises((SQLAlchemyError, OSError, Unavailable)) as given_up:
            await behind.database.migrate(work)
        assert passes(given_up.value)
        await behind.database.migrate(lambda connection: connection.execute(text("SELECT 1")))


async def test_connections_are_kept_and_none_is_taken_leave_of_between_transactions(
    behind: Behind,
) -> None:
    """Whoever closes one politely waits for an answer, which a silent line does not bring."""

    async def many() -> None:
        meta = SqlMeta(behind.database)
        await asyncio.gather(*(meta.put(f"k{number}", "x") for number in range(20)))

    async with asyncio.timeout(PATIENCE):
        await many()
        opened = behind.proxy.opened
        assert opened > 10
        await many()
        assert behind.proxy.opened == opened
