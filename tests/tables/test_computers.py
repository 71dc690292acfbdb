"""Computer players: where they sit, what they are asked, when they answer, what that counts for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.ids import Computer
from bot.tables.model import Table, TableError
from bot.tables.phase import Closing
from bot.tables.plans import Wish
from bot.tables.ports import Thought
from bot.tables.stored import (
    COMPUTER_TIME,
    Actor,
    ComputerRow,
    DeadlineKind,
    Pace,
    ResultRow,
    Status,
    Stop,
)
from bot.tables.waiting import SELF_ANSWER_TIME
from engine.players.levels import Level
from tests.tables.conftest import Logged
from tests.tables.fakes import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    DAN,
    GUILD,
    FakeComputers,
    House,
    deadline_of,
    refused,
)
from tests.tables.outcomes import outcome_of
from tests.tables.stub import Deal, Play, State, StubGame, View


def saying(*texts: str | None) -> FakeComputers:
    """They say these in order, the last of them ever after."""
    left = list(texts)
    return FakeComputers(lambda _: left.pop(0) if len(left) > 1 else left[0])


def seats(thoughts: Sequence[Thought]) -> list[int | None]:
    """Whose view each thought is given."""
    views = [thought.view for thought in thoughts]
    return [view.seat for view in views if isinstance(view, View)]


def computers(table: Table) -> dict[int, Computer]:
    return dict(table.stored.seating.computers)


# In the lobby


async def test_the_host_seats_computer_players_and_sends_them_away(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    table = await house.service.seat_computer(table.id, ANN.id, Level.EASY)
    table = await house.service.seat_computer(table.id, ANN.id, Level.STRONG)
    assert computers(table) == {2: Computer(1, Level.EASY), 3: Computer(2, Level.STRONG)}
    assert table.stored.seating.people == (ANN, BEN)
    assert table.stored.seating.free_places == ()
    assert house.computers.woken == ["stub", "stub"]
    table = await house.service.send_computer_away(table.id, ANN.id, 2)
    assert computers(table) == {3: Computer(1, Level.STRONG)}
    table = await house.service.sit(table.id, CAT)
    assert table.stored.seating.place_of(CAT.id) == 2
    house.agree()


async def test_only_the_host_seats_them_only_in_a_lobby_and_only_at_free_places(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN, seats=3)
    with refused("not_host"):
        await house.service.seat_computer(table.id, BEN.id, Level.NORMAL)
    with refused("place_taken"):
        await house.service.seat_computer(table.id, ANN.id, Level.NORMAL, 1)
    with refused("no_such_place", places=3):
        await house.service.seat_computer(table.id, ANN.id, Level.NORMAL, 3)
    with refused("no_computer", number=3):
        await house.service.send_computer_away(table.id, ANN.id, 2)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL, 2)
    with refused("table_full"):
        await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    with refused("not_host"):
        await house.service.send_computer_away(table.id, BEN.id, 2)
    with refused("place_taken"):
        await house.service.sit(table.id, BEN, 2)
    with refused("table_full"):
        await house.service.sit(table.id, CAT, 2)
    await house.begin(table.id)
    with refused("started"):
        await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    with refused("started"):
        await house.service.send_computer_away(table.id, ANN.id, 2)


async def test_they_are_counted_and_nobody_waits_for_them_to_be_ready(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(3,))
    table = await house.lobby(ANN, BEN, seats=3)
    with refused("too_few", needed=3, seated=2):
        await house.service.ready_to_begin(table.id, BEN.id)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    table = await house.service.ready_to_begin(table.id, BEN.id)
    assert table.stored.status is Status.LOBBY
    table = await house.service.ready_to_begin(table.id, ANN.id)
    assert isinstance(table.phase, Closing)
    assert table.stored.seating.starters == (ANN, BEN, Computer(1, Level.NORMAL))


async def test_other_company_is_agreed_to_anew(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=3)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    await house.service.ready_to_begin(table.id, BEN.id)
    table = await house.service.send_computer_away(table.id, ANN.id, 2)
    assert not table.stored.votes.ready


async def test_one_person_and_one_computer_player_are_enough_and_empty_places_close_up(
    house: House,
) -> None:
    table = await house.lobby(ANN, seats=4, pace=Pace.DAILY)
    with refused("too_few", needed=2, seated=1):
        await house.service.start(table.id, ANN.id)
    await house.service.seat_computer(table.id, ANN.id, Level.STRONG, 3)
    table = await house.begin(table.id)
    assert computers(table) == {1: Computer(1, Level.STRONG)}
    assert len(table.stored.seating.places) == 2


async def test_a_table_is_opened_with_them_at_its_last_places(house: House) -> None:
    table = await house.service.open(
        Wish("stub", 4, {}, computers=(2, Level.EASY)), GUILD, CHANNEL, ANN
    )
    assert computers(table) == {2: Computer(1, Level.EASY), 3: Computer(2, Level.EASY)}
    assert house.computers.woken == ["stub"]


async def test_they_never_lead_a_table(house: House) -> None:
    table = await house.lobby(ANN, seats=3)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    await house.service.sit(table.id, BEN)
    table = await house.service.leave(table.id, ANN.id)
    assert table.stored.seating.host == BEN.id


# Playing


@pytest.mark.behaviour("Computer players sit at the table")
async def test_they_answer_one_after_the_other_after_a_second_each() -> None:
    house = House(computers=saying("play 4", "play 5"))
    table = await house.against(ANN, rounds=1)
    assert house.computers.thoughts == []
    table = await house.play(table.id, ANN)
    (waits,) = table.stored.timing.deadlines
    assert waits == (DeadlineKind.COMPUTER, table.questions[1], house.clock.now + COMPUTER_TIME)
    assert table.asked == ()
    table = await house.later(table, 0.9)
    assert len(table.log) == 2
    table = await house.later(table, 0.1)
    assert (table.log[-1].seat, table.log[-1].text, table.log[-1].by) == (
        1,
        "play 4",
        Actor.COMPUTER,
    )
    table = await house.later(table, 1)
    assert (table.log[-1].seat, table.log[-1].text) == (2, "play 5")
    assert table.stored.status is Status.FINISHED
    assert seats(house.computers.thoughts) == [1, 2]
    assert house.service._thinking._minds == {}
    house.agree()


@pytest.mark.parametrize("seconds", [0, 5])
async def test_how_soon_they_answer_is_settled_when_the_table_is_opened(seconds: int) -> None:
    house = House(computer_time=timedelta(seconds=seconds))
    table = await house.against(ANN)
    table = await house.play(table.id, ANN)
    waits = deadline_of(table, DeadlineKind.COMPUTER)
    assert waits.due == house.clock.now + timedelta(seconds=seconds)


async def test_a_thought_is_given_the_view_of_its_seat_and_its_level(house: House) -> None:
    table = await house.lobby(ANN, seats=3, pace=Pace.DAILY)
    await house.service.seat_computer(table.id, ANN.id, Level.EASY)
    await house.service.seat_computer(table.id, ANN.id, Level.STRONG)
    table = await house.begin(table.id)
    table = await house.play(table.id, ANN)
    await house.later(table, 1)
    table = await house.service.table(table.id)
    await asyncio.sleep(0)
    first, second = house.computers.thoughts
    assert (first.game, first.level, second.level) == ("stub", Level.EASY, Level.STRONG)
    assert first.view == View(1, table._state.dealt[1], (True, False, False))
    assert second.view == table.observe(2)
    assert first.seed != second.seed
    assert str(table._state.dealt[1]) not in repr(first)


@pytest.mark.parametrize("said", [None, "play 12", "play", "", "take it"])
async def test_what_is_no_answer_is_the_plainest_card(said: str | None) -> None:
    house = House(computers=saying(said))
    table = await house.against(ANN)
    await house.play(table.id, ANN)
    table = await house.later(table, 1)
    assert (table.log[-1].text, table.log[-1].by) == ("play 0", Actor.COMPUTER)


async def test_a_computer_player_that_breaks_strands_nothing_and_tells_nothing(
    logged: Logged,
) -> None:
    def broken(thought: Thought) -> str:
        raise RuntimeError(f"holds {thought.view}")

    house = House(computers=FakeComputers(broken))
    table = await house.against(ANN)
    await house.play(table.id, ANN)
    table = await house.later(table, 1)
    assert table.log[-1].text == "play 0"
    assert "RuntimeError" in repr(logged)
    assert "View" not in repr(logged)


async def test_several_that_are_asked_at_once_are_asked_before_any_of_them_answers() -> None:
    house = House(computers=saying("play 3"))
    table = await house.against(ANN, computers=3, secret=True)
    table = await house.later(table, 1)
    assert [entry.seat for entry in table.log[1:]] == [1, 2, 3]
    nobody = (False,) * 4
    assert [thought.view for thought in house.computers.thoughts] == [
        View(seat, own, nobody) for seat, own in enumerate(table._state.dealt) if seat
    ]
    assert house.computers.most == 1
    assert table.asked == (0,)
    changes = len(house.store.changes)
    table = await house.play(table.id, ANN)
    assert len(house.store.changes) == changes + 1
    assert table.round == 1


class Sudden(StubGame):
    """Who plays 9 in a secret round ends it: the others have played nothing."""

    def apply(self, state: State, seat: int, action: Deal | Play) -> State:
        after = super().apply(state, seat, action)
        while action == Play(9) and after.played:
            after = super().apply(after, after.played.index(None), Play(0))
        return after


async def test_an_answer_may_leave_nothing_to_ask_the_others() -> None:
    house = House(game=Sudden(), computers=saying("play 9"))
    table = await house.against(ANN, computers=3, secret=True, rounds=1)
    table = await house.later(table, 1)
    assert [entry.seat for entry in table.log[1:]] == [1]
    assert table.stored.status is Status.FINISHED


async def test_who_comes_back_takes_no_thought_from_the_others() -> None:
    gate = asyncio.Event()
    house = House(computers=FakeComputers(lambda _: "play 8", gate))
    table = await house.match(ANN, BEN, CAT, secret=True)
    for person in (BEN, CAT):
        await house.service.leave(table.id, person.id)
    house.clock.forward(2)
    firing = asyncio.create_task(house.service.deadlines.fire_due())
    for _ in range(20):  # until it waits for the thought
        await asyncio.sleep(0)
    assert house.computers.thinking == 1, "one thought at a time"
    await house.service.sit(table.id, BEN, 1)
    await firing
    gate.set()
    await asyncio.gather(*house.service._thinking._minds[table.id].thoughts.values())
    await asyncio.sleep(0)
    table = await house.later(table, 0)
    assert [(entry.seat, entry.text) for entry in table.log[1:]] == [(2, "play 8")]


async def test_a_slow_thought_keeps_no_other_table_waiting() -> None:
    gate = asyncio.Event()
    house = House(computers=FakeComputers(lambda _: "play 7", gate))
    slow = await house.against(ANN)
    await house.play(slow.id, ANN)
    lobby = await house.lobby(BEN, channel=77)
    house.clock.forward(3600)
    until = await house.service.deadlines.fire_due()
    assert until > house.clock.now
    assert (await house.service.table(lobby.id)).stored.status is Status.EXPIRED
    assert len((await house.service.table(slow.id)).log) == 2
    gate.set()
    await asyncio.gather(*house.service._thinking._minds[slow.id].thoughts.values())
    await asyncio.sleep(0)
    table = await house.later(slow, 0)
    assert table.log[2].text == "play 7"


async def test_nobody_thinks_about_what_is_over() -> None:
    house = House(computers=FakeComputers(lambda _: "play 7", asyncio.Event()))
    table = await house.against(ANN)
    await house.play(table.id, ANN)
    await asyncio.sleep(0)
    assert house.computers.thinking == 1
    await house.stop(table.id)
    await asyncio.sleep(0)
    assert (house.computers.thinking, house.computers.given_up) == (0, 1)
    assert house.service._thinking._minds == {}


async def test_after_a_restart_they_think_again() -> None:
    house = House(computers=saying("play 6"))
    table = await house.against(ANN)
    await house.play(table.id, ANN)
    await asyncio.sleep(0)
    (before,) = house.computers.thoughts
    house = house.restarted()
    table = await house.later(table, 1)
    assert table.log[-1].text == "play 6"
    assert house.computers.thoughts[1] == before


async def test_they_answer_at_once_between_rounds_and_at_any_pace() -> None:
    house = House(computers=saying("play 2"))
    table = await house.lobby(ANN, seats=2, pace=Pace.DAILY, rounds=2)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    table = await house.begin(table.id)
    await house.play(table.id, ANN)
    table = await house.later(table, 1)
    assert table.round == 1
    table = await house.service.ready(table.id, ANN.id, None)
    assert isinstance(table.phase, Closing)


async def test_they_stand_still_while_the_match_rests() -> None:
    house = House(computers=saying("play 2"))
    table = await house.against(ANN)
    await house.service.rest(table.id, ANN.id, resting=False)
    table = await house.play(table.id, ANN)
    assert table.stored.timing.deadline(DeadlineKind.COMPUTER) is None
    table = await house.service.rest(table.id, ANN.id, resting=True)
    table = await house.later(table, 1)
    assert table.log[-1].text == "play 2"


async def test_they_are_in_no_vote(house: House) -> None:
    table = await house.against(ANN, BEN)
    assert table.stored.seating.votes_needed == 2
    table = await house.service.end(table.id, ANN.id, moderator=False)
    assert table.stored.status is Status.RUNNING
    table = await house.service.end(table.id, BEN.id, moderator=False)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)


async def test_a_match_that_only_they_are_left_at_is_over(house: House) -> None:
    table = await house.against(ANN)
    table = await house.service.leave(table.id, ANN.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.EMPTY)


# What is drawn


async def test_several_in_a_row_are_drawn_with_the_last_of_them(house: House) -> None:
    table = await house.against(ANN, computers=3)
    drawn = len(house.announcer.calls)
    await house.play(table.id, ANN)
    for ply in (1, 2, 3):
        assert len(house.announcer.calls) == drawn
        table = await house.later(table, 1)
        assert len(table.log) == 2 + ply
    assert len(house.announcer.calls) == drawn + 1


async def test_but_not_ten_seconds_late() -> None:
    house = House(computer_time=timedelta(seconds=5))
    table = await house.against(ANN, computers=3)
    drawn = len(house.announcer.calls)
    await house.play(table.id, ANN)
    assert len(house.announcer.calls) == drawn
    await house.later(table, 5)
    assert len(house.announcer.calls) == drawn
    await house.later(table, 5)
    assert len(house.announcer.calls) == drawn + 1


async def test_whoever_is_asked_at_the_same_time_is_shown_what_happens(house: House) -> None:
    table = await house.against(ANN, BEN, computers=2, secret=True)
    drawn = len(house.announcer.calls)
    await house.play(table.id, ANN)
    assert len(house.announcer.calls) == drawn + 1


# Stand-ins


async def test_a_stand_in_plays_what_was_thought_of_at_normal() -> None:
    house = House(computers=saying("play 8"))
    table = await house.match(ANN, BEN, CAT)
    await house.service.leave(table.id, BEN.id)
    table = await house.play(table.id, ANN)
    (waits,) = table.stored.timing.deadlines
    assert waits == (
        DeadlineKind.SELF_ANSWER,
        table.questions[1],
        house.clock.now + SELF_ANSWER_TIME,
    )
    table = await house.later(table, 2)
    assert (table.log[-1].text, table.log[-1].by) == ("play 8", Actor.STAND_IN)
    assert [thought.level for thought in house.computers.thoughts] == [Level.NORMAL]


# What it counts for


async def test_the_match_is_kept_with_who_took_part_and_stands_apart() -> None:
    house = House(computers=saying("play 9"))
    table = await house.against(ANN, computers=1, level=Level.STRONG, rounds=1)
    await house.play(table.id, ANN, "play 1")
    table = await house.later(table, 1)
    (result,) = house.store.results
    scores, places = outcome_of(table).scores, outcome_of(table).ranking
    best = worst = scores[0]
    row = ResultRow(ANN.id, "Ann", 0, places[0], scores[0], False, best, worst, 0, 0, 1, 1)
    assert result.rows == (row,)
    computer = Computer(1, Level.STRONG)
    assert result.computers == (ComputerRow(computer, 1, places[1], scores[1]),)


# The next match


async def test_a_rematch_keeps_them_where_they_sat(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    await house.service.sit(table.id, BEN, 2)
    await house.service.seat_computer(table.id, ANN.id, Level.EASY, 1)
    await house.service.seat_computer(table.id, ANN.id, Level.STRONG, 3)
    table = await house.begin(table.id)
    await house.stop(table.id)
    again = await house.service.rematch(table.id, BEN)
    assert computers(again) == {1: Computer(1, Level.EASY), 3: Computer(2, Level.STRONG)}
    assert again.stored.seating.place_of(BEN.id) == 2
    assert again.stored.seating.kept == {0: ANN}
    with refused("place_kept"):
        await house.service.send_computer_away(again.id, BEN.id, 1)
        await house.service.seat_computer(again.id, BEN.id, Level.EASY, 0)
    again = await house.service.rematch(table.id, ANN)
    assert again.stored.seating.people == (ANN, BEN)


async def test_nobody_is_called_to_their_seats_and_nobody_takes_them(house: House) -> None:
    table = await house.against(ANN, BEN)
    with refused("seek_taken"):
        await house.service.seek(table.id, ANN.id, 2)
    with pytest.raises(TableError):
        await house.service.sit(table.id, DAN, 2)
