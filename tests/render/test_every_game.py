"""What people see of every game: within Discord's limits, in words, and every action in reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest
from structlog.testing import capture_logs

from bot.i18n import JOINER, Texts, languages, texts
from bot.render.cards_form import combine_modal, picked, with_ticks
from bot.render.channel import channel_message
from bot.render.custom_ids import Press, Verb
from bot.render.hand import hand_panel
from bot.render.message import Message, picture_file
from bot.render.pages import log_page, more_page
from bot.tables.stored import Stop
from bot.views.values import HandView
from engine.game import CHANCE, AnyGame
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    Chips,
    Choice,
    Laid,
    LastSet,
    Layout,
    Line,
    Phrase,
    SeatName,
    SeatRow,
    Tally,
    Trick,
)
from engine.layout import Suit as SuitParam
from engine.registry import games
from tests.render import matches, samples
from tests.render.limits import BUTTON, SELECT, check, labels, parts, text

EN = texts("en")
DANGER = 4
SEEDS = (1, 2)


def _positions(table: matches.Table, step: int = 1) -> Iterator[samples.Position]:
    for seed in SEEDS:
        yield from matches.positions(str(table), seed)[seed % step :: step]


def _steps(view: HandView) -> Iterator[Message]:
    """A panel, and the second step of each of its choices."""
    return (hand_panel(one, EN) for one in matches.steps(view))


def test_everything_is_within_the_limits_and_has_words(table: matches.Table) -> None:
    _is_within_the_limits(table, EN, 4)


@pytest.mark.nightly
@pytest.mark.parametrize("language", languages()[1:])
def test_and_so_it_is_in_every_language(table: matches.Table, language: str) -> None:
    _is_within_the_limits(table, texts(language), 16)


def _is_within_the_limits(table: matches.Table, words: Texts, step: int) -> None:
    nasty = (samples.NASTY,) * table.seats
    with capture_logs() as logs:
        for number, position in enumerate(_positions(table, step=step)):
            names = matches.NAMES if number % 2 else nasty
            board = matches.board(table, position, names)
            check(more_page(board.head, board.layout.more, words, seated=True, ends=True))
            for view in (board, *matches.fullest(table, position, number, names, words)):
                if isinstance(view, HandView):
                    check(hand_panel(view, words))
                    for control in view.layout.controls:
                        if isinstance(control, Choice) and control.combine is not None:
                            combine_modal(view, control.key, words)
                else:
                    check(channel_message(view, words, farewell=True))
                    check(channel_message(view, words, watched=True))
        for page in (0, 5):
            check(log_page(matches.head(table), position.told, page, words, over=False))
    assert logs == []


def test_every_action_is_in_reach_of_whoever_is_asked(table: matches.Table) -> None:
    game = table.game
    for position in _positions(table, step=5):
        for seat in game.actors(position.state):
            if seat == CHANCE:
                continue
            view = matches.hand(table, position.state, seat)
            legal = {game.format_action(a) for a in game.legal_actions(position.state, seat)}
            reached: set[str] = set()
            chosen = False
            for message in _steps(view):
                actions, combined = _actions(message, view)
                reached |= actions
                chosen = chosen or combined
            assert reached <= legal
            assert reached == legal or chosen


def _actions(message: Message, view: HandView) -> tuple[set[str], bool]:
    """The actions that a message's controls are; whether cards can be combined besides."""
    found: set[str] = set()
    combined = False
    for part in [*parts(message, BUTTON), *parts(message, SELECT)]:
        press = Press.decode(part.get("custom_id", ""))
        if press is None:
            continue
        combined |= press.verb is Verb.COMBINE
        if press.verb in (Verb.ACT, Verb.ACT_NOW):
            assert press.question == view.question
            values = [option["value"] for option in part.get("options", ())]
            found |= set(values or [press.argument])
    return found, combined


