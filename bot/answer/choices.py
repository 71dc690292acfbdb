"""Slash commands: parameters, choices, where they may be used, words in every language."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import cache, wraps
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.answer.access import Need
from bot.answer.context import Context, place_of
from bot.answer.origin import spoken_in
from bot.answer.reply import Reply, answering
from bot.answer.sight import SeveralTables, ask_which, named_table, suggest_tables
from bot.i18n import ENGLISH, Texts, command_words, languages, texts
from bot.ids import ChannelId, GuildId
from bot.pictures.decks import OFFERED
from bot.plain_text import told_apart
from bot.publish.doors import around
from bot.publish.requests import connects, lacking, roles_of, writes
from bot.render.components import OPTION, OPTIONS
from bot.tables.model import Table, TableError
from bot.tables.stored import Pace
from bot.views.building import named
from engine.game import OptionSpec
from engine.players.levels import Level
from engine.registry import games

logger = structlog.get_logger(__name__)

GAMES = [
    app_commands.Choice(name=texts(ENGLISH).game_name(game_id), value=game_id)
    for game_id in games()
]

PACES = [
    app_commands.Choice(name=texts(ENGLISH).get(f"pace.{pace}"), value=pace.value) for pace in Pace
]

LEVELS = [
    app_commands.Choice(name=texts(ENGLISH).get(f"level.{level}"), value=level.value)
    for level in Level
]
"""How strong a computer player may be."""

DECK_CHOICES: Final = [
    app_commands.Choice(name=texts(ENGLISH).get(f"deck.{deck}"), value=deck) for deck in OFFERED
]

MAX_LABEL: Final = 20
"""Maximum length of a name in a suggestion."""

MAX_SEATS: Final = max(game.info.seats[-1] for game in games().values())
"""Seats at the largest table that any game has."""

COMPUTERS = [
    app_commands.Choice(name=f"{count} {level.name}", value=f"{count} {level.value}")
    for count in range(1, min(MAX_SEATS, 1 + OPTIONS // len(LEVELS)))
    for level in LEVELS
]
"""How many computer players a table may be opened with, and how strong they are."""

Callback = TypeVar("Callback", bound=Callable[..., object])

guild_only = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)


def anywhere(callback: Callback) -> Callback:
    """A command that works on servers, in direct messages with the bot, and everywhere for people
    who have added it to their own apps."""
    everywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    return everywhere(app_commands.allowed_installs(guilds=True, users=True)(callback))


def with_options(callback: Callback) -> Callback:
    """A command's callback with a parameter for every option of a game, in place of `**asked`.

    They come before its keyword-only parameters: numbers first, then switches.  Other decorators of
    the command are applied after this one, so they are written above it.
    """
    signature = inspect.signature(callback)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=_type(list(by.values())))
        for name, by in _options().items()
    ]
    parameters = [
        *(one for one in own if one.kind is not one.KEYWORD_ONLY),
        *options,
        *(one for one in own if one.kind is one.KEYWORD_ONLY),
    ]
    # discord.py asks for the signature and calls with the names that it has found there.
    cast(Any, callback).__signature__ = signature.replace(parameters=parameters)
    english = texts(ENGLISH)
    named = {name: _described(name, by, english) for name, by in _options().items()}
    return app_commands.describe(**named)(callback)


def described_option(parameter: str, texts: Texts) -> str | None:
    """What a parameter of `/newgame` does that sets an option of games; None for any other."""
    by_game = _options().get(parameter)
    return None if by_game is None else _described(parameter, by_game, texts)


def _options() -> Mapping[str, Mapping[str, OptionSpec]]:
    """Options that a parameter of `/newgame` sets, by parameter and game."""
    found: dict[str, dict[str, OptionSpec]] = {}
    specs = [(game.info.id, spec) for game in games().values() for spec in game.info.options]
    for game, spec in sorted(specs, key=lambda one: one[1].kind == "bool"):
        if spec.parameter is not None:
            found.setdefault(spec.parameter, {})[game] = spec
    return found


def _type(specs: list[OptionSpec]) -> object:
    """The type of a parameter for these options: a range includes all; each game checks its own."""
    if specs[0].kind == "bool":
        return bool | None
    lowest, highest = min(s.minimum for s in specs), max(s.maximum for s in specs)
    return app_commands.Range[int, lowest, highest] | None


def _described(parameter: str, by_game: Mapping[str, OptionSpec], texts: Texts) -> str:
    """`parameter.<name>` of the house, and of the games that have words of their own for it."""
    code = f"parameter.{parameter}"
    own = " · ".join(
        texts.pair(texts.game_name(game), texts.own(game, code))
        for game in by_game
        if texts.knows(code, game)
    )
    house = texts.get(code) if texts.knows(code) else ""
    return f"{house} ({own})" if house and own else house or own or parameter


def require_permissions(interaction: discord.Interaction) -> None:
    """Raises TableError `missing_permission` if the program could not post here later."""
    missing = lacking(interaction.channel, interaction.app_permissions)
    if missing:
        raise TableError("missing_permission", permissions=" ".join(missing))


async def require_let_in(context: Context, interaction: discord.Interaction) -> None:
    """Raises TableError `not_in_thread` in a private thread where the program is no member: there
    it could answer, and post nothing later.
    """
    place = interaction.channel
    if not isinstance(place, discord.Thread) or not place.is_private():
        return
    guild, channel = place_of(interaction)
    if not await context.publisher.membership.is_let_in(guild, channel):
        raise TableError("not_in_thread")


async def require_doors(context: Context, interaction: discord.Interaction) -> None:
    """Raises what `Doors.require_open` raises where somebody is."""
    guild, channel = place_of(interaction)
    place = around(channel, interaction.channel)
    await context.doors.require_open(guild, place, roles_of(interaction.user))


def require_writer(interaction: discord.Interaction) -> None:
    """Raise TableError `may_not_connect`, `may_not_open` for people who may not do here themselves
    what opening a table here does."""
    if not connects(interaction.channel, interaction.permissions):
        raise TableError("may_not_connect")
    if not writes(interaction.channel, interaction.permissions):
        raise TableError("may_not_open")


async def place_to_open(
    context: Context, interaction: discord.Interaction
) -> tuple[GuildId, ChannelId]:
    """Place of a new table: here, if the person and the bot may post here."""
    here = place_of(interaction)
    require_permissions(interaction)
    require_writer(interaction)
    await require_let_in(context, interaction)
    await require_doors(context, interaction)
    return here


def may_open_here(interaction: discord.Interaction) -> bool:
    """Whether somebody may open a table where they are, as far as permissions go."""
    try:
        require_permissions(interaction)
        require_writer(interaction)
    except TableError:
        return False
    return True


async def table_choices(
    context: Context, interaction: discord.Interaction, current: str, *, over: bool = False
) -> list[app_commands.Choice[str]]:
    """Suggestions for a `table:` parameter; none if they cannot be found out.

    With `over` only tables that have ended.
    """
    wanted = current.strip().upper()
    try:
        words = texts(spoken_in(interaction).own)
        return [
            app_commands.Choice(name=f"{table.id} · {_who(table, words)}"[:OPTION], value=table.id)
            for table in await suggest_tables(context, interaction)
            if table.id.startswith(wanted) and not (over and table.stored.status.is_open)
        ][:OPTIONS]
    except Exception as error:  # a suggestion is never worth an error; its words stay out
        logger.warning("suggestion_failed", kind=type(error).__name__)
        return []


class ContextCog(commands.Cog):
    """A cog, which knows the parts of the program that cogs may use."""

    def __init__(self, context: Context) -> None:
        self.context = context


class TableCog(ContextCog):
    """A cog whose commands name a table."""

    async def suggest(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Completes the parameter `table`."""
        return await table_choices(self.context, interaction, current)


