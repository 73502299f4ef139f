import { type Connection, type Protocol, readJson, readPrice, VenueError } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { spellPairs } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** TraderMade's prices of currencies and metals, for a key with access to its streaming data. */
export const traderMade: WebSocketVenue = {
  times: { silenceMs: 75 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 2 * MINUTE_MS },
  pingMs: 30 * SECOND_MS,
  symbols: spellPairs((base, quote) => `${base}${quote}`),
  getUrl: () => "wss://stream.tradermade.com/feedAdv",
  createProtocol: (connection, request) => new TraderMadeProtocol(connection, request),
};

/** The feed of version 2 (tradermade.com/docs/streaming-data-api). */
class TraderMadeProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #request: VenueRequest;

  constructor(connection: Connection, request: VenueRequest) {
    this.#connection = connection;
    this.#request = request;
  }

  opened(): void {
    this.#connection.send(JSON.stringify({ action: "login", key: this.#request.token, fmt: "JSON" }));
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    if (message.t === "QUOTE" || message.t === "LAST_QUOTE") return this.#readQuote(message);
    switch (message.type) {
      case "login_ok":
        return this.#subscribe(Number(message.symbol_limit));
      case "login_reject":
        throw new VenueError("the venue refused the key", { isFinal: true });
      case "sub_ack":
        return this.#readAcknowledgement(message);
    }
  }

  #subscribe(limit: number): void {
    const all = this.#request.symbols;
    const symbols = Number.isInteger(limit) ? all.slice(0, limit) : all;
    if (symbols.length < all.length) {
      this.#connection.warn(`the key allows ${limit} symbols; left out: ${all.slice(limit).join(", ")}`);
    }
    const names = symbols.map((symbol) => `${symbol}:QUOTE`);
    this.#connection.send(JSON.stringify({ action: "subscribe", symbols: names, send_last: true }));
  }

  #readAcknowledgement({ denied, invalid }: Readonly<Record<string, unknown>>): void {
    this.#connection.subscribed();
    for (const symbol of [denied, invalid].flat()) {
      if (symbol !== undefined) this.#connection.warn(`${String(symbol)}: not in the plan or unknown`);
    }
  }

  /** The last quote before the subscription has its own time like any other. */
  #readQuote({ s: symbol, b: bid, a: ask, ts }: Readonly<Record<string, unknown>>): void {
    const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)-(\d\d:\d\d:\d\d(?:\.\d{1,3})?)$/.exec(String(ts)) ?? [];
    const timeMs = Date.parse(`${year}-${month}-${day}T${time}Z`);
    this.#connection.price(String(symbol), readPrice(bid), readPrice(ask), timeMs);
  }
}
