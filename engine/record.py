"""Game records (`stammtisch.record/1`, `notation.md`): building them and checking them.

Checking plays a record again through the game's interface and compares everything that stands
in it; it forgives nothing and answers anything at all with faults, never with an exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from engine._json import is_int, is_number, known_keys, same, show
from engine.game import (
    CHANCE,
    AnyGame,
    Json,
    NotationError,
    Options,
    RoundHead,
    RuleError,
    Seat,
)
from engine.notation import excerpt
from engine.registry import games

FORMAT: Final = "stammtisch.record/1"

MAX_TEXT: Final = 64 * 1024 * 1024
"""Longest record that is read, in characters."""
MAX_ROUNDS: Final = 10_000
"""More rounds than any match can have."""
MAX_ACTIONS: Final = 10_000
"""More actions than any round can have."""

Log: TypeAlias = Iterable[tuple[Seat, Any]]
"""Who did what, deals included.  Actions are the game's own business (see `AnyGame`)."""


def record(
    game: AnyGame,
    seats: int,
    options: Options,
    log: Log,
    *,
    legal: bool = False,
    stopped: str | None = None,
) -> dict[str, Json]:
    """The record of a match that was played; `options` complete, every action legal.

    A log that does not reach the end of the match needs `stopped`, the reason; raises
    ValueError if it is missing or given for a finished match.  With `legal` every action
    carries the legal ones beside it.
    """
    state = game.initial(seats, options)
    rounds: list[dict[str, Json]] = []
    actions: list[Json] = []
    for seat, action in log:
        if seat == CHANCE:
            state = game.apply(state, seat, action)
            actions = []
            opening = opening_to_json(game, action, state)
            rounds.append({**opening, "actions": actions, "scores": None, "proof": None})
            continue
        done: dict[str, Json] = {"seat": seat, "do": game.format_action(action)}
        if legal:
            done["legal"] = legal_texts(game, state, seat)
        state = game.apply(state, seat, action)
        actions.append(done)
        points = game.round_scores(state)
        if points is not None:
            rounds[-1]["scores"] = list(points)
    outcome = game.outcome(state)
    if (outcome is None) != (stopped is not None):
        raise ValueError("a match is either finished or stopped for a reason")
    made: dict[str, Json] = {
        "format": FORMAT,
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "options": dict(options),
        "seats": seats,
        "rounds": rounds,
        "outcome": outcome and {"scores": list(outcome.scores), "ranking": list(outcome.ranking)},
    }
    if stopped is not None:
        made["stopped"] = stopped
    return made


def opening_to_json(game: AnyGame, deal: Any, after: Any) -> dict[str, Json]:
    """How a round began, as in its record: dealer, start, trump and deal; `after` the deal."""
    head = game.round_head(after)
    return {
        "dealer": head.dealer,
        "start": head.start,
        "trump": head.trump,
        "deal": game.deal_to_json(deal),
    }


def opening_from_json(game: AnyGame, before: Any, data: object) -> Any:
    """The deal, due at `before`, that `opening_to_json` wrote.

    Raises NotationError as `Game.deal_from_json` does.
    """
    if not isinstance(data, Mapping):
        raise NotationError("deal_malformed")
    dealer, start, trump = data.get("dealer"), data.get("start"), data.get("trump")
    head = RoundHead(
        dealer if is_number(dealer) else None,
        start if is_number(start) else None,
        trump if isinstance(trump, str) else None,
    )
    return game.deal_from_json(before, data.get("deal"), head)


def legal_texts(game: AnyGame, state: Any, seat: Seat) -> list[str]:
    """Notation of every legal action, each text once, by code point."""
    return sorted({game.format_action(action) for action in game.legal_actions(state, seat)})


def to_text(made: Mapping[str, Json]) -> str:
    """A record as one line."""
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


# Checking.

