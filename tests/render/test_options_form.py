"""The form of options: what it asks, and what is read of it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.i18n import texts
from bot.render.custom_ids import Press, Verb
from bot.render.options_form import MOST, Filled, options_form, read_options
from bot.views.building import options_view
from engine.game import AnyGame
from engine.registry import games
from tests.render.limits import sent
from tests.render.lobbies import lobby_of

EN = texts("en")


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_a_form_fits_and_says_every_option_in_words(game: AnyGame) -> None:
    view = options_view(lobby_of(game))
    form = options_form(view, EN).to_dict()
    press = Press.decode(form["custom_id"])
    assert press is not None
    assert press.verb is Verb.OPTIONS
    assert len(form["title"]) <= 45
    labels = form["components"]
    assert 1 <= len(labels) <= MOST
    for label in labels:
        assert 0 < len(label["label"]) <= 45
        assert len(label.get("description") or "") <= 100
    fields = [one for one in game.info.table_options if one.kind != "bool"]
    choices = (view.seats, view.customs, view.paces)
    assert len(labels) == len(fields) + sum(bool(one) for one in choices)
    ticks = [spec.key for spec in game.info.table_options if spec.kind == "bool"]
    assert not {*ticks} & {name for name, _ in view.customs}, "one box for each"


def filled(form: Any, chosen: dict[str, Any]) -> discord.Interaction:
    """The form sent in with these fields filled in."""
    fields = []
    for label in form["components"]:
        field = label["component"]
        value = chosen.get(field["custom_id"])
        key = "values" if isinstance(value, list) else "value"
        fields.append({"type": 18, "component": {"custom_id": field["custom_id"], key: value}})
    return sent(fields)


def test_what_is_chosen_is_read_back() -> None:
    form = options_form(options_view(lobby_of(games()["sticheln"])), EN).to_dict()
    ids = [label["component"]["custom_id"] for label in form["components"]]
    assert ids == ["seats", "number:rounds", "pace", "customs", "switch:zeros"]
    radio = form["components"][-1]["component"]
    assert [(one["label"], one.get("default", False)) for one in radio["options"]] == [
        ("zeros set aside", True),
        ("zeros to the leader", False),
    ]
    chosen = {"number:rounds": " 12 ", "switch:zeros": "leader", "customs": ["forced"]}
    read = read_options(filled(form, {**chosen, "pace": ["daily"], "seats": ["5"]}))
    ticks = frozenset({"forced"})
    assert read == Filled({"rounds": "12"}, {"zeros": "leader"}, ticks, "daily", "5")


def test_lengths_say_their_bounds_and_what_is_usual() -> None:
    form = options_form(options_view(lobby_of(games()["kaiserspiel"])), EN).to_dict()
    field = form["components"][0]
    assert field["label"] == "Points to play to"
    assert field["description"] == (
        "41: a short match · 101: as at the championship · 1 to 150; empty means 41 with 4 players"
    )
    assert field["component"]["placeholder"] == "41"
    form = options_form(options_view(lobby_of(games()["aufundab"], hands=7)), EN).to_dict()
    _, hands, target, _, customs = form["components"]
    assert (hands["label"], hands["component"]["value"]) == ("Rounds", "7")
    assert target["label"] == "Or instead: Points to play to"
    assert "value" not in target["component"]
    assert hands["description"].endswith("both fields empty: as many as players")
    assert target["description"].endswith("then leave the field above empty")
    ticks = [(one["value"], one.get("default", False)) for one in customs["component"]["options"]]
    assert ticks == [("hints", True), ("passes", False), ("counts", True), ("drawn", False)]


def test_a_length_that_goes_with_the_seats_names_no_number_of_them() -> None:
    """The menu of seats stands above it, and may be at another number by then."""
    form = options_form(options_view(lobby_of(games()["sticheln"])), EN).to_dict()
    rounds = form["components"][1]
    assert rounds["description"] == "1 to 40; empty means as many as players"
    assert "placeholder" not in rounds["component"]
    form = options_form(options_view(lobby_of(games()["auffalscherfaehrte"])), EN).to_dict()
    rounds = form["components"][1]
    usual = "6 with 3 players · 8 with 4 players"
    assert rounds["description"] == f"1 to 40; empty means {usual}"
    assert "placeholder" not in rounds["component"]


def test_seats_are_a_menu_and_what_is_on_or_off_is_a_box() -> None:
    form = options_form(options_view(lobby_of(games()["auffalscherfaehrte"], jokers=True)), EN)
    seats, _, _, boxes, _ = form.to_dict()["components"]
    offered = [(one["label"], one.get("default")) for one in seats["component"]["options"]]
    assert (seats["label"], offered) == ("Seats", [("3", False), ("4", True)])
    jokers, *customs = boxes["component"]["options"]
    assert (jokers["label"], jokers["value"], jokers["default"]) == ("Jokers", "jokers", True)
    assert customs
