"""How many tables one person and one server may open, and a program about to end opens none."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import ALONE, ChannelId, GuildId, UserId
from bot.tables.model import Table, TableError
from bot.tables.opener import INVITATION_WINDOW, INVITATIONS, Limits, OpeningLimits, RateLimit
from bot.tables.phase import Closing
from bot.tables.plans import Wish
from bot.tables.stored import DeadlineKind, Pace, Person, Status, Stop
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, GUILD, START, House, refused
from tests.tables.test_clock import away


async def opened(house: House, host: Person, channel: int, guild: int = GUILD) -> Table:
    return await house.service.open(Wish("stub", 2, {}), GuildId(guild), ChannelId(channel), host)


async def closed(house: House, host: Person, channel: int) -> None:
    """A table that was opened and ended at once."""
    table = await opened(house, host, channel)
    await house.service.end(table.id, host.id, moderator=False)


async def test_one_person_opens_three_tables_of_a_server_at_most_at_a_time(house: House) -> None:
    tables = [await opened(house, ANN, channel) for channel in range(3)]
    with refused("too_many_tables", limit=3):
        await opened(house, ANN, 3)
    await opened(house, BEN, 3)
    await opened(house, ANN, 4, guild=GUILD + 1)
    await house.service.end(tables[0].id, ANN.id, moderator=False)
    await opened(house, ANN, 5)


async def test_who_hands_their_tables_over_opens_no_more_than_others(house: House) -> None:
    """By every way in which somebody else leads a table: two could else fill a server."""
    tables = [await opened(house, ANN, channel) for channel in range(3)]
    for table in tables:
        await house.service.sit(table.id, BEN)
    await house.service.hand_over(tables[0].id, ANN.id, BEN.id)
    await house.service.leave(tables[1].id, ANN.id)
    await house.begin(tables[2].id)
    await house.service.leave(tables[2].id, ANN.id)
    for table in tables:
        assert (await house.service.table(table.id)).stored.seating.host == BEN.id
    with refused("too_many_tables", limit=3):
        await opened(house, ANN, 3)
    house = house.restarted()
    with refused("too_many_tables", limit=3):
        await opened(house, ANN, 3)
    for channel in range(3, 6):
        await opened(house, BEN, channel)
    await house.service.end(tables[0].id, BEN.id, moderator=False)
    await opened(house, ANN, 6)


async def test_whoever_was_forgotten_opens_no_more_than_others(house: House) -> None:
    for number in range(3):
        table = await opened(house, ANN, number)
        await house.service.sit(table.id, BEN)
        await house.service.leave(table.id, ANN.id)
    await opened(house, BEN, 3)
    await house.service.bar(ANN.id)
    with refused("too_many_tables", limit=3):
        await opened(house, ANN, 4)  # while it is not done yet, or if it fails
    for stored, log in list(house.store.rows.values()):
        if stored.opener == ANN.id:
            forgotten = replace(stored, opener=UserId(-7), version=stored.version + 1)
            house.store.rows[stored.id] = (forgotten, log)
    house.service.reread()
    await house.service.bar(ANN.id)
    with refused("too_many_tables", limit=3):
        await opened(house, ANN, 4)
    await opened(house, ANN, 5, guild=GUILD + 1)
    await house.service.end(table.id, BEN.id, moderator=False)
    await opened(house, ANN, 6)
    with refused("too_many_tables", limit=3):
        await opened(house, ANN, 7)


@pytest.mark.parametrize("how", ["rematch", "opened for another"])
async def test_whose_table_it_is_is_who_asked_for_it(house: House, how: str) -> None:
    if how == "rematch":
        old = await house.match(ANN, BEN)
        await house.stop(old.id)
        await house.service.rematch(old.id, BEN)
    else:
        wish = Wish("stub", 2, {})
        await house.service.open(wish, GUILD, ChannelId(0), ANN, opener=BEN.id)
    for channel in range(1, 4):
        await opened(house, ANN, channel)
    for channel in range(4, 6):
        await opened(house, BEN, channel)
    with refused("too_many_tables"):
        await opened(house, BEN, 6)


# Without a clock

CLOCKLESS = Wish("stub", 2, {}, pace=Pace.NONE)


@pytest.mark.behaviour("One person plays alone, without a clock, in a channel")
async def test_one_person_alone_without_a_clock_keeps_no_channel(house: House) -> None:
    for private in (False, True):
        wish = replace(CLOCKLESS, private=private, computers=(1, Level.NORMAL))
        with refused("endless"):
            await house.service.open(wish, GUILD, ChannelId(1), ANN)
    table = await house.service.open(CLOCKLESS, GUILD, ChannelId(1), ANN)
    table = await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    with refused("endless"):
        await house.service.start(table.id, ANN.id)
    wish = replace(CLOCKLESS, computers=(1, Level.NORMAL))
    table = await house.service.open(wish, ALONE, ChannelId(2), ANN)
    assert (await house.begin(table.id)).stored.timing.pace is Pace.NONE


async def test_one_person_alone_votes_for_no_clockless_match(house: House) -> None:
    table = await house.against(ANN)
    with refused("endless"):
        await house.service.choose_pace(table.id, ANN.id, Pace.NONE)
    assert (await house.service.table(table.id)).stored.timing.pace is Pace.DAILY


@pytest.mark.behaviour("One person plays alone, without a clock, in a channel")
async def test_where_the_others_are_away_nobody_alone_does_without_a_clock(house: House) -> None:
    table = await away(house)
    for person in (ANN, BEN):
        table = await house.service.choose_pace(table.id, person.id, Pace.NONE)
    assert table.stored.timing.pace is Pace.NONE, "two want it"
    table = await house.service.leave(table.id, BEN.id)
    assert table.stored.seating.present == (ANN,)
    assert table.stored.seating.absent == {CAT.id}
    assert table.stored.timing.pace is Pace.DAILY
    with refused("endless"):
        await house.service.choose_pace(table.id, ANN.id, Pace.NONE)
    assert (await house.service.table(table.id)).stored.timing.pace is Pace.DAILY


@pytest.mark.parametrize("how", ["leave", "gone", "sent away"])
async def test_when_the_others_have_left_the_match_has_a_clock(house: House, how: str) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.service.leave(table.id, BEN.id)
    assert (await house.service.table(table.id)).stored.timing.pace is Pace.NONE
    match how:
        case "leave":
            table = await house.service.leave(table.id, CAT.id)
        case "gone":
            table = await house.service.left_server(table.id, CAT.id)
        case _:
            table = await house.send_away(table.id, CAT)
    assert table.stored.timing.pace is Pace.DAILY
    assert {one.kind for one in table.stored.timing.deadlines} == {
        DeadlineKind.TURN,
        DeadlineKind.WARN,
    }
    while table.stored.status is Status.RUNNING:
        assert house.clock() < START + timedelta(days=3)
        if isinstance(table.phase, Closing):
            table = await house.post(table.id)
            continue
        due = await house.store.earliest_deadline()
        assert due is not None
        table = await house.later(table, (due.deadline.due - house.clock()).total_seconds())
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.EMPTY)


async def test_one_person_opens_five_tables_in_ten_minutes_at_most(house: House) -> None:
    for channel in range(5):
        house.clock.forward(10)
        await closed(house, ANN, channel)
    with refused("too_fast", seconds=560, limit=5):
        await closed(house, ANN, 5)
    await closed(house, BEN, 5)
    house.clock.forward(559.5)
    with refused("too_fast", seconds=1, limit=5):
        await closed(house, ANN, 5)
    house.clock.forward(0.5)
    await closed(house, ANN, 5)
    with refused("too_fast", seconds=10, limit=5):
        await closed(house, ANN, 6)


async def test_a_server_has_a_hundred_open_tables_at_most(house: House) -> None:
    for channel in range(100):
        house.clock.forward(30)
        await opened(house, Person(UserId(1000 + channel), "Guest"), channel)
    with refused("server_full", limit=100):
        await opened(house, ANN, 100)
    await opened(house, ANN, 100, guild=GUILD + 1)


async def test_a_server_opens_thirty_tables_in_ten_minutes_at_most(house: House) -> None:
    for number in range(30):
        host = ANN if number == 0 else Person(UserId(1000 + number), "Guest")
        await closed(house, host, number)
    with refused("server_too_fast", seconds=600, limit=30):
        await closed(house, ANN, 31)
    await opened(house, ANN, 31, guild=GUILD + 1)
    house.clock.forward(600)
    await opened(house, ANN, 32)


async def test_the_limit_of_a_server_keeps_nobody_from_a_first_table(house: House) -> None:
    """Else six people could close a server to everybody."""
    for number in range(30):
        await closed(house, Person(UserId(1000 + number // 5), "Guest"), number)
    await closed(house, ANN, 31)
    with refused("server_too_fast"):
        await closed(house, ANN, 32)
    with refused("too_fast"):
        await closed(house, Person(UserId(1000), "Guest"), 33)


async def test_a_hundred_at_once_get_no_more_than_one_by_one(house: House) -> None:
    said = await asyncio.gather(
        *(opened(house, ANN, channel) for channel in range(100)), return_exceptions=True
    )
    codes = [refusal.code for refusal in said if isinstance(refusal, TableError)]
    assert codes == ["too_many_tables"] * 97
    assert len(await house.service.open_tables()) == 3


async def test_what_was_refused_does_not_count(house: House) -> None:
    await opened(house, BEN, 1)
    for _ in range(9):
        with refused("channel_busy"):
            await opened(house, ANN, 1)
    await opened(house, ANN, 2)


async def test_a_rematch_counts_for_whoever_opens_it_and_joining_it_for_nobody(
    house: House,
) -> None:
    table = await house.match(ANN, BEN)
    for number in range(4):
        await house.stop(table.id)
        again = await house.service.rematch(table.id, ANN)
        assert again.stored.rematch_of == table.id, number
        await house.service.rematch(table.id, BEN)
        table = await house.begin(again.id)
    await house.stop(table.id)
    with refused("too_fast"):
        await house.service.rematch(table.id, ANN)
    with refused("too_fast"):
        await closed(house, ANN, 5)
    assert (await house.service.rematch(table.id, BEN)).stored.seating.host == BEN.id
    assert (await house.service.rematch(table.id, ANN)).stored.seating.place_of(ANN.id) == 0


@pytest.mark.parametrize("wish", ["open", "rematch"])
async def test_a_program_about_to_end_opens_no_table(house: House, wish: str) -> None:
    table = await house.match(ANN, BEN)
    await house.stop(table.id)
    house.service.drain()
    with refused("restarting"):
        if wish == "open":
            await opened(house, ANN, 1)
        else:
            await house.service.rematch(table.id, ANN)


async def test_a_program_about_to_end_still_answers_at_its_tables(house: House) -> None:
    table = await house.match(ANN, BEN, channel=1)
    house.service.drain()
    assert (await house.play(table.id, ANN)).actors == (1,)


def test_who_plays_alone_is_not_held_up_by_others_who_do() -> None:
    openings = OpeningLimits(Limits(server_open=1, server_opened=1))
    for number in range(3):
        openings.require(ALONE, UserId(number + 1), 0, number, START)
        openings.count(ALONE, UserId(number + 1), START)
    with refused("too_fast"):
        for _ in range(Limits().opened + 1):
            openings.require(ALONE, ANN.id, 0, 0, START)
            openings.count(ALONE, ANN.id, START)


@given(st.lists(st.timedeltas(timedelta(hours=-30), timedelta(hours=30)), max_size=40))
def test_a_limit_holds_for_its_time_whatever_the_clock_is_set_to(
    jumps: list[timedelta],
) -> None:
    """What was done when the clock was wrong limits nobody for as long as it was."""
    limit, now = RateLimit[UserId]("too_many_invitations", INVITATIONS, INVITATION_WINDOW), START
    for jump in jumps:
        now += jump / 60 if jump > timedelta() else jump
        try:
            limit.require(ANN.id, now)
        except TableError as refusal:
            seconds = refusal.params["seconds"]
            assert isinstance(seconds, int)
            wait = timedelta(seconds=seconds)
            assert timedelta() < wait <= 2 * INVITATION_WINDOW
            limit.require(ANN.id, now + wait)
        else:
            limit.count(ANN.id, now)
    limit.require(ANN.id, now - INVITATION_WINDOW * 40)


async def test_tables_are_opened_again_after_the_clock_was_set_back(house: House) -> None:
    for channel in range(Limits().opened):
        await closed(house, ANN, channel)
    with refused("too_fast"):
        await opened(house, ANN, 1)
    house.clock.forward(-86_400)
    await closed(house, ANN, 1)
