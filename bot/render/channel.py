"""The table's message in the channel: lobby, running match (`bot.render.board`), result.

Whoever sends it allows no mentions; it names people in text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from bot.i18n import Texts, plain_name, relative, safe_name, texts
from bot.render.board import board_message, shuffling_message, watch_again
from bot.render.components import (
    GOLD,
    GREY,
    Button,
    Option,
    Page,
    button,
    link,
    option,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import check_line, cut_button, proof_lines, verify_button
from bot.render.message import Message
from bot.render.seats import side_name, sides
from bot.views.values import (
    BoardView,
    ChannelView,
    ClosedView,
    LobbyView,
    Published,
    ResultView,
    ShufflingView,
    Sitter,
    TableHead,
)

MEDALS: Final = ("🥇", "🥈", "🥉", "4️⃣", "5️⃣", "6️⃣")

ROUNDS_SHOWN: Final = 20
"""So many rounds of a match are added up in its result; a text has its limits."""


def channel_message(
    view: ChannelView, texts: Texts, *, farewell: bool = False, watched: bool = False
) -> Message:
    """What the channel sees of a table now.

    With `farewell` a running match says that the program is about to be restarted.  `watched` is
    what a spectator sees, only they: the same, renewed by a button of its own; a table that has
    ended does not change any more.
    """
    match view:
        case LobbyView():
            return _lobby(view, texts, watched=watched)
        case ShufflingView():
            return shuffling_message(view, texts, watched=watched)
        case BoardView():
            return board_message(view, texts, watched=watched, farewell=farewell)
        case ResultView():
            return _result(view, texts)
        case ClosedView():
            return _closed(view, texts)
        case _:
            assert_never(view)


def public_message(view: ChannelView, *, farewell: bool = False) -> Message:
    """What everybody in the channel sees, in the language of the server."""
    return channel_message(view, texts(view.head.locale), farewell=farewell)


def retired_board(
    url: str,
    code: str,
    texts: Texts,
    head: TableHead,
    number: int = 0,
    *,
    seal: Published | None = None,
    words: Sequence[str] = (),
) -> Message:
    """What is left of a board that was posted anew: one line and the way there.

    It keeps the commitment, if it published one, and the words that it carried: whoever checks a
    deal finds them here.
    """
    said = texts.get(code, game=texts.game_name(head.game), number=number, table=head.table)
    page = Page()
    page.text(small(said), *proof_lines(seal, words, head, texts))
    page.row([link(texts.get("button.to_table"), url)])
    return page.message(accent=None)


# The lobby


def _lobby(view: LobbyView, texts: Texts, *, watched: bool = False) -> Message:
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
            button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success"),
            button(texts.get("button.leave"), Press.at(head, Verb.LEAVE)),
            _rules(head, texts),
            _start(view, texts),
        ]
    )
    page.row([cut_button(head, texts), *([watch_again(head, texts)] if watched else [])])
    _seat_menu(page, head, texts)
    page.text(small(_when(view, texts)), *proof_lines(head.seal, view.words, head, texts))
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
            Press.at(head, Verb.SIT),
            texts.get("seat.choose"),
            [_seat_option(sitter, texts) for sitter in offered],
        )


def _seat_option(sitter: Sitter, texts: Texts) -> Option:
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
    yield texts.get(f"pace.{view.head.pace}")
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
        return texts.get("lobby.starts", time=relative(view.starts))
    if view.closes is not None:
        return texts.get("lobby.closes", time=relative(view.closes))
    return ""


def _start(view: LobbyView, texts: Texts) -> Button:
    head = view.head
    if view.starts is not None:
        return button(texts.get("button.hold"), Press.at(head, Verb.HOLD), "danger")
    press = Press.at(head, Verb.START)
    return button(texts.get("button.start"), press, "primary", disabled=not view.can_start)


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
        why = [] if view.stop is None else [texts.get(f"result.stopped_{view.stop}")]
        page.text(f"## {texts.get('result.title', game=game)}", *why)
        # In a team one may have conceded, and the other not.
        places = {side: min(ranking[seat] for seat in side) for side in map(tuple, sides(head))}
        page.text(
            *(
                f"{MEDALS[min(place, len(MEDALS)) - 1]} {_line(view, side, scores[side[0]], texts)}"
                for side, place in sorted(places.items(), key=lambda found: (found[1], found[0]))
            )
        )
        if view.conceded:
            who = texts.list([safe_name(name) for name in view.conceded])
            page.text(small(texts.get("result.conceded", names=who, count=len(view.conceded))))
    footer = [texts.get("result.rounds", count=len(view.rounds))] if view.rounds else []
    if view.scores is not None and set(view.starters) != set(head.names):
        who = texts.list([safe_name(starter) for starter in view.starters])
        footer.append(texts.get("result.counts_for", names=who))
    page.text(small(" · ".join([*footer, head.table])), small(check_line(view.check, texts)))
    page.row_or_rows(
        [
            button(texts.get("button.rematch"), Press.at(head, Verb.REMATCH), "success"),
            button(texts.get("button.log"), Press.at(head, Verb.LOG)),
            verify_button(head, texts),
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
    return button(texts.get("button.rules"), Press.rules(head.game))
