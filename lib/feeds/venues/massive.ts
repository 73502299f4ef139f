import { type Connection, type Protocol, readPrice, VenueError } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { spellPairs, withSlash } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Massive's (formerly Polygon's) prices of currencies, for a key with access to its WebSocket. */
export const massive: WebSocketVenue = {
  times: { silenceMs: 75 * SECOND_MS, retryMs: SECOND_MS, maxRetryMs: 2 * MINUTE_MS },
  pingMs: 30 * SECOND_MS,
  symbols: spellPairs(withSlash),
  getUrl: () => "wss://socket.massive.com/forex",
  createProtocol: (connection, request) => new MassiveProtocol(connection, request),
};

/**
 * A key has one connection: a newer one ends the older. Two servers with one key would end each other's connection for
 * ever, so the older one pauses for long.
 */
const EVICTED_PAUSE_MS = 5 * MINUTE_MS;

/** Quotes of the channel C (massive.com/docs/websocket/forex/quotes). Each message is a list of events. */
class MassiveProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #request: VenueRequest;

  constructor(connection: Connection, request: VenueRequest) {
    this.#connection = connection;
    this.#request = request;
  }

  opened(): void {
    this.#connection.send(JSON.stringify({ action: "auth", params: this.#request.token }));
  }

  received(data: string | Buffer): void {
    const events: unknown = JSON.parse(data.toString());
    for (const event of (Array.isArray(events) ? events : [events]) as Readonly<Record<string, unknown>>[]) {
      if (event.ev === "status") this.#readStatus(event);
      else if (event.ev === "C") {
        this.#connection.price(String(event.p), readPrice(event.b), readPrice(event.a), Number(event.t));
      }
    }
  }

  #readStatus({ status, message }: Readonly<Record<string, unknown>>): void {
    switch (status) {
      case "auth_success": {
        const params = this.#request.symbols.map((symbol) => `C.${symbol}`).join(",");
        // Not every subscription is acknowledged.
        this.#connection.send(JSON.stringify({ action: "subscribe", params }));
        return this.#connection.subscribed();
      }
      case "auth_failed":
        throw new VenueError("the venue refused the key", { isFinal: true });
      case "max_connections":
        throw new VenueError("another program connected with the same key", { retryAfterMs: EVICTED_PAUSE_MS });
      case "error":
        return this.#connection.warn(String(message));
    }
  }
}
