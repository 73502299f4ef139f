import type { TradingHours, Weekday } from "@/lib/market/instrument";

/**
 * The usual trading hours of each kind of market, as several brokers publish them, in the civil time of the market's
 * home. Brokers differ by some minutes around a break; these differences are ignored.
 */

type Interval = { readonly from: string; readonly to: string };

const closed: readonly Interval[] = [];
const wholeDay: readonly Interval[] = [{ from: "00:00", to: "24:00" }];

/** The same intervals Monday to Friday, given as "09:00-17:30". */
export function weekdays(zone: string, ...spans: readonly string[]): TradingHours {
  const day = spans.map(interval);
  return {
    zone,
    days: { sunday: closed, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: closed },
  };
}

/** A week that opens on Sunday and closes on Friday, with one break a day from `closesAt` to `opensAt`, or none. */
function sundayToFriday(zone: string, opensAt: string, closesAt: string): TradingHours {
  const evening = interval(`${opensAt}-24:00`);
  const untilClose = interval(`00:00-${closesAt}`);
  const between = opensAt === closesAt ? wholeDay : [untilClose, evening];
  return {
    zone,
    days: {
      sunday: [evening],
      monday: between,
      tuesday: between,
      wednesday: between,
      thursday: between,
      friday: [untilClose],
      saturday: closed,
    },
  };
}

/** A day session and a night session that runs into the next morning; the night of Friday is not traded. */
export function dayAndNight(zone: string, day: readonly string[], nightFrom: string, nightTo: string): TradingHours {
  const daySpans = day.map(interval);
  const night = interval(`${nightFrom}-24:00`);
  const morning = interval(`00:00-${nightTo}`);
  const full = [morning, ...daySpans, night];
  const days: Record<Weekday, readonly Interval[]> = {
    sunday: closed,
    monday: [...daySpans, night],
    tuesday: full,
    wednesday: full,
    thursday: full,
    friday: [morning, ...daySpans],
    saturday: closed,
  };
  return { zone, days };
}

/** Spot foreign exchange: one week without a break. */
export const forexHours = sundayToFriday("America/New_York", "17:00", "17:00");
/** CME and similar markets: metals, WTI, gas, copper and the American index futures, with an hour's break each day. */
export const cmeHours = sundayToFriday("America/New_York", "18:00", "17:00");
/** ICE Brent breaks for two hours. */
export const brentHours = sundayToFriday("America/New_York", "20:00", "18:00");
export const newYorkStockHours = weekdays("America/New_York", "09:30-16:00");
/** Coins never close. */
export const cryptoHours: TradingHours = {
  zone: "UTC",
  days: {
    sunday: wholeDay,
    monday: wholeDay,
    tuesday: wholeDay,
    wednesday: wholeDay,
    thursday: wholeDay,
    friday: wholeDay,
    saturday: wholeDay,
  },
};

/** Grains in Chicago: a night and a day session. */
export const grainHours: TradingHours = {
  zone: "America/Chicago",
  days: {
    sunday: [interval("19:00-24:00")],
    monday: grainDay(),
    tuesday: grainDay(),
    wednesday: grainDay(),
    thursday: grainDay(),
    friday: grainDay().slice(0, 2),
    saturday: closed,
  },
};
/** Coffee, cocoa, sugar, cotton and orange juice in New York, from the first opening to the last close of them. */
export const softHours = weekdays("America/New_York", "03:30-14:20");

/** The main session of each country's stock exchange, by ISO 3166 code; closing auctions are included. */
export const exchangeHours: ReadonlyMap<string, TradingHours> = new Map([
  ["US", newYorkStockHours],
  ["CA", weekdays("America/Toronto", "09:30-16:00")],
  ["MX", weekdays("America/Mexico_City", "08:30-15:00")],
  ["GB", weekdays("Europe/London", "08:00-16:35")],
  ["IE", weekdays("Europe/Dublin", "08:00-16:30")],
  ["PT", weekdays("Europe/Lisbon", "08:00-16:35")],
  ["DE", weekdays("Europe/Berlin", "09:00-17:35")],
  ["FR", weekdays("Europe/Paris", "09:00-17:35")],
  ["NL", weekdays("Europe/Amsterdam", "09:00-17:35")],
  ["BE", weekdays("Europe/Brussels", "09:00-17:35")],
  ["ES", weekdays("Europe/Madrid", "09:00-17:35")],
  ["IT", weekdays("Europe/Rome", "09:00-17:35")],
  ["AT", weekdays("Europe/Vienna", "09:00-17:35")],
  ["CH", weekdays("Europe/Zurich", "09:00-17:30")],
  ["SE", weekdays("Europe/Stockholm", "09:00-17:30")],
  ["DK", weekdays("Europe/Copenhagen", "09:00-17:00")],
  ["NO", weekdays("Europe/Oslo", "09:00-16:25")],
  ["FI", weekdays("Europe/Helsinki", "10:00-18:30")],
  ["PL", weekdays("Europe/Warsaw", "09:00-17:05")],
  ["CZ", weekdays("Europe/Prague", "09:00-16:25")],
  ["HU", weekdays("Europe/Budapest", "09:00-17:05")],
  ["ZA", weekdays("Africa/Johannesburg", "09:00-17:00")],
  ["JP", weekdays("Asia/Tokyo", "09:00-11:30", "12:30-15:30")],
  ["HK", weekdays("Asia/Hong_Kong", "09:30-12:00", "13:00-16:10")],
  ["SG", weekdays("Asia/Singapore", "09:00-12:00", "13:00-17:16")],
  ["KR", weekdays("Asia/Seoul", "09:00-15:30")],
  ["TW", weekdays("Asia/Taipei", "09:00-13:30")],
  ["CN", weekdays("Asia/Shanghai", "09:30-11:30", "13:00-15:00")],
  ["TR", weekdays("Europe/Istanbul", "10:00-18:10")],
  ["BR", weekdays("America/Sao_Paulo", "10:00-18:00")],
  ["IN", weekdays("Asia/Kolkata", "09:15-15:30")],
  ["AU", weekdays("Australia/Sydney", "10:00-16:12")],
]);

function grainDay(): readonly Interval[] {
  return ["00:00-07:45", "08:30-13:20", "19:00-24:00"].map(interval);
}

function interval(span: string): Interval {
  const [from = "", to = ""] = span.split("-");
  return { from, to };
}

/**
 * Fields that all instruments share unless their file sets them. Overnight financing is null: only the broker defines
 * it.
 */
export const DEFAULTS = {
  minVolume: 0.01,
  maxVolume: 100,
  volumeStep: 0.01,
  swapLong: null,
  swapShort: null,
  aliases: [],
} as const;
