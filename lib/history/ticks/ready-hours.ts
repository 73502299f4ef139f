import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { countBytes, type ReadyHour } from "@/lib/history/ticks/ready-hour";

interface Entry {
  readonly hour: ReadyHour;
  bytes: number;
  gzip: Uint8Array | Promise<Uint8Array> | null;
}

const compress = promisify(gzip);

/** The most recently used closed hours as ready bytes, within a bound of bytes. */
export class ReadyHours {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #latest: Entry | undefined;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(symbol: string, hourMs: number): ReadyHour | undefined {
    return this.#find(symbol, hourMs)?.hour;
  }

  /** Adds an hour, and evicts the least recently used ones beyond the bound. */
  add(hour: ReadyHour): void {
    const key = toKey(hour.symbol, hour.hourMs);
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
    const entry: Entry = { hour, bytes: 0, gzip: null };
    this.#latest = entry;
    this.#entries.set(key, entry);
    this.#grow(entry, countBytes(hour));
  }

  /** The gzip of a cached hour's body, synchronous from the second call on; null for an hour that is not cached. */
  gzip(hour: ReadyHour): Uint8Array | Promise<Uint8Array> | null {
    const entry = this.#find(hour.symbol, hour.hourMs);
    if (entry?.hour !== hour) return null;
    entry.gzip ??= compress(hour.body).then((packed) => {
      entry.gzip = packed;
      if (this.#entries.get(toKey(hour.symbol, hour.hourMs)) === entry) this.#grow(entry, packed.byteLength);
      return packed;
    });
    return entry.gzip;
  }

  clear(): void {
    this.#entries.clear();
    this.#latest = undefined;
    this.#bytes = 0;
  }

  #find(symbol: string, hourMs: number): Entry | undefined {
    const latest = this.#latest;
    // Most callers request the same hour as the previous one.
    if (latest !== undefined && latest.hour.hourMs === hourMs && latest.hour.symbol === symbol) return latest;
    const key = toKey(symbol, hourMs);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return (this.#latest = entry);
  }

  #grow(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes += bytes;
    for (const [key, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes || oldest === entry) break;
      this.#entries.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }
}

function toKey(symbol: string, hourMs: number): string {
  return `${symbol} ${hourMs}`;
}
