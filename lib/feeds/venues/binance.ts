import {
  type Connection,
  type OpenWire,
  type Protocol,
  readJson,
  readPrice,
  type Wire,
} from "@/lib/feeds/live/connector";
import type { VenueAccess, VenueRequest, WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { getJson, joinWires, openWebSocketWire } from "@/lib/feeds/live/wires";
import { collectPairFacts } from "@/lib/feeds/symbol-facts";
import { isUndescribed } from "@/lib/feeds/venues/symbols";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A ping comes every 20 seconds. */
const SILENCE_MS = 50 * SECOND_MS;
const STREAM_HOST = "data-stream.binance.vision";
const API_URL = "https://data-api.binance.vision";
/** A connection may have 1,024 streams, but they are named in its address, which must not be too long. */
const STREAMS_PER_CONNECTION = 200;

/**
 * Binance's public prices of crypto currencies. They need no account. Only pairs with real currencies are subscribed to:
 * a pair with a stablecoin such as BTCUSDT has another price than BTCUSD. An operator who accepts that difference lists
 * it with an alias.
 */
export const binance: WebSocketVenue = {
  times: { silenceMs: SILENCE_MS, retryMs: 5 * SECOND_MS, maxRetryMs: 5 * MINUTE_MS },
  symbols: { BTCEUR: "BTCEUR", ETHEUR: "ETHEUR" },
  listsSymbols: true,
  getUrl: ({ symbols }) => {
    const streams = symbols.map((symbol) => `${symbol.toLowerCase()}@bookTicker`).join("/");
    return `wss://${STREAM_HOST}/stream?streams=${streams}`;
  },
  openWire: openBinanceWire,
  createProtocol: (connection) => new BinanceProtocol(connection),
};

/**
 * Returns a wire that first asks for the pairs that the catalog lacks, or for all, and then opens as many connections as
 * the streams need.
 */
function openBinanceWire(request: VenueRequest, access: VenueAccess): OpenWire {
  return (events) => {
    const ending = new AbortController();
    let wire: Wire | undefined;

    function connect(symbols: readonly string[]) {
      if (ending.signal.aborted) return;
      const count = Math.ceil(symbols.length / STREAMS_PER_CONNECTION);
      const wires = Array.from({ length: count }, (_, index) => {
        const part = symbols.slice(index * STREAMS_PER_CONNECTION, (index + 1) * STREAMS_PER_CONNECTION);
        return openWebSocketWire({ url: access.getUrl({ ...request, symbols: part }), ca: access.ca });
      });
      const [only] = wires;
      wire = (count === 1 && only !== undefined ? only : joinWires(wires, SILENCE_MS))(events);
    }

    async function open() {
      const { symbols, all = false } = request;
      const unknown = symbols.filter((symbol) => isUndescribed(symbol, binance.symbols));
      if (!all && unknown.length === 0) return connect(symbols);
      try {
        const listed = await listPairs(access.getUrl(request), all ? null : unknown, ending.signal);
        const wanted = all ? listed.map(({ spelling }) => spelling) : symbols;
        if (wanted.length === 0) throw new Error("it is empty");
        events.symbols(
          listed.filter(({ spelling }) => isUndescribed(spelling, binance.symbols)),
          () => connect(wanted),
        );
      } catch (error) {
        const problem = `the venue's list of symbols cannot be read: ${(error as Error).message}`;
        if (all) throw new Error(problem);
        if (!ending.signal.aborted) access.warn(problem);
        connect(symbols);
      }
    }

    open().catch((error: unknown) => {
      if (!ending.signal.aborted) events.closed(error as Error);
    });
    return {
      send: (data) => wire?.send(data),
      destroy() {
        ending.abort();
        wire?.destroy();
      },
    };
  };
}

/**
 * The pairs that are traded, or the named ones (developers.binance.com/docs/binance-spot-api-docs/rest-api). An address of
 * the operator's own serves both the API and the streams.
 */
async function listPairs(
  streamUrl: string,
  names: readonly string[] | null,
  signal: AbortSignal,
): Promise<SymbolFacts[]> {
  const { protocol, host } = new URL(streamUrl);
  const apiUrl = host === STREAM_HOST ? API_URL : `${protocol === "ws:" ? "http:" : "https:"}//${host}`;
  const query = new URLSearchParams(
    names === null ? { permissions: "SPOT", symbolStatus: "TRADING" } : { symbols: JSON.stringify(names) },
  );
  // The permissions would be most of the answer.
  query.set("showPermissionSets", "false");
  const { symbols } = await getJson(`${apiUrl}/api/v3/exchangeInfo?${query}`, {}, signal);
  if (!Array.isArray(symbols)) throw new Error("it has no symbols");
  return (symbols as Record<string, unknown>[]).map(toBinanceFacts);
}

function toBinanceFacts({ symbol, baseAsset, quoteAsset, filters }: Record<string, unknown>): SymbolFacts {
  const list = Array.isArray(filters) ? (filters as Record<string, unknown>[]) : [];
  const find = (type: string) => list.find(({ filterType }) => filterType === type);
  const lot = find("LOT_SIZE");
  return collectPairFacts(String(symbol), {
    ...{ base: baseAsset, quote: quoteAsset, priceStep: find("PRICE_FILTER")?.tickSize },
    ...{ minAmount: lot?.minQty, maxAmount: lot?.maxQty, amountStep: lot?.stepSize },
  });
}

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
