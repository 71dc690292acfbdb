"""How the cards of a game are written, wherever they may stand: to find them in any text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import product
from typing import Any, Final

from babel.messages.pofile import read_po

from bot.i18n import rules_pages, texts
from bot.render.pages import rules_page
from engine.game import OptionValue
from engine.registry import games

DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\uff0d", "-"))
_UNSEEN: Final = re.compile("[\ufe0f\N{WORD JOINER}]")
"""What asks for a picture in place of a letter, and what keeps a mark with its number: it may
stand after a mark or not."""
_PAIR: Final = re.compile(r"(?<!\d)\d-\d(?!\d)(?! players)")
"""A card of two numbers: `6-6`, `6-6x2`, `6-6²`, `**3-6▲▼**`; no part of a date, and not how many
may play."""
_BEFORE, _AFTER = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
_PLACEHOLDER: Final = re.compile(r"\{[^}]*\}")
_LONG_ENOUGH: Final = 6
"""Characters of a printed example: shorter ones could hide a card."""


class Writing:
    """Finds cards of one game: `R5`, `❤️5`, `red 5`, and rows of them: `❤️ **R** │ 5 8`."""

    def __init__(self, game: str) -> None:
        pack = [code for code in all_cards(game) if "-" not in code]
        self._pairs = not pack
        if self._pairs:
            return
        english = texts("en")
        suited = [code for code in pack if len(code) > 1]
        suits = {code[0] for code in suited}
        ranks = "|".join(sorted({code[1:] for code in suited}, key=len, reverse=True))
        single = "".join(f"|{code}" for code in sorted(set(pack) - set(suited)))
        self._code = re.compile(
            f"{_BEFORE}(?:[{''.join(sorted(suits))}](?:{ranks}){single}){_AFTER}"
        )
        self._marks = {}
        for suit in suits:
            example = next(code for code in suited if code[0] == suit)
            mark = _UNSEEN.sub("", english.card(game, example)).removesuffix(example[1:])
            assert mark != suit, f"{game} has no mark for {suit}"
            self._marks[mark] = suit
        marks = "|".join(self._marks)
        self._marked = re.compile(
            rf"({marks})(?:\s*\*\*[A-Z]\*\*)?[\s*│|]*((?:{ranks})(?:[ ,*~♛]+(?:{ranks}))*){_AFTER}"
        )
        self._rank = re.compile(ranks)
        self._named = {}
        for code in pack:
            mark = _UNSEEN.sub("", english.card(game, code))
            plain = _UNSEEN.sub("", english.card_name(game, code))
            name = plain.removeprefix(mark).removeprefix(mark.removesuffix(code[1:])).strip()
            self._named[name.lower()] = code
            if len(code) == 1:
                self._named[mark.lower()] = code
        forms = "|".join(re.escape(name) for name in sorted(self._named, key=len, reverse=True))
        self._words = re.compile(f"{_BEFORE}(?:{forms}){_AFTER}")
        first = {name.split()[0] for name in self._named} | {n.split()[-1] for n in self._named}
        self._hints = tuple(sorted(word for word in first if not word.isdecimal()))

    def cards(self, text: str) -> list[str]:
        """The cards that a text names."""
        if self._pairs:
            # A card that lies turned is written as it lies, `8-6`.
            found = _PAIR.findall(text.translate(DASHES))
            return ["-".join(sorted(pair.split("-"))) for pair in found]
        plain = _UNSEEN.sub("", text)
        found = self._code.findall(plain)
        for mark, run in self._marked.findall(plain):
            found += [self._marks[mark] + rank for rank in self._rank.findall(run)]
        lower = plain.lower()
        if any(hint in lower for hint in self._hints):
            found += [self._named[name] for name in self._words.findall(lower)]
        return found


@cache
def writing(game: str) -> Writing:
    return Writing(game)


@cache
def packs(game: str) -> tuple[tuple[str, ...], ...]:
    """Every pack that a match of the game may have, in canonical order, the largest first."""
    rules = games()[game]
    switches = [spec for spec in rules.info.options if spec.kind != "int"]
    found: dict[tuple[str, ...], None] = {}
    for seats in reversed(rules.info.seats):
        for values in product(*(spec.values[::-1] for spec in switches)):
            keys = [spec.key for spec in switches]
            given: dict[str, OptionValue] = dict(zip(keys, values, strict=True))
            found[rules.pack(seats, rules.complete_options(seats, given))] = None
    return tuple(found)


@cache
def all_cards(game: str) -> tuple[str, ...]:
    """The codes of every card that a match of the game may have, in canonical order."""
    return tuple(dict.fromkeys(code for pack in packs(game) for code in pack))


@cache
def printed_examples(game: str) -> tuple[str, ...]:
    """Texts with cards in them that are the same for everybody at any time, longest first."""
    found = {text for text in _printed(game) if len(text) >= _LONG_ENOUGH}
    named = [text for text in found if writing(game).cards(text)]
    return tuple(sorted(named, key=len, reverse=True))


def _contents(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The texts of a message."""
    for component in components:
        if "content" in component:
            yield str(component["content"])
        yield from _contents(component.get("components", ()))


def _printed(game: str) -> Iterator[str]:
    """Packs, pages of rules, and what stands in the catalogues between two parameters."""
    yield from (" ".join(pack) for pack in packs(game))
    data = files("data")
    rules = (data / "games" / game / "rules" / "en.md").read_text("utf-8")
    pages = re.split(r"^---[ \t]*$", rules, flags=re.MULTILINE)
    yield from (page.strip() for page in pages)
    for number in range(len(rules_pages(game, "en"))):  # as it is shown, with its own footnotes
        yield from _contents(rules_page(game, number, texts("en")).components)
    for catalogue in (
        data / "games" / game / "locales" / "en.po",
        data / "locales" / "en" / "LC_MESSAGES" / "stammtisch.po",
    ):
        for message in read_po(BytesIO(catalogue.read_bytes())):
            said = message.string or ""
            for form in (said,) if isinstance(said, str) else said:
                yield from _PLACEHOLDER.split(form)
