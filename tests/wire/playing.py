"""How people play over the wire: they press what their panel offers, or type.

What they may do they learn from their panel and from the suggestions for `/play` alone.
"""

from __future__ import annotations

import random

from bot.render.custom_ids import Verb
from tests.discord.ways import PLAYABLE as PLAYABLE
from tests.discord.ways import any_control, cards_of, is_second_step, some_ticks, some_values
from tests.wire.people import Answer, Person, Shown


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
    press, component = any_control(shown, rng)
    if component.get("options"):
        legal = await _legal_cards(person, shown.channel)
        return await person.press(shown, press.encode(), *some_values(press, component, legal, rng))
    answer = await person.press(shown, press.encode())
    if answer.failed:
        return answer
    if press.verb is Verb.COMBINE and answer.record.modal is not None:
        legal = await _legal_cards(person, shown.channel)
        return await person.send_form(answer, some_ticks(answer.controls, legal, rng))
    opened = person.wire.refreshed(shown)
    if opened is None or not asks(opened, press.table, press.question):
        return answer
    if is_second_step(opened):
        return await press_something(person, opened, rng)
    return answer


async def type_something(person: Person, channel: int, rng: random.Random) -> Answer | None:
    """Plays one of the suggestions by `/play`; None if nothing is suggested."""
    suggested = await person.suggestions(channel, "play", "action")
    if not suggested:
        return None
    return await person.slash(channel, "play", action=rng.choice(suggested))


async def _legal_cards(person: Person, channel: int) -> list[list[str]]:
    """The cards of every suggested action."""
    return cards_of(await person.suggestions(channel, "play", "action"))
