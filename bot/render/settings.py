"""The panel with the settings of a server: one page for each subject, and its log of changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from bot.i18n import Markdown, Texts, language_name, languages, moment, safe_text
from bot.ids import own_name
from bot.pictures.decks import TEXT
from bot.render.components import Button, Page, button, pager, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.preferences import (
    NO_SAMPLES,
    Samples,
    deck_options,
    language_options,
    show_samples,
)
from bot.views.server import Changed, Setting, SettingsView, Subject, Usual

NAMED: Final = 3
"""Channels or roles that a line of the log names."""

PLACES: Final = (0, 2, 5, 13, 15)
"""Kinds of channels where tables may open, or in whose threads: text, voice, news, stage, forum."""

WRITTEN: Final = (0, 2, 5, 13)
"""Those of them in which messages stand."""


def settings_page(
    subject: Subject, view: SettingsView, texts: Texts, samples: Samples = NO_SAMPLES
) -> Message:
    """A page of the panel, above the way to the others; `samples` show the deck of the boards."""
    page = Page()
    page.text(f"### {texts.get('settings.title')}")
    match subject:
        case Subject.LOOK:
            _look(page, view, samples, texts)
        case Subject.WHERE:
            _where(page, view, texts)
        case Subject.CALLS:
            _calls(page, view, texts)
        case Subject.USUAL:
            _usual(page, view, texts)
        case Subject.LEADERBOARD:
            _leaderboard(page, view, texts)
        case Subject.LOG:
            _log(page, view, texts)
        case _:
            assert_never(subject)
    page.turns(
        [(texts.get(f"subject.{one}"), _to(one), one is subject) for one in Subject],
    )
    return page.message()


def _look(page: Page, view: SettingsView, samples: Samples, texts: Texts) -> None:
    deck = view.settings.deck
    language = view.settings.language
    told = texts.get("setting.language.one" if language else "setting.language.none")
    page.text(strong(texts.get("setting.language")), told)
    choose = texts.get("setting.language.choose")
    page.select(_choice(Setting.LANGUAGE), choose, language_options(language, texts))
    told = texts.get("server_decks.text" if deck == TEXT else f"deck.{deck}.told")
    page.text(strong(texts.get("setting.deck")), told)
    show_samples(page, samples, texts)
    page.select(_choice(Setting.DECK), texts.get("server_decks.choose"), deck_options(deck, texts))
    page.text(small(texts.get("server_decks.when")))


def _where(page: Page, view: SettingsView, texts: Texts) -> None:
    settings = view.settings
    left = _told(page, Setting.PLACES, settings.places, view, texts)
    page.channels(*_menu(Setting.PLACES, texts), left, PLACES)
    for setting, chosen in (
        (Setting.OPENERS, settings.openers),
        (Setting.SITTERS, settings.sitters),
    ):
        page.roles(*_menu(setting, texts), _told(page, setting, chosen, view, texts))
    page.text(small(texts.get("settings.where.when")))


def _calls(page: Page, view: SettingsView, texts: Texts) -> None:
    settings = view.settings
    role = () if settings.called is None else (settings.called,)
    mute = "" if view.rings else texts.get("settings.calls.mute")
    left = _told(page, Setting.CALLED, role, view, texts, mute)
    page.roles(*_menu(Setting.CALLED, texts), left, most=1)
    channel = () if settings.results is None else (settings.results,)
    shut = "" if view.posts else texts.get("settings.calls.shut")
    left = _told(page, Setting.RESULTS, channel, view, texts, shut)
    page.channels(*_menu(Setting.RESULTS, texts), left, WRITTEN, most=1)
    page.text(small(texts.get("settings.calls.when")))


def _told(
    page: Page,
    setting: Setting,
    chosen: Sequence[int],
    view: SettingsView,
    texts: Texts,
    wrong: str = "",
) -> list[int]:
    """Says what holds, and what is `wrong` with it; returns those of the chosen that there are."""
    left = [one for one in chosen if one in view.there]
    gone = len(chosen) - len(left)
    lost = small(texts.get("settings.gone", count=gone)) if gone else ""
    held = wrong if left else ""
    page.text(texts.get(f"setting.{setting}.{'some' if left else 'none'}"), held, lost)
    return left


def _menu(setting: Setting, texts: Texts) -> tuple[Press, str]:
    return _choice(setting), texts.get(f"setting.{setting}.choose")


def _usual(page: Page, view: SettingsView, texts: Texts) -> None:
    saved = view.settings.usual
    lines = []
    for game, usual in view.usual:
        facts = " · ".join(_facts(game, usual, texts))
        said = facts if game in saved else texts.get("usual.none", facts=Markdown(facts))
        lines.append(f"* {texts.pair(strong(texts.game_name(game)), said)}")
    page.text(texts.get("usual.told"), *lines)
    page.packed(
        [
            button(
                texts.get("usual.clear", game=texts.game_name(game)),
                Press(Verb.SETTING, argument=f"{Setting.NO_USUAL}|{game}"),
            )
            for game, _ in view.usual
            if game in saved
        ]
    )
    page.text(small(texts.get("usual.how")))


def _facts(game: str, usual: Usual, texts: Texts) -> Iterator[str]:
    if usual.seats is not None:
        yield texts.get("lobby.players", count=usual.seats)
    yield from (texts.option(game, *one) for one in usual.given.items())
    yield from (texts.custom(game, name, on=on) for name, on in usual.customs.told)
    yield texts.get(f"pace.{usual.pace}")
    count, level = usual.computers
    if count:
        yield texts.get("usual.computers", count=count, level=texts.get(f"level.{level}"))


def _choice(setting: Setting) -> Press:
    """A select of that setting."""
    return Press(Verb.SETTING, argument=setting)


def _leaderboard(page: Page, view: SettingsView, texts: Texts) -> None:
    counting = view.settings.counting
    switches = {Setting.BOARD: counting.board}
    if counting.board:
        switches |= {Setting.HINTS: counting.hints, Setting.COMPUTERS: counting.computers}
    page.text(*(f"* {texts.get(_switched(one, on=on))}" for one, on in switches.items()))
    page.rows([_switch(one, texts, on=on) for one, on in switches.items()])
    page.text(small(texts.get("settings.leaderboard.when")))


def _switch(setting: Setting, texts: Texts, *, on: bool) -> Button:
    """A button that says what holds, and presses the opposite."""
    says = texts.get("settings.on" if on else "settings.off", what=texts.get(f"setting.{setting}"))
    press = Press(Verb.SETTING, argument=f"{setting}|{int(not on)}")
    return button(says, press, "success" if on else "secondary")


def _switched(setting: Setting, *, on: bool) -> str:
    return f"setting.{setting}.{'on' if on else 'off'}"


def _log(page: Page, view: SettingsView, texts: Texts) -> None:
    if not view.changes:
        page.text(texts.get("settings.log.empty"))
        return
    page.text(*(_change(one, texts) for one in view.changes))
    page.text(small(texts.get("settings.log.most")))
    if view.pages > 1:
        page.row(pager(view.page, view.pages, lambda to: _to(Subject.LOG, str(to))))


def _to(subject: Subject, more: str = "") -> Press:
    return Press(Verb.SETTINGS, argument=f"{subject}|{more}" if more else subject)


def _change(change: Changed, texts: Texts) -> str:
    """One line of the log: when, who, and what holds since."""
    return texts.get(
        "settings.log.line",
        time=moment(change.at),
        name=texts.called(own_name(change.by.id, change.by.name)),
        what=Markdown(_value(change, texts)),
    )


def _value(change: Changed, texts: Texts) -> str:
    setting, value = change.setting, change.value
    match setting:
        case Setting.DECK:
            code = f"deck.{value}"
            deck = texts.get(code) if texts.knows(code) else safe_text(str(value))
            return texts.get("settings.is", what=texts.get("setting.deck"), value=deck)
        case Setting.LANGUAGE:
            known = str(value) in languages()
            said = language_name(str(value)) if known else texts.get("language.discord")
            return texts.get("settings.is", what=texts.get("setting.language"), value=said)
        case Setting.BOARD | Setting.HINTS | Setting.COMPUTERS:
            code = "settings.on" if value else "settings.off"
            return texts.get(code, what=texts.get(f"setting.{setting}"))
        case Setting.PLACES | Setting.OPENERS | Setting.SITTERS | Setting.CALLED | Setting.RESULTS:
            form = "<#{}>" if setting in (Setting.PLACES, Setting.RESULTS) else "<@&{}>"
            ids = value if isinstance(value, tuple) else ()
            named = [form.format(one) for one in ids[:NAMED]]
            if len(ids) > NAMED:
                named.append(texts.get("settings.and_more", count=len(ids) - NAMED))
            nothing = setting in (Setting.CALLED, Setting.RESULTS)
            none = texts.get("settings.off_by_choice" if nothing else "settings.all")
            said = texts.list(named) if named else none
            what = texts.get(f"setting.{setting}")
            return texts.get("settings.is", what=what, value=Markdown(said))
        case Setting.USUAL | Setting.NO_USUAL:
            code = "usual.log" if setting is Setting.USUAL else "usual.log_cleared"
            return texts.get(code, game=Markdown(texts.game_name(str(value))))
        case _:
            assert_never(setting)
