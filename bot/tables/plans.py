"""`Plan`: a table that will open at a time, or when most can; who may answer, who comes.  Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol, assert_never

from bot.ids import ChannelId, GuildId, PlanId, TableId, UserId
from bot.tables.customs import USUAL_CUSTOMS, Customs
from bot.tables.lobby import GUESTS, NOBODY, Apart
from bot.tables.model import TableError
from bot.tables.stored import Pace, Person
from bot.tables.when import When, following
from engine.game import Options
from engine.players.levels import Level

MAX_LATE: Final = timedelta(hours=1)
"""How long after its time a table still opens."""

RETRY_PAUSE: Final = timedelta(minutes=1)
"""Time between two tries to open a table for which there was no room."""

MAX_PEOPLE: Final = 30
"""People who say of one plan that they come, and as many that they cannot."""

MAX_PLANS: Final = 3
"""Plans of one person on one server at a time."""

MAX_SERVER_PLANS: Final = 50
"""Plans of one server at a time."""

PLANNING_WINDOW: Final = timedelta(hours=1)
MAX_NEW_PLANS: Final = 6
"""Plans that one person makes on one server within that time, called off or not."""


ASKED_AHEAD: Final = timedelta(days=2)
"""How long before the time of a weekly plan those are asked who have not answered."""

EVENT_TO_COME: Final = 0
"""In place of the id of an event that is not made yet."""


class PlanState(StrEnum):
    ASKING = "asking"
    """People say at which of its times they can: see `tick`."""
    PLANNED = "planned"
    OPENED = "opened"
    """Its table has opened."""
    OFF = "off"
    """It was called off, or its channel was deleted."""
    NO_TIME = "no_time"
    """At none of the times that it asked about enough people could."""
    NOBODY = "nobody"
    """Nobody had said that they come."""
    LATE = "late"
    """The program was away at that time, and too long after it."""
    BUSY = "busy"
    """There was no room for it: another table in the channel, or too many on the server."""
    UNPLAYABLE = "unplayable"
    """There is no such game any more, or it does not know these options."""
    FORBIDDEN = "forbidden"
    """The person who planned it may no longer open a table there."""
    SHUT = "shut"
    """The program may not write there any more."""
    RESTORED = "restored"
    """The database was restored: answers since its backup are unknown."""

    @property
    def ends_all(self) -> bool:
        """Whether a weekly plan does not come again, whatever people answered."""
        return self in ENDS_ALL


OPEN_STATES: Final = frozenset({PlanState.ASKING, PlanState.PLANNED})
"""States that are not the last."""

OFF_STATES: Final = frozenset(PlanState) - OPEN_STATES - {PlanState.OPENED}
"""States in which no table opens for it any more."""

ENDS_ALL: Final = frozenset(
    {
        PlanState.OFF,
        PlanState.UNPLAYABLE,
        PlanState.FORBIDDEN,
        PlanState.SHUT,
        PlanState.RESTORED,
    }
)


class Lapse(StrEnum):
    """Why a weekly plan is not repeated."""

    UNANSWERED = "unanswered"
    """No person who may come has answered since the last time."""
    NO_ZONE = "no_zone"
    """The machine does not know its time zone any more."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The table to open, as `TableService.open` takes it."""

    game: str
    seats: int | None
    given: Options
    private: bool = False
    pace: Pace = Pace.NONE
    locale: str = "en"
    customs: Customs = USUAL_CUSTOMS
    computers: tuple[int, Level] = (0, Level.NORMAL)
    """How many computer players sit there from the beginning, and how strong they are."""


class Calling(StrEnum):
    """Why a line in the channel calls people."""

    INVITED = "invited"
    """They are asked by name."""
    FOUND = "found"
    """A time is found, and they come."""
    REMIND = "remind"
    """They were asked by name at which time they can, and have not said so."""
    SUITS = "suits"
    """They came last time, and have not said whether they come this time."""
    MOVED_UP = "moved_up"
    """They stood in line, and there is a seat for them now."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line in the channel that calls people; each is posted once."""

    why: Calling
    people: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """At which of the times that a plan asks about one person can."""

    person: Person
    times: tuple[datetime, ...]
    """In their order; none if none of them suits."""


