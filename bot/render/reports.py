"""A result in one line, for the server's channel for results."""

from __future__ import annotations

from bot.i18n import Texts
from bot.render.board import to_result
from bot.render.components import strong
from bot.render.message import Message
from bot.render.pages import note
from bot.render.results import medals
from bot.render.seats import side_name
from bot.views.values import ResultView


def report_line(view: ResultView, url: str, texts: Texts) -> Message:
    """The places and points of a match that counts for somebody, with the way to its result."""
    head, scores, ranking = view.head, view.scores or (), view.ranking or ()
    facts = [strong(texts.game_name(head.game))]
    for side, medal in medals(ranking, scores, head).items():
        points = texts.number(scores[side[0]])
        facts.append(f"{medal} {side_name(head, side, texts)} {strong(points)}")
    if not view.counts:
        facts.append(texts.get("report.for_fun"))
    return note(" · ".join(facts), *to_result(url, texts))
