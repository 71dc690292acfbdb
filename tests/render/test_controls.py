"""Hands of trick games: rows of suits, words, menus, the standing pass; teams in the lobby."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import pytest

from bot.i18n import texts
from bot.ids import Computer, QuestionId
from bot.render.blocks import accent
from bot.render.channel import channel_message
from bot.render.components import GOLD, button, evenly, fits, per_row, width
from bot.render.custom_ids import Press, Verb
from bot.render.hand import hand_panel
from bot.tables.stored import Stop
from bot.views.values import BetweenRoundsView, HandView, LobbyView, ResultView, TableHead
from engine.layout import (
    Act,
    CardRow,
    Cards,
    CardView,
    Chips,
    Choice,
    Control,
    Headline,
    Laid,
    Layout,
    Line,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
    Standing,
    Suit,
    Tally,
    Trick,
)
from engine.players.levels import Level
from tests.render import matches, samples
from tests.render.limits import BUTTON, SELECT, check, labels, parts, presses, rows, text
from tests.render.matches import positions, tables

EN = texts("en")
COLOURS = "RYGBPS"
LATEST = QuestionId(999_999_999)
PRIMARY, SECONDARY, SUCCESS, DANGER = 1, 2, 3, 4
NASTY = (samples.NASTY,) * 6
TEAMS = (0, 1, 0, 1)
KAISER = samples.head(4, game="kaiserspiel")
PAIRS = samples.head(4, game="kaiserspiel", teams=TEAMS)


def hand(
    controls: Sequence[Control],
    *,
    head: TableHead | None = None,
    cards: Sequence[str] = (),
    question: QuestionId | None = LATEST,
    standing: bool = False,
) -> HandView:
    """A panel with everything above its controls that a trick game can show."""
    head = head or samples.head(6, NASTY, game="sticheln")
    fact = Phrase("unwanted", {"suit": Suit("P"), "number": 14})
    seats = tuple(SeatView(n, 15, -99, ("to_act",), (fact,)) for n in range(len(head.sitters)))
    laid = tuple(Laid(seat.seat, "P14", ("winning",)) for seat in seats[:-1])
    last = Trick("last", laid)
    row = tuple(CardView(card, card[0], ("playable",)) for card in cards)
    blocks = (
        Headline(Phrase("you_follow")),
        Chips((Phrase("led", {"suit": Suit("S")}),)),
        Trick("current", laid, (len(seats) - 1,)),
        Tally((1, 9, None, None), 10, 24),
        SeatRow(seats),
        Line(Phrase("you_lead")),
        CardRow("open", row[:4]),
        CardRow("hand", row),
        Line(Phrase("round_of", {"number": 40, "rounds": 40}), "small"),
    )
    return HandView(
        head=head, layout=Layout(blocks, tuple(controls), (last,)), seat=0, question=question,
        pause=None, board=(samples.CHANNEL, samples.BOARD),
        notice="Why that cannot be. " * 5, standing=standing, deal=40,
    )  # fmt: skip


def plays(cards: Sequence[str], how: str = "") -> tuple[Act, ...]:
    return tuple(Act(f"play {card}{how}", cards=(card,), group=card[0]) for card in cards)


def dealt(sizes: Sequence[int]) -> list[str]:
    """So many cards of each colour, with the longest numbers."""
    numbered = zip(COLOURS, sizes, strict=False)
    return [f"{suit}{14 - n}" for suit, size in numbered for n in reversed(range(size))]


def splits(total: int, parts_: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to split a hand among suits, the longer ones first."""
    if parts_ == 1:
        if total <= most:
            yield (total,)
        return
    for first in range(min(total, most), -1, -1):
        for rest in splits(total - first, parts_ - 1, first):
            yield (first, *rest)


def test_the_worst_deals_of_fifteen_cards_fit() -> None:
    seen = 0
    for sizes in splits(15, 6, 15):
        cards = dealt(sizes)
        check(hand_panel(hand(plays(cards), cards=cards), EN))
        seen += 1
    assert seen > 100


