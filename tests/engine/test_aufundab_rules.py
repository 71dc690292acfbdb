"""Auf und Ab, paragraph by paragraph of its rules, through the public interface only.

Written from the rules, not from the module: hands are chosen by a deal's JSON, plays are texts.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

import pytest

from engine.game import (
    CHANCE,
    AnyGame,
    NotationError,
    Options,
    OptionValue,
    Outcome,
    RoundHead,
    RuleError,
)
from engine.registry import games

GAME: Final[AnyGame] = games()["aufundab"]
PACK: Final = tuple(f"{low}-{high}" for low in range(10) for high in range(low, 10))
NO_HEAD: Final = RoundHead(None, None, None)
SIZES: Final = {3: (18, 1), 4: (13, 3)}

ONES: Final = "1-1 1-2 1-3 1-4 1-5 1-6 1-7 1-9"
TWOS: Final = "2-2 2-3 2-4 2-5 2-6 2-8 2-9"


def deal_json(hands: Mapping[int, str], seats: int, aside: str = "") -> dict[str, Any]:
    """A whole deal in which these cards lie where they should; the rest as it comes."""
    size, left = SIZES[seats]
    wanted = [hands.get(seat, "").split() for seat in range(seats)]
    out = aside.split()
    taken = {card for cards in (*wanted, out) for card in cards}
    assert len(taken) == sum(map(len, wanted)) + len(out), "a card is wanted twice"
    rest = [card for card in reversed(PACK) if card not in taken]
    for cards in wanted:
        while len(cards) < size:
            cards.append(rest.pop(0))
        assert len(cards) == size, f"too many cards wanted: {cards}"
    out += rest
    assert len(out) == left, out
    order = PACK.index
    return {
        "hands": [sorted(cards, key=order) for cards in wanted],
        "aside": sorted(out, key=order),
    }


def deal(
    hands: Mapping[int, str],
    seats: int = 3,
    aside: str = "",
    before: Any = None,
    **options: OptionValue,
) -> Any:
    """The state after such a deal, of a match of one round unless `options` say else."""
    given: Options = options or {"hands": 1}
    if before is None:
        before = GAME.initial(seats, GAME.complete_options(seats, given))
    return GAME.apply(
        before, CHANCE, GAME.deal_from_json(before, deal_json(hands, seats, aside), NO_HEAD)
    )


def run(state: Any, *script: str) -> Any:
    """Play lines such as `0 play 0-0` or `1 pass`; the seat is the one to act, or it is a fault."""
    for line in script:
        seat, text = line.split(" ", 1)
        assert GAME.actors(state) == (int(seat),), f"{line!r}, but {GAME.actors(state)} acts"
        state = GAME.apply(state, int(seat), GAME.parse_action(text))
    return state


def texts(state: Any) -> set[str]:
    """All that the seat to act may do."""
    (seat,) = GAME.actors(state)
    return {GAME.format_action(action) for action in GAME.legal_actions(state, seat)}


def refusal(state: Any, line: str) -> str:
    """The code with which a play is refused (by `is_legal` too)."""
    seat, text = line.split(" ", 1)
    action = GAME.parse_action(text)
    assert not GAME.is_legal(state, int(seat), action), f"{line!r} is legal"
    with pytest.raises(RuleError) as caught:
        GAME.apply(state, int(seat), action)
    return caught.value.code


def whole(cards: str) -> str:
    return "play " + cards


# --- Cards and deal ------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4])
def test_55_cards_are_dealt_evenly_and_the_rest_lies_aside(seats: int) -> None:
    start = GAME.initial(seats, GAME.complete_options(seats, {}))
    assert GAME.actors(start) == (CHANCE,)
    data = GAME.deal_to_json(GAME.deal(start, random.Random(3).randrange))
    assert isinstance(data, dict)
    hands, aside = data["hands"], data["aside"]
    assert ([len(hand) for hand in hands], len(aside)) == (
        [SIZES[seats][0]] * seats,
        SIZES[seats][1],
    )
    assert sorted([*aside, *(card for hand in hands for card in hand)]) == sorted(PACK)
    assert all(cards == sorted(cards) for cards in (*hands, aside))


def test_the_game_is_for_three_or_four() -> None:
    assert GAME.info.seats == (3, 4)
    assert GAME.info.teams == ()


def one_round(seats: int) -> list[Any]:
    """Every state of a round that seat 0 plays out alone, counting no change cards."""
    hand = {3: f"0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 {ONES} 2-2", 4: f"0-0 0-1 0-2 0-3 {ONES} 2-2"}
    sets = {
        3: ["0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8", ONES, "2-2"],
        4: ["0-0 0-1 0-2 0-3", ONES, "2-2"],
    }
    start = GAME.initial(seats, GAME.complete_options(seats, {"hands": 1}))
    states = [start, deal({0: hand[seats]}, seats, before=start)]
    for cards in sets[seats]:
        states.append(run(states[-1], "0 " + whole(cards)))
        if GAME.actors(states[-1]):
            for seat in (*range(1, seats), 0):
                states.append(run(states[-1], f"{seat} pass"))
    return states


@pytest.mark.parametrize("seats", [3, 4])
def test_every_wrong_deal_is_refused(seats: int) -> None:
    start = GAME.initial(seats, GAME.complete_options(seats, {}))
    good = deal_json({0: "0-0"}, seats)

    def refused(**new: Any) -> None:
        with pytest.raises(RuleError):
            GAME.apply(start, CHANCE, GAME.deal_from_json(start, {**good, **new}, NO_HEAD))

    refused(aside=[])
    refused(hands=good["hands"][:-1])
    refused(hands=[*good["hands"], []])
    refused(hands=[good["hands"][0], *good["hands"][:-1]])
    moved = [list(hand) for hand in good["hands"]]
    moved[0].append(moved[1].pop())
    refused(hands=[sorted(hand) for hand in moved])


# --- Play: who begins, and with what --------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4])
def test_the_lowest_double_in_a_hand_begins(seats: int) -> None:
    for seat in range(seats):
        state = deal({seat: "0-0"}, seats)
        assert GAME.actors(state) == (seat,)
        assert GAME.round_head(state) == (None, seat, None)


def test_a_double_aside_does_not_begin() -> None:
    assert GAME.actors(deal({2: "1-1", 1: "2-2"}, 3, aside="0-0")) == (2,)
    assert GAME.actors(deal({3: "3-3", 1: "4-4"}, 4, aside="0-0 1-1 2-2")) == (3,)
    state = deal({3: "3-3 3-4", 1: "4-4"}, 4, aside="0-0 1-1 2-2")
    assert texts(state) >= {"play 3-3", "play 3-3x2", "play 3-3 3-4", "play 3-3x2 3-4"}
    assert all(text.startswith("play 3-3") for text in texts(state))


def test_the_first_play_contains_that_double_alone_or_with_its_low_number() -> None:
    state = deal({0: "0-0 0-1 0-9 1-1 1-2", 1: "0-2 0-3 0-4 0-5 0-6 0-7 0-8"})
    assert texts(state) == {
        "play 0-0",
        "play 0-0x2",
        "play 0-0 0-1",
        "play 0-0x2 0-1",
        "play 0-0 0-9",
        "play 0-0x2 0-9",
        "play 0-0 0-1 0-9",
        "play 0-0x2 0-1 0-9",
    }
    codes = {refusal(state, line) for line in ("0 play 0-1", "0 play 1-1", "0 play 0-1 0-9")}
    assert codes == {"first_lead_needs_double"}


def test_only_the_first_play_of_a_round_needs_the_double() -> None:
    state = deal({0: "0-0 0-1 0-2 5-5 5-6"})
    state = run(state, "0 play 0-0", "1 pass", "2 pass", "0 pass")
    assert texts(state) >= {"play 0-1", "play 0-1 0-2", "play 5-5 5-6", "play 5-5x2 5-6"}
    state = run(deal({0: "0-0", 1: "1-2"}), "0 play 0-0")
    assert "play 1-2" in texts(state)


# --- Play: UP and DOWN ----------------------------------------------------------------------------


def test_up_shows_the_low_number_and_must_be_strictly_higher() -> None:
    state = deal({0: "0-0 2-2 2-3", 1: "1-2 2-9 3-3", 2: "2-8 4-4"})
    state = run(state, "0 play 0-0", "1 pass", "2 pass", "0 pass", "0 play 2-2")
    assert {"play 3-3", "pass"} <= texts(state)
    assert refusal(state, "1 play 1-2") == "must_beat"
    assert refusal(state, "1 play 2-9") == "must_beat"
    state = run(state, "1 play 3-3")
    assert refusal(state, "2 play 2-8") == "must_beat"
    run(state, "2 play 4-4")


def test_down_shows_the_high_number_and_must_be_strictly_lower() -> None:
    state = deal({0: "0-0 0-9 5-7 6-7", 1: "1-7 7-8 0-6 6-6", 2: "6-8 3-5"})
    state = run(state, "0 play 0-0 0-9", "1 pass", "2 pass", "0 pass")
    assert {"play 5-7 6-7", "play 5-7"} <= texts(state)
    single = run(state, "0 play 5-7")
    assert refusal(single, "1 play 1-7") == "must_beat"
    assert refusal(single, "1 play 7-8") == "must_beat"
    assert {"play 0-6", "play 6-6", "pass"} <= texts(single)
    assert "play 6-6x2" not in texts(single)
    pair = run(state, "0 play 5-7 6-7")
    assert {"play 0-6 6-6", "play 6-6x2", "pass"} <= texts(pair)
    assert refusal(run(single, "1 play 0-6"), "2 play 6-8") == "must_beat"
    run(single, "1 play 0-6", "2 play 3-5")


def test_a_set_shows_one_number_the_one_that_counts() -> None:
    state = deal({0: "0-0 0-9 1-4 1-5 2-4 2-5 4-4"})
    up = run(state, "0 play 0-0", "1 pass", "2 pass", "0 pass")
    assert {"play 1-4 1-5", "play 2-4 2-5"} <= texts(up)
    assert refusal(up, "0 play 1-4 2-4") == "mixed_numbers"
    down = run(state, "0 play 0-0 0-9", "1 pass", "2 pass", "0 pass")
    assert {"play 1-4 2-4", "play 1-4 2-4 4-4", "play 1-5 2-5"} <= texts(down)
    assert refusal(down, "0 play 1-4 1-5") == "mixed_numbers"


# --- Play: quantity -------------------------------------------------------------------------------


def test_leading_any_quantity_and_declaring_the_double() -> None:
    state = deal({0: "0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-9"})
    for line in ("0 play 0-0", "0 play 0-0x2", whole("0-0x2 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-9")):
        assert GAME.is_legal(state, 0, GAME.parse_action(line.removeprefix("0 ")))
    assert len(texts(state)) == 2 * 2**9


@pytest.mark.parametrize(
    ("lead", "allowed", "refused"),
    [
        ("0-0", ["1-1", "1-2"], ["1-1x2", "1-1 1-2", "1-1x2 1-2"]),
        ("0-0x2", ["1-1x2", "1-1 1-2", "1-2 1-3"], ["1-1", "1-2", "1-1x2 1-2", "1-1 1-2 1-3"]),
        ("0-0 0-1", ["1-1x2", "1-1 1-2", "1-2 1-3"], ["1-1", "1-1x2 1-2", "1-1 1-2 1-3"]),
        ("0-0x2 0-1", ["1-1x2 1-2", "1-1 1-2 1-3"], ["1-1x2", "1-1 1-2", "1-1x2 1-2 1-3"]),
        ("0-0 0-1 0-2", ["1-1x2 1-2", "1-1 1-2 1-3"], ["1-2 1-3", "1-1x2 1-2 1-3"]),
    ],
)
def test_following_has_the_quantity_of_the_lead(
    lead: str, allowed: list[str], refused: list[str]
) -> None:
    state = run(deal({0: "0-0 0-1 0-2", 1: "1-1 1-2 1-3"}), "0 " + whole(lead))
    for cards in allowed:
        assert whole(cards) in texts(state)
        run(state, "1 " + whole(cards))
    for cards in refused:
        assert refusal(state, "1 " + whole(cards)) == "wrong_quantity", cards


def test_a_lone_double_counted_two_beats_a_pair_and_is_beaten_by_one() -> None:
    state = deal({0: "0-0 0-1", 1: "1-1", 2: "2-3 2-4", 3: "3-3"}, 4)
    state = run(state, "0 play 0-0 0-1", "1 play 1-1x2", "2 play 2-3 2-4", "3 play 3-3x2")
    assert GAME.actors(state) == (0,)


# --- Play: passing and the series -----------------------------------------------------------------


def test_a_player_may_always_pass_except_when_leading() -> None:
    state = deal({0: "0-0 5-5", 1: "9-9"})
    assert refusal(state, "0 pass") == "must_lead"
    state = run(state, "0 play 0-0")
    assert "pass" in texts(state)
    state = run(state, "1 pass", "2 pass", "0 pass")
    assert refusal(state, "0 pass") == "must_lead"


def test_whoever_passed_is_out_until_the_series_ends() -> None:
    state = deal({0: "0-0 5-5 6-6", 1: "1-1", 2: "2-2 3-4 7-7"})
    state = run(state, "0 play 0-0", "1 pass", "2 play 2-2", "0 play 5-5")
    assert GAME.actors(state) == (2,)  # not 1
    assert refusal(state, "1 play 1-1") == "not_your_turn"
    state = run(state, "2 play 7-7", "0 pass", "2 pass", "2 play 3-4")
    assert GAME.actors(state) == (0,)
    assert GAME.actors(run(state, "0 pass")) == (1,)  # back in


def test_the_last_player_in_may_go_on_beating_their_own_set() -> None:
    state = deal({0: "0-0 3-3 5-6 8-8", 1: "1-1"})
    state = run(state, "0 play 0-0", "1 pass", "2 pass")
    assert {"pass", "play 3-3", "play 5-6", "play 8-8"} <= texts(state)
    assert refusal(state, "0 play 3-3x2") == "wrong_quantity"
    state = run(state, "0 play 5-6")
    assert refusal(state, "0 play 3-3") == "must_beat"
    state = run(state, "0 play 8-8", "0 pass")
    assert GAME.actors(state) == (0,)
    assert {"play 3-3", "play 3-3x2"} <= texts(state)  # a new series, any quantity


def test_the_series_ends_only_when_everybody_has_passed() -> None:
    state = deal({0: "0-0", 1: "3-3"})
    state = run(state, "0 play 0-0", "1 play 3-3", "2 pass", "0 pass")
    assert GAME.actors(state) == (1,)
    assert "pass" in texts(state)  # still the old series
    assert "pass" not in texts(run(state, "1 pass"))


def test_the_last_player_in_leads_the_next_series() -> None:
    state = deal({0: "0-0", 1: "3-3", 2: "4-4"})
    for line in ("0 play 0-0", "1 play 3-3", "2 play 4-4", "0 pass", "1 pass", "2 pass"):
        state = run(state, line)
    assert GAME.actors(state) == (2,)
    four = deal({0: "0-0", 1: "3-3"}, 4)
    four = run(four, "0 play 0-0", "1 play 3-3", "2 pass", "3 pass", "0 pass", "1 pass")
    assert GAME.actors(four) == (1,)


# --- Play: change cards ---------------------------------------------------------------------------


def is_down(state: Any) -> bool:
    """Whether the leader's series is DOWN: pairs show a common high number, not a low one."""
    pairs = [text.split()[1:] for text in texts(state) if text.count("-") == 2 and "x" not in text]
    common_low = {one[0] == two[0] for one, two in pairs}
    common_high = {one[2] == two[2] for one, two in pairs}
    assert common_low == {not high for high in common_high}, pairs
    return common_high == {True}


