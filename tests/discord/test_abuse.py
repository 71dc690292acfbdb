"""People who mean no good, and clients that are broken: answered in words; nothing gives way."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Sequence
from typing import Any, Final

import pytest

from bot.ids import ChannelId
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Status
from tests.discord.steps import actor, first, hidden, lobby, match, others, play, tables
from tests.discord.watch import Watchman
from tests.discord.world import Shown, World, walk
from tests.nightly import by_day

INTERNAL: Final = "went wrong on my side"

NAMES: Final = {
    "markdown": "**~~__||x||__~~** `y`\n# z\n> q\n- [a](https://b.example)",
    "mentions": "@everyone <@1> <@&2> <#3> </play:4> @here",
    "right to left": "\u202eevil\u202c \u2067x\u2069 \u200f\u061c",
    "zalgo": "Z" + "\u0301\u0302\u0303\u0304" * 8,
    "emoji": "\U0001f3f4\u200d\u2620\ufe0f" * 8,
    "nothing": "\u200b\u2060\u00ad",
    "control": "a\tb\r\nc\x07\x1b[31m\x00",
    "long": "W" * 32,
    "number": "1. first",
    "template": "{name} %s {0}",
}


def answered(w: World, records: Sequence[Any]) -> list[str]:
    """What presses were answered: each exactly once, and never that something broke."""
    said = [w.said(record) for record in records]
    assert all(text.strip() for text in said)
    assert not [text for text in said if INTERNAL in text]
    return said


# Presses of strangers


@pytest.mark.parametrize("game", ["aufundab", "sticheln"])
@pytest.mark.behaviour("Somebody presses what is not theirs")
async def test_a_strangers_press_on_every_verb_is_answered_and_changes_nothing(
    game: str, w: World, watch: Watchman
) -> None:
    table = await play(w, await match(w, game=game), 2)
    board, question = w.board(), table.questions[table.actors[0]]
    panel, (waiting, *_) = await actor(w, table).hand(), others(w, table)
    for argument in ("", "0", "1", first(table)):
        # Whoever joins a full table stands in its line.
        verbs = [verb for verb in Verb if verb is not Verb.JOIN]
        pressed = [Press(verb, table.id, question, argument).encode() for verb in verbs]
        records = [w.emit(w.dan, board, press) for press in pressed]
        await w.env.settle()
        answered(w, records)
    for press, _ in panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE):
        assert INTERNAL not in await w.answer(waiting, board, press.encode())
    watch.read_standing()
    assert not watch.leaks, "\n".join(watch.leaks)
    after = await w.table()
    assert after.stored == table.stored
    assert after.log == table.log


# Forged and mangled ids


ARGUMENTS: Final = (
    "",
    "-1",
    "0",
    "7",
    "²",
    "٣",
    "9" * 64,
    "all|aufundab|-1",
    "week|nogame|" + "9" * 40,
    "|||||",
    "x" * 64,
    "play",
    "play 0-0 0-0 0-0",
    "pass\npass",
    "\x00\x1b[2J",
    "\u202eplay",
    "{0}",
    "%s",
    "../../etc/passwd",
    "'; DROP TABLE tables; --",
    "🃏" * 30,
)
TABLES: Final = ("", "nope", "-", "A" * 24, "aufundab", "'--")


def mangled(rng: random.Random, table: Table) -> str:
    """An id that begins like one of ours, and goes wrong somewhere or nowhere."""
    if rng.random() < 0.2:
        letters = "st:act:;\x00\n\u202e🃏{}%9"
        return "".join(rng.choices(letters, k=rng.randrange(100)))
    verb = rng.choice([*Verb, "fly", "ACT", "", "a" * 13])
    named = rng.choice([table.id, table.id, table.id.lower(), *TABLES])
    question = rng.choice(["", "0", str(table.ply), "9" * 9, "9" * 40, "-1", "٣", "1.5"])
    return f"st:{verb}:{named}:{question}:{rng.choice(ARGUMENTS)}"[: rng.choice([100, 100, 100, 9])]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.behaviour("Somebody presses what is not theirs")
async def test_forged_and_mangled_ids_are_answered_in_words_and_leak_nothing(
    seed: int, capsys: pytest.CaptureFixture[str], w: World, watch: Watchman
) -> None:
    rng = random.Random(seed)
    table = await play(w, await match(w, hands=2), 2)
    panel, board = await actor(w, table).hand(), w.board()
    bystanders = [*others(w, table), w.dan]
    for _ in range(6):
        records = []
        for _ in range(25):
            player = rng.choice(bystanders)
            custom_id = mangled(rng, table)
            leaves = (f"st:{Verb.LEAVE_NOW}:{table.id}", f"st:{Verb.FORGET_NOW}:")
            if custom_id.startswith(leaves):
                continue  # whoever sits there may leave, and be forgotten
            choice = rng.choice([None, [], ["x"], ["9" * 5000], [*ARGUMENTS]])
            if rng.random() < 0.2:
                records.append(w.emit_form(player, board, custom_id, _forms(rng)))
            elif choice is None:
                records.append(w.emit(player, board, custom_id, rng.choice([2, 2, 3, 99])))
            else:
                records.append(w.emit(player, panel, custom_id, 3, values=choice))
        await w.env.settle()
        answered(w, records)
    watch.read_standing()
    printed = capsys.readouterr()
    watch.read_log(printed.out + printed.err)
    assert not watch.leaks, "\n".join(watch.leaks)
    assert "\x1b[2J" not in printed.out + printed.err
    after = await w.table()
    assert after.log == table.log
    assert after.stored.seating.people == table.stored.seating.people


def _forms(rng: random.Random) -> list[dict[str, Any]]:
    """What a form may have been filled with, by somebody who never opened it."""
    text = {"type": 4, "custom_id": "word", "value": rng.choice(ARGUMENTS)}
    chosen = {"type": 3, "custom_id": "1", "values": ["x", "9" * 5000]}
    return rng.choice(
        [[], [{"type": 1, "components": [text]}], [{"type": 18, "component": chosen}]]
    )


FORGED: Final = (
    "st:act:{table}:999999999:pass",
    "st:act:{table}:9999999999:pass",
    "st:act:{table}:-1:pass",
    "st:act:{table}::nonsense \u202e @everyone **",
    "st:act:{table}:{question}:" + "3-4 " * 16,
    "st:act:{table}:{question}:",
    "st:act:{table}:{question}:play",
    "st:act:ZZZZZ:{question}:pass",
    "st:act::{question}:pass",
    "st:open:{table}:{question}:nowhere",
    "st:combine:{table}:{question}:nowhere",
    "st:next:{table}:{question}:",
    "st:start:{table}::",
    "st:hold:{table}::",
    "st:rematch:{table}::",
    "st:take:{table}::77",
    "st:take:{table}::" + "9" * 60,
    "st:sit:{table}::x",
    "st:log:{table}::" + "9" * 60,
    "st:rules:nosuchgame::0",
    "st:rules:aufundab::" + "9" * 60,
    "st:none:::page",
    "st:standings:::||||",
    "st:standings:::year|nosuchgame|" + "9" * 40,
    "st:dance:{table}::",
    "st:act",
    "st:",
    "x" * 100,
    "st:act:" + "\x00\n\t\u200f" * 20,
    "other:bot",
)


async def test_a_forged_press_of_whoever_is_asked_is_answered_in_words_and_does_nothing(
    w: World,
) -> None:
    table = await match(w)
    player, question = actor(w, table), table.questions[table.actors[0]]
    for forged in FORGED:
        custom_id = forged.format(table=table.id, question=question)
        for shown in (await player.hand(), w.board()):
            said = await w.answer(player, shown, custom_id)
            assert said.strip(), custom_id
            assert INTERNAL not in said, custom_id
    after = await w.table()
    assert (after.log, after.stored) == (table.log, table.stored)
    assert [shown.id for shown in w.boards()] == [w.board().id]
    assert not [card for card in hidden(table) if card in w.board().text]


NOT_OFFERED: Final = (
    (Press(Verb.SHARE, argument="stats|" + "9" * 19), ()),
    (Press(Verb.SHARE, argument="secrets|1"), ()),
    (Press(Verb.STANDINGS, argument="year|all|0"), ()),
    (Press(Verb.TABLES, argument="theirs|0"), ()),
    (Press(Verb.DECK), ("tarot",)),
    (Press(Verb.NEVER, argument="0"), ()),
    (Verb.ADD_COMPUTER, ()),
    (Verb.NO_COMPUTER, ()),
    (Verb.KICK_NOW, ()),
    (Verb.SIT, ("none",)),
    (Verb.TAKE, ()),
    (Verb.PACE, ("live1",)),
    (Verb.INVITE, ("nobody",)),
    (Verb.LOG, ()),
)


@pytest.mark.behaviour("Somebody presses what is not theirs")
async def test_what_was_never_offered_is_refused_and_no_default_takes_its_place(w: World) -> None:
    table = await lobby(w, "Ann", "Ben", seats=4)
    for meant, values in NOT_OFFERED:
        press = meant if isinstance(meant, Press) else Press(meant, table.id, None, "any")
        said = await w.answer(w.ann, w.board(), press.encode(), 3, values=list(values))
        assert "none of the choices that I offer" in said, press
    assert (await w.table()).stored == table.stored


@pytest.mark.parametrize("kind", [2, 3])
async def test_whoever_is_asked_can_send_what_they_like_and_plays_only_what_is_legal(
    kind: int, w: World
) -> None:
    table = await match(w)
    player, question = actor(w, table), table.questions[table.actors[0]]
    panel = await player.hand()
    for verb in (Verb.ACT, Verb.OPEN, Verb.COMBINE, Verb.STANDING):
        ids = [f"st:{verb}:{table.id}:{question}:{argument}"[:100] for argument in ARGUMENTS]
        ids = [custom_id for custom_id in ids if not custom_id.endswith(":1")]
        data: dict[str, Any] = {"values": ["9" * 5000, "\x00", "0-0"]} if kind == 3 else {}
        records = [w.emit(player, panel, custom_id, kind, **data) for custom_id in ids]
        await w.env.settle()
        answered(w, records)
    assert (await w.table()).log == table.log


@pytest.mark.nightly
async def test_a_form_that_nobody_opened_is_answered(w: World) -> None:
    table = await match(w)
    player, question = actor(w, table), table.questions[table.actors[0]]
    panel = await player.hand()
    forms = [
        Press(verb, table.id, question, "3").encode()
        for verb in Verb
        if verb not in (Verb.LEAVE_NOW, Verb.END_NOW)
    ]
    records = [w.emit_form(player, panel, form) for form in forms]
    await w.env.settle()
    answered(w, records)


# What people type


TYPED: Final = (
    "x" * 6000,
    "9" * 6000,
    "play " * 1200,
    "play " + "0-0 " * 1498,
    "pass\x00\x01\x1b[31m\u202e\u2028",
    "`" * 2000,
    " ",
    "play 99999999999999999999-1",
    "ﬀ²٣",
    "@everyone <@1> **bold** `code` [a](https://x.example) ||spoiler||",
    "\u202e\u200f\u2066 سلام 你好 🂡" + "\u0301" * 50,
    "play 99-99",
    "play -1--1",
    "plays 3-4",
    "²-³",
    "play 3-4x2x2",
    "{0} %s {name} {{",
)


@pytest.mark.parametrize("game", ["aufundab", "kaiserspiel"])
async def test_whatever_is_typed_is_refused_in_a_short_answer(
    game: str, capsys: pytest.CaptureFixture[str], w: World
) -> None:
    table = await match(w, "Ann", "Ben", "Cat", "Dan", game=game)
    player = actor(w, table)
    for typed in TYPED:
        answers = [
            await player.slash("play", action=typed),
            await player.slash("hand", table=typed),
            await player.slash("cut", word=typed),
        ]
        assert INTERNAL not in "".join(answers), typed[:20]
        assert all(text.strip() for text in answers)
        assert max(map(len, answers)) < 2000
        assert not [form for form in ("@everyone", "<@1>", "https://x") if form in answers[0]]
        assert not set("\x00\x1b\u202e\u2028\u2066") & set("".join(answers)), typed[:20]
    assert (await w.table()).log == table.log
    printed = capsys.readouterr()
    heard = printed.out + printed.err
    assert not [typed for typed in TYPED if typed.strip() and typed in heard]


# Names


@pytest.mark.parametrize("kind", by_day(NAMES, 3))
async def test_no_name_pings_anybody_or_breaks_a_board(kind: str, w: World) -> None:
    sent: list[Any] = []
    w.tap(lambda request: sent.append(request))
    for player in w.players.values():
        w.env.backend.get_user(player.id).global_name = NAMES[kind]
    await w.ann.slash("newgame", game="aufundab", length=1, seats=3)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    await w.cat.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("start")
    await w.env.advance_time(6)
    assert (await w.table()).stored.status is Status.RUNNING
    shown = [w.board(), await w.ann.hand(), *w.ann.dms()]
    await w.ben.press_verb(w.board(), Verb.LOG)
    shown.append(w.ben.panel)
    table = await play(w, await w.table())
    assert table.stored.status is Status.FINISHED
    shown.append(w.board())
    await w.cat.slash("leaderboard")
    shown.append(w.cat.panel)
    for message in shown:
        harmless(message)
    bodies = [request.body[0] for request in sent if isinstance(request.body[0], dict)]
    for body in bodies:
        data = body.get("data") or body
        if "components" in data and "flags" in data:
            allowed = data.get("allowed_mentions") or {"parse": []}
            assert not allowed.get("parse")
            assert set(map(int, allowed.get("users") or ())) <= set(ids(w))


def ids(w: World) -> list[int]:
    return [player.id for player in w.players.values()]


def harmless(shown: Shown) -> None:
    """No mention, no invisible character, no format and no line of somebody's own."""
    text = shown.text
    assert "@everyone" not in text
    assert "@here" not in text
    assert not re.search(r"(?<!\\)<[@#/:&]", text)
    assert not set(text) & set("\u202e\u202c\u2067\u2069\u200f\u061c\u2060\u00ad\x07\x1b\x00\r\t")
    assert "https://b.example" not in text
    assert "**~~__" not in text
    assert "\n# z" not in text
    assert len(text) < 6000


