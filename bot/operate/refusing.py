"""What the command refuses: one sentence on standard error, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from bot.settings import Settings


def refuse(sentence: str, status: int = 2) -> NoReturn:
    """End with a sentence."""
    typer.echo(f"stammtisch: {sentence}", err=True)
    raise SystemExit(status)


@contextmanager
def refusing(what: str = "") -> Iterator[None]:
    """What settings or database refuse is one sentence, after `what`.

    The status is 1 if trying again may help, which a service then does.
    """
    from bot.settings import SettingsError
    from bot.storage import StorageAway, StorageError

    try:
        yield
    except (SettingsError, StorageError) as error:
        refuse(f"{what}{error}", 1 if isinstance(error, StorageAway) else 2)


def read_settings() -> Settings:
    """The settings; ends with a sentence if they are malformed."""
    from bot.settings import load_settings

    with refusing():
        return load_settings()
