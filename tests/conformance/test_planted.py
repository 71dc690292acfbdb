"""The laws against planted leaks and wrong implementations: each must go red, for its reason.

A law that has never caught anything proves nothing.  Every plant changes one thing of a game
that passes; the test names the law that has to see it and what it has to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from engine.game import AnyGame, Event, NotationError, Options, Outcome, RuleError
from engine.games.kaiserspiel.cards import PACK
from engine.games.kaiserspiel.state import Deal, State
from engine.layout import (
    Act,
    CardRow,
    Cards,
    CardView,
    Headline,
    LastSet,
    Layout,
    Phrase,
    SeatName,
    Standing,
    Story,
)
from engine.registry import games
from tests.conformance.laws import LAWS, BrokenLawError
from tests.determinizing import determinize

CLIMBING: Final[AnyGame] = games()["aufundab"]
TALKING: Final[AnyGame] = games()["kaiserspiel"]
SEEDS: Final = range(12)
A_LIST: Any = ["3-6"]


class Altered:
    """A game with some of its methods replaced."""

    def __init__(self, game: AnyGame, **methods: Callable[..., Any]) -> None:
        self._game = game
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def altered(game: AnyGame, **methods: Callable[..., Any]) -> AnyGame:
    changed: Any = Altered(game, **methods)
    whole: AnyGame = changed
    return whole


def climbing(**methods: Callable[..., Any]) -> AnyGame:
    """Auf und Ab with some of its methods replaced."""
    return altered(CLIMBING, **methods)


def talking(**methods: Callable[..., Any]) -> AnyGame:
    """Kaiserspiel with some of its methods replaced."""
    return altered(TALKING, **methods)


# --- wrappers that carry something along ---------------------------------------------------------


class Peek(NamedTuple):
    """An observation with something in it that its seat may not know."""

    seat: int | None
    view: Any
    leak: Any


@dataclass(frozen=True, slots=True)
class SlyPeek:
    """The same, but left out of comparison."""

    seat: int | None
    view: Any
    leak: Any = field(compare=False)


def peeking(
    game: AnyGame,
    leak: Callable[[Any, int | None], Any],
    kind: Callable[[int | None, Any, Any], Any] = Peek,
    **more: Callable[..., Any],
) -> AnyGame:
    methods: dict[str, Callable[..., Any]] = {
        "observe": lambda state, seat: kind(seat, game.observe(state, seat), leak(state, seat)),
        "determinize": lambda seen, rng: determinize(game, seen.view, rng),
        "layout": lambda seen: game.layout(seen.view),
        "story": lambda seen: game.story(seen.view),
        "compose": lambda seen, cards, flags: game.compose(seen.view, cards, flags),
        "default_action": lambda seen: game.default_action(seen.view),
        "public_action": lambda seen, seat, action: game.public_action(seen.view, seat, action),
        "parse_action": lambda text, seen=None: game.parse_action(text, seen and seen.view),
    }
    return altered(game, **{**methods, **more})


class Boxed(NamedTuple):
    """A state that carries a list along."""

    state: Any
    notes: list[str]


def boxed(game: AnyGame, note: Callable[[Boxed, str], list[str]]) -> AnyGame:
    def passed_on(name: str) -> Callable[..., Any]:
        return lambda box, *rest: getattr(game, name)(box.state, *rest)

    names = [
        "actors",
        "question",
        "deal",
        "legal_actions",
        "is_legal",
        "outcome",
        "scores",
        "observe",
        "round_head",
        "round_scores",
        "cards",
    ]

    def apply(box: Boxed, seat: int, action: Any) -> Boxed:
        return Boxed(game.apply(box.state, seat, action), note(box, str(seat)))

    return altered(
        game,
        initial=lambda seats, options: Boxed(game.initial(seats, options), []),
        apply=apply,
        determinize=lambda seen, rng: Boxed(determinize(game, seen, rng), []),
        events=lambda before, seat, action, after: game.events(
            before.state, seat, action, after.state
        ),
        **{name: passed_on(name) for name in names},
    )


def noted_in_place(box: Boxed, text: str) -> list[str]:
    box.notes.append(text)
    return box.notes


# --- what goes wrong ----------------------------------------------------------------------


def next_hand(state: Any, seat: int | None) -> int:
    hand: int = state.hands[((seat or 0) + 1) % len(state.hands)]
    return hand


def turned_by_a_play(state: Any, seat: int | None) -> int:
    """A card of the next hand, as long as a set lies on the table."""
    hand = next_hand(state, seat)
    return hand & -hand if state.quantity else 0


def told_of_the_next(game: AnyGame) -> Callable[..., tuple[Event, ...]]:
    """Whoever plays hears something of the next hand."""

    def events(before: Any, seat: int, action: Any, after: Any) -> tuple[Event, ...]:
        told = game.events(before, seat, action, after)
        if seat < 0:
            return told
        return (*told, Event(Phrase("next", {"count": strength(after, seat)}), (seat,)))

    return events


def strength(state: Any, seat: int | None) -> int:
    return next_hand(state, seat).bit_count() and next_hand(state, seat) % 7


def hidden_rows(game: AnyGame) -> Callable[[Any], Layout]:
    """A layout that also shows cards of a leaked state."""

    def layout(seen: Any) -> Layout:
        drawn = game.layout(seen.view)
        hidden = [card.card for card in game.cards(seen.leak) if not card.public][:2]
        row = CardRow("table", tuple(CardView(code) for code in hidden))
        return replace(drawn, blocks=(*drawn.blocks, row))

    return layout


def told_to_all(game: AnyGame, code: str) -> Callable[..., tuple[Event, ...]]:
    def events(*step: Any) -> tuple[Event, ...]:
        return tuple(
            Event(event.phrase, None if event.phrase.code == code else event.audience)
            for event in game.events(*step)
        )

    return events


def told_without(game: AnyGame, code: str) -> Callable[..., tuple[Event, ...]]:
    return lambda *step: tuple(event for event in game.events(*step) if event.phrase.code != code)


def unchecked(game: AnyGame) -> Callable[..., Any]:
    """An apply that lets illegal actions pass without effect."""

    def apply(state: Any, seat: int, action: Any) -> Any:
        try:
            return game.apply(state, seat, action)
        except RuleError:
            return state

    return apply


def talkative(game: AnyGame) -> Callable[..., Any]:
    """An apply whose refusals say who holds what."""

    def apply(state: Any, seat: int, action: Any) -> Any:
        try:
            return game.apply(state, seat, action)
        except RuleError:
            held = tuple(card.card for card in game.cards(state) if seat not in card.known_to)
            raise RuleError("not_in_hand", others=held) from None

    return apply


def lists(state: Any) -> Any:
    return state._replace(hands=list(state.hands))


def whimsical(state: Any, seat: int, action: Any) -> Any:
    """The mode of a new series falls like a die."""
    after = CLIMBING.apply(state, seat, action)
    started = not after.quantity and after.owner >= 0
    return after._replace(mode=random.randrange(2)) if started else after


def forgetful(seen: Any, rng: Random) -> Any:
    """One card takes another's place."""
    state = determinize(TALKING, seen, rng)
    stock = state.cards.stock
    return state._replace(cards=state.cards._replace(stock=stock[:-2] + stock[-1:] * 2))


