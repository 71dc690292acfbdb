"""`stammtisch gallery`: every card of every deck, hands, boards, charts and artwork, to look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bot.i18n import ENGLISH, Texts, texts
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.operate.positions import boards, positions, ways
from bot.operate.tools import ToolError, progress
from bot.pictures.artwork import sheet_picture, works
from bot.pictures.board import board_picture
from bot.pictures.decks import DECKS, Deck
from bot.pictures.faces import Face
from bot.pictures.felt import Picture
from bot.pictures.hand import cards_picture
from bot.pictures.leaders import Leader, leaders_picture
from bot.pictures.result import finish_of, result_picture
from bot.pictures.scene import Scene, Shown, board_of, hand_of, scene_of
from bot.render.alt_text import (
    board_in_words,
    hand_in_words,
    leaders_in_words,
    result_in_words,
)
from bot.render.ended import drawn_result
from bot.tables.ports import LeaderLine
from bot.views.values import Order, ResultView, Sitter, TableHead
from engine.game import AnyGame, Outcome
from engine.layout import Layout, SeatRow
from engine.registry import games

# Made-up exhibits.

PEOPLE: Final = ("Annabel", "Ben", "Charlotte", "Иван", "Eve", "Friedrich")
"""One of them has a name that our font cannot write."""

COURSES: Final = (1, 3, 5, 12, 40)
"""Rounds of the matches whose results are shown."""


def made_up_head(game: AnyGame, seats: int) -> TableHead:
    """A table of that game where they sit."""
    info = game.info
    teams = {seat: number for number, team in enumerate(info.teams) for seat in team}
    sitters = tuple(
        Sitter(seat, UserId(1 + seat), PEOPLE[seat], teams.get(seat)) for seat in range(seats)
    )
    options = game.complete_options(seats, {})
    host = UserId(1)
    return TableHead(
        TableId("GALLERY"), info.id, GuildId(1), ChannelId(1), host, sitters, options,
        info.news, locale=ENGLISH,
    )  # fmt: skip


def traits_of(scene: Scene) -> frozenset[tuple[str, object]]:
    """Things that may be seen on a board with that many seats, by name: how much lies there, and
    what is marked."""
    seats, lying = len(scene.places), len(scene.lying)
    return frozenset(
        {
            ("table", len(scene.table)),
            ("lying", (seats, lying)),
            ("past", (seats, bool(scene.past))),
            ("set before", len(scene.past_set)),
            ("aside", len(scene.aside)),
            ("mode", scene.mode),
            ("coming", scene.coming),
            ("down", sum(one.down for one in scene.lying)),
            ("kaisers", sum(len(place.kaisers + place.mugg) for place in scene.places)),
            ("hidden", (seats, sum(place.hidden for place in scene.places))),
            ("turned", scene.tally and sum(term is not None for term in scene.tally.terms)),
            ("points", any(place.score for place in scene.places)),
        }
    )


def made_up_results(game: AnyGame) -> Iterator[ResultView]:
    """Results of one round, of several, and of so many that they are a curve, each with the board
    at the end of a round."""
    rng, ends = Random(1), _ends(game)
    for rounds, ending in zip(COURSES, ends, strict=False):
        seats = len(next(block.seats for block in ending.blocks if isinstance(block, SeatRow)))
        head = made_up_head(game, seats)
        sides = {seat: sitter.team or seat for seat, sitter in enumerate(head.sitters)}
        points = [[rng.randint(-6, 12) for _ in range(seats)] for _ in range(rounds)]
        told = tuple(tuple(row[sides[seat]] for seat in range(seats)) for row in points)
        outcome = Outcome.of(tuple(sum(row[seat] for row in told) for seat in range(seats)))
        yield ResultView(
            head, outcome.scores, outcome.ranking, told, None, head.names, ending=ending
        )


def _ends(game: AnyGame) -> Iterator[Layout]:
    """Boards at the end of rounds with which a trick or a series ended."""
    for shown in boards(game, 1):
        over = not any(
            "to_act" in seat.marks
            for block in shown.blocks
            if isinstance(block, SeatRow)
            for seat in block.seats
        )
        if over and finish_of(game.info.id, shown, PEOPLE) is not None:
            yield shown


def made_up_leaders() -> tuple[LeaderLine, ...]:
    """A page of a leaderboard."""
    rng = Random(2)
    found = []
    for number, name in enumerate((*PEOPLE, "Wanda W.", "Dan"), start=1):
        matches = rng.randint(1, 40)
        wins = rng.randint(0, matches)
        place = number + 95 * (number == len(PEOPLE) + 2)
        found.append(LeaderLine(place, UserId(number), name, matches, wins, 5 * wins, 4 * matches))
    return tuple(found)


# The gallery.

_LOOKED_AT: Final = 6_000
"""Number of positions of a game that are searched for hands to show."""

_MARKED: Final = {
    "aufundab": (("4-4", "double"), ("4-4", "double twice"), ("4-5", "change")),
    "auffalscherfaehrte": (("R7", "special"), ("Y12", "special"), ("G0", "special"),
                           ("B10", "special")),
    "sticheln": (("R7", "unwanted"), ("Y12", "unwanted"), ("S14", "unwanted")),
    "kaiserspiel": (("R5", "special"), ("RU", "special"), ("SB", "kaiser special"),
                    ("BB", "kaiser mugg special")),
}  # fmt: skip
"""Cards with each of their marks, by game."""

_BORN: Final = frozenset({"double", "change"})
"""Marks that a card has in every hand."""


class Hand(NamedTuple):
    """A hand to draw, and what it shows in words."""

    cards: tuple[Shown, ...]
    scene: Scene | None
    words: str


class Board(NamedTuple):
    """The board of a table, and the same in words."""

    layout: Layout
    words: str


class Exhibits(NamedTuple):
    """Exhibits of a game, for every deck."""

    cards: tuple[Face, ...]
    hands: tuple[Hand, ...]
    boards: tuple[Board, ...]


class Shot(NamedTuple):
    """A picture of the gallery."""

    name: str
    title: str
    shows: str
    """The same in words, or its cards in notation."""
    picture: Picture


PAGE: Final = "index.html"
"""The page to look through."""


def gallery(folder: Path) -> int:
    """Write all pictures and a page to look through into a folder; how many there are.

    Raises ToolError if it cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PAGE).open("a").close()  # what cannot be written is said before all is drawn
        return _drawn(folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ToolError(
            f"{folder} cannot be written to ({reason}): choose another folder."
        ) from None


def _drawn(folder: Path) -> int:
    shown: dict[str, Exhibits] = {}
    with progress("hands", len(games()), 0) as advance:
        for game in games().values():
            shown[game.info.id] = _exhibits(game)
            advance()
    total = sum(_count(shown[game]) for deck in DECKS.values() for game in _games(deck))
    total += sum(len(COURSES) * len([*_games(deck)]) + 1 for deck in DECKS.values())
    shots: dict[str, list[Shot]] = {}
    with progress("pictures", total, 0) as advance:
        for deck in DECKS.values():
            shots[deck.id] = []
            pictures = (_shots(name, shown[name], deck) for name in _games(deck))
            ends = (_results(games()[name], deck) for name in _games(deck))
            for shot in chain(*pictures, *ends, _leaders(deck)):
                shots[deck.id].append(shot)
                (folder / shot.name).write_bytes(shot.picture.png)
                advance()
    words = texts(ENGLISH)
    shots["artwork"] = [
        Shot(work.name, work.name.removesuffix(".png"), work.shows, work.picture)
        for work in works({game: words.game_name(game) for game in games()})
    ]
    for shot in shots["artwork"]:
        (folder / shot.name).write_bytes(shot.picture.png)
    (folder / PAGE).write_text(_page(shots), encoding="utf-8")
    return total + len(shots["artwork"])


def _games(deck: Deck) -> tuple[str, ...]:
    """The games of a deck."""
    return deck.games or tuple(games())


def _exhibits(game: AnyGame) -> Exhibits:
    """All cards; for every number of cards, the hand that shows the most."""
    name, cards = game.info.id, dict[str, Face]()
    for seats, options in ways(game):
        for code in game.pack(seats, options):
            cards[code] = Face(name, code)
    found: dict[int, tuple[tuple[Shown, ...], Layout]] = {}
    for seen in islice(positions(game, 1), _LOOKED_AT):
        hand = hand_of(name, seen)
        for face, _ in hand:
            cards[face.code] = Face(name, face.code, marks=face.marks & _BORN)
        if hand and (len(hand) not in found or _worth(hand) > _worth(found[len(hand)][0])):
            found[len(hand)] = hand, seen
    words = texts(ENGLISH)
    hands = (
        Hand(hand, scene_of(name, seen, PEOPLE), hand_in_words(_head(game, seen), seen, words))
        for _, (hand, seen) in sorted(found.items())
    )
    return Exhibits(tuple(cards.values()), tuple(hands), tuple(_boards(game, words)))


def _head(game: AnyGame, seen: Layout) -> TableHead:
    """A table where as many sit as the layout has seats."""
    rows = (block.seats for block in seen.blocks if isinstance(block, SeatRow))
    return made_up_head(game, len(next(rows)))


def _count(exhibits: Exhibits) -> int:
    """How many pictures show them."""
    return 1 + len(exhibits.hands) + len(exhibits.boards)


def _boards(game: AnyGame, words: Texts) -> Iterator[Board]:
    """Boards that show everything that may be seen on one."""
    found: set[tuple[str, object]] = set()
    for shown in islice(boards(game, 1), _LOOKED_AT):
        scene = board_of(game.info.id, shown, PEOPLE)
        if scene is None:
            continue
        traits = traits_of(scene)
        if not traits <= found:
            found |= traits
            head = made_up_head(game, len(scene.places))
            yield Board(shown, board_in_words(head, shown, words))


def _worth(hand: tuple[Shown, ...]) -> int:
    """How much there is to look at: looks, then marks."""
    looks = {one.look for one in hand}
    return 10 * len(looks) + len({mark for one in hand for mark in one.face.marks})


def _shots(game: str, exhibits: Exhibits, deck: Deck) -> Iterator[Shot]:
    rows = [*_suits(exhibits.cards), [*_marked(game), Face(game, "")]]
    codes = " ".join(face.code for row in rows for face in row)
    sheet = sheet_picture(game, rows, deck)
    yield Shot(f"{deck.id}-{game}.png", f"{game}: all cards", codes, sheet)
    for hand in exhibits.hands:
        where = f"{deck.id}-{game}-{len(hand.cards):02}.png"
        title = f"{game}: a hand of {len(hand.cards)}"
        yield Shot(where, title, hand.words, cards_picture(game, hand.cards, deck, hand.scene))
    for number, board in enumerate(exhibits.boards, start=1):
        picture = board_picture(game, board.layout, deck, PEOPLE)
        if picture is not None:
            where = f"{deck.id}-{game}-board-{number:02}.png"
            yield Shot(where, f"{game}: a board", board.words, picture)


def _results(game: AnyGame, deck: Deck) -> Iterator[Shot]:
    """Results of short matches and of long ones, with the cards of a round's end."""
    words, name = texts(ENGLISH), game.info.id
    for number, view in enumerate(made_up_results(game), start=1):
        drawn = drawn_result(view, words)
        if drawn is not None:
            where = f"{deck.id}-{name}-result-{number}.png"
            picture = result_picture(name, drawn, deck)
            said = result_in_words(view, words)
            yield Shot(where, f"{name}: {drawn.rounds} rounds", said, picture)


def _leaders(deck: Deck) -> Iterator[Shot]:
    """A leaderboard."""
    words = texts(ENGLISH)
    lines = made_up_leaders()
    board = leaders_picture(
        deck,
        [Leader(o.place, o.name, o.wins, o.matches, f"{o.wins}/{o.matches}") for o in lines],
    )
    if board is not None:
        said = leaders_in_words(lines, Order.WINS, words)
        yield Shot(f"{deck.id}-leaders.png", "a leaderboard", said, board)


def _suits(cards: Iterable[Face]) -> list[list[Face]]:
    """Cards of a suit, or of a first number, in a row of their own."""
    rows: dict[str, list[Face]] = {}
    for face in cards:
        rows.setdefault(face.code[0], []).append(face)
    return list(rows.values())


def _marked(game: str) -> Iterator[Face]:
    """Cards with their marks, those with two numbers turned as well."""
    for code, marks in _MARKED.get(game, ()):
        for down in (False, True)[: 1 + ("-" in code)]:
            yield Face(game, code, down, frozenset(marks.split()))


_STYLE: Final = """
body { font: 16px/1.4 system-ui, sans-serif; background: #313338; color: #f2f3f5; margin: 1rem; }
body:has(#light:checked) { background: #fff; color: #111; }
figure { display: inline-block; margin: .5rem; vertical-align: top; }
figure img { width: 563px; max-width: 100%; display: block; }
body:has(#phone:checked) figure img { width: 265px; }
figcaption { font-size: 14px; opacity: .75; }
nav { position: sticky; top: 0; padding: .5rem; background: inherit; z-index: 1; }
nav > * { margin-right: 1rem; } a { color: inherit; }
"""


def _page(shots: dict[str, list[Shot]]) -> str:
    """The page: all pictures, dark or light, as wide as on a desktop or on a phone."""
    links = " ".join(f'<a href="#{deck}">{deck}</a>' for deck in shots)
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Stammtisch: gallery</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{_STYLE}</style><nav>{links}"
        '<label><input type="checkbox" id="light"> light</label>'
        '<label><input type="checkbox" id="phone"> as on a phone</label></nav>'
    ]
    for deck, found in shots.items():
        parts.append(f'<h2 id="{deck}">{deck}</h2>')
        parts += [_figure(shot) for shot in found]
    return "\n".join([*parts, "</html>\n"])


def _figure(shot: Shot) -> str:
    size = f"{len(shot.picture.png) / 1e3:.1f} kB"
    return (
        f'<figure><img src="{escape(shot.name)}" alt="{escape(shot.shows)}" loading="lazy"'
        f' width="{shot.picture.width}" height="{shot.picture.height}" style="height:auto">'
        f"<figcaption>{escape(shot.title)} · {size}</figcaption></figure>"
    )
