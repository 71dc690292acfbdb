"""Kaiserspiel's cards and its deal, from the rules file.

The shuffle and the cut: `test_deal`; the special suit: `test_kaiserspiel_oracle`.
"""

from __future__ import annotations

import pytest

from engine.game import CHANCE, NotationError, RoundHead, RuleError
from tests.engine.kaiserspiel_script import (
    GAME,
    PACK,
    PAUSE_1,
    PAUSE_2,
    PAUSE_3,
    PAUSE_4,
    PLAIN,
    asked,
    deal,
    known,
    pack,
    run,
    slots,
    start,
    worth,
)

# --- Cards, seats, options ------------------------------------------------------------------------


def test_four_play_in_two_teams() -> None:
    assert GAME.info.id == "kaiserspiel"
    assert GAME.info.seats == (4,)
    assert GAME.info.teams == ((0, 2), (1, 3))
    assert GAME.info.seeds_after == "match"
    for seats in (2, 3, 5):
        with pytest.raises(NotationError) as caught:
            GAME.complete_options(seats, {})
        assert caught.value.code == "seats"


def test_forty_cards_without_eights_and_nines() -> None:
    assert GAME.pack(4, GAME.complete_options(4, {})) == PACK
    assert len(PACK) == 40
    assert PACK[:10] == ("AK", "AO", "AU", "AB", "A7", "A6", "A5", "A4", "A3", "A2")


def test_the_target_is_41_unless_said_otherwise() -> None:
    assert GAME.complete_options(4, {})["target"] == 41
    assert GAME.complete_options(4, {"target": 150})["target"] == 150
    (option,) = (spec for spec in GAME.info.options if spec.kind == "int")
    assert (option.key, option.parameter, option.minimum, option.maximum) == (
        "target", "length", 1, 150,
    )  # fmt: skip


# --- The pack as dealt ----------------------------------------------------------------------------


def test_a_banner_at_the_cut_is_cut_again_as_often_as_one_comes() -> None:
    """The acorn's changes places with B2; then come that of roses, the same one, and AK."""
    draws = iter([3, *range(38, 0, -1), 13, 39, 0, 1])
    dealt = GAME.deal(start(), lambda n: next(draws))
    wanted = list(PACK)
    wanted[3], wanted[13], wanted[0], wanted[39] = "B2", "AB", "RB", "AK"
    assert GAME.deal_to_json(dealt) == {"pack": wanted}
    assert GAME.round_head(GAME.apply(start(), CHANCE, dealt)).dealer == 1


@pytest.mark.parametrize("wrong", [pack()[:39], [*pack(), "AK"]], ids=["39 cards", "41 cards"])
def test_a_pack_has_forty_cards(wrong: list[str]) -> None:
    with pytest.raises(RuleError):
        GAME.apply(
            start(), CHANCE, GAME.deal_from_json(start(), {"pack": wrong}, RoundHead(3, 0, None))
        )


@pytest.mark.parametrize("dealer", [None, -1, 4])
def test_the_first_dealer_stands_in_the_rounds_head(dealer: int | None) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.deal_from_json(start(), {"pack": pack()}, RoundHead(dealer, 0, None))
    assert caught.value.code == "no_dealer"


def test_a_later_rounds_head_changes_nothing() -> None:
    state = run(deal(), "0 threeup, 1 resign")
    for head in (RoundHead(None, None, None), RoundHead(3, 0, None)):
        dealt = GAME.deal_from_json(state, {"pack": pack()}, head)
        assert GAME.round_head(GAME.apply(state, CHANCE, dealt)) == (0, 1, None)


# --- Cards come step by step ----------------------------------------------------------------------


def test_cards_come_step_by_step_and_only_to_their_owner() -> None:
    hidden = {0: "A2 A3", 1: "S2 S3", 2: "B2 B3", 3: "A4 A5"}
    state = deal(PLAIN, hidden, cut="S7")
    for viewer in (0, 1, 2, 3, None):
        assert known(state, viewer) == {"S7", "AK", "R2"}
    state = run(state, PAUSE_1)
    for viewer in (0, 1, 2, 3, None):
        assert known(state, viewer) == {"S7", *PLAIN.split()}
    state = run(state, PAUSE_2)
    public = {"S7", *PLAIN.split()}
    assert [known(state, viewer) - public for viewer in (0, 1, 2, 3, None)] == [
        {"A2", "A3"}, {"S2", "S3"}, set(), set(), set(),
    ]  # fmt: skip
    state = run(state, PAUSE_3)
    assert [known(state, viewer) - public for viewer in (0, 1, 2, 3, None)] == [
        {"A2", "A3"}, {"S2", "S3"}, {"B2", "B3"}, {"A4", "A5"}, set(),
    ]  # fmt: skip
    state = run(state, PAUSE_4)
    assert [len(known(state, viewer) - public) for viewer in (0, 1, 2, 3, None)] == [6] * 4 + [0]
    assert len(GAME.cards(state)) == 40


def test_the_slots_of_these_tests_are_the_rules() -> None:
    """d+1, d+2, d+3, d: one open, then three times two together."""
    assert slots(3, 0) == [0, 4, 5, 12, 13, 20, 21]
    assert slots(3, 3) == [3, 10, 11, 18, 19, 26, 27]
    assert slots(0, 1) == [0, 4, 5, 12, 13, 20, 21]


# --- Four open Banners ----------------------------------------------------------------------------

FOUR = "AB RB SB BB"
NO_KAISER = "0 pass, 1 pass"
"""Pause 1: both owners say nothing; then come the captains."""


def test_four_open_banners_void_the_round_after_pause_2() -> None:
    state = run(deal(FOUR), NO_KAISER, PAUSE_1)
    assert asked(state) == (2, {"kaiser SB", "pass"})
    state = run(state, "2 pass, 3 pass, 0 pass")
    assert GAME.round_scores(state) is None
    state = run(state, "1 pass")
    assert GAME.round_scores(state) == (0, 0, 0, 0)
    assert GAME.scores(state) == (0, 0, 0, 0)
    assert GAME.outcome(state) is None
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.round_head(state) == (3, 0, None)
    assert GAME.round_head(deal(before=state)) == (3, 0, None), "the same dealer deals anew"


def test_raises_of_a_void_round_lapse() -> None:
    state = run(deal(FOUR), "0 kaiser AB, 0 raise 3, 1 accept, 1 kaiser RB, 1 raise 1, 0 accept")
    state = run(state, "1 lift, 0 accept, 0 threeup, 1 accept, 1 pass, 2 pass, 3 pass, 1 pass")
    assert GAME.round_scores(state) == (0, 0, 0, 0)
    assert worth(deal(before=state)) == 4
