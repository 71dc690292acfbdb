"""Looking through a round whose cards are open to all: `/review`, and the buttons of its panel."""

from __future__ import annotations

from functools import partial
from typing import Final

from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import TableCog, about_table, anywhere
from bot.answer.origin import may_attach
from bot.answer.reply import Reply
from bot.answer.sharing import may_share, share
from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.render.message import Message
from bot.render.review import review_page, shared_review
from bot.tables.hinting import Opinion
from bot.tables.model import Table, TableError
from bot.tables.phase import Unreadable
from bot.tables.review import ReviewedRound
from bot.views.review import ALL_OPEN, Move, Place, moved, review_view
from cogs.presses import table_press
from engine.game import Seat

MOST_ROUNDS: Final = 999
"""Larger than the number of any round that can be typed."""


class Review(TableCog):
    """Positions of finished rounds, for the presser alone, and shown to everybody."""

    @app_commands.command(name="review", description="Step through a finished round")
    @app_commands.rename(number="round")
    @app_commands.describe(number="Which round; leave it out for the latest one")
    @about_table(Need.SEE, ended=True)
    @anywhere
    async def review(
        self,
        reply: Reply,
        table: Table,
        number: app_commands.Range[int, 1, MOST_ROUNDS] | None = None,
    ) -> None:
        if isinstance(table.phase, Unreadable):
            raise TableError("unreadable", table, id=table.id)
        await self._open(reply, table, number)

    @table_press(Verb.REVIEW, Need.SEE)
    async def _press_review(self, reply: Reply, table: Table) -> None:
        """Opens a round, or leads from one position to another."""
        if not reply.press.argument:
            await self._open(reply, table, None)
            return
        place, move = _read(reply.press.argument, table)
        if move is Move.VIEW and reply.chosen:
            place = place._replace(seat=_seat(reply.chosen[0], table))
        if move is Move.ROUND and reply.chosen:
            place = Place(given.number(reply.chosen[0]), 0, place.seat)
        shown = await self.context.tables.reviewed(table, place.round)
        place = moved(shown, place, move)
        if move is Move.SHARE:
            await self._share(reply, table, shown, place)
        elif move is Move.STRONG:
            await self._ask(reply, table, shown, place)
        else:
            await self._show(reply, table, shown, place)

    async def _open(self, reply: Reply, table: Table, number: int | None) -> None:
        """The first position of a round, as whoever asks saw it; else with all hands open."""
        shown = await self.context.tables.reviewed(table, number)
        place = Place(shown.number, 0, table.stored.seating.place_of(reply.user))
        await reply.whisper(await self._page(reply, table, shown, place))

    async def _ask(self, reply: Reply, table: Table, shown: ReviewedRound, place: Place) -> None:
        """What a computer player would have done, below the position."""
        if not review_view(table, shown, place).asks:
            raise TableError("not_offered")
        if shown.forced(place.position) is None:
            await reply.defer()  # it is thought about
        opinion = await self.context.tables.opinion(shown, place.position, reply.user)
        await self._show(reply, table, shown, place, opinion)

    async def _show(
        self,
        reply: Reply,
        table: Table,
        shown: ReviewedRound,
        place: Place,
        opinion: Opinion | None = None,
    ) -> None:
        await reply.page(await self._page(reply, table, shown, place, opinion))

    async def _page(
        self,
        reply: Reply,
        table: Table,
        shown: ReviewedRound,
        place: Place,
        opinion: Opinion | None = None,
    ) -> Message:
        view, picture = review_view(table, shown, place, opinion), None
        deck = (await self.context.readers.preferences_of(reply.user)).deck
        if may_attach(reply.interaction):
            picture = await self.context.picture_cache.position(view, reply.texts, deck)
        shares = may_share(reply.interaction, table.stored.channel)
        return review_page(view, reply.texts, picture, shares=shares, deck=deck)

    async def _share(self, reply: Reply, table: Table, shown: ReviewedRound, place: Place) -> None:
        """Show everybody a position: all may see it."""
        view = review_view(table, shown, place)
        deck = await self.context.readers.board_deck(view.head)
        words = texts(table.stored.locale)
        picture = await self.context.picture_cache.position(view, words, deck)
        make = partial(shared_review, view, picture=picture, deck=deck)
        await share(self.context, reply, make, table)


def _read(argument: str, table: Table) -> tuple[Place, Move]:
    """A position and where to go from there.  Raises TableError `not_offered`."""
    parts = argument.split("|")
    if len(parts) != 4:
        raise TableError("not_offered")
    number, position, seat, move = parts
    place = Place(given.number(number), given.number(position), _seat(seat, table))
    return place, given.one_of(Move, move)


def _seat(value: str, table: Table) -> Seat | None:
    """The seat whose view is wanted; None: all hands are open.  Raises TableError `not_offered`."""
    if value == ALL_OPEN:
        return None
    seat = given.number(value)
    if seat >= len(table.stored.seating.places):
        raise TableError("not_offered")
    return seat
