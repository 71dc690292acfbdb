"""Kaiserspiel at the table: seats by team, the raise dialogue, passing for the whole deal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import ByPerson, Table
from bot.tables.phase import Pause
from bot.tables.stored import Status
from tests.discord.steps import actor, first, legal, lobby, match, reach, sitter, tables
from tests.discord.world import Player, Shown, World, walk, world

SEATED = ("Ann", "Ben", "Cat", "Dan")
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


def dm(player: Player) -> Shown:
    shown = player.dm()
    assert shown is not None
    return shown


def act_button(shown: Shown, action: str) -> str:
    """The button of that action, which must be there, whether or not it asks first."""
    (found,) = [press for press, _ in shown.presses(Verb.ACT, Verb.ASK) if press.argument == action]
    return found.encode()


async def begin(w: World, *, dms: bool = True) -> Table:
    return await match(w, *SEATED, game="kaiserspiel", dms=dms, target=150)


# Teams


@pytest.mark.nightly
async def test_seats_are_chosen_by_team_and_the_host_swaps(tmp_path: Path) -> None:
    async with world(tmp_path, 4) as w:
        await lobby(w, "Ann", "Ben", seats=4, game="kaiserspiel")
        menu = w.board().only(Verb.SIT)
        options = [
            option
            for component in walk(w.board().components)
            if component.get("custom_id") == menu
            for option in component["options"]
        ]
        assert all("Team" in option["label"] for option in options)
        await w.cat.choose(w.board(), menu, "2")
        assert (await w.table()).stored.seating.place_of(w.cat.id) == 2
        assert "Somebody already has that seat" in await w.answer(
            w.cat, w.board(), menu, 3, values=["1"]
        )
        await w.ann.choose(w.board(), w.board().only(Verb.SIT), "1")
        stored = (await w.table()).stored
        assert [stored.seating.place_of(w.players[name].id) for name in SEATED[:3]] == [1, 0, 2]
        assert stored.seating.host == w.ann.id
        text = w.board().text
        first, second = text.index("Team 1"), text.index("Team 2")
        assert first < text.index("**Ben**") < second
        assert first < text.index("**Cat**") < second
        assert second < text.index("**Ann**")
        await w.dan.press_verb(w.board(), Verb.JOIN)
        await w.ann.slash("start")
        await w.env.advance_time(6)
        table = await w.table()
        assert table.stored.status is Status.RUNNING
        assert (await w.ben.hand()).text.count("partner") == 1


@pytest.mark.nightly
async def test_it_takes_four(tmp_path: Path) -> None:
    async with world(tmp_path, 3) as w:
        await lobby(w, "Ann", "Ben", "Cat", seats=4, game="kaiserspiel")
        assert "It takes 4 people to start" in await w.ann.slash("start")
        said = await w.ann.slash("newgame", game="kaiserspiel", seats=3)
        assert "exactly 4 people" in said
        assert len(w.boards()) == 1


# The dialogue of raises


async def test_a_restart_at_every_step_of_a_raise(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 3) as w:
        table = await begin(w)
        table = await reach(
            w, table, lambda t: legal(t)[0].startswith("raise"), ["kaiser", *SILENT]
        )
        value = "play for"
        for action in ("raise 1", "accept", "lift", "accept"):
            captain = actor(w, table)
            panel = dm(captain)
            before = w.sent("POST")
            await w.restart()
            await w.env.advance_time(3)
            assert w.sent("POST") == before, "nothing is posted anew"
            assert captain.name in w.board().text
            offered = [press.argument for press, _ in dm(captain).presses(Verb.ACT, Verb.ASK)]
            assert sorted(offered) == sorted(legal(table))
            if action in ("accept", "lift"):
                assert value in panel.text, "what it costs is said in words"
            for other in w.players.values():
                if other is not captain:
                    said = await w.answer(other, w.board(), act_button(panel, action))
                    assert f"It's {captain.name}'s turn" in said
            suggested = await captain.actor.autocomplete(w.channel, "play", "action", "")
            prices = {choice["value"]: choice["name"] for choice in suggested}
            assert set(prices) == set(legal(table))
            assert action not in ("accept", "lift") or value in prices[action]
            await w.answer(captain, panel, act_button(panel, action))
            now = await w.table()
            assert now.log[-1].text == action
            assert now.ply == table.ply + 1
            table = now


@pytest.mark.nightly
async def test_the_price_of_resigning_stands_on_the_button(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 4) as w:
        table = await reach(w, await begin(w), answer_due, ["kaiser", "raise 3"])
        captain = actor(w, table)
        (label,) = [
            component["label"]
            for press, component in dm(captain).presses(Verb.ASK)
            if press.argument == "resign"
        ]
        assert "4" in label
        await captain.press(dm(captain), act_button(dm(captain), "resign"))
        assert "The other side scores 4 points and the round is over." in dm(captain).text
        assert (await w.table()).ply == table.ply, "asked, not done"
        await captain.press_verb(dm(captain), Verb.OPEN)
        assert dm(captain).presses(Verb.ACT), "and taken back"
        await captain.press(dm(captain), act_button(dm(captain), "resign"))
        await captain.press_verb(dm(captain), Verb.ACT)
        table = await w.table()
        assert isinstance(table.phase, Pause)
        assert sorted(table.phase.points) == [0, 0, 4, 4]


async def test_resigning_on_the_board_is_asked_about_only_to_the_captain(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 4) as w:
        table = await reach(w, await begin(w), answer_due, ["kaiser", "raise 3"])
        captain = actor(w, table)
        board, button = w.board(), act_button(w.board(), "resign")
        for other in w.players.values():
            if other is not captain:
                assert f"It's {captain.name}'s turn" in await w.answer(other, board, button)
        said = await captain.press(board, button)
        assert "Resign?" in said
        assert "Resign?" not in w.board().text
        assert captain.panel is not None
        await captain.press_verb(captain.panel, Verb.ACT)
        assert (await w.table()).log[-1].text == "resign"
        said = await w.answer(captain, captain.panel, button)
        assert "You have already answered that." in said


# Passing for the whole deal


async def test_passing_for_the_whole_deal_answers_now_and_two_seconds_after_each_question(
    tmp_path: Path,
) -> None:
    async with world(tmp_path, 4, 5) as w:
        table = await reach(w, await begin(w), passes_by_standing, SILENT)
        silent, seat = actor(w, table), table.actors[0]
        await silent.press(dm(silent), dm(silent).only(Verb.STANDING))
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


async def test_it_is_taken_back_by_one_press(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 6) as w:
        table = await reach(w, await begin(w), passes_by_standing, SILENT)
        silent, seat = actor(w, table), table.actors[0]
        await silent.press(dm(silent), dm(silent).only(Verb.STANDING))
        (undo,) = [press for press, _ in dm(silent).presses(Verb.STANDING)]
        assert undo.argument == "0"
        table = await reach(w, await w.table(), asked(seat), SILENT)
        assert table.answers_itself(seat)
        await silent.press(dm(silent), undo.encode())
        await w.env.advance_time(10)
        now = await w.table()
        assert now.ply == table.ply
        assert now.actors == (seat,)
        offered = [press.argument for press, _ in dm(silent).presses(Verb.ACT)]
        assert "pass" in offered
        await silent.press(dm(silent), act_button(dm(silent), "pass"))
        assert (await w.table()).ply == table.ply + 1


@pytest.mark.nightly
async def test_an_offer_is_put_all_the_same(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 7) as w:

        def first_captain(table: Table) -> bool:
            return set(legal(table)) == {"pass", "threeup"}

        table = await reach(w, await begin(w), first_captain, SILENT)
        silent, seat = actor(w, table), table.actors[0]
        await silent.press(dm(silent), dm(silent).only(Verb.STANDING))
        table = await reach(w, await w.table(), first_captain, SILENT)
        other = actor(w, table)
        assert other is not silent
        await other.press(dm(other), act_button(dm(other), "threeup"))
        table = await w.table()
        assert table.actors == (seat,)
        assert answer_due(table)
        await w.env.advance_time(20)
        assert (await w.table()).ply == table.ply
        assert {press.argument for press, _ in dm(silent).presses(Verb.ACT, Verb.ASK)} == {
            "accept",
            "resign",
        }
        await silent.press(dm(silent), act_button(dm(silent), "accept"))
        assert (await w.table()).log[table.ply].text == "accept"


@pytest.mark.nightly
async def test_it_outlives_a_restart_and_ends_with_the_deal(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 8) as w:
        table = await reach(w, await begin(w), passes_by_standing, SILENT)
        silent, seat = actor(w, table), table.actors[0]
        await silent.press(dm(silent), dm(silent).only(Verb.STANDING))
        table = await reach(w, await w.table(), asked(seat), SILENT)
        await w.restart()
        await w.env.advance_time(5)
        now = await w.table()
        assert (now.log[table.ply].seat, now.log[table.ply].text) == (seat, "pass")
        table = await reach(w, now, lambda t: t.round > table.round, SILENT)
        assert table.stored.votes.standing == frozenset()


@pytest.mark.nightly
async def test_only_whoever_sits_there_passes_and_old_buttons_do_not_hold(tmp_path: Path) -> None:
    async with world(tmp_path, 5, 9) as w:
        table = await reach(w, await begin(w), passes_by_standing, SILENT)
        silent = actor(w, table)
        button = dm(silent).only(Verb.STANDING)
        forged = Press(Verb.STANDING, table.id, table.questions[table.actors[0]], "nonsense")
        for custom_id in (button, forged.encode()):
            said = await w.answer(w.eve, w.board(), custom_id)
            assert "You are not at this table" in said
        panel = dm(silent)
        later = await reach(w, table, lambda t: t.round > table.round, SILENT)
        said = await w.answer(silent, w.board(), button)
        assert "moved on" in said
        now = await w.table()
        assert now.stored.votes.standing == frozenset()
        assert now.ply == later.ply
        assert panel.text


@pytest.mark.nightly
async def test_a_button_of_an_earlier_deal_holds_for_no_other_even_from_a_hand_not_asked(
    tmp_path: Path,
) -> None:
    async with world(tmp_path, 4, 11) as w:
        table = await begin(w, dms=False)
        waiting = next(p for p in w.players.values() if p is not actor(w, table))
        panel = await waiting.hand()
        button = panel.only(Verb.STANDING)
        seat = table.stored.seating.place_of(waiting.id)
        assert seat is not None
        await reach(w, table, lambda t: t.round > table.round, SILENT)
        later = await reach(w, await w.table(), asked(seat), SILENT)
        # The panel itself was settled; a press on it may still be on its way.
        said = await w.answer(waiting, panel, button)
        assert "moved on" in said
        now = await w.table()
        assert now.stored.votes.standing == frozenset()
        assert now.ply == later.ply


@pytest.mark.nightly
async def test_a_hand_not_asked_answers_no_question_that_it_does_not_show(tmp_path: Path) -> None:
    async with world(tmp_path, 4, 12) as w:
        table = await begin(w, dms=False)
        waiting = next(p for p in w.players.values() if p is not actor(w, table))
        panel = await waiting.hand()
        seat = table.stored.seating.place_of(waiting.id)
        assert seat is not None
        later = await reach(w, table, asked(seat), SILENT)
        assert passes_by_standing(later)
        # Pressed in the moment in which the hand comes alive.
        w.emit(waiting, panel, panel.only(Verb.STANDING))
        await w.env.settle()
        now = await w.table()
        assert waiting.id in now.stored.votes.standing
        assert now.ply == later.ply, "there is time to take it back"
        await w.env.advance_time(3)
        now = await w.table()
        assert (now.log[later.ply].seat, now.log[later.ply].text) == (seat, "pass")


async def test_two_kinds_of_people_at_the_same_question_look_the_same(tmp_path: Path) -> None:
    """What the board tells while somebody is asked does not say whether they passed for good."""
    boards, ply = [], 0
    for standing in (True, False):
        folder = tmp_path / str(standing)
        folder.mkdir()
        async with world(folder, 4, 10) as w:
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


# Changing seats between two rounds


@pytest.mark.behaviour("Somebody leaves")
async def test_a_free_seat_in_the_pause_shows_nothing_of_the_round_to_whoever_takes_it(
    tmp_path: Path,
) -> None:
    thrown = "You threw out"
    async with world(tmp_path, 5) as w:
        table = await match(w, *SEATED, game="kaiserspiel", dms=True, target=150)

        async def play_the_round() -> None:
            now = await tables(w).table(table.id)
            while now.actors:
                seat = now.actors[0]
                wished = [text for text in now.legal_texts(seat) if text in SILENT]
                by, text = ByPerson(sitter(now, seat)), (wished or [first(now)])[0]
                now = await tables(w).act(now.id, None, by, text, None)

        await w.directly(play_the_round())
        assert isinstance((await w.table()).phase, Pause)
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
