import { type Connection, type Protocol, readJson, readPrice, readTime } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { spellCoins } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Coinbase Exchange's public prices of crypto currencies. They need no account. A price comes with each trade. */
export const coinbase: WebSocketVenue = {
  // A heartbeat comes every second for each product.
  times: { silenceMs: 10 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: MINUTE_MS },
  symbols: spellCoins((base, quote) => `${base}-${quote}`),
  getUrl: () => "wss://ws-feed.exchange.coinbase.com",
  createProtocol: (connection, request) => new CoinbaseProtocol(connection, request),
};

/**
 * The channels `ticker` and `heartbeat` (docs.cdp.coinbase.com/exchange/websocket-feed/channels). Both number the
 * messages of a product. A number may be skipped, but must not run back: then prices are those of another time.
 */
class CoinbaseProtocol implements Protocol {
  readonly #connection: Connection;
  #symbols: readonly string[];
  readonly #sequences = new Map<string, number>();

  constructor(connection: Connection, { symbols }: VenueRequest) {
    this.#connection = connection;
    this.#symbols = symbols;
  }

  opened(): void {
    const channels = ["ticker", "heartbeat"];
    this.#connection.send(JSON.stringify({ type: "subscribe", product_ids: this.#symbols, channels }));
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    if (message.type === "ticker") this.#readTicker(message);
    else if (message.type === "subscriptions") this.#connection.subscribed();
    else if (message.type === "error") this.#readError(message);
  }

  /** One unknown product refuses the whole subscription, so the others are subscribed to without it. */
  #readError({ message, reason }: Readonly<Record<string, unknown>>): void {
    const text = [message, reason].filter((part) => typeof part === "string").join(": ");
    const words = text.split(/[^\w-]+/);
    const left = this.#symbols.filter((symbol) => !words.includes(symbol));
    if (left.length === 0 || left.length === this.#symbols.length) throw new Error(text);
    this.#connection.warn(text);
    this.#symbols = left;
    this.opened();
  }

  #readTicker({ product_id, sequence, best_bid, best_ask, time }: Readonly<Record<string, unknown>>): void {
    const symbol = String(product_id);
    const number = Number(sequence);
    if (number <= (this.#sequences.get(symbol) ?? -1)) return;
    this.#sequences.set(symbol, number);
    const timeMs = readTime(time);
    // The first ticker repeats the last trade, whose age only its time tells.
    if (timeMs !== null) this.#connection.price(symbol, readPrice(best_bid), readPrice(best_ask), timeMs);
  }
}
