"""Cards chosen ahead, which the table plays when their owner is asked.  Pure.

Only the owner learns of it.  It is possible for cards of a trick alone (`Layout.ahead`); the line
of the log names a person, and to everybody else the owner is asked like anybody.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence, waiting
from bot.tables.model import Table, TableError
from bot.tables.phase import Round
from bot.tables.votes import Ahead


def choose(table: Table, now: datetime, user: UserId, since: QuestionId, text: str | None) -> Table:
    """Have `text` played for `user` when it is their turn; None takes the choice back.

    `since` is the number on the button: the ply at which it was drawn.  If `user` has been asked
    since, nothing is chosen, and an earlier choice is taken back: they see the question first.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale` (they have answered since, or
    that was another round), `ahead_illegal` (the card can no longer be played).
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
