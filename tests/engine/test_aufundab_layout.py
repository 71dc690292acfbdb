"""Auf und Ab: what people see and press, and that the two ways to ask for legality agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.games
from engine.deal import Seeded
from engine.game import CHANCE, NotationError, Options, RuleError
from engine.games.aufundab import GAME
from engine.games.aufundab.choices import legal_moves
from engine.games.aufundab.controls import FLAT
from engine.games.aufundab.reasons import out_reason, reason
from engine.games.aufundab.sets import (
    CARDS,
    DOUBLES,
    DOWN,
    PACK,
    PASS,
    SETS,
    UP,
    Move,
    subsets,
)
from engine.games.aufundab.state import Action, Deal, Match, Past, State, View
from engine.layout import (
    Act,
    CardRow,
    Cards,
    Choice,
    Combine,
    Headline,
    InWords,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    Standing,
)
from tests.engine.reasons import reasons, story_phrases

Step = tuple[State, int, Action, State]


def steps(seats: int, seed: int, hands: int = 2) -> Iterator[Step]:
    rng = Random(seed)
    draw = Seeded(rng)
    state = GAME.initial(seats, GAME.complete_options(seats, {"hands": hands}))
    while actors := GAME.actors(state):
        (seat,) = actors
        action: Action
        if seat == CHANCE:
            action = GAME.deal(state, draw)
        else:
            legal = GAME.legal_actions(state, seat)
            action = legal[draw(len(legal))]
        after = GAME.apply(state, seat, action)
        yield state, seat, action, after
        state = after


def states(seats: int = 3, seed: int = 1) -> list[State]:
    found = [step[0] for step in steps(seats, seed)]
    return [*found, list(steps(seats, seed))[-1][3]]


def scene(
    hand: str,
    *,
    number: int = -1,
    quantity: int = 0,
    mode: int = UP,
    out: int = 0,
    changes: int = 0,
) -> View:
    """Seat 0 of three to act with this hand, in the middle of a round."""
    top = DOUBLES & CARDS[mode][number] if quantity else 0
    state = GAME.initial(3, GAME.complete_options(3, {}))
    state = GAME.apply(state, CHANCE, GAME.deal(state, Seeded(Random(1))))
    state = state._replace(
        hands=(PACK.mask(hand.split()), *state.hands[1:]),
        actor=0,
        mode=mode,
        number=number,
        quantity=quantity,
        top=top,
        owner=1 if quantity else 0,
        out=out,
        changes=changes,
        pile=top,
    )
    return GAME.observe(state, 0)


def codes(layout: Layout) -> list[str]:
    return [b.phrase.code for b in layout.blocks if isinstance(b, Headline | Line)]


def row(layout: Layout, role: str) -> CardRow:
    (found,) = (b for b in layout.blocks if isinstance(b, CardRow) and b.role == role)
    return found


def acts(layout: Layout) -> list[str]:
    return [control.action for control in layout.controls if isinstance(control, Act)]


def choices(layout: Layout) -> dict[str, Choice]:
    return {control.key: control for control in layout.controls if isinstance(control, Choice)}


# Legal actions.


def applies(state: State, seat: int, action: Action) -> bool:
    try:
        GAME.apply(state, seat, action)
    except RuleError:
        return False
    return True


@pytest.mark.parametrize("seats", [3, 4])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_apply_and_is_legal_agree_about_legal_and_illegal_actions(seats: int, seed: int) -> None:
    rng = Random(seed)
    moves = [*SETS[UP], *SETS[DOWN], PASS]
    for state, seat, _, _ in steps(seats, seed, 1):
        legal = set(GAME.legal_actions(state, seat))
        tried: list[Action] = [*rng.sample(moves, 20), *legal]
        tried += [Move(1 << card) for card in range(55)] if len(legal) < 8 else []
        tried += [Move(3, 2), Move(-1), Move(1 << 55), Move(1, 1), Move(1, 3), Deal((), 0)]
        for action in tried:
            allowed = GAME.is_legal(state, seat, action)
            assert allowed == (action in legal)
            assert applies(state, seat, action) == allowed


def test_an_action_that_was_copied_is_as_good_as_the_offered_one() -> None:
    for state, seat, action, after in steps(3, 4, 1):
        if isinstance(action, Move):
            assert GAME.apply(state, seat, Move(*action)) == after


def test_a_hand_of_18_has_65_leads_on_average_and_1918_at_most() -> None:
    rng = Random(1)
    counts = []
    for _ in range(2000):
        hand = sum(1 << card for card in rng.sample(range(55), 18))
        counts.append(len(legal_moves(hand, UP, -1, 0, -1)))
    assert 60 < sum(counts) / len(counts) < 70
    ones = PACK.codes(CARDS[UP][1])[:8]
    assert len(legal_moves(CARDS[UP][0] | PACK.mask(ones), UP, -1, 0, -1)) == 1918


@given(st.integers(0, PACK.all), st.sampled_from([UP, DOWN]))
@settings(max_examples=60, deadline=None)
def test_leads_are_all_sets_within_the_hand(hand: int, mode: int) -> None:
    found = legal_moves(hand, mode, -1, 0, -1)
    assert len(found) == len(set(found))
    assert set(found) == {move for move in SETS[mode] if not move.cards & ~hand}


@given(st.integers(0, PACK.all), st.sampled_from([UP, DOWN]), st.integers(0, 9), st.integers(1, 11))
@settings(max_examples=200, deadline=None)
def test_answers_are_all_sets_that_beat(hand: int, mode: int, number: int, quantity: int) -> None:
    found = legal_moves(hand, mode, number, quantity, -1)
    assert len(found) == len(set(found))
    assert set(found) == {PASS} | {
        move
        for move, cards in SETS[mode].items()
        if not move.cards & ~hand
        and cards.quantity == quantity
        and (cards.number > number if mode == UP else cards.number < number)
    }


# Blocks.


def test_the_mode_is_the_headline_with_its_symbol() -> None:
    layout = GAME.layout(scene("6-6 6-8", number=5, quantity=1, mode=UP))
    assert layout.blocks[0] == Headline(Phrase("mode_up", {}), "▲")
    layout = GAME.layout(scene("2-4 3-4", number=5, quantity=1, mode=DOWN))
    assert layout.blocks[0] == Headline(Phrase("mode_down", {}), "▼")


def test_a_follower_reads_what_to_beat_and_who_played_it() -> None:
    layout = GAME.layout(scene("6-6 6-8 6-9 7-7 7-8 7-9 0-1", number=5, quantity=3))
    assert layout.asks == Phrase("asks_beat_3", {"number": 5})
    (line,) = (b for b in layout.blocks if isinstance(b, Line) and b.tone == "strong")
    assert line.phrase == Phrase("lies", {"seat": SeatName(1)})
    assert acts(layout) == [
        "play 6-6 6-8 6-9", "play 6-6x2 6-8", "play 6-6x2 6-9",
        "play 7-7 7-8 7-9", "play 7-7x2 7-8", "play 7-7x2 7-9", "pass",
    ]  # fmt: skip


def test_who_holds_nothing_that_beats_reads_that_first_and_can_only_pass() -> None:
    layout = GAME.layout(scene("0-1 0-3", number=5, quantity=1))
    assert layout.asks == Phrase("asks_pass", {})
    assert codes(layout)[:2] == ["mode_up", "nothing_beats_1"]
    assert layout.controls == (Act("pass", Phrase("pass", {}), style="danger"),)


def test_only_whoever_is_asked_learns_that_nothing_held_beats() -> None:
    told = 0
    for state in states():
        if state.actor < 0 or not state.quantity:
            continue
        for seat in (0, 1, 2, None):
            layout = GAME.layout(GAME.observe(state, seat))
            alone = layout.asks == Phrase("asks_alone")
            public = alone or layout.asks == Phrase(
                f"asks_beat_{state.quantity}", {"number": state.number}
            )
            forced = seat == state.actor and len(GAME.legal_actions(state, seat)) == 1
            assert public != forced
            told += forced
    assert told > 10


def test_whoever_is_alone_ends_the_series() -> None:
    layout = GAME.layout(scene("6-6 6-8", number=5, quantity=1, out=0b110))
    assert layout.asks == Phrase("asks_alone", {})
    assert "you_alone" in codes(layout)
    last = layout.controls[-1]
    assert isinstance(last, Act)
    assert (last.action, last.label) == ("pass", Phrase("end_series", {}))


def test_the_change_cards_tell_the_next_mode() -> None:
    for changes, symbol in ((1, "▼"), (2, "▲")):
        layout = GAME.layout(scene("6-6", number=5, quantity=1, changes=changes))
        (line,) = (b for b in layout.blocks if isinstance(b, Line) and b.phrase.code == "next_mode")
        assert line.phrase.params == {"symbol": symbol, "count": changes}
    assert "next_mode" not in codes(GAME.layout(scene("6-6", number=5, quantity=1)))


def test_the_hand_is_sorted_by_the_number_that_counts() -> None:
    up = row(GAME.layout(scene("0-9 1-2 1-1 4-5")), "hand").cards
    assert [(card.code, card.group) for card in up] == [
        ("0-9", "0"), ("1-1", "1"), ("1-2", "1"), ("4-5", "4"),
    ]  # fmt: skip
    down = row(GAME.layout(scene("0-9 1-2 1-1 4-5", mode=DOWN)), "hand").cards
    assert [(card.code, card.group) for card in down] == [
        ("1-1", "1"), ("1-2", "2"), ("4-5", "5"), ("0-9", "9"),
    ]  # fmt: skip


def test_doubles_change_cards_and_playable_cards_are_marked() -> None:
    cards = row(GAME.layout(scene("0-9 1-1 4-5 6-6", number=3, quantity=1)), "hand").cards
    assert {card.code: card.marks for card in cards} == {
        "0-9": ("change",),
        "1-1": ("double",),
        "4-5": ("change", "playable"),
        "6-6": ("double", "playable"),
    }
    turned = row(GAME.layout(scene("0-9 6-6", mode=DOWN)), "hand").cards
    assert all(card.marks[-1] == "turned" for card in turned)


def test_a_turned_hand_is_told_once_and_only_to_whoever_is_asked() -> None:
    seen = 0
    for seed in range(4):
        told: set[tuple[int, int]] = set()
        for state, _, _, _ in steps(3, seed):
            if state.actor < 0:
                continue
            for seat in (0, 1, 2, None):
                turned = any(
                    code.startswith("hand_turned")
                    for code in codes(GAME.layout(GAME.observe(state, seat)))
                )
                if seat == state.actor and state.series.turned:
                    assert turned == ((state.series.start, seat) not in told)
                    told.add((state.series.start, seat))
                    seen += turned
                else:
                    assert not turned
    assert seen > 10


def test_seats_are_marked() -> None:
    layout = GAME.layout(scene("6-6", number=5, quantity=1, out=0b100))
    (seats,) = (b for b in layout.blocks if isinstance(b, SeatRow))
    assert [seat.marks for seat in seats.seats] == [("to_act", "self"), ("lies",), ("out",)]
    assert [seat.cards_left for seat in seats.seats] == [1, 18, 18]


def test_the_cards_aside_are_told_after_the_round_only() -> None:
    ended = 0
    for state in states():
        for seat in (0, None):
            story = GAME.story(GAME.observe(state, seat))
            over = state.round.points is not None
            assert (story is not None) == over
            ended += over
            if story is not None:
                (fact,) = story.facts
                assert fact.params == {"cards": Cards(PACK.codes(state.round.aside))}
    assert ended


def test_what_lies_in_taken_series_is_not_shown() -> None:
    for state in states():
        layout = GAME.layout(GAME.observe(state, None))
        shown = {c.code for b in layout.blocks if isinstance(b, CardRow) for c in b.cards}
        assert shown <= set(PACK.codes(state.top | state.round.aside))


# Controls.


def label(code: str, number: int | None = None, size: int | None = None) -> Phrase:
    params: dict[str, Param] = {} if size is None else {"size": InWords(size)}
    return Phrase(code, params if number is None else {**params, "number": number})


def test_a_leader_chooses_how_many_of_which_number_the_most_first() -> None:
    layout = GAME.layout(scene("1-1 1-2 1-3 1-5 4-6 5-7 5-8"))
    assert [(one.label, one.group) for one in layout.controls if not isinstance(one, Standing)] == [
        (label("lead_all_of", 1, 4), "1"),
        (label("lead_some", size=3), "1"),
        (label("lead_pair"), "1"),
        (label("lead_one"), "1"),
        (label("lead_one_of", 4), "4"),
        (label("lead_pair_of", 5), "5"),
        (label("lead_one"), "5"),
    ], "cards, not sets; the first of each number names it"
    assert acts(layout) == ["play 4-6", "play 5-7 5-8"], "where all cards are clear one press plays"
    assert {one.style for one in layout.controls if isinstance(one, Act)} == {"secondary"}
    assert list(choices(layout)) == ["1.4", "1.3", "1.2", "1.1", "5.1"]
    for key, choice in choices(layout).items():
        size = int(key[-1])
        assert choice.count == len(choice.acts)
        assert {len(act.cards) for act in choice.acts} == {size}


def test_all_cards_of_a_number_are_not_clear_where_a_double_may_count_two() -> None:
    every = choices(GAME.layout(scene("1-1 1-2 1-3 1-4 4-6")))["1.4"]
    assert [act.action for act in every.acts] == ["play 1-1 1-2 1-3 1-4", "play 1-1x2 1-2 1-3 1-4"]
    assert every.title == label("play_some", 1, 4)
    assert every.notes == (Phrase("double_note", {"double": Cards(("1-1x2",))}),)


def test_few_leads_are_offered_flat_the_largest_of_each_number_first() -> None:
    layout = GAME.layout(scene("4-4 4-5 9-9"))
    assert acts(layout) == [
        "play 4-4 4-5", "play 4-4x2 4-5", "play 4-4", "play 4-5", "play 4-4x2", "play 9-9",
        "play 9-9x2",
    ]  # fmt: skip
    assert codes(layout)[-2:] == ["double_note", "round_of"]
    assert "double_note" not in codes(GAME.layout(scene("4-5 4-6 9-9", number=1, quantity=1)))


@pytest.mark.parametrize("number", [-1, 3])
def test_a_set_that_empties_the_hand_is_offered_first_in_words_and_stands_out(number: int) -> None:
    following = {} if number < 0 else {"number": number, "quantity": 3}
    first, *others = GAME.layout(scene("4-5 4-6 4-7", **following)).controls
    assert isinstance(first, Act)
    assert (first.action, first.style) == ("play 4-5 4-6 4-7", "primary")
    assert first.label == Phrase("go_out", {"count": 3})
    assert not [each for each in others if isinstance(each, Act) and each.style == "primary"]
    assert first.action not in [each.action for each in others if isinstance(each, Act)]


def test_that_the_series_ends_is_told_as_what_it_is() -> None:
    codes: set[str] = set()
    for state, seat, action, after in steps(3, 1):
        if isinstance(action, Move) and action == PASS:
            told = GAME.events(state, seat, action, after)[0].phrase
            alone = GAME.observe(state, seat).alone
            assert told == Phrase("ended_series" if alone else "passed", {"seat": SeatName(seat)})
            codes.add(told.code)
    assert codes == {"ended_series", "passed"}


def test_too_many_leads_of_a_size_are_ticked() -> None:
    found = choices(GAME.layout(scene("1-1 1-2 1-3 1-4 1-5 4-4")))["1.3"]
    cards = ("1-1", "1-2", "1-3", "1-4", "1-5")
    assert found.combine == Combine(cards, 3, 3, ("double_counts_two",))
    assert found.title == label("play_some", 1, 3)
    assert found.label == label("lead_some", size=3)
    without = choices(GAME.layout(scene("1-2 1-3 1-4 1-5 1-6 1-7 4-4")))["1.3"].combine
    assert without is not None
    assert without.flags == without.required == ()


def test_the_double_that_the_first_lead_must_have_is_marked() -> None:
    cards = ("0-0", "0-1", "0-2", "0-3", "0-4", "0-5")
    view = scene(" ".join(cards))
    first = view._replace(owner=-1, round=view.round._replace(opening=0))
    found = choices(GAME.layout(first))["0.3"].combine
    assert found == Combine(cards, 3, 3, ("double_counts_two",), ("0-0",))


def test_too_many_answers_of_a_number_are_ticked_without_a_flag() -> None:
    layout = GAME.layout(scene("1-1 1-2 1-3 1-4 1-5 1-6 1-7", number=0, quantity=4))
    found = choices(layout)["1"]
    assert found.combine == Combine(("1-1", "1-2", "1-3", "1-4", "1-5", "1-6", "1-7"), 3, 4)
    either: dict[str, Param] = {"fewest": InWords(3), "size": InWords(4), "number": 1}
    assert found.title == Phrase("play_either", either)


def test_a_double_that_counts_two_is_said_where_the_set_lies() -> None:
    """And it is written one way: on the table, in what is told, in reasons and in actions."""
    view = scene("6-6", number=5, quantity=2)
    layout = GAME.layout(view)
    (lying,) = row(layout, "table").cards
    assert (lying.code, lying.marks) == ("5-5", ("double", "twice"))
    assert "counts_two" in codes(layout)
    plain = GAME.layout(scene("6-6", number=5, quantity=1))
    assert row(plain, "table").cards[0].marks == ("double",)
    assert "counts_two" not in codes(plain)
    past = Past(0, PACK.mask(["5-5", "5-6"]), UP, PACK.mask(["5-5"]))
    for why in (reason(past), out_reason(past)):
        assert why.params["cards"] == Cards(("5-5x2", "5-6"))


def test_notes_say_what_a_set_counts_and_does() -> None:
    layout = GAME.layout(scene("4-4 4-5", changes=1))
    notes = {
        act.action: [note.code for note in act.notes]
        for act in layout.controls
        if isinstance(act, Act)
    }
    assert notes["play 4-4"] == []
    assert notes["play 4-4x2"] == ["counts_two"]
    assert notes["play 4-5"] == ["note_next"]
    (note,) = (a.notes[0] for a in layout.controls if isinstance(a, Act) and a.action == "play 4-5")
    assert note.params == {"symbol": "▲"}, "a second change card takes the first one back"


def reachable(view: View, layout: Layout) -> set[Move]:
    """Every action behind the controls."""
    found: set[Move] = set()
    for control in layout.controls:
        match control:
            case Act(action=text):
                found.add(GAME.parse_action(text))
            case Choice(acts=listed, combine=None):
                found |= {GAME.parse_action(act.action) for act in listed}
            case Choice(combine=Combine() as combine):
                for cards in subsets(PACK.mask(combine.cards)):
                    if not combine.minimum <= cards.bit_count() <= combine.maximum:
                        continue
                    for flags in ((), *((flag,) for flag in combine.flags)):
                        try:
                            found.add(GAME.compose(view, PACK.codes(cards), frozenset(flags)))
                        except RuleError:
                            continue
    return found


@pytest.mark.parametrize("seats", [3, 4])
def test_the_controls_reach_exactly_the_legal_actions(seats: int) -> None:
    for seed in range(6):
        for state, seat, _, _ in steps(seats, seed):
            if seat == CHANCE:
                continue
            view = GAME.observe(state, seat)
            layout = GAME.layout(view)
            legal = set(view.legal_actions)
            combined = any(c.combine for c in choices(layout).values())
            found = reachable(view, layout)
            assert found >= legal if combined else found == legal
            for choice in choices(layout).values():
                assert bool(choice.combine) == (choice.count > FLAT)
            if len(legal - {PASS}) <= FLAT:
                assert not choices(layout)


@pytest.mark.parametrize("seats", [3, 4])
def test_others_and_spectators_can_press_only_what_everybody_knows(seats: int) -> None:
    for state, seat, _, _ in steps(seats, 3):
        for other in (*range(seats), None):
            if other == seat:
                continue
            layout = GAME.layout(GAME.observe(state, other))
            expected = ["pass"] if other is None and seat >= 0 and state.quantity else []
            assert acts(layout) == expected
            assert not choices(layout)


@pytest.mark.parametrize("mode", [UP, DOWN])
def test_the_default_is_a_pass_or_the_lowest_single_card(mode: int) -> None:
    assert GAME.default_action(scene("6-6", number=5, quantity=1, mode=mode)) == PASS
    lead = GAME.default_action(scene("1-8 2-3 0-9 3-3", mode=mode))
    assert GAME.format_action(lead) == ("play 0-9" if mode == UP else "play 2-3")
    state = states()[1]
    opening = GAME.default_action(GAME.observe(state, state.actor))
    assert opening in GAME.legal_actions(state, state.actor)
    assert opening.cards & DOUBLES
    assert not opening.doubled


# Determinization.


@pytest.mark.parametrize("seats", [3, 4])
def test_a_determinization_looks_the_same_and_could_have_been(seats: int) -> None:
    rng = Random(1)
    for state in states(seats, 2):
        for seat in (*range(seats), None):
            view = GAME.observe(state, seat)
            guess = GAME.determinize(view, rng)
            assert GAME.observe(guess, seat) == view
            if not guess.round.number:
                continue
            # The round began with the lowest double in a hand.
            lower = DOUBLES & (PACK.mask([f"{guess.round.opening}-{guess.round.opening}"]) - 1)
            assert not lower & ~guess.round.aside
            assert sum(hand.bit_count() for hand in guess.hands) == sum(view.counts)


def test_determinizations_of_the_first_lead_have_the_right_odds() -> None:
    """Who sees nothing expects the 0-0 aside in 1 of 55 deals."""
    state = states()[1]
    view = GAME.observe(state, None)
    rng = Random(2)
    aside = sum(GAME.determinize(view, rng).round.aside == 1 for _ in range(5500))
    assert 70 < aside < 135


# Words.

WORDS: Final = Path(engine.games.__path__[0]).parents[1] / "data/games/aufundab/locales/en.po"


def catalogue() -> dict[str, tuple[str, ...]]:
    with WORDS.open("rb") as file:
        found = read_po(file)
    words = {}
    for message in found:
        key = message.id if isinstance(message.id, str) else message.id[0]
        text = message.string or ""
        if key:
            words[key] = (text,) if isinstance(text, str) else tuple(text)
    return words


def test_every_phrase_and_refusal_has_words_that_its_parameters_fill() -> None:
    words = catalogue()
    used: set[str] = set()

    def check(code: str, params: dict[str, object]) -> None:
        for text in words[code]:
            assert text.format(**params)
        used.add(code)

    def check_phrase(phrase: Phrase) -> None:
        check(phrase.code, dict(phrase.params))
        assert ("count" in phrase.params) >= (len(words[phrase.code]) > 1), phrase

    for why in reasons("aufundab"):
        check_phrase(why)
    for why in story_phrases(GAME):
        check_phrase(why)

    scenes = [scene("0-1", number=5, quantity=1, mode=mode) for mode in (UP, DOWN)]
    scenes += [scene("6-6", number=5, quantity=1, out=0b110), scene("4-4 4-5")]
    scenes.append(scene("4-5 4-6 4-7 4-8"))
    layouts = [GAME.layout(view) for view in scenes]
    for options in ({"hands": 2}, {"target": 5}):
        state = GAME.initial(3, GAME.complete_options(3, options))
        layouts.append(GAME.layout(GAME.observe(state, 0)))
    for seed in range(30):
        for before, seat, action, after in steps(3, seed):
            for event in GAME.events(before, seat, action, after):
                check_phrase(event.phrase)
            layouts += [GAME.layout(GAME.observe(before, each)) for each in (0, None)]
            layouts += [GAME.layout(GAME.observe(after, each)) for each in (0, None)]
    match_to = next(iter(steps(3, 1)))[3]._replace(match=Match(0, 50))
    layouts.append(GAME.layout(GAME.observe(match_to, 0)))
    # However many are to be beaten, and by whom: 11 are all cards of a number, the double as two.
    for quantity in range(1, 12):
        held = ("0-1", "6-6 6-8") if quantity < 3 else ("0-1",)
        layouts += [GAME.layout(scene(hand, number=5, quantity=quantity)) for hand in held]
        board = scene("0-1", number=5, quantity=quantity)._replace(seat=None, hand=0)
        layouts.append(GAME.layout(board))
    layouts.append(GAME.layout(scene("0-1", number=5, quantity=1, out=0b110)))
    for layout in layouts:
        if layout.asks is not None:
            check_phrase(layout.asks)
        for block in layout.blocks:
            if isinstance(block, Headline | Line):
                check_phrase(block.phrase)
        for control in layout.controls:
            assert not isinstance(control, Standing)
            listed = control.acts if isinstance(control, Choice) else (control,)
            if control.label:
                check_phrase(control.label)
            if isinstance(control, Choice):
                for said in (control.title, *control.notes):
                    if said is not None:
                        check_phrase(said)
            for act in listed:
                for note in act.notes:
                    check_phrase(note)
    source = "".join(path.read_text() for path in sources())
    raised = set(re.findall(r'(?:RuleError|NotationError)\(\s*"(\w+)"', source))
    assert {key for key in words if key.startswith("error.")} == {f"error.{c}" for c in raised}
    # What decisions are for, and why not: tests/i18n/test_coaching.py reaches all of those, and
    # tests/engine/test_advice.py what speaks for an action.
    coaching = ("tip_", "why_", "advice_")
    prefixes = (*coaching, "error.", "game.", "flag.", "option.", "parameter.")
    for layout in layouts:
        if layout.asks is not None:
            check_phrase(layout.asks)
        for block in layout.blocks:
            for card in block.cards if isinstance(block, CardRow) else ():
                used |= {f"{word}.{mark}" for mark in card.marks for word in ("mark", "legend")}
    spoken = {key for key in words if not key.startswith(prefixes)}
    assert spoken - used == set(), "words that nobody says, or that this test does not reach"
    assert {"game.name", "game.tagline"} <= set(words)


def sources() -> list[Path]:
    root = Path(engine.games.__path__[0])
    names = ("notation.py", "cards.py", "options.py")
    return [*(root / "aufundab").glob("*.py"), *(root.parent / name for name in names)]


def refusals() -> Iterator[RuleError]:
    """Refused actions of a match, by the seat to act, by another one, and by chance."""
    rng = Random(3)
    for state, actor, _, _ in steps(3, 5):
        for seat in (actor, (actor + 1) % 3, CHANCE):
            hand = [1 << card for card in range(55) if state.hands[seat] >> card & 1]
            pairs = [rng.sample(hand, 2) for _ in range(8) if len(hand) > 1]
            moves = [PASS, *rng.sample(list(SETS[UP]), 3), *map(Move, hand)]
            for move in [*moves, *(Move(a | b) for a, b in pairs), Move(1, 2)]:
                try:
                    GAME.apply(state, seat, move)
                except RuleError as refused:
                    yield refused


def test_refusals_fill_their_sentences() -> None:
    words = catalogue()
    found = list(refusals())
    for refused in found:
        for text in words[f"error.{refused.code}"]:
            assert text.format(**refused.params)
    assert {refused.code for refused in found} == {
        "not_your_turn", "must_lead", "not_in_hand", "mixed_numbers", "wrong_quantity",
        "must_beat", "first_lead_needs_double", "deal_due", "no_deal_due", "bad_deal",
        "not_an_action",
    }  # fmt: skip


def test_options_are_completed() -> None:
    assert GAME.complete_options(4, {}) == {"length": "hands", "hands": 4}
    assert GAME.complete_options(3, {"hands": 2}) == {"length": "hands", "hands": 2}
    assert GAME.complete_options(3, {"target": 7}) == {"length": "target", "target": 7}
    assert GAME.complete_options(3, {"length": "target"}) == {"length": "target", "target": 100}
    both: list[Options] = [{"length": "hands", "target": 5}, {"hands": 1, "target": 5}]
    for given_ in both:
        with pytest.raises(NotationError) as caught:
            GAME.complete_options(3, given_)
        assert caught.value.code == "option_conflict"