@dataclass(frozen=True, slots=True)
class Room:
    """For how many people a planned table has seats."""

    most: int
    """Whoever comes after so many stands in line."""
    enough: int
    """As many make a match as it was wished for: all its seats, if their number was chosen."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One evening; of a weekly one the next is a plan of its own."""

    id: PlanId
    guild: GuildId
    channel: ChannelId
    by: Person
    wish: Wish
    when: When
    created: datetime
    again: datetime
    """When it is looked at next: to ask, at its time to open the table, and again as long as there
    is no room."""
    state: PlanState = PlanState.PLANNED
    coming: tuple[Person, ...] = ()
    """In the order in which they said so; those beyond its seats stand in line."""
    cannot: tuple[Person, ...] = ()
    pressed: frozenset[UserId] = frozenset()
    """People who answered themselves: the planner comes without being asked."""
    invited: frozenset[UserId] = frozenset()
    """People who were asked by name; if it is private only they may answer, and the planner."""
    table: TableId | None = None
    called: frozenset[UserId] = frozenset()
    """People called when its table has opened."""
    event: int | None = None
    """Id of the event in the server's calendar; None if it is to have none.

    `EVENT_TO_COME` while there is none and will be one if everybody sees its channel.
    """
    ended: datetime | None = None
    lapse: Lapse | None = None
    times: tuple[datetime, ...] = ()
    """The times that it asks about, in their order; none once one is found."""
    ticks: tuple[Tick, ...] = ()
    """What has been answered to that, in the order of the first answers."""
    regulars: frozenset[UserId] = frozenset()
    """Of a weekly one: people who came last time, or came before and said that they could not."""
    lines: tuple[Line, ...] = ()
    """All that were to be posted so far."""
    room: Room | None = None
    """None: a plan of before, for which nobody has counted."""
    version: int = 1

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def is_off(self) -> bool:
        """Whether no table has opened for it, and none will."""
        return self.state in OFF_STATES

    @property
    def seated(self) -> tuple[Person, ...]:
        """Those who come and have a seat."""
        return self.coming if self.room is None else self.coming[: self.room.most]

    @property
    def in_line(self) -> tuple[Person, ...]:
        """Those who come if somebody else cannot, the first in line first."""
        return self.coming[len(self.seated) :]

    @property
    def waits(self) -> bool:
        """Whether its time has come and there was no room."""
        return self.state is PlanState.PLANNED and self.again > self.when.due

    @property
    def host(self) -> Person:
        """The table's future host: the planner if they have a seat, else the first who has."""
        mine = (person for person in self.seated if person.id == self.by.id)
        return next(mine, self.seated[0] if self.seated else self.by)

    def without(self, users: Collection[UserId]) -> Plan:
        """The plan as if these had said nothing: they may not come."""
        coming = tuple(person for person in self.coming if person.id not in users)
        return replace(self, coming=coming, pressed=self.pressed - frozenset(users))


Decide = Callable[[Plan], Sequence[Plan]]
"""The new versions of a plan, and the next plan if it is repeated; raises TableError."""


class PlanStore(Protocol):
    """Plans, and by whose clock people plan.  Every method raises Unavailable."""

    async def add(self, plan: Plan) -> None:
        """Store a new one.

        Raises TableError `too_many_plans` (limit), `server_plans` (limit), `plans_too_fast`
        (limit).
        """

    async def find(self, plan: PlanId) -> Plan | None: ...

    async def change(self, plan: PlanId, decide: Decide) -> Plan | None:
        """Read, decide and write in one transaction; None if there is no such plan."""

    async def listed(self, plan: PlanId, event: int | None) -> None:
        """Note the event in the server's calendar that belongs to a plan."""

    async def earliest(self, skip: Collection[PlanId] = ()) -> Plan | None:
        """The one that is tried to be opened next."""

    async def open_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[PlanId]: ...

    async def naming(self, user: UserId) -> Sequence[PlanId]:
        """Open plans of `user`, and those that they answered or are invited to."""

    async def undrawn(self) -> Sequence[PlanId]:
        """Plans whose messages do not show them as they are, and those with events."""

    async def zone(self, user: UserId) -> str | None:
        """The time zone that `user` named last."""

    async def learn_zone(self, user: UserId, zone: str) -> None: ...


def spoken(plan: Plan, locale: str) -> Plan:
    """The plan in that language."""
    wish = replace(plan.wish, locale=locale)
    return replace(plan, wish=wish, version=plan.version + (wish != plan.wish))


def end(plan: Plan, state: PlanState, now: datetime, table: TableId | None = None) -> Plan:
    """The plan in a state that is its last, with the table that has opened for it."""
    return replace(plan, state=state, ended=now, table=table, version=plan.version + 1)


