"""Clocks and stand-ins as people see them: until when, who is away, and the way back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.i18n import texts
from bot.ids import QuestionId, UserId
from bot.render.board import notice_message
from bot.render.channel import channel_message
from bot.render.components import GAP, PHONE, width
from bot.render.custom_ids import Press, Verb
from bot.render.hand import hand_panel
from bot.tables.stored import Pace
from bot.views.values import BetweenRoundsView, BoardView, Call, HandView, NoticeView, ShufflingView
from tests.render import samples
from tests.render.limits import check, labels, presses, rows, text

EN = texts("en")
SOON = samples.NOW + timedelta(minutes=4)
STAMP = f"<t:{int(SOON.timestamp())}:R>"

STATE, ASKED = samples.find(lambda layout: any(c for c in layout.controls))
OTHER = (ASKED + 1) % 3
NAME = ("Ann", "Ben", "Cat")[ASKED]


def board(**more: Any) -> BoardView:
    return replace(samples.board_view(STATE), **more)


def timed(**more: Any) -> BoardView:
    return board(asked=(ASKED,), due=SOON, **more)


def pause(**more: Any) -> BoardView:
    over = next(s for s, _ in samples.positions(1, 3) if samples.GAME.round_scores(s) is not None)
    view = samples.board_view(over)
    return replace(
        view,
        pause=BetweenRoundsView(QuestionId(9), 1, (0, 12, 0), (3, 20, 40), frozenset(), SOON),
        **more,
    )


def hand(seat: int = ASKED, **more: Any) -> HandView:
    return replace(samples.hand_view(STATE, seat), **more)


# Until when


@pytest.mark.parametrize("pace", Pace)
def test_the_lobby_says_the_pace(pace: Pace) -> None:
    lobby = channel_message(samples.lobby_view(head=samples.head(4, pace=pace)), EN)
    check(lobby)
    assert f" · {EN.get(f'pace.{pace}')}" in text(lobby)


def test_without_a_clock_the_board_says_nothing_of_time() -> None:
    assert "time runs out" not in text(channel_message(board(asked=(ASKED,)), EN))


def test_the_board_names_everybody_whose_time_runs_and_nobody_else() -> None:
    shown = text(channel_message(board(actors=(0, 1, 2), asked=(0, 2), due=SOON), EN))
    assert f"⏳ **Ann and Cat** · time runs out {STAMP}" in shown


def test_the_board_says_what_time_was_credited_in_a_round_and_in_a_pause() -> None:
    for view in (timed(), pause()):
        assert "clock was paused" not in text(channel_message(view, EN))
        credited = replace(view, credited=timedelta(minutes=3))
        shown = text(channel_message(credited, EN))
        assert "-# I was away; the clock was paused for 3 minutes." in shown


def test_a_hand_says_until_when_only_to_whoever_is_asked() -> None:
    assert f"-# Your time runs out {STAMP}." in text(hand_panel(hand(due=SOON), EN))
    assert "time runs out" not in text(hand_panel(hand(OTHER, due=SOON), EN))
    assert "time runs out" not in text(hand_panel(hand(), EN))


def test_a_warning_stands_above_everything_on_a_hand_but_whose_turn_it_is() -> None:
    panel = hand_panel(hand(due=SOON, warned=True), EN)
    check(panel)
    turn, warning, *_ = text(panel).splitlines()
    assert turn.startswith("## Your turn: ")
    assert warning == f"⏳ **Your time runs out {STAMP}**; after that the table plays for you."
    assert text(panel).count(STAMP) == 1
    refused = text(hand_panel(hand(due=SOON, warned=True, notice="No."), EN))
    assert refused.splitlines()[:2] == [turn, "> No."]
    assert refused.splitlines()[2].startswith("⏳")


# Stand-ins


def test_a_seat_that_a_stand_in_plays_is_marked_on_the_board_and_on_every_hand() -> None:
    away = samples.head(3, away=(OTHER,))
    name = str(away.sitters[OTHER].name)
    (line,) = [
        line
        for line in text(channel_message(board(head=away), EN)).splitlines()
        if "stand-in" in line and " cards" in line
    ]
    assert name in line
    (line,) = [line for line in text(hand_panel(hand(head=away), EN)).splitlines()
               if "stand-in" in line and " cards" in line]  # fmt: skip
    assert name in line
    assert "stand-in" not in text(channel_message(board(), EN))
    assert "stand-in" not in text(hand_panel(hand(), EN))


@pytest.mark.parametrize("view", [board(), pause()], ids=["round", "pause"])
def test_whoever_is_away_comes_back_with_one_press_on_the_board(view: BoardView) -> None:
    here = channel_message(view, EN)
    assert "I'm back" not in labels(here)
    away = channel_message(replace(view, head=samples.head(3, away=(1, 2))), EN)
    check(away)
    assert "🪑 A stand-in is playing for Ben and Cat. Press **I'm back**" in text(away)
    assert presses(away)["I'm back"] == Press(Verb.BACK, samples.TABLE)
    assert not any(label.startswith("Take seat") for label in labels(away))


def test_free_seats_can_be_taken_while_stand_ins_play_them() -> None:
    head = samples.head(4, free=(1, 3), away=(2,))
    message = channel_message(replace(samples.board_view(STATE), head=head), EN)
    check(message)
    assert "🪑 Seats 2 and 4 are free. Stand-ins play them until somebody takes them." in (
        text(message)
    )
    found = presses(message)
    assert {found[f"Take seat {seat}"].argument for seat in (2, 4)} == {"1", "3"}
    assert found["I'm back"].verb is Verb.BACK


def test_the_hand_of_whoever_is_away_says_so_and_has_the_way_back_first() -> None:
    for view in (hand(away=True), hand(OTHER, away=True), replace(hand(), away=True, opened="x")):
        panel = hand_panel(view, EN)
        check(panel)
        assert text(panel).splitlines()[1].startswith("🪑 A stand-in is playing for you.")
        assert labels(panel)[0] == "I'm back"
        assert presses(panel)["I'm back"] == Press(Verb.BACK, samples.TABLE)
    assert "I'm back" not in labels(hand_panel(hand(), EN))


def test_whoever_is_away_keeps_the_controls_of_their_question() -> None:
    here, away = hand_panel(hand(), EN), hand_panel(hand(away=True), EN)
    assert set(labels(here)) | {"I'm back"} == set(labels(away))


@pytest.mark.parametrize("free", [(), (1,), (0, 1), (0, 1, 3)])
def test_what_is_under_the_board_fits_the_rows_of_a_phone(free: tuple[int, ...]) -> None:
    view = board(head=samples.head(4, free=free, away=(2,)))
    for message in (channel_message(view, EN), channel_message(view, EN, watched=True)):
        check(message)
        takes = [f"Take seat {seat + 1}" for seat in free]
        assert [label for label in labels(message) if label.startswith("Take")] == takes
        for row in rows(message):
            assert sum(width(one["label"]) for one in row) - GAP <= PHONE, row


# Notices, watching, farewells


def test_a_notice_is_one_line_that_mentions_whoever_is_asked_and_opens_the_hand() -> None:
    view = NoticeView(
        samples.head(), dict.fromkeys((UserId(100), UserId(102)), Call(QuestionId(7))), SOON
    )
    notice = notice_message(view, "https://discord.com/channels/1/2/3", EN)
    check(notice)
    assert text(notice) == f"<@100> <@102>, it's your turn. Your time runs out {STAMP}."
    assert labels(notice) == ["My hand", "To the table"]
    warned = text(
        notice_message(
            replace(view, calls={UserId(102): Call(QuestionId(7), warned=True)}), None, EN
        )
    )
    assert warned == f"⏳ <@102>, your time runs out {STAMP}; after that the table plays for you."
    assert text(notice_message(replace(view, due=None), None, EN)) == (
        "<@100> <@102>, it's your turn."
    )


def test_a_spectator_sees_the_board_and_renews_it_but_plays_nothing() -> None:
    for view in (timed(), pause()):
        seen = channel_message(view, EN, watched=True)
        check(seen)
        copy = f"-# {EN.get('watch.copy')}"
        assert text(seen).replace(f"{copy}\n", "") == text(channel_message(view, EN))
        assert presses(seen)["Refresh"] == Press(Verb.WATCH, samples.TABLE)
        assert {press.verb for press in presses(seen).values()} == {
            Verb.WATCH, Verb.LOG, Verb.MORE,
        }  # fmt: skip


def test_a_spectator_can_take_a_free_seat() -> None:
    seen = channel_message(timed(head=samples.head(3, free=(2,), away=(1,))), EN, watched=True)
    assert presses(seen)["Take seat 3"].verb is Verb.TAKE
    assert "I'm back" not in labels(seen)


def test_a_lobby_and_a_shuffle_can_be_watched_and_a_result_needs_no_renewing() -> None:
    lobby = samples.lobby_view()
    shuffling = ShufflingView(samples.head(), 1, ())
    for view in (lobby, shuffling):
        assert presses(channel_message(view, EN, watched=True))["Refresh"].verb is Verb.WATCH
    assert presses(channel_message(lobby, EN, watched=True))["Join"].verb is Verb.JOIN
    result = samples.result_view()
    assert (
        channel_message(result, EN, watched=True).components
        == channel_message(result, EN).components
    )


def test_before_a_restart_the_board_says_that_the_program_will_be_back() -> None:
    said = "I'm restarting and will be back in a moment; you lose no time."
    for view in (timed(), pause()):
        going = channel_message(view, EN, farewell=True)
        check(going)
        headline, second, *_ = text(going).splitlines()
        assert headline.startswith("#")
        assert second == said
        assert text(going).replace(f"{said}\n", "", 1) == text(channel_message(view, EN))
    assert said not in text(channel_message(samples.lobby_view(), EN, farewell=True))
