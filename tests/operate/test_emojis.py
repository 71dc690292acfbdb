"""Bringing emoji up to date: laws of the plan, and of carrying it out whatever cuts it off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from itertools import repeat
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from structlog.testing import capture_logs

from bot.emojis import (
    DECKS,
    MARKS,
    VERSION,
    Named,
    doubt_emojis,
    emojis_doubted,
    know_emojis,
    known_emojis,
    name_of,
    named,
)
from bot.operate import emojis as sync
from bot.operate.emojis import carry_out, keys, planned, there_now
from bot.pictures import emoji
from bot.pictures.emoji import digest
from tests.emojis import pictures
from tests.patience import until

VERSIONS = ("00000a", "00000b", "00000c")
OURS = [
    name_of(deck, key, version)
    for deck in ("standard", "contrast")
    for key in ("cR", "cR5", "a3_6", "mup")
    for version in VERSIONS
]
FOREIGN = ["pepe", "st_", "st_party", "st_s_cR5", "st_s_cR5_00000", "party_st_s_cR5_00000a"]

wanted_names = st.lists(st.sampled_from(OURS), unique=True)
there_names = st.sets(st.sampled_from(OURS + FOREIGN))


@given(wanted_names, there_names)
def test_a_plan_touches_nothing_of_others_and_needs_no_second_one(
    wanted: list[str], there: set[str]
) -> None:
    plan = planned(wanted, there)
    now = there.difference(plan.remove).union(plan.create)
    assert now == there.intersection(FOREIGN).union(wanted)
    assert planned(wanted, now).steps == 0


def test_names_are_those_of_discord_and_say_what_is_drawn() -> None:
    names = list(pictures())
    assert len(names) == len(DECKS) * len(keys())
    for name in names:
        assert 2 <= len(name) <= 32
        said = named(name)
        assert said is not None
        assert said.deck in DECKS.values()
        assert said.key in keys()


def test_the_version_is_a_digest_of_the_pixels_that_are_uploaded() -> None:
    """So nothing else is uploaded again: not after a change of words, nor by another packer."""
    for name, png in pictures().items():
        said = named(name)
        assert said is not None
        with Image.open(BytesIO(png)) as picture:
            pixels = picture.convert("RGBA")
        assert said.version == sha256(pixels.tobytes()).hexdigest()[:VERSION]
        repacked = BytesIO()
        pixels.save(repacked, "PNG", compress_level=1)
        assert digest(repacked.getvalue())[:VERSION] == said.version


def test_a_picture_that_is_drawn_differently_is_uploaded_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = pictures()  # drawn before anything is drawn differently
    monkeypatch.setitem(cast(dict[str, Any], emoji._MARKS), "up", emoji._MARKS["down"])
    again = dict([sync.drawn(deck, key) for deck in DECKS for key in keys()[-len(MARKS) :]])
    plan = planned([*again, *usual], usual)
    assert [named(name) for name in plan.create] == [
        Named(short, "mup", digest(usual[other])[:VERSION])
        for short in DECKS.values()
        for other in usual
        if other.startswith(f"st_{short}_mdown_")
    ]


async def test_all_are_drawn_with_names_that_say_what_they_are() -> None:
    assert await sync.pictures() == pictures()


def test_there_is_room_for_a_whole_second_version_beside_the_first() -> None:
    assert 2 * len(pictures()) <= 2000


class Away(discord.HTTPException):
    def __init__(self, status: int) -> None:
        super().__init__(cast(Any, SimpleNamespace(status=status, reason="")), "refused")


class CutOff(Exception):
    """The process ends."""


class Lost(CutOff):
    """It ends when the call was carried out, before the answer came."""


@dataclass
class Discord:
    """What Discord keeps of one application, and what it refuses."""

    there: dict[str, int]
    fails: Iterator[Exception | None]
    """What becomes of each call; after the last all are well."""
    application_id: int = 1
    asked: int = 0
    uploads: list[str] = field(default_factory=list)

    @property
    def http(self) -> Discord:
        return self

    def _asked(self) -> Lost | None:
        """What is to be raised once it is done.  Raises what keeps it from being done."""
        self.asked += 1
        error = next(self.fails, None)
        if error is not None and not isinstance(error, Lost):
            raise error
        return error

    async def fetch_application_emojis(self) -> list[Any]:
        self._asked()
        return [SimpleNamespace(name=name, id=number) for name, number in self.there.items()]

    async def create_application_emoji(self, *, name: str, image: bytes) -> Any:
        lost = self._asked()
        assert name not in self.there, "uploaded twice"
        self.there[name] = 1 + max(self.there.values(), default=0)
        self.uploads.append(name)
        if lost is not None:
            raise lost
        return SimpleNamespace(id=self.there[name])

    async def delete_application_emoji(self, application: int, number: int) -> None:
        lost = self._asked()
        (name,) = (name for name, other in self.there.items() if other == number)
        assert named(name) is not None
        del self.there[name]
        if lost is not None:
            raise lost


BLANK: Mapping[str, bytes] = dict.fromkeys(OURS, b"png")


def brought_up(server: Discord, wanted: list[str]) -> list[Mapping[str, int]]:
    """Tries until nothing cuts it off; what was told on the way."""
    told: list[Mapping[str, int]] = []
    client = cast(discord.Client, server)

    def known(ids: Mapping[str, int]) -> None:
        missing = ids.keys() - server.there.keys()
        assert not missing, "told of one that is not there"
        told.append(ids)

    async def once() -> None:
        there = await there_now(client)
        plan = planned(wanted, there)
        await carry_out(client, plan, there, BLANK, known=known, pace=0)

    while True:
        try:
            asyncio.run(once())
        except (CutOff, Away):
            continue
        return told


cuts = st.lists(
    st.one_of(
        st.none(), st.builds(CutOff), st.builds(Lost), st.builds(Away, st.sampled_from((429, 502)))
    ),
    max_size=40,
)


@given(wanted_names, there_names, cuts)
def test_cut_off_anywhere_and_begun_again_it_ends_the_same(
    wanted: list[str], there: set[str], fails: list[Exception | None]
) -> None:
    ids = {name: number for number, name in enumerate(sorted(there), 1)}
    straight = Discord(dict(ids), iter(()))
    brought_up(straight, wanted)
    server = Discord(dict(ids), iter(fails))
    brought_up(server, wanted)
    assert server.there.keys() == straight.there.keys()
    assert len(server.uploads) == len(set(server.uploads))
    server.uploads.clear()
    brought_up(server, wanted)
    assert not server.uploads
    assert {name: server.there[name] for name in there.intersection(FOREIGN)} == {
        name: ids[name] for name in there.intersection(FOREIGN)
    }


def test_a_picture_that_discord_does_not_take_stops_nothing() -> None:
    server = Discord({}, iter([None, Away(400)]))
    brought_up(server, OURS[:3])
    assert list(server.there) == OURS[1:3]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for, and three emoji are all there are."""

    monkeypatch.setattr(sync, "PAUSES", (0.0,) * 5)
    monkeypatch.setattr(sync, "LOOK", 0.0)

    async def blank() -> dict[str, bytes]:
        return dict.fromkeys(OURS[:3], b"png")

    monkeypatch.setattr(sync, "pictures", blank)
    monkeypatch.setattr(sync, "PACE", 0.0)


