"""Refusals of the command line: one sentence on standard error, no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import typer

from bot.operate.tools import ToolError

if TYPE_CHECKING:
    from bot.settings import Settings

REFUSED_LOGIN: Final = (
    "Discord refuses DISCORD_TOKEN: reset the token in Discord's developer portal and put the new"
    " one into .env"
)
"""The beginning of a sentence."""


def unreachable(settings: Settings, error: Exception) -> str:
    """The sentence for what keeps us from reaching Discord at all."""
    return (
        f"Discord cannot be reached at {settings.discord_api_url} ({type(error).__name__}): check"
        " the connection, and DISCORD_API_URL and DISCORD_GATEWAY_URL if you set them."
    )


def refuse(sentence: str, status: int = 2) -> NoReturn:
    """End with a sentence."""
    typer.echo(f"stammtisch: {sentence}", err=True)
    raise SystemExit(status)


@contextmanager
def refusing(what: str = "") -> Iterator[None]:
    """Turn whatever is refused in the block into one sentence, after `what`.

    By settings, the database, its driver or the operating system: what is none of these is a fault
    of ours, and raised.  The status is 1 if trying again may help, which a service then does.
    """
    try:
        yield
    except ToolError as error:
        refuse(f"{what}{error}")
    except Exception as error:
        from sqlite3 import Error as SqliteError

        from sqlalchemy.exc import SQLAlchemyError

        from bot.settings import SettingsError
        from bot.storage import StorageAway, StorageError
        from bot.storage.transaction import passes, unread, unusable
        from bot.tables.ports import Unavailable

        match error:
            case SettingsError() | StorageError():
                said, passing = str(error), isinstance(error, StorageAway)
            case Unavailable() | SQLAlchemyError() | SqliteError():
                said, passing = unread(error), passes(error)
            case OSError():
                said, passing = unusable(error), passes(error)
            case _:
                raise
        refuse(f"{what}{said}", 1 if passing else 2)


def read_settings() -> Settings:
    """The settings; ends with a sentence if they are malformed."""
    from bot.settings import load_settings

    with refusing():
        return load_settings()
