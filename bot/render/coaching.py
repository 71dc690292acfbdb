"""Explanations for beginners: what a decision is for, and why a card cannot be played."""

from __future__ import annotations

from bot.i18n import Texts, rules_pages
from bot.render.components import Button, button, small
from bot.render.custom_ids import Press, Verb
from bot.views.values import Aid, HandView, TableHead
from engine.layout import Layout, Line


def rules_button(game: str, texts: Texts) -> Button:
    return button(texts.get("button.rules"), Press.rules(game))


def helped(view: HandView, texts: Texts) -> list[str]:
    """What the person has asked about the decision; else, if they learn it, its purpose.

    It stands where they press, which on a phone may be far from the top.
    """
    if view.aid is not None:
        return [f"> {line}" for line in view.aid.lines]
    if not view.coached or view.layout.tip is None:
        return []
    said = texts.phrase(view.head.game, view.layout.tip, view.head.names)
    return [small(texts.get("hand.tip", tip=said))]


def goal(
    layout: Layout, head: TableHead, texts: Texts, *, learns: bool, pictured: bool
) -> list[str]:
    """The goal of the game and its words, for a person who has not finished a match yet.

    Only a picture has signs for lines that what lies there shows as well.
    """
    if not learns or layout.goal is None:
        return []
    lines = [block.phrase for block in layout.blocks if isinstance(block, Line)]
    words = [word for word in layout.words if pictured or word not in lines]
    said = [texts.phrase(head.game, phrase, head.names) for phrase in words]
    aim = texts.phrase(head.game, layout.goal, head.names)
    return [small(texts.get("hand.goal", goal=aim)), *map(small, said)]


def helping(view: HandView, texts: Texts) -> list[Button]:
    """Offers to say what a computer player would do, why some cards cannot be played (then the page
    of the rules that says it), and to give no more tips, where that is so."""
    head, offers = view.head, []
    if view.hints:
        offers.append(button(texts.get("button.hint"), Press.at(head, Verb.HINT, view.question)))
    page = None if view.aid is None else view.aid.rules_page
    if page is not None:
        label = texts.get("button.rules_page", page=page + 1)
        offers.append(button(label, Press.rules(head.game, page)))
    elif not all(group.idle for group in view.layout.barred):
        offers.append(button(texts.get("button.why"), Press.at(head, Verb.WHY, view.question)))
    if view.coached:
        offers.append(button(texts.get("button.no_tips"), Press.at(head, Verb.NO_TIPS)))
    return offers


def why_not(view: HandView, texts: Texts) -> Aid | None:
    """Why each card that cannot be played cannot, and what the rules say; None if all can be."""
    groups = [group for group in view.layout.barred if not group.idle]
    if not groups:
        return None
    game = view.head.game
    reasons = [
        texts.get(
            "why.line",
            cards=texts.cards(game, list(map(view.layout.seen, cards))),
            why=texts.phrase(game, why, view.head.names),
        )
        for cards, why, _ in groups
    ]
    rules = list(dict.fromkeys(texts.own(game, f"{why.code}.rule") for _, why, _ in groups))
    # The page that says it; the first one if none does.
    pages = enumerate(rules_pages(game, texts.language))
    page = next((number for number, said in pages if rules[0] in said), 0)
    return Aid((*reasons, *map(small, rules)), page)
