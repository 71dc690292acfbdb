"""Taking the last play back, where everybody else who is present agrees.  Pure: table to table.

The log only grows: a line of its own takes the one before it back, and the fold goes on from what
there was before that.  Computer players and stand-ins always agree; one person who does not ends
it, and so does the next play.  What may be taken back at all `engine.taking_back` decides.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence, waiting
from bot.tables.fold import append
from bot.tables.model import Table, TableCode, TableError
from bot.tables.phase import Round
from bot.tables.stored import UNDO, Actor, DeadlineKind, Entry, TakeBack
from engine.taking_back import may_take_back

MOST_A_ROUND: Final = 10
"""Maximum number of plays that are taken back in a round: the log stays short."""


def refusal(table: Table, user: UserId) -> TableCode | None:
    """Code of why `user`, who sits there, cannot take a play back now; None if they can.

    `undo_over`: no round is played.  `undo_none`: nobody has played since the deal, or a play was
    just taken back.  `undo_moved`: the last play is somebody else's.  `undo_not_pressed`: it was
    played for them, or before they sat down.  `undo_often`: enough was taken back in this round.
    `undo_learnt`: it has told somebody something.  `undo_refused`: somebody has said no.
    """
    played, seat = table.played, table.stored.seating.place_of(user)
    if not isinstance(table.phase, Round) or played is None or seat is None:
        return "undo_over"
    before, last = played.before, table.log[-1]
    if before is None:
        return "undo_none"
    if last.seat != seat:
        return "undo_moved"
    if last.by is not Actor.PERSON or last.ply < table.stored.seating.places[seat].since:
        return "undo_not_pressed"
    if sum(entry.is_undo for entry in table.log[table.phase.deal_ply :]) >= MOST_A_ROUND:
        return "undo_often"
    action = table.game.parse_action(last.text)
    if not may_take_back(table.game, before.state, seat, action, played.state):
        return "undo_learnt"
    wish = table.take_back
    return "undo_refused" if wish is not None and wish.refused else None


def ask(
    table: Table, user: UserId, question: QuestionId, interaction: int | None, now: datetime
) -> Table:
    """`user` wants to take their last play back; it is done at once if nobody is to be asked.

    `question` is the number on the button: the ply of the next entry when it was drawn.

    Raises TableError `ended`, `not_running`, `not_seated`, and what `refusal` says.
    """
    lobby.require_player(table.stored, user)
    code = refusal(table, user)
    if question != table.ply and code is None:
        code = "undo_moved"
    if code is not None:
        raise TableError(code)
    stored = presence.clear_absence(table.stored, user)
    wish = table.take_back or TakeBack(QuestionId(table.ply), user)
    stored = replace(stored, votes=replace(stored.votes, take_back=wish))
    return settled(replace(table, stored=stored), interaction, now)


def answer(
    table: Table,
    user: UserId,
    question: QuestionId,
    interaction: int | None,
    now: datetime,
    *,
    agrees: bool,
) -> Table:
    """`user` agrees that the play is taken back about which they were asked, or does not.

    Raises TableError `ended`, `not_running`, `not_seated`, `undo_gone` (nobody is asked that now).
    """
    lobby.require_player(table.stored, user)
    wish = table.take_back
    if wish is None or wish.refused or user == wish.user or wish.question != question:
        raise TableError("undo_gone")
    stored = presence.clear_absence(table.stored, user)
    said = replace(wish, agreed=wish.agreed | {user}) if agrees else replace(wish, refused=True)
    stored = replace(stored, votes=replace(stored.votes, take_back=said))
    return settled(replace(table, stored=stored), interaction, now)


def asked_of(table: Table, user: UserId) -> TakeBack | None:
    """The wish about which `user`, who sits there, is asked; None if they are not."""
    wish = table.take_back
    if wish is None or wish.refused or wish.user == user or user in wish.agreed:
        return None
    return wish if isinstance(table.phase, Round) else None


def settled(table: Table, interaction: int | None, now: datetime) -> Table:
    """`table`, with the play taken back about which everybody present agrees.

    Nothing that was prepared meanwhile answers the question: no card chosen ahead remains.
    """
    wish, phase = table.take_back, table.phase
    if wish is None or wish.refused or not isinstance(phase, Round):
        return table
    if any(person.id not in {wish.user, *wish.agreed} for person in table.stored.seating.present):
        return table
    stored = table.stored.without_deadline(DeadlineKind.IDLE)  # it begins anew
    passing = stored.votes.standing - {wish.user}
    votes = replace(stored.votes, take_back=None, standing=passing, ahead={})
    undone = table.log[-1]
    entry = Entry(table.ply, undone.seat, f"{UNDO}{undone.ply}", now, interaction)
    return waiting.with_deadlines(append(table, replace(stored, votes=votes), entry), now)
