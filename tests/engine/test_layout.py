"""What a layout says of its owner's hand."""

from __future__ import annotations

import pytest

from engine.layout import PLAYABLE, Barred, CardRow, CardView, Layout, phrase

LIES = CardRow("table", (CardView("R9", "R", (PLAYABLE,)),))


def test_the_hand_is_what_the_owner_holds_and_nothing_else_that_lies_there() -> None:
    cards = (CardView("R1", "R"), CardView("Y2", "Y"))
    aside = CardRow("aside", (CardView("G3", "G"),))
    assert Layout((LIES, CardRow("hand", cards), aside)).hand == cards
    assert Layout((LIES, aside)).hand == ()


@pytest.mark.parametrize(
    ("marks", "barred", "chooses"),
    [
        ((), None, False),
        ((PLAYABLE,), None, True),
        ((), Barred(("R1",), phrase("why")), True),
        ((), Barred(("R1",), phrase("why"), idle=True), False),
        ((PLAYABLE,), Barred(("Y2",), phrase("why"), idle=True), True),
    ],
)
def test_a_card_is_asked_for_where_one_may_be_played_or_none_might(
    marks: tuple[str, ...], barred: Barred | None, chooses: bool
) -> None:
    row = CardRow("hand", (CardView("R1", "R", marks), CardView("Y2", "Y")))
    given = () if barred is None else (barred,)
    assert Layout((LIES, row), barred=given).chooses is chooses
