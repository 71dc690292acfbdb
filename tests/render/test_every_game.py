"""What people see of every game: within Discord's limits, in words, and every action in reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.i18n import texts
from bot.render.channel import channel_message
from bot.render.custom_ids import Press, Verb
from bot.render.hand import combine_modal, hand_panel
from bot.render.message import Message
from bot.render.pages import log_page, more_page
from bot.tables.stored import Stop
from bot.views.values import HandView, TableHead
from engine.game import CHANCE, AnyGame
from engine.layout import Block, CardRow, Choice, Laid, SeatRow, Tally, Trick
from engine.layout import Suit as SuitParam
from engine.registry import games
from tests.render import matches, samples
from tests.render.limits import BUTTON, SELECT, check, labels, parts, text

EN = texts("en")
TABLES = {str(table): table for table in matches.tables()}
SEEDS = (1, 2)


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> matches.Table:
    return TABLES[request.param]


def _positions(table: matches.Table, step: int = 1) -> Iterator[matches.Position]:
    for seed in SEEDS:
        yield from matches.positions(str(table), seed)[seed % step :: step]


def _steps(view: HandView) -> Iterator[Message]:
    """A panel, and the second step of each of its choices."""
    yield hand_panel(view, EN)
    if view.question is not None:
        for control in view.layout.controls:
            if isinstance(control, Choice) and control.acts and not control.menu:
                yield hand_panel(replace(view, opened=control.key), EN)


def _absent(head: TableHead) -> TableHead:
    """The same table with a free seat and stand-ins for everybody."""
    first, *others = (sitter._replace(stand_in=True) for sitter in head.sitters)
    return replace(head, sitters=(first._replace(user=None, name=""), *others))


def test_everything_is_within_the_limits_and_has_words(table: matches.Table) -> None:
    nasty = (samples.NASTY,) * table.seats
    with capture_logs() as logs:
        for number, position in enumerate(_positions(table, step=4)):
            names = matches.NAMES if number % 2 else nasty
            board = matches.board(table, position, names)
            timed = replace(
                board, head=_absent(board.head), asked=board.actors, due=samples.NOW,
                credited=timedelta(days=3),
            )  # fmt: skip
            for view in (board, timed):
                check(channel_message(view, EN, farewell=True))
                check(channel_message(view, EN, watched=True))
            check(more_page(board.head, board.layout.more, EN, seated=True))
            for seat in {number % table.seats, *board.actors}:
                hand = matches.hand(table, position.state, seat, names)
                worst = replace(
                    hand, head=_absent(hand.head), notice="Why that cannot be. " * 5, away=True,
                    due=samples.NOW, warned=bool(number % 2),
                )  # fmt: skip
                for message in _steps(worst):
                    check(message)
                for control in hand.layout.controls:
                    if isinstance(control, Choice) and control.combine is not None:
                        combine_modal(hand, control.key, EN)
        for page in (0, 5):
            check(log_page(matches.head(table), position.told, page, EN))
    assert logs == []


def test_every_action_is_in_reach_of_whoever_is_asked(table: matches.Table) -> None:
    game = table.game
    for position in _positions(table, step=5):
        for seat in game.actors(position.state):
            if seat == CHANCE:
                continue
            view = matches.hand(table, position.state, seat)
            legal = {game.format_action(a) for a in game.legal_actions(position.state, seat)}
            offered: set[str] = set()
            chosen = False
            for message in _steps(view):
                actions, combined = _actions(message, view)
                offered |= actions
                chosen = chosen or combined
            assert offered <= legal
            assert offered == legal or chosen


def _actions(message: Message, view: HandView) -> tuple[set[str], bool]:
    """The actions that a message's controls are; whether cards can be combined besides."""
    found: set[str] = set()
    combined = False
    for part in [*parts(message, BUTTON), *parts(message, SELECT)]:
        press = Press.decode(part.get("custom_id", ""))
        if press is None:
            continue
        combined |= press.verb is Verb.COMBINE
        if press.verb is Verb.ACT:
            assert press.question == view.question
            values = [option["value"] for option in part.get("options", ())]
            found |= set(values or [press.argument])
    return found, combined


