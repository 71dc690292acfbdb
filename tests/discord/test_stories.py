"""A round's end and the result say what was scored, and why; the last trick or set lies there."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.i18n import texts
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from bot.tables.stored import Status
from bot.tables.stories import RoundTold
from engine.games.kaiserspiel.cards import PACK
from engine.games.kaiserspiel.state import View
from engine.layout import Story
from engine.registry import games
from tests.discord.steps import hidden, match, play, tables
from tests.discord.world import NAMES, World
from tests.lengths import length


def _story(table: Table) -> Story:
    story: Story | None = table.game.story(table.observe(None))
    assert story is not None
    return story


def _told(table: Table, names: tuple[str, ...], shown: str) -> None:
    """Every part of everybody's points stands there, and what was just finished."""
    _all_told(_story(table), table.stored.game, names, shown)
    finished = ("Last trick:", "Last set:")
    assert any(word in shown for word in finished) or table.stored.game == "kaiserspiel"


def _all_told(story: Story, game: str, names: tuple[str, ...], shown: str) -> None:
    """Every part of everybody's points stands there."""
    phrases = list(story.facts)
    for account in story.accounts:
        # What brought nothing is left out, unless it is all there is to say.
        phrases += [
            term.why for term in account if term.points or not any(t.points for t in account)
        ]
    for phrase in phrases:
        # Hyphens that do not break are read as hyphens.
        assert texts("en").phrase(game, phrase, names).replace("\u2011", "-") in shown


def _dealt_as_told(table: Table, told: tuple[RoundTold, ...]) -> None:
    """Once the match is over all hands are open: together with what was left over, the pack."""
    for each in told:
        cards = [card for hand in each.hands for card in hand]
        assert each.published
        assert len({len(hand) for hand in each.hands}) == 1
        assert all(
            set(own) <= set(hand) for own, hand in zip(each.secrets, each.hands, strict=True)
        )
        pack = Counter(table.game.pack(len(each.hands), table.stored.options))
        assert Counter(cards) <= pack
        assert pack.total() - len(cards) <= 3


async def _next_round(w: World, table: Table) -> Table:
    for someone in table.stored.seating.people:
        table = await w.directly(tables(w).ready(table.id, someone.id, None))
    await w.env.advance_time(10)
    return await w.table()


@pytest.mark.parametrize("game", games())
async def test_points_are_explained(game: str, w: World) -> None:
    names = NAMES[: games()[game].info.seats[0]]
    table = await play(w, await match(w, game=game, **length(game, 2, 41)))
    assert isinstance(table.phase, BetweenRounds)
    await w.env.advance_time(5)
    _told(table, names, w.board().text)
    (one,) = await w.directly(tables(w).rounds(table))
    assert one.published == (table.game.info.seeds_after == "round")
    secret, was_open = hidden(table), [set[str]() for _ in names]
    if game == "kaiserspiel":
        view = table.observe(None)
        assert isinstance(view, View)
        dealt = view.round
        for place, card in enumerate(dealt.opens):
            was_open[dealt.owner(place)].add(PACK.names[card])
            assert PACK.names[card] in one.hands[dealt.owner(place)], "everybody saw it"
    for hand, opened in zip(one.hands, was_open, strict=True):
        assert one.published or not secret & ({*hand} - opened)
    assert one.published or not any(one.secrets)
    seen = await w.ann.press_verb(w.board(), Verb.ROUNDS)
    assert ("stays secret" in seen) == (not one.published)
    if game == "kaiserspiel":
        return
    table = await play(w, await _next_round(w, table))
    assert table.stored.status is Status.FINISHED
    await w.env.advance_time(5)
    result = w.board().text
    _told(table, names, result)
    for number, points in enumerate(table.rounds, start=1):
        row = [str(number), *(texts("en").signed(each) for each in points)]
        assert row in [line.split() for line in result.splitlines()]
    assert "🥇" in result
    latest = await w.ann.press_verb(w.board(), Verb.ROUNDS)
    _all_told(_story(table), game, names, latest)
    told = await w.directly(tables(w).rounds(table))
    assert [each.points for each in told] == [*table.rounds]
    _dealt_as_told(table, told)
    hiding = game == "auffalscherfaehrte"
    assert all(len(cards) == hiding for each in told for cards in each.secrets)
    assert ("Chosen in secret" in latest) == hiding
    back = Press(Verb.ROUNDS, table.id, argument="0")
    first = await w.ann.press(w.ann.panel, back.encode())
    _all_told(told[0].story, game, names, first)
