"""Checking game records (`stammtisch.record/1`, `data/docs/notation.md`): each is played again.

It forgives nothing and answers anything at all with faults, never with an exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from engine.deal import MAX_LINKS, Mix, commitment, digest, stream
from engine.game import CHANCE, AnyGame, Draw, NotationError, Options, RoundHead, RuleError, Seat
from engine.notation import difference, excerpt, is_int, is_number, known_keys, same, show
from engine.options import as_written
from engine.record import FORMAT, legal_texts, opening_from_json
from engine.registry import games

MAX_ROUNDS: Final = MAX_LINKS
"""More rounds than anybody will play in a match; a longer record is refused unread."""
MAX_ACTIONS: Final = 10_000
"""More actions than anybody will take in a round; a longer one is refused unread."""

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


def verify(data: object, number: int) -> list[Fault]:
    """All faults of one record given as decoded JSON; `number` is its place among the records.

    A fault after which nothing can be said about the rest (an illegal action, an impossible deal)
    is the last one; all others leave the rest checked.
    """
    faults: list[Fault] = []
    with suppress(_Stop):
        header = _header(data, number, faults)
        _Replay(header, number, faults).run()
    return faults


class _Stop(Exception):
    """Nothing more can be checked in this record."""


_KEYS: Final = ("format", "game", "rules_version", "options", "seats", "rounds", "outcome")
_ROUND_KEYS: Final = ("dealer", "start", "trump", "deal", "actions", "scores", "proof")
_OPENING: Final[Mapping[str, Kind]] = {"no_dealer": "dealer", "no_start": "start"}
"""Which part of a round's opening a refusal is about, if not the cards."""


class _Header(NamedTuple):
    """A record whose frame is right; its rounds may hold anything."""

    game: AnyGame
    seats: int
    options: Options
    rounds: Sequence[object]
    outcome: object
    stopped: bool


def _header(data: object, number: int, faults: list[Fault]) -> _Header:
    """The frame of a record.  Raises _Stop, with the fault noted, if it is not one."""

    def stop(what: str) -> _Stop:
        faults.append(Fault(number, None, None, "malformed", what))
        return _Stop()

    if not isinstance(data, dict):
        raise stop(f"a record is a JSON object, not {show(data)}")
    for key in _KEYS:
        if key not in data:
            raise stop(f"key {key!r} is missing")
    if data["format"] != FORMAT:
        raise stop(f"format is {show(data['format'])}, only {FORMAT!r} is known")
    name = data["game"]
    game = games().get(name) if isinstance(name, str) else None
    if game is None:
        raise stop(f"unknown game: {show(name)}")
    version = game.info.rules_version
    if not is_int(data["rules_version"], version):
        raise stop(f"rules_version is {show(data['rules_version'])}, only {version} is known")
    seats = data["seats"]
    if not is_number(seats) or seats not in game.info.seats:
        possible = " or ".join(map(str, game.info.seats))
        raise stop(f"seats are {show(seats)}, {game.info.id} is played with {possible}")
    options, rounds, outcome = data["options"], data["rounds"], data["outcome"]
    if not isinstance(options, dict):
        raise stop("options is no object")
    for key, value in options.items():
        if not isinstance(value, (int, bool, str)):
            raise stop(f"option {excerpt(key)!r} is {show(value)}")
    try:
        complete = as_written(game.info, game.complete_options(seats, options), options)
    except RuleError as error:
        raise stop(f"options: {_why(error)}") from None
    if not same(options, dict(complete)):
        raise stop(f"options are not written out: should be {show(dict(complete))}")
    if not isinstance(rounds, list) or len(rounds) > MAX_ROUNDS:
        raise stop(f"rounds is no list of at most {MAX_ROUNDS} rounds")
    stopped = data.get("stopped")
    if outcome is None and (not isinstance(stopped, str) or not stopped):
        raise stop("without an outcome the key 'stopped' says why, in words")
    if outcome is not None and stopped is not None:
        raise stop("a match with an outcome was not stopped")
    return _Header(game, seats, complete, rounds, outcome, stopped is not None)


@lru_cache(maxsize=1 << 14)
def _parsed(game: AnyGame, text: str) -> Any:
    """The action of a canonical text: records repeat few texts.  Raises NotationError."""
    return game.parse_action(text)


