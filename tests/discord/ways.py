"""Ways of playing: by buttons in the channel, from the DM, by typing; and whole matches of it."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.phase import Closing, Pause
from bot.tables.stored import Status
from tests.discord.world import Player, Shown, World


async def open_table(
    world: World, seats: int, game: str = "aufundab", *, pace: str = "none", **options: Any
) -> None:
    """Ann opens a table, the others sit down by pressing *Join*, and all are ready.

    Without a clock, unless one is asked for: what a ply costs is counted without notices.
    """
    await world.ann.slash("newgame", game=game, seats=seats, pace=pace, **options)
    for player in list(world.players.values())[1:seats]:
        await player.press_verb(world.board(), Verb.JOIN)
    for player in list(world.players.values())[:seats]:
        await player.press_verb(world.board(), Verb.READY)
    await world.env.advance_time(1)


async def press_something(player: Player, shown: Shown, rng: random.Random) -> None:
    """Plays something at random through the controls of a hand panel, as a person would.

    A first step (a number with its sets) is followed by the second.
    """
    controls = [
        (press, component)
        for press, component in shown.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)
        if press.verb is not Verb.OPEN or press.argument
    ]
    assert controls, f"{player.name} is asked and has nothing to press:\n{shown.text}"
    press, component = rng.choice(controls)
    if component.get("options"):
        await choose_something(player, shown, press, component, rng)
        return
    await player.press(shown, press.encode())
    if press.verb is Verb.COMBINE:
        await fill_form(player, rng)
    if press.verb is Verb.OPEN:
        await press_something(player, player.world.refreshed(shown), rng)


async def choose_something(
    player: Player, shown: Shown, press: Press, component: dict[str, Any], rng: random.Random
) -> None:
    """One of the actions of a menu, or cards that may go together."""
    offered = [option["value"] for option in component["options"]]
    if press.verb is Verb.ACT:
        await player.choose(shown, press.encode(), rng.choice(offered))
        return
    least, most = component.get("min_values", 1), component.get("max_values", 1)
    fitting = [
        cards
        for cards in (cards_of(text) for text in await player.legal())
        if least <= len(cards) <= most and set(cards) <= set(offered)
    ]
    await player.choose(shown, press.encode(), *rng.choice(fitting))


def cards_of(text: str) -> list[str]:
    """The cards of an action, without how often they count."""
    return [word.partition("x")[0] for word in text.split()[1:]]


async def fill_form(player: Player, rng: random.Random) -> None:
    """Ticks cards that make a legal set and sends the form in."""
    assert player.last is not None
    form = player.last.modal
    assert form is not None
    groups = {
        c["custom_id"]: [option["value"] for option in c["options"]] for c in inner_components(form)
    }
    offered = {value for values in groups.values() for value in values}
    boxes = next(c for c in inner_components(form) if "max_values" in c)
    sizes = range(boxes["min_values"], boxes["max_values"] + 1)
    legal = [text for text in await player.legal() if len(cards_of(text)) in sizes]
    text = rng.choice([text for text in legal if set(cards_of(text)) <= offered])
    values: dict[str, Any] = {}
    for name, options in groups.items():
        if "yes" in options:
            values[name] = "yes" if "x2" in text else "no"
        else:
            values[name] = [card for card in cards_of(text) if card in options]
    await player.send_form(values)


def inner_components(form: dict[str, Any]) -> list[dict[str, Any]]:
    """The controls of a form, without their labels."""
    return [label["component"] for label in form["components"] if "component" in label]


async def act_in_channel(player: Player, rng: random.Random) -> None:
    """By buttons in the channel: *Pass* on the board if that is all, else *My hand*."""
    panel = player.panel
    if panel is not None:
        panel = player.world.refreshed(panel)
    if panel is None or not await player.is_asked_by(panel):
        if await player.can_only_pass():
            await player.press_verb(player.world.board(), Verb.ACT)
            return
        panel = await player.hand()
    await press_something(player, panel, rng)


async def act_in_dm(player: Player, rng: random.Random) -> None:
    """By buttons in the DM only."""
    # The newest of their messages that asks something: another may be about the table.
    panels = [shown for shown in player.dms() if shown.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)]
    assert panels, f"{player.name} has no panel"
    await press_something(player, panels[-1], rng)


async def act_by_command(player: Player, rng: random.Random) -> None:
    """By `/play` only, from the suggestions or by pass."""
    choices = await player.actor.autocomplete(player.world.channel, "play", "action", "")
    await player.slash("play", action=rng.choice(choices)["value"])


async def act_by_command_in_dm(player: Player, rng: random.Random) -> None:
    choices = await player.user.autocomplete("play", "action", "")
    await player.slash("play", dm=True, action=rng.choice(choices)["value"])


Seen: TypeAlias = Callable[[Table], None]
"""Looks at the world after each ply."""

Way: TypeAlias = Callable[[Player, random.Random], Awaitable[None]]


async def play_on(
    world: World, way: Way, rng: random.Random, plies: int = 10_000, seen: Seen | None = None
) -> int:
    """Plays until the match is over or `plies` have been played; returns how many were."""
    for played in range(plies):
        table = await world.table()
        if table.stored.status is not Status.RUNNING:
            return played
        if isinstance(table.phase, Pause):
            for player in [world.players[p.name] for p in table.stored.seating.people]:
                await player.slash("start")
            continue
        if isinstance(table.phase, Closing):
            await world.env.advance_time(1)
            assert not isinstance((await world.table()).phase, Closing), "the cards are not dealt"
            continue
        actors = await world.actors()
        if not actors:
            await world.env.advance_time(2)
            after = await world.table()
            assert after.ply > table.ply, "no computer player has played"
            if not after.computing:
                await world.env.advance_time(1)  # all of them are drawn
            continue
        player = rng.choice(actors) if len(actors) > 1 else actors[0]
        await way(player, rng)
        after = await world.table()
        assert after.ply > table.ply, f"nothing was played:\n{world.env.transcript()[-3000:]}"
        if seen is not None:
            seen(after)
    return plies
