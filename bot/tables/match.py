"""A running match: starting, acting, the next round, ending.  Pure: table to table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final, assert_never

from bot.ids import MessageId, QuestionId, UserId
from bot.seated import Computer
from bot.tables import deals, lobby, presence, resting, seeking, stopping, verdict, waiting
from bot.tables.fold import append
from bot.tables.model import (
    By,
    ByAhead,
    ByClock,
    ByComputer,
    ByPerson,
    ByStandIn,
    ByStanding,
    Table,
    TableError,
)
from bot.tables.phase import Closing, Expired, Lobby, Over, Pause, Played, Round, Unreadable
from bot.tables.ports import Change
from bot.tables.stored import (
    Actor,
    ComputerRow,
    DeadlineKind,
    Entry,
    Person,
    Result,
    ResultRow,
    Status,
    Stop,
    StoredTable,
)
from bot.tables.votes import Votes
from engine.game import NotationError, Seat

RECENT: Final = 256
"""Lines of the log among which an interaction that comes twice is looked for."""


def on_stored(table: Table, decide: Callable[[StoredTable], StoredTable], now: datetime) -> Table:
    """`table` with its people or places changed, and what that means for the match."""
    stored = decide(table.stored)
    if stored is table.stored:
        return table
    stored = resting.recounted(seeking.found(stored), now)
    if isinstance(table.phase, Round):
        stored = presence.sat(stored, table.stored.seating)  # also who has just left
    return _going_on(waiting.waiting(replace(table, stored=stored), now), now)


def sit(table: Table, person: Person, place: int | None, now: datetime) -> Table:
    """`person` sits down: see `lobby.sit`."""
    bound = isinstance(table.phase, Round)
    return on_stored(table, lambda r: lobby.sit(r, person, place, now, bound=bound), now)


def start(table: Table, user: UserId, now: datetime) -> Table:
    """The host starts the match: the seats are closed for the first round.

    Raises TableError `ended`, `started`, `not_host`, `too_few` (needed, seated).
    """
    lobby.require_lobby(table.stored)
    lobby.require_host(table.stored, user)
    return begin(table, now)


def ready_to_begin(table: Table, user: UserId, now: datetime) -> Table:
    """`user` is ready: see `lobby.ready`.  The match begins when everybody at the table is."""
    stored = lobby.ready(table.stored, user, now)
    table = replace(table, stored=stored)
    everybody = {person.id for person in stored.seating.people}
    return begin(table, now) if everybody <= stored.votes.ready else table


def asked(table: Table, by: By) -> QuestionId | None:
    """Number of the question that whoever acts is now asked; None if they are asked nothing."""
    seat = _seat_of(table.stored, by)
    return None if seat is None else table.questions.get(seat)


def act(
    table: Table,
    question: QuestionId | None,
    by: By,
    text: str,
    interaction: int | None,
    now: datetime,
) -> Table:
    """An action, typed or pressed, as the answer to `question` (None: to the present one).

    Whoever acts is present; whoever misses two decisions in a row is away from then on, and
    with nobody present the match is stopped.

    Raises TableError `ended`, `not_running`, `not_seated`, `shuffling` (the seats are closed),
    `between_rounds`, `not_your_turn` (seat: whose turn it is, -1 if several), `stale`;
    NotationError and RuleError of the game.
    """
    phase = _require_running(table)
    seat = _seat_of(table.stored, by)
    if seat is None:
        raise TableError("not_seated")
    questions = _require_round(phase).questions
    if seat not in questions:
        raise TableError("not_your_turn", seat=min(questions) if len(questions) == 1 else -1)
    if question is not None and question != questions[seat]:
        raise TableError("stale")
    game = table.game
    canonical = game.format_action(game.parse_action(text, table.observe(seat)))
    stored, actor = _noted(table.stored, by)
    stored = _nothing_ahead(stored, seat).without_deadline(DeadlineKind.IDLE)  # it begins anew
    entry = Entry(table.ply, seat, canonical, now, interaction, actor)
    table = append(table, stored, entry)
    if isinstance(table.phase, Over):
        stored = stopping.ended(stored, Status.FINISHED, None, now)
        stored = replace(stored, seating=replace(stored.seating, seen={}))
    elif not stored.seating.present:
        stored = stopping.close(stored, Stop.EMPTY, now)
    elif actor is Actor.CLOCK_AWAY:
        stored = resting.recounted(stopping.count_votes(stored, now), now)
    return waiting.waiting(replace(table, stored=stored), now)


def standing(
    table: Table, user: UserId, question: QuestionId | None, now: datetime, *, on: bool
) -> Table:
    """`user` passes for the whole deal, or no longer.

    `question` is the number on what was pressed (None: the present one).  If that is still what
    their seat is asked, and passing answers it, the answer is given at once: somebody pressed.

    Raises TableError `ended`, `not_running`, `not_seated`, `shuffling`, `between_rounds`, `stale`
    (the question of an earlier deal).
    """
    phase = _require_running(table)
    seat = lobby.require_seated(table.stored, user)
    deal_ply = _require_round(phase).deal_ply
    if question is not None and question <= deal_ply:
        raise TableError("stale")
    stored = presence.alive(table.stored, user)
    passing = stored.votes.standing
    votes = replace(stored.votes, standing=passing | {user} if on else passing - {user})
    table = replace(table, stored=replace(stored, votes=votes))
    if table.answers_itself(seat) and question in (None, table.questions[seat]):
        return answered(table, seat, ByStanding(user), now)
    return waiting.waiting(table, now)


def applied(table: Table, interaction: int | None) -> bool:
    """Whether that interaction is among the latest lines of the log.

    Discord repeats one within seconds; an older one is refused by the store.
    """
    if interaction is None:
        return False
    return any(entry.interaction == interaction for entry in table.log[-RECENT:])


def ready(table: Table, user: UserId, question: QuestionId | None, now: datetime) -> Table:
    """`user` wants the next round; the seats are closed when everybody present does.

    Stand-ins play for the others.  Once they are closed a press changes nothing.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale`, `round_running` (not
    between two rounds, and no question given).
    """
    phase = _require_running(table)
    lobby.require_seated(table.stored, user)
    if question is not None and question != table.ply:
        raise TableError("stale")
    match phase:
        case Closing():
            return table
        case Round():
            raise TableError("round_running" if question is None else "stale")
        case Pause():
            stored = presence.alive(table.stored, user)
        case _:
            assert_never(phase)
    votes = replace(stored.votes, ready=stored.votes.ready | {user})
    stored = replace(stored, votes=votes)
    return _going_on(replace(table, stored=stored), now)


def posted(table: Table, number: int, post: MessageId | None, now: datetime) -> Table:
    """The message that carries round `number` has the id `post`, or there can be none: deal.

    Changes nothing unless the seats are closed for that very round.
    """
    if table.phase != Closing(number):
        return table
    return deal(table, number, "" if post is None else str(post), now)


def change(before: Table | None, after: Table) -> tuple[Change, Table]:
    """What to write to get from `before` (None: a new table) to `after`, and `after` then."""
    expected = 0 if before is None else before.stored.version
    stored, played, result = replace(after.stored, version=expected + 1), after.played, None
    ends = isinstance(after.phase, Over) and not (before and isinstance(before.phase, Over))
    if ends and played is not None:
        stored = verdict.judged(stored, after.game, played.state, len(played.rounds))
        result = _result(stored, len(played.rounds))
    after = replace(after, stored=stored)
    entries = after.log[0 if before is None else before.ply :]
    return Change(stored, expected, entries, result), after


def begin(table: Table, now: datetime) -> Table:
    """The match begins: empty places close up, and the seats are closed for the first round."""
    stored, game = table.stored, table.game
    seated = stored.seating.taken
    needed = next(n for n in game.info.seats if n >= seated)
    if seated != needed:
        raise TableError("too_few", needed=needed, seated=seated)
    options = game.complete_options(needed, stored.given)
    seating = replace(
        stored.seating,
        places=tuple(place for place in stored.seating.places if not place.free),
        kept={},
    )
    stored = replace(
        stored,
        status=Status.RUNNING,
        rules_version=game.info.rules_version,
        options=dict(options),
        seating=replace(seating, starters=seating.sitters),
        timing=replace(stored.timing, deadlines=()),
        votes=Votes(),
        started=now,
    )
    stored = deals.close_seats(stored, 1, table.ply, now)
    return Table(stored, game, played=Played(game.initial(needed, options)))


def deal(table: Table, number: int, post: str, now: datetime) -> Table:
    """Round `number` dealt, with the id of the message that carries it, and what it waits for."""
    return waiting.waiting(deals.deal(table, number, post, now), now)


def closed(table: Table, pause: Pause, now: datetime) -> Table:
    """The seats closed for the round after `pause`."""
    stored = table.stored
    stored = deals.close_seats(stored, pause.number + 1, pause.question, now)
    return replace(table, stored=stored)


def _going_on(table: Table, now: datetime) -> Table:
    """The seats closed for the next round once everybody present wants it."""
    stored = table.stored
    everybody = {person.id for person in stored.seating.present}
    if isinstance(table.phase, Pause) and everybody <= stored.votes.ready:
        return closed(table, table.phase, now)
    return table


def _noted(stored: StoredTable, by: By) -> tuple[StoredTable, Actor]:
    """What an action says about who is there, and who brought it."""
    match by:
        case ByPerson(user):
            return presence.alive(stored, user), Actor.PERSON
        case ByStanding():
            return stored, Actor.STANDING
        case ByAhead():
            return stored, Actor.PERSON  # nothing tells it from a press
        case ByClock(seat):
            return presence.missed(stored, seat)
        case ByStandIn():
            return stored, Actor.STAND_IN
        case ByComputer():
            return stored, Actor.COMPUTER
        case _:
            assert_never(by)


def _nothing_ahead(stored: StoredTable, seat: Seat) -> StoredTable:
    """What the person of `seat` chose ahead was for the question that is answered now."""
    person = stored.seating.places[seat].person
    if person is None or person.id not in stored.votes.ahead:
        return stored
    return replace(stored, votes=stored.votes.choosing(person.id, None))


def answered(
    table: Table,
    seat: Seat,
    by: ByClock | ByStandIn | ByStanding | ByAhead | ByComputer,
    now: datetime,
    thought: str | None = None,
) -> Table:
    """The answer that nobody gives now for `seat`.

    The table's own for a person, what they chose ahead, what a computer player or a stand-in has
    thought of if that is legal, else the default.
    """
    match by:
        case ByStanding():
            text = table.own_answer(seat)
        case ByAhead():
            text = table.ahead(seat)
        case ByStandIn() | ByComputer():
            text = thought if _is_legal(table, seat, thought) else None
        case ByClock():
            text = None
        case _:
            assert_never(by)
    if text is None:
        text = table.game.format_action(table.game.default_action(table.observe(seat)))
    return act(table, table.questions[seat], by, text, None, now)


def _is_legal(table: Table, seat: Seat, text: str | None) -> bool:
    """Whether that is the notation of something that `seat` may do now."""
    if text is None:
        return False
    try:
        action = table.game.parse_action(text, table.observe(seat))
    except NotationError:
        return False
    return table.game.is_legal(table._state, seat, action)


def _result(stored: StoredTable, rounds: int) -> Result | None:
    """What the match counts for those who began it; None if it counts for nobody."""
    outcome = stored.outcome
    if stored.ended is None or outcome is None:
        return None
    rows = tuple(
        ResultRow(person.id, person.name, seat, outcome.ranking[seat], outcome.scores[seat])
        for seat, person in stored.seating.beginners.items()
    )
    computers = tuple(
        ComputerRow(one, seat, outcome.ranking[seat], outcome.scores[seat])
        for seat, one in enumerate(stored.seating.starters)
        if isinstance(one, Computer)
    )
    return Result(stored.id, stored.guild, stored.game, rounds, stored.ended, rows, computers)


def _require_running(table: Table) -> Closing | Round | Pause:
    """The phase of a match that goes on.

    Raises TableError `ended`, `not_running`, `unreadable` (id).
    """
    match table.phase:
        case Closing() | Round() | Pause():
            return table.phase
        case Lobby():
            raise TableError("not_running")
        case Over() | Expired():
            raise TableError("ended")
        case Unreadable():
            raise TableError("unreadable", id=table.id)
        case _:
            assert_never(table.phase)


def _require_round(phase: Closing | Round | Pause) -> Round:
    """The round that is played.  Raises TableError `shuffling`, `between_rounds`."""
    match phase:
        case Round():
            return phase
        case Closing():
            raise TableError("shuffling")
        case Pause():
            raise TableError("between_rounds")
        case _:
            assert_never(phase)


def _seat_of(stored: StoredTable, by: By) -> Seat | None:
    match by:
        case ByPerson(user):
            return stored.seating.place_of(user)
        case ByStanding(user):
            customs = stored.customs
            passing = customs.passes or customs.forced or user in stored.votes.standing
            return stored.seating.place_of(user) if passing else None
        case ByAhead(user):
            return stored.seating.place_of(user)
        case ByClock(seat):
            return None if stored.seating.places[seat].stand_in else seat
        case ByStandIn(seat):
            return seat if stored.seating.places[seat].stand_in else None
        case ByComputer(seat):
            return seat if stored.seating.places[seat].computer is not None else None
        case _:
            assert_never(by)
