"""No panel lies: whoever is asked sees it on every hand of theirs, with the buttons; and wherever
a question is answered, no surface of that person asks it any more.
"""

from __future__ import annotations

import random

import pytest

from bot.i18n import HYPHEN, texts
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Round
from bot.tables.stored import Pace
from engine.layout import Act
from engine.registry import games
from tests.discord.figures import plain
from tests.discord.steps import match
from tests.discord.ways import act_in_dm, press_something
from tests.discord.world import Player, Shown, World

ASKING = (Verb.ACT, Verb.OPEN, Verb.COMBINE)
OF_THE_MATCH = (*ASKING, Verb.STANDING, Verb.NEXT, Verb.HAND, Verb.BACK, Verb.CUT)


def hands(w: World, player: Player) -> list[Shown]:
    """The private hands of this person in the channel."""
    return [one for one in w.whispers(player) if is_hand(one)]


def is_hand(shown: Shown) -> bool:
    return bool(shown.presses(*ASKING, Verb.HAND, Verb.NEXT))


def lies(w: World, table: Table, player: Player) -> list[str]:
    """What on this person's surfaces asks what is not asked of them."""
    seat = table.stored.seating.place_of(player.id)
    open_ = table.questions.get(seat) if seat is not None else None
    now = table.phase.question if isinstance(table.phase, BetweenRounds) else None
    found = []
    for shown in (*player.dms(), *w.whispers(player)):
        found += [
            press.encode()
            for press, _ in shown.presses(*ASKING, Verb.NEXT)
            if press.question != (now if press.verb is Verb.NEXT else open_)
        ]
    return found


def silent(w: World, table: Table, player: Player) -> list[str]:
    """This person's hands that do not ask what they are asked, or lack a button for it."""
    seat = table.stored.seating.place_of(player.id)
    if seat is None or seat not in table.asked:
        return []
    layout = table.game.layout(table.seen_by(player.id))
    names = [place.person.name for place in table.stored.seating.places if place.person]
    assert layout.asks is not None
    asks = texts("en").phrase(table.stored.game, layout.asks, names).replace(HYPHEN, "-")
    needed = {act.action for act in layout.controls if isinstance(act, Act) and not act.cards}
    found = []
    for shown in (*(one for one in player.dms() if is_hand(one)), *hands(w, player)):
        pressed = {press.argument for press, _ in shown.presses(*ASKING)}
        if f"## Your turn: {asks}" not in shown.text.splitlines() or not pressed:
            found.append(shown.text)
        elif needed - pressed:
            found.append(f"{needed - pressed} cannot be pressed on\n{shown.text}")
    return found


def named(w: World, player: Player) -> list[str]:
    """First lines of this person's hands that name somebody's turn: soon it is another's."""
    alive = [*(one for one in player.dms() if is_hand(one)), *hands(w, player)]
    asked = [one for one in alive if one.presses(*ASKING)]
    return [one.text.splitlines()[0] for one in alive if one not in asked and "'s turn" in one.text]


async def answer_somewhere(w: World, player: Player, rng: random.Random, *, dms: bool) -> None:
    """Answers in the DM, on the hand that is open, on a new one, or by a command."""
    match rng.randrange(0 if dms else 1, 4):
        case 0:
            await act_in_dm(player, rng)
        case 1:
            await press_something(player, hands(w, player)[0], rng)
        case 2:
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


@pytest.mark.parametrize("plies", [20, pytest.param(200, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("company", ["by DM", "in the channel", "computers"])
@pytest.mark.parametrize("game", games())
@pytest.mark.every_case
@pytest.mark.behaviour("Somebody is asked who has a hand open")
@pytest.mark.behaviour("What a hand asks is answered elsewhere")
async def test_after_an_answer_every_hand_of_everybody_asks_what_they_are_asked(
    game: str, company: str, plies: int, w: World
) -> None:
    """Whichever way somebody answers: each of their hands and those of the others say so."""
    dms = company == "by DM"
    if company == "computers":
        w.computers.say, others = plain, games()[game].info.seats[0] - 1
        w.close_dms(w.ann)
        await w.ann.slash("newgame", game=game, seats=others + 1, computers=f"{others} normal")
        await w.ann.slash("start")
        await w.env.advance_time(10)
    else:
        await match(w, game=game, dms=dms)
    rng, asking = random.Random(game), 0
    people = [w.players[person.name] for person in (await w.table()).stored.seating.people]
    for player in people:
        await player.hand()
    for _ in range(plies):
        if asked := await w.actors():
            await w.env.advance_time(1)  # until what they are asked since this moment is drawn
            await answer_somewhere(w, rng.choice(asked), rng, dms=dms)
        elif isinstance((await w.table()).phase, BetweenRounds):
            for player in people:
                await player.slash("start")
        await w.env.advance_time(5)
        table = await w.table()
        if table.computing or not isinstance(table.phase, Round):
            continue
        await w.env.advance_time(1)
        for one in people:
            assert lies(w, table, one) == []
            assert silent(w, table, one) == []
            assert named(w, one) == []
            assert len(hands(w, one)) <= 1, "at most one private hand of each is alive"
            asking += sum(bool(each.presses(*ASKING)) for each in hands(w, one))
    assert asking > 2


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
        said = "You win" if place == 1 else f"Place {place} of 3"
        shown = texts("en").get("seat.points", count=points)
        headline = f"## {said} · {shown}\n"
        (hand,) = [one for one in player.dms() if one.text.startswith(headline)]
        assert "Your last round" not in hand.text, "there was but one"
        assert "To the result" in hand.text
        for message in (*player.dms(), *w.whispers(player)):
            assert message.presses(*OF_THE_MATCH) == []
