"""A paper trial: Kaiserspiel's deal, pauses, dialogue and secrets through `engine.game.Game`.

Not the game: who wins a trick is simplified (a declared Kaiser, else the highest card of the
suit led).  Everything that could strain the interface is whole: one deal that becomes known
step by step, seats that are asked whether they have anything to say or not, offers and answers,
a secret choice of all four seats at once, face-down cards, teams.  Not in the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import combinations
from random import Random
from typing import Final, NamedTuple, TypeAlias, assert_never

from engine.game import (
    CHANCE,
    Draw,
    Event,
    GameInfo,
    Json,
    Located,
    NotationError,
    Options,
    OptionSpec,
    Outcome,
    RoundHead,
    RuleError,
    Seat,
    competition_ranking,
)
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    CardView,
    Choice,
    Combine,
    Control,
    Headline,
    Layout,
    Line,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
)

Card: TypeAlias = int
RANKS: Final = "KOUB765432"
CODES: Final = tuple(suit + rank for suit in "ARSB" for rank in RANKS)
NUMBER: Final = {code: card for card, code in enumerate(CODES)}
BANNERS: Final = frozenset(NUMBER[suit + "B"] for suit in "ARSB")
HIDDEN: Final = -1
SEATS: Final = 4
ALL: Final = (0, 1, 2, 3)


class Step(IntEnum):
    DEAL = 0
    DECLARE = 1
    THREEUP = 2
    RAISE = 3
    ANSWER = 4
    LIFT = 5
    DISCARD = 6
    PLAY = 7
    OVER = 8


class Deal(NamedTuple):
    pack: tuple[Card, ...]
    dealer: Seat


class Say(NamedTuple):
    word: str


class Declare(NamedTuple):
    card: Card


class Discard(NamedTuple):
    first: Card
    second: Card


class Play(NamedTuple):
    card: Card
    down: bool


Action: TypeAlias = Deal | Say | Declare | Discard | Play
WORDS: Final = ("raise 1", "raise 3", "lift", "stay", "threeup", "accept", "resign", "pass")
OFFERS: Final = {"raise 1": 1, "raise 3": 3, "lift": 2, "threeup": 3}


class Lay(NamedTuple):
    """A card on the table; `card` is HIDDEN to those who may not know it."""

    seat: Seat
    card: Card
    down: bool
    kaiser: bool


class Table(NamedTuple):
    """What everybody knows: part of every state and of every observation."""

    target: int
    totals: tuple[int, int] = (0, 0)
    plies: int = 0
    put: int = 0
    step: Step = Step.DEAL
    rounds: int = 0
    dealer: Seat = -1
    dealt: int = 0
    pause: int = 0
    queue: tuple[Seat, ...] = ()
    declared: tuple[tuple[Seat, Card, int], ...] = ()
    value: int = 4
    offer: str = ""
    caller: Seat = -1
    after: Step = Step.DEAL
    barred: int = -1
    thrown: tuple[bool, ...] = (False,) * SEATS
    leader: Seat = -1
    won: tuple[int, int] = (0, 0)
    points: tuple[int, ...] | None = None
    void: bool = False


class State(NamedTuple):
    table: Table
    pack: tuple[Card, ...] = ()
    thrown: tuple[tuple[Card, ...], ...] = ((),) * SEATS
    lays: tuple[Lay, ...] = ()


class View(NamedTuple):
    """What a seat may know: cards of the pack, discards and lays are HIDDEN where it may not."""

    seat: Seat | None
    table: Table
    pack: tuple[Card, ...] = ()
    thrown: tuple[tuple[Card, ...], ...] = ((),) * SEATS
    lays: tuple[Lay, ...] = ()

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The observer's legal actions: they follow from what it knows."""
        return () if self.seat is None else legal(self, self.seat)


def owner(dealer: Seat, position: int) -> Seat | None:
    """Who gets the card at a position of the pack; None: nobody."""
    if position >= 28:
        return None
    turn = position if position < 4 else (position - 4) // 2
    return (dealer + 1 + turn) % SEATS


