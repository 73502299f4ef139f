"""Answers of the API, and what their headers say."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import unquote

import httpx

from .errors import ApiError, read_api_error

T = TypeVar("T")


@dataclass(frozen=True)
class Meta:
    status: int
    request_id: str | None
    """Finds the call in the request log of the dashboard."""
    quote_state: str | None
    """live, delayed, stale or closed; of several prices the worst; None where there are none."""
    quote_age_ms: int | None
    data_mode: str
    """live, simulated, replay, or as-of for a moment of the past."""
    as_of: str | None
    """With `at`: the second whose answer this is."""
    as_of_resolution: str | None
    """With `at`: how finely the prices behind it were recorded, in words."""
    bar_state: str
    """current, behind or outdated: how far the latest closed bar is behind the newest that there can be."""
    bar_holes: list[str]
    """Spans of missing bars, each as symbol=from/to."""
    coverage: tuple[int, int] | None
    """How many rows there are, and how many there would be without gaps."""
    rate_limit: tuple[int, int, int] | None
    """The calls of the window, those that are left, and the seconds until it ends."""
    ignored: list[str]
    """Parameters that the server does not know."""
    headers: httpx.Headers


@dataclass(frozen=True)
class Answer(Generic[T]):
    data: T
    meta: Meta


def read_answer(response: httpx.Response, accepted: int | None = None) -> Answer[Any]:
    """Reads the data of an answer, without its envelope if it has one. Raises an ApiError for a refusal."""
    if not response.is_success and response.status_code != accepted:
        raise read_api_error(response.status_code, response.headers, response.text)
    meta = read_meta(response)
    if not response.headers.get("content-type", "").startswith("application/json"):
        return Answer(response.text, meta)
    try:
        body = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        message = "The answer is not JSON."
        raise ApiError(message, code="UNKNOWN", status=meta.status, request_id=meta.request_id) from error
    is_enveloped = isinstance(body, dict) and body.get("success") is True and "data" in body
    return Answer(body["data"] if is_enveloped else body, meta)


def read_meta(response: httpx.Response) -> Meta:
    headers = response.headers
    limit = _read_int(headers, "x-ratelimit-limit")
    coverage = re.fullmatch(r"(\d+)/(\d+)", headers.get("x-coverage", ""))
    ignored = [unquote(name) for name in headers.get("x-ignored-params", "").split(", ") if name]
    rate_limit = None
    if limit is not None:
        remaining = _read_int(headers, "x-ratelimit-remaining") or 0
        rate_limit = (limit, remaining, _read_int(headers, "x-ratelimit-reset") or 0)
    return Meta(
        status=response.status_code,
        request_id=headers.get("x-request-id"),
        quote_state=headers.get("x-quote-state"),
        quote_age_ms=_read_int(headers, "x-quote-age-ms"),
        data_mode=headers.get("x-data-mode", "live"),
        as_of=headers.get("x-as-of"),
        as_of_resolution=headers.get("x-as-of-resolution"),
        bar_state=headers.get("x-bar-state", "current"),
        bar_holes=[hole for hole in headers.get("x-bar-holes", "").split(", ") if hole],
        coverage=None if coverage is None else (int(coverage[1]), int(coverage[2])),
        rate_limit=rate_limit,
        ignored=ignored,
        headers=headers,
    )


def _read_int(headers: httpx.Headers, name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isdecimal() else None