MODE: Final = "5-6 5-7 6-7"


@pytest.mark.parametrize(
    ("first", "down"),
    [
        ("0-0 0-1", False),
        ("0-0 0-9", True),
        ("0-0x2 0-9", True),
    ],
)
def test_an_odd_number_of_change_cards_flips_the_next_series(first: str, down: bool) -> None:
    state = deal({0: f"0-0 0-1 0-9 {MODE}"})
    state = run(state, "0 " + whole(first), "1 pass", "2 pass", "0 pass")
    assert is_down(state) is down


@pytest.mark.parametrize(
    ("plays", "down"),
    [
        (["1 play 1-8"], True),
        (["1 play 1-8", "2 play 2-7"], False),
        (["1 play 1-8", "2 play 2-7", "0 play 3-6"], True),
        (["1 play 1-8", "2 play 2-7", "0 play 3-6", "1 play 4-5"], False),
        (["1 play 2-2", "2 play 3-3"], False),
    ],
)
def test_change_cards_count_whoever_played_them(plays: list[str], down: bool) -> None:
    state = deal({0: "0-0 3-6", 1: f"1-8 2-2 4-5 {MODE}", 2: "2-7 3-3"})
    state = run(state, "0 play 0-0", *plays)
    winner = int(plays[-1][0])
    out = [(winner + 1) % 3, (winner + 2) % 3, winner]
    state = run(state, *(f"{seat} pass" for seat in out))
    assert GAME.actors(state) == (winner,)
    assert is_down(state) is down


