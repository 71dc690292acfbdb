"""Opening a table, sitting down, getting up, who may: before the match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from bot.ids import ChannelId, TableId, UserId
from bot.tables.customs import USUAL_CUSTOMS, WaitTimes
from bot.tables.lobby import GUESTS
from bot.tables.model import Table
from bot.tables.opener import INVITATION_WINDOW, INVITATIONS
from bot.tables.phase import BetweenRounds
from bot.tables.plans import Wish
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Pace, Person, Status, Stop
from engine.game import NotationError
from engine.players.levels import Level
from tests.tables.fakes import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    DAN,
    EVE,
    GUILD,
    START,
    House,
    deadline_of,
    refused,
)


def names(table: Table) -> list[str]:
    return ["" if p.person is None else p.person.name for p in table.stored.seating.places]


async def test_the_host_opens_a_lobby_and_sits_on_the_first_place(house: House) -> None:
    table = await house.lobby(ANN, seats=None, rounds=2)
    assert table.stored.status is Status.LOBBY
    assert names(table) == ["Ann", "", "", ""]
    assert table.stored.seating.host == ANN.id
    assert table.stored.given == {"rounds": 2}
    assert (table.stored.guild, table.stored.channel) == (GUILD, CHANNEL)
    assert table.stored.version == 1
    assert table.played is None
    assert table.actors == ()
    assert not isinstance(table.phase, BetweenRounds)
    assert house.announcer.calls == [table.id]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (Wish("whist", 3, {}), "no_such_game"),
        (Wish("stub", 1, {}), "seats_range"),
        (Wish("stub", 5, {}), "seats_range"),
        (Wish("stub", 2, {}, computers=(2, Level.EASY)), "too_many_computers"),
    ],
)
async def test_what_can_never_be_played_is_not_opened(house: House, wish: Wish, code: str) -> None:
    with refused(code):
        await house.service.open(wish, GUILD, CHANNEL, ANN)
    assert house.store.rows == {}


async def test_a_game_for_one_number_of_people_says_that_number(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(4,))
    with refused("seats_exactly", seats=4):
        await house.lobby(ANN, seats=3)


async def test_options_are_checked_when_the_table_opens(house: House) -> None:
    with pytest.raises(NotationError) as info:
        await house.lobby(ANN, rounds=77)
    assert info.value.code == "option_range"
    assert house.store.rows == {}


async def test_a_busy_channel_is_refused_and_its_table_shown(house: House) -> None:
    table = await house.lobby(ANN)
    with refused("channel_busy") as refusal:
        await house.lobby(BEN)
    assert refusal[0].table == table


WISHES: Final[dict[str, tuple[Callable[[TableService, TableId], Awaitable[object]], str]]] = {
    "a place below": (lambda s, t: s.sit(t, CAT, -1), "no_such_place"),
    "a place above": (lambda s, t: s.sit(t, CAT, 3), "no_such_place"),
    "a place of another": (lambda s, t: s.sit(t, CAT, 1), "place_taken"),
    "to move to another": (lambda s, t: s.sit(t, BEN, 0), "place_taken"),
    "a stranger to leave": (lambda s, t: s.leave(t, CAT.id), "not_seated"),
    "a guest to start": (lambda s, t: s.start(t, BEN.id), "not_host"),
    "a guest to invite": (lambda s, t: s.invite(t, BEN.id, DAN.id), "not_host"),
    "a guest to send away": (lambda s, t: s.kick(t, BEN.id, ANN.id), "not_host"),
    "a guest to hand over": (lambda s, t: s.hand_over(t, BEN.id, BEN.id), "not_host"),
    "to send oneself away": (lambda s, t: s.kick(t, ANN.id, ANN.id), "kick_self"),
    "to send a stranger away": (lambda s, t: s.kick(t, ANN.id, CAT.id), "target_not_seated"),
    "to hand to a stranger": (lambda s, t: s.hand_over(t, ANN.id, CAT.id), "target_not_seated"),
    "to invite who sits here": (lambda s, t: s.invite(t, ANN.id, BEN.id), "guest_seated"),
    "a stranger to be ready": (lambda s, t: s.ready_to_begin(t, CAT.id), "not_seated"),
}


@pytest.mark.parametrize("wish", WISHES)
async def test_what_cannot_be_in_a_lobby_is_refused_and_the_table_shown(
    house: House, wish: str
) -> None:
    table = await house.lobby(ANN, BEN)
    ask, code = WISHES[wish]
    with refused(code) as refusal:
        await ask(house.service, table.id)
    assert refusal[0].table == table


async def test_choosing_another_place_moves_there_and_keeps_what_is_known_of_the_person(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN)
    await house.service.set_reachable(table.id, BEN.id, reachable=False)
    table = await house.service.sit(table.id, BEN, 2)
    assert names(table) == ["Ann", "", "Ben"]
    assert [p.reachable for p in table.stored.seating.places] == [None, None, False]


async def test_sitting_down_twice_changes_nothing(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    assert await house.service.sit(table.id, BEN) == table
    assert await house.service.sit(table.id, BEN, 1) == table
    assert len(house.store.changes) == 2
    assert len(house.announcer.calls) == 2


async def test_an_unknown_table_is_refused(house: House) -> None:
    with refused("no_such_table", id="NOPE"):
        await house.service.sit(TableId("NOPE"), ANN)
    with refused("no_such_table", id="NOPE"):
        await house.service.table(TableId("NOPE"))
    assert await house.service.open_in_channel(ChannelId(5)) is None
    assert await house.service.latest_in_channel(ChannelId(5)) is None


async def test_sitting_down_renews_the_time_of_the_lobby_and_moving_does_not(house: House) -> None:
    table = await house.lobby(ANN)
    standing = deadline_of(table, DeadlineKind.LOBBY)
    assert standing.due == START + WaitTimes().lobby
    house.clock.forward(100)
    table = await house.service.sit(table.id, BEN)
    house.clock.forward(100)
    table = await house.service.sit(table.id, BEN, 2)
    standing = deadline_of(table, DeadlineKind.LOBBY)
    assert standing.due == START + WaitTimes().lobby + timedelta(seconds=100)


# Who leads


async def test_a_host_who_is_not_seen_while_others_wait_leads_no_longer(house: House) -> None:
    table = await house.lobby(ANN)
    assert (await house.later(table, 600)).stored.seating.host == ANN.id, "nobody waits"
    await house.service.sit(table.id, BEN)
    house.clock.forward(120)
    await house.service.sit(table.id, CAT)
    house.clock.forward(60)
    house = house.restarted()
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    assert table.stored.seating.host == BEN.id
    assert table.stored.status is Status.LOBBY


SIGNS: Final[dict[str, Callable[[House, Table], Awaitable[object]]]] = {
    "invite": lambda house, table: house.service.invite(table.id, ANN.id, DAN.id),
    "move": lambda house, table: house.service.sit(table.id, ANN, 2),
    "anything": lambda house, table: house.service.seen_at(table, ANN.id),
}


@pytest.mark.parametrize("sign", SIGNS)
async def test_whatever_the_host_does_is_a_sign_of_them(house: House, sign: str) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    house.clock.forward(179)
    await SIGNS[sign](house, table)
    table = await house.service.table(table.id)
    table = await house.service.seen_at(table, ANN.id)  # as every press and command
    assert (await house.later(table, 179)).stored.seating.host == ANN.id
    assert (await house.later(table, 1)).stored.seating.host == BEN.id


async def test_a_sign_of_somebody_else_or_soon_after_another_writes_nothing(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    before = len(house.store.changes)
    house.clock.forward(20)
    assert await house.service.seen_at(table, ANN.id) == table
    house.clock.forward(100)
    assert await house.service.seen_at(table, BEN.id) == table
    assert len(house.store.changes) == before
    match = await house.match(ANN, BEN, channel=77)
    assert await house.service.seen_at(match, ANN.id) == match


OTHER_HOST: Final[dict[str, Callable[[House, Table], Awaitable[object]]]] = {
    "handed over": lambda house, table: house.service.hand_over(table.id, ANN.id, BEN.id),
    "left": lambda house, table: house.service.leave(table.id, ANN.id),
    "left the server": lambda house, table: house.service.left_server(table.id, ANN.id),
    "sent away": lambda house, table: house.send_away(table.id, ANN),
    "not seen": lambda house, table: house.later(table, 160),
}


@pytest.mark.parametrize("how", OTHER_HOST)
@pytest.mark.behaviour("The host of a lobby is not seen for three minutes")
async def test_a_new_host_has_a_time_of_their_own(house: House, how: str) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    house.clock.forward(20)
    await OTHER_HOST[how](house, table)
    table = await house.service.table(table.id)
    assert table.stored.seating.host == BEN.id
    assert deadline_of(table, DeadlineKind.HOST).due == house.clock() + WaitTimes().host


@pytest.mark.parametrize("how", ["left", "left the server", "sent away"])
@pytest.mark.behaviour("The host of a lobby is not seen for three minutes")
async def test_who_leaves_gives_the_host_no_more_time(house: House, how: str) -> None:
    table = await house.lobby(BEN, ANN, CAT)
    house.clock.forward(120)
    await OTHER_HOST[how](house, table)
    assert (await house.later(table, 60)).stored.seating.host == CAT.id


async def test_the_host_hands_the_table_over(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    table = await house.service.hand_over(table.id, ANN.id, BEN.id)
    assert table.stored.seating.host == BEN.id
    assert await house.service.hand_over(table.id, BEN.id, BEN.id) == table


async def test_nobody_who_is_away_is_made_host(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    stored = house.store.rows[table.id][0]
    away = stored.seating.with_place(1, replace(stored.seating.places[1], away=True))
    house.store.rows[table.id] = (replace(stored, seating=away), house.store.rows[table.id][1])
    house = house.restarted()
    with refused("target_away"):
        await house.service.hand_over(table.id, ANN.id, BEN.id)
    table = await house.service.hand_over(table.id, ANN.id, CAT.id)
    assert table.stored.seating.host == CAT.id


# Starting


@pytest.mark.parametrize("pace", Pace)
async def test_every_sign_of_life_keeps_a_lobby_open_for_as_long_as_its_pace_says(
    pace: Pace, house: House
) -> None:
    table = await house.lobby(ANN, BEN, pace=pace)
    assert deadline_of(table, DeadlineKind.LOBBY).due == house.clock() + pace.waits.lobby
    house.clock.forward(100)
    table = await house.service.sit(table.id, CAT)
    assert deadline_of(table, DeadlineKind.LOBBY).due == house.clock() + pace.waits.lobby
    house.clock.forward(100)
    table = await house.service.ready_to_begin(table.id, CAT.id)
    assert deadline_of(table, DeadlineKind.LOBBY).due == house.clock() + pace.waits.lobby


async def test_at_a_daily_pace_whoever_sat_down_leads_only_after_half_a_day(house: House) -> None:
    table = await house.lobby(ANN, BEN, pace=Pace.DAILY)
    assert (await house.later(table, 12 * 3600 - 1)).stored.seating.host == ANN.id
    assert (await house.later(table, 1)).stored.seating.host == BEN.id


@pytest.mark.parametrize(("before", "after"), [(Pace.DAILY, Pace.LIVE60), (Pace.NONE, Pace.DAILY)])
async def test_a_host_who_changes_the_pace_has_the_time_of_the_new_one(
    before: Pace, after: Pace, house: House
) -> None:
    table = await house.lobby(ANN, BEN, pace=before)
    house.clock.forward(10)
    table = await house.service.change_options(table.id, ANN.id, {}, USUAL_CUSTOMS, after)
    assert deadline_of(table, DeadlineKind.HOST).due == house.clock.now + after.waits.host


@pytest.mark.parametrize("kind", [DeadlineKind.KEPT, DeadlineKind.OFFERED])
async def test_a_held_seat_is_held_as_long_as_the_new_pace_says_and_never_shorter(
    kind: DeadlineKind, house: House
) -> None:
    if kind is DeadlineKind.KEPT:
        ended = await house.match(ANN, BEN, pace=Pace.LIVE60)
        await house.stop(ended.id)
        table = await house.service.rematch(ended.id, ANN)
    else:
        table = await house.lobby(ANN, BEN, CAT, pace=Pace.LIVE60)
        await house.service.sit(table.id, DAN)  # in line
        table = await house.service.leave(table.id, CAT.id)
    house.clock.forward(60)
    for pace in (Pace.DAILY, Pace.LIVE60):
        table = await house.service.change_options(table.id, ANN.id, {}, USUAL_CUSTOMS, pace)
        left = deadline_of(table, kind).due - house.clock.now
        assert left == timedelta(hours=12), pace
    away = house.clock.now
    house.clock.forward(timedelta(hours=1).total_seconds())
    await house.service.resume(away, house.clock.now)
    left = deadline_of(await house.service.table(table.id), kind).due - house.clock.now
    assert left >= timedelta(hours=11), "also after an outage"


async def test_at_the_start_empty_places_close_up_and_the_order_stays(house: House) -> None:
    table = await house.lobby(ANN, seats=4)
    await house.service.sit(table.id, CAT, 3)
    await house.service.sit(table.id, BEN, 1)
    await house.service.set_reachable(table.id, CAT.id, reachable=True)
    house.clock.forward(3)
    table = await house.service.start(table.id, ANN.id)
    assert names(table) == ["Ann", "Ben", "Cat"]
    assert [p.reachable for p in table.stored.seating.places] == [None, None, True]
    assert table.stored.seating.starters == (ANN, BEN, CAT)
    assert table.stored.status is Status.RUNNING
    assert table.stored.started == house.clock.now
    assert [deadline.kind for deadline in table.stored.timing.deadlines] == [DeadlineKind.POST]


async def test_options_are_completed_for_the_people_there_and_not_for_the_places(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN, CAT, seats=4)
    table = await house.service.start(table.id, ANN.id)
    assert table.stored.options == {"rounds": 3, "secret": False}


async def test_the_start_is_written_before_the_deal(house: House) -> None:
    table = await house.match(ANN, BEN)
    started, dealt = house.store.changes[-2:]
    assert started.stored.status is Status.RUNNING
    assert started.stored.shuffling.closed
    assert started.entries == ()
    assert [(e.ply, e.seat) for e in dealt.entries] == [(0, -1)]
    assert " " not in dealt.entries[0].text
    assert table.round == 1
    assert table.actors == (0,)


# Seats by agreement


async def test_the_host_swaps_with_whoever_sits_there(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    await house.service.set_reachable(table.id, CAT.id, reachable=True)
    table = await house.service.sit(table.id, ANN, 2)
    assert names(table) == ["Cat", "Ben", "Ann"]
    assert [p.reachable for p in table.stored.seating.places] == [True, None, None]
    assert table.stored.seating.host == ANN.id


async def test_who_is_ready_stays_so_when_places_are_swapped(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    await house.service.ready_to_begin(table.id, BEN.id)
    table = await house.service.sit(table.id, ANN, 1)
    assert table.stored.votes.ready == {BEN.id}


# Leaving, the host, guests


async def test_the_next_host_is_who_sits_after_the_last_and_not_who_sits_first(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    await house.service.leave(table.id, ANN.id)
    await house.service.sit(table.id, CAT, 0)
    await house.service.sit(table.id, DAN, 3)
    assert (await house.service.leave(table.id, BEN.id)).stored.seating.host == DAN.id


async def test_when_the_last_one_leaves_the_table_is_over_and_the_channel_free(
    house: House,
) -> None:
    table = await house.lobby(ANN)
    table = await house.service.leave(table.id, ANN.id)
    assert (table.stored.status, table.stored.stop) == (Status.EXPIRED, Stop.EMPTY)
    assert table.stored.timing.deadlines == ()
    assert table.stored.ended == START
    assert await house.service.open_in_channel(CHANNEL) is None
    assert await house.service.latest_in_channel(CHANNEL) == table
    await house.lobby(BEN)


async def test_nobody_does_anything_at_a_table_that_is_over(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    await house.service.end(table.id, ANN.id, moderator=False)
    service = house.service
    for wish in (
        service.sit(table.id, CAT),
        service.leave(table.id, BEN.id),
        service.start(table.id, ANN.id),
        service.ready_to_begin(table.id, ANN.id),
        service.invite(table.id, ANN.id, CAT.id),
        service.kick(table.id, ANN.id, BEN.id),
        service.end(table.id, ANN.id, moderator=True),
        service.ready(table.id, ANN.id, None),
        house.play(table.id, ANN),
    ):
        with refused("ended") as refusal:
            await wish
        assert refusal[0].table is not None
        assert refusal[0].table.stored.status is Status.EXPIRED


async def test_whether_someone_is_reachable_is_remembered_and_forgotten_when_they_leave(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN)
    table = await house.service.set_reachable(table.id, BEN.id, reachable=True)
    assert table.stored.seating.places[1].reachable is True
    before = len(house.store.changes)
    await house.service.set_reachable(table.id, BEN.id, reachable=True)
    assert len(house.store.changes) == before
    await house.service.leave(table.id, BEN.id)
    table = await house.service.sit(table.id, BEN)
    assert table.stored.seating.places[1].reachable is None


async def test_news_about_someone_who_has_left_changes_nothing(house: House) -> None:
    table = await house.lobby(ANN)
    assert await house.service.set_reachable(table.id, BEN.id, reachable=False) == table
    ended = await house.service.end(table.id, ANN.id, moderator=False)
    assert await house.service.set_reachable(table.id, ANN.id, reachable=False) == ended


async def test_a_private_table_takes_only_who_was_invited(house: House) -> None:
    table = await house.lobby(ANN, private=True)
    with refused("private"):
        await house.service.sit(table.id, BEN)
    await house.service.invite(table.id, ANN.id, BEN.id)
    assert names(await house.service.sit(table.id, BEN)) == ["Ann", "Ben", ""]
    with refused("private"):
        await house.service.sit(table.id, CAT, 2)


async def test_who_opened_a_private_table_may_leave_and_come_back(house: House) -> None:
    table = await house.lobby(ANN, private=True)
    await house.service.invite(table.id, ANN.id, BEN.id)
    await house.service.sit(table.id, BEN)
    await house.service.leave(table.id, ANN.id)
    table = await house.service.sit(table.id, ANN)
    assert table.stored.seating.host == BEN.id
    assert names(table) == ["Ann", "Ben", ""]


async def test_so_many_can_be_invited_and_no_more(house: House) -> None:
    table = await house.lobby(ANN, private=True)
    for number in range(GUESTS - 1):  # the host is among those who may sit
        house.clock.forward(INVITATION_WINDOW.total_seconds())
        assert (await house.service.invite(table.id, ANN.id, UserId(5000 + number)))[1]
    house.clock.forward(INVITATION_WINDOW.total_seconds())
    with refused("too_many_guests", limit=GUESTS):
        await house.service.invite(table.id, ANN.id, BEN.id)
    again, new = await house.service.invite(table.id, ANN.id, UserId(5000))
    assert len(again.stored.seating.invited) == GUESTS
    assert not new


async def test_so_many_are_invited_within_an_hour_and_nobody_twice_to_a_table(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    for number in range(INVITATIONS):
        house.clock.forward(60)
        table, _ = await house.service.invite(table.id, ANN.id, UserId(5000 + number))
    assert table.stored.seating.called == {UserId(5000 + n) for n in range(INVITATIONS)}
    with refused("too_many_invitations", seconds=3600 - 240, limit=INVITATIONS):
        await house.service.invite(table.id, ANN.id, CAT.id)
    again = await house.service.invite(table.id, ANN.id, UserId(5000))
    assert again == (table, False), "was invited"
    house.clock.forward(3600 - 240)
    table, _ = await house.service.invite(table.id, ANN.id, CAT.id)
    assert CAT.id in table.stored.seating.called


async def test_who_was_kicked_never_sits_here_again(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    table = await house.service.kick(table.id, ANN.id, BEN.id)
    assert names(table) == ["Ann", "", "Cat"]
    with refused("kicked"):
        await house.service.sit(table.id, BEN)
    with refused("guest_kicked"):
        await house.service.invite(table.id, ANN.id, BEN.id)


async def test_ending_a_lobby_leaves_a_table_that_never_started() -> None:
    for user, moderator, stop in ((ANN, False, Stop.HOST), (EVE, True, Stop.MODERATOR)):
        house = House()
        table = await house.lobby(ANN, BEN)
        table = await house.service.end(table.id, user.id, moderator=moderator)
        assert (table.stored.status, table.stored.stop) == (Status.EXPIRED, stop)
        assert table.stored.timing.deadlines == ()


async def test_the_id_counts_and_not_the_name(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    assert await house.service.sit(table.id, Person(BEN.id, "Benjamin")) == table
    assert names(await house.service.sit(table.id, Person(UserId(99), "Ben"))) == [
        "Ann",
        "Ben",
        "Ben",
    ]
