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
