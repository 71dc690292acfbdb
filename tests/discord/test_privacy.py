"""Nothing that anybody but its owner sees, or that is logged, names a card only its owner knows.

Whole matches are played while a watchman (`tests.discord.watch`) reads everything; people look
wherever they can and try what they may not.  The watchman itself is tested by planting leaks.
"""

from __future__ import annotations

import io
import json
import logging
import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias

import discord
import pytest
import structlog
from discord import ui
from sqlalchemy.exc import SQLAlchemyError

from bot.answer import panels as panels_module
from bot.answer import refusals
from bot.i18n import texts
from bot.ids import ChannelId, QuestionId, UserId
from bot.operate import logs
from bot.publish.requests import Requests
from bot.render import channel as channel_module
from bot.render.board import board_message
from bot.render.cards_form import combine_modal
from bot.render.channel import channel_message
from bot.render.coaching import why_not
from bot.render.custom_ids import Press, Verb
from bot.render.hand import hand_panel
from bot.render.message import Message
from bot.render.pages import log_page, more_page, shared_more
from bot.tables.model import Table, TableError
from bot.tables.phase import Closing
from bot.tables.stored import Status
from bot.views.building import hand_view
from bot.views.values import BetweenRoundsView
from cogs import play as play_module
from engine.deal import Chain, commitment
from engine.game import CHANCE, AnyGame, RuleError
from engine.layout import Choice, Phrase
from engine.registry import games
from tests.conformance.matches import Match, Ply, play, variants
from tests.discord.figures import type_it
from tests.discord.watch import Watchman, mask, strings, tells
from tests.discord.ways import Way, act_in_channel, act_in_dm, open_table, play_on
from tests.discord.world import NAMES, Player, SeededChance, World
from tests.discord.writing import printed_examples, writing
from tests.render import matches, samples
from tests.wire.store import SqliteStore

pytestmark = pytest.mark.deals(7)


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """All log lines of the program, as `LOG_LEVEL=DEBUG` writes them."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("DEBUG", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("bot", "cogs", "engine"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.reset_defaults()


def shown(table: Table | None) -> list[str]:
    """A table as an error or a debugger prints it.

    What everybody was told stays out from the second round on: it names cards dealt anew.
    """
    if table is None:
        return []
    if table.played is not None and table.round > 1:
        table = replace(table, played=replace(table.played, told=()))
    return [repr(table), str(table.stored)]


class Nosy:
    """People who look everywhere and try what they may not; errors of the tables are read too."""

    def __init__(self, world: World, watch: Watchman, rng: random.Random) -> None:
        self.world, self.watch, self.rng = world, watch, rng

    def read_errors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Reads every exception that a table answers an action with."""
        tables = self.world.running.tables
        original = tables.act

        async def act(*args: Any) -> Table:
            try:
                return await original(*args)
            except Exception as error:
                said = [str(error), repr(error), repr(error.args)]
                said += traceback.format_exception(error)
                if isinstance(error, RuleError):
                    said.append(repr(error.params))
                if isinstance(error, TableError):
                    said += [repr(error.params), *shown(error.table)]
                self.watch.read("exception", args[2], said)
                raise

        monkeypatch.setattr(tables, "act", act)

    async def look_around(self) -> None:
        """One of the many places, by somebody, and a forbidden card by everybody."""
        w = self.world
        everybody = list(w.players.values())
        for player in everybody:
            await self.try_a_card(player)
        player = self.rng.choice(everybody)
        board = w.board()
        for verb in (Verb.HAND, Verb.LOG):
            if board.presses(verb):
                await player.press_verb(board, verb)
        for verb in (Verb.LOG, Verb.TABLE):
            await player.press_more(verb)
        stranger = w.players["Eve"]
        for press, _ in board.presses(Verb.HAND, Verb.ACT):
            w.emit(stranger, board, press.encode())
            w.emit(stranger, board, Press(Verb.OPEN, press.table, QuestionId(1), "0").encode())
            w.emit(stranger, board, Press(Verb.COMBINE, press.table, QuestionId(1), "0").encode())
        await w.env.settle()
        await player.slash("hand")
        await stranger.slash("hand")
        await player.actor.autocomplete(w.channel, "play", "action", "play")
        await stranger.actor.autocomplete(w.channel, "play", "action", "")
        await stranger.actor.autocomplete(w.channel, "play", "table", "")
        await player.slash("leaderboard")
        await player.slash("stats")
        for curious in (player, stranger):
            await curious.slash("verify")
            await curious.slash("replay")

    async def try_a_card(self, player: Player) -> None:
        """A card that somebody else holds is refused as one is that lies elsewhere.

        Of cards of one kind, that is: of what suit a card is, and that it is a Banner, is printed
        on it, wherever it lies.
        """
        knowledge = self.watch.knowledge
        knowledge.look()
        secret, now = knowledge.hidden(player.id), knowledge.rounds[-1]
        asked = player.id in [user for user, _ in knowledge.people.values()]
        legal = await player.legal() if asked else []
        with_cards = [text.split() for text in legal if self.watch.cards(text)]
        verb, _, *others = self.rng.choice(with_cards or [["play", ""]])
        answers: dict[str, set[str]] = {}
        for place in now.now.values():
            found = sorted(secret & place)
            if found:
                card = self.rng.choice(found)
                self.watch.typed(player.id, card)
                said = await player.slash("play", action=" ".join([verb, card, *others]))
                kind = "" if "-" in card else card[0] + "B" * (card[1:] == BANNER)
                answers.setdefault(kind, set()).add(unnamed(said, knowledge.game, card))
                self.watch.read_standing()
                self.watch.typed(player.id, "")
        told = [each for each in answers.values() if len(each) > 1]
        assert not told, f"the answer tells where a card is: {told}"


