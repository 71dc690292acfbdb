"""`drop`: takes out of a cache what was forgotten in the store."""

from __future__ import annotations

from collections.abc import MutableMapping, Set
from typing import Any, TypeAlias

Ids: TypeAlias = Set[int | str]
"""Ids of tables, plans, people and servers: none of one kind is one of another's."""


def drop(known: MutableMapping[Any, Any], ids: Ids | None) -> None:
    """Drop all that is known under one of these ids, or under a key that has one of them.

    None: all that is known.
    """
    if ids is None:
        known.clear()
        return
    pairs = [key for key in known if isinstance(key, tuple) and not ids.isdisjoint(key)]
    for key in (*ids, *pairs):
        known.pop(key, None)