def test_a_change_card_does_not_flip_its_own_series() -> None:
    state = run(deal({0: "0-0 0-9", 1: "1-8 9-9", 2: "2-9 0-8"}), "0 play 0-0")
    state = run(state, "1 play 1-8")
    assert "play 2-9" in texts(state)
    assert refusal(state, "2 play 0-8") == "must_beat"


def test_change_cards_of_an_earlier_series_do_not_count_again() -> None:
    state = deal({0: f"0-0 0-9 3-3 8-8 {MODE}"})
    state = run(state, "0 play 0-0 0-9", "1 pass", "2 pass", "0 pass")
    for double in ("8-8", "3-3"):
        state = run(state, f"0 play {double}", "1 pass", "2 pass", "0 pass")
        assert is_down(state)


# --- The end of the round -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4])
def test_the_round_ends_the_moment_a_hand_is_empty(seats: int) -> None:
    states = one_round(seats)
    assert GAME.actors(states[-2]) == (0,)
    assert GAME.actors(states[-1]) == ()
    size = SIZES[seats][0]
    assert GAME.round_scores(states[-1]) == ((seats - 1) * size, *(0 for _ in range(seats - 1)))


def test_the_round_ends_on_a_following_play_too() -> None:
    state = deal(
        {
            0: "0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7",
            1: f"{ONES} {TWOS} 3-3 3-4 8-8",
            2: "4-4 4-6",
        }
    )
    state = run(
        state,
        "0 play 0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7",
        "1 " + whole(ONES),
        *("2 pass", "0 pass", "1 pass"),
        "1 " + whole(TWOS),
        *("2 pass", "0 pass", "1 pass"),
        *("1 play 3-3 3-4", "2 play 4-4 4-6", "0 pass"),
    )
    assert GAME.outcome(state) is None
    state = run(state, "1 play 8-8x2")
    # 10 cards with seat 0, 16 with seat 2: a double left in a hand is one card
    assert GAME.round_scores(state) == (0, 26, 0)
    assert GAME.outcome(state) == Outcome((0, 26, 0), (2, 1, 2))


