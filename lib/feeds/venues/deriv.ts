import { type Connection, type Protocol, readJson, readPrice } from "@/lib/feeds/live/connector";
import type { VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { collectFacts, readFact, readWords } from "@/lib/feeds/symbol-facts";
import { Subscription } from "@/lib/feeds/venues/subscription";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { countDigits } from "@/lib/market/price";
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
  listsSymbols: true,
  getUrl: () => "wss://api.derivws.com/trading/v1/options/ws/public",
  createProtocol: (connection, request) => new DerivProtocol(connection, request),
};

/** Deriv closes a connection on which nothing is sent for about two minutes. */
const KEEP_ALIVE_MS = 30 * SECOND_MS;

/** The symbols that are subscribed to between two keep-alive messages. Deriv lists about a hundred. */
const BATCH_SIZE = 50;

/**
 * The call `ticks` (developers.deriv.com/docs/ticks): at most one price a second, in whole seconds. One call a symbol,
 * since one wrong symbol refuses a whole call. A closed market refuses the call, so it is repeated until it opens. The
 * call `active_symbols` lists all symbols.
 */
class DerivProtocol implements Protocol {
  readonly keepAlive = { everyMs: KEEP_ALIVE_MS, send: () => this.#keepOpen() };
  readonly #connection: Connection;
  readonly #subscription: Subscription;
  readonly #closed = new Set<string>();

  constructor(connection: Connection, request: VenueRequest) {
    this.#connection = connection;
    this.#subscription = new Subscription({
      ...{ connection, request, usual: deriv.symbols, batchSize: BATCH_SIZE },
      list: () => connection.send(JSON.stringify({ active_symbols: "brief" })),
      subscribe: (symbols) => symbols.forEach((symbol) => this.#subscribe(symbol)),
    });
  }

  opened(): void {
    this.#subscription.open();
  }

  received(data: string | Buffer): void {
    const { tick, error, active_symbols: listed, echo_req } = readJson(data);
    const request = isRecord(echo_req) ? echo_req : {};
    if (isRecord(error) && request.active_symbols !== undefined) this.#subscription.unlisted(describeError(error));
    else if (isRecord(error)) this.#readError(error, String(request.ticks ?? ""));
    else if (isRecord(tick)) this.#readTick(tick);
    else if (Array.isArray(listed)) this.#subscription.listed(listed.filter(isRecord).map(toDerivFacts));
  }

  #subscribe(symbol: string): void {
    this.#connection.send(JSON.stringify({ ticks: symbol, subscribe: 1 }));
  }

  #keepOpen(): void {
    this.#connection.send(JSON.stringify({ ping: 1 }));
    for (const symbol of this.#closed) this.#subscribe(symbol);
    this.#closed.clear();
    this.#subscription.tick();
  }

  #readError(error: Readonly<Record<string, unknown>>, symbol: string): void {
    const { code } = error;
    if (code === "RateLimit") throw new Error("the venue's limit of calls was reached");
    if (code === "MarketIsClosed") {
      // The venue answers, so the connection is in order although nothing is quoted.
      this.#connection.subscribed();
      this.#closed.add(symbol);
      return;
    }
    this.#connection.warn(`${symbol}: ${describeError(error)}`);
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

function describeError({ code, message }: Readonly<Record<string, unknown>>): string {
  return `${String(code)} ${String(message)}`;
}

/** An active symbol. Its pip size is the smallest change of its price. Older gateways have other names for the fields. */
function toDerivFacts(symbol: Readonly<Record<string, unknown>>): SymbolFacts {
  const { underlying_symbol, underlying_symbol_name, pip_size, market, submarket } = symbol;
  const step = readFact(pip_size ?? symbol.pip);
  return collectFacts(String(underlying_symbol ?? symbol.symbol), {
    // Some gateways send the number of decimals instead.
    digits: step === undefined || step <= 0 || step > 1 ? undefined : countDigits(step),
    description: readWords(underlying_symbol_name ?? symbol.display_name),
    path: [market, submarket].filter((folder) => typeof folder === "string" && folder !== "").join("/"),
    kind: readWords(symbol.underlying_symbol_type ?? symbol.symbol_type),
  });
}
