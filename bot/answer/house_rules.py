"""House rules typed behind `rules:` or ticked in a form, as options of a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from bot.answer.given import whole
from bot.i18n import Markdown, Texts, safe_text
from bot.render.components import OPTION, OPTIONS
from bot.render.options_form import ON_OFF, Filled
from bot.tables.customs import USUAL_CUSTOMS, Customs, offered
from bot.tables.model import TableError
from engine.game import GameInfo, NotationError, OptionSpec, OptionValue


class ChosenRules(NamedTuple):
    """Chosen options of the match by key, and customs of the table."""

    given: Mapping[str, OptionValue]
    customs: Customs = USUAL_CUSTOMS


class Wording(NamedTuple):
    """One setting of a switch: of the match, or (`custom`) of the table."""

    key: str
    value: OptionValue
    custom: bool


def wordings(info: GameInfo, texts: Texts) -> dict[str, Wording]:
    """Everything that may be chosen at a game, by its words."""
    found = {
        texts.option(info.id, spec.key, value): Wording(spec.key, value, custom=False)
        for spec in info.table_options
        for value in spec.values
    }
    for name in offered(info):
        for on in (True, False):
            found[texts.custom(info.id, name, on=on)] = Wording(name, on, custom=True)
    return found


def read_rules(
    info: GameInfo, typed: str, texts: Texts, usual: Customs = USUAL_CUSTOMS
) -> ChosenRules:
    """The rules typed behind `rules:`, separated by commas; other customs are as `usual`.

    Raises TableError `no_such_rule` (rule, rules: the known ones), `no_rules` (the game has none),
    `rules_conflict` (rule, other).
    """
    known = {_plain(words): one for words, one in wordings(info, texts).items()}
    chosen: dict[tuple[str, bool], tuple[str, Wording]] = {}
    for words in _parts(typed):
        one = known.get(_plain(words))
        if one is None and not known:
            raise TableError("no_rules")
        if one is None:
            # Our own words, and all of them: what people typed would be cut.
            rules = Markdown(", ".join(wordings(info, texts)))
            raise TableError("no_such_rule", rule=safe_text(words), rules=rules)
        before = chosen.setdefault((one.key, one.custom), (words, one))
        if before[1].value != one.value:
            raise TableError("rules_conflict", rule=safe_text(before[0]), other=safe_text(words))
    agreed = [one for _, one in chosen.values()]
    customs = {one.key: bool(one.value) for one in agreed if one.custom}
    return ChosenRules(
        {one.key: one.value for one in agreed if not one.custom}, replace(usual, **customs)
    )


def suggested(info: GameInfo, current: str, texts: Texts) -> list[str]:
    """Continuations of the typed text: the rules before the last comma, and one more."""
    every = wordings(info, texts)
    known = {_plain(words): one for words, one in every.items()}
    *before, last = current.split(",")
    kept = [words for words in _parts(",".join(before)) if _plain(words) in known]
    taken = {(known[_plain(words)].key, known[_plain(words)].custom) for words in kept}
    following = [
        ", ".join([*kept, words])
        for words, one in every.items()
        if _plain(last) in _plain(words) and (one.key, one.custom) not in taken
    ]
    return [text for text in following if len(text) <= OPTION][:OPTIONS]


def lengths(
    info: GameInfo, current: str, texts: Texts, seats: object = None
) -> list[tuple[str, int]]:
    """How long a match may be, in words: lengths that have words of their own, else those that are
    usual with so many `seats`, or with one number of players or another.

    A number that was typed and may be meant comes first.
    """
    spec = next((one for one in info.options if one.parameter == "length"), None)
    if spec is None:
        return []
    typed = current.strip()
    value = whole(typed)
    offered = {one: texts.own(info.id, f"option.{spec.key}.{one}") for one in spec.offered}
    counts = [count for count in info.seats if seats in (None, count)] or info.seats
    offered = offered or dict(_usual_lengths(info, spec, counts, texts))
    found = [(words, one) for one, words in offered.items() if str(one).startswith(typed)]
    if value is not None and value not in offered and spec.minimum <= value <= spec.maximum:
        found.insert(0, (texts.option(info.id, spec.key, value), value))
    return found


def _usual_lengths(
    info: GameInfo, spec: OptionSpec, counts: Sequence[int], texts: Texts
) -> Iterator[tuple[int, str]]:
    """Lengths that matches have by default with these numbers of players, and with which each."""
    found = ((spec.default(seats), seats) for seats in counts)
    usual = sorted((value, seats) for value, seats in found if isinstance(value, int))
    for value, some in groupby(usual, key=lambda one: one[0]):
        players = texts.list([str(seats) for _, seats in some])
        length = texts.option(info.id, spec.key, value)
        yield value, texts.get("length.usual", length=length, players=players)


def read_form(
    info: GameInfo, filled: Filled, before: Customs, *, alone: bool = False
) -> ChosenRules:
    """The choices in a form of options; customs that it does not offer stay as they are.

    Raises NotationError `option_type` (key) for text that is no number, or no value of its switch.
    """
    given: dict[str, OptionValue] = {}
    for spec in info.table_options:
        if spec.kind == "int":
            typed = filled.numbers.get(spec.key)
            if typed is None:
                continue
            number = whole(typed)
            if number is None:
                raise NotationError("option_type", key=spec.key)
            given[spec.key] = number
        elif spec.values == ON_OFF:
            given[spec.key] = spec.key in filled.ticks
        elif (text := filled.switches.get(spec.key)) is not None:
            values = {str(value): value for value in spec.values}
            if text not in values:
                raise NotationError("option_type", key=spec.key)
            given[spec.key] = values[text]
    customs = {name: name in filled.ticks for name in offered(info, alone=alone)}
    return ChosenRules(given, replace(before, **customs))


def _parts(typed: str) -> list[str]:
    parts = typed.replace(";", ",").split(",")
    return [part.strip() for part in parts if part.strip()]


def _plain(words: str) -> str:
    """Words as they are compared: case and spaces do not count."""
    return " ".join(words.casefold().split())
