"""What is shown of a deal and when; records; seeds that stay secret."""

from __future__ import annotations

import hashlib
import hmac
import json
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.ids import ChannelId, GuildId, MessageId, TableId
from bot.tables.deals import Check, PublicDeal, check, match_record, public_deals
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Over
from bot.tables.plans import Wish
from bot.tables.ports import Due
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Shuffle, Status
from engine.games.aufundab import GAME
from engine.record import to_text
from engine.verify import verify_text
from tests.tables.conftest import Logged
from tests.tables.fakes import ANN, BEN, CAT, FIRST_POST, MODERATOR, House, deadline_of, refused
from tests.tables.stub import StubGame

# What may be seen


async def test_a_lobby_shows_the_commitment_of_its_deals(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    assert public_deals(table) == (PublicDeal(1, table.commitment, None, ()),)


async def test_a_seed_is_shown_after_its_round_with_what_went_into_the_deal(house: House) -> None:
    table = await house.lobby(ANN, BEN, rounds=2)
    await house.service.cut(table.id, BEN.id, "kuckuck")
    table = await house.service.start(table.id, ANN.id)
    first, coming = public_deals(table)
    assert (first.post, first.words, first.seed, first.previous) == (
        None,
        ("", "kuckuck"),
        None,
        None,
    )
    assert (coming.commitment, coming.seed) == (table.commitment, None)
    table = await house.post(table.id)
    (first,) = public_deals(table)
    assert (first.post, first.seed, first.previous) == (str(FIRST_POST), None, None)
    assert await seen(house.service, table) == [None]
    await house.play(table.id, ANN, "play 4")
    assert await seen(house.service, table) == [None]
    table = await house.play(table.id, BEN, "play 7")
    (one,) = house.chance.seeds(1)
    assert await seen(house.service, table) == [one, None]
    assert public_deals(table)[0].previous == ""
    table = await house.next_round(table.id)
    assert await seen(house.service, table) == [one, None]
    assert public_deals(table)[1].previous is None
    table = await house.play_round(table.id)
    assert await seen(house.service, table) == house.chance.seeds(2)
    digest = hashlib.sha256(b"0 play 4\n1 play 7").hexdigest()
    assert public_deals(table)[1].previous == digest


async def test_a_game_with_secrets_until_the_end_shows_no_seed_and_no_digest_before_it() -> None:
    house = House(game=StubGame(seeds_after="match"))
    table = await house.match(ANN, BEN, rounds=2)
    table = await house.play_round(table.id)
    assert [(d.seed, d.previous) for d in public_deals(table)] == [(None, None)] * 2
    table = await house.next_round(table.id)
    assert [(d.seed, d.previous) for d in public_deals(table)] == [(None, None)] * 2
    table = await house.play_round(table.id)
    assert table.stored.status is Status.FINISHED
    assert await seen(house.service, table) == house.chance.seeds(2)


@pytest.mark.parametrize("seeds_after", ["round", "match"])
async def test_a_match_that_is_stopped_shows_the_seeds_of_all_that_was_dealt(
    seeds_after: Any,
) -> None:
    house = House(game=StubGame(seeds_after=seeds_after))
    table = await house.match(ANN, BEN, rounds=3)
    await house.play_round(table.id)
    await house.next_round(table.id)
    await house.play(table.id, ANN)
    table = await house.stop(table.id)
    assert await seen(house.service, table) == [*house.chance.seeds(2), None]


async def test_a_deal_that_was_never_made_keeps_its_seed(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    closed = await house.service.start(table.id, ANN.id)
    stopped = await house.service.end(closed.id, ANN.id, moderator=False)
    assert await seen(house.service, stopped) == [None, None]
    table = await house.lobby(ANN, BEN)
    expired = await house.service.end(table.id, ANN.id, moderator=False)
    assert await seen(house.service, expired) == [None]


async def seen(service: TableService, table: Table) -> list[str | None]:
    """The seeds shown, by round."""
    deals = public_deals(await service.table(table.id))
    assert [deal.round for deal in deals] == list(range(1, len(deals) + 1))
    return [deal.seed for deal in deals]


# Checking it with the notation alone


def numbers(seed: bytes, text: str) -> Iterator[int]:
    """`data/docs/notation.md`, verifiable deal, 3 and 4."""
    key = hmac.new(seed, text.encode("utf-8"), hashlib.sha256).digest()
    block = 0
    while True:
        data = hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def drawn(found: Iterator[int], n: int) -> int:
    for number in found:
        if number < 2**32 - (2**32 % n):
            return number % n
    raise AssertionError("the stream does not end")


def in_order_of(pack: Sequence[str], found: Iterator[int]) -> list[str]:
    """`data/docs/notation.md`, 5."""
    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        j = drawn(found, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


async def test_a_real_deal_follows_from_what_is_published_by_the_notation_alone() -> None:
    house, tables = real_house()
    table = await real_table(tables, hands=2)
    bound = table.commitment
    await tables.cut(table.id, BEN.id, "kuckuck")
    table = await tables.start(table.id, ANN.id)
    await tables.posted(table.id, 1, MessageId(1307))
    table = await play(tables, table.id, until_pause=True)
    await tables.cut(table.id, CAT.id, "zwei")
    table = await play(tables, table.id)
    made = json.loads(to_text(match_record(table)))
    pack = [f"{low}-{high}" for low in range(10) for high in range(low, 10)]
    said = [("1307", ["", "kuckuck", ""]), ("1002", ["", "", "zwei"])]
    previous = ""
    for number, dealt in enumerate(made["rounds"], start=1):
        proof = dealt["proof"]
        seed = bytes.fromhex(proof["server_seed"])
        assert seed.hex() == house.chance.seeds(2)[number - 1]
        value = seed
        for _ in range(proof["link"]):
            value = hashlib.sha256(value).digest()
        assert value.hex() == proof["commitment"] == bound
        assert (proof["post"], proof["words"]) == said[number - 1]
        assert (proof["table"], proof["round"]) == (table.id, number)
        assert proof["previous"] == previous
        text = "|".join(
            ["stammtisch/deal/1", "aufundab", table.id, str(number), proof["post"], previous]
        )
        cards = in_order_of(pack, numbers(seed, text + "|" + ",".join(proof["words"])))
        hands = [sorted(cards[18 * seat :][:18], key=pack.index) for seat in range(3)]
        assert dealt["deal"] == {"hands": hands, "aside": cards[54:]}
        actions = "\n".join(f"{done['seat']} {done['do']}" for done in dealt["actions"])
        previous = hashlib.sha256(actions.encode()).hexdigest()
        shown = public_deals(table)[number - 1]
        assert shown == PublicDeal(
            number, bound, proof["post"], tuple(proof["words"]), seed.hex(), proof["previous"]
        )


# Records


async def test_only_an_ended_match_has_a_record(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    with refused("not_running"):
        match_record(table)
    with refused("replay_running"):
        match_record(await house.service.start(table.id, ANN.id))
    with refused("replay_running"):
        match_record(await house.post(table.id))
    await house.stop(table.id)
    table = await house.lobby(ANN, BEN)
    table = await house.stop(table.id)
    with refused("never_started") as refusal:
        match_record(table)
    assert refusal[0].table == table


async def test_a_match_that_cannot_be_read_has_no_record_but_an_answer(house: House) -> None:
    table = await house.match(ANN, BEN)
    house = house.restarted(StubGame(rules_version=2))
    table = await house.stop(table.id)
    with refused("unreadable", id=table.id):
        match_record(table)
    assert [deal.seed is None for deal in public_deals(table)] == [False, True]


@pytest.mark.parametrize("plies", [0, 1, 7, None])
async def test_a_match_that_was_stopped_has_a_record_with_full_proofs(plies: int | None) -> None:
    """None: while the seats were closed for the first round."""
    house, tables = real_house()
    table = await real_table(tables)
    table = await tables.start(table.id, ANN.id)
    if plies is not None:
        table = await tables.posted(table.id, 1, MessageId(55))
        table = await play(tables, table.id, plies=plies)
    await tables.leave(table.id, CAT.id)
    table = await tables.end(table.id, MODERATOR.id, moderator=True)
    made = match_record(table)
    assert made["outcome"] is None
    assert made["stopped"] == "moderator"
    rounds = made["rounds"]
    assert isinstance(rounds, list)
    assert len(rounds) == (0 if plies is None else 1)
    for dealt in rounds:
        assert dealt["scores"] is None
        assert dealt["proof"]["server_seed"] == house.chance.seeds(1)[0]
        assert len(dealt["actions"]) == plies
    assert verify_text(to_text(made), 1) == []


@pytest.mark.parametrize("how", ["conceded", "vote"])
async def test_a_match_that_somebody_conceded_is_a_stopped_one_in_its_record(how: str) -> None:
    """Its log ends where it ended, whatever it counts for."""
    house, tables = real_house()
    table = await real_table(tables, hands=2)
    await tables.start(table.id, ANN.id)
    await tables.posted(table.id, 1, MessageId(55))
    table = await play(tables, table.id, until_pause=True)
    if how == "vote":
        for person in (ANN, BEN):
            table = await tables.end(table.id, person.id, moderator=False)
        voted = deadline_of(table, DeadlineKind.VOTED)
        house.clock.now = voted.due
        await tables.fire(Due(table.id, voted))
    else:
        await tables.left_server(table.id, BEN.id)
        await tables.leave(table.id, ANN.id)
    table = await tables.table(table.id)
    assert table.stored.stop == how
    assert isinstance(table.phase, Over)
    assert table.phase.outcome is not None
    made = match_record(table)
    assert (made["outcome"], made["stopped"]) == (None, how)
    assert verify_text(to_text(made), 1) == []


async def test_what_was_found_of_one_round_is_not_said_of_the_next() -> None:
    _, tables = real_house()
    table = await real_table(tables, hands=3)
    await tables.start(table.id, ANN.id)
    await tables.posted(table.id, 1, MessageId(55))
    for number in (1, 2):
        paused = await play(tables, table.id, until_pause=True)
        assert await tables.checked(paused) == Check(number, fits=True)
        for person in (ANN, BEN, CAT):
            await tables.ready(table.id, person.id, None)
        await tables.posted(table.id, number + 1, MessageId(55 + number))


@pytest.mark.behaviour("A deal does not fit what was published before it")
async def test_the_program_finds_what_does_not_fit_in_its_own_match() -> None:
    """Somebody who wrote into the database, at a table that goes on and at one that is over."""
    _, tables = real_house()
    table = await real_table(tables, hands=2)
    assert check(table) is None
    await tables.start(table.id, ANN.id)
    await tables.posted(table.id, 1, MessageId(55))
    assert check(await tables.table(table.id)) is None, "nothing is published while it is played"
    paused = await play(tables, table.id, until_pause=True)
    assert check(paused) == await tables.checked(paused) == Check(1, fits=True)
    over = await play(tables, table.id)
    assert check(over) == await tables.checked(over) == Check(2, fits=True)
    for now, deals_of in ((paused, 1), (over, 2)):
        shuffling = now.stored.shuffling
        first, *rest = shuffling.shuffles
        for stacked in (
            replace(first, post="56"),
            replace(first, words=("x", "", "")),
            replace(first, seed="ab" * 32),
        ):
            spoilt = replace(shuffling, shuffles=(stacked, *rest))
            found = replace(now, stored=replace(now.stored, shuffling=spoilt))
            assert check(found) == Check(deals_of, fits=False)


# Nothing gets out


async def test_no_seed_is_in_the_look_of_anything_in_a_log_or_in_a_refusal(logged: Logged) -> None:
    house, tables = real_house()
    table = await real_table(tables, hands=2)
    told: list[str] = []

    async def look() -> None:
        now = await tables.table(table.id)
        told.append(repr((now, now.stored, now.stored.shuffling.shuffles, house.store.changes)))
        if now.played is not None:
            told.append(repr([now.observe(seat) for seat in (None, 0, 1, 2)]))
        told.append(repr((now.commitment, now.words, now.told)))
        told.append(repr(now.dealt and now.dealt.post))
        told.append(repr(public_deals(now)))

    async def refusal(wish: Any) -> None:
        with pytest.raises((TableError, OSError)) as caught:
            await wish
        told.append("".join(traceback.format_exception(caught.value)))
        told.append(repr((caught.value, getattr(caught.value, "table", None))))

    await look()
    await refusal(tables.cut(table.id, ANN.id, "no word"))
    await tables.start(table.id, ANN.id)
    await look()
    house.store.failures = [OSError("disk full")]
    await refusal(tables.posted(table.id, 1, MessageId(5)))
    await refusal(tables.act(table.id, None, ANN.id, "pass", None))
    await tables.posted(table.id, 1, MessageId(5))
    await look()
    stored, log = house.store.rows[table.id]
    house.store.rows[table.id] = (stored, (log[0]._replace(text="{}"),))
    await refusal(house.restarted().service.table(table.id))
    house.store.rows[table.id] = (stored, log)
    await play(tables, table.id, plies=3)
    await look()
    assert len(house.chance.tips) == 1
    seeds = [*house.chance.seeds(2), house.chance.tips[0].hex(), str(house.chance.tips[0])[2:20]]
    everything = repr(logged) + "\n".join(told)
    assert seeds[0] == stored.shuffling.shuffles[0].seed
    assert table.commitment in everything
    assert not any(seed[:16] in everything for seed in seeds)


# A house with the real Auf und Ab


def real_house() -> tuple[House, TableService]:
    house = House(games={GAME.info.id: GAME})
    return house, house.service


async def real_table(tables: TableService, **given: int) -> Table:
    table = await tables.open(Wish(GAME.info.id, 3, given), GuildId(1), ChannelId(2), ANN)
    for person in (BEN, CAT):
        table = await tables.sit(table.id, person)
    return table


async def play(
    tables: TableService, table: TableId, *, plies: int = 10_000, until_pause: bool = False
) -> Table:
    """So many random actions, or to the end; the message of round n has the id 1000 + n."""
    rng = Random(4)
    now = await tables.table(table)
    while now.stored.status is Status.RUNNING and plies:
        if isinstance(now.phase, BetweenRounds):
            if until_pause:
                break
            for person in now.stored.seating.people:
                await tables.ready(table, person.id, None)
            now = await tables.posted(table, now.round + 1, MessageId(1001 + now.round))
            continue
        (seat,) = now.actors
        person = now.stored.seating.people[seat]
        text = rng.choice(list(now.legal_texts(seat)))
        now = await tables.act(table, None, person.id, text, None)
        plies -= 1
    return now


def test_a_shuffles_look_hides_its_seed() -> None:
    shuffle = Shuffle("ab" * 32, "77", ("a", ""))
    assert "abab" not in repr(shuffle)
    assert "77" in repr(shuffle)
