"""Playing: a hand, pressing or typing an action, why one is refused, hints, the next round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import discord
import structlog
from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import TableCog, about_table, anywhere
from bot.answer.context import Context
from bot.answer.origin import Origin, spoken_in
from bot.answer.panels import OWN_ORIGINS, show_own_hand, stale_press
from bot.answer.refusals import is_repeated, refusal_alone, second_press, table_refusal
from bot.answer.reply import Reply
from bot.answer.sight import named_table, next_table
from bot.answer.telling import answer, tell
from bot.i18n import Texts, card_text, cards_text, texts, typed
from bot.ids import QuestionId, TableId, UserId
from bot.render.cards_form import combine_modal, picked, read_combine, ticked
from bot.render.coaching import hint_aid, hint_lines, hint_page, why_not
from bot.render.components import OPTION, OPTIONS, cut
from bot.render.custom_ids import Verb
from bot.render.emoji_texts import illustrated, illustrated_lines
from bot.render.pages import note
from bot.render.seats import name
from bot.tables import hinting
from bot.tables.model import Table, TableCode, TableError
from bot.views.building import hand_view, table_head
from bot.views.hinting import hint_view
from bot.views.values import Aid
from cogs.presses import page_press, table_press
from engine.game import RuleError, Seat
from engine.layout import Act, Choice

logger = structlog.get_logger(__name__)

SHORTEST: Final = 3
"""Letters of a word that may be cut short."""

_WORD: Final = re.compile(r"\w+")

_OVER: Final[frozenset[TableCode]] = frozenset(
    {"stale", "not_your_turn", "between_rounds", "ended", "shuffling"}
)
"""Refusals of what may have been answered already."""


class Play(TableCog):
    """Everything a seated person does in a running match."""

    # Commands

    @app_commands.command(name="hand", description="Show your hand, only to you")
    @about_table(Need.SEE, asked=True)
    @anywhere
    @table_press(Verb.HAND, Need.SEE)
    async def hand(self, reply: Reply, table: Table) -> None:
        await self._show(reply, table)

    @app_commands.command(name="play", description="Make your play: choose it, or type it")
    @app_commands.describe(action="For example: play 3-4 3-6, play R5, or pass")
    @about_table(Need.ACT, asked=True)
    @anywhere
    async def play(self, reply: Reply, table: Table, action: str) -> None:
        text, seat = typed(action), table.stored.seating.place_of(reply.user)
        if seat is not None and seat in table.questions:
            legal = tuple(table.legal_texts(seat))
            text = Words(table, reply.user, reply.texts).meant(text, legal)
        await self._act(reply, table, None, text)

    @play.autocomplete("action")
    async def _suggest_action(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        named = getattr(interaction.namespace, "table", None)
        try:
            table = await named_table(self.context, interaction, named, Need.ACT, asked=True)
        except Exception as error:  # a suggestion is never worth an error; its words stay out
            if not isinstance(error, TableError):
                logger.warning("suggestion_failed", kind=type(error).__name__)
            return []
        seat = table.stored.seating.place_of(UserId(interaction.user.id))
        if seat is None or seat not in table.questions:
            return []
        wanted = typed(current).lower().split()
        words = Words(table, UserId(interaction.user.id), texts(spoken_in(interaction).own))
        found = ((text, words.of(text)) for text in table.legal_texts(seat))
        fitting = (
            (text, said)
            for text, said in found
            if all(part in typed(f"{text} {said}").lower() for part in wanted)
        )
        return [
            app_commands.Choice(name=cut(said, OPTION), value=text)
            for text, said in islice(fitting, OPTIONS)
        ]

    # Presses

    @page_press(Verb.NEXT_TABLE)
    async def _press_next_table(self, reply: Reply) -> None:
        """One's hand at the table that waits, in the place of that where one was.

        In a direct message beside it: there each table has a message of its own.
        """
        before = TableId(reply.press.argument)
        table = await next_table(self.context, reply.interaction, before)
        if table is None:
            await reply.say("tables.none_waits")
            return
        if reply.origin is Origin.EPHEMERAL:
            self.context.publisher.let_go(before, reply.user)
        await show_own_hand(self.context, reply, table, beside=reply.origin is Origin.DM)

    @table_press(Verb.ACT, Need.ACT)
    async def _press_act(self, reply: Reply, table: Table) -> None:
        text = reply.chosen[0] if reply.chosen else reply.press.argument
        if not await self._asks_first(reply, table, text):
            await self._act(reply, table, reply.press.question, text)

    @table_press(Verb.ACT_NOW, Need.ACT)
    async def _press_act_now(self, reply: Reply, table: Table) -> None:
        await self._act(reply, table, reply.press.question, reply.press.argument)

    async def _asks_first(
        self, reply: Reply, table: Table, action: str, cards: Sequence[str] = ()
    ) -> bool:
        """Asks whether the person means that, where it has a price or they want to be asked.

        Nothing is stored by that.  `cards` are those that were put together, if they were.  What
        plays no card, or the only one that can be played, is asked about only if it has a price.
        """
        asked = self._asked(table, reply)
        if asked is None or asked != reply.press.question:
            return False  # the one door says what there is instead
        offered = table.game.layout(table.seen_by(reply.user)).acts
        put_together = Act(action, cards=tuple(cards)) if cards else None
        act = put_together or next((act for act in offered if act.action == action), None)
        if act is None:
            return False
        if act.confirm is None:
            wish = (await self.context.readers.preferences_of(reply.user)).confirm
            if not act.cards or act.forced or not wish.asks_at(table.stored.timing.pace):
                return False
        await show_own_hand(self.context, reply, table, asking=act)
        return True

    @table_press(Verb.OPEN, Need.ACT)
    async def _press_open(self, reply: Reply, table: Table) -> None:
        """Opens a choice, or goes back; a hint stays beside it."""
        if self._asked(table, reply) != reply.press.question:
            await show_own_hand(self.context, reply, table, notice=stale_press(reply, table))
            return
        await self._show(reply, table, reply.press.argument)

    async def _show(self, reply: Reply, table: Table, opened: str = "") -> None:
        """The hand, or what a press opens, beside the hint that the person took on this question,
        if any."""
        hint = self.context.tables.hint_taken(table, reply.user)
        aid = None if hint is None else _beside_cards(hint, reply, self.context)
        await show_own_hand(self.context, reply, table, opened=opened, aid=aid)

    @table_press(Verb.COMBINE, Need.ACT)
    async def _press_combine(self, reply: Reply, table: Table) -> None:
        """Play the cards chosen in a form or one by one; without enough of them open the form, or
        ask for the next."""
        stale = stale_press(reply, table)
        view = hand_view(table, reply.user, None)
        if view is None or view.question is None or view.question != reply.press.question:
            await show_own_hand(self.context, reply, table, notice=stale)
            return
        cards: Sequence[str] = ()
        flags, key = frozenset[str](), reply.press.argument
        picking = picked(view, key)
        if picking is not None:
            cards = picking.cards
            if len(cards) < picking.combine.minimum:
                await self._show(reply, table, key)
                return
        elif reply.interaction.type is discord.InteractionType.modal_submit:
            cards, flags = read_combine(reply.interaction)
        else:
            try:
                form = combine_modal(view, key, reply.texts)
            except LookupError:
                await show_own_hand(self.context, reply, table, notice=stale)
            else:
                await reply.form(form)
            return
        ticks = ticked(view, key, cards, flags) if picking is None else None
        try:
            action = table.compose(view.seat, cards, flags)
        except RuleError as error:
            await self._refuse(reply, table, error, ticks)
            return
        # Whoever sends in a form has confirmed by that.
        if picking is None or not await self._asks_first(reply, table, action, cards):
            await self._act(reply, table, reply.press.question, action, ticks)

    @table_press(Verb.STANDING, Need.ACT)
    async def _press_standing(self, reply: Reply, table: Table) -> None:
        """Passes for the whole deal, or takes that back."""
        on, question = given.switch(reply.press.argument), reply.press.question
        try:
            table = await self.context.tables.set_standing_pass(
                table.id, reply.user, question, on=on
            )
        except TableError as error:
            await self._refuse_table(reply, error)
        else:
            await show_own_hand(self.context, reply, table)
            await self.context.publisher.flush(table.id)

    @table_press(Verb.AHEAD, Need.ACT)
    async def _press_ahead(self, reply: Reply, table: Table) -> None:
        """Choose a card for the next turn, or take the choice back; nobody else sees it."""
        text = reply.chosen[0] if reply.chosen else None
        if text is None:
            given.one_of(("-",), reply.press.argument)
        since = reply.question
        try:
            table = await self.context.tables.choose_ahead(table.id, reply.user, since, text)
        except TableError as error:
            await self._refuse_table(reply, error, reply.press.question)
            return
        late = text is not None and reply.user not in table.stored.votes.ahead
        notice = reply.texts.get("ahead.late") if late else None
        await show_own_hand(self.context, reply, table, notice=notice)
        await self.context.publisher.flush(table.id)

    @table_press(Verb.NEXT, Need.ACT)
    async def _press_next(self, reply: Reply, table: Table) -> None:
        """Ready for the next round; who presses late is shown that."""
        question = reply.press.question
        with self.context.publisher.answering(table.id, reply.user):
            try:
                table = await self.context.tables.ready(table.id, reply.user, question)
            except TableError as error:
                await self._refuse_table(reply, error, question)
                return
            await answer(self.context, reply, table)
        await tell(self.context, reply, table)

    @table_press(Verb.BACK, Need.ACT)
    async def _press_back(self, reply: Reply, table: Table) -> None:
        """Take one's own seat back from the stand-in."""
        before = table.stored.seating.places
        table = await self.context.tables.come_back(table.id, reply.user)
        seat = table.stored.seating.place_of(reply.user)
        if seat is None or before[seat].away:
            notice = reply.texts.get("back.done", seat=0 if seat is None else seat + 1)
        else:
            notice = _not_away(table, seat, reply.texts)
        await show_own_hand(self.context, reply, table, notice=notice)
        await self.context.publisher.flush(table.id)

    # What both do

    async def _act(
        self,
        reply: Reply,
        table: Table,
        question: QuestionId | None,
        text: str,
        ticks: str | None = None,
    ) -> None:
        """The one way of people to the one door: commit, answer, tell.

        `ticks` are those of the form that the action was put together in.
        """
        done = None
        with self.context.publisher.answering(table.id, reply.user):
            try:
                done = await self.context.tables.act(
                    table.id, question, reply.user, text, reply.interaction.id
                )
            except RuleError as error:
                await self._refuse(reply, table, error, ticks)
            except TableError as error:
                await self._refuse_table(reply, error, question, text)
            else:
                await answer(self.context, reply, done)
        if done is not None:
            await tell(self.context, reply, done)

    async def _refuse(
        self, reply: Reply, table: Table, error: RuleError, ticks: str | None = None
    ) -> None:
        reply.refused = error.code
        sentence = reply.texts.refusal(error.code, error.params, table.stored.game)
        await self._explain(reply, table, sentence, ticks)

    async def _refuse_table(
        self,
        reply: Reply,
        error: TableError,
        question: QuestionId | None = None,
        action: str | None = None,
    ) -> None:
        """Say why not; for a `question` answered before, what the answer was.

        Whoever has pressed twice on the board is answered as at first, without a message of its
        own: what they want is done.
        """
        table = error.table
        if table is None or error.code == "not_seated":
            raise error
        reply.refused, again = error.code, None
        if error.code in _OVER:
            twice = is_repeated(table, reply.user, question, action)
            if twice and reply.origin is Origin.CHANNEL:
                await answer(self.context, reply, table)
                return
            again = second_press(reply.texts, table, reply.user, question)
        says = table_refusal if reply.origin in OWN_ORIGINS else refusal_alone
        await self._explain(reply, table, again or says(reply.texts, error))

    async def _explain(
        self, reply: Reply, table: Table, sentence: str, ticks: str | None = None
    ) -> None:
        """Show a refusal: on a panel together with the present state, else on its own."""
        if reply.origin in OWN_ORIGINS:
            await show_own_hand(self.context, reply, table, notice=sentence, ticks=ticks)
        else:
            await reply.whisper(note(sentence))

    @staticmethod
    def _asked(table: Table, reply: Reply) -> QuestionId | None:
        seat = table.stored.seating.place_of(reply.user)
        return None if seat is None else table.questions.get(seat)


