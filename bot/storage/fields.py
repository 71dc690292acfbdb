"""What columns of JSON hold, and what the page about privacy says of every stored field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import NoneType
from typing import Any, Final, NewType, get_args, get_type_hints

from bot.ids import UserId
from bot.tables.plans import Line, Tick, Wish
from bot.tables.preferences import Preferences
from bot.tables.servers import ServerSettings, Value
from bot.tables.stored import Person, StoredTable
from engine.players.levels import Level

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

_OF: Final = re.compile(r"### `([a-z_.]+)`")
_NAME: Final = re.compile(r"`([a-z_.]+)`")
"""A heading of the page about privacy, which says of what the fields below it are; such a field."""


def described() -> dict[str, str]:
    """What `data/docs/privacy.md` says of each field: what it is, why it is stored and how long."""
    page = Path(str(files("data").joinpath("docs/privacy.md")))
    said: dict[str, str] = {}
    of = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := _OF.match(line):
            of = heading[1]
        elif of and line.startswith("| `"):
            named, what, long = (cell.strip() for cell in line.strip("| ").split(" | "))
            said |= {f"{of}.{name}": f"{what}. Kept: {long}." for name in _NAME.findall(named)}
    return said


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
