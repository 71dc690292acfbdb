"""Medals, the table of rounds, and why somebody scored so much."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.i18n import texts
from bot.ids import Computer, QuestionId, UserId
from bot.pictures.result import BESIDE
from bot.render.blocks import ended
from bot.render.channel import channel_message
from bot.render.ended import drawn_result, ended_panel
from bot.render.hand import hand_panel
from bot.render.message import picture_file
from bot.render.results import TABLE, lead_taken, medals, round_table, story_lines
from bot.tables.stored import Stop
from bot.views.values import BetweenRoundsView, ResultView
from engine.game import Outcome
from engine.players.levels import Level
from tests.render import matches, samples
from tests.render.limits import check, labels, rows, text

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


def test_names_from_the_right_stay_above_their_points() -> None:
    head = samples.head(3, ("אבג", "דהו", "Ann"), game="sticheln")
    titles = round_table([(1, 2, 3)], head, EN).splitlines()[1]
    assert titles.split() == ["אבג\u200e", "דהו\u200e", "Ann"]


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
            pause = BetweenRoundsView(
                QuestionId(9), 1, points, points, frozenset(), None, story=story
            )
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


DRAWN = samples.result_view(
    scores=(12, 12, 12), ranking=(1, 1, 1), rounds=((12, 0, 3), (0, 12, 0), (0, 0, 9))
)
"""Everybody shares the first place, whoever led before."""
DRAWN_BY_TEAMS = replace(
    DRAWN, head=samples.head(4, game="kaiserspiel", teams=(0, 1, 0, 1)), scores=(12,) * 4,
    ranking=(1,) * 4, rounds=((12, 0, 12, 0), (0, 12, 0, 12)),
    starters=("Ann", "Ben", "Cat", "Dan"),
)  # fmt: skip

SUMS = {
    "from the first round on": (((4, 0, 1), (2, 3, 3)), 1),
    "in the second of three": (((4, 0, 1), (2, 9, 3), (1, 1, 1)), 2),
    "in the last": (((4, 0, 1), (2, 7, 3)), 2),
    "after losing it": (((4, 0, 1), (0, 9, 0), (9, 0, 0), (0, 1, 0)), 3),
}


@pytest.mark.parametrize("case", SUMS)
def test_the_lead_was_taken_for_good_when_it_is_said(case: str) -> None:
    rounds, taken = SUMS[case]
    scores = tuple(map(sum, zip(*rounds, strict=True)))
    view = samples.result_view(scores=scores, ranking=Outcome.of(scores).ranking, rounds=rounds)
    assert lead_taken(view) == taken
    winners = [seat for seat, place in enumerate(Outcome.of(scores).ranking) if place == 1]
    for number in range(len(rounds) + 1):
        sums = [sum(points[seat] for points in rounds[:number]) for seat in range(3)]
        leaders = [seat for seat in range(3) if sums[seat] == max(sums)]
        if number >= taken:
            assert leaders == winners
        elif number == taken - 1:
            assert leaders != winners


def test_nobody_has_taken_the_lead_who_won_because_others_conceded() -> None:
    view = samples.result_view(scores=(9, 4, 1), ranking=(3, 1, 2), rounds=((9, 4, 1),))
    assert lead_taken(view) is None


SHARED = samples.result_view(
    scores=(20, 20, 5), ranking=(1, 1, 3), rounds=((10, 0, 5), (10, 0, 0), (0, 20, 0))
)
"""Ann has led from the first round on, until Ben draws level in the last."""


@pytest.mark.parametrize("view", [DRAWN, DRAWN_BY_TEAMS, SHARED])
@pytest.mark.parametrize("pictured", [False, True])
def test_nobody_has_taken_the_lead_who_shares_it_at_the_end(
    view: ResultView, pictured: bool
) -> None:
    assert lead_taken(view) is None
    drawn = drawn_result(view, EN)
    assert drawn is not None
    assert drawn.taken is None
    said = text(channel_message(view, EN, picture_file(b"a result") if pictured else None))
    assert "took the lead" not in said
    assert "led from" not in said


def test_a_team_has_taken_the_lead_though_one_of_it_has_conceded() -> None:
    view = replace(DRAWN_BY_TEAMS, scores=(12, 9, 12, 9), ranking=(1, 2, 4, 2))
    view = replace(view, rounds=((0, 9, 0, 9), (12, 0, 12, 0), (0, 0, 0, 0)))
    assert lead_taken(view) == 2
    assert "Ann and Cat took the lead in round 2 (+12)" in text(channel_message(view, EN))


def test_a_result_says_who_won_and_for_whom_it_counts_and_why() -> None:
    """In words first; the picture has places, points and rounds, which text has without it."""
    head = samples.head()
    view = samples.result_view(
        head=head, starters=("Ann", "Ben", "Dan"), beginners={2: UserId(103)},
        scores=(12, 42, 12), ranking=(2, 1, 2),
    )  # fmt: skip
    picture = picture_file(b"a result")
    for shown in (None, picture):
        said = text(channel_message(view, EN, shown))
        assert said.startswith("## Ben wins\nAuf und Ab · 3 rounds\n")
        assert "Ben took the lead in round 2 (+42) and kept it." in said
        assert "Cat took Dan's seat after the start: the place is Dan's." in said
        assert ("42 points" in said) == (shown is None)
        assert ("```" in said) == (shown is None)
    left = replace(head, sitters=(*head.sitters[:2], head.sitters[2]._replace(stand_in=True)))
    gone = replace(view, head=left, starters=("Ann", "Ben", "Cat"))
    said = text(channel_message(gone, EN))
    assert "Cat left before the end, and the place is Cat's." in said
    said = text(channel_message(replace(gone, stood_in=frozenset({2})), EN))
    assert "Cat left before the end. A stand-in played on, and the place is Cat's." in said
    assert "On the leaderboard" in said
    assert "For fun: on no leaderboard" in text(channel_message(replace(view, counts=False), EN))
    computers = replace(view, starters=("Ann", "Ben", Computer(1, Level.EASY)), counts=False)
    assert "With computer players (easy): on no leaderboard" in text(channel_message(computers, EN))
    even = replace(view, scores=(9, 9, 9), ranking=(1, 1, 1))
    assert text(channel_message(even, EN)).startswith("## A draw\n")
    two = replace(view, scores=(9, 9, 4), ranking=(1, 1, 3))
    assert text(channel_message(two, EN)).startswith("## Ann and Ben win\n")
    teams = replace(
        view, head=samples.head(4, game="kaiserspiel", teams=(0, 1, 0, 1)), rounds=(),
        scores=(41, 9, 41, 9), ranking=(1, 3, 1, 3), starters=("Ann", "Ben", "Cat", "Dan"),
    )  # fmt: skip
    assert text(channel_message(teams, EN)).startswith("## Ann and Cat win\n")


def test_a_result_with_a_curve_tells_of_no_last_trick_that_is_not_there(
    table: matches.Table,
) -> None:
    """Beside a curve the picture shows no cards, so no line may say who took "it"."""
    game = table.game
    ends = [one for one in matches.positions(str(table), 1) if game.round_scores(one.state)]
    seen, points = game.observe(ends[0].state, None), game.round_scores(ends[0].state)
    assert points is not None
    head = matches.board(table, ends[0]).head
    for count in (1, BESIDE, BESIDE + 1):
        view = samples.result_view(
            head=head, scores=points, ranking=Outcome.of(points).ranking, rounds=(points,) * count,
            ending=game.layout(seen), told=ends[0].told, starters=matches.NAMES[: table.seats],
        )  # fmt: skip
        told = ended(game.layout(seen), ends[0].told, head, EN, pictured=True)
        said = text(channel_message(view, EN, picture_file(b"a result")))
        assert all((line in said) == (count <= BESIDE) for line in told)


def test_a_result_has_one_row_of_buttons() -> None:
    message = channel_message(samples.result_view(), EN)
    assert [[part["label"] for part in row] for row in rows(message)] == [
        ["Rematch", "Rounds", "Review", "Verify", "⋯"]
    ]


def test_reasons_stand_in_small_print_below_the_buttons_and_say_of_which_round(
    table: matches.Table,
) -> None:
    """Above them, those of six people with a curve pushed the buttons off a desktop's screen."""
    game = table.game
    ends = [one for one in matches.positions(str(table), 1) if game.round_scores(one.state)]
    seen, points = game.observe(ends[0].state, None), game.round_scores(ends[0].state)
    assert points is not None
    head, story = matches.board(table, ends[0]).head, game.story(seen)
    assert story is not None
    for count in (1, 2, BESIDE + 1):
        view = samples.result_view(
            head=head, scores=points, ranking=Outcome.of(points).ranking, rounds=(points,) * count,
            story=story, starters=matches.NAMES[: table.seats],
        )  # fmt: skip
        message = channel_message(view, EN, picture_file(b"a result"), deck="text")
        kinds = [part["type"] for part in message.components[0]["components"]]
        row = kinds.index(1)
        below = message.components[0]["components"][row + 1 :]
        said = "\n".join(part["content"] for part in below)
        assert all(line in said for line in story_lines(story, points, head, EN))
        assert said.startswith("The last round:\n") == (count > 1)


