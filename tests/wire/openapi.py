"""Every body the program sends against Discord's own description of its API.

The description is public preview and stricter than Discord: ids and permissions may be numbers
or texts, whatever it says.  Apart from that it is taken at its word.  `discord_api.json` holds
what it says of the bodies of our requests (MIT license, in the file);
`python -m tests.wire.openapi FILE` makes it anew from the whole description.
"""

from __future__ import annotations

import copy
import functools
import json
import re
import sys
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.wire.front import Request

FILE: Final = Path(__file__).with_name("discord_api.json")

_OURS: Final = re.compile(
    r"/applications/\{application_id\}/(commands|emojis)"
    r"|/channels/\{channel_id\}(/messages(/\{message_id\})?)?"
    r"|/guilds/\{guild_id\}/scheduled-events(/\{guild_scheduled_event_id\})?"
    r"|/interactions/\{interaction_id\}/\{interaction_token\}/callback"
    r"|/users/@me/channels"
    r"|/webhooks/\{webhook_id\}/\{webhook_token\}(/messages/.*)?"
)
"""Paths of our requests that have a body."""

_JSON: Final = "application/json"

_BASE: Final = "urn:discord"
_BITS: Final = ("permissions", "allow", "deny", "default_member_permissions")
_MANY: Final = (1, 6, 11, 26, 41)
_LONG: Final = (1, 33, 46, 81, 101, 513, 2_001, 4_001)
"""Where limits of Discord's lie, of lists and of texts."""

_NUMBER: Final = 1_000
"""Numbers from here on are ids and times: one is like another."""


@functools.cache
def description() -> Description:
    return Description(json.loads(FILE.read_text(encoding="utf-8")))


class Description:
    """The schemas of the bodies of requests."""

    def __init__(self, document: dict[str, Any]) -> None:
        document = copy.deepcopy(document)
        document["components"]["schemas"]["SnowflakeType"] = {
            "anyOf": [{"type": "string", "pattern": r"^\d+$"}, {"type": "integer", "minimum": 0}]
        }
        schemas = document["components"]["schemas"]
        for part in _objects(document):
            for name in _BITS:
                if isinstance(part.get(name), dict) and "type" in part[name]:
                    part[name] = {"anyOf": [part[name], {"type": "string"}]}
            _decide(part, schemas)
        resource = DRAFT202012.create_resource(document)
        self._registry: Registry[Any] = Registry().with_resource(_BASE, resource)
        self._paths = [
            (re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path) + "$"), path, item)
            for path, item in sorted(document["paths"].items(), key=lambda p: p[0].count("{"))
        ]
        self._validators: dict[tuple[str, str], Draft202012Validator] = {}
        self._seen: set[str] = set()
        self.checked = 0
        """Bodies that were held against their schema; others of the same shape are not again."""

    def faults(self, request: Request) -> list[str]:
        """What is wrong with the body of a request; each shape of a body is looked at once."""
        if request.body is None:
            return []
        shape = f"{request.route} {json.dumps(_shape(request.body), sort_keys=True)}"
        if shape in self._seen:
            return []
        self._seen.add(shape)
        validator = self._validator(request.method, request.path)
        if validator is None:
            return [f"{request.route}: Discord describes no body for it"]
        self.checked += 1
        return [
            f"{request.route} {error.json_path}: {error.message[:300]}"
            for error in validator.iter_errors(request.body)
        ]

    def _validator(self, method: str, path: str) -> Draft202012Validator | None:
        for pattern, name, item in self._paths:
            if method.lower() not in item or pattern.match(path) is None:
                continue
            key = (method, name)
            if key not in self._validators:
                self._validators[key] = self._made(name, method.lower())
            return self._validators[key]
        return None

    def _made(self, path: str, method: str) -> Draft202012Validator:
        parts = ["paths", path, method, "requestBody", "content", _JSON, "schema"]
        pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in parts)
        pointer = pointer.replace("{", "%7B").replace("}", "%7D")
        return Draft202012Validator({"$ref": f"{_BASE}#/{pointer}"}, registry=self._registry)


def _decide(part: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Rewrites a choice so that it says the same and is decided at once.

    Trying every branch of every component takes a hundred times as long, and names the wrong one.
    """
    for union in ("oneOf", "anyOf"):
        branches = part.get(union, ())
        if branches and all("const" in branch for branch in branches):
            part["enum"] = [branch["const"] for branch in part.pop(union)]
            continue
        kinds = [_kinds(branch, schemas) for branch in branches]
        if len(kinds) < 2 or not all(kinds):
            continue
        del part[union]
        part["required"] = ["type"]
        part["properties"] = {"type": {"enum": [kind for found in kinds for kind in found]}}
        part["allOf"] = [
            {"if": {"properties": {"type": {"enum": found}}}, "then": branch}
            for found, branch in zip(kinds, branches, strict=True)
        ]


def _kinds(branch: dict[str, Any], schemas: dict[str, Any]) -> list[int]:
    """The values of `type` with which an object is meant by this branch; [] if it has none."""
    named = schemas.get(str(branch.get("$ref", "")).rpartition("/")[2], {})
    kind = named.get("properties", {}).get("type", {})
    return list(kind.get("enum", ())) if "type" in named.get("required", ()) else []


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in list(value.values()):
            yield from _objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner)


def _shape(value: Any) -> Any:
    """What a schema looks at: names, kinds, small numbers, and whether a limit is near."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        inside = sorted({json.dumps(_shape(inner)) for inner in value})
        return [bisect(_MANY, len(value)), *inside]
    if isinstance(value, str):
        return f"text {bisect(_LONG, len(value))}"
    if isinstance(value, int) and not isinstance(value, bool) and value >= _NUMBER:
        return "a large number"
    return value


def ours(document: dict[str, Any]) -> dict[str, Any]:
    """What a whole description says of the bodies of our requests, without its prose."""
    paths: dict[str, Any] = {}
    for path, item in document["paths"].items():
        for method, operation in item.items() if _OURS.fullmatch(path) else ():
            body = operation.get("requestBody", {}) if isinstance(operation, dict) else {}
            if _JSON in body.get("content", {}):
                content = {"content": {_JSON: body["content"][_JSON]}}
                paths.setdefault(path, {})[method] = {"requestBody": content}
    schemas: dict[str, Any] = {}
    waiting: list[Any] = [paths]
    while waiting:
        for part in _objects(waiting.pop()):
            name = str(part.get("$ref", "")).rpartition("/")[2]
            if name and name not in schemas:
                schemas[name] = document["components"]["schemas"][name]
                waiting.append(schemas[name])
    found = {"paths": paths, "components": {"schemas": schemas}}
    for part in _objects(found):
        for prose in ("description", "title"):
            if isinstance(part.get(prose), str):
                del part[prose]
    return {"openapi": document["openapi"], "info": document["info"], **found}


def main(file: Path) -> None:
    """Write `discord_api.json`; the license is kept as it stands there."""
    license_text = json.loads(FILE.read_text(encoding="utf-8"))["info"]["license"]["text"]
    made = ours(json.loads(file.read_text(encoding="utf-8")))
    made["info"]["license"]["text"] = license_text
    FILE.write_text(json.dumps(made, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
