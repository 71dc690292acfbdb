"""Invitations that arrive: once per person and table, and from nobody who is not wanted."""

from __future__ import annotations

import pytest

from bot.answer.forgetting import forget
from bot.render.custom_ids import Press, Verb
from tests.discord.steps import leave, lobby, match, minutes, person, stop, tables
from tests.discord.world import Player, Shown, World


def lines(w: World) -> list[Shown]:
    """Invitations in the channel."""
    return [shown for shown in w.messages(w.channel.id) if "invites you" in shown.text]


def plans(w: World) -> list[Shown]:
    """Announcements in the channel."""
    return [shown for shown in w.messages(w.channel.id) if shown.presses(Verb.ASK_TO_COME)]


def invited(player: Player) -> Shown:
    """The newest direct message, an invitation."""
    shown = player.dm()
    assert shown.presses(Verb.NEVER)
    return shown


async def test_an_invitation_is_a_mention_and_a_direct_message_once(w: World) -> None:
    await lobby(w, "Ann", "Cat", seats=4)
    assert "Ben is invited" in await w.ann.slash("seat invite", player=w.ben.user)
    (line,) = lines(w)
    assert f"<@{w.ben.id}>, Ann invites you to **Auf und Ab**." in line.text
    assert "Ann invites you" in invited(w.ben).text
    said = await w.ann.slash("seat invite", player=w.ben.user)
    assert "has already been invited to this table" in said
    assert len(lines(w)) == len(w.ben.dms()) == 1
    assert "Only the host" in await w.cat.slash("seat invite", player=w.ben.user)
    await w.ben.press_verb(invited(w.ben), Verb.JOIN)
    assert (await w.table()).stored.seating.place_of(w.ben.id) == 2
    assert not any(shown.presses(Verb.NEVER) for shown in w.ben.dms())
    assert "are already at this table" in await w.ann.slash("seat invite", player=w.ben.user)


@pytest.mark.every_case
@pytest.mark.parametrize("planned", [False, True])
async def test_who_is_chosen_twice_in_the_same_moment_is_called_once(
    planned: bool, w: World
) -> None:
    if planned:
        await w.ann.slash("newgame", game="sticheln", at="in 9h", private=True)
    else:
        await lobby(w, "Ann", seats=4)
    (shown,) = w.messages(w.channel.id)
    menu = shown.only(Verb.ASK_TO_COME if planned else Verb.INVITE)
    for _ in range(2):
        w.emit(w.ann, shown, menu, 5, values=[str(w.ben.id)])
    await w.env.settle()
    await w.env.advance_time(3)
    assert len(lines(w)) == 1
    assert len(w.ben.dms()) == (0 if planned else 1)


@pytest.mark.nightly
async def test_the_menu_of_the_lobby_invites_and_only_the_host(w: World) -> None:
    await lobby(w, "Ann", "Cat", seats=4)
    board = w.board()
    for player in (w.cat, w.ann):
        message = w.message(board)
        result = await player.actor.select(
            message, [w.ben.actor], custom_id=board.only(Verb.INVITE)
        )
        said = player._remember(result)
        assert ("Only the host" in said) == (player is w.cat)
    assert len(lines(w)) == 1


@pytest.mark.nightly
async def test_a_right_click_on_a_person_invites_them_too(w: World) -> None:
    name = "Invite to a table"
    result = await w.ann.actor.context_menu(w.channel, name, w.ben.actor)
    assert "`/newgame` opens one" in w.ann._remember(result)
    await lobby(w, "Ann", "Cat", seats=4)
    result = await w.cat.actor.context_menu(w.channel, name, w.ben.actor)
    assert "Only the host" in w.cat._remember(result)
    result = await w.ann.actor.context_menu(w.channel, name, w.ben.actor)
    assert "Ben is invited" in w.ann._remember(result)
    assert len(lines(w)) == len(w.ben.dms()) == 1


