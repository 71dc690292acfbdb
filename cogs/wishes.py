"""Wishes at a running match: pause, pace, nudge, substitute, taking a play back."""

from __future__ import annotations

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import TableCog
from bot.answer.panels import show_own_hand
from bot.answer.refusals import table_refusal
from bot.answer.reply import Reply
from bot.answer.sight import is_moderator
from bot.answer.telling import answer_then_tell
from bot.ids import QuestionId
from bot.render.custom_ids import Verb
from bot.render.pages import confirm_kick, note, pace_page
from bot.tables import voting
from bot.tables.lobby import require_player
from bot.tables.model import Table, TableError
from bot.tables.stored import Pace
from bot.tables.waiting import question_of_others
from bot.views.building import kick_view, table_head
from bot.views.values import Removal
from cogs.presses import table_press


class Wishes(TableCog):
    """Presses that play nothing and change how the table goes on."""

    @table_press(Verb.REST, Need.DECIDE)
    async def _press_rest(self, reply: Reply, table: Table) -> None:
        """A vote for a rest of the match, or for its end."""
        resting = not given.switch(reply.press.argument)
        moderator = is_moderator(reply.interaction, table)
        table = await self.context.tables.rest(
            table.id, reply.user, resting=resting, moderator=moderator
        )
        rests = table.stored.timing.rest is not None
        if rests == resting:
            code = "rest.resume_voted" if resting else "rest.voted"
        else:
            code = "rest.over" if resting else "rest.begun"
        needed = voting.rest_votes_needed(table.stored)
        await self._say(reply, table, code, count=needed)

    @table_press(Verb.PACE, Need.ACT)
    async def _press_pace(self, reply: Reply, table: Table) -> None:
        """A vote for another pace; without one it is asked for."""
        wanted = [given.one_of(Pace, chosen) for chosen in reply.chosen]
        stored = table.stored
        if not wanted:
            require_player(stored, reply.user)
            needed = stored.seating.votes_needed
            holds, head = voting.next_pace(stored), table_head(table)
            others = [pace for pace in Pace if pace is not holds]
            await reply.whisper(pace_page(head, holds, others, needed, reply.texts))
            return
        table = await self.context.tables.choose_pace(table.id, reply.user, wanted[0])
        stored = table.stored
        named = reply.texts.get(f"pace.{wanted[0]}")
        if reply.user in stored.votes.paces:
            needed = stored.seating.votes_needed
            said = reply.texts.get("pace.voted", pace=named, count=needed)
        else:
            soon = stored.timing.coming is not None
            said = reply.texts.get("pace.coming" if soon else "pace.now", pace=named)
        await reply.panel(note(said))
        await self.context.publisher.flush(table.id)

    @table_press(Verb.NUDGE, Need.ACT)
    async def _press_nudge(self, reply: Reply, table: Table) -> None:
        """Call the people who are asked once more."""
        question = reply.question
        if question_of_others(table, reply.user) == question:
            await self._require_callable(table, question)
        with self.context.posting(reply.interaction, table.stored.channel):
            table = await self.context.tables.nudge(table.id, reply.user, question)
        await self._say(reply, table, "nudge.done")

    async def _require_callable(self, table: Table, question: QuestionId) -> None:
        """Check that somebody who is asked this question wants to be called once more now.

        Raises TableError `nudge_unwanted`.
        """
        for seat in table.asked:
            person = table.stored.seating.places[seat].person
            if person is not None and table.questions[seat] == question:
                chosen = await self.context.readers.preferences_of(person.id)
                if chosen.calls_again(self.context.clock()):
                    return
        raise TableError("nudge_unwanted", table)

    @table_press(Verb.SEEK, Need.ACT)
    async def _press_seek(self, reply: Reply, table: Table) -> None:
        """Call for a substitute, after a confirmation if the person away may still come back."""
        seat = given.number(reply.press.argument)
        places = table.stored.seating.places
        person = places[seat].person if seat < len(places) and places[seat].away else None
        if person is not None and table.stored.seating.place_of(reply.user) is not None:
            view = kick_view(table, person.id, Removal.VOTE)
            if view is not None:
                await reply.whisper(confirm_kick(view, reply.texts))
                return
        with self.context.posting(reply.interaction, table.stored.channel):
            table = await self.context.tables.seek(table.id, reply.user, seat)
        await self._say(reply, table, "substitute.done")

    @table_press(Verb.UNDO, Need.ACT)
    async def _press_undo(self, reply: Reply, table: Table) -> None:
        """Asks to take the last play back, or answers somebody who does."""
        tables, press = self.context.tables, reply.interaction.id
        with self.context.publisher.answering(table.id, reply.user):
            try:
                if not reply.press.argument:
                    done = await tables.take_back(table.id, reply.user, reply.question, press)
                else:
                    agrees = given.switch(reply.press.argument)
                    done = await tables.answer_take_back(
                        table.id, reply.user, reply.question, press, agrees=agrees
                    )
            except TableError as error:
                if error.table is None or error.code in ("ended", "not_seated"):
                    raise
                reply.refused = error.code
                said = table_refusal(reply.texts, error)
                await show_own_hand(self.context, reply, error.table, notice=said)
                return
            await show_own_hand(self.context, reply, done)
        await self.context.publisher.flush(table.id)

    async def _say(self, reply: Reply, table: Table, code: str, **params: int) -> None:
        await answer_then_tell(self.context, reply, table, lambda _: reply.say(code, **params))
