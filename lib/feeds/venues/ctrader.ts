import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Feed } from "@/lib/feeds/feed";
import { defineFeedKind } from "@/lib/feeds/feed-kind";
import {
  type Connection,
  type Protocol,
  readJson,
  type TlsTrust,
  VenueError,
  type VenueTimes,
} from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { openWebSocketWire } from "@/lib/feeds/live/wires";
import { SymbolLists } from "@/lib/feeds/venues/ctrader-symbols";
import { chooseSymbols, isUndescribed } from "@/lib/feeds/venues/symbols";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The venue's heartbeats may be 30 seconds apart. */
const TIMES: VenueTimes = { silenceMs: 65 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 5 * MINUTE_MS };
const PING_MS = 20 * SECOND_MS;

const ADDRESSES = { demo: "wss://demo.ctraderapi.com:5036", live: "wss://live.ctraderapi.com:5036" };

export interface CtraderOptions extends LiveContext, TlsTrust, TokenPair, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  /** In the broker's spelling; null for all of the account. */
  readonly symbols: readonly string[] | null;
  readonly server: keyof typeof ADDRESSES;
  /** Another address than cTrader's own, such as a proxy's. */
  readonly url?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The number that the Open API gives the trading account (ctidTraderAccountId). */
  readonly account: string;
  /** The folder in which renewed tokens are stored. */
  readonly dataDir: string;
  readonly times?: VenueTimes;
}

/** Creates the feed of a cTrader account (Open API). Throws an Error if the account is not a number. */
export function createCtraderFeed(options: CtraderOptions): Feed {
  const { name, symbols, server, url = ADDRESSES[server], clientId, clientSecret, account, dataDir, ca } = options;
  const { accessToken, refreshToken, times = TIMES } = options;
  if (!/^\d{1,15}$/.test(account))
    throw new Error("cTrader's account must be the Open API's number of it, like 712345.");
  const tokens = new TokenStore(join(dataDir, `ctrader-${name}-tokens.json`), { accessToken, refreshToken });
  const access = { clientId, clientSecret, account: Number(account), tokens, symbols };
  return createLiveFeed({
    ...options,
    times,
    secrets: () => [clientId, clientSecret, account, accessToken, refreshToken, ...Object.values(tokens.pair)],
    openWire: openWebSocketWire({ url, ca, pingMs: PING_MS }),
    createProtocol: (connection) => new CtraderProtocol(connection, access),
  });
}

interface CtraderAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The number that the API gives the account (ctidTraderAccountId). */
  readonly account: number;
  readonly tokens: TokenStore;
  /** Names of symbols; null for all of the account. */
  readonly symbols: readonly string[] | null;
}

/** The venue closes a connection on which nothing is sent for longer. */
const KEEP_ALIVE_MS = 10 * SECOND_MS;
/** Access tokens last for weeks: one that ends sooner than this was refused, and its successor would be too. */
const MIN_REFRESH_MS = HOUR_MS;

/** Numbers of messages: requests, and their answers and events. */
const REQUEST = {
  ...{ heartbeat: 51, application: 2100, account: 2102, symbols: 2114, spots: 2127, refresh: 2173 },
  ...{ assets: 2112, classes: 2153, categories: 2160, details: 2116 },
} as const;
const COMMON_ERROR = 50;
const ERROR = 2142;

/** How many symbols are subscribed to with one request. */
const BATCH_SIZE = 500;
/** A broker that does not say by then what its symbols are is not waited for. */
const LONGEST_LISTING_MS = 10 * SECOND_MS;

type Payload = Readonly<Record<string, unknown>>;