def test_cards_of_a_menu_are_chosen_one_by_one_and_the_last_that_is_wanted_plays_them(
    table: matches.Table,
) -> None:
    game = table.game
    for position in _positions(table, step=7):
        for seat in game.actors(position.state):
            view = matches.hand(table, position.state, seat) if seat != CHANCE else None
            for menu in matches.menus(view) if view is not None else ():
                if menu.combine is None or view is None:
                    continue
                chosen: tuple[str, ...] = ()
                while len(chosen) < menu.combine.minimum:
                    shown = [
                        (found.cards, bool(part.get("disabled")))
                        for part in parts(hand_panel(view, EN), BUTTON)
                        if (press := Press.decode(part.get("custom_id", ""))) is not None
                        and press.verb is Verb.COMBINE
                        and (found := picked(view, press.argument)) is not None
                    ]
                    assert [{*cards} for cards, _ in shown] == [
                        {*chosen, card} for card in menu.combine.cards
                    ]
                    assert [dead for _, dead in shown] == [
                        card in chosen for card in menu.combine.cards
                    ], "all stay in their places"
                    offered = [cards for cards, dead in shown if not dead]
                    chosen = offered[-1]
                    view = replace(view, opened=with_ticks(menu.key, menu.combine, chosen))
                action = game.compose(game.observe(position.state, seat), chosen, frozenset())
                assert game.is_legal(position.state, seat, action)


def test_the_first_line_says_whose_turn_it_is_and_what_is_asked(table: matches.Table) -> None:
    """On the board, on a spectator's copy and on every panel: once, and larger than all else."""
    for position in _positions(table, step=3):
        view = matches.board(table, position)
        if not view.actors:
            assert view.layout.asks is None
            continue
        assert view.layout.asks is not None
        public = EN.phrase(view.head.game, view.layout.asks, view.head.names)
        for watched in (False, True):
            board = text(channel_message(view, EN, watched=watched)).splitlines()
            assert board[0] == f"## {_turn(view.actors)}: {public}"
            assert not any(line.startswith(("# ", "## ")) for line in board[1:])
        for seat in range(table.seats):
            hand = matches.hand(table, position.state, seat)
            asks = hand.layout.asks
            assert asks is not None
            said = f"Your turn: {EN.phrase(view.head.game, asks, view.head.names)}"
            if seat not in view.actors:  # whose it is would soon be another's
                said = "Not your turn yet"
            for message in _steps(replace(hand, notice="Why.", away=True, due=samples.NOW)):
                assert text(message).splitlines()[0] == f"## {said}"


def _turn(actors: tuple[int, ...]) -> str:
    names = [matches.NAMES[seat] for seat in actors]
    return f"{names[0]}'s turn" if len(names) == 1 else f"Waiting for {EN.list(names)}"


def test_what_happened_is_told_a_line_each_on_board_and_panel(table: matches.Table) -> None:
    for position in _positions(table, step=9):
        board = matches.board(table, position)
        if not board.actors or not board.log:
            continue
        hand = replace(matches.hand(table, position.state, 0), told=board.log)
        told = [EN.phrase(board.head.game, phrase, board.head.names) for phrase in board.log]
        whys = [getattr(block, "reason", None) for block in board.layout.blocks]
        panel = (hand_panel(hand, EN), hand.layout)
        for message, layout in ((channel_message(board, EN), board.layout), panel):
            shown = text(message).splitlines()
            news = [
                sentence
                for phrase, sentence in zip(board.log, told, strict=True)
                if f"-# {sentence}" in shown and phrase not in whys
            ]
            assert [line for line in shown if line.removeprefix("-# ") in news] == [
                f"-# {sentence}" for sentence in news
            ]
            # All else stands on the board itself: its sentence, the card in a trick, or the sign of
            # who has chosen; but some cards of an earlier trick would look like cards of this one.
            for phrase, sentence in zip(board.log, told, strict=True):
                if _is_laid(phrase, board.layout) or _is_marked(phrase, layout):
                    assert f"-# {sentence}" not in shown
                else:
                    assert sentence in text(message) or _stands(phrase, board.layout)


def test_who_took_a_trick_that_no_block_shows_is_told_below_its_cards(table: matches.Table) -> None:
    looked, kept = 0, False
    for position in _positions(table, step=3):
        board = matches.board(table, position)
        kept |= bool(board.layout.more)
        hand = replace(matches.hand(table, position.state, 0), told=board.log)
        shown = [getattr(block, "reason", None) for block in board.layout.blocks]
        for last in board.layout.more if board.actors else ():
            why = getattr(last, "reason", None)
            if why is None or why not in board.log or why in shown:
                continue
            looked += 1
            sentence = f"-# {EN.phrase(board.head.game, why, board.head.names)}"
            for message in (channel_message(board, EN), hand_panel(hand, EN)):
                lines = text(message).splitlines()
                above = lines[lines.index(sentence) - 1]
                assert above.startswith("-# Last ")
                assert all(EN.card(board.head.game, code) in above for code in _codes(last))
    assert looked or not kept, "it is never told of"


