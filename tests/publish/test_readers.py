"""In which language and deck people read: what is asked for, what is stored, what if it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.ids import ALONE, GuildId, UserId
from bot.publish.readers import Readers
from bot.tables.preferences import Preferences
from bot.tables.servers import ServerSettings, Setting
from bot.tables.stored import Person
from tests.i18n.second import second_language
from tests.publish.stage import ANN, BEN, CAT, HEAD, QUICK, FakePeople, FakeServers, turns

BY = Person(ANN, "Ann")


@pytest.fixture(autouse=True)
def danish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with second_language(tmp_path, monkeypatch, "da"):
        yield


async def language(readers: Readers, user: UserId, table: str = "en-US") -> str:
    """In which language somebody at a table gets their hand."""
    head = replace(HEAD, locale=table)
    await readers.ask(head)
    return readers.texts(user, head).language


async def test_what_was_heard_is_stored_once() -> None:
    people = FakePeople()
    readers = Readers(people, FakeServers().fresh())
    for _ in range(3):
        readers.heard(ANN, "da")
        await readers.aclose()
    assert people.calls == [("learn", ANN)]
    assert await language(readers, ANN) == "da"
    readers.heard(ANN, "en-GB")
    await readers.aclose()
    assert await language(readers, ANN, "da") == "en"
    assert people.known == {ANN: "en-GB"}


async def test_what_many_are_heard_to_read_is_stored_in_one_go_a_moment_later() -> None:
    people = FakePeople()
    readers = Readers(people, FakeServers().fresh(), replace(QUICK, store_lag=0))
    for user in (ANN, BEN, CAT):
        readers.heard(user, "da")
    readers.heard(BEN, "en-GB")
    assert people.calls == []
    await turns()
    assert people.calls == [("learn", ANN, BEN, CAT)]
    assert people.known == {ANN: "da", BEN: "en-GB", CAT: "da"}


async def test_after_a_start_a_table_is_asked_for_once_and_nothing_is_stored_again() -> None:
    people = FakePeople()
    people.known[ANN] = "da"
    readers = Readers(people, FakeServers().fresh())
    assert [await language(readers, ANN) for _ in range(3)] == ["da", "da", "da"]
    readers.heard(ANN, "da")
    await readers.aclose()
    assert people.calls == [("ask", ANN, BEN, CAT)]
    again = Readers(people, FakeServers().fresh())
    again.heard(ANN, "da")
    await again.aclose()
    assert await language(again, ANN) == "da"
    assert people.calls[1:] == [("learn", ANN), ("ask", ANN, BEN, CAT)]


async def test_whoever_was_never_heard_reads_what_the_table_reads() -> None:
    people = FakePeople()
    readers = Readers(people, FakeServers().fresh())
    assert await language(readers, BEN, "da") == "da"
    assert await language(readers, BEN, "xx") == "en", "which there is not"
    assert people.calls == [("ask", ANN, BEN, CAT)]
    readers.heard(BEN, "en-US")
    assert await language(readers, BEN, "da") == "en"
    await readers.aclose()


async def test_what_is_heard_while_the_database_is_asked_counts() -> None:
    people = FakePeople()
    people.known[ANN] = "en-US"
    readers = Readers(people, FakeServers().fresh())
    asked = asyncio.create_task(readers.ask(HEAD))
    await asyncio.sleep(0)
    assert people.calls
    readers.heard(ANN, "da")
    await asked
    await readers.aclose()
    assert await language(readers, ANN) == "da"
    assert people.known[ANN] == "da"


async def test_a_database_that_is_away_keeps_nobody_from_their_hand() -> None:
    people = FakePeople()
    people.known[BEN], people.broken = "en-US", True
    readers = Readers(people, FakeServers().fresh())
    readers.heard(ANN, "da")
    await readers.aclose()
    assert await language(readers, ANN) == "da"
    assert await language(readers, BEN, "da") == "da"
    people.broken = False
    await readers.aclose()
    assert await language(readers, BEN, "da") == "en"
    assert people.known == {ANN: "da", BEN: "en-US"}


async def test_a_deck_is_known_after_a_start_and_from_the_moment_it_is_chosen() -> None:
    people = FakePeople()
    people.chosen[ANN] = Preferences("contrast")
    readers = Readers(people, FakeServers().fresh())
    assert readers.deck(ANN) == "standard"
    await readers.ask(HEAD)
    assert (readers.deck(ANN), readers.deck(BEN)) == ("contrast", "standard")
    readers.heard(BEN, "da")
    await readers.change(BEN, "da", lambda now: replace(now, deck="large"))
    assert people.calls[1:] == [("learn", BEN), ("change", BEN)]
    assert (readers.deck(BEN), people.chosen[BEN].deck) == ("large", "large")
    await readers.ask(HEAD)
    assert len(people.calls) == 3


async def test_the_deck_of_a_server_is_asked_for_once_and_counts_from_the_moment_it_is_chosen() -> (
    None
):
    servers = FakeServers()
    servers.decks[HEAD.guild] = "contrast"
    chosen = servers.fresh()
    readers = Readers(FakePeople(), chosen)
    assert [await readers.board_deck(HEAD) for _ in range(3)] == ["contrast"] * 3
    there = replace(HEAD, guild=GuildId(77))
    assert [await readers.board_deck(there) for _ in range(3)] == ["standard"] * 3
    assert servers.calls == [("ask", HEAD.guild), ("ask", 77)]
    await chosen.change(there.guild, BY, Setting.DECK, "large")
    assert (await readers.board_deck(there), servers.decks[there.guild]) == ("large", "large")
    assert await readers.board_deck(HEAD) == "contrast"
    assert servers.calls[2:] == [("choose", 77)]


async def test_what_is_chosen_for_a_server_while_the_database_is_asked_counts() -> None:
    class Slow(FakeServers):
        answers = asyncio.Event()

        async def settings(self, guild: GuildId) -> ServerSettings | None:
            found = await super().settings(guild)
            if len(self.calls) == 1:
                await self.answers.wait()
            return found

    servers = Slow()
    servers.decks[HEAD.guild] = "contrast"
    chosen = servers.fresh()
    readers = Readers(FakePeople(), chosen)
    asked = asyncio.create_task(readers.board_deck(HEAD))
    await turns()
    assert servers.calls
    await chosen.change(HEAD.guild, BY, Setting.DECK, "large")
    servers.answers.set()
    assert await asked == "large"
    assert await readers.board_deck(HEAD) == "large"


async def test_a_database_that_is_away_keeps_no_board_from_being_drawn() -> None:
    servers = FakeServers()
    servers.decks[HEAD.guild], servers.broken = "contrast", True
    chosen = servers.fresh()
    readers = Readers(FakePeople(), chosen)
    with capture_logs() as logs:
        assert await readers.board_deck(HEAD) == "standard"
    assert logs == [{"event": "board_deck_not_found", "kind": "OSError", "log_level": "warning"}], (
        "its words stay out"
    )
    with pytest.raises(OSError, match="went away"):
        await chosen.change(HEAD.guild, BY, Setting.DECK, "large")
    servers.broken = False
    assert await readers.board_deck(HEAD) == "contrast"


async def test_whoever_plays_alone_sees_boards_in_their_own_deck() -> None:
    people, servers = FakePeople(), FakeServers()
    people.chosen[ANN] = Preferences("contrast")
    readers = Readers(people, servers.fresh())
    assert await readers.board_deck(replace(HEAD, guild=ALONE, host=ANN)) == "contrast"
    assert await readers.board_deck(replace(HEAD, host=ANN)) == "standard"
    assert servers.calls == [("ask", HEAD.guild)]


async def test_a_deck_that_there_is_no_more_is_the_usual_one() -> None:
    servers = FakeServers()
    servers.decks[HEAD.guild] = "of last year"
    assert await Readers(FakePeople(), servers.fresh()).board_deck(HEAD) == "standard"


async def test_that_somebody_was_heard_is_noted_once_a_day() -> None:
    people, now = FakePeople(), [datetime(2026, 3, 5, 1, tzinfo=UTC)]
    readers = Readers(people, FakeServers().fresh(), clock=lambda: now[0])
    for hours in (0, 1, 23, 1):
        now[0] += timedelta(hours=hours)
        readers.heard(ANN, "da")
        await readers.aclose()
    assert people.calls == [("learn", ANN)] * 2


async def test_whoever_is_forgotten_is_heard_anew() -> None:
    people = FakePeople()
    readers = Readers(people, FakeServers().fresh())
    readers.heard(ANN, "da")
    await readers.flush()
    readers.drop({ANN})
    assert people.calls == [("learn", ANN)], "what waited is stored before it is deleted"
    readers.heard(ANN, "da")
    await readers.aclose()
    assert people.calls == [("learn", ANN)] * 2
