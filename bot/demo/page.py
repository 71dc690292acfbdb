"""The start page: who sits where, what to type, and doors to the simulated Discord."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final, TypeAlias

from aiohttp import web

from bot.demo.world import CHANNEL, PEOPLE, SHORT_POINTS, View, World
from bot.i18n import Texts, rules_pages, texts
from bot.pictures.decks import DECKS, STANDARD
from bot.pictures.fan import FANNED, fan, packed
from engine.registry import games

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

_HEADERS: Final = {
    "Cache-Control": "no-store",
    # A form leads on to the simulated Discord, which has a port of its own.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "img-src 'self'; "
    "form-action 'self' http://127.0.0.1:*",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

_CARD: Final = 100
"""Pixels of a card's width: twice as many as where the page is widest."""


def start_page(world: World) -> web.Application:
    """The start page of `world`; everything it offers is for this computer only."""

    async def home(request: web.Request) -> web.Response:
        return _page(restarted="restarted" in request.query)

    async def cards(request: web.Request) -> web.Response:
        game = request.match_info["game"]
        if game not in FANNED:
            raise web.HTTPNotFound
        # In a thread: the bot answers meanwhile.
        png = await asyncio.to_thread(_cards, game)
        return web.Response(body=png, content_type="image/png", headers=_HEADERS)

    async def go(request: web.Request) -> web.Response:
        person = request.match_info["person"].capitalize()
        if person not in PEOPLE:
            raise web.HTTPNotFound
        url = await world.show(View(person, direct=request.match_info["where"] == "dm"))
        raise web.HTTPFound(url, headers={"Cache-Control": "no-store"})

    async def play(request: web.Request) -> web.Response:
        said = await request.post()
        game = said.get("game")
        if not isinstance(game, str) or game not in games():
            raise web.HTTPNotFound
        raise web.HTTPSeeOther(
            await world.play(game, short="short" in said), headers={"Cache-Control": "no-store"}
        )

    async def restart(request: web.Request) -> web.Response:
        await world.restart()
        raise web.HTTPSeeOther("/?restarted")

    app = web.Application(middlewares=[_only_here])
    app.router.add_get("/", home)
    app.router.add_get("/cards/{game}.png", cards)
    app.router.add_get("/{where:table|dm}/{person}", go)
    app.router.add_post("/play", play)
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
        "its buttons and the cards carry on where they were.</p>"
        if restarted
        else ""
    )
    english, found = texts("en"), games()
    play = "\n".join(
        f'<button name="game" value="{game}"><b>{html.escape(english.game_name(game))}</b>'
        f"<span>{'<br>'.join(map(html.escape, _what_it_is(game, english)))}</span>"
        f"{_picture(game, english)}</button>"
        for game in found
    )
    template = Template(files("bot.demo").joinpath("start.html").read_text(encoding="utf-8"))
    full = [game for game in found if found[game].info.seats[0] == len(PEOPLE)]
    text = template.substitute(
        people=people,
        play=play,
        note=note,
        channel=CHANNEL,
        points=SHORT_POINTS,
        games=html.escape(", ".join(map(english.game_name, found))),
        four=html.escape(english.list([english.game_name(game) for game in full])),
    )
    return web.Response(text=text, content_type="text/html", headers=_HEADERS)


def _what_it_is(game: str, words: Texts) -> tuple[str, ...]:
    """What is played for; below it by how many and how long, as its rules begin with it."""
    first = rules_pages(game, words.language)[0]
    found = re.search(r"^\*\*(.+?·.+?) · .*\*\*", first, re.MULTILINE)
    if found is None:
        return (words.game_tagline(game),)
    # A number stands on one line with what it counts.
    return words.game_tagline(game), re.sub(r"(?<=\d) ", "\u00a0", found[1])


@cache
def _cards(game: str) -> bytes:
    """A few cards of a game, as a PNG."""
    return packed(fan(FANNED[game], DECKS[STANDARD], _CARD))


def _picture(game: str, words: Texts) -> str:
    """Where these cards stand on the page; nothing for a game whose cards nobody has chosen."""
    if game not in FANNED:
        return ""
    named = words.list([words.card_name(game, face.code) for face in FANNED[game]])
    return f'<img src="/cards/{game}.png" alt="Some of its cards: {html.escape(named)}">'
