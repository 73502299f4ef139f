import { toWireDay, toWireRow } from "@/features/quotes/board-row";
import { type BoardRuntime, listInstruments, readBoard } from "@/features/quotes/data";
import type { BoardSnapshot, WireDay, WireRow } from "@/features/quotes/types";
import { encodeEvent, type StreamRuntime, type Topic } from "@/features/session/event-stream";
import { hasTooManyStreams, type StreamOwner, TOO_MANY_STREAMS } from "@/features/session/open-streams";
import type { ServedQuote } from "@/lib/book/quote";
import { instruments } from "@/lib/market/catalog";
import type { TradingDay } from "@/lib/market/day-change";
import type { Runtime } from "@/lib/runtime";

/**
 * The board as server-sent events. One timer reads the book for all viewers: each batch is encoded once, and the timer
 * stops without viewers.
 */
const BATCH_MS = 250;
const BEAT_MS = 5_000;
/** A viewer whose plan does not stream every symbol gets the whole board as often as a page without a stream asks for it. */
const SLOW_MS = 2_000;

export interface Viewer {
  /** Sends bytes; false if the connection is behind and cannot take them. */
  send(bytes: Uint8Array): boolean;
  readonly isSlow?: boolean;
}

interface Broadcast {
  readonly viewers: Map<Viewer, { behind: boolean }>;
  /** The quotes that were sent last. The book creates a new object for every change, so identity shows a change. */
  readonly sent: Map<string, ServedQuote>;
  /** The days that were sent last. The history creates a new object for every change. */
  readonly sentDays: Map<string, TradingDay>;
  /** The state of the catalog that was sent last. */
  sentCatalog: string;
  timer: ReturnType<typeof setInterval> | undefined;
  sinceBeatMs: number;
  sinceSlowMs: number;
}

const broadcasts = new WeakMap<BoardRuntime, Broadcast>();

function collectChangedRows(runtime: BoardRuntime, sent: Map<string, ServedQuote>): WireRow[] {
  const rows: WireRow[] = [];
  for (const { symbol } of instruments) {
    const quote = runtime.book.served(symbol);
    if (quote === undefined || sent.get(symbol) === quote) continue;
    sent.set(symbol, quote);
    rows.push(toWireRow(quote));
  }
  return rows;
}

function collectChangedDays({ history }: BoardRuntime, sent: Map<string, TradingDay>): WireDay[] {
  // Usually in memory. A failure is tried again with the next batch.
  history.days.load().catch(() => {});
  const days: WireDay[] = [];
  for (const { symbol } of instruments) {
    const day = history.days.read(symbol);
    if (day === undefined || sent.get(symbol) === day) continue;
    sent.set(symbol, day);
    days.push(toWireDay(symbol, day));
  }
  return days;
}

function sendBatch(runtime: BoardRuntime, broadcast: Broadcast): void {
  const rows = collectChangedRows(runtime, broadcast.sent);
  const days = collectChangedDays(runtime, broadcast.sentDays);
  broadcast.sinceBeatMs += BATCH_MS;
  const beat = broadcast.sinceBeatMs >= BEAT_MS;
  if (beat) broadcast.sinceBeatMs = 0;
  broadcast.sinceSlowMs = (broadcast.sinceSlowMs + BATCH_MS) % SLOW_MS;
  // An empty batch is the heartbeat: it shows that the stream works and carries the market's time.
  const catalog = listInstruments().catalog;
  const isNewCatalog = catalog !== broadcast.sentCatalog;
  broadcast.sentCatalog = catalog;
  const isDue = rows.length > 0 || days.length > 0 || isNewCatalog || beat;
  const update = {
    ...{ nowMs: Math.floor(runtime.marketNow()), rows },
    ...(days.length > 0 ? { days } : {}),
    ...(isNewCatalog ? { catalog } : {}),
  };
  const batch = isDue ? encodeEvent("part", "board", update) : null;
  let whole: Uint8Array | undefined;
  for (const [viewer, progress] of broadcast.viewers) {
    if (viewer.isSlow === true && broadcast.sinceSlowMs > 0) continue;
    // A viewer that missed a batch gets the whole board once its connection is free.
    const bytes =
      progress.behind || viewer.isSlow === true ? (whole ??= encodeEvent("whole", "board", readBoard(runtime))) : batch;
    if (bytes !== null) progress.behind = !viewer.send(bytes);
  }
}

/** The number of open board streams. */
export function countViewers(runtime: BoardRuntime): number {
  return broadcasts.get(runtime)?.viewers.size ?? 0;
}

/** Sends the whole board immediately and every later change. Returns a function that removes the viewer. */
export function watchBoard(runtime: BoardRuntime, viewer: Viewer): () => void {
  let broadcast = broadcasts.get(runtime);
  if (broadcast === undefined) {
    broadcast = {
      viewers: new Map(),
      sent: new Map(),
      sentDays: new Map(),
      sentCatalog: listInstruments().catalog,
      timer: undefined,
      sinceBeatMs: 0,
      sinceSlowMs: 0,
    };
    broadcasts.set(runtime, broadcast);
  }
  const joined = broadcast;
  joined.viewers.set(viewer, { behind: !viewer.send(encodeEvent("whole", "board", readBoard(runtime))) });
  joined.timer ??= setInterval(() => sendBatch(runtime, joined), BATCH_MS);
  return () => {
    joined.viewers.delete(viewer);
    if (joined.viewers.size > 0) return;
    clearInterval(joined.timer);
    joined.timer = undefined;
  };
}

/** Reads the whole board for a browser without a stream, with the reason if it may not open one. */
export function readSnapshot(runtime: BoardRuntime & StreamRuntime, session: StreamOwner | null): BoardSnapshot {
  const isRefused = session !== null && hasTooManyStreams(runtime, session);
  return { ...readBoard(runtime), ...(isRefused ? { note: TOO_MANY_STREAMS } : {}) };
}

/** The board and its changes, as a topic of a stream: as they happen for a plan that streams every symbol. */
export function followBoard(runtime: BoardRuntime & Pick<Runtime, "isStale">, hasEverySymbol: boolean): Topic {
  return { isStale: runtime.isStale, start: (send) => watchBoard(runtime, { send, isSlow: !hasEverySymbol }) };
}
