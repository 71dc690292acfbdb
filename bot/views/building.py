"""Building views from tables: the only place where that happens.

Everything is built from stored values and from observations: a spectator's for the channel, the
owner's for a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, assert_never

from bot.ids import (
    ChannelId,
    Computer,
    MessageId,
    Named,
    QuestionId,
    Somebody,
    UserId,
    is_forgotten,
    own_name,
)
from bot.plain_text import NAME_LENGTH, plain_name, told_apart
from bot.tables import hinting, lots, phase, queueing, undo, voting, waiting
from bot.tables.customs import offered
from bot.tables.deals import Check, is_published, public_deals
from bot.tables.lobby import agreement
from bot.tables.lots import LABEL, lot_seed, next_match
from bot.tables.model import Table, TableError
from bot.tables.phase import Round
from bot.tables.stored import (
    Actor,
    DeadlineKind,
    DealAgain,
    Pace,
    Person,
    Place,
    Seating,
    Stop,
    standing,
)
from bot.views import values
from bot.views.values import TakeBackView
from engine.game import AnyGame, GameInfo, NotationError, Options, Seat
from engine.layout import Act, Block
from engine.options import worth_saying
from engine.players.levels import Level

BoardPlace: TypeAlias = tuple[ChannelId, MessageId]
"""Channel and message of a board."""

EVENTS: Final = 6
"""Number of latest events that a board is given; it says only those that it does not show."""


def table_head(table: Table) -> values.TableHead:
    stored = table.stored
    teams = {seat: i for i, team in enumerate(table.game.info.teams) for seat in team}
    computers, kept = stored.seating.computers, stored.seating.kept

    people = [place.person or kept.get(seat) for seat, place in enumerate(stored.seating.places)]
    line = stored.seating.in_line
    names = named([*people, *line], [*range(len(people)), *(None for _ in line)])

    def sitter(seat: Seat, place: Place) -> values.Sitter:
        user = None if place.person is None else place.person.id
        name: Named
        awaited: Named
        name, awaited = (names[seat], "") if user is not None else ("", names[seat])
        stand_in = table.running and place.stand_in
        computer = computers.get(seat)
        return values.Sitter(seat, user, name, teams.get(seat), stand_in, awaited, computer)

    return values.TableHead(
        table=stored.id,
        game=stored.game,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.seating.host,
        sitters=tuple(sitter(*place) for place in enumerate(stored.seating.places)),
        options=worth_saying(table.game.info, len(table.stored.seating.places), _options(table)),
        news=table.game.info.news,
        pace=stored.timing.pace,
        locale=stored.locale,
        seal=table.commitment,
        again=_again(stored.again),
        waiting=names[len(people) :],
    )


def _again(again: DealAgain | None) -> values.Again | None:
    """What may be seen of it: its cards stay secret."""
    if again is None:
        return None
    return values.Again(again.table, again.round, again.seat, again.points)


def named(
    people: Sequence[Person | None], seats: Sequence[int | None] | None = None
) -> tuple[Named, ...]:
    """Names by seat, made different from each other; empty without people.

    `seats`: as of `bot.plain_text.told_apart`.
    """
    forgotten = [one is not None and is_forgotten(one.id) for one in people]
    names = ["" if one is None else plain_name(one.name) for one in people]
    own = ["" if gone else name for gone, name in zip(forgotten, names, strict=True)]
    apart = told_apart(names, NAME_LENGTH, seats=seats)
    found: list[Named] = list(told_apart(own, NAME_LENGTH, seats=seats))
    for n, gone in enumerate(forgotten):
        if gone:  # a number where their stored name needs one
            seat = n if seats is None else seats[n]
            found[n] = Somebody(None if apart[n] == names[n] else seat)
    return tuple(found)


def channel_view(table: Table, check: Check | None = None) -> values.ChannelView:
    """The present view of the table's message in the channel; `check`: of a match that is over.

    Raises TableError `unreadable`.
    """
    match table.phase:
        case phase.Lobby():
            return _lobby(table)
        case phase.Closing(number):
            return values.ShufflingView(table_head(table), number, table.words)
        case phase.Round() | phase.BetweenRounds():
            return _board(table, table.phase)
        case phase.Over():
            return _result(table, table.phase, check)
        case phase.Expired(None):
            return values.ClosedView(table_head(table), "expired")
        case phase.Expired(Stop.UNREADABLE) | phase.Unreadable(is_open=False):
            return values.ClosedView(table_head(table), "unreadable")
        case phase.Expired(Stop.RESTORED):
            return values.ClosedView(table_head(table), "restored")
        case phase.Expired():
            return values.ClosedView(table_head(table), "ended")
        case phase.Unreadable():
            raise TableError("unreadable", table, id=table.id)
        case _:
            assert_never(table.phase)


def begun_head(table: Table) -> values.TableHead:
    """The head as `table_head` makes it; of a match that is over with those who began it."""
    head = table_head(table)
    over = not table.stored.status.is_open
    return _as_begun(head, _in_result(table.stored.seating)) if over else head


def hand_view(
    table: Table,
    user: UserId,
    board: BoardPlace | None,
    *,
    opened: str | None = None,
    asking: Act | None = None,
    notice: str | None = None,
    aid: values.Aid | None = None,
    ticks: str | None = None,
) -> values.HandView | None:
    """The hand of `user`; None if they have none now, as before a deal."""
    seat, now = table.stored.seating.place_of(user), table.phase
    if seat is None or not isinstance(now, phase.Round | phase.BetweenRounds):
        return None
    question, chosen = table.questions.get(seat), table.stored.votes.ahead.get(user)
    return values.HandView(
        head=table_head(table),
        layout=table.game.layout(table.seen_by(user)),
        seat=seat,
        question=question,
        pause=_pause(table, now),
        board=board,
        opened=opened,
        asking=asking,
        notice=notice,
        aid=aid,
        ticks=ticks,
        standing=user in table.stored.votes.standing,
        in_company=table.stored.seating.in_company,
        deal=now.deal_ply,
        away=table.stored.seating.places[seat].away,
        due=_due(table, question) if seat in table.asked else None,
        warned=is_warned(table, question),
        idle=is_idle(table),
        ahead=None if chosen is None else chosen.text,
        since=QuestionId(table.ply) if chosen is None else chosen.since,
        told=table.told_since(seat),
        hints=hinting.may_ask(table, user),
        take_back=take_back_view(table, user),
    )


def kick_view(table: Table, target: UserId, means: values.Removal) -> values.KickView | None:
    """The question whether to take the seat of `target`, or their place in line.

    None if they have neither.
    """
    seating = table.stored.seating
    seat = seating.place_of(target)
    waiting = next((one.name for one in seating.waiting if one.id == target), "")
    if seat is None and not waiting:
        return None
    given = len(table.stored.votes.away_votes.get(target, ()))
    votes = (given, seating.votes_to_remove) if means is values.Removal.VOTE else None
    began = None if seat is None else seating.beginners.get(seat)
    stays = means in (values.Removal.MATCH, values.Removal.VOTE)
    counts = stays and began is not None and began.id == target
    return values.KickView(table_head(table), target, seat, waiting, means, votes, counts)


class Reach(NamedTuple):
    """How the people at a table are called now, as they and Discord want it."""

    letters: bool = True
    """Whether anybody gets a hand by direct message."""
    without: Collection[UserId] = ()
    """Who never gets one: a line calls them."""
    once: Collection[UserId] = ()
    """Who is not warned before their time is up."""
    silent: Mapping[UserId, datetime] = MappingProxyType({})
    """Who is in their quiet hours, so that no line calls them, and when these end."""


NO_WISHES: Final = Reach()
"""Nobody has chosen anything, and Discord takes direct messages."""


def notice_view(table: Table, reach: Reach = NO_WISHES) -> values.NoticeView | None:
    """People whom a line in the channel has to call; None if there is nobody to call."""
    calls = {
        user: values.Call(table.questions[seat], is_called_again(table, reach, seat, user))
        for seat, user in _by_line(table, reach).items()
        if user not in reach.silent
    }
    if not calls:
        return None
    due = _due(table, min(call.question for call in calls.values()))
    return values.NoticeView(table_head(table), calls, due, is_idle(table))


def quiet_until(table: Table, reach: Reach) -> datetime | None:
    """When the first of those whom a line has to call leaves their quiet hours; None: nobody is in
    theirs."""
    ends = (reach.silent.get(user) for user in _by_line(table, reach).values())
    return min((end for end in ends if end is not None), default=None)


def _by_line(table: Table, reach: Reach) -> Mapping[Seat, UserId]:
    """People whom only a line calls, in their quiet hours too: they are asked and get no hand by
    DM.

    At tables without a clock nobody until they are about to be given up.  People whose DM was not
    tried yet are sent a hand first.
    """
    if table.stored.timing.pace is Pace.NONE and not is_idle(table):
        return {}
    places = table.stored.seating.places
    people = ((seat, places[seat].person, places[seat].reachable) for seat in table.asked)
    return {
        seat: person.id
        for seat, person, reachable in people
        if person is not None
        and (not reach.letters or reachable is False or person.id in reach.without)
    }


def more_blocks(table: Table) -> Sequence[Block]:
    """Blocks that everybody may look at on demand in a running round: the last trick."""
    match table.phase:
        case phase.Round() | phase.BetweenRounds():
            return table.game.layout(table.observe(None)).more
        case phase.Closing(number):
            return table.game.layout(table.observe(None)).more if number > 1 else ()
        case phase.Lobby() | phase.Over() | phase.Expired() | phase.Unreadable():
            return ()
        case _:
            assert_never(table.phase)


def verify_view(table: Table, page: int, check: Check | None = None) -> values.VerifyView:
    """The public parts of the table's deals, and what it takes to check them."""
    options, deals = _options(table), public_deals(table)
    return values.VerifyView(
        head=table_head(table),
        deals=deals,
        pack=table.game.pack(len(table.stored.seating.places), options),
        seeds_after=table.game.info.seeds_after,
        check=check,
        over=isinstance(table.phase, phase.Over | phase.Expired),
        page=page,
        drawn=_drawn(table, deals[0].seed if deals else None),
        lot=_lot(table) if isinstance(table.phase, phase.Over) else None,
        begun=begun_head(table),
    )


