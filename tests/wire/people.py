"""People on Discord: they type, press, choose and fill in forms, and see what they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from simcord.backend.models import Interaction, Message

from bot.render.custom_ids import Verb
from tests import patience
from tests.discord.world import Shown, words
from tests.wire import sim
from tests.wire.front import Asked, Front
from tests.wire.sim import EPHEMERAL, Json

T = TypeVar("T")

BUTTON, SELECT = 2, 3

DISCORDS: Final = 3.1
"""Seconds until Discord says that an interaction failed, and a little."""

UNHURRIED: Final = patience.PATIENCE
"""Seconds that people wait in tests of what is answered, and look at *thinking …*."""


@dataclass
class Answer:
    """What came of an interaction."""

    front: Front
    record: Interaction
    seconds: float | None
    """From the press to the first response; None if the interaction failed."""

    @property
    def id(self) -> int:
        return self.record.id

    @property
    def failed(self) -> bool:
        """Discord says *This interaction failed*."""
        return not self.record.responded

    @property
    def kind(self) -> str:
        """SimCord's name for the response: message, update, modal, …; empty without one."""
        return str(self.record.response_kind or "")

    @property
    def shown(self) -> list[Shown]:
        """The messages that answer it, as they are now."""
        made = [self.record.message_id, *self.record.followup_ids]
        stored = self.front.backend.messages.get(self.record.channel_id, {})
        return [_shown(stored[number]) for number in made if number in stored]

    @property
    def text(self) -> str:
        """All that the answer says: messages, the form, suggestions."""
        if self.record.modal is not None:
            return str(self.record.modal)
        if self.record.autocomplete_choices is not None:
            return "\n".join(choice["name"] for choice in self.record.autocomplete_choices)
        return "\n".join(shown.text for shown in self.shown)

    @property
    def panel(self) -> Shown | None:
        """The newest message of the answer that only this person sees."""
        stored = self.front.backend.messages.get(self.record.channel_id, {})
        for number in reversed([self.record.message_id, *self.record.followup_ids]):
            if number in stored and stored[number].flags & EPHEMERAL:
                return _shown(stored[number])
        return None

    @property
    def controls(self) -> Sequence[Mapping[str, Any]]:
        """The controls of the form it opened, as Discord reads them."""
        assert self.record.modal is not None, "no form was opened"
        return [part["component"] for part in self.record.modal["components"]]

    @property
    def form(self) -> Mapping[str, Sequence[str]]:
        """The controls of the form it opened: name to the values that can be chosen."""
        return {
            control["custom_id"]: [option["value"] for option in control.get("options", ())]
            for control in self.controls
        }

    @property
    def choices(self) -> list[Any]:
        """The values that were suggested."""
        return [choice["value"] for choice in self.record.autocomplete_choices or ()]


@dataclass
class Person:
    """Somebody in a server."""

    wire: Wire
    id: int
    name: str
    locale: str = "en-US"
    panels: dict[int, Shown] = field(default_factory=dict)
    """The newest whispered message by channel, as it was when it was seen."""

    async def slash(self, channel: int, command: str, **options: Json) -> Answer:
        """Types a command (`seat take`) in a channel or, with `dm()`, in the DM."""
        made = sim.typed(self.wire.backend, self.id, channel, command, options, self.locale)
        return await self._answered(*made)

    async def suggestions(
        self, channel: int, command: str, option: str, typed: str = ""
    ) -> list[Any]:
        """What is suggested while an option is typed."""
        backend = self.wire.backend
        made = sim.typed(
            backend, self.id, channel, command, {option: typed}, self.locale, focused=option
        )
        return (await self._answered(*made)).choices

    async def press(self, shown: Shown, custom_id: str, *values: str) -> Answer:
        """Presses a button or chooses values in a select; nobody checks that it is there."""
        return await self._answered(*self.pressing(shown, custom_id, *values))

    def pressing(self, shown: Shown, custom_id: str, *values: str) -> tuple[Interaction, Json]:
        """The press before it is sent, for tests that send it more than once.

        Discord shows nobody what was whispered to another, so nobody can press it either.
        """
        stored = self.wire.message(shown)
        owner = sim.owner_of(self.wire.backend, stored)
        assert owner in (None, self.id), f"{self.name} cannot see what {owner} has before them"
        kind = SELECT if values else BUTTON
        return sim.pressed(self.wire.backend, self.id, stored, custom_id, kind, values, self.locale)

    async def press_verb(self, shown: Shown, verb: Verb) -> Answer:
        """Presses the only button of that verb."""
        return await self.press(shown, shown.only(verb))

    async def send_form(self, opened: Answer, values: Mapping[str, Json]) -> Answer:
        """Fills in the form that an answer opened."""
        made = sim.filled(self.wire.backend, opened.record, values, self.locale)
        return await self._answered(*made)

    async def hand(self, channel: int) -> Shown:
        """Presses *My hand* on the board.  Raises LookupError if no hand is shown."""
        answer = await self.press_verb(self.wire.board(channel), Verb.HAND)
        if answer.panel is None:
            raise LookupError(f"no hand: {answer.text}")
        return answer.panel

    def panel(self, channel: int) -> Shown | None:
        """What was whispered last in that channel, as it is now; None if it is gone."""
        seen = self.panels.get(channel)
        return None if seen is None else self.wire.refreshed(seen)

    def dm(self) -> int | None:
        """The channel of the DM, if there is one."""
        return self.wire.backend.dm_channels.get(self.id)

    def dms(self) -> list[Shown]:
        """Every message of the program in the DM, oldest first."""
        channel = self.dm()
        return [] if channel is None else self.wire.messages(channel)

    async def _answered(self, record: Interaction, payload: Json) -> Answer:
        answer = await self.wire.answered(self.wire.front.ask(record, payload))
        panel = answer.panel
        if panel is not None:
            self.panels[panel.channel] = panel
        return answer


