"""`stammtisch emojis sync` and the same by `run`, against a Discord that keeps emoji."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.emojis import name_of, named
from bot.operate.emojis import wanted
from tests.wire.faults import Fault, Kind
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


async def test_a_sync_that_is_cut_off_goes_on_and_a_second_one_does_nothing(
    tmp_path: Path,
) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        front.emojis = True
        fill(front, FOREIGN, OLD, *sorted(wanted())[8:])
        front.faults.plan(Fault(Kind.ROUTE, 0.2), "POST", "/emojis$")
        front.faults.plan(Fault(Kind.SLOW, 0.0), "POST", "/emojis$", times=3)
        front.faults.plan(Fault(Kind.CUT), "POST", "/emojis$")
        status, said = await program.command("emojis", "sync")
        assert status == 1, said
        assert "Discord cannot be reached" in said
        assert "Traceback" not in said
        assert uploads(front) == 3
        status, said = await program.command("emojis", "sync")
        assert (status, there(front)) == (0, {*wanted(), FOREIGN}), said
        assert f"Discord has {len(wanted())} of {len(wanted())} emoji" in said
        assert "Uploaded: 5, old ones removed: 1." in said
        asked = len(front.requests)
        status, said = await program.command("emojis", "sync")
        assert (status, uploads(front)) == (0, 8), said
        assert "Uploaded: 0, old ones removed: 0." in said
        routes = [request.route for request in list(front.requests)[asked:]]
        assert routes.count("GET /applications/*/emojis") == 1
        assert not [route for route in routes if route.startswith(("POST", "DELETE"))]


@pytest.mark.nightly
async def test_an_upload_whose_answer_is_lost_is_not_made_twice(tmp_path: Path) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        front.emojis = True
        fill(front, *sorted(wanted())[2:])
        front.faults.plan(Fault(Kind.LOST), "POST", "/emojis$")
        for _ in range(2):
            await program.command("emojis", "sync")
        assert sorted(emoji.name for emoji in front.backend.application_emojis.values()) == sorted(
            wanted()
        )


@pytest.mark.nightly
async def test_a_wrong_token_is_one_sentence(tmp_path: Path) -> None:
    async with Front() as front:
        front.emojis = True
        async with Program(front, tmp_path, DISCORD_TOKEN="MTA.other.token") as program:
            status, said = await program.command("emojis", "sync")
        (line,) = said.splitlines()
        assert status == 2
        assert line.startswith("stammtisch: Discord refuses DISCORD_TOKEN")
        assert "MTA.other.token" not in said


async def test_run_uploads_what_is_missing_in_the_background_and_stops_meanwhile(
    tmp_path: Path,
) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        front.emojis = True
        fill(front, FOREIGN, OLD, *sorted(wanted())[20:])
        await program.start()
        await program.terminate()
        assert FOREIGN in there(front)
        before = uploads(front)
        assert before < 20, "the stop waited for it"
        await program.start()
        done = await program.said("emojis_synced")
        assert (done["created"], done["refused"]) == (20 - before, 0)
        assert there(front) == {*wanted(), FOREIGN}
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