def _drawn(table: Table, seed: str | None) -> values.SeatsView | None:
    """The latest draw of seats; None if there is none, or the seed of round 1 is secret still."""
    drawn = table.stored.seating.drawn
    if drawn is None or seed is None:
        return None
    names = named([one if isinstance(one, Person) else None for one in drawn.before])
    # Computer players as they are called since.
    levels = ((place, drawn.before[place]) for place in drawn.order)
    computers = [(place, level) for place, level in levels if isinstance(level, Level)]
    called = {place: Computer(number, level) for number, (place, level) in enumerate(computers, 1)}
    return values.SeatsView(
        number=drawn.number,
        before=tuple(called.get(place, name) for place, name in enumerate(names)),
        order=drawn.order,
        seed=seed,
        text=lots.text(table.id, drawn.number),
        fits=lots.fits(table.stored),
    )


def _lot(table: Table) -> values.LotView | None:
    """How it was drawn who sits out the rematch of a match that is over."""
    lots = next_match(table).lots
    if not lots:
        return None
    called = _in_result(table.stored.seating).called
    people = tuple((called[lot.person.id], lot) for lot in lots)
    return values.LotView(LABEL, lot_seed(table), people)


def _next(table: Table, called: Mapping[UserId, Named]) -> values.NextView | None:
    """Who plays the rematch of a match that is over; None if nobody was in line."""
    if not table.stored.seating.waiting:
        return None
    following = next_match(table)
    out = following.sits_out
    on = following.line[: len(following.line) - len(out)]

    def names(people: Sequence[Person]) -> tuple[Named, ...]:
        return tuple(called[one.id] for one in people)

    return values.NextView(names(following.comes), names(out), following.by_lot, names(on))


