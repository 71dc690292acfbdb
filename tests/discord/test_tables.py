"""My tables: the list over all servers, the next one that waits, and which one is meant."""

from __future__ import annotations

import pytest

from bot.ids import ChannelId, GuildId
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.plans import Wish
from bot.tables.stored import Pace
from tests.discord.steps import first, lobby, match, person, playing, reach, stop, tables
from tests.discord.world import Player, Shown, World, walk
from tests.lengths import shortest


async def asked(w: World, table: Table, player: Player) -> Table:
    """The same table when it waits for `player`."""
    return await reach(w, table, lambda now: now.waits_for(player.id))


async def unasked(w: World, table: Table, player: Player) -> Table:
    """The same table when it waits for somebody else."""
    return await reach(w, table, lambda now: not now.waits_for(player.id))


def links(panel: Shown) -> list[str]:
    return [str(part["url"]) for part in walk(panel.components) if part.get("url")]


# The list


@pytest.mark.nightly
@pytest.mark.behaviour("Somebody plays at several tables")
async def test_ones_tables_are_listed_over_all_servers(w: World) -> None:
    here = await asked(w, await match(w, pace=Pace.RELAXED), w.ann)
    other = w.env.create_guild("Else*where")
    far_room = other.create_text_channel("spiele")
    other.add_member(w.ann.user)
    await w.env.settle()

    async def open_far() -> Table:
        return await tables(w).open(
            Wish("sticheln", 4, shortest("sticheln")),
            GuildId(other.id),
            ChannelId(far_room.id),
            person(w.ann),
        )

    far = await w.directly(open_far())
    said = await w.ann.slash("tables")
    mine, theirs = said.index("Auf und Ab"), said.index("Sticheln")
    assert mine < theirs, "first what waits for her"
    assert "**Your turn** · time runs out <t:" in said
    assert "Stammtisch · \\#karten" in said
    assert "Else\\*where · \\#spiele" in said
    assert "waiting for players, 1 of 4 seats taken" in said
    board = w.board()
    assert f"https://discord.com/channels/{w.guild.id}/{w.channel.id}/{board.id}" in links(
        w.ann.panel
    )
    assert any(f"/channels/{other.id}/{far_room.id}" in url for url in links(w.ann.panel))
    in_dm = await w.ann.slash("tables", dm=True)
    assert here.id in in_dm
    assert far.id in in_dm
    said = await w.ben.slash("tables")
    assert "waiting for Ann · time runs out <t:" in said
    assert far.id not in said


@pytest.mark.nightly
async def test_a_hand_opens_from_the_list(w: World) -> None:
    table = await asked(w, await match(w), w.ann)
    await w.ann.slash("tables", dm=True)
    panel = w.ann.panel
    said = await w.ann.press_verb(panel, Verb.HAND)
    assert "Your turn" in said
    assert table.id in await w.answer(w.ann, panel, Press(Verb.TABLES, argument="mine|0").encode())


@pytest.mark.nightly
async def test_whoever_sits_nowhere_is_told_what_to_do(w: World) -> None:
    assert "newgame" in await w.ann.slash("tables", dm=True)
    assert not w.ann.panel.presses(Verb.TABLES), "a direct message is on no server"
    assert "newgame" in await w.ann.slash("tables")
    table = await lobby(w, "Ben")
    assert table.id in await w.ann.press_verb(w.ann.panel, Verb.TABLES), "those open here"
    said = await w.ann.press_verb(w.ann.panel, Verb.TABLES)
    assert "You're not at any table" in said, "and back"
    await stop(w, table)
    assert "newgame" in await w.ann.slash("tables", where="here")


@pytest.mark.nightly
async def test_a_list_is_turned_page_by_page(w: World) -> None:
    made = [await lobby(w, "Ann", channel=w.room(f"room{n}").id) for n in range(3)]
    made += [await lobby(w, "Ben", channel=w.room(f"more{n}").id) for n in range(3)]
    page = await w.cat.slash("tables", where="here")
    assert sum(table.id in page for table in made) == 5
    assert "1 / 2" in page
    (on,) = [
        press.encode()
        for press, component in w.cat.panel.presses(Verb.TABLES)
        if component["label"] == "›"
    ]
    rest = await w.cat.press(w.cat.panel, on)
    assert sum(table.id in rest for table in made) == 1
    assert all((table.id in page) != (table.id in rest) for table in made)
    for argument in ("here|99999999999", "here|", "x|y", ""):
        assert await w.answer(w.cat, w.cat.panel, Press(Verb.TABLES, argument=argument).encode())


