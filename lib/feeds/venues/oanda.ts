import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { Feed, FetchPast, PastPrice } from "@/lib/feeds/feed";
import { defineFeedKind } from "@/lib/feeds/feed-kind";
import {
  type Connection,
  type OpenWire,
  type Protocol,
  readJson,
  readPrice,
  readTime,
  type TlsTrust,
  VenueError,
  type VenueTimes,
  type Wire,
} from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { getJson, LineSplitter, openHttpWire } from "@/lib/feeds/live/wires";
import { collectFacts, readFact, readWords } from "@/lib/feeds/symbol-facts";
import { chooseSymbols, isUndescribed } from "@/lib/feeds/venues/symbols";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A heartbeat comes every five seconds. An attempt is two connections; two a second are allowed. */
const TIMES: VenueTimes = { silenceMs: 15 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 5 * MINUTE_MS };

const ADDRESSES = {
  practice: { apiUrl: "https://api-fxpractice.oanda.com", streamUrl: "https://stream-fxpractice.oanda.com" },
  live: { apiUrl: "https://api-fxtrade.oanda.com", streamUrl: "https://stream-fxtrade.oanda.com" },
};

export interface OandaOptions extends LiveContext, TlsTrust, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  /** In OANDA's spelling, such as EUR_USD; null for all of the account. */
  readonly symbols: readonly string[] | null;
  readonly server: keyof typeof ADDRESSES;
  /** One address for both the API and the stream, such as a proxy's. */
  readonly url?: string | undefined;
  readonly token: string;
  readonly account: string;
  readonly times?: VenueTimes;
}

/** Creates the feed of an OANDA account (REST API v20). Throws an Error if the token or the account cannot be one. */
export function createOandaFeed(options: OandaOptions): Feed {
  const { name, symbols, server, url, token, account, times = TIMES, now, monotonic, log, ca } = options;
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error("OANDA's token has characters that no token has.");
  if (!/^[\w-]+$/.test(account)) throw new Error("OANDA's account must be like 101-004-1234567-001.");
  const own = url?.replace(/\/+$/, "");
  const addresses = own === undefined ? ADDRESSES[server] : { apiUrl: own, streamUrl: own };
  const api = new OandaApi({ ...addresses, token, account }, monotonic);
  const warn = (problem: string) => log.warn({ source: name, problem }, "The venue reported a problem");
  return createLiveFeed({
    ...options,
    times,
    secrets: () => [token, account],
    fetchPast: createOandaPast(api, now),
    openWire: openOandaWire({ api, symbols, warn, ca }),
    createProtocol: (connection) => new OandaProtocol(connection),
  });
}

/** 120 requests a second are allowed, 100 on one connection are recommended. */
const MAX_REQUESTS_PER_SECOND = 100;

interface OandaAccess {
  /** The addresses of the REST API and of the stream, without a slash at their end. */
  readonly apiUrl: string;
  readonly streamUrl: string;
  readonly token: string;
  readonly account: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The parts of OANDA's REST API v20 that a feed needs (developer.oanda.com/rest-live-v20). */
class OandaApi {
  readonly headers: Readonly<Record<string, string>>;
  readonly #access: OandaAccess;
  readonly #pacer: Pacer;
  readonly #accountPath: string;

  constructor(access: OandaAccess, monotonic: Clock) {
    this.headers = { Authorization: `Bearer ${access.token}`, "Accept-Datetime-Format": "RFC3339" };
    this.#access = access;
    this.#pacer = new Pacer(SECOND_MS / MAX_REQUESTS_PER_SECOND, monotonic);
    this.#accountPath = `/v3/accounts/${encodeURIComponent(access.account)}`;
  }

  getStreamUrl(instruments: readonly string[]): string {
    return `${this.#access.streamUrl}${this.#accountPath}/pricing/stream?${new URLSearchParams({ instruments: instruments.join(",") })}`;
  }

  /** What the venue says of all instruments of the account, with names such as EUR_USD. */
  async listInstruments(signal: AbortSignal): Promise<SymbolFacts[]> {
    const { instruments } = await this.#get(`${this.#accountPath}/instruments`, signal);
    if (!Array.isArray(instruments)) throw new Error("the venue's list of instruments cannot be read");
    return (instruments as JsonObject[]).map(toOandaFacts);
  }