def _not_away(table: Table, seat: Seat, words: Texts) -> str:
    """The answer to *I'm back* if no stand-in plays for the person."""
    places = enumerate(table.stored.seating.places)
    away = [other for other, p in places if p.away and p.person is not None]
    if not away:
        return words.get("back.not_away", seat=seat + 1)
    people = words.list([name(table_head(table), other, words) for other in away])
    return words.get("back.others", seat=seat + 1, names=people)


class Words:
    """Actions of one person as suggestions show them: notation, and what it says in words."""

    def __init__(self, table: Table, user: UserId, words: Texts) -> None:
        stored, game = table.stored, table.stored.game
        self.pack = frozenset(table.game.pack(len(stored.seating.places), stored.options))
        self._game, self._texts = game, words
        names, layout = table_head(table).names, table.game.layout(table.seen_by(user))
        self._labels = {
            act.action: words.phrase(game, act.label, names, plain=True)
            for act in layout.acts
            if act.label is not None
        }
        self._how = {
            act.action: words.phrase(game, choice.how, names, plain=True)
            for choice in layout.controls
            if isinstance(choice, Choice) and choice.how is not None
            for act in choice.acts
        }

    def of(self, text: str) -> str:
        """`play R5 · ❤️ red 5`; the notation alone where it has no other words."""
        written, said = cards_text(text.split()), self._said(text)
        return written if said.lower() in written else f"{written} · {said}"

    def meant(self, given: str, legal: Sequence[str]) -> str:
        """The one action that is called so, `red 5` or `5 rot`, its cards in whatever order; else
        what was typed.

        A word may be cut short, `Eichel` for `Eicheln`, but no number.
        """
        wanted = _WORD.findall(given.lower())
        if given in legal or not wanted:
            return given
        found = [one for one in legal if self._is_called(one, wanted)]
        return found[0] if len(found) == 1 else given

    def _is_called(self, text: str, wanted: Sequence[str]) -> bool:
        """Whether an action is called so: in its words, by its cards, or by its verb and these."""
        verb, named = text.split()[0], self._named(text)
        calls = [[self._labels.get(text, "")], named]
        if named or not self._cards(text):
            calls.append([verb, *named])
        return any(
            _names(wanted, [_WORD.findall(typed(one).lower()) for one in call]) for call in calls
        )

    def _said(self, text: str) -> str:
        """What an action is in words; empty if nothing but notation."""
        return self._labels.get(text) or " ".join(self._named(text))

    def _named(self, text: str) -> list[str]:
        """Its cards by their names, and how they are played; empty if nothing but notation."""
        cards = self._cards(text)
        named = [
            self._texts.card_name(self._game, card) if card in self.pack else card_text(card)
            for card in cards
        ]
        how = [f"({self._how[text]})"] if text in self._how else []
        return [*named, *how] if named != cards else []

    def _cards(self, text: str) -> list[str]:
        """Its cards in notation, among them what counts twice, `6-6x2`."""
        return [word for word in text.split() if word.partition("x")[0] in self.pack]


