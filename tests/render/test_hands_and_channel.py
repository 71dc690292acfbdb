"""Every view within Discord's limits, and what people must find on it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.i18n import rules_pages, texts
from bot.ids import QuestionId, UserId
from bot.render import leaderboard, pages, stats
from bot.render.cards_form import combine_modal, read_combine
from bot.render.channel import channel_message
from bot.render.coaching import hint_aid, hint_lines, hint_page
from bot.render.components import GAP, PHONE, width
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import read_cut
from bot.render.hand import hand_panel
from bot.render.message import picture_file
from bot.render.options_form import Filled, read_options
from bot.tables.ending import Leaving, Removal
from bot.tables.ports import LeaderLine, Order, Period
from bot.tables.ratings import Rating
from bot.tables.stored import Pace, Stop
from bot.views.hinting import HintView, Shares
from bot.views.values import (
    BetweenRoundsView,
    ChannelView,
    HandView,
    KickView,
    LeaderboardView,
    Length,
)
from engine.layout import (
    Act,
    CardRow,
    Cards,
    CardView,
    Choice,
    Laid,
    Layout,
    Phrase,
    SeatName,
    Trick,
)
from engine.registry import games
from tests.render import samples
from tests.render.limits import SELECT, buttons, check, labels, parts, presses, rows, sent, text

EN, DE, FR = texts("en"), texts("de"), texts("fr")
PICTURE = picture_file(b"what is drawn")

FOLLOWING_SIX = samples.find(
    lambda layout: (
        sum(isinstance(c, Act) and bool(c.cards) for c in layout.controls) == 6
        and any(isinstance(c, Act) and c.action == "pass" for c in layout.controls)
    )
)


@pytest.mark.parametrize("view", samples.worst_hands().values(), ids=samples.worst_hands().keys())
def test_the_largest_hands_fit(view: HandView) -> None:
    check(hand_panel(view, EN))


@pytest.mark.parametrize(
    "view", samples.worst_channel().values(), ids=samples.worst_channel().keys()
)
def test_the_largest_channel_messages_fit(view: ChannelView) -> None:
    check(channel_message(view, EN))
    check(channel_message(view, EN, farewell=True))
    check(channel_message(view, EN, watched=True))


def test_pages_fit() -> None:
    head = samples.head(4, (samples.NASTY,) * 4)
    told = [Phrase("played", {"seat": SeatName(0), "cards": "q" * 90})] * 200
    for view in (
        leaderboard.leaderboard_page(samples.leaderboard(games=("aufundab",)), EN),
        leaderboard.leaderboard_page(
            samples.leaderboard(game=None, games=(), lines=(), page=0, pages=1, my_place=None), EN
        ),
        stats.stats_page(samples.stats(), EN),
        pages.log_page(head, told, None, EN, over=False),
        pages.log_page(head, (), None, EN, over=True),
        pages.more_page(head, (), EN, seated=True, ends=True),
        pages.more_page(head, (), EN, seated=False, ends=False),
        *(pages.confirm_leave(head, means, EN) for means in Leaving),
        pages.confirm_end(head, None, timedelta(hours=12), EN),
        pages.confirm_end(head, (1, 3), timedelta(hours=12), EN),
        pages.confirm_start(head, "0123", EN),
        *(
            pages.confirm_kick(KickView(head, UserId(100), 0, "", means, votes), EN)
            for means in Removal
            for votes in [(1, 3) if means is Removal.VOTE else None]
        ),
        pages.note("One sentence."),
        pages.greeting(head, EN),
        *(pages.rules_page("aufundab", number, EN) for number in range(-1, 12)),
    ):
        check(view)


def test_names_neither_format_nor_mention() -> None:
    for view in samples.worst_channel().values():
        shown = text(channel_message(view, EN))
        assert "@everyone" not in shown
        assert "<@1>" not in shown.replace("\\<@", "")
        assert "://" not in shown.replace("https://discord.com", "")
        assert "\u202e" not in shown


# What is on it


def test_a_double_that_counts_two_is_told_from_one_that_counts_one() -> None:
    act = Act("play 6-6x2 6-8", cards=("6-6", "6-8"))
    other = Act("play 6-6 6-8", cards=("6-6", "6-8"))
    view = replace(samples.worst_hands()["ten sets"], layout=samples.worst_layout((act, other)))
    assert {"6‑6×2 6‑8", "6‑6 6‑8"} <= set(labels(hand_panel(view, EN)))


def test_a_choice_opens_buttons_a_select_or_a_form() -> None:
    hands = samples.worst_hands()
    few, many = hands["few opened"], hands["many opened"]
    assert len(buttons(hand_panel(few, EN), Verb.ACT)) == 10
    (select,) = parts(hand_panel(many, EN), SELECT)
    assert [option["value"] for option in select["options"]] == [
        act.action for act in samples.sets(25)
    ]
    assert Press.decode(select["custom_id"]) == Press(Verb.ACT, samples.TABLE, many.question)
    form = presses(hand_panel(hands["form"], EN))
    assert Press(Verb.COMBINE, samples.TABLE, many.question, "form") in form.values()


def test_a_second_step_that_is_gone_shows_the_first() -> None:
    state, seat = FOLLOWING_SIX
    view = samples.hand_view(state, seat)
    assert (
        hand_panel(replace(view, opened="gone"), EN).components == hand_panel(view, EN).components
    )


def test_whoever_is_not_asked_can_only_look() -> None:
    state, seat = FOLLOWING_SIX
    panel = hand_panel(samples.hand_view(state, (seat + 1) % 3), EN)
    assert {press.verb for press in presses(panel).values()} == {
        Verb.HAND, Verb.STANDING, Verb.MORE, Verb.RULES,
    }  # fmt: skip
    assert "To the table" in labels(panel)


def test_the_form_asks_for_cards_and_the_double_and_is_read_back() -> None:
    view = samples.worst_hands()["form"]
    form = combine_modal(view, "form", EN).to_dict()
    assert len(form["title"]) <= 45
    assert Press.decode(form["custom_id"]) == Press(
        Verb.COMBINE, samples.TABLE, view.question, "form"
    )
    boxes, radio = (label["component"] for label in form["components"])
    assert [label["label"] for label in form["components"]] == [
        "Choose 1 to 10 cards", "Does the double count as one or two?",
    ]  # fmt: skip
    assert (boxes["type"], boxes["min_values"], boxes["max_values"]) == (22, 1, 10)
    assert [option["value"] for option in boxes["options"]] == list(samples.cards(10))
    assert radio["type"] == 21
    assert [option["default"] for option in radio["options"]] == [True, False]
    for answer, flags in (("yes", frozenset({"double_counts_two"})), ("no", frozenset[str]())):
        fields = [
            {"type": 18, "component": {"custom_id": boxes["custom_id"], "values": ["0-0", "0-3"]}},
            {"type": 18, "component": {"custom_id": radio["custom_id"], "value": answer}},
        ]
        assert read_combine(sent(fields)) == (("0-0", "0-3"), flags)


@pytest.mark.parametrize(
    "junk",
    [
        [], [{}], [{"component": {"custom_id": "other", "value": "x"}}],
        [{"component": {"custom_id": "cards:0"}}],
    ],
)  # fmt: skip
def test_a_form_that_says_nothing_is_nothing(junk: list[dict[str, object]]) -> None:
    assert read_combine(sent(junk)) == ((), frozenset())
    assert read_options(sent(junk)) == Filled({}, {}, frozenset())
    assert read_cut(sent(junk)) == ""


def test_a_form_for_a_choice_that_is_gone_is_refused() -> None:
    with pytest.raises(LookupError):
        combine_modal(samples.worst_hands()["form"], "gone", EN)


def test_a_pass_stands_on_the_board_for_the_only_actor() -> None:
    state, _ = FOLLOWING_SIX
    view = samples.board_view(state)
    board = channel_message(view, EN)
    assert labels(board) == ["My hand", "Pass", "Log", "⋯"]
    assert presses(board)["Pass"] == Press(Verb.ACT, samples.TABLE, view.question, "pass")
    silent = channel_message(replace(view, question=None), EN)
    assert labels(silent) == ["My hand", "Log", "⋯"]


@pytest.mark.parametrize("seated", [True, False])
def test_behind_the_dots_is_the_last_trick_and_rows_that_a_phone_does_not_break(
    seated: bool,
) -> None:
    trick = Trick("last", (Laid(0, "3-6"), Laid(1, "4-6", ("winning",))))
    page = pages.more_page(samples.head(), (trick,), EN, seated=seated, ends=seated)
    check(page)
    assert text(page).splitlines()[0] == "Last trick: Ann:\u00a03‑6 · **Ben:\u00a04‑6**"
    french = "Dernier pli\u00a0: Ann\u00a0:\u00a03‑6 · **Ben\u00a0:\u00a04‑6**"
    in_french = pages.more_page(samples.head(), (trick,), FR, seated=seated, ends=seated)
    assert text(in_french).splitlines()[0] == french
    assert ("Leave…" in labels(page)) == ("End…" in labels(page)) == seated
    assert presses(page)["Verify"] == Press(Verb.VERIFY, samples.TABLE, argument="0")
    for row in rows(page):
        assert sum(width(one["label"]) for one in row) - GAP <= PHONE


def test_whoever_is_asked_reads_who_took_the_trick_before_however_far_this_one_is() -> None:
    """Also where the cards of others lie there already."""
    why = Phrase("won_trump", {"seat": SeatName(1), "cards": Cards(("R5",))})
    last = Trick("last", (Laid(0, "AK"), Laid(1, "R5", ("winning",))), reason=why)
    now = Trick("current", (Laid(1, "A2"), Laid(2, "A3"), Laid(3, "A4")), (0,))
    pairs = samples.head(4, game="kaiserspiel", teams=(0, 1, 0, 1))
    view = HandView(pairs, Layout((now,), (), (last,)), 0, QuestionId(4), None, None)
    said = "Last trick: Ben wins it"
    assert said in text(hand_panel(view, EN, picture_file(b"a hand")))
    others = replace(view, question=None)
    assert said not in text(hand_panel(others, EN, picture_file(b"a hand")))


def test_a_hint_says_throw_out_of_what_is_thrown_out() -> None:
    head, pack = samples.head(4, game="kaiserspiel"), frozenset({"AK", "AO"})
    view = HintView(head, Layout(()), pack, "discard AK AO")
    assert "I would throw out **" in text(hint_page(view, EN))
    assert "Throw out **" in text(hint_page(replace(view, figure=1.0), EN))


def test_a_hint_says_which_way_a_card_is_played() -> None:
    """Face down it is the same card."""
    head, pack = samples.head(4, game="kaiserspiel"), frozenset({"AK", "AO"})
    acts = [Act(f"play {card}", cards=(card,)) for card in ("AK", "AO")]
    down = (Act("play AK down", cards=("AK",)),)
    how = Phrase("face_down")
    menu = Choice("down", Phrase("play_down"), 1, down, how=how)
    view = HintView(
        head, Layout((), (*acts, menu)), pack, "play AK down", 4.7, (), (("play AK", 4.2),)
    )
    said, figures = text(hint_page(view, EN)).splitlines()
    assert "K (face down)**" in said
    assert "K (+4.2)" in figures


@pytest.mark.parametrize(("decided", "who"), [("won", "your pair"), ("lost", "the other pair")])
def test_a_hint_says_when_the_round_is_decided(decided: Any, who: str) -> None:
    """A bare "0%" looks like a mistake."""
    head, pack = samples.head(4, game="kaiserspiel"), frozenset({"AK", "AO"})
    view = HintView(
        head, Layout(()), pack, "play AK", 0.0, ("play AO",), (), "pair", decided=decided
    )
    said = text(hint_page(view, EN))
    assert f"In every deal I tried, {who} wins the round" in said
    assert "0%" not in said
    said = text(hint_page(replace(view, decided=None, figure=0.004), EN))
    assert "Whatever you play, this round can hardly be won any more." in said


def _compared(*shares: Any, **more: Any) -> HintView:
    head, pack = samples.head(4, game="sticheln"), frozenset({"R1", "R2"})
    reasons = (Phrase("advice_wins_so_far"), Phrase("advice_zero"))
    return HintView(
        head, Layout(()), pack, "play R1", 1.2, (), (("play R2", 0.4),),
        reasons=reasons, shares=Shares(*shares), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("of", "english", "german", "french"),
    [
        ("trick", "You win this trick in", "geht dieser Stich an dich", "Tu gagnes ce pli dans"),
        ("pair", "Your pair wins this trick in", "Stich an euer Team", "équipe gagne ce pli dans"),
        ("series", "this series is yours in", "diese Serie am Ende an dich", "cette série dans"),
        ("round", "Your pair wins the round in", "gewinnt euer Team die Runde", "la manche dans"),
    ],
)
def test_a_hint_says_how_often_it_takes_what_is_played_for(
    of: Any, english: str, german: str, french: str
) -> None:
    """Where all reasons hold for both cards, these figures say why this one."""
    for words, said in ((EN, english), (DE, german), (FR, french)):
        *_, line = hint_lines(_compared(of, 0.744, 0.51), words)
        assert all(part in line for part in (said, "74", "51"))


def test_a_hint_says_that_it_knows_where_the_next_best_wins_the_round_more_often() -> None:
    *_, line = hint_lines(_compared("round", 0.51, 0.744, True), EN)
    assert "pair wins the round in 51%" in line
    assert "in 74%), but the points at stake matter more." in line
    for words in (DE, FR):
        *_, line = hint_lines(_compared("round", 0.51, 0.744, True), words)
        assert all(part in line for part in ("51", "74"))


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (
            ("round", 0.29, 0.0, False, "other"),
            "Your pair wins the round in 29% of the deals I tried.",
        ),
        (
            ("round", 0.0, 0.09, True, "best"),
            "If you accepted, your pair would win the round in 9% of the deals I tried.",
        ),
        (
            ("series", 0.62, 0.0, False, "other"),
            "In the end this series is yours in 62% of the deals I tried.",
        ),
    ],
)
def test_a_hint_does_not_say_that_who_gives_up_wins_in_no_deal(
    shares: tuple[Any, ...], said: str
) -> None:
    *_, line = hint_lines(_compared(*shares), EN)
    assert line == said


def test_a_hint_names_what_is_as_good_and_gives_figures_of_what_is_not() -> None:
    rivals = (("play R2", 0.4), ("choose", -2.0))
    view = replace(_compared("trick", 0.7, 0.5), close=("play R3", "play R4"), rivals=rivals)
    _, line, *_ = hint_lines(replace(view, pack=frozenset({"R1", "R2", "R3", "R4"})), EN)
    worse = r"\+1\.2 points\. Worse: .*2 \(\+0\.4\) and choose \(−2\.0\)\."
    assert re.search(rf"{worse} About as good: .*3 · .*4\.$", line)
    alike = (("play R2", 0.4), ("play R3", 0.41), ("choose", -2.0))
    _, line, *_ = hint_lines(replace(view, rivals=alike), EN)
    assert line.count("+0.4") == 1, "the next tells no more"
    assert "choose" in line
    _, line, *_ = hint_lines(replace(view, rivals=(), shares=None), EN)
    assert "+1.2 points. About as good: " in line


def test_a_hint_gives_the_figure_of_the_best_of_another_suit_too() -> None:
    """People ask for it: the next best are often neighbours of the best."""
    cards = ("R1", "R2", "R3", "R4", "Y5")
    row = CardRow("hand", tuple(CardView(card, card[0]) for card in cards))
    rivals = (("play R2", 0.4), ("play R3", 0.3), ("play R4", 0.2), ("play Y5", -1.0))
    view = replace(
        _compared("trick", 0.7, 0.5), layout=Layout((row,)), pack=frozenset(cards), rivals=rivals
    )
    _, line, *_ = hint_lines(view, EN)
    assert re.search(r"2 \(\+0\.4\), .*3 \(\+0\.3\), and .*5 \(−1\.0\)\.$", line)
    _, line, *_ = hint_lines(replace(view, rivals=rivals[1:]), EN)
    assert re.search(r"3 \(\+0\.3\), .*4 \(\+0\.2\), and .*5 \(−1\.0\)\.$", line)


@pytest.mark.parametrize(("decided", "said"), [(None, True), ("won", True), ("lost", False)])
def test_a_hint_says_that_any_card_is_as_good_instead_of_all_their_names(
    decided: Any, said: bool
) -> None:
    """Where the round is lost anyway, it has said so already."""
    view = replace(_compared("pair", 0.7, 0.5), rivals=(), shares=None, close=("play R2",))
    lines = [*hint_lines(replace(view, counts="pair", even=True, decided=decided), EN)]
    line = " ".join(lines[:3])
    assert ("Any card is about as good as any other" in line) is said
    assert "About as good: " not in line
    assert ("Play " in line) is not said
    aid = hint_aid(replace(view, counts="pair", even=True, decided=decided), lines)
    assert (aid.action is None) is said, "no button is green either"


@pytest.mark.parametrize(
    ("rivals", "said"),
    [
        ((), "at least as much for **"),
        ((("play R2", 0.4),), "but with less success in the deals I tried."),
    ],
)
def test_a_reason_that_holds_for_another_says_what_tells_them_apart(
    rivals: tuple[tuple[str, float], ...], said: str
) -> None:
    view = replace(
        _compared("trick", 0.7, 0.5), alike=("play R2",), close=("play R2",), rivals=rivals
    )
    first, *_ = hint_lines(view, EN)
    assert said in first


def test_where_nothing_speaks_for_a_card_its_figures_say_why() -> None:
    view = replace(_compared("pair", 0.7, 0.5), rivals=(), shares=None, reasons=())
    first, *_ = hint_lines(replace(view, counts="pair", decided="lost"), EN)
    assert first.endswith("the other pair wins the round, whatever you play.")


def test_a_word_counts_in_matches() -> None:
    view = replace(_compared("round", 0.7, 0.5), counts="match", figure=0.62)
    _, line, *_ = hint_lines(replace(view, rivals=(("resign", 0.5),)), EN)
    assert "in any rounds that follow, your pair wins the match in about 62%. " in line
    assert line.endswith("Worse: resign (50%).")


def test_a_hint_has_five_lines_at_most() -> None:
    view = _compared("trick", 0.744, 0.51, alike=("play R2",), taken=1, uncounted=True)
    lines = list(hint_lines(view, EN))
    assert len(lines) == 4, "and one above them"
    assert "at least as much for **" in lines[0], (
        "what speaks for both is told: without one it is odd"
    )
    assert len(list(hint_lines(replace(view, alike=()), EN))) == 4
    lines = list(hint_lines(replace(view, shares=None), EN))
    assert len(lines) == 4
    assert "at least as much for **" in lines[0]


@pytest.mark.parametrize(
    ("taken", "figure", "told"),
    [(1, 1.2, False), (2, 1.2, True), (3, 1.2, False), (2, None, False)],
)
def test_the_second_hint_of_a_match_says_what_figures_are_and_the_first_what_it_costs(
    taken: int, figure: float | None, told: bool
) -> None:
    *_, last = hint_lines(replace(_compared("trick", 0.7, 0.5, taken=taken), figure=figure), EN)
    assert last.startswith("-# Hint")
    assert ("I deal the cards you can't see at random" in last) == told
    assert ("It costs you nothing." in last) == (taken == 1)


@pytest.mark.parametrize(
    ("taken", "figure", "told"),
    [(1, 0.08, True), (2, 0.08, True), (3, 0.08, False), (1, 0.001, False), (1, None, False)],
)
def test_the_first_hints_say_what_an_even_share_of_rounds_would_be(
    taken: int, figure: float | None, told: bool
) -> None:
    """8 % is bad with three players, and worse with two; of no share there is nothing to say."""
    view = replace(_compared("series", 0.7, 0.5, taken=taken), figure=figure, counts="won")
    seats = len(view.head.names)
    *_, last = hint_lines(view, EN)
    share = f"With {seats} players an even share of rounds would be {round(100 / seats)}%."
    assert (share in last) == told
    *_, points = hint_lines(replace(view, counts="points"), EN)
    assert "even share" not in points


def test_a_figure_that_rounds_to_zero_has_no_sign() -> None:
    for value in (-0.04, 0.04):
        _, line, *_ = hint_lines(replace(_compared("trick", 0.7, 0.5), figure=value), EN)
        assert " 0.0 points" in line
    assert EN.number(-0.4) == "0"


VOTES: dict[str, tuple[dict[str, Any], str, str]] = {
    "pause": ({"rest_votes": (1, 2)}, "⏸️ 1 of 2 votes to pause", "Pause"),
    "resume": ({"rest_votes": (1, 2), "rest": samples.NOW}, "▶️ 1 of 2 votes to resume", "Resume"),
    "end": ({"end_votes": 1, "votes_needed": 2}, "🗳️ 1 of 2 votes to end the match", "End…"),
    "pace": (
        {"paces": ((Pace.DAILY, 1),), "votes_needed": 2},
        "🗳️ 1 of 2 votes for the pace daily (24 h a turn)", "Pace…",
    ),
}  # fmt: skip


@pytest.mark.parametrize("vote", VOTES)
def test_a_vote_under_way_is_a_line_of_the_board_with_its_button(vote: str) -> None:
    more, line, label = VOTES[vote]
    board = replace(samples.some_board(), **more)
    shown = channel_message(board, EN)
    assert line in text(shown).splitlines(), "in print that is not small"
    assert label in labels(shown)
    check(shown)
    watched = channel_message(board, EN, watched=True)
    assert line in text(watched).splitlines()
    assert label not in labels(watched)
    calm = channel_message(samples.some_board(), EN)
    assert label not in labels(calm)


@pytest.mark.parametrize("name", ["lobby", "shuffling", "board", "pause"])
def test_what_somebody_watches_says_that_it_stays_as_it_is(name: str) -> None:
    view = samples.worst_channel()[name]
    said = EN.get("watch.copy")
    watched = channel_message(view, EN, watched=True)
    assert text(watched).count(said) == 1
    assert "Refresh" in labels(watched)
    assert said not in text(channel_message(view, EN))


def test_a_length_stands_on_one_line_with_its_number_of_people() -> None:
    lengths = tuple(Length(seats, seats, {"rounds": seats}) for seats in (3, 4))
    view = samples.lobby_view(head=samples.head(4, game="sticheln"), lengths=lengths)
    said = text(channel_message(view, EN)).splitlines()[2]
    assert " · with\u00a03:\u00a03\u00a0rounds · with\u00a04:\u00a04\u00a0rounds · " in said


def test_the_lobby_starts_from_the_minimum_on() -> None:
    lobby = channel_message(samples.lobby_view(), EN)
    first, second = ("Join", "Leave", "Rules", "Start"), ("Cut", "Add computer", "Options…")
    assert labels(lobby) == [*first, *second, "Shuffle seats"]
    assert "Start" not in presses(lobby)
    assert "-# It takes 3 to start, computer players included." in text(lobby)
    enough = channel_message(samples.lobby_view(head=samples.head(4, free=(3,))), EN)
    assert presses(enough)["Start"].verb is Verb.START
    assert labels(enough)[:5] == ["Join", "Ready", "Leave", "Rules", "Start"]
    assert "-# Start with 3? The cards are dealt once everybody here" in text(enough)
    assert any(line.startswith("-# closes") for line in text(enough).splitlines())
    assert "3–4 players · 4 rounds" in text(lobby)
    assert "1. **Ann** · host" in text(lobby)
    assert "3. *free seat*" in text(lobby)
    (select,) = parts(lobby, SELECT)
    assert [option["value"] for option in select["options"]] == ["2", "3"]


def test_at_a_full_table_everybody_says_that_they_are_ready_and_the_host_may_start() -> None:
    ready = frozenset({UserId(101)})
    full = channel_message(samples.lobby_view(head=samples.head(4), ready=ready), EN)
    assert labels(full)[:2] == ["Ready", "Leave"]
    assert "Start" in labels(full)
    assert "Join" not in labels(full)
    assert "2. **Ben** ✓" in text(full)
    assert "✓" not in text(full).replace("**Ben** ✓", "")
    assert "-# Ready: Ben (1 of 4)" in text(full)
    assert "once everybody has pressed **Ready**" in text(full)
    assert not parts(full, SELECT)


def test_at_a_rematch_and_at_a_planned_table_it_says_what_else_it_waits_for() -> None:
    enough = samples.lobby_view(head=samples.head(4, free=(3,)))
    kept = text(channel_message(replace(enough, kept=samples.NOW), EN))
    assert "pressed **Ready** and no seat is held any more, or when Ann presses" in kept
    assert "closes" not in kept
    for seats, said in (
        (1, "A seat is held for somebody from the last match. It becomes free"),
        (2, "Seats are held for the people from the last match. They become free"),
    ):
        rematch = replace(enough, kept=samples.NOW, kept_seats=seats)
        assert said in text(channel_message(rematch, EN))
    when = f"<t:{int(samples.NOW.timestamp())}:R>"
    planned = channel_message(replace(enough, starts=samples.NOW), EN)
    assert f"-# Starts {when} with whoever has pressed **Ready**, if there are enough" in text(
        planned
    )
    assert "at once when everybody here has" in text(planned)
    held = channel_message(replace(enough, starts=samples.NOW, kept=samples.NOW), EN)
    assert "everybody here has and no seat is held any more, or when Ann" in text(held)
    assert "at once" not in text(held)
    assert "as soon as enough people have" in text(
        channel_message(replace(enough, overdue=True), EN)
    )
    few = channel_message(samples.lobby_view(starts=samples.NOW), EN)
    assert labels(few)[:5] == ["Join", "Ready", "Leave", "Rules", "Start"]
    assert not {"Ready", "Start"} & presses(few).keys(), "they are shown, and cannot be pressed yet"
    assert f"Starts {when}" in text(few)


def test_between_rounds_points_totals_and_who_is_ready() -> None:
    state = next(
        state
        for state, _ in samples.positions(1, 3)
        if samples.GAME.round_scores(state) is not None
    )
    pause = BetweenRoundsView(
        QuestionId(56), 1, (0, 12, 0), (3, 20, 40), frozenset({UserId(100)}), samples.NOW
    )
    view = replace(samples.board_view(state), pause=pause)
    for shown in (
        channel_message(view, EN),
        hand_panel(replace(samples.hand_view(state, 0), pause=pause), EN),
    ):
        check(shown)
        lines = text(shown).splitlines()
        scores = [line for line in lines if "in all" in line]
        assert scores == [
            "**Cat** · 0 · **40** in all",
            "**Ben** · +12 · **20** in all",
            "**Ann** · 0 · **3** in all",
        ]
        assert "-# Ready: Ann" in lines
        assert presses(shown)["Next round"] == Press(Verb.NEXT, samples.TABLE, QuestionId(56))


def test_the_result_ranks_and_shares_places() -> None:
    shown = channel_message(samples.result_view(), EN)
    ranked = [line for line in text(shown).splitlines() if "points" in line]
    assert ranked == [
        "🥇 **Ben** · 42 points",
        "🥈 **Ann** · 12 points",
        "🥈 **Cat** · 12 points",
    ]
    assert "seat after the start" not in text(shown)
    assert presses(shown)["Rematch"].verb is Verb.REMATCH
    began = samples.result_view(starters=("Ann", "Ben", "Eve"), beginners={2: UserId(104)})
    other = channel_message(began, EN)
    assert "Cat took Eve's seat after the start: the place is Eve's." in text(other)


@pytest.mark.parametrize("stop", Stop)
def test_a_stopped_match_says_why_and_counts_for_nobody(stop: Stop) -> None:
    shown = text(channel_message(samples.result_view(scores=None, ranking=None, stop=stop), EN))
    assert "stopped" in shown
    assert EN.get(f"result.stopped_{stop}") in shown
    assert "counts for nobody" in shown
    assert "🥇" not in shown


def test_the_leaderboard_keeps_its_state_in_its_buttons() -> None:
    page = leaderboard.leaderboard_page(samples.leaderboard(games=("aufundab",)), EN)
    found = presses(page)
    assert found["‹"] == Press(Verb.STANDINGS, argument="month|aufundab|0|rating")
    assert found["›"] == Press(Verb.STANDINGS, argument="month|aufundab|2|rating")
    assert found["My place: 999"] == Press(Verb.STANDINGS, argument="month|aufundab|me|rating")
    assert "2 / 3" in labels(page)
    chosen = [o["value"] for s in parts(page, SELECT) for o in s["options"] if o.get("default")]
    assert chosen == ["month", "aufundab", "wins"], "there are no ratings of a month"
    assert "Ratings are counted over all time only." in text(page)


def test_a_leaderboard_with_a_picture_says_only_what_that_does_not() -> None:
    """Whoever has a name that our font cannot write; and points, where it is of one game."""
    lines = tuple(
        LeaderLine(place, UserId(place), name, 12, 7, 60, 10)
        for place, name in enumerate(("Ann", "Иван"), start=1)
    )
    view = samples.leaderboard(lines=lines, game=None, page=0, pages=1, my_place=None)
    page = leaderboard.leaderboard_page(view, EN, PICTURE)
    of_games = "-# The leaderboard of one game also shows ratings and points per round."
    assert text(page).splitlines() == ["## Leaderboard", "-# **2** Иван", of_games]
    assert not labels(page), "there is one page"
    of_one_game = text(leaderboard.leaderboard_page(replace(view, game="aufundab"), EN, PICTURE))
    assert of_one_game.splitlines()[1:-1] == [
        "-# **1** Ann · 6.0 points per round",
        "-# **2** Иван · 6.0 points per round",
    ]
    assert "12 matches" in text(leaderboard.leaderboard_page(view, EN))


def _rated() -> LeaderboardView:
    """One game of all time, of which somebody's rating is provisional; the reader is far below."""
    lines = tuple(
        LeaderLine(place, UserId(place), name, 12, 7, 61, 10, Rating(34 - place, 2.5, matches))
        for place, name, matches in ((1, "Ann", 12), (2, "Ben", 4), (40, "Cat", 9))
    )
    return samples.leaderboard(
        period=Period.ALL, lines=lines[:2], near=lines[2:], page=0, pages=3, my_place=40
    )


