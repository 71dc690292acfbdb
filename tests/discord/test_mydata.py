"""What is stored of a person: shown, given out as a file, and forgotten."""

from __future__ import annotations

import json

import discord
import pytest
from sqlalchemy import select

from bot.ids import UserId
from bot.render.custom_ids import Press, Verb
from bot.storage.schema import people, standings
from bot.storage.standings import recount
from bot.tables.stored import SOMEBODY, Pace, Person, Status
from engine.verify import verify
from tests.discord.steps import actor, dealt, leave, lobby, match, newcomer, person, play, tables
from tests.discord.test_access import elsewhere
from tests.discord.world import Player, World


def traces(w: World, player: Player) -> list[str]:
    """Files of the program in which a person's id or name stands."""
    said = (str(player.id).encode(), player.id.to_bytes(8, "big"), player.name.encode())
    files = w.file.parent.glob(f"{w.file.name}*")
    return [one.name for one in files if any(form in one.read_bytes() for form in said)]


async def agreed(w: World, player: Player) -> str:
    """They ask to be forgotten, and press what they are asked."""
    await player.slash("mydata forget")
    return await player.press_verb(player.panel, Verb.FORGET_NOW)


async def test_who_never_played_is_told_how_little_is_known(w: World) -> None:
    said = await w.ann.slash("mydata show")
    assert "What is stored about you" in said
    assert "matches" not in said
    await w.env.advance_time(60)
    assert "The language of your Discord" in await w.ann.slash("mydata show", dm=True)


async def test_show_counts_what_there_is(w: World) -> None:
    await play(w, await match(w))
    said = await w.ann.slash("mydata show")
    assert "Your result in 1 finished match" in said
    assert "1 table that names you" in said
    assert "of them now" not in said
    await lobby(w, "Ann")
    assert "You sit at 1 of them now." in await w.ann.slash("mydata show")


async def test_export_is_a_file_for_them_alone(w: World) -> None:
    table = await play(w, await match(w))
    await w.ann.slash("mydata show")
    export = Press(Verb.MY_DATA, argument="export").encode()
    said = await w.ann.press(w.ann.panel, export)
    assert "Everything that is stored about you" in said
    assert w.ann.answered.ephemeral, "nobody else sees it"
    (text,) = w.ann.files().values()
    found = json.loads(text)
    assert found["person"] == str(w.ann.id)
    assert [row["table_id"] for row in found["results"]] == [table.id]
    assert found["fields"]["results.place"]
    assert str(w.ben.id) not in text
    mine = next(i for i, one in enumerate(table.stored.seating.people) if one.id == w.ann.id)
    ply, action, _ = found["entries"][0]["actions"][0]
    assert (table.log[ply].seat, table.log[ply].text) == (mine, action)


async def test_an_export_of_a_running_match_tells_no_secret(w: World) -> None:
    table = await play(w, await match(w), 2)
    await w.ann.slash("mydata export")
    (text,) = w.ann.files().values()
    chain = table.stored.shuffling
    assert chain.chain.tip.hex() not in text
    assert not [one.seed for one in chain.shuffles if one.seed in text]


async def test_an_export_tells_nothing_that_others_play_in_secret_from_ones_seat(w: World) -> None:
    table = await match(w, game="auffalscherfaehrte", pace=Pace.RELAXED)
    seat = table.stored.seating.place_of(w.cat.id)
    assert seat is not None
    await leave(w.cat)
    await w.directly(tables(w).sit(table.id, person(w.dan), seat))
    hidden = next(iter((await tables(w).table(table.id)).legal_texts(seat)))
    assert hidden.startswith("hide")
    await w.directly(tables(w).act(table.id, None, w.dan.id, hidden, None))
    await w.cat.slash("mydata export", dm=True)
    (text,) = w.cat.files().values()
    assert table.id in text
    assert hidden not in text


async def test_where_files_may_not_be_attached_they_are_sent_elsewhere(w: World) -> None:
    await w.permit(attach_files=False)
    assert "in our direct messages" in await w.ann.slash("mydata export")
    await w.ann.slash("mydata export", dm=True)
    assert w.ann.files()


async def test_being_forgotten_is_no_way_back_to_a_table(w: World) -> None:
    """Neither for whoever was sent away, nor to a second hand for whoever has seen one."""
    table = await match(w)
    await agreed(w, w.ann)
    assert "There is no seat for you at this table" in await w.ann.slash("join")
    assert w.ann.id not in {one.id for one in (await w.table()).stored.seating.people}
    await w.directly(tables(w).end(table.id, w.ann.id, moderator=True))
    await lobby(w, "Ben", "Cat")
    await w.directly(tables(w).kick((await w.table()).id, w.ben.id, w.cat.id, moderator=False))
    await agreed(w, w.cat)
    assert "There is no seat for you at this table" in await w.cat.slash("join")
    await w.ann.slash("join")
    assert w.ann.id in {one.id for one in (await w.table()).stored.seating.people}


