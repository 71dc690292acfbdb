"""Auf falscher Fährte with wrong rules: a rule test or the oracle has to go red."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.game import AnyGame
from engine.registry import games
from tests.conformance.test_planted import altered
from tests.conformance.wrong import (
    Wrong,
    allowing,
    everything_open,
    forbidding,
    harmless,
    legal,
    lowest_wins,
    lying,
    one_at_a_time,
    ranking,
    relabelled,
    scoring,
)
from tests.engine import test_faehrte_oracle as oracle
from tests.engine import test_faehrte_rules as rules

RIGHT: Final[AnyGame] = games()["auffalscherfaehrte"]
LOW_WINS: Final = " ".join(f"{suit}{low}={suit}{12 - low}" for suit in "RYGB" for low in range(6))
YELLOW_TRUMP: Final = " ".join(f"R{number}=Y{number}" for number in range(13))


def joker_though_able(state: Any, seat: int, text: str) -> bool:
    return text == "play J" and set(legal(RIGHT, state, seat)) != {text}


def no_keeping(state: Any, seat: int, text: str) -> bool:
    return text == "trump keep"


def hides_zero(state: Any, seat: int, text: str) -> bool:
    return text.startswith("hide") and text[6:] == "0"


def any_card(state: Any, seat: int) -> list[str]:
    playing = any(text.startswith("play") for text in legal(RIGHT, state, seat))
    hand = lying(RIGHT, state, f"hand {seat}")
    return [f"play {card}" for card in hand if playing and card != "J"]


def second_joker(state: Any, seat: int) -> list[str]:
    playing = any(text.startswith("play") for text in legal(RIGHT, state, seat))
    return ["play J"] if playing and "J" in lying(RIGHT, state, f"hand {seat}") else []


def hidden_joker(state: Any, seat: int) -> list[str]:
    hiding = any(text.startswith("hide") for text in legal(RIGHT, state, seat))
    return ["hide J"] if hiding and "J" in lying(RIGHT, state, f"hand {seat}") else []


def same_trump(state: Any, seat: int) -> list[str]:
    offered = "trump keep" in legal(RIGHT, state, seat)
    return [f"trump {suit}" for suit in "RYGB" if offered]


def last_scores_one(state: Any, right: Sequence[int]) -> list[int]:
    return [point or 1 for point in right]


def turned_round(state: Any, right: Sequence[int]) -> list[int]:
    return [max(right) - point for point in right]


def first_alone_scores(state: Any, right: Sequence[int]) -> list[int]:
    return [point if point == max(right) else 0 for point in right]


def the_first_shares(state: Any, right: Sequence[int]) -> list[int]:
    """Equal places take the lower one's points."""
    best = max(right)
    return [best - 1 if point == best and right.count(best) > 1 else point for point in right]


POINTS: Final = rules.test_places_and_points

MODULES: Final = [rules, oracle]
WRONG: Final = [
    Wrong(
        "any card follows",
        allowing(RIGHT, any_card),
        rules.test_who_can_must_follow_and_else_may_play_anything,
    ),
    Wrong(
        "a trump led is not followed",
        allowing(RIGHT, any_card),
        rules.test_trump_led_is_followed_like_any_colour,
    ),
    Wrong(
        "the lowest wins",
        relabelled(RIGHT, LOW_WINS),
        rules.test_the_highest_trump_wins_else_the_highest_of_the_colour_led,
    ),
    Wrong(
        "yellow is trump at first",
        relabelled(RIGHT, YELLOW_TRUMP),
        rules.test_a_0_can_win,
    ),
    Wrong(
        "no joker while able to follow",
        forbidding(RIGHT, joker_though_able),
        rules.test_a_joker_may_be_played_even_when_able_to_follow_and_never_wins,
    ),
    Wrong(
        "a second joker in a trick",
        allowing(RIGHT, second_joker),
        rules.test_a_second_joker_in_a_trick_is_refused,
    ),
    Wrong("a joker is hidden", allowing(RIGHT, hidden_joker), rules.test_a_joker_is_never_hidden),
    Wrong(
        "the trump has to change",
        forbidding(RIGHT, no_keeping),
        rules.test_after_trick_8_whoever_is_last_alone_may_change_the_trump,
    ),
    Wrong(
        "the trump changes to itself",
        allowing(RIGHT, same_trump),
        rules.test_after_trick_8_whoever_is_last_alone_may_change_the_trump,
    ),
    Wrong(
        "cards are hidden in turn",
        one_at_a_time(RIGHT),
        rules.test_all_hide_a_card_at_once_in_any_order_and_secretly,
    ),
    Wrong(
        "a turned card has a name on it",
        everything_open(RIGHT),
        rules.test_nobody_learns_whose_a_turned_card_was,
    ),
    Wrong(
        "the last scores one",
        scoring(RIGHT, last_scores_one),
        POINTS,
        ("plus", (5, 4, 2, 1), (4, 3, 2, 0)),
    ),
    Wrong(
        "Plus is Minus",
        scoring(RIGHT, turned_round),
        POINTS,
        ("plus", (5, 4, 2, 1), (4, 3, 2, 0)),
    ),
    Wrong(
        "only the first scores",
        scoring(RIGHT, first_alone_scores),
        POINTS,
        ("plus", (5, 4, 2, 1), (4, 3, 2, 0)),
    ),
    Wrong(
        "who shares the first place gets less",
        scoring(RIGHT, the_first_shares),
        POINTS,
        ("plus", (4, 4, 2, 2), (4, 4, 0, 0)),
    ),
    Wrong(
        "a round for every player",
        altered(
            RIGHT,
            complete_options=lambda seats, given: RIGHT.complete_options(
                seats, {"rounds": seats, **given}
            ),
        ),
        rules.test_a_match_has_two_rounds_for_every_player_unless_agreed_otherwise,
    ),
    Wrong(
        "the lowest total wins",
        ranking(RIGHT, lowest_wins),
        rules.test_the_highest_total_wins_and_equal_totals_share_the_place,
    ),
]


HARMLESS: Final = harmless(RIGHT)


def holds() -> None:
    rules.test_the_highest_trump_wins_else_the_highest_of_the_colour_led()
    rules.test_a_second_joker_in_a_trick_is_refused()
    rules.test_a_0_can_win()


BLIND: Final = [
    ("any card follows", allowing(RIGHT, any_card)),
    ("no joker while able to follow", forbidding(RIGHT, joker_though_able)),
    ("a second joker in a trick", allowing(RIGHT, second_joker)),
    ("a joker is hidden", allowing(RIGHT, hidden_joker)),
    ("no zero is hidden", forbidding(RIGHT, hides_zero)),
    ("the trump has to change", forbidding(RIGHT, no_keeping)),
    ("the trump changes to itself", allowing(RIGHT, same_trump)),
    ("cards are hidden in turn", one_at_a_time(RIGHT)),
]


def asks_the_oracle() -> None:
    oracle.test_whole_matches_with_jokers_agree_with_the_oracle(3)