Kind: TypeAlias = Literal[
    "malformed", "deal", "start", "dealer", "trump", "proof", "scores", "outcome",
    "missing", "illegal", "legal",
]  # fmt: skip


class Fault(NamedTuple):
    """Something wrong in a record; records, rounds and plies count from 1."""

    record: int
    round: int | None
    ply: int | None
    kind: Kind
    what: str
    """What is wrong and why, in notation and codes (English, stable, like all notation)."""

    def __str__(self) -> str:
        where = f"record {self.record}"
        if self.round is not None:
            where += f", round {self.round}"
        if self.ply is not None:
            where += f", ply {self.ply}"
        return f"{where}: {self.kind}: {self.what}"


def verify_text(text: str, number: int) -> list[Fault]:
    """All faults of one record given as JSON text; `number` is its place among the records."""
    if len(text) > MAX_TEXT:
        return [Fault(number, None, None, "malformed", f"longer than {MAX_TEXT} characters")]
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        return [Fault(number, None, None, "malformed", f"not JSON: {_reason(error)}")]
    return verify(data, number)


def verify(data: object, number: int) -> list[Fault]:
    """All faults of one record given as decoded JSON; `number` is its place among the records."""
    return _Check(number).run(data)


def verify_lines(lines: Iterable[str]) -> Iterator[list[Fault]]:
    """The faults of each record of a file: JSON Lines, or objects over several lines."""
    for number, text in enumerate(_texts(lines), 1):
        yield verify_text(text, number)


def _texts(lines: Iterable[str]) -> Iterator[str]:
    """The text of each record.

    A brace in the first column begins one; if its line does not close it, it goes on to a closing
    brace in the first column or to the next beginning.  Any other line is a record, a bad one.
    """
    begun: list[str] = []
    size = 0
    for line in lines:
        if begun and line.startswith("{"):
            yield "".join(begun)
            begun = []
        if begun:
            # What is too long anyway is not kept, only that it is.
            if size <= MAX_TEXT:
                begun.append(line)
                size += len(line)
            if line.startswith("}"):
                yield "".join(begun)
                begun = []
        elif line.startswith("{") and not line.rstrip().endswith("}"):
            begun, size = [line], len(line)
        elif line.strip():
            yield line
    if begun:
        yield "".join(begun)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} (line {error.lineno}, column {error.colno})"
        case RecursionError():
            return "nested too deeply"
        case _:
            return excerpt(str(error))


class _Stop(Exception):
    """Nothing more can be checked in this record."""


_ROUND_KEYS: Final = ("dealer", "start", "trump", "deal", "actions", "scores", "proof")
_OPENING: Final[Mapping[str, Kind]] = {"no_dealer": "dealer", "no_start": "start"}
"""Which part of a round's opening a refusal is about, if not the cards."""
_HEX64: Final = re.compile("[0-9a-f]{64}")
_WORD: Final = re.compile("[A-Za-z0-9]{0,20}")
_TABLE: Final = re.compile("[A-Za-z0-9-]{1,40}")
_POST: Final = re.compile("[0-9]{0,20}")
_PREVIOUS: Final = re.compile("(?:[0-9a-f]{64})?")


