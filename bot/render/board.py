"""The running match in the channel: shuffling, board, pause; and the copy of a spectator.

If a clock runs everything says until when, as Discord timestamps.  A seat for which a stand-in
plays is marked, and has buttons to take it back or to take it over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.emojis import NEAREST
from bot.i18n import Texts, relative
from bot.ids import Computer
from bot.pictures.signs import board_signs
from bot.render import blocks
from bot.render.again import again_line
from bot.render.alt_text import board_in_words, short_names
from bot.render.coaching import goal, key
from bot.render.components import Button, Page, button, fits, link, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import cut_button, proof_lines
from bot.render.emoji_texts import illustrated
from bot.render.message import Attachment, Message
from bot.render.results import rounds_button
from bot.render.review import review_button
from bot.render.seats import side_name, turn_line
from bot.views.values import BetweenRoundsView, BoardView, NoticeView, ShufflingView, TableHead
from engine.layout import Act

BOARD_ACTS: Final = 2
"""Maximum number of actions on the board itself."""


def shuffling_message(view: ShufflingView, texts: Texts, *, watched: bool = False) -> Message:
    """Seats and words are closed; this message's own id goes into the deal."""
    head = view.head
    page = Page()
    page.text(
        f"## {texts.game_name(head.game)}",
        again_line(head, texts) or strong(texts.get("shuffling", number=view.round)),
        small(texts.get("table.named", table=head.table)),
    )
    if watched:
        page.row([watch_again(head, texts)])
    page.text(*proof_lines("", view.words, head, texts), copy_line(texts, watched=watched))
    return page.message()


def board_message(
    view: BoardView,
    texts: Texts,
    picture: Attachment | None = None,
    *,
    watched: bool = False,
    farewell: bool = False,
    deck: str = NEAREST,
) -> Message:
    """A round, or the pause after it, with the emoji of a deck.

    `watched` is the copy of a spectator: it can be renewed, and has no moves.  `farewell` says that
    the program is about to be restarted.  A `picture` shows the cards on the table.
    """
    words = board_in_words(view.head, view.layout, texts) if picture else ""
    pictured = picture and blocks.Pictured(picture, words)
    texts = illustrated(texts, deck)
    page = Page()
    farewells = [texts.get("board.farewell")] if farewell else []
    if view.pause is None:
        _round(page, view, texts, farewells, pictured, watched=watched)
        return page.message(blocks.accent(view.layout, view.head.game, texts))
    _pause(page, view, view.pause, texts, farewells, watched=watched)
    return page.message()


def notice_message(view: NoticeView, url: str | None, texts: Texts) -> Message:
    """The line that calls the people who are asked: only its mentions ping.

    Its sender allows mentions of these people only.
    """
    people = " ".join(f"<@{user}>" for user in view.calls)
    page = Page()
    if view.due is None:
        page.text(texts.get("notice.turn", people=people))
    else:
        code = "notice.warned" if view.warned else "notice.turn_until"
        code = "notice.idle" if view.idle else code
        page.text(texts.get(code, people=people, time=relative(view.due)))
    hand = button(texts.get("button.hand"), Press.at(view.head, Verb.HAND), "primary")
    page.row([hand, *to_table(url, texts)])
    return page.message(accent=None)


def in_line(head: TableHead, texts: Texts) -> str:
    """`In line: Eve, Fay`; empty if nobody is."""
    if not head.waiting:
        return ""
    return texts.get("line.waiting", names=texts.list([texts.called(one) for one in head.waiting]))


def get_in_line(head: TableHead, texts: Texts) -> Button:
    """Takes a seat, or a place in the line for one."""
    return button(texts.get("button.get_in_line"), Press.at(head, Verb.JOIN))


def copy_line(texts: Texts, *, watched: bool) -> str:
    """Says that a spectator's copy does not move by itself."""
    return small(texts.get("watch.copy")) if watched else ""


def watch_again(head: TableHead, texts: Texts) -> Button:
    """Renews a spectator's copy."""
    return button(texts.get("button.refresh"), Press.at(head, Verb.WATCH), "primary")


def watch(head: TableHead, texts: Texts) -> Button:
    """Opens the spectator's copy."""
    return button(texts.get("button.watch"), Press.at(head, Verb.WATCH), "primary")


