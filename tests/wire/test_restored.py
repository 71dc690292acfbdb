"""A database that is brought back over the wire: what people still have before their eyes."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.render.custom_ids import Verb
from bot.storage.backup import backup, restore
from tests.wire.ledger import Ledger
from tests.wire.matches import Evening, begin, evening, turn
from tests.wire.people import Shown
from tests.wire.playing import PLAYABLE

pytestmark = pytest.mark.nightly

SAID = "restored from an older copy"


async def by_command(e: Evening, copy: Path) -> None:
    await e.program.kill()
    restore(e.program.database, copy, now=datetime(2026, 3, 5, tzinfo=UTC))


async def by_hand(e: Evening, copy: Path) -> None:
    """After a clean end, so that the mark is as far as the database was."""
    await e.program.terminate()
    file = Path(e.program.database.partition("///")[2])
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
    shutil.copy(copy, file)


def opened_in(e: Evening, epoch: int, verb: Verb) -> Shown | None:
    """The newest message of the channel that can be pressed so in that epoch."""
    for shown in reversed(e.wire.messages(e.channel)):
        if any(press.epoch == epoch for press, _ in shown.presses(verb)):
            return shown
    return None


def seeds(e: Evening) -> set[str]:
    return {row["seed"] for row in e.ledger.rows("SELECT seed FROM shuffles")}


async def to_the_pause(e: Evening) -> None:
    while not (known := e.table()).between_rounds:
        await turn(e.wire, known, e.rng)


@pytest.mark.parametrize("way", [by_command, by_hand])
@pytest.mark.behaviour("The database was restored")
async def test_buttons_of_the_lost_future_play_nothing_and_the_match_goes_on(
    way: Callable[[Evening, Path], Awaitable[None]], tmp_path: Path
) -> None:
    async with evening(tmp_path, begun=False) as e:
        await begin(e.wire, e.channel, e.people, length=2)
        await to_the_pause(e)
        plies = len(e.table().log)
        copy = tmp_path / "copy"
        backup(e.program.database, copy)
        # On in a future that will not have been: the second round is dealt and played.
        for person in e.people:
            await person.press_verb(await e.wire.board_with(e.channel, Verb.NEXT), Verb.NEXT)
        await e.wire.board_with(e.channel, Verb.HAND)
        for _ in range(3):
            await turn(e.wire, e.table(), e.rng)
        player = e.asked()
        panel, future = await player.hand(e.channel), e.wire.board(e.channel)
        asked = [press.encode() for press, _ in panel.presses(*PLAYABLE) if press.question]
        lost = seeds(e)
        e.ledger.close()
        await way(e, copy)
        await e.program.start()
        e.ledger = Ledger(e.program.database)
        board = await e.wire.until(lambda: opened_in(e, 1, Verb.NEXT), 20)
        assert "my memory was restored" in board.text
        assert len(e.table().log) == plies
        assert len(seeds(e) - lost) == 1
        for shown, button in ((panel, asked[0]), (future, future.only(Verb.HAND))):
            answer = await player.press(shown, button)
            assert SAID in answer.text
        assert len(e.table().log) == plies
        await e.wire.until(
            lambda: (
                [board.id] == [m.id for m in e.wire.messages(e.channel) if m.presses(*Verb)] or None
            )
        )
        for person in e.people:
            await person.press_verb(board, Verb.NEXT)
        await e.wire.until(lambda: opened_in(e, 1, Verb.HAND), 20)
        assert (await e.play()).status == "finished"
        (deal,) = e.ledger.rows("SELECT * FROM shuffles WHERE round = 2")
        assert (deal["link"], deal["renewal"]) == (1, "restored")
        assert deal["seed"] not in lost
        record = await player.slash(e.channel, "verify")
        assert "✓ Checked: the 2 deals are those" in record.text
        assert e.errors() == []
