"""Auf falscher Fährte, paragraph by paragraph of its rules, through the public interface only.

Written from the rules, not from the module: hands are chosen by a deal's JSON, plays are texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

import pytest

from engine.game import CHANCE, AnyGame, NotationError, Options, RoundHead, RuleError
from engine.layout import Chips, Headline, SeatRow, Suit, Tally
from engine.registry import games
from tests.engine.shown import one, seats_in

GAME: Final[AnyGame] = games()["auffalscherfaehrte"]


def deal_json(
    hands: Mapping[int, str], seats: int, jokers: bool, reveal: tuple[int, ...] | None
) -> dict[str, Any]:
    """A whole deal in which these cards lie where they should; the rest as it comes."""
    pack = list(GAME.pack(seats, GAME.complete_options(seats, {"jokers": jokers})))
    each, rest = len(pack) // seats, list(pack)
    wanted = [hands.get(seat, "").split() for seat in range(seats)]
    for cards in wanted:
        for card in cards:
            rest.remove(card)
    for cards in wanted:
        while len(cards) < each:
            cards.append(rest.pop(0))
        assert len(cards) == each, f"too many cards wanted: {cards}"
    return {
        "hands": [sorted(cards, key=pack.index) for cards in wanted],
        "aside": rest,
        "reveal": list(range(seats) if reveal is None else reveal),
    }


def deal(
    hands: Mapping[int, str],
    seats: int = 4,
    reveal: tuple[int, ...] | None = None,
    before: Any = None,
    *,
    jokers: bool = False,
    rounds: int = 1,
    next_leader: str = "next",
) -> Any:
    """The state after such a deal; seat 0 leads in round 1."""
    if before is None:
        given: Options = {"jokers": jokers, "next_leader": next_leader, "rounds": rounds}
        before = GAME.initial(seats, GAME.complete_options(seats, given))
    data = deal_json(hands, seats, jokers, reveal)
    head = RoundHead(seats - 1, 0, "R")
    return GAME.apply(before, CHANCE, GAME.deal_from_json(before, data, head))


def run(state: Any, *script: str) -> Any:
    """Play lines such as `0 play R0`; it has to be that seat's turn."""
    for line in script:
        seat, text = line.split(" ", 1)
        assert int(seat) in GAME.actors(state), f"{line!r}, but {GAME.actors(state)} act"
        state = GAME.apply(state, int(seat), GAME.parse_action(text))
    return state


def texts(state: Any, seat: int | None = None) -> set[str]:
    """All that a seat (else: the one to act) may do."""
    if seat is None:
        (seat,) = GAME.actors(state)
    return {GAME.format_action(action) for action in GAME.legal_actions(state, seat)}


def refusal(state: Any, line: str) -> RuleError:
    """Why a play is refused (by `is_legal` too)."""
    seat, text = line.split(" ", 1)
    action = GAME.parse_action(text)
    assert not GAME.is_legal(state, int(seat), action), f"{line!r} is legal"
    with pytest.raises(RuleError) as caught:
        GAME.apply(state, int(seat), action)
    return caught.value


def lowest(state: Any, seat: int) -> str:
    """The legal action with the lowest number; a joker last, the trump kept."""
    return GAME.format_action(GAME.default_action(GAME.observe(state, seat)))


def until(state: Any, stop: Callable[[Any], bool], *fixed: str) -> Any:
    """Play on (with `fixed` cards where they are legal, else the lowest) until `stop`."""
    while not stop(state):
        seat = GAME.actors(state)[0]
        assert seat != CHANCE, "the round is over"
        wanted = [text for text in fixed if text in texts(state, seat)]
        state = run(state, f"{seat} {wanted[0] if wanted else lowest(state, seat)}")
    return state


def tricks(state: Any) -> list[int]:
    """Tricks taken, by seat."""
    layout = GAME.layout(GAME.observe(state, None))
    row = one(layout, SeatRow)
    return [count_of(seat.facts[0].params["count"]) for seat in row.seats]


def count_of(value: object) -> int:
    assert isinstance(value, int)
    return value


def after_tricks(number: int) -> Callable[[Any], bool]:
    """Whether so many tricks are complete and nothing is owed to the last one."""

    def stop(state: Any) -> bool:
        left = {card.place for card in GAME.cards(state)}
        if "table" in left or GAME.round_scores(state) is not None:
            return GAME.round_scores(state) is not None
        return any(seat.facts for seat in seats_of(state)) and sum(tricks(state)) == number

    return stop


