"""Sticheln, paragraph by paragraph of its rules, through the public interface only.

Written from the rules, not from the module: hands are chosen by a deal's JSON, plays are texts.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import pytest

from engine.game import (
    CHANCE,
    AnyGame,
    NotationError,
    OptionValue,
    Outcome,
    RoundHead,
    RuleError,
)
from engine.layout import Phrase, Suit
from engine.registry import games
from tests.engine.shown import seats_in

GAME: Final[AnyGame] = games()["sticheln"]
HIGHEST: Final = {3: 8, 4: 11, 5: 14, 6: 14}
ALL_SEATS: Final = (3, 4, 5, 6)


def pack(seats: int) -> list[str]:
    return [
        f"{suit}{number}"
        for suit in ("RYGBPS" if seats == 6 else "RYGBP")
        for number in range(HIGHEST[seats] + 1)
    ]


def deal_json(hands: Mapping[int, str], seats: int) -> dict[str, Any]:
    """A whole deal in which these cards lie where they should; the rest as it comes."""
    wanted = [hands.get(seat, "").split() for seat in range(seats)]
    taken = {card for cards in wanted for card in cards}
    assert len(taken) == sum(map(len, wanted)), "a card is wanted twice"
    rest = [card for card in pack(seats) if card not in taken]
    random.Random(7).shuffle(rest)
    for cards in wanted:
        while len(cards) < 15:
            cards.append(rest.pop())
    assert not rest
    order = pack(seats).index
    return {"hands": [sorted(cards, key=order) for cards in wanted], "aside": []}


def dealt(
    hands: Mapping[int, str],
    seats: int = 4,
    start: int = 0,
    before: Any = None,
    **options: OptionValue,
) -> Any:
    """The state after such a deal, of a match of one round unless `options` say else."""
    if before is None:
        before = GAME.initial(seats, GAME.complete_options(seats, options or {"rounds": 1}))
    head = RoundHead(None, start, None)
    return GAME.apply(before, CHANCE, GAME.deal_from_json(before, deal_json(hands, seats), head))


def run(state: Any, *script: str) -> Any:
    """Plays lines such as `0 play B3`; the seat has to be one that acts."""
    for line in script:
        seat, text = line.split(" ", 1)
        assert int(seat) in GAME.actors(state), f"{line!r}, but {GAME.actors(state)} act"
        state = GAME.apply(state, int(seat), GAME.parse_action(text))
    return state


def chosen(state: Any, *cards: str) -> Any:
    """The state after these choices, by seat."""
    return run(state, *(f"{seat} choose {card}" for seat, card in enumerate(cards)))


def first_trick(*cards: str, seats: int = 4, **options: OptionValue) -> Any:
    """A first trick, led by seat 0, in which each seat plays one of these cards."""
    others = [card for card in pack(seats) if card not in cards]
    choices = others[5::12][:seats]
    hands = {seat: f"{cards[seat]} {choices[seat]}" for seat in range(seats)}
    state = chosen(dealt(hands, seats, 0, None, **options), *choices)
    return run(state, *(f"{seat} play {card}" for seat, card in enumerate(cards)))


def texts(state: Any, seat: int) -> set[str]:
    return {GAME.format_action(action) for action in GAME.legal_actions(state, seat)}


def refusal(state: Any, line: str) -> tuple[str, dict[str, object]]:
    """The code with which a play is refused (by `is_legal` too), and its parameters."""
    seat, text = line.split(" ", 1)
    action = GAME.parse_action(text)
    assert not GAME.is_legal(state, int(seat), action), f"{line!r} is legal"
    with pytest.raises(RuleError) as caught:
        GAME.apply(state, int(seat), action)
    return caught.value.code, dict(caught.value.params)


def place(state: Any, code: str) -> str:
    return next(str(card.place) for card in GAME.cards(state) if card.card == code)


def known_to(state: Any, code: str) -> tuple[int, ...]:
    return next(card.known_to for card in GAME.cards(state) if card.card == code)


def points(state: Any) -> tuple[int, ...]:
    found = GAME.round_scores(state)
    assert found is not None, "the round is not over"
    return found


def random_round(state: Any, rng: random.Random) -> Any:
    """Plays at random to the end of the round."""
    while GAME.round_scores(state) is None or GAME.actors(state) not in ((), (CHANCE,)):
        seat = rng.choice(GAME.actors(state))
        if seat == CHANCE:
            return state
        state = GAME.apply(state, seat, rng.choice(GAME.legal_actions(state, seat)))
    return state


# --- Cards and deal ------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", ALL_SEATS)
def test_the_pack_depends_on_the_number_of_seats_and_is_dealt_whole(seats: int) -> None:
    options = GAME.complete_options(seats, {})
    assert list(GAME.pack(seats, options)) == pack(seats)
    assert len(pack(seats)) == 15 * seats
    start = GAME.initial(seats, options)
    data: Any = GAME.deal_to_json(GAME.deal(start, random.Random(3).randrange))
    assert [len(hand) for hand in data["hands"]] == [15] * seats
    assert sorted(card for hand in data["hands"] for card in hand) == sorted(pack(seats))
    assert data["aside"] == []
    order = pack(seats).index
    assert all(hand == sorted(hand, key=order) for hand in data["hands"])


def test_the_pack_grows_as_printed() -> None:
    sizes = {seats: (pack(seats)[-1], len(pack(seats))) for seats in ALL_SEATS}
    assert sizes == {3: ("P8", 45), 4: ("P11", 60), 5: ("P14", 75), 6: ("S14", 90)}
    assert GAME.info.seats == ALL_SEATS
    assert GAME.info.teams == ()
    assert GAME.info.seeds_after == "round"


@pytest.mark.parametrize("seats", ALL_SEATS)
def test_every_wrong_deal_is_refused(seats: int) -> None:
    before = GAME.initial(seats, GAME.complete_options(seats, {}))
    good = deal_json({}, seats)

    def refused(start: int | None = 0, **new: Any) -> str:
        head = RoundHead(None, start, None)
        with pytest.raises(RuleError) as caught:
            GAME.apply(before, CHANCE, GAME.deal_from_json(before, {**good, **new}, head))
        return caught.value.code

    hands = good["hands"]
    assert refused(hands=hands[:-1]) == "bad_deal"
    assert refused(hands=[*hands, []]) == "bad_deal"
    assert refused(hands=[hands[0], *hands[:-1]]) == "bad_deal"
    order = pack(6).index
    moved = sorted([*hands[0], hands[1][0]], key=order)
    assert refused(hands=[moved, hands[1][1:], *hands[2:]]) == "bad_deal"
    assert refused(hands=[hands[0][::-1], *hands[1:]]) == "deal_malformed"
    assert refused(hands=[[*hands[0][:-1], "S15"], *hands[1:]]) == "deal_malformed"
    assert refused(aside=["R0"]) == "deal_malformed"
    if seats < 6:
        foreign = [*hands[0][:-1], "S14"]
        assert refused(hands=[foreign, *hands[1:]]) == "bad_deal"
    assert refused(start=None) == "no_start"
    assert refused(start=seats) == "no_start"
    assert refused(start=-1) == "no_start"
    forged = GAME.deal_from_json(before, good, RoundHead(None, 0, None))
    unsorted = (forged.hands[0][::-1], *forged.hands[1:])
    for wrong in ({"start": -1}, {"start": seats}, {"hands": unsorted}):
        with pytest.raises(RuleError, match="bad_deal"):
            GAME.apply(before, CHANCE, forged._replace(**wrong))


# --- The unwanted colour -------------------------------------------------------------------------


def test_all_choose_one_card_of_the_hand_in_any_order() -> None:
    state = dealt({0: "Y7", 1: "B1", 2: "B4", 3: "G0"})
    assert GAME.actors(state) == (0, 1, 2, 3)
    hand = {word.split()[1] for word in texts(state, 2)}
    assert texts(state, 2) == {f"choose {card}" for card in hand}
    assert len(hand) == 15
    state = run(state, "2 choose B4")
    assert GAME.actors(state) == (0, 1, 3)
    state = run(state, "0 choose Y7", "3 choose G0")
    assert GAME.actors(state) == (1,)
    state = run(state, "1 choose B1")
    assert GAME.actors(state) == (0,)


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    state = dealt({0: "Y7", 1: "B1", 2: "B4", 3: "G0"})
    yellow, blue = GAME.parse_action("choose Y7"), GAME.parse_action("choose B1")
    state = GAME.apply(state, 0, yellow)
    for reader in (1, 2, 3, None):
        view = GAME.observe(state, reader)
        assert GAME.public_action(view, 0, yellow) == "choose ?"
    for reader in (0, 1, 2, 3, None):
        assert facts(state, reader) == [(), (), (), ()]
    assert known_to(state, "Y7") == (0,)
    assert GAME.public_action(GAME.observe(state, 0), 0, yellow) == "choose Y7"
    assert place(state, "Y7") == "chosen 0"
    state = run(state, "1 choose B1", "2 choose B4", "3 choose G0")
    assert known_to(state, "Y7") == (0, 1, 2, 3)
    for reader in (0, 1, 2, 3, None):
        view = GAME.observe(state, reader)
        assert GAME.public_action(view, 0, yellow) == "choose Y7"
        assert GAME.public_action(view, 1, blue) == "choose B1"
        unwanted = [("Y", 7), ("B", 1), ("B", 4), ("G", 0)]
        assert facts(state, reader) == [
            (Phrase("unwanted", {"suit": Suit(suit), "number": number}),)
            for suit, number in unwanted
        ]


def facts(state: Any, reader: int | None) -> list[tuple[Phrase, ...]]:
    return [seat.facts for seat in seats_in(GAME.layout(GAME.observe(state, reader)))]


def test_the_chosen_card_lies_open_and_is_not_played() -> None:
    state = chosen(dealt({0: "Y7", 1: "B1", 2: "B4", 3: "G0"}), "Y7", "B1", "B4", "G0")
    assert "play Y7" not in texts(state, 0)
    assert len(texts(state, 0)) == 14
    assert refusal(state, "0 play Y7") == ("not_in_hand", {"cards": ("Y7",)})
    end = random_round(state, random.Random(1))
    assert place(end, "Y7") == "chosen 0"


def test_what_is_chosen_stays_chosen() -> None:
    state = run(dealt({0: "Y7 R1"}), "0 choose Y7")
    assert refusal(state, "0 choose R1") == ("chosen_already", {})
    state = GAME.apply(state, 1, GAME.legal_actions(state, 1)[0])
    state = GAME.apply(state, 2, GAME.legal_actions(state, 2)[0])
    state = GAME.apply(state, 3, GAME.legal_actions(state, 3)[0])
    assert refusal(state, "0 choose R1") == ("chosen_already", {})


def test_nothing_is_played_before_all_have_chosen() -> None:
    state = dealt({0: "Y7 R1"})
    assert refusal(state, "0 play R1") == ("choose_first", {})
    assert refusal(run(state, "0 choose Y7"), "0 play R1") == ("chosen_already", {})


# --- Leading and following -----------------------------------------------------------------------


def test_any_card_may_be_led_and_any_card_may_follow() -> None:
    state = chosen(dealt({0: "R5 P1", 1: "R1 R2 Y9 P2", 2: "P3", 3: "P4"}), "P1", "P2", "P3", "P4")
    assert len(texts(state, 0)) == 14
    state = run(state, "0 play R5")
    assert len(texts(state, 1)) == 14
    assert {"play R1", "play R2", "play Y9"} <= texts(state, 1)
    run(state, "1 play Y9")


def test_only_the_seat_whose_turn_it_is_plays() -> None:
    state = chosen(dealt({0: "R5 P1", 1: "P2 R6", 2: "P3", 3: "P4"}), "P1", "P2", "P3", "P4")
    assert refusal(state, "1 play R6") == ("not_your_turn", {"seat": 0})
    assert refusal(state, "0 play R6") == ("not_in_hand", {"cards": ("R6",)})
    assert GAME.legal_actions(state, 1) == ()


# --- Who wins a trick ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("B3 B10 Y0 B7", 1),  # the book's three
        ("Y9 G5 R6 B4", 2),
        ("G11 R5 Y5 G8", 1),
        ("R1 R0 R2 R3", 3),  # one colour only
        ("R9 R0 R2 R3", 0),
        ("R9 Y0 G0 B0", 0),  # zeros of other colours are no cards of other colours
        ("R0 R1 Y0 G0", 1),  # a led 0 sets the lead colour
        ("R0 R11 Y1 G0", 2),
        ("R0 Y0 G3 R4", 2),
        ("R11 R10 Y1 R9", 2),
        ("R7 Y7 G7 B7", 1),  # a led card never wins against another colour
        ("R7 Y6 G7 B7", 2),
        ("R7 Y6 G5 B6", 1),
        ("R7 R8 Y2 P2", 2),
    ],
)
def test_the_winner_takes_the_cards_and_leads(cards: str, winner: int) -> None:
    played = cards.split()
    state = first_trick(*played)
    assert GAME.actors(state) == (winner,)
    assert {place(state, card) for card in played} == {f"taken {winner}"}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_of_nothing_but_zeros_nobody_wins_and_the_same_seat_leads_again(seats: int) -> None:
    zeros = ["R0", "Y0", "G0", "B0", "P0", "S0"][:seats]
    state = first_trick(*zeros, seats=seats)
    assert GAME.actors(state) == (0,)
    assert {place(state, card) for card in zeros} == {"aside"}
    end = random_round(state, random.Random(4))
    assert {place(end, card) for card in zeros} == {"aside"}, "they count for nobody"


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_with_the_switch_whoever_led_takes_zeros_and_leads_again(seats: int) -> None:
    zeros = ["R0", "Y0", "G0", "B0", "P0", "S0"][:seats]
    aside = first_trick(*zeros, seats=seats, rounds=1, zeros="aside")
    assert {place(aside, card) for card in zeros} == {"aside"}
    state = first_trick(*zeros, seats=seats, rounds=1, zeros="leader")
    assert GAME.actors(state) == (0,)
    assert {place(state, card) for card in zeros} == {"taken 0"}
    end = random_round(state, random.Random(4))
    assert {place(end, card) for card in zeros} == {"taken 0"}, "they count for whoever led"
    without = random_round(aside, random.Random(4))
    unwanted = next(card.card for card in GAME.cards(end) if card.place == "chosen 0")
    more = sum(card[0] != unwanted[0] for card in zeros)
    assert points(end)[0] == points(without)[0] + more > points(without)[0]
    assert points(end)[1:] == points(without)[1:]


# --- Scoring -------------------------------------------------------------------------------------


def winner_of(trick: Sequence[tuple[int, str]]) -> int | None:
    """Who wins (seat, card) … in the order of play, by the words of the rules."""
    lead = trick[0][1][0]
    cards = [(seat, card[0], int(card[1:])) for seat, card in trick if card[1:] != "0"]
    others = [each for each in cards if each[1] != lead]
    best = max((number for _, _, number in others or cards), default=None)
    return next((seat for seat, _, number in others or cards if number == best), None)


def staged(tricks: Sequence[tuple[Sequence[str], int]], choices: Sequence[str]) -> Any:
    """A round whose tricks hold these cards and go to these seats; seat 0 leads."""
    seats = len(choices)
    leader, script = 0, []
    hands = [[card] for card in choices]
    for cards, winner in tricks:
        order = [(leader + step) % seats for step in range(seats)]
        trick = next(
            found
            for some in permutations(cards)
            if winner_of(found := list(zip(order, some, strict=True))) == winner
        )
        for seat, card in trick:
            hands[seat].append(card)
            script.append(f"{seat} play {card}")
        leader = winner
    state = dealt({seat: " ".join(hand) for seat, hand in enumerate(hands)}, seats)
    return run(chosen(state, *choices), *script)


def shared_out(zero: Sequence[str], one: Sequence[str], choices: Sequence[str]) -> Any:
    """A round of three in which seat 0 and seat 1 take these 21 cards each, turn by turn."""
    assert (len(zero), len(one)) == (21, 21)
    tricks = [each for at in range(7) for each in ((one[at::7], 1), (zero[at::7], 0))]
    return staged(tricks, choices)


def numbers(suit: str, seats: int = 3, but: Sequence[str] = ()) -> list[str]:
    return [card for card in pack(seats) if card[0] == suit and card not in but]


def test_maria_and_jack() -> None:
    choices = ["Y2", "R0", "G0", "B0"]
    maria = ["Y5 G1 G2 P3", "Y4 G3 B4 P5"]
    jack = ["R2 G4 B5 P6", "R4 G5 B6 P7", "R1 G6 B7 P8"]
    used = {card for trick in (*maria, *jack) for card in trick.split()} | set(choices)
    rest = [card for card in pack(4) if card not in used]
    order = [(jack[0], 1), (maria[0], 0), (jack[1], 1), (maria[1], 0), (jack[2], 1)]
    tricks = [
        *((trick.split(), winner) for trick, winner in order),
        *((rest[at::9], 2 + at % 2) for at in range(9)),
    ]
    end = staged(tricks, choices)
    piles = [
        {each.card for each in GAME.cards(end) if each.place == f"taken {seat}"} for seat in (0, 1)
    ]
    assert piles == [set(" ".join(maria).split()), set(" ".join(jack).split())]
    scores = points(end)
    assert scores[:2] == (-5, 2)
    assert GAME.outcome(end) == Outcome.of(scores)


def test_the_zero_of_the_unwanted_colour_counts_nothing_and_other_zeros_one() -> None:
    choices = ["R3", "Y3", "G3"]
    reds, yellows = numbers("R", but=choices), numbers("Y", but=choices)
    others = [*numbers("G", but=choices), *numbers("B"), *numbers("P")]
    end = shared_out([*reds, *yellows, *others[:5]], others[5:], choices)
    # Seat 0 takes all red cards: 0 1 2 4 5 6 7 8, and 13 others, the Y0 and the G0 among them.
    assert GAME.round_scores(end) == (13 - 33 - 3, 21 - 3, -3)


def test_whoever_takes_nothing_pays_the_chosen_card() -> None:
    choices = ["R0", "Y8", "G7"]
    cards = [card for card in pack(3) if card not in choices]
    end = shared_out(cards[::2], cards[1::2], choices)
    assert points(end)[2] == -7


# --- Rounds and the match ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", ALL_SEATS)
def test_there_are_as_many_rounds_as_seats_and_each_starts_one_seat_later(seats: int) -> None:
    assert GAME.complete_options(seats, {}) == {"rounds": seats, "zeros": "aside"}
    rng = random.Random(seats)
    state = GAME.initial(seats, GAME.complete_options(seats, {}))
    starts: list[int] = []
    totals = (0,) * seats
    while GAME.actors(state):
        asked: list[int] = []

        def draw(n: int, asked: list[int] = asked) -> int:
            asked.append(n)
            return rng.randrange(n)

        state = GAME.apply(state, CHANCE, GAME.deal(state, draw))
        assert len(asked) == 15 * seats - bool(starts), "only the first leader is drawn"
        start = GAME.round_head(state).start
        assert start is not None
        starts.append(start)
        while GAME.actors(state) not in ((), (CHANCE,)):
            seat = rng.choice(GAME.actors(state))
            state = GAME.apply(state, seat, rng.choice(GAME.legal_actions(state, seat)))
        totals = tuple(a + b for a, b in zip(totals, points(state), strict=True))
        assert GAME.scores(state) == totals
    assert len(starts) == seats
    assert starts == [(starts[0] + step) % seats for step in range(seats)]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == totals
    assert outcome.ranking[totals.index(max(totals))] == 1


def test_the_first_seat_of_a_later_round_is_fixed() -> None:
    state = random_round(dealt({}, 3, start=2, rounds=2), random.Random(1))
    assert GAME.actors(state) == (CHANCE,)
    later = dealt({}, 3, start=99, before=state)
    assert GAME.round_head(later).start == 0, "what the head says is not needed any more"
    deal = GAME.deal(state, random.Random(1).randrange)._replace(start=1)
    with pytest.raises(RuleError, match="wrong_start"):
        GAME.apply(state, CHANCE, deal)


def test_equal_totals_share_the_place() -> None:
    choices = ["R1", "Y1", "G1"]
    zero = [*numbers("Y", but=choices), *numbers("G", but=choices), *numbers("B")[:5]]
    one = [*numbers("R", but=choices), *numbers("B")[5:], *numbers("P")]
    end = shared_out(zero, one, choices)
    assert GAME.outcome(end) == Outcome((20, 20, -1), (1, 1, 3))
    assert GAME.actors(end) == ()


def test_after_the_last_round_nothing_is_played() -> None:
    end = random_round(dealt({}, 3), random.Random(1))
    assert GAME.actors(end) == ()
    assert refusal(end, "0 play R1") == ("match_over", {})


def test_between_rounds_only_a_deal_is_due() -> None:
    state = random_round(dealt({}, 3, rounds=2), random.Random(1))
    assert GAME.outcome(state) is None
    assert refusal(state, "0 play R1") == ("deal_due", {})
    running = dealt({}, 3)
    deal = GAME.deal(GAME.initial(3, {"rounds": 1}), random.Random(1).randrange)
    with pytest.raises(RuleError, match="no_deal_due"):
        GAME.apply(running, CHANCE, deal)
    with pytest.raises(RuleError, match="not_an_action"):
        GAME.apply(running, 0, deal)


# --- Notation and defaults -----------------------------------------------------------------------


def test_a_card_alone_is_chosen_or_played_as_the_situation_asks() -> None:
    state = dealt({})
    assert GAME.parse_action("y7", GAME.observe(state, 0)) == GAME.parse_action("choose Y7")
    for seat in GAME.actors(state):
        state = GAME.apply(state, seat, GAME.legal_actions(state, seat)[0])
    assert GAME.parse_action("y7", GAME.observe(state, 0)) == GAME.parse_action("play Y7")


@pytest.mark.parametrize(("seats", "card"), [(3, "R9"), (3, "R14"), (4, "B12"), (5, "S1")])
def test_a_card_of_a_larger_pack_is_well_formed_and_illegal(seats: int, card: str) -> None:
    state = dealt({}, seats)
    wanted = ("no_such_card", {"cards": (card,), "highest": HIGHEST[seats]})
    assert refusal(state, f"0 choose {card}") == wanted
    assert refusal(state, f"0 play {card}") == wanted


def test_who_does_not_answer_chooses_and_plays_the_lowest_number() -> None:
    hand = "Y2 B2 G3 G4 G5 G6 G7 G8 P3 P4 P5 P6 P7 R8 B8"
    state = dealt({0: hand}, 3)
    default = GAME.default_action(GAME.observe(state, 0))
    assert GAME.format_action(default) == "choose Y2"
    state = GAME.apply(state, 0, default)
    for seat in (1, 2):
        state = GAME.apply(state, seat, GAME.legal_actions(state, seat)[0])
    assert GAME.format_action(GAME.default_action(GAME.observe(state, 0))) == "play B2"
    assert GAME.standing_action(GAME.observe(state, 0)) is None


def test_a_card_alone_means_the_choice_or_the_play_that_is_due() -> None:
    state = dealt({0: "Y7 R1 P1", 1: "P2", 2: "P3", 3: "P4"})
    nothing: frozenset[str] = frozenset()
    assert GAME.format_action(GAME.compose(GAME.observe(state, 0), ["Y7"], nothing)) == "choose Y7"
    view = GAME.observe(chosen(state, "P1", "P2", "P3", "P4"), 0)
    assert GAME.format_action(GAME.compose(view, ["Y7"], nothing)) == "play Y7"
    for cards, code in ((["Y7", "R1"], "one_card"), ([], "one_card"), (["X1"], "unknown_card")):
        with pytest.raises(NotationError) as caught:
            GAME.compose(view, cards, nothing)
        assert caught.value.code == code


# --- What is told --------------------------------------------------------------------------------
