"""The rules that a table may choose, in words."""

from __future__ import annotations

import pytest

from bot.answer.house_rules import lengths, read_form, read_rules, suggested, wordings
from bot.i18n import texts
from bot.render.options_form import Filled
from bot.tables.customs import USUAL_CUSTOMS, Customs, offered
from bot.tables.model import TableError
from engine.game import AnyGame, NotationError, Options
from engine.registry import games

EN = texts("en")
STICHELN = games()["sticheln"].info
FAEHRTE = games()["auffalscherfaehrte"].info
AUF = games()["aufundab"].info
KAISER = games()["kaiserspiel"].info


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_value_of_every_switch_can_be_named_and_is_suggested(game: AnyGame) -> None:
    info = game.info
    found = wordings(info, EN)
    values = [(spec.key, value) for spec in info.table_options for value in spec.values]
    customs = [(name, on) for name in offered(info) for on in (True, False)]
    assert [(one.key, one.value) for one in found.values()] == [*values, *customs]
    for words, one in found.items():
        assert "," not in words
        assert len(words) <= 50
        for typed in (words, words.upper(), f"  {words} ,", words.replace(" ", "  ")):
            agreed = read_rules(info, typed, EN)
            assert agreed.given == ({} if one.custom else {one.key: one.value})
            assert getattr(agreed.customs, one.key, None) == (one.value if one.custom else None)
            game.complete_options(info.seats[0], agreed.given)
        assert words in suggested(info, words[:5], EN)
    assert suggested(info, "", EN) == [*found]


def test_several_rules_stand_beside_each_other() -> None:
    agreed = read_rules(FAEHRTE, "the same player starts every round, No Jokers", EN)
    assert agreed.given == {"next_leader": "again", "jokers": False}
    assert agreed.customs == USUAL_CUSTOMS
    assert read_rules(STICHELN, "zeros to the leader; ,zeros to the leader", EN).given == {
        "zeros": "leader"
    }
    assert read_rules(STICHELN, "", EN).given == {}
    forced = read_rules(STICHELN, "Your only legal card is played automatically", EN)
    assert (forced.given, forced.customs) == ({}, Customs(forced=True))
    passing = read_rules(AUF, "Automatic pass when nothing beats the set", EN)
    assert (passing.given, passing.customs) == ({}, Customs(passes=True))


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_the_refusal_names_all_that_there_is(game: AnyGame) -> None:
    with pytest.raises(TableError) as caught:
        read_rules(game.info, "with trumps", EN)
    said = EN.refusal(caught.value.code, dict(caught.value.params))
    assert said == (
        f"I don't know the rule “with trumps”. This game has: {', '.join(wordings(game.info, EN))}."
    )


def test_a_rule_and_its_opposite_are_refused() -> None:
    with pytest.raises(TableError) as caught:
        read_rules(STICHELN, "zeros to the leader, zeros set aside", EN)
    said = EN.refusal(caught.value.code, dict(caught.value.params))
    assert said == "Give either “zeros to the leader” or “zeros set aside”, not both."


def test_suggestions_go_on_from_what_stands_there() -> None:
    assert suggested(FAEHRTE, "no jokers, same", EN) == [
        "no jokers, the same player starts every round"
    ]
    assert suggested(FAEHRTE, "no jokers,", EN) == [
        "no jokers, the next player starts each round",
        "no jokers, the same player starts every round",
        "no jokers, hints can be asked for",
        "no jokers, no hints",
        "no jokers, your only legal card is played automatically",
        "no jokers, no card is played automatically",
        "no jokers, played for the leaderboard",
        "no jokers, for fun: on no leaderboard",
        "no jokers, seats drawn by lot when the match begins",
        "no jokers, seats not drawn by lot",
    ]
    assert suggested(FAEHRTE, "nonsense, with", EN) == ["with jokers"]
    assert suggested(FAEHRTE, "x" * 200, EN) == []


def test_lengths_that_are_usual_are_offered_and_any_that_is_typed() -> None:
    usual = [(f"{count} rounds: usual with {count} players", count) for count in STICHELN.seats]
    assert lengths(STICHELN, "", EN) == usual
    assert lengths(STICHELN, "4", EN) == usual[1:2]
    assert lengths(STICHELN, "", EN, seats=5) == [("5 rounds: usual with 5 players", 5)]
    assert lengths(STICHELN, "", EN, seats=99) == usual, "there is no such number"
    assert lengths(STICHELN, "1", EN) == [("1 round", 1)]
    assert lengths(STICHELN, "41", EN) == lengths(STICHELN, "many", EN) == []


def test_kaiserspiel_offers_a_short_match_and_the_championships() -> None:
    assert lengths(KAISER, "", EN) == [
        ("41: a short match", 41),
        ("101: as at the championship", 101),
    ]
    assert lengths(KAISER, "10", EN) == [
        ("to 10 points", 10),
        ("101: as at the championship", 101),
    ]
    assert lengths(KAISER, "41", EN) == [("41: a short match", 41)]
    assert lengths(KAISER, "1001", EN) == lengths(KAISER, "9" * 5000, EN) == []
    assert games()["kaiserspiel"].complete_options(4, {})["target"] == 41


@pytest.mark.parametrize(
    ("filled", "given", "customs"),
    [
        (Filled({}, {}, frozenset()), {}, Customs(hints=False, counts=False)),
        (
            Filled({"hands": "3"}, {}, frozenset({"passes", "hints", "counts"})),
            {"hands": 3},
            Customs(passes=True),
        ),
        (
            Filled({"rounds": "3"}, {"zeros": "leader"}, frozenset({"hints", "counts"})),
            {},
            USUAL_CUSTOMS,
        ),
    ],
)
def test_a_form_is_read(filled: Filled, given: Options, customs: Customs) -> None:
    assert read_form(AUF, filled, USUAL_CUSTOMS) == (given, customs)


def test_a_form_keeps_customs_that_it_does_not_offer() -> None:
    before = Customs(forced=True, passes=True)
    filled = Filled({}, {}, frozenset({"hints"}))
    assert read_form(AUF, filled, before).customs == Customs(forced=True, counts=False)
    assert read_form(AUF, filled, before, alone=True).customs == Customs(forced=True)


@pytest.mark.parametrize(
    ("numbers", "switches", "key"),
    [
        ({"rounds": "many"}, {}, "rounds"),
        ({"rounds": "-1"}, {}, "rounds"),
        ({}, {"zeros": "on"}, "zeros"),
    ],
)
def test_nonsense_in_a_form_is_refused(
    numbers: dict[str, str], switches: dict[str, str], key: str
) -> None:
    with pytest.raises(NotationError) as caught:
        read_form(STICHELN, Filled(numbers, switches, frozenset()), USUAL_CUSTOMS)
    assert (caught.value.code, caught.value.params) == ("option_type", {"key": key})


@pytest.mark.parametrize("on", [True, False])
def test_a_box_that_is_ticked_is_an_option_that_is_on(*, on: bool) -> None:
    ticks = frozenset({"jokers", "hints"} if on else {"hints"})
    read = read_form(games()["auffalscherfaehrte"].info, Filled({}, {}, ticks), USUAL_CUSTOMS)
    assert read.given == {"jokers": on}
