"""Time for a decision: warned, up, twice in a row, and taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from bot.ids import QuestionId
from bot.tables import presence
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.ports import Due
from bot.tables.stored import Actor, Deadline, DeadlineKind, Pace, Person, Place, Status, Stop
from bot.tables.waiting import SELF_ANSWER_TIME
from engine.layout import Phrase, SeatName
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, House, deadline_of, refused

TIME = timedelta(seconds=60)


async def timed_out(house: House, table: Table, times: int = 1) -> Table:
    """The table when so many decisions were missed, one after the other, at its pace."""
    assert table.stored.timing.pace.time is not None
    for _ in range(times):
        table = await house.later(table, table.stored.timing.pace.time.total_seconds())
    return table


def time_up(seat: int) -> Phrase:
    return Phrase("table.time_up", {"seat": SeatName(seat)})


def stand_in(seat: int) -> Phrase:
    return Phrase("table.stand_in", {"seat": SeatName(seat)})


def played(number: int) -> Phrase:
    return Phrase("played", {"number": number})


def turn(table: Table) -> Deadline:
    return deadline_of(table, DeadlineKind.TURN)


# The deadlines of a turn


@pytest.mark.parametrize(
    ("pace", "time", "warned"),
    [
        (Pace.LIVE60, 60, 45),
        (Pace.LIVE120, 120, 90),
        (Pace.LIVE180, 180, 135),
        (Pace.RELAXED, 600, 450),
        (Pace.DAILY, 24 * 3600, 20 * 3600),
    ],
)
async def test_whoever_is_asked_has_the_time_of_the_pace_and_is_warned_before_its_end(
    house: House, pace: Pace, time: int, warned: int
) -> None:
    table = await house.match(ANN, BEN, pace=pace)
    now, question = house.clock.now, table.questions[0]
    assert set(table.stored.timing.deadlines) == {
        Deadline(DeadlineKind.WARN, question, now + timedelta(seconds=warned)),
        Deadline(DeadlineKind.TURN, question, now + timedelta(seconds=time)),
    }


async def test_the_time_of_one_turn_is_not_the_time_of_the_next(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    house.clock.forward(50)
    table = await house.play(table.id, ANN)
    assert turn(table) == (DeadlineKind.TURN, table.questions[1], house.clock.now + TIME)
    assert (await house.later(table, 59)).actors == (1,)


async def test_what_others_do_meanwhile_does_not_lengthen_a_turn(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    due = turn(table).due
    house.clock.forward(30)
    await house.service.end(table.id, CAT.id, moderator=False)
    await house.service.leave(table.id, BEN.id)
    table = await house.service.sit(table.id, DAN)
    assert turn(table).due == due


# The warning


async def test_the_warning_is_given_once_and_ends_with_its_question(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    assert table.stored.timing.warned is None
    table = await house.later(table, 45)
    assert table.stored.timing.warned == table.questions[0]
    assert [d.kind for d in table.stored.timing.deadlines] == [DeadlineKind.TURN]
    assert table.log[1:] == ()
    changes = len(house.store.changes)
    table = await house.later(table, 10)
    assert len(house.store.changes) == changes
    table = await house.play(table.id, ANN)
    assert table.stored.timing.warned is None


async def test_of_several_who_choose_the_late_are_warned_and_stay_so(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, secret=True)
    question = table.questions[1]
    table = await house.later(table, 45)
    assert table.stored.timing.warned == question
    table = await house.play(table.id, ANN)
    assert table.asked == (1, 2)
    assert table.stored.timing.warned == question
    assert [d.kind for d in table.stored.timing.deadlines] == [DeadlineKind.TURN]


# Time is up


async def test_when_time_is_up_the_default_is_played_and_the_table_says_so(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    table = await timed_out(house, table)
    entry = table.log[-1]
    assert (entry.seat, entry.text, entry.by) == (0, "play 0", Actor.CLOCK)
    assert entry.interaction is None
    assert table.told == (time_up(0), played(0))
    assert table.stored.seating.places[0].misses == 1
    assert table.asked == (1,)
    house.agree()


async def away(house: House, *, rounds: int = 4, secret: bool = False) -> Table:
    """A match of three where Cat has missed two decisions in a row; round 3 begins."""
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=rounds, secret=secret)
    for _ in range(2):
        await house.play(table.id, ANN)
        table = await house.play(table.id, BEN)
        assert table.asked == (2,)
        table = await timed_out(house, table)
        assert isinstance(table.phase, BetweenRounds)
        await house.later(table, 60)
        table = await house.post(table.id)
    assert table.stored.seating.places[2].away
    return table


async def test_two_missed_in_a_row_and_a_stand_in_plays(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60, rounds=3)
    table = await timed_out(house, table)
    await house.play(table.id, BEN)
    await house.later(table, 60)
    table = await house.post(table.id)
    table = await timed_out(house, table)
    assert table.log[-1].by is Actor.CLOCK_AWAY
    assert table.told[-3:] == (time_up(0), played(0), stand_in(0))
    assert (table.stored.seating.places[0].person, table.stored.seating.places[0].away) == (
        ANN,
        True,
    )
    assert table.stored.seating.present == (BEN,)
    assert table.stored.seating.people == (ANN, BEN)
    house.agree()


async def test_a_decision_in_between_makes_it_not_in_a_row(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60, rounds=9)
    for missed in (True, False, True, False, True):
        table = await (timed_out(house, table) if missed else house.play(table.id, ANN))
        assert table.stored.seating.places[0].misses == int(missed)
        await house.play(table.id, BEN)
        table = await house.next_round(table.id)
    assert stand_in(0) not in table.told
    assert table.stored.seating.present == (ANN, BEN)


async def test_the_stand_in_answers_after_two_seconds_in_this_and_the_next_rounds(
    house: House,
) -> None:
    table = await away_in_turn(house)
    for _ in range(2):
        table = await house.service.table(table.id)
        assert (table.actors, table.asked) == ((0,), ())
        assert table.answers_itself(0)
        (waits,) = table.stored.timing.deadlines
        assert waits == (
            DeadlineKind.SELF_ANSWER,
            table.questions[0],
            house.clock.now + SELF_ANSWER_TIME,
        )
        assert (await house.later(table, 1.9)).actors == (0,)
        table = await house.later(table, 0.1)
        assert (table.log[-1].text, table.log[-1].by) == ("play 0", Actor.STAND_IN)
        assert table.told[-1] == played(0)
        assert table.told[-2] != time_up(0)
        table = await house.play(table.id, BEN)
        assert isinstance((await house.service.ready(table.id, BEN.id, None)).phase, Closing)
        table = await house.post(table.id)
    house.agree()


async def away_in_turn(house: House, *, pace: Pace = Pace.LIVE60) -> Table:
    """A match of two where a stand-in plays for Ann, who is to act; round 3 has begun."""
    table = await house.match(ANN, BEN, pace=pace, rounds=9)
    for _ in range(2):
        table = await timed_out(house, table)
        await house.play(table.id, BEN)
        house.clock.forward(pace.pause.total_seconds())
        await house.service.deadlines.fire_due()
        table = await house.post(table.id)
    assert table.stored.seating.places[0].away
    return table


# Taking the seat back


SIGNS: Final[dict[str, Callable[[House, Table], Awaitable[Table]]]] = {
    "back": lambda house, table: house.service.come_back(table.id, ANN.id),
    "sits": lambda house, table: house.service.sit(table.id, ANN),
    "plays": lambda house, table: house.play(table.id, ANN, "play 4"),
    "passes": lambda house, table: house.service.set_standing_pass(table.id, ANN.id, None, on=True),
    "rests": lambda house, table: house.service.rest(table.id, ANN.id, resting=False),
}


@pytest.mark.parametrize("sign", SIGNS)
async def test_whoever_is_heard_of_has_their_seat_back(house: House, sign: str) -> None:
    table = await away_in_turn(house)
    table = await SIGNS[sign](house, table)
    assert table.stored.seating.present == (ANN, BEN)
    assert table.stored.seating.places[0].misses == 0
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    if sign in ("back", "sits"):
        assert table.asked == (0,)
        assert turn(table).due == house.clock.now + TIME
    if sign == "plays":
        assert (table.log[-1].text, table.log[-1].by) == ("play 4", Actor.PERSON)
    house.agree()


async def leaves_and_sits_down_again(house: House, table: Table) -> Table:
    await house.service.leave(table.id, ANN.id)
    house.clock.forward(1)
    return await house.service.sit(table.id, ANN)


async def another_sits_down(house: House, table: Table) -> Table:
    await house.service.leave(table.id, ANN.id)
    house.clock.forward(1)
    return await house.service.sit(table.id, CAT)


@pytest.mark.parametrize("pace", [Pace.LIVE60, Pace.DAILY])
@pytest.mark.parametrize("detour", [leaves_and_sits_down_again, another_sits_down])
async def test_no_way_away_from_a_question_and_back_gives_more_time_for_it(
    house: House, pace: Pace, detour: Callable[[House, Table], Awaitable[Table]]
) -> None:
    table = await house.match(ANN, BEN, pace=pace)
    due, time = turn(table).due, pace.time
    assert time is not None
    table = await house.later(table, time.total_seconds() - 10)
    table = await detour(house, table)
    assert table.asked == (0,)
    assert turn(table).due == due
    table = await house.later(table, 9)
    assert (table.log[-1].seat, table.log[-1].by) == (0, Actor.CLOCK)
    house.agree()


async def test_the_time_of_a_seat_that_was_given_up_is_up_when_it_was_to_be(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    table = await house.later(table, 59)
    await house.service.leave(table.id, ANN.id)
    table = await house.later(table, 1)
    assert (table.log[-1].seat, table.log[-1].by) == (0, Actor.STAND_IN)
    assert table.stored.seating.places[0] == Place()
    assert table.asked == (1,)
    assert turn(table).due == house.clock.now + TIME
    house.agree()


@pytest.mark.parametrize("sign", ["cut", "ready"])
async def test_between_rounds_a_word_or_a_press_takes_the_seat_back(
    house: House, sign: str
) -> None:
    table = await away_in_turn(house)
    await house.later(table, 2)
    table = await house.play(table.id, BEN)
    assert isinstance(table.phase, BetweenRounds)
    if sign == "cut":
        table = await house.service.cut(table.id, ANN.id, "kuckuck")
    else:
        table = await house.service.ready(table.id, ANN.id, QuestionId(table.ply))
    assert table.stored.seating.present == (ANN, BEN)
    assert isinstance(table.phase, BetweenRounds)


async def test_taking_back_what_nobody_took_changes_nothing(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    assert await house.service.come_back(table.id, ANN.id) == table
    table = await house.begin(table.id)
    assert await house.service.come_back(table.id, ANN.id) == table
    with refused("not_seated"):
        await house.service.come_back(table.id, EVE.id)
    await house.stop(table.id)
    with refused("ended"):
        await house.service.come_back(table.id, ANN.id)


# Several at once


async def test_all_who_are_late_with_a_secret_choice_are_played_for_in_one_commit(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, secret=True)
    question = table.questions[3]
    table = await house.play(table.id, BEN)
    assert turn(table).question == question
    changes = len(house.store.changes)
    house.clock.forward(60)
    await house.service.fire(Due(table.id, turn(table)))
    table = await house.service.table(table.id)
    assert len(house.store.changes) == changes + 1
    assert [(entry.seat, entry.by) for entry in table.log[1:]] == [
        (1, Actor.PERSON),
        (0, Actor.CLOCK),
        (2, Actor.CLOCK),
        (3, Actor.CLOCK),
    ]
    assert [place.misses for place in table.stored.seating.places] == [1, 0, 1, 1]
    assert isinstance(table.phase, BetweenRounds)
    house.agree()


async def test_a_stand_in_and_people_choose_at_the_same_time(house: House) -> None:
    table = await away(house, secret=True)
    assert table.actors == (0, 1, 2)
    assert table.asked == (0, 1)
    kinds = {deadline.kind for deadline in table.stored.timing.deadlines}
    assert kinds == {DeadlineKind.WARN, DeadlineKind.TURN, DeadlineKind.SELF_ANSWER}
    due = turn(table)
    table = await house.later(table, 2)
    assert table.asked == table.actors == (0, 1)
    assert turn(table) == due
    table = await house.later(table, 58)
    assert isinstance(table.phase, BetweenRounds)
    assert [entry.by for entry in table.log[-3:]] == [Actor.STAND_IN, Actor.CLOCK, Actor.CLOCK]


async def test_who_passes_for_the_deal_is_not_timed(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, secret=True)
    await house.service.set_standing_pass(table.id, ANN.id, None, on=True)
    house.game.passes = {0}
    await house.play(table.id, BEN)
    table = await timed_out(house, table)
    assert [place.misses for place in table.stored.seating.places] == [0, 0, 1]
    assert [entry.by for entry in table.log if entry.seat == 0] == [Actor.STANDING]


# Nobody left


async def test_all_late_at_once_twice_stops_the_match_at_the_last_of_them(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=9, secret=True)
    await timed_out(house, table, 2)
    await house.post(table.id)
    table = await timed_out(house, table)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.EMPTY)
    assert [entry.by for entry in table.log[-3:]] == [Actor.CLOCK_AWAY] * 3


async def test_a_match_that_the_last_default_ends_is_won_all_the_same(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60, rounds=2, secret=True)
    await timed_out(house, table, 2)
    await house.post(table.id)
    table = await timed_out(house, table)
    assert table.stored.status is Status.FINISHED
    assert len(house.store.results) == 1
    assert table.stored.timing.warned is None


async def test_when_the_last_present_leaves_the_match_is_stopped(house: House) -> None:
    table = await away_in_turn(house)
    table = await house.service.leave(table.id, BEN.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.EMPTY)


async def test_the_host_who_leaves_hands_the_table_to_somebody_present(house: House) -> None:
    table = await house.match(BEN, ANN, CAT, pace=Pace.LIVE60, rounds=9)
    for _ in range(2):
        await house.play(table.id, BEN)
        await timed_out(house, table)
        await house.play(table.id, CAT)
        await house.later(table, 60)
        table = await house.post(table.id)
    assert table.stored.seating.places[1].away
    assert (await house.service.leave(table.id, BEN.id)).stored.seating.host == CAT.id


# Votes


async def test_votes_are_counted_among_those_present(house: House) -> None:
    table = await away(house)
    assert table.stored.seating.votes_needed == 2
    await house.service.end(table.id, BEN.id, moderator=False)
    table = await house.service.table(table.id)
    assert table.stored.status is Status.RUNNING
    # Cat votes and is there again: two of three.
    await house.service.end(table.id, CAT.id, moderator=False)
    table = await house.vote_over(table.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)


async def test_the_vote_of_who_goes_away_is_void_and_fewer_are_needed(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, secret=True)
    await house.service.end(table.id, BEN.id, moderator=False)
    table = await house.service.end(table.id, DAN.id, moderator=False)
    seating = table.stored.seating
    once = seating.with_place(3, replace(seating.places[3], misses=1))
    after, actor = presence.missed(replace(table.stored, seating=once), 3)
    assert (actor, after.seating.places[3].away) == (Actor.CLOCK_AWAY, True)
    assert after.votes.end_votes == {BEN.id}
    assert after.seating.votes_needed == 2


async def votes_for_everything(house: House, table: Table, *, ends: bool = True) -> Table:
    """Ann's votes to end the match (not unless it `ends`), for a rest and for another pace."""
    if ends:
        await house.service.end(table.id, ANN.id, moderator=False)
    await house.service.rest(table.id, ANN.id, resting=False)
    return await house.service.choose_pace(table.id, ANN.id, Pace.RELAXED)


