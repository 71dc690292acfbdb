"""A law of tables: coming and going teaches nobody what their games keep secret."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bot.answer.refusals import second_press
from bot.i18n import texts
from bot.ids import MessageId, QuestionId, UserId
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing, Round
from bot.tables.stored import Pace, Status
from bot.views.building import hand_view
from engine.game import AnyGame, Seat
from engine.layout import Layout
from engine.registry import games
from tests.conformance.reading import cards_in_layout
from tests.lengths import length
from tests.tables.fakes import ANN, BEN, CAT, DAN, House, refused
from tests.tables.test_laws import PEOPLE, Evening

STEPS: Final = 500
"""Steps after which an evening is over, whatever stands then."""


class Hopping(Evening):
    """An evening of people who change their seats whenever they can, and what each was shown."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        super().__init__(game, Pace.RELAXED, seed)
        self.given = length(game.info.id, 2, 61)  # several rounds, so that there are pauses
        self.patient = seed % 2 == 0
        """Whether people stay in line, for whom then every free seat is kept."""
        self.round = 0
        self.played: dict[UserId, set[Seat]] = {}
        """Who sat where while the round dealt last was played, as this test has seen it."""
        self.guarded = 0
        """How often somebody at the table was to see less than their seat knows."""

    async def step(self, table: Table) -> None:
        person = self.numbers.choice(PEOPLE)
        seats = range(len(table.stored.seating.places))
        chosen = self.numbers.random()
        try:
            if chosen < (0.3 if isinstance(table.phase, BetweenRounds) else 0.04):
                if len(table.stored.seating.present) > 1:
                    await self.tables.leave(self.name, person.id)
            elif chosen < (0.8 if isinstance(table.phase, BetweenRounds) else 0.2):
                place = self.numbers.choice((None, *seats))
                after = await self.tables.sit(self.name, person, place)
                if after.stored.seating.waits(person.id) and not self.patient:
                    await self.tables.get_out(self.name, person.id)
            elif chosen < 0.22:
                self.tables = self.service()
            elif chosen < 0.24:
                await self.tables.come_back(self.name, person.id)
            elif isinstance(table.phase, Closing):
                await self.tables.posted(self.name, table.round + 1, MessageId(table.ply + 1))
            elif isinstance(table.phase, BetweenRounds):
                await self.tables.ready(self.name, person.id, None)
            elif chosen < 0.3:
                await self.time()
            else:
                await self.act(table)
        except TableError as refusal:
            if refusal.code in ("busy", "unreadable"):
                raise

    def look(self, table: Table) -> None:
        """Everybody's hand names no card that they could not know."""
        if table.round != self.round:
            self.round, self.played = table.round, {}
        for seat, place in enumerate(table.stored.seating.places):
            if place.person is None or not isinstance(table.phase, Round | BetweenRounds):
                continue
            user = place.person.id
            if isinstance(table.phase, Round):
                self.played.setdefault(user, set()).add(seat)
                if self.numbers.random() < 0.9:
                    continue  # only where something is new it may be wrong, and that is the pause
            seats = self.played.get(user, set())
            assert len(seats) <= 1, "somebody has seen two hands of one round"
            view = hand_view(table, user, None)
            assert view is not None
            for entry in table.log[-2 * len(table.stored.seating.places) :]:
                if second_press(texts("en"), table, user, QuestionId(entry.ply)) is not None:
                    assert seat in seats, "what somebody before them has answered"
            own, open_ = (layout_of(table, viewer) for viewer in (seat, None))
            secret = secrets(table, seats) - cards_in_layout(open_)
            assert not cards_in_layout(view.layout) & secret, f"{user} played {seats}"
            # Where a card is, and whose it was, may be secret although the card is not.
            assert view.layout == (own if seat in seats else open_), f"{user} played {seats}"
            self.guarded += seat not in seats and own != open_


def secrets(table: Table, seats: set[Seat]) -> set[str]:
    """Cards that nobody knows who only played on these seats."""
    cards = table.game.cards(table._state)
    known = {card.card for card in cards if card.public or seats & set(card.known_to)}
    return {card.card for card in cards} - known


