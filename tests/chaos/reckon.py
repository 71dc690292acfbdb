"""The reckoning: what was acknowledged and read against what is stored and can be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from bot.render.custom_ids import Verb
from tests.chaos.channel import Channel
from tests.chaos.watch import Watch
from tests.wire.ledger import OPEN, Known, Ledger
from tests.wire.people import Wire
from tests.wire.playing import PLAYABLE


class Reckoned(NamedTuple):
    """A line for each thing that is wrong."""

    lost: list[str]
    doubled: list[str]
    denied: list[str]
    orphans: list[str]


def reckon(watch: Watch, ledger: Ledger, wire: Wire, channels: Sequence[Channel]) -> Reckoned:
    """Everything at once, when the program has ended."""
    lost, doubled = list(watch.unbacked), list(watch.illegal)
    query = "SELECT interaction_id FROM entries WHERE interaction_id IS NOT NULL"
    times = Counter(row["interaction_id"] for row in ledger.rows(query))
    lost += [f"lost: {number}" for number in watch.acknowledged if not times[number]]
    denied = [f"denied: {number} is stored" for number in sorted(watch.denied) if times[number]]
    doubled += [f"doubled: {number}" for number, n in times.items() if n > 1]
    for table in ledger.tables():
        known = watch.look(table)
        query = "SELECT seat, text FROM entries WHERE table_id = ? ORDER BY ply"
        lines = [(row["seat"], row["text"]) for row in ledger.rows(query, table)]
        if [(line.seat, line.text) for line in known.log] != lines:
            lost.append(f"lost: the log of {table} is not what was read before")
        doubled += _wrong_results(ledger, known)
    doubled += _wrong_standings(ledger)
    tables = counted(watch, ledger)
    query = "SELECT id FROM tables WHERE status IN ('lobby', 'running')"
    lost += [
        f"lost: {row['id']} goes on although the database was restored"
        for row in ledger.rows(query)
        if row["id"] in watch.outlived
    ]
    for channel in channels:
        results = _twice(wire, channel.id, tables, Verb.REMATCH)
        doubled += [
            f"doubled: results of {table}: {messages}"
            for table, messages in results
            if table not in channel.asked_for
        ]
    return Reckoned(lost, doubled, denied, orphans(wire, channels, ledger, tables))


def counted(watch: Watch, ledger: Ledger) -> Collection[str]:
    """The tables whose messages the program knows: nobody looks for what was sent between a backup
    and its restoration.
    """
    return set(ledger.tables()) - watch.outlived


def orphans(
    wire: Wire, channels: Sequence[Channel], ledger: Ledger, tables: Collection[str]
) -> list[str]:
    """Messages of one of `tables` that look alive beside the one that is, and hands by direct
    message that can be played from although their match is over; with what is stored of them.
    """
    rows = ledger.rows("SELECT id, status FROM tables")
    over = {row["id"] for row in rows if row["status"] not in OPEN} & set(tables)
    found = [
        each
        for channel in channels
        for each in (
            *_twice(wire, channel.id, tables, Verb.REMATCH, Verb.HAND),
            *_live_hands(channel, over),
        )
    ]
    query = "SELECT * FROM surfaces WHERE table_id = ?"
    return [
        f"orphans: messages of {table}: {what}; stored: {[dict(row) for row in stored]}"
        for table, what in found
        for stored in (ledger.rows(query, table),)
    ]


def due(ledger: Ledger) -> int:
    """How many messages are stored of which the program says itself that they are not as they
    should be: not found yet, to be deleted or replaced, or of a table that is over.
    """
    query = (
        "SELECT count(*) AS n FROM surfaces s JOIN tables t ON t.id = s.table_id"
        " WHERE s.kind IN ('sending', 'retired', 'replaced')"
        " OR (t.status NOT IN ('lobby', 'running') AND s.kind NOT IN ('result', 'greeting'))"
    )
    return int(ledger.rows(query)[0]["n"])


def _live_hands(channel: Channel, over: Collection[str]) -> Iterator[tuple[str, str]]:
    """Hands in direct messages that ask something at a table that is over."""
    for person in channel.people:
        for shown in person.dms():
            for table in {str(press.table) for press, _ in shown.presses(*PLAYABLE)} & set(over):
                yield table, f"{person.name}'s hand {shown.id} {shown.text[:60]!r}"


def _twice(
    wire: Wire, channel: int, tables: Collection[str], *verbs: Verb
) -> Iterator[tuple[str, str]]:
    """Each of `tables` with its messages that have a button of these verbs, as often as there is
    one too many.
    """
    found: dict[str, list[str]] = {}
    for shown in wire.messages(channel):
        for table in {str(press.table) for press, _ in shown.presses(*verbs)} & set(tables):
            found.setdefault(table, []).append(f"{shown.id} {shown.text[:60]!r}")
    for table, messages in found.items():
        for _ in messages[1:]:
            yield table, str(messages)


def _wrong_standings(ledger: Ledger) -> Iterator[str]:
    """Leaderboards sum up the matches among people, and no others."""
    query = (
        "SELECT m.guild_id, r.user_id, count(*) AS n, sum(r.points) AS points FROM results r"
        " JOIN matches m ON m.table_id = r.table_id WHERE m.computers IS NULL"
        " GROUP BY m.guild_id, r.user_id"
    )
    played = {
        (row["guild_id"], row["user_id"]): (row["n"], row["points"]) for row in ledger.rows(query)
    }
    query = (
        "SELECT guild_id, user_id, matches AS n, points FROM standings"
        " WHERE game = '' AND period = 'all'"
    )
    counted = {
        (row["guild_id"], row["user_id"]): (row["n"], row["points"]) for row in ledger.rows(query)
    }
    for who in sorted(played.keys() | counted.keys()):
        if played.get(who) != counted.get(who):
            yield f"doubled: {who} played {played.get(who)}, the leaderboard has {counted.get(who)}"


def _wrong_results(ledger: Ledger, known: Known) -> list[str]:
    """A finished match counts once for each of its people, and one that was ended may.

    Never one that a moderator ended, or whose channel was deleted.  One that computer players began
    too is marked: no leaderboard counts it.
    """
    query = "SELECT count(*) AS n, count(computers) AS apart FROM matches WHERE table_id = ?"
    number, apart = tuple(ledger.rows(query, known.id)[0])
    query = "SELECT count(*) AS n, count(DISTINCT seat) AS seats FROM results WHERE table_id = ?"
    results, seats = tuple(ledger.rows(query, known.id)[0])
    once = number == 1 and results == seats == len(known.starters) > 0
    once = once and apart == known.apart
    may_count = known.stop in ("vote", "empty", "conceded", "idle", "unseen")
    good = once if known.status == "finished" else not number or (may_count and once)
    what = f"{known.id} ({known.status}, {known.stop}): {number} matches, {results} results"
    return [] if good else [f"doubled: {what}"]