# Too much of it


@pytest.mark.behaviour("Somebody opens table after table")
async def test_a_hundred_newgames_in_a_row_open_a_few_tables_and_the_rest_is_refused(
    w: World,
) -> None:
    channels = [w.room(f"c{number}") for number in range(100)]
    said = [await w.ann.slash("newgame", game="aufundab", channel=c) for c in channels]
    opened = await tables(w).open_tables()
    assert 1 <= len(opened) <= 5
    refused = said[len(opened) :]
    assert len(refused) == 100 - len(opened)
    assert not [text for text in said if INTERNAL in text or not text.strip()]
    assert not [text for text in refused if "table.error" in text]
    assert "Join" in await w.ben.slash("newgame", game="aufundab", channel=w.channel)


# Where the program cannot see or write


@pytest.mark.nightly
@pytest.mark.parametrize("lost", ["view_channel", "send_messages"])
async def test_a_table_is_not_opened_where_the_program_cannot_write_and_it_says_what_is_missing(
    lost: str, w: World
) -> None:
    dark = w.room("dark")
    await w.permit(None, dark.id, **{lost: False})
    said = await w.ann.slash("newgame", game="aufundab", channel=dark)
    assert lost.replace("_", " ").title() in said
    assert "Ask a moderator" in said
    assert await tables(w).open_in_channel(ChannelId(dark.id)) is None
    answers = [await w.ann.slash(each, channel=dark) for each in ("table", "hand", "leave")]
    answers.append(await w.ann.slash("rules", channel=dark, game="aufundab"))
    assert all(answer.strip() and INTERNAL not in answer for answer in answers)


