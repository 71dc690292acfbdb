"""Why a trick or a series is somebody's: a table of cases, and an oracle that reads the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import pytest

from engine.game import CHANCE, AnyGame
from engine.layout import Cards, Phrase, SeatName, Suit, Trick
from engine.registry import games
from tests.conformance.laws_of_tricks import finished
from tests.conformance.matches import match_of
from tests.engine import reasons
from tests.engine.test_kaiserspiel_layout import steps as quiet_steps

# The tables


@pytest.mark.parametrize(("cards", "wanted"), reasons.STICHELN.items())
def test_sticheln(cards: str, wanted: tuple[str, str | None]) -> None:
    code, card = wanted
    assert reasons.why_of_sticheln(cards) == _expected(code, cards, card, cards[0])


def test_sticheln_where_the_leader_takes_zeros() -> None:
    why = reasons.why_of_sticheln("R0 Y0 G0", zeros_taken=True)
    assert why == _expected("won_zeros", "R0 Y0 G0", "R0", "R")
    zeros_first = reasons.why_of_sticheln("R0 Y0 G1", zeros_taken=True)
    assert zeros_first == _expected("won_other_colour", "R0 Y0 G1", "G1", "R")


@pytest.mark.parametrize(("cards", "wanted"), reasons.FAEHRTE.items())
def test_auf_falscher_faehrte(cards: str, wanted: tuple[str, str | None]) -> None:
    code, card = wanted
    assert reasons.why_of_faehrte(cards) == _expected(code, cards, card, card and card[0])


@pytest.mark.parametrize(("case", "wanted"), reasons.KAISERSPIEL.items())
def test_kaiserspiel(case: tuple[str, str], wanted: tuple[str, str, str | None]) -> None:
    cards, kaisers = case
    code, card, beaten = wanted
    expected = _expected(code, cards, card, card[0])
    if beaten is not None:
        expected = Phrase(code, {**expected.params, "beaten": Cards((beaten,))})
    assert reasons.why_of_kaiserspiel(cards, kaisers) == expected


@pytest.mark.parametrize(("case", "code"), reasons.AUFUNDAB.items())
def test_auf_und_ab(case: tuple[int, str], code: str) -> None:
    mode, cards = case
    why = reasons.why_of_aufundab(mode, cards)
    assert (why.code, why.params["cards"]) == (code, Cards(tuple(cards.split())))
    assert why.params["seat"] == SeatName(reasons.LEADER)
    assert why.params["number"] == int(cards.split("-")[1 if mode else 0][0])


def _expected(code: str, cards: str, card: str | None, suit: str | None) -> Phrase:
    if card is None or suit is None:
        return Phrase(code)
    trick = cards.split()
    seat = (reasons.LEADER + trick.index(card)) % len(trick)
    return Phrase(code, {"seat": SeatName(seat), "cards": Cards((card,)), "suit": Suit(suit)})


# The oracle: what each code claims, read off the cards' codes


class Won(NamedTuple):
    """A complete trick as everybody saw it; a card that lies face down is empty."""

    cards: Sequence[str]
    card: str | None
    """The card of whoever the reason names."""
    beaten: str | None
    special: str
    """Trump, or the special suit."""
    kaisers: frozenset[str] = frozenset()

    @property
    def led(self) -> str:
        return self.cards[0]

    @property
    def others(self) -> list[str]:
        return [card for card in self.cards if card != self.card]


def _number(card: str) -> int:
    return -1 if card == "J" else int(card[1:])


def _sticheln(code: str, t: Won) -> bool:
    off = [card for card in t.cards if card[0] != t.led[0]]
    if t.card is None:
        return code == "nobody_takes" and not any(map(_number, t.cards))
    same = [card for card in off if _number(card) == _number(t.card)]
    highest = t.card in off and all(_number(card) <= _number(t.card) for card in off)
    match code:
        case "won_other_colour":
            return highest and len(same) == 1
        case "won_other_colour_first":
            return highest and len(same) > 1 and same[0] == t.card
        case "won_over_zeros":
            best = max(map(_number, t.cards))
            return bool(off) and not any(map(_number, off)) and _number(t.card) == best > 0
        case "won_colour_led":
            return not off and _number(t.card) == max(map(_number, t.cards)) > 0
        case _:
            return False


def _faehrte(code: str, t: Won) -> bool:
    if t.card is None:
        return code == "trick_nobodys" and set(t.cards) == {"J"}
    followed = next(card[0] for card in t.cards if card != "J")
    trumps = [card for card in t.cards if card[0] == t.special]
    best = all(_number(card) < _number(t.card) for card in t.others if card[0] == t.card[0])
    match code:
        case "won_only_trump":
            return trumps == [t.card]
        case "won_trump":
            return len(trumps) > 1 and t.card in trumps and best
        case "won_colour_led":
            return not trumps and t.led != "J" and t.card[0] == followed and best
        case "won_after_joker":
            return not trumps and t.led == "J" and t.card[0] == followed and best
        case _:
            return False


def _kaiserspiel(code: str, t: Won) -> bool:
    s = t.special
    banners = [card for card in t.cards if card in t.kaisers - {"BB"}]
    mugg = ["BB"] if "BB" in t.kaisers else []
    order = [*mugg, f"{s}5", f"{s}U", *banners, f"{s}6", f"{s}2", f"{s}3", f"{s}4"]
    trumps = [card for card in order if card in t.cards]
    plain = [
        f"{t.led[0]}{rank}" for rank in "KOUB765432"
        if f"{t.led[0]}{rank}" in t.cards and f"{t.led[0]}{rank}" not in [*trumps, f"{s}7"]
    ]  # fmt: skip
    kind = {"BB": "won_mugg"} | dict.fromkeys(banners, "won_kaiser")
    assert t.card is not None
    if t.led == f"{s}7":
        if f"{s}U" not in t.cards:
            return (code, t.card) == ("won_seven", t.led)
        wanted = "won_unter" if t.card == f"{s}U" else "won_with_unter"
        return code == wanted and t.card == trumps[0] and t.beaten == t.led
    match code:
        case "won_suit_led":
            return not trumps and t.card == plain[0]
        case "won_over_trump":
            reach = {f"{s}3": "K", f"{s}4": "KO"}
            above = t.beaten is not None and t.card[1] in reach.get(t.beaten, "")
            return t.card == plain[0] and t.beaten == trumps[0] and above
        case "won_first_kaiser":
            return len(banners) > 1 and t.card == banners[0] == trumps[0]
    named = kind.get(t.card, "won_trump") if t.card in t.kaisers else "won_trump"
    over = t.led not in trumps and bool(plain)
    right = code == f"{named}{'_over' if over else ''}" and t.card == trumps[0]
    return right and t.beaten == (plain[0] if over else None)


ORACLES: Final = {
    "sticheln": _sticheln,
    "auffalscherfaehrte": _faehrte,
    "kaiserspiel": _kaiserspiel,
}


def _steps(game: AnyGame) -> Iterator[tuple[Any, int, Any, Any]]:
    if game.info.id == "kaiserspiel":
        # With more passes than chance would have, or no round comes to its tricks.
        for seed in range(40):
            yield from quiet_steps(seed)
        return
    for seats in game.info.seats:
        given = [{}, {"jokers": True}] if game.info.id == "auffalscherfaehrte" else [{}]
        for options in given:
            for seed in range(6):
                yield from match_of(game, seats, options, seed).plies


@pytest.mark.parametrize("name", ORACLES)
def test_what_a_reason_claims_is_so(name: str) -> None:
    game, seen = games()[name], Counter[str]()
    for before, seat, action, after in _steps(game):
        told = [event.phrase for event in game.events(before, seat, action, after)]
        for block in finished(game.layout(game.observe(after, None))):
            why = block.reason
            if not isinstance(block, Trick) or why is None or why not in told:
                continue
            trick = _read(game, before, block, why)
            assert ORACLES[name](why.code, trick), (why, trick)
            seen[why.code] += 1
    common = {why.code for why in reasons.reasons(name)} - {"won_mugg", "won_mugg_over"}
    assert common - set(seen) <= RARE, common - set(seen)


RARE: Final = {
    "nobody_takes",
    "won_zeros",
    "trick_nobodys",
    "won_unter",
    "won_with_unter",
    "won_first_kaiser",
}
"""Not met in so few matches."""


def _read(game: AnyGame, before: object, block: Trick, why: Phrase) -> Won:
    """What the oracle needs, from what lies there and what everybody knew before."""
    cards = [laid.card for laid in block.cards]
    named, beaten = why.params.get("cards"), why.params.get("beaten")
    card = named.codes[0] if isinstance(named, Cards) else None
    other = beaten.codes[0] if isinstance(beaten, Cards) else None
    round_ = getattr(before, "round", None)
    if game.info.id == "sticheln":
        return Won(cards, card, other, "")
    if game.info.id == "auffalscherfaehrte":
        return Won(cards, card, other, "RYGB"[round_.trump if round_ else 0])
    kaisers = frozenset(
        laid.card for laid in block.cards if "kaiser" in laid.marks and "down" not in laid.marks
    )
    return Won(cards, card, other, "ARSB"[round_.special if round_ else 0], kaisers)


def test_the_reason_of_a_series_is_that_nobody_beat_its_last_set() -> None:
    game, seen = games()["aufundab"], Counter[str]()
    best = {"won_highest": (0, 9), "won_lowest": (1, 0)}
    for before, seat, action, after in _steps(game):
        if seat == CHANCE or game.format_action(action) != "pass":
            continue
        for event in game.events(before, seat, action, after):
            why, cards = event.phrase, event.phrase.params.get("cards")
            if isinstance(cards, Cards):
                shown = {code.removesuffix("x2").split("-")[before.mode] for code in cards.codes}
                assert shown == {str(before.number)}, (why, "the number that counted")
                assert why.params["seat"] == SeatName(before.owner)
                held = (before.mode, before.number)
                assert best.get(why.code, held) == held
                assert (held in best.values()) == (why.code in best)
                seen[why.code] += 1
    assert set(seen) >= {"won_passed", "won_highest"}
