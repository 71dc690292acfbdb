"""Computer players at the tables: which tables have some, and how they come to sit there."""

from __future__ import annotations

import random
from typing import Final

from engine.players.levels import Level
from tests.chaos.channel import Channel
from tests.chaos.kinds import Deed
from tests.wire.ledger import Known

ACCOMPANIED: Final = 0.25
"""The share of new tables at which computer players sit."""

LEVELS: Final = tuple(Level)


def wanted(rng: random.Random, seats: int) -> int:
    """So many computer players come to a new table; mostly they leave two seats to people."""
    if rng.random() >= ACCOMPANIED:
        return 0
    return rng.randint(1, max(1, seats - 2 if rng.random() < 0.7 else seats - 1))


async def open_table(channel: Channel, host: int, count: int, **options: object) -> None:
    """Somebody opens a table, with so many computer players at once, or one by one later."""
    channel.coming, at_once = 0, count > 0 and channel.rng.random() < 0.5
    before = channel.newest(channel.id)
    if at_once:
        options["computers"] = f"{count} {channel.rng.choice(LEVELS)}"
    await channel.wire.people[host].slash(channel.id, "newgame", **options)
    known = channel.newest(channel.id)
    if known is None or (before is not None and known.id == before.id):
        return
    channel.coming = 0 if at_once else count
    channel.tally.deeds[Deed.COMPUTER] += bool(known.computers)


async def seat_one(channel: Channel, known: Known) -> None:
    """The host seats one of those who are to come, or there is no room for them any more."""
    before = len(known.computers)
    if not known.free:
        channel.coming = 0
        return
    place = channel.rng.choice(known.free)
    where = {"seat": place + 1} if channel.rng.random() < 0.3 else {}
    level = str(channel.rng.choice(LEVELS))
    await channel.wire.people[known.host].slash(channel.id, "seat add", level=level, **where)
    if len(channel.look(known.id).computers) > before:
        channel.coming -= 1
        channel.tally.deeds[Deed.COMPUTER] += 1