def _result(table: Table, over: phase.Over, check: Check | None) -> values.ResultView:
    outcome, seating = over.outcome, table.stored.seating
    in_result, beginners = _in_result(seating), seating.beginners
    called = in_result.called
    seen = None if table.played is None else table.observe(None)
    story = None if seen is None else table.game.story(seen)
    return values.ResultView(
        head=_as_begun(table_head(table), in_result),
        scores=None if outcome is None else outcome.scores,
        ranking=None if outcome is None else outcome.ranking,
        rounds=table.rounds,
        story=story,
        ending=None if story is None else table.game.layout(seen),
        told=table.told_in_round,
        stop=over.stop,
        counts=table.stored.customs.counts,
        starters=tuple(
            called[one.id] if isinstance(one, Person) else one for one in seating.starters
        ),
        beginners={seat: one.id for seat, one in beginners.items()},
        stood_in=_stood_in(table),
        conceded=tuple(called[one.id] for one in beginners.values() if one.id in seating.conceded),
        hinted=tuple(
            (called.get(user) or own_name(user, one.name), one.taken)
            for user, one in table.stored.hinted.items()
        ),
        counting=table.stored.counting,
        words=table.words,
        check=check,
        taken_back=0 if table.played is None else table.played.taken_back,
        next=_next(table, called),
    )


