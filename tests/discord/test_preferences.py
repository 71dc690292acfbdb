"""What people choose for all servers: the panel, and what each choice does at a table."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.preferences import HandBy, Preferences
from bot.tables.stored import Pace
from engine.layout import Choice, Control
from tests.discord.steps import actor, find, match, play
from tests.discord.test_pictures import trick
from tests.discord.world import NAMES, Player, World

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


# Confirming a card


async def asked_about(w: World, table: Table) -> tuple[Player, Press]:
    """Somebody presses the first card that they may play, and is asked whether they mean it."""
    player = actor(w, table)
    panel = await player.hand()
    card = next(press for press, _ in panel.presses(Verb.ACT) if press.argument.startswith("play"))
    said = await player.press(panel, card.encode())
    assert "Play " in said
    assert "?**" in said
    assert not player.panel.presses(Verb.ACT)
    return player, card


@pytest.mark.behaviour("Somebody wants to be asked before a card is played")
async def test_a_card_is_played_only_once_its_player_says_so(w: World) -> None:
    for one in (w.ann, w.ben, w.cat, w.dan):
        await prefer(one, "playing", "confirm", "always")
    table = await match(w, game="sticheln", pace=Pace.LIVE60)
    table = await find(w, table, lambda layout: len(trick(layout)) == 1)
    player, card = await asked_about(w, table)
    assert (await w.table()).ply == table.ply, "nothing is stored yet"
    await player.press_verb(player.panel, Verb.OPEN)
    assert player.panel.presses(Verb.ACT), "back to the hand"
    await player.press(player.panel, card.encode())
    await player.press_verb(player.panel, Verb.ACT_NOW)
    after = await w.table()
    assert (after.ply, after.log[-1].text) == (table.ply + 1, card.argument)


async def test_a_confirmation_of_a_question_that_has_passed_changes_nothing(w: World) -> None:
    for one in (w.ann, w.ben, w.cat, w.dan):
        await prefer(one, "playing", "confirm", "always")
    table = await match(w, game="sticheln", pace=Pace.LIVE60)
    table = await find(w, table, lambda layout: len(trick(layout)) == 1)
    player, card = await asked_about(w, table)
    old = player.panel.only(Verb.ACT_NOW)
    await player.slash("play", action=card.argument)
    after = await w.table()
    assert after.ply == table.ply + 1, "what is typed is not asked about"
    said = await w.answer(player, player.panel, old)
    assert (await w.table()).ply == after.ply
    assert "already" in said or "over" in said or "moved on" in said, said
    stranger = next(one for one in (w.ann, w.ben, w.cat, w.dan) if one is not player)
    await w.answer(stranger, w.board(), old)
    assert (await w.table()).ply == after.ply


@pytest.mark.parametrize(("pace", "asks"), [(Pace.LIVE60, False), (Pace.DAILY, True)])
async def test_at_slow_tables_alone(pace: Pace, asks: bool, w: World) -> None:
    for one in (w.ann, w.ben, w.cat, w.dan):
        await prefer(one, "playing", "confirm", "slow")
    table = await match(w, game="sticheln", pace=pace)
    table = await find(w, table, lambda layout: len(trick(layout)) == 1)
    if asks:
        await asked_about(w, table)
    else:
        await actor(w, table).press_verb(await actor(w, table).hand(), Verb.ACT)
    assert (await w.table()).ply == table.ply + (not asks)


async def test_cards_chosen_together_in_a_menu_are_asked_about_too(w: World) -> None:
    for one in (w.ann, w.ben, w.cat, w.dan):
        await prefer(one, "playing", "confirm", "always")
    table = await match(w, *NAMES[:4], game="kaiserspiel")
    table = await find(w, table, lambda layout: any(map(puts_together, layout.controls)))
    player = actor(w, table)
    panel = await player.hand()
    (choice,) = filter(puts_together, table.game.layout(table.seen_by(player.id)).controls)
    assert isinstance(choice, Choice)
    assert choice.combine is not None
    chosen = choice.combine.cards[:2]
    said = await player.choose(panel, panel.only(Verb.COMBINE), *chosen)
    assert "Throw out two cards: " in said
    assert "is that what you want?" in said
    assert (await w.table()).ply == table.ply
    await player.press_verb(player.panel, Verb.ACT_NOW)
    assert (await w.table()).log[table.ply].text.startswith("discard ")


def puts_together(control: Control) -> bool:
    return isinstance(control, Choice) and control.combine is not None
