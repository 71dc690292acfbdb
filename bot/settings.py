"""Settings of the program, read from the environment and `.env`."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as SourceError

_TOKEN = re.compile(r"[!-~]+")
"""No spaces, as in a token that was pasted with its `Bot `; more only Discord can tell."""


class SettingsError(Exception):
    """A missing or malformed setting: one sentence that names it and says what to do."""


def _address(*schemes: str) -> AfterValidator:
    def check(value: str) -> str:
        if not value.startswith(tuple(f"{scheme}://" for scheme in schemes)):
            raise PydanticCustomError("address", "{must}", {"must": _must_begin(schemes)})
        if not _is_reachable(value):
            raise PydanticCustomError("host", "must name a host, and no port above 65535")
        return value.rstrip("/")

    return AfterValidator(check)


def _is_reachable(address: str) -> bool:
    """Whether the network may be asked for it at all."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        return parts.port != 0 and bool(re.fullmatch(r"\S+", host) and host.encode("idna"))
    except ValueError:
        return False


def _must_begin(schemes: tuple[str, ...]) -> str:
    return "must begin with " + " or ".join(f"{scheme}://" for scheme in schemes)


def _database(value: str) -> str:
    # A shell's `~` would be a folder of that name, and what is in memory only cannot be kept.
    if not re.match(r"sqlite\+aiosqlite:///(?!~|:memory:).|postgresql\+asyncpg://.", value):
        raise PydanticCustomError(
            "database",
            "must look like sqlite+aiosqlite:///folder/name.sqlite3 (written out, without ~)"
            " or postgresql+asyncpg://user:password@host/name",
        )
    return value


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseSettings):
    """Every setting with its default; the names in the environment are upper case."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    discord_token: SecretStr | None = None
    """The bot's token from Discord's developer portal; only `stammtisch run` needs it."""
    database_url: Annotated[str, AfterValidator(_database), Field(repr=False)] = (
        "sqlite+aiosqlite:///data/var/stammtisch.sqlite3"
    )
    """SQLAlchemy's form; a relative path is relative to the working directory."""
    discord_api_url: Annotated[str, _address("https", "http")] = "https://discord.com/api/v10"
    discord_gateway_url: Annotated[str, _address("wss", "ws")] = "wss://gateway.discord.gg"
    guild_ready_timeout: Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)] = 2.0
    """Seconds to wait for the last server before the bot counts as ready."""
    metrics_port: Annotated[int | None, Field(ge=1, le=65535)] = None
    """Port on 127.0.0.1 for `/health` and `/metrics`; unset, there is neither."""
    computer_workers: Annotated[int | None, Field(ge=0, le=64)] = None
    """Processes that think for computer players; unset, one less than there are cores.

    Except on Linux there are none.
    """
    computer_seconds: Annotated[int, Field(ge=0, le=5)] = 1
    """Seconds after which a computer player answers, at tables that are opened from now on."""
    pictures: bool = True
    """Whether cards are shown as pictures, to people who want to see them."""
    source_url: Annotated[str, _address("https", "http")] | None = None
    """Address of the source of this program, for `/about`; unset, none is named."""
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = (
        "INFO"
    )

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The settings as they are called in the environment."""
        return tuple(name.upper() for name in cls.model_fields)

    def secrets(self) -> tuple[str, ...]:
        """Secrets that no log may contain: the token, and the password of the database."""
        token = "" if self.discord_token is None else self.discord_token.get_secret_value()
        try:
            password = urlsplit(self.database_url).password or ""
        except ValueError:  # no address at all: the database will say so
            password = ""
        return tuple(filter(None, dict.fromkeys((token, password, unquote(password)))))

    def token(self) -> str:
        """The token in the clear.  Raises SettingsError if it is missing or cannot be one."""
        if self.discord_token is None:
            raise SettingsError(
                "DISCORD_TOKEN is not set: put the bot's token from Discord's developer portal"
                " into .env or the environment, or try the bot without one: stammtisch demo."
            )
        token = self.discord_token.get_secret_value()
        if not _TOKEN.fullmatch(token):
            raise SettingsError(
                "DISCORD_TOKEN is malformed: copy the bot's token, and nothing else, from Discord's"
                " developer portal once more, or try the bot without one: stammtisch demo."
            )
        return token


def load_settings() -> Settings:
    """The settings of this process.  Raises SettingsError for the first malformed one."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = str(first["loc"][0]).upper()
        what = first["msg"].replace("Input", "it").removeprefix("it ").rstrip(".")
        raise SettingsError(
            f"{name} is malformed: it {what}; correct it in .env or the environment."
        ) from None
    except (SourceError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f".env cannot be read ({error}): save it as plain UTF-8.") from None
