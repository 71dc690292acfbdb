"""Pictures of hands in words: nothing missing, and short enough for Discord."""

from __future__ import annotations

from bot.i18n import texts
from bot.render.alt_text import cards_in_words
from engine.layout import Barred, CardRow, CardView, Layout, phrase
from tests.render.matches import Table, hand, positions

ENGLISH = texts("en")
LIMIT = 1_024
"""Characters of the description of a picture."""


def test_the_words_name_every_card_and_those_that_can_be_played(table: Table) -> None:
    game = table.game.info.id
    for number, position in enumerate(positions(str(table), 5)[::4]):
        layout = hand(table, position.state, number % table.seats).layout
        rows = [b for b in layout.blocks if isinstance(b, CardRow) and b.role == "hand"]
        cards = [card for row in rows for card in row.cards]
        said = cards_in_words(game, layout, ENGLISH)
        assert len(said) <= LIMIT
        whole, _, second = said.partition(". ")
        names = [ENGLISH.card_name(game, card.seen) for card in cards]
        playable = [n for n, card in zip(names, cards, strict=True) if "playable" in card.marks]
        assert len(whole.replace(" and ", ", ").split(", ")) == max(1, len(cards))
        assert all(name in whole for name in names)
        if 0 < len(playable) < len(cards):
            assert second.startswith("You can play ")
            assert len(second.replace(" and ", ", ").split(", ")) == len(playable)
            assert all(name in second for name in playable)
        else:
            assert second in ("", "None of them can be played now.")


def test_signs_stand_behind_cards_and_the_last_one_is_said_to_be() -> None:
    row = CardRow("hand", (CardView("3-6", "3", ("change", "playable")),))
    assert (
        cards_in_words("aufundab", Layout((row,)), ENGLISH)
        == "Your card: 3\N{NON-BREAKING HYPHEN}6▲▼."
    )


def test_a_hand_of_which_nothing_can_be_played_says_so_only_if_a_card_is_asked_for() -> None:
    row = CardRow("hand", (CardView("R1", "R"), CardView("Y2", "Y")))
    for idle, second in ((False, " None of them can be played now."), (True, "")):
        layout = Layout((row,), barred=(Barred(("R1", "Y2"), phrase("why"), idle),))
        said = cards_in_words("sticheln", layout, ENGLISH)
        assert said == f"Your hand: ❤️ red 1 and ⭐ yellow 2.{second}"


def test_no_hand_is_no_text() -> None:
    assert cards_in_words("sticheln", Layout(()), ENGLISH) == ""
