"""Pictures of evenings, as newcomers see them: `python -m tests.browser.album FOLDER`.

Each evening is played on a demo of its own at the width of a desktop and at that of a phone, and
every screen on which somebody new has to know what to do is taken as it is seen without
scrolling: `FOLDER/<evening>-<language>-<width>-<number>-<what>.png`.  With names of evenings only
theirs.  Whoever changes what people see looks at these pictures.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, expect

from bot.i18n import ENGLISH, languages
from tests.browser.alone import hinted, next_round, play_now, question, until_asked
from tests.browser.driver import ONLY_YOU, Discord, Now, Prefer, chromium, demo, most_cards
from tests.browser.evening import (
    begin,
    go_on,
    join,
    liking,
    open_a_table,
    open_the_hand,
    play_by_direct_message,
    start,
)

SCREENS: Final[Mapping[str, tuple[int, int]]] = {"1280": (1280, 900), "390": (390, 844)}
"""Width and height of a desktop's window and of a phone, in pixels."""

MOST_PLIES: Final = 300
ALL_DRAWN: Final = """() => [...document.querySelectorAll("img.custom-emoji")].every(
    (image) => image.complete && image.naturalWidth > 0)"""
"""Whether every emoji on the page has its picture."""

BOARDS: Final = (0, 2, 6)
"""Before which of the visitor's plies alone the board is looked at from its beginning on."""


@dataclass
class Album:
    """Pictures of one evening, numbered in the order in which they were taken."""

    discord: Discord
    folder: Path
    name: str
    pictures: int = 0
    taken: set[str] = field(default_factory=set)

    def take(self, what: str) -> None:
        """What is seen now, with the newest message in view."""
        self.discord.rest()
        self.discord.scroll_down()
        self.discord.rest()
        self.look(what)

    def look(self, what: str) -> None:
        """What is seen now, where that is not the simulated Discord."""
        self.taken.add(what)
        self.pictures += 1
        path = self.folder / f"{self.name}-{self.pictures:02}-{what}.png"
        self.discord.page.screenshot(path=path)

    def board(self, what: str) -> None:
        """The table's message, from its beginning on."""
        self.discord.rest()
        message = self.discord.board()
        message.evaluate("message => message.scrollIntoView({block: 'start'})")
        self.look(what)

    def once(self, what: str) -> None:
        """Taken the first time only: the first hand, the first board with a trick."""
        if what not in self.taken:
            self.take(what)


Evening = Callable[[Discord, Album], None]


def play_on(
    discord: Discord, album: Album, prefer: Prefer, plies: int = MOST_PLIES, *, by: str = "channel"
) -> int:
    """Plays until the round is over or so many plies are made, with a picture of each new screen.

    Returns how many plies were made.
    """
    for made in range(plies):
        now = discord.now()
        if not now.to_act:
            return made
        name = now.to_act[0]
        if by == "dm":
            discord.messages_of(name)
            album.once(f"dm-asked-{name}")
            label = play_by_direct_message(discord, name, prefer)
            album.once(f"dm-after-{name}")
        else:
            panel = open_the_hand(discord, name)
            kind = "-".join(discord.offered(panel).acts[:1])[:12] or "choice"
            album.once(f"hand-{name}")
            if made < 12:
                album.once("hand-" + "".join(c if c.isalnum() else "_" for c in kind))
            label = discord.play(panel, prefer)
        if made in (1, 2, 5, 8, 9):
            album.once(f"after-{made}")
        assert label
    return plies


def auf_und_ab(discord: Discord, album: Album) -> None:
    """Three people who have read nothing, two rounds."""
    open_a_table(discord, "aufundab", length="2")
    album.take("lobby")
    join(discord, "Cat", "Auf und Ab")
    album.take("ready")
    start(discord)
    play_on(discord, album, most_cards)
    album.take("round-over")
    go_on(discord, ("Ann", "Ben", "Cat"))
    play_on(discord, album, most_cards)
    ending(discord, album, "Ben")


def auf_falscher_faehrte(discord: Discord, album: Album) -> None:
    """With jokers: hidden cards, the trail, a change of trump."""

    def jokers_first(labels: Sequence[str]) -> str:
        return next(
            (label for label in labels if "joker" in label.lower() or "🃏" in label), labels[0]
        )

    open_a_table(discord, "auffalscherfaehrte", length="1", jokers="true")
    join(discord, "Cat", "Auf falscher Fährte")
    album.take("ready")
    start(discord)
    play_on(discord, album, jokers_first)
    ending(discord, album, "Cat")


