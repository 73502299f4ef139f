import { type FeedSink, nameQuote } from "@/lib/feeds/feed";
import {
  addRefusal,
  addStatus,
  type Aliases,
  type IntakeContext,
  type IntakeCounts,
  IntakeSource,
  type Stream,
  sumCounts,
} from "@/lib/feeds/intake-source";
import { isPlausible } from "@/lib/feeds/plausibility";
import type { Refusal } from "@/lib/feeds/refusals";
import type { Tick } from "@/lib/market/bar";
import { raiseDigitsTo } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { cleanPrice, MAX_POINTS } from "@/lib/market/price";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * A checked price: as its source wrote it, up to ten digits, which the instrument has too; bid ≤ ask, both above zero.
 * Times are UTC milliseconds.
 */
export interface Quote {
  readonly source: string;
  readonly instrument: Instrument;
  readonly bid: number;
  readonly ask: number;
  /** When the price was made, by the broker's clock, but at most a second after its receipt. */
  readonly timeMs: number;
  /** When it reached this process, on the market clock. */
  readonly receivedAtMs: number;
}

export interface Intake extends FeedSink {
  counts(): IntakeCounts;
  /** The counts and more of one source. */
  source(name: string): IntakeSource | undefined;
  /**
   * Replaces the list of sources. Those in `renewed` begin anew, as the ones that were not in the list before, and no
   * earlier price of any source is what a first tick is compared with.
   */
  setSources(sources: readonly IntakeSourceSetting[], renewed: ReadonlySet<string>): void;
  /**
   * Replaces the aliases of these sources, whose counts go on. Returns the names, as of `nameQuote`, of the earlier quotes
   * that may be of other instruments.
   */
  setAliases(sources: readonly IntakeSourceSetting[]): ReadonlySet<string>;
  /** Follows a change of the catalog. Returns the same as `setAliases`. */
  followCatalog(): ReadonlySet<string>;
  /** Accepts ticks of any time from now on: call it when the clock was set back. */
  forgetTimes(): void;
}

interface IntakeSourceSetting {
  readonly name: string;
  readonly aliases?: Aliases;
}

interface IntakeOptions {
  readonly resolver: IntakeContext["resolver"];
  /** Reported from the start, also before their first tick. */
  readonly sources: readonly IntakeSourceSetting[];
  readonly onQuote: (quote: Quote) => void;
  /** Called with every tick of an instrument, after it was accepted, or refused for a reason. */
  readonly onChecked?: (tick: Tick, symbol: string, refusal: Refusal | null) => void;
  /** Called with the first tick of each spelling that names nothing, again after each change of the catalog. */
  readonly onUnknown?: (tick: Tick) => void;
  readonly now: Clock;
  readonly log?: Logger;
}

/**
 * A broker's clock may be ahead of ours by this much: clocks of virtual machines and trade servers drift by seconds. A
 * tick that is further ahead is refused.
 */
const FUTURE_TOLERANCE_MS = MINUTE_MS;
/** No tick is dated further ahead of its receipt than this, so that it cannot make the next ones late for long. */
const MAX_AHEAD_MS = SECOND_MS;

/**
 * Creates the checks that every tick of every feed passes. A tick gets its canonical instrument, or is refused and
 * counted by source and reason: wrong prices are worse than missing ones. Accepted ticks reach `onQuote` in
 * non-decreasing broker time per source and symbol.
 */
export function createIntake(options: IntakeOptions): Intake {
  return new TickIntake(options);
}

function nameQuotes(requoted: readonly (readonly [string, readonly Instrument[]])[]): ReadonlySet<string> {
  return new Set(requoted.flatMap(([source, found]) => found.map(({ symbol }) => nameQuote(source, symbol))));
}

class TickIntake implements Intake {
  readonly #sources = new Map<string, IntakeSource>();
  readonly #context: IntakeContext;
  readonly #onQuote: (quote: Quote) => void;
  readonly #onChecked: NonNullable<IntakeOptions["onChecked"]>;
  readonly #now: Clock;
  readonly #log: Logger;