def positions(dealer: Seat, seat: Seat, dealt: int) -> list[int]:
    return [at for at in range(dealt) if owner(dealer, at) == seat]


def hand(known: State | View, seat: Seat) -> list[Card]:
    """Cards that `seat` holds, as far as they are known, in canonical order."""
    table = known.table
    gone = {lay.card for lay in known.lays if lay.seat == seat} | set(known.thrown[seat])
    held = (known.pack[at] for at in positions(table.dealer, seat, table.dealt) if known.pack)
    return sorted(card for card in held if card not in gone and card != HIDDEN)


def kaisers(table: Table) -> set[Card]:
    return {card for _, card, _ in table.declared}


def declarable(known: State | View, seat: Seat) -> list[Card]:
    """Banners that `seat` may still declare at this pause."""
    table = known.table
    shown = set(known.pack[: min(4, table.dealt)])
    held = BANNERS & set(hand(known, seat)) - kaisers(table)
    return sorted(held & shown if table.pause <= 2 else held - shown)


def special_suit(known: State | View) -> int | None:
    """Index of the special suit; None before it is known and when four Banners lie open."""
    if known.table.dealt < 4:
        return None
    plain = [card for card in known.pack[:4] if card not in BANNERS]
    return max(plain, key=lambda card: card % 10) // 10 if plain else None


def legal(known: State | View, seat: Seat) -> tuple[Action, ...]:
    table = known.table
    if seat not in acting(table):
        return ()
    match table.step:
        case Step.DECLARE:
            return (*(Declare(card) for card in declarable(known, seat)), Say("pass"))
        case Step.THREEUP:
            return (Say("threeup"), Say("pass"))
        case Step.RAISE:
            return (Say("raise 1"), Say("raise 3"))
        case Step.ANSWER:
            return (Say("accept"), Say("resign"))
        case Step.LIFT:
            return (Say("lift"), Say("stay"))
        case Step.DISCARD:
            free = [card for card in hand(known, seat) if card not in kaisers(table)]
            return tuple(Discard(*pair) for pair in combinations(free, 2))
        case Step.PLAY:
            held = hand(known, seat)
            up = tuple(Play(card, False) for card in held)
            return (
                up
                if seat == table.leader and not len(known.lays) % 4
                else (*up, *(Play(card, True) for card in held))
            )
        case Step.DEAL | Step.OVER:
            return ()
        case _:
            assert_never(table.step)


def acting(table: Table) -> tuple[Seat, ...]:
    match table.step:
        case Step.OVER:
            return ()
        case Step.DEAL:
            return (CHANCE,)
        case Step.DISCARD:
            return tuple(seat for seat in ALL if not table.thrown[seat])
        case Step.ANSWER:
            return (1 - table.caller,)
        case Step.RAISE | Step.LIFT:
            return (table.caller,)
        case Step.DECLARE | Step.THREEUP | Step.PLAY:
            return table.queue[:1]
        case _:
            assert_never(table.step)


