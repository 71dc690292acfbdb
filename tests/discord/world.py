"""A small Discord with our bot in it, driven as people drive it: SimCord and the real discord.py.

SimCord's internal names are used in this file only.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import re
import zlib
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterator,
    Sequence,
)
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import discord
import simcord
from simcord import ChannelHandle
from simcord._dpy_internals import real_monotonic, set_webhook_adapter
from simcord._runtime import _CLOCK_SCOPE
from simcord._settlement import _active_callbacks, _is_parked, _owned_tasks
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType
from simcord.results import ResponseMessage

from bot.app import Stammtisch, create_bot
from bot.i18n import HYPHEN
from bot.ids import ChannelId, TableId, UserId
from bot.publish.timings import Timings
from bot.render.custom_ids import Press, Verb
from bot.running import Running
from bot.settings import Settings
from bot.storage.database import sqlite_file
from bot.tables.model import Table
from bot.tables.ports import Advice, Thought
from tests import migrated
from tests.patience import PATIENCE
from tests.wire.sim import about, viewer_of, whispered_to

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
T = TypeVar("T")

EPHEMERAL = 64
"""The flag of messages that only one person sees."""
LOOK = 0.003
"""Seconds between two looks whether the program is done: SimCord's 50 ms are most of a match's
time."""
QUICK = Timings(store_pause=LOOK, rate=1e9, burst=10**9, picture=3600)
"""The publisher's queues do not wait for timers that only a test moves on, and messages wait for
their pictures however slow the machine is.  Storing waits a moment all the same: SimCord looks at a
timer of no time every microsecond while it moves the clock."""


def walk(components: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component, outermost first."""
    for component in components:
        yield component
        yield from walk(component.get("components", ()))
        if component.get("accessory"):
            yield from walk([component["accessory"]])


def words(components: Sequence[dict[str, Any]]) -> str:
    """All that can be read: texts, labels, placeholders, options."""
    parts: list[str] = []
    for component in walk(components):
        parts += [
            str(component[key])
            for key in ("content", "label", "placeholder", "description")
            if component.get(key)
        ]
        for option in component.get("options", ()):
            parts += [str(option[k]) for k in ("label", "description", "value") if option.get(k)]
        for item in component.get("items", ()):
            parts.append(str(item.get("description") or ""))
        if component.get("custom_id"):
            parts.append(str(component["custom_id"]))
    # Card codes are read with hyphens at which no line ends, and commands can be pressed; tests
    # know both as they are typed.
    return re.sub(r"</([a-z ]+):\d+>", r"`/\1`", "\n".join(parts).replace(HYPHEN, "-"))


@dataclass(frozen=True)
class Sent:
    """A request of the program: its route, who alone sees it (None: everybody), what it says."""

    route: str
    viewer: int | None
    body: Any
    interaction: int | None = None
    """The interaction that it answers first."""


@dataclass
class Shown:
    """A message as somebody sees it now."""

    channel: int
    id: int
    components: list[dict[str, Any]]

    @property
    def text(self) -> str:
        return words(self.components)

    @property
    def calls(self) -> bool:
        """Whether it is a line that calls somebody: nothing else here mentions anybody."""
        return "<@" in self.text.replace("\\<@", "")

    def presses(self, *verbs: Verb) -> list[tuple[Press, dict[str, Any]]]:
        """What can be pressed or chosen: enabled components whose verb is one of these."""
        found = []
        for component in walk(self.components):
            press = Press.decode(str(component.get("custom_id", "")))
            if press is not None and press.verb in verbs and not component.get("disabled"):
                found.append((press, component))
        return found

    def only(self, verb: Verb) -> str:
        """The `custom_id` of the only component of that verb."""
        ((press, _),) = self.presses(verb)
        return press.encode()


