"""Kaiserspiel for tests: wished cards at wished places of the pack, and plays as lines of text.

Written from the rules, not from the module; only the public interface is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

import pytest

from engine.game import CHANCE, AnyGame, RoundHead, RuleError
from engine.registry import games

GAME: Final[AnyGame] = games()["kaiserspiel"]
SUITS: Final = "ARSB"
RANKS: Final = "KOUB765432"
PLAIN_RANKS: Final = RANKS.replace("B", "")
PACK: Final = tuple(suit + rank for suit in SUITS for rank in RANKS)
BANNERS: Final = ("AB", "RB", "SB", "BB")

# Dealer 3, so that seat 0 is eldest; nobody has an open Banner.
PAUSE_1: Final = "0 pass, 1 pass"
PAUSE_2: Final = "0 pass, 1 pass"
PAUSE_3: Final = "0 pass, 1 pass, 0 pass, 1 pass"
PAUSE_4: Final = "2 pass, 3 pass, 0 pass, 1 pass"
PAUSES: Final = (PAUSE_1, PAUSE_2, PAUSE_3, PAUSE_4)
MORE: Final = "0 pass, 1 pass, 2 pass, 3 pass"

PLAIN: Final = "AK R2 SK BK"
"""Open cards without a Banner; roses are special."""


def slots(dealer: int, seat: int) -> list[int]:
    """Places in the pack of the cards that `seat` gets: the open one, then three times two."""
    turn = (seat - dealer - 1) % 4
    return [turn, *(4 + 8 * time + 2 * turn + one for time in range(3) for one in (0, 1))]


def pack(
    opened: str = PLAIN, hidden: Mapping[int, str] | None = None, dealer: int = 3, cut: str = ""
) -> list[str]:
    """A pack: `opened` in dealing order, `hidden` by seat in the order of arrival.

    What is not wished for is filled up without Banners; those come where nobody gets them.
    """
    wished: dict[int, str] = dict(enumerate(opened.split()))
    assert len(wished) == 4
    for seat, cards in (hidden or {}).items():
        for place, card in zip(slots(dealer, seat)[1:], cards.split(), strict=False):
            wished[place] = card
        assert len(cards.split()) <= 6, cards
    if cut:
        wished[39] = cut
    assert len(set(wished.values())) == len(wished), "a card is wished for twice"
    rest = [card for card in PACK if card not in wished.values()]
    rest.sort(key=lambda card: card in BANNERS)
    empty = [place for place in (*range(28), 39, *range(28, 39)) if place not in wished]
    wished.update(zip(empty, rest, strict=True))
    return [wished[place] for place in range(40)]


def start(target: int = 41, *, limit: bool = False) -> Any:
    """Before the first deal, whatever the target; without the limit unless it is asked for."""
    return GAME.initial(4, {"target": target, "limit": limit})


def deal_pack(codes: list[str], dealer: int = 3, before: Any = None) -> Any:
    """The state after this deal; in a match that goes on the game itself knows the dealer."""
    head = RoundHead(dealer, (dealer + 1) % 4, None)
    if before is None:
        before = start()
    return GAME.apply(before, CHANCE, GAME.deal_from_json(before, {"pack": codes}, head))


def deal(
    opened: str = PLAIN,
    hidden: Mapping[int, str] | None = None,
    *,
    dealer: int = 3,
    cut: str = "",
    before: Any = None,
) -> Any:
    """`pack`, dealt."""
    return deal_pack(pack(opened, hidden, dealer, cut), dealer, before)


def act(state: Any, seat: int, text: str) -> Any:
    return GAME.apply(state, seat, GAME.parse_action(text))


def run(state: Any, *script: str) -> Any:
    """Play lines such as `0 pass, 1 pass`: each seat must be the only one that is asked.

    Discards are simultaneous: there the seat must be one of those asked.
    """
    for line in [line for lines in script for line in lines.split(", ")]:
        seat, text = line.split(" ", 1)
        acting = GAME.actors(state)
        if text.startswith("discard"):
            assert int(seat) in acting, f"{line!r}, but {acting} act"
        else:
            assert acting == (int(seat),), f"{line!r}, but {acting} act"
        state = act(state, int(seat), text)
    return state


def legal(state: Any, seat: int) -> set[str]:
    """All that `seat` may do now."""
    found = [GAME.format_action(action) for action in GAME.legal_actions(state, seat)]
    assert len(set(found)) == len(found), "an action stands twice"
    return set(found)


def asked(state: Any) -> tuple[int, set[str]]:
    """The one seat that is asked, and what it may answer."""
    (seat,) = GAME.actors(state)
    return seat, legal(state, seat)


def refusal(state: Any, line: str) -> str:
    """The code with which an action is refused (by `is_legal` too)."""
    seat, text = line.split(" ", 1)
    action = GAME.parse_action(text)
    assert text not in legal(state, int(seat))
    assert not GAME.is_legal(state, int(seat), action), f"{line!r} is legal"
    with pytest.raises(RuleError) as caught:
        GAME.apply(state, int(seat), action)
    return caught.value.code


def hand(state: Any, seat: int) -> set[str]:
    """Cards in the discards and plays open to `seat`: its hand, where all of it may be used."""
    words = [text.split(" ")[1:] for text in legal(state, seat)]
    return {card for cards in words for card in cards if card != "down"}


def known(state: Any, viewer: int | None) -> set[str]:
    """Cards whose place a viewer knows."""
    return {
        card.card
        for card in GAME.cards(state)
        if (card.public if viewer is None else viewer in card.known_to)
    }


def discarded(state: Any, kept: Mapping[int, str] | None = None) -> Any:
    """All discards made, of cards that their owners do not want to keep."""
    for seat in GAME.actors(state):
        keep = set((kept or {}).get(seat, "").split())
        free = sorted(text for text in legal(state, seat) if not keep & set(text.split()[1:]))
        state = act(state, seat, free[0])
    return state


def settled(
    state: Any, kaisers: tuple[str, ...] = (), kept: Mapping[int, str] | None = None
) -> Any:
    """The state at the first lead: these Kaisers declared for one point each, all else passed."""
    while True:
        if len(GAME.actors(state)) > 1:
            state = discarded(state, kept)
            continue
        seat, texts = asked(state)
        if any(text.startswith("play") for text in texts):
            return state
        wishes = [f"kaiser {card}" for card in kaisers]
        replies = (*wishes, "raise 1", "accept", "stay", "pass")
        state = act(state, seat, next(reply for reply in replies if reply in texts))


def ready(
    special: str, kept: Mapping[int, str], kaisers: tuple[str, ...] = (), dealer: int = 3
) -> Any:
    """The first lead of a round in which `special` is special and these cards are held.

    The open cards and one more of each seat are others, and are discarded.
    """
    wanted = {card for cards in kept.values() for card in cards.split()}
    low = next(rank for rank in reversed(PLAIN_RANKS) if special + rank not in wanted)
    higher = [rank for rank in PLAIN_RANKS if RANKS.index(rank) < RANKS.index(low)]
    others = [suit + rank for rank in higher for suit in SUITS if suit + rank not in wanted]
    opened = " ".join([special + low, *others[:3]])
    return settled(deal(opened, kept, dealer=dealer), kaisers, kept)


def trick(special: str, cards: str, dealer: int = 3) -> str:
    """The card that wins a round's first trick.

    `cards` are in the order of play, from eldest: `AK`, face down `(AK)`, a Kaiser `AB!`.
    """
    played = cards.split()
    assert len(played) == 4
    codes = [text.strip("()!") for text in played]
    seats = [(dealer + 1 + turn) % 4 for turn in range(4)]
    kaisers = tuple(code for code, text in zip(codes, played, strict=True) if "!" in text)
    state = ready(special, dict(zip(seats, codes, strict=True)), kaisers, dealer)
    for seat, code, text in zip(seats, codes, played, strict=True):
        state = run(state, f"{seat} play {code}{' down' if '(' in text else ''}")
    (winner,) = GAME.actors(state)
    return codes[seats.index(winner)]


def trick_played(state: Any, cards: str) -> Any:
    """Four cards played one after the other, from whoever leads."""
    for card in cards.split():
        (seat,) = GAME.actors(state)
        state = act(state, seat, f"play {card.strip('()')}{' down' if '(' in card else ''}")
    return state


def finished(state: Any) -> Any:
    """The round played to its end without another word: what is offered is accepted."""
    while GAME.round_scores(state) is None:
        if len(GAME.actors(state)) > 1:
            state = discarded(state)
            continue
        seat, texts = asked(state)
        replies = ("raise 1", "accept", "stay", "pass", *sorted(texts))
        state = act(state, seat, next(reply for reply in replies if reply in texts))
    return state


def four_banners(seed: int) -> Iterator[tuple[Any, int, Any, Any]]:
    """What is done, with any answers, in a round in which four Banners lie open."""
    state, rng = start(limit=True), Random(seed)
    codes = {"pack": pack("SB RB AB BB")}
    seat, action = CHANCE, GAME.deal_from_json(state, codes, RoundHead(3, 0, None))
    while True:
        after = GAME.apply(state, seat, action)
        yield state, seat, action, after
        state, (seat,) = after, GAME.actors(after)
        if seat == CHANCE:
            return
        action = rng.choice(GAME.legal_actions(state, seat))


def worth(state: Any) -> int:
    """The value of the running round: what its winner gets if nobody raises any more."""
    scores = GAME.round_scores(finished(state))
    assert scores is not None
    assert sorted(scores)[:2] == [0, 0]
    return max(scores)
