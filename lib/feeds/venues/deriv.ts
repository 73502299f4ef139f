import { type Connection, type Protocol, readJson, readPrice } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Currency pairs and metals, which Deriv writes with the prefix frx. */
const CURRENCIES_AND_METALS = [
  "EURUSD GBPUSD USDJPY AUDUSD USDCAD USDCHF NZDUSD EURGBP EURJPY EURCHF EURAUD EURCAD EURNZD",
  "GBPJPY GBPCHF GBPAUD GBPCAD GBPNZD AUDJPY AUDCAD AUDCHF AUDNZD NZDJPY USDMXN USDNOK USDPLN USDSEK",
  "XAUUSD XAGUSD XPTUSD XPDUSD",
]
  .join(" ")
  .split(" ");

const CRYPTO_CURRENCIES = ["BTCUSD", "ETHUSD"];

const INDICES: Readonly<Record<string, string>> = {
  OTC_SPC: "US500",
  OTC_NDX: "NAS100",
  OTC_DJI: "US30",
  OTC_FTSE: "UK100",
  OTC_GDAXI: "GER40",
  OTC_FCHI: "FRA40",
  OTC_SX5E: "EU50",
  OTC_N225: "JP225",
  OTC_AS51: "AUS200",
};

/** Returns the canonical symbol of each of Deriv's spellings. */
function listDerivSymbols(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(CURRENCIES_AND_METALS.map((symbol) => [`frx${symbol}`, symbol])),
    ...INDICES,
    ...Object.fromEntries(CRYPTO_CURRENCIES.map((symbol) => [`cry${symbol}`, symbol])),
  };
}

/** Deriv's public prices of currencies, metals, indices and crypto currencies. They need no account. */
export const deriv: WebSocketVenue = {
  // Each keep-alive message is answered.
  times: { silenceMs: 75 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 2 * MINUTE_MS },
  symbols: listDerivSymbols(),
  getUrl: () => "wss://api.derivws.com/trading/v1/options/ws/public",
  createProtocol: (connection, request) => new DerivProtocol(connection, request),
};

/** Deriv closes a connection on which nothing is sent for about two minutes. */
const KEEP_ALIVE_MS = 30 * SECOND_MS;

/**
 * The call `ticks` (developers.deriv.com/docs/ticks): at most one price a second, in whole seconds. One call a symbol,
 * since one wrong symbol refuses a whole call. A closed market refuses the call, so it is repeated until it opens.
 */
class DerivProtocol implements Protocol {
  readonly keepAlive = { everyMs: KEEP_ALIVE_MS, send: () => this.#keepOpen() };
  readonly #connection: Connection;
  readonly #symbols: readonly string[];
  readonly #closed = new Set<string>();

  constructor(connection: Connection, { symbols }: VenueRequest) {
    this.#connection = connection;
    this.#symbols = symbols;
  }

  opened(): void {
    for (const symbol of this.#symbols) this.#subscribe(symbol);
  }

  received(data: string | Buffer): void {
    const { tick, error, echo_req: request } = readJson(data);
    if (isRecord(error)) this.#readError(error, isRecord(request) ? String(request.ticks) : "");
    else if (isRecord(tick)) this.#readTick(tick);
  }

  #subscribe(symbol: string): void {
    this.#connection.send(JSON.stringify({ ticks: symbol, subscribe: 1 }));
  }

  #keepOpen(): void {
    this.#connection.send(JSON.stringify({ ping: 1 }));
    for (const symbol of this.#closed) this.#subscribe(symbol);
    this.#closed.clear();
  }

  #readError({ code, message }: Readonly<Record<string, unknown>>, symbol: string): void {
    if (code === "RateLimit") throw new Error("the venue's limit of calls was reached");
    if (code === "MarketIsClosed") {
      // The venue answers, so the connection is in order although nothing is quoted.
      this.#connection.subscribed();
      this.#closed.add(symbol);
      return;
    }
    this.#connection.warn(`${symbol}: ${String(code)} ${String(message)}`);
  }

  #readTick({ symbol, bid, ask, epoch }: Readonly<Record<string, unknown>>): void {
    this.#connection.subscribed();
    // Some instruments have only a price without a bid and an ask, from which no quote can be made.
    if (bid === undefined || ask === undefined) return;
    this.#connection.price(String(symbol), readPrice(bid), readPrice(ask), Number(epoch) * SECOND_MS);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
