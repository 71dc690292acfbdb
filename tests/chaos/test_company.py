"""The suite's judge knows computer players, and sees what may not happen at tables with them."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

from bot.render.custom_ids import Verb
from tests.chaos import company
from tests.chaos.reckon import _wrong_results, _wrong_standings
from tests.chaos.run import ENVIRONMENT
from tests.chaos.test_watch import sent, watching
from tests.chaos.watch import Watch
from tests.wire.front import Front
from tests.wire.ledger import Known, Ledger, Line
from tests.wire.matches import Evening, evening, lobby
from tests.wire.offspring import MARK, outliving, thinkers
from tests.wire.people import UNHURRIED, Wire
from tests.wire.program import Program


@asynccontextmanager
async def accompanied(folder: Path) -> AsyncIterator[Evening]:
    """Ann's match with two computer players, the first of which leads."""
    async with AsyncExitStack() as stack:
        front = await stack.enter_async_context(Front())
        program = Program(front, folder, **ENVIRONMENT)
        ledger = stack.enter_context(closing(Ledger(program.database)))
        await stack.enter_async_context(program)
        wire = Wire(front, UNHURRIED)
        wire.guild()
        channel, (ann,) = wire.channel(), wire.join(None, "Ann")
        await program.start()
        await lobby(wire, channel, [ann], seats=3, computers="2 normal", pace="daily")
        await ann.slash(channel, "start")
        yield Evening(front, program, wire, ledger, channel, [ann], random.Random(1))


async def answered(e: Evening, watch: Watch) -> Known:
    """The table once computer players have answered."""

    def known() -> Known:
        return watch.look(e.ledger.tables()[0])

    def has_answered() -> bool:
        return any(line.by == "computer" for line in known().log)

    await e.wire.board_with(e.channel, Verb.HAND)
    while not has_answered():
        if known().asked:
            await e.play(1)
        await e.wire.until(lambda: has_answered() or known().asked or None)
    return known()


async def test_whoever_thinks_is_found_and_does_not_outlive_the_program(tmp_path: Path) -> None:
    async with accompanied(tmp_path) as e:
        watch = watching(e)
        known = await answered(e, watch)
        assert known.computers == {1: "normal", 2: "normal"}
        assert (known.free, list(known.people), known.apart) == ([], [0], True)
        assert known.starters == [e.people[0].id]
        assert (watch.illegal, watch.called, watch.leaks) == ([], [], [])
        (thinker,) = thinkers(e.program.mark)
        assert {one.pid for one in await outliving(e.program.mark, 0.0)} == {
            thinker.pid,
            thinker.parent,
        }
        await e.program.kill()
        assert await outliving(e.program.mark, 10.0) == []


async def test_a_process_that_outlives_the_program_is_named_and_can_be_ended() -> None:
    stubborn = await asyncio.create_subprocess_exec("/bin/sleep", "60", env={MARK: "somebody 1"})
    try:
        (found,) = await outliving("somebody ", 0.0)
        while found.busy:  # it has only just begun
            (found,) = await outliving("somebody ", 0.0)
        assert (found.pid, found.parent) == (stubborn.pid, os.getpid())
        assert await outliving("nobody ", 0.0) == thinkers("somebody ") == []
        assert found._replace(pid=os.getpid()).busy
        found.kill()
        assert await asyncio.wait_for(stubborn.wait(), 10) == -signal.SIGKILL
        assert await outliving("somebody ", 0.0) == []
    finally:
        if stubborn.returncode is None:
            stubborn.kill()


async def test_nobody_else_plays_for_a_computer_player_and_it_for_nobody(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        watch = watching(e)
        known = await e.play(1)
        watch.look(known.id)
        seat = known.actors[0]
        action = known.game.legal_actions(known.state, seat)[0]
        there = {seat: "easy"}
        nobody: dict[int, str] = {}
        for by, computers, wrong in (
            ("person", nobody, 0),
            ("computer", nobody, 1),
            ("person", there, 2),
            ("computer", there, 2),
        ):
            line = Line(len(known.log), seat, known.game.format_action(action), None, by)
            watch._applied(replace(known, computers=computers), known.state, line, action)
            assert len(watch.illegal) == wrong


async def test_a_text_that_calls_nobody_of_the_channel_is_noticed(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        watch, path = watching(e), f"/channels/{e.channel}/messages"
        ann = e.people[0].id
        for user, said, wrong in ((ann, f"<@{ann}>", 0), (7, "<@None>, it is your turn.", 2)):
            for body in ({"content": said}, {"allowed_mentions": {"parse": [], "users": [user]}}):
                sent(e, path, body, None)
            assert len(watch.called) == wrong


async def test_a_match_with_computer_players_on_a_leaderboard_is_noticed(tmp_path: Path) -> None:
    async with evening(tmp_path, game="sticheln") as e:
        watch = watching(e)
        while (known := watch.look(e.table().id)).status == "running":
            await e.play(1)
        assert (known.apart, _wrong_results(e.ledger, known)) == (False, [])
        assert list(_wrong_standings(e.ledger)) == []
        await e.program.kill()
        e.ledger.change(("UPDATE matches SET computers = '[]'", ()))
        assert len(_wrong_results(e.ledger, known)) == 1
        assert len(list(_wrong_standings(e.ledger))) == 3


def test_a_quarter_of_the_tables_have_some_and_people_can_still_vote() -> None:
    rng = random.Random(1)
    for seats in (2, 3, 4, 5):
        counts = Counter(company.wanted(rng, seats) for _ in range(4_000))
        assert 2_800 < counts[0] < 3_200
        assert max(counts) <= max(1, seats - 1)
        assert seats < 4 or sum(counts[n] for n in range(1, seats - 1)) > counts[seats - 1]
