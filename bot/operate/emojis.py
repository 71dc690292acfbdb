"""Emoji of cards on Discord: uploads missing ones, deletes old ones.

It can be interrupted at any time and continues where it was: an emoji that looks the same has the
same name and is never uploaded again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

import aiohttp
import discord
import structlog

from bot.emojis import DECKS, VERSION, emojis_doubted, keys_of, name_of, named
from bot.operate.positions import ways
from engine.registry import games

logger = structlog.get_logger(__name__)

PACE: Final = 0.25
"""Seconds between two changes while the program runs: playing goes before."""

PAUSES: Final = (30.0, 120.0, 600.0, 3600.0, 6 * 3600.0)
"""Seconds after which the running program tries again; after the last it has given up."""

LOOK: Final = 300.0
"""Seconds after which is looked whether an emoji was refused."""

FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)

_REFUSED: Final = 400

TellKnown: TypeAlias = Callable[[Mapping[str, int]], None]
"""Told which emoji there are now: Discord's ids by name."""


class EmojiChanges(NamedTuple):
    """Emoji to create and to remove, by name."""

    create: tuple[str, ...]
    remove: tuple[str, ...]
    """Old ones that go when the new ones are there."""

    @property
    def steps(self) -> int:
        """How many changes that is."""
        return len(self.create) + len(self.remove)


class Done(NamedTuple):
    """The result of a run."""

    created: int
    removed: int
    refused: int
    """Pictures that Discord does not take, or has no room for."""


def planned(wanted: Collection[str], there: Collection[str]) -> EmojiChanges:
    """The changes after which exactly the `wanted` ones of our emoji exist.

    Emoji of others are never touched.  Discord keeps 2,000: enough for two whole versions.
    """
    keep = frozenset(wanted)
    old = sorted(name for name in there if named(name) is not None and name not in keep)
    return EmojiChanges(tuple(name for name in wanted if name not in there), tuple(old))


def keys() -> tuple[str, ...]:
    """Keys of every card of every game that has cards of its own, of suits and marks."""
    cards = {
        name: dict.fromkeys(
            code for seats, options in ways(game) for code in game.pack(seats, options)
        )
        for name, game in games().items()
    }
    return keys_of(cards)


async def there_now(client: discord.Client) -> dict[str, int]:
    """The emoji that Discord has of this application: ids by name."""
    return {emoji.name: emoji.id for emoji in await client.fetch_application_emojis()}


async def pictures() -> dict[str, bytes]:
    """All emoji, deck by deck: the picture (PNG) of each by its name.

    They are drawn one by one in a thread, so that a program that stops need not wait for all.
    """
    drawing = [(deck, key) for deck in DECKS for key in await asyncio.to_thread(keys)]
    return dict([await asyncio.to_thread(drawn, deck, key) for deck, key in drawing])


def drawn(deck: str, key: str) -> tuple[str, bytes]:
    """Name and picture of one emoji, `deck` by id.  Its version is a digest of the picture."""
    # Imported here, or the whole program would load what draws; and that takes a while.
    from bot.pictures.emoji import digest, emoji_png

    png = emoji_png(key, deck)
    return name_of(deck, key, digest(png)[:VERSION]), png


async def carry_out(
    client: discord.Client,
    plan: EmojiChanges,
    there: Mapping[str, int],
    png: Mapping[str, bytes],
    *,
    known: TellKnown,
    pace: float,
) -> Done:
    """Carry out the changes, one call after the other, with `pace` seconds between them.

    `png` has the pictures by name.  An emoji is reported as gone before it is removed, so that it
    is no longer sent.  Raises one of FAILURES; changes made before stay.
    """
    left, refused = dict(there), 0
    try:
        for name in plan.create:
            made = await _create(client, name, png[name])
            if made is None:
                refused += 1
            else:
                left[name] = made
            await asyncio.sleep(pace)
    finally:
        known(dict(left))
    gone = [left.pop(name) for name in plan.remove]
    if gone:
        known(dict(left))
    for number in gone:
        await _delete(client, number)
        await asyncio.sleep(pace)
    return Done(len(plan.create) - refused, len(gone), refused)


async def _create(client: discord.Client, name: str, png: bytes) -> int | None:
    """The id of the new emoji; None if Discord finds it malformed, as it would the next time."""
    try:
        return (await client.create_application_emoji(name=name, image=png)).id
    except discord.HTTPException as error:
        if error.status != _REFUSED:
            raise
        return None


async def _delete(client: discord.Client, number: int) -> None:
    if client.application_id is None:
        raise discord.MissingApplicationID
    with suppress(discord.NotFound):  # somebody was faster
        await client.http.delete_application_emoji(client.application_id, number)


async def keep(client: discord.Client, known: TellKnown) -> None:
    """Brings the emoji up to date while the program runs, and again whenever one was refused.

    Those that are there are used at once.  What fails is logged the first time, and tried again
    after `PAUSES`.
    """
    failed, due = 0, True
    while True:
        pause = LOOK
        if due:
            try:
                there = await there_now(client)
                known(there)
                await _bring_up(client, there, known)
                failed = 0
            except FAILURES as error:
                failed += 1
                if failed > len(PAUSES):
                    logger.warning("emojis_given_up", kind=type(error).__name__)
                    return
                if failed == 1:
                    status = getattr(error, "status", None)
                    logger.warning("emojis_not_synced", kind=type(error).__name__, status=status)
                pause = PAUSES[failed - 1]
        await asyncio.sleep(pause)
        due = failed > 0 or emojis_doubted()


async def _bring_up(client: discord.Client, there: Mapping[str, int], known: TellKnown) -> None:
    png = await pictures()
    plan = planned(png, there)
    if plan.steps:
        done = await carry_out(client, plan, there, png, known=known, pace=PACE)
        logger.info("emojis_synced", **done._asdict())
