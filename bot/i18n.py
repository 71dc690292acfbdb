"""Sentences in every language: their files, escaped names; cards, suits and commands as text.

A message id is a code (`board.turn`), its text a template for `str.format`.  The house's sentences
are in `data/locales/<language>/LC_MESSAGES/stammtisch.po`, each game's in
`data/games/<game>/locales/<language>.po` under ids without the game.  Missing sentences are in
English.

A game with suits has a word and a mark for each (`suit.R`, `suit.R.mark`), perhaps a colour
(`suit.R.colour`, `#B83A00`), words for ranks that are no numbers (`rank.K`), and `card.name`, which
makes a card of `{mark}`, `{suit}` and `{rank}`.  A card without a suit has words of its own
(`card.J`, `card.J.name`).  A mark on cards in layouts may have a sign behind the card
(`mark.double`) and then has a word for it (`legend.double`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache, lru_cache
from gettext import NullTranslations
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

import structlog
from babel.core import Locale
from babel.dates import format_skeleton, format_timedelta, get_timezone_location
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import Translations

from bot.ids import Called, Computer, Somebody
from bot.plain_text import NAMES, from_the_left, plain_name, visible
from engine.game import OptionValue
from engine.layout import Cards, InWords, Param, Phrase, SeatName, Suit, as_it_lies

# Files with words: languages there are, their gettext catalogues, and the rules texts of games.

ENGLISH: Final = "en"
DOMAIN: Final = "stammtisch"

_PAGE_BREAK: Final = re.compile(r"^---[ \t]*$", re.MULTILINE)

_OF_GAMES: Final = re.compile(r"(?:\{([a-z ]+)\} )?(.*)")
"""A line about signs: the games in whose pictures they are, if not in all, and the text."""


@cache
def languages() -> tuple[str, ...]:
    """Languages with a catalogue, English first."""
    folders = (Path(part, "locales") for part in import_module("data").__path__)
    found = (entry.name for folder in folders for entry in folder.glob("*") if entry.is_dir())
    return (ENGLISH, *sorted(set(found) - {ENGLISH}))


@cache
def stored_rules(game: str, language: str) -> tuple[str, ...]:
    """The rules of a game in a language, else in English, as pages of markdown.

    The game's own first page, the quick start, comes first, and its last one, about its origin,
    last.  Signs in its pictures are explained after the first one, all tables before the last one.
    """
    own = _pages("games", game, "rules", language=language)
    if not own:
        return ()
    signs, tables = _pages("rules", language=language)
    lines = (_OF_GAMES.fullmatch(line) for line in signs.splitlines())
    kept = (one[2] for one in lines if one and (one[1] is None or game in one[1].split()))
    last = max(1, len(own) - 1)
    return (own[0], "\n".join(kept), *own[1:last], tables, *own[last:])


def _pages(*folder: str, language: str) -> tuple[str, ...]:
    text = _read(*folder, f"{language}.md") or _read(*folder, f"{ENGLISH}.md") or b""
    pages = (page.strip() for page in _PAGE_BREAK.split(text.decode("utf-8")))
    return tuple(page for page in pages if page)


@cache
def catalogue_of(language: str, game: str | None) -> NullTranslations:
    """The compiled catalogue, with English behind it."""
    if game is None:
        text = _read("locales", language, "LC_MESSAGES", f"{DOMAIN}.po")
    else:
        text = _read("games", game, "locales", f"{language}.po")
    behind = None if language == ENGLISH else catalogue_of(ENGLISH, game)
    if text is None:
        return behind or NullTranslations()
    found = _compiled(text, language)
    if behind is not None:
        found.add_fallback(behind)
    return found


@cache
def command_words(language: str) -> NullTranslations:
    """Descriptions of commands and names in their menus; their message ids are English."""
    text = _read("locales", language, "LC_MESSAGES", "commands.po")
    return NullTranslations() if text is None else _compiled(text, language)


def _compiled(text: bytes, language: str) -> Translations:
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(text), locale=language))
    compiled.seek(0)
    return Translations(compiled, domain=DOMAIN)


def _read(*path: str) -> bytes | None:
    """A file of the namespace package `data`, from the first of its folders that has it."""
    for folder in import_module("data").__path__:
        with suppress(FileNotFoundError):
            return Path(folder, *path).read_bytes()
    return None


# Commands in texts.

COMMAND: Final = re.compile(r"`/([a-z]+(?: [a-z]+(?![a-z]*:))?)((?: [a-z]+:[^`]*)?)`")
"""A command in a text, and the parameters after it: `/newgame`, `/seat kick`."""

MENTION: Final = re.compile(r"</([a-z ]+):\d+>")
"""A command that can be pressed."""


def as_typed(text: str) -> str:
    """`text` with its commands as they are typed, for where nothing can be pressed.

    >>> as_typed("</seat kick:5> or `/newgame`")
    '`/seat kick` or `/newgame`'
    """
    return MENTION.sub(r"`/\1`", text)


def clickable(text: str, ids: Mapping[str, int]) -> str:
    """`text` with its commands as mentions that whoever reads them can press.

    `ids` are Discord's, by the first word of a command.  Parameters are no part of a mention.

    >>> clickable("`/newgame` opens one", {"newgame": 7})
    '</newgame:7> opens one'
    >>> clickable("by `/seat kick` or `/newgame length:9`", {"seat": 5, "newgame": 7})
    'by </seat kick:5> or </newgame:7> `length:9`'
    >>> clickable("`/newgame` opens one", {})
    '`/newgame` opens one'
    """

    def mention(found: re.Match[str]) -> str:
        command, parameters = found[1], found[2].strip()
        number = ids.get(command.partition(" ")[0])
        if number is None:
            return found[0]
        return f"</{command}:{number}>" + (f" `{parameters}`" if parameters else "")

    return COMMAND.sub(mention, text)


# Sentences.

logger = structlog.get_logger(__name__)

HOUSE: Final = "table."
"""Codes of what the house, not the game, tells everybody at a table begin so."""

HYPHEN: Final = "\N{NON-BREAKING HYPHEN}"
"""Hyphen in a card's code as it is read; codes in presses and in the database have a plain one."""
JOINER: Final = "\N{WORD JOINER}"
"""Invisible separator of a card's mark and its number: no line ends there."""