def misplacing(seen: Any, rng: Random) -> Any:
    """Taken cards come back to the table."""
    state = determinize(CLIMBING, seen, rng)
    return state._replace(pile=seen.pile | seen.gone)


def asks_holders(state: State, seat: int, action: Any) -> State:
    """Asks at the later pauses only who can declare something: being asked tells."""
    after: State = TALKING.apply(state, seat, action)
    while after.step == "declare" and after.question.pause > 2:
        (asked,) = TALKING.actors(after)
        if len(TALKING.legal_actions(after, asked)) > 1:
            break
        after = TALKING.apply(after, asked, TALKING.parse_action("pass"))
    return after


def sees_through(state: State, seat: int | None) -> Any:
    """Everybody sees face-down cards."""
    return TALKING.observe(state, seat)._replace(tricks=state.tricks)


def last_discards(state: State, seat: int | None) -> Any:
    """The discards, once all have been made."""
    discards = state.cards.discards
    return discards if all(discards) else None


def all_but_last(found: Any) -> Any:
    return found[:-1] if len(found) > 1 else found


def without_last_control(seen: Any) -> Layout:
    """Of those that answer what is asked."""
    drawn = CLIMBING.layout(seen)
    answers = tuple(one for one in drawn.controls if not isinstance(one, Standing))
    return replace(drawn, controls=all_but_last(answers))


