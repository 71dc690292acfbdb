"""Who may know and touch a table: the table of cases, over what is known of one person."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.answer.access import (
    Channel,
    Known,
    Need,
    Where,
    may_act,
    may_moderate,
    may_open,
    may_see,
    may_sit,
    refusal,
)
from bot.i18n import texts

HERE, SERVER, OUTSIDE = Where.HERE, Where.SERVER, Where.OUTSIDE

OPEN: Final = Channel(visible=True)
HIDDEN: Final = Channel(visible=False)
PRIVATE: Final = Channel(visible=True, private=True)
JOINED: Final = PRIVATE._replace(joined=True)
MANAGED: Final = PRIVATE._replace(manages_threads=True)


class Case(NamedTuple):
    known: Known
    may: str
    """Of `see sit open act moderate` what they may."""


CASES: Final = {
    "in the channel or thread": Case(Known(HERE), "see sit"),
    "in the channel, where they may write": Case(Known(HERE, writes=True), "see sit open"),
    "at a voice channel": Case(Known(HERE, connects=False, writes=True), "see"),
    "at a voice channel, seated": Case(Known(HERE, seated=True, connects=False), "see sit act"),
    "at a voice channel, sat at the end": Case(
        Known(HERE, seated=True, ended=True, connects=False, writes=True), "see"
    ),
    "on the server, voice channel": Case(
        Known(SERVER, channel=OPEN, connects=False, writes=True), "see"
    ),
    "on the server, where they may write": Case(
        Known(SERVER, channel=OPEN, writes=True), "see sit open"
    ),
    "on the server, channel hidden, where they may write": Case(
        Known(SERVER, channel=HIDDEN, writes=True), ""
    ),
    "sat at the end, may write where it is hidden": Case(
        Known(SERVER, seated=True, ended=True, channel=HIDDEN, writes=True), "see"
    ),
    "in the channel, seated": Case(Known(HERE, seated=True), "see sit act"),
    "in the channel, a moderator": Case(Known(HERE, moderates=True), "see sit moderate"),
    "on the server, channel visible": Case(Known(SERVER, channel=OPEN), "see sit"),
    "on the server, a moderator of another channel": Case(
        Known(SERVER, channel=OPEN, moderates=True), "see sit"
    ),
    "on the server, channel hidden": Case(Known(SERVER, channel=HIDDEN), ""),
    "on the server, channel hidden, seated": Case(
        Known(SERVER, seated=True, channel=HIDDEN), "see sit act"
    ),
    "on the server, channel hidden, sat at the end": Case(
        Known(SERVER, seated=True, ended=True, channel=HIDDEN), "see"
    ),
    "private thread, no member": Case(Known(SERVER, channel=PRIVATE), ""),
    "private thread, a member": Case(Known(SERVER, channel=JOINED), "see sit"),
    "private thread, manages threads": Case(Known(SERVER, channel=MANAGED), "see sit"),
    "private thread, no member, seated": Case(
        Known(SERVER, seated=True, channel=PRIVATE), "see sit act"
    ),
    "private thread under a hidden channel, a member": Case(
        Known(SERVER, channel=JOINED._replace(visible=False)), ""
    ),
    "on the server, thread archived or channel above not cached": Case(Known(SERVER), ""),
    "on the server, channel above not cached, seated": Case(
        Known(SERVER, seated=True), "see sit act"
    ),
    "direct message": Case(Known(OUTSIDE), ""),
    "direct message, seated": Case(Known(OUTSIDE, seated=True), "see sit act"),
    "direct message, sat at the end": Case(Known(OUTSIDE, seated=True, ended=True), "see"),
    "direct message, invited": Case(Known(OUTSIDE, invited=True), "see sit"),
    "direct message, invited and gone": Case(Known(OUTSIDE, invited=True, gone=True), ""),
    "another server, with its permissions": Case(Known(OUTSIDE, moderates=True), ""),
    "another server, sat at the end": Case(
        Known(OUTSIDE, seated=True, ended=True, moderates=True), "see"
    ),
    "left or banned": Case(Known(OUTSIDE, gone=True), ""),
    "left or banned, seated": Case(Known(OUTSIDE, seated=True, moderates=True, gone=True), ""),
    "left or banned, sat at the end": Case(Known(OUTSIDE, seated=True, ended=True, gone=True), ""),
}


@pytest.mark.parametrize("name", CASES)
def test_who_may_what(name: str) -> None:
    known, may = CASES[name]
    asked = {
        "see": may_see,
        "sit": may_sit,
        "open": may_open,
        "act": may_act,
        "moderate": may_moderate,
    }
    assert [word for word, ask in asked.items() if ask(known)] == may.split()


EVERY: Final = [
    Known(where, seated, ended, invited, channel, moderates, connects, gone=gone)
    for where, seated, ended, invited, channel, moderates, connects, gone in product(
        Where,
        (False, True),
        (False, True),
        (False, True),
        (None, *(Channel(*facts) for facts in product((False, True), repeat=4))),
        (False, True),
        (False, True),
        (False, True),
    )
]
"""Everything that can be known."""


def test_nobody_does_what_they_may_not_see_and_nobody_who_is_gone_anything() -> None:
    for known in EVERY:
        if not may_see(known) or known.gone:
            asked = (may_see, may_sit, may_act, may_moderate)
            assert not any(ask(known) for ask in asked)
            assert {refusal(known, need) for need in Need} == {"no_such_table"}
        else:
            assert "no_such_table" not in {refusal(known, need) for need in Need}


def test_more_known_in_somebodys_favour_never_allows_less() -> None:
    """Else not knowing something would be a way in."""
    for known in EVERY:
        if known.channel is not None and known.channel.open:
            closed = replace(known, channel=None)
            assert may_see(known) >= may_see(closed)
            assert may_sit(known) >= may_sit(closed)


def test_every_refusal_has_words() -> None:
    codes = {refusal(known, need) for known in EVERY for need in Need} - {None}
    assert codes == {
        *("no_such_table", "out_of_reach", "may_not_connect"),
        *("not_seated", "moderate_there", "not_host"),
    }
    assert all(texts("en").knows(f"table.error.{code}") for code in codes)


COGS: Final = Path(__file__).parents[2] / "cogs"


@pytest.mark.parametrize("path", sorted(COGS.glob("*.py")), ids=lambda path: path.stem)
def test_no_cog_looks_a_table_up_by_itself(path: Path) -> None:
    """They are handed tables by `bot.answer.sight`; only what Discord tells is about any table."""
    looks = r"tables\.(find|table|open_in_channel|latest_in_channel|open_of|open_tables|clocked)\("
    assert not re.findall(looks, path.read_text(encoding="utf-8"))