def seats_of(state: Any) -> Any:
    return seats_in(GAME.layout(GAME.observe(state, None)))


def trump(state: Any) -> str:
    layout = GAME.layout(GAME.observe(state, None))
    chips = one(layout, Chips)
    found = next(each for each in chips.chips if each.code == "chip_trump").params["suit"]
    assert isinstance(found, Suit)
    return found.code


def tally(state: Any) -> Tally:
    layout = GAME.layout(GAME.observe(state, None))
    return one(layout, Tally)


def kind(state: Any) -> str:
    layout = GAME.layout(GAME.observe(state, None))
    head = layout.blocks[0]
    assert isinstance(head, Headline)
    return head.phrase.code.rpartition("_")[2]


SUITS_4: Final = {
    seat: " ".join(f"{suit}{number}" for number in range(13)) for seat, suit in enumerate("RYGB")
}
"""Everybody holds all cards of one colour: seat 0, with the trumps, takes every trick."""


def each_hides(state: Any, cards: str) -> Any:
    return run(state, *(f"{seat} hide {card}" for seat, card in enumerate(cards.split())))


# --- Cards and deal ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "jokers", "numbers", "each", "aside"),
    [(4, False, 13, 13, 0), (3, False, 10, 13, 1), (4, True, 13, 14, 0), (3, True, 10, 14, 1)],
)
def test_the_pack_and_the_deal(
    seats: int, jokers: bool, numbers: int, each: int, aside: int
) -> None:
    options = GAME.complete_options(seats, {"jokers": jokers})
    pack = GAME.pack(seats, options)
    wanted = [f"{suit}{number}" for suit in "RYGB" for number in range(numbers)]
    assert pack == (*wanted, *["J"] * (seats if jokers else 0))
    state = GAME.initial(seats, options)
    assert GAME.actors(state) == (CHANCE,)
    data: Any = GAME.deal_to_json(GAME.deal(state, Random(1).randrange))
    assert [len(hand) for hand in data["hands"]] == [each] * seats
    assert len(data["aside"]) == aside
    assert sorted(data["reveal"]) == list(range(seats))
    assert sorted([*data["aside"], *(c for hand in data["hands"] for c in hand)]) == sorted(pack)


def test_the_card_left_over_is_shown_to_all_and_may_be_a_joker() -> None:
    for jokers in (False, True):
        state = deal({}, 3, jokers=jokers)
        (aside,) = (card for card in GAME.cards(state) if card.place == "aside")
        assert aside.public
        assert aside.card == ("J" if jokers else "B9")
        for seat in (None, 0, 1, 2):
            layout = GAME.layout(GAME.observe(state, seat))
            assert aside.card in repr([b for b in layout.blocks if "aside" in repr(b)])


def test_whoever_started_deals_the_next_round_and_the_trump_goes_over() -> None:
    state = each_hides(deal(SUITS_4, rounds=2), "R0 Y0 G0 B0")
    assert GAME.round_head(state) == (3, 0, "R")
    # Minus, and seat 0 has all tricks: it is last alone and may change the trump.
    state = until(state, lambda s: "trump B" in texts(s))
    state = until(run(state, "0 trump B"), lambda s: GAME.actors(s) == (CHANCE,))
    state = deal(SUITS_4, before=state)
    assert GAME.round_head(state) == (0, 1, "B")
    assert trump(state) == "B"


@pytest.mark.parametrize(
    ("leader", "heads"),
    [
        ("next", [(3, 0, "R"), (0, 1, "R"), (1, 2, "R")]),
        ("again", [(3, 0, "R"), (3, 0, "R"), (3, 0, "R")]),
    ],
)
def test_whoever_started_deals_next_or_with_the_switch_starts_again(
    leader: str, heads: list[tuple[int, int, str]]
) -> None:
    state = deal(SUITS_4, rounds=3, next_leader=leader)
    for number, (dealer, starter, opening) in enumerate(heads):
        if number:
            wrong = GAME.deal(state, Random(1).randrange)._replace(dealer=(dealer + 1) % 4)
            assert not GAME.is_legal(state, CHANCE, wrong)
            state = deal(SUITS_4, before=state)
        assert GAME.round_head(state) == (dealer, starter, opening)
        state = each_hides(state, "R0 Y0 G0 B0")
        assert GAME.actors(state) == (starter,)
        state = until(state, lambda s: GAME.actors(s) in ((), (CHANCE,)), "trump keep")
    assert GAME.outcome(state) is not None


