"""Customs of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from bot.ids import ChannelId
from bot.tables.customs import USUAL_CUSTOMS, Customs, offered
from bot.tables.model import Table
from bot.tables.new_tables import rematch
from bot.tables.phase import BetweenRounds
from bot.tables.plans import Wish
from bot.tables.stored import Actor, DeadlineKind, Pace, Person
from bot.tables.waiting import SELF_ANSWER_TIME
from engine.game import NotationError
from engine.games.aufundab.cards import UP
from engine.players.levels import Level
from engine.registry import games
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, GUILD, House, deadline_of, refused
from tests.tables.test_rematch import over

PEOPLE: Final = (ANN, BEN, CAT, DAN)


async def test_a_rematch_keeps_the_customs(house: House) -> None:
    old = await over(house)
    chosen = Customs(hints=False, forced=True)
    old = replace(old, stored=replace(old.stored, customs=chosen))
    new = rematch(house.chance.table_id(), old, ANN, 0, "en", house.chance.seed(), house.clock())
    assert new.customs == chosen


def test_what_is_not_as_usual_is_told_if_it_changes_anything() -> None:
    assert USUAL_CUSTOMS.told == ()
    assert Customs(hints=False, rotates=True).told == (("hints", False), ("rotates", True))
    assert Customs(drawn=True, rotates=True).told == (("drawn", True),), "lots go before"


# Passing by itself


async def auf_und_ab(customs: Customs) -> tuple[House, Table]:
    """A match of Auf und Ab by the door, with these customs."""
    return await real("aufundab", customs, hands=1)


async def real(game: str, customs: Customs, **given: int) -> tuple[House, Table]:
    """A match of that game for as few as play it, with these customs."""
    people = PEOPLE[: games()[game].info.seats[0]]
    house = House(games=games())
    table = await house.service.open(
        Wish(game, len(people), given, customs=customs), GUILD, ChannelId(CHANNEL), ANN
    )
    for person in people[1:]:
        await house.service.sit(table.id, person)
    return house, await house.begin(table.id)


def legal(table: Table) -> tuple[str, ...]:
    (seat,) = table.actors
    return tuple(islice(table.legal_texts(seat), 2))


async def played_on(house: House, table: Table, by_itself: bool) -> Iterator[Table]:
    """The match to the end of its round: people play what they may, and never pass.

    Before each play, the table as it stood.
    """
    seen = []
    while table.actors:
        seen.append(table)
        (seat,) = table.actors
        options = [text for text in table.legal_texts(seat) if text != "pass"]
        if by_itself and not options:
            house.clock.now += SELF_ANSWER_TIME
            await house.service.deadlines.fire_due()
            table = await house.service.table(table.id)
            continue
        person = (ANN, BEN, CAT)[seat]
        text = options[len(options) // 2] if options else "pass"
        table = await house.service.act(table.id, None, person.id, text, None)
    return iter(seen)


async def test_by_custom_whoever_can_only_pass_does_so_by_itself_and_nobody_else() -> None:
    house, table = await auf_und_ab(Customs(passes=True))
    passed = 0
    for now in await played_on(house, table, by_itself=True):
        waits = now.stored.timing.deadline(DeadlineKind.SELF_ANSWER)
        if legal(now) == ("pass",):
            passed += 1
            assert now.asked == ()
            assert waits is not None
        else:
            assert now.asked == now.actors
            assert waits is None, "whoever could play anything is asked"
    log = (await house.service.table(table.id)).log
    answers = [entry for entry in log if entry.by is Actor.STANDING]
    assert len(answers) == passed > 3
    assert {entry.text for entry in answers} == {"pass"}


async def test_what_passed_by_itself_hides_nothing_that_came_since_ones_own_answer() -> None:
    """Nobody looked then: the next question tells of all since their last press."""
    house, table = await auf_und_ab(Customs(passes=True))
    answered: dict[int, int] = {}
    hidden = 0
    for now in await played_on(house, table, by_itself=True):
        for seat in now.asked:
            pressed = answered.get(seat, 0)
            assert now.told_since(seat) == now.told[pressed:]
            own = [entry.by for entry in now.log if entry.seat == seat]
            hidden += own[-1:] == [Actor.STANDING]
            answered[seat] = len(now.told)
    assert hidden > 3


async def test_the_pass_comes_after_a_moment_and_its_person_may_be_quicker() -> None:
    house, table = await auf_und_ab(Customs(passes=True))
    while legal(table) != ("pass",):
        (seat,) = table.actors
        *_, text = table.legal_texts(seat)
        user = (ANN, BEN, CAT)[seat].id
        table = await house.service.act(table.id, None, user, text, None)
    (seat,) = table.actors
    waits = deadline_of(table, DeadlineKind.SELF_ANSWER)
    assert waits.due == house.clock.now + SELF_ANSWER_TIME == house.clock.now + timedelta(seconds=2)
    user = (ANN, BEN, CAT)[seat].id
    table = await house.service.act(table.id, waits.question, user, "pass", None)
    assert table.log[-1].by is Actor.PERSON


@pytest.mark.behaviour("Nothing in the whole pack beats the set in Auf und Ab")
async def test_without_the_custom_everybody_is_asked_who_might_have_a_choice() -> None:
    """Where no card of the game can beat what lies there, all see that nobody has one."""
    house, table = await auf_und_ab(USUAL_CUSTOMS)
    seen = {True: 0, False: 0}
    for now in await played_on(house, table, by_itself=False):
        beaten = some_cards_beat(now)
        passes = legal(now) == ("pass",)
        seen[beaten] += passes
        assert beaten or passes
        assert now.asked == (now.actors if beaten else ())
        waits = now.stored.timing.deadline(DeadlineKind.SELF_ANSWER)
        assert (waits is None) == beaten
        assert waits is None or waits.due == house.clock.now, "it hides nothing"
    assert min(seen.values()) > 0


def some_cards_beat(table: Table) -> bool:
    """Whether the pack has as many cards of a better number, one of them perhaps counted twice."""
    view: Any = table.observe(table.actors[0])
    if not view.quantity:
        return True
    better = range(view.number + 1, 10) if view.mode == UP else range(view.number)
    cards = {number: 10 - number if view.mode == UP else number + 1 for number in better}
    return any(count + 1 >= view.quantity for count in cards.values())


@pytest.mark.behaviour("Somebody whose only company are computers has nothing to declare")
@pytest.mark.parametrize("game", ["aufundab", "kaiserspiel"])
async def test_among_computers_alone_a_person_is_not_asked_for_forms_sake(game: str) -> None:
    """The moment hides nothing from computers; to a second person it may tell a secret.

    A pass in Auf und Ab is no form: whoever presses it has seen what they cannot beat.
    """
    computers, numbers, passed = games()[game].info.seats[0] - 1, Random(2), False
    house = House(games=games())
    wish = Wish(game, computers + 1, {}, pace=Pace.DAILY, computers=(computers, Level.NORMAL))
    opened = await house.service.open(wish, GUILD, ChannelId(CHANNEL), ANN)
    table = await house.begin(opened.id)
    while not passed:
        if isinstance(table.phase, BetweenRounds):
            table = await house.next_round(table.id)
        texts = list(table.legal_texts(0))
        if not texts:
            table = await house.later(table, 5)
            continue
        waits = table.stored.timing.deadline(DeadlineKind.SELF_ANSWER)
        seen = table.game.layout(table.observe(0))
        alone = any(act.formal for act in seen.acts)
        assert (not table.asked) == (waits is not None) == alone
        assert not alone or texts == ["pass"]
        assert alone or texts != ["pass"] or game == "aufundab"
        if waits is None:
            text = numbers.choice([text for text in texts if text != "resign"])
            table = await house.service.act(table.id, None, ANN.id, text, None)
            continue
        passed = True
        assert in_company_of(table, BEN).asked == (0,)
        table = await house.later(table, SELF_ANSWER_TIME.total_seconds())
        last = [entry for entry in table.log if entry.seat == 0][-1]
        assert (last.text, last.by) == ("pass", Actor.STANDING)


def in_company_of(table: Table, person: Person) -> Table:
    """The table with another person on its last seat."""
    places = table.stored.seating.places
    places = (*places[:-1], replace(places[-1], person=person, computer=None))
    seating = replace(table.stored.seating, places=places)
    return replace(table, stored=replace(table.stored, seating=seating))


def test_only_a_pass_that_tells_no_secret_is_ever_given_by_a_table() -> None:
    assert {name: game.info.passes for name, game in games().items() if game.info.passes} == {
        "aufundab": "pass"
    }


def test_the_host_is_offered_what_means_something_at_the_game() -> None:
    assert {name: offered(game.info) for name, game in games().items()} == {
        "auffalscherfaehrte": ("hints", "forced", "counts", "drawn"),
        "aufundab": ("hints", "passes", "counts", "drawn"),
        "kaiserspiel": ("hints", "forced", "counts", "drawn", "rotates"),
        "sticheln": ("hints", "forced", "counts", "drawn"),
    }
    for game in games().values():
        assert "counts" not in offered(game.info, alone=True)


# Forced cards


@pytest.mark.parametrize("custom", [True, False])
@pytest.mark.parametrize("game", ["auffalscherfaehrte", "kaiserspiel", "sticheln"])
async def test_by_custom_a_forced_card_of_a_trick_is_played_by_itself_and_nothing_else(
    game: str, custom: bool
) -> None:
    house, table = await real(game, Customs(forced=custom))
    forced, numbers = 0, Random(5)
    while table.actors:
        seat = numbers.choice(table.actors)
        texts = [text for text in table.legal_texts(seat) if text != "resign"]
        waits = table.stored.timing.deadline(DeadlineKind.SELF_ANSWER)
        card = len(texts) == 1 and texts[0].startswith("play ") and len(table.actors) == 1
        assert (seat not in table.asked) == (waits is not None) == (card and custom)
        if card and custom:
            forced += 1
            house.clock.now += SELF_ANSWER_TIME
            house = house.restarted() if forced == 1 else house
            await house.service.deadlines.fire_due()
            table = await house.service.table(table.id)
            assert (table.log[-1].text, table.log[-1].by) == (texts[0], Actor.STANDING)
            continue
        by = PEOPLE[seat].id
        table = await house.service.act(table.id, None, by, numbers.choice(texts), None)
    # In Kaiserspiel only the lead of a fifth trick is, which not every round has.
    assert (forced > 0) == custom or game == "kaiserspiel"


# What the host chooses in the lobby


async def test_the_host_chooses_options_and_customs_until_the_match_runs(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, rounds=2)
    chosen = await house.service.change_options(
        lobby.id, ANN.id, {"secret": True}, Customs(passes=True)
    )
    assert (chosen.stored.given, chosen.stored.customs) == ({"secret": True}, Customs(passes=True))
    assert house.announcer.calls[-1] == lobby.id
    before = chosen.stored.version
    again = await house.service.change_options(
        lobby.id, ANN.id, {"secret": True}, Customs(passes=True)
    )
    assert again.stored.version == before, "nothing new is no change"
    with refused("not_host"):
        await house.service.change_options(lobby.id, BEN.id, {}, USUAL_CUSTOMS)
    with pytest.raises(NotationError):
        await house.service.change_options(lobby.id, ANN.id, {"rounds": 99}, USUAL_CUSTOMS)
    table = await house.begin(lobby.id)
    assert table.stored.options["secret"] is True
    assert table.stored.customs == Customs(passes=True)
    with refused("started"):
        await house.service.change_options(lobby.id, ANN.id, {}, USUAL_CUSTOMS)


async def test_who_was_ready_for_other_options_is_asked_again(house: House) -> None:
    lobby = await house.lobby(ANN, BEN, seats=2)
    ready = await house.service.ready_to_begin(lobby.id, BEN.id)
    assert ready.stored.votes.ready == {BEN.id}
    chosen = await house.service.change_options(lobby.id, ANN.id, {"secret": True}, USUAL_CUSTOMS)
    assert chosen.stored.votes.ready == frozenset()
    await house.service.ready_to_begin(lobby.id, BEN.id)
    same = await house.service.change_options(lobby.id, ANN.id, {"secret": True}, USUAL_CUSTOMS)
    assert same.stored.votes.ready == {BEN.id}, "nothing new was chosen"


async def test_no_table_can_do_without_the_limit_on_raises() -> None:
    """Without it two captains could call without end."""
    with pytest.raises(NotationError, match="option_unknown"):
        await real("kaiserspiel", USUAL_CUSTOMS, limit=False)
    house = House(games=games())
    lobby = await house.service.open(Wish("kaiserspiel", 4, {}), GUILD, CHANNEL, ANN)
    with pytest.raises(NotationError, match="option_unknown"):
        await house.service.change_options(lobby.id, ANN.id, {"limit": False}, USUAL_CUSTOMS)