def rest(head: TableHead, texts: Texts, *, resting: bool) -> Button:
    """Votes for a rest of the match, or for its end while it rests."""
    code, argument = ("button.resume", "0") if resting else ("button.rest", "1")
    return button(texts.get(code), Press.at(head, Verb.REST, argument=argument))


def pace(head: TableHead, texts: Texts) -> Button:
    """Asks for another pace, to vote for it."""
    return button(texts.get("button.pace"), Press.at(head, Verb.PACE))


def seek(head: TableHead, seat: int, texts: Texts) -> Button:
    """Calls for a substitute on that seat."""
    return button(texts.get("button.seek"), Press.at(head, Verb.SEEK, argument=str(seat)))


def back(head: TableHead, texts: Texts) -> Button:
    """Takes one's own seat back from the stand-in."""
    return button(texts.get("button.im_back"), Press.at(head, Verb.BACK), "success")


# A round


def _round(
    page: Page,
    view: BoardView,
    texts: Texts,
    farewells: Sequence[str],
    pictured: blocks.Pictured | None,
    *,
    watched: bool,
) -> None:
    head, shown = view.head, view.layout.blocks
    turn = turn_line(view.layout.asks, view.actors, None, head, texts)
    learnt = goal(view.layout, head, texts, learns=view.learns, pictured=True)
    acts = [] if watched else _acts(view, texts)
    # Whoever answers here need not open their hand to read what the question means.
    learnt, words = learnt[:1], learnt[1:] if acts else []
    if pictured is None:
        blocks.show(
            page, shown, head, texts,
            turn=turn, above=[*farewells, *learnt], told=view.log, finished=view.layout.more,
        )  # fmt: skip
    else:
        blocks.show_picture(
            page, shown, pictured, head, texts,
            turn=turn, above=farewells, told=view.log,
            below=[*learnt, *blocks.small_print(shown, head, texts)],
        )  # fmt: skip
    page.text(_due(view, texts), _credited(view, texts))
    if watched:
        page.row([watch_again(head, texts), *log_and_more(head, texts)])
    else:
        hand = button(texts.get("button.hand"), Press.at(head, Verb.HAND), "primary")
        if fits(row := [hand, *acts, *log_and_more(head, texts)]):
            page.row(row)
        else:
            page.rows(acts)
            page.row([hand, *log_and_more(head, texts)])
    _absent(page, view, texts, watched=watched)
    page.text(
        *words,
        _signs(view, texts) if pictured is not None else "",
        small(texts.get("proof.no_post")) if view.post == "" else "",
        small(again_line(head, texts)),
        copy_line(texts, watched=watched),
        blocks.foot(shown, head, texts, pictured=pictured is not None),
    )


def _signs(view: BoardView, texts: Texts) -> str:
    """What the signs in the picture mean, for somebody new."""
    if not view.learns:
        return ""
    game, names = view.head.game, short_names(view.head, texts)
    return key(board_signs(game, view.layout, names), game, texts)


def _due(view: BoardView, texts: Texts) -> str:
    """Whose time runs, and until when."""
    if view.due is None or not view.asked:
        return ""
    who = strong(side_name(view.head, view.asked, texts))
    code = "board.idle" if view.idle else "board.due"
    return texts.get(code, names=who, time=relative(view.due))


def _credited(view: BoardView, texts: Texts) -> str:
    """Says how long the program was away, which counts for nobody."""
    if not view.credited:
        return ""
    return small(texts.get("board.credited", time=texts.duration(view.credited)))


def _acts(view: BoardView, texts: Texts) -> list[Button]:
    """Buttons of the only actor on the board itself: everybody knows that these acts are legal.

    Of a computer player none: people would take them for their own.
    """
    if view.question is None:
        return []
    if view.actors and all(isinstance(view.head.names[seat], Computer) for seat in view.actors):
        return []
    head, acts = view.head, [act for act in view.layout.controls if isinstance(act, Act)]
    found = []
    for act in acts[:BOARD_ACTS]:
        label = act.action
        if act.label is not None:
            label = texts.phrase(head.game, act.label, head.names, plain=True)
        found.append(button(label, Press.at(head, Verb.ACT, view.question, act.action)))
    return found


