"""`/history`: finished matches, paged, with files and proofs; nobody sees more than before."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

from bot.ids import TableId
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from engine.verify import verify
from tests.discord.steps import dealt, lobby, match, person, play, stop, tables
from tests.discord.test_access import NO_TABLE, elsewhere, thread
from tests.discord.test_preferences import prefer
from tests.discord.test_standings import one_match
from tests.discord.world import Player, Shown, World


async def choose(player: Player, whose: str) -> str:
    (menu,) = [p for p, part in player.panel.presses(Verb.HISTORY) if part["type"] == 3]
    return await player.choose(player.panel, menu.encode(), whose)


async def turn(player: Player, label: str) -> str:
    (on,) = [p for p, part in player.panel.presses(Verb.HISTORY) if part.get("label") == label]
    return await player.press(player.panel, on.encode())


def listed(shown: Shown) -> list[TableId]:
    """The tables of the matches on a page, by their buttons."""
    return [press.table for press, _ in shown.presses(Verb.MATCH)]


async def private_match(w: World) -> Table:
    """A match that people were invited to, played to its end."""
    table = await lobby(w, "Ann", private=True)
    for guest in (w.ben, w.cat):
        await w.directly(tables(w).invite(table.id, w.ann.id, guest.id))
        await w.directly(tables(w).sit(table.id, person(guest)))
    await w.directly(tables(w).start(table.id, w.ann.id))
    return await play(w, await dealt(w, table))


async def test_nobody_has_played_yet(w: World) -> None:
    assert "You haven't finished a match here yet" in await w.ann.slash("history")
    assert not w.ann.panel.presses(Verb.MATCH, Verb.ALL_FILES)
    assert "No match has been finished yet" in await choose(w.ann, "here")
    assert "You haven't finished a match together" in await w.ann.slash(
        "history", player=w.ben.user
    )
    assert "My matches alone" in await w.ann.slash("history", dm=True)


async def test_one_match_its_people_and_what_can_be_done_with_it(w: World) -> None:
    table = await play(w, await match(w))
    said = await w.ann.slash("history")
    assert "**Auf und Ab** · <t:" in said
    assert all(name in said for name in ("🥇", "Ann", "Ben", "Cat"))
    assert f"1 round · {table.id}" in said
    await w.ann.press_verb(w.ann.panel, Verb.MATCH)
    page = w.ann.panel
    assert "Rounds" in page.text
    assert "✓ Checked" in await w.ann.press_verb(page, Verb.VERIFY)
    await w.ann.slash("history")
    await w.ann.press_verb(w.ann.panel, Verb.MATCH)
    await w.ann.press_verb(w.ann.panel, Verb.FILE)
    (text,) = w.ann.files().values()
    assert verify(json.loads(text), 1) == []
    await w.ann.slash("history")
    await w.ann.press_verb(w.ann.panel, Verb.MATCH)
    assert "My matches" in await turn(w.ann, "‹ Back")
    await w.ann.press_verb(w.ann.panel, Verb.MATCH)
    await w.ann.press_verb(w.ann.panel, Verb.REMATCH)
    assert (await w.table()).stored.rematch_of == table.id


async def test_pages_are_turned_and_the_newest_stands_first(w: World) -> None:
    made = [
        (await one_match(w, host, w.ann.id, w.ben.id, channel=w.channel.id)).id
        for host in range(71, 78)
    ]
    await w.ann.slash("history")
    assert "1 / 2" in w.ann.panel.text
    first = listed(w.ann.panel)
    await turn(w.ann, "›")
    second = listed(w.ann.panel)
    assert sorted(first + second) == sorted(made)
    await turn(w.ann, "‹")
    assert listed(w.ann.panel) == first
    await w.ann.slash("history", player=w.cat.user)
    assert listed(w.ann.panel) == []
    assert "My matches with Ben" in await w.ann.slash("history", player=w.ben.user)
    assert "My matches with Guest" in await turn(w.ann, "›"), "what he was called there"
    assert listed(w.ann.panel) == second


async def test_a_server_shows_what_its_channels_would(w: World) -> None:
    """Neither a hidden channel's matches, nor those of a private table or of another server."""
    seen = await one_match(w, 71, 72, 73, channel=w.channel.id)
    hidden = w.room("hidden", w.ann, view_channel=False)
    await one_match(w, 71, 72, 73, channel=hidden.id)
    await one_match(w, 71, 72, 73, channel=thread(w, w.channel, private=True).id)
    private = await private_match(w)
    await w.ann.slash("history")
    assert listed(w.ann.panel) == [private.id]
    await choose(w.ann, "here")
    assert listed(w.ann.panel) == [seen.id]
    await w.ann.press_verb(w.ann.panel, Verb.MATCH)
    assert not w.ann.panel.presses(Verb.REMATCH), "she did not play"
    there = elsewhere(w, w.ann)
    assert "You haven't finished a match here yet" in await there.slash("history")
    assert "No match has been finished yet" in await choose(there.player, "here")


async def test_a_match_that_may_not_be_seen_is_not_there(w: World) -> None:
    hidden = w.room("hidden", w.ann, view_channel=False)
    table = await one_match(w, 71, 72, 73, channel=hidden.id)
    await w.ann.slash("history")
    for verb in (Verb.MATCH, Verb.FILE):
        forged = Press(verb, table.id, argument="mine||0").encode()
        assert NO_TABLE in await w.answer(w.ann, w.ann.panel, forged)
    stopped = await stop(w, await match(w))
    forged = Press(Verb.MATCH, stopped.id, argument="mine||0").encode()
    assert "moved on" in (await w.answer(w.ann, w.ann.panel, forged)).lower()


async def test_who_is_off_the_leaderboards_is_nobody_in_the_history_of_others(w: World) -> None:
    await play(w, await match(w))
    await prefer(w.ben, "people", "board", "off")
    for whose in ("mine", "here"):
        await w.ann.slash("history")
        said = await choose(w.ann, whose)
        assert "Ben" not in said
        assert "somebody" in said
    assert "Ben stands on no leaderboard" in await w.ann.slash("history", player=w.ben.user)
    assert "Ben" in await w.ben.slash("history")


async def test_all_files_are_one_and_say_how_many(w: World) -> None:
    here = await play(w, await match(w))
    other = w.room("other")
    also = await play(w, await match(w, channel=other.id))
    await w.ann.slash("history")
    said = await w.ann.press_verb(w.ann.panel, Verb.ALL_FILES)
    assert "2 of your 2 matches" in said
    (attached,) = w.ann.answered.attachments
    content = w.env.backend.cdn.get(attached.url) or b""
    with ZipFile(BytesIO(content)) as packed:
        assert sorted(packed.namelist()) == sorted(f"{one.id}.json" for one in (here, also))
        for name in packed.namelist():
            assert verify(json.loads(packed.read(name)), 1) == []
    await w.permit(attach_files=False)
    await w.ann.slash("history")
    assert "may not attach files" in await w.ann.press_verb(w.ann.panel, Verb.ALL_FILES)
