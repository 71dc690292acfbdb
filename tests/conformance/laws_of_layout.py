"""Laws of layouts: controls reach exactly what is legal; blocks and phrases have their shape."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

from engine.game import (
    CHANCE,
    AnyGame,
    News,
    Options,
    RuleError,
    Seat,
)
from engine.layout import (
    CardRow,
    Cards,
    Choice,
    InWords,
    Layout,
    Phrase,
    SeatName,
    SeatRow,
    Standing,
    Suit,
    Trick,
)
from tests.conformance.law import law
from tests.conformance.laws_of_play import _refused
from tests.conformance.matches import Match, canonical_pack, match_of
from tests.conformance.reading import blocks, cards_in_layout, cards_in_phrase, named, phrases


def check_phrase(phrase: Phrase, seats: int, pack: set[str]) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*", phrase.code), f"code {phrase.code!r}"
    for key, value in phrase.params.items():
        assert key.isidentifier(), f"parameter {key!r}"
        assert isinstance(value, int | str | SeatName | Cards | Suit | InWords), (
            f"{phrase.code}: {key}={value!r}"
        )
        assert not isinstance(value, bool), f"{phrase.code}: {key} is a bool"
        if isinstance(value, SeatName):
            assert value.seat in range(seats), f"{phrase.code}: {value}"
        if isinstance(value, Cards):
            assert isinstance(value.codes, tuple), f"{phrase.code}: {value}"
            assert named(" ".join(value.codes)) <= pack, f"{phrase.code}: {value}"


@law
def law_layout(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Controls reach exactly the legal actions; blocks and phrases have their shape; cards
    of which it is told that they lie there are on the board."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    pack = set(canonical_pack(game, seats, match.options))
    looked = 0
    for at in match.some(rng, 16):
        ply = match.plies[at]
        for event in game.events(ply.before, ply.seat, ply.action, ply.after):
            check_phrase(event.phrase, seats, pack)
            if event.audience is not None:
                assert set(event.audience) <= set(range(seats)), event
            elif News.LIES in game.info.news.get(event.phrase.code, News(0)):
                seen = cards_in_layout(game.layout(game.observe(ply.after, None)))
                assert cards_in_phrase(event.phrase) <= seen | {event.phrase.code}, event
        state = ply.after
        actors = game.actors(state)
        for viewer in match.viewers:
            view = game.observe(state, viewer)
            layout = game.layout(view)
            for phrase in phrases(layout):
                check_phrase(phrase, seats, pack)
            _check_blocks(layout, seats, actors)
            asked = actors not in ((), (CHANCE,))
            assert (layout.asks is not None) == asked, f"{actors} are to act, asks {layout.asks}"
            _check_cards(layout, seats, Counter(canonical_pack(game, seats, match.options)))
            texts = [act.action for act in layout.acts]
            assert len(set(texts)) == len(texts), "two acts are one action"
            keys = [each.key for each in layout.controls if isinstance(each, Choice)]
            assert len(set(keys)) == len(keys), f"keys {keys}"
            if viewer is None:
                assert not keys, "the board asks for a combination"
                for text in texts:
                    for seat in actors:
                        allowed = game.is_legal(state, seat, game.parse_action(text))
                        assert allowed, f"the board offers {text!r}, illegal for {seat}"
            elif viewer in actors:
                _reached(match, state, viewer, layout, rng)
            else:
                standing = sum(isinstance(each, Standing) for each in layout.controls)
                assert len(layout.controls) == standing, f"{viewer} is not to act and has controls"
                assert standing <= 1, "two ways to pass for the whole deal"
            looked += 1
    return looked


def _check_blocks(layout: Layout, seats: int, actors: tuple[Seat, ...]) -> None:
    rows = [block for block in layout.blocks if isinstance(block, SeatRow)]
    assert len(rows) == 1, "one row of seats"
    assert [each.seat for each in rows[0].seats] == list(range(seats)), rows[0]
    assert all(each.cards_left >= 0 for each in rows[0].seats), rows[0]
    marked = tuple(each.seat for each in rows[0].seats if "to_act" in each.marks)
    assert marked == (() if actors == (CHANCE,) else actors), f"{marked} are marked, not {actors}"


def _check_cards(layout: Layout, seats: int, pack: Counter[str]) -> None:
    """Rows and tricks show cards of the pack, none more often than it is there."""
    for block in blocks(layout):
        if isinstance(block, CardRow):
            codes = [card.code for card in block.cards]
            assert Counter(codes) <= pack, f"{block.role}: {codes}"
        elif isinstance(block, Trick):
            laid = [each.card for each in block.cards if each.card]
            assert Counter(laid) <= pack, f"{block.role}: {laid}"
            order = [*(each.seat for each in block.cards), *block.awaited]
            assert len(set(order)) == len(order), f"{block.role}: {order}"
            assert set(order) <= set(range(seats)), f"{block.role}: {order}"


def _reached(match: Match, state: Any, seat: Seat, layout: Layout, rng: Random) -> None:
    """The controls of a seat to act reach its legal actions, and nothing else."""
    game, view = match.game, match.game.observe(state, seat)
    legal = list(game.legal_actions(state, seat))
    texts = [act.action for act in layout.acts]
    members = set(legal)
    reached = {game.parse_action(text) for text in texts}
    assert reached <= members, f"controls offer {reached - members}"
    for act in layout.acts:
        if act.forced:
            # It may be played by itself: nobody chooses anything at the same time.
            assert len(legal) == 1, act
            assert act.cards, act
            assert game.actors(state) == (seat,), act
    actions = [each for each in layout.controls if not isinstance(each, Standing)]
    behind = sum(each.count if isinstance(each, Choice) else 1 for each in actions)
    assert behind == len(legal), f"{behind} actions behind the controls, {len(legal)} legal"
    used: set[str] = set()
    for action in legal:
        used |= named(game.format_action(action))
    for block in layout.blocks:
        if isinstance(block, CardRow):
            playable = {card.code for card in block.cards if "playable" in card.marks}
            assert playable <= used, f"{playable - used} can be part of no legal action"
    combines = []
    for control in layout.controls:
        if not isinstance(control, Choice):
            continue
        assert not any(act.confirm for act in control.acts), "a menu cannot ask first"
        assert control.acts or control.combine, f"{control.key} opens nothing"
        assert "~" not in control.key, control.key
        if control.menu and control.combine is not None:
            assert control.combine.minimum == control.combine.maximum, control
            assert len(control.combine.cards) <= 20, control
        assert control.combine or len(control.acts) == control.count, control
        if control.combine is not None:
            combines.append(control.combine)
    rest = [action for action in legal if action not in reached]
    for action in rng.sample(rest, min(12, len(rest))):
        words = named(game.format_action(action))
        found = []
        for combine in combines:
            cards = [code for code in combine.cards if code in words]
            if (
                set(combine.required) <= set(cards)
                and combine.minimum <= len(cards) <= combine.maximum
            ):
                for flags in _subsets(combine.flags):
                    found += _composed(game, view, cards, flags)
        assert action in found, f"no control reaches {game.format_action(action)!r}"
    for combine in combines:
        assert 0 < combine.minimum <= combine.maximum <= len(combine.cards), combine
        assert set(combine.required) <= set(combine.cards), combine
        for _ in range(4):
            size = rng.randint(combine.minimum, combine.maximum)
            cards = rng.sample(combine.cards, size)
            for flags in _subsets(combine.flags):
                for action in _composed(game, view, cards, flags):
                    legal_one = game.is_legal(state, seat, action)
                    assert legal_one == (action in members), f"{cards} compose to {action}"
                    if not legal_one:
                        _refused(match, state, seat, action)


def _subsets(flags: Sequence[str]) -> list[frozenset[str]]:
    return [frozenset(some) for size in range(len(flags) + 1) for some in combinations(flags, size)]


def _composed(game: AnyGame, view: Any, cards: list[str], flags: frozenset[str]) -> list[Any]:
    try:
        return [game.compose(view, cards, flags)]
    except RuleError:
        return []
