"""Ratings of a match: who is rated, against whom, and what is shown."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import UserId
from bot.tables.ratings import NEWCOMER, PROVISIONAL, Rating, rated
from bot.tables.stored import ResultRow

PAIRS = ((0, 2), (1, 3))
ANN, BEN, CAT, DAN = map(UserId, (1, 2, 3, 4))


def _rows(*places: int | None, but: Sequence[int] = ()) -> list[ResultRow]:
    """People from Ann on at their seats; None is a computer player's, `but` do not count."""
    return [
        ResultRow(UserId(seat + 1), "", seat, place, 0, seat not in but)
        for seat, place in enumerate(places)
        if place is not None
    ]


def test_everybody_begins_at_nothing() -> None:
    assert (NEWCOMER.mu, NEWCOMER.sigma, NEWCOMER.matches) == (25, 8.333333, 0)
    assert str(NEWCOMER.shown) == "0.0"
    assert str(Rating(25, 8.334).shown) == "0.0"


def test_a_rating_is_provisional_under_five_matches() -> None:
    assert [Rating(matches=n).provisional for n in (0, 4, 5)] == [True, True, False]
    assert PROVISIONAL == 5


def test_the_formula_is_the_published_one() -> None:
    """The figures of `data/docs/ratings.md`."""
    new = rated(_rows(1, 2, 3), (), {})
    assert new[ANN] == (27.869049, 8.205243, 1)
    assert new[BEN] == (25.717262, 8.058224, 1)
    assert new[CAT] == (21.413689, 8.058224, 1)
    assert [new[user].shown for user in (ANN, BEN, CAT)] == [3.3, 1.5, -2.8]


def test_a_shared_place_is_no_difference() -> None:
    new = rated(_rows(1, 1), (), {})
    assert new[ANN].mu == new[BEN].mu == NEWCOMER.mu


@pytest.mark.parametrize("teams", [(), PAIRS])
def test_one_side_alone_is_not_rated(teams: Sequence[Sequence[int]]) -> None:
    assert rated(_rows(1), teams, {}) == {}
    assert rated(_rows(1, None, 1, None), PAIRS, {}) == {}
    assert rated(_rows(1, 2, but=[1]), teams, {}) == {}


def test_a_pair_wins_and_loses_together() -> None:
    new = rated(_rows(1, 2, 1, 2), PAIRS, {})
    assert new[ANN] == new[CAT]
    assert new[BEN] == new[DAN]
    assert new[ANN].shown > 0 > new[BEN].shown


def test_whoever_gave_up_loses_and_their_partner_wins() -> None:
    new = rated(_rows(1, 2, 4, 2), PAIRS, {})
    assert new[ANN].mu > NEWCOMER.mu > new[CAT].mu
    assert new[BEN].mu == new[DAN].mu < NEWCOMER.mu


def test_a_partner_who_does_not_count_plays_and_keeps_their_rating() -> None:
    """So one person does not seem to have beaten two alone."""
    strong = {CAT: Rating(40, 2, 9)}
    weak = rated(_rows(1, 2, 1, 2, but=[2]), PAIRS, {})
    beside = rated(_rows(1, 2, 1, 2, but=[2]), PAIRS, strong)
    computer = rated(_rows(1, 2, None, 2), PAIRS, {})
    assert CAT not in weak
    assert CAT not in beside
    assert weak == computer
    assert weak[ANN] == rated(_rows(1, 2, 1, 2), PAIRS, {})[ANN]
    assert beside[ANN].mu < weak[ANN].mu, "with a strong partner it is no feat"


known = st.dictionaries(
    st.sampled_from((ANN, BEN, CAT, DAN)),
    st.builds(Rating, st.floats(-50, 100), st.floats(0.5, 9), st.integers(0, 99)),
)
places = st.lists(st.integers(1, 4) | st.none(), min_size=1, max_size=4)


@given(known, places, st.sets(st.integers(0, 3)), st.sampled_from([(), PAIRS]))
def test_all_who_count_are_rated_or_nobody_is(
    known: dict[UserId, Rating],
    places: list[int | None],
    but: set[int],
    teams: Sequence[Sequence[int]],
) -> None:
    rows = _rows(*places, but=sorted(but))
    new = rated(rows, teams, known)
    counting = {row.user for row in rows if row.counts}
    assert set(new) in (set(), counting)
    for user, rating in new.items():
        before = known.get(user, NEWCOMER)
        assert rating.matches == before.matches + 1
        assert rating == (round(rating.mu, 6), round(rating.sigma, 6), rating.matches)
        assert rating.sigma > 0