def test_a_whole_hand_is_a_row_or_rows_for_each_suit() -> None:
    cards = dealt((7, 4, 0, 0, 2, 0))
    panel = hand_panel(hand(plays(cards), cards=cards), EN)
    labelled = [[one["label"] for one in row if "custom_id" in one] for row in rows(panel)]
    suits = [row for row in labelled if row and row[0][-1].isdecimal()]
    assert [label for row in suits for label in row] == [EN.card("sticheln", c) for c in cards]
    for row in suits:
        assert len({label[0] for label in row}) == 1
    by_suit = [[len(row) for row in some] for _, some in groupby(suits, key=lambda r: r[0][0])]
    assert by_suit == [[4, 3], [4], [2]]
    styles = {part["style"] for part in parts(panel, BUTTON) if part["label"][-1].isdecimal()}
    assert styles == {PRIMARY}


def test_suits_of_a_hand_that_would_be_too_many_rows_share_them() -> None:
    cards = dealt((4, 3, 2, 2, 2, 1))
    panel = hand_panel(hand(plays(cards), cards=cards), EN)
    labelled = [[one["label"] for one in row if "custom_id" in one] for row in rows(panel)]
    suits = [row for row in labelled if row and row[0][-1].isdecimal()]
    assert [label for row in suits for label in row] == [EN.card("sticheln", c) for c in cards]
    assert [len(row) for row in suits] == [4, 4, 3, 3]


def test_few_cards_stand_out_in_words() -> None:
    cards = ["R5", "R11", "R14"]
    panel = hand_panel(hand(plays(cards), cards=cards), EN)
    shown = [part for part in parts(panel, BUTTON) if part["label"].startswith("❤️")]
    assert [part["label"] for part in shown] == ["❤️ red 5", "❤️ red 11", "❤️ red 14"]
    assert {part["style"] for part in shown} == {PRIMARY}


def test_the_only_card_says_that_it_is_the_only_one() -> None:
    note = Phrase("you_lead")
    act = Act("play R5", cards=("R5",), group="R", notes=(note,))
    assert f"-# {EN.phrase('sticheln', note)}" in text(hand_panel(hand([act]), EN)).splitlines()


def test_words_with_a_price_have_the_games_colours_and_room() -> None:
    accept = Act("accept", Phrase("accept", {"value": 16}), style="success")
    resign = Act("resign", Phrase("resign", {"value": 13}), style="danger")
    standing = Standing(Phrase("standing"), Phrase("standing_undo"), Phrase("standing_means"))
    view = hand([accept, resign, standing], head=KAISER)
    panel = hand_panel(view, EN)
    check(panel)
    styles = {part["label"]: part["style"] for part in parts(panel, BUTTON)}
    assert styles["Accept: play for 16"] == SUCCESS
    assert [styles[label] for label in styles if label.startswith("Resign")] == [DANGER]
    for row in rows(panel):
        assert not {"Accept: play for 16", "To the table"} <= {one["label"] for one in row}


# Choices beside cards


def test_how_cards_are_played_otherwise_is_a_button_beside_them_and_asks_which() -> None:
    acts = plays(["R5", "Y3"])
    down = Choice("down", Phrase("you_lead"), 2, plays(["R5", "Y3"], " down"), how=Phrase("goal"))
    view = hand([*acts, down], cards=["R5", "Y3"])
    panel = hand_panel(view, EN)
    check(panel)
    assert not parts(panel, SELECT)
    (press,) = [one for one in presses(panel).values() if one.argument == "down"]
    assert (press.verb, press.question) == (Verb.OPEN, view.question)
    opened = presses(hand_panel(replace(view, opened="down"), EN))
    assert [one.argument for one in opened.values() if one.verb is Verb.ACT] == [
        "play R5 down",
        "play Y3 down",
    ]
    one = hand([acts[0], replace(down, acts=down.acts[:1], count=1)], cards=["R5"])
    named = [one.argument for one in presses(hand_panel(one, EN)).values()]
    assert "down" in named, "its card alone would not say how it is played"


