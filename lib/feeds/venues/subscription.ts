import type { Connection } from "@/lib/feeds/live/connector";
import type { VenueRequest } from "@/lib/feeds/live/web-socket-feed";
import { isUndescribed } from "@/lib/feeds/venues/symbols";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { SECOND_MS } from "@/lib/time/units";

/** A venue that does not send its list by then sends none. */
const LONGEST_LISTING_MS = 10 * SECOND_MS;

interface Options {
  readonly connection: Connection;
  readonly request: VenueRequest;
  /** The kind's own symbols, of which the venue need not say anything. */
  readonly usual: Readonly<Record<string, string>>;
  /** How many symbols are subscribed to at once. The next ones follow with the next `tick`. */
  readonly batchSize: number;
  /** Asks for the list of the venue's symbols. */
  readonly list: () => void;
  readonly subscribe: (symbols: readonly string[]) => void;
}

/**
 * What one connection subscribes to. The venue's list of symbols is read before, if all are wanted, or if the catalog
 * lacks a wanted one: so the catalog knows what a symbol is before its first price. Without the list, listed symbols are
 * subscribed to nevertheless.
 */
export class Subscription {
  readonly #options: Options;
  /** Since when the list is waited for; null if it is not. */
  #listingSinceMs: number | null = null;
  #symbols: readonly string[] = [];
  #next = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the list is waited for. One that comes unasked, or once more, is of no use. */
  get isListing(): boolean {
    return this.#listingSinceMs !== null;
  }

  /** To be called once messages can be sent. */
  open(): void {
    const { connection, request, usual, list } = this.#options;
    const { symbols, all = false } = request;
    if (!all && !symbols.some((symbol) => isUndescribed(symbol, usual))) return this.#start(symbols);
    this.#listingSinceMs = connection.now();
    list();
  }

  /** To be called with the venue's list. */
  listed(facts: readonly SymbolFacts[]): void {
    if (!this.isListing) return;
    this.#listingSinceMs = null;
    const { connection, request, usual } = this.#options;
    const wanted = request.all === true ? facts.map(({ spelling }) => spelling) : request.symbols;
    if (wanted.length === 0) throw new Error("the venue's list of symbols is empty");
    const requested = new Set(wanted);
    const unknown = facts.filter(({ spelling }) => requested.has(spelling) && isUndescribed(spelling, usual));
    connection.symbols(unknown, () => this.#start(wanted));
  }

  /** To be called if the venue refuses its list. Throws if nothing can be subscribed to without it. */
  unlisted(reason: string): void {
    if (!this.isListing) return;
    this.#listingSinceMs = null;
    const { connection, request } = this.#options;
    const problem = `the venue's list of symbols cannot be read: ${reason}`;
    if (request.all === true) throw new Error(problem);
    connection.warn(problem);
    this.#start(request.symbols);
  }

  /** To be called every second or less often: subscribes to the next batch, and waits for no list for ever. */
  tick(): void {
    const { connection } = this.#options;
    if (this.#listingSinceMs === null) this.#subscribeNext();
    else if (connection.now() - this.#listingSinceMs >= LONGEST_LISTING_MS) this.unlisted("it did not come");
  }

  /** Leaves out symbols that the venue does not have, and subscribes to the others anew. Returns whether any is left. */
  drop(isWrong: (symbol: string) => boolean): boolean {
    const left = this.#symbols.filter((symbol) => !isWrong(symbol));
    if (left.length === 0 || left.length === this.#symbols.length) return false;
    this.#start(left);
    return true;
  }

  #start(symbols: readonly string[]): void {
    this.#symbols = symbols;
    this.#next = 0;
    this.#subscribeNext();
  }

  #subscribeNext(): void {
    if (this.#next >= this.#symbols.length) return;
    const { batchSize, subscribe } = this.#options;
    const batch = this.#symbols.slice(this.#next, this.#next + batchSize);
    this.#next += batch.length;
    subscribe(batch);
  }
}
