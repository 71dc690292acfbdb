"""Choosing cards: what a button opens, and forms that are sent in, refused, and sent in again."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from engine.layout import Choice, Combine, Layout
from tests.discord.steps import actor, find, match
from tests.discord.ways import inner_components
from tests.discord.world import Player, Shown, World


def openable(layout: Layout, sizes: range) -> Choice | None:
    """A choice that opens so many sets."""
    choices = [control for control in layout.controls if isinstance(control, Choice)]
    return next((choice for choice in choices if len(choice.acts) in sizes), None)


def asked(table: Table) -> Layout:
    """What whoever is asked may see."""
    return table.game.layout(table.observe(table.actors[0]))


async def with_choice(w: World, sets: range) -> tuple[Player, Shown, Press]:
    """Somebody with a hand before them, and a number on it with so many sets."""
    table = await find(w, await match(w, hands=40), lambda found: openable(found, sets) is not None)
    player = actor(w, table)
    panel = await player.hand()
    choice = openable(asked(table), sets)
    assert choice is not None
    number = next(p for p, _ in panel.presses(Verb.OPEN) if p.argument == choice.key)
    return player, panel, number


async def test_a_choice_opens_its_sets_as_buttons_and_back_closes_them(w: World) -> None:
    player, panel, number = await with_choice(w, range(2, 11))
    said = await player.press(panel, number.encode())
    assert "Play " in said
    acts = player.panel.presses(Verb.ACT)
    assert len([p for p, _ in acts if p.argument.startswith("play")]) in range(2, 11)
    (back,) = [p for p, _ in player.panel.presses(Verb.OPEN) if not p.argument]
    await player.press(player.panel, back.encode())
    assert player.panel.text == panel.text
    await player.press(player.panel, number.encode())
    play_it = next(p for p, _ in player.panel.presses(Verb.ACT) if p.argument != "pass")
    await player.press(player.panel, play_it.encode())
    assert (await w.table()).log[-1].text == play_it.argument


def double_form(layout: Layout) -> Combine | None:
    """A form that asks what the double counts, with cards none of which must be in it."""
    forms = [one.combine for one in layout.controls if isinstance(one, Choice) and one.combine]
    return next((form for form in forms if form.flags and not form.required), None)


@pytest.mark.behaviour("Cards ticked in a form are refused")
async def test_a_refused_form_says_why_and_opens_again_with_its_ticks(w: World) -> None:
    """Cards without a double, of which one is to count two."""
    table = await find(w, await match(w, hands=40), lambda found: bool(double_form(found)))
    player = actor(w, table)
    panel = await player.hand()
    combine = double_form(asked(table))
    assert combine is not None
    choices = [one for one in asked(table).controls if isinstance(one, Choice)]
    key = next(one.key for one in choices if one.combine == combine)
    press = next(p for p, _ in panel.presses(Verb.COMBINE) if p.argument == key)
    await player.press(panel, press.encode())
    assert player.form["title"].startswith("Play ")
    boxes, double = inner_components(player.form)
    plain = [card for card in combine.cards if card[0] != card[2]]
    ticks = plain[: combine.minimum]
    said = await player.send_form({boxes["custom_id"]: ticks, double["custom_id"]: "yes"})
    assert "Only a double can count as two, and your set has none." in said
    assert (await w.table()).ply == table.ply
    again = next(p for p, _ in player.panel.presses(Verb.COMBINE) if "~" in p.argument)
    await player.press(player.panel, again.encode())
    boxes, double = inner_components(player.form)
    assert [one["value"] for one in boxes["options"] if one["default"]] == ticks
    assert [one["value"] for one in double["options"] if one["default"]] == ["yes"]
    await player.send_form({boxes["custom_id"]: ticks, double["custom_id"]: "no"})
    after = await w.table()
    assert after.log[-1].text == f"play {' '.join(ticks)}"
    assert not [p for p, _ in player.panel.presses(Verb.COMBINE) if "~" in p.argument]
