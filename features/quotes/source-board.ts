import type { QuoteState } from "@/lib/book/freshness";

/** One symbol as every source quotes it. */
export interface SourceBoard {
  /** The market's time: ages are counted from it. */
  readonly nowMs: number;
  /** The source being served. */
  readonly served: string | null;
  /** Over the live sources; may be crossed, with a negative spread. */
  readonly best: { readonly bid: number; readonly ask: number; readonly spreadPips: number } | null;
  readonly sources: readonly SourceLine[];
}

interface SourceLine {
  readonly source: string;
  readonly bid: number;
  readonly ask: number;
  readonly spreadPips: number;
  readonly timeMs: number;
  readonly state: QuoteState;
}
