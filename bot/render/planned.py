"""A planned table: its message, the calls to those who come or are asked, and time zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.i18n import Markdown, Texts, hour, relative, safe_name, safe_text
from bot.ids import PlanId, UserId
from bot.render.board import in_line, to_table
from bot.render.components import GOLD, GREY, Button, Page, button, link, option, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.offers import where_in_line
from bot.render.pages import note
from bot.views.planned import AskedView, Clock, PlanView, TimeView
from bot.views.values import TableHead

_BECAME: Final[Mapping[str, str]] = {
    "opened": "plan.opened",
    "off": "plan.off",
    "no_time": "plan.no_time",
    "nobody": "plan.nobody",
    "late": "plan.late",
    "busy": "plan.busy",
    "unplayable": "plan.unplayable",
    "forbidden": "plan.forbidden",
    "shut": "plan.shut",
    "restored": "plan.restored",
}
"""Sentences about plans that are over, by state."""

_CALLS: Final[Mapping[str, str]] = {
    "invited": "plan.invited",
    "found": "plan.line_found",
    "remind": "plan.line_remind",
    "suits": "plan.line_suits",
    "moved_up": "plan.line_moved_up",
}
"""Sentences that call people, by what for."""

ROOM: Final = 2_800
"""Characters that all lists of people may take together, of the 4,000 of a message."""

ROOM_ASKING: Final = 2_200
"""The same beside times, while it asks about them."""


def plan_message(view: PlanView, texts: Texts) -> Message:
    """When the table opens and who comes, or what it asks; afterwards what became of it."""
    if view.asked is not None:
        return _asking(view, view.asked, texts)
    page = Page()
    plan, wish, when = view.plan, view.plan.wish, view.plan.when
    game, time = texts.game_name(wish.game), _absolute(when.due)
    if not plan.is_open:
        page.text(
            strong(game if plan.times else f"{game} · {time}"),
            texts.get(_BECAME[plan.state]),
            texts.get(view.last, zone=safe_text(when.zone or "")) if view.last else "",
        )
        page.row(to_table(view.url, texts))
        return page.message(GREY)
    title = texts.get("plan.title", game=game, time=time, relative=relative(when.due))
    page.text(f"### {title}")
    page.text(
        texts.get("plan.waits") if plan.waits else "",
        texts.get("plan.weekly") if when.weekly else "",
        _people("plan.coming", view.coming, ROOM // 3, texts) or texts.get("plan.coming_nobody"),
        _people("plan.in_line", view.in_line, ROOM // 3, texts),
        _people("plan.cannot", view.cannot, ROOM // 3, texts),
    )
    page.text(
        _agreed(view, texts),
        small(texts.get("plan.how", name=safe_name(plan.by.name))),
        small(texts.get("plan.starts", time=texts.duration(view.starts))),
    )
    page.row_or_rows(
        [
            button(texts.get("button.come"), _press(plan.id, comes=True), "success"),
            button(texts.get("button.cannot"), _press(plan.id, comes=False)),
        ],
        [button(texts.get("button.call_off"), Press(Verb.CALL_OFF, argument=plan.id))],
    )
    if wish.private:
        page.people(Press(Verb.ASK_TO_COME, argument=plan.id), texts.get("invite.choose"))
    return page.message(GOLD)


def _asking(view: PlanView, asked: AskedView, texts: Texts) -> Message:
    """The times and who can then, and a menu of those that are still to come."""
    page, plan = Page(), view.plan
    page.text(f"### {texts.get('plan.ask', game=texts.game_name(plan.wish.game))}")
    room = ROOM_ASKING // (len(asked.times) + 1)
    page.text(
        *(_time(number, time, room, texts) for number, time in enumerate(asked.times, 1)),
        _people("plan.none", asked.none, room, texts),
    )
    enough = 0 if plan.room is None else plan.room.enough
    name = safe_name(plan.by.name)
    page.text(_agreed(view, texts), small(texts.get("plan.ask_how", name=name, enough=enough)))
    times = [
        option(f"{number} · {texts.date(time.shown)}", time_value(time.due))
        for number, time in enumerate(asked.times, 1)
        if not time.over
    ]
    tick = Press(Verb.TICK, argument=plan.id)
    placeholder = texts.get("plan.ask_choose", zone=asked.zone)
    page.select(tick, placeholder, times, maximum=len(times))
    page.row_or_rows(
        [
            button(texts.get("button.no_time"), Press(Verb.TICK, argument=f"{plan.id}|none")),
            button(texts.get("button.take_time"), Press(Verb.TAKE_TIME, argument=plan.id)),
        ],
        [button(texts.get("button.call_off"), Press(Verb.CALL_OFF, argument=plan.id))],
    )
    page.people(Press(Verb.ASK_TO_COME, argument=plan.id), texts.get("invite.choose"))
    return page.message(GOLD)


def time_value(time: datetime) -> str:
    """A time as a value of the menu."""
    return str(int(time.timestamp()))


def _time(number: int, time: TimeView, room: int, texts: Texts) -> str:
    shown = {"number": number, "time": _absolute(time.due)}
    if time.over:
        return texts.get("plan.time_over", **shown)
    code = "plan.time_best" if time.best else "plan.time"
    return _people(code, time.names, room, texts, **shown) or texts.get("plan.time_nobody", **shown)


def _agreed(view: PlanView, texts: Texts) -> str:
    """Pace, privacy and computer players, in small print."""
    wish = view.plan.wish
    how = [texts.get(f"pace.{wish.pace}"), texts.get("lobby.private") if wish.private else ""]
    count, level = wish.computers
    if count:
        how.append(texts.get("plan.computers", count=count, level=texts.get(f"level.{level}")))
    return small(" · ".join(part for part in how if part))


def plan_elsewhere(texts: Texts, url: str) -> Message:
    """In place of a message of a plan that has another one by now."""
    return note(texts.get("plan.elsewhere"), *to_plan(url, texts), accent=GREY)


def to_plan(url: str | None, texts: Texts) -> list[Button]:
    """The way to the message of a plan, where there is one."""
    return [] if url is None else [link(texts.get("button.to_plan"), url)]


def shut_letter(view: PlanView, texts: Texts) -> Message:
    """To the planner of a table that the program may not open, if the channel cannot be told."""
    game, channel = texts.game_name(view.plan.wish.game), f"<#{view.plan.channel}>"
    return note(texts.get("plan.shut_dm", game=game, channel=channel), accent=GREY)


def confirm_call_off(view: PlanView, texts: Texts) -> Message:
    """Asks before a plan is called off."""
    plan = view.plan
    code = "plan.confirm_weekly" if plan.when.weekly else "plan.confirm"
    code = code if view.asked is None else "plan.confirm_ask"
    said = texts.get(code, game=texts.game_name(plan.wish.game), time=_absolute(plan.when.due))
    done = Press(Verb.CALL_OFF_NOW, argument=plan.id)
    return note(said, button(texts.get("button.call_off"), done, "danger"), accent=GREY)


def calling_line(
    view: PlanView, why: str, people: Sequence[UserId], url: str | None, texts: Texts
) -> Message:
    """The line in the channel that calls people to a plan: some mentions ping."""
    plan, asked = view.plan, view.asked is not None
    said = texts.get(
        "plan.invited_ask" if asked and why == "invited" else _CALLS[why],
        people=texts.list([f"<@{user}>" for user in people]),
        name=safe_name(plan.by.name),
        game=texts.game_name(plan.wish.game),
        time=_absolute(plan.when.due),
    )
    return note(said, *to_plan(url, texts))


def open_line(
    head: TableHead, guests: Sequence[UserId], starts: datetime | None, texts: Texts
) -> Message:
    """The line in the channel that names who said they would come: some mentions ping.

    *Ready* is for those who have a seat: it says who of them waits for one.
    """
    people = texts.list([f"<@{guest}>" for guest in guests])
    said = texts.get("plan.line", people=people, game=texts.game_name(head.game))
    waits = in_line(head, texts)
    return note("\n".join(filter(None, [f"{said} {_keeping(starts, texts)}", waits])))


def open_letter(head: TableHead, url: str | None, starts: datetime | None, texts: Texts) -> Message:
    """The same as a direct message to one of them who has a seat."""
    said = _open("plan.dm", head, texts)
    return note(f"{said} {_keeping(starts, texts)}", *to_table(url, texts), accent=GOLD)


def unseated_letter(
    head: TableHead, url: str | None, turn: int, time: timedelta, texts: Texts
) -> Message:
    """The same to one who has no seat: their number in line, 0 if they do not stand there either,
    since it is full or somebody is never to be with somebody else."""
    if not turn:
        return note(_open("plan.dm_none", head, texts), *to_table(url, texts), accent=GOLD)
    said = _open("plan.dm_line", head, texts)
    where = where_in_line(turn, time, texts)
    return note(f"{said} {where}", *to_table(url, texts), accent=GOLD)


def _open(code: str, head: TableHead, texts: Texts) -> str:
    return texts.get(code, game=texts.game_name(head.game), channel=f"<#{head.channel}>")


def _keeping(starts: datetime | None, texts: Texts) -> str:
    """How somebody keeps the seat that they were given, and until when (None: that is over)."""
    if starts is None:
        return texts.get("plan.ready")
    # Never drawn again: in the evening `in 4 minutes` would be `2 hours ago`.
    return texts.get("plan.ready_until", time=hour(starts))


def _people(code: str, names: tuple[str, ...], room: int, texts: Texts, **params: object) -> str:
    """As many names as have room, and the number of the others."""
    if not names:
        return ""
    shown = list[str]()
    for name in map(safe_name, names):
        room -= len(name) + len(", ")
        if room < 0:
            break
        shown.append(name)
    more = len(names) - len(shown)
    listed = texts.list([*shown, texts.get("plan.more", count=more)] if more else shown)
    return texts.get(code, names=listed, count=len(names), **params)


def _press(plan: PlanId, *, comes: bool) -> Press:
    return Press(Verb.COME, argument=f"{plan}|{int(comes)}")


def _absolute(time: datetime) -> Markdown:
    """A moment with its day and date, as everybody reads it on their own clock."""
    return Markdown(f"<t:{int(time.timestamp())}:F>")


# Time zones.


def which_zone(number: int, clocks: Sequence[Clock], texts: Texts) -> Message:
    """Asks for the zone of the plan that was typed under that number."""
    page = Page()
    page.text(texts.get("zone.ask"))
    zone_menu(page, Press(Verb.ZONE, argument=str(number)), clocks, None, texts)
    page.text(small(texts.get("zone.other")))
    return page.message(accent=None)


def zone_menu(
    page: Page, press: Press, clocks: Sequence[Clock], chosen: str | None, texts: Texts
) -> None:
    """A menu whose values are zones."""
    options = [
        option(
            f"{', '.join(texts.city(zone) for zone in clock.zones)} · {clock.shown:%H:%M}",
            clock.zones[0],
            default=chosen in clock.zones,
        )
        for clock in clocks
    ]
    page.select(press, texts.get("zone.choose"), options)
