import { SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import type { HourTicks } from "@/lib/history/ticks/hour-block";

/**
 * An hour's ticks as bytes ready to send: the whole answer of `/v1/ticks`, and the offset of each tick in it, so that
 * any part of the hour is a slice.
 */
export interface ReadyHour {
  readonly symbol: string;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  readonly ticks: HourTicks;
  /** The answer for the whole hour. */
  readonly body: Buffer;
  /** The offset of each tick in `body`, and one more for the next tick. */
  readonly offsets: Uint32Array;
}

/** The text before the first tick of an answer. Symbols are plain ASCII words, so nothing needs escaping. */
export const formatAnswerHead = (symbol: string) => `{"success":true,"data":{"symbol":"${symbol}","ticks":[`;

/** The text after the last tick of an answer; `more` are further fields, each after a comma. */
export const formatAnswerTail = (count: number, more = "") => `],"count":${count}${more}}}`;

/** Minutes and seconds of each second of an hour: "59:07". */
const CLOCK = Array.from({ length: SECONDS_PER_HOUR }, (_, second) =>
  new Date(second * 1000).toISOString().slice(14, 19),
);

/** Writes an hour's ticks as bytes. A full hour takes about half a millisecond. */
export function createReadyHour(symbol: string, hourMs: number, ticks: HourTicks): ReadyHour {
  const { digits, seconds, bid, ask } = ticks;
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
  return { symbol, hourMs, ticks, offsets, body: Buffer.from(text + formatAnswerTail(count), "latin1") };
}

/** The index of the first tick at or after a second of the hour; the number of ticks if there is none. */
export function findFirstAt({ seconds }: HourTicks, second: number): number {
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
export function sliceTicks({ body, offsets }: ReadyHour, from: number, to: number): Buffer {
  return body.subarray(offsets[from], (offsets[to] as number) - 1);
}

/** Bytes of memory that an hour takes. */
export function countBytes({ body, offsets, ticks: { seconds, bid, ask } }: ReadyHour): number {
  return body.byteLength + offsets.byteLength + seconds.byteLength + bid.byteLength + ask.byteLength;
}
