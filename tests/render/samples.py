"""Views to draw: real ones from random matches, and the worst there can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.tables.ports import LeaderLine, Period
from bot.tables.stored import Pace, Stop
from bot.views.values import (
    BetweenRoundsView,
    BoardView,
    ChannelView,
    ClosedView,
    HandView,
    LeaderboardView,
    LobbyView,
    ResultView,
    ShufflingView,
    Sitter,
    StatsView,
    TableHead,
)
from engine.game import CHANCE, AnyGame, Options
from engine.layout import (
    Act,
    CardRow,
    Cards,
    CardView,
    Choice,
    Combine,
    Headline,
    Layout,
    Line,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
)
from engine.options import worth_saying
from engine.registry import games

GAME: AnyGame = games()["aufundab"]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TABLE = TableId("T7Q2ABCDEFGH")
GUILD, CHANNEL, BOARD = GuildId(2**63), ChannelId(2**63 - 1), MessageId(2**63)

COMMITMENT = "c0ffee" * 10 + "abcd"
WORDS = ("k" * 20, "", "7")

NASTY = "**@everyone** <@1> [x](https://e.vil) ‮evil‬\n# `~~||" + "Z̀́̂̃̄" * 40


class Position(NamedTuple):
    """A state, and what everybody had been told until then."""

    state: Any
    told: tuple[Phrase, ...]


def head(
    seats: int = 3,
    names: tuple[str, ...] = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo"),
    free: tuple[int, ...] = (),
    away: tuple[int, ...] = (),
    pace: Pace = Pace.NONE,
    *,
    game: str = GAME.info.id,
    teams: Sequence[int | None] = (None,) * 6,
) -> TableHead:
    """A table's head; `away` are those for whom stand-ins play besides the free seats."""
    sitters = tuple(
        Sitter(seat, None, "", teams[seat], stand_in=bool(away))
        if seat in free
        else Sitter(seat, UserId(100 + seat), names[seat], teams[seat], stand_in=seat in away)
        for seat in range(seats)
    )
    rules = games()[game]
    options = worth_saying(rules.info, seats, rules.complete_options(seats, {}))
    return TableHead(
        TABLE,
        game,
        GUILD,
        CHANNEL,
        UserId(100),
        sitters,
        options,
        rules.info.news,
        pace,
        seal=COMMITMENT,
    )


def played(
    game: AnyGame,
    seats: int,
    options: Options,
    choose: Callable[[Any, Sequence[int]], tuple[int, Any]],
) -> Iterator[Position]:
    """All positions of a match; `choose` says which of the actors does what next."""
    state = game.initial(seats, options)
    told: list[Phrase] = []
    yield Position(state, ())
    while actors := game.actors(state):
        seat, action = choose(state, actors)
        after = game.apply(state, seat, action)
        told += [e.phrase for e in game.events(state, seat, action, after) if e.audience is None]
        state = after
        yield Position(state, tuple(told))


def positions(seed: int, seats: int) -> list[Position]:
    """Those of a match of two rounds played at random."""
    rng = Random(seed)

    def choose(state: Any, actors: Sequence[int]) -> tuple[int, Any]:
        seat = actors[0]
        if seat == CHANCE:
            return seat, GAME.deal(state, rng.randrange)
        return seat, rng.choice(GAME.legal_actions(state, seat))

    return list(played(GAME, seats, GAME.complete_options(seats, {"hands": 2}), choose))


def hand_view(state: Any, seat: int, game: AnyGame = GAME, **more: Any) -> HandView:
    asked = seat in game.actors(state)
    view = HandView(
        head=head(),
        layout=game.layout(game.observe(state, seat)),
        seat=seat,
        question=QuestionId(game.question(state, seat)) if asked else None,
        pause=None,
        board=(CHANNEL, BOARD),
    )
    return replace(view, **more)


