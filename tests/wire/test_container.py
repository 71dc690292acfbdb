"""The container: the Containerfile's lines in an empty folder; built, where an engine works.

Whether its user, its volume and its health check hold an engine alone can say.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.operate.conftest import ROOT, clean_environment
from tests.operate.test_hosting import instructions, last
from tests.patience import PATIENCE, until
from tests.ports import free_port
from tests.wire.front import Front

pytestmark = pytest.mark.nightly  # it loads every package that is deployed


def copied(folder: Path) -> None:
    """What comes from the checkout into the image that builds."""
    for name, rest in instructions():
        if name != "COPY" or "--from" in rest:
            continue
        *sources, target = shlex.split(rest)
        for source in sources:
            into = folder / target / (source if target == "./" else "")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, into)
            else:
                shutil.copy2(ROOT / source, into)


def installed(folder: Path) -> Path:
    """Where the program is, by the line that installs it."""
    (line,) = (rest for name, rest in instructions() if name == "RUN" and "install /opt" in rest)
    source, image = folder / "src", folder / "opt"
    source.mkdir()
    copied(source)
    kept = {name: value for name, value in clean_environment().items() if name != "PYTHONPATH"}
    there = line.replace("/opt/stammtisch", str(image))
    subprocess.run(["/bin/sh", "-c", there], cwd=source, env=kept, check=True)
    shutil.rmtree(source)
    return image


def of_the_example() -> dict[str, str]:
    """What `--env-file` makes of .env.example."""
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


async def test_its_lines_make_a_program_that_is_healthy_and_ends_gently(tmp_path: Path) -> None:
    image = await asyncio.to_thread(installed, tmp_path)
    work, port = tmp_path / "srv", str(free_port())
    work.mkdir()
    command = json.loads(last("CMD").replace("9464", port))
    check = json.loads(last("HEALTHCHECK").split("CMD", 1)[1].replace("9464", port))
    async with Front() as front:
        environment = {
            **of_the_example(),
            "PATH": f"{image / 'bin'}:{os.defpath}",
            "DISCORD_TOKEN": front.token,
            "DISCORD_API_URL": front.api_url,
            "DISCORD_GATEWAY_URL": front.gateway_url,
        }
        program = await asyncio.create_subprocess_exec(
            "stammtisch", *command, cwd=work, env=environment
        )
        await front.gateway.wait(lambda: front.gateway.identified > 0, PATIENCE)

        async def healthy() -> bool:
            asked = await asyncio.create_subprocess_exec(*check, cwd=work, env=environment)
            return await asked.wait() == 0

        await until(healthy)
        program.send_signal(signal.SIGTERM)
        assert await program.wait() == 0
    assert (work / "data" / "var").stat().st_mode & 0o777 == 0o700


def engine(*images: str) -> str:
    """An engine that works and has these images, or can load them; else the test is skipped."""
    for name in ("podman", "docker"):
        tries = [["info"], *(["pull", "--quiet", image] for image in images)]
        if shutil.which(name) and all(
            subprocess.run([name, *one], capture_output=True, check=False).returncode == 0
            for one in tries
        ):
            return name
    pytest.skip("no container engine works here, or none has the image to begin with")


def test_it_is_built_and_runs() -> None:
    bases = [rest.split()[0] for name, rest in instructions() if name == "FROM"]
    program, image = engine(bases[0]), f"stammtisch-test-{os.getpid()}"
    file = str(ROOT / "Containerfile")
    subprocess.run([program, "build", "--tag", image, "--file", file, str(ROOT)], check=True)
    try:
        said = subprocess.run(
            [program, "run", "--rm", image, "--version"], capture_output=True, check=True
        )
        assert said.stdout.startswith(b"stammtisch ")
    finally:
        subprocess.run([program, "rmi", "--force", image], check=True)
