"""Tricks and series, and the reason why each is somebody's: a case of every code at least."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from engine.game import AnyGame
from engine.games.auffalscherfaehrte import cards as faehrte
from engine.games.auffalscherfaehrte.layout import reason as why_faehrte
from engine.games.auffalscherfaehrte.rules import winning_place
from engine.games.auffalscherfaehrte.state import NOBODY, CompleteTrick
from engine.games.aufundab.cards import DOWN as FALLING
from engine.games.aufundab.cards import PACK as PAIRS
from engine.games.aufundab.cards import UP as RISING
from engine.games.aufundab.layout import out_reason
from engine.games.aufundab.layout import reason as why_aufundab
from engine.games.aufundab.state import Past as Series
from engine.games.kaiserspiel import cards as kaiserspiel
from engine.games.kaiserspiel.layout import reason as why_kaiserspiel
from engine.games.sticheln import cards as sticheln
from engine.games.sticheln.layout import reason as why_sticheln
from engine.games.sticheln.rules import winning
from engine.games.sticheln.state import UNKNOWN, Past
from engine.layout import Phrase
from tests.conformance.matches import match_of, shortest

LEADER: Final = 1
"""Who leads each trick here."""

STICHELN: Final = {
    "B3 B10 B1": ("won_colour_led", "B10"),
    "B3 B10 Y0 B7": ("won_over_zeros", "B10"),
    "R0 Y0 R3": ("won_over_zeros", "R3"),
    "Y9 G5 R6 B4": ("won_other_colour", "R6"),
    "Y9 Y0 B1": ("won_other_colour", "B1"),
    "G11 R5 Y5 G8": ("won_other_colour_first", "R5"),
    "R0 Y0 G0": ("nobody_takes", None),
}
"""By the cards in the order of play: the code, and the card that wins."""

FAEHRTE: Final = {
    "Y3 Y9 G12": ("won_colour_led", "Y9"),
    "Y3 J Y9": ("won_colour_led", "Y9"),
    "Y3 Y9 R0": ("won_only_trump", "R0"),
    "J R3 Y9": ("won_only_trump", "R3"),
    "Y3 R4 R0": ("won_trump", "R4"),
    "R3 R9 Y12": ("won_trump", "R9"),
    "J Y3 Y9": ("won_after_joker", "Y9"),
    "J J J": ("trick_nobodys", None),
}
"""The same where red is trump."""

KAISERSPIEL: Final = {
    ("RO RK AK A2", ""): ("won_suit_led", "RK", None),
    ("RO AK A2 A3", ""): ("won_suit_led", "RO", None),
    ("AO R5- SK A2", ""): ("won_suit_led", "AO", None),
    ("AO R7 SK A2", ""): ("won_suit_led", "AO", None),
    ("AO SB SK A2", ""): ("won_suit_led", "AO", None),
    ("AO R3 AK A2", ""): ("won_over_trump", "AK", "R3"),
    ("RK R3 R4 A2", ""): ("won_over_trump", "RK", "R3"),
    ("AO R4 A2 A3", ""): ("won_over_trump", "AO", "R4"),
    ("AO R3 AK R6", ""): ("won_trump_over", "R6", "AK"),
    ("AO R3 SK A2", ""): ("won_trump_over", "R3", "AO"),
    ("R2 R7 RK A2", ""): ("won_trump", "R2", None),
    ("R5 R6 AK SB", "SB"): ("won_trump", "R5", None),
    ("AO BB A2 R5", "BB"): ("won_mugg_over", "BB", "R5"),
    ("B7 R2 BB A2", "BB"): ("won_mugg_over", "BB", "R2"),
    ("R5 BB A2 A3", "BB"): ("won_mugg_over", "BB", "R5"),
    ("AO R5 R2 A3", ""): ("won_trump_over", "R5", "R2"),
    ("BB R5 A2 A3", "BB"): ("won_mugg", "BB", None),
    ("AO SB AK A3", "SB"): ("won_kaiser_over", "SB", "AK"),
    ("SB R6 A2 A3", "SB"): ("won_kaiser", "SB", None),
    ("AO SB AB A3", "SB AB"): ("won_first_kaiser", "SB", None),
    ("R7 R5 BB A2", "BB"): ("won_seven", "R7", None),
    ("R7 RU- R5 A2", ""): ("won_seven", "R7", None),
    ("R7 RU A2 A3", ""): ("won_unter", "RU", "R7"),
    ("R7 RU R5 A3", ""): ("won_with_unter", "R5", "R7"),
    ("R7 RU BB SB", "BB SB"): ("won_with_unter", "BB", "R7"),
}
"""By the cards (`-`: face down) and the declared Kaisers, where roses are special: the code, the
card that wins, and the one that was in its way."""

AUFUNDAB: Final = {
    (RISING, "3-4 3-7"): "won_passed",
    (FALLING, "3-9"): "won_passed",
    (RISING, "0-0"): "won_passed",
    (RISING, "9-9"): "won_highest",
    (FALLING, "0-0"): "won_lowest",
}


def why_of_sticheln(cards: str, *, zeros_taken: bool = False) -> Phrase:
    trick = bytes(map(sticheln.PACK.index, cards.split()))
    place = winning(trick, zeros_taken=zeros_taken)
    winner = UNKNOWN if place is None else (LEADER + place) % len(trick)
    return why_sticheln(Past(LEADER, trick, winner))


def why_of_faehrte(cards: str) -> Phrase:
    trick = bytes(map(faehrte.card_named, cards.split()))
    trump = faehrte.SUITS.index("R")
    place = winning_place(trick, trump)
    winner = NOBODY if place is None else (LEADER + place) % len(trick)
    return why_faehrte(CompleteTrick(LEADER, trick, winner, trump))


def why_of_kaiserspiel(cards: str, kaisers: str) -> Phrase:
    down = kaiserspiel.DOWN
    trick = [
        kaiserspiel.PACK.index(code.removesuffix("-")) + down * code.endswith("-")
        for code in cards.split()
    ]
    declared = kaiserspiel.PACK.mask(kaisers.split())
    return why_kaiserspiel(trick, LEADER, kaiserspiel.SUITS.index("R"), declared)


def why_of_aufundab(mode: int, cards: str) -> Phrase:
    return why_aufundab(Series(LEADER, PAIRS.mask(cards.split()), mode))


def reasons(game: str) -> list[Phrase]:
    """A reason of every code of a game."""
    match game:
        case "sticheln":
            taken = why_of_sticheln("R0 Y0 G0", zeros_taken=True)
            return [taken, *(why_of_sticheln(cards) for cards in STICHELN)]
        case "auffalscherfaehrte":
            return [why_of_faehrte(cards) for cards in FAEHRTE]
        case "kaiserspiel":
            return [why_of_kaiserspiel(*case) for case in KAISERSPIEL]
        case _:
            last = Series(LEADER, PAIRS.mask(["3-4"]), RISING)
            return [out_reason(last), *(why_of_aufundab(*case) for case in AUFUNDAB)]


def story_phrases(game: AnyGame) -> Iterator[Phrase]:
    """All that is told of some rounds when they are complete."""
    for seats in game.info.seats:
        for given, seed in product(shortest(game), range(40)):
            for state in match_of(game, seats, given, seed).states:
                story = game.story(game.observe(state, None))
                if story is not None:
                    yield from story.facts
                    yield from (term.why for account in story.accounts for term in account)
