"""Emoji of cards, suits and marks: their names, and which of them Discord has for this program.

A name contains deck, card, suit or mark, and a digest of the picture: `st_s_cR5_1f0c9a`.  Emoji
that Discord does not have (yet) are written as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple

PREFIX: Final = "st_"
"""Beginning of the names of all our emoji."""

DECKS: Final[Mapping[str, str]] = {"standard": "s", "contrast": "h"}
"""Decks that have emoji of their own, by id: how names write them.  Others have the first."""

NEAREST: Final = "standard"

COLOURED: Final = "c"
SWISS: Final = "k"
TWO_NUMBERS: Final = "a"

_FAMILIES: Final[Mapping[str, str]] = {
    "aufundab": TWO_NUMBERS,
    "auffalscherfaehrte": COLOURED,
    "sticheln": COLOURED,
    "kaiserspiel": SWISS,
}
"""Beginning of the keys of a game's cards: games with the same suits share them."""

JOKER: Final = "J"
"""The code of the card without a colour."""

MARK: Final = "m"
MARKS: Final = ("double", "twice", "change", "kaiser", "up", "down", "trump", "wins")
"""Marks beside cards and in headlines that have emoji too."""

VERSION: Final = 6
"""Characters of a version."""

_NAME: Final = re.compile(rf"{PREFIX}([a-z])_([a-z][A-Za-z0-9_]*)_([0-9a-f]{{{VERSION}}})")


class Emoji(NamedTuple):
    """An emoji as Discord knows it."""

    name: str
    id: int

    def __str__(self) -> str:
        return f"<:{self.name}:{self.id}>"


class Named(NamedTuple):
    """Parts of the name of one of our emoji."""

    deck: str
    """Its letter in names."""
    key: str
    version: str


def card_key(game: str, code: str) -> str | None:
    """Key of a card, `cR5`, `a3_6`; None in games without emoji."""
    family = _FAMILIES.get(game)
    return None if family is None else family + code.replace("-", "_")


def suit_key(game: str, code: str) -> str | None:
    """Key of a suit or colour, `cR`; None also in games without suits."""
    family = _FAMILIES.get(game)
    return None if family in (None, TWO_NUMBERS) else f"{family}{code}"


def is_suit(key: str) -> bool:
    """Whether a key is that of a suit or colour."""
    return key[0] in (COLOURED, SWISS) and len(key) == 2 and key[1] != JOKER


def keys_of(cards: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Keys of these cards, by game, and of their suits; of cards of two numbers also with the other
    one first, as they lie when turned; then those of the marks."""
    found: dict[str, None] = {}
    for game, codes in cards.items():
        for code in codes:
            suit = None if code == JOKER else suit_key(game, code[:1])
            ways = [code, "-".join(reversed(code.split("-")))]
            found.update(
                {key: None for key in (suit, *(card_key(game, way) for way in ways)) if key}
            )
    return (*found, *(MARK + mark for mark in MARKS))


def name_of(deck: str, key: str, version: str) -> str:
    """The name of an emoji; `deck` by id."""
    return f"{PREFIX}{DECKS[deck]}_{key}_{version}"


def named(name: str) -> Named | None:
    """The parts of a name; None if it is no emoji of ours."""
    found = _NAME.fullmatch(name)
    return None if found is None else Named(*found.groups())


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The emoji of one deck that Discord has.  Two are never equal: each exists once."""

    by_key: Mapping[str, Emoji] = field(default_factory=lambda: MappingProxyType({}))

    def card(self, game: str, code: str) -> Emoji | None:
        key = card_key(game, code)
        return None if key is None else self.by_key.get(key)

    def suit(self, game: str, code: str) -> Emoji | None:
        key = suit_key(game, code)
        return None if key is None else self.by_key.get(key)

    def mark(self, name: str) -> Emoji | None:
        return self.by_key.get(MARK + name)


_NONE: Final = Known()


class _Registry:
    """Emoji of the whole program, by deck."""

    decks: Mapping[str, Known] = MappingProxyType({})
    doubted = False


def know_emojis(ids: Mapping[str, int]) -> None:
    """From now on these emoji are used: Discord's ids by name, those of others left out.

    Of one that is there in several versions the newest counts, which has the highest id.
    """
    found: dict[str, dict[str, Emoji]] = {}
    for name, number in sorted(ids.items(), key=itemgetter(1)):
        said = named(name)
        if said is not None:
            found.setdefault(said.deck, {})[said.key] = Emoji(name, number)
    _Registry.doubted = False
    _Registry.decks = {
        deck: Known(MappingProxyType(found[short]))
        for deck, short in DECKS.items()
        if short in found
    }


def known_emojis(deck: str = NEAREST) -> Known:
    """The emoji of a deck; those of the nearest deck if it has none of its own."""
    decks = _Registry.decks
    return decks.get(deck if deck in DECKS else NEAREST, _NONE)


def doubt_emojis() -> None:
    """Note that Discord has refused one of our emoji, so that the list is read again."""
    _Registry.doubted = True


def emojis_doubted() -> bool:
    """Whether one was refused since these are known."""
    return _Registry.doubted