async def test_being_forgotten_is_no_way_past_the_limit_of_open_tables(w: World) -> None:
    for number in range(3):
        room = w.room(f"room-{number}")
        await w.env.settle()
        await w.ann.slash("newgame", channel=room, game="aufundab", pace="daily")
        (table,) = (one for one in await tables(w).open_of(w.ann.id))
        await w.directly(tables(w).sit(table.id, person(w.ben)))
        await w.directly(tables(w).leave(table.id, w.ann.id))
    await agreed(w, w.ann)
    await agreed(w, w.ann)
    assert "already opened 3 tables" in await w.ann.slash("newgame", game="aufundab")
    assert await tables(w).open_of(w.ann.id) == []
    await w.directly(tables(w).end(table.id, w.ben.id, moderator=True))
    await w.ann.slash("newgame", game="aufundab")
    assert len(await tables(w).open_of(w.ann.id)) == 1


async def test_forgetting_asks_first_and_can_be_left(w: World) -> None:
    await play(w, await match(w))
    said = await w.ann.slash("mydata forget")
    assert "Forget you?" in said
    assert "You also leave" not in said
    said = await w.ann.press_verb(w.ann.panel, Verb.MY_DATA)
    assert "Your result in 1 finished match" in said, "kept"


@pytest.mark.behaviour("Somebody wants to be forgotten")
async def test_forgotten_no_trace_is_left_and_the_others_keep_all(w: World) -> None:
    table = await play(w, await match(w))
    assert traces(w, w.ann)
    record = await w.directly(tables(w).record(table))
    assert "You are forgotten." in await agreed(w, w.ann)
    await w.env.advance_time(120)
    assert traces(w, w.ann) == []
    after = await tables(w).table(table.id)
    called = {one.name for one in after.stored.seating.people}
    assert called == {SOMEBODY, w.ben.name, w.cat.name}
    assert await w.directly(tables(w).record(after)) == record
    assert not verify(json.loads(record), 1)
    said = await w.ben.slash("leaderboard")
    assert w.ben.name in said
    assert w.ann.name not in said
    assert SOMEBODY not in said
    database = w.running._database
    users = await w.directly(database.scalars(select(standings.c.user_id).distinct()))
    assert set(users) == {w.ben.id, w.cat.id}
    assert await w.directly(database.write(recount)) == 0


async def read_in_german(w: World, player: Player) -> list[str]:
    """What `player` reads, in German, of the match in the channel: rounds, review, log, deals."""
    await player.slash("preferences")
    await player.choose(player.panel, player.panel.only(Verb.LANGUAGE), "de")
    await player.slash("history")
    await player.press_verb(player.panel, Verb.MATCH)
    said = [await player.press_verb(player.panel, Verb.ROUNDS)]
    said.append(await player.slash("review"))
    await player.press_verb(w.messages(w.channel.id)[-1], Verb.MORE)
    last = await player.press_verb(player.panel, Verb.LOG)
    said.append(last + await player.press_verb(player.panel, Verb.LOG))  # and the page before
    said.append(await player.slash("verify"))
    (found,) = await player.actor.autocomplete(w.channel, "verify", "table", "")
    return [*said, found["name"]]


async def read_once_forgotten(w: World, *people: Player) -> list[str]:
    """The same of a round that is over, for Ben, once these who played it are forgotten."""
    await play(w, await match(w))
    for player in people:
        await agreed(w, player)
    await w.env.advance_time(120)
    return await read_in_german(w, w.ben)


@pytest.mark.behaviour("Somebody wants to be forgotten")
async def test_whoever_is_forgotten_is_somebody_in_the_language_of_whoever_reads(w: World) -> None:
    rounds, review, log, deals, suggested = await read_once_forgotten(w, w.ann)
    assert "\njemand: " in rounds
    assert "Wie jemand es sah" in review
    assert "jemand" in log
    assert "1 jemand · 2 Ben" in deals
    assert "jemand, Ben, Cat" in suggested
    assert not any(SOMEBODY in one for one in (rounds, review, log, deals, suggested))


async def test_two_who_are_forgotten_are_told_apart(w: World) -> None:
    rounds, review, _, deals, suggested = await read_once_forgotten(w, w.ann, w.cat)
    assert "\njemand (1): " in rounds
    assert "\njemand (3): " in rounds
    assert "Wie jemand (3) es sah" in review
    assert "1 jemand (1) · 2 Ben · 3 jemand (3)" in deals
    assert "jemand (1), Ben, jemand (3)" in suggested