def end_or_repeat(
    plan: Plan, state: PlanState, new: PlanId, now: datetime, table: TableId | None = None
) -> Sequence[Plan]:
    """The plan in its last state and, if it is repeated, that of the week after.

    It is repeated if a person who may come has answered it: otherwise a table that nobody wants
    would open for ever.
    """
    plan = end(plan, state, now, table)
    if not plan.when.weekly or state.ends_all:
        return [plan]
    if not plan.pressed:
        return [replace(plan, lapse=Lapse.UNANSWERED)]
    try:
        after = next_week(plan, new, now)
    except TableError:
        return [replace(plan, lapse=Lapse.NO_ZONE)]
    return [plan] if after is None else [plan, after]


def answer(plan: Plan, person: Person, *, comes: bool, apart: Apart = NOBODY) -> Plan:
    """`person` will come, or cannot: where that list is full their name is left out.

    Raises TableError `plan_over`, `plan_private` (only invited people may say so), `plan_full`
    (also for whoever is apart from somebody who comes and has chosen that), `never_with` (it was
    their own choice).
    """
    require_answerer(plan, person.id)
    if plan.state is PlanState.ASKING:  # a forged press: there is no time yet
        raise TableError("not_offered")
    before = plan
    mine = plan.coming if comes else plan.cannot
    plan = replace(plan, pressed=plan.pressed | {person.id})
    if any(one.id == person.id for one in mine):
        return plan
    full = len(mine) >= MAX_PEOPLE
    if comes and full:
        raise TableError("plan_full")
    if comes:
        apart.require((one.id for one in plan.coming), "plan_full")
    coming = tuple(one for one in plan.coming if one.id != person.id)
    cannot = tuple(one for one in plan.cannot if one.id != person.id)
    if comes:
        coming += (person,)
    elif not full:
        cannot += (person,)
    if (coming, cannot) == (plan.coming, plan.cannot):
        return plan
    after = replace(plan, coming=coming, cannot=cannot, version=plan.version + 1)
    return moved_up(before, after)


def require_answerer(plan: Plan, user: UserId) -> None:
    """Raises TableError `plan_over`, `plan_private`."""
    require_open(plan)
    if plan.wish.private and user not in {plan.by.id, *plan.invited}:
        raise TableError("plan_private")


def moved_up(before: Plan, after: Plan) -> Plan:
    """The plan after a change, which calls those who have come from the line to a seat by it.

    Nobody is called to that twice: two who answer in turn would call a third for ever.
    """
    told = {user for one in after.lines if one.why is Calling.MOVED_UP for user in one.people}
    waited = {person.id for person in before.in_line} - told
    up = tuple(person.id for person in after.seated if person.id in waited)
    return with_line(after, Calling.MOVED_UP, up)


def with_line(plan: Plan, why: Calling, people: Sequence[UserId]) -> Plan:
    """The plan with a line that calls these people, if there are any."""
    lines = (*plan.lines, Line(why, tuple(people))) if people else plan.lines
    return replace(plan, lines=lines)


def still_called(plan: Plan, line: Line) -> tuple[UserId, ...]:
    """Those whom a line that is posted only now still concerns."""
    concerned: Collection[UserId]
    match line.why:
        case Calling.INVITED:
            concerned = plan.invited - has_answered(plan)
        case Calling.FOUND:
            concerned = {person.id for person in plan.coming}
        case Calling.MOVED_UP:
            concerned = {person.id for person in plan.seated}
        case Calling.REMIND if plan.state is not PlanState.ASKING:
            concerned = ()
        case Calling.REMIND | Calling.SUITS:
            concerned = set(line.people) - has_answered(plan)
        case _:
            assert_never(line.why)
    return tuple(user for user in line.people if user in concerned)


def has_had_its_day(plan: Plan, line: Line) -> bool:
    """Whether a line that stands in the channel is to go: it calls to what is off, or asks what
    everybody whom it names has answered, or nobody is asked any more."""
    if plan.is_off:
        return True
    match line.why:
        case Calling.FOUND | Calling.MOVED_UP:
            return False
        case Calling.INVITED if plan.state is PlanState.ASKING:
            return False
        case _:
            return not still_called(plan, line)


def has_answered(plan: Plan) -> frozenset[UserId]:
    """Whoever has said something to the plan, on a list or beyond its end."""
    listed = (*plan.coming, *plan.cannot, *(tick.person for tick in plan.ticks))
    return plan.pressed | {person.id for person in listed}


