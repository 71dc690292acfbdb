"""Games with one rule bent, and who has to notice.

A game's own types are its own business here: what bends it sees texts, seats and cards' codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from engine.game import CHANCE, AnyGame, RuleError
from tests.conformance.test_planted import altered


class Wrong(NamedTuple):
    """A wrong rule, and the rule test (with its arguments) that must refuse it."""

    name: str
    game: AnyGame
    test: Callable[..., None]
    arguments: tuple[Any, ...] = ()


# What is legal.

Judge = Callable[[Any, int, str], bool]
"""Of a state, a seat and the text of an action."""


def forbidding(game: AnyGame, forbids: Judge) -> AnyGame:
    """The game without some of the actions that are legal in it."""

    def legal_actions(state: Any, seat: int) -> Sequence[Any]:
        found = game.legal_actions(state, seat)
        return [each for each in found if not forbids(state, seat, game.format_action(each))]

    def is_legal(state: Any, seat: int, action: Any) -> bool:
        fine = game.is_legal(state, seat, action)
        return fine and (seat == CHANCE or not forbids(state, seat, game.format_action(action)))

    def apply(state: Any, seat: int, action: Any) -> Any:
        after = game.apply(state, seat, action)
        if seat != CHANCE and forbids(state, seat, game.format_action(action)):
            raise RuleError("forbidden")
        return after

    return altered(game, legal_actions=legal_actions, is_legal=is_legal, apply=apply)


def allowing(game: AnyGame, more: Callable[[Any, int], Iterable[str]]) -> AnyGame:
    """The game that offers a seat to act some texts more; applied, they change nothing."""

    def texts(state: Any, seat: int) -> list[str]:
        legal = {game.format_action(action) for action in game.legal_actions(state, seat)}
        asked = seat != CHANCE and seat in game.actors(state)
        return sorted(set(more(state, seat)) - legal) if asked else []

    def extra(state: Any, seat: int, action: Any) -> bool:
        return seat != CHANCE and game.format_action(action) in texts(state, seat)

    return altered(
        game,
        legal_actions=lambda state, seat: [
            *game.legal_actions(state, seat),
            *map(game.parse_action, texts(state, seat)),
        ],
        is_legal=lambda state, seat, action: (
            extra(state, seat, action) or game.is_legal(state, seat, action)
        ),
        apply=lambda state, seat, action: (
            state if extra(state, seat, action) else game.apply(state, seat, action)
        ),
    )


def one_at_a_time(game: AnyGame) -> AnyGame:
    """What is chosen by all at once is chosen seat by seat."""
    return altered(game, actors=lambda state: game.actors(state)[:1])


def everything_open(game: AnyGame) -> AnyGame:
    """What somebody chose in secret is read by all."""
    return altered(game, public_action=lambda seen, seat, action: game.format_action(action))


def legal(game: AnyGame, state: Any, seat: int) -> list[str]:
    """The texts of what a seat may do."""
    return [game.format_action(action) for action in game.legal_actions(state, seat)]


# Where cards lie.


def lying(game: AnyGame, state: Any, place: str) -> list[str]:
    """The cards at a place."""
    return [each.card for each in game.cards(state) if each.place == place]


def relabelled(game: AnyGame, pairs: str) -> AnyGame:
    """The game in which cards have changed roles: `R1=R8` plays R1 as R8, and R8 as R1.

    The state is that of the right game; names change on their way in and out.
    """
    roles: dict[str, str] = {}
    for pair in pairs.split():
        one, other = pair.split("=")
        roles |= {one: other, other: one}
    card = re.compile(r"[A-Z][0-9A-Z]+")
    seats = game.info.seats[-1]
    pack = game.pack(seats, game.complete_options(seats, {}))
    places = {code: place for place, code in enumerate(pack)}

    def swapped(text: str) -> str:
        return card.sub(lambda found: roles.get(found[0], found[0]), text)

    def dealt(data: Any) -> Any:
        """A pack in its order, hands sorted as a record has them."""
        if "pack" in data:
            return {**data, "pack": [swapped(code) for code in data["pack"]]}
        hands = [[swapped(code) for code in hand] for hand in data["hands"]]
        for hand in hands:
            hand.sort(key=lambda code: places.get(code, len(places)))  # jokers last
        return {**data, "hands": hands}

    return altered(
        game,
        deal_from_json=lambda state, data, head: game.deal_from_json(state, dealt(data), head),
        parse_action=lambda text, seen=None: game.parse_action(swapped(text), seen),
        format_action=lambda action: swapped(game.format_action(action)),
        cards=lambda state: tuple(
            each._replace(card=swapped(each.card)) for each in game.cards(state)
        ),
    )


def harmless(game: AnyGame) -> list[AnyGame]:
    """The game bent in four ways that change nothing."""
    return [
        forbidding(game, lambda state, seat, text: False),
        allowing(game, lambda state, seat: ()),
        relabelled(game, ""),
        scoring(game, lambda state, right: right),
    ]


# What is scored.


def scoring(game: AnyGame, points: Callable[[Any, tuple[int, ...]], Sequence[int]]) -> AnyGame:
    """The game whose completed rounds are worth other points."""

    def round_scores(state: Any) -> tuple[int, ...] | None:
        right = game.round_scores(state)
        return None if right is None else tuple(points(state, right))

    return altered(game, round_scores=round_scores)


def ranking(game: AnyGame, places: Callable[[Sequence[int]], Sequence[int]]) -> AnyGame:
    """The game whose totals are ranked otherwise."""

    def outcome(state: Any) -> Any:
        right = game.outcome(state)
        return right and right._replace(ranking=tuple(places(right.scores)))

    return altered(game, outcome=outcome)


def lowest_wins(scores: Sequence[int]) -> list[int]:
    """Places, lowest total first."""
    return [1 + sum(other < score for other in scores) for score in scores]


def no_shared_places(scores: Sequence[int]) -> list[int]:
    """Places; of equal totals the lower seat is before."""
    keys = [(-score, seat) for seat, score in enumerate(scores)]
    return [1 + sum(other < key for other in keys) for key in keys]
