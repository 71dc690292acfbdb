"""How the interpreter looks for garbage: no thread has a turn while it does."""

from __future__ import annotations

import gc
from typing import Final

_SELDOM: Final = 500
"""Looks at what is young between two at everything."""


def spare() -> None:
    """What is there now is never looked through again, and what grows old only seldom.

    Looking through all the values of a match of 30,000 plies takes 100 ms, in which nobody is
    answered.  They hold no cycles; what holds cycles, of discord.py, is nearly always found young.
    """
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _SELDOM)
