"""An evening at the demo's table: opening it, playing at it, going on to the next round."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from bot.i18n import languages
from tests.browser.driver import (
    ONLY_YOU,
    PATIENCE,
    REFRESH,
    Discord,
    Prefer,
    most_cards,
)
from tests.browser.words import Words

PEOPLE: Final = ("Ann", "Ben", "Cat", "Dan")

TITLES: Final = {
    "aufundab": "Auf und Ab",
    "auffalscherfaehrte": "Auf falscher Fährte",
    "sticheln": "Sticheln",
    "kaiserspiel": "Kaiserspiel",
}


def open_a_table(discord: Discord, game: str, seats: int = 3, **options: str) -> None:
    """Ann opens a table of `game`; all but the last to come have sat down then."""
    discord.table("Ann")
    discord.slash("newgame", game=game, seats=str(seats), **options)
    for name in PEOPLE[1 : seats - 1]:
        join(discord, name, TITLES[game])


def join(discord: Discord, name: str, title: str) -> None:
    discord.view_as(name)
    messages = discord.page.locator("[data-message-id]")
    doors = messages.filter(
        has=discord.page.get_by_role("button", name=discord.words.label("Join"))
    )
    number = doors.filter(has_text=title).last.get_attribute("data-message-id")
    lobby = discord.page.locator(f'article[data-message-id="{number}"]')
    # A starved page may take a press up so late that it is made twice: at a full table for nothing.
    with suppress(PlaywrightTimeout):
        discord.press("Join", lobby)
    expect(lobby).to_contain_text(name)


def start(discord: Discord) -> None:
    """The host need not wait until everybody at a full table is ready."""
    discord.view_as("Ann")
    discord.slash("start")
    expect(discord.board()).to_contain_text(discord.asked.others, timeout=PATIENCE)


def begin(discord: Discord, game: str, seats: int = 3, **options: str) -> None:
    """A table where all have sat down, and its match has begun."""
    open_a_table(discord, game, seats, **options)
    join(discord, PEOPLE[seats - 1], TITLES[game])
    start(discord)


def open_the_hand(discord: Discord, name: str) -> Locator:
    """The hand of somebody who is to act, for them only: the one below the board, else anew."""
    discord.view_as(name)
    panel = discord.message(ONLY_YOU)
    if panel.count():
        refresh = panel.get_by_role("button", name=discord.words.label(REFRESH))
        if refresh.count():
            discord.press(REFRESH, panel)
            expect(refresh).to_have_count(0, timeout=PATIENCE)
            return panel
        offered = discord.offered(panel)
        # A second hand would have the same menu, and the page knows menus by their names alone.
        menu = panel.locator(".select-trigger").count()
        if offered.acts or offered.choices or offered.passes or menu:
            return panel
    discord.press("My hand", discord.board())
    expect(panel).to_contain_text(discord.words.part("To the table"))
    return panel


def play_in_the_channel(discord: Discord, name: str, prefer: Prefer = most_cards) -> str:
    """Open one's hand below the board and play from it."""
    return discord.play(open_the_hand(discord, name), prefer)


def play_by_direct_message(discord: Discord, name: str, prefer: Prefer = most_cards) -> str:
    """Play from one's direct messages; ends where it can be read how the table stands."""
    discord.messages_of(name)
    # Sent once the board is drawn: until then the newest message is that of the last turn, on which
    # a card can be chosen ahead.
    panel = discord.page.locator("[data-message-id]").last
    expect(panel).to_contain_text(discord.asked.you, timeout=PATIENCE)
    label = discord.play(discord.asking(panel), prefer)
    if not discord.now().to_act:
        # Whoever plays the last card has nothing more to read here: look at the table.
        discord.table(name)
    return label


def go_on(discord: Discord, names: tuple[str, ...]) -> None:
    """Everybody presses *Next round*."""
    for name in names:
        discord.view_as(name)
        discord.press("Next round", discord.message("Next round"))
    expect(discord.board()).to_contain_text(discord.asked.others, timeout=PATIENCE)


def liking(*starts: str) -> Prefer:
    """Whatever begins like this in English, in that order; else *Pass*, else the first there is."""
    wanted = [Words(*languages()).part(begin) for begin in (*starts, "Pass")]

    def prefer(labels: Sequence[str]) -> str:
        found = (label for begin in wanted for label in labels if begin.match(label))
        return next(found, labels[0])

    return prefer
