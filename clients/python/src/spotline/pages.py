"""Pages of answers as one sequence, for clients of both kinds.

A generator of pages yields the query of the next page, gets the data of the answer, and ends after the last one. The
client sends the queries.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime, timedelta, timezone
from typing import Any

Pages = Generator[dict[str, Any], Any, None]

BARS_PAGE = 1_000
READINGS_PAGE = 5_000
LIST_PAGE = 500


def to_datetime(value: datetime | str) -> datetime:
    """Reads ISO 8601; a time without an offset is UTC."""
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)


def format_time(value: datetime | str) -> str:
    return value if isinstance(value, str) else to_datetime(value).isoformat()


def follow_time(start: datetime | str, end: datetime | str | None, limit: int, rows: str) -> Pages:
    """Pages by time, oldest first.

    Where the server does not say where the next page begins (next_from), it is right after the last row, and a page that
    is not full is the last.
    """
    query: dict[str, Any] = {"from": format_time(start), "limit": limit}
    if end is not None:
        query["to"] = format_time(end)
    while True:
        data = yield query
        page = data[rows]
        following = data.get("next_from") if "next_from" in data else _after_last(page, limit)
        # A page that does not lead on would be read for ever.
        if following is None or to_datetime(following) <= to_datetime(query["from"]):
            return
        query = {**query, "from": following}


def _after_last(page: list[dict[str, Any]], limit: int) -> str | None:
    if len(page) < limit:
        return None
    return (to_datetime(page[-1]["time"]) + timedelta(milliseconds=1)).isoformat()


def follow_offset() -> Pages:
    """Pages of a list with offset and limit."""
    offset = 0
    while True:
        data = yield {"offset": offset, "limit": LIST_PAGE}
        if not data["pagination"]["has_more"]:
            return
        offset += LIST_PAGE


def follow_hours(start: datetime | str, end: datetime | str | None) -> Pages:
    """The hours of a range: the server takes no longer ranges of ticks, and has the answers of whole hours ready."""
    at = to_datetime(start)
    until = datetime.now(timezone.utc) if end is None else to_datetime(end)
    while at < until:
        hour = at.astimezone(timezone.utc).replace(minute=0, second=0, microsecond=0)
        following = min(until, hour + timedelta(hours=1))
        yield {"from": at.isoformat(), "to": following.isoformat()}
        at = following
