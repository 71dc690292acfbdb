"""A watchman over privacy: reads all that the program sends and says, and knows who may know what.

What may be known comes from the store alone, read with SQL and taken apart here: the deal, the
cards played since, and those aside once the round is over.  No rule, view or renderer of the
program is asked.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from importlib.resources import files
from typing import Final, TypeAlias

from tests.discord.world import Sent, World

PACK: Final = tuple(f"{low}-{high}" for low in range(10) for high in range(low, 10))
DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\uff0d", "-"))
CARD: Final = re.compile(r"(?<!\d)\d-\d(?!\d)")
"""A card wherever it stands: `6-6`, `6-6x2`, `6-6²`, `**3-6⇅**`; no part of a date."""

LONG: Final = re.compile(r"(?<!\d)\d{6,}(?!\d)")
"""A number that may be a set of cards as the engine holds it."""

Person: TypeAlias = int | None
"""A user's id; None is everybody: the channel, and whoever reads the logs."""


def cards(text: str) -> list[str]:
    """The cards that a text names, in order."""
    return CARD.findall(text.translate(DASHES))


def mask(codes: set[str]) -> int:
    """A set of cards as the engine holds it."""
    return sum(1 << PACK.index(code) for code in codes)


def strings(value: object) -> Iterator[str]:
    """Every text inside a value, keys and names of files among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode(errors="replace")
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings(key)
            yield from strings(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from strings(inner)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from strings(vars(value) if hasattr(value, "__dict__") else repr(value))
    elif value is not None:
        yield str(value)


def printed_examples() -> list[str]:
    """Texts with cards in them that are the same for everybody at any time."""
    data = files("data")
    rules = (data / "games" / "aufundab" / "rules" / "en.md").read_text("utf-8")
    pages = [page.strip() for page in re.split(r"^---[ \t]*$", rules, flags=re.MULTILINE)]
    examples = ["play 3-4 3-6", "0 to 9: 3-6."]
    return [page for page in pages if page] + examples


@dataclass
class Round:
    """A deal and what was seen of it."""

    hands: tuple[frozenset[str], ...]
    aside: frozenset[str]
    plays: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    knew: dict[int, set[str]] = field(default_factory=dict)
    """What a person saw of hands because they sat there."""

    @property
    def played(self) -> set[str]:
        return {card for _, played in self.plays for card in played}

    @property
    def over(self) -> bool:
        return any(hand <= self.played for hand in self.hands)


class Knowledge:
    """Who may know which cards of the round that is played in the channel."""

    def __init__(self, world: World) -> None:
        path = world.settings.database_url.partition("///")[2]
        self._store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self._channel = world.channel.id
        self._table = ""
        self._ply = 0
        self.rounds: list[Round] = []
        self.people: dict[int, tuple[int, str]] = {}

    def close(self) -> None:
        self._store.close()

    def look(self) -> None:
        """Reads what was committed since."""
        newest = self._store.execute(
            "SELECT id FROM tables WHERE channel_id = ? ORDER BY created DESC LIMIT 1",
            (self._channel,),
        ).fetchone()
        if newest is None:
            return
        if newest[0] != self._table:
            self._table, self._ply, self.rounds = newest[0], 0, []
        seated = self._store.execute(
            "SELECT place, user_id, name FROM places WHERE table_id = ?", (self._table,)
        )
        self.people = {place: (user, name) for place, user, name in seated if user is not None}
        for seat, text in self._store.execute(
            "SELECT seat, text FROM entries WHERE table_id = ? AND ply >= ? ORDER BY ply",
            (self._table, self._ply),
        ):
            self._ply += 1
            if seat < 0:
                dealt = json.loads(text)["deal"]
                hands = tuple(frozenset(hand) for hand in dealt["hands"])
                self.rounds.append(Round(hands, frozenset(dealt["aside"])))
            elif text != "pass":
                self.rounds[-1].plays.append((seat, frozenset(cards(text))))
        if self.rounds:
            now = self.rounds[-1]
            for seat, (user, _) in self.people.items():
                now.knew.setdefault(user, set()).update(now.hands[seat])

    def hidden(self, viewer: Person) -> set[str]:
        """Cards of this round whose place a person may not know; none before the first deal."""
        if not self.rounds:
            return set()
        now = self.rounds[-1]
        known = now.played | (now.aside if now.over else frozenset())
        if viewer is not None:
            known = known | now.knew.get(viewer, set())
        return set(PACK) - known

    def masks(self, viewer: Person) -> set[int]:
        """Hands (as dealt and as they are) and the cards aside as numbers, where secret."""
        if not self.rounds:
            return set()
        now, hidden = self.rounds[-1], self.hidden(viewer)
        groups = [*now.hands, now.aside]
        groups += [frozenset(hand - now.played) for hand in now.hands]
        return {mask(set(group)) for group in groups if group & hidden}

    def is_history(self, line: str) -> bool:
        """Whether a line tells what everybody saw in an earlier round of this match."""
        named = frozenset(cards(line))
        for before in self.rounds[:-1]:
            if named == before.aside and before.over:
                return True
            for seat, played in before.plays:
                _, name = self.people.get(seat, (0, ""))
                if named == played and (not name or name in line):
                    return True
        return False


class Watchman:
    """Looks at everything at the moment when it is sent, with what is committed by then."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.knowledge = Knowledge(world)
        self.leaks: list[str] = []
        self.looked: Counter[str] = Counter()
        """How many texts were read, by route; and how many of them name cards at all."""
        self.sent: Counter[str] = Counter()
        self._typed: dict[Person, set[str]] = {}
        self._examples = printed_examples()
        self._standing: dict[int, str] = {}
        world.tap(self._sent)

    def typed(self, viewer: int, text: str) -> None:
        """A person names cards themselves: the answer may repeat them, to them."""
        self._typed[viewer] = set(cards(text))

    def read(self, where: str, viewer: Person, value: object) -> None:
        """Notes a leak for every text in `value` that names what its viewer may not know."""
        self.knowledge.look()
        secret, masks = self.knowledge.hidden(viewer), self.knowledge.masks(viewer)
        secret -= self._typed.get(viewer, set()) if viewer is not None else set()
        for text in strings(value):
            self.looked[where] += 1
            found = set(cards(self._without_examples(text)))
            self.looked["with cards"] += bool(found)
            if found & secret and not self._is_told(text, secret):
                self.leaks.append(
                    f"{where}, seen by {viewer}: {sorted(found & secret)} in {text!r}"
                )
            numbers = {int(number) for number in LONG.findall(text)}
            if numbers & masks:
                self.leaks.append(f"{where}, seen by {viewer}: a hand as a number in {text!r}")

    def read_log(self, text: str) -> None:
        """Logs name no cards at all, whether secret or not."""
        self.knowledge.look()
        for line in text.splitlines():
            self.looked["log"] += 1
            if cards(line):
                self.leaks.append(f"log: cards in {line!r}")
            masks = {mask(set(hand)) for now in self.knowledge.rounds for hand in now.hands}
            masks |= self.knowledge.masks(None)
            if {int(number) for number in LONG.findall(line)} & masks:
                self.leaks.append(f"log: a hand as a number in {line!r}")

    def read_standing(self) -> None:
        """Every message that changed since the last look, with its files and their texts."""
        for number, viewer, message in self._world.standing():
            content = repr(sorted(message.items()))
            if self._standing.get(number) != content:
                self._standing[number] = content
                self.read("message", viewer, message)

    def _sent(self, sent: Sent) -> None:
        self.sent[sent.route] += 1
        self.read(sent.route, sent.viewer, sent.body)

    def _is_told(self, text: str, secret: set[str]) -> bool:
        """Whether the secret cards stand only where the match so far is told."""
        lines = re.split(r"\n| · ", text)
        return all(self.knowledge.is_history(line) for line in lines if set(cards(line)) & secret)

    def _without_examples(self, text: str) -> str:
        for example in self._examples:
            text = text.replace(example, "")
        return text
