"""Hands as pictures: who gets one, when it is sent again, and what stands in its place."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from bot.i18n import texts
from bot.pictures.felt import Picture
from bot.render.alt_text import board_in_words, hand_in_words, result_in_words
from bot.render.custom_ids import Verb
from bot.render.seats import asking_one
from bot.tables.model import Table
from bot.tables.stored import Status
from bot.views.building import channel_view, table_head
from bot.views.values import BoardView, ResultView
from engine.layout import PLAYABLE, Choice, Layout, Trick
from engine.registry import games
from tests.discord.steps import actor, find, match, tables
from tests.discord.ways import act_by_command, act_in_channel, act_in_dm, play_on
from tests.discord.world import NAMES, Player, Shown, World

pytestmark = pytest.mark.pictures

EN = texts("en")


def items(shown: Shown) -> Iterator[dict[str, Any]]:
    """The pictures of a message."""
    waiting = list(shown.components)
    while waiting:
        part = waiting.pop(0)
        yield from part.get("items", ())
        waiting += part.get("components", [])


def address(shown: Shown) -> str:
    """Where its only picture lies."""
    (item,) = items(shown)
    return str(item["media"]["url"])


def files(w: World, shown: Shown) -> list[str]:
    """Where the files of a message lie, shown or not."""
    stored = w.env.backend.get_message(shown.channel, shown.id)
    return [file["url"] for file in stored.attachments]


def uploads(w: World) -> int:
    """How many files were sent so far."""
    return len(w.env.backend.cdn._blobs)


def described(table: Table, player: Player) -> str:
    """The hand in words, as it is known to be."""
    layout = table.game.layout(table.seen_by(player.id))
    return hand_in_words(table_head(table), asking_one(layout), EN)


def opens(layout: Layout) -> bool:
    """Whether there is a number of which some sets can be played, and not with every card."""
    choices = [one for one in layout.controls if isinstance(one, Choice) and len(one.acts) > 1]
    offered = {card for one in choices[:1] for act in one.acts for card in act.cards}
    return bool(offered) and len(offered) < sum(PLAYABLE in card.marks for card in layout.hand)


async def dealt(w: World, game: str) -> Table:
    table = await match(w, game=game, dms=True)
    await w.env.advance_time(1)
    return table


@pytest.mark.parametrize("game", games())
async def test_a_hand_is_a_picture_that_its_owner_alone_gets_and_the_same_in_words(
    game: str, w: World
) -> None:
    table = await dealt(w, game)
    seen = {}
    for player in await w.actors():
        panel = player.dm()
        (item,) = items(panel)
        assert item["description"] == described(table, player)
        assert files(w, panel) == [address(panel)]
        content = w.env.backend.cdn.get(address(panel))
        assert content is not None
        assert content.startswith(b"\x89PNG")
        assert struct.unpack(">II", content[16:24])[0] == 800
        assert len(content) <= 30_000
        assert " │ " not in panel.text, "the hand stands there twice"
        seen[player.id] = address(panel).rpartition("/")[2]
    for _, owner, stored in w.standing():
        for user, name in seen.items():
            assert owner == user or name not in str(stored)


async def test_every_picture_that_is_shown_is_there_through_a_whole_match(w: World) -> None:
    await dealt(w, "aufundab")
    rng = random.Random(4)
    for _ in range(25):
        actors = await w.actors()
        if not actors:
            break
        await act_in_dm(actors[0], rng)
        await w.env.advance_time(1)
        table = await w.table()
        for player in await w.actors():
            panel = player.dm()
            assert [item["description"] for item in items(panel)] == [described(table, player)]
        for _, _, stored in w.standing():
            shown = Shown(stored["channel_id"], stored["id"], stored["components"])
            there = [file["url"] for file in stored["attachments"]]
            assert there == [item["media"]["url"] for item in items(shown)]


@pytest.mark.nightly
async def test_a_picture_that_is_there_already_is_not_sent_again(w: World) -> None:
    table = await find(w, await dealt(w, "aufundab"), opens)
    await w.env.advance_time(1)
    player = actor(w, table)
    panel = player.dm()
    before = uploads(w)
    (opening, *_) = [one for one, _ in panel.presses(Verb.OPEN) if one.argument]
    await player.press(panel, opening.encode())
    opened = w.refreshed(panel)
    assert address(opened) != address(panel), "only what can be chosen is bright"
    assert uploads(w) == before + 1
    await player.slash("play", action=(await player.legal())[0])
    await w.env.advance_time(1)
    panel = w.refreshed(panel)
    (before, shown) = (uploads(w), address(panel))
    for _ in range(2):
        await player.press_verb(w.refreshed(panel), Verb.HAND)
    assert (uploads(w), address(w.refreshed(panel))) == (before, shown)


@pytest.mark.parametrize("fails", ["raises", "hangs"])
async def test_what_cannot_be_drawn_is_text(
    fails: str, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    def broken(*_: object) -> Picture:
        raise ValueError("R7 B8")

    monkeypatch.setattr("bot.publish.picture_cache.cards_picture", broken)
    if fails == "hangs":
        monkeypatch.setattr("bot.publish.picture_cache.MAX_QUEUED", 0)
    table = await dealt(w, "sticheln")
    panel = actor(w, table).dm()
    assert panel is not None
    assert not list(items(panel))
    assert panel.presses(Verb.ACT)


@pytest.mark.nightly
async def test_a_deck_is_chosen_for_oneself_and_outlives_a_restart(w: World) -> None:
    table = await dealt(w, "sticheln")
    player = actor(w, table)
    usual = address(await player.hand()).rpartition("/")[2]
    said = await player.slash("preferences")
    assert "Each colour has a shape of its own." in said
    page = player.panel
    assert len(list(items(page))) == 3
    for item in items(page):
        assert item["description"]
    (press,) = [press for press, _ in page.presses(Verb.DECK)]
    said = await player.choose(page, press.encode(), "contrast")
    assert "High contrast" in str(player.panel)
    changed = address(await player.hand()).rpartition("/")[2]
    assert changed != usual
    await w.restart()
    assert address(await player.hand()).rpartition("/")[2] == changed
    other = next(one for one in w.players.values() if one.id != player.id)
    assert "Each colour has a shape of its own." in await other.slash("preferences", dm=True)


async def test_whoever_wants_text_gets_no_picture_and_the_whole_hand(w: World) -> None:
    table = await match(w, game="aufundab")
    player = actor(w, table)
    panel = await player.hand()
    (item,) = items(panel)
    said = await player.slash("preferences", deck="text")
    assert "No pictures" in said
    assert not list(items(player.panel))
    panel = await player.hand()
    assert not list(items(panel))
    held = {card.code for card in table.game.layout(table.seen_by(player.id)).hand}
    assert all(code in panel.text.replace("\N{NON-BREAKING HYPHEN}", "-") for code in held)
    assert all(EN.card_name("aufundab", code) in item["description"] for code in held)


@pytest.mark.nightly
async def test_a_deck_that_is_not_for_the_game_is_the_usual_one_there(w: World) -> None:
    shown = {}
    for game in ("aufundab", "kaiserspiel"):
        channel = w.room(game).id
        table = await match(w, *NAMES[:4], game=game, channel=channel)
        player = actor(w, table)
        for deck in ("standard", "german"):
            await player.slash("preferences", deck=deck)
            await player.slash("hand", table=table.id)
            shown[game, deck] = address(player.panel).rpartition("/")[2]
    assert shown["aufundab", "german"] == shown["aufundab", "standard"]
    assert shown["kaiserspiel", "german"] != shown["kaiserspiel", "standard"]


@pytest.mark.nightly
async def test_a_board_is_a_picture_of_what_lies_there_and_a_result_of_how_it_went(
    w: World,
) -> None:
    table = await match(w, game="sticheln", rounds=2)
    table = await find(w, table, lambda layout: len(trick(layout)) == 2)
    await w.env.advance_time(2)
    view = channel_view(table)
    assert isinstance(view, BoardView)
    (item,) = items(w.board())
    assert item["description"] == board_in_words(view.head, view.layout, EN)
    assert files(w, w.board()) == [item["media"]["url"]]
    led, *_ = trick(view.layout)
    assert EN.card("sticheln", led) not in w.board().text, "it stands there twice"
    before = address(w.board())
    await play_on(w, act_by_command, random.Random(1))
    await w.env.advance_time(2)
    table = await tables(w).table(table.id)
    assert table.stored.status is Status.FINISHED
    result = channel_view(table)
    assert isinstance(result, ResultView)
    (item,) = items(w.board())
    assert item["description"] == result_in_words(result, EN)
    assert item["media"]["url"] != before
    said = await w.ann.slash("leaderboard")
    (item,) = items(w.ann.panel)
    assert all(name in item["description"] for name in ("Ann", "Ben", "Cat"))
    assert "Ann" in said


@pytest.mark.nightly
async def test_without_the_permission_to_attach_files_hands_and_boards_are_text(w: World) -> None:
    table = await match(w, game="sticheln")
    player = actor(w, table)
    assert list(items(await player.hand()))
    await w.permit(attach_files=False)
    panel = await player.hand()
    assert not list(items(panel))
    assert panel.presses(Verb.ACT)
    table = await find(w, table, lambda layout: len(trick(layout)) == 2)
    await w.env.advance_time(2)
    assert not list(items(w.board()))
    for _ in range(3):
        await act_in_channel((await w.actors())[0], random.Random(1))
        await w.env.advance_time(2)
    assert all(not list(items(one.panel)) for one in w.players.values() if one.whispered)
    told = [shown for shown in w.ann.dms() if "Attach Files" in shown.text]
    assert len(told) == 1
    assert not [s for p in (w.ben, w.cat) for s in p.dms() if "Attach Files" in s.text]
    table = await find(w, await w.table(), lambda layout: len(trick(layout)) == 2)
    await w.env.advance_time(2)
    for card in trick(table.game.layout(table.observe(None))):
        assert EN.card("sticheln", card) in w.board().text


def trick(layout: Layout) -> list[str]:
    """The cards of the trick as it stands."""
    tricks = (block for block in layout.blocks if isinstance(block, Trick))
    return [laid.card for one in tricks if one.role == "current" for laid in one.cards]
