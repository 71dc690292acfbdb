"""SimCord's Discord, as far as the wire needs it; its internal names are used in this file only."""

from __future__ import annotations

import copy
import functools
import importlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import discord
from simcord import intents as gate
from simcord._clock import Clock
from simcord._modal import _modal_submit_nodes
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Interaction, Message
from simcord.backend.models.channel import Overwrite
from simcord.enums import CallbackType, OverwriteType
from simcord.http import router
from simcord.interactions import base_payload, nest_options, walk_to_subcommand

importlib.import_module("simcord.http.routes")  # which fills the router

Json: TypeAlias = Any

EPHEMERAL: Final = 64
"""The flag of messages that only one person sees."""

ANSWERED_LATER: Final = frozenset({"deferred", "deferred_update"})

NO_CONTENT: Final = 204

GROUP: Final = 3
"""The type of channels of people who write each other directly."""


class WallClock(Clock):
    """Discord's time is the bot's: both are processes of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class _Forgetful(list[Any]):
    """A record that nobody reads: it would hold every request of a long run."""

    def append(self, item: Any) -> None:
        """Forgets it."""


def new_backend() -> Backend:
    """A Discord without servers."""
    backend = Backend(clock=WallClock())
    backend.transcript = _Forgetful()
    backend.http_requests = _Forgetful()
    return backend


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request is answered: None as body is no body."""

    status: int
    body: Json = None
    code: int = 0
    """Discord's own number of an error."""
    unknown: bool = False
    """SimCord knows no such route or field."""


@functools.cache
def _templates(method: str, length: int) -> tuple[tuple[tuple[str, ...], Any], ...]:
    """Routes of so many segments, most literal first, so that the first that fits is right."""
    found = [
        (tuple(template), handler)
        for template, handler in router._ROUTES.get(method, ())
        if len(template) == length
    ]
    found.sort(key=lambda pair: sum(part.startswith("{") for part in pair[0]))
    return tuple(found)


def _find(method: str, segments: Sequence[str]) -> tuple[dict[str, str], Any] | None:
    for template, handler in _templates(method, len(segments)):
        pairs = list(zip(template, segments, strict=True))
        if all(name.startswith("{") or name == part for name, part in pairs):
            return {n[1:-1]: part for n, part in pairs if n.startswith("{")}, handler
    return None


def call(
    backend: Backend,
    method: str,
    path: str,
    *,
    body: Json = None,
    params: Mapping[str, str] | None = None,
    files: Sequence[tuple[str, bytes]] = (),
    reason: str | None = None,
) -> Reply:
    """Does what SimCord's `router.dispatch` does, without its copies for transcripts."""
    found = _find(method, path.strip("/").split("/"))
    if found is None:
        return Reply(501, {"message": f"no route {method} {path}", "code": 0}, unknown=True)
    context = router.RequestContext(
        backend,
        found[0],
        json=body,
        params=dict(params or {}),
        files=[
            SimpleNamespace(fp=io.BytesIO(data), filename=name, description=None)
            for name, data in files
        ],
        reason=reason,
        method=method,
        path=path,
    )
    try:
        made = found[1](context)
    except (router.RouteNotImplemented, router.UnsupportedField) as error:
        return Reply(501, error.to_json(), unknown=True)
    except BackendError as error:
        return Reply(error.status, error.to_json(), error.code)
    return Reply(NO_CONTENT) if made is None else Reply(200, made)


def viewer_of(backend: Backend, path: str, body: Json) -> int | None:
    """Who alone sees what that request carries; None is everybody.

    To be asked before the request is applied: deleting a message forgets who saw it.
    """
    parts = path.strip("/").split("/")
    match parts:
        case ["interactions", number, _, "callback"]:
            record = backend.interactions.get(int(number))
            kind = body.get("type")
        case ["webhooks", _, token, *_]:
            record = backend.interactions.get(backend.interaction_tokens.get(token, 0))
            kind = CallbackType.UPDATE_MESSAGE if "messages" in parts else 4
        case ["channels", channel, *_]:
            return dm_of(backend, int(channel))
        case _:
            return None
    if record is None:
        return None
    if record.guild_id is None or kind in (8, 9):
        return record.user_id  # a DM; suggestions and forms are whispered everywhere
    if kind in (4, 5):
        inner = body if parts[0] == "webhooks" else body.get("data") or {}
        return record.user_id if int(inner.get("flags") or 0) & EPHEMERAL else None
    which = record.message_id or record.source_message_id or 0
    if parts[-1].isdecimal():
        which = int(parts[-1])
    message = backend.messages.get(record.channel_id, {}).get(which)
    # A message that is gone shows nothing to anybody any more.
    return record.user_id if message is None else whispered_to(message)


