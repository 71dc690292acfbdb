"""Looks at everything the program sends, at the moment when it is sent.

Who may know which card comes from what is committed (`tests.wire.ledger`) and from the games'
own `cards`; no view of the program is asked.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.i18n import texts
from bot.render.custom_ids import Press, Verb
from engine.game import CHANCE
from engine.registry import games
from tests.discord.watch import PIECE, strings
from tests.discord.world import walk
from tests.discord.writing import printed_examples, writing
from tests.wire.front import Front, Request
from tests.wire.ledger import Known, Ledger, Line
from tests.wire.openapi import description

_ROUND: Final = re.compile(r"Round (\d+)\b")
_DEALT: Final = re.compile(r"^Round (\d+): ", re.MULTILINE)
"""Begins the line of a log that tells of a deal: what stands above it was in the round before."""
_TABLE: Final = re.compile(r"\bst:[a-z_]+:([A-Z0-9]{5}):")

_COMPUTER: Final = "computer"
"""Who brings what a computer player does."""

_NOT_STORED: Final = texts("en").get("table.error.not_stored")
"""Tells somebody that nothing was accepted."""

_ASIDE: Final = ("-# ", "> ")
"""Begins a line that may tell of the round before: small print, and why a press did nothing."""

_CALL: Final = re.compile(r"<@!?([^&>]*)>")
"""What calls a person."""

_ID: Final = re.compile(r"\b[A-HJ-NP-Z2-9]{5}\b")
"""A table's id in words."""

_LINK: Final = re.compile(r"/channels/\d+/\d+/(\d+)")
"""Leads to a message."""

_SUGGESTIONS: Final = 8
"""Type of an answer that completes what somebody types."""

ALL_TOLD: Final = 3
"""So many of a person's latest interactions may be quoted back to them."""


@dataclass
class Dealt:
    """One round: what everybody has seen of it, and what a person has seen besides."""

    everything: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    knew: dict[int, set[str]] = field(default_factory=dict)

    def hidden(self, viewer: int | None) -> set[str]:
        """Cards of which `viewer` (None: everybody) may not know where they are."""
        known = self.public if viewer is None else self.public | self.knew.get(viewer, set())
        return self.everything - known


