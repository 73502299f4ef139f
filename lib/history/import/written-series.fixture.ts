import type { PlanOptions } from "@/lib/history/import/import-options";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * Rows of prices, drawn by a seed before any file is written of them: what a file means is known and does not depend on any
 * reader.
 */

/** A symbol with a tick as time, bid and ask, or a bar as time, open, high, low, close and volume; 0 for no volume. */
export type Row = readonly (string | number)[];

export interface WrittenFile {
  /** Its name, maybe in a folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What the operator says. */
  readonly options: PlanOptions;
  /** The rows that the file means. */
  readonly rows: readonly Row[];
  /** Rows that it has besides and that must be refused, by their reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** What a refusal of the whole file has to say; null if the file must be read. */
  readonly refusal: RegExp | null;
  /** Whether the file may be read nevertheless, or in part: then all that is read must be right. */
  readonly mayBeRead: boolean;
  /** Whether its times may be those of an hour that clocks show twice: then they may be refused as ambiguous. */
  readonly mayDoubt: boolean;
  /** Whether rows may be missing. */
  readonly isDamaged: boolean;
  /** What was drawn. */
  readonly drawn: Readonly<Record<string, unknown>>;
}

export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = (seed * 7_919 + 1) % 2_147_483_647;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let i = 0; i < 5; i++) next();
  return next;
}

export const pick = <Value>(random: Random, values: readonly Value[]) =>
  values[Math.floor(random() * values.length)] as Value;

/** Rows in points, from which prices are written. */
export interface Series {
  readonly symbol: string;
  readonly isTicks: boolean;
  readonly digits: number;
  readonly stepMs: number;
  /** Whether prices stay at another level from the middle on. */
  readonly hasJump: boolean;
  readonly rows: readonly { readonly ms: number; readonly points: readonly number[]; readonly volume: number }[];
}

export interface Market {
  readonly symbol: string;
  readonly base: number;
  readonly digits: number;
  readonly move: number;
  readonly isAlways?: boolean;
}

/** Prices of all sizes, in points. */
export const MARKETS: readonly Market[] = [
  { symbol: "EURUSD", base: 108_123, digits: 5, move: 9 },
  { symbol: "GBPUSD", base: 12_712, digits: 4, move: 2 },
  { symbol: "USDJPY", base: 151_234, digits: 3, move: 9 },
  { symbol: "EURJPY", base: 16_412, digits: 2, move: 2 },
  { symbol: "XAUUSD", base: 203_450, digits: 2, move: 30 },
  { symbol: "XAGUSD", base: 23_125, digits: 3, move: 9 },
  { symbol: "US500", base: 48_456, digits: 1, move: 9 },
  { symbol: "US30", base: 38_123, digits: 0, move: 9 },
  { symbol: "USOIL", base: 7_812, digits: 2, move: 3 },
  { symbol: "BTCUSD", base: 4_212_345, digits: 2, move: 900, isAlways: true },
  { symbol: "BTCIDR", base: 1_023_456_789, digits: 0, move: 90_000, isAlways: true },
  { symbol: "PEPEUSDT", base: 71_234, digits: 10, move: 90, isAlways: true },
  { symbol: "SHIBUSDT", base: 1_234, digits: 8, move: 2, isAlways: true },
];

export const ROWS = 16;
/** Stands beside another symbol in files of two. */
export const OTHER = "NZDUSD";

/** Moments at which clocks change, and zones that have it: the rows lie around it. */
export const CHANGES: Readonly<Record<string, readonly number[]>> = {
  "Europe/Athens": [Date.UTC(2023, 9, 29, 1), Date.UTC(2024, 2, 31, 1)],
  "America/New_York": [Date.UTC(2023, 10, 5, 6), Date.UTC(2024, 2, 10, 7)],
  "America/New_York+7": [Date.UTC(2023, 10, 5, 6), Date.UTC(2024, 2, 10, 7)],
  "Australia/Sydney": [Date.UTC(2024, 3, 6, 16), Date.UTC(2023, 8, 30, 16)],
};
const ahead = new Map<string, Intl.DateTimeFormat>();

