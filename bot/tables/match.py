"""A running match: starting, acting, deadlines, the next round, ending.  Pure: table to table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, assert_never

from bot.ids import Computer, MessageId, QuestionId, UserId
from bot.tables import deals, lobby, lots, presence, queueing, undo, verdict, voting, waiting
from bot.tables.computer_answers import NO_ANSWERS, Answers
from bot.tables.fold import append
from bot.tables.lobby import NOBODY, Apart
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing, Expired, Lobby, Over, Played, Round, Unreadable
from bot.tables.ports import Change
from bot.tables.stored import (
    Actor,
    Ahead,
    ComputerRow,
    Deadline,
    DeadlineKind,
    Entry,
    Pace,
    Person,
    Result,
    ResultRow,
    Status,
    Stop,
    StoredTable,
    Votes,
    standing,
)
from bot.tables.stories import figures
from bot.tables.waiting import oldest, self_answering
from engine.game import NotationError, Seat

RECENT: Final = 256
"""Lines of the log among which an interaction that comes twice is looked for."""


def altered(table: Table, stored: StoredTable, now: datetime) -> Table:
    """`table` with its people or places changed, and what that means for the match."""
    if stored is table.stored:
        return table
    stored = voting.recount(stored, now, half_played=table.half_played)
    stored = queueing.without_filled_calls(stored)
    if stored.status is Status.RUNNING and stored.endless:  # all the others have left, or are away
        stored = voting.change_pace(stored, Pace.DAILY)
    if isinstance(table.phase, Round):
        stored = presence.with_hands_seen(stored, table.stored.seating)  # also who has just left
    table = undo.settled(waiting.with_deadlines(replace(table, stored=stored), now), None, now)
    return _begin_when_ready(_close_when_ready(queueing.settled(table, now), now), now)


def join(
    table: Table,
    person: Person,
    place: int | None,
    now: datetime,
    apart: Apart = NOBODY,
    shown: UserId | None = None,
) -> Table:
    """`person` sits down, or gets in line if they name no place and there is none for them.

    Raises what `lobby.sit` and `queueing.stand` raise.
    """
    stored = table.stored
    if place is None and queueing.is_the_way(stored, person.id):
        return _asked_anew(replace(table, stored=queueing.stand(stored, person, apart)), now)
    bound, ply = isinstance(table.phase, Round), table.ply
    stored = lobby.sit(stored, person, place, now, ply=ply, bound=bound, apart=apart, shown=shown)
    return altered(table, stored, now)


def come(
    table: Table, person: Person, place: int | None, now: datetime, apart: Apart = NOBODY
) -> Table:
    """`person` comes to a rematch: to the place that is kept for them, else to `place` if it is
    free for them: see `join`.

    `place` is one of the match before; the kept one may have been moved since.  No change if they
    sit already.
    """
    seating = table.stored.seating
    known = seating.place_of(person.id), seating.kept_for(person.id)
    wished = known == (None, None) and place in seating.open_to()
    return join(table, person, place if wished else None, now, apart)


def _asked_anew(table: Table, now: datetime) -> Table:
    """At a planned table whose time is up, while too few are ready and others wait in line: with
    the time after which people who are not ready give way to these."""
    stored = table.stored
    waits = isinstance(table.phase, Lobby) and stored.timing.overdue and stored.votes.ready
    if not waits or not stored.seating.in_line:
        return table
    return replace(table, stored=lobby.renew_start_time(stored, now))


def start(table: Table, now: datetime, user: UserId, shown: str | None = None) -> Table:
    """The host starts the match: the seats are closed for the first round.

    Raises TableError `ended`, `started`, `not_host`, `too_few` (needed, seated), `endless`, `stale`
    (`lobby.require_agreed`).
    """
    lobby.require_lobby(table.stored)
    lobby.require_host(table.stored, user)
    lobby.require_agreed(table.stored, shown)
    return begin(table, now)


def ready_to_begin(table: Table, now: datetime, user: UserId, shown: str | None = None) -> Table:
    """`user` is ready: see `lobby.ready`.  The match begins when everybody at the table is.

    Raises TableError `too_few` (needed, seated), `endless`, `stale` (as `start`) too.
    """
    stored = lobby.ready(table.stored, user, now)
    lobby.require_agreed(stored, shown)
    _require_enough(table)
    lobby.require_end(stored)
    table = _begin_when_ready(replace(table, stored=stored), now)
    return _asked_anew(table, now)


def act(
    table: Table,
    question: QuestionId | None,
    user: UserId,
    text: str,
    interaction: int | None,
    now: datetime,
) -> Table:
    """Play what `user` typed or pressed as the answer to `question` (None: to the present one).

    Acting makes `user` present.

    Raises TableError `ended`, `not_running`, `not_seated`, `shuffling` (the seats are closed),
    `between_rounds`, `not_your_turn` (seat: whose turn it is, -1 if several), `stale`;
    NotationError and RuleError of the game.
    """
    phase = _require_running(table)
    seat = lobby.require_seated(table.stored, user)
    questions = _require_round(phase).questions
    if seat not in questions:
        raise TableError("not_your_turn", seat=min(questions) if len(questions) == 1 else -1)
    if question is not None and question != questions[seat]:
        raise TableError("stale")
    game = table.game
    canonical = game.format_action(game.parse_action(text, table.observe(seat)))
    entry = Entry(table.ply, seat, canonical, now, interaction)
    return _append_action(table, presence.clear_absence(table.stored, user), entry)


def answer_for(table: Table, seat: Seat, actor: Actor, text: str | None, now: datetime) -> Table:
    """Answer for `seat` without a press: `text` if it is legal, else the default action.

    A person who misses two decisions in a row is away from then on.
    """
    game, stored = table.game, table.stored
    action = _legal(table, seat, text)
    if action is None:
        action = game.default_action(table.observe(seat))
    if actor is Actor.CLOCK:
        stored, actor = presence.missed(stored, seat)
    entry = Entry(table.ply, seat, game.format_action(action), now, by=actor)
    return _append_action(table, stored, entry)


def set_standing_pass(
    table: Table, now: datetime, user: UserId, question: QuestionId | None, *, on: bool
) -> Table:
    """Have `user` pass for the whole deal, or no longer.

    `question` is the number on the button (None: the present one).  If their seat is still asked
    it, and passing answers it, the answer is given at once.

    Raises TableError `ended`, `not_running`, `not_seated`, `shuffling`, `between_rounds`, `stale`
    (the question of an earlier deal).
    """
    phase = _require_running(table)
    seat = lobby.require_seated(table.stored, user)
    deal_ply = _require_round(phase).deal_ply
    if question is not None and question <= deal_ply:
        raise TableError("stale")
    stored = presence.clear_absence(table.stored, user)
    passing = stored.votes.standing
    votes = replace(stored.votes, standing=passing | {user} if on else passing - {user})
    table = replace(table, stored=replace(stored, votes=votes))
    if table.answers_itself(seat) and question in (None, table.questions[seat]):
        return answer_for(table, seat, Actor.STANDING, table.own_answer(seat), now)
    return waiting.with_deadlines(table, now)


def choose_ahead(
    table: Table, now: datetime, user: UserId, since: QuestionId, text: str | None
) -> Table:
    """Have `text` played for `user` when it is their turn; None takes the choice back.

    Only they learn of it.  It is possible for cards of a trick alone (`Layout.ahead`); the line of
    the log names a person, and to everybody else they are asked like anybody.

    `since` is the number on the button: the ply at which it was drawn.  If `user` has been asked
    since, nothing is chosen, and an earlier choice is taken back: they see the question first.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale` (they have answered since, a
    play was taken back, or that was another round), `ahead_illegal` (the card can no longer be
    played).
    """
    stored = table.stored
    seat = lobby.require_player(stored, user)
    phase = table.phase
    over = not isinstance(phase, Round) or since <= phase.deal_ply
    if over or any(entry.seat == seat or entry.is_undo for entry in table.log[since:]):
        raise TableError("stale")
    stored = presence.clear_absence(stored, user)
    known, chosen = stored.votes.ahead.get(user), None
    if text is not None and seat not in table.actors:
        if all(act.action != text for act in table.game.layout(table.observe(seat)).ahead):
            raise TableError("ahead_illegal")
        same = known is not None and known.text == text
        chosen = known if same else Ahead(QuestionId(table.ply), text)
    if chosen != known:
        stored = replace(stored, votes=stored.votes.with_ahead(user, chosen))
    return waiting.with_deadlines(replace(table, stored=stored), now)


def is_applied(table: Table, interaction: int | None) -> bool:
    """Whether that interaction is among the latest lines of the log.

    Discord repeats one within seconds; an older one is refused by the store.
    """
    if interaction is None:
        return False
    return any(entry.interaction == interaction for entry in table.log[-RECENT:])


def ready(table: Table, now: datetime, user: UserId, question: QuestionId | None) -> Table:
    """Note that `user` wants the next round; the seats are closed when all people present do.

    Stand-ins play for the others.  Once the seats are closed a press changes nothing.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale`, `round_running` (not between
    two rounds, and no question given).
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
        case BetweenRounds():
            stored = presence.clear_absence(table.stored, user)
        case _:
            assert_never(phase)
    votes = replace(stored.votes, ready=stored.votes.ready | {user})
    stored = replace(stored, votes=votes)
    return _close_when_ready(replace(table, stored=stored), now)