class KaiserspielStub:
    """The whole interface; see the module's text for what is simplified."""

    info = GameInfo(
        id="kaiserspielstub",
        rules_version=1,
        seats=(4,),
        options=(OptionSpec("target", "length", "int", 1, 1000),),
        teams=((0, 2), (1, 3)),
    )

    def complete_options(self, seats: int, given: Options) -> Options:
        if seats != SEATS:
            raise NotationError("seats", minimum=SEATS, maximum=SEATS)
        for key, value in given.items():
            if key != "target":
                raise NotationError("option_unknown", key=key)
            if not isinstance(value, int) or isinstance(value, bool):
                raise NotationError("option_type", key=key)
            if not 1 <= value <= 1000:
                raise NotationError("option_range", key=key, minimum=1, maximum=1000)
        return {"target": given.get("target", 41)}

    def initial(self, seats: int, options: Options) -> State:
        return State(Table(int(self.complete_options(seats, options)["target"])))

    def actors(self, state: State) -> tuple[Seat, ...]:
        return acting(state.table)

    def question(self, state: State, seat: Seat) -> int:
        return state.table.put

    def deal(self, state: State, draw: Draw) -> Deal:
        pack = list(range(40))
        for i in range(39, 0, -1):
            j = draw(i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        while pack[39] in BANNERS:
            j = draw(40)
            pack[39], pack[j] = pack[j], pack[39]
        table = state.table
        due = self._next_dealer(table)
        return Deal(tuple(pack), draw(SEATS) if due is None else due)

    def _next_dealer(self, table: Table) -> Seat | None:
        if table.rounds == 0:
            return None
        return table.dealer if table.void else (table.dealer + 1) % SEATS

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        return legal(state, seat)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        if isinstance(action, Deal):
            return seat == CHANCE and self._is_possible(state, action)
        return action in legal(state, seat)

    def _is_possible(self, state: State, deal: Deal) -> bool:
        due = self._next_dealer(state.table)
        return (
            state.table.step is Step.DEAL
            and sorted(deal.pack) == list(range(40))
            and deal.pack[39] not in BANNERS
            and deal.dealer in (ALL if due is None else (due,))
        )

    def apply(self, state: State, seat: Seat, action: Action) -> State:
        if seat not in acting(state.table):
            raise RuleError("not_your_turn")
        if not self.is_legal(state, seat, action):
            raise RuleError("not_now")
        table = state.table._replace(plies=state.table.plies + 1)
        state = state._replace(table=table)
        match action:
            case Deal(pack, dealer):
                table = Table(
                    table.target,
                    table.totals,
                    table.plies,
                    rounds=table.rounds + 1,
                    dealer=dealer,
                    dealt=2,
                    pause=1,
                )
                state = self._pause(State(table, pack))
            case Say(word):
                state = self._said(state, seat, word)
            case Declare(card):
                mine = (*table.declared, (seat, card, table.pause))
                state = state._replace(
                    table=table._replace(
                        declared=mine, step=Step.RAISE, caller=seat % 2, after=Step.DECLARE
                    )
                )
            case Discard(first, second):
                state = self._discard(state, seat, (first, second))
                if state.table.step is Step.DISCARD:
                    return state  # nobody is put a new question
            case Play(card, down):
                state = self._lay(state, Lay(seat, card, down, card in kaisers(table)))
            case _:
                assert_never(action)
        return state._replace(table=state.table._replace(put=state.table.plies))

    def _pause(self, state: State) -> State:
        """Put the questions of a pause: first the declarations."""
        table = state.table
        served = [
            (table.dealer + turn) % SEATS
            for turn in ((1, 2), (3, 4), (1, 2), (3, 4), (1, 2, 3, 4))[table.pause - 1]
        ]
        if table.pause <= 2:
            served = [seat for seat in served if declarable(state, seat)]
        return self._declarations(state._replace(table=table._replace(queue=tuple(served))))

    def _declarations(self, state: State) -> State:
        table = state.table
        if table.pause <= 2 and table.queue and not declarable(state, table.queue[0]):
            return self._declarations(state._replace(table=table._replace(queue=table.queue[1:])))
        if table.queue:
            return state._replace(table=table._replace(step=Step.DECLARE))
        if table.pause == 5:
            eldest = (table.dealer + 1) % SEATS
            return state._replace(
                table=table._replace(step=Step.PLAY, leader=eldest, queue=(eldest,))
            )
        first = (table.dealer + 1) % 2
        callers = tuple(seat for seat in (first, 1 - first) if seat != table.barred)
        return state._replace(table=table._replace(step=Step.THREEUP, queue=callers))

    def _calls(self, state: State) -> State:
        """Spieldrei until nobody is left to be asked, then the next cards."""
        table = state.table
        if table.queue:
            return state._replace(table=table._replace(step=Step.THREEUP))
        if table.pause == 2 and special_suit(state) is None:
            return self._score(state, None, 0)
        if table.pause == 4:
            return state._replace(table=table._replace(step=Step.DISCARD, dealt=28))
        dealt = (4, 8, 12)[table.pause - 1]
        return self._pause(state._replace(table=table._replace(pause=table.pause + 1, dealt=dealt)))

    def _said(self, state: State, seat: Seat, word: str) -> State:
        table = state.table
        match word:
            case "pass":
                state = state._replace(table=table._replace(queue=table.queue[1:]))
                return (self._declarations if table.step is Step.DECLARE else self._calls)(state)
            case "threeup":
                return state._replace(
                    table=table._replace(
                        step=Step.ANSWER, offer=word, caller=seat, barred=seat, after=Step.THREEUP
                    )
                )
            case "raise 1" | "raise 3" | "lift":
                return state._replace(table=table._replace(step=Step.ANSWER, offer=word))
            case "accept":
                table = table._replace(value=table.value + OFFERS[table.offer], offer="")
                if state.table.offer == "raise 1":
                    return state._replace(table=table._replace(step=Step.LIFT))
                return self._answered(state._replace(table=table))
            case "stay":
                return self._answered(state)
            case "resign":
                return self._score(state, table.caller, table.value)
        raise RuleError("not_now")

    def _answered(self, state: State) -> State:
        if state.table.after is Step.DECLARE:
            return self._declarations(state)
        return self._calls(
            state._replace(table=state.table._replace(queue=(1 - state.table.caller,)))
        )

    def _discard(self, state: State, seat: Seat, pair: tuple[Card, Card]) -> State:
        thrown = (*state.thrown[:seat], pair, *state.thrown[seat + 1 :])
        flags = tuple(bool(cards) for cards in thrown)
        state = State(state.table._replace(thrown=flags), state.pack, thrown)
        if not all(flags):
            return state
        return self._pause(state._replace(table=state.table._replace(pause=5)))

    def _lay(self, state: State, lay: Lay) -> State:
        lays = (*state.lays, lay)
        table, state = state.table, state._replace(lays=lays)
        if len(lays) % 4:
            return state._replace(table=table._replace(queue=((lay.seat + 1) % SEATS,)))
        trick = lays[-4:]
        face_up = [each for each in trick if not each.down]
        called = [each for each in face_up if each.kaiser]
        led = [each for each in face_up if each.card // 10 == trick[0].card // 10]
        winner = called[0] if called else min(led, key=lambda each: each.card)
        team = winner.seat % 2
        won = (table.won[0] + (team == 0), table.won[1] + (team == 1))
        state = state._replace(
            table=table._replace(won=won, leader=winner.seat, queue=(winner.seat,))
        )
        return self._score(state, team, table.value) if won[team] == 3 else state

    def _score(self, state: State, team: int | None, value: int) -> State:
        points = tuple(value if seat % 2 == team else 0 for seat in ALL)
        table = state.table
        totals = (table.totals[0] + points[0], table.totals[1] + points[1])
        step = Step.OVER if max(totals) >= table.target else Step.DEAL
        return state._replace(
            table=table._replace(
                step=step, totals=totals, points=points, void=team is None, queue=(), offer=""
            )
        )

    def events(self, before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
        told: list[Event] = []
        who = SeatName(seat)
        match action:
            case Deal(pack, dealer):
                told.append(
                    Event(
                        Phrase("dealt", {"who": SeatName(dealer), "cut": Cards((CODES[pack[39]],))})
                    )
                )
            case Discard(first, second):
                told.append(Event(Phrase("discarded", {"who": who})))
                told.append(
                    Event(
                        Phrase("you_discarded", {"cards": Cards((CODES[first], CODES[second]))}),
                        (seat,),
                    )
                )
            case Play(card, True):
                kaiser = card in kaisers(before.table)
                told.append(
                    Event(Phrase("played_kaiser_down" if kaiser else "played_down", {"who": who}))
                )
                told.append(Event(Phrase("you_played", {"cards": Cards((CODES[card],))}), (seat,)))
            case Play(card, _) | Declare(card):
                code = "played" if isinstance(action, Play) else "declared"
                told.append(Event(Phrase(code, {"who": who, "cards": Cards((CODES[card],))})))
            case Say(word):
                told.append(Event(Phrase("said_" + word.replace(" ", "_"), {"who": who})))
            case _:
                assert_never(action)
        start = 0 if isinstance(action, Deal) else before.table.dealt
        for at in range(start, after.table.dealt):
            to = owner(after.table.dealer, at)
            assert to is not None
            told.append(
                Event(
                    Phrase(
                        "served", {"who": SeatName(to), "cards": Cards((CODES[after.pack[at]],))}
                    ),
                    None if at < 4 else (to,),
                )
            )
        if after.table.points is not None:
            told.append(Event(Phrase("round_over", {"count": max(after.table.points)})))
        return tuple(told)

    def outcome(self, state: State) -> Outcome | None:
        if state.table.step is not Step.OVER:
            return None
        return Outcome(self.scores(state), competition_ranking(self.scores(state)))

    def scores(self, state: State) -> tuple[int, ...]:
        return state.table.totals * 2

    def round_scores(self, state: State) -> tuple[int, ...] | None:
        return state.table.points

    def round_head(self, state: State) -> RoundHead:
        return RoundHead(state.table.dealer, (state.table.dealer + 1) % SEATS, None)

    def observe(self, state: State, seat: Seat | None) -> View:
        table = state.table
        pack = tuple(
            card
            if at == 39 or (at < table.dealt and (at < 4 or owner(table.dealer, at) == seat))
            else HIDDEN
            for at, card in enumerate(state.pack)
        )
        thrown = tuple(
            cards if of == seat else tuple(HIDDEN for _ in cards)
            for of, cards in enumerate(state.thrown)
        )
        lays = tuple(
            lay if lay.seat == seat or not lay.down else lay._replace(card=HIDDEN)
            for lay in state.lays
        )
        return View(seat, table, pack, thrown, lays)

    def determinize(self, observation: View, rng: Random) -> State:
        table, pack = observation.table, list(observation.pack)
        if not pack:
            return State(table)
        rest = sorted(set(range(40)) - set(pack))
        rng.shuffle(rest)

        def put(card: Card, at: int) -> None:
            if card in rest:
                pack[at] = card
                rest.remove(card)

        def holes(seat: Seat, before: int) -> list[int]:
            found = [at for at in positions(table.dealer, seat, before) if pack[at] == HIDDEN]
            rng.shuffle(found)
            return found

        for seat, card, pause in sorted(table.declared, key=lambda each: each[2]):
            if card in rest:  # declared at a pause: dealt by then
                put(card, holes(seat, 12 if pause <= 4 else table.dealt)[0])
        for lay in observation.lays:
            if lay.card in rest:
                put(lay.card, holes(lay.seat, table.dealt)[0])
        for at, card in enumerate(pack):
            if card == HIDDEN:  # the cut card is open, so no other place forbids a Banner
                pack[at] = rest.pop()
        thrown, lays = list(observation.thrown), list(observation.lays)
        for seat in ALL:
            shown = {lay.card for lay in lays}
            dealt = [pack[at] for at in positions(table.dealer, seat, table.dealt)]
            free = [card for card in dealt if card not in shown and card not in thrown[seat]]
            rng.shuffle(free)
            called = [card for card in free if card in kaisers(table)]
            plain = [card for card in free if card not in called]
            if HIDDEN in thrown[seat]:
                thrown[seat] = (plain.pop(), plain.pop())
                thrown[seat] = tuple(sorted(thrown[seat]))
            for at, lay in enumerate(lays):
                if lay.seat == seat and lay.card == HIDDEN:
                    lays[at] = lay._replace(card=(called if lay.kaiser else plain).pop())
        return State(table, tuple(pack), tuple(thrown), tuple(lays))

    def layout(self, observation: View) -> Layout:
        table, me = observation.table, observation.seat
        asked = acting(table)
        blocks: list[Block] = [
            Headline(Phrase(f"step_{table.step.name.lower()}", {"value": table.value})),
            SeatRow(
                tuple(
                    SeatView(
                        seat,
                        self._left(table, observation.lays, seat),
                        table.totals[seat % 2],
                        ("to_act",) if seat in asked else (),
                    )
                    for seat in ALL
                )
            ),
        ]
        if observation.pack:
            opened = (*observation.pack[: min(4, table.dealt)], observation.pack[39])
            blocks.append(CardRow("aside", tuple(CardView(CODES[card]) for card in opened)))
        trick = observation.lays[-(len(observation.lays) % 4 or 4) :]
        shown = [lay.card for lay in trick if lay.card != HIDDEN and not lay.down]
        blocks.append(CardRow("table", tuple(CardView(CODES[card]) for card in shown)))
        if me is None:
            return Layout(tuple(blocks), self._public_controls(table))
        held = hand(observation, me)
        blocks.append(CardRow("hand", tuple(CardView(CODES[card]) for card in held)))
        blocks.append(Line(Phrase("you_sit", {"who": SeatName(me)}), "small"))
        actions = observation.legal_actions
        if table.step is Step.DISCARD and actions:
            codes = tuple(
                sorted(
                    {CODES[card] for pair in actions if isinstance(pair, Discard) for card in pair},
                    key=NUMBER.__getitem__,
                )
            )
            choice = Choice(
                "discard", Phrase("discard"), len(actions), combine=Combine(codes, 2, 2)
            )
            return Layout(tuple(blocks), (choice,))
        up = [self._act(each) for each in actions if not (isinstance(each, Play) and each.down)]
        down = [self._act(each) for each in actions if isinstance(each, Play) and each.down]
        controls: list[Control] = [*up]
        if down:
            controls.append(Choice("down", Phrase("face_down"), len(down), tuple(down)))
        return Layout(tuple(blocks), tuple(controls))

    def _left(self, table: Table, lays: Iterable[Lay], seat: Seat) -> int:
        got = len(positions(table.dealer, seat, table.dealt)) - 2 * table.thrown[seat]
        return got - sum(lay.seat == seat for lay in lays)

    def _public_controls(self, table: Table) -> tuple[Act, ...]:
        words = {
            Step.ANSWER: ("accept", "resign"),
            Step.RAISE: ("raise 1", "raise 3"),
            Step.LIFT: ("lift", "stay"),
            Step.THREEUP: ("threeup", "pass"),
            Step.DECLARE: ("pass",),
        }.get(table.step, ())
        return tuple(self._act(Say(word)) for word in words)

    def _act(self, action: Action) -> Act:
        text = self.format_action(action)
        label = Phrase(text.split()[0])
        return Act(text, label, (CODES[action.card],) if isinstance(action, Play) else ())

    def compose(self, observation: View, cards: Sequence[str], flags: frozenset[str]) -> Action:
        if len(cards) != 2 or flags or observation.table.step is not Step.DISCARD:
            raise RuleError("not_now")
        if len(set(cards)) != 2 or not set(cards) <= NUMBER.keys():
            raise RuleError("cards")
        first, second = sorted(NUMBER[code] for code in cards)
        return Discard(first, second)

    def default_action(self, observation: View) -> Action:
        actions = observation.legal_actions
        for word in ("pass", "accept", "raise 1", "stay"):
            if Say(word) in actions:
                return Say(word)

        def low(card: Card) -> tuple[bool, int, int]:
            return card in BANNERS, -(card % 10), card

        if observation.table.step is Step.DISCARD:
            free = {card for pair in actions if isinstance(pair, Discard) for card in pair}
            first, second = sorted(sorted(free, key=low)[:2])
            return Discard(first, second)
        return min(
            (each for each in actions if isinstance(each, Play) and not each.down),
            key=lambda each: low(each.card),
        )

    def format_action(self, action: Action) -> str:
        match action:
            case Say(word):
                return word
            case Declare(card):
                return f"kaiser {CODES[card]}"
            case Discard(first, second):
                return f"discard {CODES[first]} {CODES[second]}"
            case Play(card, down):
                return f"play {CODES[card]}" + " down" * down
            case Deal():
                raise ValueError("a deal has no notation but its JSON")
            case _:
                assert_never(action)

    def public_action(self, observation: View, seat: Seat, action: Action) -> str:
        match action:
            case Discard() if observation.seat != seat:
                return "discard ? ?"
            case Play(card, True) if observation.seat != seat:
                kaiser = card in kaisers(observation.table)
                return "play kaiser down" if kaiser else "play ? down"
        return self.format_action(action)

    def parse_action(self, text: str, observation: View | None = None) -> Action:
        words = text.split(" ")
        if observation is not None:
            words = text.split()
            words = [word.upper() if word.upper() in NUMBER else word.lower() for word in words]
            if words[:1] == ["discard"] and all(word in NUMBER for word in words[1:]):
                words[1:] = sorted(words[1:], key=NUMBER.__getitem__)
        text = " ".join(words)
        if text in WORDS:
            return Say(text)
        card = "([ARSB][KOUB765432])"
        if found := re.fullmatch(f"kaiser {card}", text):
            if NUMBER[found[1]] not in BANNERS:
                raise NotationError("not_an_action")
            return Declare(NUMBER[found[1]])
        if found := re.fullmatch(f"play {card}( down)?", text):
            return Play(NUMBER[found[1]], found[2] is not None)
        if found := re.fullmatch(f"discard {card} {card}", text):
            first, second = NUMBER[found[1]], NUMBER[found[2]]
            if first < second:
                return Discard(first, second)
        raise NotationError("not_an_action")

    def deal_to_json(self, action: Action) -> Json:
        assert isinstance(action, Deal)
        return {"pack": [CODES[card] for card in action.pack]}

    def deal_from_json(self, state: State, data: Json, head: RoundHead) -> Deal:
        pack = data.get("pack") if isinstance(data, Mapping) else None
        if not isinstance(pack, list) or not all(
            isinstance(code, str) and code in NUMBER for code in pack
        ):
            raise NotationError("deal_malformed")
        if head.dealer is None:
            raise NotationError("no_dealer")
        return Deal(tuple(NUMBER[code] for code in pack), head.dealer)

    def pack(self, seats: int, options: Options) -> tuple[str, ...]:
        return CODES

    def standing_action(self, observation: View) -> None:
        return None

    def cards(self, state: State) -> tuple[Located, ...]:
        table = state.table
        found: list[Located] = []
        known: tuple[Seat, ...]
        lays = {lay.card: lay for lay in state.lays}
        for at, card in enumerate(state.pack):
            seat = owner(table.dealer, at)
            if at == 39:
                place, known, public = "cut", ALL, True
            elif seat is None or at >= table.dealt:
                place, known, public = "stock", (), False
            elif card in lays:
                place, public = f"played {seat}", self._traced(state, seat, card)
                known = ALL if public else (seat,)
            elif card in state.thrown[seat]:
                place, known, public = f"discard {seat}", (seat,), False
            else:
                place = f"hand {seat}"
                public = self._traced(state, seat, card) or (at < 4 and not table.thrown[seat])
                known = ALL if public else (seat,)
            found.append(Located(CODES[card], place, known, public))
        return tuple(found)

    def _traced(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether all know where a dealt card is, once its owner may have hidden it."""
        lays = [lay for lay in state.lays if lay.seat == seat]
        if any(lay.card == card and not lay.down for lay in lays):
            return True
        if card not in kaisers(state.table):
            return False
        face_up = {lay.card for lay in lays if not lay.down}
        hidden = [
            each for of, each, _ in state.table.declared if of == seat and each not in face_up
        ]
        down = sum(lay.down and lay.kaiser for lay in lays)
        return down in (0, len(hidden))


STUB: Final = KaiserspielStub()
