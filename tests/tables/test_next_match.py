"""Who plays the rematch when others were in line, and who sits it out by lot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ids import TableId, UserId
from bot.storage.retention import forgotten
from bot.tables.deals import public_deals
from bot.tables.lobby import Apart
from bot.tables.lots import lot, lot_seed, next_match
from bot.tables.model import Table
from bot.tables.new_tables import opening_place, rematch, rematch_place
from bot.tables.stored import (
    DeadlineKind,
    Pace,
    Person,
    Place,
    Seating,
    Shuffling,
    Status,
    StoredTable,
)
from bot.views.building import channel_view, verify_view
from bot.views.values import NextView, ResultView
from engine.deal import Chain
from engine.game import NotationError, Options
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, EVE, FAY, GUILD, START, House, refused
from tests.tables.stub import StubGame

Row: TypeAlias = Mapping[UserId, int]


async def over(house: House, *people: Person, line: tuple[Person, ...] = ()) -> Table:
    """A match that is over, with others in line at its end."""
    table = await house.match(*people, pace=Pace.RELAXED, rounds=1)
    for person in line:
        table = await house.service.sit(table.id, person)
    return await house.play_round(table.id)


def drawn(table: Table) -> list[Person]:
    """The people of a match whose lots are all that counts, in the order in which they sit out."""
    seed = lot_seed(table)
    return sorted(table.stored.seating.people, key=lambda one: lot(seed, one.id))


@pytest.mark.behaviour("A match ended more than 30 days ago")
async def test_once_the_line_is_forgotten_the_rematch_is_of_those_who_played(house: House) -> None:
    old = await over(house, ANN, BEN, CAT, DAN, line=(EVE,))
    assert next_match(old).sits_out
    old = replace(old, stored=forgotten(old.stored))
    following = next_match(old)
    assert (following.places, following.lots) == ({0: ANN, 1: BEN, 2: CAT, 3: DAN}, ())
    new = rematch(TableId("T9"), old, ANN, 0, "en", bytes(32), START, Apart())
    assert [*new.seating.people, *new.seating.kept.values()] == [ANN, BEN, CAT, DAN]


@pytest.mark.behaviour("More people want the rematch than it has seats")
async def test_whoever_waited_plays_and_of_the_others_the_lot_lets_one_sit_out(
    house: House,
) -> None:
    old = await over(house, ANN, BEN, CAT, DAN, line=(EVE,))
    out, *rest = drawn(old)
    following = next_match(old)
    seat = old.stored.seating.place_of(out.id)
    assert (following.comes, following.sits_out, following.by_lot) == ((EVE,), (out,), True)
    assert following.places[seat or 0] == EVE
    view = channel_view(old)
    assert isinstance(view, ResultView)
    assert view.next == NextView(("Eve",), (out.name,), by_lot=True)
    for _ in range(2):
        with refused("sits_out"):
            await house.service.rematch(old.id, out)
    new = await house.service.rematch(old.id, EVE)
    seating = new.stored.seating
    assert seating.host == EVE.id
    assert seating.place_of(EVE.id) == seat
    assert {*seating.kept.values()} == {*rest}
    assert (seating.waiting, seating.offers) == ((out,), {})
    assert seating.sat_out == {EVE.id: 1}
    again = await house.restarted().service.rematch(old.id, out)
    assert again.stored.seating == seating, "they stand in its line from the beginning"
    house.clock.forward(Pace.RELAXED.waits.keep.total_seconds())
    await house.service.deadlines.fire_due()
    later = (await house.service.table(new.id)).stored.seating
    assert [*later.kept.values()] == [out], "nobody came: one place is offered, others are free"


async def test_the_lot_follows_from_the_seed_that_the_end_publishes(house: House) -> None:
    old = await over(house, ANN, BEN, CAT, DAN, line=(EVE,))
    assert lot_seed(old) == public_deals(old)[-1].seed
    assert len({lot(lot_seed(old), one.id) for one in (ANN, BEN, CAT, DAN)}) == 4
    view = verify_view(old, 1)
    assert view.lot is not None
    assert [found.person for _, found in view.lot.people] == drawn(old)
    assert [found.drawn for _, found in view.lot.people] == [True, False, False, False]
    assert (view.lot.seed, view.lot.people[0][0]) == (lot_seed(old), drawn(old)[0].name)


async def test_where_the_game_has_more_seats_all_play(house: House) -> None:
    old = await over(house, ANN, BEN, CAT, line=(EVE,))
    new = await house.service.rematch(old.id, BEN)
    seating = new.stored.seating
    assert len(seating.places) == 4
    assert (seating.kept, seating.waiting) == ({0: ANN, 2: CAT, 3: EVE}, ())
    new = await house.service.rematch(old.id, EVE)
    assert new.stored.seating.place_of(EVE.id) == 3
    view = channel_view(old)
    assert isinstance(view, ResultView)
    assert view.next == NextView(("Eve",), (), by_lot=False)


class Narrow(StubGame):
    """A game whose options do not go with four seats."""

    def complete_options(self, seats: int, given: Options) -> Options:
        if seats == 4:
            raise NotationError("option_range", key="rounds", minimum=1, maximum=1)
        return super().complete_options(seats, given)


async def test_options_that_so_many_may_not_play_keep_the_number_of_seats() -> None:
    house = House(game=Narrow())
    following = next_match(await over(house, ANN, BEN, CAT, line=(EVE,)))
    assert (following.seats, len(following.sits_out)) == (3, 1)


async def test_a_free_seat_goes_to_the_line_and_computers_make_room_for_people(
    house: House,
) -> None:
    table = await house.against(ANN, BEN, computers=2, level=Level.STRONG)
    for person in (EVE, FAY, DAN):
        table = await house.service.sit(table.id, person)
    old = await house.stop(table.id)
    following = next_match(old)
    assert (following.comes, len(following.sits_out)) == ((EVE, FAY, DAN), 1)
    assert following.computers == {}
    new = await house.service.rematch(old.id, EVE)
    assert new.stored.seating.computers == {}
    assert {*new.stored.seating.kept.values()} == {FAY, DAN, *({ANN, BEN} - {*following.sits_out})}


async def test_a_computer_player_stays_where_there_is_room(house: House) -> None:
    table = await house.against(ANN, computers=2)
    await house.service.sit(table.id, EVE)
    old = await house.stop(table.id)
    following = next_match(old)
    assert (following.seats, sorted(following.computers)) == (4, [1, 2])
    assert following.places == {0: ANN, 3: EVE}


async def test_whoever_left_the_match_makes_room_before_anybody_sits_out(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.RELAXED)
    await house.service.leave(table.id, BEN.id)
    await house.service.left_server(table.id, CAT.id)
    for _ in range(2):
        table = await house.service.sit(table.id, EVE)
        table = await house.service.leave(table.id, EVE.id)
    await house.service.leave(table.id, DAN.id)
    old = await house.stop(table.id)
    assert next_match(old).places == {0: ANN, 1: BEN, 2: CAT, 3: DAN}, "nobody waits"
    stored = replace(old.stored, seating=replace(old.stored.seating, waiting=(EVE, FAY)))
    waited = replace(old, stored=stored)
    following = next_match(waited)
    assert following.places == {0: ANN, 1: BEN, 2: EVE, 3: FAY}
    assert (following.comes, following.sits_out, following.line) == ((EVE, FAY), (), ())
    assert opening_place(waited, BEN.id) == 1
    for one in (CAT, DAN):
        assert rematch_place(waited, one.id) is None
        with refused("gave_way"):
            opening_place(waited, one.id)


async def test_with_more_people_in_line_than_seats_the_rest_waits_on_and_comes_first(
    house: House,
) -> None:
    line = (EVE, FAY, *(Person(UserId(50 + n), f"P{n}") for n in range(4)))
    old = await over(house, ANN, BEN, CAT, DAN, line=line)
    following = next_match(old)
    assert following.comes == line[:4]
    assert following.line[:2] == line[4:]
    assert {*following.line[2:]} == {ANN, BEN, CAT, DAN}
    assert not following.by_lot
    view = channel_view(old)
    assert isinstance(view, ResultView)
    assert view.next is not None
    assert view.next.waits == ("P2", "P3")
    with refused("waits_on"):
        await house.service.rematch(old.id, line[4])
    new = await house.service.rematch(old.id, FAY)
    assert new.stored.seating.waiting == following.line
    new = await house.service.rematch(old.id, line[4])
    assert new.stored.seating.waits(line[4].id)


async def test_whoever_was_sent_away_or_is_not_wanted_is_awaited_nowhere(house: House) -> None:
    old = await over(house, ANN, BEN, CAT, DAN, line=(EVE, FAY))
    out = next_match(old).sits_out
    host = next(one for one in (ANN, BEN, CAT, DAN) if one not in out)
    apart = Apart(never=frozenset({EVE.id, out[0].id}))
    place = old.stored.seating.place_of(host.id) or 0
    new = rematch(old.id, old, host, place, "en", bytes(32), house.clock(), apart)
    assert EVE not in new.seating.kept.values()
    assert out[0] not in new.seating.waiting
    # The place of whoever is not wanted is offered to the other, who is in line.
    assert len(new.seating.offers) == 1
    assert new.timing.deadline(DeadlineKind.OFFERED) is not None


async def test_a_match_without_a_line_is_followed_as_before(house: House) -> None:
    old = await over(house, ANN, BEN, CAT)
    following = next_match(old)
    assert (following.seats, following.places) == (3, {0: ANN, 1: BEN, 2: CAT})
    assert (following.line, following.lots, following.sits_out) == ((), (), ())
    view = channel_view(old)
    assert isinstance(view, ResultView)
    assert view.next is None
    assert verify_view(old, 0).lot is None


def ended(people: tuple[Person, ...], line: tuple[Person, ...], row: Row, tip: bytes) -> Table:
    """A match of these people, of which nothing counts but who played it and who waited."""
    seating = Seating(
        tuple(map(Place, people)), people[0].id, starters=people, waiting=line, sat_out=row
    )
    return Table(
        StoredTable(
            id=TableId("T1"),
            guild=GUILD,
            channel=CHANNEL,
            game="stub",
            rules_version=1,
            given={},
            created=START,
            opener=people[0].id,
            seating=seating,
            shuffling=Shuffling(Chain(tip)).following(),
            status=Status.FINISHED,
        ),
        StubGame(),
    )


@settings(max_examples=50, deadline=None)
@given(st.integers(5, 8), st.binary(min_size=32, max_size=32), st.integers(1, 12))
def test_nobody_sits_out_twice_before_everybody_has_once(
    people: int, tip: bytes, matches: int
) -> None:
    everybody = tuple(Person(UserId(100 + n), f"P{n}") for n in range(people))
    sat = Counter(one.id for one in everybody[4:])
    table = ended(everybody[:4], everybody[4:], {}, tip)
    for _ in range(matches):
        following = next_match(table)
        assert sorted(following.places) == [0, 1, 2, 3]
        assert {*following.places.values(), *following.line} == {*everybody}
        assert following.sat_out == dict(sat)
        sat.update(one.id for one in following.line)
        counts = [sat[one.id] for one in everybody]
        assert max(counts) - min(counts) <= 1
        tip = sha256(tip).digest()
        plays = tuple(following.places[seat] for seat in range(4))
        table = ended(plays, following.line, following.sat_out, tip)
