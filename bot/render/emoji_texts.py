"""Words as in `bot.i18n`, with emoji of cards, suits and marks in them.

They are used in messages only: labels, choices, files and alternative texts have none, nor do lists
of many cards, since each takes some forty of a message's 4,000 characters.  Emoji that Discord does
not have are written as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from bot.emojis import Known, known_emojis
from bot.i18n import Texts
from bot.ids import Called
from bot.pictures.decks import TEXT
from bot.render.components import Page
from engine.layout import Phrase

KEPT: Final = 64
"""Maximum number of languages with a deck whose texts are cached."""

LETTERS: Final = 3_000
"""Maximum number of characters of a page with emoji of cards: each emoji takes some forty, and a
message has room for 4,000."""

LETTERS_BESIDE: Final = 1_200
"""Maximum number of characters of lines with emoji of cards that are added to a hand."""


class Illustrated(Texts):
    """The words of a language in a deck.  Get it from `illustrated`."""

    def __init__(self, plain: Texts, emojis: Known) -> None:
        super().__init__(plain.language, plain.shared)
        self._plain = plain
        self.emojis: Final = emojis

    @property
    def plain(self) -> Texts:
        return self._plain

    def badge(self, mark: str, instead: str = "") -> str:
        return str(self.emojis.mark(mark) or instead)

    def phrase(
        self, game: str, phrase: Phrase, names: Sequence[Called] = (), *, plain: bool = False
    ) -> str:
        if plain:
            return self._plain.phrase(game, phrase, names, plain=True)
        return super().phrase(game, phrase, names)

    def card(self, game: str, code: str) -> str:
        # `6-6x2` is the card 6-6 that counts as two.
        card, _, times = code.partition("x")
        emoji = self.emojis.card(game, card)
        if emoji is None:
            return super().card(game, code)
        return f"{emoji}×{times}" if times else str(emoji)

    def card_name(self, game: str, code: str) -> str:
        return self._plain.card_name(game, code)

    def suit_mark(self, game: str, code: str) -> str:
        mark = super().suit_mark(game, code)
        return str(self.emojis.suit(game, code) or mark) if mark else ""

    def sign(self, game: str, mark: str) -> str:
        sign = super().sign(game, mark)
        return self.badge(mark, sign) if sign else ""


def illustrated(texts: Texts, deck: str) -> Texts:
    """The words with the emoji of a deck; unchanged for the deck of text alone, or without
    emoji."""
    if deck == TEXT:
        return texts.plain
    emojis = known_emojis(deck)
    return _illustrated(texts.plain, emojis) if emojis.by_key else texts.plain


_illustrated: Final = lru_cache(KEPT)(Illustrated)


def illustrated_page(make: Callable[[Texts], Page], texts: Texts, deck: str) -> Page:
    """What `make` makes of the words with the emoji of a deck; without them where the page would
    be longer than `LETTERS`."""
    page = make(illustrated(texts, deck))
    if sum(len(part.get("content", "")) for part in page.parts) > LETTERS:
        page = make(texts.plain)
    return page


def illustrated_lines(
    make: Callable[[Texts], Iterable[str]], texts: Texts, deck: str
) -> tuple[str, ...]:
    """The same of lines that are added to a hand, within `LETTERS_BESIDE`."""
    lines = tuple(make(illustrated(texts, deck)))
    if sum(map(len, lines)) > LETTERS_BESIDE:
        lines = tuple(make(texts.plain))
    return lines
