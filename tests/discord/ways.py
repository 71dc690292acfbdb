"""Ways of playing: by buttons in the channel, from the DM, by typing; and whole matches of it."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.stored import Status
from tests.discord.world import Player, Shown, World


async def open_table(
    world: World, seats: int, game: str = "aufundab", *, pace: str = "none", **options: Any
) -> None:
    """Ann opens a table, the others sit down by pressing *Join*, and all are ready.

    Without a clock, unless one is asked for: what a ply costs is counted without notices.
    """
    await world.ann.slash("newgame", game=game, seats=seats, pace=pace, **options)
    people = world.people(seats)
    for player in people[1:]:
        await player.press_verb(world.board(), Verb.JOIN)
    for player in people:
        await player.press_verb(world.board(), Verb.READY)
    await world.env.advance_time(1)


PLAYABLE = (Verb.ACT, Verb.ACT_NOW, Verb.OPEN, Verb.COMBINE)
"""Verbs of the controls with which cards are played."""


async def press_something(player: Player, shown: Shown, rng: random.Random) -> None:
    """Plays something at random through the controls of a hand panel, as a person would.

    A first step (a number with its sets, what has a price) is followed by the second.
    """
    press, component = any_control(shown, rng)
    if component.get("options"):
        values = some_values(press, component, cards_of(await player.legal()), rng)
        await player.choose(shown, press.encode(), *values)
        return
    await player.press(shown, press.encode())
    if player.opened_form:
        controls = inner_components(player.form)
        await player.send_form(some_ticks(controls, cards_of(await player.legal()), rng))
    # Whoever is asked again at once, since nobody could beat it, has a new message in its place.
    if player.world.stands(shown) and is_second_step(opened := player.world.refreshed(shown)):
        await press_something(player, opened, rng)


def is_second_step(shown: Shown) -> bool:
    """Whether a hand panel offers the way back to all that can be played."""
    return any(not press.argument for press, _ in shown.presses(Verb.OPEN))


def any_control(shown: Shown, rng: random.Random) -> tuple[Press, dict[str, Any]]:
    """One of the controls of a hand panel.  Raises LookupError if there is none."""
    controls = [
        (press, component)
        for press, component in shown.presses(*PLAYABLE)
        if press.verb is not Verb.OPEN or press.argument
    ]
    if not controls:
        raise LookupError(f"there is nothing to press:\n{shown.text}")
    return rng.choice(controls)


def some_values(
    press: Press, menu: dict[str, Any], legal: Sequence[Sequence[str]], rng: random.Random
) -> list[str]:
    """One of the actions of a menu, or cards that may go together, if such are known."""
    offered = [option["value"] for option in menu["options"]]
    if press.verb is Verb.ACT:
        return [rng.choice(offered)]
    least, most = menu.get("min_values", 1), menu.get("max_values", 1)
    plainly = ([plain(card) for card in cards] for cards in legal)
    fitting = [
        cards for cards in plainly if least <= len(cards) <= most and set(cards) <= set(offered)
    ]
    return rng.choice(fitting) if fitting else rng.sample(offered, least)


def some_ticks(
    controls: Sequence[Mapping[str, Any]], legal: Sequence[Sequence[str]], rng: random.Random
) -> dict[str, Any]:
    """How a form is filled in with cards that make a legal set, if one is known."""
    groups = {c["custom_id"]: [option["value"] for option in c["options"]] for c in controls}
    boxes = next(c for c in controls if "max_values" in c)
    least, most = boxes["min_values"], boxes["max_values"]
    offered = {value for values in groups.values() for value in values}
    fitting = [
        cards
        for cards in legal
        if least <= len(cards) <= most and {plain(card) for card in cards} <= offered
    ]
    # What must be among them is ticked already; as many as may be are as many as were led.
    ticked_first = sorted(boxes["options"], key=lambda option: not option.get("default"))
    chosen = rng.choice(fitting or [[option["value"] for option in ticked_first[:most]]])
    values: dict[str, Any] = {}
    for name, options in groups.items():
        if "yes" in options:
            values[name] = "yes" if any("x2" in card for card in chosen) else "no"
        else:
            values[name] = [card for card in map(plain, chosen) if card in options]
    return values


def cards_of(actions: Sequence[str]) -> list[list[str]]:
    """The cards of every action."""
    return [text.split()[1:] for text in actions]


def plain(card: str) -> str:
    """A card without how often it counts."""
    return card.partition("x")[0]


def inner_components(form: dict[str, Any]) -> list[dict[str, Any]]:
    """The controls of a form, without their labels."""
    return [label["component"] for label in form["components"] if "component" in label]


async def act_in_channel(player: Player, rng: random.Random) -> None:
    """By buttons in the channel: *Pass* on the board if that is all, else *My hand*."""
    panel = player.whispered and player.world.refreshed(player.whispered)
    if panel is None or not await player.is_asked_by(panel):
        if await player.can_only_pass():
            await player.press_verb(player.world.board(), Verb.ACT)
            return
        panel = await player.hand()
    await press_something(player, panel, rng)


async def act_in_dm(player: Player, rng: random.Random) -> None:
    """By buttons in the DM only."""
    # The newest of their messages that asks something: another may be about the table.
    panels = [shown for shown in player.dms() if shown.presses(*PLAYABLE)]
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
        if isinstance(table.phase, BetweenRounds):
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
