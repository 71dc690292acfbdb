"""Faults planted in good records of every game: found where they are, and named."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pytest

from engine.registry import games
from engine.verify import verify
from tests.engine.records import (
    Change,
    Found,
    Record,
    actions,
    at,
    check,
    drop,
    first,
    good,
    put,
    swap,
)

Plant: TypeAlias = Callable[[Record], list[Found]]
"""Spoils a record and says which faults that makes, in their order."""

NAMES: Final = list(games())

ONE: Final = ("rounds", 0)
TWO: Final = ("rounds", 1)
HASH: Final = "0" * 64
NO_DEAL: Final = (2, None, "deal", "but the proof gives")


def spoilt(change: Change, *found: Found) -> Plant:
    """A change that makes the same faults in every record."""

    def plant(made: Record) -> list[Found]:
        change(made)
        return list(found)

    return plant


PLANTS: Final[dict[str, Plant]] = {
    "wrong commitment": spoilt(
        put(HASH, *ONE, "proof", "commitment"),
        (1, None, "proof", "'commitment' is not the SHA-256 of 'server_seed'"),
    ),
    "seed in capitals": spoilt(
        put("A" * 64, *ONE, "proof", "server_seed"), (1, None, "proof", "'server_seed' is")
    ),
    "seed left out": spoilt(
        drop(*ONE, "proof", "server_seed"), (1, None, "proof", "'server_seed' is missing")
    ),
    "wrong word": spoilt(
        put("kuckuck", *ONE, "proof", "words", 1), (1, None, "deal", "but the proof gives")
    ),
    "word of other letters": spoilt(
        put("ü", *ONE, "proof", "words", 1), (1, None, "proof", "'words'")
    ),
    "wrong post": spoilt(put("1307", *TWO, "proof", "post"), NO_DEAL),
    "post is a number": spoilt(
        put(1307, *TWO, "proof", "post"), (2, None, "proof", "'post' is 1307")
    ),
    "post is a link": spoilt(
        put("https://example.org/1307", *TWO, "proof", "post"),
        (2, None, "proof", "'post' is 'https://example.org/1307'"),
    ),
    "wrong previous": spoilt(
        put(HASH, *TWO, "proof", "previous"),
        (2, None, "proof", "'previous' is not the SHA-256 of the actions of round 1"),
        NO_DEAL,
    ),
    "previous left empty": spoilt(
        put("", *TWO, "proof", "previous"), (2, None, "proof", "'previous'"), NO_DEAL
    ),
    "previous in round 1": spoilt(
        put(HASH, *ONE, "proof", "previous"),
        (1, None, "proof", "not empty in round 1"),
        (1, None, "deal", ""),
    ),
    "another table": spoilt(
        put("T7Q2", *TWO, "proof", "table"), (2, None, "proof", "'table' is 'T7Q2'"), NO_DEAL
    ),
    "no table id": spoilt(
        put("a|b", *ONE, "proof", "table"), (1, None, "proof", "'table' is 'a|b'")
    ),
    "wrong number of the round": spoilt(
        put(1, *TWO, "proof", "round"), (2, None, "proof", "'round' is 1, should be 2")
    ),
    "true for round 1": spoilt(
        put(True, *ONE, "proof", "round"), (1, None, "proof", "'round' is true")
    ),
    "proof is no object": spoilt(
        put("see above", *ONE, "proof"), (1, None, "proof", "neither null nor an object")
    ),
    "deal is no object": spoilt(
        put([], *ONE, "deal"), (1, None, "deal", "is [], "), (1, None, "deal", "deal_malformed")
    ),
    "no start": spoilt(put(None, *ONE, "start"), (1, None, "start", "")),
    "true for the dealer": spoilt(put(True, *TWO, "dealer"), (2, None, "dealer", "is true")),
    "wrong trump": spoilt(put("B", *ONE, "trump"), (1, None, "trump", "is 'B', should be")),
}


def plant(function: Plant) -> Plant:
    PLANTS[function.__name__] = function
    return function


def proof(made: Record) -> Any:
    return made["rounds"][0]["proof"]


def another(seat: int, made: Record) -> int:
    return int((seat + 1) % made["seats"])


def other_seed(made: Record) -> str:
    seed = proof(made)["server_seed"]
    return ("0" if seed[0] != "0" else "1") + str(seed[1:])


# The deal and its proof.


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
def word_missing(made: Record) -> list[Found]:
    del proof(made)["words"][0]
    return [(1, None, "proof", f"should be {made['seats']} of")]


@plant
def deal_of_another_match(made: Record) -> list[Found]:
    """A good deal with its own play, but not the one that was committed to."""
    other = good(made["game"], seed=7)
    made["rounds"] = [{**other["rounds"][0], "proof": proof(made)}]
    made["outcome"], made["stopped"] = None, "after a round"
    return [(1, None, "deal", "but the proof gives")]


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


# The head of a round.


@plant
def wrong_start_of_round_2(made: Record) -> list[Found]:
    head = made["rounds"][1]
    head["start"] = another(head["start"], made)
    return [(2, None, "start", "should be")]


@plant
def wrong_dealer_of_round_2(made: Record) -> list[Found]:
    head = made["rounds"][1]
    head["dealer"] = 0 if head["dealer"] is None else another(head["dealer"], made)
    return [(2, None, "dealer", "should be")]


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
@pytest.mark.parametrize("spoil", PLANTS.values(), ids=PLANTS)
def test_a_planted_fault_is_found_where_it_is(name: str, spoil: Plant) -> None:
    made = good(name, proof=True)
    assert verify(made, 1) == []
    check(made, *spoil(made))


@pytest.mark.parametrize("name", NAMES)
def test_cards_exchanged_are_found_before_what_follows_from_them(name: str) -> None:
    made = good(name, proof=True)
    deal = made["rounds"][0]["deal"]
    if "pack" in deal:
        swap(deal["pack"], 5, 20)
    else:
        one, two = deal["hands"][:2]
        one[0], two[0] = two[0], one[0]
        order = games()[name].pack(made["seats"], made["options"])
        one.sort(key=order.index)
        two.sort(key=order.index)
    first(made, (1, None, "deal", "deal.pack[5]" if "pack" in deal else "deal.hands[0]["))


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
    check(made, (1, ply, "legal", piece))


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_does_not_hide_a_wrong_list_beside_it(name: str) -> None:
    made = good(name, legal=True, proof=True)
    last = len(actions(made))
    action = actions(made)[-1]
    action["seat"] = another(action["seat"], made)
    check(made, (1, last, "legal", ""), (1, last, "illegal", "not_your_turn"))


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
