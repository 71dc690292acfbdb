"""Plans whose owner, place or rights are others when their time comes, and what nobody may tell."""

from __future__ import annotations

import zoneinfo
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from bot.app import create_bot
from bot.render.custom_ids import Press, Verb
from bot.storage.backup import backup, restore
from bot.storage.plans import SqlPlans
from bot.storage.schema import plan_surfaces
from bot.storage.surfaces import SqlSurfaces
from bot.tables.ports import Unavailable
from tests.discord.steps import lobby, match, newcomer, play, tables
from tests.discord.test_planning import (
    come,
    events,
    let_the_bot,
    open_tables,
    pass_time,
    plan,
    seated,
)
from tests.discord.world import QUICK, Shown, World

FRIDAY = "fri 20:00 Europe/Zurich weekly"


async def until_due(w: World) -> None:
    """The time of the next plan comes."""
    found = await w.directly(w.running.context.planning.store.earliest())
    assert found is not None
    await pass_time(w, seconds=(found.again - w.now()).total_seconds() - 60)


def pressable(w: World) -> list[Shown]:
    return [shown for shown in w.messages(w.channel.id) if shown.presses(Verb.COME)]


async def ban(w: World) -> None:
    w.env.backend.apply_ban(w.guild.id, w.ann.id, None)


async def leave(w: World) -> None:
    w.env.backend.remove_member(w.guild.id, w.ann.id)


async def mute(w: World) -> None:
    await w.permit(w.ann, send_messages=False)


@pytest.mark.behaviour("Whoever planned a table has left or may not open one there any more")
@pytest.mark.parametrize("what", [ban, leave, mute])
async def test_a_plan_does_not_outlive_what_its_planner_may(
    what: Callable[[World], Awaitable[None]], w: World
) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    shown = plan(w)
    await come(w, "Ben")
    await what(w)
    await w.env.settle()
    before = len(w.messages(w.channel.id))
    for _ in range(3):
        await pass_time(w, days=7)
        assert await open_tables(w) == []
    assert "may not open a table here any more" in w.refreshed(shown).text
    assert "won't come again" in w.refreshed(shown).text
    assert len(w.messages(w.channel.id)) == before
    assert w.ann.dms() == w.ben.dms() == []


