"""A hint in words: a computer player's decision, its figures, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.i18n import Markdown, Texts
from bot.render.components import Page, small, strong
from bot.render.message import Message
from bot.views.hinting import HintView

_SAID: Final = {
    "play": ("hint.play", "hint.guess_play"),
    "discard": ("hint.discard", "hint.guess_discard"),
}
"""By the verb of an action: sentences with figures, and without."""

_CHOOSE: Final = ("hint.choose", "hint.guess_choose")
"""The same for actions in words of their own."""

_COUNTED: Final = {
    "won": ("hint.won", "hint.won_alone"),
    "points": ("hint.points", "hint.points_alone"),
    "pair": ("hint.pair", "hint.pair_alone"),
}
"""Sentences about the best with the next best beside it, and alone."""

_DECIDED: Final = {"won": "hint.pair_won", "lost": "hint.pair_lost"}
"""Who wins in all deals that were looked at, in place of figures."""


def hint_page(view: HintView, texts: Texts) -> Message:
    """The hint, for the person who asked for it, below its question: it stays when that is over."""
    page = Page()
    if (asks := view.layout.asks) is not None:
        asked = texts.phrase(view.head.game, asks, view.head.names)
        page.text(small(texts.get("hint.asked", ask=asked)))
    for line in hint_lines(view, texts):
        page.text(line)
    return page.message(accent=None)


def hint_lines(view: HintView, texts: Texts) -> Iterator[str]:
    """What it says: the action with its figures, and why."""
    if view.best is None:
        yield texts.get("hint.none")
        return
    action = Markdown(strong(_named(view, view.best, texts)))
    if view.only:
        yield texts.get("hint.only", action=action)
        return
    counted, guessed = _SAID.get(view.best.partition(" ")[0], _CHOOSE)
    if view.figure is None:
        yield texts.get(guessed, action=action)
    else:
        said = texts.get(counted, action=action)
        yield " ".join([said, *_figures(view, view.figure, texts)])
    if view.reason is not None:
        said = texts.phrase(view.head.game, view.reason, view.head.names)
        yield texts.get("hint.reason", reason=Markdown(said))
    if view.first:
        yield small(texts.get("hint.first"))
    if view.uncounted:
        yield small(texts.get("hint.uncounted"))


def _figures(view: HintView, figure: float, texts: Texts) -> Iterator[str]:
    """Figures of the best, and of the next best; if they are equally good no figure differs."""
    if view.decided is not None:
        yield texts.get(_DECIDED[view.decided])
        return
    best, less = _figure(view, figure, texts), _figure(view, view.less, texts)
    if view.counts == "won" and best == texts.number(0):
        yield texts.get("hint.hopeless")
        return
    both, alone = _COUNTED[view.counts]
    if view.other is None:
        yield texts.get(alone, best=best)
        return
    other = Markdown(_named(view, view.other, texts))
    if best == less or view.less > figure:
        yield texts.get(alone, best=best)
        yield texts.get("hint.close", other=other)
    else:
        yield texts.get(both, best=best, other=other, less=less)


def _figure(view: HintView, figure: float, texts: Texts) -> str:
    """`61`, in a hundred; or `+4.2`, points."""
    if view.counts == "won":
        return texts.number(100 * figure)
    said = texts.number(figure, 1)
    return f"+{said}" if figure > 0 else said


def _named(view: HintView, action: str, texts: Texts) -> str:
    """An action in its own words if it has any, else by its cards."""
    game = view.head.game
    act = next((one for one in view.layout.acts if one.action == action), None)
    if act is not None and act.label is not None:
        return texts.phrase(game, act.label, view.head.names, plain=True)
    # The notation says which card counts twice.
    cards = [word for word in action.split() if word.partition("x")[0] in view.pack]
    return texts.cards(game, list(map(view.layout.seen, cards))) if cards else action
