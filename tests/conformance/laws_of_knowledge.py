"""Laws of knowledge: nobody sees, is told or can work out more than they may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from engine.game import (
    CHANCE,
    AnyGame,
    Options,
    RuleError,
)
from engine.taking_back import may_take_back
from tests.conformance.law import law
from tests.conformance.matches import (
    Dealt,
    Match,
    Viewer,
    canonical_pack,
    dealt_cards,
    match_of,
    rewritten,
    texts_of,
)
from tests.conformance.reading import (
    cards_in_layout,
    cards_in_phrase,
    deep,
    is_immutable,
    known_places,
    named,
    told,
    unknown_places,
    unseen,
    world,
)
from tests.determinizing import determinize


@law
def law_conservation(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Once dealt, the pack is whole, in every state and in every determinization of it."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    pack = sorted(canonical_pack(game, seats, match.options))
    assert game.cards(match.plies[0].before) == (), "cards before the first deal"
    for ply in match.plies:
        assert sorted(each.card for each in game.cards(ply.after)) == pack, "cards got lost"
    for at in match.some(rng, 10):
        state = match.plies[at].after
        for card in game.cards(state):
            assert list(card.known_to) == sorted(set(card.known_to) & set(range(seats))), card
            assert not card.public or len(card.known_to) == seats, f"public, not known: {card}"
            assert card.place, card
        for viewer in match.viewers:
            guess = determinize(game, game.observe(state, viewer), rng)
            found = sorted(each.card for each in game.cards(guess))
            assert found == pack, f"determinizing for {viewer} lost cards"
            known, guessed = (known_places(game, each, viewer) for each in (state, guess))
            assert guessed == known, (
                f"{viewer} knows {known - guessed}, its determinization has {guessed - known}"
            )
    return len(match.plies)


@law
def law_determinization(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """A determinization looks the same to whom it was made for, and asks it the same."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    looked = 0
    for at in range(0, len(match.states), max(1, len(match.states) // 25)):
        state = match.states[at]
        for viewer in match.viewers:
            view = game.observe(state, viewer)
            assert view.seat == viewer
            guess = determinize(game, view, rng)
            assert is_immutable(guess), "a determinization has mutable parts"
            again = game.observe(guess, viewer)
            assert again == view, f"{viewer} sees {again}, not {view}"
            assert deep(again) == deep(view), f"hidden parts differ for {viewer}"
            assert game.actors(guess) == game.actors(state), "other actors"
            assert game.outcome(guess) == game.outcome(state)
            if viewer is not None:
                one, two = game.legal_actions(guess, viewer), game.legal_actions(state, viewer)
                assert tuple(one) == tuple(two), f"{viewer} has other legal actions"
            for seat in game.actors(guess):
                if seat != CHANCE:
                    assert len(game.legal_actions(guess, seat)) > 0, "a world that is stuck"
            looked += 1
    return looked


@law
def law_told(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Of two choices of another seat I am told the same exactly if I see the same."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    looked = 0
    for at in match.some(rng, 14):
        state = match.plies[at].before
        for seat in game.actors(state):
            if seat == CHANCE:
                continue
            legal = list(game.legal_actions(state, seat))
            some = rng.sample(legal, min(4, len(legal)))
            for one, two in combinations(some, 2):
                after = game.apply(state, seat, one), game.apply(state, seat, two)
                events = (
                    game.events(state, seat, one, after[0]),
                    game.events(state, seat, two, after[1]),
                )
                for viewer in match.viewers:
                    if viewer == seat:
                        continue
                    views = tuple(game.observe(each, viewer) for each in after)
                    same = views[0] == views[1]
                    heard = tuple(told(each, viewer) for each in events)
                    assert (heard[0] == heard[1]) == same, (
                        f"{viewer} sees {'the same' if same else 'a difference'} and is told "
                        f"{heard[0]} / {heard[1]}"
                    )
                    texts = tuple(
                        game.public_action(view, seat, action)
                        for view, action in zip(views, (one, two), strict=True)
                    )
                    assert (texts[0] == texts[1]) == same, f"{viewer} reads {texts}"
                    assert not same or deep(views[0]) == deep(views[1]), "unequal hidden parts"
                    looked += 1
    return looked


@law
def law_swap(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Had two cards that I have not seen been dealt the other way round, I would see the same."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    order = canonical_pack(game, seats, match.options)
    copies = Counter(order)
    starts = [at for at, ply in enumerate(match.plies) if ply.seat == CHANCE]
    unseen_at, looked = unseen(match), 0
    for start, stop in zip(starts, [*starts[1:], len(match.plies)], strict=True):
        dealt = dealt_cards(game, match.plies[start], order)
        for viewer in match.viewers:
            end = rng.randrange(start, stop)
            places = {each.card: each.place for each in game.cards(match.plies[end].after)}
            hidden = [
                each
                for each in dealt
                if each.card in unseen_at[end][viewer] and copies[each.card] == 1
            ]
            pairs = [(a, b) for a, b in combinations(hidden, 2) if places[a.card] != places[b.card]]
            pairs += _with_copies(match, end, viewer, dealt, hidden)
            shown: dict[int, tuple[object, ...]] = {}
            for a, b in rng.sample(pairs, min(4, len(pairs))):
                looked += _swapped(match, start, end, viewer, (a, b), order, shown)
    return looked


def _with_copies(
    match: Match, end: int, viewer: Viewer, dealt: Sequence[Dealt], hidden: Sequence[Dealt]
) -> list[tuple[Dealt, Dealt]]:
    """Pairs of an identical card (a joker) that still lies unseen where it was dealt, and one
    of the `hidden` cards that lies elsewhere and was dealt elsewhere."""
    now = unknown_places(match.game, match.plies[end].after, viewer)
    copies = Counter(each.card for each in dealt)
    places = {card: place for card, place in now if copies[card] == 1}
    first: dict[tuple[str, str], Dealt] = {}
    for each in dealt:
        if copies[each.card] > 1 and (each.card, each.place) in now:
            first.setdefault((each.card, each.place), each)
    return [
        (copy, other)
        for copy in first.values()
        for other in hidden
        if copy.place not in (other.place, places[other.card])
    ]


def _swapped(
    match: Match,
    start: int,
    end: int,
    viewer: Viewer,
    pair: tuple[Dealt, Dealt],
    order: Sequence[str],
    shown: dict[int, tuple[object, ...]],
) -> int:
    """Replay plies of one round with two cards exchanged while everything stays legal.

    `shown` remembers what the viewer makes of the match itself after each ply.
    """
    game = match.game
    state = match.plies[start].before
    a, b = pair
    change = {a.card: b.card, b.card: a.card}
    if Counter(order)[a.card] > 1:
        # This copy has not left the place where it was dealt: actions name others of its kind.
        del change[a.card]
    for at in range(start, end + 1):
        ply = match.plies[at]
        try:
            if at == start:
                data = game.deal_to_json(ply.action)
                cards = list(texts_of(data))
                cards[a.at], cards[b.at] = b.card, a.card
                data = rewritten(data, iter(cards), order)
                action = game.deal_from_json(state, data, game.round_head(ply.after))
            else:
                words = game.format_action(ply.action).split(" ")
                text = " ".join(change.get(word, word) for word in words)
                action = game.parse_action(text, game.observe(state, ply.seat))
            after = game.apply(state, ply.seat, action)
        except RuleError:
            return at - start  # nobody could have played so with these cards
        if at == start and game.actors(after) != game.actors(ply.after):
            return 0  # who begins is for all to see
        said = (
            told(game.events(state, ply.seat, action, after), viewer),
            told(game.events(ply.before, ply.seat, ply.action, ply.after), viewer),
        )
        assert said[0] == said[1], f"with {change} exchanged, {viewer} is told {said[0]}"
        if at not in shown:
            shown[at] = world(game, ply.after, viewer)
        assert world(game, after, viewer) == shown[at], (
            f"with {change} exchanged, {viewer} sees the difference"
        )
        state = after
    return end + 1 - start


@law
def law_deal(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Two deals that give me the same cards tell me and show me the same."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    order = canonical_pack(game, seats, match.options)
    looked = 0
    for ply in [each for each in match.plies if each.seat == CHANCE][:4]:
        texts = list(texts_of(game.deal_to_json(ply.action)))
        dealt = dealt_cards(game, ply, order)
        for viewer in match.viewers:
            unknown = unknown_places(game, ply.after, viewer)
            hidden = [each.at for each in dealt if (each.card, each.place) in unknown]
            for _ in range(4):
                mixed = list(texts)
                for at, other in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
                    mixed[at] = texts[other]
                data = rewritten(game.deal_to_json(ply.action), iter(mixed), order)
                try:
                    deal = game.deal_from_json(ply.before, data, game.round_head(ply.after))
                    after = game.apply(ply.before, CHANCE, deal)
                except RuleError:
                    continue
                if game.actors(after) != game.actors(ply.after):
                    continue
                heard = told(game.events(ply.before, CHANCE, deal, after), viewer)
                assert heard == told(
                    game.events(ply.before, CHANCE, ply.action, ply.after), viewer
                ), f"{viewer} is told of others' cards: {heard}"
                assert world(game, after, viewer) == world(game, ply.after, viewer), (
                    f"{viewer} is shown others' cards"
                )
                looked += 1
    return looked


@law
def law_taking_back(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Where a play may be taken back, whoever played knows now only what they could foresee.

    They see and are told the same in every other deal that agrees with what they knew before, and
    so do all others learn of the same cards.
    """
    match, rng = match_of(game, seats, given, seed), Random(seed)
    looked = 0
    for at in match.some(rng, 24):
        ply = match.plies[at]
        if not may_take_back(game, *ply):
            continue
        view = game.observe(ply.before, ply.seat)
        for _ in range(3):
            guess = determinize(game, view, rng)
            after = game.apply(guess, ply.seat, ply.action)
            assert world(game, after, ply.seat) == world(game, ply.after, ply.seat), (
                f"{ply.seat} could not foresee what {game.format_action(ply.action)!r} shows them"
            )
            for viewer in match.viewers:
                learnt = (
                    _learnt(game, guess, after, viewer),
                    _learnt(game, ply.before, ply.after, viewer),
                )
                assert learnt[0] == learnt[1], f"{viewer} learns of {learnt[1]}, or {learnt[0]}"
            heard = (
                told(game.events(guess, ply.seat, ply.action, after), ply.seat),
                told(game.events(ply.before, ply.seat, ply.action, ply.after), ply.seat),
            )
            assert heard[0] == heard[1], f"{ply.seat} is told {heard[1]}, or {heard[0]}"
            looked += 1
    return looked


def _learnt(game: AnyGame, before: Any, after: Any, viewer: Viewer) -> Counter[str]:
    """The cards of which a viewer knows the place after an action, and did not before."""

    def known(state: Any) -> Counter[str]:
        return Counter(card for card, _ in known_places(game, state, viewer))

    return known(after) - known(before)


@law
def law_privacy(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """No layout, event or public text names a card that its reader has not seen this round."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    unseen_at = unseen(match)
    for at in match.some(rng, 30):
        check_private(match, at, unseen_at[at])
    return len(match.plies)


def check_private(match: Match, at: int, unseen_now: Mapping[Viewer, set[str]]) -> None:
    """What is shown and told after a ply names no card that its reader has not seen."""
    game, ply = match.game, match.plies[at]
    happened = game.events(ply.before, ply.seat, ply.action, ply.after)
    for viewer, hidden in unseen_now.items():
        view = game.observe(ply.after, viewer)
        shown = cards_in_layout(game.layout(view)) & hidden
        assert not shown, f"the layout of {viewer} shows {shown}"
        for phrase in told(happened, viewer):
            assert not cards_in_phrase(phrase) & hidden, f"{viewer} is told {phrase}"
        if ply.seat not in (CHANCE, viewer):
            text = game.public_action(view, ply.seat, ply.action)
            assert not named(text) & hidden, f"{viewer} reads {text!r}"
