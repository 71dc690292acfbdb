"""Auf und Ab: what a decision is for, why a card is barred, what speaks for an action."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from engine.cards import cards_in
from engine.games.aufundab.cards import (
    CARDS,
    DOUBLE,
    DOWN,
    NUMBERS,
    PACK,
    PAIRS,
    PASS,
    SYMBOLS,
    UP,
    Move,
    beats,
    changes_in,
    counted,
    number_of,
    quantity_of,
)
from engine.games.aufundab.state import UNKNOWN, View
from engine.layout import Barred, Cards, Phrase, phrase

_NOT_BETTER: Final = ("why_not_above", "why_not_below")
"""By mode: the number of a card does not beat what lies there."""
_UNBEATEN: Final = ("why_nothing_above", "why_nothing_below")
"""By mode: no number at all does."""


def tip(view: View, sets: Sequence[Move]) -> Phrase | None:
    """What the decision of whoever is asked is for; `sets` are those that may be played."""
    if not view.asked:
        return None
    if not view.following:
        return phrase("tip_open" if view.owner == UNKNOWN else "tip_lead")
    if view.alone:
        return phrase("tip_alone" if sets else "tip_end_series")
    if not sets:
        return phrase("tip_pass")
    return phrase("tip_follow_up" if view.mode == UP else "tip_follow_down")


def barred(view: View, sets: Sequence[Move]) -> tuple[Barred, ...]:
    """The cards of whoever is asked that are in none of these sets, which may be played."""
    if not view.asked:
        return ()
    left = view.hand
    for move in sets:
        left &= ~move.cards
    return tuple(_why(view, left)) if left else ()


def _why(view: View, left: int) -> Iterator[Barred]:
    if not view.following:
        # Only the first set of a round has to be of a certain number.
        opening = PACK.codes(DOUBLE[view.round.opening])
        yield Barred(PACK.codes(left), phrase("why_opening", cards=Cards(opening)))
        return
    worse = 0
    for number in NUMBERS:
        if not beats(view.mode, number, view.number):
            worse |= left & CARDS[view.mode][number]
    if worse:
        beaten = any(beats(view.mode, number, view.number) for number in NUMBERS)
        code = (_NOT_BETTER if beaten else _UNBEATEN)[view.mode]
        yield Barred(PACK.codes(worse), phrase(code, number=view.number))
    if few := left & ~worse:
        yield Barred(PACK.codes(few), phrase("why_too_few", needed=view.quantity))


# What speaks for an action.


def advice(view: View, action: Move) -> Iterator[Phrase]:
    """What speaks for an action of whoever is asked, or against it, from what they know."""
    if action == PASS:
        if view.alone:
            yield _next_lead(view)
        else:
            yield from _kept(view)
        return
    if action.cards == view.hand:
        yield phrase("advice_out")
        return
    played, left = number_of(view.mode, action.cards), view.hand & ~action.cards
    unbeatable = not _beatable(view, played, quantity_of(action))
    after = _mode_after(view, action)
    if (view.alone or unbeatable) and any(not left & ~cards for cards in CARDS[after]):
        yield phrase("advice_then_out", symbol=SYMBOLS[after])
    if view.alone:
        yield phrase("advice_alone")
    elif unbeatable:
        top = played == _BEST[view.mode][0]
        yield phrase("advice_top" if top else "advice_unbeatable")
    elif action.doubled and not view.following:
        yield phrase("advice_double_leads")
    few, quantity = _nearly_out(view), quantity_of(action)
    if few and few + 1 < quantity:
        yield phrase("advice_too_few", count=few)
    elif few and few < quantity and not unbeatable:
        yield phrase("advice_only_double", count=few)
    shed, least = action.cards.bit_count(), _least_left(view)
    if least <= _NEARLY_OUT:
        if not unbeatable:
            yield from _in_danger(view, action, least)
        yield phrase("advice_sheds_in_time", count=shed, least=least)
    numbers = [(way, PAIRS[card][way]) for card in cards_in(action.cards) for way in (UP, DOWN)]
    if not any(_is_good(way, number) for way, number in numbers):
        yield phrase("advice_weak", count=shed)
    # Once the arrow turns, the weakest number is the best.
    if after == view.mode and not any(
        left & CARDS[view.mode][number]
        for number in NUMBERS
        if not beats(view.mode, number, played)
    ):
        yield phrase("advice_weakest")
    if not unbeatable and (back := _comes_back(view, action)) is not None:
        yield phrase("advice_comes_back", number=back)
    yield from _kept_with(view, action)
    if least > _NEARLY_OUT:
        yield phrase("advice_sheds", count=shed)


def _mode_after(view: View, action: Move) -> int:
    """The mode of the next series if nobody plays anything after that action."""
    return view.next_mode ^ (changes_in(action.cards) & 1)


def _kept_with(view: View, action: Move) -> Iterator[Phrase]:
    """What stays in hand beside a set that is played: what serves the next series, whether the
    arrow turns with it, unless another change card comes, or not."""
    played, left = number_of(view.mode, action.cards), view.hand & ~action.cards
    turned = _mode_after(view, action)
    if turned != view.mode:
        if left and _is_weakest(view.hand, turned, action.cards):
            yield phrase("advice_weakest_turned", symbol=SYMBOLS[turned])
        else:
            whole = [
                one
                for one in NUMBERS
                if _is_good(turned, one) and not action.cards & CARDS[turned][one]
            ]
            yield from _together(left, turned, whole, "advice_sets_turned")
        return
    rest = (left & CARDS[view.mode][played]).bit_count()
    if rest > 1 and _is_good(view.mode, played):
        yield phrase("advice_rest", count=rest, number=played)
    better = [number for number in NUMBERS if beats(view.mode, number, played)]
    yield from _together(left, view.mode, better, "advice_sets")
    if (stronger := _stronger_kept(view, better)) is not None:
        held = (view.hand & CARDS[view.mode][stronger]).bit_count()
        yield phrase("advice_stronger_kept", number=stronger, count=held)


def _is_weakest(hand: int, mode: int, played: int) -> bool:
    """Whether all other cards have better numbers in a mode than each of those that are played."""
    numbers = [PAIRS[card][mode] for card in cards_in(played)]
    best = (max if mode == UP else min)(numbers)
    return all(beats(mode, PAIRS[card][mode], best) for card in cards_in(hand & ~played))


_NEARLY_OUT: Final = 3
"""Cards of a hand that may soon be empty."""


def _least_left(view: View) -> int:
    """The fewest cards that another player has left, in this series or out of it."""
    return min(count for seat, count in enumerate(view.counts) if seat != view.seat)


def _in_danger(view: View, action: Move, least: int) -> Iterator[Phrase]:
    """What a good single card leaves to somebody who still plays in this series, and has one."""
    number = number_of(view.mode, action.cards)
    others = [
        seat for seat in range(len(view.counts)) if seat != view.seat and not view.out >> seat & 1
    ]
    threatens = quantity_of(action) == least == 1 and any(view.counts[seat] == 1 for seat in others)
    beaten = any(beats(view.mode, one, number) for one in NUMBERS)
    if threatens and beaten and _is_good(view.mode, number):
        yield phrase(_LAST_CARD[view.mode], number=number)


_LAST_CARD: Final = ("advice_last_card_above", "advice_last_card_below")
"""By mode: what the last card of somebody else has to be."""


def _comes_back(view: View, action: Move) -> int | None:
    """The best number with which whoever leads a worse one could take the series again."""
    if view.following:
        return None
    left = view.hand & ~action.cards
    played, quantity = number_of(view.mode, action.cards), quantity_of(action)
    for number in NUMBERS if view.mode == DOWN else reversed(NUMBERS):
        if not (_is_good(view.mode, number) and beats(view.mode, number, played)):
            return None
        if counted(left, view.mode, number) >= quantity:
            return None if _beatable(view, number, quantity) else number
    return None


def _nearly_out(view: View) -> int:
    """The cards of whoever has the fewest of those who still play in this series, if these are few
    (one of them may count as two); 0 if nobody has so few."""
    counts = enumerate(view.counts)
    others = [count for seat, count in counts if seat != view.seat and not view.out >> seat & 1]
    least = min(others, default=0)
    return least if least <= _NEARLY_OUT else 0


def _together(left: int, mode: int, numbers: Iterable[int], code: str) -> Iterator[Phrase]:
    """Which of these numbers three cards or more share in a mode, the most cards first; two are
    nothing to tell of."""
    held = {number: (left & CARDS[mode][number]).bit_count() for number in numbers}
    for number in sorted(held, key=lambda one: -held[one]):
        if held[number] > 2:
            yield phrase(code, count=held[number], number=number, symbol=SYMBOLS[mode])


def _kept(view: View) -> Iterator[Phrase]:
    """What whoever passes keeps together, of a good number in either mode, that every set they
    could play takes something of: the most cards.  And whether they could only play one of the two
    best numbers, or what might be beaten at once."""
    sets = [move.cards for move in view.legal_actions if move != PASS]
    groups = [
        ((view.hand & CARDS[mode][number]).bit_count(), number, mode)
        for mode in dict.fromkeys((view.next_mode, 1 - view.mode))  # one, if the arrow turns
        for number in NUMBERS
        if _is_good(mode, number) and all(played & CARDS[mode][number] for played in sets)
    ]
    most, number, mode = max(groups, key=lambda group: group[0], default=(0, 0, UP))
    together = bool(sets) and most > 2  # two are nothing to tell of
    if together:
        code = "advice_keep_set" if mode == view.mode else "advice_keep_set_turned"
        yield phrase(code, count=most, number=number, symbol=SYMBOLS[mode])
    numbers = {number_of(view.mode, cards) for cards in sets}
    # Once the arrow turns, the best number is the worst.
    if len(numbers) == 1 and numbers <= {*_BEST[view.mode]} and view.next_mode == view.mode:
        (number,) = numbers
        yield phrase(_kept_best(view, number), number=number, symbol=SYMBOLS[view.mode])
        return
    if not together:
        yield phrase("advice_keep")
    # By itself no reason to pass: what is beaten is gone from one's hand all the same.
    if numbers and (better := _still_better(view, numbers)):
        code = "advice_still_beaten" if view.quantity == 1 else "advice_still_beaten_sets"
        yield phrase(code, count=better)


def _kept_best(view: View, number: int) -> str:
    """Code for keeping one of the two best numbers."""
    best = _BEST[view.mode][0]
    if number == best:
        return "advice_keep_top"
    played = view.pile | view.gone
    return "advice_keep_best" if CARDS[view.mode][best] & ~played else "advice_keep_best_left"


def _still_better(view: View, numbers: Collection[int]) -> int:
    """How many cards with a better number than all of these others may hold; of larger sets, how
    many better numbers of which they may hold enough.  0 if too few to beat the best of them."""
    best = (max if view.mode == UP else min)(numbers)
    unseen = PACK.all & ~(view.hand | view.pile | view.gone)
    better = [one for one in NUMBERS if beats(view.mode, one, best)]
    if view.quantity > 1:
        return sum(counted(unseen, view.mode, one) >= view.quantity for one in better)
    return sum((unseen & CARDS[view.mode][one]).bit_count() for one in better)


_BEST: Final = ((9, 8), (0, 1))
"""By mode: the number that none beats, and the one that only this beats."""


def _is_good(mode: int, number: int) -> bool:
    """Whether it beats at least half of the numbers: nobody passes to keep one that does not."""
    return sum(beats(mode, number, other) for other in NUMBERS) >= len(NUMBERS) // 2


def _stronger_kept(view: View, better: Sequence[int]) -> int | None:
    """The best of these numbers that could be played instead to what others have played."""
    if not view.following or view.alone:
        return None
    held = [number for number in better if counted(view.hand, view.mode, number) >= view.quantity]
    return (max if view.mode == UP else min)(held, default=None)


def _next_lead(view: View) -> Phrase:
    """What there is to lead the next series with, which whoever ends this one leads."""
    held = [(view.hand & cards).bit_count() for cards in CARDS[view.next_mode]]
    most = max(held)
    if most == 1:
        return phrase("advice_lead_next")
    number, symbol = held.index(most), SYMBOLS[view.next_mode]
    return phrase("advice_lead_next_set", count=most, number=number, symbol=symbol)


def _beatable(view: View, number: int, quantity: int) -> bool:
    """Whether others may hold equally many of a better number, for all that the seat knows."""
    unseen = PACK.all & ~(view.hand | view.pile | view.gone)
    for better in NUMBERS:
        if beats(view.mode, better, number) and counted(unseen, view.mode, better) >= quantity:
            return True
    return False
