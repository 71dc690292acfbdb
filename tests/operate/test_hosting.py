"""The container and the service: what they name exists, and what they promise is in them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from bot.operate.cli import app
from bot.settings import Settings
from tests.operate.conftest import ROOT
from tests.project.test_documents import program_commands

CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPERATING = (ROOT / "data" / "docs" / "operating.md").read_text(encoding="utf-8")
SERVICE_FILE = "data/service/stammtisch.service"


def instructions() -> list[tuple[str, str]]:
    """Instructions of the Containerfile with their arguments, in order."""
    text = re.sub(r"^#.*\n", "", CONTAINERFILE.replace("\\\n", " "), flags=re.MULTILINE)
    parts = (line.split(None, 1) for line in text.splitlines() if line.strip())
    return [(name, rest) for name, rest in parts]


def last(name: str) -> str:
    """The arguments of the last such instruction, which is of the final image."""
    return [rest for found, rest in instructions() if found == name][-1]


@pytest.fixture
def service() -> ConfigParser:
    parsed = ConfigParser(interpolation=None, strict=False)
    parsed.optionxform = str  # type: ignore[assignment,method-assign] # as configparser says it
    parsed.read_string((ROOT / SERVICE_FILE).read_text(encoding="utf-8"))
    return parsed


def copied() -> set[str]:
    """What comes from the checkout into the image."""
    lines = [rest for name, rest in instructions() if name == "COPY" and "--from" not in rest]
    return {source for line in lines for source in shlex.split(line)[:-1]}


def test_what_the_container_copies_exists() -> None:
    assert {"bot", "cogs", "engine", "pyproject.toml"} <= copied()
    for source in copied():
        assert (ROOT / source).exists(), source


def test_of_data_all_that_the_program_reads_is_in_the_image_and_no_database() -> None:
    folders = {path.name for path in (ROOT / "data").iterdir() if path.is_dir()}
    read = folders - {"docs", "var", "__pycache__"}  # and what installs it is read once
    assert {name for name in copied() if name.startswith("data")} == {f"data/{x}" for x in read}
    assert not {".", "./", ".env"} & copied()


def test_the_container_runs_as_nobody_special_and_keeps_its_database() -> None:
    assert last("USER") not in ("root", "0")
    volume, folder = last("VOLUME"), last("WORKDIR")
    default = Settings.model_fields["database_url"].default
    assert f"{folder}/{default.removeprefix('sqlite+aiosqlite:///')}".startswith(f"{volume}/")
    assert last("STOPSIGNAL") == "SIGTERM"


def test_the_container_has_no_tools_of_developers() -> None:
    (install,) = (rest for _, rest in instructions() if "data/service/install" in rest)
    (kept,) = (rest for name, rest in instructions() if name == "COPY" and "--from" in rest)
    assert install.split()[-1] == shlex.split(kept)[1] == "/opt/stammtisch"
    assert "pytest" not in (ROOT / "data" / "service" / "deploy.txt").read_text(encoding="utf-8")


def test_the_base_images_are_one_with_all_of_its_version() -> None:
    images = {rest.split()[0] for name, rest in instructions() if name == "FROM"}
    assert len(images) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+", images.pop())


def test_what_is_deployed_is_installed_by_hash_and_nothing_is_resolved() -> None:
    script = (ROOT / "data" / "service" / "install").read_text(encoding="utf-8")
    commands = re.sub(r"^#.*\n", "", script, flags=re.MULTILINE).replace("\\\n", " ")
    installs = [line for line in commands.splitlines() if re.search(r"\bpip.* install\b", line)]
    assert len(installs) == 3
    for line in installs:
        assert "--require-hashes" in line or {"--no-deps", "--offline"} <= set(line.split()), line
    assert os.access(ROOT / "data" / "service" / "install", os.X_OK)
    assert "data/service/install .venv" in README


def hardened(service: ConfigParser) -> str:
    """The text of the service with a program that exists everywhere."""
    text = (ROOT / SERVICE_FILE).read_text(encoding="utf-8")
    return text.replace(service["Service"]["ExecStart"].split()[0], "/bin/true")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
@pytest.mark.parametrize(
    "question", [("verify",), ("security", "--offline=yes", "--no-pager", "--threshold=20")]
)
def test_systemd_understands_the_service_and_finds_it_hardened(
    service: ConfigParser, tmp_path: Path, question: tuple[str, ...]
) -> None:
    unit = tmp_path / "stammtisch.service"
    unit.write_text(hardened(service), encoding="utf-8")
    asked = ("systemd-analyze", *question, str(unit))
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if "--offline" in done.stderr and "nrecognized" in done.stderr:
        pytest.skip("systemd is too old to look at a file")
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(unit) not in done.stderr


def test_the_service_has_no_privileges_stops_gently_and_waits_for_whoever_mends_a_setting(
    service: ConfigParser,
) -> None:
    wanted = {
        "CapabilityBoundingSet": "",
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "UMask": "0077",  # nobody else reads what it writes
        "KillSignal": "SIGTERM",
        "TimeoutStopSec": "15",
        "Restart": "on-failure",
        "RestartPreventExitStatus": "2",
    }
    said = service["Service"]
    assert {name: said[name] for name in wanted} == wanted
    assert "SystemCallFilter=@system-service\n" in (ROOT / SERVICE_FILE).read_text("utf-8")
    assert re.fullmatch(r"\d+[MG]", said["MemoryMax"])
    # Compilers in workers write code and run it.
    assert "MemoryDenyWriteExecute" not in said


def test_nothing_of_the_image_is_overridden_by_an_empty_setting() -> None:
    """As they stand in .env.example, and are passed on by `--env-file`."""
    assert not {pair.split("=")[0] for pair in last("ENV").split()} & set(Settings.names())


@pytest.mark.parametrize("given", [None, "", "9500"])
def test_the_container_is_asked_for_its_health_where_it_answers(
    given: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in Settings.names():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISCORD_TOKEN", "MTA.fake.token")
    if given is not None:
        monkeypatch.setenv("METRICS_PORT", given)
    monkeypatch.chdir(tmp_path)
    started: list[Settings] = []
    monkeypatch.setattr("bot.create_bot", lambda settings, **_: started.append(settings))
    monkeypatch.setattr("bot.operate.cli._started", lambda program: program.close())
    monkeypatch.setattr("bot.operate.logs.configure", lambda *_, **__: None)
    app(json.loads(last("CMD")), standalone_mode=False)
    asked: list[str] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: asked.append(url))
    python, flag, code = json.loads(last("HEALTHCHECK").split("CMD", 1)[1])
    assert (python, flag) == ("python", "-c")
    exec(code, {})  # noqa: S102 - what the container runs
    assert asked == [f"http://127.0.0.1:{given or 9464}/health"]
    assert [settings.metrics_port for settings in started] == [int(given or 9464)]


def test_the_container_runs_a_command_that_exists() -> None:
    assert last("ENTRYPOINT") == '["stammtisch"]'
    assert json.loads(last("CMD"))[0] in program_commands()


def test_the_service_runs_a_command_that_exists(service: ConfigParser) -> None:
    program, command = service["Service"]["ExecStart"].split()
    folder = service["Service"]["WorkingDirectory"]
    assert program == f"{folder}/.venv/bin/stammtisch"
    assert command in program_commands()
    assert service["Service"]["User"] not in ("root", "")


def test_the_service_may_write_where_the_database_is(service: ConfigParser) -> None:
    folder = service["Service"]["WorkingDirectory"]
    default = Settings.model_fields["database_url"].default
    path = f"{folder}/{default.removeprefix('sqlite+aiosqlite:///')}"
    assert path.startswith(service["Service"]["ReadWritePaths"] + "/")


def test_operating_names_both() -> None:
    assert "](../../Containerfile)" in OPERATING
    assert f"](../../{SERVICE_FILE})" in OPERATING