def whispered_to(message: Message) -> int | None:
    """Who alone sees a message of a channel."""
    if not message.flags & EPHEMERAL:
        return None
    return int((message.interaction_metadata or {})["user"]["id"])


def dm_of(backend: Backend, channel: int) -> int | None:
    """Whose DM a channel is."""
    found = backend.channels.get(channel)
    if found is None or found.guild_id is not None or is_elsewhere(backend, channel):
        return None
    return next((user for user in found.recipient_ids if user != backend.bot_user.id), None)


def owner_of(backend: Backend, message: Message) -> int | None:
    """Who alone has that message before them, in a DM or whispered; None is everybody."""
    return dm_of(backend, message.channel_id) or whispered_to(message)


# Where the program is no member


def group(backend: Backend, *users: int) -> int:
    """A group of people: whoever has installed the program types there, it cannot."""
    made = backend.create_channel(None, None, type=GROUP)
    made.recipient_ids = list(users)
    return made.id


def send_away(backend: Backend, guild: int) -> None:
    """From now on the program is no member of that server."""
    del backend.guilds[guild].members[backend.bot_user.id]
    backend.emit("GUILD_DELETE", {"id": str(guild)})


def is_member(backend: Backend, guild: int) -> bool:
    """Whether the program is a member of a server."""
    return backend.bot_user.id in backend.guilds[guild].members


def is_elsewhere(backend: Backend, channel: int) -> bool:
    """Whether only answers to interactions reach anybody in a channel."""
    found = backend.channels.get(channel)
    if found is None:
        return False
    if found.guild_id is not None:
        return found.guild_id in backend.guilds and not is_member(backend, found.guild_id)
    return found.type == GROUP


def described(backend: Backend, message: int, channel: int) -> Json:
    """A message as the API describes it; None if it is gone."""
    found = backend.messages.get(channel, {}).get(message)
    return None if found is None else dict(serializers.message_payload(backend, found))


def let_moderate(backend: Backend, user: int, channel: int) -> None:
    """A member may delete other people's messages in a channel."""
    allow, deny = discord.PermissionOverwrite(manage_messages=True).pair()
    wishes = Overwrite(user, OverwriteType.MEMBER, allow.value, deny.value)
    backend.set_overwrite(channel, wishes)


# The gateway


@functools.cache
def _flag(name: str) -> int:
    flags = discord.Intents.none()
    setattr(flags, name, True)
    return flags.value


PRIVILEGED: Final = sum(_flag(name) for name in gate.PRIVILEGED_INTENTS)
"""Intents that nobody has granted: whoever declares one is sent away."""


def as_delivered(backend: Backend, event: str, payload: Json, intents: int) -> Json | None:
    """The payload as a client with these intents gets it; None if it does not."""
    if event != "INTERACTION_CREATE" and is_elsewhere(backend, int(payload.get("channel_id") or 0)):
        return None
    needed = gate.required_intent(event, payload)
    if needed is not None and not intents & _flag(needed):
        return None
    bot = backend.bot_user.id
    if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
        if str(payload["author"]["id"]) == str(bot):
            return payload
        payload = copy.deepcopy(dict(payload))
        gate.censor_message(payload, bot, backend=backend)
    elif event == "GUILD_CREATE":
        payload = copy.deepcopy(dict(payload))
        gate.prune_guild_create(payload, discord.Intents.none(), bot)
    return payload


def shard_of(event: str, payload: Json, count: int) -> int:
    """Which of `count` connections an event goes to; what is of no server goes to the first."""
    guild = payload.get("id" if event.startswith("GUILD_") else "guild_id")
    if event.startswith("GUILD_"):
        guild = payload.get("guild_id", guild)
    return 0 if guild is None else (int(guild) >> 22) % count


def ready(backend: Backend, session: str, url: str, shard: int, count: int) -> Json:
    """READY's payload, of one of `count` connections."""
    mine = [guild for guild in backend.guilds if is_member(backend, guild)]
    guilds = [guild for guild in mine if (guild >> 22) % count == shard]
    return {
        "v": 10,
        "user": dict(serializers.user_payload(backend.bot_user)),
        "guilds": [{"id": str(guild), "unavailable": True} for guild in guilds],
        "session_id": session,
        "resume_gateway_url": url,
        "shard": [shard, count],
        "application": {"id": str(backend.application_id), "flags": 0},
    }


