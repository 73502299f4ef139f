import type { Connection, Protocol } from "@/lib/feeds/live/connector";
import { readJson } from "@/lib/feeds/live/read-json";
import { chooseSymbols } from "@/lib/feeds/venues/choose-symbols";
import { createTokenError, describeError, TOKEN_CODES } from "@/lib/feeds/venues/ctrader/ctrader-errors";
import { SpotPrices } from "@/lib/feeds/venues/ctrader/spot-prices";
import type { TokenStore } from "@/lib/feeds/venues/ctrader/token-store";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

export interface CtraderAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The number that the API gives the account (ctidTraderAccountId). */
  readonly account: number;
  readonly tokens: TokenStore;
  /** Names of symbols; null for all of the account that the catalog has. */
  readonly symbols: readonly string[] | null;
}

/** The venue closes a connection on which nothing is sent for longer. */
const KEEP_ALIVE_MS = 10 * SECOND_MS;
/** Access tokens last for weeks: one that ends sooner than this was refused, and its successor would be too. */
const MIN_REFRESH_MS = HOUR_MS;

/** Numbers of messages: requests, and their answers and events. */
const REQUEST = { heartbeat: 51, application: 2100, account: 2102, symbols: 2114, spots: 2127, refresh: 2173 } as const;
const COMMON_ERROR = 50;
const ERROR = 2142;

type Payload = Readonly<Record<string, unknown>>;

/** cTrader's Open API in JSON (help.ctrader.com/open-api). Prices come for one trading account. */
export class CtraderProtocol implements Protocol {
  readonly keepAlive = { everyMs: KEEP_ALIVE_MS, send: () => this.#request("heartbeat") };
  readonly #connection: Connection;
  readonly #access: CtraderAccess;
  /** By the id that this broker gives a symbol. */
  readonly #names = new Map<number, string>();
  readonly #spots = new SpotPrices();
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

  #readSymbols({ symbol }: Payload): void {
    const enabled = (Array.isArray(symbol) ? (symbol as Payload[]) : []).filter((each) => each.enabled !== false);
    const ids = new Map(enabled.map(({ symbolName, symbolId }) => [String(symbolName), Number(symbolId)]));
    const warn = (problem: string) => this.#connection.warn(problem);
    for (const name of chooseSymbols([...ids.keys()], this.#access.symbols, warn)) {
      this.#names.set(ids.get(name) as number, name);
    }
    this.#subscribe();
  }

  #subscribe(): void {
    this.#spots.clear();
    const symbolId = [...this.#names.keys()];
    this.#request("spots", { ...this.#toAccount(), symbolId, subscribeToSpotTimestamp: true });
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
    throw describeError(payload, isOfRefresh, this.#connection.now());
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
