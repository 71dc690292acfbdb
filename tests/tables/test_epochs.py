"""A restored database: what people saw of the future that it lost tells them nothing any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.ids import ChannelId
from bot.tables.model import ByPerson, Table, TableError
from bot.tables.phase import Closing, Lobby, Over, Pause, Round
from bot.tables.ports import Due, Unavailable
from bot.tables.published import Seal, match_record, public_deals, seal_of
from bot.tables.shuffling import Renewal
from bot.tables.stored import DeadlineKind, Pace, Status, Stop
from engine.deal import Chain
from tests.tables.fakes import ANN, BEN, CAT, DAN, FakeStore, House, SeededChance, refused

pytestmark = pytest.mark.nightly

PEOPLE = (ANN, BEN, CAT)


async def lobby(house: House) -> Table:
    return await house.lobby(*PEOPLE, seats=4, rounds=3)


async def full_lobby(house: House) -> Table:
    return await house.lobby(*PEOPLE, seats=3, rounds=3)


async def closing_first(house: House) -> Table:
    table = await house.lobby(*PEOPLE, seats=4, rounds=3)
    await house.service.cut(table.id, BEN.id, "kuckuck")
    return await house.service.start(table.id, ANN.id)


async def first_round(house: House) -> Table:
    return await house.match(*PEOPLE, rounds=3)


async def midst_of_a_round(house: House) -> Table:
    table = await house.match(*PEOPLE, rounds=3)
    return await house.play(table.id, ANN)


async def pause(house: House) -> Table:
    table = await house.match(*PEOPLE, rounds=3, pace=Pace.LIVE60)
    return await house.play_round(table.id)


async def ready_pause(house: House) -> Table:
    table = await pause(house)
    await house.service.ready(table.id, ANN.id, None)
    return await house.service.ready(table.id, BEN.id, None)


async def closing_second(house: House) -> Table:
    table = await pause(house)
    await house.service.cut(table.id, CAT.id, "kuckuck")
    for person in PEOPLE:
        table = await house.service.ready(table.id, person.id, None)
    return table


async def second_round(house: House) -> Table:
    table = await pause(house)
    return await house.next_round(table.id)


Made = Callable[[House], Awaitable[Table]]

GOING_ON: tuple[Made, ...] = (lobby, full_lobby, closing_first, pause, ready_pause, closing_second)
STOPPED: tuple[Made, ...] = (first_round, midst_of_a_round, second_round)


def secrets_of(table: Table) -> set[str]:
    """Every seed of the table that may have been published in the future that was lost."""
    shuffling = table.stored.shuffling
    known = {shuffle.seed for shuffle in shuffling.shuffles}
    if shuffling.chain is not None:
        known |= {seed.hex() for seed in shuffling.chain.seeds()}
    return known


def restored(house: House) -> House:
    """The program of a database that was found to be an older one."""
    house.store.epoch += 1
    return house.restarted()


@pytest.mark.parametrize("made", GOING_ON)
@pytest.mark.behaviour("The database was restored")
async def test_what_is_not_dealt_yet_is_dealt_from_another_chain(made: Made) -> None:
    house = House()
    before = await made(house)
    known, dealt = secrets_of(before), before.round
    table = await restored(house).service.table(before.id)
    assert table.stored.epoch == 1
    assert isinstance(table.phase, Lobby if dealt == 0 else Pause)
    shuffles = table.stored.shuffling.shuffles
    assert shuffles[:dealt] == before.stored.shuffling.shuffles[:dealt]
    assert len(shuffles) == dealt + 1
    assert not secrets_of(table) - {s.seed for s in shuffles[:dealt]} & known
    assert seal_of(table, dealt + 1) == Seal(table.commitment, Renewal.RESTORED)
    assert table.commitment != before.commitment
    assert table.stored.seating.people == PEOPLE
    assert not table.stored.votes.ready


@pytest.mark.parametrize("made", STOPPED)
@pytest.mark.behaviour("The database was restored")
async def test_a_match_whose_round_is_played_is_stopped_and_counts_for_nobody(made: Made) -> None:
    house = House()
    before = await made(house)
    house = restored(house)
    table = await house.service.table(before.id)
    assert table.phase == Over(None, Stop.RESTORED)
    assert table.stored.status is Status.STOPPED
    assert house.store.results == []
    assert table.log == before.log
    assert match_record(table)["stopped"] == "restored"
    await house.service.rematch(table.id, BEN)
    again = await house.service.rematch(table.id, ANN)
    seated = [place.person for place in again.stored.seating.places]
    assert (seated, again.stored.epoch) == ([ANN, BEN, None], 1)


@pytest.mark.parametrize("made", GOING_ON)
async def test_a_match_that_goes_on_is_whole_and_names_the_change(made: Made) -> None:
    house = House()
    before = await made(house)
    house = restored(house)
    if before.round == 0:
        table = await house.begin(before.id)
    else:
        table = await house.next_round(before.id)
    while True:
        table = await house.play_round(table.id)
        if isinstance(table.phase, Over):
            break
        table = await house.next_round(table.id)
    deals = public_deals(table)
    renewed = [deal.round for deal in deals if deal.renewal is Renewal.RESTORED]
    assert renewed == [before.round + 1]
    links = [deal.link for deal in deals if deal.seed]
    assert links == [1, 2, 3] if before.round == 0 else [1, 1, 2]
    assert bool(before.round) == (len({deal.commitment for deal in deals if deal.seed}) > 1)


async def test_nobody_foretells_the_hands_of_the_coming_round() -> None:
    """What the chain of the lost future would have dealt is not what is dealt."""
    house = House()
    before = await pause(house)
    chain = before.stored.shuffling.chain
    assert chain is not None
    house = restored(house)
    table = await house.next_round(before.id)
    dealt = table.dealt
    assert dealt is not None
    assert dealt.seed not in {seed.hex() for seed in chain.seeds()}
    assert dealt.seed == Chain(house.chance.tips[-1]).seed(1).hex()


async def test_words_of_closed_seats_stand_and_may_be_changed() -> None:
    for made in (closing_first, closing_second):
        house = House()
        before = await made(house)
        assert isinstance(before.phase, Closing)
        assert "kuckuck" in before.words
        house = restored(house)
        table = await house.service.table(before.id)
        assert table.words[: len(before.words)] == before.words
        table = await house.service.cut(table.id, ANN.id, "abc")
        assert "abc" in table.words


async def test_at_a_full_table_everybody_is_asked_again_whether_they_are_ready() -> None:
    house = House()
    before = await full_lobby(house)
    await house.service.ready_to_begin(before.id, ANN.id)
    house = restored(house)
    table = await house.service.table(before.id)
    assert table.stored.votes.ready == frozenset()
    assert {d.kind for d in table.stored.timing.deadlines} == {
        DeadlineKind.LOBBY,
        DeadlineKind.HOST,
    }
    assert isinstance((await house.begin(table.id)).phase, Round)


async def test_a_deadline_that_comes_finds_the_table_in_the_new_epoch() -> None:
    """People have the whole pause again, in which they read the new commitment."""
    house = House()
    before = await pause(house)
    due = before.stored.timing.deadline(DeadlineKind.NEXT_ROUND)
    assert due is not None
    house = restored(house)
    house.clock.forward(100)
    await house.service.fire(Due(before.id, due))
    table = await house.service.table(before.id)
    assert isinstance(table.phase, Pause)
    after = table.stored.timing.deadline(DeadlineKind.NEXT_ROUND)
    assert after is not None
    assert after.due == house.clock() + Pace.LIVE60.pause


async def test_a_table_that_is_over_stays_in_its_epoch() -> None:
    house = House()
    table = await house.stop((await first_round(house)).id)
    house = restored(house)
    assert await house.service.table(table.id) == table


async def test_a_table_that_is_opened_belongs_to_the_epoch() -> None:
    house = restored(House())
    assert (await house.lobby(ANN)).stored.epoch == 1


async def test_it_is_taken_over_once() -> None:
    house = House()
    before = await pause(house)
    house = restored(house)
    table = await house.service.table(before.id)
    assert table.stored.version == before.stored.version + 1
    assert (await house.service.table(before.id)) is table
    assert (await house.restarted().service.table(before.id)).stored == table.stored
    assert house.announcer.calls == [table.id]


@pytest.mark.behaviour("The database was restored")
async def test_an_epoch_begins_while_the_program_runs() -> None:
    house = House()
    entered: list[int] = []
    house.service.epochs._entered = lambda: entered.append(house.service.epochs.now)
    playing = await house.match(*PEOPLE)
    waiting = await house.lobby(DAN, channel=ChannelId(5))
    await asyncio.gather(*(house.service.epochs.begin(0, 6) for _ in range(3)))
    assert entered == [7] == [house.store.epoch]
    assert set(await house.service.epochs.left_behind()) == {playing.id, waiting.id}
    with refused("ended") as raised:
        await house.service.act(playing.id, None, ByPerson(ANN.id), "play 1", None)
    assert raised[0].table is not None
    assert raised[0].table.stored.stop is Stop.RESTORED
    assert await house.service.epochs.left_behind() == [waiting.id]


async def test_an_epoch_that_cannot_be_written_down_does_not_begin() -> None:
    house = House()
    table = await house.match(*PEOPLE)
    house.store.failures.append(Unavailable())
    with pytest.raises(Unavailable):
        await house.service.epochs.begin(0)
    assert house.service.epochs.now == 0
    assert isinstance((await house.service.table(table.id)).phase, Round)
    await house.service.epochs.begin(0)
    assert house.service.epochs.now == 1


async def test_what_was_being_written_when_it_began_is_of_the_past() -> None:
    """A deal that was on its way is a round that may be known."""
    house = House()
    before = await closing_second(house)
    house.store.gate = asyncio.Event()
    dealing = asyncio.create_task(house.post(before.id))
    await house.store.at_gate.wait()
    await house.service.epochs.begin(0)
    house.store.gate.set()
    await dealing
    house.store.gate = None
    assert (await house.service.table(before.id)).stored.stop is Stop.RESTORED


async def test_a_table_that_cannot_be_replayed_is_stopped() -> None:
    house = House()
    table = await first_round(house)
    stored, log = house.store.rows[table.id]
    house.store.rows[table.id] = (replace(stored, rules_version=99), log)
    house = restored(house)
    with pytest.raises(TableError, match="unreadable"):
        await house.service.table(table.id)
    found = await house.service.find(table.id)
    assert (found.stored.status, found.stored.stop) == (Status.STOPPED, Stop.RESTORED)


async def test_chance_is_asked_for_every_table_alone() -> None:
    house = House(FakeStore())
    tables = [await house.lobby(ANN, channel=ChannelId(number)) for number in (5, 6)]
    house = restored(house)
    assert isinstance(house.chance, SeededChance)
    found = [await house.service.table(table.id) for table in tables]
    assert len({table.commitment for table in found}) == 2
