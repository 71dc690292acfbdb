"""Taking a play back: asked on the others' hands, undone once they agree, in no record."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Pace, Status
from engine.verify import verify_text
from tests.discord.steps import actor, legal, match, others, play, reach
from tests.discord.world import Player, World

SEED = 4

pytestmark = pytest.mark.deals(SEED)

ASKS = "would like to take the last play back"


def in_a_trick(table: Table) -> bool:
    """Whether a trick has just been led."""
    return len(table.actors) == 1 and table.log[-1].text.startswith("play")


async def played_by_hand(w: World, *, dms: bool) -> tuple[Table, Table, Player]:
    """A table before and after a play by hand, and who played."""
    before = await reach(w, await match(w, game="sticheln", dms=dms, pace=Pace.LIVE180), in_a_trick)
    player = actor(w, before)
    await w.env.advance_time(3)
    panel = player.dm() if dms else await player.hand()
    question = before.questions[before.actors[0]]
    await player.press(panel, Press(Verb.ACT, before.id, question, legal(before)[0]).encode())
    return before, await w.table(), player


def printed(line: str) -> list[str]:
    """The words that the one line of Python prints."""
    _, *given = shlex.split(line)
    run = subprocess.run([sys.executable, *given], capture_output=True, check=True, text=True)
    return run.stdout.split()


@pytest.mark.behaviour("Somebody has pressed the wrong card")
@pytest.mark.parametrize("dms", [False, True])
async def test_the_others_agree_and_another_card_is_played(dms: bool, w: World) -> None:
    before, played, ann = await played_by_hand(w, dms=dms)
    ben, cat = (one for one in w.players.values() if one is not ann)
    for one in (ben, cat):
        await one.hand()
    said = await ann.press_more(Verb.UNDO)
    await w.env.advance_time(5)
    assert "You have asked to take your play back" in said
    assert (await w.table()).ply == played.ply, "nothing is undone before they agree"
    assert ASKS not in w.board().text, "they are asked privately"
    for one in (ben, cat):
        shown = (one.dm() if dms else w.whispers(one)[-1]).text
        assert f"{ann.name} {ASKS}" in shown
    asked = ben.dm() if dms else w.whispers(ben)[-1]
    agree = next(press.encode() for press, _ in asked.presses(Verb.UNDO) if press.argument == "1")
    said = await ben.press(asked, agree)
    assert ASKS not in said, "who has agreed is not asked again"
    panel = await cat.hand()
    await cat.press(panel, agree)
    await w.env.advance_time(5)
    undone = await w.table()
    assert undone.log[-1].text == f"undo to {played.log[-1].ply}"
    assert undone.actors == before.actors
    assert actor(w, undone) is ann
    assert f"{ann.name} took a play back" in w.board().text
    assert f"{ann.name}'s turn" in w.board().text
    for one in (ben, cat):
        assert ASKS not in (one.dm() if dms else w.whispers(one)[-1]).text, "no surface lies"
    question = before.questions[before.actors[0]]
    card = legal(undone)[1]
    await ann.hand()
    stale = Press(Verb.ACT, undone.id, question, card).encode()
    said = await w.answer(ann, ann.panel, stale)
    assert "That play was taken back" in said
    assert (await w.table()).ply == undone.ply
    now = undone.questions[undone.actors[0]]
    assert now > question
    await ann.press(await ann.hand(), Press(Verb.ACT, undone.id, now, card).encode())
    assert (await w.table()).log[-1].text == card
    await w.restart()
    over = await play(w, await w.table())
    assert over.stored.status is Status.FINISHED
    await w.env.advance_time(5)
    assert "1 play taken back" in w.board().text
    await ann.slash("replay", table=over.id)
    ((_, text),) = ann.files().items()
    assert "undo" not in text
    assert verify_text(text, 1) == []
    said = await ann.press_verb(w.board(), Verb.VERIFY)
    line = next(one for one in said.splitlines() if one.startswith("python3 -c "))
    commitment, *cards = printed(line)
    assert commitment == over.commitment
    assert sorted(cards) == sorted(over.game.pack(3, over.stored.options))


async def test_one_no_is_enough_and_only_who_asked_hears_of_it(w: World) -> None:
    _, played, ann = await played_by_hand(w, dms=False)
    ben, cat = (one for one in w.players.values() if one is not ann)
    await ann.press_more(Verb.UNDO)
    panel = await ben.hand()
    no = next(press.encode() for press, _ in panel.presses(Verb.UNDO) if press.argument == "0")
    await ben.press(panel, no)
    await w.env.advance_time(5)
    assert (await w.table()).ply == played.ply
    assert "Not everyone agreed: your play stands" in w.whispers(ann)[-1].text
    assert ASKS not in (await cat.hand()).text
    await ann.press_verb(w.board(), Verb.MORE)
    assert not ann.panel.presses(Verb.UNDO)


async def test_whoever_has_not_played_last_is_offered_nothing(w: World) -> None:
    _, played, ann = await played_by_hand(w, dms=False)
    for one in others(w, played):
        await one.press_verb(w.board(), Verb.MORE)
        assert bool(one.panel.presses(Verb.UNDO)) == (one is ann)
    await ann.press_verb(w.board(), Verb.MORE)
    more = ann.panel
    await actor(w, played).slash("play", action=legal(played)[0])
    said = await ann.press_verb(more, Verb.UNDO)
    assert "it is not the last one any more" in said
