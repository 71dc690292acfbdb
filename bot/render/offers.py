"""Seats that are offered, to guests, roles, people in line and substitutes: lines and letters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum

from bot.i18n import Markdown, Texts, relative, safe_text
from bot.ids import Named, RoleId, UserId
from bot.render.board import to_table, watch
from bot.render.components import GOLD, GREY, Button, Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.views.values import TableHead


def join_button(head: TableHead, texts: Texts) -> Button:
    """Takes a seat."""
    return button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success")


# A guest who is invited


def invitation_line(head: TableHead, guest: UserId, texts: Texts) -> Message:
    """The line in the channel, in the name of whoever leads the table: its mention is the only one
    that pings."""
    game = texts.game_name(head.game)
    said = texts.get("invite.line", guest=f"<@{guest}>", name=_host(head, texts), game=game)
    return note(said, join_button(head, texts))


class InvitationOutcome(StrEnum):
    """The result of an invitation: the code of its sentence."""

    JOINED = "invite.line_joined"
    DECLINED = "invite.line_declined"
    OVER = "invite.line_over"
    """There are no free seats any more, or the table is over."""


def invitation_over(
    head: TableHead, guest: UserId, outcome: InvitationOutcome, texts: Texts
) -> Message:
    """The line in the channel after that."""
    return note(texts.get(outcome, guest=f"<@{guest}>", game=texts.game_name(head.game)))


def invitation(
    head: TableHead, inviter: tuple[UserId, Named], url: str | None, texts: Texts
) -> Message:
    """The direct message; *Never* is about the inviter."""
    user, called = inviter
    page = Page()
    page.text(
        texts.get(
            "invite.dm",
            name=texts.called(called),
            game=texts.game_name(head.game),
            channel=f"<#{head.channel}>",
        ),
        texts.game_tagline(head.game),
    )
    page.row_or_rows(
        [
            join_button(head, texts),
            button(texts.get("button.not_today"), Press(Verb.NOT_TODAY, head.table)),
            button(texts.get("button.never"), Press(Verb.NEVER, argument=str(user))),
        ],
        to_table(url, texts),
    )
    return page.message()


# A role, and followers of the game


def opening_line(head: TableHead, role: RoleId, url: str | None, texts: Texts) -> Message:
    """The line in the channel: its mention of the role is the only one that pings."""
    said = texts.get(
        "opening.line", role=f"<@&{role}>", name=_host(head, texts), game=texts.game_name(head.game)
    )
    return note(said, join_button(head, texts), *to_table(url, texts))


def opening_over(head: TableHead, texts: Texts, *, began: bool) -> Message:
    """The line once the match has begun, or the table was closed."""
    code = "opening.began" if began else "opening.closed"
    return note(texts.get(code, game=texts.game_name(head.game)), accent=GREY)


def opening_letter(head: TableHead, server: str, url: str | None, texts: Texts) -> Message:
    """The direct message to a follower of the game on the server of that name."""
    page, game = Page(), texts.game_name(head.game)
    page.text(
        texts.get(
            "opening.letter",
            name=_host(head, texts),
            game=game,
            channel=f"<#{head.channel}>",
            server=safe_text(server),
            facts=Markdown(" · ".join(_facts(head, texts))),
        ),
        texts.game_tagline(head.game),
    )
    stop = Press(Verb.UNFOLLOW, argument=f"{head.guild}|{head.game}")
    page.row([*to_table(url, texts), button(texts.get("button.stop_telling"), stop)])
    page.text(small(texts.get("opening.why", game=game)))
    return page.message(GOLD)


def _facts(head: TableHead, texts: Texts) -> Iterator[str]:
    yield texts.get("lobby.players", count=len(head.sitters))
    yield from (texts.option(head.game, *one) for one in head.options.items())
    yield texts.get(f"pace.{head.pace}")


def _host(head: TableHead, texts: Texts) -> str:
    """The name of whoever leads the table."""
    return next((texts.called(one.name) for one in head.sitters if one.user == head.host), "")


# People in line


def leave_line(head: TableHead, texts: Texts) -> Button:
    """Leaves the line, and nothing else."""
    return button(texts.get("button.leave_line"), Press.at(head, Verb.OUT))


def queue_page(head: TableHead, turn: int, time: timedelta, texts: Texts) -> Message:
    """Says to a person in line what their number there is, and that an offer stands for `time`."""
    return note(where_in_line(turn, time, texts), leave_line(head, texts))


def where_in_line(turn: int, time: timedelta, texts: Texts) -> str:
    """A person's number in line, and how they come to a seat."""
    where = texts.get("line.first") if turn == 1 else texts.get("line.turn", number=turn)
    return f"{where} {texts.get('line.about', time=texts.duration(time))}"


def offer_line(
    head: TableHead, guest: UserId, until: datetime | None, url: str | None, texts: Texts
) -> Message:
    """The line in the channel that offers a seat to `guest`: its mention is the only one that
    pings.  `until`: None while the offer does not run out.

    It names no number, which another draw of the seats would change.
    """
    game, person = texts.game_name(head.game), f"<@{guest}>"
    if until is None:
        said = texts.get("offer.waits", guest=person, game=game)
    else:
        said = texts.get("offer.line", guest=person, game=game, time=relative(until))
    return note(said, join_button(head, texts), leave_line(head, texts), *to_table(url, texts))


def offer_over(head: TableHead, guest: UserId, texts: Texts, *, seated: bool) -> Message:
    """The line once `guest` sits down, or the seat is kept for them no longer."""
    code = "invite.line_joined" if seated else "offer.over"
    return note(texts.get(code, guest=f"<@{guest}>", game=texts.game_name(head.game)))


def turned_down_letter(head: TableHead, url: str | None, texts: Texts) -> Message:
    """To somebody in line who may not take the seat that would be theirs: the same for whatever
    reason, which may be another's secret."""
    game, channel = texts.game_name(head.game), f"<#{head.channel}>"
    return note(texts.get("offer.turned_down", game=game, channel=channel), *to_table(url, texts))


# Substitutes


def substitute_line(head: TableHead, seat: int, texts: Texts) -> Message:
    """The line that offers `seat` to its readers; it pings nobody."""
    said = texts.get("substitute.line", game=texts.game_name(head.game), number=seat + 1)
    take = Press.at(head, Verb.TAKE, argument=str(seat))
    return note(said, button(texts.get("button.take_seat"), take, "success"), watch(head, texts))


def substitute_over(head: TableHead, seat: int | None, texts: Texts) -> Message:
    """The line once the seat is taken; None: the match no longer needs anybody."""
    game = texts.game_name(head.game)
    name = "" if seat is None else head.names[seat]
    if seat is None or not name:
        return note(texts.get("substitute.over", game=game))
    called = texts.called(name)
    return note(texts.get("substitute.taken", game=game, number=seat + 1, name=called))
