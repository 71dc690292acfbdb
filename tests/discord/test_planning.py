"""A table at a time: from the plan to the seated lobby, and what may come between."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import discord
import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import DeadlineKind
from bot.views.building import due_at
from tests.discord.steps import lobby, moderator, newcomer, tables
from tests.discord.world import Player, Shown, World


def plan(w: World) -> Shown:
    """The newest message of a plan in the channel that can be pressed."""
    return [shown for shown in w.messages(w.channel.id) if shown.presses(Verb.COME)][-1]


async def come(w: World, *names: str, comes: bool = True) -> None:
    for name in names:
        shown = plan(w)
        ids = [press.encode() for press, _ in shown.presses(Verb.COME)]
        await w.players[name].press(shown, ids[0 if comes else 1])


async def open_tables(w: World) -> list[Table]:
    return await tables(w).open_tables()


def seated(table: Table) -> list[str]:
    return [person.name for person in table.stored.seating.people]


async def pass_time(w: World, **time: float) -> None:
    """Time goes by in which the program runs."""
    w.skip(timedelta(**time))
    await w.env.advance_time(61)  # the longest sleep
    await w.env.advance_time(5)


@pytest.mark.behaviour("The time of a planned table comes")
async def test_the_list_says_when_a_planned_table_starts_and_with_whom(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h")
    await come(w, "Ben", "Cat")
    await pass_time(w, hours=2)
    for joining, said in (
        (None, "waiting for players, 3 of 4 seats taken"),
        (w.dan, "full, waiting until everybody is ready"),
    ):
        if joining is not None:
            await joining.press_verb(w.board(), Verb.JOIN)
        (table,) = await open_tables(w)
        due = due_at(table, DeadlineKind.PLANNED)
        assert due is not None
        listed = await w.ann.slash("tables", where="here")
        assert f"{said} · starts <t:{int(due.timestamp())}:R> with whoever is ready" in listed
        assert "closes" not in listed
    await pass_time(w, minutes=6)
    listed = await w.ann.slash("tables", where="here")
    assert "full, waiting until enough people are ready · closes <t:" in listed


@pytest.mark.behaviour("The time of a planned table comes")
async def test_who_said_they_would_come_is_seated_and_told(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h")
    due = int((w.now() + timedelta(hours=2)).timestamp())
    assert f"<t:{due}:F>" in plan(w).text or f"<t:{due - 1}:F>" in plan(w).text
    assert "Coming (1): Ann" in plan(w).text
    await come(w, "Ben", "Cat")
    await come(w, "Cat", comes=False)
    assert "Coming (2): Ann and Ben" in plan(w).text
    assert "Can't come: Cat" in plan(w).text
    await pass_time(w, minutes=117)
    assert await open_tables(w) == []
    await pass_time(w, minutes=2)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"]
    assert table.stored.seating.host == w.ann.id
    line = next(one for one in w.messages(w.channel.id) if "has opened" in one.text)
    assert f"<@{w.ben.id}>" in line.text
    assert f"<@{w.cat.id}>" not in line.text
    assert any("You have a seat" in shown.text for shown in w.ben.dms())
    assert w.cat.dms() == []
    shown = w.messages(w.channel.id)[0]
    assert "The table opened." in shown.text
    assert not shown.presses(*Verb)
    await w.cat.press_verb(w.board(), Verb.JOIN)
    assert seated(await tables(w).table(table.id)) == ["Ann", "Ben", "Cat"]


async def test_nobody_is_called_to_a_table_that_they_cannot_see_yet(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 1h")
    await come(w, "Ben")
    await pass_time(w, hours=1)
    announced, board, line = w.messages(w.channel.id)
    assert board.presses(Verb.JOIN)
    assert "has opened" in line.text
    for shown in (announced, w.ben.dm()):
        assert f"/{w.channel.id}/{board.id}" in str(shown.components)


async def test_a_restart_in_between_loses_nothing(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h")
    await come(w, "Ben")
    await w.restart()
    await come(w, "Cat")
    assert "Coming (3): Ann, Ben, and Cat" in plan(w).text
    assert len([one for one in w.messages(w.channel.id) if one.presses(Verb.COME)]) == 1
    await pass_time(w, minutes=120)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben", "Cat"]
    await w.restart()
    await w.env.advance_time(61)
    assert len(await open_tables(w)) == 1


@pytest.mark.nightly
async def test_only_who_planned_it_or_a_moderator_calls_it_off(w: World) -> None:
    for player in (w.ann, moderator(w)):
        await w.ann.slash("newgame", game="aufundab", at="in 2h UTC weekly")
        assert "Only whoever planned" in await w.ben.press_verb(plan(w), Verb.CALL_OFF)
        shown = plan(w)
        assert "every week after it" in await player.press_verb(shown, Verb.CALL_OFF)
        said = await player.press_verb(player.panel, Verb.CALL_OFF_NOW)
        assert "called off" in said
        await w.env.settle()
        assert "was called off" in w.refreshed(shown).text
        assert not w.refreshed(shown).presses(*Verb)
        assert "That is over" in await w.answer(
            w.ben, shown, shown.presses(Verb.COME)[0][0].encode()
        )
    await pass_time(w, days=8)
    assert await open_tables(w) == []


async def test_a_weekly_table_is_planned_anew_when_it_opens(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="fri 20:00 Europe/Zurich weekly")
    first = plan(w)
    assert "Every week" in first.text
    await come(w, "Ben")
    await pass_time(w, days=7)  # too late: the program was away
    second = plan(w)
    assert second.id != first.id
    assert "I was away" in w.refreshed(first).text
    assert "Coming (1): Ann" in second.text


def plans(w: World) -> list[Shown]:
    return [one for one in w.messages(w.channel.id) if one.presses(Verb.COME)]


ASKED = "Which clock do you go by?"
NOT_OFFERED = "none of the choices"


async def choose(w: World, player: Player, zone: str) -> str:
    """Chooses a zone from the menu that was whispered."""
    said = await player.choose(player.panel, player.panel.only(Verb.ZONE), zone)
    await w.env.settle()
    return said


@pytest.mark.behaviour("A time is typed that the bot cannot read")
async def test_a_zone_is_asked_for_once(w: World) -> None:
    said = await w.ann.slash("newgame", game="aufundab", private=True, at="tomorrow evening")
    assert ASKED in said
    shown = w.now().astimezone(ZoneInfo("Europe/Zurich"))
    assert f"Zurich, Berlin, Paris · {shown:%H:%M}" in said
    assert plans(w) == []
    said = await choose(w, w.ann, "Europe/Zurich")
    assert "Your time zone is Europe/Zurich from now on" in said
    evening = shown.replace(hour=20, minute=0, second=0, microsecond=0) + timedelta(days=1)
    (first,) = plans(w)
    assert f"<t:{int(evening.timestamp())}:F>" in first.text
    assert "by invitation" in first.text, "it is as it was typed"
    assert ASKED not in await w.ann.slash("newgame", game="aufundab", at="sat 20:00")
    assert len(plans(w)) == 2
    assert ASKED in await w.ben.slash("newgame", game="aufundab", at="fri 20:00")


async def test_a_moment_of_discord_needs_a_zone_only_for_every_week(w: World) -> None:
    due = int((w.now() + timedelta(days=1)).timestamp())
    assert ASKED not in await w.ann.slash("newgame", game="aufundab", at=f"<t:{due}:f>")
    assert f"<t:{due}:F>" in plan(w).text
    assert ASKED in await w.ann.slash("newgame", game="aufundab", at=f"<t:{due}> weekly")
    await choose(w, w.ann, "Asia/Tokyo")
    assert f"<t:{due}:F>" in plan(w).text
    assert "Every week" in plan(w).text
    assert len(plans(w)) == 2


async def test_a_zone_that_is_named_once_holds_in_words_and_in_hours(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="fri 20:00 Asia/Tokyo")
    assert ASKED not in await w.ann.slash("newgame", game="aufundab", at="Sa 20 Uhr")
    (one, two) = plans(w)
    assert one.text != two.text
    await w.ann.slash("preferences")
    called = Press(Verb.PREFERENCES, argument="called").encode()
    assert "by the clock of Asia/Tokyo" in await w.ann.press(w.ann.panel, called)
    menu = w.ann.panel.only(Verb.MY_ZONE)
    said = await w.ann.choose(w.ann.panel, menu, "America/New_York")
    assert "by the clock of America/New_York" in said
    assert NOT_OFFERED in await w.answer(w.ann, w.ann.panel, menu, values=["Europe/Nowhere"])
    await w.ann.slash("newgame", game="aufundab", at="demain soir")
    here = w.now().astimezone(ZoneInfo("America/New_York"))
    evening = here.replace(hour=20, minute=0, second=0, microsecond=0) + timedelta(days=1)
    assert f"<t:{int(evening.timestamp())}:F>" in plan(w).text


async def test_whoever_chooses_late_or_twice_is_told(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="tomorrow evening")
    menu, press = w.ann.panel, w.ann.panel.only(Verb.ZONE)
    assert NOT_OFFERED in await w.answer(w.ben, menu, press, values=["Europe/Zurich"])
    assert NOT_OFFERED in await w.answer(w.ann, menu, press, values=["Europe/Nowhere"])
    assert plans(w) == []
    w.skip(timedelta(minutes=15))
    said = await w.answer(w.ann, menu, press, values=["Europe/Zurich"])
    assert "type the command again" in said
    assert plans(w) == []
    assert ASKED not in await w.ann.slash("newgame", game="aufundab", at="tomorrow evening")
    assert len(plans(w)) == 1
    await w.ben.slash("newgame", game="aufundab", at="tomorrow evening")
    menu, press = w.ben.panel, w.ben.panel.only(Verb.ZONE)
    await choose(w, w.ben, "Europe/Zurich")
    said = await w.answer(w.ben, menu, press, values=["Europe/Zurich"])
    assert "type the command again" in said
    await w.env.settle()
    assert len(plans(w)) == 2


async def test_where_the_time_is_past_another_zone_may_be_chosen(w: World) -> None:
    here = w.now().astimezone(ZoneInfo("Pacific/Honolulu"))
    soon = here + timedelta(minutes=30)
    typed = f"{soon:%Y-%m-%d %H:%M}"
    await w.ann.slash("newgame", game="aufundab", at=typed)
    menu, press = w.ann.panel, w.ann.panel.only(Verb.ZONE)
    assert "past" in await w.answer(w.ann, menu, press, values=["Pacific/Auckland"])
    assert plans(w) == []
    said = await w.answer(w.ann, menu, press, values=["Pacific/Honolulu"])
    assert "Pacific/Honolulu from now on" in said
    await w.env.settle()
    (found,) = plans(w)
    assert f"<t:{int(soon.replace(second=0, microsecond=0).timestamp())}:F>" in found.text


async def test_in_another_place_the_menu_is_refused(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="tomorrow evening")
    press = w.ann.panel.only(Verb.ZONE)
    await w.ann.slash("newgame", channel=w.room(), game="aufundab", at="tomorrow evening")
    said = await w.answer(w.ann, w.ann.panel, press, values=["Europe/Zurich"])
    assert NOT_OFFERED in said
    assert plans(w) == []


async def test_what_an_announcement_says_stays_true_once_its_table_has_closed(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 1h")
    shown = plan(w)
    await come(w, "Ben")
    await pass_time(w, hours=1)
    (table,) = await open_tables(w)
    await w.directly(tables(w).end(table.id, w.ann.id, moderator=False))
    await w.env.settle()
    assert "The table opened." in w.refreshed(shown).text
    for one in (*w.messages(w.channel.id), w.ben.dm()):
        assert "is open" not in one.text


@pytest.mark.behaviour("There is no room for a planned table")
async def test_a_table_in_the_channel_is_waited_for(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 1h")
    await pass_time(w, minutes=57)
    other = await lobby(w, "Cat")
    await pass_time(w, minutes=2)
    assert "another table is still open" in plan(w).text
    await w.directly(tables(w).end(other.id, w.cat.id, moderator=False))
    await pass_time(w, minutes=1)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann"]
    assert w.board().presses(Verb.JOIN)


@pytest.mark.nightly
async def test_with_nobody_coming_nothing_opens(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 1h")
    shown = plan(w)
    await come(w, "Ann", comes=False)
    await pass_time(w, hours=1)
    assert await open_tables(w) == []
    assert "Nobody was coming" in w.refreshed(shown).text


@pytest.mark.nightly
async def test_who_planned_and_cannot_come_leaves_the_table_to_the_first(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 1h")
    await come(w, "Ann", comes=False)
    await come(w, "Cat", "Ben")
    await pass_time(w, hours=1)
    (table,) = await open_tables(w)
    assert seated(table) == ["Cat", "Ben"]
    assert table.stored.seating.host == w.cat.id


@pytest.mark.behaviour("The channel of a planned table is deleted")
async def test_a_deleted_channel_takes_its_plans_along(w: World) -> None:
    other = w.room()
    await w.ann.slash("newgame", channel=other, game="aufundab", at="in 1h UTC weekly")
    await w.directly(_delete(w, other.id))
    await w.env.settle()
    await pass_time(w, days=7)
    assert await open_tables(w) == []


async def _delete(w: World, channel: int) -> None:
    w.env.backend.delete_channel(channel)


@pytest.mark.nightly
async def test_a_deleted_message_is_posted_again_with_the_next_change(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 1h")
    shown = plan(w)
    press = shown.presses(Verb.COME)[0][0]
    other = await lobby(w, "Cat")
    await w.delete(shown)
    assert "Noted" in await w.answer(w.ben, w.board(), press.encode())
    await w.env.settle()
    assert "Ben" in plan(w).text
    assert (await tables(w).table(other.id)).stored == other.stored


@pytest.mark.nightly
async def test_a_plan_that_is_not_known_says_so(w: World) -> None:
    await lobby(w, "Ann")
    for verb in (Verb.COME, Verb.CALL_OFF, Verb.CALL_OFF_NOW):
        unknown = Press(verb, argument="ZZZZZ|1").encode()
        assert "don't know of this plan" in await w.answer(w.ben, w.board(), unknown)


def events(w: World) -> list[str]:
    """What stands in the server's calendar."""
    found = w.env.backend.get_guild(w.guild.id).scheduled_events
    return [f"{event.name} {event.scheduled_start_time}" for event in found.values()]


