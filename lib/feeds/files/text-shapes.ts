import { classifyTimes, type ColumnMeaning, type Field, placeFields } from "@/lib/feeds/files/column-names";
import { isHistDataName } from "@/lib/feeds/files/file-names";
import type { FileFormat } from "@/lib/feeds/files/price-rows";
import { DAY_MS } from "@/lib/time/units";

/** Recognises rows without a heading by the forms of vendors' files, or by what their values are. */

const NEW_YORK = "America/New_York";
/** A number in any notation. */
export const NUMBER =
  /^[+-]?[$€£¥]?(?:\d[\d.,]*(?:[' \u00a0\u2009\u202f\u2019]\d{3})*(?:[.,]\d*)?(?:e[+-]?\d{1,2})?|\.\d+)(?: ?[$€£¥])?$/i;
/** The share of rows that must be alike. */
const MOST = 0.8;

/** A known or an assumed form of rows. */
export interface Known {
  readonly format: FileFormat;
  readonly zone: string | null;
  readonly zoneReason: string;
  readonly isOfDay?: boolean;
  /** Why the stamps of its bars may be their ends. */
  readonly endsReason?: string;
  readonly meaning: ColumnMeaning;
}

/** Why a zone is that of all files of a format. */
export const OF_FORMAT = "the format's";
const UTC = { zone: "UTC", zoneReason: OF_FORMAT };
/** The zone of files that terminals write. */
export const SERVER = { zone: null, zoneReason: "its times are those of the broker's server" };
const EASTERN = { zone: NEW_YORK, zoneReason: OF_FORMAT };

const NINJATRADER = {
  format: "csv",
  zone: null,
  zoneReason: "its rows are as NinjaTrader writes them, in the zone of its computer",
  endsReason: "its rows are as NinjaTrader writes them, which stamps bars at their ends",
} as const;

/** Recognises rows without a heading; null if they have no known form. Throws an Error if they have two meanings. */
export function findByShape(cells: readonly (readonly string[])[], name: string): Known | null {
  const [first = []] = cells;
  const [one = "", two = ""] = first;
  const count = first.length;
  const areNumbers = (from: number, to: number) => first.slice(from, to).every((field) => NUMBER.test(field));
  const ticks = (at: Partial<Record<Field, number>>) => placeFields("ticks", at);
  const bars = (from: number, at: Partial<Record<Field, number>>, hasVolume = count > from + 4) =>
    placeFields("bars", {
      ...at,
      ...{ open: from, high: from + 1, low: from + 2, close: from + 3 },
      ...(hasVolume ? { volume: from + 4 } : {}),
    });
  if (/^\d{8} \d{9}$/.test(one) && (count === 3 || count === 4) && areNumbers(1, 3)) {
    return { format: "histdata", ...EASTERN, meaning: ticks({ time: 0, bid: 1, ask: 2 }) };
  }
  if (/^\d{8} \d{6}$/.test(one) && count >= 5 && count <= 6 && areNumbers(1, 5)) {
    // HistData has no volumes.
    const isOther = count === 6 && cells.some((row) => Number(row[5]) > 0);
    const isNinja = isOther || /\.(?:last|bid|ask)\b/i.test(name);
    const meaning = bars(1, { time: 0 });
    return isNinja && !isHistDataName(name) ? { ...NINJATRADER, meaning } : { format: "histdata", ...EASTERN, meaning };
  }
  const isDotted = /^\d{4}\.\d\d\.\d\d$/.test(one);
  if (isDotted && /^\d\d:\d\d(?::\d\d)?$/.test(two) && count >= 6 && count <= 7 && areNumbers(2, 6)) {
    const isHistData = /^DAT_MT_/i.test(name);
    const meaning = bars(2, { date: 0, time: 1 });
    return { format: isHistData ? "histdata" : "metatrader 4", ...(isHistData ? EASTERN : SERVER), meaning };
  }
  if (/^[A-Z]{3}\/?[A-Z]{3}$/i.test(one) && /^\d{8} \d\d:\d\d:\d\d/.test(two) && count === 4 && areNumbers(2, 4)) {
    return { format: "truefx", ...UTC, meaning: ticks({ symbol: 0, time: 1, bid: 2, ask: 3 }) };
  }
  if (isMsOfDay(one) && /\d{8}/.test(name)) {
    const lean = { format: "lean", ...UTC, isOfDay: true } as const;
    if (count === 3 && areNumbers(1, 3)) return { ...lean, meaning: ticks({ time: 0, bid: 1, ask: 2 }) };
    if (count === 11 && areNumbers(1, 11)) return { ...lean, meaning: bars(1, { time: 0 }, false) };
  }
  // Lean's hours and days: `20140501 21:00`, five values of the bid, five of the ask.
  if (/^\d{8} \d\d:\d\d$/.test(one) && count === 11 && areNumbers(1, 11)) {
    return { format: "lean", ...UTC, meaning: bars(1, { time: 0 }, false) };
  }
  return findAnyShape(cells);
}

const isMsOfDay = (text: string) => /^\d{1,8}(\.\d+)?$/.test(text) && Number(text) < DAY_MS;

/** A time, or a date and a time, maybe behind a symbol, and then numbers that are like a tick or like a bar. */
function findAnyShape(cells: readonly (readonly string[])[]): Known | null {
  const [first = []] = cells;
  const column = (index: number) => cells.map((row) => row[index] ?? "");
  const hasSymbol = /^[#@]?[A-Z][A-Z0-9./_:=-]{2,}$/i.test(first[0] ?? "");
  const start = hasSymbol ? 1 : 0;
  const kinds = [classifyTimes(column(start)), classifyTimes(column(start + 1))];
  const isPair = kinds[0] === "date" && kinds[1] === "clock";
  if (!isPair && kinds[0] !== "full" && kinds[0] !== "offset") return null;
  const times = isPair ? { date: start, time: start + 1 } : { time: start };
  const from = start + (isPair ? 2 : 1);
  const symbol = hasSymbol ? { symbol: 0 } : {};
  const values = cells
    .map((row) => row.slice(from).map(readLoosely))
    .filter((row) => row.slice(0, 2).every((value) => value > 0));
  const count = first.length - from;
  const known = { format: "csv", zone: "UTC", zoneReason: "the usual one of a csv" } as const;
  const bar = { open: from, high: from + 1, low: from + 2, close: from + 3 };
  const barLike = count < 4 ? 0 : values.filter(isLikeBar).length / Math.max(1, values.length);
  if (barLike > 0.5 && barLike < MOST) {
    throw new Error(
      "its rows do not tell bars from ticks: give their columns with --columns, such as time,open,high,low,close",
    );
  }
  if (barLike >= MOST) {
    requireOpenFirst(values, column(start));
    // A price behind the close is an average.
    const isAverage = values.every(([, high = 0, low = 0, , next = 0]) => next >= low && next <= high);
    const volume = count > 4 && !isAverage ? { volume: from + 4 } : {};
    const notes = ["without a heading, its fields are taken as open, high, low and close, as their values are"];
    return { ...known, meaning: placeFields("bars", { ...symbol, ...times, ...bar, ...volume }, notes) };
  }
  if (count < 2 || count > 4 || values.length === 0 || !values.every(([a = 0, b = 0]) => isNear(a, b, 0.2)))
    return null;
  // A whole number beside a price is the volume of a trade.
  const [areWhole, areAlsoWhole] = [from, from + 1].map((index) =>
    column(index).every((cell) => /^[+-]?\d+$/.test(cell)),
  );
  if (areWhole !== areAlsoWhole) return null;
  const rising = values.filter(([a = 0, b = 0]) => a < b).length;
  const falling = values.filter(([a = 0, b = 0]) => a > b).length;
  if (Math.min(rising, falling) > (1 - MOST) * values.length) {
    throw new Error("its rows do not tell the bid from the ask: give their order with --columns, such as time,bid,ask");
  }
  const isAskFirst = falling > rising;
  const sides = isAskFirst ? { ask: from, bid: from + 1 } : { bid: from, ask: from + 1 };
  const notes = [
    `without a heading, the ${isAskFirst ? "ask is taken to come before the bid" : "bid is taken to come before the ask"}, as the lower price is the bid`,
  ];
  return { ...known, meaning: placeFields("ticks", { ...symbol, ...times, ...sides }, notes) };
}

/** The least bars that tell whether the first price is the open, or the close. */
const LEAST_BARS = 5;

/** Throws an Error if bars follow each other with their last price as the open and their first as the close. */
function requireOpenFirst(values: readonly (readonly number[])[], times: readonly string[]): void {
  const isNewestFirst = (times[0] ?? "") > (times.at(-1) ?? "");
  const bars = isNewestFirst ? [...values].reverse() : values;
  if (bars.length < LEAST_BARS) return;
  const distance = (of: number, to: number) =>
    bars.slice(1).reduce((sum, bar, i) => sum + Math.abs((bar[of] ?? 0) - (bars[i]?.[to] ?? 0)), 0);
  if (distance(3, 0) * 2 >= distance(0, 3)) return;
  throw new Error(
    "its last price is like an open, and its first like a close: give their order with --columns, such as time,close,high,low,open",
  );
}

function readLoosely(text: string): number {
  const plain = text.replace(/[ '$€£¥\u00a0\u2009\u202f\u2019]/g, "");
  const decimal = plain.lastIndexOf(",") > plain.lastIndexOf(".") ? "," : ".";
  const point = plain.replaceAll(decimal === "," ? "." : ",", "").replace(",", ".");
  return NUMBER.test(text) ? Number(point) : NaN;
}

const isNear = (a: number, b: number, share: number) => Math.abs(a - b) <= share * Math.min(a, b);

function isLikeBar([open = NaN, high = NaN, low = NaN, close = NaN]: readonly number[]): boolean {
  return high >= Math.max(open, low, close) && low <= Math.min(open, close) && isNear(high, low, 0.5);
}
