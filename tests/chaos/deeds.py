"""What people do besides playing in turn.  Each deed says whether it was really done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.i18n import texts
from bot.render.custom_ids import Verb
from tests.chaos.channel import GONE, NAP, Channel
from tests.chaos.kinds import Deed
from tests.wire.deck import Deck
from tests.wire.ledger import OPEN, Known
from tests.wire.people import Answer, Person, Shown
from tests.wire.playing import PLAYABLE

IN_A_LOBBY: Final = {Deed.CUT: 3, Deed.LEAVE_LOBBY: 1, Deed.END_LOBBY: 1}
"""What is done before a match, so many of each five."""

AT_A_TABLE: Final = {
    Deed.LEAVE: 2,
    Deed.SIT: 1,
    Deed.BACK: 1,
    Deed.VOTE_OUT: 1,
    Deed.SEND_AWAY: 1,
    Deed.VOTE_TO_END: 1,
    Deed.END_BY_MAJORITY: 2,
    Deed.END_BY_ALL: 1,
    Deed.END_BY_MODERATOR: 1,
    Deed.HAND: 2,
    Deed.TABLE: 2,
    Deed.WATCH: 1,
    Deed.LOG: 2,
    Deed.VERIFY: 2,
    Deed.REPLAY: 2,
    Deed.LEADERBOARD: 2,
    Deed.LATE: 2,
    Deed.STALE: 2,
    Deed.ANYTHING: 2,
    Deed.STRANGER: 2,
    Deed.STRANGER_PLAYS: 1,
}
"""What is done while a match is played."""

SPARED: Final = frozenset({Verb.END, Verb.END_NOW, Verb.RULES, Verb.LEAVE, Verb.LEAVE_NOW})
"""What somebody who presses anything leaves alone: it would end a match, or prints examples."""

_WORDS: Final = texts("en")
_GAP: Final = "%%"
"""Stands for what a sentence names."""


async def do_something(channel: Channel, known: Known, deck: Deck[Deed]) -> None:
    """The next deed of the deck; one that cannot be done now comes again."""
    deed, done = deck.draw(channel.wanted(deck)), False
    try:
        done = await DOING[deed](channel, known)
    except GONE:
        await asyncio.sleep(NAP)
    finally:
        if done:
            channel.tally.deeds[deed] += 1
        else:
            deck.put_back(deed)


# In a lobby


async def _cut(channel: Channel, known: Known) -> bool:
    word = f"Wort{channel.rng.randrange(1000)}"
    answer = await channel.someone(known).slash(channel.id, "cut", word=word)
    return _says(answer, "cut.done")


async def _leave_lobby(channel: Channel, known: Known) -> bool:
    person = channel.someone(known)
    await person.slash(channel.id, "leave")
    return channel.look(known.id).seat_of(person.id) is None


async def end_lobby(channel: Channel, known: Known) -> bool:
    if channel.look(known.id).status != "lobby":
        return False
    await _confirm_end(channel, channel.wire.people[known.host])
    return channel.look(known.id).status not in OPEN


# Who sits at the table


async def _leave(channel: Channel, known: Known) -> bool:
    """Somebody gets up in the middle of the match; a stand-in plays on."""
    if len(channel.present(known)) < 2:
        return False
    person = channel.someone(known)
    asked = await person.slash(channel.id, "leave")
    if asked.panel is not None:
        for press, _ in asked.panel.presses(Verb.LEAVE_NOW):
            await person.press(asked.panel, press.encode())
    return channel.look(known.id).seat_of(person.id) is None


async def _sit(channel: Channel, known: Known) -> bool:
    """A free seat is taken by whoever stands about."""
    free = known.free
    idle = [person for person in channel.people if known.seat_of(person.id) is None]
    if not free or not idle:
        return False
    person, place = channel.rng.choice(idle), channel.rng.choice(free)
    board = channel.board()
    takes = [press for press, _ in board.presses(Verb.TAKE) if press.argument == str(place)]
    if takes and channel.rng.random() < 0.5:
        await person.press(board, takes[0].encode())
    else:
        await person.slash(channel.id, "seat take", seat=place + 1)
    return channel.look(known.id).seat_of(person.id) is not None


async def _back(channel: Channel, known: Known) -> bool:
    """Who was away takes their seat back."""
    for place in sorted(known.away & known.people.keys()):
        person, board = channel.wire.people[known.people[place]], channel.board()
        if board.presses(Verb.BACK):
            await person.press(board, board.presses(Verb.BACK)[0][0].encode())
        else:  # it is not drawn yet
            await person.slash(channel.id, "seat take", seat=place + 1)
        return place not in channel.look(known.id).away
    return False


async def come_back(channel: Channel, known: Known) -> None:
    """Somebody takes a seat for which a stand-in plays, or the table gives it up."""
    ways = [Deed.VOTE_OUT, Deed.BACK, Deed.SIT]
    too_few = channel.tally.deeds[Deed.VOTE_OUT] < min(
        channel.least, channel.tally.deeds[Deed.BACK]
    )
    gives_up = too_few or channel.rng.random() < 0.3
    for deed in ways if gives_up and not channel.calm else ways[1:]:
        if await DOING[deed](channel, known):
            channel.tally.deeds[deed] += 1
            return
    await asyncio.sleep(NAP)


async def _vote_out(channel: Channel, known: Known) -> bool:
    """The table sends somebody away for whom a stand-in plays."""
    places = sorted(known.away & known.people.keys())
    if not places:
        return False
    target = known.people[places[0]]
    for person in channel.present(known):
        await _kick(channel, person, target)
        if channel.look(known.id).seat_of(target) is None:
            return True
    return False


async def _send_away(channel: Channel, known: Known) -> bool:
    """A moderator who does not play sends somebody away."""
    if len(channel.present(known)) < 2:
        return False
    target = channel.someone(known).id
    await _kick(channel, channel.moderator, target)
    return channel.look(known.id).seat_of(target) is None


async def _kick(channel: Channel, person: Person, target: int) -> None:
    """Somebody asks to send somebody away, and means it."""
    asked = await person.slash(channel.id, "seat kick", player=target)
    if asked.panel is not None and asked.panel.presses(Verb.KICK_NOW):
        await person.press_verb(asked.panel, Verb.KICK_NOW)


# Ending


async def _confirm_end(channel: Channel, person: Person) -> Answer | None:
    """Somebody asks to end the table, and means it."""
    board = channel.board()
    if board.presses(Verb.END) and channel.rng.random() < 0.5:
        asked = await person.press_verb(board, Verb.END)
    else:
        asked = await person.slash(channel.id, "endgame")
    panel = asked.panel
    if panel is None or not panel.presses(Verb.END_NOW):
        return None
    return await person.press_verb(panel, Verb.END_NOW)


async def _vote_to_end(channel: Channel, known: Known) -> bool:
    """One of them would like to end it, and is alone with that."""
    if len(channel.present(known)) < 3:
        return False
    person = channel.rng.choice(channel.present(known))
    answer = await _confirm_end(channel, person)
    return answer is not None and person.id in channel.look(known.id).end_votes


async def _end_by_majority(channel: Channel, known: Known) -> bool:
    """More than half of them would: the others have some time to agree."""
    present = channel.present(known)
    if len(present) < 3:
        return False
    for person in channel.rng.sample(present, len(present) // 2 + 1):
        await _confirm_end(channel, person)
    votes = channel.look(known.id).end_votes
    return 2 * len(votes) > len(present) and known.status == "running"


async def _end_by_all(channel: Channel, known: Known) -> bool:
    await channel.at_once([_confirm_end(channel, person) for person in channel.present(known)])
    return channel.look(known.id).stop == "vote"


async def _end_by_moderator(channel: Channel, known: Known) -> bool:
    await _confirm_end(channel, channel.moderator)
    return channel.look(known.id).stop == "moderator"


async def rematch(channel: Channel, known: Known, person: Person) -> bool:
    """Somebody asks for the next match with the same people."""
    result = next(
        (
            (shown, press)
            for shown in reversed(channel.wire.messages(channel.id))
            for press, _ in shown.presses(Verb.REMATCH)
        ),
        None,
    )
    if result is not None and channel.rng.random() < 0.7:
        await person.press(result[0], result[1].encode())
    else:
        await person.slash(channel.id, "rematch")
    newest = channel.newest(channel.id)
    return newest is not None and newest.id != known.id


# Looking


async def _hand(channel: Channel, known: Known) -> bool:
    answer = await channel.someone(known).slash(channel.id, "hand")
    return answer.panel is not None


async def _table(channel: Channel, known: Known) -> bool:
    """Which posts a result once more if the match has ended by then."""
    asked, newest = set(channel.asked_for), channel.newest(channel.id)
    shown = known if newest is None else newest
    # Whatever becomes of the answer; and by a clock that was ahead an older one may be the newest.
    channel.asked_for |= {known.id, shown.id, *channel.ended}
    answer = await channel.someone(known).slash(channel.id, "table")
    newest = channel.newest(channel.id)
    if newest is shown and shown.status in OPEN and not answer.failed:
        channel.asked_for = asked
    elif newest is not None:
        channel.asked_for.add(newest.id)
    return not answer.failed


async def _watch(channel: Channel, known: Known) -> bool:
    return not (await channel.stranger.slash(channel.id, "watch")).failed


async def _log(channel: Channel, known: Known) -> bool:
    board = channel.board()
    person = channel.rng.choice([channel.someone(known), channel.stranger])
    answer = await person.press_verb(board, Verb.LOG)
    return _says(answer, "log.title")


async def _verify(channel: Channel, known: Known) -> bool:
    """The proof of a match, here while it is played; and of one that is over."""
    asker = channel.rng.choice([channel.someone(known), channel.stranger])
    if channel.ended and channel.rng.random() < 0.5:
        table = channel.rng.choice(sorted(channel.ended))
        return _says(await asker.slash(channel.id, "verify", table=table), "verify.title")
    return _says(await asker.slash(channel.id, "verify"), "verify.title")


async def _replay(channel: Channel, known: Known) -> bool:
    if not channel.ended:
        return False
    table = channel.rng.choice(sorted(channel.ended))
    return _says(
        await channel.someone(known).slash(channel.id, "replay", table=table), "replay.here"
    )


async def _leaderboard(channel: Channel, known: Known) -> bool:
    person = channel.someone(known)
    answer = await person.slash(channel.id, "leaderboard")
    if not _says(answer, "leaderboard.title") or answer.panel is None:
        return False
    pages = answer.panel.presses(Verb.STANDINGS)
    if not pages:
        return True
    press, _ = channel.rng.choice(pages)
    return _says(await person.press(answer.panel, press.encode()), "leaderboard.title")


# Pressing what one should not


async def _late(channel: Channel, known: Known) -> bool:
    """Somebody still sees a board as it was before it was retired, and presses it."""
    channel.board()
    for shown in list(channel.boards.values())[:-1]:
        now = channel.wire.refreshed(shown)
        there = set() if now is None else {press.encode() for press, _ in now.presses(*Verb)}
        verbs = [verb for verb in Verb if verb not in SPARED]
        gone = [press for press, _ in shown.presses(*verbs) if press.encode() not in there]
        if now is not None and gone:
            del channel.boards[shown.id]
            press = channel.rng.choice(gone)
            return not (await channel.someone(known).press(shown, press.encode())).failed
    return False


async def _stale(channel: Channel, known: Known) -> bool:
    """Somebody presses a panel that they had before their eyes some time ago."""
    if not channel.panels:
        return False
    person, shown = channel.panels.popleft()
    controls = [press for press, part in shown.presses(*PLAYABLE) if not part.get("options")]
    if not controls:
        return False
    return not (await person.press(shown, channel.rng.choice(controls).encode())).failed


async def _press_anything(channel: Channel, person: Person, shown: Shown) -> bool:
    """Presses whatever is there, but what ends a match."""
    verbs = [verb for verb in Verb if verb not in SPARED]
    controls = [press for press, part in shown.presses(*verbs) if not part.get("options")]
    if not controls:
        return False
    return not (await person.press(shown, channel.rng.choice(controls).encode())).failed


async def _anything(channel: Channel, known: Known) -> bool:
    return await _press_anything(channel, channel.someone(known), channel.board())


async def _stranger(channel: Channel, known: Known) -> bool:
    return await _press_anything(channel, channel.stranger, channel.board())


async def _stranger_plays(channel: Channel, known: Known) -> bool:
    return not (await channel.stranger.slash(channel.id, "play", action="pass")).failed


def _says(answer: Answer | None, code: str) -> bool:
    """Whether the answer shows that sentence: what stands in it before the first name."""
    if answer is None:
        return False
    said = _WORDS.get(code, game=_GAP, table=_GAP, word=_GAP)
    return max(said.split(_GAP), key=len).strip() in answer.text


DOING: Final[Mapping[Deed, Callable[[Channel, Known], Awaitable[bool]]]] = {
    Deed.CUT: _cut,
    Deed.LEAVE_LOBBY: _leave_lobby,
    Deed.END_LOBBY: end_lobby,
    Deed.LEAVE: _leave,
    Deed.SIT: _sit,
    Deed.BACK: _back,
    Deed.VOTE_OUT: _vote_out,
    Deed.SEND_AWAY: _send_away,
    Deed.VOTE_TO_END: _vote_to_end,
    Deed.END_BY_MAJORITY: _end_by_majority,
    Deed.END_BY_ALL: _end_by_all,
    Deed.END_BY_MODERATOR: _end_by_moderator,
    Deed.HAND: _hand,
    Deed.TABLE: _table,
    Deed.WATCH: _watch,
    Deed.LOG: _log,
    Deed.VERIFY: _verify,
    Deed.REPLAY: _replay,
    Deed.LEADERBOARD: _leaderboard,
    Deed.LATE: _late,
    Deed.STALE: _stale,
    Deed.ANYTHING: _anything,
    Deed.STRANGER: _stranger,
    Deed.STRANGER_PLAYS: _stranger_plays,
}
"""What is drawn; the other deeds are done where a match is opened and played."""
