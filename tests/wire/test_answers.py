"""A law: every press is answered while that can be done, whatever Discord says to the answer."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from bot.render.custom_ids import Verb
from tests.wire.faults import Fault, Kind
from tests.wire.matches import Evening, evening, lobby
from tests.wire.people import Answer, Person, Shown
from tests.wire.playing import asks, press_something

CALLBACK: Final = "^/interactions/.*/callback"

REFUSALS: Final = (
    (404, 10062),  # unknown interaction
    (404, 10008),  # unknown message: it is being replaced
    (404, 10003),  # unknown channel
    (404, 10015),  # unknown webhook
    (400, 30046),  # too many edits of an old message
    (400, 40060),  # acknowledged already
    (413, 40005),  # too large
    (401, 50027),  # invalid token
    (403, 50001),  # no access
    (403, 50005),  # somebody else's message
    (400, 50006),  # empty message
    (403, 50013),  # no permission
    (400, 50035),  # malformed
    (400, 50083),  # archived thread
    (400, 160005),  # locked thread
    (403, 200000),  # held back by AutoMod
    (400, 240000),  # a link that is barred
    (429, 20028),  # too fast
    (403, 0),
    (404, 0),
)
"""Status and code of what Discord documents as an answer to a callback."""

FAULTS: Final = (
    *(Fault(Kind.REFUSED, status=status, code=code) for status, code in REFUSALS),
    Fault(Kind.ROUTE, 0.2),
    Fault(Kind.ERROR, status=500),
    Fault(Kind.ERROR, status=503),
    Fault(Kind.CUT),
    Fault(Kind.LOST),
    Fault(Kind.DENIED, status=502),
    Fault(Kind.SILENCE, 600),
)

SOME: Final = (FAULTS[0], Fault(Kind.ERROR, status=503), Fault(Kind.LOST), Fault(Kind.SILENCE, 600))
"""One of each kind."""

Press: TypeAlias = Callable[[], Awaitable[Answer]]


async def every_fault(
    e: Evening, ready: Callable[[], Awaitable[Press]], faults: Sequence[Fault] = FAULTS
) -> list[Answer]:
    """Each fault meets one press, which `ready` prepares; their answers."""
    answers = []
    for fault in faults:
        what = f"{fault.kind} {fault.status} {fault.code}"
        press = await ready()
        e.front.faults.plan(fault, "POST", CALLBACK)
        answer = await press()
        assert e.front.faults.injected[fault.kind], what
        e.front.faults.stop()
        e.front.faults.injected.clear()
        assert not answer.failed, what
        assert answer.text.strip(), what
        answers.append(answer)
    assert [x for x in e.program.events() if x["event"] == "answer_lost"] == []
    return answers


@pytest.mark.behaviour("Discord answers late")
@pytest.mark.every_case
@pytest.mark.parametrize("faults", [SOME, pytest.param(FAULTS, marks=pytest.mark.nightly)])
async def test_a_press_on_the_board_is_answered_whatever_discord_says(
    faults: Sequence[Fault], tmp_path: Path
) -> None:
    async with evening(tmp_path, begun=False) as e:
        # A full table would ask who is ready, not who joins.
        await lobby(e.wire, e.channel, e.people[:2], seats=4)
        (dan,) = e.wire.join(None, "Dan")
        verbs = [Verb.LEAVE, Verb.JOIN]

        async def ready() -> Press:
            verbs.reverse()
            board = await e.wire.board_with(e.channel, Verb.JOIN)
            return lambda: dan.press_verb(board, verbs[0])

        await every_fault(e, ready, faults)
        (here,) = [m for m in e.wire.messages(e.channel) if m.presses(Verb.JOIN)]
        expected = verbs[0] is Verb.JOIN
        await e.wire.until(
            lambda: ("**Dan**" in (e.wire.refreshed(here) or here).text) == expected or None
        )


@pytest.mark.nightly
@pytest.mark.parametrize("verb", [Verb.HAND, Verb.LOG])
async def test_a_whisper_is_heard_whatever_discord_says(verb: Verb, tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        board = e.wire.board(e.channel)
        person = await e.asked()
        where = board if board.presses(verb) else await person.hand(e.channel)

        async def ready() -> Press:
            return lambda: person.press_verb(where, verb)

        await every_fault(e, ready)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("where", "faults"),
    [
        ("panel", SOME[:3]),
        pytest.param("panel", FAULTS, marks=pytest.mark.nightly),
        pytest.param("dm", FAULTS, marks=pytest.mark.nightly),
    ],
)
@pytest.mark.behaviour("Discord answers late")
async def test_a_play_is_answered_and_applied_once_whatever_discord_says(
    where: str, faults: Sequence[Fault], tmp_path: Path
) -> None:
    async with evening(tmp_path, game="auffalscherfaehrte", length=3) as e:

        async def ready() -> Press:
            known = e.table()
            while known.between_rounds or known.closed:
                known = await e.play(1)
            person = await e.asked()
            seat = known.seat_of(person.id)
            assert seat is not None
            question = known.question(seat)

            def sent() -> Shown | None:
                return next((p for p in person.dms() if asks(p, known.id, question)), None)

            shown = await (e.wire.until(sent) if where == "dm" else person.hand(e.channel))
            return lambda: press_something(person, shown, random.Random(1))

        answers = await every_fault(e, ready, faults)
        applied = [line.interaction for line in e.table().log]
        assert [applied.count(answer.id) for answer in answers] == [1] * len(faults)
        assert e.errors() == []


@pytest.mark.nightly
async def test_a_form_is_opened_and_taken_whatever_discord_says(tmp_path: Path) -> None:
    async with evening(tmp_path, begun=False) as e:
        await lobby(e.wire, e.channel, e.people, seats=4)  # a full table would begin
        person = e.people[0]
        board = e.wire.board(e.channel)

        async def opening() -> Press:
            return lambda: person.press_verb(board, Verb.CUT)

        async def sending() -> Press:
            opened = await person.press_verb(board, Verb.CUT)
            (name,) = opened.form
            return lambda: person.send_form(opened, {name: "Herbst"})

        await every_fault(e, opening)
        await every_fault(e, sending)


@pytest.mark.nightly
async def test_a_command_is_answered_whatever_discord_says(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        person = await e.asked()

        async def ready() -> Press:
            return lambda: person.slash(e.channel, "hand")

        await every_fault(e, ready)


@pytest.mark.nightly
async def test_newgame_is_answered_and_has_one_message_whatever_discord_says(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, begun=False) as e:
        channels: list[int] = []

        async def ready() -> Press:
            e.wire.guild()
            channels.append(e.wire.channel())
            person: Person = e.wire.join(None, "Ann")[0]
            return lambda: person.slash(channels[-1], "newgame", game="aufundab")

        # Whatever else Discord says: by 40060 another program has answered, and the table closes.
        await every_fault(e, ready, [fault for fault in FAULTS if fault.code != 40060])
        for channel in channels:
            await e.wire.board_with(channel, Verb.LEAVE)
            boards = [m for m in e.wire.messages(channel) if m.presses(Verb.LEAVE)]
            assert len(boards) == 1
