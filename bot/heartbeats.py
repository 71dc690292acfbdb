"""Connections to Discord: asking for a sign of life, and how long one has been silent."""

from __future__ import annotations

import threading
from time import perf_counter

from discord.gateway import KeepAliveHandler


async def asked_for_a_sign() -> bool:
    """Send a heartbeat on every connection now, which Discord answers at once; False without any.

    discord.py itself sends one every 41 seconds, from a thread for each connection, and would take
    the answer to a heartbeat that this thread does not know of for a very late one.  Raises what a
    closing connection raises.
    """
    lines = _lines()
    for line in lines:
        await line.ws.send_heartbeat(line.beat())
    return bool(lines)


def silence() -> float:
    """Seconds since something came on the line that is silent longest; 0.0 if there is none.

    Others that are heard say nothing of it: those whose presses it carries cannot be.
    """
    now = perf_counter()
    # When discord.py heard it last stands nowhere else; it gives a silent one up after a minute.
    heard = (getattr(line, "_last_recv", now) for line in _lines() if line.ws.open)
    return max((now - last for last in heard), default=0.0)


def _lines() -> list[KeepAliveHandler]:
    return [line for line in threading.enumerate() if isinstance(line, KeepAliveHandler)]
