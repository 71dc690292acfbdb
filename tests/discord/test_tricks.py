"""Games of tricks at the table: one press a card, reasons, the last trick, offers to one seat."""

from __future__ import annotations

from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from tests.discord.steps import actor, held, hidden, legal, match, reach, stop
from tests.discord.world import World
from tests.discord.writing import writing

FAEHRTE = "auffalscherfaehrte"
INTERNAL = "went wrong on my side"


def must_follow(table: Table) -> bool:
    """Whether whoever is asked holds cards that they may not play."""
    playable = {text.split()[1] for text in legal(table) if text.startswith("play")}
    mine = held(table, table.actors[0])
    return 1 < len(playable) < len(mine) and len(table.actors) == 1


async def test_a_card_takes_one_press_and_only_what_may_be_played_can_be_pressed(w: World) -> None:
    table = await reach(w, await match(w, game=FAEHRTE), must_follow)
    player = actor(w, table)
    panel = await player.hand()
    acts = [press.argument for press, _ in panel.presses(Verb.ACT)]
    assert sorted(acts) == sorted(legal(table))
    await player.press(panel, panel.presses(Verb.ACT)[0][0].encode())
    now = await w.table()
    assert now.ply == table.ply + 1
    assert now.log[-1].text == acts[0]


async def test_an_illegal_card_is_refused_with_the_reason(w: World) -> None:
    table = await reach(w, await match(w, game=FAEHRTE), must_follow)
    player, mine = actor(w, table), held(table, table.actors[0])
    playable = {text.split()[1] for text in legal(table)}
    said = await player.slash("play", action=f"play {min(mine - playable)}")
    assert ", so you must follow" in said
    assert all(texts("en").card(FAEHRTE, card) in said for card in playable)
    foreign = min(hidden(table) - mine)
    said = await player.slash("play", action=f"play {foreign}")
    assert "You don't hold" in said
    for typed in ("play R99", "play", "play R1 R2", "hide R1", "trump R", "X", "play J"):
        said = await player.slash("play", action=typed)
        assert said.strip()
        assert INTERNAL not in said
    assert (await w.table()).log == table.log
    await player.slash("play", action=f"  play   {max(playable).lower()}")
    assert (await w.table()).log[-1].text == f"play {max(playable)}"


async def test_the_last_trick_is_one_press_away_for_everybody(w: World) -> None:

    def second_trick_runs(table: Table) -> bool:
        played = sum(entry.text.startswith("play") for entry in table.log)
        return played == 4 and len(table.actors) == 1

    for game in (FAEHRTE, "sticheln"):
        table = await reach(w, await match(w, game=game), second_trick_runs)
        plays = [e.text.split()[1] for e in table.log if e.text.startswith("play")]
        shown = [texts("en").card(game, card) for card in plays[:3]]
        for player in (w.dan, actor(w, table)):
            said = await player.press_verb(w.board(), Verb.MORE)
            assert [card for card in shown if card not in said] == [], said
            # A table's id may read like a card.
            named = set(writing(game).cards(said.replace(table.id, "")))
            assert named.isdisjoint(hidden(table)), named & hidden(table)
        assert texts("en").card(game, plays[3]) in w.board().text
        await stop(w, await w.table())