async def test_nothing_that_was_typed_or_pressed_stands_in_the_log(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, w: World
) -> None:
    caplog.set_level(logging.DEBUG)
    marker = "Q7QmarkerQ7Q"
    await match(w)
    await w.ann.slash("play", action=marker)
    await w.ann.slash("hand", table=marker)
    assert await w.answer(w.ben, w.board(), f"st:act:nope:1:{marker}")
    printed = capsys.readouterr()
    ours = [line.getMessage() for line in caplog.records if line.name.split(".")[0] != "simcord"]
    heard = [line for line in ours if "Dispatching event" not in line]
    assert marker not in printed.out + printed.err + "\n".join(heard)


@pytest.mark.nightly
async def test_asking_for_a_table_again_and_again_does_not_flood_its_channel(w: World) -> None:
    await lobby(w)
    before = len(w.messages(w.channel.id))
    said = [await w.ben.slash("newgame", game="aufundab") for _ in range(20)]
    said += [await w.ben.slash("table") for _ in range(20)]
    assert all("near the bottom" in text for text in said)
    assert "To the table" in said[-1]
    assert len(w.messages(w.channel.id)) <= before + 3
    await w.env.advance_time(61)
    await w.ben.slash("table")
    assert len(w.messages(w.channel.id)) == before + 4


