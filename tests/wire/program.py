"""The bot's own command line as a process that can be killed, stopped and started again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import struct
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.operate.conftest import ROOT, clean_environment
from tests.patience import PATIENCE, until
from tests.wire.front import Front
from tests.wire.nursery import Child, nursery
from tests.wire.offspring import MARK


class ProgramEnded(Exception):
    """The bot ended by itself: its status and what it said last."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"status {status}:\n{said[-4000:]}")
        self.status = status


class Program:
    """`stammtisch run`, again and again over the same database.  Use it as `async with`."""

    def __init__(
        self, front: Front, folder: Path, *, database: str | None = None, **environment: str
    ) -> None:
        self.front = front
        self.folder = folder
        self.database = database or f"sqlite+aiosqlite:///{folder / 'wire.sqlite3'}"
        self.lives = 0
        """How often it was started."""
        self.ahead = 0.0
        """Seconds by which its wall clock is ahead of ours; see `set_clock`."""
        self.ahead_at_start = 0.0
        """The same when its newest life began."""
        self._more = environment
        self._commands = 0
        self._clock = folder / "clock"
        self._child: Child | None = None
        self.mark = f"{os.getpid()} {id(self)} "
        """Begins the mark of whatever any life of it has started; see `tests.wire.offspring`."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.running:
            await self.kill()
        if error is not None:
            error.add_note(f"the bot's last words:\n{self.log()[-4000:]}")

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.running

    @property
    def pid(self) -> int:
        assert self._child is not None, "it was never started"
        return self._child.pid

    async def start(self, seconds: float = PATIENCE) -> None:
        """Starts it and returns once it listens to the gateway.

        Raises ProgramEnded if it ends instead, TimeoutError if nothing happens.
        """
        assert not self.running, "it runs already"
        self.folder.mkdir(parents=True, exist_ok=True)
        gateway = self.front.gateway
        logins = gateway.identified
        log = self._log(self.lives)
        self.lives += 1
        self.ahead_at_start = self.ahead
        clock = self._clock if self._clock.exists() else None
        self._child = child = nursery().start(
            self.folder, log, self._environment(), "run", clock=clock
        )
        ready = asyncio.ensure_future(
            gateway.wait(lambda: gateway.identified >= logins + gateway.shards, seconds)
        )
        ended = asyncio.ensure_future(child.wait())
        await asyncio.wait([ready, ended], return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            await asyncio.wait([ready])
            raise ProgramEnded(ended.result(), self.log())
        ended.cancel()
        await asyncio.wait([ended])
        ready.result()

    @property
    def now(self) -> datetime:
        """The time, as the program has it."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    def set_clock(self, ahead: float) -> None:
        """From now on, and in its next lives, its wall clock is so many seconds ahead of ours."""
        self.ahead = ahead
        self._clock.parent.mkdir(parents=True, exist_ok=True)
        # Over the bytes that are there: it reads them all the time.
        with self._clock.open("r+b" if self._clock.exists() else "wb") as file:
            file.write(struct.pack("d", ahead))

    async def command(self, *arguments: str, seconds: float = PATIENCE) -> tuple[int, str]:
        """Another command of `stammtisch` over the same database: its status, what it said.

        Raises TimeoutError.
        """
        self._commands += 1
        log = self.folder / f"command-{self._commands}.log"
        child = nursery().start(self.folder, log, self._environment(), *arguments)
        status = await asyncio.wait_for(child.wait(), seconds)
        return status, log.read_text(errors="replace")

    def command_at_once(self, *arguments: str, seconds: float = PATIENCE) -> tuple[int, str]:
        """The same, while this process does nothing else: nobody looks into the database meanwhile.

        Raises TimeoutError.
        """
        self._commands += 1
        log = self.folder / f"command-{self._commands}.log"
        nursery().start(self.folder, log, self._environment(), *arguments)
        written, end = log.with_name(log.name + ".status"), time.monotonic() + seconds
        while not written.exists():
            if time.monotonic() > end:
                raise TimeoutError(" ".join(arguments))
            time.sleep(0.01)
        return int(written.read_text()), log.read_text(errors="replace")

    async def kill(self) -> None:
        """SIGKILL, as when the machine loses power.  Whoever waits for an answer gets none."""
        self.send(signal.SIGKILL)
        await self.ended()

    async def terminate(self) -> float:
        """SIGTERM, as when a host stops it; returns the seconds until it has ended."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        self.send(signal.SIGTERM)
        await self.ended()
        return loop.time() - begun

    async def restart(self) -> None:
        """Killed and started again."""
        await self.kill()
        await self.start()

    def send(self, number: signal.Signals) -> None:
        """Only sends the signal."""
        assert self._child is not None, "it was never started"
        self._child.send(number)

    async def ended(self, seconds: float = PATIENCE) -> int:
        """The exit status, once it has ended.  Raises TimeoutError."""
        assert self._child is not None, "it was never started"
        status = await asyncio.wait_for(self._child.wait(), seconds)
        self.front.hang_up()
        return status

    def log(self, life: int = -1) -> str:
        """What a life of it wrote (the newest)."""
        number = life if life >= 0 else self.lives + life
        path = self._log(number)
        return path.read_text(errors="replace") if path.exists() else ""

    def events(self, life: int = -1) -> list[dict[str, Any]]:
        """The lines of its log."""
        lines = self.log(life).splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line[-1] == "}"]

    async def said(self, event: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The first line of the newest life's log with that event, once it is written.

        Raises TimeoutError.
        """
        return await until(
            lambda: next((line for line in self.events() if line["event"] == event), None), seconds
        )

    def rss(self) -> int:
        """Bytes of memory that it holds now."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise ProgramEnded(-1, "it has no memory any more")

    def cpu(self) -> float:
        """Seconds of processor time that it has used in this life."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _log(self, life: int) -> Path:
        return self.folder / f"life-{life + 1}.log"

    def _environment(self) -> dict[str, str]:
        return {
            **clean_environment(),
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": self.front.token,
            "DISCORD_API_URL": self.front.api_url,
            "DISCORD_GATEWAY_URL": self.front.gateway_url,
            "DATABASE_URL": self.database,
            "GUILD_READY_TIMEOUT": "0.05",
            MARK: f"{self.mark}{self.lives}",
            **self._more,
        }
