"""A failure about one person is theirs alone; what failed as a whole is tried again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import pytest

from bot.ids import UserId
from bot.tables.model import TableError
from bot.tables.ports import Unavailable
from tests.discord.steps import lobby, tables
from tests.discord.test_openings import called, follow, open_table, to_call, told
from tests.discord.test_planning import come, pass_time
from tests.discord.world import Player, World

ABOUT_FOLLOWERS: Final = (
    "publisher.requests.guest",
    "publisher.outbox.write",
    "publisher.readers.preferences",
    "blocks.apart",
    "followers.tell",
)
"""What is asked about each follower."""

AS_A_WHOLE: Final = (
    "followers.to_tell",
    "publisher.requests.place",
    "publisher.board_place",
    "publisher.lines.has_called",
    "publisher.lines.call",
    "servers.settings",
    "tables.find",
)
"""What is asked about the table."""


class Failing:
    """A method of one of the parts that fails: about one person, or a number of times."""

    def __init__(self, w: World, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
        of, _, self.name = path.rpartition(".")
        self.owner = attrgetter(of)(w.running.context)
        self.works = getattr(self.owner, self.name)
        self.calls, self.failed = 0, 0
        self.fails: Callable[[tuple[Any, ...]], bool] = lambda _: False
        self.error: Exception = TimeoutError("Discord is slow for this one")
        is_sync = self.name == "preferences"
        monkeypatch.setattr(self.owner, self.name, self._now if is_sync else self._later)

    def about(self, user: UserId) -> Failing:
        """Whatever is asked about them fails."""
        self.fails = lambda asked: user in asked
        return self

    def times(self, count: float) -> Failing:
        """It fails as often."""
        self.fails = lambda _: self.failed < count
        return self

    def _now(self, *asked: Any) -> Any:
        self.calls += 1
        if self.fails(asked):
            self.failed += 1
            raise self.error
        return self.works(*asked)

    async def _later(self, *asked: Any, **more: Any) -> Any:
        self.calls += 1
        if self.fails(asked):
            self.failed += 1
            raise self.error
        return await self.works(*asked, **more)


async def in_the_program(work: Callable[[], None]) -> None:
    work()


async def followers(w: World) -> list[Player]:
    found = [w.ben, w.cat, w.dan, w.eve]
    for player in found:
        await follow(player, "sticheln")
    return found


# A table opens


@pytest.mark.behaviour("A table opens, and somebody wants to know")
@pytest.mark.parametrize("path", ABOUT_FOLLOWERS)
async def test_what_fails_about_one_follower_keeps_no_other_from_hearing(
    path: str, w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await followers(w)
    failing = Failing(w, monkeypatch, path).about(players[0].id)
    await open_table(w)
    assert failing.failed
    assert [len(told(one)) for one in players] == [0, 1, 1, 1]
    await w.env.advance_time(3)
    # Where nobody knows whether it is stored it is not stored again: the letter is sent once.
    assert failing.failed == (1 if path == "followers.tell" else 2)
    failing.times(0)
    await w.env.advance_time(600)
    assert [len(told(one)) for one in players] == [1, 1, 1, 1]


@pytest.mark.parametrize("path", AS_A_WHOLE)
async def test_what_fails_as_a_whole_is_tried_again_and_says_nothing_twice(
    path: str, w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await followers(w)
    await to_call(w)
    begins = w.running.context.openings.opened
    failing = Failing(w, monkeypatch, path)

    def opened(*asked: Any) -> None:
        failing.times(failing.failed + 2)
        begins(*asked)

    monkeypatch.setattr(w.running.context.openings, "opened", opened)
    await open_table(w)
    await w.env.advance_time(120)
    assert failing.failed == 2
    assert [len(told(one)) for one in players] == [1, 1, 1, 1]
    assert len(called(w)) == 1


async def test_it_is_tried_a_number_of_times_and_no_more(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await followers(w)
    failing = Failing(w, monkeypatch, "followers.to_tell").times(float("inf"))
    table = await open_table(w)
    await w.env.advance_time(500)
    assert failing.failed == 5
    failing.times(0)
    openings = w.running.context.openings
    await w.directly(in_the_program(lambda: openings.opened(table.id)))  # a plan is drawn again
    await w.env.advance_time(5)
    assert [len(told(one)) for one in players] == [1, 1, 1, 1]


async def test_of_a_table_that_has_begun_nobody_is_told_late(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await followers(w)
    failing = Failing(w, monkeypatch, "followers.to_tell").times(1)
    await open_table(w)
    await w.ann.slash("leave")
    await w.env.advance_time(3600)
    assert failing.calls == 1
    assert not any(told(one) for one in players)


async def test_letters_that_discord_refuses_for_a_while_come_later(w: World) -> None:
    players = await followers(w)
    w.env.inject_error(
        "POST", "/channels/*/messages", status=403, code=20026, message="flagged", times=1
    )
    await open_table(w)
    await w.env.advance_time(3600)
    assert [len(told(one)) for one in players] == [1, 1, 1, 1]


# A planned table opens


@pytest.mark.parametrize("error", [TableError("not_stored"), Unavailable()])
async def test_what_fails_about_one_who_comes_keeps_no_letter_from_the_others(
    error: Exception, w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await follow(w.eve, "sticheln")
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    for name in ("Ben", "Cat"):
        await come(w, name)
    failing = Failing(w, monkeypatch, "tables.set_reachable").about(w.ann.id)
    failing.error = error
    before = {one.name: len(one.dms()) for one in (w.ann, w.ben, w.cat)}
    await pass_time(w, minutes=121)
    assert failing.failed
    got = {one.name: len(one.dms()) - before[one.name] for one in (w.ann, w.ben, w.cat)}
    assert got == {"Ann": 1, "Ben": 1, "Cat": 1}
    assert told(w.eve), "followers hear of it too"


# Lines that call people


async def test_what_fails_about_one_guest_keeps_no_line_from_the_others(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await lobby(w, "Ann", private=True)
    failing = Failing(w, monkeypatch, "blocks.apart").about(w.ben.id)
    failing.error = Unavailable()
    for guest in (w.ben, w.cat):
        await w.directly(tables(w).invite(table.id, w.ann.id, guest.id))
    await w.env.advance_time(5)
    assert failing.failed
    words = Counter(
        name for one in w.messages(w.channel.id) for name in ("Ben", "Cat")
        if f"<@{w.players[name].id}>" in one.text
    )  # fmt: skip
    assert words == {"Cat": 1}
