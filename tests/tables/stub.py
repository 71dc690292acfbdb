"""A game small enough to see through: each seat plays one number a round, in turn or at once.

`play N` (0–9) scores N plus the secret number that the seat was dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.game import (
    CHANCE,
    Draw,
    Event,
    GameInfo,
    Json,
    Located,
    NotationError,
    Options,
    OptionSpec,
    Outcome,
    RoundHead,
    RuleError,
    Seat,
)
from engine.layout import Layout, Phrase


class State(NamedTuple):
    seats: int
    rounds: int
    secret: bool
    plies: int = 0
    dealt: tuple[int, ...] = ()
    played: tuple[int | None, ...] = ()
    asked: tuple[int, ...] = ()
    done: int = 0
    totals: tuple[int, ...] = ()
    last: tuple[int, ...] | None = None


class Deal(NamedTuple):
    numbers: tuple[int, ...]


class Play(NamedTuple):
    number: int


@dataclass(frozen=True)
class View:
    seat: Seat | None
    mine: int | None
    played: tuple[bool, ...]

    @property
    def legal_actions(self) -> tuple[Play, ...]:
        return ()


class StubGame:
    def __init__(
        self,
        rules_version: int = 1,
        seeds_after: Literal["round", "match"] = "round",
        teams: tuple[tuple[Seat, ...], ...] = (),
    ) -> None:
        self.passes: set[Seat] = set()
        """Seats that can say `play 0` by passing for the whole deal."""
        self.info = GameInfo(
            id="stub",
            rules_version=rules_version,
            seats=(2, 3, 4),
            options=(
                OptionSpec("rounds", "length", "int", lambda seats: seats, 1, 9, "rounds"),
                OptionSpec("secret", "secret", "bool", lambda seats: False),
            ),
            seeds_after=seeds_after,
            teams=teams,
        )

    def complete_options(self, seats: int, given: Options) -> Options:
        for key in given:
            if key not in ("rounds", "secret"):
                raise NotationError("option_unknown", key=key)
        rounds = given.get("rounds", seats)
        if not isinstance(rounds, int) or not 1 <= rounds <= 9:
            raise NotationError("option_range", key="rounds", minimum=1, maximum=9)
        return {"rounds": rounds, "secret": bool(given.get("secret", False))}

    def one_round(self, options: Options, state: State) -> Options:
        return {**options, "rounds": 1}

    def initial(self, seats: int, options: Options) -> State:
        return State(seats, int(options["rounds"]), bool(options["secret"]), totals=(0,) * seats)

    def actors(self, state: State) -> tuple[Seat, ...]:
        if not state.played:
            return (CHANCE,) if state.done < state.rounds else ()
        waiting = tuple(seat for seat, number in enumerate(state.played) if number is None)
        return waiting if state.secret else waiting[:1]

    def question(self, state: State, seat: Seat) -> int:
        return state.asked[seat]

    def deal(self, state: State, draw: Draw) -> Deal:
        return Deal(tuple(draw(10) for _ in range(state.seats)))

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Play]:
        return [Play(n) for n in range(10)] if seat in self.actors(state) and seat != CHANCE else ()

    def is_legal(self, state: State, seat: Seat, action: Deal | Play) -> bool:
        try:
            self.apply(state, seat, action)
        except RuleError:
            return False
        return True

    def apply(self, state: State, seat: Seat, action: Deal | Play) -> State:
        if seat not in self.actors(state):
            raise RuleError("not_to_act")
        plies = state.plies + 1
        if isinstance(action, Deal):
            if seat != CHANCE or len(action.numbers) != state.seats:
                raise RuleError("bad_deal")
            return state._replace(
                plies=plies,
                dealt=action.numbers,
                played=(None,) * state.seats,
                asked=(plies,) * state.seats,
                last=None,
            )
        if not 0 <= action.number <= 9:
            raise RuleError("too_high", number=action.number)
        played = (*state.played[:seat], action.number, *state.played[seat + 1 :])
        if None in played:
            asked = state.asked if state.secret else (plies,) * state.seats
            return state._replace(plies=plies, played=played, asked=asked)
        points = tuple((number or 0) + own for number, own in zip(played, state.dealt, strict=True))
        return state._replace(
            plies=plies,
            dealt=(),
            played=(),
            asked=(),
            done=state.done + 1,
            totals=tuple(a + b for a, b in zip(state.totals, points, strict=True)),
            last=points,
        )

    def events(
        self, before: State, seat: Seat, action: Deal | Play, after: State
    ) -> tuple[Event, ...]:
        if isinstance(action, Deal):
            return tuple(
                Event(Phrase("dealt", {"number": number}), (owner,))
                for owner, number in enumerate(action.numbers)
            )
        return (Event(Phrase("played", {"number": action.number})),)

    def outcome(self, state: State) -> Outcome | None:
        if state.done < state.rounds:
            return None
        return Outcome.of(state.totals)

    def scores(self, state: State) -> tuple[int, ...]:
        return state.totals

    def observe(self, state: State, seat: Seat | None) -> View:
        own = state.dealt[seat] if seat is not None and state.dealt else None
        return View(seat, own, tuple(number is not None for number in state.played))

    def layout(self, view: View) -> Layout:
        return Layout(())

    def story(self, view: View) -> None:
        """Nothing is told of a round."""

    def compose(self, view: View, cards: Sequence[str], flags: frozenset[str]) -> Play:
        raise RuleError("nothing_to_combine")

    def default_action(self, view: View) -> Play:
        return Play(0)

    def format_action(self, action: Play) -> str:
        return f"play {action.number}"

    def public_action(self, view: View, seat: Seat, action: Play) -> str:
        return self.format_action(action)

    def parse_action(self, text: str, view: View | None = None) -> Play:
        if view is not None:
            text = " ".join(text.lower().split())
        word, _, number = text.partition(" ")
        if word != "play" or not number.isdecimal():
            raise NotationError("no_action")
        return Play(int(number))

    def deal_to_json(self, action: Deal) -> Json:
        return {"numbers": list(action.numbers)}

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        return ()

    def advice(self, view: View, action: Play) -> tuple[Phrase, ...]:
        return (Phrase("advice_play"),)

    def standing_action(self, view: View) -> Play | None:
        # For the seat's turn alone: whether it is asked at all is for the tables to know.
        return Play(0) if view.seat in self.passes else None

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        match data:
            case {"numbers": [*numbers]} if all(isinstance(number, int) for number in numbers):
                return Deal(tuple(number for number in numbers if isinstance(number, int)))
        raise NotationError("deal_malformed")

    def round_head(self, state: State) -> RoundHead:
        return RoundHead(None, 0, None)

    def round_scores(self, state: State) -> tuple[int, ...] | None:
        return state.last

    def cards(self, state: State) -> tuple[Located, ...]:
        return ()
