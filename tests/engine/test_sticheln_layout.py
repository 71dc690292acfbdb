"""Sticheln: what people see, press and read, and what a view and its guesses hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

import pytest

from engine.game import CHANCE, RoundHead
from engine.games.sticheln import GAME
from engine.games.sticheln.cards import CHOOSE, PACK, USED, codes
from engine.games.sticheln.state import Action, State
from engine.layout import (
    Act,
    CardRow,
    Cards,
    Chips,
    Laid,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    Suit,
    Trick,
)
from tests.conformance.reading import phrases
from tests.determinizing import determinize
from tests.engine.shown import codes as said
from tests.engine.shown import one, row, seats_in
from tests.engine.walking import walk
from tests.engine.words import GAMES, Catalogue

Step = tuple[State, int, Action, State]

READERS: Final = (0, 1, 2, 3, None)


def steps(seats: int, seed: int, rounds: int = 2) -> Iterator[Step]:
    return walk(GAME, seats, {"rounds": rounds}, seed)


def states(seats: int = 4, seed: int = 1) -> list[State]:
    found = list(steps(seats, seed))
    return [found[0][0], *(step[3] for step in found)]


def scene(*script: str, seats: int = 4) -> State:
    """After these plays in a round that seat 0 begins, dealt in the order of the pack."""
    size = len(USED[seats]) // seats
    before = GAME.initial(seats, {"rounds": 2})
    names = codes(USED[seats])
    hands = [list(names[seat * size : (seat + 1) * size]) for seat in range(seats)]
    deal = GAME.deal_from_json(before, {"hands": hands, "aside": []}, RoundHead(None, 0, None))
    state = GAME.apply(before, CHANCE, deal)
    for line in script:
        seat, text = line.split(" ", 1)
        state = GAME.apply(state, int(seat), GAME.parse_action(text))
    return state


# With four seats: seat 0 holds R0–R11 Y0–Y2, 1 Y3–Y11 G0–G5, 2 G6–G11 B0–B8, 3 B9–B11 P0–P11.
CHOSEN: Final = ("0 choose R5", "1 choose Y3", "2 choose B0", "3 choose P11")
TRICK: Final = ("0 play R9", "1 play G5", "2 play B3", "3 play P4")


def show(state: State, reader: int | None) -> Layout:
    return GAME.layout(GAME.observe(state, reader))


def hand_in(layout: Layout) -> list[str]:
    return [card.code for card in row(layout, "hand")]


def acts(layout: Layout) -> list[Act]:
    found = [control for control in layout.controls if isinstance(control, Act)]
    assert len(found) == len(layout.controls)
    return found


# The choice.


def test_who_is_asked_to_choose_presses_one_card_of_the_hand_a_row_per_colour() -> None:
    layout = show(scene(), 0)
    assert layout.asks == Phrase("asks_choose")
    assert said(layout)[0] == "choose_means"
    assert [act.action for act in acts(layout)] == [f"choose {code}" for code in hand_in(layout)]
    assert [act.cards for act in acts(layout)] == [(code,) for code in hand_in(layout)]
    assert [act.group for act in acts(layout)] == [code[0] for code in hand_in(layout)]
    assert hand_in(layout) == [*(f"R{n}" for n in range(12)), "Y0", "Y1", "Y2"]


def test_who_has_chosen_sees_the_own_card_and_presses_nothing() -> None:
    state = scene("0 choose R5")
    layout = show(state, 0)
    assert Line(Phrase("you_chose", {"cards": Cards(("R5",))}), "strong") in layout.blocks
    assert acts(layout) == []
    assert "R5" not in hand_in(layout)
    assert layout.asks == Phrase("asks_choose")
    assert "you_chose" not in said(show(state, 1))
    assert "you_chose" not in said(show(state, None))


def test_the_board_shows_only_who_has_chosen() -> None:
    layout = show(scene("0 choose R5", "2 choose B0"), None)
    assert [seat.marks for seat in seats_in(layout)] == [
        ("chosen",),
        ("to_act", "choosing"),
        ("chosen",),
        ("to_act", "choosing"),
    ]
    assert [seat.cards_left for seat in seats_in(layout)] == [14, 15, 14, 15]
    assert all(seat.facts == () for seat in seats_in(layout))
    assert acts(layout) == []


def test_the_unwanted_colours_stand_beside_the_names_for_the_rest_of_the_round() -> None:
    wanted = [
        (Phrase("unwanted", {"suit": Suit(suit), "number": number}),)
        for suit, number in (("R", 5), ("Y", 3), ("B", 0), ("P", 11))
    ]
    for script in (CHOSEN, (*CHOSEN, *TRICK)):
        for reader in READERS:
            assert [seat.facts for seat in seats_in(show(scene(*script), reader))] == wanted


# Play.


def test_the_leader_may_press_every_card() -> None:
    layout = show(scene(*CHOSEN), 0)
    assert layout.asks == Phrase("asks_lead")
    assert [act.action for act in acts(layout)] == [f"play {code}" for code in hand_in(layout)]
    assert len(acts(layout)) == 14
    assert seats_in(layout)[0].marks == ("to_act", "leads", "self")
    assert one(layout, Trick) == Trick("current", (), (0, 1, 2, 3))
    assert all(
        card.marks == ("playable", "unwanted")[: 1 + card.code.startswith("R")]
        and card.group == card.code[0]
        for block in layout.blocks
        if isinstance(block, CardRow)
        for card in block.cards
    )


def test_the_trick_marks_what_is_winning_and_who_is_awaited() -> None:
    state = scene(*CHOSEN, *TRICK[:3])
    for reader in READERS:
        laid = one(show(state, reader), Trick)
        assert laid.cards == (Laid(0, "R9"), Laid(1, "G5", ("winning",)), Laid(2, "B3"))
        assert laid.awaited == (3,)
    assert one(show(scene(*CHOSEN, TRICK[0]), 1), Trick).cards == (Laid(0, "R9", ("winning",)),)


def test_a_zero_is_never_marked_as_winning() -> None:
    state = scene(*CHOSEN, "0 play R0")
    assert one(show(state, None), Trick).cards == (Laid(0, "R0"),)
    state = scene(*CHOSEN, "0 play R0", "1 play G0")
    assert one(show(state, None), Trick).cards == (Laid(0, "R0"), Laid(1, "G0"))
    state = scene(*CHOSEN, "0 play R0", "1 play G0", "2 play B1")
    assert one(show(state, None), Trick).cards[2] == Laid(2, "B1", ("winning",))


def test_with_the_switch_the_zero_that_was_led_is_marked_until_something_beats_it() -> None:
    before, seat, action, after = all_zeros("leader")
    led = Laid(0, "R0", ("winning",))
    assert one(show(before, None), Trick).cards == (led, Laid(1, "Y0"))
    (laid,) = show(after, None).more
    assert isinstance(laid, Trick)
    assert laid.cards == (led, Laid(1, "Y0"), Laid(2, "G0"))
    told = [event.phrase for event in GAME.events(before, seat, action, after)]
    won: dict[str, Param] = {"seat": SeatName(0), "cards": Cards(("R0",)), "suit": Suit("R")}
    assert Phrase("won_zeros", won) in told
    before, seat, action, after = all_zeros()
    assert [laid.marks for laid in one(show(before, None), Trick).cards] == [(), ()]
    assert Phrase("nobody_takes") in [e.phrase for e in GAME.events(before, seat, action, after)]


def test_all_read_what_is_asked_and_the_others_press_nothing() -> None:
    layout = show(scene(*CHOSEN, TRICK[0]), 3)
    assert layout.asks == Phrase("asks_follow")
    assert acts(layout) == []
    assert all(
        card.marks == ("unwanted",) * card.code.startswith("P")
        for block in layout.blocks
        if isinstance(block, CardRow)
        for card in block.cards
    )
    assert show(scene(*CHOSEN), None).asks == Phrase("asks_lead")
    assert show(scene(*CHOSEN, TRICK[0]), 1).asks == Phrase("asks_follow")


def test_chips_tell_the_trick_and_the_colour_led() -> None:
    def chips(state: State) -> tuple[Phrase, ...]:
        found = one(show(state, None), Chips)
        return found.chips

    first = Phrase("trick_of", {"number": 1, "tricks": 14})
    assert chips(scene(*CHOSEN)) == (first,)
    assert chips(scene(*CHOSEN, TRICK[0])) == (first, Phrase("led", {"suit": Suit("R")}))
    second = Phrase("trick_of", {"number": 2, "tricks": 14})
    assert chips(scene(*CHOSEN, *TRICK)) == (second,)


def test_the_last_trick_can_be_looked_at() -> None:
    state = scene(*CHOSEN, *TRICK)
    for reader in READERS:
        (laid,) = show(state, reader).more
        assert isinstance(laid, Trick)
        assert laid.role == "last"
        assert [(each.seat, each.card) for each in laid.cards] == [
            (0, "R9"), (1, "G5"), (2, "B3"), (3, "P4"),
        ]  # fmt: skip
        assert [each.marks for each in laid.cards] == [(), ("winning",), (), ()]
        assert laid.reason == Phrase(
            "won_other_colour",
            {"seat": SeatName(1), "cards": Cards(("G5",)), "suit": Suit("R")},
        )
        assert laid in show(state, reader).blocks, "it lies there until the lead is answered"
    assert show(scene(*CHOSEN), 0).more == ()


def test_own_points_stand_in_the_own_panel_only() -> None:
    state = scene(*CHOSEN, *TRICK)  # seat 1 has taken four cards, none yellow, and chose Y3
    assert own_points(state) == {
        0: {"count": 0, "points": -5},
        1: {"count": 4, "points": 4 - 3},
        2: {"count": 0, "points": 0},
        3: {"count": 0, "points": -11},
        None: None,
    }


def own_points(state: State) -> dict[int | None, Mapping[str, Param] | None]:
    found: dict[int | None, Mapping[str, Param] | None] = {}
    for reader in READERS:
        lines = [
            block.phrase.params
            for block in show(state, reader).blocks
            if isinstance(block, Line) and block.phrase.code == "own_points"
        ]
        assert len(lines) <= 1
        found[reader] = lines[0] if lines else None
    return found


def test_nobody_is_shown_what_others_have_collected() -> None:
    """Two rounds in which piles and their points differ look the same to all but their owners."""
    for state in states(4, 5):
        if not state.tricks.number or state.round.points is not None:
            continue
        taken = {code for pile in state.tricks.taken for code in codes(pile)}
        for reader in READERS:
            blocks = show(state, reader).blocks
            shown = {c.code for b in blocks if isinstance(b, CardRow) for c in b.cards}
            lying = {laid.card for b in blocks if isinstance(b, Trick) for laid in b.cards}
            past = state.tricks.last if len(state.trick) < 2 else None
            last = set(codes(past.cards)) if past else set()
            assert not (shown | lying - last) & taken
            for phrase in phrases(Layout(blocks)):
                for value in phrase.params.values():
                    assert not isinstance(value, Cards) or not set(value.codes) - last & taken
        swapped = state._replace(
            tricks=state.tricks._replace(taken=(*state.tricks.taken[1:], state.tricks.taken[0]))
        )
        assert show(swapped, None).blocks == show(state, None).blocks


def test_a_story_of_the_book() -> None:
    """Maria: unwanted yellow, chosen Y2, collected Y5, Y4 and six others."""
    state = next(state for state in states(4, 3) if state.round.points is not None)
    pile = bytes(map(PACK.index, ("Y4", "Y5", "R0", "R1", "R2", "R3", "B0", "B1")))
    state = state._replace(
        tricks=state.tricks._replace(taken=(pile, *state.tricks.taken[1:])),
        round=state.round._replace(chosen=(PACK.index("Y2"), *state.round.chosen[1:])),
    )
    story = GAME.story(GAME.observe(state, None))
    assert story is not None
    assert [(term.points, term.why.code) for term in story.accounts[0]] == [
        (6, "story_others"), (-9, "story_unwanted"), (-2, "story_own"),
    ]  # fmt: skip


def test_cards_that_nobody_took_are_named_after_the_round() -> None:
    state = next(s for s in states(3, 2) if s.round.points is not None)
    aside = bytes(map(PACK.index, ("Y0", "R0", "G0")))
    layout = show(state._replace(tricks=state.tricks._replace(aside=aside)), None)
    assert (
        Line(Phrase("went_aside", {"cards": Cards(("R0", "Y0", "G0"))}), "small") in layout.blocks
    )


@pytest.mark.parametrize("seats", GAME.info.seats)
def test_hands_and_counts_are_what_is_held(seats: int) -> None:
    for state in states(seats, 2):
        for reader in (*range(seats), None):
            layout = show(state, reader)
            held = [state.hands[seat] for seat in range(seats)]
            assert [seat.cards_left for seat in seats_in(layout)] == list(map(len, held))
            assert hand_in(layout) == ([] if reader is None else list(codes(held[reader])))
            scores = tuple(seat.score for seat in seats_in(layout))
            assert scores == GAME.scores(state)


# Legality and guesses.


def test_guesses_of_a_secret_choice_are_uniform() -> None:
    """Seat 0 does not know 30 of 45 cards: seat 1 may have chosen each of them alike."""
    view = GAME.observe(scene("1 choose G5", seats=3), 0)
    rng = Random(2)
    guesses = [determinize(GAME, view, rng) for _ in range(3000)]
    hits = sum(guess.round.chosen[1] == PACK.index("P8") for guess in guesses)
    assert 65 < hits < 140
    assert {len(guess.hands[1]) for guess in guesses} == {14}


# Words.


def all_zeros(zeros: str = "aside") -> Step:
    """The last of three zeros falls."""
    cards = ["R0", "Y0", "G0"]
    before = GAME.initial(3, {"rounds": 1, "zeros": zeros})
    rest = [code for code in codes(USED[3]) if code not in cards]
    hands = [sorted([cards[s], *rest[s::3]], key=PACK.names.index) for s in range(3)]
    deal = GAME.deal_from_json(before, {"hands": hands, "aside": []}, RoundHead(None, 0, None))
    state = GAME.apply(before, CHANCE, deal)
    for seat in range(3):
        state = GAME.apply(state, seat, PACK.index(rest[seat]) + CHOOSE)
    for seat in range(2):
        state = GAME.apply(state, seat, PACK.index(cards[seat]))
    action = PACK.index("G0")
    return state, 2, action, GAME.apply(state, 2, action)


def ending(scores: tuple[int, ...]) -> Step:
    """The last play of a match that comes to such totals."""
    *_, (state, seat, action, after) = steps(3, 1, 1)
    points = after.round.points or ()
    earlier = tuple(a - b for a, b in zip(scores, points, strict=True))
    state = state._replace(round=state.round._replace(scores=earlier))
    return state, seat, action, GAME.apply(state, seat, action)


def test_every_phrase_and_refusal_has_words_that_its_parameters_fill() -> None:
    catalogue = Catalogue(GAME, exact=True)
    for step in (
        *steps(3, 1), *steps(6, 2, 1), all_zeros(), ending((5, 5, 1)), ending((5, 4, 1)),
    ):  # fmt: skip
        catalogue.step(*step)
    state = next(s for s in states(3, 2) if s.round.points is not None)
    aside = state._replace(tricks=state.tricks._replace(aside=bytes((0,))))
    catalogue.show(show(aside, None))
    catalogue.check_all_was_said()
    catalogue.check_refusals()
    assert {"game.name", "game.tagline", "option.rounds", "card.name"} <= set(catalogue.words)
    for suit in "RYGBPS":
        assert {f"suit.{suit}", f"suit.{suit}.mark"} <= set(catalogue.words)


def test_refusals_fill_their_sentences() -> None:
    """Of a match, to the seat to act, to another one, and to chance."""
    catalogue, rng, found = Catalogue(GAME), Random(3), set[str]()
    for state, actor, _, _ in steps(3, 5):
        for seat in (actor, (actor + 1) % 3, CHANCE):
            cards = rng.sample(range(len(PACK)), 8)
            for move in [*cards, *(CHOOSE + card for card in cards), len(PACK)]:
                found |= catalogue.refuse(state, seat, move)
    assert found == {
        "bad_deal", "deal_due", "no_deal_due", "not_your_turn", "chosen_already", "choose_first",
        "not_an_action", "no_such_card", "not_in_hand",
    }  # fmt: skip


RULES: Final = GAMES.parents[1] / "data/games/sticheln/rules/en.md"


def test_the_rules_have_the_books_examples() -> None:
    text = RULES.read_text(encoding="utf-8").replace("\u2060", "")
    for winner in ("**💧10**", "**❤️6**", "**❤️5**", "**−5**", "**+2**"):
        assert winner in text
