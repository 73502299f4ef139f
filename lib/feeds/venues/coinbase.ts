import { type Connection, type Protocol, readJson, readPrice, readTime } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { collectPairFacts } from "@/lib/feeds/symbol-facts";
import { Subscription } from "@/lib/feeds/venues/subscription";
import { spellCoins } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Coinbase Exchange's public prices of crypto currencies. They need no account. A price comes with each trade. */
export const coinbase: WebSocketVenue = {
  // A heartbeat comes every second for each product.
  times: { silenceMs: 10 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: MINUTE_MS },
  symbols: spellCoins((base, quote) => `${base}-${quote}`),
  listsSymbols: true,
  getUrl: () => "wss://ws-feed.exchange.coinbase.com",
  createProtocol: (connection, request) => new CoinbaseProtocol(connection, request),
};

/** A second after the one before it: at most 100 messages a second are allowed, and few are kinder. */
const BATCH_SIZE = 100;

/**
 * The channels `ticker` and `heartbeat` (docs.cdp.coinbase.com/exchange/websocket-feed/channels). Both number the
 * messages of a product. A number may be skipped, but must not run back: then prices are those of another time. The
 * channel `status` repeats the list of all products.
 */
class CoinbaseProtocol implements Protocol {
  readonly keepAlive = { everyMs: SECOND_MS, send: () => this.#subscription.tick() };
  readonly #connection: Connection;
  readonly #subscription: Subscription;
  #hasSubscribed = false;
  readonly #sequences = new Map<string, number>();

  constructor(connection: Connection, request: VenueRequest) {
    this.#connection = connection;
    this.#subscription = new Subscription({
      ...{ connection, request, usual: coinbase.symbols, batchSize: BATCH_SIZE },
      list: () => this.#send({ type: "subscribe", channels: ["status"] }),
      subscribe: (product_ids) => {
        this.#hasSubscribed = true;
        this.#send({ type: "subscribe", product_ids, channels: ["ticker", "heartbeat"] });
      },
    });
  }

  opened(): void {
    this.#subscription.open();
  }

  received(data: string | Buffer): void {
    const message = readJson(data);
    if (message.type === "ticker") this.#readTicker(message);
    else if (message.type === "status") this.#readStatus(message);
    else if (message.type === "error") this.#readError(message);
    // The subscription to the list is confirmed so too.
    else if (message.type === "subscriptions" && this.#hasSubscribed) this.#connection.subscribed();
  }

  #send(message: object): void {
    this.#connection.send(JSON.stringify(message));
  }

  #readStatus({ products }: Readonly<Record<string, unknown>>): void {
    if (!this.#subscription.isListing || !Array.isArray(products)) return;
    this.#send({ type: "unsubscribe", channels: ["status"] });
    const listed = (products as Record<string, unknown>[]).filter(({ status }) => status !== "delisted");
    this.#subscription.listed(listed.map(toCoinbaseFacts));
  }

  /** One unknown product refuses the whole subscription, so the others are subscribed to without it. */
  #readError({ message, reason }: Readonly<Record<string, unknown>>): void {
    const text = [message, reason].filter((part) => typeof part === "string").join(": ");
    const words = text.split(/[^\w-]+/);
    if (this.#subscription.isListing && words.includes("status")) return this.#subscription.unlisted(text);
    if (!this.#subscription.drop((symbol) => words.includes(symbol))) throw new Error(text);
    this.#connection.warn(text);
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

/** A product of the channel `status`. */
function toCoinbaseFacts({
  id,
  base_currency,
  quote_currency,
  quote_increment,
  base_increment,
}: Record<string, unknown>) {
  const pair = { base: base_currency, quote: quote_currency };
  return collectPairFacts(String(id), { ...pair, priceStep: quote_increment, amountStep: base_increment });
}
