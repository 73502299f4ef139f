import { createSourceCounts, type SourceCounts } from "@/lib/feeds/intake-counts";
import { createLevel, type Level } from "@/lib/feeds/plausibility";
import type { Refusal } from "@/lib/feeds/refusals";
import { SourceMeter } from "@/lib/feeds/source-meter";
import type { Instrument } from "@/lib/market/instrument";
import type { createResolver } from "@/lib/market/symbols/resolver";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Logger } from "@/lib/platform/log/log";

/** One symbol across all sources. */
interface Market {
  readonly instrument: Instrument;
  /** Mid of the last accepted tick of any source; 0 before the first. */
  mid: number;
}

/** One symbol of one source, with its last accepted tick. */
interface Stream {
  readonly market: Market;
  readonly level: Level;
  bid: number;
  ask: number;
  timeMs: number;
}

type Spelling = Stream | Extract<Refusal, "unknown_symbol" | "ambiguous_symbol">;

/** The parts of the intake that all of its sources use. */
export interface IntakeContext {
  readonly resolver: Pick<ReturnType<typeof createResolver>, "resolve">;
  /** By canonical symbol. */
  readonly markets: Map<string, Market>;
  readonly log: Logger;
}

/** Spellings cached per source: more than a broker lists. Others are resolved at each tick. */
const MAX_SPELLINGS = 5_000;
/** Spellings without an instrument have a lower limit, so that they cannot fill the cache. */
const MAX_UNRESOLVED = 500;
/** No broker has a longer spelling. */
export const MAX_SPELLING_LENGTH = 64;

/** Canonical symbols by a broker's spelling, for one source. */
export type Aliases = Readonly<Record<string, string>>;

/** One source of the intake: its counts, and its streams by the broker's spelling of the symbol. */
export class IntakeSource {
  readonly counts: SourceCounts;
  readonly meter = new SourceMeter();
  #aliases: Aliases;
  readonly #context: IntakeContext;
  readonly #spellings = new Map<string, Spelling>();
  readonly #streams = new Map<string, Stream>();
  #unresolved = 0;

  constructor(name: string, context: IntakeContext, aliases: Aliases = {}) {
    this.counts = createSourceCounts(name);
    this.#aliases = aliases;
    this.#context = context;
  }

  /** Returns the stream of a spelling, or the reason why it has none. */
  findStream(brokerSymbol: string): Spelling {
    return this.#spellings.get(brokerSymbol) ?? this.#resolve(brokerSymbol);
  }

  forgetTimes(): void {
    for (const stream of this.#streams.values()) stream.timeMs = 0;
  }

  /**
   * Replaces the aliases. Spellings that now name something else are resolved anew, and no earlier price of theirs is
   * what a next one is compared with. Returns whether an accepted quote may have been that of another instrument.
   */
  setAliases(aliases: Aliases): boolean {
    const find = (from: Aliases, spelling: string) => (Object.hasOwn(from, spelling) ? from[spelling] : undefined);
    const before = this.#aliases;
    this.#aliases = aliases;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(aliases)])].filter(
      (spelling) => find(before, spelling) !== find(aliases, spelling),
    );
    return changed.map((spelling) => this.#forget(spelling)).includes(true);
  }

  /** Forgets what a spelling names. Returns whether it named an instrument. */
  #forget(spelling: string): boolean {
    const found = this.#spellings.get(spelling);
    if (found === undefined) return false;
    this.#spellings.delete(spelling);
    if (typeof found === "string") {
      this.#unresolved--;
      return false;
    }
    const { market } = found;
    market.mid = 0;
    this.#streams.delete(market.instrument.symbol);
    for (const [other, stream] of this.#spellings) if (stream === found) this.#spellings.delete(other);
    return true;
  }

  /** The spellings that name no single instrument, in the order in which they came. */
  listUnresolved(): string[] {
    return [...this.#spellings].filter(([, found]) => typeof found === "string").map(([spelling]) => spelling);
  }

  /** Whether a market that this source quotes is open; null before its first accepted tick. */
  isAnyMarketOpen(nowMs: number): boolean | null {
    const streams = [...this.#streams.values()];
    if (streams.length === 0) return null;
    return streams.some(({ market }) => isMarketOpen(market.instrument.tradingHours, nowMs));
  }

  #resolve(brokerSymbol: string): Spelling {
    if (brokerSymbol.length > MAX_SPELLING_LENGTH) return "unknown_symbol";
    const alias = Object.hasOwn(this.#aliases, brokerSymbol) ? this.#aliases[brokerSymbol] : undefined;
    const resolution = this.#context.resolver.resolve(alias ?? brokerSymbol);
    if (resolution.kind === "found") {
      const stream = this.#openStream(resolution.instrument);
      if (this.#spellings.size < MAX_SPELLINGS) this.#spellings.set(brokerSymbol, stream);
      return stream;
    }
    const reason = `${resolution.kind}_symbol` as const;
    if (this.#unresolved < MAX_UNRESOLVED) {
      this.#unresolved++;
      this.#spellings.set(brokerSymbol, reason);
      this.#context.log.warn(
        { source: this.counts.source, brokerSymbol, resolution },
        "A broker's symbol names no single instrument",
      );
    }
    return reason;
  }

  /** Two spellings of one instrument share their stream, so that time cannot run back between them. */
  #openStream(instrument: Instrument): Stream {
    let stream = this.#streams.get(instrument.symbol);
    if (stream === undefined) {
      stream = { market: this.#openMarket(instrument), level: createLevel(), bid: 0, ask: 0, timeMs: 0 };
      this.#streams.set(instrument.symbol, stream);
    }
    return stream;
  }

  #openMarket(instrument: Instrument): Market {
    const { markets } = this.#context;
    let market = markets.get(instrument.symbol);
    if (market === undefined) markets.set(instrument.symbol, (market = { instrument, mid: 0 }));
    return market;
  }
}
