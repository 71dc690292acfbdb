"""What each claim means is known, comes up, and is not true of just anything.

That nothing false is claimed is `law_claims`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from engine.game import AnyGame, RuleError
from engine.layout import Layout, Phrase, Story, phrase
from engine.registry import games
from tests.conformance.claims import LINES, Claim, claims, greedy_match
from tests.conformance.law import LAWS, BrokenLawError
from tests.conformance.laws_of_claims import MEANINGS, check
from tests.conformance.laws_of_tricks import finished
from tests.conformance.matches import Match, Ply, match_of, shortest
from tests.conformance.meanings_sticheln import number, suit
from tests.conformance.meanings_sticheln import winner as sticheln_winner
from tests.conformance.test_planted import altered
from tests.engine.kaiserspiel_script import four_banners

GAMES: Final = games()
CODES: Final = [(game, code) for game in GAMES for code in MEANINGS[game]]
ENOUGH: Final = 4_500
"""So many claims of a game are tried."""

SELDOM: Final = {
    "sticheln": {"won_zeros", "nobody_takes"},
    "auffalscherfaehrte": {
        *("trick_nobodys", "tip_only_jokers", "asks_joker", "asks_no_joker", "tip_void_no_joker"),
        *("you_pass_on", "you_all_jokers", "you_beat_jokers", "tip_after_all_jokers"),
        *("tip_trump_next", "tip_trump_end", "advice_trump_next", "advice_trump_end"),
        *("advice_trump_jokers", "new_trump"),
    },
    "aufundab": {
        *("won_lowest", "why_nothing_below", "why_not_below", "tip_end_series"),
        *("you_alone_nothing", "one_left_2", "one_left_3"),
        *("asks_end_series", "asks_lead_last", *(f"asks_beat_{many}" for many in range(4, 12))),
    },
    "kaiserspiel": {
        *(
            "tip_raise_1",
            "asks_raise_1",
            "won_first_kaiser",
            "won_mugg",
            "won_unter",
            "won_with_unter",
        ),
        *("won_mugg_over", "won_kaiser", "won_seven", "tip_follow_seven", "why_was_open"),
        *("advice_resign_saves", "round_void"),
    },
}
"""What few matches come to."""

KINDS: Final = ("asks_", "tip_", "why_", "advice_", "story_", "was_", "own_", *LINES)


def kind(code: str) -> str:
    """What may stand in its place: a tip for a tip; reasons of tricks and series have no prefix."""
    return next((known for known in KINDS if code.startswith(known)), "won_")


def doomed(seed: int) -> Match:
    """A round in which four Banners lie open."""
    plies = tuple(Ply(*step) for step in four_banners(seed))
    return Match(GAMES["kaiserspiel"], 4, {}, plies)


def test_all_that_is_claimed_of_a_round_that_will_be_void_is_true() -> None:
    found = [
        c for seed in range(30) for c in claims(GAMES["kaiserspiel"], doomed(seed), Random(seed))
    ]
    for claim in found:
        check(claim)
    void = {code for code in MEANINGS["kaiserspiel"] if code.endswith("_void")}
    assert void <= {claim.phrase.code for claim in found}


@cache
def made(name: str) -> Sequence[Claim]:
    """Claims that are made in some matches of every kind."""
    return list(islice(_made(GAMES[name]), ENOUGH))


def _made(game: AnyGame) -> Iterator[Claim]:
    for seed in range(12 if game.info.id == "kaiserspiel" else 0):
        yield from claims(game, doomed(seed), Random(seed))
    for seed in range(3 if game.info.id == "kaiserspiel" else 0):
        # In the shortest matches every round decides.
        yield from claims(game, match_of(game, 4, {"target": 30}, seed), Random(seed))
    for seed in range(30):
        for given in shortest(game):
            seats, rng = game.info.seats[seed % len(game.info.seats)], Random(seed)
            yield from claims(game, match_of(game, seats, given, seed), rng)
            yield from claims(game, greedy_match(game, seats, given, seed), rng)


def holds(claim: Claim, code: str) -> bool:
    """Whether another claim would have been as true; what cannot even be asked is not."""
    try:
        return MEANINGS[claim.game.info.id][code](claim)
    except (LookupError, RuleError, ValueError, TypeError, AttributeError, AssertionError):
        return False


@pytest.mark.parametrize("game", GAMES)
def test_every_claim_of_the_catalogue_has_a_meaning_and_comes_up(game: str) -> None:
    text = (files("data") / "games" / game / "locales" / "en.po").read_text("utf-8")
    words = re.findall(r'^msgid "((?:asks|tip|why|advice)_\w+)"$', text, re.MULTILINE)
    words = [code for code in words if code != "asks_begin"]  # said to everybody but who is asked
    meanings = set(MEANINGS[game])
    told = ("asks_", "tip_", "why_", "advice_")
    assert set(words) == {code for code in meanings if code.startswith(told)}
    seen = {claim.phrase.code for claim in made(game)}
    assert seen <= meanings
    assert meanings - seen <= SELDOM[game]


@pytest.mark.parametrize(("game", "code"), CODES)
def test_no_claim_is_true_of_everything(game: str, code: str) -> None:
    """Said in place of others of its kind, with the very same figures, it is found out."""
    said = next((c.phrase for c in made(game) if c.phrase.code == code), Phrase(code))
    wrong = [
        replace(claim, phrase=Phrase(code, {**said.params, **claim.phrase.params}))
        for claim in made(game)
        if claim.phrase.code != code and kind(claim.phrase.code) == kind(code)
    ]
    if wrong:
        assert not all(holds(claim, code) for claim in wrong)


def test_what_sticheln_said_before_is_found_out() -> None:
    """That the highest card of another colour will take the trick."""

    def taken_by_another_colour(claim: Claim) -> bool:
        trick = claim.whole_trick
        taker = sticheln_winner(trick)
        (card,) = [done.text for done in trick if done.seat == taker] or ["-"]
        return not trick or (suit(card) != suit(trick[0].text) and number(card) > 0)

    led = [claim for claim in made("sticheln") if claim.phrase.code == "tip_lead"]
    assert not all(taken_by_another_colour(claim) for claim in led)


def _tip(layout: Layout) -> Layout:
    return replace(layout, tip=layout.tip and phrase("tip_lead"))


def _barred(layout: Layout) -> Layout:
    wrong = [group._replace(why=phrase("why_not_a_banner")) for group in layout.barred]
    return replace(layout, barred=tuple(wrong))


def _reason(layout: Layout) -> Layout:
    def lying(block: Any) -> Any:
        if block not in finished(layout) or block.reason.code != "won_other_colour":
            return block
        return replace(block, reason=Phrase("won_colour_led", block.reason.params))

    return replace(layout, blocks=tuple(map(lying, layout.blocks)))


def _story(story: Story | None) -> Story | None:
    if story is None:
        return None
    accounts = (
        tuple(term._replace(why=phrase("story_most", count=1)) for term in account)
        for account in story.accounts
    )
    return replace(story, accounts=tuple(accounts))


def lying(name: str, way: Any) -> AnyGame:
    right = GAMES[name]
    return altered(right, layout=lambda view: way(right.layout(view)))


FALSE: Final = {
    "a tip": lying("sticheln", _tip),
    "an answer to Why dimmed?": lying("kaiserspiel", _barred),
    "a hint's reason": altered(
        GAMES["aufundab"], advice=lambda view, action: phrase("advice_unbeatable")
    ),
    "a story": altered(
        GAMES["auffalscherfaehrte"],
        story=lambda view: _story(GAMES["auffalscherfaehrte"].story(view)),
    ),
    "no reason": altered(GAMES["sticheln"], advice=lambda view, action: None),
    "something new": altered(
        GAMES["sticheln"], advice=lambda view, action: phrase("advice_trust_me")
    ),
}


@pytest.mark.parametrize("claim", FALSE)
def test_a_false_claim_breaks_the_law(claim: str) -> None:
    game = FALSE[claim]
    with pytest.raises(BrokenLawError, match=r"^law_claims"):
        LAWS["law_claims"](game, game.info.seats[0], shortest(game)[0], 1)


def test_a_false_reason_of_a_trick_breaks_the_law() -> None:
    right = GAMES["sticheln"]

    def events(*args: Any) -> Any:
        return [
            each._replace(phrase=Phrase("won_colour_led", each.phrase.params))
            if each.phrase.code == "won_other_colour"
            else each
            for each in right.events(*args)
        ]

    game = altered(lying("sticheln", _reason), events=events)
    with pytest.raises(BrokenLawError, match=r"^law_claims.*won_colour_led"):
        LAWS["law_claims"](game, 3, shortest(game)[0], 1)


def test_right_games_break_nothing_with_the_same_seed() -> None:
    for name in GAMES:
        assert LAWS["law_claims"](
            GAMES[name], GAMES[name].info.seats[0], shortest(GAMES[name])[0], 1
        )
