"""An evening is found: asking, ticking, the time that is taken, and the lines that call people."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest

from bot.ids import GuildId
from bot.publish.desk import Tidying
from bot.publish.outbox import Outbox
from bot.publish.requests import Requests
from bot.render.custom_ids import Press, Verb
from bot.tables.when import WEEK
from tests.discord.steps import moderator, newcomer
from tests.discord.test_planning import (
    ASKED,
    NOT_OFFERED,
    choose,
    come,
    events,
    let_the_bot,
    open_tables,
    pass_time,
    plan,
    seated,
)
from tests.discord.test_plans_later import ask_to_come, never, pinged
from tests.discord.test_preferences import sleep
from tests.discord.world import Player, Shown, World


def asked(w: World) -> Shown:
    """The newest message in the channel that asks for a time."""
    return [shown for shown in w.messages(w.channel.id) if shown.presses(Verb.TICK)][-1]


def offered(shown: Shown) -> list[str]:
    """The values in its menu of times."""
    ((_, menu), _) = shown.presses(Verb.TICK)
    return [option["value"] for option in menu["options"]]


async def tick(w: World, name: str, *numbers: int, of: Shown | None = None) -> str:
    """Chooses these of the times that are still offered, or says that none suits."""
    shown = asked(w) if of is None else of
    menu, none = (press.encode() for press, _ in shown.presses(Verb.TICK))
    if not numbers:
        return await w.players[name].press(shown, none)
    values = [offered(shown)[number - 1] for number in numbers]
    return await w.players[name].choose(shown, menu, *values)


async def invite(w: World, name: str, by: str = "Ann") -> str:
    shown, player = asked(w), w.players[by]
    result = await player.actor.select(
        w.message(shown), [w.players[name].actor], custom_id=shown.only(Verb.ASK_TO_COME)
    )
    return player._remember(result)


def lines(w: World) -> list[str]:
    return [shown.text for shown in w.messages(w.channel.id) if shown.calls]


def stamp(moment: datetime) -> str:
    return f"<t:{int(moment.timestamp())}:F>"


async def soon(w: World, player: Player | None = None, *hours: int, **options: Any) -> None:
    """Ann, or another, asks about times so many hours from now."""
    days = ", ".join(f"in {hour}h" for hour in hours or (24, 48))
    await (player or w.ann).slash("evening", game="aufundab", days=days, **options)


@pytest.mark.behaviour("Somebody looks for an evening")
async def test_as_soon_as_enough_can_it_is_a_plan_and_they_are_called(w: World) -> None:
    days = "fri 20:00 Europe/Zurich, sat 19:00, sun"
    await w.ann.slash("evening", game="aufundab", days=days)
    shown, values = asked(w), offered(asked(w))
    assert len(values) == 3
    assert all(f"<t:{value}:F>" in shown.text for value in values)
    assert "Europe/Zurich" in shown.text
    assert "As soon as 3 people can" in shown.text
    await tick(w, "Ben", 2, 3)
    await tick(w, "Dan")
    assert "(2, the best so far): Ann and Ben" in asked(w).text
    assert "None of these (1): Dan" in asked(w).text
    assert lines(w) == []
    await tick(w, "Cat", 1, 3)
    await w.env.settle()
    found = plan(w)
    assert found.id == shown.id, "the same message"
    assert f"<t:{values[2]}:F>" in found.text
    assert "Coming (3): Ann, Ben, and Cat" in found.text
    assert "Can't come: Dan" in found.text
    (line,) = lines(w)
    assert f"it's settled for <t:{values[2]}:F>" in line
    assert sorted(pinged(w)) == sorted(str(one.id) for one in w.people(3))
    await come(w, "Ben", comes=False)
    await come(w, "Eve")
    due = datetime.fromtimestamp(int(values[2]), w.now().tzinfo)
    await pass_time(w, seconds=(due - w.now()).total_seconds() - 60)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Cat", "Eve"]


async def test_labels_are_by_the_clock_that_was_named(w: World) -> None:
    await w.ann.slash("evening", game="aufundab", days="2026-01-15 20:00 Asia/Tokyo")
    assert "1 · Thu, Jan 15, 20:00" in asked(w).text
    # A phone shows the first two dozen letters: else it would say 20:00 beside everybody's own time
    # and not whose 20:00 that is.
    assert "\nTimes in Asia/Tokyo: when" in asked(w).text


async def test_whoever_has_no_zone_is_asked_for_it_once(w: World) -> None:
    assert ASKED in await w.ann.slash("evening", game="aufundab", days="3")
    await choose(w, w.ann, "Europe/Zurich")
    shown = asked(w)
    hours = {datetime.fromtimestamp(int(one), ZoneInfo("Europe/Zurich")) for one in offered(shown)}
    assert [one.hour for one in sorted(hours)] == [20, 20, 20]
    assert ASKED not in await w.ann.slash("newgame", game="aufundab", at="?")
    assert len(offered(asked(w))) == 7, "a week"


async def test_what_cannot_be_read_says_so(w: World) -> None:
    said = await w.ann.slash("evening", game="aufundab", days="when it rains, fri")
    assert "“when it rains”" in said
    assert "leave out `weekly`" in await w.ann.slash(
        "evening", game="aufundab", days="fri 20:00 UTC weekly"
    )
    assert "one to 10" in await w.ann.slash("evening", game="aufundab", days="99")
    assert "`/evening` asks everybody" in await w.ann.slash(
        "newgame", game="aufundab", at="soon-ish"
    )
    assert w.messages(w.channel.id) == []


async def test_the_planner_takes_the_best_time_or_calls_it_off(w: World) -> None:
    await soon(w)
    await tick(w, "Ben", 2)
    assert "Only whoever asked" in await w.ben.press_verb(asked(w), Verb.TAKE_TIME)
    shown = asked(w)
    await w.ann.press_verb(shown, Verb.TAKE_TIME)
    assert "Coming (2): Ann and Ben" in plan(w).text
    assert plan(w).id == shown.id
    await soon(w)
    assert "Only whoever planned" in await w.ben.press_verb(asked(w), Verb.CALL_OFF)
    said = await moderator(w).press_verb(asked(w), Verb.CALL_OFF)
    assert "search for a time" in said
    shown = asked(w)
    await w.ann.press_verb(shown, Verb.CALL_OFF)
    await w.ann.press_verb(w.ann.panel, Verb.CALL_OFF_NOW)
    await w.env.settle()
    assert "was called off" in w.refreshed(shown).text
    assert "<t:" not in w.refreshed(shown).text


async def settled(w: World) -> Shown:
    """Eve was asked by name, and then a time was found: two lines call people."""
    await soon(w)
    await invite(w, "Eve")
    await tick(w, "Ben", 2)
    await tick(w, "Cat", 2)
    await w.env.settle()
    assert len(lines(w)) == 2
    return plan(w)


async def call_off(w: World, shown: Shown) -> None:
    await w.ann.press_verb(shown, Verb.CALL_OFF)
    await w.ann.press_verb(w.ann.panel, Verb.CALL_OFF_NOW)
    await w.env.settle()


@pytest.mark.behaviour("A planned table is called off, or nothing opens as its time comes")
async def test_what_called_people_to_a_plan_goes_once_it_is_off(w: World) -> None:
    shown = await settled(w)
    await call_off(w, shown)
    assert "was called off" in w.refreshed(shown).text
    assert [one.id for one in w.messages(w.channel.id)] == [shown.id]
    await w.restart()
    await pass_time(w, days=3)
    assert [one.id for one in w.messages(w.channel.id)] == [shown.id]


@pytest.mark.behaviour("A planned table is called off, or nothing opens as its time comes")
async def test_a_table_to_which_nobody_comes_after_all_calls_nobody_any_more(w: World) -> None:
    shown = await settled(w)
    await come(w, "Ann", "Ben", "Cat", comes=False)
    await pass_time(w, days=2)
    assert "Nobody was coming" in w.refreshed(shown).text
    assert lines(w) == []


async def test_a_table_that_has_opened_keeps_what_called_people_to_it(w: World) -> None:
    await settled(w)
    await pass_time(w, days=2)
    assert len(await open_tables(w)) == 1
    assert "it's settled for" in lines(w)[1]


@pytest.mark.behaviour("A planned table is called off, or nothing opens as its time comes")
@pytest.mark.parametrize("stands", [True, False])
async def test_what_the_program_did_not_come_to_as_it_died_goes_at_the_next_start(
    stands: bool, w: World
) -> None:
    shown = await settled(w)
    with patch.object(Outbox, "recover", side_effect=ConnectionError):  # nothing is drawn
        await call_off(w, shown)
        assert len(lines(w)) == 2
        await w.env.advance_time(10)
        await w.bot.close()
    if not stands:  # what is over is announced nowhere then
        await w.delete(shown)
    await w.restart()
    await w.env.advance_time(10)
    assert lines(w) == []


async def test_what_was_to_be_deleted_as_the_program_died_goes_at_the_next_start(w: World) -> None:
    shown = await settled(w)
    with patch.object(Tidying, "begin"):
        await call_off(w, shown)
        assert len(lines(w)) == 2
        await w.bot.close()
    await w.restart()
    await w.env.advance_time(10)
    assert lines(w) == []
    assert "was called off" in w.refreshed(shown).text


async def test_a_line_of_which_nobody_knows_whether_it_arrived_goes_too(w: World) -> None:
    await soon(w)
    shown, send = asked(w), Requests.send

    async def lost(*args: Any, **more: Any) -> None:
        await send(*args, **more)
        raise ConnectionResetError

    with patch.object(Requests, "send", lost):
        await invite(w, "Dan")
        assert len(lines(w)) == 1
        await call_off(w, shown)
        await w.env.advance_time(10)
    assert lines(w) == []


async def test_two_who_tick_at_once_are_both_there(w: World) -> None:
    await soon(w)
    shown, values = asked(w), offered(asked(w))
    menu = shown.presses(Verb.TICK)[0][0].encode()
    for player, chosen in ((w.ben, values), (w.cat, values[1:]), (w.dan, values[:1])):
        w.emit(player, shown, menu, 3, values=chosen)
    await w.env.settle()
    said = plan(w).text
    assert "Coming (3): Ann" in said
    assert ("Can't come: Dan" in said) != ("Can't come: Cat" in said), "who came late is not lost"
    assert len(lines(w)) == 1


async def test_the_same_tick_again_is_drawn_and_called_once(w: World) -> None:
    await soon(w, None, 24, 48, 72)
    for _ in range(3):
        await tick(w, "Ben", 1)
    assert asked(w).text.count("Ben") == 1
    await tick(w, "Ben", 3)
    assert "**1**" in asked(w).text
    assert "(2, the best so far): Ann and Ben" in asked(w).text


async def test_a_forged_time_is_refused(w: World) -> None:
    await soon(w)
    shown = asked(w)
    menu = shown.presses(Verb.TICK)[0][0].encode()
    for values in (["1790000000"], ["x"], [], [offered(shown)[0], "9" * 18]):
        assert NOT_OFFERED in await w.answer(w.ben, shown, menu, 3, values=values)
    unknown = Press(Verb.TICK, argument="ZZZZZ|none").encode()
    assert "don't know of this plan" in await w.answer(w.ben, shown, unknown)
    assert "Ben" not in w.refreshed(shown).text


@pytest.mark.behaviour("Nobody answers who was asked for an evening")
async def test_who_was_asked_by_name_is_reminded_once(w: World) -> None:
    await soon(w, None, 4, 8)
    assert "Ben is invited" in await invite(w, "Ben")
    await invite(w, "Cat")
    assert "Only whoever planned" in await invite(w, "Dan", by="Ben")
    assert len(lines(w)) == 2
    assert "asks when you can play" in lines(w)[0]
    await tick(w, "Cat")
    before = len(pinged(w))
    await pass_time(w, hours=2)
    (line,) = lines(w)[2:]
    assert f"<@{w.ben.id}>: when can you play" in line
    assert pinged(w)[before:] == [str(w.ben.id)]
    await w.restart()
    await pass_time(w, minutes=90)
    assert len(lines(w)) == 3
    await pass_time(w, hours=1)
    assert "(over)" in asked(w).text
    assert len(offered(asked(w))) == 1
    shown = asked(w)
    await pass_time(w, hours=4)
    assert "There was no time at which" in w.refreshed(shown).text
    assert not w.refreshed(shown).presses(*Verb)
    assert lines(w) == [], "there is nothing to answer any more"
    assert await open_tables(w) == []


@pytest.mark.behaviour("Nobody answers who was asked for an evening")
async def test_a_reminder_goes_once_everybody_in_it_has_answered(w: World) -> None:
    await soon(w, None, 24, 48)
    await invite(w, "Dan")
    await invite(w, "Eve")
    await pass_time(w, hours=13)
    assert len(lines(w)) == 3
    await tick(w, "Dan", 1)
    await w.env.settle()
    assert "still waiting for an answer" in lines(w)[-1], "of Eve"
    before = len(pinged(w))
    await tick(w, "Eve")
    await w.restart()
    await w.env.advance_time(5)
    assert ["asks when you can play" in line for line in lines(w)] == [True, True]
    await pass_time(w, hours=3)
    assert len(lines(w)) == 2
    assert len(pinged(w)) == before


@pytest.mark.behaviour("Nobody answers who was asked for an evening")
async def test_once_a_time_is_found_nobody_reads_that_they_are_asked_for_one(w: World) -> None:
    await soon(w, None, 24, 48)
    await invite(w, "Dan")
    await invite(w, "Eve")
    await pass_time(w, hours=13)
    for name in ("Ben", "Dan"):
        await tick(w, name, 1)
    await w.env.settle()
    eve, found = lines(w)
    assert "it's settled for" in found
    assert f"<@{w.eve.id}>, Ann invites you to **Auf und Ab**, <t:" in eve
    assert "asks whether you're coming" in eve
    before = len(pinged(w))
    await come(w, "Eve", comes=False)
    await w.env.settle()
    assert lines(w) == [found]
    assert len(pinged(w)) == before


async def test_nobody_is_called_in_quiet_hours_or_by_whom_they_never_want(w: World) -> None:
    await never(w)  # Ben wants nothing of Ann
    await w.ann.slash("leave")
    now = w.now()
    await sleep(w.cat, f"{now.hour}:00", f"{(now.hour + 5) % 24}:00")
    await soon(w, None, 6)
    await tick(w, "Cat", 1)
    before = len(pinged(w))
    await w.ann.press_verb(asked(w), Verb.TAKE_TIME)
    await w.env.settle()
    assert f"<@{w.cat.id}>" in lines(w)[-1], "nobody can tell"
    assert pinged(w)[before:] == [str(w.ann.id)]


async def test_who_is_not_wanted_at_a_time_learns_no_more_than_that(w: World) -> None:
    await never(w)
    await w.ann.slash("leave")
    await soon(w)
    assert "Never" in await tick(w, "Ben", 1) or "never" in await tick(w, "Ben", 1)
    await tick(w, "Ann")
    await tick(w, "Ben", 1)
    assert "Ben" in asked(w).text


async def test_only_invited_people_answer_what_is_private(w: World) -> None:
    await soon(w, private=True)
    assert "by invitation" in await tick(w, "Ben", 1)
    assert "by invitation" in await tick(w, "Ben")
    await invite(w, "Ben")
    await tick(w, "Ben", 1)
    await w.ann.press_verb(asked(w), Verb.TAKE_TIME)
    assert "Coming (2): Ann and Ben" in plan(w).text
    assert "by invitation" in plan(w).text
    assert "Cat is invited" in await ask_to_come(w, "Cat")


async def test_it_stands_in_the_calendar_once_it_is_found(w: World) -> None:
    let_the_bot(w, manage_events=True)
    org = newcomer(w, manage_events=True)
    await soon(w, org)
    await w.env.advance_time(1)
    assert events(w) == []
    await org.press_verb(asked(w), Verb.TAKE_TIME)
    await w.env.advance_time(1)
    assert len(events(w)) == 1


async def test_a_forgotten_planner_takes_the_question_along_and_a_forgotten_guest_the_answer(
    w: World,
) -> None:
    await soon(w)
    shown = asked(w)
    await tick(w, "Ben", 1)
    for player in (w.ben, w.ann):
        await player.slash("mydata forget")
        await player.press_verb(player.panel, Verb.FORGET_NOW)
        await w.env.settle()
        assert "Ben" not in w.refreshed(shown).text
    assert "was called off" in w.refreshed(shown).text


async def test_a_deleted_channel_takes_the_question_along(w: World) -> None:
    other = w.room()
    await w.ann.slash("evening", channel=other, game="aufundab", days="in 24h")

    async def delete() -> None:
        w.env.backend.delete_channel(other.id)

    await w.directly(delete())
    await w.env.settle()
    assert await w.directly(w.running.context.planning.store.earliest()) is None


async def test_the_language_of_the_server_is_that_of_the_question(w: World) -> None:
    await w.ann.slash("evening", game="aufundab", days="2026-01-15 20:00 Europe/Zurich")
    await w.directly(w.running.context.planning.speak(GuildId(w.guild.id), "de"))
    await w.env.settle()
    assert "Wann kannst du?" in asked(w).text
    assert "1 · Do., 15. Jan., 20:00" in asked(w).text


@pytest.mark.behaviour("Somebody chooses a language")
async def test_the_language_of_the_server_is_that_of_lines_that_call_people(w: World) -> None:
    await settled(w)
    before, calls = [shown for shown in w.messages(w.channel.id) if shown.calls], len(pinged(w))
    assert len(before) == 2
    assert "it's settled for" in before[1].text
    await come(w, "Cat", comes=False)
    await w.directly(w.running.context.planning.speak(GuildId(w.guild.id), "de"))
    await w.env.settle()
    asked_by_name, there = (w.refreshed(shown).text for shown in before)
    assert f"<@{w.eve.id}>, Ann lädt dich zu" in asked_by_name
    assert "Verabredet ist" in there
    assert all(f"<@{player.id}>" in there for player in w.people(3)), "they were called"
    assert len(w.messages(w.channel.id)) == 3
    assert len(pinged(w)) == calls, "nobody is called once more"


# A line for the seats


@pytest.mark.behaviour("More people come to a planned table than it has seats")
async def test_who_stands_in_line_moves_up_and_is_told(w: World) -> None:
    await w.ann.slash("newgame", game="kaiserspiel", at="in 3h")
    await come(w, "Ben", "Cat", "Dan", "Eve")
    assert "Coming (4): Ann, Ben, Cat, and Dan" in plan(w).text
    assert "In line (1): Eve" in plan(w).text
    assert lines(w) == []
    before = len(pinged(w))
    await come(w, "Ben", comes=False)
    await w.env.settle()
    assert "Coming (4): Ann, Cat, Dan, and Eve" in plan(w).text
    assert "In line" not in plan(w).text
    (line,) = lines(w)
    assert f"<@{w.eve.id}>" in line
    assert "a seat for you now" in line
    assert pinged(w)[before:] == [str(w.eve.id)]
    await w.restart()
    await come(w, "Ben")
    await pass_time(w, hours=3)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Cat", "Dan", "Eve"]
    assert "In line: Ben" in lines(w)[-1]
    told = w.ben.dm().text
    assert "All its seats are taken. You are first in line." in told
    assert "kept for you for 2 minutes" in told
    assert "wait in its line" not in told


# Every week


@pytest.mark.behaviour("Too few have said two days before a weekly table that they come")
async def test_too_few_for_a_week_are_asked_whether_it_suits(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 1h UTC weekly")
    await come(w, "Ben", "Cat")
    await pass_time(w, hours=1)
    second = plan(w)
    due = w.now() + WEEK
    await come(w, "Cat", comes=False)
    before, calls = len(lines(w)), len(pinged(w))
    await pass_time(w, days=4, hours=20)
    assert len(lines(w)) == before
    await pass_time(w, hours=5)
    (line,) = lines(w)[before:]
    assert f"<@{w.ben.id}>: does <t:" in line
    assert pinged(w)[calls:] == [str(w.ben.id)]
    await w.restart()
    await pass_time(w, hours=5)
    assert len(lines(w)) == before + 1
    assert plan(w).id == second.id
    await come(w, "Ben", comes=False)
    await w.env.settle()
    assert len(lines(w)) == before, "there is nothing to answer any more"
    await pass_time(w, seconds=(due - w.now()).total_seconds())
    assert plan(w).id != second.id