def test_a_leaderboard_of_one_game_is_that_of_ratings() -> None:
    """As the wishes have it: the rating first, and small what it comes from."""
    page = leaderboard.leaderboard_page(_rated(), EN)
    assert text(page).splitlines()[1:] == [
        "**1** Ann · **25.5**",
        "-# 12 matches · 7 wins · 6.1 points per round",
        "**2** Ben · **24.5?**",
        "-# 12 matches · 7 wins · 6.1 points per round",
        "…",
        "**40** Cat · **−13.5**",
        "-# 12 matches · 7 wins · 6.1 points per round",
        "-# ? provisional: fewer than five rated matches",
    ]
    order = parts(page, SELECT)[-1]
    assert [o["label"] for o in order["options"]] == ["By rating", "By wins", "By points per round"]


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (Order.WINS, ["**7 wins**", "6.1 points per round · rating 25.5"]),
        (Order.RATE, ["**6.1 points per round**", "7 wins · rating 25.5"]),
    ],
)
def test_what_a_leaderboard_is_ordered_by_stands_first(order: Order, said: list[str]) -> None:
    first, small = said
    view = replace(_rated(), order=order)
    shown = text(leaderboard.leaderboard_page(view, EN)).splitlines()
    assert shown[1:3] == [f"**1** Ann · {first}", f"-# 12 matches · {small}"]
    drawn, near = leaderboard.drawn_leaders(view, EN)
    figures = {Order.WINS: "7/12", Order.RATE: "6.1"}
    assert {one.figure for one in (*drawn, *near)} == {figures[order]}


