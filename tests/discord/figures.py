"""How many REST calls a ply costs: whole matches, counted from the first deal to the result.

The test asserts these figures and `python -m tests.bench.calls` prints them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.render.custom_ids import Press, Verb
from bot.tables.ports import Thought
from bot.tables.stored import Actor, Status
from engine.registry import games
from tests.discord.ways import Way, act_in_dm, play_on, press_something
from tests.discord.world import Player, Shown, walk, world


@dataclass(frozen=True)
class Figure:
    """What a match cost."""

    plies: int
    calls: int
    routes: Counter[str]
    settled: Counter[str]
    """Calls among them that only put an end to what hands asked, by the metrics' kind."""
    own: int
    """Plies that people made: the table passes where nothing can beat a set."""

    def __add__(self, other: Figure) -> Figure:
        return Figure(
            self.plies + other.plies,
            self.calls + other.calls,
            self.routes + other.routes,
            self.settled + other.settled,
            self.own + other.own,
        )

    @property
    def per_ply(self) -> float:
        """Calls that a ply costs, but for those that settle."""
        return (self.calls - self.settled.total()) / self.plies

    @property
    def settling(self) -> float:
        """Calls a ply that settle."""
        return self.settled.total() / self.plies

    def __str__(self) -> str:
        lines = (f"  {count:5} {route}" for route, count in self.routes.most_common())
        head = f"{self.per_ply:.2f} calls a ply ({self.calls} for {self.plies} plies)"
        settled = f"and {self.settling:.2f} that settle {dict(self.settled)}:"
        return "\n".join([f"{head}, {settled}", *lines])


async def press_my_hand(player: Player, rng: random.Random) -> None:
    """*Pass* stands on the board and is pressed there; sets are pressed on *My hand*.

    Somebody who can beat looks at the hand first, even if they pass then.
    """
    if not await player.can_only_pass():
        panel = await player.hand()
        offered = panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)
        passing = [press for press, _ in offered if press.argument == "pass"]
        if not passing or rng.randrange(len(offered)):
            await press_something(player, _without(panel, passing), rng)
            return
    await player.press_verb(player.world.board(), Verb.ACT)


async def press_what_is_alive(player: Player, rng: random.Random) -> None:
    """The same by somebody who plays from the hand that came alive, as long as there is one."""
    panel = player.whispered and player.world.refreshed(player.whispered)
    if panel is None or not await player.is_asked_by(panel):
        await press_my_hand(player, rng)
        return
    offered = panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)
    passing = [press for press, _ in offered if press.argument == "pass"]
    unwanted = passing if len(offered) > len(passing) else []
    await press_something(player, _without(panel, unwanted), rng)


def _without(panel: Shown, presses: Sequence[Press]) -> Shown:
    """The panel as somebody reads it who does not want to press these."""
    unwanted = {press.encode() for press in presses}
    wanted = [c for c in walk(panel.components) if c.get("custom_id") not in unwanted]
    flat = [{key: value for key, value in c.items() if key != "components"} for c in wanted]
    return Shown(panel.channel, panel.id, flat)


async def type_it(player: Player, rng: random.Random) -> None:
    """`/play` with an action written out."""
    table = await player.world.table()
    seat = table.stored.seating.place_of(player.id)
    assert seat is not None
    await player.slash("play", action=rng.choice(list(table.legal_texts(seat))))


@dataclass(frozen=True)
class Kind:
    """A way to play a game, whether DMs are open, and what a ply may cost."""

    name: str
    way: Way
    dms: bool
    bound: float
    settling: float
    """What a ply may cost beside that: hands drawn anew or taken away since they are over."""
    game: str = "aufundab"


KINDS = (
    # The answer, the board, and the hand of whoever is asked next.
    Kind("channel", press_my_hand, False, 3.1, 1.2),
    Kind("alive", press_what_is_alive, False, 3.1, 0.1),
    Kind("typed", type_it, False, 3.1, 1.1),
    Kind("dm", act_in_dm, True, 4.2, 0.1),
)

TRICKS = (
    # The hand coming alive, one opened anew, the card, the board.
    Kind("trick_channel", press_my_hand, False, 4.05, 1.1, "sticheln"),
    Kind("trick_alive", press_what_is_alive, False, 3.1, 0.1, "sticheln"),
    Kind("trick_typed", type_it, False, 3.1, 1.1, "auffalscherfaehrte"),
    # The card, the board, the next hand and the end of the one before.
    Kind("trick_dm", act_in_dm, True, 4.2, 0.1, "auffalscherfaehrte"),
)
"""The same in games where every ply is a card."""


def plain(thought: Thought) -> str:
    """What a computer player does that looks at nothing but what is legal."""
    game = games()[thought.game]
    legal = [game.format_action(action) for action in thought.view.legal_actions]
    return random.Random(thought.seed).choice(legal)


async def measure(
    kind: Kind,
    people: int,
    seed: int,
    folder: Path,
    length: int = 1,
    pace: str = "none",
    computers: int = 0,
) -> Figure:
    """Plays one match; calls before its first deal (opening, sitting down) are not counted.

    Without a clock nobody is called in the channel: what that costs is counted apart.  Plies are
    those of people.
    """
    async with world(folder, people, seed) as w:
        if not kind.dms:
            for player in w.players.values():
                w.close_dms(player)
        w.computers.say = plain
        wish: dict[str, Any] = {"computers": f"{computers} normal"} if computers else {}
        wish |= {"game": kind.game, "seats": people + computers, "length": length, "pace": pace}
        await w.ann.slash("newgame", **wish)
        for player in list(w.players.values())[1:]:
            await player.press_verb(w.board(), Verb.JOIN)
        before, settled = w.calls(), w.settled()
        await w.ann.slash("start")
        await w.env.advance_time(6)
        await play_on(w, kind.way, random.Random(seed))
        table = await w.table()
        assert table.stored.status is Status.FINISHED
        plies = sum(not one.is_deal and one.by is not Actor.COMPUTER for one in table.log)
        own = sum(not one.is_deal and one.by is Actor.PERSON for one in table.log)
        return Figure(plies, w.calls() - before, w.routes(before), w.settled() - settled, own)
