"""Seats as text: names, turns, cards and points; levels of computer players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.i18n import Markdown, Texts, relative
from bot.ids import Called, Computer
from bot.plain_text import COMPUTER
from bot.render.components import small, strong
from bot.views.values import BetweenRoundsView, TableHead
from engine.layout import Block, Layout, Phrase, SeatRow, SeatView
from engine.players.levels import Level

TURN = "▸"
NBSP = "\N{NO-BREAK SPACE}"
SIGNS = {"chosen": "✓", "choosing": "…"}
"""Signs beside a name while everybody chooses secretly."""

TEAMS = ("🟧", "🟦")
"""Symbols of teams in text, as the colours of their edges in pictures."""

_SAID = ("leads", "partner")
"""Marks of a seat that are words."""


def which_table(head: TableHead, texts: Texts) -> str:
    """Its game and its id, for small print."""
    return f"{texts.game_name(head.game)} · {texts.get('table.named', table=head.table)}"


def name(head: TableHead, seat: int, texts: Texts) -> str:
    """Name of a player for a message; the seat's number if it is free."""
    called = head.names[seat]
    return texts.called(called) if called else texts.get("seat.number", number=seat + 1)


def plain(head: TableHead, seat: int, texts: Texts) -> str:
    """The same without mark-up."""
    called = head.names[seat]
    return texts.called(called, plain=True) if called else texts.get("seat.number", number=seat + 1)


def sides(head: TableHead) -> tuple[tuple[int, ...], ...]:
    """Seats that win together, in the order of the teams; without teams everybody alone."""
    teams = sorted({sitter.team for sitter in head.sitters if sitter.team is not None})
    if not teams:
        return tuple((sitter.seat,) for sitter in head.sitters)
    return tuple(tuple(s.seat for s in head.sitters if s.team == team) for team in teams)


def side_name(head: TableHead, side: Sequence[int], texts: Texts) -> str:
    """`Ann`, `Ann and Cat`."""
    return texts.list([name(head, seat, texts) for seat in side])


def turn_line(
    asks: Phrase | None, actors: Sequence[int], you: int | None, head: TableHead, texts: Texts
) -> str:
    """The first line of every message about a round: whose turn it is, and what is asked.

    `you` is the reader's seat.  Empty if nobody is to act.
    """
    if asks is None or not actors:
        return ""
    ask = texts.phrase(head.game, asks, head.names)
    if you in actors:
        said = texts.get("turn.you", ask=ask)
    elif len(actors) > 1:
        names = texts.list(list(_players(head, actors, texts)))
        said = texts.get("turn.several", names=names, ask=ask)
    else:
        code = "turn.stand_in" if head.sitters[actors[0]].stand_in else "turn.one"
        said = texts.get(code, name=name(head, actors[0], texts), ask=ask)
    return f"## {said}"


def _players(head: TableHead, seats: Sequence[int], texts: Texts) -> Iterator[str]:
    """Several players; computer players together, after all people: they keep nobody waiting."""
    computers = [seat for seat in seats if head.sitters[seat].computer is not None]
    together = len(computers) > 1
    for seat in seats:
        if not together or seat not in computers:
            who = name(head, seat, texts)
            yield texts.get("turn.played_for", name=who) if head.sitters[seat].stand_in else who
    if together:
        yield texts.get("turn.computers", count=len(computers))


def to_act(layout: Layout) -> tuple[int, ...]:
    """The seats that are to act, as the layout marks them."""
    rows = (block.seats for block in layout.blocks if isinstance(block, SeatRow))
    return tuple(seat.seat for row in rows for seat in row if "to_act" in seat.marks)


_ACTING: Final = ("to_act", "choosing")
"""Marks of a seat that are gone as soon as its owner has acted."""


def asking_one(layout: Layout) -> Layout:
    """The layout of a hand that asks, without who else is to act at the same time: it is not drawn
    anew when they have acted."""

    def acting(seat: SeatView) -> SeatView:
        own = "self" in seat.marks
        return seat._replace(marks=tuple(m for m in seat.marks if own or m not in _ACTING))

    def alone(block: Block) -> Block:
        if isinstance(block, SeatRow):
            return replace(block, seats=tuple(map(acting, block.seats)))
        return block

    return replace(layout, blocks=tuple(map(alone, layout.blocks)))


def words_line(words: Sequence[str], head: TableHead, texts: Texts) -> str:
    """`Cut: Ann kuckuck · Ben 7`: words that people added to the shuffle; empty without any."""
    # A word is letters and digits, so it needs no escape.
    said = [f"{name(head, seat, texts)} {word}" for seat, word in enumerate(words) if word]
    return texts.get("proof.words", words=" · ".join(said)) if said else ""


# While a round runs


