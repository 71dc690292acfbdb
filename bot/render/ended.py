"""The table that is over: its result in the channel, in place of a hand, once more, in one line.

With a picture the text is a headline, the decisive moments, and below the buttons reasons in small
print; without one also the ranking and the rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.emojis import NEAREST
from bot.i18n import Markdown, Texts
from bot.ids import UserId
from bot.pictures.result import BESIDE, Ranked, Result, finish_of
from bot.pictures.scene import label_of
from bot.render import blocks
from bot.render.again import again_button, compared
from bot.render.alt_text import full_names, result_in_words, short_names
from bot.render.board import to_result
from bot.render.components import GOLD, GREY, Button, Page, button, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import check_line, verify_button
from bot.render.emoji_texts import illustrated, illustrated_page
from bot.render.message import Attachment, Message
from bot.render.pages import note
from bot.render.results import (
    Side,
    account_line,
    is_draw,
    lead_taken,
    medals,
    places,
    round_table,
    rounds_button,
    story_lines,
)
from bot.render.review import review_button
from bot.render.seats import levels, name, side_name, sides
from bot.render.sharing import signed
from bot.views.values import ClosedView, NextView, RecordKind, ResultView, TableHead


def result_message(
    view: ResultView, texts: Texts, picture: Attachment | None = None, *, deck: str = NEAREST
) -> Message:
    """The result in the channel, and as a copy for one person."""
    head = view.head
    buttons = [
        again_button(head, texts) if head.again else rematch_button(head, texts),
        *([rounds_button(head, texts)] if view.rounds else []),
        *([review_button(head, texts)] if view.rounds else []),
        verify_button(head, texts),
        button(texts.get("button.more"), Press.at(head, Verb.MORE)),
    ]
    return _page(view, texts, picture, deck, buttons).message(_accent(view))


def shared_result(
    view: ResultView,
    by: str,
    texts: Texts,
    picture: Attachment | None = None,
    *,
    deck: str = NEAREST,
) -> Message:
    """A result as a person shows it to everybody once more."""
    page = _page(view, texts, picture, deck)
    signed(page, by, texts)
    return page.message(_accent(view))


def ended_panel(
    view: ResultView | ClosedView,
    user: UserId,
    url: str | None,
    texts: Texts,
    *,
    deck: str = NEAREST,
) -> Message:
    """How the table ended for one person, where their hand was: nothing of it can be pressed."""
    if isinstance(view, ClosedView):
        page, accent = closed_page(view, texts), GREY
    else:
        page, accent = _own_end(view, user, illustrated(texts, deck)), _accent(view)
    page.row(to_result(url, texts))
    return page.message(accent)


def _own_end(view: ResultView, user: UserId, texts: Texts) -> Page:
    """The reader's own place and its reason, and for whom the match counts."""
    head, page = view.head, Page()
    seat = next((sitter.seat for sitter in head.sitters if sitter.user == user), None)
    side = next((side for side in sides(head) if seat in side), None)
    if side is None or view.scores is None or view.ranking is None:
        page.text(*_headlines(view, texts))
    else:
        ranks = places(view.ranking, head)
        points = texts.get("seat.points", count=view.scores[side[0]])
        if is_draw(ranks):
            said = texts.get("result.draw")
        elif ranks[side] == 1:
            said = texts.get("result.you_win" if len(side) == 1 else "result.you_all_win")
        elif len(side) > 1 and len(ranks) == 2:  # two teams: places would say less
            said, points = texts.get("result.you_all_lose"), _against(side, ranks, view.scores)
        else:
            shared = list(ranks.values()).count(ranks[side]) > 1
            code = "result.you_share" if shared else "result.you"
            said = texts.get(code, place=ranks[side], count=len(ranks))
        page.text(f"## {said} · {points}", *_headlines(view, texts)[1:])
        if ranks[side] > 1:
            page.text(_winners(view, ranks, texts))
        page.text(*compared(view, texts), *_ending(view, texts, pictured=True))
        page.text(*_own_reasons(view, side, texts))
    page.text(*map(small, [*_counting(view, texts), _leaderboard(view, texts)]))
    return page


def _against(side: Side, all_sides: Iterable[Side], scores: Sequence[int]) -> str:
    """`0 : 10`, one's own points first."""
    (other,) = (one for one in all_sides if one != side)
    return f"{scores[side[0]]} : {scores[other[0]]}"


def drawn_result(view: ResultView, texts: Texts) -> Result | None:
    """The result for a picture; None if the match counts for nobody, or has no complete round."""
    head = view.head
    if view.scores is None or view.ranking is None or not view.rounds:
        return None
    called = [label_of(one, seat) for seat, one in enumerate(full_names(head, texts))]
    rows = tuple(
        Ranked(
            place,
            " + ".join(called[seat] for seat in side),
            view.scores[side[0]],
            tuple(points[side[0]] for points in view.rounds),
        )
        for side, place in places(view.ranking, head).items()
    )
    ending = view.ending
    finish = None if ending is None else finish_of(head.game, ending, short_names(head, texts))
    return Result(rows, lead_taken(view), finish)