BANNER: Final = "B"
"""How the code of a Banner of Kaiserspiel ends, after its suit."""


def unnamed(said: str, game: str, card: str) -> str:
    """An answer without the card that it is about."""
    english = texts("en")
    for name in (english.card_name(game, card), english.card(game, card), card):
        said = said.replace(name, "CARD")
    return said


NIGHT = pytest.mark.nightly

MATCHES: Final[Sequence[tuple[str, dict[str, Any], Way, int, bool]]] = (
    ("aufundab", {"length": 2}, act_in_channel, 3, False),
    ("aufundab", {"length": 1}, act_in_dm, 4, True),
    ("aufundab", {"length": 1}, type_it, 3, True),
    ("auffalscherfaehrte", {"length": 1}, act_in_dm, 4, True),
    ("auffalscherfaehrte", {"length": 2, "jokers": True}, act_in_channel, 3, False),
    ("kaiserspiel", {"length": 12}, act_in_dm, 4, True),
    ("kaiserspiel", {"length": 12}, type_it, 4, False),
    ("sticheln", {"length": 1}, act_in_channel, 3, False),
)
BY_DAY: Final = (3, 8)
"""Which of them are played before a change lands."""


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("game", "options", "way", "people", "dms", "seed"),
    [
        pytest.param(*case, seed, marks=[pytest.mark.deals(seed), *marks])
        for seed, case in enumerate(MATCHES, start=1)
        for marks in ([] if seed in BY_DAY else [NIGHT],)
    ],
)
async def test_a_whole_match_keeps_its_secrets(
    game: str,
    options: dict[str, Any],
    way: Way,
    people: int,
    dms: bool,
    seed: int,
    written: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    w: World,
    watch: Watchman,
) -> None:
    nosy = Nosy(w, watch, random.Random(seed))
    nosy.read_errors(monkeypatch)
    everybody = w.people(5)
    if not dms:
        for player in everybody:
            w.close_dms(player)
    await open_table(w, people, game, **options)
    rng, plies = random.Random(seed), 0
    while (await w.table()).stored.status is Status.RUNNING:
        plies += await play_on(w, way, rng, 1)
        watch.read_standing()
        table = await w.table()
        watch.read("repr", None, shown(table))
        if plies % 12 == 1 and table.actors:
            await nosy.look_around()
            watch.read_standing()
        assert not watch.leaks, "\n".join(watch.leaks[:5])
    await w.ann.slash("leaderboard", game=game)
    await w.ben.slash("table")
    await w.ben.slash("verify")
    watch.read_standing()
    watch.read_log(written.getvalue())
    assert not watch.leaks, "\n".join(watch.leaks[:5])
    assert (await w.table()).stored.status is Status.FINISHED
    for where in ("message", "exception", "repr", "with cards", "PATCH channels/*/messages/*"):
        assert watch.looked[where] > 20, f"{where}: only {watch.looked[where]} texts were read"
    assert watch.looked["POST interactions/*/*/callback"] > 500
    assert watch.looked["commitments"] > 10  # no board in play carries one
    assert (watch.sent["DELETE channels/*/messages/*"] > 0) == dms


