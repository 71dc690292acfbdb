"""A card chosen ahead: played as if its owner had pressed, and known to nobody else."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.ids import QuestionId, UserId
from bot.tables.customs import Customs
from bot.tables.model import Table
from bot.tables.stored import Actor, DeadlineKind, Pace, Person
from bot.tables.undo import refusal
from bot.tables.waiting import SELF_ANSWER_TIME
from bot.views.building import channel_view, hand_view, notice_view
from bot.views.snapshot import snapshot_of
from engine.registry import games
from tests.tables.fakes import DAN, House, deadline_of, refused
from tests.tables.test_customs import PEOPLE, real

TRICKS = ["auffalscherfaehrte", "kaiserspiel", "sticheln"]


async def begun(game: str, seed: int = 5, pace: Pace = Pace.LIVE60) -> tuple[House, Table]:
    """A match where a trick has just been led: somebody may choose ahead."""
    house, table = await real(game, Customs())
    stored, log = house.store.rows[table.id]
    timing = replace(stored.timing, pace=pace)
    house.store.rows[table.id] = (replace(stored, timing=timing), log)
    house = house.restarted()
    numbers = Random(seed)
    while not offered(table, waiting(table)):
        table = await anything(house, table, numbers)
    return house, await anything(house, table, numbers)


async def anything(house: House, table: Table, numbers: Random) -> Table:
    seat = table.actors[0]
    text = numbers.choice([text for text in table.legal_texts(seat) if text != "resign"])
    return await house.service.act(table.id, None, PEOPLE[seat].id, text, None)


def waiting(table: Table) -> int:
    """The seat whose turn comes next but is not yet, if all goes in order."""
    return (table.actors[0] + 1) % len(table.stored.seating.places)


def offered(table: Table, seat: int) -> list[str]:
    return [act.action for act in table.game.layout(table.observe(seat)).ahead]


async def chosen(house: House, table: Table) -> tuple[Table, int, str]:
    """The same, where somebody has chosen ahead what they may play whatever comes."""
    seat = waiting(table)
    text = offered(table, seat)[0]
    since = QuestionId(table.ply)
    table = await house.service.choose_ahead(table.id, PEOPLE[seat].id, since, text)
    return table, seat, text


async def asked(house: House, table: Table, seat: int) -> Table:
    """Once it is that seat's turn: others do anything."""
    while table.actors != (seat,):
        table = await anything(house, table, Random(1))
    return table


async def moment(house: House, table: Table) -> Table:
    house.clock.now += SELF_ANSWER_TIME
    await house.service.deadlines.fire_due()
    return await house.service.table(table.id)


@pytest.mark.parametrize("game", TRICKS)
async def test_it_is_played_after_a_moment_as_if_its_owner_had_pressed(game: str) -> None:
    house, table = await begun(game)
    table, seat, text = await chosen(house, table)
    house = house.restarted()
    table = await asked(house, await house.service.table(table.id), seat)
    waits = deadline_of(table, DeadlineKind.SELF_ANSWER)
    assert waits.due == house.clock.now + SELF_ANSWER_TIME
    house = house.restarted()
    after = await moment(house, table)
    if text in table.legal_texts(seat):
        assert (after.log[-1].seat, after.log[-1].text) == (seat, text)
        assert after.log[-1].by is Actor.PERSON
        assert after.log[-1].interaction is None
    assert after.stored.votes.ahead == {}


@pytest.mark.parametrize("game", TRICKS)
async def test_nobody_else_can_tell(game: str) -> None:
    """What everybody else is shown is the same, before and while it is their turn."""
    for turn in (False, True):
        house, table = await begun(game)
        seat = waiting(table)
        with_it, _, _ = await chosen(house, table)
        without = replace(
            with_it, stored=replace(with_it.stored, votes=replace(with_it.stored.votes, ahead={}))
        )
        if turn:
            with_it = await asked(house, with_it, seat)
            votes = replace(with_it.stored.votes, ahead={})
            without = replace(with_it, stored=replace(with_it.stored, votes=votes))
        assert channel_view(with_it) == channel_view(without)
        assert notice_view(with_it) == notice_view(without)
        for person in (*PEOPLE[: len(with_it.stored.seating.places)], DAN):
            if person != PEOPLE[seat]:
                assert hand_view(with_it, person.id, None) == hand_view(without, person.id, None)
        public = {DeadlineKind.TURN, DeadlineKind.WARN}
        running = {d for d in with_it.stored.timing.deadlines if d.kind in public}
        assert len(running) == 2, "the clock runs as for anybody"
        assert str(offered(table, seat)[0]) not in repr(with_it.stored)


