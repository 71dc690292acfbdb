"""What the program sends is what Discord describes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.wire.front import Request
from tests.wire.matches import evening
from tests.wire.openapi import Description, description


@pytest.fixture
def described() -> Description:
    return description()


async def test_every_body_of_an_evening_is_valid(described: Description, tmp_path: Path) -> None:
    async with evening(tmp_path, game="sticheln") as e:
        await e.play()
        for command in ("table", "hand", "rules", "leaderboard"):
            options = {"game": "sticheln"} if command == "rules" else {}
            await e.people[0].slash(e.channel, command, **options)
        checked = described.checked
        faults = [fault for request in e.front.requests for fault in described.faults(request)]
        assert faults == []
        assert described.checked > checked + 10


def test_the_description_sees_faults(described: Description) -> None:
    path = "/channels/123456789/messages"
    sent = Request(0, 0, "POST", path, {"content": "x"}, 200, 0, None, None, True)
    assert described.faults(sent) == []
    assert described.faults(replace(sent, body={"content": "x" * 5000}))
    assert described.faults(replace(sent, body={"components": [{"type": 99}]}))
    assert described.faults(replace(sent, path="/nowhere", body={}))