class _Replay:
    """The rounds of a record, one after the other."""

    def __init__(self, header: _Header, number: int, faults: list[Fault]) -> None:
        self._header = header
        self._game = header.game
        self._number = number
        self._faults = faults
        self._common: dict[str, str | None] = {}
        """What all proofs share: the table and the commitment, as they stood there first; None once
        another one was found."""

    def run(self) -> None:
        """Notes all faults; raises _Stop where nothing more can be said."""
        game, rounds = self._game, self._header.rounds
        state = game.initial(self._header.seats, self._header.options)
        for index, data in enumerate(rounds):
            if game.outcome(state) is not None:
                raise self._fault("malformed", "the match had ended before this round", index + 1)
            state = self._round(state, data, index + 1)
        self._outcome(state)

    def _fault(
        self, kind: Kind, what: str, round_: int | None = None, ply: int | None = None
    ) -> _Stop:
        """Notes a fault; to be raised where nothing more can be said."""
        self._faults.append(Fault(self._number, round_, ply, kind, what))
        return _Stop()

    def _round(self, state: Any, data: object, number: int) -> Any:
        if not isinstance(data, dict):
            raise self._fault("malformed", f"a round is a JSON object, not {show(data)}", number)
        for key in _ROUND_KEYS:
            if key not in data:
                raise self._fault("malformed", f"key {key!r} is missing", number)
        actions = data["actions"]
        if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
            what = f"actions is no list of at most {MAX_ACTIONS} actions"
            raise self._fault("malformed", what, number)
        draw = self._proof(data["proof"], number)
        state = self._actions(self._opening(state, data, number, draw), actions, number)
        self._scores(state, data["scores"], number, len(actions) + 1)
        return state

    # How a round begins.

    def _proof(self, data: object, number: int) -> Draw | None:
        """The randomness that a round's proof fixes; None without a proof of the right shape."""
        if data is None:
            return None
        proof, wrong = read_proof(data, self._game.info.id, self._header.seats, number)
        for what in wrong:
            self._fault("proof", what, number)
        if proof is None:
            return None
        mix = proof.mix
        # A commitment that does not fit its own seed is wrong already.
        shared = {"table": mix.table} if wrong else proof.shared
        for key, value in shared.items():
            before = self._common.setdefault(key, value)
            if before not in (value, None):
                self._common[key] = None
                what = f"{key!r} is {show(value)}, it was {show(before)} before"
                self._fault("proof", what, number)
        if number == 1:
            if mix.previous:
                self._fault("proof", "'previous' is not empty in round 1", number)
        elif mix.previous != _digest(self._header.rounds[number - 2]):
            what = f"'previous' is not the SHA-256 of the actions of round {number - 1}"
            self._fault("proof", what, number)
        return stream(proof.seed, mix)

    def _opening(
        self, state: Any, data: Mapping[str, object], number: int, draw: Draw | None
    ) -> Any:
        """The state after the deal, which is compared with what `draw` gives."""
        game = self._game
        given, stacked, drawn = data["deal"], None, None
        if draw is not None:
            right = game.deal(state, draw)
            wanted = game.deal_to_json(right)
            drawn = game.round_head(game.apply(state, CHANCE, right))
            stacked = difference(known_keys(given, wanted), wanted, "deal")
        if stacked is not None:
            at, is_, gives = stacked
            self._fault("deal", f"{at} is {is_}, but the proof gives {gives}", number)
        try:
            deal = opening_from_json(game, state, data)
            state = game.apply(state, CHANCE, deal)
        except RuleError as error:
            raise self._fault(_OPENING.get(error.code, "deal"), _why(error), number) from None
        if draw is None:
            wanted = game.deal_to_json(deal)
            odd = difference(known_keys(given, wanted), wanted, "deal")
            if odd is not None:
                at, is_, should = odd
                raise self._fault("deal", f"{at} is {is_}, should be {should}", number)
        self._head(game.round_head(state), data, drawn if stacked is None else None, number)
        return state

    def _head(
        self, head: RoundHead, data: Mapping[str, object], drawn: RoundHead | None, number: int
    ) -> None:
        """Dealer, start and trump as the rules and (`drawn`) the proof say."""
        kinds: tuple[tuple[Kind, object], ...] = (
            ("dealer", head.dealer), ("start", head.start), ("trump", head.trump),
        )  # fmt: skip
        for kind, wanted in kinds:
            if not same(data[kind], wanted):
                self._fault(kind, f"is {show(data[kind])}, should be {show(wanted)}", number)
        if drawn is not None and drawn.dealer != head.dealer:
            what = f"is {show(head.dealer)}, but the proof gives {show(drawn.dealer)}"
            self._fault("dealer", what, number)
        elif drawn is not None and drawn.start != head.start:
            what = f"is {show(head.start)}, but the proof gives {show(drawn.start)}"
            self._fault("start", what, number)

    # How it goes on.

    def _actions(self, state: Any, actions: Sequence[Any], number: int) -> Any:
        """The state after all actions of a round.

        The inner loop of `verify`: what makes an action wrong is asked only when it is.
        """
        hashable: Any = self._game
        apply, seats = self._game.apply, self._header.seats
        parsed = partial(_parsed, hashable)
        for ply, data in enumerate(actions, 1):
            if type(data) is not dict or "seat" not in data or "do" not in data:
                raise self._fault("malformed", "an action has 'seat' and 'do'", number, ply)
            seat, text = data["seat"], data["do"]
            if type(seat) is not int or type(text) is not str:
                raise self._fault("malformed", "'seat' is a number and 'do' a text", number, ply)
            if not 0 <= seat < seats:
                raise self._fault("malformed", f"there is no seat {show(seat)}", number, ply)
            try:
                after = apply(state, seat, parsed(text))
            except RuleError:
                raise self._refused(state, seat, data, number, ply) from None
            if "legal" in data:
                self._legal(state, seat, data["legal"], number, ply)
            state = after
        return state

    def _refused(
        self, state: Any, seat: Seat, data: Mapping[str, Any], number: int, ply: int
    ) -> _Stop:
        """Why an action cannot be read or applied."""
        game, text = self._game, data["do"]
        quoted = repr(excerpt(text))
        try:
            action = game.parse_action(text)
        except NotationError as error:
            return self._fault("malformed", f"{quoted}: {_why(error)}", number, ply)
        if game.round_scores(state) is not None:
            what = f"{quoted} by seat {seat}: the round was over"
            return self._fault("illegal", what, number, ply)
        if "legal" in data:
            self._legal(state, seat, data["legal"], number, ply)
        try:
            game.apply(state, seat, action)
        except RuleError as error:
            what = f"{quoted} by seat {seat}: {_why(error)}"
            return self._fault("illegal", what, number, ply)
        raise AssertionError("an action was refused once and accepted the second time")

    def _legal(self, state: Any, seat: Seat, given: Any, number: int, ply: int) -> None:
        wanted = legal_texts(self._game, state, seat)
        # Texts only equal texts, so this is strict.
        if type(given) is list and given == wanted:
            return
        self._fault("legal", _unlike(given, wanted), number, ply)

    # How it ends.

    def _scores(self, state: Any, given: object, number: int, ply: int) -> None:
        points = self._game.round_scores(state)
        if points is not None:
            if not same(given, list(points)):
                self._fault("scores", f"are {show(given)}, should be {show(list(points))}", number)
        elif not self._header.stopped or number < len(self._header.rounds):
            raise self._fault("missing", "the round goes on here", number, ply)
        elif given is not None:
            what = "the round goes on here, or without a last action its scores are null"
            raise self._fault("missing", what, number, ply)

    def _outcome(self, state: Any) -> None:
        outcome, given = self._game.outcome(state), self._header.outcome
        if given is None:
            if outcome is not None:
                self._fault("outcome", "the match was finished, not stopped")
            return
        if outcome is None:
            number = len(self._header.rounds) + 1
            raise self._fault("missing", "the match goes on here", number)
        wanted = {"scores": list(outcome.scores), "ranking": list(outcome.ranking)}
        wrong = difference(known_keys(given, wanted), wanted)
        if wrong is not None:
            self._fault("outcome", f"is {show(given)}, should be {show(wanted)}")