# The watchman must see leaks: each of these is planted and has to be found.

Plant = Callable[[World, Watchman, pytest.MonkeyPatch], None]


def a_secret(watch: Watchman, viewer: int | None = None) -> str:
    """A card that the viewer may not know."""
    watch.knowledge.look()
    return min(watch.knowledge.hidden(viewer), default="")


def a_hand(watch: Watchman, seat: int = 0) -> set[str]:
    """The cards that whoever sits there has seen and the others have not."""
    know = watch.knowledge
    know.look()
    if not know.rounds:
        return set()
    user, _ = know.people[seat]
    return know.hidden(None) & know.rounds[-1].knew.get(user, set())


def a_board_of_the_first_seat(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = Table.observe
    patch.setattr(
        Table, "observe", lambda table, seat: original(table, 0 if seat is None else seat)
    )


def _in_the_log(patch: pytest.MonkeyPatch, told: Callable[[Table], dict[str, Any]]) -> None:
    original = hand_view

    def view(table: Table, *args: Any, **more: Any) -> Any:
        structlog.get_logger("cogs.play").debug("hand_shown", **told(table))
        return original(table, *args, **more)

    patch.setattr(panels_module, "hand_view", view)


def a_log_line(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    _in_the_log(patch, lambda _: {"hand": sorted(a_hand(watch))})


def a_state_in_the_log(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    _in_the_log(patch, lambda table: {"state": table._state})


def a_seed_in_the_log(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    _in_the_log(
        patch, lambda table: {"seed": bytes.fromhex(table.stored.shuffling.shuffles[0].seed)}
    )


def the_wrong_hand(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = hand_view
    others = [player.id for player in w.players.values()][:3]

    def view(table: Table, user: UserId, *args: Any, **more: Any) -> Any:
        wrong = others[(others.index(user) + 1) % 3] if user in others else user
        return original(table, wrong, *args, **more)

    patch.setattr(panels_module, "hand_view", view)


def a_panel_to_the_wrong_person(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = Requests.dm
    others = [player.id for player in w.players.values()][:3]

    async def dm(self: Requests, user: UserId) -> ChannelId:
        return await original(self, others[(others.index(user) + 1) % 3])

    patch.setattr(Requests, "dm", dm)


def a_picture(watch: Watchman) -> ui.Item[Any]:
    """With an alternative text."""
    told = a_secret(watch)
    picture = discord.MediaGalleryItem("https://example.org/hand.png", description=told)
    return ui.MediaGallery(picture)


def a_custom_id(watch: Watchman) -> ui.Item[Any]:
    press = Press(Verb.NONE, argument=f"play {a_secret(watch)}")
    return ui.ActionRow(ui.Button(label="?", custom_id=press.encode()))


def an_option_of_a_select(watch: Watchman) -> ui.Item[Any]:
    option = discord.SelectOption(label="?", value="1", description=f"{a_secret(watch)}²")
    return ui.ActionRow(ui.Select(custom_id="st:none:::", options=[option]))


def a_hand_as_a_number(watch: Watchman) -> ui.Item[Any]:
    return ui.TextDisplay(f"`{mask(watch.knowledge.game, a_hand(watch, 1))}`")


def a_seed(watch: Watchman) -> ui.Item[Any]:
    return ui.TextDisplay(f"`{_seed(watch, 1).upper()}`")


def the_coming_seed(watch: Watchman) -> ui.Item[Any]:
    return ui.TextDisplay(f"seed {_seed(watch, 2)[:20]}…")


def the_tip_of_the_chain(watch: Watchman) -> ui.Item[Any]:
    return ui.TextDisplay(str(watch.knowledge.tip))


def a_commitment_cut_short(watch: Watchman) -> ui.Item[Any]:
    bound = commitment(bytes.fromhex(_seed(watch, 1)))
    return ui.TextDisplay(f"deal proof {bound[:16]}…")


def _seed(watch: Watchman, number: int) -> str:
    return watch.knowledge.seeds[number]


def on_the_board(part: Callable[[Watchman], ui.Item[Any]]) -> Plant:
    """Something more on the board, once there is something secret."""

    def plant(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
        original = board_message

        def board(*args: Any, **more: Any) -> Message:
            message = original(*args, **more)
            if not a_secret(watch):
                return message
            more_parts = (*message.components, part(watch).to_component_dict())
            return replace(message, components=more_parts)

        patch.setattr(channel_module, "board_message", board)

    plant.__name__ = part.__name__
    return plant


def a_suggestion(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = play_module.Words.of

    def of(self: Any, text: str) -> str:
        return f"{' '.join(sorted(watch.knowledge.hidden(None)))} {original(self, text)}"

    patch.setattr(play_module.Words, "of", of)


def a_refusal(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = refusals.table_refusal
    eve = w.eve.id
    patch.setattr(
        refusals, "table_refusal", lambda *args: f"{original(*args)} {a_secret(watch, eve)}"
    )


async def everybody_looks(w: World, watch: Watchman) -> None:
    """What a leak needs to be seen: everybody's hand, suggestions, a refusal, two plies."""
    seated = (await w.table()).stored.seating.people
    for player in [w.players[person.name] for person in seated]:
        await player.hand()
        await player.actor.autocomplete(w.channel, "play", "action", "")
    await w.eve.slash("play", action="pass")
    await play_on(w, type_it, random.Random(1), 2)
    watch.read_standing()


ONE_OF_A_KIND: list[Plant] = [
    a_board_of_the_first_seat,
    a_log_line,
    a_panel_to_the_wrong_person,
    on_the_board(a_custom_id),
    a_suggestion,
    on_the_board(the_coming_seed),
]
"""Those that are planted before a change lands."""

OTHERS: list[Plant] = [
    a_state_in_the_log,
    a_seed_in_the_log,
    the_wrong_hand,
    a_refusal,
    *map(
        on_the_board,
        (
            a_picture,
            an_option_of_a_select,
            a_hand_as_a_number,
            a_seed,
            the_tip_of_the_chain,
            a_commitment_cut_short,
        ),
    ),
]
EVERYWHERE: list[Plant] = [
    a_board_of_the_first_seat,
    a_log_line,
    on_the_board(a_custom_id),
    a_suggestion,
]
"""Those that are planted in the other games too: there cards are written in other ways."""

PLANTED = [
    pytest.param(plant, "aufundab", 3, id=plant.__name__, marks=marks)
    for plants, marks in ((ONE_OF_A_KIND, []), (OTHERS, [NIGHT]))
    for plant in plants
] + [
    pytest.param(plant, game, seats, id=f"{plant.__name__}-{game}", marks=NIGHT)
    for game, seats in (("auffalscherfaehrte", 3), ("kaiserspiel", 4), ("sticheln", 3))
    for plant in EVERYWHERE
]


@pytest.mark.every_case
@pytest.mark.parametrize(("plant", "game", "seats"), PLANTED)
async def test_a_planted_leak_is_found(
    plant: Plant,
    game: str,
    seats: int,
    written: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    w: World,
    watch: Watchman,
) -> None:
    await open_table(w, seats, game, length=150 if game == "kaiserspiel" else 1)
    while not a_hand(watch):  # Kaiserspiel begins with open cards
        await play_on(w, type_it, random.Random(2), 1)
    await everybody_looks(w, watch)
    watch.read_log(written.getvalue())
    assert not watch.leaks
    plant(w, watch, monkeypatch)
    await everybody_looks(w, watch)
    watch.read_log(written.getvalue())
    assert watch.leaks
    monkeypatch.undo()


@pytest.mark.parametrize("game", sorted(games()))
async def test_the_watchman_counts_as_secret_what_the_deal_says(
    game: str, w: World, watch: Watchman
) -> None:
    """Read from the stored deal by hand, without asking the game."""
    know = watch.knowledge
    seats = games()[game].info.seats[0]
    # Long enough for Kaiserspiel's first question: what is not needed is not offered.
    await open_table(w, seats, game, length=12)
    table = await w.table()
    know.look()
    deal = json.loads(table.log[0].text)["deal"]
    people = [person.id for person in table.stored.seating.people]
    if game == "kaiserspiel":  # two cards lie open at the first pause, and the cut card
        secret = set(deal["pack"]) - {deal["pack"][0], deal["pack"][1], deal["pack"][-1]}
        assert all(know.hidden(viewer) == secret for viewer in (None, *people))
        return
    public = set(deal["aside"]) if game == "auffalscherfaehrte" else set()
    everything = {card for hand in deal["hands"] for card in hand} | set(deal["aside"])
    assert know.hidden(None) == everything - public
    for user, hand in zip(people, deal["hands"], strict=True):
        assert know.hidden(user) == everything - public - set(hand)
    text = next(table.legal_texts(table.actors[0]))
    await w.players[table.stored.seating.people[table.actors[0]].name].slash("play", action=text)
    know.look()
    named = set(watch.cards(text))
    assert named
    assert named <= know.hidden(None) or game == "aufundab"
    assert not named & know.hidden(people[table.actors[0]])


async def test_a_picture_with_a_secret_name_is_found(w: World, watch: Watchman) -> None:
    await open_table(w, 3, length=1)
    watch.read_standing()
    assert not watch.leaks
    for name, description in ((a_secret(watch), None), ("hand", a_secret(watch))):
        picture = discord.File(io.BytesIO(b"."), f"{name}.png", description=description)
        await w.bot.get_partial_messageable(w.channel.id).send(file=picture)
        watch.read_standing()
        assert watch.leaks, (name, description)
        watch.leaks.clear()


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("game", "text", "named"),
    [
        ("aufundab", "6-6² 3-6▲▼", ["6-6", "3-6"]),
        ("aufundab", "**4-4×2** `play 4-4x2`", ["4-4", "4-4"]),
        ("aufundab", "st:act:T7Q2:12:play 0-9", ["0-9"]),
        ("aufundab", "2–5 and 1\u20118", ["2-5", "1-8"]),
        ("aufundab", "2026-01-01T12:00:00 T-34 <t:17:R> 10-2 3–4 players", []),
        ("sticheln", "st:act:T7Q2:12:play R5", ["R5"]),
        ("sticheln", "choose S14, (P0)", ["S14", "P0"]),
        ("sticheln", "Ann ❤️5 · **Ben ⭐11** · Cat …", ["R5", "Y11"]),
        ("sticheln", "❤️ **R** │ 3 8 11\n🪨 │ **0**", ["R3", "R8", "R11", "S0"]),
        ("sticheln", "your red 5 and Grey 12", ["R5", "S12"]),
        ("sticheln", "R15 AR5 R5x T7Q2 Y-1 0xB4 <t:17:R> trump ❤️ red · 3 cards", []),
        ("auffalscherfaehrte", "play J", ["J"]),
        ("auffalscherfaehrte", "🃏 ⭐12", ["Y12", "J"]),
        ("kaiserspiel", "AK, `play RO down`, B2", ["AK", "RO", "B2"]),
        ("kaiserspiel", "🌰K 🔔7 SOS", ["AK", "B7"]),
        ("kaiserspiel", "🌹 **R** │ B♛ 7 · King of acorns", ["RB", "R7", "AK"]),
    ],
)
def test_cards_are_read_however_they_are_written(game: str, text: str, named: list[str]) -> None:
    assert sorted(writing(game).cards(text)) == sorted(named)


@contextmanager
def full(w: World, table: str, doing: str = "INSERT") -> Iterator[None]:
    """No line can be stored in that table, or changed."""
    store = SqliteStore(str(w.file))
    refused = f"BEFORE {doing} ON {table} BEGIN SELECT RAISE(ABORT, 'full'); END"
    store.change([(f"CREATE TRIGGER full {refused}", ())])
    yield
    store.change([("DROP TRIGGER full", ())])


async def test_storage_that_fails_tells_no_cards(
    written: io.StringIO, w: World, watch: Watchman
) -> None:
    """Neither the deal nor a play that could not be written stands in the error or the log."""
    await open_table(w, 3, length=1)
    table = await w.table()
    (player,) = await w.actors()
    text = next(table.legal_texts(table.actors[0]))
    assert watch.cards(text)
    with full(w, "entries"):
        with pytest.raises(SQLAlchemyError) as failed:
            await w.running.tables.act(table.id, None, player.id, text, None)
        said = "".join(traceback.format_exception(failed.value))
        assert not watch.cards(f"{said} {failed.value!r} {failed.value.args}")
        await player.slash("play", action=text)
        await w.ann.slash("endgame")
    watch.read_log(written.getvalue())
    assert "interaction_failed" in written.getvalue()
    assert not watch.leaks, "\n".join(watch.leaks[:5])
    await player.slash("play", action=text)
    assert (await w.table()).ply > table.ply


async def test_a_deal_that_cannot_be_stored_is_not_logged(
    written: io.StringIO, w: World, watch: Watchman
) -> None:
    with full(w, "entries"):
        await open_table(w, 3, length=1)
        assert isinstance((await w.table()).phase, Closing)
    watch.read_log(written.getvalue())
    assert "IntegrityError" in written.getvalue()
    assert not watch.leaks, "\n".join(watch.leaks[:5])
    await w.env.advance_time(30)
    assert (await w.table()).actors


async def test_a_seed_that_cannot_be_stored_is_not_logged(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    drawn: set[str] = set()
    original = SeededChance.seed

    def seed(self: SeededChance) -> bytes:
        made = original(self)
        drawn.update(value.hex() for value in (made, *map(Chain(made).seed, (1, 2))))
        return made

    monkeypatch.setattr(SeededChance, "seed", seed)
    with full(w, "tables"):
        assert "went wrong on my side" in await w.ann.slash("newgame", game="sticheln", length=1)
    await w.ann.slash("newgame", game="sticheln", length=1)
    for player in (w.ben, w.cat):
        await player.slash("join")
    with full(w, "tables", "UPDATE"):
        await w.ann.slash("start")
        assert (await w.table()).stored.status is Status.LOBBY
        with pytest.raises(SQLAlchemyError) as failed:
            await w.running.tables.start((await w.table()).id, w.ann.id)
    said = "".join(traceback.format_exception(failed.value))
    assert "IntegrityError" in written.getvalue()
    assert len(drawn) > 2
    assert not tells(f"{said} {failed.value!r} {written.getvalue()}", drawn)


async def test_values_that_travel_show_no_cards(w: World, watch: Watchman) -> None:
    """A table in an error, a task's name or a debugger's line keeps its hands to itself."""
    await open_table(w, 3, length=1)
    table = await w.table()
    error = TableError("stale", table)
    travelling = (table, table.stored, error, error.args)
    watch.read("repr", None, [f"{each!r} {each!s}" for each in travelling])
    assert not watch.leaks, "\n".join(watch.leaks[:5])
    watch.read("repr", None, repr([*table.log]))
    assert watch.leaks, "the watchman would not have noticed"


Drawn: TypeAlias = tuple[int | None, Any]
"""Who sees it (None: everybody), and what Discord is sent."""


class Seen:
    """What the channel and every seat may know of the round of a random match."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._game = game
        self.seats: dict[int | None, set[str]] = {seat: set() for seat in (None, *range(seats))}
        self.told: list[Phrase] = []

    def look(self, ply: Ply) -> None:
        """One more ply; a deal begins anew."""
        happened = self._game.events(ply.before, ply.seat, ply.action, ply.after)
        if ply.seat == CHANCE:
            self.told = []
            self.seats = {seat: set() for seat in self.seats}
        self.told += [event.phrase for event in happened if event.audience is None]
        for card in self._game.cards(ply.after):
            for seat in self.seats if card.public else card.known_to:
                self.seats[seat].add(card.card)


def drawn(game: AnyGame, match: Match, at: int, told: Sequence[Phrase]) -> Iterator[Drawn]:
    """Everything that is drawn of a position: who sees it, and the message or form."""
    english, state = texts("en"), match.plies[at].after
    table = matches.Table(game, match.seats, match.options)
    board = matches.board(table, samples.Position(state, tuple(told)))
    head, layout, nothing = board.head, board.layout, (0,) * match.seats
    pause = BetweenRoundsView(QuestionId(1), 1, nothing, nothing, frozenset(), samples.NOW)
    yield None, channel_message(board, english).components
    yield None, channel_message(replace(board, pause=pause), english).components
    yield None, more_page(head, layout.more, english, seated=True, ends=True).components
    if layout.more:
        yield None, shared_more(head, layout.more, NAMES[0], english).components
    for page in range(len(told) // 15 + 1):
        yield None, log_page(head, told, page, english, over=False).components
    for seat in range(match.seats):
        view = matches.hand(table, state, seat)
        yield seat, hand_panel(replace(view, coached=True), english).components
        yield seat, hand_panel(replace(view, pause=pause), english).components
        if (why := why_not(view, english)) is not None:
            yield seat, hand_panel(replace(view, aid=why), english).components
        for control in view.layout.controls:
            if isinstance(control, Choice) and view.question is not None:
                yield seat, hand_panel(replace(view, opened=control.key), english).components
                if control.combine is not None and not control.menu:
                    yield seat, combine_modal(view, control.key, english).to_dict()


@pytest.mark.every_case
@pytest.mark.parametrize("game", sorted(games()))
def test_rendered_messages_of_random_matches_keep_secrets(game: str) -> None:
    """Some positions of each match, as the channel and every seat read them."""
    rules, rng, read = games()[game], random.Random(11), writing(game)
    positions = seed = looked = 0
    kinds = [(n, given) for n in rules.info.seats for given in (variants(rules)[0], {})]
    while positions < 150:
        seats, given = kinds[seed % len(kinds)]
        match = play(rules, seats, given, seed)
        seed += 1
        sampled = {0, len(match.plies) - 1, *rng.choices(range(len(match.plies)), k=8)}
        positions += len(sampled)
        seen = Seen(rules, seats)
        for at, ply in enumerate(match.plies):
            seen.look(ply)
            if at not in sampled:
                continue
            for viewer, message in drawn(rules, match, at, seen.told):
                for text in strings(message):
                    named = set(read.cards(text))
                    looked += len(named)
                    if named <= seen.seats[viewer]:
                        continue
                    for example in printed_examples(game):
                        text = text.replace(example, "")
                    secret = set(read.cards(text)) - seen.seats[viewer]
                    assert not secret, f"match {seed}, ply {at}: {secret} in {text!r}"
    assert looked > 3_000