PASSES: Final = ("1 pass", "2 pass", "0 pass")


# --- Score and match ------------------------------------------------------------------------------


def play_out(state: Any, winner: int, seats: int = 3) -> Any:
    """A round that `winner` plays alone from the first lead on."""
    zeros = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8"
    state = deal({winner: f"{zeros} {ONES} 3-6"}, seats, before=state)
    others = [(winner + turn) % seats for turn in range(1, seats)]
    for cards in (zeros, ONES):
        state = run(
            state, f"{winner} {whole(cards)}", *(f"{seat} pass" for seat in (*others, winner))
        )
    return run(state, f"{winner} play 3-6")


def test_a_match_is_as_many_rounds_as_agreed_by_default_one_per_player() -> None:
    for seats in (3, 4):
        options = GAME.complete_options(seats, {})
        assert options == {"length": "hands", "hands": seats}
    state = GAME.initial(3, GAME.complete_options(3, {}))
    for rounds, winner in enumerate((0, 1, 0), start=1):
        state = play_out(state, winner)
        assert (GAME.outcome(state) is not None) == (rounds == 3)
    assert GAME.outcome(state) == Outcome((72, 36, 0), (1, 2, 3))


def test_a_match_to_a_target_ends_after_the_round_that_reaches_it() -> None:
    assert GAME.complete_options(3, {"target": 72}) == {"length": "target", "target": 72}
    assert GAME.complete_options(3, {"length": "target"}) == {"length": "target", "target": 100}
    state = GAME.initial(3, GAME.complete_options(3, {"target": 72}))
    state = play_out(state, 2)
    state = play_out(state, 1)
    assert GAME.outcome(state) is None
    assert GAME.actors(state) == (CHANCE,)
    state = play_out(state, 2)
    assert GAME.outcome(state) == Outcome((0, 36, 72), (3, 2, 1))
    assert GAME.actors(state) == ()


