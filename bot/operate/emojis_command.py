"""`stammtisch emojis`: the emoji of cards that Discord keeps for the application."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import typer

from bot.operate.refusing import REFUSED_LOGIN, read_settings, refuse, refusing, unreachable
from bot.operate.tools import progress

if TYPE_CHECKING:
    import discord

    from bot.settings import Settings

PAUSES: Final = (5.0, 20.0, 60.0, 300.0)
"""Seconds after which is tried again what Discord puts off: so long it may say to wait."""

PUT_OFF: Final = frozenset({429, *range(500, 600)})
"""What Discord says where it only takes time."""

emojis_app = typer.Typer(no_args_is_help=True, help="The emoji of cards on buttons and in texts.")


@emojis_app.command()
def sync() -> None:
    """Upload to Discord the emoji of all cards that it lacks; remove our old ones.

    `run` does the same in the background.  Can be cut off and started again at any time, and
    leaves emoji that are not ours alone.
    """
    from bot.operate import logs

    settings = read_settings()
    with refusing():
        token = settings.token()
    logs.configure("ERROR", secrets=settings.secrets())
    typer.echo(asyncio.run(_sync(settings, token)))


async def _sync(settings: Settings, token: str) -> str:
    """What was done, in one sentence."""
    import aiohttp
    import discord

    discord.http.Route.BASE = settings.discord_api_url
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(token)
            return await _until_done(client)
    except discord.LoginFailure:
        refuse(f"{REFUSED_LOGIN}.")
    except discord.HTTPException as error:
        refuse(
            f"Discord puts some emoji off ({error.status}); what is done is done: run the same"
            " command again later.",
            1,
        )
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        refuse(unreachable(settings, error), 1)


async def _until_done(client: discord.Client) -> str:
    """Begins anew, with what is there by then, as long as Discord only puts it off."""
    import discord

    from bot.operate.emojis import carry_out, planned, there_now, wanted

    names = wanted()
    before = now = await there_now(client)

    def known(ids: Mapping[str, int]) -> None:
        nonlocal now
        now = dict(ids)

    for pause in (*PAUSES, None):
        plan = planned(names, now)
        try:
            with progress("emoji", plan.steps, 0) as step:
                await carry_out(client, plan, now, known=known, step=step, pace=0)
            break
        except discord.HTTPException as error:
            if pause is None or error.status not in PUT_OFF:
                raise
        await asyncio.sleep(pause)
        now = await there_now(client)
    created, removed = len(now.keys() - before.keys()), len(before.keys() - now.keys())
    have = sum(name in now for name in names)
    return (
        f"Discord has {have} of {len(names)} emoji.  Uploaded: {created}, old ones removed:"
        f" {removed}."
    )
