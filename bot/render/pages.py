"""Pages beside a table: rules, log, details, wishes, computer players, questions, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.i18n import Texts, relative, rules_pages
from bot.paging import paged
from bot.render import blocks
from bot.render.again import again_button
from bot.render.board import log_button, pace, rest, seek, to_table, watch
from bot.render.coaching import rules_button
from bot.render.components import GREY, Button, Page, button, option, pager, small
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import proof_lines, verify_button
from bot.render.message import Message
from bot.render.seats import name as seated
from bot.render.seats import which_table, with_level
from bot.render.sharing import MORE, RESULT, share_table, signed
from bot.views.values import Ending, KickView, Leaving, TableHead, WishesView
from engine.layout import Block, Phrase
from engine.players.levels import Level

_NOTE: Final = re.compile(r"^\[(\d+)\] (\[.*)$", re.MULTILINE)
_ASKED: Final = re.compile(r"\[(\d+)\]")
_SOURCE: Final = re.compile(r"\[(house|book|source)\]")
_SOURCES: Final = {"house": "rules.house", "book": "rules.book", "source": "rules.source"}
"""Footnotes of rules, where they are asked for, and whence they come."""

LOG_LINES: Final = 15
"""Lines of the log on a page."""


def note(text: str, *buttons: Button, accent: int | None = None) -> Message:
    """One sentence on its own, and perhaps buttons below it."""
    page = Page()
    page.text(text)
    page.row(buttons)
    return page.message(accent)


def below(text: str, message: Message) -> Message:
    """The message with one sentence above it."""
    return Message((*note(text).components, *message.components), message.files)


def download(text: str, name: str, content: bytes) -> Message:
    """One sentence, and a file of that name."""
    page = Page()
    page.text(text)
    page.file(name, content)
    return page.message(accent=None)


def way_to(text: str, url: str, texts: Texts) -> Message:
    """One sentence, and the way to the table."""
    return note(text, *to_table(url, texts))


def refusal(text: str, watched: TableHead | None, texts: Texts) -> Message:
    """Why something was refused; `watched` is a table that can be looked at instead."""
    return note(text) if watched is None else note(text, watch(watched, texts))


def greeting(head: TableHead, texts: Texts) -> Message:
    """The first direct message to a person who sat down: it is never edited."""
    said = texts.get("sit.greeting", game=texts.game_name(head.game), table=head.table)
    return note("\n".join((said, *filter(None, proof_lines(head.seal, (), head, texts)))))


def rules_page(game: str, number: int, texts: Texts) -> Message:
    """A page of a game's rules (from 0); a number beyond the ends shows the nearest."""
    pages = rules_pages(game, texts.language)
    page = Page()
    if not pages:
        page.text(f"## {texts.game_name(game)}", texts.get("rules.missing"))
        return page.message()
    number = min(max(number, 0), len(pages) - 1)
    page.text(*_noted(pages, number, texts))
    if len(pages) > 1:
        page.row(pager(number, len(pages), lambda to: Press.rules(game, to, beside=False)))
    return page.message()


def _noted(pages: Sequence[str], number: int, texts: Texts) -> Iterator[str]:
    """A page of rules, and below it the footnotes that it asks for; the last page has them all."""
    notes = dict(_NOTE.findall(pages[-1]))
    yield _NOTE.sub("", pages[number]).rstrip()
    for asked in dict.fromkeys(_ASKED.findall(_NOTE.sub("", pages[number]))):
        if asked in notes:
            said = _SOURCE.sub(lambda found: texts.get(_SOURCES[found[1]]), notes[asked])
            yield small(f"[{asked}] {said}")


def log_page(
    head: TableHead, told: Sequence[Phrase], number: int | None, texts: Texts, *, over: bool
) -> Message:
    """A page (from 0) of what everybody was told in this match; None is the newest.

    While the match is not over it can be renewed, since it does not move by itself.
    """
    shown, number, pages = paged(told, number, LOG_LINES)
    page = Page()
    page.text(f"### {texts.get('log.title', game=texts.game_name(head.game), table=head.table)}")
    if shown:
        page.text(*(texts.phrase(head.game, phrase, head.names) for phrase in shown))
    else:
        page.text(texts.get("log.empty"))
    turns = pager(number, pages, lambda to: Press.at(head, Verb.LOG, argument=str(to)))
    newest = button(texts.get("button.refresh"), Press.at(head, Verb.LOG))
    page.row([*(turns if pages > 1 else ()), *(() if over else (newest,))])
    return page.message()


