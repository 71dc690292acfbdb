"""What people choose for all servers: the panel, and what each choice does at a table."""

from __future__ import annotations

import re
from datetime import time, timedelta

import pytest

from bot.ids import GuildId, QuestionId
from bot.render.custom_ids import Press, Verb
from bot.render.preferences import QUIET_FIELDS
from bot.tables.model import Table
from bot.tables.preferences import HandBy, Preferences, Quiet
from bot.tables.stored import Pace
from engine.layout import Choice, Control
from tests.discord.steps import actor, find, kick, lobby, match, minutes, person, play, stop, tables
from tests.discord.test_pictures import trick
from tests.discord.test_planning import come, pass_time
from tests.discord.test_plans_later import pinged
from tests.discord.test_ringing import SILENT
from tests.discord.world import NAMES, Player, Shown, World

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
    assert "Confirm your cards" in await w.ann.press(w.ann.panel, subject("playing"))
    said = await w.ann.press(w.ann.panel, subject("called"))
    assert "comes by direct message" in said
    said = await w.ann.choose(w.ann.panel, menu("hand"), "button")
    assert "I send you neither hands nor invitations" in said
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


async def test_a_panel_of_long_ago_still_chooses_and_shows_it_on_a_fresh_one(w: World) -> None:
    await w.ann.slash("preferences")
    await w.ann.press(w.ann.panel, subject("called"))
    old = w.ann.panel
    await minutes(w, 16)  # it cannot be edited for much longer, and soon not at all
    said = await w.answer(w.ann, old, menu("hand"), kind=3, values=["button"])
    assert "I send you neither hands nor invitations" in said
    assert w.whispers(w.ann)[-1].id != old.id
    assert (await chosen(w, w.ann)).hand is HandBy.BUTTON


@pytest.mark.behaviour("Somebody has chosen to have their hand only behind *My hand*")
async def test_whoever_wants_no_hand_by_direct_message_is_called_in_the_channel(w: World) -> None:
    for player in (w.ann, w.ben, w.cat):
        await prefer(player, "called", "hand", "button")
    table = await match(w, dms=True, pace=Pace.LIVE60)
    await w.env.advance_time(2)
    player = actor(w, table)
    assert not any(one.dms() for one in (w.ann, w.ben, w.cat))
    lines = [one for one in w.messages(w.channel.id) if f"<@{player.id}>" in one.text]
    assert lines, "the line calls them"
    assert (await player.hand()).presses(Verb.ACT)
    # They change their mind: the next one comes by direct message again.
    for one in (w.ann, w.ben, w.cat):
        await prefer(one, "called", "hand", "letter")
    await play(w, table, 1)
    await w.env.advance_time(2)
    (after,) = await w.actors()
    assert after.dm().presses(Verb.ACT)


async def test_whoever_sits_down_hears_where_their_hand_will_be(w: World) -> None:
    await prefer(w.ben, "called", "hand", "button")
    await w.ann.slash("newgame", game="sticheln")
    assert "so you chose in" in await w.ben.press_verb(w.board(), Verb.JOIN)
    assert not w.ben.dms()


@pytest.mark.behaviour("Somebody has chosen to have their hand only behind *My hand*")
async def test_whoever_wants_no_direct_messages_is_invited_in_the_channel(w: World) -> None:
    await prefer(w.ben, "called", "hand", "button")
    await w.ann.slash("newgame", game="sticheln", private=True)
    for player in (w.ben, w.cat):
        await w.ann.slash("seat invite", player=player.user)
        assert any(f"<@{player.id}>" in one.text for one in w.messages(w.channel.id))
    assert not w.ben.dms()
    assert len(w.cat.dms()) == 1
    await w.ann.slash("leave")
    await minutes(w, 5)  # so many messages are not posted for one person at once
    await w.ann.slash("newgame", game="aufundab", at="in 2h")
    await come(w, "Ben", "Cat")
    await pass_time(w, hours=2)
    (line,) = [one for one in w.messages(w.channel.id) if "has opened" in one.text]
    assert f"<@{w.ben.id}>" in line.text
    assert not w.ben.dms()
    assert len(w.cat.dms()) == 2


# Calls


