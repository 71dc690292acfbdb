"""The bot's own command line over real HTTP and a real gateway: a whole match, DMs, a kill."""

from __future__ import annotations

import random
import socket
from pathlib import Path

import pytest

from bot.render.custom_ids import Verb
from tests.wire.front import Front
from tests.wire.matches import evening, play_on
from tests.wire.program import Program, ProgramEnded


@pytest.mark.parametrize("how", ["panels", "dms", "typing"])
async def test_a_whole_match_over_the_wire(how: str, tmp_path: Path) -> None:
    async with evening(tmp_path, game="auffalscherfaehrte") as e:
        ways = {"dms": how == "dms", "typing": how == "typing"}
        known = await play_on(e.wire, e.ledger, e.channel, random.Random(how), **ways)
        assert known.status == "finished"
        result = await e.wire.board_with(e.channel, Verb.REMATCH)
        assert all(person.name in result.text for person in e.people)
        wrong = [x for x in e.program.events() if x["level"] in ("error", "warning")]
        # This Discord keeps no emoji, and says so; a busy machine makes an answer try again, or
        # lets somebody press on a hand in whose place another was sent meanwhile (10008).
        late = [x for x in wrong if x["event"] == "answer_kind_failed"]
        assert all(x["kind"] == "TimeoutError" or x["code"] == 10008 for x in late), late
        others = {x["event"] for x in wrong if x not in late}
        assert others <= {"emojis_not_synced"}


async def test_a_kill_and_a_restart_lose_nothing(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        known = await e.play(4)
        before = [line.text for line in known.log]
        board = e.wire.board(e.channel)
        await e.program.restart()
        assert [line.text for line in e.table().log] == before
        answer = await e.people[0].press_verb(board, Verb.HAND)
        assert answer.panel is not None
        known = await e.play()
        assert known.status == "finished"
        assert [line.text for line in known.log][: len(before)] == before
        assert e.program.lives == 2


async def test_a_wrong_token_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    async with Front() as front, Program(front, tmp_path, DISCORD_TOKEN="wrong") as program:
        with pytest.raises(ProgramEnded, match="status 2"):
            await program.start()
        assert "DISCORD_TOKEN" in program.log()


@pytest.mark.behaviour("The database does not answer when the bot starts")
async def test_a_database_that_is_away_ends_the_program_so_that_it_is_started_again(
    tmp_path: Path,
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        address = f"postgresql+asyncpg://me:secret@127.0.0.1:{taken.getsockname()[1]}/x"
        async with Front() as front, Program(front, tmp_path, database=address) as program:
            with pytest.raises(ProgramEnded, match="status 1"):
                await program.start()
            assert "stammtisch: DATABASE_URL: " in program.log()
            assert "secret" not in program.log()


@pytest.mark.nightly
async def test_what_discord_does_not_have_fails_loudly(tmp_path: Path) -> None:
    front = Front()
    await front.__aenter__()
    front.unknown.append("GET /nowhere")
    with pytest.raises(AssertionError, match="/nowhere"):
        await front.__aexit__(None)
