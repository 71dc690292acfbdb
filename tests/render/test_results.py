"""Medals, the table of rounds, and why somebody scored so much."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.i18n import texts
from bot.ids import QuestionId
from bot.render.channel import channel_message
from bot.render.hand import hand_panel
from bot.render.results import TABLE, medals, round_table
from bot.views.values import Pause
from engine.game import Outcome
from tests.render import matches, samples
from tests.render.limits import check

EN = texts("en")

CASES = {
    "three": ((42, 12, 7), (1, 2, 3), "🥇🥈🥉"),
    "shared silver": ((42, 12, 12), (1, 2, 2), "🥇🥈🥈"),
    "zeros share no silver": ((42, 0, 0), (1, 2, 2), "🥇2️⃣2️⃣"),
    "last without a point": ((42, 12, 0), (1, 2, 3), "🥇🥈3️⃣"),
    "nought before a loss": ((5, 0, -3), (1, 2, 3), "🥇🥈🥉"),
    "all have lost": ((-8, -9, -10), (1, 2, 3), "🥇🥈🥉"),
    "nobody has scored": ((0, 0, 0), (1, 1, 1), "1️⃣1️⃣1️⃣"),
    "a shared win": ((9, 9, 4), (1, 1, 3), "🥇🥇🥉"),
    "all share it": ((9, 9, 9), (1, 1, 1), "🥇🥇🥇"),
    "four": ((9, 7, 4, 1), (1, 2, 3, 4), "🥇🥈🥉4️⃣"),
    "six": ((9, 7, 4, 3, 2, 1), (1, 2, 3, 4, 5, 6), "🥇🥈🥉4️⃣5️⃣6️⃣"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_medal_means_something(case: str) -> None:
    scores, ranking, signs = CASES[case]
    found = medals(ranking, scores, samples.head(len(scores), game="sticheln"))
    assert "".join(found[(seat,)] for seat in range(len(scores))) == signs


@pytest.mark.parametrize(
    ("scores", "ranking", "signs"),
    [
        ((0, 41, 0, 41), (3, 1, 3, 1), "2️⃣🥇"),
        ((37, 41, 37, 41), (3, 1, 3, 1), "2️⃣🥇"),
        ((20, 20, 20, 20), (1, 1, 1, 1), "🥇🥇"),
        ((41, 30, 41, 30), (1, 3, 4, 3), "🥇2️⃣"),
    ],
)
def test_the_second_of_two_teams_gets_no_bronze(
    scores: tuple[int, ...], ranking: tuple[int, ...], signs: str
) -> None:
    head = samples.head(4, game="kaiserspiel", teams=(0, 1, 0, 1))
    found = medals(ranking, scores, head)
    assert "".join(found[side] for side in ((0, 2), (1, 3))) == signs


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_table_fits_a_phone_whoever_plays(seats: int) -> None:
    nasty = samples.NASTY
    names = (nasty, nasty, "日本語の名前", "`" * 5, "Ann", "Bartholomew the Great")
    head = samples.head(seats, names, game="sticheln")
    lines = round_table([(-29,) * seats] * 30, head, EN).splitlines()
    assert lines[0] == lines[-1] == "```"
    assert len(lines) == 17
    assert not any("`" in line for line in lines[1:-1])
    assert lines[2].split() == ["…"] * (1 + seats)
    assert lines[3].split() == ["19", *["−29"] * seats]
    assert lines[-2].split() == ["sum", *["−870"] * seats]
    assert max(map(len, lines)) <= max(TABLE, len("sum") + seats * len(" −870"))


def test_the_longest_story_fits_a_message_and_has_words(table: matches.Table) -> None:
    """At a round's end, on a panel, and in a result of many rounds, whatever people are called."""
    game, names = table.game, (samples.NASTY,) * table.seats
    ends = [each for each in matches.positions(str(table), 1) if game.round_scores(each.state)]
    assert ends
    with capture_logs() as logs:
        for end in ends:
            seen = game.observe(end.state, None)
            story, points = game.story(seen), game.round_scores(end.state)
            assert story is not None
            assert points is not None
            pause = Pause(QuestionId(9), 1, points, points, frozenset(), None, story=story)
            board = replace(matches.board(table, end, names), pause=pause)
            panel = replace(matches.hand(table, end.state, 0, names), pause=pause)
            ranking = Outcome.of(points).ranking
            result = samples.result_view(
                head=board.head, scores=points, ranking=ranking, rounds=(points,) * 40,
                story=story, ending=game.layout(seen), starters=names,
            )  # fmt: skip
            for message in (channel_message(board, EN), hand_panel(panel, EN)):
                check(message)
            check(channel_message(result, EN))
    assert logs == []
