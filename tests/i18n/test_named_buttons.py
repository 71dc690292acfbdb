"""A button that everybody at a table sees is named by what stands on it, whoever reads of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

import pytest

from bot.i18n import SHARED_BUTTONS, languages, texts
from tests.i18n.test_translations import PLACES, catalogue

BUTTONS = [f"button.{name}" for name in SHARED_BUTTONS]


def named(language: str, sentence: str) -> list[str]:
    """Codes of the buttons that a sentence in that language names."""
    label = {texts(language).get(code): code for code in BUTTONS}
    return sorted(label[one] for one in re.findall(r"(?<=\*)[^*]+(?=\*)", sentence) if one in label)


def sentences() -> Iterator[str]:
    """Codes of the house's sentences that name a button."""
    for code, said in catalogue(PLACES[0][0], "en").items():
        if any(named("en", form) for form in said.forms):
            yield code


@pytest.mark.parametrize(("own", "shared"), list(permutations(languages(), 2)))
def test_sentences_name_the_buttons_that_everybody_sees(own: str, shared: str) -> None:
    said = catalogue(PLACES[0][0], own)
    values = dict.fromkeys(_values(said[code].forms for code in said), "7")
    found = 0
    for code in sentences():
        there = texts(own, shared).get(code, **{**values, "count": 1})
        here = texts(own).get(code, **{**values, "count": 1})
        assert named(shared, there) == named(own, here), code
        found += len(named(own, here))
    assert found >= len(BUTTONS)


def test_the_rest_of_a_sentence_stays_as_it_is() -> None:
    said = texts("de", "fr-FR").get("hand.as_it_was")
    assert said == texts("de").get("hand.as_it_was").replace("*Meine Karten*", "*Ma main*")
    assert texts("de", "fr").get("tips.done") == texts("de").get("tips.done")


def _values(templates: Iterator[tuple[str, ...]]) -> set[str]:
    return {name for forms in templates for form in forms for name in re.findall(r"\{(\w+)", form)}
