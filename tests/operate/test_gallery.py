"""The gallery and the measure of drawing."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.operate import gallery
from bot.operate.tools import ToolError
from bot.pictures.decks import DECKS
from engine.registry import games
from tests.operate.conftest import Program


@pytest.mark.nightly
def test_the_page_shows_every_picture_and_every_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a gallery that was drawn twice into the same folder."""
    folder = tmp_path / "new" / "one"
    monkeypatch.setattr(gallery, "_LOOKED_AT", 300)
    assert gallery.gallery(folder) == gallery.gallery(folder) > 4 * len(games()) * 5
    page = (folder / "index.html").read_text(encoding="utf-8")
    shown = re.findall(
        r'<img src="([^"]+)" alt="([^"]+)" loading="lazy" width="(\d+)" height="(\d+)"', page
    )
    assert {name for name, *_ in shown} | {"index.html"} == {one.name for one in folder.iterdir()}
    for name, codes, width, height in shown:
        picture = Image.open(BytesIO((folder / name).read_bytes()))
        assert picture.size == (int(width), int(height))
        artwork = name in ("icon.png", "banner.png", "cards.png")
        assert artwork or len(codes.split()) > 39 or "our " in codes or codes.count(":") >= 2
    for anchor in (*DECKS, "artwork"):
        assert f'href="#{anchor}"' in page
        assert f'id="{anchor}"' in page
    for game, found in games().items():
        codes = {
            code
            for seats in found.info.seats
            for code in found.pack(seats, found.complete_options(seats, {}))
        }
        for deck in DECKS.values():
            sheet = re.search(rf'src="{deck.id}-{game}\.png" alt="([^"]+)"', page)
            assert (sheet is not None) == (game in (deck.games or games()))
            assert sheet is None or codes <= set(sheet[1].split())


def test_a_folder_that_cannot_be_is_one_sentence(program: Program, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file", encoding="utf-8")
    for place in (taken, taken / "below"):
        done = program("gallery", str(place))
        assert done.returncode == 2
        assert done.stdout == ""
        assert re.fullmatch(r"stammtisch: .*taken.* cannot be written to \(.+\): choose .+\.\n",
                            done.stderr)  # fmt: skip
    assert taken.read_text(encoding="utf-8") == "a file"


def test_a_folder_in_which_a_page_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    """Before anything is drawn, which takes a minute."""
    (tmp_path / gallery.PAGE).mkdir()
    with pytest.raises(ToolError, match="cannot be written to"):
        gallery.gallery(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == [gallery.PAGE]


def test_what_drawing_takes_is_a_line_for_each_game(program: Program) -> None:
    done = program("bench", "render", "--pictures", "20", "--deck", "contrast")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["game"], line["picture"]) for line in lines] == [
        (game, kind) for game in games() for kind in ("hand", "board")
    ]
    for line in lines:
        assert 0 < line["median_ms"] <= line["p99_ms"]
        assert 0 < line["median_kb"] <= line["max_kb"] <= (30 if line["picture"] == "hand" else 60)
        assert 0 < line["kept_mb"] <= 60
        assert line["first_ms"] > 0


def test_a_deck_for_one_game_is_measured_with_that(program: Program) -> None:
    done = program("bench", "render", "--pictures", "10", "--deck", "french")
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == ["kaiserspiel"] * 2
