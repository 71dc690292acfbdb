"""How a round begins: words, closed seats, the message that carries it, the deal."""

from __future__ import annotations

from hashlib import sha256

import pytest

from bot.ids import MessageId, QuestionId
from bot.tables.deals import POST_TIME
from bot.tables.model import Table
from bot.tables.phase import Closing
from bot.tables.stored import DeadlineKind, Pace, Status, Stop
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, House, deadline_of, refused
from tests.tables.outcomes import shuffled


async def closed(house: House, *, second: bool = False) -> Table:
    """A table of Ann, Ben and Cat whose seats are closed for the first (or second) round."""
    if not second:
        table = await house.lobby(ANN, BEN, CAT)
        return await house.service.start(table.id, ANN.id)
    table = await house.match(ANN, BEN, CAT, rounds=3)
    table = await house.play_round(table.id)
    for person in (ANN, BEN, CAT):
        table = await house.service.ready(table.id, person.id, None)
    return table


def published(tip: bytes) -> str:
    """What a chain with that tip ends in."""
    for _ in range(4096):
        tip = sha256(tip).digest()
    return tip.hex()


# Commitments


async def test_one_commitment_binds_every_round(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, rounds=3)
    for number in (1, 2, 3):
        if number > 1:
            table = await house.next_round(table.id)
        table = await house.play_round(table.id)
    (tip,) = house.chance.tips
    shuffles = table.stored.shuffling.shuffles
    assert len(shuffles) == 4
    for number, shuffle in enumerate(shuffles, 1):
        value = bytes.fromhex(shuffle.seed)
        for _ in range(number):
            value = sha256(value).digest()
        assert value.hex() == table.commitment == published(tip)


async def test_a_rematch_is_bound_to_a_chain_of_its_own(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=1)
    await house.play_round(table.id)
    table = await house.service.rematch(table.id, BEN)
    assert table.commitment == published(house.chance.tips[-1])
    assert len(set(house.chance.tips)) == len(house.chance.tips) == 2


# Closed seats


@pytest.mark.parametrize("second", [False, True])
async def test_while_the_seats_are_closed_nobody_acts_and_nobody_is_asked(
    house: House, second: bool
) -> None:
    table = await closed(house, second=second)
    assert isinstance(table.phase, Closing)
    assert table.played is not None
    assert table.actors == ()
    assert table.round == int(second)
    assert table.stored.seating.starters == (ANN, BEN, CAT)
    with refused("shuffling"):
        await house.play(table.id, ANN)
    with refused("shuffling"):
        await house.service.set_standing_pass(table.id, ANN.id, None, on=True)
    with refused("started"):
        await house.service.start(table.id, ANN.id)
    with refused("already_seated"):
        await house.service.sit(table.id, ANN, 1)
    with refused("table_full"):
        await house.service.sit(table.id, DAN, 2)
    assert await house.service.table(table.id) == table


async def test_a_press_on_next_round_that_comes_while_the_seats_are_closed_changes_nothing(
    house: House,
) -> None:
    table = await closed(house, second=True)
    assert await house.service.ready(table.id, ANN.id, QuestionId(table.ply)) == table
    assert await house.service.ready(table.id, ANN.id, None) == table
    with refused("stale"):
        await house.service.ready(table.id, ANN.id, QuestionId(0))


@pytest.mark.parametrize("second", [False, True])
async def test_who_leaves_while_the_seats_are_closed_leaves_a_seat_that_is_dealt_to(
    house: House, second: bool
) -> None:
    lobby = await closed(house, second=second)
    table = await house.service.leave(lobby.id, ANN.id)
    assert isinstance(table.phase, Closing)
    assert table.stored.seating.host == BEN.id
    assert table.stored.seating.starters == (ANN, BEN, CAT)
    with refused("seats_closed"):
        await house.service.sit(table.id, DAN)
    with refused("seats_closed"):
        await house.service.sit(table.id, ANN, 0)
    table = await house.post(table.id)
    assert table.actors == (0,)
    assert table.stored.seating.free_places == (0,)
    assert table.stored.seating.seen == {BEN.id: 1, CAT.id: 2}
    table = await house.service.sit(table.id, DAN)
    assert (await house.play(table.id, DAN)).actors == (1,)


async def test_a_table_that_ends_while_its_seats_are_closed_is_never_dealt(house: House) -> None:
    table = await closed(house)
    table = await house.service.end(table.id, ANN.id, moderator=False)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.HOST)
    assert not isinstance(table.phase, Closing)
    assert table.stored.timing.deadlines == ()
    assert await house.service.posted(table.id, 1, MessageId(77)) == table
    assert house.store.results == []


