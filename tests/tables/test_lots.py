"""Seats by lot: every order alike, what moves along, what is checked, other partners."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import permutations

import pytest

from bot.ids import ChannelId, TableId
from bot.tables import lots
from bot.tables.customs import Customs
from bot.tables.deals import Check, check
from bot.tables.model import Table
from bot.tables.plans import Wish
from bot.tables.stored import Pace, Person, Place, Stop
from bot.views.building import verify_view
from engine.deal import Mix
from engine.players.levels import Level
from engine.registry import games
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, EVE, GUILD, House, refused
from tests.tables.outcomes import shuffled as dealt_from
from tests.tables.test_customs import real

T1 = TableId("T1")
PEOPLE = (ANN, BEN, CAT, DAN)
SEED = sha256(b"lots").digest()


# The order


@pytest.mark.parametrize("what", ["seeds", "numbers"])
def test_every_order_is_as_likely(what: str) -> None:
    """Chi-square over 24 orders: 49.7 is passed once in a thousand times, by fixed seeds never."""
    draws = 2400
    found = Counter(
        lots.drawn_order(sha256(f"{n}".encode()).digest(), T1, 0, 4)
        if what == "seeds"
        else lots.drawn_order(SEED, T1, n, 4)
        for n in range(draws)
    )
    assert set(found) == set(permutations(range(4)))
    expected = draws / 24
    assert sum((seen - expected) ** 2 / expected for seen in found.values()) < 49.7


def test_the_same_seed_gives_the_same_order_and_another_number_or_table_another() -> None:
    def drawn(table: TableId = T1, number: int = 0) -> tuple[int, ...]:
        return lots.drawn_order(SEED, table, number, 20)

    assert drawn() == drawn()
    others = [drawn(TableId("T2")), *(drawn(number=n) for n in range(50))]
    assert len(set(others)) == len(others)


def test_no_deal_is_made_from_a_text_that_begins_like_that_of_a_draw() -> None:
    drawn = lots.text(T1, 1).partition("|")[0]
    assert drawn != Mix("stub", T1, 1, "", "", ("",) * 4).text().partition("|")[0]


# In the lobby


async def test_the_host_shuffles_whole_places_and_whoever_was_ready_still_is(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=4)
    await house.service.seat_computer(table.id, ANN.id, Level.STRONG)
    table = await house.service.seat_computer(table.id, ANN.id, Level.EASY)
    table = await house.service.ready_to_begin(table.id, BEN.id)
    before = table.stored.seating
    for number in range(1, 6):
        table = await house.service.shuffle_seats(table.id, ANN.id)
        after, drawn = table.stored.seating, table.stored.seating.drawn
        assert drawn is not None
        assert drawn.number == number
        assert drawn.before == tuple(place.person or place.computer for place in before.places)
        assert after.places == tuple(before.places[place] for place in drawn.order)
        assert after.host == ANN.id
        assert table.stored.votes.ready == {BEN.id}
        before = after
    assert house.announcer.calls[-1] == table.id
    assert set(before.places) >= {Place(computer=Level.STRONG), Place(computer=Level.EASY)}


async def test_only_the_host_shuffles_and_only_before_the_match(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    for other in (BEN, CAT):
        with refused("not_host"):
            await house.service.shuffle_seats(table.id, other.id)
    await house.begin(table.id)
    with refused("started"):
        await house.service.shuffle_seats(table.id, ANN.id)
    await house.stop(table.id)
    with refused("ended"):
        await house.service.shuffle_seats(table.id, ANN.id)


async def test_places_that_are_kept_move_along(house: House) -> None:
    old = await house.match(ANN, BEN, CAT, DAN, rounds=1)
    await house.stop(old.id)
    table = await house.service.rematch(old.id, ANN)
    kept = table.stored.seating.kept
    assert kept == {1: BEN, 2: CAT, 3: DAN}
    for _ in range(3):
        table = await house.service.shuffle_seats(table.id, ANN.id)
    after, drawn = table.stored.seating, table.stored.seating.drawn
    assert drawn is not None
    assert sorted(after.kept.values()) == [BEN, CAT, DAN]
    assert after.places[after.place_of(ANN.id) or 0].person == ANN
    assert set(after.kept) == set(after.free_places)
    table = await house.service.rematch(old.id, CAT)
    assert table.stored.seating.place_of(CAT.id) == after.kept_for(CAT.id)


async def test_who_comes_after_a_draw_changes_nothing_of_it(house: House) -> None:
    table = await house.lobby(ANN, BEN, seats=4, rounds=1)
    drawn = (await house.service.shuffle_seats(table.id, ANN.id)).stored.seating.drawn
    await house.service.sit(table.id, CAT)
    await house.service.leave(table.id, BEN.id)
    table = await house.begin(table.id)
    assert table.stored.seating.drawn == drawn
    assert lots.fits(table.stored)


# As the match begins


async def drawn_match(house: House, *, shuffled: int = 0) -> Table:
    """A match of Ann, Ben, Cat and a computer player at a table for four, drawn as it begins."""
    lobby = await house.lobby(ANN, BEN, CAT, seats=4, rounds=1, pace=Pace.DAILY)
    await house.service.seat_computer(lobby.id, ANN.id, Level.EASY)
    await house.service.change_options(lobby.id, ANN.id, {"rounds": 1}, Customs(drawn=True))
    for _ in range(shuffled):
        await house.service.shuffle_seats(lobby.id, ANN.id)
    await house.service.cut(lobby.id, CAT.id, "kuckuck")
    return await house.begin(lobby.id)


@pytest.mark.parametrize("shuffled", [0, 2])
async def test_by_custom_seats_are_drawn_when_the_match_begins(house: House, shuffled: int) -> None:
    table = await drawn_match(house, shuffled=shuffled)
    seating, drawn = table.stored.seating, table.stored.seating.drawn
    assert drawn is not None
    assert drawn.number == lots.AT_BEGINNING
    seed = bytes.fromhex(table.stored.shuffling.shuffles[0].seed)
    assert drawn.order == lots.drawn_order(seed, table.id, 0, 4)
    sits = [place.person or place.computer for place in seating.places]
    assert sits == [drawn.before[place] for place in drawn.order]
    assert seating.starters == seating.sitters
    assert dealt_from(table).words[sits.index(CAT)] == "kuckuck"
    assert lots.fits(table.stored)


async def test_free_places_close_up_before_the_draw(house: House) -> None:
    lobby = await house.lobby(ANN, seats=4)
    await house.service.sit(lobby.id, BEN, 3)
    await house.service.change_options(lobby.id, ANN.id, {}, Customs(drawn=True))
    drawn = (await house.begin(lobby.id)).stored.seating.drawn
    assert drawn is not None
    assert drawn.before == (ANN, BEN)


async def test_without_the_custom_nothing_is_drawn(house: House) -> None:
    seating = (await house.match(ANN, BEN, CAT)).stored.seating
    assert (seating.sitters, seating.drawn) == ((ANN, BEN, CAT), None)


async def test_a_rematch_draws_anew_from_a_seed_of_its_own(house: House) -> None:
    seeds = set()
    table = await house.lobby(ANN, BEN, CAT)
    await house.service.change_options(table.id, ANN.id, {}, Customs(drawn=True))
    for _ in range(3):
        table = await house.begin(table.id)
        seeds.add(table.stored.shuffling.shuffles[0].seed)
        assert lots.fits(table.stored)
        await house.stop(table.id)
        for person in (ANN, BEN, CAT):
            new = await house.service.rematch(table.id, person)
        assert new.stored.customs == Customs(drawn=True)
        assert new.stored.seating.drawn is None
        table = new
    assert len(seeds) == 3


async def test_a_deal_again_keeps_the_seat(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, CAT, rounds=1)
    await house.service.change_options(lobby.id, ANN.id, {"rounds": 1}, Customs(drawn=True))
    await house.begin(lobby.id)
    old = await house.play_round(lobby.id)
    for seat in range(3):
        again = await house.service.play_again(old.id, 1, seat, EVE, ChannelId(77 + seat))
        assert again.stored.seating.place_of(EVE.id) == seat
        assert again.stored.seating.drawn is None


# Checking


async def drawn_at(where: str) -> tuple[House, Table]:
    """A match with a draw in the lobby, or as it began."""
    house = House(games=games())
    wish = Wish("sticheln", 4, {}, customs=Customs(drawn=where == "beginning"))
    table = await house.service.open(wish, GUILD, ChannelId(CHANNEL), ANN)
    for person in PEOPLE[1:]:
        await house.service.sit(table.id, person)
    if where == "lobby":
        await house.service.shuffle_seats(table.id, ANN.id)
    return house, await house.begin(table.id)


@pytest.mark.parametrize("where", ["lobby", "beginning"])
async def test_a_draw_is_shown_once_its_seed_is_and_a_wrong_one_is_found(
    where: str,
) -> None:
    house, table = await drawn_at(where)
    assert verify_view(table, 0).drawn is None
    table = await house.stop(table.id)
    shown, drawn = verify_view(table, 0).drawn, table.stored.seating.drawn
    assert shown is not None
    assert drawn is not None
    assert shown.number == (1 if where == "lobby" else 0)
    assert shown.before == ("Ann", "Ben", "Cat", "Dan")
    assert shown.fits
    assert shown.seed == table.stored.shuffling.shuffles[0].seed
    assert check(table) == Check(1, fits=True)
    for order in permutations(range(4)):
        wrong = replace(table.stored.seating, drawn=replace(drawn, order=order))
        planted = replace(table, stored=replace(table.stored, seating=wrong))
        right = order == drawn.order
        assert check(planted) == Check(1, fits=right)
        found = verify_view(planted, 0).drawn
        assert found is not None
        assert found.fits == right


async def test_people_who_began_elsewhere_than_was_drawn_are_found() -> None:
    house, table = await drawn_at("beginning")
    table = await house.stop(table.id)
    began = table.stored.seating.starters
    wrong = replace(table.stored.seating, starters=(began[1], began[0], *began[2:]))
    assert check(replace(table, stored=replace(table.stored, seating=wrong))) == Check(
        1, fits=False
    )


async def test_computer_players_are_called_as_they_are_since(house: House) -> None:
    lobby = await house.lobby(ANN, seats=4, rounds=1, pace=Pace.DAILY)
    for level in (Level.EASY, Level.NORMAL, Level.STRONG):
        await house.service.seat_computer(lobby.id, ANN.id, level)
    await house.service.change_options(lobby.id, ANN.id, {"rounds": 1}, Customs(drawn=True))
    await house.begin(lobby.id)
    table = await house.stop(lobby.id)
    shown = verify_view(table, 0).drawn
    assert shown is not None
    assert [shown.before[place] for place in shown.order] == [
        "Ann" if isinstance(one, Person) else one for one in table.stored.seating.starters
    ]


# Other partners


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_among_any_number_of_pairs_everybody_has_had_every_partner(count: int) -> None:
    people = 2 * count
    pairs = tuple((seat, seat + count) for seat in range(count))
    order, met = list(range(people)), Counter[frozenset[int]]()
    for _ in range(people - 1):
        met.update(frozenset((order[a], order[b])) for a, b in pairs)
        moved = lots.next_partners(pairs)
        assert sorted(moved) == list(range(people))
        order = [order[place] for place in moved]
    assert order == list(range(people)), "and then all begins anew"
    assert len(met) == people * (people - 1) / 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("first", PEOPLE, ids=lambda person: person.name)
async def test_in_three_matches_everybody_plays_once_with_everybody(first: Person) -> None:
    house = House(games=games())
    table = await house.service.open(
        Wish("kaiserspiel", 4, {}, customs=Customs(rotates=True)), GUILD, ChannelId(CHANNEL), ANN
    )
    for person in PEOPLE[1:]:
        await house.service.sit(table.id, person)
    met: Counter[frozenset[Person]] = Counter()
    sat = []
    for _ in range(4):
        table = await house.begin(table.id)
        people = table.stored.seating.people
        sat.append(people)
        met.update(frozenset((people[a], people[b])) for a, b in table.game.info.teams)
        await house.stop(table.id)
        old = table.id
        for person in (first, *(one for one in PEOPLE if one != first)):
            table = await house.service.rematch(old, person)
    assert sat[3] == sat[0], "the fourth is as the first"
    assert sorted(met.values()) == [1, 1, 1, 1, 2, 2]


async def test_computer_players_move_on_too_and_whoever_comes_late_finds_their_place() -> None:
    house = House(games=games())
    wish = Wish("kaiserspiel", 4, {}, customs=Customs(rotates=True), computers=(1, Level.STRONG))
    table = await house.service.open(wish, GUILD, ChannelId(CHANNEL), ANN)
    for person in (BEN, CAT):
        await house.service.sit(table.id, person)
    await house.begin(table.id)
    await house.stop(table.id)
    new = (await house.service.rematch(table.id, CAT)).stored.seating
    assert new.place_of(CAT.id) == 1
    assert new.computers[2].level is Level.STRONG
    assert new.kept == {0: ANN, 3: BEN}
    house.clock.forward(Pace.NONE.waits.keep.total_seconds())
    await house.service.deadlines.fire_due()
    late = (await house.service.rematch(table.id, BEN)).stored.seating
    assert (late.kept, late.place_of(BEN.id)) == ({}, 3)


@pytest.mark.parametrize(
    "customs", [Customs(), Customs(drawn=True), Customs(drawn=True, rotates=True)]
)
async def test_otherwise_a_rematch_keeps_the_seats(customs: Customs) -> None:
    house, table = await real("kaiserspiel", customs)
    await house.stop(table.id)
    old = table.stored.seating
    new = (await house.service.rematch(table.id, ANN)).stored.seating
    assert new.place_of(ANN.id) == old.place_of(ANN.id)
    assert new.kept == {seat: one for seat, one in enumerate(old.people) if one != ANN}


async def test_where_nobody_has_a_partner_the_custom_changes_nothing(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, CAT)
    await house.service.change_options(lobby.id, ANN.id, {}, Customs(rotates=True))
    await house.begin(lobby.id)
    await house.stop(lobby.id)
    new = await house.service.rematch(lobby.id, ANN)
    assert new.stored.seating.kept == {1: BEN, 2: CAT}


async def test_a_lobby_that_was_never_played_at_is_opened_again_as_it_was() -> None:
    house = House(games=games())
    wish = Wish("kaiserspiel", 4, {}, customs=Customs(rotates=True))
    lobby = await house.service.open(wish, GUILD, ChannelId(CHANNEL), ANN)
    await house.service.sit(lobby.id, BEN)
    stored, log = house.store.rows[lobby.id]
    ended = replace(stored.broken_off(Stop.RESTORED, house.clock()), version=stored.version + 1)
    house.store.rows[lobby.id] = (ended, log)
    new = await house.restarted().service.rematch(lobby.id, BEN)
    assert (new.stored.seating.place_of(BEN.id), new.stored.seating.kept) == (1, {0: ANN})
