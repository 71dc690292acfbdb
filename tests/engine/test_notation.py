"""Notation: what is read, what is forgiven, what is refused, and how it is written."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Pack
from engine.deal import Seeded, shuffle
from engine.game import CHANCE, Json, NotationError, RoundHead, RuleError
from engine.games.aufundab import GAME
from engine.games.aufundab.choices import legal_moves
from engine.games.aufundab.sets import DOUBLES, DOWN, PACK, PASS, UP, Move
from engine.games.aufundab.state import Deal, State, View
from engine.notation import EXCERPT, MAX_ACTION, card_list, card_lists, excerpt

START = GAME.initial(4, GAME.complete_options(4, {}))
NO_HEAD = RoundHead(None, None, None)


def dealt(seed: int = 1, seats: int = 3) -> State:
    state = GAME.initial(seats, GAME.complete_options(seats, {}))
    return GAME.apply(state, CHANCE, GAME.deal(state, Seeded(Random(seed))))


def leading() -> View:
    state = dealt()
    return GAME.observe(state, state.actor)


def following(quantity: int) -> View:
    """Somebody who has to follow a set of `quantity` twos in UP."""
    state = dealt()._replace(number=2, quantity=quantity, owner=0, top=1)
    return GAME.observe(state, state.actor)


def test_every_set_is_read_as_it_is_written() -> None:
    for mode in (UP, DOWN):
        for move in legal_moves(PACK.all, mode, -1, 0, -1):
            assert GAME.parse_action(GAME.format_action(move)) == move
    assert GAME.parse_action("pass") == PASS


@given(st.sets(st.integers(0, 54), min_size=1), st.sets(st.integers(0, 9)))
def test_well_formed_moves_that_are_no_set_are_read_too(cards: set[int], doubles: set[int]) -> None:
    mask = sum(1 << card for card in cards)
    doubled = sum(PACK.mask([f"{n}-{n}"]) for n in doubles) & mask
    move = Move(mask, doubled)
    assert GAME.parse_action(GAME.format_action(move)) == move


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_canonical"),
        (" pass", "not_canonical"),
        ("pass ", "not_canonical"),
        ("play  3-4", "not_canonical"),
        ("play 3-6 3-4", "not_canonical"),
        ("PASS", "unknown_action"),
        ("Play 3-4", "unknown_action"),
        ("3-4", "unknown_action"),
        ("pass 3-4", "unknown_action"),
        ("play", "no_cards"),
        ("play 6-3", "unknown_card"),
        ("play 3-10", "unknown_card"),
        ("play 3_4", "unknown_card"),
        ("play 3-4\n", "unknown_card"),
        ("play ٣-4", "unknown_card"),
        ("play 3-4 3-4", "card_twice"),
        ("play 4-4 4-4x2", "card_twice"),
        ("play 3-4x2", "not_a_double"),
        ("play 4-4x3", "unknown_card"),
        ("play " + "3-4 " * 1500, "too_long"),
    ],
)
def test_records_are_forgiven_nothing(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse_action(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("PLAY 3-6  4-3", "play 3-4 3-6"),
        ("  pass\t", "pass"),
        ("PaSs", "pass"),
        ("play 6-3", "play 3-6"),
        ("play 4-5 4-4X2", "play 4-4x2 4-5"),
        ("play 4-4×2 5-4", "play 4-4x2 4-5"),
        ("4-5 4-4", "play 4-4 4-5"),
    ],
)
def test_people_are_forgiven_case_spaces_and_order(text: str, meant: str) -> None:
    assert GAME.format_action(GAME.parse_action(text, leading())) == meant


@pytest.mark.parametrize(
    ("quantity", "text", "meant"),
    [
        (2, "play 4-4", "play 4-4x2"),
        (3, "play 4-5 4-4", "play 4-4x2 4-5"),
        (2, "play 4-5 4-4", "play 4-4 4-5"),
        (1, "play 4-4", "play 4-4"),
        (1, "play 4-4x2", "play 4-4x2"),
        (4, "play 4-4 4-5", "play 4-4 4-5"),
        (2, "play 4-5", "play 4-5"),
        (3, "play 4-4 5-5", "play 4-4 5-5"),
    ],
)
def test_when_following_the_quantity_says_what_a_double_counts(
    quantity: int, text: str, meant: str
) -> None:
    assert GAME.format_action(GAME.parse_action(text, following(quantity))) == meant


@pytest.mark.parametrize("text", ["play 3-4…", "…", "play", "play 3-4x2", "play 3-4 4-3", "", "x"])
def test_people_are_not_forgiven_everything(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse_action(text, leading())


@given(st.text(max_size=6000))
@settings(max_examples=300, deadline=None)
def test_nonsense_is_refused_in_short(text: str) -> None:
    for view in (None, leading()):
        try:
            move = GAME.parse_action(text, view)
        except NotationError as error:
            for value in error.params.values():
                shown = str(value)
                assert len(shown) <= EXCERPT
                assert shown.isprintable()
        else:
            assert GAME.parse_action(GAME.format_action(move)) == move


def test_an_excerpt_shows_no_control_and_no_direction_mark() -> None:
    assert excerpt("a\u202eb\x1b[31m\n") == "a?b?[31m?"
    assert len(excerpt("x" * 6000)) == EXCERPT


def test_the_longest_action_is_read() -> None:
    text = GAME.format_action(Move(PACK.all, DOUBLES))
    assert len(text) < MAX_ACTION
    assert GAME.parse_action(text) == Move(PACK.all, DOUBLES)


def test_a_deal_is_read_as_it_is_written() -> None:
    state = GAME.initial(4, GAME.complete_options(4, {}))
    deal = GAME.deal(state, Seeded(Random(5)))
    assert GAME.deal_from_json(START, GAME.deal_to_json(deal), NO_HEAD) == deal


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        [],
        {},
        {"hands": [["0-0"]]},
        {"hands": "0-0", "aside": []},
        {"hands": [["0-1", "0-0"]], "aside": []},
        {"hands": [["0-0", "0-0"]], "aside": []},
        {"hands": [["0-0", 3]], "aside": []},
        {"hands": [["1-0"]], "aside": []},
        {"hands": [["0-0"]], "aside": None},
        {"hands": [[["0-0"]]], "aside": []},
    ],
)
def test_a_malformed_deal_is_refused(data: Json) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.deal_from_json(START, data, NO_HEAD)
    assert caught.value.code == "deal_malformed"


def test_lists_of_cards_are_lists_of_texts() -> None:
    assert card_lists({"hands": [["a"], []]}, "hands") == [["a"], []]
    assert card_list({"aside": ["a"]}, "aside") == ["a"]
    for data in ({"aside": [1]}, {"aside": "a"}, {}, None):
        with pytest.raises(NotationError):
            card_list(data, "aside")


def test_a_deal_has_no_text_and_a_move_is_no_deal() -> None:
    with pytest.raises(TypeError):
        GAME.format_action(Deal((), 0))
    with pytest.raises(TypeError):
        GAME.deal_to_json(PASS)


def test_a_pack_names_its_cards_once() -> None:
    pack = Pack("abc")
    assert pack.codes(pack.mask("ca")) == ("a", "c")
    for codes, code in (("ax", "unknown_card"), ("aa", "card_twice")):
        with pytest.raises(NotationError) as caught:
            pack.mask(codes)
        assert caught.value.code == code


def test_the_shuffle_draws_from_the_last_place_down() -> None:
    asked: list[int] = []

    def last(n: int) -> int:
        asked.append(n)
        return n - 1

    assert shuffle("abcd", last) == list("abcd")
    assert asked == [4, 3, 2]


def test_draws_are_in_range_and_reach_both_ends() -> None:
    draw = Seeded(Random(3))
    assert {draw(3) for _ in range(200)} == {0, 1, 2}


# Composing: what a form's cards and flags mean.


def test_a_leader_says_what_a_double_counts() -> None:
    cards = ["4-5", "4-4"]
    plain = GAME.compose(leading(), cards, frozenset())
    two = GAME.compose(leading(), cards, frozenset({"double_counts_two"}))
    assert GAME.format_action(plain) == "play 4-4 4-5"
    assert GAME.format_action(two) == "play 4-4x2 4-5"


def test_a_follower_is_not_asked() -> None:
    two = GAME.compose(following(3), ["4-4", "4-5"], frozenset())
    assert GAME.format_action(two) == "play 4-4x2 4-5"


@pytest.mark.parametrize(
    ("cards", "flags", "code"),
    [
        ([], frozenset[str](), "no_cards"),
        (["4-5"], frozenset({"double_counts_two"}), "no_double_to_count"),
        (["4-x"], frozenset[str](), "unknown_card"),
        (["4-5", "4-5"], frozenset[str](), "card_twice"),
    ],
)
def test_a_combination_that_means_nothing_is_refused(
    cards: list[str], flags: frozenset[str], code: str
) -> None:
    with pytest.raises(RuleError) as caught:
        GAME.compose(leading(), cards, flags)
    assert caught.value.code == code
