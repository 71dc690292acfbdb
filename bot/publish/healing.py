"""What is lost: tables and hosts hear that a table cannot be shown, and that it can be again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog
from cachetools import LRUCache

from bot.ids import TableId
from bot.publish.draw_tasks import DrawState
from bot.publish.messages import Surface
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, Meaning, Refusal
from bot.publish.requests import Priority, Requests, log_failure
from bot.publish.source import Source
from bot.render.components import Page, jump_url, link
from bot.views.values import TableHead

logger = structlog.get_logger(__name__)

MAX_TOLD: Final = 10_000
"""Maximum number of tables whose hosts were told something."""

NO_PICTURES: Final = "trouble.bare"
"""Cards are text there, and the match goes on."""


class Healing:
    """Tells tables and hosts that a table cannot be shown, once, and that it can be again."""

    def __init__(
        self, requests: Requests, source: Source, readers: Readers, outbox: Outbox
    ) -> None:
        self._requests, self._outbox = requests, outbox
        self._source = source
        self._readers = readers
        self._told_no_pictures: LRUCache[TableId, None] = LRUCache(MAX_TOLD)
        """Tables whose hosts know that there are no pictures."""

    async def pass_on(self, state: DrawState, head: TableHead, where: Surface | None) -> None:
        """After a draw that would have been refused: what Discord said to it is passed on."""
        table, refused = state.table, state.trouble.refused
        state.trouble.refused = None
        if state.board.without_picture and table not in self._told_no_pictures:
            self._told_no_pictures[table] = None
            await self._tell(head, where, NO_PICTURES, ("attach_files",))
        if refused is not None and refused.meaning is Meaning.VANISHED:
            await self._source.vanished(table)  # without its channel it is over
            refused = None
        if refused is None:
            if state.trouble.lost:
                if await self._missing(head):
                    return  # an edit may work where posting does not: nothing is healed by that
                await self._source.unstalled(table)
            state.trouble.lost, state.trouble.guild = False, None
            return
        if not state.trouble.lost:
            meaning = refused.meaning.name
            logger.warning("board_barred", table=table, meaning=meaning, code=refused.code)
        state.trouble.lost, state.trouble.guild = True, head.guild
        missing = await self._missing(head)
        if await self._source.stalled(table, missing or ()):
            code = self._trouble(head, refused, missing)
            await self._tell(head, where, code, missing or (), refused.code)

    async def _missing(self, head: TableHead) -> Sequence[str] | None:
        """See `Requests.missing`; none are known of where that cannot be found out."""
        try:
            return await self._requests.missing(head.guild, head.channel)
        except FAILURES as error:
            log_failure("permissions_not_found_out", head.table, error)
            return ()

    def _trouble(self, head: TableHead, refused: Refusal, missing: Sequence[str] | None) -> str:
        """The code of the sentence about it."""
        match refused.meaning:
            case Meaning.LOCKED:
                return "trouble.locked"
            case Meaning.UNKNOWN:
                return "trouble.refused"
            case _ if missing:
                return "trouble.missing"
            case _ if self._requests.is_outside(head.guild, head.channel):
                return "trouble.thread"
            case _:
                return "trouble.unseen"

    async def _tell(
        self,
        head: TableHead,
        where: Surface | None,
        code: str,
        missing: Sequence[str],
        number: int = 0,
    ) -> None:
        """Send a direct message to the host, if they can be written to."""
        texts, page = self._readers.texts(head.host, head), Page()
        game, channel = texts.game_name(head.game), f"<#{head.channel}>"
        names = texts.list([texts.get(f"permission.{name}") for name in missing])
        page.text(texts.get(code, game=game, channel=channel, names=names, code=number))
        if code != NO_PICTURES:
            page.text(texts.get("trouble.waits"))
        if where is not None:
            url = jump_url(head.guild, where.channel, where.message)
            page.row([link(texts.get("button.to_table"), url)])
        letter, about = page.message(), ("trouble", *missing)
        await self._outbox.write(head.table, head.host, letter, Priority.BOARD, *about)
