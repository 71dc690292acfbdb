"""`/stats` alone and against another person, and the records of a server."""

from __future__ import annotations

import re

from bot.ids import GuildId
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from tests.discord.steps import dealt, match, play
from tests.discord.test_preferences import prefer
from tests.discord.test_standings import one_match
from tests.discord.world import World
from tests.tables.outcomes import outcome_of


async def two_rounds(w: World) -> Table:
    """A match of two rounds, played to its end: it has more plays than one of one round."""
    table = await play(w, await match(w, hands=2))
    for player in (w.ann, w.ben, w.cat):
        await player.slash("start")
    return await play(w, await dealt(w, table))


async def test_a_person_reads_of_rounds_rows_and_hints(w: World) -> None:
    assert "no result that counts" in await w.ann.slash("stats")
    table = await play(w, await match(w))
    seat = table.stored.seating.place_of(w.ann.id)
    assert seat is not None
    points = outcome_of(table).scores[seat]
    said = (await w.ann.slash("stats")).replace("\xa0", " ")
    signed = f"+{points}" if points else "0"
    assert f"Best round {signed}, worst {signed}" in said
    assert "0 hints taken" in said
    assert "clock" not in said, "there was none"


async def test_two_people_and_who_was_ahead(w: World) -> None:
    assert "no match here yet that counts for both" in await w.ann.slash(
        "stats", against=w.ben.user
    )
    ahead = [0, 0, 0]
    for _ in range(3):
        table = await one_match(w, w.ann.id, w.ben.id, w.cat.id, channel=w.channel.id)
        places = dict(zip((w.ann.id, w.ben.id), outcome_of(table).ranking, strict=False))
        ahead[(places[w.ann.id] > places[w.ben.id]) + 2 * (len({*places.values()}) == 1)] += 1
    said = await w.ann.slash("stats", against=w.ben.user)
    assert "3 matches" in said.replace("\xa0", " ")
    for name, count in zip(("Ann", "Ben"), ahead, strict=False):
        assert f"{name} ahead {count} time" in said
    assert ("Level" in said) == (ahead[2] > 0)
    assert len(re.findall(r"<t:\d+:d> · Auf und Ab · ", said)) == 3
    # Somebody else reads the sums, and no single match.
    said = await w.cat.slash("stats", player=w.ann.user, against=w.ben.user)
    assert "ahead" in said
    assert "Auf und Ab" not in said


async def test_who_stands_on_no_leaderboard_is_compared_with_nobody(w: World) -> None:
    await one_match(w, w.ann.id, w.ben.id, w.cat.id, channel=w.channel.id)
    await prefer(w.ben, "people", "board", "off")
    for asker in (w.ann, w.cat):
        said = await asker.slash("stats", player=w.ann.user, against=w.ben.user)
        assert "stands on no leaderboard" in said


async def test_a_record_stands_in_the_result_and_on_the_page_of_records(w: World) -> None:
    await w.ann.slash("stats")
    assert "There are no records yet" in await w.ann.press_verb(w.ann.panel, Verb.RECORDS)
    first = await play(w, await match(w))
    assert "record of this server" not in w.board().text, "there was nothing to beat"
    longer = await two_rounds(w)
    plays = [sum(not entry.is_deal for entry in table.log) for table in (first, longer)]
    fell = f"A record of this server: the longest match, {plays[1]} plays (before: {plays[0]})"
    assert fell in w.board().text
    # It stays true of that match when a later one is longer still, and the result is drawn again.
    await w.ann.slash("stats")
    said = await w.ann.press_verb(w.ann.panel, Verb.RECORDS)
    assert f"Longest match: {plays[1]} plays" in said


async def test_two_servers_have_records_of_their_own(w: World) -> None:
    await two_rounds(w)
    records = w.running.context.memories.records
    here = await w.directly(records(GuildId(w.guild.id), ("aufundab",)))
    assert {one.game for one in here} == {"aufundab"}
    assert await w.directly(records(GuildId(1), ("aufundab",))) == []
