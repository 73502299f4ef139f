import { type TradingHours, type Weekday, WEEKDAYS } from "@/lib/market/instrument";
import { CURRENCIES } from "@/lib/market/market-words";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { countDigits } from "@/lib/market/price";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** Puts what a source says of its symbols into the words of the catalog. */

type Said = { readonly [Fact in keyof SymbolFacts]: SymbolFacts[Fact] | undefined };

/**
 * The facts without those that are undefined, not a number or an empty text: these were not said. A description that
 * only repeats the symbol, such as "EUR/SGD" of EUR_SGD, says nothing either.
 */
export function collectFacts(spelling: string, { description, ...said }: Partial<Said>): SymbolFacts {
  const isNews = description !== undefined && !squeeze(spelling).endsWith(squeeze(description));
  const all = isNews ? { description, ...said } : said;
  const whole = Object.entries(all).filter(([, value]) => value !== undefined && value !== "" && !Number.isNaN(value));
  return { ...Object.fromEntries(whole), spelling };
}

function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** A number, or digits in a text; undefined if it is neither. */
export function readFact(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A text; undefined if it is something else. */
export function readWords(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** What an exchange of crypto currencies says of a pair, numbers also as text. */
interface ExchangePair {
  readonly base: unknown;
  readonly quote: unknown;
  /** The smallest change of a price. */
  readonly priceStep: unknown;
  /** Amounts in the base. */
  readonly minAmount?: unknown;
  readonly maxAmount?: unknown;
  readonly amountStep: unknown;
}

/** A pair of an exchange. Its amounts are in the base, so a lot is one of it. Some exchanges have real currencies too. */
export function collectPairFacts(spelling: string, pair: ExchangePair): SymbolFacts {
  const [base, quote] = [readWords(pair.base), readWords(pair.quote)];
  const isForex = CURRENCIES.has(base ?? "") && CURRENCIES.has(quote ?? "");
  const step = readFact(pair.priceStep);
  return collectFacts(spelling, {
    digits: step === undefined || step <= 0 ? undefined : countDigits(step),
    kind: isForex ? "forex" : "crypto",
    base,
    quote,
    contractSize: 1,
    minVolume: readFact(pair.minAmount ?? pair.amountStep),
    maxVolume: readFact(pair.maxAmount),
    volumeStep: readFact(pair.amountStep),
  });
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;
const WEEK_MINUTES = WEEKDAYS.length * DAY_MINUTES;

/** Minutes from the beginning of Sunday; `from` may be before it, and `to` after the end of Saturday. */
export interface WeekSpan {
  readonly from: number;
  readonly to: number;
}

/** The trading hours that spans of a week in a civil zone are; undefined if there are none, or if one is none. */
export function toTradingHours(spans: readonly WeekSpan[], zone: string): TradingHours | undefined {
  const areSpans = spans.every(({ from, to }) => from < to && to - from <= WEEK_MINUTES);
  if (spans.length === 0 || !areSpans) return undefined;
  const parts = spans.flatMap(splitAtMidnight).sort((a, b) => a.from - b.from);
  const read = (day: Weekday) => {
    const at = WEEKDAYS.indexOf(day);
    const own = parts.filter(({ from }) => Math.floor(from / DAY_MINUTES) === at);
    return join(own).map(({ from, to }) => toTimes(from, to, at * DAY_MINUTES));
  };
  return {
    zone,
    days: {
      sunday: read("sunday"),
      monday: read("monday"),
      tuesday: read("tuesday"),
      wednesday: read("wednesday"),
      thursday: read("thursday"),
      friday: read("friday"),
      saturday: read("saturday"),
    },
  };
}

/** The parts of a span in each day of the week that begins on Sunday. */
function splitAtMidnight({ from, to }: WeekSpan): WeekSpan[] {
  const parts: WeekSpan[] = [];
  const shift = Math.floor(from / WEEK_MINUTES) * WEEK_MINUTES;
  for (let start = from - shift; start < to - shift;) {
    const end = Math.min((Math.floor(start / DAY_MINUTES) + 1) * DAY_MINUTES, to - shift);
    const week = Math.floor(start / WEEK_MINUTES) * WEEK_MINUTES;
    parts.push({ from: start - week, to: end - week });
    start = end;
  }
  return parts;
}

/** Spans in order, with those that touch or overlap made one. */
function join(spans: readonly WeekSpan[]): WeekSpan[] {
  const joined: WeekSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.to) {
      joined.splice(-1, 1, { from: last.from, to: Math.max(last.to, span.to) });
    } else joined.push(span);
  }
  return joined;
}

function toTimes(from: number, to: number, midnight: number) {
  const toText = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return { from: toText(from - midnight), to: toText(to - midnight) };
}