def posted(table: Table, now: datetime, number: int, post: MessageId | None) -> Table:
    """Deal round `number`, whose message has the id `post`; None if there can be no message.

    Changes nothing unless the seats are closed for that very round.  Where people play with people
    nothing is dealt without a message: otherwise an operator who knows the seeds could search for a
    word that gives a good deal.
    """
    if table.phase != Closing(number) or (post is None and table.stored.seating.in_company):
        return table
    return deal(table, number, "" if post is None else str(post), now)


def change(before: Table | None, after: Table) -> tuple[Change, Table]:
    """The change to write that leads from `before` (None: a new table) to `after`, and `after`
    then."""
    expected = 0 if before is None else before.stored.version
    stored, played, result = replace(after.stored, version=expected + 1), after.played, None
    if before is not None and before.running:
        stored = _with_clock_change(before.stored, stored, after.ply)
    ends = isinstance(after.phase, Over) and not (before and isinstance(before.phase, Over))
    if ends and played is not None:
        stored = verdict.judged(stored, after.game, played.state, len(played.rounds))
        result = _result(stored, played.rounds, after.log, after.game.info.teams)
    after = replace(after, stored=stored)
    entries = after.log[0 if before is None else before.ply :]
    return Change(stored, expected, entries, result), after


def _with_clock_change(before: StoredTable, after: StoredTable, ply: int) -> StoredTable:
    """A running match, with the ply of its next entry if it has got a clock or lost it."""
    timing = after.timing
    if (before.timing.pace.time is None) == (timing.pace.time is None):
        return after
    return replace(after, timing=replace(timing, clock_changes=(*timing.clock_changes, ply)))


