import { type Connection, type Protocol, readJson, readPrice, readTime } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { spellCoins, withSlash } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Kraken's public prices of crypto currencies. They need no account. */
export const kraken: WebSocketVenue = {
  // A heartbeat comes about every second when nothing else does. 150 connections in 10 minutes are allowed.
  times: { silenceMs: 10 * SECOND_MS, retryMs: 5 * SECOND_MS, maxRetryMs: MINUTE_MS },
  symbols: spellCoins(withSlash),
  getUrl: () => "wss://ws.kraken.com/v2",
  createProtocol: (connection, request) => new KrakenProtocol(connection, request),
};

/**
 * Kraken's WebSocket API v2, channel `ticker` (docs.kraken.com/api/docs/websocket-v2/ticker). One acknowledgement comes
 * for each symbol, then a snapshot, then an update whenever the best bid or ask changes.
 */
class KrakenProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #symbols: readonly string[];

  constructor(connection: Connection, { symbols }: VenueRequest) {
    this.#connection = connection;
    this.#symbols = symbols;
  }

  opened(): void {
    const params = { channel: "ticker", symbol: this.#symbols, event_trigger: "bbo", snapshot: true };
    this.#connection.send(JSON.stringify({ method: "subscribe", params }));
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    if (message.channel === "ticker") this.#readTickers(message);
    else if (message.method === "subscribe") this.#readAcknowledgement(message);
  }

  #readAcknowledgement({ success, error, symbol }: Readonly<Record<string, unknown>>): void {
    if (success === true) this.#connection.subscribed();
    else this.#connection.warn(`${String(symbol)}: ${String(error)}`);
  }

  #readTickers({ type, data }: Readonly<Record<string, unknown>>): void {
    if (!Array.isArray(data)) return;
    for (const { symbol, bid, ask, timestamp } of data as Record<string, unknown>[]) {
      const timeMs = readTime(timestamp);
      // Older servers send no time. A snapshot's price may then be of any age.
      if (timeMs === null && type === "snapshot") continue;
      this.#connection.price(String(symbol), readPrice(bid), readPrice(ask), timeMs);
    }
  }
}
