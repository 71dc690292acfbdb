"""Outside programs as players: `stammtisch.policy/1` on their standard input and output."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import IO, Final, Literal, NamedTuple, TypeAlias, cast

from engine.game import Json

Fault: TypeAlias = Literal["late", "illegal", "died"]
"""No answer in time; none of the texts that were legal; or no program any more."""

LONGEST: Final = 1 << 20
"""Bytes of an answer without an end, after which the program counts as dead."""


class Failed(Exception):
    """A question that was not answered; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault: Fault = fault


class _Process(NamedTuple):
    """A program and the pipes to it."""

    started: subprocess.Popen[bytes]
    stdin: IO[bytes]
    stdout: IO[bytes]


class Program:
    """One program, started at its first question and again whenever it has died.

    It sees one match after another; one question at a time.
    """

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)
        self._process: _Process | None = None
        self._read = b""
        self._asked = 0

    def ask(self, question: Mapping[str, Json], legal: list[str], seconds: float) -> str:
        """One of the texts in `legal`.  Raises Failed."""
        process = self._running()
        self._asked += 1
        whole = {**question, "id": self._asked, "seconds": seconds}
        end = monotonic() + seconds
        try:
            self._write(process, json.dumps(whole).encode() + b"\n", end)
            while True:
                answer = self._line(process, end)
                if answer.get("id") == self._asked:
                    break  # answers to earlier questions come too late
        except Failed as failed:
            if failed.fault == "died":
                self.close()
            raise
        do = answer.get("do")
        if not isinstance(do, str) or do not in legal:
            raise Failed("illegal")
        return do

    def close(self) -> None:
        """Asks the program to end, and kills it if it does not within a second."""
        process, self._process, self._read = self._process, None, b""
        if process is None:
            return
        with suppress(OSError):
            os.write(process.stdin.fileno(), json.dumps({"id": 0, "quit": True}).encode() + b"\n")
        with suppress(OSError):
            process.stdin.close()
        try:
            process.started.wait(1)
        except subprocess.TimeoutExpired:
            process.started.kill()
            process.started.wait()
        process.stdout.close()

    def _running(self) -> _Process:
        if self._process is None or self._process.started.poll() is not None:
            self.close()
            try:
                started = subprocess.Popen(  # noqa: S603 - whoever holds the arena named it
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
                )
            except OSError:
                raise Failed("died") from None
            # Both are pipes, since we asked for them.
            stdin, stdout = cast(IO[bytes], started.stdin), cast(IO[bytes], started.stdout)
            os.set_blocking(stdin.fileno(), False)
            self._process = _Process(started, stdin, stdout)
        return self._process

    def _write(self, process: _Process, data: bytes, end: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdin, selectors.EVENT_WRITE)
            while data:
                if not selector.select(max(0.0, end - monotonic())):
                    # Half a question was written: the next one would not be understood.
                    raise Failed("died")
                try:
                    data = data[os.write(process.stdin.fileno(), data) :]
                except OSError:
                    raise Failed("died") from None

    def _line(self, process: _Process, end: float) -> Mapping[str, Json]:
        """The next line that is a JSON object."""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                line, found, rest = self._read.partition(b"\n")
                if found:
                    self._read = rest
                    with suppress(ValueError, RecursionError):
                        answer = json.loads(line)
                        if isinstance(answer, dict):
                            return answer
                    continue
                if not selector.select(max(0.0, end - monotonic())):
                    raise Failed("late")
                more = os.read(process.stdout.fileno(), 1 << 16)
                self._read += more
                if not more or len(self._read) > LONGEST:
                    raise Failed("died")
