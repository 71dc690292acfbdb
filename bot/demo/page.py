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
from bot.i18n import Texts, as_typed, rules_pages, texts
from bot.pictures.artwork import FANNED, fan, packed
from bot.pictures.decks import DECKS, STANDARD
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

_SAID: Final = (
    *("tab", "title", "lead", "play_title", "short", "play_told", "people_title", "people_told"),
    *("evening_title", "restart_title", "restart_told", "restart", "foot"),
)
"""Sentences of the page, by the last part of their code."""

_SHORT: Final = "short"
"""The box for short matches, and the cookie that remembers it."""

STEPS: Final = 6
"""Steps of an evening among friends."""

_CARD: Final = 100
"""Pixels of a card's width: twice as many as where the page is widest."""


def start_page(world: World) -> web.Application:
    """The start page of `world`; everything it offers is for this computer only."""

    async def home(request: web.Request) -> web.Response:
        return _page(
            texts(world.language),
            restarted="restarted" in request.query,
            short=_SHORT in request.cookies,
        )

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
        short = _SHORT in said
        table = web.HTTPSeeOther(
            await world.play(game, short=short), headers={"Cache-Control": "no-store"}
        )
        if short:
            table.set_cookie(_SHORT, "on", httponly=True, samesite="Strict")
        else:
            table.del_cookie(_SHORT)
        raise table

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


def _page(words: Texts, *, restarted: bool, short: bool) -> web.Response:
    found = games()
    four = [game for game in found if found[game].info.seats[0] == len(PEOPLE)]
    named: dict[str, object] = {
        "four": words.list([words.game_name(game) for game in four]),
        "games": ", ".join(map(words.game_name, found)),
        "channel": CHANNEL,
        "points": SHORT_POINTS,
        "at_table": words.get("demo.at_table"),
        "direct": words.get("demo.direct"),
        **{name: words.get(f"button.{name}") for name in ("hand", "join", "start", "ready", "cut")},
    }

    def say(name: str) -> str:
        return _html(words.get(f"demo.{name}", **named))

    template = Template(files("bot.demo").joinpath("start.html").read_text(encoding="utf-8"))
    note = f'<p class="note" role="status">{say("restarted")}</p>' if restarted else ""
    text = template.substitute(
        {name: say(name) for name in _SAID},
        language=words.language,
        note=note,
        checked=" checked" if short else "",
        play="\n".join(_game(game, words) for game in found),
        people="\n".join(_person(name, say) for name in PEOPLE),
        evening="\n".join(f"<li>{say(f'evening_{step}')}</li>" for step in range(1, STEPS + 1)),
    )
    return web.Response(text=text, content_type="text/html", headers=_HEADERS)


def _html(said: str) -> str:
    """A sentence as HTML: its formats, and commands, which can be pressed on Discord alone."""
    said = html.escape(as_typed(said), quote=False)
    for mark, tag in ((r"\*\*", "b"), (r"\*", "i"), ("`", "code")):
        said = re.sub(f"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", said)
    return said


def _game(game: str, words: Texts) -> str:
    return (
        f'<button name="game" value="{game}"><b>{html.escape(words.game_name(game))}</b>'
        f"<span>{'<br>'.join(map(html.escape, _what_it_is(game, words)))}</span>"
        f"{_picture(game, words)}</button>"
    )


def _person(name: str, say: Callable[[str], str]) -> str:
    return (
        f'<li><b class="name">{html.escape(name)}</b>'
        f'<a class="door" href="/table/{name.lower()}" target="table">{say("at_table")}</a>'
        f'<a class="door quiet" href="/dm/{name.lower()}" target="table">{say("direct")}</a></li>'
    )


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
    said = words.get("demo.some_cards", cards=named)
    return f'<img src="/cards/{game}.png" alt="{html.escape(said)}">'
