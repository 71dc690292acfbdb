"""`Requests`: calls to Discord within the rate limit; refused direct messages are tried again."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

import discord
import structlog
from cachetools import LRUCache
from discord.utils import MISSING

from bot.ids import ALONE, ChannelId, GuildId, Ids, MessageId, RoleId, TableId, UserId, drop
from bot.publish.messages import Surface
from bot.publish.refusals import (
    FAILURES,
    UNSEEN,
    Held,
    Meaning,
    Purpose,
    numbers,
    read,
    send_or_without_emoji,
)
from bot.publish.timings import TIMINGS, Timings
from bot.render.message import Message
from bot.tasks import ignore_error

# Who sees a channel.

Somewhere: TypeAlias = discord.abc.GuildChannel | discord.Thread
"""A channel or thread of a server."""

Named: TypeAlias = discord.Role | discord.Member | discord.Object
"""Whom the permissions of a channel name: of people who are not cached only the id is known."""


def all_see(place: Somewhere, elsewhere: Somewhere) -> bool:
    """Whether everybody who sees `elsewhere` sees `place`, by what is known of them: every role but
    those of bots, and whoever is named in the permissions of one of the two.

    Nobody is taken to see a private thread.
    """
    if isinstance(place, discord.Thread) and place.is_private():
        return False
    roles = [role for role in place.guild.roles if not role.is_bot_managed()]
    if any(_sees(role, elsewhere) and not _sees(role, place) for role in roles):
        return False
    named = {*_above(place).overwrites, *_above(elsewhere).overwrites}
    named -= {*place.guild.roles, place.guild.me}
    return not any(_is_left_out(one, place, elsewhere) for one in named)


def _sees(role: discord.Role, place: Somewhere) -> bool:
    return place.permissions_for(role).view_channel


def _is_left_out(one: Named, place: Somewhere, elsewhere: Somewhere) -> bool:
    """Whether somebody who is named may see `elsewhere` only: of their roles nothing is known."""
    here, there = (_above(at).overwrites_for(one).view_channel for at in (place, elsewhere))
    if here is None:
        return bool(there) and not _sees(place.guild.default_role, place)
    return not here and there is not False


def _above(place: Somewhere) -> discord.abc.GuildChannel:
    """The channel that says who sees a thread."""
    above = place.parent if isinstance(place, discord.Thread) else place
    if above is None:
        raise ConnectionError("the channel above a thread is out of sight")
    return above


# The rate limit: how often and how long the publisher sends requests to Discord.
#
# Discord allows a program fifty requests a second; answers to presses do not count.  All of the
# publisher's calls pass through one queue here: calls to people come before boards, and deletions
# last.  Every call has a time limit.

T = TypeVar("T")


class Priority(IntEnum):
    """Order of requests while there are too many."""

    CALL = 0
    """Hands and lines for people who are asked."""
    BOARD = 1
    SETTLE = 2
    """Hands whose question is answered."""
    TIDY = 3
    """Deletion of old messages."""


class Budget:
    """A token bucket with a queue by priority; of the same priority, first come, first served."""

    def __init__(
        self, timings: Timings = TIMINGS, untouchable: Callable[[], bool] = lambda: False
    ) -> None:
        """`untouchable` says that no call may be given up just now, however long it takes."""
        self._timings = timings
        self._untouchable = untouchable
        self._tokens = float(timings.burst)
        self._counted: float | None = None
        """When the tokens were counted last."""
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrived = 0
        self._timer: asyncio.TimerHandle | None = None

    async def spend(self, priority: Priority, call: Callable[[], Awaitable[T]]) -> T:
        """The result of `call`, made when it is its turn.  Raises TimeoutError if it hangs."""
        await self._turn(priority)
        return await self._in_time(call)

    # Whose turn it is

    async def _turn(self, priority: Priority) -> None:
        self._count()
        if self._tokens >= 1 and not self._queue:
            self._tokens -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._arrived += 1
        heapq.heappush(self._queue, (priority, self._arrived, turn))
        self._wake()
        await turn  # a caller that is cancelled leaves a future that is done behind

    def _count(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._counted is not None:
            gained = (now - self._counted) * self._timings.rate
            self._tokens = min(float(self._timings.burst), self._tokens + gained)
        self._counted = now

    def _wake(self) -> None:
        """Looks again when the next token is there."""
        if self._timer is None and self._queue:
            loop = asyncio.get_running_loop()
            missing = max(0.0, 1 - self._tokens)
            # A hair later: rounding must not find the token missing by a billionth.
            self._timer = loop.call_later(missing / self._timings.rate + 1e-6, self._serve)

    def _serve(self) -> None:
        self._timer = None
        self._count()
        while self._queue and self._tokens >= 1:
            _, _, turn = heapq.heappop(self._queue)
            if not turn.done():
                self._tokens -= 1
                turn.set_result(None)
        self._wake()

    # How long it may take

    async def _in_time(self, call: Callable[[], Awaitable[T]]) -> T:
        task = asyncio.ensure_future(call())
        task.add_done_callback(ignore_error)  # of one that nobody waits for any more
        wait = self._timings.request
        try:
            while not (await asyncio.wait([task], timeout=wait))[0]:
                if not self._untouchable():
                    raise TimeoutError
                wait = self._timings.request_again
            return task.result()
        finally:
            task.cancel()


# Direct messages: one backoff for all of them while Discord refuses them to the program itself.
#
# Such a refusal says nothing of the addressee.  Until a message arrives again people are called in
# the channel, and one message at a time tests whether Discord takes them.


class Letters:
    """The gate through which every direct message goes."""

    def __init__(self, clock: Callable[[], datetime], timings: Timings = TIMINGS) -> None:
        self._clock, self._pauses = clock, timings.letters
        self._failures = 0
        """How often Discord refused them, since one arrived."""
        self._since = clock()
        """When it did so last."""
        self._trying = False

    @property
    def refused(self) -> bool:
        """Whether Discord refused the last one to the program."""
        return self._failures > 0

    @property
    def held(self) -> bool:
        """Whether none is sent just now."""
        if not self._failures:
            return False
        pause = self._pauses[min(self._failures, len(self._pauses)) - 1]
        # A clock may be set back.
        return self._trying or abs(self._clock() - self._since) < timedelta(seconds=pause)

    async def through(self, write: Callable[[], Awaitable[T]], *, opens: bool = False) -> T:
        """The result of `write`; raises Held while writing is no use.

        `opens`: it only opens a channel, which does not prove that a message would be taken there.
        """
        if self.held:
            raise Held
        begun = self._failures
        self._trying = begun > 0
        try:
            done = await write()
        except FAILURES as error:
            if read(error, Purpose.LETTER) is not Meaning.LATER:
                self._arrived(opens=opens)
            elif self._failures == begun:  # else another that was under way has found out
                self._failures, self._since = begun + 1, self._clock()
                status, code = numbers(error)
                kind = type(error).__name__
                logger.warning("letters_refused", kind=kind, status=status, code=code)
            raise
        else:
            self._arrived(opens=opens)
            return done
        finally:
            self._trying = False

    def _arrived(self, *, opens: bool) -> None:
        if not opens:
            self._failures = 0


# Requests.

logger = structlog.get_logger(__name__)

M = TypeVar("M", discord.Member, discord.ThreadMember)

NO_MENTIONS: Final = discord.AllowedMentions.none()


def calling(called: Iterable[UserId] | RoleId) -> discord.AllowedMentions:
    """Mentions that call these people, or this role, and nobody else."""
    if isinstance(called, int):
        roles = [discord.Object(called)]
        return discord.AllowedMentions(everyone=False, users=False, roles=roles, replied_user=False)
    people = [discord.Object(user) for user in called]
    return discord.AllowedMentions(everyone=False, users=people, roles=False, replied_user=False)


MAX_SEARCHED: Final = 500
"""Maximum number of messages that are searched for ours: people write a hundred in some minutes."""

NEWEST_SEARCHED: Final = 100
"""Number of a channel's newest messages that are always searched: they come in one answer."""

