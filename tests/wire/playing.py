"""How people play over the wire: they press what their panel offers, or type.

What they may do they learn from their panel and from the suggestions for `/play` alone.
"""

from __future__ import annotations

import random
from typing import Any

from bot.render.custom_ids import Press, Verb
from tests.wire.people import Answer, Person, Shown

PLAYABLE = (Verb.ACT, Verb.OPEN, Verb.COMBINE)


def asks(shown: Shown | None, table: str, question: int | None = None) -> bool:
    """Whether the panel puts a question of that table (that one, if it is given)."""
    if shown is None:
        return False
    return any(
        press.table == table and question in (None, press.question)
        for press, _ in shown.presses(*PLAYABLE)
    )


async def press_something(person: Person, shown: Shown, rng: random.Random) -> Answer:
    """Plays something that a hand panel offers; a first step is followed by the next.

    Raises LookupError if there is nothing to press.
    """
    controls = [
        (press, component)
        for press, component in shown.presses(*PLAYABLE)
        if press.verb is not Verb.OPEN or press.argument
    ]
    if not controls:
        raise LookupError(f"{person.name} has nothing to press:\n{shown.text}")
    press, component = rng.choice(controls)
    if component.get("options"):
        return await _choose(person, shown, press, component, rng)
    answer = await person.press(shown, press.encode())
    if answer.failed:
        return answer
    if press.verb is Verb.COMBINE and answer.record.modal is not None:
        return await _fill(person, shown, answer, rng)
    if press.verb is Verb.OPEN:
        opened = person.wire.refreshed(shown)
        if opened is not None and asks(opened, press.table, press.question):
            return await press_something(person, opened, rng)
    return answer


async def type_something(person: Person, channel: int, rng: random.Random) -> Answer | None:
    """Plays one of the suggestions by `/play`; None if nothing is suggested."""
    suggested = await person.suggestions(channel, "play", "action")
    if not suggested:
        return None
    return await person.slash(channel, "play", action=rng.choice(suggested))


async def _choose(
    person: Person, shown: Shown, press: Press, component: dict[str, Any], rng: random.Random
) -> Answer:
    """One of the actions of a menu, or cards that may go together."""
    offered = [option["value"] for option in component["options"]]
    if press.verb is Verb.ACT:
        return await person.press(shown, press.encode(), rng.choice(offered))
    least, most = component.get("min_values", 1), component.get("max_values", 1)
    fitting = [
        cards
        for cards in await _legal_cards(person, shown.channel)
        if least <= len(cards) <= most and set(cards) <= set(offered)
    ]
    chosen = rng.choice(fitting) if fitting else rng.sample(offered, least)
    return await person.press(shown, press.encode(), *chosen)


async def _fill(person: Person, shown: Shown, opened: Answer, rng: random.Random) -> Answer:
    """Ticks cards that make a legal set, and sends the form in."""
    groups = opened.form
    boxes = next(control for control in opened.controls if "max_values" in control)
    least, most = boxes["min_values"], boxes["max_values"]
    offered = {value for values in groups.values() for value in values}
    fitting = [
        cards
        for cards in await _legal_cards(person, shown.channel)
        if least <= len(cards) <= most and {card.partition("x")[0] for card in cards} <= offered
    ]
    # What must be among them is ticked already; as many as may be are as many as were led.
    ticked_first = sorted(boxes["options"], key=lambda option: not option.get("default"))
    some = [option["value"] for option in ticked_first[:most]]
    chosen = rng.choice(fitting) if fitting else some
    plain = [card.partition("x")[0] for card in chosen]
    values: dict[str, Any] = {}
    for name, options in groups.items():
        if "yes" in options:
            values[name] = "yes" if any("x2" in card for card in chosen) else "no"
        else:
            values[name] = [card for card in plain if card in options]
    return await person.send_form(opened, values)


async def _legal_cards(person: Person, channel: int) -> list[list[str]]:
    """The cards of every suggested action."""
    return [text.split()[1:] for text in await person.suggestions(channel, "play", "action")]
