"""Leading in Auf und Ab: how many of which number, then which cards, ticked in one form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from bot.emojis import know_emojis
from bot.i18n import rules_pages, texts
from bot.ids import QuestionId
from bot.render.cards_form import combine_modal, ticked
from bot.render.coaching import hint_page, why_not
from bot.render.components import WIDE
from bot.render.custom_ids import Press, Verb
from bot.render.hand import ROWS, hand_panel
from bot.render.message import picture_file
from bot.views.hinting import HintView
from bot.views.values import Aid, HandView
from engine.deal import Seeded
from engine.game import CHANCE
from engine.games.aufundab import GAME
from engine.games.aufundab.cards import CARDS, DOWN, PACK, UP
from engine.layout import Act, CardRow, CardView, Choice, Combine, Layout, Phrase
from tests.render import limits, samples
from tests.render.limits import BUTTON, TEXT, check, labels, parts, presses, text
from tests.render.matches import hand, positions, tables
from tests.render.test_emojis import IDS

EN = texts("en")
PICTURE = picture_file(b"what lies there")
PRIMARY = 1
SUCCESS = 3
FULL = 18
"""Cards of a hand, with three people."""
LINE = 74
"""Characters of a line on a desktop."""


def lead(cards: Sequence[str], *, mode: int = UP) -> HandView:
    """The panel of whoever leads with these cards, in the middle of a round."""
    state = GAME.initial(3, GAME.complete_options(3, {}))
    state = GAME.apply(state, CHANCE, GAME.deal(state, Seeded(Random(1))))
    hands = (PACK.mask(cards), *state.hands[1:])
    state = state._replace(hands=hands, actor=0, owner=0, mode=mode)
    layout = GAME.layout(GAME.observe(state, 0))
    return HandView(
        samples.head(), layout, 0, QuestionId(999_999_999), None,
        (samples.CHANNEL, samples.BOARD), notice="Why not. " * 9, away=True, due=samples.NOW,
        ticks="9.10~fff",
    )  # fmt: skip


def rows(view: HandView) -> list[list[str]]:
    """Labels of each row of buttons that play, or ask which cards."""
    verbs = (Verb.ACT, Verb.OPEN, Verb.COMBINE)
    found = []
    for whole in limits.rows(hand_panel(view, EN)):
        row = [one for one in whole if "custom_id" in one]
        decoded = [Press.decode(one["custom_id"]) for one in row]
        if any(press and press.verb in verbs for press in decoded):
            found.append([one["label"] for one in row])
    return found[1:] if view.ticks else found


MOST: Final = tuple(len(PACK.codes(CARDS[UP][number])) for number in range(10))
"""How many cards of each number there are."""


def splits(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """So many ways to have cards of each number, any as likely as the others."""
    random = Random(total)
    while count:
        sizes = tuple(random.randint(0, most) for most in MOST)
        if sum(sizes) == total:
            count -= 1
            yield sizes


def fewest_numbers(total: int, most: Sequence[int]) -> tuple[int, ...]:
    """The way with as many of the first numbers as there are."""
    found: list[int] = []
    for size in most:
        found.append(min(size, total - sum(found)))
    return tuple(found)


def held(sizes: Sequence[int], mode: int = UP) -> list[str]:
    """So many cards of each number, their doubles first."""
    found = []
    for number, size in enumerate(sizes):
        codes = PACK.codes(CARDS[mode][number])
        found += sorted(codes, key=lambda code: code[0] != code[2])[:size]
    return found


def test_a_lead_says_how_many_of_which_number_the_most_first() -> None:
    view = lead(held((5, 3, 2, 1, 1)))
    assert rows(view) == [
        ["all five 0s as 5 or 6 cards…", "four 0s…", "three 0s…"],
        ["two 0s…", "one 0…"],
        ["all three 1s as 3 or 4 cards…", "two 1s…", "one 1…"],
        ["two 2s…", "one 2…", "one 3…", "one 4…"],
    ]
    styles = {
        part["style"]
        for part in parts(hand_panel(view, EN), BUTTON)
        if part["label"].rstrip("s…")[-1].isdecimal()
    }
    assert styles == {PRIMARY}


def test_the_widest_leads_fit_and_every_button_names_its_number() -> None:
    """Whatever number the eighteen cards have; a sample of some 700,000 ways."""
    first, last = fewest_numbers(FULL, MOST), fewest_numbers(FULL, MOST[::-1])[::-1]
    for sizes in [*splits(FULL, 300), first, last]:
        view = lead(held(sizes))
        check(hand_panel(view, EN))
        check(hand_panel(replace(view, coached=True, hints=True), EN, PICTURE))
        shown = [label for row in rows(view) for label in row]
        for number, size in enumerate(sizes):
            named = [
                label
                for label in shown
                if re.search(rf" {number}s?(?: as \d+ or \d+ cards)?…?$", label)
            ]
            assert len(named) == size
        assert len(shown) == FULL


def test_a_lead_of_many_small_numbers_shares_rows_rather_than_not_to_fit() -> None:
    sizes = (2,) * 9 + (0,)
    view = lead(held((*sizes[:8], 2, 0)))
    check(hand_panel(view, EN))
    assert ["two 0s…", "one 0…", "two 1s…", "one 1…"] in rows(view)


def test_a_lead_of_many_numbers_stands_in_few_rows() -> None:
    """All buttons must be seen at once: as few rows as there are for so many."""
    for total in (13, 14, FULL):
        for sizes in splits(total, 100):
            assert len(rows(lead(held(sizes)))) <= max(ROWS, -(-total // WIDE))


def test_whoever_leads_is_told_that_the_arrow_has_turned() -> None:
    """In one line, and nothing else is said above the picture but who took the series before."""
    table = next(one for one in tables() if str(one) == "aufundab-3")
    told = 0
    for position in positions(str(table), 0):
        seat, state = GAME.actors(position.state)[:1], position.state
        if seat and seat[0] >= 0 and not state.quantity and state.series.turned:
            panel = hand_panel(hand(table, state, seat[0], ("Ann", "Ben", "Cat")), EN, PICTURE)
            headline, reason, turned = parts(panel, TEXT)[0]["content"].splitlines()
            assert headline == "## Your turn: lead any set"
            assert "takes the series and leads, since " in reason
            assert re.match("The arrow and your cards turned: (DOWN|UP), ", turned)
            assert max(len(reason), len(turned)) <= LINE
            told += 1
    assert told > 5


def opened(view: HandView, label: str) -> HandView:
    press = presses(hand_panel(view, EN))[label]
    assert press.verb is Verb.OPEN
    return replace(view, opened=press.argument)


def test_the_second_step_says_what_is_chosen_and_what_a_double_counts() -> None:
    view = opened(lead(held((4, 1, 1))), "three 0s…")
    panel = hand_panel(view, EN)
    check(panel)
    assert "**Play three of your 0s**" in text(panel)
    assert (
        "-# 0‑0×2: a double (badge 1|2) may count as two cards. That makes a lead harder"
        in text(panel)
    )
    assert [
        label
        for label in labels(panel)
        if label.count("-") + label.count("‑") == 3 and "×" not in label
    ] == ["0‑0 0‑1 0‑2", "0‑0 0‑1 0‑3", "0‑0 0‑2 0‑3", "0‑1 0‑2 0‑3"]
    styles = {part["style"] for part in parts(panel, BUTTON) if "‑" in part["label"]}
    assert styles == {PRIMARY}


def form(view: HandView, wanted: str) -> dict[str, Any]:
    made: dict[str, Any] = combine_modal(view, wanted, EN).to_dict()
    return made


def test_a_form_is_titled_in_words_and_says_what_is_special_about_a_card() -> None:
    view = lead([*held((6,)), "3-6"])
    press = presses(hand_panel(view, EN))["three 0s…"]
    assert press.verb is Verb.COMBINE
    shown = form(view, press.argument)
    assert shown["title"] == "Play three of your 0s"
    boxes, double = shown["components"]
    assert boxes["label"] == "Choose exactly 3 cards"
    assert double["label"] == "Does the double count as one or two?"
    marked = {one["label"]: one.get("description") for one in boxes["component"]["options"]}
    assert marked == {"0‑0": "double"} | dict.fromkeys(("0‑1", "0‑2", "0‑3", "0‑4", "0‑5"))


def test_what_must_be_in_a_form_is_said_and_ticked() -> None:
    combine = Combine(("0-0", "0-1", "0-2"), 2, 2, (), ("0-0",))
    hand = CardRow("hand", tuple(CardView(card, "0") for card in combine.cards))
    title = Phrase("play_pair", {"number": 0})
    choice = Choice("0", Phrase("lead_pair", {"number": 0}), 2, combine=combine, title=title)
    view = replace(lead(["0-0"]), layout=Layout((hand,), (choice,)), ticks=None)
    boxes = form(view, "0")["components"][0]["component"]["options"]
    assert [(one["value"], one.get("description"), one["default"]) for one in boxes] == [
        ("0-0", "must be included", True),
        ("0-1", None, False),
        ("0-2", None, False),
    ]


def test_every_title_of_a_form_or_a_second_step_fits() -> None:
    for sizes in ((10, 8), (0, 9, 9), (0, 0, 8, 7, 3)):
        view = lead(held(sizes))
        for control in view.layout.controls:
            if isinstance(control, Choice) and control.combine is not None:
                title = form(view, control.key)["title"]
                assert title.startswith("Play ")
                assert "…" not in title


@pytest.mark.parametrize("flags", [(), ("double_counts_two",)])
def test_a_form_opens_again_with_its_ticks(flags: tuple[str, ...]) -> None:
    view = lead([*held((6,)), "3-6"])
    again = ticked(view, "0.3", ("0-1", "0-4", "0-5"), flags)
    assert again is not None
    boxes, double = form(view, again)["components"]
    on = [one["value"] for one in boxes["component"]["options"] if one["default"]]
    assert on == ["0-1", "0-4", "0-5"]
    answers = {one["value"]: one["default"] for one in double["component"]["options"]}
    assert answers == {"no": not flags, "yes": bool(flags)}
    panel = hand_panel(replace(view, ticks=again), EN)
    check(panel)
    press = presses(panel)["Change the cards"]
    assert (press.verb, press.argument) == (Verb.COMBINE, again)
    sent = form(view, again)["custom_id"]
    assert Press.decode(sent) == replace(press, argument="0.3"), "what is sent in has its own ticks"


def test_ticks_of_a_form_that_is_gone_or_mangled_are_none() -> None:
    view = lead([*held((6,)), "3-6"])
    assert ticked(view, "7.3", ("0-1",), ()) is None
    boxes = form(view, "0.3~what")["components"][0]["component"]["options"]
    assert not any(one["default"] for one in boxes)


def test_a_button_names_a_card_as_it_lies() -> None:
    """Turned round the higher number is on top: what is read there is what is pressed."""
    view = lead(held((1,)))
    act = Act("play 1-9x2 2-9", cards=("1-9", "2-9"))
    cards = tuple(CardView(code, "9", ("turned", "playable")) for code in act.cards)
    layout = Layout((CardRow("hand", cards),), (act,))
    panel = hand_panel(replace(view, layout=layout), EN)
    assert "9‑1×2 9‑2" in labels(panel)
    assert "9‑1 9‑2" in text(panel)


def read(view: HandView) -> str:
    """All that is read of a hand: the panel, its forms, a hint, and why cards cannot be played."""
    messages = [hand_panel(view, EN)]
    for control in view.layout.controls:
        if isinstance(control, Act | Choice):
            acts = [control] if isinstance(control, Act) else control.acts
            for act in acts:
                hint = HintView(view.head, view.layout, frozenset(PACK.names), act.action)
                messages.append(hint_page(hint, EN))
        if isinstance(control, Choice) and control.acts:
            messages.append(hand_panel(replace(view, opened=control.key), EN))
    found = [text(message) for message in messages]
    found += [label for message in messages for label in labels(message)]
    if (why := why_not(view, EN)) is not None:
        found += [*why.answer, *why.more]
    for control in view.layout.controls:
        if isinstance(control, Choice) and control.combine is not None:
            found.append(str(combine_modal(view, control.key, EN).to_dict()["components"]))
    return re.sub(r"['\"]value['\"]: ['\"][^'\"]*['\"]", "", "\n".join(found))


@pytest.mark.parametrize("mode", [UP, DOWN])
@pytest.mark.parametrize(
    "cards", [["1-6", "4-7", "5-7", "6-9"], [f"{low}-7" for low in range(8)], ["3-9"], PACK.names]
)
def test_a_card_has_one_name_wherever_its_owner_reads_it(cards: Sequence[str], mode: int) -> None:
    """What counts comes first, as on the card that they see."""
    view = lead(cards, mode=mode)
    pairs = re.findall(r"(?<!\d)(\d)[-\u2011](\d)(?!\d)", read(view))
    assert pairs
    assert all((one >= other) if mode == DOWN else (one <= other) for one, other in pairs)


def test_what_cannot_be_played_is_named_as_it_lies() -> None:
    state = GAME.initial(3, GAME.complete_options(3, {}))
    state = GAME.apply(state, CHANCE, GAME.deal(state, Seeded(Random(1))))
    hands = (PACK.mask(["3-9"]), *state.hands[1:])
    top = PACK.mask(["2-4"])
    state = state._replace(
        hands=hands, actor=0, owner=1, mode=DOWN, number=4, quantity=1, top=top, pile=top
    )
    view = replace(lead(["3-9"]), layout=GAME.layout(GAME.observe(state, 0)))
    why = why_not(view, EN)
    assert why is not None
    assert "9\u20113" in why.answer[0]


def test_each_rule_behind_a_refusal_has_a_button_for_its_page() -> None:
    state = GAME.initial(3, GAME.complete_options(3, {}))
    state = GAME.apply(state, CHANCE, GAME.deal(state, Seeded(Random(1))))
    # Two to beat: of the 5 there is one, and the 0s are no better.
    hands = (PACK.mask(["5-6", "0-1", "0-2"]), *state.hands[1:])
    top = PACK.mask(["4-7", "4-8"])
    state = state._replace(
        hands=hands, actor=0, owner=1, mode=UP, number=4, quantity=2, top=top, pile=top
    )
    view = replace(lead(["5-6"]), layout=GAME.layout(GAME.observe(state, 0)))
    why = why_not(view, EN)
    assert why is not None
    rules = [line.removeprefix("-# ") for line in why.more if line.startswith("-# ")]
    book = rules_pages("aufundab", "en")
    assert [any(rule in book[page] for page in why.rules_pages) for rule in rules] == [True, True]
    shown = labels(hand_panel(replace(view, aid=why), EN))
    assert {f"Rules, page {page + 1}" for page in why.rules_pages} <= {*shown}


def test_a_hint_in_the_place_of_a_tip_says_why_it_may_say_something_else() -> None:
    view = replace(lead(["5-6", "0-1"]), aid=Aid("first_hint", ("Play 5-6.",)))
    assert view.layout.tip is not None
    said = "The hint replaces the tip, which is only a general rule."
    assert said in text(hand_panel(replace(view, coached=True), EN))
    assert said not in text(hand_panel(view, EN))
    why = replace(view, aid=Aid("why", ("Play 5-6.",)), coached=True)
    assert said not in text(hand_panel(why, EN))


def test_beside_a_hint_green_is_what_it_says_and_it_stays_in_the_second_step() -> None:
    view = lead(held((5, 3, 2, 1, 1)))
    (choice,) = (
        one for one in view.layout.controls if isinstance(one, Choice) and one.key == "1.2"
    )
    hinted = replace(view, aid=Aid("hint", ("Play two 1s.",), action=choice.acts[0].action))
    assert green(view) == []
    assert green(hinted) == ["two 1s…"]
    second = hand_panel(replace(hinted, opened="1.2"), EN)
    assert "> Play two 1s." in text(second)
    assert len(green(replace(hinted, opened="1.2"))) == 1
    many = lead(["1-1", "1-2", "1-3", "1-4", "1-5", "4-4"])
    ticks = next(one for one in view_choices(many) if one.combine is not None)
    assert ticks.combine is not None
    text_of = f"play {' '.join(ticks.combine.cards[: ticks.combine.minimum])}"
    assert len(green(replace(many, aid=Aid("hint", ("So.",), action=text_of)))) == 1
    few = replace(lead(["5-6", "0-1"]), aid=Aid("hint", ("Play 5-6.",), action="play 5-6"))
    assert [label.replace("\u2011", "-") for label in green(few)] == ["5-6"]
    (other,) = (
        one for one in parts(hand_panel(few, EN), BUTTON) if one.get("label", "").startswith("0")
    )
    assert other["style"] == PRIMARY


def view_choices(view: HandView) -> Iterator[Choice]:
    return (one for one in view.layout.controls if isinstance(one, Choice))


def green(view: HandView) -> list[str]:
    """Labels of the green buttons that play, or ask which cards."""
    shown = parts(hand_panel(replace(view, away=False), EN), BUTTON)
    return [part["label"] for part in shown if part["style"] == SUCCESS]


def test_no_button_shows_a_card_of_two_numbers_beside_its_name() -> None:
    """A set of several has no room for its cards; and a drawn one never lies turned."""
    know_emojis(IDS)
    try:
        shown = hand_panel(lead(["1-6", "4-7", "5-7"]), EN)
    finally:
        know_emojis({})
    assert not [one for one in parts(shown, BUTTON) if "emoji" in one]