@pytest.mark.nightly
async def test_never_ends_the_invitations_of_that_person_until_it_is_undone(w: World) -> None:
    await lobby(w, "Ann", seats=4)
    await w.ann.slash("seat invite", player=w.ben.user)
    await w.ben.press_verb(invited(w.ben), Verb.NEVER)
    assert "won't get any more invitations from this person" in w.ben.dms()[0].text
    other = w.room()
    await lobby(w, "Ann", seats=4, channel=other.id)
    said = await w.ann.slash("seat invite", channel=other, player=w.ben.user)
    assert "Ben is invited" in said, "nobody is told of it"
    assert len(w.ben.dms()) == 1
    await w.ben.press_verb(w.ben.dms()[0], Verb.NEVER)
    third = w.room("third")
    await lobby(w, "Ann", seats=4, channel=third.id)
    await w.ann.slash("seat invite", channel=third, player=w.ben.user)
    assert len(w.ben.dms()) == 2


@pytest.mark.nightly
@pytest.mark.parametrize("who", ["0", "9" * 30, "+" + "9" * 60, "x", "²"])
async def test_an_id_that_nobody_has_is_not_blocked(who: str, w: World) -> None:
    await lobby(w, "Ann", seats=4)
    assert "none of the choices" in await w.answer(
        w.ben, w.board(), Press(Verb.NEVER, argument=who).encode()
    )


@pytest.mark.behaviour("Somebody is invited who cannot see the channel")
async def test_whoever_does_not_see_the_channel_is_not_invited(w: World) -> None:
    hidden = w.room("hidden", w.ben, view_channel=False)
    await lobby(w, "Ann", seats=4, channel=hidden.id)
    said = await w.ann.slash("seat invite", channel=hidden, player=w.ben.user)
    assert "can't see this channel" in said
    assert w.ben.dms() == []
    (table,) = await tables(w).open_tables()
    assert not table.stored.seating.called


@pytest.mark.nightly
async def test_with_closed_direct_messages_the_mention_is_there(w: World) -> None:
    await lobby(w, "Ann", seats=4)
    w.close_dms(w.ben)
    assert "Ben is invited" in await w.ann.slash("seat invite", player=w.ben.user)
    (line,) = lines(w)
    await w.ben.press_verb(line, Verb.JOIN)
    assert (await w.table()).stored.seating.place_of(w.ben.id) == 1


def posts_fail(w: World) -> None:
    w.env.inject_error("POST", f"/channels/{w.channel.id}/messages", status=503, times=None)


@pytest.mark.behaviour("Somebody is invited who cannot see the channel")
@pytest.mark.behaviour("Discord answers late, not at all, or with errors")
@pytest.mark.every_case
@pytest.mark.parametrize(("planned", "restarts"), [(False, False), (True, True)])
async def test_an_invitation_that_discord_does_not_take_comes_once_it_does(
    planned: bool, restarts: bool, w: World
) -> None:
    if planned:
        await w.ann.slash("newgame", game="sticheln", at="in 9h", private=True)
    else:
        await lobby(w, "Ann", seats=4)
    w.close_dms(w.ben)
    posts_fail(w)
    (shown,) = plans(w) if planned else [w.board()]
    menu = shown.only(Verb.ASK_TO_COME if planned else Verb.INVITE)
    result = await w.ann.actor.select(w.message(shown), [w.ben.actor], custom_id=menu)
    assert "Ben is invited" in w.ann._remember(result)
    await minutes(w, 4)
    assert lines(w) == []
    w.heal()
    if restarts:
        await w.restart()
    await minutes(w, 4)
    (line,) = lines(w)
    assert line.calls
    assert f"<@{w.ben.id}>" in line.text
    await w.restart()
    await minutes(w, 4)
    assert len(lines(w)) == 1


