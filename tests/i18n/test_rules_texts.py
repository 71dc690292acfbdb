"""The rules as people read them: short, told once, and true of the engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import pytest

from bot.i18n import JOINER, rules_pages, texts
from engine.game import CHANCE, AnyGame
from engine.games.auffalscherfaehrte.rules import points_for
from engine.record import opening_from_json
from engine.registry import games
from tests.discord.writing import all_cards
from tests.engine.kaiserspiel_script import pack

EN: Final = texts("en")
GAMES: Final = tuple(games())
WORDS: Final = {"kaiserspiel": 1100}
"""Most words of a text where they are not 700: letters in a row, two at least, and `a` and `I`."""
NAMES: Final = ("Ann", "Ben", "Cat", "Dan")

_WORD: Final = re.compile(r"[^\W\d_][^\W\d_'’]+|\b[aAI]\b")
_NOTE: Final = re.compile(r"\[(\d+)\]")
_FOOTNOTE: Final = re.compile(r"^\[(\d+)\] \[(?:book|house|source)\] .", re.MULTILINE)
_PAIR: Final = re.compile(r"(?<![\d\u2011])\d\u2011\d(?![\d\u2011])")


def own_pages(game: str) -> list[str]:
    """The pages of a game's own text, without signs in pictures and what holds at all tables."""
    first, _, *more = rules_pages(game, "en")
    return [page.replace(JOINER, "") for page in (first, *more) if page != shared()]


def shared() -> str:
    first = rules_pages(GAMES[0], "en")
    (found,) = [page for page in first if all(page in rules_pages(game, "en") for game in GAMES)]
    return found


def text(game: str) -> str:
    return "\n".join(own_pages(game))


def plain(game: str) -> str:
    """The text without what people type, which is written in letters."""
    return re.sub(r"`[^`\n]*`", "", text(game))


def marks(game: str) -> dict[str, str]:
    """The mark of every suit and, without a suit, of every single card -> its letter."""
    found = {}
    for code in all_cards(game):
        suit = code[0]
        found[EN.card(game, code) if len(code) == 1 else EN.suit_mark(game, suit)] = suit
    return {mark: suit for mark, suit in found.items() if mark}


def codes(game: str, said: str) -> list[str]:
    """The cards that a text names as the boards do, in its order."""
    if game == "aufundab":
        return [card.replace("\u2011", "-") for card in _PAIR.findall(said)]
    known = marks(game)
    by_mark = "|".join(map(re.escape, known))
    found = re.findall(rf"({by_mark})([A-Z](?![a-z])|\d+)?", said)
    return [known[mark] + rank for mark, rank in found if rank or known[mark] in all_cards(game)]


@pytest.mark.parametrize("game", GAMES)
def test_a_text_is_short(game: str) -> None:
    assert all(0 < len(page) <= 3500 for page in rules_pages(game, "en"))
    assert len(_WORD.findall(text(game))) <= WORDS.get(game, 700)
    for block in re.findall(r"```\n(.*?)```", text(game), re.DOTALL):
        assert all(len(line) <= 26 for line in block.splitlines()), "wider than a phone"


@pytest.mark.parametrize("game", GAMES)
def test_the_first_page_is_enough_to_play(game: str) -> None:
    """Who, how long, how old, what for, and the quick start in eight lines."""
    first = own_pages(game)[0]
    seats = games()[game].info.seats
    lines = first.splitlines()
    assert lines[0] == f"# {EN.game_name(game)}"
    assert lines[1] == f"*{EN.own(game, 'game.tagline')}*" or game == "kaiserspiel"
    people = f"{seats[0]}–{seats[-1]}" if len(seats) > 1 else str(seats[0])
    assert re.fullmatch(rf"\*\*{people} people · [^·]*(minutes|hour) · ages \d+\+\*\*.*", lines[2])
    assert lines[3].startswith("**Goal:** ")
    assert lines[5] == "## Quick start"
    assert [line.split(" ")[0] for line in lines[6:]] == [f"{n}." for n in range(1, 9)]


