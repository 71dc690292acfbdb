"""No panel lies: wherever a question is answered, no surface of that person asks it any more."""

from __future__ import annotations

import random

import pytest

from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.phase import Pause
from bot.tables.stored import Pace
from engine.registry import games
from tests.discord.steps import match
from tests.discord.ways import act_in_dm, press_something
from tests.discord.world import Player, Shown, World

ASKING = (Verb.ACT, Verb.OPEN, Verb.COMBINE)
OF_THE_MATCH = (*ASKING, Verb.STANDING, Verb.NEXT, Verb.HAND, Verb.BACK, Verb.CUT)


def hands(w: World, player: Player) -> list[Shown]:
    """The private hands of this person in the channel."""
    return [one for one in w.whispers(player) if one.presses(*ASKING, Verb.HAND, Verb.NEXT)]


def lies(w: World, table: Table, player: Player) -> list[str]:
    """What on this person's surfaces asks what is not asked of them."""
    seat = table.stored.seating.place_of(player.id)
    open_ = table.questions.get(seat) if seat is not None else None
    now = table.phase.question if isinstance(table.phase, Pause) else None
    found = []
    for shown in (*player.dms(), *w.whispers(player)):
        found += [
            press.encode()
            for press, _ in shown.presses(*ASKING, Verb.NEXT)
            if press.question != (now if press.verb is Verb.NEXT else open_)
        ]
    return found


async def answer_somewhere(w: World, player: Player, rng: random.Random) -> None:
    """Answers in the DM, on *My hand*, by a command, or twice: the other surfaces stay behind."""
    match rng.randrange(3):
        case 0:
            await act_in_dm(player, rng)
        case 1:
            panel = await player.hand()
            await press_something(player, panel, rng)
        case _:
            await player.slash("play", action=rng.choice(await player.legal()))


@pytest.mark.nightly
async def test_a_second_press_is_told_what_was_played(w: World) -> None:
    table = await match(w, game="auffalscherfaehrte", dms=True)
    (panel,) = [one for one in w.ann.dms() if one.presses(*ASKING)]
    (press, _), (other, _), *_ = panel.presses(Verb.ACT)
    await w.ann.press(panel, press.encode())
    said = await w.answer(w.ann, panel, other.encode())
    card = press.argument.split()[1]
    name = texts("en").card("auffalscherfaehrte", card)
    assert f"> You have already chosen {name}." in said
    await w.ben.slash("play", action=(await w.ben.legal())[0])
    await w.cat.slash("play", action=(await w.cat.legal())[0])
    (player,) = await w.actors()
    await w.env.advance_time(1)
    (panel,) = [one for one in player.dms() if one.presses(*ASKING)]
    (press, _), *_ = panel.presses(Verb.ACT)
    await player.press(panel, press.encode())
    said = await w.answer(player, panel, press.encode())
    name = texts("en").card("auffalscherfaehrte", press.argument.split()[1])
    assert f"> You have already played {name}." in said
    assert table.id == (await w.table()).id


@pytest.mark.parametrize("game", games())
@pytest.mark.behaviour("What a hand asks is answered elsewhere")
async def test_after_an_answer_no_surface_of_anybody_asks_what_is_over(game: str, w: World) -> None:
    table = await match(w, game=game, dms=True)
    rng, seen = random.Random(game), 0
    for _ in range(14):
        asked = await w.actors()
        if not asked:
            break
        player = rng.choice(asked)
        await player.hand()
        await answer_somewhere(w, player, rng)
        await w.env.advance_time(5)
        table = await w.table()
        for one in w.players.values():
            assert lies(w, table, one) == []
            assert len(hands(w, one)) <= 1, "at most one private hand of each is alive"
            seen += len(w.whispers(one))
    assert seen


@pytest.mark.behaviour("What a hand asks is answered elsewhere")
async def test_what_the_clock_or_a_stand_in_answers_is_asked_no_more(w: World) -> None:
    await match(w, game="sticheln", dms=True, pace=Pace.LIVE60)
    await w.ann.hand()
    await w.env.advance_time(70)
    table = await w.table()
    for player in w.players.values():
        assert lies(w, table, player) == []


@pytest.mark.behaviour("What a hand asks is answered elsewhere")
async def test_at_the_end_everybodys_dm_shows_the_result_and_no_button_of_the_match(
    w: World,
) -> None:
    await match(w, game="auffalscherfaehrte", dms=True)
    rng = random.Random(3)
    while asked := await w.actors():
        player = asked[0]
        if rng.randrange(4):
            await player.slash("play", action=rng.choice(await player.legal()))
        else:
            await act_in_dm(player, rng)
    await w.cat.press_verb(w.board(), Verb.MORE)
    await w.env.advance_time(5)
    table = await w.table()
    assert table.stored.outcome is not None
    for seat, player in enumerate(w.players.values()):
        place, points = table.stored.outcome.ranking[seat], table.stored.outcome.scores[seat]
        said = "You win" if place == 1 else f"You are number {place} of 3"
        shown = texts("en").get("seat.points", count=points)
        (hand,) = [one for one in player.dms() if "Your last round" in one.text]
        assert hand.text.startswith(f"## {said} · {shown}\n")
        assert "To the result" in hand.text
        for message in (*player.dms(), *w.whispers(player)):
            assert message.presses(*OF_THE_MATCH) == []
