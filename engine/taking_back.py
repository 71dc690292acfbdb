"""Whether a play may be taken back: only while nobody has learnt anything but what it showed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.game import CHANCE, AnyGame, Seat


def may_take_back(game: AnyGame, before: Any, seat: Seat, action: Any, after: Any) -> bool:
    """Whether `action` of `seat`, the last one, which led from `before` to `after`, told nothing.

    That is so exactly if all of this holds:

    * it was a play and no deal, and the round goes on after it: its end opens hands and counts;
    * `seat` has learnt nothing: of every card whose place it knows now, it knew the place before,
      so that what it sees now followed from what it saw and from its own play;
    * the others have learnt only what `seat` itself showed: every card whose place another seat or
      a spectator knows now, and did not know before, is one that the action names.  (A card that
      is turned because a trick is complete may be the seat's own: it knew the card, and not that
      it would be turned now.)

    An action of somebody else after it always tells something, if only that they did not choose
    another: so none may have followed.
    """
    if seat == CHANCE or CHANCE in game.actors(after) or not game.actors(after):
        return False
    words = game.format_action(action).split()
    named = Counter(word.partition("x")[0] for word in words)
    known, knows = _known(game, before), _known(game, after)
    learnt = {viewer: cards - known.get(viewer, Counter()) for viewer, cards in knows.items()}
    return all(not (cards if viewer == seat else cards - named) for viewer, cards in learnt.items())


def _known(game: AnyGame, state: Any) -> dict[Seat | None, Counter[str]]:
    """By seat (None: spectators): the cards whose place it knows; of equal cards how many."""
    known: dict[Seat | None, Counter[str]] = {}
    for card in game.cards(state):
        viewers: list[Seat | None] = [*card.known_to]
        for viewer in [*viewers, None] if card.public else viewers:
            known.setdefault(viewer, Counter())[card.card] += 1
    return known
