"""A person's own hand: cards, question, tip, and buttons for every legal action.

An act is a button that plays at once; a whole hand is a row of buttons for each suit, a narrow
choice stands in words.  A choice opens its acts: up to ten are buttons again, up to twenty-five a
select, and a combination of cards is a form.  A menu is a button for each card, of which so many
are chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, assert_never

from bot.emojis import NEAREST, Emoji
from bot.i18n import JOINER, Texts, relative
from bot.ids import QuestionId
from bot.pictures.signs import hand_signs
from bot.render import blocks
from bot.render.again import again_line
from bot.render.alt_text import hand_in_words, short_names
from bot.render.board import back, log_and_more, to_table
from bot.render.cards_form import (
    DOTS,
    Picking,
    choice_label,
    choice_of,
    choice_title,
    choice_with,
    closing,
    opening,
    picked,
    with_ticks,
)
from bot.render.coaching import aid_lines, goal, helping, key, rules_button, tip_line
from bot.render.components import (
    LABEL,
    OPTIONS,
    ROW,
    WIDE,
    Button,
    Option,
    Page,
    Style,
    button,
    chunks,
    cut,
    evenly,
    fits,
    jump_url,
    option,
    per_row,
    small,
    span,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import cut_button, proof_lines
from bot.render.emoji_texts import Illustrated, illustrated
from bot.render.message import Attachment, Message
from bot.render.pages import note
from bot.render.seats import asking_one, name, to_act, turn_line
from bot.views.values import BetweenRoundsView, HandView, TableHead
from engine.layout import (
    PLAYABLE,
    Act,
    Block,
    CardRow,
    Cards,
    CardView,
    Choice,
    Control,
    LastSet,
    Layout,
    SeatRow,
    Standing,
    Suit,
    Trick,
)

BUTTONS: Final = 10
"""Maximum number of actions that are offered as buttons; more are a select."""

NARROW: Final = 5
"""Up to so many cards to choose from are offered in words, and stand out."""

ROWS: Final = 4
"""Rows of buttons for each suit or number, at most; more would not be seen without scrolling."""

PLAY: Final = "play "
"""What the notation of a card that is simply played begins with, in every game."""

FOOT: Final = 1
"""Parts that stand below all buttons."""

SMALL_PRINT: Final = 9
"""Lines in small print, at most, where signs are explained: with more nobody would read them."""


def hand_panel(
    view: HandView, texts: Texts, picture: Attachment | None = None, deck: str = NEAREST
) -> Message:
    """What the owner of the seat sees and may press, with the emoji of their deck.

    A `picture` shows the cards of `with_dimmed_cards`.
    """
    texts = illustrated(texts.beside(view.head.locale), deck)
    head, view = view.head, _of_its_owner(view)
    page = Page()
    above = [
        f"> {view.notice}" if view.notice else "",
        _warning(view, texts),
        texts.get("hand.away") if view.away else "",
    ]
    returning = [back(head, texts)] if view.away else []
    words: Sequence[str] = ()
    if view.pause is None:
        opened, title = opened_choice(view), ""
        # It begins the message, and what a device shows of one knows no emoji of ours.
        turn = _turn(view, texts.plain)
        shown = view.layout.blocks
        learnt, words = _learnt(view, texts, pictured=picture is not None)
        if picture is not None:
            alternative = hand_in_words(head, with_dimmed_cards(view), texts.plain)
            pictured = blocks.Pictured(picture, alternative)
            # Others may have led and played since somebody took what its owner played to last.
            more = () if view.question is None else view.layout.more
            over = [block for block in more if isinstance(block, Trick | LastSet)]
            blocks.show_picture(
                page, shown, pictured, head, texts,
                turn=turn, above=above, told=view.told, below=learnt, finished=over,
                reader=view.seat,
            )  # fmt: skip
        else:
            if opened is None and view.question is not None:
                whole, shown = shown, tuple(without_cards_on_buttons(view, shown))
                title = texts.get("hand.also") if shown != whole else ""
            blocks.show(
                page, shown, head, texts,
                turn=turn, above=[*above, *learnt], told=view.told,
                finished=view.layout.more, hand=title,
                asked=view.question is not None,
            )  # fmt: skip
        said, answers = _take_back(view, texts)
        page.text(_asked(view, texts), "" if view.opened else tip_line(view, texts), *said)
        page.row([*returning, *answers])
        page.row(_again(view, texts))
        _controls(page, opened, view, texts)
    else:
        blocks.show_pause(page, view.pause, view.layout, head, texts, above)
        page.row(returning)
        _between_rounds(page, view, view.pause, texts)
    words = [*words, _signs(page, view, words, texts) if picture is not None else ""]
    page.text(
        *words,  # between picture and buttons they would part them on a phone
        small(again_line(head, texts)),
        _foot(view, texts, pictured=picture is not None),
    )
    return page.message(blocks.accent(view.layout, head.game, texts))


def _foot(view: HandView, texts: Texts, *, pictured: bool) -> str:
    """Small print below everything; how well computers play stands on the board, unless the hand
    is all that its owner sees of the table."""
    alone = view.head.alone
    return blocks.foot(view.layout.blocks, view.head, texts, pictured=pictured, levels=alone)


def _learnt(view: HandView, texts: Texts, *, pictured: bool) -> tuple[list[str], list[str]]:
    """Lines that no picture shows: above the buttons what is new since the person's last turn, and
    what answers a press; below them, in the same place at every question, the goal, what beats
    what, and words, and a time that is a day; the details of an answer take the place of goal and
    words.

    Else picture and buttons would not fit on one screen.
    """
    head, layout = view.head, view.layout
    steps = _steps(view, texts)
    aim = goal(layout, head, texts, learns=view.learns, pictured=pictured, steps=steps)
    answer, more = aid_lines(view, texts)
    due = _due(view, texts) if head.pace.slow else ""
    if not pictured:
        return answer or aim, [*more, due]
    asked = view.question is not None
    covered = blocks.since(layout, view.told, view.seat, head, texts) if asked else ""
    fine = blocks.small_print(layout.blocks, head, texts)
    explained = [*more, *fine] if answer else [*aim[:1], *fine, *aim[1:]]
    return [covered, *answer], [*filter(None, [*explained, due])]


def _steps(view: HandView, texts: Texts) -> str:
    """What dots on a button mean, where one has them."""
    closed = [one for one in view.layout.controls if isinstance(one, Choice)]
    if (
        view.question is None
        or view.opened
        or view.asking
        or all(_is_one(choice) for choice in closed)
    ):
        return ""
    return texts.get("hand.steps")


def _is_one(choice: Choice) -> bool:
    """Whether a choice is its only act, which says all on a button and needs no second step."""
    return len(choice.acts) == 1 and choice.combine is None and choice.how is None


def _signs(page: Page, view: HandView, words: Sequence[str], texts: Texts) -> str:
    """What the signs in the picture mean, to whoever is new, as long as there is room."""
    if (
        not (view.coached or view.learns)
        or view.pause
        or page.small_lines + len(words) + FOOT >= SMALL_PRINT
    ):
        return ""
    game, names = view.head.game, short_names(view.head, texts)
    return key(hand_signs(game, view.layout, names), game, texts)


def _between_rounds(page: Page, view: HandView, pause: BetweenRoundsView, texts: Texts) -> None:
    """*Next round*, and what people cut with."""
    press = Press.at(view.head, Verb.NEXT, pause.question)
    page.row_or_rows(
        [button(texts.get("button.next"), press, "success"), cut_button(view.head, texts)],
        _links(view, texts),
    )
    page.text(*proof_lines("", pause.words, view.head, texts))


def _take_back(view: HandView, texts: Texts) -> tuple[list[str], list[Button]]:
    """That somebody wants to take their last play back, and what the reader can say to that."""
    wish, head = view.take_back, view.head
    if wish is None:
        return [], []
    said = [texts.get(f"take_back.{wish.state}", name=name(head, wish.seat, texts))]
    if wish.state != "asked":
        return said, []
    if wish.play is not None:
        said.append(f"> {texts.phrase(head.game, wish.play, head.names)}")
    yes, no = (Press.at(head, Verb.UNDO, wish.question, answer) for answer in "10")
    agree = button(texts.get("button.agree"), yes, "success")
    return said, [agree, button(texts.get("button.disagree"), no)]


def _again(view: HandView, texts: Texts) -> list[Button]:
    """Opens a form that was refused again, with the ticks as they were."""
    if view.ticks is None or view.question is None:
        return []
    press = Press.at(view.head, Verb.COMBINE, view.question, view.ticks)
    return [button(texts.get("hand.ticks"), press)]


def left_panel(head: TableHead, url: str | None, texts: Texts) -> Message:
    """What takes the place of the hand of somebody who has no seat at the table any more."""
    said = texts.get("hand.left", game=texts.game_name(head.game))
    return note(said, *to_table(url, texts))


def _warning(view: HandView, texts: Texts) -> str:
    """That the time is up soon, above everything that could be read first."""
    if view.due is None or view.question is None or not view.warned:
        return ""
    code = "hand.idle" if view.idle else "hand.warned"
    return texts.get(code, time=relative(view.due))


def _turn(view: HandView, texts: Texts) -> str:
    """What its owner is asked; else not whose turn it is, which is soon not true any more."""
    if view.question is None and not view.head.alone:
        passes = _passes(view) and not _is_winning(view)
        return f"## {texts.get('turn.passing' if passes else 'turn.not_you')}"
    you = None if view.question is None else view.seat
    return turn_line(view.layout.asks, to_act(view.layout), you, view.head, texts)


def _passes(view: HandView) -> bool:
    """Whether something may yet be passed for its owner in this deal."""
    return view.standing and any(isinstance(one, Standing) for one in view.layout.controls)


def _is_winning(view: HandView) -> bool:
    """Whether the set on the table is its owner's: they may yet have to lead."""
    return any(
        {"self", "lies"} <= {*seat.marks}
        for block in view.layout.blocks
        if isinstance(block, SeatRow)
        for seat in block.seats
    )


