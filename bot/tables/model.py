"""`Table`: seats, match and log of a table as immutable values; `TableError`: its refusals.

`StoredTable` is everything about a table but its log; `Table` adds the log and the state that
is its fold.  The state itself never leaves this package: others get observations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from bot.ids import QuestionId, TableId, UserId
from bot.tables.phase import Phase, Played, Round, Unreadable, phase_of
from bot.tables.stored import DeadlineKind, Entry, Shuffle, Status, StoredTable, TakeBack
from bot.tables.verdict import half_played
from engine.game import AnyGame, Observation, Seat
from engine.layout import Act, Phrase

NO_END: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Table:
    """The present table: stored record, log, the result of the log, and the phase."""

    stored: StoredTable
    game: AnyGame
    log: tuple[Entry, ...] = field(default=(), repr=False)
    played: Played | None = None
    """None before the start, and if the log cannot be replayed."""
    phase: Phase = field(init=False)

    def __post_init__(self) -> None:
        phase = phase_of(self.stored, self.game, self.ply, self.played)
        object.__setattr__(self, "phase", phase)  # derived, so that it is never passed in

    @property
    def id(self) -> TableId:
        return self.stored.id

    @property
    def running(self) -> bool:
        """Whether a match that has begun goes on, also one whose log cannot be replayed."""
        return self.stored.status is Status.RUNNING

    @property
    def begun(self) -> bool:
        """Whether cards were dealt in a match that can be played on: nobody decides alone now."""
        return self.running and self.round > 0 and not isinstance(self.phase, Unreadable)

    @property
    def half_played(self) -> bool:
        """Whether half of the match was played: see `verdict.half_played`."""
        played = self.played
        return played is not None and half_played(
            self.stored, self.game, played.state, len(played.rounds)
        )

    @property
    def questions(self) -> Mapping[Seat, QuestionId]:
        """Number of the question of each seat that may act now; empty if no round is played."""
        return self.phase.questions if isinstance(self.phase, Round) else {}

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Seats that may act now; () if no round is played."""
        return tuple(self.questions)

    @property
    def round(self) -> int:
        """Number of the round dealt last, from 1; 0 before the first deal."""
        return len(self.deals)

    @property
    def deals(self) -> tuple[int, ...]:
        """Plies of the deals, by round, also of a match that cannot be replayed."""
        if self.played is None:
            return tuple(entry.ply for entry in self.log if entry.is_deal)
        return self.played.deals

    @property
    def told(self) -> tuple[Phrase, ...]:
        """Public phrases since the match began."""
        return () if self.played is None else self.played.told

    def answer_to(self, seat: Seat, question: QuestionId) -> Entry | None:
        """The entry that answered that question of `seat`; None if there is none."""
        return next((entry for entry in self.log[question:] if entry.seat == seat), None)

    @property
    def take_back(self) -> TakeBack | None:
        """The wish to take the last play back; None if there is none, or play has gone on."""
        wish = self.stored.votes.take_back
        return wish if wish is not None and wish.question == self.ply else None

    def was_taken_back(self, entry: Entry) -> bool:
        """Whether the next line of the log takes that one back."""
        return any(following.is_undo for following in self.log[entry.ply + 1 : entry.ply + 2])

    @property
    def told_in_round(self) -> tuple[Phrase, ...]:
        """Public phrases since the last deal."""
        return () if self.played is None else self.told[self.played.told_before :]

    def told_since(self, seat: Seat) -> tuple[Phrase, ...]:
        """Public phrases in this round since `seat` was last asked: its answer and what
        followed."""
        if self.played is None:
            return ()
        return self.told[max(self.played.answered.get(seat, 0), self.played.told_before) :]

    @property
    def rounds(self) -> tuple[tuple[int, ...], ...]:
        return () if self.played is None else self.played.rounds

    @property
    def _state(self) -> Any:
        return None if self.played is None else self.played.state

    @property
    def ply(self) -> int:
        """Ply of the next entry; between rounds also the number of the question to go on."""
        return len(self.log)

    @property
    def commitment(self) -> str:
        """The commitment to all deals, 64 hex digits; public.

        Empty where a deal is played again: nothing is shuffled there.
        """
        return "" if self.stored.again is not None else self.stored.shuffling.commitment

    @property
    def words(self) -> tuple[str, ...]:
        """Words for the coming deal by place, empty where nobody cut.

        Once the seats are closed they do not change, even if the match is stopped then.
        """
        shuffles, dealt = self.stored.shuffling.shuffles, self.round
        fixed = shuffles[dealt].words if dealt < len(shuffles) else ()
        return fixed or self.stored.words_by_place

    @property
    def dealt(self) -> Shuffle | None:
        """The shuffle of the round dealt last; None before the first."""
        return self.shuffle_of(self.round)

    def shuffle_of(self, number: int) -> Shuffle | None:
        """The shuffle of a round; None if it has none."""
        shuffles = self.stored.shuffling.shuffles
        return shuffles[number - 1] if 0 < number <= len(shuffles) else None

    def answers_itself(self, seat: Seat) -> bool:
        """Whether `seat` is asked something, and no person needs to be called for it.

        A computer player or a stand-in answers, or the table itself (`own_answer`).
        """
        place = self.stored.seating.places[seat]
        if seat not in self.actors:
            return False
        if place.person is None or place.stand_in:
            return True
        return self.own_answer(seat) is not None

    def own_answer(self, seat: Seat) -> str | None:
        """The table's own answer for the person of `seat`, who is present; None if they are asked.

        Their standing pass, or the only legal action: where everybody sees that it is; by custom
        any pass, or a card of a trick; where no other person plays also a word that is asked for
        form's sake, to hide something.
        """
        person = self.stored.seating.places[seat].person
        if person is not None and person.id in self.stored.votes.standing:
            action = self.game.standing_action(self.observe(seat))
            if action is not None:
                return self.game.format_action(action)
        customs, alone = self.stored.customs, not self.stored.seating.in_company
        passes = self.game.info.passes
        if customs.forced or passes or alone:
            only = self.only_action(seat)
            given = customs.passes and only == passes
            if only is not None and (given or self._goes_unasked(seat, only)):
                return only
        return None

    def ahead(self, seat: Seat) -> str | None:
        """The action that the person of `seat` chose ahead, if it is to be played now.

        None if they are not asked, or if it is not legal now.
        """
        place = self.stored.seating.places[seat]
        if seat not in self.actors or place.person is None or place.stand_in:
            return None
        chosen = self.stored.votes.ahead.get(place.person.id)
        legal = chosen is not None and chosen.text in self.legal_texts(seat)
        return chosen.text if chosen is not None and legal else None

    def hides_nothing(self, seat: Seat) -> bool:
        """Whether everybody sees what alone `seat` can do, so that its answer needs no moment."""
        return any(act.public for act in self.game.layout(self.observe(seat)).acts)

    def _goes_unasked(self, seat: Seat, text: str) -> bool:
        """Whether the layout lets that only action be given without asking, here."""
        forced, alone = self.stored.customs.forced, not self.stored.seating.in_company
        return any(
            act.public or (forced and act.forced) or (alone and act.formal)
            for act in self.game.layout(self.observe(seat)).controls
            if isinstance(act, Act) and act.action == text
        )

    @property
    def computing(self) -> tuple[Seat, ...]:
        """Seats where a computer player sits that is asked something now."""
        places = self.stored.seating.places
        return tuple(seat for seat in self.actors if places[seat].computer is not None)

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Seats whose people are asked something now: actors that do not answer themselves.

        People who have chosen a card ahead are included: the others may not notice.
        """
        return tuple(seat for seat in self.actors if not self.answers_itself(seat))

    @property
    def not_computing(self) -> tuple[Seat, ...]:
        """Seats that may act now without a computer player, also those that answer themselves: free
        ones, too, where a stand-in plays."""
        computing = self.computing
        return tuple(seat for seat in self.actors if seat not in computing)

    def waits_for(self, user: UserId) -> bool:
        """Whether `user` is asked something now, in a match that does not rest."""
        seat = self.stored.seating.place_of(user)
        return self.stored.timing.rest is None and seat is not None and seat in self.asked

    @property
    def turn_ends(self) -> datetime:
        """The end of the time of the people who are asked; far ahead if it does not end."""
        deadline = self.stored.timing.deadline(DeadlineKind.TURN)
        return NO_END if deadline is None else deadline.due

    def observe(self, seat: Seat | None) -> Observation:
        """What `seat` (None: a spectator) may know.  The match must have started."""
        observation: Observation = self.game.observe(self._state, seat)
        return observation

    def seen_by(self, user: UserId) -> Observation:
        """What `user` may know of the round dealt last.  The match must have started.

        They know what the seat knows that they play or have played in it; people who sat down after
        the round know what spectators do.
        """
        seat = self.stored.seating.place_of(user)
        if isinstance(self.phase, Round) or self.stored.seating.seen.get(user, -1) == seat:
            return self.observe(seat)
        return self.observe(None)

    def legal_texts(self, seat: Seat) -> Iterator[str]:
        """Notation of every legal action of `seat`; nothing if it is not to act."""
        return map(self.game.format_action, self.game.legal_actions(self._state, seat))

    def only_action(self, seat: Seat) -> str | None:
        """The only legal action of `seat`; None if there are several."""
        legal = tuple(islice(self.legal_texts(seat), 2))
        return legal[0] if len(legal) == 1 else None

    def compose(self, seat: Seat, cards: Sequence[str], flags: frozenset[str]) -> str:
        """Notation of the action that a combination means.  Raises RuleError if it means none."""
        action = self.game.compose(self.observe(seat), cards, flags)
        return self.game.format_action(action)


# Refusals by tables and plans: codes, whose sentences are `table.error.<code>` in a catalogue.

TableCode: TypeAlias = Literal[
    # which table is meant, and whether it can be read and stored
    "no_such_table", "no_table", "no_table_here", "which_table", "not_offered", "unreadable",
    "busy", "not_stored", "unsure", "answered_elsewhere",
    # opening a table
    "no_such_game", "unknown_game", "option_not_here", "options_gone", "seats_range",
    "seats_exactly", "too_many_computers", "no_such_rule", "no_rules", "rules_conflict",
    "server_only", "missing_permission", "not_in_thread", "may_not_open", "may_not_connect",
    "out_of_reach", "unreachable", "held_dm", "channel_busy", "restarting", "endless",
    # settings of the server
    "may_not_manage", "no_leaderboard", "no_place", "opening_role", "sitting_role", "guest_role",
    "calls_everybody",
    # limits
    "too_many_tables", "server_full", "too_fast", "server_too_fast", "too_many_guests",
    "too_many_invitations", "too_many_lines", "slow_mode",
    # seats
    "seats_closed", "already_seated", "kicked", "private", "table_full", "places_kept",
    "no_such_place", "place_taken", "place_kept", "seen_a_hand", "not_seated", "moderate_there",
    "no_computer", "line_full", "not_in_line", "seats_needed",
    "guest_bot", "guest_cannot_see", "guest_kicked", "guest_seated", "never_with", "guest_never",
    "never_full",
    # the host, and votes about others
    "not_host", "kick_self", "kick_whom", "target_away", "target_not_seated", "not_away",
    # before, between and after rounds
    "ended", "started", "too_few", "not_running", "not_ended", "never_started",
    "not_played", "sits_out", "waits_on", "gave_way", "between_rounds", "round_running",
    "shuffling", "cut_closed", "word_malformed", "replay_running", "deal_secret",
    # looking through a round
    "review_nothing", "review_none", "review_sealed", "review_sealed_match", "review_busy",
    # playing
    "stale", "not_your_turn", "ahead_illegal", "hints_off", "hint_not_asked",
    # taking a play back
    "undo_none", "undo_over", "undo_moved", "undo_not_pressed", "undo_learnt", "undo_refused",
    "undo_often", "undo_gone",
    # wishes beside playing
    "nudge_self", "nudge_played", "nudge_nobody", "nudge_unwanted", "nudge_done", "nudge_early",
    "seek_private", "seek_taken", "seek_done", "rested",
    # plans
    "no_such_plan", "plan_over", "plan_private", "plan_full", "not_planner", "not_inviter",
    "too_many_plans", "server_plans", "plans_too_fast", "when_unclear", "when_zone", "when_no_zone",
    "when_gap", "when_past", "when_far", "times_unclear", "too_many_times", "times_weekly",
    "clock_unclear", "quiet_long", "not_taker", "nobody_can",
]  # fmt: skip


class TableError(Exception):
    """A refused wish: a code and parameters; the sentence is under `table.error.<code>`.

    `table` is the present table, for showing it, if there is one.
    """

    def __init__(self, code: TableCode, /, table: Table | None = None, **params: int | str) -> None:
        super().__init__(code)
        self.code: TableCode = code
        self.table = table
        self.params: Mapping[str, int | str] = params
