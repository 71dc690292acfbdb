"""Each person reads their own language, and everybody at a table that of its server.

The second language is there in tests only (`tests.i18n.second`): `SIGN` stands in all it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.render.custom_ids import Verb
from tests.discord.steps import actor, match, play
from tests.discord.ways import open_table
from tests.discord.world import Player, Shown, World, words
from tests.i18n.second import SIGN, second_language

SEED = 5
"""Of deals in which everybody is asked often enough."""

pytestmark = pytest.mark.deals(SEED)


@pytest.fixture(autouse=True)
def danish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with second_language(tmp_path, monkeypatch, "da"):
        yield


def signed(shown: Shown | None) -> bool:
    """Whether it is in the second language."""
    assert shown is not None
    return SIGN in shown.text


async def called(w: World, player: Player) -> Shown:
    """The hand by DM in which this person is asked, once it is their turn."""
    table = await play(w, await w.table(), 1)
    while actor(w, table) is not player:
        table = await play(w, table, 1)
    shown = player.dm()
    assert await player.is_asked_by(shown)
    return shown


async def test_a_person_reads_their_own_language_and_the_channel_that_of_the_server(
    w: World,
) -> None:
    w.locales[w.ann.id] = "da"
    await open_table(w, 3, length=1)
    assert [signed(player.dm()) for player in (w.ann, w.ben, w.cat)] == [True, False, False]
    assert [signed(await player.hand()) for player in (w.ann, w.ben)] == [True, False]
    for player in (w.ann, w.ben):
        assert signed(await called(w, player)) is (player is w.ann)
    assert SIGN in await w.ann.slash("newgame", game="aufundab")
    assert SIGN not in await w.ben.slash("newgame", game="aufundab")
    assert SIGN in await w.ann.slash("watch")
    assert [shown for shown in w.messages(w.channel.id) if signed(shown)] == []


@pytest.mark.nightly
async def test_after_a_restart_hands_are_pushed_in_the_language_of_before(w: World) -> None:
    w.locales[w.ann.id] = "da"
    await open_table(w, 3, length=1)
    await w.env.advance_time(6)  # what was heard is stored
    del w.locales[w.ann.id]  # and nothing more is heard of her
    await w.restart()
    assert signed(await called(w, w.ann))
    assert not signed(await called(w, w.ben))
    await w.ann.press_verb(w.board(), Verb.HAND)
    assert not signed(await called(w, w.ann))
    await w.env.advance_time(6)
    await w.restart()
    assert not signed(await called(w, w.ann))


@pytest.mark.nightly
async def test_the_table_speaks_the_language_of_its_server(w: World) -> None:
    w.locales[w.guild.id] = "da"
    said = await w.ann.slash("newgame", game="aufundab", seats=3, length=1, pace="live60")
    assert SIGN in said
    w.locales[w.guild.id] = "en-US"  # it was opened in the other language
    w.close_dms(w.ben)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "**Ben**" in w.board().text
    assert signed(w.board())
    assert w.ben.last is not None
    assert [SIGN in words(one.components) for one in w.ben.last.followups] == [False]
    await w.cat.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("start")
    await w.env.advance_time(6)
    assert signed(w.board())
    while actor(w, await w.table()) is not w.ben:
        await play(w, await w.table(), 1)
    assert [signed(line) for line in w.notices()] == [True]
    assert not signed(await w.ben.hand())
    await w.restart()
    await play(w, await w.table())
    assert all(signed(shown) for shown in w.messages(w.channel.id) if not shown.calls)
    assert w.board().presses(Verb.REMATCH)
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    assert not signed(w.board())


@pytest.mark.nightly
async def test_the_host_is_told_in_their_language_that_a_table_cannot_be_shown(w: World) -> None:
    w.locales[w.ann.id] = "da"
    table = await match(w, dms=True)
    await w.ann.press_verb(w.board(), Verb.HAND)
    await w.delete(w.board())
    await w.permit(send_messages=False)
    await play(w, table, 1)
    await w.env.advance_time(2)
    (told,) = [dm for dm in w.ann.dms() if "Send Messages" in dm.text]
    assert signed(told)