def _asked(view: HandView, texts: Texts) -> str:
    """How long there is to answer; or that nobody keeps up whose turn it is meanwhile."""
    if view.question is None:  # where somebody plays alone it is drawn again and again
        if not _passes(view):
            return "" if view.head.alone else small(texts.get("hand.as_it_was"))
        said = [] if view.head.alone else [texts.get("hand.passing")]
        for control in view.layout.controls:
            if isinstance(control, Standing):
                said.insert(0, texts.phrase(view.head.game, control.means, view.head.names))
        return small(" ".join(said)) if said else ""
    return "" if view.head.pace.slow else _due(view, texts)


def _due(view: HandView, texts: Texts) -> str:
    """How long there is to answer, unless a warning says it."""
    due = None if view.question is None or view.warned else view.due
    return "" if due is None else small(texts.get("hand.due", time=relative(due)))


# Controls


def _controls(page: Page, opened: Choice | None, view: HandView, texts: Texts) -> None:
    if view.question is None:
        fresh = [button(texts.get("button.refresh"), Press.at(view.head, Verb.HAND))]
        _ahead(page, view, texts)
        # Behind them: where a press was meant for it as the hand changed, no card lies mostly.
        page.row_or_rows(_tail(view, texts), [] if view.head.alone else fresh)
    elif view.asking is not None:
        _confirming(page, view.asking, view, texts)
    elif (picking := picked(view, view.opened)) is not None:
        title = closing(choice_label(picking.choice, view, texts))
        chosen = texts.cards(view.head.game, picking.cards)
        page.text(strong(texts.pair(title, f"{chosen}, {DOTS}") if chosen else title))
        _pick(page, picking, view, texts)
        page.row(_way_back(view, texts))
    elif opened is None:
        _ahead(page, view, texts)
        _first_step(page, view, texts)
    else:
        _second_step(page, opened, view, texts)


