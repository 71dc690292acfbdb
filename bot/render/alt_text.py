"""Alternative text of pictures: everything they show, in words; what people are called in them.

It has no mark-up, names people as they call themselves, and is as short as Discord wants it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from bot.i18n import Texts
from bot.ids import Computer
from bot.plain_text import COMPUTER, plain_name, told_apart
from bot.render.components import cut
from bot.render.results import places
from bot.render.seats import plain, to_act
from bot.render.tricks import DOWN, WINNING, cards_line, signs_of
from bot.views.values import LeaderLine, Order, ResultView, TableHead
from engine import layout as ui
from engine.layout import PLAYABLE, CardView, Layout

LIMIT: Final = 1_024
"""Characters of the description of a picture."""
_SHORT: Final = 12
"""Maximum number of characters of a name in a picture; there may be less room."""

_MARKS: Final = {
    "leads": "seat.leads",
    "out": "seat.out",
    "chosen": "picture.chosen",
    "choosing": "picture.choosing",
}
"""Marks of a seat that are words."""
_ROWS: Final = {"table": "picture.table", "open": "picture.open", "aside": "picture.aside"}
"""Names of rows of cards, by their role; hands have words of their own."""


def hand_in_words(head: TableHead, layout: Layout, texts: Texts) -> str:
    """The cards of the owner of the layout, and what lies on the table above them."""
    said = cards_in_words(head.game, layout, texts)
    table = board_in_words(head, layout, texts)
    return f"{said} {cut(table, LIMIT - len(said) - 1)}".strip()


def open_hands_in_words(
    head: TableHead, layout: Layout, hands: Sequence[Sequence[CardView]], texts: Texts
) -> str:
    """The cards of all hands, by their owners, and what lies on the table above them.

    Where there are too many of them, cards are named by their signs.
    """
    table = board_in_words(head, layout, texts)
    held = [(plain(head, seat, texts), cards) for seat, cards in enumerate(hands) if cards]
    for named in (_named, cards_line):
        said = [_sentence(texts.pair(of, named(cards, head.game, texts))) for of, cards in held]
        whole = " ".join([*said, table]).strip()
        if len(whole) <= LIMIT:
            return whole
    return cut(whole, LIMIT)


def cards_in_words(game: str, layout: Layout, texts: Texts) -> str:
    """The cards of the owner of the layout, and which of them may be played where not all may."""
    cards = layout.hand
    if not cards:
        return ""
    said = [texts.get("picture.hand", cards=_named(cards, game, texts), count=len(cards))]
    playable = [card for card in cards if PLAYABLE in card.marks]
    if playable and len(playable) < len(cards):
        said.append(texts.get("picture.playable", cards=_named(playable, game, texts)))
    elif layout.chooses and not playable:
        said.append(texts.get("picture.none_playable"))
    return " ".join(said)


# Boards


def short_names(head: TableHead, texts: Texts, room: int = _SHORT) -> tuple[str, ...]:
    """Names in a picture, by seat, cut to the room that there may be."""
    names = [
        # Without the sign of its own, which no font of ours has.
        texts.get("picture.computer", number=one.number)
        if isinstance(one, Computer)
        else plain(head, seat, texts)
        for seat, one in enumerate(head.names)
    ]
    return told_apart(names, room, end="")


def board_in_words(head: TableHead, layout: Layout, texts: Texts) -> str:
    """A board in words: whose turn it is, the cards on the table, and the facts about each seat."""
    said = [_turn(head, layout, texts)]
    for block in layout.blocks:
        if isinstance(block, ui.CardRow) and said[-1].endswith(":"):
            # The line before it says whose they are.
            said[-1] += f" {_named(block.cards, head.game, texts)}"
        else:
            said += _block(block, head, texts)
    shown = [block for block in layout.blocks if isinstance(block, ui.Trick | ui.LastSet)]
    for block in layout.more:
        if isinstance(block, ui.Trick | ui.LastSet) and block not in shown:
            said += _finished(block, head, texts)
    return cut(" ".join(filter(None, map(_sentence, said))), LIMIT)


def _sentence(text: str) -> str:
    """With a full stop, unless it ends in something like it."""
    text = text.replace("**", "").strip()
    return f"{text}." if text and text[-1] not in ".!?…" else text


def _names(head: TableHead, seats: Iterable[int], texts: Texts) -> str:
    return texts.list([plain(head, seat, texts) for seat in seats])


def _phrase(head: TableHead, phrase: ui.Phrase, texts: Texts) -> str:
    return texts.phrase(head.game, phrase, head.names, plain=True)


def _turn(head: TableHead, layout: Layout, texts: Texts) -> str:
    asked = to_act(layout)
    if not asked or layout.asks is None:
        return ""
    ask = _phrase(head, layout.asks, texts)
    return texts.get("picture.turn", names=_names(head, asked, texts), ask=ask)


def _block(block: ui.Block, head: TableHead, texts: Texts) -> Iterator[str]:
    match block:
        case ui.Headline(phrase=phrase):
            yield _phrase(head, phrase, texts)
        case ui.Line(phrase=phrase, tone=tone):
            if tone in ("normal", "strong"):
                yield _phrase(head, phrase, texts)
        case ui.Ladder(said=said):
            yield _phrase(head, said, texts)
        case ui.Chips(chips):
            yield ", ".join(_phrase(head, chip, texts) for chip in chips)
        case ui.Trick(role="last") | ui.LastSet():
            yield from _finished(block, head, texts)
        case ui.Trick(cards=laid, awaited=awaited):
            if laid:
                yield texts.get("picture.trick", cards=_laid(laid, head, texts))
                if awaited:
                    yield texts.get("picture.awaited", names=_names(head, awaited, texts))
        case ui.CardRow(role=role, cards=cards):
            if cards and role in _ROWS:
                yield texts.get(_ROWS[role], cards=_named(cards, head.game, texts))
        case ui.Tally(terms, total, goal):
            shown = " + ".join("?" if term is None else str(term) for term in terms)
            yield texts.get("picture.trail", terms=shown, total=total, goal=goal)
        case ui.SeatRow(seats):
            scored = any(seat.score for seat in seats)
            yield from (_seat(seat, head, texts, scored=scored) for seat in seats)
        case _:
            assert_never(block)


def _finished(block: ui.Trick | ui.LastSet, head: TableHead, texts: Texts) -> Iterator[str]:
    """A trick or set that was finished, and who took it and why."""
    match block:
        case ui.Trick(cards=laid):
            yield texts.get("picture.last_trick", cards=_laid(laid, head, texts))
        case ui.LastSet(seat, cards):
            shown = _named(cards, head.game, texts)
            yield texts.get("picture.last_set", cards=shown, name=plain(head, seat, texts))
        case _:
            assert_never(block)
    if block.reason is not None:
        yield _phrase(head, block.reason, texts)


def _laid(cards: Sequence[ui.Laid], head: TableHead, texts: Texts) -> str:
    """`Ann red 5, Ben red 9 (winning)`: cards that lie face down stay secret."""
    said = []
    for one in cards:
        hidden = DOWN in one.marks or not one.card
        if hidden:
            card = _hidden(one.marks, head.game, texts)
        else:
            card = texts.card_name(head.game, one.card) + signs_of(one.marks, head.game, texts)
        shown = f"{plain(head, one.seat, texts)} {card}"
        winning = WINNING in one.marks
        said.append(texts.get("picture.winning", card=shown) if winning else shown)
    return ", ".join(said)


def _hidden(marks: Iterable[str], game: str, texts: Texts) -> str:
    """A card that lies face down, and what is announced of it."""
    known = [texts.own(game, f"legend.{mark}") for mark in marks if texts.sign(game, mark)]
    return " ".join([texts.get("picture.down"), *(f"({one})" for one in known)])


def _seat(seat: ui.SeatView, head: TableHead, texts: Texts, *, scored: bool) -> str:
    """`Ann: 3 cards, 12 points, passed`."""
    facts = [texts.get("seat.cards", count=seat.cards_left)]
    if scored:
        facts.append(texts.get("seat.points", count=seat.score))
    facts += [_phrase(head, fact, texts) for fact in seat.facts]
    facts += [texts.get(code) for mark, code in _MARKS.items() if mark in seat.marks]
    return texts.pair(plain(head, seat.seat, texts), ", ".join(facts))


# Results and leaderboards


def full_names(head: TableHead, texts: Texts) -> tuple[str, ...]:
    """Names in a picture with room for whole ones, by seat."""
    return tuple(
        # Without the sign of computer players, which no font of ours has.
        plain(head, seat, texts).removeprefix(COMPUTER).strip()
        for seat in range(len(head.names))
    )


def result_in_words(view: ResultView, texts: Texts) -> str:
    """Places, names and points, the points of each round, and the cards it ended with.

    Of a long match only the sums.
    """
    if view.ranking is None or view.scores is None:
        return ""
    head, said = view.head, []
    ranks = places(view.ranking, head)
    for side, rank in ranks.items():
        points = texts.get("seat.points", count=view.scores[side[0]])
        who = _names(head, side, texts)
        said.append(texts.get("picture.place", place=rank, name=who, points=points))
    rounds = {
        side: texts.get(
            "picture.rounds",
            name=_names(head, side, texts),
            points=", ".join(texts.signed(points[side[0]]) for points in view.rounds),
        )
        for side in ranks
    }
    if len(view.rounds) > 1:
        said += rounds.values()
    for block in () if view.ending is None else view.ending.blocks:
        if isinstance(block, ui.Trick | ui.LastSet):
            said += _finished(block, head, texts)
    sentences = [_sentence(one) for one in said]
    whole = " ".join(sentences)
    return whole if len(whole) <= LIMIT else cut(" ".join(sentences[: len(ranks)]), LIMIT)


def leaders_in_words(lines: Sequence[LeaderLine], order: Order, texts: Texts) -> str:
    """A leaderboard: places, names, how many of their matches people won, and their rating if the
    picture is ordered by it."""
    said = []
    for line in lines:
        said.append(
            texts.get(
                "picture.leader",
                place=line.place,
                name=plain_name(line.name),
                wins=line.wins,
                count=line.matches,
            )
        )
        if order is Order.RATING and line.rating is not None:
            code = "picture.provisional" if line.rating.provisional else "picture.rating"
            said.append(texts.get(code, rating=texts.number(line.rating.shown, 1)))
    return cut(" ".join(said), LIMIT)


# Cards


def _named(cards: Sequence[CardView], game: str, texts: Texts) -> str:
    """`❤️ red 5, 🃏 joker and …`, with the signs behind the cards."""
    return texts.list(
        [texts.card_name(game, card.seen) + signs_of(card.marks, game, texts) for card in cards]
    )
