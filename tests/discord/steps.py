"""Short ways into a position, where what is tested comes after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import discord

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.render.custom_ids import Press, Verb
from bot.tables.match import act
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing, Over
from bot.tables.plans import Wish
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Pace, Person, Status
from engine.game import OptionValue
from engine.layout import Layout
from engine.registry import games
from tests.discord.world import NAMES, Player, Shown, World
from tests.lengths import shortest


def tables(w: World) -> TableService:
    return w.running.tables


def person(player: Player) -> Person:
    return Person(player.id, player.name)


async def lobby(
    w: World,
    *names: str,
    seats: int = 3,
    dms: bool = False,
    channel: int | None = None,
    private: bool = False,
    game: str = "aufundab",
    pace: Pace = Pace.NONE,
    **given: OptionValue,
) -> Table:
    """A table where these people sit (Ann, if nobody is named); the first of them is host."""
    people = [w.players[name] for name in names or ("Ann",)]

    async def work() -> Table:
        table = await tables(w).open(
            Wish(game, seats, given or shortest(game), private=private, pace=pace),
            GuildId(w.guild.id),
            ChannelId(channel or w.channel.id),
            person(people[0]),
        )
        for player in people[1:]:
            table = await tables(w).sit(table.id, person(player))
        for player in people:
            table = await tables(w).set_reachable(table.id, player.id, reachable=dms)
        return table

    made = await w.directly(work())
    await w.env.advance_time(3.5)
    return made


async def match(w: World, *names: str, game: str = "aufundab", **options: Any) -> Table:
    """A match that these people have just begun; as few as can be, if nobody is named.

    The options are those of `lobby`.
    """
    names = names or NAMES[: games()[game].info.seats[0]]
    table = await lobby(w, *names, seats=len(names), game=game, **options)
    await w.directly(tables(w).start(table.id, w.players[names[0]].id))
    return await dealt(w, table)


async def dealt(w: World, table: Table) -> Table:
    """The table once its round is dealt: the message that carries it stands."""
    now = await tables(w).table(table.id)
    while isinstance(now.phase, Closing):
        await w.env.advance_time(1)
        now = await tables(w).table(table.id)
    return now


def newcomer(w: World, **may: bool) -> Player:
    """Somebody new with permissions on the whole server, who plays nowhere."""
    allowed = discord.Permissions(view_channel=True, send_messages=True, **may)
    role = w.guild.create_role("role", permissions=allowed)
    user = w.env.create_user("Max")
    return Player(w, "Max", user, w.guild.add_member(user, roles=[role]))


def moderator(w: World) -> Player:
    return newcomer(w, manage_messages=True)


async def leave(player: Player) -> str:
    """By `/leave` and its confirmation."""
    assert "Leave the running match?" in await player.slash("leave")
    return await player.press_verb(player.panel, Verb.LEAVE_NOW)


async def kick(player: Player, target: Player) -> str:
    """By `/seat kick` and its confirmation; what is answered if it asks for none."""
    said = await player.slash("seat kick", player=target.user)
    if player.whispered is None or not player.panel.presses(Verb.KICK_NOW):
        return said
    return await player.press_verb(player.panel, Verb.KICK_NOW)


async def stop(w: World, table: Table) -> Table:
    """A moderator who does not play ends the match."""
    return await w.directly(tables(w).end(table.id, UserId(99), moderator=True))


def due(table: Table, kind: DeadlineKind = DeadlineKind.TURN) -> datetime:
    """When the time of whoever is asked is up."""
    deadline = table.stored.timing.deadline(kind)
    assert deadline is not None
    return deadline.due


async def late(w: World, table: Table) -> Table:
    """The table after the time of whoever is asked was up."""
    await w.env.advance_time((due(table) - w.now()).total_seconds() + 1)
    return await tables(w).table(table.id)


async def minutes(w: World, count: int) -> None:
    """So many minutes go by.  One at a time: each does what is due within SimCord's patience."""
    for _ in range(count):
        await w.env.advance_time(60)


