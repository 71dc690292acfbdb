"""Whatever can be pressed at a table says in which epoch it was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.i18n import texts
from bot.ids import QuestionId, TableId, UserId
from bot.render import confirming, pages
from bot.render.board import notice_message
from bot.render.cards_form import combine_modal
from bot.render.channel import channel_message
from bot.render.computers import computers_page
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import cut_modal, verify_page
from bot.render.hand import hand_panel
from bot.render.inviting import Outcome, invitation, invitation_line, invitation_over
from bot.render.listing import tables_page
from bot.render.message import Message
from bot.render.options_form import options_form
from bot.render.substitutes import substitute_line, substitute_over
from bot.render.wishes import pace_page, wish_buttons
from bot.seated import Computer
from bot.tables.pace import Pace
from bot.views.listed import Listed, TablesView, Waits, Whose
from bot.views.values import (
    DealProof,
    KickView,
    NoticeView,
    OptionsView,
    Sitter,
    TableHead,
    VerifyView,
)
from bot.views.wishes import WishesView
from engine.layout import Act, Barred, Phrase, SeatName, Standing
from engine.players.levels import Level
from tests.render import samples
from tests.render.limits import check, walk

pytestmark = pytest.mark.nightly

EN = texts("en")
NO_TABLE = {
    Verb.TABLES,
    Verb.PICK,
    Verb.NEXT_TABLE,
    Verb.SHARE,
    Verb.RULES,
    Verb.STANDINGS,
    Verb.PERIOD,
    Verb.DECK,
    Verb.SERVER_DECK,
    Verb.GAME,
    Verb.NONE,
    Verb.NOT_TODAY,
    Verb.NEVER,
    Verb.COME,
    Verb.CALL_OFF,
    Verb.CALL_OFF_NOW,
}
LAST = 999_999


def messages(epoch: int) -> Iterator[Message]:
    """Everything that is ever shown of a table, in that epoch."""
    head = replace(samples.head(4, (samples.NASTY,) * 4), epoch=epoch)
    for hand in samples.worst_hands().values():
        view = replace(hand, head=replace(hand.head, epoch=epoch))
        standing = Standing(Phrase("pass"), Phrase("pass"))
        layout = replace(view.layout, controls=(*view.layout.controls[:3], standing))
        yield from (hand_panel(view, EN), hand_panel(replace(view, layout=layout), EN))
    card = Act("play q", cards=("q",), group="q")
    ahead = replace(view, question=None, pause=None, ahead=card.action, since=QuestionId(7))
    yield hand_panel(replace(ahead, layout=replace(ahead.layout, ahead=(card,))), EN)
    for board in samples.worst_channel().values():
        shown = replace(board, head=replace(board.head, epoch=epoch))
        yield channel_message(shown, EN)
        yield channel_message(shown, EN, watched=True, shares=True)
    told = [Phrase("played", {"seat": SeatName(0), "cards": "q"})] * 200
    yield pages.log_page(head, told, None, EN)
    wishes = WishesView(head, resting=False, nudge=QuestionId(7), pace=Pace.DAILY, away=1)
    yield pages.more_page(head, (), EN, seated=True, ends=True, wishes=wish_buttons(wishes, EN))
    yield pace_page(head, Pace.DAILY, list(Pace), 2, EN)
    for whose in Whose:
        lines = (Listed(head, Waits.YOU, seated=True), Listed(head, Waits.PEOPLE, joins=True))
        yield tables_page(TablesView(whose, lines), EN)
    seat = Listed(head, Waits.OTHERS, takes=1)
    yield tables_page(TablesView(Whose.HERE, (seat,)), EN)
    computer = Sitter(1, None, "", computer=Computer(1, Level.NORMAL))
    mixed = replace(head, sitters=(head.sitters[0], computer, Sitter(2, None, "")))
    yield computers_page(mixed, EN)
    yield confirming.confirm_leave(head, EN, last=False, concedes=False)
    yield confirming.confirm_end(head, None, EN)
    yield confirming.confirm_start(head, EN)
    yield invitation(head, (UserId(100), "Ann"), None, EN)
    yield invitation_line(head, "Ann", UserId(101), EN)
    yield substitute_line(head, 1, EN)
    yield from (substitute_over(head, seat, EN) for seat in (None, 0))
    yield from (invitation_over(head, UserId(101), outcome, EN) for outcome in Outcome)
    yield confirming.confirm_kick(KickView(head, UserId(100), "Ann", 0, True, None), EN)
    hand = samples.worst_hands()["form"]
    resign = Act("resign", Phrase("pass"), confirm=Phrase("pass"))
    view = replace(hand, layout=replace(hand.layout, controls=(resign,)))
    view = replace(view, head=head)
    asked = confirming.confirm_act(view, "resign", EN)
    assert asked is not None
    yield from (hand_panel(view, EN), asked)
    barred = (Barred(("3-6",), Phrase("why_too_few", {"needed": 3})),)
    new = replace(hand.layout, controls=(resign,), tip=Phrase("tip_follow"), barred=barred)
    yield hand_panel(replace(view, layout=new, coached=True, hints=True), EN)
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
    options = OptionsView(head, (), (), (("passes", False),))
    forms = [
        cut_modal(head, EN),
        combine_modal(replace(hand, head=head), "form", EN),
        options_form(options, EN),
    ]
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