  /** Up to `count` (at most 5,000) candles of bid and ask of five seconds each, from a time on, oldest first. */
  async listCandles(instrument: string, fromMs: number, count: number, signal: AbortSignal): Promise<JsonObject[]> {
    const from = new Date(fromMs).toISOString();
    const query = new URLSearchParams({ price: "BA", granularity: "S5", from, count: String(count) });
    const { candles } = await this.#get(`/v3/instruments/${encodeURIComponent(instrument)}/candles?${query}`, signal);
    if (!Array.isArray(candles)) throw new Error("the venue's candles cannot be read");
    return candles as JsonObject[];
  }

  async #get(path: string, signal: AbortSignal): Promise<JsonObject> {
    await this.#pacer.wait(signal);
    return getJson(`${this.#access.apiUrl}${path}`, this.headers, signal);
  }
}

/**
 * An instrument of an account. It is traded in units, so a lot is one. The rates of its financing are yearly fractions of
 * its value, from which no points a night follow.
 */
export function toOandaFacts(instrument: JsonObject): SymbolFacts {
  const { name, type, tags, displayName, displayPrecision, pipLocation } = instrument;
  const spelling = String(name);
  const [base, quote] = spelling.split("_");
  const assetClass = (Array.isArray(tags) ? (tags as JsonObject[]) : []).find((tag) => tag?.type === "ASSET_CLASS");
  const pipExponent = readFact(pipLocation);
  const unitDigits = readFact(instrument.tradeUnitsPrecision);
  return collectFacts(spelling, {
    digits: readFact(displayPrecision),
    description: readWords(displayName),
    path: readWords(assetClass?.name),
    kind: readWords(type),
    base,
    quote,
    pipSize: pipExponent === undefined ? undefined : Number(`1e${pipExponent}`),
    contractSize: 1,
    minVolume: readFact(instrument.minimumTradeSize),
    maxVolume: readFact(instrument.maximumOrderUnits),
    volumeStep: unitDigits === undefined ? undefined : Number(`1e${-unitDigits}`),
  });
}

interface Options extends TlsTrust {
  readonly api: OandaApi;
  /** Null for all of the account. */
  readonly symbols: readonly string[] | null;
  readonly warn: (problem: string) => void;
}

/**
 * Returns a wire that asks for the account's instruments, then opens the stream of those to quote: one instrument that
 * the account does not have would end the whole stream.
 */
function openOandaWire({ api, symbols, warn, ca }: Options): OpenWire {
  return (events) => {
    const ending = new AbortController();
    let stream: Wire | undefined;
    async function open() {
      const listed = await api.listInstruments(ending.signal);
      const names = listed.map(({ spelling }) => spelling);
      const requested = new Set(symbols ?? names);
      const unknown = listed.filter(({ spelling }) => requested.has(spelling) && isUndescribed(spelling));
      events.symbols(unknown, () => {
        if (ending.signal.aborted) return;
        const url = api.getStreamUrl(chooseSymbols(names, symbols, warn));
        stream = openHttpWire({ url, headers: api.headers, ca })(events);
      });
    }
    open().catch((error: unknown) => {
      if (!ending.signal.aborted) events.closed(error as Error);
    });
    return {
      send() {
        throw new Error("Nothing can be sent over the body of a response");
      },
      destroy() {
        ending.abort();
        stream?.destroy();
      },
    };
  };
}

/**
 * OANDA's pricing stream: one JSON object a line. A new stream begins with one price of each instrument, which on a closed
 * market is an old one with its own time. Later prices at which nobody can trade, as while an instrument is halted, are
 * left out: the last price ages. Heartbeats come every five seconds and are no prices.
 */
export class OandaProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #lines = new LineSplitter();
  readonly #begun = new Set<unknown>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  opened(): void {
    this.#connection.subscribed();
  }

  received(data: string | Buffer): void {
    for (const line of this.#lines.split(data)) {
      const message = readJson(line);
      if (message.type === "PRICE") this.#readPrice(message);
    }
  }

  #readPrice({ instrument, time, bids, asks, tradeable }: Readonly<Record<string, unknown>>): void {
    if (tradeable === false && this.#begun.has(instrument)) return;
    this.#begun.add(instrument);
    const timeMs = readTime(time);
    const [bidPrices, askPrices] = [listPrices(bids), listPrices(asks)];
    // Without one of its sides, or without a time, it is no quote.
    if (timeMs === null || bidPrices.length === 0 || askPrices.length === 0) return;
    // The best price of a ladder need not be the first.
    this.#connection.price(String(instrument), Math.max(...bidPrices), Math.min(...askPrices), timeMs);
  }
}

