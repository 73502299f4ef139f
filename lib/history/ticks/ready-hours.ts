import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { countBytes,type ReadyHour } from "@/lib/history/ticks/ready-hour";

/** Closed hours that are ready to be sent, the most recently asked for, within a bound of bytes. */
export interface ReadyHours {
  get(symbol: string, hourMs: number): ReadyHour | undefined;
  /** Keeps an hour, and lets those go that nobody has asked for the longest. */
  add(hour: ReadyHour): void;
  /** The gzip of a kept hour's body, at once when it has been asked for before; null for an hour that is not kept. */
  gzip(hour: ReadyHour): Uint8Array | Promise<Uint8Array> | null;
  clear(): void;
}

interface Entry {
  readonly hour: ReadyHour;
  bytes: number;
  gzip: Uint8Array | Promise<Uint8Array> | null;
}

const compress = promisify(gzip);

export function createReadyHours(maxBytes: number): ReadyHours {
  /** Least recently asked for first. */
  const entries = new Map<string, Entry>();
  let latest: Entry | undefined;
  let total = 0;

  function find(symbol: string, hourMs: number): Entry | undefined {
    // Most callers ask for what the one before has asked for.
    if (latest !== undefined && latest.hour.hourMs === hourMs && latest.hour.symbol === symbol) return latest;
    const key = keyOf(symbol, hourMs);
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    return (latest = entry);
  }

  function grow(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    total += bytes;
    for (const [key, oldest] of entries) {
      if (total <= maxBytes || oldest === entry) break;
      entries.delete(key);
      total -= oldest.bytes;
    }
  }

  return {
    get: (symbol, hourMs) => find(symbol, hourMs)?.hour,
    add(hour) {
      const key = keyOf(hour.symbol, hour.hourMs);
      total -= entries.get(key)?.bytes ?? 0;
      entries.delete(key);
      latest = { hour, bytes: 0, gzip: null };
      entries.set(key, latest);
      grow(latest, countBytes(hour));
    },
    gzip(hour) {
      const entry = find(hour.symbol, hour.hourMs);
      if (entry?.hour !== hour) return null;
      entry.gzip ??= compress(hour.body).then((packed) => {
        entry.gzip = packed;
        if (entries.get(keyOf(hour.symbol, hour.hourMs)) === entry) grow(entry, packed.byteLength);
        return packed;
      });
      return entry.gzip;
    },
    clear() {
      entries.clear();
      latest = undefined;
      total = 0;
    },
  };
}

const keyOf = (symbol: string, hourMs: number) => `${symbol} ${hourMs}`;
