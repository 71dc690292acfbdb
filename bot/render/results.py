"""Results of rounds and matches: medals, a table of rounds, and reasons for scores."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.i18n import Texts
from bot.ids import Computer
from bot.plain_text import MARKS, from_the_left, told_apart
from bot.render.components import Button, Page, button, pager, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.seats import name, plain, score_lines, side_name, sides
from bot.views.values import BetweenRoundsView, ResultView, RoundTold, TableHead
from engine.layout import Story, Term

MEDALS: Final = ("🥇", "🥈", "🥉")
PLACES: Final = ("1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣")

ROUNDS_SHOWN: Final = 12
"""Maximum number of rounds in a table, the latest ones; the sums count all."""

TABLE: Final = 25
"""Characters of one width that a phone shows in a line, within a frame."""
NUMBERS: Final = 3
"""Characters for the number of a round."""
COLUMN: Final = 12
"""Maximum number of characters for one side."""

Side: TypeAlias = tuple[int, ...]
"""Seats that win together."""


def places(ranking: Sequence[int], head: TableHead) -> dict[Side, int]:
    """Places by side, the best first.

    If one partner has conceded and the other not, the better place counts.
    """
    best = {side: min(ranking[seat] for seat in side) for side in map(tuple, sides(head))}
    ranks = {side: 1 + sum(other < own for other in best.values()) for side, own in best.items()}
    return dict(sorted(ranks.items(), key=lambda found: (found[1], found[0])))


def is_draw(ranks: Mapping[Side, int]) -> bool:
    """Whether all share the first of these `places`, so that nobody has won."""
    return all(rank == 1 for rank in ranks.values())


def medals(ranking: Sequence[int], scores: Sequence[int], head: TableHead) -> dict[Side, str]:
    """Medals by side, the best first; else only the number of the place.

    No medal for the second of two, nor for the last without a point.
    """
    ranks, found = places(ranking, head), {}
    for side, rank in ranks.items():
        last = rank == max(ranks.values())
        idle = last and (scores[side[0]] == 0 or (rank > 1 and len(ranks) == 2))
        signs = PLACES if idle or rank > len(MEDALS) else MEDALS
        found[side] = signs[min(rank, len(signs)) - 1]
    return found


def lead_taken(view: ResultView) -> int | None:
    """Number of the round after which the side that has won led alone, and did to the end.

    None if several share the first place, or it does not lead at the end: others have conceded.
    """
    if view.ranking is None:
        return None
    first, *shared = (side for side, rank in places(view.ranking, view.head).items() if rank == 1)
    if shared:
        return None
    winners, taken, sums = set(first), None, [0] * len(view.ranking)
    for number, points in enumerate(view.rounds, start=1):
        sums = [total + one for total, one in zip(sums, points, strict=True)]
        leaders = {seat for seat, total in enumerate(sums) if total == max(sums)}
        taken = (taken or number) if leaders == winners else None
    return taken


def round_table(rounds: Sequence[Sequence[int]], head: TableHead, texts: Texts) -> str:
    """Points by round and side, and their sums, in letters of one width."""
    columns = sides(head)
    first = max(0, len(rounds) - ROUNDS_SHOWN)
    rows = [
        (str(number), [texts.signed(points[side[0]]) for side in columns])
        for number, points in enumerate(rounds[first:], start=first + 1)
    ]
    if first:
        rows.insert(0, ("…", ["…"] * len(columns)))
    sums = [texts.number(sum(points[side[0]] for points in rounds)) for side in columns]
    rows.append((texts.get("result.sum"), sums))
    # Names give way to the phone's edge, numbers do not.
    widest = max(len(cell) for _, cells in rows for cell in cells)
    room = max(widest + 1, min(COLUMN, (TABLE - NUMBERS) // len(columns)))
    titles = "", _short(head, room - 1, texts)
    lines = [_cells(left, cells, room) for left, cells in [titles, *rows]]
    return "\n".join(("```", *lines, "```"))


def _cells(first: str, cells: Sequence[str], room: int) -> str:
    return _padded(first, NUMBERS, left=True) + "".join(_padded(cell, room) for cell in cells)


def _padded(text: str, room: int, *, left: bool = False) -> str:
    space, text = " " * (room - _cells_of(text)), from_the_left(text)
    return text + space if left else space + text


def _cells_of(text: str) -> int:
    """Characters of one width that a text takes: some take two, marks on others none."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.category(char) in MARKS for char in text)


