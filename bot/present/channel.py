"""The table's message in the channel: lobby, board, result.

Whoever sends it allows no mentions; it names people in text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, assert_never

from bot.i18n import Texts, safe_name
from bot.present import blocks
from bot.present.ids import Press, Verb
from bot.present.kit import (
    GOLD,
    GREY,
    OPTIONS,
    Button,
    Message,
    Page,
    button,
    link,
    option,
    small,
    strong,
)
from bot.present.views import (
    BoardView,
    ChannelView,
    ClosedView,
    LobbyView,
    Pause,
    ResultView,
    TableHead,
)
from engine.layout import Act

MEDALS: Final = ("🥇", "🥈", "🥉", "4️⃣", "5️⃣", "6️⃣")

ROUNDS_SHOWN: Final = 20
"""So many rounds of a match are added up in its result; a text has its limits."""


def channel_message(view: ChannelView, texts: Texts) -> Message:
    """What the channel sees of a table now."""
    match view:
        case LobbyView():
            return _lobby(view, texts)
        case BoardView():
            return _board(view, texts) if view.pause is None else _pause(view, view.pause, texts)
        case ResultView():
            return _result(view, texts)
        case ClosedView():
            return _closed(view, texts)
        case _:
            assert_never(view)


def retired_board(url: str, code: str, texts: Texts, head: TableHead, number: int = 0) -> Message:
    """What is left of a board that was posted anew: one line and the way there."""
    said = texts.get(code, game=texts.game_name(head.game), number=number, table=head.table)
    page = Page()
    page.text(small(said))
    page.row([link(texts.get("button.to_table"), url)])
    return page.message(accent=None)


# The lobby


def _lobby(view: LobbyView, texts: Texts) -> Message:
    head = view.head
    page = Page()
    page.text(
        f"## {texts.game_name(head.game)}",
        texts.game_tagline(head.game),
        small(" · ".join(_facts(view, texts))),
    )
    page.line()
    page.text(*(f"{place + 1}. {_place(head, place, texts)}" for place in range(len(head.sitters))))
    page.row(
        [
            button(texts.get("button.join"), Press(Verb.JOIN, head.table), "success"),
            button(texts.get("button.leave"), Press(Verb.LEAVE, head.table)),
            _rules(head, texts),
            _start(view, texts),
        ]
    )
    free = [sitter for sitter in head.sitters if sitter.user is None]
    if free:
        page.select(
            Press(Verb.SIT, head.table),
            texts.get("seat.choose"),
            [
                option(
                    texts.get("seat.number", number=sitter.seat + 1),
                    str(sitter.seat),
                    "" if sitter.team is None else texts.get("seat.team", number=sitter.team + 1),
                )
                for sitter in free[:OPTIONS]
            ],
        )
    page.text(small(_when(view, texts)))
    return page.message()


def _facts(view: LobbyView, texts: Texts) -> Iterable[str]:
    """Players, length of the match, who may sit down."""
    most = len(view.head.sitters)
    if view.minimum == most:
        yield texts.get("lobby.players", count=most)
    else:
        yield texts.get("lobby.players_range", minimum=view.minimum, maximum=most)
    yield from options_text(view.head.game, view.head.options, texts)
    if view.private:
        yield texts.get("lobby.private")


def options_text(game: str, options: Mapping[str, int | bool | str], texts: Texts) -> Iterable[str]:
    """The options that are numbers or switched on; the others only say which of these count."""
    for key, value in options.items():
        if not isinstance(value, str) and value is not False:
            yield texts.option(game, key, value)


def _place(head: TableHead, place: int, texts: Texts) -> str:
    sitter = head.sitters[place]
    if sitter.user is None:
        return f"*{texts.get('seat.free')}*"
    who = strong(safe_name(sitter.name))
    return f"{who} · {texts.get('seat.host')}" if sitter.user == head.host else who


def _when(view: LobbyView, texts: Texts) -> str:
    if view.starts is not None:
        return texts.get("lobby.starts", time=_relative(view.starts))
    if view.closes is not None:
        return texts.get("lobby.closes", time=_relative(view.closes))
    return ""


def _start(view: LobbyView, texts: Texts) -> Button:
    table = view.head.table
    if view.starts is not None:
        return button(texts.get("button.hold"), Press(Verb.HOLD, table), "danger")
    press = Press(Verb.START, table)
    return button(texts.get("button.start"), press, "primary", disabled=not view.can_start)


# The running match


def _board(view: BoardView, texts: Texts) -> Message:
    head = view.head
    page = Page()
    _vacancies(page, view, texts)
    blocks.show(page, view.layout.blocks, head, texts)
    log = " · ".join(texts.phrase(head.game, told, blocks.names(head)) for told in view.log)
    page.text(small(log))
    row = [button(texts.get("button.hand"), Press(Verb.HAND, head.table), "primary")]
    if view.question is not None:
        row += [
            button(_label(act, head, texts), Press(Verb.ACT, head.table, view.question, act.action))
            for act in view.layout.controls
            if isinstance(act, Act)
        ][:2]
    page.row([*row, *_log_and_more(head, texts)])
    _vacant_buttons(page, head, texts)
    return page.message(blocks.accent(view.layout))


def _pause(view: BoardView, pause: Pause, texts: Texts) -> Message:
    head = view.head
    page = Page()
    _vacancies(page, view, texts)
    blocks.show_pause(page, pause, view.layout, head, texts)
    press = Press(Verb.NEXT, head.table, pause.question)
    page.row([button(texts.get("button.next"), press, "success"), *_log_and_more(head, texts)])
    _vacant_buttons(page, head, texts)
    return page.message()


def _vacant(head: TableHead) -> list[int]:
    return [sitter.seat for sitter in head.sitters if sitter.user is None]


def _vacancies(page: Page, view: BoardView, texts: Texts) -> None:
    """Whom the match waits for, and votes to end it."""
    free = _vacant(view.head)
    lines = []
    if free:
        seats = texts.list([str(seat + 1) for seat in free])
        lines.append(strong(texts.get("board.waiting", count=len(free), seats=seats)))
    if view.end_votes:
        votes = texts.get("board.votes", count=view.end_votes, needed=view.votes_needed)
        lines.append(small(votes))
    page.text(*lines)


def _vacant_buttons(page: Page, head: TableHead, texts: Texts) -> None:
    free = _vacant(head)
    if free:
        take = (
            button(
                texts.get("button.take", number=seat + 1),
                Press(Verb.TAKE, head.table, argument=str(seat)),
                "success",
            )
            for seat in free
        )
        end = button(texts.get("button.end"), Press(Verb.END, head.table), "danger")
        page.rows([*take, end])


def _log_and_more(head: TableHead, texts: Texts) -> tuple[Button, Button]:
    return (
        button(texts.get("button.log"), Press(Verb.LOG, head.table)),
        button(texts.get("button.more"), Press(Verb.MORE, head.table)),
    )


def _label(act: Act, head: TableHead, texts: Texts) -> str:
    if act.label is None:
        return act.action
    return texts.phrase(head.game, act.label, blocks.names(head), plain=True)


# The end


def _result(view: ResultView, texts: Texts) -> Message:
    head = view.head
    page = Page()
    game = texts.game_name(head.game)
    if view.scores is None or view.ranking is None:
        page.text(
            f"## {texts.get('result.stopped_title', game=game)}",
            texts.get(f"result.stopped_{view.stop or 'host'}"),
            small(texts.get("result.counts_for_nobody")),
        )
        totals = [sum(points) for points in zip(*view.rounds, strict=True)]
        if totals:
            page.text(*(_line(view, seat, totals[seat], texts) for seat in range(len(totals))))
    else:
        scores, ranking = view.scores, view.ranking
        page.text(f"## {texts.get('result.title', game=game)}")
        order = sorted(range(len(ranking)), key=lambda seat: (ranking[seat], seat))
        page.text(
            *(
                f"{MEDALS[min(ranking[seat], len(MEDALS)) - 1]} "
                + _line(view, seat, scores[seat], texts)
                for seat in order
            )
        )
    footer = [texts.get("result.rounds", count=len(view.rounds))] if view.rounds else []
    if view.scores is not None and set(view.starters) != set(blocks.names(head)):
        names = texts.list([safe_name(starter) for starter in view.starters])
        footer.append(texts.get("result.counts_for", names=names))
    page.text(small(" · ".join([*footer, head.table])))
    page.row(
        [
            button(texts.get("button.rematch"), Press(Verb.REMATCH, head.table), "success"),
            button(texts.get("button.log"), Press(Verb.LOG, head.table)),
            _rules(head, texts),
        ]
    )
    return page.message(GREY if view.scores is None else GOLD)


def _line(view: ResultView, seat: int, total: int, texts: Texts) -> str:
    """`**Cat** · **42** (12 + 0 + 30)`."""
    who = strong(blocks.name(view.head, seat, texts))
    line = f"{who} · {texts.get('seat.points', count=total)}"
    if len(view.rounds) < 2:
        return line
    sums = [texts.number(points[seat]) for points in view.rounds]
    if len(sums) > ROUNDS_SHOWN:
        sums = ["…", *sums[-ROUNDS_SHOWN:]]
    return f"{line}\n{small(' + '.join(sums))}"


def _closed(view: ClosedView, texts: Texts) -> Message:
    page = Page()
    page.text(
        f"## {texts.game_name(view.head.game)}",
        texts.get("closed.expired" if view.expired else "closed.ended"),
        small(texts.get("closed.again")),
    )
    return page.message(GREY)


def _rules(head: TableHead, texts: Texts) -> Button:
    return button(texts.get("button.rules"), Press(Verb.RULES, head.game, argument="0"))


def _relative(time: datetime) -> str:
    return f"<t:{int(time.timestamp())}:R>"
