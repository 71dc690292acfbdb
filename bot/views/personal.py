"""What is stored of one person, in sentences.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from bot.tables.ports import PersonalCounts

Sentence: TypeAlias = tuple[str, Mapping[str, object]]
"""Code of a sentence, and what stands in it."""


def told(counts: PersonalCounts) -> Sequence[Sentence]:
    """The sentences about what there is, most important first; none about what there is not."""
    counted: Sequence[tuple[str, int, Mapping[str, object]]] = (
        ("mydata.matches", counts.matches, {"servers": counts.servers}),
        ("mydata.tables", counts.tables, {}),
        ("mydata.open_tables", counts.open_tables, {}),
        ("mydata.plans", counts.plans, {}),
        ("mydata.lessons", counts.lessons, {}),
        ("mydata.blocked", counts.blocked, {}),
        ("mydata.follows", counts.follows, {}),
        ("mydata.changes", counts.changes, {}),
    )
    found: list[Sentence] = [
        (code, {"count": count, **more}) for code, count, more in counted if count
    ]
    if counts.locale is not None:
        found.append(("mydata.locale", {"locale": counts.locale}))
    if counts.zone is not None:
        found.append(("mydata.zone", {"zone": counts.zone}))
    return found
