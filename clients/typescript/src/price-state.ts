import type { ServerEvent } from "./event-parser.js";
import type { DataMode, Quote, QuoteState } from "./types.js";

/** What a stream tells of a symbol beside its price. */
export interface SymbolState {
  readonly symbol: string;
  /** "none" while there is no quote. */
  readonly state: QuoteState | "none";
  readonly data_mode: DataMode | null;
}

/** What has changed at one moment. The state of the stream has it already. */
export interface PriceUpdate {
  /** A snapshot replaces everything: at the start, and where the server no longer knows the position. */
  readonly type: "snapshot" | "changes";
  readonly quotes: readonly Quote[];
  readonly states: readonly SymbolState[];
}

/**
 * Holds quotes and states. Events that are sent together end with one that has an id; they are applied when it comes,
 * so that a connection that is cut between them changes nothing.
 */
export class PriceState {
  readonly quotes = new Map<string, Quote>();
  readonly states = new Map<string, SymbolState>();
  /** Up to where everything is here; null at the start. */
  position: string | null = null;
  #waiting: ServerEvent[] = [];

  /** Takes an event. Returns what it completes; null if it completes nothing. */
  take(event: ServerEvent): PriceUpdate | null {
    if (event.name === "snapshot" || event.name === "quote" || event.name === "state") this.#waiting.push(event);
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
    let type: PriceUpdate["type"] = "changes";
    for (const { name, data } of events) {
      const value = JSON.parse(data) as unknown;
      if (name === "quote") quotes.push(value as Quote);
      else if (name === "state") states.push(value as SymbolState);
      else {
        const all = value as Pick<PriceUpdate, "quotes" | "states">;
        type = "snapshot";
        this.quotes.clear();
        this.states.clear();
        quotes.push(...all.quotes);
        states.push(...all.states);
      }
    }
    for (const quote of quotes) this.quotes.set(quote.symbol, quote);
    for (const state of states) {
      this.states.set(state.symbol, state);
      if (state.state === "none") this.quotes.delete(state.symbol);
    }
    return { type, quotes, states };
  }
}
