"""Computer players in words: told at once from people, in every place that names them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.i18n import relative, safe_name, texts
from bot.ids import Computer
from bot.plain_text import COMPUTER, plain_name
from bot.render.channel import channel_message
from bot.render.custom_ids import Verb
from bot.render.pages import computers_page
from bot.render.results import round_table
from bot.render.seats import name, seat_lines
from bot.views.values import TableHead
from engine.layout import Phrase, SeatName, SeatView
from engine.players.levels import Level
from tests.discord.world import Shown, words
from tests.render import samples
from tests.render.limits import text

EN = texts("en")


def head() -> TableHead:
    """Ann, an easy one, a strong one, and a free seat."""
    known = samples.head(4, free=(1, 2, 3))
    levels = {1: Computer(1, Level.EASY), 2: Computer(2, Level.STRONG)}
    sitters = tuple(sitter._replace(computer=levels.get(sitter.seat)) for sitter in known.sitters)
    return replace(known, sitters=sitters)


def test_they_are_named_by_number() -> None:
    assert [name(head(), seat, EN) for seat in range(4)] == [
        "Ann",
        "⚙ Computer 1",
        "⚙ Computer 2",
        "Seat 4",
    ]
    said = Phrase("table.stand_in", {"seat": SeatName(2)})
    assert "⚙ Computer 2" in EN.phrase("aufundab", said, head().names)
    assert "⚙ Computer 2" in EN.phrase("aufundab", said, head().names, plain=True)


@pytest.mark.parametrize("called", ["⚙ Computer 1", "⚙", "A⚙nn", "⚙⚙"])
def test_no_persons_name_bears_their_sign(called: str) -> None:
    assert COMPUTER not in plain_name(called)
    assert COMPUTER not in safe_name(called)
    assert plain_name(called)


def test_a_lobby_lists_them_and_counts_them() -> None:
    view = samples.lobby_view(head=head())
    said = words([dict(part) for part in channel_message(view, EN).components])
    assert "**⚙ Computer 1 (easy)**" in said
    assert not view.full
    assert view.can_start


def test_where_there_is_little_room_only_their_number_stands() -> None:
    table = round_table(((1, 2, 3, 4), (5, 6, 7, 8)), head(), EN)
    assert "⚙ 1" in table
    assert "⚙ 2" in table


def test_the_headline_counts_several_that_are_waited_for_behind_all_people() -> None:
    def waits_for(*actors: int) -> str:
        view = samples.some_board(head=head(), actors=actors, question=None)
        return text(channel_message(view, EN)).splitlines()[0]

    assert waits_for(0, 1, 2).startswith("## Waiting for Ann and 2 computer players: ")
    assert waits_for(1, 2).startswith("## Waiting for 2 computer players: ")
    assert waits_for(0, 1).startswith("## Waiting for Ann and ⚙ Computer 1: ")
    assert waits_for(2).startswith("## ⚙ Computer 2's turn: ")


def test_a_board_says_their_levels_once_below_everything() -> None:
    *above, foot = text(channel_message(samples.some_board(head=head()), EN)).splitlines()
    assert "computer players: easy and strong" in foot
    assert not any("strong" in line for line in above)


def test_a_line_tells_what_is_known_of_a_seat() -> None:
    at, fact = replace(head(), game="kaiserspiel"), Phrase("captain", {})
    seats = tuple(SeatView(seat, 5, 0, ("to_act",) * (seat == 1), facts=(fact,)) for seat in (0, 1))
    assert seat_lines(seats, {1: "a card"}, at, EN) == [
        "Ann: captain",
        "▸ **⚙ Computer 1**: a card · captain",
    ]


def test_only_words_of_who_is_out_are_crossed_out() -> None:
    seats = tuple(SeatView(seat, 5, 0, ("out",)) for seat in (0, 1))
    assert seat_lines(seats, {}, head(), EN) == [
        "-# ~~Ann~~: 5 cards · passed",
        "-# ⚙ ~~Computer 1~~: 5 cards · passed",
    ]


def test_the_panel_offers_levels_and_names_who_may_go() -> None:
    page = computers_page(head(), EN, "done")
    shown = Shown(1, 1, [dict(part) for part in page.components])
    assert "done" in shown.text
    added = [press.argument for press, _ in shown.presses(Verb.ADD_COMPUTER)]
    assert added == ["easy", "normal", "strong"]
    assert [press.argument for press, _ in shown.presses(Verb.NO_COMPUTER)] == ["1", "2"]


def test_a_table_whose_seats_are_held_says_for_whom_and_until_when() -> None:
    lobby = samples.head(4, free=(2, 3))
    sitters = [one._replace(awaited="Dan" if one.free else "") for one in lobby.sitters]
    held = replace(lobby, sitters=tuple(sitters))
    said = text(computers_page(held, EN, kept=samples.NOW))
    assert said.startswith("These seats are held for Dan and Dan.")
    assert f"become free {relative(samples.NOW)}" in said
    offered = text(computers_page(held, EN))
    assert offered.startswith("These seats are held for Dan and Dan; only a free seat")
    assert "All seats are taken" not in offered
    full = text(computers_page(samples.head(4), EN))
    assert "All seats are taken." in full
    assert "remove a computer player" not in full, "there is none"
    (_, *others), third = head().sitters, Computer(3, Level.EASY)
    taken = [one._replace(computer=one.computer or third) for one in others]
    all_taken = replace(head(), sitters=(head().sitters[0], *taken))
    assert "remove a computer player" in text(computers_page(all_taken, EN))
    sitters[3] = sitters[3]._replace(awaited="")
    half = replace(lobby, sitters=tuple(sitters))
    assert computers_page(half, EN, kept=samples.NOW) == computers_page(half, EN)
    one = samples.head(4, free=(3,))
    one = replace(one, sitters=(*one.sitters[:3], one.sitters[3]._replace(awaited="Dan")))
    said = text(computers_page(one, EN, kept=samples.NOW))
    assert said.startswith("This seat is held for Dan. It becomes free")
    assert EN.get("table.error.places_kept").startswith("Each seat that is left is kept"), "or one"


def test_a_result_says_that_it_counts_nowhere() -> None:
    view = samples.result_view()
    view = replace(view, starters=(*view.starters[:1], Computer(1, Level.EASY)))
    said = words([dict(part) for part in channel_message(view, EN).components])
    assert "With computer players (easy): on no leaderboard" in said
