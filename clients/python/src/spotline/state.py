"""The prices of a stream: events as they arrive, and what they add up to."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, field, replace
from typing import Any

from .errors import ApiError, ReplayFailed, read_error_body

# More characters than any event has: a server that sends them without an end is none.
_MAX_EVENT_LENGTH = 16 * 1024 * 1024


@dataclass(frozen=True)
class ServerEvent:
    name: str
    data: str
    id: str | None
    retry: float | None
    """When to connect again, in seconds."""
    text: str = ""
    """The whole event as it was sent, without the empty line."""


class EventParser:
    """Reads server-sent events from text that arrives in any pieces. An event that is cut off is never returned."""

    def __init__(self) -> None:
        self._text = ""

    def push(self, text: str) -> list[ServerEvent]:
        *parts, self._text = re.split(r"\r?\n\r?\n", self._text + text)
        if len(self._text) > _MAX_EVENT_LENGTH:
            raise ValueError("The stream sent an event that is too long.")
        return [_read_event(part) for part in parts]


def _read_event(part: str) -> ServerEvent:
    fields: dict[str, str] = {}
    data: list[str] = []
    for line in re.split(r"\r?\n", part):
        name, colon, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif colon and name:
            fields[name] = value.removeprefix(" ")
    retry = fields.get("retry", "")
    wait = int(retry) / 1000 if retry.isdecimal() else None
    return ServerEvent(fields.get("event", "message"), "\n".join(data), fields.get("id"), wait, part)


@dataclass(frozen=True)
class PriceUpdate:
    """What has changed at one moment. The state of the stream has it already."""

    type: str
    """snapshot replaces everything; the others are changes."""
    quotes: list[dict[str, Any]]
    states: list[dict[str, Any]]
    bars: list[dict[str, Any]] = field(default_factory=list)
    """Bars of seconds that are over, of a stream with bars."""
    releases: list[dict[str, Any]] = field(default_factory=list)
    """Events whose figure was released, of a stream with events."""
    gaps: list[dict[str, Any]] = field(default_factory=list)
    """Time that is lost of a source, or that was not recorded: then the source is None."""
    skipped: int = 0
    """Changes that were left out before these, because this program reads too slowly."""


@dataclass(frozen=True)
class ReplaySummary:
    """How much of the past was sent, as the server tells it when the past is over."""

    time: str
    """Up to when everything was sent."""
    changes: int
    """Quotes, states, bars, releases and gaps."""
    crc32: str
    """The CRC-32 of the events, in hexadecimal digits."""


class ReplayCheck:
    """Counts what a connection sends of the past, and compares it with what the server says of it."""

    def __init__(self) -> None:
        self._changes = 0
        self._crc = 0

    def take(self, event: ServerEvent) -> ReplaySummary | None:
        """Takes the next event. Returns the summary that it is and that was right; raises ReplayFailed for another one."""
        if event.name in ("live", "done"):
            summary = ReplaySummary(**json.loads(event.data))
            crc32 = f"{self._crc:08x}"
            if (summary.changes, summary.crc32) != (self._changes, crc32):
                raise ReplayFailed(
                    f"The server sent {summary.changes} changes with the checksum {summary.crc32}; "
                    f"{self._changes} with {crc32} arrived."
                )
            return summary
        if event.name == "replay":
            self._changes, self._crc = 0, 0
        elif event.name not in ("heartbeat", "message"):
            self._changes += event.name in ("quote", "state", "bar", "release", "gap")
            self._crc = zlib.crc32(f"{event.text}\n\n".encode(), self._crc)
        return None


class PriceState:
    """Holds quotes and states.

    Events that are sent together end with one that has an id; they are applied when it comes, so that a connection that
    is cut between them changes nothing.
    """

    def __init__(self, has_sources: bool = False) -> None:
        self._has_sources = has_sources
        self.quotes: dict[str, dict[str, Any]] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.position: str | None = None
        self._waiting: list[ServerEvent] = []

    def take(self, event: ServerEvent) -> PriceUpdate | None:
        """Takes an event. Returns what it completes; None if it completes nothing."""
        if event.name in ("snapshot", "quote", "state", "bar", "release", "gap", "skipped"):
            self._waiting.append(event)
        if event.id is None:
            return None
        events, self._waiting = self._waiting, []
        self.position = event.id
        return self._apply(events)

    def drop_incomplete(self) -> None:
        """Forgets events that the lost connection did not complete: the next one sends them again."""
        self._waiting = []

    def _apply(self, events: list[ServerEvent]) -> PriceUpdate:
        update = PriceUpdate("changes", [], [])
        skipped = 0
        for event in events:
            value = json.loads(event.data)
            if event.name == "quote":
                update.quotes.append(value)
            elif event.name == "state":
                update.states.append(value)
            elif event.name == "bar":
                update.bars.append(value)
            elif event.name == "release":
                update.releases.append(value)
            elif event.name == "gap":
                update.gaps.append(value)
            elif event.name == "skipped":
                skipped += value["changes"]
            else:
                update = PriceUpdate("snapshot", [*update.quotes, *value["quotes"]], [*update.states, *value["states"]])
                self.quotes.clear()
                self.states.clear()
        for quote in update.quotes:
            self.quotes[self._find_key(quote)] = quote
        for state in update.states:
            key = self._find_key(state)
            self.states[key] = state
            if state["state"] == "none":
                self.quotes.pop(key, None)
        return replace(update, skipped=skipped)

    def _find_key(self, row: dict[str, Any]) -> str:
        symbol: str = row["symbol"]
        return f"{symbol} {row['source']}" if self._has_sources else symbol


def read_end(event: ServerEvent) -> ApiError:
    """Reads the reason with which the server ends a stream."""
    code, message, fields = read_error_body(event.data) or ("UNKNOWN", "The server ended the stream.", {})
    return ApiError(message, code=code, fields=fields)
