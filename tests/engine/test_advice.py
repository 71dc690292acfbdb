"""What speaks for an action: true of what the seat knows, said of nothing that it does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.tables.hinting import opinion_of
from bot.views.hinting import Shares, advised, reasons_for, shares_of
from engine.game import CHANCE, AnyGame, Options
from engine.games.auffalscherfaehrte.cards import hand_of
from engine.games.aufundab.cards import DOWN, UP
from engine.games.aufundab.cards import PACK as NUMBERS
from engine.games.kaiserspiel.cards import HIDDEN_KAISER
from engine.games.kaiserspiel.cards import PACK as KAISER
from engine.games.kaiserspiel.coach import tip
from engine.games.kaiserspiel.questions import PLAYS, Question
from engine.games.kaiserspiel.state import Tricks
from engine.games.sticheln.cards import PACK as COLOURS
from engine.games.sticheln.cards import USED
from engine.games.sticheln.state import UNKNOWN
from engine.layout import Phrase
from engine.players.player import Considered
from engine.registry import games
from engine.tricks import in_order
from tests.determinizing import determinize
from tests.engine.kaiserspiel_script import four_banners
from tests.render import samples

GAMES: Final = games()

MANY: Final = 100_000
"""Deals of which shares do not differ by chance."""
SELDOM: Final = {
    *("advice_mugg", "advice_lead_seven_own", "advice_zero_led", "advice_trump_jokers"),
    *("advice_nothing_to_lose", "advice_lowest_of_all", "advice_resign_saves"),
    "advice_lead",
}
"""What random play hardly ever comes to; tests of their own do."""


def dealt(game: AnyGame, seats: int, seed: int = 1, given: Options | None = None) -> Any:
    state = game.initial(seats, game.complete_options(seats, given or {}))
    return game.apply(state, CHANCE, game.deal(state, Random(seed).randrange))


def asked(game: AnyGame, seed: int, given: Options | None = None) -> Iterator[tuple[Any, int]]:
    """States of a round of random play, and seats that are asked something there."""
    rng = Random(seed)
    state = dealt(game, rng.choice(game.info.seats), seed, given)
    while CHANCE not in game.actors(state) and game.actors(state):
        for seat in game.actors(state):
            yield state, seat
        seat = rng.choice(game.actors(state))
        state = game.apply(state, seat, rng.choice(game.legal_actions(state, seat)))


def seldom(game: AnyGame, seed: int) -> Iterator[tuple[Any, int]]:
    """The same of rounds with jokers, and of those that random deals hardly ever bring, or that
    decide the match.
    """
    if game.info.id == "auffalscherfaehrte":
        yield from asked(game, seed, {"jokers": True})
        yield from jokers_kept(game, seed)
    if game.info.id == "kaiserspiel":
        yield from asked(game, seed, {"target": 4, "limit": False})
        yield from ((before, seat) for before, seat, _, _ in four_banners(seed) if seat != CHANCE)


def jokers_kept(game: AnyGame, seed: int) -> Iterator[tuple[Any, int]]:
    """Who names a trump after the last trick of a round, in which all have played their joker."""
    rng = Random(seed)
    state = dealt(game, rng.choice(game.info.seats), seed, {"jokers": True, "rounds": 1 + seed % 2})
    while CHANCE not in game.actors(state) and (actors := game.actors(state)):
        if not any(game.observe(state, actors[0]).counts):
            yield state, actors[0]
        state = game.apply(state, actors[0], game.default_action(game.observe(state, actors[0])))


def said_all(game: str, view: Any, text: str) -> list[str]:
    """Every reason."""
    found = GAMES[game].advice(view, GAMES[game].parse_action(text))
    return [one.code.removeprefix("advice_") for one in found]


def said(game: str, view: Any, text: str) -> str:
    """The best reason."""
    return said_all(game, view, text)[0]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_advice_has_words_names_no_card_and_plays_no_part_in_what_is_hidden(game: AnyGame) -> None:
    """The same in every deal that fits what the seat knows."""
    file = files("data") / "games" / game.info.id / "locales" / "en.po"
    words = set(re.findall(r'^msgid "(advice_\w+)"', file.read_text("utf-8"), re.MULTILINE))
    seen = set[str]()
    for seed in range(40):
        for state, seat in [*asked(game, seed), *seldom(game, seed)]:
            view = game.observe(state, seat)
            other = game.observe(determinize(game, view, Random(seed)), seat)
            for action in view.legal_actions[:12]:
                found = [*game.advice(view, action)]
                assert found == [*game.advice(other, action)]
                for one in found:
                    # No card, at most the arrow of Auf und Ab.
                    assert all(isinstance(v, int) or v in ("▲", "▼") for v in one.params.values())
                    seen.add(one.code)
    assert seen <= words
    assert words - seen <= SELDOM
    assert game.info.hopes <= words, "it is known by what it says"


NUMBER_CASES: Final = [
    (UP, "0-0 1-1 9-9", 5, "play 9-9", "top"),
    (UP, "0-0 0-1 9-9", 5, "play 9-9", "then_out"),
    (UP, "0-0 0-1 8-9", 5, "play 8-9", "sheds"),  # another may hold the double nine
    (UP, "6-7 7-7", 5, "play 6-7", "weakest"),
    (UP, "6-7 7-7", 5, "play 7-7", "sheds"),
    (UP, "6-7", 5, "play 6-7", "out"),
    (UP, "6-7 7-7", 5, "pass", "keep"),  # in down seven is a bad number
    (UP, "3-7 3-8", 2, "pass", "keep"),  # and in up three is
    (UP, "6-7 6-8 6-9", 5, "pass", "keep_set"),
    (UP, "6-7 6-8", 5, "pass", "keep"),  # two together are nothing to tell of
    (UP, "1-4 2-4 3-4", 1, "pass", "keep_set_turned"),
    (UP, "6-7 8-9", 5, "pass", "keep"),
    (UP, "6-7 9-9", 5, "pass", "keep"),  # nothing beats the nine, and it is not all one could play
    (UP, "4-7 5-7 8-9", 5, "pass", "keep_best"),
    (DOWN, "0-0 8-9 1-1", 5, "play 0-0", "top"),
    (UP, "0-0 6-7 6-8 6-9", 5, "play 6-7", "rest"),
    (UP, "0-0 6-7 6-8 9-9", 5, "play 6-7", "stronger_kept"),  # one six more is no set
]


@pytest.mark.parametrize(("mode", "hand", "number", "text", "code"), NUMBER_CASES)
def test_auf_und_ab(mode: int, hand: str, number: int, text: str, code: str) -> None:
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)
    view = view._replace(
        mode=mode, hand=NUMBERS.mask(hand.split()), number=number, quantity=1, owner=(1 + 0) % 3
    )
    assert said("aufundab", view, text) == code


@pytest.mark.parametrize("text", ["play 6-7", "play 6-6"])
def test_auf_und_ab_what_would_be_kept_for_this_direction_is_no_reason_once_it_turns(
    text: str,
) -> None:
    """A nine that is kept beats more in up alone, and so with other sixes; in down the lowest card
    of up may be the best."""
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    hand = NUMBERS.mask(["6-6", "6-7", "6-8", "9-9"])
    view = game.observe(state, state.actor)._replace(
        mode=UP, hand=hand, number=5, quantity=1, owner=1
    )
    before = {"advice_rest", "advice_stronger_kept", "advice_weakest"}
    for changes, told in ((0, before), (1, set[str]())):
        found = game.advice(view._replace(changes=changes), game.parse_action(text))
        assert {one.code for one in found} & before == told - {"advice_weakest"}


@pytest.mark.parametrize(("gone", "count"), [([], 3), (["8-8"], 2), (["8-8", "7-7"], 1)])
def test_auf_und_ab_of_a_pair_enough_of_a_better_number_counts(gone: list[str], count: int) -> None:
    """Of the nine there is the double alone, which counts two; of eight and seven there are two and
    three cards."""
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)._replace(
        mode=UP, hand=NUMBERS.mask(["6-6", "6-7", "0-1"]), number=5, quantity=2, owner=1
    )
    view = view._replace(gone=NUMBERS.mask([*gone, "7-8"]), pile=0)
    found = game.advice(view, game.parse_action("pass"))
    assert tuple(found) == (
        Phrase("advice_keep"),
        Phrase("advice_still_beaten_sets", {"count": count}),
    )


def test_auf_und_ab_of_a_single_card_those_that_beat_it_count() -> None:
    """After what speaks for keeping it: that it may be beaten is no reason by itself."""
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)._replace(
        mode=UP, hand=NUMBERS.mask(["6-7", "8-9"]), number=5, quantity=1, owner=1
    )
    assert said_all("aufundab", view, "pass") == ["keep", "still_beaten"]


@pytest.mark.parametrize(("changes", "code"), [("", "keep_top"), ("2-7", "keep")])
def test_auf_und_ab_the_best_number_is_kept_unless_the_arrow_is_about_to_turn(
    changes: str, code: str
) -> None:
    """Then it is the worst."""
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)._replace(
        mode=UP, hand=NUMBERS.mask(["4-7", "9-9"]), number=8, quantity=1, owner=1
    )
    view = view._replace(changes=len(changes.split()))
    assert said("aufundab", view, "pass") == code


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("play 0-6 1-6", None),
        ("play 3-9", (3, 6)),
        ("play 0-6", None),
    ],
)
def test_only_better_numbers_are_kept_for_good(text: str, kept: tuple[int, int] | None) -> None:
    """In down the nines are the weakest; who keeps them together has nothing of that."""
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)
    hand = NUMBERS.mask(["0-6", "1-6", "2-6", "0-9", "1-9", "3-9"])
    view = view._replace(mode=DOWN, hand=hand, number=None, quantity=0, owner=state.actor)
    found = [one for one in game.advice(view, game.parse_action(text)) if one.code == "advice_sets"]
    assert [(one.params["count"], one.params["number"]) for one in found] == (
        [kept] if kept else []
    )


def test_without_a_next_best_a_hint_says_nothing_that_speaks_for_every_play() -> None:
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)
    hand = NUMBERS.mask(["0-6", "1-7"])
    view = view._replace(mode=DOWN, hand=hand, number=5, quantity=0, owner=state.actor)
    assert [one.code for one in game.advice(view, game.parse_action("play 1-7"))] == [
        "advice_weak", "advice_weakest", "advice_sheds",
    ]  # fmt: skip
    (found,), same = reasons_for(game, view, Considered("play 1-7"), [])
    assert found.code == "advice_weakest"
    assert not same


def test_auf_und_ab_alone() -> None:
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)._replace(
        hand=NUMBERS.mask(["6-7", "7-7"]), number=5, quantity=1, owner=state.actor, out=0b11
    )
    assert said("aufundab", view, "pass") == "lead_next"
    assert said("aufundab", view, "play 6-7") == "then_out"
    three = view._replace(hand=NUMBERS.mask(["6-7", "7-7", "1-4"]))
    assert said("aufundab", three, "play 6-7") == "alone"


def test_who_leads_a_bad_number_is_told_the_good_one_that_comes_back() -> None:
    """With as many cards, of which a double may count as two, if nobody can beat that."""
    view = leading("2-5 2-6 9-9 3-9")
    assert ("comes_back", {"number": 9}) in reasons(view, "play 2-5 2-6")
    assert ("comes_back", {"number": 9}) in reasons(view, "play 2-5")
    assert "comes_back" not in dict(reasons(view, "play 9-9")), "nothing better is left"
    weaker = leading("2-5 2-6 8-8 3-9")
    assert "comes_back" not in dict(reasons(weaker, "play 2-5")), "a nine beats that"
    assert "comes_back" not in dict(reasons(leading("2-5 2-6 4-7"), "play 2-5")), "most beat a four"


def test_while_somebody_is_nearly_out_it_counts_what_one_gets_rid_of() -> None:
    view = leading("2-5 2-6 8-8 3-9")
    assert ("sheds", {"count": 2}) in reasons(view, "play 2-5 2-6")
    hurried = view._replace(counts=(4, 1, 9), seat=0)
    assert ("sheds_in_time", {"count": 2, "least": 1}) in reasons(hurried, "play 2-5 2-6")
    assert ("last_card_above", {"number": 8}) in reasons(hurried, "play 8-8")
    assert "last_card_above" not in dict(reasons(hurried, "play 2-5")), "most numbers beat a two"
    passed = hurried._replace(out=0b010)
    assert "last_card_above" not in dict(reasons(passed, "play 8-8"))


def test_who_plays_a_change_card_hears_what_they_hold_in_the_other_mode() -> None:
    """The sixes are none when the arrow has turned."""
    view = leading("3-6 6-7 6-8 6-9 0-2 1-2 2-2")
    found = [code for code, _ in reasons(view, "play 3-6")]
    assert "sets" not in found
    assert ("sets_turned", {"count": 3, "number": 2, "symbol": "▼"}) in reasons(view, "play 3-6")
    assert not [
        code for code, _ in reasons(leading("3-6 0-9 1-9 2-9"), "play 3-6") if "sets" in code
    ]


def leading(cards: str) -> Any:
    """Somebody leads in a round of three, going up, with these cards."""
    game = GAMES["aufundab"]
    view = game.observe(state := dealt(game, 3), state.actor)
    hand = NUMBERS.mask(cards.split())
    counts = (hand.bit_count(), 9, 9)
    return view._replace(
        mode=UP, hand=hand, counts=counts, seat=0, actor=0, number=-1, quantity=0, owner=0
    )


def reasons(view: Any, text: str) -> list[tuple[str, dict[str, Any]]]:
    game = GAMES["aufundab"]
    found = game.advice(view, game.parse_action(text))
    return [(one.code.removeprefix("advice_"), dict(one.params)) for one in found]


STING_CASES: Final = [
    ("", "R2 B9", "play R2", "lead_low"),
    ("", "R2 B9", "play B9", "colour_led"),
    ("Y5", "Y7 B9", "play Y7", "colour_led"),
    ("R0", "Y7 B9", "play Y7", "wins_so_far"),
    ("", "R0 B9", "play R0", "zero"),
    ("Y5 P8", "R1 B9", "play B9", "costs"),
    ("Y5", "R0 B9", "play R0", "zero"),
    ("Y5", "R2 B9", "play R2", "wins_so_far"),
    ("B9", "B2 R1", "play B2", "leaves"),
    ("Y5 B9", "G1 R1", "play G1", "hurts"),
    ("Y5 B9", "P1 R1", "play P1", "rid"),
    ("Y5 B7", "R8 R1", "play R8", "takes"),
    ("Y5", "R8 B9", "play R8", "unbeatable"),  # with three seats 8 is the highest
    ("Y5", "R7 B9", "play R7", "wins_so_far"),
]


@pytest.mark.parametrize(("trick", "hand", "text", "code"), STING_CASES)
def test_sticheln(trick: str, hand: str, text: str, code: str) -> None:
    """Seat 2 does not want purple, seat 0 red, and seat 1 green."""
    game = GAMES["sticheln"]
    before = [COLOURS.index(card) for card in trick.split()]
    view = game.observe(dealt(game, 3), 2)
    leader = (2 - len(before)) % 3
    view = view._replace(
        stage="play",
        actors=(2,),
        hand=in_order([COLOURS.index(card) for card in hand.split()]),
        trick=bytes(before),
        tricks=view.tricks._replace(leader=leader),
        round=view.round._replace(chosen=tuple(map(COLOURS.index, ("R3", "G3", "P3")))),
    )
    assert said("sticheln", view, text) == code


def test_sticheln_a_last_card_that_nothing_else_beats_wins_its_trick() -> None:
    """It is led, all other colours have been seen, and of its own only lower cards are left."""
    game = GAMES["sticheln"]
    view = game.observe(dealt(game, 3), 2)
    unseen = [COLOURS.index(card) for card in ("R3", "R5")]
    last = COLOURS.index("R8")
    seen = bytes(card for card in USED[3] if card not in (*unseen, last))
    view = view._replace(
        stage="play",
        actors=(2,),
        hand=bytes((last,)),
        trick=b"",
        tricks=view.tricks._replace(leader=2, played=seen),
        round=view.round._replace(chosen=(UNKNOWN, UNKNOWN, seen[0])),
    )
    assert said("sticheln", view, "play R8") == "unbeatable"


def test_sticheln_a_zero_that_is_led_may_be_taken_where_zeros_are() -> None:
    game = GAMES["sticheln"]
    view = game.observe(dealt(game, 3, given={"zeros": "leader"}), 2)
    hand = in_order([COLOURS.index(card) for card in ("R0", "B9")])
    chosen = tuple(map(COLOURS.index, ("R3", "G3", "P3")))
    round_ = view.round._replace(chosen=chosen)
    view = view._replace(stage="play", actors=(2,), hand=hand, trick=b"", round=round_)
    assert said("sticheln", view, "play R0") == "zero_led"


def test_sticheln_choosing() -> None:
    view = GAMES["sticheln"].observe(dealt(GAMES["sticheln"], 3), 0)
    hand = in_order([COLOURS.index(card) for card in ["R2", "Y5", "Y6", "G8"]])
    view = view._replace(hand=hand)
    assert said("sticheln", view, "choose R2") == "chosen_low"
    assert said("sticheln", view, "choose Y5") == "chosen_many"
    assert said("sticheln", view, "choose G8") == "chosen_few"


def test_sticheln_a_card_of_the_unwanted_colour_is_got_rid_of() -> None:
    game = GAMES["sticheln"]
    hand = in_order([COLOURS.index(card) for card in ("R5", "R9", "B3", "B9")])
    chosen = tuple(map(COLOURS.index, ("Y3", "G3", "R3")))
    view = game.observe(dealt(game, 3), 2)
    view = view._replace(
        stage="play",
        actors=(2,),
        hand=hand,
        trick=b"",
        round=view.round._replace(chosen=chosen),
    )
    assert said_all("sticheln", view, "play R5") == ["colour_own"]
    assert said_all("sticheln", view, "play B3") == ["colour_led", "keeps_higher"]
    follows = view._replace(trick=bytes((COLOURS.index("G1"),)))
    assert said_all("sticheln", follows, "play B3") == [
        "wins_so_far", "others_beat", "keeps_higher",
    ]  # fmt: skip
    low, high = "play B3", "play R5"
    for takes, best, other, codes in (
        (0.1, low, high, ["advice_others_beat", "advice_keeps_higher"]),
        (0.6, high, low, ["advice_wins_so_far"]),
    ):
        found, _ = reasons_for(game, follows, Considered(best, takes=takes), [Considered(other)])
        assert [one.code for one in found] == codes


TRAILS: Final = {"plus": "G5 G6 G7", "minus": "G1 G3 G4", "high": "G6", "low": "G3"}
"""Hidden cards that are turned up: what a trail of three is, and where one card points to."""

TRACK_CASES: Final = [
    ("minus", "Y7 Y9", "Y2 Y8", "play Y2", "low"),
    ("minus", "Y7 Y9", "Y2 Y8", "play Y8", "leaves highest"),
    ("minus", "Y7 Y9", "G2 B8", "play B8", "throws"),
    ("minus", "Y7 Y9", "R0 B8", "play R0", "takes"),
    ("minus", "Y7", "Y2 Y8", "play Y8", "others_beat"),
    ("minus", "", "Y2 Y8", "play Y2", "others_beat"),
    ("minus", "", "R9 B8", "play R9", "unbeatable"),
    ("low", "Y7 Y9", "Y2 Y8", "play Y2", "leaning_minus low"),
    ("low", "Y7", "Y2 Y8", "play Y8", "leaning_minus others_beat"),
    ("low", "Y7 Y9", "R0 B8", "play R0", "takes"),
    ("plus", "Y7 Y9", "Y2 R8", "play Y2", "cannot"),
    ("plus", "Y7 Y8", "Y2 Y9", "play Y2", "saves keeps_higher"),
    ("plus", "Y7 Y9", "R0 B8", "play R0", "takes"),
    ("plus", "Y7", "Y2 Y8", "play Y8", "wins_so_far highest"),
    ("plus", "Y7", "R9 B8", "play R9", "unbeatable"),
    ("plus", "", "G2 B8", "play B8", "beaters_left"),
    ("plus", "", "B2 R3", "play B2", "then_trump"),
    ("plus", "", "R9 B8", "play R9", "unbeatable"),
    ("plus", "", "B9 G8", "play B9", "only_trump"),
    ("plus", "Y7", "Y9 B8", "play Y9", "only_trump"),
    ("plus", "Y7", "R7 B8", "play R7", "only_higher"),
    ("plus", "", "R7 R2", "play R7", "beaters_left highest"),
    ("plus", "", "R7 R2", "play R2", "beaters_left keeps_higher"),
    ("high", "Y7 Y9", "R0 B8", "play R0", "leaning_plus takes"),
    ("high", "Y7", "R7 B8", "play R7", "leaning_plus only_higher"),
    ("high", "Y7 Y9", "Y2 R8", "play Y2", "cannot"),
    ("plus", "Y7 Y9", "J B8", "play J", "joker_trump"),
    ("plus", "J Y9", "J", "play J", "joker_trump"),
    ("plus", "J J", "J", "play J", "joker"),
]


@pytest.mark.parametrize(("trail", "trick", "hand", "text", "codes"), TRACK_CASES)
def test_auf_falscher_faehrte(trail: str, trick: str, hand: str, text: str, codes: str) -> None:
    game = GAMES["auffalscherfaehrte"]
    cards = hand_of(hand.split())
    before = b"".join(hand_of([card]) for card in trick.split())
    view = game.observe(dealt(game, 3), 2)
    view = view._replace(
        stage="play",
        actors=(2,),
        hand=cards,
        trick=before,
        turned=tuple(hand_of(TRAILS[trail].split())),
        round=view.round._replace(trump=0, aside=b""),
    )
    assert said_all("auffalscherfaehrte", view, text) == codes.split()


def test_auf_falscher_faehrte_before_the_tricks() -> None:
    game = GAMES["auffalscherfaehrte"]
    view = game.observe(dealt(game, 3), 0)._replace(hand=hand_of(["R1", "R2", "Y9"]))
    assert said_all("auffalscherfaehrte", view, "hide Y9") == ["plus"], "low cards stay"
    assert said_all("auffalscherfaehrte", view, "hide R1") == ["minus"], "as many high as low stay"
    two = view._replace(hand=hand_of(["R1", "R2", "Y9", "B8"]))
    assert said_all("auffalscherfaehrte", two, "hide B8") == ["plus"]
    assert said_all("auffalscherfaehrte", two, "hide R1") == ["minus"]
    high, low = (hand_of(cards.split()) for cards in ("Y9 B8 R5", "Y0 R2 R5 Y9 G1"))
    assert said_all("auffalscherfaehrte", view._replace(hand=high), "hide B8") == [
        "plus", "high_hand",
    ]  # fmt: skip
    assert said_all("auffalscherfaehrte", view._replace(hand=low), "hide R2") == [
        "minus", "low_hand",
    ]  # fmt: skip
    four = game.observe(dealt(game, 4), 0)._replace(hand=hand_of(["R6", "R7", "R5"]))
    said_of = [said("auffalscherfaehrte", four, f"hide R{number}") for number in (5, 6, 7)]
    assert said_of == ["minus", "middle", "plus"]
    view = view._replace(stage="trump")
    assert said("auffalscherfaehrte", view, "trump R") == "trump"
    assert said("auffalscherfaehrte", view, "trump Y") == "trump_few"
    assert said("auffalscherfaehrte", view, "trump keep") == "trump", "red is trump"


EMPEROR_CASES: Final = [
    ("", "AK A2", "play AK", "lead_king"),
    ("", "AO A2", "play AO", "lead_unless"),
    ("S3 AK S4", "SK A2", "play SK", "takes"),
    ("S3", "SK A2", "play SK", "wins_so_far"),
    ("SK S3 S4", "A3 A2", "play A2", "loses"),
    ("SK S3 S4", "R5 A2", "play A2", "spares_trumps"),
    ("SK S3", "A3 A2", "play A2", "partner"),
    ("A4 AK S3", "A3 A2", "play A2", "partner_sure"),
    ("R5 S3", "A3 A2", "play A2", "partner_sure"),
    ("SK S3 S4", "A3 A2", "play A2 down", "down"),
    ("SU S3 SK", "R3 A2", "play R3", "loses"),
    ("S3 A3", "R5 A2", "play R5", "unbeatable"),
    ("S3 A3", "RU A2", "play RU", "wins_so_far"),
    ("", "R5 A2", "play R5", "unbeatable"),
    ("", "RU A2", "play RU", "lead_trump"),
    ("", "AO R5", "play AO", "keeps"),  # that it can be beaten tells against it
    ("", "AO A2", "play A2", "lead_lowest"),
    ("", "R4 A2", "play R4", "lead_trump_unless"),
    ("", "AO SO", "play AO", "lead_unless"),  # the other is no better
    ("", "A2 R5", "play A2", "keeps"),  # it is the only plain one
]


@pytest.mark.parametrize(
    ("kaisers", "trick", "text", "code"),
    [
        ((8, 0, 0, 0), "", "play BB", "mugg"),
        ((8, 0, 0, 0), "S3", "play BB", "mugg"),
        ((8, 0, 0, 0), "S3 S4 S5", "play BB", "takes"),
        ((4, 8, 0, 0), "S3 S4", "play SB", "wins_so_far"),
        ((4, 0, 8, 0), "S3 S4", "play SB", "unbeatable"),  # the partner holds the Mugg
        ((4, 0, 0, 8), "S3", "play SB", "unbeatable"),  # who has played already
        ((4, 0, 0, 8), "", "play SB", "lead_trump"),
    ],
)
def test_kaiserspiel_what_nothing_beats_does_not_win_only_so_far(
    kaisers: tuple[int, ...], trick: str, text: str, code: str
) -> None:
    """Seat 0 plays; roses are special; kaisers by seat, Banners of shields 4 and of bells 8."""
    game = GAMES["kaiserspiel"]
    banners = {4: KAISER.mask(["SB"]), 8: KAISER.mask(["BB"])}
    before = bytes(KAISER.index(card) for card in trick.split())
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask([text.removeprefix("play "), "R5", "RU"]),
        kaisers=tuple(banners.get(one, 0) for one in kaisers),
        tricks=Tricks(before, (-len(before) % 4,)),
        round=view.round._replace(special=1, opens=()),
    )
    assert said("kaiserspiel", view, text) == code


def test_kaiserspiel_of_few_cards_that_beat_a_lead_their_number_is_told() -> None:
    """The King and the special 3: the special 4 does not beat an Ober."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(["AO", "R5", "RU", "R6", "R2"]),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(b"", (0,)),
        round=view.round._replace(special=1, opens=()),
    )
    found = game.advice(view, game.parse_action("play AO"))
    assert Phrase("advice_lead", {"left": 2}) in [*found]


