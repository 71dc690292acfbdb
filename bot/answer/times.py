"""What people mean by times and zones: those of this machine, and the words of all languages."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from zoneinfo import available_timezones

from bot.answer import given
from bot.answer.context import Context
from bot.catalogues import languages
from bot.i18n import texts
from bot.ids import UserId
from bot.tables.when import TIME_WORDS, Vocabulary, vocabulary
from bot.views.zones import CLOCKS


@cache
def zones() -> Collection[str]:
    """The names of all time zones that this machine knows."""
    return frozenset(available_timezones())


@cache
def time_words() -> Vocabulary:
    """What may be typed of a time, in every language: people type in their own anywhere."""
    return vocabulary(
        {
            meaning: [
                phrase
                for language in languages()
                for phrase in texts(language).get(f"when.{meaning}").split(",")
            ]
            for meaning in TIME_WORDS
        }
    )


async def zone_of(context: Context, user: UserId) -> str | None:
    """The zone that the person has named last, with a time, with their quiet hours or from a menu.

    None: they have named none, or this machine does not know it any more.
    """
    named = await context.planning.store.zone(user)
    return named if named in zones() else None


async def learn_zone(context: Context, user: UserId, chosen: str) -> str:
    """Remember the zone that was chosen from the menu.  Raises TableError `not_offered`."""
    zone = given.one_of((first for first, *_ in CLOCKS), chosen)
    await context.planning.store.learn_zone(user, zone)
    return zone
