"""The start page: who sits where, what to type, and doors to the simulated Discord."""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable
from importlib.resources import files
from string import Template
from typing import Final, TypeAlias

from aiohttp import web

from bot.demo.world import CHANNEL, PEOPLE, View, World
from bot.i18n import texts
from engine.registry import games

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def start_page(world: World) -> web.Application:
    """The start page of `world`; everything it offers is for this computer only."""

    async def home(request: web.Request) -> web.Response:
        return _page(restarted="restarted" in request.query)

    async def go(request: web.Request) -> web.Response:
        person = request.match_info["person"].capitalize()
        if person not in PEOPLE:
            raise web.HTTPNotFound
        url = await world.show(View(person, direct=request.match_info["where"] == "dm"))
        raise web.HTTPFound(url, headers={"Cache-Control": "no-store"})

    async def restart(request: web.Request) -> web.Response:
        await world.restart()
        raise web.HTTPSeeOther("/?restarted")

    app = web.Application(middlewares=[_only_here])
    app.router.add_get("/", home)
    app.router.add_get("/{where:table|dm}/{person}", go)
    app.router.add_post("/restart", restart)
    return app


@web.middleware
async def _only_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses pages of other sites that reach for this one."""
    host = request.host.rsplit(":", 1)[0]
    origin = request.headers.get("Origin")
    if host not in ("127.0.0.1", "localhost"):
        raise web.HTTPForbidden
    if origin not in (None, "null", f"http://{request.host}"):
        raise web.HTTPForbidden
    return await handler(request)


def _page(*, restarted: bool) -> web.Response:
    people = "\n".join(
        f'<li><b class="name">{html.escape(name)}</b>'
        f'<a class="door" href="/table/{name.lower()}" target="table">At the table</a>'
        f'<a class="door quiet" href="/dm/{name.lower()}" target="table">Direct messages</a></li>'
        for name in PEOPLE
    )
    note = (
        '<p class="note" role="status">The bot was stopped and started again. The open page, '
        "its buttons and the cards go on where they were.</p>"
        if restarted
        else ""
    )
    template = Template(files("bot.demo").joinpath("start.html").read_text(encoding="utf-8"))
    english, found = texts("en"), games()
    full = [game for game in found if found[game].info.seats[0] == len(PEOPLE)]
    text = template.substitute(
        people=people,
        note=note,
        channel=CHANNEL,
        games=html.escape(", ".join(map(english.game_name, found))),
        four=html.escape(english.list([english.game_name(game) for game in full])),
    )
    return web.Response(text=text, content_type="text/html", headers=_HEADERS)