def _short(head: TableHead, room: int, texts: Texts) -> list[str]:
    """Short names of the sides, without formatting."""
    columns = sides(head)
    most = max(map(len, columns))
    each = max(1, (room - most + 1) // most)
    seats = range(len(head.sitters))
    called = [_short_name(head, seat, texts).replace("`", "'") for seat in seats]
    short = told_apart(called, each, _cells_of)
    return ["+".join(short[seat] for seat in side) for side in columns]


def _short_name(head: TableHead, seat: int, texts: Texts) -> str:
    called = head.names[seat]
    if isinstance(called, Computer):
        # What tells it from the others stands first: there is little room.
        return texts.get("seat.computer_short", number=called.number)
    return plain(head, seat, texts)


def rounds_button(head: TableHead, texts: Texts) -> Button:
    """Opens `rounds_page` at the latest."""
    return button(texts.get("button.rounds"), Press.at(head, Verb.ROUNDS))


def rounds_page(
    head: TableHead, rounds: Sequence[RoundTold], number: int | None, texts: Texts
) -> Message:
    """One complete round (from 0) and why each scored what they did; None is the latest."""
    page = Page()
    if not rounds:
        page.text(texts.get("rounds.none"))
        return page.message()
    last = len(rounds) - 1
    number = last if number is None else min(max(number, 0), last)
    title = texts.get("rounds.title", game=texts.game_name(head.game), number=number + 1)
    told = rounds[number]
    page.text(f"### {title}", *story_lines(told.story, told.points, head, texts))
    page.line()
    page.text(
        strong(texts.get("rounds.hands" if told.published else "rounds.shown")),
        *(
            texts.pair(name(head, seat, texts), texts.cards(head.game, hand))
            for seat, hand in enumerate(told.hands)
        ),
    )
    if any(told.secrets):
        page.text(
            strong(texts.own(head.game, "game.secrets")),
            *(
                texts.pair(name(head, seat, texts), texts.cards(head.game, cards))
                for seat, cards in enumerate(told.secrets)
                if cards
            ),
        )
    if last:
        page.row(pager(number, last + 1, lambda to: Press.at(head, Verb.ROUNDS, argument=str(to))))
    return page.message()


def account_line(story: Story, side: Side, head: TableHead, texts: Texts) -> str:
    """`8 cards +8, red −13, own card −3`: what a side's points of the round are made of.

    What brought nothing is left out, unless it is all there is to say.
    """
    every = story.accounts[side[0]]
    terms = [term for term in every if term.points] or every
    said = [_term(term, head, texts, alone=len(terms) == 1) for term in terms]
    return ", ".join(said)


def _term(term: Term, head: TableHead, texts: Texts, *, alone: bool) -> str:
    why = texts.phrase(head.game, term.why, head.names)
    return why if alone or not term.points else f"{why} {texts.signed(term.points)}"


def pause_lines(pause: BetweenRoundsView, head: TableHead, texts: Texts) -> list[str]:
    """Points of the round and totals of each side, and below them what they are made of."""
    story, lines = pause.story, []
    for side, line in score_lines(pause, head, texts):
        account = "" if story is None else account_line(story, side, head, texts)
        lines += [line, small(account)]
    facts = () if story is None else story.facts
    return [*lines, *(texts.phrase(head.game, fact, head.names) for fact in facts)]


def story_lines(story: Story, points: Sequence[int], head: TableHead, texts: Texts) -> list[str]:
    """A round that is complete: what happened in it, and a line for each side's points."""
    lines = [texts.phrase(head.game, fact, head.names) for fact in story.facts]
    for side in sorted(sides(head), key=lambda side: -points[side[0]]):
        account = account_line(story, side, head, texts)
        if account:
            who = strong(side_name(head, side, texts))
            scored, summed = texts.signed(points[side[0]]), len(story.accounts[side[0]]) > 1
            made = f"{scored} = {account}" if summed else f"{scored} ({account})"
            lines.append(small(f"{who} {made}"))
    return lines