def begin(table: Table, now: datetime) -> Table:
    """The match begins: empty places close up, seats are drawn if that was chosen, and they are
    closed for the first round."""
    stored, game = table.stored, table.game
    seats = _require_enough(table)
    lobby.require_end(stored)
    options = game.complete_options(seats, stored.given)
    seating = replace(
        stored.seating,
        places=tuple(place for place in stored.seating.places if not place.free),
        kept={},
        offers={},
    )
    stored = replace(stored, seating=seating)
    if stored.customs.drawn:
        stored = lots.draw_seats(stored, lots.AT_BEGINNING)
    stored = replace(
        stored,
        status=Status.RUNNING,
        rules_version=game.info.rules_version,
        options=dict(options),
        seating=replace(stored.seating, starters=stored.seating.sitters),
        timing=replace(stored.timing, deadlines=(), overdue=False),
        votes=Votes(),
        started=now,
    )
    stored = deals.close_seats(stored, 1, table.ply, now)
    return Table(stored, game, played=Played(game.initial(seats, options)))


def deal(table: Table, number: int, post: str, now: datetime) -> Table:
    """Round `number` dealt, with the id of the message that carries it, and what it waits for."""
    return waiting.with_deadlines(deals.deal(table, number, post, now), now)


def close_for_next_round(table: Table, pause: BetweenRounds, now: datetime) -> Table:
    """The seats closed for the round after `pause`."""
    stored = table.stored
    stored = deals.close_seats(stored, pause.number + 1, pause.question, now)
    return replace(table, stored=stored)


