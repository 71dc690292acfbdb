"""Small things on boards and panels: who may end it, who the host is, how long it will be."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.i18n import HYPHEN
from bot.render.custom_ids import Verb
from bot.tables.stored import DeadlineKind, Pace
from tests.discord.steps import actor, due, lobby, match
from tests.discord.world import Shown, World


@pytest.mark.nightly
async def test_end_is_offered_only_to_whom_it_serves(w: World) -> None:
    await match(w, game="sticheln")
    for player, ends in ((w.ann, True), (w.cat, True), (w.dan, False)):
        await player.press_verb(w.board(), Verb.MORE)
        assert bool(player.panel.presses(Verb.END)) == ends
        assert bool(player.panel.presses(Verb.LEAVE)) == ends


@pytest.mark.nightly
async def test_a_daily_lobby_lasts_a_day(w: World) -> None:
    table = await lobby(w, "Ann", pace=Pace.DAILY)
    assert due(table, DeadlineKind.LOBBY) - w.now() > timedelta(hours=23)


async def test_every_panel_has_the_rules_and_what_else_there_is(w: World) -> None:
    table = await match(w, game="auffalscherfaehrte", dms=True)
    for player in w.players.values():
        panel = await player.hand()
        assert panel.presses(Verb.MORE)
        assert panel.presses(Verb.RULES)
    assert table.round == 1


@pytest.mark.nightly
@pytest.mark.parametrize("dms", [True, False])
async def test_the_rules_open_beside_a_hand_and_are_turned_in_place(dms: bool, w: World) -> None:
    player = actor(w, await match(w, game="sticheln", dms=dms))
    panel = player.dms()[-1] if dms else await player.hand()
    first = await player.press_verb(panel, Verb.RULES)
    rules = player.panel
    assert rules.id != panel.id
    shown = w.env.backend.get_message(panel.channel, panel.id).components
    assert Shown(panel.channel, panel.id, shown).text == panel.text
    pages = [press for press, _ in rules.presses(Verb.RULES)]
    second = await player.press(rules, pages[-1].encode())
    assert second != first
    assert player.panel.id == rules.id


async def test_codes_are_read_with_hyphens_that_keep_their_line_and_typed_back_so(w: World) -> None:
    table = await match(w)
    player = actor(w, table)
    action = (await player.legal())[0]
    typed = action.replace("-", HYPHEN)
    assert typed != action
    choices = await player.actor.autocomplete(w.channel, "play", "action", typed)
    assert action in [choice["value"] for choice in choices]
    await player.slash("play", action=typed)
    assert (await w.table()).log[-1].text == action
    said = "".join(c.get("content", "") for c in w.board().components[0]["components"])
    assert HYPHEN in said
    assert all(HYPHEN not in press.encode() for press, _ in w.board().presses(*Verb))