def sticheln(discord: Discord, album: Album) -> None:
    """Everybody chooses a card that counts against them, then fourteen tricks."""
    begin(discord, "sticheln", length="1")
    play_on(discord, album, lambda labels: labels[len(labels) // 2])
    ending(discord, album, "Ben")


def kaiserspiel(discord: Discord, album: Album) -> None:
    """Two against two, with bids and a raise."""
    open_a_table(discord, "kaiserspiel", seats=4, length="10")
    join(discord, "Dan", "Kaiserspiel")
    album.take("ready")
    start(discord)
    bold = liking("Accept", "Three up", "Raise by 1", "Leave it", "Kaiser")
    for _ in range(20):
        play_on(discord, album, bold)
        if discord.now().over:
            break
        album.once("round-over")
        go_on(discord, ("Ann", "Ben", "Cat", "Dan"))
    ending(discord, album, "Ben")


def latecomer(discord: Discord, album: Album) -> None:
    """Dan comes when the cards are dealt: watches, asks for a hand, plays the next match."""
    begin(discord, "sticheln", length="1")
    play_on(discord, album, lambda labels: labels[0], 7)
    discord.table("Dan")
    album.take("comes")
    discord.press("My hand", discord.board())
    album.take("no-hand")
    discord.slash("watch")
    album.take("watches")
    play_on(discord, album, lambda labels: labels[0])
    discord.table("Dan")
    album.take("result-for-dan")
    discord.press("Rematch", discord.message("Rematch"))
    album.take("rematch-asked-by-dan")
    discord.view_as("Ann")
    discord.press("Rematch", discord.message("Rematch"))
    album.take("rematch")


def leaver(discord: Discord, album: Album) -> None:
    """Ben has to go in the middle of a match; Dan takes the seat."""
    begin(discord, "sticheln", length="1")
    play_on(discord, album, lambda labels: labels[0], 7)
    discord.view_as("Ben")
    discord.slash("leave")
    album.take("asked-whether-sure")
    discord.press("Leave the match", discord.message(ONLY_YOU))
    album.take("left")
    discord.view_as("Ann")
    album.take("seen-by-ann")
    discord.view_as("Dan")
    discord.slash("seat take", seat="2")
    album.take("dan-took-the-seat")
    play_on(discord, album, lambda labels: labels[0])
    ending(discord, album, "Dan")


def daily(discord: Discord, album: Album) -> None:
    """A match over days, played from direct messages."""
    open_a_table(discord, "auffalscherfaehrte", length="1", pace="daily")
    album.take("lobby")
    join(discord, "Cat", "Auf falscher Fährte")
    start(discord)
    album.take("board")
    play_on(discord, album, lambda labels: labels[0], by="dm")
    ending(discord, album, "Cat")


def beside(discord: Discord, album: Album) -> None:
    """What there is beside playing: options, rules, a pause, a kick, resigning, the rematch."""
    open_a_table(discord, "auffalscherfaehrte", length="1")
    discord.view_as("Ann")
    discord.press("Options…", discord.message("Auf falscher Fährte"))
    album.look("options")
    discord.page.keyboard.press("Escape")
    join(discord, "Cat", "Auf falscher Fährte")
    discord.press("Ready", discord.message("Auf falscher Fährte"))
    album.take("ready-check")
    discord.slash("rules", game="auffalscherfaehrte")
    album.take("rules")
    discord.press("›", discord.message(ONLY_YOU))
    album.take("rules-2")
    start(discord)
    discord.press("⋯", discord.board())
    album.take("more")
    discord.press("Pause", discord.message(ONLY_YOU))
    album.take("pause-voted")
    discord.slash("endgame")
    album.take("end-asked")
    play_on(discord, album, liking(), 1)
    discord.slash("hand")
    album.take("hand-again")


def alone(game: str, prefer: Prefer, deck: str = "") -> Evening:
    """Somebody presses *Play now* and plays a whole short match against computers.

    With another deck than the usual one if they choose one.
    """

    def evening(discord: Discord, album: Album) -> None:
        discord.start_page()
        album.look("start-page")
        play_now(discord, game, short=True)
        album.take("dealt")
        if deck:
            discord.slash("preferences", deck=deck)
            album.take("deck")
        for ply in range(MOST_PLIES):
            found = until_asked(discord)
            if isinstance(found, Now):
                if found.over:
                    break
                album.once("round-over")
                next_round(discord)
                continue
            album.once(question(discord, found))
            if ply in BOARDS:
                album.board(f"board-{ply}")
            hint = found.get_by_role("button", name=discord.words.label("Hint"))
            if "hint" not in album.taken and hint.count():
                album.take("hint" if hinted(discord, found) else "no-hint")
            for what, label in (("why-not", "Why dimmed?"), ("rules", "Rules")):
                told = found.get_by_role("button", name=discord.words.label(label))
                if what not in album.taken and told.count():
                    discord.press(label, found)
                    album.take(what)
            assert discord.play(found, prefer)
            discord.page.wait_for_function(ALL_DRAWN)
            album.once("played")
        else:
            raise AssertionError("the match does not end")
        album.take("result")
        discord.press("Rematch", discord.message("Rematch"))
        album.take("rematch")

    return evening


def ending(discord: Discord, album: Album, name: str) -> None:
    """Result, its rounds and the leaderboard; then what `name` finds in direct messages."""
    result = discord.message("Rematch")
    expect(result).to_contain_text(re.compile(discord.words.code("result.rounds")))
    discord.table(name)
    album.take("result")
    if result.get_by_role("button", name=discord.words.label("Rounds")).count():
        discord.press("Rounds", result)
        album.take("rounds")
    discord.slash("leaderboard")
    album.take("leaderboard")
    discord.messages_of(name)
    album.take("dm-at-the-end")


BOLD: Final = liking("Accept", "Three up", "Raise by 1")

EVENINGS: Final[Mapping[str, Evening]] = {
    "aufundab": auf_und_ab,
    "faehrte": auf_falscher_faehrte,
    "sticheln": sticheln,
    "kaiserspiel": kaiserspiel,
    "latecomer": latecomer,
    "leaver": leaver,
    "daily": daily,
    "beside": beside,
    "alone-aufundab": alone("aufundab", most_cards),
    "alone-faehrte": alone("auffalscherfaehrte", liking()),
    "alone-sticheln": alone("sticheln", liking()),
    "alone-kaiserspiel": alone("kaiserspiel", BOLD),
    **{
        f"deck-{deck}": alone(game, BOLD if game == "kaiserspiel" else most_cards, deck)
        for deck, game in (
            ("colour-blind", "auffalscherfaehrte"),
            ("contrast", "sticheln"),
            ("large", "aufundab"),
            ("german", "kaiserspiel"),
            ("french", "kaiserspiel"),
            ("text", "auffalscherfaehrte"),
        )
    },
}


@contextmanager
def evening(browser: Browser, width: str, language: str = ENGLISH) -> Iterator[Discord]:
    """A page as wide as that screen, on a demo of its own in that language."""
    with tempfile.TemporaryDirectory() as folder, demo(Path(folder), language) as running:
        discord = Discord(browser, running.address, width=SCREENS[width][0], languages=(language,))
        discord.page.set_viewport_size({"width": SCREENS[width][0], "height": SCREENS[width][1]})
        try:
            yield discord
        finally:
            discord.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays the evenings and takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("evenings", nargs="*", metavar="evening", help=", ".join(EVENINGS))
    parser.add_argument("--width", choices=SCREENS, help="this one only")
    parser.add_argument("--language", choices=languages(), help="English if none is named")
    chosen = parser.parse_args(arguments)
    language = chosen.language or ENGLISH
    if unknown := set(chosen.evenings) - set(EVENINGS):
        parser.error(
            f"no evening of that name: {', '.join(unknown)}; there are: {', '.join(EVENINGS)}"
        )
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for name in chosen.evenings or EVENINGS:
            for width in [chosen.width] if chosen.width else SCREENS:
                with evening(browser, width, language) as discord:
                    album = Album(discord, chosen.folder, f"{name}-{language}-{width}")
                    try:
                        EVENINGS[name](discord, album)
                    except BaseException:
                        album.take("broken")
                        raise
                sys.stdout.write(f"{name} in {language} at {width}: {album.pictures} pictures\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
