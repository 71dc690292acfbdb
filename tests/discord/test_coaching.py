"""Whoever learns a game is told what each kind of decision is for, and why cards are barred."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.i18n import HYPHEN, texts
from bot.ids import UserId
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.preferences import Preferences
from bot.tables.stored import Status
from engine.layout import Layout, Phrase, Trick
from engine.registry import games
from tests.discord.steps import actor, find, match, play
from tests.discord.test_preferences import subject
from tests.discord.ways import act_in_dm
from tests.discord.world import Player, World, world

EN = texts("en")
BULB = "💡"


def tip_of(table: Table, player: Player) -> Phrase:
    tip = table.game.layout(table.seen_by(player.id)).tip
    assert tip is not None
    return tip


def told(table: Table, player: Player) -> str:
    """The line that explains what the player is asked."""
    names = [p.person.name for p in table.stored.seating.places if p.person is not None]
    said = EN.phrase(table.stored.game, tip_of(table, player), names)
    return f"-# {BULB} {said}".replace(HYPHEN, "-")


@pytest.mark.parametrize("game", games())
async def test_the_first_decision_of_each_kind_says_what_it_is_for_and_only_to_its_owner(
    game: str, w: World
) -> None:
    await match(w, game=game, dms=True)
    rng, seen, again = random.Random(game), dict[tuple[str, str], int](), 0
    for _ in range(24):
        table = await w.table()
        for player in await w.actors():
            panel, kind = player.dm(), tip_of(table, player).code
            question = table.questions[await player.seat()]
            if seen.setdefault((player.name, kind), question) != question:
                again += 1
                assert BULB not in panel.text
            else:
                assert told(table, player) in panel.text.splitlines()
                assert panel.text.count(BULB) == 1
                hand = await player.hand()
                assert told(table, player) in hand.text, "the same question, the same tip"
        assert all(BULB not in shown.text for shown in w.messages(w.channel.id))
        actors = await w.actors()
        if not actors:
            break
        await act_in_dm(actors[0], rng)
        await w.env.advance_time(1)
        if actors[0] not in await w.actors():
            assert BULB not in actors[0].dm().text, "it is asked no more"
    assert len(seen) > len(w.players)
    assert again


async def test_board_and_hand_say_what_is_played_for(w: World) -> None:
    """To whoever has finished no match of the game; *No more tips* ends it with the tips."""
    table = await match(w, game="sticheln", dms=True)
    goal = table.game.layout(table.observe(None)).goal
    assert goal is not None
    said = f"-# 🎯 {EN.phrase('sticheln', goal)}"
    assert said in w.board().text.splitlines()
    assert said in w.ann.dm().text.splitlines()
    await w.ann.press_verb(w.ann.dm(), Verb.NO_TIPS)
    assert said not in (await w.ann.hand()).text.splitlines()


@pytest.mark.behaviour("Somebody plays a game for the first time")
async def test_one_press_ends_all_tips_until_they_are_wanted_again(w: World) -> None:
    table = await match(w, game="sticheln", dms=True)
    old = w.ann.dm()
    said = await w.ann.press_verb(old, Verb.NO_TIPS)
    shown = w.ann.dm()
    assert "You won't get any more tips, in any game." in said + shown.text
    assert shown.id == old.id, "the panel is redrawn where it is"
    assert BULB not in shown.text
    assert shown.presses(Verb.ACT), "and asks what it asked"
    assert BULB in w.ben.dm().text, "others learn on"
    await play(w, table, 3)
    await w.env.advance_time(1)
    assert BULB not in (await w.ann.hand()).text
    await w.restart()
    await w.env.advance_time(1)
    await play(w, await w.table())
    await w.env.advance_time(1)
    await match(w, game="aufundab", dms=True)
    assert BULB not in (await w.ann.hand()).text, "at no other game either"
    assert "You won't get any more tips" in await w.answer(w.ann, w.board(), old.only(Verb.NO_TIPS))
    await w.ann.slash("preferences")
    await w.ann.press(w.ann.panel, subject("playing"))
    assert "You get tips again" in await w.ann.press_verb(w.ann.panel, Verb.TIPS)
    assert not w.ann.panel.presses(Verb.TIPS)
    while w.ann not in await w.actors():
        await play(w, await w.table(), 1)
    assert BULB in (await w.ann.hand()).text


async def test_tips_cost_no_call(tmp_path: Path) -> None:
    counts = []
    for learn in (True, False):
        async with world(tmp_path / str(learn), 3, 5) as w:
            readers = w.running.context.readers
            for player in w.players.values():
                # Of strangers too, so that the ids and with them the deals are the same.
                user = UserId(player.id + 1) if learn else player.id
                await w.directly(readers.change(user, "en", lambda _: Preferences(tips=False)))
            await match(w, game="auffalscherfaehrte", dms=True)
            rng, before, tips = random.Random(1), w.calls(), 0
            for _ in range(12):
                (player, *_) = await w.actors()
                tips += BULB in player.dm().text
                await act_in_dm(player, rng)
                await w.env.advance_time(1)
            assert (tips > 0) is learn
            counts.append(w.routes(before))
    assert counts[0] == counts[1]


def barred(table: Table, player: Player) -> set[str]:
    groups = table.game.layout(table.seen_by(player.id)).barred
    return {card for group in groups for card in group.cards}


def follows(layout: Layout) -> bool:
    """Whether somebody has to follow and holds other colours, and others are still to play."""
    tricks = (block for block in layout.blocks if isinstance(block, Trick))
    # Who plays last may take the trick, and is then asked at once, on a new message.
    others = any(len(trick.awaited) > 1 for trick in tricks if trick.role == "current")
    return others and any(one.why.code == "why_follow" for one in layout.barred)


async def following(w: World) -> tuple[Table, Player]:
    """Somebody at a table of Auf falscher Fährte who has to follow, not the last to play."""
    table = await match(w, game="auffalscherfaehrte", dms=True)
    table = await find(w, table, follows)
    await w.env.advance_time(1)
    return table, actor(w, table)


@pytest.mark.nightly
@pytest.mark.behaviour("A card cannot be played")
async def test_why_not_quotes_the_rule_with_the_cards_and_opens_its_page(w: World) -> None:
    table, player = await following(w)
    panel, before, channel = player.dm(), w.calls(), len(w.messages(w.channel.id))
    said = await player.press_verb(panel, Verb.WHY)
    for card in barred(table, player):
        assert EN.card("auffalscherfaehrte", card) in said
    assert " was led and you hold " in said
    assert ": you must follow." in said
    assert "> -# If you hold the colour led, you must play it; if not, play anything." in said
    assert said == player.dm().text, "on the hand itself"
    assert w.calls() - before <= 1, "the answer, and nothing else"
    assert len(w.messages(w.channel.id)) == channel, "nobody else sees it"
    assert not w.board().presses(Verb.WHY), "a board does not tell that a card is barred"
    (rules,) = [one for one, at in player.dm().presses(Verb.RULES) if "page" in at["label"]]
    page = await w.answer(player, player.dm(), rules.encode())
    assert player.dm().text == said, "beside the hand, which stays"
    assert player.dm().presses(Verb.ACT, Verb.OPEN)
    assert "If you hold the colour led, you must play it; if not, play anything." in page


@pytest.mark.nightly
async def test_why_not_is_offered_only_where_a_card_is_barred(w: World) -> None:
    await match(w, game="auffalscherfaehrte", dms=True)
    rng, seen = random.Random(3), set[bool]()
    for _ in range(16):
        table = await w.table()
        for player in await w.actors():
            offered = bool(player.dm().presses(Verb.WHY))
            assert offered == bool(barred(table, player))
            seen.add(offered)
        (player, *_) = await w.actors()
        await act_in_dm(player, rng)
        await w.env.advance_time(1)
    assert seen == {True, False}


@pytest.mark.behaviour("A card cannot be played")
async def test_why_not_on_an_old_panel_shows_what_is_asked_now(w: World) -> None:
    table, player = await following(w)
    panel = player.dm()
    why = panel.only(Verb.WHY)
    await player.slash("play", action=(await player.legal())[0])
    await w.env.advance_time(1)
    assert "You have already played" in await w.answer(player, panel, why)
    stranger = next(one for one in w.players.values() if one.id != player.id)
    said = await w.answer(stranger, w.board(), why)
    assert said
    assert "was led and you hold" not in said
    table = await play(w, table)
    await w.env.advance_time(1)
    assert table.stored.status is Status.FINISHED
    said = await w.answer(player, panel, why)
    assert said
    assert "was led and you hold" not in said