def _stood_in(table: Table) -> frozenset[Seat]:
    """Seats that a stand-in was the last to play: not of whoever ended the match by leaving."""
    last = {entry.seat: entry.by for entry in standing(table.log)}
    return frozenset(seat for seat, by in last.items() if by is Actor.STAND_IN)


class _InResult(NamedTuple):
    """Everybody whom the result of a match names: one person is called the same in all of it."""

    seats: tuple[Person | None, ...]
    """Who sits there at its end; who began there on seats that were left."""
    names: tuple[Named, ...]
    """Their names."""
    called: Mapping[UserId, Named]
    """The names of these, of those who began it, and of those in line."""


def _in_result(seating: Seating) -> _InResult:
    began = seating.beginners
    seats = tuple(place.person or began.get(seat) for seat, place in enumerate(seating.places))
    there = {one.id for one in seats if one is not None}
    gone = {seat: one for seat, one in began.items() if one.id not in there}
    others = there | {one.id for one in gone.values()}
    line = [one for one in seating.waiting if one.id not in others]
    people = (*seats, *gone.values(), *line)
    names = named(people, [*range(len(seats)), *gone, *(None for _ in line)])
    called = {one.id: name for one, name in zip(people, names, strict=True) if one is not None}
    for seat, one in began.items():  # of two seats of one person, that where they began
        sitter = seats[seat]
        if sitter is not None and sitter.id == one.id:
            called[one.id] = names[seat]
    return _InResult(seats, names[: len(seats)], called)


def _as_begun(head: values.TableHead, named: _InResult) -> values.TableHead:
    """The head of a match that is over, with the people who began it on seats that were left."""

    def sitter(of: values.Sitter) -> values.Sitter:
        person, name = named.seats[of.seat], named.names[of.seat]
        if person is None:
            return of._replace(name=name)
        return of._replace(user=person.id, name=name, stand_in=of.stand_in or of.free)

    return replace(head, sitters=tuple(map(sitter, head.sitters)))


def _options(table: Table) -> Options:
    stored = table.stored
    if stored.options:
        return stored.options
    try:
        return table.game.complete_options(len(stored.seating.places), stored.given)
    except NotationError:  # of a table that this program does not know enough of
        return {}


