"""The verifiable deal as people see it: what is published, and that its checks really check."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.answer.choices import MAX_SEATS
from bot.i18n import languages, texts
from bot.ids import Computer, UserId
from bot.render.channel import channel_message, retired_board
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import DIGITS, cut_modal, read_cut, verify_page
from bot.render.message import Message
from bot.render.pages import greeting
from bot.tables.lots import LABEL, Lot, drawn_order, lot
from bot.tables.lots import text as text_of
from bot.tables.stored import Person
from bot.views.values import (
    Check,
    LotView,
    PublicDeal,
    ResultView,
    SeatsView,
    VerifyView,
)
from engine.deal import Mix, commitment, digest, shuffle, stream
from engine.game import AnyGame
from engine.players.levels import Level
from engine.registry import games
from tests.patience import PATIENCE
from tests.render import matches, samples
from tests.render.limits import check, labels, presses, sent, text

EN = texts("en")
SEED = bytes(range(32))
PREVIOUS = digest([(0, "play R5"), (1, "pass")])
WORDS = ("kuckuck", "", "Z9")
OPENED = PublicDeal(2, commitment(SEED, 2), "1307" * 4, WORDS, SEED.hex(), PREVIOUS)
HEX = re.compile("[0-9a-f]{16}")
SEALED = PublicDeal(3, "5ea1ed" * 10 + "abcd", "77", ("", "", ""))
COMING = PublicDeal(4, "0e47" * 16, None, ())


def view(*deals: PublicDeal, **more: Any) -> VerifyView:
    pack = samples.GAME.pack(3, samples.GAME.complete_options(3, {}))
    return replace(VerifyView(samples.head(), deals, pack, "round"), **more)


def shown(*deals: PublicDeal, **more: Any) -> str:
    message = verify_page(view(*deals, **more), EN)
    check(message)
    return text(message)


def commands(message: Message) -> list[str]:
    """The lines for a shell on a page."""
    blocks = text(message).split("```sh\n")[1:]
    return [block.split("\n```")[0] for block in blocks]


# Before and beside the game


def test_what_proves_the_deals_stands_in_one_line_in_the_lobby_and_in_the_greeting() -> None:
    proof = f"-# fair-deal proof (see `/verify`) {samples.COMMITMENT[:DIGITS]}…"
    assert DIGITS == 32
    channel = samples.worst_channel()
    for name in ("lobby", "full lobby"):
        assert proof in text(channel_message(channel[name], EN)).splitlines()
    hello = text(greeting(samples.head(), EN))
    assert hello.splitlines()[-1] == proof


def test_boards_in_play_carry_no_digits() -> None:
    channel = samples.worst_channel()
    for name in ("shuffling", "board", "pause", "result", "stopped", "expired"):
        assert not HEX.search(text(channel_message(channel[name], EN)))


def test_the_words_stand_whole_on_lobby_and_pause() -> None:
    channel = samples.worst_channel()
    for name in ("lobby", "full lobby", "pause", "full pause", "shuffling"):
        assert text(channel_message(channel[name], EN)).count("w" * 20) == 4
    for name in ("lobby", "full lobby", "pause", "full pause"):
        found = presses(channel_message(channel[name], EN))
        assert found["Cut"] == Press(Verb.CUT, samples.TABLE)


def test_a_running_board_says_that_its_post_failed() -> None:
    board = samples.some_board()
    for post, said in (("", True), ("77", False), (None, False)):
        lines = text(channel_message(replace(board, post=post), EN)).splitlines()
        assert any("could not be posted" in line for line in lines) == said
    assert "proof" not in text(channel_message(board, EN))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, None),
        (Check(1, fits=True), "✓ Checked: the deal is the one that was sealed"),
        (Check(7, fits=True), "✓ Checked: the 7 deals are those that were sealed"),
        (Check(7, fits=False), "✗ Checked 7 deals: this match does **not** fit"),
    ],
)
def test_result_and_verify_say_first_in_words_what_the_program_found(
    found: Check | None, said: str | None
) -> None:
    result = samples.worst_channel()["result"]
    assert isinstance(result, ResultView)
    ended = text(channel_message(replace(result, check=found), EN))
    checked = shown(OPENED, check=found)
    for page in (ended, checked):
        assert ("hecked" in page) == (said is not None)
    assert (said or "") in checked
    assert ((said or "") in ended) == (found is None or not found.fits)
    if said is not None:
        assert checked.index(said) < checked.index(OPENED.commitment)


def test_words_are_named_by_who_typed_them() -> None:
    view = samples.lobby_view(head=samples.head(4, free=(3,)), words=("a1", "", "b2", ""))
    lines = text(channel_message(view, EN)).splitlines()
    assert "-# Cut: Ann a1 · Cat b2" in lines
    nobody = samples.lobby_view(words=("", "", "", ""))
    assert "Cut:" not in text(channel_message(nobody, EN))


def test_a_retired_message_is_one_short_line_and_keeps_both_for_whoever_looks() -> None:
    head = samples.head()
    retired = retired_board(
        "https://discord.com/x", "retired.round", EN, head,
        seal=samples.COMMITMENT, words=("a", "b", ""),
    )  # fmt: skip
    check(retired)
    assert text(retired) == (
        "-# Auf und Ab: this round is over · [To the table](https://discord.com/x)"
        f" · Cut: Ann a · Ben b · fair-deal proof (see `/verify`) {samples.COMMITMENT[:DIGITS]}…"
    )
    assert "[To the result](https://x.y)" in text(
        retired_board("https://x.y", "retired.result", EN, head)
    )
    for code in ("round", "result", "moved", "lobby"):
        (line,) = text(retired_board("https://x.y", f"retired.{code}", EN, head)).splitlines()
        assert line.startswith(f"-# {EN.game_name(head.game)}: ")
        assert len(line) <= 90
        assert samples.TABLE not in line
        assert not any(letter.isdigit() for letter in line)


def test_the_form_asks_for_one_word_and_is_read_back() -> None:
    form = cut_modal(samples.head(), EN).to_dict()
    assert len(form["title"]) <= 45
    assert Press.decode(form["custom_id"]) == Press(Verb.CUT, samples.TABLE)
    (label,) = form["components"]
    assert len(label["label"]) <= 45
    assert len(label["description"]) <= 100
    field = label["component"]
    assert (field["max_length"], field["required"]) == (20, False)
    for typed, read in (("kuckuck", "kuckuck"), (" x ", "x"), ("", ""), (None, "")):
        filled = {"type": 18, "component": {"custom_id": field["custom_id"], "value": typed}}
        assert read_cut(sent([filled])) == read


# Verify


def test_a_deal_that_can_be_checked_shows_everything_that_went_into_it() -> None:
    page = shown(OPENED)
    assert "when the table opened" in page
    # By seat: whoever typed the word may have left it, and somebody else sits there now.
    for part in (OPENED.commitment, OPENED.seed, PREVIOUS, "Cut: Seat 1 kuckuck · Seat 3 Z9"):
        assert part is not None
        assert part in page
    link = f"https://discord.com/channels/{2**63}/{2**63 - 1}/{OPENED.post}"
    assert f"[{OPENED.post}]({link})" in page


@pytest.mark.parametrize(
    ("when", "said"), [("round", "after this round"), ("match", "after the match")]
)
def test_a_deal_whose_seed_is_secret_says_when_it_is_published(when: str, said: str) -> None:
    page = shown(SEALED, seeds_after=when)
    assert SEALED.commitment in page
    assert said in page
    assert "python3" not in page
    assert "Nobody cut." in page


def test_a_deal_to_come_and_one_without_a_message() -> None:
    assert "Not dealt yet" in shown(COMING)
    assert "Nobody cut" not in shown(COMING)
    assert "Cut: Ann moo" in shown(COMING._replace(words=("moo", "", "")))
    assert "no message id" in shown(OPENED._replace(post=""))
    assert "No proof was kept" in shown()


def test_a_deal_that_the_end_of_the_match_made_needless_says_so() -> None:
    page = shown(COMING._replace(words=("moo", "", "")), over=True)
    assert COMING.commitment in page
    assert "Cut: Ann moo" in page
    assert "Never dealt" in page
    assert "to come" not in page
    assert "is published" not in page
    assert "Never dealt" not in shown(OPENED, over=True)


def test_the_first_round_has_no_round_before_it() -> None:
    assert "round before" not in shown(OPENED._replace(previous=""))
    assert "round before" in shown(OPENED)


def test_many_rounds_are_paged() -> None:
    opened = [OPENED._replace(round=n, words=("w" * 20,) * 3) for n in range(1, 31)]
    sealed = [SEALED._replace(round=n, words=("w" * 20,) * 3) for n in range(31, 43)]
    deals = (*opened, *sealed)
    rounds = []
    for number in range(33):
        message = verify_page(view(*deals, page=number), EN)
        check(message)
        rounds += [line for line in text(message).splitlines() if line.startswith("**Round")]
        assert f"{number + 1} / 33" in labels(message)
    assert rounds == [f"**Round {n}**" for n in range(1, 43)]
    first, last = (verify_page(view(*deals, page=n), EN) for n in (-3, 99))
    assert presses(first)["›"] == Press(Verb.VERIFY, samples.TABLE, argument="1")
    assert "‹" not in presses(first)
    assert presses(last)["‹"] == Press(Verb.VERIFY, samples.TABLE, argument="31")


def test_the_longest_page_of_every_game_fits(table: matches.Table) -> None:
    deal = PublicDeal(40, "f" * 64, "9" * 20, ("w" * 20,) * table.seats, "e" * 64, "d" * 64)
    names = (samples.NASTY,) * table.seats
    pack = table.game.pack(table.seats, table.options)
    head = matches.head(table, names)
    check(verify_page(VerifyView(head, (deal, deal), pack, "match"), EN))
    sealed = deal._replace(seed=None, previous=None)
    for name in (samples.NASTY, "*" * 32):
        head = matches.head(table, (name,) * table.seats)
        check(verify_page(VerifyView(head, (sealed,) * 9, pack, "match"), EN))


# Seats by lot


def drawn(number: int, names: str, **more: Any) -> SeatsView:
    before = tuple(names.split())
    order = drawn_order(SEED, samples.TABLE, number, len(before))
    made = SeatsView(number, before, order, SEED.hex(), text_of(samples.TABLE, number), fits=True)
    return replace(made, **more)


def test_seats_by_lot_are_told_before_the_deals_with_numbers_of_before() -> None:
    found = drawn(0, "Ann Ben Cat Dan", order=(2, 0, 3, 1))
    page = shown(OPENED, drawn=found)
    assert (
        "When the match began: from 1 Ann · 2 Ben · 3 Cat · 4 Dan the seed of round 1 drew "
        "3 Cat · 1 Ann · 4 Dan · 2 Ben." in page
    )
    assert "✓ Checked: this is what the seed gives." in page
    for part in (SEED.hex(), samples.COMMITMENT, "hashed once"):
        assert part in page
    assert "**Round 2**" not in page
    assert "**Round 2**" in shown(OPENED, drawn=found, page=1)
    assert "Seats by lot" not in shown(OPENED, drawn=found, page=1)


def test_a_draw_in_the_lobby_says_which_it_was_and_who_had_no_seat() -> None:
    found = drawn(7, "Ann Ben", order=(1, 2, 0))
    found = replace(found, before=("Ann", Computer(1, Level.EASY), ""))
    page = shown(OPENED, drawn=found)
    assert "*Shuffle seats* in the lobby, draw 7: from 1 Ann · 2 ⚙ Computer 1 · 3 free seat" in page
    assert "drew 2 ⚙ Computer 1 · 3 free seat · 1 Ann." in page


def test_a_draw_that_the_seed_does_not_give_is_told() -> None:
    page = shown(OPENED, drawn=drawn(0, "Ann Ben Cat", fits=False))
    assert "✗ Checked: this is **not** what the seed gives." in page
    assert "✓" not in page


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [samples.NASTY, "*" * 32, "@" * 32, "[" * 31 + "]"])
def test_the_longest_draw_fits(language: str, name: str) -> None:
    found = replace(drawn(10**6, "a b c d e f"), before=(name,) * 6)
    check(verify_page(view(OPENED, drawn=found, check=Check(40, fits=False)), texts(language)))


def test_the_lobby_says_how_often_seats_were_shuffled_and_offers_it_unless_they_are_drawn() -> None:
    page = channel_message(samples.lobby_view(), EN)
    assert presses(page)["Shuffle seats"] == Press(Verb.SHUFFLE, samples.TABLE)
    assert "by lot" not in text(page)
    assert "The seats were drawn by lot 1 time." in text(
        channel_message(samples.lobby_view(shuffles=1), EN)
    )
    assert "drawn by lot 12 times." in text(channel_message(samples.lobby_view(shuffles=12), EN))
    page = channel_message(samples.lobby_view(customs=(("drawn", True),)), EN)
    assert "seats drawn by lot when the match begins" in text(page)
    assert "Shuffle seats" not in labels(page)


LOT = LotView(
    LABEL,
    SEED.hex(),
    tuple(
        (name, Lot(Person(UserId(10**18 + n), name), n // 3, drawn=n == 0))
        for n, name in enumerate(("Ann", "Ben", "Cat", "Dan"))
    ),
)


def test_how_it_was_drawn_who_sits_out_is_on_the_last_page() -> None:
    pages = [verify_page(view(OPENED, SEALED, page=n, lot=LOT), EN) for n in range(3)]
    assert ["Who sits out" in text(page) for page in pages] == [False, False, True]
    assert "Ann 1000000000000000000 (sits out)" in text(pages[2])
    assert "3 / 3" in labels(pages[2])
    assert "Who sits out" in shown(lot=LOT), "also of a match in which nothing was dealt"


def test_the_longest_lot_fits() -> None:
    people = tuple(
        ("*" * 32, Lot(Person(UserId(2**63 - n), ""), 10**6, drawn=True)) for n in range(MAX_SEATS)
    )
    for language in languages():
        check(verify_page(view(lot=LOT._replace(people=people)), texts(language)))


# What people paste into a shell


def _run(command: str) -> list[str]:
    """What the line prints, typed as it stands."""
    found = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, text=True, check=True, timeout=PATIENCE
    )  # fmt: skip
    assert found.stderr == ""
    return found.stdout.split()


@pytest.fixture
def python3(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python3` is this Python, whatever else is installed."""
    (tmp_path / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


@pytest.mark.usefixtures("python3")
@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_the_program_prints_the_commitment_and_the_pack_as_the_engine_shuffles_it(
    game: AnyGame,
) -> None:
    table = next(table for table in matches.tables() if table.game is game)
    pack = game.pack(table.seats, table.options)
    words = ("kuckuck", "", "Z9", "", "", "")[: table.seats]
    deal = PublicDeal(7, commitment(SEED, 7), "1307" * 4, words, SEED.hex(), PREVIOUS)
    page = verify_page(VerifyView(matches.head(table), (deal,), pack, "round"), EN)
    (program,) = commands(page)
    mix = Mix(game.info.id, samples.TABLE, 7, "1307" * 4, PREVIOUS, words)
    assert _run(program) == [commitment(SEED, 7), *shuffle(pack, stream(SEED, mix))]


@pytest.mark.usefixtures("python3")
@pytest.mark.parametrize(
    "deal",
    [
        OPENED._replace(round=1, previous="", post="", commitment=commitment(SEED)),
        OPENED._replace(words=()),
        OPENED._replace(round=4096, commitment=commitment(SEED, 4096)),
    ],
    ids=["first round, no message", "words unknown", "the longest chain"],
)
def test_the_program_leaves_out_what_was_not_there(deal: PublicDeal) -> None:
    pack = view().pack
    (program,) = commands(verify_page(view(deal), EN))
    words: Sequence[str] = deal.words or ("", "", "")
    mix = Mix(
        "aufundab", samples.TABLE, deal.round, deal.post or "", deal.previous or "", tuple(words)
    )
    assert _run(program) == [deal.commitment, *shuffle(pack, stream(SEED, mix))]


@pytest.mark.usefixtures("python3")
@pytest.mark.parametrize("number", [0, 12])
def test_the_program_prints_the_places_as_the_table_drew_them(number: int) -> None:
    (program,) = commands(verify_page(view(OPENED, drawn=drawn(number, "Ann Ben Cat Dan")), EN))
    order = [str(place + 1) for place in drawn_order(SEED, samples.TABLE, number, 4)]
    assert _run(program) == [commitment(SEED), *order]
    assert "'" not in program[len("python3 -c '") : -1]


def test_the_program_of_the_lot_prints_who_sits_out_first() -> None:
    (program,) = commands(verify_page(view(lot=LOT), EN))
    people = sorted(
        (one.sat_out, lot(SEED.hex(), one.person.id), one.person.id) for _, one in LOT.people
    )
    printed = " ".join(f"({count}, {user})" for count, _, user in people)
    assert _run(program) == printed.split()


def test_what_is_pasted_cannot_break_out_of_its_quotes() -> None:
    pasted = commands(verify_page(view(OPENED), EN)) + commands(verify_page(view(lot=LOT), EN))
    assert len(pasted) == 2
    for command in pasted:
        assert "\n" not in command
        assert command.count("'") in (0, 2)
        assert "`" not in command
