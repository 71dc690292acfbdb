"""Nothing that anybody but its owner sees, or that is logged, names a card only its owner knows.

Whole matches are played while a watchman (`tests.discord.watch`) reads everything; people look
wherever they can and try what they may not.  The watchman itself is tested by planting leaks.
"""

from __future__ import annotations

import io
import logging
import random
import sqlite3
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
import structlog
from discord import ui
from sqlalchemy.exc import SQLAlchemyError

from bot import logs
from bot.i18n import texts
from bot.present import channel as channel_module
from bot.present.channel import channel_message
from bot.present.hand import combine_modal, hand_panel
from bot.present.ids import Press, Verb
from bot.present.kit import Message, button
from bot.present.pages import log_page
from bot.present.publisher import Publisher
from bot.present.views import Pause
from bot.tables.model import ByPerson, Status, Table, TableError
from cogs import play as play_module
from cogs._replies import table_refusal
from cogs._views import hand_view
from engine.game import RuleError
from engine.layout import Choice, Phrase
from tests.conformance.matches import play
from tests.discord.figures import type_it
from tests.discord.watch import Round, Watchman, cards, mask, strings
from tests.discord.ways import Way, act_in_channel, act_in_dm, open_table, play_on
from tests.discord.world import Player, World, seeded_world
from tests.present import samples


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
    told = table.told if table.round == 1 else ()
    return [repr(replace(table, told=told)), str(table.record)]


