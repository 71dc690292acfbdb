"""One action as a button or an option: its label, and the emoji of its card or suit before it."""

from __future__ import annotations

from typing import NamedTuple

from bot.emojis import Emoji
from bot.i18n import JOINER, Texts
from bot.render.components import LABEL, Button, Option, Style, button, cut, option
from bot.render.custom_ids import Press, Verb
from bot.render.emoji_texts import Illustrated
from bot.views.values import HandView
from engine.layout import Act, CardRow, Choice, Suit


class Face(NamedTuple):
    """Words on a button or option, and the emoji before them."""

    label: str
    emoji: Emoji | None = None


def act_button(act: Act, view: HandView, texts: Texts, *, named: bool = False) -> Button:
    """Plays at once, or asks first; in the game's own colour if it has one, else cards are blue."""
    press = Press.at(view.head, Verb.ACT, view.question, act.action)
    face = _face(act, view, texts, named=named)
    style: Style = "primary" if act.cards and act.style == "secondary" else act.style
    return button(face.label, press, style, emoji=face.emoji)


def act_option(act: Act, view: HandView, texts: Texts) -> Option:
    """The same in a select; its description says what the act would do."""
    face = _face(act, view, texts, named=True)
    return option(face.label, act.action, notes(act, view, texts), emoji=face.emoji)


def card_option(card: str, view: HandView, texts: Texts) -> Option:
    """A card among those that are chosen together."""
    game = view.head.game
    label = texts.card_name(game, view.layout.seen(card))
    face = _of_card(label, game, card, texts) if isinstance(texts, Illustrated) else Face(label)
    return option(face.label, card, emoji=face.emoji)


def act_label(act: Act, view: HandView, texts: Texts, *, named: bool) -> str:
    """The act's own words, else its cards; `named` writes a single card in words."""
    game, texts = view.head.game, texts.plain
    if act.forced:
        card = texts.card_name(game, act.cards[0])
        rows = (block for block in view.layout.blocks if isinstance(block, CardRow))
        many = any(len(row.cards) > 1 for row in rows if row.role == "hand")
        code = "button.forced" if many else "button.last_card"
        return cut(texts.get(code, card=card), LABEL)
    if act.label is not None:
        return texts.phrase(game, act.label, view.head.names, plain=True)
    if len(act.cards) == 1 and act.group:
        card = act.cards[0]
        shown = texts.card_name(game, card) if named else texts.card(game, card)
        marks = (mark for one in view.layout.hand if one.code == card for mark in one.marks)
        return shown + "".join(texts.sign(game, mark) for mark in marks)
    if named and len(act.cards) == 1:
        return texts.card_name(game, view.layout.seen(act.cards[0]))
    # The notation says which card counts twice.
    written = [word for word in act.action.split() if word.partition("x")[0] in act.cards]
    named_so = written if len(written) == len(act.cards) else act.cards
    return cut(texts.cards(game, list(map(view.layout.seen, named_so))), LABEL)


def notes(of: Act | Choice, view: HandView, texts: Texts) -> str:
    """Remarks on an act or a choice beside its label."""
    people = view.head.names
    return " · ".join(texts.phrase(view.head.game, note, people, plain=True) for note in of.notes)


def _face(act: Act, view: HandView, texts: Texts, *, named: bool) -> Face:
    """The label, with an emoji for its card or suit in place of the mark if there is one."""
    label = act_label(act, view, texts, named=named)
    if not isinstance(texts, Illustrated):
        return Face(label)
    if act.label is not None and not act.forced:
        suits = [one.code for one in act.label.params.values() if isinstance(one, Suit)]
        return _of_suit(label, view.head.game, suits[0], texts) if len(suits) == 1 else Face(label)
    return (
        _of_card(label, view.head.game, act.cards[0], texts) if len(act.cards) == 1 else Face(label)
    )


def _of_card(label: str, game: str, card: str, texts: Illustrated) -> Face:
    """A card that has a suit stands beside that: its number is larger in the label.

    One of two numbers stands there in words alone, like a set of several.
    """
    if texts.plain.suit_mark(game, card[:1]):
        return _of_suit(label, game, card[:1], texts)
    emoji = texts.emojis.card(game, card)
    if emoji is None or not texts.knows(f"card.{card}.name", game):
        return Face(label)
    left = _without(label, texts.plain.card(game, card))
    return Face(left or texts.own(game, f"card.{card}.name"), emoji)


def _of_suit(label: str, game: str, suit: str, texts: Illustrated) -> Face:
    emoji, mark = texts.emojis.suit(game, suit), texts.plain.suit_mark(game, suit)
    return Face(label) if emoji is None or mark not in label else Face(_without(label, mark), emoji)


def _without(label: str, mark: str) -> str:
    """The label without a mark and what joins it to what follows."""
    before, _, after = label.partition(mark)
    return before + after.lstrip(f"{JOINER}\N{NO-BREAK SPACE} ")
