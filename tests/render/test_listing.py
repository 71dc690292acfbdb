"""Lists of tables, the way to the next one, and what is shown to everybody: within the limits."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.i18n import texts
from bot.ids import TableId, UserId
from bot.render import leaderboard, stats
from bot.render.channel import channel_message
from bot.render.custom_ids import Verb
from bot.render.ended import shared_result
from bot.render.hand import hand_panel
from bot.render.history import match_page
from bot.render.listing import LINES, tables_page, which_table, with_next
from bot.views.listing import Listed, Past, Placed, TablesView, Waits, Whose
from bot.views.values import HandView, ResultView
from tests.render import samples
from tests.render.limits import buttons, check, text

EN = texts("en")


def line(waits: Waits, number: int = 0, **more: object) -> Listed:
    head = samples.head(4, (samples.NASTY,) * 4)
    return replace(
        Listed(
            replace(head, table=TableId(f"{samples.TABLE[:8]}{number}")),
            waits,
            (0, 1, 2, 3),
            samples.NOW,
            place=samples.NASTY[:100] + " · #" + "c" * 100,
            url="https://discord.com/channels/1/2/3",
        ),
        **more,  # type: ignore[arg-type]  # fields by name
    )


def test_a_finished_match_tells_namesakes_apart_by_their_seats() -> None:
    people = [(1, 30, 2), (2, 20, 0), (3, 10, 1)]
    placed = tuple(Placed(*one, UserId(one[2]), "Ann") for one in people)
    past = Past(samples.TABLE, "sticheln", 1, samples.NOW, placed, counts=True)
    said = text(match_page(past, "", EN, began=True))
    assert re.findall(r"Ann \(\d\)", said) == ["Ann (3)", "Ann (1)", "Ann (2)"]


@pytest.mark.parametrize("waits", Waits)
@pytest.mark.parametrize("whose", Whose)
def test_the_longest_lists_fit(waits: Waits, whose: Whose) -> None:
    for more in ({"seated": True}, {"joins": True}, {"takes": 3}, {}):
        lines = tuple(line(waits, number, **more) for number in range(LINES))
        check(tables_page(TablesView(whose, lines, 1, 9, on_server=True), EN))
        planned = tuple(replace(one, starts=True) for one in lines)
        check(tables_page(TablesView(whose, planned, 1, 9, on_server=True), EN))
        check(tables_page(TablesView(whose, tuple(replace(one, until=None) for one in lines)), EN))
    check(tables_page(TablesView(whose, ()), EN))


def test_whose_turn_and_until_when_stand_first() -> None:
    view = TablesView(Whose.MINE, (line(Waits.YOU, seated=True), line(Waits.OTHERS, 1)))
    _, first, second = text(tables_page(view, EN)).split("**Auf und Ab** · ")
    assert first.startswith("**Your turn** · time runs out <t:")
    assert second.startswith("waiting for ")
    (hand,) = buttons(tables_page(view, EN), Verb.HAND)
    assert hand.table == view.lines[0].head.table


def test_the_choice_of_a_table_fits() -> None:
    check(which_table([line(waits, n) for n, waits in enumerate(Waits)], "hand", EN))


@pytest.mark.parametrize("view", samples.worst_hands().values(), ids=samples.worst_hands().keys())
def test_the_way_to_the_next_table_fits_below_every_hand_that_asks_nothing(view: HandView) -> None:
    check(with_next(hand_panel(replace(view, question=None), EN), samples.TABLE, EN))


def test_what_is_shown_to_everybody_fits_and_has_nothing_to_press() -> None:
    results = [v for v in samples.worst_channel().values() if isinstance(v, ResultView)]
    assert results
    shared = [
        *(shared_result(view, samples.NASTY, EN) for view in results),
        leaderboard.shared_leaderboard(samples.leaderboard(games=("aufundab",)), samples.NASTY, EN),
        stats.shared_stats(samples.stats(), samples.NASTY, EN),
    ]
    for message in shared:
        check(message)
        assert not any(buttons(message, verb) for verb in Verb)
        assert "posted by" in text(message).splitlines()[-1]
    for view in results:
        check(channel_message(view, EN, watched=True))
    check(leaderboard.leaderboard_page(samples.leaderboard(games=("aufundab",)), EN, shares=True))
    check(stats.stats_page(samples.stats(), EN, shares=True))