# The standing pass


@pytest.mark.parametrize("question", [None, 7])
@pytest.mark.parametrize(
    ("standing", "label", "argument"), [(False, "standing", "1"), (True, "standing_undo", "0")]
)
def test_passing_for_the_whole_deal_can_be_switched_at_any_time(
    question: QuestionId | None, standing: bool, label: str, argument: str
) -> None:
    control = Standing(Phrase("standing"), Phrase("standing_undo"), Phrase("standing_means"))
    view = hand([control], head=KAISER, question=question, standing=standing)
    panel = hand_panel(view, EN)
    check(panel)
    said = EN.phrase("kaiserspiel", Phrase(label), plain=True)
    means = EN.phrase("kaiserspiel", Phrase("standing_means"))
    assert (means in text(panel)) == (standing and question is None)
    if question is None:
        assert labels(panel)[0] != "Refresh", "cards come there, and a press may be late"
    # A panel that asks nothing names its deal, so that it does not hold for another one.
    number = 41 if question is None else question
    assert presses(panel)[said] == Press(Verb.STANDING, samples.TABLE, QuestionId(number), argument)
    other = "standing" if standing else "standing_undo"
    assert EN.phrase("kaiserspiel", Phrase(other), plain=True) not in labels(panel)
    only_back = replace(
        view, layout=replace(view.layout, controls=(replace(control, offered=False),))
    )
    assert (said in labels(hand_panel(only_back, EN))) == standing, "it is not offered, only told"


@pytest.mark.parametrize(("lies", "code"), [(False, "turn.passing"), (True, "turn.not_you")])
def test_whoever_may_yet_lead_is_not_told_that_there_is_nothing_to_decide(
    lies: bool, code: str
) -> None:
    seats = (SeatView(0, 3, 0, ("self", *(["lies"] if lies else []))), SeatView(1, 2, 0, ()))
    control = Standing(Phrase("standing"), Phrase("standing_undo"), Phrase("standing_means"))
    view = hand([control], head=KAISER, question=None, standing=True)
    view = replace(view, layout=replace(view.layout, blocks=(SeatRow(seats),)))
    assert text(hand_panel(view, EN)).startswith(f"## {EN.get(code)}")
    # Once nothing is passed any more in this deal, there will be something to decide.
    view = replace(view, layout=replace(view.layout, controls=()))
    assert text(hand_panel(view, EN)).startswith(f"## {EN.get('turn.not_you')}")
    assert EN.get("hand.passing") not in text(hand_panel(view, EN))


def test_it_is_not_offered_to_whom_it_would_spare_nothing() -> None:
    label = EN.phrase("kaiserspiel", Phrase("standing"), plain=True)
    for alone in (True, False):
        phrases = (Phrase("standing"), Phrase("standing_undo"), Phrase("standing_means"))
        view = hand([Standing(*phrases, alone=alone)], head=KAISER)
        assert label in labels(hand_panel(view, EN))
        view = replace(view, in_company=False)
        assert (label in labels(hand_panel(view, EN))) == alone


def test_cards_and_words_that_answer_a_question_stand_in_one_row() -> None:
    acts = [Act("kaiser RB", Phrase("raise", {"value": 2})), Act("pass", Phrase("pass"))]
    card = replace(acts[0], cards=("RB",))
    shown = rows(hand_panel(hand([card, acts[1]], head=KAISER), EN))
    assert [one["label"] for one in shown[0]][1:] == ["Pass"]


# What stands out


