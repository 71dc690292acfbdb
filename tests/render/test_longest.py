"""Every message with people's names, once with the most people and the longest names there can be.

A message is found by what its module declares, so that a new one is here from its first day: what
it is made of must have its longest below, or it is named among those that others look at.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from itertools import product
from pkgutil import iter_modules
from typing import Any, Final

import pytest

import bot.render
from bot.i18n import Texts, languages, texts
from bot.ids import ChannelId, GuildId, MessageId, PlanId, QuestionId, RoleId, TableId, UserId
from bot.render.components import jump_url
from bot.render.listing import LINES
from bot.render.message import Message
from bot.render.offers import InvitationOutcome
from bot.render.preferences import NO_SAMPLES
from bot.tables import plans
from bot.tables.customs import Customs, WaitTimes
from bot.tables.ending import Leaving, Removal
from bot.tables.plans import MAX_PEOPLE, Calling, Lapse, Plan, PlanState, Room, Tick, Wish
from bot.tables.ports import Past, PastPage, Period, Placed
from bot.tables.queueing import MOST_WAITING
from bot.tables.ratings import Rating
from bot.tables.rivals import LAST as LAST_MET
from bot.tables.rivals import GameStats, Meeting, Record, RecordKind, Rivalry
from bot.tables.servers import Changed, ServerSettings, Setting, Usual, with_setting
from bot.tables.stored import Pace, Person, Stop
from bot.tables.when import MAX_TIMES, When
from bot.views.listing import HistoryView, Listed, TablesView, Waits, Whose
from bot.views.planned import PlanView, plan_view
from bot.views.server import LINES as CHANGES
from bot.views.server import SettingsView, Subject
from bot.views.values import (
    Again,
    Call,
    ClosedView,
    KickView,
    NextView,
    NoticeView,
    ResultView,
    RivalsView,
    TakeBackView,
)
from engine.layout import Phrase, SeatName
from engine.players.levels import Level
from engine.registry import games
from tests.render import samples
from tests.render.limits import check

EN = texts("en")
LAST: Final = 2**63 - 1
"""The longest id."""

NAMES: Final = ("*" * 32, "@" * 32, "[" * 31 + "]", "🏴\N{ZERO WIDTH JOINER}☠️" * 16)
"""Names of which most is shown as two characters, and one of many code points."""

MORE: Final = GameStats("aufundab", 1000, -1000, 10**6, 10**6, 10**6, 10**6, 1)

GAME: Final = max(games().values(), key=lambda game: game.info.seats[-1]).info
"""The game for most people."""

BY_OTHERS: Final = {
    "rounds_page": "test_every_game.py: with real rounds of every game",
    "review_page": "test_review.py: with every position of real rounds, and the longest names",
    "shared_review": "the same positions",
    "more_page": "test_every_game.py: with real blocks of every game",
    "shared_more": "the same blocks",
    "verify_page": "test_deal_proof.py: with the longest names",
    "hint_page": "test_every_game.py: the same lines stand on hands there",
    "note": "what it is given",
    "below": "what it is given",
    "download": "what it is given",
    "way_to": "what it is given",
    "with_next": "what it is given",
    "preferences_page": "names nobody",
    "which_zone": "names nobody",
    "rules_page": "names nobody",
    "arrival_message": "names nobody",
    "help_page": "names nobody",
    "which_game": "names nobody",
    "about_page": "names nobody",
    "my_data_page": "names nobody",
    "confirm_forget": "names nobody",
}


def messages() -> Iterator[tuple[str, Callable[..., Message | None]]]:
    """All functions that make messages, by name."""
    for module in iter_modules(bot.render.__path__):
        made = import_module(f"bot.render.{module.name}")
        for name, function in vars(made).items():
            if not inspect.isfunction(function) or function.__module__ != made.__name__:
                continue
            returns = str(function.__annotations__.get("return"))
            if not name.startswith("_") and returns in ("Message", "Message | None"):
                yield name, function


MADE: Final[Mapping[str, Callable[..., Message | None]]] = dict(messages())


def heads(name: str) -> list[Any]:
    seats = GAME.seats[-1]
    alone = [
        samples.head(seats, (name,) * seats, game=GAME.id),
        samples.head(seats, (name,) * seats, game=GAME.id, away=tuple(range(seats)), free=(0,)),
    ]
    return [*alone, *(replace(head, waiting=(name,) * MOST_WAITING) for head in alone)]


def plan_views(name: str) -> list[PlanView]:
    """Of a plan on which as many people as may have pressed, in every state."""
    by = Person(UserId(LAST), name)
    when = When(samples.NOW, "America/Argentina/ComodRivadavia", weekly=True)
    wish = Wish(GAME.id, None, {}, private=True, pace=Pace.RELAXED)
    plan = plans.new_plan(
        PlanId("P" * 12), GuildId(LAST), ChannelId(LAST), by, wish, when, when.due
    )
    people = tuple(Person(UserId(LAST - n), name) for n in range(MAX_PEOPLE))
    plan = replace(plan, coming=people, cannot=people, again=samples.NOW.replace(year=2027))
    plan = replace(plan, room=Room(2, 99))
    states = [replace(plan, state=state) for state in PlanState if state is not PlanState.ASKING]
    states += [asking(plan, people[:can], over) for can in (0, 2, MAX_PEOPLE) for over in (0, 5)]
    states += [replace(plan, state=PlanState.OPENED, lapse=lapse) for lapse in Lapse]
    return [plan_view(one, URL) for one in states]


def asking(plan: Plan, able: Sequence[Person], over: int) -> Plan:
    """The plan as it asks about as many times as it may, at all of which these can."""
    times = tuple(samples.NOW + timedelta(days) for days in range(MAX_TIMES))
    ticks = tuple(Tick(one, times if one in able else ()) for one in plan.coming)
    return replace(
        plan,
        state=PlanState.ASKING,
        times=times,
        ticks=ticks,
        again=times[over],
        coming=(),
        cannot=(),
    )


URL: Final = jump_url(GuildId(LAST), ChannelId(LAST), MessageId(LAST))


def views(name: str) -> Mapping[str, Sequence[Any]]:
    """By their types."""
    channel = [
        replace(
            view,
            head=replace(
                view.head,
                sitters=named(view.head.sitters, name),
                waiting=(name,) * MOST_WAITING,
            ),
        )
        for view in samples.worst_channel().values()
    ]
    hands = [
        replace(view, head=replace(view.head, sitters=named(view.head.sitters, name)))
        for view in samples.worst_hands().values()
    ]
    wish = TakeBackView(QuestionId(999_999_999), 0, "asked", None)
    hands += [replace(view, take_back=wish, away=False) for view in hands]  # nobody asks the away
    head, seats = heads(name)[0], GAME.seats[-1]
    result = ResultView(
        head, (1000,) * seats, (1,) * seats, ((1000,) * seats,) * 40, Stop.CONCEDED, (name,) * seats
    )
    result = replace(result, next=NextView((name,) * seats, (name,) * seats, by_lot=True))
    again = Again(TableId("A" * 12), 99, 0, (1000,) * seats)
    once_more = replace(result, head=replace(head, again=again))
    lines = tuple(
        Listed(
            replace(head, table=TableId(f"T{number}" + "X" * 10)),
            Waits.OTHERS,
            tuple(range(seats)),
            samples.NOW,
            place=f"{name * 3} · #{'c' * 100}",
            seated=True,
            url=URL,
        )
        for number in range(LINES)
    )
    line = samples.leaderboard().lines[0]._replace(name=name, rating=Rating(-999, 8.3, 1))
    return {
        "ChannelView": [*channel, result, once_more],
        "BoardView": [one for one in channel if type(one).__name__ == "BoardView"],
        "ShufflingView": [one for one in channel if type(one).__name__ == "ShufflingView"],
        "ResultView": [result, once_more],
        "ResultView | ClosedView": [result, once_more, ClosedView(head, "restored")],
        "HandView": hands,
        "NoticeView": [
            NoticeView(
                head,
                {
                    one.user: Call(QuestionId(LAST), warned=True)
                    for one in head.sitters
                    if one.user is not None
                },
                samples.NOW,
            )
        ],
        "KickView": [
            KickView(head, UserId(100), None, name, Removal.LINE, None),
            *(KickView(head, UserId(100), 0, "", means, (3, 4), counts=True) for means in Removal),
        ],
        "PlanView": plan_views(name),
        "LeaderboardView": [
            samples.leaderboard(period=period, lines=(line,) * 8, near=(line,) * 3)
            for period in (Period.ALL, Period.SEASON)
        ],
        "StatsView": [replace(samples.stats(), name=name, more=(MORE,))],
        "TablesView": [TablesView(whose, lines, 3, 99, on_server=True) for whose in Whose],
        "Sequence[Listed]": [lines],
        "SettingsView": [settings_view(name)],
        "RivalsView": [RivalsView((name, name), rivalry(name))],
        "Sequence[Record]": [
            [
                Record(game, kind, 10**6, (name,) * GAME.seats[-1], samples.NOW)
                for game in games()
                for kind in RecordKind
            ]
        ],
        "Past": [past_match(name)],
        "HistoryView": [
            HistoryView(whose, page, on_server=True, other=other, name=name)
            for page in (
                PastPage(tuple(past_match(name, n) for n in range(5)), 8, 9, more=True),
                PastPage((), 0, 1),
            )
            for whose, other in (
                (Whose.MINE, None),
                (Whose.MINE, UserId(LAST)),
                (Whose.HERE, None),
            )
        ],
    }


def rivalry(name: str) -> Rivalry:
    """As many matches as are listed, and more."""
    met = Meeting(GAME.id, samples.NOW, (1, 2), (-1000, -1000))
    return Rivalry((name, name), 10**6, 10**5, 10**5, (met,) * LAST_MET)


def past_match(name: str, number: int = 0) -> Past:
    """A match that everybody has lost by as much as one can."""
    seats = GAME.seats[-1]
    placed = (Placed(place + 1, -1000, place, UserId(LAST), name) for place in range(seats))
    return Past(
        TableId("T" * 15 + str(number)), GAME.id, 40, samples.NOW, tuple(placed), counts=False
    )


def settings_view(name: str) -> SettingsView:
    """Settings that were changed as often as a page of their log has room for."""
    by = Person(UserId(LAST), name)
    changes = [Changed(samples.NOW, by, Setting.PLACES, (LAST,) * 25)] * CHANGES
    chosen = tuple(LAST - n for n in range(25))
    settings = with_setting(ServerSettings(), Setting.PLACES, chosen)
    for roles in (Setting.OPENERS, Setting.SITTERS):
        settings = with_setting(settings, roles, chosen)
    computers = 3, Level.NORMAL
    usual = Usual(4, {"hands": 40}, Customs(False, True, True), Pace.LIVE180, computers)
    every = dict.fromkeys(games(), usual)
    called, results = RoleId(LAST), ChannelId(LAST - 1)
    settings = replace(settings, usual=every, called=called, results=results)
    there = frozenset(chosen[1:])
    return SettingsView(settings, tuple(every.items()), there, tuple(changes), 3, 99, rings=False)


def longest(name: str, words: Texts = EN) -> Mapping[str, Sequence[Any]]:
    """By the annotation of a parameter, or by its name where that says more."""
    told = Phrase("played", {"seat": SeatName(0), "cards": "z" * 90})
    head, seats = heads(name)[0], GAME.seats[-1]
    return {
        **views(name),
        "Texts": [words],
        "bool": [True, False],
        "TableHead": heads(name),
        "Sequence[Phrase]": [(told,) * 400],
        "Sequence[UserId]": [tuple(UserId(LAST - n) for n in range(MAX_PEOPLE))],
        "InvitationOutcome": list(InvitationOutcome),
        "Leaving": list(Leaving),
        "Subject": list(Subject),
        "Samples": [NO_SAMPLES],
        "UserId": [UserId(LAST)],
        "ChannelId": [ChannelId(LAST)],
        "RoleId": [RoleId(LAST)],
        "TableHead | None": [head, None],
        "tuple[UserId, Named]": [(UserId(LAST), name)],
        "tuple[int, int] | None": [(3, 4), None],
        "Attachment | None": [None],
        "int | None": [0, None],
        "int": [0],
        "turn": [0, MOST_WAITING],
        "Sequence[str]": [("w" * 20,) * seats],
        "Sequence[int]": [tuple(range(1, 100))],
        "Sequence[Button]": [()],
        "datetime": [samples.NOW],
        "timedelta": [WaitTimes().offer],
        "datetime | None": [samples.NOW, None],
        "back": [f"mine|{LAST}|199"],
        "by": [name],
        "holds": ["relaxed"],
        "name": [name],
        "server": ["*" * 100],
        "inviter": [name],
        "url": [URL],
        "code": ["retired.round"],
        "why": list(Calling),
        "command": ["seat invite"],
        "pace": ["relaxed"],
        "others": [("live60", "daily")],
        "seal": [samples.COMMITMENT],
        "agreement": ["a" * 50],
        "notice": ["n" * 200],
        "text": ["t" * 1000],
        "deck": ["standard"],
    }


def named(sitters: Sequence[Any], name: str) -> tuple[Any, ...]:
    return tuple(one._replace(name=name if one.user is not None else "") for one in sitters)


def test_every_message_is_looked_at() -> None:
    assert set(BY_OTHERS) <= set(MADE)
    assert len(MADE) > 40


@pytest.mark.parametrize(
    ("language", "name"),
    [*(("en", name) for name in NAMES), *((one, NAMES[0]) for one in languages()[1:])],
    ids=lambda value: value[:2],
)
@pytest.mark.parametrize("made", sorted(set(MADE) - set(BY_OTHERS)))
def test_the_most_people_with_the_longest_names_have_room(
    made: str, language: str, name: str
) -> None:
    known, function = longest(name, texts(language)), MADE[made]
    given = []
    for parameter in inspect.signature(function).parameters.values():
        kind = str(parameter.annotation)
        found = known.get(parameter.name) if kind in STRINGS else None
        values = known.get(kind) if found is None else found
        assert values, f"{made}: nothing is known for {parameter}"
        given.append([(parameter, value) for value in values])
    for chosen in product(*given):
        keywords = {parameter.name: value for parameter, value in chosen}
        message = function(**keywords)
        if message is not None:
            check(message)


STRINGS: Final = ("str", "str | None", "Sequence[str]")
"""Kinds of parameters that their names tell apart."""
