"""Words: catalogues, names, and that nothing is left without words."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.pofile import read_po
from structlog.testing import capture_logs

from bot.i18n import (
    Markdown,
    languages,
    relative,
    rules_pages,
    safe_name,
    safe_text,
    texts,
    typed,
)
from bot.render.preferences import QUIET_FIELDS
from bot.tables.ending import Ending, Leaving, Removal
from bot.tables.model import TableCode
from bot.tables.ports import Order, Period
from bot.tables.preferences import CHOICES
from bot.tables.stored import Pace, Stop
from bot.tables.when import TIME_WORDS
from bot.views.preferences import Subject
from engine.game import AnyGame, Options
from engine.layout import Cards, Phrase, SeatName, Suit
from engine.options import worth_saying
from engine.registry import games

EN = texts("en")
ROOT = Path(__file__).parents[2]
NAMES = ("Ann", "B*b", "")


def _sources(*folders: str) -> str:
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return "\n".join(path.read_text(encoding="utf-8") for path in found)


def _codes(pattern: str, *folders: str) -> set[str]:
    return set(re.findall(pattern, _sources(*folders)))


def test_other_locales_fall_back_to_english() -> None:
    assert languages()[0] == "en"
    for locale in ("en-GB", "en_US", "xx", "", "zh-TW"):
        assert texts(locale) is EN


def test_a_missing_text_is_its_code_and_is_logged() -> None:
    with capture_logs() as logs:
        assert EN.get("no.such.code") == "no.such.code"
        assert EN.get("seat.number") == "seat.number"
    assert [entry["event"] for entry in logs] == ["text_missing", "text_parameter_missing"]


def test_count_chooses_the_plural() -> None:
    assert EN.get("seat.cards", count=1) == "1 card"
    assert EN.get("seat.cards", count=2) == "2 cards"
    assert EN.get("seat.cards", count=0) == "0 cards"
    for points, said in ((1, "1 point"), (2, "2 points")):
        costs = EN.phrase("sticheln", Phrase("advice_costs", {"left": points}), NAMES)
        assert costs.endswith(said)


def test_phrases_name_people_and_show_cards() -> None:
    played = Phrase("played", {"seat": SeatName(1), "cards": Cards(("6-6x2", "6-8"))})
    assert EN.phrase("aufundab", played, NAMES) == "B\\*b: 6‑6×2 6‑8"
    assert EN.phrase("aufundab", played, NAMES, plain=True) == "B*b: 6‑6×2 6‑8"
    empty = Phrase("passed", {"seat": SeatName(2)})
    assert EN.phrase("aufundab", empty, NAMES) == "Seat 3 passes"
    assert EN.phrase("aufundab", Phrase("passed", {"seat": SeatName(9)}), NAMES) == "Seat 10 passes"


def test_what_the_house_tells_of_a_table_is_said_in_every_game() -> None:
    late = Phrase("table.time_up", {"seat": SeatName(1)})
    for game in games():
        assert EN.phrase(game, late, NAMES) == "B\\*b ran out of time"
        assert EN.phrase(game, late, NAMES, plain=True) == "B*b ran out of time"
        assert not any(EN.knows(code, game) for code in ("table.time_up", "table.stand_in"))
    taken = Phrase("table.stand_in", {"seat": SeatName(2)})
    assert EN.phrase("sticheln", taken, NAMES) == "🪑 a stand-in takes over for Seat 3"


def test_moments_and_durations() -> None:
    moment = relative(datetime(2026, 1, 1, tzinfo=UTC))
    assert moment == "<t:1767225600:R>"
    assert EN.refusal("not_your_turn_until", {"name": "Ben", "time": moment}) == (
        "It's Ben's turn (time runs out <t:1767225600:R>). Your cards are safe."
    )
    assert EN.duration(timedelta(seconds=7)) == "7 seconds"
    assert EN.duration(timedelta(minutes=3, seconds=10)) == "3 minutes"


def test_refusals_of_tables_and_games() -> None:
    assert "3 people" in EN.refusal("too_few", {"needed": 3, "seated": 2})
    held = EN.refusal("not_in_hand", {"cards": ("3-6", "4-5")}, "aufundab")
    assert held.startswith("You don't hold 3‑6 4‑5.")
    typed = EN.refusal("unknown_action", {"text": "*x* @here"}, "aufundab")
    assert "\\*x\\* @\u200bhere" in typed
    said = EN.refusal("not_your_turn", {"name": safe_name("B*b")})
    assert EN.refusal("too_fast", {"seconds": 40, "count": 1}).endswith("in 1 minute.")
    assert EN.refusal("too_fast", {"seconds": 400, "count": 7}).endswith("in 7 minutes.")
    assert "B\\*b" in said
    assert "\\\\" not in said


def test_cards_and_suits_of_games_that_have_suits() -> None:
    assert EN.card("sticheln", "R5") == "❤️\u20605"
    assert EN.card_name("sticheln", "R5") == "❤️ red 5"
    assert EN.card_name("kaiserspiel", "RK") == "🌹 King of roses"
    assert EN.card("auffalscherfaehrte", "J") == "🃏"
    assert EN.card_name("auffalscherfaehrte", "J") == "🃏 joker"
    assert EN.card("aufundab", "6-6x2") == "6‑6×2"
    assert EN.card_name("aufundab", "6-8") == "6‑8"
    assert EN.suit_mark("sticheln", "S") == "🪨"
    assert EN.suit_mark("aufundab", "6") == ""
    assert EN.suit_colour("sticheln", "B") == 0x12357A
    assert EN.suit_colour("kaiserspiel", "R") is None
    led = Phrase("led", {"suit": Suit("Y")})
    assert EN.phrase("sticheln", led) == "led: ⭐\u00a0yellow"


def test_every_sign_behind_a_card_has_a_legend() -> None:
    for game in games():
        file = files("data") / "games" / game / "locales" / "en.po"
        text = file.read_text(encoding="utf-8")
        marks, legends = (re.findall(rf'"{kind}\.(\w+)"', text) for kind in ("mark", "legend"))
        assert set(marks) <= set(legends)
    signs = [EN.sign("aufundab", mark) for mark in ("double", "twice", "change", "playable")]
    assert [*signs, EN.sign("kaiserspiel", "kaiser")] == ["", "×2", "▲▼", "", "♛"]


def test_refusals_name_cards_and_suits_by_their_marks() -> None:
    said = EN.refusal(
        "must_follow_suit", {"suit": "Y", "cards": ("Y3", "Y8")}, "auffalscherfaehrte"
    )
    assert "⭐\u20603 ⭐\u20608" in said
    assert "⭐\u00a0yellow" in said


def test_losses_have_a_real_minus_sign() -> None:
    assert EN.get("seat.points", count=-2) == "−2 points"


def test_a_game_may_have_words_of_its_own() -> None:
    assert EN.own("aufundab", "option.target", count=2) == "to 2 points"
    assert EN.own("aufundab", "seat.cards", count=2) == "2 cards"


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_option_has_its_words(game: AnyGame) -> None:
    said: list[str] = []
    with capture_logs() as logs:
        for spec in game.info.table_options:
            if spec.kind == "int":
                said += [EN.option(game.info.id, spec.key, value) for value in (1, 5)]
            else:
                said.append(EN.own(game.info.id, f"option.{spec.key}"))
                said += [EN.option(game.info.id, spec.key, value) for value in spec.values]
    assert logs == [], "a switch has a name, and words for each of its values"
    assert len(set(said)) == len(said)


def test_numbers_are_said_and_switches_that_are_on_or_not_as_usual() -> None:
    cases: list[tuple[str, Options, str]] = [
        ("aufundab", {}, "4 rounds"),
        ("aufundab", {"target": 50}, "to 50 points"),
        ("auffalscherfaehrte", {}, "8 rounds"),
        ("auffalscherfaehrte", {"jokers": True}, "8 rounds · with jokers"),
        (
            "auffalscherfaehrte",
            {"next_leader": "again"},
            "8 rounds · the same player starts every round",
        ),
        ("sticheln", {"zeros": "aside"}, "4 rounds"),
        ("sticheln", {"zeros": "leader"}, "4 rounds · zeros to the leader"),
        ("kaiserspiel", {}, "to 41 points"),
    ]
    for game, given, said in cases:
        rules = games()[game]
        options = worth_saying(rules.info, 4, rules.complete_options(4, given))
        assert " · ".join(EN.option(game, *one) for one in options.items()) == said


def test_numbers_and_lists() -> None:
    assert EN.number(1234.55, 1) == "1,234.6"
    assert EN.number(-3) == "−3"
    assert EN.signed(12) == "+12"
    assert EN.signed(0) == "0"
    assert EN.list(["a", "b"]) == "a and b"


def test_what_is_escaped_is_not_escaped_again() -> None:
    once = safe_text("a*b")
    assert isinstance(once, Markdown)
    assert safe_text(once) is once


def test_what_is_read_can_be_typed() -> None:
    assert typed("play 6‑6×2 6‑8") == "play 6-6x2 6-8"


def test_rules_fall_back_to_english_and_unknown_games_have_none() -> None:
    pages = rules_pages("aufundab", "en")
    assert len(pages) > 1
    assert rules_pages("aufundab", "xx") == pages
    assert rules_pages("nothing", "en") == ()


# Everything has words


def test_every_code_of_the_renderers_and_the_cogs_has_words() -> None:
    literal = r"""\.(?:get|say)\(\s*['"]([a-z_]+(?:\.[a-z_]+)+)['"]"""
    codes = _codes(literal, "bot/answer", "bot/publish", "bot/render", "bot/tables", "cogs")
    codes |= _codes(r'"((?:retired|trouble)\.[a-z_]+)"', "bot/publish")
    codes |= _codes(r'"((?:leave|end|sit|start|ready)\.[a-z_]+)"', "cogs")
    codes |= {f"seat.{mark}" for mark in ("leads", "partner", "out", "you")}
    codes |= {f"result.stopped_{stop}" for stop in Stop}
    codes |= {*Ending, *Leaving, *Removal} | {f"pace.{pace}" for pace in Pace}
    codes |= {f"period.{period}" for period in Period}
    codes |= {f"order.{order}" for order in Order}
    codes |= {f"verify.after_{when}" for when in ("round", "match")}
    codes |= {f"prefer.{name}" for name in (*Subject, *CHOICES)}
    offered = {f"prefer.{name}.{one}" for name, choices in CHOICES.items() for one in choices}
    codes |= offered | {f"{code}.told" for code in offered}
    codes |= {f"quiet.{name}" for name in QUIET_FIELDS}
    codes |= {f"when.{name}" for name in TIME_WORDS}
    codes |= {f"take_back.{state}" for state in ("asked", "waits", "refused")}
    codes |= {"closed.expired", "closed.ended", "verify.deal", "trick.winning"}
    assert len(codes) > 60
    assert sorted(code for code in codes if not EN.knows(code)) == []


def test_every_refusal_of_a_table_has_words() -> None:
    codes = set[str](get_args(TableCode)) | {"not_host_named", "alone_busy"}
    codes |= {f"not_your_turn{ending}" for ending in ("_until", "_several", "_several_until")}
    assert sorted(code for code in codes if not EN.knows(f"table.error.{code}")) == []


def test_everything_that_the_house_tells_in_a_log_has_words() -> None:
    codes = _codes(r'Phrase\(\s*"(table\.[a-z_]+)"', "bot/tables")
    assert codes == {"table.time_up", "table.stand_in", "table.taken_back"}
    assert all(EN.knows(code) for code in codes)


def _refusals(*files: Path) -> set[str]:
    raised = r'(?:RuleError|NotationError)\(\s*"([a-z_]+)"'
    return {code for file in files for code in re.findall(raised, file.read_text("utf-8"))}


@pytest.mark.parametrize("game", games())
def test_every_refusal_of_a_game_has_words(game: str) -> None:
    """What its modules raise, and what the engine raises for every game."""
    shared = {"deal", "cards", "notation", "options", "tricks"}
    own = _refusals(*(ROOT / "engine" / "games" / game).glob("*.py"))
    codes = own | _refusals(*(ROOT / "engine" / f"{name}.py" for name in shared))
    assert len(own) > 10
    unknown = [code for code in codes if not EN.knows(f"error.{code}", game)]
    assert sorted(code for code in unknown if not EN.knows(f"error.{code}")) == []


def test_catalogues_have_no_code_twice_and_no_empty_text() -> None:
    file = files("data") / "locales" / "en" / "LC_MESSAGES" / "stammtisch.po"
    text = file.read_text(encoding="utf-8")
    codes = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    assert len(codes) == len(set(codes))
    with file.open("rb") as opened:
        for message in read_po(opened):
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            assert all(strings)


def test_every_text_of_the_house_is_used() -> None:
    file = files("data") / "locales" / "en" / "LC_MESSAGES" / "stammtisch.po"
    codes = re.findall(r'^msgid "(.+)"$', file.read_text(encoding="utf-8"), re.MULTILINE)
    sources = _sources("bot", "cogs", "engine")
    built = re.compile(
        r"(table\.error|error|when|number|option|options|custom|seat|level|pace|parameter|period|order|permission|deck|picture|prefer|quiet|setting|subject|demo|take_back)\.|result\.stopped|verify\.after"
    )
    quoted = set(re.findall(r"['\"]([\w.]+)(?=['\"])", sources))
    assert [c for c in codes if c not in quoted and built.match(c) is None] == []