_CLOSED: Final = {
    "expired": "closed.expired",
    "ended": "closed.ended",
    "restored": "closed.restored",
    "unreadable": "closed.unreadable",
}


def closed_page(view: ClosedView, texts: Texts) -> Page:
    """A page that says why there is no table any more."""
    page = Page()
    page.text(
        f"## {texts.game_name(view.head.game)}",
        texts.get(_CLOSED[view.why]),
        small(texts.get("closed.again")),
    )
    return page


def rematch_button(head: TableHead, texts: Texts) -> Button:
    """Opens a table with the same seats and options."""
    return button(texts.get("button.rematch"), Press.at(head, Verb.REMATCH), "success")


def _accent(view: ResultView) -> int:
    return GREY if view.scores is None else GOLD


def _page(
    view: ResultView,
    texts: Texts,
    picture: Attachment | None,
    deck: str,
    buttons: Sequence[Button] = (),
) -> Page:
    """The whole result."""
    return illustrated_page(lambda words: _told(view, words, picture, buttons), texts, deck)


def _told(
    view: ResultView, texts: Texts, picture: Attachment | None, buttons: Sequence[Button]
) -> Page:
    """Reasons in small print, below the buttons: above them six reasons would push these off a
    screen."""
    page = Page()
    page.text(*_headlines(view, texts), *compared(view, texts))
    if picture is not None:
        page.picture(picture, result_in_words(view, texts.plain))
    else:
        _as_text(page, view, texts)
    page.text(
        *_moments(view, texts, pictured=picture is not None),
        *_records(view, texts),
        "" if view.check is None or view.check.fits else check_line(view.check, texts),
    )
    page.row(buttons)
    page.text(
        *_reasons(view, texts),
        *map(small, _counting(view, texts)),
        small(_footer(view, texts)),
    )
    return page


def _headlines(view: ResultView, texts: Texts) -> list[str]:
    """Who won, and how it ended; or that it was stopped, and why."""
    game = texts.game_name(view.head.game)
    why = [] if view.stop is None else [texts.get(f"result.stopped_{view.stop}")]
    if view.scores is None or view.ranking is None:
        why = why or [texts.get("result.stopped_host")]
        return [f"## {texts.get('result.stopped_title', game=game)}", *why]
    ranks = places(view.ranking, view.head)
    rounds = texts.get("result.rounds", count=len(view.rounds))
    return [f"## {_winners(view, ranks, texts)}", f"{game} · {rounds}", *why]


def _winners(view: ResultView, ranks: Mapping[Side, int], texts: Texts) -> str:
    """`Ann wins`, `Ann and Cat win`, or that there is no winner."""
    if is_draw(ranks):
        return texts.get("result.draw")
    seats = [seat for side, rank in ranks.items() if rank == 1 for seat in side]
    return texts.get("result.wins", names=side_name(view.head, seats, texts), count=len(seats))


def _as_text(page: Page, view: ResultView, texts: Texts) -> None:
    """Places, names, points and rounds, where no picture shows them."""
    head, totals = view.head, [sum(points) for points in zip(*view.rounds, strict=True)]
    if view.scores is not None and view.ranking is not None:
        signs = medals(view.ranking, view.scores, head)
        page.text(*(f"{signs[side]} {_line(view, side, view.scores, texts)}" for side in signs))
    elif totals:
        page.text(*(_line(view, side, totals, texts) for side in sides(head)))
    if len(view.rounds) > 1:
        page.text(round_table(view.rounds, head, texts))


def _line(view: ResultView, side: Side, totals: Sequence[int], texts: Texts) -> str:
    """`**Cat** · 42 points`; a team's members share the line."""
    who = strong(side_name(view.head, side, texts))
    return f"{who} · {texts.get('seat.points', count=totals[side[0]])}"


def _moments(view: ResultView, texts: Texts, *, pictured: bool) -> Iterator[str]:
    """The decisive moments of the match, and how its last round ended."""
    head, taken = view.head, lead_taken(view)
    # Of two rounds whoever won the first and the match has led from the first to the last.
    told = len(view.rounds) > (2 if taken == 1 else 1)
    if taken is not None and view.ranking is not None and told:
        winners = next(iter(places(view.ranking, head)))
        points = texts.signed(view.rounds[taken - 1][winners[0]])
        code = "result.led_always" if taken == 1 else "result.took_lead"
        code = "result.took_lead_last" if taken == len(view.rounds) else code
        names = side_name(head, winners, texts)
        yield texts.get(code, names=names, number=taken, points=points)
    # Where a curve stands in place of the last cards, nothing is told of them either.
    if not (pictured and len(view.rounds) > BESIDE):
        yield from _ending(view, texts, pictured=pictured)