def test_everybody_is_shown_the_page_and_not_whose_place_was_looked_for() -> None:
    said = text(leaderboard.shared_leaderboard(_rated(), "Cat", EN))
    assert "By rating" in said
    assert "**40**" not in said


def test_rules_are_paged() -> None:
    first, last = pages.rules_page("aufundab", -5, EN), pages.rules_page("aufundab", 99, EN)
    assert "‹" not in presses(first)
    assert "›" in presses(first)
    assert "›" not in presses(last)
    assert "‹" in presses(last)
    assert presses(first)["›"] == Press.rules("aufundab", 1, beside=False)


@pytest.mark.parametrize("game", games())
def test_footnotes_stand_below_the_page_that_asks_for_them(game: str) -> None:
    written = rules_pages(game, "en")
    count = 0
    for number, page in enumerate(written):
        shown = pages.rules_page(game, number, EN)
        check(shown)
        body = page if number < len(written) - 1 else page[: page.index("\n[1] ")]
        asked = list(dict.fromkeys(re.findall(r"\[(\d+)\]", body)))
        below = [line for line in text(shown).splitlines() if line.startswith("-# [")]
        assert [line.split("[")[1].split("]")[0] for line in below] == asked
        assert all(len(line) > len("-# [10] *ours:* a") for line in below)
        assert "[house]" not in text(shown)
        count += len(below)
    assert count


