"""The same people again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.ids import TableId
from bot.tables.deals import match_record
from bot.tables.model import Table
from bot.tables.phase import Expired, Over
from bot.tables.stored import DeadlineKind, Pace, Status, Stop
from bot.tables.waiting import longest
from bot.views.building import channel_view
from bot.views.values import LobbyView
from tests.patience import PATIENCE
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, EVE, GUILD, House, refused


async def over(house: House, *, private: bool = False) -> Table:
    """A finished match of Ann, Ben and Cat."""
    table = await house.lobby(ANN, private=private, pace=Pace.DAILY, rounds=1, secret=True)
    for person in (BEN, CAT):
        await house.service.invite(table.id, ANN.id, person.id)
        await house.service.sit(table.id, person)
    await house.begin(table.id)
    return await house.play_round(table.id)


async def test_the_first_who_asks_opens_the_same_table_again_and_is_its_host(house: House) -> None:
    old = await over(house)
    new = await house.service.rematch(old.id, CAT)
    stored = new.stored
    assert stored.id != old.id
    assert stored.status is Status.LOBBY
    assert (stored.guild, stored.channel, stored.game) == (GUILD, CHANNEL, "stub")
    assert stored.given == {"rounds": 1, "secret": True}
    assert stored.rematch_of == old.id
    assert stored.timing.pace is Pace.DAILY
    assert stored.seating.host == CAT.id
    assert [p.person for p in stored.seating.places] == [None, None, CAT]
    assert not stored.seating.private


async def test_chance_may_draw_the_id_of_the_table_that_is_played_again(house: House) -> None:
    old = await over(house)
    house.chance.ids.append(str(old.id))
    async with asyncio.timeout(PATIENCE):
        new = await house.service.rematch(old.id, CAT)
    assert new.id != old.id


async def test_all_asking_at_once_meet_at_one_table(house: House) -> None:
    old = await over(house)
    await asyncio.gather(*(house.service.rematch(old.id, p) for p in (BEN, ANN, CAT)))
    new = await house.service.open_in_channel(CHANNEL)
    assert new is not None
    assert [p.person for p in new.stored.seating.places] == [ANN, BEN, CAT]
    assert len(house.store.rows) == 2
    assert house.store.refusals == 0


async def test_seats_wait_for_the_people_of_before_and_others_take_what_is_free(
    house: House,
) -> None:
    old = await over(house)
    new = await house.service.rematch(old.id, CAT)
    assert new.stored.seating.kept == {0: ANN, 1: BEN}
    assert told(new) == 2
    waits = await house.service.sit(new.id, DAN)
    assert (waits.stored.seating.waiting, waits.stored.seating.offers) == ((DAN,), {})
    for place in (0, 1):
        with refused("place_kept"):
            await house.service.sit(new.id, DAN, place)
    with refused("place_kept"):
        await house.service.sit(new.id, CAT, 0)
    new = await house.service.sit(new.id, BEN)
    assert [p.person for p in new.stored.seating.places] == [None, BEN, CAT]
    assert new.stored.seating.kept == {0: ANN}
    new = await house.service.leave(new.id, BEN.id)
    assert new.stored.seating.kept == {0: ANN, 1: DAN}
    assert told(new) == 1, "the other is offered to whoever is in line"


def told(table: Table) -> int:
    """How many seats a lobby says are held for the people of the match before."""
    view = channel_view(table)
    assert isinstance(view, LobbyView)
    return view.kept_seats


async def test_whoever_comes_back_elsewhere_is_waited_for_no_longer(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, rounds=1)
    await house.service.leave(table.id, BEN.id)
    await house.stop(table.id)
    new = await house.service.rematch(table.id, ANN)
    assert new.stored.seating.kept == {1: BEN, 2: CAT, 3: DAN}
    await house.service.left_server(new.id, DAN.id)
    new = await house.service.sit(new.id, CAT, 3)
    assert new.stored.seating.kept == {1: BEN}
    new = await house.service.sit(new.id, EVE)
    assert [p.person for p in new.stored.seating.places] == [ANN, None, EVE, CAT]


@pytest.mark.parametrize("pace", Pace)
@pytest.mark.behaviour("Not everybody comes to a rematch at once")
async def test_seats_are_held_longer_at_a_slower_pace_and_shorter_than_the_lobby_stands(
    pace: Pace, house: House
) -> None:
    table = await house.match(ANN, BEN, CAT, pace=pace, rounds=3)
    await house.stop(table.id)
    new = (await house.service.rematch(table.id, ANN)).stored
    held, closes = (new.timing.deadline(kind) for kind in (DeadlineKind.KEPT, DeadlineKind.LOBBY))
    assert held is not None
    assert closes is not None
    time = held.due - house.clock()
    assert time >= (timedelta(hours=12) if pace is Pace.DAILY else timedelta(minutes=2))
    assert time == pace.waits.keep <= longest(DeadlineKind.KEPT, pace)
    assert closes.due >= held.due + timedelta(minutes=5)
    with refused("place_kept"):
        await house.service.sit(new.id, EVE, 1)


async def test_after_that_time_the_seats_are_free_also_after_a_restart(house: House) -> None:
    old = await over(house)
    new = await house.service.rematch(old.id, CAT)
    house.clock.forward(Pace.DAILY.waits.keep.total_seconds())
    house = house.restarted()
    await house.service.deadlines.fire_due()
    new = await house.service.table(new.id)
    assert new.stored.seating.kept == {}
    assert len(new.stored.seating.places) == 3
    await house.service.sit(new.id, EVE, 1)
    new = await house.service.rematch(old.id, BEN)
    assert [p.person for p in new.stored.seating.places] == [BEN, EVE, CAT]


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.behaviour("The database was restored")
async def test_what_a_restoration_ended_counts_for_nobody_and_is_opened_again(
    house: House, begun: bool
) -> None:
    table = await (house.match if begun else house.lobby)(ANN, BEN, CAT, rounds=3)
    stored, log = house.store.rows[table.id]
    ended = replace(stored.broken_off(Stop.RESTORED, house.clock()), version=stored.version + 1)
    house.store.rows[table.id] = (ended, log)
    house = house.restarted()
    over = await house.service.table(table.id)
    assert over.phase == (Over(None, Stop.RESTORED) if begun else Expired(Stop.RESTORED))
    if begun:
        assert match_record(over)["stopped"] == "restored"
    with refused("not_played"):
        await house.service.rematch(table.id, DAN)
    new = (await house.service.rematch(table.id, BEN)).stored
    assert (new.given, len(new.seating.places)) == (stored.given, len(stored.seating.places))
    assert (new.seating.place_of(BEN.id), new.seating.kept) == (1, {0: ANN, 2: CAT})
    assert house.store.results == []


async def test_the_host_begins_without_them_and_nothing_is_kept(house: House) -> None:
    old = await over(house)
    new = await house.service.rematch(old.id, CAT)
    await house.service.rematch(old.id, ANN)
    table = await house.begin(new.id)
    assert table.stored.seating.kept == {}
    assert [p.person for p in table.stored.seating.places] == [ANN, CAT]


async def test_who_took_over_is_waited_for_and_who_left_the_seat_is_not(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, rounds=1)
    await house.service.leave(table.id, BEN.id)
    await house.service.sit(table.id, DAN)
    await house.stop(table.id)
    new = await house.service.rematch(table.id, ANN)
    assert new.stored.seating.kept == {1: DAN, 2: CAT}
    new = await house.service.rematch(table.id, BEN)
    assert new.stored.seating.waiting == (BEN,)
    house.clock.forward(Pace.NONE.waits.keep.total_seconds())
    await house.service.deadlines.fire_due()
    new = await house.service.rematch(table.id, BEN)
    assert [p.person for p in new.stored.seating.places] == [ANN, BEN, None]


async def test_who_was_kicked_stays_kicked_at_the_rematch_and_the_one_after_it(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.send_away(table.id, CAT)
    for _ in range(2):
        await house.stop(table.id)
        again = await house.service.rematch(table.id, ANN)
        for place in (None, 2):
            with refused("kicked"):
                await house.service.sit(again.id, CAT, place)
        with refused("guest_kicked"):
            await house.service.invite(again.id, ANN.id, CAT.id)
        with refused("kicked"):
            await house.service.rematch(table.id, CAT)
        await house.service.rematch(table.id, BEN)
        await house.service.sit(again.id, DAN)
        table = await house.begin(again.id)


async def test_a_table_that_is_open_or_never_started_has_none(house: House) -> None:
    table = await house.match(ANN, BEN)
    with refused("not_ended") as refusal:
        await house.service.rematch(table.id, ANN)
    assert refusal[0].table == table
    lobby = await house.lobby(ANN, channel=77)
    with refused("not_running"):
        await house.service.rematch(lobby.id, ANN)
    await house.service.end(lobby.id, ANN.id, moderator=False)
    with refused("never_started"):
        await house.service.rematch(lobby.id, ANN)


async def test_the_people_of_a_private_table_are_invited_again(house: House) -> None:
    old = await over(house, private=True)
    new = await house.service.rematch(old.id, BEN)
    assert new.stored.seating.private
    assert new.stored.seating.invited == {ANN.id, BEN.id, CAT.id}
    await house.service.rematch(old.id, CAT)
    with refused("private"):
        await house.service.sit(new.id, EVE)


async def test_with_the_channel_busy_the_other_table_is_shown(house: House) -> None:
    old = await over(house)
    other = await house.lobby(EVE)
    with refused("channel_busy") as refusal:
        await house.service.rematch(old.id, ANN)
    assert refusal[0].table == other


async def test_a_rematch_that_came_to_nothing_can_be_asked_for_again(house: House) -> None:
    old = await over(house)
    first = await house.service.rematch(old.id, ANN)
    await house.service.leave(first.id, ANN.id)
    second = await house.service.rematch(old.id, BEN)
    assert second.id not in (old.id, first.id)
    assert second.stored.rematch_of == old.id


async def test_a_rematch_that_another_process_opened_is_joined(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await over(house)

    async def outrun(table: TableId) -> None:
        monkeypatch.undo()
        await house.restarted().service.rematch(table, BEN)

    monkeypatch.setattr(house.store, "rematch_of", outrun)
    new = await house.service.rematch(old.id, ANN)
    assert [p.person for p in new.stored.seating.places] == [ANN, BEN, None]
    assert len(house.store.rows) == 2