/** cTrader's Open API in JSON (help.ctrader.com/open-api). Prices come for one trading account. */
class CtraderProtocol implements Protocol {
  readonly keepAlive = { everyMs: KEEP_ALIVE_MS, send: () => this.#keepAlive() };
  readonly #connection: Connection;
  readonly #access: CtraderAccess;
  /** By the id that this broker gives a symbol. */
  readonly #names = new Map<number, string>();
  readonly #spots = new SpotPrices();
  /** What the broker says of symbols that the catalog lacks, while it is waited for. */
  #lists: { readonly of: SymbolLists; readonly sinceMs: number; readonly then: () => void } | null = null;
  #refreshedAtMs = -Infinity;

  constructor(connection: Connection, access: CtraderAccess) {
    this.#connection = connection;
    this.#access = access;
  }

  opened(): void {
    const { clientId, clientSecret } = this.#access;
    this.#request("application", { clientId, clientSecret });
  }

  received(data: string | Buffer): void {
    const { payloadType, payload, clientMsgId } = readJson(data);
    const content = typeof payload === "object" && payload !== null ? (payload as Payload) : {};
    switch (payloadType) {
      case 2101:
      // The broker dropped the account's session: it begins again on this connection.
      case 2164:
        return this.#signIn();
      case 2103:
        return this.#names.size > 0 ? this.#subscribe() : this.#request("symbols", this.#toAccount());
      case 2115:
        return this.#readSymbols(content);
      case 2113:
      case 2117:
      case 2154:
      case 2161:
        this.#lists?.of.read(payloadType, content);
        return this.#endListing();
      case 2128:
        return this.#connection.subscribed();
      case 2131:
        return this.#readSpot(content);
      case 2147:
        return this.#refresh(`the tokens are no longer valid: ${String(content.reason)}`);
      case 2148:
        throw new Error(`the venue ended the session: ${String(content.reason)}`);
      case 2174:
        return this.#storeTokens(content);
      case COMMON_ERROR:
      case ERROR:
        return this.#readError(content, clientMsgId);
    }
  }

  #request(what: keyof typeof REQUEST, payload?: Payload): void {
    this.#connection.send(JSON.stringify({ clientMsgId: what, payloadType: REQUEST[what], payload }));
  }

  #toAccount(): Payload {
    return { ctidTraderAccountId: this.#access.account };
  }

  #signIn(): void {
    this.#request("account", { ...this.#toAccount(), accessToken: this.#access.tokens.pair.accessToken });
  }

  #keepAlive(): void {
    this.#request("heartbeat");
    if (this.#lists === null || this.#connection.now() - this.#lists.sinceMs < LONGEST_LISTING_MS) return;
    this.#connection.warn("the broker does not say what all of its symbols are");
    this.#endListing(true);
  }

  #readSymbols({ symbol }: Payload): void {
    const enabled = (Array.isArray(symbol) ? (symbol as Payload[]) : []).filter((each) => each.enabled !== false);
    const requested = this.#access.symbols === null ? null : new Set(this.#access.symbols);
    const unknown = enabled
      .filter(({ symbolName }) => requested === null || requested.has(String(symbolName)))
      .filter(({ symbolName }) => isUndescribed(String(symbolName)));
    const then = () => this.#choose(enabled);
    if (unknown.length === 0) return then();
    const of = new SymbolLists(unknown);
    this.#lists = { of, sinceMs: this.#connection.now(), then };
    of.request((list, payload) => this.#request(list, { ...this.#toAccount(), ...payload }));
  }

  /** Subscribes once everything has come, or with what has come by now. */
  #endListing(isOver = false): void {
    const lists = this.#lists;
    if (lists === null || !(isOver || lists.of.isComplete)) return;
    this.#lists = null;
    this.#connection.symbols(lists.of.collect(), lists.then);
  }

  #choose(enabled: readonly Payload[]): void {
    const ids = new Map(enabled.map(({ symbolName, symbolId }) => [String(symbolName), Number(symbolId)]));
    const warn = (problem: string) => this.#connection.warn(problem);
    for (const name of chooseSymbols([...ids.keys()], this.#access.symbols, warn)) {
      this.#names.set(ids.get(name) as number, name);
    }
    this.#subscribe();
  }

  #subscribe(): void {
    this.#spots.clear();
    const ids = [...this.#names.keys()];
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const symbolId = ids.slice(at, at + BATCH_SIZE);
      this.#request("spots", { ...this.#toAccount(), symbolId, subscribeToSpotTimestamp: true });
    }
  }

  #readSpot(event: Payload): void {
    const name = this.#names.get(Number(event.symbolId));
    if (name !== undefined) this.#spots.read(name, event, (...price) => this.#connection.price(...price));
  }

  #readError(payload: Payload, clientMsgId: unknown): void {
    const isOfRefresh = clientMsgId === "refresh";
    if (TOKEN_CODES.includes(String(payload.errorCode)) && !isOfRefresh) {
      return this.#refresh(String(payload.errorCode));
    }
    if (payload.errorCode === "ALREADY_SUBSCRIBED") return this.#connection.subscribed();
    if (SymbolLists.isOf(clientMsgId)) return this.#readListError(payload);
    throw describeError(payload, isOfRefresh, this.#connection.now());
  }

  /** Prices come without what could not be read. */
  #readListError({ errorCode }: Payload): void {
    this.#connection.warn(`what symbols are cannot be read: ${String(errorCode)}`);
    this.#lists?.of.refuse();
    this.#endListing();
  }

  #refresh(reason: string): void {
    const { tokens } = this.#access;
    const nowMs = this.#connection.now();
    if (nowMs - this.#refreshedAtMs < MIN_REFRESH_MS) throw createTokenError(reason);
    this.#refreshedAtMs = nowMs;
    // Throws if nothing can be stored: then the only refresh token is not used up.
    tokens.save(tokens.pair);
    this.#request("refresh", { refreshToken: tokens.pair.refreshToken });
  }

  #storeTokens({ accessToken, refreshToken }: Payload): void {
    if (typeof accessToken !== "string" || typeof refreshToken !== "string") {
      throw createTokenError("the venue sent no new tokens");
    }
    try {
      this.#access.tokens.save({ accessToken, refreshToken });
    } catch (error) {
      this.#connection.warn(`the new tokens are lost at the next start: ${(error as Error).message}`);
    }
    this.#signIn();
  }
}

