"""A database that is brought back over the wire: what was open ends, and its channel is told."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.render.custom_ids import Verb
from bot.storage.backup import backup, restore
from tests.wire.ledger import Ledger
from tests.wire.matches import Evening, begin, evening, turn
from tests.wire.people import Shown
from tests.wire.playing import PLAYABLE

pytestmark = pytest.mark.nightly

SAID = "restored from an older copy"

Way: TypeAlias = Callable[[Evening, Path], Awaitable[None]]


async def by_command(e: Evening, copy: Path) -> None:
    await e.program.kill()
    restore(e.program.database, copy, now=datetime(2026, 3, 5, tzinfo=UTC))


async def by_hand(e: Evening, copy: Path) -> None:
    await e.program.kill()
    file = Path(e.program.database.partition("///")[2])
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
    shutil.copy(copy, file)
    status, said = await e.program.command("db", "restored")
    assert (status, said.strip()) == (0, "Noted.  Start the bot: stammtisch run")


def told(e: Evening) -> list[Shown]:
    return [shown for shown in e.wire.messages(e.channel) if SAID in shown.text]


@pytest.mark.parametrize("way", [by_command, by_hand])
@pytest.mark.behaviour("The database was restored")
async def test_what_was_open_ends_and_is_played_again(way: Way, tmp_path: Path) -> None:
    async with evening(tmp_path, begun=False) as e:
        await begin(e.wire, e.channel, e.people, length=1)
        plies, table = len(e.table().log), e.table().id
        copy = tmp_path / "copy"
        backup(e.program.database, copy)
        for _ in range(3):
            await turn(e.wire, e.table(), e.rng)
        player = e.asked()
        panel = await player.hand(e.channel)
        asked = [press.encode() for press, _ in panel.presses(*PLAYABLE) if press.question]
        e.ledger.close()
        await way(e, copy)
        await e.program.start()
        e.ledger = Ledger(e.program.database)
        (result,) = await e.wire.until(lambda: told(e) or None, 20)
        await player.press(panel, asked[0])
        known = e.ledger.look(table)
        assert (known.status, known.stop, len(known.log)) == ("stopped", "restored", plies)
        # Nobody is told twice, whoever dies meanwhile.
        await e.program.kill()
        await e.program.start()
        await e.people[0].press_verb(result, Verb.REMATCH)
        await e.wire.board_with(e.channel, Verb.JOIN)
        assert len(told(e)) == 1
        assert e.errors() == []
