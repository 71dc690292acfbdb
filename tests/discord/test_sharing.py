"""What somebody shows to everybody: public by construction, silent, by name, once."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import card_text, texts
from bot.render.custom_ids import Press, Verb
from bot.render.pages import shared_more
from bot.views.building import more_blocks, table_head
from engine.registry import games
from tests.discord.steps import hidden, match, play, reach
from tests.discord.world import EPHEMERAL, Player, Shown, World, words

SILENT = 1 << 12
ROOT = Path(__file__).parents[2]
PRIVATE = {"hand_view", "hand_panel", "seen_by", "observe", "components", "snapshot"}
"""What only one seat may know, or what somebody was answered, is reached by one of these names."""


def newest(w: World) -> Any:
    """The newest message that the channel sees, as it was sent."""
    stored = w.env.backend.messages[w.channel.id]
    return max((m for m in stored.values() if not m.flags & EPHEMERAL), key=lambda one: one.id)


async def shares(w: World, player: Player, panel: Shown, *verbs: Verb) -> Shown:
    """Presses *Post here*; what the channel sees then."""
    before = newest(w).id
    ((press, _),) = panel.presses(*(verbs or (Verb.SHARE, Verb.SHARE_TABLE)))
    await player.press(panel, press.encode())
    posted = newest(w)
    assert posted.id != before, "nothing was posted"
    assert posted.flags & SILENT, "it rings"
    found = Shown(w.channel.id, posted.id, posted.components)
    assert f"posted by {player.name}" in found.text
    assert "<@" not in found.text
    assert not found.presses(*Verb), "nothing there is one person's to press"
    return found


@pytest.mark.nightly
@pytest.mark.behaviour("Somebody shows everybody")
async def test_leaderboard_and_record_are_shown_to_everybody(w: World) -> None:
    await play(w, await match(w))
    await w.dan.slash("leaderboard", game="aufundab", period="month")
    posted = await shares(w, w.dan, w.dan.panel)
    assert "Auf und Ab · This month" in posted.text
    assert all(f" {name} · **" in posted.text for name in ("Ann", "Ben", "Cat"))
    await w.dan.slash("stats", player=w.ben.user)
    posted = await shares(w, w.dan, w.dan.panel)
    assert "## Ben" in posted.text
    assert "1\xa0match" in posted.text
    await w.dan.slash("stats")
    assert not w.dan.panel.presses(Verb.SHARE), "there is nothing to show"


@pytest.mark.behaviour("Somebody shows everybody")
async def test_an_answer_is_shown_once_and_the_second_press_is_answered_in_words(w: World) -> None:
    await play(w, await match(w))
    await w.ann.slash("leaderboard")
    panel = w.ann.panel
    share = panel.only(Verb.SHARE)
    records = await w.emit_all((w.ann, panel, share), (w.ann, panel, share))
    said = [w.said(record) for record in records]
    assert sum("posted by Ann" in one for one in said) == 1
    assert sum("already" in one for one in said) == 1
    before = newest(w).id
    assert "already" in await w.answer(w.ann, panel, share)
    assert newest(w).id == before
    await w.ann.slash("leaderboard")
    await shares(w, w.ann, w.ann.panel)


@pytest.mark.nightly
async def test_what_discord_refuses_may_be_shown_again(w: World) -> None:
    await play(w, await match(w))
    await w.ann.slash("leaderboard")
    panel = w.ann.panel
    w.env.inject_error("POST", "/interactions/*", status=403, code=50001, times=2)
    before = newest(w).id
    w.emit(w.ann, panel, panel.only(Verb.SHARE))
    await w.env.settle()
    assert newest(w).id == before
    w.heal()
    await shares(w, w.ann, panel)


@pytest.mark.behaviour("Somebody shows everybody")
async def test_only_who_could_write_there_shows_anything_there(w: World) -> None:
    await play(w, await match(w))
    await w.dan.slash("leaderboard")
    share = w.dan.panel.only(Verb.SHARE)
    await w.ann.slash("leaderboard")
    room = w.room("read-only", w.dan, send_messages=False, view_channel=True)
    await w.dan.slash("leaderboard", channel=room)
    panel = w.dan.panel
    assert not panel.presses(Verb.SHARE)
    assert "can't write" in await w.answer(w.dan, panel, share)
    assert w.messages(room.id) == []
    await w.ann.slash("tables", dm=True)
    said = await w.answer(w.ann, w.ann.panel, share)
    assert "only on a server" in said or "direct message" in said


@pytest.mark.nightly
async def test_what_belongs_to_a_table_is_shown_in_its_channel_only(w: World) -> None:
    table = await play(w, await match(w))
    await w.ann.slash("watch")
    await w.ann.press_verb(w.ann.panel, Verb.MORE)
    posted = await shares(w, w.ann, w.ann.panel)
    assert "42" in posted.text or "points" in posted.text
    other = w.room()
    await w.ann.slash("watch", channel=other, table=table.id)
    await w.ann.press_verb(w.ann.panel, Verb.MORE)
    panel = w.ann.panel
    assert not panel.presses(Verb.SHARE_TABLE)
    forged = Press(Verb.SHARE_TABLE, table.id, argument="result").encode()
    assert "own channel" in await w.answer(w.ann, panel, forged)
    assert w.messages(other.id) == []
    for argument in ("more", "hand", "", "0"):
        forged = Press(Verb.SHARE_TABLE, table.id, argument=argument).encode()
        assert "The table moved on" in await w.answer(w.ann, panel, forged)
    for argument in ("stats|x", "stats|" + "9" * 30, "hand|1", ""):
        forged = Press(Verb.SHARE, argument=argument).encode()
        assert "none of the choices" in await w.answer(w.ann, panel, forged)


@pytest.mark.parametrize("game", [name for name in games() if name != "aufundab"])
@pytest.mark.behaviour("Somebody shows everybody")
async def test_whoever_shows_it_shows_what_everybody_knows(game: str, w: World) -> None:
    """Auf und Ab has nothing that can be looked at on demand."""
    started = await match(w, "Ann", "Ben", "Cat", "Dan", game=game)
    table = await reach(w, started, lambda now: bool(now.game.layout(now.observe(None)).more))
    head, more, board = table_head(table), more_blocks(table), w.board()
    for player in (w.ann, w.ben, w.cat, w.dan, w.eve):
        await player.press_verb(board, Verb.MORE)
        posted = await shares(w, player, player.panel)
        public = shared_more(head, more, player.name, texts("en"))
        assert posted.text == words(public.components)
        assert not any(card_text(card) in posted.text.split() for card in hidden(table))


@pytest.mark.nightly
def test_what_is_shared_is_built_from_what_is_public() -> None:
    """A law over the sources: nothing private is within reach of what builds it."""
    builders = {
        "bot/answer/sharing.py": None,
        "bot/render/sharing.py": None,
        "bot/render/pages.py": {"shared_more"},
        "bot/render/leaderboard.py": {"shared_leaderboard", "_leaders", "_notes"},
        "bot/render/stats.py": {"shared_stats", "_stats"},
        "bot/render/ended.py": {"shared_result"},
        "bot/render/review.py": {"shared_review"},
        "cogs/looking.py": {"_press_share"},
        "cogs/leaderboard.py": {"_press_share", "_view"},
        "cogs/review.py": {"_share"},
    }
    for path, functions in builders.items():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        found = [
            node
            for node in ast.walk(tree)
            if functions is None
            or (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in functions)
        ]
        named = {getattr(node, "name", "") for node in found}
        assert found if functions is None else functions <= named, path
        names = {
            name
            for node in found
            for part in ast.walk(node)
            for name in (getattr(part, "id", None), getattr(part, "attr", None))
        }
        assert not names & PRIVATE, path