async def test_a_person_who_is_called_like_that_keeps_their_name(w: World) -> None:
    table = await lobby(w, "Ann", "Ben")
    await w.directly(tables(w).sit(table.id, Person(w.cat.id, SOMEBODY)))
    await w.directly(tables(w).start(table.id, w.ann.id))
    await play(w, await dealt(w, table))
    await agreed(w, w.ann)
    await w.env.advance_time(120)
    rounds, review, *_ = await read_in_german(w, w.ben)
    assert "\njemand (1): " in rounds, "and an English reader tells them apart"
    assert "\nsomebody: " in rounds
    assert "Wie somebody es sah" in review


async def test_who_changed_a_servers_settings_and_is_forgotten_is_somebody_too(w: World) -> None:
    one, two = (newcomer(w, manage_guild=True) for _ in range(2))
    await one.slash("settings", deck="contrast")
    await agreed(w, one)
    await two.slash("preferences")
    await two.choose(two.panel, two.panel.only(Verb.LANGUAGE), "de")
    await two.slash("settings")
    said = await two.press(two.panel, Press(Verb.SETTINGS, argument="log").encode())
    assert "jemand" in said
    assert SOMEBODY not in said


async def test_they_leave_the_tables_where_they_sit(w: World) -> None:
    table = await play(w, await match(w), 3)
    asked = await w.ann.slash("mydata forget")
    assert "You also leave the table where you sit now." in asked
    await w.ann.press_verb(w.ann.panel, Verb.FORGET_NOW)
    await w.env.advance_time(120)
    after = await tables(w).table(table.id)
    assert after.stored.status is Status.RUNNING
    assert UserId(w.ann.id) not in {one.id for one in after.stored.seating.people}
    assert traces(w, w.ann) == []
    assert "Seat 1 is free" in w.board().text
    await w.directly(tables(w).sit(table.id, person(w.dan)))
    over = await play(w, await tables(w).table(table.id))
    assert over.stored.status is Status.FINISHED
    assert traces(w, w.ann) == []


async def test_a_lobby_and_plans_of_theirs_are_gone(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", at="in 2h")
    plan = w.messages(w.channel.id)[-1]
    (comes, _), _ = plan.presses(Verb.COME)
    await w.ben.press(plan, comes.encode())
    table = await lobby(w, "Ann", channel=w.room("other").id)
    await agreed(w, w.ann)
    await w.env.advance_time(120)
    assert not (await tables(w).table(table.id)).stored.status.is_open
    assert "called off" in w.messages(w.channel.id)[-1].text.lower()
    assert traces(w, w.ann) == []


async def test_whoever_comes_again_is_known_anew(w: World) -> None:
    await play(w, await match(w))
    await agreed(w, w.ann)
    await w.ann.slash("rules", game="aufundab")
    await w.env.advance_time(60)
    users = await w.directly(w.running._database.scalars(select(people.c.user_id)))
    assert w.ann.id in users
    assert "finished match" not in await w.ann.slash("mydata show")
    again = await play(w, await match(w))
    assert again.stored.status is Status.FINISHED


async def test_the_rematch_keeps_no_place_for_somebody(w: World) -> None:
    await play(w, await match(w))
    await agreed(w, w.ann)
    await w.ben.slash("rematch")
    opened = await w.table()
    kept = {one.id for one in opened.stored.seating.kept.values()}
    assert kept == {w.cat.id}
    assert all(user > 0 for user in opened.stored.seating.invited)


async def test_a_rematch_waits_no_more_for_whoever_is_forgotten(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = discord.Guild.fetch_member

    async def fetch_member(guild: discord.Guild, user: int) -> discord.Member:
        assert user > 0, "Discord is asked about an id that is nobody's"
        return await fetch(guild, user)

    monkeypatch.setattr(discord.Guild, "fetch_member", fetch_member)
    await play(w, await match(w))
    await w.cat.press_verb(w.board(), Verb.REMATCH)
    assert "waiting for Ann" in w.board().text
    await agreed(w, w.ann)
    await w.env.advance_time(1)
    assert [one.name for one in (await w.table()).stored.seating.kept.values()] == ["Ben"]
    assert "waiting for Ben" in w.board().text
    assert "Ann" not in w.board().text


async def test_a_forged_page_is_refused(w: World) -> None:
    await w.ann.slash("mydata show")
    said = await w.answer(w.ann, w.ann.panel, Press(Verb.MY_DATA, argument="others").encode())
    assert "What is stored" not in said


async def test_from_another_server_all_of_it_is_meant(w: World) -> None:
    await play(w, await match(w))
    asking = elsewhere(w, w.ann)
    assert "Your result in 1 finished match" in await asking.slash("mydata show")


async def test_whoever_is_asked_now_can_go(w: World) -> None:
    table = await match(w)
    asked = actor(w, table)
    await agreed(w, asked)
    await w.env.advance_time(120)
    assert traces(w, asked) == []