@pytest.mark.behaviour("Somebody wants only one call for each decision")
@pytest.mark.parametrize("dms", [True, False])
async def test_whoever_wants_one_call_is_neither_warned_nor_nudged(dms: bool, w: World) -> None:
    for one in (w.ann, w.ben, w.cat):
        await prefer(one, "called", "calls", "once")
    table = await match(w, dms=dms, pace=Pace.RELAXED)
    player = actor(w, table)
    other = next(one for one in (w.ann, w.ben, w.cat) if one is not player)
    called = player.dms() if dms else calls(w, player)
    await minutes(w, 6)
    await other.press_verb(w.board(), Verb.MORE)
    said = await other.press_verb(other.panel, Verb.NUDGE)
    assert UNWANTED in said
    await minutes(w, 3)
    now = await w.table()
    assert now.stored.timing.warned == now.questions[now.actors[0]], "the others would be warned"
    assert (player.dms() if dms else calls(w, player)) == called


def calls(w: World, player: Player) -> list[Shown]:
    """Lines in the channel that call them to play."""
    return [one for one in w.messages(w.channel.id) if f"<@{player.id}>" in one.text]


async def test_of_two_who_are_asked_only_the_one_who_wants_it_is_warned(w: World) -> None:
    await prefer(w.ann, "called", "calls", "once")
    table = await match(w, "Ann", "Ben", "Cat", "Dan", game="sticheln", pace=Pace.RELAXED)
    assert len(table.actors) == 4
    await minutes(w, 8)
    lines = [one for one in w.messages(w.channel.id) if f"<@{w.ben.id}>" in one.text]
    assert lines
    assert not calls(w, w.ann), "the line of the warning takes the place of the first"


# Quiet hours

UNWANTED = "doesn't want to be called once more just now"


async def sleep(player: Player, begin: str, end: str, zone: str = "UTC") -> str:
    """They type their quiet hours."""
    await player.slash("preferences")
    await player.press(player.panel, subject("called"))
    await player.press(player.panel, Press(Verb.QUIET).encode())
    return await player.send_form({"begin": begin, "end": end, "zone": zone})


async def test_quiet_hours_are_typed_shown_and_taken_back(w: World) -> None:
    said = await sleep(w.ann, "10 pm", "7:00", "europe/zurich")
    assert "From 22:00 to 07:00 (Europe/Zurich)" in said
    assert "longer than 10 hours" in await sleep(w.ann, "20:00", "7:00")
    assert "Mars" in await sleep(w.ann, "20:00", "7:00", "Mars")
    quiet = (await chosen(w, w.ann)).quiet
    assert quiet == Quiet(time(22), time(7), "Europe/Zurich")
    await w.ann.slash("preferences")
    await w.ann.press(w.ann.panel, subject("called"))
    off = Press(Verb.QUIET, argument="0").encode()
    assert "I call you at any hour" in await w.ann.press(w.ann.panel, off)
    assert (await chosen(w, w.ann)).quiet is None
    assert NOT_OFFERED in await w.answer(w.ann, w.ann.panel, off.replace("0", "1"))


async def test_refused_quiet_hours_can_be_mended_without_typing_all_anew(w: World) -> None:
    typed = ("half past ten", "7 am", "America/Argentina/ComodRivadavia")
    assert "I can't read “half past ten” as a time of day" in await sleep(w.ann, *typed)
    assert (await chosen(w, w.ann)).quiet is None
    panel = w.ann.panel
    assert "I call you at any hour" in panel.text
    again, _ = panel.presses(Verb.QUIET)[0]
    await w.ann.press(panel, again.encode())
    fields = [label["component"] for label in w.ann.form["components"]]
    assert tuple(field["value"] for field in fields) == typed
    assert all(len(field["value"]) <= field["max_length"] for field in fields)
    filled = {"begin": "22:30", "end": typed[1], "zone": typed[2]}
    assert "From 22:30 to 07:00" in await w.ann.send_form(filled)
    assert w.ann.panel.id == panel.id, "the refusal stands no longer"
    await w.ann.press(w.ann.panel, w.ann.panel.presses(Verb.QUIET)[0][0].encode())
    assert w.ann.form["components"][0]["component"]["value"] == "22:30"


async def test_what_is_typed_into_quiet_hours_fits_into_a_button(w: World) -> None:
    long = {name: "|" * length for name, length in QUIET_FIELDS.items()}
    await sleep(w.ann, **long)
    again, shown = w.ann.panel.presses(Verb.QUIET)[0]
    assert len(shown["custom_id"]) <= 100
    assert Press.decode(shown["custom_id"]) == again
    await w.ann.press(w.ann.panel, again.encode())
    assert len(w.ann.form["components"]) == len(QUIET_FIELDS)