ECHO_LENGTH: Final = 100
"""Maximum number of characters of a person's text that are ever repeated."""

WORDS: Final = 8192
"""Maximum number of cached sentences, templates, numbers and cards: most of them appear at ply
after ply."""

_MARKDOWN: Final = re.compile(r"([\\*_~`|<>\[\]#])")
"""Characters that start or end a format, a link, a mention or an emoji anywhere in a line."""

_LINE_START: Final = re.compile(r"^(?:(\d+)(?=\.)|(?=[-+]))")
"""Beginnings of lines that make a list.  Markdown cannot escape a digit: the point is escaped."""

SHARED_BUTTONS: Final = (
    *("join", "leave", "ready", "start", "options", "shuffle"),
    *("hand", "next", "resume", "rematch", "review"),
)
"""Of the buttons that sentences name, those that stand on what everybody at a table sees."""

_NAMED: Final = re.compile(r"(?<=\*)[^*{}]+(?=\*)")
"""What may be a button's name: italic or bold."""

RefusalParam: TypeAlias = int | str | tuple[str, ...]


class Markdown(str):
    """Text that may be in a message as it is: it was escaped, or is our own."""

    __slots__ = ()


@lru_cache(NAMES)
def safe_name(name: str) -> Markdown:
    """A person's name for messages: `plain_name` that neither formats nor mentions."""
    return name if isinstance(name, Markdown) else safe_text(plain_name(name))


def safe_text(text: str, length: int = ECHO_LENGTH) -> Markdown:
    """Text from outside, escaped for messages; `Markdown` is returned as it is."""
    if isinstance(text, Markdown):
        return text
    escaped = _LINE_START.sub(r"\1\\", _MARKDOWN.sub(r"\\\1", visible(text, length)))
    # A zero-width space keeps what Discord would turn into a mention or a link without markdown.
    quiet = escaped.replace("@", "@\u200b").replace("://", ":\u200b//")
    return Markdown(from_the_left(quiet))


def relative(time: datetime) -> Markdown:
    """A moment as everybody reads it on their own clock, and how far off it is: `in 4 minutes`."""
    return Markdown(f"<t:{int(time.timestamp())}:R>")


def moment(time: datetime) -> Markdown:
    """A moment as everybody reads it on their own clock: `26 November 2026 20:00`."""
    return Markdown(f"<t:{int(time.timestamp())}:f>")


def hour(time: datetime) -> Markdown:
    """A moment within a day as everybody reads it on their own clock: `20:05`."""
    return Markdown(f"<t:{int(time.timestamp())}:t>")


