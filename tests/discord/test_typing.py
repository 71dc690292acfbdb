"""What people type after `/play`, and what the suggestions tell."""

from __future__ import annotations

import re
from itertools import combinations, product
from unittest.mock import patch

import pytest

from bot.i18n import HYPHEN, texts
from bot.tables.model import Table
from cogs.play import Words
from tests.discord.steps import actor, first, hidden, match, others, play, reach, tables
from tests.discord.world import World


async def unchanged(w: World, before: Table) -> None:
    assert (await w.table()).log == before.log


async def test_out_of_turn_nothing_is_played(w: World) -> None:
    table = await match(w)
    for player in others(w, table):
        said = await player.slash("play", action="pass")
        assert f"It's {actor(w, table).name}'s turn. Your cards are safe." in said
    await unchanged(w, table)


@pytest.mark.parametrize("style", ["upper", "spaces", "bare", "turned"])
async def test_notation_is_read_leniently(style: str, w: World) -> None:
    table = await match(w)
    text = first(table)
    match style:
        case "upper":
            typed = text.upper()
        case "spaces":
            typed = "  " + text.replace(" ", "   ") + " "
        case "bare":
            typed = text.removeprefix("play ")
        case _:
            head, *cards = text.split()
            turned = ["-".join(card[:3].split("-")[::-1]) + card[3:] for card in cards]
            typed = " ".join([head, *turned[::-1]])
    said = await actor(w, table).slash("play", action=typed)
    after = await w.table()
    assert after.ply == table.ply + 1, said
    assert after.log[-1].text == text


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("game", ["auffalscherfaehrte", "sticheln", "kaiserspiel"])
@pytest.mark.parametrize("verb", [[], ["play"]], ids=["alone", "with its verb"])
async def test_cards_can_be_typed_by_their_names(
    game: str, language: str, verb: list[str], w: World
) -> None:
    table = await reach(w, await match(w, game=game), lambda now: first(now).startswith("play "))
    asked, text = actor(w, table), first(table)
    w.locales[asked.id] = language
    name = texts(language).card_name(game, text.split()[-1])
    words = [word for word in re.findall(r"\w+", name) if not word.isdigit()]
    numbers = [word for word in re.findall(r"\w+", name) if word.isdigit()]
    typed = " ".join([*verb, *numbers, *(word.upper() for word in reversed(words))])
    said = await asked.slash("play", action=typed)
    after = await w.table()
    assert after.log[table.ply].text == text, (typed, said)


@pytest.mark.parametrize(
    ("language", "down"), [("en", "face down"), ("de", "verdeckt"), ("fr", "face cachée")]
)
async def test_a_card_that_could_lie_face_down_is_played_openly_unless_that_is_typed(
    language: str, down: str, w: World
) -> None:
    table = await reach(
        w, await match(w, game="kaiserspiel"), lambda now: "play" in first(now).split()
    )
    table = await reach(w, table, lambda now: any(text.endswith(" down") for text in legal(now)))
    for more, ending in (("", ""), (f" {down}", " down")):
        asked = actor(w, table)
        w.locales[asked.id] = language
        text = next(text for text in legal(table) if not text.endswith(" down"))
        name = texts(language).card_name("kaiserspiel", text.split()[-1])
        shown = await asked.actor.autocomplete(w.channel, "play", "action", f"{text} down")
        assert [one["name"].lower().endswith(f"({down})") for one in shown] == [True]
        said = await asked.slash("play", action=name + more)
        table, before = await w.table(), table
        assert table.log[before.ply].text == text + ending, said
        table = await reach(w, table, lambda now: any(t.endswith(" down") for t in legal(now)))


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("more", ["", "kaiser "])
async def test_a_kaiser_can_be_declared_by_the_name_of_its_card(
    more: str, language: str, w: World
) -> None:
    table = await match(w, game="kaiserspiel")
    table = await reach(w, table, lambda now: any(t.startswith("kaiser") for t in legal(now)))
    asked, text = actor(w, table), next(t for t in legal(table) if t.startswith("kaiser"))
    w.locales[asked.id] = language
    name = texts(language).card_name("kaiserspiel", text.split()[-1])
    said = await asked.slash("play", action=more + name)
    assert [done.text for done in (await w.table()).log[table.ply :]] == [text], said