@dataclass
class Player:
    """One person, with the panel they have before their eyes in the channel."""

    world: World
    name: str
    user: simcord.UserHandle
    actor: simcord.MemberActor
    whispered: Shown | None = None
    """The panel, if there is one."""
    last: simcord.InteractionResult | None = None

    @property
    def id(self) -> UserId:
        return UserId(self.user.id)

    @property
    def panel(self) -> Shown:
        """The panel, which must be there."""
        assert self.whispered is not None, f"nothing was whispered to {self.name}"
        return self.whispered

    @property
    def answered(self) -> ResponseMessage:
        """What came first in answer to the last command or press."""
        assert self.last is not None
        assert self.last.response is not None
        return self.last.response

    @property
    def form(self) -> dict[str, Any]:
        """The form that the last press opened."""
        assert self.last is not None
        assert self.last.modal is not None
        return self.last.modal

    @property
    def opened_form(self) -> bool:
        """Whether the last press opened a form."""
        return self.last is not None and self.last.modal is not None

    async def slash(
        self,
        command: str,
        *,
        dm: bool = False,
        channel: ChannelHandle | None = None,
        **options: Any,
    ) -> str:
        """Runs a command and returns the words of the answer."""
        if dm:
            result = await self.user.slash(command, **options)
        else:
            result = await self.actor.slash(channel or self.world.channel, command, **options)
        return self._remember(result)

    async def press(self, shown: Shown, custom_id: str) -> str:
        """Presses a button that is there, and returns the words of the answer."""
        message = self.world.message(shown)
        who: Any = self.user if shown.channel == self._dm_id() else self.actor
        result = await who.click(message, custom_id=custom_id)
        return self._remember(result, shown)

    async def choose(self, shown: Shown, custom_id: str, *values: Any) -> str:
        message = self.world.message(shown)
        who: Any = self.user if shown.channel == self._dm_id() else self.actor
        result = await who.select(message, list(values), custom_id=custom_id)
        return self._remember(result, shown)

    async def send_form(self, values: dict[str, Any]) -> str:
        """Fills in the form that the last press opened and sends it."""
        assert self.last is not None
        in_dm = self.last._interaction.channel_id == self._dm_id()
        who: Any = self.user if in_dm else self.actor
        return self._remember(await who.submit_modal(self.last, values))

    def files(self) -> dict[str, str]:
        """The files that came with the last answer: name and text."""
        cdn = self.world.env.backend.cdn
        return {
            file.filename: (cdn.get(file.url) or b"").decode() for file in self.answered.attachments
        }

    async def press_verb(self, shown: Shown, verb: Verb) -> str:
        """Presses the only button of that verb."""
        return await self.press(shown, shown.only(verb))

    async def hand(self) -> Shown:
        """Opens *My hand* on the board."""
        await self.press_verb(self.world.board(), Verb.HAND)
        return self.panel

    async def press_more(self, verb: Verb) -> str:
        """Presses something under ⋯ on the board."""
        await self.press_verb(self.world.board(), Verb.MORE)
        return await self.press_verb(self.panel, verb)

    async def is_asked_by(self, panel: Shown) -> bool:
        """Whether the panel puts the question that this person has to answer now."""
        table = await self.world.table()
        seat = table.stored.seating.place_of(self.id)
        if seat is None or seat not in table.actors:
            return False
        return any(
            press.question == table.questions[seat]
            for press, _ in panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)
        )

    async def seat(self) -> int:
        """Where this person sits."""
        seat = (await self.world.table()).stored.seating.place_of(self.id)
        assert seat is not None
        return seat

    async def legal(self) -> list[str]:
        """Notation of all that this person may do now."""
        return list((await self.world.table()).legal_texts(await self.seat()))

    async def can_only_pass(self) -> bool:
        return await self.legal() == ["pass"]

    def dm(self) -> Shown:
        """The newest message of the program in the DM, where there must be one."""
        messages = self.dms()
        assert messages, f"nothing was sent to {self.name}"
        return messages[-1]

    def dms(self) -> list[Shown]:
        channel = self._dm_id()
        return [] if channel is None else self.world.messages(channel)

    def _dm_id(self) -> int | None:
        return self.world.env.backend.dm_channels.get(self.id)

    def _remember(self, result: simcord.InteractionResult, pressed: Shown | None = None) -> str:
        self.last = result
        said = [message.components for message in result.followups]
        response = result.response
        if response is not None:
            said.insert(0, response.components)
            if response.ephemeral:
                self.whispered = Shown(response.channel_id, response.id, response.components)
        elif pressed is not None and self.whispered and pressed.id == self.whispered.id:
            self.whispered = self.world.refreshed(pressed)
            said.append(self.panel.components)
        assert result.acknowledged, "an interaction was not answered"
        return "\n".join(words(part) for part in said)


