"""Each person reads their own language, and everybody at a table that of its server.

The second language is there in tests only (`tests.i18n.second`): `SIGN` stands in all it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.ports import Unavailable
from bot.tables.servers import Setting
from tests.discord.steps import actor, match, play
from tests.discord.test_planning import plan
from tests.discord.test_settings import panel, turn
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


async def test_what_one_person_reads_names_buttons_as_they_stand_on_the_table(w: World) -> None:
    w.locales[w.guild.id], w.locales[w.ann.id] = "fr", "de"
    await w.ben.slash("newgame", game="aufundab", seats=3, length=1, pace="live60")
    assert "Drück dort **Rejoindre**" in await w.ann.slash("help")
    await w.ann.press_verb(w.board(), Verb.JOIN)
    await w.cat.press_verb(w.board(), Verb.JOIN)
    copy = await w.ann.slash("watch")
    assert "alle **Bereit** gedrückt haben" in copy, "it has that button"
    assert "tout le monde a appuyé sur **C’est bon**" in w.board().text
    await w.ben.slash("start")
    await w.env.advance_time(6)
    table = await w.table()
    while actor(w, table) is w.ann:
        table = await play(w, table, 1)
    hand = await w.ann.hand()
    assert "Du bist noch nicht dran" in hand.text
    assert "dann wieder *Ma main*" in hand.text
    await w.ann.press_verb(w.ann.dm(), Verb.HAND)
    assert "dann wieder *Ma main*" in w.ann.dm().text


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


# What is chosen


async def read(player: Player, language: str) -> str:
    """They choose in `/preferences` in which language they read."""
    await player.slash("preferences")
    return await player.choose(player.panel, player.panel.only(Verb.LANGUAGE), language)


@pytest.mark.behaviour("Somebody chooses a language")
async def test_a_chosen_language_goes_before_that_of_discord_everywhere(w: World) -> None:
    w.locales[w.ben.id] = "da"
    await open_table(w, 3, length=1)
    assert SIGN in await read(w.ann, "da"), "the answer is in it already"
    assert SIGN not in await read(w.ben, "en")
    for player in (w.ann, w.ben):
        assert signed(await player.hand()) is (player is w.ann)
        assert signed(await called(w, player)) is (player is w.ann)
        assert (SIGN in await player.slash("help")) is (player is w.ann)
    await w.restart()
    assert signed(await called(w, w.ann))
    assert SIGN in await w.ann.slash("help"), "the first answer after a start"
    assert SIGN in await read(w.ben, "discord"), "that of Discord again"
    assert not any(signed(shown) for shown in w.messages(w.channel.id))


async def test_a_table_in_direct_messages_turns_to_the_language_of_its_person(w: World) -> None:
    await w.ann.slash("newgame", dm=True, game="aufundab", length=1)
    assert not signed(w.ann.dm())
    await read(w.ann, "da")
    await w.env.advance_time(2)
    assert signed(w.ann.dm())


async def test_a_server_chooses_what_everybody_sees_and_open_tables_follow(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    table = await match(w)
    max_ = await choose_language(w, "da")
    await w.env.advance_time(2)
    assert not signed(max_.panel), "what they alone see is in theirs"
    assert signed(w.board())
    assert signed(plan(w))
    assert not signed(await actor(w, table).hand())
    await play(w, await w.table())
    assert signed(w.board())
    await w.ben.slash("newgame", game="sticheln")
    assert signed(w.board())
    max_ = await choose_language(w, "discord")
    await w.env.advance_time(2)
    assert not signed(w.board())
    assert not signed(plan(w))
    await turn(max_, "log")
    assert "Language: As on Discord" in max_.panel.text


async def prefer(w: World, language: str) -> None:
    """The server prefers another language on Discord, which is shown a moment later."""
    w.locales[w.guild.id] = language
    w.env.backend.edit_guild(w.guild.id, {"preferred_locale": language})
    await w.env.advance_time(2)


async def test_open_tables_and_plans_follow_what_the_server_prefers_on_discord(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", at="in 2h")
    await match(w)
    await prefer(w, "da")
    assert signed(w.board())
    assert signed(plan(w))
    await prefer(w, "en-GB")
    assert not signed(w.board())
    assert not signed(plan(w))


async def test_what_a_server_has_chosen_goes_before_what_it_prefers(w: World) -> None:
    await match(w)
    await choose_language(w, "en")
    await prefer(w, "da")
    assert not signed(w.board())


async def test_a_storage_that_fails_is_no_matter_for_what_discord_tells(
    w: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await match(w)

    async def fails(*_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(w.running.context.servers, "settings", fails)
    await prefer(w, "da")
    assert "Traceback" not in caplog.text
    assert not signed(w.board())


async def choose_language(w: World, language: str) -> Player:
    """Whoever manages the server has chosen it."""
    max_, page = await panel(w, "look")
    await max_.choose(page, Press(Verb.SETTING, argument=Setting.LANGUAGE).encode(), language)
    return max_


async def test_a_language_that_there_is_not_is_refused(w: World) -> None:
    await w.ann.slash("preferences")
    menu = w.ann.panel.only(Verb.LANGUAGE)
    said = await w.answer(w.ann, w.ann.panel, menu, kind=3, values=["xx"])
    assert "none of the choices" in said
    max_, page = await panel(w, "look")
    menu = Press(Verb.SETTING, argument=Setting.LANGUAGE).encode()
    assert "none of the choices" in await w.answer(max_, page, menu, kind=3, values=["xx"])


async def test_where_languages_cannot_be_found_out_they_are_as_on_discord(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read(w.ann, "da")
    w.running.context.readers._preferences.clear()

    async def fails(*_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(w.running.context.readers._stored, "habits", fails)
    assert SIGN not in await w.ann.slash("about")
