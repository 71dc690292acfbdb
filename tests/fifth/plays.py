"""A match of the fifth game, played in a process that `added` has added it to."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.render.custom_ids import Verb
from bot.tables.deals import match_record
from bot.tables.stored import Status
from engine.record import to_text
from engine.verify import verify_text
from tests.discord import world as worlds
from tests.discord.ways import act_in_channel, open_table, play_on
from tests.discord.world import Shown, walk
from tests.tables.outcomes import outcome_of

NAMES = (*worlds.NAMES, "Gus", "Hal")


def _colours(shown: Shown) -> list[Any]:
    return [part["accent_color"] for part in walk(shown.components) if "accent_color" in part]


async def test_a_whole_match_at_a_table_of_eight(tmp_path: Path) -> None:
    with patch("tests.discord.world.NAMES", NAMES):
        async with worlds.world(tmp_path, 8, 5) as w:
            offered = {
                option["name"]: option
                for command in w.bot.tree.get_commands()
                if command.name == "newgame"
                for option in command.to_dict(w.bot.tree)["options"]
            }
            assert list(offered)[2:-7] == ["length", "target", "depth", "jokers"]
            assert offered["seats"]["max_value"] == 8
            assert (offered["depth"]["min_value"], offered["depth"]["max_value"]) == (1, 4)
            assert offered["depth"]["description"] == "Tides: how many cards each is dealt"
            assert "Tides" in [choice["name"] for choice in offered["game"]["choices"]]

            said = await w.ann.slash("newgame", game="sticheln", depth=2)
            assert "depth" in said
            await open_table(w, 8, "tides", depth=4)
            table = await w.table()
            assert table.stored.options == {"depth": 4}
            # Whoever is asked has their cards on buttons.
            waiting = [one for one in w.players.values() if one not in await w.actors()]
            held = [await player.hand() for player in waiting]
            moons = [panel.text for panel in held if "16☾" in panel.text]
            assert moons
            assert all("-# ☾ full moon" in panel for panel in moons)

            await play_on(w, act_in_channel, random.Random(5), plies=1)
            assert "led: 🌊\u00a0ebb" in w.board().text or "led: 🌧️\u00a0flood" in w.board().text
            assert _colours(w.board()) == [0x0A5E6B]

            await play_on(w, act_in_channel, random.Random(5))
            table = await w.table()
            assert table.stored.status is Status.FINISHED
            assert w.board().presses(Verb.REMATCH)
            winner = table.stored.seating.beginners[outcome_of(table).ranking.index(1)]
            assert winner.name in w.board().text
            assert winner.name in await w.ann.slash("leaderboard", game="tides")
            assert verify_text(to_text(match_record(table)), 1) == []


async def test_its_rules_are_told(tmp_path: Path) -> None:
    async with worlds.world(tmp_path, 1) as w:
        said = await w.ann.slash("rules", game="tides")
        assert "The highest number takes the trick" in said
        assert "1 / 4" in said, "its own two pages, and those about signs and about every table"
