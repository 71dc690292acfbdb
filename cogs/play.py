"""Playing: one's own hand, pressing or typing an action, the next round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import assert_never

import discord
import structlog
from discord import app_commands

from bot.answer.access import Need
from bot.answer.choices import TableCog, about_table, anywhere
from bot.answer.refusals import table_refusal, watchable
from bot.answer.reply import Drawn, Origin, Reply
from bot.answer.sight import named_table
from bot.answer.telling import answer_then_tell
from bot.i18n import Texts, cards_text, safe_name, texts
from bot.ids import ChannelId, MessageId, QuestionId, UserId
from bot.render.channel import channel_message
from bot.render.components import OPTION, cut
from bot.render.custom_ids import Press, Verb
from bot.render.hand import combine_modal, hand_panel, read_combine
from bot.render.pages import log_page, more_page, note, refusal
from bot.tables.model import ByPerson, Table, TableError
from bot.views.building import channel_view, hand_view, more_blocks, table_head
from cogs.presses import Guarded
from engine.game import RuleError, Seat
from engine.layout import Act, Choice, Layout, Standing

log = structlog.get_logger(__name__)

SUGGESTIONS = 25


class Play(TableCog):
    """Everything a seated person does in a running match."""

    @property
    def presses(self) -> Mapping[Verb, Guarded]:
        return {
            Verb.HAND: Guarded(Need.SEE, self._press_hand),
            Verb.TABLE: Guarded(Need.SEE, self._press_table),
            Verb.ACT: Guarded(Need.ACT, self._press_act),
            Verb.OPEN: Guarded(Need.ACT, self._press_open),
            Verb.COMBINE: Guarded(Need.ACT, self._press_combine),
            Verb.STANDING: Guarded(Need.ACT, self._press_standing),
            Verb.NEXT: Guarded(Need.ACT, self._press_next),
            Verb.LOG: Guarded(Need.SEE, self._press_log),
            Verb.MORE: Guarded(Need.SEE, self._press_more),
            Verb.BACK: Guarded(Need.ACT, self._press_back),
            Verb.WATCH: Guarded(Need.SEE, self._press_watch),
        }

    # Commands

    @app_commands.command(name="hand", description="Show your hand, only to you")
    @about_table(Need.SEE)
    @anywhere
    async def hand(self, reply: Reply, table: Table) -> None:
        await self._show_hand(reply, table)

    @app_commands.command(name="play", description="Play: choose an action or type its notation")
    @app_commands.describe(action="For example: play 3-4 3-6, play R5, or pass")
    @about_table(Need.ACT)
    @anywhere
    async def play(self, reply: Reply, table: Table, action: str) -> None:
        await self._act(reply, table, None, action)

    @app_commands.command(name="watch", description="Watch a table, only you see it")
    @about_table(Need.SEE, ended=True)
    @anywhere
    async def watch(self, reply: Reply, table: Table) -> None:
        await reply.whisper(channel_message(channel_view(table), reply.texts, watched=True))

    @play.autocomplete("action")
    async def _suggest_action(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        named = getattr(interaction.namespace, "table", None)
        try:
            table = await named_table(self.context, interaction, named, Need.ACT)
        except Exception as error:  # a suggestion is never worth an error; its words stay out
            if not isinstance(error, TableError):
                log.warning("suggestion_failed", kind=type(error).__name__)
            return []
        seat = table.stored.seating.place_of(UserId(interaction.user.id))
        if seat is None or seat not in table.questions:
            return []
        wanted = current.lower().split()
        words = _Words(table, UserId(interaction.user.id), texts(str(interaction.locale)))
        found = ((text, words.of(text)) for text in table.legal_texts(seat))
        fitting = (
            (text, said)
            for text, said in found
            if all(part in f"{text} {said}".lower() for part in wanted)
        )
        return [
            app_commands.Choice(name=cut(said, OPTION), value=text)
            for text, said in islice(fitting, SUGGESTIONS)
        ]

    # Presses

    async def _press_hand(self, reply: Reply, press: Press, table: Table) -> None:
        await self._show_hand(reply, table)

    async def _press_table(self, reply: Reply, press: Press, table: Table) -> None:
        await reply.whisper(channel_message(channel_view(table), reply.texts))

    async def _press_act(self, reply: Reply, press: Press, table: Table) -> None:
        await self._act(
            reply, table, press.question, reply.chosen[0] if reply.chosen else press.argument
        )

    async def _press_open(self, reply: Reply, press: Press, table: Table) -> None:
        if self._asked(table, reply) != press.question:
            await self._show_hand(reply, table, notice=reply.texts.get("table.error.stale"))
        else:
            await self._show_hand(reply, table, opened=press.argument)

    async def _press_combine(self, reply: Reply, press: Press, table: Table) -> None:
        """Plays the cards that were chosen, in a menu or in a form; else opens the form."""
        stale = reply.texts.get("table.error.stale")
        view = hand_view(table, reply.user, None)
        if view is None or view.question is None or view.question != press.question:
            await self._show_hand(reply, table, notice=stale)
            return
        if reply.chosen:
            cards, flags = reply.chosen, frozenset[str]()
        elif reply.interaction.type is discord.InteractionType.modal_submit:
            cards, flags = read_combine(reply.interaction)
        else:
            try:
                form = combine_modal(view, press.argument, reply.texts)
            except LookupError:
                await self._show_hand(reply, table, notice=stale)
            else:
                await reply.form(form)
            return
        try:
            action = table.compose(view.seat, cards, flags)
        except RuleError as error:
            await self._refuse(reply, table, error)
        else:
            await self._act(reply, table, press.question, action)

    async def _press_standing(self, reply: Reply, press: Press, table: Table) -> None:
        """Passes for the whole deal, or takes that back."""
        on = press.argument == "1"
        try:
            table = await self.context.tables.standing(table.id, reply.user, on, press.question)
        except TableError as error:
            await self._refuse_table(reply, error)
        else:
            await self._show_hand(reply, table)
            await self.context.publisher.flush(table.id)

    async def _press_next(self, reply: Reply, press: Press, table: Table) -> None:
        table = await self.context.tables.ready(press.table, reply.user, press.question)
        await self._answer(reply, table)

    async def _press_log(self, reply: Reply, press: Press, table: Table) -> None:
        page = int(press.argument) if press.argument.isdecimal() else None
        table = await self.context.tables.whole(table)
        await reply.panel(log_page(table_head(table), table.told, page, reply.texts))

    async def _press_more(self, reply: Reply, press: Press, table: Table) -> None:
        seated = table.stored.seating.place_of(reply.user) is not None
        more = more_blocks(table)
        await reply.whisper(more_page(table_head(table), more, reply.texts, seated=seated))

    async def _press_back(self, reply: Reply, press: Press, table: Table) -> None:
        """Takes one's own seat back from the stand-in."""
        before = table.stored.seating.places
        table = await self.context.tables.back(press.table, reply.user)
        seat = table.stored.seating.place_of(reply.user)
        if seat is None or before[seat].away:
            notice = reply.texts.get("back.done", seat=0 if seat is None else seat + 1)
        else:
            notice = _not_away(table, seat, reply.texts)
        await self._show_hand(reply, table, notice=notice)
        await self.context.publisher.flush(table.id)

    async def _press_watch(self, reply: Reply, press: Press, table: Table) -> None:
        """A spectator's copy, or a newer one; as for `/watch`, only of what they could see."""
        await reply.panel(channel_message(channel_view(table), reply.texts, watched=True))

    # What both do

    async def _act(
        self, reply: Reply, table: Table, question: QuestionId | None, text: str
    ) -> None:
        """The one way of people to the one door: commit, answer, tell."""
        try:
            table = await self.context.tables.act(
                table.id, question, ByPerson(reply.user), text, reply.interaction.id
            )
        except RuleError as error:
            await self._refuse(reply, table, error)
        except TableError as error:
            await self._refuse_table(reply, error)
        else:
            await self._answer(reply, table)

    async def _answer(self, reply: Reply, table: Table) -> None:
        await answer_then_tell(self.context, reply, table, lambda now: self._show_hand(reply, now))

    async def _show_hand(
        self, reply: Reply, table: Table, *, opened: str | None = None, notice: str | None = None
    ) -> None:
        """Shows the person's hand; whoever has none is told what there is instead."""
        user = reply.user
        where = await self.context.publisher.where(table.id)
        untold = notice is None and (table.id, user) in self.context.closed
        if untold:
            notice = reply.texts.get("hand.closed_dm")
        view = hand_view(table, user, where, opened=opened, notice=notice)
        if view is None:
            if notice is not None and reply.origin not in (Origin.PANEL, Origin.DM):
                await reply.whisper(note(notice))
            elif table.stored.seating.place_of(user) is None and table.stored.status.is_open:
                raise TableError("not_seated", table)
            else:
                shown = channel_message(channel_view(table), reply.texts)
                await reply.panel(shown if notice is None else shown.noted(notice))
            return
        drawn = await reply.panel(hand_panel(view, reply.texts))
        if drawn is not Drawn.NOWHERE and untold:
            self.context.closed.discard((table.id, user))
        message = reply.interaction.message
        if drawn is Drawn.IN_PLACE and reply.origin is Origin.DM and message is not None:
            channel, panel = ChannelId(message.channel.id), MessageId(message.id)
            await self.context.publisher.note_panel(
                table.id, user, channel, panel, view.question, table.stored.epoch
            )

    async def _refuse(self, reply: Reply, table: Table, error: RuleError) -> None:
        reply.refused = error.code
        sentence = reply.texts.refusal(error.code, error.params, table.stored.game)
        await self._explain(reply, table, sentence)

    async def _refuse_table(self, reply: Reply, error: TableError) -> None:
        reply.refused = error.code
        sentence = table_refusal(reply.texts, error)
        if error.table is None or watchable(error):
            await reply.whisper(refusal(sentence, watchable(error), reply.texts))
        else:
            await self._explain(reply, error.table, sentence)

    async def _explain(self, reply: Reply, table: Table, sentence: str) -> None:
        """A refusal: on a panel together with the hand as it is now, else on its own."""
        has_hand = hand_view(table, reply.user, None) is not None
        if has_hand and reply.origin in (Origin.PANEL, Origin.DM):
            await self._show_hand(reply, table, notice=sentence)
        else:
            await reply.whisper(note(sentence))

    @staticmethod
    def _asked(table: Table, reply: Reply) -> QuestionId | None:
        seat = table.stored.seating.place_of(reply.user)
        return None if seat is None else table.questions.get(seat)


