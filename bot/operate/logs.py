"""Logs: one JSON object per line on standard error, discord.py's included.

Logs name tables, questions and interactions (structlog's context variables, which lines of
libraries get too), never a hand, a seed, a token or a person: addresses of Discord's that libraries
warn about are without their ids.  Libraries log whole requests, with the hands
in them, at DEBUG, so they are never asked for it.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable
from typing import Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

_OURS = ("bot", "cogs", "engine")

_PERSON = re.compile(r"(/(?:members|users)/)\d+")
"""A person in an address of Discord's."""


class _Render:
    """Renders JSON without the secrets, whatever an exception's text may quote."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # As they are, and as JSON writes them.
        written = ((secret, json.dumps(secret, ensure_ascii=False)[1:-1]) for secret in secrets)
        self._secrets = tuple(dict.fromkeys(form for forms in written for form in forms if form))
        self._json = structlog.processors.JSONRenderer(ensure_ascii=False)

    def __call__(self, logger: WrappedLogger, name: str, event: EventDict) -> str:
        line = str(self._json(logger, name, event))
        for secret in self._secrets:
            line = line.replace(secret, "[secret]")
        return _PERSON.sub(r"\1[id]", line)


def configure(
    level: Level = "INFO",
    *,
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
    lasting: bool = False,
) -> None:
    """Send all logs of this process to `stream` (standard error).

    It may be called again unless that is `lasting`: then loggers are made once.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        # Plain tracebacks: the structured ones show local variables, and so hands.
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=lasting,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _Render(secrets),
            ],
        )
    )
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    number = logging.getLevelNamesMapping()[level]
    root.setLevel(max(number, logging.INFO))
    for name in _OURS:
        logging.getLogger(name).setLevel(number)