def _names(wanted: Sequence[str], parts: Sequence[Sequence[str]]) -> bool:
    """Whether just these parts are wanted, in whatever order, each with its words together."""
    if not any(parts):
        return not wanted
    return any(
        _is_named(wanted[: len(part)], part)
        and _names(wanted[len(part) :], [*parts[:place], *parts[place + 1 :]])
        for place, part in enumerate(parts)
        if part and part not in parts[:place]  # equal ones are tried once
    )


def _is_named(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each of the words is wanted, in whatever order, and no other."""
    left = [*words]
    for one in wanted:
        fits = (
            word
            for word in left
            if word == one or (len(one) >= SHORTEST and not one.isdigit() and word.startswith(one))
        )
        word = next(fits, None)
        if word is None:
            return False
        left.remove(word)
    return not left


# Help beside the cards of a panel.

_MOVED_ON: Final[frozenset[TableCode]] = frozenset({"stale", "ended"})
"""Refusals of a hint whose question is over."""


def _beside_cards(hint: hinting.Hint, reply: Reply, context: Context) -> Aid:
    """A hint as it stands on the hand of the person who took it."""
    view, deck = hint_view(hint), context.readers.deck(reply.user)
    lines = illustrated_lines(lambda texts: hint_lines(view, texts), reply.texts, deck)
    return hint_aid(view, lines)


class Coaching(TableCog):
    """Help beside the cards of a panel."""

    @app_commands.command(name="hint", description="Ask what a computer player would do")
    @about_table(Need.ACT, asked=True)
    @anywhere
    @table_press(Verb.HINT, Need.ACT)
    async def hint(self, reply: Reply, table: Table) -> None:
        """Show a hint to the person alone, on the hand they asked on; their question stays open."""
        try:
            seat, asked = hinting.require_question(table, reply.user, reply.press.question)
            if table.only_action(seat) is None:
                await reply.defer()  # it is thought about
            hint = await self.context.tables.hint(table, reply.user, asked)
        except TableError as error:
            if error.code not in _MOVED_ON:
                raise
            notice = reply.texts.get("hint.moved_on")
            await show_own_hand(self.context, reply, error.table or table, notice=notice)
            return
        if reply.press.verb is Verb.HINT:
            aid = _beside_cards(hint, reply, self.context)
            await show_own_hand(self.context, reply, hint.table, aid=aid)
        else:
            deck = self.context.readers.deck(reply.user)
            await reply.whisper(hint_page(hint_view(hint), illustrated(reply.texts, deck)))

    @table_press(Verb.WHY, Need.ACT)
    async def _press_why(self, reply: Reply, table: Table) -> None:
        """Says it of the cards as they are held now, and only while that is still asked."""
        view = hand_view(table, reply.user, None)
        if view is None or view.question is None or view.question != reply.press.question:
            notice = stale_press(reply, table)
            await show_own_hand(self.context, reply, table, notice=notice)
            return
        why = why_not(view, reply.texts)
        if why is None:
            await reply.say("why.none")
        else:
            await show_own_hand(self.context, reply, table, aid=why)

    @table_press(Verb.NO_TIPS, Need.SEE)
    async def _press_no_tips(self, reply: Reply, table: Table) -> None:
        locale = str(reply.interaction.locale)
        await self.context.readers.change(reply.user, locale, lambda now: replace(now, tips=False))
        await self.context.coach.put_away(reply.user)
        notice = reply.texts.get("tips.done")
        await show_own_hand(self.context, reply, table, notice=notice)
