"""The choice of a deck, for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from bot.i18n import Texts
from bot.pictures.card import Face
from bot.pictures.decks import DECKS, TEXT
from bot.render.components import Option, Page, button, option, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Attachment, Message

Samples: TypeAlias = Sequence[tuple[Sequence[Face], Attachment]]
"""Cards, and a picture of them."""

NO_SAMPLES: Final[Samples] = ()


def deck_page(chosen: str, samples: Samples, texts: Texts, *, untold: bool) -> Message:
    """A person's deck, what it looks like, and all others to choose from.

    With `untold` they want no tips, and may have them again.
    """
    page = Page()
    page.text(f"### {texts.get('decks.title')}", texts.get(f"deck.{chosen}.told"))
    show_samples(page, samples, texts)
    page.select(Press(Verb.DECK), texts.get("decks.choose"), deck_options(chosen, texts))
    page.text(small(texts.get("decks.when")))
    if untold:
        page.row([button(texts.get("button.tips"), Press(Verb.TIPS))])
    return page.message()


def show_samples(page: Page, samples: Samples, texts: Texts) -> None:
    """Cards of each game, in a deck."""
    for faces, file in samples:
        page.text(small(texts.game_name(faces[0].game)))
        page.picture(file, texts.list([texts.card_name(one.game, one.code) for one in faces]))


def deck_options(chosen: str, texts: Texts) -> list[Option]:
    """Every deck, and text."""
    return [
        option(texts.get(f"deck.{deck}"), deck, default=deck == chosen) for deck in (*DECKS, TEXT)
    ]
