"""Hints from a worker process, and the check that its answer is legal."""

from __future__ import annotations

import json
from math import isfinite

from bot.computers.frames import Question
from bot.tables.ports import MOST_ADVICE, Advice, Thought
from engine.game import AnyGame, RuleError
from engine.players.levels import Level
from engine.players.player import Considered


def question(thought: Thought, level: Level, seconds: float) -> Question:
    """The question that a worker is sent."""
    return Question(thought.game, thought.view, level.value, thought.seed, seconds, thought.counted)


def is_answer(thought: Thought, text: str, game: AnyGame) -> bool:
    """Whether `text` is an answer to `thought` that names legal actions only."""
    if not thought.counted:
        return _is_legal(thought, text, game)
    rows = read(text)
    return bool(rows) and all(_is_legal(thought, row.text, game) for row in rows)


def _is_legal(thought: Thought, text: str, game: AnyGame) -> bool:
    try:
        action = game.parse_action(text)
    except RuleError:
        return False
    return action in thought.view.legal_actions


def read(text: str) -> Advice:
    """The advice in a text; () if there is none."""
    try:
        rows = tuple(
            Considered(str(said), float(value), float(won), int(visits))
            for said, value, won, visits in json.loads(text)
        )
    except (ValueError, TypeError):
        return ()
    sound = all(isfinite(row.value) and 0 <= row.won <= 1 and row.visits >= 0 for row in rows)
    return rows if sound and len(rows) <= MOST_ADVICE else ()