/** What the clock of a zone shows at a moment, as the milliseconds at which a UTC clock does. */
export function showLocal(zone: string, ms: number): number {
  const [, name = zone, hours = "0"] = /^(.+?)\+(\d+)$/.exec(zone) ?? [];
  const aheadMs = Number(hours) * HOUR_MS;
  if (name === "UTC") return ms + aheadMs;
  let format = ahead.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: name, dateStyle: "short", timeStyle: "medium" });
    ahead.set(name, format);
  }
  return Date.parse(`${format.format(ms).replace(" ", "T")}Z`) + (ms % SECOND_MS) + aheadMs;
}

/** A time as a clock shows it. */
export interface Clock {
  /** UTC milliseconds. */
  readonly ms: number;
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  /** A sign and digits, or nothing. */
  readonly fraction: string;
}

export const pad = (value: number) => String(value).padStart(2, "0");

export function toClock(ms: number, localMs: number, fraction: string): Clock {
  const date = new Date(localMs);
  return {
    ...{ ms, year: String(date.getUTCFullYear()), month: pad(date.getUTCMonth() + 1), day: pad(date.getUTCDate()) },
    ...{
      hour: pad(date.getUTCHours()),
      minute: pad(date.getUTCMinutes()),
      second: pad(date.getUTCSeconds()),
      fraction,
    },
  };
}

export function spellPlain(points: number, digits: number): string {
  const text = String(points).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export function drawSeries(
  random: Random,
  zone: string | null,
  given: Partial<Pick<Market, "symbol">> & { readonly isTicks?: boolean } = {},
): Series {
  const market = MARKETS.find((each) => each.symbol === given.symbol) ?? pick(random, MARKETS);
  const isTicks = given.isTicks ?? random() < 0.45;
  const stepMs = isTicks ? 7 * SECOND_MS : pick(random, [1, 5, 15, 30, 60]) * MINUTE_MS;
  const changes = zone === null || market.isAlways !== true ? undefined : CHANGES[zone];
  const change = changes !== undefined && random() < 0.6 ? pick(random, changes) : null;
  const dayMs = Date.UTC(2024, pick(random, [0, 6]), 1 + Math.floor(random() * 12), Math.floor(random() * 8));
  // From Monday to Thursday.
  const weekday = new Date(dayMs).getUTCDay();
  const shiftMs = weekday === 0 ? 24 * HOUR_MS : weekday > 4 ? (8 - weekday) * 24 * HOUR_MS : 0;
  const startMs = change !== null ? change - 8 * stepMs : Math.floor((dayMs + shiftMs) / stepMs) * stepMs;
  const { base, move } = market;
  const hasJump = random() < 0.08;
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const level = hasJump && row >= ROWS / 2 ? Math.round(base * 0.7) : base;
    const one = () => level + Math.round((random() - 0.5) * 8 * move);
    const open = one();
    if (isTicks)
      return { ms: startMs + row * stepMs, points: [open, open + 1 + Math.round(random() * move)], volume: 0 };
    const close = one();
    const high = Math.max(open, close) + Math.round(random() * move);
    const low = Math.min(open, close) - Math.round(random() * move);
    return { ms: startMs + row * stepMs, points: [open, high, low, close], volume: 1 + row * 3 };
  });
  return { symbol: market.symbol, isTicks, digits: market.digits, stepMs, hasJump, rows };
}

export const toRow = (series: Series, { ms, points }: Series["rows"][number], volume: number): Row => {
  const prices = points.map((each) => Number(spellPlain(each, series.digits)));
  return series.isTicks ? [series.symbol, ms, ...prices] : [series.symbol, ms, ...prices, volume];
};