MAX_DMS: Final = 10_000
"""Maximum number of people whose DM channels are remembered."""

MAX_PICTURED: Final = 10_000
"""Maximum number of messages whose pictures are remembered."""


class Guest(NamedTuple):
    """A person on a server who may be invited to a table there."""

    name: str
    bot: bool
    sees: bool
    """Whether they see the channel, and may enter it."""
    writes: bool
    """Whether they may write and use commands there."""
    lists: bool
    """Whether they may put events into the server's calendar."""
    roles: frozenset[RoleId] = frozenset()


def seen(client: discord.Client, guild: GuildId) -> discord.Guild | None:
    """A server as far as it is in sight."""
    server = client.get_guild(guild)
    return None if server is None or server.unavailable else server


def connects(place: object, may: discord.Permissions) -> bool:
    """Whether these permissions let one into a channel: a voice channel needs one to connect."""
    voice = isinstance(place, discord.VoiceChannel | discord.StageChannel)
    return may.connect or not voice


def writes(place: object, may: discord.Permissions) -> bool:
    """Whether these permissions let one write and use commands in a channel or thread."""
    sends = may.send_messages
    if isinstance(place, discord.Thread):
        sends = may.send_messages_in_threads and (not place.locked or may.manage_threads)
    return sends and may.use_application_commands