@dataclass
class Computers:
    """Whoever thinks for computer players and stand-ins: nobody, unless a test says what."""

    say: Callable[[Thought], str | None] = lambda thought: None
    think: Callable[[Thought], Advice | None] = lambda thought: None
    """What they say for hints."""
    meanwhile: Callable[[], Awaitable[object]] = lambda: asyncio.sleep(0)
    """What happens while they think about one."""
    thoughts: list[Thought] = field(default_factory=list)
    hints: list[Thought] = field(default_factory=list)

    async def decide(self, thought: Thought) -> str | None:
        self.thoughts.append(thought)
        return self.say(thought)

    async def advise(self, thought: Thought) -> Advice | None:
        self.hints.append(thought)
        await self.meanwhile()
        return self.think(thought)

    def wake(self, games: Collection[str]) -> None: ...


class People(dict[str, Player]):
    """Those on the server by name; of `NAMES` whoever is named for the first time comes."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __missing__(self, name: str) -> Player:
        if name not in NAMES:
            raise KeyError(name)
        user = self._world.env.create_user(name)
        member = self._world.guild.add_member(user)
        made = self[name] = Player(self._world, name, user, member)
        return made


@dataclass
class World:
    """The server, its channel and its people."""

    env: simcord.Env
    bot: Stammtisch
    guild: simcord.GuildHandle
    channel: ChannelHandle
    settings: Settings
    computers: Computers = field(default_factory=Computers)
    skipped: timedelta = timedelta()
    locales: dict[int, str] = field(default_factory=dict)
    """In which language people use Discord, and what servers prefer; of the others `en-US`."""

    def __post_init__(self) -> None:
        self.players = People(self)

    def __getattr__(self, name: str) -> Player:
        try:
            return self.players[name.capitalize()]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def running(self) -> Running:
        """What the program consists of while it runs."""
        assert self.bot.running is not None
        return self.bot.running

    @property
    def file(self) -> Path:
        """The program's database."""
        file = sqlite_file(self.settings.database_url)
        assert file is not None
        return file

    def people(self, count: int) -> list[Player]:
        """The first so many of those who may come."""
        return [self.players[name] for name in NAMES[:count]]

    def now(self) -> datetime:
        """The program's clock: SimCord's, and what was skipped."""
        return self.env.now() + self.skipped

    def skip(self, time: timedelta) -> None:
        """Days go by in which nothing happens, and in which the program could be reached."""
        self.skipped += time
        if self.bot.running is not None:
            downtime = self.bot.running.downtime
            downtime._ran, downtime._heard = downtime._steady(), downtime._now()

    def heard(self, event: str, payload: Any) -> None:
        """Something comes from Discord, as over a line."""
        if self.bot.running is not None:
            self.bot.running.downtime.heard()

    def messages(self, channel: int) -> list[Shown]:
        """Everything the program has standing in a channel, oldest first, whispers left out."""
        stored = self.env.backend.messages.get(channel, {})
        return [
            Shown(channel, message.id, message.components)
            for _, message in sorted(stored.items())
            if not message.flags & EPHEMERAL
        ]

    def whispers(self, player: Player) -> list[Shown]:
        """What only this person sees in the channel, oldest first."""
        stored = self.env.backend.messages.get(self.channel.id, {})
        return [
            Shown(self.channel.id, message.id, message.components)
            for _, message in sorted(stored.items())
            if whispered_to(message) == player.id
        ]

    def message(self, shown: Shown) -> Any:
        """A handle of a message for SimCord's verbs."""
        return ResponseMessage(self.env, self.env.backend.get_message(shown.channel, shown.id))

    def board(self, channel: ChannelHandle | None = None) -> Shown:
        """The newest message of the program in the channel, but for lines that call somebody."""
        messages = self.messages((channel or self.channel).id)
        return next(shown for shown in reversed(messages) if not shown.calls)

    def boards(self) -> list[Shown]:
        """Every board in the channel that can be pressed (a retired one only has a link)."""
        messages = self.messages(self.channel.id)
        return [shown for shown in messages if shown.presses(*Verb) and not shown.calls]

    def notices(self) -> list[Shown]:
        """The lines in the channel that call whoever is asked."""
        return [shown for shown in self.messages(self.channel.id) if shown.calls]

    async def permit(
        self, who: Player | None = None, channel: int | None = None, **may: bool
    ) -> None:
        """A moderator sets what somebody may do in a channel; without words: as ever.

        The program in the channel of the table, if nobody else is named.
        """
        assert self.bot.user is not None
        allow, deny = discord.PermissionOverwrite(**may).pair()
        user = self.bot.user.id if who is None else who.id
        wishes = Overwrite(user, OverwriteType.MEMBER, allow.value, deny.value)
        self.env.backend.set_overwrite(channel or self.channel.id, wishes)
        await self.env.settle()

    async def hide(self, channel: ChannelHandle) -> None:
        """From everybody who has no role or wish of their own there."""
        deny = discord.Permissions(view_channel=True).value
        wishes = Overwrite(self.guild.id, OverwriteType.ROLE, 0, deny)
        self.env.backend.set_overwrite(channel.id, wishes)
        await self.env.settle()

    def room(self, name: str = "other", who: Player | None = None, **may: bool) -> ChannelHandle:
        """Another channel, where somebody may do more or less than others."""
        wishes: dict[Any, discord.PermissionOverwrite] = {}
        if who is not None:
            wishes[who.actor] = discord.PermissionOverwrite(**may)
        return self.guild.create_text_channel(name, overwrites=wishes)

    def runs_by_itself(self) -> list[str]:
        """What would happen in real time, whether a test moves the clock or not."""
        return [
            timer.label
            for timer in self.env._work.callbacks
            if timer.real_handle is not None and not timer.real_handle.cancelled()
        ]

    def thread(self, name: str) -> ChannelHandle:
        """A new thread of the channel."""
        owner = self.players["Ann"].id
        made = self.env.backend.create_thread(self.channel.id, name, owner)
        return ChannelHandle(self.env, self.guild, made)

    async def delete(self, shown: Shown) -> None:
        """A moderator deletes a message."""
        self.env.backend.delete_message(shown.channel, shown.id)
        await self.env.settle()

    async def directly(self, work: Coroutine[Any, Any, T]) -> T:
        """Something done by the program itself, for set-up: its draws are waited for."""
        with self.env._bot_scope():
            task = asyncio.create_task(work)
        result = await task
        await self.env.advance_time(1)
        return result

    async def table(self) -> Table:
        """The newest table of the channel, as the program knows it."""
        table = await self.running.tables.latest_in_channel(ChannelId(self.channel.id))
        assert table is not None
        return table

    async def actors(self) -> list[Player]:
        """Whoever is asked something now."""
        table = await self.table()
        people = [table.stored.seating.places[seat].person for seat in table.asked]
        return [self.players[person.name] for person in people if person is not None]

    def stands(self, shown: Shown) -> bool:
        """Whether the message has not been deleted."""
        return shown.id in self.env.backend.messages.get(shown.channel, {})

    def refreshed(self, shown: Shown) -> Shown:
        """The message as it is now."""
        stored = self.env.backend.get_message(shown.channel, shown.id)
        return Shown(shown.channel, shown.id, stored.components)

    def emit(
        self,
        player: Player,
        shown: Shown,
        custom_id: str,
        kind: int = 2,
        *,
        times: int = 1,
        **data: Any,
    ) -> Any:
        """A press that need not be possible any more: an old, forged or foreign one.

        `times` is how often Discord delivers it.
        """
        data = {"custom_id": custom_id, "component_type": kind, **data}
        return self._emit(player, shown, 3, data, times)

    def emit_form(
        self, player: Player, shown: Shown, custom_id: str, components: list[Any] | None = None
    ) -> Any:
        """A form sent in from that message, whether it was ever opened or not."""
        return self._emit(
            player, shown, 5, {"custom_id": custom_id, "components": components or []}, 1
        )

    def _emit(
        self, player: Player, shown: Shown, kind: int, data: dict[str, Any], times: int
    ) -> Any:
        backend = self.env.backend
        stored = backend.get_message(shown.channel, shown.id)
        record, payload = about(
            backend, kind, player.id, stored.channel_id, data, stored, locale="en-US"
        )
        for _ in range(times):
            backend.emit("INTERACTION_CREATE", payload)
        return record

    def said(self, record: Any) -> str:
        """The words that answered an emitted press; it must have been answered exactly once."""
        called = f"/interactions/{record.id}/"
        answers = [call for call in self.env.http_requests if call.path.startswith(called)]
        assert record.responded, "a press was not answered"
        assert len(answers) == 1, f"answered {len(answers)} times"
        if record.modal is not None:
            return str(record.modal)
        return "\n".join(
            words(self.env.backend.get_message(record.channel_id, message).components)
            for message in (record.message_id, *record.followup_ids)
        )

    async def answer(
        self, player: Player, shown: Shown, custom_id: str, kind: int = 2, **data: Any
    ) -> str:
        """What an emitted press is answered; only its presser and the channel may see it."""
        record = self.emit(player, shown, custom_id, kind, **data)
        await self.env.settle()
        return self.said(record)

    async def emit_all(self, *presses: tuple[Player, Shown, str]) -> list[Any]:
        """Presses that arrive at the same moment."""
        records = [self.emit(*press) for press in presses]
        await self.env.settle()
        return records

    def close_dms(self, player: Player) -> Any:
        """Nobody but friends may write to this person any more."""
        dm = player.user.dm_channel
        return self.env.inject_error(
            "POST",
            f"/channels/{dm.id}/messages",
            status=403,
            code=50007,
            message="Cannot send messages to this user",
            times=None,
        )

    def heal(self) -> None:
        """Whatever failed works again."""
        self.env.backend.faults.clear()

    async def restart(self) -> None:
        """The program is killed and started again, over the same database."""
        before = self.bot
        self.bot = create_bot(
            self.settings, clock=self.now, timings=QUICK, computers=self.computers
        )
        await self.env.restart_bot(self.bot)
        await before.close()

    def sent(self, method: str, path: str = "") -> int:
        """How often the program has called addresses that begin so (none: channels' messages)."""
        return sum(
            call.method == method
            and (call.path.startswith(path) if path else call.path.endswith("/messages"))
            for call in self.env.http_requests
        )

    def calls(self) -> int:
        """REST calls the program has made so far."""
        return len(self.env.http_requests)

    def settled(self) -> Counter[str]:
        """Calls so far that only put an end to what hands asked, by kind."""
        found: Counter[str] = Counter()
        for metric in self.bot.metrics.registry.collect():
            for sample in metric.samples:
                if sample.name == "stammtisch_settled_hands_total":
                    found[sample.labels["kind"]] = int(sample.value)
        return found

    def routes(self, since: int = 0) -> Counter[str]:
        """The calls after the first `since`, by method and route."""
        return Counter(
            f"{call.method} {_route(call.path)}" for call in self.env.http_requests[since:]
        )

    def tap(self, seen: Callable[[Sent], None]) -> None:
        """From now on `seen` is told every request at the moment when it is made."""

        def told(call: Any) -> None:
            viewer = viewer_of(self.env.backend, call.path, call.json)
            parts = call.path.strip("/").split("/")
            answers = int(parts[1]) if parts[0] == "interactions" else None
            route = f"{call.method} {_route(call.path)}"
            seen(Sent(route, viewer, (call.json, call.reason), answers))

        self.env.backend.http_requests = _Tapped(self.env.backend.http_requests, told)

    def standing(self) -> Iterator[tuple[int, int | None, Any]]:
        """Every message there is: its id, who alone sees it (None: everybody), all of it."""
        dms = {channel: user for user, channel in self.env.backend.dm_channels.items()}
        for channel, messages in list(self.env.backend.messages.items()):
            for message in list(messages.values()):
                yield message.id, dms.get(channel, whispered_to(message)), vars(message)


