"""Boards and hands with emoji: the same words, in reach of the same presses, within the limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.emojis import DECKS, MARK, Emoji, know_emojis, name_of, named
from bot.i18n import Texts, texts
from bot.operate.emojis import keys
from bot.render.alt_text import cards_in_words
from bot.render.cards_form import combine_modal
from bot.render.channel import channel_message
from bot.render.components import EMOJI, GAP, PADDING, button, span
from bot.render.custom_ids import Press, Verb
from bot.render.emoji_texts import LETTERS_BESIDE, illustrated_lines
from bot.render.hand import hand_panel
from bot.render.message import Message
from bot.render.pages import log_page
from bot.views.values import BoardView, HandView
from engine.layout import Choice
from tests.render import matches, samples
from tests.render.limits import BUTTON, SELECT, check, parts, text, walk

EN = texts("en")
FIRST = 1_300_000_000_000_000_000
"""About the ids that Discord gives today: they have nineteen digits."""
IDS = {
    name_of(deck, key, "1a2b3c"): FIRST + number
    for number, (deck, key) in enumerate((deck, key) for deck in DECKS for key in keys())
}
SPACE = re.compile(r"[\u2060\u00a0 ]")
MENTION = re.compile(r"<:(\w+):\d+>")


@pytest.fixture
def all_known() -> None:
    know_emojis(IDS)


def views(table: matches.Table, step: int) -> Iterator[BoardView | HandView]:
    """Boards and hands of a match at their fullest."""
    nasty = (samples.NASTY,) * table.seats
    for number, position in enumerate(matches.positions(str(table), 1)[::step]):
        yield from matches.fullest(table, position, number, nasty, EN)


def shown(view: BoardView | HandView, deck: str = "standard") -> Message:
    if isinstance(view, HandView):
        return hand_panel(view, EN, deck=deck)
    return channel_message(view, EN, farewell=True)


def told(message: Message, game: str) -> str:
    """What can be read, with today's marks in place of emoji."""

    def mark(found: re.Match[str]) -> str:
        said = named(found[1])
        assert said is not None
        family, code = said.key[0], said.key[1:]
        if family != MARK:
            return (EN.suit_mark(game, code) or EN.card(game, code.replace("_", "-"))) + found[2]
        # Those of a trump and of who wins stand by themselves before what they mark.
        arrows = {"up": f"▲{found[2]}", "down": f"▼{found[2]}", "trump": "", "wins": ""}
        return arrows[code] if code in arrows else EN.sign(game, code) + found[2]

    return re.sub(MENTION.pattern + r"([ \u00a0]?)", mark, text(message))


def pressable(message: Message) -> list[str]:
    return [part["custom_id"] for part in walk(message.components) if "custom_id" in part]


def test_the_fullest_pages_of_every_game_fit(table: matches.Table, all_known: None) -> None:
    for view in views(table, 6):
        message = shown(view)
        check(message)
        assert len(text(message)) < 3_000, "nothing is left for whatever comes beside the match"


def test_emoji_say_what_marks_said_and_every_press_is_the_same(table: matches.Table) -> None:
    found = list(views(table, 11))
    plain = [shown(view) for view in found]
    know_emojis(IDS)
    for view, before in zip(found, plain, strict=True):
        after = shown(view)
        assert told(after, table.game.info.id) == text(before)
        assert pressable(after) == pressable(before)
        for old, new in zip(faces(before), faces(after), strict=True):
            assert agrees(new, old["label"], table.game.info.id), (new, old)


def faces(message: Message) -> list[dict[str, Any]]:
    """All that has a label."""
    options = [one for part in parts(message, SELECT) for one in part["options"]]
    return [*parts(message, BUTTON), *options]


def agrees(face: dict[str, Any], label: str, game: str) -> bool:
    """Whether a label and its emoji say what a label said with a mark."""
    if "emoji" not in face:
        return bool(face["label"] == label)
    said = named(face["emoji"]["name"])
    assert said is not None
    code = said.key[1:].replace("_", "-")
    mark = EN.suit_mark(game, code) or (EN.card(game, code) if "-" not in code else "")
    left = SPACE.sub("", label.replace(mark, "", 1)) or EN.own(game, f"card.{code}.name")
    return mark in label and SPACE.sub("", face["label"]) == left


def test_labels_choices_logs_forms_and_pictures_have_no_mentions(
    table: matches.Table, all_known: None
) -> None:
    game = table.game.info.id
    for view in views(table, 17):
        message = shown(view)
        for part in walk(message.components):
            for key in ("label", "placeholder"):
                assert "<:" not in part.get(key, "")
            for option in part.get("options", ()):
                assert "<:" not in option["label"] + option.get("description", "")
        if isinstance(view, HandView):
            assert "<:" not in cards_in_words(game, view.layout, EN)
            for control in view.layout.controls:
                if isinstance(control, Choice) and control.combine is not None:
                    form = combine_modal(view, control.key, EN)
                    assert "<:" not in str(form.to_dict())
    for position in matches.positions(str(table), 1)[::17]:
        assert "<:" not in text(log_page(matches.head(table), position.told, 0, EN, over=False))


def test_each_emoji_that_is_missing_is_a_mark(table: matches.Table) -> None:
    """Half of them are there: every card is shown, and nothing names one that is not."""
    some = {name: number for name, number in IDS.items() if number % 2}
    found = list(views(table, 23))
    plain = [text(shown(view)) for view in found]
    know_emojis(some)
    for view, before in zip(found, plain, strict=True):
        after = shown(view)
        check(after)
        assert told(after, table.game.info.id) == before
        used = MENTION.findall(text(after))
        used += [face["emoji"]["name"] for face in faces(after) if "emoji" in face]
        assert some.keys() >= set(used)


def test_a_hand_has_the_emoji_of_the_deck_that_is_asked_for(all_known: None) -> None:
    table = next(one for one in matches.tables() if one.game.info.id == "sticheln")
    every = (view for view in views(table, 5) if isinstance(view, HandView))
    hands = [view for view in every if view.aid is None]  # a hint's are made with it
    for deck, short in DECKS.items():
        names = {name for view in hands for name in MENTION.findall(text(shown(view, deck)))}
        assert names
        assert all(name.startswith(f"st_{short}_") for name in names)


def test_a_button_with_an_emoji_is_as_wide_as_one_with_a_mark() -> None:
    one = button("5", Press(Verb.NONE), emoji=Emoji("st_s_cR_1a2b3c", FIRST))
    assert one["emoji"] == {"id": str(FIRST), "name": "st_s_cR_1a2b3c"}
    assert span(one) == span(button("❤️5", Press(Verb.NONE))) == PADDING + GAP + EMOJI + 8


def test_lines_beside_a_hand_have_emoji_as_long_as_there_is_room(all_known: None) -> None:
    """A hint of few cards shows them as the picture does; a long list is text."""

    def lines(count: int) -> tuple[str, ...]:
        def make(words: Texts) -> list[str]:
            return [words.cards("kaiserspiel", ["AK"]) for _ in range(count)]

        return illustrated_lines(make, EN, "standard")

    assert all(MENTION.fullmatch(line) for line in lines(9))
    assert sum(map(len, lines(9))) < LETTERS_BESIDE
    assert lines(99) == (EN.cards("kaiserspiel", ["AK"]),) * 99