def test_a_menu_of_cards_takes_exactly_as_many_as_the_game_wants(table: matches.Table) -> None:
    game = table.game
    for position in _positions(table, step=7):
        for seat in game.actors(position.state):
            view = matches.hand(table, position.state, seat) if seat != CHANCE else None
            for menu in matches.menus(view) if view is not None else ():
                if menu.combine is None or view is None:
                    continue
                (select,) = [
                    part
                    for part in parts(hand_panel(view, EN), SELECT)
                    if Press.decode(part["custom_id"])
                    == Press(Verb.COMBINE, samples.TABLE, view.question, menu.key)
                ]
                assert select["min_values"] == menu.combine.minimum
                assert select["max_values"] == menu.combine.maximum
                values = [option["value"] for option in select["options"]]
                assert values == list(menu.combine.cards)
                cards = values[: menu.combine.minimum]
                observation = game.observe(position.state, seat)
                action = game.compose(observation, cards, frozenset())
                assert game.is_legal(position.state, seat, action)


def test_whoever_must_choose_is_named_and_no_single_seat_can_act_on_the_board(
    table: matches.Table,
) -> None:
    seen = False
    for position in _positions(table):
        view = matches.board(table, position)
        if len(view.actors) < 2:
            continue
        seen = True
        board = channel_message(view, EN)
        assert not any(
            press is not None and press.verb is Verb.ACT
            for press in (Press.decode(p.get("custom_id", "")) for p in parts(board, BUTTON))
        )
        lines = text(board).splitlines()
        for seat in range(table.seats):
            named = [line for line in lines if matches.NAMES[seat] in line]
            waiting = any("…" in line or "Still to choose" in line for line in named)
            assert waiting == (seat in view.actors)
    secret = any(len(table.game.actors(position.state)) > 1 for position in _positions(table))
    assert seen == secret


def test_the_last_trick_is_one_press_away(table: matches.Table) -> None:
    """On the board behind ⋯, and on a panel as well."""
    seen = 0
    for position in _positions(table, step=4):
        view = matches.board(table, position)
        last = [block for block in view.layout.more if isinstance(block, Trick)]
        if not last:
            continue
        seen += 1
        page = text(more_page(view.head, view.layout.more, EN, seated=True))
        assert page.startswith("**The last trick**")
        for laid in last[0].cards:
            assert matches.NAMES[laid.seat] in page
            assert EN.card(view.head.game, laid.card) in page
        if view.pause is None:
            panel = hand_panel(matches.hand(table, position.state, 0), EN)
            assert "⋯" in labels(panel)
    tricks = any(
        isinstance(block, Trick)
        for position in _positions(table, step=4)
        for block in matches.board(table, position).layout.blocks
    )
    assert (seen > 0) == tricks


def test_a_trick_shows_its_cards_the_winning_one_first_and_who_is_awaited(
    table: matches.Table,
) -> None:
    for position in _positions(table, step=4):
        view = matches.board(table, position)
        for block in view.layout.blocks:
            if isinstance(block, Trick) and view.pause is None and block.cards:
                shown = text(channel_message(view, EN))
                for laid in block.cards:
                    assert _line(laid, view.head.game) in shown
                for seat in block.awaited:
                    assert f"…\u00a0{matches.NAMES[seat]}" in shown


def _line(laid: Laid, game: str) -> str:
    card = EN.card(game, laid.card) if laid.card else "🎴"
    sign = "♛" if "kaiser" in laid.marks else ""
    line = f"{card}{sign}\u00a0{matches.NAMES[laid.seat]}"
    return f"**{line}** w" if "winning" in laid.marks else line


def test_a_tally_is_a_sum_and_a_bar_of_one_length(table: matches.Table) -> None:
    for position in _positions(table, step=4):
        view = matches.board(table, position)
        for block in view.layout.blocks:
            if isinstance(block, Tally) and view.pause is None:
                shown = text(channel_message(view, EN)).splitlines()
                terms = " + ".join("?" if t is None else str(t) for t in block.terms)
                at = shown.index(f"{terms}  =  {block.total} of {block.goal}")
                assert len(shown[at + 1]) == 13
                assert (shown[at + 1][7] == "■") == (block.total >= block.goal)