def layout_of(table: Table, seat: Seat | None) -> Layout:
    return table.game.layout(table.observe(seat))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_nobody_who_sits_down_learns_what_was_secret_before(game: AnyGame, seed: int) -> None:
    evening = Hopping(game, seed)
    await evening.begin()
    steps = pauses = 0
    while (table := await evening.table()).stored.status is Status.RUNNING and steps < STEPS:
        evening.look(table)
        pauses += isinstance(table.phase, BetweenRounds)
        steps += 1
        await evening.step(table)
    assert pauses, "nothing was tried in a pause"
    if game.info.id in ("kaiserspiel", "auffalscherfaehrte"):
        assert evening.guarded, "nothing that a seat knows was to be kept from anybody"


async def test_who_played_the_round_sees_their_own_seat_in_the_pause_and_after_coming_back(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT)
    table = await house.play_round(table.id)
    assert isinstance(table.phase, BetweenRounds)
    own = table.observe(2)
    assert table.seen_by(CAT.id) == own
    assert table.seen_by(DAN.id) == table.observe(None)
    await house.service.leave(table.id, CAT.id)
    assert (await house.service.sit(table.id, CAT)).seen_by(CAT.id) == own
    await house.service.leave(table.id, CAT.id)
    table = await house.service.sit(table.id, DAN)
    assert table.stored.seating.place_of(DAN.id) == 2
    assert table.seen_by(DAN.id) == table.observe(None)
    for _ in range(2):  # they come back, and are no less of a stranger for having sat there
        await house.service.leave(table.id, DAN.id)
        house = house.restarted()
        table = await house.service.sit(table.id, DAN)
        assert table.seen_by(DAN.id) == table.observe(None)


async def test_who_was_replaced_in_the_round_sees_their_seat_again_in_the_pause(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.service.leave(table.id, CAT.id)
    await house.service.sit(table.id, DAN)
    for person in (ANN, BEN, DAN):
        table = await house.play(table.id, person)
    assert isinstance(table.phase, BetweenRounds)
    assert table.seen_by(DAN.id) == table.observe(2)
    await house.service.leave(table.id, BEN.id)
    table = await house.service.sit(table.id, CAT, 1)
    assert table.seen_by(CAT.id) == table.observe(None), "not the seat that they played on"
    await house.service.leave(table.id, CAT.id)
    await house.service.leave(table.id, DAN.id)
    table = await house.service.sit(table.id, CAT)
    assert table.stored.seating.place_of(CAT.id) == 2, "their own, if nothing is said"
    assert table.seen_by(CAT.id) == table.observe(2)


async def test_with_the_next_deal_everybody_sees_the_hand_they_sit_at(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    table = await house.play_round(table.id)
    await house.service.leave(table.id, CAT.id)
    await house.service.leave(table.id, ANN.id)
    await house.service.sit(table.id, DAN, 2)
    table = await house.service.sit(table.id, CAT, 0)
    assert table.seen_by(CAT.id) == table.observe(None)
    table = await house.next_round(table.id)
    for seat, person in enumerate((CAT, BEN, DAN)):
        assert table.seen_by(person.id) == table.observe(seat)
    with refused("seen_a_hand", number=1):
        await house.service.leave(table.id, CAT.id)
        await house.service.leave(table.id, DAN.id)
        await house.service.sit(table.id, CAT, 2)


ROOT: Final = Path(__file__).parents[2]


@pytest.mark.parametrize("room", ["bot/views", "bot/answer", "bot/publish", "cogs"])
def test_what_people_are_shown_is_a_spectators_view_or_what_they_may_know(room: str) -> None:
    """Which seat's view that is, is decided in one place: `Table.seen_by`."""
    for path in (ROOT / room).glob("*.py"):
        asked = re.findall(r"\.observe\(([^)]*)\)", path.read_text(encoding="utf-8"))
        assert set(asked) <= {"None"}, path.name
