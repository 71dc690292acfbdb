"""Kaiserspiel at the table: seats by team, the raise dialogue, passing for the whole deal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.i18n import texts
from bot.render.blocks import NEWS_LINES
from bot.render.custom_ids import Verb
from bot.render.hand import hand_panel, with_dimmed_cards
from bot.render.message import picture_file
from bot.render.seats import to_act
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from bot.views.building import hand_view
from engine.games.kaiserspiel.layout import lost_by_passing
from engine.games.kaiserspiel.state import View
from tests.discord.steps import actor, first, legal, match, reach, sitter, tables
from tests.discord.world import Shown, World, world
from tests.render.limits import text

SILENT = ("pass", "accept", "stay")
TWO_SECONDS = 2.0


def passes_by_standing(table: Table) -> bool:
    """Whether whoever is asked could pass for the whole deal."""
    return table.game.standing_action(table.observe(table.actors[0])) is not None


def asked(seat: int) -> Callable[[Table], bool]:
    """Whether that seat is asked."""
    return lambda table: table.actors[0] == seat


def at_ply(ply: int) -> Callable[[Table], bool]:
    return lambda table: table.ply == ply


def answer_due(table: Table) -> bool:
    """Whether an offer waits for its answer."""
    return set(legal(table)) == {"accept", "resign"}


def act_button(shown: Shown, action: str) -> str:
    """The button of that action, which must be there."""
    (found,) = [press for press, _ in shown.presses(Verb.ACT) if press.argument == action]
    return found.encode()


async def begin(w: World, *, dms: bool = True) -> Table:
    return await match(w, game="kaiserspiel", dms=dms, target=150)


@pytest.mark.behaviour("Somebody presses what gives something up")
@pytest.mark.deals(4)
async def test_resigning_on_the_board_is_asked_about_only_to_the_captain(w: World) -> None:
    table = await reach(w, await begin(w), answer_due, ["kaiser", "raise 3"])
    captain = actor(w, table)
    board, button = w.board(), act_button(w.board(), "resign")
    for other in w.players.values():
        if other is not captain:
            assert f"It's {captain.name}'s turn" in await w.answer(other, board, button)
    said = await captain.press(board, button)
    assert "Resign?" in said
    assert "Resign?" not in w.board().text
    await captain.press_verb(captain.panel, Verb.ACT_NOW)
    assert (await w.table()).log[-1].text == "resign"
    said = await w.answer(captain, captain.panel, button)
    assert "You have already answered that." in said


@pytest.mark.behaviour("Somebody presses what gives something up")
@pytest.mark.deals(4)
async def test_a_pass_that_loses_a_kaiser_is_asked_about_only_to_its_owner(w: World) -> None:
    """On the board, where nobody sees that there is one."""

    def loses(table: Table) -> bool:
        view = table.observe(table.actors[0])
        assert isinstance(view, View)
        return lost_by_passing(view) != 0

    table = await reach(w, await begin(w), loses, SILENT)
    owner, before = actor(w, table), w.board().text
    for _ in range(2):
        said = await owner.press(w.board(), act_button(w.board(), "pass"))
        assert "Pass?" in said
        assert "ordinary card for the rest of the round" in said
        assert w.board().text == before
    assert (await w.table()).ply == table.ply
    await owner.press_verb(owner.panel, Verb.ACT_NOW)
    assert (await w.table()).log[table.ply].text == "pass"


@pytest.mark.deals(4)
async def test_where_all_act_at_once_a_hand_says_of_its_owner_alone_that_they_have_to(
    w: World,
) -> None:
    """It is not drawn anew when the others have."""

    def several(table: Table) -> bool:
        return len(table.actors) > 1

    table = await reach(w, await begin(w), several, SILENT)
    for seat in table.actors:
        view = hand_view(table, sitter(table, seat), None)
        assert view is not None
        assert to_act(with_dimmed_cards(view)) == (seat,)
        marked = [line for line in text(hand_panel(view, texts("en"))).splitlines() if "…" in line]
        assert len(marked) == 1, "the line of its owner"


@pytest.mark.deals(5)
async def test_passing_for_the_whole_deal_answers_now_and_two_seconds_after_each_question(
    w: World,
) -> None:
    table = await reach(w, await begin(w), passes_by_standing, SILENT)
    silent, seat = actor(w, table), table.actors[0]
    await silent.press(silent.dm(), silent.dm().only(Verb.STANDING))
    table = await w.table()
    assert (table.log[-1].seat, table.log[-1].text) == (seat, "pass")
    assert silent.id in table.stored.votes.standing
    table = await reach(w, table, asked(seat), SILENT)
    assert table.answers_itself(seat), "asked again in the same deal"
    posts = w.sent("POST", f"/channels/{silent.user.dm_channel.id}/messages")
    assert silent.name in w.board().text.splitlines()[0], "to the others it is a question"
    deadline = next(d.due for d in table.stored.timing.deadlines if d.kind == "standing")
    await w.env.advance_time(max(0.0, (deadline - w.now()).total_seconds() - 0.2))
    assert (await w.table()).ply == table.ply
    await w.env.advance_time(0.5)
    now = await w.table()
    assert (now.log[table.ply].seat, now.log[table.ply].text) == (seat, "pass")
    asked_at, answered_at = (now.log[table.ply - 1].at, now.log[table.ply].at)
    assert (answered_at - asked_at).total_seconds() >= TWO_SECONDS
    after = w.sent("POST", f"/channels/{silent.user.dm_channel.id}/messages")
    assert after == posts, "nobody is called to a question that answers itself"


@pytest.mark.deals(6)
async def test_it_is_taken_back_by_one_press(w: World) -> None:
    table = await reach(w, await begin(w), passes_by_standing, SILENT)
    silent, seat = actor(w, table), table.actors[0]
    await silent.press(silent.dm(), silent.dm().only(Verb.STANDING))
    (undo,) = [press for press, _ in silent.dm().presses(Verb.STANDING)]
    assert undo.argument == "0"
    table = await reach(w, await w.table(), asked(seat), SILENT)
    assert table.answers_itself(seat)
    await silent.press(silent.dm(), undo.encode())
    await w.env.advance_time(10)
    now = await w.table()
    assert now.ply == table.ply
    assert now.actors == (seat,)
    offered = [press.argument for press, _ in silent.dm().presses(Verb.ACT)]
    assert "pass" in offered
    await silent.press(silent.dm(), act_button(silent.dm(), "pass"))
    assert (await w.table()).ply == table.ply + 1


async def test_two_kinds_of_people_at_the_same_question_look_the_same(tmp_path: Path) -> None:
    """What the board tells while somebody is asked does not say whether they passed for good."""
    boards, ply = [], 0
    for standing in (True, False):
        async with world(tmp_path / str(standing), 4, 10) as w:
            table = await reach(w, await begin(w, dms=False), passes_by_standing, SILENT)
            silent, seat = actor(w, table), table.actors[0]
            panel = await silent.hand()
            if standing:
                await silent.press(panel, panel.only(Verb.STANDING))
            else:
                await silent.press(panel, act_button(panel, "pass"))
            there = at_ply(ply) if ply else asked(seat)
            table = await reach(w, await w.table(), there, SILENT)
            ply = table.ply
            assert table.actors == (seat,)
            assert table.answers_itself(seat) == standing
            await w.env.advance_time(0.3)
            assert (await w.table()).ply == ply
            boards.append(w.board().text)
    assert boards[0] == boards[1]


async def test_an_answer_to_ones_offer_is_told_after_whatever_cards_came(w: World) -> None:
    """Open cards, cards for each and who has no Kaiser are more events than a hand has lines."""

    def answered(table: Table) -> bool:
        told = table.told_since(table.actors[0])
        codes = [one.code for one in told]
        return codes[:2] == ["called", "accepted_worth"] and len(codes) > 1 + NEWS_LINES

    table = await reach(w, await begin(w), answered, ["threeup", "accept", "pass"])
    view = hand_view(table, actor(w, table).id, None)
    assert view is not None
    for picture in (None, picture_file(b"")):
        assert " accepts: now worth " in text(hand_panel(view, texts("en"), picture))


@pytest.mark.behaviour("Somebody leaves")
async def test_a_free_seat_in_the_pause_shows_nothing_of_the_round_to_whoever_takes_it(
    w: World,
) -> None:
    thrown = "You threw out"
    table = await begin(w)

    async def play_the_round() -> None:
        now = await tables(w).table(table.id)
        while now.actors:
            seat = now.actors[0]
            wished = [one for one in now.legal_texts(seat) if one in SILENT]
            by, said = sitter(now, seat), (wished or [first(now)])[0]
            now = await tables(w).act(now.id, None, by, said, None)

    await w.directly(play_the_round())
    assert isinstance((await w.table()).phase, BetweenRounds)
    assert thrown in await w.dan.slash("hand")
    await w.directly(tables(w).leave(table.id, w.dan.id))
    await w.directly(tables(w).leave(table.id, w.ann.id))
    for newcomer in (w.ann, w.eve):
        assert "You have seat 4" in await newcomer.slash("seat take", seat=4)
        assert thrown not in await newcomer.slash("hand")
        assert thrown not in "".join(shown.text for shown in w.eve.dms())
        await w.directly(tables(w).leave(table.id, newcomer.id))
    assert "You have seat 1" in await w.ann.slash("join"), "their own"
    assert thrown in await w.ann.slash("hand")
    assert "You have seat 4" in await w.dan.slash("join")
    assert thrown in await w.dan.slash("hand")