def test_cards_that_can_be_played_stand_out() -> None:
    row = (
        CardView("R3", "R"),
        CardView("R9", "R", ("playable",)),
        CardView("RB", "R", ("kaiser",)),
        CardView("S5", "S"),
        CardView("A1", "A", ("playable",)),
    )
    view = replace(hand([]), head=KAISER, layout=Layout((CardRow("hand", row),)))
    lines = text(hand_panel(view, EN)).splitlines()
    assert "🌹 **R** │ 3 **9** B♛" in lines
    assert "-# 🛡️ **S** │ 5" in lines
    assert "🌰 **A** │ 1" in lines
    assert "-# ♛ Kaiser" in lines


@pytest.mark.parametrize(("question", "steps_back"), [(LATEST, True), (None, False)])
def test_groups_of_which_nothing_can_be_played_step_back_while_a_card_is_asked_for(
    question: QuestionId | None, steps_back: bool
) -> None:
    layout = Layout((CardRow("hand", (CardView("R3", "R"), CardView("S5", "S"))),))
    view = replace(hand([], question=question), head=KAISER, layout=layout)
    groups = [line for line in text(hand_panel(view, EN)).splitlines() if "│" in line]
    assert [line.startswith("-# ") for line in groups] == [steps_back] * 2


def test_a_card_that_lies_face_down_is_seen_only_by_its_owner() -> None:
    laid = (Laid(0, "R5"), Laid(1, "", ("kaiser",)), Laid(2, "S3", ("down",)))
    seats = SeatRow(tuple(SeatView(seat, 5, 0) for seat in range(4)))
    layout = Layout((Trick("current", laid, (3,)), seats))
    shown = text(hand_panel(replace(hand([]), layout=layout, head=KAISER), EN)).splitlines()
    assert shown[-5:-1] == [
        "Ann: 1.\u00a0🌹\u20605 · 5 cards",
        "Ben: 2.\u00a0🎴♛ · 5 cards",
        "Cat: 3.\u00a0🎴🛡️\u20603 · 5 cards",
        "Dan: 5 cards",
    ]


def test_the_colour_of_a_panel_follows_the_trump() -> None:
    red = Layout((Chips((Phrase("led", {"suit": Suit("R")}),)),))
    assert accent(red, "sticheln", EN) == 0xB83A00
    assert accent(Layout((Headline(Phrase("x"), "▲"), *red.blocks)), "sticheln", EN) not in (
        0xB83A00,
        GOLD,
    )
    assert accent(red, "kaiserspiel", EN) == GOLD
    assert accent(Layout((Chips((Phrase("x", {"cards": Cards(("R5",))}),)),)), "sticheln", EN) == (
        GOLD
    )


# Several actors, and who sits where


def test_the_headline_names_all_for_whom_the_table_waits_and_who_plays_for_them() -> None:
    board = samples.some_board()
    several = replace(board, actors=(0, 2), question=None)
    assert text(channel_message(several, EN)).startswith("## Waiting for Ann and Cat: ")
    away = replace(several, head=samples.head(3, free=(2,), away=(0,)))
    first = text(channel_message(away, EN)).splitlines()[0]
    assert first.startswith("## Waiting for Ann (stand-in) and Seat 3 (stand-in): ")
    alone = replace(board, head=away.head, actors=(0,))
    assert text(channel_message(alone, EN)).startswith("## Ann's turn (stand-in): ")


def test_teams_stand_together_with_their_points() -> None:
    seats = tuple(
        SeatView(seat, 5, 12 - seat % 2 * 5, ("self",) if seat == 1 else (), (), seat % 2)
        for seat in range(4)
    )
    board = samples.some_board(head=PAIRS, layout=Layout((SeatRow(seats),)))
    lines = text(channel_message(board, EN)).splitlines()
    at = lines.index("🟦 **Team 2** · 7 points")
    assert lines[at : at + 6] == [
        "🟦 **Team 2** · 7 points",
        "2 Ben: you · 5 cards",
        "4 Dan: 5 cards",
        "🟧 **Team 1** · 12 points",
        "1 Ann: 5 cards",
        "3 Cat: 5 cards",
    ]