@pytest.mark.parametrize(
    ("hand", "text", "codes"),
    [
        ("R7 RU", "play R7", ["wins_round", "lead_seven_own", "keeps"]),
        ("R7 AK", "play R7", ["lead_seven"]),
        ("R5 AK", "play R5", ["wins_round", "unbeatable"]),
        ("RU AK", "play RU", ["lead_trump"]),
        ("R5 AK", "play AK", ["lead_king", "keeps"]),
    ],
)
def test_kaiserspiel_a_sure_third_trick_is_the_first_reason(
    hand: str, text: str, codes: list[str]
) -> None:
    """Seat 0 leads, roses are special, and its pair has won two tricks."""
    game = GAMES["kaiserspiel"]
    before = bytes(KAISER.index(card) for card in ["AO", "A3", "A4", "A5", "SO", "S3", "S4", "S5"])
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(hand.split()),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(before, (0, 0, 0)),
        round=view.round._replace(special=1, opens=()),
    )
    found = [one.code.removeprefix("advice_") for one in game.advice(view, game.parse_action(text))]
    assert found == codes
    even = view._replace(tricks=Tricks(before, (0, 1, 0)))
    assert "advice_wins_round" not in {
        one.code for one in game.advice(even, game.parse_action(text))
    }


@pytest.mark.parametrize(
    ("counts", "out", "text", "codes"),
    [
        ((8, 1, 8), 0, "play 4-7 4-8 4-9", {"too_few": 1}),
        ((8, 1, 8), 0, "play 4-7 4-8", {"only_double": 1}),
        ((8, 2, 8), 0, "play 4-7 4-8", {}),
        ((8, 1, 8), 0b010, "play 4-7 4-8 4-9", {}),  # who has passed does not follow anyway
        ((8, 4, 8), 0, "play 4-7 4-8 4-9", {}),
        ((8, 8, 2), 0, "play 4-4x2 4-7 4-8 4-9", {"too_few": 2}),
        ((8, 8, 3), 0, "play 4-4 4-7 4-8 4-9", {"only_double": 3}),
        ((8, 1, 8), 0, "play 9-9x2", {}),  # nothing beats that
    ],
)
def test_auf_und_ab_who_is_nearly_out_may_have_too_few_or_need_a_double(
    counts: tuple[int, ...], out: int, text: str, codes: dict[str, int]
) -> None:
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    hand = NUMBERS.mask(["4-4", "4-7", "4-8", "4-9", "0-1", "0-2", "0-3", "9-9"])
    view = game.observe(state, 0)._replace(
        mode=UP, hand=hand, number=None, quantity=0, owner=0, actor=0, counts=counts, out=out
    )
    found = list(game.advice(view, game.parse_action(text)))
    told = {one.code.removeprefix("advice_"): one.params.get("count") for one in found}
    assert {code: told[code] for code in ("too_few", "only_double") if code in told} == codes


