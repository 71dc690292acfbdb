"""Faults planted in good records of every game: found where they are, and named."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pytest

from engine.registry import games
from engine.verify import verify
from tests.engine.records import Found, Record, actions, agree, at, faults_of, good

Plant: TypeAlias = Callable[[Record], list[Found]]
"""Spoils a record and says which faults that makes, in their order."""

PLANTS: Final[list[Plant]] = []
"""Those that go on: nothing else is wrong."""
FIRST: Final[list[Plant]] = []
"""Those whose consequences are found as well, after them."""

NAMES: Final = list(games())


def plant(function: Plant) -> Plant:
    PLANTS.append(function)
    return function


def plant_first(function: Plant) -> Plant:
    FIRST.append(function)
    return function


def named(plants: list[Plant]) -> list[Any]:
    return [pytest.param(each, id=each.__name__) for each in plants]


def proof(made: Record, number: int = 1) -> Any:
    return made["rounds"][number - 1]["proof"]


def another(seat: int, made: Record) -> int:
    return int((seat + 1) % made["seats"])


def other_seed(made: Record) -> str:
    seed = proof(made)["server_seed"]
    return ("0" if seed[0] != "0" else "1") + str(seed[1:])


# The deal and its proof.


@plant
def wrong_commitment(made: Record) -> list[Found]:
    proof(made)["commitment"] = "0" * 64
    return [(1, None, "proof", "'commitment' is not the SHA-256 of 'server_seed'")]


@plant
def wrong_seed(made: Record) -> list[Found]:
    proof(made)["server_seed"] = other_seed(made)
    return [(1, None, "proof", "'commitment'"), (1, None, "deal", "but the proof gives")]


@plant
def wrong_seed_with_its_commitment(made: Record) -> list[Found]:
    proof(made)["server_seed"] = seed = other_seed(made)
    proof(made)["commitment"] = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    # The next round is bound by another one.
    return [
        (1, None, "deal", "but the proof gives"),
        (2, None, "proof", "'commitment' is "),
    ]


@plant
def link_is_left_out(made: Record) -> list[Found]:
    proof(made, 2)["link"] = 1
    return [(2, None, "proof", "'link' is 1, should be 2")]


@plant
def link_is_no_number(made: Record) -> list[Found]:
    proof(made)["link"] = "1"
    return [(1, None, "proof", "'link' is '1', should be 1")]


@plant
def seed_in_capitals(made: Record) -> list[Found]:
    proof(made)["server_seed"] = "A" * 64
    return [(1, None, "proof", "'server_seed' is")]


@plant
def seed_left_out(made: Record) -> list[Found]:
    del proof(made)["server_seed"]
    return [(1, None, "proof", "'server_seed' is missing")]


@plant
def wrong_word(made: Record) -> list[Found]:
    proof(made)["words"][1] = "kuckuck"
    return [(1, None, "deal", "but the proof gives")]


@plant
def word_of_other_letters(made: Record) -> list[Found]:
    proof(made)["words"][1] = "ü"
    return [(1, None, "proof", "'words'")]


@plant
def word_missing(made: Record) -> list[Found]:
    del proof(made)["words"][0]
    return [(1, None, "proof", f"should be {made['seats']} of")]


@plant
def wrong_post(made: Record) -> list[Found]:
    proof(made, 2)["post"] = "1307"
    return [(2, None, "deal", "but the proof gives")]


@plant
def post_is_a_number(made: Record) -> list[Found]:
    proof(made, 2)["post"] = 1307
    return [(2, None, "proof", "'post' is 1307")]


@plant
def post_is_a_link(made: Record) -> list[Found]:
    proof(made, 2)["post"] = "https://example.org/1307"
    return [(2, None, "proof", "'post' is 'https://example.org/1307'")]


@plant
def wrong_previous(made: Record) -> list[Found]:
    proof(made, 2)["previous"] = "0" * 64
    return [
        (2, None, "proof", "'previous' is not the SHA-256 of the actions of round 1"),
        (2, None, "deal", "but the proof gives"),
    ]


@plant
def previous_left_empty(made: Record) -> list[Found]:
    proof(made, 2)["previous"] = ""
    return [(2, None, "proof", "'previous'"), (2, None, "deal", "")]


@plant
def previous_in_round_1(made: Record) -> list[Found]:
    proof(made)["previous"] = "0" * 64
    return [(1, None, "proof", "not empty in round 1"), (1, None, "deal", "")]


@plant
def another_table(made: Record) -> list[Found]:
    proof(made, 2)["table"] = "T7Q2"
    return [(2, None, "proof", "'table' is 'T7Q2'"), (2, None, "deal", "")]


@plant
def no_table_id(made: Record) -> list[Found]:
    proof(made)["table"] = "a|b"
    return [(1, None, "proof", "'table' is 'a|b'")]


@plant
def wrong_number_of_the_round(made: Record) -> list[Found]:
    proof(made, 2)["round"] = 1
    return [(2, None, "proof", "'round' is 1, should be 2")]


@plant
def true_for_round_1(made: Record) -> list[Found]:
    proof(made)["round"] = True
    return [(1, None, "proof", "'round' is true")]


@plant
def proof_is_no_object(made: Record) -> list[Found]:
    made["rounds"][0]["proof"] = "see above"
    return [(1, None, "proof", "neither null nor an object")]


@plant
def deal_of_another_match(made: Record) -> list[Found]:
    """A good deal with its own play, but not the one that was committed to."""
    other = good(made["game"], seed=7)
    made["rounds"] = [{**other["rounds"][0], "proof": proof(made)}]
    made["outcome"], made["stopped"] = None, "after a round"
    return [(1, None, "deal", "but the proof gives")]


@plant_first
def cards_exchanged(made: Record) -> list[Found]:
    deal = made["rounds"][0]["deal"]
    if "pack" in deal:
        deal["pack"][5], deal["pack"][20] = deal["pack"][20], deal["pack"][5]
        return [(1, None, "deal", "deal.pack[5]")]
    one, two = deal["hands"][:2]
    one[0], two[0] = two[0], one[0]
    order = games()[made["game"]].pack(made["seats"], made["options"])
    one.sort(key=order.index)
    two.sort(key=order.index)
    return [(1, None, "deal", "deal.hands[0][")]


@plant
def a_card_twice(made: Record) -> list[Found]:
    deal = made["rounds"][0]["deal"]
    row = deal.get("pack") or deal["hands"][0]
    row[1] = row[0]
    return [(1, None, "deal", "[1] is"), (1, None, "deal", "")]


@plant
def a_card_too_few(made: Record) -> list[Found]:
    deal = made["rounds"][0]["deal"]
    del (deal.get("pack") or deal["hands"][0])[0]
    return [(1, None, "deal", "a list of"), (1, None, "deal", "")]


@plant
def a_card_of_no_pack(made: Record) -> list[Found]:
    deal = made["rounds"][0]["deal"]
    (deal.get("pack") or deal["hands"][0])[0] = "Z9"
    return [(1, None, "deal", "'Z9'"), (1, None, "deal", "deal_malformed")]


@plant
def deal_is_no_object(made: Record) -> list[Found]:
    made["rounds"][0]["deal"] = []
    return [(1, None, "deal", "is [], "), (1, None, "deal", "deal_malformed")]


# The head of a round.


@plant
def wrong_start_of_round_2(made: Record) -> list[Found]:
    head = made["rounds"][1]
    head["start"] = another(head["start"], made)
    return [(2, None, "start", "should be")]


@plant
def no_start(made: Record) -> list[Found]:
    made["rounds"][0]["start"] = None
    return [(1, None, "start", "")]


@plant
def wrong_dealer_of_round_2(made: Record) -> list[Found]:
    head = made["rounds"][1]
    head["dealer"] = 0 if head["dealer"] is None else another(head["dealer"], made)
    return [(2, None, "dealer", "should be")]


@plant
def true_for_the_dealer(made: Record) -> list[Found]:
    made["rounds"][1]["dealer"] = True
    return [(2, None, "dealer", "is true")]


@plant
def wrong_trump(made: Record) -> list[Found]:
    made["rounds"][0]["trump"] = "B"
    return [(1, None, "trump", "is 'B', should be")]


# Actions.


@plant
def last_action_missing(made: Record) -> list[Found]:
    last = len(actions(made))
    del actions(made)[-1]
    return [(1, last, "missing", "the round goes on here")]


@plant
def an_action_missing(made: Record) -> list[Found]:
    seats = [action["seat"] for action in actions(made)]
    index = next(i for i in range(len(seats) - 2, 0, -1) if seats[i] != seats[i + 1])
    del actions(made)[index]
    return [(1, index + 1, "illegal", "not_your_turn")]


@plant
def an_action_too_many(made: Record) -> list[Found]:
    actions(made).append(actions(made)[-1])
    return [(1, len(actions(made)), "illegal", "the round was over")]


@plant
def wrong_seat(made: Record) -> list[Found]:
    last = actions(made)[-1]
    last["seat"] = another(last["seat"], made)
    return [(1, len(actions(made)), "illegal", f"by seat {last['seat']}: not_your_turn")]


@plant
def no_such_seat(made: Record) -> list[Found]:
    actions(made)[3]["seat"] = made["seats"]
    return [(1, 4, "malformed", "there is no seat")]


@plant
def a_seat_called_true(made: Record) -> list[Found]:
    actions(made)[3]["seat"] = True
    return [(1, 4, "malformed", "'seat' is a number")]


@plant
def unknown_action(made: Record) -> list[Found]:
    actions(made)[3]["do"] = "bid 3"
    return [(1, 4, "malformed", "'bid 3': ")]


@plant
def not_canonical(made: Record) -> list[Found]:
    action = actions(made)[3]
    action["do"] = action["do"].upper()
    return [(1, 4, "malformed", repr(action["do"]))]


@plant
def a_card_of_somebody_else(made: Record) -> list[Found]:
    """The last card that one seat played, in place of another seat's last one."""
    plays = [
        (ply, action)
        for ply, action in enumerate(actions(made), 1)
        if action["do"].startswith("play ")
    ]
    ply, action = plays[-1]
    action["do"] = next(a["do"] for _, a in plays if a["seat"] != action["seat"])
    return [(1, ply, "illegal", f"by seat {action['seat']}: ")]


