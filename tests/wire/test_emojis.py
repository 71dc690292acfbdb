"""Emoji that `run` brings up to date in the background, on a Discord that keeps emoji."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.emojis import name_of, named
from tests.emojis import pictures
from tests.wire.front import Front
from tests.wire.program import Program

FOREIGN = "st_party"
OLD = name_of("standard", "cR5", "000000")
UPLOAD = "POST /applications/*/emojis"


def there(front: Front) -> set[str]:
    return {emoji.name for emoji in front.backend.application_emojis.values()}


def uploads(front: Front) -> int:
    """How many were taken so far."""
    return sum(request.route == UPLOAD and request.applied for request in front.requests)


def fill(front: Front, *names: str) -> None:
    for name in names:
        front.backend.create_application_emoji(name)


async def test_run_uploads_what_is_missing_in_the_background_and_stops_meanwhile(
    tmp_path: Path,
) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        front.emojis = True
        fill(front, FOREIGN, OLD, *sorted(pictures())[20:])
        await program.start()
        await program.terminate()
        assert FOREIGN in there(front)
        before = uploads(front)
        assert before < 20, "the stop waited for it"
        await program.start()
        done = await program.said("emojis_synced")
        assert (done["created"], done["refused"]) == (20 - before, 0)
        assert there(front) == {*pictures(), FOREIGN}
        await program.terminate()
        assert not re.search(r'"level": ?"(error|warning)"', program.log())


@pytest.mark.nightly
async def test_run_without_emoji_says_so_once_and_goes_on(tmp_path: Path) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        await program.start()
        failed = await program.said("emojis_not_synced")
        assert failed["status"] == 404
        assert named(OLD) is not None
        await program.terminate()
