"""The suite's judge sees what it is there to see: each kind of fault, planted."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import pytest

from bot.i18n import texts
from bot.render.hand import hand_panel
from tests.chaos.channel import Channel
from tests.chaos.reckon import due, orphans, reckon
from tests.chaos.watch import Dealt, Watch, _says_played, by_round
from tests.render.samples import find, hand_view
from tests.wire.front import Request
from tests.wire.matches import Evening, begin, evening
from tests.wire.playing import PLAYABLE
from tests.wire.test_bad_days import ready_to_press

ENDED: Final = (
    "INSERT INTO tables"
    " (id, status, created, version, guild_id, channel_id, trimmed, opener_id, document)"
    " SELECT 'ENDED', 'finished', '2000-01-01',"
    " version, guild_id, channel_id, trimmed, opener_id, document FROM tables",
    (),
)
"""Stores a table of the same channel whose match was over before that of the evening began."""


def watching(e: Evening) -> Watch:
    return Watch(e.front, e.ledger, {person.id: e.channel for person in e.people})


def sent(e: Evening, path: str, body: object, viewer: int | None, at: float | None = None) -> None:
    """The program sends that (`at`: by the loop's clock; now), as far as the judge can tell."""
    at = asyncio.get_running_loop().time() if at is None else at
    method = "PATCH" if "/messages/" in path else "POST"
    request = Request(at, 0, method, path, body, 200, 0, viewer, None, True)
    for told in list(e.front.seen):
        told(request)


async def test_an_honest_evening_is_not_suspected(tmp_path: Path) -> None:
    async with evening(tmp_path, begun=False) as e:
        watch = watching(e)
        await begin(e.wire, e.channel, e.people)
        known = await e.play(6)
        watch.look(known.id)
        assert len(watch.acknowledged) >= 5
        assert (watch.leaks, watch.unbacked, watch.illegal, watch.malformed) == ([], [], [], [])
        assert watch.looked["with cards"] > 0


async def test_a_hidden_card_is_a_leak_to_all_but_its_owner(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        watch = watching(e)
        known = watch.look(e.table().id)
        card = next(c for c in known.game.cards(known.state) if c.known_to and not c.public)
        owner = known.people[card.known_to[0]]
        other = next(user for user in known.people.values() if user != owner)
        body = {"content": f"You hold {card.card}."}
        path = f"/channels/{e.channel}/messages"
        sent(e, path, body, owner)
        assert watch.leaks == []
        sent(e, path, body, other)
        assert len(watch.leaks) == 1
        sent(e, path, body, None)
        assert len(watch.leaks) == 2


async def test_a_text_is_about_the_table_to_whose_message_it_leads(tmp_path: Path) -> None:
    """A result by direct message names no table, and may be edited while a rematch runs."""
    async with evening(tmp_path) as e:
        watch = watching(e)
        table = e.table()
        card = next(c.card for c in table.game.cards(table.state) if c.known_to and not c.public)
        board = e.wire.board(e.channel).id
        await e.program.kill()
        e.ledger.change(
            ENDED, ("UPDATE surfaces SET table_id = 'ENDED' WHERE message_id = ?", (board,))
        )
        path = f"/channels/{e.channel}/messages"
        link = f"https://discord.com/channels/1/{e.channel}/{board}"
        sent(e, path, {"content": f"Chosen: {card}", "url": link}, None)
        assert watch.leaks == []
        sent(e, path, {"content": f"Chosen: {card}", "url": link[:-1]}, None)
        assert len(watch.leaks) == 1


async def test_what_was_sent_before_a_restoration_is_of_another_future(tmp_path: Path) -> None:
    """It may arrive later than the database of before, and be read from a socket even then."""
    async with evening(tmp_path) as e:
        watch = watching(e)
        known = watch.look(e.table().id)
        card = next(c.card for c in known.game.cards(known.state) if c.known_to and not c.public)
        body, path = {"content": f"Ann plays {card}."}, f"/channels/{e.channel}/messages"
        before = asyncio.get_running_loop().time()
        watch.cut_back(())
        sent(e, path, body, None)
        watch.start()
        sent(e, path, body, None, before)
        assert watch.leaks == []
        sent(e, path, body, None)
        assert len(watch.leaks) == 1


async def test_late_suggestions_are_of_the_match_before(tmp_path: Path) -> None:
    """They name no table; to whoever did not know the card they are a leak, and so is a message."""
    async with evening(tmp_path) as e:
        watch = watching(e)
        known = watch.look(e.table().id)
        card = next(c for c in known.game.cards(known.state) if c.known_to and not c.public)
        other = next(user for seat, user in known.people.items() if seat not in card.known_to)
        await e.program.kill()
        e.ledger.change(ENDED)
        watch._rounds["ENDED"] = [Dealt({card.card}, set(), {other: {card.card}})]
        suggestions = {"type": 8, "data": {"choices": [{"name": card.card, "value": card.card}]}}
        path = "/interactions/1/token/callback"
        sent(e, path, suggestions, other)
        assert watch.leaks == []
        third = next(user for user in known.people.values() if user != other)
        message = {"type": 4, "data": {"content": f"You hold {card.card}."}}
        sent(e, path, message, other)
        assert len(watch.leaks) == 1
        watch._rounds["ENDED"] = [Dealt({card.card}, set(), {third: {card.card}})]
        sent(e, path, suggestions, other)
        assert len(watch.leaks) == 2


def test_asides_may_tell_of_two_rounds() -> None:
    """The lines before and after a deal; a card that was never shown is none of them."""
    pack = {"7-9", "3-5", "4-4"}
    rounds = [Dealt(set(pack), {"7-9"}, {1: {"4-4"}}), Dealt(set(pack), {"3-5"})]
    text = "# Round 2\n-# Cora 7-9 · Bert 3-5\n> You have already played 4-4."
    assert Watch.told_before(text, "aufundab", rounds, None) == {"7-9", "3-5"}
    assert Watch.told_before(f"{text}\n7-9", "aufundab", rounds, None) == {"3-5"}
    assert Watch.told_before(text, "aufundab", rounds, 1) == {"7-9", "3-5", "4-4"}
    assert Watch.told_before(f"{text}\n4-4", "aufundab", rounds, 1) == {"7-9", "3-5"}


def test_a_log_tells_of_the_round_before_above_the_line_of_a_deal() -> None:
    above, below = "Bert takes it: R0 is the highest", "Round 2: 13 cards each\nBert hides a card"
    assert by_round(f"{above}\n{below}") == [f"Round 1\n{above}\n", below]
    assert by_round(f"{above}\nRound 2 of 3") == [f"{above}\nRound 2 of 3"]


async def test_a_seed_is_a_leak(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        watch = watching(e)
        known = watch.look(e.table().id)
        seed = known.seeds[max(known.seeds)]
        sent(e, f"/channels/{e.channel}/messages", {"content": f"seed {seed}"}, None)
        assert len(watch.leaks) == 1


async def test_an_answer_before_the_commit_is_noticed(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        person, shown, custom_id = await ready_to_press(e)
        watch = watching(e)
        e.front.gateway.delivery = lambda event, payload: ()  # the program never hears of it
        refused = [{"type": 10, "content": "> It's not your turn."}, *shown.components]
        for first, wrong in ((refused, 0), (shown.components, 1)):
            asked = e.front.ask(*person.pressing(shown, custom_id))
            path = f"/interactions/{asked.record.id}/token/callback"
            sent(e, path, {"type": 7, "data": {"components": first}}, person.id)
            # What is drawn there later is no answer.
            sent(e, path, {"type": 7, "data": {"components": shown.components}}, person.id)
            assert len(watch.unbacked) == wrong
            e.front.settle(asked)


async def test_a_second_press_of_what_is_stored_is_as_good_as_the_first(tmp_path: Path) -> None:
    """The board shows what its person wants, and says nothing."""
    async with evening(tmp_path) as e:
        watch = watching(e)
        person, shown, custom_id = await ready_to_press(e)
        await person.press(shown, custom_id)
        e.front.gateway.delivery = lambda event, payload: ()  # the program never hears of it
        other = next(one for one in e.people if one != person)
        for who, wrong in ((person, 0), (other, 1)):
            asked = e.front.ask(*person.pressing(shown, custom_id))
            watch._doers[asked.record.id] = who.id
            path = f"/interactions/{asked.record.id}/token/callback"
            sent(e, path, {"type": 7, "data": {"components": shown.components}}, who.id)
            assert len(watch.unbacked) == wrong
            e.front.settle(asked)


async def test_what_was_denied_and_is_stored_is_noticed(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        watch = watching(e)
        known = await e.play(3)
        number = next(line.interaction for line in known.log if line.interaction is not None)
        assert reckon(watch, e.ledger, e.wire, []).denied == []
        watch._attempts.add(number)
        path = f"/interactions/{number}/token/callback"
        refused = [{"type": 10, "content": "> " + texts("en").get("table.error.not_stored")}]
        sent(e, path, {"type": 7, "data": {"components": refused}}, e.people[0].id)
        assert reckon(watch, e.ledger, e.wire, []).denied == [f"denied: {number} is stored"]


@pytest.mark.parametrize("notice", ["", "You have already played 5."])
def test_a_hand_that_says_why_a_press_did_nothing_is_no_acknowledgement(notice: str) -> None:
    """Wherever on it the sentence stands."""
    state, seat = find(lambda layout: bool(layout.controls))
    hand = replace(hand_view(state, seat), notice=notice or None)
    assert _says_played(list(hand_panel(hand, texts("en")).components)) == (not notice)


async def test_orphans_are_found_with_what_is_stored_of_their_table(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        table = e.table().id
        asked = await e.asked()
        await e.wire.until(lambda: any(p.presses(*PLAYABLE) for p in asked.dms()) or None)
        await e.program.kill()
        channel = cast(Channel, SimpleNamespace(id=e.channel, people=e.people))
        assert orphans(e.wire, [channel], e.ledger, [str(table)]) == []

        first, board = e.wire.messages(e.channel)
        e.wire.message(first).components = e.wire.message(board).components
        (twice,) = orphans(e.wire, [channel], e.ledger, [str(table)])
        assert f"messages of {table}" in twice
        assert "'kind': 'board'" in twice

        e.wire.message(first).components = []
        e.ledger.change(("DELETE FROM surfaces WHERE kind NOT IN ('board', 'hand')", ()))
        assert due(e.ledger) == 0
        e.ledger.change(("UPDATE tables SET status = 'stopped' WHERE id = ?", (table,)))
        (hand,) = orphans(e.wire, [channel], e.ledger, [str(table)])
        assert f"{asked.name}'s hand" in hand
        assert due(e.ledger) > 0
