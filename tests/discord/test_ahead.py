"""A card chosen ahead on the private hand: one press, nothing for others to see, in turn."""

from __future__ import annotations

import pytest

from bot.i18n import texts
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Pace
from tests.discord.steps import actor, at, legal, match, reach
from tests.discord.world import Player, Shown, World

SEED = 4

pytestmark = pytest.mark.deals(SEED)


def led(table: Table) -> bool:
    """Whether a trick of the play has just been led."""
    return len(table.actors) == 1 and table.log[-1].text.startswith("play")


async def waiting(w: World, game: str, *, dms: bool = False) -> tuple[Table, Player]:
    """A trick that was just led, and whose turn it is after the next."""
    started = await match(w, game=game, dms=dms, pace=Pace.LIVE180)
    table = await reach(w, started, led)
    return table, at(w, table, (table.actors[0] + 1) % 3)


def options(shown: Shown) -> tuple[Press, list[str]]:
    ((press, component),) = [
        (press, c) for press, c in shown.presses(Verb.AHEAD) if c.get("options")
    ]
    return press, [option["value"] for option in component["options"]]


@pytest.mark.behaviour("A card was chosen ahead")
@pytest.mark.parametrize("dms", [False, True])
async def test_a_card_is_chosen_ahead_on_the_hand_and_played_in_turn(dms: bool, w: World) -> None:
    table, player = await waiting(w, "sticheln", dms=dms)
    panel = player.dms()[-1] if dms else await player.hand()
    press, cards = options(panel)
    assert "Choose a card ahead" in panel.text
    others = [one for one in w.players.values() if one is not player]
    before = w.board().components, w.sent("PATCH", "/channels/"), w.sent("POST", "/channels/")
    said = await player.choose(panel, press.encode(), cards[0])
    await w.env.advance_time(5)
    name = texts("en").card_name("sticheln", cards[0].split()[1])
    assert f"{name} will be played when it's your turn" in said
    assert "Only you can see this" in said
    after = w.board().components, w.sent("PATCH", "/channels/"), w.sent("POST", "/channels/")
    assert after == before, "nothing is drawn, nothing is sent"
    for one in others:
        assert name not in (await one.hand()).text.partition("Your hand")[0]
        assert not (await one.hand()).presses(Verb.BACK)
    if dms:  # what only they see in the channel cannot be drawn anew after a restart
        await w.restart()
    called = len(player.dms())
    await actor(w, table).slash("play", action=legal(table)[0])
    asked = await w.table()
    assert actor(w, asked) is player
    assert f"{player.name}'s turn" in w.board().text, "to everybody they are asked as ever"
    assert len(player.dms()) == called, "nobody is called for what is played by itself"
    await w.env.advance_time(3)
    now = await w.table()
    assert now.log[-1].text == cards[0]
    assert now.log[-1].seat == asked.actors[0]
    await w.env.advance_time(5)
    mine = [*w.whispers(player), *player.dms()]
    assert not any("will be played when" in shown.text for shown in mine), "no surface lies"


async def test_it_can_be_changed_and_taken_back_each_with_one_press(w: World) -> None:
    table, player = await waiting(w, "sticheln")
    panel = await player.hand()
    press, cards = options(panel)
    await player.choose(panel, press.encode(), cards[0])
    press, _ = options(player.panel)
    said = await player.choose(player.panel, press.encode(), cards[1])
    assert texts("en").card_name("sticheln", cards[1].split()[1]) + " will be played" in said
    assert "Choose another card" in said
    (undo, _), *_ = player.panel.presses(Verb.AHEAD)
    said = await player.press(player.panel, undo.encode())
    assert "will be played when" not in said
    await actor(w, table).slash("play", action=legal(table)[0])
    await w.env.advance_time(5)
    assert (await w.table()).ply == table.ply + 1


@pytest.mark.nightly
async def test_what_is_too_late_or_not_possible_is_answered_in_words(w: World) -> None:
    table, player = await waiting(w, "sticheln")
    panel = await player.hand()
    press, cards = options(panel)
    await actor(w, table).slash("play", action=legal(table)[0])
    said = await w.answer(player, panel, press.encode(), 3, values=[cards[0]])
    assert "It's already your turn, so nothing was chosen ahead." in said
    asked = await w.table()
    assert asked.ply == table.ply + 1
    said = await w.answer(player, panel, press.encode(), 3, values=["play nothing"])
    assert "It's already your turn" in said
    await player.slash("play", action=cards[1])
    said = await w.answer(player, w.board(), press.encode(), 3, values=[cards[0]])
    name = texts("en").card("sticheln", cards[1].split()[1])
    assert f"You have already played {name}." in said
    now = await w.table()
    later = at(w, now, (now.actors[0] + 1) % 3)
    press, _ = options(await later.hand())
    said = await w.answer(later, w.board(), press.encode(), 3, values=["play B99"])
    assert "can't be played to this trick any more" in said
