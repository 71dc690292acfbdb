"""The laws against planted leaks and wrong implementations: each must go red, for its reason.

A law that has never caught anything proves nothing.  Every plant changes one thing of a game
that passes; the test names the law that has to see it and what it has to say.
"""

from __future__ import annotations

import functools
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
    Story,
)
from engine.registry import games
from tests.conformance.laws import LAWS, BrokenLawError

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
        "determinize": lambda seen, rng: game.determinize(seen.view, rng),
        "layout": lambda seen: game.layout(seen.view),
        "story": lambda seen: game.story(seen.view),
        "compose": lambda seen, cards, flags: game.compose(seen.view, cards, flags),
        "default_action": lambda seen: game.default_action(seen.view),
        "public_action": lambda seen, seat, action: game.public_action(seen.view, seat, action),
        "round_as_seen": lambda seen, deal: game.round_as_seen(seen.view, deal),
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
        determinize=lambda seen, rng: Boxed(game.determinize(seen, rng), []),
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
    state = TALKING.determinize(seen, rng)
    stock = state.cards.stock
    return state._replace(cards=state.cards._replace(stock=stock[:-2] + stock[-1:] * 2))


def misplacing(seen: Any, rng: Random) -> Any:
    """Taken cards come back to the table."""
    state = CLIMBING.determinize(seen, rng)
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
    drawn = CLIMBING.layout(seen)
    return replace(drawn, controls=all_but_last(drawn.controls))


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
    return CLIMBING.determinize(seen, random.Random(random.random()))


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


def only_what_lies_open(view: Any, deal: Any) -> Any:
    """A record that says nothing of the own cards that were dealt face down."""
    return TALKING.round_as_seen(view._replace(seat=None), deal)


class Plant(NamedTuple):
    name: str
    law: str
    why: str
    game: AnyGame


A, K = CLIMBING, TALKING

