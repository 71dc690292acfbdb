"""A hand of Auf und Ab says how the series before ended, in two lines, and nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from bot.emojis import DECKS, know_emojis, name_of
from bot.i18n import texts
from bot.operate.emojis import keys
from bot.render.blocks import COVERED
from bot.render.channel import channel_message
from bot.render.emoji_texts import illustrated
from bot.render.hand import hand_panel
from bot.render.message import picture_file
from bot.views.values import HandView
from engine.game import Outcome
from engine.layout import CardRow, Cards, LastSet, Line, Phrase, SeatName, phrase
from tests.render import samples
from tests.render.limits import text
from tests.render.matches import board, hand, positions, tables

EN = texts("en")
PICTURE = picture_file(b"what lies there")
TABLES = [table for table in tables() if table.game.info.id == "aufundab"]
NAMES = ("Ann", "Ben", "Cat", "Dan")
SETS = ("played", "played_double")
TAKEN = ("won_passed", "won_highest", "won_lowest")
BEFORE = "^-# (Played before that|Earlier in the last series): "


def asked() -> Iterator[HandView]:
    for table in TABLES:
        for seed in range(3):
            for position in positions(str(table), seed):
                for seat in table.game.actors(position.state):
                    if seat >= 0 and table.game.round_scores(position.state) is None:
                        view = hand(table, position.state, seat, NAMES[: table.seats])
                        yield replace(view, learns=True)


def test_whoever_is_asked_is_told_above_the_picture_how_the_series_before_ended() -> None:
    told = 0
    for view in asked():
        layout = view.layout
        lasts = [one for one in (*layout.blocks, *layout.more) if isinstance(one, LastSet)]
        said = text(hand_panel(view, EN, PICTURE))
        assert said.count("takes the series and leads") == len(lasts)
        if layout.more:
            assert said.splitlines()[1].startswith("Last series: ")
            told += 1
    assert told > 20


def test_who_is_asked_first_in_the_first_series_reads_who_began_it_and_why() -> None:
    told = 0
    for table in TABLES:
        for position in positions(str(table), 0):
            series = [one for one in position.told if one.code in TAKEN]
            seats = [seat for seat in table.game.actors(position.state) if seat >= 0]
            if series or not seats or not any(one.code == "begins" for one in position.told):
                continue
            view = hand(table, position.state, seats[0], NAMES[: table.seats])
            said = text(hand_panel(replace(view, told=position.told), EN, PICTURE))
            began = next(one for one in position.told if one.code == "begins")
            assert said.splitlines()[1] == EN.phrase("aufundab", began, view.head.names)
            told += 1
    assert told > 5


def test_below_the_picture_stand_the_sets_that_were_covered_since_ones_last_turn() -> None:
    """No picture shows them; the one that lies there it does, and words show all."""
    covered = split = leads = 0
    for table in TABLES:
        for position in positions(str(table), 0):
            for seat in table.game.actors(position.state):
                if seat < 0 or table.game.round_scores(position.state) is not None:
                    continue
                view = replace(hand(table, position.state, seat, NAMES), told=position.told[-9:])
                sets = [one for one in view.told if one.code in ("played", "played_double")][:-1]
                sets = [one for one in sets if one.params["seat"] != SeatName(seat)]
                follows = any(
                    isinstance(one, CardRow) and one.role == "table" for one in view.layout.blocks
                )
                said = text(hand_panel(view, EN, PICTURE))
                since = [line for line in said.splitlines() if re.search(BEFORE, line)]
                newest = [one for one in sets if series_of(view, one) == series_of(view, sets[-1])]
                split += newest != sets
                newest = [one for one in newest if not took_its_series(view, one)]
                assert len(since) == (follows and bool(newest))
                said_of = [EN.phrase("aufundab", one, view.head.names) for one in newest[-COVERED:]]
                assert all(line.endswith(": " + " · ".join(said_of)) for line in since)
                # What lies there began its series: the others are not what it beats.
                begun = not beats_others(view)
                assert all(("in the last series" in line) == begun for line in since)
                leads += begun and bool(since)
                assert not re.search(BEFORE, text(hand_panel(view, EN)))
                passive = replace(view, question=None)
                assert not re.search(BEFORE, text(hand_panel(passive, EN, PICTURE)))
                covered += len(since)
    assert covered > 20
    assert split > 5, "several series"
    assert leads > 5


def place_of(view: HandView, played: Phrase) -> int:
    """Where a set stands among what is told."""
    return next(at for at, one in enumerate(view.told) if one is played)


def took_its_series(view: HandView, played: Phrase) -> bool:
    """Whether a set was the last of a series that is over: how that ended is told with it."""
    later = (
        one.code for one in view.told[place_of(view, played) + 1 :] if one.code in (*SETS, *TAKEN)
    )
    return next(later, "") in TAKEN


def series_of(view: HandView, played: Phrase) -> int:
    """How many series were over when a set was played."""
    return sum(one.code in TAKEN for one in view.told[: place_of(view, played)])


def beats_others(view: HandView) -> bool:
    """Whether others than the reader have played before the latest set in its series."""
    codes = [one.code for one in view.told]
    last = max((at for at, code in enumerate(codes) if code in SETS), default=0)
    taken = max((at for at, code in enumerate(codes[:last]) if code in TAKEN), default=-1)
    return any(
        one.code in SETS and one.params["seat"] != SeatName(view.seat)
        for one in view.told[taken + 1 : last]
    )


def test_the_end_of_a_round_tells_what_its_last_set_was_played_upon() -> None:
    """Computers have played on since somebody's last turn: what beat it would be seen nowhere."""
    told, turns = set[str](), 0
    for table in TABLES:
        names = NAMES[: table.seats]
        for position in (*positions(str(table), 1), *positions(str(table), 2)):
            if (points := table.game.round_scores(position.state)) is None:
                continue
            shown = board(table, position, names)
            result = samples.result_view(
                head=shown.head, scores=points, ranking=Outcome.of(points).ranking,
                rounds=(points,), ending=shown.layout, told=position.told, starters=names,
            )  # fmt: skip
            assert shown.pause is not None
            paused = replace(shown, pause=replace(shown.pause, told=position.told))
            played = [one for one in position.told if one.code in (*SETS, *TAKEN)]
            upon = played[-2].code in SETS
            code = "series.since" if upon else "series.in_last"
            latest = [one for one in played[:-1] if one.code in SETS][-1]
            line = EN.phrase("aufundab", latest, shown.head.names)
            for said in (text(channel_message(one, EN, PICTURE)) for one in (result, paused)):
                _, found, before = said.partition(f"-# {EN.get(code, told='')}")
                assert found
                before = before.splitlines()[0]
                turned = [EN.phrase("aufundab", one, shown.head.names) for one in arrow(position)]
                assert before.endswith(" · ".join([line, *turned]))
                turns += bool(turned)
            told.add(code)
    assert len(told) == 2
    assert turns


