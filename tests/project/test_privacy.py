"""`data/docs/privacy.md` names every stored field, once, and nothing else."""

from __future__ import annotations

import re
from collections import Counter

import sqlalchemy as sa

from bot.storage.fields import DOCUMENTS, described, stored_fields
from bot.storage.schema import metadata
from tests.project.test_documents import DOCS

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
