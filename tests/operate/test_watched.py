"""The running program as whoever watches it sees it: counts, health and log lines of a match."""

from __future__ import annotations

import random
import socket
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.ids import QuestionId, TableId
from bot.render.custom_ids import Press, Verb
from tests.patience import until
from tests.ports import free_port
from tests.wire.faults import Fault, Kind
from tests.wire.front import TOKEN, Front
from tests.wire.ledger import Ledger
from tests.wire.matches import begin, play_on
from tests.wire.people import UNHURRIED, Person, Wire
from tests.wire.program import Program, ProgramEnded


@dataclass
class Watch:
    """A program that is watched, and three people at a table in its only channel."""

    front: Front
    wire: Wire
    program: Program
    ledger: Ledger
    channel: int
    people: list[Person]
    port: int

    async def ask(self, path: str) -> tuple[int, str]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}{path}") as response,
        ):
            return response.status, await response.text()

    async def sums(self, by: str) -> Mapping[tuple[str, str], float]:
        """Samples by name and the value of one label, summed over the other labels."""
        _, text = await self.ask("/metrics")
        found: dict[tuple[str, str], float] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                key = (sample.name.removeprefix("stammtisch_"), sample.labels.get(by, ""))
                found[key] = found.get(key, 0) + sample.value
        return found

    async def lines(self, interaction: int) -> list[dict[str, Any]]:
        """What the program logged of an interaction, once it is dealt with."""

        def found() -> list[dict[str, Any]] | None:
            events = self.program.events()
            lines = [line for line in events if line.get("interaction") == interaction]
            return lines if any(line["event"] == "interaction" for line in lines) else None

        return await until(found)


@pytest.fixture
async def watch(tmp_path: Path) -> AsyncIterator[Watch]:
    port = free_port()
    async with (
        Front() as front,
        Program(front, tmp_path, METRICS_PORT=str(port), LOG_LEVEL="DEBUG") as program,
    ):
        wire = Wire(front, UNHURRIED)
        wire.guild()
        channel = wire.channel()
        people = wire.join(None, "Ann", "Ben", "Cat")
        await program.start()
        with closing(Ledger(program.database)) as ledger:
            yield Watch(front, wire, program, ledger, channel, people, port)


async def test_a_match_is_counted_as_it_was_played(watch: Watch) -> None:
    await begin(watch.wire, watch.channel, watch.people, pace="relaxed")
    watch.front.faults.plan(Fault(Kind.ROUTE, 0.05), "PATCH", "^/channels/")
    known = await play_on(watch.wire, watch.ledger, watch.channel, random.Random(1))
    assert known.status == "finished"
    assert (await watch.ask("/health"))[0] == 200
    played = Counter(line.by for line in known.log if line.seat >= 0)
    plies = played["person"]
    by = await watch.sums("by")
    # Where nothing in the pack beats a set, the table passes.
    assert {who: by["plies_total", who] for who in played} == played
    assert {*played} <= {"person", "standing"}
    assert by["notices_total", "panel"] > 0
    outcomes = await watch.sums("outcome")
    assert outcomes["interactions_total", "answered"] >= plies
    assert not {("interactions_total", x) for x in ("refused", "failed", "lost")} & {*outcomes}
    assert outcomes["commit_seconds_count", "done"] > plies
    assert outcomes["draws_total", "done"] > 0
    kinds = await watch.sums("kind")
    assert kinds["answer_seconds_count", "component"] >= plies
    answers = [r for r in watch.front.requests if r.path.startswith("/interactions/")]

    async def counted() -> Mapping[tuple[str, str], float] | None:
        routes = await watch.sums("route")
        return routes if routes["discord_requests_total", "answer"] >= len(answers) else None

    routes = await until(counted)  # the last answer is there before the program knows that it is
    assert routes["discord_requests_total", "answer"] == len(answers)
    assert routes["discord_retries_total", "message_edit"] == 1
    assert (await watch.sums("scope"))["discord_rate_limited_total", "user"] == 1
    assert (await watch.sums("status"))["open_tables", "running"] == 0


async def test_log_lines_of_a_press_name_table_question_and_interaction(watch: Watch) -> None:
    await begin(watch.wire, watch.channel, watch.people)
    known = watch.ledger.newest(watch.channel)
    assert known is not None
    other = next(person for person in watch.people if person.id != known.asked[0])
    press = Press(Verb.ACT, TableId(known.id), QuestionId(known.question(known.actors[0])), "pass")
    answer = await other.press(watch.wire.board(watch.channel), press.encode())
    lines = await watch.lines(answer.id)
    assert [(x["event"], x["outcome"], x["refused"]) for x in lines] == [
        ("interaction", "refused", "not_your_turn")
    ]
    assert (lines[0]["table"], lines[0]["question"]) == (known.id, press.question)
    assert (await watch.sums("outcome"))["interactions_total", "refused"] == 1


@pytest.mark.nightly
async def test_log_lines_of_a_command_name_its_table(watch: Watch) -> None:
    await begin(watch.wire, watch.channel, watch.people)
    known = watch.ledger.newest(watch.channel)
    answer = await watch.people[0].slash(watch.channel, "seat take", seat=1)
    (line,) = await watch.lines(answer.id)
    assert known is not None
    assert (line["event"], line["table"]) == ("interaction", known.id)


async def test_nothing_logged_or_counted_holds_a_token_or_a_name(watch: Watch) -> None:
    """Nor does a count say at which table, in which channel or of whom."""
    await begin(watch.wire, watch.channel, watch.people)
    known = await play_on(watch.wire, watch.ledger, watch.channel, random.Random(2), 12)
    tokens = list(watch.front.backend.interaction_tokens)
    assert tokens
    counted = (await watch.ask("/metrics"))[1]
    for secret in (TOKEN, *tokens, "Ann", "Ben", "Cat"):
        assert secret not in watch.program.log() + counted
    for whose in (known.id, watch.channel, *(person.id for person in watch.people)):
        assert str(whose) not in counted


async def test_a_metrics_port_that_is_taken_ends_the_program_with_a_sentence(
    tmp_path: Path,
) -> None:
    async with Front() as front:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            async with Program(front, tmp_path, METRICS_PORT=port) as program:
                with pytest.raises(ProgramEnded, match="status 2"):
                    await program.start()
                assert f"stammtisch: METRICS_PORT: port {port} is in use" in program.log()
                assert "Traceback" not in program.log()