@pytest.mark.behaviour("The bot may not write where a table is planned")
async def test_where_the_bot_may_not_write_any_more_nothing_opens(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    shown = plan(w)
    await w.permit(send_messages=False)
    await until_due(w)
    assert await open_tables(w) == []
    assert "I may not write in this channel any more" in w.refreshed(shown).text


async def test_a_server_that_removed_the_bot_while_it_was_off_is_left_alone(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    with patch.object(w.env.backend, "emit"):
        w.env.backend.remove_guild(w.guild.id)
    await w.restart()
    for _ in range(3):
        await pass_time(w, days=7)
    assert await open_tables(w) == []
    assert await w.directly(w.running.context.planning.store.earliest()) is None


@pytest.mark.behaviour("Nobody says whether they come to a weekly table")
async def test_a_weekly_table_that_nobody_answers_ends_and_says_so(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    await until_due(w)
    shown = plan(w)
    assert "as long as somebody says here" in shown.text
    for _ in range(4):
        await pass_time(w, days=7)
    assert pressable(w) == []
    assert "since last time nobody has said" in w.refreshed(shown).text


async def test_a_zone_that_an_update_took_away_ends_the_weeks_after(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="fri 20:00 US/Eastern weekly")
    shown = plan(w)
    real = zoneinfo.ZoneInfo

    def without(key: str) -> zoneinfo.ZoneInfo:
        if key == "US/Eastern":
            raise zoneinfo.ZoneInfoNotFoundError(key)
        return real(key)

    with patch("bot.tables.when.ZoneInfo", without):
        await w.restart()
        await until_due(w)
        assert len(await open_tables(w)) == 1
        assert "I don't know its time zone, “US/Eastern”" in w.refreshed(shown).text
        assert pressable(w) == []


# A private one


@pytest.mark.behaviour("A private table is planned")
async def test_a_private_table_is_for_people_who_were_invited(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 1h", private=True)
    shown = plan(w)
    yes = shown.presses(Verb.COME)[0][0].encode()
    assert "by invitation" in await w.answer(w.ben, shown, yes)
    said = await ask_to_come(w, "Ben", by="Ben")
    assert "Only whoever planned this" in said
    assert "Ben is invited" in await ask_to_come(w, "Ben")
    (line,) = (one for one in w.messages(w.channel.id) if one.calls)
    assert f"<@{w.ben.id}>, Ann invites you" in line.text
    assert "Ben is invited" in await ask_to_come(w, "Ben")
    assert len([one for one in w.messages(w.channel.id) if one.calls]) == 1
    await come(w, "Ben")
    await pass_time(w, hours=1)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"]
    assert "by invitation" in await w.cat.press_verb(w.board(), Verb.JOIN)


async def ask_to_come(w: World, name: str, by: str = "Ann") -> str:
    shown, player = plan(w), w.players[by]
    result = await player.actor.select(
        w.message(shown), [w.players[name].actor], custom_id=shown.only(Verb.ASK_TO_COME)
    )
    return player._remember(result)


@pytest.mark.behaviour("Both the bot and the planner may create events")
async def test_what_not_everybody_sees_is_not_in_the_calendar(w: World) -> None:
    let_the_bot(w, manage_events=True)
    org = newcomer(w, manage_events=True)
    hidden = w.room("hidden")
    await w.permit(org, hidden.id, view_channel=True)
    await w.permit(channel=hidden.id, view_channel=True)
    await w.hide(hidden)
    await org.slash("newgame", channel=hidden, game="sticheln", at="in 2h")
    await w.env.advance_time(1)
    assert events(w) == []
    await org.slash("newgame", game="sticheln", at="in 2h", private=True)
    await w.env.advance_time(1)
    assert events(w) == []
    await org.slash("newgame", game="sticheln", at="in 2h UTC weekly")
    await w.env.advance_time(1)
    assert len(events(w)) == 1


# What nobody may tell


def pinged(w: World) -> list[str]:
    """Everybody whom a message has called so far."""
    allowed = (
        call.json.get("allowed_mentions") or {}
        for call in w.env.http_requests
        if isinstance(call.json, dict)
    )
    return [str(user) for one in allowed for user in one.get("users") or ()]


async def never(w: World) -> None:
    """Ben wants no invitations from Ann."""
    await lobby(w, "Ann", seats=4)
    await w.ann.slash("seat invite", player=w.ben.user)
    await w.ben.press_verb(w.ben.dm(), Verb.NEVER)


@pytest.mark.behaviour("Somebody is invited who cannot see the channel")
async def test_of_two_invited_people_nobody_can_tell_who_has_pressed_never(w: World) -> None:
    await never(w)
    letters = len(w.ben.dms())
    other = w.room("second")
    await lobby(w, "Ann", seats=4, channel=other.id)
    shown = []
    for player in (w.ben, w.cat):
        before, calls = len(w.messages(other.id)), len(pinged(w))
        said = await w.ann.slash("seat invite", channel=other, player=player.user)
        await w.env.advance_time(3)
        (line,) = (one for one in w.messages(other.id)[before:] if one.calls)
        shown.append((said.replace(player.name, "X"), line.text.replace(str(player.id), "X")))
        assert pinged(w)[calls:] == ([] if player is w.ben else [str(w.cat.id)])
    assert shown[0] == shown[1]
    assert len(w.ben.dms()) == letters
    assert len(w.cat.dms()) == 1


async def test_when_a_plan_opens_nobody_can_tell_either(w: World) -> None:
    other = w.room("second")
    await w.ann.slash("newgame", channel=other, game="aufundab", length=1, at="in 1h")
    (shown,) = w.messages(other.id)
    for player in (w.ben, w.cat):
        await player.press(shown, shown.presses(Verb.COME)[0][0].encode())
    await never(w)
    letters, calls = len(w.ben.dms()), len(pinged(w))
    await pass_time(w, hours=1)
    line = next(one for one in w.messages(other.id) if "has opened" in one.text)
    assert all(f"<@{player.id}>" in line.text for player in w.people(3))
    assert set(pinged(w)[calls:]) == {str(w.ann.id), str(w.cat.id)}
    assert len(w.ben.dms()) == letters


@pytest.mark.behaviour("The time of a planned table comes")
async def test_who_may_not_sit_down_there_after_all_is_not_sent_into_its_line(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 1h")
    await come(w, "Ben", "Cat")
    await w.directly(w.running.context.blocks.block(w.ben.id, w.cat.id, on=True))
    await pass_time(w, hours=1)
    (table,) = await open_tables(w)
    assert seated(table) == ["Ann", "Ben"]
    told = w.cat.dm().text
    assert "has opened: **Auf und Ab**" in told
    assert "There is no seat for you there, and no place in its line" in told
    assert "taken" not in told
    assert "There is no seat for you" in await w.cat.slash("join")


# Other things that happen later


async def test_a_rematch_keeps_no_seat_for_who_has_left_the_server(w: World) -> None:
    table = await play(w, await match(w, "Ann", "Ben", "Eve"))
    w.env.backend.remove_member(w.guild.id, w.eve.id)
    w.skip(timedelta(minutes=6))  # nobody has proven anything for a while
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    await w.env.advance_time(5)
    (again,) = await open_tables(w)
    assert again.stored.rematch_of == table.id
    assert {person.name for person in again.stored.seating.kept.values()} == {"Ben"}
    await w.dan.press_verb(w.board(), Verb.JOIN)
    assert seated(await tables(w).table(again.id)) == ["Ann", "Dan"]


# After a restoration


@pytest.mark.behaviour("The database was restored")
async def test_a_restored_database_ends_plans_and_what_it_does_not_know_is_redrawn_by_a_press(
    w: World,
) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    first = plan(w)
    await w.env.advance_time(10)
    copy = w.file.with_name("copy.db")
    backup(w.settings.database_url, copy)
    await until_due(w)
    second = plan(w)
    await come(w, "Ben", "Cat")
    w.skip(timedelta(hours=5))
    await w.env.advance_time(61)
    await w.bot.close()
    restore(w.settings.database_url, copy, now=w.now())
    w.bot = create_bot(w.settings, clock=w.now, timings=QUICK, computers=w.computers)
    await w.env.restart_bot(w.bot)
    await w.env.advance_time(90)
    assert "restored from a backup" in w.refreshed(first).text
    assert [one.id for one in pressable(w)] == [second.id], "no other beside it"
    await w.ben.press(second, second.presses(Verb.COME)[1][0].encode())
    assert "don't know of this plan" in w.refreshed(second).text
    assert pressable(w) == []


async def test_a_forged_press_redraws_nothing(w: World) -> None:
    await lobby(w, "Ann")
    before = w.board().text
    for verb in (Verb.COME, Verb.CALL_OFF):
        forged = Press(verb, argument="ZZZZZ|1").encode()
        assert "don't know of this plan" in await w.answer(w.ben, w.board(), forged)
    assert w.board().text == before


async def test_a_second_message_of_a_plan_leads_to_the_one_that_counts(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h")
    first = plan(w)
    store = w.running.context.planning.store
    found = await w.directly(store.earliest())
    assert found is not None
    # A backup knows of no message.
    messages = SqlSurfaces(w.running._database, plan_surfaces)
    await w.directly(messages.save({(found.id, "board", 0): None}, {}))
    await w.restart()
    await w.env.advance_time(3)
    second = plan(w)
    assert second.id != first.id
    await w.ben.press(second, second.presses(Verb.COME)[0][0].encode())
    await w.cat.press(first, first.presses(Verb.COME)[0][0].encode())
    await w.env.settle()
    assert not w.refreshed(first).presses(*Verb)
    assert "Ann, Ben, and Cat" in w.refreshed(second).text
    assert len(pressable(w)) == 1


# What stands on Discord is made to stand again


async def test_a_message_that_the_program_died_over_is_found_again(w: World) -> None:
    with patch("bot.publish.planned.PlanBoards.adopt", side_effect=ConnectionError):
        await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h")
    w.skip(timedelta(minutes=20))  # Discord knows the nonce no more
    await w.restart()
    await w.env.advance_time(3)
    (shown,) = pressable(w)
    await w.ben.press(shown, shown.presses(Verb.COME)[0][0].encode())
    assert "Ann and Ben" in plan(w).text
    assert len(pressable(w)) == 1


Write: TypeAlias = Callable[..., Awaitable[object]]


def cut_off(real: Write) -> Write:
    """It is stored, and the first answer of the database is lost."""
    lost = [Unavailable()]

    async def write(*args: Any) -> object:
        done = await real(*args)
        if lost:
            raise lost.pop()
        return done

    return write


@pytest.mark.behaviour("The database's answer is lost")
@pytest.mark.parametrize("of", [(SqlPlans, "add"), (SqlPlans, "learn_zone"), (SqlSurfaces, "save")])
async def test_a_plan_of_which_nobody_knew_whether_it_is_stored_is_announced(
    of: tuple[type, str], w: World
) -> None:
    with patch.object(*of, cut_off(getattr(*of))):
        said = await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h UTC weekly")
    assert "what it shows is what counts" in said
    await w.env.advance_time(5)
    assert "Coming (1): Ann" in plan(w).text
    assert len(pressable(w)) == 1


@pytest.mark.behaviour("The database's answer is lost")
async def test_what_people_said_of_a_plan_is_shown_where_nobody_knew_whether_it_counts(
    w: World,
) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 2h")
    shown = plan(w)
    with patch.object(SqlPlans, "change", cut_off(SqlPlans.change)):
        await come(w, "Ben")
    await w.env.advance_time(5)
    assert "Ann and Ben" in w.refreshed(shown).text
    await w.ann.press_verb(shown, Verb.CALL_OFF)
    with patch.object(SqlPlans, "change", cut_off(SqlPlans.change)):
        await w.ann.press_verb(w.ann.panel, Verb.CALL_OFF_NOW)
    await w.env.advance_time(5)
    assert "was called off" in w.refreshed(shown).text


@pytest.mark.behaviour("The database's answer is lost")
async def test_a_table_that_opened_while_the_answer_was_lost_calls_those_who_come(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    first = plan(w)
    await come(w, "Ben")
    with patch.object(SqlPlans, "change", cut_off(SqlPlans.change)):
        await until_due(w)
    await w.env.advance_time(90)
    assert "The table opened." in w.refreshed(first).text
    assert any("You have a seat" in shown.text for shown in w.ben.dms())
    assert [one.id for one in pressable(w)] != [first.id], "the next week's is announced"
    assert len(pressable(w)) == 1


async def test_what_discord_fails_to_post_stands_by_itself_once_it_can(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at=FRIDAY)
    first = plan(w)
    w.env.inject_error("POST", f"/channels/{w.channel.id}/messages", status=503, times=None)
    await until_due(w)
    assert pressable(w) == []
    w.heal()
    await w.env.advance_time(60)
    (second,) = pressable(w)
    assert second.id != first.id
    assert "The table opened." in w.refreshed(first).text
    assert len([one for one in w.messages(w.channel.id) if "has opened" in one.text]) == 1


async def test_a_plan_is_given_up_for_refusals_in_a_row_alone(w: World) -> None:
    """What Discord refused now and then over weeks is no reason: each time it was drawn after."""
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 1h")
    shown = plan(w)
    for comes in (True, False, True):
        edit = f"/channels/*/messages/{shown.id}"
        w.env.inject_error("PATCH", edit, status=400, code=99999, times=1)
        await come(w, "Ben", comes=comes)
        await w.env.advance_time(60)
    w.env.inject_error("PATCH", edit, status=400, code=99999, times=1)
    await pass_time(w, hours=1)
    await w.env.advance_time(60)
    assert "The table opened." in w.refreshed(shown).text


async def test_whoever_comes_is_called_once_however_often_it_is_drawn(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 1h")
    shown = plan(w)
    await come(w, "Ben")
    w.env.inject_error("PATCH", f"/channels/*/messages/{shown.id}", status=503, times=None)
    await pass_time(w, hours=1)
    assert w.refreshed(shown).presses(Verb.COME), "nobody could draw it"
    calls, letters = len(pinged(w)), len(w.ben.dms())
    w.skip(timedelta(minutes=20))  # Discord knows the nonces no more
    await w.restart()
    w.heal()
    await w.env.advance_time(400)
    assert "The table opened." in w.refreshed(shown).text
    assert (len(pinged(w)), len(w.ben.dms())) == (calls, letters)


@pytest.mark.behaviour("Both the bot and the planner may create events")
async def test_an_event_that_the_program_died_over_is_found_again(w: World) -> None:
    let_the_bot(w, manage_events=True)
    org = newcomer(w, manage_events=True)
    with patch("bot.storage.plans.SqlPlans.listed", side_effect=ConnectionError):
        await org.slash("newgame", game="sticheln", at="in 2h")
        await w.env.advance_time(1)
        assert len(events(w)) == 1
    await w.restart()
    await w.env.advance_time(3)
    assert len(events(w)) == 1
    await org.press_verb(plan(w), Verb.CALL_OFF)
    await org.press_verb(org.panel, Verb.CALL_OFF_NOW)
    await w.env.advance_time(3)
    assert events(w) == []


@pytest.mark.behaviour("Both the bot and the planner may create events")
@pytest.mark.parametrize("off", [False, True])
async def test_a_channel_that_is_hidden_later_is_not_in_the_calendar_any_more(
    off: bool, w: World
) -> None:
    let_the_bot(w, manage_events=True)
    org = newcomer(w, manage_events=True)
    await org.slash("newgame", game="sticheln", at="in 2h")
    await w.env.advance_time(10)
    assert len(events(w)) == 1
    await w.permit(view_channel=True)
    await w.permit(org, w.channel.id, view_channel=True)
    await w.env.advance_time(1)
    if off:
        with patch.object(w.env.backend, "emit"):
            await w.hide(w.channel)
        assert len(events(w)) == 1
        await w.restart()
    else:
        await w.hide(w.channel)
    await w.env.advance_time(3)
    assert events(w) == []
