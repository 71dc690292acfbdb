"""A layout's blocks as text: what there is to see, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, Literal, NamedTuple, assert_never

from bot.i18n import Texts
from bot.pictures.scene import SAID, label_of
from bot.render.alt_text import short_names
from bot.render.components import ACCENTS, GOLD, Page, small, strong
from bot.render.message import Attachment
from bot.render.results import pause_lines
from bot.render.seats import NBSP, levels_line, name, readiness_lines, seat_lines, which_table
from bot.render.tricks import as_seen, cards_line, laid_by, last_lines, signs_of, trick_lines
from bot.views.values import BetweenRoundsView, TableHead
from engine import layout as ui
from engine.game import News, Seat

_ARROWS: Final = {"▲": "up", "▼": "down"}
"""Symbols of headlines that there are emoji for."""
_TRUMP_CODES: Final = frozenset({"chip_trump", "special"})
"""Chips that name the suit that is trump."""
SHORT: Final = 12
"""Characters of a headline that fit one line of a phone at the largest size."""


ABOVE: Final = 2
"""Lines between the headline and a picture, at most: the rest is in the picture, or in the log."""

LATEST: Final = 2
"""Number of news that stand above a picture, in one line: what was offered, and the answer."""

NEWS_LINES: Final = 6
"""Maximum number of events told in words below the seats."""


class Pictured(NamedTuple):
    """A picture of the table, or of a hand below it, and its words."""

    file: Attachment
    words: str


def accent(layout: ui.Layout, game: str, texts: Texts) -> int:
    """The colour of the headline's symbol, else of the first suit among the chips."""
    for block in layout.blocks:
        match block:
            case ui.Headline(symbol=symbol) if symbol in ACCENTS:
                return ACCENTS[symbol]
            case ui.Chips(chips):
                for chip in chips:
                    for value in chip.params.values():
                        if isinstance(value, ui.Suit):
                            colour = texts.suit_colour(game, value.code)
                            return GOLD if colour is None else colour
            case _:
                pass
    return GOLD


def show(
    page: Page,
    blocks: Iterable[ui.Block],
    head: TableHead,
    texts: Texts,
    *,
    turn: str = "",
    above: Sequence[str] = (),
    told: Sequence[ui.Phrase] = (),
    finished: Sequence[ui.Block] = (),
    hand: str = "",
    asked: bool = False,
) -> None:
    """Put the blocks on the page; sentences in a row are one text.

    `turn` (whose it is) comes first, and the game's own headline after it.  The lines `above` are
    above all else, `told` below the seats, without what a block shows as well, but with the cards
    of what was `finished` if it tells of that; `hand` is above the hand.  Lines for the foot are
    left out.  If the owner is `asked`, only playable cards are bright.
    """
    blocks = tuple(blocks)
    latest = _latest(list(_news(told, blocks, head, texts)), head)
    news = list(_news_lines(latest, finished, head, texts))
    pending = [turn, *above]
    for block in blocks:
        match block:
            case ui.CardRow(role="hand"):
                page.text(*pending)
                pending = []
                page.line()
                groups = _groups(block.cards, head.game, texts, asked=asked)
                page.text(small(hand), *groups, small(_legend(block.cards, head.game, texts)))
            case ui.CardRow(role="aside" | "table") if pending and block.cards:
                pending[-1] += f" {cards_line(block.cards, head.game, texts)}"
            case ui.SeatRow(seats):
                page.text(*pending)
                pending = []
                laid = laid_by(blocks, head, texts)
                page.text(*seat_lines(seats, laid, head, texts), *news)
            case _:
                pending += _lines(block, blocks, head, texts, turn=turn)
    page.text(*pending)


