"""The menu of time zones, as cities with their time."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Texts
from bot.render.components import Page, option, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.views.zones import Clock


def which_zone(number: int, clocks: Sequence[Clock], texts: Texts) -> Message:
    """Asks for the zone of the plan that was typed under that number."""
    page = Page()
    page.text(texts.get("zone.ask"))
    zone_menu(page, Press(Verb.ZONE, argument=str(number)), clocks, None, texts)
    page.text(small(texts.get("zone.other")))
    return page.message(accent=None)


def zone_menu(
    page: Page, press: Press, clocks: Sequence[Clock], chosen: str | None, texts: Texts
) -> None:
    """A menu whose values are zones."""
    options = [
        option(
            f"{', '.join(texts.city(zone) for zone in clock.zones)} · {clock.shown:%H:%M}",
            clock.zones[0],
            default=chosen in clock.zones,
        )
        for clock in clocks
    ]
    page.select(press, texts.get("zone.choose"), options)