def test_where_a_hand_was_stands_ones_own_place_and_the_way_to_the_result() -> None:
    view = samples.result_view()
    said = ended_panel(view, UserId(100), "https://discord.com/channels/1/2/3", EN)
    assert text(said).startswith("## Shared place 2 of 3 · 12 points\n")
    assert "Ben wins" in text(said)
    assert labels(said) == ["To the result"]
    assert text(ended_panel(view, UserId(101), None, EN)).startswith("## You win · 42 points\n")
    assert text(ended_panel(view, UserId(7), None, EN)).startswith("## Ben wins\n")
    two = samples.result_view(
        head=samples.head(4, game="kaiserspiel", teams=(0, 1, 0, 1)), rounds=(),
        scores=(0, 10, 0, 10), ranking=(3, 1, 3, 1), starters=("Ann", "Ben", "Cat", "Dan"),
    )  # fmt: skip
    lost = text(ended_panel(two, UserId(102), None, EN))
    assert lost.startswith("## Your team lost · 0 : 10\n")
    assert text(ended_panel(two, UserId(101), None, EN)).startswith(
        "## Your team wins · 10 points\n"
    )
    for even in (DRAWN, DRAWN_BY_TEAMS):
        own = text(ended_panel(even, UserId(101), None, EN))
        assert own.startswith("## A draw · 12 points\n"), "nobody has won"
        assert own.count("A draw") == 1
        assert text(channel_message(even, EN)).startswith("## A draw\n")
    stopped = samples.result_view(scores=None, ranking=None, stop=Stop.CHANNEL)
    said = ended_panel(stopped, UserId(100), None, EN)
    assert text(said).splitlines()[1] == EN.get("result.stopped_channel")
    assert "counts for nobody" in text(said)
