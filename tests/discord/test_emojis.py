"""Emoji at a table, as people see them: on buttons and in texts, refused, and at no more calls."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.emojis import emojis_doubted, know_emojis, named
from bot.i18n import texts
from bot.operate.emojis import carry_out, planned, there_now
from bot.render.custom_ids import Verb
from tests.discord.steps import actor, first, match, reach
from tests.discord.world import Player, Shown, World, walk, world
from tests.emojis import pictures

STICHELN = "sticheln"
FOREIGN = "pepe"
MENTION = re.compile(r"<:(\w+):(\d+)>")
INTERNAL = "went wrong on my side"


@asynccontextmanager
async def synced(w: World) -> AsyncIterator[None]:
    """Discord has all emoji, and the program knows them."""
    png = pictures()

    async def bring_up() -> int:
        there = await there_now(w.bot)
        plan = planned(png, there)
        know_emojis(there)
        await carry_out(w.bot, plan, there, png, known=know_emojis, pace=0)
        return plan.steps

    w.env.backend.create_application_emoji(FOREIGN)
    try:
        assert await w.directly(bring_up()) == len(png)
        assert await w.directly(bring_up()) == 0
        ids = {emoji.name: emoji.id for emoji in w.env.backend.application_emojis.values()}
        assert ids.keys() == {*png, FOREIGN}
        know_emojis(ids)
        yield
    finally:
        know_emojis({})


def drawn_on(shown: Shown) -> list[dict[str, Any]]:
    """The emoji of buttons and options."""
    parts = [*walk(shown.components)]
    faces = [*parts, *(option for part in parts for option in part.get("options", ()))]
    return [face["emoji"] for face in faces if "emoji" in face]


async def to_a_card(w: World) -> tuple[Player, Shown]:
    """Somebody who may play several cards, with their hand before them."""
    table = await reach(w, await match(w, game=STICHELN), lambda now: first(now).startswith("play"))
    player = actor(w, table)
    return player, await player.hand()


async def test_hand_board_and_buttons_name_emoji_that_discord_has(w: World) -> None:
    async with synced(w):
        there = {str(one.id): one.name for one in w.env.backend.application_emojis.values()}
        player, panel = await to_a_card(w)
        for press, component in panel.presses(Verb.ACT):
            assert press.argument is not None
            if press.argument.startswith("play "):
                card = press.argument.split()[1]
                said = named(component["emoji"]["name"])
                assert said is not None
                assert said.key == f"c{card[0]}"
                assert card[1:] in component["label"]
        press = panel.presses(Verb.ACT)[0][0]
        await player.press(panel, press.encode())
        card = press.argument.split()[1]
        mentions = dict(MENTION.findall(w.board().text))
        assert any(f"_c{card}_" in name for name in mentions), "the trick shows its card"
        for shown in (panel, w.board()):
            for picture in drawn_on(shown):
                assert there[picture["id"]] == picture["name"]
            for name, number in MENTION.findall(shown.text):
                assert there[number] == name
        log = await player.press_verb(w.board(), Verb.LOG)
        assert "<:" not in log
        assert texts("en").card(STICHELN, card) in log


@pytest.mark.nightly
async def test_emoji_cost_no_call(tmp_path: Path) -> None:
    """Deals and choices are the same with and without."""
    counts = []
    for emojis in (True, False):
        async with world(tmp_path / str(emojis), 3, 7) as w, AsyncExitStack() as stack:
            if emojis:
                await stack.enter_async_context(synced(w))
            player, panel = await to_a_card(w)
            before = w.calls()
            for _ in range(6):
                await player.press(panel, panel.presses(Verb.ACT)[0][0].encode())
                player = (await w.actors())[0]
                panel = await player.hand()
            counts.append(w.routes(before))
    assert counts[0] == counts[1]


async def test_an_emoji_that_discord_refuses_keeps_nobody_from_playing(w: World) -> None:
    async with synced(w):
        player, panel = await to_a_card(w)
        assert drawn_on(panel)
        assert not emojis_doubted()
        refused: dict[str, Any] = {"status": 400, "code": 50035, "message": "Invalid emoji"}
        w.env.inject_error("POST", "/interactions/*", **refused)
        panel = await player.hand()
        assert not drawn_on(panel)
        assert INTERNAL not in panel.text
        for press, component in panel.presses(Verb.ACT):
            suit, number = press.argument.split()[1][0], press.argument.split()[1][1:]
            assert component["label"].startswith(f"{suit} ")
            assert number in component["label"]
        assert emojis_doubted()
        press = panel.presses(Verb.ACT)[0][0]
        await player.press(panel, press.encode())
        assert f"_c{press.argument.split()[1]}_" in w.board().text, "the board shows the card"