def test_a_match_has_two_rounds_for_every_player_unless_agreed_otherwise() -> None:
    usual = {"jokers": False, "next_leader": "next", "rounds": 6}
    assert GAME.complete_options(3, {}) == usual
    assert GAME.complete_options(4, {"jokers": True}) == {**usual, "jokers": True, "rounds": 8}
    assert list(GAME.complete_options(4, {"rounds": 1, "jokers": True})) == list(usual)
    for seats in (2, 5):
        with pytest.raises(NotationError):
            GAME.complete_options(seats, {})


@pytest.mark.parametrize("jokers", [False, True])
@pytest.mark.parametrize("seats", [3, 4])
def test_every_wrong_deal_is_refused(seats: int, jokers: bool) -> None:
    before = GAME.initial(seats, GAME.complete_options(seats, {"jokers": jokers}))
    right = deal_json({}, seats, jokers, None)
    head = RoundHead(0, 1, "R")
    one, two, *more = right["hands"]
    order = [0, 1, 2, 3][:seats]
    wrong: list[dict[str, Any]] = [
        {**right, "hands": [two, two, *more]},
        {**right, "hands": [one, two]},
        {**right, "hands": [one[1:], two, *more], "aside": [one[0], *right["aside"]]},
        {**right, "hands": [one[1:], two, *more]},
        {**right, "reveal": order[:-1]},
        {**right, "reveal": [0, 0, *order[2:]]},
        {**right, "reveal": [*order[:-1], seats]},
        {**right, "aside": [*right["aside"], "J"]},
    ]
    for data in wrong:
        action = GAME.deal_from_json(before, data, head)
        assert not GAME.is_legal(before, CHANCE, action)
        with pytest.raises(RuleError) as caught:
            GAME.apply(before, CHANCE, action)
        assert caught.value.code == "bad_deal"
    malformed: list[dict[str, Any]] = [
        {**right, "reveal": None},
        {**right, "reveal": [True, *order[1:]]},
        {**right, "hands": [one[::-1], two, *more]},
        {**right, "hands": [["Z1", *one[1:]], two, *more]},
        {"hands": right["hands"], "aside": right["aside"]},
    ]
    for data in malformed:
        with pytest.raises(NotationError) as caught:
            GAME.deal_from_json(before, data, head)
        assert caught.value.code == "deal_malformed"
    for dealer in (None, -1, seats):
        with pytest.raises(NotationError) as caught:
            GAME.deal_from_json(before, right, RoundHead(dealer, 0, "R"))
        assert caught.value.code == "no_dealer"


def over(state: Any) -> bool:
    return GAME.round_scores(state) is not None


# --- The face-down card --------------------------------------------------------------------------


def test_all_hide_a_card_at_once_in_any_order_and_secretly() -> None:
    state = deal(SUITS_4)
    assert GAME.actors(state) == (0, 1, 2, 3)
    assert texts(state, 2) == {f"hide G{number}" for number in range(13)}
    questions = [GAME.question(state, seat) for seat in range(4)]
    later = run(state, "2 hide G7", "0 hide R3")
    assert GAME.actors(later) == (1, 3)
    assert [GAME.question(later, seat) for seat in (1, 3)] == [questions[1], questions[3]]
    other = run(state, "2 hide G1", "0 hide R8")
    for seat in (1, 3, None):
        assert GAME.observe(later, seat) == GAME.observe(other, seat)
        assert GAME.layout(GAME.observe(later, seat)) == GAME.layout(GAME.observe(other, seat))
    assert GAME.observe(later, 2) != GAME.observe(other, 2)
    assert refusal(later, "2 hide G8").code == "already_chosen"
    assert refusal(later, "1 play Y3").code == "hide_first"
    assert refusal(later, "1 hide G3").code == "not_in_hand"
    started = run(later, "3 hide B0", "1 hide Y0")
    assert GAME.actors(started) == (0,)
    assert refusal(started, "0 hide R4").code == "already_hidden"


def test_a_joker_is_never_hidden() -> None:
    state = deal({0: "J J R1"}, jokers=True)
    assert "hide J" not in texts(state, 0)
    assert refusal(state, "0 hide J").code == "joker_hidden"


