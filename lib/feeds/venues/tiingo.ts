import { type Connection, type Protocol, readJson, readPrice, readTime, VenueError } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { spellPairs } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Tiingo's prices of currencies and metals, for a key with access to its forex data. */
export const tiingo: WebSocketVenue = {
  times: { silenceMs: 75 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 2 * MINUTE_MS },
  pingMs: 30 * SECOND_MS,
  symbols: spellPairs((base, quote) => `${base}${quote}`.toLowerCase()),
  getUrl: () => "wss://api.tiingo.com/fx",
  createProtocol: (connection, request) => new TiingoProtocol(connection, request),
};

/** Every change of the best bid or ask. */
const THRESHOLD_LEVEL = 5;

/** Quotes of the forex service (tiingo.com/documentation/websockets/forex). */
class TiingoProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #request: VenueRequest;

  constructor(connection: Connection, request: VenueRequest) {
    this.#connection = connection;
    this.#request = request;
  }

  opened(): void {
    const eventData = { thresholdLevel: THRESHOLD_LEVEL, tickers: this.#request.symbols };
    this.#connection.send(JSON.stringify({ eventName: "subscribe", authorization: this.#request.token, eventData }));
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    if (message.messageType === "A") this.#readQuote(message.data);
    else if (message.messageType === "I") this.#connection.subscribed();
    else if (message.messageType === "E") this.#fail(message.response);
  }

  #fail(response: unknown): never {
    const { code, message } = (response ?? {}) as Readonly<Record<string, unknown>>;
    const isFinal = code === 401 || code === 403;
    throw new VenueError(`error ${String(code)}: ${String(message)}`, { isFinal });
  }

  #readQuote(data: unknown): void {
    if (!Array.isArray(data) || data[0] !== "Q") return;
    // The mid price stands between the two: type, ticker, time, bid size, bid, mid, ask size, ask.
    const [, ticker, time, , bid, , , ask] = data as unknown[];
    const timeMs = readTime(time);
    if (timeMs !== null) this.#connection.price(String(ticker), readPrice(bid), readPrice(ask), timeMs);
  }
}