async def test_failures_are_logged_once_and_tried_so_often_and_no_longer(hasty: None) -> None:
    server, told = Discord({}, repeat(Away(503))), list[Mapping[str, int]]()
    with capture_logs() as logs:
        await sync.keep(cast(discord.Client, server), told.append)
    assert [line["event"] for line in logs] == ["emojis_not_synced", "emojis_given_up"]
    assert (server.asked, told) == (6, [])


async def test_it_goes_on_after_failures_and_looks_again_when_one_was_refused(hasty: None) -> None:
    server = Discord({}, iter([None, None, Away(429), Away(502)]))
    keeping = asyncio.create_task(sync.keep(cast(discord.Client, server), know_emojis))

    try:
        await until(lambda: [*server.there] == OURS[:3] and not emojis_doubted())
        asked = server.asked
        for _ in range(50):
            await asyncio.sleep(0)
        assert server.asked == asked, "nobody looks while none was refused"
        del server.there[OURS[0]]
        doubt_emojis()
        await until(lambda: [*server.there] == [*OURS[1:3], OURS[0]] and not emojis_doubted())
        assert server.uploads == [*OURS[:3], OURS[0]]
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


def test_of_two_versions_the_newer_one_is_used_and_others_are_unknown() -> None:
    ids = {name_of("standard", "cR", VERSIONS[0]): 7, name_of("standard", "cR", VERSIONS[1]): 3}
    know_emojis(ids)
    assert str(known_emojis().suit("sticheln", "R")) == f"<:st_s_cR_{VERSIONS[0]}:7>"
    assert known_emojis("large") is known_emojis("standard")
    assert known_emojis("contrast").suit("sticheln", "R") is None
    assert known_emojis().suit("kaiserspiel", "R") is None
    assert known_emojis().card("tides", "R") is None
