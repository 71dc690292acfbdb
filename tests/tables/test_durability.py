"""Lost races, cancelled calls, restarts, logs that cannot be read: the store alone is the truth."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.ids import QuestionId, TableId
from bot.tables import loaded as keeper_module
from bot.tables.model import TableError
from bot.tables.phase import BetweenRounds
from bot.tables.ports import ChannelTaken, Conflict
from bot.tables.stored import Status, Stop
from bot.views.building import channel_view
from bot.views.values import ClosedView
from engine.game import RuleError
from tests.tables.conftest import Logged
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, EVE, FAY, House, refused
from tests.tables.outcomes import outcome_of
from tests.tables.stub import StubGame

# Races


async def test_after_a_lost_race_the_wish_is_decided_again(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    house.store.failures = [Conflict()]
    table = await house.service.sit(table.id, CAT)
    assert table.stored.seating.people == (ANN, BEN, CAT)
    house.agree()


async def test_a_wish_that_the_winner_of_the_race_made_impossible_is_refused(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    await house.restarted().service.sit(table.id, CAT)
    with refused("table_full"):
        await house.service.sit(table.id, DAN, 2)
    house.agree()


async def test_a_choice_that_lost_against_another_seats_choice_keeps_its_question(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, secret=True)
    await house.restarted().play(table.id, BEN, "play 7")
    table = await house.service.act(table.id, QuestionId(1), ANN.id, "play 5", 700)
    assert [(entry.seat, entry.text) for entry in table.log[1:]] == [(1, "play 7"), (0, "play 5")]


async def test_a_typed_action_that_lost_a_race_does_not_answer_the_next_question(
    house: House,
) -> None:
    table = await house.match(ANN, BEN)
    other = house.restarted()
    await other.play_round(table.id)
    await other.next_round(table.id)
    with refused("stale"):
        await house.play(table.id, ANN, "play 5")
    assert (await house.service.table(table.id)).log[-1].is_deal


async def test_who_always_loses_is_told_in_the_end(house: House) -> None:
    table = await house.lobby(ANN)
    house.store.failures = [Conflict() for _ in range(99)]
    with refused("busy"):
        await house.service.sit(table.id, BEN)
    house.store.failures.clear()
    assert (await house.service.sit(table.id, BEN)).stored.seating.people == (ANN, BEN)


async def test_a_channel_that_is_freed_while_a_table_opens_is_tried_again(house: House) -> None:
    house.store.failures = [ChannelTaken()]
    assert (await house.lobby(ANN)).stored.seating.host == ANN.id


async def test_many_wishes_at_once_all_happen(house: House) -> None:
    table = await house.lobby(ANN, seats=4)
    answers = await asyncio.gather(
        *(house.service.sit(table.id, person) for person in (BEN, CAT, DAN, EVE)),
        return_exceptions=True,
    )
    assert not any(isinstance(answer, BaseException) for answer in answers)
    seating = (await house.service.table(table.id)).stored.seating
    assert {*seating.people, *seating.waiting} == {ANN, BEN, CAT, DAN, EVE}
    assert len(seating.waiting) == 1
    assert len(house.announcer.calls) == len(house.store.changes) == 5
    assert house.store.refusals == 0
    house.agree()


# Failures and cancelling


async def test_when_the_store_fails_the_store_is_asked_again_and_the_truth_drawn(
    house: House,
) -> None:
    table = await house.lobby(ANN)
    house.store.failures = [OSError("disk full")]
    announced, loads = len(house.announcer.calls), house.store.loads
    with pytest.raises(OSError, match="disk full"):
        await house.service.sit(table.id, BEN)
    assert len(house.announcer.calls) == announced + 1
    assert (await house.service.table(table.id)).stored.seating.people == (ANN,)
    assert house.store.loads == loads + 2  # whether it stands, and how the table stands


async def test_a_caller_who_is_cancelled_during_the_commit_does_not_undo_it(house: House) -> None:
    table = await house.match(ANN, BEN)
    house.store.gate = asyncio.Event()
    task = asyncio.create_task(house.play(table.id, ANN, "play 8"))
    await house.store.at_gate.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    announced = len(house.announcer.calls)
    reader = asyncio.create_task(house.service.table(table.id))
    await asyncio.sleep(0)
    assert not reader.done()
    house.store.gate.set()
    seen = await reader
    assert seen.log[-1].text == "play 8"
    assert len(house.announcer.calls) == announced + 1
    house.agree()
    assert isinstance((await house.play(table.id, BEN)).phase, BetweenRounds)


async def test_a_commit_that_fails_after_its_caller_was_cancelled_leaves_the_table_usable(
    house: House,
) -> None:
    table = await house.match(ANN, BEN)
    house.store.gate, house.store.failures = asyncio.Event(), [OSError("gone")]
    task = asyncio.create_task(house.play(table.id, ANN, "play 8"))
    await house.store.at_gate.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    house.store.gate.set()
    assert (await house.play(table.id, ANN, "play 6")).log[-1].text == "play 6"
    house.agree()


async def test_a_caller_who_is_cancelled_while_waiting_for_the_table_did_nothing(
    house: House,
) -> None:
    table = await house.lobby(ANN)
    house.store.gate = asyncio.Event()
    first = asyncio.create_task(house.service.sit(table.id, BEN))
    await house.store.at_gate.wait()
    second = asyncio.create_task(house.service.sit(table.id, CAT))
    await asyncio.sleep(0)
    second.cancel()
    house.store.gate.set()
    assert (await first).stored.seating.people == (ANN, BEN)
    with pytest.raises(asyncio.CancelledError):
        await second
    assert (await house.service.table(table.id)).stored.seating.people == (ANN, BEN)


async def test_closing_waits_for_what_is_being_written(house: House) -> None:
    table = await house.lobby(ANN)
    await house.service.aclose()
    house.store.gate = asyncio.Event()
    task = asyncio.create_task(house.service.sit(table.id, BEN))
    await house.store.at_gate.wait()
    task.cancel()
    closing = asyncio.create_task(house.service.aclose())
    await asyncio.wait({task})
    assert not closing.done()
    house.store.gate.set()
    await closing
    assert house.store.rows[table.id][0].seating.people == (ANN, BEN)


@pytest.mark.parametrize("turns", range(12))
async def test_wherever_a_call_is_cancelled_cache_and_store_agree(house: House, turns: int) -> None:
    table = await house.match(ANN, BEN)
    service = house.restarted().service
    task = asyncio.create_task(service.act(table.id, QuestionId(1), ANN.id, "play 8", 9))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    seen = await service.table(table.id)
    assert (seen.stored, seen.log) == house.store.rows[table.id]


# Restarts and the cache


async def test_a_match_played_over_many_restarts_equals_one_played_in_one_go() -> None:
    ends = []
    for restarts in (False, True):
        house = House()
        table = await house.match(ANN, BEN, CAT, rounds=4)
        numbers = Random(5)
        while table.stored.status is Status.RUNNING:
            if restarts:
                house = house.restarted()
            if isinstance(table.phase, BetweenRounds):
                table = await house.next_round(table.id)
            person = table.stored.seating.people[table.actors[0]]
            table = await house.play(table.id, person, f"play {numbers.randrange(10)}")
        assert await house.restarted().service.table(table.id) == table
        assert len(table.rounds) == 4
        assert tuple(map(sum, zip(*table.rounds, strict=True))) == outcome_of(table).scores
        assert [phrase.code for phrase in table.told] == ["played"] * 12
        ends.append((table.log, table.phase, house.store.results))
    assert ends[0] == ends[1]


async def test_the_cache_keeps_no_more_than_it_may_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeper_module, "CACHED_TABLES", 2)
    house = House()
    hosts = (ANN, CAT, DAN, EVE, FAY)
    tables = [await house.match(host, BEN, channel=host.id) for host in hosts]
    assert len(house.service._loaded._cache) == 2
    for table in tables:
        assert await house.service.table(table.id) == table


async def test_reading_a_known_table_does_not_ask_the_store(house: House) -> None:
    table = await house.match(ANN, BEN)
    loads = house.store.loads
    await house.service.table(table.id)
    await house.play(table.id, ANN)
    assert house.store.loads == loads


async def test_a_lock_does_not_outlive_its_use(house: House) -> None:
    table = await house.lobby(ANN)
    await house.service.sit(table.id, BEN)
    assert len(house.service._loaded._locks._locks) == 0
    assert house.service._loaded._writing == {}


# Logs that cannot be read


async def unreadable(house: House, how: str) -> tuple[House, str]:
    table = await house.match(ANN, BEN, CAT)
    await house.play(table.id, ANN)
    if how == "rules":
        return house.restarted(StubGame(rules_version=2)), table.id
    stored, log = house.store.rows[table.id]
    house.store.rows[table.id] = (stored, (*log[:-1], log[-1]._replace(text="play 10")))
    return house.restarted(), table.id


@pytest.mark.parametrize("how", ["rules", "damage"])
async def test_a_log_that_cannot_be_replayed_is_refused_and_not_played_on_wrongly(how: str) -> None:
    house, table = await unreadable(House(), how)
    with refused("unreadable", id=table):
        await house.play(TableId(table), BEN)
    with refused("unreadable", id=table):
        await house.service.table(TableId(table))
    assert await house.service.open_tables() == []


@pytest.mark.parametrize("how", ["rules", "damage"])
async def test_a_log_that_cannot_be_replayed_blocks_no_channel(how: str) -> None:
    house, table = await unreadable(House(), how)
    found = await house.service.open_in_channel(CHANNEL)
    assert found is not None
    assert found.played is None
    with refused("channel_busy"):
        await house.lobby(EVE)
    await house.service.leave(TableId(table), CAT.id)
    assert [t.id for t in await house.service.open_of(BEN.id)] == [table]
    ended = await house.service.end(TableId(table), BEN.id, moderator=True)
    assert (ended.stored.status, ended.stored.stop) == (Status.STOPPED, Stop.MODERATOR)
    assert (await house.service.rematch(TableId(table), BEN)).stored.rematch_of == table


@pytest.mark.behaviour("What a plan or a table names is not known any more")
@pytest.mark.parametrize("how", ["rules", "damage", "game", "options"])
@pytest.mark.parametrize("begun", [False, True])
async def test_what_is_not_known_any_more_ends_with_its_next_deadline(
    how: str, begun: bool, logged: Logged
) -> None:
    house = House()
    table = await (house.match(ANN, BEN, CAT) if begun else house.lobby(ANN, BEN))
    stored, log = house.store.rows[table.id]
    match how:
        case "rules":
            house = house.restarted(StubGame(rules_version=2))
        case "damage":
            broken = tuple(entry._replace(text="play 10") for entry in log)
            house.store.rows[table.id] = (stored, broken)
            house = house.restarted()
        case "game":
            house.store.rows[table.id] = (replace(stored, game="gone"), log)
            house = house.restarted()
        case _:
            options = {"gone": 1} if begun else {}
            house.store.rows[table.id] = (
                replace(stored, given={"gone": 1}, options=options),
                log,
            )
            house = house.restarted()
    fine = not begun and how in ("rules", "damage")  # nothing of a lobby hangs on these
    house.clock.now += timedelta(days=60)
    for _ in range(20):
        await house.service.deadlines.fire_due()
    found = await house.service.find(table.id)
    assert not found.stored.status.is_open
    assert "deadline_failed" not in repr(logged)
    if fine:
        return
    assert found.stored.stop is Stop.UNREADABLE
    view = channel_view(found)
    assert isinstance(view, ClosedView)
    assert view.why == "unreadable"
    await house.lobby(EVE)  # the channel is free


@pytest.mark.parametrize(
    ("known", "code"),
    [({"game": "gone"}, "no_such_game"), ({"given": {"gone": 1}}, "options_gone")],
)
async def test_a_rematch_of_what_is_not_known_any_more_is_refused(
    known: dict[str, Any], code: str
) -> None:
    house = House()
    table = await house.stop((await house.match(ANN, BEN, CAT)).id)
    stored, log = house.store.rows[table.id]
    house.store.rows[table.id] = (replace(stored, **known), log)
    with pytest.raises(TableError) as caught:
        await house.restarted().service.rematch(table.id, ANN)
    assert caught.value.code == code


async def test_a_lobby_survives_a_change_of_the_rules_and_starts_under_the_new_ones(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN)
    house = house.restarted(StubGame(rules_version=2))
    table = await house.service.start(table.id, ANN.id)
    assert table.stored.rules_version == 2


async def test_nothing_private_is_in_refusals_logs_or_the_look_of_a_table(
    house: House, logged: Logged
) -> None:
    table = await house.match(ANN, BEN)
    assert "numbers" in table.log[0].text
    assert "numbers" not in repr(table)
    with pytest.raises(RuleError) as refusal:
        await house.play(table.id, ANN, "play 77")
    assert refusal.value.__cause__ is None
    house, broken = await unreadable(House(), "damage")
    with refused("unreadable") as caught:
        await house.service.table(TableId(broken))
    assert caught[0].__cause__ is None
    assert "play 10" not in repr(logged)
    assert broken in repr(logged)