@pytest.mark.parametrize("game", TRICKS)
async def test_its_owner_is_not_called_for_it(game: str) -> None:
    house, table = await begun(game)
    table, seat, text = await chosen(house, table)
    table = await asked(house, table, seat)
    called = {user for user, hand in snapshot_of(table).hands.items() if hand.asked}
    assert called == (set() if text in table.legal_texts(seat) else {PEOPLE[seat].id})


async def test_what_is_not_legal_then_is_withdrawn_without_a_word() -> None:
    house, table = await begun("auffalscherfaehrte")
    numbers, kept, withdrawn = Random(3), 0, 0
    while table.actors:
        for seat, texts in [(seat, offered(table, seat)) for seat in range(3)]:
            if texts:
                user, since = PEOPLE[seat].id, QuestionId(table.ply)
                table = await house.service.choose_ahead(table.id, user, since, texts[-1])
        before = table.stored.votes.ahead
        table = await anything(house, table, numbers)
        for seat in table.actors:
            had, has = (votes.get(PEOPLE[seat].id) for votes in (before, table.stored.votes.ahead))
            legal = had is not None and had.text in table.legal_texts(seat)
            assert has == (had if legal else None)
            kept += legal
            withdrawn += had is not None and not legal
            assert (table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is not None) == legal
    assert min(kept, withdrawn) > 0
    assert table.stored.votes.ahead == {}, "the round is over"


async def test_the_second_choice_counts_and_it_can_be_taken_back() -> None:
    house, table = await begun("sticheln")
    table, seat, first = await chosen(house, table)
    user, since = PEOPLE[seat].id, table.stored.votes.ahead[PEOPLE[seat].id].since
    second = next(text for text in offered(table, seat) if text != first)
    again = await house.service.choose_ahead(table.id, user, since, first)
    assert again.stored == table.stored, "the same again changes nothing"
    table = await house.service.choose_ahead(table.id, user, since, second)
    assert table.stored.votes.ahead[user].text == second
    table = await house.service.choose_ahead(table.id, user, since, None)
    assert table.stored.votes.ahead == {}
    table = await asked(house, table, seat)
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None


async def test_taken_back_while_it_is_about_to_be_played() -> None:
    house, table = await begun("sticheln")
    table, seat, text = await chosen(house, table)
    user, since = PEOPLE[seat].id, table.stored.votes.ahead[PEOPLE[seat].id].since
    table = await asked(house, table, seat)
    other = await house.service.choose_ahead(table.id, user, since, text)
    assert other.stored.votes.ahead == {}, "whoever is asked sees what is asked first"
    assert other.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    assert (await moment(house, other)).ply == table.ply


async def test_a_play_of_ones_own_in_that_moment_is_the_only_one() -> None:
    house, table = await begun("sticheln")
    table, seat, text = await chosen(house, table)
    table = await asked(house, table, seat)
    other = next(one for one in table.legal_texts(seat) if one != text)
    by = PEOPLE[seat].id
    after = await house.service.act(table.id, table.questions[seat], by, other, 77)
    assert after.log[-1].text == other
    assert after.stored.votes.ahead == {}
    assert (await moment(house, after)).ply == after.ply
    with refused("stale"):
        await house.service.choose_ahead(table.id, PEOPLE[seat].id, QuestionId(table.ply), text)


