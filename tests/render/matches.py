"""Positions of every game that is registered, played at random, and the views of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from random import Random
from typing import Any, NamedTuple

from bot.i18n import Texts
from bot.ids import QuestionId, UserId
from bot.render.coaching import hint_aid, hint_lines, why_not
from bot.render.emoji_texts import illustrated_lines
from bot.views.hinting import HintView, Shares
from bot.views.values import BetweenRoundsView, BoardView, HandView, TableHead
from engine.game import CHANCE, AnyGame, Options
from engine.layout import Choice
from engine.options import worth_saying
from engine.registry import games
from tests.conformance.matches import turned
from tests.render import samples
from tests.render.samples import Position

NAMES = ("Annabel", "Ben", "Charlotte of Hal", "Dan", "Eve", "Friedrich-Wilhelm")

PLIES = 260
"""So many positions of a table are looked at: at least a round and a pause of every game."""


class Table(NamedTuple):
    """A game with its number of seats and its options."""

    game: AnyGame
    seats: int
    options: Options

    def __str__(self) -> str:
        usual = self.game.complete_options(self.seats, {})
        given = [
            key if value is True else f"{key}={value}"
            for key, value in self.options.items()
            if value is True or (type(value) is not int and value != usual[key])
        ]
        return "-".join([self.game.info.id, str(self.seats), *given])


def tables() -> list[Table]:
    """Every game with every number of seats and every switch, its matches as short as may be."""
    return [
        Table(game, seats, game.complete_options(seats, given))
        for game in games().values()
        for seats in game.info.seats
        for given in variants(game)
    ]


def variants(game: AnyGame) -> Iterator[Options]:
    """The options of short matches, as they usually are and with each switch turned."""
    numbers = [spec.key for spec in game.info.options if spec.kind == "int"][:1]
    short = dict.fromkeys(numbers, 2)
    yield short
    for switch in turned(game):
        yield {**short, **switch}


@cache
def positions(table: str, seed: int) -> Sequence[Position]:
    """Positions of as many random matches as it takes; several actors answer in random order.

    Half of the answers are the game's own default, which keeps raises and offers from ending
    most rounds before a card is played.
    """
    game, seats, options = next(one for one in tables() if str(one) == table)
    rng = Random(f"{table}/{seed}")

    def choose(state: Any, actors: Sequence[int]) -> tuple[int, Any]:
        seat = rng.choice(actors)
        if seat == CHANCE:
            return seat, game.deal(state, rng.randrange)
        if rng.random() < 0.5:
            return seat, game.default_action(game.observe(state, seat))
        return seat, rng.choice(game.legal_actions(state, seat))

    found: list[Position] = []
    while len(found) < PLIES:
        found += samples.played(game, seats, options, choose)
    return found[:PLIES]


def head(table: Table, names: Sequence[str] = NAMES) -> TableHead:
    info = table.game.info
    teams = {seat: number for number, team in enumerate(info.teams) for seat in team}
    found = samples.head(
        table.seats, tuple(names), game=info.id, teams=[teams.get(s) for s in range(table.seats)]
    )
    return replace(found, options=worth_saying(info, table.seats, table.options), seal="")


def hand(table: Table, state: Any, seat: int, names: Sequence[str] = NAMES) -> HandView:
    return samples.hand_view(
        state, seat, table.game, head=head(table, names), pause=_pause(table, state)
    )


def board(table: Table, position: Position, names: Sequence[str] = NAMES) -> BoardView:
    return samples.board_view(
        position.state, table.game, head=head(table, names), log=position.told[-6:],
        pause=_pause(table, position.state), post="1" * 19,
    )  # fmt: skip


def _pause(table: Table, state: Any) -> BetweenRoundsView | None:
    points = table.game.round_scores(state)
    if points is None:
        return None
    words = ("w" * 20,) * table.seats
    totals = table.game.scores(state)
    ready = frozenset({UserId(100), UserId(101)})
    return BetweenRoundsView(QuestionId(9), 1, points, totals, ready, samples.NOW, words)


def _lines(hint: HintView, words: Texts) -> tuple[str, ...]:
    """What it says, with emoji where they are known."""
    return illustrated_lines(lambda texts: hint_lines(hint, texts), words, "standard")


def steps(view: HandView) -> Iterator[HandView]:
    """A hand, and the second step of each of its choices."""
    yield view
    if view.question is not None:
        for control in view.layout.controls:
            if isinstance(control, Choice) and control.acts and not control.menu:
                yield replace(view, opened=control.key)


def fullest(
    table: Table, position: Position, number: int, names: Sequence[str], words: Texts
) -> Iterator[BoardView | HandView]:
    """A position at its fullest: stand-ins for everybody, clocks, sentences, second steps."""
    shown = board(table, position, names)
    yield replace(
        shown, head=_absent(shown.head), asked=shown.actors, due=samples.NOW,
        credited=timedelta(days=3),
    )  # fmt: skip
    for seat in {number % table.seats, *shown.actors}:
        view = hand(table, position.state, seat, names)
        learnt = replace(view, head=_absent(view.head), coached=True, learns=True)
        if (why := why_not(view, words)) is not None:
            yield replace(learnt, aid=why)
        if (hint := _hint(table, position, view)) is not None:
            yield replace(learnt, aid=hint_aid(hint, _lines(hint, words)))
        yield from steps(
            replace(
                view, head=_absent(view.head), notice="Why that cannot be. " * 5, away=True,
                due=samples.NOW, warned=bool(number % 2), coached=True,
            )
        )  # fmt: skip


def _hint(table: Table, position: Position, view: HandView) -> HintView | None:
    """A hint with all that one can say: figures of two actions, its reason, and what it costs."""
    if view.question is None:
        return None
    game, seen = table.game, table.game.observe(position.state, view.seat)
    first, last = (game.format_action(seen.legal_actions[at]) for at in (0, -1))
    pack = frozenset(game.pack(table.seats, table.options))
    reasons = tuple(game.advice(seen, game.parse_action(first)))
    return HintView(
        view.head, view.layout, pack, first, -10.04, (first, last), ((last, -10.54),) * 3,
        "match",
        reasons=reasons[:2], taken=3, uncounted=True,
        shares=Shares("pair", 0.744, 0.81, pays=True),
    )  # fmt: skip


def _absent(head: TableHead) -> TableHead:
    """The same table with a free seat and stand-ins for everybody."""
    first, *others = (sitter._replace(stand_in=True) for sitter in head.sitters)
    return replace(head, sitters=(first._replace(user=None, name=""), *others))


def menus(view: HandView) -> Iterator[Choice]:
    """The choices that are a menu from the start."""
    for control in view.layout.controls:
        if isinstance(control, Choice) and control.menu:
            yield control
