"""What may be taken back: nothing by which anybody has seen more than was shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine.game import AnyGame
from engine.registry import games
from engine.taking_back import may_take_back
from tests.conformance import laws_of_knowledge
from tests.conformance.laws import LAWS, BrokenLawError
from tests.conformance.matches import Ply, match_of, shortest
from tests.conformance.test_planted import altered


def plies(game: AnyGame, seats: int, seed: int) -> Sequence[Ply]:
    return match_of(game, seats, shortest(game)[0], seed).plies


def may(game: AnyGame, ply: Ply) -> bool:
    return may_take_back(game, *ply)


def word(game: AnyGame, ply: Ply) -> str:
    return "deal" if ply.seat < 0 else game.format_action(ply.action).split()[0]


def test_the_last_of_secret_choices_opens_them_all_and_stands() -> None:
    game = games()["sticheln"]
    chosen = [ply for ply in plies(game, 4, 1) if word(game, ply) == "choose"]
    assert [may(game, ply) for ply in chosen] == [True, True, True, False]


def test_a_card_that_a_trick_turns_makes_its_last_play_stand() -> None:
    game = games()["auffalscherfaehrte"]
    for seed in range(6):
        played = [ply for ply in plies(game, 3, seed) if word(game, ply) == "play"]
        turning = [ply for ply in played if len(ply.after.tricks) > len(ply.before.tricks)]
        turned = [len(game.observe(ply.after, None).turned) for ply in turning]
        before = [len(game.observe(ply.before, None).turned) for ply in turning]
        for ply, now, then in zip(turning, turned, before, strict=True):
            assert not (now > then and may(game, ply)), "whoever's card it is"


@pytest.mark.parametrize("game", games().values(), ids=list(games()))
def test_no_deal_and_no_end_of_a_round_is_taken_back_and_most_plays_are(game: AnyGame) -> None:
    found: Counter[bool] = Counter()
    for seed in range(3):
        for ply in plies(game, game.info.seats[0], seed):
            over = game.round_scores(ply.after) is not None
            assert not (may(game, ply) and (ply.seat < 0 or over))
            found[may(game, ply)] += 1
    assert found[True] > found[False]


def test_a_card_that_a_play_turns_for_all_to_see_makes_it_stand() -> None:
    """An honest game that turns a card of the next hand: the rule sees that by itself."""
    game = games()["aufundab"]

    def cards(state: Any) -> Any:
        located = game.cards(state)
        if not state.quantity:
            return located
        first = next(card for card in located if not card.public)
        seats = tuple(range(len(state.hands)))
        opened = first._replace(known_to=seats, public=True)
        return tuple(opened if card is first else card for card in located)

    turning = altered(game, cards=cards)
    leads = [
        ply
        for ply in plies(game, 3, 1)
        if ply.seat >= 0 and ply.after.quantity and not ply.before.quantity
    ]
    assert any(may(game, ply) for ply in leads)
    assert not any(
        may(turning, ply) for ply in leads if cards(ply.after)[0].card not in str(ply.action)
    )


@pytest.mark.parametrize("name", ["auffalscherfaehrte", "sticheln"])
def test_the_law_is_red_where_anything_might_be_taken_back(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def may(game: AnyGame, before: Any, seat: int, *_: Any) -> bool:
        return seat >= 0

    monkeypatch.setattr(laws_of_knowledge, "may_take_back", may)
    with pytest.raises(BrokenLawError, match="could not foresee"):
        look(games()[name])


def look(game: AnyGame) -> None:
    for seed in range(8):
        LAWS["law_taking_back"](game, game.info.seats[0], shortest(game)[0], seed)
