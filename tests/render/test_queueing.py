"""The line of a table in words, and the ways into it and out of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.i18n import texts
from bot.ids import UserId
from bot.render.channel import channel_message
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.offers import offer_line, offer_over, queue_page
from bot.views.values import NextView
from tests.render import samples
from tests.render.limits import check, presses, text

EN = texts("en")
LINE = ("Eve", "*Fay*")


def way_in(message: Message) -> Press | None:
    check(message)
    return presses(message).get("Get in line")


@pytest.mark.parametrize("private", [False, True])
def test_a_full_lobby_shows_the_line_and_the_way_into_it_where_anybody_may_go(
    private: bool,
) -> None:
    head = replace(samples.head(4), waiting=LINE)
    message = channel_message(samples.lobby_view(head=head, private=private), EN)
    assert "-# In line: Eve and \\*Fay\\*" in text(message).splitlines()
    assert way_in(message) == (None if private else Press(Verb.JOIN, samples.TABLE))
    assert way_in(channel_message(samples.lobby_view(private=private), EN)) is None


def test_a_board_shows_the_line_and_a_copy_of_it_the_way_into_it() -> None:
    board = samples.some_board(has_line=True)
    board = replace(board, head=replace(board.head, waiting=LINE))
    message = channel_message(board, EN)
    assert "-# In line: Eve and \\*Fay\\*" in text(message).splitlines()
    assert way_in(message) is None
    assert way_in(channel_message(board, EN, watched=True)) == Press(Verb.JOIN, samples.TABLE)
    assert way_in(channel_message(replace(board, has_line=False), EN, watched=True)) is None


def test_a_seat_that_is_offered_is_offered_to_nobody_else_on_the_board() -> None:
    board = samples.some_board(has_line=True)
    first, *others = board.head.sitters
    kept = first._replace(user=None, name="", stand_in=True, awaited="Eve")
    board = replace(board, head=replace(board.head, sitters=(kept, *others)))
    message = channel_message(board, EN)
    assert "🪑 Seat 1 is kept for Eve, who was first in line." in text(message)
    assert Verb.TAKE not in {press.verb for press in presses(message).values()}


def test_whoever_is_called_is_mentioned_and_finds_the_ways() -> None:
    head = samples.head()
    line = offer_line(head, UserId(7), samples.NOW, "https://discord.com/channels/1/2/3", EN)
    check(line)
    assert text(line).startswith("<@7>, a seat at **Auf und Ab** is free")
    assert {press.verb for press in presses(line).values()} >= {Verb.JOIN, Verb.OUT}
    assert "<t:" in text(line)
    waits = text(offer_line(head, UserId(7), None, None, EN))
    assert "As long as the match waits, it goes to nobody else." in waits
    for seated, said in ((True, "has joined"), (False, "is no longer kept")):
        over = offer_over(head, UserId(7), EN, seated=seated)
        assert said in text(over)
        assert presses(over) == {}


def test_the_number_in_line_is_said() -> None:
    for turn, said in ((1, "You are first in line."), (3, "You are number 3 in line.")):
        page = queue_page(samples.head(), turn, timedelta(hours=12), EN)
        assert said in text(page)
        assert "for 12 hours" in text(page)


def test_the_result_says_who_plays_next_and_who_does_not() -> None:
    following = NextView(("Eve",), ("Ann",), by_lot=True, waits=("Fay",))
    said = text(channel_message(samples.result_view(next=following), EN))
    assert "In the rematch there is a seat for Eve, from the line." in said
    assert "Ann sits it out, by lot." in said
    assert "In line: Fay" in said
    decided = following._replace(by_lot=False, sits_out=("Ann", "Ben"), waits=())
    said = text(channel_message(samples.result_view(next=decided), EN))
    assert "Ann and Ben sit it out." in said
    assert "by lot" not in said
    assert "In line" not in said
