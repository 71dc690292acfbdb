"""What the laws read off a game's values: what is shown, told, known, and reachable at all."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, assert_never

from engine.game import (
    CHANCE,
    AnyGame,
    Event,
    Located,
    RuleError,
)
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    Chips,
    Choice,
    Headline,
    Ladder,
    LastSet,
    Layout,
    Line,
    Phrase,
    SeatRow,
    Standing,
    Tally,
    Trick,
)
from tests.conformance.matches import Match, Viewer


def deep(value: object, above: tuple[int, ...] = ()) -> object:
    """Everything that can be reached from a value, equality operators ignored.

    It opens private fields, fields left out of comparison, and what closures and partial
    functions hold on to.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes | type):
        return (type(value).__name__, value)
    if id(value) in above:
        return "again"
    above = (*above, id(value))
    name = type(value).__name__
    if isinstance(value, Mapping):
        return (name, *sorted((repr(deep(k, above)), deep(v, above)) for k, v in value.items()))
    if isinstance(value, set | frozenset):
        return (name, *sorted(repr(deep(each, above)) for each in value))
    if isinstance(value, functools.partial):
        return (name, deep((value.func, value.args, value.keywords), above))
    parts: list[object] = [name]
    if isinstance(value, tuple | list):
        parts += [deep(each, above) for each in value]
    if isinstance(value, Random):
        return (name, value.getstate())
    if callable(value) and hasattr(value, "__qualname__"):
        cells = getattr(value, "__closure__", None) or ()
        parts += [value.__qualname__, *(deep(cell.cell_contents, above) for cell in cells)]
        parts.append(deep(getattr(value, "__self__", None), above))
        return tuple(parts)
    for at in sorted(_fields(value)):
        if hasattr(value, at):
            parts.append((at, deep(getattr(value, at), above)))
    return tuple(parts)


