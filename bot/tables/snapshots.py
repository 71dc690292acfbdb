"""What a log comes to at one ply, as text: a long match is taken up from there, not from its start.

The log stays the truth.  A snapshot is used only where it fits the log before it and this program's
rules; any other is ignored, and written anew in time.  It holds hands, so it is as secret as the
log, and stands in no log line and no exception.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bot.tables.codec import CodecError, decode, encode
from bot.tables.model import Table
from bot.tables.phase import Played
from bot.tables.stored import StoredTable
from engine.game import AnyGame, Json
from engine.layout import Cards, Param, Phrase, SeatName, Suit

FORMAT: Final = 2
"""Rises when the text is made or read otherwise, or what was told has other codes: older ones are
ignored then."""

EVERY: Final = 256
"""Plies from one snapshot of a match to the next."""

TOLD: Final = 64
"""Of what everybody was told the latest so many stand in a snapshot: boards show a few."""

_PARAMS: Final[Mapping[str, type[SeatName | Cards | Suit]]] = {
    "seat": SeatName,
    "cards": Cards,
    "suit": Suit,
}


_HEAD: Final = ("format", "game", "rules_version")


class SnapshotError(Exception):
    """A snapshot cannot be used: another game's, another version's, or damaged."""


def is_due(before: int, after: int) -> bool:
    """Whether a snapshot is to be written when a log has grown from `before` lines to `after`."""
    return before // EVERY < after // EVERY


def written(table: Table) -> str:
    """What the log of `table` comes to.  Raises CodecError for what cannot be stored."""
    played = table.played
    if played is None:
        raise CodecError("nothing has been played")
    told = played.told[-TOLD:]
    made: dict[str, Json] = {
        "format": FORMAT,
        "game": table.game.info.id,
        "rules_version": table.game.info.rules_version,
        "state": encode(played.state),
        "deals": list(played.deals),
        "rounds": encode(played.rounds),
        "digests": list(played.digests),
        "actions": [[seat, text] for seat, text in played.actions],
        "told": [_phrase_to_json(phrase) for phrase in told],
        "untold": played.untold + len(played.told) - len(told),
    }
    return json.dumps(made, separators=(",", ":"))


def read(text: str, stored: StoredTable, game: AnyGame) -> Played:
    """What a snapshot of the match in `stored` says.  Raises SnapshotError."""
    try:
        data = json.loads(text)
        head = decode(tuple[int, str, int], [data[key] for key in _HEAD])
        if head != (FORMAT, game.info.id, game.info.rules_version):
            raise SnapshotError
        seats = len(stored.seating.places)
        start = game.initial(seats, stored.options)
        made = Played(
            state=decode(type(start), data["state"]),
            deals=decode(tuple[int, ...], data["deals"]),
            told=tuple([_phrase_from_json(*phrase) for phrase in [*data["told"]]]),
            rounds=decode(tuple[tuple[int, ...], ...], data["rounds"]),
            actions=decode(tuple[tuple[int, str], ...], data["actions"]),
            digests=decode(tuple[str, ...], data["digests"]),
            untold=decode(int, data["untold"]),
        )
    except (CodecError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        # Whatever was made of it; the words of the error could tell cards.
        raise SnapshotError from None
    whole = len(made.digests) == len(made.deals) - 1 and len(made.told) > 0
    if not whole or any(len(points) != seats for points in made.rounds):
        raise SnapshotError
    return made


def _phrase_to_json(phrase: Phrase) -> Json:
    return [phrase.code, {name: _param_to_json(value) for name, value in phrase.params.items()}]


def _param_to_json(value: Param) -> Json:
    for name, kind in _PARAMS.items():
        if isinstance(value, kind):
            return {name: encode(value)}
    return encode(value)


def _phrase_from_json(code: Any, params: Any) -> Phrase:
    return Phrase(
        decode(str, code), {name: _param_from_json(value) for name, value in params.items()}
    )


def _param_from_json(value: Any) -> Param:
    if isinstance(value, dict):
        ((name, inner),) = value.items()
        found: SeatName | Cards | Suit = decode(_PARAMS[name], inner)
        return found
    plain: int | str = decode(int | str, value)
    return plain