def board_view(state: Any, game: AnyGame = GAME, **more: Any) -> BoardView:
    actors = tuple(seat for seat in game.actors(state) if seat != CHANCE)
    view = BoardView(
        head=head(),
        layout=game.layout(game.observe(state, None)),
        round=1,
        actors=actors,
        question=QuestionId(game.question(state, actors[0])) if len(actors) == 1 else None,
        log=(),
        pause=None,
        end_votes=0,
        votes_needed=2,
    )
    return replace(view, **more)


def some_board(**more: Any) -> BoardView:
    """A board in the middle of a round."""
    return board_view(positions(1, 3)[9].state, **more)


def lobby_view(**more: Any) -> LobbyView:
    full = LobbyView(head(4, free=(2, 3)), 3, False, NOW + timedelta(minutes=15))
    return replace(full, **more)


def result_view(**more: Any) -> ResultView:
    view = ResultView(
        head(), (12, 42, 12), (2, 1, 2), ((12, 0, 0), (0, 42, 0), (0, 0, 12)), None,
        ("Ann", "Ben", "Cat"),
    )  # fmt: skip
    return replace(view, **more)


def sets(count: int) -> tuple[Act, ...]:
    """Acts with the longest labels and notes."""
    cards = tuple(f"0-{high}" for high in range(10))
    return tuple(
        Act(
            f"play 0-0x2 {' '.join(cards[1:])} {number}",
            Phrase("played", {"seat": SeatName(0), "cards": "x" * 90}),
            cards=cards,
            notes=tuple(Phrase("counts_two", {"card": Cards(("7-7",))}) for _ in range(12)),
        )
        for number in range(count)
    )


def cards(count: int) -> tuple[str, ...]:
    return tuple(f"{n // 10}-{n % 10}" for n in range(count))


def worst_layout(controls: tuple[Act | Choice, ...]) -> Layout:
    """Everything that a game may show, at its largest, above the controls."""
    hand = tuple(
        CardView(f"{low}-{high}", str(low), ("double", "change", "playable")[: 3 - low % 2])
        for low in range(10)
        for high in range(low, 10)
    )
    seats = tuple(
        SeatView(seat, 18, 1000, ("to_act", "self", "leads", "partner")) for seat in range(4)
    )
    return Layout(
        (
            Headline(Phrase("nothing_beats_down", {"quantity": 11, "number": 9}), "▼"),
            Line(Phrase("to_beat", {"quantity": 3, "number": 5, "seat": SeatName(0)}), "strong"),
            Line(Phrase("turn", {"seat": SeatName(1)})),
            CardRow("table", hand[:10]),
            SeatRow(seats),
            CardRow("hand", hand),
            CardRow("aside", hand[:3]),
            Line(Phrase("round_of", {"number": 40, "rounds": 40}), "small"),
        ),
        controls,
    )


def worst_hands() -> dict[str, HandView]:
    """Hands at their largest, one for each kind of control."""
    nasty = (NASTY,) * 4
    passing = Act("pass", Phrase("pass"), style="danger")
    many = Choice("many", Phrase("number_choice", {"number": 7, "count": 4}), 25, sets(25))
    few = Choice("few", Phrase("number_choice", {"number": 6, "count": 4}), 10, sets(10))
    forms = Choice(
        "form",
        Phrase("played", {"seat": SeatName(0), "cards": "y" * 90}),
        999,
        combine=Combine(cards(10), 1, 10, ("double_counts_two",)),
    )
    numbers = tuple(
        Choice(str(n), Phrase("number_choice", {"number": n, "count": 8}), 255) for n in range(10)
    )

    def hand(controls: tuple[Act | Choice, ...], opened: str | None = None) -> HandView:
        return HandView(
            head(4, nasty), worst_layout(controls), 0, QuestionId(999_999_999), None,
            (CHANNEL, BOARD), opened, "Why that cannot be. " * 5,
            away=True, due=NOW, warned=True,
        )  # fmt: skip

    words = tuple(Act(f"word {n}", Phrase("pass")) for n in range(10))
    return {
        "ten words": hand(words),
        "ten sets": hand((*sets(10), passing)),
        "twenty-five sets": hand((*sets(25), passing)),
        "sixty sets": hand((*sets(60), passing)),
        "ten numbers": hand((*numbers, passing)),
        "few opened": hand((few, many, forms), "few"),
        "many opened": hand((few, many, forms), "many"),
        "form": hand((few, many, forms)),
        "not asked": replace(hand(()), question=None),
    }


