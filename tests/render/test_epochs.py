"""Whatever can be pressed at a table says in which epoch it was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.i18n import texts
from bot.ids import QuestionId, TableId
from bot.render import pages
from bot.render.board import notice_message
from bot.render.channel import channel_message
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import cut_modal, verify_page
from bot.render.hand import combine_modal, hand_panel
from bot.render.message import Message
from bot.views.values import DealProof, NoticeView, TableHead, VerifyView
from engine.layout import Phrase, SeatName, Standing
from tests.render import samples
from tests.render.limits import check, walk

EN = texts("en")
NO_TABLE = {Verb.RULES, Verb.STANDINGS, Verb.PERIOD, Verb.GAME, Verb.NONE}
LAST = 999_999


def messages(epoch: int) -> Iterator[Message]:
    """Everything that is ever shown of a table, in that epoch."""
    head = replace(samples.head(4, (samples.NASTY,) * 4), epoch=epoch)
    for hand in samples.worst_hands().values():
        view = replace(hand, head=replace(hand.head, epoch=epoch))
        standing = Standing(Phrase("pass"), Phrase("pass"))
        layout = replace(view.layout, controls=(*view.layout.controls[:3], standing))
        yield from (hand_panel(view, EN), hand_panel(replace(view, layout=layout), EN))
    for board in samples.worst_channel().values():
        shown = replace(board, head=replace(board.head, epoch=epoch))
        yield channel_message(shown, EN)
        yield channel_message(shown, EN, watched=True)
    told = [Phrase("played", {"seat": SeatName(0), "cards": "q"})] * 200
    yield pages.log_page(head, told, None, EN)
    yield pages.more_page(head, (), EN, seated=True)
    yield pages.confirm_leave(head, EN, last=False, concedes=False)
    yield pages.confirm_end(head, None, EN)
    yield pages.refusal("No.", head, EN)
    yield notice_message(NoticeView(head, (0, 1), QuestionId(7), None, warned=False), None, EN)
    sealed = DealProof(1, "ab" * 32, "1", ())
    yield verify_page(VerifyView(head, (sealed,) * 9, (), "round"), EN)


@pytest.mark.parametrize("epoch", [0, 1, LAST])
@pytest.mark.behaviour("The database was restored")
def test_whatever_can_be_pressed_at_a_table_names_its_epoch(epoch: int) -> None:
    parts = [part for message in messages(epoch) for part in walk(message.components)]
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    hand = samples.worst_hands()["form"]
    head: TableHead = replace(hand.head, epoch=epoch)
    forms = [cut_modal(head, EN), combine_modal(replace(hand, head=head), "form", EN)]
    ids += [form.to_dict()["custom_id"] for form in forms]
    assert max(map(len, ids)) <= 100
    found = [press for press in map(Press.decode, ids) if press is not None]
    at_a_table = [press for press in found if press.verb not in NO_TABLE]
    assert {press.epoch for press in at_a_table} == {epoch}
    assert {press.verb for press in at_a_table} == set(Verb) - NO_TABLE
    assert {press.table for press in at_a_table} == {samples.TABLE}


def test_ids_of_before_there_were_epochs_mean_what_they_meant() -> None:
    for text in ("st:act:T7Q2:17:play R5", "st:next:T7Q2:9:", "st:rules:aufundab::2"):
        press = Press.decode(text)
        assert press is not None
        assert (press.epoch, press.encode()) == (0, text)
    later = Press(Verb.ACT, TableId("T7Q2"), QuestionId(17), "play R5", 3)
    assert later.encode() == "st3:act:T7Q2:17:play R5"
    assert Press.decode(later.encode()) == later
    assert Press.decode("st1000000:act:T7Q2:17:pass") is None


def test_a_sentence_fits_above_every_board() -> None:
    for board in samples.worst_channel().values():
        check(pages.below(EN.get("error.restored"), channel_message(board, EN, watched=True)))