PLANTS: Final = [
    # leaks
    Plant("a hand in the observation", "law_swap", "sees the difference", peeking(A, next_hand)),
    Plant("the same", "law_determinization", "sees", peeking(A, next_hand)),
    Plant(
        "the state in the observation, and determinize uses it",
        "law_swap",
        "sees the difference",
        peeking(A, lambda state, _: state, determinize=lambda seen, rng: seen.leak),
    ),
    Plant(
        "the state in a field that is not compared",
        "law_swap",
        "sees the difference",
        peeking(A, lambda state, _: state, SlyPeek, determinize=lambda seen, rng: seen.leak),
    ),
    Plant(
        "the state in a closure",
        "law_deal",
        "shown others' cards",
        peeking(A, lambda state, _: lambda: state, SlyPeek),
    ),
    Plant("a number made of a hand", "law_swap", "sees the difference", peeking(A, strength)),
    Plant("the same at the deal", "law_deal", "shown others' cards", peeking(A, strength)),
    Plant(
        "a layout with hidden cards",
        "law_privacy",
        "the layout of",
        peeking(A, lambda state, _: state, SlyPeek, layout=hidden_rows(A)),
    ),
    Plant(
        "everybody is told the hands",
        "law_deal",
        "told of others' cards",
        altered(A, events=told_to_all(A, "dealt_hand")),
    ),
    Plant("the same", "law_privacy", "is told", altered(A, events=told_to_all(A, "dealt_hand"))),
    Plant(
        "an event names the discards",
        "law_told",
        "sees the same and is told",
        altered(K, events=told_to_all(K, "you_discarded")),
    ),
    Plant(
        "an event names a face-down card",
        "law_told",
        "sees the same and is told",
        altered(K, events=told_to_all(K, "you_played_down")),
    ),
    Plant(
        "cards that are served are told to all",
        "law_swap",
        "is told",
        altered(K, events=told_to_all(K, "you_got")),
    ),
    Plant(
        "nobody is told what was played",
        "law_told",
        "sees a difference and is told",
        altered(A, events=told_without(A, "played")),
    ),
    Plant(
        "the log names the discards",
        "law_told",
        "reads",
        altered(K, public_action=lambda seen, seat, action: K.format_action(action)),
    ),
    Plant(
        "a record has everybody's cards",
        "law_seen_is_known",
        "has another record",
        altered(A, round_as_seen=lambda view, deal: {"deal": deal}),
    ),
    Plant(
        "a record lacks the own cards",
        "law_seen_is_enough",
        "not what the seat knows",
        altered(K, round_as_seen=only_what_lies_open),
    ),
    Plant(
        "the log blanks what is mine",
        "law_notation",
        "my own action is blank",
        altered(A, public_action=lambda seen, seat, action: "play ?"),
    ),
    Plant(
        "face-down cards are seen",
        "law_told",
        "sees a difference",
        altered(K, observe=sees_through),
    ),
    Plant("discards are seen at last", "law_told", "sees a difference", peeking(K, last_discards)),
    Plant(
        "only holders are asked", "law_swap", "sees the difference", altered(K, apply=asks_holders)
    ),
    Plant(
        "a refusal names others' cards",
        "law_legality",
        "not_in_hand tells",
        altered(A, apply=talkative(A)),
    ),
    # legality
    Plant(
        "a legal action is not listed",
        "law_layout",
        "controls offer",
        altered(A, legal_actions=lambda s, seat: all_but_last(A.legal_actions(s, seat))),
    ),
    Plant(
        "a legal action is listed twice",
        "law_legality",
        "listed twice",
        altered(A, legal_actions=lambda s, seat: (*A.legal_actions(s, seat),) * 2),
    ),
    Plant(
        "those who wait have actions",
        "law_legality",
        "not to act",
        altered(A, legal_actions=lambda s, seat: A.legal_actions(s, *A.actors(s))),
    ),
    Plant(
        "an illegal action has no effect",
        "law_legality",
        "apply accepts",
        altered(A, apply=unchecked(A)),
    ),
    Plant(
        "everything is legal",
        "law_legality",
        "is_legal allows",
        altered(A, is_legal=lambda state, seat, action: True),
    ),
    Plant(
        "nothing is legal",
        "law_legality",
        "is_legal denies",
        altered(K, is_legal=lambda state, seat, action: False),
    ),
    Plant("any pack is a deal", "law_deal_json", "is accepted", altered(K, apply=trusting)),
    # values
    Plant(
        "a list in the state",
        "law_replay",
        "mutable parts",
        altered(A, apply=lambda *step: lists(A.apply(*step))),
    ),
    Plant(
        "a state is changed in place", "law_pure", "a state was changed", boxed(A, noted_in_place)
    ),
    Plant(
        "apply rolls dice", "law_pure", "global random|not a function", altered(A, apply=whimsical)
    ),
    Plant(
        "a deal draws by itself",
        "law_pure",
        "global random|not a function",
        altered(A, deal=own_luck),
    ),
    Plant(
        "determinize draws by itself",
        "law_pure",
        "global random|not a function",
        altered(A, determinize=own_guess),
    ),
    Plant(
        "determinize loses cards",
        "law_conservation",
        "lost cards",
        altered(K, determinize=forgetful),
    ),
    Plant(
        "determinize moves known cards",
        "law_conservation",
        "its determinization has",
        altered(A, determinize=misplacing),
    ),
    Plant(
        "all cards are said to be known",
        "law_conservation",
        "its determinization has",
        altered(A, cards=everything_public),
    ),
    # questions
    Plant(
        "others' choices make a question stale",
        "law_question",
        "stale",
        altered(K, question=lambda state, seat: state.applied),
    ),
    Plant(
        "a question number comes back",
        "law_question",
        "was put at ply",
        altered(A, question=lambda state, seat: 1),
    ),
    # results
    Plant(
        "a match ends and goes on",
        "law_ends",
        "outcome iff",
        altered(A, outcome=lambda state: Outcome((0, 0, 0), (1, 1, 1))),
    ),
    Plant("a team is torn apart", "law_scores", "Outcome", altered(K, outcome=no_teams)),
    Plant("scores of teams, not of seats", "law_scores", "", altered(K, scores=half_score)),
    Plant(
        "points during the round",
        "law_scores",
        "before the first deal|between rounds",
        altered(A, round_scores=points_during_the_round),
    ),
    # what is drawn, played for the absent, read and written
    Plant(
        "the clock always passes",
        "law_default",
        "is illegal",
        altered(A, default_action=lambda seen: A.parse_action("pass")),
    ),
    Plant(
        "the clock calls Spieldrei",
        "law_default",
        "instead of pass",
        altered(K, default_action=lambda seen: seen.legal_actions[-1]),
    ),
    Plant(
        "a control is missing",
        "law_layout",
        "behind the controls",
        altered(A, layout=without_last_control),
    ),
    Plant(
        "nobody is told what is asked",
        "law_layout",
        "asks None",
        altered(A, layout=without_question),
    ),
    Plant(
        "those who wait may press",
        "law_layout",
        "has controls|controls offer|illegal for",
        altered(A, layout=with_pass),
    ),
    Plant(
        "a phrase with a list",
        "law_layout",
        "cards=",
        altered(A, layout=with_phrase(Phrase("mode_up", {"cards": A_LIST}))),
    ),
    Plant(
        "a sentence for a code",
        "law_layout",
        "code",
        altered(A, layout=with_phrase(Phrase("You lead now."))),
    ),
    Plant(
        "the double's count is not written",
        "law_notation",
        "have one text",
        altered(A, format_action=lambda action: A.format_action(action).replace("x2", "")),
    ),
    Plant(
        "records are forgiven capitals",
        "law_notation",
        "is read as",
        altered(A, parse_action=loose_parse),
    ),
    Plant(
        "people are forgiven nothing",
        "law_notation",
        "NotationError",
        altered(A, parse_action=strict_parse),
    ),
    Plant(
        "what was finished is gone at once",
        "law_reasons",
        "0 are finished",
        altered(A, layout=lambda view: with_last(view, lambda last: ())),
    ),
    Plant(
        "what was finished is somebody else's",
        "law_reasons",
        "AssertionError",
        altered(A, layout=lambda view: with_last(view, lambda last: (replace(last, seat=9),))),
    ),
    Plant(
        "a card is offered ahead to whoever only looks on",
        "law_ahead",
        "a spectator may choose",
        altered(A, layout=lambda view: replace(A.layout(view), ahead=(Act("pass"),))),
    ),
    Plant(
        "a round of which nothing is told",
        "law_story",
        "and the story None",
        altered(A, story=lambda view: None),
    ),
    Plant(
        "a round told as somebody else's",
        "law_story",
        "the parts come to",
        altered(A, story=told_of_another),
    ),
    Plant(
        "a card nobody has shown is told in the story",
        "law_story",
        "tells what is hidden",
        altered(K, story=told_with_every_card),
    ),
    Plant(
        "nobody says what a decision is for",
        "law_coaching",
        "not told what it decides",
        altered(A, layout=lambda view: replace(A.layout(view), tip=None)),
    ),
    Plant(
        "a card that cannot be played is not explained",
        "law_coaching",
        "are explained",
        altered(A, layout=lambda view: replace(A.layout(view), barred=())),
    ),
    Plant(
        "an unknown option is swallowed",
        "law_options",
        "are accepted",
        altered(A, complete_options=more_options),
    ),
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.law}-{plant.name}")
def test_a_planted_fault_is_caught(plant: Plant) -> None:
    seats = plant.game.info.seats[0]
    given: Options = {} if plant.game.info.teams else {"hands": 1}
    search = functools.partial(_look, plant, seats, given)
    with pytest.raises(BrokenLawError, match=f"^{plant.law}: .*({plant.why})"):
        search()


def _look(plant: Plant, seats: int, given: Options) -> None:
    for seed in SEEDS:
        LAWS[plant.law](plant.game, seats, given, seed)


def test_every_law_catches_something() -> None:
    assert {plant.law for plant in PLANTS} == set(LAWS)


HARMLESS: Final[list[AnyGame]] = [
    altered(A),
    altered(K),
    peeking(A, lambda state, seat: None),
    peeking(K, lambda state, seat: seat, SlyPeek),
]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("game", HARMLESS, ids=["climbing", "talking", "peek", "sly-peek"])
def test_the_wrappers_themselves_are_not_what_is_caught(game: AnyGame, law: str) -> None:
    for seed in range(3):
        LAWS[law](game, game.info.seats[0], {} if game.info.teams else {"hands": 1}, seed)