/** Only other credentials can change these. */
const FINAL_CODES: readonly string[] = [
  "CH_CLIENT_AUTH_FAILURE",
  "CH_OA_CLIENT_NOT_FOUND",
  "CH_CTID_TRADER_ACCOUNT_NOT_FOUND",
  "RET_NO_SUCH_LOGIN",
  "RET_ACCOUNT_DISABLED",
];
/** The access token is over; the refresh token may still be valid. */
const TOKEN_CODES: readonly string[] = ["OA_AUTH_TOKEN_EXPIRED", "CH_ACCESS_TOKEN_INVALID"];
/** These say nothing about the tokens. */
const PASSING_CODES: readonly string[] = [
  "REQUEST_FREQUENCY_EXCEEDED",
  "BLOCKED_PAYLOAD_TYPE",
  "SERVER_IS_UNDER_MAINTENANCE",
  "CH_SERVER_NOT_REACHABLE",
  "CONNECTIONS_LIMIT_EXCEEDED",
];

const MAX_PAUSE_MS = HOUR_MS;
/** Later than this it is a time in milliseconds, before it one in seconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** The failure that an error of the venue is for its connection. */
function describeError(payload: Readonly<Record<string, unknown>>, isOfRefresh: boolean, nowMs: number) {
  const code = String(payload.errorCode);
  const text = payload.description == null ? code : `${code}: ${String(payload.description)}`;
  if (isOfRefresh && !PASSING_CODES.includes(code)) return createTokenError(text);
  const retryAfterMs = Math.min(Math.max(readPauseMs(payload, nowMs), 0), MAX_PAUSE_MS);
  return new VenueError(text, { isFinal: FINAL_CODES.includes(code), retryAfterMs });
}

/** No later attempt can succeed until the operator sets new tokens. */
function createTokenError(reason: string): VenueError {
  return new VenueError(`${reason}; authorise the application again and set both new tokens`, { isFinal: true });
}

function readPauseMs({ retryAfter, maintenanceEndTimestamp }: Readonly<Record<string, unknown>>, nowMs: number) {
  const pauseMs = Number(retryAfter ?? 0) * SECOND_MS;
  const end = Number(maintenanceEndTimestamp ?? 0);
  const endMs = end < FIRST_MILLISECONDS ? end * SECOND_MS : end;
  const latest = Math.max(pauseMs, endMs - nowMs);
  return Number.isFinite(latest) ? latest : 0;
}