async def test_a_table_that_ends_while_its_seats_are_closed_keeps_what_it_showed(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    await house.service.cut(table.id, BEN.id, "kuckuck")
    table = await house.service.start(table.id, ANN.id)
    shown = (table.commitment, table.words)
    assert shown[1] == ("", "kuckuck", "")
    table = await house.service.end(table.id, ANN.id, moderator=False)
    assert (table.commitment, table.words) == shown
    house.agree()


async def test_with_a_free_seat_the_seats_are_closed_all_the_same(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.play_round(table.id)
    await house.service.cut(table.id, ANN.id, "kuckuck")
    await house.service.cut(table.id, BEN.id, "void")
    await house.service.leave(table.id, BEN.id)
    await house.service.ready(table.id, ANN.id, None)
    table = await house.service.ready(table.id, CAT.id, None)
    assert isinstance(table.phase, Closing)
    assert table.words == ("kuckuck", "", "")
    assert shuffled(await house.post(table.id)).words == ("kuckuck", "", "")


# The message


async def test_the_round_is_dealt_when_its_message_is_known(house: House) -> None:
    table = await closed(house)
    announced = len(house.announcer.calls)
    table = await house.service.posted(table.id, 1, MessageId(130_712))
    assert table.round == 1
    assert not isinstance(table.phase, Closing)
    assert shuffled(table).post == "130712"
    assert table.stored.shuffling.shuffles[0].post == "130712"
    assert table.stored.timing.deadline(DeadlineKind.POST) is None
    assert len(house.announcer.calls) == announced + 1
    house.agree()


async def alone(house: House) -> Table:
    """A match against a computer player whose seats are closed."""
    table = await house.lobby(ANN, seats=2, pace=Pace.DAILY)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    return await house.service.start(table.id, ANN.id)


async def test_who_plays_alone_is_dealt_without_a_message_if_none_can_be_posted(
    house: House,
) -> None:
    table = await alone(house)
    table = await house.service.posted(table.id, 1, None)
    assert (table.round, shuffled(table).post) == (1, "")


@pytest.mark.behaviour("The message that carries a round cannot be posted")
@pytest.mark.parametrize("how", ["two", "a computer too", "one has left", "a substitute"])
async def test_people_who_play_with_people_are_dealt_nothing_without_a_message(
    house: House, how: str
) -> None:
    """Whoever runs the bot, and knows the seeds, could else search a word for a good deal."""
    table = await house.lobby(ANN, BEN, seats=3 if how == "a computer too" else 2, rounds=9)
    number = 1
    if how == "a computer too":
        await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    if how in ("one has left", "a substitute"):
        await house.begin(table.id)
        await house.play_round(table.id)
        await house.service.leave(table.id, BEN.id)
        if how == "a substitute":
            await house.service.sit(table.id, CAT)
            await house.service.leave(table.id, ANN.id)
        number = 2
        for person in (await house.service.table(table.id)).stored.seating.people:
            table = await house.service.ready(table.id, person.id, None)
    else:
        table = await house.service.start(table.id, ANN.id)
    assert await house.service.posted(table.id, number, None) == table
    table = await house.later(table, POST_TIME.total_seconds())
    assert table.phase == Closing(number)
    assert table.stored.timing.stalled is not None
    assert {one.kind for one in table.stored.timing.deadlines} == {DeadlineKind.STALL}
    table = await house.post(table.id)
    assert (table.round, shuffled(table).post) == (number, str(house.posts))


async def test_a_match_that_waited_for_its_message_waits_again_if_it_is_lost(house: House) -> None:
    table = await closed(house)
    await house.later(table, POST_TIME.total_seconds())
    table = await house.service.unstalled(table.id)
    assert deadline_of(table, DeadlineKind.POST).due == house.clock.now + POST_TIME


async def test_a_message_told_twice_or_late_or_of_another_round_changes_nothing(
    house: House,
) -> None:
    lobby = await house.lobby(ANN, BEN)
    assert await house.service.posted(lobby.id, 1, MessageId(5)) == lobby
    table = await house.service.start(lobby.id, ANN.id)
    assert await house.service.posted(table.id, 2, MessageId(5)) == table
    dealt = await house.service.posted(table.id, 1, MessageId(6))
    assert await house.service.posted(table.id, 1, MessageId(6)) == dealt
    assert await house.service.posted(table.id, 1, MessageId(7)) == dealt
    paused = await house.play_round(table.id)
    assert await house.service.posted(table.id, 2, MessageId(8)) == paused
    for person in (ANN, BEN):
        table = await house.service.ready(table.id, person.id, None)
    assert await house.service.posted(table.id, 1, MessageId(6)) == table
    assert isinstance(table.phase, Closing)


POSTS = (MessageId(5), MessageId(6), None)


async def test_other_messages_ids_give_other_deals() -> None:
    deals = set()
    for post in POSTS:
        house = House()
        table = await alone(house)
        deals.add((await house.service.posted(table.id, 1, post)).log[0].text)
    assert len(deals) == 3


async def test_who_plays_alone_is_dealt_without_a_message_when_its_time_comes(house: House) -> None:
    table = await alone(house)
    waits = deadline_of(table, DeadlineKind.POST)
    assert (waits.question, waits.due) == (table.ply, house.clock.now + POST_TIME)
    house.clock.now = waits.due
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    assert (table.round, shuffled(table).post) == (1, "")
    assert await house.service.posted(table.id, 1, MessageId(99)) == table


@pytest.mark.parametrize("seconds", [20, 3600])
async def test_after_an_absence_the_message_gets_its_time_again(house: House, seconds: int) -> None:
    """Also after a short one: a message that was posted before it must not go for nothing."""
    table = await alone(house)
    house.clock.forward(seconds)
    house = house.restarted()
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    assert isinstance(table.phase, Closing)
    again = deadline_of(table, DeadlineKind.POST)
    assert again.due == house.clock.now + POST_TIME
    house.clock.now = again.due
    await house.service.deadlines.fire_due()
    assert shuffled(await house.service.table(table.id)).post == ""


async def test_a_deal_whose_answer_was_lost_is_not_dealt_again(house: House) -> None:
    table = await closed(house)
    house.store.failures_after = [OSError("connection lost")]
    await house.service.posted(table.id, 1, MessageId(5))
    table = await house.service.posted(table.id, 1, MessageId(6))
    assert (table.ply, shuffled(table).post) == (1, "5")
    house.agree()


# Words


async def test_a_word_is_shown_at_once_and_goes_into_the_deal_by_seat(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    await house.service.sit(table.id, CAT, 3)
    await house.service.cut(table.id, BEN.id, "kuckuck")
    table = await house.service.cut(table.id, CAT.id, "7aB")
    assert table.words == ("", "kuckuck", "", "7aB")
    table = await house.service.start(table.id, ANN.id)
    assert table.words == ("", "kuckuck", "7aB")
    table = await house.post(table.id)
    assert table.words == ("", "", "")
    assert shuffled(table).words == ("", "kuckuck", "7aB")
    assert table.stored.shuffling.words == {}


async def test_other_words_give_other_deals_and_so_does_their_order() -> None:
    deals = set()
    for words in (("", ""), ("a", ""), ("", "a"), ("b", "")):
        house = House()
        table = await house.lobby(ANN, BEN)
        for person, word in zip((ANN, BEN), words, strict=True):
            await house.service.cut(table.id, person.id, word)
        deals.add((await house.begin(table.id)).log[0].text)
    assert len(deals) == 4


async def test_a_word_moves_with_its_person_and_is_lost_with_them(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    await house.service.cut(table.id, ANN.id, "a")
    await house.service.cut(table.id, BEN.id, "b")
    table = await house.service.sit(table.id, ANN, 1)
    assert table.words == ("b", "a", "", "")
    table = await house.service.leave(table.id, BEN.id)
    assert table.words == ("", "a", "", "")
    await house.service.sit(table.id, BEN)
    assert (await house.service.table(table.id)).words == ("", "a", "", "")


async def test_a_word_is_replaced_and_taken_back(house: House) -> None:
    table = await house.lobby(ANN)
    await house.service.cut(table.id, ANN.id, "one")
    table = await house.service.cut(table.id, ANN.id, "two")
    assert table.words[0] == "two"
    assert await house.service.cut(table.id, ANN.id, "two") == table
    table = await house.service.cut(table.id, ANN.id, "")
    assert table.stored.shuffling.words == {}


@pytest.mark.parametrize("word", ["a b", "ä", "x" * 21, "a,b", "a|b", "٣", "a\n", " "])
async def test_a_word_that_is_none_is_refused(house: House, word: str) -> None:
    table = await house.lobby(ANN)
    with refused("word_malformed"):
        await house.service.cut(table.id, ANN.id, word)
    assert (await house.service.cut(table.id, ANN.id, "x" * 20)).words[0] == "x" * 20


async def test_only_who_sits_there_cuts(house: House) -> None:
    table = await house.lobby(ANN)
    with refused("not_seated"):
        await house.service.cut(table.id, EVE.id, "a")


async def test_people_cut_between_rounds_and_not_while_one_is_dealt_or_played(house: House) -> None:
    table = await closed(house)
    with refused("cut_closed"):
        await house.service.cut(table.id, ANN.id, "a")
    await house.post(table.id)
    with refused("cut_closed"):
        await house.service.cut(table.id, ANN.id, "a")
    await house.play_round(table.id)
    await house.service.cut(table.id, ANN.id, "a")
    table = await house.next_round(table.id)
    assert shuffled(table).words == ("a", "", "")
    await house.stop(table.id)
    with refused("ended"):
        await house.service.cut(table.id, ANN.id, "a")


async def test_the_word_of_somebody_who_leaves_closed_seats_stays_in_the_deal(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    await house.service.cut(table.id, BEN.id, "b")
    await house.service.start(table.id, ANN.id)
    table = await house.service.leave(table.id, BEN.id)
    assert table.words == ("", "b")
    assert shuffled(await house.post(table.id)).words == ("", "b")


async def test_cutting_does_not_put_off_the_start(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    house.clock.forward(3)
    assert (await house.service.cut(table.id, BEN.id, "b")).stored.timing.deadlines == (
        table.stored.timing.deadlines
    )


async def test_an_action_pressed_before_the_round_is_stale_after_the_deal(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=2)
    await house.play_round(table.id)
    await house.next_round(table.id)
    with refused("stale"):
        await house.service.act(table.id, QuestionId(2), ANN.id, "play 1", 9)
