"""Sticheln with wrong rules: the laws may well hold, so a rule test or the oracle goes red."""

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
from tests.engine import test_sticheln_oracle as oracle
from tests.engine import test_sticheln_rules as rules

RIGHT: Final[AnyGame] = games()["sticheln"]
LOW_WINS: Final = " ".join(
    f"{suit}{low}={suit}{12 - low}" for suit in "RYGBP" for low in range(1, 6)
)
ZERO_IS_TEN: Final = " ".join(f"{suit}0={suit}10" for suit in "RYGBP")


def off_suit(state: Any, seat: int, text: str) -> bool:
    """Whether the first to follow plays another colour though they have the one led."""
    table, hand = lying(RIGHT, state, "table"), lying(RIGHT, state, f"hand {seat}")
    suits = {card[0] for card in hand}
    return len(table) == 1 and table[0][0] in suits and text.split()[1][0] != table[0][0]


def leads_chosen_colour(state: Any, seat: int, text: str) -> bool:
    chosen = lying(RIGHT, state, f"chosen {seat}")
    return not lying(RIGHT, state, "table") and bool(chosen) and text[5] == chosen[0][0]


def chooses_zero(state: Any, seat: int, text: str) -> bool:
    return text.startswith("choose") and text.endswith("0")


def plays_the_chosen(state: Any, seat: int) -> list[str]:
    playing = not any(text.startswith("choose") for text in legal(RIGHT, state, seat))
    return [f"play {card}" for card in lying(RIGHT, state, f"chosen {seat}") if playing]


def counted(chosen: int, unwanted: int | None, zero: int, other: int) -> AnyGame:
    """Points by the factor of the chosen card, the worth of an unwanted one (None: its number),
    of the unwanted colour's zero and of any other card."""

    def worth(card: str, colour: str) -> int:
        if card[0] != colour:
            return other
        number = int(card[1:])
        return (-number if unwanted is None else unwanted) if number else zero

    def points(state: Any, right: Sequence[int]) -> list[int]:
        found = []
        for seat in range(len(right)):
            (card,) = lying(RIGHT, state, f"chosen {seat}")
            taken = lying(RIGHT, state, f"taken {seat}")
            total = sum(worth(each, card[0]) for each in taken)
            found.append(total - chosen * int(card[1:]))
        return found

    return scoring(RIGHT, points)


def zeros_are_taken(state: Any) -> Any:
    return tuple(
        each._replace(place="taken 0") if each.place == "aside" else each
        for each in RIGHT.cards(state)
    )


NOTHING_CHOSEN: Final = rules.test_whoever_takes_nothing_pays_the_chosen_card
ZEROS: Final = rules.test_the_zero_of_the_unwanted_colour_counts_nothing_and_other_zeros_one
TAKES: Final = rules.test_the_winner_takes_the_cards_and_leads

MODULES: Final = [rules, oracle]
WRONG: Final = [
    Wrong(
        "colours have to be followed",
        forbidding(RIGHT, off_suit),
        rules.test_any_card_may_be_led_and_any_card_may_follow,
    ),
    Wrong("the lowest wins", relabelled(RIGHT, LOW_WINS), TAKES, ("Y9 G5 R6 B4", 2)),
    Wrong("a zero is high", relabelled(RIGHT, ZERO_IS_TEN), TAKES, ("R9 Y0 G0 B0", 0)),
    Wrong("the chosen card costs nothing", counted(0, None, 0, 1), NOTHING_CHOSEN),
    Wrong("the chosen card counts for its taker", counted(-1, None, 0, 1), NOTHING_CHOSEN),
    Wrong("the unwanted zero counts one", counted(1, None, 1, 1), ZEROS),
    Wrong("an unwanted card costs one", counted(1, -1, 0, 1), rules.test_maria_and_jack),
    Wrong("other cards count nothing", counted(1, None, 0, 0), rules.test_maria_and_jack),
    Wrong("the lowest total wins", ranking(RIGHT, lowest_wins), rules.test_maria_and_jack),
    Wrong(
        "zeros go to a seat",
        altered(RIGHT, cards=zeros_are_taken),
        rules.test_of_nothing_but_zeros_nobody_wins_and_the_same_seat_leads_again,
        (3,),
    ),
    Wrong(
        "choices are made in turn",
        one_at_a_time(RIGHT),
        rules.test_all_choose_one_card_of_the_hand_in_any_order,
    ),
    Wrong(
        "a choice is open",
        everything_open(RIGHT),
        rules.test_a_choice_is_secret_until_all_have_chosen,
    ),
    Wrong(
        "the chosen card may be played",
        allowing(RIGHT, plays_the_chosen),
        rules.test_the_chosen_card_lies_open_and_is_not_played,
    ),
    Wrong(
        "one round is a match",
        altered(
            RIGHT,
            complete_options=lambda seats, given: RIGHT.complete_options(
                seats, {"rounds": 1, **given}
            ),
        ),
        rules.test_there_are_as_many_rounds_as_seats_and_each_starts_one_seat_later,
        (3,),
    ),
]


HARMLESS: Final = [*harmless(RIGHT), counted(1, None, 0, 1)]


def holds() -> None:
    rules.test_any_card_may_be_led_and_any_card_may_follow()
    TAKES("Y9 G5 R6 B4", 2)
    ZEROS()
    NOTHING_CHOSEN()
    rules.test_maria_and_jack()


BLIND: Final = [
    ("colours have to be followed", forbidding(RIGHT, off_suit)),
    ("the chosen colour is not led", forbidding(RIGHT, leads_chosen_colour)),
    ("no zero is chosen", forbidding(RIGHT, chooses_zero)),
    ("the chosen card may be played", allowing(RIGHT, plays_the_chosen)),
    ("the unwanted zero counts one", counted(1, None, 1, 1)),
    ("an unwanted card costs one", counted(1, -1, 0, 1)),
    ("the lowest total wins", ranking(RIGHT, lowest_wins)),
    ("choices are made in turn", one_at_a_time(RIGHT)),
]


def asks_the_oracle() -> None:
    oracle.test_random_matches_go_as_the_oracle_says(3)
