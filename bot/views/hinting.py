"""View of a hint, and of an opinion about a position, for the person who asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal, NamedTuple

from bot.tables.hinting import (
    SURE,
    Hint,
    Opinion,
    counted_by,
    figure,
    is_of_cards,
    standard_error,
)
from bot.tables.model import Table
from bot.tables.ports import MOST_ADVICE
from bot.views.building import table_head
from bot.views.values import TableHead
from engine.game import AnyGame, Observation
from engine.layout import Layout, Phrase
from engine.players.player import FEW, Considered

MOST_REASONS: Final = 2
"""Maximum number of reasons that a hint says."""

MOST_RIVALS: Final = 50
"""Maximum number of actions that the best is compared with: in Auf und Ab there may be hundreds."""

_GIVES_UP: Final = {"round": ("resign",), "series": ("pass",), "trick": (), "pair": ()}
"""By what is played for the notation of giving it up."""

_SETTLED: Final = 0.025
"""A share that differs from none or all by less is as good as sure."""

_SAME: Final = 0.005
"""Shares of matches and of rounds that differ by less are the same: the round decides the match."""

_HOPED: Final = 1 / 4
"""Share of deals in which the trick or series is taken, at least, where a reason hopes for it, and
below which one doubts it."""

MOST_NAMED: Final = 3
"""Maximum number of other actions that a hint names as equally good, or with their figures."""


class Shares(NamedTuple):
    """How often it happens with the best and with the next best, of the deals looked at."""

    of: Literal["trick", "pair", "series", "round"]
    """That one takes the trick, or one's pair does; the series; that one's pair wins the round."""
    best: float
    other: float
    pays: bool = False
    """Whether the next best wins the round more often, and yet is worse by the points at stake."""
    given_up: Literal["", "best", "other"] = ""
    """Which of the two gives it up at once: who resigns the round, who passes the series."""


@dataclass(frozen=True, slots=True)
class HintView:
    """The decision of a computer player, and its reason."""

    head: TableHead
    layout: Layout
    """The layout that the asked seat saw then."""
    pack: frozenset[str]
    """Codes of all cards."""
    best: str | None
    """Notation; None if there was no time to think."""
    figure: float | None = None
    """Its figure, in `counts`; None if there was no time to count enough."""
    close: tuple[str, ...] = ()
    """Others that are as good as equal."""
    rivals: tuple[tuple[str, float], ...] = ()
    """Others that are not, with their figures, the best first."""
    counts: Literal["won", "points", "pair", "match"] = "points"
    """Rounds won, or points over the others; where pairs play rounds won, of a word matches won: it
    settles how many points the round is worth."""
    decided: Literal["won", "lost"] | None = None
    """Which pair wins the round in all deals that were looked at, if one does."""
    reasons: tuple[Phrase, ...] = ()
    """Why this one: what does not speak for the next best as well."""
    alike: tuple[str, ...] = ()
    """Others for which the first of these speaks at least as much: of the rivals, or the next best
    if there are none."""
    shares: Shares | None = None
    """None where they tell nothing."""
    only: bool = False
    even: bool = False
    """Whether any other card is about as good."""
    complete: bool = False
    """Whether all other actions are among the close ones and the rivals."""
    taken: int = 0
    """Hints that its reader has taken in this match, with this one; 0 if it counts as none."""
    uncounted: bool = False
    """Whether it is their first, by which the match counts on no leaderboard for them."""


def hint_view(hint: Hint) -> HintView:
    """A hint as the person who asked for it sees it."""
    table = hint.table
    view = advised(table, table_head(table), table.seen_by(hint.user), hint.opinion)
    return replace(view, taken=hint.taken, uncounted=hint.taken == 1 and _uncounted(table))


def advised(table: Table, head: TableHead, seen: Observation, opinion: Opinion) -> HintView:
    """What a computer player says to the seat that has `seen` this, in the match of `table`."""
    game, (best, close, rivals, only) = table.game, opinion
    info, layout = game.info, game.layout(seen)
    pack = frozenset(game.pack(len(table.stored.seating.places), table.stored.options))
    if best is None:
        return HintView(head, layout, pack, None)
    beside = (*rivals, *close)[:MOST_NAMED]
    reasons, alike = reasons_for(game, seen, best, beside)
    worse = [row.text for row in rivals or beside[:1]]
    alike = tuple(one for one in alike if one in worse)
    pairs = bool(info.teams)
    last = pairs and all(abs(row.value - row.won) < _SAME for row in (best, *close, *rivals))
    counts = "won" if last else counted_by(best, info)
    decided = _decided(best) if pairs and best.visits >= FEW else None
    shares = None
    if decided:  # there is no later trick that anything could be kept for
        reasons, alike = tuple(game.advice(seen, game.parse_action(best.text)))[:1], ()
    elif rivals and not last:
        shares = shares_of(game, best, rivals[0])
    elif close and pairs and not last and not is_of_cards(best):
        shares = shares_of(game, best, close[0])
    if pairs and is_of_cards(best) and not round(best.won, 2):
        reasons = ()  # nothing speaks for a card in a round that is lost
    if shares is not None and not rivals:  # what speaks for a word speaks against its opposite
        reasons = ()
    return HintView(
        head,
        layout,
        pack,
        best.text,
        figure(best, counts) if best.visits >= FEW else None,
        tuple(row.text for row in close),
        tuple((row.text, figure(row, counts)) for row in rivals),
        "pair" if pairs and counts == "won" else counts,
        decided,
        () if only else reasons,
        alike,
        shares,
        only,
        not rivals and _is_any_card(layout, (best, *close)),
        complete=1 + len(close) + len(rivals) == len(seen.legal_actions),
    )


def shares_of(game: AnyGame, best: Considered, other: Considered) -> Shares | None:
    """What becomes of the trick or series at hand; of the round where words are compared.

    None where it is as good as sure for both, which the reasons tell, where both do as often, where
    the next best takes the trick or series more often, and where the best seldom takes the series:
    none of that speaks for the best.
    """
    if game.info.hinted == "won" and not round(best.won, 2):
        return None
    teams = bool(game.info.teams)
    of: Literal["trick", "pair", "series", "round"]
    if best.takes is not None and other.takes is not None:
        of, shares = "pair" if teams else "trick", (best.takes, other.takes)
        of = "series" if game.info.series else of
    elif teams and not is_of_cards(best) and not _is_void(best, other):
        of, shares = "round", (best.won, other.won)
    else:
        return None
    if all(min(share, 1 - share) < _SETTLED for share in shares):
        return None
    alike = round(shares[0], 2) == round(shares[1], 2)
    if alike or _is_chance(shares, best.visits, other.visits):
        return None
    # A trick of one's own may be a good or a bad one.
    less = of != "trick" and round(shares[0], 2) < round(shares[1], 2)
    if less and of != "round":
        return None
    if of == "series" and shares[0] < 1 / 2:  # it would sound like a reason against the best
        return None
    given_up: Literal["", "best", "other"] = "best" if best.text in _GIVES_UP[of] else ""
    if other.text in _GIVES_UP[of]:
        given_up = "other"
    return Shares(of, *shares, less, given_up)


def _is_chance(shares: tuple[float, float], *looked_at: int) -> bool:
    """Whether shares of so many deals each may differ by which deals these were."""
    return abs(shares[0] - shares[1]) < SURE * standard_error(*zip(shares, looked_at, strict=True))


def _is_void(*rows: Considered) -> bool:
    """Whether nobody wins the round after one of them."""
    return any(row.value == 0 and row.won == 0.5 for row in rows)


def reasons_for(
    game: AnyGame, seen: Observation, best: Considered, others: Sequence[Considered]
) -> tuple[tuple[Phrase, ...], tuple[str, ...]]:
    """What speaks for the best and not for the next best, first what speaks for few of the others
    that are named; where none is known, what does not speak for all plays of its kind.  And for
    which of the others the first of it speaks at least as much."""
    chosen = game.parse_action(best.text)
    said = tuple(game.advice(seen, chosen))
    seldom = best.takes is not None and best.takes < _HOPED
    wrong = game.info.hopes if seldom else game.info.doubts
    said = tuple(one for one in said if one.code not in wrong) or said
    if others:
        rivals = [game.parse_action(row.text) for row in others]
    else:
        verb = best.text.partition(" ")[0]
        plays = (one for one in seen.legal_actions if game.format_action(one).startswith(verb))
        rivals = [one for one in islice(plays, MOST_RIVALS) if one != chosen]
    beside = [tuple(game.advice(seen, one)) for one in rivals]
    if others:
        own = [one for one in said if not _holds(one, beside[0])]
        own.sort(key=lambda reason: sum(_holds(reason, each) for each in beside))
    else:
        own = [one for one in said if not all(_holds(one, each) for each in beside)]
        own = own or [*said[:1]]
    found: dict[str, Phrase] = {}
    for one in own:  # the same of another number says nothing new
        found.setdefault(one.code, one)
    reasons = tuple(found.values())[:MOST_REASONS] or _shared(said, beside[0])
    named = zip(others, beside, strict=False)
    return reasons, tuple(row.text for row, each in named if _holds(reasons[0], each))


def _holds(reason: Phrase, others: Sequence[Phrase]) -> bool:
    """Whether a reason is among those for another action, perhaps with a better number."""
    said, count = _counted(reason)
    return any(said == other and count <= more for other, more in map(_counted, others))


def _counted(reason: Phrase) -> tuple[Phrase, int]:
    """A reason without its number, and that, the better the higher; 0 if it has none.

    Of what is counted more is better; of what is `left` against an action less.
    """
    params = dict(reason.params)
    numbers = [(params.pop("count", 0), 1), (params.pop("left", 0), -1)]
    return replace(reason, params=params), sum(
        sign * number for number, sign in numbers if isinstance(number, int)
    )


def _shared(said: Sequence[Phrase], other: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The first reason that is as true of the next best; else the first, which is less so."""
    return tuple(([one for one in said if one in other] or said)[:1])


def _is_any_card(layout: Layout, rows: Sequence[Considered]) -> bool:
    """Whether these are several plays of single cards, and all that was looked at, with every card
    that may be played among them."""
    cards = {act.action: act.cards for act in layout.acts}
    looked_at = {cards.get(row.text, ()) for row in rows}
    complete = 2 < len(rows) < MOST_ADVICE and looked_at == set(cards.values())
    return complete and all(len(each) == 1 for each in looked_at)


def _uncounted(table: Table) -> bool:
    """Whether a hint keeps the match off the leaderboards for whoever takes it."""
    counts = table.stored.counting.counts
    filled = len(table.stored.seating.beginners) < len(table.stored.seating.starters)
    unhinted, hinted = (counts(hinted=one, computers=filled) for one in (False, True))
    return table.stored.customs.counts and unhinted and not hinted


def _decided(best: Considered) -> Literal["won", "lost"] | None:
    """Only of a card: by words a round is still raised or ended."""
    if not best.text.startswith("play "):
        return None
    if best.won in (0.0, 1.0):
        return "won" if best.won else "lost"
    return None
