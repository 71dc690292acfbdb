"""Processes that have loaded the bot already: a start takes a moment instead of a second.

One process imports everything and then does nothing but fork; each child runs the bot's own
command line, `bot.operate.cli.main`, with an environment, a folder and a log of its own.  Nobody
survives whoever started them.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.operate.conftest import ROOT, clean_environment
from tests.patience import PATIENCE

# PR_SET_PDEATHSIG is 1.  A child's status goes into a file beside its log.
_SERVER: Final = """
import atexit, ctypes, gc, json, os, select, signal, sys, threading, traceback
die_with_parent = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
die_with_parent()
import aiosqlite, sqlalchemy.dialects.sqlite.pysqlite, alembic.command
import bot.app, bot.operate.cli, bot.demo
gc.freeze()
woken, wake = os.pipe()
os.set_blocking(wake, False)
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.set_wakeup_fd(wake)
logs = {}

def reap():
    while logs:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        log = logs.pop(pid)
        with open(log + ".new", "w") as out:
            out.write(str(os.waitstatus_to_exitcode(status)))
        os.rename(log + ".new", log + ".status")

def shifted(path):
    # The wall clock, by so many seconds wrong as stand in the file at this moment.
    import datetime, mmap, struct
    with open(path, "rb") as file:
        offset = mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)
    def now():
        wrong = datetime.timedelta(seconds=struct.unpack("d", offset)[0])
        return datetime.datetime.now(datetime.UTC) + wrong
    return now

def watched(started, seconds):
    # Where the event loop is held up for so long is written into the log.
    import asyncio, faulthandler
    async def beat():
        while True:
            faulthandler.dump_traceback_later(seconds)
            await asyncio.sleep(seconds / 4)
    async def beside(program):
        beating = asyncio.ensure_future(beat())
        return await program
    return lambda program: started(beside(program))

def prepare(order):
    if order["environment"].get("DATABASE_URL", "").startswith("postgresql"):
        import bot.storage.postgres, sqlalchemy.dialects.postgresql.asyncpg

def child(order):
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    die_with_parent()
    out, errors = (
        os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        for name in ("log", "errors")
    )
    given = os.open(order["given"], os.O_RDONLY)
    for old, new in ((given, 0), (out, 1), (errors, 2)):
        os.dup2(old, new)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.argv = ["stammtisch", *order["arguments"]]
    sys.stdin = open(0)
    if order["clock"]:
        bot.app.utc_now = shifted(order["clock"])
    if "HELD" in os.environ:
        bot.operate.cli._started = watched(bot.operate.cli._started, float(os.environ["HELD"]))
    status = 1
    try:
        bot.operate.cli.main()
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        if order["given"] != os.devnull:  # a command: it ends as a process of its own would
            threading._shutdown()
            atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1)

print("ready", flush=True)
lines = b""
while True:
    ready, _, _ = select.select([0, woken], [], [])
    if woken in ready:
        os.read(woken, 4096)
        reap()
    if 0 in ready:
        more = os.read(0, 65536)
        if not more:
            break
        lines += more
        while b"\\n" in lines:
            line, lines = lines.split(b"\\n", 1)
            order = json.loads(line)
            prepare(order)
            pid = os.fork()
            if pid == 0:
                child(order)
            logs[pid] = order["log"]
            print(pid, flush=True)
"""


class Child:
    """A bot that was started: it can be waited for without being one's own child."""

    def __init__(self, pid: int, log: Path) -> None:
        self.pid = pid
        self.log = log
        self.status: int | None = None
        """As `subprocess` says it: negative is the signal that ended it."""
        self._descriptor = os.pidfd_open(pid)
        self._gone = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._descriptor, self._ended)

    def send(self, number: signal.Signals) -> None:
        """Sends a signal, if it still runs."""
        if not self._gone.is_set():
            # It may have ended without our having noticed.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, number)

    @property
    def running(self) -> bool:
        return not self._gone.is_set()

    async def wait(self) -> int:
        """Its status, once it has ended."""
        await self._gone.wait()
        written = self.log.with_name(self.log.name + ".status")
        while self.status is None:
            if written.exists():
                self.status = int(written.read_text())
            else:
                await asyncio.sleep(0.001)
        return self.status

    def _ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)
        self._gone.set()


class Nursery:
    """The process that forks."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**clean_environment(), "PYTHONPATH": str(ROOT)},
            bufsize=0,
        )
        assert self._read() == "ready", "the bot cannot be imported"

    def start(
        self,
        folder: Path,
        log: Path,
        environment: dict[str, str],
        *command: str,
        clock: Path | None = None,
    ) -> Child:
        """Starts `stammtisch` with these arguments; by the `clock`, if one is given.

        That is a file with a float of eight bytes: so many seconds the wall clock is ahead.
        """
        return Child(self._fork(folder, log, environment, command, clock=clock), log)

    def run(
        self, folder: Path, given: bytes, environment: dict[str, str], *command: str
    ) -> subprocess.CompletedProcess[str]:
        """The same, to its end, with something on standard input."""
        with tempfile.TemporaryDirectory() as files:
            return self._run(folder, Path(files), given, environment, command)

    def _run(
        self,
        folder: Path,
        files: Path,
        given: bytes,
        environment: dict[str, str],
        command: Sequence[str],
    ) -> subprocess.CompletedProcess[str]:
        log, errors, standard = (files / name for name in ("out", "errors", "given"))
        standard.write_bytes(given)
        pid = self._fork(folder, log, environment, command, errors=errors, given=standard)
        with suppress(ProcessLookupError):  # it may have ended
            end = os.pidfd_open(pid)
            try:
                if not select.select([end], [], [], PATIENCE)[0]:
                    signal.pidfd_send_signal(end, signal.SIGKILL)
            finally:
                os.close(end)
        written = log.with_name(log.name + ".status")
        while not written.exists():
            time.sleep(0.001)
        return subprocess.CompletedProcess(
            command,
            int(written.read_text()),
            log.read_bytes().decode(),
            errors.read_bytes().decode(),
        )

    def _fork(
        self,
        folder: Path,
        log: Path,
        environment: dict[str, str],
        command: Sequence[str],
        *,
        errors: Path | None = None,
        given: Path | None = None,
        clock: Path | None = None,
    ) -> int:
        order = {
            "folder": str(folder),
            "log": str(log),
            "errors": str(errors or log),
            "given": os.devnull if given is None else str(given),
            "environment": environment,
            "arguments": command,
            "clock": None if clock is None else str(clock),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        return int(self._read())

    def close(self) -> None:
        """Ends it, and with it whatever it started."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait(PATIENCE)

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode().strip()


@functools.cache
def nursery() -> Nursery:
    """The one of this process."""
    made = Nursery()
    atexit.register(made.close)
    return made
