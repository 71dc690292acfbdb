"""Names as people may choose them: one line that can be seen, read as it is, and told apart."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.i18n import safe_name
from bot.plain_text import MARKS, NAME_LENGTH, plain_name, told_apart, visible

UNSEEN = "\u200b\u2060\u3164\u115f\u2800\ufe00\u00ad\U000e0041\U0001d159\ufdd0\x00\ud800\ue000"
"""Of everything that nobody sees: a control, a filler, a blank, a selector, a noncharacter …"""

NAMES = st.text(
    st.one_of(st.sampled_from("1234567890.-+#*_~`|<>[]()\\@:/ \tA⚙" + UNSEEN), st.characters()),
    max_size=40,
)


def read(text: str) -> str:
    """What Discord shows of an escaped text: a backslash is gone before a sign, and only there."""
    seen = re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text).removesuffix("\u200e")
    return seen.replace("@\u200b", "@").replace(":\u200b", ":")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \n\t B ", "Ann B"),
        ("a\u202eb\u200b\u2066c\x00\x1b", "abc"),
        ("x" * 40, "x" * 31 + "…"),
        ("Z" + "\u0300\u0301\u0302" * 50, "Z\u0300\u0301"),
        ("\u200b\u2060", "?"),
        ("עברית", "עברית"),
    ],
)
def test_names_are_one_visible_line(name: str, shown: str) -> None:
    assert plain_name(name) in (shown, unicodedata.normalize("NFC", shown))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("*a* _b_ ~c~ `d` |e|", r"\*a\* \_b\_ \~c\~ \`d\` \|e\|"),
        ("@everyone", "@\u200beveryone"),
        ("<@123>", "\\<@\u200b123\\>"),
        ("<#1> <:x:2>", r"\<\#1\> \<:x:2\>"),
        ("https://e.vil", "https:\u200b//e.vil"),
        ("# big", r"\# big"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("\\*", r"\\\*"),
    ],
)
def test_names_in_messages_do_nothing(name: str, shown: str) -> None:
    assert safe_name(name) == shown


@pytest.mark.parametrize(
    "mark", ["\u0301", "\u0e47", "\u20dd", "\u0488", "\u0f90"], ids=unicodedata.name
)
def test_marks_do_not_pile_up_whatever_their_class(mark: str) -> None:
    assert sum(char == mark for char in plain_name("x" + mark * 28)) == 2
    assert plain_name(mark * 28) == "?"


@pytest.mark.parametrize("word", ["น้ำตาล", "पड़ें", "Ōtsuka", "أَبُو", "ខ្ញុំ"])
def test_words_of_every_language_keep_their_marks(word: str) -> None:
    assert visible(word, 32) == unicodedata.normalize("NFC", word)


def test_signs_newer_than_our_tables_are_shown() -> None:
    new = next(
        chr(code) for code in range(0x1FA70, 0x1FB00) if unicodedata.category(chr(code)) == "Cn"
    )
    assert plain_name(f"Ann {new}") == f"Ann {new}"


@given(NAMES)
@example("\u0301 \u0301")
@example("⚙\ufe0f Ann")
@example("Ann \u0301 B")
def test_a_name_is_seen(name: str) -> None:
    shown = plain_name(name)
    assert 0 < len(shown) <= NAME_LENGTH
    assert shown.isprintable() or any(unicodedata.category(char) == "Cn" for char in shown)
    assert not set(shown) & set(UNSEEN)
    assert plain_name(shown) == shown
    assert shown.split(" ") == shown.split(), "nobody sees how many blanks there are"
    assert unicodedata.category(shown[0]) not in MARKS


@given(NAMES)
def test_a_name_is_read_as_it_is(name: str) -> None:
    """Nothing formats, and no backslash is left over for the reader."""
    shown = safe_name(name)
    assert read(shown) == plain_name(name)
    without = re.sub(r"\\[^0-9A-Za-z\s]", "", shown)
    assert not set(without) & set("\\*_~`|<>[]#")
    assert re.match(r"[-+]|\d+\.", shown) is None


@given(st.lists(st.sampled_from(["Ann", "Ann (2)", "Ann (1) (2)", "x" * 40, "x" * 41, "", "?"])))
def test_whoever_sits_at_a_table_is_told_from_the_others(names: list[str]) -> None:
    for room in (32, 12, 6, 4):
        people = [name for name in told_apart(names, room) if name]
        assert len(set(people)) == len(people) == sum(map(bool, names))
        assert all(len(name) <= room for name in people)


def test_only_equal_names_have_a_number_behind_them() -> None:
    assert told_apart(["Ann", "Ben", "Ann"], 32) == ("Ann (1)", "Ben", "Ann (3)")


def test_the_number_is_that_of_the_seat_and_nobody_else_has_one() -> None:
    best_first = told_apart(["Ann", "Ben", "Ann"], 32, seats=[2, 1, 0])
    assert best_first == ("Ann (3)", "Ben", "Ann (1)")
    in_line = told_apart(["Ann", "Ann", "Ann"], 32, seats=[1, None, None])
    assert in_line == ("Ann (2)", "Ann", "Ann")
    substitute_first = told_apart(["Ann", "Ann"], 32, seats=[0, 0])
    assert substitute_first == ("Ann (1)", "Ann")


@pytest.mark.parametrize(
    "twin",
    ["\u0410nn", "\uff21nn", "Ann\u200b", "\u0391nn", "Ann\ufe0f", "A\ufe0enn"],
    ids=["Cyrillic", "wide", "blank", "Greek", "emoji", "no emoji"],
)
def test_names_that_only_look_equal_have_one_too(twin: str) -> None:
    assert told_apart(["Ann", plain_name(twin)], 32)[0] == "Ann (1)"


@pytest.mark.parametrize("name", ["עברית", "شذى", "Ann ‏א", "٣"])
def test_what_follows_a_name_from_the_right_stays_where_it_is(name: str) -> None:
    """Else two names in a line, and the points behind them, are read in each other's place."""
    last = safe_name(name)[-1]
    assert unicodedata.bidirectional(last) == "L"
    assert read(safe_name(name)) == plain_name(name)
    assert safe_name("Ann 1") == "Ann 1"