def _first_step(page: Page, view: HandView, texts: Texts) -> None:
    """Cards and choices in the game's order; what is only words below them."""
    controls = _bright(view.layout.controls)
    acts = [control for control in controls if isinstance(control, Act)]
    plays = [act for act in acts if act.cards]
    closed = [one for one in controls if isinstance(one, Choice) and not one.menu]
    either = [one for one in controls if one in plays or one in closed]
    words = [act_button(act, view, texts) for act in acts if not act.cards]
    offers: Sequence[Button] = helping(view, texts)
    if any(choice.group for choice in closed):
        _so_many_of_each(page, either, view, texts)
    elif any(act.group for act in plays) or len(plays) > BUTTONS:
        if len(plays) == 1:
            page.text(small(notes(plays[0], view, texts)))
        more = [*(_control_button(one, view, texts) for one in closed), *offers]
        offers = _acts(page, plays, view, texts, more)
    else:
        row = [_control_button(one, view, texts) for one in either]
        if fits([*row, *words]):  # all that answers the question, side by side
            row, words = [*row, *words], []
        page.rows(row)
    for control in controls:
        if isinstance(control, Choice) and control.menu and control.combine is not None:
            _pick(page, Picking(control, control.combine, ()), view, texts)
    _below(page, words, offers, _tail(view, texts))


