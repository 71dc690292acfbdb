"""The host of a lobby changes how many seats it has: nobody loses theirs."""

from __future__ import annotations

from bot.ids import UserId
from bot.tables.customs import WaitTimes
from bot.tables.model import Table
from bot.tables.stored import DeadlineKind, Pace
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, DAN, House, refused


async def resized(house: House, table: Table, seats: int, user: UserId = ANN.id) -> Table:
    """With so many seats, and all else as it is."""
    stored = table.stored
    return await house.service.change_options(
        table.id, user, stored.given, stored.customs, seats=seats
    )


def names(table: Table) -> list[str]:
    """By place: a person's name, how strong a computer player is, or nothing."""
    return [
        one.person.name if one.person else one.computer or "" for one in table.stored.seating.places
    ]


async def test_free_seats_go_and_come_in_one_version(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, seats=4)
    before = len(house.announcer.calls)
    fewer = await resized(house, lobby, 2)
    assert (names(fewer), fewer.stored.version) == (["Ann", "Ben"], lobby.stored.version + 1)
    more = await resized(house, fewer, 4)
    assert names(more) == ["Ann", "Ben", "", ""]
    assert await resized(house, more, 4) == more, "nothing new is no change"
    assert house.announcer.calls[before:] == [lobby.id] * 2
    reread = await house.restarted().service.table(lobby.id)
    assert reread.stored == more.stored


async def test_whoever_sits_farther_back_moves_up(house: House) -> None:
    lobby = await house.lobby(ANN, seats=4)
    await house.service.sit(lobby.id, BEN, 3)
    lobby = await house.service.seat_computer(lobby.id, ANN.id, Level.EASY, 1)
    fewer = await resized(house, lobby, 3)
    assert names(fewer) == ["Ann", Level.EASY, "Ben"]


async def test_no_seat_goes_in_which_somebody_sits_or_which_is_held(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, seats=3)
    lobby = await house.service.seat_computer(lobby.id, ANN.id, Level.EASY, None)
    with refused("seats_needed", count=3, seats=2):
        await resized(house, lobby, 2)
    await house.service.sit(lobby.id, CAT)  # in line
    offered = await house.service.send_computer_away(lobby.id, ANN.id, 2)
    assert offered.stored.seating.offers.keys() == {2}
    with refused("seats_needed", count=3, seats=2):
        await resized(house, offered, 2)
    assert (await house.service.table(lobby.id)).stored == offered.stored


async def test_a_held_seat_moves_up_with_its_offer(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, CAT, seats=4)
    lobby = await house.service.sit(lobby.id, CAT, 3)
    lobby = await house.service.seat_computer(lobby.id, ANN.id, Level.EASY, 2)
    await house.service.sit(lobby.id, DAN)  # in line
    lobby = await house.service.leave(lobby.id, CAT.id)
    assert lobby.stored.seating.kept == {3: DAN}
    await house.service.send_computer_away(lobby.id, ANN.id, 2)
    fewer = await resized(house, lobby, 3)
    assert (fewer.stored.seating.kept, [*fewer.stored.seating.offers]) == ({2: DAN}, [2])
    assert names(await house.service.sit(lobby.id, DAN)) == ["Ann", "Ben", "Dan"]


async def test_a_new_seat_is_offered_to_the_first_in_line(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, seats=2)
    lobby = await house.service.sit(lobby.id, CAT)
    more = await resized(house, lobby, 3)
    assert more.stored.seating.kept == {2: CAT}
    assert more.stored.seating.offers.keys() == {2}
    assert more.stored.timing.deadline(DeadlineKind.OFFERED) is not None


async def test_who_was_ready_for_another_company_is_asked_again(house: House) -> None:
    table = await house.planned(ANN, BEN, seats=4, pace=Pace.LIVE60)
    await house.service.ready_to_begin(table.id, BEN.id)
    house.clock.forward(60)
    fewer = await resized(house, table, 2)
    assert fewer.stored.votes.ready == frozenset()
    assert not fewer.running
    due = fewer.stored.timing.deadline(DeadlineKind.PLANNED)
    assert due is not None
    assert due.due == house.clock.now + WaitTimes().start


async def test_only_the_host_only_before_the_match_only_what_the_game_has(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, seats=4)
    with refused("not_host"):
        await resized(house, lobby, 3, BEN.id)
    with refused("seats_range", minimum=2, maximum=4):
        await resized(house, lobby, 5)
    table = await house.begin(lobby.id)
    with refused("started"):
        await resized(house, table, 3)
