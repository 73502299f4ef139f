import type { ServerEvent } from "./event-parser.js";
import type { CalendarEvent, Candle, DataMode, Quote, QuoteState } from "./types.js";

/** What a stream tells of a symbol beside its price. */
export interface SymbolState {
  readonly symbol: string;
  /** "none" while there is no quote. */
  readonly state: QuoteState | "none";
  readonly data_mode: DataMode | null;
  /** The source, in a stream of sources. */
  readonly source?: string;
}

/** The bar of one second, of a stream with bars. */
export type SecondBar = Candle & { readonly symbol: string };

/** What has changed at one moment. The state of the stream has it already. */
export interface PriceUpdate {
  /** A snapshot replaces everything: at the start, and where the server no longer knows the position. */
  readonly type: "snapshot" | "changes";
  readonly quotes: readonly Quote[];
  readonly states: readonly SymbolState[];
  /** Bars of seconds that are over, of a stream with bars. */
  readonly bars: readonly SecondBar[];
  /** Events whose figure was released, of a stream with events. */
  readonly releases: readonly CalendarEvent[];
  /** Time that is lost of a source, or that was not recorded. */
  readonly gaps: readonly StreamGap[];
  /** Changes that were left out before these, because this program reads too slowly. */
  readonly skipped: number;
}

/** Lost time. */
export interface StreamGap {
  /** Null where nothing was recorded of any. */
  readonly source: string | null;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

const NAMES: ReadonlySet<string> = new Set(["snapshot", "quote", "state", "bar", "release", "gap", "skipped"]);

/**
 * Holds quotes and states. Events that are sent together end with one that has an id; they are applied when it comes,
 * so that a connection that is cut between them changes nothing.
 */
export class PriceState {
  readonly quotes = new Map<string, Quote>();
  readonly states = new Map<string, SymbolState>();
  /** Up to where everything is here; null at the start. */
  position: string | null = null;
  readonly #hasSources: boolean;
  #waiting: ServerEvent[] = [];

  /** @param hasSources whether each source has its own quote, under "EURUSD icmarkets" */
  constructor(hasSources = false) {
    this.#hasSources = hasSources;
  }

  /** Takes an event. Returns what it completes; null if it completes nothing. */
  take(event: ServerEvent): PriceUpdate | null {
    if (NAMES.has(event.name)) this.#waiting.push(event);
    if (event.id === null) return null;
    const events = this.#waiting;
    this.#waiting = [];
    this.position = event.id;
    return this.#apply(events);
  }

  /** Forgets events that the lost connection did not complete: the next one sends them again. */
  dropIncomplete(): void {
    this.#waiting = [];
  }

  #apply(events: readonly ServerEvent[]): PriceUpdate {
    const quotes: Quote[] = [];
    const states: SymbolState[] = [];
    const bars: SecondBar[] = [];
    const releases: CalendarEvent[] = [];
    const gaps: StreamGap[] = [];
    let skipped = 0;
    let type: PriceUpdate["type"] = "changes";
    for (const { name, data } of events) {
      const value = JSON.parse(data) as unknown;
      if (name === "quote") quotes.push(value as Quote);
      else if (name === "state") states.push(value as SymbolState);
      else if (name === "bar") bars.push(value as SecondBar);
      else if (name === "release") releases.push(value as CalendarEvent);
      else if (name === "gap") gaps.push(value as StreamGap);
      else if (name === "skipped") skipped += (value as { changes: number }).changes;
      else {
        const all = value as Pick<PriceUpdate, "quotes" | "states">;
        type = "snapshot";
        this.quotes.clear();
        this.states.clear();
        quotes.push(...all.quotes);
        states.push(...all.states);
      }
    }
    for (const quote of quotes) this.quotes.set(this.#findKey(quote), quote);
    for (const state of states) {
      const key = this.#findKey(state);
      this.states.set(key, state);
      if (state.state === "none") this.quotes.delete(key);
    }
    return { type, quotes, states, bars, releases, gaps, skipped };
  }

  #findKey({ symbol, source }: { readonly symbol: string; readonly source?: string }): string {
    return this.#hasSources ? `${symbol} ${source}` : symbol;
  }
}
