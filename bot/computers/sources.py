"""Worker processes: forked by a fork server, and ended; the interface of their metrics."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol

from bot.computers import process
from bot.computers.frames import Answer, read_answer

# Metrics.

By = Literal["level", "greedy", "nobody"]
"""Who decided: the player asked for, rules of thumb in its place, or nobody in time."""

Why = Literal["busy", "died", "hung", "failed", "illegal"]
"""Why the player asked for did not decide: no time was left, the worker died or did not answer, or
the player raised an exception or named an illegal action."""


class ThoughtCounts(Protocol):
    """Counts decisions.  Must not block and must not raise."""

    def decided(self, by: By, seconds: float) -> None:
        """A question was answered, `seconds` after it was asked."""

    def looked(self, playouts: int) -> None:
        """A player looked at `playouts` ends of the round before it answered; at least at one."""

    def fell_back(self, why: Why) -> None:
        """A question was not answered by the player asked for."""

    def waiting(self, count: int) -> None:
        """Number of questions that wait for a worker."""

    def working(self, count: int, warm: int) -> None:
        """Number of workers, and how many of them are compiled and warm."""


class _Uncounted:
    def decided(self, by: By, seconds: float) -> None: ...
    def looked(self, playouts: int) -> None: ...
    def fell_back(self, why: Why) -> None: ...
    def waiting(self, count: int) -> None: ...
    def working(self, count: int, warm: int) -> None: ...


UNCOUNTED: Final = _Uncounted()


# Processes.

START_TIME: Final = 20.0
"""Seconds after which a start has failed, if nothing is to be compiled."""

COMPILE_TIME: Final = 900.0
"""Seconds after which compiling has failed; on an idle machine it takes about a minute."""

END_TIME: Final = 0.3
"""Seconds for a process to end by itself."""

REAP_TIME: Final = 0.3
"""Seconds in which a killed process is usually gone."""

_SECRET: Final = frozenset({"DISCORD_TOKEN", "DATABASE_URL"})
"""Variables of the environment that workers are not given."""


class NotStarted(Exception):
    """No worker could be started: the kind of what went wrong."""


class Lost(Exception):
    """A worker cannot be used any more."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


class WorkerKind(NamedTuple):
    """How a worker process plays."""

    cache: Path | None = None
    """Folder of compiled players; None if they are not kept."""
    compiled: bool = False
    first: tuple[str, ...] = ()
    """Modules that are imported first."""

    @property
    def patience(self) -> float:
        """Maximum number of seconds for a start."""
        return COMPILE_TIME if self.compiled else START_TIME

    async def started(self, role: str, stdin: int = PIPE) -> Process:
        """Start a process of that role, with its standard output as a pipe.  Raises OSError."""
        way = "compiled" if self.compiled else "interpreted"
        command = ["-P", "-m", process.__name__, role, str(os.getpid()), way, *self.first]
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stdin=stdin,
            stdout=PIPE,
            stderr=DEVNULL,
            env=self._environment(),
        )

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name.upper() not in _SECRET}
        kept.pop("NUMBA_CACHE_DIR", None)
        if self.cache is not None:
            kept["NUMBA_CACHE_DIR"] = str(self.cache)
        # Equal sets are in equal order everywhere, so that equal questions have equal answers; and
        # nobody multiplies matrices.
        more = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
        return {**kept, **more, "PYTHONPATH": os.pathsep.join(sys.path)}


