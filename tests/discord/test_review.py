"""Looking through a round: from the result, alone, in every view, and shown to everybody."""

from __future__ import annotations

import struct

import pytest

from bot.i18n import texts
from bot.pictures.felt import WIDTH
from bot.render.custom_ids import Press, Verb
from bot.render.tricks import cards_line
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from engine.players.levels import Level
from engine.registry import games
from tests.discord.steps import dealt, match, play, stop, tables
from tests.discord.test_hints import counted
from tests.discord.test_pictures import address, items
from tests.discord.test_sharing import newest
from tests.discord.world import Player, Shown, World
from tests.lengths import length

SEALED = "still secret"
SEALED_MATCH = "secret until the match is over"


def at(panel: Shown, move: str) -> str:
    """The button or menu that leads there."""
    (found,) = (
        press.encode()
        for press, _ in panel.presses(Verb.REVIEW)
        if press.argument.endswith(f"|{move}")
    )
    return found


async def go(player: Player, move: str) -> str:
    return await player.press(player.panel, at(player.panel, move))


def offered(panel: Shown) -> set[str]:
    return {press.argument.rpartition("|")[2] for press, _ in panel.presses(Verb.REVIEW)}


async def sealed(w: World, table: Table, player: Player, number: int) -> str:
    """A forged press on a position of a round."""
    await player.slash("rules", game="aufundab")
    forged = Press(Verb.REVIEW, table.id, argument=f"{number}|3|all|on").encode()
    return await w.answer(player, player.panel, forged)


async def test_a_round_is_stepped_through_from_the_result_and_shown_to_everybody(
    w: World,
) -> None:
    w.computers.think = counted
    table = await play(w, await match(w, game="sticheln"))
    said = await w.ann.press_verb(w.board(), Verb.REVIEW)
    assert w.ann.answered.ephemeral
    assert "As Ann saw it" in said
    assert "step 1 of" in said
    assert offered(w.ann.panel) >= {"on", "last", "lead", "view", "share"}
    assert "first" not in offered(w.ann.panel)
    assert "step 2 of" in await go(w.ann, "on")
    lead = await go(w.ann, "lead")
    assert "Ann" in lead
    assert "step 1 of" in await go(w.ann, "first")
    opened = await w.ann.choose(w.ann.panel, at(w.ann.panel, "view"), "all")
    assert "All hands open" in opened
    said = await go(w.ann, "strong")
    assert "the computer player *strong* says" in said
    (thought,) = w.computers.hints
    assert thought.level is Level.STRONG
    seat = table.log[1].seat
    assert thought.view.seat == seat
    await go(w.ann, "on")
    await go(w.ann, "back")
    await go(w.ann, "strong")
    assert len(w.computers.hints) == 1, "it is remembered"
    before = newest(w).id
    await go(w.ann, "share")
    posted = newest(w)
    assert posted.id != before
    shown = Shown(w.channel.id, posted.id, posted.components)
    assert "posted by Ann" in shown.text
    assert "All hands open" in shown.text
    assert not shown.presses(*Verb)
    end = await go(w.ann, "last")
    assert "points" in end or "in all" in end
    assert not offered(w.ann.panel) & {"on", "last", "lead", "strong"}


@pytest.mark.pictures
async def test_all_hands_open_are_a_picture_and_as_text_where_there_is_none(w: World) -> None:
    table = await play(w, await match(w, game="sticheln"))
    shown = await tables(w).reviewed(table, 1)
    hands = [cards_line(shown.layout(0, seat).hand, "sticheln", texts("en")) for seat in range(3)]

    async def opened() -> Shown:
        await w.ann.slash("review", table=table.id)
        await w.ann.choose(w.ann.panel, at(w.ann.panel, "view"), "all")
        return w.ann.panel

    panel = await opened()
    (item,) = items(panel)
    assert all(name in item["description"] for name in ("Ann", "Ben", "Cat"))
    assert not [hand for hand in hands if hand in panel.text], "the hands stand there twice"
    content = w.env.backend.cdn.get(address(panel)) or b""
    assert struct.unpack(">II", content[16:24])[0] == WIDTH
    await w.ann.slash("preferences", deck="text")
    panel = await opened()
    assert not list(items(panel))
    assert all(hand in panel.text for hand in hands)
    await w.ann.slash("preferences", deck="standard")
    await w.permit(attach_files=False)
    panel = await opened()
    assert not list(items(panel))
    assert all(hand in panel.text for hand in hands)


@pytest.mark.parametrize("game", sorted(games()))
async def test_no_press_shows_a_round_whose_cards_are_secret(game: str, w: World) -> None:
    table = await match(w, game=game, **length(game, 2, 150))
    after_round = games()[game].info.seeds_after == "round"
    secret = SEALED if after_round else SEALED_MATCH
    for player in (w.ann, w.eve):
        assert secret in await player.slash("review", table=table.id)
        assert secret in await sealed(w, table, player, 1)
    table = await play(w, table)
    assert isinstance(table.phase, BetweenRounds)
    for player in (w.ann, w.eve):
        said = await player.slash("review", table=table.id)
        assert ("step 1 of" if after_round else secret) in said
    assert len(w.board().presses(Verb.REVIEW)) == after_round
    for person in table.stored.seating.people:
        await w.players[person.name].slash("start")
    table = await play(w, await dealt(w, table), 1)
    for player in (w.ann, w.eve):
        assert secret in await sealed(w, table, player, 2)
        assert secret in await player.slash("review", table=table.id, round=2)
        assert "round 2" in await player.slash("review", table=table.id, round=3)
    table = await stop(w, table)
    await w.ann.slash("review", table=table.id, round=2)
    assert "stopped here" in await go(w.ann, "last")


async def test_only_one_position_is_thought_about_at_a_time_for_each_person(w: World) -> None:
    table = await play(w, await match(w, game="sticheln"))
    shown = await tables(w).reviewed(table, 1)
    await w.ann.press_verb(w.board(), Verb.REVIEW)
    panel = w.ann.panel
    first, second = [at_ for at_ in range(shown.last) if shown.forced(at_) is None][:2]
    strong = [
        Press(Verb.REVIEW, table.id, argument=f"1|{one}|all|strong").encode()
        for one in (first, second)
    ]
    records = await w.emit_all((w.ann, panel, strong[0]), (w.ann, panel, strong[1]))
    said = [w.said(record) for record in records]
    assert sum("still thinking about another position" in one for one in said) == 1


async def test_a_forged_press_is_answered_in_words(w: World) -> None:
    table = await play(w, await match(w))
    await w.ann.slash("rules", game="aufundab")
    for argument in ("0", "1|2", "1|x|all|on", "1|0|9|on", "1|0|all|up", "1|0||on"):
        forged = Press(Verb.REVIEW, table.id, argument=argument).encode()
        assert "none of the choices" in await w.answer(w.ann, w.ann.panel, forged)