class _Tapped(list[Any]):
    """SimCord's list of requests, which tells of each as it comes."""

    def __init__(self, before: list[Any], told: Callable[[Any], None]) -> None:
        super().__init__(before)
        self._told = told

    def append(self, call: Any) -> None:
        super().append(call)
        self._told(call)


def _route(path: str) -> str:
    """A path without its ids and tokens."""
    named = {"interactions", "webhooks", "channels", "messages", "callback", "users", "@me"}
    named |= {"@original", "applications", "commands", "guilds", "gateway", "oauth2"}
    return "/".join(part if part in named else "*" for part in path.strip("/").split("/"))


class SeededChance:
    """Deals and table ids that a seed repeats, over restarts too."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def __call__(self) -> SeededChance:
        return self

    def seed(self) -> bytes:
        return self._rng.randbytes(32)

    def table_id(self) -> TableId:
        return TableId("".join(self._rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=5)))


def seed_of_test() -> int:
    """Seed of the deals of the running test: its own, the same in every run.

    `STAMMTISCH_DEALS=5` deals every test otherwise, to find what fails with some deals only.
    """
    name = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    return zlib.crc32(f"{name} {os.environ.get('STAMMTISCH_DEALS', '')}".encode())


def _say_locales(made: World) -> None:
    """Interactions come in the languages of `made.locales`: SimCord knows but one."""
    backend: Any = made.env.backend
    emit = backend.emit

    def said(event: str, payload: dict[str, Any], *more: Any, **named: Any) -> Any:
        if event == "INTERACTION_CREATE":
            user = payload.get("member", payload)["user"]["id"]
            payload["locale"] = made.locales.get(int(user), "en-US")
            if "guild_id" in payload:
                payload["guild_locale"] = made.locales.get(int(payload["guild_id"]), "en-US")
        return emit(event, payload, *more, **named)

    backend.emit = said


SELDOM = 60.0
"""Seconds from one look at the clock, or at the database, to the next."""

SOON = 1.5
"""Seconds of timers that an operation may wait for, such as a draw that lets an answer go first; a
stand-in's two seconds are for a test to let pass."""


