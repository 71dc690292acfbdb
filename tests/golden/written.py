"""What was written down once and read by a person."""

from __future__ import annotations

import os
from pathlib import Path


def check_as_written(file: Path, text: str) -> None:
    """Asserts that `text` is what stands in `file`.

    With `UPDATE_GOLDEN=1` a different text is written there; the test fails all the same, since
    somebody has to read the difference before it may pass.
    """
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    if text != written and os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == written
