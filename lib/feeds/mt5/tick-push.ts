import * as z from "zod";
import { collectFacts, toTradingHours, type WeekSpan } from "@/lib/feeds/symbol-facts";
import { type TradingHours, WEEKDAYS } from "@/lib/market/instrument";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";
import { getZoneOffsetMs } from "@/lib/time/zone-offset";

/** A batch of ticks that a MetaTrader 5 terminal pushes, and what it says of its symbols. Numbers may be text. */

const MAX_TICKS = 5_000;
const MAX_SYMBOLS = 2_000;
const MAX_WORDS_LENGTH = 200;
/** Seconds have fewer digits than milliseconds until the year 5138. */
const MAX_SECONDS = 1e11;

const spelling = z.string().min(1).max(64);
/** What is not a number becomes NaN, which the intake refuses and counts. */
const number = z.union([z.number(), z.string().max(40).transform(readNumber)]);
const moment = number
  .refine((value) => value > 0, "must be a time since 1970 in seconds or milliseconds")
  .transform((value) => (value < MAX_SECONDS ? value * 1000 : value));

/** A property of a symbol is a help, not a price: a wrong one is ignored. */
const property = number.optional().catch(undefined);
const words = z
  .string()
  .transform((text) => text.slice(0, MAX_WORDS_LENGTH))
  .optional()
  .catch(undefined);

const pushedSymbol = z.object({
  s: spelling,
  digits: property,
  point: property,
  description: words,
  path: words,
  currency_base: words,
  currency_profit: words,
  currency_margin: words,
  /** A name of ENUM_SYMBOL_CALC_MODE. */
  trade_calc_mode: words,
  trade_contract_size: property,
  volume_min: property,
  volume_max: property,
  volume_step: property,
  /** In points; left out if the broker charges otherwise. */
  swap_long: property,
  swap_short: property,
  /** Trading sessions from Sunday on, in the trade server's time: "00:05-12:00,13:00-24:00", or "" without any. */
  sessions: z.array(z.string().max(MAX_WORDS_LENGTH)).length(WEEKDAYS.length).optional().catch(undefined),
});

export type PushedSymbol = z.output<typeof pushedSymbol>;

export const tickPush = z.object({
  /** One run of the program in the terminal. */
  boot_id: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, dashes or underscores"),
  /** 1, 2, 3 … in each run. */
  seq: z.int().min(1),
  /** The UTC time of the terminal's computer when it sent the batch, and when it built it if that was earlier. */
  sent_gmt: moment,
  made_gmt: moment.optional(),
  broker: z.string().max(100).optional(),
  ticks: z.array(z.object({ s: spelling, b: number, a: number, t: number })).max(MAX_TICKS),
  symbols: z.array(pushedSymbol).max(MAX_SYMBOLS).optional(),
});

export type TickPush = z.output<typeof tickPush>;

/** Reads a body as text. Terminals may send names of symbols in the code page of their Windows. */
export function decodePush(body: Uint8Array): string {
  const text = decodeUtf8(body) ?? new TextDecoder("windows-1252").decode(body);
  // MQL5 ends a text that it writes into an array with a zero byte.
  return text.replace(/\0+$/, "");
}

function decodeUtf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

function readNumber(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/STOCKS/, "stock"],
  [/BONDS/, "bond"],
  [/FUTURES/, "future"],
];

/**
 * What a terminal says of a symbol, for an instrument that the catalog lacks. How its profit is calculated tells the kind
 * of shares, bonds and futures; brokers use the modes of forex and CFDs for everything, so these say nothing.
 *
 * @param offsetMs how far the trade server's clock is ahead of UTC; null while it is unknown
 * @param atMs UTC milliseconds at which it is
 */
export function toSymbolFacts(symbol: PushedSymbol, offsetMs: number | null, atMs: number): SymbolFacts {
  const kind = KINDS.find(([pattern]) => pattern.test(symbol.trade_calc_mode ?? ""))?.[1];
  const zone = offsetMs === null ? null : findServerZone(offsetMs, atMs);
  return collectFacts(symbol.s, {
    digits: symbol.digits,
    description: symbol.description,
    path: symbol.path,
    kind,
    base: symbol.currency_base,
    quote: symbol.currency_profit,
    margin: symbol.currency_margin,
    contractSize: symbol.trade_contract_size,
    minVolume: symbol.volume_min,
    maxVolume: symbol.volume_max,
    volumeStep: symbol.volume_step,
    swapLong: symbol.swap_long,
    swapShort: symbol.swap_short,
    tradingHours: zone === null || symbol.sessions === undefined ? undefined : readSessions(symbol.sessions, zone),
  });
}

/** A civil zone, and how far a clock is ahead of it through the whole year. */
interface ServerZone {
  readonly zone: string;
  readonly aheadMs: number;
}

const HOME = "America/New_York";
const AHEAD_OF_HOME_MS = 7 * HOUR_MS;

/**
 * Sessions are a table in the trade server's time without a zone. Most servers are seven hours ahead of New York, where
 * the day of currencies ends, so that their days end with it; their sessions keep their place in New York's time when
 * clocks change. Of other servers it is unknown when their clocks change: null.
 */
function findServerZone(offsetMs: number, atMs: number): ServerZone | null {
  const isHome = offsetMs - getZoneOffsetMs(HOME, atMs) === AHEAD_OF_HOME_MS;
  return isHome ? { zone: HOME, aheadMs: AHEAD_OF_HOME_MS } : null;
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** The sessions as trading hours; undefined if one is wrong, or if there are none in the whole week. */
function readSessions(days: readonly string[], { zone, aheadMs }: ServerZone): TradingHours | undefined {
  const spans: WeekSpan[] = [];
  for (const [day, text] of days.entries()) {
    for (const session of text === "" ? [] : text.split(",")) {
      const span = readSession(session);
      if (span === null) return undefined;
      const startsAt = day * DAY_MINUTES - aheadMs / MINUTE_MS;
      spans.push({ from: startsAt + span.from, to: startsAt + span.to });
    }
  }
  return toTradingHours(spans, zone);
}

/** Minutes of a day. An end at "00:00" is the end of the day. */
function readSession(text: string): WeekSpan | null {
  const [, fromHour, fromMinute, toHour, toMinute] = /^(\d\d):([0-5]\d)-(\d\d):([0-5]\d)$/.exec(text.trim()) ?? [];
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute) || DAY_MINUTES;
  return from < to && to <= DAY_MINUTES ? { from, to } : null;
}