def _let_only_virtual_time_pass(env: simcord.Env) -> None:
    """Timers that no operation waits for fire when a test moves the clock, and only then.

    SimCord lets them fire in real time too, and an operation that meets one gets stuck: on a
    slow machine the ten seconds between two heartbeats are soon over.  Set before the program
    starts: its first timers begin as it connects, after every restart anew.
    """
    inner: Any = env
    schedule = inner._schedule_timer

    def later(record: Any, *more: Any) -> None:
        schedule(record, *more)
        if record.real_handle is None:
            return
        if record.when - inner._virtual_time > SOON:
            record.real_handle.cancel()
        elif record.when > inner._virtual_time:
            _fire_once_idle(inner, record)

    inner._schedule_timer = later


def _fire_once_idle(inner: Any, record: Any) -> None:
    """A timer that an operation waits for fires as soon as nothing else is under way.

    Waiting for it in real time was half of what these tests took.  What never comes to rest, such
    as a request that a test holds back, waits for its time; so does what nothing waits for, since
    SimCord's clock must not begin to move as a test is about to move it.
    """
    timer, now, look_again = record.real_handle, real_monotonic, inner._runtime.call_at
    fire, context, due = timer._callback, timer._context, timer.when()
    timer.cancel()

    def look() -> None:
        if record.handle.cancelled() or record.when <= inner._virtual_time:
            return
        if now() >= due or _is_idle(inner, record):
            record.real_handle = None
            fire()
        else:
            arm()

    def arm() -> None:
        record.real_handle = look_again(min(now() + LOOK, due), look, context=context)

    arm()