@pytest.mark.parametrize("game", GAMES)
def test_signs_stand_after_the_quick_start_and_all_tables_before_the_origins(game: str) -> None:
    pages = rules_pages(game, "en")
    assert pages[1].startswith("# In the pictures\n")
    assert pages[-2] == shared()
    assert shared().startswith("# At this table\n")
    assert "# Where it comes from" in pages[-1]
    assert not any("At this table" in page for page in own_pages(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_footnote_is_asked_for_and_there(game: str) -> None:
    *body, last = own_pages(game)
    notes = [int(number) for number in _FOOTNOTE.findall(last)]
    asked = [int(number) for page in body for number in _NOTE.findall(page)]
    assert notes == list(range(1, len(notes) + 1))
    assert sorted(set(asked)) == notes
    assert list(dict.fromkeys(asked)) == notes, "numbered in the order of the text"
    assert last.splitlines()[-len(notes) :] == [
        line for line in last.splitlines() if line.startswith("[")
    ]
    tags = {"[book]", "[house]", "[source]"}
    assert not [page for page in body if any(tag in page for tag in tags)]
    assert "[house]" in last
    for line in last.splitlines()[-len(notes) :]:
        assert not re.search(r"\[(book|house|source)\](?! [\w†])", line), "it begins what it is of"


@pytest.mark.parametrize("game", GAMES)
def test_every_card_exists_and_is_written_as_the_boards_write_it(game: str) -> None:
    everything = all_cards(game)
    said = plain(game)
    named = codes(game, said)
    assert len(named) > 20
    assert set(named) <= set(everything)
    if game == "aufundab":
        assert not re.search(r"(?<!\d)\d-\d(?!\d)", said), "may break at a line's end"
    else:
        suits = "".join(sorted(set(marks(game).values())))
        written = {EN.card(game, code).replace(JOINER, "") for code in named}
        assert all(card in said for card in written)
        ranks = "|".join(sorted({re.escape(c[1:]) for c in everything if len(c) > 1}))
        apart = "|".join(map(re.escape, marks(game)))
        torn = re.findall(rf"(?:{apart})(?:{ranks})(?!\w)", "".join(rules_pages(game, "en")))
        assert not torn, "may break at a line's end"
        assert not re.findall(rf"(?<![\w†])[{suits}](?:{ranks})(?!\w)", said), "letters for marks"
        introduced = [
            f"{mark} {EN.own(game, f'suit.{suit}')} ({suit})" for mark, suit in suited(game)
        ]
        assert all(words in said for words in introduced), "a mark without its name and letter"


def suited(game: str) -> list[tuple[str, str]]:
    return [(mark, suit) for mark, suit in marks(game).items() if suit not in all_cards(game)]


def sentences(said: str) -> Iterator[str]:
    for line in re.sub(r"```\n.*?```", "", said, flags=re.DOTALL).splitlines():
        if line.startswith("#") or " people · " in line:
            continue
        for sentence in re.split(r"(?<=[.!?])(?:\*\*)?\s", re.sub(r"^(?:\d+\.|-) ", "", line)):
            words = tuple(word.lower() for word in _WORD.findall(sentence))
            if len(words) > 3 and not set(words) <= {name.lower() for name in NAMES}:
                yield " ".join(words)


def test_no_sentence_stands_twice() -> None:
    signs = {line for game in GAMES for line in rules_pages(game, "en")[1].splitlines()}
    told = [s for said in (*map(text, GAMES), *signs, shared()) for s in sentences(said)]
    assert [sentence for sentence, times in Counter(told).items() if times > 1] == []


# --- The worked rounds, played by the engine ---------------------------------------------------


def example(game: str) -> str:
    (page,) = (p for p in own_pages(game) if p.startswith("# A round, card by card\n"))
    return page


def lines(page: str) -> list[str]:
    """The numbered lines, and what stands between two of them."""
    found = page.splitlines()
    starts = [place for place, line in enumerate(found) if re.match(r"\d+\. ", line)]
    return found[starts[0] : starts[-1] + 1]


def plays(line: str) -> list[tuple[str, str, bool]]:
    """Who plays what, and whether it is in bold; `1. ` and an arrow in front are left out."""
    parts = re.sub(r"^\d+\. (?:[▲▼] )?", "", line).split(" · ")
    found = [
        re.fullmatch(r"(\*\*)?(Ann|Ben|Cat|Dan) ([^*]+?)(?:\*\*)?( face down)?", p) for p in parts
    ]
    return [(m[2], m[3] + (m[4] or ""), bool(m[1])) for m in found if m]


def opened(game: AnyGame, seats: int, given: dict[str, Any], opening: dict[str, Any]) -> Any:
    before = game.initial(seats, game.complete_options(seats, given))
    return game.apply(before, CHANCE, opening_from_json(game, before, opening))


def do(game: AnyGame, state: Any, seat: int, action: str) -> Any:
    assert seat in game.actors(state), (seat, action)
    return game.apply(state, seat, game.parse_action(action))


def in_order(game: str, cards: list[str]) -> list[str]:
    return sorted(cards, key=all_cards(game).index)


def trick_by_trick(game: str, state: Any, page: str) -> Any:
    """The state after all numbered lines; the card in bold takes each trick."""
    rules = games()[game]
    for line in lines(page):
        if (named := re.match(r"Now (\w+) makes (\S+) trump\.", line)) is not None:
            state = do(rules, state, NAMES.index(named[1]), f"trump {marks(game)[named[2]]}")
            continue
        played = plays(line)
        assert len(played) == len({name for name, _, _ in played})
        for name, card, _ in played:
            (code,) = codes(game, card)
            down = " down" if card.endswith("face down") else ""
            state = do(rules, state, NAMES.index(name), f"play {code}{down}")
        (winner,) = (name for name, _, bold in played if bold)
        if len(actors := rules.actors(state)) == 1 and actors != (CHANCE,):
            offered = rules.format_action(rules.legal_actions(state, actors[0])[0])
            if offered.startswith("play"):
                assert actors == (NAMES.index(winner),), line
    return state


def held(game: str, page: str) -> dict[str, list[str]]:
    """The cards that each person plays in the numbered lines."""
    found: dict[str, list[str]] = {}
    for line in lines(page):
        for name, card, _ in plays(line):
            found.setdefault(name, []).extend(codes(game, card))
    return found


def test_the_round_of_auf_und_ab() -> None:
    game, page = games()["aufundab"], example("aufundab")
    hands = held("aufundab", page)
    over = re.search(
        r"Ann still holds (\S+) and Ben (\S+), so \*\*Cat scores 2\*\*.*left over was (\S+)\.", page
    )
    assert over is not None
    for name, left in zip(("Ann", "Ben"), over.groups(), strict=False):
        hands[name] += codes("aufundab", left)
    deal = {
        "hands": [in_order("aufundab", hands[name]) for name in NAMES[:3]],
        "aside": codes("aufundab", over[3]),
    }
    start = {"dealer": None, "start": 0, "trump": None, "deal": deal}
    state = opened(game, 3, {"hands": 1}, start)
    for line in lines(page):
        assert "▲▼".index(line.split()[1]) == int(state.mode), line
        for name, cards, _ in plays(line):
            while game.actors(state) != (NAMES.index(name),):
                state = do(game, state, game.actors(state)[0], "pass")
            action = " ".join(["play", *cards.replace("\u2011", "-").replace("×", "x").split()])
            state = do(game, state, NAMES.index(name), action)
        while game.outcome(state) is None and state.quantity:
            state = do(game, state, game.actors(state)[0], "pass")
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores == (0, 0, 2)


def test_the_round_of_sticheln() -> None:
    game, page = games()["sticheln"], example("sticheln")
    said = re.search(r"^Ann chooses (\S+), Ben (\S+), Cat (\S+)\. ", page, re.MULTILINE)
    assert said is not None
    chosen = [codes("sticheln", card)[0] for card in said.groups()]
    hands = held("sticheln", page)
    whole = [in_order("sticheln", [*hands[n], c]) for n, c in zip(NAMES, chosen, strict=False)]
    leads = NAMES.index(plays(lines(page)[0])[0][0])
    opening = {"dealer": None, "start": leads, "trump": None, "deal": {"hands": whole, "aside": []}}
    state = opened(game, 3, {"rounds": 1}, opening)
    for seat, card in enumerate(chosen):
        state = do(game, state, seat, f"choose {card}")
    outcome = game.outcome(trick_by_trick("sticheln", state, page))
    totals = re.findall(r"^- \*\*\w+\*\* took.* \*\*([+−]?\d+)\*\*\.$", page, re.MULTILINE)
    assert outcome is not None
    assert [int(total.replace("−", "-")) for total in totals] == list(outcome.scores)


def test_the_round_of_auf_falscher_faehrte() -> None:
    name, page = "auffalscherfaehrte", example("auffalscherfaehrte")
    game = games()[name]
    said = re.search(
        r"^(\S+) is trump, and (\S+) is left over\. Ann hides (\S+), Ben (\S+), Cat (\S+)\.",
        page,
        re.MULTILINE,
    )
    assert said is not None
    assert marks(name)[said[1]] == "R"
    aside, *hidden = (codes(name, card)[0] for card in said.groups()[1:])
    trail = re.search(
        r"(\d) after trick 3; \1 \+ (\d) = (\d+) after trick 4, so \*\*PLUS\*\*; (\d)", page
    )
    assert trail is not None
    turned = [int(trail[place]) for place in (1, 2, 4)]
    assert int(trail[3]) == sum(turned[:2]) >= 14
    hands = held(name, page)
    leads = NAMES.index(plays(lines(page)[0])[0][0])
    deal = {
        "hands": [in_order(name, [*hands[n], c]) for n, c in zip(NAMES, hidden, strict=False)],
        "aside": [aside],
        "reveal": [[int(card[1:]) for card in hidden].index(number) for number in turned],
    }
    opening = {"dealer": (leads - 1) % 3, "start": leads, "trump": "R", "deal": deal}
    state = opened(game, 3, {"rounds": 1}, opening)
    for seat, card in enumerate(hidden):
        state = do(game, state, seat, f"hide {card}")
    outcome = game.outcome(trick_by_trick(name, state, page))
    told = dict(
        re.findall(r"(Ann|Ben|Cat)(?: took)? \d+(?: tricks)? and (?:scores )?\*\*(\d)\*\*", page)
    )
    assert outcome is not None
    assert outcome.scores == tuple(int(told[person]) for person in NAMES[:3])


@pytest.mark.parametrize(
    ("kind", "tricks", "points"),
    re.findall(
        r"^(PLUS|MINUS|both) +([\d ]+?) +→ +([\d ]+)$", text("auffalscherfaehrte"), re.MULTILINE
    ),
)
def test_the_scores_of_auf_falscher_faehrte(kind: str, tricks: str, points: str) -> None:
    counts = tuple(int(count) for count in tricks.split())
    wanted = tuple(int(count) for count in points.split())
    assert sum(counts) == 12
    for plus in (True, False) if kind == "both" else (kind == "PLUS",):
        assert points_for(counts, plus=plus) == wanted


def test_the_round_of_kaiserspiel() -> None:
    name, page = "kaiserspiel", example("kaiserspiel")
    game = games()[name]
    cut = re.search(r"Dan deals\. Cut card: (\S+)\.", page)
    cards = dict(
        re.findall(r"(Ann|Ben|Cat|Dan) (\S+?)[,.]", " ".join(re.findall("Open cards: .*", page)))
    )
    assert cut is not None
    opening = {person: codes(name, card)[0] for person, card in cards.items()}
    hands = held(name, page)
    hidden = {
        seat: " ".join(card for card in hands[person] if card != opening[person])
        for seat, person in enumerate(NAMES)
    }
    dealt = " ".join(opening[person] for person in NAMES)
    deal = {"pack": pack(dealt, hidden, 3, codes(name, cut[1])[0])}
    state = opened(game, 4, {}, {"dealer": 3, "start": 0, "trump": None, "deal": deal})
    said = re.findall(
        r"(Ann|Ben|Cat|Dan) (declares \S+|raises by \d|accepts|stays|calls three up)(?:: (\d+))?",
        page,
    )
    words = {"accepts": "accept", "stays": "stay", "calls three up": "threeup"}
    for person, word, value in said:
        wanted = words.get(word) or word.replace("raises by", "raise")
        if word.startswith("declares"):
            wanted = f"kaiser {codes(name, word)[0]}"
        while wanted not in spoken(state, person):
            state = do(game, state, game.actors(state)[0], "pass")
        state = do(game, state, NAMES.index(person), wanted)
        if value:
            assert state.value == int(value)
    while game.actors(state) != (0, 1, 2, 3):
        state = do(game, state, game.actors(state)[0], "pass")
    for seat, person in enumerate(NAMES):
        actions = [game.format_action(action) for action in game.legal_actions(state, seat)]
        (out,) = (text for text in actions if not set(text.split()) & set(hands[person]))
        state = do(game, state, seat, out)
    while "pass" in spoken(state, NAMES[game.actors(state)[0]]):
        state = do(game, state, game.actors(state)[0], "pass")
    state = trick_by_trick(name, state, page)
    scored = re.search(r"Ann and Cat score \*\*(\d+)\*\*\.", page)
    assert scored is not None
    assert game.round_scores(state) == (int(scored[1]), 0, int(scored[1]), 0)


def spoken(state: Any, person: str) -> list[str]:
    """What somebody may say; nothing unless they alone are asked."""
    game, seat = games()["kaiserspiel"], NAMES.index(person)
    if game.actors(state) != (seat,):
        return []
    return [game.format_action(action) for action in game.legal_actions(state, seat)]


def test_the_table_of_auf_und_ab_says_what_beats_what() -> None:
    """Every number of a row beats those to the right of it, and no other."""
    table = re.findall(r"^([▲▼]) (?:UP|DOWN) +([\d ]+)$", text("aufundab"), re.MULTILINE)
    assert [arrow for arrow, _ in table] == ["▲", "▼"]
    for arrow, row in table:
        numbers = [int(number) for number in row.split()]
        assert sorted(numbers) == list(range(10))
        for (place, one), (other_place, other) in product(enumerate(numbers), repeat=2):
            better = one > other if arrow == "▲" else one < other
            assert better == (place < other_place)