async def test_asking_for_matches_that_are_over_posts_nothing(w: World) -> None:
    over = [(await play(w, await match(w))).id for _ in range(3)]
    stands, result = len(w.messages(w.channel.id)), w.board()
    for _ in range(3):
        said = [await w.dan.slash("table", table=table) for table in over]
    assert all("is over" in text and "To the table" in text for text in said)
    urls = [c.get("url", "") for c in walk(w.dan.panel.components)]
    assert any(url.endswith(f"/{result.id}") for url in urls), "nothing but the way there"
    assert len(w.messages(w.channel.id)) == stands
    await w.delete(result)
    assert await w.dan.slash("table")
    assert len(w.messages(w.channel.id)) == stands - 1


async def test_asking_for_tables_everywhere_counts_for_the_person(w: World) -> None:
    rooms = [w.room(f"room-{number}") for number in range(5)]
    await w.env.settle()
    for room, host in zip(rooms, ("Ann", "Ann", "Ben", "Ben", "Cat"), strict=True):
        await lobby(w, host, channel=room.id)
    before = sum(len(w.messages(room.id)) for room in rooms)
    said = [await w.dan.slash("table", channel=room) for room in rooms]
    assert ["To the table" in text for text in said] == [False] * 3 + [True] * 2
    assert sum(len(w.messages(room.id)) for room in rooms) <= before + 3
    assert "To the table" not in await w.ann.slash("table", channel=rooms[4])
