import type { FeedSink, FeedSource } from "@/lib/feeds/feed";
import { createSourceCounts, type IntakeCounts, type SourceCounts, sumCounts } from "@/lib/feeds/intake-counts";
import { createLevel, isPlausible, type Level } from "@/lib/feeds/plausibility";
import type { Refusal } from "@/lib/feeds/refusals";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import type { createResolver } from "@/lib/market/symbols/resolver";
import type { Tick } from "@/lib/market/tick";
import type { Clock } from "@/lib/platform/clock";
import { type Logger, silentLog } from "@/lib/platform/log";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * The gate every tick passes, whatever feed it comes from. It gives the price its canonical instrument and digits,
 * turns away what no trader should see (wrong prices are worse than missing ones), and counts every refusal by source
 * and reason. What gets through reaches `onQuote` in non-decreasing broker time per source and symbol.
 */

/** A checked price: rounded to the instrument's digits, bid ≤ ask, both above zero. Times are UTC milliseconds. */
export interface Quote {
  readonly source: string;
  readonly instrument: Instrument;
  readonly bid: number;
  readonly ask: number;
  /** When the broker says the price was made. */
  readonly timeMs: number;
  /** When it reached this process, on the market clock. */
  readonly receivedAtMs: number;
}

export type Intake = FeedSink & { counts(): IntakeCounts };

type Resolver = Pick<ReturnType<typeof createResolver>, "resolve">;

interface IntakeOptions {
  readonly resolver: Resolver;
  /** Counted from the start, so that a source that never sent anything is seen in the report. */
  readonly sources: readonly FeedSource[];
  readonly onQuote: (quote: Quote) => void;
  readonly now: Clock;
  readonly log?: Logger;
}

/** A broker's clock may run ahead of ours by this much: virtual machines and trade servers do drift by seconds. */
const FUTURE_TOLERANCE_MS = MINUTE_MS;
/** Spellings remembered per source: more than a broker lists. Beyond these, each tick's symbol is resolved anew. */
const SPELLINGS_REMEMBERED = 5_000;
/** Of these, spellings that name nothing, so that junk cannot crowd out the names that do. */
const UNRESOLVED_REMEMBERED = 500;
/** No broker's spelling is longer; a longer one is not worth its memory. */
const LONGEST_SPELLING = 64;

/** One symbol across all sources: where the market was last seen. */
interface Market {
  readonly instrument: Instrument;
  mid: number;
}

/** One symbol at one source. */
interface Stream {
  readonly market: Market;
  readonly level: Level;
  bid: number;
  ask: number;
  timeMs: number;
}

type Spelling = Stream | "unknown_symbol" | "ambiguous_symbol";

interface Source {
  readonly counts: SourceCounts;
  readonly spellings: Map<string, Spelling>;
  readonly streams: Map<string, Stream>;
  unresolved: number;
}

export function createIntake({ resolver, sources: expected, onQuote, now, log = silentLog }: IntakeOptions): Intake {
  const sources = new Map<string, Source>();
  const markets = new Map<string, Market>();

  function sourceOf(name: string): Source {
    let source = sources.get(name);
    if (source === undefined) {
      source = { counts: createSourceCounts(name), spellings: new Map(), streams: new Map(), unresolved: 0 };
      sources.set(name, source);
    }
    return source;
  }

  /** Two spellings of one instrument at one source share their stream, so that time cannot run back between them. */
  function streamOf(source: Source, instrument: Instrument): Stream {
    let stream = source.streams.get(instrument.symbol);
    if (stream === undefined) {
      let market = markets.get(instrument.symbol);
      if (market === undefined) markets.set(instrument.symbol, (market = { instrument, mid: 0 }));
      stream = { market, level: createLevel(), bid: 0, ask: 0, timeMs: 0 };
      source.streams.set(instrument.symbol, stream);
    }
    return stream;
  }

  function learnSpelling(source: Source, brokerSymbol: string): Spelling {
    if (brokerSymbol.length > LONGEST_SPELLING) return "unknown_symbol";
    const resolution = resolver.resolve(brokerSymbol);
    if (resolution.kind === "found") {
      const stream = streamOf(source, resolution.instrument);
      if (source.spellings.size < SPELLINGS_REMEMBERED) source.spellings.set(brokerSymbol, stream);
      return stream;
    }
    const reason: Refusal = `${resolution.kind}_symbol`;
    if (source.unresolved < UNRESOLVED_REMEMBERED) {
      source.unresolved++;
      source.spellings.set(brokerSymbol, reason);
      log.warn(
        { source: source.counts.source, brokerSymbol, resolution },
        "A broker's symbol names no single instrument",
      );
    }
    return reason;
  }

  function check(tick: Tick, source: Source): Refusal | null {
    const spelling = source.spellings.get(tick.brokerSymbol) ?? learnSpelling(source, tick.brokerSymbol);
    if (typeof spelling === "string") return spelling;
    const { market } = spelling;
    const { instrument } = market;
    // Rounded before anything is compared: 1.386549999 and 1.38655 are the same price.
    const bid = roundPrice(tick.bid, instrument.digits);
    const ask = roundPrice(tick.ask, instrument.digits);
    const timeMs = Math.floor(tick.brokerTimeMs);
    if (!Number.isFinite(bid) || !Number.isFinite(ask) || !Number.isFinite(timeMs)) return "non_finite";
    if (bid <= 0 || ask <= 0 || timeMs <= 0) return "non_positive";
    if (bid > ask) return "crossed";
    if (!(timeMs <= tick.receivedAtMs + FUTURE_TOLERANCE_MS)) return "future";
    if (timeMs < spelling.timeMs) return "late";
    if (timeMs === spelling.timeMs && bid === spelling.bid && ask === spelling.ask) return "duplicate";
    if (!isPlausible(spelling.level, bid, ask, instrument.category, market.mid)) return "far_off";
    spelling.bid = bid;
    spelling.ask = ask;
    spelling.timeMs = timeMs;
    market.mid = spelling.level.mid;
    onQuote({ source: source.counts.source, instrument, bid, ask, timeMs, receivedAtMs: tick.receivedAtMs });
    return null;
  }

  for (const { name } of expected) sourceOf(name);

  return {
    tick(tick) {
      const source = sources.get(tick.source) ?? sourceOf(tick.source);
      const refusal = check(tick, source);
      if (refusal === null) {
        source.counts.accepted++;
        source.counts.lastTickAtMs = tick.receivedAtMs;
      } else {
        source.counts.refused[refusal]++;
      }
    },

    status(name, status, detail) {
      const { counts } = sourceOf(name);
      counts.status = status;
      counts.statusAtMs = now();
      log.info({ source: name, detail }, `Source ${status}`);
    },

    counts: () => sumCounts(Array.from(sources.values(), ({ counts }) => counts)),
  };
}
