"""What one person is shown of a wish to take the last play back."""

from __future__ import annotations

from bot.ids import UserId
from bot.tables import undo
from bot.tables.model import Table
from bot.tables.phase import Round
from bot.views.values import TakeBackView


def take_back_view(table: Table, user: UserId) -> TakeBackView | None:
    """What `user`, who sits at the table, is shown of the wish that there is; None: nothing."""
    wish, seating = table.take_back, table.stored.seating
    seat, own = (None, None) if wish is None else map(seating.place_of, (wish.user, user))
    if wish is None or seat is None or own is None or not isinstance(table.phase, Round):
        return None
    play = next(iter(table.told_since(seat)), None)
    if wish.user == user:
        return TakeBackView(wish.question, seat, "refused" if wish.refused else "waits", play)
    if undo.asked_of(table, user) is None or seating.places[own].away:
        return None
    return TakeBackView(wish.question, seat, "asked", play)