function listPrices(levels: unknown): number[] {
  return Array.isArray(levels) ? (levels as { price?: unknown }[]).map((level) => readPrice(level?.price)) : [];
}

/** The venue's shortest candle. Its close is the price at its end, so it stands at its last second. */
const STEP_MS = 5 * SECOND_MS;
const MAX_CANDLES = 5_000;
/** How often a request for a page is repeated while the venue is busy. */
const MAX_ATTEMPTS = 5;

/**
 * Returns a function that fetches past prices: the last bid and ask of every five seconds in which the venue sent a
 * price. Candles that are not complete are left out.
 */
function createOandaPast(api: OandaApi, now: Clock): FetchPast {
  let names: readonly string[] | null = null;

  async function findName(symbol: string, signal: AbortSignal): Promise<string | undefined> {
    names ??= (await api.listInstruments(signal)).map(({ spelling }) => spelling);
    return names.includes(symbol) ? symbol : names.find((name) => catalogResolver.find(name)?.symbol === symbol);
  }

  return async function* fetchPast(symbol, fromMs, toMs, signal) {
    const name = await findName(symbol, signal);
    if (name === undefined) return;
    let nextMs = Math.ceil(fromMs / STEP_MS) * STEP_MS;
    // The venue refuses times that have not come yet.
    const endMs = Math.min(toMs, now());
    while (nextMs < endMs) {
      const count = Math.min(MAX_CANDLES, Math.ceil((endMs - nextMs) / STEP_MS));
      const from = nextMs;
      const candles = await askPatiently(() => api.listCandles(name, from, count, signal), signal);
      for (const candle of candles) {
        const price = readCandle(candle);
        if (price === null || price.timeMs < nextMs) continue;
        if (price.timeMs >= endMs) return;
        nextMs = price.timeMs + SECOND_MS;
        yield price;
      }
      // Fewer than requested: these were the newest. A page without anything new would come again for ever.
      if (candles.length < count || nextMs === from) return;
    }
  };
}

function readCandle({ time, bid, ask, volume, complete }: Readonly<Record<string, unknown>>): PastPrice | null {
  const timeMs = readTime(time);
  if (timeMs === null || complete !== true) return null;
  const readClose = (side: unknown) => readPrice((side as { c?: unknown } | null | undefined)?.c);
  return { timeMs: timeMs + STEP_MS - SECOND_MS, bid: readClose(bid), ask: readClose(ask), updates: Number(volume) };
}

async function askPatiently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof VenueError && error.status === 429;
      if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      await setTimeout(Math.max(error.retryAfterMs, SECOND_MS), undefined, { signal });
    }
  }
}

export const oandaKind = defineFeedKind({
  kind: "oanda",
  sources: "one",
  isFallback: false,
  listsSymbols: true,
  settings: {
    /** Where the account is. */
    server: z.enum(["practice", "live"], "must be practice or live").default("practice"),
    /** Another address than OANDA's own, such as a proxy's. */
    url: z.url({ protocol: /^https?$/, error: "must be like https://prices.example.com" }).optional(),
  },
  secrets: {
    token: "a personal access token of OANDA",
    account: "the account of OANDA's v20 API, like 101-004-1234567-001",
  },
  create({ name, symbols, settings, secrets, now, monotonic, log, recorder, prices }) {
    const context = { now, monotonic, log, random: Math.random, recorder, prices };
    return createOandaFeed({ ...context, ...settings, ...secrets, name, symbols: symbols === "all" ? null : symbols });
  },
});

/** Spaces requests evenly, so that a venue's limit of requests a second holds. */
class Pacer {
  readonly #everyMs: number;
  readonly #monotonic: Clock;
  #freeAtMs = 0;

  constructor(everyMs: number, monotonic: Clock) {
    this.#everyMs = everyMs;
    this.#monotonic = monotonic;
  }

  /** Resolves when the next request may be sent. Rejects if the signal is aborted meanwhile. */
  async wait(signal: AbortSignal): Promise<void> {
    const nowMs = this.#monotonic();
    const atMs = Math.max(nowMs, this.#freeAtMs);
    this.#freeAtMs = atMs + this.#everyMs;
    if (atMs > nowMs) await setTimeout(atMs - nowMs, undefined, { signal });
  }
}