def test_kaiserspiel_a_card_that_only_a_partner_may_hold_does_not_count_against_one() -> None:
    """The Mugg is undeclared; of roses only the Five is higher, which the partner was dealt."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4), 0)
    opens = bytes(KAISER.index(card) for card in ("AO", "R5", "S2", "B5"))
    round_ = view.round._replace(special=1, opens=opens, dealer=0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(["RU", "A2"]),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(b"", (0,)),
        round=round_,
    )
    assert said("kaiserspiel", view, "play RU") == "unbeatable"
    other = view._replace(round=round_._replace(dealer=1))
    assert said("kaiserspiel", other, "play RU") == "lead_trump"


@pytest.mark.parametrize(("trick", "hand", "text", "code"), EMPEROR_CASES)
def test_kaiserspiel(trick: str, hand: str, text: str, code: str) -> None:
    """Seat 0 plays; roses are special, and nobody has a Kaiser."""
    game = GAMES["kaiserspiel"]
    before = bytes(KAISER.index(card) for card in trick.split())
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(hand.split()),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(before, (-len(before) % 4,)),
        round=view.round._replace(special=1),
    )
    assert said("kaiserspiel", view, text) == code


@pytest.mark.parametrize(
    ("best", "other", "codes", "alike"),
    [
        ("play A2", "play R5", ["spares_trumps"], False),
        ("play A2 down", "play A2", ["down"], False),
        ("play A2", "play A3", ["spares_trumps"], True),
        ("play A2 down", None, ["down", "spares_trumps"], False),
    ],
)
def test_a_hint_says_what_does_not_speak_for_the_next_best_as_well(
    best: str, other: str | None, codes: list[str], alike: bool
) -> None:
    """Else it tells nobody why this card and not that one."""
    game = GAMES["kaiserspiel"]
    lying = bytes(KAISER.index(card) for card in ("SK", "S3", "S4"))
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(["R5", "R2", "A2", "A3"]),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(lying, (1,)),
        round=view.round._replace(special=1),
    )
    others = [] if other is None else [Considered(other)]
    found, same = reasons_for(game, view, Considered(best), others)
    assert [one.code.removeprefix("advice_") for one in found] == codes
    assert bool(same) is alike


def _to_throw_out(hand: str) -> Any:
    """Seven cards of seat 0; roses are special, and nobody has a Kaiser."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4), 0)
    return view._replace(
        question=Question("discard", (0,)),
        hand=KAISER.mask(hand.split()),
        kaisers=(0, 0, 0, 0),
        round=view.round._replace(special=1, opens=()),
    )


