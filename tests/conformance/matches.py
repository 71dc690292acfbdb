"""Random matches for the laws to look at, and deals to bend."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from engine.game import (
    CHANCE,
    AnyGame,
    Json,
    Options,
    OptionValue,
    Seat,
)

Viewer: TypeAlias = Seat | None
"""Who looks; None: a spectator."""

LONGEST: Final = 20_000
"""Plies after which a random match counts as endless."""


class Ply(NamedTuple):
    before: Any
    seat: Seat
    action: Any
    after: Any


class Match(NamedTuple):
    """A whole random match, from the state before the first deal."""

    game: AnyGame
    seats: int
    options: Options
    plies: tuple[Ply, ...]

    @property
    def states(self) -> list[Any]:
        return [self.plies[0].before, *(ply.after for ply in self.plies)]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*range(self.seats), None)

    def some(self, rng: Random, count: int) -> list[int]:
        """Numbers of some plies, in order, the first and the last always among them."""
        last = len(self.plies) - 1
        chosen = {0, min(1, last), last, *rng.sample(range(last + 1), min(count, last + 1))}
        return sorted(chosen)


def play(
    game: AnyGame,
    seats: int,
    given: Options,
    seed: int,
    way: Callable[[Any, Random], Any] | None = None,
) -> Match:
    """A match in which every actor plays anything legal, or what `way` says of what they see."""
    rng = Random(seed)
    options = game.complete_options(seats, given)
    state = game.initial(seats, options)
    plies: list[Ply] = []
    while actors := game.actors(state):
        seat = rng.choice(actors)
        if seat == CHANCE:
            action = game.deal(state, rng.randrange)
        else:
            legal = game.legal_actions(state, seat)
            action = rng.choice(legal) if way is None else way(game.observe(state, seat), rng)
        after = game.apply(state, seat, action)
        plies.append(Ply(state, seat, action, after))
        state = after
        assert len(plies) < LONGEST, "a random match does not end"
    return Match(game, seats, options, tuple(plies))


@functools.lru_cache(maxsize=64)
def _cached(game: Any, seats: int, given: tuple[tuple[str, OptionValue], ...], seed: int) -> Match:
    return play(game, seats, dict(given), seed)


def match_of(game: AnyGame, seats: int, given: Options, seed: int) -> Match:
    hashable: Any = game
    return _cached(hashable, seats, tuple(given.items()), seed)


def canonical_pack(game: AnyGame, seats: int, options: Options) -> tuple[str, ...]:
    """The pack in canonical order."""
    return game.pack(seats, options)


def texts_of(data: Json) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from texts_of(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from texts_of(value)


def exchanged(data: Json, change: Mapping[str, str], order: Sequence[str]) -> Json:
    """A deal's JSON with cards exchanged; a list that was in canonical order stays in it.

    Every copy of a card is exchanged: for single copies there is `rewritten`.
    """
    return rewritten(data, iter([change.get(text, text) for text in texts_of(data)]), order)


def rewritten(data: Json, texts: Iterator[str], order: Sequence[str]) -> Json:
    """A deal's JSON with other texts, as `texts_of` numbers them; sorted where it was sorted."""
    if isinstance(data, str):
        return next(texts)
    if isinstance(data, Mapping):
        return {key: rewritten(value, texts, order) for key, value in data.items()}
    if isinstance(data, Sequence):
        rank = {code: at for at, code in enumerate(order)}.get
        new = [rewritten(value, texts, order) for value in data]
        was = [rank(value, -1) for value in data if isinstance(value, str)]
        if was and was == sorted(was):
            new.sort(key=lambda code: rank(code, -1) if isinstance(code, str) else -1)
        return new
    return data


class Dealt(NamedTuple):
    """A card of a deal: which text of its JSON it is, its code, and its place then."""

    at: int
    card: str
    place: str


def dealt_cards(game: AnyGame, ply: Ply, order: Sequence[str]) -> list[Dealt]:
    """Every card of a deal with its place.

    Of identical cards the JSON does not say which one lies where as far as a law can read it:
    each is exchanged with a card that is there once, and that one's new place is looked at.
    """
    data = game.deal_to_json(ply.action)
    texts = list(texts_of(data))
    places = {each.card: each.place for each in game.cards(ply.after)}
    copies = Counter(order)
    single = next(at for at, text in enumerate(texts) if copies[text] == 1)
    found = []
    for at, text in enumerate(texts):
        if copies[text] == 1:
            found.append(Dealt(at, text, places[text]))
        elif copies[text]:
            other = list(texts)
            other[at], other[single] = texts[single], text
            deal = game.deal_from_json(
                ply.before, rewritten(data, iter(other), order), game.round_head(ply.after)
            )
            after = game.apply(ply.before, CHANCE, deal)
            moved = {each.card: each.place for each in game.cards(after)}
            found.append(Dealt(at, text, moved[texts[single]]))
    return found


def shortest(game: AnyGame) -> list[Options]:
    """The shortest match, as it is usual and with each switch turned."""
    lengths = [spec for spec in game.info.options if spec.kind == "int"]
    least: Options = {spec.key: spec.minimum for spec in lengths[:1]}
    return [least, *({**least, **switch} for switch in turned(game))]


def turned(game: AnyGame) -> list[Options]:
    """Each switch that a match names, alone, in each way that it usually is not."""
    usual = game.complete_options(game.info.seats[0], {})
    return [
        {spec.key: value}
        for spec in game.info.options
        for value in spec.values
        if spec.key in usual and value != usual[spec.key]
    ]


def variants(game: AnyGame) -> list[Options]:
    """Options to try a game with: the shortest matches, the default, each option at work."""
    found = [*shortest(game), *turned(game)]
    for spec in game.info.options:
        if spec.kind == "int":
            values = (spec.minimum, min(spec.minimum + 2, spec.maximum))
            found += [{spec.key: value} for value in values if {spec.key: value} not in found]
    return [*found, {}]