def show_picture(
    page: Page,
    blocks: Sequence[ui.Block],
    pictured: Pictured,
    head: TableHead,
    texts: Texts,
    *,
    turn: str,
    above: Sequence[str],
    told: Sequence[ui.Phrase],
    below: Sequence[str] = (),
    finished: Sequence[ui.Block] = (),
    reader: Seat | None = None,
) -> None:
    """Put a picture of the table on the page, and at most two lines above it.

    The lines say what the picture cannot: what just happened and why, but for what the `reader`
    declared, and what is at stake; also of a trick that was `finished` and is no longer among the
    blocks.  The lines `below` are below it, and the lines of the hand that it shows, but for
    `small_print`.
    """
    ahead, behind = _around_the_hand(blocks)
    loud = [line for line in ahead if line.tone == "strong"]
    seen = [*blocks, *finished]
    happened = list(_happened(seen, _by_others(told, reader, head), head, loud=bool(loud)))[
        : ABOVE - len(loud[:1])
    ]
    stakes = [*loud, *(line for line in ahead if line not in loud)][: ABOVE - len(happened)]
    said = [_sentence(line, head, texts) for line in stakes]
    page.text(turn, *above, *_happened_in_words(seen, happened, head, texts), *said)
    page.picture(pictured.file, pictured.words)
    lines = [_sentence(line, head, texts) for line in behind if line.tone != "small"]
    page.text(_unwritten(blocks, head, texts), *lines, *below)


def small_print(blocks: Iterable[ui.Block], head: TableHead, texts: Texts) -> list[str]:
    """Lines behind the hand that explain what a picture of it shows: what beats what, and the
    like."""
    _, behind = _around_the_hand(blocks)
    return [_sentence(line, head, texts) for line in behind if line.tone == "small"]


COVERED: Final = 4
"""Maximum number of sets that are told beside a picture of the last one: more would push the
buttons out of view on a phone."""


def since(
    layout: ui.Layout, told: Sequence[ui.Phrase], seat: Seat, head: TableHead, texts: Texts
) -> str:
    """Sets that others than `seat` have played since it acted last, or since the deal, in the
    latest series that has any, without the one that lies there: no picture shows them.  Nor the one
    that took the series before, which is told with how that ended."""
    if not any(isinstance(one, ui.CardRow) and one.role == "table" for one in layout.blocks):
        return ""
    sets = list(_by_series(told, head))
    others = [one for one in sets[:-1] if one[1].params["seat"] != ui.SeatName(seat)]
    newest = [one for one in others if one[0] == others[-1][0]]
    if newest and newest[-1][0] != sets[-1][0]:
        took = [one for one in sets if one[0] == newest[-1][0]][-1]
        newest = [one for one in newest if one is not took]
    return _before("series.others", newest[-COVERED:], sets[-1:], head, texts)


def led_to_the_end(
    layout: ui.Layout, told: Sequence[ui.Phrase], head: TableHead, texts: Texts
) -> str:
    """Sets before the one that ended the round, of which `told` tells: of its series, or where it
    began that, of the one before."""
    if not any(isinstance(block, ui.LastSet) for block in layout.blocks):
        return ""
    sets = list(_by_series(told, head))
    before = [one for one in sets[:-1] if one[0] == sets[-2][0]]
    ended = [one for one in told if _is(one, News.TAKEN | News.TURNED, head)][-1:]
    after = [one for one in ended if _is(one, News.TURNED, head)]
    return _before("series.since", before[-COVERED:], sets[-1:], head, texts, after)


def _by_series(told: Iterable[ui.Phrase], head: TableHead) -> Iterator[tuple[int, ui.Phrase]]:
    """The sets that were played, each with the number of its series."""
    series = 0
    for one in told:
        if _is(one, News.SET, head):
            yield series, one
        elif _is(one, News.TAKEN, head):
            series += 1


def _is(one: ui.Phrase, news: News, head: TableHead) -> bool:
    """Whether what was told is about any of that."""
    return bool(head.news.get(one.code, News(0)) & news)


