"""Notation: what is read, what is forgiven, what is refused, and how it is written."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Pack
from engine.deal import Seeded
from engine.game import CHANCE, Json, NotationError, RoundHead, RuleError
from engine.games.aufundab import GAME
from engine.games.aufundab.cards import DOUBLES, DOWN, PACK, PASS, UP, Move
from engine.games.aufundab.state import Deal, State, View, legal_moves
from engine.notation import EXCERPT, MAX_ACTION, card_list, card_lists, excerpt
from engine.registry import games

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


REFUSED: Final = [
    ("aufundab", "not_canonical", ["", " pass", "pass ", "play  3-4", "play 3-6 3-4"]),
    ("aufundab", "unknown_action", ["PASS", "Play 3-4", "3-4", "pass 3-4"]),
    ("aufundab", "no_cards", ["play"]),
    ("aufundab", "unknown_card", [
        "play 6-3", "play 3-10", "play 3_4", "play 3-4\n", "play ٣-4", "play 4-4x3",
    ]),
    ("aufundab", "card_twice", ["play 3-4 3-4", "play 4-4 4-4x2"]),
    ("aufundab", "not_a_double", ["play 3-4x2"]),
    ("aufundab", "too_long", ["play " + "3-4 " * 1500]),
    ("auffalscherfaehrte", "not_canonical", ["", "play  R1"]),
    ("auffalscherfaehrte", "unknown_action", ["pass", "trump", "trump R Y"]),
    ("auffalscherfaehrte", "no_cards", ["play"]),
    ("auffalscherfaehrte", "one_card", ["play R1 R2"]),
    ("auffalscherfaehrte", "unknown_card", ["play R13", "play R01", "play r1", "hide P3"]),
    ("auffalscherfaehrte", "unknown_suit", ["trump P"]),
    ("kaiserspiel", "not_canonical", ["discard S3 A2", "pass "]),
    ("kaiserspiel", "unknown_action", ["raise 2", "Pass", "three up", "lift 2"]),
    ("kaiserspiel", "no_cards", ["play", "kaiser", "discard"]),
    ("kaiserspiel", "unknown_card", ["play A8", "play ? down", "play RK up", "discard ? ?"]),
    ("kaiserspiel", "card_twice", ["discard A2 A2"]),
    ("kaiserspiel", "wrong_number_of_cards", ["discard A2", "play A2 A3", "kaiser SB AB"]),
    ("sticheln", "not_canonical", ["", "play  R1"]),
    ("sticheln", "unknown_action", ["pass", "discard R1", "Play R1", "R1"]),
    ("sticheln", "one_card", ["play", "choose", "play R1 R2"]),
    ("sticheln", "unknown_card", ["play J", "play R15", "play R01", "choose ?", "play r1"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "code", "texts"), REFUSED)
def test_records_are_forgiven_nothing(name: str, code: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(NotationError) as caught:
            games()[name].parse_action(text)
        assert caught.value.code == code, text


FORGIVEN: Final = [
    ("aufundab", "PLAY 3-6  4-3", "play 3-4 3-6"),
    ("aufundab", "  pass\t", "pass"),
    ("aufundab", "play 6-3", "play 3-6"),
    ("aufundab", "play 4-4×2 5-4", "play 4-4x2 4-5"),
    ("aufundab", "4-5 4-4", "play 4-4 4-5"),
    ("auffalscherfaehrte", "  hide   r5 ", "hide R5"),
    ("auffalscherfaehrte", "TRUMP KEEP", "trump keep"),
    ("auffalscherfaehrte", "Trump b", "trump B"),
    ("kaiserspiel", "ThreeUp", "threeup"),
    ("kaiserspiel", "DISCARD  s3\tA2", "discard A2 S3"),
    ("kaiserspiel", "Play rk DOWN", "play RK down"),
    ("sticheln", "  CHOOSE\t y7 ", "choose Y7"),
]


@pytest.mark.parametrize(("name", "text", "meant"), FORGIVEN)
def test_people_are_forgiven_case_spaces_and_order(name: str, text: str, meant: str) -> None:
    game = games()[name]
    state = game.initial(game.info.seats[0], game.complete_options(game.info.seats[0], {}))
    state = game.apply(state, CHANCE, game.deal(state, Seeded(Random(1))))
    view = game.observe(state, game.actors(state)[0])
    assert game.format_action(game.parse_action(text, view)) == meant
    with pytest.raises(NotationError):
        game.parse_action(text)


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


@given(st.text(max_size=6000))
@settings(max_examples=300)
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
