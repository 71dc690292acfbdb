"""The deal that anyone can check: commitments, words, published seeds, records, and trouble."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from bot.ids import UserId
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.stored import Person, Status
from engine.registry import games
from engine.verify import verify_text
from tests.discord.steps import dealt, lobby, match, play, stop, tables
from tests.discord.test_planning import come, pass_time
from tests.discord.watch import Knowledge
from tests.discord.world import World
from tests.lengths import length
from tests.tables.outcomes import shuffled

WHOLE = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
PROOF = re.compile(r"proof \(see `/verify`\) ([0-9a-f]{32})…")


def seed(table: Table, number: int) -> str:
    """The seed of a round, in hex, and its commitment computed here."""
    return table.stored.shuffling.shuffles[number - 1].seed


def bound(table: Table) -> str:
    """What binds every deal, computed here."""
    return hashlib.sha256(bytes.fromhex(seed(table, 1))).hexdigest()


def said_digits(text: str) -> set[str]:
    return set(WHOLE.findall(text))


def promised(text: str) -> list[str]:
    """What is said before a deal of what binds it."""
    assert not said_digits(text)
    return PROOF.findall(text)


async def test_one_commitment_stands_in_the_lobby_and_in_every_greeting_and_stays_there(
    w: World,
) -> None:
    table = await lobby(w, "Ann", "Ben", seats=4, hands=2)
    await w.cat.slash("join")
    opened = w.board()
    assert promised(opened.text) == [bound(table)[:32]]
    await w.ann.press_verb(opened, Verb.START)
    table = await w.table()
    running = w.board()
    assert running.id != opened.id
    assert shuffled(table).post == str(running.id), "posted before the deal"
    assert promised(running.text) == [], "no noise on a board in play"
    assert promised(w.refreshed(opened).text) == [bound(table)[:32]], "what was promised stays"
    table = await play(w, table)
    assert promised(w.board().text) == []
    assert seed(table, 1) in await w.dan.slash("verify"), "published after its round"
    for player in (w.ann, w.ben, w.cat):
        await player.press_verb(w.board(), Verb.NEXT)
    table = await dealt(w, table)
    assert table.round == 2
    assert [str(shown.id) for shown in w.boards()] == [shuffled(table).post]
    assert promised(w.refreshed(running).text) == []
    assert promised(w.board().text) == []
    await play(w, table)
    assert "✓ 2 deals and all plays checked" in w.board().text
    assert promised(w.refreshed(opened).text) == [bound(table)[:32]]
    greeting = w.cat.dms()[0]
    assert "You took a seat" in greeting.text
    assert promised(greeting.text) == [bound(table)[:32]]
    assert "||" not in opened.text + greeting.text + w.refreshed(opened).text


@pytest.mark.parametrize("how", ["by whatever door", "planned"])
async def test_everybody_is_greeted_with_the_commitment_before_the_deal(w: World, how: str) -> None:
    if how == "planned":
        await w.ann.slash("newgame", game="aufundab", length=1, at="in 1h")
        await come(w, "Ben", "Cat")
        await pass_time(w, hours=1)
        (table,) = await tables(w).open_tables()
    else:
        table = await lobby(w, "Ann", dms=True)
        for player in (w.ben, w.cat):
            await tables(w).sit(table.id, Person(UserId(player.id), player.name))
    await w.ann.slash("start")
    table = await dealt(w, table)
    await w.env.advance_time(5)
    for player in (w.ann, w.ben, w.cat):
        greetings = [shown for shown in player.dms() if bound(table)[:32] in shown.text]
        assert [shown.id < int(shuffled(table).post or 0) for shown in greetings] == [True]
    await w.ann.slash("leave")
    await w.ann.press_verb(w.ann.panel, Verb.LEAVE_NOW)
    await w.dan.slash("join")
    await w.env.advance_time(5)
    said = [bound(table)[:32] in shown.text for shown in w.dan.dms()]
    assert said == [True, *[False] * (len(said) - 1)], "before their hand"


async def test_nobody_is_dealt_cards_where_the_message_of_the_round_cannot_be_posted(
    w: World,
) -> None:
    """Else whoever knows the seeds could search a word that deals well."""
    table = await lobby(w, "Ann", "Ben", "Cat")
    await w.permit(send_messages=False)
    await w.ann.press_verb(w.board(), Verb.START)
    await w.env.advance_time(60)
    table = await tables(w).table(table.id)
    assert table.phase == Closing(1)
    assert "Send Messages" in w.ann.dms()[-1].text
    await w.permit(send_messages=True)
    table = await dealt(w, table)
    assert shuffled(table).post == str(w.board().id)


@pytest.mark.nightly
async def test_a_press_that_closes_a_round_is_answered_with_the_shuffling_board(w: World) -> None:
    await play(w, await match(w, hands=2))
    old = w.board()
    await w.ann.press_verb(old, Verb.NEXT)
    await w.ben.press_verb(old, Verb.NEXT)
    drawn: list[str] = []
    w.tap(lambda sent: drawn.append(f"{sent.route} {sent.body}"))
    await w.cat.press_verb(old, Verb.NEXT)
    answers = [body for body in drawn if body.startswith("POST interactions")]
    assert len(answers) == 1
    assert "being shuffled" in answers[0]
    assert (await w.table()).round == 2
    assert not w.refreshed(old).presses(*Verb)


async def test_words_are_cut_in_behind_the_button_and_shown_to_all(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", seats=4)
    await w.ben.press_verb(w.board(), Verb.CUT)
    await w.ben.send_form({"word": "kuckuck"})
    assert "kuckuck" in w.board().text
    assert "“Hoppla7” is mixed into the next deal" in await w.cat.slash("cut", word="Hoppla7")
    assert "Hoppla7" in w.board().text
    said = await w.cat.slash("cut", word="zu lang und mit Leerzeichen")
    assert "20" in said
    assert "Hoppla7" in w.board().text
    assert "You are not at this table" in await w.dan.press_verb(w.board(), Verb.CUT)
    assert "You are not at this table" in await w.dan.slash("cut", word="x")
    assert "has been removed" in await w.cat.slash("cut")
    assert "Hoppla7" not in w.board().text
    await w.cat.slash("cut", word="weg")
    await w.cat.slash("leave")
    assert "weg" not in w.board().text
    await w.cat.slash("join")
    await w.ann.slash("start")
    table = await dealt(w, await w.table())
    assert shuffled(table).words == ("", "kuckuck", "")
    assert "kuckuck" in w.messages(w.channel.id)[0].text, "the retired lobby keeps it"


@pytest.mark.parametrize("game", sorted(games()))
async def test_seeds_are_published_when_the_game_allows(game: str, w: World) -> None:
    info = games()[game].info
    table = await match(w, game=game, **length(game, 2, 150))
    for curious in (w.ann, w.players["Dan"]):
        said = await curious.slash("verify")
        assert seed(table, 1) not in said
        assert bound(table) in said_digits(said)
    table = await play(w, table)
    assert isinstance(table.phase, BetweenRounds)
    said = await w.ann.slash("verify")
    published = {number for number in (1, 2) if seed(table, number) in said}
    assert published == ({1} if info.seeds_after == "round" else set())
    for person in table.stored.seating.people:
        await w.players[person.name].slash("start")
    table = await play(w, await dealt(w, table), 1)
    digest = Knowledge(w)
    digest.look()
    said = await w.ann.slash("verify")
    assert not [number for number in digest.numbers() if number in said]
    digest.close()
    table = await stop(w, table)
    said = await w.ann.slash("verify")
    for press, _ in w.ann.panel.presses(Verb.VERIFY):
        said += await w.ann.press(w.ann.panel, press.encode())
    assert seed(table, 1) in said
    assert seed(table, 2) in said
    assert seed(table, 3) not in said, "it was never dealt from"


async def test_verify_says_how_to_check_and_what_it_says_is_right(w: World) -> None:
    table = await play(w, await match(w))
    assert table.stored.status is Status.FINISHED
    said = await w.ann.press_verb(w.board(), Verb.VERIFY)
    digits = said_digits(said)
    assert seed(table, 1) in digits
    assert bound(table) in digits
    assert "✓ Checked: the deal is the one that was sealed" in said
    assert "Seats: 1 Ann · 2 Ben · 3 Cat" in said
    assert str(shuffled(table).post) in said
    assert w.ann.answered.ephemeral


@pytest.mark.nightly
async def test_a_record_is_there_once_the_match_is_over_also_for_who_did_not_play(w: World) -> None:
    table = await match(w)
    assert "still running" in await w.ann.slash("replay", table=table.id)
    assert w.ann.files() == {}
    assert await w.ann.actor.autocomplete(w.channel, "replay", "table", "") == []
    table = await play(w, table)
    offered = await w.ann.actor.autocomplete(w.channel, "replay", "table", "")
    assert [choice["value"] for choice in offered] == [table.id]
    for player in (w.ann, w.dan):
        assert table.id in await player.slash("replay", table=table.id)
        ((name, text),) = player.files().items()
        assert name == f"{table.id}.json"
        assert verify_text(text, 1) == []
        assert json.loads(text)["rounds"][0]["proof"]["table"] == table.id
        assert player.answered.ephemeral