def _bright(controls: Sequence[Control]) -> Sequence[Control]:
    """The controls; what is all that can be done is as bright as a card, since other buttons beside
    it look no less like an answer."""
    match [one for one in controls if isinstance(one, Act | Choice)]:
        case [Act(style="secondary") as only]:
            return [replace(one, style="primary") if one is only else one for one in controls]
        case _:
            return controls


def _below(
    page: Page, words: Sequence[Button], offers: Sequence[Button], tail: Sequence[Button]
) -> None:
    """In as few rows as can be: all must be seen without scrolling, also where a phone breaks them.

    Of the offers the last are left out where a message has no room for them.
    """
    row = [*words, *offers, *tail]
    if len(row) <= (WIDE if words else ROW) or fits(row):
        rows = [row]
    else:
        rows = [*map(list, chunks([*words, *offers], WIDE)), [*tail]]
    if offers and sum(1 + len(row) for row in rows) > page.room - FOOT:
        _below(page, words, offers[:-1], tail)
        return
    for row in rows:
        page.row(row)


def _so_many_of_each(page: Page, controls: Sequence[Control], view: HandView, texts: Texts) -> None:
    """How many of each number: the buttons of a group follow each other."""
    groups: dict[str, list[Button]] = {}
    for control in controls:
        if isinstance(control, Act | Choice):
            shown = _control_button(control, view, texts)
            groups.setdefault(control.group, []).append(shown)
    page.grouped(list(groups.values()), ROWS)


def _ahead(page: Page, view: HandView, texts: Texts) -> None:
    """What can be chosen for the next turn, and what was."""
    acts = view.layout.ahead or [a for a in view.layout.controls if isinstance(a, Act)]
    chosen = next((act for act in acts if act.action == view.ahead), None)
    if chosen is not None:
        code = "hand.ahead" if view.question is None else "hand.ahead_now"
        page.text(texts.get(code, card=act_label(chosen, view, texts, named=True)))
        undo = Press.at(view.head, Verb.AHEAD, view.since, "-")
        page.row([button(texts.get("button.ahead_undo"), undo)])
    code = "hand.choose_ahead" if chosen is None else "hand.choose_other"
    others = [] if view.away else [act for act in view.layout.ahead if act != chosen]
    for number, some in enumerate(chunks(others, OPTIONS)):
        press = Press.at(view.head, Verb.AHEAD, view.since, str(number or ""))
        page.select(press, texts.get(code), [act_option(act, view, texts) for act in some])


def _second_step(page: Page, opened: Choice, view: HandView, texts: Texts) -> None:
    title = choice_title(opened, view, texts)
    if opened.title is None:
        title = texts.get("hand.choose", choice=title)
    page.text(strong(title), small(notes(opened, view, texts)))
    _acts(page, opened.acts, view, texts)
    page.row(_way_back(view, texts))


def _confirming(page: Page, act: Act, view: HandView, texts: Texts) -> None:
    """Asks whether its owner means that, says its price if it has one, and offers the way back."""
    sure = Press.at(view.head, Verb.ACT_NOW, view.question, act.action)
    if act.confirm is not None:
        page.text(strong(texts.phrase(view.head.game, act.confirm, view.head.names)))
        label = act_label(act, view, texts, named=True)
        page.row([button(label, sure, "danger"), *_way_back(view, texts)])
        return
    card, within = act_label(act, view, texts, named=True), choice_with(view, act)
    if within is not None and (within.menu or within.how is not None):
        code = "hand.sure"
        card = texts.pair(closing(choice_label(within, view, texts)), card)
    elif act.label is None and act.action.startswith(PLAY):
        code = "hand.sure_play"
    else:
        code = "hand.sure"
    page.text(strong(texts.get(code, card=card)))
    label = texts.get("button.sure" if code == "hand.sure" else "button.play")
    page.row([button(label, sure, "success"), *_way_back(view, texts)])


