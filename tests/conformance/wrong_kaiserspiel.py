"""Kaiserspiel with wrong rules: a rule test or the model of a whole round has to go red."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Final

from engine.game import CHANCE, AnyGame
from engine.registry import games
from tests.conformance.test_planted import altered
from tests.conformance.wrong import (
    Wrong,
    allowing,
    forbidding,
    harmless,
    legal,
    lying,
    one_at_a_time,
    ranking,
    relabelled,
    scoring,
)
from tests.engine import kaiserspiel_script as script
from tests.engine import test_kaiserspiel_deal as deal
from tests.engine import test_kaiserspiel_limit as limit
from tests.engine import test_kaiserspiel_play as play
from tests.engine import test_kaiserspiel_raising as raising
from tests.engine import test_kaiserspiel_rounds as model

RIGHT: Final[AnyGame] = games()["kaiserspiel"]
MODULES: Final = [script, deal, limit, play, raising, model]


def swapping(one: str, other: str) -> AnyGame:
    """Two ranks have changed roles."""
    return relabelled(RIGHT, " ".join(f"{suit}{one}={suit}{other}" for suit in "ARSB"))


def without(*words: str) -> AnyGame:
    """Nobody may say this."""
    return forbidding(RIGHT, lambda state, seat, text: text in words)


def off_suit(state: Any, seat: int, text: str) -> bool:
    return (
        text.startswith("play")
        and "down" not in text
        and f"{text} down" in legal(RIGHT, state, seat)
    )


def down_leads(state: Any, seat: int) -> list[str]:
    return [f"{text} down" for text in legal(RIGHT, state, seat) if text.startswith("play")]


def any_discard(state: Any, seat: int) -> list[str]:
    if not any(text.startswith("discard") for text in legal(RIGHT, state, seat)):
        return []
    hand = sorted(lying(RIGHT, state, f"hand {seat}"), key=script.PACK.index)
    return [f"discard {one} {other}" for one, other in combinations(hand, 2)]


def always_four(state: Any, right: Sequence[int]) -> list[int]:
    return [4 if point else 0 for point in right]


def one_seat_scores(state: Any, right: Sequence[int]) -> list[int]:
    return [point if point and not any(right[:seat]) else 0 for seat, point in enumerate(right)]


def losers_score(state: Any, right: Sequence[int]) -> list[int]:
    return [max(right) - point for point in right]


def teams_follow_each_other(scores: Sequence[int]) -> list[int]:
    return [1 if score == max(scores) else 2 for score in scores]


def limited_by(most: Callable[[Any], int]) -> AnyGame:
    """A deal that leaves another limit; `most` is asked with the round as it begins."""

    def apply(state: Any, seat: int, action: Any) -> Any:
        after = RIGHT.apply(state, seat, action)
        if seat != CHANCE or after.round.most is None:
            return after
        return after._replace(round=after.round._replace(most=most(after.round)))

    return altered(RIGHT, apply=apply)


def given(**options: bool) -> AnyGame:
    """Every match begins with these options, whatever it says itself."""
    return altered(RIGHT, initial=lambda seats, own: RIGHT.initial(seats, {**own, **options}))


def passed_target(state: Any) -> Any:
    found = RIGHT.outcome(state)
    return found if found and max(found.scores) > 4 else None


VECTORS: Final = play.test_the_vectors_of_the_rules

WRONG: Final = [
    Wrong("an Ober beats a King", swapping("K", "O"), play.test_plain_order_of_a_suit),
    Wrong("the Unter beats the Five", swapping("5", "U"), VECTORS, ("R7 RU R5 A3", "R5")),
    Wrong("a Six beats little", swapping("6", "3"), VECTORS, ("AO R3 AK R6", "R6")),
    Wrong("a Three beats all", swapping("3", "5"), VECTORS, ("AO R3 AK A2", "AK")),
    Wrong("the Seven led loses", swapping("7", "O"), VECTORS, ("R7 R5 BB! A2", "R7")),
    Wrong(
        "who plays face up has no choice",
        forbidding(RIGHT, off_suit),
        play.test_eldest_leads_face_up_and_all_others_may_play_anything_either_way,
        (3,),
    ),
    Wrong(
        "a lead may lie face down",
        allowing(RIGHT, down_leads),
        play.test_a_lead_lies_face_up,
    ),
    Wrong(
        "every round is worth four",
        scoring(RIGHT, always_four),
        play.test_the_winners_score_the_raised_value,
    ),
    Wrong(
        "one of the team scores",
        scoring(RIGHT, one_seat_scores),
        play.test_partners_tricks_count_together,
    ),
    Wrong(
        "who resigns scores",
        scoring(RIGHT, losers_score),
        raising.test_who_resigns_loses_the_value_before_the_open_offer,
        ("0 raise 1, 1 resign", 4),
    ),
    Wrong(
        "the second team is second",
        ranking(RIGHT, teams_follow_each_other),
        play.test_the_match_ends_when_a_team_reaches_the_target,
    ),
    Wrong(
        "the target has to be passed",
        altered(RIGHT, outcome=passed_target),
        play.test_a_target_reached_exactly_is_reached,
    ),
    Wrong(
        "the target is 21",
        altered(
            RIGHT,
            complete_options=lambda seats, given: RIGHT.complete_options(
                seats, {"target": 21, **given}
            ),
        ),
        deal.test_the_target_is_41_unless_said_otherwise,
    ),
    Wrong(
        "no limit for new matches",
        altered(
            RIGHT,
            complete_options=lambda seats, given: RIGHT.complete_options(
                seats, {"limit": False, **given}
            ),
        ),
        limit.test_new_matches_have_the_limit_and_those_of_before_have_none,
    ),
    Wrong(
        "matches of before have the limit",
        given(limit=True),
        limit.test_new_matches_have_the_limit_and_those_of_before_have_none,
    ),
    Wrong("no limit at all", given(limit=False), limit.test_calls_end),
    Wrong(
        "one point more than is needed",
        limited_by(lambda round_: round_.most + 1),
        limit.test_a_raise_by_three_needs_room_for_three,
        (6, limit.RAISE_1),
    ),
    Wrong(
        "one point less than is needed",
        limited_by(lambda round_: max(round_.most - 1, 4)),
        limit.test_a_raise_by_three_needs_room_for_three,
        (7, limit.RAISE),
    ),
    Wrong(
        "a limit below four",
        limited_by(lambda round_: round_.target - min(round_.scores)),
        limit.test_it_is_what_is_needed_and_at_least_four,
        (1, 4),
    ),
    Wrong(
        "the team nearer to the target counts",
        limited_by(lambda round_: max(round_.target - max(round_.scores), 4)),
        limit.test_the_team_further_from_the_target_counts_and_the_start_of_the_round,
    ),
    Wrong(
        "the target counts, whatever has been scored",
        limited_by(lambda round_: round_.target),
        limit.test_the_team_further_from_the_target_counts_and_the_start_of_the_round,
    ),
    Wrong(
        "no lifting",
        without("lift"),
        raising.test_only_an_accepted_one_may_be_lifted_once,
    ),
    Wrong(
        "no Spieldrei",
        without("threeup"),
        raising.test_spieldrei_comes_at_every_pause_after_the_declarations,
        (0,),
    ),
    Wrong(
        "nobody resigns",
        without("resign"),
        raising.test_only_an_accepted_one_may_be_lifted_once,
    ),
    Wrong(
        "discards are made in turn",
        one_at_a_time(RIGHT),
        raising.test_everyone_discards_any_two_at_once,
    ),
    Wrong(
        "a declared Kaiser may be discarded",
        allowing(RIGHT, any_discard),
        raising.test_a_declared_kaiser_may_not_be_discarded_any_other_banner_may,
    ),
]


HARMLESS: Final = harmless(RIGHT)


def holds() -> None:
    VECTORS("R7 RU R5 A3", "R5")
    play.test_partners_tricks_count_together()
    raising.test_raises_add_up()


BLIND: Final = [
    ("a Three beats all", swapping("3", "5")),
    ("who plays face up has no choice", forbidding(RIGHT, off_suit)),
    ("a lead may lie face down", allowing(RIGHT, down_leads)),
    ("every round is worth four", scoring(RIGHT, always_four)),
    ("one of the team scores", scoring(RIGHT, one_seat_scores)),
    ("no lifting", without("lift")),
    ("no Spieldrei", without("threeup")),
    ("discards are made in turn", one_at_a_time(RIGHT)),
    ("a declared Kaiser may be discarded", allowing(RIGHT, any_discard)),
]


def asks_the_oracle() -> None:
    model.test_the_game_asks_allows_refuses_and_scores_what_the_model_does(0)