def lists(may: discord.Permissions) -> bool:
    """Whether these permissions let one put events into the server's calendar."""
    return may.create_events or may.manage_events


def lacking(place: object, have: discord.Permissions) -> tuple[str, ...]:
    """Permissions for posting in a channel or thread that are not among these, by name."""
    thread = isinstance(place, discord.Thread)
    needed = ("view_channel", "send_messages_in_threads" if thread else "send_messages")
    return tuple(name for name in needed if not getattr(have, name))


def roles_of(member: object) -> frozenset[RoleId]:
    """Roles of a member of a server, the one that everybody has among them."""
    roles = member.roles if isinstance(member, discord.Member) else ()
    return frozenset(RoleId(role.id) for role in roles)


class Requests:
    """The REST calls of the publisher.  They raise one of `refusals.FAILURES`."""

    def __init__(
        self, client: discord.Client, letters: Letters, timings: Timings = TIMINGS
    ) -> None:
        self._client = client
        self._letters = letters
        self._budget = Budget(timings, untouchable=self._held)
        self._dms: LRUCache[UserId, ChannelId] = LRUCache(MAX_DMS)
        self._files: LRUCache[MessageId, frozenset[str] | None] = LRUCache(MAX_PICTURED)
        """Names of its files by message; None while it is being edited."""

    @property
    def me(self) -> UserId | None:
        return None if self._client.user is None else UserId(self._client.user.id)

    async def send(
        self,
        channel: ChannelId,
        message: Message,
        nonce: str,
        priority: Priority,
        *,
        guild: GuildId | None = None,
        mentions: discord.AllowedMentions = NO_MENTIONS,
        silent: bool = False,
    ) -> MessageId:
        """Post `message` and return its id.  `silent`: no device rings for it.

        Without a `guild` it is a direct message.  Discord knows it by `nonce` for some minutes:
        sent twice, it is posted once.
        """
        place = self._client.get_partial_messageable(channel, guild_id=guild or None)

        async def post() -> discord.Message:
            return await send_or_without_emoji(
                message,
                lambda shown: self._budget.spend(
                    priority,
                    lambda: place.send(
                        view=shown.view,
                        files=shown.uploads() or MISSING,
                        allowed_mentions=mentions,
                        nonce=nonce,
                        silent=silent,
                    ),
                ),
            )

        sent = await (post() if guild else self._letters.through(post))
        self._files[MessageId(sent.id)] = message.names
        return MessageId(sent.id)

    async def edit(
        self, where: Surface, message: Message, priority: Priority = Priority.BOARD
    ) -> Meaning | None:
        """Edit a message; None if that worked, else that it is `GONE` or `STUCK`.

        Raises if we may not, or if the request hangs.

        A picture that the message has already stays, and is not sent again.
        """
        there = self._at(where)
        known = self._files.pop(where.message, None)
        self._files[where.message] = None

        def files() -> Sequence[discord.File]:  # read once by every try
            return message.uploads() if known is None else message.replacing(known)

        try:
            await send_or_without_emoji(
                message,
                lambda shown: self._budget.spend(
                    priority,
                    lambda: there.edit(
                        view=shown.view, attachments=files(), allowed_mentions=NO_MENTIONS
                    ),
                ),
            )
        except FAILURES as error:
            refused = read(error, Purpose.EDIT)
            if refused not in (Meaning.GONE, Meaning.STUCK):
                raise
            return refused
        if where.message in self._files:
            self._files[where.message] = message.names
        return None

    def redrawn(self, message: MessageId) -> None:
        """Note that the answer to a press has drawn the message: its files are unknown."""
        self._files.pop(message, None)

    async def delete(self, where: Surface) -> None:
        """Delete the message, if it still exists."""
        there = self._at(where)
        try:
            await self._budget.spend(Priority.TIDY, lambda: there.delete())
        except FAILURES as error:
            if read(error, Purpose.TIDY) not in UNSEEN:
                raise

    async def find(self, channel: ChannelId, since: datetime, mark: int) -> MessageId | None:
        """Our message with that number, if it is among the first `MAX_SEARCHED` since then.

        Or among the channel's newest: the clock by which we know since when may have been ahead.
        """
        place = self._client.get_partial_messageable(channel)

        async def look() -> MessageId | None:
            for history in (
                place.history(limit=MAX_SEARCHED, after=since, oldest_first=True),
                place.history(limit=NEWEST_SEARCHED),
            ):
                async for message in history:
                    first = message.components[0] if message.components else None
                    if message.author.id == self.me and getattr(first, "id", None) == mark:
                        return MessageId(message.id)
            return None

        return await self._budget.spend(Priority.BOARD, look)

    def may_read(self, guild: GuildId, channel: ChannelId) -> bool | None:
        """Whether we may read messages in `channel`; false if the channel is out of sight.

        None while the whole server is: Discord tells of it some time after a connection is made.
        """
        if guild == ALONE:  # direct messages
            return True
        if seen(self._client, guild) is None:
            return None
        have = self._permissions(guild, channel)
        return have is not None and have.read_message_history

    async def dm(self, user: UserId) -> ChannelId:
        """The channel for direct messages to `user`."""
        channel = self._dms.get(user)
        if channel is None:
            made = await self._letters.through(
                lambda: self._budget.spend(
                    Priority.CALL, lambda: self._client.create_dm(discord.Object(user))
                ),
                opens=True,
            )
            channel = ChannelId(made.id)
            self._dms[user] = channel
        return channel

    async def has_left(
        self, guild: GuildId, user: UserId, priority: Priority = Priority.CALL
    ) -> bool:
        """Whether `user` is no longer on the server.  False where that cannot be found out."""
        server = self._client.get_guild(guild)
        return server is not None and not await self._found(
            lambda: server.fetch_member(user), priority
        )

    async def in_thread(self, guild: GuildId, thread: ChannelId, user: UserId) -> bool:
        """Whether `user` is a member of a thread.  False where the thread is out of sight."""
        place = await self.place(guild, thread)
        return isinstance(place, discord.Thread) and bool(
            await self._found(lambda: place.fetch_member(user))
        )

    def drop(self, users: Ids) -> None:
        """These people were forgotten."""
        drop(self._dms, users)

    async def place(self, guild: GuildId, channel: ChannelId) -> Somewhere | None:
        """A channel or thread, with the channel above it; None if it is gone or we may not see it.

        discord.py forgets threads in the archive, and never knew of some: Discord is asked then.
        Raises ConnectionError while the server is out of sight.
        """
        server = self._client.get_guild(guild)
        if server is None and self._client.is_ready():
            return None  # we are not on it any more
        if server is None or server.unavailable:
            raise ConnectionError("the server is out of sight")
        known = server.get_channel_or_thread(channel)
        place = await self._fetched(server, channel) if known is None else known
        if isinstance(place, Meaning):
            return None
        orphaned = isinstance(place, discord.Thread) and place.parent is None
        return None if orphaned else place

    async def has_vanished(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether a channel or thread, or the one above it, was deleted.

        False where that cannot be found out.
        """
        server = seen(self._client, guild)
        if server is None:
            return False
        place: Somewhere | Meaning | None = server.get_channel_or_thread(channel)
        if place is None:
            place = await self._fetched(server, channel)
        if isinstance(place, discord.Thread) and place.parent is None:
            place = await self._fetched(server, ChannelId(place.parent_id))
        return place is Meaning.VANISHED

    async def is_let_in(self, guild: GuildId, thread: ChannelId) -> bool:
        """Whether we see a private thread: as a member of it, or by a permission.

        Discord is asked in any case: discord.py keeps threads which we have been sent out of.
        """
        server = self._client.get_guild(guild)
        if server is None:
            return True
        return await self._fetched(server, thread) is not Meaning.BARRED

    async def is_on(self, guild: GuildId, *, doubted: bool = False) -> bool | None:
        """Whether we are on the server; None as long as that cannot be found out.

        Discord tells of every server when a connection is ready; where it is `doubted` that
        discord.py has noticed those that are missing then Discord is asked.
        """
        server = self._client.get_guild(guild)
        if server is None:
            return False
        if server.unavailable:
            return None
        if not doubted:
            return True
        fetch = self._client.fetch_guild
        try:
            await self._budget.spend(Priority.TIDY, lambda: fetch(guild, with_counts=False))
        except FAILURES as error:
            gone = read(error, Purpose.PLACE) in (Meaning.BARRED, Meaning.VANISHED)
            return False if gone else None
        return True

    def on_shard(self, shard: int, guild: GuildId) -> bool:
        """Whether that connection carries the server."""
        return (guild >> 22) % (self._client.shard_count or 1) == shard

    async def _fetched(
        self, server: discord.Guild, channel: ChannelId
    ) -> Somewhere | Literal[Meaning.VANISHED, Meaning.BARRED]:
        """A channel or thread as Discord tells of it, or why not; raises what passes."""
        try:
            return await self._budget.spend(Priority.CALL, lambda: server.fetch_channel(channel))
        except discord.InvalidData:  # of a kind, or on a server, that is none of ours
            return Meaning.BARRED
        except FAILURES as error:
            match read(error, Purpose.PLACE):
                case Meaning.VANISHED:
                    return Meaning.VANISHED
                case Meaning.BARRED:
                    return Meaning.BARRED
                case _:
                    raise

    async def guest(self, guild: GuildId, channel: ChannelId, user: UserId) -> Guest | None:
        """The member `user` of the server; None if they are not there, or it is out of sight."""
        place = await self.place(guild, channel)
        if place is None:
            return None
        member = await self._found(lambda: place.guild.fetch_member(user))
        if member is None:
            return None
        may = place.permissions_for(member)
        sees = may.view_channel and connects(place, may)
        if sees and isinstance(place, discord.Thread) and place.is_private():
            sees = may.manage_threads or await self.in_thread(guild, channel, user)
        return Guest(
            member.display_name, member.bot, sees, writes(place, may), lists(may), roles_of(member)
        )

    async def may_post(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether we may post in `channel`."""
        place = await self.place(guild, channel)
        return place is not None and not lacking(place, place.permissions_for(place.guild.me))

    def server_name(self, guild: GuildId) -> str:
        """The name of the server; empty while it is out of sight."""
        server = self._client.get_guild(guild)
        return "" if server is None else server.name

    async def is_public(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether everybody on the server sees `channel`."""
        place = await self.place(guild, channel)
        if place is None or (isinstance(place, discord.Thread) and place.is_private()):
            return False
        return place.permissions_for(place.guild.default_role).view_channel

    async def is_open_to(self, guild: GuildId, channel: ChannelId, elsewhere: ChannelId) -> bool:
        """Whether everybody who sees the channel `elsewhere` sees `channel` too."""
        place, other = await self.place(guild, channel), await self.place(guild, elsewhere)
        return place is not None and other is not None and all_see(place, other)

    async def list_event(
        self, guild: GuildId, name: str, told: str, place: str, start: datetime, end: datetime
    ) -> int | None:
        """An event in the server's calendar: its id; None where we may make none.

        One that we made with that `place` is found again.
        """
        server = self._client.get_guild(guild)
        if server is None or not lists(server.me.guild_permissions):
            return None
        there = await self._budget.spend(
            Priority.TIDY, lambda: server.fetch_scheduled_events(with_counts=False)
        )
        for one in there:
            if (one.creator_id, one.location) == (self.me, place):
                return one.id
        made = await self._budget.spend(
            Priority.TIDY,
            lambda: server.create_scheduled_event(
                name=name,
                description=told,
                location=place,
                start_time=start,
                end_time=end,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
            ),
        )
        return made.id

    async def unlist_event(self, guild: GuildId, event: int) -> None:
        """Takes it out again."""
        http = self._client.http
        await self._budget.spend(Priority.TIDY, lambda: http.delete_scheduled_event(guild, event))

    async def missing(self, guild: GuildId, channel: ChannelId) -> tuple[str, ...] | None:
        """Permissions we lack in `channel`, as discord.py names them; None where it is out of
        sight.
        """
        server = seen(self._client, guild)
        if server is None:
            return None
        place = await self.place(guild, channel)
        return None if place is None else lacking(place, place.permissions_for(server.me))

    def entrance(self, guild: GuildId) -> ChannelId | None:
        """The channel for a first message: the server's own, else its first where we may write."""
        server = self._client.get_guild(guild)
        if server is None:
            return None
        for place in (server.system_channel, *server.text_channels):
            if place is not None and not lacking(place, place.permissions_for(server.me)):
                return ChannelId(place.id)
        return None

    def is_outside(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether `channel`, where Discord lets us in no more, is a private thread without us.

        discord.py keeps some of those; Discord tells of every place but a thread.
        """
        server = seen(self._client, guild)
        if server is None:
            return False
        place = server.get_channel_or_thread(channel)
        return place is None or (isinstance(place, discord.Thread) and place.is_private())

    def may_attach(self, guild: GuildId, channel: ChannelId) -> bool | None:
        """Whether our messages may have pictures there; None if the channel is out of sight."""
        if guild == ALONE:  # direct messages
            return True
        have = self._permissions(guild, channel)
        return None if have is None else have.attach_files

    def _permissions(self, guild: GuildId, channel: ChannelId) -> discord.Permissions | None:
        """Our permissions in `channel`; None if it is out of sight."""
        server = self._client.get_guild(guild)
        place = None if server is None else server.get_channel_or_thread(channel)
        return None if server is None or place is None else place.permissions_for(server.me)

    async def _found(
        self, fetch: Callable[[], Awaitable[M]], priority: Priority = Priority.CALL
    ) -> M | None:
        """A member of a server or thread; None if they are not there."""
        try:
            return await self._budget.spend(priority, fetch)
        except FAILURES as error:
            if read(error, Purpose.PERSON) is Meaning.ABSENT:
                return None
            raise

    def _at(self, where: Surface) -> discord.PartialMessage:
        place = self._client.get_partial_messageable(where.channel)
        return place.get_partial_message(where.message)

    def _held(self) -> bool:
        """Whether Discord has told the whole program to wait.

        discord.py 2.7 notes that in an event that the call which was told so sets again: were it
        given up meanwhile, nothing would ever be sent any more.
        """
        over = getattr(getattr(self._client, "http", None), "_global_over", None)
        return isinstance(over, asyncio.Event) and not over.is_set()


def log_failure(event: str, table: TableId, error: Exception, **more: object) -> None:
    """Log the kind of a failure without its message, which might quote cards."""
    status, code = numbers(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    kind = type(error).__name__
    logger.warning(event, table=table, kind=kind, status=status, code=code, at=at, **more)


async def worked(work: Awaitable[bool], event: str, table: TableId) -> bool:
    """Whether some work for one of many went well; the others have their turn even if it raises."""
    try:
        return await work
    except Exception as error:
        log_failure(event, table, error)
        return False
