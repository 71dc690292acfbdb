"""Help in words: what a decision is for, why a card cannot be played, a computer's hint."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from bot.i18n import Markdown, Texts, rules_pages
from bot.pictures.signs import Sign
from bot.render.components import Button, Page, button, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.views.hinting import MOST_NAMED, HintView, Shares
from bot.views.values import Aid, HandView, TableHead
from engine.layout import Choice, Layout, Line
from engine.notation import size_of


def rules_button(game: str, texts: Texts) -> Button:
    return button(texts.get("button.rules"), Press.rules(game))


def tip_line(view: HandView, texts: Texts) -> str:
    """What the decision is for, if the person learns it; a hint, which may say something else,
    takes its place."""
    if view.aid is not None or not view.coached or view.layout.tip is None:
        return ""
    said = texts.phrase(view.head.game, view.layout.tip, view.head.names)
    return small(texts.get("hand.tip", tip=said))


def aid_lines(view: HandView, texts: Texts) -> tuple[list[str], list[str]]:
    """What the person has asked about the decision: the answer, and its details."""
    if view.aid is None:
        return [], []
    kind, answer, more, *_ = view.aid
    if kind == "first_hint" and view.coached and view.layout.tip is not None:
        more = (*more, small(texts.get("hint.over_tip")))
    return [f"> {line}" for line in answer], [f"> {line}" for line in more]


def goal(
    layout: Layout, head: TableHead, texts: Texts, *, learns: bool, pictured: bool, steps: str = ""
) -> list[str]:
    """The goal of the game, what `steps` a press begins, and the game's words, for a person who is
    new to it.

    Only a picture has signs for lines that what lies there shows as well.
    """
    if not learns or layout.goal is None:
        return []
    lines = [block.phrase for block in layout.blocks if isinstance(block, Line)]
    words = [word for word in layout.words if pictured or word not in lines]
    said = [texts.phrase(head.game, phrase, head.names) for phrase in words]
    aim = texts.phrase(head.game, layout.goal, head.names)
    return [small(f"{texts.get('hand.goal', goal=aim)} {steps}".rstrip()), *map(small, said)]


_SIGNS: Final[Mapping[Sign, str]] = MappingProxyType(
    {
        "winning": "sign.winning",
        "passed": "sign.passed",
        "asked": "sign.asked",
        "coming": "sign.coming",
        "trump": "sign.trump",
        "special": "sign.special",
        "unwanted": "sign.unwanted",
        "kaiser": "sign.kaiser",
        "mugg": "sign.mugg",
        "open": "sign.open",
        "order": "sign.order",
        "speaks": "sign.speaks",
        "deals": "sign.deals",
        "value": "sign.value",
        "tricks": "sign.tricks",
        "trail": "sign.trail",
        "out": "sign.out",
        "before": "sign.before",
        "ladder": "sign.ladder",
        "gone": "sign.gone",
        "held": "sign.held",
    }
)
"""Words for the signs on pictures, in this order; a game may have its own."""


def key(signs: Collection[Sign], game: str, texts: Texts) -> str:
    """What the signs on a picture mean, for a person who is new to the game."""
    # A mark of cards may be the same as that of their suit.
    said = dict.fromkeys(texts.own(game, code) for sign, code in _SIGNS.items() if sign in signs)
    return small(texts.get("sign.key", signs=" · ".join(said))) if said else ""


def helping(view: HandView, texts: Texts) -> list[Button]:
    """Offers to say what a computer player would do, why some cards cannot be played (or the pages
    of the rules that say it), and to give no more tips, where that is so."""
    head, offers, kind = view.head, list[Button](), view.aid and view.aid.kind
    if view.hints and kind in (None, "why", "guess"):
        offers.append(button(texts.get("button.hint"), Press.at(head, Verb.HINT, view.question)))
    hinted = kind in ("hint", "first_hint")
    pages = () if view.aid is None else view.aid.rules_pages
    for page in pages:
        label = texts.get("button.rules_page", page=page + 1)
        offers.append(button(label, Press.rules(head.game, page)))
    if not pages and not all(group.idle for group in view.layout.barred):
        offers.append(button(texts.get("button.why"), Press.at(head, Verb.WHY, view.question)))
    if view.coached and not hinted and kind != "guess":
        offers.append(button(texts.get("button.no_tips"), Press.at(head, Verb.NO_TIPS)))
    return offers


REASONS: Final = 2
"""Number of reasons that stand above the buttons; with more a phone would not show those."""


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
    pages = enumerate(rules_pages(game, texts.language))
    told = [number for number, page in pages if any(rule in page for rule in rules)]
    few, more = reasons[:REASONS], reasons[REASONS:]
    return Aid("why", tuple(few), (*more, *map(small, rules)), tuple(told))


def hint_aid(view: HintView, lines: Sequence[str]) -> Aid:
    """The hint as `lines` of its owner's hand."""
    kind: Literal["first_hint", "hint", "guess"] = "first_hint" if view.taken == 1 else "hint"
    if view.figure is None and not view.only:
        kind = "guess"
    above = 2 if view.rivals or view.close else 1  # by how much it is better convinces the most
    action = None if _is_even(view) else view.best
    return Aid(kind, tuple(lines[:above]), tuple(lines[above:]), action=action)