def without_question(seen: Any) -> Layout:
    return replace(CLIMBING.layout(seen), asks=None)


def with_pass(seen: Any) -> Layout:
    drawn = CLIMBING.layout(seen)
    others = (
        each for each in drawn.controls if not (isinstance(each, Act) and each.action == "pass")
    )
    return replace(drawn, controls=(*others, Act("pass")))


def with_phrase(phrase: Phrase) -> Callable[[Any], Layout]:
    def layout(seen: Any) -> Layout:
        drawn = CLIMBING.layout(seen)
        return replace(drawn, blocks=(Headline(phrase), *drawn.blocks))

    return layout


def no_teams(state: State) -> Outcome | None:
    outcome = TALKING.outcome(state)
    return outcome and Outcome(outcome.scores, (1, 2, 3, 4))


def half_score(state: State) -> tuple[int, ...]:
    return tuple(TALKING.scores(state)[:2])


def loose_parse(text: str, seen: Any = None) -> Any:
    """Forgives records what only people are forgiven."""
    try:
        return CLIMBING.parse_action(text, seen)
    except NotationError:
        return CLIMBING.parse_action(" ".join(text.lower().split()))


def strict_parse(text: str, seen: Any = None) -> Any:
    return CLIMBING.parse_action(text)


def trusting(state: State, seat: int, action: Any) -> State:
    """Takes any pack for a deal."""
    if isinstance(action, Deal):
        pack = TALKING.deal(state, Random(1).randrange).pack
        action = action._replace(pack=pack)
    after: State = TALKING.apply(state, seat, action)
    return after


def own_luck(state: Any, draw: Any) -> Any:
    return CLIMBING.deal(state, random.randrange)


def own_guess(seen: Any, rng: Random) -> Any:
    return determinize(CLIMBING, seen, random.Random(random.random()))


def everything_public(state: Any) -> Any:
    everybody = tuple(range(len(state.hands)))
    return tuple(card._replace(known_to=everybody, public=True) for card in CLIMBING.cards(state))


def more_options(seats: int, given: Any) -> Any:
    return {**CLIMBING.complete_options(seats, {k: v for k, v in given.items() if k != "nonsense"})}


def points_during_the_round(state: Any) -> Any:
    return CLIMBING.round_scores(state) or (0,) * len(state.hands)


def with_last(view: Any, change: Callable[[LastSet], tuple[LastSet, ...]]) -> Layout:
    """A layout in which what was just finished is changed."""
    layout = CLIMBING.layout(view)
    found = [change(each) if isinstance(each, LastSet) else (each,) for each in layout.blocks]
    return replace(layout, blocks=tuple(chain(*found)))


def told_of_another(view: Any) -> Story | None:
    """A story whose accounts are those of the seats before."""
    story = CLIMBING.story(view)
    if story is None:
        return None
    return replace(story, accounts=(*story.accounts[1:], story.accounts[0]))


def told_with_every_card(view: Any) -> Story | None:
    """A story that names the whole pack, and so what nobody has shown."""
    story = TALKING.story(view)
    whole = Phrase("story_kaisers", {"seat": SeatName(0), "cards": Cards(tuple(PACK.names))})
    return None if story is None else replace(story, facts=(*story.facts, whole))


A, K = CLIMBING, TALKING