def test_a_hint_says_first_what_speaks_for_few_of_the_others_that_it_names() -> None:
    """The Banner is kept by most of them; the higher plain cards are not."""
    view = _to_throw_out("R5 RU SB AK AO A3 A2")
    named = [Considered(f"discard {two}") for two in ("A3 SB", "AO A2", "AO A3", "AK A2")]
    for others, codes in (
        (named, ["lowest", "banner_kept"]),
        (named[:1], ["banner_kept", "lowest"]),
        (named[1:], ["lowest"]),
    ):
        found, same = reasons_for(
            GAMES["kaiserspiel"], view, Considered("discard A3 A2"), others[:3]
        )
        assert [one.code.removeprefix("advice_") for one in found] == codes
        assert not same


@pytest.mark.parametrize(
    ("best", "other", "codes", "alike"),
    [
        # Two trumps stay against one; and the other way round.
        ("A3 A2", "A2 RU", ["keep_trumps", "lowest"], False),
        ("A2 RU", "A3 A2", ["trumps_left"], False),
        ("RU R5", "A2 RU", ["banner_kept"], True),
    ],
)
def test_a_hint_never_says_of_less_that_it_is_why(
    best: str, other: str, codes: list[str], alike: bool
) -> None:
    view = _to_throw_out("R5 RU SB AK AO A3 A2")
    rows = [Considered(f"discard {two}") for two in (best, other)]
    found, same = reasons_for(GAMES["kaiserspiel"], view, rows[0], rows[1:])
    assert [one.code.removeprefix("advice_") for one in found] == codes
    assert bool(same) is alike


