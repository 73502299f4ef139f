"""When a call is sent again."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ApiError, ConnectionFailed

_REPEATABLE = {429, 500, 502, 503, 504}
# Clients that were told the same moment come back spread over this time.
_SPREAD = 0.25


@dataclass(frozen=True)
class RetryPolicy:
    """Only GET is sent again: it changes nothing. All times are seconds."""

    retries: int = 3
    base: float = 0.25
    """The wait before the first repetition; it doubles each time."""
    longest: float = 8.0
    longest_retry_after: float = 65.0
    """A server that wants a longer pause, as after the last call of a day, gets no repetition."""


def compute_delay(failure: Exception, retry: int, policy: RetryPolicy, chance: float) -> float | None:
    """How long to wait, in seconds; None if the call should not be sent again.

    The wait is what the server says, else between half and all of an exponential back-off. `retry` is how many
    repetitions there were, `chance` a number from 0 to 1.
    """
    if isinstance(failure, ApiError):
        if failure.status not in _REPEATABLE:
            return None
        if failure.retry_after is not None:
            is_short = failure.retry_after <= policy.longest_retry_after
            return failure.retry_after + chance * _SPREAD if is_short else None
    elif not isinstance(failure, ConnectionFailed):
        return None
    return min(policy.longest, policy.base * 2 ** min(retry, 30)) * (0.5 + chance / 2)
