"""The verifiable deal in words: commitments, words of people, and how to check a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord
from discord import ui

from bot.i18n import Texts
from bot.ids import MessageId
from bot.render.components import (
    Button,
    Form,
    Page,
    button,
    chunks,
    jump_url,
    pager,
    sent_in,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.seats import name, words_line
from bot.views.values import Check, LotView, PublicDeal, SeatsView, TableHead, VerifyView
from engine.deal import Mix

WORD_LENGTH: Final = 20
"""Characters of a word that is mixed into a deal."""

DIGITS: Final = 32
"""Digits of a commitment that are published before the deal.  An operator could look for two chains
that begin with the same digits, and choose between them when all else is fixed: with that many
digits it takes 2**64 hashes (`data/docs/notation.md`)."""

SEALED: Final = 4
"""Number of deals on a page whose seed is still secret; one that can be checked has a page of its
own."""

_WORD: Final = "word"

_PROGRAM: Final = (
    "import hashlib,hmac,itertools;"
    's=bytes.fromhex("{seed}");'
    'k=hmac.digest(s,b"{mix}","sha256");'
    'x=(int.from_bytes(hmac.digest(k,i.to_bytes(8,"big"),"sha256")[j:j+4],"big")'
    " for i in itertools.count() for j in range(0,32,4));"
    "d=lambda n:next(y for y in x if y<2**32-2**32%n)%n;"
    'p="{pack}".split();'
    "[0 for i in range(len(p)-1,0,-1) for j in [d(i+1)] for p[i],p[j] in [(p[j],p[i])]];"
    "c=s;"
    "[c:=hashlib.sha256(c).digest() for i in range({link})];"
    "print(c.hex());print(*p)"
)
"""Steps 1 and 3 to 5 of the verifiable deal in one line: commitment and shuffled pack, or places.

The inserted values contain neither quotes nor backslashes, and no quote in it is a single one.
"""


_LOTS: Final = (
    "python3 -c 'import hashlib;print(*sorted([{tickets}],key=lambda p:(p[0],hashlib.sha256("
    'f"{label} {seed} {{p[1]}}".encode()).hexdigest())))\''
)
"""One line for a shell that prints pairs (matches sat out, id of a person) in the order of the
lot."""


# On boards


def cut_button(head: TableHead, texts: Texts) -> Button:
    return button(texts.get("button.cut"), Press.at(head, Verb.CUT))


def verify_button(head: TableHead, texts: Texts) -> Button:
    return button(texts.get("button.verify"), _press(head, 0))


def _press(head: TableHead, page: int) -> Press:
    return Press.at(head, Verb.VERIFY, argument=str(page))


def proof_lines(seal: str, words: Sequence[str], head: TableHead, texts: Texts) -> tuple[str, ...]:
    """The words for the coming deal, and the commitment to it if that is shown there, in small
    print."""
    sealed = texts.get("proof.deals", digits=seal[:DIGITS]) if seal else ""
    return small(words_line(words, head, texts)), small(sealed)


def check_line(check: Check | None, texts: Texts) -> str:
    """The result of the program's check of its own deals."""
    if check is None:
        return ""
    code = "check.fits" if check.fits else "check.differs"
    return texts.get(code, count=check.deals)


# The word


def cut_modal(head: TableHead, texts: Texts) -> discord.ui.Modal:
    """The form for a word that is mixed into the coming deal."""
    form = Form(title=texts.get("cut.title"), custom_id=Press.at(head, Verb.CUT).encode())
    form.add_item(
        ui.Label(
            text=texts.get("cut.word"),
            description=texts.get("cut.about", limit=WORD_LENGTH),
            component=ui.TextInput(
                custom_id=_WORD,
                placeholder=texts.get("cut.why"),
                max_length=WORD_LENGTH,
                required=False,
            ),
        )
    )
    return form


def read_cut(interaction: discord.Interaction) -> str:
    """The word of a form that was sent in, without space around it; empty takes it back."""
    field = dict(sent_in(interaction)).get(_WORD, {})
    return str(field.get("value") or "").strip()


# Checking


def verify_page(view: VerifyView, texts: Texts) -> Message:
    """A page of a table's deals: the published parts of each and, with its seed, how to check
    it."""
    head = view.head
    page = Page()
    page.text(f"### {texts.get('verify.title', game=texts.game_name(head.game), table=head.table)}")
    if head.again is not None:
        said = texts.get("verify.again", number=head.again.round, table=head.again.table)
        page.text(said)
        return page.message()
    page.text(check_line(view.check, texts))
    found: list[Sequence[PublicDeal] | SeatsView | LotView] = [*_pages(view.deals)]
    if found and view.drawn is not None:
        found.insert(0, view.drawn)
    if view.lot is not None:
        found.append(view.lot)
    if not found:
        page.text(texts.get("verify.nothing"))
        return page.message()
    number = min(max(view.page, 0), len(found) - 1)
    match found[number]:
        case SeatsView() as drawn:
            _seats(page, drawn, head.seal, texts)
        case LotView() as lot:
            _lot(page, lot, texts)
        case deals:
            said = ""
            for deal in deals:
                _deal(page, deal, view, texts, said)
                said = deal.commitment
    if len(found) > 1:
        page.row(pager(number, len(found), lambda to: _press(head, to)))
    return page.message()


