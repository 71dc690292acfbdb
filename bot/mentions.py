"""Slash commands in texts: clickable if Discord's ids of them are known, else as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

COMMAND: Final = re.compile(r"`/([a-z]+(?: [a-z]+(?![a-z]*:))?)((?: [a-z]+:[^`]*)?)`")
"""A command in a text, and the parameters after it: `/newgame`, `/seat kick`."""


MENTION: Final = re.compile(r"</([a-z ]+):\d+>")
"""A command that can be pressed."""


def as_typed(text: str) -> str:
    """`text` with its commands as they are typed, for where nothing can be pressed.

    >>> as_typed("</seat kick:5> or `/newgame`")
    '`/seat kick` or `/newgame`'
    """
    return MENTION.sub(r"`/\1`", text)


def clickable(text: str, ids: Mapping[str, int]) -> str:
    """`text` with its commands as mentions that whoever reads them can press.

    `ids` are Discord's, by the first word of a command.  Parameters are no part of a mention.

    >>> clickable("`/newgame` opens one", {"newgame": 7})
    '</newgame:7> opens one'
    >>> clickable("by `/seat kick` or `/newgame length:9`", {"seat": 5, "newgame": 7})
    'by </seat kick:5> or </newgame:7> `length:9`'
    >>> clickable("`/newgame` opens one", {})
    '`/newgame` opens one'
    """

    def mention(found: re.Match[str]) -> str:
        command, parameters = found[1], found[2].strip()
        number = ids.get(command.partition(" ")[0])
        if number is None:
            return found[0]
        return f"</{command}:{number}>" + (f" `{parameters}`" if parameters else "")

    return COMMAND.sub(mention, text)