def _require_enough(table: Table) -> int:
    """The number of those who sit in the lobby, computer players too, if it can be played with
    them.

    Raises TableError `too_few` (needed, seated).
    """
    seated = table.stored.seating.taken
    needed = next(n for n in table.game.info.seats if n >= seated)
    if seated != needed:
        raise TableError("too_few", needed=needed, seated=seated)
    return seated


def _begin_when_ready(table: Table, now: datetime) -> Table:
    """The match, once everybody who sits in the lobby is ready and no place is kept for others.

    At a planned table whose time is up it begins without whoever is not, as soon as the others are
    enough.
    """
    stored = table.stored
    if not isinstance(table.phase, Lobby) or stored.seating.kept:
        return table
    if stored.timing.overdue:
        stored = lobby.only_ready(stored, now)
    people = {person.id for person in stored.seating.people}
    enough = stored.seating.taken in table.game.info.seats and not stored.endless
    if not people or not people <= stored.votes.ready or not enough:
        return table
    return begin(replace(table, stored=stored), now)


def _close_when_ready(table: Table, now: datetime) -> Table:
    """The seats closed for the next round once everybody present wants it."""
    stored = table.stored
    everybody = {person.id for person in stored.seating.present}
    if isinstance(table.phase, BetweenRounds) and everybody <= stored.votes.ready:
        return close_for_next_round(table, table.phase, now)
    return table


def _append_action(table: Table, stored: StoredTable, entry: Entry) -> Table:
    """`table` with `stored` after an action.  The match is stopped if nobody is present."""
    now = entry.at
    stored = _without_ahead(stored, entry.seat)
    table = append(table, stored.without_deadline(DeadlineKind.IDLE), entry)  # it begins anew
    stored = table.stored
    if isinstance(table.phase, Over):
        stored = verdict.conceding(stored, stored.seating.absent)
        stored = stored.ended_as(Status.FINISHED, None, now)
        stored = replace(stored, seating=replace(stored.seating, seen={}))
    elif not stored.seating.present:
        stored = verdict.conceding(stored, stored.seating.absent)
        stored = stored.broken_off(Stop.EMPTY, now)
    else:
        if entry.by is Actor.CLOCK_AWAY:
            stored = presence.recount_end_votes(stored, now)
            stored = voting.recount(stored, now, half_played=table.half_played)
            stored = verdict.over_if_won(stored, table.game.info.teams, now)
        if isinstance(table.phase, BetweenRounds):
            stored = _after_round(stored, table.phase.question)
    return waiting.with_deadlines(replace(table, stored=stored), now)


def _after_round(stored: StoredTable, pause: QuestionId) -> StoredTable:
    """Without the votes to end the match, for a rest and for a pace: their round is over.

    The match may have got into its second half with it, where to end it costs more.  Votes stay
    to end it while the countdown runs, and to go on during a rest.
    """
    votes, runs = replace(stored.votes, paces={}), stored.timing.deadline(DeadlineKind.VOTED)
    if runs is None:
        votes = replace(votes, end_votes=frozenset())
    else:  # if it is called off they go too: `presence.without_end_countdown`
        stored = stored.with_deadline(runs._replace(question=pause))
    if stored.timing.rest is None:
        votes = replace(votes, rest_votes=frozenset())
    return replace(stored, votes=votes)


def _without_ahead(stored: StoredTable, seat: Seat) -> StoredTable:
    """Without the card that the person of `seat` chose ahead for the question answered now."""
    person = stored.seating.places[seat].person
    if person is None or person.id not in stored.votes.ahead:
        return stored
    return replace(stored, votes=stored.votes.with_ahead(person.id, None))