export const ctraderKind = defineFeedKind({
  kind: "ctrader",
  sources: "one",
  isFallback: false,
  listsSymbols: true,
  settings: {
    /** Where the account is. */
    server: z.enum(["demo", "live"], "must be demo or live").default("demo"),
    /** Another address than cTrader's own, such as a proxy's. */
    url: z.url({ protocol: /^wss?$/, error: "must be like wss://prices.example.com" }).optional(),
  },
  secrets: {
    clientId: "the client id of your Open API application",
    clientSecret: "the client secret of your Open API application",
    accessToken: "the access token of the account, with the scope accounts or trading",
    refreshToken: "the refresh token that came with the access token",
    account: "the Open API's number of the trading account (ctidTraderAccountId)",
  },
  create({ name, symbols, settings, secrets, now, monotonic, log, recorder, prices, dataDir }) {
    const context = { now, monotonic, log, random: Math.random, recorder, prices };
    return createCtraderFeed({
      ...context,
      ...settings,
      ...secrets,
      name,
      symbols: symbols === "all" ? null : symbols,
      dataDir,
    });
  },
});

/** Prices are integers in this unit, whatever the digits of the symbol. */
const UNITS = 100_000;

interface Sides {
  bid: number | null;
  ask: number | null;
}

type SpotEvent = Readonly<Record<string, unknown>>;
type Report = (symbol: string, bid: number, ask: number, timeMs: number | null) => void;

/**
 * Both sides of each symbol on one connection. An event has only the sides that changed. The first event after a
 * subscription is the last price, of any age; without a time it is only remembered.
 */
export class SpotPrices {
  readonly #sides = new Map<string, Sides>();

  /** Call it before each subscription: prices may have changed meanwhile. */
  clear(): void {
    this.#sides.clear();
  }

  read(symbol: string, { bid, ask, timestamp }: SpotEvent, report: Report): void {
    if (bid == null && ask == null) return;
    const known = this.#sides.get(symbol);
    const sides: Sides = { bid: readSide(bid, known?.bid), ask: readSide(ask, known?.ask) };
    const isOfUnknownAge = timestamp == null && known === undefined;
    if (isValid(sides.bid) && isValid(sides.ask)) this.#sides.set(symbol, sides);
    if (isOfUnknownAge || sides.bid === null || sides.ask === null) return;
    report(symbol, sides.bid, sides.ask, timestamp == null ? null : Number(timestamp));
  }
}

const readSide = (value: unknown, known: number | null = null) => (value == null ? known : Number(value) / UNITS);

/** A side that cannot be a price must not be completed by later events. The intake refuses and counts it. */
const isValid = (side: number | null) => side === null || side > 0;

interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface StoredPair extends TokenPair {
  /** The pair of the settings that these replace. */
  readonly successorOf: string;
}

/**
 * The tokens that are valid now. A refresh token can be used once, so its successors are stored in a file that only its
 * owner can read. Tokens that the operator sets anew replace what is stored.
 */
class TokenStore {
  readonly #file: string;
  readonly #origin: string;
  #pair: TokenPair | null = null;
  readonly #given: TokenPair;

  /** Opens nothing yet. */
  constructor(file: string, given: TokenPair) {
    this.#file = file;
    this.#given = given;
    this.#origin = createHash("sha256").update(given.refreshToken).digest("hex");
  }

  get pair(): TokenPair {
    return (this.#pair ??= this.#read());
  }

  /** Uses a pair from now on. Throws if it cannot be stored; it is valid until the process ends nevertheless. */
  save({ accessToken, refreshToken }: TokenPair): void {
    this.#pair = { accessToken, refreshToken };
    const stored: StoredPair = { successorOf: this.#origin, accessToken, refreshToken };
    const draft = `${this.#file}.new`;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // The mode counts only for a file that does not exist yet.
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(stored)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.#file);
  }

  #read(): TokenPair {
    try {
      const stored = JSON.parse(readFileSync(this.#file, "utf8")) as Partial<StoredPair>;
      const { successorOf, accessToken, refreshToken } = stored;
      const isWhole = typeof accessToken === "string" && typeof refreshToken === "string";
      return isWhole && successorOf === this.#origin ? { accessToken, refreshToken } : this.#given;
    } catch {
      // There is none yet, or it is damaged. The venue then says whether the given tokens are still valid.
      return this.#given;
    }
  }
}
