"""What one person has played on a server, also against another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from bot.i18n import Texts, day, safe_name
from bot.pictures.chart import Curve
from bot.plain_text import plain_name, told_apart
from bot.render.components import DESCRIPTION, Page, button, cut, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.leaderboard import per_round, rating_of
from bot.render.message import Attachment, Message
from bot.render.sharing import STATS, share_button, signed
from bot.views.values import (
    GameStats,
    LeaderLine,
    Meeting,
    Record,
    RecordKind,
    RivalsView,
    StatsView,
)


def stats_page(
    view: StatsView, texts: Texts, picture: Attachment | None = None, *, shares: bool = False
) -> Message:
    """A person's results on this server, with a picture of their ratings; `shares`: they may be
    shown to everybody."""
    page = Page()
    _stats(page, view, texts)
    if picture is not None:
        page.picture(picture, curves_in_words(view.courses, texts))
    row = [button(texts.get("button.records"), Press(Verb.RECORDS))]
    if shares and view.games:
        row.append(share_button(f"{STATS}|{view.games[0][1].user}", texts))
    page.row(row)
    return page.message()


NAME: Final = 12
"""Characters of a name on the page of records."""

_KINDS: Final = {
    RecordKind.ROUND: "records.round",
    RecordKind.COMEBACK: "records.comeback",
    RecordKind.LENGTH: "records.length",
    RecordKind.ROW: "records.row",
}


def records_page(records: Sequence[Record], texts: Texts) -> Message:
    """The records of a server, game by game: how much, who, when."""
    page = Page()
    page.text(f"## {texts.get('records.title')}")
    if not records:
        page.text(texts.get("records.none"))
    for game, found in groupby(records, attrgetter("game")):
        lines = (
            f"{texts.get(_KINDS[one.kind], value=texts.number(one.value))} · "
            f"{texts.list(_short(one.names))} · {day(one.ended)}"
            for one in found
        )
        page.text(strong(texts.game_name(game)), *lines)
    return page.message()


def _short(names: Sequence[str]) -> list[str]:
    """Names as they have room on the page of records, which are many."""
    return [safe_name(name) for name in told_apart([*map(plain_name, names)], NAME)]


def shared_stats(view: StatsView, name: str, texts: Texts) -> Message:
    """The same as a person of that `name` shows it to everybody."""
    page = Page()
    _stats(page, view, texts)
    signed(page, name, texts)
    return page.message()


def rivals_page(view: RivalsView, texts: Texts) -> Message:
    """The matches of two people: how often each was ahead, and the latest of them."""
    page, rivalry = Page(), view.rivalry
    one, other = map(safe_name, view.names)
    page.text(f"## {texts.get('rivals.title', one=one, other=other)}")
    if not rivalry.matches:
        page.text(texts.get("rivals.none"))
        return page.message()
    page.text(
        strong(texts.get("stats.matches", count=rivalry.matches)),
        texts.get("rivals.ahead", name=one, count=rivalry.ahead),
        texts.get("rivals.ahead", name=other, count=rivalry.behind),
        texts.get("rivals.level", count=rivalry.level) if rivalry.level else "",
    )
    if rivalry.last:
        lines = (_meeting(one, other, met, texts) for met in rivalry.last)
        page.text(strong(texts.get("rivals.last")), *lines)
    return page.message()


def _meeting(one: str, other: str, met: Meeting, texts: Texts) -> str:
    """`26/11/2026 · Sticheln · Ann 42 : 30 Ben`, with whoever was ahead in bold letters."""
    ahead = [met.places[0] < met.places[1], met.places[1] < met.places[0]]
    left, right = (
        strong(name) if first else name for name, first in zip((one, other), ahead, strict=True)
    )
    points = " : ".join(map(texts.number, met.points))
    return f"{day(met.ended)} · {texts.game_name(met.game)} · {left} {points} {right}"


def _stats(page: Page, view: StatsView, texts: Texts) -> None:
    page.text(f"## {safe_name(view.name)}")
    if not view.games:
        page.text(texts.get("stats.empty"))
    more = {one.game: one for one in view.more}
    for game, line in view.games:
        known = [*_more(more[game], line, texts)] if game in more else []
        page.text(strong(texts.game_name(game)), _counts(line, texts), *map(small, known))
    if view.computers:
        page.line()
        page.text(
            strong(texts.get("stats.computers")),
            *(
                texts.get(
                    "stats.computer_line",
                    game=texts.game_name(line.game),
                    level=texts.get(f"level.{line.level}"),
                    matches=_whole(texts.get("stats.matches", count=line.matches)),
                    wins=_whole(texts.get("stats.wins", count=line.wins)),
                )
                for line in view.computers
            ),
        )


def _counts(line: LeaderLine, texts: Texts) -> str:
    matches = texts.get("stats.matches", count=line.matches)
    wins = texts.get("stats.wins", count=line.wins)
    said = [matches, wins, per_round(line, texts)]
    if line.rating is not None:
        said.append(texts.get("stats.rating", rating=rating_of(line.rating, texts)))
    return " · ".join(map(_whole, said))


def _whole(fact: str) -> str:
    """A fact within which no line ends."""
    return fact.replace(" ", "\N{NO-BREAK SPACE}")


def _more(stats: GameStats, line: LeaderLine, texts: Texts) -> Iterator[str]:
    """Rounds, rows of wins, hints and answers, as far as they are known."""
    if stats.best_round is not None and stats.worst_round is not None:
        best, worst = texts.signed(stats.best_round), texts.signed(stats.worst_round)
        yield texts.get("stats.rounds", best=best, worst=worst)
    said = []
    if stats.longest_row > 1:
        said.append(texts.get("stats.row", count=stats.longest_row))
    if stats.known:
        said.append(texts.get("stats.hints", count=stats.hints))
    if said:
        yield " · ".join(map(_whole, said))
    if stats.asked:
        yield texts.get("stats.in_time", percent=100 * stats.in_time // stats.asked)
    if 0 < stats.known < line.matches:
        yield texts.get("stats.known", known=stats.known, count=line.matches)


# Ratings as curves.


def drawn_curves(courses: Mapping[str, Sequence[float]], texts: Texts) -> tuple[Curve, ...]:
    """What a picture shows of a person's ratings."""
    return tuple(
        Curve(texts.game_name(game), tuple(values), texts.number(values[-1], 1))
        for game, values in courses.items()
    )


def curves_in_words(courses: Mapping[str, Sequence[float]], texts: Texts) -> str:
    """The same in words."""
    said = [
        texts.get(
            "picture.curve",
            game=texts.game_name(game),
            first=texts.number(values[0], 1),
            last=texts.number(values[-1], 1),
            low=texts.number(min(values), 1),
            high=texts.number(max(values), 1),
        )
        for game, values in courses.items()
    ]
    return cut(" ".join(said), DESCRIPTION)