@pytest.mark.behaviour("Somebody asks about a table")
async def test_the_list_of_a_server_names_only_what_may_be_seen(w: World) -> None:
    seen = await lobby(w, "Ann")
    hidden = await match(
        w, "Ben", "Cat", "Dan", channel=w.room("secret", w.eve, view_channel=False).id
    )
    invited = await lobby(w, "Dan", channel=w.room("closed").id, private=True)
    said = await w.eve.slash("tables", where="here")
    assert seen.id in said
    assert hidden.id not in said
    assert "secret" not in said
    assert "Ben" not in said
    joins = {press.table for press, _ in w.eve.panel.presses(Verb.JOIN)}
    assert joins == {seen.id}, "one by invitation is seen, not joined"
    assert {p.table for p, _ in w.eve.panel.presses(Verb.TABLE)} == {seen.id, invited.id}
    assert hidden.id in await w.ben.slash("tables", where="here")
    assert "only on a server" in await w.eve.slash("tables", where="here", dm=True)


@pytest.mark.nightly
async def test_one_watches_and_joins_from_the_list(w: World) -> None:
    table = await lobby(w, "Ann", channel=w.room().id)
    await w.ben.slash("tables", where="here")
    listed = w.ben.panel
    assert "1. **Ann**" in await w.ben.press_verb(listed, Verb.TABLE)
    assert "You have seat 2" in await w.ben.press_verb(listed, Verb.JOIN)
    now = await tables(w).table(table.id)
    assert now.stored.seating.place_of(w.ben.id) == 1
    running = await match(w, "Ann", "Cat", "Ben")
    await w.directly(tables(w).leave(running.id, w.cat.id))
    said = await w.dan.slash("tables", where="here")
    assert "Take seat 2" in said
    assert "You have seat 2" in await w.dan.press_verb(w.dan.panel, Verb.TAKE)


# Which table is meant


async def two_tables(w: World) -> tuple[Table, Table]:
    """A table in the channel and one in another; Ann sits at both."""
    there = await match(w, channel=w.room("there").id)
    here = await match(w, "Ann", "Dan", "Eve")
    return here, there


@pytest.mark.behaviour("Somebody plays at several tables")
async def test_a_hand_is_that_of_the_channel_then_of_the_table_that_asks(w: World) -> None:
    here, there = await two_tables(w)
    here, there = await unasked(w, here, w.ann), await asked(w, there, w.ann)
    elsewhere = w.room("elsewhere")
    await w.ann.slash("hand")
    assert {p.table for p, _ in w.ann.panel.presses(Verb.HAND)} == {here.id}
    await w.ann.slash("hand", channel=elsewhere)
    assert {p.table for p, _ in w.ann.panel.presses(Verb.MORE)} == {there.id}
    await w.ann.slash("hand", dm=True)
    assert {p.table for p, _ in w.ann.panel.presses(Verb.MORE)} == {there.id}
    action = first(there)
    suggested = await w.ann.actor.autocomplete(elsewhere, "play", "action", "")
    assert action in [choice["value"] for choice in suggested]
    await w.ann.slash("play", channel=elsewhere, action=action)
    assert (await tables(w).table(there.id)).ply == there.ply + 1


@pytest.mark.nightly
async def test_a_table_of_others_in_the_channel_does_not_hide_the_one_that_asks(w: World) -> None:
    foreign = w.room("foreign")
    theirs = await match(w, "Dan", "Eve", "Fay", channel=foreign.id)
    mine = await asked(w, await match(w), w.ann)
    await w.ann.slash("hand", channel=foreign)
    assert {p.table for p, _ in w.ann.panel.presses(Verb.MORE)} == {mine.id}
    mine = await unasked(w, mine, w.ann)
    assert "not at this table" in await w.ann.slash("hand", channel=foreign)
    said = await w.ann.slash("play", channel=foreign, action=first(theirs))
    assert "not at this table" in said
    assert (await tables(w).table(theirs.id)).ply == theirs.ply


