"""Logs are JSON lines without secrets, the libraries' included."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.operate import logs

SECRET = "MTA.fake.token"


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("bot", "cogs", "engine"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.reset_defaults()


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_our_events_carry_their_parameters(stream: io.StringIO) -> None:
    logs.configure("INFO", stream=stream)
    structlog.get_logger("cogs.play").info("action", table="T7Q2", question=17)
    (line,) = lines(stream)
    assert line["event"] == "action"
    assert (line["table"], line["question"]) == ("T7Q2", 17)
    assert (line["level"], line["logger"]) == ("info", "cogs.play")
    assert str(line["timestamp"]).endswith("Z")


def test_libraries_are_routed_too_but_never_at_debug(stream: io.StringIO) -> None:
    logs.configure("DEBUG", stream=stream)
    logging.getLogger("discord.gateway").info("Shard %s is ready", 0)
    logging.getLogger("discord.http").debug("POST with the hand %s", "3-4 3-6")
    logging.getLogger("bot.tables").debug("ours")
    assert [line["event"] for line in lines(stream)] == ["Shard 0 is ready", "ours"]


def test_level_holds(stream: io.StringIO) -> None:
    logs.configure("WARNING", stream=stream)
    structlog.get_logger("bot.app").info("quiet")
    structlog.get_logger("bot.app").warning("loud")
    logging.getLogger("discord").info("quiet")
    assert [line["event"] for line in lines(stream)] == ["loud"]


def test_no_secret_passes_in_event_value_or_traceback(stream: io.StringIO) -> None:
    logs.configure("INFO", secrets=(SECRET,), stream=stream)
    log = structlog.get_logger("bot.app")
    log.info(SECRET, header=f"Bot {SECRET}")
    try:
        raise ValueError(SECRET)
    except ValueError:
        log.exception("failed")
        logging.getLogger("discord.client").exception("Ignoring exception")
    assert SECRET not in stream.getvalue()
    assert len(lines(stream)) == 3


def test_a_secret_is_hidden_however_json_writes_it(stream: io.StringIO) -> None:
    password = 'quo"te\\s'
    logs.configure("INFO", secrets=(password,), stream=stream)
    structlog.get_logger("bot.app").warning("refused", said=f"for {password}!")
    (line,) = lines(stream)
    assert line["said"] == "for [secret]!"


def test_every_line_of_a_press_names_it_the_libraries_included(stream: io.StringIO) -> None:
    logs.configure("INFO", stream=stream)
    names = {"interaction": 123, "table": "T7Q2", "question": 17}
    with structlog.contextvars.bound_contextvars(**names):
        structlog.get_logger("bot.publish.requests").warning("draw_failed")
        logging.getLogger("bot.tables.loaded").error("table %s left out", "T7Q2")
        logging.getLogger("discord.http").warning("We are being rate limited.")
    structlog.get_logger("bot.app").info("afterwards")
    *within, after = lines(stream)
    assert len(within) == 3
    assert all(names.items() <= line.items() for line in within)
    assert not names.keys() & after.keys()


def test_names_of_one_press_are_not_those_of_another_at_the_same_time(stream: io.StringIO) -> None:
    logs.configure("INFO", stream=stream)

    async def press(number: int) -> None:
        with structlog.contextvars.bound_contextvars(interaction=number):
            await asyncio.sleep(0)
            structlog.get_logger("cogs.play").info("done", number=number)

    async def both() -> None:
        await asyncio.gather(press(1), press(2))

    asyncio.run(both())
    assert [line["interaction"] == line["number"] for line in lines(stream)] == [True, True]


def test_tracebacks_show_no_local_variables(stream: io.StringIO) -> None:
    logs.configure("INFO", stream=stream)
    hand = ("3-4", "3-6")
    try:
        raise ValueError("no")
    except ValueError:
        structlog.get_logger("bot.app").exception("failed")
    assert hand[0] not in stream.getvalue()
    assert "ValueError: no" in str(lines(stream)[0]["exception"])


def test_configuring_twice_does_not_double(stream: io.StringIO) -> None:
    logs.configure("INFO", stream=stream)
    logs.configure("INFO", stream=stream)
    structlog.get_logger("bot.app").info("once")
    assert len(lines(stream)) == 1


def test_a_library_that_names_a_person_in_an_address_does_not(stream: io.StringIO) -> None:
    logs.configure("INFO", stream=stream)
    address = "https://discord.com/api/v10/guilds/77/members/123456789012345678"
    logging.getLogger("discord.http").warning("We are being rate limited. GET %s", address)
    (line,) = lines(stream)
    assert "123456789012345678" not in json.dumps(line)
    assert "/guilds/77/members/[id]" in str(line["event"])