def _codes(last: Block) -> list[str]:
    """The cards of what was finished, but for those that lie face down."""
    match last:
        case Trick(cards=laid):
            return [one.card for one in laid if one.card]
        case LastSet(cards=row):
            return [one.code for one in row]
        case _:
            return []


def _is_marked(told: Phrase, layout: Layout) -> bool:
    """Whether it tells that somebody else has chosen who bears the sign of that."""
    rows = [block for block in layout.blocks if isinstance(block, SeatRow)]
    chosen = [
        SeatName(seat.seat)
        for row in rows
        for seat in row.seats
        if "chosen" in seat.marks and "self" not in seat.marks
    ]
    return told.code in ("chose", "hid", "discarded") and told.params["seat"] in chosen


def _goes_on(layout: Layout) -> bool:
    """Whether a trick has begun: what was finished before it is in small print."""
    tricks = [block for block in layout.blocks if isinstance(block, Trick)]
    return any(trick.role == "current" and trick.cards for trick in tricks)


def _lies(layout: Layout) -> bool:
    """Whether cards of a trick or series lie on the table."""
    sets = [block for block in layout.blocks if isinstance(block, CardRow)]
    return _goes_on(layout) or any(row.role == "table" and row.cards for row in sets)


def _why_before(block: Block) -> Phrase | None:
    """Why somebody took the trick or series before, if a block tells it."""
    if isinstance(block, LastSet):
        return block.reason
    return block.reason if isinstance(block, Trick) and block.role == "last" else None


def _stands(told: Phrase, layout: Layout) -> bool:
    """Whether the board says what was told: cards set aside, beside a name or at the foot, and the
    special suit."""
    said = [
        fact
        for block in layout.blocks
        if isinstance(block, SeatRow)
        for seat in block.seats
        for fact in seat.facts
        if SeatName(seat.seat) == told.params.get("seat")
    ]
    said += [block.phrase for block in layout.blocks if isinstance(block, Line)]
    said += [chip for block in layout.blocks if isinstance(block, Chips) for chip in block.chips]
    values = [value for phrase in said for value in phrase.params.values()]
    stand = {code for value in values if isinstance(value, Cards) for code in value.codes}
    for phrase in said:  # `unwanted green (chose 0)`
        if isinstance(suit := phrase.params.get("suit"), SuitParam):
            stand.add(f"{suit.code}{phrase.params.get('number', '')}")
    for block in layout.blocks:
        if isinstance(block, CardRow) and block.role == "aside":
            stand |= {card.code for card in block.cards}
    cards, suit = told.params.get("cards"), told.params.get("suit")
    return (isinstance(cards, Cards) and stand >= {*cards.codes}) or (
        isinstance(suit, SuitParam) and suit in values
    )


def _is_laid(told: Phrase, layout: Layout) -> bool:
    """Whether it tells of a card in this trick, or in one before it, or of the set on the table."""
    cards = told.params.get("cards")
    if told.code == "played_down":
        return any(isinstance(block, Trick) for block in layout.blocks)
    if told.code != "played" or not isinstance(cards, Cards):
        return False
    sets = [
        tuple(card.code for card in block.cards)
        for block in layout.blocks
        if isinstance(block, CardRow) and block.role == "table"
    ]
    in_tricks = any(isinstance(block, Trick) for block in layout.blocks)
    return (in_tricks and len(cards.codes) == 1) or cards.codes in sets


def test_nothing_is_said_twice_on_one_screen(table: matches.Table) -> None:
    """What a line of the board says is no news below it."""
    for position in _positions(table, step=3):
        board = matches.board(table, position)
        views = [hand_panel(matches.hand(table, position.state, seat), EN) for seat in (0, 1)]
        # Somebody may have passed twice.
        happened = Counter(EN.phrase(board.head.game, told, board.head.names) for told in board.log)
        for shown in (channel_message(board, EN), *views):
            lines = [line.removeprefix("-# ").strip("*# ") for line in text(shown).splitlines()]
            sentences = [line for line in lines if len(line.split()) > 2]
            news = [line for line in text(shown).splitlines() if line.startswith("-# ")]
            for told in board.log:
                if _is_laid(told, board.layout):
                    assert f"-# {EN.phrase(board.head.game, told, board.head.names)}" not in news
            for line, count in Counter(sentences).items():
                assert count <= max(1, happened[line]), line