async def test_where_nobody_can_tell_which_table_is_meant_one_chooses(w: World) -> None:
    here, there = await two_tables(w)
    here, there = await asked(w, here, w.ann), await asked(w, there, w.ann)
    elsewhere = w.room("elsewhere")
    for command in ("hand", "watch", "verify"):
        said = await w.ann.slash(command, channel=elsewhere)
        assert "Which one do you mean?" in said
        assert "Dan" in said
        assert "#there" in said
        menu = w.ann.panel.only(Verb.PICK)
        said = await w.ann.choose(w.ann.panel, menu, there.id)
        assert there.id in said
    said = await w.ann.slash("play", channel=elsewhere, action=first(here))
    assert "`table:`" in said, "what was typed with it would be lost"
    assert (await tables(w).table(here.id)).ply == here.ply
    assert (await tables(w).table(there.id)).ply == there.ply


@pytest.mark.nightly
async def test_a_forged_choice_is_answered_and_opens_nothing(w: World) -> None:
    _, there = await two_tables(w)
    secret = await match(
        w, "Ben", "Cat", "Dan", channel=w.room("secret", w.fay, view_channel=False).id
    )
    await w.fay.slash("tables")
    for command in ("hand", "watch", "play", "newgame", "seat kick", "nothing"):
        forged = Press(Verb.PICK, argument=command).encode()
        for table in (secret.id, "ZZZZZ"):
            said = await w.answer(w.fay, w.fay.panel, forged, 3, values=[table])
            assert "I don't know that table" in said or "The table moved on" in said
    assert (await tables(w).table(there.id)).ply == there.ply


# The next one


@pytest.mark.behaviour("Somebody plays at several tables")
async def test_after_a_play_the_next_table_that_waits_is_one_press_away(w: World) -> None:
    here, there = await two_tables(w)
    here, there = await asked(w, here, w.ann), await asked(w, there, w.ann)
    panel = await w.ann.hand()
    assert not panel.presses(Verb.NEXT_TABLE), "first what is asked here"
    action = playing(here)
    await w.answer(w.ann, panel, action)
    here = await unasked(w, here, w.ann)
    panel = await w.ann.hand()
    said = await w.ann.press_verb(panel, Verb.NEXT_TABLE)
    assert "Your turn" in said
    now = w.ann.panel
    assert now.id == panel.id, "in the place of the hand that asks nothing"
    assert {p.table for p, _ in now.presses(Verb.MORE)} == {there.id}
    # What happens at the first table does not draw over it.
    await asked(w, here, w.ann)
    await w.env.advance_time(6)
    assert {p.table for p, _ in w.refreshed(now).presses(Verb.MORE)} == {there.id}


@pytest.mark.nightly
async def test_whoever_sits_at_one_table_is_offered_no_other(w: World) -> None:
    here, there = await two_tables(w)
    there = await unasked(w, there, w.ann)
    here = await unasked(w, here, w.ann)
    assert not (await w.ann.hand()).presses(Verb.NEXT_TABLE)
    there = await asked(w, there, w.ann)
    panel = await w.ann.hand()
    assert panel.presses(Verb.NEXT_TABLE)
    await stop(w, there)
    said = await w.ann.press_verb(panel, Verb.NEXT_TABLE)
    assert "No other table is waiting" in said
    assert not (await w.ann.hand()).presses(Verb.NEXT_TABLE)


@pytest.mark.nightly
async def test_in_a_direct_message_the_next_hand_comes_beside(w: World) -> None:
    there = await match(w, channel=w.room("there").id, dms=True)
    here = await match(w, "Ann", "Dan", "Eve", dms=True)
    here, there = await asked(w, here, w.ann), await asked(w, there, w.ann)
    (panel,) = [
        dm for dm in w.ann.dms() if {p.table for p, _ in dm.presses(Verb.MORE)} == {here.id}
    ]
    action = playing(here)
    while not panel.presses(Verb.NEXT_TABLE):
        await w.answer(w.ann, panel, action)
        here = await tables(w).table(here.id)
        panel = w.refreshed(panel)
        if here.waits_for(w.ann.id):
            action = playing(here)
    await w.ann.press_verb(panel, Verb.NEXT_TABLE)
    assert {p.table for p, _ in w.refreshed(panel).presses(Verb.MORE)} == {here.id}
    assert {p.table for p, _ in w.ann.panel.presses(Verb.MORE)} == {there.id}