@pytest.mark.behaviour("Somebody has quiet hours")
@pytest.mark.parametrize("dms", [True, False])
async def test_in_quiet_hours_nothing_calls(dms: bool, w: World) -> None:
    now = w.now()
    begin, end = (f"{now + timedelta(minutes=one):%H:%M}" for one in (-60, 8))
    for one in (w.ann, w.ben, w.cat):
        await sleep(one, begin, end)
    table = await match(w, dms=dms, pace=Pace.RELAXED)
    player = actor(w, table)
    other = next(one for one in (w.ann, w.ben, w.cat) if one is not player)
    await minutes(w, 6)
    assert not calls(w, player)
    if dms:
        sent = w.env.backend.get_message(player.dm().channel, player.dm().id)
        assert sent.flags & SILENT
    await other.press_verb(w.board(), Verb.MORE)
    assert UNWANTED in await other.press_verb(other.panel, Verb.NUDGE)
    await lobby(w, "Dan", seats=4, channel=(room := w.room("second")).id)
    before = len(player.dms())
    await w.dan.slash("seat invite", channel=room, player=player.user)
    letter = player.dms()[before]
    assert w.env.backend.get_message(letter.channel, letter.id).flags & SILENT


async def sleep_behind_my_hand(w: World, hours: float, *people: Player) -> None:
    """Their quiet hours end then, and they take no direct messages."""
    begin, end = (f"{w.now() + timedelta(hours=one):%H:%M}" for one in (-1, hours))
    for one in people:
        await sleep(one, begin, end)
        await prefer(one, "called", "hand", "button")


@pytest.mark.behaviour("Somebody has quiet hours")
@pytest.mark.parametrize("restarts", [False, True])
async def test_whom_a_line_calls_is_called_once_their_quiet_hours_end(
    restarts: bool, w: World
) -> None:
    await sleep_behind_my_hand(w, 2, w.ann, w.ben, w.cat)
    player = actor(w, await match(w, pace=Pace.DAILY))
    await pass_time(w, hours=1.9)
    assert not calls(w, player)
    if restarts:
        await w.restart()
    await pass_time(w, hours=0.2)
    assert len(calls(w, player)) == 1


@pytest.mark.behaviour("Somebody has quiet hours")
@pytest.mark.parametrize("restarts", [False, True])
async def test_the_end_of_ones_quiet_hours_calls_nobody_else_once_more(
    restarts: bool, w: World
) -> None:
    await sleep_behind_my_hand(w, 2, w.ann, w.cat)
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln", pace=Pace.DAILY)
    assert len(table.actors) == 3
    assert calls(w, w.ben)
    assert not calls(w, w.ann)
    if restarts:
        await w.restart()
    await pass_time(w, hours=2.1)
    (line,) = calls(w, w.ann)
    assert [line.id] == [one.id for one in calls(w, w.ben)], "one line names all of them"
    assert sorted(pinged(w)) == sorted(str(one.id) for one in (w.ann, w.ben, w.cat))


@pytest.mark.behaviour("Somebody has quiet hours")
async def test_whoever_is_asked_hears_that_a_match_is_given_up_after_their_quiet_hours(
    w: World,
) -> None:
    await sleep_behind_my_hand(w, 4, w.ann, w.ben, w.cat)
    player = actor(w, await match(w, pace=Pace.NONE))
    await pass_time(w, days=13, hours=1)
    assert (await w.table()).stored.timing.warned is not None
    assert not calls(w, player)
    await pass_time(w, hours=4)
    assert calls(w, player)


@pytest.mark.behaviour("Somebody has quiet hours")
@pytest.mark.every_case
@pytest.mark.parametrize("ends", ["off", "sooner"])
async def test_whoever_ends_their_quiet_hours_by_hand_is_called_then(ends: str, w: World) -> None:
    await sleep_behind_my_hand(w, 4, w.ann, w.ben, w.cat)
    player = actor(w, await match(w, pace=Pace.DAILY))
    await pass_time(w, hours=1)
    assert not calls(w, player)
    if ends == "off":
        await player.slash("preferences")
        await player.press(player.panel, subject("called"))
        await player.press(player.panel, Press(Verb.QUIET, argument="0").encode())
    else:
        begin, end = (f"{w.now() + timedelta(hours=one):%H:%M}" for one in (-2, 0.5))
        await sleep(player, begin, end)
        await minutes(w, 2)
        assert not calls(w, player)
        await pass_time(w, hours=0.5)
    await w.env.advance_time(5)
    assert len(calls(w, player)) == 1


