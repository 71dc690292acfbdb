"""Codes of refusals by tables and plans; `table.error.<code>` in a catalogue is the sentence."""

from __future__ import annotations

from typing import Literal, TypeAlias

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
    "no_such_place", "place_taken", "place_kept", "seen_a_hand", "not_seated", "no_computer",
    "line_full", "not_in_line", "seats_needed",
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
    "nudge_self", "nudge_nobody", "nudge_unwanted", "nudge_done", "nudge_early", "seek_private",
    "seek_taken", "seek_done", "rested",
    # plans
    "no_such_plan", "plan_over", "plan_private", "plan_full", "not_planner", "not_inviter",
    "too_many_plans", "server_plans", "plans_too_fast", "when_unclear", "when_zone", "when_no_zone",
    "when_gap", "when_past", "when_far", "times_unclear", "too_many_times", "times_weekly",
    "clock_unclear", "quiet_long", "not_taker", "nobody_can",
]  # fmt: skip