async def test_it_is_for_one_turn_of_one_person() -> None:
    house, table = await begun("sticheln")
    table, seat, _ = await chosen(house, table)
    user = PEOPLE[seat].id
    left = await house.service.leave(table.id, user)
    assert left.stored.votes.ahead == {}
    guest = Person(UserId(77), "Gus")
    table = await house.service.sit(table.id, guest, seat)
    assert table.stored.votes.ahead == {}


async def test_a_clock_that_runs_out_and_a_rest_leave_nothing_half_done() -> None:
    house, table = await begun("sticheln")
    table, seat, text = await chosen(house, table)
    for person in PEOPLE[:3]:
        table = await house.service.rest(table.id, person.id, resting=False)
    table = await asked(house, table, seat)
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    assert (await moment(house, table)).ply == table.ply, "it rests"
    for person in PEOPLE[:2]:
        table = await house.service.rest(table.id, person.id, resting=True)
    assert (await moment(house, table)).log[-1].text == text


async def test_only_a_card_of_ones_own_for_a_trick_that_is_played() -> None:
    house, table = await begun("kaiserspiel")
    seat, user = waiting(table), PEOPLE[waiting(table)].id
    since = QuestionId(table.ply)
    mine = offered(table, seat)
    foreign = next(text for s in range(4) if s != seat for text in table.legal_texts(s))
    for text in (foreign, "pass", "resign", "nonsense", f"{mine[0]} down"):
        with refused("ahead_illegal"):
            await house.service.choose_ahead(table.id, user, since, text)
    with refused("stale"):
        await house.service.choose_ahead(table.id, user, QuestionId(0), mine[0])


async def test_no_word_and_no_secret_choice_can_be_chosen_ahead() -> None:
    """Every match of every game, wherever others are asked: what is offered is for tricks."""
    for name in games():
        house, table = await real(name, Customs())
        numbers = Random(2)
        while table.actors:
            for seat in range(len(table.stored.seating.places)):
                texts = offered(table, seat)
                assert all(text.startswith("play ") for text in texts)
                assert not (texts and name == "aufundab")
            table = await anything(house, table, numbers)


@pytest.mark.behaviour("Somebody has pressed the wrong card")
@pytest.mark.parametrize("game", TRICKS)
async def test_nothing_that_was_chosen_ahead_outlives_the_undoing_of_a_play(game: str) -> None:
    """Who played, and others who have seen the play, are asked with their full time."""
    house, table = await led(game)
    people = table.stored.seating.people
    by = table.log[-1].seat
    since, ply = QuestionId(table.ply), table.ply
    choices = {seat: offered(table, seat)[0] for seat in range(3) if offered(table, seat)}
    for seat, text in choices.items():
        table = await house.service.choose_ahead(table.id, people[seat].id, since, text)
    assert table.stored.votes.ahead.keys() >= {people[by].id}
    assert len(table.stored.votes.ahead) > 1
    table = await house.service.take_back(table.id, people[by].id, since, None)
    for person in people:
        if table.ply == ply and person != people[by]:
            table = await house.service.answer_take_back(
                table.id, person.id, since, None, agrees=True
            )
    assert table.log[-1].is_undo
    assert table.stored.votes.ahead == {}
    assert table.asked == (by,)
    after = await moment(house.restarted(), table)
    assert after.ply == table.ply
    turn = deadline_of(after, DeadlineKind.TURN)
    assert turn.due - table.log[-1].at == Pace.LIVE60.time
    for seat, text in choices.items():  # a button that was drawn beside the undone play
        with refused("stale"):
            await house.service.choose_ahead(table.id, people[seat].id, since, text)


async def led(game: str) -> tuple[House, Table]:
    """A match where somebody may take their play back, and choose their next card ahead."""
    for seed in range(1, 30):
        house, table = await begun(game, seed)
        seat = table.log[-1].seat
        others = [other for other in range(len(table.stored.seating.places)) if other != seat]
        free = refusal(table, PEOPLE[seat].id) is None and offered(table, seat)
        if free and any(offered(table, other) for other in others):
            return house, table
    raise AssertionError("no such match")
