import { type Connection, type Protocol, readJson, readPrice, VenueError } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { spellPairs, withSlash } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Twelve Data's prices of currencies and metals, for a key with access to its WebSocket. */
export const twelveData: WebSocketVenue = {
  // Each keep-alive message is answered.
  times: { silenceMs: 35 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 2 * MINUTE_MS },
  symbols: spellPairs(withSlash),
  getUrl: ({ token }) => `wss://ws.twelvedata.com/v1/quotes/price?apikey=${encodeURIComponent(token)}`,
  createProtocol: (connection, request) => new TwelveDataProtocol(connection, request),
};

const KEEP_ALIVE_MS = 10 * SECOND_MS;
/** Codes of errors that the same key and symbols give again. */
const FINAL_CODES = ["401", "403"];

/** The event `price` (twelvedata.com/docs/websocket/ws-real-time-price), in whole seconds. */
class TwelveDataProtocol implements Protocol {
  readonly keepAlive = {
    everyMs: KEEP_ALIVE_MS,
    send: () => this.#connection.send(JSON.stringify({ action: "heartbeat" })),
  };
  readonly #connection: Connection;
  readonly #symbols: readonly string[];

  constructor(connection: Connection, { symbols }: VenueRequest) {
    this.#connection = connection;
    this.#symbols = symbols;
  }

  opened(): void {
    this.#connection.send(JSON.stringify({ action: "subscribe", params: { symbols: this.#symbols.join(",") } }));
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    switch (message.event) {
      case "price":
        return this.#readPrice(message);
      case "subscribe-status":
        return this.#readAcknowledgement(message);
      case "error": {
        const code = String(message.code);
        throw new VenueError(`error ${code}: ${String(message.message)}`, { isFinal: FINAL_CODES.includes(code) });
      }
    }
  }

  #readAcknowledgement({ success, fails }: Readonly<Record<string, unknown>>): void {
    if (Array.isArray(success) && success.length > 0) this.#connection.subscribed();
    for (const failure of Array.isArray(fails) ? fails : []) this.#connection.warn(JSON.stringify(failure));
  }

  #readPrice({ symbol, bid, ask, timestamp }: Readonly<Record<string, unknown>>): void {
    // Some plans and markets have only a price without a bid and an ask, from which no quote can be made.
    if (bid === undefined || ask === undefined) return;
    this.#connection.price(String(symbol), readPrice(bid), readPrice(ask), Number(timestamp) * SECOND_MS);
  }
}
