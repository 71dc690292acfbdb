"""The interface against its hardest game: one deal of Kaiserspiel, step by step.

Only `Game`'s methods, notation texts and the deal's JSON are used, as a table would use them.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine.game import CHANCE, AnyGame, RoundHead, RuleError
from engine.layout import Choice
from engine.registry import games
from tests.conformance.reading import acts

GAME: Final[AnyGame] = games()["kaiserspiel"]
DEALER: Final = 3  # so seat 0 is eldest
OPEN: Final = ["SB", "R2", "A7", "BK"]
"""Seat 0 has an open Banner; the lowest card makes roses the special suit."""
SERVED: Final = ["AB", "A2", "R7", "R6", "RB", "S2", "B7", "B6"]
"""Two each, hidden: seats 0 and 2 have a Banner, 1 and 3 have none."""


def dealt() -> Any:
    first = [*OPEN, *SERVED]
    rest = [code for code in GAME.pack(4, {}) if code not in first]
    rest.append(rest.pop(rest.index("A3")))  # the cut card
    state = GAME.initial(4, GAME.complete_options(4, {}))
    assert GAME.actors(state) == (CHANCE,)
    deal = GAME.deal_from_json(state, {"pack": first + rest}, RoundHead(DEALER, None, None))
    return GAME.apply(state, CHANCE, deal)


def run(state: Any, *script: str) -> Any:
    for line in script:
        seat, text = line.split(" ", 1)
        assert GAME.actors(state) == (int(seat),), f"{line!r}, but {GAME.actors(state)} may act"
        state = GAME.apply(state, int(seat), GAME.parse_action(text))
    return state


def asked(state: Any) -> tuple[int, set[str]]:
    """The one seat that is asked, and what it may answer."""
    (seat,) = GAME.actors(state)
    return seat, {GAME.format_action(action) for action in GAME.legal_actions(state, seat)}


def seen(state: Any, viewer: int | None) -> set[str]:
    """Cards whose place a viewer knows."""
    return {
        card.card
        for card in GAME.cards(state)
        if (card.public if viewer is None else viewer in card.known_to)
    }


PAUSE_1: Final = ("0 kaiser SB", "0 raise 1", "1 accept", "0 stay", "0 pass", "1 pass")
PAUSE_2: Final = ("0 pass", "1 threeup", "0 accept", "0 pass")
PAUSE_3: Final = ("0 pass", "1 pass", "0 pass")
PAUSE_4: Final = ("2 pass", "3 pass", "0 pass")
DEAL: Final = (*PAUSE_1, *PAUSE_2, *PAUSE_3, *PAUSE_4)


def test_one_deal_becomes_known_step_by_step() -> None:
    """Chance acts once; what has not been dealt yet is known to nobody."""
    state = dealt()
    assert GAME.actors(state) == (0,)
    assert seen(state, None) == {"A3", "SB", "R2"}
    state = run(state, *PAUSE_1)
    assert seen(state, None) == {"A3", *OPEN}
    assert seen(state, 0) == {"A3", *OPEN}
    state = run(state, *PAUSE_2)
    assert seen(state, 0) == {"A3", *OPEN, "AB", "A2"}
    assert seen(state, 2) == {"A3", *OPEN}  # served at the next pause
    state = run(state, *PAUSE_3)
    assert seen(state, 2) == {"A3", *OPEN, "RB", "S2"}
    state = run(state, *PAUSE_4)
    assert all(len(seen(state, seat)) == 1 + 4 + 6 for seat in range(4))
    assert seen(state, None) == {"A3", *OPEN}


def test_pause_1_asks_the_owner_of_an_open_banner_and_then_the_captains() -> None:
    state = dealt()
    assert asked(state) == (0, {"kaiser SB", "pass"})
    state = run(state, "0 kaiser SB")
    assert asked(state) == (0, {"raise 1", "raise 3"})  # the captain, here the same seat
    state = run(state, "0 raise 1")
    assert asked(state) == (1, {"accept", "resign"})
    state = run(state, "1 accept")
    assert asked(state) == (0, {"lift", "stay"})
    lifted = run(state, "0 lift")
    assert asked(lifted) == (1, {"accept", "resign"})
    assert GAME.round_scores(run(lifted, "1 resign")) == (5, 0, 5, 0)
    state = run(state, "0 stay")
    assert asked(state) == (0, {"threeup", "pass"})
    assert asked(run(state, "0 pass")) == (1, {"threeup", "pass"})


def test_pause_2_a_team_may_not_call_twice_running() -> None:
    state = run(dealt(), *PAUSE_1, "0 pass", "1 threeup")
    assert asked(state) == (0, {"accept", "resign"})
    state = run(state, "0 accept")
    assert asked(state) == (0, {"threeup", "pass"})  # again, though it had passed
    back = run(state, "0 threeup", "1 accept")
    assert asked(back) == (1, {"threeup", "pass"})
    state = run(state, "0 pass", "0 pass", "1 pass")
    assert asked(state) == (0, {"threeup", "pass"})
    assert asked(run(state, "0 pass"))[0] == 2  # seat 1 is not asked: pause 4


def test_pauses_3_and_4_ask_both_seats_whether_they_have_anything_to_say_or_not() -> None:
    state = run(dealt(), *PAUSE_1, *PAUSE_2)
    assert asked(state) == (0, {"kaiser AB", "pass"})
    state = run(state, "0 pass")
    assert asked(state) == (1, {"pass"})
    state = run(state, "1 pass", "0 pass")
    assert asked(state) == (2, {"kaiser RB", "pass"})
    assert asked(run(state, "2 pass")) == (3, {"pass"})
    raised = run(state, "2 kaiser RB")
    assert asked(raised) == (0, {"raise 1", "raise 3"})  # the captain asks, not the declarer
    raised = run(raised, "0 raise 3", "1 accept")
    assert asked(raised) == (2, {"pass"})  # asked again
    for viewer in (0, 1, 3, None):
        told = GAME.layout(GAME.observe(state, viewer))
        assert not {"kaiser RB", "RB"} & {act.action for act in acts(told)}
        assert "RB" not in repr(told)


def test_all_seats_discard_at_once_and_in_secret() -> None:
    state = run(dealt(), *DEAL)
    assert GAME.actors(state) == (0, 1, 2, 3)
    question = {seat: GAME.question(state, seat) for seat in range(4)}
    assert len(set(question.values())) == 1
    with pytest.raises(RuleError):
        GAME.apply(state, 0, GAME.parse_action("discard AB SB"))  # a declared Kaiser
    one = GAME.apply(state, 2, GAME.parse_action("discard RB S2"))
    other = GAME.apply(state, 2, GAME.parse_action("discard A7 S2"))
    assert GAME.actors(one) == (0, 1, 3)
    for seat in (0, 1, 3):
        assert GAME.question(one, seat) == question[seat]
        assert GAME.observe(one, seat) == GAME.observe(other, seat)
        assert (
            GAME.public_action(GAME.observe(one, seat), 2, GAME.parse_action("discard RB S2"))
            == "discard ? ?"
        )
    assert GAME.observe(one, None) == GAME.observe(other, None)
    assert GAME.observe(one, 2) != GAME.observe(other, 2)
    with pytest.raises(RuleError):
        GAME.apply(one, 2, GAME.parse_action("discard A7 S2"))  # once is enough
    # the order of arrival does not matter
    rest = {seat: GAME.default_action(GAME.observe(one, seat)) for seat in (0, 1, 3)}
    ends = []
    for order in ((0, 1, 3), (3, 1, 0)):
        end = one
        for seat in order:
            end = GAME.apply(end, seat, rest[seat])
        ends.append(end)
    assert ends[0] == ends[1]


def test_a_discard_is_a_combination_of_cards() -> None:
    state = run(dealt(), *DEAL)
    view = GAME.observe(state, 0)
    (control,) = GAME.layout(view).controls
    assert isinstance(control, Choice)
    assert control.combine is not None
    assert "SB" not in control.combine.cards
    assert GAME.compose(view, ["AB", "A2"], frozenset()) == GAME.parse_action("discard AB A2")
    with pytest.raises(RuleError):
        GAME.compose(view, ["AB"], frozenset())


def thrown() -> Any:
    state = run(dealt(), *DEAL)
    for seat in range(4):
        state = GAME.apply(state, seat, GAME.default_action(GAME.observe(state, seat)))
    return state


def test_after_the_discards_every_seat_is_asked_for_more_kaisers() -> None:
    state = thrown()
    assert asked(state) == (0, {"kaiser AB", "pass"})  # Banners go last, so it was kept
    state = run(state, "0 kaiser AB", "0 raise 3", "1 accept")
    assert asked(state) == (0, {"pass"})
    state = run(state, "0 pass", "1 pass")
    assert asked(state) == (2, {"kaiser RB", "pass"})
    state = run(state, "2 pass")
    assert asked(state)[0] == 3  # has a Banner of bells by now, or not: it is asked


def test_cards_are_played_face_down_but_never_led_so() -> None:
    state = run(thrown(), "0 pass", "1 pass", "2 pass", "3 pass")
    seat, words = asked(state)
    assert seat == 0
    assert not any("down" in text for text in words)
    state = GAME.apply(state, 0, GAME.parse_action(sorted(words)[0]))
    seat, words = asked(state)
    down = [GAME.parse_action(text) for text in sorted(words) if text.endswith(" down")]
    assert down
    views = [GAME.observe(GAME.apply(state, seat, each), 0) for each in down]
    assert all(view == views[0] for view in views)
    assert {
        GAME.public_action(view, seat, each) for view, each in zip(views, down, strict=True)
    } == {"play ? down"}


def test_a_team_wins_and_resigning_costs_the_value_before_the_offer() -> None:
    state = run(dealt(), "0 kaiser SB", "0 raise 3", "1 resign")
    assert GAME.round_scores(state) == (4, 0, 4, 0)
    assert GAME.scores(state) == (4, 0, 4, 0)
    assert GAME.actors(state) == (CHANCE,)
    assert GAME.deal(state, lambda n: n - 1).dealer == 0  # the eldest of this round
    assert GAME.info.teams == ((0, 2), (1, 3))