def legal(table: Table) -> list[str]:
    """What whoever is asked first may do."""
    return list(table.legal_texts(table.actors[0]))


async def test_what_could_mean_several_cards_is_not_guessed(w: World) -> None:
    table = await match(w, game="sticheln")
    for typed in ("5", "grey", "gr 5", "red", "1 2"):
        said = await actor(w, table).slash("play", action=typed)
        await unchanged(w, table)
        assert said


@pytest.mark.every_case
@pytest.mark.parametrize("game", ["aufundab", "auffalscherfaehrte", "sticheln", "kaiserspiel"])
async def test_no_card_is_played_that_was_not_typed(game: str, w: World) -> None:
    """Nor is one left out, whatever else may be played; a verb alone has no cards."""
    table, ply, read = await match(w, game=game), -1, 0
    while table.ply > ply and table.actors:
        ply, allowed = table.ply, legal(table)
        words = Words(table, actor(w, table).id, texts("en"))
        one = words.pack & {word for text in allowed for word in text.split()} | hidden(table)
        two = map(" ".join, combinations(sorted(one)[::4], 2))
        verbs = {text.split()[0] for text in allowed}
        for cards in ("", *one, *two):
            names = [texts("en").card_name(game, card) for card in cards.split()]
            for verb, called in product(("", *verbs), (cards, " ".join(names))):
                meant = words.meant(typed := f"{verb} {called}".strip(), allowed)
                if meant not in (typed, f"play {typed}"):
                    named = {word for word in meant.split() if word.partition("x")[0] in words.pack}
                    assert named == {*cards.split()}, (typed, meant)
                    read += 1
        table = await play(w, table, 1, but_the_last=True)
    assert read


async def test_who_types_a_card_that_cannot_be_played_is_told_so_and_keeps_it(w: World) -> None:
    """In Auf und Ab: where only with a card that counts twice it would be enough."""
    table = await match(w)
    table = await reach(w, table, lambda now: any(map(lacks_a_double, legal(now))))
    text = next(text for text in legal(table) if lacks_a_double(text))
    typed = " ".join(word for word in text.split() if "x" not in word)
    said = await actor(w, table).slash("play", action=typed)
    await unchanged(w, table)
    assert re.search("card|set", said)


def lacks_a_double(text: str) -> bool:
    """Whether it plays one card as it is beside one that counts twice."""
    return len(text.split()) == 3 and text.count("x") == 1


async def test_suggestions_are_for_the_one_who_is_asked_and_for_nobody_else(w: World) -> None:
    table = await match(w)
    asked = actor(w, table)
    choices = await asked.actor.autocomplete(w.channel, "play", "action", "")
    legal = list(table.legal_texts(table.actors[0]))
    assert choices
    assert {choice["value"] for choice in choices} <= set(legal)
    assert len(choices) == min(25, len(legal))
    # In the words that everybody reads: no line ends within a card.
    written = [choice["value"].replace("-", HYPHEN).replace("x2", "×2") for choice in choices]
    assert [choice["name"] for choice in choices] == [name[:100] for name in written]
    some = legal[-1]
    narrowed = await asked.actor.autocomplete(w.channel, "play", "action", some.upper())
    assert some in [choice["value"] for choice in narrowed]
    assert await asked.actor.autocomplete(w.channel, "play", "action", "x" * 6000) == []
    assert await asked.actor.autocomplete(w.channel, "play", "table", "\x00" * 6000) == []
    for player in (*others(w, table), w.dan):
        assert await player.actor.autocomplete(w.channel, "play", "action", "") == []
        assert await player.user.autocomplete("play", "action", "") == []
    assert await w.dan.actor.autocomplete(w.channel, "play", "action", "", table="ZZZ") == []


@pytest.mark.parametrize("text", ["\ud83d", "A\x00B", "T\u0661", "🃏"], ids=ascii)
async def test_what_no_table_can_be_called_is_looked_up_nowhere(text: str, w: World) -> None:
    """Half an emoji is refused by SQLite, and a zero by PostgreSQL, before any table is."""
    with patch.object(type(tables(w)), "find", side_effect=AssertionError):
        said = await w.ann.slash("table", table=text)
    assert "I don't know that table" in said