def _way_back(view: HandView, texts: Texts) -> list[Button]:
    """The way back to all that can be played, and the one to the table."""
    press = Press.at(view.head, Verb.OPEN, view.question)
    return [button(texts.get("button.back"), press), *_links(view, texts)]


def _acts(
    page: Page, acts: Sequence[Act], view: HandView, texts: Texts, more: Sequence[Button] = ()
) -> Sequence[Button]:
    """Few as buttons in words, a hand as rows of its suits, many as selects.

    Returns those of `more` that have found no room beside the last of them.
    """
    grouped = any(act.group for act in acts)
    if len(acts) <= (NARROW if grouped else BUTTONS):
        buttons = [act_button(act, view, texts, named=grouped) for act in acts]
        size = per_row(map(span, buttons))
        spare = -len(buttons) % size if size < WIDE else 0
        for row in chunks([*buttons, *more[:spare]], size):
            page.row(row)
        return more[spare:]
    if grouped and len(acts) <= CARD_BUTTONS:
        by_suit = [(act.group, act_button(act, view, texts)) for act in acts]
        room = max(per_row(span(one) for _, one in by_suit), 4)
        rows = [
            row
            for _, suit in groupby(by_suit, key=itemgetter(0))
            for row in evenly([one for _, one in suit], room)
        ]
        if len(rows) > ROWS:  # suits share rows: all buttons must be seen at once
            rows = evenly([one for _, one in by_suit], room)
        last, left = [*rows[-1]], list[Button]()
        for one in more:
            (last if fits([*last, one]) else left).append(one)
        for row in [*rows[:-1], last]:
            page.row(row)
        return left
    for number, some in enumerate(chunks(acts, OPTIONS)):
        page.select(
            # The actions are the values; the argument only keeps the ids apart.
            Press.at(view.head, Verb.ACT, view.question, str(number or "")),
            texts.get("hand.choose_one", count=len(acts)),
            [act_option(act, view, texts) for act in some],
        )
    return more


def _pick(page: Page, picking: Picking, view: HandView, texts: Texts) -> None:
    """A button for each card; the last one that is wanted plays them.

    All stay in their places, and those that are chosen cannot be pressed: a second press that comes
    late must not mean another card.
    """
    choice, combine, chosen = picking
    hinted, buttons = _hinted_cards(view), list[Button]()
    for card in combine.cards:
        face = Face(opening(texts.plain.card(view.head.game, card)))
        if isinstance(texts, Illustrated):
            face = _of_card(face.label, view.head.game, card, texts)
        ticks = with_ticks(choice.key, combine, {*chosen, card})
        press = Press.at(view.head, Verb.COMBINE, view.question, ticks)
        style: Style = "success" if card in hinted else "primary"
        if card in chosen:
            style = "secondary"
        buttons.append(button(face.label, press, style, disabled=card in chosen, emoji=face.emoji))
    rows = evenly(buttons, per_row(map(span, buttons)))
    if len(chosen) + 1 == combine.minimum:
        for one in buttons:
            one["label"] = closing(one["label"])
    for row in rows:
        page.row(row)


def _control_button(control: Act | Choice, view: HandView, texts: Texts) -> Button:
    match control:
        case Act():
            return act_button(control, view, texts)
        case Choice(acts=(act, *_)) if _is_one(control):
            return act_button(act, view, texts)
        case Choice():
            # What is only a form opens it at once.
            verb = Verb.OPEN if control.acts else Verb.COMBINE
            press = Press.at(view.head, verb, view.question, control.key)
            style: Style = "success" if _is_hinted(control, view) else "primary"
            return button(opening(choice_label(control, view, texts)), press, style)
        case _:
            assert_never(control)


def _standing_button(control: Standing, view: HandView, texts: Texts) -> Button:
    """Passes for the whole deal, or takes that back; it can be pressed at any time.

    Where nothing is asked the number says which deal: the button must not hold for a later one,
    nor answer at once what this panel does not show.
    """
    phrase, argument = (control.undo, "0") if view.standing else (control.label, "1")
    question = QuestionId(view.deal + 1) if view.question is None else view.question
    press = Press.at(view.head, Verb.STANDING, question, argument)
    return button(texts.phrase(view.head.game, phrase, view.head.names, plain=True), press)