def more_page(
    head: TableHead,
    more: Sequence[Block],
    texts: Texts,
    *,
    seated: bool,
    ends: bool,
    wishes: Sequence[Button] = (),
    shares: bool = False,
    line: Button | None = None,
) -> Message:
    """Details that do not fit on the board; on top the blocks to look at on demand: the last trick.

    `ends`: the reader may end the match or vote for that; `wishes`: their other wishes; `shares`:
    they may show everybody what is on top; `line`: the way into the line for a seat, or out of it.
    """
    page = Page()
    blocks.show(page, more, head, texts)
    if shares and more:
        page.row([share_table(head, MORE, texts)])
    page.text(small(which_table(head, texts)))
    log, rules = log_button(head, texts), rules_button(head.game, texts)
    page.row([log, rules, button(texts.get("button.table"), Press.at(head, Verb.TABLE))])
    leave = button(texts.get("button.leave_match"), Press.at(head, Verb.LEAVE))
    row = [leave] if seated else [] if line is None else [line]
    row.append(verify_button(head, texts))
    if ends:
        row.append(button(texts.get("button.end"), Press.at(head, Verb.END), "danger"))
    page.row(row)
    page.packed(wishes)
    return page.message()


def after_page(head: TableHead, texts: Texts, *, shares: bool, again: bool) -> Message:
    """Details that do not fit on a result; `shares`: the reader may show it to everybody; `again`:
    there is a deal to be played again."""
    page = Page()
    page.text(small(which_table(head, texts)))
    log, rules = log_button(head, texts), rules_button(head.game, texts)
    page.row([log, rules, *([share_table(head, RESULT, texts)] if shares else [])])
    page.row([again_button(head, texts)] if again else [])
    return page.message()


def shared_more(head: TableHead, more: Sequence[Block], name: str, texts: Texts) -> Message:
    """The last trick, as a person shows it to everybody."""
    page = Page()
    blocks.show(page, more, head, texts)
    page.text(small(which_table(head, texts)))
    signed(page, name, texts)
    return page.message()


# Wishes at a running table.


def wish_buttons(view: WishesView, texts: Texts) -> list[Button]:
    """Buttons of one person's wishes."""
    head, row = view.head, list[Button]()
    if view.take_back is not None:
        asks = Press.at(head, Verb.UNDO, view.take_back)
        row.append(button(texts.get("button.take_back"), asks))
    if view.nudge is not None:
        row.append(button(texts.get("button.nudge"), Press.at(head, Verb.NUDGE, view.nudge)))
    if view.away is not None:
        row.append(seek(head, view.away, texts))
    if view.resting is not None:
        row.append(rest(head, texts, resting=view.resting))
    if view.pace is not None:
        row.append(pace(head, texts))
    return row


def pace_page(
    head: TableHead, holds: str, others: Sequence[str], needed: int, texts: Texts
) -> Message:
    """All other paces, to vote for one; `holds` is the present one."""
    page = Page()
    page.text(
        texts.get("pace.ask", pace=texts.get(f"pace.{holds}")),
        small(texts.get("pace.ask_votes", count=needed)),
    )
    options = [option(texts.get(f"pace.{one}"), one) for one in others]
    page.select(Press.at(head, Verb.PACE, argument="1"), texts.get("pace.choose"), options)
    return page.message()


# Computer players of a lobby.


