"""The usual table of a server: what `/newgame` means, and what of it a game still knows."""

from __future__ import annotations

from bot.ids import ChannelId
from bot.tables.customs import Customs
from bot.tables.plans import Wish
from bot.tables.servers import Usual, fitting, usual_of, wished
from bot.tables.stored import Pace
from engine.game import Options
from engine.players.levels import Level
from engine.registry import games
from tests.tables.fakes import ANN, CHANNEL, GUILD, House

AUF, FAEHRTE, STICHELN = (games()[name] for name in ("aufundab", "auffalscherfaehrte", "sticheln"))
PASSES = Customs(passes=True)
SAVED = Usual(4, {"rounds": 3, "jokers": False}, PASSES, Pace.DAILY, (2, Level.STRONG))


def wish(
    typed: Options,
    usual: Usual = SAVED,
    *,
    seats: int | None = None,
    pace: Pace | None = None,
    computers: tuple[int, Level] | None = None,
) -> Wish:
    return wished(
        FAEHRTE, usual, typed, seats=seats, customs=usual.customs, pace=pace, computers=computers,
        private=False, locale="en",
    )  # fmt: skip


def test_what_is_not_typed_is_as_usual() -> None:
    assert wish({}) == Wish(
        "auffalscherfaehrte", 4, {"rounds": 3, "jokers": False}, False, Pace.DAILY, "en", PASSES,
        (2, Level.STRONG),
    )  # fmt: skip
    assert wish({}, Usual()) == Wish("auffalscherfaehrte", None, {}, pace=Pace.RELAXED)


def test_what_is_typed_takes_its_place_and_no_other() -> None:
    assert wish({"rounds": 5}).given == {"rounds": 5, "jokers": False}
    assert wish({"jokers": True}).given == {"rounds": 3, "jokers": True}
    typed = wish({}, seats=3, pace=Pace.NONE, computers=(0, Level.EASY))
    assert (typed.seats, typed.pace, typed.computers) == (3, Pace.NONE, (0, Level.EASY))
    assert typed.given == {"rounds": 3, "jokers": False}


def test_a_length_in_points_takes_the_place_of_one_in_rounds() -> None:
    usual = Usual(given={"hands": 3})
    for typed in ({"target": 50}, {"hands": 5}):
        made = wished(
            AUF, usual, typed, seats=None, customs=PASSES, pace=None, computers=None,
            private=False, locale="en",
        )  # fmt: skip
        assert made.given == typed


def test_fewer_seats_have_room_for_fewer_computer_players() -> None:
    usual = Usual(4, computers=(3, Level.EASY))
    assert wish({}, usual, seats=3).computers == (2, Level.EASY)


def test_what_the_game_knows_no_more_is_as_the_game_has_it() -> None:
    odd = Usual(99, {"rounds": 3, "of last year": 1, "jokers": "perhaps"}, PASSES)
    assert fitting(FAEHRTE, odd) == Usual(None, {"rounds": 3}, PASSES)
    assert fitting(FAEHRTE, Usual(given={"rounds": 10**6})) == Usual()
    assert wish({}, odd).given == {"rounds": 3}


async def test_a_lobby_as_the_usual_table() -> None:
    house = House(games={"sticheln": STICHELN})
    made = wished(
        STICHELN, Usual(3, {"rounds": 2}, computers=(1, Level.STRONG)), {}, seats=4,
        customs=Customs(hints=False), pace=Pace.LIVE60, computers=None, private=True, locale="en",
    )  # fmt: skip
    table = await house.service.open(made, GUILD, ChannelId(CHANNEL), ANN)
    assert usual_of(table.stored) == Usual(
        4, {"rounds": 2}, Customs(hints=False), Pace.LIVE60, (1, Level.STRONG)
    )
