"""A round that is over, position by position, with the buttons that lead through it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.emojis import NEAREST
from bot.i18n import Texts
from bot.render import blocks
from bot.render.alt_text import hand_in_words, open_hands_in_words
from bot.render.coaching import hint_lines
from bot.render.components import (
    OPTIONS,
    Button,
    Option,
    Page,
    blank,
    button,
    option,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.emoji_texts import illustrated_page
from bot.render.message import Attachment, Message
from bot.render.seats import name, plain, to_act, turn_line
from bot.render.sharing import signed
from bot.render.tricks import cards_line
from bot.views.review import ALL_OPEN, Move, Place, ReviewView
from bot.views.values import TableHead
from engine.layout import LastSet, Trick

_SIGNS: Final = {Move.FIRST: "«", Move.BACK: "‹", Move.ON: "›", Move.LAST: "»"}


def review_button(head: TableHead, texts: Texts) -> Button:
    """Opens the latest round that is open to all, for the presser alone."""
    return button(texts.get("button.review"), Press.at(head, Verb.REVIEW))


def review_page(
    view: ReviewView,
    texts: Texts,
    picture: Attachment | None = None,
    *,
    shares: bool = False,
    deck: str = NEAREST,
) -> Message:
    """A position for one person; `shares`: they may show it to everybody."""
    page = _page(view, texts, picture, deck)
    _controls(page, view, texts, shares=shares)
    return page.message(blocks.accent(view.layout, view.head.game, texts))


def shared_review(
    view: ReviewView,
    by: str,
    texts: Texts,
    picture: Attachment | None = None,
    *,
    deck: str = NEAREST,
) -> Message:
    """A position as a person shows it to everybody."""
    page = _page(view, texts, picture, deck)
    signed(page, by, texts)
    return page.message(blocks.accent(view.layout, view.head.game, texts))


def _page(view: ReviewView, texts: Texts, picture: Attachment | None, deck: str) -> Page:
    return illustrated_page(lambda words: _shown(view, words, picture), texts, deck)


def _shown(view: ReviewView, texts: Texts, picture: Attachment | None) -> Page:
    page, head, seat = Page(), view.head, view.place.seat
    title = texts.get("rounds.title", game=texts.game_name(head.game), number=view.place.round)
    whose = texts.get("review.open")
    if seat is not None:
        whose = texts.get("review.seat", name=name(head, seat, texts))
    step = texts.get("review.step", number=view.place.position + 1, steps=view.last + 1)
    page.text(f"### {title}", small(f"{whose} · {step}"))
    if view.pause is not None:
        blocks.show_pause(page, view.pause, view.layout, head, texts)
    else:
        _table(page, view, texts, picture)
    if view.pause is None:
        if picture is None:
            page.text(*_hands(view, texts))
        page.text(*_secrets(view, texts))
    page.text(*_next(view, texts))
    if view.opinion is not None:
        page.text(*_opinion(view, texts))
    page.text(blocks.foot(view.layout.blocks, head, texts, pictured=picture is not None))
    return page


def _table(page: Page, view: ReviewView, texts: Texts, picture: Attachment | None) -> None:
    head, layout = view.head, view.layout
    asked = to_act(layout)
    turn = turn_line(layout.asks, asked, None, head, texts.plain)
    if picture is None:
        blocks.show(
            page, layout.blocks, head, texts,
            turn=turn, told=view.told, finished=layout.more, asked=view.place.seat in asked,
        )  # fmt: skip
        return
    if view.place.seat is None:
        words = open_hands_in_words(head, layout, view.hands, texts.plain)
    else:
        words = hand_in_words(head, layout, texts.plain)
    pictured = blocks.Pictured(picture, words)
    over = [block for block in layout.more if isinstance(block, Trick | LastSet)]
    blocks.show_picture(
        page, layout.blocks, pictured, head, texts,
        turn=turn, above=(), told=view.told, finished=over,
        below=blocks.small_print(layout.blocks, head, texts),
    )  # fmt: skip


def _hands(view: ReviewView, texts: Texts) -> Iterator[str]:
    """Each hand where all are open."""
    head = view.head
    for seat, cards in enumerate(view.hands):
        if cards:
            yield texts.pair(name(head, seat, texts), cards_line(cards, head.game, texts))


def _secrets(view: ReviewView, texts: Texts) -> Iterator[str]:
    """What was put aside in secret, and is told where all hands are open."""
    head = view.head
    if any(view.secrets):
        yield strong(texts.own(view.head.game, "game.secrets"))
    for seat, codes in enumerate(view.secrets):
        if codes:
            yield texts.pair(name(head, seat, texts), texts.cards(head.game, codes))


def _next(view: ReviewView, texts: Texts) -> Iterator[str]:
    """What was done at this position."""
    if view.next is None:
        if view.stopped:
            yield texts.get("review.stopped")
        return
    head = view.head
    *before, act = (texts.phrase(head.game, one, head.names) for one in view.next.told)
    for line in before:
        yield small(line)
    if view.next.secret:
        act = texts.pair(act, texts.cards(head.game, view.next.secret))
    yield f"▸ {strong(act)}"


def _opinion(view: ReviewView, texts: Texts) -> Iterator[str]:
    """What a computer player would have done in that place, and why."""
    if view.opinion is None or view.next is None:
        return
    who = name(view.head, view.next.seat, texts)
    yield texts.get("review.opinion", name=who)
    yield from (f"> {line}" for line in hint_lines(view.opinion, texts))
    if view.same:
        yield texts.get("review.same", name=who)


# Controls


def _press(view: ReviewView, move: Move) -> Press:
    seat = view.place.seat
    shown = ALL_OPEN if seat is None else seat
    argument = f"{view.place.round}|{view.place.position}|{shown}|{move}"
    return Press.at(view.head, Verb.REVIEW, argument=argument)


def _controls(page: Page, view: ReviewView, texts: Texts, *, shares: bool) -> None:
    position, last = view.place.position, view.last
    stuck = {Move.FIRST: position == 0, Move.BACK: position == 0}
    stuck |= {Move.ON: position == last, Move.LAST: position == last}
    page.row(
        [
            blank(sign, move.value) if stuck[move] else button(sign, _press(view, move))
            for move, sign in _SIGNS.items()
        ]
    )
    more = []
    if position < last:
        code = "button.next_series" if view.series else "button.next_trick"
        more.append(button(texts.get(code), _press(view, Move.LEAD)))
    if view.asks and view.opinion is None:
        more.append(button(texts.get("button.strong"), _press(view, Move.STRONG)))
    if shares:
        more.append(button(texts.get("button.share"), _press(view, Move.SHARE)))
    page.packed(more)
    page.select(_press(view, Move.VIEW), texts.get("review.view"), _views(view, texts))
    if len(view.rounds) > 1:
        rounds = _rounds(view.rounds, view.place, texts)
        page.select(_press(view, Move.ROUND), texts.get("review.round"), rounds)


def _views(view: ReviewView, texts: Texts) -> list[Option]:
    """A view for each seat, and all hands open."""
    chosen, head = view.place.seat, view.head
    whole = option(texts.get("review.open"), ALL_OPEN, default=chosen is None)
    called = [plain(head, seat, texts) for seat in range(len(head.names))]
    return [
        whole,
        *(
            option(texts.get("review.seat", name=one), str(seat), default=seat == chosen)
            for seat, one in enumerate(called)
        ),
    ]


def _rounds(rounds: Sequence[int], place: Place, texts: Texts) -> list[Option]:
    """The rounds around the one that is shown: a menu has room for twenty-five."""
    at = rounds.index(place.round)
    first = max(0, min(at - OPTIONS // 2, len(rounds) - OPTIONS))
    return [
        option(texts.get("verify.round", number=one), str(one), default=one == place.round)
        for one in rounds[first : first + OPTIONS]
    ]
