"""What the client raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any


class SpotlineError(Exception):
    """Everything that this client raises."""


class ConnectionFailed(SpotlineError):
    """The server could not be reached, did not answer in time, or the connection was lost."""


class ReplayFailed(SpotlineError):
    """A replay did not arrive as the server sent it: events are missing, or are others."""


class ExportFailed(SpotlineError):
    """An export failed, or a file of it is not as the server lists it."""

    def __init__(self, message: str, export: str) -> None:
        super().__init__(message)
        self.export = export
        """The id of the export."""


class ApiError(SpotlineError):
    """The server refused the call."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        fields: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """Such as SYMBOL_NOT_FOUND; UNKNOWN for an answer without a code, such as that of a proxy."""
        self.status = status
        """The HTTP status; None for the error that ends a stream."""
        self.request_id = request_id
        self.fields: Mapping[str, Any] = fields or {}
        """The further fields of the error, such as suggestions."""
        self.retry_after = retry_after
        """How long the server wants to be left alone, in seconds; None if it does not say."""

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class RateLimitError(ApiError):
    """429: the calls of a minute or a day are used up, or the key has too many streams."""


def read_api_error(status: int, headers: Mapping[str, str], text: str) -> ApiError:
    code, message, fields = read_error_body(text) or ("UNKNOWN", f"HTTP {status}", {})
    wait = read_retry_after(headers.get("retry-after"), datetime.now(timezone.utc))
    if wait is None:
        wait = fields.get("reset_in_seconds")
    kind = RateLimitError if status == 429 else ApiError
    request_id = headers.get("x-request-id")
    return kind(message, code=code, status=status, request_id=request_id, fields=fields, retry_after=wait)


def read_error_body(text: str) -> tuple[str, str, dict[str, Any]] | None:
    """Reads code, message and further fields of the envelope or the flat format; None for anything else."""
    try:
        body = json.loads(text)
    except json.JSONDecodeError:
        return None
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        fields = {name: value for name, value in error.items() if name not in ("code", "message")}
        return error["code"], str(error.get("message", "")), fields
    if not isinstance(error, str):
        return None
    wait = body.get("retry_after")
    return "UNKNOWN", str(body.get("message", error)), {} if wait is None else {"reset_in_seconds": wait}


def read_retry_after(header: str | None, now: datetime) -> float | None:
    """Reads a Retry-After header, seconds or a date, as seconds from now."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (at - now).total_seconds())
