"""A planned table: its message in the channel, and the call to those who come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.i18n import Markdown, Texts, relative, safe_name
from bot.ids import PlanId, UserId
from bot.render.board import to_table
from bot.render.components import GOLD, GREY, Page, button, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.views.planned import PlanView
from bot.views.values import TableHead

_BECAME: Final[Mapping[str, str]] = {
    "opened": "plan.opened",
    "off": "plan.off",
    "nobody": "plan.nobody",
    "late": "plan.late",
    "busy": "plan.busy",
    "unplayable": "plan.unplayable",
}
"""By state: what became of a plan that is over."""


def plan_message(view: PlanView, texts: Texts) -> Message:
    """When the table opens and who comes; afterwards what became of it."""
    page = Page()
    game = texts.game_name(view.game)
    when = {"time": _absolute(view.due), "relative": relative(view.due)}
    if not view.is_open:
        page.text(strong(f"{game} · {_absolute(view.due)}"), texts.get(_BECAME[view.state]))
        page.row(to_table(view.url, texts))
        return page.message(GREY)
    page.text(f"### {texts.get('plan.title', game=game, **when)}")
    page.text(
        texts.get("plan.waits") if view.waits else "",
        texts.get("plan.weekly") if view.weekly else "",
        _people("plan.coming", view.coming, texts) or texts.get("plan.coming_nobody"),
        _people("plan.cannot", view.cannot, texts),
    )
    how = [texts.get(f"pace.{view.pace}"), texts.get("lobby.private") if view.private else ""]
    count, level = view.computers
    if count:
        how.append(texts.get("plan.computers", count=count, level=texts.get(f"level.{level}")))
    page.text(
        small(" · ".join(part for part in how if part)),
        small(texts.get("plan.how", name=safe_name(view.by))),
    )
    page.row_or_rows(
        [
            button(texts.get("button.come"), _press(view.plan, comes=True), "success"),
            button(texts.get("button.cannot"), _press(view.plan, comes=False)),
        ],
        [button(texts.get("button.call_off"), Press(Verb.CALL_OFF, argument=view.plan))],
    )
    return page.message(GOLD)


def confirm_call_off(view: PlanView, texts: Texts) -> Message:
    """Asks before a plan is called off."""
    code = "plan.confirm_weekly" if view.weekly else "plan.confirm"
    said = texts.get(code, game=texts.game_name(view.game), time=_absolute(view.due))
    done = Press(Verb.CALL_OFF_NOW, argument=view.plan)
    return note(said, button(texts.get("button.call_off"), done, "danger"), accent=GREY)


def open_line(head: TableHead, guests: Sequence[UserId], texts: Texts) -> Message:
    """The line in the channel that calls who said they would come: its mentions ping."""
    people = texts.list([f"<@{guest}>" for guest in guests])
    return note(texts.get("plan.line", people=people, game=texts.game_name(head.game)))


def open_letter(head: TableHead, url: str | None, texts: Texts, *, seated: bool) -> Message:
    """The same as a direct message to one of them."""
    code = "plan.dm" if seated else "plan.dm_full"
    said = texts.get(code, game=texts.game_name(head.game), channel=f"<#{head.channel}>")
    return note(said, *to_table(url, texts), accent=GOLD)


def _people(code: str, names: tuple[str, ...], texts: Texts) -> str:
    if not names:
        return ""
    return texts.get(code, names=texts.list([safe_name(one) for one in names]), count=len(names))


def _press(plan: PlanId, *, comes: bool) -> Press:
    return Press(Verb.COME, argument=f"{plan}|{int(comes)}")


def _absolute(time: datetime) -> Markdown:
    """A moment with its day and date, as everybody reads it on their own clock."""
    return Markdown(f"<t:{int(time.timestamp())}:F>")
