"""What was chosen for whole servers."""

from __future__ import annotations

from bot.ids import GuildId
from bot.storage.database import Database
from bot.storage.servers import SqlServers

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
