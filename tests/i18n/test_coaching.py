"""What decisions are for, and why cards cannot be played, in words of every catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, Final

import pytest

from bot.i18n import Texts, rules_pages, texts
from engine.game import AnyGame, Options, Seat
from engine.games.auffalscherfaehrte.cards import hand_of
from engine.games.aufundab.cards import DOWN
from engine.games.aufundab.cards import PACK as NUMBERS
from engine.games.kaiserspiel.cards import PACK as KAISER
from engine.games.kaiserspiel.questions import Question
from engine.layout import Barred, Cards, Layout, Phrase, Suit
from engine.registry import games
from tests.render import matches

EN: Final = texts("en")
LONGEST: Final = {"en": 100, "de": 105, "fr": 105}
"""Characters of one line at the most, so that it takes little of a phone."""
RARE: Final = {
    "aufundab": {"why_nothing_below"},
    "auffalscherfaehrte": {"tip_only_jokers", "tip_after_all_jokers", "tip_trump_end"},
    "kaiserspiel": {
        *("tip_raise_1", "why_was_open", "why_already_kaiser"),
        *("tip_answer", "tip_answer_1", "tip_call"),  # in the shortest matches every round decides
        *("tip_declare_void", "tip_offer_void", "tip_lift_void", "tip_answer_void"),
    },
}
"""What random play hardly ever comes to; tests of their own do."""


def asked(game: AnyGame) -> Iterator[tuple[Any, Seat, Layout]]:
    """Every seat that is asked something, in some matches with every number of seats and option."""
    for table in matches.tables():
        if table.game.info.id != game.info.id:
            continue
        for seed in (1, 2, 3):
            for position in matches.positions(str(table), seed):
                for seat in game.actors(position.state):
                    if seat >= 0:
                        yield position.state, seat, game.layout(game.observe(position.state, seat))


def catalogue(game: str, kind: str, ending: str = "") -> set[str]:
    """The codes of a kind in a game's catalogue."""
    file = files("data") / "games" / game / "locales" / "en.po"
    code = rf'^msgid "({kind}_[a-z0-9_]+{re.escape(ending)})"'
    return set(re.findall(code, file.read_text("utf-8"), re.MULTILINE))


def line(game: str, said: Phrase, texts: Texts = EN) -> str:
    assert texts.knows(said.code, game), f"{said.code} has no words"
    words = texts.phrase(game, said, matches.NAMES)
    assert words != said.code, f"{said} lacks a parameter"
    return words


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_kind_of_decision_says_in_one_line_what_it_is_for(game: AnyGame) -> None:
    seen = set()
    for _, seat, layout in asked(game):
        assert layout.tip is not None, seat
        for language, longest in LONGEST.items():
            said = line(game.info.id, layout.tip, texts(language))
            assert len(said) <= longest, said
            assert "{" not in said
            assert "\n" not in said
        seen.add(layout.tip.code)
    unseen = catalogue(game.info.id, "tip") - seen
    assert unseen <= RARE.get(game.info.id, set()), "no decision is said to be that"
    assert len(seen) >= 3


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_reason_quotes_its_rule_as_the_rules_say_it(game: AnyGame) -> None:
    pages, seen = rules_pages(game.info.id, "en"), set()
    reasons: list[Barred] = [why for _, _, layout in asked(game) for why in layout.barred]
    for barred in reasons:
        assert "{" not in line(game.info.id, barred.why)
        seen.add(barred.why.code)
    codes = catalogue(game.info.id, "why")
    assert codes - seen <= RARE.get(game.info.id, set()), "no card is barred for that"
    idle = {barred.why.code for barred in reasons if barred.idle}
    assert {f"{code}.rule" for code in codes - idle} == catalogue(game.info.id, "why", ".rule")
    for code in codes - idle:
        rule = EN.own(game.info.id, f"{code}.rule")
        assert sum(rule in page for page in pages) == 1, f"{code}: no page says {rule!r}"


RAREST: Final[list[tuple[str, Options, str, Callable[[Any], Any]]]] = [
    (
        "auffalscherfaehrte",
        {"jokers": True},
        "tip_only_jokers",
        lambda view: view._replace(
            stage="play", actors=(1,), hand=hand_of(["J"]),
            trick=hand_of(["J"]), round=view.round._replace(number=1),
        ),
    ),
    (
        "auffalscherfaehrte",
        {"jokers": True},
        "tip_after_all_jokers",
        lambda view: view._replace(
            stage="play", actors=(1,), hand=hand_of(["R1"]),
            trick=hand_of(["J", "J", "J"]), round=view.round._replace(number=1),
        ),
    ),
    (
        "auffalscherfaehrte",
        {"jokers": True, "rounds": 1},
        "tip_trump_end",
        lambda view: view._replace(
            stage="trump", actors=(1,), hand=b"", round=view.round._replace(number=1)
        ),
    ),
    (
        "kaiserspiel",
        {},
        "tip_raise_1",
        lambda view: view._replace(question=Question("raise by 1", (1,), 3)),
    ),
    (
        "kaiserspiel",
        {},
        "tip_answer",
        lambda view: view._replace(question=Question("answer 3", (1,), 3)),
    ),
    (
        "kaiserspiel",
        {},
        "tip_answer_1",
        lambda view: view._replace(question=Question("answer 1", (1,), 3)),
    ),
    (
        "kaiserspiel",
        {},
        "why_was_open",
        lambda view: view._replace(
            question=Question("declare", (1,), 3), hand=KAISER.mask(["RB"]),
            round=view.round._replace(opens=(KAISER.index("RB"),), dealer=0),
        ),
    ),
    (
        "kaiserspiel",
        {},
        "why_already_kaiser",
        lambda view: view._replace(
            question=Question("declare", (1,), 3), hand=KAISER.mask(["RB"]),
            kaisers=(0, KAISER.mask(["RB"]), 0, 0),
        ),
    ),
    (
        "aufundab",
        {},
        "why_nothing_below",
        lambda view: view._replace(
            actor=1, hand=NUMBERS.mask(["1-1", "2-3"]), mode=DOWN, number=0, quantity=1, owner=0,
            round=view.round._replace(number=1),
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "given", "code", "put"), RAREST, ids=[one[2] for one in RAREST])
def test_what_random_play_hardly_comes_to_is_said_too(
    game: str, given: Options, code: str, put: Callable[[Any], Any]
) -> None:
    found = games()[game]
    state = found.initial(4, found.complete_options(4, given))
    layout = found.layout(put(found.observe(state, 1)))
    said = [layout.tip, *(barred.why for barred in layout.barred)]
    assert code in [one.code for one in said if one is not None]
    assert code in RARE[game]


def test_why_not_names_the_cards_of_the_colour_that_must_be_followed() -> None:
    view = next(
        layout for _, _, layout in asked(games()["auffalscherfaehrte"]) if layout.barred
        and layout.barred[0].why.code == "why_follow"
    )  # fmt: skip
    (barred, *_) = view.barred
    held = barred.why.params["cards"]
    assert isinstance(held, Cards)
    colour = barred.why.params["suit"]
    assert isinstance(colour, Suit)
    assert {card[0] for card in held.codes} == {colour.code}
    said = line("auffalscherfaehrte", barred.why)
    assert said.startswith(EN.suit("auffalscherfaehrte", colour.code) + " was led and you hold ")
    assert said.endswith(": you must follow.")