def seat_lines(
    seats: Sequence[SeatView], laid: Mapping[int, str], head: TableHead, texts: Texts
) -> list[str]:
    """A line for each seat, with the cards that it has `laid`; teams are together under their name
    and points."""
    scored = any(seat.score for seat in seats)
    telling = any(seat.facts for seat in seats)
    teams = _by_team(seats)
    if not teams:
        return [
            _seat(seat, laid, head, texts, scored=scored, counted=not telling) for seat in seats
        ]
    lines = []
    for team, members in teams:
        title = [f"{TEAMS[team % 2]} {strong(texts.get('seat.team', number=team + 1))}"]
        if scored:
            title.append(texts.get("seat.points", count=members[0].score))
        lines.append(" · ".join(title))
        lines += [
            _seat(seat, laid, head, texts, scored=False, counted=not telling, numbered=True)
            for seat in members
        ]
    return lines


def _by_team(seats: Sequence[SeatView]) -> list[tuple[int, list[SeatView]]]:
    """Seats by team, the observer's own team first; empty without teams."""
    teams = sorted({seat.team for seat in seats if seat.team is not None})
    found = [(team, [seat for seat in seats if seat.team == team]) for team in teams]
    return sorted(found, key=lambda team: not any("self" in seat.marks for seat in team[1]))


def _seat(
    seat: SeatView,
    laid: Mapping[int, str],
    head: TableHead,
    texts: Texts,
    *,
    scored: bool,
    counted: bool,
    numbered: bool = False,
) -> str:
    """`▸ **Ann**: 18 cards`; dim and struck out once out of it.

    The number tells the order of play where the lines do not.
    """
    who, sign = name(head, seat.seat, texts), _sign(seat)
    if numbered:
        who = f"{seat.seat + 1} {who}"
    facts = [laid[seat.seat]] if seat.seat in laid else []
    facts += [texts.get("seat.you")] if "self" in seat.marks else []
    facts += _absent(seat, head, texts)
    if counted:
        facts.append(texts.get("seat.cards", count=seat.cards_left))
    facts += _facts(seat.facts, head, texts)
    if scored:
        facts.append(texts.get("seat.points", count=seat.score))
    facts += [texts.get(f"seat.{mark}") for mark in _SAID if mark in seat.marks]
    said = " · ".join(facts)
    if "to_act" in seat.marks:
        return _with(f"{TURN} {strong(who)}{sign}", said, texts)
    if "out" in seat.marks:
        said = " · ".join([*facts, texts.get("seat.out")])
        return small(_with(_struck(who), said, texts))
    return _with(f"{who}{sign}", said, texts)


def _with(who: str, said: str, texts: Texts) -> str:
    """A name and the facts after it: the colon keeps its numbers apart from theirs."""
    return texts.pair(who, said) if said else who


def _struck(who: str) -> str:
    """Only words are crossed out: a line through a sign makes it unreadable."""
    sign = f"{COMPUTER} " if who.startswith(COMPUTER) else ""
    return f"{sign}~~{who.removeprefix(sign)}~~"


def _absent(seat: SeatView, head: TableHead, texts: Texts) -> list[str]:
    return [texts.get("seat.stand_in")] if head.sitters[seat.seat].stand_in else []


def _sign(seat: SeatView) -> str:
    return "".join(f" {sign}" for mark, sign in SIGNS.items() if mark in seat.marks)


def _facts(facts: Iterable[Phrase], head: TableHead, texts: Texts) -> list[str]:
    return [texts.phrase(head.game, fact, head.names) for fact in facts]


# When it is over


def score_lines(
    pause: BetweenRoundsView, head: TableHead, texts: Texts
) -> list[tuple[tuple[int, ...], str]]:
    """By side: points of the round and totals; best total first, a team in one line."""
    return [
        (
            side,
            texts.get(
                "pause.score",
                name=strong(side_name(head, side, texts)),
                points=texts.signed(pause.points[side[0]]),
                total=strong(texts.number(pause.totals[side[0]])),
            ),
        )
        for side in sorted(sides(head), key=lambda side: -pause.totals[side[0]])
    ]


def readiness_lines(pause: BetweenRoundsView, head: TableHead, texts: Texts) -> list[str]:
    """People who are ready for the next round, and when it starts."""
    ready = [texts.called(s.name) for s in head.sitters if s.user in pause.ready]
    lines = [texts.get("pause.ready", names=texts.list(ready))] if ready else []
    if pause.next is not None:
        lines.append(texts.get("pause.next", time=relative(pause.next)))
    return [small(line) for line in lines]


# Computer players.


def with_level(computer: Computer, texts: Texts) -> Markdown:
    """`⚙ Computer 1 (easy)`, where it matters how well it plays."""
    level = texts.get(f"level.{computer.level}")
    return Markdown(texts.get("seat.level", name=texts.called(computer), level=level))


def levels_line(computers: Iterable[Called], texts: Texts) -> str:
    """`computer players: easy and strong`; empty where only people play."""
    said = levels(computers, texts)
    return texts.get("computers.at_table", levels=said) if said else ""


def levels(computers: Iterable[Called], texts: Texts) -> str:
    """`easy and strong`; empty where only people play."""
    played = {who.level for who in computers if isinstance(who, Computer)}
    return texts.list([texts.get(f"level.{level}") for level in Level if level in played])
