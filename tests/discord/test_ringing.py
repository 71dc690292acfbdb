"""Which messages ring: what calls somebody does, what only stands there again does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot.tables.stored import Pace
from tests.discord.steps import actor, lobby, match, minutes, play, tables
from tests.discord.world import EPHEMERAL, World

SILENT: Final = 1 << 12
ROOT: Final = Path(__file__).parents[2]

RINGS: Final[dict[tuple[str, str], str]] = {
    ("bot/answer/reply.py", "Reply._sends"): "an answer: rings only where it opens a table",
    ("bot/answer/reply.py", "Reply._follows"): "an answer that only whoever pressed sees",
    ("bot/publish/outbox.py", "Outbox.send"): "as whoever sends says",
    ("bot/publish/requests.py", "Requests.send"): "as whoever sends says",
    ("bot/publish/boards.py", "Boards._post"): "rings, but where the same stood before",
    ("bot/publish/hands.py", "Hands._draw"): "rings where its owner is asked",
    ("bot/publish/hands.py", "Hands.greet"): "rings: where hands will come",
    ("bot/publish/hands.py", "Hands.call"): "rings: it mentions whoever is asked",
    ("bot/publish/hands.py", "Settling.redraw"): "silent: how a match ended, once more",
    ("bot/publish/hands.py", "Settling.tell"): "rings: a restoration ended the match",
    ("bot/publish/outbox.py", "Outbox.write"): "rings, but not in quiet hours",
    ("bot/publish/lines.py", "Lines.write"): "rings where the guest is wanted",
    ("bot/publish/lines.py", "Lines.call"): "rings: it mentions a role",
    (
        "bot/publish/lines.py",
        "Lines._post",
    ): "rings: it mentions whom a place is offered to, or a guest",
    (
        "bot/publish/lines.py",
        "Lines._turn_down",
    ): "rings, but not in quiet hours: whoever waited is out of the line",
    ("bot/publish/planned.py", "PlanBoards._show"): "silent: the plan, once more",
    (
        "bot/publish/planned.py",
        "PlanBoards._post",
    ): "rings where it calls somebody, or is a direct message",
    ("bot/publish/openings.py", "Openings._write_to"): "rings: a follower wanted to know",
    ("bot/publish/lines.py", "Reports.draw"): "silent: a result, once more",
    ("bot/publish/healing.py", "Healing._tell"): "rings: the host has to do something",
}
"""Every place that sends a message, and whether that rings."""


def sending() -> Iterator[tuple[str, str]]:
    """The functions that send messages."""
    for path in sorted([*(ROOT / "bot/answer").glob("*.py"), *(ROOT / "bot/publish").glob("*.py")]):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name, function in functions_of(tree):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    where = ast.unparse(call.func.value).rpartition(".")[2]
                    sends = call.func.attr in ("send", "send_message", "post", "write")
                    if sends and where in SENDERS:
                        yield str(path.relative_to(ROOT)), name


def functions_of(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Functions of a module, and methods as `Class.method`."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{node.name}.{method.name}", method
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node


SENDERS: Final = {"_requests", "requests", "_outbox", "outbox", "place", "response", "followup"}


def test_of_every_place_that_sends_it_is_known_whether_it_rings() -> None:
    assert set(sending()) == set(RINGS)


def rings(w: World, since: int, place: int | None = None) -> list[bool]:
    """Whether messages ring that were sent after that one, in a channel; the oldest first."""
    stored = w.env.backend.messages.get(w.channel.id if place is None else place, {})
    return [
        not one.flags & SILENT
        for number, one in sorted(stored.items())
        if number > since and not one.flags & EPHEMERAL
    ]


def newest(w: World) -> int:
    sent = [int(one.id) for every in w.env.backend.messages.values() for one in every.values()]
    return max(sent, default=0)


@pytest.mark.behaviour("The board was deleted")
async def test_a_board_that_is_brought_down_again_is_silent(w: World) -> None:
    since = newest(w)
    table = await match(w, hands=2)
    assert rings(w, since) == [True, True], "the lobby and the first round"
    since = newest(w)
    await w.ann.slash("table")
    assert rings(w, since) == [False]
    since = newest(w)
    await w.delete(w.board())
    await play(w, table, 1)
    assert rings(w, since) == [False]
    table = await play(w, table)
    since = newest(w)
    for player in w.players.values():
        await w.directly(tables(w).ready(table.id, player.id, None))
    await w.env.advance_time(3)
    assert rings(w, since) == [True], "a round of its own"


@pytest.mark.nightly
async def test_a_result_rings_once(w: World) -> None:
    table = await match(w)
    since = newest(w)
    await play(w, table)
    assert rings(w, since) == [True]
    since = newest(w)
    await w.ann.slash("table")
    assert not rings(w, since), "who asks for it then is answered in private"


@pytest.mark.nightly
async def test_a_hand_rings_for_whoever_is_asked(w: World) -> None:
    table = await match(w, dms=True, pace=Pace.RELAXED)
    for player in w.players.values():
        dm = player.user.dm_channel.id
        asked = player is actor(w, table)
        assert rings(w, 0, dm)[-1] is asked, "when it is somebody's turn, and only then"
    since = newest(w)
    table = await play(w, table, 1)
    assert rings(w, since, actor(w, table).user.dm_channel.id) == [True]


@pytest.mark.nightly
async def test_lines_that_call_somebody_ring(w: World) -> None:
    await match(w, pace=Pace.RELAXED)
    for waited in (0, 8):  # whoever is asked is called, and warned
        await minutes(w, waited)
        (line,) = w.notices()
        assert rings(w, line.id - 1) == [True]


@pytest.mark.nightly
async def test_invitations_ring(w: World) -> None:
    await lobby(w, "Ann")
    since = newest(w)
    await w.ann.slash("seat invite", player=w.dan.user)
    assert rings(w, since) == [True]
    assert rings(w, since, w.dan.user.dm_channel.id) == [True]