def _is_idle(inner: Any, record: Any) -> bool:
    """Whether the program only waits for timers, and none is due before this one."""
    state, moves = inner._settlement_state(), (inner._real_advance_task, inner._advance_task)
    moving = inner._advancing or any(one is not None and not one.done() for one in moves)
    if not inner.settling or moving or state.work.executors:
        return False
    for other in _active_callbacks(state):
        if other.when is None or other.when <= state.virtual_time:
            return False
        waited_for = other.real_handle is not None and not other.real_handle.cancelled()
        if waited_for and other.when < record.when:
            return False
    return all(_is_parked(state, task, -math.inf) for task in _owned_tasks(state))


def _advance_in_turn(env: simcord.Env) -> None:
    """Moving the clock waits for a timer that has just fired in real time.

    SimCord lets each wait for the other if that happens between two operations: a test that meets
    it on a slow machine is stuck until its patience is over.
    """
    inner: Any = env
    advance = inner._advance_to

    async def in_turn(target: float, deadline: float) -> None:
        fired = inner._real_advance_task
        if fired is not None and fired is not asyncio.current_task():
            await asyncio.wait([fired])
        await advance(target, deadline)

    inner._advance_to = in_turn


def _select_its_clock(env: simcord.Env) -> None:
    """SimCord's clock is selected until the test's context ends.

    SimCord takes it back in the task that ends the world, and a fixture begins in another.
    """
    inner: Any = env

    @contextmanager
    def selected() -> Iterator[None]:
        _CLOCK_SCOPE.set(inner)
        set_webhook_adapter(inner._webhook_adapter)
        yield

    inner.time_context = selected


