"""Kaiserspiel's cards, its deal and who is asked at which pause, from the rules file."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, NotationError, OptionValue, RoundHead, RuleError
from tests.engine.kaiserspiel_script import (
    BANNERS,
    GAME,
    PACK,
    PAUSE_1,
    PAUSE_2,
    PAUSE_3,
    PAUSE_4,
    PLAIN,
    act,
    asked,
    deal,
    deal_pack,
    hand,
    known,
    legal,
    pack,
    run,
    settled,
    slots,
    start,
    worth,
)

THREE_UP = {"threeup", "pass"}

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


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"target": 0}, "option_range"),
        ({"target": 151}, "option_range"),
        ({"target": True}, "option_type"),
        ({"target": "41"}, "option_type"),
        ({"limit": 1}, "option_type"),
        ({"rounds": 3}, "option_unknown"),
    ],
)
def test_other_options_are_refused(given: dict[str, OptionValue], code: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.complete_options(4, given)
    assert caught.value.code == code


# --- The pack as dealt ----------------------------------------------------------------------------


class Scripted:
    """Draws what the test says, and remembers what it was asked for."""

    def __init__(self, *answers: int) -> None:
        self.answers: Iterator[int] = iter(answers)
        self.asked: list[int] = []

    def __call__(self, n: int) -> int:
        self.asked.append(n)
        answer = next(self.answers)
        assert 0 <= answer < n
        return answer


UNMOVED = [n - 1 for n in range(40, 1, -1)]
"""Every card is swapped with itself."""


def test_a_deal_is_the_shuffle_and_then_the_first_dealer() -> None:
    before = start()
    draw = Scripted(*UNMOVED, 2)
    dealt = GAME.deal(before, draw)
    assert GAME.deal_to_json(dealt) == {"pack": list(PACK)}
    assert draw.asked == [*range(40, 1, -1), 4]
    state = GAME.apply(before, CHANCE, dealt)
    assert GAME.round_head(state) == RoundHead(dealer=2, start=3, trump=None)


def test_a_banner_at_the_cut_is_cut_again_before_the_dealer_is_drawn() -> None:
    """A banner that comes in its place, and the same one once more, are cut again too."""
    before = start()
    last_but_ab = [3, *UNMOVED[1:]]  # B2 and AB change places
    draw = Scripted(*last_but_ab, 13, 39, 0, 1)
    dealt = GAME.deal(before, draw)
    assert draw.asked == [*range(40, 1, -1), 40, 40, 40, 4]
    wanted = list(PACK)
    wanted[3], wanted[39] = "B2", "AB"
    wanted[13], wanted[39] = "AB", "RB"
    wanted[0], wanted[39] = "RB", "AK"
    assert GAME.deal_to_json(dealt) == {"pack": wanted}
    assert GAME.round_head(GAME.apply(before, CHANCE, dealt)).dealer == 1


def test_later_dealers_are_not_drawn() -> None:
    state = run(deal(), "0 threeup, 1 resign")
    draw = Scripted(*UNMOVED)
    state = GAME.apply(state, CHANCE, GAME.deal(state, draw))
    assert draw.asked == [*range(40, 1, -1)]
    assert GAME.round_head(state) == RoundHead(0, 1, None)


def test_the_cut_card_is_never_a_banner() -> None:
    for seed in range(60):
        data = GAME.deal_to_json(GAME.deal(start(), Random(seed).randrange))
        assert isinstance(data, dict)
        assert data["pack"][39] not in BANNERS
        assert sorted(data["pack"]) == sorted(PACK)


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


def replaced(at: int, code: str) -> list[str]:
    codes = pack()
    codes[at] = code
    return codes


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"pack": None},
        {"pack": "AK"},
        {"hands": [pack()]},
        {"pack": pack()[:39]},
        {"pack": [*pack(), "AK"]},
        {"pack": replaced(5, "AK")},
        {"pack": replaced(5, "A8")},
        {"pack": replaced(5, "ak")},
        {"pack": [*pack()[:39], None]},
    ],
)
def test_what_is_no_pack_is_no_deal(data: Any) -> None:
    before = start()
    with pytest.raises(RuleError):
        GAME.apply(before, CHANCE, GAME.deal_from_json(before, data, RoundHead(3, 0, None)))


def test_a_deal_with_a_banner_at_the_cut_is_refused() -> None:
    codes = pack()
    at = codes.index("AB")
    codes[at], codes[39] = codes[39], codes[at]
    with pytest.raises(RuleError):
        deal_pack(codes)


def test_a_deal_is_due_before_anything_else() -> None:
    assert GAME.actors(start()) == (CHANCE,)
    assert GAME.round_head(start()) == (None, None, None)
    assert GAME.round_scores(start()) is None
    assert GAME.cards(start()) == ()
    with pytest.raises(RuleError):
        act(start(), 0, "pass")


def test_a_deal_is_not_due_twice() -> None:
    before = start()
    dealt = GAME.deal_from_json(before, {"pack": pack()}, RoundHead(3, 0, None))
    state = GAME.apply(before, CHANCE, dealt)
    with pytest.raises(RuleError):
        GAME.apply(state, CHANCE, dealt)
    for each in (before, state):
        assert not GAME.is_legal(each, 0, dealt)
        with pytest.raises(RuleError):
            GAME.apply(each, 0, dealt)


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


@pytest.mark.parametrize("dealer", range(4))
def test_seven_cards_each_in_dealing_order(dealer: int) -> None:
    codes = pack("AK R2 SK BK", dealer=dealer)
    state = deal_pack(codes, dealer)
    assert GAME.round_head(state) == (dealer, (dealer + 1) % 4, None)
    while len(GAME.actors(state)) == 1:
        state = run(state, f"{GAME.actors(state)[0]} pass")
    assert GAME.actors(state) == (0, 1, 2, 3)
    for seat in range(4):
        assert hand(state, seat) == {codes[place] for place in slots(dealer, seat)}


def test_the_slots_of_these_tests_are_the_rules() -> None:
    """d+1, d+2, d+3, d: one open, then three times two together."""
    assert slots(3, 0) == [0, 4, 5, 12, 13, 20, 21]
    assert slots(3, 3) == [3, 10, 11, 18, 19, 26, 27]
    assert slots(0, 1) == [0, 4, 5, 12, 13, 20, 21]


# --- The special suit -----------------------------------------------------------------------------


def special_suits(opened: str, dealer: int = 3, kaisers: tuple[str, ...] = ()) -> set[str]:
    """Suits whose Seven, led, beats a court card of its suit: that of the special suit only."""
    eldest, second = (dealer + 1) % 4, (dealer + 2) % 4
    courts = [suit + ("O" if suit + "K" in opened else "K") for suit in "ARSB"]
    kept = {eldest: "A7 R7 S7 B7", second: " ".join(courts)}
    hidden = {
        seat: " ".join(card for card in cards.split() if card not in opened)
        for seat, cards in kept.items()
    }
    state = settled(deal(opened, hidden, dealer=dealer), kaisers, kept)
    found = set()
    for suit, court in zip("ARSB", courts, strict=True):
        after = run(state, f"{eldest} play {suit}7, {second} play {court}")
        for _ in range(2):
            (seat,) = GAME.actors(after)
            down = min(text for text in legal(after, seat) if text.endswith("down"))
            after = run(after, f"{seat} {down}")
        if GAME.actors(after) == (eldest,):
            found.add(suit)
    return found


@pytest.mark.parametrize(
    ("opened", "special"),
    [
        ("A3 R4 S5 B6", "A"),
        ("A6 R2 S5 B6", "R"),
        ("A6 R5 S4 B5", "S"),
        ("A6 R5 S4 B3", "B"),
        ("AK RO SU RK", "S"),
        ("AK RK SK BO", "B"),
        ("A5 A4 A3 A6", "A"),
        # Equal lowest: the one dealt first.
        ("A3 R3 S3 B3", "A"),
        ("BK A2 R2 S2", "A"),
        ("AK R2 S2 B5", "R"),
        ("A5 RK S2 B2", "S"),
        ("B2 R4 SK A2", "B"),
        # Banners apart.
        ("AB R6 SK BK", "R"),
        ("AO RB SO BK", "A"),
        ("AB RB SB BK", "B"),
        ("RK AB SB BB", "R"),
    ],
)
@pytest.mark.parametrize("dealer", [3, 0])
def test_the_suit_of_the_lowest_open_card_is_special(
    opened: str, special: str, dealer: int
) -> None:
    assert special_suits(opened, dealer) == {special}


def test_a_declared_banner_makes_no_special_suit_either() -> None:
    assert special_suits("AO RB SO BK", kaisers=("RB",)) == {"A"}


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


def test_after_a_void_round_the_same_dealer_deals_anew() -> None:
    state = run(deal(FOUR, dealer=1), "2 pass, 3 pass, 0 pass, 1 pass")
    state = run(state, "0 pass, 1 pass, 0 pass, 1 pass")
    draw = Scripted(*UNMOVED)
    again = GAME.apply(state, CHANCE, GAME.deal(state, draw))
    assert draw.asked == [*range(40, 1, -1)]  # the dealer is not drawn
    assert GAME.round_head(again) == (1, 2, None)
    again = deal(before=state)
    assert GAME.round_head(again) == (1, 2, None)
    assert GAME.round_scores(again) is None


def test_raises_of_a_void_round_lapse() -> None:
    state = run(deal(FOUR), "0 kaiser AB, 0 raise 3, 1 accept, 1 kaiser RB, 1 raise 1, 0 accept")
    state = run(state, "1 lift, 0 accept, 0 threeup, 1 accept, 1 pass, 2 pass, 3 pass, 1 pass")
    assert GAME.round_scores(state) == (0, 0, 0, 0)
    assert worth(deal(before=state)) == 4


def test_the_ban_on_calling_twice_ends_with_a_void_round() -> None:
    state = run(deal(FOUR), NO_KAISER, "0 threeup, 1 accept, 1 pass, 2 pass, 3 pass, 1 pass")
    assert GAME.round_scores(state) == (0, 0, 0, 0)
    state = deal(before=state)
    assert asked(state) == (0, THREE_UP)
    assert worth(run(state, "0 threeup, 1 accept")) == 7


def test_who_resigns_before_a_round_is_void_has_lost_it() -> None:
    state = run(deal(FOUR), "0 kaiser AB, 0 raise 3, 1 accept, 1 pass, 0 threeup, 1 resign")
    assert GAME.round_scores(state) == (7, 0, 7, 0)
    assert GAME.round_head(deal(before=state)).dealer == 0


def test_two_void_rounds_in_a_row() -> None:
    state = None
    for _ in range(2):
        state = run(deal(FOUR, before=state), NO_KAISER, PAUSE_1, "2 pass, 3 pass", PAUSE_2)
        assert GAME.round_scores(state) == (0, 0, 0, 0)
    assert GAME.round_head(deal(before=state)).dealer == 3