@plant
def action_without_a_seat(made: Record) -> list[Found]:
    del actions(made)[0]["seat"]
    return [(1, 1, "malformed", "'seat' and 'do'")]


# Scores, outcome and the frame.


@plant
def wrong_scores(made: Record) -> list[Found]:
    made["rounds"][0]["scores"][1] += 1
    return [(1, None, "scores", "should be")]


@plant
def scores_as_fractions(made: Record) -> list[Found]:
    scores = made["rounds"][0]["scores"]
    scores[:] = [float(score) for score in scores]
    return [(1, None, "scores", ".0")]


@plant
def wrong_totals(made: Record) -> list[Found]:
    made["outcome"]["scores"][0] += 1
    return [(None, None, "outcome", "should be")]


@plant
def wrong_ranking(made: Record) -> list[Found]:
    ranking = made["outcome"]["ranking"]
    ranking[0] = ranking[0] % made["seats"] + 1
    return [(None, None, "outcome", "'ranking'")]


@plant
def a_round_after_the_end(made: Record) -> list[Found]:
    made["rounds"].append(copy.deepcopy(made["rounds"][-1]))
    return [(len(made["rounds"]), None, "malformed", "the match had ended before this round")]


@plant
def last_round_missing(made: Record) -> list[Found]:
    del made["rounds"][-1]
    return [(len(made["rounds"]) + 1, None, "missing", "the match goes on here")]