def test_equal_totals_share_the_place() -> None:
    state = GAME.initial(3, GAME.complete_options(3, {"hands": 2}))
    state = play_out(play_out(state, 2), 0)
    assert GAME.outcome(state) == Outcome((36, 0, 36), (1, 3, 1))


def test_rounds_and_a_target_are_not_agreed_on_both() -> None:
    both: list[Options] = [{"hands": 3, "target": 100}, {"length": "hands", "target": 100}]
    for given in both:
        with pytest.raises(NotationError, match="option_conflict"):
            GAME.complete_options(3, given)


def test_every_round_starts_up_with_the_lowest_double() -> None:
    state = GAME.initial(3, GAME.complete_options(3, {"hands": 2}))
    zeros = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8"
    state = deal({0: f"{zeros} {ONES[:-4]} 4-5 6-6"}, before=state)
    state = run(state, "0 " + whole(zeros), *PASSES)
    state = run(state, "0 play 4-5", *PASSES)  # now DOWN
    assert "play 1-2" in texts(state)
    assert "play 1-2 1-3" not in texts(state)
    for card in (*ONES[:-4].split(), "6-6"):
        state = run(state, f"0 play {card}")
        if GAME.actors(state) != (CHANCE,):
            state = run(state, *PASSES)
    assert GAME.round_scores(state) == (36, 0, 0)
    state = deal({2: "0-0 0-1 0-2", 1: "1-2"}, before=state)
    assert GAME.actors(state) == (2,)
    assert "play 0-0 0-1" in texts(state)  # a common low number: UP
    assert GAME.round_scores(state) is None
    assert GAME.scores(state) == (36, 0, 0)
    assert refusal(state, "2 play 0-1") == "first_lead_needs_double"
    state = run(state, "2 play 0-0 0-1")
    assert not any(text.startswith("play 0") for text in texts(state))