def worst_channel() -> dict[str, ChannelView]:
    nasty = (NASTY,) * 4
    words = ("w" * 20,) * 4
    passing = Act("pass", Phrase("pass"), style="danger")
    log = tuple(Phrase("played", {"seat": SeatName(n % 4), "cards": "z" * 90}) for n in range(6))
    board = BoardView(
        head(4, nasty, free=(2, 3), away=(0, 1)), worst_layout((passing,)), 40, (0,),
        QuestionId(999_999_999),
        log, None, 3, 4, "", words, (0, 1), NOW, timedelta(days=3),
    )  # fmt: skip
    pause = BetweenRoundsView(
        QuestionId(9),
        40,
        (300, 0, -3, 0),
        (1000,) * 4,
        frozenset(map(UserId, range(100, 104))),
        NOW,
        words,
    )
    scored = tuple((1000, 0, 0, 1000) for _ in range(40))
    return {
        "lobby": LobbyView(head(4, nasty, free=(1, 2, 3)), 3, True, NOW, words=words),
        "lobby of a rematch": LobbyView(
            replace(
                head(4, nasty, free=(1, 2)),
                sitters=tuple(
                    sitter._replace(awaited="" if sitter.user else nasty[sitter.seat])
                    for sitter in head(4, nasty, free=(1, 2)).sitters
                ),
            ),
            3,
            True,
            NOW,
            words=words,
            kept=NOW,
            kept_seats=2,
        ),
        "planned lobby": LobbyView(
            head(4, nasty, free=(3,)),
            3,
            True,
            NOW,
            frozenset(map(UserId, range(100, 103))),
            words,
            starts=NOW,
        ),
        "full lobby": LobbyView(
            head(4, nasty), 4, True, NOW, frozenset({UserId(100)}), words, shuffles=10**6
        ),
        "shuffling": ShufflingView(head(4, nasty), 40, words),
        "board": board,
        "pause": replace(board, pause=pause, question=None, actors=()),
        "full pause": replace(board, head=head(4, nasty), pause=pause, question=None),
        "result": ResultView(head(4, nasty), (9,) * 4, (1,) * 4, scored, None, nasty),
        "others' result": ResultView(
            head(4, nasty),
            (9,) * 4,
            (1, 1, 3, 4),
            scored,
            None,
            nasty,
            beginners={seat: UserId(seat) for seat in range(4)},
        ),
        "stopped": ResultView(head(4, nasty), None, None, scored, Stop.MODERATOR, nasty),
        "stopped at once": ResultView(head(4, nasty), None, None, (), Stop.EMPTY, nasty),
        "expired": ClosedView(head(4, nasty), "expired"),
        "ended": ClosedView(head(4, nasty), "ended"),
        "restored": ClosedView(head(4, nasty), "restored"),
    }


def leaderboard(**more: Any) -> LeaderboardView:
    lines = tuple(LeaderLine(n + 1, UserId(n), NASTY, 12, 7, 61 - 10 * n, 10) for n in range(8))
    ids = ("aufundab", "auffalscherfaehrte", "sticheln", "kaiserspiel")
    view = LeaderboardView(Period.MONTH, "aufundab", ids, 1, 3, lines, 999)
    return replace(view, **more)


def stats() -> StatsView:
    return StatsView(NASTY, (("aufundab", LeaderLine(1, UserId(1), NASTY, 1, 1, -51, 20)),))


def find(wanted: Callable[[Layout], bool], seats: int = 3, seeds: int = 300) -> tuple[Any, int]:
    """A state, and the seat to act whose layout is wanted."""
    for seed in range(seeds):
        for state, _ in positions(seed, seats):
            actors = GAME.actors(state)
            if not actors or actors[0] == CHANCE:
                continue
            if wanted(GAME.layout(GAME.observe(state, actors[0]))):
                return state, actors[0]
    raise AssertionError("no such position")