_IN_LAST: Final = {"series.since": "series.in_last", "series.others": "series.others_in_last"}
"""By what tells of the series of the set that is seen, what tells of the one before."""


def _before(
    code: Literal["series.since", "series.others"],
    covered: Sequence[tuple[int, ui.Phrase]],
    seen: Sequence[tuple[int, ui.Phrase]],
    head: TableHead,
    texts: Texts,
    turned: Sequence[ui.Phrase] = (),
) -> str:
    """What was played before the set that is `seen`, in its series, or in the one before and how
    the arrow `turned` after that."""
    if not covered:
        return ""
    same = covered[-1][0] == seen[-1][0]
    news = [one for _, one in covered] + ([] if same else [*turned])
    told = " · ".join(texts.phrase(head.game, one, head.names) for one in news)
    return small(texts.get(code if same else _IN_LAST[code], told=told))


def _happened_in_words(
    blocks: Sequence[ui.Block],
    happened: Iterable[Sequence[ui.Phrase]],
    head: TableHead,
    texts: Texts,
) -> Iterator[str]:
    """Lines of recent events; of a trick or series that it was the last one, once another has
    begun."""
    tricks, series = list[ui.Phrase | None](), list[ui.Phrase]()
    for block in blocks if ui.under_way(blocks) else ():
        if isinstance(block, ui.LastSet):
            series.append(block.reason)
        elif isinstance(block, ui.Trick) and block.role == "last":
            tricks.append(block.reason)
    for line in happened:
        told = " · ".join(texts.phrase(head.game, phrase, head.names) for phrase in line)
        if line[0] in tricks:
            told = texts.get("trick.last", cards=told)
        elif line[0] in series:
            told = texts.get("series.before", told=told)
        yield told


def _around_the_hand(blocks: Iterable[ui.Block]) -> tuple[list[ui.Line], list[ui.Line]]:
    """Lines that no picture tells, before and behind the hand; small print only behind it."""
    ahead: list[ui.Line] = []
    behind: list[ui.Line] = []
    for block in blocks:
        match block:
            case ui.CardRow(role="hand"):
                ahead, behind = ahead + behind, []
            case ui.Line(tone="foot") | ui.Line(seen=True):
                pass
            case ui.Line():
                behind.append(block)
            case _:
                pass
    if not any(isinstance(block, ui.CardRow) and block.role == "hand" for block in blocks):
        ahead, behind = behind, []
    return [line for line in ahead if line.tone != "small"], behind


def _happened(
    blocks: Sequence[ui.Block], told: Sequence[ui.Phrase], head: TableHead, *, loud: bool
) -> Iterator[Sequence[ui.Phrase]]:
    """Lines: an action of the clock, and the reason why a player took the last trick or series, or
    why they began with the first, after what was declared just before.

    Without such a reason, or anything `loud` that says it already, the latest news; none while
    cards of a trick or series lie there, since the news would be of the one before.
    """
    reasons = [
        block.reason
        for block in blocks
        if isinstance(block, ui.Trick | ui.LastSet) and block.reason is not None
    ]
    clock = [one for one in told[-NEWS_LINES:] if one.code.startswith("table.")]
    of_game = [one for one in told if not one.code.startswith("table.")]
    news = [one for one in of_game if not _is(one, News.SEEN, head)]
    if clock:
        yield clock[-1:]
    if reasons:
        yield reasons[:1]
    elif first := [at for at, one in enumerate(news) if _is(one, News.BEGINS, head)]:
        declared = [one for one in news[: first[-1]] if _is(one, News.STANDS, head)]
        yield [*declared[-LATEST:], news[first[-1]]]
    elif news and not loud and not ui.under_way(blocks):
        yield news[-LATEST:]


def _by_others(told: Iterable[ui.Phrase], reader: Seat | None, head: TableHead) -> list[ui.Phrase]:
    """News without what the reader has declared."""
    own = None if reader is None else ui.SeatName(reader)
    return [
        one
        for one in told
        if own is None or one.params.get("seat") != own or not _is(one, News.STANDS, head)
    ]


