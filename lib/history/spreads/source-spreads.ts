import type { Quote } from "@/lib/feeds/intake";
import { MINUTES_PER_HOUR, type SpreadHour } from "@/lib/history/spreads/spread-hour";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Every source's own spreads of the latest hours, sampled once a second: the last quote of each second that had one.
 * They live in memory until their hour is written, so unlike what was served, a process that is killed loses those
 * of its last hour. They compare brokers; nothing is priced by them.
 */
export interface SourceSpreads {
  /** Takes a quote of any source, in the order of its times. */
  onQuote(quote: Pick<Quote, "source" | "instrument" | "bid" | "ask" | "timeMs">): void;
  /** One symbol's hours in memory, of all sources. */
  getHours(symbol: string): readonly SpreadHour[];
  /** Everything in memory; of the second that each source is in, nothing yet. */
  getAll(): readonly SpreadHour[];
  /** Counts the seconds before `untilMs` that no later quote has ended, and tells the hours that began in [fromMs, untilMs). */
  collect(fromMs: number, untilMs: number): readonly SpreadHour[];
  /** Goes on from hours that another process has sampled. Only before the first quote. */
  restore(hours: readonly SpreadHour[]): void;
}

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

interface FillingHour extends SpreadHour {
  readonly minutes: readonly Map<number, number>[];
}

/** An hour is written soon after it has ended; kept for longer, so that a database that is away for a while is no loss. */
const KEPT_HOURS = 3;

export function createSourceSpreads(): SourceSpreads {
  const streams = new Map<string, Map<string, Stream>>();

  function streamOf(symbol: string, source: string): Stream {
    let bySource = streams.get(symbol);
    if (bySource === undefined) streams.set(symbol, (bySource = new Map()));
    let stream = bySource.get(source);
    if (stream === undefined) {
      stream = { symbol, source, second: -1, spread: 0, counted: true, hours: [] };
      bySource.set(source, stream);
    }
    return stream;
  }

  const hoursOf = (symbol: string) => [...(streams.get(symbol)?.values() ?? [])].flatMap(({ hours }) => hours);
  const all = () => [...streams.keys()].flatMap(hoursOf);

  return {
    onQuote({ source, instrument, bid, ask, timeMs }) {
      const stream = streamOf(instrument.symbol, source);
      const second = Math.floor(timeMs / 1000);
      if (second < stream.second) return;
      if (second > stream.second) {
        count(stream);
        stream.second = second;
        stream.counted = false;
      }
      const scale = 10 ** instrument.digits;
      stream.spread = Math.round(ask * scale) - Math.round(bid * scale);
    },
    getHours: hoursOf,
    getAll: all,
    collect(fromMs, untilMs) {
      for (const bySource of streams.values()) {
        for (const stream of bySource.values()) if (stream.second * 1000 < untilMs) count(stream);
      }
      return all().filter(({ hourMs }) => fromMs <= hourMs && hourMs < untilMs);
    },
    restore(hours) {
      for (const hour of hours) {
        const stream = streamOf(hour.symbol, hour.source);
        stream.hours.push({ ...hour, minutes: hour.minutes.map((minute) => new Map(minute)) });
        stream.hours.sort((one, other) => one.hourMs - other.hourMs);
      }
    },
  };
}

/** Counts the second a source is in, once it is over. */
function count(stream: Stream): void {
  const { second, spread, counted } = stream;
  if (counted) return;
  stream.counted = true;
  const hourMs = Math.floor((second * 1000) / HOUR_MS) * HOUR_MS;
  let hour = stream.hours.at(-1);
  if (hour === undefined || hour.hourMs < hourMs) {
    hour = emptyHour(stream, hourMs);
    stream.hours = [...stream.hours, hour].slice(-KEPT_HOURS);
  }
  const histogram = hour.minutes[Math.floor(second / 60) % MINUTES_PER_HOUR];
  histogram?.set(spread, (histogram.get(spread) ?? 0) + 1);
}

function emptyHour({ symbol, source }: Stream, hourMs: number): FillingHour {
  return { symbol, source, hourMs, minutes: Array.from({ length: MINUTES_PER_HOUR }, () => new Map()) };
}
