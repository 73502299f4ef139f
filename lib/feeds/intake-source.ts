import { createSourceCounts, type SourceCounts } from "@/lib/feeds/intake-counts";
import { createLevel, type Level } from "@/lib/feeds/plausibility";
import type { Refusal } from "@/lib/feeds/refusals";
import type { Instrument } from "@/lib/market/instrument";
import type { createResolver } from "@/lib/market/symbols/resolver";
import type { Logger } from "@/lib/platform/log";

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
const MAX_SPELLING_LENGTH = 64;

/** One source of the intake: its counts, and its streams by the broker's spelling of the symbol. */
export class IntakeSource {
  readonly counts: SourceCounts;
  readonly #context: IntakeContext;
  readonly #spellings = new Map<string, Spelling>();
  readonly #streams = new Map<string, Stream>();
  #unresolved = 0;

  constructor(name: string, context: IntakeContext) {
    this.counts = createSourceCounts(name);
    this.#context = context;
  }

  /** Returns the stream of a spelling, or the reason why it has none. */
  findStream(brokerSymbol: string): Spelling {
    return this.#spellings.get(brokerSymbol) ?? this.#resolve(brokerSymbol);
  }

  #resolve(brokerSymbol: string): Spelling {
    if (brokerSymbol.length > MAX_SPELLING_LENGTH) return "unknown_symbol";
    const resolution = this.#context.resolver.resolve(brokerSymbol);
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
