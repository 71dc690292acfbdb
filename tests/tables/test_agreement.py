"""What *Ready* and *Start* agree to: a lobby as it was shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import pytest

from bot.tables.customs import USUAL_CUSTOMS, Customs
from bot.tables.lobby import agreement
from bot.tables.model import Table
from bot.tables.service import TableService
from bot.tables.stored import Pace
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House, refused

Change = Callable[[TableService, Table], Awaitable[object]]

OTHERS: Final[dict[str, Change]] = {
    "options": lambda s, t: s.change_options(t.id, ANN.id, {"rounds": 2}, USUAL_CUSTOMS),
    "customs": lambda s, t: s.change_options(t.id, ANN.id, {}, Customs(hints=False)),
    "pace": lambda s, t: s.change_options(t.id, ANN.id, {}, USUAL_CUSTOMS, Pace.LIVE60),
    "more seats": lambda s, t: s.change_options(t.id, ANN.id, {}, USUAL_CUSTOMS, seats=6),
    "a computer player more": lambda s, t: s.seat_computer(t.id, ANN.id, Level.EASY),
    "one less": lambda s, t: s.send_computer_away(t.id, ANN.id, 3),
    "somebody leaves": lambda s, t: s.leave(t.id, CAT.id),
    "somebody is sent away": lambda s, t: s.kick(t.id, ANN.id, CAT.id, moderator=False),
    "somebody leaves the server": lambda s, t: s.left_server(t.id, CAT.id),
}
"""What makes a lobby another one than was agreed to: nobody is ready any more."""

STAY: Final[dict[str, Change]] = {
    "somebody sits down": lambda s, t: s.sit(t.id, DAN),
    "places are swapped": lambda s, t: s.sit(t.id, ANN, 1),
    "places are shuffled": lambda s, t: s.shuffle_seats(t.id, ANN.id),
    "another host": lambda s, t: s.hand_over(t.id, ANN.id, BEN.id),
    "somebody is ready": lambda s, t: s.ready_to_begin(t.id, CAT.id),
    "a word for the deal": lambda s, t: s.cut(t.id, CAT.id, "luck"),
    "the same options once more": lambda s, t: s.change_options(t.id, ANN.id, {}, USUAL_CUSTOMS),
}
"""What leaves it as it was: whoever is ready stays so."""


async def agreed(house: House) -> tuple[Table, str]:
    """A lobby where Ben is ready, and what he has agreed to."""
    house.game.info = replace(house.game.info, seats=(2, 3, 4, 5, 6))
    table = await house.lobby(ANN, BEN, CAT, seats=5)
    table = await house.service.seat_computer(table.id, ANN.id, Level.EASY, 3)
    return await house.ready(table, BEN), agreement(table.stored)


@pytest.mark.parametrize("what", OTHERS)
async def test_whoever_agreed_to_another_lobby_is_not_ready(what: str, house: House) -> None:
    table, shown = await agreed(house)
    await OTHERS[what](house.service, table)
    table = await house.service.table(table.id)
    assert table.stored.votes.ready == frozenset()
    with refused("stale"):
        await house.service.ready_to_begin(table.id, BEN.id, shown)
    with refused("stale"):
        await house.service.start(table.id, ANN.id, shown)
    now = agreement(table.stored)
    table = await house.service.ready_to_begin(table.id, BEN.id, now)
    assert table.stored.votes.ready == {BEN.id}
    assert (await house.service.start(table.id, ANN.id, now)).running


@pytest.mark.parametrize("what", STAY)
async def test_what_changes_nothing_agreed_to_leaves_the_buttons_as_they_are(
    what: str, house: House
) -> None:
    table, shown = await agreed(house)
    await STAY[what](house.service, table)
    house = house.restarted()
    table = await house.service.table(table.id)
    assert BEN.id in table.stored.votes.ready
    table = await house.service.ready_to_begin(table.id, CAT.id, shown)
    host = table.stored.seating.host
    assert (await house.service.start(table.id, host, shown)).running


async def test_a_button_of_before_there_were_agreements_is_out_of_date(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    with refused("stale"):
        await house.service.ready_to_begin(table.id, BEN.id, "")


async def test_it_is_short_enough_for_a_button(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(6,))
    table = await house.lobby(ANN, BEN, CAT, DAN, EVE, FAY, seats=6)
    assert len(agreement(table.stored)) <= 50