def guild_payloads(backend: Backend) -> list[Json]:
    """Every server, as GUILD_CREATE describes it."""
    mine = [guild for number, guild in backend.guilds.items() if is_member(backend, number)]
    return [serializers.guild_create_payload(backend, guild) for guild in mine]


# Interactions


def pressed(
    backend: Backend,
    user: int,
    message: Message,
    custom_id: str,
    kind: int,
    values: Sequence[str],
    locale: str,
) -> tuple[Interaction, Json]:
    """A press on a component as Discord describes it, whether it can be pressed or not."""
    data: Json = {"custom_id": custom_id, "component_type": kind}
    if kind != 2:
        data["values"] = list(values)
    return about(backend, 3, user, message.channel_id, data, message, locale)


def filled(
    backend: Backend, opened: Interaction, values: Mapping[str, Json], locale: str
) -> tuple[Interaction, Json]:
    """The form that an interaction opened, filled in and sent.

    Raises LookupError for what Discord's apps would not send, such as too few choices.
    """
    assert opened.modal is not None, "no form was opened"
    form = copy.deepcopy(opened.modal)
    for number, node in enumerate(form["components"]):
        node.setdefault("id", number + 1)
    try:
        components = _modal_submit_nodes(
            form["components"], None, dict(values), {}, opened.channel_id, []
        )
    except SetupError as error:
        raise LookupError(str(error)) from None
    data = {"custom_id": form["custom_id"], "components": components}
    source = backend.messages.get(opened.channel_id, {}).get(opened.source_message_id or 0)
    return about(backend, 5, opened.user_id, opened.channel_id, data, source, locale)


def typed(
    backend: Backend,
    user: int,
    channel: int,
    command: str,
    options: Mapping[str, Json],
    locale: str,
    focused: str | None = None,
) -> tuple[Interaction, Json]:
    """A slash command, or with `focused` the request for suggestions for that option.

    Raises KeyError if no such command is registered.
    """
    name, *rest = command.split()
    spec = backend.commands[None][name, 1]
    leaf, nesting = walk_to_subcommand(spec, rest)
    declared = {option["name"]: option for option in leaf.get("options") or ()}
    built, resolved = list[Json](), dict[str, Json]()
    for key, value in options.items():
        kind = declared[key]["type"]
        given = {"name": key, "type": kind, "value": str(value) if kind == 6 else value}
        if key == focused:
            given["focused"] = True
        built.append(given)
        if kind == 6:
            for what, described in _resolved(backend, int(value), channel).items():
                resolved.setdefault(what, {}).update(described)
    data: Json = {
        "id": str(spec["id"]),
        "name": name,
        "type": 1,
        "options": nest_options(spec, nesting, built),
    }
    if resolved:
        data["resolved"] = resolved
    return about(backend, 2 if focused is None else 4, user, channel, data, None, locale)


def _resolved(backend: Backend, user: int, channel: int) -> dict[str, Json]:
    """A user named in an option, with their membership."""
    found: dict[str, Json] = {
        "users": {str(user): dict(serializers.user_payload(backend.get_user(user)))}
    }
    guild = backend.get_channel(channel).guild_id
    if guild is not None and user in backend.get_guild(guild).members:
        where = backend.get_guild(guild)
        member = serializers.member_payload(backend, where, where.members[user], with_user=False)
        found["members"] = {str(user): {**member, "permissions": "0"}}
    return found


def about(
    backend: Backend,
    kind: int,
    user: int,
    channel: int,
    data: Json,
    source: Message | None,
    locale: str,
) -> tuple[Interaction, Json]:
    """Any interaction as Discord describes it, with the message that it was made on."""
    guild = backend.get_channel(channel).guild_id
    record, payload = base_payload(
        backend, type=kind, channel_id=channel, guild_id=guild, user_id=user, data=data
    )
    if is_elsewhere(backend, channel):
        payload["authorizing_integration_owners"] = {"1": str(user)}
        if guild is None:
            payload["context"] = 2
            payload["channel"] = _described_group(backend, channel)
    else:
        payload["authorizing_integration_owners"] = {"0": str(guild or 0)}
    payload["locale"] = locale
    if source is not None:
        record.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(backend, source))
    return record, payload


def _described_group(backend: Backend, channel: int) -> Json:
    people = [backend.get_user(user) for user in backend.get_channel(channel).recipient_ids]
    return {
        "id": str(channel),
        "type": GROUP,
        "name": None,
        "icon": None,
        "owner_id": str(people[0].id),
        "recipients": [dict(serializers.user_payload(person)) for person in people],
    }


def encode(payload: Json) -> str:
    return json.dumps(payload, separators=(",", ":"))
