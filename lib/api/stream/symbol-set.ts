import type { SymbolPrice } from "@/lib/api/stream/price-changes";
import type { Releases } from "@/lib/api/stream/releases";
import type { SecondBars } from "@/lib/api/stream/second-bars";
import type { StreamOptions } from "@/lib/api/stream/stream-options";

export interface Written {
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
}

/** What a set reads from the changes. */
export interface SetParts {
  /** The prices of a symbol by source. Only more are added. */
  readonly findLines: (symbol: string) => readonly SymbolPrice[];
  /** How many of them there are in all. */
  readonly countLines: () => number;
  readonly bars: SecondBars;
  readonly releases: Releases;
}

/** The symbols and options of a stream; streams of the same share one. */
export class SymbolSet {
  /** The served price of each symbol. */
  readonly served: readonly SymbolPrice[];
  readonly options: StreamOptions;
  /** Identifies the symbols and options in a position. */
  readonly mark: string;
  /** Bytes that were written for a reader, by their kind. Other readers at the same position get them too. */
  readonly written = new Map<object, Written>();
  readonly #parts: SetParts;
  #lines: readonly SymbolPrice[] = [];
  #linesOf = -1;

  constructor(served: readonly SymbolPrice[], options: StreamOptions, mark: string, parts: SetParts) {
    this.served = served;
    this.options = options;
    this.mark = mark;
    this.#parts = parts;
  }

  /** What is sent: the served price of each symbol, or that of each chosen source. */
  get prices(): readonly SymbolPrice[] {
    const { sources } = this.options;
    if (sources === null) return this.served;
    const count = this.#parts.countLines();
    if (this.#linesOf !== count) {
      this.#linesOf = count;
      const lines = this.served.flatMap(({ symbol }) => this.#parts.findLines(symbol));
      this.#lines = sources === "all" ? lines : lines.filter(({ source }) => source !== null && sources.has(source));
    }
    return this.#lines;
  }

  /** The bars with a later number than `from`, as JSON. */
  listBars(from: number): string[] {
    if (!this.options.hasBars) return [];
    const bars = this.served.flatMap(({ symbol }) => this.#parts.bars.listSince(symbol, from));
    return bars.sort((a, b) => a.at - b.at).map(({ json }) => json);
  }

  /** The released figures with a later number than `from`, as JSON. */
  listReleases(from: number): string[] {
    const { events } = this.options;
    return events === null ? [] : this.#parts.releases.listSince(from, events);
  }
}
