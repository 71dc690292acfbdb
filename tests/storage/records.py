"""`tables`: records with whatever can be in one, for laws that hold for all of them."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st

from bot.ids import ChannelId, Computer, GuildId, QuestionId, TableId, UserId
from bot.tables.customs import Customs
from bot.tables.stored import Place, Seating, Shuffle, Shuffling, Stall, StoredTable, Timing, Votes
from engine.deal import Chain

times: Final = st.datetimes(
    datetime.fromisoformat("2015-01-01"),
    datetime.fromisoformat("2200-01-01"),
    timezones=st.just(UTC),
)
_LETTERS: Final = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
names: Final = st.text(_LETTERS, max_size=32)
ids: Final = st.integers(1, 2**63 - 1)

_SIMPLE: Final[dict[Any, st.SearchStrategy[Any]]] = {
    **dict.fromkeys((UserId, GuildId, ChannelId), ids),
    TableId: st.text("ABCDEFGH234567", min_size=4, max_size=8),
    QuestionId: st.integers(0, 10**6),
    datetime: times,
    str: names,
    timedelta: st.integers(0, 10**7).map(lambda seconds: timedelta(seconds=seconds)),
}
for _kind, _values in _SIMPLE.items():
    st.register_type_strategy(_kind, _values)


def _whole(group: Any) -> dict[str, Any]:
    """Every field, those with a default too."""
    return dict.fromkeys((field.name for field in fields(group)), ...)


for _group in (Computer, Place, Seating, Stall, Timing, Shuffle, Shuffling, Chain, Customs, Votes):
    st.register_type_strategy(_group, st.builds(_group, **_whole(_group)))

tables: Final = st.builds(StoredTable, **{**_whole(StoredTable), "version": st.just(1)})
"""At version 1; a field that is new in the record is here too."""