def _unwritten(blocks: Iterable[ui.Block], head: TableHead, texts: Texts) -> str:
    """Names of players whose letters the picture's font lacks: it shows only the seat's number."""
    short = short_names(head, texts)
    seats = [seat.seat for block in blocks if isinstance(block, ui.SeatRow) for seat in block.seats]
    found = [
        f"{label}{NBSP}{name(head, seat, texts)}"
        for seat in seats
        if (label := label_of(short[seat], seat)).startswith("#")
    ]
    return small(" · ".join(found))


def _lines(
    block: ui.Block,
    blocks: Sequence[ui.Block],
    head: TableHead,
    texts: Texts,
    *,
    turn: str,
) -> list[str]:
    """Lines of blocks that are only text; the seats are more than that."""
    match block:
        case ui.Line(tone="foot") | ui.SeatRow():
            return []
        case ui.Headline() if turn:
            return [_sentence(block, head, texts, "###")]
        case ui.Headline() | ui.Line():
            return [_sentence(block, head, texts)]
        case ui.CardRow():
            return _row(block, blocks, head.game, texts)
        case ui.Chips(chips):
            return [" · ".join(_chip(chip, head, texts) for chip in chips)]
        case ui.Trick(role="last") | ui.LastSet():
            return trick_lines(block, blocks, head, texts)
        case ui.Trick():
            return []  # each card stands beside its owner
        case ui.Tally():
            return [_tally(block, texts)]
        case ui.Ladder():
            return [small(texts.phrase(head.game, block.said, head.names))]
        case _:
            assert_never(block)


def _chip(chip: ui.Phrase, head: TableHead, texts: Texts) -> str:
    badge = texts.badge("trump") if chip.code in _TRUMP_CODES else ""
    return " ".join(filter(None, (badge, strong(texts.phrase(head.game, chip, head.names)))))


def _news_lines(
    news: Iterable[ui.Phrase], finished: Iterable[ui.Block], head: TableHead, texts: Texts
) -> Iterator[str]:
    """A line each; above the one about a trick or series that no block shows are its cards."""
    # The reason of a series names all its cards.
    over = [block for block in finished if isinstance(block, ui.Trick)]
    for phrase in news:
        for block in over:
            if block.reason == phrase:
                yield small(last_lines(block, head, texts)[0])
        yield small(texts.phrase(head.game, phrase, head.names))


def _latest(news: Sequence[ui.Phrase], head: TableHead) -> list[ui.Phrase]:
    """At most `NEWS_LINES`: first those go that a picture would show, the earliest before later."""
    stay = sorted(range(len(news)), key=lambda place: (_is(news[place], News.SEEN, head), -place))
    return [news[place] for place in sorted(stay[:NEWS_LINES])]


def _news(
    told: Iterable[ui.Phrase], blocks: Sequence[ui.Block], head: TableHead, texts: Texts
) -> Iterator[ui.Phrase]:
    """News without what a block shows as well.

    Left out are its sentence, its cards, one card of a trick, a set on the table, and that another
    player has chosen, which is beside their name.  Of tricks before the shown one only the winner
    is told: some of their cards alone would look like cards of this one.
    """
    said = frozenset(_said(blocks, head, texts))
    in_tricks = any(isinstance(block, ui.Trick) for block in blocks)
    aside = frozenset(
        card.code
        for block in blocks
        if isinstance(block, ui.CardRow) and block.role == "aside"
        for card in block.cards
    )
    laid = [
        tuple(card.code for card in block.cards)
        for block in blocks
        if isinstance(block, ui.CardRow) and block.role == "table"
    ]
    # Beside their names stands a sign for it; whoever reads it is told what they did.
    chosen = {
        ui.SeatName(seat.seat)
        for block in blocks
        if isinstance(block, ui.SeatRow)
        for seat in block.seats
        if "chosen" in seat.marks and "self" not in seat.marks
    }
    for phrase in told:
        if _is(phrase, News.STANDS, head):
            continue
        lies = _is(phrase, News.LIES, head)
        match phrase.params.get("seat"), phrase.params.get("cards"):
            case (_, ui.Cards((_,)) | None) if lies and in_tricks:
                pass
            case (ui.SeatName(), ui.Cards(codes)) if lies and codes in laid:
                pass
            case (ui.SeatName() as seat, None) if seat in chosen and len(phrase.params) == 1:
                pass
            case (None, ui.Cards(codes)) if codes and aside.issuperset(codes):
                pass
            case _ if texts.phrase(head.game, phrase, head.names) not in said:
                yield phrase