PLANTS: Final[dict[str, list[tuple[str, str, AnyGame]]]] = {
    "law_swap": [
        ("a hand in the observation", "sees the difference", peeking(A, next_hand)),
        (
            "the state in the observation, and determinize uses it",
            "sees the difference",
            peeking(A, lambda state, _: state, determinize=lambda seen, rng: seen.leak),
        ),
        (
            "the state in a field that is not compared",
            "sees the difference",
            peeking(A, lambda state, _: state, SlyPeek, determinize=lambda seen, rng: seen.leak),
        ),
        ("a number made of a hand", "sees the difference", peeking(A, strength)),
        (
            "cards that are served are told to all",
            "is told",
            talking(events=told_to_all(K, "you_got")),
        ),
        ("only holders are asked", "sees the difference", talking(apply=asks_holders)),
    ],
    "law_determinization": [
        ("a hand in the observation", "sees", peeking(A, next_hand)),
    ],
    "law_deal": [
        (
            "the state in a closure",
            "shown others' cards",
            peeking(A, lambda state, _: lambda: state, SlyPeek),
        ),
        ("a number made of a hand", "shown others' cards", peeking(A, strength)),
        (
            "everybody is told the hands",
            "told of others' cards",
            climbing(events=told_to_all(A, "dealt_hand")),
        ),
    ],
    "law_taking_back": [
        ("a play turns a card", "could not foresee", peeking(A, turned_by_a_play)),
        (
            "whoever plays is told of a hand",
            "is told",
            climbing(events=told_of_the_next(A)),
        ),
    ],
    "law_privacy": [
        (
            "a layout with hidden cards",
            "the layout of",
            peeking(A, lambda state, _: state, SlyPeek, layout=hidden_rows(A)),
        ),
        ("everybody is told the hands", "is told", climbing(events=told_to_all(A, "dealt_hand"))),
    ],
    "law_told": [
        (
            "an event names the discards",
            "sees the same and is told",
            talking(events=told_to_all(K, "you_discarded")),
        ),
        (
            "an event names a face-down card",
            "sees the same and is told",
            talking(events=told_to_all(K, "you_played_down")),
        ),
        (
            "nobody is told what was played",
            "sees a difference and is told",
            climbing(events=told_without(A, "played")),
        ),
        (
            "the log names the discards",
            "reads",
            talking(public_action=lambda seen, seat, action: K.format_action(action)),
        ),
        ("face-down cards are seen", "sees a difference", talking(observe=sees_through)),
        ("discards are seen at last", "sees a difference", peeking(K, last_discards)),
    ],
    "law_notation": [
        (
            "the log blanks what is mine",
            "my own action is blank",
            climbing(public_action=lambda seen, seat, action: "play ?"),
        ),
        (
            "the double's count is not written",
            "have one text",
            climbing(format_action=lambda action: A.format_action(action).replace("x2", "")),
        ),
        ("records are forgiven capitals", "is read as", climbing(parse_action=loose_parse)),
        ("people are forgiven nothing", "NotationError", climbing(parse_action=strict_parse)),
    ],
    "law_legality": [
        ("a refusal names others' cards", "not_in_hand tells", climbing(apply=talkative(A))),
        (
            "a legal action is listed twice",
            "listed twice",
            climbing(legal_actions=lambda s, seat: (*A.legal_actions(s, seat),) * 2),
        ),
        (
            "those who wait have actions",
            "not to act",
            climbing(legal_actions=lambda s, seat: A.legal_actions(s, *A.actors(s))),
        ),
        ("an illegal action has no effect", "apply accepts", climbing(apply=unchecked(A))),
        (
            "everything is legal",
            "is_legal allows",
            climbing(is_legal=lambda state, seat, action: True),
        ),
        (
            "nothing is legal",
            "is_legal denies",
            talking(is_legal=lambda state, seat, action: False),
        ),
    ],
    "law_layout": [
        (
            "a legal action is not listed",
            "controls offer",
            climbing(legal_actions=lambda s, seat: all_but_last(A.legal_actions(s, seat))),
        ),
        ("a control is missing", "behind the controls", climbing(layout=without_last_control)),
        ("nobody is told what is asked", "asks None", climbing(layout=without_question)),
        (
            "those who wait may press",
            "has controls|controls offer|illegal for",
            climbing(layout=with_pass),
        ),
        (
            "a phrase with a list",
            "cards=",
            climbing(layout=with_phrase(Phrase("mode_up", {"cards": A_LIST}))),
        ),
        ("a sentence for a code", "code", climbing(layout=with_phrase(Phrase("You lead now.")))),
    ],
    "law_deal_json": [
        ("any pack is a deal", "is accepted", talking(apply=trusting)),
    ],
    "law_replay": [
        (
            "a list in the state",
            "mutable parts",
            climbing(apply=lambda *step: lists(A.apply(*step))),
        ),
    ],
    "law_pure": [
        ("a state is changed in place", "a state was changed", boxed(A, noted_in_place)),
        ("apply rolls dice", "global random|not a function", climbing(apply=whimsical)),
        ("a deal draws by itself", "global random|not a function", climbing(deal=own_luck)),
        (
            "determinize draws by itself",
            "global random|not a function",
            climbing(determinize=own_guess),
        ),
    ],
    "law_conservation": [
        ("determinize loses cards", "lost cards", talking(determinize=forgetful)),
        (
            "determinize moves known cards",
            "its determinization has",
            climbing(determinize=misplacing),
        ),
        (
            "all cards are said to be known",
            "its determinization has",
            climbing(cards=everything_public),
        ),
    ],
    "law_question": [
        (
            "others' choices make a question stale",
            "stale",
            talking(question=lambda state, seat: state.applied),
        ),
        (
            "a question number comes back",
            "was put at ply",
            climbing(question=lambda state, seat: 1),
        ),
    ],
    "law_ends": [
        (
            "a match ends and goes on",
            "outcome iff",
            climbing(outcome=lambda state: Outcome((0, 0, 0), (1, 1, 1))),
        ),
    ],
    "law_scores": [
        ("a team is torn apart", "Outcome", talking(outcome=no_teams)),
        ("scores of teams, not of seats", "", talking(scores=half_score)),
        (
            "points during the round",
            "before the first deal|between rounds",
            climbing(round_scores=points_during_the_round),
        ),
    ],
    "law_default": [
        (
            "the clock always passes",
            "is illegal",
            climbing(default_action=lambda seen: A.parse_action("pass")),
        ),
        (
            "the clock calls Spieldrei",
            "instead of pass",
            talking(default_action=lambda seen: seen.legal_actions[-1]),
        ),
    ],
    "law_reasons": [
        (
            "what was finished is gone at once",
            "0 are finished",
            climbing(layout=lambda view: with_last(view, lambda last: ())),
        ),
        (
            "what was finished is somebody else's",
            "AssertionError",
            climbing(layout=lambda view: with_last(view, lambda last: (replace(last, seat=9),))),
        ),
    ],
    "law_ahead": [
        (
            "a card is offered ahead to whoever only looks on",
            "a spectator may choose",
            climbing(layout=lambda view: replace(A.layout(view), ahead=(Act("pass"),))),
        ),
    ],
    "law_story": [
        (
            "a round of which nothing is told",
            "and the story None",
            climbing(story=lambda view: None),
        ),
        ("a round told as somebody else's", "the parts come to", climbing(story=told_of_another)),
        (
            "a card nobody has shown is told in the story",
            "tells what is hidden",
            talking(story=told_with_every_card),
        ),
    ],
    "law_coaching": [
        (
            "nobody says what a decision is for",
            "not told what it decides",
            climbing(layout=lambda view: replace(A.layout(view), tip=None)),
        ),
        (
            "a card that cannot be played is not explained",
            "are explained",
            climbing(layout=lambda view: replace(A.layout(view), barred=())),
        ),
    ],
    "law_options": [
        ("an unknown option is swallowed", "are accepted", climbing(complete_options=more_options)),
    ],
}
"""By law: what it has to catch, what it has to say, and the game that is spoilt so."""