def voted(table: Table) -> list[bool]:
    votes = table.stored.votes
    return [bool(one) for one in (votes.end_votes, votes.rest_votes, votes.paces)]


@pytest.mark.behaviour("Somebody gives up")
async def test_a_vote_lapses_with_its_round_and_one_between_rounds_with_the_next(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=9)
    assert voted(await votes_for_everything(house, table)) == [True] * 3
    table = await house.play_round(table.id)
    assert isinstance(table.phase, BetweenRounds)
    assert voted(table) == [False] * 3
    await votes_for_everything(house, table)
    assert voted(await house.next_round(table.id)) == [True] * 3
    assert voted(await house.play_round(table.id)) == [False] * 3


async def test_the_countdown_that_enough_have_voted_for_outlasts_the_round(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY, rounds=9)
    for person in (ANN, BEN):
        await house.service.end(table.id, person.id, moderator=False)
    table = await house.play_round(table.id)
    assert table.stored.votes.end_votes == {ANN.id, BEN.id}
    table = await house.vote_over(table.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)


async def test_no_vote_wins_at_once_because_others_go_away(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=9, secret=True)
    for number in range(2):
        await votes_for_everything(house, table)
        await house.play(table.id, ANN)
        table = await timed_out(house, table)
        if number == 0:
            await house.later(table, 60)
            table = await house.post(table.id)
    assert table.stored.seating.present == (ANN,)
    assert deadline_of(table, DeadlineKind.VOTED).due == house.clock.now + Pace.LIVE60.waits.vote
    assert table.stored.timing.rest is None
    assert table.stored.timing.pace is Pace.LIVE60
    await house.service.come_back(table.id, BEN.id)
    table = await house.service.come_back(table.id, CAT.id)
    assert table.stored.status is Status.RUNNING
    assert table.stored.timing.deadline(DeadlineKind.VOTED) is None


