import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import type { HourTicks } from "@/lib/history/ticks/hour-block";

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
    hour.onWritten = (bytes) => {
      if (this.#entries.get(key) === entry) this.#grow(entry, bytes);
    };
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

export function toKey(symbol: string, hourMs: number): string {
  return `${symbol} ${hourMs}`;
}

/** The text before the first tick of an answer. Symbols are plain ASCII words, so nothing needs escaping. */
export const formatAnswerHead = (symbol: string) => `{"success":true,"data":{"symbol":"${symbol}","ticks":[`;

/** The text after the last tick of an answer; `more` are further fields, each after a comma. */
export const formatAnswerTail = (count: number, more = "") => `],"count":${count}${more}}}`;

/** Minutes and seconds of each second of an hour: "59:07". */
const CLOCK = Array.from({ length: SECONDS_PER_HOUR }, (_, second) =>
  new Date(second * 1000).toISOString().slice(14, 19),
);

interface Written {
  /** The answer of `/v1/ticks` for the whole hour. */
  readonly body: Buffer;
  /** The offset of each tick in `body`, and one more for the next tick. */
  readonly offsets: Uint32Array;
}

/**
 * An hour's ticks, and the same as bytes ready to send: any part of the hour is a slice of them. They are written when they
 * are first needed; a full hour takes about half a millisecond.
 */
export class ReadyHour {
  /** Receives the bytes of memory that the text takes. */
  onWritten: ((bytes: number) => void) | null = null;
  #written: Written | null = null;

  /** @param hourMs when the hour began: UTC milliseconds */
  constructor(
    readonly symbol: string,
    readonly hourMs: number,
    readonly ticks: HourTicks,
  ) {}

  get body(): Buffer {
    return this.write().body;
  }

  write(): Written {
    if (this.#written !== null) return this.#written;
    this.#written = writeTicks(this);
    this.onWritten?.(this.#written.body.byteLength + this.#written.offsets.byteLength);
    return this.#written;
  }
}

function writeTicks({ symbol, hourMs, ticks: { digits, seconds, bid, ask } }: ReadyHour): Written {
  const count = seconds.length;
  const pointsPerUnit = 10 ** digits;
  const hour = new Date(hourMs).toISOString().slice(0, 14);
  const offsets = new Uint32Array(count + 1);
  let text = formatAnswerHead(symbol);
  for (let i = 0; i < count; i++) {
    if (i > 0) text += ",";
    offsets[i] = text.length;
    text +=
      `{"time":"${hour}${CLOCK[seconds[i] as number]}+00:00","bid":${(bid[i] as number) / pointsPerUnit},` +
      `"ask":${(ask[i] as number) / pointsPerUnit},"flags":0}`;
  }
  offsets[count] = text.length + 1;
  return { offsets, body: Buffer.from(text + formatAnswerTail(count), "latin1") };
}

/** The index of the first tick at or after a second of the hour; the number of ticks if there is none. */
export function findFirstAt({ seconds }: { readonly seconds: ArrayLike<number> }, second: number): number {
  let low = 0;
  let high = seconds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seconds[middle] as number) < second) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text of the ticks at indexes [from, to), with `from` below `to`, without a comma at its end. */
export function sliceTicks(hour: ReadyHour, from: number, to: number): Buffer {
  const { body, offsets } = hour.write();
  return body.subarray(offsets[from], (offsets[to] as number) - 1);
}

/** Bytes of memory that an hour takes before it is written. */
function countBytes({ ticks: { seconds, bid, ask } }: ReadyHour): number {
  return seconds.byteLength + bid.byteLength + ask.byteLength;
}
