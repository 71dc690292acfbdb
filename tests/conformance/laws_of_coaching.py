"""Laws of what is said to the seat that is to act: what its decision is for, and why not."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.game import AnyGame, Options
from engine.layout import CardRow, Layout
from tests.conformance.law import law
from tests.conformance.matches import match_of
from tests.conformance.reading import named


def _held(layout: Layout) -> Counter[str]:
    rows = [block for block in layout.blocks if isinstance(block, CardRow) and block.role == "hand"]
    return Counter(card.code for row in rows for card in row.cards)


@law
def law_coaching(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """A seat to act is told what for, and why of each card that no legal action names; no other."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    looked = 0
    for at in match.some(rng, 24):
        state = match.plies[at].after
        actors = game.actors(state)
        for viewer in match.viewers:
            layout = game.layout(game.observe(state, viewer))
            if viewer is None or viewer not in actors:
                assert layout.tip is None, f"{viewer} is not to act and is told {layout.tip}"
                assert not layout.barred, f"{viewer} is not to act and is told {layout.barred}"
                continue
            assert layout.tip is not None, f"{viewer} is not told what it decides"
            named_by = [named(game.format_action(a)) for a in game.legal_actions(state, viewer)]
            legal = set().union(*named_by)
            wanted = Counter({c: n for c, n in _held(layout).items() if c not in legal})
            told = Counter(code for group in layout.barred for code in group.cards)
            assert told == wanted, f"{dict(told)} are explained, {dict(wanted)} are not legal"
            assert all(group.cards for group in layout.barred), "a reason of no card"
            idle = {group.idle for group in layout.barred}
            assert len(idle) < 2, "some cards are asked for and others are not"
            assert idle != {True} or not legal & set(_held(layout)), "a card is asked for"
            looked += 1
    return looked
