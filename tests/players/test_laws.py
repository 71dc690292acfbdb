"""What holds for the computer players of every game."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import AnyGame
from engine.players import search
from engine.players.chance import chance_of
from engine.players.player import Budget
from engine.players.roster import NAMES, cheater, player
from engine.registry import games
from tests.determinizing import determinize
from tests.players.positions import kit, positions, whole

GAMES = [pytest.param(game, id=name) for name, game in games().items()]
SIZES = [
    pytest.param(game, seats, id=f"{name}-{seats}")
    for name, game in games().items()
    for seats in game.info.seats
]


@pytest.mark.every_case
@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_states_that_look_the_same_are_asked_and_decided_the_same(
    game: AnyGame, seats: int
) -> None:
    """Rules of thumb also see whole states in playouts: even there they look at no other hand."""
    rng, differ = Random(seats), 0
    for ply, (state, seat, _) in enumerate(positions(game, seats, 1)):
        view = game.observe(state, seat)
        other = determinize(game, view, rng)
        again = game.observe(other, seat)
        one, two = kit(game.info.id).question(view), kit(game.info.id).question(again)
        assert (list(one.known), list(one.history)) == (list(two.known), list(two.history))
        assert (one.moves, one.actions, one.silly) == (two.moves, two.actions, two.silly)
        before = list(one.known)
        chosen = {
            kit(game.info.id).greedy(known, one.moves, chance_of(Random(ply)))
            for known in (one.known, whole(game, state, seat), whole(game, other, seat))
        }
        assert list(one.known) == before
        assert len(chosen) == 1
        assert game.is_legal(state, seat, one.actions[chosen.pop()])
        differ += other != state
        if ply % 15 == 0:
            for name in ("easy", "pimc", "guided", "strong"):
                decided = player(name, game).decide(view, Budget(12), Random(ply))
                assert decided == player(name, game).decide(again, Budget(12), Random(ply))
                assert game.is_legal(state, seat, decided.action)
    assert differ > 10


@pytest.mark.parametrize("name", ["auffalscherfaehrte", "kaiserspiel", "sticheln"])
def test_a_spectator_is_not_asked(name: str) -> None:
    game = games()[name]
    state = next(positions(game, game.info.seats[-1], 5)).state
    with pytest.raises(ValueError, match="asked"):
        kit(name).question(game.observe(state, None))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", GAMES)
def test_every_player_plays_a_round(game: AnyGame, name: str) -> None:
    rng, playing = Random(6), player(name, game)
    state = next(positions(game, game.info.seats[0], 2)).state
    while game.round_scores(state) is None:
        seat = game.actors(state)[-1]
        action = playing.decide(game.observe(state, seat), Budget(4), rng).action
        state = game.apply(state, seat, action)


@pytest.mark.parametrize("game", GAMES)
def test_the_cheater_plays_on_in_the_deal_as_it_is(game: AnyGame) -> None:
    differ = 0
    for state, seat, _ in [*positions(game, game.info.seats[-1], 3)][:8]:
        view = game.observe(state, seat)
        decided = cheater(game, state).decide(view, Budget(20), Random(1))
        differ += decided != player("guided", game).decide(view, Budget(20), Random(1))
        assert game.is_legal(state, seat, decided.action)
        assert decided.playouts == (20 if len(kit(game.info.id).question(view).moves) > 1 else 0)
    assert differ, "it knows more than its seat"


@pytest.mark.parametrize("game", GAMES)
def test_slices_do_not_change_what_is_decided(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search says the same however often it looks at the clock."""
    seats = game.info.seats[-1]
    state, seat, _ = [*positions(game, seats, 4)][2 * seats + 1]  # some is known by then
    found = []
    for size in (7, 30):
        monkeypatch.setattr(search, "SLICE", size)
        decided = player("strong", game).decide(game.observe(state, seat), Budget(30), Random(2))
        found.append(decided)
    assert found[0] == found[1]