def day(time: datetime) -> Markdown:
    """A day as everybody reads it on their own calendar: `26/11/2026`."""
    return Markdown(f"<t:{int(time.timestamp())}:d>")


def card_text(code: str) -> str:
    """A card (or a card that counts twice, `6-6x2`) as people read it: no line ends within it."""
    return re.sub(r"x(\d+)$", r"×\1", code).replace("-", HYPHEN)


def typed(text: str) -> str:
    """Text of a person, typed or copied, as notation is written."""
    return text.replace(HYPHEN, "-").replace("×", "x").replace(JOINER, "")


def cards_text(codes: Sequence[str]) -> str:
    return " ".join(card_text(code) for code in codes)


class Texts:
    """Everything that is said in one language.  Get it from `texts`."""

    def __init__(self, language: str, shared: str = "") -> None:
        self.language: Final = language
        self.shared: Final = shared or language
        """The language of what everybody sees: its buttons are named by what stands on them."""
        self._locale: Final = Locale.parse(language)

    @property
    def plain(self) -> Texts:
        """The same words without our emoji: for labels, files and texts with many cards."""
        return self

    def beside(self, shared: str) -> Texts:
        """The same words, for whoever reads them where everybody sees that language."""
        return texts(self.language, shared)

    def badge(self, mark: str, instead: str = "") -> str:
        """One of our emoji in a text; `instead` if there is none."""
        return instead

    def get(self, code: str, /, **params: object) -> str:
        """A sentence of the house.  Parameters are inserted as they are: escape them before.

        `count` chooses the plural form.  An unknown code is logged and returned itself.
        """
        return self._format(None, code, params)

    def phrase(
        self, game: str, phrase: Phrase, names: Sequence[Called] = (), *, plain: bool = False
    ) -> str:
        """A sentence of a game, or of the house about a table (its code begins with `table.`).

        `names` are people, as they call themselves, and computer players, by seat.  Names and text
        from outside are escaped for messages unless `plain` (for labels).
        """
        house = phrase.code.startswith(HOUSE)
        params = {
            k: self._param(game, value, names, plain=plain) for k, value in phrase.params.items()
        }
        return self._format(None if house else game, phrase.code, params)

    def called(self, who: Called, *, plain: bool = False) -> str:
        """A person, somebody who was forgotten or a computer player, escaped for messages unless
        `plain` (for labels)."""
        if isinstance(who, Computer):
            return Markdown(self.get("seat.computer", number=who.number))
        if isinstance(who, Somebody):
            said = self.get("report.somebody")
            return Markdown(said if who.seat is None else f"{said} ({who.seat + 1})")
        return plain_name(who) if plain else safe_name(who)

    def refusal(
        self, code: str, params: Mapping[str, RefusalParam], game: str | None = None
    ) -> str:
        """Why something was refused: a TableError's code, or with `game` a RuleError's.

        A game's parameter `suit` is read as one.
        """
        shown = {key: self._refused(game, key, value) for key, value in params.items()}
        if game is None:
            return self._format(None, f"table.error.{code}", shown)
        return self.own(game, f"error.{code}", **shown)

    def knows(self, code: str, game: str | None = None) -> bool:
        """Whether the house (or a game) has words for `code`."""
        return _template(catalogue_of(self.language, game), code, 1) is not None

    def city(self, zone: str) -> str:
        """The city that a time zone is named by."""
        return get_timezone_location(zone, locale=self._locale, return_city=True)

    def game_name(self, game: str) -> str:
        """Name of a game; its id if the program no longer has it."""
        if not self.knows("game.name", game):
            return safe_text(game)
        return self._format(game, "game.name", {})

    def game_tagline(self, game: str) -> str:
        return self._format(game, "game.tagline", {})

    def own(self, game: str, code: str, /, **params: object) -> str:
        """A sentence of the house that a game may have words of its own for."""
        return self._format(game if self.knows(code, game) else None, code, params)

    def option(self, game: str, key: str, value: OptionValue) -> str:
        """An option of a match in words: `3 rounds`, `with jokers`, `zeros to the leader`.

        The game's own `option.<key>` goes before the house's, which serve every game.  A switch has
        words for each of its values: `option.<key>.<value>`, with `on` and `off`.
        """
        match value:
            case bool():
                return self.own(game, f"option.{key}.{'on' if value else 'off'}")
            case int():
                return self.own(game, f"option.{key}", count=value)
            case str():
                return self.own(game, f"option.{key}.{value}")
            case _:
                assert_never(value)

    def custom(self, game: str, name: str, *, on: bool) -> str:
        """A custom of a table of that game in words, or that it does not hold."""
        return self.own(game, f"custom.{name}.{'on' if on else 'off'}")

    def flag(self, game: str, flag: str, answer: str = "") -> str:
        """The question of a flag of a combination, or one of its answers (`yes`, `no`)."""
        return self._format(game, ".".join(filter(None, ("flag", flag, answer))), {})

    def card(self, game: str, code: str) -> str:
        """A card as people read it: `❤️5` if the game has a mark for its suit, else `3-6`."""
        return _card(self, game, code)

    def cards(self, game: str, codes: Sequence[str]) -> str:
        return " ".join([self.card(game, code) for code in codes])

    def card_name(self, game: str, code: str) -> str:
        """A card in words, where there is room: `❤️ red 5`, `🌹 King of roses`, `🃏 joker`."""
        return _card_name(self, game, code)

    def suit(self, game: str, code: str) -> str:
        """A suit or colour: `❤️ red`; mark and word never break apart."""
        parts = (self.suit_mark(game, code), self._format(game, f"suit.{code}", {}))
        return "\N{NO-BREAK SPACE}".join(filter(None, parts))

    def suit_mark(self, game: str, code: str) -> str:
        """The mark of a suit, `❤️`; empty for other codes."""
        return _if_known(self, game, f"suit.{code}.mark")

    def suit_colour(self, game: str, code: str) -> int | None:
        """The colour of a suit as RGB, `0xB83A00`; None if the game names none."""
        colour = _if_known(self, game, f"suit.{code}.colour")
        return int(colour.removeprefix("#"), 16) if colour else None

    def sign(self, game: str, mark: str) -> str:
        """The sign behind a card with that mark, `²`; empty for marks without a sign."""
        return _if_known(self, game, f"mark.{mark}")

    def list(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        return _list(self._locale, tuple(items))

    def pair(self, of: str, said: str) -> str:
        """Of whom or what something is said, and that: `Ann: 18 cards`."""
        return self.get("pair", of=of, said=said)

    def number(self, value: float, digits: int = 0) -> str:
        """A number with `digits` digits after the point, and a real minus sign."""
        return _number(self._locale, value, digits)

    def in_words(self, value: int) -> str:
        """A small number in words, `four`; a larger one in digits."""
        code = f"number.{value}"
        return self.get(code) if self.knows(code) else self.number(value)

    def date(self, local: datetime) -> str:
        """A day without its year, and a time, as some clock shows them: `Fri, Nov 27, 20:00`."""
        return f"{format_skeleton('MMMEd', local, locale=self._locale)}, {local:%H:%M}"

    def duration(self, time: timedelta) -> str:
        """About how long: `2 minutes`."""
        return format_timedelta(time, locale=self._locale)

    def signed(self, value: int) -> str:
        """A number of points won or lost: `+12`, `0`, `−3`."""
        return f"+{self.number(value)}" if value > 0 else self.number(value)

    def _param(self, game: str, value: Param, names: Sequence[Called], *, plain: bool) -> object:
        match value:
            case SeatName(seat):
                name = names[seat] if 0 <= seat < len(names) else ""
                if not name:
                    return self.get("seat.number", number=seat + 1)
                return self.called(name, plain=plain)
            case Cards(codes, turned):
                return self.cards(game, [as_it_lies(code, turned=turned) for code in codes])
            case Suit(code):
                return self.suit(game, code)
            case InWords(number):
                return self.in_words(number)
            case str():
                return visible(value, ECHO_LENGTH) if plain else safe_text(value)
            case int():
                return value

    def _refused(self, game: str | None, key: str, value: RefusalParam) -> object:
        match value:
            case tuple():
                return cards_text(value) if game is None else self.cards(game, value)
            case str() if game is not None and key == "suit" and self.suit_mark(game, value):
                return self.suit(game, value)
            case str():
                return safe_text(value)
            case int():
                return value

    def _format(self, game: str | None, code: str, params: Mapping[str, object]) -> str:
        return _said(self, game, code, tuple(params.items()))


_texts: Final = cache(Texts)


class _Commands:
    """Discord's ids of the commands of the whole program, by name."""

    ids: Mapping[str, int] = MappingProxyType({})


def know_commands(ids: Mapping[str, int]) -> None:
    """From now on commands in texts can be pressed, by these ids."""
    if ids != _Commands.ids:
        _Commands.ids = ids
        _said.cache_clear()
        _template.cache_clear()


def texts(locale: str, shared: str = "") -> Texts:
    """The words in a language as Discord names it (`en-GB`, `de`); English if we lack it.

    For one person where everybody sees the language `shared`, by default the same.
    """
    return _texts(_spoken(locale), _spoken(shared or locale))


def _spoken(locale: str) -> str:
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in languages() else ENGLISH


@cache
def _names(language: str, shared: str) -> Mapping[str, str]:
    """What stands on the buttons that everybody sees, by their names in another language."""
    own, there = _texts(language, language), _texts(shared, shared)
    codes = [f"button.{name}" for name in SHARED_BUTTONS]
    return {own.get(code): there.get(code) for code in codes}


def language_name(language: str) -> str:
    """A language as those who speak it call it: `Deutsch`."""
    named = Locale.parse(language).get_display_name(language) or language
    return named[:1].upper() + named[1:]


def rules_pages(game: str, locale: str) -> Sequence[str]:
    """The rules of a game as pages of markdown, each short enough for one message."""
    pages = stored_rules(game, texts(locale).language)
    return tuple(clickable(page, _Commands.ids) for page in pages)


@lru_cache(WORDS)
def _card(texts: Texts, game: str, code: str) -> str:
    if texts.knows(f"card.{code}", game):
        return texts.own(game, f"card.{code}")
    mark = texts.suit_mark(game, code[:1])
    return f"{mark}{JOINER}{code[1:]}" if mark else card_text(code)


@lru_cache(WORDS)
def _card_name(texts: Texts, game: str, code: str) -> str:
    if texts.knows(f"card.{code}.name", game):
        return f"{texts.card(game, code)} {texts.own(game, f'card.{code}.name')}"
    suit, rank = code[:1], code[1:]
    mark = texts.suit_mark(game, suit)
    if not mark or not texts.knows("card.name", game):
        return texts.card(game, code)
    word = texts.own(game, f"suit.{suit}")
    rank = _if_known(texts, game, f"rank.{rank}") or rank
    return texts.own(game, "card.name", mark=mark, suit=word, rank=rank)


@lru_cache(WORDS)
def _list(locale: Locale, items: tuple[str, ...]) -> str:
    return format_list(items, locale=locale)


@lru_cache(WORDS)
def _number(locale: Locale, value: float, digits: int) -> str:
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    value = value if round(value, digits) else 0  # never "−0.0"
    return format_decimal(value, format=pattern, locale=locale).replace("-", "−")


@lru_cache(WORDS)
def _if_known(texts: Texts, game: str, code: str) -> str:
    """Words that only some games have; empty where there are none."""
    return texts.own(game, code) if texts.knows(code, game) else ""


@lru_cache(WORDS)
def _said(texts: Texts, game: str | None, code: str, params: tuple[tuple[str, object], ...]) -> str:
    """The sentence of a code with its parameters; the code where there is none."""
    given = dict(params)
    count = given.get("count", given.get("left", 1))
    catalogue = catalogue_of(texts.language, game)
    template = _template(catalogue, code, count if isinstance(count, int) else 1)
    if template is None:
        logger.warning("text_missing", code=code, game=game, language=texts.language)
        return code
    if texts.shared != texts.language:
        names = _names(texts.language, texts.shared)
        template = _NAMED.sub(lambda found: names.get(found[0], found[0]), template)
    try:
        return template.format(**{key: _shown(texts, value) for key, value in given.items()})
    except (KeyError, IndexError):
        logger.warning("text_parameter_missing", code=code, game=game, language=texts.language)
        return code


def _shown(texts: Texts, value: object) -> object:
    """Losses with a real minus sign."""
    return texts.number(value) if isinstance(value, int) and value < 0 else value


@lru_cache(WORDS)
def _template(catalogue: NullTranslations, code: str, count: int) -> str | None:
    """The template of a code, in the plural form for `count` if it has forms.

    Every sentence comes through here, and so every command that one names.
    """
    for found in (catalogue.ngettext(code, code, count), catalogue.gettext(code)):
        if found != code:
            return clickable(found, _Commands.ids)
    return None