def test_a_pause_counts_a_team_once() -> None:
    pause = BetweenRoundsView(QuestionId(9), 1, (0, 4, 0, 4), (12, 9, 12, 9), frozenset(), None)
    view = replace(hand([], head=PAIRS), pause=pause, layout=Layout(()), notice=None)
    lines = text(hand_panel(view, EN)).splitlines()
    assert lines[:2] == [
        "**Ann and Cat** · 0 · **12** in all",
        "**Ben and Dan** · +4 · **9** in all",
    ]
    assert presses(hand_panel(view, EN))["Cut"] == Press(Verb.CUT, samples.TABLE)


def lobby(head: TableHead) -> LobbyView:
    return LobbyView(head, 4, False, samples.NOW)


def test_the_lobby_of_a_team_game_shows_the_teams_and_lets_the_host_swap() -> None:
    head = samples.head(4, free=(1, 3), game="kaiserspiel", teams=TEAMS)
    message = channel_message(lobby(head), EN)
    check(message)
    lines = text(message).splitlines()
    at = lines.index("**Team 1**")
    assert lines[at : at + 6] == [
        "**Team 1**",
        "1 · **Ann** · host",
        "3 · **Cat**",
        "**Team 2**",
        "2 · *free seat*",
        "4 · *free seat*",
    ]
    (select,) = parts(message, SELECT)
    assert [(o["label"], o.get("description")) for o in select["options"]] == [
        ("Seat 1 · Team 1", "The host may swap seats with Ann"),
        ("Seat 2 · Team 2", None),
        ("Seat 3 · Team 1", "The host may swap seats with Cat"),
        ("Seat 4 · Team 2", None),
    ]
    assert [o["value"] for o in select["options"]] == [
        f"0|{head.sitters[0].user}",
        "1",
        f"2|{head.sitters[2].user}",
        "3",
    ], "whom the host is shown"


def test_where_the_lot_decides_who_plays_with_whom_no_lobby_names_teams() -> None:
    head = samples.head(4, free=(1,), game="kaiserspiel", teams=TEAMS)
    message = channel_message(replace(lobby(head), customs=(("drawn", True),)), EN)
    lines = text(message).splitlines()
    at = lines.index("1. **Ann** · host")
    assert lines[at + 1 : at + 4] == ["2. *free seat*", "3. **Cat**", "4. **Dan**"]
    assert "Team" not in text(message)
    (select,) = parts(message, SELECT)
    assert [o["label"] for o in select["options"]] == ["Seat 2"], "nor is there a swap"


def test_a_full_team_table_can_still_be_swapped_and_names_do_nothing() -> None:
    head = samples.head(4, NASTY, game="kaiserspiel", teams=TEAMS)
    message = channel_message(lobby(head), EN)
    check(message)
    assert len(parts(message, SELECT)) == 1


def test_a_result_ranks_teams() -> None:
    rounds = ((0, 4, 0, 4), (0, 37, 0, 37))
    view = ResultView(
        PAIRS, (0, 41, 0, 41), (3, 1, 3, 1), rounds, None, ("Ann", "Ben", "Cat", "Dan")
    )
    lines = text(channel_message(view, EN)).splitlines()
    assert [line for line in lines if "points" in line] == [
        "🥇 **Ben and Dan** · 41 points",
        "2️⃣ **Ann and Cat** · 0 points",
    ]
    table_of_rounds = lines[lines.index("```") :]
    assert table_of_rounds[:5] == [
        "```",
        "       Ann+Cat    Ben+Dan",
        "1            0         +4",
        "2            0        +37",
        "sum          0         41",
    ]
    assert labels(channel_message(view, EN)) == [
        "Rematch", "Rounds", "Review", "Verify", "⋯",
    ]  # fmt: skip
    stopped = channel_message(replace(view, scores=None, ranking=None, stop=Stop.HOST), EN)
    assert "**Ben and Dan** · 41 points" in text(stopped)