def ask_regulars(plan: Plan, barred: Collection[UserId] = ()) -> Plan:
    """A weekly plan, some days before its time: if too few come who are not `barred`, those are
    asked who have not answered."""
    few = plan.room is not None and len(plan.without(barred).coming) < plan.room.enough
    asked = sorted(plan.regulars - has_answered(plan) - {plan.by.id}) if few else ()
    plan = with_line(plan, Calling.SUITS, asked)
    return replace(plan, again=plan.when.due, version=plan.version + bool(asked))


def invite(plan: Plan, user: UserId, guest: UserId) -> Plan:
    """Ask `guest` by name, for the planner: by one line.  At a private table they may answer then.

    Raises TableError `plan_over`, `not_inviter`, `too_many_guests` (limit).
    """
    require_open(plan)
    if plan.by.id != user:
        raise TableError("not_inviter")
    if len(plan.invited | {guest}) > GUESTS:
        raise TableError("too_many_guests", limit=GUESTS)
    if guest in plan.invited:
        return plan
    after = replace(plan, invited=plan.invited | {guest}, version=plan.version + 1)
    return with_line(after, Calling.INVITED, (guest,))


def call_off(plan: Plan, user: UserId, now: datetime, *, moderator: bool) -> Plan:
    """The plan is off, and those of the weeks after it.

    Raises TableError `plan_over`, `not_planner`.
    """
    require_open(plan)
    if plan.by.id != user and not moderator:
        raise TableError("not_planner")
    return end(plan, PlanState.OFF, now)


def without_person(plan: Plan, user: UserId, now: datetime) -> Plan:
    """The plan as if it had never been told of `user`; theirs is off."""
    if plan.by.id == user:
        return end(plan, PlanState.OFF, now)
    after = replace(
        plan.without({user}),
        cannot=tuple(person for person in plan.cannot if person.id != user),
        invited=plan.invited - {user},
        ticks=tuple(tick for tick in plan.ticks if tick.person.id != user),
        regulars=plan.regulars - {user},
        lines=tuple(
            Line(line.why, tuple(one for one in line.people if one != user)) for line in plan.lines
        ),
        version=plan.version + 1,
    )
    return moved_up(plan, after)


def postpone(plan: Plan, now: datetime) -> Plan:
    """There is no room for its table: it is tried again.  What people see changes once."""
    version = plan.version if plan.waits else plan.version + 1
    return replace(plan, again=now + RETRY_PAUSE, version=version)


def next_week(plan: Plan, new: PlanId, now: datetime) -> Plan | None:
    """The plan of the week after, without answers.

    Raises TableError `when_no_zone`.
    """
    due = following(plan.when, max(now, plan.when.due))
    if due is None:
        return None
    when, regulars = plan.when._replace(due=due), regulars_after(plan)
    after = new_plan(new, plan.guild, plan.channel, plan.by, plan.wish, when, now)
    return replace(
        after,
        event=None if plan.event is None else EVENT_TO_COME,
        pressed=frozenset(),
        invited=plan.invited,
        regulars=regulars,
        room=plan.room,
        again=max(now, due - ASKED_AHEAD) if regulars - {plan.by.id} else due,
    )


def regulars_after(plan: Plan) -> frozenset[UserId]:
    """Who may be asked before the next time: whoever comes, or came before and cannot this time."""
    return frozenset(person.id for person in plan.coming) | plan.regulars & has_answered(plan)


def new_plan(
    new: PlanId,
    guild: GuildId,
    channel: ChannelId,
    by: Person,
    wish: Wish,
    when: When,
    now: datetime,
    *,
    event: bool = False,
    room: Room | None = None,
) -> Plan:
    """A new plan; its planner comes.  `event`: whether it is to be in the server's calendar."""
    return Plan(
        new,
        guild,
        channel,
        by,
        wish,
        when,
        now,
        again=when.due,
        coming=(by,),
        pressed=frozenset({by.id}),
        event=EVENT_TO_COME if event else None,
        room=room,
    )


def room_of(wish: Wish, seats: Sequence[int]) -> Room:
    """Seats for people at a table of a game that is played by so many: computers take some.

    One person alone is enough only where there is no seat for a second.
    """
    computers, _ = wish.computers
    most, fewest = wish.seats or seats[-1], wish.seats or seats[0]
    return Room(most - computers, min(most - computers, max(2, fewest - computers)))


def require_open(plan: Plan) -> None:
    if not plan.is_open:
        raise TableError("plan_over")


# An evening that is still to be found: a plan that asks at which of its times people can.
#
# As soon as enough can at one of them it is a plan like any other, with these people.


