"""What a partner in Kaiserspiel never does, or it looks silly: nine rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.cards import cards_in
from engine.game import Seat
from engine.games.kaiserspiel.cards import DOWN, Move, laid, trump_rank, winner
from engine.games.kaiserspiel.questions import team
from engine.games.kaiserspiel.state import View

Said = Sequence[tuple[Seat, Move]]
"""What was done in this round, in order."""


class Choice(NamedTuple):
    """A seat does this."""

    view: View
    action: Move
    done: Said
    """What was done in this round before, in order."""

    @property
    def seat(self) -> Seat:
        assert self.view.seat is not None
        return self.view.seat

    @property
    def laid(self) -> int:
        """The card as it is laid; -1 if it is no card."""
        return laid(self.action) if self.action.verb in ("play", "down") else -1

    @property
    def trick(self) -> list[int]:
        """What lies on the table."""
        return [self.view.tricks.laid[place] for place in self.view.trick]

    @property
    def is_last(self) -> bool:
        """Whether a card is laid that ends the trick."""
        return self.laid >= 0 and len(self.trick) == 3

    @property
    def is_partners(self) -> bool:
        """Whether a card is laid on a trick that is the partner's as it lies."""
        count = len(self.trick)
        return self.laid >= 0 and count >= 2 and self.after(()) == count - 2

    def after(self, laid: Sequence[int]) -> int:
        """The place that wins the trick, once these lie there too."""
        round_ = self.view.round
        return winner([*self.trick, *laid], round_.special, self.view.all_kaisers)

    @property
    def could_take(self) -> bool:
        """Whether a card of the hand would win the trick as its last one."""
        return any(self.after([card]) == 3 for card in cards_in(self.view.hand))

    def best(self, cards: int) -> int:
        """Of some cards the highest trumps: the Mugg, the special Five and the special Unter."""
        ranks = {
            card: trump_rank(card, self.view.round.special, self.view.all_kaisers)
            for card in cards_in(cards)
        }
        return sum(1 << card for card, rank in ranks.items() if rank is not None and rank < 3)

    def tricks_of(self, which: int) -> int:
        return self.view.tricks.won[which]


def loses_the_partners_trick(choice: Choice) -> bool:
    """The special Unter does, laid on the special Seven and what it makes count again."""
    count = len(choice.trick)
    return choice.is_partners and choice.after([choice.laid]) not in (count - 2, count)


def spends_the_best_on_the_partners_trick(choice: Choice) -> bool:
    others = choice.view.hand & ~choice.best(choice.view.hand)
    return bool(choice.is_partners and choice.is_last and others and _best_is_laid(choice))


def leaves_the_others_their_third_trick(choice: Choice) -> bool:
    return _leaves(choice, 1 - team(choice.seat))


def leaves_its_own_third_trick(choice: Choice) -> bool:
    return _leaves(choice, team(choice.seat))


def wastes_the_best_on_a_lost_trick(choice: Choice) -> bool:
    others = choice.view.hand & ~choice.best(choice.view.hand)
    lost = choice.is_last and choice.after([choice.laid]) in (0, 2)
    return bool(lost and others and _best_is_laid(choice))


def hides_the_best(choice: Choice) -> bool:
    others = choice.view.hand & ~choice.best(choice.view.hand)
    return bool(others and choice.laid >= DOWN and _best_is_laid(choice))


def throws_out_the_best(choice: Choice) -> bool:
    return choice.action.verb == "discard" and bool(choice.best(choice.action.cards))


def gives_up_with_the_best(choice: Choice) -> bool:
    """Two of the three best are two tricks of three."""
    best = choice.best(choice.view.hand).bit_count()
    return choice.action.verb == "resign" and best >= 2


def offers_what_it_would_not_accept(choice: Choice) -> bool:
    """It called, and gives up when the others call in turn, with nothing new."""
    if choice.action.verb != "resign" or choice.view.step != "answer call":
        return False
    words = [(seat, move.verb) for seat, move in choice.done[-4:]]
    me, other = choice.seat, 1 - choice.seat
    return words[-3:] == [(me, "threeup"), (other, "accept"), (other, "threeup")]


RULES: Final[tuple[Callable[[Choice], bool], ...]] = (
    loses_the_partners_trick,
    spends_the_best_on_the_partners_trick,
    leaves_the_others_their_third_trick,
    leaves_its_own_third_trick,
    wastes_the_best_on_a_lost_trick,
    hides_the_best,
    throws_out_the_best,
    gives_up_with_the_best,
    offers_what_it_would_not_accept,
)
"""True of an action that breaks the rule."""


def _best_is_laid(choice: Choice) -> bool:
    return bool(choice.best(1 << choice.laid % DOWN))


def _leaves(choice: Choice, which: int) -> bool:
    """The last one could have had the trick, and leaves to the others what decides the round."""
    decides = choice.is_last and choice.tricks_of(which) == 2
    lost = decides and choice.after([choice.laid]) in (0, 2)
    return lost and choice.could_take
