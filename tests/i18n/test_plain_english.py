"""The catalogues as a newcomer reads them: plain English, and a way on after every refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

DATA: Final = Path(__file__).parents[2] / "data"
CATALOGUES: Final = (
    DATA / "locales/en/LC_MESSAGES/stammtisch.po",
    *sorted(DATA.glob("games/*/locales/en.po")),
)
OF_RECORDS: Final = frozenset({
    "error.bad_deal", "error.deal_malformed", "error.no_dealer", "error.no_start",
    "error.not_canonical",
})  # fmt: skip
"""What is wrong with a record: `stammtisch verify` says it to whoever runs the program."""
WITHOUT: Final = frozenset({"table.error.not_host"})
"""Says who can do it, and there is no other way."""
AN_ORDER: Final = re.compile(r"(?:Choose|Give|Name|Play|Say|Throw) ")
STIFF: Final = re.compile(
    r"(?<!here )\bis no (?!longer)|\bWho (?:passes|has|leaves|resigns|wins)\b|\bwould tell\b"
    r"|\bmay no longer\b|\bnothing you can do\b|\btime is up\b|\bdo not hold\b|\bstood still\b"
    r"|\b(?:sit|sits) (?:here|there)\b|\b[Ww]hom\b|\bin that time\b|\banew\b|\bhang on\b"
    r"|\byour time is credited\b|\bso many\b|\bsend yourself\b|\bput out the tongue\b"
)
"""Turns of phrase that were found in these texts and that nobody says in English."""


def said(path: Path) -> Iterator[tuple[str, str]]:
    with path.open("rb") as file:
        for message in read_po(file):
            code = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else message.string or ()
            yield from ((code, form) for form in forms if code)


def test_every_refusal_says_what_to_do_next() -> None:
    bare = [
        (path.parts[-3], code, form)
        for path in CATALOGUES
        for code, form in said(path)
        if code.removeprefix("table.").startswith("error.")
        if code not in OF_RECORDS | WITHOUT
        if not re.search(r"[.!?:;,]\s+\S", form) and not AN_ORDER.match(form)
    ]
    assert bare == []


def test_nothing_sounds_translated() -> None:
    texts = [(code, form) for path in CATALOGUES for code, form in said(path)]
    texts += [
        (path.parent.parent.name, line)
        for path in (*DATA.glob("games/*/rules/en.md"), DATA / "rules/en.md")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(texts) > 500
    assert [(code, form) for code, form in texts if STIFF.search(form)] == []
