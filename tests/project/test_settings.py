"""Settings: defaults, sources, and what people read when one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import bot
from bot.settings import Settings, SettingsError, load_settings

TOKEN = "MTA.fake.token"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.names():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_defaults_need_nothing() -> None:
    settings = load_settings()
    assert settings.database_url == "sqlite+aiosqlite:///data/var/stammtisch.sqlite3"
    assert settings.discord_api_url == "https://discord.com/api/v10"
    assert settings.discord_gateway_url == "wss://gateway.discord.gg"
    assert settings.guild_ready_timeout == 2.0
    assert settings.metrics_port is None
    assert settings.computer_workers is None


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("DATABASE_URL", "sqlite+aiosqlite:///x.sqlite3", "sqlite+aiosqlite:///x.sqlite3"),
        ("DATABASE_URL", "postgresql+asyncpg://me:pw@host/n", "postgresql+asyncpg://me:pw@host/n"),
        ("METRICS_PORT", "9464", 9464),
        ("COMPUTER_WORKERS", "0", 0),
    ],
)
def test_a_setting_is_read(
    name: str, value: str, read: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(load_settings(), name.lower()) == read


def test_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=ERROR\nOTHER=1\n")
    monkeypatch.setenv("LOG_LEVEL", "debug")
    settings = load_settings()
    assert settings.token() == TOKEN
    assert settings.log_level == "DEBUG"


@pytest.mark.parametrize("name", Settings.names())
def test_an_empty_setting_is_not_set(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "")
    assert load_settings() == Settings.model_validate({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "loud"),
        ("GUILD_READY_TIMEOUT", "soon"),
        ("GUILD_READY_TIMEOUT", "-1"),
        ("GUILD_READY_TIMEOUT", "nan"),
        ("DATABASE_URL", "sqlite+aiosqlite:///~/stammtisch.sqlite3"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:"),
        ("DATABASE_URL", "sqlite:///x.sqlite3"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "postgresql://me@host/name"),
        ("METRICS_PORT", "high"),
        ("METRICS_PORT", "0"),
        ("METRICS_PORT", "65536"),
        ("COMPUTER_WORKERS", "many"),
        ("COMPUTER_WORKERS", "-1"),
        ("COMPUTER_WORKERS", "65"),
        ("DISCORD_API_URL", "discord.com"),
        ("DISCORD_GATEWAY_URL", "https://gateway"),
    ],
)
def test_a_malformed_setting_is_one_sentence_that_names_it(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    sentence = str(refused.value)
    assert sentence.startswith(f"{name} is malformed: it ")
    assert ".env" in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_create_bot_refuses_a_malformed_setting_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "loud")
    with pytest.raises(SettingsError, match="LOG_LEVEL"):
        bot.create_bot()


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfeD\x00")
    with pytest.raises(SettingsError, match=r"^\.env cannot be read"):
        load_settings()


def test_a_missing_token_points_to_the_demo() -> None:
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN is not set.*stammtisch demo"):
        load_settings().token()


@pytest.mark.parametrize("token", ["Bot a.b.c", "a.b.c d", "a.b.c\n", "geh\u00e4im"])
def test_a_malformed_token_is_not_repeated(token: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.model_validate({"discord_token": token}).token()
    assert str(refused.value).startswith("DISCORD_TOKEN is malformed")
    assert token not in str(refused.value)


def test_the_secrets_are_the_token_and_the_password_of_the_database() -> None:
    address = "postgresql+asyncpg://me:p%40ss@host/name"
    given = {"discord_token": TOKEN, "database_url": address}
    assert Settings.model_validate(given).secrets() == (TOKEN, "p%40ss", "p@ss")
    assert Settings.model_validate({"discord_token": None}).secrets() == ()


def test_the_token_is_shown_by_nothing() -> None:
    settings = Settings.model_validate({"discord_token": TOKEN})
    assert TOKEN not in repr(settings)
    assert TOKEN not in settings.model_dump_json()