def test_above_a_trick_that_has_begun_the_one_before_is_called_so(table: matches.Table) -> None:
    """Else `Dan takes it` would tell of the cards in the picture below."""
    for position in _positions(table, step=3):
        board = matches.board(table, position)
        said = text(channel_message(board, EN, picture_file(b"a board"))).splitlines()
        for block in board.layout.blocks:
            why = _why_before(block)
            if why is not None and board.actors and _lies(board.layout):
                assert EN.phrase(board.head.game, why, board.head.names) not in said


def test_news_of_the_trick_before_goes_with_the_second_card_of_another(
    table: matches.Table,
) -> None:
    before: Phrase | None = None
    for position in _positions(table, step=1):
        for block in table.game.layout(table.game.observe(position.state, None)).blocks:
            before = _why_before(block) or before
        board = matches.board(table, position._replace(told=(before,) if before else ()))
        said = text(channel_message(board, EN, picture_file(b"a board"))).splitlines()
        if before is not None and board.actors and _lies(board.layout):
            assert EN.phrase(board.head.game, before, board.head.names) not in said


def test_ids_and_numbers_of_rounds_stand_at_the_very_end(table: matches.Table) -> None:
    for position in _positions(table, step=9):
        board = matches.board(table, position)
        for message in (
            channel_message(board, EN),
            channel_message(board, EN, watched=True),
            *(hand_panel(matches.hand(table, position.state, seat), EN) for seat in (0, 1)),
        ):
            *_, last = text(message).splitlines()
            assert last.startswith("-# ")
            assert last.endswith(f" · table {samples.TABLE}")
            assert text(message).count(samples.TABLE) == 1


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
            waiting = any("…" in line or line.startswith("## Waiting for") for line in named)
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
        page = text(more_page(view.head, view.layout.more, EN, seated=True, ends=True))
        assert page.startswith("Last trick: ")
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
                for number, laid in enumerate(block.cards, start=1):
                    assert _line(laid, view.head.game, block.role, number) in shown


def _line(laid: Laid, game: str, role: str, number: int) -> str:
    """A card in a trick that lies there stands beside its owner, with its place in the order."""
    crowns = sum(mark in laid.marks for mark in ("kaiser", "mugg"))
    card = (EN.card(game, laid.card) if laid.card else "🎴") + "♛" * crowns
    name = matches.NAMES[laid.seat]
    if role == "last":
        line = f"{name}:\u00a0{card}"
        return f"**{line}**" if "winning" in laid.marks else line
    line = f"{number}.\u00a0**{card}** w" if "winning" in laid.marks else f"{number}.\u00a0{card}"
    return f": {line}"


def test_what_was_finished_says_whose_it_is_and_why(table: matches.Table) -> None:
    """On the board and on every panel, until the next lead is answered."""
    seen = 0
    for position in _positions(table, step=4):
        view = matches.board(table, position)
        for block in view.layout.blocks:
            why = getattr(block, "reason", None)
            if view.pause is not None or why is None:
                continue
            seen += 1
            said = EN.phrase(view.head.game, why, view.head.names)
            small = "-# " if _goes_on(view.layout) else ""
            assert small + said in text(channel_message(view, EN)).splitlines()
            panel = text(hand_panel(matches.hand(table, position.state, 0), EN))
            said = EN.phrase(view.head.game, why, matches.NAMES)
            assert small + said in panel.splitlines()
    assert seen


def test_a_tally_is_a_sum_that_says_whether_more_is_to_come(table: matches.Table) -> None:
    for position in _positions(table, step=4):
        view = matches.board(table, position)
        for block in view.layout.blocks:
            if isinstance(block, Tally) and view.pause is None:
                shown = text(channel_message(view, EN)).splitlines()
                terms = " + ".join("?" if t is None else str(t) for t in block.terms)
                more = " so far" if None in block.terms else ""
                assert f"{terms}  =  {block.total}{more}" in shown