def test_long_words_on_the_board_have_a_row_of_their_own() -> None:
    acts = (
        Act("accept", Phrase("accept", {"value": 7}), style="success"),
        Act("resign", Phrase("resign", {"value": 4}), style="danger"),
    )
    seat = Phrase("leads", {"seat": SeatName(0)})
    board = samples.some_board(head=KAISER, layout=Layout((Headline(seat),), acts))
    message = channel_message(board, EN)
    check(message)
    *_, acts_alone, last = rows(message)
    assert [one["label"] for one in last] == ["My hand", "Log", "⋯"]
    assert len(acts_alone) == 2


def test_a_board_has_no_buttons_for_the_words_of_a_computer_player() -> None:
    """People took them for their own."""
    acts = (Act("pass", Phrase("pass")), Act("threeup", Phrase("threeup", {"value": 7})))
    seat = Phrase("leads", {"seat": SeatName(0)})
    layout = Layout((Headline(seat),), acts)
    for computer, wanted in ((None, 2), (0, 0), (1, 2)):
        sitters = tuple(
            one._replace(computer=Computer(1, Level.EASY) if one.seat == computer else None)
            for one in KAISER.sitters
        )
        head = replace(KAISER, sitters=sitters)
        board = samples.some_board(head=head, layout=layout, actors=(0,))
        found = presses(channel_message(board, EN)).values()
        assert sum(press.verb is Verb.ACT for press in found) == wanted


def test_what_is_all_that_can_be_done_is_as_bright_as_a_card() -> None:
    seen = set()
    for table in tables():
        for position in positions(str(table), 3)[::3]:
            for seat in table.game.actors(position.state):
                if seat < 0 or table.game.round_scores(position.state) is not None:
                    continue
                view = matches.hand(table, position.state, seat)
                controls = view.layout.controls
                only = [one for one in controls if isinstance(one, Act | Choice)]
                if len(only) > 1 or not isinstance(only[0], Act):
                    continue
                found = [
                    part["style"]
                    for part in parts(hand_panel(view, EN), BUTTON)
                    if (press := Press.decode(part.get("custom_id", ""))) is not None
                    and press.verb is Verb.ACT
                ]
                assert len(found) == 1
                assert found != [SECONDARY]
                seen.add(only[0].action.partition(" ")[0])
    assert {"pass", "play"} <= seen


# Measures


def test_an_emoji_is_as_wide_as_it_was_measured() -> None:
    assert 57 * 0.9 <= width("❤️5") - 8 <= 65
    assert width("❤️5") == width("🍇5") == width(EN.card("sticheln", "P5"))


@pytest.mark.parametrize(
    ("label", "most"),
    [
        ("Y3", 5), ("6 · 3", 4), ("3-6 4-6", 3), ("6-6×2 6-8 6-9", 4), ("❤️5", 4), ("❤️12", 3),
        ("❤️ yellow 12", 4), ("🌹 Banner of the roses", 3),
    ],
)  # fmt: skip
def test_rows_break_evenly_on_a_phone(label: str, most: int) -> None:
    assert per_row(map(width, [label] * 9)) == most


def test_rows_are_split_evenly() -> None:
    assert [len(row) for row in evenly(range(7), 4)] == [4, 3]
    assert [len(row) for row in evenly(range(9), 4)] == [3, 3, 3]
    assert [len(row) for row in evenly(range(4), 4)] == [4]
    assert evenly([], 4) == []


def test_a_row_fits_a_phone_or_is_no_row() -> None:
    """245 px, as measured: `[My hand] [Pass] [Log] [⋯]` stand beside each other."""
    row = [button(label, Press(Verb.NONE)) for label in ("My hand", "Pass", "Log", "⋯")]
    assert fits(row)
    assert not fits([*row, button("Verify", Press(Verb.NONE))])
    assert not fits([button("x", Press(Verb.NONE))] * 6)
