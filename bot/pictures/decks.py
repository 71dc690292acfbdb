"""Decks: colours and sizes of what is drawn on cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

# Colours as numbers.


class Colour(NamedTuple):
    """Red, green and blue, 0 to 255."""

    red: int
    green: int
    blue: int


def colour(code: str) -> Colour:
    """The colour that is written like this.

    >>> colour("#FF8000")
    Colour(red=255, green=128, blue=0)
    """
    red, green, blue = bytes.fromhex(code.removeprefix("#"))
    return Colour(red, green, blue)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`one` with a share of `other` in it.

    >>> mix(colour("#000000"), colour("#FF8000"), 0.5)
    Colour(red=128, green=64, blue=0)
    """
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return Colour(red, green, blue)


BLACK = colour("#000000")
WHITE = colour("#FFFFFF")


# Decks.


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """How cards look to somebody.  A deck is itself: each exists once."""

    id: str
    felt: Colour
    """What the cards lie on."""
    ground: Colour
    ink: Colour
    gold: Colour
    """The edge of what is special."""
    low: Colour
    high: Colour
    """The two numbers of a card with two."""
    suits: Mapping[str, Colour]
    """Of the games with colours, by code."""
    swiss: Mapping[str, Colour]
    """Of acorns, roses, shields and bells, by code."""
    special_ground: Colour
    swiss_special: Colour
    """The ground of trumps; of Swiss ones a cool one, since gold lies around a card that wins."""
    tradition: Literal["swiss", "german", "french"] = "swiss"
    """Which shapes these four have."""
    games: tuple[str, ...] = ()
    """Games that it is for, where it is not for all."""
    shade: float = 0.45
    """How much of the felt is mixed into a card that cannot be played."""
    solid: bool = False
    """Whether cards of a colour are filled with it."""
    letters: bool = False
    """Whether the letter of the suit stands beside its shape."""
    large: bool = False
    """Whether numbers are as large as the card allows, at the cost of the pictures."""
    small: bool = False
    """Whether cards are so small that rank and suit are all that can be told of them."""


def _colours(**codes: str) -> Mapping[str, Colour]:
    return MappingProxyType({code: colour(value) for code, value in codes.items()})


_STANDARD: Final = Deck(
    id="standard",
    felt=colour("#1E4A3B"),
    ground=colour("#FDFBF5"),
    ink=colour("#1B1D22"),
    gold=colour("#E9B11E"),
    low=colour("#C44601"),
    high=colour("#0067A3"),
    suits=_colours(R="#C8281E", Y="#E5AC00", G="#23893F", B="#1D55B5", P="#8A3DA8", S="#6B727D"),
    swiss=_colours(A="#7A4A12", R="#C0231F", S="#1F5C9E", B="#A87400"),
    special_ground=colour("#FFEFC2"),
    swiss_special=colour("#DCE9F5"),
)

DECKS: Final[Mapping[str, Deck]] = {
    deck.id: deck
    for deck in (
        _STANDARD,
        replace(
            _STANDARD,
            id="colour-blind",
            suits=_colours(
                R="#B83A00", Y="#E0B400", G="#2E9E5B", B="#12357A", P="#B565C9", S="#787F8A"
            ),
            swiss=_colours(A="#3E2204", R="#C22A6B", S="#1457B0", B="#BA8800"),
            letters=True,
        ),
        replace(
            _STANDARD,
            id="contrast",
            felt=colour("#000000"),
            ground=colour("#FFFFFF"),
            ink=colour("#000000"),
            gold=colour("#FFD21F"),
            low=colour("#8F2A00"),
            high=colour("#003F78"),
            suits=_colours(
                R="#FF9580", Y="#FFE23D", G="#55DB86", B="#8FB6FF", P="#E79CFF", S="#D5D7DB"
            ),
            swiss=_colours(A="#5A2E00", R="#960E12", S="#003F78", B="#5C4700"),
            special_ground=colour("#FFE98A"),
            swiss_special=colour("#DDEBFF"),
            shade=0.3,
            solid=True,
            letters=True,
        ),
        replace(_STANDARD, id="large", large=True),
        replace(
            _STANDARD,
            id="german",
            tradition="german",
            games=("kaiserspiel",),
            swiss=_colours(A="#7A4A12", R="#C0231F", S="#2C7A33", B="#A87400"),
        ),
        replace(
            _STANDARD,
            id="french",
            tradition="french",
            games=("kaiserspiel",),
            swiss=_colours(A="#1E7A36", R="#C0231F", S="#1B1D22", B="#1D55B5"),
        ),
    )
}
"""By id, in the order in which they are offered."""

STANDARD: Final = "standard"
TEXT: Final = "text"
"""What is chosen in place of a deck by whoever wants no pictures."""
OFFERED: Final = (*DECKS, TEXT)
"""All that may be chosen: every deck, by id, and text."""


def deck_for(chosen: str, game: str) -> Deck | None:
    """The deck in which somebody who has chosen so sees a game; None for text alone.

    Where the chosen one is not for the game, or there is none of that name, the standard one.
    """
    if chosen == TEXT:
        return None
    deck = DECKS.get(chosen)
    if deck is None or (deck.games and game not in deck.games):
        return DECKS[STANDARD]
    return deck
