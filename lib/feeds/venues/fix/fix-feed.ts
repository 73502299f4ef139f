import * as z from "zod";
import type { Feed } from "@/lib/feeds/feed";
import { defineFeedKind, type SymbolChoice } from "@/lib/feeds/feed-kind";
import type { Connection, Protocol, TlsTrust, VenueTimes } from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { openStreamWire } from "@/lib/feeds/live/wires";
import { MarketData, type RequestForm } from "@/lib/feeds/venues/fix/market-data";
import { type FixMessage, FixReader, readFixTime, TAG, TYPE } from "@/lib/feeds/venues/fix/messages";
import { type ListRequestType, type Security, SecurityList } from "@/lib/feeds/venues/fix/security-list";
import { FixSession, type Parties } from "@/lib/feeds/venues/fix/session";
import { isUndescribed } from "@/lib/feeds/venues/symbols";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

type Optional<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

/** What the operator may set; the rest is that of the profile. */
export interface FixSettings extends Optional<Profile> {
  readonly profile: keyof typeof PROFILES;
  readonly senderCompId?: string | undefined;
}

export interface FixFeedOptions extends LiveContext, TlsTrust, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  readonly settings: FixSettings;
  readonly user: string;
  readonly password: string;
  /**
   * In the venue's spelling: its numbers, unless the form of symbols is "name", or the venue's list says the names. "all"
   * only with that list.
   */
  readonly symbols: SymbolChoice;
  readonly times?: VenueTimes;
}

/** Creates the feed of a venue with FIX 4.4 market data. Throws a readable Error if the settings cannot work. */
export function createFixFeed(options: FixFeedOptions): Feed {
  const { name, ca } = options;
  const profile = completeProfile(options.settings);
  const { host, port, tls } = profile;
  if (host === undefined || port === undefined) throw new Error(`The source ${name} needs host and port.`);
  const request = createRequest(options, profile);
  return createLiveFeed({
    ...options,
    times: options.times ?? {
      // The session's own TestRequest comes first.
      silenceMs: Math.max(4 * request.heartbeatSeconds * SECOND_MS, 20 * SECOND_MS),
      retryMs: 5 * SECOND_MS,
      maxRetryMs: 2 * MINUTE_MS,
    },
    secrets: () => [options.user, options.password],
    openWire: openStreamWire({ host, port, tls, ca }),
    createProtocol: (connection) => new FixProtocol(connection, request),
  });
}

function completeProfile(settings: FixSettings): Profile {
  const own = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...PROFILES[settings.profile], ...Object.fromEntries(own) };
}

function createRequest(options: FixFeedOptions, profile: Profile): FixRequest {
  const { name, settings, user, password } = options;
  const { targetCompId, symbolForm, securityList } = profile;
  const all = options.symbols === "all";
  const symbols = options.symbols === "all" ? [] : options.symbols;
  if (all && securityList === false) throw new Error(`The source ${name} needs securityList for all symbols.`);
  const senderCompId = settings.senderCompId ?? (settings.profile === "lmax" ? user : undefined);
  if (senderCompId === undefined) throw new Error(`The source ${name} needs senderCompId, your name at the venue.`);
  if (targetCompId === undefined) throw new Error(`The source ${name} needs targetCompId, the venue's name.`);
  if (!all && symbols.length === 0) {
    throw new Error(`The source ${name} needs symbols in the venue's spelling, and aliases where they are numbers.`);
  }
  const mayBeNames = symbolForm === "name" || securityList !== false;
  const wrong = symbols.find((symbol) => !(mayBeNames ? /^[\x20-\x7e]+$/ : /^\d+$/).test(symbol));
  if (wrong !== undefined) {
    const hint = mayBeNames ? "cannot be sent" : "is not a number of the venue";
    throw new Error(`The source ${name} has the symbol ${wrong}, which ${hint}.`);
  }
  if ([user, password].some((secret) => secret.includes("\x01"))) {
    throw new Error(`The user or password of the source ${name} cannot be sent.`);
  }
  return {
    ...{ ...profile, senderCompId, targetCompId },
    ...{ symbols: [...new Set(symbols)], all, user, password },
  };
}

const id = z
  .string()
  .max(64)
  .regex(/^[\x20-\x7e]+$/, "must be printable characters")
  .optional();