class Worker:
    """A process that thinks, one question at a time."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        kill: Callable[[int], None],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._kill = kill
        self.pid = 0
        self.compiled = False
        self.gone = asyncio.Event()
        """Set once it has ended, or sent an answer without a question."""
        self._answer: asyncio.Future[dict[str, Any]] | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def begun(self) -> None:
        """Wait until it is ready.  Raises NotStarted."""
        try:
            async with asyncio.timeout(START_TIME):
                hello = await read_answer(self._reader)
            self.pid, self.compiled = int(hello["pid"]), bool(hello["compiled"])
            self._hearing = asyncio.create_task(self._hear(), name=f"computer {self.pid}")
        except (TimeoutError, EOFError, OSError, ValueError, KeyError, TypeError) as error:
            raise NotStarted(type(error).__name__) from error

    async def _hear(self) -> None:
        """Read its answers until it ends."""
        why: Why = "died"
        try:
            while True:
                said = await read_answer(self._reader)
                if self._answer is None or self._answer.done():
                    break
                self._answer.set_result(said)
        except (EOFError, OSError):
            pass
        except ValueError:
            why = "illegal"
        finally:
            self.gone.set()
            if self._answer is not None and not self._answer.done():
                self._answer.set_exception(Lost(why))

    async def ask(self, frame: bytes, patience: float) -> Answer | None:
        """The answer to a question; None if the player has raised an exception.

        Raises Lost.
        """
        if self.gone.is_set():
            raise Lost("died")
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(patience):
                self._writer.write(frame)
                answer = await self._answer
        except TimeoutError:
            raise Lost("hung") from None
        does, playouts = answer.get("does"), answer.get("playouts")
        if not isinstance(does, str):
            return None
        return Answer(does, playouts if isinstance(playouts, int) else 0)

    def end(self) -> None:
        """End it at once."""
        if self._hearing is not None:
            self._hearing.cancel()
        self._writer.transport.abort()
        if self.pid:
            self._kill(self.pid)


class ForkServer:
    """Forks workers of one kind from a process that has loaded everything.

    Such workers start at once and share its memory.
    """

    def __init__(self, kind: WorkerKind) -> None:
        self._kind = kind
        self._process: Process | None = None
        self._control: socket.socket | None = None
        self._starting = asyncio.Lock()

    async def worker(self) -> Worker:
        """A new worker, ready to think.  Raises NotStarted."""
        try:
            try:
                streams = await self._copied()
            except BrokenPipeError:  # the fork server was killed, which was not known yet
                streams = await self._copied()
        except OSError as error:
            raise NotStarted(type(error).__name__) from error
        found = Worker(*streams, self._kill)
        try:
            await found.begun()
        except BaseException:
            found.end()
            raise
        return found

    async def _copied(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The streams of a new worker.  Raises NotStarted and OSError."""
        async with self._starting:
            control = await self._started()
            ours, theirs = socket.socketpair()
            try:
                with theirs:
                    socket.send_fds(control, [process.WORKER], [theirs.fileno()])
                return await asyncio.open_unix_connection(sock=ours)
            except OSError as error:
                ours.close()
                if isinstance(error, BrokenPipeError):
                    await self.aclose()
                raise

    async def _started(self) -> socket.socket:
        """The socket of the fork server; one that has ended is replaced."""
        if self._process is not None and self._process.returncode is None and self._control:
            return self._control
        await self.aclose()
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._control = ours
                ours.settimeout(0)
                self._process = await self._kind.started("forkserver", theirs.fileno())
            async with asyncio.timeout(self._kind.patience):
                hello = await read_answer(_there(self._process.stdout))
        except (TimeoutError, EOFError, OSError, ValueError) as error:
            await self.aclose()
            raise NotStarted(type(error).__name__) from error
        except BaseException:
            child = self._let_go()
            if child is not None:
                _killed(child)
            raise
        if hello.get("error"):
            await self.aclose()
            raise NotStarted(str(hello["error"]))
        return ours

    def _kill(self, pid: int) -> None:
        if self._control is not None:
            with suppress(OSError):  # the fork server has ended, and its workers with it
                self._control.send(process.KILL + str(pid).encode())

    def _let_go(self) -> Process | None:
        """Tell the fork server to end."""
        child, self._process = self._process, None
        if self._control is not None:
            self._control.close()
            self._control = None
        return child

    async def aclose(self) -> None:
        """End the fork server, which ends its workers and waits for them.

        Nothing else would where the program is process 1.
        """
        child = self._let_go()
        if child is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(END_TIME):
                    await child.wait()
            _killed(child)
            # It is gone, if that takes no longer than usual.
            with suppress(TimeoutError):
                async with asyncio.timeout(REAP_TIME):
                    await child.wait()


async def compile_all(kind: WorkerKind) -> None:
    """Fill the cache of that kind in a process of its own.  Raises NotStarted and OSError."""
    child = await kind.started("compile")
    try:
        async with asyncio.timeout(COMPILE_TIME):
            if await child.wait():
                raise NotStarted("compiler")
    except TimeoutError:
        raise NotStarted("TimeoutError") from None
    finally:
        _killed(child)


def _there(stream: asyncio.StreamReader | None) -> asyncio.StreamReader:
    if stream is None:
        raise ValueError("no pipe")
    return stream


def _killed(child: Process) -> None:
    """Kill a process, unless it has ended.

    Not by `child.kill`: that looks whether it has ended and takes the exit status away from the
    thread of asyncio that waits for it, which then warns of an unknown process.
    """
    if child.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
