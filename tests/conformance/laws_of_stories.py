"""Laws of what is told of a round that is complete: it adds up, and everybody is told the same."""

from __future__ import annotations

from engine.game import AnyGame, Options
from tests.conformance.law import law
from tests.conformance.laws_of_layout import check_phrase
from tests.conformance.matches import canonical_pack, match_of
from tests.conformance.reading import cards_in_phrase, unseen


@law
def law_story(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """There is a story exactly where there are points; its parts add up to them."""
    match = match_of(game, seats, given, seed)
    pack, looked = set(canonical_pack(game, seats, match.options)), 0
    for ply, unseen_by in zip(match.plies, unseen(match), strict=True):
        state = ply.after
        points = game.round_scores(state)
        story = game.story(game.observe(state, None))
        assert (story is None) == (points is None), f"{points} and the story {story}"
        if story is None or points is None:
            continue
        sums = tuple(sum(term.points for term in account) for account in story.accounts)
        assert sums == points, f"the parts come to {sums}, the round brought {points}"
        parts = [term.why for account in story.accounts for term in account]
        for phrase in (*parts, *story.facts):
            check_phrase(phrase, seats, pack)
            assert not cards_in_phrase(phrase) & unseen_by[None], f"{phrase} tells what is hidden"
        for viewer in range(seats):
            told = game.story(game.observe(state, viewer))
            assert told == story, f"{viewer} is told another story"
        looked += 1
    return looked
