import { type Connection, type Protocol, readJson, readPrice } from "@/lib/feeds/live/connector";
import type { WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * Binance's public prices of crypto currencies. They need no account. Only pairs with real currencies are subscribed to:
 * a pair with a stablecoin such as BTCUSDT has another price than BTCUSD. An operator who accepts that difference lists
 * it with an alias.
 */
export const binance: WebSocketVenue = {
  // A ping comes every 20 seconds.
  times: { silenceMs: 50 * SECOND_MS, retryMs: 5 * SECOND_MS, maxRetryMs: 5 * MINUTE_MS },
  symbols: { BTCEUR: "BTCEUR", ETHEUR: "ETHEUR" },
  getUrl: ({ symbols }) => {
    const streams = symbols.map((symbol) => `${symbol.toLowerCase()}@bookTicker`).join("/");
    return `wss://data-stream.binance.vision/stream?streams=${streams}`;
  },
  createProtocol: (connection) => new BinanceProtocol(connection),
};

/**
 * The stream `bookTicker` (developers.binance.com/docs/binance-spot-api-docs/web-socket-streams). It has no snapshot, and
 * no time: each message is a change, so the time of its receipt counts. Each connection ends after 24 hours.
 */
class BinanceProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #updates = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  opened(): void {
    this.#connection.subscribed();
  }

  received(message: string | Buffer): void {
    const { data, event } = readJson(message);
    if (event === "serverShutdown") throw new Error("the venue shuts this server down");
    const { s: symbol, u: update, b: bid, a: ask } = (data ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof symbol !== "string") return;
    const number = Number(update);
    // An older message, or the same one again.
    if (number <= (this.#updates.get(symbol) ?? -1)) return;
    this.#updates.set(symbol, number);
    this.#connection.price(symbol, readPrice(bid), readPrice(ask), null);
  }
}