def options_view(table: Table) -> values.OptionsView:
    """The present choices of a lobby's host."""
    stored, info = table.stored, table.game.info
    seats = len(stored.seating.places)
    now = _options(table)
    choice = () if stored.alone or len(info.seats) == 1 else info.seats
    usual = {count: table.game.complete_options(count, {}) for count in choice or (seats,)}
    by_players = _by_players(info, _lengths(table.game, {}, info.seats[-1]))
    numbers, switches = [], []
    for spec in info.table_options:
        if spec.kind == "int":
            value = stored.given.get(spec.key)
            normal = ((options.get(spec.key), count) for count, options in usual.items())
            numbers.append(
                values.NumberField(
                    spec.key,
                    spec.measures or "rounds",
                    value if isinstance(value, int) else None,
                    tuple((one, count) for one, count in normal if isinstance(one, int)),
                    spec.minimum,
                    spec.maximum,
                    spec.offered,
                    by_players,
                )
            )
        else:
            switches.append(values.SwitchField(spec.key, now[spec.key], spec.values))
    customs = tuple(
        (name, getattr(stored.customs, name)) for name in offered(info, alone=stored.alone)
    )
    paces = () if stored.alone else tuple((one, one is stored.timing.pace) for one in Pace)
    return values.OptionsView(
        table_head(table), tuple(numbers), tuple(switches), customs, paces, choice
    )


def _lobby(table: Table) -> values.LobbyView:
    stored = table.stored
    lengths = _lengths(table.game, stored.given, len(stored.seating.places))
    return values.LobbyView(
        head=table_head(table),
        minimum=table.game.info.seats[0],
        private=stored.seating.private,
        closes=due_at(table, DeadlineKind.LOBBY),
        ready=stored.votes.ready,
        kept=due_at(table, DeadlineKind.KEPT),
        kept_seats=len(stored.seating.kept.keys() - stored.seating.offers),
        starts=due_at(table, DeadlineKind.PLANNED),
        overdue=stored.timing.overdue,
        words=table.words,
        customs=tuple(
            (name, on)
            for name, on in stored.customs.told
            if name in offered(table.game.info, alone=stored.alone)
        ),
        counting=stored.counting,
        shuffles=lots.shuffles(stored.seating),
        agreement=agreement(stored),
        lengths=lengths,
        by_players=_by_players(table.game.info, lengths),
    )


def _lengths(game: AnyGame, given: Options, most: int) -> tuple[values.Length, ...]:
    """Options about the length, for each number of people who could sit down."""
    measures = {spec.key for spec in game.info.options if spec.measures is not None}
    found: list[values.Length] = []
    for seats in (count for count in game.info.seats if count <= most):
        whole = game.complete_options(seats, given)
        options = {key: value for key, value in whole.items() if key in measures}
        if found and found[-1].options == options:
            found[-1] = found[-1]._replace(maximum=seats)
        else:
            found.append(values.Length(seats, seats, options))
    return tuple(found) if len(found) > 1 else ()


def _by_players(info: GameInfo, lengths: Sequence[values.Length]) -> bool:
    """Whether these are as many rounds as players, whatever the number of players."""
    rounds = {spec.key for spec in info.options if spec.measures == "rounds"}
    return bool(lengths) and all(
        one.minimum == one.maximum and one.options.items() <= {(key, one.minimum) for key in rounds}
        for one in lengths
    )


def _board(table: Table, now: phase.Round | phase.BetweenRounds) -> values.BoardView:
    actors, dealt = table.actors, table.dealt
    rest = table.stored.timing.rest
    return values.BoardView(
        head=table_head(table),
        layout=table.game.layout(table.observe(None)),
        round=now.number,
        actors=actors,
        question=table.questions[actors[0]] if len(actors) == 1 else None,
        log=tuple(table.told_in_round[-EVENTS:]),
        pause=_pause(table, now),
        end_votes=len(table.stored.votes.end_votes),
        votes_needed=table.stored.seating.votes_needed,
        ends=due_at(table, DeadlineKind.VOTED),
        paces=tuple(Counter(table.stored.votes.paces.values()).items()),
        coming=table.stored.timing.coming,
        seekable=queueing.seekable(table.stored.seating),
        rest=None if rest is None else rest + voting.REST_TIME,
        rest_votes=(len(table.stored.votes.rest_votes), voting.rest_votes_needed(table.stored)),
        post=None if dealt is None or table.stored.again else dealt.post,
        words=() if dealt is None else dealt.words,
        asked=table.asked,
        due=_due(table),
        idle=is_idle(table),
        credited=table.stored.timing.credited,
        has_line=not (table.stored.alone or table.stored.seating.private),
    )


