"""A match as one seat sees it: records with holes (`data/docs/notation.md`), and filling those.

With these a player needs nothing but text: `stammtisch.policy/1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, AnyGame, Json, NotationError, Options, Seat
from engine.record import legal_texts, opening_from_json, opening_to_json

POLICY: Final = "stammtisch.policy/1"


class _Round(NamedTuple):
    opening: Mapping[str, Any]
    actions: list[tuple[Seat, Any]]
    ends: list[Any]
    """The newest state of the round, alone."""


def rounds_seen(
    game: AnyGame, seats: int, options: Options, log: Sequence[tuple[Seat, Any]], seat: Seat | None
) -> list[Json]:
    """The rounds of a match so far as `seat` (None: a spectator) may read them."""
    state, rounds = game.initial(seats, options), list[_Round]()
    for who, action in log:
        state = game.apply(state, who, action)
        if who == CHANCE:
            rounds.append(_Round(opening_to_json(game, action, state), [], [state]))
        else:
            rounds[-1].actions.append((who, action))
            rounds[-1].ends[0] = state
    return [_seen(game, each, seat) for each in rounds]


def _seen(game: AnyGame, played: _Round, seat: Seat | None) -> Json:
    end = played.ends[0]
    view, points = game.observe(end, seat), game.round_scores(end)
    return {
        **played.opening,
        **game.round_as_seen(view, played.opening["deal"]),
        "actions": [
            {"seat": who, "do": game.public_action(view, who, action)}
            for who, action in played.actions
        ],
        "scores": None if points is None else list(points),
        "proof": None,
    }


def question(
    game: AnyGame,
    seats: int,
    options: Options,
    log: Sequence[tuple[Seat, Any]],
    state: Any,
    seat: Seat,
) -> dict[str, Json]:
    """What a program that speaks `stammtisch.policy/1` is asked, but for `id` and `seconds`."""
    return {
        "format": POLICY,
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "seats": seats,
        "options": dict(options),
        "seat": seat,
        "rounds": rounds_seen(game, seats, options, log, seat),
        "legal": list(legal_texts(game, state, seat)),
    }


def observation(
    game: AnyGame, seats: int, options: Options, rounds: Sequence[Mapping[str, Any]], seat: Seat
) -> Any:
    """What the seat knows, by the rounds as it sees them.

    Raises NotationError or RuleError if they cannot have been.
    """
    state = game.initial(seats, options)
    for seen in rounds:
        deal, texts = game.round_guessed(seats, options, seat, seen)
        state = game.apply(state, CHANCE, opening_from_json(game, state, {**seen, "deal": deal}))
        for done, text in zip(seen["actions"], texts, strict=True):
            state = game.apply(state, done["seat"], game.parse_action(text))
    return game.observe(state, seat)


# What games share.


def hands_seen(deal: Mapping[str, Any], seat: Seat | None) -> list[Json]:
    """The hands of a deal; only that seat's own is not null."""
    return [hand if owner == seat else None for owner, hand in enumerate(deal["hands"])]


def words_of(seen: Mapping[str, Any], seat: Seat) -> list[list[str]]:
    """What that seat did in the round, as words."""
    return [done["do"].split(" ") for done in seen["actions"] if done["seat"] == seat]


def guess_hands(
    known: Sequence[Sequence[str]],
    sizes: Sequence[int],
    unknown: Sequence[str],
    barred: Sequence[frozenset[str]],
) -> list[list[str]]:
    """Hands of these sizes from the cards that are known to be in each and `unknown` ones.

    No hand gets a card that is barred from it.  What is left over stays out.  Raises NotationError
    `deal_malformed` if there is no such way.
    """
    hands = [list(hand) for hand in known]
    holder: dict[str, int] = {}

    def give(hand: int, tried: set[str]) -> bool:
        """One card more for that hand, if need be by moving others' (an augmenting path)."""
        for card in unknown:
            if card in tried or card in barred[hand]:
                continue
            tried.add(card)
            if card not in holder or give(holder[card], tried):
                holder[card] = hand
                return True
        return False

    for hand, size in enumerate(sizes):
        for _ in range(size - len(known[hand])):
            if not give(hand, set()):
                raise NotationError("deal_malformed")
    for card, hand in holder.items():
        hands[hand].append(card)
    return hands
