"""Where the bot is no member: whoever has installed it for themselves plays there all the same."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.ids import ALONE
from bot.render.custom_ids import Verb
from tests.wire.faults import Fault, Kind
from tests.wire.front import Request
from tests.wire.ledger import Known
from tests.wire.matches import Evening, evening
from tests.wire.people import Person, Shown, Wire
from tests.wire.playing import PLAYABLE, press_something


def in_a_group(wire: Wire, ann: Person, ben: Person) -> int:
    return wire.group(ann, ben)


def on_a_server(wire: Wire, ann: Person, ben: Person) -> int:
    return wire.elsewhere(ann, ben)


Place = Callable[[Wire, Person, Person], int]
PLACES = pytest.mark.parametrize("place", [in_a_group, on_a_server])


@asynccontextmanager
async def away(folder: Path, place: Place) -> AsyncIterator[tuple[Evening, Person, int]]:
    """Somebody, and where they are."""
    async with evening(folder, begun=False) as e:
        ann, ben, _ = e.people
        yield e, ann, place(e.wire, ann, ben)


def own_table(e: Evening, person: Person) -> Known:
    dm = person.dm()
    assert dm is not None
    known = e.ledger.newest(dm)
    assert known is not None
    return known


def question_of(shown: Shown | None) -> int | None:
    """The question that can be answered on that hand."""
    presses = [] if shown is None else shown.presses(*PLAYABLE)
    return presses[0][0].question if presses else None


async def asked_there(e: Evening, person: Person, where: int, after: int | None = None) -> Shown:
    """Their hand there, once they can play on it, and are asked something else than `after`."""

    def found() -> Shown | None:
        shown = person.panel(where)
        return None if question_of(shown) in (None, after) else shown

    return await e.wire.until(found)


def shown_to_others(requests: list[Request], where: int) -> list[Request]:
    """What was sent there that others see, too, or that Discord refused."""
    return [
        one
        for one in requests
        if str(where) in one.path or (one.path.startswith("/webhooks") and one.status >= 400)
    ]


@PLACES
async def test_a_match_is_played_where_the_bot_is_no_member(place: Place, tmp_path: Path) -> None:
    async with away(tmp_path, place) as (e, ann, there):
        before = len(e.front.requests)
        answer = await ann.slash(there, "newgame", game="sticheln", length=1, computers="2 easy")
        assert answer.panel is not None, answer.text
        known, rng = own_table(e, ann), random.Random(1)
        assert e.ledger.rows("SELECT guild_id FROM tables")[0]["guild_id"] == ALONE
        answered = None
        for _ in range(4):
            hand = await asked_there(e, ann, there, answered)
            answered, ply = question_of(hand), len(e.ledger.look(known.id).log)
            played = await press_something(ann, hand, rng)
            assert not played.failed
            assert len(e.ledger.look(known.id).log) > ply
        (board,) = [one for one in ann.dms() if one.presses(Verb.LOG)]
        assert board.presses(*PLAYABLE) or board.text, "it goes on there too"
        assert e.wire.messages(there) == [], "nobody else sees anything of it"
        assert not shown_to_others(list(e.front.requests)[before:], there)
        assert not e.errors()


@pytest.mark.nightly
@PLACES
async def test_one_s_hands_elsewhere_are_there_too(place: Place, tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        ann, ben, _ = e.people
        there = place(e.wire, ann, ben)
        hand = await ann.slash(there, "hand")
        assert hand.panel is not None
        assert "Ann" in (await ann.slash(there, "table")).text
        assert e.table().id in (await ann.slash(there, "tables")).text
        assert e.wire.messages(there) == []


@pytest.mark.nightly
@PLACES
async def test_what_needs_a_server_is_refused_in_words(place: Place, tmp_path: Path) -> None:
    async with away(tmp_path, place) as (e, ann, there):
        plan = await ann.slash(there, "newgame", game="sticheln", at="in 2h")
        assert "only on a server where I am a member" in plan.text
        listed = await ann.slash(there, "tables", where="here")
        assert "only on a server where I am a member" in listed.text
        assert e.ledger.rows("SELECT id FROM tables") == []


@PLACES
@pytest.mark.parametrize(
    ("code", "told"), [(50007, "I can't write to you"), (20026, "That isn't your setting")]
)
async def test_who_cannot_be_written_to_is_told_and_leaves_no_table(
    code: int, told: str, place: Place, tmp_path: Path
) -> None:
    async with away(tmp_path, place) as (e, ann, there):
        dm = e.wire.backend.get_dm_channel(ann.id).id
        closed = Fault(Kind.REFUSED, status=403, code=code)
        e.front.faults.plan(closed, "POST", f"^/channels/{dm}/messages", times=1_000)
        answer = await ann.slash(there, "newgame", game="aufundab")
        assert told in answer.text
        open_ones = "SELECT id FROM tables WHERE status IN ('lobby', 'running')"
        assert e.ledger.rows(open_ones) == []


@pytest.mark.nightly
@PLACES
async def test_a_beginning_that_was_cut_off_is_gone_on_with(place: Place, tmp_path: Path) -> None:
    async with away(tmp_path, place) as (e, ann, there):
        dm = e.wire.backend.get_dm_channel(ann.id).id

        def aim(request: Request) -> None:
            if request.method == "POST" and f"/channels/{dm}/" in request.path:
                e.program.send(signal.SIGKILL)

        e.front.seen.append(aim)
        asked = asyncio.ensure_future(ann.slash(there, "newgame", game="sticheln", length=1))
        await e.program.ended()
        e.front.seen.remove(aim)
        assert (await asked).failed
        await e.program.start()
        again = await ann.slash(there, "newgame", game="sticheln", length=1)
        assert "is still going" in again.text
        assert again.panel is not None
        begun = await ann.press_verb(again.panel, Verb.START)
        assert not begun.failed
        assert own_table(e, ann).status == "running"
        assert (await ann.slash(there, "hand")).panel is not None