class Wire:
    """The servers of a front, their channels and their people."""

    def __init__(self, front: Front, patience: float = DISCORDS) -> None:
        """`patience` is the seconds until an interaction without an answer has failed."""
        self.front = front
        self.backend = front.backend
        self.patience = patience
        self.people: dict[int, Person] = {}
        self._guilds = 0

    def guild(self, name: str = "Stammtisch") -> int:
        """A new server with the bot in it."""
        self._guilds += 1
        return self.backend.create_guild(name).id

    def channel(self, guild: int | None = None, name: str = "karten") -> int:
        """A new channel, in the newest server if none is named."""
        return self.backend.create_channel(guild or self._newest(), name).id

    def elsewhere(self, *people: Person) -> int:
        """A channel of a new server, with these people in it and without the bot."""
        guild = self.backend.create_guild("Elsewhere").id
        for person in people:
            self.backend.add_member(guild, person.id)
        channel = self.backend.create_channel(guild, "plaza").id
        sim.send_away(self.backend, guild)
        return channel

    def group(self, *people: Person) -> int:
        """A group of people who write each other directly."""
        return sim.group(self.backend, *(person.id for person in people))

    def join(self, guild: int | None = None, *names: str) -> list[Person]:
        """New people in a server."""
        made = []
        for name in names:
            user = self.backend.make_user(name)
            self.backend.add_member(guild or self._newest(), user.id)
            self.people[user.id] = made_now = Person(self, user.id, name)
            made.append(made_now)
        return made

    def make_moderator(self, person: Person, channel: int) -> None:
        """Who may delete others' messages there, and so decides about its tables."""
        sim.let_moderate(self.backend, person.id, channel)

    def _newest(self) -> int:
        return next(reversed(self.backend.guilds))

    async def answered(self, asked: Asked) -> Answer:
        """The answer, once there is something to see or Discord gives up."""
        await asyncio.wait([asked.acknowledged], timeout=self.patience)
        if asked.acknowledged.done() and not asked.answered.done():
            await asyncio.wait([asked.answered], timeout=UNHURRIED)
        done = asked.acknowledged
        seconds = done.result() if done.done() and not done.cancelled() else None
        self.front.settle(asked)
        return Answer(self.front, asked.record, seconds)

    # What can be seen

    def message(self, shown: Shown) -> Message:
        """A message as SimCord keeps it.  Raises simcord's BackendError if it is gone."""
        return self.backend.get_message(shown.channel, shown.id)

    def refreshed(self, shown: Shown) -> Shown | None:
        """A message as it is now; None if it is gone."""
        found = self.backend.messages.get(shown.channel, {}).get(shown.id)
        return None if found is None else _shown(found)

    def messages(self, channel: int) -> list[Shown]:
        """The program's messages that the whole channel sees, oldest first."""
        stored = self.backend.messages.get(channel, {})
        bot = self.backend.bot_user.id
        return [
            _shown(message)
            for _, message in sorted(stored.items())
            if message.author_id == bot and not message.flags & EPHEMERAL
        ]

    def board(self, channel: int) -> Shown:
        """The newest message of the channel that can be pressed.  Raises LookupError."""
        for shown in reversed(self.messages(channel)):
            if shown.presses(*Verb):
                return shown
        raise LookupError(f"no board in {channel}")

    async def board_with(self, channel: int, *verbs: Verb, seconds: float = UNHURRIED) -> Shown:
        """The board, once it has something of each of those verbs.  Raises TimeoutError."""

        def found() -> Shown | None:
            for shown in reversed(self.messages(channel)):
                if all(shown.presses(verb) for verb in verbs):
                    return shown
            return None

        return await self.until(found, seconds)

    async def until(self, found: Callable[[], T | None], seconds: float = UNHURRIED) -> T:
        """What `found` returns once it is something; it is asked after every request.

        Raises TimeoutError.
        """
        changed = asyncio.Event()

        def told(request: object) -> None:
            changed.set()

        self.front.seen.append(told)
        try:
            async with asyncio.timeout(seconds):
                while not (value := found()):
                    changed.clear()
                    await changed.wait()
                return value
        finally:
            self.front.seen.remove(told)


def _shown(message: Message) -> Shown:
    return Shown(message.channel_id, message.id, message.components)


__all__ = ["Answer", "Person", "Shown", "Wire", "words"]
