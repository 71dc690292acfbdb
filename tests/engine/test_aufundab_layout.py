"""Auf und Ab: what people see, press and are told, and what they may guess."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.deal import Seeded
from engine.game import CHANCE
from engine.games.aufundab import GAME
from engine.games.aufundab.cards import (
    CARDS,
    DOUBLES,
    DOWN,
    PACK,
    PASS,
    UP,
    Move,
)
from engine.games.aufundab.layout import out_reason, reason
from engine.games.aufundab.state import Action, Match, Past, State, View, legal_moves
from engine.layout import (
    Act,
    CardRow,
    Cards,
    Choice,
    Combine,
    Headline,
    InWords,
    LastSet,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    Standing,
)
from tests.determinizing import determinize
from tests.engine.shown import all_of, codes, one, row
from tests.engine.walking import walk
from tests.engine.words import Catalogue

Step = tuple[State, int, Action, State]


def steps(seats: int, seed: int, hands: int = 2) -> Iterator[Step]:
    return walk(GAME, seats, {"hands": hands}, seed)


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


def acts(layout: Layout) -> list[str]:
    return [control.action for control in layout.controls if isinstance(control, Act)]


def choices(layout: Layout) -> dict[str, Choice]:
    return {control.key: control for control in layout.controls if isinstance(control, Choice)}


# Legal actions.


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
    assert layout.controls == (
        Act("pass", Phrase("pass", {})),
        Standing(Phrase("standing"), Phrase("standing_undo"), Phrase("standing_means")),
    )


@pytest.mark.parametrize("seats", [3, 4])
def test_only_a_pass_that_is_no_choice_is_given_for_somebody(seats: int) -> None:
    """Offered beside *Pass* where nothing beats, and while others are asked."""
    given = 0
    for state, *_ in walk(GAME, seats, {"hands": 1}, seats):
        for seat in range(seats):
            view = GAME.observe(state, seat)
            controls = GAME.layout(view).controls
            offered = any(isinstance(one, Standing) and one.offered for one in controls)
            only = [GAME.format_action(move) for move in view.legal_actions] == ["pass"]
            answer = GAME.standing_action(view)
            assert (answer is not None) == only
            assert offered == (only or (state.actor >= 0 and seat != state.actor))
            given += only
        assert not any(
            isinstance(c, Standing) for c in GAME.layout(GAME.observe(state, None)).controls
        )
    assert given


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
            lines = [one.phrase.code for one in layout.blocks if isinstance(one, Line)]
            why = ("you_alone_nothing", f"nothing_beats_{state.quantity}")
            if forced:
                turned = lines[0].startswith("hand_turned") and why[1] in lines
                assert alone or turned or lines[0] in why, "what else is told comes later"
            else:
                assert why[1] not in lines
            told += forced
    assert told > 10


def test_whoever_is_alone_ends_the_series() -> None:
    layout = GAME.layout(scene("6-6 6-8", number=5, quantity=1, out=0b110))
    assert layout.asks == Phrase("asks_alone", {})
    assert "you_alone" in codes(layout)
    last = [one for one in layout.controls if isinstance(one, Act)][-1]
    assert (last.action, last.label) == ("pass", Phrase("end_series", {}))


def test_what_a_series_is_stands_there_until_one_has_been_taken() -> None:
    begun = scene("6-6", number=5, quantity=1)
    assert GAME.layout(begun).words[1:] == (Phrase("words_double"), Phrase("words_series"))
    without = scene("6-7", number=5, quantity=1)
    assert GAME.layout(without).words[1:] == (Phrase("words_series"),)
    last = Past(0, PACK.mask(["5-5"]), UP, 0)
    later = begun._replace(series=begun.series._replace(last=last))
    assert GAME.layout(later).words[1:] == (Phrase("words_double"),)


@pytest.mark.parametrize(("seats", "count"), [(3, 1), (4, 3)])
def test_how_many_cards_are_not_dealt_stands_in_small_print(seats: int, count: int) -> None:
    state = GAME.initial(seats, GAME.complete_options(seats, {}))
    state = GAME.apply(state, CHANCE, GAME.deal(state, Random(1).randrange))
    shown = GAME.layout(GAME.observe(state, None)).blocks
    assert Line(Phrase("undealt", {"count": count}), "foot") in shown
    assert count + seats * len(PACK.codes(state.hands[0])) == len(PACK.names)


def test_the_change_cards_of_the_series_are_counted_and_tell_the_next_mode() -> None:
    """Also an even number: one that is covered by now counts."""
    for changes, code, symbol in ((1, "changes_odd", "▼"), (2, "changes_even", "▲")):
        layout = GAME.layout(scene("6-6", number=5, quantity=1, changes=changes))
        said = Phrase(code, {"number": changes, "symbol": symbol})
        assert layout.words[0] == said
        (line,) = (b for b in layout.blocks if isinstance(b, Line) and b.phrase == said)
        assert line.seen, "a picture has a sign for it"
    layout = GAME.layout(scene("6-6", number=5, quantity=1))
    assert layout.words[0] == Phrase("changes_none")
    assert not [code for code in codes(layout) if code.startswith("changes_")]


def test_whoever_is_asked_first_in_a_series_is_told_how_the_one_before_ended() -> None:
    told = set()
    for seed in range(4):
        acted = set[int]()
        for state, seat, _, after in steps(4, seed):
            if state.actor < 0:
                continue
            layout = GAME.layout(GAME.observe(state, seat))
            lasts = [b for b in (*layout.blocks, *layout.more) if isinstance(b, LastSet)]
            last = state.series.last
            assert len(lasts) == (last is not None and (seat not in acted)), "once, and always"
            told |= {(one in layout.more, one.reason.code) for one in lasts}
            for other in (*({0, 1, 2, 3} - {seat}), None):
                assert not GAME.layout(GAME.observe(state, other)).more
            acted = {*acted, seat} if after.series.start == state.series.start else set()
    assert {(True, "won_passed"), (False, "won_passed")} <= told


def test_whoever_is_asked_is_told_who_has_one_card_left_below_a_hand_that_has_turned() -> None:
    told, below = 0, 0
    for seed in range(30):
        for state, _, _, _ in steps(4, seed):
            if state.actor < 0:
                continue
            one = {seat for seat, hand in enumerate(state.hands) if hand.bit_count() == 1}
            for seat in (0, 1, 2, 3, None):
                layout = GAME.layout(GAME.observe(state, seat))
                shown = [one.phrase for one in layout.blocks if isinstance(one, Line)]
                said = {one.code: one for one in shown if one.code.startswith("one_left")}
                others = {SeatName(other) for other in one - {seat}}
                expected = [others] if seat == state.actor and others else []
                assert [set(line.params.values()) for line in said.values()] == expected
                told += len(said)
                found = [*codes(layout)]
                if said and (turned := [c for c in found if c.startswith("hand_turned")]):
                    below += 1
                    assert found.index(turned[0]) < found.index(next(iter(said)))
    assert told > 10
    assert below


def test_the_hand_is_sorted_by_the_number_that_counts() -> None:
    up = row(GAME.layout(scene("0-9 1-2 1-1 4-5")), "hand")
    assert [(card.code, card.group) for card in up] == [
        ("0-9", "0"), ("1-1", "1"), ("1-2", "1"), ("4-5", "4"),
    ]  # fmt: skip
    down = row(GAME.layout(scene("0-9 1-2 1-1 4-5", mode=DOWN)), "hand")
    assert [(card.code, card.group) for card in down] == [
        ("1-1", "1"), ("1-2", "2"), ("4-5", "5"), ("0-9", "9"),
    ]  # fmt: skip


def test_doubles_change_cards_and_playable_cards_are_marked() -> None:
    cards = row(GAME.layout(scene("0-9 1-1 4-5 6-6", number=3, quantity=1)), "hand")
    assert {card.code: card.marks for card in cards} == {
        "0-9": ("change",),
        "1-1": ("double",),
        "4-5": ("change", "playable"),
        "6-6": ("double", "playable"),
    }
    turned = row(GAME.layout(scene("0-9 6-6", mode=DOWN)), "hand")
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


def test_what_is_told_of_cards_names_them_as_they_lay() -> None:
    seen = set()
    for seed in range(4):
        for before, seat, action, after in steps(3, seed):
            for event in GAME.events(before, seat, action, after):
                if event.phrase.code.startswith(("played", "won_")):
                    cards = event.phrase.params["cards"]
                    assert isinstance(cards, Cards)
                    assert cards.turned == (before.mode == DOWN)
                    seen.add((event.phrase.code, cards.turned))
    assert {("played", True), ("played", False), ("won_passed", True)} <= seen


def test_seats_are_marked() -> None:
    layout = GAME.layout(scene("6-6", number=5, quantity=1, out=0b100))
    seats = one(layout, SeatRow)
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
        shown = {card.code for each in all_of(layout, CardRow) for card in each.cards}
        assert shown <= set(PACK.codes(state.top | state.round.aside))


# Controls.


def label(code: str, number: int | None = None, size: int | None = None) -> Phrase:
    params: dict[str, Param] = {} if size is None else {"size": InWords(size)}
    return Phrase(code, params if number is None else {**params, "number": number})


def as_either(size: int) -> dict[str, Param]:
    return {"fewest": size, "most": size + 1}


def test_a_leader_chooses_how_many_of_which_number_the_most_first() -> None:
    layout = GAME.layout(scene("1-1 1-2 1-3 1-5 4-6 5-7 5-8"))
    assert [(one.label, one.group) for one in layout.controls if not isinstance(one, Standing)] == [
        (Phrase("lead_all_either", {**label("lead_all", 1, 4).params, **as_either(4)}), "1"),
        (label("lead_some", 1, 3), "1"),
        (label("lead_pair", 1), "1"),
        (label("lead_one", 1), "1"),
        (label("lead_one", 4), "4"),
        (label("lead_pair", 5), "5"),
        (label("lead_one", 5), "5"),
    ], "cards, not sets"
    assert acts(layout) == ["play 4-6", "play 5-7 5-8"], "where all cards are clear one press plays"
    assert {one.style for one in layout.controls if isinstance(one, Act)} == {"secondary"}
    assert list(choices(layout)) == ["1.4", "1.3", "1.2", "1.1", "5.1"]
    for key, choice in choices(layout).items():
        size = int(key[-1])
        assert choice.count == len(choice.acts)
        assert {len(act.cards) for act in choice.acts} == {size}


def test_all_cards_of_a_number_are_not_clear_where_a_double_may_count_two() -> None:
    every = choices(GAME.layout(scene("1-1 1-2 1-3 1-4 4-6")))["1.4"]
    assert every.label == Phrase(
        "lead_all_either", {**label("lead_all", 1, 4).params, **as_either(4)}
    ), "what it asks"
    assert [act.action for act in every.acts] == ["play 1-1 1-2 1-3 1-4", "play 1-1x2 1-2 1-3 1-4"]
    assert every.title == label("play_some", 1, 4)
    assert every.notes == (Phrase("double_note", {"double": Cards(("1-1x2",))}),)


def test_few_leads_are_offered_flat_the_largest_of_each_number_first() -> None:
    layout = GAME.layout(scene("4-4 4-5 9-9"))
    assert acts(layout) == [
        "play 4-4 4-5", "play 4-4x2 4-5", "play 4-4", "play 4-5", "play 4-4x2", "play 9-9",
        "play 9-9x2",
    ]  # fmt: skip
    assert codes(layout)[-3:] == ["double_note", "round_of", "undealt"]
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


def test_whoever_leads_with_one_card_is_asked_for_that() -> None:
    assert GAME.layout(scene("4-5")).asks == Phrase("asks_lead_last")
    assert GAME.layout(scene("4-5 4-6")).asks == Phrase("asks_lead")


def test_that_the_series_ends_is_told_as_what_it_is() -> None:
    codes: set[str] = set()
    for state, seat, action, after in steps(3, 1):
        if isinstance(action, Move) and action == PASS:
            told = GAME.events(state, seat, action, after)[0].phrase
            alone = GAME.observe(state, seat).alone
            assert told.code.startswith("won_") == alone
            assert told.params["seat"] == SeatName(seat)
            codes.add(told.code)
    assert {"won_passed", "passed"} <= codes


def test_too_many_leads_of_a_size_are_ticked() -> None:
    found = choices(GAME.layout(scene("1-1 1-2 1-3 1-4 1-5 4-4")))["1.3"]
    cards = ("1-1", "1-2", "1-3", "1-4", "1-5")
    assert found.combine == Combine(cards, 3, 3, ("double_counts_two",))
    assert found.title == label("play_some", 1, 3)
    assert found.label == label("lead_some", 1, 3)
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
    (lying,) = row(layout, "table")
    assert (lying.code, lying.marks) == ("5-5", ("double", "twice"))
    assert "counts_two" in codes(layout)
    plain = GAME.layout(scene("6-6", number=5, quantity=1))
    assert row(plain, "table")[0].marks == (), "there is no choice any more"
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
def test_in_a_determinization_the_round_began_with_the_lowest_double_held(seats: int) -> None:
    rng = Random(1)
    for state in states(seats, 2):
        for seat in (*range(seats), None):
            view = GAME.observe(state, seat)
            guess = determinize(GAME, view, rng)
            if guess.round.number:
                opening = PACK.mask([f"{guess.round.opening}-{guess.round.opening}"])
                assert not DOUBLES & (opening - 1) & ~guess.round.aside


def test_determinizations_of_the_first_lead_have_the_right_odds() -> None:
    """Who sees nothing expects the 0-0 aside in 1 of 55 deals."""
    state = states()[1]
    view = GAME.observe(state, None)
    rng = Random(2)
    aside = sum(determinize(GAME, view, rng).round.aside == 1 for _ in range(5500))
    assert 70 < aside < 135


# Words.


def with_one_left(others: int) -> View:
    """So many others have come down to one card since seat 0 of four acted last."""
    view = scene("6-6", number=5, quantity=1)
    played = tuple([Move(1 << card) for card in range(others)])
    round_ = view.round._replace(start=1, scores=(0, 0, 0, 0))
    return view._replace(
        counts=(1, *([1] * others), *([9] * (3 - others))), round=round_, history=played
    )


def test_every_phrase_and_refusal_has_words_that_its_parameters_fill() -> None:
    catalogue = Catalogue(GAME)
    for seed in range(30):
        for step in steps(3, seed):
            catalogue.step(*step)
    scenes = [scene("0-1", number=5, quantity=1, mode=mode) for mode in (UP, DOWN)]
    scenes += [scene("0-1", number=5, quantity=1, out=0b110)]
    scenes += [scene("6-6", number=5, quantity=1, out=0b110), scene("4-4 4-5")]
    scenes += [scene("4-5 4-6 4-7 4-8"), scene("4-4 4-5 4-6 4-7 4-8")]
    scenes += [with_one_left(others) for others in (1, 2, 3)]
    # However many are to be beaten, and by whom: 11 are all cards of a number, the double as two.
    for quantity in range(1, 12):
        held = ("0-1", "6-6 6-8") if quantity < 3 else ("0-1",)
        scenes += [scene(hand, number=5, quantity=quantity) for hand in held]
        scenes.append(scenes[-1]._replace(seat=None, hand=0))
    beginnings = [
        GAME.initial(3, GAME.complete_options(3, options))
        for options in ({"hands": 2}, {"target": 5})
    ]
    beginnings.append(next(iter(steps(3, 1)))[3]._replace(match=Match(0, 50)))
    scenes += [GAME.observe(state, 0) for state in beginnings]
    for view in scenes:
        catalogue.show(GAME.layout(view))
    catalogue.check_all_was_said()
    catalogue.check_refusals()


def test_refusals_fill_their_sentences() -> None:
    """Of a match, to the seat to act, to another one, and to chance."""
    catalogue, rng, found = Catalogue(GAME), Random(3), set[str]()
    sets = legal_moves(PACK.all, UP, -1, 0, -1)
    for state, actor, _, _ in steps(3, 5):
        for seat in (actor, (actor + 1) % 3, CHANCE):
            hand = [1 << card for card in range(55) if state.hands[seat] >> card & 1]
            pairs = [rng.sample(hand, 2) for _ in range(8) if len(hand) > 1]
            moves = [PASS, *rng.sample(sets, 3), *map(Move, hand)]
            for move in [*moves, *(Move(a | b) for a, b in pairs), Move(1, 2)]:
                found |= catalogue.refuse(state, seat, move)
    assert found == {
        "not_your_turn", "must_lead", "not_in_hand", "mixed_numbers", "wrong_quantity",
        "must_beat", "first_lead_needs_double", "deal_due", "no_deal_due", "bad_deal",
        "not_an_action",
    }  # fmt: skip