class Nosy:
    """People who look everywhere and try what they may not; errors of the tables are read too."""

    def __init__(self, world: World, watch: Watchman, rng: random.Random) -> None:
        self.world, self.watch, self.rng = world, watch, rng

    def read_errors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Reads every exception that a table answers an action with."""
        tables = self.world.bot.tables
        assert tables is not None
        original = tables.act

        async def act(*args: Any) -> Table:
            try:
                return await original(*args)
            except Exception as error:
                by: ByPerson = args[2]
                said = [str(error), repr(error), repr(error.args)]
                said += traceback.format_exception(error)
                if isinstance(error, RuleError):
                    said.append(repr(error.params))
                if isinstance(error, TableError):
                    said += [repr(error.params), *shown(error.table)]
                self.watch.read("exception", by.user, said)
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
            await player.press_verb(board, Verb.MORE)
            assert player.panel is not None
            await player.press_verb(player.panel, verb)
        stranger = w.players["Eve"]
        for press, _ in board.presses(Verb.HAND, Verb.ACT):
            w.emit(stranger, board, press.encode())
            w.emit(stranger, board, Press(Verb.OPEN, press.table, 1, "0").encode())
            w.emit(stranger, board, Press(Verb.COMBINE, press.table, 1, "0").encode())
        await w.env.settle()
        await player.slash("hand")
        await stranger.slash("hand")
        await player.actor.autocomplete(w.channel, "play", "action", "play")
        await stranger.actor.autocomplete(w.channel, "play", "action", "")
        await stranger.actor.autocomplete(w.channel, "play", "table", "")
        await player.slash("leaderboard")
        await player.slash("stats")

    async def try_a_card(self, player: Player) -> None:
        """A card that somebody else holds is refused as one that lies aside is."""
        knowledge = self.watch.knowledge
        knowledge.look()
        secret = sorted(knowledge.hidden(player.id))
        now = knowledge.rounds[-1]
        answers = set()
        places = [*(hand for hand in now.hands), now.aside]
        for place in places:
            found = [card for card in secret if card in place]
            if found:
                card = self.rng.choice(found)
                self.watch.typed(player.id, card)
                said = await player.slash("play", action=f"play {card}")
                answers.add(said.replace(card, "CARD"))
                self.watch.read_standing()
                self.watch.typed(player.id, "")
        assert len(answers) <= 1, f"the answer tells where a card is: {answers}"


@pytest.mark.parametrize(
    ("way", "people", "dms", "rounds", "seed"),
    [
        pytest.param(act_in_channel, 3, False, 2, 1, id="channel"),
        pytest.param(act_in_dm, 4, True, 1, 2, id="dm"),
        pytest.param(type_it, 3, True, 1, 3, id="play"),
    ],
)
async def test_a_whole_match_keeps_its_secrets(
    way: Way,
    people: int,
    dms: bool,
    rounds: int,
    seed: int,
    tmp_path: Path,
    written: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with seeded_world(tmp_path, 5, seed) as w:
        watch = Watchman(w)
        nosy = Nosy(w, watch, random.Random(seed))
        nosy.read_errors(monkeypatch)
        if not dms:
            for player in w.players.values():
                w.close_dms(player)
        await open_table(w, people, length=rounds)
        rng, plies = random.Random(seed), 0
        while (await w.table()).record.status is Status.RUNNING:
            plies += await play_on(w, way, rng, 1)
            watch.read_standing()
            table = await w.table()
            watch.read("repr", None, shown(table))
            if plies % 9 == 1 and table.actors:
                await nosy.look_around()
                watch.read_standing()
            assert not watch.leaks, "\n".join(watch.leaks[:5])
        await w.ann.slash("leaderboard", game="aufundab")
        await w.ben.slash("table")
        watch.read_standing()
        watch.read_log(written.getvalue())
        assert not watch.leaks, "\n".join(watch.leaks[:5])
        assert (await w.table()).record.status is Status.FINISHED
        for where in ("message", "exception", "repr", "with cards", "PATCH channels/*/messages/*"):
            assert watch.looked[where] > 50, f"{where}: only {watch.looked[where]} texts were read"
        assert watch.looked["POST interactions/*/*/callback"] > 500
        assert (watch.sent["DELETE channels/*/messages/*"] > 0) == dms
        watch.knowledge.close()


# The watchman must see leaks: each of these is planted and has to be found.

Plant = Callable[[World, Watchman, pytest.MonkeyPatch], None]


def a_secret(watch: Watchman, viewer: int | None = None) -> str:
    """A card that the viewer may not know."""
    watch.knowledge.look()
    return min(watch.knowledge.hidden(viewer), default="")


def a_board_of_the_first_seat(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = Table.observe
    patch.setattr(
        Table, "observe", lambda table, seat: original(table, 0 if seat is None else seat)
    )


def a_log_line(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = hand_view

    def view(table: Table, *args: Any, **more: Any) -> Any:
        hand = sorted(watch.knowledge.rounds[-1].hands[0]) if watch.knowledge.rounds else []
        structlog.get_logger("cogs.play").debug("hand_shown", hand=hand)
        return original(table, *args, **more)

    patch.setattr(play_module, "hand_view", view)


def a_state_in_the_log(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = hand_view

    def view(table: Table, *args: Any, **more: Any) -> Any:
        structlog.get_logger("cogs.play").debug("hand_shown", state=table._state)
        return original(table, *args, **more)

    patch.setattr(play_module, "hand_view", view)


def the_wrong_hand(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = hand_view
    others = [player.id for player in w.players.values()][:3]

    def view(table: Table, user: int, *args: Any, **more: Any) -> Any:
        wrong = others[(others.index(user) + 1) % 3] if user in others else user
        return original(table, wrong, *args, **more)

    patch.setattr(play_module, "hand_view", view)


def a_panel_to_the_wrong_person(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = Publisher._send_panel
    others = [player.id for player in w.players.values()][:3]

    async def send(self: Publisher, table: str, user: int, panel: Message, mark: int) -> None:
        await original(self, table, others[(others.index(user) + 1) % 3], panel, mark)

    patch.setattr(Publisher, "_send_panel", send)


def _on_the_board(
    patch: pytest.MonkeyPatch, watch: Watchman, add: Callable[[Message, str], None]
) -> None:
    original = channel_module._board

    def board(*args: Any) -> Message:
        message = original(*args)
        if secret := a_secret(watch):
            add(message, secret)
        return message

    patch.setattr(channel_module, "_board", board)


def an_alternative_text(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    def add(message: Message, secret: str) -> None:
        picture = discord.MediaGalleryItem("https://example.org/hand.png", description=secret)
        message.add_item(ui.MediaGallery(picture))

    _on_the_board(patch, watch, add)


def a_custom_id(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    def add(message: Message, secret: str) -> None:
        message.add_item(ui.ActionRow(button("?", Press(Verb.NONE, argument=f"play {secret}x2"))))

    _on_the_board(patch, watch, add)


def an_option_of_a_select(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    def add(message: Message, secret: str) -> None:
        option = discord.SelectOption(label="?", value="1", description=f"{secret}²")
        message.add_item(ui.ActionRow(ui.Select(custom_id="st:none:::", options=[option])))

    _on_the_board(patch, watch, add)


def a_hand_as_a_number(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    def add(message: Message, secret: str) -> None:
        hand = mask(set(watch.knowledge.rounds[-1].hands[1]))
        message.add_item(ui.TextDisplay(f"`{hand}`"))

    _on_the_board(patch, watch, add)


def a_suggestion(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    def label(text: str) -> str:
        return f"{text} {min(watch.knowledge.rounds[-1].aside)}⇅"

    patch.setattr(play_module, "action_label", label)


def a_refusal(w: World, watch: Watchman, patch: pytest.MonkeyPatch) -> None:
    original = table_refusal
    eve = w.eve.id
    patch.setattr(
        play_module, "table_refusal", lambda *args: f"{original(*args)} {a_secret(watch, eve)}"
    )


async def everybody_looks(w: World, watch: Watchman) -> None:
    """What a leak needs to be seen: everybody's hand, suggestions, a refusal, two plies."""
    for player in list(w.players.values())[:3]:
        await player.hand()
        await player.actor.autocomplete(w.channel, "play", "action", "")
    await w.eve.slash("play", action="pass")
    await play_on(w, type_it, random.Random(1), 2)
    watch.read_standing()