def _fields(value: object) -> set[str]:
    names = set(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names |= {slots} if isinstance(slots, str) else set(slots)
    return names


def is_immutable(value: object) -> bool:
    """Whether a value is made of immutable parts only."""
    if value is None or isinstance(value, bool | int | str | float | bytes):
        return True
    if isinstance(value, tuple | frozenset):
        return all(is_immutable(each) for each in value)
    frozen = getattr(getattr(value, "__dataclass_params__", None), "frozen", False)
    return bool(frozen) and all(is_immutable(getattr(value, at)) for at in _fields(value))


def told(events: Iterable[Event], viewer: Viewer) -> list[Phrase]:
    """The phrases of the events that a viewer is told."""
    return [
        event.phrase
        for event in events
        if event.audience is None or (viewer is not None and viewer in event.audience)
    ]


def blocks(layout: Layout) -> Iterator[Block]:
    """What is to be seen, at once or on demand."""
    yield from layout.blocks
    yield from layout.more


def phrases(layout: Layout) -> Iterator[Phrase]:
    for block in blocks(layout):
        match block:
            case Headline() | Line():
                yield block.phrase
            case Chips():
                yield from block.chips
            case SeatRow():
                for seat in block.seats:
                    yield from seat.facts
            case Trick():
                if block.reason is not None:
                    yield block.reason
            case LastSet():
                yield block.reason
            case Ladder():
                yield block.said
            case CardRow() | Tally():
                pass
            case _:
                assert_never(block)
    yield from (said for said in (layout.asks, layout.tip, layout.goal) if said is not None)
    yield from layout.words
    for group in layout.barred:
        yield group.why
    for control in layout.controls:
        match control:
            case Choice():
                yield control.label
                if control.title is not None:
                    yield control.title
                yield from control.notes
                if control.how is not None:
                    yield control.how
            case Standing():
                yield control.label
                yield control.undo
                yield control.means
            case Act():
                pass
            case _:
                assert_never(control)
    for act in layout.acts:
        if act.label is not None:
            yield act.label
        yield from act.notes
        if act.confirm is not None:
            yield act.confirm


def named(text: str) -> set[str]:
    """Words of a text that may be cards; `4-4x2` names `4-4`."""
    return {word.removesuffix("x2") for word in text.split()}


def cards_in_phrase(phrase: Phrase) -> set[str]:
    found = named(phrase.code)
    for value in phrase.params.values():
        if isinstance(value, Cards):
            found |= named(" ".join(value.codes))
        elif isinstance(value, str):
            found |= named(value)
    return found


def cards_in_layout(layout: Layout) -> set[str]:
    found: set[str] = set()
    for phrase in phrases(layout):
        found |= cards_in_phrase(phrase)
    for block in blocks(layout):
        if isinstance(block, CardRow):
            found |= {card.code for card in block.cards} | {card.group for card in block.cards}
        elif isinstance(block, LastSet):
            found |= {card.code for card in block.cards}
        elif isinstance(block, Trick):
            found |= {laid.card for laid in block.cards if laid.card}
    for group in layout.barred:
        found |= set(group.cards)
    for act in (*layout.acts, *layout.ahead):
        found |= named(act.action) | set(act.cards)
    for control in layout.controls:
        if isinstance(control, Choice):
            found |= named(control.key)
            if control.combine is not None:
                found |= set(control.combine.cards)
    return found


def known_places(game: AnyGame, state: Any, viewer: Viewer) -> Counter[tuple[str, str]]:
    """Cards with their places where a viewer knows them; identical ones are counted."""
    return Counter((card.card, card.place) for card in game.cards(state) if _is_known(card, viewer))


def unknown_places(game: AnyGame, state: Any, viewer: Viewer) -> Counter[tuple[str, str]]:
    """The same of cards whose place a viewer does not know."""
    return Counter(
        (card.card, card.place) for card in game.cards(state) if not _is_known(card, viewer)
    )


def unknown_to(game: AnyGame, state: Any, viewer: Viewer) -> set[str]:
    """Cards whose place a viewer does not know; of identical cards that of none."""
    cards = game.cards(state)
    known = {card.card for card in cards if _is_known(card, viewer)}
    return {card.card for card in cards} - known


def _is_known(card: Located, viewer: Viewer) -> bool:
    return card.public if viewer is None else viewer in card.known_to


def unseen(match: Match) -> list[dict[Viewer, set[str]]]:
    """After each ply: the cards whose place a viewer has not known since the round's deal."""
    found: list[dict[Viewer, set[str]]] = []
    for ply in match.plies:
        places = match.game.cards(ply.after)
        known: dict[Viewer, set[str]] = {
            viewer: {each.card for each in places if viewer in each.known_to}
            for viewer in range(match.seats)
        }
        known[None] = {each.card for each in places if each.public}
        before = {each.card for each in places}
        found.append(
            {
                viewer: (before if ply.seat == CHANCE else found[-1][viewer]) - known[viewer]
                for viewer in match.viewers
            }
        )
    return found


def world(game: AnyGame, state: Any, viewer: Viewer) -> tuple[object, ...]:
    """All that a viewer can make of a state: two worlds that it cannot tell apart are equal."""
    observation = game.observe(state, viewer)
    layout = game.layout(observation)
    asked: tuple[object, ...] = ()
    if viewer is not None and viewer in game.actors(state):
        asked = (
            tuple(game.legal_actions(state, viewer)),
            game.default_action(observation),
            game.question(state, viewer),
        )
    return (
        game.actors(state),
        observation,
        deep(observation),
        layout,
        asked,
        game.scores(state),
        game.round_scores(state),
        game.outcome(state),
    )


def forged(action: Any, rng: Random) -> Iterator[Any]:
    """Values of an action's type that are nearly that action."""
    replace: Callable[..., Any]
    if hasattr(action, "_fields"):
        fields, replace = action._fields, action._replace
    elif dataclasses.is_dataclass(action) and not isinstance(action, type):
        fields = tuple(each.name for each in dataclasses.fields(action))
        replace = functools.partial(dataclasses.replace, action)
    else:
        return
    for name in fields:
        value = getattr(action, name)
        values: list[object] = []
        if isinstance(value, bool):
            values = [not value]
        elif isinstance(value, int):
            values = [value + 1, value - 1, ~value, 0, value ^ (1 << rng.randrange(60)), 1 << 70]
        elif isinstance(value, str):
            values = [value + "!", ""]
        elif isinstance(value, tuple):
            values = [value[::-1], value[1:], value * 2, (*value, 99), ()]
        for each in values:
            if type(each) is type(value) and each != value:
                yield replace(**{name: each})


def refusal(attempt: Callable[[], object]) -> RuleError | None:
    """The error with which something is refused; None if it is not."""
    try:
        attempt()
    except RuleError as error:
        return error
    return None
