import type { KeyEntry } from "@/lib/access/admission/directory";
import { getEntitlements } from "@/lib/access/plans";
import type { Call } from "@/lib/api/engine/call";
import { PriceStreams } from "@/lib/api/stream/price-streams";
import type { StreamReader } from "@/lib/api/stream/stream-format";
import { eventFormat, type StreamFormat } from "@/lib/api/stream/stream-format";
import { setUp, WEDNESDAY } from "@/lib/book/book.fixture";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";
import type { SourceGap } from "@/lib/feeds/feed";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

export const SYMBOLS = ["EURUSD", "GBPUSD", "XAUUSD"] as const;
export const KEY = { entitlements: getEntitlements("pro", "standard"), symbols: null } as KeyEntry;
export const CALL = {} as Call;

const opened: PriceStreams[] = [];

/** To be called after each test. */
export function endStreams(): void {
  for (const streams of opened.splice(0)) streams.endAll();
}

/** A calendar without events. */
export const NO_EVENTS = { query: () => ({ shown: [], total: 0, hasMore: false }) };

/** A book whose prices the test sets, and its streams. */
export function setUpStreams(maxStuckMs?: number) {
  const { book, now, pass } = setUp();
  const reads: string[] = [];
  const served = (symbol: string, nowMs?: number) => (reads.push(symbol), book.served(symbol, nowMs));
  const { sources, servedSource } = book;
  const releases: Entry[] = [];
  let isStale = false;
  const gaps: { ended: readonly SourceGap[] } = { ended: [] };
  const calendar = { query: () => ({ shown: [...releases], total: releases.length, hasMore: false }) };
  const options = {
    book: { served, sources, servedSource },
    calendar,
    gaps,
    instruments,
    marketNow: now,
    monotonic: () => performance.now(),
    isStale: () => isStale,
  };
  const streams = new PriceStreams(maxStuckMs === undefined ? options : { ...options, maxStuckMs });
  opened.push(streams);
  let timeMs = WEDNESDAY;
  const tick = (symbol: string, bid: number, source = "first") => {
    const instrument = instrumentBySymbol.get(symbol) as Instrument;
    timeMs += 1;
    book.accept({ source, instrument, bid, ask: bid + 1, timeMs });
    streams.onQuote({ instrument, source, bid });
  };
  /** Releases the figure of an event. */
  const release = (id: string, actual: string, rest: Partial<CalendarEvent> = {}) => {
    const event = { id, actual, currency: "USD", impact: "high", title: id, timeMs: now(), ...rest } as CalendarEvent;
    const at = releases.findIndex((entry) => entry.event.id === id);
    const entry: Entry = { event, titleLower: id, twin: null, json: null, jsonWithoutActual: null };
    if (at === -1) releases.push(entry);
    else releases[at] = entry;
  };
  const setStale = (value: boolean) => void (isStale = value);
  return { book, streams, tick, pass, reads, release, setStale, gaps, now };
}

/** A connection in memory that the test can stall. */
export function createReader(format: StreamFormat = eventFormat) {
  const written: string[] = [];
  let stalledBytes = 0;
  let isStalled = false;
  const waiting: (() => void)[] = [];
  let ending: string | null = null;
  const reader: StreamReader = {
    format,
    countWaiting: () => stalledBytes,
    write(bytes, onTaken) {
      written.push(bytes.toString());
      if (isStalled) stalledBytes += bytes.length;
      if (isStalled && onTaken !== undefined) waiting.push(onTaken);
      else onTaken?.();
    },
    finish: () => void (ending = "finished"),
    end: (reason) => void (ending = reason.code),
    destroy: () => void (ending = "destroyed"),
  };
  return {
    reader,
    written,
    text: () => written.join(""),
    ending: () => ending,
    waiting: () => stalledBytes,
    stall: () => void (isStalled = true),
    drain: () => {
      isStalled = false;
      stalledBytes = 0;
      for (const onTaken of waiting.splice(0)) onTaken();
    },
  };
}
