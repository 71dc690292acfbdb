"""`data/docs/privacy.md` names every stored field, once, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_origin

import sqlalchemy as sa

from bot.storage.personal_data import described
from bot.storage.renaming import DOCUMENTS, is_record, members, parts
from bot.storage.schema import metadata
from tests.project.test_documents import DOCS

_ELSEWHERE: Final = frozenset({"tables.document.version", "tables.document.timing.deadlines"})
"""Fields of a record that have a place of their own (`bot.storage.rows`)."""

PAGE = (DOCS / "privacy.md").read_text(encoding="utf-8")


def test_every_stored_field_has_a_line_and_every_line_a_field() -> None:
    assert sorted(described()) == sorted(stored_fields())


def test_no_field_has_two_lines() -> None:
    named = Counter[str]()
    for section in PAGE.split("\n### ")[1:]:
        of = section.split("`")[1]
        rows = re.findall(r"^\| (`[^|]+)\|", section, re.MULTILINE)
        named.update(f"{of}.{name}" for row in rows for name in re.findall(r"`([^`]+)`", row))
    assert set(named.values()) == {1}
    assert sorted(named) == sorted(stored_fields())


def test_every_line_says_why_and_how_long() -> None:
    for name, said in described().items():
        what, _, long = said.partition(". Kept: ")
        assert what, name
        assert len(long) > 1, name


def test_what_is_in_a_document_is_known() -> None:
    """A column of JSON whose fields nobody named would hide what is in it."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            is_document = isinstance(column.type, sa.JSON) or column.name == "document"
            assert (f"{table.name}.{column.name}" in DOCUMENTS) == is_document, column


def stored_fields() -> Iterator[str]:
    """Every stored field: `results.place`, `tables.document.seating.host`."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            name = f"{table.name}.{column.name}"
            found = inner(DOCUMENTS[name], name) if name in DOCUMENTS else (name,)
            yield from (one for one in found if not one.startswith(tuple(_ELSEWHERE)))


def inner(kind: Any, name: str) -> Iterator[str]:
    """The fields of a value of that type, which is called `name`."""
    if is_record(kind):
        for field, of in members(kind).items():
            yield from inner(of, f"{name}.{field}")
        return
    within = [found for part in parts(kind) for found in inner(part, name) if found != name]
    if not within or get_origin(kind) is Mapping:  # its keys say something too
        yield name
    yield from within
