"""One person in the JSON of the database: where they are, under another id, or theirs alone.

Where people are follows from the types of what is stored (`DOCUMENTS`, below): a new field in which
a person stands needs nothing here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, Final, NamedTuple, NewType, TypeAlias, get_args, get_origin, get_type_hints

from bot.ids import UserId
from bot.tables.plans import Line, Tick, Wish
from bot.tables.preferences import Preferences
from bot.tables.servers import ServerSettings, Value
from bot.tables.stored import SOMEBODY, Hinted, Person, StoredTable
from engine.players.levels import Level

# What columns of JSON hold.

_People = tuple[Person, ...]
_Users = frozenset[UserId]

DOCUMENTS: Final[Mapping[str, Any]] = {
    "tables.document": StoredTable,
    "matches.computers": tuple[tuple[int, int, Level, int, int], ...],
    "matches.records": tuple[tuple[str, tuple[int, ...], int, int], ...],
    "plans.wish": Wish,
    "plans.times": tuple[datetime, ...],
    "plans.ticks": tuple[Tick, ...],
    "plans.lines": tuple[Line, ...],
    "people.document": Preferences,
    "servers.document": ServerSettings,
    "server_changes.value": Value,
    **dict.fromkeys(("plans.coming", "plans.cannot"), _People),
    **dict.fromkeys(("plans.pressed", "plans.invited", "plans.called", "plans.regulars"), _Users),
}
"""What a column of JSON holds."""


def is_record(kind: Any) -> bool:
    """Whether values of that type have named fields."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


@cache
def members(kind: Any) -> Mapping[str, Any]:
    """The fields of a type that has some, in their order, with their types."""
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    return {name: hints[name] for name in names}


def parts(kind: Any) -> tuple[Any, ...]:
    """What a type is made of: its members, keys and values; () if it is simple."""
    if isinstance(kind, NewType):
        return ()
    return tuple(one for one in get_args(kind) if one not in (NoneType, Ellipsis))


class Renaming(NamedTuple):
    """The id of a person, and the one that takes its place, without a name."""

    user: UserId
    alias: UserId


Rename: TypeAlias = Callable[[Any, Renaming], Any]
"""JSON of some type, with the person renamed wherever they are in it."""

_Share: TypeAlias = Callable[[Any, UserId], Any]
"""What of JSON of some type is about that person; None if nothing is."""


@cache
def renamer(kind: Any) -> Rename | None:
    """Renames a person in JSON of that type; None if there are no people in it."""
    if kind is UserId:
        return lambda value, who: who.alias if value == who.user else value
    if kind is Person:
        return lambda value, who: [who.alias, SOMEBODY] if value[0] == who.user else value
    if is_record(kind):
        return _of_record(kind)
    if all(part is not UserId and renamer(part) is None for part in parts(kind)):
        return None
    if get_origin(kind) in (frozenset, tuple):
        return _of_list(renamer(parts(kind)[0]))
    if get_origin(kind) is Mapping:
        return _of_mapping(*parts(kind))
    return _of_union(kind)


def _of_record(kind: Any) -> Rename | None:
    renames = [(name, renamer(of)) for name, of in members(kind).items()]
    if issubclass(kind, tuple):
        if any(rename is not None for _, rename in renames):
            raise TypeError(f"people in {kind.__name__}, which is a list")
        return None
    found = [(name, rename) for name, rename in renames if rename is not None]

    def rename(value: Any, who: Renaming) -> Any:
        new = {name: each(value[name], who) for name, each in found if name in value}
        return {**value, **new}

    return rename if found else None


def _of_list(each: Rename | None) -> Rename | None:
    return None if each is None else lambda value, who: [each(one, who) for one in value]


def _of_mapping(key: Any, of: Any) -> Rename:
    each = renamer(of)

    def value_of(value: Any, who: Renaming) -> Any:
        return value if each is None else each(value, who)

    def rename(value: Any, who: Renaming) -> Any:
        mine, made = str(who.user), {}
        for name, one in value.items():
            if key is UserId and name == mine:
                hinted = [SOMEBODY, *one[1:]] if of is Hinted else one
                made[str(who.alias)] = value_of(hinted, who)
            else:
                made[name] = value_of(one, who)
        return made

    return rename


def _of_union(kind: Any) -> Rename:
    """Of several types the one that is written as the value is: a list, an object, or plainly."""
    by_shape = {_shape(part): renamer(part) for part in parts(kind)}

    def rename(value: Any, who: Renaming) -> Any:
        each = by_shape.get(type(value))
        return value if each is None else each(value, who)

    return rename


def _shape(kind: Any) -> type:
    if is_record(kind):
        return list if issubclass(kind, tuple) else dict
    if get_origin(kind) is Mapping:
        return dict
    return list if get_origin(kind) in (frozenset, tuple) else int


def renamed(kind: Any, text: str, who: Renaming) -> str:
    """JSON of that type as text, with a person renamed."""
    rename = renamer(kind)
    if rename is None:
        return text
    return json.dumps(rename(json.loads(text), who), ensure_ascii=False, separators=(",", ":"))


# What is theirs alone


def share_of(kind: Any, value: Any, user: UserId) -> Any:
    """What of JSON of that type is about one person; None if nothing is."""
    share = _sharer(kind)
    return None if share is None else share(value, user)


@cache
def _sharer(kind: Any) -> _Share | None:
    """`share_of` for one type; None if there are no people in it."""
    if kind is UserId:
        return lambda value, user: value if value == user else None
    if kind is Person:
        return lambda value, user: value if value[0] == user else None
    if renamer(kind) is None:
        return None
    if is_record(kind):
        return _share_of_record(kind)
    if get_origin(kind) is Mapping:
        return _share_of_mapping(*parts(kind))
    if get_origin(kind) in (frozenset, tuple):
        return _share_of_list(_sharer(parts(kind)[0]))
    by_shape = {_shape(part): _sharer(part) for part in parts(kind)}

    def share(value: Any, user: UserId) -> Any:
        each = by_shape.get(type(value))
        return None if each is None else each(value, user)

    return share


def _share_of_record(kind: Any) -> _Share:
    shares = [(name, _sharer(of)) for name, of in members(kind).items()]
    found = [(name, each) for name, each in shares if each is not None]

    def share(value: Any, user: UserId) -> Any:
        mine = {}
        for name, each in found:
            theirs = each(value[name], user) if value.get(name) else None
            if theirs is not None:
                mine[name] = theirs
        # The place where they sit is theirs as a whole.
        return {**value, **mine} if "person" in mine else mine or None

    return share


def _share_of_list(each: _Share | None) -> _Share | None:
    if each is None:
        return None

    def share(value: Any, user: UserId) -> Any:
        found = [each(one, user) for one in value]
        return [one for one in found if one is not None] or None

    return share


def _share_of_mapping(key: Any, of: Any) -> _Share:
    each = _sharer(of)

    def share(value: Any, user: UserId) -> Any:
        mine: dict[str, Any] = {}
        if each is not None:
            found = {name: each(one, user) for name, one in value.items()}
            mine = {name: one for name, one in found.items() if one is not None}
        if key is UserId and str(user) in value:
            own = value[str(user)]
            # What other people have said of them is theirs: how many did must do.
            mine[str(user)] = own if each is None else len(own)
        return mine or None

    return share