def _settle_patiently(env: simcord.Env) -> None:
    """A start may take as long as everything else: SimCord gives it five seconds.  And it is known
    whether an operation waits for the program."""
    inner: Any = env
    settle, inner.settling = inner._settle_internal, 0

    async def patiently(*, timeout: float | None = None, **more: Any) -> None:  # noqa: ASYNC109 - SimCord's
        inner.settling += 1
        try:
            await settle(timeout=timeout and max(timeout, PATIENCE), **more)
        finally:
            inner.settling -= 1

    inner._settle_internal = patiently


def _look_seldom() -> ExitStack:
    """What looks at the clock or the database every few seconds does so after minutes.

    Moving the clock by an hour met a thousand such looks, which took most of a test.
    """
    stack = ExitStack()
    stack.enter_context(patch("bot.tables.downtime.TICK", SELDOM))
    stack.enter_context(patch("bot.operate.health.WRITE_INTERVAL", SELDOM))
    return stack


@asynccontextmanager
async def world(
    folder: Path, people: int = 3, seed: int | None = None, *, pictures: bool = False
) -> AsyncIterator[World]:
    """Our bot in a server with a channel and `people` members, privileged intents refused.

    What is dealt follows from `seed`, else from the name of the test.  Without `pictures` hands
    are text, which tests read.
    """
    chance = SeededChance(seed_of_test() if seed is None else seed)
    with patch("bot.app.SystemChance", chance):
        async with _world(folder, people, pictures=pictures) as made:
            yield made


@asynccontextmanager
async def _world(folder: Path, people: int, *, pictures: bool) -> AsyncIterator[World]:
    file = folder / "test.sqlite3"
    migrated.put(file)
    settings = Settings(
        database_url=f"sqlite+aiosqlite:///{file}",
        guild_ready_timeout=0.01,
        # For a test to let pass, as a stand-in's two seconds.
        computer_seconds=2,
        pictures=pictures,
    )
    envs: list[simcord.Env] = []
    worlds: list[World] = []
    computers = Computers()
    bot = create_bot(
        settings,
        clock=lambda: worlds[0].now() if worlds else envs[0].now(),
        timings=QUICK,
        computers=computers,
    )
    runner = simcord.run(
        bot, approved_intents=discord.Intents.default(), settle_timeout=PATIENCE, shard_count=1
    )
    envs.append(runner._env)
    _let_only_virtual_time_pass(runner._env)
    _advance_in_turn(runner._env)
    _settle_patiently(runner._env)
    _select_its_clock(runner._env)
    often = patch.dict(simcord.Env._settle_internal.__kwdefaults__, idle=LOOK)
    asked = patch.object(simcord.Env.settle, "__defaults__", (None, LOOK))
    async with AsyncExitStack() as stack:
        stack.enter_context(often)
        stack.enter_context(asked)
        stack.enter_context(_look_seldom())
        env = await stack.enter_async_context(runner)
        guild = env.create_guild("Stammtisch")
        channel = guild.create_text_channel("karten")
        made = World(env, bot, guild, channel, settings, computers)
        worlds.append(made)
        env.backend.subscribers.append(made.heard)
        _say_locales(made)
        stack.push_async_callback(lambda: made.bot.close())
        made.people(people)
        await env.settle()
        yield made
