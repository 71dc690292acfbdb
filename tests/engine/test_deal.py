"""The verifiable deal: `data/docs/notation.md`, 3 to 6, written once more, as plainly as possible.

The constants were computed with OpenSSL from the text of the specification.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deal import SEED_BYTES, Chain, Mix, Seeded, commitment, digest, shuffle, stream
from engine.game import CHANCE
from engine.registry import games

SEED: Final = bytes(range(32))
PREVIOUS: Final = "0bf0912a0d5a5c8e2d05ebf17418fe71ce68fb07e97f88c162dc6b0fda19031b"
MIX: Final = Mix("kaiserspiel", "T7Q2", 2, "1307", PREVIOUS, ("", "kuckuck", "", "X9"))
BLOCKS: Final = (
    "7429508c0eb9980d581568634dc08d6467cdf0369e45456c4c849dc58c33aa46"
    "d207cee2d308068e8580a4aeeb33bf64d4cd872d2f0136784c767394e183b6f3"
)
"""Blocks 0 and 1 of the stream of SEED and MIX."""
NUMBERS: Final = [int(BLOCKS[at : at + 8], 16) for at in range(0, 128, 8)]


class Plain:
    """The stream of a deal, straight from the specification."""

    def __init__(self, seed: bytes, text: str) -> None:
        self.key = hmac.new(seed, text.encode(), hashlib.sha256).digest()
        self.taken = 0

    def number(self) -> int:
        block, at = divmod(self.taken, 8)
        self.taken += 1
        data = hmac.new(self.key, block.to_bytes(8, "big"), hashlib.sha256).digest()
        return int.from_bytes(data[4 * at : 4 * at + 4], "big")

    def __call__(self, n: int) -> int:
        while True:
            x = self.number()
            if x < 2**32 - 2**32 % n:
                return x % n


# --- What is published ----------------------------------------------------------------------------


def test_the_commitment_is_the_hash_of_the_raw_seed() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert len(SEED) == SEED_BYTES


def test_a_chain_is_hashed_from_its_tip_and_dealt_from_backwards() -> None:
    chain = Chain(SEED, 3)
    once = hashlib.sha256(SEED).digest()
    twice = hashlib.sha256(once).digest()
    assert [chain.seed(link) for link in (1, 2, 3)] == [twice, once, SEED]
    assert chain.seeds() == [SEED, once, twice]
    published = hashlib.sha256(twice).hexdigest()
    assert {commitment(chain.seed(link), link) for link in (1, 2, 3)} == {published}
    for link in (0, 4, -1):
        with pytest.raises(ValueError, match=f"no link {link}"):
            chain.seed(link)


def test_a_chains_look_hides_its_tip() -> None:
    assert repr(Chain(b"secret" * 5 + b"ab", 3)) == "Chain(links=3)"


def test_the_digest_of_a_round_is_that_of_its_lines() -> None:
    actions = [(0, "pass"), (1, "play AK down")]
    assert digest(actions) == PREVIOUS
    assert digest(iter(actions)) == PREVIOUS
    assert digest([]) == hashlib.sha256(b"").hexdigest()
    assert digest([(0, "pass")]) == hashlib.sha256(b"0 pass").hexdigest()  # no newline at the end


def test_what_is_mixed_in() -> None:
    assert MIX.text() == (
        f"stammtisch/deal/1|kaiserspiel|T7Q2|2|1307|{PREVIOUS}|,kuckuck,,X9"
    )  # fmt: skip
    first = Mix("aufundab", "ab-1", 1, "", "", ("", "", ""))
    assert first.text() == "stammtisch/deal/1|aufundab|ab-1|1|||,,"


# --- The stream -----------------------------------------------------------------------------------


def test_the_numbers_of_a_known_stream() -> None:
    draw = stream(SEED, MIX)
    assert [draw(2**32) for _ in NUMBERS] == NUMBERS
    draw = stream(SEED, MIX)
    assert [draw(40 - at) for at in range(16)] == [
        number % (40 - at) for at, number in enumerate(NUMBERS)
    ]


def test_numbers_that_would_favour_some_are_skipped() -> None:
    """With n = 3 * 2**30 a quarter of all numbers is beyond the last whole multiple of n."""
    n = 3 << 30
    kept = [number for number in NUMBERS if number < n]
    assert 0 < len(kept) < len(NUMBERS)
    draw = stream(SEED, MIX)
    assert [draw(n) for _ in kept] == kept


WORD = st.text("abcXYZ019", max_size=20)


@given(
    seed=st.binary(min_size=32, max_size=32),
    round_=st.integers(1, 40),
    words=st.lists(WORD, min_size=3, max_size=6),
    sizes=st.lists(
        st.integers(1, 60) | st.integers(1, 2**32) | st.sampled_from([1, 2**31 + 1, 2**32]),
        min_size=20,
        max_size=60,
    ),
)
def test_the_stream_is_the_specifications(
    seed: bytes, round_: int, words: list[str], sizes: list[int]
) -> None:
    mix = Mix("sticheln", "Q-1", round_, "13", "", tuple(words))
    plain = Plain(seed, f"stammtisch/deal/1|sticheln|Q-1|{round_}|13||{','.join(words)}")
    draw = stream(seed, mix)
    assert [draw(n) for n in sizes] == [plain(n) for n in sizes]


def test_simulated_numbers_are_in_range_and_repeat_with_their_seed() -> None:
    one, other = Seeded(Random("7")), Seeded(Random("7"))
    drawn = [one(n) for n in range(1, 200)]
    assert drawn == [other(n) for n in range(1, 200)]
    assert all(0 <= number < n for n, number in enumerate(drawn, 1))


# --- The shuffle ----------------------------------------------------------------------------------


def plain_shuffle(pack: list[Any], draw: Callable[[int], int]) -> list[Any]:
    """Step 5."""
    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        j = draw(i + 1)
        cards[j], cards[i] = cards[i], cards[j]
    return cards


def test_a_shuffle_swaps_from_the_last_place_down() -> None:
    asked = []

    def draw(n: int) -> int:
        asked.append(n)
        return {5: 1, 4: 3, 3: 0, 2: 0}[n]

    # abcde: e with b (aecdb), d stays, c with a (ceadb), e with c (ecadb)
    assert shuffle("abcde", draw) == list("ecadb")
    assert asked == [5, 4, 3, 2]


def test_a_shuffle_leaves_the_pack_as_it_is() -> None:
    pack = ["a", "b", "c"]
    shuffle(pack, lambda n: 0)
    assert pack == ["a", "b", "c"]
    assert shuffle([], lambda n: 0) == []
    assert shuffle(["a"], lambda n: 0) == ["a"]


def test_every_order_is_equally_likely() -> None:
    """All draws of a shuffle of four cards give all orders, each once."""
    orders = {
        tuple(shuffle("abcd", {4: a, 3: b, 2: c}.__getitem__))
        for a in range(4)
        for b in range(3)
        for c in range(2)
    }
    assert len(orders) == 24


# --- The deals of the games (step 6) --------------------------------------------------------------


def plain_deal(
    name: str, seats: int, order: list[str], draw: Callable[[int], int]
) -> tuple[Any, int | None]:
    """What a record's `deal` must be, and the number drawn for the first dealer or leader."""
    cards = plain_shuffle(order, draw)
    if name == "kaiserspiel":
        while cards[39][1] == "B":
            at = draw(40)
            cards[39], cards[at] = cards[at], cards[39]
        return {"pack": cards}, draw(4)
    size = len(order) // seats
    rows = [cards[seat * size : (seat + 1) * size] for seat in range(seats)]
    *hands, aside = (sorted(row, key=order.index) for row in (*rows, cards[seats * size :]))
    deal: dict[str, Any] = {"hands": hands, "aside": aside}
    if name == "auffalscherfaehrte":
        deal["reveal"] = plain_shuffle(list(range(seats)), draw)
    return deal, None if name == "aufundab" else draw(seats)


