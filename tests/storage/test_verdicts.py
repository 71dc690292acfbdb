"""Law: whatever is shown of a match that is over is shown for ever.

Before and after what serves the evening is forgotten, by the process in which it ended and by the
next ones: the same words, the same record, the same leaderboard.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from bot.i18n import texts
from bot.ids import ChannelId, GuildId, MessageId
from bot.render.channel import channel_message, public_message
from bot.render.deal_proof import verify_page
from bot.render.ended import shared_result
from bot.render.message import Message
from bot.render.pages import log_page
from bot.render.results import rounds_page
from bot.storage.database import Database
from bot.storage.results import SqlResults
from bot.storage.retention import KEPT, Retention
from bot.storage.tables import SqlTableStore
from bot.tables import verdict
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Over
from bot.tables.plans import Wish
from bot.tables.ports import Due, Period
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Person, Status
from bot.views.building import channel_view, hand_view, table_head, verify_view
from bot.views.values import ResultView
from engine.registry import games
from tests.discord.world import words
from tests.tables.fakes import ANN, BEN, CAT, DAN, MODERATOR, FakeClock, Recorder, SeededChance

GUILD: Final = GuildId(1)
PEOPLE: Final = (ANN, BEN, CAT)


class Evening:
    """A match of Ann, Ben and Cat over a real store, of which half is played."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = FakeClock()
        self.chance = SeededChance()
        self.service = self.process()
        self.table: Table

    def process(self) -> TableService:
        return TableService(
            SqlTableStore(self.database),
            clock=self.clock,
            chance=self.chance,
            announcer=Recorder(),
            games=games(),
        )

    async def half_played(self) -> None:
        opened = await self.service.open(
            Wish("sticheln", 3, {"rounds": 2}), GUILD, ChannelId(1), ANN
        )
        for person in (BEN, CAT):
            await self.service.sit(opened.id, person)
        await self.service.start(opened.id, ANN.id)
        self.table = await self.service.posted(opened.id, 1, MessageId(100))
        await self.round()

    async def round(self, plies: int = 10_000) -> None:
        for _ in range(plies):
            if not self.table.actors:
                return
            seat = self.table.actors[0]
            person = self.table.stored.seating.places[seat].person
            assert person is not None
            text = list(self.table.legal_texts(seat))[-1]
            self.table = await self.service.act(self.table.id, None, person.id, text, None)

    async def next_round(self) -> None:
        for person in PEOPLE:
            await self.service.ready(self.table.id, person.id, None)
        self.table = await self.service.posted(self.table.id, 2, MessageId(200))

    async def vote(self, *people: Person) -> None:
        for person in people:
            self.table = await self.service.end(self.table.id, person.id, moderator=False)

    async def leave(self, *people: Person) -> None:
        for person in people:
            self.table = await self.service.leave(self.table.id, person.id)

    async def fire(self, kind: DeadlineKind) -> None:
        due = self.table.stored.timing.deadline(kind)
        assert due is not None
        self.clock.now = due.due
        await self.service.fire(Due(self.table.id, due))
        self.table = await self.service.table(self.table.id)


End = Callable[[Evening], Awaitable[object]]


async def by_its_rules(e: Evening) -> None:
    await e.next_round()
    await e.round()


async def by_all_in_the_round(e: Evening) -> None:
    await e.next_round()
    await e.round(5)
    await e.vote(ANN, BEN, CAT)


async def by_two_of_three(e: Evening) -> None:
    await e.vote(BEN, CAT)
    await e.fire(DeadlineKind.VOTED)


async def by_those_who_are_left(e: Evening) -> None:
    await e.leave(CAT)
    await e.vote(ANN, BEN)


async def by_the_last_who_stays(e: Evening) -> None:
    await e.leave(CAT, BEN)


async def by_the_last_who_stays_against_a_substitute(e: Evening) -> None:
    await e.next_round()
    await e.leave(CAT)
    await e.service.sit(e.table.id, DAN)
    await e.leave(ANN, DAN)