def _tail(view: HandView, texts: Texts) -> list[Button]:
    """What can be pressed whether or not one is asked."""
    standing = [control for control in view.layout.controls if isinstance(control, Standing)]
    shown = [
        one for one in standing if (one.offered and (view.in_company or one.alone)) or view.standing
    ]
    row = [_standing_button(control, view, texts) for control in shown]
    row += log_and_more(view.head, texts)[0 if view.head.alone else 1 :]
    row.append(rules_button(view.head.game, texts))
    return [*row, *_links(view, texts)]


def _links(view: HandView, texts: Texts) -> list[Button]:
    return [] if view.board is None else to_table(jump_url(view.head.guild, *view.board), texts)


# Cards that are bright, and cards left to the buttons.

CARD_BUTTONS: Final = 20
"""Maximum number of cards with a button each, whatever their suits: a message has 40 parts."""


def opened_choice(view: HandView) -> Choice | None:
    """The choice whose acts are offered now."""
    if view.question is None or view.opened is None:
        return None
    choice = choice_of(view, view.opened)
    return choice if choice is not None and choice.acts else None


def _of_its_owner(view: HandView) -> HandView:
    """The hand; one that asks says of nobody else that they are to act."""
    asks = view.question is not None
    return replace(view, layout=asking_one(view.layout)) if asks else view


def with_dimmed_cards(view: HandView) -> Layout:
    """The layout of a hand; in the second step only the opened choice's cards are bright."""
    opened, layout = opened_choice(view), _of_its_owner(view).layout
    if opened is not None:
        offered = frozenset(card for act in opened.acts for card in act.cards)
    elif (picking := picked(view, view.opened)) is not None:
        offered = frozenset(picking.combine.cards) - {*picking.cards}
    else:
        return layout
    blocks = [
        CardRow(block.role, tuple(_only(card, offered) for card in block.cards))
        if isinstance(block, CardRow) and block.role == "hand"
        else block
        for block in layout.blocks
    ]
    return replace(layout, blocks=tuple(blocks))


def _only(card: CardView, offered: Collection[str]) -> CardView:
    """`card`, playable only if it is among those offered."""
    if card.code in offered:
        return card
    return card._replace(marks=tuple(mark for mark in card.marks if mark != PLAYABLE))


def without_cards_on_buttons(view: HandView, shown: Iterable[Block]) -> Iterator[Block]:
    """The blocks; of the hand only the cards without a button, so that each is shown once.

    Two equal cards have one button, which does not say how many there are: the other one is text.
    """
    acts = [act for act in view.layout.controls if isinstance(act, Act) and act.cards]
    in_rows = len(acts) <= CARD_BUTTONS and all(act.group for act in acts)
    whole = {act.cards[0] for act in acts if in_rows and len(act.cards) == 1 and act.label is None}
    for block in shown:
        if isinstance(block, CardRow) and block.role == "hand":
            left = []
            for card in block.cards:
                if card.code in whole:
                    whole.remove(card.code)
                else:
                    left.append(card)
            if left:
                yield CardRow(block.role, tuple(left))
        else:
            yield block


# One action as a button or an option: its label, and the emoji of its card or suit before it.


class Face(NamedTuple):
    """Words on a button or option, and the emoji before them."""

    label: str
    emoji: Emoji | None = None


def act_button(act: Act, view: HandView, texts: Texts, *, named: bool = False) -> Button:
    """Plays at once, or asks first."""
    press = Press.at(view.head, Verb.ACT, view.question, act.action)
    face = _face(act, view, texts, named=named)
    return button(face.label, press, _style(act, view), emoji=face.emoji)


def _style(act: Act, view: HandView) -> Style:
    """The game's own colour if it has one, else cards are blue; beside a hint green is what it
    says, and nothing else."""
    hinted = _hinted(view)
    if act.action == hinted:
        return "success"
    blue = {"secondary"} if act.cards else set[str]()
    if hinted is not None:
        blue.add("success")
    return "primary" if act.style in blue else act.style