@pytest.mark.behaviour("Somebody has quiet hours")
@pytest.mark.behaviour("Somebody wants only one call for each decision")
async def test_whoever_wants_one_call_has_it_after_their_quiet_hours_though_others_are_warned(
    w: World,
) -> None:
    await sleep_behind_my_hand(w, 7 / 60, w.ann)
    await prefer(w.ann, "called", "calls", "once")
    table = await match(w, "Ann", "Ben", "Cat", "Dan", game="sticheln", pace=Pace.RELAXED)
    await play_for(w, table, w.dan)
    await minutes(w, 5)
    await w.directly(tables(w).nudge(table.id, w.dan.id, table.questions[0]))
    await w.env.advance_time(2)
    assert pinged(w).count(str(w.ben.id)) == 2
    assert not calls(w, w.ann)
    await minutes(w, 3)
    assert pinged(w).count(str(w.ann.id)) == 1
    assert pinged(w).count(str(w.ben.id)) == 2
    assert len(calls(w, w.ann)) == 1


@pytest.mark.behaviour("Somebody has quiet hours")
async def test_after_a_take_back_the_end_of_ones_quiet_hours_calls_nobody_else_once_more(
    w: World,
) -> None:
    await sleep_behind_my_hand(w, 2, w.cat)
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln", pace=Pace.DAILY)
    table = await play_for(w, table, w.ann)
    taken, ply = tables(w), QuestionId(table.ply)
    await w.directly(taken.take_back(table.id, w.ann.id, ply, 1))
    for press, one in enumerate((w.ben, w.cat), 2):
        await w.directly(taken.answer_take_back(table.id, one.id, ply, press, agrees=True))
    await w.env.advance_time(10)
    await play_for(w, table, w.ben)
    await w.env.advance_time(10)
    assert len(set((await w.table()).questions.values())) == 2
    before = pinged(w)
    await pass_time(w, hours=2.1)
    assert pinged(w) == [*before, str(w.cat.id)]


async def play_for(w: World, table: Table, player: Player) -> Table:
    """Plays that person's first legal card."""
    table = await w.table()
    seat = table.stored.seating.place_of(player.id)
    assert seat is not None
    assert table.played is not None
    action = table.game.legal_actions(table.played.state, seat)[0]
    text = table.game.format_action(action)
    return await w.directly(tables(w).act(table.id, None, player.id, text, 100 + seat))


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
        hand = await actor(w, table).hand()
        (press, _), *_ = hand.presses(Verb.ACT)
        await actor(w, table).press(hand, press.encode())
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
    first, _ = panel.presses(Verb.COMBINE)[0]
    said = await player.press(panel, first.encode())
    assert re.search("Throw out two cards: .+, …", said)
    second, _ = player.panel.presses(Verb.COMBINE)[0]
    said = await player.press(player.panel, second.encode())
    assert "Throw out two cards: " in said
    assert "is that what you want?" in said
    assert (await w.table()).ply == table.ply
    await player.press_verb(player.panel, Verb.ACT_NOW)
    assert (await w.table()).log[table.ply].text.startswith("discard ")


def puts_together(control: Control) -> bool:
    return isinstance(control, Choice) and control.combine is not None


# Never with them


async def avoid(player: Player, other: Player) -> str:
    """They put somebody on their list of people with whom they never want to play."""
    await player.slash("preferences")
    await player.press(player.panel, subject("people"))
    menu = player.panel.only(Verb.AVOID)
    return await player.world.answer(player, player.panel, menu, kind=5, values=[str(other.id)])


@pytest.mark.behaviour("Somebody has chosen never to play with somebody")
async def test_neither_sits_down_where_the_other_is_and_only_one_is_told_why(w: World) -> None:
    assert f"<@{w.ben.id}>" in await avoid(w.ann, w.ben)
    await lobby(w, "Ann", "Cat", seats=4)
    refusal = await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "no seat for you at this table" in refusal
    await kick(w.ann, w.cat)
    assert await w.cat.press_verb(w.board(), Verb.JOIN) == refusal, "of a removed one the same"
    room = w.room("second")
    await w.ben.slash("newgame", channel=room, game="sticheln")
    (shown,) = w.messages(room.id)
    said = await w.ann.press_verb(shown, Verb.JOIN)
    assert "your list of people you never play with" in said
    await w.dan.press_verb(shown, Verb.JOIN)
    # Undone, she may.
    await w.ann.slash("preferences")
    await w.ann.press(w.ann.panel, subject("people"))
    assert f"<@{w.ben.id}>" not in await w.ann.press_verb(w.ann.panel, Verb.WELCOME)
    (shown,) = w.messages(room.id)
    await w.ann.press_verb(shown, Verb.JOIN)
    newest, _ = await w.directly(tables(w).open_of(w.ann.id))
    assert newest.stored.channel == room.id