def _legal(table: Table, seat: Seat, text: str | None) -> Any:
    """The action that `text` means; None if it means nothing that `seat` may do now."""
    if text is None:
        return None
    try:
        action = table.game.parse_action(text, table.observe(seat))
    except NotationError:
        return None
    return action if table.game.is_legal(table._state, seat, action) else None


def _result(
    stored: StoredTable,
    rounds: Sequence[Sequence[int]],
    log: Sequence[Entry],
    teams: Sequence[Sequence[Seat]],
) -> Result | None:
    """The result that counts for the people who began the match; None if it counts for nobody.

    A deal that is played again is known: it counts nowhere.
    """
    outcome = stored.outcome
    if stored.ended is None or outcome is None or stored.again is not None:
        return None
    began = stored.seating.beginners
    known = figures(stored, rounds, log, teams)
    counts, filled = stored.customs.counts, len(began) < len(stored.seating.starters)
    rows = tuple(
        ResultRow(
            person.id,
            person.name,
            seat,
            outcome.ranking[seat],
            outcome.scores[seat],
            counts and stored.counting.counts(hinted=person.id in stored.hinted, computers=filled),
            *known.get(seat, ()),
        )
        for seat, person in began.items()
    )
    computers = tuple(
        ComputerRow(one, seat, outcome.ranking[seat], outcome.scores[seat])
        for seat, one in enumerate(stored.seating.starters)
        if isinstance(one, Computer)
    )
    return Result(
        stored.id,
        stored.guild,
        stored.game,
        len(rounds),
        stored.ended,
        rows,
        computers,
        sum(not entry.is_deal for entry in standing(log)),
    )


def _require_running(table: Table) -> Closing | Round | BetweenRounds:
    """The phase of a match that goes on.

    Raises TableError `ended`, `not_running`, `unreadable` (id).
    """
    match table.phase:
        case Closing() | Round() | BetweenRounds():
            return table.phase
        case Lobby():
            raise TableError("not_running")
        case Over() | Expired():
            raise TableError("ended")
        case Unreadable():
            raise TableError("unreadable", id=table.id)
        case _:
            assert_never(table.phase)


def _require_round(phase: Closing | Round | BetweenRounds) -> Round:
    """The round that is played.  Raises TableError `shuffling`, `between_rounds`."""
    match phase:
        case Round():
            return phase
        case Closing():
            raise TableError("shuffling")
        case BetweenRounds():
            raise TableError("between_rounds")
        case _:
            assert_never(phase)


# Effects of deadlines.


