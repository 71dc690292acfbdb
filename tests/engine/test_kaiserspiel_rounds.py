"""Whole rounds of Kaiserspiel against a model: one round as a generator that reads like the rules.

It yields who is asked what, is sent what was answered, and ends with who scores what.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import combinations
from math import inf
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from engine.game import CHANCE, RoundHead, RuleError
from tests.engine.kaiserspiel_script import BANNERS, GAME, PACK, RANKS, act, legal, start
from tests.engine.test_kaiserspiel_oracle import Laid, winner

Texts: TypeAlias = frozenset[str]
Asked: TypeAlias = Mapping[int, Texts]
Asking: TypeAlias = Generator[Asked, tuple[int, str], str]
Steps: TypeAlias = Generator[Asked, tuple[int, str], None]


class RoundOver(Exception):
    """A team has won, or (None) nobody."""

    def __init__(self, team: int | None, value: int) -> None:
        super().__init__()
        self.scores = tuple(value if seat % 2 == team else 0 for seat in range(4))


class Round:
    """One round, from the pack, the dealer and the value that no offer may go beyond."""

    def __init__(self, pack: Sequence[str], dealer: int, most: float) -> None:
        self.most = most
        self.order = [(dealer + turn) % 4 for turn in (1, 2, 3, 4)]
        self.opened = dict(zip(self.order, pack, strict=False))
        self.hands = {seat: [card] for seat, card in self.opened.items()}
        self.coming = [pack[4 + 2 * at : 6 + 2 * at] for at in range(12)]
        self.value = 4
        self.kaisers: set[str] = set()
        self.called: int | None = None
        plain = [card for card in pack[:4] if card not in BANNERS]
        lowest = max([RANKS.index(card[1]) for card in plain], default=None)
        self.special = next((c[0] for c in plain if RANKS.index(c[1]) == lowest), None)
        self.scores: tuple[int, ...] | None = None
        self.running = self.steps()
        self.asked = next(self.running)

    def answer(self, seat: int, text: str) -> None:
        """Go on to the next questions, or to the scores."""
        try:
            self.asked = self.running.send((seat, text))
        except RoundOver as over:
            self.asked, self.scores = {}, over.scores

    def steps(self) -> Steps:
        eldest, second, third, dealer = self.order
        yield from self.pause((eldest, second), opened=True)
        yield from self.pause((third, dealer), opened=True)
        if self.special is None:
            raise RoundOver(None, 0)
        self.serve(eldest, second)
        yield from self.pause((eldest, second), opened=False)
        self.serve(third, dealer)
        yield from self.pause((third, dealer), opened=False)
        self.serve(*self.order, *self.order)
        yield from self.discards()
        for seat in self.order:
            yield from self.declarations(seat)
        yield from self.tricks(eldest)

    def serve(self, *seats: int) -> None:
        for seat in seats:
            self.hands[seat] += self.coming.pop(0)

    def ask(self, seat: int, *texts: str) -> Asking:
        by, text = yield {seat: frozenset(texts)}
        assert by == seat
        return text

    # Raising.

    def pause(self, served: tuple[int, ...], *, opened: bool) -> Steps:
        for seat in served:
            if not opened:
                yield from self.declarations(seat)
            elif self.opened[seat] in BANNERS:
                card = self.opened[seat]
                if (yield from self.ask(seat, "pass", f"kaiser {card}")) != "pass":
                    yield from self.kaiser(seat, card)
        captains = [self.order[0] % 2, 1 - self.order[0] % 2]
        while captains:
            captain = captains.pop(0)
            if captain == self.called or not self.may_offer(3):
                continue
            if (yield from self.ask(captain, "pass", "threeup")) == "threeup":
                self.called = captain
                yield from self.offer(captain, 3)
                captains = [1 - captain]

    def declarations(self, seat: int) -> Steps:
        """Of Banners that did not lie open."""
        while True:
            hidden = set(self.hands[seat]) - {self.opened[seat]} - self.kaisers
            texts = [f"kaiser {card}" for card in hidden if card in BANNERS]
            text = yield from self.ask(seat, "pass", *texts)
            if text == "pass":
                return
            yield from self.kaiser(seat, text.split()[1])

    def kaiser(self, seat: int, card: str) -> Steps:
        self.kaisers.add(card)
        captain = seat % 2
        raises = [f"raise {points}" for points in (1, 3) if self.may_offer(points)]
        if not raises:
            return
        if (yield from self.ask(captain, *raises)) == "raise 3":
            yield from self.offer(captain, 3)
        else:
            yield from self.offer(captain, 1)
            if self.may_offer(2) and (yield from self.ask(captain, "lift", "stay")) == "lift":
                yield from self.offer(captain, 2)

    def may_offer(self, points: int) -> bool:
        return self.value + points <= self.most

    def offer(self, captain: int, points: int) -> Steps:
        if (yield from self.ask(1 - captain, "accept", "resign")) == "resign":
            raise RoundOver(captain, self.value)
        self.value += points

    # Discards and tricks.

    def discards(self) -> Steps:
        waiting = {}
        for seat in range(4):
            free = sorted(set(self.hands[seat]) - self.kaisers, key=PACK.index)
            waiting[seat] = frozenset(f"discard {a} {b}" for a, b in combinations(free, 2))
        while waiting:
            seat, text = yield dict(waiting)
            del waiting[seat]
            for card in text.split()[1:]:
                self.hands[seat].remove(card)

    def tricks(self, leader: int) -> Steps:
        won = [0, 0]
        while True:
            trick: list[Laid] = []
            for seat in [(leader + turn) % 4 for turn in range(4)]:
                up = [f"play {card}" for card in self.hands[seat]]
                down = [f"{text} down" for text in up] if trick else []
                words = (yield from self.ask(seat, *up, *down)).split()
                self.hands[seat].remove(words[1])
                trick.append(Laid(words[1], len(words) == 2))
            leader = (leader + winner(trick, self.special or "", frozenset(self.kaisers))) % 4
            won[leader % 2] += 1
            if won[leader % 2] == 3:
                raise RoundOver(leader % 2, self.value)


def deal_of(random: Random) -> list[str]:
    """A pack, often with more Banners among the cards that are dealt than chance would give."""
    if random.random() < 0.1:  # four open Banners
        return [*random.sample(BANNERS, 4), *random.sample(sorted(set(PACK) - set(BANNERS)), 36)]
    while True:
        pack = random.sample(PACK, 40)
        for banner in random.sample(BANNERS, random.randrange(5)):
            at, to = pack.index(banner), random.randrange(random.choice((4, 12, 28)))
            pack[at], pack[to] = pack[to], pack[at]
        if pack[39] not in BANNERS:
            return pack


def answer_of(random: Random, texts: Texts) -> str:
    """One of them; who resigns at every second offer sees no trick."""
    found = sorted(texts - {"resign"} if random.random() < 0.9 else texts)
    return random.choice(found)


WORDS: Final = (
    "pass", "threeup", "raise 1", "raise 3", "accept", "resign", "lift", "stay",
    *(f"kaiser {banner}" for banner in BANNERS),
)  # fmt: skip


def refused(random: Random, state: Any, asked: Asked) -> None:
    """Some other actions of somebody, who is asked or not."""
    seat = random.randrange(-1, 4)
    one, other = sorted(random.sample(range(40), 2))
    own = random.choice(sorted(asked.get(seat, WORDS))).split()[-1]
    for text in (
        random.choice(WORDS),
        f"play {PACK[one]}",
        f"play {PACK[one]} down",
        f"play {own}" if own in PACK else "pass",
        f"discard {PACK[one]} {PACK[other]}",
    ):
        if text not in asked.get(seat, ()):
            action = GAME.parse_action(text)
            assert not GAME.is_legal(state, seat, action)
            with pytest.raises(RuleError):
                GAME.apply(state, seat, action)


@pytest.mark.parametrize("seed", range(10))
def test_the_game_asks_allows_refuses_and_scores_what_the_model_does(seed: int) -> None:
    assert len(compared(seed, 1000, limit=False)) == 3


@pytest.mark.parametrize("seed", range(20))
def test_with_the_limit_it_does_too(seed: int) -> None:
    compared(seed, 4 + 3 * seed % 17, limit=True)


def compared(seed: int, target: int, *, limit: bool) -> set[tuple[bool, bool]]:
    """How rounds ended (scoring or void, by a play or a word) that went as in the model."""
    random = Random(f"kaiserspiel/{seed}")
    state, dealer = start(target, limit=limit), random.randrange(4)
    ends: set[tuple[bool, bool]] = set()
    for _ in range(30):
        pack = deal_of(random)
        head = RoundHead(dealer, (dealer + 1) % 4, None)
        state = GAME.apply(state, CHANCE, GAME.deal_from_json(state, {"pack": pack}, head))
        assert GAME.round_head(state) == head
        needed = target - min(GAME.scores(state))
        model, text = Round(pack, dealer, max(needed, 4) if limit else inf), ""
        while model.scores is None:
            assert GAME.round_scores(state) is None
            assert GAME.actors(state) == tuple(sorted(model.asked))
            for seat in range(4):
                assert legal(state, seat) == model.asked.get(seat, frozenset())
            refused(random, state, model.asked)
            seat = random.choice(sorted(model.asked))
            text = answer_of(random, model.asked[seat])
            state = act(state, seat, text)
            model.answer(seat, text)
        assert GAME.round_scores(state) == model.scores
        if GAME.outcome(state) is not None:
            break
        ends.add((any(model.scores), text.startswith("play")))
        if any(model.scores):
            dealer = (dealer + 1) % 4
    return ends  # played out, resigned, void
