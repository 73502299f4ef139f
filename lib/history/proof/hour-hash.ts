import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import type { HourTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The hash of an hour: SHA-256 of a text that any program can make of exported ticks. Its first line is the symbol and
 * the hour ("EURUSD 2026-11-20T13"), then comes a line for each second: the second of the hour, bid and ask ("7 1.0853
 * 1.08541"). Prices are plain decimals without zeros at their end, so the hash does not depend on how many digits a
 * symbol has, or on how the hour is packed. docs/operating.md describes the same for operators.
 */

/** The hash of an hour's content. */
export interface HourHash {
  /** The number of seconds that have a tick. */
  readonly ticks: number;
  /** 32 bytes. */
  readonly content: Buffer;
  /** Two bytes for each minute: a checksum of its lines, which tells where two hours differ. */
  readonly minutes: Buffer;
}

const NO_TICKS: HourTicks = { digits: 0, seconds: new Uint16Array(), bid: new Int32Array(), ask: new Int32Array() };
/** The second of the hour, two prices of at most 17 characters, two spaces and the end of the line. */
const MAX_LINE_BYTES = 4 + 2 * 18 + 3;
const CHECKSUM_BYTES = 2;

/** Hashes an hour. Null stands for one without ticks. */
export function hashHour(symbol: string, hourMs: number, hour: HourTicks | null): HourHash {
  const { digits, seconds, bid, ask } = hour ?? NO_TICKS;
  const lines = Buffer.allocUnsafe(seconds.length * MAX_LINE_BYTES);
  const minutes = Buffer.alloc(MINUTES_PER_HOUR * CHECKSUM_BYTES);
  let [end, minuteStart, minute] = [0, 0, 0];
  const finishMinute = () => {
    minutes.writeUInt16BE(crc32(lines.subarray(minuteStart, end)) & 0xffff, minute * CHECKSUM_BYTES);
    minuteStart = end;
  };
  for (let i = 0; i < seconds.length; i++) {
    const second = seconds[i] as number;
    if (second >= (minute + 1) * SECONDS_PER_MINUTE) {
      finishMinute();
      minute = Math.floor(second / SECONDS_PER_MINUTE);
    }
    end = writeDecimal(lines, end, second, 0);
    lines[end++] = SPACE;
    end = writeDecimal(lines, end, bid[i] as number, digits);
    lines[end++] = SPACE;
    end = writeDecimal(lines, end, ask[i] as number, digits);
    lines[end++] = LINE_END;
  }
  finishMinute();
  const content = createHash("sha256")
    .update(`${symbol} ${formatHour(hourMs)}\n`)
    .update(lines.subarray(0, end))
    .digest();
  return { ticks: seconds.length, content, minutes };
}

/** The minutes in which two hours differ, 0 to 59. */
export function findChangedMinutes(one: Buffer, other: Buffer): number[] {
  const minutes = Array.from({ length: MINUTES_PER_HOUR }, (_, minute) => minute);
  return minutes.filter((minute) => {
    const at = minute * CHECKSUM_BYTES;
    return one.readUInt16BE(at) !== other.readUInt16BE(at);
  });
}

/** "2026-11-20T13". */
export function formatHour(hourMs: number): string {
  return new Date(hourMs).toISOString().slice(0, 13);
}

const SPACE = 0x20;
const LINE_END = 0x0a;
const ZERO = 0x30;
const POINT = 0x2e;

/** Writes points of 10^-digits as a plain decimal without zeros at its end, and returns where it ends. */
function writeDecimal(to: Buffer, at: number, points: number, digits: number): number {
  let [left, decimals] = [points, digits];
  while (decimals > 0 && left % 10 === 0) {
    left /= 10;
    decimals--;
  }
  let length = decimals === 0 ? 1 : decimals + 2;
  for (let limit = 10 ** (decimals + 1); left >= limit; limit *= 10) length++;
  for (let place = at + length - 1; place >= at; place--) {
    if (decimals > 0 && place === at + length - 1 - decimals) {
      to[place] = POINT;
      continue;
    }
    const rest = left % 10;
    to[place] = ZERO + rest;
    left = (left - rest) / 10;
  }
  return at + length;
}

/** What a link of the chain contains besides the one before it. */
export interface LinkContent {
  readonly seq: number;
  readonly symbol: string;
  readonly hourMs: number;
  readonly ticks: number;
  readonly content: Buffer;
  /** When it was written, Unix time. */
  readonly at: number;
  /** What wrote the hour, as JSON. */
  readonly cause: string;
  /** What wrote its seconds, as JSON; empty if that is the cause for all of them. */
  readonly origins: string;
}

/** The link before the first of a day. */
export const CHAIN_START = Buffer.alloc(32);

/** The hash of a link: SHA-256 of four lines, which are the link before, the hour, its cause and its origins. */
export function hashLink(previous: Buffer, link: LinkContent): Buffer {
  const { seq, symbol, hourMs, ticks, content, at, cause, origins } = link;
  const hour = `${seq} ${symbol} ${formatHour(hourMs)} ${ticks} ${content.toString("hex")} ${at}`;
  return createHash("sha256")
    .update(`${previous.toString("hex")}\n${hour}\n${cause}\n${origins}\n`)
    .digest();
}

/** The hour since 1970 of a moment, and the day. */
export function toPlace(hourMs: number): { readonly hour: number; readonly day: number } {
  const hour = Math.round(hourMs / HOUR_MS);
  return { hour, day: Math.floor(hour / 24) };
}