async def test_with_somebody_away_the_votes_of_the_others_may_be_enough(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=9, secret=True)
    for number in range(2):
        for person in (ANN, BEN, CAT):
            await house.play(table.id, person)
        if number == 1:
            await house.service.end(table.id, BEN.id, moderator=False)
            await house.service.end(table.id, CAT.id, moderator=False)
        table = await timed_out(house, table)
        if number == 0:
            await house.later(table, 60)
            table = await house.post(table.id)
    table = await house.vote_over(table.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)


# Races


async def pressed(house: House, table: Table, person: Person) -> str:
    """What became of a press on the present question: the code of a refusal, or nothing."""
    seat = table.stored.seating.people.index(person)
    try:
        await house.service.act(table.id, table.questions[seat], person.id, "play 7", 700 + seat)
    except TableError as refusal:
        return refusal.code if refusal.table is not None else "shows no table"
    return ""


@pytest.mark.parametrize("first", ["press", "clock"])
async def test_press_and_clock_at_the_same_instant_one_wins_and_the_other_is_told(
    house: House, first: str
) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    house.clock.now = turn(table).due
    fire = house.service.fire(Due(table.id, turn(table)))
    press = pressed(house, table, ANN)
    if first == "press":
        said, _ = await asyncio.gather(press, fire)
    else:
        _, said = await asyncio.gather(fire, press)
    table = await house.service.table(table.id)
    assert len(table.log) == 2
    assert table.log[1].text == ("play 7" if first == "press" else "play 0")
    assert said == ("" if first == "press" else "not_your_turn")
    assert table.stored.seating.places[0].misses == (0 if first == "press" else 1)
    house.agree()