CogT = TypeVar("CogT", bound=TableCog)
P = ParamSpec("P")

Answer: TypeAlias = Callable[Concatenate[CogT, Reply, Table, P], Coroutine[Any, Any, None]]
"""Answers a command about the table that it is given."""

Command: TypeAlias = Callable[Concatenate[CogT, discord.Interaction, P], Coroutine[Any, Any, None]]


def about_table(
    need: Need, *, ended: bool = False, asked: bool = False
) -> Callable[[Answer[CogT, P]], Command[CogT, P]]:
    """Make a command about a table of the method that answers it.

    It gets a parameter `table`, with description and suggestions, finds the table that is meant
    (with `ended` also one that is over, with `asked` the one that waits for them: see
    `named_table`), and calls the method only for people who have the right `need`.  If several
    tables could be meant it asks which, unless other parameters were given.
    """

    def decorate(answer: Answer[CogT, P]) -> Command[CogT, P]:
        @wraps(answer)
        async def command(
            cog: CogT, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs
        ) -> None:
            named = kwargs.pop("table")
            async with answering(interaction) as reply:
                try:
                    table = await named_table(
                        cog.context,
                        interaction,
                        cast(str | None, named),
                        need,
                        ended=ended,
                        asked=asked,
                    )
                except SeveralTables as several:
                    if command not in TABLE_ONLY or interaction.command is None:
                        raise
                    name = interaction.command.qualified_name
                    await ask_which(cog.context, reply, several.tables, name)
                else:
                    await answer(cog, reply, table, *args, **kwargs)

        # discord.py asks for the signature and calls with the names that it has found there.
        cast(Any, command).__signature__ = _with_table(answer)
        described = app_commands.describe(table="Which table, if there are several")
        GUARDED[command] = need
        if not own_parameters(answer):
            TABLE_ONLY[command] = TableOnly(need, cast(TableOnlyAnswer, answer))
        return app_commands.autocomplete(table=TableCog.suggest)(described(command))

    return decorate