def test_the_hand_is_a_line_a_suit_with_its_mark_and_its_letter(table: matches.Table) -> None:
    game = table.game.info.id
    for position in _positions(table, step=9):
        view = matches.hand(table, position.state, 0)
        for block in view.layout.blocks:
            if isinstance(block, CardRow) and block.role == "hand" and view.pause is None:
                lines = [
                    line.removeprefix("-# ")
                    for line in text(hand_panel(view, EN)).splitlines()
                    if "│" in line
                ]
                groups = list(dict.fromkeys(card.group for card in block.cards))
                assert len(lines) == len(groups)
                for line, group in zip(lines, groups, strict=True):
                    mark = EN.suit_mark(game, group)
                    assert line.startswith(f"{mark} **{group}** │ ".lstrip())


def test_seats_name_everybody_once_and_a_partner(table: matches.Table) -> None:
    for position in _positions(table, step=9):
        view = matches.board(table, position)
        rows = [block for block in view.layout.blocks if isinstance(block, SeatRow)]
        if view.pause is not None or not rows:
            continue
        shown = text(channel_message(view, EN))
        assert all(matches.NAMES[seat.seat] in shown for seat in rows[0].seats)
        teams = table.game.info.teams
        titles = [line for line in shown.splitlines() if line.startswith("**Team ")]
        assert len(titles) == len(teams)


def test_lobbies_and_results_fit_and_have_words(table: matches.Table) -> None:
    words = ("w" * 20,) * table.seats
    with capture_logs() as logs:
        for names in (matches.NAMES, (samples.NASTY,) * table.seats):
            head = matches.head(table, names)
            free = tuple(sitter._replace(user=None) for sitter in head.sitters)
            for sitters in (head.sitters, free, (*head.sitters[:2], *free[2:])):
                lobby = samples.lobby_view(head=replace(head, sitters=sitters), words=words)
                check(channel_message(lobby, EN))
            final = next(
                position.state
                for position in _positions(table)
                if table.game.outcome(position.state) is not None
            )
            outcome = table.game.outcome(final)
            assert outcome is not None
            result = samples.result_view(
                head=head, scores=outcome.scores, ranking=outcome.ranking,
                rounds=(outcome.scores,) * 40, starters=tuple(names[: table.seats]),
            )  # fmt: skip
            check(channel_message(result, EN))
            check(channel_message(replace(result, scores=None, ranking=None, stop=Stop.VOTE), EN))
    assert logs == []


# Cards in words


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_card_and_suit_has_its_words(game: AnyGame) -> None:
    seats = game.info.seats[-1]
    with capture_logs() as logs:
        for given in matches.variants(game):
            for code in game.pack(seats, game.complete_options(seats, given)):
                short, long = EN.card(game.info.id, code), EN.card_name(game.info.id, code)
                assert 0 < len(short) <= 8
                assert 0 < len(long) <= 40
                if EN.suit_mark(game.info.id, code[:1]):
                    assert short == EN.suit_mark(game.info.id, code[:1]) + code[1:]
                    assert long.startswith(EN.suit_mark(game.info.id, code[:1]))
                    assert EN.suit(game.info.id, code[:1]).split()[0] in long
    assert logs == []


def test_blocks_and_suits_are_all_looked_at() -> None:
    """These games together show every kind of block: none of the tests above is idle."""
    blocks: set[type[Block]] = set()
    suits = False
    for table in TABLES.values():
        for position in matches.positions(str(table), 1)[::5]:
            for seat in (0, None):
                layout = table.game.layout(table.game.observe(position.state, seat))
                blocks |= {type(block) for block in (*layout.blocks, *layout.more)}
                for block in layout.blocks:
                    phrases = getattr(block, "chips", ())
                    suits |= any(
                        isinstance(v, SuitParam) for p in phrases for v in p.params.values()
                    )
    assert len(blocks) == 7
    assert suits
