"""`Counting`: a server's choice which matches its leaderboards count.  Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counting:
    """What a server wants counted; a table keeps to what held when it was opened."""

    board: bool = True
    """Whether anything counts."""
    hints: bool = True
    """Whether a match counts for people who took a hint in it."""
    computers: bool = False
    """Whether matches count that computer players began."""

    def counts(self, *, hinted: bool, computers: bool) -> bool:
        """Whether a match of people and perhaps `computers` counts for somebody."""
        return self.board and (self.hints or not hinted) and (self.computers or not computers)


USUAL_COUNTING = Counting()
"""What counts where nobody has chosen otherwise."""