def test_the_log_opens_at_its_end() -> None:
    told = [Phrase("dealt", {"number": n, "count": 18}) for n in range(40)]
    page = pages.log_page(samples.head(), told, None, EN, over=True)
    assert "Round 39:" in text(page)
    assert "Round 3:" not in text(page)
    assert presses(page) == {"‹": Press(Verb.LOG, samples.TABLE, argument="1")}


@pytest.mark.parametrize("count", [0, 40])
def test_the_log_of_a_match_that_goes_on_can_be_renewed(count: int) -> None:
    told = [Phrase("dealt", {"number": n, "count": 18}) for n in range(count)]
    page = pages.log_page(samples.head(), told, 0, EN, over=False)
    assert presses(page)["Refresh"] == Press(Verb.LOG, samples.TABLE)


@pytest.mark.parametrize(
    ("label", "measured"),
    [("Y3", 40), ("R11", 49), ("Join", 49), ("6-6×2 6-8", 85), ("6-6 6-8 6-9", 93)],
)
def test_widths_are_those_measured_in_a_browser(label: str, measured: int) -> None:
    assert measured * 0.95 <= width(label) - GAP <= measured * 1.1


def test_messages_are_never_stored_by_the_library() -> None:
    for message in (pages.note("x"), channel_message(samples.lobby_view(), EN)):
        view = message.view
        assert view.timeout is None
        assert view.is_finished()
        assert not view.is_dispatchable()
    assert combine_modal(samples.worst_hands()["form"], "form", EN).is_finished()


def test_a_message_is_encoded_once_and_its_digest_knows_its_files() -> None:
    """Whatever is sent is the same dictionaries, and files are opened anew for each sending."""
    message = pages.download("Here it is", "T7Q2.json", b"{}")
    assert message.view.to_components() == list(message.components)
    assert message.components[-1]["file"]["url"] == "attachment://T7Q2.json"
    first, second = (message.uploads()[0] for _ in range(2))
    assert (first.filename, first.fp.read(), second.fp.read()) == ("T7Q2.json", b"{}", b"{}")
    assert message.digest == pages.download("Here it is", "T7Q2.json", b"{}").digest
    assert message.digest != pages.download("Here it is", "T7Q2.json", b"[]").digest
