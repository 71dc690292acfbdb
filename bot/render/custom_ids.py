"""`Press`: the `custom_id` of a button or menu, which means the same after every restart.

`st:<verb>:<table>:<question>:<argument>`; the argument of `act` is the action's notation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ids import QuestionId, TableId
from bot.views.values import TableHead

PREFIX: Final = "st"
PATTERN: Final = (
    r"st:(?P<verb>[a-z_]{1,12}):(?P<table>[A-Za-z0-9-]{0,24})"
    r":(?P<question>[0-9]{0,9}):(?P<argument>.{0,64})"
)
_REGEX: Final = re.compile(PATTERN, re.DOTALL)


class Verb(StrEnum):
    """Everything that can be pressed, chosen or sent in."""

    JOIN = "join"
    SIT = "sit"
    """A select: the values are place indices, with `|` and the user behind where a person sits."""
    SHUFFLE = "shuffle"
    """Draws the seats of a lobby by lot."""
    LEAVE = "leave"
    OUT = "out"
    """Leaves the line."""
    LEAVE_NOW = "leave_now"
    """Confirms leaving a running match."""
    START = "start"
    """Argument: what is agreed to; with `now|` before it the host was asked already whether to wait
    for others."""
    READY = "ready"
    """Ready for the match.  Argument: what is agreed to."""
    INVITE = "invite"
    """A select of people."""
    NOT_TODAY = "not_today"
    """Puts an invitation away."""
    NEVER = "never"
    """Never with the user in the argument; with `+` before it: again."""
    NUDGE = "nudge"
    """Calls the people who are asked that question once more."""
    PACE = "pace"
    """Asks for another pace; a select of those, too, which is a vote."""
    COME = "come"
    """Argument: a plan, `|`, and `1` for coming, `0` for not coming."""
    TICK = "tick"
    """A select of times at which one can.  Argument: a plan; with `|none` behind it none of them
    suits."""
    TAKE_TIME = "take_time"
    """Plans the best time so far.  Argument: the plan."""
    ASK_TO_COME = "ask_to_come"
    """A select of people, who are invited to a plan.  Argument: the plan."""
    CALL_OFF = "call_off"
    """Argument: a plan."""
    CALL_OFF_NOW = "call_off_now"
    """Confirms calling a plan off.  Argument: the plan."""
    ZONE = "zone"
    """A select of zones.  Argument: the number under which a plan was typed."""
    MY_ZONE = "my_zone"
    """The same on the panel of preferences."""
    REST = "rest"
    """Votes for a rest of the match; argument `1`, or `0` for its end."""
    CUT = "cut"
    """Opens the form for a word that is mixed into the coming deal, and names the form itself."""
    COMPUTERS = "computers"
    """Shows the host which computer players there may be at the table."""
    ADD_COMPUTER = "add_computer"
    """Argument: its level."""
    NO_COMPUTER = "no_computer"
    """Sends a computer player away.  Argument: its seat."""
    OPTIONS = "options"
    """Opens the form for the match's options and the table's customs, and names the form itself."""
    SAVE_USUAL = "save_usual"
    """Makes a lobby the usual table of its game on its server."""
    RULES = "rules"
    """Argument: page number; the table part is the game's id."""
    HAND = "hand"
    """Open (or renew) the presser's own hand."""
    TABLE = "table"
    """Show the table as it is, only to the presser."""
    ACT = "act"
    """Argument: the action; in a select the values are the actions."""
    ACT_NOW = "act_now"
    """Confirms an action.  Argument: the action."""
    OPEN = "open"
    """Argument: key of a choice; empty goes back to the first step."""
    COMBINE = "combine"
    """Argument: key of a choice; opens the form, and names the form itself."""
    WHY = "why"
    """Why some cards of the own hand cannot be played."""
    HINT = "hint"
    """Asks what a computer player would do in place of the presser."""
    NO_TIPS = "no_tips"
    """No more tips at any game."""
    TIPS = "tips"
    """Tips again."""
    STANDING = "standing"
    """Pass for the whole deal; argument `1`, or `0` to take it back."""
    AHEAD = "ahead"
    """A select of the card to be played at one's next turn; argument `-`: none.  The question is
    the ply that it was drawn at."""
    UNDO = "undo"
    """Asks to take the last play back; argument `1` agrees to that, `0` does not.  The question is
    the ply of the next entry."""
    NEXT = "next"
    LOG = "log"
    """Argument: page number."""
    ROUNDS = "rounds"
    """Argument: page number."""
    MORE = "more"
    SEEK = "seek"
    """Calls for a substitute.  Argument: the free seat, or that of a person who is away."""
    TAKE = "take"
    """Argument: the free seat."""
    BACK = "back"
    """Take one's own seat back from the stand-in."""
    WATCH = "watch"
    """Show the table as a spectator sees it, only to the presser."""
    SHARE = "share"
    """Argument: what is shown to everybody: `standings|` and as below, `stats|<user>`."""
    SHARE_TABLE = "share_table"
    """Argument: `more` or `result`."""
    TABLES = "tables"
    """Argument: `<whose>|<page>`."""
    PICK = "pick"
    """A select of tables; argument: the command that is run with the one chosen."""
    NEXT_TABLE = "next_table"
    """One's hand at a table that waits; argument: the table where one was."""
    END = "end"
    END_NOW = "end_now"
    """Confirms ending the match."""
    KICK_NOW = "kick_now"
    """Confirms taking a person's seat away, or the vote for it.  Argument: the user."""
    REMATCH = "rematch"
    REVIEW = "review"
    """Looks through a round, `<round>|<position>|<view>|<move>`; a select of views or rounds too.
    Empty opens it."""
    AGAIN = "again"
    """Plays a deal again, alone.  Argument: `<round>|<seat>|<page of rounds>`; what is missing is
    asked, in a select whose values are such arguments."""
    VERIFY = "verify"
    """Argument: page number."""
    FILE = "file"
    """The record of a match that is over."""
    HISTORY = "history"
    """Argument: `<whose>|<user>|<page>`; a select of whose matches, too."""
    MATCH = "match"
    """A match of the history.  Argument: as above, the way back."""
    RECORDS = "records"
    """The records of this server."""
    ALL_FILES = "all_files"
    """The records of all of one's own matches in one file."""
    STANDINGS = "standings"
    """Argument: `<period>|<game>|<page>|<order>`; `me` as page means one's own."""
    PERIOD = "period"
    """A select of the leaderboard; the argument is as above."""
    GAME = "game"
    """A select of the leaderboard; the argument is as above."""
    ORDER = "order"
    """A select of the leaderboard; the argument is as above."""
    PREFERENCES = "prefs"
    """A page of one's preferences.  Argument: its subject; of people with `|` and the number of the
    page of the list."""
    PREFER = "prefer"
    """A select of one preference.  Argument: its name."""
    QUIET = "quiet"
    """Opens the form for quiet hours, and names the form itself; argument `0`: none any more, or
    what was typed in one that was refused, `<begin>|<end>|<zone>`."""
    AVOID = "avoid"
    """A select of people with whom one never wants to play."""
    WELCOME = "welcome"
    """Takes a person off that list.  Argument: the user."""
    LANGUAGE = "language"
    """A select of the languages in which one reads."""
    FOLLOW = "follow"
    """A select of the games of whose tables one is told on this server."""
    UNFOLLOW = "unfollow"
    """Stops that.  Argument: a server, `|`, and a game; empty everywhere."""
    DECK = "deck"
    """A select of the decks in which hands are drawn."""
    SETTINGS = "settings"
    """The settings of the server; a select of their subjects, too.  Argument: one of these, `|`,
    and what of it is shown."""
    SETTING = "setting"
    """Changes one.  Argument: its name, and unless it is a select `|` and the value."""
    ALONE = "alone"
    """A match against computers in direct messages.  Argument: the game; empty asks for it."""
    MY_DATA = "my_data"
    """What is stored of the presser.  Argument: `show`, `export` or `forget`."""
    FORGET_NOW = "forget_now"
    """Confirms that the presser wants to be forgotten."""
    NONE = "none"
    """A label that cannot be pressed."""