def asking(plan: Plan, times: Sequence[datetime]) -> Plan:
    """A new plan that asks about these times, in their order; its planner can at all of them."""
    whole = tuple(dict.fromkeys(time.replace(microsecond=0) for time in times))  # as Discord shows
    when = plan.when._replace(due=whole[-1])
    plan = replace(plan, state=PlanState.ASKING, when=when, times=whole, coming=())
    return replace(plan, ticks=(Tick(plan.by, whole),), again=reminded_at(plan))


def reminded_at(plan: Plan) -> datetime:
    """When those are reminded who were asked by name: half-way to the first of its times."""
    return plan.created + (plan.times[0] - plan.created) / 2


def able(plan: Plan, time: datetime) -> tuple[Person, ...]:
    """The people who can then, in the order of their first answers."""
    return tuple(tick.person for tick in plan.ticks if time in tick.times)


def ahead(plan: Plan) -> tuple[datetime, ...]:
    """The times that were not over when the plan was looked at last."""
    return tuple(time for time in plan.times if time >= plan.again)


def best(plan: Plan, times: Collection[datetime]) -> datetime | None:
    """The time of these at which most people can, of several the earliest; None: nobody can."""
    found = max(times, key=lambda time: (len(able(plan, time)), -time.timestamp()), default=None)
    return found if found is not None and able(plan, found) else None


def tick(
    plan: Plan, person: Person, chosen: Collection[datetime], now: datetime, apart: Apart = NOBODY
) -> Plan:
    """`person` can at the chosen times and at no other; with enough people one of them is found.

    If one was found meanwhile, they come if they have chosen that.

    Raises TableError `plan_over`, `plan_private`, `not_offered` (all those are over), and
    `plan_full`, `never_with` as `answer` does, for people who can at a time at which somebody
    else can.
    """
    if plan.state is not PlanState.ASKING:
        return answer(plan, person, comes=plan.when.due in chosen, apart=apart)
    require_answerer(plan, person.id)
    times = tuple(time for time in plan.times if time in chosen and time > now)
    if chosen and not times:  # from a menu that was drawn before
        raise TableError("not_offered")
    plan = replace(plan, pressed=plan.pressed | {person.id})
    said = {one.person.id: one for one in plan.ticks}
    if person.id in said and said[person.id].times == times:
        return plan
    apart.require(
        (
            one.person.id
            for one in plan.ticks
            if one.person.id != person.id and not set(times).isdisjoint(one.times)
        ),
        "plan_full",
    )
    said[person.id] = Tick(person, times)
    if len(said) > MAX_PEOPLE:
        if not times:  # nobody reads of them, nor makes room for them
            return plan
        idle = next((user for user, one in said.items() if not one.times), None)
        if idle is None:
            raise TableError("plan_full")
        del said[idle]  # whoever can at no time makes room
    plan = replace(plan, ticks=tuple(said.values()), version=plan.version + 1)
    time = best(plan, [one for one in plan.times if one > now])
    if time is None or plan.room is None or len(able(plan, time)) < plan.room.enough:
        return plan
    return found(plan, time)


def take(plan: Plan, user: UserId, now: datetime) -> Plan:
    """The best time is the plan's, however few can; no other if one was found meanwhile.

    Raises TableError `plan_over`, `not_taker`, `nobody_can`.
    """
    require_open(plan)
    if plan.by.id != user:
        raise TableError("not_taker")
    if plan.state is not PlanState.ASKING:
        return plan
    time = best(plan, [one for one in plan.times if one > now])
    if time is None:
        raise TableError("nobody_can")
    return found(plan, time)


def found(plan: Plan, time: datetime) -> Plan:
    """The plan at that time: who can comes, who has answered and cannot does not."""
    coming = able(plan, time)
    cannot = tuple(one.person for one in plan.ticks if time not in one.times)
    after = replace(
        plan,
        state=PlanState.PLANNED,
        when=plan.when._replace(due=time),
        again=time,
        coming=coming,
        cannot=cannot,
        times=(),
        ticks=(),
        version=plan.version + 1,
    )
    return with_line(after, Calling.FOUND, [person.id for person in coming])


def look(plan: Plan, now: datetime) -> Plan:
    """The plan after it was looked at: one more of its times is over, or it is time to remind.

    After the last of its times it is over.
    """
    if now >= plan.times[-1]:
        return end(plan, PlanState.NO_TIME, now)
    again = min(time for time in plan.times if time > now)
    after = replace(plan, again=again, version=plan.version + 1)
    if plan.again > reminded_at(plan):
        return after
    return with_line(after, Calling.REMIND, sorted(plan.invited - has_answered(plan)))
