"""What refusals of Discord mean: over every code that it documents, for all that is asked of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import aiohttp
import pytest

import bot
import cogs
from bot.ids import MessageId, QuestionId
from bot.publish.messages import Surface
from bot.publish.refusals import Held, Meaning, Purpose, is_barred, may_have_arrived, meaning, read
from bot.surfaces import Kind
from tests.publish.stage import BEN, CHANNEL, Call, Page, Refused, Stage, call, turn
from tests.render import samples

CODES: Final = (
    0,
    *range(10001, 10017), 10020, 10021, *range(10026, 10034), 10036, 10038, 10049, 10050, 10057,
    *range(10059, 10064), *range(10065, 10072), 10087, 10097, 10124, 10129,
    20001, 20002, 20009, 20012, 20015, 20016, 20018, 20022, 20024, 20026, 20028, 20029, 20031,
    20035,
    *range(30001, 30006), 30007, 30008, 30010, 30011, 30013, 30015, 30016, 30018, 30019,
    *range(30030, 30036), *range(30037, 30041), 30042, *range(30045, 30049), 30052, 30056, 30058,
    30060, 30061,
    *range(40001, 40008), 40009, 40012, 40018, 40019, 40032, 40033, 40041, 40043, 40058,
    *range(40060, 40063), 40066, 40067, 40074, 40094, 40333,
    *range(50001, 50018), *range(50019, 50022), *range(50024, 50029), *range(50033, 50037), 50039,
    50041, 50045, 50046, 50054, 50055, 50057, 50067, 50068, 50070, 50073, 50074, 50080, 50081,
    *range(50083, 50087), 50091, 50095, 50097, 50101, 50109, 50110, 50123, 50124, 50131, 50132,
    50138, *range(50144, 50147), 50151, *range(50159, 50164), 50167, 50173, 50178, 50192, 50278,
    50600,
    60003, 80004, 90001, 90002, 110000, 110001, 130000, 150006, 160002, *range(160004, 160008),
    160014, *range(170001, 170008), 180000, 180002, 200000, 200001, *range(220001, 220005), 240000,
    340015, 350000, 350001, 400001, 500000, *range(520000, 520005), 520006,
    *range(530000, 530005), 530006, 530007,
)  # fmt: skip
"""All that Discord documents (*Opcodes and status codes*), and 20026, which it only sends."""

STATUSES: Final = (400, 401, 403, 404, 405, 409, 413, 429, 500, 502, 503, 504)

OF_THE_PROGRAM: Final = (20026, 40001, 40002, 40003, 40004, 40006, 40333, 50014, 130000)
"""Codes that say something about the program, or Discord, and nothing of what was asked."""

PLACES: Final = (Purpose.POST, Purpose.EDIT, Purpose.TIDY, Purpose.PLACE)

everywhere = pytest.mark.parametrize("where", Purpose)


def meanings(where: Purpose, *statuses: int) -> dict[tuple[int, int], Meaning]:
    return {(s, c): meaning(s, c, where) for s in statuses or STATUSES for c in CODES}


@everywhere
def test_what_is_about_the_program_passes_and_says_nothing_of_a_person_or_place(
    where: Purpose,
) -> None:
    for (status, code), means in meanings(where).items():
        if status == 429 or status >= 500 or code in OF_THE_PROGRAM:
            assert means is Meaning.LATER, (status, code)


@everywhere
def test_a_refusal_that_nobody_knows_is_never_taken_for_one_that_passes(where: Purpose) -> None:
    """Else the same would be sent for ever; and one that is new is none that bars a letter."""
    for code in (999_999, 200_000, 240_000, 50_035, 40_005):
        assert meaning(400, code, where) is Meaning.UNKNOWN
        barred = where in PLACES
        assert meaning(403, code, where) is (Meaning.BARRED if barred else Meaning.UNKNOWN)


def test_only_what_is_about_a_person_closes_their_direct_messages() -> None:
    closing = {c for (s, c), m in meanings(Purpose.LETTER).items() if m is Meaning.CLOSED}
    assert closing == {10003, 10013, 50007, 50033, 50278}
    allowed = {Meaning.CLOSED, Meaning.LATER, Meaning.UNKNOWN}
    assert set(meanings(Purpose.LETTER).values()) == allowed


@everywhere
def test_a_meaning_is_one_of_those_that_can_be_where_it_is(where: Purpose) -> None:
    found = set(meanings(where).values())
    assert (Meaning.ABSENT in found) == (where is Purpose.PERSON)
    assert ({Meaning.LATE, Meaning.ANSWERED} <= found) == (where is Purpose.ANSWER)
    assert (Meaning.STUCK in found) == (where is Purpose.EDIT)
    vanished = {c for (s, c), m in meanings(where).items() if m is Meaning.VANISHED}
    assert vanished <= {10003}, "nothing else ends a table"


@everywhere
@pytest.mark.parametrize(
    "error", [TimeoutError(), OSError(), aiohttp.ClientConnectionError(), Held()], ids=repr
)
def test_an_answer_that_never_came_says_nothing(where: Purpose, error: Exception) -> None:
    assert read(error, where) is Meaning.LATER
    assert not is_barred(error, where)
    assert may_have_arrived(error) != isinstance(error, Held)


@everywhere
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!DOCTYPE html><title>Access denied</title>", "text/html; charset=UTF-8"),
        ("error code: 1020", "text/plain"),
    ],
)
def test_a_page_of_cloudflare_that_forbids_says_nothing_of_what_was_asked(
    where: Purpose, text: str, kind: str
) -> None:
    """Else a plan would end, or a server count as left, because an address is not liked."""
    for status in (403, 429, 503):
        assert read(Page(status, text, kind), where) is Meaning.LATER
    assert read(Page(413, text, kind), where) is Meaning.UNKNOWN, "not sent again for ever"


def test_nobody_else_reads_the_numbers() -> None:
    """`refusals` is the only module that knows Discord's codes, for whoever draws and answers."""
    names = re.compile(r"discord\.(HTTPException|Forbidden|NotFound|DiscordServerError)")
    roots = [Path(bot.__path__[0]) / name for name in ("publish", "answer")]
    roots += [Path(path) for path in cogs.__path__]
    found = {
        path.name for root in roots for path in root.rglob("*.py") if names.search(path.read_text())
    }
    assert found == {"refusals.py"}


