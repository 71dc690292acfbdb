"""Lists of tables, choosing one of them, and a link to the next one that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.i18n import Texts, relative, safe_text
from bot.ids import Somebody, TableId
from bot.plain_text import told_apart
from bot.render.board import to_table
from bot.render.components import Button, Option, Page, button, option, pager, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.offers import join_button
from bot.render.seats import name, side_name
from bot.views.listing import Listed, TablesView, Waits, Whose

LINES: Final = 5
"""Tables on a page: a message has 40 parts."""

NAME: Final = 16
"""Characters of a name on such a page."""

_TO_WATCH: Final = frozenset(Waits) - {Waits.NOBODY}


def tables_page(view: TablesView, texts: Texts) -> Message:
    """A page of tables: whose turn, until when, and the way there."""
    page = Page()
    page.text(f"## {texts.get('tables.mine' if view.whose is Whose.MINE else 'tables.here')}")
    if not view.lines:
        none = "tables.none_mine" if view.whose is Whose.MINE else "tables.none_here"
        page.text(texts.get(none))
    for line in map(_shortened, view.lines):
        page.text(
            f"{strong(texts.game_name(line.head.game))} · {_state(line, texts)}",
            small(" · ".join(_facts(line, texts))),
        )
        page.row([*_buttons(line, view.whose, texts), *to_table(line.url, texts)])
    if view.pages > 1:
        page.row(pager(view.page, view.pages, lambda to: _press(view.whose, to)))
    if view.on_server:
        if view.whose is Whose.MINE:
            other = button(texts.get("button.tables_here"), _press(Whose.HERE))
        else:
            other = button(texts.get("button.tables_mine"), _press(Whose.MINE))
        page.row([other])
    return page.message()


def _shortened(line: Listed) -> Listed:
    """The line with names short enough for six of them twice, on a page full of tables."""
    sitters = line.head.sitters
    own = ["" if isinstance(one.name, Somebody) else one.name for one in sitters]
    names = told_apart(own, NAME)
    short = tuple(
        one._replace(name=name or one.name) for one, name in zip(sitters, names, strict=True)
    )
    return replace(line, head=replace(line.head, sitters=short))


def _press(whose: Whose, page: int = 0) -> Press:
    """Opens that page, from 0, of a list of tables."""
    return Press(Verb.TABLES, argument=f"{whose}|{page}")


def which_table(lines: Sequence[Listed], command: str, texts: Texts) -> Message:
    """Asks which of one's tables a command is about, and runs it with the one chosen."""
    page = Page()
    page.text(texts.get("tables.which"))
    options = [_option(line, texts) for line in lines]
    page.select(Press(Verb.PICK, argument=command), texts.get("tables.choose"), options)
    return page.message(accent=None)


def with_next(message: Message, table: TableId, texts: Texts) -> Message:
    """`message`, which is about `table`, and below it the way to another that waits."""
    press = Press(Verb.NEXT_TABLE, argument=table)
    onward = button(texts.get("button.next_table"), press, "primary")
    row = {"type": 1, "components": [onward]}
    return Message((*message.components, row), message.files)


def _option(line: Listed, texts: Texts) -> Option:
    head = line.head
    people = ", ".join(texts.called(one, plain=True) for one in head.names if one)
    said = texts.get("tables.your_turn") if line.waits is Waits.YOU else ""
    return option(
        f"{texts.game_name(head.game)} · {people}",
        head.table,
        " · ".join(filter(None, (said, line.place, head.table))),
    )


def _state(line: Listed, texts: Texts) -> str:
    """Whose turn it is, or what else the table waits for, and until when."""
    head = line.head
    taken = sum(not sitter.free for sitter in head.sitters)
    match line.waits:
        case Waits.YOU:
            said = strong(texts.get("tables.your_turn"))
        case Waits.OTHERS:
            said = texts.get("tables.others", names=side_name(head, line.seats, texts))
        case Waits.PEOPLE:
            said = texts.get("tables.people", taken=taken, seats=len(head.sitters))
        case Waits.READY | Waits.ENOUGH | Waits.CARDS | Waits.ROUND | Waits.REST | Waits.NOBODY:
            said = texts.get(_STATES[line.waits])
    if line.until is None:
        return said
    code = "tables.planned" if line.starts else _UNTIL.get(line.waits, "tables.time")
    until = texts.get(code, time=relative(line.until))
    return f"{said} · {until}"


_STATES: Final = {
    Waits.READY: "tables.ready",
    Waits.ENOUGH: "tables.enough",
    Waits.CARDS: "tables.cards",
    Waits.ROUND: "tables.round",
    Waits.REST: "tables.rest",
    Waits.NOBODY: "tables.unreadable",
}


_UNTIL: Final = {
    Waits.PEOPLE: "tables.closes",
    Waits.READY: "tables.closes",
    Waits.ENOUGH: "tables.closes",
    Waits.ROUND: "tables.starts",
    Waits.REST: "tables.resumes",
}


def _facts(line: Listed, texts: Texts) -> list[str]:
    """The table's place, its people, and its id."""
    head = line.head
    people = [name(head, s.seat, texts) for s in head.sitters if not s.free]
    return [safe_text(line.place), *([texts.list(people)] if people else []), head.table]


def _buttons(line: Listed, whose: Whose, texts: Texts) -> list[Button]:
    head = line.head
    if line.seated:
        has_hand = line.waits in (Waits.YOU, Waits.OTHERS, Waits.ROUND, Waits.REST)
        hand = button(
            texts.get("button.hand"),
            Press.at(head, Verb.HAND),
            "primary" if line.waits is Waits.YOU else "secondary",
        )
        return [hand] if has_hand else []
    if whose is Whose.MINE:
        return []  # got up meanwhile
    shown = [button(texts.get("button.watch"), Press.at(head, Verb.TABLE))]
    row = shown if line.waits in _TO_WATCH else []
    if line.joins:
        row.append(join_button(head, texts))
    if line.takes is not None:
        press = Press.at(head, Verb.TAKE, argument=str(line.takes))
        row.append(button(texts.get("button.take", number=line.takes + 1), press, "success"))
    return row
