"""The table's message in the channel: lobby, shuffling, board, result.

Whoever sends it allows no mentions; it names people in text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, assert_never

import discord

from bot.i18n import Texts, plain_name, safe_name
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
    fits,
    link,
    option,
    small,
    strong,
)
from bot.present.proof import cut_button, following_line, proof_lines, verify_button
from bot.present.seats import names, side_name, sides
from bot.present.views import (
    BoardView,
    ChannelView,
    ClosedView,
    LobbyView,
    Pause,
    ResultView,
    ShufflingView,
    Sitter,
    TableHead,
)
from engine.layout import Act, SeatRow

MEDALS: Final = ("🥇", "🥈", "🥉", "4️⃣", "5️⃣", "6️⃣")

BOARD_ACTS: Final = 2
"""So many actions at most stand on the board itself."""

ROUNDS_SHOWN: Final = 20
"""So many rounds of a match are added up in its result; a text has its limits."""


def channel_message(view: ChannelView, texts: Texts) -> Message:
    """What the channel sees of a table now."""
    match view:
        case LobbyView():
            return _lobby(view, texts)
        case ShufflingView():
            return _shuffling(view, texts)
        case BoardView():
            return _board(view, texts) if view.pause is None else _pause(view, view.pause, texts)
        case ResultView():
            return _result(view, texts)
        case ClosedView():
            return _closed(view, texts)
        case _:
            assert_never(view)


def retired_board(
    url: str,
    code: str,
    texts: Texts,
    head: TableHead,
    number: int = 0,
    *,
    commitment: str = "",
    words: Sequence[str] = (),
) -> Message:
    """What is left of a board that was posted anew: one line and the way there.

    It keeps the commitment and the words that it carried: whoever checks a deal finds them here.
    """
    said = texts.get(code, game=texts.game_name(head.game), number=number, table=head.table)
    page = Page()
    page.text(small(said), *proof_lines(commitment, words, head, texts))
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
    page.text(*_places(head, texts))
    page.row(
        [
            button(texts.get("button.join"), Press(Verb.JOIN, head.table), "success"),
            button(texts.get("button.leave"), Press(Verb.LEAVE, head.table)),
            _rules(head, texts),
            _start(view, texts),
        ]
    )
    page.row([cut_button(head.table, texts)])
    _seat_menu(page, head, texts)
    page.text(small(_when(view, texts)), *proof_lines(view.commitment, view.words, head, texts))
    return page.message()


def _places(head: TableHead, texts: Texts) -> Iterable[str]:
    """The places in the order of play; teams together, under their name."""
    if all(sitter.team is None for sitter in head.sitters):
        yield from (f"{seat + 1}. {_place(head, seat, texts)}" for seat in range(len(head.sitters)))
        return
    for number, side in enumerate(sides(head), start=1):
        yield strong(texts.get("seat.team", number=number))
        # No "1." here: Discord would count these lists anew.
        yield from (f"{seat + 1} · {_place(head, seat, texts)}" for seat in side)


def _seat_menu(page: Page, head: TableHead, texts: Texts) -> None:
    """Free seats; in games of teams also the others: the host may swap."""
    offered = [s for s in head.sitters if s.user is None or s.team is not None]
    if offered:
        page.select(
            Press(Verb.SIT, head.table),
            texts.get("seat.choose"),
            [_seat_option(sitter, texts) for sitter in offered[:OPTIONS]],
        )


def _seat_option(sitter: Sitter, texts: Texts) -> discord.SelectOption:
    label = [texts.get("seat.number", number=sitter.seat + 1)]
    if sitter.team is not None:
        label.append(texts.get("seat.team", number=sitter.team + 1))
    taken = sitter.user is not None
    said = texts.get("seat.swap", name=plain_name(sitter.name)) if taken else ""
    return option(" · ".join(label), str(sitter.seat), said)


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


def _shuffling(view: ShufflingView, texts: Texts) -> Message:
    """Seats and words are closed; this message's own id goes into the deal."""
    head = view.head
    page = Page()
    page.text(
        f"## {texts.game_name(head.game)}",
        strong(texts.get("shuffling", number=view.round)),
        small(head.table),
    )
    page.text(
        *proof_lines(view.commitment, view.words, head, texts),
        following_line(view.following, texts),
    )
    return page.message()


