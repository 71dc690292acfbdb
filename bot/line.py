"""The line to Discord: asking it for a sign of life."""

from __future__ import annotations

import threading

from discord.gateway import KeepAliveHandler


async def asked_for_a_sign() -> bool:
    """Send a heartbeat now, which Discord answers at once; False if there is no line.

    discord.py does so by itself once in 41 seconds, from a thread for each connection, and would
    take the answer to a heartbeat that this thread does not know of for a very late one.
    Raises whatever a connection that is closing raises.
    """
    lines = [line for line in threading.enumerate() if isinstance(line, KeepAliveHandler)]
    for line in lines:
        await line.ws.send_heartbeat(line.beat())
    return bool(lines)