SEEDS: Final = 40
"""So many that Kaiserspiel's pack is cut again in some (one in ten)."""

CASES: Final = [
    (name, seats, jokers)
    for name, game in games().items()
    for seats in game.info.seats
    for jokers in ((False, True) if name == "auffalscherfaehrte" else (False,))
]


@pytest.mark.parametrize(("name", "seats", "jokers"), CASES)
def test_games_deal_by_the_steps_of_the_specification(name: str, seats: int, jokers: bool) -> None:
    game = games()[name]
    options = game.complete_options(seats, {"jokers": True} if jokers else {})
    before, order = game.initial(seats, options), list(game.pack(seats, options))
    for number in range(SEEDS):
        seed = hashlib.sha256(bytes([number])).digest()
        mix = Mix(name, "T1", 1, str(number), "", ("",) * seats)
        plain = Plain(seed, f"stammtisch/deal/1|{name}|T1|1|{number}||{',' * (seats - 1)}")
        expected, drawn = plain_deal(name, seats, order, plain)
        dealt = game.deal(before, stream(seed, mix))
        assert game.deal_to_json(dealt) == expected
        head = game.round_head(game.apply(before, CHANCE, dealt))
        if name == "sticheln":
            assert head.start == drawn
        elif drawn is not None:
            assert (head.dealer, head.start) == (drawn, (drawn + 1) % seats)


def test_some_of_these_packs_are_cut_again() -> None:
    last = []
    for number in range(SEEDS):
        seed = hashlib.sha256(bytes([number])).digest()
        plain = Plain(seed, f"stammtisch/deal/1|kaiserspiel|T1|1|{number}||,,,")
        last.append(plain_shuffle([s + r for s in "ARSB" for r in "KOUB765432"], plain)[39])
    assert any(card[1] == "B" for card in last)