# Between two rounds


def _pause(
    page: Page,
    view: BoardView,
    pause: BetweenRoundsView,
    texts: Texts,
    farewells: Sequence[str],
    *,
    watched: bool,
) -> None:
    head = view.head
    blocks.show_pause(page, pause, view.layout, head, texts, farewells)
    page.text(_credited(view, texts))
    if watched:
        page.row([watch_again(head, texts), *log_and_more(head, texts)])
    else:
        press = Press.at(head, Verb.NEXT, pause.question)
        page.row_or_rows(
            [button(texts.get("button.next"), press, "success"), cut_button(head, texts)],
            [
                rounds_button(head, texts),
                *([review_button(head, texts)] if pause.opened else []),
                *log_and_more(head, texts),
            ],
        )
    _absent(page, view, texts, watched=watched)
    page.text(
        *proof_lines("", pause.words, head, texts),
        copy_line(texts, watched=watched),
        blocks.foot(view.layout.blocks, head, texts),
    )


# Both


def to_table(url: str | None, texts: Texts) -> list[Button]:
    """The way to the board, where there is one."""
    return [] if url is None else [link(texts.get("button.to_table"), url)]


def to_result(url: str | None, texts: Texts) -> list[Button]:
    """The way to the result, where there is one."""
    return [] if url is None else [link(texts.get("button.to_result"), url)]


def _absent(page: Page, view: BoardView, texts: Texts, *, watched: bool) -> None:
    """People for whom stand-ins play and how that ends; votes under way, each with its button."""
    head = view.head
    free = [sitter.seat for sitter in head.sitters if sitter.free and not sitter.awaited]
    away = [s.seat for s in head.sitters if s.stand_in and s.user is not None]
    lines = []
    if away:
        lines.append(texts.get("board.away", names=side_name(head, away, texts)))
    if free:
        seats = texts.list([str(seat + 1) for seat in free])
        lines.append(texts.get("board.free", count=len(free), seats=seats))
    for sitter in head.sitters:
        if sitter.free and sitter.awaited:
            offered = texts.called(sitter.awaited)
            lines.append(texts.get("board.offered", number=sitter.seat + 1, name=offered))
    given, needed = view.rest_votes
    if view.rest is not None:
        lines.append(texts.get("board.rest", time=relative(view.rest), count=needed))
    if given:
        code = "board.rest_votes" if view.rest is None else "board.resume_votes"
        lines.append(texts.get(code, count=given, needed=needed))
    if view.coming is not None:
        lines.append(texts.get("board.coming", pace=texts.get(f"pace.{view.coming}")))
    for wanted, count in view.paces:
        named, required = texts.get(f"pace.{wanted}"), view.votes_needed
        lines.append(texts.get("board.paces", pace=named, count=count, needed=required))
    if view.ends is not None:
        lines.append(texts.get("board.ends", time=relative(view.ends)))
    elif view.end_votes:
        lines.append(texts.get("board.votes", count=view.end_votes, needed=view.votes_needed))
    page.text(*lines, small(in_line(head, texts)))
    takes = [
        button(
            texts.get("button.take", number=seat + 1),
            Press.at(head, Verb.TAKE, argument=str(seat)),
            "success",
        )
        for seat in free
    ]
    if watched and view.has_line and not free:
        takes.append(get_in_line(head, texts))
    if view.seekable and not watched:
        takes.append(seek(head, view.seekable[0], texts))
    if view.ends is not None or (view.end_votes and not watched):
        takes.append(button(texts.get("button.end"), Press.at(head, Verb.END), "danger"))
    if (view.rest is not None or given) and not watched:
        takes.append(rest(head, texts, resting=view.rest is not None))
    if view.paces and not watched:
        takes.append(pace(head, texts))
    page.packed([*([back(head, texts)] if away and not watched else []), *takes])


def log_button(head: TableHead, texts: Texts) -> Button:
    return button(texts.get("button.log"), Press.at(head, Verb.LOG))


def log_and_more(head: TableHead, texts: Texts) -> tuple[Button, Button]:
    return log_button(head, texts), button(texts.get("button.more"), Press.at(head, Verb.MORE))