# All that is drawn: whatever Discord says, and however often

Situation = Callable[[Stage], None]


def a_board(stage: Stage) -> None:
    stage.source.view = turn(5)


def an_edit(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view = turn(5)


def a_hand(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(BEN, True, 5)]


def a_line(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5)


def an_old_message(stage: Stage) -> None:
    stage.posted(1)
    stage.stored(Surface(Kind.RETIRED, 90, CHANNEL, MessageId(90), samples.NOW))


def an_offer(stage: Stage) -> None:
    stage.posted(1)
    stage.source.sought = {2: 5}


def an_offer_that_is_over(stage: Stage) -> None:
    stage.posted(1)
    line = Surface(Kind.SUBSTITUTE, 2, CHANNEL, MessageId(90), samples.NOW, question=QuestionId(5))
    stage.stored(line)


SITUATIONS: Final[tuple[Situation, ...]] = (
    a_board, an_edit, a_hand, a_line, an_old_message, an_offer, an_offer_that_is_over
)  # fmt: skip
TROUBLED: Final = {
    **dict.fromkeys(OF_THE_PROGRAM, 403), 0: 500, 10003: 404, 10008: 404, 10013: 404, 30046: 400,
    50001: 403, 50007: 403, 50013: 403, 50035: 400, 50083: 400, 50278: 403, 160005: 403,
    200000: 400, 240000: 400, 999_999: 400,
}  # fmt: skip


@pytest.mark.parametrize("code", TROUBLED)
@pytest.mark.parametrize("situation", SITUATIONS)
async def test_whatever_discord_says_to_anything_it_is_borne_and_over_when_that_is(
    code: int, situation: Situation, stage: Stage
) -> None:
    """The table waits or it does not, nobody is taken for closed who is not, and what fails is not
    tried at every draw; once Discord takes everything again there is nothing left to do.
    """
    stage.set(retries=(3600,), retry_refused=3600.0, letters=(60.0,))
    situation(stage)
    stage.discord.newest = 100
    status = TROUBLED[code]
    abouts: dict[Situation, str] = {
        an_edit: "edit", an_offer_that_is_over: "edit", an_old_message: "delete"
    }  # fmt: skip
    about = abouts.get(situation, "send")
    where = 1000 + BEN if situation is a_hand else CHANNEL
    only = 90 if situation is an_offer_that_is_over else None

    def is_refused(made: Call) -> bool:
        return made[:2] == (about, where) and only in (None, made[2])

    stage.discord.refuse = lambda made: Refused(status, code) if is_refused(made) else None
    tries = 0
    for _ in range(6):
        tries += sum(map(is_refused, await stage.draw()))
    means = meaning(status, code, Purpose.LETTER if situation is a_hand else Purpose.POST)
    if situation is a_hand:
        closed = means in (Meaning.CLOSED, Meaning.UNKNOWN)
        assert stage.source.unreached == ([BEN] if closed else [])
        assert tries == (3 if means is Meaning.UNKNOWN else 1)
        assert not stage.source.stall
    elif situation is an_offer_that_is_over:
        means = meaning(status, code, Purpose.EDIT)
        kept = means in (Meaning.LATER, Meaning.BARRED, Meaning.LOCKED)
        assert tries == (6 if kept else 3 if means is Meaning.UNKNOWN else 1), (
            "then it is forgotten"
        )
    elif situation in (a_board, a_line):
        waits = means in (Meaning.BARRED, Meaning.LOCKED, Meaning.CLOSED, Meaning.UNKNOWN)
        assert stage.source.stall == waits
        assert bool(stage.source.stalls) == waits
    assert not stage.source.unreached or situation is a_hand
    stage.discord.refuse = lambda made: None
    stage.later(minutes=2)
    for _ in range(3):
        await stage.draw()
    assert not stage.source.stall
    assert Kind.SENDING not in stage.kinds()
    assert (Kind.SUBSTITUTE in stage.kinds()) == (situation is an_offer)