class _Check:
    """One pass over one record."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.faults: list[Fault] = []

    def run(self, data: object) -> list[Fault]:
        with suppress(_Stop):
            self._record(data)
        return self.faults

    def _add(
        self, kind: Kind, what: str, round_: int | None = None, ply: int | None = None
    ) -> None:
        self.faults.append(Fault(self.number, round_, ply, kind, what))

    def _stop(
        self, kind: Kind, what: str, round_: int | None = None, ply: int | None = None
    ) -> _Stop:
        self._add(kind, what, round_, ply)
        return _Stop()

    def _record(self, data: object) -> None:
        if not isinstance(data, dict):
            raise self._stop("malformed", "a record is a JSON object")
        for key in ("format", "game", "rules_version", "options", "seats", "rounds", "outcome"):
            if key not in data:
                raise self._stop("malformed", f"key {key!r} is missing")
        if data["format"] != FORMAT:
            raise self._stop("malformed", f"format is not {FORMAT!r}: {show(data['format'])}")
        game = self._game(data["game"])
        if not is_int(data["rules_version"], game.info.rules_version):
            known = game.info.rules_version
            shown = show(data["rules_version"])
            raise self._stop("malformed", f"rules_version is {shown}, only {known} is known")
        seats = data["seats"]
        if not isinstance(seats, int) or isinstance(seats, bool) or seats not in game.info.seats:
            raise self._stop("malformed", f"no such number of seats: {show(seats)}")
        options = self._options(game, seats, data["options"])
        stopped = data.get("stopped")
        if stopped is not None and not isinstance(stopped, str):
            raise self._stop("malformed", f"stopped is no text: {show(stopped)}")
        if data["outcome"] is None and stopped is None:
            raise self._stop("malformed", "without an outcome the key 'stopped' says why")
        if data["outcome"] is not None and stopped is not None:
            raise self._stop("malformed", "a match with an outcome was not stopped")
        rounds = data["rounds"]
        if not isinstance(rounds, list) or len(rounds) > MAX_ROUNDS:
            raise self._stop("malformed", f"rounds is no list of at most {MAX_ROUNDS} rounds")
        state = self._rounds(game, game.initial(seats, options), rounds, stopped is not None)
        self._outcome(game, state, len(rounds), data["outcome"])

    def _game(self, name: object) -> AnyGame:
        game = games().get(name) if isinstance(name, str) else None
        if game is None:
            raise self._stop("malformed", f"unknown game: {show(name)}")
        return game

    def _options(self, game: AnyGame, seats: int, given: object) -> Options:
        if not isinstance(given, dict):
            raise self._stop("malformed", "options is no object")
        for key, value in given.items():
            if not isinstance(value, (int, bool, str)):
                raise self._stop("malformed", f"option {excerpt(key)!r}: {show(value)}")
        try:
            complete = game.complete_options(seats, given)
        except RuleError as error:
            raise self._stop("malformed", f"options: {_why(error)}") from None
        if not same(dict(complete), given):
            raise self._stop("malformed", f"options are not written out: {show(complete)}")
        return complete

    def _rounds(self, game: AnyGame, state: Any, rounds: Sequence[object], stopped: bool) -> Any:
        for index, data in enumerate(rounds):
            number = index + 1
            if game.outcome(state) is not None:
                raise self._stop("malformed", "the match had ended before this round", number)
            may_stop = stopped and number == len(rounds)
            state = self._round(game, state, data, number, may_stop)
        return state

    def _round(self, game: AnyGame, state: Any, data: object, number: int, may_stop: bool) -> Any:
        if not isinstance(data, dict):
            raise self._stop("malformed", "a round is a JSON object", number)
        for key in _ROUND_KEYS:
            if key not in data:
                raise self._stop("malformed", f"key {key!r} is missing", number)
        actions = data["actions"]
        if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
            what = f"actions is no list of at most {MAX_ACTIONS} actions"
            raise self._stop("malformed", what, number)
        self._proof(data["proof"], len(game.scores(state)), number)
        try:
            deal = opening_from_json(game, state, data)
            state = game.apply(state, CHANCE, deal)
        except RuleError as error:
            raise self._stop(_OPENING.get(error.code, "deal"), _why(error), number) from None
        if not same(known_keys(data["deal"], game.deal_to_json(deal)), game.deal_to_json(deal)):
            raise self._stop("deal", "not as the game writes it", number)
        self._head(game, state, data, number)
        for index, action in enumerate(actions):
            state = self._action(game, state, action, number, index + 1)
        self._scores(game, state, data["scores"], number, len(actions) + 1, may_stop)
        return state

    def _head(self, game: AnyGame, state: Any, data: Mapping[str, object], number: int) -> None:
        head = game.round_head(state)
        kinds: tuple[tuple[Kind, object], ...] = (
            ("dealer", head.dealer), ("start", head.start), ("trump", head.trump),
        )  # fmt: skip
        for kind, wanted in kinds:
            if not same(data[kind], wanted):
                self._add(kind, f"is {show(data[kind])}, should be {show(wanted)}", number)

    def _action(self, game: AnyGame, state: Any, data: object, number: int, ply: int) -> Any:
        if not isinstance(data, dict) or "seat" not in data or "do" not in data:
            raise self._stop("malformed", "an action has 'seat' and 'do'", number, ply)
        seat, text = data["seat"], data["do"]
        if not isinstance(seat, int) or isinstance(seat, bool) or not isinstance(text, str):
            raise self._stop("malformed", "'seat' is a number and 'do' a text", number, ply)
        if not 0 <= seat < len(game.scores(state)):
            raise self._stop("malformed", f"there is no seat {show(seat)}", number, ply)
        try:
            action = game.parse_action(text)
        except RuleError as error:
            what = f"{excerpt(text)!r}: {_why(error)}"
            raise self._stop("malformed", what, number, ply) from None
        if game.round_scores(state) is not None or CHANCE in game.actors(state):
            what = f"{excerpt(text)!r} by seat {seat}: the round was over"
            raise self._stop("illegal", what, number, ply)
        if "legal" in data and not same(data["legal"], legal_texts(game, state, seat)):
            self._add("legal", "not the legal actions of this seat", number, ply)
        try:
            return game.apply(state, seat, action)
        except RuleError as error:
            what = f"{excerpt(text)!r} by seat {seat}: {_why(error)}"
            raise self._stop("illegal", what, number, ply) from None

    def _scores(
        self, game: AnyGame, state: Any, given: object, number: int, ply: int, may_stop: bool
    ) -> None:
        points = game.round_scores(state)
        if points is None:
            if not may_stop or given is not None:
                raise self._stop("missing", "the round goes on here", number, ply)
        elif not same(given, list(points)):
            self._add("scores", f"are {show(given)}, should be {show(list(points))}", number)

    def _outcome(self, game: AnyGame, state: Any, rounds: int, given: object) -> None:
        outcome = game.outcome(state)
        if given is None:
            if outcome is not None:
                self._add("outcome", "the match was finished, not stopped")
            return
        if outcome is None:
            raise self._stop("missing", "the match goes on here", rounds + 1)
        wanted = {"scores": list(outcome.scores), "ranking": list(outcome.ranking)}
        if not same(known_keys(given, wanted), wanted):
            self._add("outcome", f"is {show(given)}, should be {show(wanted)}")

    def _proof(self, given: object, seats: int, number: int) -> None:
        """Null, or an object with all keys of the right shape."""
        if given is None:
            return
        if not isinstance(given, dict):
            self._add("proof", "is neither null nor an object", number)
            return
        shapes = {
            "commitment": _HEX64, "server_seed": _HEX64, "table": _TABLE, "post": _POST,
            "previous": _PREVIOUS,
        }  # fmt: skip
        for key, shape in shapes.items():
            value = given.get(key)
            if not isinstance(value, str) or not shape.fullmatch(value):
                self._add("proof", f"{key!r} is {show(value)}", number)
        if not is_int(given.get("round"), number):
            self._add("proof", f"'round' is {show(given.get('round'))}", number)
        words = given.get("words")
        if not isinstance(words, list) or len(words) != seats or not all(map(_is_word, words)):
            self._add("proof", f"'words' are not {seats} words", number)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def _why(error: RuleError) -> str:
    """A refusal's code and parameters: `must_beat (number 3, wanted 5, symbol ▲)`."""
    params = ", ".join(f"{key} {_param(value)}" for key, value in error.params.items())
    return f"{error.code} ({params})" if params else error.code


def _param(value: int | str | tuple[str, ...]) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)
