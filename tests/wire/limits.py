"""Discord's rate limits, in windows of time: one for everything, one for each channel's route."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class _Window:
    """So many requests, then none until it closes."""

    limit: int
    seconds: float
    opened: float = float("-inf")
    used: int = 0

    def wait(self, now: float) -> float:
        """Takes one of the window's requests; else seconds until the next window."""
        if now - self.opened >= self.seconds:
            self.opened, self.used = now, 0
        if self.used >= self.limit:
            return self.opened + self.seconds - now
        self.used += 1
        return 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request may pass, and what its answer says about limits."""

    retry_after: float
    """Seconds; 0 if it may pass."""
    everywhere: bool
    """It was one request too many altogether."""
    headers: dict[str, str]


@dataclass(slots=True)
class Limits:
    """The limits that are enforced; none at first.

    Answers to interactions and what follows them are not counted, as on Discord.
    """

    refused: int = 0
    """How many requests were answered 429."""
    _everything: _Window | None = None
    _channel: tuple[int, float] | None = None
    _one_bucket: bool = False
    _channels: dict[tuple[str, str], _Window] = field(default_factory=dict)

    def enforce(
        self,
        global_per_s: int = 50,
        channel: tuple[int, float] | None = (5, 5.0),
        *,
        one_bucket: bool = False,
    ) -> None:
        """From now on: so many requests in a second, and (number, seconds) in each channel.

        A channel counts sending, editing and deleting apart, as Discord does, unless `one_bucket`.
        """
        self._everything = _Window(global_per_s, 1.0)
        self._channel, self._one_bucket = channel, one_bucket
        self._channels.clear()

    def check(self, method: str, path: str, now: float) -> Verdict:
        """Counts a request.  `now` is in seconds of any steady clock."""
        if path.startswith(("/interactions/", "/webhooks/")):
            return Verdict(0.0, False, {})
        if self._everything is not None and (wait := self._everything.wait(now)):
            self.refused += 1
            return Verdict(
                wait, True, {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            )
        parts = path.split("/")
        if self._channel is None or len(parts) < 4 or parts[1] != "channels":
            return Verdict(0.0, False, {})
        bucket = "messages" if self._one_bucket else f"{method}-messages"
        window = self._channels.get((parts[2], bucket))
        if window is None:
            window = self._channels[parts[2], bucket] = _Window(*self._channel)
        wait = window.wait(now)
        self.refused += bool(wait)
        left = wait or window.opened + window.seconds - now
        headers = {
            "X-RateLimit-Limit": str(window.limit),
            "X-RateLimit-Remaining": str(window.limit - window.used),
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": bucket,
        }
        if wait:
            headers["X-RateLimit-Scope"] = "user"
        return Verdict(wait, False, headers)
