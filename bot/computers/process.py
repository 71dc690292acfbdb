"""Main function of worker processes: `python -m bot.computers.process ROLE …`.

*forkserver* has loaded everything and forks workers; *compile* fills the cache and ends.  All of
them end when the program does, however that ends.  They read no settings and write no logs.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pickle
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import BinaryIO, Final

from bot.computers import thinking
from bot.computers.frames import Question, pack_answer, read_frame

WORKER: Final = b"w"
"""Message to a fork server: fork a worker that talks over the socket sent along."""

KILL: Final = b"k"
"""Message to a fork server, before the number of a process: kill that worker."""

_NICE: Final = 10
_PR_SET_PDEATHSIG: Final = 1
_LOOK: Final = 1.0
"""Seconds between two checks for workers that have ended."""


def main(arguments: Sequence[str]) -> None:
    """`arguments`: role, number of the parent, `compiled` or `interpreted`, what to load first."""
    role, parent, way, *first = arguments
    _alone()
    die_with(int(parent))
    match role:
        case "forkserver":
            with socket.socket(fileno=0) as control:
                failure = _prepare(way, first)
                _say(sys.stdout.buffer, pack_answer(compiled=_compiled(), error=failure))
                _fork_server(control)
        case _:
            threading.Thread(target=_end_with, args=(sys.stdin.buffer,), daemon=True).start()
            failure = _prepare(way, first)
            # At once: the thread above never lets go of its stream.
            os._exit(0 if not failure and _compiled() else 1)


def _alone() -> None:
    """Ignore signals to stop: they are for the program, which then ends this process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(_NICE)


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it had died before
        os._exit(0)


def _prepare(way: str, first: Sequence[str]) -> str:
    """Load all players; returns the kind of what went wrong, or "".

    Never its text, which could quote cards.
    """
    try:
        for module in first:
            importlib.import_module(module)
        if way == "interpreted":
            thinking.play_interpreted()
        else:
            thinking.warm()
    except Exception as error:
        return type(error).__name__
    return ""


def _compiled() -> bool:
    loaded = sys.modules.get("engine.players.compiled")
    return loaded is not None and bool(loaded.COMPILED)


def _end_with(stream: BinaryIO) -> None:
    """End this process when the stream ends, as it does with the program."""
    while stream.read(1):
        pass
    os._exit(0)


def _say(stream: BinaryIO, frame: bytes) -> None:
    """Send a frame; end this process if the program is gone."""
    try:
        stream.write(frame)
        stream.flush()
    except OSError:
        os._exit(0)


# The fork server


def _fork_server(control: socket.socket) -> None:
    """Fork workers and kill them until the program ends.

    Only this process kills them: the number of a worker that has ended is not given to another
    process before its parent has waited for it.
    """
    # Copies share what was there before, as long as nobody counts its references.
    gc.collect()
    gc.freeze()
    children: set[int] = set()
    while True:
        readable, _, _ = select.select([control], [], [], _LOOK)
        children -= {child for child in children if os.waitpid(child, os.WNOHANG)[0]}
        if not readable:
            continue
        message, sockets, _, _ = socket.recv_fds(control, 64, 1)
        if not message:
            break
        if message == WORKER and sockets:
            children.add(_fork_worker(control, sockets[0]))
        elif message.startswith(KILL) and (child := int(message[1:])) in children:
            os.kill(child, signal.SIGKILL)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _fork_worker(control: socket.socket, descriptor: int) -> int:
    """The process number of a new worker; in the worker this never returns."""
    parent = os.getpid()
    child = os.fork()
    if child:
        os.close(descriptor)
        return child
    try:
        die_with(parent)
        # A worker keeps no socket of the fork server open.
        nothing = os.open(os.devnull, os.O_RDWR)
        control.detach()
        for number in (0, 1):
            os.dup2(nothing, number)
        with socket.socket(fileno=descriptor) as end:
            _serve(end.makefile("rb"), end.makefile("wb"))
    finally:
        os._exit(1)


# Workers


def _serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer one question after the other until the stream ends."""
    _say(answers, pack_answer(pid=os.getpid(), compiled=_compiled()))
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions, asked.put), daemon=True).start()
    while True:
        _say(answers, _answer(asked.get()))


def _listen(questions: BinaryIO, asked: Callable[[bytes], None]) -> None:
    """Read questions in this thread, so that the program's end is noticed during a thought."""
    with suppress(OSError):
        while (frame := read_frame(questions)) is not None:
            asked(frame)
    os._exit(0)


def _answer(frame: bytes) -> bytes:
    try:
        question = Question(*pickle.loads(frame))  # noqa: S301 - from the program itself
        return pack_answer(**thinking.think(question)._asdict())
    except Exception as error:  # whatever a player raises: another one is asked
        return pack_answer(error=type(error).__name__)


if __name__ == "__main__":
    main(sys.argv[1:])