PLANTS: list[Plant] = [
    a_board_of_the_first_seat,
    a_log_line,
    a_state_in_the_log,
    the_wrong_hand,
    a_panel_to_the_wrong_person,
    an_alternative_text,
    a_custom_id,
    an_option_of_a_select,
    a_hand_as_a_number,
    a_suggestion,
    a_refusal,
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
async def test_a_planted_leak_is_found(
    plant: Plant, tmp_path: Path, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seeded_world(tmp_path, 5, 7) as w:
        watch = Watchman(w)
        await open_table(w, 3, length=1)
        await everybody_looks(w, watch)
        watch.read_log(written.getvalue())
        assert not watch.leaks
        plant(w, watch, monkeypatch)
        await everybody_looks(w, watch)
        watch.read_log(written.getvalue())
        assert watch.leaks
        monkeypatch.undo()
        watch.knowledge.close()


async def test_a_picture_with_a_secret_name_is_found(tmp_path: Path) -> None:
    async with seeded_world(tmp_path, 3, 7) as w:
        watch = Watchman(w)
        await open_table(w, 3, length=1)
        watch.read_standing()
        assert not watch.leaks
        for name, description in ((a_secret(watch), None), ("hand", a_secret(watch))):
            picture = discord.File(io.BytesIO(b"."), f"{name}.png", description=description)
            await w.bot.get_partial_messageable(w.channel.id).send(file=picture)
            watch.read_standing()
            assert watch.leaks, (name, description)
            watch.leaks.clear()
        watch.knowledge.close()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("6-6² 3-6⇅", ["6-6", "3-6"]),
        ("**4-4×2** `play 4-4x2`", ["4-4", "4-4"]),
        ("st:act:T7Q2:12:play 0-9", ["0-9"]),
        ("2–5 and 1\u20118", ["2-5", "1-8"]),
        ("2026-01-01T12:00:00 T-34 <t:17:R> 10-2", []),
    ],
)
def test_cards_are_read_however_they_are_written(text: str, named: list[str]) -> None:
    assert cards(text) == named


async def test_storage_that_fails_tells_no_cards(tmp_path: Path, written: io.StringIO) -> None:
    """Neither the deal nor a play that could not be written stands in the error or the log."""
    async with seeded_world(tmp_path, 3, 8) as w:
        watch = Watchman(w)
        store = sqlite3.connect(tmp_path / "test.sqlite3")
        await open_table(w, 3, length=1)
        store.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        table = await w.table()
        (player,) = await w.actors()
        text = next(table.legal_texts(table.actors[0]))
        assert cards(text)
        tables = w.bot.tables
        assert tables is not None
        with pytest.raises(SQLAlchemyError) as failed:
            await tables.act(table.id, None, ByPerson(player.id), text, None)
        said = "".join(traceback.format_exception(failed.value))
        assert not cards(f"{said} {failed.value!r} {failed.value.args}")
        await player.slash("play", action=text)
        await w.ann.slash("endgame")
        watch.read_log(written.getvalue())
        assert "interaction_failed" in written.getvalue()
        assert not watch.leaks, "\n".join(watch.leaks[:5])
        store.execute("DROP TRIGGER full")
        await player.slash("play", action=text)
        assert (await w.table()).ply > table.ply
        store.close()
        watch.knowledge.close()