async def play(w: World, table: Table, plies: int = 10_000, *, but_the_last: bool = False) -> Table:
    """Plays on past everybody's eyes: the first legal action that is not to pass.

    Stops after `plies`, at the end of a round, or where the next action would end the match.
    """

    async def work() -> Table:
        now = await tables(w).table(table.id)
        for _ in range(plies):
            if not now.actors:
                break
            by, text = sitter(now, now.actors[0]), first(now)
            if but_the_last and isinstance(act(now, None, by, text, None, w.now()).phase, Over):
                break
            now = await tables(w).act(now.id, None, by, text, None)
        return now

    return await w.directly(work())


def first(table: Table) -> str:
    """An action of the only actor: to play something, if that is possible."""
    legal = list(table.legal_texts(table.actors[0]))
    return next((text for text in legal if text.startswith("play")), legal[0])


def playing(table: Table) -> str:
    """The button of that action, whether it is offered or not."""
    return Press(Verb.ACT, table.id, table.questions[table.actors[0]], first(table)).encode()


async def pressable(w: World, table: Table) -> tuple[Player, Shown, str]:
    """Whoever is asked, their panel, and a button that plays something."""
    player = actor(w, table)
    return player, await player.hand(), playing(table)


def sitter(table: Table, seat: int) -> UserId:
    """User id of whoever sits there."""
    found = table.stored.seating.places[seat].person
    assert found is not None
    return found.id


def actor(w: World, table: Table) -> Player:
    """The only person who is asked something."""
    return at(w, table, table.actors[0])


def at(w: World, table: Table, seat: int) -> Player:
    user = sitter(table, seat)
    return next(player for player in w.players.values() if player.id == user)


def others(w: World, table: Table) -> list[Player]:
    """Everybody at the table who is asked nothing."""
    return [
        at(w, table, s) for s in range(len(table.stored.seating.places)) if s not in table.actors
    ]


def hidden(table: Table) -> set[str]:
    """Codes of the cards that not everybody knows."""
    return {located.card for located in table.game.cards(table._state) if not located.public}


def held(table: Table, seat: int) -> set[str]:
    """Codes of the cards in a hand that only its owner knows; what was laid aside is not there."""
    deal = max(entry.ply for entry in table.log if entry.is_deal)
    laid = {
        word.partition("x")[0]
        for entry in table.log[deal + 1 :]
        if entry.seat == seat
        for word in entry.text.split()[1:]
    }
    known = {
        located.card
        for located in table.game.cards(table._state)
        if located.known_to == (seat,) and not located.public
    }
    return known - laid


async def reach(
    w: World, table: Table, wanted: Callable[[Table], bool], wishes: Sequence[str] = ()
) -> Table:
    """Plays on, round after round, until the table is as wanted.

    Whoever is asked does what begins with the first wish that can be had, else `first`.
    """

    async def work() -> Table:
        now = await tables(w).table(table.id)
        while now.stored.status is Status.RUNNING and not (now.actors and wanted(now)):
            if isinstance(now.phase, BetweenRounds):
                for someone in now.stored.seating.people:
                    now = await tables(w).ready(now.id, someone.id, None)
                now = await tables(w).posted(now.id, now.round + 1, MessageId(now.ply + 1))
                continue
            seat = now.actors[0]
            legal = list(now.legal_texts(seat))
            wished = (text for wish in wishes for text in legal if text.startswith(wish))
            text = next(wished, None) or first(now)
            now = await tables(w).act(now.id, None, sitter(now, seat), text, None)
        assert now.actors, "that never came"
        return now

    return await w.directly(work())


def legal(table: Table) -> list[str]:
    """What the first of those who are asked may do."""
    return list(table.legal_texts(table.actors[0]))


async def find(w: World, table: Table, wanted: Callable[[Layout], bool]) -> Table:
    """Plays on, round after round, until whoever is asked is offered what is wanted."""
    return await reach(w, table, lambda now: wanted(now.game.layout(now.observe(now.actors[0]))))