_NO_TABLE: Final = TableId("")

_BESIDE: Final = "+"
"""Before the page of the rules that opens beside the pressed message."""

_VERBS: Final = {verb.value: verb for verb in Verb}


@dataclass(frozen=True, slots=True)
class Press:
    """A decoded `custom_id`."""

    verb: Verb
    table: TableId = _NO_TABLE
    question: QuestionId | None = None
    argument: str = ""

    @classmethod
    def at(
        cls, head: TableHead, verb: Verb, question: QuestionId | None = None, argument: str = ""
    ) -> Press:
        """A press about the table as it is now."""
        return cls(verb, head.table, question, argument)

    @classmethod
    def rules(cls, game: str, page: int | None = None, *, beside: bool = True) -> Press:
        """Opens the rules of a game, at that page, from 0, beside the pressed message; or turns to
        it there."""
        opened = "" if page is None else f"{_BESIDE if beside else ''}{page}"
        return cls(Verb.RULES, TableId(game), argument=opened)

    @property
    def page(self) -> tuple[str, bool]:
        """Of `RULES`: the page ("": the first), and whether it opens beside the pressed message."""
        page = self.argument.removeprefix(_BESIDE)
        return page, page != self.argument or not page

    @property
    def game(self) -> str:
        """Of `RULES`: id of the game, in the place where others have their table."""
        return self.table

    def encode(self) -> str:
        """The `custom_id`, at most 100 characters."""
        question = "" if self.question is None else str(self.question)
        return f"{PREFIX}:{self.verb}:{self.table}:{question}:{self.argument}"

    @classmethod
    def decode(cls, custom_id: str) -> Press | None:
        """The press that `custom_id` means; None if it is mangled or not ours."""
        match = _REGEX.fullmatch(custom_id)
        verb = None if match is None else _VERBS.get(match["verb"])
        if match is None or verb is None:
            return None
        question = QuestionId(int(match["question"])) if match["question"] else None
        return cls(verb, TableId(match["table"]), question, match["argument"])
