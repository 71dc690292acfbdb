"""What is stored by name fits its column: SQLite does not say so, PostgreSQL refuses it."""

from __future__ import annotations

from enum import StrEnum

import pytest
import sqlalchemy as sa

from bot.storage import schema
from bot.surfaces import Kind
from bot.tables.plans import PlanState
from bot.tables.stored import Actor, DeadlineKind, Status

STORED: list[tuple[type[StrEnum], str, str]] = [
    (Kind, "surfaces", "kind"),
    (Kind, "surfaces", "of_kind"),
    (Status, "tables", "status"),
    (Actor, "entries", "by"),
    (DeadlineKind, "deadlines", "kind"),
    (PlanState, "plans", "state"),
]


@pytest.mark.every_case
@pytest.mark.parametrize(("names", "table", "column"), STORED)
def test_every_name_fits_its_column(names: type[StrEnum], table: str, column: str) -> None:
    width = schema.metadata.tables[table].columns[column].type
    assert isinstance(width, sa.String)
    assert width.length is not None
    assert max(map(len, names)) <= width.length
