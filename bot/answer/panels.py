"""Answers that show a private hand, and are noted in `bot.publish.messages`.

The content of each is known from here on, so that it is redrawn when its question is over.
"""

from __future__ import annotations

from typing import Final

from bot.answer.context import Context
from bot.answer.origin import Origin, may_attach
from bot.answer.refusals import refused, second_press, table_refusal
from bot.answer.reply import Drawn, Reply
from bot.ids import ALONE, TableId
from bot.publish.messages import Shows
from bot.render.channel import channel_message
from bot.render.components import jump_url
from bot.render.custom_ids import Verb
from bot.render.ended import ended_panel
from bot.render.hand import hand_panel
from bot.render.listing import with_next
from bot.render.message import Message
from bot.render.pages import note
from bot.tables.model import Table, TableError
from bot.tables.ports import Unavailable
from bot.views.building import channel_view, hand_view
from bot.views.values import Aid, BoardView, ClosedView, HandView, ResultView
from engine.layout import Act

OWN_ORIGINS: Final = (Origin.EPHEMERAL, Origin.DM)
"""Origins of presses on messages that only the person sees."""

HAND_VERBS: Final = frozenset(
    {
        Verb.ACT,
        Verb.ACT_NOW,
        Verb.OPEN,
        Verb.COMBINE,
        Verb.AHEAD,
        Verb.STANDING,
        Verb.NEXT,
        Verb.BACK,
        Verb.WHY,
        Verb.HINT,
        Verb.NO_TIPS,
    }
)
"""Verbs of buttons that only one's own hand has."""


async def show_hand(
    context: Context,
    reply: Reply,
    view: HandView,
    *,
    beside: bool = False,
    version: int | None = None,
) -> Drawn:
    """Show the hand: in the panel that was pressed, else as a message that only they see.

    With `beside` always as a message of its own.  A board that it stands on is not drawn again as
    long as the table has that `version`.
    """
    view = context.coach.shown(view, reply.user)
    await context.readers.ask(view.head)
    picture = (
        await context.picture_cache.hand(view, reply.user)
        if may_attach(reply.interaction)
        else None
    )
    message = hand_panel(view, reply.texts, picture, context.readers.deck(reply.user))
    if view.question is None:
        message = await _onward(context, reply, view.head.table, message)
    if beside:
        await reply.whisper(message)
        drawn = Drawn.NOWHERE if reply.lost else Drawn.BESIDE
    else:
        drawn = await reply.panel(message)
    await _note(context, reply, view, drawn, message, version)
    return drawn


async def _onward(context: Context, reply: Reply, table: TableId, message: Message) -> Message:
    """`message`, with the way to another table if one waits for the person."""
    try:
        waiting = await context.tables.waiting_for(reply.user, table)
    except Unavailable:  # what was played is stored, and is shown all the same
        return message
    return with_next(message, table, reply.texts) if waiting else message


async def show_own_hand(
    context: Context,
    reply: Reply,
    table: Table,
    *,
    opened: str | None = None,
    asking: Act | None = None,
    notice: str | None = None,
    aid: Aid | None = None,
    beside: bool = False,
    ticks: str | None = None,
) -> None:
    """Show the person's hand; without one, tell them what there is instead.

    Raises TableError `not_seated`.
    """
    user = reply.user
    where = await context.publisher.board_place(table.id)
    untold = None if notice is not None else context.untold.get((table.id, user))
    if untold is not None:
        notice = reply.texts.get(untold)
    await context.coach.ask(table)
    board = None if table.stored.guild == ALONE else where  # there the hand is on it
    view = hand_view(
        table, user, board,
        opened=opened, asking=asking, notice=notice, aid=aid, ticks=ticks,
    )  # fmt: skip
    if view is None:
        if notice is not None and reply.origin not in OWN_ORIGINS:
            await reply.whisper(note(notice))
        elif table.stored.seating.place_of(user) is None and table.stored.status.is_open:
            raise TableError("not_seated", table)
        else:
            await show_table(context, reply, table, notice)
        return
    version = None if aid is None else table.stored.version  # a draw would take it away
    drawn = await show_hand(context, reply, view, beside=beside, version=version)
    if drawn is not Drawn.NOWHERE and untold is not None:
        context.untold.pop((table.id, user), None)


def stale_press(reply: Reply, table: Table) -> str:
    """Why a press on an earlier question does nothing."""
    again = second_press(reply.texts, table, reply.user, reply.press.question)
    return again or reply.texts.get("table.error.stale")


async def show_instead(context: Context, reply: Reply, error: TableError) -> bool:
    """Draw the present state in place of something old that only the person sees; whether it did.

    A sentence above it says why the press does nothing.  Messages in a channel are not changed, nor
    those that may still be of use, where only this press was refused.  Whoever agreed to another
    lobby than there is now is shown that, wherever they pressed.
    """
    of_a_hand = reply.press.verb in HAND_VERBS
    old = error.code == "ended" or (of_a_hand and error.code in ("no_such_table", "not_seated"))
    agreed = error.code == "stale" and reply.press.verb in (Verb.READY, Verb.START)
    if not (agreed or (old and reply.origin in OWN_ORIGINS)):
        return False
    reply.refused = error.code
    if error.table is None:
        await reply.redraw(refused(reply.texts, error))
    else:
        await show_table(context, reply, error.table, table_refusal(reply.texts, error))
    return True


async def show_table(
    context: Context, reply: Reply, table: Table, notice: str | None = None
) -> None:
    """Show the table without a hand, and how its match ended.

    `notice` is put above it.
    """
    view, where = channel_view(table), await context.publisher.board_place(table.id)
    own = reply.origin in OWN_ORIGINS
    if not isinstance(view, ResultView) and not (own and isinstance(view, ClosedView)):
        # Whoever has no hand in a round watches it.
        watched = isinstance(view, BoardView)
        await reply.panel(_noted(channel_message(view, reply.texts, watched=watched), notice))
        return
    url = None if where is None else jump_url(view.head.guild, *where)
    deck = context.readers.deck(reply.user)
    ended = _noted(ended_panel(view, reply.user, url, reply.texts, deck=deck), notice)
    # However old a hand is: nothing comes after it that would have to be drawn there.
    give = reply.redraw if own else reply.panel
    drawn = await give(await _onward(context, reply, table.id, ended))
    place = reply.pressed
    if drawn is Drawn.IN_PLACE and reply.origin is Origin.DM and place is not None:
        await context.publisher.note_direct_hand(table.id, reply.user, *place, None)


def _noted(message: Message, notice: str | None) -> Message:
    return message if notice is None else message.noted(notice)


async def _note(
    context: Context,
    reply: Reply,
    view: HandView,
    drawn: Drawn,
    message: Message,
    version: int | None,
) -> None:
    place, table, shows = reply.pressed, view.head.table, Shows.of(view)
    if drawn is Drawn.IN_PLACE and reply.origin is Origin.DM and place is not None:
        if view.head.alone:
            if await context.publisher.board_place(table) == place:
                context.publisher.note_board(table, message, version)
        else:
            await context.publisher.note_direct_hand(table, reply.user, *place, shows)
    elif drawn is not Drawn.NOWHERE and reply.said is not None:
        files = may_attach(reply.interaction)
        await context.publisher.note_whisper(table, reply.user, reply.said, shows, files=files)
