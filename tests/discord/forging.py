"""Interactions that no client of Discord's sends: forged, mangled, stale, doubled, of strangers.

A seed makes them.  They go to one world after another: a running match, a private lobby and a plan,
until the match is over.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from simcord.interactions import walk_to_subcommand
from structlog.testing import capture_logs

from bot.ids import ChannelId, GuildId
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.plans import Wish
from engine.registry import games
from tests.discord.steps import first, person, sitter, tables
from tests.discord.watch import Watchman
from tests.discord.world import NAMES, Player, Shown, World, words
from tests.lengths import length
from tests.wire import sim

BATCH: Final = 20
"""Interactions that arrive at the same moment."""

INTERNAL: Final = "went wrong on my side"

FAULTS: Final = {"suggestion_failed", "text_missing", "text_parameter_missing", "draw_failed"}
"""Events that are faults of ours although they are only warnings."""

OWN_RIGHT: Final = frozenset({Verb.JOIN, Verb.SIT, Verb.TAKE, Verb.BACK, Verb.COME, Verb.REMATCH})
"""What a stranger may do: to sit down where a place is free, and to come to what is planned."""

OUT_OF_BOUNDS: Final = frozenset(
    {Verb.LEAVE_NOW, Verb.END_NOW, Verb.KICK_NOW, Verb.ROUNDS, Verb.REVIEW, Verb.FORGET_NOW}
)
"""What ends a match soon (whoever is forgotten leaves it), or tells of hands of earlier rounds,
which may hold the same cards."""

VALUES: Final = (
    "", "-1", "0", "1", "2", "7", "77", "²", "٣", "-", "+1", "9" * 7, "9" * 18, "9" * 19, "9" * 64,
    "all|all|0", "all|aufundab|-1", "week|nogame|" + "9" * 40, "month|sticheln|me", "|||||",
    "stats|1", "stats|" + "9" * 19, "standings|all|all|0", "mine|0", "here|99999999", "theirs|0",
    "easy", "strong", "perfect", "2 easy", "x strong", "live60", "live1", "now", "more", "result",
    "hand", "tables", "newgame", "play", "pass", "play 0-0 0-0", "play R5", "hide R5", "kaiser BB",
    "raise 1", "discard A2 S3", "choose Y7", "pass\npass", "\x00\x1b[2J", "\u202eplay", "{0}", "%s",
    "x" * 64, "🃏" * 30, "../../etc/passwd", "'; DROP TABLE tables; --", "@everyone <@1> **b**",
)  # fmt: skip

TYPED: Final = (
    *VALUES, "9" * 4400, "x" * 6000, "play " * 1200, "`" * 2000, "in 1h", "in 99999999d", "weekly",
    "fri 25:61 Europe/Zurich", "fri 20:00 ../../etc/passwd", "2026-02-30 20:00 UTC", "a," * 3000,
    "9999-12-31 23:59 UTC", "in 1m and and", "no hints, no hints", "play -1--1", "ﬀ²٣", "\ud83d",
)  # fmt: skip

COMMANDS: Final = (
    "hand", "watch", "table", "tables", "play", "cut", "verify", "replay", "hint",
    "start", "leave",
    "endgame", "rules", "leaderboard", "stats", "preferences", "settings", "newgame", "seat kick",
    "seat host", "seat invite", "seat add", "mydata show", "mydata export", "mydata forget",
)  # fmt: skip


@dataclass
class Found:
    """What came of the interactions: all of it must be empty but `sent`."""

    sent: Counter[str] = field(default_factory=Counter)
    exceptions: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    without_right: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    read: int = 0
    """Texts that were read for cards."""

    @property
    def faults(self) -> dict[str, list[str]]:
        kinds = ("exceptions", "unanswered", "without_right", "leaks")
        return {kind: getattr(self, kind)[:5] for kind in kinds if getattr(self, kind)}


@dataclass
class Scene:
    """A world with a match that runs, a lobby and a plan, and who does what there."""

    w: World
    rng: random.Random
    watch: Watchman
    match: Table
    lobby: Table
    plan: Shown
    found: Found

    @property
    def seated(self) -> list[Player]:
        return [self.w.players[place.name] for place in self.match.stored.seating.people]

    @property
    def strangers(self) -> list[Player]:
        return [self.w.eve, self.w.fay]

    # What is pressed

    def value(self) -> str:
        """An argument or a choice: junk, somebody's id, something legal, or the plan's own."""
        kind, now = self.rng.random(), self.match
        if kind < 0.3 and now.actors:
            return self.rng.choice(list(now.legal_texts(self.rng.choice(now.actors)))[:200])
        if kind < 0.4:
            return str(self.rng.choice([*self.seated, *self.strangers]).id)
        if kind < 0.45:
            return self.rng.choice([press.argument for press, _ in self.plan.presses(*Verb)])
        return self.rng.choice(VALUES)

    def custom_id(self, verbs: Sequence[str]) -> str:
        """Of a press that begins like one of ours, and goes wrong somewhere or nowhere."""
        if self.rng.random() < 0.1:
            return "".join(
                self.rng.choices("st:act:;\x00\n\u202e🃏{}%9", k=self.rng.randrange(100))
            )
        now = self.match
        named = [now.id] * 8 + [
            now.id.lower(),
            self.lobby.id,
            "",
            "nope",
            "A" * 24,
            now.stored.game,
        ]
        asked = [str(question) for question in now.questions.values()] * 3
        question = [
            *asked,
            "",
            "0",
            str(now.ply),
            str(max(0, now.ply - 3)),
            "9" * 9,
            "9" * 40,
            "-1",
        ]
        parts = (*map(self.rng.choice, (verbs, named, question)), self.value())
        return ":".join(("st", *parts))[: self.rng.choice([100] * 8 + [9])]

    def shown(self, player: Player) -> Shown:
        """A message that they have before their eyes: nobody can press elsewhere."""
        kind = self.rng.random()
        if kind < 0.3 and player.dms():
            return self.rng.choice(player.dms()[-3:])
        if kind < 0.4:
            return self.plan
        return self.w.board()

    def form(self) -> list[dict[str, Any]]:
        def typed() -> str:
            return self.rng.choice(TYPED)[:4000]

        text = self.rng.choice(["word", "number:hands", "number:rounds", "number:target", "x"])
        boxes = self.rng.choice(
            ["cards:0", "cards:1", "customs", "seats", "flag:double", "switch:zeros", "x"]
        )
        fields: list[dict[str, Any]] = [
            {"type": 3, "custom_id": boxes, "values": [typed()]},
            {"type": 4, "custom_id": text, "value": typed()},
            {"type": 22, "custom_id": boxes, "values": [typed() for _ in range(3)]},
            {"type": 21, "custom_id": boxes, "value": typed()},
        ]
        one = self.rng.choice(fields)
        return self.rng.choice(
            [[], [{"type": 1, "components": [one]}], [{"type": 18, "component": one}]]
        )

    def given(self, command: str, spec: Mapping[str, Any]) -> dict[str, Any]:
        """Options of a command: what may be chosen, or anything."""
        found: dict[str, Any] = {}
        for option in spec.get("options") or ():
            name = option["name"]
            if not option.get("required") and self.rng.random() < 0.5:
                continue
            match option["type"]:
                case 3:
                    offered = [choice["value"] for choice in option.get("choices", ())]
                    found[name] = self.rng.choice([*TYPED, *offered * 8, self.match.id])
                case 4:
                    found[name] = self.rng.choice([-1, 0, 1, 2, 3, 40, 10**12, 2**53])
                case 5:
                    found[name] = self.rng.random() < 0.5
                case 6:
                    found[name] = self.rng.choice([*self.seated, *self.strangers]).id
                case _:
                    found[name] = 1.5
        if command == "rules":  # what those of another game print may be cards of this one
            found["game"] = self.rng.choice([self.match.stored.game, "nope"])
        if command == "newgame":  # what would open a table for good is named wrongly
            found["game"] = self.rng.choice(["nope", "", "../x"])
        return found

    # One interaction

    def emit(self, player: Player, verbs: Sequence[str]) -> tuple[str, Any]:
        """Sends one: what it was, and SimCord's record of it."""
        kind = self.rng.random()
        if kind < 0.65:
            custom_id = self.custom_id(verbs)
            self.names(player, custom_id)
            values = [self.value() for _ in range(self.rng.randrange(3))]
            self.names(player, " ".join(values), more=True)
            shown = self.shown(player)
            if self.rng.random() < 0.25:
                form = self.form()
                self.names(player, json.dumps(form, ensure_ascii=False), more=True)
                return f"form {custom_id}", self.w.emit_form(player, shown, custom_id, form)
            more = {"values": values} if self.rng.random() < 0.5 else {}
            times = 2 if self.rng.random() < 0.1 else 1
            sort = self.rng.choice([2, 2, 3, 5, 99])
            return f"press {custom_id}", self.w.emit(
                player, shown, custom_id, sort, times=times, **more
            )
        backend = self.w.env.backend
        command = self.rng.choice(COMMANDS)
        name, *rest = command.split()
        spec, _ = walk_to_subcommand(backend.commands[None][name, 1], rest)
        given = self.given(command, spec)
        self.names(player, json.dumps(given, ensure_ascii=False))
        completes = [o["name"] for o in spec.get("options") or () if o.get("autocomplete")]
        texts = [option for option in completes if isinstance(given.get(option), str)]
        focused = self.rng.choice(texts) if texts and self.rng.random() < 0.4 else None
        record, payload = sim.typed(
            backend, player.id, self.w.channel.id, command, given, "en-US", focused
        )
        backend.emit("INTERACTION_CREATE", payload)
        return f"/{command} {given} {focused}"[:300], record

    def names(self, player: Player, text: str, *, more: bool = False) -> None:
        """Whoever names a card may be answered with it."""
        before = self.watch._typed.get(player.id, set()) if more else set()
        self.watch.typed(player.id, text)
        self.watch._typed[player.id] |= before | self._typed.get(player.id, set())
        self._typed[player.id] = self.watch._typed[player.id]

    _typed: dict[int, set[str]] = field(default_factory=dict)

    # A batch, and what it did

    async def batch(self) -> int:
        """Sends so many at the same moment, by strangers or by those at the table."""
        foreign = self.rng.random() < 0.4
        people = self.strangers if foreign else [*self.seated, *self.strangers]
        barred = OUT_OF_BOUNDS | OWN_RIGHT if foreign else OUT_OF_BOUNDS
        verbs = [*(verb.value for verb in Verb if verb not in barred), "fly", "ACT", ""]
        before, sent = self.match, []
        self._typed = self.chosen(before)
        with capture_logs() as logs:
            for _ in range(BATCH):
                player = self.rng.choice(people)
                what, record = self.emit(player, verbs)
                sent.append((player, what, record))
            await self.w.env.settle()
            if self.rng.random() < 0.3:
                await self.w.env.advance_time(3)
        self.match = await tables(self.w).find(before.id)
        self.read_log(logs)
        by = {record.id: player for player, _, record in sent}
        for _, what, record in sent:
            self.found.sent[what.split()[0]] += 1
            if not record.responded:
                self.found.unanswered.append(what)
            if record.modal is None and any(INTERNAL in said for said in self.said(record)):
                self.found.exceptions.append(what)
        self.compare(before, by, foreign=foreign)
        return len(sent)

    def chosen(self, table: Table) -> dict[int, set[str]]:
        """Cards that people have named at their seats: an old press is answered with them."""
        found: dict[int, set[str]] = {}
        for seat, place in enumerate(table.stored.seating.places):
            if place.person is not None:
                texts = (entry.text for entry in table.log if entry.seat == seat)
                found[place.person.id] = set(self.watch.cards(" ".join(texts)))
        return found

    def said(self, record: Any) -> Iterator[str]:
        stored = self.w.env.backend.messages.get(record.channel_id, {})
        for message in (record.message_id, *record.followup_ids):
            if message in stored:
                yield words(stored[message].components)

    def read_log(self, logs: Sequence[Mapping[str, Any]]) -> None:
        for line in logs:
            if line["log_level"] in ("error", "critical") or line["event"] in FAULTS:
                self.found.exceptions.append(str(line)[:600])

    def compare(self, before: Table, by: Mapping[int, Player], *, foreign: bool) -> None:
        """Nobody played for a seat that is not theirs, and strangers changed nothing."""
        now, places = self.match, before.stored.seating.places
        for entry in now.log[len(before.log) :]:
            player = None if entry.interaction is None else by.get(entry.interaction)
            owner = None if entry.is_deal else places[entry.seat].person
            if player is not None and (owner is None or owner.id != player.id):
                self.found.without_right.append(f"{player.name} played {entry}")
        been = before.stored.seating
        seating = replace(now.stored.seating, waiting=been.waiting)
        same = (now.log, now.stored.votes, seating) == (before.log, before.stored.votes, been)
        if foreign and not same and all(entry.interaction for entry in now.log[len(before.log) :]):
            self.found.without_right.append(f"strangers changed {before.stored} to {now.stored}")
        pressed = {player.id for player in by.values()}
        for one in {*been.waiting} ^ {*now.stored.seating.waiting}:
            if foreign and one.id not in pressed:  # anybody may get in line, and leave it
                self.found.without_right.append(f"strangers put {one} in line, or out of it")

    async def play_on(self) -> None:
        """Somebody does what is asked of them, so that the match goes on."""

        async def work() -> Table:
            now = await tables(self.w).find(self.match.id)
            if isinstance(now.phase, BetweenRounds):
                for one in now.stored.seating.people:
                    now = await tables(self.w).ready(now.id, one.id, None)
            elif now.actors and not isinstance(now.phase, Closing):
                user = sitter(now, now.actors[0])
                with suppress(TableError):  # they have given the seat up
                    now = await tables(self.w).act(now.id, None, user, first(now), None)
            return now

        self.match = await self.w.directly(work())