@plant
def options_not_written_out(made: Record) -> list[Found]:
    made["options"] = {}
    return [(None, None, "malformed", "options are not written out")]


@plant
def an_option_too_many(made: Record) -> list[Found]:
    made["options"]["speed"] = 1
    return [(None, None, "malformed", "option_unknown")]


@plant
def stopped_without_a_reason(made: Record) -> list[Found]:
    made["outcome"] = None
    return [(None, None, "malformed", "'stopped' says why")]


@plant
def stopped_for_an_empty_reason(made: Record) -> list[Found]:
    made["outcome"], made["stopped"] = None, ""
    return [(None, None, "malformed", "'stopped' says why")]


@plant
def stopped_after_its_end(made: Record) -> list[Found]:
    made["outcome"], made["stopped"] = None, "host"
    return [(None, None, "outcome", "finished, not stopped")]


@plant
def unfinished_with_scores(made: Record) -> list[Found]:
    unfinished = made["rounds"][1]
    del made["rounds"][2:], unfinished["actions"][4:]
    made["outcome"], made["stopped"] = None, "host"
    return [(2, 5, "missing", "the round goes on here")]


@plant
def unfinished_and_not_the_last(made: Record) -> list[Found]:
    unfinished = made["rounds"][0]
    del unfinished["actions"][4:]
    made["outcome"], made["stopped"], unfinished["scores"] = None, "host", None
    return [(1, 5, "missing", "the round goes on here")]