async def test_a_deal_that_cannot_be_stored_is_not_logged(
    tmp_path: Path, written: io.StringIO
) -> None:
    async with seeded_world(tmp_path, 3, 9) as w:
        watch = Watchman(w)
        store = sqlite3.connect(tmp_path / "test.sqlite3")
        store.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        await open_table(w, 3, length=1)
        assert (await w.table()).record.status is Status.LOBBY
        watch.read_log(written.getvalue())
        assert "IntegrityError" in written.getvalue()
        assert not watch.leaks, "\n".join(watch.leaks[:5])
        store.execute("DROP TRIGGER full")
        await w.ann.slash("start")
        assert (await w.table()).record.status is Status.RUNNING
        store.close()
        watch.knowledge.close()


async def test_values_that_travel_show_no_cards(tmp_path: Path) -> None:
    """A table in an error, a task's name or a debugger's line keeps its hands to itself."""
    async with seeded_world(tmp_path, 3, 10) as w:
        watch = Watchman(w)
        await open_table(w, 3, length=1)
        table = await w.table()
        error = TableError("stale", table)
        travelling = (table, table.record, error, error.args)
        watch.read("repr", None, [f"{each!r} {each!s}" for each in travelling])
        assert not watch.leaks, "\n".join(watch.leaks[:5])
        watch.read("repr", None, repr(table.log))
        assert watch.leaks, "the watchman would not have noticed"
        watch.knowledge.close()


def test_rendered_messages_of_random_matches_keep_secrets() -> None:
    """Ten thousand plies; some positions of each match as the channel and every seat read them."""
    english, rng = texts("en"), random.Random(11)
    plies = seed = looked = 0
    while plies < 10_000:
        seats = 3 + seed % 2
        match = play(samples.GAME, seats, {"hands": 1}, seed)
        plies, seed = plies + len(match.plies), seed + 1
        dealt: Any = samples.GAME.deal_to_json(match.plies[0].action)
        now = Round(tuple(map(frozenset, dealt["hands"])), frozenset(dealt["aside"]))
        sampled = {0, len(match.plies) - 1, *rng.sample(range(len(match.plies)), 4)}
        told: list[Phrase] = []
        for at, ply in enumerate(match.plies):
            happened = samples.GAME.events(ply.before, ply.seat, ply.action, ply.after)
            told += [event.phrase for event in happened if event.audience is None]
            if at:
                played = frozenset(cards(samples.GAME.format_action(ply.action)))
                now.plays.append((ply.seat, played))
            if at not in sampled:
                continue
            public = now.played | (now.aside if now.over else frozenset())
            board = samples.board_view(ply.after, tuple(told), seats)
            pages = [
                log_page(board.head, told, page, english) for page in range(len(told) // 15 + 1)
            ]
            pause = Pause(1, 1, (0,) * seats, (0,) * seats, frozenset(), None)
            messages = [channel_message(board, english), *pages]
            messages.append(channel_message(replace(board, pause=pause), english))
            drawn: list[tuple[set[str], Any]] = [(public, m.shown()) for m in messages]
            for seat, hand in enumerate(now.hands):
                view = samples.hand_view(ply.after, seat, seats)
                known = public | hand
                drawn.append((known, hand_panel(view, english).shown()))
                drawn.append((known, hand_panel(replace(view, pause=pause), english).shown()))
                for control in view.layout.controls:
                    if isinstance(control, Choice):
                        opened = replace(view, opened=control.key)
                        drawn.append((known, hand_panel(opened, english).shown()))
                        if control.combine is not None:
                            form = combine_modal(view, control.key, english)
                            drawn.append((known, form.to_dict()))
            for known, message in drawn:
                named = {card for text in strings(message) for card in cards(text)}
                assert named <= known, f"match {seed}, ply {at}: {named - known} in {message}"
                looked += len(named)
    assert looked > 10_000