def _board(view: BoardView, texts: Texts) -> Message:
    head = view.head
    page = Page()
    _vacancies(page, view, texts)
    page.text(_undecided(view, texts))
    blocks.show(page, view.layout.blocks, head, texts)
    log = " · ".join(texts.phrase(head.game, told, names(head)) for told in view.log)
    page.text(small(log))
    hand = button(texts.get("button.hand"), Press(Verb.HAND, head.table), "primary")
    acts = _board_acts(view, texts)
    if fits(row := [hand, *acts, *_log_and_more(head, texts)]):
        page.row(row)
    else:
        page.rows(acts)
        page.row([hand, *_log_and_more(head, texts)])
    _vacant_buttons(page, head, texts)
    page.text(
        small(texts.get("proof.no_post")) if view.post == "" else "",
        following_line(view.commitment, texts),
    )
    return page.message(blocks.accent(view.layout, head.game, texts))


def _undecided(view: BoardView, texts: Texts) -> str:
    """Who still has to choose, unless the seats say it themselves."""
    rows = (block.seats for block in view.layout.blocks if isinstance(block, SeatRow))
    said = any("choosing" in seat.marks for row in rows for seat in row)
    if len(view.actors) < 2 or said:
        return ""
    return texts.get("board.choosing", names=side_name(view.head, view.actors, texts))


def _pause(view: BoardView, pause: Pause, texts: Texts) -> Message:
    head = view.head
    page = Page()
    _vacancies(page, view, texts)
    blocks.show_pause(page, pause, view.layout, head, texts)
    press = Press(Verb.NEXT, head.table, pause.question)
    page.together(
        [button(texts.get("button.next"), press, "success"), cut_button(head.table, texts)],
        _log_and_more(head, texts),
    )
    _vacant_buttons(page, head, texts)
    page.text(*proof_lines(pause.commitment, pause.words, head, texts))
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


def _board_acts(view: BoardView, texts: Texts) -> list[Button]:
    """What the only actor may do on the board itself: everybody knows that it is legal."""
    if view.question is None:
        return []
    acts = [control for control in view.layout.controls if isinstance(control, Act)]
    return [
        button(
            _label(act, view.head, texts),
            Press(Verb.ACT, view.head.table, view.question, act.action),
        )
        for act in acts[:BOARD_ACTS]
    ]


def _label(act: Act, head: TableHead, texts: Texts) -> str:
    if act.label is None:
        return act.action
    return texts.phrase(head.game, act.label, names(head), plain=True)


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
            page.text(*(_line(view, side, totals[side[0]], texts) for side in sides(head)))
    else:
        scores, ranking = view.scores, view.ranking
        page.text(f"## {texts.get('result.title', game=game)}")
        order = sorted(sides(head), key=lambda side: (ranking[side[0]], side))
        page.text(
            *(
                f"{MEDALS[min(ranking[side[0]], len(MEDALS)) - 1]} "
                + _line(view, side, scores[side[0]], texts)
                for side in order
            )
        )
    footer = [texts.get("result.rounds", count=len(view.rounds))] if view.rounds else []
    if view.scores is not None and set(view.starters) != set(names(head)):
        who = texts.list([safe_name(starter) for starter in view.starters])
        footer.append(texts.get("result.counts_for", names=who))
    page.text(small(" · ".join([*footer, head.table])))
    page.together(
        [
            button(texts.get("button.rematch"), Press(Verb.REMATCH, head.table), "success"),
            button(texts.get("button.log"), Press(Verb.LOG, head.table)),
            verify_button(head.table, texts),
        ],
        [_rules(head, texts)],
    )
    return page.message(GREY if view.scores is None else GOLD)


def _line(view: ResultView, side: Sequence[int], total: int, texts: Texts) -> str:
    """`**Cat** · 42 points`, and in small print the rounds; a team's members share the line."""
    who = strong(side_name(view.head, side, texts))
    line = f"{who} · {texts.get('seat.points', count=total)}"
    if len(view.rounds) < 2:
        return line
    sums = [texts.number(points[side[0]]) for points in view.rounds]
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
