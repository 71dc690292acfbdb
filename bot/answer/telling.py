"""After a commit: first the answer to the person who acted, then the messages that others see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from bot.answer.context import Context
from bot.answer.origin import Origin, may_attach
from bot.answer.panels import show_own_hand
from bot.answer.reply import Drawn, Reply
from bot.render.channel import channel_message, public_message
from bot.render.components import jump_url
from bot.render.message import Message
from bot.render.offers import queue_page
from bot.render.pages import below, note, way_to
from bot.tables.model import Table, TableError
from bot.tables.phase import Closing
from bot.tables.preferences import HandBy
from bot.tables.queueing import turn_of
from bot.tables.stored import Status
from bot.views.building import channel_view, table_head

Show: TypeAlias = Callable[[Table], Awaitable[None]]
"""Shows a table to the person who acted there."""


async def answer_then_tell(context: Context, reply: Reply, table: Table, otherwise: Show) -> None:
    """`answer`, then `tell`."""
    await answer(context, reply, table, otherwise)
    await tell(context, reply, table, otherwise)


async def answer(
    context: Context, reply: Reply, table: Table, otherwise: Show | None = None
) -> None:
    """Answer a press on the board with the board, one call instead of two.

    Any other press is answered by `otherwise`, by default with the person's hand.
    """
    with context.publisher.answering(table.id):
        if await _is_on_board(context, reply, table):
            await _redraw_board(context, reply, table)
        else:
            await (otherwise or partial(show_own_hand, context, reply))(table)


async def _redraw_board(context: Context, reply: Reply, table: Table) -> None:
    shown = context.coach.seen(channel_view(table))
    deck = await context.readers.board_deck(shown.head)
    attaches = may_attach(reply.interaction)
    picture = await context.picture_cache.board(shown, deck) if attaches else None
    view = public_message(shown, picture, deck=deck)
    drawn = await reply.redraw(view)
    await _adopt(context, reply, table, view, drawn)
    shows = view if drawn is Drawn.IN_PLACE and await _is_on_board(context, reply, table) else None
    context.publisher.note_board(table.id, shows, table.stored.version)


async def tell(context: Context, reply: Reply, table: Table, otherwise: Show | None = None) -> None:
    """Show the change to everybody else.

    If the seats were closed, a panel follows once the cards are dealt: see `answer`.
    """
    await context.publisher.flush(table.id)
    if isinstance(table.phase, Closing) and reply.origin is Origin.EPHEMERAL:
        dealt = await context.tables.table(table.id)
        if not isinstance(dealt.phase, Closing):
            await (otherwise or partial(show_own_hand, context, reply))(dealt)


async def _is_on_board(context: Context, reply: Reply, table: Table) -> bool:
    """Whether this is a press on the table's present message in its channel.

    False for a message that was retired, or a copy that only the presser sees.
    """
    pressed = reply.pressed
    if reply.origin is not Origin.CHANNEL or pressed is None:
        return False
    where = await context.publisher.board_place(table.id)
    return where is None or where[1] == pressed[1]


async def _adopt(context: Context, reply: Reply, table: Table, view: Message, drawn: Drawn) -> None:
    """A board that was pressed before the program knew of it is the table's message now."""
    pressed = reply.pressed
    if drawn is not Drawn.IN_PLACE or pressed is None:
        return
    if await context.publisher.board_place(table.id) is None:
        await context.publisher.adopt(table.id, *pressed, view)


async def awaits_message(context: Context, table: Table) -> bool:
    """Whether an answer becomes the table's message: it is a lobby, and has none yet."""
    return (
        table.stored.status is Status.LOBBY
        and await context.publisher.board_place(table.id) is None
    )


async def post(context: Context, reply: Reply, table: Table) -> None:
    """The answer to a command becomes the table's message: see `awaits_message`.

    Raises TableError `answered_elsewhere`, and leaves no table, if another program with the same
    token was faster: its table is the one that people see.
    """
    view = public_message(channel_view(table))
    async with context.publisher.outbox.posting(table.id, table.stored.channel) as mark:
        where = await reply.post(view.marked(mark))
        if where is not None:
            await context.publisher.adopt(table.id, *where, view, mark)
    if where is None and reply.delivery.taken:
        await context.tables.leave(table.id, reply.user)
        raise TableError("answered_elsewhere")
    await context.publisher.flush(table.id)


async def bring_to_bottom(context: Context, reply: Reply, table: Table, said: str) -> None:
    """Say `said` and post the table's message again at the bottom of its channel.

    If the person has reached the limit for posts there is a link to it instead.
    """
    try:
        with context.posting(reply.interaction, table.stored.channel):
            await reply.whisper(note(said))
            now = await context.tables.table(table.id)
            if now.stored.status.is_open == table.stored.status.is_open:
                await context.publisher.repost(table.id)
            # Else it has ended meanwhile, and its result comes at the bottom by itself.
    except TableError as error:
        if error.code not in ("too_many_lines", "slow_mode"):
            raise
        await show_way(context, reply, table, said)


async def show_way(context: Context, reply: Reply, table: Table, said: str) -> None:
    """Says `said`, with a link to the table's message; without one with what it would show."""
    where = await context.publisher.board_place(table.id)
    if where is None:
        await reply.whisper(below(said, channel_message(channel_view(table), reply.texts)))
    else:
        await reply.whisper(way_to(said, jump_url(table.stored.guild, *where), reply.texts))


async def greet(context: Context, reply: Reply, table: Table) -> None:
    """Finds out whether the person can be written to; if not, says so and the way out."""
    user = reply.user
    place = table.stored.seating.place_of(user)
    if place is None or table.stored.seating.places[place].reachable is not None:
        return
    if (await context.readers.preferences_of(user)).hand is HandBy.BUTTON:
        await reply.say("sit.by_button")
        return
    reachable = await context.publisher.greet(table.id, user)
    if reachable is not None:
        await context.tables.set_reachable(table.id, user, reachable=reachable)
    if not reachable:
        await reply.say("sit.held_dm" if reachable is None else "sit.closed_dm")
    await context.publisher.flush(table.id)


async def say_turn(context: Context, reply: Reply, table: Table) -> None:
    """Tell the person, who stands in line, their number there; then the table shows the line."""
    turn, time = turn_of(table.stored.seating, reply.user), table.stored.timing.pace.waits.offer
    await say_seated(reply, queue_page(table_head(table), turn, time, reply.texts))
    await context.publisher.flush(table.id)


async def say_seated(reply: Reply, said: Message) -> None:
    """Say where the person sits or stands now: in the place of the invitation, if it was one."""
    await (reply.panel if reply.origin is Origin.DM else reply.whisper)(said)


async def if_as_shown(
    reply: Reply, confirmed: Awaitable[Table], ask: Callable[[Table], Message | None]
) -> Table | None:
    """The table after what somebody has confirmed, who was shown what it means.

    None if it means something else by now: then they are asked anew.
    """
    try:
        return await confirmed
    except TableError as refusal:
        asked = ask(refusal.table) if refusal.code == "stale" and refusal.table else None
        if asked is None:
            raise
        await reply.panel(asked)
        return None