def test_a_lower_count_of_the_same_is_no_reason_and_a_higher_one_is() -> None:
    """In down: of the threes that stay, two are more than one."""
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)
    hand = NUMBERS.mask(["0-3", "1-3", "2-3", "3-9"])
    view = view._replace(mode=DOWN, hand=hand, number=None, quantity=0, owner=state.actor)
    one, two = Considered("play 0-3"), Considered("play 0-3 1-3")
    found, _ = reasons_for(game, view, one, [two])
    assert ("advice_rest", 2) in [(reason.code, reason.params.get("count")) for reason in found]
    found, _ = reasons_for(game, view, two, [one])
    assert [reason.code for reason in found] == ["advice_sheds"]
    three = Considered("play 0-3 1-3 2-3")
    found, same = reasons_for(game, view, two, [three])
    assert [reason.code for reason in found] == ["advice_sheds"]
    assert same == (three.text,), "who gets rid of more has that reason all the more"


@pytest.mark.parametrize(
    ("scores", "codes"),
    [
        ((0, 7), {"threeup": "nothing_to_lose", "pass": "stays"}),
        ((0, 5), {"threeup": "raise", "pass": "stakes"}),
        ((7, 7), {"threeup": "raise", "pass": "enough"}),
    ],
)
def test_kaiserspiel_who_loses_the_match_with_the_round_has_nothing_to_lose_by_a_raise(
    scores: tuple[int, int], codes: dict[str, str]
) -> None:
    """The round is worth 4, and the match goes to 10."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4, given={"target": 10}), 0)
    view = view._replace(
        question=Question("call", (0,)),
        hand=KAISER.mask(["A6"]),
        round=view.round._replace(scores=scores * 2, special=0),
    )
    for text, code in codes.items():
        found = [
            one.code.removeprefix("advice_") for one in game.advice(view, game.parse_action(text))
        ]
        told = [one for one in found if one not in ("first_trump", "first_no_trump")]
        assert told[0] == code


@pytest.mark.parametrize(
    ("scores", "code"),
    [((0, 2), "resign"), ((0, 3), "resign_saves"), ((0, 6), "resign_match")],
)
def test_kaiserspiel_who_resigns_may_save_the_match(scores: tuple[int, int], code: str) -> None:
    """The round is worth 4, or 7 if the three up is accepted, and the match goes to 10."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4, given={"target": 10}), 0)
    view = view._replace(
        question=Question("answer call", (0,)), round=view.round._replace(scores=scores * 2)
    )
    assert said("kaiserspiel", view, "resign") == code


@pytest.mark.parametrize(
    ("gone", "code"), [([], "keep_best"), (["9-9"], "keep_best_left"), (["0-9"], "keep_best")]
)
def test_auf_und_ab_the_second_best_number_is_the_best_once_that_is_gone(
    gone: list[str], code: str
) -> None:
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)._replace(
        mode=UP, hand=NUMBERS.mask(["4-7", "5-7", "8-9"]), number=5, quantity=1, owner=1
    )
    view = view._replace(gone=NUMBERS.mask(gone), pile=0)
    assert said("aufundab", view, "pass") == code


def test_a_higher_price_of_the_same_is_no_reason_and_a_lower_one_is() -> None:
    """Seat 2 does not want purple, and wins the trick with a blue or with a purple nine."""
    game = GAMES["sticheln"]
    view = game.observe(dealt(game, 3), 2)
    view = view._replace(
        stage="play",
        actors=(2,),
        hand=in_order([COLOURS.index(card) for card in ("B9", "P9", "P1")]),
        trick=bytes(COLOURS.index(card) for card in ("Y5", "P8")),
        tricks=view.tricks._replace(leader=0),
        round=view.round._replace(chosen=tuple(map(COLOURS.index, ("R3", "G3", "P3")))),
    )
    cheap, dear = Considered("play B9"), Considered("play P9")
    for best, other, prices in ((cheap, dear, [6]), (dear, cheap, [])):
        found, _ = reasons_for(game, view, best, [other])
        costs = [one.params["left"] for one in found if one.code == "advice_costs"]
        assert costs == prices


