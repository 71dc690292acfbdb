"""A server's leaderboard: its lines as text and as a picture, and its menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from bot.i18n import Texts, safe_name
from bot.pictures.leaders import Leader, written
from bot.plain_text import plain_name
from bot.render.alt_text import leaders_in_words
from bot.render.components import (
    Button,
    Page,
    button,
    option,
    pager,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.message import Attachment, Message
from bot.render.sharing import STANDINGS, share_button, signed
from bot.views.values import LeaderboardView, LeaderLine, Order, Period, Rating

# Ratings.

PROVISIONAL_MARK: Final = "?"
"""Behind a provisional rating."""


def rating_of(rating: Rating | None, texts: Texts) -> str:
    """The number, with a mark while it is provisional; empty without one."""
    if rating is None:
        return ""
    return texts.number(rating.shown, 1) + PROVISIONAL_MARK * rating.provisional


# The leaderboard.

ALL_GAMES: Final = "all"
"""Value of the leaderboard's menu for all games together."""

BETWEEN: Final = "…"
"""Between a page and lines that are on another one."""


def leaderboard_page(
    view: LeaderboardView,
    texts: Texts,
    picture: Attachment | None = None,
    *,
    shares: bool = False,
) -> Message:
    """A page of a server's leaderboard with its menus; `shares`: it may be shown to everybody."""
    page = Page()
    page.text(f"## {texts.get('leaderboard.title')}")
    if picture is not None:
        page.picture(picture, leaders_in_words((*view.lines, *view.near), view.by, texts))
        page.text(*(_below_picture(line, view, texts) for line in (*view.lines, *view.near)))
    elif view.lines:
        page.text(*_leaders(view.lines, view.near, view, texts))
    else:
        page.text(texts.get("leaderboard.empty" if view.computers else "leaderboard.no_people"))
    page.text(*_notes(view, view.near, texts))
    _menus(page, view, texts)
    _buttons(page, view, texts, shares=shares)
    return page.message()


def shared_leaderboard(view: LeaderboardView, name: str, texts: Texts) -> Message:
    """The leaderboard as a person shows it to everybody: with words in place of menus, and without
    their own place."""
    page = Page()
    game = texts.get("leaderboard.all_games") if view.game is None else texts.game_name(view.game)
    facts = [game, texts.get(f"period.{view.period}")]
    if len(view.orders) > 1:
        facts.append(texts.get(f"order.{view.by}"))
    if view.pages > 1:
        facts.append(f"{view.page + 1} / {view.pages}")
    page.text(f"## {texts.get('leaderboard.title')}", small(" · ".join(facts)))
    page.text(*_leaders(view.lines, (), view, texts))
    page.text(*_notes(view, (), texts))
    signed(page, name, texts)
    return page.message()


def drawn_leaders(view: LeaderboardView, texts: Texts) -> tuple[Sequence[Leader], Sequence[Leader]]:
    """What a picture shows of the lines of a page, and of those around the reader's own place."""

    def drawn(line: LeaderLine) -> Leader:
        match view.by:
            case Order.RATING:
                figure = rating_of(line.rating, texts)
            case Order.WINS:
                figure = f"{line.wins}/{line.matches}"
            case Order.RATE:
                figure = texts.number(line.points_per_round, 1)
            case _:
                assert_never(view.by)
        return Leader(line.place, plain_name(line.name), line.wins, line.matches, figure)

    return tuple(map(drawn, view.lines)), tuple(map(drawn, view.near))


def per_round(line: LeaderLine, texts: Texts) -> str:
    """Points per round in words."""
    return texts.get("stats.per_round", points=texts.number(line.points_per_round, 1))