/** Any venue with FIX 4.4 market data: LMAX, brokers with cTrader, liquidity providers. */
export const fixKind = defineFeedKind({
  kind: "fix",
  sources: "one",
  isFallback: false,
  listsSymbols: true,
  settings: {
    /** Gives the other settings their usual values at such a venue. */
    profile: z.enum(["lmax", "ctrader", "generic"], { error: "must be lmax, ctrader or generic" }),
    host: z.string().min(1).max(253).optional(),
    port: z.int().min(1).max(65_535).optional(),
    tls: z.boolean().optional(),
    /** Needed but at LMAX, where it is the user's name. */
    senderCompId: id,
    targetCompId: id,
    senderSubId: id,
    targetSubId: id,
    heartbeatSeconds: z.int().min(1).max(600).optional(),
    /** Whether each logon sets the numbers of messages back to 1. Without it, the venue has to do so by itself. */
    resetOnLogon: z.boolean().optional(),
    /** "name": EUR/USD in field 55; "number": the venue's number in 55; "security": its number in 48. */
    symbolForm: z.enum(["name", "number", "security"]).optional(),
    /** Field 264: 1 for the best price, 0 for the whole book. */
    marketDepth: z.union([z.literal(0), z.literal(1)], "must be 0 or 1").optional(),
    /** Field 265: 0 for snapshots, 1 for changes. */
    updateType: z.union([z.literal(0), z.literal(1)], "must be 0 or 1").optional(),
    symbolsPerRequest: z.int().min(1).max(500).optional(),
    /** Field 559 of a request for the list of symbols, which is sent after each logon; false for venues without one. */
    securityList: z.union([z.literal(false), z.literal(0), z.literal(4)], "must be false, 0 or 4").optional(),
  },
  secrets: { user: "the user name of the FIX session", password: "the password of the FIX session" },
  create: ({ secrets, settings, symbols, name, now, monotonic, log, recorder, prices }) =>
    createFixFeed({
      ...{ name, now, monotonic, log, random: Math.random, recorder, prices },
      ...{
        settings,
        symbols: symbols ?? [],
        user: secrets.user,
        password: secrets.password,
      },
    }),
});

/** What a connection needs to log on and subscribe. */
export interface FixRequest extends RequestForm, Parties {
  readonly user: string;
  readonly password: string;
  readonly heartbeatSeconds: number;
  /** Whether the logon sets both numberings back to 1 (141=Y). */
  readonly resetOnLogon: boolean;
  /** In the venue's spelling; empty if all are wanted. */
  readonly symbols: readonly string[];
  readonly all?: boolean;
  readonly securityList: false | ListRequestType;
}

/** A list that does not come by then is not waited for. */
const LONGEST_LISTING_MS = 10 * SECOND_MS;
const TICK_MS = SECOND_MS / 2;
/** FIX does not acknowledge a request. One that was not refused for so long, or was answered with a price, stands. */
const ACCEPTED_MS = 5 * SECOND_MS;
/** Venues refuse messages whose time differs more, and prices would have a wrong age. */
const MAX_CLOCK_ERROR_MS = 5 * SECOND_MS;