class Watch:
    """Leaks, acknowledged actions and malformed bodies."""

    def __init__(self, front: Front, ledger: Ledger, homes: dict[int, int]) -> None:
        """`homes` says in which channel each person plays."""
        self.leaks: list[str] = []
        self.unbacked: list[str] = []
        """Actions that were acknowledged before they were stored."""
        self.malformed: list[str] = []
        self.illegal: list[str] = []
        """Lines of a log that the rules do not allow."""
        self.called: list[str] = []
        """Texts that call whoever cannot come: computer players are called by nothing."""
        self.acknowledged: dict[int, str] = {}
        """Interactions whose people were shown that they have played: where."""
        self.denied: set[int] = set()
        """Interactions whose people were told that nothing was accepted."""
        self.looked: Counter[str] = Counter()
        self._front = front
        self._ledger = ledger
        self._homes = homes
        self._rounds: dict[str, list[Dealt]] = {}
        self._attempts: set[int] = set()
        """Interactions by which somebody tries to play something, until they are answered."""
        self._tried: dict[int, str] = {}
        """By such an interaction, answered or not, the `custom_id` that was pressed, if any."""
        self._doers: dict[int, int] = {}
        """By such an interaction, answered or not, who tries."""
        self._named: dict[int, list[str]] = {}
        self._tables: dict[int, str] = {}
        self._pressed: dict[int, str] = {}
        """By interaction the table of the button that was pressed."""
        self._described = description()
        self.outlived: set[str] = set()
        """Tables that were there already when the database became an older one."""
        self._anew = 0.0
        """Start with an older database, by the loop's clock; infinite until there is one."""
        ledger.applied.append(self._applied)
        front.backend.subscribers.append(self._asked)
        front.seen.append(self._sent)

    @property
    def checked(self) -> int:
        """Bodies that were held against Discord's description."""
        return self._described.checked

    # What is known

    def look(self, table: str) -> Known:
        """Reads what was committed since."""
        known = self._ledger.look(table)
        self._note(known)
        return known

    def _applied(self, known: Known, before: Any, line: Line, action: Any) -> None:
        if line.seat == CHANCE:
            self._rounds.setdefault(known.id, []).append(Dealt())
        elif not known.game.is_legal(before, line.seat, action):
            self.illegal.append(f"{known.id} {line.ply}: {line.text}")
        elif (line.by == _COMPUTER) != (line.seat in known.computers):
            self.illegal.append(f"{known.id} {line.ply}: {line.text} by {line.by}")
        self._note(known)

    def _note(self, known: Known) -> None:
        rounds = self._rounds.get(known.id)
        if not rounds or known.state is None:
            return
        now = rounds[-1]
        for card in known.game.cards(known.state):
            now.everything.add(card.card)
            if card.public:
                now.public.add(card.card)
            for seat in card.known_to:
                if seat in known.people:
                    now.knew.setdefault(known.people[seat], set()).add(card.card)

    def let_go(self) -> None:
        """Closes the database, until it is looked into again."""
        self._ledger.close()

    def cut_back(self, acknowledged: Collection[int]) -> None:
        """The database is an older one: only these of the acknowledged actions must be in it.

        What is read before the next start is of what is lost, even if only the sockets still hold
        what a killed process has sent.
        """
        self._anew = math.inf
        self.acknowledged = {n: at for n, at in self.acknowledged.items() if n in acknowledged}
        self._rounds.clear()
        self._ledger.begin_anew()
        self.outlived |= set(self._ledger.tables())

    def start(self) -> None:
        """A process is about to be started: what it sends is of the database there is now."""
        if self._anew == math.inf:
            self._anew = asyncio.get_running_loop().time()

    # What is asked

    def _asked(self, event: str, payload: Any) -> None:
        """An interaction: what its person names, and whether they play."""
        if event != "INTERACTION_CREATE" or payload["type"] == 4:
            return
        user = int((payload.get("member") or payload)["user"]["id"])
        press = Press.decode(str(payload["data"].get("custom_id", "")))
        if press is not None:
            self._pressed[int(payload["id"])] = str(press.table)
        said = "\n".join(strings(payload["data"]))
        named = self._named.setdefault(user, [])
        if not named or named[-1] != said:
            named.append(said)
            del named[:-ALL_TOLD]
        if _plays(payload):
            number = int(payload["id"])
            self._attempts.add(number)
            self._tried[number] = str(payload["data"].get("custom_id", ""))
            self._doers[number] = user

    # What is sent

    def _sent(self, request: Request) -> None:
        self.malformed += self._described.faults(request)
        if request.body is None or "/commands" in request.path or request.at < self._anew:
            return
        self._read(request)
        if request.applied:
            self._credit(request)

    def _read(self, request: Request) -> None:
        channel = self._channel(request)
        if channel is None:
            return
        text = "\n".join(strings((request.body, request.files)))
        self.looked["texts"] += 1
        for user in _called(text, request.body):
            if self._homes.get(user) != channel:
                self.called.append(f"called: {user} in {channel}: {text[:200]!r}")
        for table in self._meant(text, channel, self._pressed.get(self._interaction(request))):
            self._read_for(request, table, text)

    def _meant(self, text: str, channel: int, pressed: str | None) -> Iterator[str]:
        """The tables that a text is about: those it names or to whose messages it leads, else the
        one of the button that was pressed for it, else the channel's newest."""
        named = set(_TABLE.findall(text)) | set(_ID.findall(text))
        for message in _LINK.findall(text):
            query = "SELECT table_id FROM surfaces WHERE message_id = ?"
            named |= {row["table_id"] for row in self._ledger.rows(query, int(message))}
        tables = self._ledger.tables(channel)
        if tables and not named & set(tables):
            named = {pressed if pressed in tables else tables[-1]}
        return iter(sorted(named & set(tables)))

    def _read_for(self, request: Request, table: str, text: str) -> None:
        known = self.look(table)
        if known.status not in ("lobby", "running"):
            return
        self._read_seeds(request, known, text)
        rounds = self._rounds.get(table)
        if not rounds:
            return
        late = self._knew_before(known, request.viewer) if _suggests(request) else set()
        for part in by_round(text.replace(table, " ")):
            self._read_part(request, known, part, rounds, late)

    def _knew_before(self, known: Known, viewer: int | None) -> set[str]:
        """What `viewer` knew when the match before this one ended, until they act in this one.

        Suggestions name no table, and those that are late are of the match before.
        """
        tables = self._ledger.tables(known.channel)
        before = tables[: tables.index(known.id)]
        dealt = [self._rounds[table][-1] for table in before if table in self._rounds]
        acted = any(known.people.get(line.seat) == viewer for line in known.log)
        if viewer is None or not dealt or acted:
            return set()
        return dealt[-1].public | dealt[-1].knew.get(viewer, set())

    def _read_part(
        self, request: Request, known: Known, text: str, rounds: list[Dealt], late: set[str]
    ) -> None:
        """A text, or the part of it about one round; `late` may be said of the match before."""
        game, viewer = known.game.info.id, request.viewer
        found = set(writing(game).cards(text))
        self.looked["with cards"] += bool(found)
        if not found or not self._leaks(found, text, rounds, viewer):
            return
        for example in printed_examples(game):
            text = text.replace(example, "")
        if viewer is not None:
            for said in self._named.get(viewer, ()):
                found -= set(writing(game).cards(said))
        found &= set(writing(game).cards(text))
        found -= late
        found -= self.told_before(text, game, rounds, viewer)
        secret = self._leaks(found, text, rounds, viewer)
        if secret:
            lines = [line for line in text.splitlines() if any(card in line for card in secret)]
            self.leaks.append(
                f"{request.route} for {viewer}, {known.id} (ply {len(known.log)}, {known.people},"
                f" who knew {[*rounds[-1].knew]}): {sorted(secret)} in {lines} of {text!r}"
            )

    @staticmethod
    def _leaks(found: set[str], text: str, rounds: list[Dealt], viewer: int | None) -> set[str]:
        """What is secret in every round that the text may be about.

        A text that was late may tell of the round before; it says which, if it says anything.
        """
        numbers = {int(number) for number in _ROUND.findall(text)}
        about = [rounds[number - 1] for number in numbers if 0 < number <= len(rounds)]
        return _least_secret(found, about or rounds[-2:], viewer)

    @staticmethod
    def told_before(text: str, game: str, rounds: list[Dealt], viewer: int | None) -> set[str]:
        """Cards that stand in nothing but asides, and were known to the viewer in some round.

        A round's first board still tells in small print how the round before it ended, and a press
        on a hand of that round which card one has already played.
        """
        small = [line for line in text.splitlines() if line.startswith(_ASIDE)]
        rest = [line for line in text.splitlines() if not line.startswith(_ASIDE)]
        cards = writing(game).cards
        only = set(cards("\n".join(small))) - set(cards("\n".join(rest)))
        # Each by itself: the lines before and after the deal stand there together.
        return {card for card in only if not _least_secret({card}, rounds[-2:], viewer)}

    def _read_seeds(self, request: Request, known: Known, text: str) -> None:
        """No piece of a seed before it is published."""
        every_round = games()[known.game.info.id].info.seeds_after == "round"
        dealt = len(self._rounds.get(known.id, ()))
        lower = text.lower()
        for number, seed in known.seeds.items():
            if every_round and number <= dealt:
                continue  # it may be over by now; the in-process watch is exact about this
            if seed[:PIECE] in lower or seed[-PIECE:] in lower:
                self.leaks.append(f"{request.route}: a seed of {known.id}")

    def _channel(self, request: Request) -> int | None:
        """In which channel the table is played that a request is about."""
        if request.viewer is not None:
            return self._homes.get(request.viewer)
        parts = request.path.split("/")
        if parts[1] == "channels":
            return int(parts[2])
        record = self._front.backend.interactions.get(self._interaction(request))
        return None if record is None else record.channel_id

    def _interaction(self, request: Request) -> int:
        """Of which interaction a request is a part; 0: of none."""
        parts = request.path.split("/")
        if parts[1] == "webhooks":
            return self._front.backend.interaction_tokens.get(parts[3], 0)
        return int(parts[2]) if parts[1] == "interactions" else 0

    # Acknowledged actions

    def _credit(self, request: Request) -> None:
        """Whether this answer shows somebody that they have played."""
        parts = request.path.split("/")
        if parts[1] == "interactions":
            number, body = int(parts[2]), (request.body.get("data") or {})
            if request.body["type"] not in (4, 7):
                return
        elif parts[1] == "webhooks":
            number = self._front.backend.interaction_tokens.get(parts[3], 0)
            body = request.body
        else:
            return
        if number not in self._attempts:
            return
        components = body.get("components") or []
        if any(_NOT_STORED in str(part.get("content", "")) for part in walk(components)):
            self.denied.add(number)
        if not components:
            return
        # What is drawn later into the same message is no answer any more.
        self._attempts.remove(number)
        if not _says_played(components):
            return
        stored = self._stored(number)
        if len(stored) == 1:
            self.acknowledged[number] = stored[0]
        elif stored or not self._is_second_press(number):
            tried = self._tried.get(number)
            told = "\n".join(strings(body))
            self.unbacked.append(
                f"{number}: {tried!r} stored {stored}, told {told!r} by {request.route}"
                f" {request.at - self._anew:.2f} s after the database became an older one"
            )

    def _stored(self, number: int) -> list[str]:
        """Where it is stored what came by an interaction."""
        query = "SELECT table_id, ply FROM entries WHERE interaction_id = ?"
        return [f"{row['table_id']} {row['ply']}" for row in self._ledger.rows(query, number)]

    def _is_second_press(self, number: int) -> bool:
        """Whether the same person has given that answer to that question by another interaction, of
        another button or typed: then the board shows what they want."""
        press, doer = Press.decode(self._tried[number]), self._doers[number]
        if press is None or press.question is None:
            return False
        query = (
            "SELECT text, interaction_id FROM entries WHERE table_id = ? AND ply >= ? ORDER BY ply"
        )
        for row in self._ledger.rows(query, press.table, press.question):
            if self._doers.get(row["interaction_id"]) == doer:
                return bool(row["text"] == press.argument)
        return False


