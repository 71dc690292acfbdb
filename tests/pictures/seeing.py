"""How colours look: contrast, and what is left of them for people who see fewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist
from typing import Final

from bot.pictures.decks import Colour

# Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
DEFICIENCIES: Final[Mapping[str, Sequence[Sequence[float]]]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)


def linear(colour: Colour) -> list[float]:
    parts = [part / 255 for part in colour]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def luminance(colour: Colour) -> float:
    return times(_TO_XYZ, linear(colour))[1]


def contrast(one: Colour, other: Colour) -> float:
    """As the Web Content Accessibility Guidelines count it: 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(light: Sequence[float]) -> list[float]:
    """Where linear light stands in CIELAB."""
    x, y, z = (
        part ** (1 / 3) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29
        for part in (v / w for v, w in zip(times(_TO_XYZ, light), _WHITE, strict=True))
    )
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def seen_distance(one: Colour, other: Colour, deficiency: str) -> float:
    """ΔE (CIE 1976) between two colours as they are seen with it."""
    seen = []
    for colour in (one, other):
        light = times(DEFICIENCIES[deficiency], linear(colour))
        seen.append(lab([min(1.0, max(0.0, part)) for part in light]))
    return dist(*seen)
