"""Cards chosen ahead: played by the table when their owner is asked.  Pure.

Nobody but its owner learns of it: it is for cards of a trick alone (`Layout.ahead`), the line of
the log is one of a person, and to everybody else its owner is asked like anybody.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence, waiting
from bot.tables.model import Table, TableError
from bot.tables.phase import Round
from bot.tables.votes import Ahead


def choose(table: Table, user: UserId, since: QuestionId, text: str | None, now: datetime) -> Table:
    """`user`, who is present by that, plays `text` when it is their turn; None: nothing any more.

    `since` is the number on what was pressed: the ply that it was drawn at.  If they are asked by
    now, nothing is chosen, and what had been chosen is taken back: they see what is asked first.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale` (they have answered since, or
    that was another round), `ahead_illegal` (it can be played no more).
    """
    stored = table.stored
    seat = lobby.require_player(stored, user)
    phase = table.phase
    over = not isinstance(phase, Round) or since <= phase.deal_ply
    if over or table.answer_to(seat, since) is not None:
        raise TableError("stale")
    stored = presence.clear_absence(stored, user)
    known, chosen = stored.votes.ahead.get(user), None
    if text is not None and seat not in table.actors:
        if all(act.action != text for act in table.game.layout(table.observe(seat)).ahead):
            raise TableError("ahead_illegal")
        same = known is not None and known.text == text
        chosen = known if same else Ahead(QuestionId(table.ply), text)
    if chosen != known:
        stored = replace(stored, votes=stored.votes.with_ahead(user, chosen))
    return waiting.with_deadlines(replace(table, stored=stored), now)
