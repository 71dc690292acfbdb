"""A table opens, and who wants to know of it does: a role of the server, and followers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from discord import Permissions
from simcord import ChannelHandle, RoleHandle
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot.ids import ChannelId, GuildId, PlanId, UserId
from bot.publish import openings
from bot.render.custom_ids import Press, Verb
from bot.storage.people import SqlPeople
from bot.tables import plans
from bot.tables.model import Table
from bot.tables.ports import Habits
from bot.tables.servers import Setting
from tests.discord.steps import match, person, play, stop, tables
from tests.discord.test_access import thread
from tests.discord.test_doors import choose, give, role
from tests.discord.test_planning import come, open_tables, pass_time, seated
from tests.discord.test_preferences import avoid, sleep, subject
from tests.discord.test_settings import panel
from tests.discord.world import Player, Shown, World
from tests.tables.fakes import ANN, BEN, CAT, DAN, House

OPENED = "has opened a table of"
CALLS = "When a table opens I call"


def called(w: World) -> list[dict[str, Any]]:
    """What the program's messages were allowed to mention, where they called a role."""
    allowed = [
        call.json.get("allowed_mentions") or {}
        for call in w.env.http_requests
        if isinstance(call.json, dict)
    ]
    return [one for one in allowed if one.get("roles")]


def lines(w: World) -> list[Shown]:
    return [one for one in w.messages(w.channel.id) if OPENED in one.text]


async def open_table(w: World, **options: Any) -> Table:
    """Ann opens a table by command."""
    await w.ann.slash("newgame", **{"game": "sticheln", **options})
    return await w.table()


async def to_call(w: World) -> RoleHandle:
    """A role that is called when a table opens."""
    players = w.guild.create_role("Players", mentionable=True)
    await choose(w, Setting.CALLED, players)
    return players


# A role


@pytest.mark.behaviour("A table opens, and somebody wants to know")
async def test_a_role_is_called_to_a_table_and_nobody_else_is(w: World) -> None:
    players = await to_call(w)
    await open_table(w)
    (line,) = lines(w)
    assert f"<@&{players.id}>: Ann {OPENED} Sticheln." in line.text
    (allowed,) = called(w)
    assert [*map(int, allowed["roles"])] == [players.id]
    assert not allowed.get("parse")
    assert not allowed.get("users")
    for player in (w.ben, w.cat):
        await player.press_verb(line, Verb.JOIN)
    assert seated(await w.table()) == ["Ann", "Ben", "Cat"]
    await w.ann.slash("start")
    await w.env.advance_time(2)
    assert not lines(w)
    over = [one for one in w.messages(w.channel.id) if "Its match has begun." in one.text]
    assert [one.presses(Verb.JOIN) for one in over] == [[]]


async def test_a_role_is_called_once_in_thirty_minutes_restarts_included(w: World) -> None:
    await to_call(w)
    for minutes, calls in ((0, 1), (10, 1), (15, 1), (5, 2)):
        await pass_time(w, minutes=minutes)
        await w.restart()
        await open_table(w)
        assert len(called(w)) == calls, minutes
        await w.ann.slash("leave")
        assert not await open_tables(w)


@pytest.mark.parametrize(
    "options",
    [{"private": True}, {"seats": 4, "computers": "3 easy", "game": "sticheln"}],
    ids=["private", "full"],
)
async def test_nobody_is_called_where_nobody_could_sit_down(
    options: dict[str, Any], w: World
) -> None:
    await to_call(w)
    await follow(w.ben, "sticheln")
    await open_table(w, **options)
    assert called(w) == []
    assert w.ben.dms() == []


async def test_nobody_is_called_to_a_seat_that_is_kept_for_the_line() -> None:
    house = House()
    table = await house.lobby(ANN, BEN, CAT)
    await house.service.sit(table.id, DAN)
    table = await house.service.leave(table.id, BEN.id)
    assert not openings.offers_a_seat(table)
    assert openings.offers_a_seat(await house.service.get_out(table.id, DAN.id))


async def test_nobody_is_called_to_a_rematch(w: World) -> None:
    await stop(w, await match(w, game="sticheln"))
    await w.env.advance_time(2)
    await to_call(w)
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    assert len(await open_tables(w)) == 1
    assert called(w) == []