# Hints.

_SAID: Final = {
    "play": ("hint.play", "hint.guess_play"),
    "discard": ("hint.discard", "hint.guess_discard"),
}
"""By the verb of an action: sentences with figures, and without."""

_CHOOSE: Final = ("hint.choose", "hint.guess_choose")
"""The same for actions in words of their own."""

_COUNTED: Final = {
    "won": "hint.won",
    "points": "hint.points",
    "pair": "hint.pair",
    "match": "hint.match",
}
"""Sentences about the figure of the best."""

_ROUNDS_WON: Final = ("won", "pair")
_WON: Final = (*_ROUNDS_WON, "match")
"""Where figures are shares of rounds or matches, not points."""

_TAKES: Final = {
    "trick": "hint.takes_trick",
    "pair": "hint.takes_pair",
    "series": "hint.takes_series",
    "round": "hint.takes_round",
}
"""Sentences about what is played for."""

_GIVEN_UP: Final = {
    ("round", "best"): "hint.takes_round_resigned",
    ("round", "other"): "hint.takes_round_accepted",
    ("series", "other"): "hint.takes_series_alone",
}
"""Sentences where the best, or the next best, gives up what is played for."""

FIGURES_TOLD: Final = 2
"""Which of a person's hints in a match says what figures are: the first says what hints cost."""

_DECIDED: Final = {"won": "hint.pair_won", "lost": "hint.pair_lost"}
"""Who wins in all deals that were looked at, in place of figures."""


def hint_page(view: HintView, texts: Texts) -> Message:
    """The hint, for the person who asked for it, below its question: it stays when that is over."""
    page = Page()
    if (asks := view.layout.asks) is not None:
        asked = texts.phrase(view.head.game, asks, view.head.names)
        page.text(small(texts.get("hint.asked", ask=asked)))
    for line in hint_lines(view, texts):
        page.text(line)
    return page.message(accent=None)


def hint_lines(view: HintView, texts: Texts) -> Iterator[str]:
    """What it says: the action and why, then its figures, and what else speaks for it."""
    if view.best is None:
        yield texts.get("hint.none")
        return
    action = Markdown(strong(_named(view, view.best, texts)))
    if view.only:
        yield texts.get("hint.only", action=action)
        return
    counted, guessed = _SAID.get(view.best.partition(" ")[0], _CHOOSE)
    said = texts.get(guessed if view.figure is None else counted, action=action)
    beside = [_named(view, one, texts) for one in (*(one for one, _ in view.rivals), *view.close)]
    other = Markdown(beside[0] if beside else "")
    alike = Markdown(texts.list([strong(_named(view, one, texts)) for one in view.alike]))
    reasons = [texts.phrase(view.head.game, one, view.head.names) for one in view.reasons]
    why = [
        texts.get(code, reason=Markdown(reason), others=alike)
        for code, reason in zip(_codes(view), reasons, strict=False)
    ]
    figures = [] if view.figure is None else [*_figures(view, view.figure, texts)]
    even = _is_even(view)
    if even:  # then a reason for this one would only puzzle
        said, why, figures = _evenly(view, texts), [], []
    if not why:
        why, figures = figures, []
    yield " ".join((said, *why[:1]))
    if view.figure is not None and not _is_lost(view) and not even:
        figures += _equals(view, texts)
    if figures:
        yield " ".join(figures)
    yield from why[1:]
    if (then := _effects(view, view.best, texts)) and not even:
        yield texts.get("hint.then", notes=then)
    if view.shares is not None:
        yield _compared(view.shares, other, texts)
    if last := " ".join(_small_print(view, texts)):
        yield small(last)


def _codes(view: HintView) -> tuple[str, ...]:
    """Sentences for its reasons, as many as it says."""
    first = "hint.reason"
    if view.alike:
        first = "hint.reason_deals" if view.rivals else "hint.reason_alike"
    return (first,) if view.shares is not None else (first, "hint.reason_too")


def _compared(shares: Shares, other: str, texts: Texts) -> str:
    """How often the best takes what is played for, and the next best."""
    best, less = (texts.number(100 * share) for share in (shares.best, shares.other))
    if shares.given_up:
        share = less if shares.given_up == "best" else best
        code = _GIVEN_UP[shares.of, shares.given_up]
        return texts.get(code, share=share, other=Markdown(other))
    code = "hint.takes_round_points" if shares.pays else _TAKES[shares.of]
    return texts.get(code, best=best, less=less, other=Markdown(other))


def _small_print(view: HintView, texts: Texts) -> Iterator[str]:
    """How many hints were taken, what that costs, and what figures are."""
    if view.taken:
        yield texts.get("hint.taken", count=view.taken)
    if view.taken == 1:
        yield texts.get("hint.told")
    if view.uncounted:
        yield texts.get("hint.uncounted")
    elif view.taken == 1:
        yield texts.get("hint.free")
    if view.figure is None or view.decided is not None:
        return
    if view.counts == "won" and view.taken in (1, FIGURES_TOLD) and round(view.figure, 2):
        players = len(view.head.names)
        yield texts.get("hint.even_share", count=players, share=texts.number(100 / players))
    if view.taken == FIGURES_TOLD:
        yield texts.get("hint.figures")