async def scene(w: World, game: str, rng: random.Random, found: Found) -> Scene:
    """A match that has begun, a lobby and a plan, each in a room of its own."""
    w.people(len(NAMES))
    seats = games()[game].info.seats[0]
    people = [w.players[name] for name in NAMES[:seats]]

    async def opened(place: int, host: Player, *, private: bool) -> Table:
        wish = Wish(game, seats, length(game, 2, 1), private=private)
        return await tables(w).open(wish, GuildId(w.guild.id), ChannelId(place), person(host))

    async def begun() -> Table:
        table = await opened(w.channel.id, people[0], private=False)
        for player in people[1:]:
            table = await tables(w).sit(table.id, person(player))
        for player in people:
            dms = rng.random() < 0.5
            table = await tables(w).set_reachable(table.id, player.id, reachable=dms)
        return await tables(w).start(table.id, people[0].id)

    room, plans = w.room("lobby"), w.room("plans")
    lobby = await w.directly(opened(room.id, people[1], private=True))
    await people[0].slash("newgame", channel=plans, game="sticheln", at="in 9h")
    plan = next(one for one in w.messages(plans.id) if one.presses(Verb.COME))
    watch = Watchman(w)
    match = await w.directly(begun())
    while isinstance(match.phase, Closing):
        await w.env.advance_time(1)
        match = await tables(w).find(match.id)
    return Scene(w, rng, watch, match, lobby, plan, found)


async def forge(made: Scene, count: int) -> int:
    """At most so many in that scene, until its match is over; how many there were."""
    sent = 0
    while sent < count and made.match.stored.status.is_open:
        sent += await made.batch()
        await made.play_on()
    made.found.read += sum(made.watch.looked.values())
    made.found.leaks += made.watch.leaks
    made.watch.knowledge.close()
    return sent


def planted(made: Scene) -> bool:
    """Whether the watchman sees a card that somebody alone holds."""
    made.watch.knowledge.look()
    secret = sorted(made.watch.knowledge.hidden(None))
    made.watch.read("planted", None, Press(Verb.ACT, argument=f"play {secret[0]}").encode())
    return bool(made.watch.leaks)