def _digest(round_: Any) -> str:
    """Of the actions of a round that was checked."""
    return digest([(action["seat"], action["do"]) for action in round_["actions"]])


def _unlike(given: Any, wanted: Sequence[str]) -> str:
    """What is wrong with a list of legal actions."""
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        return f"{show(given)} is no list of texts"
    lacking = sorted(set(wanted) - set(given))
    if lacking:
        return f"{lacking[0]!r} is legal and not in the list"
    added = sorted(set(given) - set(wanted))
    if added:
        return f"{excerpt(added[0])!r} is in the list and not legal"
    return "every text stands once, in the order of code points"


def _why(error: RuleError) -> str:
    """A refusal's code and parameters: `must_beat (number 3, wanted 5, symbol ▲)`."""
    params = ", ".join(f"{key} {_param(value)}" for key, value in error.params.items())
    return f"{error.code} ({params})" if params else error.code


def _param(value: int | str | tuple[str, ...]) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


# The proof of a round.

_SHAPES: Final = {
    "commitment": (re.compile("[0-9a-f]{64}"), "64 hex digits"),
    "server_seed": (re.compile("[0-9a-f]{64}"), "64 hex digits"),
    "table": (re.compile("[A-Za-z0-9-]+"), "a table's id"),
    "post": (re.compile("[0-9]*"), "the id of a message in decimal digits"),
    "previous": (re.compile("(?:[0-9a-f]{64})?"), "64 hex digits or empty"),
}
_WORD: Final = re.compile("[A-Za-z0-9]{0,20}")