def _said(blocks: Iterable[ui.Block], head: TableHead, texts: Texts) -> Iterator[str]:
    """The sentences of blocks that might also be told as news."""
    for block in blocks:
        match block:
            case ui.Headline(phrase=phrase) | ui.Line(phrase=phrase):
                yield texts.phrase(head.game, phrase, head.names)
            case ui.Trick(reason=ui.Phrase() as reason) | ui.LastSet(reason=ui.Phrase() as reason):
                yield texts.phrase(head.game, reason, head.names)
            case _:
                pass


def foot(
    blocks: Iterable[ui.Block],
    head: TableHead,
    texts: Texts,
    *,
    pictured: bool = False,
    levels: bool = True,
) -> str:
    """Small print below everything: which round of which table.

    Below a picture also what it has no sign for; and the `levels` of computer players.
    """
    blocks = tuple(blocks)
    said = [
        texts.phrase(head.game, chip, head.names)
        for block in blocks
        if pictured and isinstance(block, ui.Chips)
        for chip in block.chips
        if chip.code not in SAID
    ]
    said += [
        texts.phrase(head.game, block.phrase, head.names)
        for block in blocks
        if isinstance(block, ui.Line) and block.tone == "foot"
    ]
    if levels and (line := levels_line(head.names, texts)):
        said.append(line)
    return small(" · ".join([*said, which_table(head, texts)]))


def show_pause(
    page: Page,
    pause: BetweenRoundsView,
    layout: ui.Layout,
    head: TableHead,
    texts: Texts,
    above: Sequence[str] = (),
) -> None:
    """Put a finished round on the page: how it ended, its points, and who is ready to go on.

    Only the headline is above the lines `above`.
    """
    headlines = [block for block in layout.blocks if isinstance(block, ui.Headline)]
    ended = [_sentence(block, head, texts) for block in headlines]
    said = [texts.phrase(head.game, block.phrase, head.names) for block in headlines]
    lines = [line for line in pause_lines(pause, head, texts) if line not in said]
    page.text(*ended, *above, *lines)
    show(page, filter(_tells_of_the_end, layout.blocks), head, texts)
    led = led_to_the_end(layout, pause.told, head, texts)
    page.text(led, *readiness_lines(pause, head, texts))


def ended(
    layout: ui.Layout,
    told: Sequence[ui.Phrase],
    head: TableHead,
    texts: Texts,
    *,
    pictured: bool,
) -> list[str]:
    """How a round ended, of which `told` tells: its last trick, or the end of its last series; if
    the cards are `pictured` only the winner and the reason.

    The round's headline if there is neither.
    """
    lasts = [one for one in layout.blocks if isinstance(one, ui.Trick | ui.LastSet)]
    for block in lasts:
        lines = last_lines(block, head, texts)
        if isinstance(block, ui.LastSet):
            led = led_to_the_end(layout, told, head, texts)
            return [*lines[1 if pictured else 0 :], *([led] if led else [])]
        return [texts.get("trick.last", cards=why) for why in lines[1:]] if pictured else lines
    said = [one.phrase for one in layout.blocks if isinstance(one, ui.Headline)]
    return [texts.phrase(head.game, one, head.names) for one in said]


