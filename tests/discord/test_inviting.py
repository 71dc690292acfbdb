"""Invitations that arrive: once per person and table, and from nobody who is not wanted."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Press, Verb
from tests.discord.steps import lobby, stop, tables
from tests.discord.world import Player, Shown, World


def lines(w: World) -> list[Shown]:
    """Invitations in the channel."""
    return [shown for shown in w.messages(w.channel.id) if "invites you" in shown.text]


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


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (Verb.JOIN, "has joined the Auf und Ab table"),
        (Verb.NOT_TODAY, "can't come to the Auf und Ab table this time"),
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
