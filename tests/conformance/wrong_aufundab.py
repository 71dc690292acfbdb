"""Auf und Ab with wrong rules: the laws may well hold, so a rule test has to go red.

Each wrong rule is the real game with one decision bent; named beside it is the rule test (with
its arguments, if it has any) that must refuse it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.game import CHANCE, AnyGame, RuleError
from tests.conformance.test_planted import CLIMBING, altered
from tests.conformance.wrong import Wrong, no_shared_places, ranking
from tests.engine import test_aufundab_oracle as oracle
from tests.engine import test_aufundab_rules as rules

Bend = Callable[[Any, int, Any, Any], Any]
"""From the state before, the seat, the action and the right state after: the wrong one."""


def bent(bend: Bend) -> AnyGame:
    def apply(state: Any, seat: int, action: Any) -> Any:
        return bend(state, seat, action, CLIMBING.apply(state, seat, action))

    return altered(CLIMBING, apply=apply)


def seen_as(look: Callable[[Any], Any]) -> AnyGame:
    """Legality judged in a bent state; the play is applied to it, too."""
    return altered(
        CLIMBING,
        legal_actions=lambda state, seat: CLIMBING.legal_actions(look(state), seat),
        is_legal=lambda state, seat, action: CLIMBING.is_legal(look(state), seat, action),
        apply=lambda state, seat, action: CLIMBING.apply(look(state), seat, action),
    )


def new_series(after: Any) -> bool:
    return not after.quantity and after.owner >= 0


def flips_at_once(before: Any, seat: int, action: Any, after: Any) -> Any:
    return (
        after._replace(mode=before.mode ^ (after.changes - before.changes) % 2)
        if (seat != CHANCE and after.quantity and after.actor >= 0)
        else after
    )


def never_flips(before: Any, seat: int, action: Any, after: Any) -> Any:
    return after._replace(mode=before.mode) if new_series(after) else after


def flips_for_any(before: Any, seat: int, action: Any, after: Any) -> Any:
    flip = int(before.changes > 0)
    return after._replace(mode=before.mode ^ flip) if new_series(after) else after


def remembers_changes(before: Any, seat: int, action: Any, after: Any) -> Any:
    return after._replace(changes=before.changes) if new_series(after) else after


def counts_own_changes(before: Any, seat: int, action: Any, after: Any) -> Any:
    own = seat == before.owner or before.owner < 0
    played = seat != CHANCE and after.quantity and after.changes != before.changes
    return after._replace(changes=before.changes) if played and not own else after


def goes_on_down(before: Any, seat: int, action: Any, after: Any) -> Any:
    return after._replace(mode=before.mode) if seat == CHANCE else after


def first_seat_begins(before: Any, seat: int, action: Any, after: Any) -> Any:
    return after._replace(actor=0) if seat == CHANCE else after


def ends_when_one_is_left(before: Any, seat: int, action: Any, after: Any) -> Any:
    alone = after.quantity and after.actor == after.owner and after.round.points is None
    return CLIMBING.apply(after, after.actor, CLIMBING.parse_action("pass")) if alone else after


def passing_is_for_a_turn(before: Any, seat: int, action: Any, after: Any) -> Any:
    played = seat != CHANCE and action != CLIMBING.parse_action("pass")
    if not (played and after.actor >= 0):
        return after
    return after._replace(out=0, actor=(seat + 1) % len(after.hands))


def next_seat_leads(before: Any, seat: int, action: Any, after: Any) -> Any:
    return after._replace(actor=(seat + 1) % len(after.hands)) if new_series(after) else after


def doubles_score_two(before: Any, seat: int, action: Any, after: Any) -> Any:
    if after.round.points is None or seat == CHANCE:
        return after
    left = [card.card for card in CLIMBING.cards(after) if card.place.startswith("hand")]
    extra = sum(code[0] == code[2] for code in left)
    points = tuple(each + extra * bool(each) for each in after.round.points)
    return after._replace(round=after.round._replace(points=points))


def not_strict(state: Any) -> Any:
    step = -1 if state.mode == 0 else 1
    return state._replace(number=state.number + step) if state.quantity else state


def without_first_lead(state: Any) -> Any:
    return state._replace(owner=state.actor) if state.owner < 0 <= state.actor else state


def always_up(state: Any) -> Any:
    return state._replace(mode=0)


def more_than_the_target(before: Any, seat: int, action: Any, after: Any) -> Any:
    match = after.match
    if match.target and max(after.round.scores) == match.target and after.actor < CHANCE:
        return after._replace(actor=CHANCE)
    return after


def no_lone_double(state: Any, seat: int, action: Any) -> bool:
    lone = CLIMBING.format_action(action).count("-") == 1
    return CLIMBING.is_legal(state, seat, action) and not (lone and action.doubled)


def refuses_lone_doubles(state: Any, seat: int, action: Any) -> Any:
    if seat != CHANCE and not no_lone_double(state, seat, action):
        raise RuleError("wrong_quantity")
    return CLIMBING.apply(state, seat, action)


MODULES: Final = [rules, oracle]
WRONG: Final = [
    Wrong(
        "a change card flips its own series",
        bent(flips_at_once),
        rules.test_a_change_card_does_not_flip_its_own_series,
    ),
    Wrong(
        "nothing flips",
        bent(never_flips),
        rules.test_an_odd_number_of_change_cards_flips_the_next_series,
        ("0-0 0-9", True),
    ),
    Wrong(
        "an even number flips",
        bent(flips_for_any),
        rules.test_change_cards_count_whoever_played_them,
        (["1 play 1-8", "2 play 2-7"], False),
    ),
    Wrong(
        "change cards count for ever",
        bent(remembers_changes),
        rules.test_change_cards_of_an_earlier_series_do_not_count_again,
    ),
    Wrong(
        "only the leader's change cards count",
        bent(counts_own_changes),
        rules.test_change_cards_count_whoever_played_them,
        (["1 play 1-8"], True),
    ),
    Wrong(
        "the mode outlives its round",
        bent(goes_on_down),
        rules.test_every_round_starts_up_with_the_lowest_double,
    ),
    Wrong(
        "seat 0 begins",
        bent(first_seat_begins),
        rules.test_the_lowest_double_in_a_hand_begins,
        (3,),
    ),
    Wrong(
        "a series ends with one player left",
        bent(ends_when_one_is_left),
        rules.test_the_last_player_in_may_go_on_beating_their_own_set,
    ),
    Wrong(
        "the same",
        bent(ends_when_one_is_left),
        rules.test_the_series_ends_only_when_everybody_has_passed,
    ),
    Wrong(
        "who passed is back in after a play",
        bent(passing_is_for_a_turn),
        rules.test_whoever_passed_is_out_until_the_series_ends,
    ),
    Wrong(
        "the seat after the winner leads",
        bent(next_seat_leads),
        rules.test_the_last_player_in_leads_the_next_series,
    ),
    Wrong(
        "a double left in a hand scores two",
        bent(doubles_score_two),
        rules.test_the_round_ends_on_a_following_play_too,
    ),
    Wrong(
        "an equal number beats",
        seen_as(not_strict),
        rules.test_up_shows_the_low_number_and_must_be_strictly_higher,
    ),
    Wrong(
        "an equal number beats in DOWN",
        seen_as(not_strict),
        rules.test_down_shows_the_high_number_and_must_be_strictly_lower,
    ),
    Wrong(
        "any set may be led first",
        seen_as(without_first_lead),
        rules.test_the_first_play_contains_that_double_alone_or_with_its_low_number,
    ),
    Wrong("always up", seen_as(always_up), rules.test_a_set_shows_one_number_the_one_that_counts),
    Wrong(
        "a lone double is no pair",
        altered(CLIMBING, is_legal=no_lone_double, apply=refuses_lone_doubles),
        rules.test_a_lone_double_counted_two_beats_a_pair_and_is_beaten_by_one,
    ),
    Wrong(
        "no place is shared",
        ranking(CLIMBING, no_shared_places),
        rules.test_equal_totals_share_the_place,
    ),
    Wrong(
        "the target has to be passed",
        bent(more_than_the_target),
        rules.test_a_match_to_a_target_ends_after_the_round_that_reaches_it,
    ),
]


def listing(shown: Callable[[Any], bool]) -> AnyGame:
    """The game that lists only some of its legal actions."""
    return altered(
        CLIMBING,
        legal_actions=lambda state, seat: [*filter(shown, CLIMBING.legal_actions(state, seat))],
    )


BLIND: Final = [
    ("an equal number beats", seen_as(not_strict)),
    ("any set may be led first", seen_as(without_first_lead)),
    ("always up", seen_as(always_up)),
    ("an even number flips", bent(flips_for_any)),
    ("one set is forgotten", listing(lambda each: CLIMBING.format_action(each).count("-") < 4)),
    ("doubles never count two", listing(lambda each: not each.doubled)),
]


HARMLESS: Final = [bent(lambda before, seat, action, after: after), seen_as(lambda state: state)]


def holds() -> None:
    rules.test_equal_totals_share_the_place()
    rules.test_the_round_ends_on_a_following_play_too()


def asks_the_oracle() -> None:
    oracle.test_the_generator_agrees_with_the_oracle(3)
