"""Who has answered, where Discord says that somebody has."""

from __future__ import annotations

import pytest

from bot.answer.delivery import Delivery, Undelivered
from tests.publish.stage import Refused


async def lost() -> None:
    raise TimeoutError


async def refused() -> None:
    raise Refused(403, 50001)


async def taken() -> None:
    raise Refused(400, 40060)


async def found_taken(delivery: Delivery, *tries: str) -> bool:
    """Whether it was somebody else, after these first answers one after the other."""
    kinds = {"lost": lost, "refused": refused, "taken": taken}
    for name in tries:
        with pytest.raises(Undelivered):
            await delivery.first([kinds[name]] * 2)
    return delivery.taken


async def test_only_at_the_very_first_try_it_was_somebody_else() -> None:
    assert await found_taken(Delivery(1, fresh=True), "taken")
    assert not await found_taken(Delivery(2, fresh=True), "lost", "taken"), "a lost deferral"
    assert not await found_taken(Delivery(3, fresh=True), "refused", "taken")
    assert not await found_taken(Delivery(4, fresh=False), "taken"), "the run before this one"
