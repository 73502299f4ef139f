import type { FeedSink, FeedSource } from "@/lib/feeds/feed";
import { type IntakeCounts, sumCounts } from "@/lib/feeds/intake-counts";
import { type IntakeContext, IntakeSource } from "@/lib/feeds/intake-source";
import { isPlausible } from "@/lib/feeds/plausibility";
import type { Refusal } from "@/lib/feeds/refusals";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import type { Tick } from "@/lib/market/tick";
import type { Clock } from "@/lib/platform/clock";
import { type Logger, silentLog } from "@/lib/platform/log";
import { MINUTE_MS } from "@/lib/time/units";

/** A checked price: rounded to the instrument's digits, bid ≤ ask, both above zero. Times are UTC milliseconds. */
export interface Quote {
  readonly source: string;
  readonly instrument: Instrument;
  readonly bid: number;
  readonly ask: number;
  /** When the price was made, by the broker's clock. */
  readonly timeMs: number;
  /** When it reached this process, on the market clock. */
  readonly receivedAtMs: number;
}

export type Intake = FeedSink & { counts(): IntakeCounts };

interface IntakeOptions {
  readonly resolver: IntakeContext["resolver"];
  /** Reported from the start, also before their first tick. */
  readonly sources: readonly FeedSource[];
  readonly onQuote: (quote: Quote) => void;
  readonly now: Clock;
  readonly log?: Logger;
}

/** A broker's clock may be ahead of ours by this much: clocks of virtual machines and trade servers drift by seconds. */
const FUTURE_TOLERANCE_MS = MINUTE_MS;

/**
 * Creates the checks that every tick of every feed passes. A tick gets its canonical instrument and digits, or is refused
 * and counted by source and reason: wrong prices are worse than missing ones. Accepted ticks reach `onQuote` in
 * non-decreasing broker time per source and symbol.
 */
export function createIntake(options: IntakeOptions): Intake {
  return new TickIntake(options);
}

class TickIntake implements Intake {
  readonly #sources = new Map<string, IntakeSource>();
  readonly #context: IntakeContext;
  readonly #onQuote: (quote: Quote) => void;
  readonly #now: Clock;
  readonly #log: Logger;

  constructor({ resolver, sources, onQuote, now, log = silentLog }: IntakeOptions) {
    this.#context = { resolver, markets: new Map(), log };
    this.#onQuote = onQuote;
    this.#now = now;
    this.#log = log;
    for (const { name } of sources) this.#addSource(name);
  }

  tick(tick: Tick): void {
    const source = this.#sources.get(tick.source) ?? this.#addSource(tick.source);
    const refusal = this.#check(tick, source);
    if (refusal === null) {
      source.counts.accepted++;
      source.counts.lastTickAtMs = tick.receivedAtMs;
    } else {
      source.counts.refused[refusal]++;
    }
  }

  status(name: string, status: Parameters<FeedSink["status"]>[1], detail?: string): void {
    const { counts } = this.#sources.get(name) ?? this.#addSource(name);
    counts.status = status;
    counts.statusAtMs = this.#now();
    this.#log.info({ source: name, detail }, `Source ${status}`);
  }

  counts(): IntakeCounts {
    return sumCounts(Array.from(this.#sources.values(), ({ counts }) => counts));
  }

  #addSource(name: string): IntakeSource {
    const source = new IntakeSource(name, this.#context);
    this.#sources.set(name, source);
    return source;
  }

  /** Passes a good tick on as a quote and returns null; otherwise returns the reason of the refusal. */
  #check(tick: Tick, source: IntakeSource): Refusal | null {
    const stream = source.findStream(tick.brokerSymbol);
    if (typeof stream === "string") return stream;
    const { market } = stream;
    const { instrument } = market;
    // Rounded before anything is compared: 1.386549999 and 1.38655 are the same price.
    const bid = roundPrice(tick.bid, instrument.digits);
    const ask = roundPrice(tick.ask, instrument.digits);
    const timeMs = Math.floor(tick.brokerTimeMs);
    if (!Number.isFinite(bid) || !Number.isFinite(ask) || !Number.isFinite(timeMs)) return "non_finite";
    if (bid <= 0 || ask <= 0 || timeMs <= 0) return "non_positive";
    if (bid > ask) return "crossed";
    if (!(timeMs <= tick.receivedAtMs + FUTURE_TOLERANCE_MS)) return "future";
    if (timeMs < stream.timeMs) return "late";
    if (timeMs === stream.timeMs && bid === stream.bid && ask === stream.ask) return "duplicate";
    if (!isPlausible(stream.level, bid, ask, instrument.category, market.mid)) return "far_off";
    stream.bid = bid;
    stream.ask = ask;
    stream.timeMs = timeMs;
    market.mid = stream.level.mid;
    this.#onQuote({ source: source.counts.source, instrument, bid, ask, timeMs, receivedAtMs: tick.receivedAtMs });
    return null;
  }
}
