"""One line for each match that has ended, in the channel that its server has chosen for that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.i18n import Texts, texts
from bot.ids import TableId
from bot.publish.budget import Priority
from bot.publish.messages import ShownMessages, Slot, Surface
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, is_settled
from bot.publish.requests import Requests, log_failure
from bot.render.reports import report_line
from bot.surfaces import Kind
from bot.tables.preferences import Board
from bot.tables.servers import Servers
from bot.views.snapshot import Snapshot
from bot.views.values import ResultView

FRESH: Final = timedelta(days=1)
"""How long after its end a match is news."""

REPORT: Final[Slot] = (Kind.REPORT, 0)


@dataclass
class Reports:
    """Posts them, once each and without a sound, where nobody reads of a channel that they do not
    see."""

    _requests: Requests
    _messages: ShownMessages
    _readers: Readers
    _servers: Servers
    _outbox: Outbox
    _clock: Callable[[], datetime]

    async def draw(self, table: TableId, snapshot: Snapshot) -> bool:
        """Post the line of a match that is over.  Returns whether all is well."""
        view, ended = snapshot.view, snapshot.news
        if not isinstance(view, ResultView) or view.scores is None or ended is None:
            return True
        if abs(self._clock() - ended) > FRESH or self._messages.find(table, REPORT) is not None:
            return True
        head, url = view.head, self._messages.url(table, view.head.guild)
        channel = (await self._servers.settings(head.guild)).results
        if channel is None or channel == head.channel or url is None:
            return True
        try:
            if not await self._requests.is_open_to(head.guild, head.channel, channel):
                return True
        except FAILURES as error:
            log_failure("readers_not_found_out", table, error)
            return False
        words = texts(head.locale)
        line = report_line(self._without(view, words), url, words)
        meant, settle = Surface(*REPORT, channel), Priority.SETTLE
        refusal = await self._outbox.post(
            table, meant, line, head.guild, priority=settle, silent=True
        )
        return is_settled(refusal)

    def _without(self, view: ResultView, words: Texts) -> ResultView:
        """The view without the names of people who stand on no leaderboard: this is one more."""
        hidden = words.get("report.somebody")
        sitters = tuple(
            one._replace(name=hidden)
            if one.user is not None and self._readers.preferences(one.user).board is Board.OFF
            else one
            for one in view.head.sitters
        )
        return replace(view, head=replace(view.head, sitters=sitters))