/** Logs on to a FIX 4.4 session for market data and reads its prices. */
export class FixProtocol implements Protocol {
  readonly keepAlive = { everyMs: TICK_MS, send: () => this.#tick() };
  readonly #connection: Connection;
  readonly #request: FixRequest;
  readonly #reader = new FixReader();
  readonly #session: FixSession;
  /** Null until it is known what to subscribe to. */
  #marketData: MarketData | null = null;
  /** While it is waited for. */
  #list: SecurityList | null = null;
  #loggedOnAtMs: number | null = null;
  #hasWarned = false;

  constructor(connection: Connection, request: FixRequest) {
    this.#connection = connection;
    this.#request = request;
    const events = {
      send: (bytes: Buffer) => connection.send(bytes),
      loggedOn: (logon: FixMessage) => this.#subscribe(logon),
      received: (message: FixMessage) => this.#receiveFromSession(message),
      lost: () => this.#marketData?.lost(),
    };
    this.#session = new FixSession(request, events, connection.now);
  }

  opened(): void {
    const { heartbeatSeconds, resetOnLogon, user, password } = this.#request;
    this.#session.send(TYPE.logon, [
      [TAG.encryptMethod, 0],
      [TAG.heartBtInt, heartbeatSeconds],
      ...(resetOnLogon ? [[TAG.resetSeqNumFlag, "Y"] as const] : []),
      [TAG.username, user],
      [TAG.password, password],
    ]);
  }

  received(data: string | Buffer): void {
    this.#reader.read(typeof data === "string" ? Buffer.from(data) : data, this.#receive);
    if (this.#reader.garbled === 0 || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#connection.warn("a message with a wrong length or checksum was ignored");
  }

  stopping(): void {
    this.#session.logOut();
  }

  readonly #receive = (message: FixMessage) => this.#session.receive(message);

  #subscribe(logon: FixMessage): void {
    const nowMs = this.#connection.now();
    this.#loggedOnAtMs = nowMs;
    const errorMs = (readFixTime(logon.get(TAG.sendingTime)) ?? nowMs) - nowMs;
    if (Math.abs(errorMs) > MAX_CLOCK_ERROR_MS) {
      this.#connection.warn(`the venue's clock differs from this one by ${Math.round(errorMs / SECOND_MS)} s`);
    }
    const intervalSeconds = logon.readInteger(TAG.heartBtInt);
    if (intervalSeconds > this.#request.heartbeatSeconds) {
      throw new Error(`the venue's heartbeats come every ${intervalSeconds} s; set heartbeatSeconds to that`);
    }
    const { securityList, symbolForm, symbols } = this.#request;
    if (securityList === false) return this.#start(symbols.map((id) => ({ id, facts: { spelling: id } })));
    this.#list = new SecurityList(symbolForm);
    this.#list.request(securityList, (type, fields) => this.#session.send(type, fields));
  }

  #receiveFromSession(message: FixMessage): void {
    const list = this.#list;
    if (list?.isRefusal(message) === true) return this.#goWithoutList(message.readText(TAG.text) || "it is refused");
    if (message.type !== TYPE.securityList) return this.#marketData?.receive(message);
    try {
      if (list?.read(message) !== true) return;
    } catch (error) {
      return this.#goWithoutList((error as Error).message);
    }
    this.#list = null;
    const chosen = this.#choose(list.securities);
    // A number without a name is no symbol.
    const named = chosen.filter(({ facts: { spelling } }) => /\D/.test(spelling) && isUndescribed(spelling));
    this.#connection.symbols(
      named.map(({ facts }) => facts),
      () => this.#start(chosen),
    );
  }

  /** The wanted symbols of the list, which the operator may have written as numbers or as names. */
  #choose(listed: readonly Security[]): readonly Security[] {
    const { symbols, all = false } = this.#request;
    if (all) return listed;
    const byName = new Map(listed.map((security) => [security.facts.spelling, security]));
    const byId = new Map(listed.map((security) => [security.id, security]));
    const missing = symbols.filter((symbol) => !byName.has(symbol) && !byId.has(symbol));
    if (missing.length > 0) this.#connection.warn(`not in the venue's list, left out: ${missing.join(", ")}`);
    return symbols.flatMap((symbol) => byName.get(symbol) ?? byId.get(symbol) ?? []);
  }

  /** Without the list, only what is written as the venue's requests need it can be subscribed to. */
  #goWithoutList(reason: string): void {
    this.#list = null;
    const { symbols, symbolForm } = this.#request;
    this.#connection.warn(`the venue's list of symbols cannot be read: ${reason}`);
    const ids = symbols.filter((symbol) => symbolForm === "name" || /^\d+$/.test(symbol));
    this.#start(ids.map((id) => ({ id, facts: { spelling: id } })));
  }

  #start(securities: readonly Security[]): void {
    if (securities.length === 0) throw new Error("the venue has none of the symbols");
    const names = new Map(securities.map(({ id, facts }) => [id, facts.spelling]));
    const connection = this.#connection;
    const market = {
      subscribed: () => connection.subscribed(),
      warn: (problem: string) => connection.warn(problem),
      price: (id: string, bid: number, ask: number, timeMs: number | null) =>
        connection.price(names.get(id) ?? id, bid, ask, timeMs),
    };
    this.#marketData = new MarketData(market, this.#request, [...names.keys()]);
    this.#marketData.subscribe(this.#session);
  }

  #tick(): void {
    this.#session.tick();
    if (this.#loggedOnAtMs === null) return;
    const sinceMs = this.#connection.now() - this.#loggedOnAtMs;
    if (this.#list !== null && sinceMs >= LONGEST_LISTING_MS) this.#goWithoutList("it did not come");
    this.#marketData?.subscribe(this.#session);
    if (this.#marketData !== null && sinceMs >= ACCEPTED_MS) this.#connection.subscribed();
  }
}

/** What a venue's kind of FIX needs, unless the operator's settings say something else. */
interface Profile extends RequestForm {
  /** Undefined where each broker has its own. */
  readonly host?: string;
  readonly port?: number;
  readonly tls: boolean;
  readonly targetCompId?: string;
  readonly senderSubId: string;
  readonly targetSubId: string;
  readonly heartbeatSeconds: number;
  /** Whether the logon sets both numberings back to 1 (141=Y). */
  readonly resetOnLogon: boolean;
  readonly securityList: false | ListRequestType;
}

const common = {
  tls: true,
  heartbeatSeconds: 30,
  resetOnLogon: true,
  symbolsPerRequest: 1,
  securityList: false,
} as const;

export const PROFILES = {
  /** LMAX; the host is that of the London demo, whose accounts are free. Every message is a whole snapshot. */
  lmax: {
    ...{ ...common, host: "fix-marketdata.london-demo.lmax.com", port: 443, targetCompId: "LMXBDM" },
    ...{ senderSubId: "", targetSubId: "", symbolForm: "security", marketDepth: 1, updateType: 0 },
  },
  /** Brokers with cTrader. There, 264=1 is the best price although its snapshots come with 265=1. */
  ctrader: {
    ...{ ...common, port: 5211, targetCompId: "CSERVER", senderSubId: "QUOTE", targetSubId: "QUOTE" },
    ...{ symbolForm: "number", marketDepth: 1, updateType: 1 },
  },
  /** Liquidity providers after the specification, with names like EUR/USD. */
  generic: {
    ...{ ...common, senderSubId: "", targetSubId: "", symbolForm: "name", marketDepth: 1, updateType: 0 },
  },
} as const satisfies Readonly<Record<string, Profile>>;
