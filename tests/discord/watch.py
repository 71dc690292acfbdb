"""A watchman over privacy: reads all that the program sends and says, and knows who may know what.

What may be known comes from the store alone: `tests.wire.ledger` folds the log, and the game
says of every card who has seen it (`Game.cards`, which the laws hold to the rules).  No view and
no renderer of the program is asked.  Seeds, and the digests that are mixed into deals, count as
secret for everybody until the game lets them be published.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Final, TypeAlias

from bot.i18n import texts
from engine.deal import commitment, digest
from engine.game import CHANCE
from engine.registry import games
from tests.discord.world import Sent, World
from tests.discord.writing import all_cards, printed_examples, writing
from tests.wire.ledger import OPEN, Known, Ledger, Line

LONG: Final = re.compile(r"(?<!\d)\d{6,}(?!\d)")
"""A number that may be a set of cards as the engine holds it."""

TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+")
"""A time as Discord tells it: its fraction of a second has six digits too."""

PROVING: Final = 32
"""So many digits of a commitment prove it (`data/docs/notation.md`)."""

HEX: Final = re.compile(r"(?<![0-9a-zA-Z])[0-9a-f]{8,}(?![0-9a-zA-Z])")

PIECE: Final = 12
"""So many digits of a secret number, in a row, tell it."""

PNG: Final = b"\x89PNG\r\n\x1a\n"

PIXELS: Final = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
"""Parts of a picture that hold its size, its colours and its points."""

Person: TypeAlias = int | None
"""A user's id; None is everybody: the channel, and whoever reads the logs."""


def mask(game: str, codes: set[str]) -> int:
    """A set of cards as the engine holds it."""
    pack = all_cards(game)
    return sum([1 << pack.index(code) for code in codes])