@pytest.mark.parametrize(
    ("law", "why", "game"),
    [
        pytest.param(law, why, game, id=f"{law}-{name}")
        for law, plants in PLANTS.items()
        for name, why, game in plants
    ],
)
def test_a_planted_fault_is_caught(law: str, why: str, game: AnyGame) -> None:
    with pytest.raises(BrokenLawError, match=f"^{law}: .*({why})"):
        _look(law, game, SEEDS)


def _look(law: str, game: AnyGame, seeds: range) -> None:
    given: Options = {} if game.info.teams else {"hands": 1}
    for seed in seeds:
        LAWS[law](game, game.info.seats[0], given, seed)


CLAIMS: Final = "law_claims"
"""Reads the states of the real games; `test_claims` plants what is false."""


def test_every_law_catches_something() -> None:
    assert {*PLANTS, CLAIMS} == set(LAWS)


HARMLESS: Final[list[AnyGame]] = [
    altered(A),
    altered(K),
    peeking(A, lambda state, seat: None),
    peeking(K, lambda state, seat: seat, SlyPeek),
]


@pytest.mark.parametrize("law", [law for law in LAWS if law != CLAIMS])
@pytest.mark.parametrize("game", HARMLESS, ids=["climbing", "talking", "peek", "sly-peek"])
def test_the_wrappers_themselves_are_not_what_is_caught(game: AnyGame, law: str) -> None:
    _look(law, game, range(3))