def test_auf_und_ab_what_belongs_together_once_the_arrow_turns() -> None:
    game = GAMES["aufundab"]
    state = dealt(game, 3)
    view = game.observe(state, state.actor)
    hand = NUMBERS.mask(["4-7", "4-9", "2-4", "3-4", "4-4", "9-9"])
    view = view._replace(mode=UP, hand=hand, number=3, quantity=2, owner=(state.actor + 1) % 3)
    best, other = Considered("play 4-7 4-9"), Considered("play 4-4 4-7")
    found, _ = reasons_for(game, view, best, [other])
    assert "advice_sets_turned" not in [one.code for one in found], "nothing turns it"
    view = view._replace(changes=1)
    found, same = reasons_for(game, view, best, [other])
    assert ("advice_sets_turned", {"count": 3, "number": 4, "symbol": "▼"}) in [
        (one.code, dict(one.params)) for one in found
    ]
    assert not same


@pytest.mark.parametrize(
    ("game", "hand", "text", "code"),
    [
        ("sticheln", "R2 R4 B9", "play R4", "highest"),
        ("sticheln", "R2 R4 B9", "play R2", "keeps_higher"),
        ("sticheln", "R2 R4 B9", "play B9", None),
        ("auffalscherfaehrte", "Y2 Y8 B9", "play Y8", "highest"),
        ("auffalscherfaehrte", "Y2 Y8 B9", "play Y2", "keeps_higher"),
        ("auffalscherfaehrte", "Y2 B9 J J", "play Y2", None),
        ("auffalscherfaehrte", "Y2 B9 J J", "play J", None),
    ],
)
def test_which_card_of_its_colour_it_is_tells_two_of_them_apart(
    game: str, hand: str, text: str, code: str | None
) -> None:
    view = GAMES[game].observe(dealt(GAMES[game], 3), 2)
    if game == "sticheln":
        cards = in_order([COLOURS.index(card) for card in hand.split()])
        chosen = tuple(map(COLOURS.index, ("R3", "G3", "P3")))
        view = view._replace(
            stage="play", actors=(2,), hand=cards, trick=b"",
            round=view.round._replace(chosen=chosen),
        )  # fmt: skip
    else:
        round_ = view.round._replace(trump=0, aside=b"")
        cards = hand_of(hand.split())
        view = view._replace(stage="play", actors=(2,), hand=cards, trick=b"", round=round_)
    found = [one.code for one in GAMES[game].advice(view, GAMES[game].parse_action(text))]
    told = [one for one in found if one in ("advice_highest", "advice_keeps_higher")]
    assert told == ([] if code is None else [f"advice_{code}"])


def test_what_was_hardly_looked_at_is_not_compared() -> None:
    """Of a hundred deals a figure may be far off."""
    best = Considered("play AK", 0.0, 0.7, 2_600)
    enough = Considered("play A6", 0.0, 0.72, 130, thumb=True)
    seldom = Considered("play A5", 0.0, 0.72, 129, thumb=True)
    info = GAMES["kaiserspiel"].info
    assert opinion_of((best, enough), info) == (enough, (best,), (), False)
    assert opinion_of((best, seldom), info) == (best, (), (), False)


def test_of_what_is_as_good_as_equal_a_hint_names_what_is_no_pass() -> None:
    info = GAMES["aufundab"].info
    passes, plays = Considered("pass", 0.0, 0.5, MANY), Considered("play 4-7", 0.0, 0.5, MANY)
    assert opinion_of((passes, plays), info) == (plays, (passes,), (), False)
    assert opinion_of((plays, passes), info) == (plays, (passes,), (), False)
    thumb = passes._replace(thumb=True)
    assert opinion_of((plays, thumb), info) == (thumb, (plays,), (), False)
    assert opinion_of((thumb, plays), info) == (thumb, (plays,), (), False)
    worse = plays._replace(won=0.3)
    assert opinion_of((passes, worse), info).best == passes


@pytest.mark.parametrize("deals", [0, 3])
def test_a_guess_is_what_rules_of_thumb_choose(deals: int) -> None:
    """Three deals tell less than they know."""
    best = Considered("play A6", 0.0, 1.0, 3)
    thumb = Considered("play A5", 0.0, 0.0, deals, None, True)
    assert opinion_of((best, thumb), GAMES["kaiserspiel"].info).best == thumb


def test_kaiserspiel_the_lowest_of_seven_plain_cards_are_that_of_all() -> None:
    view = _to_throw_out("AK AO AU A3 A2 S3 S4")
    game = GAMES["kaiserspiel"]
    codes = [one.code for one in game.advice(view, game.parse_action("discard A2 S3"))]
    assert "advice_lowest_of_all" in codes
    assert "advice_lowest" not in codes


@pytest.mark.parametrize(("hidden", "code"), [(False, "kaiser"), (True, "can")])
def test_kaiserspiel_a_partner_has_a_kaiser_that_nobody_has_seen_laid(
    hidden: bool, code: str
) -> None:
    """Seat 0 plays second to the last trick but one; that of shields is the partner's Kaiser."""
    game = GAMES["kaiserspiel"]
    first = [KAISER.index(card) for card in ["AO", "A3", "A4", "A5"]]
    if hidden:
        first[2] = HIDDEN_KAISER
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(["A2"]),
        kaisers=(0, 0, KAISER.mask(["SB"]), 0),
        tricks=Tricks(bytes([*first, KAISER.index("SK")]), (0, 3)),
        round=view.round._replace(special=1, opens=()),
    )
    found = [one.code for one in game.advice(view, game.parse_action("play A2"))]
    assert f"advice_partner_{code}" in found


@pytest.mark.parametrize(
    ("two", "said"),
    [("A3 A2", True), ("AK A2", False), ("A2 SB", False), ("A2 RU", False), ("AO A3", False)],
)
def test_kaiserspiel_the_lowest_of_what_cannot_become_a_trump(two: str, said: bool) -> None:
    view = _to_throw_out("R5 RU SB AK AO A3 A2")
    game = GAMES["kaiserspiel"]
    codes = [one.code for one in game.advice(view, game.parse_action(f"discard {two}"))]
    assert ("advice_lowest" in codes) is said


