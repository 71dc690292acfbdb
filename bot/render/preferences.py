"""The panel of a person's preferences; and what is stored of a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import time
from typing import Final, TypeAlias, assert_never

import discord
from discord import ui

from bot.i18n import Texts, language_name, languages
from bot.pictures.decks import OFFERED
from bot.pictures.faces import Face
from bot.render.components import (
    GREY,
    Form,
    Option,
    Page,
    button,
    option,
    pager,
    sent_in,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.message import Attachment, Message
from bot.render.planned import zone_menu
from bot.views.preferences import Menu, PreferencesView, Quiet, Subject

QUIET_FIELDS: Final = {"begin": 13, "end": 13, "zone": 36}
"""The fields of the form for quiet hours, and how many characters each takes: what was typed fits
into a `custom_id`, so that a form that was refused opens with it again."""

_BETWEEN: Final = "|"
"""Stands between them there."""

Samples: TypeAlias = Sequence[tuple[Sequence[Face], Attachment]]
"""Cards, and a picture of them."""

NO_SAMPLES: Final[Samples] = ()

DISCORD: Final = "discord"
"""In a menu, in place of a language: that of Discord."""


def preferences_page(view: PreferencesView, samples: Samples, texts: Texts) -> Message:
    """What a person has chosen about a subject, all else that they may choose, and the way to the
    other subjects.  `samples` are of their deck."""
    page = Page()
    page.text(f"### {texts.get('prefer.title')}")
    for menu in view.menus:
        _menu(page, menu, texts)
    match view.subject:
        case Subject.CARDS:
            told = texts.get("language.chosen" if view.language else "language.as_discord")
            page.text(strong(texts.get("language.title")), told)
            choose = texts.get("language.choose")
            page.select(Press(Verb.LANGUAGE), choose, language_options(view.language, texts))
            page.text(strong(texts.get("decks.title")), texts.get(f"deck.{view.deck}.told"))
            show_samples(page, samples, texts)
            page.select(Press(Verb.DECK), texts.get("decks.choose"), deck_options(view.deck, texts))
            page.text(small(texts.get("decks.when")))
        case Subject.PLAYING:
            told = texts.get("prefer.tips.on" if view.tips else "prefer.tips.off")
            page.text(strong(texts.get("prefer.tips")), told)
            if not view.tips:
                page.row([button(texts.get("button.tips"), Press(Verb.TIPS))])
        case Subject.CALLS:
            _quiet(page, view, texts)
            told = texts.get("zone.told", zone=view.zone) if view.zone else texts.get("zone.none")
            page.text(strong(texts.get("zone.title")), told)
            zone_menu(page, Press(Verb.MY_ZONE), view.clocks, view.zone, texts)
            _openings(page, view, texts)
        case Subject.PEOPLE:
            _people(page, view, texts)
        case _:
            assert_never(view.subject)
    page.turns(
        [
            (texts.get(f"prefer.{one}"), Press(Verb.PREFERENCES, argument=one), one is view.subject)
            for one in Subject
        ]
    )
    return page.message()


def _quiet(page: Page, view: PreferencesView, texts: Texts) -> None:
    """When they are not called."""
    quiet, again = view.quiet, _BETWEEN.join(view.typed)
    code = "button.try_again" if again else "button.quiet"
    row = [button(texts.get(code), Press(Verb.QUIET, argument=again))]
    if quiet is None:
        page.text(strong(texts.get("quiet.title")), texts.get("quiet.none"))
    else:
        told = texts.get(
            "quiet.told", begin=_clock(quiet.begin), end=_clock(quiet.end), zone=quiet.zone
        )
        page.text(strong(texts.get("quiet.title")), told)
        row.append(button(texts.get("button.no_quiet"), Press(Verb.QUIET, argument="0")))
    page.row(row)


def _openings(page: Page, view: PreferencesView, texts: Texts) -> None:
    """Of which games they are told when a table opens."""
    here, elsewhere = view.followed
    if not view.games:
        told = texts.get("openings.elsewhere")
    elif here:
        names = texts.list([texts.game_name(game) for game in view.games if game in here])
        told = texts.get("openings.some", games=names)
    else:
        told = texts.get("openings.none")
    code = "openings.servers" if view.games else "openings.on_servers"
    more = texts.get(code, count=elsewhere) if elsewhere else ""
    page.text(strong(texts.get("openings.title")), told, small(more))
    if view.games:
        games = [option(texts.game_name(one), one, default=one in here) for one in view.games]
        choose, press = texts.get("openings.choose"), Press(Verb.FOLLOW)
        page.select(press, choose, games, minimum=0, maximum=len(games))
    if elsewhere:
        page.row([button(texts.get("button.follow_nothing"), Press(Verb.UNFOLLOW))])


def quiet_form(values: Sequence[str], texts: Texts) -> discord.ui.Modal:
    """The form for quiet hours, filled in with these."""
    form = Form(title=texts.get("quiet.title"), custom_id=Press(Verb.QUIET).encode())
    for (name, length), value in zip(QUIET_FIELDS.items(), values, strict=True):
        field: ui.TextInput[ui.LayoutView] = ui.TextInput(
            custom_id=name, default=value, max_length=length
        )
        form.add_item(ui.Label(text=texts.get(f"quiet.{name}"), component=field))
    return form


def quiet_values(quiet: Quiet | None, zone: str) -> tuple[str, ...]:
    """What stands in the form at first: the hours that there are, else usual ones and a zone that
    is known."""
    if quiet is None:
        return "22:00", "07:00", zone
    return _clock(quiet.begin), _clock(quiet.end), quiet.zone


def typed_before(argument: str) -> tuple[str, ...] | None:
    """What was typed in a form that was refused, from its button; None if that is malformed."""
    values = tuple(argument.split(_BETWEEN))
    return values if len(values) == len(QUIET_FIELDS) else None


def read_quiet_form(interaction: discord.Interaction) -> tuple[str, str, str]:
    """What was typed: from when, until when, and in which zone."""
    fields = dict(sent_in(interaction))
    begin, end, zone = (
        str(fields.get(name, {}).get("value") or "").replace(_BETWEEN, " ")[:length]
        for name, length in QUIET_FIELDS.items()
    )
    return begin, end, zone


def _clock(at: time) -> str:
    return f"{at:%H:%M}"


def _people(page: Page, view: PreferencesView, texts: Texts) -> None:
    """With whom they never want to play, how to add somebody, and how to take somebody off."""
    page.text(strong(texts.get("never.title")), texts.get("never.told"))
    for user in view.never:
        press = Press(Verb.WELCOME, argument=str(user))
        page.beside(f"<@{user}>", button(texts.get("button.allow_again"), press))
    if view.pages > 1:
        page.row(
            pager(
                view.number,
                view.pages,
                lambda number: Press(Verb.PREFERENCES, argument=f"{view.subject}|{number}"),
            )
        )
    page.people(Press(Verb.AVOID), texts.get("never.choose"))


def _menu(page: Page, menu: Menu, texts: Texts) -> None:
    code = f"prefer.{menu.name}"
    page.text(strong(texts.get(code)), texts.get(f"{code}.{menu.chosen}.told"))
    options = [
        option(texts.get(f"{code}.{one}"), one, default=one == menu.chosen) for one in menu.offered
    ]
    page.select(Press(Verb.PREFER, argument=menu.name), texts.get(code), options)


def show_samples(page: Page, samples: Samples, texts: Texts) -> None:
    """Cards of each game, in a deck."""
    for faces, file in samples:
        page.text(small(texts.game_name(faces[0].game)))
        page.picture(file, texts.list([texts.card_name(one.game, one.code) for one in faces]))


def language_options(chosen: str, texts: Texts) -> list[Option]:
    """That of Discord, and every language that there is."""
    as_there = option(texts.get("language.discord"), DISCORD, default=not chosen)
    every = [option(language_name(one), one, default=one == chosen) for one in languages()]
    return [as_there, *every]


def deck_options(chosen: str, texts: Texts) -> list[Option]:
    """Every deck, and text."""
    return [option(texts.get(f"deck.{deck}"), deck, default=deck == chosen) for deck in OFFERED]


# What is stored of a person.


def my_data_page(told: Sequence[tuple[str, Mapping[str, object]]], texts: Texts) -> Message:
    """Sentences about what there is, and the ways to have it and to be rid of it."""
    page = Page()
    lines = [f"* {texts.get(code, **params)}" for code, params in told]
    page.text(f"### {texts.get('mydata.title')}", *(lines or [texts.get("mydata.nothing")]))
    page.text(small(texts.get("mydata.more")))
    export = button(texts.get("button.export"), Press(Verb.MY_DATA, argument="export"))
    forget = button(texts.get("button.forget"), Press(Verb.MY_DATA, argument="forget"), "danger")
    page.row([export, forget])
    return page.message()


def confirm_forget(open_tables: int, texts: Texts) -> Message:
    """Asks, once, and says what it means; `open_tables`: where the person sits."""
    page = Page()
    page.text(f"### {texts.get('mydata.forget.title')}", texts.get("mydata.forget.text"))
    if open_tables:
        page.text(texts.get("mydata.forget.tables", count=open_tables))
    page.text(small(texts.get("mydata.forget.stays")))
    forget = button(texts.get("button.forget_now"), Press(Verb.FORGET_NOW), "danger")
    page.row([forget, button(texts.get("button.keep"), Press(Verb.MY_DATA, argument="show"))])
    return page.message(GREY)
