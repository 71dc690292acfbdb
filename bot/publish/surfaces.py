"""Stored messages, and what each shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, Protocol, TypeAlias

from bot.ids import ChannelId, MessageId, QuestionId, TableId
from bot.surfaces import FOR_ONE as FOR_ONE
from bot.surfaces import Kind as Kind
from bot.surfaces import Row
from bot.views.snapshot import WantedHand, marked
from bot.views.values import HandView

DIRECT: Final = (Kind.HAND, Kind.GREETING)
"""Kinds of direct messages, to whose id is the key."""

RENEWED: Final = (Kind.BOARD, Kind.RESULT, Kind.HAND, Kind.NOTICE)
"""Kinds of messages that are sent again in place of an older one; others are sent once."""

Slot: TypeAlias = tuple[Kind, int]
"""A kind and a key: the owner of a hand or greeting, the invited or offered person, a free seat, a
role, the id of a retired message; 0 if there is only one of that kind."""

BOARD: Final[Slot] = (Kind.BOARD, 0)
RESULT: Final[Slot] = (Kind.RESULT, 0)
NOTICE: Final[Slot] = (Kind.NOTICE, 0)


class Call(NamedTuple):
    """The question that a person is called to.

    A person who is not asked has a hand with the ply of the deal as `question`.
    """

    question: QuestionId
    warned: bool = False
    """Whether their time runs out soon; a warning comes after the first call."""


class Shows(NamedTuple):
    """The content of a hand when it was drawn last."""

    question: QuestionId
    """That it asks; the ply of the deal if it asks none, or since when it says that a card was
    chosen ahead."""
    ended: int = 0
    """Number of the round if the hand shows its end, else 0, or how it is `marked`."""

    @classmethod
    def of(cls, view: HandView) -> Shows:
        waits = QuestionId(view.deal) if view.ahead is None else view.since
        question = waits if view.question is None else view.question
        return cls(question, marked(view.take_back) if view.pause is None else view.pause.round)

    def is_over(self, now: WantedHand) -> bool:
        """Whether its question is answered, or the end of the round is missing on it.

        Also if it shows a card chosen ahead that was played or withdrawn, or does not show what is
        to be said of a wish to take a play back.
        """
        asks = self.question > now.deal
        known = self.question >= now.deal and self.ended == now.ended
        return not known or (asks and self.question not in (now.question, now.ahead))


UNSURE: Final = -1
"""The `round` of a hand whose content is unknown (it was drawn twice at a time), or that is to be
redrawn."""


RESTORATION_TOLD: Final = -2
"""The `round` of what takes the place of a hand where a restoration ended the table."""

OVER: Final = -3
"""The `round` of an invitation that is over, posted or not, and of an offer: as long as their table
is open they stay known, so that they do not come again, or not at once."""


NEVER: Final = datetime.min.replace(tzinfo=UTC)


class Surface(NamedTuple):
    """A message on Discord, or to be sent, and what it shows."""

    kind: Kind
    key: int
    """The second half of its slot."""
    channel: ChannelId = ChannelId(0)
    """0 before it is sent by direct message."""
    message: MessageId = MessageId(0)
    """0 before it is sent."""
    posted: datetime = NEVER
    round: int = 0
    """Number of the round that a board shows, 0 in the lobby; of a hand as `Shows.ended`."""
    question: QuestionId | None = None
    """The question of the `Call` that a hand or notice shows; of a hand without a question the ply
    of the deal; None if a hand shows no cards yet."""
    warned: bool = False
    """Of an invitation: whether the invited person does not come."""
    nonce: str = ""
    """Of a message on its way: by it Discord knows for some minutes that it was sent before."""
    of_kind: str = ""
    of_key: int = 0
    """The slot that a message on its way is to have."""

    @property
    def slot(self) -> Slot:
        return self.kind, self.key

    @property
    def call(self) -> Call | None:
        return None if self.question is None else Call(self.question, self.warned)

    @property
    def told(self) -> Shows:
        """The content of a hand."""
        return Shows(self.question or QuestionId(0), self.round)

    def telling(self, shows: Shows) -> Surface:
        """The same hand with other content."""
        return self._replace(question=shows.question, round=shows.ended, warned=False)

    def shows(self, call: Call) -> bool:
        """Whether it shows that call, or a later one."""
        return self.question is not None and (self.question, self.warned) >= call


class Surfaces(Protocol):
    """Store of the messages on Discord; kept over restarts."""

    async def all_of(self, table: TableId) -> Sequence[Row]: ...

    async def save(
        self,
        rows: Mapping[tuple[TableId, str, int], Row | None],
        drawn: Mapping[TableId, int | None],
    ) -> None:
        """Stores, in one go, messages by table and slot (None: there is none any more) and the
        versions of tables that were drawn completely last.
        """
