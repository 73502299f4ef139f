import { type HourColumns } from "@/lib/history/hour-columns";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import { type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { createReadyHour, findFirstAt, type ReadyHour } from "@/lib/history/ticks/ready-hour";
import { createReadyHours } from "@/lib/history/ticks/ready-hours";
import { allWhenHere, whenHere } from "@/lib/platform/at-once";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Recorded ticks, at most one a second, as they are asked for: closed hours out of the store, kept as ready bytes while
 * they are in demand; open hours out of the recorder's columns.
 */
export interface TickHistory {
  /** The ticks of one symbol in [fromMs, toMs), oldest first: at once when they are in memory. */
  readRange(symbol: string, fromMs: number, toMs: number): TickRange | Promise<TickRange>;
  /** Forgets what was read: closed hours were written once more, or removed. */
  invalidate(): void;
  /** The gzip of a closed hour's whole answer, at once when it was asked for before; null for an open hour. */
  gzip(hour: ReadyHour): Uint8Array | Promise<Uint8Array> | null;
}

export interface TickRange {
  readonly symbol: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** How far it has been recorded: `toMs`, unless that lies ahead. */
  readonly knownUntilMs: number;
  readonly count: number;
  /** The hours that hold any of the ticks, oldest first, and the indexes of theirs: `from` up to but not including `to`. */
  readonly parts: readonly TickPart[];
}

interface TickPart {
  readonly hour: ReadyHour;
  readonly from: number;
  readonly to: number;
}

export interface TickHistoryOptions {
  readonly openHours: Pick<OpenHoursKeeper, "getHours" | "getRevision" | "completeUntilMs">;
  /** Reads one closed hour from the store; null where none was recorded. */
  readonly readHour: (symbol: string, hourMs: number) => Promise<HourTicks | null>;
  /** Bytes of closed hours that are kept ready. */
  readonly maxBytes?: number;
}

/** Some 200 hours of a busy pair, or thousands of quiet ones. */
const MAX_BYTES = 64 * 1024 * 1024;

type Found = ReadyHour | null;

export function createTickHistory({ openHours, readHour, maxBytes = MAX_BYTES }: TickHistoryOptions): TickHistory {
  const kept = createReadyHours(maxBytes);
  const openReady = createOpenReady(openHours);
  /** Reads under way: whoever asks for the same cold hour meanwhile waits for the same read. */
  const reading = new Map<string, Promise<Found>>();
  /** Raised when what is being read may be out of date by the time it is there. */
  let epoch = 0;

  function find(symbol: string, hourMs: number): Found | Promise<Found> {
    const open = openHours.getHours(symbol).find((hour) => hour.hourMs === hourMs);
    return open === undefined ? (kept.get(symbol, hourMs) ?? read(symbol, hourMs)) : openReady(open);
  }

  function read(symbol: string, hourMs: number): Promise<Found> {
    const key = `${symbol} ${hourMs}`;
    const begunIn = epoch;
    const underWay = reading.get(key);
    if (underWay !== undefined) return underWay;
    const started = readHour(symbol, hourMs)
      .then((ticks) => {
        if (ticks === null) return null;
        const hour = createReadyHour(symbol, hourMs, ticks);
        if (begunIn === epoch) kept.add(hour);
        return hour;
      })
      .finally(() => {
        if (reading.get(key) === started) reading.delete(key);
      });
    reading.set(key, started);
    return started;
  }

  function cut(symbol: string, fromMs: number, toMs: number, hours: readonly Found[]): TickRange {
    const parts: TickPart[] = [];
    let count = 0;
    for (const hour of hours) {
      if (hour === null) continue;
      const from = findFirstAt(hour.ticks, Math.ceil((fromMs - hour.hourMs) / 1000));
      const to = findFirstAt(hour.ticks, Math.ceil((toMs - hour.hourMs) / 1000));
      if (from === to) continue;
      parts.push({ hour, from, to });
      count += to - from;
    }
    const knownUntilMs = Math.max(fromMs, Math.min(toMs, openHours.completeUntilMs));
    return { symbol, fromMs, toMs, knownUntilMs, count, parts };
  }

  return {
    readRange(symbol, fromMs, toMs) {
      const first = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
      const found: (Found | Promise<Found>)[] = [];
      for (let hourMs = first; hourMs < toMs; hourMs += HOUR_MS) found.push(find(symbol, hourMs));
      return whenHere(allWhenHere(found), (hours) => cut(symbol, fromMs, toMs, hours));
    },
    invalidate() {
      epoch++;
      kept.clear();
      reading.clear();
    },
    gzip: (hour) => kept.gzip(hour),
  };
}

/** Open hours made ready, again whenever something was written. */
function createOpenReady(openHours: Pick<OpenHoursKeeper, "getRevision">) {
  const made = new WeakMap<HourColumns, { readonly revision: number; readonly hour: ReadyHour }>();
  return (columns: HourColumns): ReadyHour => {
    const before = made.get(columns);
    const revision = openHours.getRevision(columns.symbol);
    if (before?.revision === revision) return before.hour;
    const hour = createReadyHour(columns.symbol, columns.hourMs, toTicks(columns));
    made.set(columns, { revision, hour });
    return hour;
  };
}
