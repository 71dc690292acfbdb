"""Kaiserspiel's tricks, ranks, rounds and matches, from the rules file."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any, Final

import pytest

from engine.game import CHANCE, Outcome, RuleError
from tests.engine.kaiserspiel_script import (
    BANNERS,
    GAME,
    PLAIN_RANKS,
    SUITS,
    asked,
    deal,
    finished,
    hand,
    legal,
    ready,
    refusal,
    run,
    start,
    trick,
    trick_played,
    worth,
)

# --- Leading and following ------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_eldest_leads_face_up_and_all_others_may_play_anything_either_way(dealer: int) -> None:
    state = ready("R", {}, dealer=dealer)
    for turn in range(4):
        seat, texts = asked(state)
        assert seat == (dealer + 1 + turn) % 4
        up = {f"play {card}" for card in hand(state, seat)}
        assert len(up) == 5
        assert texts == (up if not turn else up | {f"{text} down" for text in up})
        state = run(state, f"{seat} {min(texts)}")


def test_a_lead_lies_face_up() -> None:
    state = ready("R", {0: "AO A2", 1: "AK", 2: "S2", 3: "S3"})
    refusal(state, "0 play AO down")
    state = trick_played(state, "AO (AK) (S2) (S3)")
    assert asked(state)[0] == 0
    refusal(state, "0 play A2 down")


def test_a_card_that_is_not_held_is_refused() -> None:
    state = ready("R", {0: "AO", 1: "AK"})
    refusal(state, "0 play AK")
    state = run(state, "0 play AO")
    refusal(state, "1 play AO")
    refusal(state, "2 play AK")


def test_the_winner_leads_the_next_trick() -> None:
    state = ready("R", {0: "AO S3", 1: "AU S4", 2: "AK S5", 3: "A2 S6"})
    state = trick_played(state, "AO AU AK A2")
    assert asked(state)[0] == 2
    state = trick_played(state, "S5 S6 S3 S4")
    assert asked(state)[0] == 3


# --- Who wins: the vectors and the three rules ----------------------------------------------------


@pytest.mark.parametrize("dealer", [3, 1])
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("AO R3 AK R6", "R6"),
        ("AO R3 AK A2", "AK"),
        ("AO R3 SK A2", "R3"),
        ("R7 R5 BB! A2", "R7"),
        ("R7 RU A2 A3", "RU"),
        ("R7 RU R5 A3", "R5"),
        ("RO RK AK A2", "RK"),
        ("RO AK A2 A3", "RO"),
    ],
)
def test_the_vectors_of_the_rules(cards: str, winner: str, dealer: int) -> None:
    assert trick("R", cards, dealer) == winner


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        # †7 led: only †U takes it, and then the highest of Mugg, †5 and †U has it.
        ("R7 BB! R5 AB!", "R7"),
        ("R7 R6 R2 R3", "R7"),
        ("R7 RK AK RO", "R7"),
        ("R7 RU BB! R5", "BB"),
        ("R7 BB! RU A2", "BB"),
        ("R7 R5 A2 RU", "R5"),
        ("R7 RU AB! SB!", "RU"),
        ("R7 AB! R6 RU", "RU"),
        ("R7 (RU) R5 BB!", "R7"),
        ("R7 (RU) A2 A3", "R7"),
        ("R7 RU (R5) A3", "RU"),
        ("R7 RU (BB!) R5", "R5"),
        ("R7 RU BB R4", "RU"),  # not declared
        # A trump led: the highest trump, whatever Kings there are.
        ("R4 RK AK A3", "R4"),
        ("R3 RK RO R4", "R3"),
        ("R4 R3 RK A2", "R3"),
        ("R2 (R5) RK AK", "R2"),
        ("AB! AK RK R6", "AB"),
        ("R6 AK AB! R2", "AB"),
        ("R6 AK AB R2", "R6"),
        ("BB! R5 RU AB!", "BB"),
        ("R5 R7 RU AB!", "R5"),
        # Anything else led: the suit's best, unless the highest trump beats that.
        ("A2 SK BK RK", "A2"),
        ("A2 A3 A7 A6", "A7"),
        ("AB AU SK BO", "AU"),  # a Banner not declared has its place in its suit
        ("A7 AB S2 BK", "AB"),
        ("BB SK AK R7", "BB"),
        ("BU BB SK AK", "BU"),
        ("AO R4 A2 A3", "AO"),
        ("AO R4 R3 A3", "R3"),
        ("AK R4 R3 A3", "AK"),
        ("AU R4 A2 A3", "R4"),
        ("AK R3 R4 R2", "R2"),
        ("A2 R3 (AK) A3", "R3"),
        ("AO R3 (AK) (R6)", "R3"),
        ("A2 (AK) (R5) (BB!)", "A2"),
        ("AB! (BB!) (R5) (RU)", "AB"),
        # The King, Ober and Seven of the special suit are no trumps.
        ("A2 RK RO R7", "A2"),
        ("RO R7 RB A2", "RO"),
        ("RB R7 AK A2", "RB"),
        ("RK R7 RO AK", "RK"),
        ("RB RO RK A2", "RK"),
        ("RK R3 R4 A2", "RK"),
        ("RO R3 R4 A2", "R3"),
        ("RO RK R3 A2", "RK"),
        ("RO R4 AK A2", "RO"),
        ("RB R4 AK A2", "R4"),
        ("RK R6 A2 A3", "R6"),
        ("RK R2 A2 A3", "R2"),
        ("A2 (R7) (A3) (A4)", "A2"),
        # Kaisers that are not the Mugg are equal.
        ("A2 AB! SB! RB!", "AB"),
        ("A2 RB! AB! SB!", "RB"),
        ("A2 SB! RB! BB!", "BB"),
        ("SB! AB! R6 A2", "SB"),
        ("A2 (AB!) SB! RB!", "SB"),
    ],
)
def test_who_wins_with_roses_special(cards: str, winner: str) -> None:
    assert trick("R", cards) == winner


@pytest.mark.parametrize("kaisers", list(permutations(("AB", "RB", "SB"), 2)))
@pytest.mark.parametrize("special", SUITS)
def test_of_equal_kaisers_the_first_played_wins(special: str, kaisers: tuple[str, str]) -> None:
    first, second = kaisers
    suit = next(s for s in SUITS if s != special)
    assert trick(special, f"{suit}K {first}! {second}! {suit}2") == first
    assert trick(special, f"{suit}K {suit}2 {first}! {second}!") == first


# --- Every row of the table, whatever suit is special ---------------------------------------------

TRUMPS: Final = ("Mugg", "5", "U", "Kaiser", "6", "2", "3", "4")
"""The rows 1 to 8, from the highest down."""

BEATS: Final = {"3": "OBU765432", "4": "BU765432"}
"""Ranks of the suit led that a partial trump beats; the others beat all."""


def trump(row: str, special: str) -> str:
    """A card of a row of the table, marked as a Kaiser if it must be declared."""
    if row == "Mugg":
        return "BB!"
    if row == "Kaiser":
        return next(banner for banner in ("SB", "AB") if banner[0] != special) + "!"
    return special + row


def plain_suit(special: str) -> str:
    """A suit of which no Banner is needed as a Kaiser."""
    return next(suit for suit in "RA" if suit != special)


@pytest.mark.parametrize("special", SUITS)
def test_a_higher_trump_beats_every_lower_one(special: str) -> None:
    led = plain_suit(special)
    for high, low in combinations(TRUMPS, 2):
        cards = trump(high, special), trump(low, special)
        for first, second in (cards, cards[::-1]):
            winner = cards[0].strip("!")
            assert trick(special, f"{led}2 {first} {second} {led}K") == (
                f"{led}K" if high == "3" else winner
            )
            assert trick(special, f"{first} {led}K {led}O {second}") == winner


@pytest.mark.parametrize("special", SUITS)
@pytest.mark.parametrize("row", TRUMPS)
def test_what_a_trump_beats_in_another_suit(special: str, row: str) -> None:
    led, card = plain_suit(special), trump(row, special)
    other = next(suit for suit in SUITS if suit not in (led, special))
    code = card.strip("!")
    for rank in "KOUB765432":
        wins = rank in BEATS.get(row, "KOUB765432")
        expected = code if wins else led + rank
        assert trick(special, f"{led}{rank} {other}K {card} {other}2") == expected, rank
        if rank != "2":
            assert trick(special, f"{led}2 {card} {led}{rank} {other}K") == expected, rank


@pytest.mark.parametrize("special", SUITS)
@pytest.mark.parametrize("row", TRUMPS)
def test_what_a_trump_beats_in_its_own_suit(special: str, row: str) -> None:
    """King, Ober, an undeclared Banner and a Seven that was not led."""
    other, card = plain_suit(special), trump(row, special)
    code = card.strip("!")
    for rank in "KOB":
        if special + rank == code:
            continue
        wins = rank in BEATS.get(row, "KOB")
        expected = code if wins else special + rank
        cards = f"{special}{rank} {special}7 {card} {other}K"
        assert trick(special, cards) == expected, rank
        assert trick(special, f"{card} {special}{rank} {special}7 {other}K") == code, rank


@pytest.mark.parametrize("special", SUITS)
@pytest.mark.parametrize("row", TRUMPS)
def test_the_seven_of_the_special_suit_wins_when_led_unless_the_unter_comes(
    special: str, row: str
) -> None:
    other, card = plain_suit(special), trump(row, special)
    code = card.strip("!")
    seven, unter = f"{special}7", f"{special}U"
    assert trick(special, f"{seven} {card} {other}K {special}K") == (unter if row == "U" else seven)
    if row != "U":
        best = code if row in ("Mugg", "5") else unter
        assert trick(special, f"{seven} {card} {unter} {other}K") == best
        assert trick(special, f"{seven} {unter} {other}K {card}") == best
    assert trick(special, f"{other}2 {seven} {card} {other}3") == code


@pytest.mark.parametrize("special", SUITS)
def test_king_ober_and_seven_of_the_special_suit_take_nothing_of_another(special: str) -> None:
    other = plain_suit(special)
    assert trick(special, f"{other}2 {special}K {special}O {special}7") == f"{other}2"
    assert trick(special, f"{special}O {other}K {special}K {other}O") == f"{special}K"
    assert trick(special, f"{special}K {other}K {special}O {other}O") == f"{special}K"
    assert trick(special, f"{special}O {other}K {special}7 {other}O") == f"{special}O"


@pytest.mark.parametrize("banner", BANNERS)
def test_a_banner_not_declared_is_an_ordinary_card_of_its_suit(banner: str) -> None:
    suit = banner[0]
    special = next(s for s in "RA" if s != suit)
    other = next(s for s in SUITS if s not in (suit, special))
    for rank in PLAIN_RANKS:
        better = rank in "KOU"
        wanted = suit + rank if better else banner
        assert trick(special, f"{banner} {suit}{rank} {other}K {other}O") == wanted
        assert trick(special, f"{suit}{rank} {other}K {banner} {other}O") == wanted
    assert trick(special, f"{other}2 {banner} {special}K {special}O") == f"{other}2"
    # Of the special suit, too.
    assert trick(suit, f"{other}2 {banner} {other}3 {other}4") == f"{other}4"
    assert trick(suit, f"{banner} {suit}O {other}3 {other}4") == f"{suit}O"


def test_with_bells_special_the_declared_banner_of_bells_is_the_mugg() -> None:
    assert trick("B", "AK B5 BB! BU") == "BB"
    assert trick("B", "B5 BU BB! SB!") == "BB"
    assert trick("B", "B7 BU B5 BB!") == "BB"
    assert trick("B", "B7 B5 B6 BB!") == "B7"
    assert trick("B", "AK B5 BB BU") == "B5"
    assert trick("B", "A2 BB A3 S4") == "A3"


def test_plain_order_of_a_suit() -> None:
    for high, low in combinations("KOUB765432", 2):
        assert trick("R", f"A{low} SK A{high} BK") == f"A{high}"
        assert trick("R", f"A{high} SK A{low} BK") == f"A{high}"


# --- Rounds ---------------------------------------------------------------------------------------

SWEEP: Final = {
    0: "AK AO AU A7 A6",
    1: "S2 S3 S4 S5 S6",
    2: "B2 B3 B4 B5 B6",
    3: "A2 A3 A4 A5 S7",
}


def test_the_first_team_with_three_tricks_wins_and_the_round_stops() -> None:
    state = ready("R", SWEEP)
    for lead in ("AK S2 B2 A2", "AO S3 B3 A3"):
        state = trick_played(state, lead)
        assert GAME.round_scores(state) is None
    state = trick_played(state, "AU S4 B4 A4")
    assert GAME.round_scores(state) == (4, 0, 4, 0)
    assert GAME.scores(state) == (4, 0, 4, 0)
    assert GAME.actors(state) == (CHANCE,)


def test_partners_tricks_count_together() -> None:
    kept = {0: "AK A2 S7 S2 A7", 1: "A3 A4 SU SB SO", 2: "AU AO S4 BK B2", 3: "A5 A6 S3 S5 S6"}
    state = ready("R", kept)
    state = trick_played(state, "AK A3 AU A5")  # 0
    state = trick_played(state, "A2 A4 AO A6")  # 2
    state = trick_played(state, "BK (S3) (S7) (SU)")  # 2
    assert GAME.round_scores(state) == (4, 0, 4, 0)


def test_a_round_may_take_five_tricks() -> None:
    kept = {0: "AK SK A2 S2 BU", 1: "A3 S3 AO SO B3", 2: "A4 S4 A5 S5 B4", 3: "A6 S6 A7 S7 BO"}
    state = ready("R", kept)
    state = trick_played(state, "AK A3 A4 A6")  # 0
    state = trick_played(state, "SK S3 S4 S6")  # 0
    state = trick_played(state, "A2 AO A5 A7")  # 1
    state = trick_played(state, "SO S5 S7 S2")  # 1
    assert GAME.round_scores(state) is None
    assert hand(state, 1) == {"B3"}
    won = trick_played(state, "B3 B4 BO BU")
    assert GAME.round_scores(won) == (0, 4, 0, 4)
    lost = trick_played(state, "B3 B4 (BO) BU")
    assert GAME.round_scores(lost) == (4, 0, 4, 0)


def test_the_winners_score_the_raised_value() -> None:
    state = ready("R", {**SWEEP, 3: "AB A3 A4 A5 S7"}, kaisers=("AB",))
    assert worth(state) == 5


@pytest.mark.parametrize("dealer", range(4))
def test_this_rounds_eldest_deals_next(dealer: int) -> None:
    state = finished(deal(dealer=dealer))
    assert GAME.round_head(state) == (dealer, (dealer + 1) % 4, None)
    state = deal(before=state)
    assert GAME.round_head(state) == ((dealer + 1) % 4, (dealer + 2) % 4, None)
    captain = (dealer + 2) % 2
    state = run(state, f"{captain} threeup, {1 - captain} resign")
    assert GAME.round_head(deal(before=state)).dealer == (dealer + 2) % 4


def test_nobody_is_left_to_act_in_a_finished_round() -> None:
    state = finished(deal())
    for seat in range(4):
        assert legal(state, seat) == set()
    for seat, text in ((0, "pass"), (0, "play AK"), (1, "accept")):
        with pytest.raises(RuleError):
            GAME.apply(state, seat, GAME.parse_action(text))


# --- The match ------------------------------------------------------------------------------------


def match(target: int) -> Any:
    return deal(before=start(target), dealer=3)


def test_the_match_ends_when_a_team_reaches_the_target() -> None:
    state = run(match(8), "0 threeup, 1 resign")
    assert GAME.scores(state) == (4, 0, 4, 0)
    assert GAME.outcome(state) is None
    state = run(deal(before=state), "1 threeup, 0 accept, 0 threeup, 1 resign")
    assert GAME.outcome(state) == Outcome((11, 0, 11, 0), (1, 3, 1, 3))
    assert GAME.actors(state) == ()
    with pytest.raises(RuleError):
        deal(before=state)


def test_a_target_reached_exactly_is_reached() -> None:
    assert GAME.outcome(run(match(4), "0 threeup, 1 resign")) == Outcome((4, 0, 4, 0), (1, 3, 1, 3))
    assert GAME.outcome(run(match(5), "0 threeup, 1 resign")) is None


def test_the_other_team_may_win_and_points_of_both_stand() -> None:
    state = run(match(8), "0 threeup, 1 resign")
    for _ in range(2):
        assert GAME.outcome(state) is None
        state = deal(before=state)
        seat = GAME.actors(state)[0]
        state = run(state, *([] if seat == 1 else [f"{seat} pass"]), "1 threeup, 0 resign")
    assert GAME.outcome(state) == Outcome((4, 8, 4, 8), (3, 1, 3, 1))
