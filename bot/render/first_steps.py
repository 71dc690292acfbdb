"""First steps: the message to a new server, `/help`, `/about`, and a match to try the bot with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.i18n import Texts
from bot.render.coaching import rules_button
from bot.render.components import Button, Page, button, link, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message


def arrival_message(games: Sequence[str], texts: Texts) -> Message:
    """What a server reads that the program was just invited to."""
    page = Page()
    names = texts.list([texts.game_name(game) for game in games])
    page.text(f"### {texts.get('arrival.title')}", texts.get("arrival.text", games=names))
    page.row([_play_now(texts), button(texts.get("button.settings"), Press(Verb.SETTINGS))])
    page.text(small(texts.get("arrival.more")))
    return page.message()


def help_page(
    codes: Sequence[str],
    params: Mapping[str, object],
    game: str | None,
    games: Sequence[str],
    texts: Texts,
) -> Message:
    """What somebody can do, one line for each code; `game` is that of the table that is here.

    Without one there is a match against computers, and the rules of all `games`.
    """
    page = Page()
    page.text(f"### {texts.get('help.title')}")
    page.text(*(f"* {texts.get(code, **params)}" for code in codes))
    if game is None:
        page.row([_play_now(texts)])
        page.text(small(texts.get("help.games")))
        page.rows([button(texts.game_name(one), Press.rules(one)) for one in games])
    else:
        page.row([rules_button(game, texts)])
    return page.message()


def which_game(games: Sequence[str], texts: Texts) -> Message:
    """The choice of a game for a match against computers that begins at once."""
    page = Page()
    page.text(f"### {texts.get('try.title')}", texts.get("try.text"))
    page.text(*(f"* **{texts.game_name(one)}**: {texts.game_tagline(one)}" for one in games))
    page.rows([button(texts.game_name(one), Press(Verb.ALONE, argument=one)) for one in games])
    return page.message()


def about_page(version: str, source: str | None, games: Sequence[str], texts: Texts) -> Message:
    """Version, licence, whose games these are, what is stored, and what counts."""
    page = Page()
    page.text(f"### Stammtisch {version}", texts.get("about.what"))
    credited = [_credit(one, texts) for one in games]
    page.text(f"**{texts.get('about.games')}**", *credited, small(texts.get("about.words")))
    page.text(f"**{texts.get('about.privacy.title')}**", texts.get("about.privacy"))
    page.text(f"**{texts.get('about.fair.title')}**", texts.get("about.fair"))
    page.text(f"**{texts.get('about.counts.title')}**", texts.get("about.counts"))
    if source is not None:
        page.row([link(texts.get("button.source"), source)])
    return page.message()


def _credit(game: str, texts: Texts) -> str:
    name = texts.game_name(game)
    author = texts.own(game, "game.author") if texts.knows("game.author", game) else ""
    return f"* {name}, {author}" if author else f"* {name}"


def _play_now(texts: Texts) -> Button:
    return button(texts.get("button.play_now"), Press(Verb.ALONE), "success")