def fire(table: Table, deadline: Deadline, now: datetime, answers: Answers = NO_ANSWERS) -> Table:
    """The table after `deadline`; unchanged if it was fired, moved or answered before.

    `answers` are those of computer players and stand-ins.
    """
    stored, phase, in_lobby = table.stored, table.phase, isinstance(table.phase, Lobby)
    waits = stored.timing.deadline(deadline.kind)
    if waits is None or waits.question != deadline.question or waits.due > now:
        return table
    if isinstance(phase, Unreadable):
        return replace(table, stored=stored.broken_off(Stop.UNREADABLE, now))
    match waits.kind:
        case DeadlineKind.LOBBY if in_lobby:
            return replace(table, stored=stored.broken_off(None, now))
        case DeadlineKind.HOST if in_lobby:
            return replace(table, stored=lobby.replace_host(stored, now))
        case DeadlineKind.KEPT if in_lobby:
            return altered(table, lobby.release_places(stored), now)
        case DeadlineKind.PLANNED if in_lobby:
            return _overdue(table, now)
        case DeadlineKind.OFFERED if stored.seating.offers:
            return altered(table, queueing.pass_on(stored, now), now)
        case DeadlineKind.STALL if stored.timing.stalled is not None:
            return replace(table, stored=stored.broken_off(Stop.UNSEEN, now))
        case DeadlineKind.REST if table.running:
            stored = voting.rest_time_up(stored)
            return waiting.with_deadlines(replace(table, stored=stored), now)
        case DeadlineKind.VOTED if table.running:
            return replace(table, stored=presence.end_time_up(stored, now))
        case DeadlineKind.NEXT_ROUND if isinstance(phase, BetweenRounds):
            return close_for_next_round(table, phase, now)
        case DeadlineKind.POST if (
            isinstance(phase, Closing) and now - waits.due > deals.MAX_POST_LATE
        ):
            # Nobody was there to post or to name anything: the message gets its time again.
            return replace(table, stored=deals.with_post_time(stored, table.ply, now))
        case DeadlineKind.POST if isinstance(phase, Closing) and stored.seating.in_company:
            stored = presence.stall(stored, (), now)  # it waits until the message is there
            return waiting.with_deadlines(replace(table, stored=stored), now)
        case DeadlineKind.POST if isinstance(phase, Closing):
            return deal(table, phase.number, "", now)
        case DeadlineKind.WARN if oldest(table, table.asked) == waits.question:
            stored = replace(stored, timing=replace(stored.timing, warned=waits.question))
            return replace(table, stored=stored.without_deadline(DeadlineKind.WARN))
        case DeadlineKind.TURN if oldest(table, table.not_computing) == waits.question:
            return _answered(table, table.not_computing, waits, answers, now)
        case DeadlineKind.IDLE if oldest(table, table.asked) == waits.question:
            return _idle(table, waits, now)
        case DeadlineKind.SELF_ANSWER if oldest(table, self_answering(table)) == waits.question:
            return _answered(table, self_answering(table), waits, answers, now)
        case DeadlineKind.COMPUTER if oldest(table, table.computing) == waits.question:
            return _answered(table, table.computing, waits, answers, now)
        case kind:  # nothing of that kind is waited for any more
            return waiting.with_deadlines(replace(table, stored=stored.without_deadline(kind)), now)


def _overdue(table: Table, now: datetime) -> Table:
    """A planned table begins with whoever is ready; else its line gets seats of the others."""
    table = altered(table, lobby.overdue(table.stored), now)
    if not isinstance(table.phase, Lobby):
        return table
    return altered(table, queueing.give_way(table.stored, now), now)


def _idle(table: Table, waits: Deadline, now: datetime) -> Table:
    """The people who are asked are told that a day is left, or have given the match up."""
    stored = table.stored
    if stored.timing.warned == waits.question and now - waits.due <= waiting.IDLE_LATE:
        people = (stored.seating.places[seat].person for seat in table.asked)
        idle = {person.id for person in people if person is not None}
        stored = verdict.conceding(stored, stored.seating.absent | idle)
        return replace(table, stored=stored.broken_off(Stop.IDLE, now))
    # A day is left, again if nobody could play as it ended.
    stored = replace(stored, timing=replace(stored.timing, warned=waits.question))
    again = waits._replace(due=now + waiting.IDLE_WARNING)
    return replace(table, stored=stored.with_deadline(again))


def _answered(
    table: Table, seats: tuple[Seat, ...], waits: Deadline, answers: Answers, now: datetime
) -> Table:
    """The answer of each of `seats` that is asked the question of `waits`."""
    for seat in seats:
        if table.questions.get(seat) == waits.question:  # still, now that others have answered
            thought = answers.get((seat, waits.question))
            actor, text = _answer(table, seat, waits.kind, thought)
            table = answer_for(table, seat, actor, text, now)
    return table


def _answer(
    table: Table, seat: Seat, kind: DeadlineKind, thought: str | None
) -> tuple[Actor, str | None]:
    """The actor who answers for `seat`, and the answer: the table's own, or a card chosen ahead."""
    place = table.stored.seating.places[seat]
    if place.computer is not None:
        return Actor.COMPUTER, thought
    if place.stand_in:
        return Actor.STAND_IN, thought
    if kind is DeadlineKind.TURN:
        return Actor.CLOCK, None
    own = table.own_answer(seat)
    # Nothing tells what was chosen ahead from a press.
    return (Actor.PERSON, table.ahead(seat)) if own is None else (Actor.STANDING, own)
