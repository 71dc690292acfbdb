"""Laws of drawing: whatever failed, in whatever order, what stands there in the end is what should.

A table goes its way; meanwhile Discord refuses this and that, answers get lost, presses draw, the
program starts anew.  Once Discord takes everything again, a few draws come to what a program would
have drawn that never met any trouble, and then there is nothing left to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ids import QuestionId, UserId
from bot.render.message import Message
from bot.surfaces import Kind
from bot.tables.stored import Offer
from bot.views.snapshot import WantedHand
from tests.publish.stage import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    TABLE,
    Call,
    Refused,
    Stage,
    other,
    turn,
    turns,
)
from tests.render.limits import ROW, walk

PEOPLE: Final = (ANN, BEN, CAT)
DAN: Final = UserId(103)
"""Not at the table."""

LOST: Final = (500, 0)
GONE: Final = (404, 10008)
IN_CHANNELS: Final = ((403, 50013), (400, 50083))
"""What is not said of direct messages."""

REFUSALS: Final = (
    LOST, GONE, *IN_CHANNELS, (429, 0), (403, 20026), (403, 40003), (400, 30046), (400, 999_999),
)  # fmt: skip
"""Statuses and codes: of what passes, is gone, stuck or barred, and of what nobody knows."""

DEAL: Final = QuestionId(10)


@dataclass(frozen=True)
class Turn:
    """Somebody is asked the next question."""

    seat: int


@dataclass(frozen=True)
class Round:
    """Another round has a message of its own."""


@dataclass(frozen=True)
class Trouble:
    """Discord refuses the next calls of a kind, for a status and code.

    Less often than what nobody knows is borne.  `arrives`: what is lost was done all the same.
    """

    what: str
    refusal: tuple[int, int]
    calls: int
    arrives: bool


@dataclass(frozen=True)
class Restart:
    """The program starts anew."""


@dataclass(frozen=True)
class Press:
    """The answer to a press has perhaps drawn the board."""


@dataclass(frozen=True)
class Place:
    """A place is offered, anew if it was before, to everybody or to somebody; or to nobody more."""

    to: UserId | None
    on: bool


@dataclass(frozen=True)
class Guest:
    """Somebody is invited, unless they have answered already."""

    waits: bool


@dataclass(frozen=True)
class Chatter:
    """People write, and time goes by."""

    messages: int
    minutes: int


Step = Turn | Round | Trouble | Restart | Press | Place | Guest | Chatter

STEPS: Final = st.lists(
    st.one_of(
        st.builds(Turn, st.integers(0, 2)),
        st.builds(Turn, st.integers(0, 2)),
        st.just(Round()),
        st.builds(
            Trouble,
            st.sampled_from(["send", "edit", "delete", "dm", "history"]),
            st.sampled_from(REFUSALS),
            st.integers(1, 2),
            st.booleans(),
        ),
        st.just(Restart()),
        st.just(Press()),
        st.builds(Place, st.sampled_from([None, DAN]), st.booleans()),
        st.builds(Guest, st.booleans()),
        st.builds(Chatter, st.integers(0, 20), st.integers(0, 70)),
    ),
    min_size=2,
    max_size=14,
)


class Course:
    """A table on its way through trouble."""

    def __init__(self) -> None:
        self.stage = Stage()
        self.stage.set(retries=(0.0,), retry_refused=0.0, letters=(60.0,))
        self.stage.discord.newest = 100
        self.question, self.round = int(DEAL), 1
        self.ask(0)

    async def take(self, step: Step) -> None:
        match step:
            case Turn(seat):
                self.ask(seat)
            case Round():
                self.round += 1
                self.ask(0)
            case Trouble():
                self.stage.discord.refuse = _refusing(self.stage, step)
            case Restart():
                await self.stage.publisher.aclose(1)
                self.stage.fresh()
            case Press():
                self.stage.publisher.note_board(TABLE, None)
            case Place(to, on):
                self.place(to, on)
            case Guest(waits):
                if self.stage.source.invited.get(DAN, True):
                    self.stage.source.invited = {DAN: waits}
            case Chatter(messages, minutes):
                for _ in range(messages):
                    self.stage.publisher.passed(CHANNEL)
                self.stage.later(minutes=minutes)
        await self.stage.draw()

    def place(self, to: UserId | None, on: bool) -> None:
        source = self.stage.source
        self.question += 1
        if to is None:
            source.sought = {2: self.question} if on else {}
        else:
            source.offered = {to: Offer(self.stage.now, self.question)} if on else {}

    def ask(self, seat: int) -> None:
        """The next question, put to one seat."""
        source = self.stage.source
        self.question += 1
        question = QuestionId(self.question)
        source.view = replace(other(turn(question), self.round), actors=(seat,))
        deal = QuestionId(DEAL + 100 * self.round)
        question = QuestionId(deal + self.question)
        source.moments = {
            user: WantedHand(deal, question if user == PEOPLE[seat] else None) for user in PEOPLE
        }
        source.due = [
            (user, user == PEOPLE[seat], question if user == PEOPLE[seat] else deal)
            for user in PEOPLE
        ]


def _refusing(stage: Stage, trouble: Trouble) -> Callable[[Call], Exception | None]:
    left = [trouble.calls]

    def refuse(made: Call) -> Exception | None:
        barred = trouble.refusal in IN_CHANNELS and made[1] != CHANNEL
        if made[0] != trouble.what or barred or not left[0]:
            return None
        left[0] -= 1
        lost = trouble.arrives and trouble.refusal == LOST and made[0] == "delete"
        if lost or trouble.refusal == GONE:
            stage.discord.shown.pop(made[2], None)
        return Refused(*trouble.refusal)

    return refuse


def _live(stage: Stage) -> dict[int, list[str]]:
    """By channel: what can be pressed there.  Lines and letters to the host stay as they are."""
    found: dict[int, list[str]] = {}
    for message, shown in stage.discord.shown.items():
        if any("custom_id" in part for part in walk(list(shown.components))):
            channel, _ = stage.discord.marks[message]
            found.setdefault(channel, []).append(_read(shown))
    return found


def _read(shown: Message) -> str:
    """What a message shows and does, without links: whoever was called first has none yet."""
    parts = [
        {name: value for name, value in part.items() if name not in ("components", "accent_color")}
        for part in walk(list(shown.components))
        if "url" not in part and part["type"] != ROW
    ]
    return re.sub(r"https:\S*/\d+", "…", repr(parts))


@given(steps=STEPS)
@settings(max_examples=120)
async def test_whatever_failed_the_end_is_what_it_would_have_been(steps: list[Step]) -> None:
    course = Course()
    stage = course.stage
    for step in steps:
        await course.take(step)
    stage.discord.refuse = lambda made: None
    for _ in range(12):
        stage.later(minutes=10)
        made = await stage.draw()
        await turns()
        if not made and not await stage.draw():
            break
    else:
        raise AssertionError(f"it is never done: {made}")
    assert not stage.source.stall
    assert not {Kind.SENDING, Kind.RETIRED, Kind.REPLACED} & set(stage.kinds())

    calm = Stage()
    calm.source.view, calm.source.moments = stage.source.view, stage.source.moments
    calm.source.due, calm.source.unreached = stage.source.due, list(stage.source.unreached)
    calm.source.sought, calm.source.offered = stage.source.sought, stage.source.offered
    calm.source.invited = stage.source.invited
    calm.discord.newest = 100
    await calm.draw()
    here, there = _live(stage), _live(calm)
    assert sorted(here[CHANNEL]) == sorted(there[CHANNEL])
    for user in PEOPLE:
        if user not in stage.source.unreached:
            assert here.get(1000 + user) == there.get(1000 + user)