def _tells_of_the_end(block: ui.Block) -> bool:
    match block:
        case ui.CardRow(role=role):
            return role in ("aside", "open")
        case ui.Headline() | ui.SeatRow() | ui.Ladder():
            return False
        case ui.Line() | ui.Chips() | ui.Trick() | ui.LastSet() | ui.Tally():
            return True
        case _:
            assert_never(block)


def _sentence(block: ui.Headline | ui.Line, head: TableHead, texts: Texts, size: str = "") -> str:
    """A sentence; a headline is as large as `size` says, or as its line has room."""
    text = texts.phrase(head.game, block.phrase, head.names)
    match block:
        case ui.Headline(symbol=symbol):
            size = size or ("#" if len(text) <= SHORT else "##")
            symbol = texts.badge(_ARROWS.get(symbol, ""), symbol)
            return f"{size} {symbol} {text}" if symbol else f"{size} {text}"
        case ui.Line(tone="strong"):
            return strong(text)
        case ui.Line(tone="small"):
            return small(text)
        case ui.Line():
            return text


# Cards


def _row(row: ui.CardRow, blocks: Sequence[ui.Block], game: str, texts: Texts) -> list[str]:
    """A row in large letters; none for cards that are all beside the names of their owners."""
    if all(card.code in _beside(blocks) for card in row.cards):
        return []
    return [f"### {cards_line(row.cards, game, texts)}"]


def _beside(blocks: Iterable[ui.Block]) -> Iterator[str]:
    """Cards that are told of seats."""
    for block in blocks:
        if isinstance(block, ui.SeatRow):
            for seat in block.seats:
                for fact in seat.facts:
                    for value in fact.params.values():
                        if isinstance(value, ui.Cards):
                            yield from value.codes


def _groups(cards: Sequence[ui.CardView], game: str, texts: Texts, *, asked: bool) -> Iterator[str]:
    """A line for each group: `❤️ **R** │ 3 5 **9**`.

    Groups without a playable card step back if others have one, or if the owner is `asked`; where
    only some cards of a group can be played, those stand out.
    """
    groups = [(key, tuple(group)) for key, group in groupby(cards, key=lambda card: card.group)]
    lit = [any(ui.PLAYABLE in card.marks for card in group) for _, group in groups]
    for (key, group), bright in zip(groups, lit, strict=True):
        mixed = bright and not all(ui.PLAYABLE in card.marks for card in group)
        mark = texts.suit_mark(game, key)
        shown = []
        for card in group:
            # The line says the suit: mark and letter, as it is typed.
            of_suit = mark and card.code.startswith(key)
            text = card.code.removeprefix(key) if of_suit else as_seen(card, game, texts)
            text += signs_of(card.marks, game, texts)
            shown.append(strong(text) if mixed and ui.PLAYABLE in card.marks else text)
        line = " ".join(shown)
        if key:
            line = f"{' '.join(filter(None, (mark, strong(key))))} │ {line}"
        yield small(line) if not bright and (asked or any(lit)) else line


def _legend(cards: Sequence[ui.CardView], game: str, texts: Texts) -> str:
    """Meanings of the signs behind these cards, in the same order whatever the cards' order."""
    marks = {mark for card in cards for mark in card.marks}
    signs = sorted((sign, mark) for mark in marks if (sign := texts.sign(game, mark)))
    return " · ".join(f"{sign} {texts.own(game, f'legend.{mark}')}" for sign, mark in signs)


# Tallies


def _tally(tally: ui.Tally, texts: Texts) -> str:
    """`1 + 9 + ? + ?  =  10 so far`."""
    terms = " + ".join("?" if term is None else str(term) for term in tally.terms)
    code = "tally.so_far" if None in tally.terms else "tally"
    return texts.get(code, terms=terms, total=tally.total)
