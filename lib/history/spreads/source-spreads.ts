import type { Quote } from "@/lib/feeds/intake";
import { MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import { FillingHour } from "@/lib/history/spreads/filling-hour";
import type { SpreadHour } from "@/lib/history/spreads/spread-hour";
import { HOUR_MS } from "@/lib/time/units";

interface Stream {
  readonly symbol: string;
  readonly source: string;
  /** The second of the newest quote, its spread in points, and whether it has been counted. */
  second: number;
  spread: number;
  counted: boolean;
  /** Oldest first. */
  hours: FillingHour[];
}

/**
 * An hour is stored soon after its end. It stays longer in memory, so that a short outage of the database loses
 * nothing.
 */
const MAX_HOURS = 3;

/**
 * Every source's own spreads of the latest hours: the last quote of each second that had one. They live in memory until
 * their hour is stored, so a killed process loses those of its last hour. They compare brokers; no price depends on them.
 */
export class SourceSpreads {
  readonly #streams = new Map<string, Map<string, Stream>>();

  /** Accepts a quote of any source, in the order of its times. */
  onQuote({ source, instrument, bid, ask, timeMs }: Pick<Quote, "source" | "instrument" | "bid" | "ask" | "timeMs">) {
    const stream = this.#getStream(instrument.symbol, source);
    const second = Math.floor(timeMs / 1000);
    if (second < stream.second) return;
    if (second > stream.second) {
      count(stream);
      stream.second = second;
      stream.counted = false;
    }
    const scale = 10 ** instrument.digits;
    stream.spread = Math.round(ask * scale) - Math.round(bid * scale);
  }

  /** One symbol's hours in memory, of all sources, without the current second of each source. */
  getHours(symbol: string): readonly FillingHour[] {
    return [...(this.#streams.get(symbol)?.values() ?? [])].flatMap(({ hours }) => hours);
  }

  /** Counts the seconds before `untilMs` that no later quote has ended, and returns the hours that began in [fromMs, untilMs). */
  collect(fromMs: number, untilMs: number): readonly SpreadHour[] {
    for (const bySource of this.#streams.values()) {
      for (const stream of bySource.values()) if (stream.second * 1000 < untilMs) count(stream);
    }
    const all = [...this.#streams.keys()].flatMap((symbol) => this.getHours(symbol));
    return all.filter(({ hourMs }) => fromMs <= hourMs && hourMs < untilMs);
  }

  /** Continues hours that another process has sampled, in place of those of the same time. */
  restore(hours: readonly SpreadHour[]): void {
    for (const hour of hours) {
      const stream = this.#getStream(hour.symbol, hour.source);
      const others = stream.hours.filter(({ hourMs }) => hourMs !== hour.hourMs);
      stream.hours = [...others, new FillingHour(hour, hour.minutes)].sort((one, other) => one.hourMs - other.hourMs);
      // The other process has counted its current second with them.
      if (getHourMs(stream.second) === hour.hourMs) stream.counted = true;
    }
  }

  #getStream(symbol: string, source: string): Stream {
    let bySource = this.#streams.get(symbol);
    if (bySource === undefined) this.#streams.set(symbol, (bySource = new Map()));
    let stream = bySource.get(source);
    if (stream === undefined) {
      stream = { symbol, source, second: -1, spread: 0, counted: true, hours: [] };
      bySource.set(source, stream);
    }
    return stream;
  }
}

const getHourMs = (second: number): number => Math.floor((second * 1000) / HOUR_MS) * HOUR_MS;

/** Counts a source's current second, once it is over. */
function count(stream: Stream): void {
  const { second, spread, counted } = stream;
  if (counted) return;
  stream.counted = true;
  const hourMs = getHourMs(second);
  let hour = stream.hours.at(-1);
  if (hour === undefined || hour.hourMs < hourMs) {
    hour?.trim();
    hour = new FillingHour({ symbol: stream.symbol, source: stream.source, hourMs });
    stream.hours = [...stream.hours, hour].slice(-MAX_HOURS);
  }
  hour.count(Math.floor(second / SECONDS_PER_MINUTE) % MINUTES_PER_HOUR, spread);
}
