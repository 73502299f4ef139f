import { type Connection, type Protocol, readJson, readPrice, readTime } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { collectPairFacts } from "@/lib/feeds/symbol-facts";
import { Subscription } from "@/lib/feeds/venues/subscription";
import { spellCoins, withSlash } from "@/lib/feeds/venues/symbols";
import { describeError } from "@/lib/text/describe-error";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Kraken's public prices of crypto currencies. They need no account. */
export const kraken: WebSocketVenue = {
  // A heartbeat comes about every second when nothing else does. 150 connections in 10 minutes are allowed.
  times: { silenceMs: 10 * SECOND_MS, retryMs: 5 * SECOND_MS, maxRetryMs: MINUTE_MS },
  symbols: spellCoins(withSlash),
  listsSymbols: true,
  getUrl: () => "wss://ws.kraken.com/v2",
  createProtocol: (connection, request) => new KrakenProtocol(connection, request),
};

/** A second after the one before it, so that subscribing to everything stays within the venue's rates. */
const BATCH_SIZE = 100;

/**
 * Kraken's WebSocket API v2, channel `ticker` (docs.kraken.com/api/docs/websocket-v2/ticker). One acknowledgement comes
 * for each symbol, then a snapshot, then an update whenever the best bid or ask changes. The channel `instrument` begins
 * with all pairs.
 */
class KrakenProtocol implements Protocol {
  readonly keepAlive = { everyMs: SECOND_MS, send: () => this.#subscription.tick() };
  readonly #connection: Connection;
  readonly #subscription: Subscription;

  constructor(connection: Connection, request: VenueRequest) {
    this.#connection = connection;
    this.#subscription = new Subscription({
      ...{ connection, request, usual: kraken.symbols, batchSize: BATCH_SIZE },
      list: () => this.#send("subscribe", { channel: "instrument", snapshot: true }),
      subscribe: (symbol) =>
        this.#send("subscribe", { channel: "ticker", symbol, event_trigger: "bbo", snapshot: true }),
    });
  }

  opened(): void {
    this.#subscription.open();
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    if (message.channel === "ticker") this.#readTickers(message);
    else if (message.channel === "instrument") this.#readInstruments(message);
    else if (message.method === "subscribe") this.#readAcknowledgement(message);
  }

  #send(method: string, params: object): void {
    this.#connection.send(JSON.stringify({ method, params }));
  }

  #readAcknowledgement({ success, error, symbol, result }: Readonly<Record<string, unknown>>): void {
    const isOfList =
      symbol === undefined && (result as Readonly<Record<string, unknown>> | undefined)?.symbol === undefined;
    if (success === true) return isOfList ? undefined : this.#connection.subscribed();
    if (isOfList) this.#subscription.unlisted(describeError(error));
    else this.#connection.warn(`${String(symbol)}: ${describeError(error)}`);
  }

  #readInstruments({ type, data }: Readonly<Record<string, unknown>>): void {
    const { pairs } = (data ?? {}) as Readonly<Record<string, unknown>>;
    if (type !== "snapshot" || !Array.isArray(pairs) || !this.#subscription.isListing) return;
    // Later changes of the list are of no use.
    this.#send("unsubscribe", { channel: "instrument" });
    const listed = (pairs as Record<string, unknown>[]).filter(({ status }) => status !== "delisted");
    this.#subscription.listed(listed.map(toKrakenFacts));
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

/** A pair of the channel `instrument`. */
function toKrakenFacts({ symbol, base, quote, price_increment, qty_min, qty_increment }: Record<string, unknown>) {
  const amounts = { minAmount: qty_min, amountStep: qty_increment };
  return collectPairFacts(String(symbol), { base, quote, priceStep: price_increment, ...amounts });
}