def _ending(view: ResultView, texts: Texts, *, pictured: bool) -> list[str]:
    """How the last round ended, if the match ended with a complete one."""
    if view.ending is None or not view.rounds:
        return []
    return blocks.ended(view.ending, view.told, view.head, texts, pictured=pictured)


_RECORDS: Final = {
    RecordKind.ROUND: "records.new_round",
    RecordKind.COMEBACK: "records.new_comeback",
    RecordKind.LENGTH: "records.new_length",
    RecordKind.ROW: "records.new_row",
}


def _records(view: ResultView, texts: Texts) -> Iterator[str]:
    """The records of the server that this match has set."""
    for fallen in view.records:
        names = texts.list([texts.called(view.starters[seat]) for seat in fallen.seats])
        value, before = texts.number(fallen.value), texts.number(fallen.before)
        yield texts.get(_RECORDS[fallen.kind], names=names, value=value, before=before)


def _reasons(view: ResultView, texts: Texts) -> list[str]:
    """Why each scored what they did in the round that was completed last."""
    if view.story is None or not view.rounds:
        return []
    lines = story_lines(view.story, view.rounds[-1], view.head, texts)
    return [texts.get("result.last_round"), *lines] if len(view.rounds) > 1 else lines


def _own_reasons(view: ResultView, side: Side, texts: Texts) -> Iterator[str]:
    """The reasons of one side alone."""
    if view.story is not None and view.rounds:
        if len(view.rounds) > 1:
            points = texts.signed(view.rounds[-1][side[0]])
            yield texts.get("result.own_round", points=points)
        yield small(account_line(view.story, side, view.head, texts))


def _counting(view: ResultView, texts: Texts) -> Iterator[str]:
    """For whom the match counts and for whom it does not, and why."""
    if view.next is not None:
        yield from _next(view.next, texts)
    if view.conceded:
        who = texts.list([texts.called(one) for one in view.conceded])
        yield texts.get("result.conceded", names=who, count=len(view.conceded))
    if view.scores is None:
        yield texts.get("result.counts_for_nobody")
        return
    for seat, was in enumerate(view.starters):
        began, now = texts.called(was), name(view.head, seat, texts)
        sitter = view.head.sitters[seat]
        if sitter.stand_in:
            code = "result.left" if seat in view.stood_in else "result.left_at_once"
            yield texts.get(code, name=began)
        elif sitter.user != view.beginners.get(seat, sitter.user):
            yield texts.get("result.took_seat", name=now, began=began)


def _next(view: NextView, texts: Texts) -> Iterator[str]:
    """Who plays the rematch that did not play, and who sits it out."""
    for code, names in (
        ("result.comes", view.comes),
        ("result.sits_out_lot" if view.by_lot else "result.sits_out", view.sits_out),
    ):
        if names:
            said = texts.list([texts.called(one) for one in names])
            yield texts.get(code, names=said, count=len(names))
    if view.waits:
        yield texts.get("line.waiting", names=texts.list([texts.called(one) for one in view.waits]))


def _leaderboard(view: ResultView, texts: Texts) -> str:
    """Whether the match is on the leaderboard; or what keeps it off."""
    if view.head.again is not None:
        return texts.get("again.uncounted")
    if view.scores is None:
        return ""
    strength, counting = levels(view.starters, texts), view.counting
    if strength and not counting.computers:
        return texts.get("result.no_board", levels=strength)
    if not view.counts:
        return texts.get("result.for_fun")
    if not counting.board:
        return texts.get("result.off_board")
    unhinted = view.hinted and not counting.hints
    return texts.get("result.counts_unhinted" if unhinted else "result.counts")


def _footer(view: ResultView, texts: Texts) -> str:
    """Small print: where it counts, the check of the deals, hints, the id."""
    said = [_leaderboard(view, texts)]
    if view.check is not None and view.check.fits:
        said.append(texts.get("check.short", count=view.check.deals))
    if view.hinted:
        taken = [f"{texts.called(one)} {texts.number(count)}" for one, count in view.hinted]
        said.append(texts.get("result.hints", names=Markdown(texts.list(taken))))
    if view.taken_back:
        said.append(texts.get("result.taken_back", count=view.taken_back))
    return " · ".join(filter(None, [*said, texts.get("table.named", table=view.head.table)]))


# In one line.


def report_line(view: ResultView, url: str, texts: Texts) -> Message:
    """The places and points of those who began a match that counts, with the way to its result."""
    head, scores, ranking = view.head, view.scores or (), view.ranking or ()
    facts = [strong(texts.game_name(head.game))]
    for side, medal in medals(ranking, scores, head).items():
        points = texts.number(scores[side[0]])
        who = texts.list([texts.called(view.starters[seat]) for seat in side])
        facts.append(f"{medal} {who} {strong(points)}")
    if not view.counts:
        facts.append(texts.get("report.for_fun"))
    return note(" · ".join(facts), *to_result(url, texts))