def _figures(view: HintView, figure: float, texts: Texts) -> Iterator[str]:
    """Figures of the best, and of what is worse."""
    if view.decided is not None:
        yield texts.get(_DECIDED[view.decided])
        return
    if _is_lost(view):
        yield texts.get("hint.hopeless")
        return
    yield texts.get(_COUNTED[view.counts], best=_figure(view, figure, texts))
    if view.rivals:
        told = dict[str, tuple[float, str]]()
        for other, less in _varied(view):  # several with one figure tell no more than the first
            if len(told) < MOST_NAMED:
                told.setdefault(_figure(view, less, texts), (less, other))
        rivals = [
            texts.get(
                "hint.rival_won" if view.counts in _WON else "hint.rival",
                other=Markdown(_named(view, other, texts)),
                figure=figure,
            )
            for figure, (_, other) in sorted(told.items(), key=lambda one: -one[1][0])
        ]
        if view.complete and not view.close and len(view.rivals) > len(rivals):
            yield texts.get("hint.next_rest", rivals=Markdown(", ".join(rivals)))
        else:
            yield texts.get("hint.next", rivals=Markdown(texts.list(rivals)))


def _varied(view: HintView) -> Iterator[tuple[str, float]]:
    """The rivals, the best first; then the best of each suit or number, or of so many cards, of
    which none is named yet, since people ask for those; then the others."""
    groups = {card.code: card.group for card in view.layout.hand}

    def kind(action: str) -> tuple[frozenset[str], int]:
        cards = [word.partition("x")[0] for word in action.split()]
        return frozenset(groups[card] for card in cards if card in groups), size_of(action)

    first, *others = view.rivals
    seen, later = {kind(view.best or ""), kind(first[0])}, list[tuple[str, float]]()
    yield first
    for one in others:
        if kind(one[0]) in seen:
            later.append(one)
        else:
            seen.add(kind(one[0]))
            yield one
    yield from later


def _is_lost(view: HintView) -> bool:
    """Whether nothing that can be played is any good."""
    if view.decided is not None or view.figure is None:
        return view.decided == "lost"
    return view.counts in _ROUNDS_WON and not round(100 * view.figure)


def _is_even(view: HintView) -> bool:
    """Whether it says that any card is about as good as any other, and names none."""
    return view.even and not _is_lost(view)


def _evenly(view: HintView, texts: Texts) -> str:
    """That any card is about as good as any other, and how good that is."""
    if view.decided is not None:
        return f"{texts.get('hint.even')} {texts.get(_DECIDED[view.decided])}"
    if view.figure is None or view.counts not in _ROUNDS_WON:
        return texts.get("hint.even")
    code = "hint.even_won" if view.counts == "won" else "hint.even_pair"
    return texts.get(code, best=_figure(view, view.figure, texts))


def _equals(view: HintView, texts: Texts) -> Iterator[str]:
    """What is as good as the best."""
    if view.close:
        # Cards side by side would run together behind a comma.
        others = " · ".join(_named(view, one, texts) for one in view.close[:MOST_NAMED])
        code = "hint.close_more" if len(view.close) > MOST_NAMED else "hint.close"
        yield texts.get(code, others=Markdown(others))


def _figure(view: HintView, figure: float, texts: Texts) -> str:
    """`61`, in a hundred; or `+4.2`, points."""
    if view.counts in _WON:
        return texts.number(100 * figure)
    said = texts.number(figure, 1)
    return f"+{said}" if figure > 0 and said != texts.number(0, 1) else said


def _named(view: HintView, action: str, texts: Texts) -> str:
    """An action in its own words if it has any, else by its cards."""
    game = view.head.game
    act = next((one for one in view.layout.acts if one.action == action), None)
    if act is not None and act.label is not None:
        return texts.phrase(game, act.label, view.head.names)
    # The notation says which card counts twice.
    cards = [word for word in action.split() if word.partition("x")[0] in view.pack]
    if not cards:
        return action
    named = texts.cards(game, list(map(view.layout.seen, cards)))
    if act is None or sum(one.cards == act.cards for one in view.layout.acts) == 1:
        return named
    # The same cards can be played in another way: face down.
    for choice in view.layout.controls:
        if isinstance(choice, Choice) and act in choice.acts and choice.how is not None:
            how = texts.phrase(game, choice.how, view.head.names, plain=True)
            return f"{named} ({how})"
    return named


def _effects(view: HintView, action: str, texts: Texts) -> str:
    """What an action does beside what its cards say: to the series after it."""
    acts = [one for one in view.layout.acts if one.action == action]
    notes = [note for act in acts for note in act.notes if "symbol" in note.params]
    return " · ".join(texts.phrase(view.head.game, one, view.head.names) for one in notes)
