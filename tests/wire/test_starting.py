"""Starts that Discord does not want yet: no login is left, or the program asks too often."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.wire.front import Front
from tests.wire.program import Program

PAGE = "<!DOCTYPE html><title>Access denied</title>error code: 1015"


class Reluctant(Front):
    """Lets nobody in: Cloudflare's page (429), or no login left."""

    waits: Mapping[str, str] | None = None
    """The headers of that page; None: there is none."""
    in_vain = 0
    logins = 1000
    reset_after = 0.0

    async def _api(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        if self.waits is None:
            return await super()._api(request, path)
        self.in_vain += 1
        await request.read()
        return web.Response(status=429, text=PAGE, content_type="text/html", headers=self.waits)

    def _gateway_bot(self) -> Any:
        said = super()._gateway_bot()
        left = {"remaining": self.logins, "reset_after": int(self.reset_after * 1000)}
        said["session_start_limit"] |= left
        return said


@pytest.mark.behaviour("Discord lets the bot log in no more today")
async def test_without_a_login_left_it_waits_and_says_how_long(tmp_path: Path) -> None:
    async with Reluctant() as front, Program(front, tmp_path) as program:
        front.logins, front.reset_after = 0, 2.0
        starting = asyncio.create_task(program.start())
        said = await program.said("told_to_wait")
        assert (said["level"], said["what"], said["seconds"]) == ("error", "logins", 2)
        assert front.gateway.identified == 0, "one more would cost the token"
        front.logins = 1000
        await starting
        assert front.gateway.identified == 1


@pytest.mark.behaviour("Discord lets the bot log in no more today")
async def test_where_discord_says_how_long_it_waits_and_asks_no_sooner(tmp_path: Path) -> None:
    async with Reluctant() as front, Program(front, tmp_path) as program:
        front.waits = {"Retry-After": "2"}
        begun = time.monotonic()
        starting = asyncio.create_task(program.start())
        said = await program.said("told_to_wait")
        assert (said["level"], said["what"], said["seconds"]) == ("error", "login", 2)
        assert front.in_vain == 1
        front.waits = None
        await starting
        assert time.monotonic() - begun > 2
        assert front.in_vain == 1


async def test_a_program_that_waits_for_an_hour_can_be_stopped(tmp_path: Path) -> None:
    async with Reluctant() as front, Program(front, tmp_path) as program:
        front.waits = {"Retry-After": "3600"}
        starting = asyncio.create_task(program.start())
        said = await program.said("told_to_wait")
        assert said["minutes"] == 60
        status, told = await program.command("doctor")
        assert status == 1
        assert "try again in 60 minutes" in told
        assert await program.terminate() < 8
        starting.cancel()
        await asyncio.wait([starting])


async def test_a_token_that_is_reset_while_it_runs_is_named_and_not_tried_again(
    tmp_path: Path,
) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        await program.start()
        await program.said("clocks_go_on")  # before that the library connects once more
        await front.gateway.drop(4004)
        assert await program.ended() == 2
        assert "Discord refuses DISCORD_TOKEN" in program.log()