@pytest.mark.parametrize("first", ["press", "clock"])
async def test_another_process_presses_while_the_clock_fires(house: House, first: str) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    house.clock.now = turn(table).due
    other = house.restarted()
    await other.service.table(table.id)
    house.store.gate = asyncio.Event()
    one, two = (house, other) if first == "press" else (other, house)
    tasks = [
        asyncio.create_task(pressed(one, table, ANN)),
        asyncio.create_task(two.service.fire(Due(table.id, turn(table)))),
    ]
    await asyncio.sleep(0)
    house.store.gate.set()
    said, _ = await asyncio.gather(*tasks)
    table = await house.restarted().service.table(table.id)
    assert len(table.log) == 2
    assert (said == "") == (table.log[1].text == "play 7")


async def test_the_press_of_who_comes_back_and_the_stand_in_at_the_same_instant(
    house: House,
) -> None:
    table = await away_in_turn(house)
    (waits,) = table.stored.timing.deadlines
    house.clock.now = waits.due
    said, _ = await asyncio.gather(
        pressed(house, table, ANN), house.service.fire(Due(table.id, waits))
    )
    table = await house.service.table(table.id)
    assert said == ""
    assert table.log[-1].text == "play 7"
    assert table.actors == (1,)


async def test_time_runs_on_through_a_restart(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    house.clock.forward(61)
    house = house.restarted()
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    assert table.told == (time_up(0), played(0))
    house.agree()


# Between rounds


@pytest.mark.parametrize(("pace", "pause"), [(Pace.LIVE60, 60), (Pace.DAILY, 600), (Pace.NONE, 60)])
async def test_the_next_round_comes_after_the_pause_of_the_pace(
    house: House, pace: Pace, pause: int
) -> None:
    table = await house.match(ANN, BEN, pace=pace)
    table = await house.play_round(table.id)
    (waits,) = table.stored.timing.deadlines
    assert waits == (DeadlineKind.NEXT_ROUND, table.ply, house.clock.now + timedelta(seconds=pause))
    assert isinstance((await house.later(table, pause)).phase, Closing)