def _menus(page: Page, view: LeaderboardView, texts: Texts) -> None:
    here = _state(view, view.page)
    periods = [
        option(texts.get(f"period.{one}"), one, default=one == view.period) for one in Period
    ]
    page.select(Press(Verb.PERIOD, argument=here), texts.get("leaderboard.period"), periods)
    names = {ALL_GAMES: texts.get("leaderboard.all_games")}
    names |= {game: texts.game_name(game) for game in view.games}
    chosen = view.game or ALL_GAMES
    games = [option(name, game, default=game == chosen) for game, name in names.items()]
    page.select(Press(Verb.GAME, argument=here), texts.get("leaderboard.game"), games)
    if len(view.orders) > 1:
        orders = [
            option(texts.get(f"order.{one}"), one, default=one == view.by) for one in view.orders
        ]
        page.select(Press(Verb.ORDER, argument=here), texts.get("leaderboard.order"), orders)


def _buttons(page: Page, view: LeaderboardView, texts: Texts, *, shares: bool) -> None:
    row: list[Button] = []
    if view.pages > 1:
        row += pager(
            view.page, view.pages, lambda to: Press(Verb.STANDINGS, argument=_state(view, to))
        )
    if view.my_place is not None:
        mine = Press(Verb.STANDINGS, argument=_state(view, "me"))
        row.append(button(texts.get("leaderboard.mine", place=view.my_place), mine))
    page.row(row)
    if shares and view.lines:
        page.row([share_button(f"{STANDINGS}|{_state(view, view.page)}", texts)])


def _state(view: LeaderboardView, page: int | str) -> str:
    """Which page of which leaderboard, as presses carry it."""
    return f"{view.period}|{view.game or ALL_GAMES}|{page}|{view.order}"


def _leaders(
    lines: Sequence[LeaderLine], near: Sequence[LeaderLine], view: LeaderboardView, texts: Texts
) -> list[str]:
    """The lines of a page, and below them the reader's own if they are on another one."""
    said = [_leader(line, view, texts) for line in lines]
    return [*said, *([BETWEEN] if near else []), *(_leader(line, view, texts) for line in near)]


def _leader(line: LeaderLine, view: LeaderboardView, texts: Texts) -> str:
    """Two lines a person: name and what the order is by, and in small print the rest."""
    match view.by:
        case Order.RATING:
            first = rating_of(line.rating, texts)
        case Order.WINS:
            first = texts.get("stats.wins", count=line.wins)
        case Order.RATE:
            first = per_round(line, texts)
        case _:
            assert_never(view.by)
    facts = [texts.get("stats.matches", count=line.matches)]
    facts += _facts(line, view, texts)
    named = f"{strong(str(line.place))} {safe_name(line.name)} · {strong(first)}"
    return f"{named}\n{small(' · '.join(facts))}"


def _facts(line: LeaderLine, view: LeaderboardView, texts: Texts) -> list[str]:
    """What is known of a line beside its matches and what the order is by."""
    said = {Order.WINS: texts.get("stats.wins", count=line.wins)}
    if view.game is not None:
        said[Order.RATE] = per_round(line, texts)
    if line.rating is not None:
        said[Order.RATING] = texts.get("stats.rating", rating=rating_of(line.rating, texts))
    return [words for order, words in said.items() if order is not view.by]


def _below_picture(line: LeaderLine, view: LeaderboardView, texts: Texts) -> str:
    """What the picture does not say of a person: a name that it cannot write, and of one game."""
    called, said = plain_name(line.name), [f"{strong(str(line.place))} {safe_name(line.name)}"]
    if view.game is not None:
        said += _facts(line, view, texts)
    elif written(called) == called:
        return ""
    return small(" · ".join(said))


def _notes(view: LeaderboardView, near: Sequence[LeaderLine], texts: Texts) -> list[str]:
    """What the marks mean, and why there is no rating."""
    if not view.lines:
        return []
    if view.game is None:
        return [small(texts.get("leaderboard.of_one_game"))]
    if Order.RATING not in view.orders:
        return [small(texts.get("leaderboard.of_all_time"))]
    if any(one.rating is not None and one.rating.provisional for one in (*view.lines, *near)):
        return [small(texts.get("leaderboard.provisional", mark=PROVISIONAL_MARK))]
    return []