def test_each_card_of_the_hand_stands_once_as_a_button_or_in_a_line_of_its_suit(
    table: matches.Table,
) -> None:
    """Of two alike one is the button, the other stands in the line; sets are no cards."""
    game = table.game.info.id
    for position in _positions(table, step=9):
        view = matches.hand(table, position.state, 0)
        for block in view.layout.blocks:
            if isinstance(block, CardRow) and block.role == "hand" and view.pause is None:
                shown = text(hand_panel(view, EN)).splitlines()
                lines = [line.removeprefix("-# ") for line in shown if "│" in line]
                acts = [one for one in view.layout.controls if isinstance(one, Act) and one.group]
                pressed = {one.cards[0] for one in acts if one.label is None}
                left = list(block.cards)
                for code in pressed if view.question is not None else ():
                    left.remove(next(card for card in left if card.code == code))
                    long = EN.card_name(game, code)
                    forced = "button.forced" if len(block.cards) > 1 else "button.last_card"
                    named = {EN.card(game, code), long, EN.get(forced, card=long)}
                    found = labels(hand_panel(view, EN))
                    assert sum(label.rstrip("♛") in named for label in found) == 1
                assert ("-# You also hold:" in shown) == (0 < len(left) < len(block.cards))
                groups = [(key, list(some)) for key, some in groupby(left, key=lambda c: c.group)]
                assert len(lines) == len(groups)
                for line, (group, cards) in zip(lines, groups, strict=True):
                    mark = EN.suit_mark(game, group)
                    start = f"{mark} **{group}** │ ".lstrip()
                    assert line.startswith(start)
                    assert len(line.removeprefix(start).split()) == len(cards)


def test_plays_of_one_kind_look_alike(table: matches.Table) -> None:
    """Nothing is recommended by its colour: only what empties the hand may stand out, alone.

    What gives something up is red.
    """
    for position in _positions(table, step=3):
        for seat in table.game.actors(position.state):
            if seat < 0:
                continue
            view = matches.hand(table, position.state, seat)
            choices = [one.key for one in view.layout.controls if isinstance(one, Choice)]
            for opened in (None, *choices):
                styles: dict[bool, set[int]] = {}
                for part in parts(hand_panel(replace(view, opened=opened), EN), BUTTON):
                    press = Press.decode(part.get("custom_id", ""))
                    if press is None or press.verb not in (Verb.ACT, Verb.OPEN, Verb.COMBINE):
                        continue
                    out = part["label"] in ("All cards, and out", "Last card, and out")
                    back = press.verb is Verb.OPEN and not press.argument
                    if part["style"] != DANGER and not out and not back:
                        cards = press.verb is not Verb.ACT or _plays(view.layout, press.argument)
                        styles.setdefault(cards, set()).add(part["style"])
                for kind, found in styles.items():
                    assert len(found) == 1, f"{kind}: {found} at {labels(hand_panel(view, EN))}"


def _plays(layout: Layout, action: str) -> bool:
    """Whether that action plays cards, and is no word."""
    return any(act.cards for act in layout.acts if act.action == action)


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
                assert 0 < len(short) <= 9
                assert 0 < len(long) <= 40
                if EN.suit_mark(game.info.id, code[:1]):
                    assert short == EN.suit_mark(game.info.id, code[:1]) + JOINER + code[1:]
                    assert long.startswith(EN.suit_mark(game.info.id, code[:1]))
                    assert EN.suit(game.info.id, code[:1]).split()[0] in long
    assert logs == []


def test_blocks_and_suits_are_all_looked_at() -> None:
    """These games together show every kind of block: none of the tests above is idle."""
    blocks: set[type[Block]] = set()
    suits = False
    for table in matches.tables():
        for position in matches.positions(str(table), 1)[::5]:
            for seat in (0, None):
                layout = table.game.layout(table.game.observe(position.state, seat))
                blocks |= {type(block) for block in (*layout.blocks, *layout.more)}
                for block in layout.blocks:
                    phrases = getattr(block, "chips", ())
                    suits |= any(
                        isinstance(v, SuitParam) for p in phrases for v in p.params.values()
                    )
    assert len(blocks) == 9
    assert suits