def test_a_turned_hand_that_can_only_pass_says_both() -> None:
    """How the last series ended is the third line: above the picture there is room for two."""
    seen = 0
    for table in TABLES:
        for position in positions(str(table), 0):
            for seat in table.game.actors(position.state):
                if seat < 0:
                    continue
                view = hand(table, position.state, seat, NAMES)
                codes = [one.phrase.code for one in view.layout.blocks if isinstance(one, Line)]
                turned = [code for code in codes if code.startswith("hand_turned")]
                nothing = [code for code in codes if code.startswith("nothing_beats")]
                if not (turned and nothing):
                    continue
                said = text(hand_panel(view, EN, PICTURE))
                lines = [one for one in view.layout.blocks if isinstance(one, Line)]
                for line in lines:
                    if line.phrase.code in (*turned, *nothing):
                        assert EN.phrase("aufundab", line.phrase, view.head.names) in said
                seen += 1
    assert seen


def arrow(position: samples.Position) -> Sequence[Phrase]:
    """That the arrow has turned, where the last set of the round began its series."""
    codes = [one.code for one in position.told]
    after = max(at for at, code in enumerate(codes) if code in SETS)
    before = max((at for at, code in enumerate(codes[:after]) if code in SETS), default=0)
    return [one for one in position.told[before:after] if one.code.startswith("turned_")]


@pytest.mark.parametrize("picture", [PICTURE, None])
def test_the_change_cards_of_a_series_are_counted_once(picture: object) -> None:
    counted = 0
    for view in asked():
        said = text(hand_panel(view, EN, PICTURE if picture else None))
        assert said.count("hange cards") == 1
        counted += "covered ones too: " in said
    assert counted > 20


def test_cards_are_emoji_whichever_way_they_lie() -> None:
    deck = next(iter(DECKS))
    know_emojis({name_of(deck, key, "1a2b3c"): 10**18 + n for n, key in enumerate(keys())})
    shown = illustrated(EN, deck)
    for turned, first in ((True, "a5_0"), (False, "a0_5")):
        cards = Cards(("5-5", "0-5"), turned=turned)
        said = shown.phrase("aufundab", phrase("won_out", seat=SeatName(0), cards=cards), NAMES)
        assert re.findall(r"<:st_s_(\w+)_1a2b3c:\d+>", said) == ["a5_5", first]
