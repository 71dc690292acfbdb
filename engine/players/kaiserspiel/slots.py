"""Kaiserspiel: layout of the vector of the twin, its questions, and its moves.

A team is the remainder of its seats by 2, and its captain the seat of that number.  Cards are those
of the game; sets of cards are masks.  A move is a whole number: a card that is played, face down
`DOWN` more; a Banner that is declared, `KAISER` more; a word; or two cards that are thrown out.
"""

from __future__ import annotations

from typing import Final

SEATS: Final = 4
DECK: Final = 40
BANNERS: Final = 1 << 3 | 1 << 13 | 1 << 23 | 1 << 33
MUGG: Final = 33

# Slots of the vector; where there are several, the first of them.

STEP: Final = 0
ACTOR: Final = 1
"""Who is asked; while cards are thrown out any of those that have not done it; -1 at the end."""
PAUSE: Final = 2
"""1 … 4, 5 for more Kaisers, else 0."""
QUEUE: Final = 3
"""Seats to be asked at this step: three bits each, one more than the seat, the next one lowest."""
BARRED: Final = 4
"""The captain who may not call again, or -1."""
DEALER: Final = 5
VALUE: Final = 6
MOST: Final = 7
"""What no offer may lift the value above: `UNBOUNDED` if there is no such bound."""
SPECIAL: Final = 8
"""The special suit, -1 as long as there is none."""
CUT: Final = 9
LAID_COUNT: Final = 10
UP: Final = 11
"""The cards played face up."""
OPEN_COUNT: Final = 12
STOCK_AT: Final = 13
"""How many cards of the stock have been dealt."""
WON: Final = 14
"""By team: its tricks."""
POINTS: Final = 16
"""By team."""
HANDS: Final = 18
KAISERS: Final = 22
DISCARDS: Final = 26
"""0 until a seat has discarded."""
DOWNS: Final = 30
"""What each seat has played face down."""
KAISERS_DOWN: Final = 34
"""How many Kaisers each seat has played face down: that is announced."""
OPENS: Final = 38
"""The cards dealt face up, in the order of dealing; `NO_CARD` for those that are to come."""
LEADERS: Final = 42
"""Who led each trick, after a trick its winner; 0 for those that are to come."""
LAID: Final = 48
"""Cards in the order of play, as they are laid; 0 for those that are to come."""
STOCK: Final = 68
"""What is dealt after the first two open cards, in the order of dealing; 0 once it is dealt."""
STOCK_SIZE: Final = 37
SIZE: Final = STOCK + STOCK_SIZE

NO_CARD: Final = -1
UNBOUNDED: Final = 1 << 40

# What is asked.

DECLARE: Final = 0
RAISE: Final = 1
RAISE_BY_1: Final = 2
MAY_LIFT: Final = 3
CALL: Final = 4
ANSWER_1: Final = 5
ANSWER_3: Final = 6
ANSWER_LIFT: Final = 7
ANSWER_CALL: Final = 8
DISCARD: Final = 9
PLAY: Final = 10
OVER: Final = 11

# Moves.

DOWN: Final = DECK
KAISER: Final = 2 * DECK
PASS: Final = 120
THREEUP: Final = 121
RAISE_1: Final = 122
RAISE_3: Final = 123
LIFT: Final = 124
STAY: Final = 125
ACCEPT: Final = 126
RESIGN: Final = 127
TWO: Final = 128
"""Added to 40 times the lower card that is thrown out and the higher one."""

MOVES: Final = 21
"""Maximum number of legal moves: any two of seven cards."""
BRAKE: Final = 31
"""In random playouts nobody calls from this value on: else they might never end."""
