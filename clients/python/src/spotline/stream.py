"""Streams of prices that continue after a lost connection."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx

from .errors import ApiError, ConnectionFailed, read_api_error
from .retry import RetryPolicy, compute_delay
from .state import EventParser, PriceState, PriceUpdate, ReplayCheck, ReplaySummary, ServerEvent, read_end

_PATH = "/v1/stream"
# How long to wait after a connection that ended without a word, in seconds.
_RECONNECT = 2.0

OnDisconnect = Callable[[Exception, float], None]


class _Stream:
    """What streams of both kinds of clients share."""

    def __init__(
        self, params: dict[str, str], policy: RetryPolicy, idle: float, on_disconnect: OnDisconnect | None
    ) -> None:
        self._state = PriceState("sources" in params)
        self._params = params
        self._policy = policy
        # A server sends a heartbeat every ten seconds, so a longer silence is a lost connection.
        self._timeout = httpx.Timeout(30.0, read=idle)
        self._on_disconnect = on_disconnect
        self._failures = 0
        self._wait = _RECONNECT
        self._check = ReplayCheck()
        self._is_done = False
        self.replayed: ReplaySummary | None = None
        """How much of the past was sent, once it is over: everything after it is live. None before, and without `from_`."""
        self.connected = False
        """While this is False, quotes may be older than the server's."""

    @property
    def quotes(self) -> dict[str, dict[str, Any]]:
        """The newest quote of each symbol, or of each symbol and source: "EURUSD icmarkets"."""
        return self._state.quotes

    @property
    def states(self) -> dict[str, dict[str, Any]]:
        return self._state.states

    @property
    def position(self) -> str | None:
        """Up to where everything is here; None before the first update."""
        return self._state.position

    def _request(self) -> dict[str, Any]:
        position = self._state.position
        headers = {"Accept": "text/event-stream", **({} if position is None else {"Last-Event-ID": position})}
        self._wait = _RECONNECT
        self._check = ReplayCheck()
        return {"params": self._params, "headers": headers, "timeout": self._timeout}

    def _take(self, event: ServerEvent) -> PriceUpdate | None:
        if event.retry is not None:
            self._wait = event.retry
        if event.name == "end":
            raise read_end(event)
        if self.replayed is None and "from" in self._params:
            self.replayed = self._check.take(event)
        self._is_done = event.name == "done"
        update = self._state.take(event)
        if update is not None:
            self._failures = 0
        return update

    def _lose(self, failure: Exception) -> float:
        """Returns how long to wait before the next connection. Raises the failure if waiting does not help."""
        self.connected = False
        self._state.drop_incomplete()
        wait: float | None = self._wait
        # The server stops, and another takes its place.
        is_stopped = isinstance(failure, ApiError) and failure.status is None and failure.code == "SERVICE_UNAVAILABLE"
        is_closed = isinstance(failure, _Closed)
        if not is_stopped and not is_closed:
            wait = compute_delay(failure, self._failures, self._policy, random.random())
            self._failures += 1
        if wait is None:
            raise failure
        if self._on_disconnect is not None:
            self._on_disconnect(failure, wait)
        return wait


class _Closed(ConnectionFailed):
    """The server closed the connection."""


_LOST = (httpx.TransportError, httpx.StreamError)


class PriceStream(_Stream):
    """The prices of several symbols. Iterate over it once; leave the loop to end it."""

    def __init__(self, http: httpx.Client, **options: Any) -> None:
        super().__init__(**options)
        self._http = http

    def __iter__(self) -> Iterator[PriceUpdate]:
        while True:
            try:
                yield from self._connect()
                if self._is_done:
                    return
                failure: Exception = _Closed("The server closed the stream.")
            except ApiError as error:
                failure = error
            except _LOST as error:
                failure = ConnectionFailed(str(error) or type(error).__name__)
            time.sleep(self._lose(failure))

    def _connect(self) -> Iterator[PriceUpdate]:
        parser = EventParser()
        with self._http.stream("GET", _PATH, **self._request()) as response:
            if not response.is_success:
                raise read_api_error(response.status_code, response.headers, response.read().decode(errors="replace"))
            self.connected = True
            for text in response.iter_text():
                for event in parser.push(text):
                    update = self._take(event)
                    if update is not None:
                        yield update


class AsyncPriceStream(_Stream):
    """The same for asyncio."""

    def __init__(self, http: httpx.AsyncClient, **options: Any) -> None:
        super().__init__(**options)
        self._http = http

    async def __aiter__(self) -> AsyncIterator[PriceUpdate]:
        while True:
            try:
                async for update in self._connect():
                    yield update
                if self._is_done:
                    return
                failure: Exception = _Closed("The server closed the stream.")
            except ApiError as error:
                failure = error
            except _LOST as error:
                failure = ConnectionFailed(str(error) or type(error).__name__)
            await asyncio.sleep(self._lose(failure))

    async def _connect(self) -> AsyncIterator[PriceUpdate]:
        parser = EventParser()
        async with self._http.stream("GET", _PATH, **self._request()) as response:
            if not response.is_success:
                text = (await response.aread()).decode(errors="replace")
                raise read_api_error(response.status_code, response.headers, text)
            self.connected = True
            async for text in response.aiter_text():
                for event in parser.push(text):
                    update = self._take(event)
                    if update is not None:
                        yield update
