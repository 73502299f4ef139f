import type { PastPrice } from "@/lib/feeds/feed";
import { createHourColumns, type HourColumns, MINUTES_PER_HOUR, writeSecond } from "@/lib/history/hour-columns";
import { SERVED, type SpreadHour } from "@/lib/history/spreads/spread-hour";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Past prices as hours that the stores can write. */

type Priced = Pick<Instrument, "symbol" | "digits">;

/** Hours of prices, oldest first. Each second has one price. */
export function toHourColumns({ symbol, digits }: Priced, prices: Iterable<PastPrice>): HourColumns[] {
  const hours: HourColumns[] = [];
  const scale = 10 ** digits;
  for (const { timeMs, updates, ...price } of prices) {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    let hour = hours.at(-1);
    if (hour?.hourMs !== hourMs) hours.push((hour = createHourColumns(symbol, digits, hourMs)));
    const bid = Math.round(price.bid * scale);
    const ask = Math.round(price.ask * scale);
    writeSecond(hour, { symbol, second: timeMs / 1000, bid, ask, open: bid, high: bid, low: bid, updates });
  }
  return hours;
}

/** Hours of spreads, oldest first. A price that lasts several seconds counts as that many samples. */
export function toSpreadHours({ symbol, digits }: Priced, prices: Iterable<PastPrice>, stepMs: number): SpreadHour[] {
  const hours: (SpreadHour & { readonly minutes: readonly Map<number, number>[] })[] = [];
  const scale = 10 ** digits;
  const samples = stepMs / SECOND_MS;
  for (const { timeMs, bid, ask } of prices) {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    let hour = hours.at(-1);
    if (hour?.hourMs !== hourMs) {
      const minutes = Array.from({ length: MINUTES_PER_HOUR }, () => new Map<number, number>());
      hours.push((hour = { symbol, source: SERVED, hourMs, minutes }));
    }
    const minute = hour.minutes[Math.floor((timeMs - hourMs) / MINUTE_MS)] as Map<number, number>;
    const spread = Math.round(ask * scale) - Math.round(bid * scale);
    minute.set(spread, (minute.get(spread) ?? 0) + samples);
  }
  return hours;
}
