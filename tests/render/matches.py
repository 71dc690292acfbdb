"""Positions of every game that is registered, played at random, and the views of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from bot.ids import QuestionId, UserId
from bot.views.values import BoardView, HandView, Pause, Sitter, TableHead
from engine.game import CHANCE, AnyGame, Options
from engine.layout import Choice, Phrase
from engine.options import worth_saying
from engine.registry import games
from tests.conformance.matches import turned
from tests.render import samples

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


class Position(NamedTuple):
    """A state, and what everybody had been told until then."""

    state: Any
    told: tuple[Phrase, ...]


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
    found: list[Position] = []
    while len(found) < PLIES:
        state = game.initial(seats, options)
        told: list[Phrase] = []
        found.append(Position(state, ()))
        while actors := game.actors(state):
            seat = rng.choice(actors)
            action = _action(game, state, seat, rng)
            after = game.apply(state, seat, action)
            events = game.events(state, seat, action, after)
            told += [event.phrase for event in events if event.audience is None]
            state = after
            found.append(Position(state, tuple(told)))
    return found[:PLIES]


def _action(game: AnyGame, state: Any, seat: int, rng: Random) -> Any:
    if seat == CHANCE:
        return game.deal(state, rng.randrange)
    if rng.random() < 0.5:
        return game.default_action(game.observe(state, seat))
    return rng.choice(game.legal_actions(state, seat))


def head(table: Table, names: Sequence[str] = NAMES) -> TableHead:
    info = table.game.info
    teams = {seat: number for number, team in enumerate(info.teams) for seat in team}
    sitters = tuple(
        Sitter(seat, UserId(100 + seat), names[seat], teams.get(seat))
        for seat in range(table.seats)
    )
    said = worth_saying(info, table.seats, table.options)
    return TableHead(
        samples.TABLE, info.id, samples.GUILD, samples.CHANNEL, UserId(100), sitters, said
    )


def hand(table: Table, state: Any, seat: int, names: Sequence[str] = NAMES) -> HandView:
    game = table.game
    asked = seat in game.actors(state)
    return HandView(
        head=head(table, names),
        layout=game.layout(game.observe(state, seat)),
        seat=seat,
        question=QuestionId(game.question(state, seat)) if asked else None,
        round=1,
        pause=_pause(table, state),
        board=(samples.CHANNEL, samples.BOARD),
    )


def board(table: Table, position: Position, names: Sequence[str] = NAMES) -> BoardView:
    game, state = table.game, position.state
    actors = tuple(seat for seat in game.actors(state) if seat != CHANCE)
    return BoardView(
        head=head(table, names),
        layout=game.layout(game.observe(state, None)),
        round=1,
        actors=actors,
        question=QuestionId(game.question(state, actors[0])) if len(actors) == 1 else None,
        log=position.told[-6:],
        pause=_pause(table, state),
        end_votes=0,
        votes_needed=2,
        post="1" * 19,
    )


def _pause(table: Table, state: Any) -> Pause | None:
    points = table.game.round_scores(state)
    if points is None:
        return None
    words = ("w" * 20,) * table.seats
    totals = table.game.scores(state)
    ready = frozenset({UserId(100), UserId(101)})
    return Pause(QuestionId(9), 1, points, totals, ready, samples.NOW, words)


def menus(view: HandView) -> Iterator[Choice]:
    """The choices that are a menu from the start."""
    for control in view.layout.controls:
        if isinstance(control, Choice) and control.menu:
            yield control
