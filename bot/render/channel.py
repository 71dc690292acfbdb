"""The table's message in the channel: lobby, match (`board`), result (`ended`).

Its sender allows no mentions; people are named in text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from bot.emojis import NEAREST
from bot.i18n import Texts, relative, texts
from bot.render.board import (
    board_message,
    copy_line,
    get_in_line,
    in_line,
    shuffling_message,
    watch_again,
)
from bot.render.coaching import rules_button
from bot.render.components import (
    GREY,
    ROW,
    SMALL,
    Button,
    Option,
    Page,
    Style,
    button,
    option,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import cut_button, proof_lines
from bot.render.ended import closed_page, rematch_button, result_message
from bot.render.message import Attachment, Message
from bot.render.offers import join_button
from bot.render.seats import SIGNS, name, sides, with_level
from bot.views.values import (
    BoardView,
    ChannelView,
    ClosedView,
    LobbyView,
    ResultView,
    ShufflingView,
    Sitter,
    TableHead,
)


def channel_message(
    view: ChannelView,
    texts: Texts,
    picture: Attachment | None = None,
    *,
    deck: str = NEAREST,
    farewell: bool = False,
    watched: bool = False,
) -> Message:
    """The present message of a table for its channel.

    With `farewell` a running match says that the program is about to be restarted.  `watched` is a
    spectator's private copy, renewed by a button of its own.  A `picture` shows the cards on the
    table, or how the match went; emoji are those of the `deck`.
    """
    match view:
        case LobbyView():
            return _lobby(view, texts, watched=watched)
        case ShufflingView():
            return shuffling_message(view, texts, watched=watched)
        case BoardView():
            return board_message(
                view, texts, picture, watched=watched, farewell=farewell, deck=deck
            )
        case ResultView():
            return result_message(view, texts, picture, deck=deck)
        case ClosedView():
            return _closed(view, texts)
        case _:
            assert_never(view)


def public_message(
    view: ChannelView,
    picture: Attachment | None = None,
    *,
    deck: str = NEAREST,
    farewell: bool = False,
) -> Message:
    """The message for everybody in the channel, in the language of the server and with its
    cards."""
    words = texts(view.head.locale)
    return channel_message(view, words, picture, deck=deck, farewell=farewell)


def retired_board(
    url: str,
    code: str,
    texts: Texts,
    head: TableHead,
    *,
    seal: str = "",
    words: Sequence[str] = (),
) -> Message:
    """The rest of a board that was posted again: one line in small print with a link to the new
    one.

    It keeps the commitment, if it published one, and the words that it carried, for people who
    check a deal.
    """
    where = "button.to_result" if code == "retired.result" else "button.to_table"
    way = f"[{texts.get(where)}]({url})"
    proof = [line.removeprefix(SMALL) for line in proof_lines(seal, words, head, texts)]
    said = [texts.get(code, game=texts.game_name(head.game)), way, *filter(None, proof)]
    page = Page()
    page.text(small(" · ".join(said)))
    return page.message(accent=None)


# The lobby


def _lobby(view: LobbyView, texts: Texts, *, watched: bool = False) -> Message:
    drawn = ("drawn", True) in view.customs
    if drawn:  # who plays with whom is not known yet
        sitters = tuple(sitter._replace(team=None) for sitter in view.head.sitters)
        view = replace(view, head=replace(view.head, sitters=sitters))
    head, page = view.head, Page()
    texts = texts.beside(texts.language)  # it has the buttons that it names, a private copy too
    page.text(
        f"## {texts.game_name(head.game)}",
        texts.game_tagline(head.game),
        small(" · ".join(_facts(view, texts))),
    )
    page.line()
    page.text(*_places(view, texts))
    style: Style = "secondary" if view.full else "primary"
    start = Press.at(head, Verb.START, argument=view.agreement)
    here = [*_coming(view, texts), button(texts.get("button.leave"), Press.at(head, Verb.LEAVE))]
    begin = button(texts.get("button.start"), start, style, disabled=not view.can_start)
    beside = [rules_button(head.game, texts), begin]
    if len(here) + len(beside) < ROW:
        page.row([*here, *beside])
    else:
        page.row_or_rows(here, beside)
    options = button(texts.get("button.options"), Press.at(head, Verb.OPTIONS))
    computers = button(texts.get("button.computers"), Press.at(head, Verb.COMPUTERS))
    more = []
    if watched:
        more = [watch_again(head, texts)]
    elif not drawn:  # as the match begins, whatever they were before
        more = [button(texts.get("button.shuffle"), Press.at(head, Verb.SHUFFLE))]
    page.row([cut_button(head, texts), computers, options, *more])
    page.row([get_in_line(head, texts)] if view.full and not view.private else [])
    _seat_menu(page, head, texts)
    if not view.full and not watched:
        page.people(Press.at(head, Verb.INVITE), texts.get("invite.choose"))
    page.text(
        small(in_line(head, texts)),
        *map(small, _when(view, texts)),
        small(texts.get("lobby.shuffled", count=view.shuffles) if view.shuffles else ""),
        *proof_lines(head.seal, view.words, head, texts),
        copy_line(texts, watched=watched),
    )
    return page.message()


def _coming(view: LobbyView, texts: Texts) -> Iterable[Button]:
    """*Join* as long as there are seats, and *Ready* as soon as those who sit there are enough; a
    planned table, which speaks of it, shows it before."""
    head, few = view.head, not view.can_start
    if not view.full:
        yield join_button(head, texts)
    if view.can_start or view.planned:
        ready = Press.at(head, Verb.READY, argument=view.agreement)
        yield button(texts.get("button.ready"), ready, "success", disabled=few)


def _places(view: LobbyView, texts: Texts) -> Iterable[str]:
    """The places in the order of play; teams together, under their name."""
    head = view.head
    if all(sitter.team is None for sitter in head.sitters):
        yield from (f"{seat + 1}. {_place(view, seat, texts)}" for seat in range(len(head.sitters)))
        return
    for number, side in enumerate(sides(head), start=1):
        yield strong(texts.get("seat.team", number=number))
        # No "1." here: Discord would count these lists anew.
        yield from (f"{seat + 1} · {_place(view, seat, texts)}" for seat in side)


def _seat_menu(page: Page, head: TableHead, texts: Texts) -> None:
    """Free seats; in games of teams also the others: the host may swap."""
    offered = [s for s in head.sitters if not s.awaited and (s.free or s.team is not None)]
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
    who = texts.called(sitter.computer or sitter.name, plain=True)
    said = "" if sitter.free else texts.get("seat.swap", name=who)
    value = str(sitter.seat) if sitter.user is None else f"{sitter.seat}|{sitter.user}"
    return option(" · ".join(label), value, said)


def _facts(view: LobbyView, texts: Texts) -> Iterable[str]:
    """Players, length of the match, who may sit down."""
    most = len(view.head.sitters)
    if view.minimum == most:
        yield texts.get("lobby.players", count=most)
    else:
        yield texts.get("lobby.players_range", minimum=view.minimum, maximum=most)
    game, by_number = view.head.game, {key for one in view.lengths for key in one.options}
    if view.by_players:
        yield texts.get("length.by_players")
    else:
        yield from _lengths(view, texts)
    rest = ((key, value) for key, value in view.head.options.items() if key not in by_number)
    yield from (texts.option(game, *one) for one in rest)
    yield from (texts.custom(game, name, on=on) for name, on in view.customs)
    yield texts.get(f"pace.{view.head.pace}")
    if view.private:
        yield texts.get("lobby.private")
    yield from _counting(view, texts)


def _lengths(view: LobbyView, texts: Texts) -> Iterable[str]:
    """The length of the match with each number of people, if it depends on that."""
    for few, many, options in view.lengths:
        said = " · ".join(texts.option(view.head.game, *one) for one in options.items())
        people = str(few) if few == many else f"{few}–{many}"
        # It is one of several, each on one line.
        yield texts.get("lobby.length", people=people, length=said).replace(" ", "\u00a0")


def _counting(view: LobbyView, texts: Texts) -> Iterable[str]:
    """What the leaderboard of this server does not count, or counts, unlike those of others."""
    counting, hints = view.counting, ("hints", False) not in view.customs
    if not counting.board:
        yield texts.get("lobby.uncounted")
        return
    if hints and not counting.hints:
        yield texts.get("lobby.unhinted")
    if counting.computers:
        yield texts.get("lobby.with_computers")


def _place(view: LobbyView, place: int, texts: Texts) -> str:
    head, sitter = view.head, view.head.sitters[place]
    if sitter.awaited:
        return f"*{texts.get('seat.awaited', name=texts.called(sitter.awaited))}*"
    if sitter.computer is not None:
        return strong(with_level(sitter.computer, texts))
    if sitter.user is None:
        return f"*{texts.get('seat.free')}*"
    who = strong(texts.called(sitter.name))
    if sitter.user == head.host:
        who += f" · {texts.get('seat.host')}"
    return f"{who} {SIGNS['chosen']}" if sitter.user in view.ready else who


def _when(view: LobbyView, texts: Texts) -> Iterable[str]:
    """What it waits for, who is ready, and when it closes."""
    people = [sitter for sitter in view.head.sitters if sitter.user is not None]
    if view.kept is not None:
        yield texts.get("lobby.kept", count=view.kept_seats, time=relative(view.kept))
    if view.can_start or view.planned:
        yield _starts(view, texts)
    else:
        yield texts.get("lobby.needs", count=view.minimum)
    ready = [texts.called(sitter.name) for sitter in people if sitter.user in view.ready]
    if ready:
        names, count = texts.list(ready), len(ready)
        yield texts.get("lobby.are_ready", names=names, count=count, people=len(people))
    if view.closes is not None and view.kept is None and not view.full:
        yield texts.get("lobby.closes", time=relative(view.closes))


def _starts(view: LobbyView, texts: Texts) -> str:
    """When the cards are dealt to those who sit there."""
    seated = [sitter for sitter in view.head.sitters if not sitter.free]
    leading = next((one.seat for one in seated if one.user == view.head.host), 0)
    host = name(view.head, leading, texts)
    held = view.kept is not None or any(sitter.awaited for sitter in view.head.sitters)
    if view.starts is not None:
        code = "lobby.starts_kept" if held else "lobby.starts"
        return texts.get(code, time=relative(view.starts), name=host)
    if view.overdue:
        return texts.get("lobby.overdue", name=host)
    if held:
        return texts.get("lobby.kept_ready", name=host)
    if view.full:
        return texts.get("lobby.ready", name=host)
    return texts.get("lobby.enough", count=len(seated), name=host)


# The end


def _closed(view: ClosedView, texts: Texts) -> Message:
    page = closed_page(view, texts)
    if view.why == "restored":
        page.row([rematch_button(view.head, texts)])
    return page.message(GREY)