def is_warned(table: Table, question: QuestionId | None) -> bool:
    """Whether people were warned that their time for that question runs out, or nudged."""
    return question is not None and question == table.stored.timing.warned


def is_called_again(table: Table, reach: Reach, seat: Seat, user: UserId) -> bool:
    """Whether `user`, who sits there and is asked, is called once more, before time is up."""
    warned = is_warned(table, table.questions.get(seat))
    return warned and (user not in reach.once or is_idle(table))


def is_idle(table: Table) -> bool:
    """Whether the match is about to be given up for lack of actions."""
    idle = table.stored.timing.deadline(DeadlineKind.IDLE)
    return idle is not None and idle.question == table.stored.timing.warned


def due_at(table: Table, kind: DeadlineKind) -> datetime | None:
    """When the deadline of that kind is due; None if there is none."""
    deadline = table.stored.timing.deadline(kind)
    return None if deadline is None else deadline.due


def _due(table: Table, question: QuestionId | None = None) -> datetime | None:
    """When the time for `question` is up (None: for the oldest one that people are asked).

    Without a clock when the match is given up, as far as it is about to be.
    """
    kind = DeadlineKind.IDLE if is_idle(table) else DeadlineKind.TURN
    deadline = table.stored.timing.deadline(kind)
    if deadline is None or question not in (None, deadline.question):
        return None
    return deadline.due


def _pause(table: Table, now: phase.Round | phase.BetweenRounds) -> values.BetweenRoundsView | None:
    if isinstance(now, phase.Round):
        return None
    return values.BetweenRoundsView(
        question=now.question,
        round=now.number,
        points=now.points,
        totals=now.totals,
        ready=table.stored.votes.ready,
        next=due_at(table, DeadlineKind.NEXT_ROUND),
        words=table.words,
        story=table.game.story(table.observe(None)),
        opened=is_published(table, now.number),
        told=table.told_in_round,
    )


# Taking the last play back.


def take_back_view(table: Table, user: UserId) -> TakeBackView | None:
    """What `user`, who sits at the table, is shown of the wish that there is; None: nothing."""
    wish, seating = table.take_back, table.stored.seating
    seat, own = (None, None) if wish is None else map(seating.place_of, (wish.user, user))
    if wish is None or seat is None or own is None or not isinstance(table.phase, Round):
        return None
    play = next(iter(table.told_since(seat)), None)
    if wish.user == user:
        return TakeBackView(wish.question, seat, "refused" if wish.refused else "waits", play)
    if undo.asked_of(table, user) is None or seating.places[own].away:
        return None
    return TakeBackView(wish.question, seat, "asked", play)


# Wishes beside playing.


def _may_take_back(table: Table, user: UserId) -> bool:
    """Whether `user` may ask now to take their last play back."""
    return undo.refusal(table, user) is None and table.take_back is None


def wishes_view(table: Table, user: UserId, *, moderator: bool = False) -> values.WishesView:
    """The wishes of `user` at the present `table`; a `moderator` may also vote for a rest."""
    head, resting = table_head(table), table.stored.timing.rest is not None
    if not table.running or table.stored.seating.place_of(user) is None:
        alone = moderator and table.running and not table.stored.seating.began(user)
        return values.WishesView(head, resting=resting if alone else None)
    places = table.stored.seating.places
    return values.WishesView(
        head,
        resting=resting,
        pace=voting.next_pace(table.stored),
        away=next((seat for seat, place in enumerate(places) if place.away), None),
        nudge=waiting.question_of_others(table, user),
        take_back=QuestionId(table.ply) if _may_take_back(table, user) else None,
    )
