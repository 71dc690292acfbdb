"""What is claimed at a position: what is asked, tips, answers to *Why dimmed?*, reasons.

A claim is a code.  What each code means is a predicate over positions (`meanings_<game>`), written
from the rules and from the sentence in the catalogue, never from the code that makes the claim.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from engine.game import CHANCE, AnyGame, Options, OptionValue, Seat
from engine.layout import Cards, Line, Phrase
from engine.players.player import Budget
from engine.players.roster import player
from engine.registry import games
from tests.conformance.laws_of_tricks import finished
from tests.conformance.matches import Match, Ply, play

POSITIONS: Final = 24
"""So many of a match are looked at; every trick, series and round is."""

SPOKEN_FOR: Final = 5
"""Of so many actions at a position the reasons are looked at."""


class Done(NamedTuple):
    """What somebody did."""

    seat: Seat
    text: str


@dataclass(frozen=True)
class Claim:
    """Something that is said, and all that there is to hold it against."""

    game: AnyGame
    seats: int
    phrase: Phrase
    state: Any
    """Where it is said (what a trick was won by: before its last card); everybody's cards are in
    it."""
    after: Any
    """Where what it speaks for, or the last card, leads to at once."""
    before: tuple[Done, ...]
    """What was done in this round until then."""
    later: tuple[Done, ...]
    """What is done after it in this round: in the match, or, after what it speaks for, by people
    who play anything legal, until a trick is complete."""
    seat: Seat = -1
    """Who is told, or who has scored; -1: everybody is told."""
    cards: tuple[str, ...] = ()
    """Those that cannot be played."""
    action: str = ""
    """What it speaks for."""
    points: int = 0
    """What it explains."""

    def param(self, name: str) -> Any:
        return self.phrase.params[name]

    @property
    def count(self) -> int:
        return int(self.param("count"))

    def named(self, name: str = "cards") -> list[str]:
        """Cards that the phrase names."""
        found = self.param(name)
        assert isinstance(found, Cards)
        return list(found.codes)

    def at(self, place: str, state: Any = None) -> list[str]:
        """The cards at a place."""
        located = self.game.cards(self.state if state is None else state)
        return [card.card for card in located if card.place == place]

    @cached_property
    def hand(self) -> list[str]:
        """The cards of whoever is told."""
        return self.at(f"hand {self.seat}")

    @cached_property
    def others(self) -> list[str]:
        """The cards in all other hands."""
        hands = (self.at(f"hand {seat}") for seat in range(self.seats) if seat != self.seat)
        return [card for hand in hands for card in hand]

    @cached_property
    def legal(self) -> list[str]:
        """All that whoever is told may do."""
        return list(map(self.game.format_action, self.game.legal_actions(self.state, self.seat)))

    @property
    def asked(self) -> bool:
        """Whether they are to act."""
        return self.seat in self.game.actors(self.state)

    def once(self, *texts: str) -> Any:
        """The state once they, and then whoever is asked each time, have done that."""
        state = self.state
        for number, text in enumerate(texts):
            who = self.game.actors(state)[0] if number else self.seat
            state = self.game.apply(state, who, self.game.parse_action(text))
        return state

    @cached_property
    def trick(self) -> list[Done]:
        """The trick that is being played, as it lies there."""
        return _tricks(self.before, self.seats)[-1]

    @cached_property
    def whole_trick(self) -> list[Done]:
        """The same once it is complete; [] if it never was."""
        now = [Done(self.seat, self.action)] if self.action else []
        at = len(_tricks(self.before, self.seats)) - 1
        tricks = _tricks((*self.before, *now, *self.later), self.seats)
        return tricks[at] if len(tricks[at]) == self.seats else []


LINES: Final = (
    *(
        "changes_",
        "goal_minus",
        "goal_plus",
        "new_trump",
        "one_left_",
        "own_adds",
        "own_minus",
        "own_no_trump",
        "own_plus",
        "own_seven",
        "own_trumps",
        "turned",
    ),
    "you_",
)
"""Beginnings of codes of lines, words and goals that are claims as well."""

Meaning: TypeAlias = Callable[[Claim], bool]
"""Whether what is said holds."""


def _tricks(done: Sequence[Done], seats: int) -> list[list[Done]]:
    """The cards that were played, by tricks; the last one is being played, and perhaps empty."""
    tricks: list[list[Done]] = [[]]
    for one in done:
        if one.text.startswith("play "):
            tricks[-1].append(Done(one.seat, one.text.removeprefix("play ")))
            if len(tricks[-1]) == seats:
                tricks.append([])
    return tricks


# Where claims are made


def greedy_match(game: AnyGame, seats: int, given: Options, seed: int) -> Match:
    """A match of those who play by rules of thumb."""
    return _greedy(game.info.id, seats, tuple(given.items()), seed)


@functools.lru_cache(maxsize=64)
def _greedy(game: str, seats: int, given: tuple[tuple[str, OptionValue], ...], seed: int) -> Match:
    known, greedy = games()[game], player("greedy", games()[game])

    def way(view: Any, rng: Random) -> Any:
        return greedy.decide(view, Budget(), rng).action

    return play(known, seats, dict(given), seed, way)


def claims(game: AnyGame, match: Match, rng: Random) -> Iterator[Claim]:
    """What is claimed in a match: of the reasons of actions some, at some of the positions."""
    before: list[Done] = []
    looked_at = set(match.some(rng, POSITIONS))
    for at, ply in enumerate(match.plies):
        done = Done(ply.seat, game.format_action(ply.action)) if ply.seat != CHANCE else None
        ended = tuple(_of_the_ended(game, match, ply, tuple(before), done))
        before = [] if done is None else [*before, done]
        yield from ended
        if at in looked_at and CHANCE not in game.actors(ply.after):
            yield from _to_the_asked(game, match, at, tuple(before), rng)


def _to_the_asked(
    game: AnyGame, match: Match, at: int, before: tuple[Done, ...], rng: Random
) -> Iterator[Claim]:
    """What is asked, tips, answers to *Why dimmed?* and reasons of hints."""
    state = match.plies[at].after
    played = takewhile(lambda ply: ply.seat != CHANCE, match.plies[at + 1 :])
    later = tuple(Done(ply.seat, game.format_action(ply.action)) for ply in played)
    for seat in game.actors(state):
        view = game.observe(state, seat)
        layout = game.layout(view)

        def told(said: Phrase, *cards: str, seat: Seat = seat) -> Claim:
            return Claim(game, match.seats, said, state, state, before, later, seat, cards)

        yield from (told(said) for said in (layout.asks, layout.tip) if said is not None)
        lines = [block.phrase for block in layout.blocks if isinstance(block, Line)]
        lines += [*layout.words, *([layout.goal] if layout.goal is not None else [])]
        yield from (told(said) for said in lines if said.code.startswith(LINES))
        for group in layout.barred:
            yield told(group.why, *group.cards)
        legal = list(game.legal_actions(state, seat))
        for action in rng.sample(legal, min(SPOKEN_FOR, len(legal))):
            reasons = tuple(game.advice(view, action))
            assert reasons, f"nothing speaks for {game.format_action(action)}"
            after = game.apply(state, seat, action)
            onward = tuple(_onward(game, match.seats, after, rng))
            for said in reasons:
                yield Claim(
                    game, match.seats, said, state, after, before, onward, seat,
                    action=game.format_action(action),
                )  # fmt: skip


def _onward(game: AnyGame, seats: int, state: Any, rng: Random) -> Iterator[Done]:
    """What people do who do anything legal, for about a trick."""
    for _ in range(2 * seats):
        actors = game.actors(state)
        if not actors or CHANCE in actors:
            return
        seat = actors[0]
        action = rng.choice(game.legal_actions(state, seat))
        yield Done(seat, game.format_action(action))
        state = game.apply(state, seat, action)


def _of_the_ended(
    game: AnyGame, match: Match, ply: Ply, before: tuple[Done, ...], done: Done | None
) -> Iterator[Claim]:
    """Why a trick, a series or a round went as it did."""
    view = game.observe(ply.after, None)
    told = [each.phrase for each in game.events(ply.before, ply.seat, ply.action, ply.after)]
    later = () if done is None else (done,)

    def said(phrase: Phrase, seat: Seat = -1, points: int = 0) -> Claim:
        return Claim(
            game, match.seats, phrase, ply.before, ply.after, before, later, seat, points=points
        )

    story = game.story(view)
    # After the last trick of a round a right that it gave may still be used, or declined.
    played = done is not None and done.text.startswith("play ")
    for block in finished(game.layout(view)):
        if block.reason is not None and (block.reason in told or (played and story is not None)):
            yield said(block.reason)
    if story is None:
        return
    for seat, account in enumerate(story.accounts):
        for term in account:
            yield said(term.why, seat, term.points)
    for fact in story.facts:
        yield said(fact)