def program(seed: str, link: int, mix: str, pack: Sequence[str]) -> str:
    """One line for a shell that prints the commitment and the pack as it was shuffled.

    Needs nothing but Python; may be pasted as it is, since seeds, words, ids and cards are
    letters, digits and `-`.
    """
    source = _PROGRAM.format(seed=seed, link=link, mix=mix, pack=" ".join(pack))
    return f"python3 -c '{source}'"


def _pages(deals: Sequence[PublicDeal]) -> list[Sequence[PublicDeal]]:
    """In the order of the rounds; those that can be checked have a page each."""
    found: list[Sequence[PublicDeal]] = []
    sealed: list[PublicDeal] = []
    for deal in deals:
        if deal.seed is None:
            sealed.append(deal)
        else:
            found += [*chunks(sealed, SEALED), [deal]]
            sealed = []
    return [*found, *chunks(sealed, SEALED)]


def _seats(page: Page, drawn: SeatsView, commitment: str, texts: Texts) -> None:
    """The draw of the seats, and how to check it."""
    numbers = [str(place) for place in range(1, len(drawn.before) + 1)]

    def seated(place: int) -> str:
        who = drawn.before[place]
        return f"{numbers[place]} {texts.called(who) if who else texts.get('seat.free')}"

    params = {
        "before": " · ".join(map(seated, range(len(numbers)))),
        "after": " · ".join(map(seated, drawn.order)),
    }
    page.text(
        strong(texts.get("verify.lots")),
        texts.get("verify.lots_lobby", number=drawn.number, **params)
        if drawn.number
        else texts.get("verify.lots_begin", **params),
        texts.get("verify.lots_fit" if drawn.fits else "verify.lots_differ"),
        f"{texts.get('verify.chain')}\n`{commitment}`",
        f"{texts.get('verify.seed')}\n`{drawn.seed}`",
    )
    page.text(
        texts.get("verify.lots_check"),
        f"```sh\n{program(drawn.seed, 1, drawn.text, numbers)}\n```",
    )


def _deal(page: Page, deal: PublicDeal, view: VerifyView, texts: Texts, said: str) -> None:
    """One deal; `said` is the commitment above it."""
    head = view.head
    uncut = "" if deal.post is None else texts.get("verify.no_words")
    page.text(
        strong(texts.get("verify.round", number=deal.round)),
        "" if deal.commitment == said else f"{texts.get('verify.chain')}\n`{deal.commitment}`",
        _post(deal, view, texts),
        _cuts(deal, head, texts) or uncut,
    )
    if deal.post is None and view.over:
        return
    if deal.seed is None or deal.post is None:
        page.text(small(texts.get(f"verify.after_{view.seeds_after}")))
        return
    words = deal.words or ("",) * len(head.names)
    mix = Mix(head.game, head.table, deal.round, deal.post, deal.previous or "", words)
    said = texts.get("verify.previous", digest=f"`{deal.previous}`") if deal.previous else ""
    page.text(said, f"{texts.get('verify.seed')}\n`{deal.seed}`")
    # Who sits there now, since the order of the hands names seats: `1 Ann · 2 Ben`.
    now = view.begun or head
    people = " · ".join(f"{seat + 1} {name(now, seat, texts)}" for seat in range(len(now.names)))
    page.text(
        texts.get("verify.check", count=deal.round),
        f"```sh\n{program(deal.seed, deal.round, mix.text(), view.pack)}\n```",
        small(texts.get("verify.seats", people=people)),
        small(texts.own(head.game, "verify.deal")),
    )


def _lot(page: Page, view: LotView, texts: Texts) -> None:
    """How it was drawn who sits out the rematch, and how to check it."""
    tickets = ",".join(f"({lot.sat_out},{lot.person.id})" for _, lot in view.people)
    people = [
        texts.get(
            "verify.lot_out" if lot.drawn else "verify.lot_plays",
            name=texts.called(name),
            id=str(lot.person.id),
        )
        for name, lot in view.people
    ]
    page.text(
        strong(texts.get("verify.lot")),
        texts.get("verify.lot_rule"),
        f"```sh\n{_LOTS.format(tickets=tickets, label=view.label, seed=view.seed)}\n```",
        small(" · ".join(people)),
    )


def _cuts(deal: PublicDeal, head: TableHead, texts: Texts) -> str:
    """Words with names, as long as each seat surely still belongs to the person who typed its
    word."""
    if deal.post is None:
        return words_line(deal.words, head, texts)
    nameless = tuple(sitter._replace(user=None, computer=None) for sitter in head.sitters)
    return words_line(deal.words, replace(head, sitters=nameless), texts)


def _post(deal: PublicDeal, view: VerifyView, texts: Texts) -> str:
    head = view.head
    if deal.post is None:
        return texts.get("verify.never_dealt" if view.over else "verify.not_dealt")
    if not deal.post:
        return texts.get("verify.no_post")
    # Only digits, but it comes from a record: a link of ours is made of a number.
    url = jump_url(head.guild, head.channel, MessageId(int(deal.post)))
    return texts.get("verify.post", message=f"[{deal.post}]({url})")