@pytest.mark.parametrize(
    ("game", "verb", "best", "other", "said"),
    [
        ("sticheln", "play", (0.744, 0.5), (0.51, 0.5), ("trick", 0.744, 0.51)),
        ("auffalscherfaehrte", "play", (1.0, 0.5), (0.51, 0.5), ("trick", 1.0, 0.51)),
        ("aufundab", "play", (0.744, 0.5), (0.744, 0.4), None),
        ("aufundab", "play", (0.744, 0.001), (0.51, 0.0), None),  # the round is lost anyway
        ("aufundab", "play", (0.2, 0.5), (0.51, 0.4), None),  # it tells against the best
        ("aufundab", "play", (0.51, 0.5), (0.2, 0.4), ("series", 0.51, 0.2)),
        ("aufundab", "pass", (0.0, 0.5), (0.51, 0.4), None),
        ("sticheln", "play", (0.2, 0.5), (0.51, 0.4), ("trick", 0.2, 0.51)),
        ("kaiserspiel", "play", (0.51, 0.5), (0.2, 0.5), ("pair", 0.51, 0.2)),
        ("kaiserspiel", "play", (0.2, 0.5), (0.51, 0.4), None),
        ("kaiserspiel", "pass", (None, 0.2), (None, 0.3), ("round", 0.2, 0.3, True)),
        ("kaiserspiel", "raise", (None, 0.62), (None, 0.6), ("round", 0.62, 0.6)),
        ("kaiserspiel", "accept", (None, 0.41), (None, 0.3), ("round", 0.41, 0.3)),
        ("kaiserspiel", "discard", (None, 0.62), (None, 0.6), None),
        ("sticheln", "choose", (None, 0.62), (None, 0.6), None),
        ("sticheln", "play", (1.0, 0.6), (0.0, 0.6), None),
        ("sticheln", "play", (0.999, 0.6), (1.0, 0.6), None),
        ("sticheln", "play", (0.01, 0.6), (0.0, 0.6), None),
    ],
)
def test_how_often_a_trick_is_taken_is_said_where_it_is_not_sure(
    game: str,
    verb: str,
    best: tuple[float | None, float],
    other: tuple[float | None, float],
    said: tuple[Any, ...] | None,
) -> None:
    """Where it is sure for both, the reasons tell; of the round it is said where words differ."""
    rows = [Considered(verb, 1.0, won, 10_000, takes) for takes, won in (best, other)]
    found = shares_of(GAMES[game], rows[0], rows[1])
    assert found == (None if said is None else Shares(*said))


@pytest.mark.parametrize(
    ("other", "told"), [(0.77, None), (0.89, None), (0.843, None), (0.7, 0.7), (0.95, None)]
)
def test_shares_that_differ_by_which_deals_were_looked_at_tell_nothing(
    other: float, told: float | None
) -> None:
    """Two cards that can neither win a trick nor lose it took it in 84 and in 77 of a hundred."""
    best = Considered("play A6", 0.0, 0.88, 900, 0.84)
    found = shares_of(GAMES["kaiserspiel"], best, Considered("play AK", 0.0, 0.81, 90, other))
    assert (found and found.best, found and found.other) == (told and 0.84, told)


def test_of_words_that_are_as_good_their_shares_of_rounds_are_told_and_no_reason() -> None:
    """More at stake is more for whoever wins: it speaks for a raise and against it."""
    game = GAMES["kaiserspiel"]
    state, seat = next(
        (state, seat)
        for state, seat in asked(game, 3)
        if "threeup" in [move.verb for move in game.observe(state, seat).legal_actions]
    )
    rows = (Considered("pass", 0.51, 0.61, 900), Considered("threeup", 0.5, 0.7, 900))
    stored = SimpleNamespace(seating=SimpleNamespace(places=range(4)), options={})
    table: Any = SimpleNamespace(game=game, stored=stored)
    head, seen = samples.head(4, game=game.info.id), game.observe(state, seat)
    view = advised(table, head, seen, opinion_of(rows, game.info))
    assert view.reasons == ()
    assert view.shares == Shares("round", 0.61, 0.7, pays=True)
    alone = advised(
        table, head, seen, opinion_of((rows[0], rows[1]._replace(value=0.3)), game.info)
    )
    assert alone.reasons, "one is better: the price says why"