async def test_a_planned_table_calls_the_role_and_followers_when_it_opens(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await to_call(w)
    for player in (w.ben, w.cat, w.eve, w.dan):
        await follow(player, "sticheln")
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    await come(w, "Ben")
    await come(w, "Cat", comes=False)
    monkeypatch.setattr(plans, "MAX_PEOPLE", 1)
    await come(w, "Eve", comes=False)  # for whose name there is no room
    assert called(w) == []
    await pass_time(w, minutes=121)
    assert len(called(w)) == 1
    assert OPENED in w.dan.dm().text
    await pass_time(w, minutes=40)
    w.running.context.planned.draw_anew(PlanId((await w.table()).id))
    await w.restart()
    w.running.context.planned.draw_anew(PlanId((await w.table()).id))
    await w.env.advance_time(3)
    assert len(called(w)) == 1, "drawn once more it calls nobody"
    assert len(told(w.dan)) == 1
    for player in (w.ben, w.cat, w.eve):
        assert not any(OPENED in one.text for one in player.dms()), "they know of it"


async def test_a_role_that_is_deleted_is_not_called(w: World) -> None:
    players = await to_call(w)
    w.env.backend.delete_role(w.guild.id, players.id)
    _, page = await panel(w, "calls")
    assert "One of those chosen was deleted, and is ignored." in page.text
    assert f"{CALLS} nobody." in page.text
    await open_table(w)
    assert called(w) == []


@pytest.mark.parametrize("heard", [True, False])
async def test_the_panel_says_whether_anybody_hears_it(heard: bool, w: World) -> None:
    players = w.guild.create_role("Players", mentionable=heard)
    for mine in w.guild.roles.values():  # nobody may mention everybody
        less = (
            Permissions.all().value & ~Permissions(administrator=True, mention_everyone=True).value
        )
        w.env.backend.edit_role(w.guild.id, mine.id, {"permissions": less})
    max_ = await choose(w, Setting.CALLED, players)
    assert f"{CALLS} this role" in max_.panel.text
    assert ("Nobody hears it" in max_.panel.text) is not heard
    await max_.choose(max_.panel, Press(Verb.SETTING, argument=Setting.CALLED).encode())
    assert f"{CALLS} nobody." in max_.panel.text
    assert "Nobody hears it" not in max_.panel.text


async def test_everybody_is_no_role_to_call(w: World) -> None:
    max_, page = await panel(w, "calls")
    menu = Press(Verb.SETTING, argument=Setting.CALLED).encode()
    said = await w.answer(max_, page, menu, kind=6, values=[str(w.guild.id)])
    assert "I call one role, never everybody." in said
    await open_table(w)
    assert called(w) == []


# Followers


async def follow(player: Player, *games: str) -> str:
    """They choose of which games they are told."""
    await player.slash("preferences")
    await player.press(player.panel, subject("called"))
    return await player.choose(player.panel, Press(Verb.FOLLOW).encode(), *games)


def told(player: Player) -> list[Shown]:
    return [one for one in player.dms() if OPENED in one.text]


@pytest.mark.behaviour("A table opens, and somebody wants to know")
async def test_followers_are_told_of_their_game_and_of_no_other(w: World) -> None:
    assert "that you may join: Sticheln." in await follow(w.ben, "sticheln")
    await follow(w.cat, "aufundab")
    await open_table(w)
    (letter,) = told(w.ben)
    assert f"Ann {OPENED} Sticheln in <#{w.channel.id}> on " in letter.text
    assert told(w.cat) == []
    assert told(w.ann) == []
    assert f"{w.channel.id}/{w.board().id}" in str(letter.components), "the way to the table"


async def test_whoever_opens_the_table_is_not_told(w: World) -> None:
    await follow(w.ann, "sticheln")
    await open_table(w)
    assert told(w.ann) == []


async def test_stop_on_the_letter_stops_it_for_that_game(w: World) -> None:
    await follow(w.ben, "sticheln", "aufundab")
    await open_table(w)
    said = await w.ben.press_verb(w.ben.dm(), Verb.UNFOLLOW)
    assert "I no longer tell you when a table of Sticheln opens there." in said
    await w.ann.slash("leave")
    for game in ("sticheln", "aufundab"):
        await open_table(w, game=game)
        await w.ann.slash("leave")
    # The letter on which it was pressed stays, with the way to its table.
    assert [one.text.partition(OPENED)[2][:11] for one in told(w.ben)] == [
        " Sticheln i",
        " Auf und Ab",
    ]


async def test_of_three_tables_a_day_and_no_more(w: World) -> None:
    await follow(w.ben, "sticheln")
    for opened, letters in ((4, 3), (1, 3)):
        for _ in range(opened):
            await open_table(w)
            await w.ann.slash("leave")
            await pass_time(w, minutes=30)
        assert len(told(w.ben)) == letters
    await pass_time(w, hours=23)
    await open_table(w)
    assert len(told(w.ben)) == 4


async def test_not_in_quiet_hours(w: World) -> None:
    await follow(w.ben, "sticheln")
    now = w.now()
    await sleep(w.ben, f"{now.hour}:00", f"{(now.hour + 5) % 24}:00")
    await open_table(w)
    assert told(w.ben) == []


@pytest.mark.parametrize("whose", ["theirs", "the host's"])
async def test_nobody_is_told_of_a_table_where_one_does_not_want_the_other(
    whose: str, w: World
) -> None:
    await follow(w.ben, "sticheln")
    await avoid(*((w.ben, w.ann) if whose == "theirs" else (w.ann, w.ben)))
    await open_table(w)
    assert told(w.ben) == []


async def test_whoever_may_not_sit_there_or_sees_nothing_is_not_told(w: World) -> None:
    regulars = role(w, "Regulars")
    await follow(w.ben, "sticheln")
    await follow(w.cat, "sticheln")
    give(w, w.cat, regulars)
    give(w, w.ann, regulars)
    await choose(w, Setting.SITTERS, regulars)
    await open_table(w)
    assert told(w.ben) == []
    assert len(told(w.cat)) == 1
    await w.ann.slash("leave")
    await w.permit(w.cat, view_channel=False)
    await open_table(w)
    assert len(told(w.cat)) == 1


async def test_whoever_has_left_or_takes_no_letters_follows_nothing_there_any_more(
    w: World,
) -> None:
    await follow(w.ben, "sticheln")
    await follow(w.cat, "sticheln")
    w.close_dms(w.ben)
    w.env.backend.remove_member(w.guild.id, w.cat.id)
    await open_table(w)
    followers = w.running.context.followers
    for player in (w.ben, w.cat):
        found = await w.directly(followers.followed(player.id, GuildId(w.guild.id)))
        assert not found.games


async def test_of_a_crowd_as_many_are_told_as_may_be(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openings, "MOST_LETTERS", 2)
    crowd = [w.ben, w.cat, w.dan, w.eve]
    for player in crowd:
        await follow(player, "sticheln")
    await open_table(w)
    assert sum(len(told(player)) for player in crowd) == 2


async def test_it_stops_when_nobody_can_sit_down_any_more(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in (w.ben, w.cat):
        await follow(player, "sticheln")
    letters = w.running.context.publisher.requests.dm

    async def closes(user: UserId) -> ChannelId:
        if user != w.ann.id:
            (table,) = await open_tables(w)
            await tables(w).leave(table.id, w.ann.id)
        return await letters(user)

    monkeypatch.setattr(w.running.context.publisher.requests, "dm", closes)
    await open_table(w)
    assert len(told(w.ben)) + len(told(w.cat)) == 1


async def test_the_panel_shows_changes_and_stops_it_everywhere(w: World) -> None:
    await w.ben.slash("preferences")
    said = await w.ben.press(w.ben.panel, subject("called"))
    assert "Off on this server." in said
    await follow(w.ben, "sticheln", "kaiserspiel")
    await w.ben.slash("preferences", dm=True)
    said = await w.ben.press(w.ben.panel, subject("called"))
    assert "type `/preferences` in one of its channels" in said
    assert "You are told on 1 server." in said, "there is no first one here"
    said = await w.ben.press(w.ben.panel, Press(Verb.UNFOLLOW).encode())
    assert "You are told on" not in said
    await open_table(w)
    assert told(w.ben) == []


async def test_what_is_no_game_or_server_is_refused(w: World) -> None:
    await follow(w.ben, "sticheln")
    menu = Press(Verb.FOLLOW).encode()
    for press, values in (
        (menu, ["poker"]),
        (Press(Verb.UNFOLLOW, argument="1").encode(), []),
        (Press(Verb.UNFOLLOW, argument="x|sticheln").encode(), []),
        (Press(Verb.UNFOLLOW, argument=f"{w.guild.id}|poker").encode(), []),
    ):
        assert "none of the choices" in await w.answer(w.ben, w.ben.panel, press, values=values)
    await open_table(w)
    assert len(told(w.ben)) == 1


# Results


@pytest.mark.behaviour("A match ends on a server that has a channel for results")
async def test_results_stand_in_their_channel_once_and_without_a_sound(w: World) -> None:
    results = w.room("results")
    max_ = await choose(w, Setting.RESULTS, results)
    assert "I post the result of each match in this channel too" in max_.panel.text
    await play(w, await match(w, game="sticheln", rounds=1))
    await w.env.advance_time(2)
    (line,) = w.messages(results.id)
    assert "**Sticheln** · 🥇" in line.text
    assert "<@" not in line.text
    assert w.env.backend.messages[results.id][line.id].flags & 1 << 12
    await w.restart()
    await w.ann.slash("table")
    await w.env.advance_time(2)
    assert len(w.messages(results.id)) == 1


async def stand_on_no_leaderboard(player: Player) -> None:
    await player.slash("preferences")
    await player.press(player.panel, subject("people"))
    await player.choose(player.panel, Press(Verb.PREFER, argument="board").encode(), "off")


@pytest.mark.behaviour("A match ends on a server that has a channel for results")
@pytest.mark.parametrize("off", ["nobody", "Ann", "Dan"])
async def test_results_name_who_began_and_not_who_took_their_seat(off: str, w: World) -> None:
    """For Ann the match counts, and so does her wish not to be named; not for Dan."""
    results = w.room("results")
    await choose(w, Setting.RESULTS, results)
    if off != "nobody":
        await stand_on_no_leaderboard(w.players[off])
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln", rounds=1)
    await w.directly(tables(w).leave(table.id, w.ann.id))
    await w.directly(tables(w).sit(table.id, person(w.dan), 0))
    await w.restart()  # nothing is known of Ann by heart
    await play(w, await w.table())
    await w.env.advance_time(2)
    (line,) = w.messages(results.id)
    named = {name for name in ("Ann", "Dan", "somebody") if name in line.text}
    assert named == {"somebody" if off == "Ann" else "Ann"}


async def test_nobody_is_named_there_before_it_is_known_whether_they_want_to_be(
    monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    results = w.room("results")
    await choose(w, Setting.RESULTS, results)
    await stand_on_no_leaderboard(w.ann)
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln", rounds=1)

    async def unknown(*_: object) -> Mapping[UserId, Habits]:
        raise ConnectionError("the database is away")

    monkeypatch.setattr(SqlPeople, "habits", unknown)
    w.running.publisher.readers.drop({w.ann.id})
    await play(w, table)
    await w.env.advance_time(2)
    assert w.messages(results.id) == []
    monkeypatch.undo()
    await w.env.advance_time(120)
    (line,) = w.messages(results.id)
    assert "somebody" in line.text
    assert "Ann" not in line.text


async def test_whoever_stands_on_no_leaderboard_is_not_named_there(w: World) -> None:
    results = w.room("results")
    await choose(w, Setting.RESULTS, results)
    await stand_on_no_leaderboard(w.ann)
    await open_table(w, counts="fun", seats=3, length=1)
    for player in (w.ben, w.cat):
        await player.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("start")
    await w.env.advance_time(2)
    await play(w, await w.table())
    await w.env.advance_time(2)
    (line,) = w.messages(results.id)
    assert "Ann" not in line.text
    assert "somebody" in line.text
    assert "for fun" in line.text


async def test_a_private_table_and_a_closed_one_are_no_news(w: World) -> None:
    results = w.room("results")
    await choose(w, Setting.RESULTS, results)
    await open_table(w)
    await w.ann.slash("leave")
    table = await open_table(w, private=True, seats=3, length=1)
    for player in (w.ben, w.cat):
        await w.directly(tables(w).invite(table.id, w.ann.id, player.id))
        await w.directly(tables(w).sit(table.id, person(player)))
    await w.ann.slash("start")
    await w.env.advance_time(2)
    await play(w, await w.table())
    await w.env.advance_time(2)
    assert w.messages(results.id) == []


async def let_in(w: World, channel: ChannelHandle, *who: Player | RoleHandle) -> None:
    """Hides the channel from everybody but these, and the program."""
    await w.hide(channel)
    await w.permit(channel=channel.id, view_channel=True, send_messages=True)
    for one in who:
        if isinstance(one, Player):
            await w.permit(one, channel.id, view_channel=True)
        else:
            allow = Permissions(view_channel=True).value
            wishes = Overwrite(one.id, OverwriteType.ROLE, allow, 0)
            w.env.backend.set_overwrite(channel.id, wishes)
    await w.env.settle()


@pytest.mark.behaviour("A match ends on a server that has a channel for results")
@pytest.mark.parametrize(
    ("table", "readers", "told"),
    [
        ("people", "everybody", 0),
        ("people", "people and Dan", 0),
        ("people", "people", 1),
        ("role", "everybody", 0),
        ("role", "role and another", 0),
        ("role", "role", 1),
        ("all but Dan", "everybody", 0),
        ("all but Dan", "role", 0),
        ("role but Dan", "role", 0),
    ],
)
async def test_results_are_read_only_by_people_who_see_the_channel_of_the_table(
    table: str, readers: str, told: int, w: World
) -> None:
    role, another = w.guild.create_role("Members"), w.guild.create_role("Others")
    people = w.people(3)
    audiences: dict[str, Sequence[Player | RoleHandle]] = {
        "people": people,
        "people and Dan": [*people, w.dan],
        "role": [role],
        "role and another": [role, another],
    }
    results, place = w.room("results"), w.room("table")
    await choose(w, Setting.RESULTS, results)
    if not table.startswith("all"):
        await let_in(w, place, *audiences[table.removesuffix(" but Dan")])
    if table.endswith("but Dan"):
        await w.permit(w.dan, place.id, view_channel=False)
    if readers != "everybody":
        await let_in(w, results, *audiences[readers])
    await play(w, await match(w, game="sticheln", rounds=1, channel=place.id))
    await w.env.advance_time(2)
    assert len(w.messages(results.id)) == told


@pytest.mark.parametrize("private", [True, False])
async def test_a_match_in_a_private_thread_or_in_one_of_a_hidden_channel_is_no_news(
    private: bool, w: World
) -> None:
    results, above = w.room("results"), w.room("above")
    await choose(w, Setting.RESULTS, results)
    if not private:
        await let_in(w, above, *w.people(3))
    place = thread(w, above, private=private)
    await play(w, await match(w, game="sticheln", rounds=1, channel=place.id))
    await w.env.advance_time(2)
    assert w.messages(results.id) == []


async def test_a_result_is_posted_once_it_is_known_who_reads_it(
    monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    results = w.room("results")
    await choose(w, Setting.RESULTS, results)
    requests = w.running.publisher.requests

    async def unknown(*_: object) -> bool:
        raise ConnectionError("the server is out of sight")

    monkeypatch.setattr(requests, "is_open_to", unknown)
    await play(w, await match(w, game="sticheln", rounds=1))
    await w.env.advance_time(2)
    assert w.messages(results.id) == []
    monkeypatch.undo()
    await w.env.advance_time(120)
    assert len(w.messages(results.id)) == 1


async def test_where_it_may_not_write_the_panel_says_so_and_the_match_goes_on(w: World) -> None:
    results = w.room("results")
    await w.permit(channel=results.id, send_messages=False)
    max_ = await choose(w, Setting.RESULTS, results)
    assert "I may not write there." in max_.panel.text
    table = await play(w, await match(w, game="sticheln", rounds=1))
    await w.env.advance_time(2)
    assert not table.stored.status.is_open
    assert w.messages(results.id) == []
