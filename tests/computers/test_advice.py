"""Advice: what workers say of what they looked at, and what of that is believed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from bot.computers import thinking
from bot.computers.thinking import picked
from bot.computers.workers import Workers, is_answer, question, read
from bot.tables.ports import MOST_ADVICE, Thought
from engine.game import CHANCE, AnyGame, Observation
from engine.players.levels import Level, adviser
from engine.players.player import FEW, Budget, Considered, Decision
from engine.players.roster import player
from engine.registry import games
from tests.computers.values import patient
from tests.players.probing import probe

GAMES = tuple(games())


def thought(name: str) -> Thought:
    """What the first seat is asked that is asked after the first deal."""
    game = games()[name]
    seats = game.info.seats[-1]
    state = game.initial(seats, game.complete_options(seats, {}))
    state = game.apply(state, CHANCE, game.deal(state, Random(1).randrange))
    return Thought(name, game.observe(state, game.actors(state)[0]), Level.NORMAL, 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_strong_player_says_what_it_looked_at_with_figures(game: str) -> None:
    asked = thought(game)._replace(level=Level.STRONG, counted=True)
    said, playouts = thinking.think(question(asked, Level.STRONG, 0.2))
    rows = read(said)
    assert is_answer(asked, said, games()[game])
    assert 1 < len(rows) <= MOST_ADVICE
    assert 0 < sum(row.visits for row in rows) <= playouts
    assert all(0 <= row.won <= 1 for row in rows)
    assert all((row.takes is None) is (game != "aufundab") for row in rows), "only this one plays"
    assert rows[0].visits == max(row.visits for row in rows)
    thumb = player("greedy", games()[game]).decide(asked.view, Budget(), Random(1)).action
    (chosen,) = (row.text for row in rows if row.thumb)
    assert chosen == games()[game].format_action(thumb)


@pytest.mark.parametrize("game", GAMES)
def test_whoever_advises_has_looked_at_the_next_best(game: str) -> None:
    """Where one action is far better the search hardly looks at others, so nothing is compared."""
    rules = games()[game]
    for seed in range(4):
        rng, seats = Random(seed), rules.info.seats[-1]
        state = rules.initial(seats, rules.complete_options(seats, {}))
        state = rules.apply(state, CHANCE, rules.deal(state, rng.randrange))
        for _ in range(8):
            seat = rules.actors(state)[0]
            view = rules.observe(state, seat)
            if len(view.legal_actions) > 1:
                said = adviser(rules).decide(view, Budget(100), Random(1))
                assert (
                    said.action
                    == player("guided", rules).decide(view, Budget(100), Random(1)).action
                )
                best, second, *_ = said.estimates
                if best.visits > FEW:  # of fewer no figure is told
                    assert second.visits >= FEW
                assert second.visits >= best.visits // 4, "a figure of few deals says little"
            state = rules.apply(state, seat, rng.choice(view.legal_actions))
            if rules.actors(state) == (CHANCE,):
                break


@pytest.mark.every_case
@pytest.mark.parametrize("seed", range(3))
def test_whoever_advises_has_looked_at_the_largest_set(seed: int) -> None:
    """Everybody asks why not all of them; a search hardly tries it where it is bad."""
    rules = games()["aufundab"]
    state = rules.initial(3, rules.complete_options(3, {}))
    state = rules.apply(state, CHANCE, rules.deal(state, Random(seed).randrange))
    view = rules.observe(state, state.actor)
    said = adviser(rules).decide(view, Budget(400), Random(1))
    most = max(one.action.cards.bit_count() for one in said.estimates)
    looked = [one for one in said.estimates if one.action.cards.bit_count() == most > 1]
    assert max(one.visits for one in looked) >= FEW


@pytest.mark.parametrize("budget", [1, 3, 100])
def test_what_rules_of_thumb_choose_is_named_though_it_was_not_looked_at(budget: int) -> None:
    rules = games()["aufundab"]
    state = rules.initial(3, rules.complete_options(3, {}))
    state = rules.apply(state, CHANCE, rules.deal(state, Random(1).randrange))
    view = rules.observe(state, state.actor)
    said = adviser(rules).decide(view, Budget(budget), Random(1))
    assert sum(row.thumb for row in read(thinking.considered(rules, said))) == 1


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_thumb_name_an_action_without_figures(game: str) -> None:
    asked = thought(game)._replace(counted=True)
    (row,) = read(thinking.think(question(asked, Level.NORMAL, 0.0)).does)
    assert row[1:] == (0.0, 0.0, 0, None, False)
    plain = question(asked._replace(counted=False), Level.NORMAL, 0.0)
    assert thinking.think(plain) == (row.text, 0)


def test_another_kind_than_the_best_and_the_rule_of_thumb_are_always_among_them() -> None:
    same = [Considered(f"play Y{number}", 1.0, 0.5, 10) for number in range(8)]
    assert picked(same) == tuple(same[:MOST_ADVICE])
    other = Considered("play B3", 0.0, 0.4, 1)
    assert picked([*same, other]) == (*same[: MOST_ADVICE - 1], other)
    thumb = Considered("play Y9", 0.0, 0.4, 1, thumb=True)
    assert picked([*same, other, thumb]) == (*same[: MOST_ADVICE - 2], other, thumb)
    assert picked([same[0], other, *same[1:]]) == (same[0], other, *same[1 : MOST_ADVICE - 1])
    largest = Considered("play Y8 Y9 Y10", 0.0, 0.4, 1)
    assert picked([*same, largest]) == (*same[: MOST_ADVICE - 1], largest)
    assert picked([largest, *same]) == (largest, *same[: MOST_ADVICE - 1])
    assert picked([Considered("play AK"), Considered("play AK down")]) == (
        Considered("play AK"),
        Considered("play AK down"),
    )


@pytest.mark.parametrize(
    "said",
    [
        "play 7",
        "[]",
        "{}",
        "[[1]]",
        json.dumps([["play 0-0", float("nan"), 0.5, 3, None, False]]),
        json.dumps([["play 0-0", 1.0, 1.5, 3, None, False]]),
        json.dumps([["play 0-0", 1.0, 0.5, -3, None, False]]),
        json.dumps([["play 0-0", 1.0, 0.5, 3, None, False]] * (MOST_ADVICE + 1)),
        json.dumps([["play 0-0", "much", 0.5, 3, None, False]]),
        json.dumps([["play 0-0", 1.0, 0.5, 3, 1.5, False]]),
        json.dumps([["play 0-0", 1.0, 0.5, 3, float("nan"), False]]),
        json.dumps([["play 0-0", 1.0, 0.5, 3, "often", False]]),
    ],
)
def test_what_is_no_advice_is_not_believed(said: str) -> None:
    asked = thought("aufundab")._replace(counted=True)
    assert not is_answer(asked, said, games()["aufundab"])


def test_advice_that_names_what_is_not_legal_is_not_believed() -> None:
    asked = thought("aufundab")._replace(counted=True)
    game = games()["aufundab"]
    legal = [game.format_action(action) for action in asked.view.legal_actions]
    fine = json.dumps([Considered(legal[0], 1.0, 0.5, 3, 0.4)])
    assert is_answer(asked, fine, game)
    wrong = next(card for card in game.pack(4, {}) if f"play {card}" not in legal)
    assert not is_answer(
        asked, json.dumps([Considered(legal[0]), Considered(f"play {wrong}")]), game
    )


async def test_advice_comes_from_a_worker_and_a_thread_names_an_action_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    asked = thought("sticheln")._replace(level=Level.STRONG)
    for count in (1, 0):
        computers = Workers(games(), count, tmp_path)
        try:
            advice = await computers.advise(asked)
        finally:
            await computers.aclose()
        assert advice
        assert (advice[0].visits > 0) is bool(count)
        assert "play" not in repr(advice)
        assert "choose" not in repr(advice)


async def test_where_nobody_has_time_a_rule_of_thumb_names_an_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    asked = thought("sticheln")._replace(level=Level.STRONG)
    computers = Workers(games(), 1, tmp_path)

    async def busy(thought: Thought) -> None:
        return None

    monkeypatch.setattr(computers, "decide", busy)
    try:
        advice = await computers.advise(asked)
    finally:
        await computers.aclose()
    assert advice
    (best,) = advice
    assert not best.visits
    assert await computers.advise(asked) is None, "nothing is thought of any more"


def test_whoever_can_be_asked_is_warmed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a worker compiles as it is asked, which takes longer than it may."""
    asked: set[tuple[str, Level | None]] = set()

    class Anybody(NamedTuple):
        game: AnyGame
        level: Level | None

        def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
            asked.add((self.game.info.id, self.level))
            return Decision(view.legal_actions[0])

    monkeypatch.setattr(thinking, "player", lambda level, game: Anybody(game, level))
    monkeypatch.setattr(thinking, "adviser", lambda game: Anybody(game, None))
    thinking.warm()
    assert asked == {(game, level) for game in games() for level in (*Level, None)}


PROBE: Final = """
import json, sys
from random import Random
from engine.players import compiled
from bot.computers import thinking
from engine.registry import games
thinking.warm()
known = [one for name, module in sys.modules.items() if name.startswith("engine.players")
         for one in vars(module).values() if hasattr(one, "disable_compile")]
for one in known:
    one.disable_compile()
for seed in range(3):
    for game in games().values():
        for seats in {game.info.seats[0], game.info.seats[-1]}:
            thinking._play(game, seats, Random(seed))
print(json.dumps([compiled.COMPILED, len(known)]))
"""


@pytest.mark.nightly
def test_once_warm_nothing_is_compiled_any_more() -> None:
    assert probe(PROBE, compiled=True) > 100