async def by_its_rules_without_cat(e: Evening) -> None:
    await e.leave(CAT)
    await e.service.sit(e.table.id, DAN)
    for person in (ANN, BEN, DAN):
        await e.service.ready(e.table.id, person.id, None)
    e.table = await e.service.posted(e.table.id, 2, MessageId(200))
    await e.round()


async def by_a_moderator(e: Evening) -> None:
    await e.service.cut(e.table.id, BEN.id, "kuckuck")
    await e.service.end(e.table.id, MODERATOR.id, moderator=True)


async def by_its_channel(e: Evening) -> None:
    await e.service.vanished(e.table.id)


async def unseen(e: Evening) -> None:
    await e.service.stalled(e.table.id, ())
    e.table = await e.service.table(e.table.id)
    await e.fire(DeadlineKind.STALL)


ENDS: Final[tuple[End, ...]] = (
    by_its_rules,
    by_all_in_the_round,
    by_two_of_three,
    by_those_who_are_left,
    by_the_last_who_stays,
    by_the_last_who_stays_against_a_substitute,
    by_its_rules_without_cat,
    by_a_moderator,
    by_its_channel,
    unseen,
)


def said(message: Message) -> str:
    return words([dict(component) for component in message.components])


async def shown(service: TableService, table: Table) -> dict[str, object]:
    """All that somebody can have shown to them, by what it is."""
    english, head, view = texts("en"), table_head(table), channel_view(table)
    assert isinstance(view, ResultView)
    checked = await service.checked(table)
    return {
        "result": said(public_message(channel_view(table, checked))),
        "watched": said(channel_message(view, english, watched=True)),
        "shared": said(shared_result(view, "Dan", english)),
        "log": said(log_page(head, table.told, None, english, over=True)),
        "rounds": said(rounds_page(head, await service.rounds(table), None, english)),
        "verify": said(verify_page(verify_view(table, 0, checked), english)),
        "record": await service.record(table),
        "hands": [hand_view(table, person.id, None) for person in (*PEOPLE, DAN)],
        "outcome": table.phase.outcome if isinstance(table.phase, Over) else "open",
    }


async def leaders(evening: Evening) -> list[tuple[str, int, int]]:
    page = await SqlResults(evening.database).page(GUILD, None, Period.ALL, evening.clock(), 0, 8)
    return [(line.name, line.wins, line.points) for line in page.lines]


@pytest.mark.behaviour("A match ended more than 30 days ago")
@pytest.mark.parametrize("end", ENDS)
async def test_what_is_shown_stays_whatever_is_forgotten(database: Database, end: End) -> None:
    evening = Evening(database)
    await evening.half_played()
    assert isinstance(evening.table.phase, BetweenRounds)
    await end(evening)
    table = await evening.service.find(evening.table.id)
    assert not table.stored.status.is_open
    before, ranks = await shown(evening.service, table), await leaders(evening)
    again = evening.process()
    assert await shown(again, await again.table(table.id)) == before
    evening.clock.now += KEPT + timedelta(days=1)
    while await Retention(database, evening.clock).step():
        pass
    later = evening.process()
    found = await later.table(table.id)
    assert found.stored.votes.end_votes == frozenset()
    assert await shown(later, found) == before
    assert await leaders(evening) == ranks
    rematch = await later.rematch(found.id, found.stored.seating.people[0])
    assert rematch.stored.rematch_of == found.id
    for service in (evening.service, again, later):
        await service.aclose()


async def test_what_a_match_counted_for_outlives_other_rules_of_conceding(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(database)
    await evening.half_played()
    await by_two_of_three(evening)
    assert evening.table.stored.status is Status.STOPPED
    before = await shown(evening.service, evening.table)
    monkeypatch.setattr(verdict, "half_played", lambda *_: False)
    service = evening.process()
    assert await shown(service, await service.table(evening.table.id)) == before
    for one in (evening.service, service):
        await one.aclose()