def by_round(text: str) -> list[str]:
    """The parts of a log before and after each deal, each named by its round; else the text."""
    above, *rest = _DEALT.split(text)
    if not rest:
        return [text]
    parts = [f"Round {int(rest[0]) - 1}\n{above}"]
    return parts + [f"Round {n}: {below}" for n, below in zip(rest[::2], rest[1::2], strict=True)]


def _least_secret(found: set[str], rounds: Sequence[Dealt], viewer: int | None) -> set[str]:
    """Of these cards, those that are hidden from `viewer` in the round where they are fewest."""
    return min((found & dealt.hidden(viewer) for dealt in rounds), key=len, default=set())


def _called(text: str, body: Any) -> set[int]:
    """Users whom a text calls or may call; 0 for what is no user."""
    allowed = body.get("allowed_mentions") or {} if isinstance(body, dict) else {}
    said = [*_CALL.findall(text), *(allowed.get("users") or ())]
    return {int(user) if str(user).isdecimal() else 0 for user in said}


def _suggests(request: Request) -> bool:
    """Whether a body completes what somebody types."""
    return isinstance(request.body, dict) and request.body.get("type") == _SUGGESTIONS


def _plays(payload: Any) -> bool:
    """Whether an interaction is meant as an action."""
    data = payload["data"]
    if payload["type"] == 2:
        return bool(data["name"] == "play")
    press = Press.decode(data["custom_id"])
    if press is None:
        return False
    sent = bool(data.get("values")) or payload["type"] == 5
    return press.verb in (Verb.ACT, Verb.ACT_NOW) or (press.verb is Verb.COMBINE and sent)


def _says_played(components: list[dict[str, Any]]) -> bool:
    """Whether an answer shows a table or a hand, without a refusal and asking nothing first."""
    verbs = set()
    for component in walk(components):
        lines = str(component.get("content", "")).splitlines()
        if any(line.startswith("> ") for line in lines):
            return False
        press = Press.decode(str(component.get("custom_id", "")))
        if press is not None:
            verbs.add(press.verb)
    return bool(verbs - {Verb.WATCH}) and Verb.ACT_NOW not in verbs
