"""Results of rounds with their reasons, and figures of one person, from a match log.  Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from bot.tables.deals import is_published
from bot.tables.fold import walked
from bot.tables.model import Table
from bot.tables.stored import Actor, Entry, StoredTable, standing
from engine.game import AnyGame, Seat
from engine.layout import Story


class RoundTold(NamedTuple):
    """A complete round as everybody may know it."""

    points: tuple[int, ...]
    """Points by seat."""
    story: Story
    hands: tuple[tuple[str, ...], ...]
    """By seat: public cards among those that it was dealt."""
    published: bool
    """Whether these are all; otherwise the round's secrets still are."""
    secrets: tuple[tuple[str, ...], ...]
    """By seat: cards that it named to nobody else; none while they are secret."""


def rounds_told(table: Table) -> tuple[RoundTold, ...]:
    """The complete rounds of a table; none if its log cannot be replayed."""
    if table.played is None:
        return ()
    game, stored = table.game, table.stored
    told: list[RoundTold] = []
    done: list[tuple[Seat, Any]] = []
    open_cards = defaultdict[Seat, Counter[str]](Counter)
    pack = Counter(game.pack(len(stored.seating.places), stored.options))
    for entry, _, action, state in walked(table):
        published = is_published(table, len(told) + 1)
        if entry.is_deal:
            done = []
            open_cards.clear()
        else:
            done.append((entry.seat, action))
        if not published:
            for seat, cards in _open_in_hands(game, state).items():
                open_cards[seat] |= cards
        points = game.round_scores(state)
        story = None if points is None else game.story(game.observe(state, None))
        if points is not None and story is not None:
            acts = [[act for by, act in done if by == seat] for seat in range(len(points))]
            hands = tuple(
                _hand(game, state, acts[seat], seat, pack, open_cards[seat], published=published)
                for seat in range(len(points))
            )
            secrets = _secrets(game, state, done, pack) if published else {}
            each = tuple(secrets.get(seat, ()) for seat in range(len(points)))
            told.append(RoundTold(points, story, hands, published, each))
    return tuple(told)


def _secrets(
    game: AnyGame, state: Any, done: Sequence[tuple[Seat, Any]], pack: Counter[str]
) -> Mapping[Seat, tuple[str, ...]]:
    """Cards that a seat named in a round that ended at `state`, and that cannot be read there."""
    view, found = game.observe(state, None), defaultdict[Seat, list[str]](list)
    for seat, action in done:
        shown = game.public_action(view, seat, action).split()
        words = [word for word in game.format_action(action).split() if word not in shown]
        found[seat] += [word for word in words if word in pack]
    return {seat: tuple(cards) for seat, cards in found.items()}


def _open_in_hands(game: AnyGame, state: Any) -> Mapping[Seat, Counter[str]]:
    """By seat: the cards that everybody knows to be in its hand."""
    found = defaultdict[Seat, Counter[str]](Counter)
    for each in game.cards(state):
        where, _, seat = each.place.partition(" ")
        if each.public and where == "hand":
            found[int(seat)][each.card] += 1
    return found


def _hand(
    game: AnyGame,
    state: Any,
    done: Sequence[Any],
    seat: Seat,
    pack: Counter[str],
    open_cards: Counter[str],
    *,
    published: bool,
) -> tuple[str, ...]:
    """The cards of a seat in a round that ended at `state`: those it played, and the rest.

    Only the public ones unless the deal is published; `open_cards` are those that everybody saw in
    its hand.
    """
    view = game.observe(state, None)
    texts = [
        game.format_action(action) if published else game.public_action(view, seat, action)
        for action in done
    ]
    words = Counter(word.partition("x")[0] for text in texts for word in text.split())
    words |= open_cards
    if published:
        words |= Counter(each.card for each in game.cards(state) if each.known_to == (seat,))
    held = words & pack
    return tuple(card for card in pack for _ in range(held[card]))


# Figures of one person.

_IN_PERSON = (Actor.PERSON, Actor.CLOCK, Actor.CLOCK_AWAY)
"""Who brings the answer where a person is asked."""


class Figures(NamedTuple):
    """What is remembered of a match for somebody who played it to its end."""

    best_round: int | None
    """Most points of a complete round that they played; None without any."""
    worst_round: int | None
    deficit: int
    """Most points that they lay behind after a round of a match that they have won, if they played
    every round after it; else 0."""
    hints: int
    """Questions at which they took one."""
    asked: int
    """Decisions that were theirs, at a table with a clock."""
    in_time: int
    """Those that they answered before their time was up."""


def figures(
    stored: StoredTable,
    rounds: Sequence[Sequence[int]],
    log: Sequence[Entry],
    teams: Sequence[Sequence[Seat]] = (),
) -> Mapping[Seat, Figures]:
    """By seat, of everybody who began the match and sat there at its end, and was not away.

    Of others it is not known which rounds and answers were theirs, nor of these what was played
    before they sat down last.
    """
    outcome, seating = stored.outcome, stored.seating
    if outcome is None:
        return {}
    lines, drawn, found = [*standing(log)], _is_draw(outcome.ranking, teams), {}
    for seat, person in seating.beginners.items():
        place = seating.places[seat]
        if place.person is None or place.person.id != person.id or place.away:
            continue
        theirs = _rounds_of(seat, place.since, lines)
        points = [one[seat] for one, own in zip(rounds, theirs, strict=False) if own]
        since = (line for line in lines if line.seat == seat and line.ply >= place.since)
        asked = (line for line in since if stored.timing.clocked(line.ply))
        answers = [line.by for line in asked if line.by in _IN_PERSON]
        hinted = stored.hinted.get(person.id)
        won = outcome.ranking[seat] == 1 and not drawn
        found[seat] = Figures(
            max(points, default=None),
            min(points, default=None),
            _deficit(rounds, theirs, seat) if won else 0,
            0 if hinted is None else hinted.taken,
            len(answers),
            answers.count(Actor.PERSON),
        )
    return found


def _is_draw(ranking: Sequence[int], teams: Sequence[Sequence[Seat]]) -> bool:
    """Whether all share the first place: every seat, or of every team the one that came in best."""
    sides = teams or [(seat,) for seat in range(len(ranking))]
    return all(1 in [ranking[seat] for seat in side] for side in sides)


def _rounds_of(seat: Seat, since: int, lines: Sequence[Entry]) -> Sequence[bool]:
    """By round, also one that is not complete: whether it is of whoever has sat at `seat` since
    that ply, and no stand-in played in it."""
    theirs: list[bool] = []
    for line in lines:
        if line.is_deal:
            theirs.append(line.ply >= since)
        elif line.seat == seat and line.by is Actor.STAND_IN:
            theirs[-1] = False
    return theirs


def _deficit(rounds: Sequence[Sequence[int]], theirs: Sequence[bool], seat: Seat) -> int:
    """Most points that a seat lay behind the first after a round, if it is not behind at the end:
    others may have conceded.

    Whoever played it had caught up by `theirs` alone: it counts from the last round on that is not.
    """
    if not rounds:
        return 0
    behind = [max(totals) - totals[seat] for totals in accumulate(rounds, _plus)]
    others = (number for number in range(len(rounds)) if not theirs[number])
    return 0 if behind[-1] else max(behind[max(others, default=0) :])


def _plus(totals: Sequence[int], points: Sequence[int]) -> Sequence[int]:
    return [total + one for total, one in zip(totals, points, strict=True)]