def strings(value: object) -> Iterator[str]:
    """Every text inside a value, keys and names of files among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield from (
            _written_in(value) if value.startswith(PNG) else [value.decode("utf-8", "replace")]
        )
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


def _written_in(picture: bytes) -> Iterator[str]:
    """What a picture (PNG) says beside its pixels, which mean nothing if read as text."""
    at = len(PNG)
    while at < len(picture):
        size, kind = struct.unpack_from(">I4s", picture, at)
        if kind not in PIXELS:
            yield picture[at + 8 : at + 8 + size].decode("utf-8", "replace")
        at += size + 12


@dataclass
class Round:
    """A deal and what was seen of it."""

    places: dict[str, set[str]] = field(default_factory=dict)
    """Where the cards lay once they were dealt."""
    now: dict[str, set[str]] = field(default_factory=dict)
    """Where they lie now."""
    public: set[str] = field(default_factory=set)
    """What everybody has seen."""
    knew: dict[int, set[str]] = field(default_factory=dict)
    """What a person has seen because they sat where they sat."""
    actions: list[tuple[int, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """The sentences in which everybody was told of cards."""
    over: bool = False


class Knowledge:
    """Who may know which cards, and which seeds, of the match that is played in the channel."""

    def __init__(self, world: World) -> None:
        self._ledger = Ledger(world.settings.database_url)
        self._ledger.applied.append(self._applied)
        self._channel = world.channel.id
        self._known: Known | None = None
        self.game = "aufundab"
        self.ended = False
        self.rounds: list[Round] = []
        self.people: dict[int, tuple[int, str]] = {}
        self.seeds: dict[int, str] = {}
        """By round, in hex."""
        self.bound: set[str] = set()
        """Commitments."""
        self.tip: str | None = None

    def close(self) -> None:
        self._ledger.close()

    def look(self) -> None:
        """Reads what was committed since."""
        known = self._ledger.newest(self._channel)
        if known is None:
            return
        self._turn_to(known)
        self.ended = known.status not in OPEN
        self.seeds, self.tip = known.seeds, known.tip
        # The first one is enough: one commitment binds them all.
        self.bound = {commitment(bytes.fromhex(self.seeds[1]))}
        if self.rounds:
            self._note(known)

    def _turn_to(self, known: Known) -> None:
        if known is not self._known:
            self._known, self.rounds = known, []
        self.game = known.game.info.id
        self.people = {place: (user, known.names[place]) for place, user in known.people.items()}

    def _applied(self, known: Known, before: Any, line: Line, action: Any) -> None:
        """One more line of the log."""
        self._turn_to(known)
        if line.seat == CHANCE:
            self.rounds.append(Round())
        else:
            self.rounds[-1].actions.append((line.seat, line.text))
        now = self.rounds[-1]
        names = [self.people.get(place, (0, ""))[1] for place in range(max(self.people) + 1)]
        for event in known.game.events(before, line.seat, action, known.state):
            if event.audience is None:
                now.told.append(texts("en").phrase(self.game, event.phrase, names))
        now.over = line.seat != CHANCE and known.game.round_scores(known.state) is not None
        self._note(known)
        if line.seat == CHANCE:
            now.places = now.now

    def _note(self, known: Known) -> None:
        """Who sees what now; what somebody has seen once they know for the whole round."""
        now, located = self.rounds[-1], known.game.cards(known.state)
        if not located:
            return
        now.now = {}
        for card in located:
            now.now.setdefault(card.place, set()).add(card.card)
            if card.public:
                now.public.add(card.card)
            for seat in card.known_to:
                if seat in self.people:
                    now.knew.setdefault(self.people[seat][0], set()).add(card.card)

    def hidden(self, viewer: Person) -> set[str]:
        """Cards of this round whose place a person may not know.

        None before the first deal, and none once the match has ended: then all is published.
        """
        if not self.rounds or self.ended:
            return set()
        now = self.rounds[-1]
        everything = {card for cards in now.now.values() for card in cards}
        known = now.public if viewer is None else now.public | now.knew.get(viewer, set())
        return everything - known

    def masks(self, viewer: Person) -> set[int]:
        """What lies together as numbers, as dealt and as it is, where it is secret."""
        if not self.rounds:
            return set()
        now, hidden = self.rounds[-1], self.hidden(viewer)
        groups = [*now.places.values(), *now.now.values()]
        return {mask(self.game, group) for group in groups if group & hidden}

    def numbers(self) -> set[str]:
        """Seeds, and digests that are mixed into deals, that nobody may know yet; in hex."""
        secret = set() if self.tip is None else {self.tip}
        every_round = games()[self.game].info.seeds_after == "round"
        for number, seed in self.seeds.items():
            dealt = number <= len(self.rounds)
            over = dealt and self.rounds[number - 1].over and every_round
            if not dealt or not (over or self.ended):
                secret.add(seed)
                if 1 < number <= len(self.rounds) + 1 and self.rounds[number - 2].over:
                    secret.add(digest(self.rounds[number - 2].actions))
        return secret

    def without_history(self, text: str) -> str:
        """`text` without the sentences that told everybody of earlier rounds of this match."""
        for before in self.rounds[:-1]:
            for told in before.told:
                text = text.replace(told, "")
        return text


def numbers_in(text: str) -> set[int]:
    """The numbers of a text that may be sets of cards."""
    return {int(number) for number in LONG.findall(TIME.sub("", text))}


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
        self._standing: dict[int, tuple[object, object]] = {}
        world.tap(self._sent)

    def cards(self, text: str) -> list[str]:
        """The cards of the game that is played that a text names, in order."""
        return writing(self.knowledge.game).cards(text)

    def typed(self, viewer: int, text: str) -> None:
        """A person names cards themselves: the answer may repeat them, to them."""
        self._typed[viewer] = set(self.cards(text))

    def read(self, where: str, viewer: Person, value: object) -> None:
        """Notes a leak for every text in `value` that names what its viewer may not know."""
        know = self.knowledge
        know.look()
        secret, masks, numbers = know.hidden(viewer), know.masks(viewer), know.numbers()
        secret -= self._typed.get(viewer, set()) if viewer is not None else set()
        bound = know.bound
        for text in strings(value):
            self.looked[where] += 1
            found = set(self.cards(text))
            self.looked["with cards"] += bool(found)
            if found & secret:
                found = set(self.cards(know.without_history(self._without_examples(text))))
            if found & secret:
                self.leaks.append(
                    f"{where}, seen by {viewer}: {sorted(found & secret)} in {text!r}"
                )
            if numbers_in(text) & masks:
                self.leaks.append(f"{where}, seen by {viewer}: a hand as a number in {text!r}")
            self._read_numbers(where, text, numbers, bound)

    def _read_numbers(self, where: str, text: str, secret: set[str], bound: set[str]) -> None:
        """No piece of a secret number, and of a commitment as many digits as prove it, or all."""
        if tells(text, secret):
            self.leaks.append(f"{where}: a secret number in {text!r}")
        for digits in HEX.findall(text):
            proofs = {*bound, *(number[:PROVING] for number in bound)}
            self.looked["commitments"] += digits in proofs
            if digits not in proofs and any(number.startswith(digits) for number in bound):
                self.leaks.append(f"{where}: a commitment cut short in {text!r}")

    def read_log(self, text: str) -> None:
        """Logs name no cards and no seeds at all, whether secret or not."""
        know = self.knowledge
        know.look()
        seeds = set(know.seeds.values()) | know.numbers()  # the chain's tip is one of these
        masks = {mask(know.game, hand) for now in know.rounds for hand in now.places.values()}
        masks |= know.masks(None)
        for line in text.splitlines():
            self.looked["log"] += 1
            if self.cards(line):
                self.leaks.append(f"log: cards in {line!r}")
            if numbers_in(line) & masks:
                self.leaks.append(f"log: a hand as a number in {line!r}")
            if tells(line, seeds):
                self.leaks.append(f"log: a secret number in {line!r}")

    def read_standing(self) -> None:
        """Every message that changed since the last look, with its files and their texts."""
        for number, viewer, message in self._world.standing():
            # An edit brings new lists; what it sends is read as a request too.
            content = (message["components"], message["attachments"])
            known = self._standing.get(number, (None, None))
            if known[0] is not content[0] or known[1] is not content[1]:
                self._standing[number] = content
                self.read("message", viewer, message)

    def _sent(self, sent: Sent) -> None:
        self.sent[sent.route] += 1
        self.read(sent.route, sent.viewer, sent.body)

    def _without_examples(self, text: str) -> str:
        for example in printed_examples(self.knowledge.game):
            text = text.replace(example, "")
        return text


def tells(text: str, secret: set[str]) -> bool:
    """Whether a text tells one of these numbers (in hex), or a good piece of it, anyhow."""
    lower = text.lower().replace("\\\\", "\\")
    return any(
        number[:PIECE] in lower
        or number[-PIECE:] in lower
        or str(int(number, 16)) in lower
        or repr(bytes.fromhex(number))[2:-1].lower() in lower
        for number in secret
    )
