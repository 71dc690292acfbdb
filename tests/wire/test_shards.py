"""More servers than Discord lets one connection carry: two shards, one of them dropping."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import aiohttp
import pytest

from bot.ids import GuildId
from bot.render.custom_ids import Verb
from bot.sharding import Connections
from tests.patience import until
from tests.ports import free_port
from tests.wire.faults import Fault, Kind
from tests.wire.front import Front
from tests.wire.ledger import Ledger
from tests.wire.matches import begin, play_on
from tests.wire.people import UNHURRIED, Person, Wire
from tests.wire.playing import PLAYABLE, asks, press_something
from tests.wire.program import Program

SHARDS = 2


async def servers(wire: Wire) -> dict[int, tuple[int, list[Person]]]:
    """A channel and three people on a server of each shard."""
    found: dict[int, tuple[int, list[Person]]] = {}
    while len(found) < SHARDS:
        guild = wire.guild()
        shard = (guild >> 22) % SHARDS
        if shard not in found:
            found[shard] = wire.channel(guild), wire.join(guild, "Ann", "Ben", "Cat")
        await asyncio.sleep(0.001)  # Discord numbers servers by the time
    return found


async def health_with(port: int, key: str, value: object) -> dict[str, object]:
    """What health says, once it says that."""

    async def found() -> dict[str, object] | None:
        said = await health(port)
        return said if said[key] == value else None

    return await until(found)


async def health(port: int) -> dict[str, object]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/health") as answer,
    ):
        said: dict[str, object] = json.loads(await answer.text())
        return said


@pytest.mark.parametrize("fault", [Fault(Kind.REFUSED, status=404), Fault(Kind.CUT)])
async def test_who_is_not_told_where_to_connect_asks_again(fault: Fault, tmp_path: Path) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        # No number of tries of one request would be enough; one that is cut is sent once more.
        front.faults.plan(fault, "GET", "^/gateway/bot", times=4)
        await program.start()
        assert front.faults.injected[fault.kind] == 4
        logged = [event.get("event") for event in program.events()]
        assert logged.count("gateway_not_found") == (2 if fault.kind is Kind.CUT else 4)
        await program.terminate()


@pytest.mark.behaviour("The bot is on more servers than one connection carries")
async def test_two_shards_play_and_one_that_drops_comes_back(tmp_path: Path) -> None:
    port = free_port()
    async with Front() as front, Program(front, tmp_path, METRICS_PORT=str(port)) as program:
        gateway = front.gateway
        gateway.shards = SHARDS
        wire = Wire(front, UNHURRIED)
        places = await servers(wire)
        gateway.guilds_per_shard = -(-len(front.backend.guilds) // SHARDS)
        await program.start()
        assert gateway.identified == SHARDS, "as many as Discord recommends"
        assert gateway.too_soon == 0
        ledger, rng = Ledger(program.database), random.Random(1)
        for channel, people in places.values():
            await begin(wire, channel, people)
            await play_on(wire, ledger, channel, rng, 2)
        assert (await health_with(port, "gateway", True))["shards"] == {
            str(shard): True for shard in range(SHARDS)
        }

        # A press in a DM comes over the first connection and reaches the table of another.
        channel, _ = places[1]
        known = ledger.newest(channel)
        assert known is not None
        while known.between_rounds:
            known = await play_on(wire, ledger, channel, rng, 1)
        person, question = wire.people[known.asked[0]], known.question(known.actors[0])
        table = known.id
        shown = await wire.until(
            lambda: next((p for p in person.dms() if asks(p, table, question)), None)
        )
        assert shown.presses(*PLAYABLE)
        assert not (await press_something(person, shown, rng)).failed

        # One drops and resumes; then its session is lost for good, and it logs in anew.
        await gateway.drop(shard=1)
        await gateway.wait(lambda: gateway.resumed == 1 and gateway.listens(1))
        gateway.refuse_resume = 1
        await gateway.drop(shard=1)
        await gateway.wait(lambda: gateway.identified == SHARDS + 1)
        for channel, people in places.values():
            board = await wire.board_with(channel, Verb.HAND)
            assert not (await people[0].press_verb(board, Verb.HAND)).failed
        assert gateway.too_soon == 0
        ledger.close()


@pytest.mark.behaviour("The bot is on more servers than one connection carries")
async def test_a_shard_that_is_away_stops_the_clocks_if_a_table_is_open_there(
    tmp_path: Path,
) -> None:
    port = free_port()
    async with Front() as front, Program(front, tmp_path, METRICS_PORT=str(port)) as program:
        gateway = front.gateway
        gateway.shards = SHARDS
        wire = Wire(front, UNHURRIED)
        places = await servers(wire)
        await program.start()
        await health_with(port, "status", "ok")
        gateway.refuse_all = frozenset({1})
        await gateway.drop(shard=1)
        # Nobody sits on its servers.
        away = {"0": True, "1": False}
        await health_with(port, "shards", away)
        assert (await health_with(port, "gateway", True))["shards"] == away
        gateway.refuse_all = frozenset()
        await health_with(port, "shards", {"0": True, "1": True})
        channel, people = places[1]
        await begin(wire, channel, people)
        gateway.refuse_all = frozenset({1})
        await gateway.drop(shard=1)
        said = await health_with(port, "gateway", False)
        assert (said["status"], said["shards"]) == ("unwell", away)
        gateway.refuse_all = frozenset()
        await health_with(port, "status", "ok")


@pytest.mark.nightly
@pytest.mark.behaviour("The bot is on more servers than one connection carries")
async def test_a_shard_that_falls_silent_stops_the_clocks_although_the_others_are_heard(
    tmp_path: Path,
) -> None:
    port = free_port()
    async with Front() as front, Program(front, tmp_path, METRICS_PORT=str(port)) as program:
        gateway = front.gateway
        gateway.shards = SHARDS
        wire = Wire(front, UNHURRIED)
        await servers(wire)
        await program.start()
        await health_with(port, "status", "ok")
        gateway.silent = frozenset({1})
        said = await health_with(port, "gateway", False)
        assert said["shards"] == {str(shard): True for shard in range(SHARDS)}, "nobody knows yet"
        gateway.silent = frozenset()
        await health_with(port, "status", "ok")


def test_the_connections_that_count_are_the_first_and_those_of_open_tables() -> None:
    connections = Connections()
    one, two = (GuildId(number << 22) for number in (4, 5))  # over the second and the third
    assert (connections.reach(()), dict(connections.states)) == (False, {})
    connections.found(1, 3)
    assert not connections.reach([one])
    connections.found(0, 3)
    assert (connections.reach([one]), connections.reach([one, two])) == (True, False)
    assert connections.states == {0: True, 1: True, 2: False}
    connections.lost(1)
    assert (connections.reach([one]), connections.reach(())) == (False, True)