def computers_page(
    head: TableHead,
    texts: Texts,
    notice: str = "",
    *,
    kept: datetime | None = None,
    counts: bool = False,
) -> Message:
    """Levels for another computer player, and those that may go; `notice`: what was done.

    Until `kept` places are kept for the people of the match before.  `counts`: the leaderboard
    counts matches with computer players.
    """
    page = Page()
    free = any(sitter.free and not sitter.awaited for sitter in head.sitters)
    held = [
        texts.called(sitter.awaited) for sitter in head.sitters if sitter.free and sitter.awaited
    ]
    if free:
        page.text(notice, texts.get("computers.choose"))
    elif held and kept is not None:
        names, time = texts.list(held), relative(kept)
        said = texts.get("computers.held", names=names, count=len(held), time=time)
        page.text(notice, said)
    elif held:  # until when is not the same for all
        said = texts.get("computers.offered", names=texts.list(held), count=len(held))
        page.text(notice, said)
    else:
        seated = any(sitter.computer is not None for sitter in head.sitters)
        room = texts.get("computers.make_room") if seated else ""
        page.text(notice, " ".join(filter(None, [texts.get("computers.full"), room])))
    if free:
        page.rows(
            [
                button(
                    texts.get(f"level.{level}"),
                    Press.at(head, Verb.ADD_COMPUTER, argument=level.value),
                    "primary" if level is Level.NORMAL else "secondary",
                )
                for level in Level
            ]
        )
        uncounted = "" if counts else texts.get("computers.uncounted")
        page.text(small(" ".join(filter(None, [texts.get("computers.levels"), uncounted]))))
    page.packed(
        [
            button(
                texts.get("computers.remove", name=with_level(sitter.computer, texts)),
                Press.at(head, Verb.NO_COMPUTER, argument=str(sitter.seat)),
            )
            for sitter in head.sitters
            if sitter.computer is not None
        ]
    )
    return page.message()


# Questions before something irrevocable: starting, leaving, ending, removing somebody.

NOW: Final = "now"
"""The argument of a press that was asked about and is confirmed."""


def confirm_start(head: TableHead, agreement: str, texts: Texts) -> Message:
    """Asks before a match begins without those for whom places are kept."""
    people = [texts.called(sitter.awaited) for sitter in head.sitters if sitter.awaited]
    said = texts.get("start.awaited", names=texts.list(people), count=len(people))
    start = Press.at(head, Verb.START, argument=f"{NOW}|{agreement}")
    return note(said, button(texts.get("button.start_now"), start, "danger"), accent=GREY)


def confirm_leave(head: TableHead, means: Leaving, texts: Texts) -> Message:
    """Asks before a seat in a running match is given up, and says what that means."""
    done = Press.at(head, Verb.LEAVE_NOW, argument=means)
    leave = button(texts.get("button.leave_now"), done, "danger")
    return note(texts.get(means), leave, accent=GREY)


def confirm_end(
    head: TableHead, votes: tuple[int, int] | None, time: timedelta, texts: Texts
) -> Message:
    """Asks before a match is ended.

    `votes` are those given and those needed; None for a person who decides alone.  `time` is left
    to the others once they are given.
    """
    page, means = Page(), Ending.ALONE if votes is None else Ending.VOTE
    page.text(texts.get(means, time=texts.duration(time)))
    if votes is not None:
        page.text(small(texts.get("board.votes", count=votes[0], needed=votes[1])))
    label = texts.get("button.end_now" if votes is None else "button.vote")
    page.row([button(label, Press.at(head, Verb.END_NOW, argument=means), "danger")])
    return page.message(GREY)


def confirm_kick(view: KickView, texts: Texts) -> Message:
    """Asks before a person's seat or place in line is taken away, or before a vote for that."""
    page = Page()
    if view.seat is None:
        said = [texts.get(view.means, name=texts.called(view.waiting))]
    else:
        name = seated(view.head, view.seat, texts)
        said = [texts.get(view.means, name=name, seat=view.seat + 1)]
        if view.counts:
            said.append(texts.get("kick.counts", name=name))
    page.text(" ".join(said))
    if view.votes is not None:
        given, needed = view.votes
        page.text(small(texts.get("kick.votes", count=given, needed=needed)))
    label = texts.get("button.kick" if view.votes is None else "button.kick_vote")
    press = Press.at(view.head, Verb.KICK_NOW, argument=f"{view.means}|{view.target}")
    page.row([button(label, press, "danger")])
    return page.message(GREY)
