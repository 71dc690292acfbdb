"""Laws of what was just finished: a trick or a series stays, with whose it is and why."""

from __future__ import annotations

from engine.game import CHANCE, AnyGame, Options
from engine.layout import (
    TURNED,
    Act,
    CardRow,
    Cards,
    CardView,
    LastSet,
    Layout,
    Phrase,
    SeatName,
    Trick,
)
from tests.conformance.law import law
from tests.conformance.matches import match_of

ANSWERED = 2
"""Plays and passes after which a lead has been answered."""


def finished(layout: Layout) -> list[Trick | LastSet]:
    """What lies there finished."""
    return [
        block
        for block in layout.blocks
        if isinstance(block, LastSet) or (isinstance(block, Trick) and block.role == "last")
    ]


def lies(layout: Layout) -> bool:
    """Whether cards are being played to a trick, or a set is to be beaten."""
    return any(
        block.cards
        for block in layout.blocks
        if (isinstance(block, Trick) and block.role == "current")
        or (isinstance(block, CardRow) and block.role == "table")
    )


@law
def law_reasons(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """It stays until the next lead is answered; the reason names its winner and their card."""
    match = match_of(game, seats, given, seed)
    looked, answers, lay = 0, 0, False
    lying: Trick | LastSet | None = None
    for ply in match.plies:
        layout = game.layout(game.observe(ply.after, None))
        shown, was, lay = finished(layout), lay, lies(layout)
        told = [e.phrase for e in game.events(ply.before, ply.seat, ply.action, ply.after)]
        if ply.seat == CHANCE:
            assert not shown, "a new deal, and the round before lies there"
            lying = None
            continue
        over = game.round_scores(ply.after) is not None
        looked += 1
        if (was and not lay) or (over and shown not in ([], [lying])):
            assert len(shown) == 1, f"{len(shown)} are finished at once"
            (lying,), answers = shown, 0
            why = reason_of(lying, seats)
            assert why in told or (over and isinstance(lying, LastSet)), f"{why} is told nobody"
        elif lying is not None:
            answers += game.format_action(ply.action).startswith(("play", "pass"))
            expected = [lying] if answers < ANSWERED else []
            assert shown == expected, f"{answers} actions after {lying} there is {shown}"
        else:
            assert not shown, f"{shown} comes from nowhere"
        for viewer in range(seats):
            seen = finished(game.layout(game.observe(ply.after, viewer)))
            assert [each.reason for each in seen] == [each.reason for each in shown], (
                f"{viewer} is given another reason"
            )
    return looked


def reason_of(block: Trick | LastSet, seats: int) -> Phrase:
    """The reason, once it is known to name the winner and the cards that were theirs."""
    why = block.reason
    assert why is not None, f"{block} has no reason"
    named = why.params.get("seat"), why.params.get("cards")
    if isinstance(block, LastSet):
        assert block.cards, "an empty set"
        written = [f"{card.code}x2" if "twice" in card.marks else card.code for card in block.cards]
        turned = any(TURNED in card.marks for card in block.cards)
        assert named == (SeatName(block.seat), Cards(tuple(written), turned=turned))
        return why
    assert len(block.cards) == seats, f"{len(block.cards)} cards in a whole trick"
    won: list[tuple[object, object]] = [
        (SeatName(laid.seat), Cards((laid.card,)))
        for laid in block.cards
        if laid.marks[:1] == ("winning",)
    ]
    assert [named] == (won or [(None, None)]), f"{why} of {block}"
    return why


@law
def law_ahead(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """What may be chosen ahead are own cards for a trick, among them all that may be legal then."""
    match = match_of(game, seats, given, seed)
    looked = 0
    before: list[set[str] | None] = [None] * seats
    """By seat: what it may choose for its next turn, since its last one; None: nothing yet."""
    for ply in match.plies:
        actors = game.actors(ply.after)
        if ply.seat == CHANCE:
            before = [None] * seats
        else:
            before[ply.seat] = None
        assert not game.layout(game.observe(ply.after, None)).ahead, "a spectator may choose"
        for seat in range(seats):
            layout = game.layout(game.observe(ply.after, seat))
            offered = {act.action for act in layout.ahead}
            assert len(offered) == len(layout.ahead), "two acts are one action"
            assert not (offered and seat in actors), f"{seat} is to act and may choose ahead"
            hand = {card.code for b in layout.blocks if role(b) == "hand" for card in cards_of(b)}
            looked += 1
            for act in layout.ahead:
                assert len(act.cards) == 1, act
                assert set(act.cards) <= hand, f"{act} is not in the hand"
                assert act.label is None, act
                assert act.group, act
                assert act.confirm is None, act
            if actors == (seat,):
                plays = {
                    one.action for one in layout.controls if isinstance(one, Act) and is_card(one)
                }
                wished = before[seat]
                if wished is not None and plays:
                    assert plays <= wished, f"{plays - wished} could not be chosen ahead"
            runs = seat not in actors and game.round_scores(ply.after) is None
            if before[seat] and runs:
                assert offered, "a choice is out of sight, and cannot be taken back"
            if offered:
                known = before[seat]
                assert known is None or offered <= known, f"{offered - known} may be chosen late"
                before[seat] = offered
            legal = set(map(game.format_action, game.legal_actions(ply.after, seat)))
            if legal & (before[seat] or set()):
                assert actors == (seat,), "others choose at the same time"
    return looked


def role(block: object) -> str:
    return block.role if isinstance(block, CardRow) else ""


def cards_of(block: object) -> tuple[CardView, ...]:
    return block.cards if isinstance(block, CardRow) else ()


def is_card(act: Act) -> bool:
    """Whether it is a single card, played as it lies."""
    return len(act.cards) == 1 and act.label is None
