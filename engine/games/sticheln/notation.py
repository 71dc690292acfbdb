"""Sticheln: actions as texts, and deals as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.game import Json, NotationError, RoundHead
from engine.games.sticheln.cards import CHOOSE, PACK, Move, codes
from engine.games.sticheln.rules import next_start
from engine.games.sticheln.state import UNKNOWN, Deal, State
from engine.notation import canonical_words, card_list, card_lists, excerpt, typed_words

TEXTS: Final[Mapping[Move, str]] = {
    **{card: f"play {name}" for card, name in enumerate(PACK.names)},
    **{card + CHOOSE: f"choose {name}" for card, name in enumerate(PACK.names)},
}
"""The notation of every move.

>>> TEXTS[55], TEXTS[22 + CHOOSE]
('play B10', 'choose Y7')
"""


def parse_move(text: str) -> Move:
    """The move that canonical text names; errors as `GAME.parse_action` says."""
    return _move(text, canonical_words(text))


def parse_typed(text: str, *, choosing: bool) -> Move:
    """The move that a person typed: case and spaces are forgiven.

    A card alone is chosen or played, as the situation asks.
    """
    verb, *cards = typed_words(text) or [""]
    if not cards and verb.upper() in PACK.names:
        verb, cards = "choose" if choosing else "play", [verb]
    return _move(text, [verb, *map(str.upper, cards)])


def _move(text: str, words: Sequence[str]) -> Move:
    if words[0] not in ("choose", "play"):
        raise NotationError("unknown_action", text=excerpt(text))
    if len(words) != 2:
        raise NotationError("one_card")
    card = PACK.index(words[1])
    return card + CHOOSE if words[0] == "choose" else card


def deal_to_json(deal: Deal) -> Json:
    """`{"hands": [[codes], …], "aside": []}`: none is left."""
    return {"hands": [list(codes(hand)) for hand in deal.hands], "aside": []}


def deal_from_json(state: State, data: Json, head: RoundHead) -> Deal:
    """Inverse of `deal_to_json`; the first leader of a match stands in the round's head.

    Raises NotationError `deal_malformed`, `no_start`.
    """
    hands = tuple([bytes(PACK.in_order(row)) for row in card_lists(data, "hands")])
    if card_list(data, "aside"):
        raise NotationError("deal_malformed")
    start = next_start(state)
    if start == UNKNOWN:
        if head.start is None or head.start not in range(len(state.hands)):
            raise NotationError("no_start")
        start = head.start
    return Deal(hands, start)