# All of them, in every game.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spoil", named(PLANTS))
def test_a_planted_fault_is_found_where_it_is(name: str, spoil: Plant) -> None:
    made = good(name, proof=True)
    assert verify(made, 1) == []
    expected = spoil(made)
    found = faults_of(made)
    assert agree(found, expected), found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spoil", named(FIRST))
def test_a_planted_fault_is_found_first(name: str, spoil: Plant) -> None:
    made = good(name, proof=True)
    expected = spoil(made)
    found = faults_of(made)
    assert agree(found[: len(expected)], expected), found


# With the legal actions beside them.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("change", "piece"),
    [
        (lambda legal: legal[1:], "is legal and not in the list"),
        (lambda legal: sorted([*legal, "zzz"]), "'zzz' is in the list and not legal"),
        (lambda legal: [*legal, legal[-1]], "every text stands once"),
        (lambda legal: legal[::-1], "order of code points"),
        (lambda legal: [*legal, 7], "no list of texts"),
        (lambda legal: None, "null is no list"),
        (lambda legal: dict.fromkeys(legal), "no list of texts"),
    ],
)
def test_wrong_legal_actions_are_found(name: str, change: Callable[[Any], Any], piece: str) -> None:
    made = good(name, legal=True, proof=True)
    ply, action = next(
        (ply, action) for ply, action in enumerate(actions(made), 1) if len(action["legal"]) > 2
    )
    action["legal"] = change(action["legal"])
    found = faults_of(made)
    assert agree(found, [(1, ply, "legal", piece)]), found


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_does_not_hide_a_wrong_list_beside_it(name: str) -> None:
    made = good(name, legal=True, proof=True)
    last = len(actions(made))
    action = actions(made)[-1]
    action["seat"] = another(action["seat"], made)
    found = faults_of(made)
    assert agree(found, [(1, last, "legal", ""), (1, last, "illegal", "not_your_turn")]), found


# What is not a fault.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kept", [True, False])
def test_a_stopped_match_is_clean_with_or_without_the_last_proof(name: str, kept: bool) -> None:
    made = good(name, proof=True, legal=True)
    unfinished = made["rounds"][1]
    del made["rounds"][2:], unfinished["actions"][4:]
    unfinished["scores"] = None
    if not kept:
        unfinished["proof"] = None
    made["outcome"], made["stopped"] = None, "the host ended it"
    assert verify(made, 1) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_match_stopped_before_its_first_deal_is_clean(name: str) -> None:
    made = good(name)
    made["rounds"], made["outcome"], made["stopped"] = [], None, "nobody came"
    assert verify(made, 1) == []


@pytest.mark.parametrize("name", NAMES)
def test_unknown_keys_are_ignored(name: str) -> None:
    made = good(name, proof=True)
    for path in ((), ("rounds", 0), ("rounds", 0, "deal"), ("rounds", 0, "proof"),
                 ("rounds", 0, "actions", 2), ("outcome",)):  # fmt: skip
        at(made, *path)["note"] = {"x": [1, None]}
    assert verify(made, 1) == []
