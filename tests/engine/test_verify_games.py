"""Faults that only one game can have, planted in good records of it (Kaiserspiel: beside)."""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.records import (
    Change,
    Found,
    actions,
    at,
    check,
    first,
    good,
    put,
    stopped_in,
    swap,
)


@pytest.mark.parametrize(("name", "word"), [("sticheln", "choose"), ("auffalscherfaehrte", "hide")])
def test_secret_choices_stand_in_any_order_of_arrival(name: str, word: str) -> None:
    made = good(name)
    swap(actions(made), 0, 2)
    assert actions(made)[2]["do"].startswith(word)
    check(made)


@pytest.mark.parametrize("name", ["sticheln", "auffalscherfaehrte"])
def test_but_the_next_proof_has_seen_in_which(name: str) -> None:
    made = good(name, proof=True)
    swap(actions(made), 0, 2)
    check(made, (2, None, "proof", "'previous' is not the SHA-256 of the actions of round 1"))


DEAL: Final = ("rounds", 0, "deal")
DONE: Final = ("rounds", 0, "actions")

EDITS: Final[dict[str, tuple[str, Change, Found]]] = {
    "a first pass": (
        "aufundab", put("pass", *DONE, 0, "do"), (1, 1, "illegal", ": must_lead")
    ),
    "a card that is not held": (
        "aufundab", put("play 9-9", *DONE, 0, "do"), (1, 1, "illegal", "not_in_hand (cards 9-9)")
    ),
    "a double though there is none": (
        "aufundab", put("play 0-1x2", *DONE, 0, "do"), (1, 1, "malformed", "not_a_double")
    ),
    "a card aside that is held": (
        "aufundab", put(["0-0"], *DEAL, "aside"), (1, None, "deal", "bad_deal")
    ),
    "a hand that is not in order": (
        "aufundab",
        lambda made: at(made, *DEAL, "hands", 0).reverse(),
        (1, None, "deal", "deal_malformed"),
    ),
    "a card of a larger pack": (
        "sticheln", put("play S14", *DONE, 3, "do"), (1, 4, "illegal", "no_such_card")
    ),
    "a leader who does not move on": (
        "sticheln",
        lambda made: put(made["rounds"][0]["start"], "rounds", 1, "start")(made),
        (2, None, "start", "should be "),
    ),
    "nothing aside with three": (
        "auffalscherfaehrte", put([], *DEAL, "aside"), (1, None, "deal", "")
    ),
    "a trump without a right": (
        "auffalscherfaehrte",
        lambda made: actions(made).insert(3, {"seat": made["rounds"][0]["start"], "do": "trump B"}),
        (1, 4, "illegal", "no_trump_offer"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "spoil", "found"), EDITS.values(), ids=EDITS)
def test_what_only_one_game_has_is_found(name: str, spoil: Change, found: Found) -> None:
    made = good(name)
    spoil(made)
    check(made, found)


DRAWN: Final = [("sticheln", "start"), ("auffalscherfaehrte", "dealer"), ("kaiserspiel", "dealer")]


@pytest.mark.parametrize(("name", "what"), DRAWN)
def test_nobody_but_the_proof_knows_who_was_drawn(name: str, what: str) -> None:
    made = stopped_in(good(name, proof=True), 1, 0)
    head, seats = made["rounds"][0], made["seats"]
    right = head[what]
    wrong = head[what] = (right + 1) % seats
    if what == "dealer":
        head["start"] = (right + 2) % seats
    check(made, (1, None, what, f"is {wrong}, but the proof gives {right}"))
    head["proof"] = None
    check(made)


def test_sticheln_something_aside() -> None:
    made = good("sticheln")
    deal = made["rounds"][0]["deal"]
    deal["aside"] = [deal["hands"][2].pop()]
    first(made, (1, None, "deal", ""))


def test_faehrte_order_of_the_hidden_cards() -> None:
    made = good("auffalscherfaehrte", proof=True)
    made["rounds"][0]["deal"]["reveal"].reverse()
    first(made, (1, None, "deal", "deal.reveal[0] is"))
