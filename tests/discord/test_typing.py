"""What people type after `/play`, and what the suggestions tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.i18n import HYPHEN
from bot.tables.model import Table
from tests.discord.steps import actor, first, match, others
from tests.discord.world import World, world

INTERNAL = "went wrong on my side"


async def unchanged(w: World, before: Table) -> None:
    assert (await w.table()).log == before.log


async def test_nonsense_is_refused_in_words_and_never_echoed_at_length(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        for typed in (
            "x" * 6000,
            "3-4 " * 1500,
            "\x00\x07\n\r\t\x1b[31m",
            "@everyone <@1> **bold** `code` [a](https://x.example) ||spoiler||",
            "\u202e\u200f\u2066 سلام 你好 🂡" + "\u0301" * 50,
            "play",
            "play 99-99",
            "play -1--1",
            "plays 3-4",
            "null",
            " ",
            "²-³",
            "play 3-4x2x2",
            "{0} %s {name} {{",
        ):
            said = await player.slash("play", action=typed)
            assert said.strip()
            assert INTERNAL not in said, typed
            assert len(said) < 3500, typed
            assert "@everyone" not in said
            assert "<@1>" not in said
            assert "https://x" not in said
            assert not set(said) & set("\x00\x07\x1b\u202e\u2066"), typed
        await unchanged(w, table)


async def test_out_of_turn_nothing_is_played(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        for player in others(w, table):
            said = await player.slash("play", action="pass")
            assert f"It's {actor(w, table).name}'s turn. Your cards are safe." in said
        await unchanged(w, table)


@pytest.mark.parametrize("style", ["upper", "spaces", "bare", "turned"])
async def test_notation_is_read_leniently(style: str, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        text = first(table)
        match style:
            case "upper":
                typed = text.upper()
            case "spaces":
                typed = "  " + text.replace(" ", "   ") + " "
            case "bare":
                typed = text.removeprefix("play ")
            case _:
                head, *cards = text.split()
                turned = ["-".join(card[:3].split("-")[::-1]) + card[3:] for card in cards]
                typed = " ".join([head, *turned[::-1]])
        said = await actor(w, table).slash("play", action=typed)
        after = await w.table()
        assert after.ply == table.ply + 1, said
        assert after.log[-1].text == text


async def test_suggestions_are_for_the_one_who_is_asked_and_for_nobody_else(
    tmp_path: Path,
) -> None:
    async with world(tmp_path, 4) as w:
        table = await match(w)
        asked = actor(w, table)
        choices = await asked.actor.autocomplete(w.channel, "play", "action", "")
        legal = list(table.legal_texts(table.actors[0]))
        assert choices
        assert {choice["value"] for choice in choices} <= set(legal)
        assert len(choices) == min(25, len(legal))
        # In the words that everybody reads: no line ends within a card.
        written = [choice["value"].replace("-", HYPHEN).replace("x2", "×2") for choice in choices]
        assert [choice["name"] for choice in choices] == [name[:100] for name in written]
        some = legal[-1]
        narrowed = await asked.actor.autocomplete(w.channel, "play", "action", some.upper())
        assert some in [choice["value"] for choice in narrowed]
        assert await asked.actor.autocomplete(w.channel, "play", "action", "x" * 500) == []
        for player in (*others(w, table), w.dan):
            assert await player.actor.autocomplete(w.channel, "play", "action", "") == []
            assert await player.user.autocomplete("play", "action", "") == []
        assert await w.dan.actor.autocomplete(w.channel, "play", "action", "", table="ZZZ") == []