def _not_away(table: Table, seat: Seat, words: Texts) -> str:
    """What *I'm back* says to somebody for whom no stand-in plays."""
    away = [p.person for p in table.stored.seating.places if p.away and p.person is not None]
    if not away:
        return words.get("back.not_away", seat=seat + 1)
    people = words.list([safe_name(person.name) for person in away])
    return words.get("back.others", seat=seat + 1, names=people)


class _Words:
    """Actions of one person as suggestions show them: notation, and what it says in words."""

    def __init__(self, table: Table, user: UserId, words: Texts) -> None:
        stored, game = table.stored, table.stored.game
        self._pack = frozenset(table.game.pack(len(stored.seating.places), stored.options))
        self._game, self._texts = game, words
        names = [place.person.name if place.person else "" for place in stored.seating.places]
        self._labels = {
            act.action: words.phrase(game, act.label, names, plain=True)
            for act in _acts(table.game.layout(table.seen_by(user)))
            if act.label is not None
        }

    def of(self, text: str) -> str:
        """`play R5 · ❤️ red 5`; the notation alone where it has no other words."""
        written = cards_text(text.split())
        cards = [word for word in text.split() if word in self._pack]
        named = [self._texts.card_name(self._game, card) for card in cards]
        said = self._labels.get(text) or (" ".join(named) if named != cards else "")
        return written if said.lower() in written else f"{written} · {said}"


def _acts(layout: Layout) -> Iterator[Act]:
    for control in layout.controls:
        match control:
            case Act():
                yield control
            case Choice():
                yield from control.acts
            case Standing():
                pass
            case _:
                assert_never(control)