GUARDED: Final[dict[Callable[..., object], Need]] = {}
"""Rights that commands about tables require, by callback."""

TableOnlyAnswer: TypeAlias = Callable[[TableCog, Reply, Table], Coroutine[Any, Any, None]]


class TableOnly(NamedTuple):
    """Method that answers a command whose only parameter is its table."""

    need: Need
    answer: TableOnlyAnswer


TABLE_ONLY: Final[dict[Callable[..., object], TableOnly]] = {}
"""Commands that can be run with a table chosen afterwards, by callback."""


def _with_table(answer: Callable[..., object]) -> inspect.Signature:
    """The signature of a command: `interaction` in place of reply and table, `table` at the end."""
    signature = inspect.signature(answer, eval_str=True)
    cog, reply, *_ = signature.parameters.values()
    own = own_parameters(answer)
    named = inspect.Parameter(
        "table", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=str | None
    )
    asked = reply.replace(name="interaction", annotation=discord.Interaction)
    return signature.replace(parameters=[cog, asked, *own, named])


def own_parameters(answer: Callable[..., object]) -> list[inspect.Parameter]:
    """Parameters of a command besides its table."""
    _cog, _reply, _table, *own = inspect.signature(answer, eval_str=True).parameters.values()
    return own


def _who(table: Table, texts: Texts) -> str:
    people = named([place.person for place in table.stored.seating.places])
    names = told_apart([texts.called(one, plain=True) if one else "" for one in people], MAX_LABEL)
    return ", ".join(filter(None, names)) or table.stored.game


# Commands in every language.
#
# Descriptions, choices and names in menus are said in each language; names of commands and of their
# options are English everywhere: that is how texts name them, and Discord shows a command that a
# message mentions by its English name to everybody (discord-api-docs, issue 5518).

_CHOSEN: Final = (
    *(f"pace.{one}" for one in Pace),
    *(f"level.{one}" for one in Level),
    *(f"deck.{one}" for one in OFFERED),
)
"""Sentences of the house that are choices of commands, too."""

_COUNTED: Final = re.compile(r"(\d+) (.+)")


def in_words(command: Mapping[str, Any]) -> dict[str, Any]:
    """A command, option or choice as Discord is told of it, with its words in every language.

    What has no words in a language stays English there.
    """
    told, name, described = dict(command), command["name"], command.get("description")
    if described:
        told["description_localizations"] = _localized(lambda one: _said(described, one, name))
    else:  # a choice, or a command in a menu
        told["name_localizations"] = _localized(lambda one: _said(name, one))
    for inner in ("options", "choices"):
        if told.get(inner):
            told[inner] = [in_words(one) for one in told[inner]]
    return told


def _localized(say: Callable[[str], str | None]) -> dict[str, str] | None:
    """By the locales of Discord; None if there are no words in any."""
    said = {one: say(one) for one in languages() if one != ENGLISH}
    found = {
        locale: words
        for language, words in said.items()
        if words is not None
        for locale in _locales(language)
    }
    return found or None


def _locales(language: str) -> Iterable[str]:
    """Locales of Discord in a language: `es-ES` and `es-419` for Spanish."""
    return (one.value for one in discord.Locale if one.value.partition("-")[0] == language)


def _said(english: str, language: str, option: str = "") -> str | None:
    """What is English in another language; for an option of a game from the games' words."""
    if english == described_option(option, texts(ENGLISH)):
        return described_option(option, texts(language))
    if code := _chosen().get(english):
        return texts(language).get(code)
    if counted := _COUNTED.fullmatch(english):
        rest = _said(counted[2], language)
        return None if rest is None else f"{counted[1]} {rest}"
    said = command_words(language).gettext(english)
    return None if said == english else said


@cache
def _chosen() -> Mapping[str, str]:
    """Codes of the choices that the house has sentences for, by these in English."""
    english = texts(ENGLISH)
    return {english.get(code): code for code in _CHOSEN if english.knows(code)}