  constructor(options: IntakeOptions) {
    const { resolver, sources, onQuote, onChecked = () => {}, onUnknown = () => {}, now, log = silentLog } = options;
    this.#context = { resolver, markets: new Map(), log, onUnknown };
    this.#onQuote = onQuote;
    this.#onChecked = onChecked;
    this.#now = now;
    this.#log = log;
    for (const { name, aliases } of sources) this.#addSource(name, aliases);
  }

  tick(tick: Tick): void {
    const source = this.#sources.get(tick.source) ?? this.#addSource(tick.source);
    const stream = source.findStream(tick);
    const refusal = typeof stream === "string" ? stream : this.#check(tick, source, stream);
    if (refusal === null) {
      source.counts.accepted++;
      source.counts.lastTickAtMs = tick.receivedAtMs;
      source.meter.add(tick.receivedAtMs, tick.brokerTimeMs);
    } else {
      addRefusal(source.counts, refusal, tick);
    }
    if (typeof stream !== "string") this.#onChecked(tick, stream.market.instrument.symbol, refusal);
  }

  status(name: string, status: Parameters<FeedSink["status"]>[1], detail?: string): void {
    const { counts } = this.#sources.get(name) ?? this.#addSource(name);
    addStatus(counts, status, detail, this.#now());
    this.#log.info({ source: name, detail }, `Source ${status}`);
  }

  forgetTimes(): void {
    for (const source of this.#sources.values()) source.forgetTimes();
  }

  counts(): IntakeCounts {
    return sumCounts(Array.from(this.#sources.values(), ({ counts }) => counts));
  }

  source(name: string): IntakeSource | undefined {
    return this.#sources.get(name);
  }

  setSources(sources: readonly IntakeSourceSetting[], renewed: ReadonlySet<string>): void {
    const names = new Set(sources.map(({ name }) => name));
    for (const name of this.#sources.keys()) {
      if (!names.has(name) || renewed.has(name)) this.#sources.delete(name);
    }
    for (const market of this.#context.markets.values()) market.mid = 0;
    for (const { name, aliases } of sources) if (!this.#sources.has(name)) this.#addSource(name, aliases);
  }

  setAliases(sources: readonly IntakeSourceSetting[]): ReadonlySet<string> {
    return nameQuotes(
      sources.map(({ name, aliases = {} }) => [name, this.#sources.get(name)?.setAliases(aliases) ?? []]),
    );
  }

  followCatalog(): ReadonlySet<string> {
    return nameQuotes([...this.#sources].map(([name, source]) => [name, source.followCatalog()]));
  }

  #addSource(name: string, aliases?: Aliases): IntakeSource {
    const source = new IntakeSource(name, this.#context, aliases);
    this.#sources.set(name, source);
    return source;
  }

  /** Passes a good tick on as a quote and returns null; otherwise returns the reason of the refusal. */
  #check(tick: Tick, source: IntakeSource, stream: Stream): Refusal | null {
    const { market } = stream;
    const { instrument } = market;
    // Cleaned before anything is compared: 1.3865500000000002 and 1.38655 are the same price.
    const bid = cleanPrice(tick.bid, instrument.digits);
    const ask = cleanPrice(tick.ask, instrument.digits);
    const timeMs = Math.floor(Math.min(tick.brokerTimeMs, tick.receivedAtMs + MAX_AHEAD_MS));
    if (!isNumber(bid) || !isNumber(ask) || !Number.isFinite(timeMs)) return "non_finite";
    if (bid <= 0 || ask <= 0 || timeMs <= 0) return "non_positive";
    if (bid > ask) return "crossed";
    if (tick.brokerTimeMs > tick.receivedAtMs + FUTURE_TOLERANCE_MS) return "future";
    if (timeMs < stream.timeMs) return "late";
    if (timeMs === stream.timeMs && bid === stream.bid && ask === stream.ask) return "duplicate";
    if (!isPlausible(stream.level, bid, ask, instrument.category, market.mid)) return "far_off";
    stream.bid = bid;
    stream.ask = ask;
    stream.timeMs = timeMs;
    market.mid = stream.level.mid;
    raiseDigitsTo(instrument, bid, ask);
    this.#onQuote({ source: source.counts.source, instrument, bid, ask, timeMs, receivedAtMs: tick.receivedAtMs });
    return null;
  }
}

/** Whether a price is finite, and not too large to be stored. */
function isNumber(price: number): boolean {
  return Math.abs(price) <= MAX_POINTS;
}
