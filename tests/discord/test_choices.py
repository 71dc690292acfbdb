"""Secret choices of several people at once: made from DMs, seen by nobody, stale for nobody."""

from __future__ import annotations

import pytest

from bot.i18n import texts
from bot.render.custom_ids import Verb
from tests.discord.steps import held, match
from tests.discord.watch import Watchman
from tests.discord.world import Player, World
from tests.discord.writing import writing

MOVED_ON = "The table moved on while you pressed"
CHOICES = [
    pytest.param("auffalscherfaehrte", "hide", id="auffalscherfaehrte"),
    pytest.param("sticheln", "choose", id="sticheln"),
]


def choices(player: Player, word: str) -> list[str]:
    """The buttons of the choice on the player's panel."""
    presses = player.dm().presses(Verb.ACT)
    return [press.encode() for press, _ in presses if press.argument.startswith(word)]


def chosen_by(w: World, *players: Player) -> list[bool]:
    """Whether the board marks them as those who have chosen."""
    lines = w.board().text.splitlines()
    return [any(f"{player.name} ✓" in line for line in lines) for player in players]


@pytest.mark.parametrize(("game", "word"), CHOICES)
async def test_two_choose_at_the_same_moment_and_the_third_is_not_stale(
    game: str, word: str, w: World, watch: Watchman
) -> None:
    table = await match(w, game=game, dms=True)
    assert table.actors == (0, 1, 2)
    assert not w.board().presses(Verb.ACT), "nothing on the board answers for one of several"
    picked = {player.name: choices(player, word)[2] for player in (w.ann, w.ben, w.cat)}
    theirs = w.cat.dm()
    records = await w.emit_all(
        (w.ann, w.ann.dm(), picked["Ann"]), (w.ben, w.ben.dm(), picked["Ben"])
    )
    for record in records:
        assert MOVED_ON not in w.said(record)
    now = await w.table()
    assert now.ply == table.ply + 2
    assert now.actors == (2,)
    assert chosen_by(w, w.ann, w.ben, w.cat) == [True, True, False]
    assert w.cat.dm().id == theirs.id, "nobody else's choice draws a panel anew"
    said = await w.cat.press(theirs, picked["Cat"])
    assert MOVED_ON not in said
    now = await w.table()
    assert now.ply == table.ply + 3
    assert sorted(entry.seat for entry in now.log[-3:]) == [0, 1, 2]
    watch.read_standing()
    assert not watch.leaks, "\n".join(watch.leaks[:5])


@pytest.mark.nightly
async def test_a_choice_can_be_typed_and_is_suggested_in_words(w: World) -> None:
    table = await match(w, game="sticheln")
    suit = min(held(table, 1))[0]
    colour = texts("en").suit("sticheln", suit).split()[-1]
    offered = await w.ben.actor.autocomplete(w.channel, "play", "action", colour)
    assert offered
    assert all(choice["value"].startswith(f"choose {suit}") for choice in offered)
    assert all(colour in choice["name"].lower() for choice in offered)
    assert all(choice["value"] in choice["name"] for choice in offered)
    value = offered[0]["value"]
    await w.ben.slash("play", action=f"  {value.upper()} ")
    now = await w.table()
    assert (now.log[-1].seat, now.log[-1].text) == (1, value)
    assert now.ply == table.ply + 1
    assert await w.ben.actor.autocomplete(w.channel, "play", "action", "") == []
    # A table's id may read like a card.
    told = writing("sticheln").cards(w.board().text.replace(table.id, ""))
    assert value.split()[1] not in told
