"""Which messages ring: what calls somebody does, what only stands there again does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.stored import Pace
from tests.discord.steps import actor, lobby, match, minutes, others, play, tables
from tests.discord.world import EPHEMERAL, World, world

SILENT: Final = 1 << 12
ROOT: Final = Path(__file__).parents[2]

RINGS: Final[dict[tuple[str, str], str]] = {
    ("bot/answer/reply.py", "_sends"): "an answer: rings only where it opens a table",
    ("bot/answer/reply.py", "_follows"): "an answer that only whoever pressed sees",
    ("bot/publish/announced.py", "send"): "as whoever sends says",
    ("bot/publish/requests.py", "send"): "as whoever sends says",
    ("bot/publish/boards.py", "_post"): "rings, but where the same stood before",
    ("bot/publish/hands.py", "_draw"): "rings where its owner is asked",
    ("bot/publish/hands.py", "greet"): "rings: where hands will come",
    ("bot/publish/hands.py", "_call"): "rings: it mentions whoever is asked",
    ("bot/publish/settling.py", "_panel"): "silent: how a match ended, once more",
    ("bot/publish/lines.py", "invite"): "rings, by direct message",
    ("bot/publish/lines.py", "_post"): "rings where it calls somebody",
    ("bot/publish/planned.py", "_show"): "silent: a plan where its message was deleted or lost",
    ("bot/publish/planned.py", "_call"): "rings: it mentions who comes to a table that has opened",
    ("bot/publish/planned.py", "_write"): "rings: the same by direct message",
    ("bot/publish/healing.py", "_tell"): "rings: the host has to do something",
}
"""Every place that sends a message, and whether that rings."""


def sending() -> Iterator[tuple[str, str]]:
    """The functions that send messages."""
    for path in sorted([*(ROOT / "bot/answer").glob("*.py"), *(ROOT / "bot/publish").glob("*.py")]):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    where = ast.unparse(call.func.value).rpartition(".")[2]
                    sends = call.func.attr in ("send", "send_message")
                    if sends and where in SENDERS:
                        yield str(path.relative_to(ROOT)), function.name


SENDERS: Final = {"_requests", "requests", "_announced", "place", "response", "followup"}


def test_of_every_place_that_sends_it_is_known_whether_it_rings() -> None:
    assert set(sending()) == set(RINGS)


def posts(w: World, since: int, place: int | None = None) -> list[Any]:
    """Messages that were sent after that one, in a channel; the oldest first."""
    channel = w.channel.id if place is None else place
    stored = w.env.backend.messages.get(channel, {}).values()
    return sorted(
        (one for one in stored if one.id > since and not one.flags & EPHEMERAL),
        key=lambda one: int(one.id),
    )


def newest(w: World) -> int:
    sent = [int(one.id) for every in w.env.backend.messages.values() for one in every.values()]
    return max(sent, default=0)


def dm(w: World, table: Table, seat: int) -> int:
    person = table.stored.seating.places[seat].person
    assert person is not None
    return int(w.env.backend.dm_channels[person.id])


@pytest.mark.behaviour("The board was deleted")
async def test_a_board_that_is_brought_down_again_is_silent(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        since = newest(w)
        table = await match(w, hands=2)
        assert [bool(one.flags & SILENT) for one in posts(w, since)] == [False, False], (
            "the lobby and the first round"
        )
        since = newest(w)
        await w.ann.slash("table")
        (again,) = posts(w, since)
        assert again.flags & SILENT
        since = newest(w)
        await w.delete(w.board())
        await play(w, table, 1)
        (again,) = posts(w, since)
        assert again.flags & SILENT
        table = await play(w, table)
        since = newest(w)
        for player in w.players.values():
            await w.directly(tables(w).ready(table.id, player.id, None))
        await w.env.advance_time(3)
        (second,) = posts(w, since)
        assert not second.flags & SILENT, "a round of its own"


@pytest.mark.nightly
async def test_a_result_rings_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        since = newest(w)
        await play(w, table)
        (result,) = (one for one in posts(w, since))
        assert not result.flags & SILENT
        since = newest(w)
        await w.ann.slash("table")
        assert not posts(w, since), "who asks for it then is answered in private"


@pytest.mark.nightly
async def test_a_hand_rings_for_whoever_is_asked(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w, dms=True, pace=Pace.RELAXED)
        asked = table.actors[0]
        (hand,) = posts(w, 0, dm(w, table, asked))[-1:]
        assert not hand.flags & SILENT
        for player in others(w, table):
            seat = table.stored.seating.place_of(player.id)
            assert seat is not None
            (hand,) = posts(w, 0, dm(w, table, seat))[-1:]
            assert hand.flags & SILENT, "their turn will ring"
        since = newest(w)
        table = await play(w, table, 1)
        (hand,) = posts(w, since, dm(w, table, table.actors[0]))
        assert not hand.flags & SILENT


@pytest.mark.nightly
async def test_lines_that_call_somebody_ring(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w, pace=Pace.RELAXED)
        (line,) = [one for one in posts(w, 0) if f"<@{actor(w, table).id}>" in str(one.components)]
        assert not line.flags & SILENT
        await minutes(w, 8)
        (line,) = [one for one in posts(w, 0) if f"<@{actor(w, table).id}>" in str(one.components)]
        assert not line.flags & SILENT, "the warning too"


@pytest.mark.nightly
async def test_invitations_ring(tmp_path: Path) -> None:
    async with world(tmp_path, 4) as w:
        await lobby(w, "Ann")
        since = newest(w)
        await w.ann.slash("seat invite", player=w.dan.user)
        (line,) = posts(w, since)
        assert not line.flags & SILENT
        (said,) = posts(w, since, w.env.backend.dm_channels[w.dan.id])
        assert not said.flags & SILENT
        assert w.board().presses(Verb.JOIN)
