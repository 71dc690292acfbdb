"""Results of each round of a match with their reasons, from its log.  Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.tables.fold import walked
from bot.tables.model import Table
from bot.tables.published import is_published
from engine.game import AnyGame, Seat
from engine.layout import Story


class RoundTold(NamedTuple):
    """A complete round as everybody may know it."""

    points: tuple[int, ...]
    """Points by seat."""
    story: Story
    hands: tuple[tuple[str, ...], ...]
    """By seat: public cards among those that it was dealt."""
    published: bool
    """Whether these are all; otherwise the round's secrets still are."""
    secrets: tuple[tuple[str, ...], ...]
    """By seat: cards that it named to nobody else; none while they are secret."""


def rounds_told(table: Table) -> tuple[RoundTold, ...]:
    """The complete rounds of a table; none if its log cannot be replayed."""
    if table.played is None:
        return ()
    game, stored = table.game, table.stored
    told: list[RoundTold] = []
    done: list[tuple[Seat, Any]] = []
    pack = Counter(game.pack(len(stored.seating.places), stored.options))
    for entry, _, action, state in walked(table):
        done = [] if entry.is_deal else [*done, (entry.seat, action)]
        points = game.round_scores(state)
        story = None if points is None else game.story(game.observe(state, None))
        if points is not None and story is not None:
            published = is_published(table, len(told) + 1)
            acts = [[act for by, act in done if by == seat] for seat in range(len(points))]
            hands = tuple(
                _hand(game, state, acts[seat], seat, pack, published=published)
                for seat in range(len(points))
            )
            secrets = _secrets(game, state, done, pack) if published else {}
            each = tuple(secrets.get(seat, ()) for seat in range(len(points)))
            told.append(RoundTold(points, story, hands, published, each))
    return tuple(told)


def _secrets(
    game: AnyGame, state: Any, done: Sequence[tuple[Seat, Any]], pack: Counter[str]
) -> Mapping[Seat, tuple[str, ...]]:
    """Cards that a seat named in a round that ended at `state`, and that cannot be read there."""
    view, found = game.observe(state, None), defaultdict[Seat, list[str]](list)
    for seat, action in done:
        shown = game.public_action(view, seat, action).split()
        words = [word for word in game.format_action(action).split() if word not in shown]
        found[seat] += [word for word in words if word in pack]
    return {seat: tuple(cards) for seat, cards in found.items()}


def _hand(
    game: AnyGame,
    state: Any,
    done: Sequence[Any],
    seat: Seat,
    pack: Counter[str],
    *,
    published: bool,
) -> tuple[str, ...]:
    """The cards of a seat in a round that ended at `state`: those it played, and the rest.

    Only the public ones unless the deal is published.
    """
    view = game.observe(state, None)
    texts = [
        game.format_action(action) if published else game.public_action(view, seat, action)
        for action in done
    ]
    words = Counter(word.partition("x")[0] for text in texts for word in text.split())
    if published:
        words |= Counter(each.card for each in game.cards(state) if each.known_to == (seat,))
    held = words & pack
    return tuple(card for card in pack for _ in range(held[card]))
