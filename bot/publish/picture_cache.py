"""Pictures for messages: drawn in a thread, and cached.

A draw waits a moment for a picture and no longer; without it the message says the same as text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVarTuple

import structlog
from cachetools import LRUCache

from bot.i18n import Texts, texts
from bot.ids import UserId
from bot.pictures.artwork import SAMPLES
from bot.pictures.board import scene_picture
from bot.pictures.chart import curves_picture
from bot.pictures.decks import DECKS, deck_for
from bot.pictures.faces import Face
from bot.pictures.felt import Picture
from bot.pictures.hand import above, cards_picture
from bot.pictures.leaders import leaders_picture
from bot.pictures.open_hands import open_hands, open_hands_picture
from bot.pictures.result import result_picture
from bot.pictures.scene import Shown, board_of, hand_of, scene_of
from bot.pictures.tiles import Look
from bot.publish.readers import Readers
from bot.publish.timings import TIMINGS, Timings
from bot.render.alt_text import short_names
from bot.render.ended import drawn_result
from bot.render.hand import hand_panel, with_dimmed_cards
from bot.render.leaderboard import drawn_leaders
from bot.render.message import Attachment, Message, picture_file
from bot.render.stats import drawn_curves
from bot.views.review import ReviewView
from bot.views.values import (
    BoardView,
    ChannelView,
    HandView,
    LeaderboardView,
    ResultView,
    StatsView,
    TableHead,
)
from engine.layout import Layout

logger = structlog.get_logger(__name__)

MAX_QUEUED: Final = 60
"""Maximum number of pictures that wait to be drawn; further ones are shown as text."""

MAX_BYTES: Final = 6_000_000
"""Bytes of pictures kept: those of some hundred hands."""


Drawn = TypeVarTuple("Drawn")


class PictureCache:
    """Draws pictures for messages, in the deck of their reader."""

    def __init__(self, readers: Readers, timings: Timings = TIMINGS, *, draws: bool = True) -> None:
        """With `draws` false there is never a picture."""
        self._readers, self._waits = readers, timings.picture
        self._draws = draws
        # One thread: drawing leaves the other cores to those who think.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._waiting = 0
        self._drawn: LRUCache[Hashable, Attachment] = LRUCache(
            MAX_BYTES, getsizeof=lambda file: len(file.content)
        )

    async def hand_message(self, view: HandView, user: UserId, *, pictured: bool = True) -> Message:
        """The hand of `user` as their own message, in their language and deck."""
        picture = await self.hand(view, user) if pictured else None
        words, deck = self._readers.texts(user, view.head), self._readers.deck(user)
        return hand_panel(view, words, picture, deck)

    async def hand(self, view: HandView, user: UserId) -> Attachment | None:
        """The hand of `user` as a picture; None where there is none, or they want to see none."""
        if not self._draws or view.pause is not None:
            return None
        await self._readers.ask(view.head)
        words, deck = self._readers.texts(user, view.head), self._readers.deck(user)
        return await self._hand(view.head, with_dimmed_cards(view), words, deck)

    async def _hand(
        self, head: TableHead, layout: Layout, words: Texts, chosen: str
    ) -> Attachment | None:
        """The hand of the owner of the layout, below what lies on the table."""
        game = head.game
        deck = deck_for(chosen, game)
        if deck is None:
            return None
        shown, names = hand_of(game, layout), short_names(head, words)
        scene = above(game, layout, names, shown)
        if not shown and scene is None:
            return None
        return await self._draw(cards_picture, game, shown, deck, scene)

    async def board(self, view: ChannelView, deck: str) -> Attachment | None:
        """The cards on the table, or the result, as a picture; None if there is none."""
        head, game, chosen = view.head, view.head.game, deck_for(deck, view.head.game)
        if not self._draws or chosen is None:
            return None
        words = texts(head.locale)
        if isinstance(view, BoardView) and view.pause is None:
            scene = board_of(game, view.layout, short_names(head, words))
            if scene is not None:
                return await self._draw(scene_picture, game, scene, chosen)
        elif isinstance(view, ResultView) and (result := drawn_result(view, words)) is not None:
            return await self._draw(result_picture, game, result, chosen)
        return None

    async def position(self, view: ReviewView, words: Texts, deck: str) -> Attachment | None:
        """A position of a round that is looked through; None at its end."""
        if not self._draws or view.pause is not None:
            return None
        if not any(view.hands):
            return await self._hand(view.head, view.layout, words, deck)
        return await self._open(view, words, deck)

    async def _open(self, view: ReviewView, words: Texts, chosen: str) -> Attachment | None:
        """All hands below what lies on the table."""
        game, names = view.head.game, short_names(view.head, words)
        deck = deck_for(chosen, game)
        if deck is None:
            return None
        scene = scene_of(game, view.layout, names)
        hands = open_hands(game, names, view.hands, scene)
        return await self._draw(open_hands_picture, game, hands, deck, scene)

    async def leaders(self, view: LeaderboardView, texts: Texts, deck: str) -> Attachment | None:
        """A leaderboard as a picture."""
        chosen = deck_for(deck, "")
        if not self._draws or chosen is None:
            return None
        return await self._draw(leaders_picture, chosen, *drawn_leaders(view, texts))

    async def curves(self, view: StatsView, texts: Texts, deck: str) -> Attachment | None:
        """A person's ratings as a picture."""
        chosen = deck_for(deck, "")
        if not self._draws or chosen is None:
            return None
        return await self._draw(curves_picture, chosen, drawn_curves(view.courses, texts))

    async def samples(self, chosen: str) -> Sequence[tuple[Sequence[Face], Attachment]]:
        """Sample pictures of a deck; none if there are no pictures at all."""
        deck = DECKS.get(chosen)
        if not self._draws or deck is None:
            return ()
        found = []
        for game, faces in SAMPLES.items():
            if not deck.games or game in deck.games:
                shown = tuple(Shown(face, Look.FLAT) for face in faces)
                drawn = await self._draw(cards_picture, game, shown, deck, None)
                if drawn is not None:
                    found.append((faces, drawn))
        return found

    async def _draw(
        self, draw: Callable[[*Drawn], Picture | None], *what: *Drawn
    ) -> Attachment | None:
        """The cached picture, else a new one if it is drawn in time."""
        key = draw, what
        known = self._drawn.get(key)
        if known is not None or self._waiting >= MAX_QUEUED:
            return known

        def work() -> Attachment | None:
            drawn = draw(*what)
            return None if drawn is None else picture_file(drawn.png)

        try:
            drawing = asyncio.get_running_loop().run_in_executor(self._thread, work)
        except RuntimeError:  # closed meanwhile
            return None
        self._waiting += 1
        drawing.add_done_callback(partial(self._keep, key))
        await asyncio.wait([drawing], timeout=self._waits)
        return self._drawn.get(key)

    def _keep(self, key: Hashable, drawing: asyncio.Future[Attachment | None]) -> None:
        """Cache the picture for the messages that show it next."""
        self._waiting -= 1
        if drawing.cancelled():
            return
        error = drawing.exception()
        if error is not None:  # its words could name cards
            logger.error("picture_not_drawn", kind=type(error).__name__)
        elif (drawn := drawing.result()) is not None:
            self._drawn[key] = drawn

    def close(self) -> None:
        """Draws nothing any more."""
        self._draws = False
        self._thread.shutdown(wait=False, cancel_futures=True)
