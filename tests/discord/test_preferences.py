"""What people choose for all servers: the panel, and what each choice does at a table."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.preferences import HandBy, Preferences
from bot.tables.stored import Pace
from tests.discord.steps import actor, match, play
from tests.discord.world import Player, World

NOT_OFFERED = "none of the choices that I offer"


def subject(name: str) -> str:
    """The button of a page of the panel."""
    return Press(Verb.PREFERENCES, argument=name).encode()


def menu(name: str) -> str:
    """The menu of one preference."""
    return Press(Verb.PREFER, argument=name).encode()


async def prefer(player: Player, page: str, name: str, value: str) -> str:
    """They open the panel, turn to a page of it, and choose."""
    await player.slash("preferences")
    await player.press(player.panel, subject(page))
    return await player.choose(player.panel, menu(name), value)


async def chosen(w: World, player: Player) -> Preferences:
    return await w.directly(w.running.context.readers.preferences_of(player.id))


async def test_the_panel_turns_to_each_subject_and_shows_what_is_chosen(w: World) -> None:
    assert "Your cards" in await w.ann.slash("preferences")
    said = await w.ann.press(w.ann.panel, subject("playing"))
    assert "Your hand at a table with others" in said
    assert "It comes by direct message" in said
    said = await w.ann.choose(w.ann.panel, menu("hand"), "button")
    assert "only behind **My hand**" in said
    assert (await chosen(w, w.ann)).hand is HandBy.BUTTON
    assert (await chosen(w, w.ben)).hand is HandBy.LETTER
    await w.ann.press(w.ann.panel, subject("cards"))
    await w.ann.choose(w.ann.panel, w.ann.panel.only(Verb.DECK), "large")
    await w.restart()
    assert await chosen(w, w.ann) == Preferences("large", hand=HandBy.BUTTON)
    assert "as large as a card allows" in await w.ann.slash("preferences", dm=True)


async def test_what_was_never_offered_is_refused_and_changes_nothing(w: World) -> None:
    await w.ann.slash("preferences")
    page = w.ann.panel
    for press, values in (
        (menu("hand"), ["9"]),
        (menu("hand"), []),
        (menu("deck"), ["large"]),
        (menu("__class__"), ["x"]),
        (page.only(Verb.DECK), ["x"]),
        (page.only(Verb.DECK), []),
        (subject("nothing"), []),
    ):
        said = await w.answer(w.ann, page, press, kind=3, values=values)
        assert NOT_OFFERED in said, press
    assert await chosen(w, w.ann) == Preferences()


async def test_a_panel_of_an_hour_ago_still_chooses_and_shows_it_on_a_fresh_one(w: World) -> None:
    await w.ann.slash("preferences")
    await w.ann.press(w.ann.panel, subject("playing"))
    old = w.ann.panel
    await w.env.advance_time(timedelta(hours=1).total_seconds())
    said = await w.answer(w.ann, old, menu("hand"), kind=3, values=["button"])
    assert "only behind **My hand**" in said
    assert (await chosen(w, w.ann)).hand is HandBy.BUTTON


@pytest.mark.behaviour("Somebody has chosen to have their hand only behind *My hand*")
async def test_whoever_wants_no_hand_by_direct_message_is_called_in_the_channel(w: World) -> None:
    for player in (w.ann, w.ben, w.cat):
        await prefer(player, "playing", "hand", "button")
    table = await match(w, dms=True, pace=Pace.LIVE60)
    await w.env.advance_time(2)
    player = actor(w, table)
    assert not any(one.dms() for one in (w.ann, w.ben, w.cat))
    lines = [one for one in w.messages(w.channel.id) if f"<@{player.id}>" in one.text]
    assert lines, "the line calls them"
    assert (await player.hand()).presses(Verb.ACT)
    # They change their mind: the next one comes by direct message again.
    for one in (w.ann, w.ben, w.cat):
        await prefer(one, "playing", "hand", "letter")
    await play(w, table, 1)
    await w.env.advance_time(2)
    (after,) = await w.actors()
    assert after.dm().presses(Verb.ACT)


async def test_whoever_sits_down_hears_where_their_hand_will_be(w: World) -> None:
    await prefer(w.ben, "playing", "hand", "button")
    await w.ann.slash("newgame", game="sticheln")
    assert "so you chose in" in await w.ben.press_verb(w.board(), Verb.JOIN)
    assert not w.ben.dms()
