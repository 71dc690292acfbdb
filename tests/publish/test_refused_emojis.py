"""Messages whose emoji Discord refuses: once more without them, and only then."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.emojis import Emoji, emojis_doubted, know_emojis
from bot.publish.refusals import send_or_without_emoji
from bot.render.components import Page, button, option
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message

HEART = Emoji("st_s_cR_00000a", 5)
PAIR = Emoji("st_s_a3_6_00000a", 6)


def refusal(code: int, text: str) -> discord.HTTPException:
    response = cast(Any, SimpleNamespace(status=400, reason="Bad Request"))
    return discord.HTTPException(response, {"code": code, "message": text})


REFUSED = refusal(50035, "Invalid Form Body\nIn components.0.emoji.id: Invalid emoji")


def message(*emojis: Emoji | None) -> Message:
    page = Page()
    page.text(f"{HEART} and words")
    page.row([button("5", Press(Verb.NONE, argument=str(e)), emoji=e) for e in emojis])
    page.select(Press(Verb.ACT), "one", [option("red 5", "x", "told", emoji=emojis[0])])
    return page.message()


def failing(*errors: Exception) -> tuple[list[Message], Callable[[Message], Any]]:
    sent: list[Message] = []
    left = list(errors)

    async def send(shown: Message) -> str:
        sent.append(shown)
        if left:
            raise left.pop(0)
        return "sent"

    return sent, send


async def test_without_them_the_letter_of_a_suit_stands_in_its_place() -> None:
    know_emojis({})
    sent, send = failing(REFUSED)
    assert await send_or_without_emoji(message(HEART, PAIR, None), send) == "sent"
    assert emojis_doubted()
    know_emojis({})
    first, second = sent
    assert second == first.without_emoji
    text, row, menu = second.components[0]["components"]
    assert text["content"] == f"{HEART} and words"
    assert [one["label"] for one in row["components"]] == ["R 5", "5", "5"]
    assert not any("emoji" in one for one in row["components"])
    assert menu["components"][0]["options"] == [
        {"label": "R red 5", "value": "x", "description": "told"}
    ]


@pytest.mark.parametrize(
    ("error", "emoji"),
    [
        (REFUSED, None),
        (refusal(50035, "Invalid Form Body\nIn components.0.label: too long"), HEART),
        (refusal(50001, "Missing access to an emoji"), HEART),
    ],
)
async def test_other_refusals_are_raised_at_once(
    error: discord.HTTPException, emoji: Emoji | None
) -> None:
    sent, send = failing(error)
    with pytest.raises(discord.HTTPException):
        await send_or_without_emoji(message(emoji), send)
    assert len(sent) == 1
    assert not emojis_doubted()


async def test_what_is_refused_again_is_raised() -> None:
    sent, send = failing(REFUSED, REFUSED)
    with pytest.raises(discord.HTTPException):
        await send_or_without_emoji(message(HEART), send)
    know_emojis({})
    assert len(sent) == 2
