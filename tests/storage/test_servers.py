"""What was chosen for whole servers."""

from __future__ import annotations

from alembic import command
from sqlalchemy import Connection, text

from bot.ids import GuildId
from bot.storage.database import Database
from bot.storage.migrations import config, upgrade_open
from bot.storage.people import SqlPeople
from bot.storage.servers import SqlServers
from bot.tables.ports import Habits
from tests.storage.conftest import CALM
from tests.storage.values import ANNA

HERE, THERE = GuildId(2**62), GuildId(7)


async def test_the_deck_chosen_last_is_known_of_each_server(database: Database) -> None:
    servers = SqlServers(database)
    assert await servers.board_deck(HERE) is None
    for deck in ("contrast", "large"):
        await servers.choose_board_deck(HERE, deck)
        assert await SqlServers(database).board_deck(HERE) == deck
    await servers.choose_board_deck(THERE, "text")
    found = SqlServers(database)
    assert [await found.board_deck(one) for one in (HERE, THERE)] == ["large", "text"]


async def test_a_database_of_before_gets_servers_and_keeps_peoples_decks(url: str) -> None:
    database = await Database.open(url, CALM)

    def before(connection: Connection) -> None:
        command.upgrade(config(connection), "0024")
        connection.execute(
            text("INSERT INTO people (user_id, locale, deck) VALUES (:user, 'da', 'contrast')"),
            {"user": ANNA.id},
        )

    await database.migrate(before)
    await upgrade_open(database)
    servers = SqlServers(database)
    assert await servers.board_deck(HERE) is None
    await servers.choose_board_deck(HERE, "large")
    assert await servers.board_deck(HERE) == "large"
    assert await SqlPeople(database).habits([ANNA.id]) == {ANNA.id: Habits("da", "contrast")}
    await database.close()
