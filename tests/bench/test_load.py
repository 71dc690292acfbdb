"""The load benchmarks: their arithmetic, and a run of a few seconds that measures everything."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tests.bench import processor, restart, tables
from tests.bench._figures import Times, delays, figure, held_up, percentile
from tests.bench._people import Arrived
from tests.wire.front import Request


def test_a_percentile_is_one_of_the_values() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert [percentile(values, share) for share in (0, 50, 99, 100)] == [1, 50, 99, 100]
    assert percentile([7.0], 99) == 7.0
    assert percentile([1.0, 2.0, 3.0], 99) == 3.0


def test_nothing_measured_is_no_figure() -> None:
    assert math.isnan(percentile([], 50))
    assert Times([]).shown() == {"p50": None, "p99": None, "count": 0}
    assert figure(math.nan) is None


def test_what_comes_serves_everybody_who_waited_and_nobody_after_it() -> None:
    wanted = {1: [10.0, 11.0, 13.0], 2: [5.0]}
    arrived = {1: [12.5, 9.0, 13.0], 3: [6.0]}
    found, missing = delays(wanted, arrived)
    assert found == [2.5, 1.5, 0.0]
    assert missing == 1


def test_where_the_event_loop_was_held_up_is_named_innermost_first() -> None:
    log = """{"event": "before"}
Timeout (0:00:00.250000)!
Thread 0x00007f01 [sqlite] (most recent call first):
  File "/x/bot/storage/sqlite_connection.py", line 160 in _work_off

Thread 0x00007f02 (most recent call first):
  File "/x/engine/games/sticheln/rules.py", line 12 in apply
  File "/x/bot/tables/fold.py", line 40 in fold
{"event": "between"}
Timeout (0:00:00.250000)!
Thread 0x00007f02 (most recent call first):
  File "/x/bot/app.py", line 3 in run
"""
    assert held_up(log) == ["rules.py:12 apply < fold.py:40 fold", "app.py:3 run"]
    assert held_up('{"event": "nothing"}') == []


def _request(method: str, path: str, body: object, status: int = 200) -> Request:
    return Request(3.0, 0.0, method, path, body, status, 0, None, None, True)


def test_a_line_that_mentions_somebody_is_a_notice_and_no_board() -> None:
    arrived = Arrived()
    arrived.see(_request("PATCH", "/channels/7/messages/8", {"allowed_mentions": {"parse": []}}))
    arrived.see(_request("POST", "/channels/7/messages", {"allowed_mentions": {"users": [4]}}))
    arrived.see(_request("PATCH", "/channels/7/messages/8", {}, status=429))
    arrived.see(_request("DELETE", "/channels/7/messages/8", None))
    arrived.see(_request("POST", "/interactions/5/x/callback", {"type": 7}))
    assert (dict(arrived.boards), dict(arrived.notices)) == ({7: [3.0]}, {7: [3.0]})


def test_runs_count_by_their_requests_and_each_kind_has_its_mark() -> None:
    few, many = processor.Spent(1.0, 10, 0, 5.0), processor.Spent(1.0, 190, 0, 4.0)
    found = processor.together({"text": {"a": few, "b": many}, "pictures": {"a": few, "b": many}})
    assert (found["text"], found["pictures"]) == (0.5, 0.5)
    assert found["missed"] == []
    assert found["runs"]["text"]["a"] == {
        "s_per_50": 5.0,
        "requests": 10,
        "requests_per_s": 2.0,
        "pictures": 0,
    }
    dear = {"a": processor.Spent(1.1, 100, 0, 5.0)}
    assert processor.together({"text": dear, "pictures": dear})["missed"] == ["text"]


@pytest.mark.nightly
@pytest.mark.parametrize("shown", ["text", "pictures"])
async def test_two_tables_cost_processor_time(shown: processor.Shown, tmp_path: Path) -> None:
    sticheln = processor.PLAYED[-1]
    spent = await processor.measure(
        sticheln, "dm", shown, tmp_path, tables=2, seconds=2.0, settling=0.5
    )
    assert spent.cpu > 0
    assert (spent.pictures > 0) == (shown == "pictures")
    assert spent.pictures < spent.requests


@pytest.mark.nightly
@pytest.mark.parametrize(
    "load",
    [
        tables.Load(tables=2, every=1.0, seconds=3.0, hands="dm"),
        tables.Load(tables=2, every=1.5, seconds=3.0, hands="channel", limits=True),
    ],
    ids=["dm", "limits"],
)
async def test_two_tables_for_three_seconds(load: tables.Load, tmp_path: Path) -> None:
    found = await tables.measure(load, tmp_path, settling=0.5)
    assert 0 < found["plies"] <= load.tables * load.seconds / load.every
    assert found["unanswered"] == 0
    assert found["answer_ms"]["count"] >= found["plies"]
    assert 0 < found["answer_ms"]["p50"] <= found["answer_ms"]["p99"]
    assert found["board_ms"]["missing"] == 0
    assert ("notice_ms" in found) == load.limits


@pytest.mark.nightly
async def test_a_start_with_a_few_tables_answers_and_draws_nothing(tmp_path: Path) -> None:
    found = await restart.measure(16, presses=3, watch=0.5, folder=tmp_path)
    assert found["answer_after_ready_ms"]["count"] == 3
    assert 0 < found["ready_s"] <= found["first_answer_s"]
    assert found["drawn"] == 0
    # The Discord that it meets keeps no emoji.
    assert {json.loads(line)["event"] for line in found["log"]} <= {"emojis_not_synced"}