async def test_of_the_line_of_a_full_table_the_same_is_said_as_of_a_seat(w: World) -> None:
    await avoid(w.ann, w.ben)
    table = await lobby(w, "Ann", "Cat", "Dan", seats=3)
    await w.directly(tables(w).sit(table.id, person(w.fay)))
    await w.directly(tables(w).kick(table.id, w.ann.id, w.fay.id))
    join = Press(Verb.JOIN, table.id).encode()
    ben, fay, eve = [await w.answer(one, w.board(), join) for one in (w.ben, w.fay, w.eve)]
    assert ben == fay, "of a removed one the same"
    assert "There is no seat for you at this table" in ben
    assert "You are first in line." in eve


async def test_nobody_is_invited_to_whom_they_do_not_want_and_nobody_can_tell(w: World) -> None:
    await avoid(w.ann, w.ben)
    await lobby(w, "Ann", "Cat", seats=4)
    said = await w.ann.slash("seat invite", player=w.ben.user)
    assert "You have chosen never to play with that person" in said
    room = w.room("second")
    await lobby(w, "Cat", "Ann", seats=4, channel=room.id)
    answers = []
    for guest in (w.ben, w.dan):
        said = await w.cat.slash("seat invite", channel=room, player=guest.user)
        answers.append(said.replace(guest.name, "X"))
    assert len(set(answers)) == 1
    assert not w.ben.dms(), "he could not sit down there"
    assert w.dan.dms()


async def test_on_a_planned_table_neither(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, at="in 9h")
    (plan,) = w.messages(w.channel.id)
    comes = plan.presses(Verb.COME)[0][0].encode()
    await avoid(w.ann, w.ben)
    assert "no room for you on that list" in await w.ben.press(plan, comes)
    assert "Ben" not in w.messages(w.channel.id)[0].text
    await avoid(w.cat, w.ann)
    assert "your list of people you never play with" in await w.cat.press(plan, comes)
    await w.dan.press(plan, comes)
    assert "Dan" in w.messages(w.channel.id)[0].text


async def test_at_the_next_match_no_seat_is_held_for_whom_its_host_does_not_want(w: World) -> None:
    await stop(w, await match(w, "Ann", "Ben", "Dan"))
    await avoid(w.ann, w.ben)
    await w.env.advance_time(2)
    await w.ann.slash("rematch")
    (opened,) = await w.directly(tables(w).open_on(GuildId(w.guild.id)))
    kept = [one.name for one in opened.stored.seating.kept.values()]
    assert kept == ["Dan"]


async def test_nobody_avoids_themselves_or_an_id_that_nobody_has(w: World) -> None:
    await w.ann.slash("preferences")
    page = w.ann.panel
    avoid_menu, welcome = Press(Verb.AVOID).encode(), Press(Verb.WELCOME, argument="0").encode()
    for values in ([str(w.ann.id)], ["0"], ["x"], []):
        said = await w.answer(w.ann, page, avoid_menu, kind=5, values=values)
        assert NOT_OFFERED in said, values
    assert NOT_OFFERED in await w.answer(w.ann, page, welcome)
    apart = await w.directly(w.running.context.blocks.apart(w.ann.id))
    assert not apart.never


# Off the leaderboards


@pytest.mark.behaviour("Somebody wants to stand on no leaderboard")
async def test_whoever_stands_on_no_leaderboard_keeps_their_record_to_themselves(w: World) -> None:
    await play(w, await match(w))
    await w.ben.slash("stats")
    shared = w.ben.panel.only(Verb.SHARE)
    assert "stands on no leaderboard" not in await w.ann.slash("stats", player=w.ben.user)
    await prefer(w.ben, "people", "board", "off")
    said = await w.ann.slash("stats", player=w.ben.user)
    assert "Ben stands on no leaderboard" in said
    assert "win" not in said
    assert "1\xa0match" in await w.ben.slash("stats")
    assert not w.ben.panel.presses(Verb.SHARE)
    await w.answer(w.ann, w.board(), shared)
    assert not any(
        "Ben" in one.text and "1\xa0match" in one.text for one in w.messages(w.channel.id)
    )
    said = await w.ann.slash("leaderboard")
    assert "Ben" not in said
    assert "Cat" in said