def test_hidden_cards_are_out_of_play_and_twelve_tricks_remain() -> None:
    state = each_hides(deal(SUITS_4), "R12 Y12 G12 B12")
    assert [seat.cards_left for seat in seats_of(state)] == [12] * 4
    assert refusal(state, "0 play R12").code == "not_in_hand"
    assert sum(tricks(until(state, over))) == 12


@pytest.mark.parametrize(
    ("seats", "hidden", "total", "wanted"),
    [
        (4, "R12 Y11 G0 B0", 23, "minus"),
        (4, "R12 Y12 G0 B0", 24, "plus"),
        (3, "R9 Y4 B0", 13, "minus"),
        (3, "R9 Y5 B0", 14, "plus"),
    ],
)
def test_the_sum_decides_between_plus_and_minus(
    seats: int, hidden: str, total: int, wanted: str
) -> None:
    cards = hidden.split()
    state = each_hides(deal(dict(enumerate(cards)), seats), hidden)
    state = until(state, over)
    assert kind(state) == wanted
    assert (tally(state).total, tally(state).goal) == (total, 24 if seats == 4 else 14)


@pytest.mark.parametrize(
    ("seats", "reveal", "turns"),
    [(4, (2, 0, 3, 1), {2: "G3", 3: "R1", 4: "B4", 5: "Y2"}), (3, (1, 2, 0), {3: 2, 4: 3, 5: 1})],
)
def test_the_cards_are_turned_one_by_one(
    seats: int, reveal: tuple[int, ...], turns: dict[int, object]
) -> None:
    hidden = ["R1", "Y2", "G3", "B4"][:seats]
    state = each_hides(deal(dict(enumerate(hidden)), seats, reveal), " ".join(hidden))
    for trick in range(1, 8):
        state = until(state, after_tricks(trick))
        wanted = [int(str(turns[at])[-1]) for at in range(trick + 1) if at in turns]
        covered: list[int | None] = [None] * (seats - len(wanted))
        assert list(tally(state).terms) == [*wanted, *covered]
        assert tally(state).total == sum(wanted)


def test_nobody_learns_whose_a_turned_card_was() -> None:
    """Had seats 1 and 2 hidden each other's cards, and the order been the other way round."""
    hands = ({0: "R12", 1: "Y5", 2: "Y6"}, {0: "R12", 1: "Y6", 2: "Y5"})
    hidden = ("R12 Y5 Y6 B0", "R12 Y6 Y5 B0")
    reveals = ((1, 0, 2, 3), (2, 0, 1, 3))
    suits = {3: " ".join(f"B{n}" for n in range(13))}
    ends = []
    for at in (0, 1):
        rest = {1: " G0 G1 G2 G3 G4 G5", 2: " G6 G7 G8 G9 G10 G11"}
        cards = {seat: text + rest.get(seat, "") for seat, text in hands[at].items()} | suits
        state = each_hides(deal(cards, 4, reveals[at]), hidden[at])
        ends.append(until(state, after_tricks(6)))
    for seat in (0, 3, None):
        one, two = (GAME.observe(end, seat) for end in ends)
        assert one == two
        assert GAME.layout(one) == GAME.layout(two)
    for seat in (1, 2):
        assert GAME.observe(ends[0], seat) != GAME.observe(ends[1], seat)
    public = GAME.observe(ends[0], 3)
    assert GAME.public_action(public, 1, GAME.parse_action("hide Y5")) == "hide ?"
    assert GAME.public_action(public, 3, GAME.parse_action("hide B0")) == "hide B0"


# --- Tricks --------------------------------------------------------------------------------------


def start(hands: Mapping[int, str], seats: int = 4, *, jokers: bool = False) -> Any:
    """All have hidden a card, if possible one that is not named here."""
    state = deal(hands, seats, jokers=jokers)
    for seat in range(seats):
        wanted = hands.get(seat, "").split()
        legal = sorted(texts(state, seat))
        spare = [text for text in legal if text.split()[1] not in wanted]
        state = run(state, f"{seat} {(spare or legal)[-1]}")
    return state


def test_who_can_must_follow_and_else_may_play_anything() -> None:
    state = start({0: "Y7", 1: "Y2 R1 G5", 2: SUITS_4[3]})
    state = run(state, "0 play Y7")
    assert {text[5] for text in texts(state)} == {"Y"}
    refused = refusal(state, "1 play R1")
    assert refused.code == "must_follow_suit"
    assert refused.params["suit"] == "Y"
    assert "Y2" in str(refused.params["cards"])
    assert refusal(state, "2 play B0").code == "not_your_turn"
    state = run(state, "1 play Y2")
    assert len(texts(state)) == 12, "seat 2 holds blue cards only and may play any"


