"""Files of weights: a name and a number in each line."""

from __future__ import annotations

from collections.abc import Sequence

TRAINED = "playouts.txt"
"""The file in a game's package that a training ends with."""


def written(names: Sequence[str], weights: Sequence[float]) -> str:
    """The text of a file with these weights.

    >>> written(["high", "low"], [1.25, -3.0])
    'high 1.25\\nlow -3.0\\n'
    """
    return "".join(f"{name} {weight!r}\n" for name, weight in zip(names, weights, strict=True))


def read(text: str, names: Sequence[str]) -> tuple[float, ...]:
    """The weights that a text says, in the order of `names`, which it names in that order.

    Raises ValueError if it does not.
    """
    lines = [line.split(" ") for line in text.splitlines()]
    if [line[0] for line in lines] != list(names):
        raise ValueError("other weights than the rules of thumb go by")
    return tuple([float(weight) for _, weight in lines])
