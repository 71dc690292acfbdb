"""In which language people read: what is asked for, what is stored, and what if it cannot be."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ids import UserId
from bot.publish.readers import Readers
from tests.i18n.second import second_language
from tests.publish.stage import ANN, BEN, CAT, HEAD, QUICK, FakeLocales, turns


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
    locales = FakeLocales()
    readers = Readers(locales)
    for _ in range(3):
        readers.heard(ANN, "da")
        await readers.flush()
    assert locales.calls == [("learn", ANN)]
    assert await language(readers, ANN) == "da"
    readers.heard(ANN, "en-GB")
    await readers.flush()
    assert await language(readers, ANN, "da") == "en"
    assert locales.known == {ANN: "en-GB"}


async def test_what_many_are_heard_to_read_is_stored_in_one_go_a_moment_later() -> None:
    locales = FakeLocales()
    readers = Readers(locales, replace(QUICK, store_lag=0))
    for user in (ANN, BEN, CAT):
        readers.heard(user, "da")
    readers.heard(BEN, "en-GB")
    assert locales.calls == []
    await turns()
    assert locales.calls == [("learn", ANN, BEN, CAT)]
    assert locales.known == {ANN: "da", BEN: "en-GB", CAT: "da"}


async def test_closing_stores_what_was_heard() -> None:
    locales = FakeLocales()
    readers = Readers(locales)
    readers.heard(ANN, "da")
    await readers.aclose()
    assert locales.known == {ANN: "da"}
    await readers.aclose()
    assert locales.calls == [("learn", ANN)]


async def test_after_a_start_a_table_is_asked_for_once_and_nothing_is_stored_again() -> None:
    locales = FakeLocales()
    locales.known[ANN] = "da"
    readers = Readers(locales)
    assert [await language(readers, ANN) for _ in range(3)] == ["da", "da", "da"]
    readers.heard(ANN, "da")
    await readers.flush()
    assert locales.calls == [("ask", ANN, BEN, CAT)]
    again = Readers(locales)
    again.heard(ANN, "da")
    await again.flush()
    assert await language(again, ANN) == "da"
    assert locales.calls[1:] == [("learn", ANN), ("ask", BEN, CAT)]


async def test_whoever_was_never_heard_reads_what_the_table_reads() -> None:
    locales = FakeLocales()
    readers = Readers(locales)
    assert await language(readers, BEN, "da") == "da"
    assert await language(readers, BEN, "fr") == "en"
    assert locales.calls == [("ask", ANN, BEN, CAT)]
    readers.heard(BEN, "en-US")
    assert await language(readers, BEN, "da") == "en"
    await readers.flush()


async def test_what_is_heard_while_the_database_is_asked_counts() -> None:
    locales = FakeLocales()
    locales.known[ANN] = "en-US"
    readers = Readers(locales)
    asked = asyncio.create_task(readers.ask(HEAD))
    await asyncio.sleep(0)
    assert locales.calls
    readers.heard(ANN, "da")
    await asked
    await readers.flush()
    assert await language(readers, ANN) == "da"
    assert locales.known[ANN] == "da"


async def test_a_database_that_is_away_keeps_nobody_from_their_hand() -> None:
    locales = FakeLocales()
    locales.known[BEN], locales.broken = "en-US", True
    readers = Readers(locales)
    readers.heard(ANN, "da")
    await readers.flush()
    assert await language(readers, ANN) == "en"
    assert await language(readers, BEN, "da") == "da"
    locales.broken = False
    readers.heard(ANN, "da")
    await readers.flush()
    assert await language(readers, ANN) == "da"
    assert await language(readers, BEN, "da") == "en"
    assert locales.known == {ANN: "da", BEN: "en-US"}