def winner(state: Any, *script: str) -> int:
    state = run(state, *script)
    (seat,) = GAME.actors(state)
    assert tricks(state)[seat] == 1
    return seat


def test_the_highest_trump_wins_else_the_highest_of_the_colour_led() -> None:
    hands = {0: "Y7 R3", 1: "Y2 Y12 R4", 2: "R0 R1 " + " ".join(f"B{n}" for n in range(10))}
    hands[3] = "G12 " + " ".join(f"G{n}" for n in range(11))
    state = start(hands)
    assert winner(state, "0 play Y7", "1 play Y2", "2 play R0", "3 play G12") == 2
    assert winner(state, "0 play Y7", "1 play Y2", "2 play B9", "3 play G12") == 0
    assert winner(state, "0 play Y7", "1 play Y12", "2 play B9", "3 play G12") == 1
    assert winner(state, "0 play R3", "1 play R4", "2 play R0", "3 play G12") == 1


def test_a_0_can_win() -> None:
    state = each_hides(deal(SUITS_4), "R12 Y12 G12 B12")
    assert winner(state, "0 play R0", "1 play Y11", "2 play G11", "3 play B11") == 0


def test_trump_led_is_followed_like_any_colour() -> None:
    state = start({0: "R5", 1: "R7 Y1", 2: SUITS_4[3]})
    state = run(state, "0 play R5")
    assert {text[5] for text in texts(state)} == {"R"}
    assert refusal(state, "1 play Y1").code == "must_follow_suit"


# --- Trump change --------------------------------------------------------------------------------


def test_after_trick_8_whoever_is_last_alone_may_change_the_trump() -> None:
    state = each_hides(deal(SUITS_4), "R0 Y0 G0 B0")  # Minus; seat 0 takes all tricks
    state = until(state, lambda s: "trump keep" in texts(s))
    assert GAME.actors(state) == (0,)
    assert tricks(state) == [8, 0, 0, 0]
    assert [seat.cards_left for seat in seats_of(state)] == [4] * 4
    assert texts(state) == {"trump Y", "trump G", "trump B", "trump keep"}
    assert refusal(state, "0 trump R").code == "same_trump"
    assert refusal(state, "0 play R1").code == "trump_first"
    assert refusal(state, "1 trump Y").code == "not_your_turn"
    changed = run(state, "0 trump Y")
    assert (trump(changed), GAME.actors(changed)) == ("Y", (0,))
    led = next(iter(texts(changed)))
    yellow = run(changed, f"0 {led}")
    yellow = run(yellow, f"1 {lowest(yellow, 1)}")
    yellow = run(yellow, f"2 {lowest(yellow, 2)}")
    yellow = run(yellow, f"3 {lowest(yellow, 3)}")
    assert tricks(yellow) == [8, 1, 0, 0], "yellow is trump at once"
    kept = run(state, "0 trump keep")
    assert (trump(kept), GAME.actors(kept)) == ("R", (0,))
    assert refusal(kept, "0 trump Y").code == "no_trump_offer"


def test_tied_for_last_nobody_may() -> None:
    state = each_hides(deal(SUITS_4), "R12 Y12 G12 B12")  # Plus; seats 1 to 3 have no trick
    state = until(state, after_tricks(8))
    assert GAME.actors(state) == (0,)
    assert all(text.startswith("play") for text in texts(state))


# --- Scoring -------------------------------------------------------------------------------------


def ended_rounds(seats: int) -> Iterator[tuple[list[int], str, tuple[int, ...]]]:
    """Tricks taken, kind and points of random rounds."""
    options = GAME.complete_options(seats, {"rounds": 1})
    for seed in range(3000):
        rng = Random(seed)
        state = GAME.initial(seats, options)
        state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
        while actors := GAME.actors(state):
            state = GAME.apply(state, actors[0], rng.choice(GAME.legal_actions(state, actors[0])))
        points = GAME.round_scores(state)
        assert points is not None
        yield tricks(state), kind(state), points


