"""The catalogue of a game: everything said has words, and all words are said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from babel.messages.pofile import read_po

import engine.games
from engine.game import CHANCE, AnyGame
from engine.layout import CardRow, Layout, Phrase, Trick
from tests.conformance.reading import blocks, phrases, refusal
from tests.engine.reasons import reasons, story_phrases

GAMES: Final = Path(engine.games.__path__[0])
SHARED: Final = ("notation.py", "cards.py", "options.py")

OF_THE_HOUSE: Final = {"option_unknown", "option_type", "option_range"}
"""Refusals that have the same words in every game: those of the house."""

RAISED: Final = (
    r'(?:RuleError|NotationError)\(\s*"(\w+)"',
    r'RuleError\("\w+" if \w+ else "(\w+)"',
)
OTHERWISE: Final = (
    # What decisions are for, and why not: tests/i18n/test_coaching.py reaches all of those, and
    # tests/engine/test_advice.py what speaks for an action.
    *("tip_", "why_", "advice_"),
    *("error.", "game.", "flag.", "option.", "parameter.", "custom.", "suit.", "rank.", "card."),
    "verify.",
    "sign.",  # in pictures: tests/pictures/test_signs.py
)
"""How codes begin that are not said of a situation."""


class Catalogue:
    """The English words of a game, and which of them were said."""

    def __init__(self, game: AnyGame, *, exact: bool = False) -> None:
        """`exact`: what is said with a number has a plural."""
        self.game, self.exact = game, exact
        file = GAMES.parents[1] / "data/games" / game.info.id / "locales/en.po"
        with file.open("rb") as lines:
            found = read_po(lines)
        self.words: dict[str, tuple[str, ...]] = {}
        for message in found:
            key = message.id if isinstance(message.id, str) else message.id[0]
            text = message.string or ""
            if key:
                self.words[key] = (text,) if isinstance(text, str) else tuple(text)
        self.said: set[str] = set()
        for why in (*reasons(game.info.id), *story_phrases(game)):
            self.say(why)

    def say(self, phrase: Phrase) -> None:
        for text in self.words[phrase.code]:
            assert text.format(**phrase.params)
        counted, plural = "count" in phrase.params, len(self.words[phrase.code]) > 1
        assert counted == plural if self.exact else counted >= plural, phrase
        self.said.add(phrase.code)

    def show(self, layout: Layout) -> None:
        for phrase in phrases(layout):
            self.say(phrase)
        for block in blocks(layout):
            for card in block.cards if isinstance(block, CardRow | Trick) else ():
                self.said |= {
                    f"{word}.{mark}" for mark in card.marks for word in ("mark", "legend")
                }

    def step(self, before: Any, seat: int, action: Any, after: Any) -> None:
        """What is told of an action, and what is seen before and after it."""
        for event in self.game.events(before, seat, action, after):
            self.say(event.phrase)
        for state in (before, after):
            for reader in {0, 1, max(seat, 0), None}:
                self.show(self.game.layout(self.game.observe(state, reader)))

    def check_all_was_said(self) -> None:
        spoken = {key for key in self.words if not key.startswith(OTHERWISE)}
        assert spoken - self.said == set(), "words that nobody says, or that no test reaches"

    def check_refusals(self, *more: str, raised: Iterable[str] = RAISED) -> None:
        """Each refusal that the sources name has words, and no other one; `more` are computed."""
        files = [*(GAMES / self.game.info.id).glob("*.py"), *(GAMES.parent / n for n in SHARED)]
        source = "".join(path.read_text(encoding="utf-8") for path in files)
        codes = {code for pattern in raised for code in re.findall(pattern, source)} | {*more}
        codes -= OF_THE_HOUSE
        assert {key for key in self.words if key.startswith("error.")} == {
            f"error.{code}" for code in codes
        }

    def refuse(self, state: Any, seat: int, action: Any) -> set[str]:
        """The code with which an action is refused, if it is; its words can be filled."""
        refused = refusal(lambda: self.game.apply(state, seat, action))
        assert seat == CHANCE or self.game.is_legal(state, seat, action) == (refused is None)
        if refused is None:
            return set()
        for text in self.words[f"error.{refused.code}"]:
            assert text.format(**refused.params)
        return {refused.code}
