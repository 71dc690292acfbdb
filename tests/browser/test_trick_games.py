"""`stammtisch demo` in headless Chromium: a full match of every game of tricks."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.driver import ONLY_YOU, STANDING, Discord, Prefer
from tests.browser.evening import (
    cut,
    go_on,
    join,
    liking,
    open_a_table,
    open_the_hand,
    play_by_direct_message,
    play_in_the_channel,
    start,
)

pytestmark = pytest.mark.browser

THREE = ("Ann", "Ben", "Cat")
FOUR = (*THREE, "Dan")
MOST_PLIES = 200
BY_DIRECT_MESSAGE = 15
"""So many plies after the secret choice are played from direct messages."""


def first(labels: Sequence[str]) -> str:
    return labels[0]


def play_on(
    discord: Discord,
    play: Callable[[Discord, str, Prefer], str],
    prefer: Prefer = first,
) -> list[str]:
    """Play until the round is over; what was chosen."""
    chosen: list[str] = []
    while name := discord.to_act():
        chosen.append(play(discord, name, prefer))
        assert len(chosen) < MOST_PLIES, "the round does not end"
    return chosen


@pytest.mark.nightly
def test_auf_falscher_faehrte_with_jokers_begun_in_direct_messages(discord: Discord) -> None:
    def jokers_first(labels: Sequence[str]) -> str:
        return next((label for label in labels if "joker" in label or "🃏" in label), labels[0])

    title = "Auf falscher Fährte"
    open_a_table(discord, "auffalscherfaehrte", title, 3, length="1", jokers="true")
    join(discord, "Cat", title)
    start(discord)
    board = discord.message("My hand")
    for name in THREE:
        expect(board).to_contain_text(f"{name} …")
    hidden = [play_by_direct_message(discord, name, first) for name in reversed(THREE)]
    assert len(hidden) == len(THREE)
    discord.table("Dan")
    expect(discord.message("My hand")).to_contain_text("? + ? + ?")
    chosen = [
        play_by_direct_message(discord, discord.now().to_act[0], jokers_first)
        for _ in range(BY_DIRECT_MESSAGE)
    ]
    discord.table("Dan")
    chosen += play_on(discord, play_in_the_channel, jokers_first)
    # Thirteen tricks; whoever plays the first or the second joker may change the trump.
    offers = [label for label in chosen if re.fullmatch(r"\S+\s(red|yellow|green|blue)", label)]
    keeps = [label for label in chosen if label.startswith("keep")]
    assert offers or keeps, chosen
    assert len(chosen) - len(offers) - len(keeps) == 3 * 13
    expect(discord.message("Rematch")).to_contain_text("🥇")


@pytest.mark.nightly
def test_sticheln_with_a_cut_and_a_look_at_the_proof(discord: Discord) -> None:
    open_a_table(discord, "sticheln", "Sticheln", 3, length="1")
    lobby = discord.message("Sticheln")
    cut(discord, "Ben", "kuckuck", lobby)
    found = re.search(r"\b[0-9a-f]{64}\b", lobby.inner_text())
    assert found is not None, "the lobby does not say what was sealed"
    join(discord, "Cat", "Sticheln")
    start(discord)
    # Everybody has the cards in hand before the first chooses: nobody's choice is too late.
    for name in THREE:
        open_the_hand(discord, name)
    for name in THREE:
        discord.view_as(name)
        discord.play(discord.message(ONLY_YOU), first)
    assert len(play_on(discord, play_in_the_channel)) == 3 * 14
    result = discord.message("Rematch")
    expect(result).to_contain_text("🥇")
    expect(result).to_contain_text("✓ Checked: the deal is the one that was sealed")
    discord.press("Verify", result)
    page = discord.message("Published in the lobby")
    expect(page).to_contain_text(found[0])
    expect(page).to_contain_text("kuckuck")
    check(page.locator("pre").last.inner_text(), found[0])


def check(line: str, commitment: str) -> None:
    """What a doubter pastes into a shell: it must print the commitment and the pack."""
    name, *arguments = shlex.split(line)
    assert name == "python3"
    printed = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True
    ).stdout.split()
    assert printed[0] == commitment
    assert len(set(printed[1:])) == 45
    seed, hashings = re.search(r"[0-9a-f]{64}", line), re.search(r"c=s;.*? range\((\d+)\)", line)
    assert seed is not None
    assert hashings is not None
    value = bytes.fromhex(seed[0])
    for _ in range(int(hashings[1])):
        value = hashlib.sha256(value).digest()
    assert value.hex() == commitment


@pytest.mark.nightly
def test_kaiserspiel_with_raises_a_resignation_and_standing_passes(discord: Discord) -> None:
    open_a_table(discord, "kaiserspiel", "Kaiserspiel", 4, length="10")
    join(discord, "Dan", "Kaiserspiel")
    start(discord)
    said = play_on(discord, play_in_the_channel, liking("Three up", "Resign", "Raise", "Kaiser"))
    assert said[-1].startswith("Resign"), said
    pause = discord.message("Next round")
    cut(discord, "Dan", "2026", pause)
    go_on(discord, FOUR)
    bold = liking("Accept", "Three up: play for 7", "Raise by 1", "Leave it", "Kaiser")
    passing: set[str] = set()
    said = []
    while not (now := discord.now()).over:
        assert len(said) < MOST_PLIES, "the match does not end"
        if now.pause:  # four open Banners: a void round
            go_on(discord, FOUR)
            passing.clear()
            continue
        name = now.to_act[0]
        asked = "is asked" in discord.message("My hand").inner_text()
        if asked and name in passing:
            discord.wait_for_others(now)
        elif asked and name in ("Cat", "Dan"):
            discord.press(STANDING, open_the_hand(discord, name))
            passing.add(name)
        else:
            said.append(play_in_the_channel(discord, name, bold))
    assert passing == {"Cat", "Dan"}
    assert any(label.startswith("Accept") for label in said), said
    discards = [label for label in said if " and " in label]
    assert len(discards) >= len(FOUR), said
    expect(discord.message("Rematch")).to_contain_text(re.compile("Ann and Cat|Ben and Dan"))