def _is_hinted(choice: Choice, view: HandView) -> bool:
    """Whether the choice offers what a hint says, or its cards are put together there."""
    hinted, combine = _hinted(view), choice.combine
    if hinted is None or any(act.action == hinted for act in choice.acts):
        return hinted is not None
    cards = _hinted_cards(view)
    if combine is None or not combine.minimum <= len(cards) <= combine.maximum:
        return False
    return {*cards} <= {*combine.cards}


def _hinted_cards(view: HandView) -> Sequence[str]:
    """The cards of that."""
    return [word.partition("x")[0] for word in (_hinted(view) or "").split()[1:]]


def _hinted(view: HandView) -> str | None:
    """Notation of what a hint beside the cards would do."""
    return None if view.aid is None else view.aid.action


def act_option(act: Act, view: HandView, texts: Texts) -> Option:
    """The same in a select; its description says what the act would do."""
    face = _face(act, view, texts, named=True)
    return option(face.label, act.action, notes(act, view, texts), emoji=face.emoji)


def act_label(act: Act, view: HandView, texts: Texts, *, named: bool) -> str:
    """The act's own words, else its cards; `named` writes a single card in words."""
    game, texts = view.head.game, texts.plain
    if act.forced:
        card = texts.card_name(game, act.cards[0])
        rows = (block for block in view.layout.blocks if isinstance(block, CardRow))
        many = any(len(row.cards) > 1 for row in rows if row.role == "hand")
        code = "button.forced" if many else "button.last_card"
        return cut(texts.get(code, card=card), LABEL)
    if act.label is not None:
        return texts.phrase(game, act.label, view.head.names, plain=True)
    if len(act.cards) == 1 and act.group:
        card = act.cards[0]
        shown = texts.card_name(game, card) if named else texts.card(game, card)
        marks = (mark for one in view.layout.hand if one.code == card for mark in one.marks)
        return shown + "".join(texts.sign(game, mark) for mark in marks)
    if named and len(act.cards) == 1:
        return texts.card_name(game, view.layout.seen(act.cards[0]))
    # The notation says which card counts twice.
    written = [word for word in act.action.split() if word.partition("x")[0] in act.cards]
    named_so = written if len(written) == len(act.cards) else act.cards
    return cut(texts.cards(game, list(map(view.layout.seen, named_so))), LABEL)


def notes(of: Act | Choice, view: HandView, texts: Texts) -> str:
    """Remarks on an act or a choice beside its label."""
    people = view.head.names
    return " · ".join(texts.phrase(view.head.game, note, people, plain=True) for note in of.notes)


def _face(act: Act, view: HandView, texts: Texts, *, named: bool) -> Face:
    """The label, with an emoji for its card or suit in place of the mark if there is one."""
    label = act_label(act, view, texts, named=named)
    if not isinstance(texts, Illustrated):
        return Face(label)
    if act.label is not None and not act.forced:
        said = act.label.params.values()
        suits = [one.code for one in said if isinstance(one, Suit)]
        suits += [code[:1] for one in said if isinstance(one, Cards) for code in one.codes]
        return _of_suit(label, view.head.game, suits[0], texts) if len(suits) == 1 else Face(label)
    return (
        _of_card(label, view.head.game, act.cards[0], texts) if len(act.cards) == 1 else Face(label)
    )


def _of_card(label: str, game: str, card: str, texts: Illustrated) -> Face:
    """A card that has a suit stands beside that: its number is larger in the label.

    One of two numbers stands there in words alone, like a set of several.
    """
    if texts.plain.suit_mark(game, card[:1]):
        return _of_suit(label, game, card[:1], texts)
    emoji = texts.emojis.card(game, card)
    if emoji is None or not texts.knows(f"card.{card}.name", game):
        return Face(label)
    left = _without(label, texts.plain.card(game, card))
    return Face(left or texts.own(game, f"card.{card}.name"), emoji)


def _of_suit(label: str, game: str, suit: str, texts: Illustrated) -> Face:
    emoji, mark = texts.emojis.suit(game, suit), texts.plain.suit_mark(game, suit)
    return Face(label) if emoji is None or mark not in label else Face(_without(label, mark), emoji)


def _without(label: str, mark: str) -> str:
    """The label without a mark and what joins it to what follows."""
    before, _, after = label.partition(mark)
    return before + after.lstrip(f"{JOINER}\N{NO-BREAK SPACE} ")