@pytest.mark.parametrize(
    ("game", "rows", "close", "rivals"),
    [
        (
            "aufundab",
            [("play 4-5", 0, 0.51), ("play 4-6", 0, 0.5), ("play 4-7", 0, 0.55)],
            "21",
            "",
        ),
        ("aufundab", [("pass", 9, 0.51), ("play 4-6", 9, 0.48)], "", "1"),
        (
            "sticheln",
            [("play R1", 2.0, 0.5), ("play R2", 1.8, 0.1), ("play R3", 1.6, 0.5)],
            "1",
            "2",
        ),
        ("kaiserspiel", [("play AK", 9.8, 0.73), ("play A6", 9.3, 0.72)], "1", ""),
        ("kaiserspiel", [("discard AK A6", 9.8, 0.73), ("discard A6 A5", 9.3, 0.7)], "", "1"),
        (
            "kaiserspiel",
            [("play AK", 9.8, 0.73), ("play A6", 9.9, 0.6), ("play A5", 0.1, 0.62)],
            "",
            "21",
        ),
        ("kaiserspiel", [("accept", 9.8, 0.73), ("resign", 9.3, 0.72)], "", "1"),
    ],
)
def test_figures_that_hardly_differ_tell_no_two_actions_apart(
    game: str, rows: list[tuple[str, float, float]], close: str, rivals: str
) -> None:
    """Cards of a pair are told apart by rounds won: points depend on what is at stake."""
    advice = tuple(Considered(text, value, won, MANY) for text, value, won in rows)
    opinion = opinion_of(advice, GAMES[game].info)
    assert opinion.close == tuple(advice[int(at)] for at in close)
    assert opinion.rivals == tuple(advice[int(at)] for at in rivals)
    seldom = (advice[0], *(row._replace(visits=MANY // 20 - 1) for row in advice[1:]))
    assert opinion_of(seldom, GAMES[game].info) == (advice[0], (), (), False)


@pytest.mark.parametrize(
    ("rows", "best", "close", "rivals"),
    [
        (
            [("play BB", 0.73, False), ("play A6", 0.725, True), ("play A5", 0.72, False)],
            1,
            "02",
            "",
        ),
        (
            [("play BB", 0.73, False), ("play A6", 0.715, True), ("play A5", 0.72, False)],
            1,
            "02",
            "",
        ),
        ([("play BB", 0.73, False), ("play A6", 0.7, True), ("play A5", 0.72, False)], 0, "2", "1"),
        ([("play BB", 0.73, True), ("play A6", 0.73, False)], 0, "1", ""),
        ([("play BB", 1.0, False), ("play A6", 1.0, True)], 1, "0", ""),
    ],
)
def test_of_equal_figures_a_hint_names_what_the_rules_of_thumb_choose(
    rows: list[tuple[str, float, bool]], best: int, close: str, rivals: str
) -> None:
    """The highest trump, where the trick is the partner's, looks as good; nobody would play it."""
    advice = tuple(Considered(text, 0.0, won, MANY, None, thumb) for text, won, thumb in rows)
    opinion = opinion_of(advice, GAMES["kaiserspiel"].info)
    assert opinion.best == advice[best]
    assert opinion.close == tuple(advice[int(at)] for at in close)
    assert opinion.rivals == tuple(advice[int(at)] for at in rivals)


@pytest.mark.parametrize(
    ("deals", "best", "close", "rivals"),
    [
        (60, 1, "02", ""),  # one standard error is 0.08
        (1_500, 1, "0", "2"),  # 0.016
        (MANY, 0, "", "12"),
    ],
)
def test_shares_that_differ_by_chance_tell_no_two_actions_apart(
    deals: int, best: int, close: str, rivals: str
) -> None:
    """And of those the rules of thumb choose."""
    advice = (
        Considered("play BB", 0.0, 0.73, deals),
        Considered("play A6", 0.0, 0.7, deals, None, True),
        Considered("play A5", 0.0, 0.6, deals),
    )
    opinion = opinion_of(advice, GAMES["kaiserspiel"].info)
    assert opinion.best == advice[best]
    assert opinion.close == tuple(advice[int(at)] for at in close)
    assert opinion.rivals == tuple(advice[int(at)] for at in rivals)


def test_what_is_given_up_is_compared_with_nothing() -> None:
    accept, resign = Considered("accept", -8.0, 0.29, 900), Considered("resign", -14.0, 0.0, 90)
    game = GAMES["kaiserspiel"]
    assert shares_of(game, accept, resign) == Shares("round", 0.29, 0.0, given_up="other")
    passing, play = (
        Considered("pass", 9.0, 0.53, 900, 0.0),
        Considered("play 5-5", 8.0, 0.45, 90, 0.62),
    )
    series = GAMES["aufundab"]
    assert shares_of(series, passing, play) is None
    passing, play = passing._replace(won=0.4), play._replace(visits=900)
    assert shares_of(series, play, passing) == Shares("series", 0.62, 0.0, given_up="other")
    resign, accept = resign._replace(value=-7.0), accept._replace(won=0.09)
    assert shares_of(game, resign, accept) == Shares("round", 0.0, 0.09, True, "best")


def test_nothing_is_said_of_a_round_that_nobody_wins() -> None:
    void, given_up = Considered("accept", 0.0, 0.5, 300), Considered("resign", -7.0, 0.0, 300)
    assert shares_of(GAMES["kaiserspiel"], void, given_up) is None


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (0, "threeup", "first_five"),
        (0, "pass", "stakes"),
        (2, "threeup", "partner_five"),
        (2, "pass", "stakes"),
        (1, "threeup", "raise"),
    ],
)
def test_kaiserspiel_a_five_that_lies_open_speaks_for_its_pair(
    seat: int, action: str, code: str
) -> None:
    """Of a pair one has a card at the first pause; the captain may be the other."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4), seat)
    opens = bytes(KAISER.index(card) for card in ("R5", "SK"))
    view = view._replace(
        question=Question("call", (seat,), 1),
        hand=KAISER.mask({0: ["R5"], 1: ["SK"]}.get(seat, [])),
        round=view.round._replace(special=None, opens=opens, dealer=3),
        value=7,
    )
    assert said("kaiserspiel", view, action) == code


@pytest.mark.parametrize(
    ("value", "most", "code"),
    [(4, None, "tip_call_again"), (4, 10, "tip_call_again"), (4, 9, "tip_call")],
)
def test_kaiserspiel_three_up_may_be_answered_by_three_up_where_there_is_room(
    value: int, most: int | None, code: str
) -> None:
    view = GAMES["kaiserspiel"].observe(dealt(GAMES["kaiserspiel"], 4), 0)
    question, round_ = Question("call", (0,), 1), view.round._replace(most=most, special=1)
    found = tip(view._replace(question=question, value=value, round=round_))
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    ("trick", "hand", "tip_code", "text", "codes"),
    [
        # The partner has led; after seat 0 only seat 1 plays, who was dealt the Ober openly.
        ("AU A3", "AK S2", "tip_partner_threat", "play AK", ["beats_open", "wins_so_far", "keeps"]),
        ("AU A3", "AK S2", "tip_partner_threat", "play S2", ["partner", "keeps"]),
        ("AK A3", "A4 S2", "tip_partner_open", "play A4", ["partner", "keeps"]),
        ("SU A3", "SK S2", "tip_partner_open", "play SK", ["wins_so_far", "keeps"]),
    ],
)
def test_kaiserspiel_an_open_card_of_whoever_still_plays_is_reckoned_with(
    trick: str, hand: str, tip_code: str, text: str, codes: list[str]
) -> None:
    game = GAMES["kaiserspiel"]
    before = bytes(KAISER.index(card) for card in trick.split())
    opens = bytes(KAISER.index(card) for card in ("AO", "RK", "R2", "S5"))
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(["R5", *hand.split()]),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(before, (2,)),
        round=view.round._replace(special=1, opens=opens, dealer=0),
    )
    found = tip(view)
    assert found is not None
    assert found.code == tip_code
    said_of = game.advice(view, game.parse_action(text))
    assert [one.code.removeprefix("advice_") for one in said_of] == codes


@pytest.mark.parametrize(
    ("trick", "hand", "code"),
    [
        ("R7 A3", "S2 AK", "tip_follow_seven"),
        ("R7 RU", "S2 AK", "tip_lost"),
        ("R7 RU", "R5 AK", "tip_follow"),
        ("R7 RU A3", "R5 AK", "tip_partner"),
    ],
)
def test_kaiserspiel_the_seven_is_said_to_win_only_while_it_does(
    trick: str, hand: str, code: str
) -> None:
    game, before = GAMES["kaiserspiel"], bytes(map(KAISER.index, trick.split()))
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=PLAYS[0],
        hand=KAISER.mask(hand.split()),
        kaisers=(0, 0, 0, 0),
        tricks=Tricks(before, (4 - len(before),)),
        round=view.round._replace(special=1, opens=(), dealer=0),
    )
    found = tip(view)
    assert found is not None
    assert found.code == code


def test_kaiserspiel_before_the_tricks() -> None:
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=Question("discard", (0,)),
        hand=KAISER.mask(["R5", "A2", "A3", "A4", "SB"]),
        kaisers=(0, 0, 0, 0),
        round=view.round._replace(special=1, opens=()),
        value=7,
    )
    assert said("kaiserspiel", view, "discard A3 A2") == "banner_kept"
    assert said("kaiserspiel", view, "discard A3 SB") == "banner_gone"
    assert said("kaiserspiel", view, "kaiser SB") == "kaiser"
    opened = view._replace(round=view.round._replace(opens=(KAISER.index("SB"),)))
    assert said("kaiserspiel", opened, "discard A3 A2") == "keep_trumps"
    assert said("kaiserspiel", opened, "discard A3 R5") == "no_trump_left"
    two = opened._replace(hand=KAISER.mask(["R5", "R2", "A3", "A4", "SB"]))
    assert said("kaiserspiel", two, "discard A3 R5") == "trumps_left"
    plain = opened._replace(hand=KAISER.mask(["RK", "A2", "A3", "A4", "SB"]))
    assert said("kaiserspiel", plain, "discard A3 A2") == "no_trumps"


@pytest.mark.parametrize(
    ("hand", "action", "code"),
    [
        ("R5 R2 SB A4 B3", "accept", "accept"),
        ("R5 R2 R6 A4 B3", "accept", "many_trumps"),
        ("R5 R2 R6 A4 B3", "raise 3", "many_trumps"),
        ("R5 R2 R6 A4 B3", "resign", "resign"),
        ("R5 R2 SB A4 B3", "resign", "resign"),
        ("R5 RK S7 A4 B3", "resign", "one_trump"),
        ("R5 RK SB A4 B3", "resign", "resign"),  # a Banner that may become a trump
        ("RO RK S7 A4 B3", "resign", "trumpless"),
        ("RO RK SB A4 B3", "resign", "resign"),
        ("RO RK SB A4 B3", "raise 1", "raise_1"),
        ("RO RK SB A4 B3", "raise 3", "raise"),
        ("R5", "accept", "first_trump"),
        ("RK", "resign", "first_no_trump"),
        ("R5", "resign", "resign"),
        ("R5 A4 B3", "raise 1", "trumps_so_far"),
    ],
)
def test_kaiserspiel_an_offer_by_the_trumps_in_hand(hand: str, action: str, code: str) -> None:
    """Roses are special, and nobody has a Kaiser."""
    game = GAMES["kaiserspiel"]
    view = game.observe(dealt(game, 4), 0)
    view = view._replace(
        question=Question("answer 3", (0,)),
        hand=KAISER.mask(hand.split()),
        kaisers=(0, 0, 0, 0),
        round=view.round._replace(special=1, opens=()),
        value=7,
    )
    assert said("kaiserspiel", view, action) == code