def let_the_bot(w: World, **may: bool) -> None:
    assert w.bot.user is not None
    role = w.guild.create_role("bot", permissions=discord.Permissions(**may))
    w.env.backend.add_member_role(w.guild.id, w.bot.user.id, role.id)


@pytest.mark.nightly
async def test_a_plan_stands_in_the_calendar_where_both_may(w: World) -> None:
    let_the_bot(w, manage_events=True)
    await w.env.settle()
    await w.ann.slash("newgame", game="aufundab", at="in 2h")
    await w.env.advance_time(1)
    assert events(w) == []
    org = newcomer(w, manage_events=True)
    await org.slash("newgame", game="sticheln", at="in 2h UTC weekly")
    await w.env.advance_time(1)
    (event,) = events(w)
    assert event.startswith("Sticheln ")
    await w.restart()
    await w.env.advance_time(1)
    assert events(w) == [event]
    await org.press_verb(plan(w), Verb.CALL_OFF)
    await org.press_verb(org.panel, Verb.CALL_OFF_NOW)
    await w.env.advance_time(1)
    assert events(w) == []


@pytest.mark.nightly
async def test_an_event_of_every_week_and_a_refused_one_fails_no_plan(w: World) -> None:
    let_the_bot(w, manage_events=True)
    org = newcomer(w, manage_events=True)
    await org.slash("newgame", game="sticheln", at="in 2h UTC weekly")
    await w.env.advance_time(1)
    await pass_time(w, hours=2)
    assert len(await open_tables(w)) == 1
    assert len(events(w)) == 2
    w.env.inject_error(
        "POST",
        f"/guilds/{w.guild.id}/scheduled-events",
        status=403,
        code=50013,
        message="Missing Permissions",
        times=None,
    )
    await org.slash("newgame", game="aufundab", at="in 3h")
    await w.env.advance_time(1)
    assert "Auf und Ab" in plan(w).text
    assert len(events(w)) == 2