class Proof(NamedTuple):
    """What a deal was drawn from."""

    seed: bytes
    mix: Mix
    commitment: str

    @property
    def shared(self) -> dict[str, str]:
        """What stands in every proof of a record alike."""
        return {"table": self.mix.table, "commitment": self.commitment}


def read_proof(data: object, game: str, seats: int, number: int) -> tuple[Proof | None, list[str]]:
    """The proof of round `number`, None if it has not the shape of one; and what is wrong.

    Checked is what can be seen without the rest of the record: keys, shapes, the round's number,
    one word per seat, and that the commitment is that of the seed.
    """
    if not isinstance(data, dict):
        return None, ["is neither null nor an object"]
    wrong = []
    for key, (shape, meant) in _SHAPES.items():
        value = data.get(key)
        if not isinstance(value, str) or not shape.fullmatch(value):
            shown = show(value) if key in data else "missing"
            wrong.append(f"{key!r} is {shown}, which is not {meant}")
    for key in ("round", "link"):
        if not is_int(data.get(key), number):
            shown = show(data[key]) if key in data else "missing"
            wrong.append(f"{key!r} is {shown}, should be {number}")
    words = data.get("words")
    if not isinstance(words, list) or len(words) != seats or not all(map(_is_word, words)):
        wrong.append(f"'words' are {show(words)}, should be {seats} of [A-Za-z0-9]{{0,20}}")
        words = []
    if wrong:
        return None, wrong
    mix = Mix(game, data["table"], number, data["post"], data["previous"], tuple(words))
    seed = bytes.fromhex(data["server_seed"])
    if commitment(seed, number) != data["commitment"]:
        times = "" if number == 1 else f", taken {number} times"
        wrong.append(f"'commitment' is not the SHA-256 of 'server_seed'{times}")
    return Proof(seed, mix, data["commitment"]), wrong


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


# Records as texts and files.

MAX_TEXT: Final = 4 * 1024 * 1024
"""Longest record that is read, in bytes of UTF-8: the longest matches with all that was legal."""

MAX_VALUES: Final = 400_000
"""Values of the largest record that is read: a text of nothing but brackets becomes thirty times as
long in memory."""

_LINES: Final = 10_000
"""Lines of one record that are kept apart: a short one takes far more memory than its text."""

_BOM: Final = "\ufeff"


def verify_text(text: str, number: int) -> list[Fault]:
    """All faults of one record given as JSON text, as `verify` finds them."""
    what = None
    if _size(text) > MAX_TEXT:
        what = f"longer than {MAX_TEXT} bytes"
    elif _values(text) > MAX_VALUES:
        what = f"more than {MAX_VALUES} values"
    elif text.startswith(_BOM):
        what = "not JSON: begins with a byte order mark"
    else:
        try:
            data = _DECODER.decode(text)
        except (ValueError, RecursionError) as error:
            what = f"not JSON: {_decoding_fault(error)}"
    if what is not None:
        return [Fault(number, None, None, "malformed", what)]
    return verify(data, number)


def _size(text: str) -> int:
    """Bytes of the text in UTF-8; not looked at more closely where it is too long anyway."""
    known = len(text)
    return known if text.isascii() or known > MAX_TEXT else len(text.encode("utf-8", "replace"))


def _values(text: str) -> int:
    """No fewer than there are values in the text, an object being as large as three."""
    return text.count("[") + 3 * text.count("{") + text.count(",")


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
        begins = line.startswith(("{", _BOM + "{"))
        if begun and begins:
            yield "".join(begun)
            begun = []
        if begun:
            # What is too long anyway is not kept, only that it is.
            if size <= MAX_TEXT:
                begun.append(line)
                size += _size(line)
            if len(begun) > _LINES:
                begun = ["".join(begun)]
            if line.startswith("}"):
                yield "".join(begun)
                begun = []
        elif begins and not line.rstrip().endswith("}"):
            begun, size = [line], _size(line)
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


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _decoding_fault(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} (line {error.lineno}, column {error.colno})"
        case RecursionError():
            return "nested too deeply"
        case _:
            return excerpt(str(error))