@pytest.mark.parametrize(
    ("wanted", "counts", "points"),
    [
        ("plus", (6, 4, 1, 1), (4, 3, 0, 0)),
        ("minus", (2, 2, 3, 5), (4, 4, 2, 0)),
        ("minus", (3, 3, 3, 3), (0, 0, 0, 0)),
        ("plus", (4, 4, 2, 2), (4, 4, 0, 0)),
        ("plus", (5, 4, 2, 1), (4, 3, 2, 0)),
        ("plus", (6, 3, 3), (3, 0, 0)),
        ("minus", (3, 3, 6), (3, 3, 0)),
    ],
)
def test_places_and_points(wanted: str, counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    for taken, found, scored in ended_rounds(len(counts)):
        if found == wanted and sorted(taken) == sorted(counts):
            assert sorted(zip(taken, scored, strict=True)) == sorted(
                zip(counts, points, strict=True)
            )
            return
    raise AssertionError("no random round ended so")


def test_the_highest_total_wins_and_equal_totals_share_the_place() -> None:
    shared = 0
    for seed in range(60):
        rng = Random(seed)
        state = GAME.initial(4, GAME.complete_options(4, {"rounds": 2}))
        total = [0] * 4
        while actors := GAME.actors(state):
            seat = actors[0]
            if seat == CHANCE:
                action = GAME.deal(state, rng.randrange)
            else:
                action = rng.choice(GAME.legal_actions(state, seat))
            state = GAME.apply(state, seat, action)
            points = GAME.round_scores(state)
            if points is not None:
                total = [a + b for a, b in zip(total, points, strict=True)]
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert list(outcome.scores) == total
        best = max(total)
        first = [seat for seat in range(4) if outcome.ranking[seat] == 1]
        assert first == [seat for seat in range(4) if total[seat] == best]
        shared += len(first) > 1
    assert shared


# --- Jokers --------------------------------------------------------------------------------------

JOKER_EACH: Final = {seat: cards + " J" for seat, cards in SUITS_4.items()}


def test_a_joker_may_be_played_even_when_able_to_follow_and_never_wins() -> None:
    state = start({0: "Y7 J", 1: "Y2 Y9 J"}, jokers=True)
    state = run(state, "0 play Y7")
    assert "play J" in texts(state)
    assert {text[5] for text in texts(state)} == {"Y", "J"}
    state = run(state, "1 play J")
    assert "play J" not in texts(state)


def test_a_second_joker_in_a_trick_is_refused() -> None:
    state = each_hides(deal(JOKER_EACH, jokers=True), "R0 Y0 G0 B0")
    state = run(state, "0 play J")
    assert texts(state) == {f"play Y{number}" for number in range(1, 13)}
    assert refusal(state, "1 play J").code == "second_joker"
    state = run(state, "1 play Y4", "2 play G12", "3 play B12")
    assert tricks(state) == [0, 1, 0, 0], "the first colour after a led joker is the one led"
    assert GAME.actors(state) == (0,), "who played it, winner or not, has the right"
    state = run(state, "0 trump G")
    assert (trump(state), GAME.actors(state)) == ("G", (1,)), "the winner leads"
    assert refusal(state, "0 play R1").code == "not_your_turn"
    assert refusal(state, "1 trump Y").code == "no_trump_offer"


def test_whoever_is_told_to_follow_is_told_of_a_joker_that_may_be_played() -> None:
    state = run(start({0: "R3", 1: "R1 Y5 J", 2: "R2 Y6 J"}, jokers=True), "0 play R3")
    refused = refusal(state, "1 play Y5")
    assert refused.code == "must_follow_suit"
    cards = refused.params["cards"]
    assert isinstance(cards, tuple)
    assert {"R1", "J"} <= set(cards)
    cards = refusal(run(state, "1 play J"), "2 play Y6").params["cards"]
    assert isinstance(cards, tuple)
    assert "J" not in cards, "no second joker"


def test_after_a_led_joker_the_colour_of_the_next_seat_is_followed() -> None:
    state = start({0: "J", 1: "Y4 G1", 2: "Y1 B3"}, jokers=True)
    state = run(state, "0 play J")
    assert {"play Y4", "play G1"} <= texts(state), "any colour"
    state = run(state, "1 play Y4")
    assert {text[5] for text in texts(state)} - {"J"} == {"Y"}
    assert refusal(state, "2 play B3").code == "must_follow_suit"


def test_a_last_trick_of_jokers_is_nobodys_and_gives_two_rights_in_order_of_play() -> None:
    state = each_hides(deal(JOKER_EACH, jokers=True), "R0 Y0 G0 B0")
    state = until(state, after_tricks(12))
    assert tricks(state) == [12, 0, 0, 0]
    assert texts(state) == {"play J"}
    state = run(state, "0 play J")
    assert texts(state) == {"play J"}, "in the last trick it is all that is left"
    state = run(state, "1 play J", "2 play J", "3 play J")
    assert GAME.round_scores(state) is None, "the rights come before the scoring"
    assert GAME.actors(state) == (0,)
    state = run(state, "0 trump Y")
    assert GAME.actors(state) == (1,)
    assert texts(state) == {"trump R", "trump G", "trump B", "trump keep"}, "other than now"
    assert refusal(state, "1 trump Y").code == "same_trump"
    state = run(state, "1 trump B")
    assert over(state), "the 3rd and the 4th joker give no right"
    assert tricks(state) == [12, 0, 0, 0]
    assert GAME.outcome(state) is not None, "offered after the last trick of a match, too"


def test_only_the_first_two_jokers_of_the_round_give_a_right_and_a_declined_one_lapses() -> None:
    state = each_hides(deal(JOKER_EACH, jokers=True), "R0 Y0 G0 B0")
    asked = []
    for joker in range(4):
        cards = [f"play {'RYGB'[seat]}{joker + 1}" for seat in range(4)]
        for _ in range(4):
            seat = GAME.actors(state)[0]
            state = run(state, f"{seat} {'play J' if seat == joker else cards[seat]}")
        if texts(state) & {"trump keep"}:
            asked.append(GAME.actors(state))
            state = run(state, f"{GAME.actors(state)[0]} trump keep")
            assert all(text.startswith("play") for text in texts(state))
    assert asked == [(0,), (1,)]
    state = until(state, over)
    assert trump(state) == "R"


def test_the_trump_change_comes_before_the_turned_card() -> None:
    state = each_hides(deal(JOKER_EACH, jokers=True), "R1 Y2 G3 B4")
    state = until(state, after_tricks(1))
    state = until(run(state, "0 play J"), lambda s: "trump keep" in texts(s))
    assert tally(state).terms == (None, None, None, None)
    state = run(state, "0 trump B")
    assert tally(state).terms == (1, None, None, None)


# --- Notation ------------------------------------------------------------------------------------


def test_a_card_alone_is_hidden_or_played_as_the_situation_asks() -> None:
    state = deal(SUITS_4)
    assert GAME.format_action(GAME.parse_action("r5", GAME.observe(state, 0))) == "hide R5"
    state = each_hides(state, "R12 Y12 G12 B12")
    assert GAME.format_action(GAME.parse_action("r5", GAME.observe(state, 0))) == "play R5"
    assert GAME.format_action(GAME.parse_action("J", GAME.observe(state, 0))) == "play J"


def test_one_card_is_composed_to_what_is_asked() -> None:
    state = deal(SUITS_4)
    none: frozenset[str] = frozenset()
    assert GAME.format_action(GAME.compose(GAME.observe(state, 0), ["R3"], none)) == "hide R3"
    state = each_hides(state, "R0 Y0 G0 B0")
    view = GAME.observe(state, 0)
    assert GAME.format_action(GAME.compose(view, ["R3"], none)) == "play R3"
    for cards, code in (([], "no_cards"), (["R1", "R2"], "one_card"), (["Z1"], "unknown_card")):
        with pytest.raises(NotationError) as caught:
            GAME.compose(view, cards, none)
        assert caught.value.code == code
    offered = until(state, lambda s: "trump keep" in texts(s))
    with pytest.raises(RuleError) as refused:
        GAME.compose(GAME.observe(offered, 0), ["R3"], none)
    assert refused.value.code == "trump_first"


def test_the_clock_keeps_the_trump_and_plays_the_lowest_card_jokers_last() -> None:
    hand = {0: "R3 Y2 G2 J " + " ".join(f"B{number}" for number in range(3, 13))}
    state = deal(hand, jokers=True)
    assert lowest(state, 0) == "hide Y2"
    state = each_hides(state, "Y2 " + " ".join(sorted(texts(state, s))[-1][5:] for s in (1, 2, 3)))
    assert lowest(state, 0) == "play G2"


def test_after_the_match_nothing_is_taken() -> None:
    state = until(each_hides(deal(SUITS_4), "R0 Y0 G0 B0"), over)
    assert GAME.actors(state) == ()
    assert refusal(state, "0 play R1").code == "match_over"
