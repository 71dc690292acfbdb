"""A slow oracle for Auf falscher Fährte: whole matches judged by the rules written out once more.

It shares nothing with the module but the interface: cards are texts here, and it keeps its own
account of hands, tricks, offers, turned cards, trump and points.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from engine.game import CHANCE, AnyGame, Options, RuleError
from engine.layout import SeatRow, Tally
from engine.registry import games

GAME: Final[AnyGame] = games()["auffalscherfaehrte"]
COLOURS: Final = "RYGB"


class Oracle:
    """The rules, in words and lists."""

    def __init__(self, seats: int, jokers: bool, rounds: int, again: bool) -> None:
        self.seats, self.jokers, self.rounds, self.again = seats, jokers, rounds, again
        self.trump = "R"
        self.scores = [0] * seats
        self.round = 0
        self.dealer: int | None = None
        self.waiting: list[int] = [CHANCE]
        self.seen: Counter[str] = Counter()
        """What happened at all, so that a test can insist that it did."""

    # What may be done.

    def legal(self, seat: int) -> set[str]:
        hand = self.hands[seat]
        if len(self.hidden) < self.seats:
            return {f"hide {card}" for card in hand if card != "J"}
        if self.offers:
            others = [colour for colour in COLOURS if colour != self.trump]
            return {f"trump {word}" for word in (*others, "keep")}
        led = self.led()
        colours = [card for card in hand if card != "J"]
        found = [card for card in colours if led and card[0] == led] or colours
        laid = [card for _, card in self.trick]
        if "J" in hand and ("J" not in laid or not colours):
            found = [*found, "J"]
        return {f"play {card}" for card in found}

    def led(self) -> str | None:
        return next((card[0] for _, card in self.trick if card != "J"), None)

    # What is done.

    def deal(self, data: Any, dealer: int) -> None:
        if self.dealer is None:
            self.dealer = dealer
        elif not self.again:
            self.dealer = (self.dealer + 1) % self.seats
        self.start = (self.dealer + 1) % self.seats
        self.round += 1
        self.hands = [list(cards) for cards in data["hands"]]
        self.reveal = list(data["reveal"])
        self.hidden: dict[int, str] = {}
        self.trick: list[tuple[int, str]] = []
        self.tricks = 0
        self.taken = [0] * self.seats
        self.turned: list[str] = []
        self.played_jokers = 0
        self.offers: list[int] = []
        self.opening = self.trump
        self.waiting = list(range(self.seats))

    def act(self, seat: int, text: str) -> None:
        verb, word = text.split(" ")
        if verb == "hide":
            self.hands[seat].remove(word)
            self.hidden[seat] = word
            self.waiting.remove(seat)
            if not self.waiting:
                self.waiting = [self.start]
        elif verb == "play":
            self.hands[seat].remove(word)
            self.trick.append((seat, word))
            if len(self.trick) == self.seats:
                self.end_of_trick()
            else:
                self.waiting = [(seat + 1) % self.seats]
        else:
            self.seen["kept" if word == "keep" else "changed"] += 1
            self.trump = self.trump if word == "keep" else word
            self.offers.pop(0)
            self.go_on()

    def end_of_trick(self) -> None:
        self.tricks += 1
        winner = self.winner()
        if winner is None:
            self.seen["nobody"] += 1
            assert self.tricks == 13
        else:
            self.taken[winner] += 1
            self.leader = winner
        if self.jokers:
            for seat, card in self.trick:
                if card == "J":
                    self.played_jokers += 1
                    if self.played_jokers <= 2:
                        self.offers.append(seat)
            self.seen[f"offers {len(self.offers)}"] += 1
        elif self.tricks == 8:
            worst = min(self.taken) if self.plus() else max(self.taken)
            last = [seat for seat in range(self.seats) if self.taken[seat] == worst]
            self.offers = last if len(last) == 1 else []
            kind = "plus" if self.plus() else "minus"
            self.seen[f"{kind}, last alone {len(last) == 1}"] += 1
        self.trick = []
        self.go_on()

    def winner(self) -> int | None:
        def number(laid: tuple[int, str]) -> int:
            return int(laid[1][1:])

        led = self.led()
        trumps = [laid for laid in self.trick if laid[1][0] == self.trump]
        followed = [laid for laid in self.trick if laid[1][0] == led]
        if trumps or followed:
            return max(trumps or followed, key=number)[0]
        return None

    def plus(self) -> bool:
        return sum(int(card[1:]) for card in self.hidden.values()) >= {3: 14, 4: 24}[self.seats]

    def go_on(self) -> None:
        if self.offers:
            self.waiting = [self.offers[0]]
            return
        after = {3: (3, 4, 5), 4: (2, 3, 4, 5)}[self.seats]
        if self.tricks in after and len(self.turned) == after.index(self.tricks):
            self.turned.append(self.hidden[self.reveal[len(self.turned)]])
        self.waiting = [self.leader]
        if not any(self.hands):
            points = self.points()
            self.scores = [a + b for a, b in zip(self.scores, points, strict=True)]
            self.waiting = [] if self.round == self.rounds else [CHANCE]

    def points(self) -> list[int]:
        ranked = [count if self.plus() else -count for count in self.taken]
        scale = {3: (3, 2, 0), 4: (4, 3, 2, 0)}[self.seats]
        points = []
        for count in ranked:
            place = 1 + sum(other > count for other in ranked)
            points.append(0 if count == min(ranked) else scale[place - 1])
        return points


def check(oracle: Oracle, state: Any) -> None:
    """The engine's account of a state is the oracle's."""
    assert list(GAME.actors(state)) == oracle.waiting
    assert list(GAME.scores(state)) == oracle.scores
    if not oracle.round:
        return
    head = GAME.round_head(state)
    assert head == (oracle.dealer, oracle.start, oracle.opening)
    for seat in range(oracle.seats):
        legal = [GAME.format_action(each) for each in GAME.legal_actions(state, seat)]
        wanted = oracle.legal(seat) if seat in oracle.waiting else set()
        assert sorted(legal) == sorted(wanted), (seat, oracle.hands[seat], oracle.trick)
    layout = GAME.layout(GAME.observe(state, None))
    (row,) = (block for block in layout.blocks if isinstance(block, SeatRow))
    assert [seat.cards_left for seat in row.seats] == [len(hand) for hand in oracle.hands]
    for block in layout.blocks:
        if isinstance(block, Tally):
            shown = [int(card[1:]) for card in oracle.turned]
            assert [term for term in block.terms if term is not None] == shown
            tricks = [seat.facts[0].params["count"] for seat in row.seats]
            assert tricks == oracle.taken


def play(seats: int, jokers: bool, seed: int, rounds: int = 3, leader: str = "next") -> Oracle:
    """A random match, compared at every ply; illegal cards are tried as well."""
    rng = Random(seed)
    given: Options = {"jokers": jokers, "next_leader": leader, "rounds": rounds}
    options = GAME.complete_options(seats, given)
    state, oracle = GAME.initial(seats, options), Oracle(seats, jokers, rounds, leader == "again")
    pack = sorted(set(GAME.pack(seats, options)))
    check(oracle, state)
    while actors := GAME.actors(state):
        seat = rng.choice(actors)
        if seat == CHANCE:
            action = GAME.deal(state, rng.randrange)
            state = GAME.apply(state, CHANCE, action)
            head = GAME.round_head(state)
            assert head.dealer is not None
            oracle.deal(GAME.deal_to_json(action), head.dealer)
        else:
            legal = oracle.legal(seat)
            words = [f"{verb} {rng.choice(pack)}" for verb in ("play", "hide") for _ in range(4)]
            for text in (*words, f"play {rng.choice(oracle.hands[seat] or pack)}", "trump G"):
                judge(state, seat, text, text in legal)
            # Now and then a joker is held back, so that hands of nothing else come about.
            text = rng.choice(sorted(legal))
            if text == "play J" and len(legal) > 1 and rng.random() < 0.93:
                text = rng.choice(sorted(legal - {text}))
            state = GAME.apply(state, seat, GAME.parse_action(text))
            oracle.act(seat, text)
        check(oracle, state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert list(outcome.scores) == oracle.scores
    return oracle


def judge(state: Any, seat: int, text: str, legal: bool) -> None:
    action = GAME.parse_action(text)
    assert GAME.is_legal(state, seat, action) == legal, text
    if legal:
        GAME.apply(state, seat, action)
    else:
        with pytest.raises(RuleError):
            GAME.apply(state, seat, action)


@pytest.mark.parametrize("seats", [3, 4])
def test_whole_matches_agree_with_the_oracle(seats: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        seen += play(seats, False, seed).seen
    assert {each for each in seen if "last alone" in each} == {
        f"{kind}, last alone {alone}" for kind in ("plus", "minus") for alone in (True, False)
    }
    assert min(seen["kept"], seen["changed"]) > 0


@pytest.mark.parametrize("seats", [3, 4])
def test_whole_matches_with_jokers_agree_with_the_oracle(seats: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        seen += play(seats, True, seed).seen
    assert {"offers 0", "offers 1", "offers 2", "kept", "changed"} <= set(seen)


@pytest.mark.parametrize("seats", [3, 4])
def test_whole_matches_whose_starter_starts_again_agree_with_the_oracle(seats: int) -> None:
    for seed in range(6):
        assert play(seats, seed % 2 == 0, seed, leader="again").round == 3