@pytest.mark.every_case
@pytest.mark.behaviour("The bot or its machine dies")
@pytest.mark.parametrize("planned", [False, True])
async def test_whoever_is_invited_as_the_program_dies_is_called_after_it(
    planned: bool, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    if planned:
        await w.ann.slash("newgame", game="sticheln", at="in 9h", private=True)
        (shown,) = plans(w)
    else:
        await lobby(w, "Ann", seats=4)
        shown = w.board()
    draws = (w.running.context.planned if planned else w.running.publisher)._draw_tasks
    monkeypatch.setattr(draws, "_closed", True)
    menu = shown.only(Verb.ASK_TO_COME if planned else Verb.INVITE)
    await w.ann.actor.select(w.message(shown), [w.ben.actor], custom_id=menu)
    assert lines(w) == []
    await w.restart()
    await minutes(w, 1)
    (line,) = lines(w)
    assert line.calls
    assert f"<@{w.ben.id}>" in line.text


@pytest.mark.every_case
@pytest.mark.parametrize("verb", [Verb.JOIN, Verb.NOT_TODAY])
async def test_what_was_answered_before_the_line_stood_has_no_line_any_more(
    verb: Verb, w: World
) -> None:
    table = await lobby(w, "Ann", seats=4)
    posts_fail(w)
    await w.ann.slash("seat invite", player=w.ben.user)
    await w.ben.press_verb(invited(w.ben), verb)
    if verb is Verb.JOIN:
        await w.env.advance_time(1)
        await w.directly(tables(w).leave(table.id, w.ben.id))
    w.heal()
    await w.restart()
    await minutes(w, 4)
    assert lines(w) == []


async def test_a_line_that_is_over_does_not_come_again(w: World) -> None:
    """Whatever happens at the table, and after a restart."""
    table = await lobby(w, "Ann", "Cat", seats=4)
    await w.ann.slash("seat invite", player=w.ben.user)
    await w.ann.slash("seat invite", player=w.dan.user)
    await w.ben.press_verb(invited(w.ben), Verb.NOT_TODAY)
    await w.dan.press_verb(invited(w.dan), Verb.JOIN)
    await w.env.advance_time(5)
    await w.directly(tables(w).leave(table.id, w.dan.id))
    for restarts in (False, True):
        if restarts:
            await w.restart()
        await w.directly(tables(w).sit(table.id, person(w.eve)))
        await w.env.advance_time(5)
        await w.directly(tables(w).leave(table.id, w.eve.id))
        await w.env.advance_time(5)
    assert lines(w) == []
    assert len([shown for shown in w.messages(w.channel.id) if shown.id != w.board().id]) == 2


async def test_whoever_is_forgotten_is_invited_no_more(w: World) -> None:
    await lobby(w, "Ann", seats=4)
    await w.ann.slash("seat invite", player=w.ben.user)
    (line,) = lines(w)
    await w.directly(forget(w.running.context, w.ben.id))
    await w.restart()
    await w.env.advance_time(5)
    assert lines(w) == []
    assert "no longer open to join" in w.refreshed(line).text


async def test_a_free_seat_of_a_running_match_is_open_to_whoever_is_invited(w: World) -> None:
    await match(w, "Ann", "Ben", "Cat")
    await leave(w.ben)
    await w.ann.slash("seat invite", player=w.dan.user)
    await w.ann.slash("seat invite", player=w.eve.user)
    await w.env.advance_time(5)
    first, second = lines(w)
    await w.dan.press_verb(first, Verb.JOIN)
    assert (await w.table()).stored.seating.place_of(w.dan.id) == 1
    await w.env.advance_time(5)
    assert "has joined the Auf und Ab table" in w.refreshed(first).text
    assert "no longer open to join" in w.refreshed(second).text


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (Verb.JOIN, "has joined the Auf und Ab table"),
        (Verb.NOT_TODAY, "said no to the invitation to the Auf und Ab table"),
        (None, "no longer open to join"),
    ],
)
async def test_the_line_in_the_channel_says_what_became_of_it(
    happens: Verb | None, said: str, w: World
) -> None:
    table = await lobby(w, "Ann", "Cat", seats=4)
    await w.ann.slash("seat invite", player=w.ben.user)
    (line,) = lines(w)
    await w.restart()
    if happens is None:
        await stop(w, table)
    else:
        await w.ben.press_verb(invited(w.ben), happens)
    if happens is Verb.NOT_TODAY:
        (shown,) = w.ben.dms()
        assert "maybe another time" in shown.text
        assert not shown.presses(Verb.JOIN, Verb.NEVER)
    await w.env.advance_time(5)
    assert said in w.refreshed(line).text
    assert not w.refreshed(line).presses(*Verb)


async def test_what_became_of_an_invitation_is_true_although_they_come_after_all(
    w: World,
) -> None:
    await lobby(w, "Ann", "Cat", seats=4)
    await w.ann.slash("seat invite", player=w.ben.user)
    (line,) = lines(w)
    await w.ben.press_verb(invited(w.ben), Verb.NOT_TODAY)
    await w.env.advance_time(5)
    await w.ben.slash("join")
    await w.env.advance_time(5)
    said = w.refreshed(line).text
    assert said == f"<@{w.ben.id}> said no to the invitation to the Auf und Ab table."
