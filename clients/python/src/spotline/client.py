"""The clients: one that waits for its answers, and one for asyncio."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

import httpx

from .answer import Answer, read_answer
from .errors import ConnectionFailed
from .generated import AsyncCalls, CalendarEvent, Calls, Candle, Tick, Timeframe
from .pages import BARS_PAGE, READINGS_PAGE, Pages, follow_hours, follow_offset, follow_time, format_time
from .retry import RetryPolicy, compute_delay
from .stream import AsyncPriceStream, OnDisconnect, PriceStream

_TIMEOUT = 30.0


class _Client:
    """What both clients share."""

    def __init__(self, url: str, key: str | None, timeout: float, retry: RetryPolicy | None) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError('url must be like "https://prices.example"')
        headers = {"Accept": "application/json, */*;q=0.5", **({} if key is None else {"X-API-Key": key})}
        # A redirect would take the key to another server.
        self._options: dict[str, Any] = {
            "base_url": url.rstrip("/"),
            "headers": headers,
            "timeout": timeout,
            "follow_redirects": False,
        }
        self._retry = retry or RetryPolicy()

    def _find_delay(self, method: str, failure: Exception, retry: int) -> float | None:
        if method != "GET" or retry >= self._retry.retries:
            return None
        return compute_delay(failure, retry, self._retry, random.random())

    def _stream_options(
        self, options: dict[str, str | Sequence[str] | None], idle: float, on_disconnect: OnDisconnect | None
    ) -> dict[str, Any]:
        params = {
            name: value if isinstance(value, str) else ",".join(value)
            for name, value in options.items()
            if value is not None
        }
        return {"params": params, "policy": self._retry, "idle": idle, "on_disconnect": on_disconnect}


def _format_request(method: str, path: str, query: dict[str, Any], body: dict[str, Any] | None) -> dict[str, Any]:
    params = {name: _format_value(value) for name, value in query.items() if value is not None}
    request: dict[str, Any] = {"method": method, "url": path, "params": params}
    if body is not None:
        request["json"] = {name: _format_field(value) for name, value in body.items() if value is not None}
    return request


def _format_field(value: Any) -> Any:
    return format_time(value) if isinstance(value, datetime) else value


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, str) or not isinstance(value, Sequence):
        return str(value)
    return ",".join(map(str, value))


def _accepted(path: str) -> int | None:
    """A further status that is an answer and no failure."""
    return 503 if path == "/ready" else None


def explain(error: httpx.HTTPError) -> ConnectionFailed:
    return ConnectionFailed(f"The server could not be reached, or the connection was lost: {error or type(error).__name__}")


class Spotline(_Client, Calls):
    """A client of one installation with one key. Use it in a `with` block, or call `close`."""

    def __init__(
        self, url: str, key: str | None = None, *, timeout: float = _TIMEOUT, retry: RetryPolicy | None = None
    ) -> None:
        super().__init__(url, key, timeout, retry)
        self._http = httpx.Client(**self._options)

    def __enter__(self) -> Spotline:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _call(self, method: str, path: str, query: dict[str, Any], body: dict[str, Any] | None = None) -> Answer[Any]:
        request = _format_request(method, path, query, body)
        retry = 0
        while True:
            try:
                return read_answer(self._http.request(**request), _accepted(path))
            except Exception as error:
                failure = explain(error) if isinstance(error, httpx.HTTPError) else error
                delay = self._find_delay(method, failure, retry)
                if delay is None:
                    raise failure from error
            retry += 1
            time.sleep(delay)

    def _pages(self, path: str, pages: Pages, rows: str, query: dict[str, Any]) -> Iterator[Any]:
        page = next(pages, None)
        while page is not None:
            data = self._call("GET", path, {**query, **page}).data
            yield from data[rows]
            page = _send(pages, data)

    def stream(
        self,
        symbols: Sequence[str] | None = None,
        *,
        fields: Sequence[str] | None = None,
        sources: Literal["all"] | Sequence[str] | None = None,
        bars: Literal["1s"] | None = None,
        events: Literal["all"] | Sequence[str] | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        speed: float | Literal["max"] | None = None,
        resolution: Literal["1s", "tick"] | None = None,
        idle: float = 30.0,
        on_disconnect: OnDisconnect | None = None,
    ) -> PriceStream:
        """Follows the prices of several symbols; of every symbol that the key may read without `symbols`.

        `fields` are the only ones of each quote, `sources` replaces the served quotes by those of each source, `bars` adds
        the bar of each second, and `events` adds released figures: "all", or impacts and currencies.

        With `from_` it begins in the past, with what was recorded, at so many seconds in each second as `speed` says, as
        fast as you read by default. It ends at `to`; without it, or with one in the future, it becomes live. With
        `resolution="tick"` it has every tick where the server keeps them, otherwise the last price of each second.
        """
        options: dict[str, str | Sequence[str] | None] = {
            "symbols": symbols,
            "fields": fields,
            "sources": sources,
            "bars": bars,
            "events": events,
            "from": _to_text(from_),
            "to": _to_text(to),
            "speed": None if speed is None else str(speed),
            "resolution": resolution,
        }
        return PriceStream(self._http, **self._stream_options(options, idle, on_disconnect))

    def bars(
        self,
        symbol: str,
        from_: datetime | str,
        to: datetime | str | None = None,
        *,
        timeframe: Timeframe = "H1",
        price: Literal["bid", "ask", "mid"] | None = None,
        at: datetime | str | None = None,
    ) -> Iterator[Candle]:
        """All bars of a range, however many pages they are; of another price, or as they were at a second of the past."""
        pages = follow_time(from_, to, BARS_PAGE, "candles")
        query = {"symbol": symbol, "timeframe": timeframe, "price": price, "at": _to_text(at)}
        return self._pages("/v1/ohlc", pages, "candles", query)

    def readings(
        self,
        symbol: str,
        indicator: str,
        from_: datetime | str,
        to: datetime | str | None = None,
        *,
        timeframe: Timeframe = "H1",
    ) -> Iterator[dict[str, Any]]:
        """An indicator at all bars of a range."""
        query = {"symbol": symbol, "indicator": indicator, "timeframe": timeframe}
        pages = follow_time(from_, to, READINGS_PAGE, "series")
        return self._pages("/v1/indicator/history", pages, "series", query)

    def ticks_between(self, symbol: str, from_: datetime | str, to: datetime | str | None = None) -> Iterator[Tick]:
        """All ticks of a range, hour by hour."""
        return self._pages("/v1/ticks", follow_hours(from_, to), "ticks", {"symbol": symbol})

    def events(self, **query: Any) -> Iterator[CalendarEvent]:
        """All events of a window of the calendar, with the parameters of `calendar`."""
        return self._pages("/v1/calendar", follow_offset(), "events", _rename(query))

    def all_symbols(self, **query: Any) -> Iterator[dict[str, Any]]:
        """All symbols that match the parameters of `symbols`."""
        return self._pages("/v1/symbols", follow_offset(), "symbols", query)


class AsyncSpotline(_Client, AsyncCalls):
    """The same for asyncio. Use it in an `async with` block, or call `close`."""

    def __init__(
        self, url: str, key: str | None = None, *, timeout: float = _TIMEOUT, retry: RetryPolicy | None = None
    ) -> None:
        super().__init__(url, key, timeout, retry)
        self._http = httpx.AsyncClient(**self._options)

    async def __aenter__(self) -> AsyncSpotline:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _call(
        self, method: str, path: str, query: dict[str, Any], body: dict[str, Any] | None = None
    ) -> Answer[Any]:
        request = _format_request(method, path, query, body)
        retry = 0
        while True:
            try:
                return read_answer(await self._http.request(**request), _accepted(path))
            except Exception as error:
                failure = explain(error) if isinstance(error, httpx.HTTPError) else error
                delay = self._find_delay(method, failure, retry)
                if delay is None:
                    raise failure from error
            retry += 1
            await asyncio.sleep(delay)

    async def _pages(self, path: str, pages: Pages, rows: str, query: dict[str, Any]) -> AsyncIterator[Any]:
        page = next(pages, None)
        while page is not None:
            data = (await self._call("GET", path, {**query, **page})).data
            for row in data[rows]:
                yield row
            page = _send(pages, data)

    def stream(
        self,
        symbols: Sequence[str] | None = None,
        *,
        fields: Sequence[str] | None = None,
        sources: Literal["all"] | Sequence[str] | None = None,
        bars: Literal["1s"] | None = None,
        events: Literal["all"] | Sequence[str] | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        speed: float | Literal["max"] | None = None,
        resolution: Literal["1s", "tick"] | None = None,
        idle: float = 30.0,
        on_disconnect: OnDisconnect | None = None,
    ) -> AsyncPriceStream:
        """Follows the prices of several symbols; of every symbol that the key may read without `symbols`.

        `fields` are the only ones of each quote, `sources` replaces the served quotes by those of each source, `bars` adds
        the bar of each second, and `events` adds released figures: "all", or impacts and currencies.

        With `from_` it begins in the past, with what was recorded, at so many seconds in each second as `speed` says, as
        fast as you read by default. It ends at `to`; without it, or with one in the future, it becomes live. With
        `resolution="tick"` it has every tick where the server keeps them, otherwise the last price of each second.
        """
        options: dict[str, str | Sequence[str] | None] = {
            "symbols": symbols,
            "fields": fields,
            "sources": sources,
            "bars": bars,
            "events": events,
            "from": _to_text(from_),
            "to": _to_text(to),
            "speed": None if speed is None else str(speed),
            "resolution": resolution,
        }
        return AsyncPriceStream(self._http, **self._stream_options(options, idle, on_disconnect))

    def bars(
        self,
        symbol: str,
        from_: datetime | str,
        to: datetime | str | None = None,
        *,
        timeframe: Timeframe = "H1",
        price: Literal["bid", "ask", "mid"] | None = None,
        at: datetime | str | None = None,
    ) -> AsyncIterator[Candle]:
        """All bars of a range, however many pages they are; of another price, or as they were at a second of the past."""
        pages = follow_time(from_, to, BARS_PAGE, "candles")
        query = {"symbol": symbol, "timeframe": timeframe, "price": price, "at": _to_text(at)}
        return self._pages("/v1/ohlc", pages, "candles", query)

    def readings(
        self,
        symbol: str,
        indicator: str,
        from_: datetime | str,
        to: datetime | str | None = None,
        *,
        timeframe: Timeframe = "H1",
    ) -> AsyncIterator[dict[str, Any]]:
        """An indicator at all bars of a range."""
        query = {"symbol": symbol, "indicator": indicator, "timeframe": timeframe}
        pages = follow_time(from_, to, READINGS_PAGE, "series")
        return self._pages("/v1/indicator/history", pages, "series", query)

    def ticks_between(
        self, symbol: str, from_: datetime | str, to: datetime | str | None = None
    ) -> AsyncIterator[Tick]:
        """All ticks of a range, hour by hour."""
        return self._pages("/v1/ticks", follow_hours(from_, to), "ticks", {"symbol": symbol})

    def events(self, **query: Any) -> AsyncIterator[CalendarEvent]:
        """All events of a window of the calendar, with the parameters of `calendar`."""
        return self._pages("/v1/calendar", follow_offset(), "events", _rename(query))

    def all_symbols(self, **query: Any) -> AsyncIterator[dict[str, Any]]:
        """All symbols that match the parameters of `symbols`."""
        return self._pages("/v1/symbols", follow_offset(), "symbols", query)


def _to_text(time: datetime | str | None) -> str | None:
    return None if time is None else format_time(time)


def _send(pages: Pages, data: Any) -> dict[str, Any] | None:
    try:
        return pages.send(data)
    except StopIteration:
        return None


def _rename(query: dict[str, Any]) -> dict[str, Any]:
    """Python keeps the word "from" for itself."""
    return {name.removesuffix("_"): value for name, value in query.items()}
